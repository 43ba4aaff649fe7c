/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plain line for each failure.
 */
#define _GNU_SOURCE
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* A message cut by its room must not end within a UTF-8 character. */
static void trim_partial_character(char *text, size_t room)
{
    size_t length = strlen(text);
    if (length + 1 < room)
        return;
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
        length--;
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0)
        length--;
    text[length] = '\0';
}

/* File content may end up in messages: keep them one line and harmless to a terminal. */
static void make_printable(hsel_error *error)
{
    char shown[sizeof error->message], character[HS_SHOWN_ROOM];
    size_t used = 0, taken;
    for (const char *at = error->message; *at; at += taken) {
        size_t length = hs_show_character(at, strlen(at), character, &taken);
        if (used + length >= sizeof shown)
            break;
        memcpy(shown + used, character, length);
        used += length;
    }
    memcpy(error->message, shown, used);
    error->message[used] = '\0';
}

HS_PRINTF(5, 0)
static int fill(hsel_error *error, int code, const char *file, unsigned long line,
                const char *format, va_list arguments)
{
    if (!error)
        return code;
    error->code = code;
    error->line = line;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    int used = 0;
    if (file && line)
        used = snprintf(error->message, sizeof error->message, "%s:%lu: ", file, line);
    else if (file)
        used = snprintf(error->message, sizeof error->message, "%s: ", file);
    if (used >= 0 && (size_t)used < sizeof error->message)
        hs_vprint(error->message + used, sizeof error->message - (size_t)used, format, arguments);
    trim_partial_character(error->message, sizeof error->message);
    make_printable(error);
    return code;
}

int hs_fail(hsel_error *error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, NULL, 0, format, arguments);
    va_end(arguments);
    return code;
}

int hs_fail_at(hsel_error *error, int code, const char *file, unsigned long line,
               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, file, line, format, arguments);
    va_end(arguments);
    return code;
}

int hs_fail_memory(hsel_error *error) { return hs_fail(error, HSEL_ENOMEM, "out of memory"); }

int hs_fail_errno(hsel_error *error, const char *path, const char *verb)
{
    const char *reason = strerrordesc_np(errno); /* unlike strerror: thread-safe, no locale */
    return hs_fail_at(error, HSEL_EIO, path, 0, "cannot %s: %s", verb,
                      reason ? reason : "unknown error");
}

void hs_error_clear(hsel_error *error)
{
    if (error) {
        error->code = HSEL_OK;
        error->line = 0;
        error->file[0] = error->message[0] = '\0';
    }
}

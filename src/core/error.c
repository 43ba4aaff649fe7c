/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plain line for each failure.
 */
#define _GNU_SOURCE
#include "core/core.h"

int hs_vfail_at(hsel_error *error, int code, const char *file, unsigned long line,
                const char *format, va_list arguments)
{
    if (!error)
        return code;
    char text[sizeof error->message], words[sizeof error->message], character[HS_SHOWN_ROOM],
        number[32] = "";
    size_t length = 0, used = 0, taken, shown;
    error->code = code;
    error->reason = HSEL_NO_REASON;
    error->line = line;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    if (line)
        snprintf(number, sizeof number, ":%lu", line);
    if (file)
        length = (size_t)snprintf(text, sizeof text, "%s%s: ", file, number);
    hs_words(format, words, sizeof words, error->options, sizeof error->options);
    if (length < sizeof text)
        hs_vprint(text + length, sizeof text - length, words, arguments);
    /* What is cut by its room must not end within a UTF-8 character. */
    length = strlen(text);
    if (length + 1 == sizeof text) {
        while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
            length--;
        length -= length > 0 && (unsigned char)text[length - 1] >= 0xC0;
    }
    /* File content may end up in messages: keep them one line and harmless to a terminal. */
    for (const char *at = text; at < text + length; at += taken, used += shown) {
        shown = hs_show_character(at, (size_t)(text + length - at), character, &taken);
        if (used + shown >= sizeof error->message)
            break;
        memcpy(error->message + used, character, shown);
    }
    error->message[used] = '\0';
    return code;
}

int hs_fail_at(hsel_error *error, int code, const char *file, unsigned long line,
               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hs_vfail_at(error, code, file, line, format, arguments);
    va_end(arguments);
    return code;
}

int hs_fail_as(hsel_error *error, int code, const char *file, unsigned long line,
               const char *before, const hsel_error *why)
{
    const hsel_error copy = *why; /* which `error` may be */
    hs_fail_at(error, code, file, line, "%s%s", before, copy.message);
    if (error) {
        error->reason = copy.reason;
        memcpy(error->options, copy.options, sizeof copy.options);
    }
    return code;
}

int hs_about_option(const char *name, hsel_error *error, int status)
{
    size_t used = 0;
    while (error && error->options[used])
        used += strlen(error->options + used) + 1;
    if (error && used + strlen(name) + 2 <= sizeof error->options)
        strcpy(error->options + used, name)[strlen(name) + 1] = '\0';
    return status;
}

int hs_fail_memory(hsel_error *error) { return hs_fail(error, HSEL_ENOMEM, "out of memory"); }

int hs_fail_errno(hsel_error *error, const char *path, const char *verb)
{
#ifdef __GLIBC__
    const char *reason = strerrordesc_np(errno); /* unlike strerror: thread-safe, no locale */
#else
    char text[128];
    const char *reason =
        strerror_r(errno, text, sizeof text) == 0 ? text : NULL; /* as POSIX has it */
#endif
    const int why = errno == ENOENT  ? HSEL_MISSING_FILE
                    : errno == EPIPE ? HSEL_BROKEN_PIPE
                                     : HSEL_NO_REASON;
    return hs_because(why, error,
                      hs_fail_at(error, HSEL_EIO, path, 0, "cannot %s: %s", verb,
                                 reason ? reason : "unknown error"));
}

void hs_error_clear(hsel_error *error)
{
    if (error) {
        error->code = HSEL_OK;
        error->reason = HSEL_NO_REASON;
        error->options[0] = '\0';
        error->line = 0;
        error->file[0] = error->message[0] = '\0';
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills the caller's error object. A function that fails because a function it calls failed passes
 * the status on and does not change the message: the lowest layer knows best.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "hsel/hsel.h"

#define HS_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Each returns `code`, so that a failing line reads `return hs_fail(error, HSEL_EUSAGE, "…");`. The
 * message is one line: control characters in arguments are written out (\x1b). An option is named
 * in braces, "{hierarchy=FILE}", which is replaced by the client's name of the option
 * (core/words.h). */
#define hs_fail(error, code, ...) hs_fail_at(error, code, NULL, 0, __VA_ARGS__)
/* The same for a place in a file; line 0 is the whole file. */
int hs_fail_at(hsel_error *error, int code, const char *file, unsigned long line,
               const char *format, ...) HS_PRINTF(5, 6);
int hs_vfail_at(hsel_error *error, int code, const char *file, unsigned long line,
                const char *format, va_list arguments) HS_PRINTF(5, 0);
/* Repeats an error: the text `before`, then the message of `why` (which may be `error`), with its
 * reason and options. */
int hs_fail_as(hsel_error *error, int code, const char *file, unsigned long line,
               const char *before, const hsel_error *why);
/* Adds the reason of a failure, for programs: `return hs_because(HSEL_CYCLE, error,
 * hs_fail_at(error, …));` */
static inline int hs_because(hsel_reason reason, hsel_error *error, int status)
{
    if (error)
        error->reason = (int)reason;
    return status;
}
/* Adds an option that the message is about but does not name as {NAME}. */
int hs_about_option(const char *name, hsel_error *error, int status);
int hs_fail_memory(hsel_error *error);
/* "PATH: cannot VERB: reason from errno" */
int hs_fail_errno(hsel_error *error, const char *path, const char *verb);
void hs_error_clear(hsel_error *error);

/* Passes a failure on to the caller. Variables declared with HS_OWNED or HS_OWNS (core/mem.h) are
 * released on return. */
#define HS_TRY(call)                                                                               \
    do {                                                                                           \
        int hs_status_ = (call);                                                                   \
        if (hs_status_)                                                                            \
            return hs_status_;                                                                     \
    } while (0)
/* Fails with this message if the condition holds: HS_REFUSE(json && csv, "…") is wrong usage. Both
 * use `error`. */
#define HS_FAIL_IF(wrong, code, ...) HS_TRY((wrong) ? hs_fail(error, (code), __VA_ARGS__) : HSEL_OK)
#define HS_REFUSE(wrong, ...)        HS_FAIL_IF(wrong, HSEL_EUSAGE, __VA_ARGS__)
/* The same for memory: HS_NEED(a && b) fails unless both are not NULL. Uses `error`. */
#define HS_NEED(had) HS_TRY((had) ? HSEL_OK : hs_fail_memory(error))

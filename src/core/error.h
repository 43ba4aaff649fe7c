/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling the caller's error object. A function that fails because a function below it failed
 * passes the status on and leaves the message alone: the lowest layer knows best.
 */
#ifndef HS_CORE_ERROR_H
#define HS_CORE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#include "hsel/hsel.h"

#define HS_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Each returns `code`, so that a failing line reads `return hs_fail(error, HSEL_EUSAGE, "…");`.
 * The message is one line: control characters in arguments are written out (\x1b). An option is
 * named in braces, "{hierarchy=FILE}", which become the client's words for it (core/words.h). */
#define hs_fail(error, code, ...) hs_fail_at(error, code, NULL, 0, __VA_ARGS__)
/* The same about a place in a file; line 0 means the file as a whole. */
int hs_fail_at(hsel_error *error, int code, const char *file, unsigned long line,
               const char *format, ...) HS_PRINTF(5, 6);
int hs_vfail_at(hsel_error *error, int code, const char *file, unsigned long line,
                const char *format, va_list arguments) HS_PRINTF(5, 0);
/* Says again why something failed: the message of `why`, which may be `error`, after the text
 * `before`, with its reason and options. */
int hs_fail_as(hsel_error *error, int code, const char *file, unsigned long line,
               const char *before, const hsel_error *why);
/* Adds to a failure why it happened, for programs:
 * `return hs_because(HSEL_CYCLE, error, hs_fail_at(error, …));` */
static inline int hs_because(hsel_reason reason, hsel_error *error, int status)
{
    if (error)
        error->reason = (int)reason;
    return status;
}
/* Adds the option that the message is about, where {NAME} could not say so. */
int hs_about_option(const char *name, hsel_error *error, int status);
int hs_fail_memory(hsel_error *error);
/* "PATH: cannot VERB: reason from errno" */
int hs_fail_errno(hsel_error *error, const char *path, const char *verb);
void hs_error_clear(hsel_error *error);

/* The one way to pass a failure on: back to the caller. What the function owns is released on the
 * way out, because it is declared with HS_OWNED or HS_OWNS (core/mem.h). */
#define HS_TRY(call)                                                                               \
    do {                                                                                           \
        int hs_status_ = (call);                                                                   \
        if (hs_status_)                                                                            \
            return hs_status_;                                                                     \
    } while (0)
/* What must not be ends a function with this message: HS_REFUSE(json && csv, "…") is wrong usage.
 * Both use `error`. */
#define HS_FAIL_IF(wrong, code, ...) HS_TRY((wrong) ? hs_fail(error, (code), __VA_ARGS__) : HSEL_OK)
#define HS_REFUSE(wrong, ...)        HS_FAIL_IF(wrong, HSEL_EUSAGE, __VA_ARGS__)
/* The same for memory: HS_NEED(a && b) fails unless both could be had. Uses `error`. */
#define HS_NEED(had) HS_TRY((had) ? HSEL_OK : hs_fail_memory(error))

#endif

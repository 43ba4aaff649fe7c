/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling the caller's error object. A function that fails because a function below it failed
 * passes the status on and leaves the message alone: the lowest layer knows best.
 */
#ifndef HS_CORE_ERROR_H
#define HS_CORE_ERROR_H

#include <stddef.h>

#include "hsel/hsel.h"

#define HS_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Each returns `code`, so that a failing line reads `return hs_fail(error, HSEL_EUSAGE, "…");`.
 * The message is one line: control characters in arguments are written out (\x1b). */
#define hs_fail(error, code, ...) hs_fail_at(error, code, NULL, 0, __VA_ARGS__)
/* The same about a place in a file; line 0 means the file as a whole. */
int hs_fail_at(hsel_error *error, int code, const char *file, unsigned long line,
               const char *format, ...) HS_PRINTF(5, 6);
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
/* The same for memory: HS_NEED(a && b) fails unless both could be had. Uses `error`. */
#define HS_NEED(had) HS_TRY((had) ? HSEL_OK : hs_fail_memory(error))

#endif

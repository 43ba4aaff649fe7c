/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cmocka with the headers that it wants before itself, and a check that a call succeeds, showing
 * its message if not.
 */
#ifndef HS_TESTS_CMOCKA_H
#define HS_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after the four above */
#include <cmocka.h>

#include "core/error.h"

/* `error` is the hsel_error (not a pointer) that the call fills. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        int status_ = (call);                                                                      \
        if (status_ != HSEL_OK)                                                                    \
            fail_msg("%s: status %d: %s", #call, status_, (error).message);                        \
    } while (0)

#endif

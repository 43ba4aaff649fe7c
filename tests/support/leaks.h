/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings of AddressSanitizer's leak checker, and asking it at a given moment. Without
 * AddressSanitizer nothing happens.
 */
#ifndef HS_TESTS_LEAKS_H
#define HS_TESTS_LEAKS_H

#include "hsel/hsel.h"

/* Called by the leak checker, which may be a shared library: so they must be visible. */
HSEL_API const char *__lsan_default_suppressions(void);
HSEL_API const char *__lsan_default_options(void);

extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* Not 0 when something has leaked by now; finds a leak where it happens instead of at the end. */
static inline int hs_leaks(void)
{
    return __lsan_default_suppressions() && __lsan_do_recoverable_leak_check &&
           __lsan_do_recoverable_leak_check();
}

#endif

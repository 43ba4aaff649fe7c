/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking AddressSanitizer's leak checker at a given moment. Without AddressSanitizer nothing happens.
 */
#ifndef HS_TESTS_LEAKS_H
#define HS_TESTS_LEAKS_H

extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* Not 0 when something has leaked by now; finds a leak where it happens instead of at the end. */
static inline int hs_leaks(void)
{
    return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check();
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that must agree but for rounding, relative to what is expected.
 */
#ifndef HS_TESTS_NEAR_H
#define HS_TESTS_NEAR_H

/* Fails the running cmocka test unless `got` is within `relative` of `expected`; NaN never is. */
void hs_assert_near(double got, double expected, double relative);

/* Figures of R, which prints 15 digits. */
#define assert_r(got, expected) hs_assert_near(got, expected, 1e-12)

#endif

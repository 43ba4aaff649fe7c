/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact arithmetic for scores that are fractions or logarithms of counts, so that equal scores are
 * equal doubles on every machine.
 *
 * Quotients of whole numbers are correctly rounded whatever their size: equal fractions give equal
 * doubles (2/6 and 1/3 alike), and a greater fraction never gives a smaller double.
 *
 * Logarithms of whole numbers are whole numbers of 2^-HS_LOG_BITS, and the logarithm of a product
 * is the sum of those of its factors to the last bit. Sums of whole multiples of logarithms are
 * logarithms of fractions: where two fractions are equal, so are the sums.
 */
#pragma once

#include "data/data.h"

/* numerator / denominator, both below 2^127; 0 when the denominator is 0. */
double hs_ratio(hs_u128 numerator, hs_u128 denominator);

#define HS_LOG_BITS 88 /* 2^32 ln(2^32) still fits into 125 bits */
/* n ln n, in units of 2^-HS_LOG_BITS; 0 for n = 0. O(1) for small n, O(sqrt(n)) for others. */
hs_u128 hs_n_log_n(uint32_t n);

/* Zero bits before the first that is set; x is not 0. */
static inline int hs_leading_zeros(hs_u128 x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)x);
}

/* The nearest double. */
static inline double hs_double_of(hs_u128 x)
{
#ifdef __SIZEOF_INT128__
    return (double)x;
#else
    return hs_ratio(x, 1);
#endif
}

/* Square of a difference of counts' products, whose magnitude is below 2^63. */
static inline hs_u128 hs_square(int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return (hs_u128)magnitude * magnitude;
}

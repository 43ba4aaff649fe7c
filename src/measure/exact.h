/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quotients of whole numbers, correctly rounded whatever their size: equal fractions give equal
 * doubles (2/6 and 1/3 alike), and a greater fraction never gives a smaller double. Scores that are
 * fractions of counts go through this, so that ties between features are ties and stay so on every
 * machine.
 */
#ifndef HS_MEASURE_EXACT_H
#define HS_MEASURE_EXACT_H

#include <stdint.h>

__extension__ typedef unsigned __int128 hs_u128;
__extension__ typedef __int128 hs_i128;

/* numerator / denominator, both below 2^127; 0 when the denominator is 0. */
double hs_ratio(hs_u128 numerator, hs_u128 denominator);

/* Square of a difference of counts' products, whose magnitude is below 2^63. */
static inline hs_u128 hs_square(int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return (hs_u128)magnitude * magnitude;
}

#endif

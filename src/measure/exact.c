/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Division of whole numbers of up to 127 bits to the nearest double. Numbers that doubles hold
 * exactly are divided as doubles, which rounds correctly; others by long division to 64 bits, the
 * last of which also stands for everything after it, so that rounding to 53 bits is correct too.
 */
#include "measure/exact.h"

#include <math.h>

#define EXACT_LIMIT ((hs_u128)1 << 53)

static double divide_long(hs_u128 numerator, hs_u128 denominator)
{
    uint64_t quotient = 0;
    int exponent = -63; /* of the quotient's last bit */
    for (; numerator >= denominator << 1; exponent++)
        denominator <<= 1;
    for (; numerator < denominator; exponent--)
        numerator <<= 1;
    for (int bit = 0; bit < 64; bit++) {
        quotient <<= 1;
        if (numerator >= denominator) {
            numerator -= denominator;
            quotient |= 1;
        }
        numerator <<= 1;
    }
    if (numerator)
        quotient |= 1;
    return ldexp((double)quotient, exponent);
}

double hs_ratio(hs_u128 numerator, hs_u128 denominator)
{
    if (!numerator || !denominator)
        return 0;
    if (numerator <= EXACT_LIMIT && denominator <= EXACT_LIMIT)
        return (double)numerator / (double)denominator;
    return divide_long(numerator, denominator);
}

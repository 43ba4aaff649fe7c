/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decimal text to the nearest double, exactly, whatever the locale: few digits by one operation on
 * exact doubles, up to 19 by one division of integers, the rest by the C library.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/wide.h"

/* ---- from digits to a double ---- */

/* A power of five, its highest bit moved to the top, and what division by it is made of:
 * (2^128 - 1) / divisor, rounded down, less 2^64. */
struct five {
    uint64_t divisor, reciprocal;
    int down; /* how far it was moved */
};

#define FIVE(f)                                                                                    \
    {                                                                                              \
        (f) << __builtin_clzll(f), (uint64_t)(~(hs_u128)0 / ((f) << __builtin_clzll(f))),          \
            __builtin_clzll(f)                                                                     \
    }
#define FOUR_FIVES(f) FIVE(f), FIVE(5 * (f)), FIVE(25 * (f)), FIVE(125 * (f))
static const struct five fives[] = {FOUR_FIVES(UINT64_C(1)),
                                    FOUR_FIVES(UINT64_C(625)),
                                    FOUR_FIVES(UINT64_C(390625)),
                                    FOUR_FIVES(UINT64_C(244140625)),
                                    FOUR_FIVES(UINT64_C(152587890625)),
                                    FOUR_FIVES(UINT64_C(95367431640625)),
                                    FOUR_FIVES(UINT64_C(59604644775390625))};
enum { POWERS_OF_FIVE = sizeof fives / sizeof *fives }; /* all that fit into 64 bits */

/* digits / 10^power, rounded once: the quotient of `digits` and 5^power to 62 bits or more, its
 * lowest bit set if there is a remainder, is rounded to a double like the exact quotient would be,
 * and powers of two are exact. digits > 0, 0 <= power < POWERS_OF_FIVE, so nothing is subnormal.
 * The quotient of 128 bits and 64 by multiplication is Moeller and Granlund's (2011, algorithm 4);
 * it stays below 2^63, which signed numbers are converted from at once. */
static double divide_exactly(uint64_t digits, int power)
{
    const struct five five = fives[power];
    int up = __builtin_clzll(digits);
    uint64_t high = digits << up >> 2, low = digits << up << 62;
    hs_u128 guess = (hs_u128)five.reciprocal * high + ((hs_u128)high << 64 | low);
    uint64_t quotient = (uint64_t)(guess >> 64) + 1, rest = low - quotient * five.divisor;
    uint64_t too_large = 0 - (uint64_t)(rest > (uint64_t)guess); /* as often as not: no branch */
    quotient += too_large;
    rest += too_large & five.divisor;
    if (rest >= five.divisor) {
        quotient++;
        rest -= five.divisor;
    }
    quotient |= rest != 0;
    uint64_t scale = (uint64_t)(1023 + five.down - up - power - 62) << 52; /* 2^(…) */
    double two;
    memcpy(&two, &scale, sizeof two);
    return (double)(int64_t)quotient * two;
}

/* digits * 10^exponent; false if that takes the long way. */
static inline bool convert_quickly(uint64_t digits, int64_t exponent, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* Both operands exact in a double, so one rounding (Clinger 1990). Long fractions all go the
     * other way, although those of 16 digits could mostly go this one: half of them being wrongly
     * foretold costs more. */
    if (digits <= (exponent < 0 ? UINT64_C(1) << 40 : UINT64_C(1) << 53) && exponent >= -22 &&
        exponent <= 22)
        *out =
            exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    else if (digits > 0 && exponent <= 0 && exponent > -POWERS_OF_FIVE)
        *out = divide_exactly(digits, (int)-exponent);
    else
        return false;
    return true;
}

/* ---- any number ---- */

/* Decimal text taken apart: up to 19 significant digits and a power of ten. */
struct decimal {
    uint64_t digits;
    int count;        /* significant digits seen; above 19 the value is not exact */
    int64_t exponent; /* of `digits` */
    int64_t power;    /* as written after the e */
    bool minus;
};

/* Scans [sign] digits [. digits] [e [sign] digits]; false if the text is anything else. */
static bool scan_decimal(const char *text, size_t length, struct decimal *d)
{
    const char *at = text, *end = text + length;
    bool any = false, point = false;
    *d = (struct decimal){0};
    if (at < end && (*at == '-' || *at == '+'))
        d->minus = *at++ == '-';
    for (; at < end; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit <= 9) {
            any = true;
            if (d->count < 19)
                d->digits = d->digits * 10 + digit;
            d->count += d->count > 0 || digit > 0;
            d->exponent += (d->count > 19) - point;
        } else if (*at == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any || at == end)
        return any;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end)
        return false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit > 9)
            return false;
        if (d->power < INT64_C(1000000000000000)) /* beyond, it only matters that it is large */
            d->power = d->power * 10 + digit;
    }
    d->power = negative ? -d->power : d->power;
    d->exponent += d->power;
    return true;
}

#define DIGITS_ENOUGH                                                                              \
    800 /* more significant digits than any double or halfway point between two has */

/* The C library's correctly rounded conversion, for what the short way cannot do exactly. It gets
 * the digits without point and with the power that makes up for it, so that the locale plays no
 * part; digits beyond DIGITS_ENOUGH only matter in that they are not all zero. */
static double convert_slowly(const char *text, size_t length, int64_t power)
{
    char copy[DIGITS_ENOUGH + 32];
    size_t used = 0;
    int64_t exponent = power;
    bool point = false, rest = false;
    const char *end = text + length;
    for (const char *at = text + (*text == '-' || *text == '+');
         at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            point = true;
        } else if (used < DIGITS_ENOUGH) {
            exponent -= point;
            if (used > 0 || *at != '0')
                copy[used++] = *at;
        } else {
            exponent += !point;
            rest |= *at != '0';
        }
    }
    if (rest) {
        copy[used++] = '1';
        exponent--;
    }
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    snprintf(copy + used, sizeof copy - used, "%se%d", used ? "" : "0", (int)exponent);
    return strtod(copy, NULL);
}

/* ---- short numbers ---- */

#define SHORT_DIGITS 19 /* always fit into 64 bits */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Which of eight characters are no digits: the high bit of the first such byte (of later ones,
 * borrows may spoil it); 0: all are digits. */
static inline uint64_t others_of(uint64_t text)
{
    return ((text + UINT64_C(0x4646464646464646)) | (text - UINT64_C(0x3030303030303030))) &
           UINT64_C(0x8080808080808080);
}

/* The number that eight digits are; the first character is in the lowest byte. */
static inline uint64_t number_of(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8); /* pairs in every other byte, then fours, then all */
    return (((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064)) +
            (((digits >> 16) & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001))) >>
           32;
}
#endif

/* Adds a run of digits to `value`; it may overflow after SHORT_DIGITS. Returns its end. Eight
 * digits are one step; there is no branch on how many digits a shorter rest has, because lengths
 * of numbers cannot be foretold. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    uint64_t text, others;
    for (; end - at >= 8; at += 8) {
        memcpy(&text, at, sizeof text);
        if ((others = others_of(text))) {
            unsigned bits = (unsigned)__builtin_ctzll(others) & ~7u; /* of the digits before it */
            text = bits ? (text - zeros) << (64 - bits) : 0;         /* zeros in front */
            *value = *value * powers[bits / 8] + number_of(text);
            return at + bits / 8;
        }
        *value = *value * 100000000 + number_of(text - zeros);
    }
#endif
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

const char *hs_scan_double(const char *text, const char *end, double *out)
{
    static const double sign[] = {1, -1};
    bool minus = text < end && *text == '-';
    uint64_t digits = 0;
    int64_t exponent = 0;
    const char *start = text + minus, *at = start;
    if (end - at >= 2 && at[1] == '.' && *at >= '0' && *at <= '9') /* most fractions */
        digits = (uint64_t)(*at++ - '0');
    else
        at = take_digits(at, end, &digits);
    ptrdiff_t count = at - start;
    if (at < end && *at == '.') {
        const char *point = at++;
        at = take_digits(at, end, &digits);
        exponent = point + 1 - at;
        count -= exponent;
    }
    if (count < 1 || count > SHORT_DIGITS || !convert_quickly(digits, exponent, out))
        return NULL;
    *out *= sign[minus];
    return at;
}

bool hs_parse_double(const char *text, size_t length, double *out)
{
    struct decimal d;
    if (hs_scan_double(text, text + length, out) == text + length && length > 0)
        return true;
    if (scan_decimal(text, length, &d)) {
        if (d.count > 19 || !convert_quickly(d.digits, d.exponent, out))
            *out = convert_slowly(text, length, d.power);
        *out = d.minus ? -*out : *out;
        return true;
    }
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    const char *word = text + sign;
    bool infinite = hs_equal_nocase(word, length - sign, "inf") ||
                    hs_equal_nocase(word, length - sign, "infinity");
    if (!infinite && !hs_equal_nocase(word, length - sign, "nan"))
        return false;
    *out = !infinite ? NAN : text[0] == '-' ? -INFINITY : INFINITY;
    return true;
}

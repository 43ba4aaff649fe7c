/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decimal text to the nearest double, exactly, whatever the locale: few digits by one operation on
 * exact doubles, up to 19 by one division of integers, the rest by the C library, which takes more
 * than three times as many instructions.
 */
#define _GNU_SOURCE /* strtod_l */
#include <locale.h>

#include "core/core.h"

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
    /* Both operands exact in a double, so one rounding (Clinger 1990). Long fractions all take the
     * slow path, although those of 16 digits could mostly take this one: mispredicting half of the
     * branches costs more. */
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
 * digits are one step; there is no branch on how many digits a shorter rest has, because the
 * length of a number is not known in advance. */
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

/* The exponent in "e-12". Returns its end; NULL: no digits, or more than four, which are left to
 * the C library. */
static const char *take_exponent(const char *at, const char *end, int64_t *exponent)
{
    bool minus = ++at < end && *at == '-';
    int64_t power = 0;
    at += at < end && (*at == '-' || *at == '+');
    const char *start = at;
    for (; at < end && *at >= '0' && *at <= '9' && at - start <= 4; at++)
        power = power * 10 + (*at - '0');
    *exponent += minus ? -power : power;
    return at > start && at - start <= 4 ? at : NULL;
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
    if (count < 1 || count > SHORT_DIGITS)
        return NULL;
    if (at < end && (*at | 0x20) == 'e')
        at = take_exponent(at, end, &exponent);
    if (!at || !convert_quickly(digits, exponent, out))
        return NULL;
    *out *= sign[minus];
    return at;
}

bool hs_parse_double(const char *text, size_t length, double *out)
{
    char copy[1024], *end;
    bool plus = length > 1 && text[0] == '+' && text[1] != '-';
    if (length > 0 && hs_scan_double(text + plus, text + length, out) == text + length)
        return true;
    HS_OWNED char *longer = length < sizeof copy ? NULL : hs_strndup(text, length);
    char *number = length < sizeof copy ? copy : longer;
    if (!length || !number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    /* No blanks before it, no hexadecimal digits, no "nan(…)". */
    if (strspn(number, "0123456789+-.eEinftyaINFTYA") != length)
        return false;
    *out = strtod_l(number, &end, newlocale(LC_ALL_MASK, "C", (locale_t)0));
    *out = isnan(*out) ? (double)NAN : *out;
    return end == number + length;
}

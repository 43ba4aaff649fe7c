/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Division of whole numbers of up to 127 bits to the nearest double. Numbers that doubles hold
 * exactly are divided as doubles, which rounds correctly; others by long division to 64 bits, the
 * last of which also stands for everything after it, so that rounding to 53 bits is correct too.
 *
 * Logarithms: that of a prime is rounded to a whole number once, that of any other number is the
 * sum of those of its prime factors. ln 2 = 2 atanh(1/3), and for other primes
 *
 *     ln p = (ln(p-1) + ln(p+1)) / 2 + atanh(1 / (2 p^2 - 1)),
 *
 * where p-1 and p+1 have smaller factors. Errors are below 2^-80.
 */
#include "measure/exact.h"

#include <pthread.h>
#include <stdatomic.h>

#define EXACT_LIMIT ((hs_u128)1 << 53)

double hs_ratio(hs_u128 numerator, hs_u128 denominator)
{
    if (!numerator || !denominator)
        return 0;
    if (numerator <= EXACT_LIMIT && denominator <= EXACT_LIMIT)
        return (double)(uint64_t)numerator / (double)(uint64_t)denominator;
    uint64_t quotient = 0;
    int up = hs_leading_zeros(numerator) - 1, down = hs_leading_zeros(denominator) - 1;
    int exponent = down - up - 63; /* of the quotient's last bit */
    numerator <<= up;
    denominator <<= down;
    if (numerator < denominator) {
        numerator <<= 1;
        exponent--;
    }
    for (int bit = 0; bit < 64; bit++) {
        bool fits = numerator >= denominator;
        quotient = quotient << 1 | fits;
        numerator = (numerator - (fits ? denominator : 0)) << 1;
    }
    return ldexp((double)(quotient | (numerator != 0)), exponent);
}

/* ---- logarithms ---- */

#define TABLE (1u << 14)

static hs_u128 log_table[TABLE]; /* constants, made when they are first needed … */
static atomic_uint made;         /* … up to this one */

static hs_u128 atanh_of_inverse(hs_u128 x)
{
    hs_u128 sum = 0;
    unsigned k = 1;
    for (hs_u128 power = ((hs_u128)1 << HS_LOG_BITS) / x; power; power = power / x / x, k += 2)
        sum += power / k;
    return sum;
}

static hs_u128 find_log(uint32_t n);

static hs_u128 log_of(uint32_t n) { return n < TABLE ? log_table[n] : find_log(n); }

static hs_u128 find_log(uint32_t n)
{
    if (n <= 2)
        return n == 2 ? 2 * atanh_of_inverse(3) : 0;
    if (n % 2 == 0)
        return log_of(2) + log_of(n / 2);
    for (uint32_t p = 3; (uint64_t)p * p <= n; p += 2)
        if (n % p == 0)
            return log_of(p) + log_of(n / p);
    hs_u128 below = log_of(n - 1), above = log_of(2) + log_of((uint32_t)(((uint64_t)n + 1) / 2));
    return (below + above) / 2 + atanh_of_inverse(2 * (hs_u128)n * n - 1);
}

/* The table up to n, by doubling: small data need few of them. */
static void make_table(uint32_t n)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    uint32_t from = atomic_load(&made), to = from ? from : 64;
    while (to <= n && to < TABLE)
        to *= 2;
    for (uint32_t i = from; i < to; i++)
        log_table[i] = find_log(i);
    atomic_store(&made, to);
    pthread_mutex_unlock(&lock);
}

hs_u128 hs_n_log_n(uint32_t n)
{
    uint32_t there = atomic_load_explicit(&made, memory_order_acquire);
    if (n >= there && there < TABLE)
        make_table(n);
    return n * log_of(n);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of ReliefF, mostly over HS_RELIEF_LANES columns side by side. They are compiled
 * for any processor and for those with AVX2 and FMA, and add the same numbers in the same order, so
 * the sums are the same in every bit.
 */
#include <string.h>

#include "rank/relief_lanes.h"

#define INLINE static inline __attribute__((always_inline))
typedef double four __attribute__((vector_size(32)));
typedef int64_t four_bits __attribute__((vector_size(32)));
#define SIGNS                                                                                      \
    (four_bits) { INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN }

/* sum += |a - b| for four values of b. (No vector is passed by value: that would need AVX.) */
INLINE void add_apart(four *sum, double a, const double *b)
{
    four value;
    memcpy(&value, b, sizeof value);
    value -= a;
    *sum += (four)((four_bits)value & ~SIGNS);
}

/* sum += share * |a - b| for four values of each. */
INLINE void weigh_apart(four *sum, double share, const double *a, const double *b)
{
    four value, other;
    memcpy(&value, a, sizeof value);
    memcpy(&other, b, sizeof other);
    value -= other;
    *sum += share * (four)((four_bits)value & ~SIGNS);
}

/* ---- values ---- */

INLINE void scale_values(double *values, size_t count, double least, double range)
{
    size_t at = 0;
    four value;
    for (; at + 4 <= count; at += 4) {
        memcpy(&value, values + at, sizeof value);
        value = (value - least) / range;
        memcpy(values + at, &value, sizeof value);
    }
    for (; at < count; at++)
        values[at] = (values[at] - least) / range;
}

/* ---- distances ---- */

/* Adds all columns to the distances of one instance to HS_RELIEF_VECTOR others; the sums stay in
 * registers. */
INLINE void add_row(double *restrict to, const double *restrict values, size_t stride,
                    const double *restrict own)
{
    four a, b, c, d;
    memcpy(&a, to, sizeof a);
    memcpy(&b, to + 4, sizeof b);
    memcpy(&c, to + 8, sizeof c);
    memcpy(&d, to + 12, sizeof d);
    for (int lane = 0; lane < HS_RELIEF_LANES; lane++) {
        const double *other = values + (size_t)lane * stride;
        add_apart(&a, own[lane], other);
        add_apart(&b, own[lane], other + 4);
        add_apart(&c, own[lane], other + 8);
        add_apart(&d, own[lane], other + 12);
    }
    memcpy(to, &a, sizeof a);
    memcpy(to + 4, &b, sizeof b);
    memcpy(to + 8, &c, sizeof c);
    memcpy(to + 12, &d, sizeof d);
}

/* Of a triangle, only the rows that have something to do with others from `at` on. */
INLINE size_t rows_of(const hs_relief_tile *t, size_t at)
{
    return t->triangle && at + HS_RELIEF_VECTOR < t->rows ? at + HS_RELIEF_VECTOR : t->rows;
}

/* Others are the outer loop: their values stay in the first cache for all rows. */
INLINE void add_lanes(const hs_relief_tile *t)
{
    for (size_t at = 0; at < t->columns; at += HS_RELIEF_VECTOR)
        for (size_t i = 0; i < rows_of(t, at); i++)
            add_row(t->distance + i * t->stride + at, t->values + at, t->stride,
                    t->own + i * HS_RELIEF_LANES);
}

/* ---- weights ---- */

INLINE void weigh_lanes(const hs_relief_pair *pairs, uint32_t count, const double *restrict lanes,
                        double *sum)
{
    four a, b, c, d;
    memcpy(&a, sum, sizeof a);
    memcpy(&b, sum + 4, sizeof b);
    memcpy(&c, sum + 8, sizeof c);
    memcpy(&d, sum + 12, sizeof d);
    for (uint32_t i = 0; i < count; i++) {
        const double *own = lanes + (size_t)pairs[i].own * HS_RELIEF_LANES;
        const double *other = lanes + (size_t)pairs[i].other * HS_RELIEF_LANES;
        weigh_apart(&a, pairs[i].share, own, other);
        weigh_apart(&b, pairs[i].share, own + 4, other + 4);
        weigh_apart(&c, pairs[i].share, own + 8, other + 8);
        weigh_apart(&d, pairs[i].share, own + 12, other + 12);
    }
    memcpy(sum, &a, sizeof a);
    memcpy(sum + 4, &b, sizeof b);
    memcpy(sum + 8, &c, sizeof c);
    memcpy(sum + 12, &d, sizeof d);
}

/* ---- for which processor ---- */

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WIDE __attribute__((target("avx2,fma")))
static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* sum + |b * 1 - a|: the same number as with b - a, but many processors have other units for that
 * than for the sums, so that both go on at a time. */
WIDE INLINE __m256d add_fused(__m256d sum, __m256d a, const double *b, __m256d one)
{
    __m256d apart = _mm256_fmsub_pd(_mm256_loadu_pd(b), one, a);
    return _mm256_add_pd(sum, _mm256_andnot_pd(_mm256_set1_pd(-0.0), apart));
}

WIDE INLINE void add_row_wide(double *restrict to, const double *restrict values, size_t stride,
                              const double *restrict own, __m256d one)
{
    __m256d a = _mm256_loadu_pd(to), b = _mm256_loadu_pd(to + 4);
    __m256d c = _mm256_loadu_pd(to + 8), d = _mm256_loadu_pd(to + 12);
    for (int lane = 0; lane < HS_RELIEF_LANES; lane++) {
        const double *other = values + (size_t)lane * stride;
        __m256d value = _mm256_broadcast_sd(own + lane);
        a = add_fused(a, value, other, one);
        b = add_fused(b, value, other + 4, one);
        c = add_fused(c, value, other + 8, one);
        d = add_fused(d, value, other + 12, one);
    }
    _mm256_storeu_pd(to, a);
    _mm256_storeu_pd(to + 4, b);
    _mm256_storeu_pd(to + 8, c);
    _mm256_storeu_pd(to + 12, d);
}

WIDE static void add_lanes_wide(const hs_relief_tile *t)
{
    static const volatile double exactly_one = 1; /* or the compiler makes a subtraction of it */
    const __m256d one = _mm256_set1_pd(exactly_one);
    for (size_t at = 0; at < t->columns; at += HS_RELIEF_VECTOR)
        for (size_t i = 0; i < rows_of(t, at); i++)
            add_row_wide(t->distance + i * t->stride + at, t->values + at, t->stride,
                         t->own + i * HS_RELIEF_LANES, one);
}
#else
#define WIDE
static bool is_wide(void) { return false; }

static void add_lanes_wide(const hs_relief_tile *tile) { add_lanes(tile); }
#endif

WIDE static void scale_wide(double *values, size_t count, double least, double range)
{
    scale_values(values, count, least, range);
}

WIDE static void weigh_lanes_wide(const hs_relief_pair *pairs, uint32_t count, const double *lanes,
                                  double *sum)
{
    weigh_lanes(pairs, count, lanes, sum);
}

void hs_relief_scale(double *values, size_t count, double least, double range)
{
    if (is_wide())
        scale_wide(values, count, least, range);
    else
        scale_values(values, count, least, range);
}

void hs_relief_add_lanes(const hs_relief_tile *tile)
{
    if (is_wide())
        add_lanes_wide(tile);
    else
        add_lanes(tile);
}

void hs_relief_weigh_lanes(const hs_relief_pair *pairs, uint32_t count, const double *lanes,
                           double *sum)
{
    if (is_wide())
        weigh_lanes_wide(pairs, count, lanes, sum);
    else
        weigh_lanes(pairs, count, lanes, sum);
}

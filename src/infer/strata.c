/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact conditional test of 2 x 2 tables in strata, as R's mantelhaen.test(exact = TRUE): with
 * the margins of every stratum fixed, the number of positives in the class is a sum of independent
 * hypergeometric numbers, whose distribution is the convolution of theirs.
 *
 * Far in a tail the distributions are tilted: each probability is multiplied by psi^x, with psi
 * such that the expected sum is the observed one. Terms below 1e-18 of the greatest can then be
 * dropped, p-values keep their digits down to the smallest double, and the cost is that of the
 * remaining terms: O(variance log strata).
 *
 * The normal distribution with continuity correction is used only where it agrees to two digits: a
 * variance of 1e5 or more, at most 3 standard deviations from the mean, |skewness z^3| / 6 at most
 * 0.0025 (tests/unit/test_tests.c compares).
 */

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "infer/tests.h"

/* weight[i] of the number low + i, times exp(log_scale) psi^-(low + i) its probability */
typedef struct part {
    double *weight, low, log_scale;
    size_t length;
} part;

typedef struct sum_of {
    hs_urn *of; /* in which anything can vary */
    size_t count;
    double low, high; /* of the sum */
    double mean, variance, third;
} sum_of;

static void part_clear(part *p) { hs_free(p->weight); }

/* The approximate mean of a tilted stratum: where the odds ratio of the expected table is psi. */
static double tilted_mean(const hs_urn *s, double psi)
{
    double b = psi * (s->marked + s->drawn) + s->all - s->marked - s->drawn,
           ac = psi * s->marked * s->drawn;
    double root = sqrt(fmax(0, b * b - 4 * (psi - 1) * ac));
    return b >= 0 ? 2 * ac / (b + root) : (b - root) / (2 * (psi - 1)); /* without cancellation */
}

/* The psi for which the mean is about x. */
static double tilt_to(const sum_of *s, double x)
{
    double low = -100, high = 100; /* of log psi, beyond any odds ratio of counts */
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, mean = 0;
        for (size_t k = 0; k < s->count; k++)
            mean += tilted_mean(&s->of[k], exp(middle));
        *(mean < x ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

/* Drops negligible weights at both ends. */
static void trim(part *p)
{
    double most = 0;
    size_t first = 0, end = p->length;
    for (size_t i = 0; i < p->length; i++)
        most = fmax(most, p->weight[i]);
    while (p->weight[first] < 1e-18 * most)
        first++;
    while (p->weight[end - 1] < 1e-18 * most)
        end--;
    for (size_t i = first; i < end; i++)
        p->weight[i - first] = p->weight[i] / most;
    p->low += (double)first;
    p->length = end - first;
    p->log_scale += log(most);
}

static int one_stratum(const hs_urn *s, double psi, part *out, hsel_error *error)
{
    const double low = s->low, high = s->high, rest = s->all - s->marked - s->drawn;
    const double start = fmin(high, fmax(low, round(tilted_mean(s, psi))));
    double first = start, last = start, weight = 1, most = 1;
    /* First the range of weights that matter. The ratio of neighbours falls, so weights keep
     * falling. */
    for (; last < high && weight >= 1e-18 * most; last++)
        most = fmax(most, weight *= psi * (s->marked - last) * (s->drawn - last) /
                                    ((last + 1) * (rest + last + 1)));
    for (weight = 1; first > low && weight >= 1e-18 * most; first--)
        most = fmax(most, weight *= first * (rest + first) /
                                    (psi * (s->marked - first + 1) * (s->drawn - first + 1)));
    *out = (part){.low = first, .length = (size_t)(last - first) + 1};
    HS_NEED(out->weight = HS_NEW(double, out->length));
    size_t at = (size_t)(start - first);
    out->weight[at] = 1;
    for (size_t i = at; i + 1 < out->length; i++) {
        double x = first + (double)i;
        out->weight[i + 1] =
            out->weight[i] * psi * (s->marked - x) * (s->drawn - x) / ((x + 1) * (rest + x + 1));
    }
    for (size_t i = at; i > 0; i--) {
        double x = first + (double)i;
        out->weight[i - 1] =
            out->weight[i] * x * (rest + x) / (psi * (s->marked - x + 1) * (s->drawn - x + 1));
    }
    out->log_scale = hs_urn_log_chance(s, start) + start * log(psi);
    trim(out);
    return HSEL_OK;
}

/* The sum over the strata first … end - 1, by halves, so that both parts have similar lengths. */
static int convolve(const sum_of *s, size_t first, size_t end, double psi, part *out,
                    hsel_error *error)
{
    if (first + 1 == end)
        return one_stratum(&s->of[first], psi, out, error);
    HS_OWNS(part_clear) part a = {0};
    HS_OWNS(part_clear) part b = {0};
    HS_TRY(convolve(s, first, (first + end) / 2, psi, &a, error));
    HS_TRY(convolve(s, (first + end) / 2, end, psi, &b, error));
    *out = (part){HS_NEW_ZERO(double, a.length + b.length - 1), a.low + b.low,
                  a.log_scale + b.log_scale, a.length + b.length - 1};
    HS_NEED(out->weight);
    for (size_t i = 0; i < a.length; i++)
        for (size_t j = 0; j < b.length; j++)
            out->weight[i + j] += a.weight[i] * b.weight[j];
    trim(out);
    return HSEL_OK;
}

/* log P(X = x), and with a step of 1 or -1 P(X >= x) or P(X <= x), x on that side of the mean. */
static int tail_at(const sum_of *s, double x, int step, double *log_chance, double *p,
                   hsel_error *error)
{
    HS_OWNS(part_clear) part d = {0};
    const double psi = tilt_to(s, x);
    double sum = 0;
    HS_TRY(convolve(s, 0, s->count, psi, &d, error));
    const double log_psi = log(psi), at = x - d.low;
    for (double i = at; step && i >= 0 && i < (double)d.length; i += step)
        sum += d.weight[(size_t)i] * exp(-(i - at) * log_psi);
    const double scale = d.log_scale - x * log_psi;
    *log_chance = at >= 0 && at < (double)d.length ? scale + log(d.weight[(size_t)at]) : -INFINITY;
    *p = exp(scale) * sum;
    return HSEL_OK;
}

static bool is_normal(const sum_of *s, double x, hs_tail tail, bool mid, double *p)
{
    const double sd = sqrt(s->variance), apart = x - s->mean, z = fabs(apart) / sd;
    if (s->variance < 1e5 || z > 3 || fabs(s->third) / (s->variance * sd) * z * z * z / 6 > 0.0025)
        return false;
    if (tail != HS_TAIL_BOTH) {
        *p = pnorm((tail == HS_TAIL_MORE ? apart : -apart) - 0.5, 0, sd, 0, 0);
    } else { /* the first number on the other side that is as far away */
        double other =
            apart > 0 ? s->mean - floor(s->mean - apart) : ceil(s->mean - apart) - s->mean;
        *p = fmin(1, pnorm(fabs(apart) - 0.5, 0, sd, 0, 0) + pnorm(other - 0.5, 0, sd, 0, 0));
    }
    *p -= mid ? dnorm(apart, 0, sd, 0) / 2 : 0;
    return true;
}

/* p of the sum x. */
static int exact_strata_p(const sum_of *s, double x, hs_tail tail, bool mid, double *p,
                          hsel_error *error)
{
    HS_OWNS(part_clear) part d = {0};
    double sum = 0, seen, other, beyond;
    HS_TRY(convolve(s, 0, s->count, 1, &d, error));
    const double at = x - d.low;
    if (at >= 0 && at < (double)d.length && d.weight[(size_t)at] >= 1e-6) {
        double all = 0; /* so that the whole range has p = 1 exactly */
        for (size_t i = 0; i < d.length; i++) {
            all += d.weight[i];
            if (tail == HS_TAIL_MORE   ? (double)i >= at
                : tail == HS_TAIL_LESS ? (double)i <= at
                                       : d.weight[i] <= d.weight[(size_t)at] * (1 + 1e-7))
                sum += d.weight[i];
        }
        *p = (sum - (mid ? d.weight[(size_t)at] / 2 : 0)) / all;
        return HSEL_OK;
    }
    const int step = x > s->mean ? 1 : -1; /* towards the near end */
    HS_TRY(tail_at(s, x, step, &seen, p, error));
    if (tail == (step > 0 ? HS_TAIL_LESS : HS_TAIL_MORE))
        *p = 1 - *p + exp(seen);
    /* The first number on the other side that is no more probable, by halving. */
    double inside = step > 0 ? floor(s->mean) : ceil(s->mean),
           outside = step > 0 ? s->low - 1 : s->high + 1;
    while (tail == HS_TAIL_BOTH && fabs(outside - inside) > 1) {
        double middle = floor((inside + outside) / 2);
        HS_TRY(tail_at(s, middle, 0, &other, &beyond, error));
        *(other <= seen + 1e-7 ? &outside : &inside) = middle;
    }
    if (tail == HS_TAIL_BOTH && outside >= s->low && outside <= s->high) {
        HS_TRY(tail_at(s, outside, -step, &other, &beyond, error));
        *p += beyond;
    }
    *p -= mid ? exp(seen) / 2 : 0;
    return HSEL_OK;
}

int hs_p_strata(const hs_count_table *table, uint32_t strata, uint32_t one, hs_tail tail, bool mid,
                double *p, hsel_error *error)
{
    HS_OWNED hs_urn *of = HS_NEW(hs_urn, strata);
    sum_of s = {.of = of};
    double x = 0;
    HS_NEED(of);
    for (uint32_t k = 0; k < strata; k++) {
        const size_t at = (size_t)k * table->classes;
        double all = 0, drawn = 0;
        for (uint32_t c = 0; c < table->classes; c++) {
            all += table->size[at + c];
            drawn += table->positive[at + c];
        }
        const hs_urn t = hs_urn_of(all, table->size[at + one], drawn);
        if (t.low == t.high)
            continue;
        const double variance = t.drawn * t.marked / t.all * (t.all - t.marked) / t.all *
                                (t.all - t.drawn) / (t.all - 1);
        of[s.count++] = t;
        x += table->positive[at + one];
        s.low += t.low;
        s.high += t.high;
        s.mean += t.drawn * t.marked / t.all;
        s.variance += variance;
        if (t.all > 2)
            s.third +=
                variance * (t.all - 2 * t.marked) / t.all * (t.all - 2 * t.drawn) / (t.all - 2);
    }
    *p = mid ? 0.5 : 1;
    if (s.count && !is_normal(&s, x, tail, mid, p))
        HS_TRY(exact_strata_p(&s, x, tail, mid, p, error));
    *p = fmax(0, fmin(1, *p));
    return HSEL_OK;
}

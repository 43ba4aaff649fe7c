/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks within strata (van Elteren 1960): T = sum over strata of (R - a (n + 1) / 2) / (n + 1), R
 * the rank sum of the a instances of the class among n. Given the values, the class is any a of
 * the n instances; p is the share of choices with |T| as great.
 *
 * Where few values differ from the most frequent one, as in counts that are mostly 0, or the class
 * is rare, T is far from normal. The choices are then counted: of the values below the most
 * frequent one, and of those above it, in how many ways j of them have each sum of ranks, by
 * dynamic programming over groups of equal values; the rest of the class is of the most frequent
 * value. The distributions of strata are convolved.
 */

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "infer/tests.h"

#define MOST_WORK   3e8 /* a fraction of a second */
#define MOST_POINTS ((size_t)1 << 20)

typedef struct point {
    double value, chance;
} point;

typedef struct points {
    point *at;
    size_t count;
} points;

static void points_clear(points *p) { hs_free(p->at); }

/* Values of a stratum by groups of equal ones, ascending. */
typedef struct ranked {
    uint32_t *size, groups, most; /* most: the largest group */
    uint32_t count, marked;       /* instances, those of the class */
    double sum, ties;             /* ranks of the class; sum of t^3 - t */
} ranked;

/* order, r->size: room for the instances of the stratum. */
static void rank_stratum(const double *values, const uint32_t *class_of, const hs_sparse *strata,
                         uint32_t stratum, uint32_t one, uint32_t *order, ranked *r)
{
    size_t rows;
    const uint32_t *row = hs_sparse_list(strata, stratum, &rows);
    *r = (ranked){.size = r->size};
    for (size_t i = 0; i < rows; i++)
        if (!isnan(values[row[i]]) && class_of[row[i]] != HSEL_NONE)
            order[r->count++] = row[i];
    hs_order(values, HS_UPWARDS, order, r->count);
    for (uint32_t i = 0, end; i < r->count; i = end) {
        uint32_t marked = 0;
        for (end = i; end < r->count && values[order[end]] == values[order[i]]; end++)
            marked += class_of[order[end]] == one;
        double same = end - i;
        r->size[r->groups] = end - i;
        r->most = end - i > r->size[r->most] ? r->groups : r->most;
        r->groups++;
        r->ties += same * same * same - same;
        r->sum += marked * ((i + 1 + end) / 2.0);
        r->marked += marked;
    }
}

/* The ways of choosing up to `most` of these groups by the sum of twice their ranks among each
 * other: ways[j * width + sum]. */
static void count_ways(const uint32_t *size, uint32_t groups, uint32_t most, size_t width,
                       double *ways)
{
    uint32_t before = 0;
    ways[0] = 1;
    for (uint32_t g = 0; g < groups; before += size[g++]) {
        const uint32_t rank = 2 * before + size[g] + 1; /* twice the mean rank */
        const uint32_t seen = before + size[g] < most ? before + size[g] : most;
        for (uint32_t j = seen; j > 0; j--) /* from those with fewer, which are as before */
            for (uint32_t take = j > before ? j - before : 1; take <= size[g] && take <= j;
                 take++) {
                const double choices = exp(hs_log_choose(size[g], take));
                const double *from = ways + (size_t)(j - take) * width;
                double *to = ways + (size_t)j * width + (size_t)take * rank;
                const size_t sums = (size_t)(j - take) * 2 * before + 1; /* that can occur */
                for (size_t s = 0; s < sums && s + (size_t)take * rank < width; s++)
                    to[s] += from[s] * choices;
            }
    }
}

static int by_value(const void *a, const void *b)
{
    const point *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Equal values become one point. */
static void merge(points *p)
{
    size_t kept = 0;
    qsort(p->at, p->count, sizeof *p->at, by_value);
    for (size_t i = 0; i < p->count; i++)
        if (kept && p->at[i].value - p->at[kept - 1].value <= 1e-9)
            p->at[kept - 1].chance += p->at[i].chance;
        else
            p->at[kept++] = p->at[i];
    p->count = kept;
}

/* The distribution of a stratum's part of T; none (count 0) if that is too much work. */
static int stratum_points(const ranked *r, points *out, hsel_error *error)
{
    uint32_t below = 0, above = 0;
    for (uint32_t g = 0; g < r->groups; g++)
        *(g < r->most ? &below : &above) += g == r->most ? 0 : r->size[g];
    const uint32_t a = r->marked, from[] = {0, r->most + 1}, side[] = {below, above},
                   groups[] = {r->most, r->groups - r->most - 1}, ties = r->size[r->most];
    HS_OWNED double *low = NULL, *high = NULL;
    double *ways[2] = {0}, work = 0;
    size_t width[2], rows[2], room = 0;
    for (int i = 0; i < 2; i++) {
        rows[i] = (size_t)(a < side[i] ? a : side[i]) + 1;
        width[i] = 2 * (rows[i] - 1) * side[i] + 1;
        for (uint32_t g = from[i]; g < from[i] + groups[i]; g++)
            work += (double)rows[i] * (double)width[i] * fmin(r->size[g], (double)rows[i]) / 3;
    }
    if (work > MOST_WORK)
        return HSEL_OK;
    HS_NEED(low = ways[0] = HS_NEW_ZERO(double, rows[0] * width[0]));
    HS_NEED(high = ways[1] = HS_NEW_ZERO(double, rows[1] * width[1]));
    for (int i = 0; i < 2; i++)
        count_ways(r->size + from[i], groups[i], (uint32_t)rows[i] - 1, width[i], ways[i]);
    const double n = r->count, all = hs_log_choose(n, a), middle = 2.0 * below + ties + 1;
    for (size_t i = 0; i < rows[0]; i++)
        for (size_t j = 0; j < rows[1] && i + j <= a; j++) {
            const double rest = (double)(a - i - j);
            for (size_t s = 0; s < width[0] && rest <= ties; s++)
                for (size_t t = 0; low[i * width[0] + s] > 0 && t < width[1]; t++) {
                    if (!(high[j * width[1] + t] > 0))
                        continue;
                    if (out->count == MOST_POINTS) {
                        out->count = 0;
                        return HSEL_OK;
                    }
                    HS_NEED(HS_GROW(&out->at, &room, out->count + 1));
                    double twice =
                        (double)(s + t) + 2.0 * (double)j * (below + ties) + rest * middle;
                    out->at[out->count++] =
                        (point){(twice / 2 - a * (n + 1) / 2) / (n + 1),
                                exp(log(low[i * width[0] + s]) + log(high[j * width[1] + t]) +
                                    hs_log_choose(ties, rest) - all)};
                }
        }
    merge(out);
    return HSEL_OK;
}

static int join(points *sum, const points *with, hsel_error *error)
{
    HS_OWNED point *all = HS_NEW(point, sum->count * with->count);
    HS_NEED(all);
    for (size_t i = 0; i < sum->count; i++)
        for (size_t j = 0; j < with->count; j++)
            all[i * with->count + j] = (point){sum->at[i].value + with->at[j].value,
                                               sum->at[i].chance * with->at[j].chance};
    point *before = sum->at;
    *sum = (points){all, sum->count * with->count};
    all = before;
    merge(sum);
    return HSEL_OK;
}

int hs_p_elteren(const double *values, const uint32_t *class_of, const hs_sparse *strata,
                 uint32_t one, double *p, hs_p_by *by, hsel_error *error)
{
    const size_t rows = strata->start[strata->lists];
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, rows), *size = HS_NEW(uint32_t, rows + 1);
    double t = 0, variance = 0, informative = 0;
    ranked r = {.size = size};
    HS_NEED(order && size);
    for (uint32_t k = 0; k < strata->lists; k++) {
        rank_stratum(values, class_of, strata, k, one, order, &r);
        const double n = r.count, a = r.marked, b = n - a;
        if (a == 0 || b == 0)
            continue;
        t += (r.sum - a * (n + 1) / 2) / (n + 1);
        variance += a * b / 12 * (n + 1 - r.ties / (n * (n - 1))) / ((n + 1) * (n + 1));
        informative += fmin(a, b) * (n - size[r.most]) / n;
    }
    *p = variance > 1e-300 ? 2 * pnorm(fabs(t) / sqrt(variance), 0, 1, 0, 0) : 1;
    if (!by)
        return HSEL_OK;
    *by = HS_BY_NORMAL;
    if (informative >= 10 || (strata->lists == 1 && r.ties == 0 && r.count <= 50))
        return HSEL_OK; /* normal, or hs_p_ranks knows it exactly */
    HS_OWNS(points_clear) points sum = {HS_NEW(point, 1), 1};
    HS_NEED(sum.at);
    sum.at[0] = (point){0, 1};
    for (uint32_t k = 0; k < strata->lists; k++) {
        HS_OWNS(points_clear) points part = {0};
        rank_stratum(values, class_of, strata, k, one, order, &r);
        if (r.marked == 0 || r.marked == r.count || r.groups == 1)
            continue;
        HS_TRY(stratum_points(&r, &part, error));
        *by = HS_BY_NORMAL_ROUGH;
        if (!part.count || sum.count > MOST_POINTS / part.count)
            return HSEL_OK;
        HS_TRY(join(&sum, &part, error));
    }
    *by = HS_BY_WAYS;
    *p = 0;
    for (size_t i = 0; i < sum.count; i++)
        *p += fabs(sum.at[i].value) >= fabs(t) - 1e-9 ? sum.at[i].chance : 0;
    *p = fmin(1, *p);
    return HSEL_OK;
}

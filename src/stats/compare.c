/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks and tests. Ranks are exact (halves) and sums go in a fixed order. Of libRmath only
 * distribution functions are used: its qtukey does not converge for many methods and says so on
 * standard output, and its psignrank keeps its own table and ends the process when memory runs out.
 */
#define MATHLIB_STANDALONE 1
#include "stats/compare.h"

#include <Rmath.h>

#include "infer/tests.h"

#define ROUNDING 1e-12 /* share of a number that may be the rounding of decimal fractions */
#define EXACT_BELOW                                                                                \
    50 /* pairs, for Wilcoxon's exact distribution; R's limit. Counts stay below 2^53 */

static bool is_near(double a, double b, double slack)
{
    return a == b || fabs(a - b) <= slack + ROUNDING * fmax(fabs(a), fabs(b));
}

/* ---- ranks ---- */

/* rank[i] by ascending key[i] of those in order[count], which are sorted; those near the first of
 * their group share the mean. Returns the sum of t^3 - t over groups. */
static double rank_keys(const double *key, uint32_t *order, size_t count, double slack,
                        double *rank)
{
    double ties = 0;
    hs_order(key, HS_UPWARDS, order, count);
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && is_near(key[order[i]], key[order[j]], slack); j++) {
        }
        double group = (double)(j - i);
        for (size_t g = i; g < j; g++)
            rank[order[g]] = (double)(i + j + 1) / 2;
        ties += group * group * group - group;
    }
    return ties;
}

void hs_ranks_clear(hs_ranks *ranks) { HS_FREE(ranks->rank, ranks->mean); }

int hs_ranks_of(const hs_results *results, hs_ranks *out, hsel_error *error)
{
    const size_t columns = results->columns;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, columns);
    HS_OWNED double *key = HS_NEW(double, columns);
    *out = (hs_ranks){.rows = results->rows,
                      .columns = columns,
                      .rank = HS_NEW(double, results->rows *columns),
                      .mean = HS_NEW_ZERO(double, columns)};
    HS_NEED(order && key && out->rank && out->mean);
    for (size_t r = 0; r < results->rows; r++) {
        const double *value = results->value + r * columns;
        double *row = out->rank + r * columns;
        size_t present = 0;
        for (size_t c = 0; c < columns; c++) {
            row[c] = (double)NAN;
            key[c] = results->lower_is_better ? value[c] : -value[c];
            if (!isnan(value[c]))
                order[present++] = (uint32_t)c;
        }
        rank_keys(key, order, present, 0, row);
        out->complete += present == columns;
        for (size_t c = 0; c < columns && present == columns; c++)
            out->mean[c] += row[c];
    }
    for (size_t c = 0; c < columns; c++)
        out->mean[c] = out->complete ? out->mean[c] / (double)out->complete : (double)NAN;
    return HSEL_OK;
}

static bool is_better(const hs_results *results, double a, double b)
{
    return results->lower_is_better ? a < b : a > b;
}

bool hs_is_common(const double *row, size_t columns, const bool *part)
{
    for (size_t c = 0; c < columns; c++)
        if (isnan(row[c]) && (!part || part[c]))
            return false;
    return true;
}

size_t hs_common_means(const double *value, size_t rows, size_t columns, const bool *part,
                       hs_running *means)
{
    size_t common = 0;
    for (size_t r = 0; r < rows; r++) {
        const double *row = value + r * columns;
        bool whole = true;
        for (size_t c = 0; c < columns && whole; c++) {
            bool any = part ? part[c] : false;
            for (size_t i = 0; i < rows && !part && isnan(row[c]) && !any; i++)
                any = !isnan(value[i * columns + c]);
            whole = !isnan(row[c]) || !any;
        }
        common += whole;
        for (size_t c = 0; c < columns && whole; c++)
            hs_running_add_known(&means[c], row[c]);
    }
    return common;
}

void hs_wins(const hs_results *results, double tolerance, uint32_t *wins)
{
    size_t columns = results->columns;
    memset(wins, 0, columns * sizeof *wins);
    for (size_t r = 0; r < results->rows; r++) {
        const double *value = results->value + r * columns;
        double best = value[0];
        if (!hs_is_common(value, columns, NULL))
            continue;
        for (size_t c = 1; c < columns; c++)
            if (is_better(results, value[c], best))
                best = value[c];
        for (size_t c = 0; c < columns; c++)
            wins[c] += is_near(value[c], best, tolerance);
    }
}

hs_duel hs_duel_of(const hs_results *results, size_t a, size_t b, double tolerance)
{
    hs_duel duel = {0};
    for (size_t r = 0; r < results->rows; r++) {
        double x = results->value[r * results->columns + a],
               y = results->value[r * results->columns + b];
        if (isnan(x) || isnan(y))
            continue;
        ++*(is_near(x, y, tolerance)   ? &duel.ties
            : is_better(results, x, y) ? &duel.wins
                                       : &duel.losses);
    }
    return duel;
}

/* ---- Friedman, Iman-Davenport, Nemenyi ---- */

double hs_nemenyi_q(double alpha, size_t methods)
{
    double low = 0, high = 64; /* the tail beyond 64 is 0 for any number of methods */
    for (int i = 0; i < 64; i++) {
        double middle = (low + high) / 2;
        if (ptukey(middle, 1, (double)methods, HUGE_VAL, 0, 0) > alpha)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2 / sqrt(2);
}

hs_friedman hs_friedman_test(const hs_ranks *ranks, double alpha)
{
    double squares = 0, spread = 0, k = (double)ranks->columns, n = (double)ranks->complete;
    hs_friedman out = {.rows = ranks->complete};
    for (size_t r = 0; r < ranks->rows; r++) {
        double sum = 0; /* NaN if a result is missing */
        for (size_t c = 0; c < ranks->columns; c++)
            sum += ranks->rank[r * ranks->columns + c] * ranks->rank[r * ranks->columns + c];
        squares += isnan(sum) ? 0 : sum;
    }
    for (size_t c = 0; c < ranks->columns; c++)
        spread += (ranks->mean[c] - (k + 1) / 2) * (ranks->mean[c] - (k + 1) / 2);
    out.chi2 = 12 * n / (k * (k + 1)) * spread;
    out.p_chi2 = pchisq(out.chi2, k - 1, 0, 0);
    double variation =
        squares - n * k * (k + 1) * (k + 1) / 4; /* of ranks within rows: 0 when everything ties */
    out.chi2_ties = variation > 0 ? (k - 1) * n * n * spread / variation : 0;
    out.p_ties = pchisq(out.chi2_ties, k - 1, 0, 0);
    double rest = n * (k - 1) - out.chi2;
    bool unanimous = rest <= ROUNDING * n * (k - 1);
    out.f = unanimous ? HUGE_VAL : (n - 1) * out.chi2 / rest;
    /* The F distribution is an approximation that fails where all rows agree; the probability of
     * that is exact. */
    out.p_f = unanimous ? exp((1 - n) * lgamma(k + 1)) : pf(out.f, k - 1, (k - 1) * (n - 1), 0, 0);
    out.p = out.p_f;
    out.q = hs_nemenyi_q(alpha, ranks->columns);
    out.critical_difference = out.q * sqrt(k * (k + 1) / (6 * n));
    return out;
}

/* ---- Holm ---- */

int hs_holm_test(const hs_ranks *ranks, size_t control, double alpha, bool one_sided,
                 hs_against *out, hsel_error *error)
{
    size_t left = 0;
    double k = (double)ranks->columns, before = 0;
    HS_OWNED double *p = HS_NEW(double, ranks->columns);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, ranks->columns);
    HS_NEED(p && order);
    const double deviation = sqrt(k * (k + 1) / (6 * (double)ranks->complete));
    for (size_t c = 0; c < ranks->columns; c++) {
        const double z = (ranks->mean[c] - ranks->mean[control]) / deviation;
        p[c] = one_sided ? pnorm(z, 0, 1, 0, 0) : 2 * pnorm(fabs(z), 0, 1, 0, 0);
        out[c] = (hs_against){.z = z, .p = p[c]};
        if (c != control)
            order[left++] = (uint32_t)c;
    }
    out[control] = (hs_against){.z = 0, .p = (double)NAN, .adjusted = (double)NAN};
    /* Step down: the smallest p times (k-1), the next times (k-2) …, never decreasing, at most 1.
     */
    hs_order(p, HS_UPWARDS, order, left);
    for (size_t i = 0; i < left; i++) {
        hs_against *one = &out[order[i]];
        one->adjusted = before = fmin(1, fmax(before, one->p * (double)(left - i)));
        one->rejected = hs_rejects(before, alpha);
    }
    return HSEL_OK;
}

/* ---- Wilcoxon ---- */

/* In how many of the 2^n choices of signs the sum of positive ranks is no more than v, as a share,
 * twice. */
static double exact_wilcoxon_p(double v, size_t n)
{
    double ways[EXACT_BELOW * (EXACT_BELOW - 1) / 2 + 1] = {
        1}; /* of making a sum from the ranks so far */
    size_t most = n * (n + 1) / 2;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t sum = rank * (rank + 1) / 2; sum >= rank; sum--)
            ways[sum] += ways[sum - rank];
    size_t tail = (size_t)v < most - (size_t)v
                      ? (size_t)v
                      : most - (size_t)v; /* the distribution is symmetric */
    double below = 0;
    for (size_t sum = 0; sum <= tail; sum++)
        below += ways[sum];
    return fmin(1, 2 * ldexp(below, -(int)n));
}

int hs_wilcoxon_test(const double *a, const double *b, size_t count, bool keep_zeros,
                     hs_wilcoxon *out, hsel_error *error)
{
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    HS_OWNED double *key = HS_NEW(double, count), *rank = HS_NEW(double, count);
    double largest = 0;
    size_t used = 0;
    *out = (hs_wilcoxon){.p = 1};
    HS_NEED(order && key && rank);
    for (size_t i = 0; i < count; i++)
        if (!isnan(a[i]) && !isnan(b[i]))
            largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
    double slack = ROUNDING * largest; /* what may be rounding in a difference */
    for (size_t i = 0; i < count; i++) {
        double size = fabs(a[i] - b[i]);
        bool zero = is_near(size, 0, slack);
        out->zeros += zero;
        key[i] = zero ? 0 : size;
        if (!isnan(size) && (!zero || keep_zeros))
            order[used++] = (uint32_t)i;
    }
    double kept = keep_zeros ? (double)out->zeros : 0;
    double ties = rank_keys(key, order, used, slack, rank);
    ties -= kept * kept * kept - kept; /* the zeros are corrected for apart */
    for (size_t i = 0; i < used; i++)
        if (key[order[i]] > 0 && a[order[i]] > b[order[i]])
            out->v += rank[order[i]];
    out->n = used - (size_t)kept;
    out->exact = out->n > 0 && out->n < EXACT_BELOW && out->zeros == 0 && ties == 0;
    if (out->exact)
        out->p = exact_wilcoxon_p(out->v, out->n);
    else if (out->n > 0) {
        /* n with the zeros that were ranked: their ranks leave both the mean and the variance. */
        double n = (double)used, mean = n * (n + 1) / 4 - kept * (kept + 1) / 4;
        double variance =
            n * (n + 1) * (2 * n + 1) / 24 - kept * (kept + 1) * (2 * kept + 1) / 24 - ties / 48;
        double distance = fmax(0, fabs(out->v - mean) - 0.5); /* continuity */
        out->p = fmin(1, 2 * pnorm(distance / sqrt(variance), 0, 1, 0, 0));
    }
    return HSEL_OK;
}

/* ---- Pearson ---- */

static bool is_varied(double squares, double mean, size_t n)
{
    return isfinite(squares) && sqrt(squares / (double)n) > ROUNDING * fabs(mean);
}

hs_correlation hs_pearson(const double *a, const double *b, size_t count)
{
    hs_correlation out = {.r = (double)NAN, .p = (double)NAN};
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(a[i]) && !isnan(b[i])) {
            mean_a += a[i];
            mean_b += b[i];
            out.n++;
        }
    mean_a /= (double)out.n;
    mean_b /= (double)out.n;
    for (size_t i = 0; i < count; i++)
        if (!isnan(a[i]) && !isnan(b[i])) {
            aa += (a[i] - mean_a) * (a[i] - mean_a);
            bb += (b[i] - mean_b) * (b[i] - mean_b);
            ab += (a[i] - mean_a) * (b[i] - mean_b);
        }
    if (out.n < 3 || !is_varied(aa, mean_a, out.n) || !is_varied(bb, mean_b, out.n))
        return out;
    out.r = fmax(-1, fmin(1, ab / sqrt(aa) / sqrt(bb)));
    double rest = 1 - out.r * out.r, freedom = (double)out.n - 2;
    out.p = rest > 0 ? 2 * pt(fabs(out.r) * sqrt(freedom / rest), freedom, 0, 0) : 0;
    return out;
}

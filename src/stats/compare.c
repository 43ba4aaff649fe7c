/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks and tests. Ranks are exact (halves), sums in a fixed order; p-values are R's.
 */
#define MATHLIB_STANDALONE 1
#include "stats/compare.h"

#include <Rmath.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* ---- ranks ---- */

static bool is_complete(const hs_results *results, size_t row)
{
    for (size_t c = 0; c < results->columns; c++)
        if (isnan(results->value[row * results->columns + c]))
            return false;
    return true;
}

static bool is_better(const hs_results *results, double a, double b)
{
    return results->lower_is_better ? a < b : a > b;
}

int hs_ranks(const hs_results *results, double *rank, double *mean_rank, size_t *complete_rows, hsel_error *error)
{
    size_t columns = results->columns;
    (void)error;
    *complete_rows = 0;
    for (size_t c = 0; c < columns; c++)
        mean_rank[c] = 0;
    for (size_t r = 0; r < results->rows; r++) {
        const double *value = results->value + r * columns;
        bool complete = is_complete(results, r);
        *complete_rows += complete;
        for (size_t c = 0; c < columns; c++) {
            double above = 0, equal = 0; /* equal: with itself */
            for (size_t j = 0; j < columns; j++) {
                above += is_better(results, value[j], value[c]);
                equal += value[j] == value[c];
            }
            rank[r * columns + c] = isnan(value[c]) ? (double)NAN : above + (equal + 1) / 2;
            mean_rank[c] += complete ? rank[r * columns + c] : 0;
        }
    }
    for (size_t c = 0; c < columns; c++)
        mean_rank[c] = *complete_rows ? mean_rank[c] / (double)*complete_rows : (double)NAN;
    return HSEL_OK;
}

void hs_wins(const hs_results *results, double tolerance, uint32_t *wins)
{
    size_t columns = results->columns;
    memset(wins, 0, columns * sizeof *wins);
    for (size_t r = 0; r < results->rows; r++) {
        const double *value = results->value + r * columns;
        double best = (double)NAN;
        for (size_t c = 0; c < columns; c++)
            if (!isnan(value[c]) && (isnan(best) || is_better(results, value[c], best)))
                best = value[c];
        for (size_t c = 0; c < columns; c++)
            wins[c] += !isnan(value[c]) && fabs(value[c] - best) <= tolerance;
    }
}

void hs_duel(const hs_results *results, size_t a, size_t b, double tolerance, uint32_t *wins, uint32_t *ties,
             uint32_t *losses)
{
    *wins = *ties = *losses = 0;
    for (size_t r = 0; r < results->rows; r++) {
        double x = results->value[r * results->columns + a], y = results->value[r * results->columns + b];
        if (isnan(x) || isnan(y))
            continue;
        if (fabs(x - y) <= tolerance)
            ++*ties;
        else if (is_better(results, x, y))
            ++*wins;
        else
            ++*losses;
    }
}

/* Mean ranks over complete rows; needs two methods and two rows. */
static int mean_ranks(const hs_results *results, double *mean, size_t *rows, hsel_error *error)
{
    if (results->columns < 2)
        return hs_fail(error, HSEL_EUSAGE, "a comparison needs two methods or more");
    double *rank = HS_NEW(double, results->rows * results->columns);
    int status = rank ? hs_ranks(results, rank, mean, rows, error) : hs_fail_memory(error);
    hs_free(rank);
    if (status == HSEL_OK && *rows < 2)
        status = hs_fail(error, HSEL_EUSAGE,
                         "a test needs two data sets or more on which every method has a result; there are %zu", *rows);
    return status;
}

/* ---- Friedman, Iman-Davenport, Nemenyi ---- */

int hs_friedman_test(const hs_results *results, double alpha, hs_friedman *out, hsel_error *error)
{
    double *mean = HS_NEW(double, results->columns);
    int status = mean ? mean_ranks(results, mean, &out->rows, error) : hs_fail_memory(error);
    if (status == HSEL_OK) {
        double k = (double)results->columns, n = (double)out->rows, squares = 0;
        for (size_t c = 0; c < results->columns; c++)
            squares += mean[c] * mean[c];
        out->chi2 = 12 * n / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4);
        if (out->chi2 < 0) /* rounding, when all ranks are equal */
            out->chi2 = 0;
        out->p_chi2 = pchisq(out->chi2, k - 1, 0, 0);
        double rest = n * (k - 1) - out->chi2;
        out->f = rest > 0 ? (n - 1) * out->chi2 / rest : HUGE_VAL;
        out->p_f = rest > 0 ? pf(out->f, k - 1, (k - 1) * (n - 1), 0, 0) : 0;
        out->q = qtukey(1 - alpha, 1, k, HUGE_VAL, 1, 0) / sqrt(2);
        out->critical_difference = out->q * sqrt(k * (k + 1) / (6 * n));
    }
    hs_free(mean);
    return status;
}

/* ---- Holm ---- */

static void adjust(hs_against *out, size_t count, size_t control, double alpha)
{
    /* Step down: the smallest p times (k-1), the next times (k-2) …, never decreasing. */
    double before = 0;
    bool stopped = false;
    size_t left = count - 1;
    for (size_t i = 0; i < count; i++)
        out[i].adjusted = -1;
    for (; left > 0; left--) {
        size_t best = control;
        for (size_t i = 0; i < count; i++)
            if (i != control && out[i].adjusted < 0 && (best == control || out[i].p < out[best].p))
                best = i;
        double adjusted = out[best].p * (double)left;
        adjusted = adjusted < before ? before : adjusted > 1 ? 1 : adjusted;
        before = out[best].adjusted = adjusted;
        stopped |= adjusted > alpha;
        out[best].rejected = !stopped;
    }
    out[control] = (hs_against){.z = 0, .p = (double)NAN, .adjusted = (double)NAN};
}

int hs_holm_test(const hs_results *results, size_t control, double alpha, bool one_sided, hs_against *out,
                 hsel_error *error)
{
    size_t rows = 0;
    double *mean = HS_NEW(double, results->columns);
    int status = mean ? mean_ranks(results, mean, &rows, error) : hs_fail_memory(error);
    if (status == HSEL_OK) {
        double k = (double)results->columns, spread = sqrt(k * (k + 1) / (6 * (double)rows));
        for (size_t c = 0; c < results->columns; c++) {
            out[c].z = (mean[c] - mean[control]) / spread;
            out[c].p = one_sided ? pnorm(out[c].z, 0, 1, 0, 0) : 2 * pnorm(fabs(out[c].z), 0, 1, 0, 0);
        }
        adjust(out, results->columns, control, alpha);
    }
    hs_free(mean);
    return status;
}

/* ---- Wilcoxon ---- */

struct difference {
    double size, sign; /* sign 0: no difference */
    double rank;
};

static int by_size(const void *a, const void *b)
{
    double x = ((const struct difference *)a)->size, y = ((const struct difference *)b)->size;
    return (x > y) - (x < y);
}

/* Ranks by size, ties share the mean; returns sum of (t^3 - t) over groups of equals. */
static double rank_differences(struct difference *d, size_t count)
{
    double ties = 0;
    qsort(d, count, sizeof *d, by_size);
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && d[j].size == d[i].size; j++) {
        }
        double group = (double)(j - i);
        for (size_t g = i; g < j; g++)
            d[g].rank = (double)(i + j + 1) / 2;
        ties += group * group * group - group;
    }
    return ties;
}

static void normal_p(hs_wilcoxon *out, double zeros, double ties)
{
    /* With zeros kept (Pratt), their ranks leave both the mean and the variance. */
    double n = (double)out->n + zeros;
    double mean = n * (n + 1) / 4 - zeros * (zeros + 1) / 4;
    double variance = n * (n + 1) * (2 * n + 1) / 24 - zeros * (zeros + 1) * (2 * zeros + 1) / 24 - ties / 48;
    double z = out->v - mean;
    z -= z > 0 ? 0.5 : z < 0 ? -0.5 : 0;
    out->p = variance > 0 ? 2 * pnorm(fabs(z) / sqrt(variance), 0, 1, 0, 0) : 1;
    out->p = out->p > 1 ? 1 : out->p;
}

static void exact_p(hs_wilcoxon *out)
{
    double n = (double)out->n, mean = n * (n + 1) / 4;
    double tail = out->v > mean ? psignrank(out->v - 1, n, 0, 0) : psignrank(out->v, n, 1, 0);
    signrank_free();
    out->p = 2 * tail > 1 ? 1 : 2 * tail;
}

int hs_wilcoxon_test(const double *a, const double *b, size_t count, bool keep_zeros, hs_wilcoxon *out,
                     hsel_error *error)
{
    struct difference *d = HS_NEW(struct difference, count);
    size_t used = 0;
    double zeros = 0;
    if (!d)
        return hs_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        double x = a[i] - b[i];
        if (isnan(x) || (x == 0 && !keep_zeros))
            continue;
        zeros += x == 0;
        d[used++] = (struct difference){.size = fabs(x), .sign = (x > 0) - (x < 0)};
    }
    double ties = rank_differences(d, used);
    ties -= zeros * zeros * zeros - zeros; /* the zeros are corrected for apart */
    *out = (hs_wilcoxon){.n = used - (size_t)zeros};
    for (size_t i = 0; i < used; i++)
        out->v += d[i].sign > 0 ? d[i].rank : 0;
    out->exact = zeros == 0 && ties == 0 && out->n <= 25;
    if (out->n == 0)
        out->p = 1;
    else if (out->exact)
        exact_p(out);
    else
        normal_p(out, zeros, ties);
    hs_free(d);
    return HSEL_OK;
}

/* ---- Pearson ---- */

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
    if (out.n < 3)
        return out;
    mean_a /= (double)out.n;
    mean_b /= (double)out.n;
    for (size_t i = 0; i < count; i++)
        if (!isnan(a[i]) && !isnan(b[i])) {
            aa += (a[i] - mean_a) * (a[i] - mean_a);
            bb += (b[i] - mean_b) * (b[i] - mean_b);
            ab += (a[i] - mean_a) * (b[i] - mean_b);
        }
    if (aa == 0 || bb == 0)
        return out;
    out.r = ab / sqrt(aa * bb);
    double rest = 1 - out.r * out.r, freedom = (double)out.n - 2;
    out.p = rest > 0 ? 2 * pt(fabs(out.r) * sqrt(freedom / rest), freedom, 0, 0) : 0;
    return out;
}

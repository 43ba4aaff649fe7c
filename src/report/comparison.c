/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a comparison; showing it is in comparison_text.c and comparison_json.c, drawing it in
 * cd_diagram.c.
 */
#define _GNU_SOURCE /* qsort_r */
#include "report/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "core/mem.h"

void hs_comparison_clear(hs_comparison *comparison)
{
    hs_free(comparison->rank);
    hs_free(comparison->mean_rank);
    hs_free(comparison->wins);
    hs_free(comparison->order);
    hs_free(comparison->wilcoxon);
    hs_free(comparison->correlation);
    hs_free(comparison->against);
    *comparison = (hs_comparison){0};
}

static int by_rank(const void *a, const void *b, void *context)
{
    const double *rank = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (rank[x] != rank[y])
        return rank[x] < rank[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static int rank_methods(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    size_t columns = results->columns;
    c->rank = HS_NEW(double, results->rows *columns);
    c->mean_rank = HS_NEW(double, columns);
    c->wins = HS_NEW(uint32_t, columns);
    c->order = HS_NEW(size_t, columns);
    if (!c->rank || !c->mean_rank || !c->wins || !c->order)
        return hs_fail_memory(error);
    int status = hs_ranks(results, c->rank, c->mean_rank, &c->complete_rows, error);
    if (status)
        return status;
    hs_wins(results, c->request.tolerance, c->wins);
    for (size_t i = 0; i < columns; i++)
        c->order[i] = i;
    if (c->complete_rows > 0) /* else every mean is NaN */
        qsort_r(c->order, columns, sizeof *c->order, by_rank, c->mean_rank);
    return HSEL_OK;
}

static int run_tests(hs_comparison *c, hsel_error *error)
{
    const hs_comparison_request *request = &c->request;
    size_t columns = request->results.columns;
    c->tested = columns >= 2 && c->complete_rows >= 2;
    if (!c->tested)
        return HSEL_OK;
    int status = hs_friedman_test(&request->results, request->alpha, &c->friedman, error);
    if (status || request->control >= columns)
        return status;
    if (!(c->against = HS_NEW_ZERO(hs_against, columns)))
        return hs_fail_memory(error);
    return hs_holm_test(&request->results, request->control, request->alpha, request->one_sided,
                        c->against, error);
}

static void copy_column(const hs_results *results, size_t column, double *out)
{
    for (size_t r = 0; r < results->rows; r++)
        out[r] = results->value[r * results->columns + column];
}

/* The same test with the two methods exchanged: all ranks but those of zeros that were kept and of
 * the positive. */
static hs_wilcoxon mirrored(const hs_wilcoxon *w, bool keep_zeros)
{
    hs_wilcoxon other = *w;
    double zeros = keep_zeros ? (double)w->zeros : 0, n = (double)w->n + zeros;
    other.v = n * (n + 1) / 2 - zeros * (zeros + 1) / 2 - w->v;
    return other;
}

static int test_pairs(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    size_t rows = results->rows, columns = results->columns;
    double *one = HS_NEW(double, rows), *other = HS_NEW(double, rows);
    c->wilcoxon = HS_NEW_ZERO(hs_wilcoxon, columns * columns);
    int status = one && other && c->wilcoxon ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < columns && status == HSEL_OK; i++) {
        copy_column(results, i, one);
        for (size_t j = i; j < columns && status == HSEL_OK; j++) {
            hs_wilcoxon *pair = &c->wilcoxon[i * columns + j];
            copy_column(results, j, other);
            status = hs_wilcoxon_test(one, other, rows, c->request.keep_zeros, pair, error);
            c->wilcoxon[j * columns + i] = mirrored(pair, c->request.keep_zeros);
        }
    }
    hs_free(one);
    hs_free(other);
    return status;
}

static int correlate(hs_comparison *c, hsel_error *error)
{
    const hs_results *results = &c->request.results;
    if (!c->request.covariate)
        return HSEL_OK;
    double *column = HS_NEW(double, results->rows);
    c->correlation = HS_NEW(hs_correlation, results->columns);
    int status = column && c->correlation ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < results->columns && status == HSEL_OK; i++) {
        copy_column(results, i, column);
        c->correlation[i] = hs_pearson(column, c->request.covariate, results->rows);
    }
    hs_free(column);
    return status;
}

int hs_comparison_make(const hs_comparison_request *request, hs_comparison *out, hsel_error *error)
{
    *out = (hs_comparison){.request = *request};
    int status = rank_methods(out, error);
    if (status == HSEL_OK)
        status = run_tests(out, error);
    if (status == HSEL_OK)
        status = test_pairs(out, error);
    if (status == HSEL_OK)
        status = correlate(out, error);
    if (status)
        hs_comparison_clear(out);
    return status;
}

void hs_comparison_groups(const hs_comparison *comparison,
                          void (*each)(void *context, size_t first, size_t last), void *context)
{
    const double *rank = comparison->mean_rank;
    const size_t *order = comparison->order;
    size_t columns = comparison->request.results.columns, last = 0, reached = 0;
    for (size_t first = 0; first < columns; first++) {
        while (last + 1 < columns && rank[order[last + 1]] - rank[order[first]] <
                                         comparison->friedman.critical_difference)
            last++;
        if (last > first && last > reached) {
            each(context, first, last);
            reached = last;
        }
    }
}

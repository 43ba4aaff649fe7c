/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing methods over data sets: ranks, wins and the tests of the literature. A comparison is a table of results, a row a
 * data set, a column a method; higher is better unless said otherwise; NaN is a missing result. Distributions are R's own
 * (libRmath).
 */
#ifndef HS_STATS_COMPARE_H
#define HS_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hs_results {
    size_t rows, columns; /* data sets, methods */
    const double *value;  /* [rows * columns]; rows with a NaN are left out of tests over all methods */
    bool lower_is_better;
} hs_results;

/* Rank of each method on each data set (1 = best, ties share the mean rank), and the means over complete rows. */
HSEL_CHECKED int hs_ranks(const hs_results *results, double *rank, double *mean_rank, size_t *complete_rows,
                          hsel_error *error);
/* Number of data sets on which each method is best (ties: all of them count); wins/ties/losses of a against b. */
void hs_wins(const hs_results *results, double tolerance, uint32_t *wins);
void hs_duel(const hs_results *results, size_t a, size_t b, double tolerance, uint32_t *wins, uint32_t *ties,
             uint32_t *losses);

typedef struct hs_friedman {
    double chi2, p_chi2;       /* chi2 = 12N/(k(k+1)) (sum R^2 - k(k+1)^2/4), k-1 degrees of freedom; no tie correction */
    double f, p_f;             /* Iman and Davenport's F with k-1 and (k-1)(N-1) degrees of freedom */
    double critical_difference; /* Nemenyi, at alpha: q sqrt(k(k+1)/6N), q from the studentised range */
    double q;
    size_t rows;
} hs_friedman;

HSEL_CHECKED int hs_friedman_test(const hs_results *results, double alpha, hs_friedman *out, hsel_error *error);

/* Against a control: z = (R_i - R_0)/sqrt(k(k+1)/6N). p two-sided (or one-sided), Holm-adjusted p, whether rejected. */
typedef struct hs_against {
    double z, p, adjusted;
    bool rejected;
} hs_against;

HSEL_CHECKED int hs_holm_test(const hs_results *results, size_t control, double alpha, bool one_sided, hs_against *out,
                              hsel_error *error);

/* Wilcoxon signed-rank of two columns, two-sided. Exact when n <= 25 (without zeros) and nothing ties, else normal with
 * continuity and tie correction, as R's wilcox.test does. zeros dropped (R) or kept (Pratt). */
typedef struct hs_wilcoxon {
    double v;   /* sum of the ranks of positive differences */
    double p;
    bool exact;
    size_t n;   /* differences that count */
} hs_wilcoxon;

HSEL_CHECKED int hs_wilcoxon_test(const double *a, const double *b, size_t count, bool keep_zeros, hs_wilcoxon *out,
                                  hsel_error *error);

/* Pearson's r of two lists, and its two-sided p by Student's t with n-2 degrees of freedom. NaN pairs are left out. */
typedef struct hs_correlation {
    double r, p;
    size_t n;
} hs_correlation;

hs_correlation hs_pearson(const double *a, const double *b, size_t count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compares methods over data sets: ranks, wins and the usual tests. A comparison is a table of
 * results, a row per data set, a column per method; higher is better unless said otherwise; NaN is
 * a missing result. Distributions are R's own (libRmath). docs/statistics.md has the formulas.
 *
 * Equal means equal but for the rounding of decimal fractions: a and b are the same when |a - b| <=
 * 1e-12 max(|a|, |b|), and two differences tie when they are as near as that on the scale of the
 * results (62.0 - 61.3 and 61.4 - 60.7 do tie, though not in binary).
 */
#pragma once

#include "data/data.h"
#include "stats/running.h"

typedef struct hs_results {
    size_t rows, columns; /* data sets, methods */
    const double *value;  /* [rows * columns]; no infinities */
    bool lower_is_better;
} hs_results;

/* Rank of each method on each data set (1 = best, ties share the mean rank; a missing result has
 * rank NaN and the others are ranked without it), and the means over the complete rows, those
 * without a missing result (NaN if there are none). */
typedef struct hs_ranks { /* hs_ranks_clear frees, also after a failure */
    size_t rows, columns, complete;
    double *rank, *mean; /* [rows * columns], [columns] */
} hs_ranks;
HSEL_CHECKED int hs_ranks_of(const hs_results *results, hs_ranks *out, hsel_error *error);
void hs_ranks_clear(hs_ranks *ranks);
/* The number of data sets on which each method is best, among the existing results. Results up to
 * `tolerance` from the best win too. */
void hs_wins(const hs_results *results, double tolerance, uint32_t *wins);

/* Means, ranks and wins are over the common rows: those in which every participating column has a
 * value (part NULL: all columns). */
bool hs_is_common(const double *row, size_t columns, const bool *part);
/* Adds the values of the common rows to means[columns], and returns how many these rows are. Other
 * columns may have fewer values in them. part NULL: columns with any value. */
size_t hs_common_means(const double *value, size_t rows, size_t columns, const bool *part,
                       hs_running *means);
/* On how many data sets a is better than b, no more than `tolerance` apart, worse; where both have
 * a result. */
typedef struct hs_duel {
    uint32_t wins, ties, losses;
} hs_duel;
hs_duel hs_duel_of(const hs_results *results, size_t a, size_t b, double tolerance);

typedef struct hs_friedman { /* over the complete rows */
    double chi2, p_chi2; /* chi2 = 12N/(k(k+1)) (sum R^2 - k(k+1)^2/4), k-1 degrees of freedom; no
                            correction for ties */
    double chi2_ties, p_ties; /* corrected for ties: what R's friedman.test gives */
    double f, p_f;       /* Iman and Davenport's F of chi2, k-1 and (k-1)(N-1) degrees of freedom;
                            infinite when all rows agree */
    double p;            /* the p-value to use: p_f, or that of hs_friedman_exact */
    bool exact, sampled; /* exact: p is of hs_friedman_exact; sampled: by random permutations */
    double critical_difference; /* Nemenyi, at alpha: q sqrt(k(k+1)/6N), q from the studentised
                                   range */
    double q;
    size_t rows;
} hs_friedman;

/* Whether there are enough methods and complete rows for the tests below: two of each. */
static inline bool hs_can_test(const hs_ranks *ranks)
{
    return ranks->columns >= 2 && ranks->complete >= 2;
}
hs_friedman hs_friedman_test(const hs_ranks *ranks, double alpha);
/* p of Friedman's test by its own distribution, given the ties, for up to 15 complete rows: all
 * permutations of each row, or random ones if these are too many. Sets p, exact, sampled. */
HSEL_CHECKED int hs_friedman_exact(const hs_ranks *ranks, hs_friedman *out, hsel_error *error);
/* Nemenyi's q for k methods: the upper alpha point of the studentised range over sqrt 2. */
double hs_nemenyi_q(double alpha, size_t methods);

/* Each method against a control: z = (R_i - R_0)/sqrt(k(k+1)/6N), positive where the control ranks
 * better. p two-sided, or one-sided (the control is better), then adjusted by Holm. The control
 * itself has z 0 and p NaN. */
typedef struct hs_against {
    double z, p, adjusted;
    bool rejected; /* adjusted <= alpha: they differ */
} hs_against;

HSEL_CHECKED int hs_holm_test(const hs_ranks *ranks, size_t control, double alpha, bool one_sided,
                              hs_against *out, hsel_error *error);

/* Wilcoxon's signed-rank test of paired lists, two-sided. As R's wilcox.test: exact when fewer than
 * 50 pairs count, none is equal and no two differences tie, else normal with continuity and tie
 * correction. Pairs that are equal are dropped, or ranked and then left out (keep_zeros: Pratt's
 * way). Pairs with a NaN do not count. */
typedef struct hs_wilcoxon {
    double v; /* sum of the ranks of positive differences a - b */
    double p; /* 1 when nothing differs */
    bool exact;
    size_t n;     /* pairs that differ */
    size_t zeros; /* pairs that are equal */
} hs_wilcoxon;

HSEL_CHECKED int hs_wilcoxon_test(const double *a, const double *b, size_t count, bool keep_zeros,
                                  hs_wilcoxon *out, hsel_error *error);

/* Pearson's r of two lists, and its two-sided p by Student's t with n-2 degrees of freedom. Pairs
 * with a NaN are left out. NaN for fewer than three pairs, or when a list is constant. */
typedef struct hs_correlation {
    double r, p;
    size_t n;
} hs_correlation;

hs_correlation hs_pearson(const double *a, const double *b, size_t count);

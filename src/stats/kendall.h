/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kendall's tau between rankings of the same things, and matrices of it: the agreement of rankers
 * on a data set, and the distance of a data set from the mean of several.
 */
#pragma once

#include "data/data.h"

/* A ranking, ready to be compared with many others. */
typedef struct hs_ranking {
    uint32_t count, distinct;
    uint32_t *rank;  /* [count]: 0 = lowest; equal scores have equal ranks, without gaps */
    uint32_t *order; /* [count]: the things by rank */
    uint64_t tied;   /* pairs of equal rank */
} hs_ranking;

/* How rankings are compared. tau-b accounts for ties; tau-a breaks them first: things of equal
 * score in the order of their indices, or as WEKA's Ranker has them (its quicksort, ascending, then
 * reversed). The best has the highest rank. */
typedef enum hs_tau_kind { HS_TAU_B, HS_TAU_A_INDEX, HS_TAU_A_WEKA } hs_tau_kind;

/* hs_ranking_clear frees, also after a failure. NaN is below everything, and one NaN equal to
 * another. */
HSEL_CHECKED int hs_ranking_of_scores(const double *scores, uint32_t count, hs_tau_kind kind,
                                      hs_ranking *out, hsel_error *error);
void hs_ranking_clear(hs_ranking *ranking);

typedef struct hs_tau {
    double a; /* S / (n (n-1) / 2); NaN for fewer than two things */
    double
        b; /* S / sqrt((pairs not tied in x) (pairs not tied in y)); NaN if all are tied in one */
} hs_tau;

/* O(n log n). `space` holds 2 n + 1 numbers. */
hs_tau hs_kendall(const hs_ranking *x, const hs_ranking *y, uint32_t *space);

/* The order in which WEKA 3.6 sorts: a quicksort with the median of three as pivot, so equal keys
 * come out in a particular order, on which results can depend. index[0 … count) becomes the
 * permutation that sorts the keys ascending (no NaN). O(count log count) on average; the stack is
 * short whatever the keys. */
void hs_weka_sort(const double *key, uint32_t count, uint32_t *index);

/* ---- matrices ---- */

/* matrix[rankers * rankers] of tau between the scores of every two rankers, 1 on the diagonal. */
HSEL_CHECKED int hs_tau_matrix(const double *const *scores, size_t rankers, uint32_t count,
                               hs_tau_kind kind, int threads, double *matrix, hsel_error *error);
/* The same for random rankings, as for unrelated rankers. `draw` numbers the matrices of one
 * seed. */
HSEL_CHECKED int hs_tau_random(size_t rankers, uint32_t count, uint64_t seed, uint64_t draw,
                               int threads, double *matrix, hsel_error *error);
/* Mean and standard deviation (n-1) of each cell over `sets` matrices; cells that are NaN do not
 * count. Either may be NULL. */
void hs_tau_mean(const double *const *matrices, size_t sets, size_t rankers, double *mean,
                 double *sd);
/* Frobenius norm of the difference: sqrt(2 sum over i < j of (a_ij - b_ij)^2). NaN cells are left
 * out. */
double hs_tau_distance(const double *a, const double *b, size_t rankers);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Similarity of selections made on different parts of the data: M sets of d features, k_i and k
 * their sizes and mean size, a_ij the size of the intersection of sets i and j.
 *
 *     nogueira   (mean of a_ij - k^2/d) / (k - k^2/d), with a standard error
 *                Nogueira, Sechidis, Brown (2018); the same as 1 - mean variance / its expectation
 *     kuncheva   mean of (a_ij - k_i k_j/d) / sqrt(k_i (1 - k_i/d) k_j (1 - k_j/d)): Kuncheva
 *                (2007) for equal sizes, else its generalisation by Nogueira and Brown (2016)
 *     jaccard    mean of a_ij / (k_i + k_j - a_ij)
 *     hierarchy  (mean of b_ij - E(k)) / (k - E(k)), with a standard error
 *
 * Means are over pairs i < j. In `hierarchy` a feature that the other set does not have counts by
 * the similarity C of the one there that is most similar to it:
 *     b_ij = (sum over x in i of max over y in j of C_xy + the same of j in i) / 2
 *     E(k) = expectation of b_ij for two sets that hold each feature with probability q = k/d
 *          = sum over j of q^2 (1 - q)^(j-1) S_j, S_j the sum over features of the j-th greatest
 *            similarity to one of all (itself first)
 * No permutation is needed. If C is the identity (no edges), b_ij = a_ij and E(k) = k^2/d:
 * `hierarchy` is `nogueira`, its standard error included.
 *
 * Fewer than two sets: NaN. Sets that are all empty or all full are equal: 1.
 */
#pragma once

#include "data/data.h"

#define HS_STABILITY_Z 1.959963984540054 /* intervals: value ± Z standard errors, 95 % */

typedef struct hs_stability {
    uint32_t sets; /* of one case */
    double size;   /* k */
    double nogueira, nogueira_se;
    double kuncheva, jaccard;
    double hierarchy, hierarchy_se; /* NaN: there was no similarity */
} hs_stability;

/* Similarities of the features of a data set, by the information in all instances. Made once for
 * any number of selections: O(features * (features + edges)). */
typedef struct hs_stability_space { /* zero-initialise; hs_stability_space_clear frees */
    hs_similarity similarity;
    double *greatest; /* S_j, j from 0; … */
    uint32_t count;   /* … 0 from here on */
} hs_stability_space;

/* The same of a hierarchy (NULL: none) whose features are in support[features] of the instances. */
HSEL_CHECKED int hs_stability_space_make(hs_stability_space *out, const hsel_dag *dag,
                                         uint32_t features, const uint32_t *support,
                                         uint32_t instances, hs_similarity_kind kind, int threads,
                                         const hs_progress *progress, hsel_error *error);
HSEL_CHECKED int hs_stability_space_init(hs_stability_space *out, const hsel_dataset *data,
                                         hs_similarity_kind kind, int threads,
                                         const hs_progress *progress, hsel_error *error);
void hs_stability_space_clear(hs_stability_space *space);

/* The sets of `cases` cases (for lazy selectors: instances, for each of which features are selected
 * separately): set s of case c is the bit set masks + (s * cases + c) * words. Numbers are means
 * over cases; standard errors are those of the means, since sets of the same number come from the
 * same part of the data. space NULL: no `hierarchy`. */
HSEL_CHECKED int hs_stability_of(const uint64_t *masks, uint32_t sets, uint32_t cases,
                                 uint32_t features, const hs_stability_space *space, int threads,
                                 hs_stability *out, hsel_error *error);

/* The figures one after the other, by the order of hsel_stability_figure and with these names:
 * values with the ends of their intervals. */
extern const char *const hs_stability_names[HSEL_STABILITY_FIGURES];
void hs_stability_figures(const hs_stability *stability, double *out);

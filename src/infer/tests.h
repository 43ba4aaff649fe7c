/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values for the association of a feature with the class: for binary features from counts, for
 * numeric ones from values. Functions that return a status may run out of memory; the others cannot
 * fail. A table without information (a constant feature, one class) has p = 1.
 */
#pragma once

#include "data/data.h"

/* The rule of all procedures: a p-value, adjusted or not, that equals the level but for rounding
 * (1e-12 of it) is small enough. */
static inline bool hs_rejects(double p, double level) { return p <= level * (1 + 1e-12); }

double hs_log_choose(double n, double k);
/* Of `all` instances `marked` are of the class, and the feature is positive in `drawn`: how many
 * are both is a hypergeometric number from low to high. */
typedef struct hs_urn {
    double all, marked, drawn, low, high;
} hs_urn;
hs_urn hs_urn_of(double all, double marked, double drawn);
double hs_urn_log_chance(const hs_urn *urn, double both);

/* A 2 x K table: of size[c] instances of class c, the feature is positive in positive[c]. */
typedef struct hs_count_table {
    const uint32_t *positive, *size;
    uint32_t classes;
} hs_count_table;

/* Two-sided: all outcomes that are no more probable than the observed one (within 1e-7, as in
 * R). */
typedef enum hs_tail { HS_TAIL_BOTH, HS_TAIL_MORE, HS_TAIL_LESS } hs_tail;

/* Fisher's exact test of a 2 x 2 table: of `all` instances `marked` are of the class, the feature
 * is positive in `drawn`, and in `both` of the class. mid: the observed table counts half. */
double hs_p_fisher(uint32_t all, uint32_t marked, uint32_t drawn, uint32_t both, hs_tail tail,
                   bool mid);
/* The same of K classes (Freeman, Halton), two-sided: exact if at most `work` ways of giving the
 * positives to all classes but two need to be enumerated, else by up to `work` random tables of
 * `seed`; *se is then its standard error, 0 if exact. */
HSEL_CHECKED int hs_p_halton(const hs_count_table *table, uint64_t work, uint64_t seed, double *p,
                             double *se, hsel_error *error);
/* Pearson's chi-squared without correction, and the likelihood ratio G; K - 1 degrees of freedom.
 */
double hs_p_chi2(const hs_count_table *table);
double hs_p_g(const hs_count_table *table);
/* Fisher's test within strata, exact (strata.c): class `one` against the rest. The table of stratum
 * s begins at positive[s * classes] and size[s * classes]. */
HSEL_CHECKED int hs_p_strata(const hs_count_table *table, uint32_t strata, uint32_t one,
                             hs_tail tail, bool mid, double *p, hsel_error *error);
/* Cochran, Mantel, Haenszel: two classes in each stratum, whose counts are adjacent; without
 * correction, by the chi-squared distribution: too small for sparse tables. */
double hs_p_cmh(const uint32_t *positive, const uint32_t *size, uint32_t strata);

/* Ranks: Mann-Whitney (exact for at most 50 values without ties, else normal with corrections for
 * ties and continuity), Kruskal-Wallis for more classes. class_of[i] of values[i]; missing values
 * (NaN) and HSEL_NONE are left out. */
HSEL_CHECKED int hs_p_ranks(const double *values, const uint32_t *class_of, uint32_t count,
                            uint32_t classes, double *p, hsel_error *error);
/* Ranks within strata, of class `one` against the rest: van Elteren's test, which weighs the rank
 * sum of a stratum by 1 / (instances + 1). The lists of `strata` are their instances. By the normal
 * distribution, unless fewer than 10 values that differ from the most frequent one are expected in
 * the smaller class; there by all ways of choosing the class within strata, if these are not too
 * many (but for what hs_p_ranks has exactly). *by (NULL: normal) tells. */
typedef enum hs_p_by {
    HS_BY_NORMAL,
    HS_BY_WAYS,        /* exact */
    HS_BY_NORMAL_ROUGH /* too many arrangements to count */
} hs_p_by;
HSEL_CHECKED int hs_p_elteren(const double *values, const uint32_t *class_of,
                              const hs_sparse *strata, uint32_t one, double *p, hs_p_by *by,
                              hsel_error *error);
/* Means without equal variances: Welch's t, Welch's analysis of variance for more classes. Classes
 * with fewer than two values are left out; of more than two classes, one without a spread makes
 * it 1. */
HSEL_CHECKED int hs_p_means(const double *values, const uint32_t *class_of, uint32_t count,
                            uint32_t classes, double *p, hsel_error *error);

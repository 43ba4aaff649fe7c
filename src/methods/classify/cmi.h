/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditional mutual information of two binary features given the class, and the counts it is
 * computed from, for the tree-augmented classifiers.
 *
 *     I(i; j | C) = sum over c of P(c) sum over a, b of P(a,b|c) log2(P(a,b|c) / (P(a|c) P(b|c)))
 *     P(a,b|c) = (n_cab + 1)/(n_c + 4),  P(a|c) = (n_ca + 1)/(n_c + 2),  P(c) = (n_c + 1)/(N + K)
 *
 * The smoothing is that of Wan's programs, so a value may be slightly below 0. It is one fixed
 * expression of the counts, with the four cells added as (00 + 11) + (01 + 10): equal tables give
 * equal values, also with features or their values exchanged. Without smoothing (empirical,
 * P(a,b|c) = n_cab/n_c and so on) it is computed exactly, so that ties are exact.
 *
 * In sparse data most pairs never occur together. Their value depends on the counts of the two
 * features alone, and features with the same counts in every class form a group, so there are far
 * fewer such values than pairs. All pairs of one feature take O(sum of the positives of its
 * instances).
 */
#pragma once

#include "measure/exact.h"

typedef struct hs_cmi { /* zero-initialise; hs_cmi_clear frees */
    uint32_t features, classes, instances, groups;
    uint32_t *class_size;    /* [K] */
    uint32_t *class_of;      /* [instances], which stand by class */
    hs_sparse rows, columns; /* positive features of instances, and the other way */
    uint32_t *positive;      /* [d * K] */
    uint32_t *group;         /* [d]: features with the same row of `positive` */
    double *logs;            /* log2(n) for n = 1 … largest class + 4 */
    double *prior;           /* [K] */
    hs_u128 *n_log_n;        /* [largest class + 1], for empirical values; NULL: smoothed ones */
    hs_arena arena;          /* of the lists but rows and columns */
} hs_cmi;

/* Counts the instances of the view that have a class, in the features of its mask. Empirical:
 * values without smoothing. hs_cmi_clear also after a failure. */
HSEL_CHECKED int hs_cmi_init(const hs_view *view, bool empirical, hs_cmi *out, hsel_error *error);
/* Without counts: the remaining work when class_size and rows are known. */
HSEL_CHECKED int hs_cmi_new(uint32_t features, uint32_t classes, hs_cmi *out, hsel_error *error);
HSEL_CHECKED int hs_cmi_ready(hs_cmi *cmi, bool empirical, hsel_error *error);
void hs_cmi_clear(hs_cmi *cmi);

/* Instances of each class with both features, into both[K]. */
void hs_cmi_both(const hs_cmi *cmi, uint32_t i, uint32_t j, uint32_t *both);
/* The same of feature i with every feature j, into both[j * K …]. */
void hs_cmi_count(const hs_cmi *cmi, uint32_t i, uint32_t *both);
/* The value of a pair, from what the two above give. */
double hs_cmi_of(const hs_cmi *cmi, uint32_t i, uint32_t j, const uint32_t *both);

/* Values of the pairs of one feature; one per thread. */
typedef struct hs_cmi_pairs {
    uint32_t *both;  /* [d * K] */
    double *apart;   /* [groups]: of pairs that never occur together */
    uint32_t *valid; /* [groups]: for this feature - 1 */
    uint32_t *none;  /* [K]: 0 */
} hs_cmi_pairs;

HSEL_CHECKED int hs_cmi_pairs_init(const hs_cmi *cmi, hs_arena *arena, hs_cmi_pairs *out,
                                   hsel_error *error);
/* Of i and j, once hs_cmi_count has put the counts of i into pairs->both. */
static inline double hs_cmi_pair(const hs_cmi *cmi, const hs_cmi_pairs *pairs, uint32_t i,
                                 uint32_t j)
{
    const uint32_t *both = pairs->both + (size_t)j * cmi->classes, group = cmi->group[j];
    uint32_t any = 0;
    for (uint32_t c = 0; c < cmi->classes; c++)
        any |= both[c];
    if (any)
        return hs_cmi_of(cmi, i, j, both);
    if (pairs->valid[group] != i + 1)
        pairs->apart[group] = hs_cmi_of(cmi, i, j, pairs->none);
    pairs->valid[group] = i + 1;
    return pairs->apart[group];
}

static inline uint32_t hs_cmi_positive(const hs_cmi *cmi, uint32_t c, uint32_t f)
{
    return cmi->positive[(size_t)f * cmi->classes + c];
}

/* Of `all` instances of a class `a` and `b` have one feature and the other, `both` have both: their
 * mutual information in the class, in bits, times `all`. */
static inline double hs_pair_bits(double all, double a, double b, double both)
{
    const double cell[4] = {both, a - both, b - both, all - a - b + both},
                 row[4] = {a, a, all - a, all - a}, column[4] = {b, all - b, b, all - b};
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += cell[i] > 0 ? cell[i] * log2(cell[i] * all / (row[i] * column[i])) : 0;
    return sum;
}

/* A pair of features with its value. */
typedef struct hs_cmi_link {
    double value;
    uint32_t i, j; /* in any order */
} hs_cmi_link;

/* The order in which trees take pairs: by falling value, ties by the smaller index, then by the
 * other one. */
static inline bool hs_cmi_before(const hs_cmi_link *a, const hs_cmi_link *b)
{
    if (a->value != b->value) /* nearly always */
        return a->value > b->value;
    const uint32_t i = a->i < a->j ? a->i : a->j, k = b->i < b->j ? b->i : b->j;
    return i != k ? i < k : (a->i ^ a->j ^ i) < (b->i ^ b->j ^ k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditional mutual information of two binary features given the class, and the counts behind it,
 * for the tree-augmented classifiers.
 *
 *     I(i; j | C) = sum over c of P(c) sum over a, b of P(a,b|c) log2(P(a,b|c) / (P(a|c) P(b|c)))
 *     P(a,b|c) = (n_cab + 1)/(n_c + 4),  P(a|c) = (n_ca + 1)/(n_c + 2),  P(c) = (n_c + 1)/(N + K)
 *
 * The smoothing is that of Wan's programs, so the value may be slightly below 0. It is one fixed
 * expression of the counts, with the four cells added as (00 + 11) + (01 + 10): equal tables give
 * equal values, also with features swapped or turned round. Empirical, that is without smoothing,
 * P(a,b|c) = n_cab/n_c and so on, it is exact: equal values are equal.
 *
 * Columns of bits, one set per class; a pair takes one popcount over them, O(n / 64 + K).
 */
#ifndef HS_CLASSIFY_CMI_H
#define HS_CLASSIFY_CMI_H

#include "data/training.h"
#include "measure/exact.h"

typedef struct hs_cmi { /* zero-initialise; hs_cmi_clear frees */
    uint32_t features, classes, instances;
    uint32_t *class_size;    /* [K] */
    hs_bit_columns *columns; /* [K]: of the instances of a class */
    uint32_t *positive;      /* [d * K] */
    double *logs;            /* log2(n) for n = 1 … largest class + 4 */
    double *prior;           /* [K] */
    hs_u128 *n_log_n;        /* [largest class + 1], for empirical values; NULL: smoothed ones */
} hs_cmi;

/* Counts the instances of the view that have a class. All features, whatever the view's mask.
 * Empirical: values without smoothing. hs_cmi_clear also after a failure. */
HSEL_CHECKED int hs_cmi_init(const hs_view *view, bool empirical, hs_cmi *out, hsel_error *error);
/* Without counts; what is left to do once classes, class_size and columns are there. */
HSEL_CHECKED int hs_cmi_new(uint32_t features, uint32_t classes, hs_cmi *out, hsel_error *error);
HSEL_CHECKED int hs_cmi_ready(hs_cmi *cmi, bool empirical, hsel_error *error);
void hs_cmi_clear(hs_cmi *cmi);

double hs_cmi_of(const hs_cmi *cmi, uint32_t i, uint32_t j);

/* Instances of class c with both features. */
static inline uint32_t hs_cmi_both(const hs_cmi *cmi, uint32_t c, uint32_t i, uint32_t j)
{
    const hs_bit_columns *columns = &cmi->columns[c];
    return (uint32_t)hs_bits_count_and(hs_bit_column(columns, i), hs_bit_column(columns, j),
                                       hs_bit_words(columns->rows));
}

static inline uint32_t hs_cmi_positive(const hs_cmi *cmi, uint32_t c, uint32_t f)
{
    return cmi->positive[(size_t)f * cmi->classes + c];
}

/* Does (x, i, j) come before (y, k, l) when pairs i < j, k < l are sorted by falling value, equal
 * ones by index? */
static inline bool hs_cmi_before(double x, uint32_t i, uint32_t j, double y, uint32_t k, uint32_t l)
{
    if (x != y)
        return x > y;
    return i != k ? i < k : j < l;
}

#endif

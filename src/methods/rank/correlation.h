/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Correlation of two features over the labelled rows of a training part: Pearson's of the values,
 * or of their ranks (Spearman's). Zeros of sparse columns cost nothing.
 */
#pragma once

#include "rank/rank.h"

typedef enum hs_correlation_kind { HS_PEARSON, HS_SPEARMAN } hs_correlation_kind;

/* Two equal columns may differ from 1 by this much. */
#define HS_CORRELATION_TOLERANCE 1e-12

typedef struct hs_side { /* a feature that was read */
    uint32_t *position;  /* [count]: ascending positions of rows whose value is not 0 … */
    double *value;       /* … these, or what their ranks are above that of 0; NaN: missing */
    uint32_t count, missing;
    double mean,
        spread;   /* of the known values; spread: root of the sum of squares about the mean */
    double scale; /* what values were multiplied with: 1, or far from it a power of 2 */
    bool constant;
} hs_side;

typedef struct hs_correlator { /* zero-initialise; hs_correlator_clear frees */
    const hsel_dataset *data;
    hs_correlation_kind kind;
    uint32_t rows;      /* labelled */
    uint32_t *position; /* [instances]: among these; HSEL_NONE: not among them */
    uint32_t *row;      /* [rows] */
    hs_side fixed, other;
    double *spread_out;    /* [rows]: values of `fixed`, 0 between */
    double *read, *sorted; /* [rows], for ranks, as are the following */
    uint32_t *where;
    uint64_t *place, *spare;
    hs_arena memory;
} hs_correlator;

HSEL_CHECKED int hs_correlator_init(hs_correlator *c, const hs_training *training,
                                    hs_correlation_kind kind, hsel_error *error);
void hs_correlator_clear(hs_correlator *c);
/* Reads the feature that the following are correlated with; HSEL_NONE: the target, or, of two
 * classes, 1 for the positive one and 0 for the other. HSEL_EUSAGE: it is nominal. */
HSEL_CHECKED int hs_correlator_fix(hs_correlator *c, uint32_t feature, hsel_error *error);
/* Its correlation with another, over the rows where both are known; NaN: one of them is constant
 * there. */
HSEL_CHECKED int hs_correlator_with(hs_correlator *c, uint32_t feature, double *correlation,
                                    hsel_error *error);

/* Of each feature of the view's mask the share of the variance of the numeric target that it
 * explains, over the rows where it is known: of a binary or nominal one the variance of the means
 * by value; of a numeric one the square of its correlation with the target or, cut by quantiles,
 * the variance of the means by interval. 0 for constant ones. */
HSEL_CHECKED int hs_explained_features(const hs_training *training, const hs_cuts *cuts,
                                       double *score, hsel_error *error);

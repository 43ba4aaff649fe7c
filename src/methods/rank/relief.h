/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF weights of features of any type, for the rankers and for the selector of that name.
 */
#pragma once

#include "data/data.h"

/* Which of equally near neighbours are used: as in WEKA, with instances in their original order, or
 * on training parts in the order of the fold scheme (outside of cross-validation there is none). */
typedef enum hs_relief_order { HS_RELIEF_BY_INDEX, HS_RELIEF_BY_FOLDS } hs_relief_order;

typedef struct hs_relief_options {
    uint32_t k, sigma;
    bool weight;
    int order; /* hs_relief_order */
} hs_relief_options;

/* Sets weight[i] of features[i], i < count. The same weights at any number of threads. */
HSEL_CHECKED int hs_relief_weights(const hs_training *training, const hs_relief_options *options,
                                   const uint32_t *features, uint32_t count, double *weight,
                                   hsel_error *error);

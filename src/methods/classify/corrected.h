/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corrected impurity importance of features (Nembrini, König, Wright 2018): of forests in which a
 * copy of each feature, with its values permuted, is offered to the splits as well. The decrease of
 * the Gini index by splits on a feature minus that by splits on its copy; 0 on average for a
 * feature unrelated to the class, whatever its values are.
 */
#pragma once

#include "data/data.h"

typedef struct hs_corrected_options {
    uint32_t trees;
    uint32_t tried; /* of features and copies at a node; 0: the root of the number of features,
                       rounded down */
    uint32_t min;   /* nodes of this many instances or fewer are leaves */
} hs_corrected_options;

/* Columns of some features as ranks of their values over the labelled rows, a missing value below
 * all others. Threads may share it. */
typedef struct hs_corrected { /* zero-initialise; hs_corrected_clear frees */
    uint32_t rows, classes, features;
    uint32_t *label;                    /* [rows] */
    uint32_t *code;                     /* [features * rows]: 0 … values - 1 */
    uint32_t *values;                   /* [features] */
    const struct hs_progress *progress; /* called for every tree; may be NULL */
    hs_exchange exchange; /* exchanges rows in the copies, by groups if there are any */
    hs_arena memory;
} hs_corrected;

HSEL_CHECKED int hs_corrected_init(hs_corrected *columns, const hs_training *training,
                                   const uint32_t *features, uint32_t count, hsel_error *error);
void hs_corrected_clear(hs_corrected *columns);

/* Importance of each feature in one forest, the mean over its trees in shares of the instances:
 * into importance[features]. The forest is a function of the columns, options and stream.
 * `scratch`: one per thread, for any number of forests. */
HSEL_CHECKED int hs_corrected_forest(const hs_corrected *columns,
                                     const hs_corrected_options *options, hs_stream *stream,
                                     hs_arena *scratch, double *importance, hsel_error *error);

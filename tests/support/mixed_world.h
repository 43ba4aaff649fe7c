/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random training parts with binary, numeric and nominal features and missing values, as a
 * data set and as a matrix of numbers: what trees are compared on. Values come from few, so that
 * ties abound.
 */
#ifndef HS_TESTS_MIXED_WORLD_H
#define HS_TESTS_MIXED_WORLD_H

#include "core/random.h"
#include "data/training.h"

#define MIXED_ROWS     48
#define MIXED_FEATURES 8
#define MIXED_VALUES   4 /* of a nominal feature, at most */
#define MIXED_CLASSES  4

typedef enum hs_mixture { HS_MIXED_BINARY, HS_MIXED_KNOWN, HS_MIXED_MISSING } hs_mixture;

typedef struct hs_mixed {
    hsel_dataset *data;
    uint32_t rows, features, classes;
    hsel_feature_type type[MIXED_FEATURES];
    uint32_t values[MIXED_FEATURES];         /* of a nominal or binary feature */
    double cell[MIXED_ROWS][MIXED_FEATURES]; /* 0/1, number, code; NaN: missing */
    uint32_t label[MIXED_ROWS];              /* HSEL_NONE: no class */
    bool use[MIXED_FEATURES];                /* in the feature mask */
    bool train[MIXED_ROWS];                  /* a training row (may have no class) */
    uint64_t mask[1];
    uint32_t row[MIXED_ROWS];
    hs_counts counts;
    hs_training training;
} hs_mixed;

/* Classes follow the first feature in part. */
void hs_mixed_new(hs_mixed *world, hs_stream *stream, hs_mixture mixture);
void hs_mixed_free(hs_mixed *world);
/* Branch of a row by a test on the matrix; HSEL_NONE: missing. */
uint32_t hs_mixed_branch(const hs_mixed *world, uint32_t row, uint32_t feature, double threshold);

#endif

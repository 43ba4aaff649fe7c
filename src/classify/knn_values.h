/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of k-NN for numeric and nominal features: what knn.c adds to the distance of the binary
 * ones.
 */
#ifndef HS_CLASSIFY_KNN_VALUES_H
#define HS_CLASSIFY_KNN_VALUES_H

#include "data/training.h"

typedef struct hs_knn_values hs_knn_values;

/* The features of the mask (NULL: all) that are not binary, of these training instances. */
HSEL_CHECKED int hs_knn_values_new(const hsel_dataset *data, const uint64_t *mask,
                                   const uint32_t *rows, uint32_t count, hs_knn_values **out,
                                   hsel_error *error);
void hs_knn_values_free(hs_knn_values *values);

typedef struct hs_knn_values_scratch {
    double *instance;  /* [columns] */
    uint32_t *columns; /* those selected */
    double *distance;  /* [training instances] */
    double *nearest;   /* [k]: heap of the smallest distances, the largest in front */
    uint32_t k;
} hs_knn_values_scratch;

HSEL_CHECKED int hs_knn_values_scratch_init(hs_knn_values_scratch *scratch,
                                            const hs_knn_values *values, uint32_t k,
                                            hsel_error *error);
void hs_knn_values_scratch_clear(hs_knn_values_scratch *scratch);

/* Squared distances into scratch->distance, `binary` being those on the binary features; returns
 * the k-th smallest. Distances beyond it may be left unfinished. */
double hs_knn_values_distances(const hs_knn_values *values, const hsel_dataset *data,
                               uint32_t instance, const hs_selection *selection,
                               const int32_t *binary, hs_knn_values_scratch *scratch);

#endif

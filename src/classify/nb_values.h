/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of naive Bayes for numeric and nominal features: what nb.c adds to the logarithms of the
 * binary ones.
 */
#ifndef HS_CLASSIFY_NB_VALUES_H
#define HS_CLASSIFY_NB_VALUES_H

#include "core/writer.h"
#include "data/training.h"

typedef struct hs_nb_settings {
    int numeric; /* 0: Gaussian, 1: kernels */
    int tails;   /* 0: as WEKA, 1: exact */
} hs_nb_settings;

typedef struct hs_nb_values hs_nb_values;

HSEL_CHECKED int hs_nb_values_fit(const hs_training *training, const hs_nb_settings *settings,
                                  hs_nb_values **out, hsel_error *error);
void hs_nb_values_free(hs_nb_values *values);

/* Adds log P(x_f | c) of the selected features (NULL: all of the fit) that are not missing in the
 * instance. Allocates nothing. */
void hs_nb_values_add(const hs_nb_values *values, const hsel_dataset *data, uint32_t instance,
                      const hs_selection *selection, double *sum);
/* log P(value | label); 0 for a feature that was not fitted and for a missing value. */
double hs_nb_values_log(const hs_nb_values *values, uint32_t feature, double value, uint32_t label);

void hs_nb_values_write(const hs_nb_values *values, hs_writer *out);
/* HSEL_EFORMAT (without a message) for bytes that are not what was written for this shape. */
HSEL_CHECKED int hs_nb_values_read(const char *bytes, size_t length, const hsel_dataset *shape,
                                   hs_nb_values **out, hsel_error *error);

#endif

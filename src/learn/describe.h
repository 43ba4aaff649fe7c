/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Descriptions of a trained model.
 */
#pragma once

#include "classify/classify.h"
#include "learn/model.h"

/* An edge of a network of features, with their mutual information given the class, in bits. */
typedef struct hs_dependency {
    uint32_t feature, on;
    double strength;
} hs_dependency;
/* The network of the classifier, strongest edges first; none if it is not one. hs_free frees. */
HSEL_CHECKED int hs_model_network(const hs_model *model, hs_dependency **out, uint32_t *count,
                                  hsel_error *error);
/* What a single binary feature adds to the log-odds of a class against the rest, from counts, as in
 * naive Bayes; with more than two classes, for the class with the strongest evidence. */
typedef struct hs_telling {
    uint32_t feature, label;
    double present, absent;
} hs_telling;
/* Of the features in use, those that add something, the most first. hs_free frees. */
HSEL_CHECKED int hs_model_telling(const hs_model *model, hs_telling **out, uint32_t *count,
                                  hsel_error *error);
/* The whole description: by the classifier's own `describe`, else both of these. */
HSEL_CHECKED int hs_model_describe(const hs_model *model, hs_describe_form form, hs_writer *out,
                                   hsel_error *error);

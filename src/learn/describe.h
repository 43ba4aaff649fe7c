/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model learned as a whole.
 */
#ifndef HS_LEARN_DESCRIBE_H
#define HS_LEARN_DESCRIBE_H

#include "classify/classify.h"
#include "learn/model.h"

/* An edge of a network of features, and how much the two tell of each other given the class, in
 * bits. */
typedef struct hs_dependency {
    uint32_t feature, on;
    double strength;
} hs_dependency;
/* The network of the classifier, strongest edges first; none if it is not one. hs_free frees. */
HSEL_CHECKED int hs_model_network(const hs_model *model, hs_dependency **out, uint32_t *count,
                                  hsel_error *error);
/* What a binary feature alone adds to the log-odds of a class against the rest, by the counts, as
 * naive Bayes has it; of more than two classes of the one for which it speaks most. */
typedef struct hs_telling {
    uint32_t feature, label;
    double present, absent;
} hs_telling;
/* Of the features in use, those that add something, the most first. hs_free frees. */
HSEL_CHECKED int hs_model_telling(const hs_model *model, hs_telling **out, uint32_t *count,
                                  hsel_error *error);
/* What was learned as a whole: by the classifier's own `describe`, else both of these. */
HSEL_CHECKED int hs_model_describe(const hs_model *model, hs_describe_form form, hs_writer *out,
                                   hsel_error *error);

#endif

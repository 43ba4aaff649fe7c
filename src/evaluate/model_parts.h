/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What model.c and model_file.c share, and nobody else.
 */
#ifndef HS_EVALUATE_MODEL_PARTS_H
#define HS_EVALUATE_MODEL_PARTS_H

#include "data/builder.h"
#include "evaluate/model.h"

/* An empty model of these methods. */
HSEL_CHECKED int hs_model_new(const char *selector, const char *classifier, hs_model **out,
                              hsel_error *error);
/* Prepares a lazy selector from the counts and the hierarchy that the model itself holds. */
HSEL_CHECKED int hs_model_prepare_lazy(hs_model *model, hsel_error *error);

#endif

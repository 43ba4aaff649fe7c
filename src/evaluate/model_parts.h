/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What model.c, model_file.c and align.c share, and nobody else.
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
/* Gives the data set a copy of the hierarchy; NULL: none. */
HSEL_CHECKED int hs_attach_copy(hsel_dataset *data, const hsel_dag *dag, hsel_error *error);

#endif

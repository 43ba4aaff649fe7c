/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A classifier's prediction for one instance: a batch of one; and what its features say.
 */
#ifndef HS_TESTS_PREDICT_ONE_H
#define HS_TESTS_PREDICT_ONE_H

#include "classify/classify.h"

static inline int hs_predict_one(const hs_classifier *classifier, const void *model,
                                 const hsel_dataset *data, uint32_t instance,
                                 const hs_selection *selection, void *scratch, double *probability,
                                 double *score, hsel_error *error)
{
    hs_batch batch = {data, &instance, 1, selection};
    return classifier->predict(model, &batch, scratch, probability, score, error);
}

static inline int hs_contributions_one(const hs_classifier *classifier, const void *model,
                                       const hsel_dataset *data, uint32_t instance,
                                       const hs_selection *selection, void *scratch, uint32_t label,
                                       double *prior, double *contribution, hsel_error *error)
{
    hs_batch batch = {data, &instance, 1, selection};
    return classifier->contributions(model, &batch, scratch, label, prior, contribution, error);
}

#endif

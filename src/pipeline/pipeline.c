/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages, one after another.
 */
#include "pipeline/pipeline.h"

#include "core/mem.h"
#include "core/progress.h"
#include "data/classes.h"
#include "format/load.h"

void hs_pipeline_clear(hs_pipeline *p)
{
    for (size_t c = 0; p->fitted && c < p->count; c++) {
        if (p->fitted[c].model)
            p->classifiers[c].method->classifier->free(p->fitted[c].model);
        hs_adjust_clear(&p->fitted[c].adjust);
    }
    if (p->state)
        p->selector->method->selector->free(p->state);
    HS_FREE(p->mask, p->candidates, p->fitted);
    hs_dataset_free(hs_take(&p->made)); /* last: the others may look at it */
    p->mask = p->candidates = NULL;
    p->fitted = NULL;
    p->state = NULL;
}

static int fit_selector(hs_pipeline *p, hs_training training, hsel_error *error)
{
    const hs_selector *selector = p->selector->method->selector;
    const hsel_dataset *data = training.view.data;
    const bool lazy = hs_pipeline_is_lazy(p);
    if (lazy && p->shape)
        training =
            (hs_training){.view = hs_view_all(p->shape), .counts = training.counts, .threads = 1};
    else if (!training.view.features)
        HS_TRY(hs_candidates_new(data, &p->candidates, error));
    if (p->candidates)
        training.view.features = p->candidates;
    HS_TRY(selector->prepare(&training, p->selector->options, &p->state, error));
    if (lazy)
        return HSEL_OK;
    HS_NEED(p->mask = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features)));
    HS_TRY(selector->select_features(p->state, p->mask, error));
    hs_covariates_keep(data, p->mask);
    return HSEL_OK;
}

/* A stopwatch that never stands still: what has passed since `last` is of a part. */
static void lap(const hs_pipeline *p, size_t part, double *last)
{
    double at = p->seconds ? hs_now() : 0;
    if (p->seconds)
        p->seconds[part] += at - *last;
    *last = at;
}

int hs_pipeline_fit(hs_pipeline *p, const hs_training *given, hsel_error *error)
{
    hs_training training = *given;
    double last = p->seconds ? hs_now() : 0;
    HS_NEED(p->fitted = HS_NEW_ZERO(hs_trained, p->count));
    HS_TRY(hs_recipe_of_view(&training.view, &p->made, error));
    if (p->selector)
        HS_TRY(fit_selector(p, training, error));
    lap(p, 0, &last);
    for (size_t c = 0; c < p->count && !p->plain; c++) {
        if (!hs_pipeline_runs(p, c))
            continue;
        HS_TRY(hs_adjust_learn(&training, p->selector, &p->classifiers[c], &p->fitted[c].adjust,
                               error));
        lap(p, 1 + c, &last);
    }
    if (p->mask)
        training.view.features = p->mask;
    for (size_t c = 0; c < p->count; c++) {
        if (!hs_pipeline_runs(p, c))
            continue;
        HS_TRY(hs_classifier_fit(&p->classifiers[c], &training, &p->fitted[c].model, error));
        lap(p, 1 + c, &last);
    }
    return HSEL_OK;
}

int hs_pipeline_select(const hs_pipeline *p, const hsel_dataset *data, uint32_t instance,
                       hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    return p->selector->method->selector->select_for(p->state, row, count, scratch, out, error);
}

int hs_pipeline_predict(const hs_pipeline *p, size_t c, const hs_batch *batch, void *scratch,
                        double *probability, double *score, hsel_error *error)
{
    HS_TRY(p->classifiers[c].method->classifier->predict(p->fitted[c].model, batch, scratch,
                                                         probability, score, error));
    hs_adjust_apply(&p->fitted[c].adjust, batch->data->class_names.count, batch->count, probability,
                    score);
    return HSEL_OK;
}

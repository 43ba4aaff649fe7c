/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages, one after another.
 */
#include "pipeline/pipeline.h"

#include "load/load.h"

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
    hs_dataset_free(hs_take(&p->made)); /* last: the others may use it */
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
    else
        HS_TRY(hs_candidates_new(data, &p->candidates, error));
    for (size_t w = 0; p->candidates && training.view.features && w < hs_bit_words(data->features);
         w++)
        p->candidates[w] &= training.view.features[w];
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

/* A stopwatch: the time since `last` is assigned to a part. */
static void lap(const hs_pipeline *p, size_t part, double *last)
{
    double at = p->seconds ? hs_now() : 0;
    if (p->seconds)
        p->seconds[part] += at - *last;
    *last = at;
}

static bool adjusts(const hs_pipeline *p, size_t c)
{
    return !p->plain && !(p->scores_only && hs_adjust_keeps(&p->classifiers[c]));
}

int hs_pipeline_fit(hs_pipeline *p, const hs_training *given, hsel_error *error)
{
    hs_training training = *given;
    double last = p->seconds ? hs_now() : 0;
    training.lean = p->plain || p->scores_only;
    HS_NEED(p->fitted = HS_NEW_ZERO(hs_trained, p->count));
    if (!p->prepared)
        HS_TRY(hs_recipe_of_view(&training.view, &p->made, error));
    if (p->selector)
        HS_TRY(fit_selector(p, training, error));
    lap(p, 0, &last);
    for (size_t c = 0; c < p->count; c++) {
        if (!hs_pipeline_runs(p, c) || !adjusts(p, c) ||
            hs_adjust_by_model(p->selector, &p->classifiers[c]))
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
        const bool by_model = adjusts(p, c) && hs_adjust_by_model(p->selector, &p->classifiers[c]);
        HS_OWNED double *own = by_model
                                   ? HS_NEW(double, training.view.row_count *(size_t)hs_answers(
                                                        training.view.data->class_names.count))
                                   : NULL;
        HS_NEED(own || !by_model);
        training.own_score = by_model ? own : p->own_score ? p->own_score[c] : NULL;
        HS_TRY(hs_classifier_fit(&p->classifiers[c], &training, &p->fitted[c].model, error));
        if (by_model)
            HS_TRY(hs_adjust_learn_own(&training, &p->classifiers[c], own, &p->fitted[c].adjust,
                                       error));
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

/* ---- model files ---- */

/* A classifier's part, after its length. */
static int model_fields(const hs_classifier *classifier, void **model, const hsel_dataset *shape,
                        hs_transfer *file, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf bytes = {0};
    uint64_t length;
    if (!hs_reads(file)) {
        HS_OWNS(hs_writer_release) hs_writer *memory = NULL;
        HS_TRY(hs_writer_open_memory(&bytes, &memory, error));
        HS_TRY(hs_classifier_write(classifier, *model, memory, error));
        HS_TRY(hs_writer_commit(hs_take(&memory), error));
        length = bytes.length;
        HS_FIELDS(file, HS_VALUE(length, HS_ANY), HS_LIST(bytes.text, length, HS_ANY));
        return HSEL_OK;
    }
    HS_FIELDS(file, HS_VALUE(length, 0, (double)file->left));
    if (length > file->left)
        return HSEL_EFORMAT;
    hs_transfer part = {.at = file->at, .left = (size_t)length};
    file->at += length;
    file->left -= (size_t)length;
    return hs_classifier_take(classifier, &part, shape, model, error);
}

int hs_pipeline_fields(hs_pipeline *p, const hsel_dataset *shape, const uint64_t *mask,
                       const hs_counts *counts, hs_transfer *file, hsel_error *error)
{
    const hs_selector *selector = p->selector->method->selector;
    if (hs_reads(file))
        HS_NEED(p->fitted = HS_NEW_ZERO(hs_trained, p->count));
    if (!hs_pipeline_is_lazy(p)) {
        if (hs_reads(file))
            HS_NEED(p->mask = HS_NEW(uint64_t, hs_bit_words(shape->features)));
        HS_FIELDS(file, HS_BIT_SET(p->mask, shape->features));
    } else if (hs_reads(file)) {
        hs_training training = {.view = hs_view_all(shape), .counts = counts, .threads = 1};
        training.view.features = mask;
        HS_TRY(selector->prepare(&training, p->selector->options, &p->state, error));
    }
    for (size_t m = 0; m < p->count; m++)
        HS_TRY(model_fields(p->classifiers[m].method->classifier, &p->fitted[m].model, shape, file,
                            error));
    return HSEL_OK;
}

/* ---- predicting many instances ---- */

void hs_predictor_end(hs_predictor *p)
{
    for (size_t c = 0; p->scratch && c < p->pipeline->count; c++)
        if (p->scratch[c])
            p->pipeline->classifiers[c].method->classifier->scratch_free(p->scratch[c]);
    hs_free(hs_take(&p->scratch));
    p->pipeline = NULL;
}

void hs_predictor_clear(hs_predictor *p)
{
    hs_predictor_end(p);
    hs_lazy_scratch_clear(&p->lazy);
    hs_selection_clear(&p->selection);
    HS_FREE(p->probability, p->score);
    *p = (hs_predictor){0};
}

int hs_predictor_choose(hs_predictor *p, uint32_t features, hsel_error *error)
{
    if (p->chooses)
        return HSEL_OK;
    hs_lazy_scratch_clear(&p->lazy); /* of a try that failed */
    hs_selection_clear(&p->selection);
    HS_TRY(hs_lazy_scratch_init(&p->lazy, features, error));
    HS_TRY(hs_selection_init(&p->selection, features, error));
    p->chooses = true;
    return HSEL_OK;
}

int hs_predictor_begin(hs_predictor *p, const hs_pipeline *pipeline, const hsel_dataset *data,
                       hsel_error *error)
{
    const size_t numbers = HS_BATCH * hs_answers(data->class_names.count);
    p->last = pipeline->seconds ? hs_now() : 0;
    p->pipeline = pipeline;
    HS_NEED(p->scratch = HS_NEW_ZERO(void *, pipeline->count));
    HS_NEED(p->probability || (p->probability = HS_NEW(double, numbers)));
    HS_NEED(p->score || (p->score = HS_NEW(double, numbers)));
    if (hs_pipeline_is_lazy(pipeline))
        HS_TRY(hs_predictor_choose(p, data->features, error));
    for (size_t c = 0; c < pipeline->count; c++) {
        const hs_classifier *classifier = pipeline->classifiers[c].method->classifier;
        if (!hs_pipeline_runs(pipeline, c) || !classifier->scratch_new)
            continue;
        HS_TRY(classifier->scratch_new(pipeline->fitted[c].model, &p->scratch[c], error));
        lap(pipeline, 1 + c, &p->last);
    }
    return HSEL_OK;
}

/* Some instances, from number `at` on, by one classifier. */
static int predict_batch(hs_predictor *p, const hs_predict_request *r, size_t c, uint32_t at,
                         uint32_t count, hsel_error *error)
{
    const size_t classes = r->data->class_names.count, answers = hs_answers((uint32_t)classes);
    const hs_trained *fitted = &p->pipeline->fitted[c];
    const hs_batch batch = {.data = r->data,
                            .instances = r->instances + at,
                            .count = count,
                            .selection = hs_pipeline_is_lazy(p->pipeline) ? &p->selection : NULL};
    HS_TRY(hs_progress_ask(r->progress, error));
    HS_TRY(p->pipeline->classifiers[c].method->classifier->predict(
        fitted->model, &batch, p->scratch[c], p->probability, p->score, error));
    hs_adjust_apply(&fitted->adjust, (uint32_t)classes, count, p->probability, p->score);
    for (uint32_t i = 0; i < count; i++) {
        const size_t to = r->place ? r->place[at + i] : at + i;
        if (r->to[c].probability)
            memcpy(r->to[c].probability + to * classes, p->probability + i * classes,
                   classes * sizeof *p->probability);
        if (r->to[c].score)
            memcpy(r->to[c].score + to * r->width, p->score + (i + 1) * answers - r->width,
                   r->width * sizeof *p->score);
    }
    return HSEL_OK;
}

int hs_predictor_run(hs_predictor *p, const hs_predict_request *r, hsel_error *error)
{
    const hs_pipeline *pipeline = p->pipeline;
    const bool lazy = hs_pipeline_is_lazy(pipeline);
    const uint32_t step = lazy ? 1 : r->count; /* a selection is for one instance */
    for (uint32_t i = 0; i < r->count; i += step) {
        if (lazy) {
            HS_TRY(hs_pipeline_select(pipeline, r->data, r->instances[i], &p->lazy, &p->selection,
                                      error));
            if (r->selected)
                r->selected(r->context, r->instances[i], &p->selection);
            lap(pipeline, 0, &p->last);
        }
        for (size_t c = 0; c < pipeline->count; c++) {
            if (!hs_pipeline_runs(pipeline, c))
                continue;
            for (uint32_t at = i; at < i + step; at += HS_BATCH)
                HS_TRY(predict_batch(p, r, c, at,
                                     i + step - at < HS_BATCH ? i + step - at : HS_BATCH, error));
            lap(pipeline, 1 + c, &p->last);
        }
    }
    return HSEL_OK;
}

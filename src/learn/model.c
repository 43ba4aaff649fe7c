/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training and predicting outside cross-validation.
 */
#include "learn/model.h"

#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "data/classes.h"
#include "data/transform.h"
#include "learn/crossval.h"
#include "learn/memory.h"
#include "load/load.h"

void hs_model_free(hs_model *model)
{
    if (!model)
        return;
    hs_pipeline_clear(&model->pipeline);
    hs_counts_clear(&model->counts);
    hs_free(model->scores);
    hs_dataset_free(model->shape);
    hs_dataset_free(model->data);
    hs_chosen_clear(&model->selector);
    hs_chosen_clear(&model->classifier);
    hs_free(model);
}

int hs_model_new(const char *selector, const char *classifier, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_model_release) hs_model *model = HS_NEW_ZERO(hs_model, 1);
    HS_NEED(model);
    HS_TRY(hs_chosen_parse(HS_SELECTOR, selector, &model->selector, error));
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, classifier, &model->classifier, error));
    model->pipeline =
        (hs_pipeline){.selector = &model->selector, .classifiers = &model->classifier, .count = 1};
    *out = hs_take(&model);
    return HSEL_OK;
}

/* ---- training ---- */

int hs_model_train(const hsel_dataset *data, const char *selector, const char *classifier,
                   uint32_t without, bool allow_violations, uint64_t seed, int threads,
                   const hs_progress *progress, hs_model **out, hsel_error *error)
{
    return hs_model_train_weighted(data, NULL, selector, classifier, without, allow_violations,
                                   seed, threads, progress, out, error);
}

int hs_model_train_weighted(const hsel_dataset *data, const double *weight, const char *selector,
                            const char *classifier, uint32_t without, bool allow_violations,
                            uint64_t seed, int threads, const hs_progress *progress, hs_model **out,
                            hsel_error *error)
{
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNED uint32_t *rows = HS_NEW(uint32_t, data->instances);
    hs_training training = {.view = {.data = data, .rows = rows},
                            .seed = seed,
                            .progress = progress,
                            .reasons = true,
                            .threads = threads};
    bool weighted = false;
    HS_NEED(rows);
    HS_TRY(hs_model_new(selector, classifier, &model, error));
    model->data = hs_dataset_share(data);
    HS_TRY(hs_check_methods(data, model->selector.method, model->classifier.method,
                            allow_violations, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const double weighs = weight ? weight[i] : 1;
        if (!(weighs >= 0 && isfinite(weighs)))
            return hs_fail(error, HSEL_EUSAGE,
                           "the weight of instance %u of %s is %g, and must be 0 or above and "
                           "finite",
                           i, hsel_dataset_name(data), weighs);
        if (!hs_has_label(data, i) || i == without || weighs == 0)
            continue;
        rows[training.view.row_count++] = i;
        weighted |= weighs != 1;
    }
    training.weight = weighted ? weight : NULL;
    if (training.view.row_count == 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "there is nothing to learn from: %s has no instance with a %s%s",
                       hsel_dataset_name(data), data->target ? "target" : "class",
                       weight ? " and a weight above 0" : "");
    HS_TRY(hs_memory_check(&(hs_memory_plan){.data = data,
                                             .selectors = &model->selector,
                                             .classifiers = &model->classifier,
                                             .selector_count = 1,
                                             .classifier_count = 1,
                                             .folds = 1,
                                             .tasks = 1,
                                             .threads = hs_threads(threads)},
                           progress ? progress->notes : NULL, error));
    HS_TRY(hs_counts_of(&training.view, &model->counts, error));
    hsel_dataset *made = NULL;
    HS_TRY(hs_recipe_of_view(&training.view, &made, error));
    if (made) {
        hs_dataset_free(model->data);
        model->data = made;
    }
    HS_TRY(hs_dataset_shape(training.view.data, &model->shape, error));
    training.counts = &model->counts;
    model->pipeline.shape = model->shape;
    HS_TRY(hs_pipeline_fit(&model->pipeline, &training, error));
    const hs_selector *chosen = model->selector.method->selector;
    const double *scores =
        model->pipeline.mask && chosen->scores ? chosen->scores(model->pipeline.state) : NULL;
    if (scores)
        HS_NEED(model->scores = hs_copy(scores, model->shape->features, sizeof *scores));
    *out = hs_take(&model);
    return HSEL_OK;
}

const hsel_dataset *hs_model_form(const hs_model *model)
{
    return model->shape->recipe ? model->shape->recipe->raw : model->shape;
}

const double *hs_model_scores(const hs_model *model)
{
    const hs_selector *selector = model->selector.method->selector;
    if (model->pipeline.mask)
        return model->scores;
    return selector->scores ? selector->scores(model->pipeline.state) : NULL;
}

/* ---- predicting ---- */

void hs_model_scratch_clear(hs_model_scratch *scratch)
{
    hs_predictor_clear(&scratch->predictor);
    hs_free(scratch->kept);
    *scratch = (hs_model_scratch){0};
}

int hs_model_scratch_init(hs_model_scratch *scratch, const hs_model *model, hsel_error *error)
{
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch made = {0};
    const uint64_t *mask = model->pipeline.mask;
    const uint32_t features = model->shape->features;
    HS_TRY(hs_predictor_begin(&made.predictor, &model->pipeline, model->shape, error));
    HS_TRY(hs_predictor_choose(&made.predictor, features, error));
    if (mask)
        HS_NEED(made.kept = HS_NEW(uint32_t, hs_bits_count(mask, hs_bit_words(features))));
    for (uint32_t f = 0; mask && f < features; f++)
        if (hs_bit_get(mask, f))
            made.kept[made.kept_count++] = f;
    *scratch = made;
    made = (hs_model_scratch){0};
    return HSEL_OK;
}

int hs_model_predict(const hs_model *model, const hsel_dataset *data, uint32_t first,
                     uint32_t count, hs_model_scratch *scratch, double *probability, double *score,
                     uint32_t *selected, hsel_error *error)
{
    const size_t classes = model->shape->class_names.count, answers = hs_answers((uint32_t)classes);
    const uint32_t most =
        model->pipeline.mask ? HS_BATCH : 1; /* selections are asked for at once */
    uint32_t instances[HS_BATCH];
    for (uint32_t at = 0, done; at < count; at += done) {
        done = count - at < most ? count - at : most;
        for (uint32_t i = 0; i < done; i++)
            instances[i] = first + at + i;
        const struct hs_answer_lists to = {probability ? probability + at * classes : NULL,
                                           score ? score + at * answers : NULL};
        HS_TRY(hs_predictor_run(
            &scratch->predictor,
            &(hs_predict_request){
                .data = data, .instances = instances, .count = done, .to = &to, .width = answers},
            error));
        for (uint32_t i = 0; selected && i < done; i++)
            selected[at + i] = hs_model_selected(scratch, data, instances[i]);
    }
    return HSEL_OK;
}

uint32_t hs_model_selected(const hs_model_scratch *scratch, const hsel_dataset *data,
                           uint32_t instance)
{
    size_t positives;
    if (scratch->kept)
        return scratch->kept_count;
    hs_row(data, instance, &positives);
    return hs_selection_size(&scratch->predictor.selection, data->features, positives);
}

/* The features of an eager choice, by the values they have in the instance: two ascending lists. */
const hs_selection *hs_model_selection(hs_model_scratch *scratch, const hsel_dataset *data,
                                       uint32_t instance)
{
    hs_selection *out = &scratch->predictor.selection;
    size_t count, next = 0;
    if (!scratch->kept)
        return out;
    const uint32_t *row = hs_row(data, instance, &count);
    out->positive_count = out->negative_count = 0;
    out->all_negative = false;
    for (uint32_t i = 0; i < scratch->kept_count; i++) {
        uint32_t f = scratch->kept[i];
        while (next < count && row[next] < f)
            next++;
        if (next < count && row[next] == f)
            out->positive[out->positive_count++] = f;
        else
            out->negative[out->negative_count++] = f;
    }
    return out;
}

int hs_model_look(hs_model_scratch *scratch, const hs_model *model, const hsel_dataset *data,
                  uint32_t instance, hsel_error *error)
{
    HS_TRY(hs_model_scratch_init(scratch, model, error));
    HS_TRY(hs_model_predict(model, data, instance, 1, scratch, NULL, NULL, NULL, error));
    hs_model_selection(scratch, data, instance);
    return HSEL_OK;
}

void hs_model_why(hs_model_scratch *scratch, const hsel_dataset *data, uint32_t instance,
                  uint32_t feature, hs_verdict *out)
{
    hs_predictor *p = &scratch->predictor;
    const hs_pipeline *pipeline = p->pipeline;
    const hs_selector *selector = pipeline->selector->method->selector;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    if (pipeline->state && selector->why) {
        selector->why(pipeline->state, feature, row, count, &p->selection, &p->lazy, out);
        return;
    }
    bool kept = pipeline->mask ? hs_bit_get(pipeline->mask, feature)
                               : hs_selection_has(&p->selection, row, count, feature);
    *out = hs_verdict_of(feature, kept ? HS_RULE_KEPT : HS_RULE_DROPPED);
}

/* ---- a selector alone ---- */

void hs_learned_clear(hs_learned *learned)
{
    hs_pipeline_clear(&learned->pipeline);
    hs_counts_clear(&learned->counts);
    hs_free(learned->rows);
    *learned = (hs_learned){0};
}

int hs_learn(const hs_chosen *selector, const hsel_dataset *data, uint64_t seed, int threads,
             hs_learned *out, hsel_error *error)
{
    hs_training training = {.view = {.data = data},
                            .counts = &out->counts,
                            .seed = seed,
                            .progress = out->progress,
                            .journal = out->journal,
                            .threads = threads};
    out->pipeline = (hs_pipeline){.selector = selector};
    HS_TRY(hs_view_labelled(data, &out->rows, &training.view, error));
    HS_TRY(hs_counts_of(&training.view, &out->counts, error));
    HS_TRY(hs_pipeline_fit(&out->pipeline, &training, error));
    if (selector->method->selector->scores)
        out->scores = selector->method->selector->scores(out->pipeline.state);
    return HSEL_OK;
}

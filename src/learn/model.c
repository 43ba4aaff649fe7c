/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training and predicting outside cross-validation.
 */
#include "learn/model.h"

#include "classify/classify.h"
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
    if (classifier)
        HS_TRY(hs_chosen_parse(HS_CLASSIFIER, classifier, &model->classifier, error));
    model->pipeline = (hs_pipeline){.selector = &model->selector,
                                    .classifiers = &model->classifier,
                                    .count = classifier != NULL};
    *out = hs_take(&model);
    return HSEL_OK;
}

/* ---- training ---- */

/* The training rows of a classifier, and their weights unless all are 1: those of the request, or
 * else of the data. */
static int weigh_rows(const hs_model_request *r, hs_training *training, uint32_t **rows,
                      double **own, hsel_error *error)
{
    const hsel_dataset *data = r->data;
    hs_view *view = &training->view;
    if (!r->weight)
        HS_TRY(hs_weights_of(data, own, error));
    const double *weight = r->weight ? r->weight : *own;
    HS_NEED(*rows = HS_NEW(uint32_t, data->instances));
    *view = (hs_view){.data = data, .rows = *rows};
    for (uint32_t i = 0; i < data->instances; i++) {
        const double weighs = weight ? weight[i] : 1;
        HS_REFUSE(!(weighs >= 0 && isfinite(weighs)),
                  "the weight of instance %u of %s is %g, and must be 0 or above and finite", i,
                  hsel_dataset_name(data), weighs);
        if (!hs_has_label(data, i) || weighs == 0)
            continue;
        (*rows)[view->row_count++] = i;
        if (weighs != 1)
            training->weight = weight;
    }
    HS_REFUSE(view->row_count == 0,
              "there is nothing to learn from: %s has no instance with a %s%s",
              hsel_dataset_name(data), data->target ? "target" : "class",
              weight ? " and a weight above 0" : "");
    return HSEL_OK;
}

/* A search logs its progress and resumes after an interruption. */
static int fit(const hs_model_request *r, hs_model *model, hs_training *training, hsel_error *error)
{
    const hs_method *selector = model->selector.method;
    HS_REFUSE((r->log || r->checkpoint) && !(selector->flags & HS_REPORTS),
              "%s is for searches such as ga, but %s is not one",
              HS_OPTION_WORD(r->log ? "log" : "checkpoint"), selector->name);
    if (r->log || r->checkpoint)
        HS_TRY(hs_journal_open(r->log, r->checkpoint, &training->journal, error));
    int status = hs_pipeline_fit(&model->pipeline, training, error),
        closed = hs_journal_close(training->journal, status ? &(hsel_error){0} : error);
    return status ? status : closed;
}

int hs_model_train(const hs_model_request *r, hs_model **out, hsel_error *error)
{
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNED uint32_t *rows = NULL;
    HS_OWNED double *weight = NULL;
    hs_training training = {.seed = r->seed,
                            .progress = r->progress,
                            .reasons = r->classifier != NULL,
                            .threads = r->threads};
    HS_TRY(hs_model_new(r->selector, r->classifier, &model, error));
    model->data = hs_dataset_share(r->data);
    HS_TRY(hs_check_methods(r->data, model->selector.method, model->classifier.method,
                            r->allow_violations, error));
    HS_TRY(r->classifier ? weigh_rows(r, &training, &rows, &weight, error)
                         : hs_view_labelled(r->data, &rows, &training.view, error));
    if (r->classifier)
        HS_TRY(hs_memory_check(&(hs_memory_plan){.data = r->data,
                                                 .selectors = &model->selector,
                                                 .classifiers = &model->classifier,
                                                 .selector_count = 1,
                                                 .classifier_count = 1,
                                                 .folds = 1,
                                                 .tasks = 1,
                                                 .threads = hs_threads(r->threads)},
                               r->progress ? r->progress->notes : NULL, error));
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
    HS_TRY(fit(r, model, &training, error));
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
    HS_MOVE(scratch, &made);
    return HSEL_OK;
}

int hs_model_predict(const hs_model *model, const hsel_dataset *data, uint32_t first,
                     uint32_t count, hs_model_scratch *scratch, double *probability, double *score,
                     uint32_t *selected, hsel_error *error)
{
    const size_t classes = model->shape->class_names.count, answers = hs_answers((uint32_t)classes);
    const uint32_t most =
        model->pipeline.mask ? HS_BATCH : 1; /* selections are requested at once */
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

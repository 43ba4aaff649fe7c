/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation inside a training part: its folds, made once, and the objective that fits a
 * classifier on each of them for every set of features. Folds are views with their counts; the only
 * thing made anew for a set is the model.
 */
#include "search/objective.h"

#include <string.h>

#include "classify/classify.h"
#include "core/arena.h"
#include "core/mem.h"
#include "core/progress.h"
#include "core/random.h"
#include "format/load.h"

void hs_objective_clear(hs_objective *objective)
{
    if (objective->free)
        objective->free(objective->self);
    *objective = (hs_objective){0};
}

/* ---- folds ---- */

void hs_inner_clear(hs_inner *inner)
{
    for (uint32_t f = 0; inner->train && f < inner->folds.count; f++)
        hs_counts_clear(&inner->train[f]);
    for (uint32_t f = 0; inner->made && f < inner->folds.count; f++)
        hs_dataset_free(inner->made[f]);
    hs_arena_clear(&inner->memory);
    hs_folds_clear(&inner->folds);
    *inner = (hs_inner){0};
}

int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error)
{
    const hs_view *view = &request->training->view;
    const uint32_t rows = view->row_count, folds = request->folds;
    *out = (hs_inner){.request = *request};
    if (rows < folds)
        return hs_fail(error, HSEL_EUSAGE, "%s cannot deal %u instance%s into %u inner folds",
                       request->owner, rows, rows == 1 ? "" : "s", folds);
    HS_TRY(hs_folds_of_view(view, folds, request->seed, &out->folds, error));
    out->train = hs_arena_zero(&out->memory, folds, sizeof *out->train);
    out->rest = HS_ARENA_NEW(&out->memory, hs_view, folds);
    out->made = hs_arena_zero(&out->memory, folds, sizeof *out->made);
    out->in_class =
        hs_arena_zero(&out->memory, request->training->counts->classes, sizeof(uint32_t));
    HS_NEED(out->train && out->rest && out->made && out->in_class);
    for (uint32_t f = 0; f < folds; f++) {
        uint32_t *of_rest = HS_ARENA_NEW(&out->memory, uint32_t, rows), there = 0;
        HS_NEED(of_rest);
        out->rest[f] = hs_folds_rest(&out->folds, view, f, of_rest);
        HS_TRY(hs_recipe_of_view(&out->rest[f], &out->made[f], error));
        HS_TRY(hs_counts_of(&out->rest[f], &out->train[f], error));
        for (uint32_t c = 0; c < out->train[f].classes; c++)
            there += out->train[f].class_size[c] > 0;
        if (there < 2)
            return hs_fail(
                error, HSEL_EUSAGE,
                "%s needs two instances or more of two classes to learn from: without inner "
                "fold %u of %u, %u of %u instances are left and %s",
                request->owner, f + 1, folds, out->train[f].instances, rows,
                there ? "all are of one class" : "none has a class");
    }
    for (uint32_t i = 0; i < rows; i++)
        out->in_class[view->data->class_of[hs_view_row(view, i)]]++;
    return HSEL_OK;
}

double hs_inner_rate(const hs_inner *inner, const uint32_t *hits, const uint32_t *predicted)
{
    const hsel_dataset *data = inner->request.training->view.data;
    return hs_metric_formula(inner->request.metric)
        ->value(&(hs_hits){.classes = data->class_names.count,
                           .positive_class = data->positive_class,
                           .size = inner->folds.instances,
                           .hits = hits,
                           .in_class = inner->in_class,
                           .predicted = predicted});
}

/* ---- any classifier ---- */

struct general {
    hs_inner inner;
    hs_arena memory;  /* of the arrays */
    uint32_t *truth;  /* [positions] */
    double *instance; /* [workers * 2 * HS_BATCH * classes]: probabilities and scores of a batch */
    double *score;    /* [workers * positions * hs_score_width(classes)] */
    uint32_t *tally;  /* [workers * 2 * classes]: hits, predicted */
};

static void general_free(void *pointer)
{
    struct general *g = pointer;
    if (!g)
        return;
    hs_inner_clear(&g->inner);
    hs_arena_clear(&g->memory);
    hs_free(g);
}
HS_RELEASE(general_release, struct general, general_free)

/* Fits on the rest of a fold and predicts the fold. */
static int test_fold(const struct general *g, const uint64_t *set, uint32_t fold, double *instance,
                     double *score, hsel_error *error)
{
    const hs_inner *inner = &g->inner;
    const hs_training *outer = inner->request.training;
    const hs_folds *folds = &inner->folds;
    const hs_chosen *chosen = inner->request.classifier;
    const hs_classifier *classifier = chosen->method->classifier;
    size_t classes = outer->counts->classes, width = hs_score_width((uint32_t)classes);
    hs_progress told = hs_progress_asking(outer->progress);
    told.notes = outer->progress ? outer->progress->notes : NULL;
    hs_stream stream;
    hs_stream_init(&stream, inner->request.seed, "inner", fold, 0);
    hs_training training = {.progress = &told,
                            .view = inner->rest[fold],
                            .counts = &inner->train[fold],
                            .seed = hs_random_u64(&stream),
                            .threads = 1};
    training.view.features = set;
    void *model = NULL, *scratch = NULL;
    int status = hs_classifier_fit(chosen, &training, &model, error);
    if (status == HSEL_OK && classifier->scratch_new)
        status = classifier->scratch_new(model, &scratch, error);
    for (uint32_t i = folds->start[fold], end = folds->start[fold + 1]; i < end && !status;) {
        uint32_t rows[HS_BATCH];
        hs_batch batch = {.data = training.view.data, .instances = rows};
        for (; batch.count < HS_BATCH && i < end; i++)
            rows[batch.count++] = hs_view_row(&outer->view, folds->order[i]);
        status = hs_progress_ask(&told, error);
        if (status == HSEL_OK)
            status = classifier->predict(model, &batch, scratch, instance,
                                         instance + HS_BATCH * classes, error);
        for (uint32_t b = 0; b < batch.count; b++)
            memcpy(score + folds->order[i - batch.count + b] * width,
                   instance + (HS_BATCH + b + 1) * classes - width, width * sizeof *score);
    }
    if (scratch)
        classifier->scratch_free(scratch);
    if (model)
        classifier->free(model);
    return status;
}

static int general_score(void *self, const hs_trial *trial, double *value, hsel_error *error)
{
    struct general *g = self;
    const hs_inner *inner = &g->inner;
    const hs_metric metric = inner->request.metric;
    const hsel_dataset *data = inner->request.training->view.data;
    uint32_t rows = inner->folds.instances, classes = inner->request.training->counts->classes;
    double *instance = g->instance + (size_t)trial->worker * 2 * HS_BATCH * classes;
    double *score = g->score + (size_t)trial->worker * rows * hs_score_width(classes);
    uint32_t *hits = g->tally + (size_t)trial->worker * 2 * classes, *predicted = hits + classes;
    hs_predictions predictions = {.instances = rows,
                                  .classes = classes,
                                  .folds = inner->folds.count,
                                  .positive_class = data->positive_class,
                                  .truth = g->truth,
                                  .fold_of = inner->folds.fold_of,
                                  .score = score,
                                  .features = data->features};
    for (uint32_t f = 0; f < inner->folds.count; f++)
        HS_TRY(test_fold(g, trial->set, f, instance, score, error));
    if (hs_metric_formula(metric)->needs) {
        hs_scores scores;
        HS_TRY(hs_metrics_compute(&predictions, &scores, error));
        *value = scores.pooled[metric];
        return HSEL_OK;
    }
    memset(hits, 0, 2 * (size_t)classes * sizeof *hits);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t label = hs_prediction_of(&predictions, i);
        predicted[label]++;
        hits[label] += label == g->truth[i];
    }
    *value = hs_inner_rate(inner, hits, predicted);
    return HSEL_OK;
}

int hs_inner_objective(const hs_inner_request *request, hs_objective *out, hsel_error *error)
{
    const hs_training *training = request->training;
    const hs_method *method = request->classifier->method;
    const hsel_dataset *data = training->view.data;
    size_t rows = training->view.row_count, classes = training->counts->classes;
    size_t workers = (size_t)request->workers;
    /* what hs_check_method asks of a selector and its data, asked here of the classifier within */
    if ((method->flags & HS_NEEDS_HIERARCHY) && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "the classifier %s of %s needs a hierarchy, and %s has none: give "
                       "{hierarchy=FILE}",
                       method->name, request->owner, hsel_dataset_name(data));
    if ((method->flags & HS_TWO_CLASSES_ONLY) && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "the classifier %s of %s is for two classes, and %s has %u", method->name,
                       request->owner, hsel_dataset_name(data), data->class_names.count);
    HS_OWNS(general_release) struct general *g = HS_NEW_ZERO(struct general, 1);
    HS_NEED(g);
    g->truth = HS_ARENA_NEW(&g->memory, uint32_t, rows);
    g->instance = HS_ARENA_NEW(&g->memory, double, workers * 2 * HS_BATCH * classes);
    g->score = HS_ARENA_NEW(&g->memory, double, workers *rows *hs_score_width((uint32_t)classes));
    g->tally = HS_ARENA_NEW(&g->memory, uint32_t, workers * 2 * classes);
    HS_NEED(g->truth && g->instance && g->score && g->tally);
    HS_TRY(hs_inner_init(request, &g->inner, error));
    for (uint32_t i = 0; i < rows; i++)
        g->truth[i] = data->class_of[hs_view_row(&training->view, i)];
    *out = (hs_objective){.self = hs_take(&g), .score = general_score, .free = general_free};
    return HSEL_OK;
}

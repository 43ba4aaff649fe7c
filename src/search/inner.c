/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation inside a training part: its folds, made once, and the objective that fits a
 * classifier on each of them for every set of features. Folds are views, counts come by
 * subtraction; the only thing made anew for a set is the model.
 */
#include "search/objective.h"

#include <string.h>

#include "classify/classify.h"
#include "core/arena.h"
#include "core/mem.h"
#include "core/progress.h"
#include "core/random.h"

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
    hs_free(inner->train);
    hs_free(inner->rows);
    hs_free(inner->row_count);
    hs_free(inner->in_class);
    hs_folds_clear(&inner->folds);
    *inner = (hs_inner){0};
}

/* The rows of the rest of a fold, and their counts: those of the training part less those of the
 * fold. */
static int take_fold(hs_inner *inner, uint32_t fold, hsel_error *error)
{
    const hs_training *training = inner->request.training;
    const hs_folds *folds = &inner->folds;
    uint32_t first = folds->start[fold], tested = folds->start[fold + 1] - first, there = 0;
    uint32_t *rows = inner->rows + (size_t)fold * folds->instances;
    hs_counts *rest = &inner->train[fold];
    HS_OWNS(hs_counts_clear) hs_counts part = {0};
    for (uint32_t i = 0; i < tested; i++)
        rows[i] = hs_view_row(&training->view, folds->order[first + i]);
    hs_view view = training->view;
    view.rows = rows;
    view.row_count = tested;
    HS_TRY(hs_counts_of(&view, &part, error));
    HS_TRY(hs_counts_init(part.features, part.classes, rest, error));
    hs_counts_subtract(training->counts, &part, rest);
    for (uint32_t c = 0; c < rest->classes; c++)
        there += rest->class_size[c] > 0;
    if (there < 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs two instances or more of two classes to learn from: without inner "
                       "fold %u of %u, %u of %u instances are left and %s",
                       inner->request.owner, fold + 1, folds->count, rest->instances,
                       folds->instances, there ? "all are of one class" : "none has a class");
    inner->row_count[fold] = hs_folds_training(folds, fold, rows);
    for (uint32_t i = 0; i < inner->row_count[fold]; i++)
        rows[i] = hs_view_row(&training->view, rows[i]);
    return HSEL_OK;
}

int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error)
{
    const hs_training *training = request->training;
    uint32_t rows = training->view.row_count, folds = request->folds;
    *out = (hs_inner){.request = *request};
    if (rows < folds)
        return hs_fail(error, HSEL_EUSAGE, "%s cannot deal %u instance%s into %u inner folds",
                       request->owner, rows, rows == 1 ? "" : "s", folds);
    HS_TRY(hs_folds_of_view(&training->view, folds, request->seed, &out->folds, error));
    out->train = HS_NEW_ZERO(hs_counts, folds);
    out->rows = HS_NEW(uint32_t, (size_t)folds * rows);
    out->row_count = HS_NEW(uint32_t, folds);
    out->in_class = HS_NEW_ZERO(uint32_t, training->counts->classes);
    HS_NEED(out->train && out->rows && out->row_count && out->in_class);
    for (uint32_t f = 0; f < folds; f++)
        HS_TRY(take_fold(out, f, error));
    for (uint32_t i = 0; i < rows; i++)
        out->in_class[training->view.data->class_of[hs_view_row(&training->view, i)]]++;
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
    double *instance; /* [workers * 2 * classes]: probabilities and scores of an instance */
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
    hs_progress told = {.notes = outer->progress ? outer->progress->notes : NULL};
    hs_stream stream;
    hs_stream_init(&stream, inner->request.seed, "inner", fold, 0);
    hs_training training = {.progress = &told,
                            .view = {.data = outer->view.data,
                                     .rows = inner->rows + (size_t)fold * folds->instances,
                                     .row_count = inner->row_count[fold],
                                     .features = set},
                            .counts = &inner->train[fold],
                            .seed = hs_random_u64(&stream),
                            .threads = 1};
    void *model = NULL, *scratch = NULL;
    int status = classifier->fit(&training, chosen->options, &model, error);
    if (status == HSEL_OK && classifier->scratch_new)
        status = classifier->scratch_new(model, &scratch, error);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1] && status == HSEL_OK; i++) {
        uint32_t position = folds->order[i];
        status = classifier->predict(model, outer->view.data, hs_view_row(&outer->view, position),
                                     NULL, scratch, instance, instance + classes, error);
        memcpy(score + position * width, instance + 2 * classes - width, width * sizeof *score);
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
    double *instance = g->instance + (size_t)trial->worker * 2 * classes;
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
                       "--hierarchy FILE",
                       method->name, request->owner, hsel_dataset_name(data));
    if ((method->flags & HS_TWO_CLASSES_ONLY) && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "the classifier %s of %s is for two classes, and %s has %u", method->name,
                       request->owner, hsel_dataset_name(data), data->class_names.count);
    HS_OWNS(general_release) struct general *g = HS_NEW_ZERO(struct general, 1);
    HS_NEED(g);
    g->truth = HS_ARENA_NEW(&g->memory, uint32_t, rows);
    g->instance = HS_ARENA_NEW(&g->memory, double, workers * 2 * classes);
    g->score = HS_ARENA_NEW(&g->memory, double, workers *rows *hs_score_width((uint32_t)classes));
    g->tally = HS_ARENA_NEW(&g->memory, uint32_t, workers * 2 * classes);
    HS_NEED(g->truth && g->instance && g->score && g->tally);
    HS_TRY(hs_inner_init(request, &g->inner, error));
    for (uint32_t i = 0; i < rows; i++)
        g->truth[i] = data->class_of[hs_view_row(&training->view, i)];
    *out = (hs_objective){.self = hs_take(&g), .score = general_score, .free = general_free};
    return HSEL_OK;
}

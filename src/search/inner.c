/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation inside a training part: its folds, made once, and the objective that fits a
 * classifier on each of them for every set of features. Folds are views, counts come by
 * subtraction; the only thing made anew for a set is the model.
 */
#include "search/objective.h"

#include <string.h>

#include "classify/classify.h"
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

/* Counts of the rest: those of the training part less those of the fold. */
static int count_rest(hs_inner *inner, uint32_t fold, uint32_t *scratch, hsel_error *error)
{
    const hs_training *training = inner->request.training;
    const hs_folds *folds = &inner->folds;
    uint32_t first = folds->start[fold], tested = folds->start[fold + 1] - first;
    hs_view view = training->view;
    hs_counts part = {0};
    for (uint32_t i = 0; i < tested; i++)
        scratch[i] = hs_view_row(&training->view, folds->order[first + i]);
    view.rows = scratch;
    view.row_count = tested;
    int status = hs_counts_of(&view, &part, error);
    if (status == HSEL_OK)
        status = hs_counts_init(part.features, part.classes, &inner->train[fold], error);
    if (status == HSEL_OK)
        hs_counts_subtract(training->counts, &part, &inner->train[fold]);
    hs_counts_clear(&part);
    return status;
}

static int check_rest(const hs_inner *inner, uint32_t fold, hsel_error *error)
{
    const hs_counts *rest = &inner->train[fold];
    uint32_t there = 0;
    for (uint32_t c = 0; c < rest->classes; c++)
        there += rest->class_size[c] > 0;
    if (there >= 2)
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE,
                   "%s needs two instances or more of two classes to learn from: without inner "
                   "fold %u of %u, %u of %u instances are left and %s",
                   inner->request.owner, fold + 1, inner->folds.count, rest->instances,
                   inner->folds.instances, there ? "all are of one class" : "none has a class");
}

int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error)
{
    const hs_training *training = request->training;
    uint32_t rows = training->view.row_count, folds = request->folds;
    *out = (hs_inner){.request = *request};
    if (rows < folds)
        return hs_fail(error, HSEL_EUSAGE, "%s cannot deal %u instance%s into %u inner folds",
                       request->owner, rows, rows == 1 ? "" : "s", folds);
    int status = hs_folds_of_view(&training->view, folds, request->seed, &out->folds, error);
    if (status)
        return status;
    out->train = HS_NEW_ZERO(hs_counts, folds);
    out->rows = HS_NEW(uint32_t, (size_t)folds * rows);
    out->row_count = HS_NEW(uint32_t, folds);
    out->in_class = HS_NEW_ZERO(uint32_t, training->counts->classes);
    if (!out->train || !out->rows || !out->row_count || !out->in_class)
        status = hs_fail_memory(error);
    for (uint32_t f = 0; f < folds && status == HSEL_OK; f++) {
        uint32_t *rest = out->rows + (size_t)f * rows;
        if ((status = count_rest(out, f, rest, error)) || (status = check_rest(out, f, error)))
            break;
        out->row_count[f] = hs_folds_training(&out->folds, f, rest);
        for (uint32_t i = 0; i < out->row_count[f]; i++)
            rest[i] = hs_view_row(&training->view, rest[i]);
    }
    for (uint32_t i = 0; i < rows && status == HSEL_OK; i++)
        out->in_class[training->view.data->class_of[hs_view_row(&training->view, i)]]++;
    if (status)
        hs_inner_clear(out);
    return status;
}

double hs_inner_rate(const hs_inner *inner, const uint32_t *hits, const uint32_t *predicted)
{
    const hsel_dataset *data = inner->request.training->view.data;
    double rates[HS_METRICS];
    hs_rates(&(hs_hits){.classes = data->class_names.count,
                        .positive_class = data->positive_class,
                        .size = inner->folds.instances,
                        .hits = hits,
                        .in_class = inner->in_class,
                        .predicted = predicted},
             rates);
    return rates[inner->request.metric];
}

/* ---- any classifier ---- */

struct general {
    hs_inner inner;
    uint32_t *truth; /* [positions] */
    double *room;    /* [workers * 2 * classes]: probabilities and scores of an instance */
    double *score;   /* [workers * positions * hs_score_width(classes)] */
    uint32_t *tally; /* [workers * 2 * classes]: hits, predicted */
};

static void general_free(void *pointer)
{
    struct general *g = pointer;
    if (!g)
        return;
    hs_inner_clear(&g->inner);
    hs_free(g->truth);
    hs_free(g->room);
    hs_free(g->score);
    hs_free(g->tally);
    hs_free(g);
}

static uint64_t seed_of_fold(uint64_t seed, uint32_t fold)
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "inner", fold, 0);
    return hs_random_u64(&stream);
}

/* Fits on the rest of a fold and predicts the fold. */
static int test_fold(const struct general *g, const uint64_t *set, uint32_t fold, double *room,
                     double *score, hsel_error *error)
{
    const hs_inner *inner = &g->inner;
    const hs_training *outer = inner->request.training;
    const hs_folds *folds = &inner->folds;
    const hs_chosen *chosen = inner->request.classifier;
    const hs_classifier *classifier = chosen->method->classifier;
    size_t classes = outer->counts->classes, width = hs_score_width((uint32_t)classes);
    hs_progress told = {.notes = outer->progress ? outer->progress->notes : NULL};
    hs_training training = {.progress = &told,
                            .view = {.data = outer->view.data,
                                     .rows = inner->rows + (size_t)fold * folds->instances,
                                     .row_count = inner->row_count[fold],
                                     .features = set},
                            .counts = &inner->train[fold],
                            .seed = seed_of_fold(inner->request.seed, fold),
                            .threads = 1};
    void *model = NULL, *scratch = NULL;
    int status = classifier->fit(&training, chosen->options, &model, error);
    if (status == HSEL_OK && classifier->scratch_new)
        status = classifier->scratch_new(model, &scratch, error);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1] && status == HSEL_OK; i++) {
        uint32_t position = folds->order[i];
        status = classifier->predict(model, outer->view.data, hs_view_row(&outer->view, position),
                                     NULL, scratch, room, room + classes, error);
        if (status == HSEL_OK)
            memcpy(score + position * width, room + 2 * classes - width, width * sizeof *score);
    }
    if (scratch)
        classifier->scratch_free(scratch);
    if (model)
        classifier->free(model);
    return status;
}

static bool is_area(hs_metric metric)
{
    return metric == HS_METRIC_AUROC || metric == HS_METRIC_AUPRC;
}

static int general_score(void *self, const hs_trial *trial, double *value, hsel_error *error)
{
    struct general *g = self;
    const hs_inner *inner = &g->inner;
    const hsel_dataset *data = inner->request.training->view.data;
    uint32_t rows = inner->folds.instances, classes = inner->request.training->counts->classes;
    double *room = g->room + (size_t)trial->worker * 2 * classes;
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
    int status = HSEL_OK;
    for (uint32_t f = 0; f < inner->folds.count && status == HSEL_OK; f++)
        status = test_fold(g, trial->set, f, room, score, error);
    if (status)
        return status;
    if (is_area(inner->request.metric)) {
        hs_scores scores;
        status = hs_metrics_compute(&predictions, &scores, error);
        *value = scores.pooled[inner->request.metric];
        return status;
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

/* What hs_check_method asks of a selector and its data, asked here of the classifier within. */
static int check_classifier(const hs_inner_request *request, hsel_error *error)
{
    const hs_method *method = request->classifier->method;
    const hsel_dataset *data = request->training->view.data;
    if ((method->flags & HS_NEEDS_HIERARCHY) && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "the classifier %s of %s needs a hierarchy, and %s has none: give "
                       "--hierarchy FILE",
                       method->name, request->owner, hsel_dataset_name(data));
    if ((method->flags & HS_TWO_CLASSES_ONLY) && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "the classifier %s of %s is for two classes, and %s has %u", method->name,
                       request->owner, hsel_dataset_name(data), data->class_names.count);
    return HSEL_OK;
}

int hs_inner_objective(const hs_inner_request *request, hs_objective *out, hsel_error *error)
{
    const hs_training *training = request->training;
    size_t rows = training->view.row_count, classes = training->counts->classes;
    int status = check_classifier(request, error);
    if (status)
        return status;
    struct general *g = HS_NEW_ZERO(struct general, 1);
    if (!g)
        return hs_fail_memory(error);
    g->truth = HS_NEW(uint32_t, rows);
    g->room = HS_NEW(double, (size_t)request->workers * 2 * classes);
    g->score = HS_NEW(double, (size_t)request->workers *rows *hs_score_width((uint32_t)classes));
    g->tally = HS_NEW(uint32_t, (size_t)request->workers * 2 * classes);
    status = g->truth && g->room && g->score && g->tally ? hs_inner_init(request, &g->inner, error)
                                                         : hs_fail_memory(error);
    if (status) {
        general_free(g);
        return status;
    }
    for (uint32_t i = 0; i < rows; i++)
        g->truth[i] = training->view.data->class_of[hs_view_row(&training->view, i)];
    *out = (hs_objective){.self = g, .score = general_score, .free = general_free};
    return HSEL_OK;
}

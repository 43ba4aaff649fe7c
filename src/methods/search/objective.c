/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The objective that fits a classifier in every inner fold for every set of features. Folds and
 * counts are computed once.
 */
#include "search/objective.h"

#include "pipeline/pipeline.h"

void hs_objective_clear(hs_objective *objective)
{
    if (objective->free)
        objective->free(objective->self);
    *objective = (hs_objective){0};
}

int hs_nested_parse(hs_kind kind, const char *text, size_t length, hs_chosen *out,
                    hsel_error *error)
{
    HS_OWNED char *copy = hs_strndup(text, length);
    HS_NEED(copy);
    for (char *c = copy; *c; c++)
        *c = *c == ';' ? ',' : *c;
    return hs_chosen_parse(kind, copy, out, error);
}

/* The + before the first classifier; else the last one; NULL: the text begins with a classifier. */
static const char *plus_of(const char *text, const char *end)
{
    const char *plus = NULL;
    for (const char *at = text; at < end; at++) {
        const bool first = at == text && *at != '+';
        if (!first && *at != '+')
            continue;
        if (hs_method_find(HS_CLASSIFIER, at + !first, strcspn(at + !first, ":;+/")))
            return first ? NULL : at;
        plus = first ? NULL : at;
    }
    return plus;
}

int hs_member_parse(const char *owner, bool several, const char *text, size_t length,
                    hs_chosen *selector, hs_chosen *classifier, hsel_error *error)
{
    HS_OWNED char *copy = hs_strndup(text, length);
    HS_NEED(copy);
    const char *plus = plus_of(copy, copy + length), *own = plus ? plus + 1 : copy;
    if (length == 0 || plus == copy || *own == '\0')
        return several ? hs_fail(error, HSEL_EUSAGE,
                                 "{:members} of %s takes classifiers, or selectors and classifiers "
                                 "such as hip+nb, separated by /, not '%.80s'",
                                 owner, copy)
                       : hs_fail(error, HSEL_EUSAGE,
                                 "{:base} of %s takes a classifier, or a selector and a "
                                 "classifier such as hip+nb, not '%.80s'",
                                 owner, copy);
    HS_TRY(hs_nested_parse(HS_SELECTOR, plus ? copy : "none", plus ? (size_t)(plus - copy) : 4,
                           selector, error));
    HS_TRY(hs_nested_parse(HS_CLASSIFIER, own, strlen(own), classifier, error));
    if (strcmp(classifier->method->name, owner) == 0)
        return hs_fail(error, HSEL_EUSAGE, "%s cannot be a member of itself", owner);
    if (!classifier->method->classifier->adjusts_itself &&
        hs_adjust_moves(hs_adjust_of(classifier)))
        return hs_fail(error, HSEL_EUSAGE,
                       "calibration and threshold are for the whole %s: leave them out of its "
                       "member %s",
                       owner, classifier->method->name);
    return hs_check_pair(selector->method, classifier->method, error);
}

/* ---- any classifier ---- */

struct general {
    hs_inner inner;
    hs_arena memory; /* of the arrays */
    uint32_t *truth; /* [positions] */
    double *score;   /* [workers * positions * hs_score_width(classes)] */
    uint32_t *tally; /* [workers * 2 * classes]: hits, predicted */
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

static int general_score(void *self, const hs_trial *trial, double *value, hsel_error *error)
{
    struct general *g = self;
    const hs_inner *inner = &g->inner;
    const hs_training *whole = inner->request.training;
    const hs_metric metric = inner->request.metric;
    const hsel_dataset *data = whole->view.data;
    uint32_t rows = inner->folds.instances, classes = whole->counts->classes;
    double *score = g->score + (size_t)trial->worker * rows * hs_score_width(classes);
    uint32_t *hits = g->tally + (size_t)trial->worker * 2 * classes, *predicted = hits + classes;
    hs_predictions predictions = {.instances = rows,
                                  .classes = classes,
                                  .folds = inner->folds.count,
                                  .tested = inner->folds.past ? inner->folds.order : NULL,
                                  .tested_count = inner->folds.start[inner->folds.count],
                                  .positive_class = data->positive_class,
                                  .truth = g->truth,
                                  .fold_of = inner->folds.fold_of,
                                  .score = score,
                                  .features = data->features};
    hs_progress told = hs_progress_asking(whole->progress);
    told.notes = whole->progress ? whole->progress->notes : NULL;
    for (uint32_t f = 0; f < inner->folds.count; f++) {
        hs_stream stream;
        hs_stream_init(&stream, inner->request.seed, "inner", f, 0);
        hs_training training = {.progress = &told,
                                .view = inner->rest[f],
                                .counts = &inner->train[f],
                                .seed = hs_random_u64(&stream),
                                .threads = 1};
        training.view.features = trial->set;
        HS_TRY(hs_inner_scores(inner, f, NULL, inner->request.classifier, 1, NULL, &training, score,
                               error));
    }
    if (hs_metric_formula(metric)->needs) {
        hs_scores scores;
        HS_TRY(hs_metrics_compute(&predictions, &scores, error));
        *value = scores.pooled[metric];
        return HSEL_OK;
    }
    memset(hits, 0, 2 * (size_t)classes * sizeof *hits);
    for (uint32_t i = 0; i < rows; i++) {
        if (!hs_fold_tests(&inner->folds, i))
            continue;
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
    const hsel_dataset *data = training->view.data;
    size_t rows = training->view.row_count, classes = training->counts->classes;
    size_t workers = (size_t)request->workers;
    HS_OWNS(general_release) struct general *g = HS_NEW_ZERO(struct general, 1);
    HS_NEED(g);
    HS_NEED(HS_LISTS(&g->memory, g, HS_PART(g, truth, rows),
                     HS_PART(g, score, workers * rows * hs_score_width((uint32_t)classes)),
                     HS_PART(g, tally, workers * 2 * classes)));
    HS_TRY(hs_inner_init(request, &g->inner, error));
    for (uint32_t i = 0; i < rows; i++)
        g->truth[i] = data->class_of[hs_view_row(&training->view, i)];
    *out = (hs_objective){.self = hs_take(&g), .score = general_score, .free = general_free};
    return HSEL_OK;
}

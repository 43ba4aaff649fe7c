/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation for users of the library: one selector with one classifier, summed up over
 * repeats, and what was predicted as plain arrays.
 */
#include <math.h>
#include <string.h>

#include "evaluate/crossval.h"
#include "evaluate/flat_parts.h"
#include "evaluate/fold_file.h"
#include "stats/running.h"

_Static_assert((int)HS_METRICS <= HSEL_METRICS_ROOM, "hsel_evaluation has room for every metric");

struct evaluation {
    const hsel_dataset *data;
    const hsel_crossval_request *request;
    const hsel_crossval_arrays *arrays;
    const hs_progress *progress;
    hs_chosen selector, classifier;
    const char *scheme;
    hs_rank_by rank_by;
    uint32_t folds;
    hs_running pooled[HS_METRICS], fold_mean[HS_METRICS], selected, stability;
};

static void add_scores(struct evaluation *e, const hs_folds *folds, const hs_crossval *done,
                       const hs_scores *scores)
{
    const uint64_t *masks = done->selectors[0].masks;
    for (int m = 0; m < HS_METRICS; m++) {
        hs_running_add(&e->pooled[m], scores->pooled[m]);
        hs_running_add(&e->fold_mean[m], scores->fold_mean[m]);
    }
    hs_running_add(&e->selected, 1 - scores->pooled[HS_METRIC_COMPRESSION]);
    hs_running_add(
        &e->stability,
        masks ? hs_stability_of(masks, done->mask_words, folds->count, e->data->features).kuncheva
              : NAN);
}

/* Copies count items to where repeat r has its own in an array that the caller may want. */
static void give(void *array, size_t item, uint32_t repeat, size_t count, const void *from)
{
    if (array)
        memcpy((char *)array + (size_t)repeat * count * item, from, count * item);
}

static void give_arrays(const struct evaluation *e, uint32_t repeat, const hs_folds *folds,
                        const hs_crossval *done, const hs_scores *scores)
{
    const hsel_crossval_arrays *to = e->arrays;
    hs_predictions predictions = hs_crossval_predictions(done, e->data, folds, 0);
    size_t n = e->data->instances, classes = e->data->class_names.count;
    if (!to)
        return;
    double seconds[2] = {done->selectors[0].seconds, done->classifiers[0].seconds};
    give(to->fold_of, sizeof *to->fold_of, repeat, n, folds->fold_of);
    give(to->probability, sizeof *to->probability, repeat, n * classes,
         done->classifiers[0].probability);
    for (size_t i = 0; to->score && i < n * classes; i++)
        to->score[repeat * n * classes + i] =
            hs_score_of(&predictions, (uint32_t)(i / classes), (uint32_t)(i % classes));
    give(to->selected, sizeof *to->selected, repeat, n, done->selectors[0].selected);
    give(to->frequency, sizeof *to->frequency, repeat, e->data->features,
         done->selectors[0].frequency);
    give(to->seconds, sizeof *to->seconds, repeat, 2, seconds);
    for (size_t m = 0; m < HS_METRICS; m++) {
        if (to->pooled)
            to->pooled[(size_t)repeat * HSEL_METRICS_ROOM + m] = scores->pooled[m];
        if (to->fold_mean)
            to->fold_mean[(size_t)repeat * HSEL_METRICS_ROOM + m] = scores->fold_mean[m];
    }
}

static int choose_folds(const struct evaluation *e, uint32_t repeat, hs_folds *out,
                        hsel_error *error)
{
    const hsel_crossval_request *request = e->request;
    if (!request->fold_of)
        return hs_folds_choose(e->scheme, e->data, e->folds, request->seed + repeat, out, error);
    int status = hs_folds_check(e->data, error);
    return status ? status
                  : hs_folds_from(request->fold_of, e->data->instances, e->folds, out, error);
}

static int run_repeat(struct evaluation *e, uint32_t repeat, hsel_error *error)
{
    hs_folds folds = {0};
    hs_crossval done = {0};
    hs_scores scores;
    int status = choose_folds(e, repeat, &folds, error);
    if (status == HSEL_OK)
        status = hs_crossval_run(&(hs_crossval_request){.data = e->data,
                                                        .folds = &folds,
                                                        .selectors = &e->selector,
                                                        .classifiers = &e->classifier,
                                                        .selector_count = 1,
                                                        .classifier_count = 1,
                                                        .seed = e->request->seed + repeat,
                                                        .threads = e->request->threads,
                                                        .rank_by = e->rank_by,
                                                        .progress = e->progress},
                                 &done, error);
    if (status == HSEL_OK)
        status = hs_crossval_scores(&done, e->data, &folds, 0, &scores, error);
    if (status == HSEL_OK) {
        add_scores(e, &folds, &done, &scores);
        give_arrays(e, repeat, &folds, &done, &scores);
    }
    e->folds = folds.count;
    hs_crossval_clear(&done);
    hs_folds_clear(&folds);
    return status;
}

static void give_result(const struct evaluation *e, uint32_t repeats, hsel_evaluation *out)
{
    *out = (hsel_evaluation){.folds = e->folds,
                             .repeats = repeats,
                             .selected = e->selected.mean,
                             .stability = e->stability.mean};
    for (int m = 0; m < HS_METRICS; m++) {
        out->pooled[m] = e->pooled[m].mean;
        out->fold_mean[m] = e->fold_mean[m].mean;
        out->pooled_sd[m] = hs_running_sd(&e->pooled[m]);
        out->fold_mean_sd[m] = hs_running_sd(&e->fold_mean[m]);
    }
}

static int parse_evaluation(struct evaluation *e, hsel_error *error)
{
    const hsel_crossval_request *request = e->request;
    bool counted = strcmp(e->scheme, "loo") != 0 && strncmp(e->scheme, "file:", 5) != 0;
    int status = hs_check_threads(request->threads, error);
    if (status == HSEL_OK && e->folds < 2 && (counted || request->fold_of))
        status = hs_fail(error, HSEL_EUSAGE, "at least 2 folds are needed, not %u", e->folds);
    if (status == HSEL_OK && request->repeats < 1)
        status = hs_fail(error, HSEL_EUSAGE, "at least 1 repeat is needed, not 0");
    if (request->rank_by && strcmp(request->rank_by, "probability") == 0)
        e->rank_by = HS_RANK_BY_PROBABILITY;
    else if (status == HSEL_OK && request->rank_by && strcmp(request->rank_by, "score") != 0)
        status = hs_fail(error, HSEL_EUSAGE,
                         "AUROC and AUPRC rank by score or by probability, not by '%.80s'",
                         request->rank_by);
    if (status == HSEL_OK)
        status = hs_chosen_parse(HS_SELECTOR, request->selector ? request->selector : "none",
                                 &e->selector, error);
    if (status == HSEL_OK)
        status = hs_chosen_parse(HS_CLASSIFIER, request->classifier ? request->classifier : "nb",
                                 &e->classifier, error);
    if (status == HSEL_OK)
        status = hs_check_methods(e->data, e->selector.method, e->classifier.method, false, error);
    return status;
}

int hsel_crossval(const hsel_dataset *data, const hsel_crossval_request *request,
                  const hsel_watch *watch, const hsel_crossval_arrays *arrays, hsel_evaluation *out,
                  hsel_error *error)
{
    hs_watcher watcher;
    struct evaluation e = {.data = data,
                           .request = request,
                           .arrays = arrays,
                           .progress = hs_watcher_init(&watcher, watch),
                           .scheme = request->fold_scheme ? request->fold_scheme : "own",
                           .folds = request->folds};
    hs_error_clear(error);
    int status = parse_evaluation(&e, error);
    for (uint32_t r = 0; r < request->repeats && status == HSEL_OK; r++)
        status = run_repeat(&e, r, error);
    if (status == HSEL_OK)
        give_result(&e, request->repeats, out);
    hs_watcher_end(&watcher);
    hs_chosen_clear(&e.selector);
    hs_chosen_clear(&e.classifier);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study run the obvious way.
 */
#include "support/sample_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "learn/crossval.h"
#include "generate/generate.h"
#include "rank/rank.h"

static void must(int status, const hsel_error *error)
{
    if (status == HSEL_OK)
        return;
    fprintf(stderr, "sample study: %s\n", error->message);
    abort();
}

hsel_dataset *hs_sample_dataset(const hs_study *study, size_t number)
{
    const hs_study_dataset *set = &study->datasets[number];
    hs_chosen chosen = {0};
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    must(hs_chosen_parse(HS_GENERATOR, set->generate, &chosen, &error), &error);
    must(chosen.method->generator->generate(chosen.options, set->seed, &data, &error), &error);
    hs_chosen_clear(&chosen);
    hs_free(data->name);
    data->name = hs_strdup(set->name);
    return data;
}

typedef struct running {
    const hs_sample *sample;
    const hs_study *study;
    hs_store *store;
    hsel_dataset *data;
    int64_t id;
    hs_chosen *classifiers;
    hs_folds folds;
    uint32_t repeat;
} running;

/* The rows of the fold, one after the other. */
static double *rows_of(const running *r, uint32_t fold, const double *values, size_t width)
{
    uint32_t count = r->folds.start[fold + 1] - r->folds.start[fold];
    double *rows = HS_NEW(double, count *width);
    for (uint32_t i = 0; i < count; i++)
        memcpy(rows + i * width, values + r->folds.order[r->folds.start[fold] + i] * width,
               width * sizeof *rows);
    return rows;
}

static void put_fold(running *r, const char *selector, uint32_t fold, const hs_crossval *done,
                     const char *message)
{
    const uint32_t *instances = r->folds.order + r->folds.start[fold];
    size_t classifiers = r->study->classifier_count;
    uint32_t count = r->folds.start[fold + 1] - r->folds.start[fold];
    uint32_t classes = r->data->class_names.count;
    uint32_t *selected = HS_NEW(uint32_t, count);
    hs_job_result *jobs = HS_NEW_ZERO(hs_job_result, classifiers);
    double **rows = HS_NEW_ZERO(double *, 2 * classifiers);
    hsel_error error = {0};
    for (uint32_t i = 0; i < count && !message; i++)
        selected[i] = done->selectors[0].selected[instances[i]];
    for (size_t c = 0; c < classifiers; c++) {
        jobs[c] = (hs_job_result){.method = r->study->classifiers[c].text, .message = message};
        if (message)
            continue;
        jobs[c].values = rows[2 * c] = rows_of(r, fold, done->classifiers[c].probability, classes);
        jobs[c].score = rows[2 * c + 1] =
            rows_of(r, fold, done->classifiers[c].score, hs_score_width(classes));
        jobs[c].seconds = done->classifiers[c].seconds;
    }
    hs_unit_result result = {.tested = count,
                             .instances = message ? NULL : instances,
                             .selected = message ? NULL : selected,
                             .features = r->data->features,
                             .classes = r->data->class_names.count,
                             .frequency = message ? NULL : done->selectors[0].frequency,
                             .select_seconds = message ? 0 : done->selectors[0].seconds,
                             .jobs = jobs,
                             .job_count = classifiers};
    hs_result_key key = {.dataset = r->id,
                         .selector = selector,
                         .scheme = r->study->scheme,
                         .folds = r->study->folds,
                         .fold = fold,
                         .seed = r->study->seed + r->repeat};
    must(hs_store_put(r->store, &key, &result, &error), &error);
    for (size_t i = 0; i < 2 * classifiers; i++)
        hs_free(rows[i]);
    hs_free(rows);
    hs_free(jobs);
    hs_free(selected);
}

static void run_selector(running *r, const char *selector)
{
    hs_chosen chosen = {0};
    hsel_error error = {0};
    const char *run = r->sample->in_place_of ? r->sample->in_place_of(selector) : selector;
    must(hs_chosen_parse(HS_SELECTOR, run, &chosen, &error), &error);
    for (uint32_t fold = 0; fold < r->folds.count; fold++) {
        const char *message = NULL;
        hs_crossval done = {0};
        if (r->sample->wanted &&
            !r->sample->wanted(r->data->name, selector, r->repeat, fold, &message))
            continue;
        if (!message)
            must(hs_crossval_run(
                     &(hs_crossval_request){.data = r->data,
                                            .folds = &r->folds,
                                            .selectors = &chosen,
                                            .selector_count = 1,
                                            .classifiers = r->classifiers,
                                            .classifier_count = r->study->classifier_count,
                                            .seed = r->study->seed + r->repeat,
                                            .threads = 1,
                                            .fold_begin = fold,
                                            .fold_end = fold + 1},
                     &done, &error),
                 &error);
        put_fold(r, selector, fold, &done, message);
        hs_crossval_clear(&done);
    }
    hs_chosen_clear(&chosen);
}

/* Each ranker alone; one that cannot be is a failure. */
static void run_ranker(running *r, const char *ranker)
{
    hs_view all = hs_view_all(r->data);
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    hsel_error error = {0};
    double *scores = HS_NEW_ZERO(double, r->data->features);
    must(hs_chosen_parse(HS_RANKER, ranker, &chosen, &error), &error);
    must(hs_counts_of(&all, &counts, &error), &error);
    int status = hs_check_method(r->data, chosen.method, &error);
    if (status == HSEL_OK)
        must(hs_rank_features(&(hs_training){.view = all, .counts = &counts, .threads = 1}, &chosen,
                              1, &scores, &error),
             &error);
    hs_job_result job = {
        .method = ranker, .values = status ? NULL : scores, .message = error.message};
    must(hs_store_put(r->store, &(hs_result_key){.dataset = r->id},
                      &(hs_unit_result){.width = r->data->features, .jobs = &job, .job_count = 1},
                      &error),
         &error);
    hs_counts_clear(&counts);
    hs_chosen_clear(&chosen);
    hs_free(scores);
}

static void run_dataset(running *r, size_t number)
{
    hsel_error error = {0};
    r->data = hs_sample_dataset(r->study, number);
    must(hs_store_dataset(r->store, r->data, &r->id, &error), &error);
    for (size_t i = 0; i < r->study->ranker_count; i++)
        run_ranker(r, r->study->rankers[i].text);
    for (r->repeat = 0; r->repeat < r->study->repeats; r->repeat++) {
        must(hs_folds_make(r->data, HS_FOLDS_OWN, r->study->folds, r->study->seed + r->repeat,
                           &r->folds, &error),
             &error);
        for (size_t s = 0; s < r->study->selector_count; s++)
            run_selector(r, r->study->selectors[s].text);
        hs_folds_clear(&r->folds);
    }
    hsel_dataset_free(r->data);
}

void hs_sample_run(const hs_sample *sample, const char *path)
{
    hs_study study = {0};
    running r = {.sample = sample, .study = &study};
    hsel_error error = {0};
    must(hs_study_parse("sample.yaml", sample->text, strlen(sample->text), &study, &error), &error);
    must(hs_store_open(path, HS_STORE_WRITE, false, &r.store, &error), &error);
    hs_store_group(r.store, 3600);
    must(hs_store_study(r.store, &study, &error), &error);
    r.classifiers = HS_NEW_ZERO(hs_chosen, study.classifier_count);
    for (size_t c = 0; c < study.classifier_count; c++)
        must(hs_chosen_parse(HS_CLASSIFIER, study.classifiers[c].text, &r.classifiers[c], &error),
             &error);
    for (size_t d = 0; d < study.dataset_count; d++)
        if (!study.datasets[d].missing)
            run_dataset(&r, d);
    must(hs_store_commit(r.store, &error), &error);
    for (size_t c = 0; c < study.classifier_count; c++)
        hs_chosen_clear(&r.classifiers[c]);
    hs_free(r.classifiers);
    hs_store_close(r.store);
    hs_study_clear(&study);
}

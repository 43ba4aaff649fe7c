/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the outcomes of a study, one (data set, selector, classifier, repeat) after the other, so
 * that no more than one set of predictions is in memory.
 */
#include "report/outcomes.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

const char *hs_outcome_word(hs_outcome_state state)
{
    static const char *const words[] = {"missing", "failed", "part", "ok"};
    return words[state];
}

void hs_outcomes_clear(hs_outcomes *outcomes)
{
    for (size_t d = 0; d < outcomes->dataset_count; d++)
        hs_stored_dataset_clear(&outcomes->datasets[d]);
    hs_free(outcomes->datasets);
    hs_figures_clear(&outcomes->figures);
    hs_arena_clear(&outcomes->arena);
    *outcomes = (hs_outcomes){0};
}

/* ---- which data sets ---- */

typedef struct gathering {
    hs_outcomes *out;
    hs_store *store;
    size_t capacity;
} gathering;

static int add_dataset(gathering *g, const char *name, hsel_error *error)
{
    hs_outcomes *out = g->out;
    if (!HS_GROW(&out->datasets, &g->capacity, out->dataset_count + 1))
        return hs_fail_memory(error);
    hs_stored_dataset *data = &out->datasets[out->dataset_count];
    int status = hs_store_find_dataset(g->store, name, data, error);
    if (status)
        return status;
    out->dataset_count++; /* from here on it is freed with the others */
    if (!data->name && !(data->name = hs_strdup(name)))
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int add_unnamed(void *context, const char *name, hsel_error *error)
{
    gathering *g = context;
    for (size_t d = 0; d < g->out->dataset_count; d++)
        if (strcmp(g->out->datasets[d].name, name) == 0)
            return HSEL_OK;
    return add_dataset(g, name, error);
}

static bool is_pattern(const hs_study_dataset *data)
{
    return data->missing && data->path && strpbrk(data->path, "*?[$");
}

/* Data sets of the study in its order. Where the files are not at hand (the store came from another
 * machine), a pattern of paths names nothing: then what the store has of these folds and seeds is
 * taken. */
static int find_datasets(hs_store *store, hs_outcomes *out, hsel_error *error)
{
    const hs_study *study = out->study;
    gathering g = {out, store, 0};
    bool by_pattern = false;
    int status = HSEL_OK;
    for (size_t i = 0; i < study->dataset_count && status == HSEL_OK; i++) {
        if (is_pattern(&study->datasets[i]))
            by_pattern = true;
        else
            status = add_dataset(&g, study->datasets[i].name, error);
    }
    size_t named = out->dataset_count;
    if (status == HSEL_OK && by_pattern)
        status = hs_store_each_dataset(store, hs_study_scheme(study), study->seed, study->repeats,
                                       add_unnamed, &g, error);
    for (size_t i = 0; i < study->dataset_count && status == HSEL_OK && out->dataset_count == named;
         i++)
        if (is_pattern(&study->datasets[i])) /* it stands for itself, as missing */
            status = add_dataset(&g, study->datasets[i].name, error);
    return status;
}

static int find_missing(hs_outcomes *out, hsel_error *error)
{
    const hs_study *study = out->study;
    if (!(out->missing = hs_arena_zero(&out->arena, out->dataset_count, sizeof *out->missing)))
        return hs_fail_memory(error);
    for (size_t d = 0; d < out->dataset_count; d++)
        for (size_t i = 0; i < study->dataset_count; i++)
            if (study->datasets[i].missing &&
                strcmp(study->datasets[i].name, out->datasets[d].name) == 0)
                out->missing[d] = true;
    return HSEL_OK;
}

/* ---- metrics ---- */

/* Running mean and sum of squared differences (Welford); NaN stays NaN. */
static void running(double *mean, double *squares, double value, uint32_t count)
{
    double step = value - *mean;
    *mean += step / count;
    *squares += step * (value - *mean);
}

static int add_repeat(const hs_stored *stored, hs_rank_by rank_by, hs_outcome *outcome,
                      hsel_error *error)
{
    hs_scores scores;
    hs_predictions predictions = hs_stored_predictions(stored, rank_by);
    int status = hs_metrics_compute(&predictions, &scores, error);
    if (status)
        return status;
    uint32_t count = ++outcome->repeats;
    for (int m = 0; m < HS_METRICS; m++) {
        running(&outcome->pooled[m], &outcome->pooled_sd[m], scores.pooled[m], count);
        running(&outcome->fold_mean[m], &outcome->fold_mean_sd[m], scores.fold_mean[m], count);
        outcome->fold_se[m] += (scores.fold_se[m] - outcome->fold_se[m]) / count;
    }
    outcome->select_seconds += (stored->select_seconds - outcome->select_seconds) / count;
    outcome->classify_seconds += (stored->classify_seconds - outcome->classify_seconds) / count;
    return HSEL_OK;
}

static void finish_outcome(hs_outcome *outcome, uint32_t wanted)
{
    uint32_t n = outcome->repeats;
    outcome->state = outcome->folds_failed ? HS_OUTCOME_FAILED
                     : n == wanted         ? HS_OUTCOME_OK
                     : n > 0               ? HS_OUTCOME_PART
                                           : HS_OUTCOME_MISSING;
    for (int m = 0; m < HS_METRICS; m++) {
        if (n == 0)
            outcome->pooled[m] = outcome->fold_mean[m] = outcome->fold_se[m] = (double)NAN;
        outcome->pooled_sd[m] = n > 1 ? sqrt(outcome->pooled_sd[m] / (n - 1)) : (double)NAN;
        outcome->fold_mean_sd[m] = n > 1 ? sqrt(outcome->fold_mean_sd[m] / (n - 1)) : (double)NAN;
    }
}

static int read_outcome(hs_store *store, hs_outcomes *out, size_t d, size_t s, size_t c,
                        hs_outcome *outcome, hsel_error *error)
{
    const hs_study *study = out->study;
    int status = HSEL_OK;
    if (out->datasets[d].id < 0)
        outcome->folds_wanted = (uint64_t)study->folds * study->repeats;
    for (uint32_t r = 0; r < study->repeats && status == HSEL_OK && out->datasets[d].id >= 0; r++) {
        hs_stored stored = {0};
        status = hs_store_get(store, out->datasets[d].id, study->selectors[s].text,
                              study->classifiers[c].text, hs_study_scheme(study), study->folds,
                              study->seed + r, &stored, error);
        if (status)
            return status;
        outcome->folds_wanted += stored.folds;
        outcome->folds_done += stored.folds_there;
        outcome->folds_failed += stored.failed;
        out->without_scores += stored.folds_there && !stored.score;
        if (stored.message && !outcome->message &&
            !(outcome->message =
                  hs_arena_text(&out->arena, stored.message, strlen(stored.message))))
            status = hs_fail_memory(error);
        if (status == HSEL_OK && stored.folds > 0 && stored.folds_there == stored.folds)
            status = add_repeat(&stored, study->rank_by, outcome, error);
        hs_stored_clear(&stored);
    }
    finish_outcome(outcome, study->repeats);
    return status;
}

static int read_outcomes(hs_store *store, hs_outcomes *out, hsel_error *error)
{
    size_t selectors = out->study->selector_count, classifiers = out->study->classifier_count;
    int status = HSEL_OK;
    out->outcome = hs_arena_zero(&out->arena, out->dataset_count * selectors * classifiers,
                                 sizeof *out->outcome);
    if (!out->outcome)
        return hs_fail_memory(error);
    hs_outcome *outcome = out->outcome;
    for (size_t d = 0; d < out->dataset_count; d++)
        for (size_t s = 0; s < selectors; s++)
            for (size_t c = 0; c < classifiers && status == HSEL_OK; c++)
                status = read_outcome(store, out, d, s, c, outcome++, error);
    return status;
}

/* ---- published figures ---- */

/* A report without them is better than none: what is wrong with the file is kept for showing. */
static int read_figures(hs_outcomes *out, hsel_error *error)
{
    hsel_error because = {0};
    const char *file = out->study->published.file;
    int status = file ? hs_figures_read(file, &out->figures, &because) : HSEL_OK;
    if (status == HSEL_OK)
        return HSEL_OK;
    if (status == HSEL_ENOMEM)
        return hs_fail_memory(error);
    out->figures_problem = hs_arena_text(&out->arena, because.message, strlen(because.message));
    return out->figures_problem ? HSEL_OK : hs_fail_memory(error);
}

int hs_outcomes_read(hs_store *store, const hs_study *study, hs_outcomes *out, hsel_error *error)
{
    *out = (hs_outcomes){.study = study};
    int status = find_datasets(store, out, error);
    if (status == HSEL_OK)
        status = find_missing(out, error);
    if (status == HSEL_OK)
        status = read_outcomes(store, out, error);
    if (status == HSEL_OK)
        status = read_figures(out, error);
    if (status == HSEL_OK)
        status = hs_store_time(store, &out->time, error);
    if (status)
        hs_outcomes_clear(out);
    return status;
}

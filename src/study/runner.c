/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a study: data sets, what is to do on each, and what happens to a finished unit.
 */
#include "study/runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/text.h"
#include "study/runner_parts.h"

/* Units that are finished within this time are committed together; one that took longer itself is
 * committed at once, so that with a group never more than a moment's work is lost. */
#define GROUP_SECONDS  0.1
#define NAMING_SECONDS 0.02

static void note(const hs_run *run, const char *format, ...) HS_PRINTF(2, 3);
static void note(const hs_run *run, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    if (run->options->note)
        run->options->note(run->options->context, text);
}

int hs_run_tell(hs_run *run, const char *what, hsel_error *error)
{
    const hs_run_jobs *jobs = &run->summary->jobs;
    return hs_progress_report(run->options->progress,
                              jobs->there + jobs->there_failed + jobs->done + jobs->failed,
                              jobs->all, what, error);
}

static void tell_dataset(const hs_run *run, size_t index)
{
    if (run->options->dataset)
        run->options->dataset(run->options->context, &run->study->datasets[index],
                              &run->jobs[index]);
}

/* ---- what is to do ---- */

void hs_pending_clear(hs_pending *pending)
{
    hs_free(pending->units);
    hs_arena_clear(&pending->arena);
    *pending = (hs_pending){0};
}

/* Counts what is there of a unit; the rest of its `count` classifiers is to do. */
static int add_pending(hs_run *run, hs_pending *pending, hs_unit unit, const hs_job_state *states,
                       size_t count, hs_run_jobs *jobs, hsel_error *error)
{
    bool retry = run->options->retry_failed;
    uint32_t there = 0, there_failed = 0;
    for (size_t i = 0; i < count; i++) {
        there += states[i] == HS_JOB_OK;
        there_failed += states[i] == HS_JOB_FAILED && !retry;
    }
    jobs->there += there;
    jobs->there_failed += there_failed;
    unit.classifier_count = (uint32_t)count - there - there_failed;
    if (unit.classifier_count == 0)
        return HSEL_OK;
    uint32_t *wanted = HS_ARENA_NEW(&pending->arena, uint32_t, unit.classifier_count);
    HS_NEED(wanted && HS_GROW(&pending->units, &pending->capacity, pending->count + 1));
    unit.classifiers = wanted;
    for (size_t i = 0; i < count; i++)
        if (states[i] == HS_JOB_NONE || (states[i] == HS_JOB_FAILED && retry))
            *wanted++ = (uint32_t)i;
    pending->units[pending->count++] = unit;
    return HSEL_OK;
}

/* Texts of methods, and as many states, all HS_JOB_NONE. */
static int list_methods(hs_arena *arena, const hs_study_method *methods, size_t count,
                        const char ***texts, hs_job_state **states, hsel_error *error)
{
    *texts = HS_ARENA_NEW(arena, const char *, count);
    *states = hs_arena_zero(arena, count, sizeof **states);
    HS_NEED(*texts && *states);
    for (size_t i = 0; i < count; i++)
        (*texts)[i] = methods[i].text;
    return HSEL_OK;
}

/* The units of a data set that are to do: ranking, then fold by fold. */
static int find_pending(hs_run *run, const hs_workload *work, hs_pending *pending,
                        hsel_error *error)
{
    const hs_study *study = run->study;
    int64_t id = run->ids[work->index];
    const char **texts;
    hs_job_state *states;
    bool any = false; /* result in the store */
    if (id >= 0)
        HS_TRY(hs_store_has_units(run->store, id, &any, error));
    if (study->ranker_count) {
        size_t count = study->ranker_count;
        HS_TRY(list_methods(&pending->arena, study->rankers, count, &texts, &states, error));
        if (id >= 0)
            HS_TRY(hs_store_rankings(run->store, id, texts, count, states, error));
        run->summary->rankings.all += count;
        HS_TRY(add_pending(run, pending, (hs_unit){.selector = HS_UNIT_RANKS}, states, count,
                           &run->summary->rankings, error));
    }
    if (run->options->plan_only && !any) /* all of them, and nobody wants the list */
        return HSEL_OK;
    size_t count = study->classifier_count;
    HS_TRY(list_methods(&pending->arena, study->classifiers, count, &texts, &states, error));
    for (uint32_t r = 0; r < study->repeats; r++)
        for (uint32_t f = 0; f < work->fold_count; f++)
            for (uint32_t s = 0; s < study->selector_count; s++) {
                hs_unit unit = {.repeat = r, .fold = f, .selector = s};
                hs_unit_key key = hs_unit_key_in(study, id, work->fold_count, &unit);
                if (any)
                    HS_TRY(hs_store_jobs(run->store, &key, texts, count, states, error));
                HS_TRY(
                    add_pending(run, pending, unit, states, count, &run->jobs[work->index], error));
            }
    return HSEL_OK;
}

/* ---- finished units ---- */

int hs_run_finish(hs_run *run, size_t index, const hs_unit *unit, const hs_unit_result *result,
                  hsel_error *error)
{
    const hs_study *study = run->study;
    const hs_study_dataset *set = &study->datasets[index];
    bool ranks = unit->selector == HS_UNIT_RANKS;
    const char *selector = ranks ? NULL : study->selectors[unit->selector].text;
    hs_run_jobs none = {0}, *jobs[] = {ranks ? &none : &run->jobs[index],
                                       ranks ? &run->summary->rankings : &run->summary->jobs};
    if (ranks) {
        HS_TRY(hs_store_put_rankings(run->store, run->ids[index], result->classes,
                                     result->classifiers, result->classifier_count,
                                     result->probability, result->messages, error));
    } else {
        hs_unit_key key = hs_unit_key_in(study, run->ids[index], run->folds[index], unit);
        HS_TRY(hs_store_put(run->store, &key, result, error));
        run->left[index] -= result->classifier_count;
    }
    double seconds = result->select_seconds;
    for (size_t c = 0; c < result->classifier_count; c++) {
        bool ok = result->probability[c] != NULL;
        seconds += result->classify_seconds[c];
        for (size_t i = 0; i < 2; i++)
            ++*(ok ? &jobs[i]->done : &jobs[i]->failed);
        if (!ok && run->options->failed)
            run->options->failed(run->options->context, set,
                                 ranks ? result->classifiers[c] : selector,
                                 ranks ? "" : result->classifiers[c],
                                 result->messages[c] ? result->messages[c] : "");
    }
    run->summary->method_seconds += seconds;
    if (seconds > GROUP_SECONDS)
        HS_TRY(hs_store_commit(run->store, error));
    if (!ranks && run->left[index] == 0)
        tell_dataset(run, index);
    /* What is at hand, in words. They are for people to see and units may take microseconds, so
     * they are not written anew for each. */
    double at = hs_now();
    if (at - run->named >= NAMING_SECONDS) {
        run->named = at;
        if (ranks)
            snprintf(run->name, sizeof run->name, "%s, rankings", set->name);
        else
            snprintf(run->name, sizeof run->name, "%s, %s, repeat %u, fold %u", set->name, selector,
                     unit->repeat + 1, unit->fold + 1);
    }
    return hs_run_tell(run, run->name, error);
}

/* ---- data sets ---- */

static uint64_t jobs_with(const hs_study *study, uint64_t folds)
{
    return folds * study->selector_count * study->classifier_count * study->repeats;
}

/* The row of the data set in the store; when only planning, -1 for one that is new. */
static int find_id(hs_run *run, const hs_workload *work, hsel_error *error)
{
    int64_t *id = &run->ids[work->index];
    *id = -1;
    if (!run->options->plan_only) {
        HS_TRY(hs_store_dataset(run->store, work->data, id, error));
        if (work->folds && strncmp(run->study->scheme, "file:", 5) == 0)
            HS_TRY(hs_store_fold_file(run->store, *id, hs_study_scheme(run->study), &work->folds[0],
                                      error));
    } else if (run->store && work->data) {
        HS_TRY(hs_store_find_content(run->store, work->fingerprint, id, error));
    } else if (run->store) {
        HS_OWNS(hs_stored_dataset_clear) hs_stored_dataset found = {0};
        const char *name = run->study->datasets[work->index].name;
        HS_TRY(hs_store_find_dataset(run->store, name, &found, error));
        *id = found.id;
        if (*id >= 0)
            note(run, "%s is not generated now: what is done is an estimate by its name", name);
    }
    return HSEL_OK;
}

int hs_run_load(hs_run *run, size_t index, hs_workload *work, hsel_error *error)
{
    if (run->study->datasets[index].missing)
        return HSEL_OK;
    int status = run->options->plan_only
                     ? hs_workload_plan(run->study, index, &run->methods, work, error)
                     : hs_workload_open(run->study, index, &run->methods, work, error);
    work->notes = &run->notes;
    return status;
}

int hs_run_plan(hs_run *run, size_t index, int loaded, const hsel_error *why,
                const hs_workload *work, hs_pending *pending, hsel_error *error)
{
    const hs_study_dataset *set = &run->study->datasets[index];
    hs_run_jobs *sum = &run->summary->jobs, *jobs = &run->jobs[index];
    uint64_t guess = jobs_with(run->study, run->study->folds);
    if (set->missing)
        return HSEL_OK;
    HS_NEED(loaded != HSEL_ENOMEM);
    if (loaded) { /* the others can still be done */
        note(run, "%s is left out: %s", set->name, why->message);
        run->summary->unreadable++;
        sum->all -= guess;
        return HSEL_OK;
    }
    HS_TRY(find_id(run, work, error));
    run->folds[index] = work->fold_count;
    jobs->all = jobs_with(run->study, work->fold_count);
    HS_TRY(find_pending(run, work, pending, error));
    sum->all += jobs->all - guess;
    sum->there += jobs->there;
    sum->there_failed += jobs->there_failed;
    run->left[index] = jobs->all - jobs->there - jobs->there_failed;
    if (run->left[index] == 0 || run->options->plan_only)
        tell_dataset(run, index);
    return hs_run_tell(run, set->name, error);
}

/* One after the other: to plan, or to hand out to other processes. */
static int go_through(hs_run *run, hs_dispatcher *dispatcher, hsel_error *error)
{
    for (size_t i = 0; i < run->study->dataset_count; i++) {
        HS_OWNS(hs_workload_clear) hs_workload work = {0};
        HS_OWNS(hs_pending_clear) hs_pending pending = {0};
        hsel_error why = {0};
        int loaded = hs_run_load(run, i, &work, &why);
        HS_TRY(hs_run_plan(run, i, loaded, &why, &work, &pending, error));
        if (dispatcher && pending.count)
            HS_TRY(hs_dispatcher_hand_out(dispatcher, &work, &pending, error));
    }
    return HSEL_OK;
}

/* ---- all together ---- */

static int go(hs_run *run, hs_dispatcher *dispatcher, hsel_error *error)
{
    const hs_study *study = run->study;
    bool plan_only = run->options->plan_only;
    if (study->repeats > 0 && study->seed > (uint64_t)INT64_MAX - study->repeats)
        return hs_fail(error, HSEL_ELIMIT, "the seed %llu is too large",
                       (unsigned long long)study->seed);
    for (size_t i = 0; i < study->dataset_count; i++)
        if (study->datasets[i].missing) {
            run->summary->missing++;
            note(run, "%s is left out: %s is not there", study->datasets[i].name,
                 study->datasets[i].path);
        } else {
            run->summary->jobs.all += jobs_with(study, study->folds);
        }
    run->ids = HS_NEW_ZERO(int64_t, study->dataset_count);
    run->folds = HS_NEW_ZERO(uint32_t, study->dataset_count);
    run->jobs = HS_NEW_ZERO(hs_run_jobs, study->dataset_count);
    run->left = HS_NEW_ZERO(uint64_t, study->dataset_count);
    HS_NEED(run->ids && run->folds && run->jobs && run->left);
    HS_TRY(hs_run_methods_parse(study, &run->methods, error));
    if (!plan_only) {
        hs_store_group(run->store, GROUP_SECONDS);
        HS_TRY(hs_store_study(run->store, study, error));
    }
    return dispatcher || plan_only ? go_through(run, dispatcher, error) : hs_team_run(run, error);
}

static void run_clear(hs_run *run)
{
    hs_run_methods_clear(&run->methods);
    hs_notes_clear(&run->notes);
    hs_free(run->ids);
    hs_free(run->folds);
    hs_free(run->jobs);
    hs_free(run->left);
}

int hs_study_run(const hs_study *study, hs_store *store, const hs_run_options *options,
                 hs_run_summary *out, hsel_error *error)
{
    HS_OWNS(run_clear)
    hs_run run = {
        .study = study, .store = store, .options = options, .summary = out, .notes = HS_NOTES};
    double began = hs_now();
    hs_dispatcher *dispatcher = NULL;
    *out = (hs_run_summary){.threads = options->cluster ? 0 : hs_threads(options->threads)};
    int status = options->cluster ? hs_dispatcher_new(&run, &dispatcher, error) : HSEL_OK;
    out->broken = status != HSEL_OK;
    if (status == HSEL_OK)
        status = go(&run, dispatcher, error);
    if (dispatcher)
        status = hs_dispatcher_end(dispatcher, status, error);
    if (options->note)
        hs_notes_tell(&run.notes, options->note, options->context);
    if (!options->plan_only) {
        /* What is finished is committed, also when the run was stopped; the first failure is the
         * one to tell. */
        int committed = hs_store_commit(store, status ? NULL : error);
        status = status ? status : committed;
        hs_store_group(store, 0);
    }
    out->seconds = hs_now() - began;
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a study: data sets, what is to do on each, and the units in threads.
 */
#include "study/runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/text.h"
#include "study/runner_parts.h"

/* Units that are finished within this time are committed together; one that took longer itself is
 * committed at once, so that with a group never more than a moment's work is lost. */
#define GROUP_SECONDS  0.1
#define NAMING_SECONDS 0.02

double hs_run_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what is to do ---- */

void hs_pending_clear(hs_pending *pending)
{
    hs_free(pending->units);
    hs_arena_clear(&pending->arena);
    *pending = (hs_pending){0};
}

static bool is_done(const hs_run *run, hs_job_state state)
{
    return state == HS_JOB_OK || (state == HS_JOB_FAILED && !run->options->retry_failed);
}

/* `unit` with the classifiers that are not done, of `count`. */
static int add_pending(hs_run *run, hs_pending *pending, hs_unit unit, const hs_job_state *states,
                       size_t count, hsel_error *error)
{
    for (size_t i = 0; i < count; i++)
        unit.classifier_count += !is_done(run, states[i]);
    if (unit.classifier_count == 0)
        return HSEL_OK;
    uint32_t *wanted = HS_ARENA_NEW(&pending->arena, uint32_t, unit.classifier_count);
    if (!wanted || !HS_GROW(&pending->units, &pending->capacity, pending->count + 1))
        return hs_fail_memory(error);
    unit.classifiers = wanted;
    for (size_t i = 0; i < count; i++)
        if (!is_done(run, states[i]))
            *wanted++ = (uint32_t)i;
    pending->units[pending->count++] = unit;
    return HSEL_OK;
}

/* Looks at one unit: what is there is counted, the rest is to do. */
static int look_at(hs_run *run, const hs_workload *work, bool any, hs_unit unit,
                   const char *const *texts, hs_job_state *states, hs_pending *pending,
                   hsel_error *error)
{
    hs_run_jobs *jobs = &run->jobs[work->index];
    size_t count = run->study->classifier_count;
    int status = HSEL_OK;
    memset(states, 0, count * sizeof *states);
    if (any) {
        hs_unit_key key =
            hs_unit_key_in(run->study, run->ids[work->index], work->fold_count, &unit);
        status = hs_store_jobs(run->store, &key, texts, count, states, error);
    }
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        jobs->there += states[i] == HS_JOB_OK;
        jobs->there_failed += states[i] == HS_JOB_FAILED && !run->options->retry_failed;
    }
    return add_pending(run, pending, unit, states, count, error);
}

/* The unit that ranks, with the rankers that are not done. */
static int look_at_rankings(hs_run *run, const hs_workload *work, hs_pending *pending,
                            hsel_error *error)
{
    const hs_study *study = run->study;
    hs_run_jobs *sum = &run->summary->rankings;
    size_t count = study->ranker_count;
    const char **texts = HS_ARENA_NEW(&pending->arena, const char *, count);
    hs_job_state *states = hs_arena_zero(&pending->arena, count, sizeof *states);
    int status = texts && states ? HSEL_OK : hs_fail_memory(error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++)
        texts[i] = study->rankers[i].text;
    if (status == HSEL_OK && run->ids[work->index] >= 0)
        status = hs_store_rankings(run->store, run->ids[work->index], texts, count, states, error);
    if (status)
        return status;
    sum->all += count;
    for (size_t i = 0; i < count; i++) {
        sum->there += states[i] == HS_JOB_OK;
        sum->there_failed += states[i] == HS_JOB_FAILED && !run->options->retry_failed;
    }
    return add_pending(run, pending, (hs_unit){.selector = HS_UNIT_RANKS}, states, count, error);
}

/* The units of a data set that are to do: ranking, then fold by fold. */
static int find_pending(hs_run *run, const hs_workload *work, hs_pending *pending,
                        hsel_error *error)
{
    const hs_study *study = run->study;
    const char **texts = HS_ARENA_NEW(&pending->arena, const char *, study->classifier_count);
    hs_job_state *states = HS_ARENA_NEW(&pending->arena, hs_job_state, study->classifier_count);
    bool any = false; /* result in the store */
    int status = texts && states ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK && run->ids[work->index] >= 0)
        status = hs_store_has_units(run->store, run->ids[work->index], &any, error);
    for (size_t c = 0; c < study->classifier_count && status == HSEL_OK; c++)
        texts[c] = study->classifiers[c].text;
    if (status == HSEL_OK && study->ranker_count)
        status = look_at_rankings(run, work, pending, error);
    if (run->options->plan_only && !any) /* all of them, and nobody wants the list */
        return status;
    for (uint32_t r = 0; r < study->repeats; r++)
        for (uint32_t f = 0; f < work->fold_count; f++)
            for (uint32_t s = 0; s < study->selector_count && status == HSEL_OK; s++)
                status = look_at(run, work, any, (hs_unit){.repeat = r, .fold = f, .selector = s},
                                 texts, states, pending, error);
    return status;
}

/* ---- finished units ---- */

static uint64_t jobs_behind(const hs_run_jobs *jobs)
{
    return jobs->there + jobs->there_failed + jobs->done + jobs->failed;
}

int hs_run_tell(hs_run *run, const char *what, hsel_error *error)
{
    return hs_progress_report(run->options->progress, jobs_behind(&run->summary->jobs),
                              run->summary->jobs.all, what, error);
}

static void count_unit(hs_run *run, size_t index, const hs_unit_result *result, double *seconds)
{
    hs_run_jobs *sums[] = {&run->jobs[index], &run->summary->jobs};
    *seconds = result->select_seconds;
    for (size_t c = 0; c < result->classifier_count; c++) {
        *seconds += result->classify_seconds[c];
        for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
            if (result->probability[c])
                sums[i]->done++;
            else
                sums[i]->failed++;
    }
    run->summary->method_seconds += *seconds;
    run->left[index] -= result->classifier_count;
}

static void tell_failures(const hs_run *run, size_t index, const char *selector,
                          const hs_unit_result *result)
{
    for (size_t c = 0; run->options->failed && c < result->classifier_count; c++)
        if (!result->probability[c])
            run->options->failed(run->options->context, &run->study->datasets[index], selector,
                                 result->classifiers[c],
                                 result->messages[c] ? result->messages[c] : "");
}

static void tell_dataset(const hs_run *run, size_t index)
{
    if (run->options->dataset)
        run->options->dataset(run->options->context, &run->study->datasets[index],
                              &run->jobs[index]);
}

/* What is at hand, in words. They are for people to see and units may take microseconds, so they
 * are not written anew for each. */
static const char *name_unit(hs_run *run, size_t index, const hs_unit *unit)
{
    const hs_study *study = run->study;
    double at = hs_run_now();
    if (at - run->named < NAMING_SECONDS)
        return run->name;
    run->named = at;
    if (unit->selector == HS_UNIT_RANKS)
        snprintf(run->name, sizeof run->name, "%s, rankings", study->datasets[index].name);
    else
        snprintf(run->name, sizeof run->name, "%s, %s, repeat %u, fold %u",
                 study->datasets[index].name, study->selectors[unit->selector].text,
                 unit->repeat + 1, unit->fold + 1);
    return run->name;
}

static void count_rankings(const hs_run *run, size_t index, const hs_unit_result *result)
{
    run->summary->method_seconds += result->select_seconds;
    for (size_t i = 0; i < result->classifier_count; i++) {
        if (result->probability[i])
            run->summary->rankings.done++;
        else
            run->summary->rankings.failed++;
        if (!result->probability[i] && run->options->failed)
            run->options->failed(run->options->context, &run->study->datasets[index],
                                 result->classifiers[i], "",
                                 result->messages[i] ? result->messages[i] : "");
    }
}

static int finish_rankings(hs_run *run, size_t index, const hs_unit *unit,
                           const hs_unit_result *result, hsel_error *error)
{
    int status = hs_store_put_rankings(run->store, run->ids[index], result->classes,
                                       result->classifiers, result->classifier_count,
                                       result->probability, result->messages, error);
    if (status)
        return status;
    count_rankings(run, index, result);
    if (result->select_seconds > GROUP_SECONDS && (status = hs_store_commit(run->store, error)))
        return status;
    return hs_run_tell(run, name_unit(run, index, unit), error);
}

int hs_run_finish(hs_run *run, size_t index, const hs_unit *unit, const hs_unit_result *result,
                  hsel_error *error)
{
    const hs_study *study = run->study;
    if (unit->selector == HS_UNIT_RANKS)
        return finish_rankings(run, index, unit, result, error);
    hs_unit_key key = hs_unit_key_in(study, run->ids[index], run->folds[index], unit);
    double seconds;
    int status = hs_store_put(run->store, &key, result, error);
    if (status)
        return status;
    count_unit(run, index, result, &seconds);
    tell_failures(run, index, key.selector, result);
    if (seconds > GROUP_SECONDS && (status = hs_store_commit(run->store, error)))
        return status;
    if (run->left[index] == 0)
        tell_dataset(run, index);
    return hs_run_tell(run, name_unit(run, index, unit), error);
}

/* ---- data sets ---- */

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

static uint64_t jobs_with(const hs_study *study, uint64_t folds)
{
    return folds * study->selector_count * study->classifier_count * study->repeats;
}

/* The row of the data set in the store; when only planning, -1 for one that is new. */
static int find_id(hs_run *run, const hs_workload *work, hsel_error *error)
{
    int64_t *id = &run->ids[work->index];
    *id = -1;
    if (run->options->plan_only && run->store && !work->data) {
        hs_stored_dataset found = {0};
        const char *name = run->study->datasets[work->index].name;
        int status = hs_store_find_dataset(run->store, name, &found, error);
        *id = found.id;
        if (status == HSEL_OK && *id >= 0)
            note(run, "%s is not generated now: what is done is an estimate by its name", name);
        hs_stored_dataset_clear(&found);
        return status;
    }
    if (run->options->plan_only)
        return run->store ? hs_store_find_content(run->store, work->fingerprint, id, error)
                          : HSEL_OK;
    int status = hs_store_dataset(run->store, work->data, id, error);
    if (status == HSEL_OK && work->folds && strncmp(run->study->scheme, "file:", 5) == 0)
        status = hs_store_fold_file(run->store, *id, hs_study_scheme(run->study), &work->folds[0],
                                    error);
    return status;
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

/* The others can still be done. */
static int leave_out(hs_run *run, size_t index, const hsel_error *why)
{
    note(run, "%s is left out: %s", run->study->datasets[index].name, why->message);
    run->summary->unreadable++;
    run->summary->jobs.all -= jobs_with(run->study, run->study->folds);
    return HSEL_OK;
}

/* Counts what is there, now that the data set is known. */
static int count_dataset(hs_run *run, const hs_workload *work, hsel_error *error)
{
    hs_run_jobs *sum = &run->summary->jobs, *jobs = &run->jobs[work->index];
    sum->all += jobs->all - jobs_with(run->study, run->study->folds);
    sum->there += jobs->there;
    sum->there_failed += jobs->there_failed;
    run->left[work->index] = jobs->all - jobs->there - jobs->there_failed;
    if (run->left[work->index] == 0 || run->options->plan_only)
        tell_dataset(run, work->index);
    return hs_run_tell(run, run->study->datasets[work->index].name, error);
}

int hs_run_plan(hs_run *run, size_t index, int loaded, const hsel_error *why,
                const hs_workload *work, hs_pending *pending, hsel_error *error)
{
    if (run->study->datasets[index].missing)
        return HSEL_OK;
    if (loaded == HSEL_ENOMEM)
        return hs_fail_memory(error);
    if (loaded)
        return leave_out(run, index, why);
    int status = find_id(run, work, error);
    if (status)
        return status;
    run->folds[index] = work->fold_count;
    run->jobs[index].all = jobs_with(run->study, work->fold_count);
    status = find_pending(run, work, pending, error);
    return status ? status : count_dataset(run, work, error);
}

/* One after the other: to plan, or to hand out to other processes. */
static int go_through(hs_run *run, hs_foreman *foreman, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < run->study->dataset_count && status == HSEL_OK; i++) {
        hs_workload work = {0};
        hs_pending pending = {0};
        hsel_error why = {0};
        int loaded = hs_run_load(run, i, &work, &why);
        status = hs_run_plan(run, i, loaded, &why, &work, &pending, error);
        if (status == HSEL_OK && foreman && pending.count)
            status = hs_foreman_hand_out(foreman, &work, &pending, error);
        hs_pending_clear(&pending);
        hs_workload_clear(&work);
    }
    return status;
}

/* ---- all together ---- */

static int start(hs_run *run, hsel_error *error)
{
    const hs_study *study = run->study;
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
    if (!run->ids || !run->folds || !run->jobs || !run->left)
        return hs_fail_memory(error);
    int status = hs_run_methods_parse(study, &run->methods, error);
    if (status == HSEL_OK && !run->options->plan_only) {
        hs_store_group(run->store, GROUP_SECONDS);
        status = hs_store_study(run->store, study, error);
    }
    return status;
}

/* What is finished is committed, also when the run was stopped; the first failure is the one to
 * tell. */
static int finish(hs_run *run, int status, hsel_error *error)
{
    hs_run_methods_clear(&run->methods);
    hs_free(run->ids);
    hs_free(run->folds);
    hs_free(run->jobs);
    hs_free(run->left);
    if (run->options->plan_only)
        return status;
    int committed = hs_store_commit(run->store, status ? NULL : error);
    hs_store_group(run->store, 0);
    return status ? status : committed;
}

int hs_study_run(const hs_study *study, hs_store *store, const hs_run_options *options,
                 hs_run_summary *out, hsel_error *error)
{
    hs_run run = {
        .study = study, .store = store, .options = options, .summary = out, .notes = HS_NOTES};
    double began = hs_run_now();
    *out = (hs_run_summary){.threads = options->cluster ? 0 : hs_threads(options->threads)};
    hs_foreman *foreman = NULL;
    int status = options->cluster ? hs_foreman_new(&run, &foreman, error) : HSEL_OK;
    out->broken = status != HSEL_OK;
    if (status == HSEL_OK)
        status = start(&run, error);
    if (status == HSEL_OK)
        status = foreman || options->plan_only ? go_through(&run, foreman, error)
                                               : hs_team_run(&run, error);
    if (foreman)
        status = hs_foreman_end(foreman, status, error);
    if (options->note)
        hs_notes_tell(&run.notes, options->note, options->context);
    hs_notes_clear(&run.notes);
    status = finish(&run, status, error);
    out->seconds = hs_run_now() - began;
    return status;
}

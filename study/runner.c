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
#define GROUP_SECONDS 0.1

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
                              jobs->there + jobs->there_failed + jobs->done + jobs->failed +
                                  jobs->left_out,
                              jobs->all, what, error);
}

static void tell_dataset(const hs_run *run, size_t index)
{
    if (run->options->dataset)
        run->options->dataset(run->options->context, &run->study->datasets[index],
                              &run->sets[index].jobs);
}

/* The key under which the results of a unit are kept. */
static hs_result_key key_of(const hs_run *run, size_t index, const hs_unit *unit)
{
    const hs_study *study = run->study;
    const struct hs_run_set *set = &run->sets[index];
    const bool tests = unit->kind == HS_UNIT_TESTS;
    hs_result_key key = {.dataset = set->id};
    if (tests || unit->kind == HS_UNIT_CHOOSES) {
        const hs_study_method *selector =
            tests ? &study->selectors[unit->selector] : &study->autos[unit->selector].method;
        key = hs_study_key(study, set->id, selector, selector, unit->repeat);
        key.folds = set->folds;
        key.fold = unit->fold;
        key.probed = tests && study->stability && selector->method->flags & HS_LAZY;
    }
    key.version = run->options->redo_older ? hsel_version() : NULL;
    return key;
}

/* ---- what is to do ---- */

void hs_pending_clear(hs_pending *pending)
{
    hs_free(pending->units);
    hs_arena_clear(&pending->arena);
    *pending = (hs_pending){0};
}

/* What is to do of the units of a data set, while they are gone through. */
struct planning {
    hs_run *run;
    const hs_workload *work;
    hs_pending *pending;
    bool any;    /* result is in the store */
    bool listed; /* else everything remains, and the list is not needed */
};

/* Adds a unit that is ours, and counts its jobs. */
static int add_pending(struct planning *p, hs_unit unit, hsel_error *error)
{
    hs_run *run = p->run;
    hs_pending *pending = p->pending;
    const hs_workload *work = p->work;
    size_t count;
    const hs_study_method *methods = hs_unit_methods(run->study, &unit, &count);
    const bool tests = unit.kind == HS_UNIT_TESTS;
    hs_run_jobs *jobs =
        unit.kind == HS_UNIT_RANKS ? &run->summary->rankings : &run->sets[work->index].jobs;
    hs_result_key key = key_of(run, work->index, &unit);
    uint32_t *wanted = NULL;
    if (run->share.parts || unit.kind == HS_UNIT_RANKS)
        jobs->all += tests ? hs_study_fitting(run->study, unit.selector) : count;
    for (size_t i = 0; i < count && p->listed; i++) {
        hs_job_state state = HS_JOB_NONE;
        if (tests && !hs_study_fits(run->study, unit.selector, i))
            continue;
        key.method = hs_method_key(&methods[i]);
        if (p->any)
            HS_TRY(hs_store_job(run->store, &key, &state, error));
        bool unfit = !tests || !work->misfits || work->misfits[unit.selector * count + i].unfit;
        if (state == HS_JOB_OK) {
            jobs->there++;
        } else if (state == HS_JOB_UNFIT && unfit) {
            jobs->left_out++;
        } else if (state == HS_JOB_FAILED && !run->options->retry_failed) {
            jobs->there_failed++;
        } else {
            HS_NEED(wanted || (wanted = HS_ARENA_NEW(&pending->arena, uint32_t, count)));
            wanted[unit.method_count++] = (uint32_t)i;
        }
    }
    unit.methods = wanted;
    if (!wanted)
        return HSEL_OK;
    HS_NEED(HS_GROW(&pending->units, &pending->capacity, pending->count + 1));
    pending->units[pending->count++] = unit;
    return HSEL_OK;
}

/* The same of one whose methods cost as much as `cost` others, if it is dealt to us. */
static int deal_unit(struct planning *p, double cost, hs_unit unit, hsel_error *error)
{
    size_t count;
    (void)hs_unit_methods(p->run->study, &unit, &count);
    return hs_share_deal(&p->run->share, cost * (double)count * hs_share_other(p->work))
               ? add_pending(p, unit, error)
               : HSEL_OK;
}

/* ---- finished units ---- */

int hs_run_finish(hs_run *run, size_t index, const hs_unit *unit, const hs_unit_result *result,
                  hsel_error *error)
{
    const hs_study_dataset *data = &run->study->datasets[index];
    struct hs_run_set *set = &run->sets[index];
    hs_result_key key = key_of(run, index, unit);
    const bool tests = key.selector != NULL, ranks = unit->kind == HS_UNIT_RANKS;
    hs_run_jobs none = {0}, *jobs[] = {ranks ? &none : &set->jobs,
                                       ranks ? &run->summary->rankings : &run->summary->jobs};
    HS_TRY(hs_store_put(run->store, &key, result, error));
    double seconds = result->select_seconds;
    for (size_t i = 0; i < result->job_count; i++) {
        const hs_job_result *job = &result->jobs[i];
        seconds += job->seconds;
        for (size_t k = 0; k < 2; k++)
            ++*(job->values ? &jobs[k]->done : job->unfit ? &jobs[k]->left_out : &jobs[k]->failed);
        if (!job->values && run->options->failed)
            run->options->failed(run->options->context, data, tests ? key.selector : job->method,
                                 tests ? job->method : "", job->message ? job->message : "",
                                 job->unfit);
    }
    run->summary->method_seconds += seconds;
    if (seconds > GROUP_SECONDS)
        HS_TRY(hs_store_commit(run->store, error));
    if (!ranks && (set->left -= result->job_count) == 0)
        tell_dataset(run, index);
    char name[256];
    if (tests)
        snprintf(name, sizeof name, "%s, %s, repeat %u, fold %u", data->name, key.selector,
                 unit->repeat + 1, unit->fold + 1);
    else
        snprintf(name, sizeof name, "%s, %s", data->name, ranks ? "rankings" : "simulations");
    return hs_run_tell(run, name, error);
}

/* ---- data sets ---- */

/* What a data set has to do, before it is known. */
static uint64_t guess_of(const hs_run *run)
{
    return hs_study_jobs_of(run->study, run->study->folds) /
           (run->share.parts ? run->share.parts : 1);
}

int hs_run_load(hs_run *run, size_t index, hs_workload *work, hsel_error *error)
{
    if (run->study->datasets[index].missing)
        return HSEL_OK;
    int status = hs_workload_open(run->study, index, &run->methods,
                                  run->options->plan_only && !run->share.parts, work, error);
    work->notes = &run->notes;
    uint32_t all = work->unlabelled ? work->unlabelled + work->data->instances : 0;
    for (uint32_t i = 0; status == HSEL_OK && i < all; i++)
        status = hs_notes_count(&run->notes, run->study->datasets[index].name,
                                work->data->target ? "instances have no target and are left out"
                                                   : "instances have no class and are left out",
                                i < work->unlabelled, error);
    return status;
}

int hs_run_plan(hs_run *run, size_t index, int loaded, const hsel_error *why,
                const hs_workload *work, hs_pending *pending, hsel_error *error)
{
    const hs_study *study = run->study;
    const hs_study_dataset *data = &study->datasets[index];
    struct hs_run_set *set = &run->sets[index];
    hs_run_jobs *sum = &run->summary->jobs, *jobs = &set->jobs;
    uint64_t guess = guess_of(run);
    HS_OWNED bool *mine = NULL; /* of the units, in the order of their loop; NULL: all */
    if (data->missing)
        return HSEL_OK;
    HS_NEED(loaded != HSEL_ENOMEM);
    if (loaded) { /* the others can still be done */
        note(run, "%s is left out: %s", data->name, why->message);
        run->summary->unreadable++;
        sum->all -= guess;
        return run->options->plan_only
                   ? HSEL_OK
                   : hs_store_no_dataset(run->store, data->name, why->message, error);
    }
    /* Its row in the store; when only planning, -1 for one that is new. */
    set->id = -1;
    if (!run->options->plan_only) {
        HS_TRY(hs_store_dataset(run->store, work->data, &set->id, error));
        if (work->folds && strncmp(study->scheme, "file:", 5) == 0)
            HS_TRY(hs_store_fold_file(run->store, set->id, hs_study_scheme(study), &work->folds[0],
                                      error));
    } else if (run->store && work->data) {
        HS_TRY(hs_store_find_content(run->store, work->fingerprint, &set->id, error));
    } else if (run->store) {
        HS_TRY(hs_store_last_use(run->store, data->name, &set->id, error));
        if (set->id >= 0)
            note(run, "%s is not generated now: its finished jobs are estimated from its name",
                 data->name);
    }
    set->folds = work->fold_count;
    /* The units that are to do: ranking, simulations, then fold by fold. */
    struct planning p = {.run = run, .work = work, .pending = pending};
    if (set->id >= 0)
        HS_TRY(hs_store_has_units(run->store, set->id, &p.any, error));
    p.listed = p.any || !run->options->plan_only;
    HS_TRY(deal_unit(&p, 1, (hs_unit){.kind = HS_UNIT_RANKS}, error));
    if (run->share.parts)
        HS_TRY(hs_share_units(&run->share, work, &mine, error));
    else
        jobs->all = hs_study_jobs_of(study, work->fold_count);
    for (uint32_t i = 0; i < study->draw_count; i++)
        HS_TRY(deal_unit(&p, 1, (hs_unit){.kind = HS_UNIT_SIMULATES, .selector = i}, error));
    const uint64_t rounds = (uint64_t)study->repeats * work->fold_count;
    for (uint64_t i = 0; i < rounds && (mine || p.listed); i++)
        for (uint32_t s = 0; s < study->selector_count; s++)
            if (!mine || mine[i * study->selector_count + s])
                HS_TRY(add_pending(&p,
                                   (hs_unit){.repeat = (uint32_t)(i / work->fold_count),
                                             .fold = (uint32_t)(i % work->fold_count),
                                             .selector = s},
                                   error));
    const double races = (double)study->selector_count * (double)study->classifier_count;
    for (uint64_t i = 0; i < rounds; i++)
        for (uint32_t a = 0; a < study->auto_count; a++)
            HS_TRY(deal_unit(&p,
                             races * study->autos[a].inner_folds * study->autos[a].inner_repeats,
                             (hs_unit){.kind = HS_UNIT_CHOOSES,
                                       .repeat = (uint32_t)(i / work->fold_count),
                                       .fold = (uint32_t)(i % work->fold_count),
                                       .selector = a},
                             error));
    run->summary->share = run->share.all > 0 ? run->share.mine / run->share.all : 1;
    sum->all += jobs->all - guess;
    sum->there += jobs->there;
    sum->there_failed += jobs->there_failed;
    sum->left_out += jobs->left_out;
    set->left = jobs->all - jobs->there - jobs->there_failed - jobs->left_out;
    if (set->left == 0 || run->options->plan_only)
        tell_dataset(run, index);
    return hs_run_tell(run, data->name, error);
}

/* ---- all together ---- */

static int go(hs_run *run, hsel_error *error)
{
    const hs_study *study = run->study;
    bool plan_only = run->options->plan_only;
    if (study->repeats > 0 && study->seed > (uint64_t)INT64_MAX - study->repeats)
        return hs_fail(error, HSEL_ELIMIT, "the seed %llu is too large",
                       (unsigned long long)study->seed);
    for (size_t i = 0; i < study->dataset_count; i++)
        if (study->datasets[i].missing) {
            run->summary->missing++;
            note(run, "%s is left out: %s does not exist", study->datasets[i].name,
                 study->datasets[i].path);
        } else {
            run->summary->jobs.all += guess_of(run);
        }
    HS_NEED(run->sets = HS_NEW_ZERO(struct hs_run_set, study->dataset_count));
    HS_TRY(hs_run_methods_parse(study, &run->methods, error));
    run->methods.threads = run->summary->threads;
    if (!plan_only) {
        hs_store_group(run->store, GROUP_SECONDS);
        HS_TRY(hs_store_study(run->store, study, error));
    } else if (run->store) {
        HS_TRY(hs_store_use(run->store, study, error));
    }
    if (!plan_only)
        return hs_team_run(run, error);
    for (size_t i = 0; i < study->dataset_count; i++) {
        HS_OWNS(hs_workload_clear) hs_workload work = {0};
        HS_OWNS(hs_pending_clear) hs_pending pending = {0};
        hsel_error why = {0};
        int loaded = hs_run_load(run, i, &work, &why);
        HS_TRY(hs_run_plan(run, i, loaded, &why, &work, &pending, error));
    }
    return HSEL_OK;
}

static void run_clear(hs_run *run)
{
    hs_run_methods_clear(&run->methods);
    hs_notes_clear(&run->notes);
    hs_share_clear(&run->share);
    hs_free(run->sets);
}

int hs_study_run(const hs_study *study, hs_store *store, const hs_run_options *options,
                 hs_run_summary *out, hsel_error *error)
{
    HS_OWNS(run_clear)
    hs_run run = {
        .study = study, .store = store, .options = options, .summary = out, .notes = HS_NOTES};
    double began = hs_now();
    *out = (hs_run_summary){.threads = hs_threads(options->threads)};
    int status = hs_share_init(&run.share, options->part, options->parts, error);
    if (status == HSEL_OK)
        status = go(&run, error);
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

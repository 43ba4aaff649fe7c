/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a study: opens its data sets, finds out what remains to be done on each, and stores finished
 * units.
 */
#include "study/runner.h"

#include <pthread.h>

#include "study/runner_parts.h"

/* Units that finish within this time are committed together. A unit that took longer is committed
 * at once, so that an interruption never loses more than a moment's work. */
#define GROUP_SECONDS 0.1

struct run {
    const hs_study *study;
    hs_store *store;
    const hs_run_options *options;
    hs_run_summary *summary;
    struct run_set {
        int64_t id;     /* in the store */
        uint32_t folds; /* how many */
        hs_run_jobs jobs;
        uint64_t left; /* jobs not finished yet */
    } * sets;          /* of each data set of the study */
    hs_notes notes;    /* of the methods */
    hs_share share;
};

/* A data set with its units that remain to be done. Freed when the last of them is stored. */
struct segment {
    hs_workload work;
    hs_unit *units;
    size_t count, capacity, taken, finished;
    hs_arena arena; /* of their lists of methods */
};

static void run_note(const struct run *run, const char *format, ...) HS_PRINTF(2, 3);
static void run_note(const struct run *run, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    if (run->options->note)
        run->options->note(run->options->context, text);
}

/* Reports progress; HSEL_ECANCELLED on a request to stop. */
static int tell_progress(struct run *run, const char *what, hsel_error *error)
{
    const hs_run_jobs *jobs = &run->summary->jobs;
    return hs_progress_report(run->options->progress,
                              jobs->there + jobs->there_failed + jobs->done + jobs->failed +
                                  jobs->left_out,
                              jobs->all, what, error);
}

static void tell_dataset(const struct run *run, size_t index)
{
    if (run->options->dataset)
        run->options->dataset(run->options->context, &run->study->datasets[index],
                              &run->sets[index].jobs);
}

/* The key under which the results of a unit are kept. */
static hs_result_key key_of(const struct run *run, size_t index, const hs_unit *unit)
{
    const hs_study *study = run->study;
    const struct run_set *set = &run->sets[index];
    const bool tests = unit->kind == HS_UNIT_TESTS;
    hs_result_key key = {.dataset = set->id};
    if (tests || unit->kind == HS_UNIT_CHOOSES) {
        const hs_study_method *selector =
            tests ? &study->selectors[unit->selector] : &study->autos[unit->selector].method;
        key = hs_study_key(study, set->id, selector, selector, unit->repeat);
        key.fold = unit->fold;
        key.probed = tests && study->stability && selector->method->flags & HS_LAZY;
    }
    key.version = run->options->redo_older ? hsel_version() : NULL;
    return key;
}

/* ---- how folds are made ---- */

struct design {
    hs_buf text;
    size_t skip; /* the name of the data set before each line */
};

static void add_limit(void *context, const char *line)
{
    struct design *design = context;
    hs_buf_printf(&design->text, "\n%s", line + design->skip);
}

/* Keeps how the folds were made, and what limits them, for reports. */
static int keep_design(const struct run *run, const hs_workload *work, int64_t id,
                       hsel_error *error)
{
    const hs_study *study = run->study;
    HS_OWNS(hs_notes_clear) hs_notes notes = HS_NOTES;
    struct design design = {.skip = strlen(hsel_dataset_name(work->data)) + 2};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    char made[HS_FOLDS_ROOM];
    HS_TRY(hs_crossval_note(work->data, work->folds, study->pooled, &notes, error));
    hs_buf_printf(&design.text, "%s", hs_folds_say(work->folds, made));
    hs_notes_tell(&notes, add_limit, &design);
    text = design.text;
    HS_NEED(!text.failed);
    return hs_store_fold_file(run->store, id, hs_study_scheme(study), study->folds, work->folds,
                              text.length ? text.text : NULL, error);
}

/* ---- planning ---- */

/* Goes through the units of a data set. */
struct planning {
    struct run *run;
    struct segment *segment;
    bool any;    /* the store has a result of the data set */
    bool listed; /* units are listed; else everything remains, and they are only counted */
};

/* Counts the jobs of a unit of this part, and lists the unit if any of them remains. */
static int add_pending(struct planning *p, hs_unit unit, hsel_error *error)
{
    struct run *run = p->run;
    struct segment *segment = p->segment;
    const hs_workload *work = &segment->work;
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
            HS_NEED(wanted || (wanted = HS_ARENA_NEW(&segment->arena, uint32_t, count)));
            wanted[unit.method_count++] = (uint32_t)i;
        }
    }
    unit.methods = wanted;
    if (!wanted)
        return HSEL_OK;
    HS_NEED(HS_GROW(&segment->units, &segment->capacity, segment->count + 1));
    segment->units[segment->count++] = unit;
    return HSEL_OK;
}

/* The same if the unit, whose methods cost as much as `cost` rankers, is assigned to this part. */
static int deal_unit(struct planning *p, double cost, hs_unit unit, hsel_error *error)
{
    size_t count;
    (void)hs_unit_methods(p->run->study, &unit, &count);
    return hs_share_deal(&p->run->share, cost * (double)count * hs_share_other(&p->segment->work))
               ? add_pending(p, unit, error)
               : HSEL_OK;
}

/* ---- finished units ---- */

/* Stores a finished unit of data set `index`, counts it and reports progress. Called by one thread
 * at a time. */
static int finish_unit(struct run *run, size_t index, const hs_unit *unit,
                       const hs_unit_result *result, hsel_error *error)
{
    const hs_study_dataset *data = &run->study->datasets[index];
    struct run_set *set = &run->sets[index];
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
    return tell_progress(run, name, error);
}

/* ---- data sets ---- */

/* Estimated jobs of a data set that is not open yet. */
static uint64_t guess_of(const struct run *run)
{
    return hs_study_jobs_of(run->study, run->study->folds) /
           (run->share.parts ? run->share.parts : 1);
}

/* Opens a data set unless it is missing. Called by any thread. */
static int load_dataset(struct run *run, size_t index, hs_workload *work, hsel_error *error)
{
    if (run->study->datasets[index].missing)
        return HSEL_OK;
    int status = hs_workload_open(run->study, index, run->summary->threads,
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

/* Called by one thread at a time, after load_dataset and with its status: stores the data set, and
 * lists and counts what remains. A data set that could not be read is left out with a note. */
static int plan_dataset(struct run *run, size_t index, int loaded, const hsel_error *why,
                        struct segment *segment, hsel_error *error)
{
    const hs_workload *work = &segment->work;
    const hs_study *study = run->study;
    const hs_study_dataset *data = &study->datasets[index];
    struct run_set *set = &run->sets[index];
    hs_run_jobs *sum = &run->summary->jobs, *jobs = &set->jobs;
    uint64_t guess = guess_of(run);
    HS_OWNED bool *mine = NULL; /* of the units, in the order of their loop; NULL: all */
    if (data->missing)
        return HSEL_OK;
    HS_NEED(loaded != HSEL_ENOMEM);
    if (loaded) { /* the others can still be done */
        run_note(run, "%s is left out: %s", data->name, why->message);
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
        const hs_folds *folds = work->folds;
        if (folds && (strncmp(study->scheme, "file:", 5) == 0 || hs_has_design(work->data)))
            HS_TRY(keep_design(run, work, set->id, error));
    } else if (run->store && work->data) {
        HS_TRY(hs_store_find_content(run->store, work->fingerprint, &set->id, error));
    } else if (run->store) {
        HS_TRY(hs_store_last_use(run->store, data->name, &set->id, error));
        if (set->id >= 0)
            run_note(run, "%s is not generated now: its finished jobs are estimated from its name",
                     data->name);
    }
    set->folds = work->fold_count;
    /* The units in order: rankings, simulations, pairs fold by fold, automatic choices. */
    struct planning p = {.run = run, .segment = segment};
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
    return tell_progress(run, data->name, error);
}

/* ---- the threads ----
 *
 * Each thread takes a unit, runs it and stores the result; only one thread at a time uses the
 * store. While the others still work on a data set, one thread opens the next, so that none waits
 * for it. */

struct team {
    struct run *run;
    int threads;
    hs_unit_scratch *scratch; /* [threads] */
    pthread_mutex_t store;    /* guards the store and the callbacks; locked before `lock` */
    pthread_mutex_t lock;     /* guards the members below */
    pthread_cond_t changed;
    struct segment *current, *ready; /* whose units are taken now, and next */
    size_t next_dataset;             /* to open */
    bool opening;
    int status; /* of the first failure, or HSEL_ECANCELLED */
    hsel_error error;
};

static void segment_free(struct segment *segment)
{
    if (!segment)
        return;
    hs_free(segment->units);
    hs_arena_clear(&segment->arena);
    hs_workload_clear(&segment->work);
    hs_free(segment);
}

/* These are called and return with the lock held, and release it while they work. */

static void team_fail(struct team *team, int status, const hsel_error *why)
{
    if (status && team->status == HSEL_OK) {
        team->status = status;
        team->error = *why;
    }
    pthread_cond_broadcast(&team->changed);
}

static bool team_may_open(const struct team *team)
{
    return !team->ready && !team->opening && team->next_dataset < team->run->study->dataset_count;
}

/* Opens the next data set, on which nothing may remain. Only one thread at a time opens one. */
static void team_open_next(struct team *team)
{
    size_t index = team->next_dataset++;
    hsel_error why, reason = {0};
    team->opening = true;
    pthread_mutex_unlock(&team->lock);
    struct segment *segment = HS_NEW_ZERO(struct segment, 1);
    int loaded = segment ? load_dataset(team->run, index, &segment->work, &reason) : HSEL_ENOMEM;
    pthread_mutex_lock(&team->store);
    int status = segment ? plan_dataset(team->run, index, loaded, &reason, segment, &why)
                         : hs_fail_memory(&why);
    pthread_mutex_unlock(&team->store);
    pthread_mutex_lock(&team->lock);
    team->opening = false;
    if (status == HSEL_OK && segment->count > 0 && !team->run->options->plan_only)
        team->ready = segment;
    else
        segment_free(segment);
    team_fail(team, status, &why); /* also wakes threads that wait for the segment */
}

/* The next unit; NULL if none is left. */
static const hs_unit *team_take_unit(struct team *team, struct segment **from)
{
    while (team->status == HSEL_OK) {
        struct segment *current = team->current;
        if (current && current->taken < current->count) {
            *from = current;
            return &current->units[current->taken++];
        }
        if (team->ready) {
            team->current = team->ready;
            team->ready = NULL;
        } else if (team_may_open(team)) {
            team_open_next(team);
        } else if (team->opening) {
            pthread_cond_wait(&team->changed, &team->lock);
        } else {
            return NULL;
        }
    }
    return NULL;
}

/* After a failure nothing more is stored; after a request to stop, units under way still are. */
static void team_do_unit(struct team *team, hs_unit_scratch *scratch, struct segment *segment,
                         const hs_unit *unit)
{
    hsel_error why;
    hs_unit_result result;
    pthread_mutex_unlock(&team->lock);
    int status = hs_unit_run(&segment->work, unit, scratch, &result, &why);
    pthread_mutex_lock(&team->store);
    pthread_mutex_lock(&team->lock);
    bool wanted = team->status == HSEL_OK || team->status == HSEL_ECANCELLED;
    pthread_mutex_unlock(&team->lock);
    if (status == HSEL_OK && wanted)
        status = finish_unit(team->run, segment->work.index, unit, &result, &why);
    pthread_mutex_unlock(&team->store);
    pthread_mutex_lock(&team->lock);
    if (status)
        team_fail(team, status, &why);
    if (++segment->finished == segment->count) {
        team->current = team->current == segment ? NULL : team->current;
        segment_free(segment);
    }
}

static int team_work(void *context, size_t index, int which, hsel_error *error)
{
    struct team *team = context;
    struct segment *segment;
    const hs_unit *unit;
    (void)index;
    (void)error;
    pthread_mutex_lock(&team->lock);
    while ((unit = team_take_unit(team, &segment))) {
        if (team->threads > 1 && team_may_open(team))
            team_open_next(team); /* before it is needed */
        team_do_unit(team, &team->scratch[which], segment, unit);
    }
    pthread_mutex_unlock(&team->lock);
    return HSEL_OK;
}

static int run_team(struct run *run, hsel_error *error)
{
    int threads = run->summary->threads;
    struct team team = {.run = run,
                        .threads = threads,
                        .store = PTHREAD_MUTEX_INITIALIZER,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
    HS_OWNED hs_unit_scratch *scratch = HS_NEW_ZERO(hs_unit_scratch, (size_t)threads);
    HS_NEED(team.scratch = scratch);
    int status = hs_parallel_for((size_t)threads, threads, team_work, &team, error);
    segment_free(team.current);
    segment_free(team.ready);
    for (int i = 0; i < threads; i++)
        hs_unit_scratch_clear(&scratch[i]);
    pthread_cond_destroy(&team.changed);
    pthread_mutex_destroy(&team.store);
    pthread_mutex_destroy(&team.lock);
    if (team.status && error)
        *error = team.error;
    return team.status ? team.status : status;
}

/* ---- the whole run ---- */

static int run_data_sets(struct run *run, hsel_error *error)
{
    const hs_study *study = run->study;
    bool plan_only = run->options->plan_only;
    if (study->repeats > 0 && study->seed > (uint64_t)INT64_MAX - study->repeats)
        return hs_fail(error, HSEL_ELIMIT, "the seed %llu is too large",
                       (unsigned long long)study->seed);
    for (size_t i = 0; i < study->dataset_count; i++)
        if (study->datasets[i].missing) {
            run->summary->missing++;
            run_note(run, "%s is left out: %s does not exist", study->datasets[i].name,
                     study->datasets[i].path);
        } else {
            run->summary->jobs.all += guess_of(run);
        }
    HS_NEED(run->sets = HS_NEW_ZERO(struct run_set, study->dataset_count));
    if (!plan_only) {
        hs_store_group(run->store, GROUP_SECONDS);
        HS_TRY(hs_store_study(run->store, study, error));
    } else if (run->store) {
        HS_TRY(hs_store_use(run->store, study, error));
    }
    return run_team(run, error);
}

static void run_clear(struct run *run)
{
    hs_notes_clear(&run->notes);
    hs_share_clear(&run->share);
    hs_free(run->sets);
}

int hs_study_run(const hs_study *study, hs_store *store, const hs_run_options *options,
                 hs_run_summary *out, hsel_error *error)
{
    HS_OWNS(run_clear)
    struct run run = {
        .study = study, .store = store, .options = options, .summary = out, .notes = HS_NOTES};
    double began = hs_now();
    *out = (hs_run_summary){.threads = options->plan_only ? 1 : hs_threads(options->threads)};
    int status = hs_share_init(&run.share, options->part, options->parts, error);
    if (status == HSEL_OK)
        status = run_data_sets(&run, error);
    if (options->note)
        hs_notes_tell(&run.notes, options->note, options->context);
    if (!options->plan_only) {
        /* Finished units are committed even if the run was stopped. The first failure is reported.
         */
        int committed = hs_store_commit(store, status ? NULL : error);
        status = status ? status : committed;
        hs_store_group(store, 0);
    }
    out->seconds = hs_now() - began;
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The races run in parallel, one inner fold after the other: a task is a selector in one inner fold
 * of one race, with all its classifiers that are still in that race, so that the selector learns
 * once for all of them. What a task found is one value per candidate; these values are all that is
 * kept in the journal, and everything else follows from them. A permutation of the classes is its
 * own round, over a data set that has its classes from elsewhere and shares all else.
 */
#define MATHLIB_STANDALONE 1
#include "learn/auto.h"

#include <Rmath.h>
#include <pthread.h>
#include <stdatomic.h>
#include <xxhash.h>

#include "learn/crossval.h"
#include "learn/fold_file.h"
#include "learn/memory.h"
#include "stats/running.h"

const char *const hs_auto_selectors[] = {"none", "hip", "rpv", "shsel", "tsel",
                                         "gtd",  "fdr", "cfs", NULL};
const char *const hs_auto_classifiers[] = {"nb", "knn:k=15", "svm", "forest", "blend", NULL};

void hs_auto_clear(hs_auto *result)
{
    hs_arena_clear(&result->arena);
    *result = (hs_auto){0};
}

/* ---- the rule of the race ---- */

/* Means that differ by less are the same but for rounding. */
#define SLACK   1e-9
#define CLEARLY 0.05 /* level at which a single pair beats a blend */
#define LEADING 3    /* inner folds after which a blend that is ahead of all others has won */

/* NaN comes last. */
static bool is_better(bool lower_is_better, double a, double b)
{
    return (isnan(b) && !isnan(a)) || (lower_is_better ? a < b - SLACK : a > b + SLACK);
}

int hs_auto_race(const double *value, size_t stride, uint32_t folds, uint32_t inner_folds,
                 bool lower_is_better, double level, const hs_auto_group *group, size_t count,
                 bool *in, hsel_error *error)
{
    HS_OWNED bool *usable = HS_NEW_ZERO(bool, folds);
    HS_OWNED double *mean = HS_NEW_ZERO(double, count), *of_fold = HS_NEW_ZERO(double, folds);
    size_t runners = 0, best = count, first[HS_AUTO_GROUPS] = {count, count, count};
    uint32_t m = 0;
    double all = 0, squares = 0;
    HS_NEED(usable && mean && of_fold);
    for (size_t i = 0; i < count; i++)
        runners += in[i];
    for (uint32_t f = 0; f < folds; f++) { /* folds that have a value for every one of them */
        usable[f] = true;
        for (size_t i = 0; i < count; i++)
            usable[f] = usable[f] && !(in[i] && isnan(value[f * stride + i]));
        m += usable[f];
    }
    if (m < 2 || runners < 2)
        return HSEL_OK;
    for (uint32_t f = 0; f < folds; f++)
        for (size_t i = 0; usable[f] && i < count; i++)
            if (in[i]) {
                mean[i] += value[f * stride + i] / m;
                of_fold[f] += value[f * stride + i] / (double)runners;
                all += value[f * stride + i] / m / (double)runners;
            }
    for (size_t i = 0; i < count; i++) {
        if (!in[i])
            continue;
        for (uint32_t f = 0; f < folds; f++) {
            double rest = usable[f] ? value[f * stride + i] - mean[i] - of_fold[f] + all : 0;
            squares += rest * rest;
        }
        if (best == count || is_better(lower_is_better, mean[i], mean[best]))
            best = i;
        size_t *leader = &first[group[i]];
        if (*leader == count || is_better(lower_is_better, mean[i], mean[*leader]))
            *leader = i;
    }
    double freedom = (double)(runners - 1) * (m - 1);
    double error_of_difference = sqrt(2 * squares / freedom * (1.0 / m + 1.0 / (inner_folds - 1)));
    for (size_t i = 0; i < count; i++) {
        double behind = in[i] ? fabs(mean[best] - mean[i]) : 0;
        if (behind > 0 && i != first[group[i]] &&
            pt(behind / error_of_difference, freedom, 0, 0) < level)
            in[i] = false;
    }
    return HSEL_OK;
}

/* ---- the work ---- */

struct block {             /* a race */
    uint32_t repeat, fold; /* the outer fold that it does not see; fold HSEL_NONE: none */
    uint32_t *rows;
    hs_view view;
    hs_counts counts;
    hs_folds *inner; /* [inner repeats] */
    uint32_t stages; /* inner folds, over the repeats, that are done */
    bool *in;        /* [candidates]: it has neither left nor failed */
    bool decided;    /* further inner folds are not needed */
    hs_auto_winner winner;
};

struct job {
    const hs_auto_request *request;
    hs_auto *out;
    size_t count;         /* candidates */
    size_t *candidate;    /* [selectors * classifiers]; HS_AUTO_NOBODY: it is none */
    hs_auto_group *group; /* [count] */
    size_t races;         /* 1 + repeats * folds */
    uint32_t stages;      /* inner folds * inner repeats */
    int threads;
    /* Results of the tasks with the true classes and with a permutation: [races * stages *
     * candidates]; `failure` for failed tasks, `pending` before they finish. */
    double *own, *permuted;
    hs_checkpoint checkpoint;
    uint32_t permutations;      /* that are done, of those in out->permuted */
    bool in_permutation;        /* `permuted` is of the next one */
    hs_progress watched;        /* the caller's, and the budget */
    hs_progress_parts progress; /* a part per stage and one for the tests, in each round */
    double deadline;            /* 0: none */
    atomic_bool stopped, testing;
    pthread_mutex_t lock; /* of tables, journal and what follows */
    size_t failed;        /* the first candidate that failed, and why */
    hsel_error why;
};

struct round {
    struct job *job;
    hs_arena arena;    /* of its lists */
    hsel_dataset data; /* all but the classes is borrowed */
    double *table;
    hs_counts whole;
    hs_folds *outer;               /* [repeats] */
    struct block *blocks;          /* [races] */
    hs_crossval_scratch **scratch; /* [threads] */
    double *metrics;               /* [races * HS_METRICS]: of the winner on its outer fold */
    /* the current stage */
    struct task {
        size_t block, selector; /* in a test: the group */
    } * tasks;                  /* [races * (selectors or groups)] */
    size_t task_count;
    uint32_t stage;
    hs_progress_part part;
    hs_progress_parts parts;
};

static bool lower(const struct job *job)
{
    return hs_metric_formula(job->request->metric)->lower_is_better;
}

/* No metric has these values. */
static double failure(const struct job *job) { return lower(job) ? HUGE_VAL : -HUGE_VAL; }
static double pending(const struct job *job) { return -failure(job); }

static size_t value_count(const struct job *job) { return job->races * job->stages * job->count; }

static void clear_table(const struct job *job, double *table)
{
    for (size_t i = 0; i < value_count(job); i++)
        table[i] = pending(job);
}

static double *values_of(const struct round *r, size_t race, uint32_t stage)
{
    return r->table + (race * r->job->stages + stage) * r->job->count;
}

uint64_t hs_auto_seed(uint64_t seed, size_t race, uint32_t inner_repeat)
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "auto", race, inner_repeat);
    return hs_random_u64(&stream) >> 12; /* a seed that hsel eval takes, too */
}

/* ---- the journal ---- */

static uint64_t identify(const struct job *job)
{
    const hs_auto_request *r = job->request;
    double numbers[] = {r->metric,      r->rank_by,       r->folds, r->repeats,
                        r->inner_folds, r->inner_repeats, r->level, r->allow_violations};
    uint64_t hash = XXH3_64bits_withSeed(numbers, sizeof numbers, r->seed);
    hash = XXH3_64bits_withSeed(r->scheme, strlen(r->scheme), hash);
    hash = XXH3_64bits_withSeed(&r->fingerprint, sizeof r->fingerprint, hash);
    for (size_t i = 0; i < job->count; i++) {
        const hs_auto_candidate *c = &job->out->candidates[i];
        hash = XXH3_64bits_withSeed(c->selector, strlen(c->selector) + 1, hash);
        hash = XXH3_64bits_withSeed(c->classifier, strlen(c->classifier) + 1, hash);
    }
    return hash;
}

/* Finished permutations, and the tables. If the checkpoint has more permutations than requested,
 * the first ones count. */
static int job_fields(void *context, hs_transfer *file, hsel_error *error)
{
    struct job *job = context;
    const uint32_t wanted = job->request->permutations;
    uint32_t done = job->permutations;
    HS_FIELDS(file, HS_VALUE(done, 0, UINT32_MAX), HS_VALUE(job->in_permutation, 0, 1),
              HS_VALUES(*job->own, value_count(job), HS_ANY));
    for (uint32_t i = 0; i < done; i++) {
        double unwanted = 0, *value = i < wanted ? &job->out->permuted[i] : &unwanted;
        HS_FIELDS(file, HS_VALUE(*value, HS_ANY));
    }
    if (job->in_permutation)
        HS_FIELDS(file, HS_VALUES(*job->permuted, value_count(job), HS_ANY));
    job->permutations = done < wanted ? done : wanted;
    job->in_permutation = job->in_permutation && done < wanted;
    return HSEL_OK;
}

/* ---- learning and testing ---- */

/* The caller or the budget may stop the work. */
static int watch(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct job *job = context;
    const hs_progress *told = job->request->progress;
    if (told && told->report && told->report(told->context, done, total, what))
        atomic_store(&job->stopped, true);
    return atomic_load(&job->stopped) ||
           (job->deadline > 0 && !atomic_load(&job->testing) && hs_now() > job->deadline);
}

/* That the budget is over is not a failure. */
static int end_part(const struct job *job, hs_progress_part *part, hsel_error *error)
{
    int status = hs_progress_part_end(part, error);
    return status == HSEL_ECANCELLED && !atomic_load(&job->stopped) ? HSEL_OK : status;
}

static bool scores_only(const hs_auto_request *request)
{
    return request->rank_by == HS_RANK_BY_SCORE &&
           !(hs_metric_formula(request->metric)->needs & HS_OF_PROBABILITIES);
}

/* Selector s with some classifiers in one fold: the metrics of each into scores[count];
 * scores_only: none that needs probabilities. */
static int learn(const struct round *r, int worker, const hs_folds *folds, uint32_t fold,
                 const hs_counts *whole, uint64_t seed, size_t s, const hs_chosen *classifiers,
                 size_t count, bool scores_only, const hs_progress *progress, hs_scores *scores,
                 hsel_error *error)
{
    HS_OWNS(hs_crossval_clear) hs_crossval done = {0};
    HS_TRY(hs_crossval_run(&(hs_crossval_request){.data = &r->data,
                                                  .folds = folds,
                                                  .selectors = &r->job->request->selectors[s],
                                                  .classifiers = classifiers,
                                                  .selector_count = 1,
                                                  .classifier_count = count,
                                                  .seed = seed,
                                                  .threads = 1,
                                                  .fold_begin = fold,
                                                  .fold_end = fold + 1,
                                                  .rank_by = r->job->request->rank_by,
                                                  .scores_only = scores_only,
                                                  .whole = whole,
                                                  .progress = progress,
                                                  .scratch = &r->scratch[worker]},
                           &done, error));
    for (size_t i = 0; i < count; i++) {
        const hs_repeat tested = hs_crossval_repeat(&done, i);
        HS_TRY(hs_metrics_compute(&tested.predictions, &scores[i], error));
    }
    return HSEL_OK;
}

static int run_stage_task(void *context, size_t index, int worker, hsel_error *error)
{
    struct round *r = context;
    struct job *job = r->job;
    const hs_auto_request *request = job->request;
    const struct task *task = &r->tasks[index];
    const struct block *block = &r->blocks[task->block];
    const uint32_t repeat = r->stage / request->inner_folds, fold = r->stage % request->inner_folds;
    double *value = values_of(r, task->block, r->stage);
    HS_OWNED hs_chosen *classifiers = HS_NEW_ZERO(hs_chosen, request->classifier_count);
    HS_OWNED size_t *candidate = HS_NEW(size_t, request->classifier_count);
    HS_OWNED hs_scores *scores = HS_NEW(hs_scores, request->classifier_count);
    size_t count = 0;
    hs_progress_part part;
    hsel_error why = {0};
    HS_NEED(classifiers && candidate && scores);
    hs_progress_part_begin(&part, &r->parts, request->selectors[task->selector].method->name);
    for (size_t c = 0; c < request->classifier_count; c++) {
        size_t i = job->candidate[task->selector * request->classifier_count + c];
        if (i == HS_AUTO_NOBODY || !block->in[i] || value[i] != pending(job))
            continue;
        candidate[count] = i;
        classifiers[count++] = request->classifiers[c]; /* borrowed: only read */
    }
    /* All at once; if that fails, one by one, so that only the one that fails is out. */
    for (size_t i = 0, together = count; i < count;) {
        int status = hs_progress_report(&part.progress, 0, 1, "", &why);
        if (!status)
            status = learn(r, worker, &block->inner[repeat], fold, &block->counts,
                           hs_auto_seed(request->seed, request->race + task->block, repeat),
                           task->selector, classifiers + i, together, scores_only(request),
                           &part.progress, scores, &why);
        if (status == HSEL_ECANCELLED && !atomic_load(&job->stopped))
            return HSEL_OK; /* the budget is over: it stays undone */
        if (status == HSEL_ENOMEM || status == HSEL_ECANCELLED) {
            if (error)
                *error = why;
            return status;
        }
        if (status && together > 1) {
            together = 1;
            continue;
        }
        pthread_mutex_lock(&job->lock);
        for (size_t j = 0; j < together; j++)
            value[candidate[i + j]] = status ? failure(job) : scores[j].pooled[request->metric];
        if (status && candidate[i] < job->failed) {
            job->failed = candidate[i];
            job->why = why;
        }
        pthread_mutex_unlock(&job->lock);
        i += together;
    }
    pthread_mutex_lock(&job->lock);
    int status = hs_journal_due(request->journal)
                     ? hs_checkpoint_keep(request->journal, &job->checkpoint, error)
                     : HSEL_OK;
    pthread_mutex_unlock(&job->lock);
    HS_TRY(status);
    return end_part(job, &part, error);
}

/* The first of a group in a race on its outer fold. */
static int run_test_task(void *context, size_t index, int worker, hsel_error *error)
{
    struct round *r = context;
    struct job *job = r->job;
    const struct task *task = &r->tasks[index];
    struct block *block = &r->blocks[task->block];
    const size_t best = block->winner.best[task->selector];
    const hs_auto_candidate *c = &job->out->candidates[best];
    hs_scores scores;
    hs_progress_part part;
    hs_progress_part_begin(&part, &r->parts, "test");
    HS_TRY(learn(r, worker, &r->outer[block->repeat], block->fold, &r->whole,
                 job->request->seed + block->repeat, c->s, &job->request->classifiers[c->c], 1,
                 false, &part.progress, &scores, error));
    block->winner.value[task->selector] = scores.pooled[job->request->metric];
    if (best == block->winner.candidate)
        memcpy(r->metrics + task->block * HS_METRICS, scores.pooled, sizeof scores.pooled);
    return end_part(job, &part, error);
}

/* ---- a round ---- */

static void round_clear(struct round *r)
{
    const hs_auto_request *request = r->job->request;
    for (size_t b = 0; r->blocks && b < r->job->races; b++) {
        struct block *block = &r->blocks[b];
        for (uint32_t i = 0; block->inner && i < request->inner_repeats; i++)
            hs_folds_clear(&block->inner[i]);
        hs_counts_clear(&block->counts);
    }
    for (uint32_t i = 0; r->outer && i < request->repeats; i++)
        hs_folds_clear(&r->outer[i]);
    for (int i = 0; r->scratch && i < r->job->threads; i++)
        hs_crossval_scratch_free(r->scratch[i]);
    hs_counts_clear(&r->whole);
    hs_arena_clear(&r->arena);
}

/* permutation 0: the original classes. */
static int round_init(struct round *r, struct job *job, uint32_t permutation, hsel_error *error)
{
    const hs_auto_request *request = job->request;
    const hsel_dataset *data = request->data;
    hs_arena *arena = &r->arena;
    size_t per_race =
        request->selector_count > HS_AUTO_GROUPS ? request->selector_count : (size_t)HS_AUTO_GROUPS;
    r->data = *data;
    r->table = permutation ? job->permuted : job->own;
    HS_NEED(HS_LISTS(
        arena, r, HS_PART(r, data.class_of, data->instances), HS_PART(r, outer, request->repeats),
        HS_PART(r, blocks, job->races), HS_PART(r, scratch, (size_t)job->threads),
        HS_PART(r, metrics, job->races * HS_METRICS), HS_PART(r, tasks, job->races * per_race)));
    memcpy(r->data.class_of, data->class_of, data->instances * sizeof *data->class_of);
    if (permutation) {
        hs_stream stream;
        const hs_view whole = hs_view_all(data);
        HS_OWNS(hs_exchange_clear) hs_exchange exchange = {0};
        HS_OWNED uint32_t *order = HS_NEW(uint32_t, data->instances),
                          *scratch = HS_NEW(uint32_t, data->instances);
        HS_NEED(order && scratch);
        HS_TRY(hs_exchange_init(&whole, NULL, data->class_of, &exchange, error));
        HS_TRY(hs_exchange_check(
            &exchange, data,
            permutation == 1 && request->progress ? request->progress->notes : NULL, error));
        hs_stream_init(&stream, request->seed, "auto-classes", permutation, 0);
        hs_exchange_draw(&exchange, &stream, scratch, order);
        for (uint32_t i = 0; i < data->instances; i++)
            r->data.class_of[i] = data->class_of[order[i]];
    }
    hs_view all = hs_view_all(&r->data);
    if (request->rows) {
        all.rows = request->rows;
        all.row_count = request->row_count;
    }
    HS_TRY(hs_counts_of(&all, &r->whole, error));
    for (uint32_t i = 0; i < request->repeats; i++)
        HS_TRY(hs_folds_choose(request->scheme, &r->data, request->folds, request->seed + i,
                               &r->outer[i], error));
    for (size_t b = permutation ? 1 : 0; b < job->races; b++) {
        struct block *block = &r->blocks[b];
        block->repeat = b ? (uint32_t)((b - 1) / request->folds) : 0;
        block->fold = b ? (uint32_t)((b - 1) % request->folds) : HSEL_NONE;
        HS_NEED(HS_LISTS(arena, block, HS_PART(block, rows, data->instances),
                         HS_PART(block, inner, request->inner_repeats),
                         HS_PART(block, in, job->count)));
        memset(block->in, true, job->count * sizeof *block->in);
        block->view = all;
        if (b) {
            block->view.rows = block->rows;
            block->view.row_count =
                hs_folds_training(&r->outer[block->repeat], block->fold, block->rows);
        }
        HS_TRY(hs_counts_of(&block->view, &block->counts, error));
        for (uint32_t i = 0; i < request->inner_repeats; i++) {
            HS_TRY(hs_folds_within(&block->view, request->inner_folds,
                                   hs_auto_seed(request->seed, request->race + b, i),
                                   &block->inner[i], error));
            if (block->inner[i].count < request->inner_folds)
                return hs_fail(error, HSEL_EUSAGE,
                               "the training parts of %s have groups or times for only %u inner "
                               "folds, not %u: use fewer {inner-folds}",
                               hsel_dataset_name(data), block->inner[i].count,
                               request->inner_folds);
        }
    }
    return HSEL_OK;
}

/* One task after the other for all races, in threads. */
static int run_tasks(struct round *r, const char *what, hs_task task, hsel_error *error)
{
    hs_progress_part_begin(&r->part, &r->job->progress, what);
    r->parts = (hs_progress_parts){.whole = &r->part.progress, .count = r->task_count};
    HS_TRY(hs_parallel_for(r->task_count, r->job->threads, task, r, error));
    return end_part(r->job, &r->part, error);
}

/* Whether a candidate is better than another, by a test of that level (1: on average). */
static bool is_better_by(const struct round *r, size_t race, size_t a, size_t b, double level)
{
    const struct job *job = r->job;
    const double *values = values_of(r, race, 0);
    hs_running more = {0};
    for (uint32_t f = 0; f < r->blocks[race].stages; f++)
        hs_running_add_known(&more, values[f * job->count + a] - values[f * job->count + b]);
    const double mean = (lower(job) ? -1 : 1) * hs_running_mean(&more),
                 se = hs_running_sd(&more) *
                      sqrt(1.0 / more.count + 1.0 / (job->request->inner_folds - 1));
    return more.count > 1 && mean > SLACK &&
           (se == 0 || pt(mean / se, more.count - 1.0, 0, 0) < level);
}

/* Whether a race is over: only the best of each group is left, and the blend is significantly
 * better or worse than the best of the others, or ahead after some folds. */
static bool is_decided(const struct round *r, size_t race)
{
    const struct job *job = r->job;
    size_t left[HS_AUTO_GROUPS] = {HS_AUTO_NOBODY, HS_AUTO_NOBODY, HS_AUTO_NOBODY};
    for (size_t i = 0; i < job->count; i++) {
        if (r->blocks[race].in[i] && left[job->group[i]] != HS_AUTO_NOBODY)
            return false;
        if (r->blocks[race].in[i])
            left[job->group[i]] = i;
    }
    const size_t blend = left[HS_AUTO_BLENDS];
    bool worse = false, better = true, single = false;
    for (size_t g = 0; g < HS_AUTO_GROUPS && blend != HS_AUTO_NOBODY; g++)
        if (g != HS_AUTO_BLENDS && left[g] != HS_AUTO_NOBODY) {
            worse = worse || is_better_by(r, race, left[g], blend, CLEARLY);
            better = better && is_better_by(r, race, blend, left[g],
                                            r->blocks[race].stages < LEADING ? CLEARLY : 1);
            single = true;
        }
    return single && (worse || better);
}

/* A stage of a race is over. Its candidates without a value leave, or, if that is because the
 * budget is over and it is not the first stage, the stage is as if it had not been. */
static int end_stage(struct round *r, size_t race, hsel_error *error)
{
    const struct job *job = r->job;
    const hs_auto_request *request = job->request;
    struct block *block = &r->blocks[race];
    const double *values = values_of(r, race, 0), *found = values_of(r, race, r->stage);
    bool cut = false;
    for (size_t i = 0; i < job->count; i++)
        cut |= block->in[i] && found[i] == pending(job);
    if (cut && r->stage)
        return HSEL_OK;
    size_t reached = 0;
    for (size_t i = 0; i < job->count; i++) {
        block->in[i] = block->in[i] && !isinf(found[i]);
        job->out->tests += block->in[i] && r->table == job->own;
        reached += block->in[i];
    }
    block->stages += reached > 0;
    if (cut || request->level <= 0 || r->stage + 1 == job->stages)
        return HSEL_OK;
    HS_TRY(hs_auto_race(values, job->count, block->stages, request->inner_folds, lower(job),
                        request->level, job->group, job->count, block->in, error));
    block->decided = is_decided(r, race);
    return HSEL_OK;
}

/* Inner folds that a candidate was tested in. */
static uint32_t tested(const struct round *r, size_t race, size_t candidate)
{
    const double *value = values_of(r, race, 0) + candidate;
    uint32_t folds = 0;
    while (folds < r->blocks[race].stages && !isinf(value[folds * r->job->count]))
        folds++;
    return folds;
}

/* The mean of a candidate over these. */
static hs_running standing(const struct round *r, size_t race, size_t candidate)
{
    const struct job *job = r->job;
    const double *values = values_of(r, race, 0);
    const uint32_t folds = tested(r, race, candidate);
    hs_running all = {0};
    for (uint32_t f = 0; f < folds; f++)
        hs_running_add_known(&all, values[f * job->count + candidate]);
    return all;
}

static void find_winner(struct round *r, size_t race)
{
    const struct job *job = r->job;
    struct block *block = &r->blocks[race];
    double mean[HS_AUTO_GROUPS] = {(double)NAN, (double)NAN, (double)NAN};
    hs_auto_winner *w = &block->winner;
    *w = (hs_auto_winner){.repeat = block->repeat,
                          .fold = block->fold,
                          .inner_folds = block->stages,
                          .best = {HS_AUTO_NOBODY, HS_AUTO_NOBODY, HS_AUTO_NOBODY},
                          .candidate = HS_AUTO_NOBODY,
                          .value = {(double)NAN, (double)NAN, (double)NAN},
                          .inner = (double)NAN,
                          .outer = (double)NAN};
    for (size_t i = 0; i < job->count && block->stages; i++) {
        const hs_auto_group group = job->group[i];
        const hs_running all = standing(r, race, i);
        const double at = hs_running_mean(&all);
        if (block->in[i] &&
            (w->best[group] == HS_AUTO_NOBODY || is_better(lower(job), at, mean[group]))) {
            w->best[group] = i;
            mean[group] = at;
        }
    }
    /* A tie goes to no selection. */
    w->single = w->best[0] == HS_AUTO_NOBODY ||
                        (w->best[1] != HS_AUTO_NOBODY && is_better(lower(job), mean[1], mean[0]))
                    ? HS_AUTO_SELECTS
                    : HS_AUTO_PLAIN;
    const bool blend =
        w->best[HS_AUTO_BLENDS] != HS_AUTO_NOBODY &&
        (w->best[w->single] == HS_AUTO_NOBODY ||
         !is_better_by(r, race, w->best[w->single], w->best[HS_AUTO_BLENDS], CLEARLY));
    const hs_auto_group group = blend ? HS_AUTO_BLENDS : w->single;
    w->candidate = w->best[group];
    w->inner = mean[group];
}

/* The races of all blocks and the tests of their winners. *whole: nothing was left out because the
 * budget is over; a permutation that is not whole has not been tested. */
static int round_run(struct round *r, bool permuted, bool *whole, hsel_error *error)
{
    struct job *job = r->job;
    const size_t first = permuted, selectors = job->request->selector_count;
    *whole = true;
    for (r->stage = 0; r->stage < job->stages; r->stage++) {
        char what[64];
        hs_print(what, sizeof what, "inner fold %u of %u%s", r->stage + 1, job->stages,
                 permuted ? ", classes permuted" : "");
        r->task_count = 0;
        for (size_t s = 0; s < selectors; s++)
            for (size_t b = first; b < job->races; b++) {
                bool wanted = false;
                for (size_t i = 0; i < job->count; i++)
                    wanted |= job->out->candidates[i].s == s && r->blocks[b].in[i] &&
                              r->blocks[b].stages == r->stage && !r->blocks[b].decided;
                if (wanted)
                    r->tasks[r->task_count++] = (struct task){b, s};
            }
        HS_TRY(run_tasks(r, what, run_stage_task, error));
        for (size_t b = first; b < job->races; b++)
            if (r->blocks[b].stages == r->stage && !r->blocks[b].decided)
                HS_TRY(end_stage(r, b, error));
        for (size_t b = first; b < job->races; b++)
            *whole = *whole && (r->blocks[b].decided || r->blocks[b].stages == r->stage + 1);
    }
    r->task_count = 0;
    for (size_t b = first; b < job->races; b++) {
        find_winner(r, b);
        for (size_t group = 0; b && group < HS_AUTO_GROUPS; group++)
            if (r->blocks[b].winner.best[group] != HS_AUTO_NOBODY &&
                (!permuted || r->blocks[b].winner.best[group] == r->blocks[b].winner.candidate))
                r->tasks[r->task_count++] = (struct task){b, group};
    }
    if (permuted && !*whole)
        return HSEL_OK;
    atomic_store(&job->testing, true); /* what the races chose is tested, budget or not */
    HS_TRY(run_tasks(r, "test of the choices", run_test_task, error));
    atomic_store(&job->testing, false);
    for (size_t b = 1; b < job->races; b++) {
        hs_auto_winner *w = &r->blocks[b].winner;
        if (w->candidate != HS_AUTO_NOBODY)
            w->outer = w->value[job->group[w->candidate]];
    }
    return HSEL_OK;
}

/* ---- what comes out ---- */

static hs_auto_mean mean_of(hs_running values, uint32_t folds)
{
    const double freedom = values.count - 1.0;
    hs_auto_mean out = {.mean = hs_running_mean(&values),
                        .se = (double)NAN,
                        .low = (double)NAN,
                        .high = (double)NAN,
                        .p = (double)NAN,
                        .count = values.count};
    if (values.count < 2)
        return out;
    out.se = hs_running_sd(&values) * sqrt(1.0 / values.count + 1.0 / (folds - 1));
    out.low = out.mean - qt(0.975, freedom, 1, 0) * out.se;
    out.high = out.mean + qt(0.975, freedom, 1, 0) * out.se;
    out.p = out.se > 0 ? 2 * pt(fabs(out.mean) / out.se, freedom, 0, 0) : out.mean == 0 ? 1 : 0;
    return out;
}

/* Of the winners on their outer folds; of what selection and a blend add, and of single pairs. */
static hs_auto_mean estimate_of(const struct round *r, hs_auto *out)
{
    const uint32_t folds = r->job->request->folds;
    hs_running outer = {0}, more = {0}, single = {0}, blend = {0};
    for (size_t b = 1; b < r->job->races; b++) {
        const hs_auto_winner *w = &r->blocks[b].winner;
        hs_running_add_known(&outer, w->outer);
        hs_running_add_known(&more, w->value[HS_AUTO_SELECTS] - w->value[HS_AUTO_PLAIN]);
        hs_running_add_known(&single, w->value[w->single]);
        hs_running_add_known(&blend, w->value[HS_AUTO_BLENDS] - w->value[w->single]);
    }
    if (out) {
        out->selection = mean_of(more, folds);
        out->single = mean_of(single, folds);
        out->blend = mean_of(blend, folds);
    }
    return mean_of(outer, folds);
}

/* The metric when the larger class of all instances is predicted in every outer fold. */
static int find_chance(const struct round *r, double *out, hsel_error *error)
{
    const hs_folds *outer = &r->outer[0];
    const uint32_t n = r->data.instances, k = r->data.class_names.count;
    HS_OWNED double *probability = HS_NEW(double, (size_t)n *k),
                    *by_fold = HS_NEW(double, (size_t)outer->count *HS_METRICS);
    HS_OWNED uint32_t *sizes = HS_NEW_ZERO(uint32_t, k);
    hs_running folds = {0};
    hs_scores unused;
    HS_NEED(probability && by_fold && sizes);
    hs_class_sizes(&r->data, sizes);
    for (size_t i = 0; i < (size_t)n * k; i++)
        probability[i] = (double)sizes[i % k] / n;
    HS_TRY(hs_metrics_by_fold(&(hs_predictions){.instances = n,
                                                .classes = k,
                                                .folds = outer->count,
                                                .tested = outer->order,
                                                .tested_count = outer->start[outer->count],
                                                .positive_class = r->data.positive_class,
                                                .truth = r->data.class_of,
                                                .fold_of = outer->fold_of,
                                                .probability = probability,
                                                .features = r->data.features},
                              &unused, by_fold, error));
    for (uint32_t f = 0; f < outer->count; f++)
        hs_running_add_known(&folds, by_fold[(size_t)f * HS_METRICS + r->job->request->metric]);
    *out = hs_running_mean(&folds);
    return HSEL_OK;
}

/* How the candidates stand in the race on all instances, as far as it went. */
static void put_standings(const struct round *r)
{
    const struct job *job = r->job;
    hs_auto *out = job->out;
    const struct block *block = &r->blocks[0];
    out->choice = block->winner;
    out->inner_folds = block->stages;
    for (size_t i = 0; i < job->count; i++) {
        hs_running all = standing(r, 0, i);
        hs_auto_candidate *c = &out->candidates[i];
        c->folds = tested(r, 0, i);
        c->end = block->in[i]                                                    ? HS_AUTO_STAYED
                 : values_of(r, 0, 0)[c->folds * job->count + i] == failure(job) ? HS_AUTO_FAILED
                 : c->folds                                                      ? HS_AUTO_LEFT
                            : HS_AUTO_NOT_REACHED;
        c->mean = hs_running_mean(&all);
        c->se = hs_running_se(&all);
    }
    if (block->winner.candidate == HS_AUTO_NOBODY)
        return;
    const hs_auto_candidate *best = &out->candidates[block->winner.candidate];
    for (size_t i = 0; i < job->count; i++)
        out->candidates[i].close =
            block->in[i] && fabs(best->mean - out->candidates[i].mean) <= best->se;
}

static int put_result(const struct round *r, hsel_error *error)
{
    const struct job *job = r->job;
    hs_auto *out = job->out;
    hs_running metrics[HS_METRICS] = {0};
    double inner = 0;
    size_t known = 0; /* not in folds without one of two classes */
    put_standings(r);
    for (size_t b = 1; b < job->races; b++) {
        const hs_auto_winner *w = &r->blocks[b].winner;
        out->winners[b - 1] = *w;
        if (w->candidate == HS_AUTO_NOBODY)
            continue;
        out->tested++;
        out->candidates[w->candidate].chosen++;
        known += !isnan(w->inner);
        inner += isnan(w->inner) ? 0 : w->inner;
        for (size_t m = 0; m < HS_METRICS; m++)
            hs_running_add_known(&metrics[m], r->metrics[b * HS_METRICS + m]);
    }
    out->inner = known ? inner / (double)known : (double)NAN;
    for (int m = 0; m < HS_METRICS; m++)
        out->metrics[m] = hs_running_mean(&metrics[m]);
    out->estimate = estimate_of(r, out);
    if (!lower(job) && out->estimate.high > 1) /* no such metric is above 1 */
        out->estimate.high = 1;
    return find_chance(r, &out->chance, error);
}

/* ---- all together ---- */

static int check_twice(const hs_chosen *methods, size_t count, hsel_error *error)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(methods[i].text, methods[j].text) == 0)
                return hs_fail(error, HSEL_EUSAGE, "%s occurs twice among the %s", methods[i].text,
                               hs_kind_plural(methods[i].method->kind));
    return HSEL_OK;
}

int hs_auto_list(const hs_auto_request *request, hs_auto *out, hsel_error *error)
{
    const size_t pairs = request->selector_count * request->classifier_count;
    HS_OWNS(hs_auto_clear) hs_auto made = {0};
    hs_arena *arena = &made.arena;
    made.candidates = hs_arena_zero(arena, pairs, sizeof *made.candidates);
    made.left_out = hs_arena_zero(arena, pairs, sizeof *made.left_out);
    const char **why = HS_ARENA_NEW(arena, const char *, pairs);
    bool plain = false; /* none is among the selectors */
    HS_NEED(made.candidates && made.left_out && why);
    HS_TRY(check_twice(request->selectors, request->selector_count, error));
    HS_TRY(check_twice(request->classifiers, request->classifier_count, error));
    HS_TRY(hs_check_pairs(request->data, request->selectors, request->selector_count,
                          request->classifiers, request->classifier_count,
                          request->allow_violations, arena, why, error));
    for (size_t s = 0; s < request->selector_count; s++)
        plain |= strcmp(request->selectors[s].method->name, "none") == 0;
    for (size_t i = 0; i < pairs; i++) {
        const size_t s = i / request->classifier_count, c = i % request->classifier_count;
        const hs_chosen *selector = &request->selectors[s], *classifier = &request->classifiers[c];
        const bool selects = strcmp(selector->method->name, "none") != 0,
                   blends = strcmp(classifier->method->name, "blend") == 0;
        hsel_error unfit = {0};
        if (blends && selects && plain)
            continue; /* a blend has selectors of its own, and is one candidate */
        if (blends && selects)
            why[i] = "a blend has selectors of its own: add none to the selectors";
        if (!why[i] && hs_memory_check_pair(request->data, selector, classifier, request->folds,
                                            hs_threads(request->threads), &unfit))
            HS_NEED(why[i] = hs_arena_text(arena, unfit.message, strlen(unfit.message)));
        if (why[i])
            made.left_out[made.left_out_count++] =
                (hs_auto_left_out){selector->text, classifier->text, why[i]};
        else
            made.candidates[made.count++] = (hs_auto_candidate){.selector = selector->text,
                                                                .classifier = classifier->text,
                                                                .s = s,
                                                                .c = c,
                                                                .group = blends    ? HS_AUTO_BLENDS
                                                                         : selects ? HS_AUTO_SELECTS
                                                                                   : HS_AUTO_PLAIN};
    }
    if (!made.count)
        return hs_fail(error, HSEL_EUSAGE, "%s", made.left_out[0].why);
    HS_MOVE(out, &made);
    return HSEL_OK;
}

/* Is a class of so many instances in every fold, outer and inner? */
static bool in_every_fold(const hs_auto_request *request, uint32_t size)
{
    uint32_t outside = size - (size + request->folds - 1) / request->folds; /* the largest fold */
    if (request->folds == 1) /* a test set has its own size */
        outside = size;
    return size >= request->folds && outside >= request->inner_folds;
}

/* As scikit-learn's folds: one class must be in every fold, and those that are not are noted. */
static int check_classes(const hs_auto_request *request, hsel_error *error)
{
    const hsel_dataset *data = request->data;
    hs_notes *notes = request->progress ? request->progress->notes : NULL;
    HS_OWNED uint32_t *sizes = HS_NEW_ZERO(uint32_t, data->class_names.count);
    HS_NEED(sizes);
    if (data->target)
        return hs_fail(error, HSEL_EUSAGE,
                       "the automatic choice is for classes, but the target of %s is a number",
                       hsel_dataset_name(data));
    if (hs_metric_formula(request->metric)->needs & HS_OF_NUMBERS)
        return hs_fail(error, HSEL_EUSAGE,
                       "the metric %s is for numeric targets, but %s has classes",
                       hs_metric_name(request->metric), hsel_dataset_name(data));
    HS_TRY(hs_folds_check(data, error));
    hs_class_sizes(data, sizes);
    uint32_t least = HSEL_NONE, enough = 0; /* the least of those that are too small */
    for (uint32_t c = 0; c < data->class_names.count && request->repeats; c++)
        if (in_every_fold(request, sizes[c]))
            enough++;
        else if (sizes[c] && (least == HSEL_NONE || sizes[c] < sizes[least]))
            least = c;
    if (least == HSEL_NONE)
        return HSEL_OK;
    const char *name = hsel_dataset_class_name(data, least);
    if (!enough)
        return hs_fail(error, HSEL_EUSAGE,
                       "class %s of %s has %u instance%s, too few for %u outer folds with %u inner "
                       "folds each: take fewer folds, or leave the class out",
                       name, hsel_dataset_name(data), sizes[least], sizes[least] == 1 ? "" : "s",
                       request->folds, request->inner_folds);
    char text[160];
    hs_print(text, sizeof text,
             "classes are missing in some folds, with too few instances for %u outer and %u inner "
             "folds; %.40s has %u",
             request->folds, request->inner_folds, name, sizes[least]);
    for (uint32_t c = 0; c < data->class_names.count; c++)
        if (sizes[c])
            HS_TRY(hs_notes_count(notes, "auto", text, !in_every_fold(request, sizes[c]), error));
    return HSEL_OK;
}

static void job_clear(struct job *job) { pthread_mutex_destroy(&job->lock); }

/* Stopped or failed: what is done is kept for the next time. */
static int leave(struct job *job, int status)
{
    hsel_error unused;
    const int kept = hs_checkpoint_keep(job->request->journal, &job->checkpoint, &unused);
    (void)kept;
    return status;
}

static int run_permutations(struct job *job, hsel_error *error)
{
    const hs_auto_request *request = job->request;
    while (job->permutations < request->permutations) {
        HS_OWNS(round_clear) struct round round = {.job = job};
        bool whole;
        if (!job->in_permutation)
            clear_table(job, job->permuted);
        job->in_permutation = true;
        HS_TRY(round_init(&round, job, job->permutations + 1, error));
        HS_TRY(round_run(&round, true, &whole, error));
        if (!whole) {
            job->out->budget_over = true;
            break;
        }
        job->out->permuted[job->permutations++] = estimate_of(&round, NULL).mean;
        job->in_permutation = false;
    }
    return HSEL_OK;
}

int hs_auto_run(const hs_auto_request *given, hs_auto *out, hsel_error *error)
{
    hs_auto_request own = *given;
    const hs_auto_request *request = &own;
    own.scheme = own.scheme ? own.scheme : "own";
    if (hs_has_role(own.data, HS_ABOUT_TEST) && own.repeats)
        own.folds = own.repeats = 1;
    else if (strcmp(own.scheme, "own") != 0 && own.repeats) { /* which says how many there are */
        HS_OWNS(hs_folds_clear) hs_folds outer = {0};
        HS_TRY(hs_folds_choose(own.scheme, own.data, own.folds, own.seed, &outer, error));
        own.folds = outer.count;
    }
    HS_OWNS(hs_auto_clear) hs_auto made = {0};
    HS_OWNS(job_clear)
    struct job job = {.request = request,
                      .out = &made,
                      .races = 1 + (size_t)request->repeats * request->folds,
                      .stages = request->inner_folds * request->inner_repeats,
                      .threads = hs_threads(request->threads),
                      .deadline = request->budget > 0 ? hs_now() + request->budget : 0,
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .failed = SIZE_MAX};
    HS_OWNS(round_clear) struct round round = {.job = &job};
    const size_t pairs = request->selector_count * request->classifier_count;
    bool whole;
    HS_TRY(check_classes(request, error));
    HS_TRY(hs_auto_list(request, &made, error));
    job.watched = (hs_progress){watch, &job, request->progress ? request->progress->notes : NULL};
    job.progress = (hs_progress_parts){
        .whole = &job.watched, .count = (1 + (uint64_t)request->permutations) * (job.stages + 1)};
    job.count = made.count;
    made.winner_count = job.races - 1;
    made.inner_folds_all = job.stages;
    made.p = (double)NAN;
    struct job *j = &job;
    HS_NEED(HS_LISTS(&made.arena, j, HS_PART(j, candidate, pairs), HS_PART(j, group, job.count),
                     HS_PART(j, own, value_count(j)), HS_PART(j, permuted, value_count(j))));
    HS_NEED(HS_LISTS(&made.arena, j->out, HS_PART(j->out, winners, made.winner_count),
                     HS_PART(j->out, permuted, request->permutations)));
    for (size_t i = 0; i < pairs; i++)
        job.candidate[i] = HS_AUTO_NOBODY;
    for (size_t i = 0; i < job.count; i++) {
        const hs_auto_candidate *c = &made.candidates[i];
        job.candidate[c->s * request->classifier_count + c->c] = i;
        job.group[i] = c->group;
    }
    made.tests_all = (uint64_t)job.races * job.stages * job.count;
    clear_table(&job, job.own);
    job.checkpoint = (hs_checkpoint){.method = "auto",
                                     .differs = "data, candidates, options or seed",
                                     .identity = identify(&job),
                                     .fields = job_fields,
                                     .state = &job};
    HS_TRY(hs_checkpoint_restore(request->journal, &job.checkpoint, NULL, error));
    HS_TRY(round_init(&round, &job, 0, error));
    int status = round_run(&round, false, &whole, error);
    if (!status && round.blocks[0].winner.candidate == HS_AUTO_NOBODY)
        return leave(
            &job, job.failed != SIZE_MAX
                      ? hs_fail_as(error, HSEL_EUSAGE, NULL, 0,
                                   "no candidate could be trained: ", &job.why)
                      : hs_fail(error, HSEL_EUSAGE, "no candidate was reached within the budget"));
    made.budget_over = !whole;
    if (status == HSEL_ECANCELLED) {
        find_winner(&round, 0);
        put_standings(&round);
    } else if (!status && !request->repeats) {
        put_standings(&round);
    } else if (!status) {
        status = put_result(&round, error);
        if (!status)
            status = run_permutations(&job, error);
        made.permutations = job.permutations;
        for (uint32_t i = 0; i < made.permutations; i++)
            made.as_good += !is_better(lower(&job), made.estimate.mean, made.permuted[i]);
        if (made.permutations)
            made.p = (1.0 + made.as_good) / (1.0 + made.permutations);
    }
    if (status && status != HSEL_ECANCELLED)
        return leave(&job, status);
    HS_TRY(status ? leave(&job, HSEL_OK)
                  : hs_checkpoint_keep(request->journal, &job.checkpoint, error));
    HS_MOVE(out, &made);
    return status;
}

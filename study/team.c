/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units in the threads of one process. A thread that has finished one puts it into a queue; if
 * nobody is at the store just then, it empties the queue, else it goes on with its next unit. So
 * nobody waits for the store, not even while it waits for the disk, unless the queue gets long. The
 * next data set is opened by one thread while the others still work on the last, so nobody waits
 * for that either.
 *
 * One lock guards everything below; whoever is `at_store` alone touches the store, and the
 * callbacks of the run.
 */
#include <pthread.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "study/runner_parts.h"

#define LONG_QUEUE 256

/* A data set whose units are handed out. It goes when the last of them is in the store. */
struct segment {
    hs_workload work;
    hs_pending pending;
    size_t number; /* no two of a run have the same */
    size_t taken, finished;
};

struct finished {
    struct finished *next;
    struct segment *segment;
    const hs_unit *unit;
    hs_unit_result result;
    hs_arena arena; /* of the result */
};

static void finished_free(struct finished *one)
{
    if (one)
        hs_arena_clear(&one->arena);
    hs_free(one);
}

struct worker {
    hs_unit_scratch scratch;
    size_t segment; /* number of the segment that the scratch was last used for */
};

struct team {
    hs_run *run;
    int threads;
    struct worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t left_store, changed;
    struct finished *first, **last; /* the queue */
    size_t length;
    bool at_store;
    struct segment *current, *ready; /* handed out now, and after it */
    size_t next_dataset, segments;   /* to open; opened so far */
    bool opening;
    int status; /* of the first failure, or HSEL_ECANCELLED */
    hsel_error error;
};

/* All of these are called and left with the lock held. */

static void fail(struct team *team, int status, const hsel_error *why)
{
    if (status && team->status == HSEL_OK) {
        team->status = status;
        team->error = *why;
    }
    pthread_cond_broadcast(&team->changed);
}

static void segment_free(struct segment *segment)
{
    if (!segment)
        return;
    hs_pending_clear(&segment->pending);
    hs_workload_clear(&segment->work);
    hs_free(segment);
}

static void count_finished(struct team *team, struct segment *segment)
{
    if (++segment->finished < segment->pending.count)
        return;
    if (team->current == segment)
        team->current = NULL;
    segment_free(segment);
}

/* ---- the store ---- */

static void enter_store(struct team *team)
{
    while (team->at_store)
        pthread_cond_wait(&team->left_store, &team->lock);
    team->at_store = true;
}

static void leave_store(struct team *team)
{
    team->at_store = false;
    pthread_cond_broadcast(&team->left_store);
}

/* Writes until the queue is empty. After a failure of the store nothing more is written; asked to
 * stop, what was finished before counts. */
static void empty_queue(struct team *team)
{
    enter_store(team);
    while (team->first) {
        struct finished *one = team->first;
        team->first = one->next;
        team->length--;
        if (!team->first)
            team->last = &team->first;
        if (team->status == HSEL_OK || team->status == HSEL_ECANCELLED) {
            hsel_error why;
            pthread_mutex_unlock(&team->lock);
            int status =
                hs_run_finish(team->run, one->segment->work.index, one->unit, &one->result, &why);
            pthread_mutex_lock(&team->lock);
            if (status)
                fail(team, status, &why);
        }
        count_finished(team, one->segment);
        finished_free(one);
    }
    leave_store(team);
}

/* ---- data sets ---- */

static bool may_open(const struct team *team)
{
    return !team->ready && !team->opening && team->next_dataset < team->run->study->dataset_count;
}

/* Opens the next data set; there may be nothing to do on it. The lock is let go meanwhile; nobody
 * else opens one. */
static void open_next(struct team *team)
{
    size_t index = team->next_dataset++;
    hsel_error why, reason = {0};
    team->opening = true;
    pthread_mutex_unlock(&team->lock);
    struct segment *segment = HS_NEW_ZERO(struct segment, 1);
    int loaded = segment ? hs_run_load(team->run, index, &segment->work, &reason) : HSEL_ENOMEM;
    pthread_mutex_lock(&team->lock);
    int status = segment ? HSEL_OK : hs_fail_memory(&why);
    if (segment) {
        enter_store(team);
        pthread_mutex_unlock(&team->lock);
        status =
            hs_run_plan(team->run, index, loaded, &reason, &segment->work, &segment->pending, &why);
        pthread_mutex_lock(&team->lock);
        leave_store(team);
    }
    team->opening = false;
    if (status == HSEL_OK && segment->pending.count > 0) {
        segment->number = ++team->segments;
        team->ready = segment;
    } else {
        segment_free(segment);
    }
    fail(team, status, &why); /* also wakes those who wait for the segment */
}

/* The next unit; NULL when there is none any more. */
static const hs_unit *take_unit(struct team *team, struct segment **from)
{
    while (team->status == HSEL_OK) {
        struct segment *current = team->current;
        if (current && current->taken < current->pending.count) {
            *from = current;
            return &current->pending.units[current->taken++];
        }
        if (team->ready) {
            team->current = team->ready;
            team->ready = NULL;
        } else if (may_open(team)) {
            open_next(team);
        } else if (team->opening) {
            pthread_cond_wait(&team->changed, &team->lock);
        } else {
            return NULL;
        }
    }
    return NULL;
}

/* ---- a unit ---- */

static void do_unit(struct team *team, struct worker *worker, struct segment *segment,
                    const hs_unit *unit)
{
    hsel_error why;
    pthread_mutex_unlock(&team->lock);
    struct finished *one = HS_NEW_ZERO(struct finished, 1);
    int status = one ? HSEL_OK : hs_fail_memory(&why);
    if (one) {
        if (worker->segment != segment->number) /* what the scratch knows is of other data */
            hs_unit_scratch_clear(&worker->scratch);
        worker->segment = segment->number;
        *one = (struct finished){.segment = segment, .unit = unit};
        status = hs_unit_run(&segment->work, unit, &worker->scratch, &one->result, &why);
        one->arena = worker->scratch.arena; /* the result travels with it */
        worker->scratch.arena = (hs_arena){0};
    }
    pthread_mutex_lock(&team->lock);
    if (status) {
        fail(team, status, &why);
        count_finished(team, segment);
        finished_free(one);
        return;
    }
    *team->last = one;
    team->last = &one->next;
    team->length++;
    while (team->at_store && team->length >= LONG_QUEUE)
        pthread_cond_wait(&team->left_store, &team->lock);
    if (!team->at_store)
        empty_queue(team);
}

static int work(void *context, size_t index, int which, hsel_error *error)
{
    struct team *team = context;
    struct segment *segment;
    const hs_unit *unit;
    (void)index;
    (void)error;
    pthread_mutex_lock(&team->lock);
    while ((unit = take_unit(team, &segment))) {
        if (team->threads > 1 && may_open(team))
            open_next(team); /* before it is needed */
        do_unit(team, &team->workers[which], segment, unit);
    }
    pthread_mutex_unlock(&team->lock);
    return HSEL_OK;
}

int hs_team_run(hs_run *run, hsel_error *error)
{
    int threads = run->summary->threads;
    struct team team = {.run = run,
                        .threads = threads,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .left_store = PTHREAD_COND_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .last = &team.first};
    HS_OWNED struct worker *workers = HS_NEW_ZERO(struct worker, (size_t)threads);
    HS_NEED(team.workers = workers);
    int status = hs_parallel_for((size_t)threads, threads, work, &team, error);
    pthread_mutex_lock(&team.lock);
    empty_queue(&team);
    pthread_mutex_unlock(&team.lock);
    segment_free(team.current);
    segment_free(team.ready);
    for (int i = 0; i < threads; i++)
        hs_unit_scratch_clear(&workers[i].scratch);
    pthread_cond_destroy(&team.left_store);
    pthread_cond_destroy(&team.changed);
    pthread_mutex_destroy(&team.lock);
    if (team.status && error)
        *error = team.error;
    return team.status ? team.status : status;
}

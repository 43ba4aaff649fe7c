/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units in the threads of one process. A thread takes a unit, does it and puts it into the store,
 * which one at a time may use. The next data set is opened by one thread while the others still
 * work on the last, so nothing waits for that.
 */
#include <pthread.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "study/runner_parts.h"

/* A data set whose units are handed out. It goes when the last of them is in the store. */
struct segment {
    hs_workload work;
    hs_pending pending;
    size_t taken, finished;
};

struct team {
    hs_run *run;
    int threads;
    hs_unit_scratch *scratch; /* [threads] */
    pthread_mutex_t store; /* of the store and the callbacks of the run; taken before the other */
    pthread_mutex_t lock;  /* of what follows */
    pthread_cond_t changed;
    struct segment *current, *ready; /* handed out now, and after it */
    size_t next_dataset;             /* to open */
    bool opening;
    int status; /* of the first failure, or HSEL_ECANCELLED */
    hsel_error error;
};

static void segment_free(struct segment *segment)
{
    if (!segment)
        return;
    hs_pending_clear(&segment->pending);
    hs_workload_clear(&segment->work);
    hs_free(segment);
}

/* All of these are called and left with the lock held, and let it go while they work. */

static void fail(struct team *team, int status, const hsel_error *why)
{
    if (status && team->status == HSEL_OK) {
        team->status = status;
        team->error = *why;
    }
    pthread_cond_broadcast(&team->changed);
}

static bool may_open(const struct team *team)
{
    return !team->ready && !team->opening && team->next_dataset < team->run->study->dataset_count;
}

/* Opens the next data set; there may be nothing to do on it. No other thread opens one at the same
 * time. */
static void open_next(struct team *team)
{
    size_t index = team->next_dataset++;
    hsel_error why, reason = {0};
    team->opening = true;
    pthread_mutex_unlock(&team->lock);
    struct segment *segment = HS_NEW_ZERO(struct segment, 1);
    int loaded = segment ? hs_run_load(team->run, index, &segment->work, &reason) : HSEL_ENOMEM;
    pthread_mutex_lock(&team->store);
    int status = segment ? hs_run_plan(team->run, index, loaded, &reason, &segment->work,
                                       &segment->pending, &why)
                         : hs_fail_memory(&why);
    pthread_mutex_unlock(&team->store);
    pthread_mutex_lock(&team->lock);
    team->opening = false;
    if (status == HSEL_OK && segment->pending.count > 0)
        team->ready = segment;
    else
        segment_free(segment);
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

/* After a failure of the store nothing more is written; asked to stop, what was finished before
 * counts. */
static void do_unit(struct team *team, hs_unit_scratch *scratch, struct segment *segment,
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
        status = hs_run_finish(team->run, segment->work.index, unit, &result, &why);
    pthread_mutex_unlock(&team->store);
    pthread_mutex_lock(&team->lock);
    if (status)
        fail(team, status, &why);
    if (++segment->finished == segment->pending.count) {
        team->current = team->current == segment ? NULL : team->current;
        segment_free(segment);
    }
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
        do_unit(team, &team->scratch[which], segment, unit);
    }
    pthread_mutex_unlock(&team->lock);
    return HSEL_OK;
}

int hs_team_run(hs_run *run, hsel_error *error)
{
    int threads = run->summary->threads;
    struct team team = {.run = run,
                        .threads = threads,
                        .store = PTHREAD_MUTEX_INITIALIZER,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
    HS_OWNED hs_unit_scratch *scratch = HS_NEW_ZERO(hs_unit_scratch, (size_t)threads);
    HS_NEED(team.scratch = scratch);
    int status = hs_parallel_for((size_t)threads, threads, work, &team, error);
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

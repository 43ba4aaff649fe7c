/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units in the threads of one process. A thread that has finished one puts it into a queue; if
 * nobody is writing to the store just then, it empties the queue, else it goes on with its next
 * unit. So nobody waits for the store, not even while it waits for the disk, unless the queue gets
 * long.
 */
#include <pthread.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "study/runner_parts.h"

#define LONG_QUEUE 256

struct finished {
    struct finished *next;
    const hs_unit *unit;
    hs_unit_result result;
    hs_arena arena; /* of the result */
};

struct team {
    hs_run *run;
    const hs_workload *work;
    const hs_pending *pending;
    hs_unit_room *rooms; /* one a thread */
    /* What the lock guards: */
    pthread_mutex_t lock;
    pthread_cond_t stopped_writing;
    struct finished *first, **last; /* the queue */
    struct finished *spare;         /* for use again */
    size_t length;
    bool writing;
};

/* ---- the queue; all with the lock held ---- */

static void append(struct team *team, struct finished *one)
{
    one->next = NULL;
    *team->last = one;
    team->last = &one->next;
    team->length++;
}

static struct finished *take_first(struct team *team)
{
    struct finished *one = team->first;
    if (one) {
        team->first = one->next;
        team->length--;
        if (!team->first)
            team->last = &team->first;
    }
    return one;
}

static void give_back(struct team *team, struct finished *one)
{
    one->next = team->spare;
    team->spare = one;
}

/* Writes until the queue is empty, letting go of the lock meanwhile. */
static int empty_queue(struct team *team, hsel_error *error)
{
    struct finished *one;
    int status = HSEL_OK;
    team->writing = true;
    while (status == HSEL_OK && (one = take_first(team))) {
        pthread_mutex_unlock(&team->lock);
        status = hs_run_finish(team->run, team->work->index, one->unit, &one->result, error);
        pthread_mutex_lock(&team->lock);
        give_back(team, one);
    }
    team->writing = false;
    pthread_cond_signal(&team->stopped_writing);
    return status;
}

/* ---- a unit ---- */

static struct finished *get_spare(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    struct finished *one = team->spare;
    if (one)
        team->spare = one->next;
    pthread_mutex_unlock(&team->lock);
    return one ? one : HS_NEW_ZERO(struct finished, 1);
}

static int hand_in(struct team *team, struct finished *one, hsel_error *error)
{
    int status = HSEL_OK;
    pthread_mutex_lock(&team->lock);
    append(team, one);
    while (team->writing && team->length >= LONG_QUEUE)
        pthread_cond_wait(&team->stopped_writing, &team->lock);
    if (!team->writing)
        status = empty_queue(team, error);
    pthread_mutex_unlock(&team->lock);
    return status;
}

static int do_unit(void *context, size_t index, int worker, hsel_error *error)
{
    struct team *team = context;
    hs_unit_room *room = &team->rooms[worker];
    struct finished *one = get_spare(team);
    if (!one)
        return hs_fail_memory(error);
    one->unit = &team->pending->units[index];
    room->arena = one->arena; /* the result travels with it */
    int status = hs_unit_run(team->work, one->unit, room, &one->result, error);
    one->arena = room->arena;
    room->arena = (hs_arena){0};
    if (status == HSEL_OK)
        return hand_in(team, one, error);
    pthread_mutex_lock(&team->lock);
    give_back(team, one);
    pthread_mutex_unlock(&team->lock);
    return status;
}

/* ---- all of them ---- */

static void free_list(struct finished *one)
{
    while (one) {
        struct finished *next = one->next;
        hs_arena_clear(&one->arena);
        hs_free(one);
        one = next;
    }
}

/* What was finished before the run was stopped counts; after a failure of the store nothing does.
 */
static int end(struct team *team, int status, hsel_error *error)
{
    while (team->first && (status == HSEL_OK || status == HSEL_ECANCELLED)) {
        int one = empty_queue(team, status ? NULL : error);
        status = one ? one : status;
    }
    free_list(team->first);
    free_list(team->spare);
    for (int i = 0; i < team->run->summary->threads; i++)
        hs_unit_room_clear(&team->rooms[i]);
    hs_free(team->rooms);
    pthread_cond_destroy(&team->stopped_writing);
    pthread_mutex_destroy(&team->lock);
    return status;
}

int hs_team_run(hs_run *run, const hs_workload *work, const hs_pending *pending, hsel_error *error)
{
    int threads = run->summary->threads;
    struct team team = {.run = run,
                        .work = work,
                        .pending = pending,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .stopped_writing = PTHREAD_COND_INITIALIZER,
                        .last = &team.first};
    if (!(team.rooms = HS_NEW_ZERO(hs_unit_room, (size_t)threads)))
        return hs_fail_memory(error);
    return end(&team, hs_parallel_for(pending->count, threads, do_unit, &team, error), error);
}

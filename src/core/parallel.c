/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads for one loop, which take its tasks one after the other and end with it. No busy waiting.
 * If the system gives fewer threads than requested, fewer are used, with the same results.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/core.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

int hs_threads(int wanted)
{
    cpu_set_t ours;
    if (wanted > 0) /* do not query the system, which would slow down small tasks */
        return wanted;
    long there = sched_getaffinity(0, sizeof ours, &ours) == 0 ? CPU_COUNT(&ours)
                                                               : sysconf(_SC_NPROCESSORS_ONLN);
    return there > 0 ? (int)there : 1;
}

struct loop {
    hs_task task;
    void *context;
    size_t count;
    _Atomic size_t next;
    pthread_mutex_t lock;  /* of what follows */
    _Atomic size_t failed; /* the lowest failing index; SIZE_MAX: none */
    int status;
    hsel_error error;
};

static void take_tasks(struct loop *loop, int worker)
{
    for (size_t i; (i = atomic_fetch_add(&loop->next, 1)) < loop->count;) {
        hsel_error error;
        if (i > atomic_load_explicit(&loop->failed, memory_order_relaxed))
            continue;
        hs_error_clear(&error);
        int status = loop->task(loop->context, i, worker, &error);
        if (!status)
            continue;
        pthread_mutex_lock(&loop->lock);
        if (i < atomic_load(&loop->failed)) {
            atomic_store(&loop->failed, i);
            loop->status = status;
            loop->error = error;
        }
        pthread_mutex_unlock(&loop->lock);
    }
}

struct worker {
    struct loop *loop;
    pthread_t thread;
    int number;
};

static void *run_worker(void *context)
{
    struct worker *worker = context;
    take_tasks(worker->loop, worker->number);
    return NULL;
}

int hs_parallel_for(size_t count, int threads, hs_task task, void *context, hsel_error *error)
{
    struct loop loop = {.task = task,
                        .context = context,
                        .count = count,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .failed = SIZE_MAX};
    threads = hs_threads(threads);
    if ((size_t)threads > count)
        threads = count ? (int)count : 1;
    HS_OWNED struct worker *workers =
        threads > 1 ? HS_NEW(struct worker, (size_t)threads - 1) : NULL;
    int started = 0;
    if (threads > 1 && !workers)
        return hs_fail_memory(error);
    for (; workers && started < threads - 1; started++) {
        workers[started] = (struct worker){.loop = &loop, .number = started + 1};
        if (pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]) != 0)
            break;
    }
    take_tasks(&loop, 0);
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    if (loop.status && error)
        *error = loop.error;
    return loop.status;
}

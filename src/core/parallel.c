/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel-for over OpenMP; without OpenMP, a plain loop with the same results.
 */
#include "core/parallel.h"

#include <stdatomic.h>
#include <stdint.h>

#ifdef HS_WITH_OPENMP
#include <omp.h>
#endif

int hs_threads(int wanted)
{
#ifdef HS_WITH_OPENMP
    if (wanted > 0) /* do not ask the system, which small tasks would notice */
        return wanted;
    int there = omp_get_num_procs();
    return there > 0 ? there : 1;
#else
    (void)wanted;
    return 1;
#endif
}

/* Keeps the error of the lowest failing index; `failed` is that index, or SIZE_MAX. */
struct outcome {
    _Atomic size_t failed;
    int status;
    hsel_error error;
};

static void run_one(hs_task task, void *context, size_t index, int worker, struct outcome *outcome)
{
    hsel_error error;
    if (index > atomic_load_explicit(&outcome->failed, memory_order_relaxed))
        return;
    hs_error_clear(&error);
    int status = task(context, index, worker, &error);
    if (!status)
        return;
#ifdef HS_WITH_OPENMP
#pragma omp critical(hs_parallel_outcome)
#endif
    if (index < atomic_load(&outcome->failed)) {
        atomic_store(&outcome->failed, index);
        outcome->status = status;
        outcome->error = error;
    }
}

int hs_parallel_for(size_t count, int threads, hs_task task, void *context, hsel_error *error)
{
    struct outcome outcome = {.failed = SIZE_MAX};
    threads = hs_threads(threads);
    if ((size_t)threads > count)
        threads = count ? (int)count : 1;
#ifdef HS_WITH_OPENMP
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (size_t i = 0; i < count; i++)
            run_one(task, context, i, omp_get_thread_num(), &outcome);
    } else
#endif
        for (size_t i = 0; i < count; i++)
            run_one(task, context, i, 0, &outcome);
    if (outcome.status && error)
        *error = outcome.error;
    return outcome.status;
}

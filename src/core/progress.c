/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passing progress on, and the clock for it.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/progress.h"

#include <time.h>

int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total, const char *what,
                       hsel_error *error)
{
    if (!progress || !progress->report ||
        progress->report(progress->context, done, total, what) == 0)
        return HSEL_OK;
    return hs_fail(error, HSEL_ECANCELLED, "stopped");
}

double hs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

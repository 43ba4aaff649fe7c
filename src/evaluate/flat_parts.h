/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files behind hsel.h share, and nobody else.
 */
#ifndef HS_EVALUATE_FLAT_PARTS_H
#define HS_EVALUATE_FLAT_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/progress.h"
#include "data/dataset.h"
#include "hsel/hsel.h"

/* Passes progress on to the caller's watch: only in the thread that made the call (a caller in
 * Python has its signals there, and other threads need not wait for its lock) and some times a
 * second. Once it says stop, every thread stops. */
typedef struct hs_watcher {
    hs_progress progress;
    const hsel_watch *watch;
    pthread_t caller;
    double next; /* earliest time of the next report; the caller's thread alone looks at it */
    atomic_bool stopped;
    hs_notes notes;
} hs_watcher;

/* NULL when nobody watches. `watch` may be NULL. */
const hs_progress *hs_watcher_init(hs_watcher *watcher, const hsel_watch *watch);
/* At the end of a call that fits: passes the notes on. */
void hs_watcher_end(hs_watcher *watcher);

HSEL_CHECKED int hs_check_threads(int threads, hsel_error *error);

/* ---- data sets from arrays ---- */

static inline int64_t hs_wide_at(const void *array, bool wide, uint64_t i)
{
    return wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

/* Starts that do not go down, indices ascending and in range: nothing else is safe to read. */
HSEL_CHECKED int hs_arrays_check(const hsel_arrays *arrays, uint32_t lists, uint32_t width,
                                 hsel_error *error);
/* The values of checked arrays that hold only 0 and 1, for features that are all binary; else
 * nothing is done, and *done false. */
HSEL_CHECKED int hs_arrays_ones(const hsel_arrays *arrays, hsel_dataset *data, bool *done,
                                hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files behind flat.h and hsel.h share, and nobody else.
 */
#ifndef HS_EVALUATE_FLAT_PARTS_H
#define HS_EVALUATE_FLAT_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/progress.h"
#include "hsel/flat.h"

/* Passes progress on to the caller's watch: only in the thread that made the call (a caller in
 * Python has its signals there, and other threads need not wait for its lock) and some times a
 * second. Once it says stop, every thread stops. */
typedef struct hs_watcher {
    hs_progress progress;
    const hsel_watch *watch;
    pthread_t caller;
    double next; /* earliest time of the next report; the caller's thread alone looks at it */
    atomic_bool stopped;
} hs_watcher;

/* NULL when nobody watches. `watch` may be NULL. */
const hs_progress *hs_watcher_init(hs_watcher *watcher, const hsel_watch *watch);

HSEL_CHECKED int hs_check_threads(int threads, hsel_error *error);

#endif

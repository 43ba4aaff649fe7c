/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests of running a study work on: the small study, a temporary folder for two stores of its
 * results, running it into one of them, and stopping it. For cmocka's set-up and tear-down of each
 * test.
 */
#ifndef HS_TESTS_RUN_WORLD_H
#define HS_TESTS_RUN_WORLD_H

#include "study/runner.h"
#include "support/folder.h"
#include "support/small_study.h"

typedef struct hs_run_world {
    hs_folder folder;
    char path[512], other_path[512]; /* a.db and b.db in it; neither is there yet */
    hs_small_study small;
    hs_study *study; /* of `small` */
} hs_run_world;

/* That of the running test. */
extern hs_run_world hs_runs;

int hs_runs_set_up(void **state);
int hs_runs_tear_down(void **state);

/* All of these fail the running test if they cannot do it. */
hs_store *hs_runs_open(const char *path);
hs_run_summary hs_runs_run(const char *path, hs_run_options options);
/* The exported tables of both stores are the same, and not empty. */
void hs_runs_assert_same_tables(void);

/* Stops a run at a given report of progress: hs_progress of hs_stop_after and one of these. Fails
 * the running test when progress goes backwards. */
typedef struct hs_stopper {
    uint64_t after, calls, last_done, last_total;
} hs_stopper;

int hs_stop_after(void *stopper, uint64_t done, uint64_t total, const char *what);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs to test: see run_world.h.
 */
#include "support/run_world.h"

#include <string.h>

#include "core/mem.h"
#include "support/cmocka.h"

hs_run_world hs_runs;

int hs_runs_set_up(void **state)
{
    (void)state;
    hs_folder_new(&hs_runs.folder);
    strcpy(hs_runs.path, hs_folder_file(&hs_runs.folder, "a.db"));
    strcpy(hs_runs.other_path, hs_folder_file(&hs_runs.folder, "b.db"));
    hs_small_study_new(&hs_runs.small, hs_runs.folder.path);
    hs_runs.study = &hs_runs.small.study;
    return 0;
}

int hs_runs_tear_down(void **state)
{
    (void)state;
    hs_study_clear(&hs_runs.small.study);
    hs_folder_free(&hs_runs.folder);
    return 0;
}

hs_store *hs_runs_open(const char *path)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    assert_ok(hs_store_open(path, HS_STORE_WRITE, false, &store, &error), error);
    assert_ok(hs_store_use(store, hs_runs.study, &error), error);
    return store;
}

hs_run_summary hs_runs_run(const char *path, hs_run_options options)
{
    hsel_error error = {0};
    hs_run_summary summary;
    hs_store *store = hs_runs_open(path);
    assert_ok(hs_study_run(hs_runs.study, store, &options, &summary, &error), error);
    hs_store_close(store);
    return summary;
}

void hs_runs_assert_same_tables(void)
{
    char *one = hs_small_study_table(hs_runs.study, hs_runs.path),
         *other = hs_small_study_table(hs_runs.study, hs_runs.other_path);
    assert_string_equal(one, other);
    assert_true(strlen(one) > 1000);
    hs_free(one);
    hs_free(other);
}

int hs_stop_after(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_stopper *stopper = context;
    assert_non_null(what);
    assert_true(done >= stopper->last_done && done <= total);
    stopper->last_done = done;
    stopper->last_total = total;
    return ++stopper->calls >= stopper->after;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of a study (hs_study_run, which uses hs_parallel_for) that do not go through: stopped and
 * continued at any point, planned only, on data that is missing or cannot be read or does not fit,
 * on a full disk. Failures are kept and told.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "support/cmocka.h"
#include "support/run_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* ---- stopping ---- */

/* Stopped after seven reports and gone on with, again and again, with one thread or with one to
 * four in turn. Returns how often it was started. */
static int run_in_pieces(bool many_threads)
{
    hsel_error error = {0};
    hs_run_summary s;
    uint64_t before = 0;
    int rounds = 0, status = HSEL_ECANCELLED;
    for (; status == HSEL_ECANCELLED && rounds < 200; rounds++) {
        hs_stopper stopper = {.after = 7};
        hs_progress progress = {hs_stop_after, &stopper};
        hs_run_options options = {.threads = many_threads ? 1 + rounds % 4 : 1,
                                  .progress = &progress};
        hs_store *store = hs_runs_open(hs_runs.path);
        status = hs_study_run(hs_runs.study, store, &options, &s, &error);
        hs_store_close(store);
        if (status == HSEL_ECANCELLED) {
            uint64_t there = s.jobs.there + s.jobs.there_failed;
            assert_true(there >= before); /* what was finished is never lost */
            before = there + s.jobs.done;
        }
    }
    assert_ok(status, error);
    return rounds;
}

static void test_stopped_and_continued(void **state)
{
    (void)state;
    assert_true(run_in_pieces(false) > 10);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    hs_runs_assert_same_tables();
}

/* How much other threads still finish when one is stopped is up to them. */
static void test_threads_stopped_and_continued(void **state)
{
    (void)state;
    assert_true(run_in_pieces(true) > 1);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    hs_runs_assert_same_tables();
}

static void test_progress(void **state)
{
    (void)state;
    hs_stopper never = {.after = 1000000};
    hs_progress progress = {hs_stop_after, &never};
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 4, .progress = &progress});
    assert_int_equal(never.last_done, SMALL_JOBS);
    assert_int_equal(never.last_total, SMALL_JOBS);
    assert_true(never.calls >= SMALL_JOBS / 2);
}

/* ---- what does not exist or does not work ---- */

struct told {
    char notes[2000];
    hs_run_jobs jobs[8];
    const char *names[8];
    size_t count;
};

static void take_note(void *context, const char *text)
{
    struct told *told = context;
    size_t used = strlen(told->notes);
    snprintf(told->notes + used, sizeof told->notes - used, "%s\n", text);
}

static void take_dataset(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs)
{
    struct told *told = context;
    told->names[told->count] = set->name;
    told->jobs[told->count++] = *jobs;
}

static void test_unreadable(void **state)
{
    (void)state;
    struct told told = {0};
    char bad[600];
    snprintf(bad, sizeof bad, "%s/bad.arff", hs_runs.folder.path);
    FILE *file = fopen(bad, "w");
    assert_non_null(file);
    fputs("@relation x\n@attribute a {0,1}\n@nonsense\n", file);
    fclose(file);
    hs_small_study_dataset(&hs_runs.small, "bad", bad, NULL, 0);
    hs_small_study_dataset(&hs_runs.small, "gone", "nowhere/at-all", NULL, 0);
    hs_runs.small.datasets[4].missing = true;
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2,
                                                                  .note = take_note,
                                                                  .dataset = take_dataset,
                                                                  .context = &told});
    assert_int_equal(s.jobs.all, SMALL_JOBS);
    assert_int_equal(s.jobs.done + s.jobs.left_out, SMALL_JOBS);
    assert_int_equal(s.missing, 1);
    assert_int_equal(s.unreadable, 1);
    assert_non_null(strstr(told.notes, "gone is left out: nowhere/at-all does not exist\n"));
    assert_non_null(strstr(told.notes, "bad is left out: "));
    assert_non_null(strstr(told.notes, "bad.arff:3: "));
    assert_int_equal(told.count, 3); /* each that could be read, when it was finished */
    int flat = 0; /* the last one, but the threads may have finished another after it */
    while (flat < 2 && strcmp(told.names[flat], "flat") != 0)
        flat++;
    assert_string_equal(told.names[flat], "flat");
    assert_int_equal(told.jobs[flat].left_out, SMALL_LEFT_OUT);
    assert_int_equal(told.jobs[flat].done, 80 - SMALL_LEFT_OUT);
}

/* Data that cannot be cross-validated: every job failed, and says why. */
static void test_unfit_data(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_stored got = {0};
    hs_runs.study->folds = 30; /* flat has 24 instances */
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.failed, 30 * 4 * 2 * 2);
    hs_store *store = hs_runs_open(hs_runs.path);
    assert_ok(hs_store_find_dataset(store, "flat", &found, &error), error);
    assert_ok(hs_store_get(store,
                           &(hs_result_key){found.id, "none", "nb", "own", 30, hs_runs.study->seed},
                           &got, &error),
              error);
    assert_int_equal(got.failed, 30);
    assert_non_null(strstr(got.message, "24"));
    hs_stored_clear(&got);
    hs_stored_dataset_clear(&found);
    hs_store_close(store);
    assert_int_equal(hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2}).jobs.failed, 0);
}

static void test_plan(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    struct told told = {0};
    hs_run_options plan = {.plan_only = true, .dataset = take_dataset, .context = &told};
    assert_ok(hs_study_run(hs_runs.study, NULL, &plan, &s, &error), error);
    assert_int_equal(s.jobs.all, SMALL_JOBS);
    assert_int_equal(s.jobs.there + s.jobs.done, 0);
    assert_int_equal(told.count, 3);
    assert_int_equal(told.jobs[1].all, 80);
    /* With a store that has one of the data sets. */
    hs_runs.study->dataset_count = 1;
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    hs_runs.study->dataset_count = 3;
    hs_store *store = NULL;
    assert_ok(hs_store_open(hs_runs.path, HS_STORE_READ, false, &store, &error), error);
    told.count = 0;
    assert_ok(hs_study_run(hs_runs.study, store, &plan, &s, &error), error);
    hs_store_close(store);
    assert_int_equal(told.jobs[0].there, 80);
    assert_int_equal(told.jobs[1].there, 0);
    assert_int_equal(s.jobs.there, 80);
    assert_int_equal(s.jobs.done, 0);
}

static void test_seed_limit(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    hs_store *store = hs_runs_open(hs_runs.path);
    hs_runs.study->seed = UINT64_MAX - 3;
    assert_int_equal(
        hs_study_run(hs_runs.study, store, &(hs_run_options){.threads = 1}, &s, &error),
        HSEL_ELIMIT);
    hs_store_close(store);
}

static void test_full_disk(void **state)
{
    (void)state;
    hsel_error error = {0};
    struct rlimit as_it_was, limit;
    int full = 0, status = HSEL_EIO;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &as_it_was), 0);
    for (rlim_t bytes = 250 * 1024; status != HSEL_OK && bytes < 100 << 20; bytes += 100 * 1024) {
        hs_run_summary s;
        hs_store *store = hs_runs_open(hs_runs.path);
        limit = as_it_was;
        limit.rlim_cur = bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        status = hs_study_run(hs_runs.study, store, &(hs_run_options){.threads = 2}, &s, &error);
        hs_store_close(store);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &as_it_was), 0);
        if (status) {
            full++;
            assert_int_equal(status, HSEL_EIO);
            assert_non_null(
                strstr(error.message, "a.db: the store cannot be written: is the disk full?"));
        }
    }
    signal(SIGXFSZ, SIG_DFL);
    assert_ok(status, error);
    assert_true(full > 0);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    hs_runs_assert_same_tables();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stopped_and_continued, hs_runs_set_up,
                                        hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_threads_stopped_and_continued, hs_runs_set_up,
                                        hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_progress, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_unfit_data, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_plan, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_seed_limit, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, hs_runs_set_up, hs_runs_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

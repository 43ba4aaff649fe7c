/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a study (hs_study_run, which uses hs_parallel_for): what comes out is what
 * cross-validation of the whole gives, with any number of threads and as the study grows; and a
 * lack of memory at every step. Stopping and failing are in test_runner_stops.c, rankings in
 * test_runner_rankings.c.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "learn/crossval.h"
#include "learn/fold_file.h"
#include "study/runner_parts.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/run_world.h"
#include "support/store_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* ---- results ---- */

static void test_counts(void **state)
{
    (void)state;
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, SMALL_JOBS);
    assert_int_equal(s.jobs.done, SMALL_JOBS - SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.left_out, SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.failed, 0);
    assert_int_equal(s.jobs.there, 0);
    assert_int_equal(s.threads, 2);
    assert_true(s.seconds > 0 && s.method_seconds > 0 && s.method_seconds < 2 * s.seconds);
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.there, SMALL_JOBS - SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.left_out, SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.done + s.jobs.failed, 0);
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2, .retry_failed = true});
    assert_int_equal(s.jobs.there, SMALL_JOBS - SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.left_out, SMALL_LEFT_OUT);
}

static void compare_repeat(hs_store *store, const hs_workload *work, int64_t id, size_t s, size_t c,
                           uint32_t repeat)
{
    hsel_error error = {0};
    hs_stored got = {0};
    hs_crossval whole = {0};
    size_t n = work->data->instances, k = work->data->class_names.count;
    assert_ok(hs_store_get(store,
                           &(hs_result_key){id, hs_runs.study->selectors[s].text,
                                            hs_runs.study->classifiers[c].text, "own", 5,
                                            hs_runs.study->seed + repeat},
                           &got, &error),
              error);
    if (work->misfits[s * hs_runs.study->classifier_count + c].unfit) {
        assert_int_equal(got.failed, 0);
        assert_int_equal(got.unfit, 5);
        assert_non_null(strstr(got.message, "needs a hierarchy, but flat has none"));
        hs_stored_clear(&got);
        return;
    }
    assert_int_equal(got.folds_there, 5);
    assert_ok(
        hs_crossval_run(
            &(hs_crossval_request){.data = work->data,
                                   .folds = &work->folds[repeat],
                                   .selectors = &hs_runs.study->chosen[HS_SELECTOR].items[s],
                                   .classifiers = &hs_runs.study->chosen[HS_CLASSIFIER].items[c],
                                   .selector_count = 1,
                                   .classifier_count = 1,
                                   .seed = hs_runs.study->seed + repeat,
                                   .threads = 1},
            &whole, &error),
        error);
    assert_memory_equal(got.repeat.predictions.probability, whole.classifiers[0].probability,
                        n * k * sizeof(double));
    assert_memory_equal(got.repeat.predictions.selected, whole.selectors[0].selected,
                        n * sizeof(uint32_t));
    assert_memory_equal(got.repeat.predictions.fold_of, work->folds[repeat].fold_of,
                        n * sizeof(uint32_t));
    assert_memory_equal(got.repeat.predictions.truth, work->data->class_of, n * sizeof(uint32_t));
    uint64_t total[64] = {0}, tested;
    assert_ok(hs_store_frequencies(store,
                                   &(hs_result_key){id, hs_runs.study->selectors[s].text, NULL,
                                                    "own", 5, hs_runs.study->seed + repeat},
                                   1, total, &tested, NULL, &error),
              error);
    assert_int_equal(tested, n);
    for (uint32_t f = 0; f < work->data->features; f++)
        assert_int_equal(total[f], whole.selectors[0].frequency[f]);
    hs_crossval_clear(&whole);
    hs_stored_clear(&got);
}

/* Fold by fold is the same as the whole at once, to the last bit. */
static void test_same_as_whole(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 3});
    hs_store *store = hs_runs_open(hs_runs.path);
    for (size_t d = 0; d < hs_runs.study->dataset_count; d++) {
        hs_workload work;
        hs_stored_dataset found;
        assert_ok(hs_workload_open(hs_runs.study, d, 1, false, &work, &error), error);
        assert_ok(hs_store_find_dataset(store, hs_runs.study->datasets[d].name, &found, &error),
                  error);
        assert_true(found.fingerprint == work.fingerprint);
        for (size_t s = 0; s < hs_runs.study->selector_count; s++)
            for (size_t c = 0; c < hs_runs.study->classifier_count; c++)
                for (uint32_t r = 0; r < hs_runs.study->repeats; r++)
                    compare_repeat(store, &work, found.id, s, c, r);
        hs_stored_dataset_clear(&found);
        hs_workload_clear(&work);
    }
    hs_store_close(store);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 1});
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 8});
    hs_runs_assert_same_tables();
    char *table = hs_small_study_table(hs_runs.study, hs_runs.path);
    assert_non_null(strstr(table,
                           "dataset,selector,classifier,metric,pooled,fold_mean,sd,selected_pct\n"
                           "one,none,nb,gm,0."));
    assert_non_null(strstr(table, "\nflat,rpv,nb,gm,,,,\n")); /* failed: nothing to show */
    assert_non_null(strstr(table, "\ntwo,shsel:threshold=0.9,knn:k=3,accuracy,0."));
    hs_free(table);
}

/* What another version of hsel computed counts, is known as such, and is done again if asked for.
 */
static void test_older_results(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored_dataset found;
    hs_stored got = {0};
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    hs_stores_change(hs_runs.path, "UPDATE job SET version = '0.0.1' WHERE ok = 1 AND unit IN"
                                   " (SELECT id FROM unit WHERE fold = 2)");
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.there, SMALL_JOBS - SMALL_LEFT_OUT);
    for (uint32_t again = 0; again < 2; again++) {
        hs_store *store = hs_runs_open(hs_runs.path);
        assert_ok(hs_store_find_dataset(store, "one", &found, &error), error);
        hs_result_key key = hs_study_key(hs_runs.study, found.id, hs_runs.study->selectors,
                                         hs_runs.study->classifiers, 0);
        assert_ok(hs_store_get(store, &key, &got, &error), error);
        assert_int_equal(got.folds_there, 5);
        assert_int_equal(got.older, !again);
        assert_true(hs_store_time(store) > 1000000000);
        hs_stored_clear(&got);
        hs_stored_dataset_clear(&found);
        hs_store_close(store);
        s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2, .redo_older = true});
        assert_int_equal(s.jobs.done, again ? 0 : (SMALL_JOBS - SMALL_LEFT_OUT) / 5);
    }
}

/* A further classifier, selector, repeat: only what is new is done. */
static void test_growing_study(void **state)
{
    (void)state;
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    hs_small_study_classifier(&hs_runs.small, "knn");
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, SMALL_JOBS / 2 * 3);
    assert_int_equal(s.jobs.there, SMALL_JOBS - SMALL_LEFT_OUT);
    assert_int_equal(s.jobs.done, (SMALL_JOBS - SMALL_LEFT_OUT) / 2);
    hs_small_study_selector(&hs_runs.small, "all-pos");
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.done, 3 * 3 * 5 * 2);
    hs_runs.study->repeats = 3;
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.done, 3 * 5 * 3 * 5 - 3 * 3 * 5);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    hs_runs_assert_same_tables();
}

static void test_leave_one_out(void **state)
{
    (void)state;
    hs_runs.study->scheme = "loo";
    hs_runs.study->repeats = 1;
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, (40 + 31 + 24) * 4 * 2);
    assert_int_equal(s.jobs.done, (40 + 31) * 4 * 2 + 24 * 2);
    char *table = hs_small_study_table(hs_runs.study, hs_runs.path);
    assert_null(strstr(table, "one,none,nb,accuracy,,"));
    hs_free(table);
}

static void test_fold_file(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_folds folds = {0};
    char file[600], scheme[620];
    snprintf(file, sizeof file, "%s/folds.tsv", hs_runs.folder.path);
    snprintf(scheme, sizeof scheme, "file:%s", file);
    hs_runs.study->dataset_count = 1;
    hs_runs.study->datasets[0] = hs_runs.study->datasets[2]; /* the one in a file */
    assert_ok(hsel_dataset_read(hs_runs.small.flat, NULL, &data, &error), error);
    assert_ok(hs_folds_choose("own", data, 3, 1, &folds, &error), error);
    assert_ok(hs_folds_write(&folds, data, file, &error), error);
    hs_folds_clear(&folds);
    hs_runs.study->scheme = scheme;
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.all, 3 * 4 * 2 * 2);
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.jobs.there, 3 * 2 * 2);
    /* Other folds in the file: results would be mixed. */
    assert_ok(hs_folds_choose("own", data, 3, 2, &folds, &error), error);
    assert_ok(hs_folds_write(&folds, data, file, &error), error);
    hs_folds_clear(&folds);
    hs_store *store = hs_runs_open(hs_runs.path);
    assert_int_equal(
        hs_study_run(hs_runs.study, store, &(hs_run_options){.threads = 1}, &s, &error),
        HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the store has results for other folds"));
    hs_store_close(store);
    hsel_dataset_free(data);
}

/* ---- memory ---- */

static int run_small(void *context, hsel_error *error)
{
    hs_store *store = NULL;
    hs_run_summary s;
    (void)context;
    unlink(hs_runs.path);
    int status = hs_store_open(hs_runs.path, HS_STORE_WRITE, false, &store, error);
    if (status == HSEL_OK)
        status = hs_study_run(hs_runs.study, store, &(hs_run_options){.threads = 1}, &s, error);
    hs_store_close(store);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_runs.study->dataset_count = 1;
    hs_runs.study->datasets[0] = hs_runs.study->datasets[2];
    hs_runs.study->folds = 2;
    hs_runs.study->repeats = 1;
    hs_runs.study->selector_count = 2;
    hs_small_study_ranker(&hs_runs.small, "auc");
    hs_small_study_ranker(&hs_runs.small, "ig");
    assert_true(hs_oom_each("a run", run_small, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_same_as_whole, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_any_number_of_threads, hs_runs_set_up,
                                        hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_older_results, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_growing_study, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_leave_one_out, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_fold_file, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_memory, hs_runs_set_up, hs_runs_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

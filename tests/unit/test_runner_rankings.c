/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rankings of a study (hs_study_run, which uses hs_parallel_for): the scores are what each ranker
 * alone gives; only what is new is done; it can be stopped and continued.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "rank/rank.h"
#include "study/runner_parts.h"
#include "support/cmocka.h"
#include "support/run_world.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* Numeric features, which r cannot score, and the positive class is the second. */
static void add_numbers(void)
{
    static char numbers[600];
    snprintf(numbers, sizeof numbers, "%s", hs_folder_file(&hs_runs.folder, "numbers.csv"));
    FILE *file = fopen(numbers, "w");
    assert_non_null(file);
    assert_true(fputs("a,b,c,d,class\n", file) >= 0);
    for (int i = 0; i < 30; i++)
        assert_true(fprintf(file, "%d.5,%d,%d.25,7.5,%s\n", i * 7 % 13, i * i % 11, i,
                            i % 3 ? "yes" : "no") > 0);
    assert_int_equal(fclose(file), 0);
    hs_small_study_dataset(&hs_runs.small, "numbers", numbers, NULL, 0);
}

static void add_rankers(void)
{
    static const char *const rankers[] = {"auc", "ig", "r", "relieff"};
    add_numbers();
    for (size_t i = 0; i < 4; i++)
        hs_small_study_ranker(&hs_runs.small, rankers[i]);
}

/* What the store has is what each ranker alone gives. */
static void compare_rankings(hs_store *store, size_t d, const char *ranker)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    int64_t id;
    hs_job_state state;
    double direct[64] = {0}, got[64], *scores = direct;
    char *message;
    assert_ok(hs_study_load(&hs_runs.study->datasets[d], &data, NULL, &error), error);
    hs_view all = hs_view_all(data);
    assert_ok(hs_chosen_parse(HS_RANKER, ranker, &chosen, &error), error);
    assert_ok(hs_counts_of(&all, &counts, &error), error);
    assert_ok(hs_store_find_content(store, hs_dataset_fingerprint(data), &id, &error), error);
    assert_ok(
        hs_store_get_ranking(store, id, ranker, data->features, got, &state, &message, &error),
        error);
    if (hs_check_method(data, chosen.method, &error)) {
        assert_int_equal(state, HS_JOB_UNFIT);
        assert_non_null(strstr(message, "r needs binary features, but feature a of numbers"));
    } else {
        assert_int_equal(state, HS_JOB_OK);
        assert_null(message);
        assert_ok(hs_rank_features(&(hs_training){.view = all, .counts = &counts, .threads = 1},
                                   &chosen, 1, &scores, &error),
                  error);
        assert_memory_equal(got, direct, data->features * sizeof *got);
    }
    hs_free(message);
    hs_counts_clear(&counts);
    hs_chosen_clear(&chosen);
    hsel_dataset_free(data);
}

static void test_rankings(void **state)
{
    (void)state;
    add_rankers();
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 1});
    assert_int_equal(s.rankings.all, 16);
    assert_int_equal(s.rankings.done, 15);
    assert_int_equal(s.rankings.left_out, 1);
    hs_store *store = hs_runs_open(hs_runs.path);
    for (size_t d = 0; d < hs_runs.study->dataset_count; d++)
        for (size_t r = 0; r < hs_runs.study->ranker_count; r++)
            compare_rankings(store, d, hs_runs.study->rankers[r].text);
    hs_store_close(store);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 8});
    assert_int_equal(hs_small_study_same_rankings(hs_runs.study, hs_runs.path, hs_runs.other_path),
                     15);
    hs_runs_assert_same_tables();
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.there, 15);
    assert_int_equal(s.rankings.left_out, 1);
    assert_int_equal(s.rankings.done + s.rankings.failed, 0);
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2, .retry_failed = true});
    assert_int_equal(s.rankings.left_out, 1);
}

/* A further ranker: only it is done, though everything else is there. */
static void test_growing_rankings(void **state)
{
    (void)state;
    hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    hs_small_study_ranker(&hs_runs.small, "ks");
    hs_small_study_ranker(&hs_runs.small, "gr");
    hs_run_summary s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.done, 6);
    assert_int_equal(s.jobs.done + s.jobs.failed, 0);
    hs_small_study_ranker(&hs_runs.small, "su");
    s = hs_runs_run(hs_runs.path, (hs_run_options){.plan_only = true});
    assert_int_equal(s.rankings.all, 9);
    assert_int_equal(s.rankings.there, 6);
    assert_int_equal(s.rankings.done, 0);
    s = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_int_equal(s.rankings.there, 6);
    assert_int_equal(s.rankings.done, 3);
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    assert_int_equal(hs_small_study_same_rankings(hs_runs.study, hs_runs.path, hs_runs.other_path),
                     9);
}

static void test_rankings_stopped(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_run_summary s;
    uint64_t done = 0;
    int rounds = 0, status = HSEL_ECANCELLED;
    add_rankers();
    for (; status == HSEL_ECANCELLED && rounds < 400; rounds++) {
        hs_stopper stopper = {.after = 5};
        hs_progress progress = {hs_stop_after, &stopper};
        hs_store *store = hs_runs_open(hs_runs.path);
        status = hs_study_run(hs_runs.study, store,
                              &(hs_run_options){.threads = 1 + rounds % 4, .progress = &progress},
                              &s, &error);
        hs_store_close(store);
        done += s.rankings.done;
    }
    assert_ok(status, error);
    assert_true(rounds > 10);
    assert_int_equal(done, 15); /* none of them twice */
    hs_runs_run(hs_runs.other_path, (hs_run_options){.threads = 1});
    assert_int_equal(hs_small_study_same_rankings(hs_runs.study, hs_runs.path, hs_runs.other_path),
                     15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rankings, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_growing_rankings, hs_runs_set_up, hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_rankings_stopped, hs_runs_set_up, hs_runs_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a study: each unit is in one of them, as a slow twin deals them; they are balanced; the
 * stores of all parts put together are the store of the whole.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "study/runner_parts.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/run_world.h"
#include "support/threads.h"

#define MOST_PARTS 40
#define MOST_UNITS 200

HS_TEST_USES_THREADS

/* To the part with the least so far, the first of those with as little. */
static uint32_t deal_slowly(double *load, uint32_t parts, double cost)
{
    uint32_t least = 0;
    for (uint32_t p = 1; p < parts; p++)
        least = load[p] < load[least] ? p : least;
    load[least] += cost;
    return least + 1;
}

static void test_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "parts", 0, 0);
    for (int trial = 0; trial < 3000; trial++) {
        uint32_t parts = 1 + (uint32_t)hs_random_below(&stream, MOST_PARTS),
                 units = (uint32_t)hs_random_below(&stream, MOST_UNITS),
                 range = 1 + (uint32_t)hs_random_below(&stream, 5), /* ties abound */
            part = 1 + (uint32_t)hs_random_below(&stream, parts);
        double load[MOST_PARTS] = {0}, all = 0, most = 0, least = 0, largest = 0;
        hsel_error error = {0};
        hs_share share;
        assert_ok(hs_share_init(&share, part, parts, &error), error);
        for (uint32_t u = 0; u < units; u++) {
            double cost = (double)hs_random_below(&stream, range);
            uint32_t owner = deal_slowly(load, parts, cost);
            assert_int_equal(hs_share_deal(&share, cost), owner == part);
            all += cost;
            largest = cost > largest ? cost : largest;
        }
        assert_true(share.all == all && share.mine == load[part - 1]);
        for (uint32_t p = 0; p < parts; p++) {
            most = p == 0 || load[p] > most ? load[p] : most;
            least = p == 0 || load[p] < least ? load[p] : least;
        }
        assert_true(most - least <= largest);
        hs_share_clear(&share);
    }
}

/* Every method in the table is one, and there once. */
static void test_costs(void **state)
{
    static const struct {
        const char *method;
        double cost;
    } costs[] = {
#include "study/costs.def"
    };
    size_t count = sizeof costs / sizeof costs[0];
    (void)state;
    assert_true(count > 40);
    for (size_t i = 0; i < count; i++) {
        const char *name = costs[i].method;
        assert_true(costs[i].cost > 0);
        assert_true(hs_method_find(HS_SELECTOR, name, strlen(name)) ||
                    hs_method_find(HS_CLASSIFIER, name, strlen(name)));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(costs[k].method, name);
    }
}

static void test_parts_make_the_whole(void **state)
{
    static const uint32_t counts[] = {1, 3, 20};
    hsel_error error = {0};
    (void)state;
    hs_small_study_ranker(&hs_runs.small, "auc");
    hs_small_study_ranker(&hs_runs.small, "ig");
    hs_run_summary whole = hs_runs_run(hs_runs.path, (hs_run_options){.threads = 2});
    assert_true(whole.share == 1);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        uint64_t jobs = 0, left_out = 0, rankings = 0;
        double share = 0;
        remove(hs_runs.other_path);
        hs_store *all = hs_runs_open(hs_runs.other_path);
        for (uint32_t part = 1; part <= counts[k]; part++) {
            char path[600];
            snprintf(path, sizeof path, "%s.%u", hs_runs.other_path, part);
            hs_run_options options = {.threads = 1, .part = part, .parts = counts[k]};
            hs_run_options plan = options;
            hs_run_summary planned, done = hs_runs_run(path, options);
            plan.plan_only = true;
            assert_ok(hs_study_run(hs_runs.study, NULL, &plan, &planned, &error), error);
            assert_int_equal(planned.jobs.all, done.jobs.all);
            assert_int_equal(done.jobs.done + done.jobs.left_out, done.jobs.all);
            jobs += done.jobs.done;
            left_out += done.jobs.left_out;
            rankings += done.rankings.done;
            share += done.share;
            uint64_t taken;
            assert_ok(hs_store_merge(all, path, &taken, &error), error);
            assert_int_equal(taken, done.jobs.all);
            remove(path);
        }
        hs_store_close(all);
        assert_int_equal(jobs, whole.jobs.done);
        assert_int_equal(left_out, whole.jobs.left_out);
        assert_int_equal(rankings, whole.rankings.done);
        assert_true(share > 0.999999 && share < 1.000001);
        hs_runs_assert_same_tables();
    }
}

static int run_part(void *context, hsel_error *error)
{
    hs_run_summary summary;
    HS_OWNS(hs_store_done) hs_store *store = NULL;
    (void)context;
    remove(hs_runs.path);
    HS_TRY(hs_store_open(hs_runs.path, HS_STORE_WRITE, 0, &store, error));
    return hs_study_run(hs_runs.study, store,
                        &(hs_run_options){.threads = 1, .part = 2, .parts = 9}, &summary, error);
}

static void test_memory(void **state)
{
    (void)state;
    hs_runs.study->dataset_count = 1;
    hs_runs.study->datasets[0] = hs_runs.study->datasets[2];
    hs_runs.study->repeats = 1;
    assert_true(hs_oom_each("a part", run_part, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_costs),
        cmocka_unit_test_setup_teardown(test_parts_make_the_whole, hs_runs_set_up,
                                        hs_runs_tear_down),
        cmocka_unit_test_setup_teardown(test_memory, hs_runs_set_up, hs_runs_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

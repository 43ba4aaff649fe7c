/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scores of rankers in the store: what is put comes back to the last bit, merging takes rankings
 * over, damaged ones are told, and a lack of memory at
 * every step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "study/store_parts.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/store_world.h"

enum { FEATURES = 17, RANKERS = 3 };

static const char *const rankers[RANKERS] = {"auc", "ig", "or:zero=inf"};

/* The scores of ranker i, always the same; infinities and NaN among them. */
static void fill(size_t i, double *scores)
{
    for (uint32_t f = 0; f < FEATURES; f++)
        scores[f] = f == 3 ? -INFINITY : f == 5 ? NAN : sin(1.0 + f) / (double)(i + 3);
}

/* Puts the rankers from `first` on, those of the bits of `failed` as failures. */
static int put(hs_store *store, int64_t id, size_t first, unsigned failed, hsel_error *error)
{
    double values[RANKERS][FEATURES];
    hs_job_result jobs[RANKERS];
    for (size_t i = 0; i < RANKERS; i++) {
        bool fails = failed >> i & 1;
        fill(i, values[i]);
        jobs[i] = (hs_job_result){.method = rankers[i],
                                  .values = fails ? NULL : values[i],
                                  .message = fails ? "it needs binary features" : NULL};
    }
    return hs_store_put(
        store, &(hs_result_key){.dataset = id},
        &(hs_unit_result){.width = FEATURES, .jobs = jobs + first, .job_count = RANKERS - first},
        error);
}

static void must_put(hs_store *store, int64_t id, size_t first, unsigned failed)
{
    hsel_error error = {0};
    assert_ok(put(store, id, first, failed, &error), error);
}

static void assert_ranking(hs_store *store, int64_t id, size_t i, hs_job_state expected)
{
    hsel_error error = {0};
    hs_job_state state;
    double scores[FEATURES], good[FEATURES];
    char *message;
    fill(i, good);
    assert_ok(
        hs_store_job(store, &(hs_result_key){.dataset = id, .method = rankers[i]}, &state, &error),
        error);
    assert_int_equal(state, expected);
    assert_ok(
        hs_store_get_ranking(store, id, rankers[i], FEATURES, scores, &state, &message, &error),
        error);
    assert_int_equal(state, expected);
    if (expected == HS_JOB_OK)
        assert_memory_equal(scores, good, sizeof scores);
    if (expected == HS_JOB_FAILED)
        assert_string_equal(message, "it needs binary features");
    else
        assert_null(message);
    hs_free(message);
}

static void test_round_trip(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data), id2 = hs_stores_add(store, hs_stores.data2);
    assert_ranking(store, id, 0, HS_JOB_NONE);
    must_put(store, id, 0, 2);
    for (int again = 0; again < 2; again++) {
        assert_ranking(store, id, 0, HS_JOB_OK);
        assert_ranking(store, id, 1, HS_JOB_FAILED);
        assert_ranking(store, id, 2, HS_JOB_OK);
        assert_ranking(store, id2, 0, HS_JOB_NONE);
        hs_store_close(store);
        store = hs_unit_store(hs_stores.path, again ? HS_STORE_WRITE : HS_STORE_READ);
    }
    must_put(store, id, 1, 0); /* a failure made good */
    assert_ranking(store, id, 1, HS_JOB_OK);
    hs_store_close(store);
}

/* ---- merging ---- */

static void test_merge(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t taken;
    hs_store *mine = hs_unit_store(hs_stores.path, HS_STORE_WRITE),
             *theirs = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    int64_t a2 = hs_stores_add(mine, hs_stores.data2), a = hs_stores_add(mine, hs_stores.data),
            b = hs_stores_add(theirs, hs_stores.data);
    assert_true(a != b);
    must_put(mine, a, 0, 1 | 4); /* auc and or failed here … */
    must_put(theirs, b, 1, 2);   /* … and there ig did, or is well, auc was not run */
    hs_store_close(theirs);
    assert_ok(hs_store_merge(mine, hs_stores.other_path, &taken, &error), error);
    assert_int_equal(taken, 0); /* which counts jobs */
    assert_ranking(mine, a, 0, HS_JOB_FAILED);
    assert_ranking(mine, a, 1, HS_JOB_OK);
    assert_ranking(mine, a, 2, HS_JOB_OK);
    assert_ranking(mine, a2, 1, HS_JOB_NONE);
    hs_store_close(mine);
    theirs = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    assert_ok(hs_store_merge(theirs, hs_stores.path, &taken, &error), error);
    assert_ranking(theirs, b, 0, HS_JOB_FAILED);
    assert_ranking(theirs, b, 1, HS_JOB_OK);
    hs_store_close(theirs);
}

/* ---- damage ---- */

static void test_damage(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE job SET probability = substr(probability, 2)",
        "UPDATE job SET probability = probability || x'00'", "UPDATE job SET probability = x''",
        "UPDATE job SET probability = 'nonsense'", "UPDATE job SET probability = 12"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        hsel_error error = {0};
        hs_job_state got;
        double scores[FEATURES];
        char *message;
        hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
        int64_t id = hs_stores_add(store, hs_stores.data);
        must_put(store, id, 0, 0);
        hs_store_close(store);
        hs_stores_change(hs_stores.path, changes[i]);
        store = hs_unit_store(hs_stores.path, HS_STORE_READ);
        assert_int_equal(
            hs_store_get_ranking(store, id, "ig", FEATURES, scores, &got, &message, &error),
            HSEL_EFORMAT);
        assert_non_null(strstr(error.message, "damaged: the scores of a ranker are truncated"));
        assert_null(message);
        hs_store_close(store);
    }
    hs_stores_change(hs_stores.path, "UPDATE job SET ok = 0, probability = NULL, message = NULL");
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_READ);
    hsel_error error = {0};
    hs_job_state got;
    double scores[FEATURES];
    char *message;
    assert_ok(hs_store_get_ranking(store, 1, "ig", FEATURES, scores, &got, &message, &error),
              error);
    assert_int_equal(got, HS_JOB_FAILED);
    assert_string_equal(message, "failed");
    hs_free(message);
    hs_store_close(store);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    (void)context;
    hs_store *store = NULL;
    int64_t id = -1;
    uint64_t taken;
    hs_job_state state;
    double scores[FEATURES];
    char *messages[2] = {NULL, NULL};
    int status = hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, error);
    if (status == HSEL_OK)
        status = hs_store_dataset(store, hs_stores.data, &id, error);
    if (status == HSEL_OK)
        status = put(store, id, 0, 2, error);
    if (status == HSEL_OK)
        status = hs_store_merge(store, hs_stores.other_path, &taken, error);
    for (size_t i = 0; i < RANKERS && status == HSEL_OK; i++)
        status = hs_store_job(store, &(hs_result_key){.dataset = id, .method = rankers[i]}, &state,
                              error);
    for (size_t i = 0; i < 2 && status == HSEL_OK; i++)
        status = hs_store_get_ranking(store, id, rankers[i], FEATURES, scores, &state, &messages[i],
                                      error);
    hs_free(messages[0]);
    hs_free(messages[1]);
    hs_store_close(store);
    unlink(hs_stores.path);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    must_put(store, hs_stores_add(store, hs_stores.data2), 0, 4);
    hs_store_close(store);
    assert_true(hs_oom_each("rankings", everything, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_merge, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_damage, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_memory, hs_stores_set_up, hs_stores_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

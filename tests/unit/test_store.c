/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The store of results: what is put comes back exactly, and a lack of memory at every step. Data
 * sets and studies are in test_store_datasets.c, writers, readers and merging in
 * test_store_sharing.c, files that are no stores or damaged in test_store_damage.c, dying and full
 * disks in test_store_crash.c, scores of rankers in test_store_rankings.c.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/random.h"
#include "study/store_parts.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/store_world.h"

static void test_round_trip(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned i = 0; i < 60; i += 2)
        hs_stores_put(store, id, i, i % 7 == 0);
    for (int again = 0; again < 2; again++) {
        for (unsigned i = 0; i < 60; i++)
            if (i % 2 == 0)
                hs_unit_assert(store, id, i, i % 7 == 0);
            else
                assert_false(hs_unit_there(store, id, i));
        hs_store_close(store);
        assert_int_equal(hs_folder_count(&hs_stores.folder), 1); /* no log, no lock left behind */
        store = hs_unit_store(hs_stores.path, again ? HS_STORE_WRITE : HS_STORE_READ);
    }
    hs_store_close(store);
}

static void test_folds_put_together(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned fold = 0; fold < UNIT_FOLDS; fold++) {
        assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", UNIT_FOLDS, 1},
                               &got, &error),
                  error);
        assert_int_equal(got.repeat.predictions.folds, UNIT_FOLDS);
        assert_int_equal(got.folds_there, fold);
        hs_stored_clear(&got);
        hs_stores_put(store, id, fold * UNIT_SELECTORS, fold == 2);
    }
    assert_ok(
        hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", UNIT_FOLDS, 1}, &got, &error),
        error);
    assert_int_equal(got.folds_there, UNIT_FOLDS);
    assert_int_equal(got.failed, 0);
    assert_null(got.message);
    assert_memory_equal(got.repeat.predictions.truth, hs_stores.data->class_of,
                        hs_stores.data->instances * sizeof(uint32_t));
    assert_int_equal(got.repeat.predictions.positive_class, hs_stores.data->positive_class);
    for (uint32_t i = 0; i < hs_stores.data->instances; i++)
        assert_int_equal(got.repeat.predictions.fold_of[i], i % UNIT_FOLDS);
    assert_true(got.repeat.select_seconds > 0 && got.repeat.classify_seconds > 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "knn:k=3", "own", UNIT_FOLDS, 1},
                           &got, &error),
              error);
    assert_int_equal(got.folds_there, UNIT_FOLDS - 1);
    assert_int_equal(got.failed, 1);
    assert_string_equal(got.message, "knn: no neighbour");
    hs_stored_clear(&got);
    /* Other seeds, schemes, numbers of folds and methods are other jobs. */
    assert_ok(
        hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", UNIT_FOLDS, 2}, &got, &error),
        error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "nb", "weka", UNIT_FOLDS, 1}, &got,
                           &error),
              error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "nb", "own", UNIT_FOLDS + 1, 1},
                           &got, &error),
              error);
    assert_int_equal(got.folds_there, 0);
    hs_stored_clear(&got);
    hs_store_close(store);
}

static void test_leave_one_out(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (uint32_t i = 0; i < hs_stores.data->instances; i++) {
        const double some[3] = {0.5, 0.25, 0.25};
        uint32_t frequency[17] = {1}, one = 1;
        hs_job_result job = {.method = "nb", .values = some, .score = some};
        hs_result_key key = {.dataset = id,
                             .selector = "none",
                             .scheme = "loo",
                             .folds = hs_stores.data->instances,
                             .fold = i};
        assert_ok(hs_store_put(store, &key,
                               &(hs_unit_result){.tested = 1,
                                                 .instances = &i,
                                                 .selected = &one,
                                                 .features = 17,
                                                 .classes = 3,
                                                 .frequency = frequency,
                                                 .jobs = &job,
                                                 .job_count = 1},
                               &error),
                  error);
    }
    /* Whoever asks need not know how many folds there are. */
    assert_ok(hs_store_get(store, &(hs_result_key){id, "none", "nb", "loo", 10, 0}, &got, &error),
              error);
    assert_int_equal(got.repeat.predictions.folds, hs_stores.data->instances);
    assert_int_equal(got.folds_there, hs_stores.data->instances);
    assert_int_equal(got.repeat.predictions.fold_of[9], 9);
    hs_stored_clear(&got);
    hs_store_close(store);
}

static void test_fold_file(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stored got = {0};
    uint32_t order[4] = {0, 1, 2, 3}, start[3] = {0, 2, 4};
    hs_folds folds = {.instances = 4, .count = 2, .order = order, .start = start};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (int twice = 0; twice < 2; twice++)
        assert_ok(hs_store_fold_file(store, id, "file:a.tsv", 10, &folds, NULL, &error), error);
    order[0] = 3;
    order[3] = 0;
    assert_int_equal(hs_store_fold_file(store, id, "file:a.tsv", 10, &folds, NULL, &error),
                     HSEL_EUSAGE);
    assert_non_null(
        strstr(error.message, "results for other folds than those of a.tsv: give another store"));
    assert_ok(hs_store_fold_file(store, id, "file:b.tsv", 10, &folds, NULL, &error), error);
    assert_ok(
        hs_store_get(store, &(hs_result_key){id, "none", "nb", "file:b.tsv", 10, 0}, &got, &error),
        error);
    assert_int_equal(got.repeat.predictions.folds, 2);
    hs_stored_clear(&got);
    hs_store_close(store);
    store = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    id = hs_stores_add(store, hs_stores.data);
    assert_ok(hs_store_fold_file(store, id, "file:a.tsv", 10, &folds, NULL, &error), error);
    uint64_t taken;
    assert_int_equal(hs_store_merge(store, hs_stores.path, &taken, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "its fold files have other folds"));
    hs_store_close(store);
}

static void test_frequencies(void **state)
{
    (void)state;
    hsel_error error = {0};
    uint64_t total[17] = {0}, one[17], sum[17] = {0}, tested;
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    for (unsigned i = 0; i < 3 * UNIT_FOLDS * UNIT_SELECTORS; i++)
        hs_stores_put(store, id, i, false);
    assert_ok(hs_store_frequencies(store, &(hs_result_key){id, "none", NULL, "own", UNIT_FOLDS, 1},
                                   2, total, &tested, NULL, &error),
              error);
    assert_int_equal(tested,
                     2 * hs_stores.data->instances); /* the third repeat was not asked for */
    for (uint64_t seed = 1; seed <= 2; seed++) {
        memset(one, 0, sizeof one);
        assert_ok(hs_store_frequencies(store,
                                       &(hs_result_key){id, "none", NULL, "own", UNIT_FOLDS, seed},
                                       1, one, &tested, NULL, &error),
                  error);
        assert_int_equal(tested, hs_stores.data->instances);
        for (int f = 0; f < 17; f++)
            sum[f] += one[f];
    }
    assert_memory_equal(total, sum, sizeof sum);
    assert_true(total[0] + total[1] + total[2] > 0);
    hs_store_close(store);
}

static void test_packed_numbers(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "pack", 0, 0);
    for (int round = 0; round < 20000; round++) {
        uint32_t numbers[50], back[50];
        size_t count = hs_random_below(&stream, 50);
        uint64_t zeros = hs_random_below(&stream, 11);
        hs_buf packed = {0};
        for (size_t i = 0; i < count; i++)
            numbers[i] =
                hs_random_below(&stream, 10) < zeros
                    ? 0
                    : (uint32_t)(hs_random_u64(&stream) >> (32 + hs_random_below(&stream, 32)));
        hs_pack_numbers(numbers, count, &packed);
        assert_false(packed.failed);
        assert_true(packed.length <= 5 * count + 2);
        assert_true(hs_unpack_numbers(packed.text, packed.length, UINT32_MAX, back, count));
        assert_memory_equal(numbers, back, count * sizeof *numbers);
        if (count > 0) { /* neither more, nor fewer, nor cut off */
            assert_false(
                hs_unpack_numbers(packed.text, packed.length, UINT32_MAX, back, count - 1));
            assert_false(
                hs_unpack_numbers(packed.text, packed.length - 1, UINT32_MAX, back, count));
        }
        hs_buf_clear(&packed);
    }
    uint32_t zeros[1000] = {0};
    hs_buf packed = {0};
    hs_pack_numbers(zeros, 1000, &packed);
    assert_int_equal(packed.length, 3);
    hs_buf_clear(&packed);
    /* Too long for 32 bits, for 64 bits, and a run longer than what is left. */
    assert_false(hs_unpack_numbers("\xff\xff\xff\xff\x1f", 5, UINT32_MAX, zeros, 1));
    assert_false(hs_unpack_numbers("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, UINT32_MAX,
                                   zeros, 1));
    assert_false(hs_unpack_numbers("\0\x01", 2, UINT32_MAX, zeros, 1));
    assert_false(hs_unpack_numbers("\0", 1, UINT32_MAX, zeros, 1));
    assert_true(hs_unpack_numbers("", 0, UINT32_MAX, zeros, 0));
}

/* Sets as they are, whatever runs they have; neither more, nor fewer, nor cut off. */
static void test_packed_bits(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "pack bits", 0, 0);
    for (int round = 0; round < 20000; round++) {
        uint64_t sets[4][3] = {0}, back[4][3] = {0};
        size_t count = 129 + hs_random_below(&stream, 64), used = hs_random_below(&stream, 5);
        uint64_t often = hs_random_below(&stream, 11);
        hs_buf packed = {0};
        for (size_t s = 0; s < used; s++)
            for (size_t i = 0; i < count; i++)
                if (hs_random_below(&stream, 10) < often)
                    hs_bit_set(sets[s], i);
        hs_pack_bits(sets[0], used, count, &packed);
        assert_false(packed.failed);
        assert_true(hs_unpack_bits(packed.text, packed.length, back[0], used, count));
        assert_memory_equal(sets, back, sizeof sets);
        assert_false(hs_unpack_bits(packed.text, packed.length, back[0], used + 1, count));
        assert_false(hs_unpack_bits(packed.text, packed.length - 1, back[0], used, count));
        if (used)
            assert_false(hs_unpack_bits(packed.text, packed.length, back[0], used, count - 1));
        hs_buf_clear(&packed);
    }
}

/* A job whose unit has no sets counts as not done if they are wanted; folds with all sets give them
 * back in order, one without gives none. */
static void test_probed(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_store *store = hs_unit_store(hs_stores.path, HS_STORE_WRITE);
    int64_t id = hs_stores_add(store, hs_stores.data);
    const uint32_t n = hs_stores.data->instances, d = hs_stores.data->features;
    uint64_t *sets = calloc(n, sizeof *sets), total[17] = {0}, tested;
    assert_non_null(sets);
    hs_result_key whole = {id, "none", NULL, "own", UNIT_FOLDS, 1, .probed = true};
    for (unsigned fold = 0; fold < UNIT_FOLDS; fold++) {
        hs_refits got = {0};
        hs_job_state there;
        hs_buf packed = {0};
        hs_result_key key = hs_unit_key_of(id, fold * UNIT_SELECTORS);
        key.method = hs_unit_classifiers[0];
        hs_stores_put(store, id, fold * UNIT_SELECTORS, false);
        assert_ok(hs_store_job(store, &key, &there, &error), error);
        assert_int_equal(there, HS_JOB_OK);
        key.probed = true;
        assert_ok(hs_store_job(store, &key, &there, &error), error);
        assert_int_equal(there, HS_JOB_NONE);
        assert_ok(hs_store_frequencies(store, &whole, 1, total, &tested, &got, &error), error);
        assert_int_equal(got.sets, 0);
        for (uint32_t i = 0; i < n; i++)
            sets[i] = (i * 7919 + fold * 104729) % (UINT64_C(1) << d);
        hs_pack_bits(sets, n, d, &packed);
        assert_ok(hs_unit_put_probed(store, id, fold * UNIT_SELECTORS, packed.text, packed.length,
                                     &error),
                  error);
        assert_ok(hs_store_job(store, &key, &there, &error), error);
        assert_int_equal(there, HS_JOB_OK);
        hs_refits_clear(&got);
        assert_ok(hs_store_frequencies(store, &whole, 1, total, &tested, &got, &error), error);
        assert_int_equal(got.sets, fold + 1);
        assert_int_equal(got.cases, n);
        assert_memory_equal(got.masks + (size_t)fold * n, sets, n * sizeof *sets);
        hs_refits_clear(&got);
        hs_buf_clear(&packed);
    }
    free(sets);
    hs_store_close(store);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    (void)context;
    hs_store *store = NULL;
    hs_stored got = {0};
    hs_stored_dataset found = {0};
    uint64_t total[17] = {0}, count;
    char text[] = "name: a", *back = NULL;
    int64_t id = -1;
    int status = hs_store_open(hs_stores.path, HS_STORE_WRITE, false, &store, error);
    if (status == HSEL_OK)
        status = hs_store_dataset(store, hs_stores.data, &id, error);
    if (status == HSEL_OK)
        status = hs_store_study(store, &(hs_study){.name = "a", .text = text}, error);
    for (unsigned i = 0; i < 15 && status == HSEL_OK; i += 3)
        status = hs_unit_put(store, id, i, i == 0, error);
    if (status == HSEL_OK)
        status = hs_store_merge(store, hs_stores.other_path, &count, error);
    if (status == HSEL_OK)
        status = hs_store_get(store, &(hs_result_key){id, "none", "knn:k=3", "own", UNIT_FOLDS, 1},
                              &got, error);
    if (status == HSEL_OK)
        status = hs_store_find_dataset(store, "genes", &found, error);
    if (status == HSEL_OK)
        status =
            hs_store_frequencies(store, &(hs_result_key){id, "none", NULL, "own", UNIT_FOLDS, 1}, 1,
                                 total, &count, NULL, error);
    if (status == HSEL_OK)
        status = hs_store_study_text(store, "a", &back, NULL, NULL, error);
    hs_stored_clear(&got);
    hs_stored_dataset_clear(&found);
    hs_free(back);
    hs_store_close(store);
    unlink(hs_stores.path);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_store *store = hs_unit_store(hs_stores.other_path, HS_STORE_WRITE);
    hs_stores_put(store, hs_stores_add(store, hs_stores.data2), 0, false);
    hs_store_close(store);
    assert_true(hs_oom_each("the store", everything, NULL) > 10);
    assert_int_equal(hs_folder_count(&hs_stores.folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_folds_put_together, hs_stores_set_up,
                                        hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_leave_one_out, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_fold_file, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_frequencies, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test(test_packed_numbers),
        cmocka_unit_test(test_packed_bits),
        cmocka_unit_test_setup_teardown(test_probed, hs_stores_set_up, hs_stores_tear_down),
        cmocka_unit_test_setup_teardown(test_memory, hs_stores_set_up, hs_stores_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

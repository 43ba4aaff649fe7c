/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stability selection: what can be known of its shares, the bound on false selections in a
 * simulation, and what it refuses. (Every allocation failing, and awkward data, are in
 * test_registry_learning.c.)
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "evaluate/model.h"
#include "support/cmocka.h"
#include "support/random_data.h"

static hsel_dataset *noise(hs_stream *stream, uint32_t features)
{
    hs_random_shape shape = {.instances = 60, .features = features, .classes = 2, .density = 0.4};
    return hs_random_dataset(stream, &shape);
}

/* Selects with the method; the shares into share[features]; returns how many are kept. */
static uint32_t run(const hsel_dataset *data, const char *text, int threads, double *share)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_learned learned = {0};
    uint64_t mask[4] = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, text, &chosen, &error), error);
    assert_ok(hs_learn(&chosen, data, 3, threads, &learned, &error), error);
    assert_ok(chosen.method->selector->select_features(learned.state, mask, &error), error);
    memcpy(share, learned.scores, data->features * sizeof *share);
    hs_learned_clear(&learned);
    hs_chosen_clear(&chosen);
    return (uint32_t)hs_bits_count(mask, 4);
}

static void test_shares(void **state)
{
    hs_stream stream;
    double share[40], again[40], sum = 0;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    hsel_dataset *data = noise(&stream, 30);
    assert_int_equal(run(data, "stability:of=none,runs=7", 1, share), 30);
    for (uint32_t f = 0; f < 30; f++)
        assert_true(share[f] == 1);
    /* Four features in each of 50 runs. */
    run(data, "stability:of=top:k=4,runs=50", 1, share);
    for (uint32_t f = 0; f < 30; f++) {
        assert_true(fabs(share[f] * 50 - round(share[f] * 50)) < 1e-9);
        sum += share[f];
    }
    assert_true(fabs(sum - 4) < 1e-9);
    run(data, "stability:of=top:k=4,runs=50", 3, again);
    assert_memory_equal(share, again, 30 * sizeof *share);
    run(data, "stability:of=top:k=4,runs=50,share=0.6", 1, again);
    assert_memory_not_equal(share, again, 30 * sizeof *share);
    hsel_dataset_free(data);
}

/* A feature that is the class is always selected; without any that is, few are. */
static void test_bound(void **state)
{
    hs_stream stream;
    double share[40], kept = 0, bound = 3 * 3 / ((2 * 0.8 - 1) * 20);
    enum { ROUNDS = 60 };
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        hsel_dataset *data = noise(&stream, 20);
        kept += run(data, "stability:of=top:k=3,runs=50,threshold=0.8", 1, share);
        hsel_dataset_free(data);
    }
    assert_true(kept / ROUNDS <= bound);
    hsel_dataset *data = noise(&stream, 20);
    size_t count;
    hs_sparse_list(&data->columns, 7, &count);
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = 0;
    const uint32_t *of = hs_sparse_list(&data->columns, 7, &count);
    for (size_t i = 0; i < count; i++)
        data->class_of[of[i]] = 1;
    assert_true(run(data, "stability:of=top:k=3,runs=50,threshold=0.8", 1, share) >= 1);
    assert_true(share[7] == 1);
    hsel_dataset_free(data);
}

static void test_refused(void **state)
{
    hs_chosen chosen = {0};
    hsel_error error = {0};
    hs_learned learned = {0};
    hs_stream stream;
    (void)state;
    assert_int_equal(hs_chosen_parse(HS_SELECTOR, "stability:of=rpv", &chosen, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "stability is for eager selectors"));
    assert_int_equal(hs_chosen_parse(HS_SELECTOR, "stability:of=foo", &chosen, &error),
                     HSEL_EUSAGE);
    hs_stream_init(&stream, 3, "test", 0, 0);
    hsel_dataset *data = noise(&stream, 5);
    assert_ok(hs_chosen_parse(HS_SELECTOR, "stability:of=shsel", &chosen, &error), error);
    assert_int_equal(hs_learn(&chosen, data, 1, 1, &learned, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "shsel needs a hierarchy"));
    hs_learned_clear(&learned);
    hs_chosen_clear(&chosen);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares), cmocka_unit_test(test_bound),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

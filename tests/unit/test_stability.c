/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stability selection: what can be known of its shares, the bound on false selections in a
 * simulation, and what it refuses. The ensemble against obvious places; boruta on planted features,
 * and its decisions against a twin that has the importances of every run before it. (Every
 * allocation failing, and awkward data, are in test_registry_learning.c.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "learn/model.h"
#include "rank/rank.h"
#include "search/boruta.h"
#include "support/cmocka.h"
#include "support/model_data.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static hsel_dataset *noise(hs_stream *stream, uint32_t features)
{
    hs_random_shape shape = {.instances = 60, .features = features, .classes = 2, .density = 0.4};
    return hs_random_dataset(stream, &shape);
}

/* Selects with the method; the shares into share[features]; returns how many are kept. */
static uint32_t run(const hsel_dataset *data, const char *text, int threads, double *share)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    uint64_t mask[4] = {0};
    assert_ok(hs_train(data, text, NULL, HSEL_NONE, false, 3, threads, NULL, &model, &error),
              error);
    memcpy(mask, model->pipeline.mask, hs_bit_words(data->features) * sizeof *mask);
    memcpy(share, model->scores, data->features * sizeof *share);
    hs_model_free(model);
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

/* Places by the obvious count: one more than those before it, and half of those beside it. */
static double place(const double *score, const bool *in, uint32_t d, uint32_t f)
{
    double before = 0, beside = 0;
    for (uint32_t i = 0; i < d; i++) {
        bool ahead = in[i] != in[f] ? in[i] : score[i] > score[f];
        before += ahead;
        beside += i != f && !ahead && in[i] == in[f] && score[i] == score[f];
    }
    return 1 + before + beside / 2;
}

static void test_ensemble(void **state)
{
    enum { D = 12, K = 4 };
    static const char *const words[] = {"mean", "median", "borda", "votes"};
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hsel_error error = {0};
        hsel_dataset *data = noise(&stream, D);
        hs_chosen measure[2] = {0};
        hs_counts counts = {0};
        double value[2][D], *scores[] = {value[0], value[1]}, found[40];
        bool in[3][D] = {0};
        uint32_t order[D];
        char text[100];
        hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
        assert_ok(hs_counts_of(&training.view, &counts, &error), error);
        assert_ok(hs_chosen_parse(HS_RANKER, "ig", &measure[0], &error), error);
        assert_ok(hs_chosen_parse(HS_RANKER, "lift", &measure[1], &error), error);
        assert_ok(hs_rank_features(&training, measure, 2, scores, &error), error);
        for (int m = 0; m < 2; m++) {
            hs_rank_order(value[m], D, NULL, order);
            for (uint32_t i = 0; i < K; i++)
                in[m][order[i]] = true;
        }
        hs_rank_order(value[0], D, NULL, order); /* top:k=3 */
        for (uint32_t i = 0; i < 3; i++)
            in[2][order[i]] = true;
        snprintf(text, sizeof text, "ensemble:of=ig+lift+top:k=3;by=ig,runs=1,share=1,k=%d,by=%s",
                 K, words[round % 4]);
        assert_int_equal(run(data, text, 1 + round % 3, found), K);
        for (uint32_t f = 0; f < D; f++) {
            double p[3], expected = 0;
            for (int m = 0; m < 3; m++) {
                double size = m < 2 ? K : 3;
                p[m] = place(value[m % 2], in[m], D, f);
                expected += (round % 4 == 0   ? 1 - (p[m] - 1) / (D - 1)
                             : round % 4 == 2 ? (in[m][f] ? (size - p[m] + 1) / size : 0)
                                              : in[m][f]) /
                            3;
            }
            if (round % 4 == 1) /* the one in the middle */
                expected = 1 - (fmax(fmin(p[0], p[1]), fmin(fmax(p[0], p[1]), p[2])) - 1) / (D - 1);
            assert_true(fabs(found[f] - expected) < 1e-6);
        }
        hs_chosen_clear(&measure[0]);
        hs_chosen_clear(&measure[1]);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
    hsel_dataset *data = noise(&stream, 30);
    double share[40], again[40];
    assert_int_equal(run(data, "ensemble:of=top:k=5+ig,k=0,runs=9", 1, share), 5);
    run(data, "ensemble:of=top:k=5+ig,k=0,runs=9", 3, again);
    assert_memory_equal(share, again, 30 * sizeof *share);
    hsel_dataset_free(data);
}

/* What is the class, but for some instances, is confirmed, and of what is not hardly anything; the
 * same with any number of threads. */
static void test_boruta(void **state)
{
    static const char *const texts[] = {"boruta:runs=25,trees=30,alpha=0.05",
                                        "boruta:runs=25,trees=30,alpha=0.05,shadows=lineage"};
    hs_stream stream;
    uint32_t chance = 0;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 8; round++) {
        hs_random_shape shape = {.instances = 60,
                                 .features = 10,
                                 .classes = 2,
                                 .density = 0.3,
                                 .parents = 1,
                                 .true_path = true};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        double share[40], again[40];
        chance += run(data, texts[round % 2], 1, share);
        run(data, texts[round % 2], 3, again);
        assert_memory_equal(share, again, 10 * sizeof *share);
        uint32_t planted = 0;
        size_t count, best = 0;
        for (uint32_t f = 0; f < 10; f++) { /* a feature with about half of the instances */
            hs_column(data, f, &count);
            if (count > best && count <= 40) {
                best = count;
                planted = f;
            }
        }
        const uint32_t *rows = hs_column(data, planted, &count);
        for (uint32_t i = 0; i < data->instances; i++)
            data->class_of[i] = i % 20 == 0;
        for (size_t i = 0; i < count; i++)
            data->class_of[rows[i]] = rows[i] % 20 != 0;
        assert_true(run(data, texts[round % 2], 2, share) >= 1);
        for (uint32_t f = 0; f < 10; f++)
            assert_true(share[f] <= share[planted]);
        assert_true(share[planted] > 0.8);
        hsel_dataset_free(data);
    }
    assert_true(chance <= 2);
}

/* P(X <= hits) of `runs` fair coins: a row of Pascal's triangle. */
static double below(uint32_t hits, uint32_t runs)
{
    double way[64] = {1}, sum = 0;
    for (uint32_t r = 0; r < runs; r++)
        for (uint32_t i = r + 1; i > 0; i--)
            way[i] += way[i - 1];
    for (uint32_t i = 0; i <= hits; i++)
        sum += way[i];
    return ldexp(sum, -(int)runs);
}

/* Importances are given; the twin goes through all runs for each feature on its own. */
static void test_boruta_hits(void **state)
{
    enum { MOST = 12, RUNS = 40 };
    uint32_t decided[2] = {0};
    hs_stream stream;
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const uint32_t n = 1 + (uint32_t)hs_random_below(&stream, MOST),
                       runs = 1 + (uint32_t)hs_random_below(&stream, RUNS);
        uint32_t hits[MOST] = {0}, column[HS_BORUTA_COLUMNS(MOST)], undecided = n, real[RUNS];
        hs_boruta_fate fate[MOST] = {0};
        double best[RUNS], z[RUNS][MOST], of[HS_BORUTA_COLUMNS(MOST)];
        hs_boruta b = {n, 0, hs_random_below(&stream, 2) ? 0.01 : 0.1, hits, fate};
        uint32_t last = 0; /* run */
        for (; last < runs && undecided; last++) {
            uint32_t count, shadow_of[MOST] = {0}, rejected = 0;
            real[last] = hs_boruta_columns(&b, column, &count);
            best[last] = -INFINITY;
            for (uint32_t i = 0; i < count; i++) { /* few values: ties with the best shadow */
                of[i] = (double)hs_random_below(&stream, 6) +
                        (i < real[last] && column[i] % 3 == 0 ? 4 : 0);
                if (i < real[last])
                    z[last][column[i]] = of[i];
                else
                    best[last] = fmax(best[last], of[i]);
                shadow_of[column[i]] += i >= real[last];
            }
            for (uint32_t f = 0; f < n; f++) {
                rejected += fate[f] == HS_BORUTA_REJECTED;
                uint32_t left = real[last];
                assert_int_equal(shadow_of[f], fate[f] == HS_BORUTA_REJECTED ? 0
                                               : left >= 5                   ? 1
                                               : left >= 3                   ? 2
                                               : left == 2                   ? 4
                                                                             : 8);
            }
            assert_int_equal(real[last], n - rejected);
            undecided -= hs_boruta_judge(&b, column, real[last], count, of);
        }
        assert_int_equal(b.runs, last);
        for (uint32_t f = 0; f < n; f++) {
            hs_boruta_fate expected = HS_BORUTA_TENTATIVE;
            uint32_t wins = 0;
            for (uint32_t r = 0; r < last && expected != HS_BORUTA_REJECTED; r++) {
                wins += z[r][f] > best[r];
                const bool is_open = expected == HS_BORUTA_TENTATIVE;
                if (is_open && below(r + 1 - wins, r + 1) < b.alpha / n)
                    expected = HS_BORUTA_CONFIRMED;
                else if (is_open && below(wins, r + 1) < b.alpha / n)
                    expected = HS_BORUTA_REJECTED;
            }
            assert_int_equal(hits[f], wins);
            assert_int_equal(fate[f], expected);
            undecided -= fate[f] == HS_BORUTA_TENTATIVE;
            if (fate[f] != HS_BORUTA_TENTATIVE)
                decided[fate[f] == HS_BORUTA_REJECTED]++;
        }
        assert_int_equal(undecided, 0);
    }
    assert_true(decided[0] > 500 && decided[1] > 500);
}

static void test_refused(void **state)
{
    hs_chosen chosen = {0};
    hsel_error error = {0};
    hs_model *model = NULL;
    hs_stream stream;
    (void)state;
    assert_int_equal(hs_chosen_parse(HS_SELECTOR, "stability:of=rpv", &chosen, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "stability is for eager selectors"));
    assert_int_equal(hs_chosen_parse(HS_SELECTOR, "stability:of=foo", &chosen, &error),
                     HSEL_EUSAGE);
    hs_stream_init(&stream, 3, "test", 0, 0);
    hsel_dataset *data = noise(&stream, 5);
    assert_int_equal(
        hs_train(data, "stability:of=shsel", NULL, HSEL_NONE, false, 1, 1, NULL, &model, &error),
        HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "shsel needs a hierarchy"));
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ensemble),    cmocka_unit_test(test_boruta),
        cmocka_unit_test(test_boruta_hits), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_bound),       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

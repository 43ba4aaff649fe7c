/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * boost: its trees predict what the library's own do (by the loss of inner folds, which comes from
 * the library), any number of threads gives the same bytes, missing values, units, damaged files,
 * lack of memory. Skipped without the library.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"

#define N 80

struct world {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
};

/* Random data, in which the first feature matters. */
static void world_new(struct world *w, uint64_t seed, uint32_t classes, double numeric)
{
    const hs_random_shape shape = {.instances = N,
                                   .features = 9,
                                   .classes = classes ? classes : 2,
                                   .density = 0.4,
                                   .numeric = numeric,
                                   .nominal = 0.3,
                                   .missing = 0.1};
    hs_stream stream;
    hs_stream_init(&stream, seed, "test", 0, 0);
    w->data = hs_random_dataset(&stream, &shape);
    if (!classes)
        hs_random_target(&stream, w->data);
    for (uint32_t i = 0; i < N; i++) {
        const double x = hs_dataset_value(w->data, 0, i);
        const bool high = !isnan(x) && x > 0.5;
        if (!classes)
            w->data->target[i] = 10 * high + hs_random_double(&stream);
        else if (high && hs_random_below(&stream, 5))
            w->data->class_of[i] = 1;
    }
    w->training = hs_training_on(w->data, &w->counts);
}

static void world_free(struct world *w)
{
    hs_counts_clear(&w->counts);
    hs_dataset_free(w->data);
}

/* The number behind a key in what the model says of itself. */
static double said(const hs_fitted *f, const hsel_dataset *data, const char *key)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hsel_error error = {0};
    hs_writer *out = NULL;
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(f->chosen.method->classifier->describe(f->model, data, HS_DESCRIBE_JSON, out, &error),
              error);
    assert_ok(hs_writer_commit(out, &error), error);
    const char *at = strstr(text.text, key);
    assert_non_null(at);
    return strtod(strchr(at, ':') + 1, NULL);
}

/* The loss in inner folds comes from the library's own predictions: models of as many rounds,
 * learned without each fold, must come to the same by theirs. */
static void test_loss_of_inner_folds(void **state)
{
    uint32_t trees = 0;
    (void)state;
    for (uint32_t round = 0; round < 8; round++) {
        const uint32_t classes = round % 4 ? 1 + round % 4 : 0;
        struct world w;
        hs_folds folds = {0};
        hs_fitted f;
        hsel_error error = {0};
        char text[64];
        double sum = 0;
        world_new(&w, 10 + round, classes, 0);
        hs_fit(&f, "boost:folds=4", &w.training);
        const double rounds = said(&f, w.data, "\"rounds\""),
                     loss = said(&f, w.data, classes ? "\"inner_log_loss\"" : "\"inner_rmse\"");
        hs_unfit(&f);
        trees += (uint32_t)rounds;
        if (rounds == 0) {
            world_free(&w);
            continue;
        }
        snprintf(text, sizeof text, "boost:rounds=%.0f", rounds);
        assert_ok(hs_folds_of_view(&w.training.view, 4, w.training.seed, &folds, &error), error);
        for (uint32_t fold = 0; fold < folds.count; fold++) {
            uint32_t rows[N];
            hs_counts counts = {0};
            hs_training training = w.training;
            training.view.row_count = hs_folds_training(&folds, fold, rows);
            training.view.rows = rows;
            assert_ok(hs_counts_of(&training.view, &counts, &error), error);
            training.counts = &counts;
            hs_fit(&f, text, &training);
            for (uint32_t i = folds.start[fold]; i < folds.start[fold + 1]; i++) {
                const uint32_t row = folds.order[i];
                double p[4], score[4];
                assert_ok(hs_predict_one(f.chosen.method->classifier, f.model, w.data, row, NULL,
                                         f.scratch, p, score, &error),
                          error);
                sum += classes ? -log(p[w.data->class_of[row]])
                               : pow(score[0] - w.data->target[row], 2);
            }
            hs_unfit(&f);
            hs_counts_clear(&counts);
        }
        sum = classes ? sum / N : sqrt(sum / N);
        /* numbers are standardised by other rows there, and rounded otherwise */
        if (!(fabs(sum - loss) < (classes ? 1e-5 : 0.02) * loss))
            fail_msg("%u classes, %g rounds: %g in inner folds, not %g", classes, rounds, loss,
                     sum);
        hs_folds_clear(&folds);
        world_free(&w);
    }
    assert_true(trees > 30);
}

static void test_same_bytes(void **state)
{
    static const char *const texts[] = {"boost", "boost:rows=0.6,features=0.5",
                                        "boost:rounds=7,rows=0.5,weights=balanced"};
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        struct world w;
        world_new(&w, 20 + round, 2 + round % 3, 0.4);
        hs_fitted_check_bytes(texts[round / 2], &w.training);
        world_free(&w);
    }
}

/* Every changed byte gives an error or a model that predicts without harm. */
static void test_damaged(void **state)
{
    struct world w;
    hs_fitted f;
    hs_buf bytes = {0};
    uint32_t refused = 0;
    (void)state;
    world_new(&w, 30, 2, 0.4);
    hs_fit(&f, "boost:rounds=3", &w.training);
    hs_fitted_write(&f, &bytes);
    for (size_t i = 0; i < bytes.length; i++)
        for (uint32_t k = 0; k < 3; k++) {
            static const uint8_t by[] = {1, 0x80, 0xff};
            double p[4];
            bytes.text[i] = (char)(bytes.text[i] ^ by[k]);
            refused += !hs_fitted_takes(&f, &bytes, w.data, 20, p);
            bytes.text[i] = (char)(bytes.text[i] ^ by[k]);
        }
    assert_true(refused > 100);
    hs_buf_clear(&bytes);
    hs_unfit(&f);
    world_free(&w);
}

static int stop_at(void *context, uint64_t done, uint64_t total, const char *what)
{
    uint32_t *left = context;
    (void)done;
    (void)total;
    (void)what;
    return --*left == 0;
}

static void test_stopped(void **state)
{
    struct world w;
    hs_fitted f;
    hsel_error error = {0};
    uint32_t left = UINT32_MAX;
    hs_progress progress = {.report = stop_at, .context = &left};
    (void)state;
    world_new(&w, 40, 2, 0.4);
    w.training.progress = &progress;
    hs_fit(&f, "boost", &w.training);
    hs_unfit(&f);
    const uint32_t all = UINT32_MAX - left;
    assert_true(all > 30);
    for (uint32_t last = 1; last <= all; last += 37) {
        left = last;
        assert_int_equal(hs_try_fit(&f, "boost", &w.training, &error), HSEL_ECANCELLED);
    }
    world_free(&w);
}

static void test_bad_options(void **state)
{
    static const char *const bad[][2] = {
        {"boost:rounds=0", "rounds of boost is auto or a number up to 10000, not 0"},
        {"boost:rounds=2.5", "rounds of boost is auto or a number up to 10000, not 2.5"},
        {"boost:rounds=many", "rounds of boost is auto or a number up to 10000, not many"},
        {"boost:folds=3,rounds=5", "has no effect with a given number of rounds"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_equal(hs_chosen_parse(HS_CLASSIFIER, bad[i][0], &chosen, &error), HSEL_EUSAGE);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], error.message);
        hs_chosen_clear(&chosen);
    }
}

static void test_out_of_memory(void **state)
{
    struct world w;
    (void)state;
    world_new(&w, 50, 3, 0.4);
    assert_true(hs_oom_each("boost", hs_live_once, &(hs_life){&w.training, "boost:rounds=2"}) >=
                30);
    world_free(&w);
}

static bool is_there(void)
{
    struct world w;
    hs_fitted f;
    hsel_error error = {0};
    world_new(&w, 1, 2, 0);
    const int status = hs_try_fit(&f, "boost:rounds=1", &w.training, &error);
    if (status == HSEL_OK)
        hs_unfit(&f);
    world_free(&w);
    return status == HSEL_OK || !strstr(error.message, "boost needs the library");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loss_of_inner_folds),
                                       cmocka_unit_test(test_same_bytes),
                                       cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_stopped),
                                       cmocka_unit_test(test_bad_options),
                                       cmocka_unit_test(test_out_of_memory)};
    if (!is_there())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

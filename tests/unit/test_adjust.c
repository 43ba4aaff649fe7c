/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calibration and thresholds: isotonic regression against its max-min formula, curves and cuts that
 * agree with each other, thresholds against all that there are, and every classifier of the
 * registry with them, in cross-validation and through a model file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/folds.h"
#include "pipeline/adjust.h"
#include "learn/crossval.h"
#include "learn/model.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"
#include "support/model_data.h"

#define MOST 24

HS_TEST_USES_THREADS

static void assert_near(double found, double expected, double distance)
{
    if (!(fabs(found - expected) <= distance))
        fail_msg("%.17g, not %.17g", found, expected);
}

struct sample {
    size_t count;
    double score[MOST];
    bool positive[MOST];
};

static struct sample random_sample(hs_stream *stream)
{
    struct sample s = {.count = 2 + hs_random_below(stream, MOST - 1)};
    uint64_t levels = 1 + hs_random_below(stream, 15);
    for (size_t i = 0; i < s.count; i++) {
        s.score[i] = (double)hs_random_below(stream, levels) - 4;
        s.positive[i] = i < 2 ? i : hs_random_below(stream, 8) < (uint64_t)(s.score[i] + 5);
    }
    return s;
}

/* At a score that occurs: the greatest, over scores a up to it, of the least, over scores b from it
 * on, of the share of positives between a and b. */
static double isotonic_slowly(const struct sample *s, double at)
{
    double best = -1;
    for (size_t i = 0; i < s->count; i++) {
        double least = 2;
        for (size_t j = 0; s->score[i] <= at && j < s->count; j++) {
            double positives = 0, all = 0;
            for (size_t k = 0; s->score[j] >= at && k < s->count; k++)
                if (s->score[k] >= s->score[i] && s->score[k] <= s->score[j]) {
                    positives += s->positive[k];
                    all++;
                }
            if (all > 0 && positives / all < least)
                least = positives / all;
        }
        if (least < 2 && least > best)
            best = least;
    }
    return best;
}

static void test_isotonic(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct sample s = random_sample(&stream);
        hs_curve curve = {0};
        double least = 1 / ((double)s.count + 2), before = 0;
        assert_ok(hs_isotonic_fit(s.score, s.positive, NULL, s.count, &curve, &error), error);
        for (size_t i = 0; i < s.count; i++)
            assert_near(hs_curve_at(&curve, s.score[i]),
                        fmin(1 - least, fmax(least, isotonic_slowly(&s, s.score[i]))), 1e-12);
        for (double at = -10; at < 20; at += 0.125) { /* between them it never falls */
            double here = hs_curve_at(&curve, at);
            assert_true(here >= before && here >= least && here <= 1 - least);
            before = here;
        }
        HS_FREE(curve.at, curve.share);
    }
}

/* ---- with data ---- */

static hsel_dataset *learnable(hs_stream *stream, uint32_t classes)
{
    hs_random_shape shape = {.instances = 60,
                             .features = 12,
                             .classes = classes,
                             .density = 0.3,
                             .parents = 1.2,
                             .true_path = true};
    return hs_random_dataset(stream, &shape);
}

/* Probabilities and scores of a cross-validation of one pair. */
static void cross(const hsel_dataset *data, const char *selector, const char *classifier,
                  int threads, hs_crossval *out)
{
    hsel_error error = {0};
    hs_chosen s = {0}, c = {0};
    hs_folds folds = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, selector, &s, &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier, &c, &error), error);
    assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 3, 1, &folds, &error), error);
    assert_ok(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                     .folds = &folds,
                                                     .selectors = &s,
                                                     .classifiers = &c,
                                                     .selector_count = 1,
                                                     .classifier_count = 1,
                                                     .seed = 1,
                                                     .threads = threads},
                              out, &error),
              error);
    hs_folds_clear(&folds);
    hs_chosen_clear(&s);
    hs_chosen_clear(&c);
}

/* Every classifier: the order of instances stays within a fold, the predicted class is the one
 * above one half, nothing is certain, and threads change nothing. */
static void test_every_classifier(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    hsel_dataset *data = learnable(&stream, 2);
    (void)state;
    for (size_t m = 0; m < hs_method_count(); m++) {
        const hs_method *method = hs_method_at(m);
        const char *curves[] = {"platt", "isotonic"};
        if (method->kind != HS_CLASSIFIER)
            continue;
        assert_string_equal(method->options[0].name, "calibration");
        for (int k = 0; k < 2; k++) {
            char text[200];
            hs_crossval plain = {0}, made = {0}, again = {0};
            bool on_mask = method->flags & HS_PREDICTS_ON_MASK;
            snprintf(text, sizeof text, "%s:calibration=%s", method->name, curves[k]);
            cross(data, on_mask ? "hip" : "shsel", method->name, 1, &plain);
            cross(data, on_mask ? "hip" : "shsel", text, 1, &made);
            cross(data, on_mask ? "hip" : "shsel", text, 2, &again);
            const double *p = made.classifiers[0].probability, *s = made.classifiers[0].score,
                         *raw = plain.classifiers[0].score;
            assert_memory_equal(p, again.classifiers[0].probability,
                                2 * data->instances * sizeof *p);
            for (uint32_t i = 0; i < data->instances; i++) {
                assert_true(p[2 * i + 1] > 0.01 && p[2 * i + 1] < 0.99);
                assert_near(p[2 * i] + p[2 * i + 1], 1, 1e-12);
                if (fabs(p[2 * i + 1] - 0.5) > 1e-9)
                    assert_int_equal(s[i] > 0, p[2 * i + 1] > 0.5);
                if (i && i < 20 && raw[i] > raw[i - 1] + 1e-9 && s[i] <= s[i - 1]) {
                    /* another fold: another curve */
                    hs_folds folds = {0};
                    hsel_error error = {0};
                    assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 3, 1, &folds, &error), error);
                    assert_int_not_equal(folds.fold_of[i], folds.fold_of[i - 1]);
                    hs_folds_clear(&folds);
                }
            }
            hs_crossval_clear(&plain);
            hs_crossval_clear(&made);
            hs_crossval_clear(&again);
        }
    }
    hs_dataset_free(data);
}

/* Through a file and back the same answers, to the last bit; of three classes, too. */
static void test_files(void **state)
{
    static const char *const texts[] = {
        "nb:calibration=isotonic,threshold=gm", "nb:calibration=platt,threshold=0.3,inner-folds=3",
        "knn:threshold=cost,cost=3", "nb:calibration=isotonic", "knn:calibration=platt"};
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        hsel_dataset *data = learnable(&stream, t < 3 ? 2 : 3);
        uint32_t classes = data->class_names.count;
        hs_model *model = NULL, *back = NULL;
        hs_model_scratch one = {0}, two = {0};
        hs_buf bytes = {0};
        hsel_error error = {0};
        double p[2][3], s[2][3];
        assert_ok(hs_train(data, "none", texts[t], HSEL_NONE, false, 1, 1, NULL, &model, &error),
                  error);
        assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
        assert_ok(hs_model_from_bytes("m", bytes.text, bytes.length, &back, &error), error);
        assert_ok(hs_model_scratch_init(&one, model, &error), error);
        assert_ok(hs_model_scratch_init(&two, back, &error), error);
        for (uint32_t i = 0; i < data->instances; i++) {
            double sum = 0;
            assert_ok(hs_model_predict(model, data, i, 1, &one, p[0], s[0], NULL, &error), error);
            assert_ok(hs_model_predict(back, data, i, 1, &two, p[1], s[1], NULL, &error), error);
            assert_memory_equal(p[0], p[1], classes * sizeof(double));
            assert_memory_equal(s[0], s[1], classes * sizeof(double));
            for (uint32_t c = 0; c < classes; c++)
                sum += p[0][c];
            assert_near(sum, 1, 1e-12);
        }
        /* Every byte of it damaged in turn is found, or harmless: nothing crashes. */
        for (size_t at = bytes.length > 400 ? bytes.length - 400 : 0; at < bytes.length; at++) {
            hs_model *damaged = NULL;
            bytes.text[at] ^= 0x55;
            if (hs_model_from_bytes("m", bytes.text, bytes.length, &damaged, &error) == HSEL_OK)
                hs_model_free(damaged);
            bytes.text[at] ^= 0x55;
        }
        hs_model_scratch_clear(&one);
        hs_model_scratch_clear(&two);
        hs_buf_clear(&bytes);
        hs_model_free(model);
        hs_model_free(back);
        hs_dataset_free(data);
    }
}

/* The cut of a model is the best of all on the scores of its own inner folds: these are computed
 * here again, fold by fold, and every cut is tried. */
static void test_threshold(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 40; round++) {
        hsel_dataset *data = learnable(&stream, 2);
        hsel_error error = {0};
        hs_chosen none = {0}, nb = {0};
        hs_adjust adjust = {0};
        hs_counts counts = {0};
        hs_view all = hs_view_all(data);
        uint32_t rows[60];
        assert_ok(hs_chosen_parse(HS_SELECTOR, "none", &none, &error), error);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, "nb:threshold=f1,inner-folds=4", &nb, &error),
                  error);
        assert_ok(hs_counts_of(&all, &counts, &error), error);
        for (uint32_t i = 0; i < data->instances; i++)
            rows[i] = i;
        hs_training training = {.view = {.data = data, .rows = rows, .row_count = data->instances},
                                .counts = &counts,
                                .seed = 7,
                                .threads = 1};
        assert_ok(hs_adjust_learn(&training, &none, &nb, &adjust, &error), error);
        hs_folds folds = {0};
        assert_ok(hs_folds_of_view(&training.view, 4, 7, &folds, &error), error);
        double score[60], best = -1, own = -1;
        for (uint32_t f = 0; f < 4; f++) {
            uint32_t rest[60];
            hs_counts part = {0};
            void *model = NULL;
            hs_training inner = {.view = hs_folds_rest(&folds, &training.view, f, rest),
                                 .counts = &part,
                                 .threads = 1};
            assert_ok(hs_counts_of(&inner.view, &part, &error), error);
            assert_ok(nb.method->classifier->fit(&inner, nb.options, &model, &error), error);
            for (uint32_t i = 0; i < data->instances; i++) {
                double p[2], s[2];
                if (folds.fold_of[i] != f)
                    continue;
                assert_ok(nb.method->classifier->predict(
                              model, &(hs_batch){.data = data, .instances = &i, .count = 1}, NULL,
                              p, s, &error),
                          error);
                score[i] = s[1];
            }
            nb.method->classifier->free(model);
            hs_counts_clear(&part);
        }
        for (uint32_t c = 0; c <= data->instances + 1; c++) { /* cuts at every score, and ours */
            double cut = c <= data->instances ? (c ? score[c - 1] : -INFINITY) : adjust.cut;
            double hits = 0, predicted = 0, there = 0;
            for (uint32_t i = 0; i < data->instances; i++) {
                bool positive = data->class_of[i] == data->positive_class;
                bool says = (score[i] > cut) == (data->positive_class == 1);
                hits += positive && says;
                predicted += says;
                there += positive;
            }
            double f1 = hits > 0 ? 2 * hits / (predicted + there) : 0;
            best = f1 > best ? f1 : best;
            own = f1;
        }
        assert_near(own, best, 1e-12);
        hs_folds_clear(&folds);
        hs_counts_clear(&counts);
        hs_adjust_clear(&adjust);
        hs_chosen_clear(&none);
        hs_chosen_clear(&nb);
        hs_dataset_free(data);
    }
}

static void test_refused(void **state)
{
    static const char *const texts[][2] = {
        {"nb:calibration=none,threshold=0.3", "calibrated"},
        {"nb:threshold=auroc", "not possible"},
        {"nb:threshold=2,calibration=platt", "between 0 and 1"},
        {"nb:threshold=often", "not 'often'"},
        {"svm:cost=2", "without threshold=cost"},
        {"logistic:inner-folds=3", "no effect"},
        {"forest:threshold=nan,calibration=platt", "between 0 and 1"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_equal(hs_chosen_parse(HS_CLASSIFIER, texts[i][0], &chosen, &error), HSEL_EUSAGE);
        if (!strstr(error.message, texts[i][1]))
            fail_msg("%s: %s", texts[i][0], error.message);
    }
}

static int train(void *context, hsel_error *error)
{
    hs_model *model = NULL;
    int status = hs_train(context, "hip", "nb:calibration=isotonic,threshold=gm", HSEL_NONE, false,
                          1, 1, NULL, &model, error);
    hs_model_free(model);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    hsel_dataset *data = learnable(&stream, 2);
    (void)state;
    assert_true(hs_oom_each("adjust", train, data) > 20);
    hs_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isotonic), cmocka_unit_test(test_every_classifier),
        cmocka_unit_test(test_files),    cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Confidence intervals: bootstrap samples against samples that are written out instance by
 * instance, intervals against their formulas, and what the public functions make of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/design.h"
#include "stats/interval.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"

enum { MOST = 40, SAMPLES = HS_BOOTSTRAP_SAMPLES };

static void near(double expected, double found, const char *what)
{
    if (isnan(expected) != isnan(found) || fabs(expected - found) > 1e-9)
        fail_msg("%s: expected %.17g, found %.17g", what, expected, found);
}

static uint32_t below(hs_stream *stream, uint32_t limit)
{
    return (uint32_t)hs_random_below(stream, limit);
}

/* ---- bootstrap samples ---- */

struct cases {
    uint32_t n, classes, units, unit[MOST], truth[MOST], fold[MOST], selected[MOST];
    double target[MOST], probability[MOST * 3], score[MOST * 3];
    bool numeric;
};

static struct cases draw_cases(uint64_t round)
{
    struct cases c = {.numeric = round % 4 == 0};
    hs_stream stream;
    hs_stream_init(&stream, round, "test", 0, 0);
    c.n = 4 + below(&stream, MOST - 3);
    c.classes = c.numeric ? 0 : 2 + (uint32_t)(round % 2);
    const uint32_t most = 1 + below(&stream, c.n);
    for (uint32_t i = 0; i < c.n; i++) {
        c.unit[i] = below(&stream, 8) ? below(&stream, most) : HSEL_NONE;
        c.truth[i] = c.numeric ? 0 : i < c.classes ? i : below(&stream, c.classes);
        c.selected[i] = below(&stream, 6);
        c.target[i] = below(&stream, 5);
        const uint32_t width = hs_score_width(c.classes);
        for (uint32_t k = 0; k < width; k++) /* ties are frequent */
            c.score[i * width + k] = (double)below(&stream, 7) - 3;
        for (uint32_t k = 0; k < c.classes; k++)
            c.probability[i * c.classes + k] = (1 + below(&stream, 6)) / 8.0;
    }
    c.unit[0] = 0;
    c.units = most;
    return c;
}

static hs_predictions predictions_of(const struct cases *c)
{
    return (hs_predictions){.instances = c->n,
                            .classes = c->classes,
                            .folds = 1,
                            .positive_class = 1,
                            .truth = c->truth,
                            .target = c->numeric ? c->target : NULL,
                            .fold_of = c->fold,
                            .probability = c->numeric ? NULL : c->probability,
                            .score = c->score,
                            .selected = c->selected,
                            .features = 6};
}

/* The pooled metrics of a list of instances, in which they may be repeated. */
static void written_out(const struct cases *c, const uint32_t *list, uint32_t count, double *out)
{
    const size_t k = c->classes, width = hs_score_width(c->classes);
    uint32_t *truth = malloc(count * sizeof *truth), *selected = malloc(count * sizeof *truth),
             *fold = calloc(count, sizeof *fold);
    double *target = malloc(count * sizeof *target), *score = malloc(count * 3 * sizeof *score),
           *probability = malloc(count * 3 * sizeof *probability);
    bool lacks = false;
    hs_scores scores;
    hsel_error error = {0};
    for (uint32_t i = 0; i < count; i++) {
        truth[i] = c->truth[list[i]];
        selected[i] = c->selected[list[i]];
        target[i] = c->target[list[i]];
        memcpy(score + i * width, c->score + list[i] * width, width * sizeof *score);
        memcpy(probability + i * k, c->probability + list[i] * k, k * sizeof *score);
    }
    hs_predictions p = predictions_of(c);
    p.instances = count;
    p.truth = truth;
    p.selected = selected;
    p.fold_of = fold;
    p.target = c->numeric ? target : NULL;
    p.score = score;
    p.probability = c->numeric ? NULL : probability;
    assert_ok(hs_metrics_compute(&p, &scores, &error), error);
    for (uint32_t label = 0; label < k; label++) {
        bool all = false, here = false;
        for (uint32_t i = 0; i < c->n; i++)
            all |= c->unit[i] != HSEL_NONE && c->truth[i] == label;
        for (uint32_t i = 0; i < count; i++)
            here |= truth[i] == label;
        lacks |= all && !here;
    }
    for (int m = 0; m < HS_METRICS; m++)
        out[m] = lacks ? (double)NAN : scores.pooled[m];
    free(truth), free(selected), free(fold), free(target), free(score), free(probability);
}

static void test_samples_equal_their_twin(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        const struct cases c = draw_cases(round);
        const hs_predictions p = predictions_of(&c);
        const uint32_t repeats = 1 + round % 3, repeat = (uint32_t)(round / 3) % repeats;
        const hs_bootstrap draws = {c.unit, c.units, repeat, repeats, round};
        double *values = calloc((size_t)(SAMPLES + 1) * HS_METRICS, sizeof *values),
               expected[HS_METRICS];
        hsel_error error = {0};
        assert_ok(hs_metrics_bootstrap(&p, &draws, values, &error), error);
        for (uint32_t b = 0; b <= SAMPLES; b += b < 20 ? 1 : 97) {
            uint32_t list[MOST * MOST], count = 0;
            hs_stream stream;
            hs_stream_init(&stream, round, "bootstrap", b, 0);
            for (uint32_t draw = 0; draw < c.units; draw++) {
                const uint32_t unit = b ? below(&stream, c.units) : draw;
                for (uint32_t i = 0; i < c.n; i++)
                    if (c.unit[i] == unit)
                        list[count++] = i;
            }
            if (!count)
                continue;
            double often = b == 0;
            hs_stream_init(&stream, round, "bootstrap of repeats", b, 0);
            for (uint32_t r = 0; b && r < repeats; r++)
                often += below(&stream, repeats) == repeat;
            written_out(&c, list, count, expected);
            for (int m = 0; m < HS_METRICS; m++)
                near(often > 0 ? often * expected[m] : 0,
                     values[(size_t)b * HS_METRICS + (size_t)m], hs_metric_name((hs_metric)m));
        }
        free(values);
    }
}

static int bootstrap(void *context, hsel_error *error)
{
    const struct cases *c = context;
    const hs_predictions p = predictions_of(c);
    const hs_bootstrap draws = {c->unit, c->units, 0, 1, 1};
    double *values = calloc((size_t)(SAMPLES + 1) * HS_METRICS, sizeof *values);
    const int status = hs_metrics_bootstrap(&p, &draws, values, error);
    free(values);
    return status;
}

/* ---- intervals of given values ---- */

static void test_folds_by_hand(void **state)
{
    (void)state;
    /* Differences 1 2 3 4 5: mean 3, s^2 = 2.5; t with 4 degrees of freedom is 2.7764451. */
    const double a[] = {2, 0, 4, 0, 6, 0, 8, 0, 10, 0}, b[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
    const double half = 2.7764451051977987 * sqrt((1 / 5.0 + 0.25) * 2.5);
    hs_interval found = hs_interval_of_folds(a, b, 2, 5, 3, 0.25);
    near(3 - half, found.low, "low");
    near(3 + half, found.high, "high");
    assert_int_equal(found.values, 5);
    found = hs_interval_of_folds(a, NULL, 2, 5, 6, 0.25);
    near(6 + 2 * half, found.high, "of values twice as large");
    const double same[] = {0.5, 0.5, 0.5, NAN};
    found = hs_interval_of_folds(same, NULL, 1, 4, 0.5, 0.25);
    assert_true(isnan(found.low) && isnan(found.high));
    assert_int_equal(found.missing, 1);
    found = hs_interval_of_folds(same, same, 1, 4, 0, 0.25);
    assert_true(found.low == 0 && found.high == 0);
    found = hs_interval_of_folds(same, same, 1, 1, 0, 0.25);
    assert_true(isnan(found.low));
}

static void test_percentiles_by_hand(void **state)
{
    double value[SAMPLES];
    hs_interval found;
    hsel_error error = {0};
    (void)state;
    for (int i = 0; i < SAMPLES; i++) /* 1 … 999 in another order */
        value[i] = i * 700 % 999 + 1;
    /* With many units the 25th and 975th of 999. */
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 100000000, &found, &error), error);
    assert_true(fabs(found.low - 25) < 0.01 && fabs(found.high - 975) < 0.01);
    /* Of 10: t with 9 degrees of freedom is 2.2621572, times sqrt(10/9) = 2.3845240; the normal
     * distribution has 0.0085510 beyond it. */
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 10, &found, &error), error);
    assert_true(fabs(found.low - 8.5510) < 1e-3 && fabs(found.high - 991.449) < 1e-3);
    /* Of five, the last ones there are; of fewer, none. */
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 5, &found, &error), error);
    assert_true(found.low == 1 && found.high == 999);
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 4, &found, &error), error);
    assert_true(isnan(found.low));
    assert_ok(hs_interval_of_samples(value, value, 1, SAMPLES, 50, &found, &error), error);
    assert_true(found.low == 0 && found.high == 0);
    for (int i = 0; i < SAMPLES / 2; i++)
        value[i] = (double)NAN;
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 50, &found, &error), error);
    assert_true(!isnan(found.low) && found.missing == SAMPLES / 2);
    value[SAMPLES / 2] = (double)NAN;
    assert_ok(hs_interval_of_samples(value, NULL, 1, SAMPLES, 50, &found, &error), error);
    assert_true(isnan(found.high));
}

/* ---- cross-validation ---- */

enum { PATIENTS = 30, VISITS = 3, ROWS = PATIENTS * VISITS, FEATURES = 12 };

/* Patients whose visits are alike; the class of a patient is drawn independently of its features.
 */
static hsel_dataset *patients(bool grouped, bool timed)
{
    uint8_t value[ROWS * FEATURES];
    uint32_t label[ROWS];
    double time[ROWS];
    char names[ROWS * 8], *at = names;
    hsel_dataset *data;
    hsel_error error = {0};
    for (uint32_t p = 0; p < PATIENTS; p++) {
        hs_stream stream;
        hs_stream_init(&stream, p, "patient", 0, 0);
        uint8_t own[FEATURES];
        for (int f = 0; f < FEATURES; f++)
            own[f] = (uint8_t)below(&stream, 2);
        const uint32_t ill = below(&stream, 2);
        for (uint32_t v = 0, i = p * VISITS; v < VISITS; v++, i++) {
            memcpy(value + (size_t)i * FEATURES, own, FEATURES);
            label[i] = ill;
            time[i] = 3 * p + 4 * v; /* all different */
            at += 1 + sprintf(at, "p%u", p);
        }
    }
    const hsel_arrays arrays = {.size = sizeof arrays,
                                .instances = ROWS,
                                .features = FEATURES,
                                .classes = 2,
                                .layout = HSEL_DENSE,
                                .number = HSEL_U8,
                                .values = value,
                                .row_stride = FEATURES,
                                .column_stride = 1,
                                .labels = label,
                                .groups = grouped ? names : NULL,
                                .time = timed ? time : NULL};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    return data;
}

#define ASK(...)                                                                                   \
    &(hsel_request) { .size = sizeof(hsel_request), .threads = 1, __VA_ARGS__ }

static hsel_evaluation *evaluate(const hsel_dataset *data, const hsel_request *request)
{
    hsel_evaluation *found;
    hsel_error error = {0};
    assert_ok(hsel_crossval(data, request, &found, &error), error);
    return found;
}

static void interval(const hsel_evaluation *e, const hsel_evaluation *other, const char *metric,
                     int pooled, double out[3], const char *method)
{
    char found[HSEL_INTERVAL_ROOM];
    hsel_error error = {0};
    assert_ok(hsel_evaluation_interval(e, other, metric, pooled, out, found, &error), error);
    assert_string_equal(found, method);
}

static void test_independent_instances(void **state)
{
    hsel_dataset *data = patients(false, false);
    hsel_evaluation *nb =
                        evaluate(data, ASK(.folds = 5, .repeats = 2, .intervals = 1, .details = 1)),
                    *knn = evaluate(data, ASK(.folds = 5, .repeats = 2, .intervals = 1,
                                              .classifier = "knn:preset=weka,k=3")),
                    *none = evaluate(data, ASK(.folds = 5));
    double v[3], d[3], sum = 0, squares = 0;
    size_t count, accuracy = 0;
    (void)state;
    while (strcmp(hsel_metric_name(accuracy), "accuracy") != 0)
        accuracy++;
    interval(nb, NULL, "accuracy", 0, v, "corrected variance of 10 folds");
    const double *each = hsel_evaluation_numbers(nb, HSEL_FOLD_EACH, &count);
    assert_int_equal(count, 10 * hsel_metric_count());
    for (size_t i = 0; i < 10; i++)
        sum += each[i * hsel_metric_count() + accuracy];
    for (size_t i = 0; i < 10; i++)
        squares += pow(each[i * hsel_metric_count() + accuracy] - sum / 10, 2);
    near(sum / 10, v[0], "estimate"); /* 18 of 90 instances are tested: 18 / 72 = 1 / 4 */
    const double half = 2.2621571627409915 * sqrt((1 / 10.0 + 1 / 4.0) * squares / 9);
    near(v[0] - half, v[1], "low");
    near(fmin(1, v[0] + half), v[2], "high");
    interval(knn, NULL, "accuracy", 0, d, "corrected variance of 10 folds");
    const double knn_accuracy = d[0];
    interval(knn, nb, "accuracy", 0, d, "corrected variance of 10 folds");
    near(knn_accuracy - v[0], d[0], "difference");
    assert_true(d[1] < d[0] && d[0] < d[2]);
    interval(nb, nb, "accuracy", 0, d, "corrected variance of 10 folds");
    assert_true(d[0] == 0 && d[1] == 0 && d[2] == 0);
    interval(nb, NULL, "accuracy", 1, d, "bootstrap over 90 instances");
    near(hsel_evaluation_metric(nb, "accuracy", HSEL_POOLED), d[0], "pooled");
    assert_true(d[1] < d[0] && d[0] < d[2]);
    interval(none, NULL, "accuracy", 0, d, "none: not prepared");
    interval(nb, none, "accuracy", 0, d, "none: not prepared");
    interval(nb, NULL, "compression", 0, d, "none: the same in all folds");
    assert_true(d[0] == 0 && isnan(d[1]) && isnan(d[2]));
    interval(nb, NULL, "rmse", 1, d, "none: the metric is not defined");
    hsel_error error = {0};
    assert_int_equal(
        hsel_evaluation_interval(nb, NULL, "aurok", 0, d, (char[HSEL_INTERVAL_ROOM]){0}, &error),
        HSEL_EUSAGE);
    assert_string_equal(error.message, "there is no metric 'aurok'");
    hsel_evaluation_free(nb);
    hsel_evaluation_free(knn);
    hsel_evaluation_free(none);
    hsel_dataset_free(data);
}

/* With groups the estimate is pooled; ordinary folds of the same data are too optimistic, and give
 * the same as data without groups. */
static void test_groups(void **state)
{
    const char *const method = "bootstrap over 30 groups";
    hsel_dataset *data = patients(true, false), *plain = patients(false, false);
    hsel_evaluation *grouped = evaluate(
                        data, ASK(.folds = 5, .intervals = 1, .classifier = "knn:preset=weka")),
                    *ordinary =
                        evaluate(data, ASK(.folds = 5, .intervals = 1,
                                           .classifier = "knn:preset=weka", .respect = "none")),
                    *without = evaluate(
                        plain, ASK(.folds = 5, .intervals = 1, .classifier = "knn:preset=weka"));
    double v[3], w[3];
    (void)state;
    interval(grouped, NULL, "auroc", 0, v, method);
    near(hsel_evaluation_metric(grouped, "auroc", HSEL_POOLED), v[0], "pooled");
    assert_true(v[1] < 0.5 && v[2] > 0.5);
    interval(ordinary, NULL, "accuracy", 0, v, method);
    interval(without, NULL, "accuracy", 1, w, "bootstrap over 90 instances");
    near(w[0], v[0], "ordinary folds");
    assert_true(v[2] - v[1] > 1.2 * (w[2] - w[1])); /* visits of a patient are alike */
    interval(ordinary, grouped, "auroc", 0, v, method);
    assert_true(v[0] > 0.2 && v[1] > 0);
    interval(ordinary, without, "auroc", 0, v, "none: not prepared"); /* other units */
    hsel_evaluation_free(grouped);
    hsel_evaluation_free(ordinary);
    hsel_evaluation_free(without);
    hsel_dataset_free(data);
    hsel_dataset_free(plain);
}

/* With times, only instances that are tested in time are compared, also with ordinary folds. */
static void test_times(void **state)
{
    hsel_dataset *data = patients(true, true);
    hsel_evaluation *timed = evaluate(data, ASK(.folds = 2, .intervals = 1)),
                    *grouped = evaluate(
                        data, ASK(.folds = 2, .intervals = 1, .respect = "groups", .details = 1)),
                    *folds = evaluate(data, ASK(.folds = 2, .details = 1));
    size_t count, classes = 0;
    double v[3], right = 0, all = 0;
    bool there[PATIENTS] = {false};
    int patients_there = 0;
    char method[HSEL_INTERVAL_ROOM];
    (void)state;
    const uint32_t *tested = hsel_evaluation_counts(folds, HSEL_FOLD_OF, &count),
                   *of = hsel_evaluation_counts(grouped, HSEL_FOLD_OF, &classes);
    const double *score = hsel_evaluation_numbers(grouped, HSEL_SCORE, &classes);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_true(of[i] < 2 && of[i] == of[i - i % VISITS]);
        if (tested[i] == HSEL_NONE)
            continue;
        right += (score[2 * i + 1] > score[2 * i]) == hsel_dataset_class_of(data, i);
        all++;
        patients_there += !there[i / VISITS];
        there[i / VISITS] = true;
    }
    assert_true(all == 60);
    assert_true(patients_there < PATIENTS);
    snprintf(method, sizeof method, "bootstrap over %d groups", patients_there);
    interval(grouped, NULL, "accuracy", 0, v, method);
    near(right / all, v[0], "of the instances that are tested in time");
    interval(grouped, timed, "accuracy", 0, v, method);
    assert_true(v[1] < v[0] && v[0] < v[2]);
    hsel_evaluation_free(timed);
    hsel_evaluation_free(grouped);
    hsel_evaluation_free(folds);
    hsel_dataset_free(data);
}

static void test_bad_requests(void **state)
{
    hsel_dataset *data = patients(true, false);
    hsel_evaluation *found = NULL;
    hsel_error error = {0};
    uint32_t fold_of[ROWS];
    (void)state;
    for (uint32_t i = 0; i < ROWS; i++)
        fold_of[i] = i / VISITS % 2;
    assert_int_equal(hsel_crossval(data, ASK(.respect = "sites"), &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "folds respect all, groups or none, not 'sites'");
    assert_int_equal(
        hsel_crossval(data, ASK(.respect = "none", .fold_of = fold_of, .folds = 2), &found, &error),
        HSEL_EUSAGE);
    assert_string_equal(error.message, "given folds respect what they respect: omit 'none'");
    assert_null(found);
    found = evaluate(data, ASK(.fold_of = fold_of, .folds = 2, .intervals = 1));
    interval(found, NULL, "auroc", 0, (double[3]){0}, "bootstrap over 30 groups");
    hsel_evaluation_free(found);
    hsel_dataset_free(data);
}

static int cross_validate(void *context, hsel_error *error)
{
    hsel_evaluation *found = NULL;
    double v[3];
    char method[HSEL_INTERVAL_ROOM];
    int status =
        hsel_crossval(context, ASK(.folds = 2, .intervals = 1, .respect = "none"), &found, error);
    if (!status)
        status = hsel_evaluation_interval(found, NULL, "gm", 0, v, method, error);
    hsel_evaluation_free(found);
    return status;
}

static void test_memory(void **state)
{
    struct cases c = draw_cases(2);
    hsel_dataset *data = patients(true, true);
    (void)state;
    assert_int_equal(hs_oom_each("bootstrap", bootstrap, &c), 7);
    assert_true(hs_oom_each("intervals", cross_validate, data) > 50);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples_equal_their_twin),
                                       cmocka_unit_test(test_folds_by_hand),
                                       cmocka_unit_test(test_percentiles_by_hand),
                                       cmocka_unit_test(test_independent_instances),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_bad_requests),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

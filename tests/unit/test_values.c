/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes and k-NN on numeric and nominal features, against twins that follow the formulas cell
 * by cell: random mixed data with missing and infinite values, training rows, masks, selections.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "classify/classify.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/problem.h"
#include "support/random_data.h"
#include "support/vote_twin.h"
#include "support/predict_one.h"

#define MOST PROBLEM_MOST

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

/* Numbers of ordinary size, so that the twin can be held to many digits; now and then infinite, or
 * equal to others. */
static void set_numbers(hsel_dataset *data, hs_stream *stream)
{
    bool infinite = chance(stream, 0.5);
    for (uint32_t n = 0; n < data->numeric_count; n++) {
        double scale = chance(stream, 0.5) ? 1 : 1000;
        for (uint32_t i = 0; i < data->numeric[n].count; i++) {
            double *value = &data->numeric[n].values[i];
            if (infinite && chance(stream, 0.03))
                *value = chance(stream, 0.5) ? INFINITY : -INFINITY;
            else if (!isnan(*value))
                *value = chance(stream, 0.3) ? 1 + (double)hs_random_below(stream, 3)
                                             : scale * (hs_random_double(stream) - 0.3) + 1e-3;
        }
    }
}

static void problem_new(hs_problem *p, hs_stream *stream)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.classes = 2 + (uint32_t)hs_random_below(stream, 2);
    shape.unlabelled = chance(stream, 0.3) ? 0.3 : 0;
    shape.instances += 3;
    shape.numeric = hs_random_double(stream);
    shape.nominal = hs_random_double(stream) * (1 - shape.numeric);
    shape.missing = chance(stream, 0.5) ? 0.2 : 0;
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    set_numbers(data, stream);
    for (uint32_t i = 0; i < data->instances; i++)
        for (uint32_t f = 0; f < data->features; f++) {
            double value = hs_io_value(data, i, f), found = hs_dataset_value(data, f, i);
            assert_true(isnan(value) ? isnan(found) : found == value);
        }
    hs_problem_new(p, stream, data,
                   &(hs_problem_chances){.trained = 0.7, .masked = 0.5, .used = 0.6});
}

static uint32_t label_of(const hs_problem *p, uint32_t i) { return p->data->class_of[p->rows[i]]; }

/* ---- naive Bayes slowly ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Known values of a feature in the training part, of class c or (HSEL_NONE) of all; sorted. */
static uint32_t known_values(const hs_problem *p, uint32_t f, uint32_t c, double *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->row_count; i++)
        if (label_of(p, i) != HSEL_NONE && (c == HSEL_NONE || label_of(p, i) == c) &&
            !isnan(p->value[p->rows[i]][f]))
            out[n++] = p->value[p->rows[i]][f];
    qsort(out, n, sizeof *out, ascending);
    return n;
}

static double precision_slowly(const hs_problem *p, uint32_t f)
{
    double value[MOST], sum = 0;
    uint32_t n = known_values(p, f, HSEL_NONE, value), gaps = 0;
    for (uint32_t i = 1; i < n; i++)
        if (value[i] > value[i - 1]) {
            sum += value[i] - value[i - 1];
            gaps++;
        }
    return gaps ? sum / gaps : 0.01;
}

static long double phi(long double z) { return 0.5L * erfcl(-z / sqrtl(2)); }

static long double interval(long double low, long double high)
{
    return low > 0 ? phi(-low) - phi(-high) : phi(high) - phi(low);
}

static long double gaussian_slowly(const hs_problem *p, uint32_t f, uint32_t c, double x)
{
    double value[MOST], precision = precision_slowly(p, f);
    uint32_t n = known_values(p, f, c, value);
    long double mean = 0, squares = 0, spread = 0;
    for (uint32_t i = 0; i < n; i++) {
        value[i] = rint(value[i] / precision) * precision;
        mean += (long double)value[i] / n;
    }
    for (uint32_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    if (n && sqrtl(squares / n) > 1e-10L)
        spread = sqrtl(squares / n);
    if (spread < precision / 6)
        spread = precision / 6;
    x = rint(x / precision) * precision;
    return interval((x - mean - precision / 2) / spread, (x - mean + precision / 2) / spread);
}

static long double kernel_slowly(const hs_problem *p, uint32_t f, uint32_t c, double x)
{
    double value[MOST], precision = precision_slowly(p, f);
    uint32_t n = known_values(p, f, c, value);
    if (n == 0) {
        double spread = precision / 6;
        return interval((x - precision / 2) / spread, (x + precision / 2) / spread);
    }
    for (uint32_t i = 0; i < n; i++)
        value[i] = rint(value[i] / precision) * precision;
    long double spread = fmaxl((value[n - 1] - value[0]) / sqrtl(n), precision / 6), sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += interval((value[i] - x - precision / 2) / spread,
                        (value[i] - x + precision / 2) / spread);
    return sum / n;
}

/* P(cell | c); 1 for what is left out. */
static long double factor_slowly(const hs_problem *p, uint32_t f, uint32_t c, double x, bool kernel)
{
    double value[MOST];
    uint32_t n = known_values(p, f, c, value), same = 0, values = 2;
    if (isnan(x))
        return 1;
    if (p->data->types[f] == HSEL_NUMERIC) {
        if (known_values(p, f, HSEL_NONE, value) == 0)
            return 1;
        long double found = kernel ? kernel_slowly(p, f, c, x) : gaussian_slowly(p, f, c, x);
        return found > 1e-75L ? found : 1e-75L;
    }
    for (uint32_t i = 0; i < n; i++)
        same += value[i] == x;
    if (p->data->types[f] == HSEL_NOMINAL)
        values = p->data->nominal[p->data->slot[f]].values.count;
    return ((long double)same + 1) / (n + values);
}

static void nb_slowly(const hs_problem *p, uint32_t instance, const bool *selected, bool kernel,
                      double *out)
{
    uint32_t classes = p->data->class_names.count;
    long double product[MOST], sum = 0;
    for (uint32_t c = 0; c < classes; c++) {
        product[c] =
            (p->counts.class_size[c] + 1.0L) / (p->counts.instances + (long double)classes);
        for (uint32_t f = 0; f < p->data->features; f++)
            if (selected[f])
                product[c] *= factor_slowly(p, f, c, p->value[instance][f], kernel);
        sum += product[c];
    }
    for (uint32_t c = 0; c < classes; c++)
        out[c] = (double)(product[c] / sum);
}

/* ---- k-NN slowly ---- */

static double normal_slowly(const hs_problem *p, uint32_t f, double x)
{
    double value[MOST];
    uint32_t n = known_values(p, f, HSEL_NONE, value);
    return n && value[n - 1] > value[0] && !isnan(x) ? (x - value[0]) / (value[n - 1] - value[0])
           : isnan(x)                                ? (double)NAN
                                                     : 0;
}

static double difference_slowly(const hs_problem *p, uint32_t f, double a, double b)
{
    if (p->data->types[f] != HSEL_NUMERIC)
        return a == b ? 0 : 1;
    a = normal_slowly(p, f, a);
    b = normal_slowly(p, f, b);
    if (isnan(a) && isnan(b))
        return 1;
    if (isnan(a) || isnan(b))
        return fmax(isnan(a) ? b : a, 1 - (isnan(a) ? b : a));
    return a - b;
}

static void knn_slowly(const hs_problem *p, uint32_t instance, const bool *selected, uint32_t k,
                       double *out)
{
    uint32_t n = 0, label[MOST];
    double distance[MOST];
    for (uint32_t i = 0; i < p->row_count; i++) {
        if (label_of(p, i) == HSEL_NONE)
            continue;
        label[n] = label_of(p, i);
        distance[n] = 0;
        for (int binary = 1; binary >= 0;
             binary--) /* in this order the sums are equal in every bit */
            for (uint32_t f = 0; f < p->data->features; f++) {
                double d = difference_slowly(p, f, p->value[p->rows[i]][f], p->value[instance][f]);
                if (selected[f] && (p->data->types[f] == HSEL_BINARY) == binary)
                    distance[n] += d * d;
            }
        n++;
    }
    hs_vote_twin(distance, label, n, k, p->classes, out);
}

/* ---- comparing ---- */

typedef enum twin { GAUSSIAN, KERNEL, NEIGHBOURS } twin;

static void compare(hs_problem *p, const char *text, twin which, uint32_t k, double tolerance,
                    hs_stream *stream)
{
    uint32_t classes = p->data->class_names.count;
    hs_picked picked;
    hs_fitted fresh, read;
    hs_fit(&fresh, text, &p->training);
    hs_fitted_reread(&read, &fresh, p->data);
    hs_fitted_refuse_cuts(&fresh, p->data, 40);
    hs_picked_init(&picked, p);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        double expected[MOST], found[MOST], again[MOST];
        const hs_selection *selection = hs_pick(&picked, p, i, 0.3, stream);
        if (which == NEIGHBOURS)
            knn_slowly(p, i, picked.selected, k, expected);
        else
            nb_slowly(p, i, picked.selected, which == KERNEL, expected);
        hs_fitted_predict(&fresh, p->data, i, selection, found);
        hs_assert_probabilities(text, expected, found, classes, tolerance);
        hs_fitted_predict(&read, p->data, i, selection, again);
        assert_memory_equal(found, again, classes * sizeof *found);
    }
    hs_picked_clear(&picked);
    hs_unfit(&fresh);
    hs_unfit(&read);
}

static void test_nb_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        hs_problem p;
        problem_new(&p, &stream);
        compare(&p, "nb:tails=exact", GAUSSIAN, 0, 1e-8, &stream);
        hs_problem_free(&p);
    }
}

/* The sums of kernels are cut where 1 % could still come: one factor at most that much, odds the
 * product of all. WEKA's own cuts are in test_weka.c. */
static void test_kernels_equal_their_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 1000; round++) {
        hs_problem p;
        problem_new(&p, &stream);
        compare(&p, "nb:numeric=kernel,tails=exact", KERNEL, 0, 0.05, &stream);
        hs_problem_free(&p);
    }
}

static void test_knn_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        hs_problem p;
        char text[32];
        uint32_t k = chance(&stream, 0.4) ? 1 : 1 + (uint32_t)hs_random_below(&stream, 20);
        snprintf(text, sizeof text, "knn:preset=weka,k=%u", k);
        problem_new(&p, &stream);
        compare(&p, text, NEIGHBOURS, k, 1e-12, &stream);
        hs_problem_free(&p);
    }
}

/* ---- contributions ---- */

/* What the features say adds up to the prediction, also for missing values and far tails. */
static void test_nb_contributions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        hs_problem p;
        hs_fitted f;
        double found[MOST];
        problem_new(&p, &stream);
        hs_fit(&f, "nb", &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        for (uint32_t i = 0; i < p.data->instances && p.data->class_names.count == 2; i++) {
            double sum, says[PROBLEM_MOST];
            hsel_error error = {0};
            assert_ok(
                hs_contributions_one(c, f.model, p.data, i, NULL, f.scratch, 1, &sum, says, &error),
                error);
            for (uint32_t feature = 0; feature < p.data->features; feature++) {
                assert_true(isfinite(says[feature]));
                assert_true(!isnan(p.value[i][feature]) || says[feature] == 0);
                sum += says[feature];
            }
            hs_fitted_predict(&f, p.data, i, NULL, found);
            assert_true(fabs(1 / (1 + exp(-sum)) - found[1]) < 1e-9);
        }
        hs_unfit(&f);
        hs_problem_free(&p);
    }
}

/* ---- damage and memory ---- */

static const char *const all_methods[] = {"nb", "nb:numeric=kernel", "knn:k=3"};

static void mixed_problem(hs_problem *p, hs_stream *stream)
{
    for (;;) {
        problem_new(p, stream);
        if (p->data->numeric_count > 1 && p->data->nominal_count > 0 && p->has_mask &&
            p->row_count > 4)
            return;
        hs_problem_free(p);
    }
}

/* Any byte changed: refused, or a model that predicts without harm. */
static void test_damaged_models(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 3; m++) {
        hs_problem p;
        hs_fitted f;
        hs_buf bytes = {0};
        size_t refused = 0;
        mixed_problem(&p, &stream);
        hs_fit(&f, all_methods[m], &p.training);
        hs_fitted_write(&f, &bytes);
        for (size_t i = 0; i < bytes.length; i++)
            for (int change = 0; change < 4; change++) {
                static const char with[] = {1, 0x40, (char)0x80, (char)0xff};
                double found[MOST];
                bytes.text[i] ^= with[change];
                refused += !hs_fitted_takes(&f, &bytes, p.data, p.data->instances, found);
                bytes.text[i] ^= with[change];
            }
        assert_true(refused > 20);
        hs_buf_clear(&bytes);
        hs_unfit(&f);
        hs_problem_free(&p);
    }
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_problem p;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    mixed_problem(&p, &stream);
    for (int m = 0; m < 3; m++)
        assert_true(hs_oom_each(all_methods[m], hs_live_once,
                                &(hs_life){&p.training, all_methods[m]}) >= 15);
    hs_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nb_equals_its_twin),  cmocka_unit_test(test_kernels_equal_their_twin),
        cmocka_unit_test(test_knn_equals_its_twin), cmocka_unit_test(test_nb_contributions),
        cmocka_unit_test(test_damaged_models),      cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}

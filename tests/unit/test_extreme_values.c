/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes and k-NN on numbers that are far out, infinite, missing, or thousands in a row: there
 * are probabilities all the same, and where the tails of naive Bayes decide, they do as option
 * tails says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/builder.h"
#include "support/cmocka.h"
#include "support/fitted.h"

static hsel_dataset *numbers(const double *values, const char *labels, uint32_t features)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    char name[16];
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++) {
        int length = snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, (size_t)length, HSEL_NUMERIC, &id, &error),
                  error);
    }
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (; *labels; labels++) {
        uint32_t label = *labels == '?' ? HSEL_NONE : (uint32_t)(*labels - 'a');
        assert_ok(hs_builder_row(builder, NULL, 0, label, &error), error);
        for (uint32_t f = 0; f < features; f++)
            assert_ok(hs_builder_numeric(builder, f, *values++, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

struct on_numbers {
    hsel_dataset *data;
    hs_counts counts;
    hs_fitted f;
};

static void learn(struct on_numbers *o, const double *values, const char *labels, uint32_t features,
                  const char *text)
{
    o->data = numbers(values, labels, features);
    hs_training training = hs_training_on(o->data, &o->counts);
    hs_fit(&o->f, text, &training);
}

static void forget(struct on_numbers *o)
{
    hs_unfit(&o->f);
    hs_counts_clear(&o->counts);
    hsel_dataset_free(o->data);
}

/* Far above both means WEKA has 1e-75 for either class, so the prior decides; exactly, the wider
 * class is the likelier by far. Below the means the two readings agree. */
static void test_tails(void **state)
{
    static const double values[] = {-1, 0, 1, -2, 0, 2, 60, -60};
    struct on_numbers weka, exact;
    double p[2], q[2];
    (void)state;
    learn(&weka, values, "aaabbb??", 1, "nb");
    learn(&exact, values, "aaabbb??", 1, "nb:tails=exact");
    hs_fitted_predict(&weka.f, weka.data, 6, NULL, p);
    hs_fitted_predict(&exact.f, exact.data, 6, NULL, q);
    assert_true(fabs(p[0] - 0.5) < 1e-12);
    assert_true(q[1] == 0.5); /* both below 1e-75 */
    hs_fitted_predict(&weka.f, weka.data, 7, NULL, p);
    assert_true(p[0] == q[0] && p[1] == q[1]);
    forget(&weka);
    forget(&exact);
    static const double near[] = {-1, 0, 1, -2, 0, 2, 16, -16};
    learn(&weka, near, "aaabbb??", 1, "nb");
    learn(&exact, near, "aaabbb??", 1, "nb:tails=exact");
    hs_fitted_predict(&weka.f, weka.data, 6, NULL, p);
    hs_fitted_predict(&exact.f, exact.data, 6, NULL, q);
    assert_true(fabs(p[0] - 0.5) < 1e-12 && q[1] > 1 - 1e-9);
    hs_fitted_predict(&weka.f, weka.data, 7, NULL, p);
    assert_true(p[0] == q[0] && p[1] == q[1]);
    forget(&weka);
    forget(&exact);
}

/* Whatever the numbers, there are probabilities: constants, all missing, the largest doubles. */
static void test_extreme_numbers(void **state)
{
    static const double sets[][6] = {{5, 5, 5, 5, 5, 5},
                                     {NAN, NAN, NAN, NAN, 1, NAN},
                                     {INFINITY, -INFINITY, INFINITY, 1, -INFINITY, INFINITY},
                                     {1.7e308, -1.7e308, 1.7e308, -1.7e308, 0, 1e308},
                                     {5e-324, 0, 1e-323, 0, 1e300, 5e-324},
                                     {1e16, 1e16 + 2, 1e16 + 4, 1e16 + 2, -1e16, NAN}};
    static const char *const methods[] = {"nb", "nb:tails=exact", "nb:numeric=kernel", "knn",
                                          "knn:k=3"};
    (void)state;
    for (size_t s = 0; s < 6; s++)
        for (size_t m = 0; m < 5; m++) {
            struct on_numbers o;
            learn(&o, sets[s], "abab??", 1, methods[m]);
            for (uint32_t i = 0; i < 6; i++) {
                double p[2];
                hs_fitted_predict(&o.f, o.data, i, NULL, p);
                if (!(p[0] >= 0 && p[1] >= 0 && fabs(p[0] + p[1] - 1) < 1e-12))
                    fail_msg("set %zu, %s, instance %u: %g and %g", s, methods[m], i, p[0], p[1]);
            }
            forget(&o);
        }
}

/* Thousands of features: 1e-75 each, and the logarithms stay finite. */
static void test_nb_does_not_underflow(void **state)
{
    enum { FEATURES = 3000 };
    double *values = malloc(sizeof *values * FEATURES * 5), p[2];
    struct on_numbers o;
    (void)state;
    assert_non_null(values);
    for (int f = 0; f < FEATURES; f++) {
        values[f] = 0;
        values[FEATURES + f] = 1;
        values[2 * FEATURES + f] = 10;
        values[3 * FEATURES + f] = 11;
        values[4 * FEATURES + f] = f == 0 ? 1 : -1e6;
    }
    learn(&o, values, "aabb?", FEATURES, "nb");
    hs_fitted_predict(&o.f, o.data, 4, NULL, p);
    assert_true(p[0] > 1 - 1e-6 &&
                p[0] <= 1); /* the first feature decides, the others say nothing */
    hs_fitted_predict(&o.f, o.data, 2, NULL, p);
    assert_true(p[1] == 1);
    forget(&o);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tails),
                                       cmocka_unit_test(test_extreme_numbers),
                                       cmocka_unit_test(test_nb_does_not_underflow)};
    return cmocka_run_group_tests_name("extreme values", tests, NULL, NULL);
}

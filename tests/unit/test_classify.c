/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Naive Bayes and k-NN against direct twins: products of probabilities as the formula has them,
 * and the distance to every training instance cell by cell. Random data, training rows, feature
 * masks and selections.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "classify/classify.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/problem.h"
#include "support/random_data.h"
#include "support/vote_twin.h"
#include "support/predict_one.h"
#include "stats/metrics.h"

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void problem_new(hs_problem *p, hs_stream *stream)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.classes = 2 + (uint32_t)hs_random_below(stream, 2);
    shape.unlabelled = chance(stream, 0.3) ? 0.3 : 0;
    shape.instances += 3;
    hs_problem_new(p, stream, hs_random_dataset(stream, &shape),
                   &(hs_problem_chances){.trained = 0.7, .masked = 0.5, .used = 0.6});
}

/* ---- twins ---- */

static void nb_slowly(const hs_problem *p, uint32_t instance, const bool *selected, double *out)
{
    uint32_t classes = p->data->class_names.count;
    double sum = 0;
    for (uint32_t c = 0; c < classes; c++) {
        double all = 0, in_class = 0;
        for (uint32_t i = 0; i < p->row_count; i++) {
            all += p->data->class_of[p->rows[i]] != HSEL_NONE;
            in_class += p->data->class_of[p->rows[i]] == c;
        }
        out[c] = (in_class + 1) / (all + classes);
        for (uint32_t f = 0; f < p->data->features; f++) {
            double same = 0;
            for (uint32_t i = 0; i < p->row_count; i++)
                same += p->data->class_of[p->rows[i]] == c &&
                        p->cell[p->rows[i]][f] == p->cell[instance][f];
            if (selected[f])
                out[c] *= (same + 1) / (in_class + 2);
        }
        sum += out[c];
    }
    for (uint32_t c = 0; c < classes; c++)
        out[c] /= sum;
}

static int ascending(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void knn_slowly(const hs_problem *p, uint32_t instance, const bool *selected, uint32_t k,
                       double *out)
{
    uint32_t label[PROBLEM_MOST], n = 0;
    double distance[PROBLEM_MOST];
    for (uint32_t i = 0; i < p->row_count; i++) {
        if (p->data->class_of[p->rows[i]] == HSEL_NONE)
            continue;
        label[n] = p->data->class_of[p->rows[i]];
        distance[n] = 0;
        for (uint32_t f = 0; f < p->data->features; f++)
            distance[n] += selected[f] && p->cell[p->rows[i]][f] != p->cell[instance][f];
        n++;
    }
    hs_vote_twin(distance, label, n, k, p->classes, out);
}

/* ---- comparing ---- */

static void compare(hs_problem *p, const char *text, uint32_t k, hs_stream *stream)
{
    uint32_t classes = p->data->class_names.count;
    hs_picked picked;
    hs_fitted fresh, read;
    hs_fit(&fresh, text, &p->training);
    hs_fitted_reread(&read, &fresh, p->data);
    hs_fitted_refuse_cuts(&fresh, p->data, 40);
    hs_picked_init(&picked, p);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        double expected[PROBLEM_MOST], found[PROBLEM_MOST], again[PROBLEM_MOST];
        const hs_selection *selection = hs_pick(&picked, p, i, 0.2, stream);
        if (k)
            knn_slowly(p, i, picked.selected, k, expected);
        else
            nb_slowly(p, i, picked.selected, expected);
        hs_fitted_predict(&fresh, p->data, i, selection, found);
        hs_assert_probabilities(text, expected, found, classes, 1e-12);
        if (k) /* equal votes are equal to the last bit: the lowest class wins */
            assert_int_equal(hs_predicted_class(found, classes),
                             hs_predicted_class(expected, classes));
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
        compare(&p, "nb", 0, &stream);
        hs_problem_free(&p);
    }
}

static void test_knn_equals_its_twin(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        hs_problem p;
        char text[32];
        uint32_t k = chance(&stream, 0.4) ? 1 : 1 + (uint32_t)hs_random_below(&stream, 20);
        snprintf(text, sizeof text, "knn:preset=weka,k=%u", k);
        problem_new(&p, &stream);
        compare(&p, text, k, &stream);
        hs_problem_free(&p);
    }
}

/* ---- more than small numbers ---- */

/* Thousands of features: the product of the formula would be 0 for every class. */
static void test_nb_does_not_underflow(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    hs_random_shape shape = {.instances = 40, .features = 5000, .classes = 2, .density = 0.5};
    hs_counts counts;
    hs_fitted f;
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_training training = hs_training_on(data, &counts);
    hs_fit(&f, "nb", &training);
    for (uint32_t i = 0; i < data->instances; i++) {
        double found[2], difference = 0;
        hs_fitted_predict(&f, data, i, NULL, found);
        for (uint32_t f2 = 0; f2 < data->features; f2++) { /* log-odds in long double */
            size_t count;
            const uint32_t *column = hs_column(data, f2, &count);
            bool here = bsearch(&i, column, count, sizeof i, ascending) != NULL;
            double n[2];
            for (int c = 0; c < 2; c++) {
                double with = hs_count(&counts, f2, c), all = counts.class_size[c];
                n[c] = ((here ? with : all - with) + 1) / (all + 2);
            }
            difference += log(n[1]) - log(n[0]);
        }
        difference += log(counts.class_size[1] + 1.0) - log(counts.class_size[0] + 1.0);
        assert_true(fabs(found[1] - 1 / (1 + exp(-difference))) < 1e-9);
        assert_true(fabs(found[0] + found[1] - 1) < 1e-12);
    }
    hs_counts_clear(&counts);
    hs_unfit(&f);
    hsel_dataset_free(data);
}

/* The contributions of the features add up to what the prediction says. */
static void test_nb_contributions(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        hs_problem p;
        hs_fitted f;
        double found[PROBLEM_MOST];
        problem_new(&p, &stream);
        hs_fit(&f, "nb", &p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        for (uint32_t i = 0; i < p.data->instances; i++) {
            if (p.data->class_names.count != 2)
                break;
            double prior[2], said[2][PROBLEM_MOST];
            double sum = log((p.counts.class_size[1] + 1.0) / (p.counts.class_size[0] + 1.0));
            hsel_error error = {0};
            for (uint32_t label = 0; label < 2; label++)
                assert_ok(hs_contributions_one(c, f.model, p.data, i, NULL, f.scratch, label,
                                               &prior[label], said[label], &error),
                          error);
            assert_true(fabs(prior[1] - sum) < 1e-12 && fabs(prior[0] + sum) < 1e-12);
            for (uint32_t feature = 0; feature < p.data->features; feature++) {
                assert_true(fabs(said[1][feature] + said[0][feature]) < 1e-12);
                sum += said[1][feature]; /* 0 for features out of use */
            }
            hs_fitted_predict(&f, p.data, i, NULL, found);
            assert_true(fabs(log(found[1] / found[0]) - sum) < 1e-9);
        }
        hs_unfit(&f);
        hs_problem_free(&p);
    }
}

/* Three classes by hand: P(1|c) is 3/4, 1/3, 1/3 with priors 3/7, 2/7, 2/7. Against class 0 the
 * others have the same share, 1/2; against class 1, class 0 has 27/35 and class 2 has 8/35. */
static void test_nb_contribution_of_three_classes(void **state)
{
    uint32_t size[] = {2, 1, 1}, positive[] = {2, 0, 0};
    uint8_t type = HSEL_BINARY;
    hs_counts counts = {
        .features = 1, .classes = 3, .instances = 4, .class_size = size, .positive = positive};
    uint64_t start[] = {0, 1};
    uint32_t row[] = {0};
    hsel_dataset data = {.instances = 1,
                         .features = 1,
                         .types = &type,
                         .rows = {start, row, 1},
                         .class_names.count = 3};
    double prior, said, share = 27.0 / 35, other = 8.0 / 35;
    hsel_error error = {0};
    hs_fitted f;
    (void)state;
    hs_fit(&f, "nb", &(hs_training){.view = {.data = &data}, .counts = &counts, .threads = 1});
    const hs_classifier *c = f.chosen.method->classifier;
    assert_ok(hs_contributions_one(c, f.model, &data, 0, NULL, NULL, 0, &prior, &said, &error),
              error);
    assert_true(fabs(said - log(9.0 / 4)) < 1e-12);
    assert_true(fabs(prior - log(3.0 / 4)) < 1e-12); /* log(3/7) - log(2/7), less log 2 */
    assert_ok(hs_contributions_one(c, f.model, &data, 0, NULL, NULL, 1, &prior, &said, &error),
              error);
    assert_true(fabs(said - (log(1.0 / 3) - share * log(3.0 / 4) - other * log(1.0 / 3))) < 1e-12);
    assert_true(fabs(prior - (log(2.0 / 7) - share * log(3.0 / 7) - other * log(2.0 / 7) +
                              share * log(share) + other * log(other))) < 1e-12);
    hs_unfit(&f);
}

/* ---- damage and memory ---- */

/* Any byte changed: refused, or a model that predicts without harm. */
static void test_damaged_models(void **state)
{
    static const char *const methods[] = {"nb", "knn:k=3"};
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int m = 0; m < 2; m++) {
        hs_problem p;
        hs_fitted f;
        hs_buf bytes = {0};
        problem_new(&p, &stream);
        hs_fit(&f, methods[m], &p.training);
        hs_fitted_write(&f, &bytes);
        for (size_t i = 0; i < bytes.length; i++)
            for (int change = 0; change < 3; change++) {
                static const char with[] = {1, 0x40, (char)0xff};
                double found[PROBLEM_MOST];
                bytes.text[i] ^= with[change];
                hs_fitted_takes(&f, &bytes, p.data, 1, found);
                bytes.text[i] ^= with[change];
            }
        hs_buf_clear(&bytes);
        hs_unfit(&f);
        hs_problem_free(&p);
    }
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    hs_problem p;
    (void)state;
    do {
        problem_new(&p, &stream);
        if (!p.has_mask)
            hs_problem_free(&p);
    } while (!p.has_mask);
    assert_true(hs_oom_each("nb", hs_live_once, &(hs_life){&p.training, "nb"}) >= 7);
    assert_true(hs_oom_each("knn", hs_live_once, &(hs_life){&p.training, "knn:k=2"}) >= 20);
    hs_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nb_equals_its_twin),
                                       cmocka_unit_test(test_knn_equals_its_twin),
                                       cmocka_unit_test(test_nb_does_not_underflow),
                                       cmocka_unit_test(test_nb_contributions),
                                       cmocka_unit_test(test_nb_contribution_of_three_classes),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

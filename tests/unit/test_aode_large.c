/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE on more than small numbers: thousands of features, whose products no double holds, counts
 * beyond two bytes, and several threads with part of the joint counts kept.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/aode.h"
#include "support/aode_trial.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

/* Sums of logarithms in long double, from cells, for the plain form: no product of 2,000 factors is
 * anything but 0. */
static void slowly_in_logs(const hsel_dataset *data, uint32_t x, double *out)
{
    uint32_t n = data->features, rows = data->instances;
    uint8_t *same = calloc((size_t)n * rows, 1); /* does row t agree with x in i? */
    long double log_of[2], most = -INFINITY;
    assert_non_null(same);
    for (uint32_t t = 0; t < rows; t++) {
        size_t a, b;
        const uint32_t *own = hs_row(data, x, &a), *row = hs_row(data, t, &b);
        for (uint32_t i = 0, k = 0, l = 0; i < n; i++) {
            bool one = k < a && own[k] == i, other = l < b && row[l] == i;
            k += one;
            l += other;
            same[(size_t)i * rows + t] = one == other;
        }
    }
    for (uint32_t y = 0; y < 2; y++) {
        long double *term = calloc(n, sizeof *term), sum = 0;
        long double largest = -INFINITY;
        assert_non_null(term);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t own = 0;
            for (uint32_t t = 0; t < rows; t++)
                own += data->class_of[t] == y && same[(size_t)i * rows + t];
            term[i] = logl(own + 1.0L);
            for (uint32_t j = 0; j < n; j++) {
                uint32_t both = 0;
                for (uint32_t t = 0; t < rows; t++)
                    both += data->class_of[t] == y && same[(size_t)i * rows + t] &&
                            same[(size_t)j * rows + t];
                term[i] += i == j ? 0 : logl((both + 1.0L) / (own + 2.0L));
            }
            largest = term[i] > largest ? term[i] : largest;
        }
        for (uint32_t i = 0; i < n; i++)
            sum += expl(term[i] - largest);
        log_of[y] = largest + logl(sum);
        most = log_of[y] > most ? log_of[y] : most;
        free(term);
    }
    free(same);
    long double zero = expl(log_of[0] - most), one = expl(log_of[1] - most);
    out[0] = (double)(zero / (zero + one));
    out[1] = (double)(one / (zero + one));
    assert_true(most < -760); /* less than a double holds */
}

static void test_does_not_underflow(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    hs_random_shape shape = {.instances = 10, .features = 2000, .classes = 2, .density = 0.4};
    hs_counts counts;
    hs_fitted f;
    double expected[2], found[2];
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_training training = hs_training_on(data, &counts);
    hs_fit(&f, "aode", &training);
    for (uint32_t i = 0; i < 2; i++) {
        slowly_in_logs(data, i, expected);
        hs_fitted_predict(&f, data, i, NULL, found);
        assert_true(fabs(found[0] - expected[0]) <= 1e-9 && fabs(found[1] - expected[1]) <= 1e-9);
    }
    hs_unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* More instances of a class than two bytes count. */
static void test_large_counts(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    hs_random_shape shape = {
        .instances = 140000, .features = 3, .classes = 2, .density = 0.5, .parents = 1};
    hs_counts counts;
    hs_fitted f;
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_training training = hs_training_on(data, &counts);
    hs_fit(&f, "aode", &training);
    assert_int_equal(((const hs_aode *)f.model)->of_class[1].wide, 3);
    uint32_t n[2][8] = {{0}}; /* by class and the three values */
    for (uint32_t t = 0; t < data->instances; t++) {
        size_t count;
        const uint32_t *row = hs_row(data, t, &count);
        unsigned values = 0;
        for (size_t k = 0; k < count; k++)
            values |= 1u << row[k];
        n[data->class_of[t]][values]++;
    }
    for (uint32_t x = 0; x < 20; x++) {
        size_t count;
        const uint32_t *row = hs_row(data, x, &count);
        unsigned values = 0;
        double sum[2] = {0, 0}, found[2];
        for (size_t k = 0; k < count; k++)
            values |= 1u << row[k];
        for (int y = 0; y < 2; y++)
            for (unsigned i = 0; i < 3; i++) {
                double own = 0, pair[3] = {0}, term;
                for (unsigned v = 0; v < 8; v++) {
                    unsigned differs = v ^ values;
                    own += differs >> i & 1 ? 0 : n[y][v];
                    for (unsigned j = 0; j < 3; j++)
                        pair[j] += (differs >> i & 1) || (differs >> j & 1) ? 0 : n[y][v];
                }
                term = own + 1;
                for (unsigned j = 0; j < 3; j++)
                    term *= j == i ? 1 : (pair[j] + 1) / (own + 2);
                sum[y] += term;
            }
        hs_fitted_predict(&f, data, x, NULL, found);
        assert_true(fabs(found[0] - sum[0] / (sum[0] + sum[1])) <= 1e-12);
    }
    hs_unfit(&f);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* ---- many parents, most of which do not count ---- */

enum { MANY = 260, ROWS = 150, CLASSES = 3 };

static uint16_t together[CLASSES][MANY][MANY]; /* instances with both, by class */
static bool has[ROWS][MANY], is_above[MANY][MANY];

static void count_all(const hsel_dataset *data)
{
    memset(together, 0, sizeof together);
    memset(has, 0, sizeof has);
    memset(is_above, 0, sizeof is_above);
    for (uint32_t t = 0; t < ROWS; t++) {
        size_t count;
        const uint32_t *row = hs_row(data, t, &count);
        for (size_t k = 0; k < count; k++)
            has[t][row[k]] = true;
        for (size_t k = 0; k < count; k++)
            for (size_t l = 0; l < count; l++)
                together[data->class_of[t]][row[k]][row[l]]++;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        HS_OWNS(hs_reach_clear) hs_reach reach = {0};
        hsel_error error = {0};
        assert_ok(hs_reach_init(&reach, data->dag, &error), error);
        hs_reach_start(&reach, i);
        for (uint32_t j; (j = hs_reach_next(&reach)) != HSEL_NONE;)
            is_above[i][j] = true;
    }
}

/* The equations from cells of 2 x 2 tables, in long double. How many parents are far below the
 * largest. */
static uint32_t from_tables(int form, const uint32_t *size, uint32_t x, const bool *selected,
                            double *out)
{
    long double of_class[CLASSES], most = -INFINITY, sum = 0;
    uint32_t far = 0;
    for (uint32_t y = 0; y < CLASSES; y++) {
        long double term[MANY], largest = -INFINITY, total = 0;
        for (uint32_t i = 0; i < MANY; i++) {
            uint32_t p = together[y][i][i], own = has[x][i] ? p : size[y] - p;
            term[i] = selected[i] ? logl(own + 1.0L) : -INFINITY;
            for (uint32_t j = 0; j < MANY && selected[i]; j++) {
                uint32_t q = together[y][j][j], both = together[y][i][j];
                uint32_t with = has[x][i] ? both : q - both;
                if (j == i || !selected[j])
                    continue;
                if (form == HS_AODE_PLAIN || !is_above[i][j])
                    term[i] += logl(((has[x][j] ? with : own - with) + 1.0L) / (own + 2.0L));
                else if (form == HS_AODE_HIE)
                    term[i] += logl(((has[x][j] ? q : size[y] - q) + 1.0L) / (size[y] + 2.0L));
            }
            largest = term[i] > largest ? term[i] : largest;
        }
        for (uint32_t i = 0; i < MANY; i++) {
            total += expl(term[i] - largest);
            far += selected[i] && term[i] < largest - 45;
        }
        of_class[y] = largest + logl(total);
        most = of_class[y] > most ? of_class[y] : most;
    }
    for (uint32_t y = 0; y < CLASSES; y++)
        sum += of_class[y] = expl(of_class[y] - most);
    for (uint32_t y = 0; y < CLASSES; y++)
        out[y] = (double)(of_class[y] / sum);
    return far;
}

static void test_parents_that_do_not_count(void **state)
{
    hs_stream stream;
    uint32_t far = 0;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 9; round++) {
        hs_random_shape shape = {.instances = ROWS,
                                 .features = MANY,
                                 .classes = CLASSES,
                                 .density = round < 6 ? 0.04 : 0.4,
                                 .parents = 1.5,
                                 .true_path = round % 2 == 0};
        const int form = round % 3;
        char text[64];
        hsel_error error = {0};
        hs_counts counts;
        hs_fitted f;
        hs_selection selection;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_training training = hs_training_on(data, &counts);
        snprintf(text, sizeof text, "%s:frequency=0", hs_aode_form_names[form]);
        hs_fit(&f, text, &training);
        count_all(data);
        assert_ok(hs_selection_init(&selection, MANY, &error), error);
        for (uint32_t x = 0; x < 9; x++) {
            bool selected[MANY];
            double expected[CLASSES], found[CLASSES];
            /* everything; some positive and all negative features; most features */
            double positives = x % 3 == 1 ? 0.5 : 0.97;
            selection.positive_count = selection.negative_count = 0;
            selection.all_negative = x % 3 == 1;
            for (uint32_t i = 0; i < MANY; i++) {
                selected[i] = x % 3 == 0 || (selection.all_negative && !has[x][i]) ||
                              hs_random_double(&stream) < positives;
                if (selected[i] && has[x][i])
                    selection.positive[selection.positive_count++] = i;
                else if (selected[i] && !selection.all_negative)
                    selection.negative[selection.negative_count++] = i;
            }
            far += from_tables(form, counts.class_size, x, selected, expected);
            hs_fitted_predict(&f, data, x, x % 3 ? &selection : NULL, found);
            hs_assert_probabilities(text, expected, found, CLASSES, 1e-12);
        }
        hs_selection_clear(&selection);
        hs_unfit(&f);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
    assert_true(far > 200);
}

/* Enough rows for several tasks of hs_parallel_for; the last bit must be the same. */
static void test_threads(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    hs_random_shape shape = {.instances = 60,
                             .features = 150,
                             .classes = 3,
                             .density = 0.1,
                             .parents = 1.5,
                             .true_path = true};
    hs_counts counts;
    (void)state;
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_training training = hs_training_on(data, &counts);
    for (int form = 0; form < 3; form++) {
        char text[64];
        hs_fitted one, whole, many;
        training.threads = 1;
        hs_fit(&one, hs_aode_form_names[form], &training);
        training.threads = 3;
        hs_fit(&whole, hs_aode_form_names[form], &training);
        const hs_aode *m = whole.model;
        snprintf(text, sizeof text, "%s:memory=%.9f", hs_aode_form_names[form],
                 (m->least + m->all_rows / 2) / 1048576);
        hs_fit(&many, text, &training);
        hs_unfit(&whole);
        m = many.model;
        assert_true(m->kept > 0 && m->kept < m->units);
        for (uint32_t i = 0; i < data->instances; i++) {
            double a[3], b[3];
            hs_fitted_predict(&one, data, i, NULL, a);
            hs_fitted_predict(&many, data, i, NULL, b);
            assert_memory_equal(a, b, sizeof a);
        }
        hs_unfit(&one);
        hs_unfit(&many);
    }
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_does_not_underflow), cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_parents_that_do_not_count), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE and its hierarchical forms against the three equations as they are written, factor by factor
 * in long double with counts taken from the cells: random data and hierarchies, training rows,
 * feature masks, selections, smoothings and limits. And what must not change anything: how much of
 * the joint counts is kept, how they are counted, writing and reading.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/aode.h"
#include "data/builder.h"
#include "support/aode_trial.h"
#include "support/cmocka.h"
#include "support/fitted.h"

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

/* ---- the twin ---- */

/* Training instances of class y (HSEL_NONE: any) that agree with `instance` in features i and j
 * (HSEL_NONE: whatever they are there). */
static long double agree(const hs_problem *p, uint32_t instance, uint32_t y, uint32_t i, uint32_t j)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < p->row_count; r++) {
        uint32_t t = p->rows[r], label = p->data->class_of[t];
        count += label != HSEL_NONE && (y == HSEL_NONE || label == y) &&
                 (i == HSEL_NONE || p->cell[t][i] == p->cell[instance][i]) &&
                 (j == HSEL_NONE || p->cell[t][j] == p->cell[instance][j]);
    }
    return count;
}

static long double estimate(const hs_aode_trial *t, long double count, long double total,
                            uint32_t values)
{
    if (t->options.smoothing == HS_AODE_LAPLACE)
        return (count + 1) / (total + values);
    return (count + t->options.weight / (long double)values) / (total + t->options.weight);
}

static long double naive(const hs_aode_trial *t, uint32_t x, const bool *selected, uint32_t y)
{
    const hs_problem *p = &t->p;
    long double size = agree(p, x, y, HSEL_NONE, HSEL_NONE),
                all = agree(p, x, HSEL_NONE, HSEL_NONE, HSEL_NONE),
                product = estimate(t, size, all, p->data->class_names.count);
    for (uint32_t j = 0; j < p->data->features; j++)
        if (selected[j])
            product *= estimate(t, agree(p, x, y, j, HSEL_NONE), size, 2);
    return product;
}

static long double one_parent(const hs_aode_trial *t, uint32_t x, const bool *selected, uint32_t y,
                              uint32_t i)
{
    const hs_problem *p = &t->p;
    long double size = agree(p, x, y, HSEL_NONE, HSEL_NONE),
                all = agree(p, x, HSEL_NONE, HSEL_NONE, HSEL_NONE),
                own = agree(p, x, y, i, HSEL_NONE),
                product = estimate(t, own, all, 2 * p->data->class_names.count);
    for (uint32_t j = 0; j < p->data->features; j++) {
        if (!selected[j] || j == i)
            continue;
        if (t->form == HS_AODE_PLAIN || !p->above[i][j])
            product *= estimate(t, agree(p, x, y, i, j), own, 2);
        else if (t->form == HS_AODE_HIE)
            product *= estimate(t, agree(p, x, y, j, HSEL_NONE), size, 2);
    }
    return product;
}

/* How many parents there were. */
static uint32_t slowly(const hs_aode_trial *t, uint32_t x, const bool *selected, double *out)
{
    const hs_problem *p = &t->p;
    uint32_t classes = p->data->class_names.count, parents = 0;
    long double value[TRIAL_CLASSES] = {0}, sum = 0;
    for (uint32_t i = 0; i < p->data->features; i++)
        if (selected[i] && agree(p, x, HSEL_NONE, i, HSEL_NONE) >= t->options.frequency) {
            parents++;
            for (uint32_t y = 0; y < classes; y++)
                value[y] += one_parent(t, x, selected, y, i);
        }
    for (uint32_t y = 0; y < classes; y++)
        sum += value[y] = parents ? value[y] / parents : naive(t, x, selected, y);
    for (uint32_t y = 0; y < classes; y++)
        out[y] = (double)(value[y] / sum);
    return parents;
}

/* ---- comparing ---- */

/* False when the memory is too little. */
static bool try_fit(hs_fitted *f, const char *text, const hs_training *training)
{
    hsel_error error = {0};
    int status = hs_try_fit(f, text, training, &error);
    if (status == HSEL_OK)
        return true;
    assert_int_equal(status, HSEL_ELIMIT);
    assert_non_null(strstr(error.message, "raise memory="));
    return false;
}

/* Trained on the selected features alone, and asked without a selection. */
static void predict_alone(const hs_aode_trial *t, uint32_t instance, const bool *selected,
                          double *out)
{
    uint64_t mask = 0;
    hs_training training = t->p.training;
    hs_fitted f;
    for (uint32_t i = 0; i < t->p.data->features; i++)
        if (selected[i])
            hs_bit_set(&mask, i);
    training.view.features = &mask;
    hs_fit(&f, t->text, &training);
    hs_fitted_predict(&f, t->p.data, instance, NULL, out);
    hs_unfit(&f);
}

struct tally {
    uint64_t cases, naive, from_base, from_nothing, kept_some, kept_none, refused;
};

/* The same with less memory; false: too little. */
static bool fit_smaller(hs_fitted *f, const hs_fitted *full, const hs_aode_trial *t,
                        hs_stream *stream, struct tally *tally)
{
    const hs_aode *whole = full->model, *m;
    char text[300];
    double share = 1.5 * hs_random_double(stream) - 0.25;
    double bytes = whole->least + (share < 0 ? -1 : share * whole->all_rows + 1);
    snprintf(text, sizeof text, "%s,memory=%.9f", t->text, bytes / 1048576);
    if (!try_fit(f, text, &t->p.training)) {
        assert_true(share < 0);
        tally->refused++;
        return false;
    }
    m = f->model;
    assert_true(m->units == 0 || share < 1 ? m->kept <= share * m->all_rows : m->kept == m->units);
    if (m->kept < m->units) {
        tally->kept_some += m->kept > 0;
        tally->kept_none += m->kept == 0;
    }
    return true;
}

static void compare(const hs_aode_trial *t, hs_stream *stream, struct tally *tally)
{
    const hs_problem *p = &t->p;
    uint32_t classes = p->data->class_names.count;
    hs_picked picked;
    hs_fitted fresh, read, small;
    hs_fit(&fresh, t->text, &p->training);
    hs_fitted_reread(&read, &fresh, p->data);
    bool smaller = fit_smaller(&small, &fresh, t, stream, tally);
    hs_picked_init(&picked, p);
    for (uint32_t i = 0; i < p->data->instances; i++) {
        double expected[TRIAL_CLASSES], found[TRIAL_CLASSES], again[TRIAL_CLASSES];
        const hs_selection *selection = hs_pick(&picked, p, i, 0.2, stream);
        tally->cases++;
        tally->naive += slowly(t, i, picked.selected, expected) == 0;
        hs_fitted_predict(&fresh, p->data, i, selection, found);
        hs_assert_probabilities(t->text, expected, found, classes, 1e-12);
        hs_fitted_predict(&read, p->data, i, selection, again);
        assert_memory_equal(found, again, classes * sizeof *found);
        if (smaller) {
            hs_fitted_predict(&small, p->data, i, selection, again);
            assert_memory_equal(found, again, classes * sizeof *found);
        }
        if (chance(stream, 0.1)) {
            predict_alone(t, i, picked.selected, again);
            hs_assert_probabilities(t->text, found, again, classes, 1e-12);
        }
    }
    hs_picked_clear(&picked);
    hs_unfit(&fresh);
    hs_unfit(&read);
    if (smaller)
        hs_unfit(&small);
}

static void test_equals_the_equations(void **state)
{
    hs_stream stream;
    struct tally tally = {0};
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        hs_aode_trial t;
        hs_aode_trial_new(&t, &stream);
        compare(&t, &stream, &tally);
        hs_problem_free(&t.p);
    }
    assert_true(tally.cases > 20000 && tally.naive > 500 && tally.refused > 100);
    assert_true(tally.kept_some > 100 && tally.kept_none > 100);
}

/* ---- the example of the definition ---- */

/* Features a, b (above a) and c of four instances. */
static void small_data(hs_problem *p)
{
    static const uint32_t label[4] = {0, 0, 1, 1}, child = 0, parent = 1;
    static const char *const positive[4] = {"ab", "bc", "c", ""};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    uint32_t id;
    memset(p, 0, sizeof *p);
    assert_ok(hs_builder_new(&builder, &error), error);
    for (const char *name = "abc"; *name; name++)
        assert_ok(hs_builder_feature(builder, name, 1, HSEL_BINARY, &id, &error), error);
    for (const char *name = "01"; *name; name++)
        assert_ok(hs_builder_class(builder, name, 1, &id, &error), error);
    for (int i = 0; i < 4; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, label[i], &error), error);
        for (const char *name = positive[i]; *name; name++)
            assert_ok(hs_builder_positive(builder, (uint32_t)(*name - 'a'), &error), error);
    }
    assert_ok(hs_builder_finish(builder, &p->data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(3, &child, &parent, 1, &p->data->dag, &error), error);
    p->training = hs_training_on(p->data, &p->counts);
}

/* Worked out by hand. */
static void test_small_example(void **state)
{
    /* instance a=1 b=1 c=0, n_0 = n_1 = 2, N = 4, K = 2. Class 0:
     * a: 2/8 * b 2/3 * c 2/3, b: 3/8 * a 2/4 * c 2/4, c: 2/8 * a 2/3 * b 2/3
     * Class 1: a: 1/8 * 1/2 * 1/2, b: 1/8 * 1/2 * 1/2, c: 2/8 * a 1/3 * b 1/3 */
    double zero = 1.0 / 9 + 3.0 / 32 + 1.0 / 9, one = 1.0 / 32 + 1.0 / 32 + 1.0 / 36;
    /* the only ancestor is b, of a: P(b=1|0) = 3/4, P(b=1|1) = 1/4 in place of 2/3 and 1/2 */
    const double a_zero[] = {1.0 / 9, 1.0 / 8, 1.0 / 6}, a_one[] = {1.0 / 32, 1.0 / 64, 1.0 / 16};
    hs_problem p;
    (void)state;
    small_data(&p);
    for (int form = 0; form < 3; form++) {
        hs_fitted f;
        double found[2], y0 = zero - a_zero[0] + a_zero[form], y1 = one - a_one[0] + a_one[form];
        hs_fit(&f, hs_aode_form_names[form], &p.training);
        hs_fitted_predict(&f, p.data, 0, NULL, found);
        assert_true(fabs(found[0] - y0 / (y0 + y1)) < 1e-14);
        hs_unfit(&f);
    }
    hs_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_the_equations),
                                       cmocka_unit_test(test_small_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values by permutations (rank/permutations.c): against counting every permutation by itself, on
 * random data with and without strata; the permutations themselves.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "infer/p_values.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

enum { ROWS = 40, FEATURES = 10, PERMUTATIONS = 1100 };

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

/* Strata of the instances, some unknown, among other things that are known of them. */
static void add_strata(hs_stream *stream, hsel_dataset *data)
{
    static const char *const texts[] = {"x", "y", "z", ""};
    hsel_error error = {0};
    hs_about *about = &data->instance_about;
    uint32_t strata = 1 + draw(stream, 4);
    assert_ok(hs_names_append(&about->columns, "other", 5, &error), error);
    assert_ok(hs_names_append(&about->columns, "stratum", 7, &error), error);
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *text = texts[draw(stream, strata)];
        assert_ok(hs_names_append(&about->cells, "o", 1, &error), error);
        assert_ok(hs_names_append(&about->cells, text, strlen(text), &error), error);
    }
}

/* p of a feature by the test's own distribution when the instances have these classes. */
static double p_of(const hs_p_sample *s, uint32_t f, const uint32_t *class_of)
{
    const hsel_dataset *data = s->training->view.data;
    uint32_t positive[4 * 3] = {0};
    double value[ROWS], p = NAN;
    hsel_error error = {0};
    if (data->types[f] == HSEL_NOMINAL)
        return p;
    for (uint32_t i = 0; i < s->count; i++) {
        value[i] = hs_dataset_value(data, f, s->rows[i]);
        if (value[i] == 1 && data->types[f] == HSEL_BINARY)
            positive[s->cell[i] / s->classes * s->classes + class_of[i]]++;
    }
    assert_ok(data->types[f] == HSEL_BINARY ? hs_p_of_counts(s, positive, s->size, &p, NULL, &error)
                                            : hs_p_of_values(s, value, class_of, &p, NULL, &error),
              error);
    return p;
}

static bool no_greater(double p, double observed) { return p <= observed * (1 + 1e-8); }

static void expect(const hs_p_sample *s, const double *p, const double *max_t)
{
    static double permuted[PERMUTATIONS][FEATURES];
    const uint32_t features = s->training->view.data->features;
    const uint32_t permutations = s->options.permutations;
    uint32_t scratch[ROWS], classes[ROWS], order[FEATURES], tested = 0;
    double observed[FEATURES], most = 0;
    for (uint32_t b = 0; b < permutations; b++) {
        hs_p_permute(s, b, scratch, classes);
        for (uint32_t f = 0; f < features; f++)
            permuted[b][f] = p_of(s, f, classes);
    }
    for (uint32_t f = 0; f < features; f++) {
        observed[f] = p_of(s, f, s->class_of);
        if (isnan(observed[f])) {
            assert_true(isnan(p[f]) && isnan(max_t[f]));
            continue;
        }
        uint32_t count = 0, at = tested++;
        for (uint32_t b = 0; b < permutations; b++)
            count += no_greater(permuted[b][f], observed[f]);
        if (fabs(p[f] - (1.0 + count) / (1.0 + permutations)) > 1e-12)
            fail_msg("feature %u: %g, not %g", f, p[f], (1.0 + count) / (1.0 + permutations));
        for (; at > 0 && observed[order[at - 1]] > observed[f]; at--)
            order[at] = order[at - 1];
        order[at] = f;
    }
    for (uint32_t i = 0; i < tested; i++) { /* the smallest p first */
        uint32_t count = 0;
        for (uint32_t b = 0; b < permutations; b++) {
            bool some = false;
            for (uint32_t j = i; j < tested; j++)
                some |= no_greater(permuted[b][order[j]], observed[order[i]]);
            count += some;
        }
        most = fmax(most, (1.0 + count) / (1.0 + permutations));
        if (fabs(max_t[order[i]] - most) > 1e-12)
            fail_msg("feature %u: %g, not %g", order[i], max_t[order[i]], most);
    }
}

struct trial {
    hs_training *training;
    hs_p_options options;
    double p[FEATURES], max_t[FEATURES];
};

static int run(void *context, hsel_error *error)
{
    struct trial *t = context;
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    uint32_t features[FEATURES];
    for (uint32_t f = 0; f < FEATURES; f++)
        features[f] = f;
    HS_TRY(hs_p_sample_init(t->training, &t->options, &sample, error));
    return hs_p_of_features(&sample, features, t->training->view.data->features, t->p, t->max_t,
                            NULL, error);
}

static void test_against_each_permutation(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "permutations", 0, 0);
    for (int trial = 0; trial < 400; trial++) {
        const bool strata = draw(&stream, 2);
        hsel_error error = {0};
        hs_counts counts = {0};
        hs_p_sample sample = {0};
        hs_random_shape shape = {.instances = 1 + draw(&stream, ROWS),
                                 .features = 1 + draw(&stream, FEATURES),
                                 .classes = strata ? 2 : 2 + draw(&stream, 2),
                                 .density = hs_random_double(&stream),
                                 .numeric = draw(&stream, 4) ? 0 : 0.3,
                                 .nominal = draw(&stream, 4) ? 0 : 0.2,
                                 .missing = 0.1,
                                 .unlabelled = draw(&stream, 4) ? 0 : 0.2};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        if (strata)
            add_strata(&stream, data);
        hs_training training = {
            .view = hs_view_all(data), .counts = &counts, .seed = (uint64_t)trial, .threads = 1};
        assert_ok(hs_counts_of(&training.view, &counts, &error), error);
        struct trial t = {.training = &training,
                          .options = {.test = (int)draw(&stream, 4),
                                      .permutations = 1 + draw(&stream, 70),
                                      .means = draw(&stream, 2)}};
        if (trial % 40 == 0) /* three blocks, the last one not full */
            t.options.permutations = PERMUTATIONS;
        if (strata)
            t.options.test = draw(&stream, 2) ? HS_P_AUTO : HS_P_CMH;
        else if (shape.classes == 3 && t.options.test < HS_P_CHI2)
            t.options.test = HS_P_G;
        else if (t.options.test < HS_P_CHI2 && draw(&stream, 2))
            t.options.tail = HS_TAIL_MORE;
        t.options.mid = t.options.test < HS_P_CHI2 && !strata && draw(&stream, 3) == 0;
        if (t.options.tail || t.options.mid)
            t.options.test = HS_P_FISHER;
        assert_ok(run(&t, &error), error);
        assert_ok(hs_p_sample_init(&training, &t.options, &sample, &error), error);
        expect(&sample, t.p, t.max_t);
        if (trial % 40 == 0) {
            struct trial again = t;
            training.threads = 3;
            assert_ok(run(&again, &error), error);
            assert_memory_equal(again.p, t.p, shape.features * sizeof *t.p);
            assert_memory_equal(again.max_t, t.max_t, shape.features * sizeof *t.p);
            training.threads = 1;
            again.options.permutations = 5;
            hs_oom_each("permutations", run, &again);
        }
        hs_p_sample_clear(&sample);
        hs_counts_clear(&counts);
        hsel_dataset_free(data);
    }
}

/* Classes stay in their stratum, and every instance of it gets each as often as another. */
static void test_permutations(void **state)
{
    (void)state;
    enum { TRIALS = 20000 };
    hs_stream stream;
    hsel_error error = {0};
    hs_counts counts = {0};
    hs_p_sample s = {0};
    uint32_t scratch[ROWS], classes[ROWS], times[ROWS] = {0};
    hs_stream_init(&stream, 3, "permutations", 0, 0);
    hs_random_shape shape = {.instances = ROWS, .features = 2, .classes = 2, .density = 0.5};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    add_strata(&stream, data);
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .seed = 5};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    assert_ok(hs_p_sample_init(&training, &(hs_p_options){0}, &s, &error), error);
    assert_true(s.strata > 1);
    for (uint32_t b = 0; b < TRIALS; b++) {
        uint32_t size[8] = {0};
        hs_p_permute(&s, b, scratch, classes);
        for (uint32_t i = 0; i < s.count; i++) {
            size[s.cell[i] / 2 * 2 + classes[i]]++;
            times[i] += classes[i];
        }
        assert_memory_equal(size, s.size, 2 * s.strata * sizeof *size);
    }
    for (uint32_t i = 0; i < s.count; i++) {
        const uint32_t *size = s.size + s.cell[i] / 2 * 2;
        double share = (double)size[1] / (size[0] + size[1]);
        assert_true(fabs(times[i] - TRIALS * share) <= 5 * sqrt(TRIALS * share * (1 - share)));
    }
    hs_p_sample_clear(&s);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_each_permutation),
                                       cmocka_unit_test(test_permutations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

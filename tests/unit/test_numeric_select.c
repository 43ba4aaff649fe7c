/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selectors on a hierarchy of numbers: correlations against sums over all rows, the first phases of
 * shsel and hfe edge by edge, quantiles by sorting; and numbers that are all 0 or 1 must be
 * selected like binary features.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/method.h"
#include "data/builder.h"
#include "rank/correlation.h"
#include "rank/rank.h"
#include "select/eager.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST 24 /* rows of a small data set */

static int run(const hs_view *view, const char *text, uint64_t *mask, double *scores,
               hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    void *state = NULL;
    HS_TRY(hs_chosen_parse(HS_SELECTOR, text, &chosen, error));
    HS_TRY(hs_counts_of(view, &counts, error));
    const hs_selector *selector = chosen.method->selector;
    hs_training training = {.view = *view, .counts = &counts, .seed = 1, .threads = 1};
    int status = selector->prepare(&training, chosen.options, &state, error);
    if (status == HSEL_OK)
        status = selector->select_features(state, mask, error);
    if (status == HSEL_OK && scores)
        memcpy(scores, selector->scores(state), view->data->features * sizeof *scores);
    if (state)
        selector->free(state);
    return status;
}

static uint64_t selected(const hs_view *view, const char *text, double *scores)
{
    hsel_error error = {0};
    uint64_t mask = 0;
    if (run(view, text, &mask, scores, &error))
        fail_msg("%s: %s", text, error.message);
    return mask;
}

/* Most features numeric, the others binary, values from few, so that ties abound. */
static hsel_dataset *draw_data(hs_stream *stream, bool missing)
{
    static const double values[] = {0, 0, 0, 0, 1, 2, 2, 0.5, 3.25, -1};
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    const uint32_t features = 2 + (uint32_t)hs_random_below(stream, 8),
                   instances = 2 + (uint32_t)hs_random_below(stream, MOST - 2),
                   classes = 2 + (uint32_t)hs_random_below(stream, 2);
    hsel_dataset *out;
    hsel_error error = {0};
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++)
        assert_ok(hs_builder_feature(builder, &"abcdefghij"[f], 1,
                                     hs_random_below(stream, 5) ? HSEL_NUMERIC : HSEL_BINARY, &id,
                                     &error),
                  error);
    for (uint32_t c = 0; c < classes; c++)
        assert_ok(hs_builder_class(builder, &"xyz"[c], 1, &id, &error), error);
    for (uint32_t i = 0; i < instances; i++) {
        uint32_t label = (uint32_t)hs_random_below(stream, classes + 1);
        const hsel_dataset *so_far = hs_builder_data(builder);
        assert_ok(hs_builder_row(builder, NULL, 0, label < classes ? label : HSEL_NONE, &error),
                  error);
        for (uint32_t f = 0; f < features; f++) {
            double value = values[hs_random_below(stream, 10)];
            if (so_far->types[f] == HSEL_BINARY && value > 0)
                assert_ok(hs_builder_positive(builder, f, &error), error);
            else if (so_far->types[f] == HSEL_NUMERIC)
                assert_ok(hs_builder_numeric(
                              builder, f,
                              missing && hs_random_below(stream, 8) == 0 ? (double)NAN : value,
                              &error),
                          error);
        }
    }
    assert_ok(hs_builder_finish(builder, &out, &error), error);
    out->dag = hs_random_dag(stream, features, 1.2);
    return out;
}

static hs_view draw_view(hs_stream *stream, const hsel_dataset *data, uint32_t *rows)
{
    hs_view view = {.data = data, .rows = rows};
    for (uint32_t i = 0; i < data->instances; i++)
        if (hs_random_below(stream, 5) > 0)
            rows[view.row_count++] = i;
    return view;
}

/* ---- correlations ---- */

/* What a rank is among the known values of the feature: as many are below it, and half of those
 * that are equal. */
static double rank_slowly(const hs_view *view, uint32_t feature, double value)
{
    double rank = 0.5;
    for (uint32_t i = 0; i < view->row_count; i++) {
        double other = hs_dataset_value(view->data, feature, view->rows[i]);
        if (view->data->class_of[view->rows[i]] != HSEL_NONE)
            rank += other < value ? 1 : other == value ? 0.5 : 0;
    }
    return isnan(value) ? (double)NAN : rank;
}

static double correlation_slowly(const hs_view *view, uint32_t a, uint32_t b, bool ranks)
{
    long double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    long double of[2][MOST];
    bool vary_x = false, vary_y = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        double p = hs_dataset_value(view->data, a, view->rows[i]),
               q = hs_dataset_value(view->data, b, view->rows[i]);
        if (view->data->class_of[view->rows[i]] == HSEL_NONE || isnan(p) || isnan(q))
            continue;
        of[0][count] = ranks ? rank_slowly(view, a, p) : p;
        of[1][count++] = ranks ? rank_slowly(view, b, q) : q;
        x += of[0][count - 1];
        y += of[1][count - 1];
        n++;
    }
    for (uint32_t i = 0; i < count; i++) {
        vary_x |= of[0][i] != of[0][0];
        vary_y |= of[1][i] != of[1][0];
        xx += (of[0][i] - x / n) * (of[0][i] - x / n);
        yy += (of[1][i] - y / n) * (of[1][i] - y / n);
        xy += (of[0][i] - x / n) * (of[1][i] - y / n);
    }
    return vary_x && vary_y ? (double)(xy / sqrtl(xx * yy)) : (double)NAN;
}

static void correlations_agree_with_sums(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "numeric correlation", 0, 0);
    size_t defined = 0, undefined = 0;
    (void)state;
    for (int round = 0; round < 400; round++) {
        hsel_dataset *data = draw_data(&stream, round % 2);
        uint32_t rows[MOST];
        hs_view view = draw_view(&stream, data, rows);
        hs_training training = {.view = view};
        for (int ranks = 0; ranks < 2; ranks++) {
            HS_OWNS(hs_correlator_clear) hs_correlator c = {0};
            hsel_error error = {0};
            assert_ok(hs_correlator_init(&c, &training, ranks ? HS_SPEARMAN : HS_PEARSON, &error),
                      error);
            for (uint32_t a = 0; a < data->features; a++) {
                assert_ok(hs_correlator_fix(&c, a, &error), error);
                for (uint32_t b = 0; b < data->features; b++) {
                    double found, expected = correlation_slowly(&view, a, b, ranks);
                    assert_ok(hs_correlator_with(&c, b, &found, &error), error);
                    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) < 1e-12))
                        fail_msg("round %d, %u and %u: %.17g, expected %.17g", round, a, b, found,
                                 expected);
                    if (a == b && !isnan(found))
                        assert_true(found > 1 - HS_CORRELATION_TOLERANCE);
                    *(isnan(expected) ? &undefined : &defined) += 1;
                }
            }
        }
        hsel_dataset_free(data);
    }
    assert_true(defined > 5000 && undefined > 500);
}

/* Values far from 0, and beyond the range of squares. */
static void extreme_values_correlate(void **state)
{
    static const double factors[] = {1, 1e-200, 1e200, 1e9};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
        HS_OWNS(hs_correlator_clear) hs_correlator c = {0};
        hsel_dataset *data;
        hsel_error error = {0};
        uint32_t id;
        double found;
        assert_ok(hs_builder_new(&builder, &error), error);
        assert_ok(hs_builder_feature(builder, "a", 1, HSEL_NUMERIC, &id, &error), error);
        assert_ok(hs_builder_feature(builder, "b", 1, HSEL_NUMERIC, &id, &error), error);
        assert_ok(hs_builder_class(builder, "x", 1, &id, &error), error);
        for (int i = 0; i < 6; i++) {
            assert_ok(hs_builder_row(builder, NULL, 0, 0, &error), error);
            assert_ok(hs_builder_numeric(builder, 0, (i + (k == 3)) * factors[k], &error), error);
            assert_ok(hs_builder_numeric(builder, 1, 1e9 + i * i, &error), error);
        }
        assert_ok(hs_builder_finish(builder, &data, &error), error);
        hs_training training = {.view = hs_view_all(data)};
        assert_ok(hs_correlator_init(&c, &training, HS_PEARSON, &error), error);
        assert_ok(hs_correlator_fix(&c, 0, &error), error);
        assert_ok(hs_correlator_with(&c, 1, &found, &error), error);
        assert_true(fabs(found - 0.9598833) < 1e-6); /* of 0 … 5 with their squares, by hand */
        hsel_dataset_free(data);
    }
}

/* ---- first phases, edge by edge ---- */

static void first_phase_agrees_with_edges(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "numeric edges", 0, 0);
    size_t dropped = 0, kept = 0;
    (void)state;
    for (int round = 0; round < 1500; round++) {
        hsel_dataset *data = draw_data(&stream, round % 2);
        uint32_t rows[MOST];
        hs_view view = draw_view(&stream, data, rows);
        const bool ranks = hs_random_below(&stream, 2);
        const double threshold = 0.1234567 + 0.1 * (double)hs_random_below(&stream, 9);
        char text[120];
        snprintf(text, sizeof text, "shsel:similarity=%s,prune=none,threshold=%.17g",
                 ranks ? "spearman" : "correlation", threshold);
        uint64_t found = selected(&view, text, NULL);
        for (uint32_t v = 0; v < data->features; v++) {
            bool expected = !hs_isolated_constant(&view, v);
            size_t count;
            const uint32_t *parent = hs_parents(data->dag, v, &count);
            for (size_t i = 0; i < count; i++) {
                double r = correlation_slowly(&view, parent[i], v, ranks);
                expected &= !(isnan(r) || r >= threshold);
            }
            if (hs_bit_get(&found, v) != expected)
                fail_msg("round %d, %s: feature %u", round, text, v);
            *(expected ? &kept : &dropped) += 1;
        }
        hsel_dataset_free(data);
    }
    assert_true(kept > 2000 && dropped > 1000);
}

/* ---- numbers that are 0 or 1 ---- */

static double one(uint32_t feature, uint32_t label)
{
    (void)feature;
    (void)label;
    return 1;
}

static void zeros_and_ones_are_binary(void **state)
{
    static const char *const texts[] = {"shsel",
                                        "shsel:threshold=0.9,prune=lenient",
                                        "shsel:mean=survivors",
                                        "shsel:similarity=correlation,threshold=0.6",
                                        "shsel:similarity=spearman,threshold=0.6",
                                        "tsel",
                                        "tsel:score=ig",
                                        "tsel:reading=path-max,chi2-top=2",
                                        "gtd",
                                        "gtd:reading=antichain,score=ig",
                                        "hfe",
                                        "hfe:correlation=spearman",
                                        "sig"};
    hs_stream stream;
    hs_stream_init(&stream, 1, "numeric as binary", 0, 0);
    size_t compared = 0; /* by lift */
    (void)state;
    for (int round = 0; round < 300; round++) {
        hs_random_shape shape = {.instances = 4 + (uint32_t)hs_random_below(&stream, 30),
                                 .features = 1 + (uint32_t)hs_random_below(&stream, 12),
                                 .classes = 2 + (uint32_t)hs_random_below(&stream, 2),
                                 .density = 0.3,
                                 .parents = 1.2,
                                 .true_path = true,
                                 .unlabelled = 0.1};
        hsel_dataset *data = hs_random_dataset(&stream, &shape),
                     *numbers = hs_as_numbers(data, one);
        hs_view binary = hs_view_all(data), numeric = hs_view_all(numbers);
        bool always = false; /* a feature is positive everywhere: lift 1, of numbers 0 */
        for (uint32_t f = 0; f < data->features; f++) {
            uint32_t negative = 0;
            for (uint32_t i = 0; i < data->instances; i++)
                negative += data->class_of[i] != HSEL_NONE && hs_dataset_value(data, f, i) == 0;
            always |= negative == 0;
        }
        compared += !always;
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            char text[160];
            if (strncmp(texts[t], "tsel", 4) == 0 && always)
                continue;
            double of_binary[12], of_numeric[12];
            snprintf(text, sizeof text, "%s%ccuts=quantiles,bins=1000", texts[t],
                     strchr(texts[t], ':') ? ',' : ':');
            uint64_t expected = selected(&binary, texts[t], of_binary),
                     found = selected(&numeric, text, of_numeric);
            if (found != expected)
                fail_msg("round %d, %s: %llx, expected %llx", round, text,
                         (unsigned long long)found, (unsigned long long)expected);
            for (uint32_t f = 0; f < data->features; f++)
                assert_true(of_binary[f] == of_numeric[f]);
        }
        hsel_dataset_free(numbers);
        hsel_dataset_free(data);
    }
    assert_true(compared > 100);
}

/* ---- scores ---- */

/* Cut into bins: value v lies in interval number floor(bins * share of the values up to and with
 * v), and equal numbers make one interval; the last value belongs to the last but one share. */
static double gain_slowly(const hs_view *view, uint32_t feature, uint32_t bins)
{
    double joint[MOST + 1][3] = {{0}}, by_class[3] = {0}, n = 0, gain = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t label = view->data->class_of[view->rows[i]], below = 0, all = 0;
        double value = hs_dataset_value(view->data, feature, view->rows[i]);
        if (label == HSEL_NONE)
            continue;
        for (uint32_t k = 0; k < view->row_count; k++) /* values below this one */
            if (view->data->class_of[view->rows[k]] != HSEL_NONE) {
                below += hs_dataset_value(view->data, feature, view->rows[k]) < value;
                all++;
            }
        joint[below * bins / all][label]++; /* complete shares before it */
        by_class[label]++;
        n++;
    }
    for (uint32_t b = 0; b <= MOST; b++)
        for (uint32_t c = 0; c < 3; c++)
            if (joint[b][c] > 0)
                gain += joint[b][c] / n *
                        log2(joint[b][c] * n /
                             ((joint[b][0] + joint[b][1] + joint[b][2]) * by_class[c]));
    return gain;
}

static void scores_are_gains_of_intervals(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "numeric gains", 0, 0);
    (void)state;
    for (int round = 0; round < 500; round++) {
        hsel_dataset *data = draw_data(&stream, false);
        uint32_t rows[MOST], bins = 2 + (uint32_t)hs_random_below(&stream, 4);
        hs_view view = draw_view(&stream, data, rows);
        double score[10], ig[10], *scores = ig;
        char text[80];
        HS_OWNS(hs_counts_clear) hs_counts counts = {0};
        HS_OWNS(hs_chosen_clear) hs_chosen ranker = {0};
        hsel_error error = {0};
        snprintf(text, sizeof text, "shsel:cuts=quantiles,bins=%u", bins);
        selected(&view, text, score);
        for (uint32_t f = 0; f < data->features; f++)
            if (data->types[f] == HSEL_NUMERIC &&
                fabs(score[f] - gain_slowly(&view, f, bins)) > 1e-12)
                fail_msg("round %d, feature %u: %.17g, expected %.17g", round, f, score[f],
                         gain_slowly(&view, f, bins));
        assert_ok(hs_counts_of(&view, &counts, &error), error);
        assert_ok(hs_chosen_parse(HS_RANKER, "ig", &ranker, &error), error);
        hs_training training = {.view = view, .counts = &counts, .threads = 1};
        assert_ok(hs_rank_features(&training, &ranker, 1, &scores, &error), error);
        selected(&view, "hfe", score);
        for (uint32_t f = 0; f < data->features; f++)
            assert_true(score[f] == ig[f]);
        hsel_dataset_free(data);
    }
}

/* ---- tests ---- */

/* Of p-values, which are 10^-score, Benjamini and Hochberg's procedure rejects what fdr keeps. */
static void tests_of_numbers_are_adjusted(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "numeric tests", 0, 0);
    size_t kept = 0;
    (void)state;
    for (int round = 0; round < 200; round++) {
        hsel_dataset *data = draw_data(&stream, round % 2);
        hs_view view = hs_view_all(data);
        double score[10];
        const double alpha = 0.81237;
        uint64_t found = selected(&view, "fdr:method=bh,alpha=0.81237,min-present=0", score);
        uint32_t hypotheses = 0;
        bool varies[10] = {false}; /* constant features are no hypotheses */
        for (uint32_t f = 0; f < data->features; f++) {
            double least = INFINITY, most = -INFINITY;
            for (uint32_t i = 0; i < data->instances; i++)
                if (data->class_of[i] != HSEL_NONE) {
                    least = fmin(least, hs_dataset_value(data, f, i));
                    most = fmax(most, hs_dataset_value(data, f, i));
                }
            hypotheses += varies[f] = least < most;
        }
        for (uint32_t f = 0; f < data->features; f++) {
            bool expected = false; /* some p not below its own passes its line */
            for (uint32_t g = 0; g < data->features; g++) {
                uint32_t rank = 0;
                for (uint32_t k = 0; k < data->features; k++)
                    rank += varies[k] && score[k] >= score[g];
                expected |= varies[f] && varies[g] && score[g] <= score[f] &&
                            pow(10, -score[g]) * hypotheses <= alpha * rank + 1e-12;
            }
            assert_int_equal(hs_bit_get(&found, f), expected);
            kept += expected;
        }
        hsel_dataset_free(data);
    }
    assert_true(kept > 50);
}

/* ---- refusals and memory ---- */

static void nominal_features_have_no_correlation(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "nominal", 0, 0);
    hs_random_shape shape = {
        .instances = 10, .features = 6, .classes = 2, .density = 0.4, .parents = 2, .nominal = 1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_view view = hs_view_all(data);
    hsel_error error = {0};
    uint64_t mask = 0;
    (void)state;
    assert_int_equal(run(&view, "hfe", &mask, NULL, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, " is nominal, but correlations need numbers"));
    assert_int_equal(run(&view, "fdr", &mask, NULL, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, " is nominal, but fdr has no test for it"));
    assert_int_equal(run(&view, "fdr:method=elim", &mask, NULL, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "elim is for binary features, but "));
    selected(&view, "shsel", NULL); /* by information gain they have a similarity */
    hsel_dataset_free(data);
}

struct one_run {
    hs_view view;
    const char *text;
};

static int run_once(void *context, hsel_error *error)
{
    struct one_run *one = context;
    uint64_t mask = 0;
    return run(&one->view, one->text, &mask, NULL, error);
}

static void memory_may_run_out_anywhere(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "numeric memory", 0, 0);
    hsel_dataset *data = draw_data(&stream, true);
    (void)state;
    static const char *const texts[] = {"hfe", "shsel:similarity=spearman", "tsel:chi2-top=1"};
    for (size_t t = 0; t < 3; t++)
        hs_oom_each(texts[t], run_once, &(struct one_run){hs_view_all(data), texts[t]});
    hsel_dataset_free(data);
}

/* ---- numeric targets ---- */

/* Numbers in place of the classes, many of them equal. */
static void give_target(hs_stream *stream, hsel_dataset *data)
{
    const uint32_t values = 1 + (uint32_t)hs_random_below(stream, 30);
    hs_names_clear(&data->class_names);
    hs_dataset_drop(data, hs_take(&data->class_of));
    data->positive_class = HSEL_NONE;
    assert_non_null(data->target = HS_NEW(double, data->instances));
    for (uint32_t i = 0; i < data->instances; i++)
        data->target[i] = hs_random_below(stream, 8) == 0
                              ? (double)NAN
                              : (double)hs_random_below(stream, values) / 2 - 1;
}

/* The quarter of a number: how many of the places n/4, 2n/4 … lie among those that are less,
 * numbered without gaps. */
static void quarters_slowly(const hs_view *view, uint32_t *class_of, uint32_t *classes)
{
    const hsel_dataset *data = view->data;
    uint32_t of[MOST], n = 0, used[5] = {0};
    for (uint32_t i = 0; i < view->row_count; i++)
        n += hs_has_label(data, view->rows[i]);
    for (uint32_t i = 0; i < data->instances; i++)
        class_of[i] = HSEL_NONE;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = view->rows[i], less = 0;
        if (!hs_has_label(data, row))
            continue;
        for (uint32_t k = 0; k < view->row_count; k++)
            less += data->target[view->rows[k]] < data->target[row];
        of[row] = 4 * less / n;
        used[of[row]] = 1;
    }
    for (uint32_t q = 0, next = 0; q < 5; q++)
        used[q] = used[q] ? next++ : next;
    *classes = 0;
    for (uint32_t i = 0; i < view->row_count; i++)
        if (hs_has_label(data, view->rows[i])) {
            class_of[view->rows[i]] = used[of[view->rows[i]]];
            *classes = fmax(*classes, class_of[view->rows[i]] + 1);
        }
}

/* To methods that cut it, a number is the quarter that it is in. */
static void test_target_by_quarters(void **state)
{
    static const char *const methods[] = {"mrmr:k=2",      "jmi:k=3",
                                          "cmim:k=2",      "hill-climbing:direction=top-down",
                                          "level:folds=2", "taxahfe:seeds=2,trees=5,sure=0",
                                          "cfs",           "relieff:k=3"};
    hs_stream stream;
    uint32_t some = 0;
    hs_stream_init(&stream, 21, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 400; round++) {
        uint32_t rows[MOST], class_of[MOST], classes;
        hsel_dataset *data = draw_data(&stream, false);
        give_target(&stream, data);
        hs_view view = draw_view(&stream, data, rows);
        quarters_slowly(&view, class_of, &classes);
        const char *method = methods[round % (sizeof methods / sizeof *methods)];
        hsel_error error = {0};
        uint64_t of_number = 0, of_class = 0;
        int status = run(&view, method, &of_number, NULL, &error);
        hsel_dataset cut = *data;
        cut.target = NULL;
        cut.class_of = class_of;
        cut.class_names = (hs_names){0};
        for (uint32_t c = 0; c < classes; c++)
            assert_ok(hs_names_append(&cut.class_names, &"abcde"[c], 1, &error), error);
        cut.positive_class = classes < 2 ? HSEL_NONE : classes - 1;
        view.data = &cut;
        assert_int_equal(run(&view, method, &of_class, NULL, &error), status);
        if (of_number != of_class)
            fail_msg("round %d, %s: %llx by number, %llx by quarter", round, method,
                     (unsigned long long)of_number, (unsigned long long)of_class);
        some += of_number != 0;
        hs_names_clear(&cut.class_names);
        hsel_dataset_free(data);
    }
    assert_true(some > 200);
}

/* The share of the variance that a feature explains, from sums over all rows. */
static double explained_slowly(const hs_view *view, uint32_t f, uint32_t bins)
{
    const hsel_dataset *data = view->data;
    double x[MOST], y[MOST], mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, between = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        double value = hs_dataset_value(data, f, view->rows[i]);
        if (!hs_has_label(data, view->rows[i]) || isnan(value))
            continue;
        x[n] = value;
        y[n++] = data->target[view->rows[i]];
    }
    for (uint32_t i = 0; i < n; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (!(yy > 1e-20) || !(xx > 1e-20))
        return 0;
    if (!bins || data->types[f] == HSEL_BINARY)
        return xy * xy / xx / yy;
    for (uint32_t i = 0; i < n; i++) { /* the mean of its interval */
        double sum = 0, size = 0;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t less[2] = {0};
            for (uint32_t r = 0; r < n; r++) {
                less[0] += x[r] < x[i];
                less[1] += x[r] < x[k];
            }
            if (less[0] * bins / n == less[1] * bins / n) {
                sum += y[k] - mean_y;
                size++;
            }
        }
        between += sum / size * (sum / size);
    }
    return between / yy;
}

/* Pearson's correlation of two features where both are known, over rows with a number. */
static double target_correlation(const hs_view *view, uint32_t a, uint32_t b)
{
    double n = 0, mean[2] = {0}, xx = 0, yy = 0, xy = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < view->row_count; i++) {
            double x = hs_dataset_value(view->data, a, view->rows[i]),
                   y = hs_dataset_value(view->data, b, view->rows[i]);
            if (!hs_has_label(view->data, view->rows[i]) || isnan(x) || isnan(y))
                continue;
            if (pass == 0) {
                n++;
                mean[0] += x;
                mean[1] += y;
                continue;
            }
            xx += pow(x - mean[0] / n, 2);
            yy += pow(y - mean[1] / n, 2);
            xy += (x - mean[0] / n) * (y - mean[1] / n);
        }
    return xx > 1e-20 && yy > 1e-20 ? xy / sqrt(xx * yy) : (double)NAN;
}

static void test_target_by_variance(void **state)
{
    static const char *const methods[] = {"shsel", "hfe", "tsel", "gtd", "sig"};
    hs_stream stream;
    hs_stream_init(&stream, 22, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t rows[MOST], bins = round % 3 ? 0 : 2 + (uint32_t)hs_random_below(&stream, 3);
        char text[64];
        double score[10], threshold = hs_random_double(&stream) / 2;
        hsel_error error = {0};
        hsel_dataset *data = draw_data(&stream, round % 2);
        give_target(&stream, data);
        hs_view view = draw_view(&stream, data, rows);
        const char *method = methods[hs_random_below(&stream, 5)];
        snprintf(text, sizeof text, bins ? "%s:cuts=quantiles,bins=%u" : "%s", method, bins);
        selected(&view, text, score);
        for (uint32_t f = 0; f < data->features; f++) {
            double expected = explained_slowly(&view, f, bins);
            if (!(fabs(score[f] - expected) < 1e-9))
                fail_msg("round %d, %s, feature %u: %.12g, expected %.12g", round, text, f,
                         score[f], expected);
        }
        /* the first phase of hfe by correlation alone: no counts of classes are needed */
        uint64_t mask =
            selected(&view, "shsel:similarity=correlation,threshold=0.5,prune=none", NULL);
        snprintf(text, sizeof text, "sig:threshold=%.17g", threshold);
        uint64_t above = selected(&view, text, score);
        for (uint32_t f = 0; f < data->features; f++) {
            size_t parents;
            const uint32_t *parent = hs_parents(data->dag, f, &parents);
            bool like = hs_isolated_constant(&view, f), close = false;
            for (size_t p = 0; p < parents; p++) {
                double r = target_correlation(&view, f, parent[p]);
                like = like || isnan(r) || r >= 0.5;
                close = close || fabs(r - 0.5) < 1e-9;
            }
            assert_true(close || hs_bit_get(&mask, f) == !like);
            assert_true(hs_bit_get(&above, f) == (score[f] >= threshold));
        }
        assert_int_equal(run(&view, "gtd:score=ig", &mask, NULL, &error), HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "score of gtd is for classes"));
        hsel_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_target_by_quarters),
                                       cmocka_unit_test(test_target_by_variance),
                                       cmocka_unit_test(correlations_agree_with_sums),
                                       cmocka_unit_test(extreme_values_correlate),
                                       cmocka_unit_test(first_phase_agrees_with_edges),
                                       cmocka_unit_test(zeros_and_ones_are_binary),
                                       cmocka_unit_test(scores_are_gains_of_intervals),
                                       cmocka_unit_test(tests_of_numbers_are_adjusted),
                                       cmocka_unit_test(nominal_features_have_no_correlation),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The eager hierarchical selectors on data: a set worked out by hand, every option of every method;
 * views of rows and features against data sets that hold only these; correlation value by value.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/method.h"
#include "data/builder.h"
#include "data/counts.h"
#include "data/transform.h"
#include "select/eager.h"
#include "support/cmocka.h"
#include "support/eager_world.h"
#include "support/dense.h"
#include "support/oom.h"

#define FEW 16 /* features of a small data set */

/* Runs a selector, written as a user writes it, on a view. */
static int run(const hs_view *view, const char *text, uint64_t *mask, double *scores,
               hsel_error *error)
{
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    void *state = NULL;
    int status = hs_chosen_parse(HS_SELECTOR, text, &chosen, error);
    if (status == HSEL_OK)
        status = hs_counts_of(view, &counts, error);
    if (status == HSEL_OK) {
        const hs_selector *selector = chosen.method->selector;
        hs_training training = {.view = *view, .counts = &counts, .seed = 1, .threads = 1};
        status = selector->prepare(&training, chosen.options, &state, error);
        if (status == HSEL_OK)
            status = selector->select_features(state, mask, error);
        if (status == HSEL_OK && scores)
            memcpy(scores, selector->scores(state), view->data->features * sizeof *scores);
        selector->free(state);
    }
    hs_counts_clear(&counts);
    hs_chosen_clear(&chosen);
    return status;
}

static uint64_t selected(const hs_view *view, const char *text)
{
    hsel_error error = {0};
    uint64_t mask = 0;
    assert_true(view->data->features <= 64);
    if (run(view, text, &mask, NULL, &error))
        fail_msg("%s: %s", text, error.message);
    return mask;
}

/* ---- by hand ---- */

/* A data set from text: a line an instance, its class and then a 0 or 1 a feature. */
static hsel_dataset *data_of(const char *const *lines, uint32_t instances, uint32_t features)
{
    hsel_error error = {0};
    hs_builder *builder;
    hsel_dataset *data;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++)
        assert_ok(hs_builder_feature(builder, &"ABCDEFGH"[f], 1, HSEL_BINARY, &id, &error), error);
    for (uint32_t i = 0; i < instances; i++) {
        assert_ok(hs_builder_class(builder, lines[i], 1, &id, &error), error);
        assert_ok(hs_builder_row(builder, NULL, 0, id, &error), error);
        for (uint32_t f = 0; f < features; f++)
            if (lines[i][1 + f] == '1')
                assert_ok(hs_builder_positive(builder, f, &error), error);
    }
    hs_builder_sort_classes(builder);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

static void attach(hsel_dataset *data, const uint32_t *child, const uint32_t *parent, size_t edges)
{
    hsel_error error = {0};
    hsel_dag *dag;
    assert_ok(hs_dag_new(data->features, child, parent, edges, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
}

static void expect_selected(const hsel_dataset *data, const char *text, const char *expected)
{
    hs_view view = hs_view_all(data);
    uint64_t mask = selected(&view, text);
    char names[FEW + 1] = "";
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_bit_get(&mask, f))
            strcat(names, hsel_dataset_feature_name(data, f));
    if (strcmp(names, expected))
        fail_msg("%s selects %s, not %s", text, names, expected);
}

struct expectation {
    const char *text, *features;
};

/* A over B over C, and A over D. Information gain 0, 1, 0.311, 0; gain ratio 0, 1, 0.384, 0; lift
 * 1, 2, 2, 1; chi2 0, 8, 8/3, 0. A is constant. */
static void worked_example(void **state)
{
    (void)state;
    static const char *const lines[] = {"01001", "01001", "01000", "01000",
                                        "11111", "11111", "11100", "11100"};
    static const struct expectation cases[] = {
        {"shsel", "B"},
        {"shsel:prune=none", "ABC"},
        {"shsel:prune=none,threshold=1", "ABC"},
        {"shsel:prune=none,threshold=0.3", "AB"},
        {"shsel:prune=lenient", "AB"},
        {"shsel:mean=survivors", "B"},
        {"shsel:prune=lenient,mean=survivors", "AB"},
        {"shsel:prune=lenient,mean=survivors,paths=contracted", "B"},
        {"shsel:prune=none,similarity=correlation", "AC"},
        {"shsel:prune=none,similarity=correlation,threshold=0.5", "A"},
        {"shsel:similarity=correlation", ""},
        {"shsel:similarity=correlation,mean=survivors", "C"},
        {"tsel", "BD"},
        {"tsel:reading=path-max", "AB"},
        {"tsel:reading=path-max,chi2-top=1", "B"},
        {"tsel:reading=path-max,chi2-top=7", "AB"},
        {"tsel:reading=path-max-filter", "B"},
        {"tsel:reading=first-local", "B"},
        {"tsel:reading=path-max,score=ig", "AB"},
        {"gtd", "AB"},
        {"gtd:ties=leaf", "BD"},
        {"gtd:ties=both", "ABD"},
        {"gtd:reading=antichain", "BD"},
        {"gtd:reading=shortest", "BD"},
        {"gtd:score=ig", "AB"},
        {"hfe", "C"},
        {"hfe:threshold=0.5", ""},
        {"hfe:prune=lenient", "C"},
    };
    hsel_dataset *data = data_of(lines, 8, 4);
    attach(data, (uint32_t[]){1, 2, 3}, (uint32_t[]){0, 1, 0}, 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_selected(data, cases[i].text, cases[i].features);
    double scores[4];
    uint64_t mask = 0;
    hs_view view = hs_view_all(data);
    hsel_error error = {0};
    assert_ok(run(&view, "shsel", &mask, scores, &error), error);
    assert_true(fabs(scores[0] - 0) <= 1e-15);
    assert_true(fabs(scores[1] - 1) <= 1e-15);
    assert_true(fabs(scores[2] - 0.311278124459133) <= 1e-12);
    assert_ok(run(&view, "tsel", &mask, scores, &error), error);
    assert_true(fabs(scores[2] - 2) <= 1e-15);
    hsel_dataset_free(data);
}

/* With three classes the lift of a feature is its greatest over the classes. */
static void lift_with_three_classes(void **state)
{
    (void)state;
    static const char *const lines[] = {"0100", "0100", "1110", "1110", "2101", "2110"};
    hsel_dataset *data = data_of(lines, 6, 3);
    attach(data, (uint32_t[]){1, 2}, (uint32_t[]){0, 0}, 2);
    double scores[3];
    uint64_t mask = 0;
    hs_view view = hs_view_all(data);
    hsel_error error = {0};
    assert_ok(run(&view, "tsel", &mask, scores, &error), error);
    assert_true(fabs(scores[0] - 1) <= 1e-15);
    assert_true(fabs(scores[1] - 2) <= 1e-15); /* 2/6 / (3/6 * 2/6) */
    assert_true(fabs(scores[2] - 3) <= 1e-15); /* 1/6 / (1/6 * 2/6) */
    hsel_dataset_free(data);
}

/* Isolated features are paths of their own. A and C are alike, and B is like them turned over: chi2
 * is the same for all three, so the lower index goes first. D tells nothing. */
static void equal_chi2_to_the_lower_index(void **state)
{
    (void)state;
    static const char *const lines[] = {"00101", "00100", "11011", "11010"};
    hsel_dataset *data = data_of(lines, 4, 4);
    attach(data, NULL, NULL, 0);
    expect_selected(data, "tsel", "ABCD");
    expect_selected(data, "tsel:chi2-top=1", "A");
    expect_selected(data, "tsel:chi2-top=2", "AB");
    expect_selected(data, "tsel:chi2-top=3", "ABC");
    hsel_dataset_free(data);
}

static void without_hierarchy(void **state)
{
    (void)state;
    static const char *const lines[] = {"01", "10"}, *const methods[] = {"shsel", "hfe"};
    hsel_dataset *data = data_of(lines, 2, 1);
    hs_view view = hs_view_all(data);
    for (int i = 0; i < 2; i++) {
        hsel_error error = {0};
        uint64_t mask = 0;
        assert_int_equal(run(&view, methods[i], &mask, NULL, &error), HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "has no hierarchy to select on"));
    }
    hsel_dataset_free(data);
}

static void bad_options(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"shsel:threshold=2", "-1 to 1"},
        {"shsel:prune=maybe", "strict|lenient|none"},
        {"tsel:reading=paths", "iterative|path-max|path-max-filter|first-local"},
        {"tsel:chi2-top=-1", "whole number"},
        {"gtd:ties=none", "root|leaf|both"},
        {"hfe:threshold=x", "number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_equal(hs_chosen_parse(HS_SELECTOR, cases[i].text, &chosen, &error), HSEL_EUSAGE);
        if (!strstr(error.message, cases[i].features))
            fail_msg("%s: %s", cases[i].text, error.message);
        hs_chosen_clear(&chosen);
    }
}

/* ---- views ---- */

static const char *const texts[] = {"shsel",
                                    "shsel:prune=none,threshold=0.9",
                                    "shsel:prune=lenient,mean=survivors,threshold=0.8",
                                    "shsel:mean=survivors,paths=contracted,threshold=0.9",
                                    "shsel:similarity=correlation,threshold=0.6,mean=survivors",
                                    "shsel:similarity=correlation,threshold=0.6,prune=none",
                                    "tsel",
                                    "tsel:reading=path-max,chi2-top=2",
                                    "tsel:reading=path-max-filter,score=ig",
                                    "tsel:reading=first-local",
                                    "gtd",
                                    "gtd:ties=both",
                                    "gtd:reading=antichain",
                                    "gtd:reading=shortest",
                                    "hfe",
                                    "hfe:prune=lenient,threshold=0.5"};
#define TEXTS (sizeof texts / sizeof texts[0])

static hsel_dataset *random_data(hs_stream *stream)
{
    hs_random_shape shape = {.instances = 3 + (uint32_t)hs_random_below(stream, 25),
                             .features = 1 + (uint32_t)hs_random_below(stream, FEW),
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.05 + 0.3 * hs_random_double(stream),
                             .parents = 0.3 + 2 * hs_random_double(stream),
                             .true_path = hs_random_below(stream, 4) > 0,
                             .unlabelled = hs_random_below(stream, 3) ? 0 : 0.1};
    return hs_random_dataset(stream, &shape);
}

/* The same data with the rows of a view only, in its order, and every class. */
static hsel_dataset *only_rows(const hs_view *view)
{
    const hsel_dataset *data = view->data;
    hsel_error error = {0};
    hs_builder *builder;
    hsel_dataset *out;
    hsel_dag *dag;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < data->features; f++) {
        const char *name = hsel_dataset_feature_name(data, f);
        assert_ok(hs_builder_feature(builder, name, strlen(name), HSEL_BINARY, &id, &error), error);
    }
    for (uint32_t c = 0; c < data->class_names.count; c++) {
        const char *name = hsel_dataset_class_name(data, c);
        assert_ok(hs_builder_class(builder, name, strlen(name), &id, &error), error);
    }
    for (uint32_t i = 0; i < view->row_count; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, hs_view_row(view, i), &count);
        uint32_t label = data->class_of[hs_view_row(view, i)];
        assert_ok(hs_builder_row(builder, NULL, 0, label, &error), error);
        for (size_t k = 0; k < count; k++)
            assert_ok(hs_builder_positive(builder, row[k], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &out, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_copy(data->dag, &dag, &error), error);
    assert_ok(hs_dataset_attach(out, dag, &error), error);
    return out;
}

/* Selected features of `part`, which holds the features kept of a larger set, in its numbers. */
static uint64_t in_numbers_of_whole(uint64_t part, const bool *keep, uint32_t features)
{
    uint64_t whole = 0;
    size_t at = 0;
    for (uint32_t f = 0; f < features; f++)
        if (keep[f] && hs_bit_get(&part, at++))
            hs_bit_set(&whole, f);
    return whole;
}

/* A view selects what its rows and features as a data set of their own select. */
static void views_are_data_sets(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "eager views", 0, 0);
    size_t kept = 0;
    for (int round = 0; round < 1500; round++) {
        hsel_dataset *data = random_data(&stream), *part;
        hsel_error error = {0};
        uint32_t rows[64], count = 0;
        bool keep[FEW];
        uint64_t features = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            if (hs_random_below(&stream, 4) > 0)
                rows[count++] = i;
        for (uint32_t f = 0; f < data->features; f++)
            if ((keep[f] = hs_random_below(&stream, 4) > 0))
                hs_bit_set(&features, f);
        hs_view view = {.data = data, .rows = rows, .row_count = count, .features = &features};
        hsel_dataset *fewer = only_rows(&view);
        fewer->positive_class = data->positive_class; /* it may be the larger one of the part */
        assert_ok(hs_dataset_subset(fewer, keep, &part, &error), error);
        hs_view all = hs_view_all(part);
        for (size_t t = 0; t < TEXTS; t++) {
            uint64_t found = selected(&view, texts[t]);
            uint64_t expected = in_numbers_of_whole(selected(&all, texts[t]), keep, data->features);
            if (found != expected)
                fail_msg("round %d, %s: %llx, expected %llx", round, texts[t],
                         (unsigned long long)found, (unsigned long long)expected);
            kept += found != 0;
        }
        hsel_dataset_free(part);
        hsel_dataset_free(fewer);
        hsel_dataset_free(data);
    }
    assert_true(kept > 1000);
}

/* ---- correlation ---- */

/* Pearson's, from the values; 1 when one is constant. Instances without class do not count. */
static double correlation_slowly(const hsel_dataset *data, const hs_dense *dense, uint32_t a,
                                 uint32_t b)
{
    double n = 0, x = 0, y = 0, xy = 0;
    for (uint32_t i = 0; i < data->instances; i++)
        if (data->class_of[i] != HSEL_NONE) {
            n++;
            x += dense->cell[i][a];
            y += dense->cell[i][b];
            xy += dense->cell[i][a] && dense->cell[i][b];
        }
    double spread = x * (n - x) * y * (n - y);
    return spread > 0 ? (n * xy - x * y) / sqrt(spread) : 1;
}

static void correlation_agrees_with_values(void **state)
{
    (void)state;
    static hs_dense dense;
    hs_stream stream;
    hs_stream_init(&stream, 1, "eager correlation", 0, 0);
    for (int round = 0; round < 3000; round++) {
        hsel_dataset *data = random_data(&stream);
        double threshold = 0.0501 + 0.1 * (double)hs_random_below(&stream, 10);
        char text[80];
        hs_dense_read(data, &dense);
        snprintf(text, sizeof text, "shsel:similarity=correlation,prune=none,threshold=%.17g",
                 threshold);
        hs_view view = hs_view_all(data);
        uint64_t found = selected(&view, text);
        for (uint32_t v = 0; v < data->features; v++) {
            bool expected = !hs_isolated_constant(&view, v);
            for (uint32_t p = 0; p < data->features; p++)
                if (dense.edge[v][p] && correlation_slowly(data, &dense, p, v) >= threshold)
                    expected = false;
            assert_int_equal(hs_bit_get(&found, v), expected);
        }
        hsel_dataset_free(data);
    }
}

/* ---- memory ---- */

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
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "eager memory", 0, 0);
    hsel_dataset *data = random_data(&stream);
    const uint64_t features = ~(uint64_t)2;
    for (size_t t = 0; t < TEXTS; t++) {
        struct one_run one = {hs_view_all(data), texts[t]};
        assert_true(hs_oom_each(texts[t], run_once, &one) > 5);
        one.view.features = &features;
        assert_true(hs_oom_each(texts[t], run_once, &one) > 10);
    }
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(lift_with_three_classes),
        cmocka_unit_test(equal_chi2_to_the_lower_index),
        cmocka_unit_test(without_hierarchy),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(views_are_data_sets),
        cmocka_unit_test(correlation_agrees_with_values),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

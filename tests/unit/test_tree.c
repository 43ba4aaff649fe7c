/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tree` against a twin that does what C4.5 says with lists of instances and recursion: the choice
 * of the split, the tree as it is grown, collapsed and pruned, and its predictions, on thousands of
 * small random training parts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/tree.h"
#include "core/mem.h"
#include "data/builder.h"
#include "support/c45_twin.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/mixed_world.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"
#include "support/fitted.h"

#define NEAR 1e-9

/* ---- comparing ---- */

static void same_tree(const hs_mixed *w, const hs_tree *tree, uint32_t at, const hs_twin *t,
                      bool normalised)
{
    const hs_tree_node *node = tree->node + at;
    assert_int_equal(node->branches, t->branches);
    assert_true(fabs(tree->weight[at] - t->total) < NEAR);
    for (uint32_t c = 0; c < w->classes && t->total > 1e-6; c++) {
        double share = hs_tree_share(tree, at)[c] * (normalised ? tree->weight[at] : 1);
        assert_true(fabs(share - t->count[c]) < NEAR);
    }
    if (node->branches == 0) {
        assert_int_equal(node->feature, HSEL_NONE);
        return;
    }
    assert_int_equal(node->feature, t->feature);
    assert_int_equal(node->kind, w->type[t->feature]);
    if (node->kind == HSEL_NUMERIC)
        assert_true(node->threshold == t->threshold);
    for (uint32_t b = 0; b < t->branches; b++)
        same_tree(w, tree, node->child + b, t->child[b], normalised);
}

static hs_c45_options random_options(hs_stream *stream)
{
    static const double confidence[] = {0.25, 0.05, 0.5};
    return (hs_c45_options){.confidence = confidence[hs_random_below(stream, 3)],
                            .min = 1 + (uint32_t)hs_random_below(stream, 3),
                            .pruning = true,
                            .raising = hs_random_below(stream, 4) > 0,
                            .collapse = hs_random_below(stream, 3) > 0,
                            .mdl = hs_random_below(stream, 3) > 0,
                            .laplace = hs_random_below(stream, 3) == 0};
}

/* Grown, collapsed, pruned: the same at each step. */
static void compare_steps(const hs_mixed *w, const hs_c45_options *o, bool with_bits)
{
    hsel_error error = {0};
    hs_tree_data data = {0};
    hs_c45 c45 = {0};
    hs_tree finished = {0};
    hs_twin *t = hs_twin_of(w, o);
    assert_ok(hs_tree_data_init(&data, &w->training, &error), error);
    if (!with_bits)
        hs_bit_columns_clear(&data.bits);
    assert_ok(hs_c45_grow(&c45, o, &data, &error), error);
    same_tree(w, &c45.grower.tree, 0, t, false);
    if (o->collapse) {
        hs_c45_collapse(&c45);
        hs_twin_collapse(w, t);
        same_tree(w, &c45.grower.tree, 0, t, false);
    }
    assert_ok(hs_c45_prune(&c45, &error), error);
    hs_twin_prune(w, o, t);
    same_tree(w, &c45.grower.tree, 0, t, false);
    assert_ok(hs_tree_finish(&c45.grower.tree, &finished, &error), error);
    same_tree(w, &finished, 0, t, true);
    hs_tree_clear(&finished);
    hs_c45_clear(&c45);
    hs_tree_data_clear(&data);
}

static void write_model(const hs_classifier *c, const void *model, hs_buf *out)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(out, &writer, &error), error);
    assert_ok(hs_classifier_write(c, model, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

static void predict_all(const hs_classifier *c, const void *model, const hs_mixed *w,
                        double out[][MIXED_CLASSES])
{
    double score[MIXED_CLASSES];
    hsel_error error = {0};
    void *scratch = NULL;
    assert_ok(c->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = 0; i < w->rows; i++)
        assert_ok(hs_predict_one(c, model, w->data, i, NULL, scratch, out[i], score, &error),
                  error);
    c->scratch_free(scratch);
}

/* The method as it is used: fitted, predicting, written and read again. */
static void compare_predictions(const hs_mixed *w, const hs_c45_options *o)
{
    const hs_classifier *c = hs_method_find(HS_CLASSIFIER, "tree", 4)->classifier;
    hsel_error error = {0};
    void *model = NULL, *again = NULL;
    hs_buf bytes = {0};
    double found[MIXED_ROWS][MIXED_CLASSES], reread[MIXED_ROWS][MIXED_CLASSES];
    hs_twin *t = hs_twin_of(w, o);
    if (o->collapse)
        hs_twin_collapse(w, t);
    hs_twin_prune(w, o, t);
    assert_ok(c->fit(&w->training, o, &model, &error), error);
    predict_all(c, model, w, found);
    for (uint32_t i = 0; i < w->rows; i++) {
        double expected[MIXED_CLASSES] = {0};
        hs_twin_predict(w, o, t, NULL, i, 1, expected);
        for (uint32_t k = 0; k < w->classes; k++)
            assert_true(fabs(found[i][k] - expected[k]) < NEAR);
    }
    write_model(c, model, &bytes);
    assert_ok(hs_classifier_read(c, bytes.text, bytes.length, w->data, &again, &error), error);
    predict_all(c, again, w, reread);
    for (uint32_t i = 0; i < w->rows; i++)
        assert_memory_equal(found[i], reread[i], w->classes * sizeof(double));
    hs_buf_clear(&bytes);
    c->free(model);
    c->free(again);
}

static void compare(uint64_t seed, hs_mixture mixture, int rounds)
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "test", 0, 0);
    for (int round = 0; round < rounds; round++) {
        hs_mixed w;
        hs_mixed_new(&w, &stream, mixture);
        hs_c45_options o = random_options(&stream);
        compare_steps(&w, &o, round % 2);
        compare_predictions(&w, &o);
        hs_mixed_free(&w);
    }
}

static void test_binary(void **state)
{
    (void)state;
    compare(1, HS_MIXED_BINARY, 2000);
}

static void test_mixed(void **state)
{
    (void)state;
    compare(2, HS_MIXED_KNOWN, 2000);
}

static void test_missing(void **state)
{
    (void)state;
    uint32_t before = hs_twin_raised();
    compare(3, HS_MIXED_MISSING, 2000);
    assert_true(hs_twin_raised() - before > 100); /* raising was put to the test */
}

static void test_added_errors(void **state)
{
    static const double confidence[] = {0.001, 0.1, 0.25, 0.5};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (double n = 0.3; n < 300; n *= 1.3)
            for (double e = 0; e <= n; e += n / 17) {
                double found = hs_c45_added_errors(n, e, confidence[i]),
                       slow = hs_twin_added_errors(n, e, confidence[i]);
                if (fabs(found - slow) > 1e-7 * (1 + n))
                    fail_msg("n %g, e %g, confidence %g: %.12g, expected %.12g", n, e,
                             confidence[i], found, slow);
            }
    /* Quinlan (1993), page 42: U(0,6) = 0.206, U(0,9) = 0.143, U(0,1) = 0.750 at 25 % */
    assert_true(fabs(hs_c45_added_errors(6, 0, 0.25) / 6 - 0.206) < 5e-4);
    assert_true(fabs(hs_c45_added_errors(9, 0, 0.25) / 9 - 0.143) < 5e-4);
    assert_true(fabs(hs_c45_added_errors(1, 0, 0.25) - 0.750) < 5e-4);
}

/* ---- by hand ---- */

/* Rows of text "101 a": binary features, then the class. */
static hsel_dataset *by_hand(const char *const *rows, uint32_t count, uint32_t features)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t id, label;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features; f++)
        assert_ok(hs_builder_feature(builder, &"pqrst"[f], 1, HSEL_BINARY, &id, &error), error);
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (uint32_t i = 0; i < count; i++) {
        assert_ok(hs_builder_class(builder, rows[i] + features + 1, 1, &label, &error), error);
        assert_ok(hs_builder_row(builder, NULL, 0, label, &error), error);
        for (uint32_t f = 0; f < features; f++)
            if (rows[i][f] == '1')
                assert_ok(hs_builder_positive(builder, f, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

/* What the method says of itself, for the data. */
static void describe(const hsel_dataset *data, const char *method, hs_describe_form form,
                     hs_buf *out)
{
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    hs_view view = hs_view_all(data);
    hs_writer *writer = NULL;
    void *model = NULL;
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, method, &chosen, &error), error);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    const hs_classifier *c = chosen.method->classifier;
    hs_training training = {.view = view, .counts = &counts, .threads = 1};
    assert_ok(c->fit(&training, chosen.options, &model, &error), error);
    assert_ok(hs_writer_open_memory(out, &writer, &error), error);
    assert_ok(c->describe(model, data, form, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
    c->free(model);
    hs_counts_clear(&counts);
    hs_chosen_clear(&chosen);
}

static void shows(const hsel_dataset *data, const char *method, hs_describe_form form,
                  const char *expected)
{
    hs_buf text = {0};
    describe(data, method, form, &text);
    assert_string_equal(text.text, expected);
    hs_buf_clear(&text);
}

/* p says something about the class, but both sides are mostly a: no fewer errors, so it is
 * collapsed. */
static void test_collapse(void **state)
{
    static const char *const rows[] = {"1 a", "1 a", "1 a", "1 a", "0 a",
                                       "0 a", "0 a", "0 b", "0 b"};
    hsel_dataset *data = by_hand(rows, 9, 1);
    (void)state;
    shows(data, "tree:pruning=false,collapse=false", HS_DESCRIBE_TEXT,
          "p = 0: a (5/2)\np = 1: a (4)\n\nleaves: 2, nodes: 3\n");
    shows(data, "tree:pruning=false", HS_DESCRIBE_TEXT, ": a (9/2)\n\nleaves: 1, nodes: 1\n");
    hsel_dataset_free(data);
}

/* p errs once in 9, a leaf twice. At 25 % the split stays, at 0.1 % the leaf is expected to do no
 * worse. */
static void test_pruning(void **state)
{
    static const char *const rows[] = {"1 b", "1 b", "1 a", "0 a", "0 a",
                                       "0 a", "0 a", "0 a", "0 a"};
    hsel_dataset *data = by_hand(rows, 9, 1);
    (void)state;
    double subtree = hs_c45_added_errors(6, 0, 0.25) + 1 + hs_c45_added_errors(3, 1, 0.25);
    assert_true(subtree + 0.1 < 2 + hs_c45_added_errors(9, 2, 0.25));
    shows(data, "tree", HS_DESCRIBE_TEXT, "p = 0: a (6)\np = 1: b (3/1)\n\nleaves: 2, nodes: 3\n");
    subtree = hs_c45_added_errors(6, 0, 0.001) + 1 + hs_c45_added_errors(3, 1, 0.001);
    assert_true(subtree + 0.1 > 2 + hs_c45_added_errors(9, 2, 0.001));
    shows(data, "tree:confidence=0.001", HS_DESCRIBE_TEXT, ": a (9/2)\n\nleaves: 1, nodes: 1\n");
    shows(data, "tree:min=4", HS_DESCRIBE_TEXT, ": a (9/2)\n\nleaves: 1, nodes: 1\n"); /* p has 3 */
    hsel_dataset_free(data);
}

static void test_json(void **state)
{
    static const char *const rows[] = {"11 b", "10 b", "11 b", "01 a",
                                       "00 a", "01 a", "00 a", "01 b"};
    hsel_dataset *data = by_hand(rows, 8, 2);
    (void)state;
    hs_buf json = {0};
    describe(data, "tree", HS_DESCRIBE_JSON, &json);
    assert_non_null(strstr(json.text, "\"feature\": \"p\""));
    assert_non_null(strstr(json.text, "\"leaves\": 2"));
    hs_buf_clear(&json);
    hsel_dataset_free(data);
}

/* Equal features: the first. */
static void test_ties(void **state)
{
    static const char *const rows[] = {"011 b", "011 b", "011 b", "100 a", "100 a", "000 a"};
    hsel_dataset *data = by_hand(rows, 6, 3);
    (void)state;
    shows(data, "tree", HS_DESCRIBE_TEXT, "q = 0: a (3)\nq = 1: b (3)\n\nleaves: 2, nodes: 3\n");
    hsel_dataset_free(data);
}

/* A comb of depth n/2: no recursion anywhere. Numeric values in order, classes by turns. */
static void test_deep(void **state)
{
    const uint32_t n = 3000;
    const hs_classifier *c = hs_method_find(HS_CLASSIFIER, "tree", 4)->classifier;
    hs_c45_options o = {
        .confidence = 0.5, .min = 1, .pruning = true, .raising = true, .mdl = false};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hs_counts counts = {0};
    void *model = NULL, *scratch = NULL;
    uint32_t id;
    double p[2], score[2];
    (void)state;
    assert_ok(hs_builder_new(&builder, &error), error);
    assert_ok(hs_builder_feature(builder, "x", 1, HSEL_NUMERIC, &id, &error), error);
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (uint32_t i = 0; i < n; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, i % 2, &error), error);
        assert_ok(hs_builder_numeric(builder, 0, i, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    hs_view view = hs_view_all(data);
    assert_ok(hs_counts_of(&view, &counts, &error), error);
    hs_training training = {.view = view, .counts = &counts, .threads = 1};
    assert_ok(c->fit(&training, &o, &model, &error), error);
    assert_ok(c->scratch_new(model, &scratch, &error), error);
    assert_ok(hs_predict_one(c, model, data, 17, NULL, scratch, p, score, &error), error);
    assert_true(fabs(p[0] + p[1] - 1) < NEAR);
    c->scratch_free(scratch);
    c->free(model);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* Classes that no feature tells anything about: long chains of splits, raised again and again, on
 * ways that were found before other branches were raised or pruned. When values are missing, lists
 * are sent down instead: the same tree. */
static void test_noise(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 9, "test", 0, 0);
    uint32_t smaller = 0;
    (void)state;
    for (int round = 0; round < 60; round++) {
        hs_random_shape shape = {.instances = 150 + (uint32_t)hs_random_below(&stream, 250),
                                 .features = 20 + (uint32_t)hs_random_below(&stream, 60),
                                 .classes = 2 + (uint32_t)hs_random_below(&stream, 3),
                                 .density = 0.02 + 0.3 * hs_random_double(&stream),
                                 .nominal = round % 3 ? 0 : 0.2,
                                 .numeric = round % 3 ? 0 : 0.1};
        hs_c45_options o = random_options(&stream);
        hsel_error error = {0};
        hs_tree tree[2] = {{0}};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_training training = {.view = hs_view_all(data), .threads = 1};
        o.raising = true;
        for (int way = 0; way < 2; way++) {
            hs_tree_data prepared = {0};
            hs_c45 c45 = {0};
            assert_ok(hs_tree_data_init(&prepared, &training, &error), error);
            assert_false(prepared.has_missing);
            prepared.has_missing = way == 1;
            assert_ok(hs_c45_grow(&c45, &o, &prepared, &error), error);
            uint32_t nodes = c45.grower.tree.nodes;
            assert_ok(hs_c45_prune(&c45, &error), error);
            assert_ok(hs_tree_finish(&c45.grower.tree, &tree[way], &error), error);
            smaller += tree[way].nodes > 1 && tree[way].nodes < nodes;
            hs_c45_clear(&c45);
            hs_tree_data_clear(&prepared);
        }
        assert_int_equal(tree[0].nodes, tree[1].nodes);
        for (uint32_t i = 0; i < tree[0].nodes; i++) {
            assert_int_equal(tree[0].node[i].feature, tree[1].node[i].feature);
            assert_true(tree[0].node[i].threshold == tree[1].node[i].threshold);
            assert_true(fabs(tree[0].weight[i] - tree[1].weight[i]) < NEAR);
        }
        hs_tree_clear(&tree[0]);
        hs_tree_clear(&tree[1]);
        hsel_dataset_free(data);
    }
    assert_true(smaller > 60);
}

/* ---- damage and memory ---- */

static void test_damaged(void **state)
{
    const hs_classifier *c = hs_method_find(HS_CLASSIFIER, "tree", 4)->classifier;
    hs_stream stream;
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 20; round++) {
        hs_mixed w;
        hsel_error error = {0};
        hs_buf bytes = {0};
        void *model = NULL;
        hs_c45_options o = {.confidence = 0.5, .min = 1};
        hs_mixed_new(&w, &stream, HS_MIXED_MISSING);
        assert_ok(c->fit(&w.training, &o, &model, &error), error);
        write_model(c, model, &bytes);
        c->free(model);
        for (size_t i = 0; i < bytes.length; i++) {
            double p[MIXED_ROWS][MIXED_CLASSES];
            unsigned char change = (unsigned char)(1 + hs_random_below(&stream, 255));
            model = NULL;
            assert_int_equal(hs_classifier_read(c, bytes.text, i, w.data, &model, &error),
                             HSEL_EFORMAT);
            assert_string_equal(error.message, "the tree model is truncated or damaged");
            bytes.text[i] = (char)(bytes.text[i] ^ change);
            if (hs_classifier_read(c, bytes.text, bytes.length, w.data, &model, &error) ==
                HSEL_OK) {
                predict_all(c, model, &w, p);
                c->free(model);
            }
            bytes.text[i] = (char)(bytes.text[i] ^ change);
        }
        hs_buf_clear(&bytes);
        hs_mixed_free(&w);
    }
}

static void test_out_of_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 10, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 5; round++) {
        hs_mixed w;
        hs_mixed_new(&w, &stream, HS_MIXED_MISSING);
        hs_oom_each("tree", hs_live_once, &(hs_life){&w.training, "tree:min=1"});
        hs_mixed_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary),   cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_missing),  cmocka_unit_test(test_added_errors),
        cmocka_unit_test(test_collapse), cmocka_unit_test(test_pruning),
        cmocka_unit_test(test_json),     cmocka_unit_test(test_ties),
        cmocka_unit_test(test_deep),     cmocka_unit_test(test_noise),
        cmocka_unit_test(test_damaged),  cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

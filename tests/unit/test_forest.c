/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `forest`: every node of every tree is checked against the instances that its bootstrap brings
 * there, out-of-bag error and importance are computed again cell by cell, and the same forest must
 * come out of any number of threads (parallel_for).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/tree.h"
#include "core/mem.h"
#include "core/progress.h"
#include "data/builder.h"
#include "support/classifier_life.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/mixed_world.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"
#include "support/threads.h"

#define NEAR 1e-9

HS_TEST_USES_THREADS

static const hs_classifier *forest_method(void)
{
    return hs_method_find(HS_CLASSIFIER, "forest", 6)->classifier;
}

static hs_forest *fit(const hs_training *training, const hs_forest_options *o)
{
    hsel_error error = {0};
    void *model = NULL;
    assert_ok(forest_method()->fit(training, o, &model, &error), error);
    return model;
}

/* ---- a tree, node by node ---- */

/* Weight of every row at a node: fractions when values are missing. */
typedef struct at_node {
    double weight[MIXED_ROWS];
} at_node;

static double impurity(const hs_mixed *w, int criterion, const double *count)
{
    double total = 0, sum = 0;
    for (uint32_t c = 0; c < w->classes; c++)
        total += count[c];
    for (uint32_t c = 0; c < w->classes && total > 0; c++) {
        double p = count[c] / total;
        if (criterion == HS_GINI)
            sum += p * (1 - p);
        else
            sum -= p > 1e-12 ? p * log2(p) : 0;
    }
    return total * sum;
}

/* Gain of a test at the node; 0 if fewer than two branches have `min`. */
static double gain_of(const hs_mixed *w, const hs_forest_options *o, const at_node *at,
                      uint32_t feature, double threshold)
{
    double count[MIXED_VALUES][MIXED_CLASSES] = {{0}}, known[MIXED_CLASSES] = {0},
           size[MIXED_VALUES] = {0};
    double total = 0, after = 0;
    uint32_t large = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        uint32_t branch = at->weight[i] > 0 ? hs_mixed_branch(w, i, feature, threshold) : HSEL_NONE;
        total += at->weight[i];
        if (branch == HSEL_NONE)
            continue;
        count[branch][w->label[i]] += at->weight[i];
        known[w->label[i]] += at->weight[i];
        size[branch] += at->weight[i];
    }
    for (uint32_t b = 0; b < MIXED_VALUES; b++) {
        large += size[b] >= o->min - 1e-6;
        after += impurity(w, o->criterion, count[b]);
    }
    return large < 2 ? 0 : (impurity(w, o->criterion, known) - after) / total;
}

/* The largest gain of any test on any feature in use. */
static double best_gain(const hs_mixed *w, const hs_forest_options *o, const at_node *at)
{
    double best = 0;
    for (uint32_t f = 0; f < w->features; f++)
        for (uint32_t i = 0; i < w->rows && w->use[f];
             i++) /* every value that occurs as threshold */
            if (at->weight[i] > 0 && !isnan(w->cell[i][f]))
                best = fmax(best, gain_of(w, o, at, f, w->cell[i][f]));
    return best;
}

static void divide(const hs_mixed *w, const at_node *at, const hs_tree_node *node, uint32_t branch,
                   at_node *out)
{
    double known = 0, here = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        uint32_t b = hs_mixed_branch(w, i, node->feature, node->threshold);
        known += b != HSEL_NONE ? at->weight[i] : 0;
        here += b == branch ? at->weight[i] : 0;
    }
    for (uint32_t i = 0; i < w->rows; i++) {
        uint32_t b = hs_mixed_branch(w, i, node->feature, node->threshold);
        out->weight[i] = b == branch      ? at->weight[i]
                         : b == HSEL_NONE ? at->weight[i] * here / known
                                          : 0;
    }
}

static void check_node(const hs_mixed *w, const hs_forest_options *o, const hs_tree *tree,
                       uint32_t node, const at_node *at, uint32_t level)
{
    double count[MIXED_CLASSES] = {0}, total = 0, most = 0;
    const hs_tree_node *test = tree->node + node;
    for (uint32_t i = 0; i < w->rows; i++)
        if (at->weight[i] > 0) {
            count[w->label[i]] += at->weight[i];
            total += at->weight[i];
        }
    for (uint32_t c = 0; c < w->classes; c++)
        most = fmax(most, count[c]);
    assert_true(fabs(tree->weight[node] - total) < NEAR);
    for (uint32_t c = 0; c < w->classes && total > 1e-6; c++)
        assert_true(fabs(hs_tree_share(tree, node)[c] - count[c] / total) < NEAR);
    double best = best_gain(w, o, at);
    if (test->branches == 0) {
        bool at_end =
            total < 2 * o->min - 1e-6 || total - most <= 1e-6 || (o->depth && level == o->depth);
        const bool few = o->features < w->features; /* those tried may have had no gain */
        assert_true(at_end || best <= 1e-6 + NEAR || (few && !o->retry));
        return;
    }
    assert_true(w->use[test->feature] && test->kind == w->type[test->feature]);
    assert_true(total - most > 1e-6 && (!o->depth || level < o->depth));
    double gain = gain_of(w, o, at, test->feature, test->threshold);
    assert_true(gain > 1e-6 - NEAR && gain <= best + NEAR);
    if (o->features >= w->features)
        assert_true(gain >= best - NEAR); /* all were tried */
    for (uint32_t b = 0; b < test->branches; b++) {
        at_node next;
        divide(w, at, test, b, &next);
        check_node(w, o, tree, test->child + b, &next, level + 1);
    }
}

/* What tree `number` drew, in the order of the training rows. */
static void bootstrap(const hs_tree_data *data, const hs_forest_options *o, uint64_t seed,
                      uint32_t number, uint32_t *drawn)
{
    hsel_error error = {0};
    hs_forest_grower grower = {0};
    hs_tree tree = {0};
    assert_ok(hs_forest_grower_init(&grower, o, data, &error), error);
    assert_ok(hs_forest_grow(&grower, seed, number, &tree, &error), error);
    hs_tree_clear(&tree);
    memcpy(drawn, grower.drawn, data->rows * sizeof *drawn);
    hs_tree_grower_clear(&grower.grower);
}

static uint32_t largest(const double *value, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        best = value[i] > value[best] ? i : best;
    return best;
}

/* Out-of-bag scores and error, and importance by impurity, again. */
static void check_measures(const hs_mixed *w, const hs_forest_options *o, const hs_forest *forest,
                           const hs_tree_data *data)
{
    uint32_t covered = 0, wrong = 0, drawn[MIXED_ROWS];
    double votes[MIXED_ROWS][MIXED_CLASSES] = {{0}}, importance[MIXED_FEATURES] = {0}, sum = 0;
    uint32_t out[MIXED_ROWS] = {0}; /* trees */
    hs_tree_pending *pending = malloc(1000 * sizeof *pending);
    for (uint32_t t = 0; t < forest->trees; t++) {
        const hs_tree *tree = forest->tree + t;
        assert_true(tree->nodes < 1000);
        bootstrap(data, o, w->training.seed, t, drawn);
        for (uint32_t i = 0; i < data->rows; i++)
            if (!drawn[i]) {
                hs_tree_case x = {
                    .data = w->data, .instance = data->row[i], .other_feature = HSEL_NONE};
                hs_tree_predict(tree, &x, false, pending, votes[i]);
                out[i]++;
            }
        for (uint32_t n = 0; n < tree->nodes; n++) {
            double count[MIXED_CLASSES], decrease = 0;
            for (uint32_t b = 0; b <= tree->node[n].branches && tree->node[n].branches; b++) {
                uint32_t at = b == 0 ? n : tree->node[n].child + b - 1;
                for (uint32_t c = 0; c < w->classes; c++)
                    count[c] = hs_tree_share(tree, at)[c] * tree->weight[at];
                decrease += (b == 0 ? 1 : -1) * impurity(w, o->criterion, count);
            }
            if (tree->node[n].branches)
                importance[tree->node[n].feature] += fmax(decrease, 0);
            sum += fmax(decrease, 0);
        }
    }
    free(pending);
    for (uint32_t i = 0; i < data->rows; i++) {
        covered += out[i] > 0;
        for (uint32_t c = 0; c < w->classes; c++) {
            const double share = out[i] ? votes[i][c] / out[i]
                                        : (double)w->counts.class_size[c] / data->rows,
                         other = out[i] ? votes[i][0] / out[i]
                                        : (double)w->counts.class_size[0] / data->rows;
            if (w->classes > 2 || c == 1)
                assert_true(fabs(w->training.own_score[w->classes > 2 ? i * w->classes + c : i] -
                                 (w->classes > 2 ? share : share - other)) < NEAR);
        }
        wrong += out[i] && largest(votes[i], w->classes) != w->label[data->row[i]];
    }
    assert_int_equal(forest->out_of_bag, covered);
    assert_true(covered ? fabs(forest->error - (double)wrong / covered) < NEAR
                        : isnan(forest->error));
    for (uint32_t f = 0; f < w->features; f++)
        assert_true(fabs(forest->importance[f] - (sum > 0 ? importance[f] / sum : 0)) < NEAR);
}

static void check_forest(hs_mixed *w, const hs_forest_options *o)
{
    double own[MIXED_ROWS * MIXED_CLASSES];
    hsel_error error = {0};
    hs_tree_data data = {0};
    w->training.own_score = own;
    w->training.counts = &w->counts;
    hs_forest *forest = fit(&w->training, o);
    assert_ok(hs_tree_data_init(&data, &w->training, &error), error);
    for (uint32_t t = 0; t < forest->trees; t++) {
        uint32_t drawn[MIXED_ROWS], sum = 0;
        at_node root = {{0}};
        bootstrap(&data, o, w->training.seed, t, drawn);
        for (uint32_t i = 0; i < data.rows; i++) {
            root.weight[data.row[i]] = drawn[i];
            sum += drawn[i];
            assert_true(o->bootstrap || drawn[i] == 1);
        }
        assert_int_equal(sum, data.rows);
        check_node(w, o, forest->tree + t, 0, &root, 0);
    }
    check_measures(w, o, forest, &data);
    w->training.own_score = NULL;
    w->training.lean = true; /* the same trees, but nothing out of the bag */
    hs_forest *lean = fit(&w->training, o);
    w->training.lean = false;
    assert_true(lean->out_of_bag == 0 && isnan(lean->error));
    for (uint32_t t = 0; t < forest->trees; t++) {
        assert_int_equal(lean->tree[t].nodes, forest->tree[t].nodes);
        assert_memory_equal(lean->tree[t].weight, forest->tree[t].weight,
                            forest->tree[t].nodes * sizeof(double));
    }
    forest_method()->free(lean);
    hs_tree_data_clear(&data);
    forest_method()->free(forest);
}

static void test_trees(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 600; round++) {
        hs_mixed w;
        hs_mixed_new(&w, &stream, (hs_mixture)(round % 3));
        hs_forest_options o = {.trees = 1 + (uint32_t)hs_random_below(&stream, 5),
                               .retry = round % 2,
                               .bootstrap = round % 5 > 0,
                               .features = (uint32_t)hs_random_below(&stream, MIXED_FEATURES + 1),
                               .depth = hs_random_below(&stream, 3) ? 0 : 3,
                               .min = 1 + (uint32_t)hs_random_below(&stream, 3),
                               .criterion = (int)hs_random_below(&stream, 2)};
        w.training.seed = (uint64_t)round;
        check_forest(&w, &o);
        hs_mixed_free(&w);
    }
}

/* Binary values are counted by columns, bits or rows: the same trees. */
static void test_ways_of_counting(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        hs_mixed w;
        hsel_error error = {0};
        hs_forest_options o = {.trees = 1, .bootstrap = true, .features = 2, .min = 1};
        hs_tree trees[2] = {{0}};
        hs_mixed_new(&w, &stream, HS_MIXED_BINARY);
        for (int way = 0; way < 2; way++) {
            hs_tree_data data = {0};
            hs_forest_grower grower = {0};
            assert_ok(hs_tree_data_init(&data, &w.training, &error), error);
            if (way)
                hs_bit_columns_clear(&data.bits);
            assert_ok(hs_forest_grower_init(&grower, &o, &data, &error), error);
            assert_ok(hs_forest_grow(&grower, 7, 0, &trees[way], &error), error);
            hs_tree_grower_clear(&grower.grower);
            hs_tree_data_clear(&data);
        }
        assert_int_equal(trees[0].nodes, trees[1].nodes);
        for (uint32_t i = 0; i < trees[0].nodes; i++) {
            assert_int_equal(trees[0].node[i].feature, trees[1].node[i].feature);
            assert_true(trees[0].weight[i] == trees[1].weight[i]);
        }
        hs_tree_clear(&trees[0]);
        hs_tree_clear(&trees[1]);
        hs_mixed_free(&w);
    }
}

/* ---- the draws of a node, on larger and sparser sets ---- */

typedef struct twin {
    const hs_tree_data *data;
    const hs_forest_options *o;
    double *weight; /* [nodes * rows], by the place in data->row */
} twin;

/* Gain of a test at a node, instance by instance. */
static double twin_gain(const twin *t, const double *weight, const hs_tree_node *test)
{
    double count[16][4] = {{0}}, known[4] = {0}, size[16] = {0}, total = 0, of_known = 0, after = 0;
    uint32_t large = 0;
    hs_mixed only_classes = {.classes = t->data->classes};
    hs_tree_case x = {.data = t->data->data, .other_feature = HSEL_NONE};
    for (uint32_t i = 0; i < t->data->rows; i++) {
        x.instance = t->data->row[i];
        uint32_t label = x.data->class_of[x.instance], branch = hs_tree_branch(test, &x);
        total += weight[i];
        if (branch == HSEL_NONE)
            continue;
        count[branch][label] += weight[i];
        known[label] += weight[i];
        size[branch] += weight[i];
    }
    for (uint32_t b = 0; b < test->branches; b++) {
        large += size[b] > t->o->min - 1e-6;
        after += impurity(&only_classes, t->o->criterion, count[b]);
    }
    of_known = impurity(&only_classes, t->o->criterion, known);
    return large < 2 ? 0 : (of_known - after) / total;
}

/* The best gain of a feature; with `threshold` of one test on it. */
static double twin_best(const twin *t, const double *weight, uint32_t f, const double *threshold)
{
    const hsel_dataset *data = t->data->data;
    hs_tree_node test = {f, data->types[f], 0, 2, threshold ? *threshold : 0};
    double best = 0;
    if (data->types[f] == HSEL_NOMINAL)
        test.branches = hs_tree_nominal(t->data, f)->values.count;
    if (data->types[f] != HSEL_NUMERIC || threshold)
        return twin_gain(t, weight, &test);
    for (uint32_t i = 0; i < t->data->rows; i++) { /* every value that occurs as threshold */
        test.threshold = hs_dataset_value(data, f, t->data->row[i]);
        if (weight[i] > 0 && !isnan(test.threshold))
            best = fmax(best, twin_gain(t, weight, &test));
    }
    return best;
}

static void twin_divide(const twin *t, uint32_t node, const hs_tree_node *test)
{
    const uint32_t rows = t->data->rows;
    const double *from = t->weight + (size_t)node * rows;
    double known = 0, size[16] = {0};
    hs_tree_case x = {.data = t->data->data, .other_feature = HSEL_NONE};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < rows; i++) {
            x.instance = t->data->row[i];
            uint32_t branch = hs_tree_branch(test, &x);
            if (pass == 0 && branch != HSEL_NONE) {
                known += from[i];
                size[branch] += from[i];
            }
            for (uint32_t b = 0; pass == 1 && b < test->branches; b++)
                t->weight[(size_t)(test->child + b) * rows + i] = branch == b ? from[i]
                                                                  : branch == HSEL_NONE
                                                                      ? from[i] * size[b] / known
                                                                      : 0;
        }
}

/* Grows along: at every node of the tree the same features are drawn, all of them are counted, and
 * the test must be the best; then the random numbers that are left are the same, too. */
static void check_draws(const hs_tree_data *data, const hs_forest_options *o, uint32_t number)
{
    hsel_error error = {0};
    hs_forest_grower grower = {0};
    hs_tree tree = {0};
    hs_stream stream;
    const uint32_t rows = data->rows, features = data->features,
                   tried = hs_forest_tried(o, features);
    assert_ok(hs_forest_grower_init(&grower, o, data, &error), error);
    assert_ok(hs_forest_grow(&grower, 3, number, &tree, &error), error);
    twin t = {data, o, calloc((size_t)tree.nodes * rows, sizeof(double))};
    uint32_t *order = malloc(features * sizeof *order);
    memcpy(order, data->feature, features * sizeof *order);
    hs_stream_init(&stream, 3, "forest", number, 0);
    for (uint32_t i = 0; i < rows; i++)
        t.weight[hs_random_below(&stream, rows)]++;
    for (uint32_t n = 0; n < tree.nodes; n++) {
        const double *weight = t.weight + (size_t)n * rows;
        const hs_tree_node *node = tree.node + n;
        double count[4] = {0}, total = 0, most = 0, best = 0, chosen = 0;
        for (uint32_t i = 0; i < rows; i++)
            count[data->data->class_of[data->row[i]]] += weight[i];
        for (uint32_t c = 0; c < data->classes; c++) {
            total += count[c];
            most = fmax(most, count[c]);
        }
        assert_true(fabs(total - tree.weight[n]) < NEAR);
        if (total < 2 * o->min - 1e-6 || total - most <= 1e-6) {
            assert_int_equal(node->branches, 0);
            continue;
        }
        for (uint32_t i = 0; i < features && (i < tried || (best <= 1e-6 && o->retry)); i++) {
            uint32_t at = i + (uint32_t)hs_random_below(&stream, features - i), f = order[at];
            order[at] = order[i];
            order[i] = f;
            best = fmax(best, twin_best(&t, weight, f, NULL));
            if (f == node->feature)
                chosen = twin_best(&t, weight, f, &node->threshold);
        }
        assert_true(best > 1e-6 ? node->branches >= 2 && chosen >= best - NEAR
                                : node->branches == 0);
        if (node->branches)
            twin_divide(&t, n, node);
    }
    assert_memory_equal(stream.counter, grower.stream.counter, sizeof stream.counter);
    free(order);
    free(t.weight);
    hs_tree_clear(&tree);
    hs_tree_grower_clear(&grower.grower);
}

/* Answers for many instances at once, to the last bit those of one after the other. */
static void check_blocks(const hs_training *training, const hs_forest_options *o, hs_stream *stream)
{
    enum { MANY = 150 };
    hsel_error error = {0};
    const hs_classifier *c = forest_method();
    const hsel_dataset *data = training->view.data;
    hs_forest *forest = fit(training, o);
    uint32_t instances[MANY], most = 0;
    double p[MANY * 4], score[MANY * 4];
    void *scratch = NULL;
    for (uint32_t i = 0; i < MANY; i++)
        instances[i] = (uint32_t)hs_random_below(stream, data->instances);
    hs_batch batch = {data, instances, MANY, NULL};
    assert_ok(c->scratch_new(forest, &scratch, &error), error);
    for (int again = 0; again < 2; again++) /* the scratch is as it was */
        assert_ok(c->predict(forest, &batch, scratch, p, score, &error), error);
    for (uint32_t t = 0; t < forest->trees; t++)
        most = forest->tree[t].nodes > most ? forest->tree[t].nodes : most;
    hs_tree_pending *pending = malloc(most * sizeof *pending);
    for (uint32_t i = 0; i < MANY; i++) {
        hs_tree_case x = {.data = data, .instance = instances[i], .other_feature = HSEL_NONE};
        double sum[4] = {0};
        for (uint32_t t = 0; t < forest->trees; t++)
            hs_tree_predict(forest->tree + t, &x, false, pending, sum);
        for (uint32_t k = 0; k < forest->classes; k++)
            assert_true(p[i * forest->classes + k] == sum[k] / forest->trees);
    }
    free(pending);
    c->scratch_free(scratch);
    c->free(forest);
}

static void test_larger(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 10, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 60; round++) {
        hsel_error error = {0};
        hs_tree_data prepared = {0};
        hs_random_shape shape = {.instances = 40 + (uint32_t)hs_random_below(&stream, 100),
                                 .features = 10 + (uint32_t)hs_random_below(&stream, 200),
                                 .classes = 2 + (uint32_t)hs_random_below(&stream, 3),
                                 .density = 0.01 + 0.1 * hs_random_double(&stream),
                                 .numeric = round % 3 ? 0 : 0.05,
                                 .nominal = round % 3 ? 0 : 0.1,
                                 .missing = round % 6 ? 0 : 0.1,
                                 .unlabelled = 0.1};
        hs_forest_options o = {.trees = 5,
                               .bootstrap = true,
                               .features = (uint32_t)hs_random_below(&stream, 6),
                               .min = 1 + (uint32_t)hs_random_below(&stream, 2),
                               .criterion = (int)hs_random_below(&stream, 2),
                               .retry = round % 4 != 1};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_training training = {.view = hs_view_all(data), .seed = 3, .threads = 1};
        assert_ok(hs_tree_data_init(&prepared, &training, &error), error);
        if (round % 2)
            hs_bit_columns_clear(&prepared.bits);
        for (uint32_t t = 0; t < 3; t++)
            check_draws(&prepared, &o, t);
        check_blocks(&training, &o, &stream);
        hs_tree_data_clear(&prepared);
        hsel_dataset_free(data);
    }
}

static void test_features_tried(void **state)
{
    hs_forest_options o = {.features = 0};
    (void)state;
    for (uint32_t count = 0; count < 1000; count++) {
        const uint32_t root = hs_forest_tried(&o, count);
        assert_true(root * root <= count && (root + 1) * (root + 1) > count);
    }
    o.rule = HS_TRY_LOG2;
    assert_int_equal(hs_forest_tried(&o, 0), 0);
    assert_int_equal(hs_forest_tried(&o, 1), 1);
    assert_int_equal(hs_forest_tried(&o, 2), 2);
    assert_int_equal(hs_forest_tried(&o, 7), 3);
    assert_int_equal(hs_forest_tried(&o, 8), 4);
    assert_int_equal(hs_forest_tried(&o, 991), 10);
    assert_int_equal(hs_forest_tried(&o, 1024), 11);
    o.features = 5;
    assert_int_equal(hs_forest_tried(&o, 991), 5);
    assert_int_equal(hs_forest_tried(&o, 3), 3);
}

/* ---- a larger set, with one feature that says the class ---- */

#define ROWS     300
#define FEATURES 40
#define PLANTED  23

static hsel_dataset *planted_data(hs_stream *stream)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t id;
    char name[16];
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < FEATURES; f++) {
        snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, strlen(name), HSEL_BINARY, &id, &error), error);
    }
    assert_ok(hs_builder_class(builder, "a", 1, &id, &error), error);
    assert_ok(hs_builder_class(builder, "b", 1, &id, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t label = (uint32_t)hs_random_below(stream, 2);
        assert_ok(hs_builder_row(builder, NULL, 0, label, &error), error);
        for (uint32_t f = 0; f < FEATURES; f++)
            if (f == PLANTED ? label ^ (hs_random_double(stream) < 0.1)
                             : hs_random_double(stream) < 0.2)
                assert_ok(hs_builder_positive(builder, f, &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

static void bytes_of(const hs_training *training, const hs_forest_options *o, hs_buf *out)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    hs_forest *forest = fit(training, o);
    assert_ok(hs_writer_open_memory(out, &writer, &error), error);
    assert_ok(hs_classifier_write(forest_method(), forest, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
    forest_method()->free(forest);
}

static void test_planted(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    hsel_error error = {0};
    hs_counts counts = {0};
    hs_forest_options o = {
        .trees = 50, .bootstrap = true, .min = 1, .permutation = true, .corrected = true};
    hs_buf bytes[4] = {{0}};
    (void)state;
    hsel_dataset *data = planted_data(&stream);
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .seed = 5, .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    hs_forest *forest = fit(&training, &o);
    for (uint32_t f = 0; f < FEATURES; f++)
        if (f != PLANTED) {
            assert_true(forest->importance[PLANTED] > 3 * forest->importance[f]);
            assert_true(forest->permutation[PLANTED] > 3 * forest->permutation[f]);
            assert_true(forest->corrected[PLANTED] > 10 * fabs(forest->corrected[f]));
        }
    assert_true(forest->error < 0.2 && forest->error > 0.02); /* a tenth of the classes are wrong */
    assert_int_equal(forest->out_of_bag, ROWS);
    forest_method()->free(forest);
    static const int threads[] = {1, 2, 8, 1};
    for (int i = 0; i < 4; i++) {
        training.threads = threads[i];
        training.seed = i < 3 ? 5 : 6;
        bytes_of(&training, &o, &bytes[i]);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(bytes[0].length, bytes[i].length);
        assert_memory_equal(bytes[0].text, bytes[i].text, bytes[0].length);
    }
    assert_false(bytes[0].length == bytes[3].length &&
                 !memcmp(bytes[0].text, bytes[3].text, bytes[0].length));
    for (int i = 0; i < 4; i++)
        hs_buf_clear(&bytes[i]);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

struct asked {
    unsigned times, last; /* last: stops then; 0: never */
};

static int count_asked(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct asked *asked = context;
    (void)done, (void)total, (void)what;
    return ++asked->times == asked->last;
}

/* What takes longer than to grow the trees can be stopped: importance by permutation, and the
 * forest of corrected importance. */
static void test_importance_can_be_stopped(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 17, "forest", 1, 0);
    hsel_dataset *data = planted_data(&stream);
    hs_counts counts = {0};
    hsel_error error = {0};
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .seed = 5, .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    struct asked asked[3] = {{0}};
    for (int how = 0; how < 3; how++) {
        const hs_forest_options o = {.trees = 5,
                                     .bootstrap = true,
                                     .min = 1,
                                     .permutation = how == 1,
                                     .corrected = how == 2};
        const hs_progress progress = {.report = count_asked, .context = &asked[how]};
        training.progress = &progress;
        forest_method()->free(fit(&training, &o));
        if (how == 0)
            continue;
        assert_true(asked[how].times >= asked[0].times + o.trees);
        void *model = NULL;
        asked[how] = (struct asked){.last = asked[how].times};
        assert_int_equal(forest_method()->fit(&training, &o, &model, &error), HSEL_ECANCELLED);
        assert_null(model);
    }
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* n draws from n leave out (1 - 1/n)^n of them. */
static void test_bootstrap_leaves_out_a_third(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    hsel_error error = {0};
    hs_counts counts = {0};
    hs_tree_data prepared = {0};
    hs_forest_options o = {.trees = 1, .bootstrap = true, .min = 1};
    double left_out = 0;
    (void)state;
    hsel_dataset *data = planted_data(&stream);
    hs_training training = {.view = hs_view_all(data), .counts = &counts, .threads = 1};
    assert_ok(hs_tree_data_init(&prepared, &training, &error), error);
    for (uint32_t t = 0; t < 200; t++) {
        uint32_t drawn[ROWS], sum = 0;
        bootstrap(&prepared, &o, 1, t, drawn);
        for (uint32_t i = 0; i < ROWS; i++) {
            sum += drawn[i];
            left_out += drawn[i] == 0;
        }
        assert_int_equal(sum, ROWS);
    }
    assert_true(fabs(left_out / (200.0 * ROWS) - pow(1 - 1.0 / ROWS, ROWS)) < 0.005);
    hs_tree_data_clear(&prepared);
    hsel_dataset_free(data);
}

/* ---- bad input ---- */

/* No feature in use: the shares of the classes, to the last digit. */
static void test_no_features(void **state)
{
    static const char *const methods[] = {"tree:laplace=false", "forest"};
    hs_stream stream;
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 50; round++)
        for (int m = 0; m < 2; m++) {
            hs_mixed w;
            hsel_error error = {0};
            hs_chosen chosen = {0};
            uint64_t nothing[1] = {0};
            void *model = NULL, *scratch = NULL;
            double p[MIXED_CLASSES], score[MIXED_CLASSES];
            hs_mixed_new(&w, &stream, HS_MIXED_MISSING);
            w.training.view.features = nothing;
            assert_ok(hs_chosen_parse(HS_CLASSIFIER, methods[m], &chosen, &error), error);
            const hs_classifier *c = chosen.method->classifier;
            assert_ok(c->fit(&w.training, chosen.options, &model, &error), error);
            assert_ok(c->scratch_new(model, &scratch, &error), error);
            assert_ok(hs_predict_one(c, model, w.data, 0, NULL, scratch, p, score, &error), error);
            for (uint32_t k = 0; k < w.classes; k++) {
                double all = w.counts.instances;
                assert_true(
                    fabs(p[k] - (all > 0 ? w.counts.class_size[k] / all : 1.0 / w.classes)) < NEAR);
            }
            c->scratch_free(scratch);
            c->free(model);
            hs_chosen_clear(&chosen);
            hs_mixed_free(&w);
        }
}

static void test_no_drawing(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    hsel_error error = {0};
    hs_mixed w;
    hs_buf buffer = {0};
    hs_writer *writer = NULL;
    hs_forest_options o = {.trees = 3, .bootstrap = true, .min = 1};
    (void)state;
    hs_mixed_new(&w, &stream, HS_MIXED_KNOWN);
    hs_forest *forest = fit(&w.training, &o);
    assert_ok(hs_writer_open_memory(&buffer, &writer, &error), error);
    assert_ok(forest_method()->describe(forest, w.data, HS_DESCRIBE_TEXT, writer, &error), error);
    assert_ok(forest_method()->describe(forest, w.data, HS_DESCRIBE_JSON, writer, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_non_null(strstr(buffer.text, "3 trees of "));
    assert_non_null(strstr(buffer.text, "\"out_of_bag_error\": "));
    hs_buf_clear(&buffer);
    forest_method()->free(forest);
    hs_mixed_free(&w);
}

static void test_damaged(void **state)
{
    const hs_classifier *c = forest_method();
    hs_stream stream;
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 10; round++) {
        hs_mixed w;
        hsel_error error = {0};
        hs_buf bytes = {0};
        hs_forest_options o = {.trees = 3,
                               .bootstrap = true,
                               .min = 1,
                               .permutation = round % 2,
                               .corrected = round % 3 == 0};
        hs_mixed_new(&w, &stream, HS_MIXED_MISSING);
        bytes_of(&w.training, &o, &bytes);
        for (size_t i = 0; i < bytes.length; i++) {
            unsigned char change = (unsigned char)(1 + hs_random_below(&stream, 255));
            void *model = NULL, *scratch = NULL;
            double p[MIXED_CLASSES], score[MIXED_CLASSES];
            assert_int_equal(hs_classifier_read(c, bytes.text, i, w.data, &model, &error),
                             HSEL_EFORMAT);
            assert_string_equal(error.message, "the forest model is truncated or damaged");
            bytes.text[i] = (char)(bytes.text[i] ^ change);
            if (hs_classifier_read(c, bytes.text, bytes.length, w.data, &model, &error) ==
                HSEL_OK) {
                assert_ok(c->scratch_new(model, &scratch, &error), error);
                assert_ok(hs_predict_one(c, model, w.data, 0, NULL, scratch, p, score, &error),
                          error);
                c->scratch_free(scratch);
                c->free(model);
            }
            bytes.text[i] = (char)(bytes.text[i] ^ change);
        }
        hs_buf_clear(&bytes);
        hs_mixed_free(&w);
    }
}

/* ---- lineages ---- */

static bool is_above(const hsel_dag *dag, uint32_t a, uint32_t b)
{
    size_t count;
    const uint32_t *parent = hs_parents(dag, b, &count);
    for (size_t i = 0; i < count; i++)
        if (parent[i] == a || is_above(dag, a, parent[i]))
            return true;
    return false;
}

/* Pairs of features in a tree of which one is above the other. */
static size_t count_related(const hs_forest *forest, const hsel_dag *dag)
{
    size_t pairs = 0;
    for (const hs_tree *t = forest->tree; t < forest->tree + forest->trees; t++)
        for (uint32_t i = 0; i < t->nodes; i++)
            for (uint32_t j = 0; j < t->nodes; j++)
                pairs += t->node[i].branches && t->node[j].branches &&
                         is_above(dag, t->node[i].feature, t->node[j].feature);
    return pairs;
}

static void test_lineage(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 9, "test", 0, 0);
    size_t related = 0, splits = 0;
    (void)state;
    for (int round = 0; round < 60; round++) {
        hs_random_shape shape = {.instances = 40,
                                 .features = 12,
                                 .classes = 2 + (uint32_t)hs_random_below(&stream, 2),
                                 .density = 0.4,
                                 .parents = 1.2,
                                 .numeric = round % 3 * 0.4,
                                 .missing = round % 2 * 0.1,
                                 .true_path = true};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_forest_options o = {.trees = 5, .bootstrap = true, .min = 1, .lineage = HS_LINEAGE_ONE};
        hsel_error error = {0};
        HS_OWNS(hs_counts_clear) hs_counts counts = {0};
        hs_training training = {.view = hs_view_all(data), .seed = 3, .threads = 1 + round % 2};
        assert_ok(hs_counts_of(&training.view, &counts, &error), error);
        training.counts = &counts;
        hs_forest *one = fit(&training, &o);
        o.lineage = HS_LINEAGE_ANY;
        hs_forest *any = fit(&training, &o);
        assert_int_equal(count_related(one, data->dag), 0);
        related += count_related(any, data->dag);
        for (uint32_t t = 0; t < one->trees; t++)
            splits += one->tree[t].nodes > 1;
        forest_method()->free(one);
        forest_method()->free(any);
        hs_dag_free(data->dag);
        data->dag = NULL;
        o.lineage = HS_LINEAGE_ONE;
        void *model = NULL;
        assert_int_equal(forest_method()->fit(&training, &o, &model, &error), HSEL_EUSAGE);
        hsel_dataset_free(data);
    }
    assert_true(related > 500 && splits > 250);
}

static void test_out_of_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 5; round++) {
        hs_mixed w;
        hs_mixed_new(&w, &stream, HS_MIXED_MISSING);
        hs_oom_each("forest", hs_live_once,
                    &(hs_life){&w.training, "forest:trees=3,min=1,permutation,corrected"});
        hs_mixed_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lineage),
                                       cmocka_unit_test(test_trees),
                                       cmocka_unit_test(test_ways_of_counting),
                                       cmocka_unit_test(test_larger),
                                       cmocka_unit_test(test_features_tried),
                                       cmocka_unit_test(test_planted),
                                       cmocka_unit_test(test_importance_can_be_stopped),
                                       cmocka_unit_test(test_bootstrap_leaves_out_a_third),
                                       cmocka_unit_test(test_no_features),
                                       cmocka_unit_test(test_no_drawing),
                                       cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

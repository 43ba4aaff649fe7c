/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers predicted: metrics by their formulas, `knn` by all distances, every tree of `forest` node
 * by node from what its bootstrap drew, cross-validation as training and predicting fold by fold,
 * models through files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/tree.h"
#include "core/mem.h"
#include "data/classes.h"
#include "learn/crossval.h"
#include "learn/model.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"
#include "support/model_data.h"

#define NEAR 1e-9

HS_TEST_USES_THREADS

/* All numbers are known, or some are not. */
static hsel_dataset *random_numbers(hs_stream *stream, uint32_t instances, double nominal,
                                    bool unknown)
{
    hs_random_shape shape = {.instances = instances,
                             .features = 3 + (uint32_t)hs_random_below(stream, 9),
                             .classes = 2,
                             .density = 0.4,
                             .numeric = 0.4,
                             .nominal = nominal};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    hs_random_target(stream, data);
    hs_free(hs_take(&data->covariates));
    for (uint32_t i = 0; i < instances; i++)
        if (isnan(data->target[i]) && !unknown)
            data->target[i] = i % 5;
    return data;
}

/* ---- metrics ---- */

static double slow_rank(const double *value, const uint32_t *member, uint32_t size, uint32_t i)
{
    double rank = 0.5;
    for (uint32_t j = 0; j < size; j++)
        rank += value[member[j]] < value[member[i]]    ? 1
                : value[member[j]] == value[member[i]] ? 0.5
                                                       : 0;
    return rank;
}

static double slow_correlation(const double *a, const double *b, uint32_t size)
{
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t i = 0; i < size; i++) {
        sum_a += a[i];
        sum_b += b[i];
    }
    for (uint32_t i = 0; i < size; i++) {
        double x = a[i] - sum_a / size, y = b[i] - sum_b / size;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    return aa > 1e-20 && bb > 1e-20 ? ab / sqrt(aa * bb) : (double)NAN;
}

static void slow_metrics(const double *target, const double *predicted, const uint32_t *member,
                         uint32_t size, double *out)
{
    double squares = 0, absolute = 0, mean = 0, spread = 0, x[64], y[64], rx[64], ry[64];
    for (uint32_t i = 0; i < size; i++) {
        x[i] = target[member[i]];
        y[i] = predicted[member[i]];
        rx[i] = slow_rank(target, member, size, i);
        ry[i] = slow_rank(predicted, member, size, i);
        squares += (x[i] - y[i]) * (x[i] - y[i]);
        absolute += fabs(x[i] - y[i]);
        mean += x[i] / size;
    }
    for (uint32_t i = 0; i < size; i++)
        spread += (x[i] - mean) * (x[i] - mean);
    out[0] = sqrt(squares / size);
    out[1] = absolute / size;
    out[2] = spread > 1e-20 ? 1 - squares / spread : (double)NAN;
    out[3] = slow_correlation(rx, ry, size);
    out[4] = slow_correlation(x, y, size);
}

static void assert_same(double a, double b)
{
    if (!(isnan(a) && isnan(b)) && !(fabs(a - b) < 1e-8 * (1 + fabs(b))))
        fail_msg("%.17g, not %.17g", a, b);
}

static void test_metrics(void **state)
{
    (void)state;
    static const hs_metric metrics[] = {HS_METRIC_RMSE, HS_METRIC_MAE, HS_METRIC_R2,
                                        HS_METRIC_SPEARMAN, HS_METRIC_PEARSON};
    hs_stream stream;
    hs_stream_init(&stream, 1, "regression", 0, 0);
    for (int round = 0; round < 500; round++) {
        uint32_t n = 4 + (uint32_t)hs_random_below(&stream, 40), fold_of[64], member[64];
        double target[64], predicted[64], want[5], sum[5] = {0}, count[5] = {0};
        for (uint32_t i = 0; i < n; i++) { /* few values: ties, constant folds */
            target[i] = (double)hs_random_below(&stream, 2 + (uint64_t)round % 9) / 4 - 1;
            predicted[i] = (double)hs_random_below(&stream, 2 + (uint64_t)round % 7) / 4 - 1;
            fold_of[i] = i % 3;
            member[i] = i;
        }
        hs_predictions p = {.instances = n,
                            .folds = 3,
                            .positive_class = HSEL_NONE,
                            .target = target,
                            .score = predicted,
                            .fold_of = fold_of,
                            .features = 1};
        hs_scores found;
        hsel_error error = {0};
        assert_ok(hs_metrics_compute(&p, &found, &error), error);
        slow_metrics(target, predicted, member, n, want);
        for (int m = 0; m < 5; m++)
            assert_same(found.pooled[metrics[m]], want[m]);
        for (uint32_t f = 0; f < 3; f++) {
            uint32_t size = 0;
            for (uint32_t i = f; i < n; i += 3)
                member[size++] = i;
            slow_metrics(target, predicted, member, size, want);
            for (int m = 0; m < 5; m++) {
                sum[m] += isnan(want[m]) ? 0 : want[m];
                count[m] += !isnan(want[m]);
            }
        }
        for (int m = 0; m < 5; m++)
            assert_same(found.fold_mean[metrics[m]], metrics[m] == HS_METRIC_R2
                                                         ? found.pooled[metrics[m]]
                                                     : count[m] > 0 ? sum[m] / count[m]
                                                                    : (double)NAN);
        for (int m = 0; m < HS_METRICS; m++) /* of others there is no value */
            assert_int_equal(isnan(found.pooled[m]) && !hs_metric_fits((hs_metric)m, true),
                             !hs_metric_fits((hs_metric)m, true));
    }
}

/* ---- rankers ---- */

static void test_rankers(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 7, "regression", 0, 0);
    for (int round = 0; round < 200; round++) {
        hsel_dataset *data = random_numbers(&stream, 30, 0, round % 3 == 0);
        hsel_error error = {0};
        static const char names[] = "pearson\0spearman";
        HS_OWNED double *scores = HS_NEW(double, 2 * (size_t)data->features);
        hsel_request request = {
            .size = sizeof request, .rankers = names, .ranker_count = 2, .threads = 1};
        for (uint32_t k = 0; k < data->numeric_count; k++) /* no number beyond all measure */
            for (uint32_t i = 0; i < data->numeric[k].count; i++) {
                double *value = &data->numeric[k].values[i];
                if (!(fabs(*value) < 1e6) || (*value != 0 && fabs(*value) < 1e-6))
                    *value = i % 4 + 0.5;
            }
        assert_ok(hsel_rank(data, &request, scores, &error), error);
        for (uint32_t f = 0; f < data->features; f++) {
            double x[30], y[30], rx[30], ry[30];
            uint32_t known = 0, member[30];
            for (uint32_t i = 0; i < data->instances; i++)
                if (hs_has_label(data, i)) {
                    member[known] = known;
                    x[known] = hs_dataset_value(data, f, i);
                    y[known++] = data->target[i];
                }
            for (uint32_t i = 0; i < known; i++) {
                rx[i] = slow_rank(x, member, known, i);
                ry[i] = slow_rank(y, member, known, i);
            }
            double pearson = slow_correlation(x, y, known),
                   spearman = slow_correlation(rx, ry, known);
            if (isnan(spearman)) {
                assert_true(!(scores[f] > -1) && !(scores[data->features + f] > -1));
                continue;
            }
            assert_same(scores[f], fabs(pearson));
            assert_same(scores[data->features + f], fabs(spearman));
        }
        hsel_dataset_free(data);
    }
}

/* ---- knn: all distances, sorted ---- */

static double knn_distance(const hsel_dataset *data, uint32_t a, uint32_t b, const double *low,
                           const double *width)
{
    double sum = 0;
    for (int binary = 1; binary >= 0; binary--) /* in the order of the method: ties are exact */
        for (uint32_t f = 0; f < data->features; f++) {
            double x = hs_dataset_value(data, f, a), y = hs_dataset_value(data, f, b);
            if ((data->types[f] == HSEL_BINARY) != binary)
                continue;
            if (data->types[f] != HSEL_NUMERIC)
                sum += x != y;
            else if (width[f] > 0)
                sum += pow((y - low[f]) / width[f] - (x - low[f]) / width[f], 2);
        }
    return sum;
}

static void test_knn(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "regression", 0, 0);
    for (int round = 0; round < 200; round++) {
        hsel_dataset *data = random_numbers(&stream, 30, round % 2 ? 0.2 : 0, round % 3 == 0);
        const uint32_t k = 1 + (uint32_t)hs_random_below(&stream, 6);
        hsel_error error = {0};
        hs_model *model = NULL;
        char text[32];
        double low[64], width[64];
        hs_model_scratch scratch = {0};
        snprintf(text, sizeof text, "knn:k=%u", k);
        assert_ok(hs_train(data, "none", text, HSEL_NONE, false, 1, 1, NULL, &model, &error),
                  error);
        assert_int_equal(model->counts.instances, data->instances - hs_unlabelled(data));
        assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
        for (uint32_t f = 0; f < data->features; f++) {
            double high = -INFINITY;
            low[f] = INFINITY;
            for (uint32_t i = 0; i < data->instances; i++)
                if (hs_has_label(data, i)) {
                    low[f] = fmin(low[f], hs_dataset_value(data, f, i));
                    high = fmax(high, hs_dataset_value(data, f, i));
                }
            width[f] = high - low[f];
        }
        for (uint32_t i = 0; i < data->instances; i++) {
            double number, limit = -1, sum = 0, count = 0;
            for (uint32_t taken = 0; taken < k;) { /* the k-th smallest */
                double next = INFINITY;
                for (uint32_t j = 0; j < data->instances; j++) {
                    double d = knn_distance(data, i, j, low, width);
                    next = hs_has_label(data, j) && d > limit && d < next ? d : next;
                }
                limit = next; /* all that is left may be infinitely far */
                if (isinf(next))
                    break;
                for (uint32_t j = 0; j < data->instances; j++)
                    taken += hs_has_label(data, j) && knn_distance(data, i, j, low, width) == limit;
            }
            for (uint32_t j = 0; j < data->instances; j++)
                if (hs_has_label(data, j) && knn_distance(data, i, j, low, width) <= limit) {
                    sum += data->target[j];
                    count++;
                }
            assert_ok(hs_model_predict(model, data, i, 1, &scratch, NULL, &number, NULL, &error),
                      error);
            assert_same(number, sum / count);
        }
        hs_model_scratch_clear(&scratch);
        hs_model_free(model);
        hsel_dataset_free(data);
    }
}

/* ---- forest ---- */

struct grown {
    const hsel_dataset *data;
    const hs_forest_options *options;
    const hs_tree *tree;
    double mean, sd; /* of the target */
};

static uint32_t branch_of(const hsel_dataset *data, uint32_t i, const hs_tree_node *node)
{
    double value = hs_dataset_value(data, node->feature, i);
    return node->kind == HSEL_NUMERIC ? value > node->threshold : (uint32_t)value;
}

/* What the test lowers the variance of the target by, times the share of the weight: of the weights
 * of a node. */
static double gain_of(const struct grown *g, const double *weight, const hs_tree_node *node)
{
    double total = 0, gain = 0;
    uint32_t large = 0;
    for (int part = -1; part < 16; part++) { /* the whole, then each branch */
        double w = 0, sum = 0, squares = 0;
        for (uint32_t i = 0; i < g->data->instances; i++)
            if (weight[i] > 0 && (part < 0 || branch_of(g->data, i, node) == (uint32_t)part)) {
                double y = (g->data->target[i] - g->mean) / g->sd;
                w += weight[i];
                sum += weight[i] * y;
                squares += weight[i] * y * y;
            }
        large += part >= 0 && w >= g->options->min - 1e-9;
        total = part < 0 ? w : total;
        gain += w > 0 ? (part < 0 ? 1 : -1) * (squares - sum * sum / w) : 0;
    }
    return large < 2 ? 0 : gain / total;
}

static void check_node(const struct grown *g, uint32_t node, const double *weight)
{
    const hsel_dataset *data = g->data;
    const hs_tree_node *test = &g->tree->node[node];
    double total = 0, sum = 0, best = 0, first = NAN;
    bool pure = true;
    for (uint32_t i = 0; i < data->instances; i++)
        if (weight[i] > 0) {
            total += weight[i];
            sum += weight[i] * (data->target[i] - g->mean) / g->sd;
            pure = pure && (isnan(first) || first == data->target[i]);
            first = data->target[i];
        }
    assert_true(fabs(g->tree->weight[node] - total) < NEAR);
    if (total > 0)
        assert_true(fabs(hs_tree_share(g->tree, node)[0] - sum / total) < NEAR);
    for (uint32_t f = 0; f < data->features; f++)
        for (uint32_t i = 0; i < data->instances; i++)
            if (weight[i] > 0)
                best = fmax(best, gain_of(g, weight,
                                          &(hs_tree_node){f, data->types[f], 0, 2,
                                                          hs_dataset_value(data, f, i)}));
    if (test->branches == 0) {
        assert_true(pure || total < 2 * g->options->min || best <= 1e-6 + NEAR);
        return;
    }
    double gain = gain_of(g, weight, test);
    assert_true(!pure && gain > 1e-6 - NEAR && gain >= best - NEAR); /* all features are tried */
    for (uint32_t b = 0; b < test->branches; b++) {
        HS_OWNED double *below = HS_NEW_ZERO(double, data->instances);
        for (uint32_t i = 0; i < data->instances; i++)
            below[i] = branch_of(data, i, test) == b ? weight[i] : 0;
        check_node(g, test->child + b, below);
    }
}

/* The mean of the target at the leaf that the instance comes to. */
static double leaf_of(const struct grown *g, uint32_t i)
{
    uint32_t node = 0, parent = 0;
    while (g->tree->node[node].branches) {
        parent = node;
        node = g->tree->node[node].child + branch_of(g->data, i, &g->tree->node[node]);
    }
    node = g->tree->weight[node] > 0 ? node : parent;
    return g->mean + g->sd * hs_tree_share(g->tree, node)[0];
}

static void test_forest(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "regression", 0, 0);
    for (int round = 0; round < 60; round++) {
        hsel_dataset *data = random_numbers(&stream, 25, round % 2 ? 0.3 : 0, round % 3 == 0);
        const hs_forest_options options = {.trees = 7,
                                           .bootstrap = true,
                                           .features = data->features,
                                           .min = 1 + (uint32_t)round % 3,
                                           .permutation = round % 5 == 0,
                                           .adjust = {.threshold = "none", .weights = "none"}};
        const hs_classifier *method = hs_method_find(HS_CLASSIFIER, "forest", 6)->classifier;
        hs_training training = {.view = hs_view_all(data),
                                .counts = &(hs_counts){0},
                                .seed = 5,
                                .threads = 1 + round % 2};
        hs_tree_data sorted = {0};
        hs_forest_grower grower = {0};
        hsel_error error = {0};
        void *model = NULL, *scratch = NULL;
        double predicted[25] = {0}, out[25] = {0}, out_count[25] = {0}, answer[25], squares = 0,
               covered = 0, mean = 0, spread = 0, known = 0;
        uint32_t instances[25];
        assert_ok(method->fit(&training, &options, &model, &error), error);
        const hs_forest *forest = model;
        for (uint32_t i = 0; i < 25; i++)
            if (hs_has_label(data, i)) {
                mean += data->target[i];
                known++;
            }
        mean /= known;
        for (uint32_t i = 0; i < 25; i++)
            spread += hs_has_label(data, i) ? pow(data->target[i] - mean, 2) : 0;
        assert_ok(hs_tree_data_init(&sorted, &training, &error), error);
        assert_ok(hs_forest_grower_init(&grower, &options, &sorted, &error), error);
        for (uint32_t t = 0; t < forest->trees; t++) {
            struct grown g = {data, &options, &forest->tree[t], mean,
                              spread > 0 ? sqrt(spread / known) : 1};
            double weight[25] = {0};
            hs_tree again = {0};
            assert_ok(hs_forest_grow(&grower, 5, t, &again, &error), error);
            assert_int_equal(again.nodes, g.tree->nodes);
            for (uint32_t i = 0; i < sorted.rows; i++)
                weight[sorted.row[i]] = grower.drawn[i];
            check_node(&g, 0, weight);
            for (uint32_t i = 0; i < 25; i++) {
                double value = leaf_of(&g, i);
                predicted[i] += value / forest->trees;
                if (hs_has_label(data, i) && weight[i] == 0) {
                    out[i] += value;
                    out_count[i]++;
                }
            }
            hs_tree_clear(&again);
        }
        for (uint32_t i = 0; i < 25; i++) {
            instances[i] = i;
            if (out_count[i] > 0) {
                squares += pow(out[i] / out_count[i] - data->target[i], 2);
                covered++;
            }
        }
        assert_int_equal(forest->out_of_bag, covered);
        assert_same(forest->error, sqrt(squares / covered));
        assert_ok(method->scratch_new(model, &scratch, &error), error);
        assert_ok(method->predict(model,
                                  &(hs_batch){.data = data, .instances = instances, .count = 25},
                                  scratch, NULL, answer, &error),
                  error);
        for (uint32_t i = 0; i < 25; i++)
            assert_same(answer[i], predicted[i]);
        double importance = 0;
        for (uint32_t f = 0; f < data->features; f++)
            importance += forest->importance[f];
        assert_true(fabs(importance - 1) < NEAR || importance == 0);
        method->scratch_free(scratch);
        method->free(model);
        hs_tree_grower_clear(&grower.grower);
        hs_tree_data_clear(&sorted);
        hsel_dataset_free(data);
    }
}

/* ---- all together ---- */

static const char *const methods[] = {"forest:trees=5", "knn:k=3",
                                      "forest:trees=3,permutation=true,min=2"};

/* Cross-validation predicts what a model of the other folds does; so does the model from its file;
 * at any number of threads. */
static void test_crossval(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "regression", 0, 0);
    for (size_t round = 0; round < 30; round++) {
        hsel_dataset *data = random_numbers(&stream, 24, 0.2, false);
        hsel_error error = {0};
        hs_folds folds = {0};
        hs_crossval done = {0}, again = {0};
        hs_chosen selector = {0}, classifier = {0};
        assert_ok(hs_chosen_parse(HS_SELECTOR, "none", &selector, &error), error);
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, methods[round % 3], &classifier, &error), error);
        assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 4, 1, &folds, &error), error);
        hs_crossval_request request = {.data = data,
                                       .folds = &folds,
                                       .selectors = &selector,
                                       .classifiers = &classifier,
                                       .selector_count = 1,
                                       .classifier_count = 1,
                                       .seed = 3,
                                       .threads = 1};
        assert_ok(hs_crossval_run(&request, &done, &error), error);
        request.threads = 3;
        assert_ok(hs_crossval_run(&request, &again, &error), error);
        assert_memory_equal(done.classifiers->score, again.classifiers->score,
                            data->instances * sizeof(double));
        for (uint32_t f = 0; f < folds.count; f++) {
            hs_stream seeds;
            hs_model *model = NULL, *back = NULL;
            hs_buf bytes = {0};
            hs_model_scratch scratch[2];
            memset(scratch, 0, sizeof scratch);
            HS_OWNED double *weight = HS_NEW(double, data->instances);
            for (uint32_t i = 0; i < data->instances; i++)
                weight[i] = folds.fold_of[i] != f;
            HS_OWNED double *kept = hs_copy(data->target, data->instances, sizeof *data->target);
            for (uint32_t i = 0; i < data->instances; i++)
                data->target[i] = weight[i] > 0 ? kept[i] : (double)NAN;
            hs_stream_init(&seeds, 3, "crossval", f, 0);
            assert_ok(hs_train(data, "none", methods[round % 3], HSEL_NONE, false,
                               hs_random_u64(&seeds), 1, NULL, &model, &error),
                      error);
            assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
            assert_ok(hs_model_from_bytes("m", bytes.text, bytes.length, &back, &error), error);
            assert_non_null(back->shape->target);
            assert_int_equal(back->counts.instances, model->counts.instances);
            assert_ok(hs_model_scratch_init(&scratch[0], model, &error), error);
            assert_ok(hs_model_scratch_init(&scratch[1], back, &error), error);
            for (uint32_t i = 0; i < data->instances; i++) {
                double number[2];
                if (folds.fold_of[i] != f)
                    continue;
                for (int k = 0; k < 2; k++)
                    assert_ok(hs_model_predict(k ? back : model, data, i, 1, &scratch[k], NULL,
                                               &number[k], NULL, &error),
                              error);
                assert_true(number[0] == done.classifiers->score[i] && number[1] == number[0]);
            }
            /* Every cut is found. */
            for (size_t length = 0; length < bytes.length; length += 7) {
                hs_model *cut = NULL;
                assert_int_equal(hs_model_from_bytes("m", bytes.text, length, &cut, &error),
                                 HSEL_EFORMAT);
            }
            memcpy(data->target, kept, data->instances * sizeof *kept);
            hs_model_scratch_clear(&scratch[0]);
            hs_model_scratch_clear(&scratch[1]);
            hs_model_free(model);
            hs_model_free(back);
            hs_buf_clear(&bytes);
        }
        hs_crossval_clear(&done);
        hs_crossval_clear(&again);
        hs_folds_clear(&folds);
        hs_chosen_clear(&selector);
        hs_chosen_clear(&classifier);
        hsel_dataset_free(data);
    }
}

/* Every method of the registry takes numbers, or refuses them with a line that names those that do.
 */
static void test_registry(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 5, "regression", 0, 0);
    hsel_dataset *data = random_numbers(&stream, 24, 0, false);
    for (size_t m = 0; m < hs_method_count(); m++) {
        const hs_method *method = hs_method_at(m);
        hsel_error error = {0};
        if (method->kind != HS_CLASSIFIER && method->kind != HS_SELECTOR)
            continue;
        int status = hs_check_shape(data, method, &error);
        if ((method->flags & HS_NEEDS_CLASSES) && !(method->flags & HS_NUMERIC_TARGET)) {
            assert_int_equal(status, HSEL_EUSAGE);
            assert_non_null(strstr(error.message, "is for classes"));
            assert_non_null(strstr(error.message, method->kind == HS_CLASSIFIER ? "knn" : "top"));
        } else if (method->flags & HS_ANY_FEATURES) {
            assert_ok(status, error);
        }
    }
    hsel_dataset_free(data);
}

static int train(void *context, hsel_error *error)
{
    hs_model *model = NULL, *back = NULL;
    hs_buf bytes = {0};
    int status = hs_train(context, "none", "forest:trees=2,permutation=true", HSEL_NONE, false, 1,
                          1, NULL, &model, error);
    if (!status)
        status = hs_model_to_bytes(model, &bytes, error);
    if (!status)
        status = hs_model_from_bytes("m", bytes.text, bytes.length, &back, error);
    hs_model_free(model);
    hs_model_free(back);
    hs_buf_clear(&bytes);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 6, "regression", 0, 0);
    hsel_dataset *data = random_numbers(&stream, 8, 0.2, false);
    hs_oom_each("regression", train, data);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rankers),  cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_knn),      cmocka_unit_test(test_forest),
        cmocka_unit_test(test_crossval), cmocka_unit_test(test_registry),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

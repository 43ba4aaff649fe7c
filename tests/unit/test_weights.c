/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of classes and of instances. Whole weights of instances are as repeating the instances,
 * where a method promises it; class weights are weights of the instances, or multiply the
 * probabilities of a classifier that has a prior; balanced weights are n / (K n_c); trees of a
 * forest are recounted node by node. Model files keep what predicting needs, explanations add up,
 * wrong weights are refused, and every allocation may fail.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/tree.h"
#include "core/mem.h"
#include "data/builder.h"
#include "data/dag.h"
#include "data/transform.h"
#include "learn/model.h"
#include "search/objective.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"
#include "support/predict_one.h"
#include "support/random_data.h"
#include "support/model_data.h"

#define ROWS 60

static const char *const generative[] = {"nb",  "aode", "hie-aode", "hie-aode-lite",
                                         "tan", "ban",  "hre-tan"};
/* The others take weights of instances. */
static const char *const others[] = {"knn:k=3",
                                     "svm",
                                     "svm:kernel=rbf,solver=libsvm",
                                     "tree",
                                     "tree:pruning=false",
                                     "forest:trees=5",
                                     "blend:members=knn:k=3/forest:trees=5",
                                     "pu:base=knn:k=3,rounds=6",
                                     "boost:rounds=5,features=1",
                                     "logistic:lambda=0.02",
                                     "logistic:lambda=0.02,penalty=lasso",
                                     "proximal-graph:lambda=0.02"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void assert_near(const char *what, double found, double expected, double distance)
{
    if (!(fabs(found - expected) <= distance))
        fail_msg("%s: %.17g, not %.17g", what, found, expected);
}

/* With a hierarchy; classes follow a feature in part. `rare`: the last class is one in ten. */
static hsel_dataset *make(hs_stream *stream, uint32_t classes, double numeric, bool rare)
{
    hs_random_shape shape = {.instances = ROWS,
                             .features = 9,
                             .classes = classes,
                             .density = 0.4,
                             .parents = 1,
                             .true_path = true,
                             .numeric = numeric,
                             .nominal = numeric / 2,
                             .missing = numeric / 4};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    for (uint32_t i = classes; i < ROWS; i++)
        data->class_of[i] = rare                              ? (i % 10 ? 0 : classes - 1)
                            : hs_random_below(stream, 3) == 0 ? data->class_of[i]
                                                              : (uint32_t)(i % classes);
    return data;
}

/* Instance i, times[i] times in place. */
static hsel_dataset *repeat(const hsel_dataset *data, const double *times)
{
    hs_builder *builder = NULL;
    hsel_dataset *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_builder_new(&builder, &error), error);
    assert_ok(hs_builder_declare_like(builder, data, &error), error);
    for (uint32_t i = 0; i < data->instances; i++)
        for (int t = 0; t < times[i]; t++) {
            size_t count;
            const uint32_t *row = hs_row(data, i, &count);
            assert_ok(hs_builder_row(builder, NULL, 0, data->class_of[i], &error), error);
            for (size_t j = 0; j < count; j++)
                assert_ok(hs_builder_positive(builder, row[j], &error), error);
            for (uint32_t f = 0; f < data->features; f++) {
                double value = hs_dataset_value(data, f, i);
                if (data->types[f] == HSEL_NUMERIC)
                    assert_ok(hs_builder_numeric(builder, f, value, &error), error);
                else if (data->types[f] == HSEL_NOMINAL && !isnan(value))
                    assert_ok(hs_builder_nominal(builder, f, (uint32_t)value, &error), error);
            }
        }
    assert_ok(hs_builder_finish(builder, &out, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_attach_copy(out, data->dag, &error), error);
    return out;
}

static void predict(const hs_fitted *f, const hsel_dataset *data, uint32_t i, double *p, double *s)
{
    hsel_error error = {0};
    assert_ok(hs_predict_one(f->chosen.method->classifier, f->model, data, i, NULL, f->scratch, p,
                             s, &error),
              error);
}

static void test_repeated(void **state)
{
    static const struct {
        const char *text;
        double numeric;
        bool scores; /* probabilities are fitted to the instances as they are */
        double distance;
    } cases[] = {{"nb:preset=weka", 0, false, 1e-12},
                 {"nb:preset=weka", 0.5, false, 1e-9},
                 {"nb:preset=weka,numeric=kernel", 0.5, false, 1e-9},
                 {"nb:preset=weka,weights=balanced", 0, false, 1e-12},
                 {"knn:preset=weka", 0.3, false, 1e-12},
                 {"knn:preset=weka,weights=1/3", 0, false, 1e-12},
                 {"tree:preset=weka", 0, false, 1e-9},
                 {"tree:preset=weka,weights=balanced", 0, false, 1e-9},
                 {"tree:preset=weka", 0.5, false, 1e-9},
                 {"tree:preset=weka,pruning=false,collapse=false", 0, false, 1e-9},
                 {"svm:c=1,tolerance=1e-6", 0.3, true, 1e-6},
                 {"svm:kernel=rbf,tolerance=1e-6,c=3", 0.3, true, 1e-6},
                 {"svm:solver=libsvm,tolerance=1e-6,weights=2/0.5", 0.3, true, 1e-3},
                 {"logistic:lambda=0.02", 0.3, false, 1e-6},
                 {"logistic:lambda=0.02,penalty=lasso,weights=2/0.5", 0.3, false, 1e-6},
                 {"proximal-graph:calibration=none,lambda=0.02,tolerance=1e-10", 0, false, 1e-4},
                 {"proximal-graph:calibration=none,lambda=0.02,tolerance=1e-10,weights=balanced", 0,
                  false, 1e-4}};
    hs_stream stream;
    hs_stream_init(&stream, 1, "test-weights", 0, 0);
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++)
        for (int round = 0; round < 12; round++) {
            double times[ROWS], p[2][2], s[2][2];
            hsel_dataset *data = make(&stream, 2, cases[k].numeric, false);
            for (uint32_t i = 0; i < ROWS; i++)
                times[i] = (double)hs_random_below(&stream, 4);
            times[0] = times[1] = 1; /* both classes are there */
            hsel_dataset *longer = repeat(data, times);
            hsel_error error = {0};
            hs_model *model[2] = {NULL, NULL};
            hs_model_scratch scratch[2];
            memset(scratch, 0, sizeof scratch);
            assert_ok(hs_train_weighted(data, times, "none", cases[k].text, true, 1, 1, &model[0],
                                        &error),
                      error);
            assert_ok(hs_train(longer, "none", cases[k].text, HSEL_NONE, true, 1, 1, NULL,
                               &model[1], &error),
                      error);
            for (int m = 0; m < 2; m++)
                assert_ok(hs_model_scratch_init(&scratch[m], model[m], &error), error);
            for (uint32_t i = 0; i < ROWS; i++) {
                for (int m = 0; m < 2; m++)
                    assert_ok(hs_model_predict(model[m], data, i, 1, &scratch[m], p[m], s[m], NULL,
                                               &error),
                              error);
                const double *found = cases[k].scores ? s[0] : p[0],
                             *expected = cases[k].scores ? s[1] : p[1];
                assert_near(cases[k].text, found[1], expected[1],
                            cases[k].distance * (1 + fabs(expected[1])));
            }
            for (int m = 0; m < 2; m++) {
                hs_model_scratch_clear(&scratch[m]);
                hs_model_free(model[m]);
            }
            hs_dataset_free(longer);
            hs_dataset_free(data);
        }
}

/* P(c|x) of a classifier with a prior is multiplied by the weight of c; of all others, class
 * weights are weights of the instances, in a tree scaled to add up to their number. And a model
 * that was read says the same. */
static void test_class_weights(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test-weights", 0, 0);
    (void)state;
    for (uint32_t round = 0; round < 4 * (COUNT(generative) + COUNT(others)); round++) {
        const uint32_t k = round / 4;
        const bool prior = k < COUNT(generative);
        const char *method = prior ? generative[k] : others[k - COUNT(generative)];
        const uint32_t classes = 2 + (strncmp(method, "pu:", 3) ? round % 2 : 0); /* it has two */
        double given[] = {0.5, 3, 1.25}, weight[ROWS], p[2][3], s[2][3], all = 0;
        char text[120];
        hsel_dataset *data = make(&stream, classes, 0, false);
        hs_counts counts;
        hs_fitted plain, weighted, again;
        hs_training training = hs_training_on(data, &counts);
        snprintf(text, sizeof text, "%s%cweights=0.5/3%s", method, strchr(method, ':') ? ',' : ':',
                 classes == 3 ? "/1.25" : "");
        hs_fit(&weighted, text, &training);
        for (uint32_t i = 0; i < ROWS; i++)
            all += weight[i] = given[data->class_of[i]];
        for (uint32_t i = 0; i < ROWS && strncmp(method, "tree", 4) == 0; i++)
            weight[i] *= (float)(ROWS / all);
        training.weight = prior ? NULL : weight;
        hs_fit(&plain, method, &training);
        hs_fitted_reread(&again, &weighted, data);
        for (uint32_t i = 0; i < ROWS; i++) {
            double sum = 0;
            predict(&plain, data, i, p[0], s[0]);
            predict(&weighted, data, i, p[1], s[1]);
            for (uint32_t c = 0; prior && c < classes; c++)
                sum += p[0][c] *= given[c];
            for (uint32_t c = 0; prior && c < classes; c++)
                p[0][c] /= sum;
            for (uint32_t c = 0; c < classes; c++)
                assert_near(text, p[1][c], p[0][c], prior ? 1e-9 : 0);
            predict(&again, data, i, p[0], s[0]);
            assert_memory_equal(p[0], p[1], classes * sizeof(double));
            assert_memory_equal(s[0], s[1], classes * sizeof(double));
        }
        hs_unfit(&plain);
        hs_unfit(&weighted);
        hs_unfit(&again);
        hs_counts_clear(&counts);
        hs_dataset_free(data);
    }
}

/* Class weights times a constant are the same weights, wherever they are not a factor of something
 * else (c of svm, lambda, the 1/n that knn adds): the models say the same. */
static void test_scaled(void **state)
{
    static const char *const methods[] = {"nb",
                                          "aode",
                                          "tan",
                                          "ban",
                                          "hie-aode",
                                          "hre-tan",
                                          "tree",
                                          "tree:pruning=false,min=5",
                                          "forest:trees=5,min=3"};
    static const char *const texts[] = {"0.75/3/1.25", "768/3072/1280",
                                        "0.000732421875/0.0029296875/0.001220703125"};
    hs_stream stream;
    hs_stream_init(&stream, 9, "test-weights", 0, 0);
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++)
        for (int round = 0; round < 4; round++) {
            hsel_dataset *data = make(&stream, 3, k < 6 ? 0 : 0.2 * (round % 2), false);
            hs_counts counts;
            hs_training training = hs_training_on(data, &counts);
            double p[3][3], s[3][3];
            hs_fitted fitted[3];
            for (int t = 0; t < 3; t++) {
                char text[160];
                snprintf(text, sizeof text, "%s%cweights=%s", methods[k],
                         strchr(methods[k], ':') ? ',' : ':', texts[t]);
                hs_fit(&fitted[t], text, &training);
            }
            for (uint32_t i = 0; i < ROWS; i++)
                for (int t = 0; t < 3; t++) {
                    predict(&fitted[t], data, i, p[t], s[t]);
                    for (uint32_t c = 0; c < 3; c++)
                        assert_near(methods[k], p[t][c], p[0][c], k < 6 ? 1e-12 : 0);
                }
            for (int t = 0; t < 3; t++)
                hs_unfit(&fitted[t]);
            hs_counts_clear(&counts);
            hs_dataset_free(data);
        }
}

/* One in ten: balanced is the weights 60/(2 54) and 60/(2 6), and the rare class is predicted more
 * often with it than without. */
static void test_balanced(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test-weights", 0, 0);
    (void)state;
    for (size_t m = 0; m < hs_method_count(); m++) { /* the lists have every classifier */
        const hs_method *method = hs_method_at(m);
        bool found = method->kind != HS_CLASSIFIER;
        for (size_t k = 0; k < COUNT(generative) + COUNT(others); k++) {
            const char *text =
                k < COUNT(generative) ? generative[k] : others[k - COUNT(generative)];
            size_t length = strcspn(text, ":");
            found = found ||
                    (strlen(method->name) == length && memcmp(method->name, text, length) == 0);
        }
        if (!found)
            fail_msg("%s is not tested", method->name);
    }
    for (size_t k = 0; k < COUNT(generative) + COUNT(others); k++) {
        const char *method = k < COUNT(generative) ? generative[k] : others[k - COUNT(generative)];
        uint32_t rare[2] = {0, 0};
        for (int round = 0; round < 8; round++) {
            char text[3][120];
            double p[3][2], s[3][2];
            hsel_dataset *data = make(&stream, 2, 0, true);
            hs_counts counts;
            hs_fitted fitted[3];
            hs_training training = hs_training_on(data, &counts);
            const char *join = strchr(method, ':') ? "," : ":";
            snprintf(text[0], sizeof text[0], "%s", method);
            snprintf(text[1], sizeof text[1], "%s%sweights=balanced", method, join);
            snprintf(text[2], sizeof text[2], "%s%sweights=%.17g/%.17g", method, join,
                     (double)ROWS / (2 * counts.class_size[0]),
                     (double)ROWS / (2 * counts.class_size[1]));
            for (int f = 0; f < 3; f++)
                hs_fit(&fitted[f], text[f], &training);
            for (uint32_t i = 0; i < ROWS; i++) {
                for (int f = 0; f < 3; f++)
                    predict(&fitted[f], data, i, p[f], s[f]);
                assert_memory_equal(p[1], p[2], sizeof p[1]);
                rare[0] += s[0][1] > s[0][0];
                rare[1] += s[1][1] > s[1][0];
            }
            for (int f = 0; f < 3; f++)
                hs_unfit(&fitted[f]);
            hs_counts_clear(&counts);
            hs_dataset_free(data);
        }
        if (!(rare[1] > rare[0]))
            fail_msg("%s: %u of the rare class without weights, %u with", method, rare[0], rare[1]);
    }
}

static void test_explanations_add_up(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "test-weights", 0, 0);
    (void)state;
    for (size_t k = 0; k < COUNT(generative); k++)
        for (uint32_t classes = 2; classes < 4; classes++) {
            char text[80];
            hsel_dataset *data = make(&stream, classes, 0, false);
            hs_counts counts;
            hs_fitted f;
            hs_training training = hs_training_on(data, &counts);
            snprintf(text, sizeof text, "%s:weights=%s", generative[k],
                     classes == 2 ? "1/10" : "0.1/3/20");
            hs_fit(&f, text, &training);
            for (uint32_t i = 0; i < ROWS; i++)
                for (uint32_t label = 0; label < classes; label++) {
                    double p[3], s[3], prior, part[9] = {0};
                    hsel_error error = {0};
                    predict(&f, data, i, p, s);
                    assert_ok(hs_contributions_one(f.chosen.method->classifier, f.model, data, i,
                                                   NULL, f.scratch, label, &prior, part, &error),
                              error);
                    for (int j = 0; j < 9; j++)
                        prior += part[j];
                    assert_near(text, prior, s[label], 1e-8);
                }
            hs_unfit(&f);
            hs_counts_clear(&counts);
            hs_dataset_free(data);
        }
}

/* Searches fit naive Bayes with weights instead of going by its terms, which have none. */
static void test_searches(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 8, "test-weights", 0, 0);
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        hsel_dataset *data = make(&stream, 2, 0, true);
        hs_counts counts;
        hs_training training = hs_training_on(data, &counts);
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, weighted ? "nb:weights=balanced" : "nb", &chosen,
                                  &error),
                  error);
        hs_inner_request request = {.training = &training,
                                    .classifier = &chosen,
                                    .metric = HS_METRIC_GM,
                                    .folds = 3,
                                    .workers = 1,
                                    .owner = "test"};
        assert_int_equal(hs_nb_objective_fits(&request), !weighted);
        hs_chosen_clear(&chosen);
        hs_counts_clear(&counts);
        hs_dataset_free(data);
    }
}

static double entropy_of(const double *count)
{
    double all = count[0] + count[1], sum = 0;
    for (int c = 0; c < 2; c++)
        sum -= count[c] > 0 ? count[c] * log2(count[c] / all) : 0;
    return sum;
}

/* Every node of a tree of a forest has the weight of the instances that come to it; its test is the
 * best of all by the weighted gain, since all features are tried. */
static void test_trees_of_a_forest(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test-weights", 0, 0);
    (void)state;
    for (int round = 0; round < 20; round++) {
        hsel_dataset *data = make(&stream, 2, 0, round % 2);
        hs_counts counts;
        hsel_error error = {0};
        double weight[ROWS], class_weight[] = {0.5, 4};
        hs_training training = hs_training_on(data, &counts);
        hs_tree_data learned = {0};
        hs_forest_options options = {
            .trees = 1, .bootstrap = true, .features = data->features, .min = 1};
        hs_forest_grower grower = {0};
        hs_tree tree = {.classes = 2};
        for (uint32_t i = 0; i < ROWS; i++)
            weight[i] = 0.5 + hs_random_double(&stream);
        training.class_weight = class_weight;
        training.weight = weight;
        assert_ok(hs_tree_data_init(&learned, &training, &error), error);
        for (uint32_t i = 0; i < ROWS; i++)
            learned.weight[i] *= 4; /* the least is 0.25 or more */
        assert_ok(hs_forest_grower_init(&grower, &options, &learned, &error), error);
        assert_ok(hs_forest_grow(&grower, 1, 0, &tree, &error), error);
        uint32_t at[ROWS] = {0};
        for (uint32_t node = 0; node < tree.nodes; node++) {
            double count[2] = {0}, best = 0, own = 0;
            for (uint32_t i = 0; i < ROWS; i++)
                if (at[i] == node)
                    count[data->class_of[i]] +=
                        4 * weight[i] * class_weight[data->class_of[i]] * grower.drawn[i];
            double all = count[0] + count[1];
            assert_near("weight", tree.weight[node], all, 1e-9 * all);
            for (int c = 0; c < 2; c++)
                assert_near("share", hs_tree_share(&tree, node)[c], count[c] / all, 1e-9);
            const hs_tree_node *test = tree.node + node;
            for (uint32_t f = 0; f < data->features; f++) {
                double with[2] = {0}, without[2];
                for (uint32_t i = 0; i < ROWS; i++)
                    if (at[i] == node && hs_dataset_value(data, f, i) == 1)
                        with[data->class_of[i]] +=
                            4 * weight[i] * class_weight[data->class_of[i]] * grower.drawn[i];
                for (int c = 0; c < 2; c++)
                    without[c] = fmax(0, count[c] - with[c]);
                double gain = (entropy_of(count) - entropy_of(with) - entropy_of(without)) / all;
                if (!(with[0] + with[1] > 1e-6) || !(without[0] + without[1] > 1e-6))
                    continue;
                best = fmax(best, gain);
                own = test->branches && test->feature == f ? gain : own;
            }
            if (test->branches)
                assert_near("gain", own, best, 1e-9);
            else
                assert_true(best <= 2e-6);
            for (uint32_t i = 0; test->branches && i < ROWS; i++)
                if (at[i] == node)
                    at[i] = test->child + (hs_dataset_value(data, test->feature, i) == 1);
        }
        hs_tree_clear(&tree);
        hs_tree_grower_clear(&grower.grower);
        hs_tree_data_clear(&learned);
        hs_counts_clear(&counts);
        hs_dataset_free(data);
    }
}

static void test_refused(void **state)
{
    static const char *const texts[] = {
        "nb:weights=1/-2", "nb:weights=0/1",    "svm:weights=often", "knn:weights=",
        "tree:weights=1/", "tree:weights=1//2", "nb:weights=nan/1",  "forest:weights=1/inf"};
    hs_stream stream;
    hs_stream_init(&stream, 6, "test-weights", 0, 0);
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_equal(hs_chosen_parse(HS_CLASSIFIER, texts[i], &chosen, &error), HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "weights"));
    }
    hsel_dataset *data = make(&stream, 2, 0, false);
    hs_counts counts;
    hs_fitted f;
    hs_model *model = NULL;
    hsel_error error = {0};
    hs_training training = hs_training_on(data, &counts);
    assert_int_equal(hs_try_fit(&f, "svm:weights=1/2/3", &training, &error), HSEL_EUSAGE);
    for (uint32_t c = 0; c < 2; c++)
        assert_non_null(strstr(error.message, hs_names_get(&data->class_names, c)));
    double weight[ROWS] = {0};
    training.weight = weight;
    for (size_t k = 1; k < COUNT(generative); k++) {
        assert_int_equal(hs_try_fit(&f, generative[k], &training, &error), HSEL_EUNSUPPORTED);
        assert_non_null(strstr(error.message, "nb, knn, svm, "));
    }
    assert_int_equal(hs_train_weighted(data, weight, "none", "nb", true, 1, 1, &model, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "weight above 0"));
    for (int wrong = 0; wrong < 3; wrong++) {
        weight[7] = wrong == 0 ? -1 : wrong == 1 ? (double)NAN : (double)INFINITY;
        assert_int_equal(hs_train_weighted(data, weight, "none", "nb", true, 1, 1, &model, &error),
                         HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "instance 7 "));
    }
    hs_counts_clear(&counts);
    hs_dataset_free(data);
}

struct fitting {
    const hs_training *training;
    const hs_chosen *chosen;
};

static int fit_once(void *context, hsel_error *error)
{
    const struct fitting *f = context;
    void *model = NULL;
    int status = hs_classifier_fit(f->chosen, f->training, &model, error);
    if (status == HSEL_OK)
        f->chosen->method->classifier->free(model);
    return status;
}

static void test_no_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "test-weights", 0, 0);
    (void)state;
    for (size_t k = 0; k < COUNT(generative) + COUNT(others); k++) {
        const char *method = k < COUNT(generative) ? generative[k] : others[k - COUNT(generative)];
        bool weighs = k == 0 || k >= COUNT(generative);
        for (int wrong = 0; wrong < 2; wrong++) {
            char text[120];
            double weight[ROWS];
            hsel_dataset *data = make(&stream, 2, 0, false);
            hs_counts counts;
            hs_chosen chosen = {0};
            hsel_error error = {0};
            hs_training training = hs_training_on(data, &counts);
            for (uint32_t i = 0; i < ROWS; i++)
                weight[i] = 1 + i % 3;
            training.weight = weighs || wrong ? weight : NULL;
            snprintf(text, sizeof text, "%s%sweights=%s", method, strchr(method, ':') ? "," : ":",
                     wrong ? "1/2/3" : "balanced");
            assert_ok(hs_chosen_parse(HS_CLASSIFIER, text, &chosen, &error), error);
            hs_oom_each(text, fit_once, &(struct fitting){&training, &chosen});
            hs_chosen_clear(&chosen);
            hs_counts_clear(&counts);
            hs_dataset_free(data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_repeated),
                                       cmocka_unit_test(test_class_weights),
                                       cmocka_unit_test(test_scaled),
                                       cmocka_unit_test(test_balanced),
                                       cmocka_unit_test(test_explanations_add_up),
                                       cmocka_unit_test(test_searches),
                                       cmocka_unit_test(test_trees_of_a_forest),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

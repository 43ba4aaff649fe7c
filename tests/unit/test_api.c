/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selection, cross-validation and models as users of the library see them (hsel.h): the same
 * numbers as the parts inside give, and one plain line for everything that is asked wrongly.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "data/transform.h"
#include "learn/crossval.h"
#include "learn/fold_file.h"
#include "learn/model.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"
#include "support/model_data.h"

HS_TEST_USES_THREADS

/* A request with seed 1. */
#define ASK(...) (&(hsel_request){.size = sizeof(hsel_request), .seed = 1, __VA_ARGS__})

static hs_folder folder;

static const char *put(const char *name, const char *text)
{
    FILE *file = fopen(hs_folder_file(&folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return hs_folder_file(&folder, name);
}

static hsel_dataset *read_data(const char *path, const char *options)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_ok(hsel_dataset_read(path, options, &data, &error), error);
    return data;
}

/* Feature a is the class, b its opposite, c the same everywhere. */
static hsel_dataset *obvious(void)
{
    return read_data(put("obvious.csv", "a,b,c,class\n"
                                        "1,0,1,yes\n0,1,1,no\n1,0,1,yes\n0,1,1,no\n"
                                        "1,0,1,yes\n0,1,1,no\n1,0,1,yes\n0,1,1,no\n"),
                     NULL);
}

static hsel_dataset *random_data(uint64_t number)
{
    hs_stream stream;
    hs_stream_init(&stream, 5, "test-api", number, 0);
    return hs_random_dataset(&stream, &(hs_random_shape){.instances = 40,
                                                         .features = 12,
                                                         .classes = 2 + (uint32_t)number % 2,
                                                         .density = 0.3,
                                                         .parents = 1,
                                                         .true_path = true});
}

static void test_out_of_range(void **state)
{
    (void)state;
    static const uint32_t far[] = {0, 1, 1000, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};
    hsel_error error = {0};
    hsel_dataset *flat = obvious(), *data = random_data(0);
    const hsel_dag *dag = hsel_dataset_hierarchy(data);
    hsel_model *model = NULL;
    const uint32_t *index;
    double values[40], probability[40 * 2];
    char *text = NULL;
    assert_ok(hsel_train(data, NULL, &model, &error), error);
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        uint32_t count = 9, instance = 40 + far[i], feature = 12 + far[i], label = 2 + far[i];
        size_t size = 9;
        if (instance < 40) /* gone round */
            instance = feature = label = UINT32_MAX;
        assert_null(hsel_dataset_feature_name(data, feature));
        assert_null(hsel_dataset_class_name(data, label));
        assert_null(hsel_dataset_id(data, instance));
        assert_null(hsel_dataset_feature_label(data, feature));
        assert_null(hsel_dataset_instance_about(data, instance, "label"));
        assert_int_equal(hsel_dataset_feature_type(data, feature), HSEL_NO_TYPE);
        assert_int_equal(hsel_dataset_class_of(data, instance), HSEL_NONE);
        assert_true(hsel_dataset_row(data, instance, &size) == NULL && size == 0);
        size = 9;
        assert_true(hsel_dataset_column(data, feature, &size) == NULL && size == 0);
        size = 9;
        assert_true(hsel_dag_parents(dag, feature, &size) == NULL && size == 0);
        size = 9;
        assert_true(hsel_dag_children(dag, feature, &size) == NULL && size == 0);
        assert_int_equal(hsel_dag_depth(dag, feature), HSEL_NONE);
        size = 9;
        assert_null(hsel_dataset_value_names(data, feature, &count, &size));
        assert_true(count == 0 && size == 0);
        count = 9;
        size = 9;
        assert_null(hsel_dataset_names(
            data, (int)(HSEL_INSTANCE_TEXTS + 1 + far[i] % INT32_MAX / 2), &count, &size));
        assert_true(count == 0 && size == 0);
        assert_null(hsel_dataset_names(data, -1 - (int)(far[i] / 2), &count, &size));
        values[0] = values[39] = 1;
        hsel_dataset_values(data, feature, values);
        assert_true(isnan(values[0]) && isnan(values[39]));
        assert_null(hsel_model_class_name(model, label));
        assert_int_equal(hsel_model_explain(model, data, instance, 0, "text", &text, &error),
                         HSEL_EUSAGE);
        assert_null(hsel_method_name(hsel_method_count() + far[i] / 2));
        assert_null(hsel_method_kind(hsel_method_count() + far[i] / 2));
        assert_null(hsel_method_title(hsel_method_count() + far[i] / 2));
        assert_null(hsel_method_help(hsel_method_count() + far[i] / 2));
        assert_null(hsel_method_citation(SIZE_MAX - far[i] / 2));
        assert_false(hsel_method_is_lazy(SIZE_MAX - far[i] / 2));
        assert_null(hsel_metric_name(hsel_metric_count() + far[i] / 2));
    }
    /* No hierarchy, no identifiers, and what is not nominal. */
    uint32_t count = 9;
    size_t size = 9;
    assert_null(hsel_dataset_hierarchy(flat));
    assert_int_equal(hsel_dag_nodes(NULL), 0);
    assert_int_equal(hsel_dag_edges(NULL), 0);
    assert_null(hsel_dag_order(NULL));
    assert_null(hsel_dag_depths(NULL));
    assert_true(hsel_dag_parent_lists(NULL, &index) == NULL && index == NULL);
    assert_true(hsel_dag_parents(NULL, 0, &size) == NULL && size == 0);
    assert_int_equal(hsel_dag_depth(NULL, 0), HSEL_NONE);
    assert_null(hsel_dataset_id(flat, 0));
    assert_null(hsel_dataset_value_names(flat, 0, &count, &size));
    assert_true(count == 0 && size == 0);
    assert_int_equal(hsel_dataset_find_feature(flat, "z"), HSEL_NONE);
    assert_int_equal(hsel_predict(model, flat, NULL, probability, NULL, NULL, &error),
                     HSEL_EFORMAT);
    assert_int_equal(hsel_model_explain(model, flat, 0, 0, "text", &text, &error), HSEL_EFORMAT);
    /* Drawings: another form, another size, no hierarchy. */
    hsel_draw_request draw = {.size = sizeof draw, .form = "svg"};
    assert_int_equal(hsel_model_explain(model, data, 0, 0, "svg", &text, &error), HSEL_EUSAGE);
    assert_int_equal(hsel_model_describe(model, "svg", &text, &error), HSEL_EUSAGE);
    assert_int_equal(hsel_model_describe(model, "json", &text, &error), HSEL_OK);
    assert_int_equal(*text, '{');
    hsel_free(text);
    assert_int_equal(hsel_model_describe(model, "text", &text, &error), HSEL_OK);
    assert_int_not_equal(*text, '{');
    hsel_free(text);
    assert_int_equal(hsel_model_draw(model, "svg", 0, &text, &error), HSEL_EUSAGE);
    assert_int_equal(hsel_model_draw(model, "dot", 0, &text, &error), HSEL_OK);
    assert_memory_equal(text, "digraph", 7);
    hsel_free(text);
    assert_int_equal(hsel_dataset_draw(data, &draw, &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "unknown form of drawing 'svg': use dot or graphml");
    draw.form = "dot";
    assert_int_equal(hsel_dataset_draw(flat, &draw, &text, &error), HSEL_EUSAGE);
    for (uint32_t nodes = 0; nodes < 2; nodes++) { /* 60, all */
        draw.nodes = nodes ? HSEL_NONE : 0;
        assert_int_equal(hsel_dataset_draw(data, &draw, &text, &error), HSEL_OK);
        assert_memory_equal(text, "digraph", 7);
        hsel_free(text);
    }
    hsel_model_free(model);
    hsel_dataset_free(flat);
    hsel_dataset_free(data);
}

static size_t find_method(const char *kind, const char *name)
{
    for (size_t i = 0; i < hsel_method_count(); i++)
        if (strcmp(hsel_method_kind(i), kind) == 0 && strcmp(hsel_method_name(i), name) == 0)
            return i;
    fail_msg("there is no %s %s", kind, name);
    return 0;
}

static void test_methods(void **state)
{
    (void)state;
    size_t count = hsel_method_count(), rpv = find_method("selector", "rpv");
    assert_true(hsel_method_is_lazy(rpv));
    assert_false(hsel_method_is_lazy(find_method("selector", "shsel")));
    assert_false(hsel_method_is_lazy(find_method("classifier", "nb")));
    assert_false(hsel_method_is_lazy(find_method("format", "csv")));
    assert_non_null(strstr(hsel_method_citation(rpv), "da Silva"));
    assert_true(strlen(hsel_method_help(rpv)) > strlen(hsel_method_title(rpv)));
    assert_null(hsel_method_name(count));
    assert_null(hsel_method_kind(count));
    assert_null(hsel_method_title(count));
    assert_null(hsel_method_help(count));
    assert_null(hsel_method_citation(SIZE_MAX));
    assert_false(hsel_method_is_lazy(count));
}

static void test_metrics(void **state)
{
    (void)state;
    assert_int_equal(hsel_metric_count(), HS_METRICS);
    for (size_t i = 0; i < hsel_metric_count(); i++)
        assert_string_equal(hsel_metric_name(i), hs_metric_name((hs_metric)i));
    assert_string_equal(hsel_metric_name(0), "gm");
    assert_null(hsel_metric_name(hsel_metric_count()));
}

/* ---- selection ---- */

/* A model keeps what its eager selector chose: the same choice. */
static void test_select(void **state)
{
    (void)state;
    static const char *const selectors[] = {"tsel", "shsel", "gtd", "hfe"};
    hsel_error error = {0};
    for (uint64_t n = 0; n < 20; n++) {
        hsel_dataset *data = random_data(n);
        for (size_t s = 0; s < 4; s++) {
            hs_model *model = NULL;
            uint8_t keep[12];
            memset(keep, s % 2, sizeof keep);
            assert_ok(hsel_select(data, ASK(.selector = selectors[s]), keep, NULL, &error), error);
            assert_ok(
                hs_train(data, selectors[s], "nb", HSEL_NONE, false, 1, 1, NULL, &model, &error),
                error);
            for (uint32_t f = 0; f < 12; f++)
                assert_int_equal(keep[f], hs_bit_get(model->pipeline.mask, f));
            hs_model_free(model);
        }
        hsel_dataset_free(data);
    }
}

/* ---- cross-validation ---- */

static void test_obvious(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_evaluation *found = NULL;
    hsel_dataset *data = obvious();
    assert_ok(hsel_crossval(data, ASK(.folds = 4, .repeats = 3), &found, &error), error);
    assert_int_equal(hsel_evaluation_folds(found), 4);
    assert_int_equal(hsel_evaluation_repeats(found), 3);
    assert_true(hsel_evaluation_metric(found, "accuracy", HSEL_POOLED) == 1);
    assert_true(hsel_evaluation_metric(found, "accuracy", HSEL_FOLD_MEAN) == 1);
    assert_true(hsel_evaluation_metric(found, "gm", HSEL_POOLED) == 1);
    assert_true(hsel_evaluation_metric(found, "gm", HSEL_POOLED_SD) == 0);
    assert_true(hsel_evaluation_metric(found, "gm", HSEL_FOLD_MEAN_SD) == 0);
    assert_true(hsel_evaluation_selected(found) == 1 && hsel_evaluation_stability(found) == 1);
    hsel_evaluation_free(found);
    hsel_evaluation_free(NULL);
    assert_ok(hsel_crossval(data, ASK(.classifier = "knn:k=1", .fold_scheme = "loo", .folds = 1),
                            &found, &error),
              error);
    assert_int_equal(hsel_evaluation_folds(found), 8);
    assert_int_equal(hsel_evaluation_repeats(found), 1);
    assert_true(hsel_evaluation_metric(found, "accuracy", HSEL_POOLED) == 1);
    hsel_evaluation_free(found);
    hsel_dataset_free(data);
}

struct threads_seen {
    pthread_t first;
    atomic_bool other;
};

static bool see_thread(void *context, size_t bytes)
{
    struct threads_seen *seen = context;
    (void)bytes;
    if (!pthread_equal(seen->first, pthread_self()))
        atomic_store(&seen->other, true);
    return true;
}

/* Predicting uses all processors, and gives what one thread gives. */
static void test_predict_in_parallel(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hsel_model *model = NULL;
    struct threads_seen seen = {.first = pthread_self()};
    assert_ok(hsel_dataset_generate("ontology:instances=20000,features=60", 1, &data, &error),
              error);
    assert_ok(hsel_train(data, ASK(.selector = "hip"), &model, &error), error);
    double *all = calloc(20000, 2 * sizeof *all), *one = calloc(20000, 2 * sizeof *one);
    uint32_t *many = calloc(20000, sizeof *many), *few = calloc(20000, sizeof *few);
    assert_true(all && one && many && few);
    hs_mem_hook(see_thread, &seen);
    assert_ok(hsel_predict(model, data, NULL, all, NULL, many, &error), error);
    hs_mem_hook(NULL, NULL);
    assert_true(atomic_load(&seen.other) || hs_threads(0) == 1);
    assert_ok(hsel_predict(model, data, ASK(.threads = 1), one, NULL, few, &error), error);
    assert_memory_equal(all, one, 20000 * 2 * sizeof *all);
    assert_memory_equal(many, few, 20000 * sizeof *many);
    free(all);
    free(one);
    free(many);
    free(few);
    hsel_model_free(model);
    hsel_dataset_free(data);
}

/* What one repeat gives, from the parts. */
static hs_scores one_repeat(const hsel_dataset *data, const char *selector, const char *classifier,
                            uint64_t seed)
{
    hsel_error error = {0};
    hs_chosen s = {0}, c = {0};
    hs_folds folds = {0};
    hs_crossval done = {0};
    hs_scores scores;
    assert_ok(hs_chosen_parse(HS_SELECTOR, selector, &s, &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier, &c, &error), error);
    assert_ok(hs_folds_make(data, HS_FOLDS_WEKA, 5, seed, &folds, &error), error);
    hs_crossval_request request = {data, &folds, &s, &c, 1, 1, seed, 1};
    assert_ok(hs_crossval_run(&request, &done, &error), error);
    assert_ok(hs_metrics_compute(&(hs_predictions){.instances = data->instances,
                                                   .classes = data->class_names.count,
                                                   .folds = 5,
                                                   .positive_class = data->positive_class,
                                                   .truth = data->class_of,
                                                   .fold_of = folds.fold_of,
                                                   .probability = done.classifiers[0].probability,
                                                   .selected = done.selectors[0].selected,
                                                   .features = data->features},
                                 &scores, &error),
              error);
    hs_crossval_clear(&done);
    hs_folds_clear(&folds);
    hs_chosen_clear(&s);
    hs_chosen_clear(&c);
    return scores;
}

/* The arrays have the lengths that hsel.h says, the same content at any number of threads (but for
 * times), and what the metrics were made from. */
static void check_arrays(const hsel_dataset *data, const hsel_evaluation *found,
                         const hsel_evaluation *threaded, const hs_scores *first,
                         const hs_scores *second)
{
    size_t n = data->instances, k = data->class_names.count, count, other;
    const size_t lengths[] = {n * k, n * k,          2,     HS_METRICS,           HS_METRICS, n,
                              n,     data->features, k * k, k * HS_CLASS_MEASURES};
    for (int a = HSEL_PROBABILITY; a <= HSEL_BY_CLASS; a++) {
        const double *numbers = hsel_evaluation_numbers(found, a, &count);
        bool counted = a >= HSEL_FOLD_OF && a <= HSEL_CONFUSION;
        assert_true(counted == (numbers == NULL) && count == (numbers ? 2 * lengths[a] : 0));
        if (numbers && a != HSEL_SECONDS)
            assert_memory_equal(numbers, hsel_evaluation_numbers(threaded, a, &other),
                                count * sizeof *numbers);
        const uint32_t *counts = hsel_evaluation_counts(found, a, &count);
        assert_true(counted == (counts != NULL) && count == (counts ? 2 * lengths[a] : 0));
        if (counts)
            assert_memory_equal(counts, hsel_evaluation_counts(threaded, a, &other),
                                count * sizeof *counts);
    }
    const double *pooled = hsel_evaluation_numbers(found, HSEL_POOLED_EACH, &count);
    const double *mean = hsel_evaluation_numbers(found, HSEL_FOLD_MEAN_EACH, &count);
    assert_memory_equal(pooled, first->pooled, sizeof first->pooled);
    assert_memory_equal(pooled + HS_METRICS, second->pooled, sizeof second->pooled);
    assert_memory_equal(mean + HS_METRICS, second->fold_mean, sizeof second->fold_mean);
    uint64_t selected = 0, frequency = 0;
    for (size_t i = 0; i < 2 * n; i++)
        selected += hsel_evaluation_counts(found, HSEL_SELECTED, &count)[i];
    for (size_t f = 0; f < 2 * (size_t)data->features; f++)
        frequency += hsel_evaluation_counts(found, HSEL_FREQUENCY, &count)[f];
    assert_int_equal(selected, frequency);
}

static void test_evaluate(void **state)
{
    (void)state;
    static const char *const selectors[] = {"rpv", "hip", "gtd", "shsel"};
    hsel_error error = {0};
    for (uint64_t n = 0; n < 12; n++) {
        hsel_dataset *data = random_data(n);
        const char *selector = selectors[n % 4],
                   *classifier = n % 3 ? "nb:preset=weka" : "knn:preset=weka,k=3";
        hsel_evaluation *found = NULL, *threaded = NULL;
        hsel_request request = {.size = sizeof request,
                                .selector = selector,
                                .classifier = classifier,
                                .fold_scheme = "weka",
                                .folds = 5,
                                .repeats = 2,
                                .seed = 9,
                                .threads = 1,
                                .details = 1};
        assert_ok(hsel_crossval(data, &request, &found, &error), error);
        request.threads = 3;
        assert_ok(hsel_crossval(data, &request, &threaded, &error), error);
        hs_scores first = one_repeat(data, selector, classifier, 9);
        hs_scores second = one_repeat(data, selector, classifier, 10);
        for (int m = 0; m < HS_METRICS; m++) {
            double expected[] = {
                [HSEL_POOLED] = (first.pooled[m] + second.pooled[m]) / 2,
                [HSEL_FOLD_MEAN] = (first.fold_mean[m] + second.fold_mean[m]) / 2,
                [HSEL_POOLED_SD] = fabs(first.pooled[m] - second.pooled[m]) / sqrt(2),
                [HSEL_FOLD_MEAN_SD] = fabs(first.fold_mean[m] - second.fold_mean[m]) / sqrt(2)};
            for (int k = HSEL_POOLED; k <= HSEL_FOLD_MEAN_SD; k++) {
                double one = hsel_evaluation_metric(found, hsel_metric_name((size_t)m), k);
                double three = hsel_evaluation_metric(threaded, hsel_metric_name((size_t)m), k);
                assert_memory_equal(&one, &three, sizeof one);
                assert_true(isnan(expected[k]) ? isnan(one) : fabs(one - expected[k]) < 1e-12);
            }
        }
        check_arrays(data, found, threaded, &first, &second);
        double figure[2][HSEL_STABILITY_FIGURES];
        hsel_evaluation_stability_figures(found, figure[0]);
        hsel_evaluation_stability_figures(threaded, figure[1]);
        assert_memory_equal(figure[0], figure[1], sizeof figure[0]);
        assert_true(figure[0][HSEL_NOGUEIRA] == hsel_evaluation_stability(found));
        assert_true(figure[0][HSEL_NOGUEIRA] <= 1 && isnan(figure[0][HSEL_HIERARCHY]));
        assert_true(fabs(hsel_evaluation_selected(found) - 1 +
                         hsel_evaluation_metric(found, "compression", HSEL_POOLED)) < 1e-12);
        hsel_evaluation_free(found);
        hsel_evaluation_free(threaded);
        hsel_dataset_free(data);
    }
}

/* Some of the folds tested alone: as if all were; and without instances that take no part: as if
 * they were not there. */
static void test_some_folds(void **state)
{
    (void)state;
    hsel_error error = {0};
    for (uint64_t n = 0; n < 12; n++) {
        hsel_dataset *data = random_data(n), *fewer = NULL;
        hsel_evaluation *all = NULL, *some = NULL;
        const uint32_t count = data->instances, classes = data->class_names.count;
        uint32_t *folds = malloc(count * sizeof *folds), *rest = malloc(count * sizeof *rest),
                 left = 0;
        bool *keep = malloc(count);
        size_t length;
        for (uint32_t i = 0; i < count; i++) {
            keep[i] = n % 2 == 0 || i % 7 != 3;
            folds[i] = keep[i] ? i % 4 : HSEL_NONE;
            if (keep[i])
                rest[left++] = i % 4;
        }
        assert_ok(hs_dataset_keep_instances(data, keep, &fewer, &error), error);
        hsel_request request = {.size = sizeof request,
                                .selector = n % 3 ? "rpv" : "shsel",
                                .fold_of = rest,
                                .folds = 4,
                                .seed = 9,
                                .threads = 1,
                                .details = 1};
        assert_ok(hsel_crossval(fewer, &request, &all, &error), error);
        request.fold_of = folds;
        request.tested = 2;
        assert_ok(hsel_crossval(data, &request, &some, &error), error);
        assert_int_equal(hsel_evaluation_folds(some), 2);
        assert_memory_equal(hsel_evaluation_numbers(all, HSEL_FOLD_EACH, &length),
                            hsel_evaluation_numbers(some, HSEL_FOLD_EACH, &length),
                            2 * hsel_metric_count() * sizeof(double));
        const double *one = hsel_evaluation_numbers(all, HSEL_PROBABILITY, &length),
                     *other = hsel_evaluation_numbers(some, HSEL_PROBABILITY, &length);
        for (uint32_t i = 0; i < count; one += keep[i] ? classes : 0, other += classes, i++)
            if (folds[i] < 2)
                assert_memory_equal(one, other, classes * sizeof *one);
            else
                assert_true(isnan(other[0]));
        request.tested = 4;
        hsel_evaluation *none = NULL;
        assert_int_equal(hsel_crossval(data, &request, &none, &error), HSEL_EUSAGE);
        free(folds);
        free(rest);
        free(keep);
        hsel_evaluation_free(all);
        hsel_evaluation_free(some);
        hsel_dataset_free(fewer);
        hsel_dataset_free(data);
    }
}

struct seen {
    uint32_t calls, stop_at, wrong; /* no assertion in a thread of the library's */
};

static int count_done(void *context, uint32_t pair, uint32_t repeat, const hsel_evaluation *so_far,
                      hsel_error *error)
{
    struct seen *seen = context;
    size_t count;
    (void)error;
    hsel_evaluation_counts(so_far, HSEL_FOLD_OF, &count); /* the latest repeat alone */
    seen->wrong +=
        pair == 2 || pair > 3 || hsel_evaluation_repeats(so_far) != repeat + 1 || count != 60;
    return ++seen->calls == seen->stop_at ? HSEL_ECANCELLED : HSEL_OK;
}

/* A grid says of each pair what a cross-validation of it alone does; one pair is left out. */
static void test_grid(void **state)
{
    (void)state;
    static const char *const selectors[] = {"rpv", "shsel"}, *const classifiers[] = {"nb", "knn"};
    static const uint8_t skip[4] = {0, 0, 1, 0};
    hsel_error e = {0};
    hsel_dataset *data = NULL;
    hsel_evaluation *found[4] = {NULL}, *alone = NULL;
    struct seen seen = {0};
    assert_ok(hsel_dataset_generate("ontology:instances=60,features=20", 1, &data, &e), e);
    hsel_grid grid = {.size = sizeof grid,
                      .selectors = "rpv\0shsel",
                      .selector_count = 2,
                      .classifiers = "nb\0knn",
                      .classifier_count = 2,
                      .skip = skip,
                      .stability = HSEL_ALL_STABILITY,
                      .done = count_done,
                      .context = &seen};
    const hsel_request *request = ASK(.folds = 3, .repeats = 2, .details = HSEL_LATEST);
    assert_ok(hsel_crossval_grid(data, request, &grid, found, &e), e);
    assert_int_equal(seen.calls, 3 * 2);
    assert_int_equal(seen.wrong, 0);
    assert_null(found[2]);
    for (int i = 0; i < 4; i++) {
        if (skip[i])
            continue;
        assert_ok(hsel_crossval(data,
                                ASK(.selector = selectors[i / 2], .classifier = classifiers[i % 2],
                                    .folds = 3, .repeats = 2),
                                &alone, &e),
                  e);
        for (size_t m = 0; m < hsel_metric_count(); m++)
            for (int how = HSEL_POOLED; how <= HSEL_FOLD_MEAN_SD; how++) {
                const char *name = hsel_metric_name(m);
                double one = hsel_evaluation_metric(alone, name, how),
                       of_grid = hsel_evaluation_metric(found[i], name, how);
                assert_memory_equal(&one, &of_grid, sizeof one);
            }
        double one = hsel_evaluation_stability(alone),
               of_grid = hsel_evaluation_stability(found[i]);
        assert_memory_equal(&one, &of_grid, sizeof one);
        hsel_evaluation_free(alone);
        hsel_evaluation_free(found[i]);
        found[i] = NULL;
    }
    /* after it has stopped the grid, it is not called by the tasks that still run */
    for (int again = 0; again < 20; again++) {
        seen = (struct seen){.stop_at = 2};
        assert_int_equal(hsel_crossval_grid(data, request, &grid, found, &e), HSEL_ECANCELLED);
        assert_int_equal(seen.calls, 2);
        assert_int_equal(seen.wrong, 0);
        for (int i = 0; i < 4; i++) {
            hsel_evaluation_free(found[i]);
            found[i] = NULL;
        }
    }
    hsel_dataset_free(data);
}

/* ---- models ---- */

static void test_model(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = obvious();
    hsel_model *model = NULL, *back = NULL;
    /* other order of columns, no class */
    hsel_dataset *other = read_data(put("other.csv", "c,b,a\n1,1,0\n1,0,1\n"), "no-class");
    double found[2][2], again[2][2];
    uint32_t selected[2];
    assert_ok(hsel_train(data, ASK(.selector = "sig:threshold=0.5"), &model, &error), error);
    assert_int_equal(hsel_model_classes(model), 2);
    assert_string_equal(hsel_model_class_name(model, 0), "no");
    assert_string_equal(hsel_model_class_name(model, 1), "yes");
    assert_null(hsel_model_class_name(model, 2));
    assert_ok(hsel_predict(model, other, NULL, found[0], NULL, selected, &error), error);
    assert_true(found[0][0] > 0.9 && found[1][1] > 0.9);
    assert_true(fabs(found[0][0] + found[0][1] - 1) < 1e-12);
    assert_int_equal(selected[0], selected[1]);
    assert_ok(hsel_model_write(model, hs_folder_file(&folder, "x.model"), &error), error);
    hsel_model_free(model);
    hsel_dataset_free(data);
    assert_ok(hsel_model_read(hs_folder_file(&folder, "x.model"), &back, &error), error);
    assert_ok(hsel_predict(back, other, NULL, again[0], NULL, NULL, &error), error);
    assert_memory_equal(found, again, sizeof found);
    char *selector = NULL, *classifier = NULL;
    assert_ok(hsel_model_methods(back, &selector, &classifier, &error), error);
    assert_string_equal(selector, "sig:threshold=0.5");
    assert_string_equal(classifier, "nb");
    hsel_free(selector);
    hsel_free(classifier);
    assert_int_equal(hsel_dataset_instances(hsel_model_shape(back)), 0);
    assert_string_equal(hsel_dataset_feature_name(hsel_model_shape(back), 1), "b");
    hsel_model_free(back);
    hsel_model_free(NULL);
    hsel_dataset_free(other);
}

static void expect(int status, int expected, const hsel_error *error, const char *message)
{
    assert_int_equal(status, expected);
    assert_int_equal(error->code, expected);
    assert_string_equal(error->message, message);
}

/* Two features that equal the class, and a constant one. */
static void test_p_values(void **state)
{
    (void)state;
    hsel_error e = {0};
    hsel_dataset *data = obvious();
    double p[3], adjusted[3];
    uint8_t status[3];
    assert_ok(hsel_p_values(data, NULL, NULL, p, adjusted, status, &e), e);
    for (int f = 0; f < 2; f++) {
        assert_true(fabs(p[f] - 2.0 / 70) < 1e-15); /* two of the 70 ways to choose 4 of 8 */
        assert_true(fabs(adjusted[f] - 2.0 / 70) < 1e-15);
        assert_int_equal(status[f], HSEL_P_TESTED);
    }
    assert_true(isnan(p[2]) && isnan(adjusted[2]));
    assert_int_equal(status[2], HSEL_P_CONSTANT);
    assert_ok(hsel_p_values(data, NULL, "adjust=holm,mid=true", p, adjusted, NULL, &e), e);
    assert_true(fabs(p[0] - 1.5 / 70) < 1e-15);
    assert_true(fabs(adjusted[0] - 3.0 / 70) < 1e-15);
    assert_ok(hsel_p_values(data, NULL, "test=chi2", p, NULL, NULL, &e), e);
    assert_true(fabs(p[1] - erfc(2)) < 1e-15); /* chi-squared of 8 */
    hsel_dataset_free(data);
    data = read_data(put("one.csv", "a,b,class\n1,0,yes\n0,1,yes\n"), NULL);
    expect(hsel_p_values(data, NULL, "permutations=9", p, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "testing features needs two classes or more, but one has 1");
    hsel_dataset_free(data);
}

/* A model of a selector alone selects as hsel_select and a whole model do, and does nothing else.
 */
static void test_selector_alone(void **state)
{
    (void)state;
    static const char *const selectors[] = {"rpv", "shsel"};
    static const char none[] = "the model has no classifier: it only selects";
    hsel_error e = {0};
    hsel_dataset *data = NULL;
    assert_ok(hsel_dataset_generate("ontology:instances=60,features=20", 1, &data, &e), e);
    for (int s = 0; s < 2; s++) {
        hsel_model *alone = NULL, *whole = NULL;
        uint64_t start[2][61];
        uint32_t *index[2] = {NULL, NULL};
        uint8_t keep[2][20];
        double probability[120];
        char *text = NULL, *selector = NULL, *classifier = NULL;
        assert_ok(hsel_train(data, ASK(.selector = selectors[s], .classifier = ""), &alone, &e), e);
        assert_ok(hsel_train(data, ASK(.selector = selectors[s]), &whole, &e), e);
        assert_ok(hsel_select_each(alone, data, NULL, start[0], &index[0], &e), e);
        assert_ok(hsel_select_each(whole, data, NULL, start[1], &index[1], &e), e);
        assert_memory_equal(start[0], start[1], sizeof start[0]);
        assert_memory_equal(index[0], index[1], start[0][60] * sizeof *index[0]);
        if (s == 1) {
            assert_ok(hsel_select(data, ASK(.selector = selectors[s]), keep[0], NULL, &e), e);
            assert_ok(hsel_model_support(alone, keep[1], &e), e);
            assert_memory_equal(keep[0], keep[1], sizeof keep[0]);
        }
        assert_ok(hsel_model_methods(alone, &selector, &classifier, &e), e);
        assert_string_equal(classifier, "");
        expect(hsel_predict(alone, data, NULL, probability, NULL, NULL, &e), HSEL_EUNSUPPORTED, &e,
               none);
        expect(hsel_model_write(alone, "x", &e), HSEL_EUNSUPPORTED, &e, none);
        expect(hsel_model_explain(alone, data, 0, 0, "text", &text, &e), HSEL_EUNSUPPORTED, &e,
               none);
        expect(hsel_model_describe(alone, "text", &text, &e), HSEL_EUNSUPPORTED, &e, none);
        expect(hsel_model_draw(alone, "dot", 0, &text, &e), HSEL_EUNSUPPORTED, &e, none);
        expect(hsel_train(data, ASK(.selector = selectors[s], .log = "x"), &whole, &e), HSEL_EUSAGE,
               &e,
               s ? "'log' is for searches such as ga, but shsel is not one"
                 : "'log' is for searches such as ga, but rpv is not one");
        hsel_free(index[0]);
        hsel_free(index[1]);
        hsel_free(selector);
        hsel_free(classifier);
        hsel_model_free(alone);
        hsel_model_free(whole);
    }
    hsel_dataset_free(data);
}

/* Data may go before the models that learned from them, and what they gave out stays until then.
 */
static void test_lifetimes(void **state)
{
    (void)state;
    hsel_error e = {0};
    for (size_t m = 0; m < hsel_method_count(); m++) {
        const char *kind = hsel_method_kind(m);
        bool selector = strcmp(kind, "selector") == 0;
        if (!selector && strcmp(kind, "classifier") != 0)
            continue;
        hsel_dataset *data = random_data(2), *other = random_data(2);
        hsel_model *model = NULL;
        double before[2 * 64], after[2 * 64];
        char *text = NULL;
        void *bytes = NULL;
        size_t length;
        assert_true(hsel_dataset_instances(data) <= 64);
        int status = hsel_train(data,
                                ASK(.selector = selector ? hsel_method_name(m) : "none",
                                    .classifier = selector ? "nb" : hsel_method_name(m)),
                                &model, &e);
        if (status == HSEL_OK) {
            assert_ok(hsel_predict(model, other, NULL, before, NULL, NULL, &e), e);
            hsel_dataset_free(hs_take(&data));
            assert_ok(hsel_predict(model, other, NULL, after, NULL, NULL, &e), e);
            assert_memory_equal(before, after, hsel_dataset_instances(other) * 2 * sizeof *before);
            assert_ok(hsel_model_explain(model, other, 0, 0, "text", &text, &e), e);
            assert_ok(hsel_model_to_bytes(model, &bytes, &length, &e), e);
            hsel_free(text);
            hsel_free(bytes);
        } else {
            assert_true(status == HSEL_EUSAGE || status == HSEL_EUNSUPPORTED);
        }
        hsel_model_free(model);
        hsel_dataset_free(data);
        hsel_dataset_free(other);
    }
    hsel_dataset *data = obvious();
    hsel_model *model = NULL;
    const uint32_t child = 0, parent = 1;
    hsel_edges edges = {.size = sizeof edges, .child = &child, .parent = &parent, .count = 1};
    assert_null(hsel_dataset_hierarchy(data));
    assert_ok(hsel_train(data, NULL, &model, &e), e);
    expect(hsel_dataset_set_hierarchy(data, &edges, NULL, &e), HSEL_EUSAGE, &e,
           "obvious cannot be changed because a model was trained on it");
    hsel_model_free(model);
    edges.labels = "first\0second\0third";
    assert_ok(hsel_dataset_set_hierarchy(data, &edges, NULL, &e), e);
    assert_string_equal(hsel_dataset_feature_label(data, 0), "first");
    hsel_dataset_free(data);
}

/* A number to predict: it is in the scores, of a model and of a cross-validation. */
static void test_numeric_target(void **state)
{
    (void)state;
    enum { N = 30 };
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hsel_model *model = NULL;
    hsel_evaluation *found = NULL;
    double x[N], target[N], number[N];
    for (int i = 0; i < N; i++) {
        x[i] = i % 10;
        target[i] = i == 7 ? (double)NAN : 2 * x[i] + 0.5;
    }
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = N,
                          .features = 1,
                          .layout = HSEL_DENSE,
                          .number = HSEL_F64,
                          .values = x,
                          .row_stride = 8,
                          .target = target};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hsel_train(data, ASK(.classifier = "knn:k=1"), &model, &error), error);
    assert_ok(hsel_predict(model, data, NULL, NULL, number, NULL, &error), error);
    assert_ok(
        hsel_crossval(data, ASK(.classifier = "knn:k=1", .folds = 3, .details = 1), &found, &error),
        error);
    size_t count, none;
    const double *tested = hsel_evaluation_numbers(found, HSEL_SCORE, &count);
    assert_int_equal(count, N);
    hsel_evaluation_counts(found, HSEL_CONFUSION, &none);
    assert_int_equal(none, 0);
    for (int i = 0; i < N; i++) {
        assert_true(number[i] == 2 * x[i] + 0.5);
        assert_true(i == 7 ? isnan(tested[i]) : tested[i] >= 0.5 && tested[i] <= 18.5);
    }
    assert_true(hsel_evaluation_metric(found, "r2", HSEL_POOLED) > 0.5);
    hsel_evaluation_free(found);
    hsel_model_free(model);
    hsel_dataset_free(data);
}

/* ---- asked wrongly ---- */

/* The automatic choice: a model that predicts, what is known of it, and what is refused. */
static void test_auto(void **state)
{
    (void)state;
    hsel_error e = {0};
    hsel_model *model = NULL;
    hsel_dataset *data = NULL;
    char *json = NULL, *text = NULL;
    double probability[2 * 60];
    assert_ok(hsel_dataset_generate("ontology:instances=60,features=20", 1, &data, &e), e);
    hsel_auto_request how = {.size = sizeof how,
                             .selectors = "none\0shsel",
                             .selector_count = 2,
                             .classifiers = "nb",
                             .classifier_count = 1,
                             .inner_folds = 3,
                             .permutations = 2};
    assert_ok(hsel_auto(data, ASK(.folds = 3), &how, &model, &json, &text, &e), e);
    assert_ok(hsel_predict(model, data, NULL, probability, NULL, NULL, &e), e);
    assert_non_null(strstr(json, "\"permutations\": 2,"));
    assert_memory_equal(text, "choice ", 7);
    hsel_model_free(model);
    hsel_free(json);
    hsel_free(text);
    assert_ok(hsel_auto(data, ASK(.folds = 3), &how, NULL, NULL, NULL, &e), e);
    how.metric = "auroq";
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "there is no metric 'auroq'");
    how.metric = NULL;
    how.race = 0.6;
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "the level of the race must be at most 0.5, not 0.6");
    how.race = -1;
    how.budget = -1;
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "the budget must be 0 seconds or more, not -1");
    how.budget = 0;
    how.selector_count = 0;
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "no selector is given");
    how.selector_count = 2;
    uint32_t counts[HSEL_AUTO_COUNTS] = {0};
    how.counts = counts;
    how.form = "csv";
    assert_ok(hsel_auto(data, ASK(.folds = 3), &how, NULL, NULL, &text, &e), e);
    assert_memory_equal(text, "dataset,selector,", 17);
    hsel_free(text);
    assert_int_equal(counts[HSEL_AUTO_CANDIDATES], 2);
    assert_int_equal(counts[HSEL_AUTO_LEFT_OUT], 0);
    assert_int_equal(counts[HSEL_AUTO_TESTED], 3);
    how.form = "list";
    assert_ok(hsel_auto(data, ASK(.folds = 3), &how, NULL, NULL, &text, &e), e);
    assert_memory_equal(text, "selector", 8);
    hsel_free(text);
    how.form = "liste";
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "unknown form of choice 'liste': use text, csv or list");
    how.form = NULL;
    how.inner_repeats = 4000;
    expect(hsel_auto(data, NULL, &how, NULL, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "at most 1000 repeats and 100000 permutations are possible");
    hsel_dataset_free(data);
}

static void count_note(void *context, const char *text)
{
    (void)text;
    ++*(int *)context;
}

static void test_candidates(void **state)
{
    (void)state;
    hsel_error e;
    hsel_dataset *data = NULL;
    char *json = NULL, *text = NULL, *report = NULL;
    uint32_t counts[HSEL_DISCOVER_COUNTS];
    int notes = 0;
    assert_ok(hsel_dataset_generate("ontology:instances=60,features=20", 1, &data, &e), e);
    char known[400] = "", *at = known;
    for (uint32_t i = 0; i < 9; i++)
        at += sprintf(at, "%u, ", 3 * i + 1);
    sprintf(at, "nobody");
    hsel_discover_request how = {.size = sizeof how,
                                 .positives = known,
                                 .positive_count = 1,
                                 .top = 4,
                                 .report = &report,
                                 .counts = counts};
    const hsel_request *request =
        ASK(.folds = 3, .classifier = "nb", .note = count_note, .context = &notes);
    assert_ok(hsel_discover(data, request, &how, &json, &text, &e), e);
    assert_int_equal(counts[HSEL_DISCOVER_KNOWN], 9);
    assert_int_equal(counts[HSEL_DISCOVER_NOT_FOUND], 1);
    assert_int_equal(counts[HSEL_DISCOVER_AMBIGUOUS], 0);
    assert_int_equal(notes, 1);
    assert_non_null(strstr(json, "\"rank\": 4,"));
    assert_null(strstr(json, "\"rank\": 5,"));
    assert_memory_equal(text, "candidates ", 11);
    assert_memory_equal(report, "Methods\n", 8);
    hsel_free(json);
    hsel_free(text);
    hsel_free(report);
    how.report = NULL;
    how.form = "csv";
    how.top = HSEL_NONE;
    assert_ok(hsel_discover(data, request, &how, NULL, &text, &e), e);
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + 51 + 1);
    hsel_free(text);
    how.form = "html";
    expect(hsel_discover(data, request, &how, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "unknown form of candidates 'html': use text or csv");
    how.form = NULL;
    how.fdr = 1;
    expect(hsel_discover(data, request, &how, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "the false discovery rate must be below 1, not 1");
    how.fdr = 0;
    how.positives = "nobody";
    assert_int_equal(hsel_discover(data, request, &how, NULL, NULL, &e), HSEL_EUSAGE);
    assert_memory_equal(e.message, "none of the known positives is in ", 34);
    how.positives = NULL;
    assert_int_equal(hsel_discover(data, request, &how, NULL, NULL, &e), HSEL_EUSAGE);
    assert_memory_equal(e.message, "which instances are known positives?", 36);
    assert_int_equal(hsel_discover(data, NULL, NULL, NULL, NULL, &e), HSEL_EUSAGE);
    hsel_dataset_free(data);
}

static void test_bad_requests(void **state)
{
    (void)state;
    hsel_error e = {0};
    hsel_evaluation *out = NULL;
    hsel_model *model = NULL;
    hsel_dataset *data = obvious();
    uint8_t keep[3];
    double probability[16];
    expect(hsel_select(data, ASK(.selector = "rpx"), keep, NULL, &e), HSEL_EUSAGE, &e,
           "there is no selector 'rpx'; did you mean 'rpv'?");
    expect(hsel_select(data, ASK(.selector = "rpv"), keep, NULL, &e), HSEL_EUNSUPPORTED, &e,
           "rpv selects features for each instance separately: train a model to use it");
    expect(hsel_select(data, ASK(.selector = "shsel"), keep, NULL, &e), HSEL_EUSAGE, &e,
           "shsel needs a hierarchy, but obvious has none: give hierarchy=FILE");
    expect(hsel_select(data, NULL, keep, NULL, &e), HSEL_EUSAGE, &e, "no selector is given");
    expect(hsel_select(data, ASK(.selector = "none", .threads = -1), keep, NULL, &e), HSEL_EUSAGE,
           &e, "the number of threads must be from 0 to 4096, not -1");
    expect(hsel_crossval(data, ASK(.folds = 1), &out, &e), HSEL_EUSAGE, &e,
           "at least 2 folds are needed, not 1");
    expect(hsel_crossval(data, ASK(.fold_scheme = "wek", .folds = 2), &out, &e), HSEL_EUSAGE, &e,
           "there is no fold scheme 'wek'; did you mean 'weka'?");
    expect(hsel_crossval(data, ASK(.classifier = "bn", .folds = 2), &out, &e), HSEL_EUSAGE, &e,
           "there is no classifier 'bn'; did you mean 'nb'?");
    expect(hsel_train(data, ASK(.classifier = "knn:k=0"), &model, &e), HSEL_EUSAGE, &e,
           "option k takes a whole number from 1 to 1000000, not '0'");
    expect(hsel_rank(data, NULL, probability, &e), HSEL_EUSAGE, &e, "no ranker is given");
    expect(hsel_p_values(data, NULL, "adjust=elim", probability, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "elim needs a hierarchy: give hierarchy=FILE");
    expect(hsel_p_values(data, NULL, "adjust=max-t", probability, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "max-t needs permutations, e.g. permutations=10000");
    expect(hsel_p_values(data, NULL, "adjust=bb", probability, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "bb is not a procedure; known: bh, by, holm, focused-bh, dagger, dagger-dependent, "
           "structured-holm, yekutieli");
    assert_null(model);
    assert_null(out);
    assert_int_equal(hsel_select(data, ASK(.selector = "rpx"), keep, NULL, NULL), HSEL_EUSAGE);
    assert_ok(hsel_train(data, NULL, &model, &e), e);
    hsel_dataset *other = read_data(put("other.csv", "c,b,class\n1,1,no\n"), NULL);
    expect(hsel_predict(model, other, NULL, probability, NULL, NULL, &e), HSEL_EFORMAT, &e,
           "feature a of the training data, obvious, is not in other; features=intersect takes "
           "it as negative");
    hsel_model_free(model);
    hsel_dataset_free(other);
    hsel_dataset_free(data);
}

/* Programs that were compiled with an older or a newer hsel.h. */
static void test_sizes(void **state)
{
    (void)state;
    hsel_error e = {0};
    hsel_dataset *data = obvious();
    hsel_evaluation *found = NULL;
    struct {
        hsel_request request;
        uint64_t later; /* a member of a later version */
    } newer = {{.size = sizeof newer, .folds = 2}, 0};
    assert_ok(hsel_crossval(data, &newer.request, &found, &e), e);
    assert_int_equal(hsel_evaluation_folds(found), 2);
    hsel_evaluation_free(found);
    newer.later = 1;
    found = NULL;
    expect(hsel_crossval(data, &newer.request, &found, &e), HSEL_EUSAGE, &e,
           "hsel_request has a member that is unknown to this version of the library");
    assert_null(found);
    /* an older one ends before `folds`: what stands behind is not looked at */
    hsel_request older = {.size = offsetof(hsel_request, folds),
                          .folds = 1,
                          .repeats = 77,
                          .fold_scheme = "wek",
                          .details = 1};
    hsel_dataset *large = random_data(0);
    assert_ok(hsel_crossval(large, &older, &found, &e), e);
    assert_int_equal(hsel_evaluation_folds(found), 10);
    assert_int_equal(hsel_evaluation_repeats(found), 1);
    size_t count = 9;
    assert_null(hsel_evaluation_numbers(found, HSEL_SCORE, &count));
    assert_int_equal(count, 0);
    hsel_evaluation_free(found);
    found = NULL;
    older.size = 0;
    expect(hsel_crossval(large, &older, &found, &e), HSEL_EUSAGE, &e,
           "the size of hsel_request is not set");
    older.size = SIZE_MAX;
    expect(hsel_crossval(large, &older, &found, &e), HSEL_EUSAGE, &e,
           "the size of hsel_request is not set");
    older.size = sizeof older.size - 1;
    expect(hsel_crossval(large, &older, &found, &e), HSEL_EUSAGE, &e,
           "the size of hsel_request is not set");
    expect(hsel_compare(NULL, NULL, NULL, &e), HSEL_EUSAGE, &e, "hsel_compare_request is missing");
    expect(hsel_report(NULL, &e), HSEL_EUSAGE, &e, "hsel_report_request is missing");
    expect(hsel_dataset_set_hierarchy(large, NULL, NULL, &e), HSEL_EUSAGE, &e,
           "hsel_edges is missing");
    hsel_dataset *bare = NULL;
    assert_ok(hsel_dataset_from_arrays(
                  &(hsel_arrays){.size = sizeof(hsel_arrays), .start = (int32_t[]){0}}, &bare, &e),
              e);
    expect(hsel_dataset_set_hierarchy(bare, &(hsel_edges){.size = sizeof(hsel_edges), .count = 1},
                                      NULL, &e),
           HSEL_EUSAGE, &e, "the edges have no children or no parents");
    hsel_dataset_free(bare);
    /* nothing of an evaluation is out of range */
    assert_ok(hsel_crossval(large, ASK(.details = 1), &found, &e), e);
    static const int far[] = {-1, HSEL_FOLD_EACH + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        assert_null(hsel_evaluation_numbers(found, far[i], &count));
        assert_int_equal(count, 0);
        assert_null(hsel_evaluation_counts(found, far[i], &count));
        assert_int_equal(count, 0);
        assert_true(isnan(hsel_evaluation_metric(found, "accuracy", far[i])));
    }
    assert_true(isnan(hsel_evaluation_metric(found, "luck", HSEL_POOLED)));
    hsel_evaluation_free(found);
    assert_int_equal(hsel_sizeof("hsel_request"), sizeof(hsel_request));
    assert_int_equal(hsel_sizeof("hsel_watch"), 0);
    hsel_dataset_free(large);
    hsel_dataset_free(data);
}

static int everything(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hsel_model *model = NULL;
    hsel_evaluation *out = NULL;
    uint8_t keep[12];
    double probability[40 * 3];
    int status = hsel_select(data, ASK(.selector = "gtd", .threads = 1), keep, NULL, error);
    if (status == HSEL_OK)
        status = hsel_crossval(data, ASK(.selector = "rpv", .folds = 2, .threads = 1, .details = 1),
                               &out, error);
    if (status == HSEL_OK)
        status = hsel_train(data, ASK(.selector = "hip", .classifier = "knn:k=1", .threads = 1),
                            &model, error);
    if (status == HSEL_OK)
        status = hsel_predict(model, data, ASK(.threads = 1), probability, NULL, NULL, error);
    hsel_evaluation_free(out);
    hsel_model_free(model);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    hsel_dataset *data = random_data(1);
    assert_true(hs_oom_each("the public functions", everything, data) > 20);
    hsel_dataset_free(data);
}

static int set_up(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hs_folder_free(&folder);
    return 0;
}

static void test_stability(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = obvious();
    hsel_evaluation *found = NULL;
    uint32_t features = hsel_dataset_features(data), first[] = {0, 1}, second[] = {0, 0};
    double figure[HSEL_STABILITY_FIGURES], value[2];
    HS_OWNED uint8_t *sets = HS_NEW_ZERO(uint8_t, 3 * features);
    assert_non_null(sets);
    sets[0] = sets[features] = sets[2 * features + 1] = 1;
    assert_ok(hsel_stability(sets, 3, features, NULL, NULL, 1, figure, &error), error);
    assert_true(fabs(figure[HSEL_JACCARD] - 1 / 3.0) < 1e-12 && isnan(figure[HSEL_HIERARCHY]));
    assert_ok(hsel_stability(sets, 3, features, data, "lin", 1, figure, &error), error);
    assert_false(isnan(figure[HSEL_HIERARCHY]));
    assert_int_equal(hsel_stability(sets, 3, features, NULL, "lin", 1, figure, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "a similarity needs the data set of the features");
    assert_int_equal(hsel_stability(sets, 3, features, data, "cosine", 1, figure, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "unknown similarity 'cosine': use lin, resnik or jiang-conrath");
    assert_int_equal(hsel_stability(sets, 3, features - 1, data, NULL, 1, figure, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "the selections have"));
    assert_ok(hsel_similarity(data, "lin", first, second, 2, value, &error), error);
    assert_true(value[0] == 1 && value[1] < 1);
    first[1] = features;
    assert_int_equal(hsel_similarity(data, "lin", first, second, 2, value, &error), HSEL_EUSAGE);
    assert_ok(hsel_crossval(data, ASK(.folds = 4, .selector = "top:k=1", .similarity = "resnik"),
                            &found, &error),
              error);
    hsel_evaluation_stability_figures(found, figure);
    assert_true(figure[HSEL_NOGUEIRA] == 1 && figure[HSEL_HIERARCHY] == 1);
    hsel_evaluation_free(found);
    assert_int_equal(hsel_crossval(data, ASK(.folds = 4, .similarity = "?"), &found, &error),
                     HSEL_EUSAGE);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_out_of_range),   cmocka_unit_test(test_predict_in_parallel),
        cmocka_unit_test(test_metrics),        cmocka_unit_test(test_select),
        cmocka_unit_test(test_obvious),        cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_some_folds),     cmocka_unit_test(test_grid),
        cmocka_unit_test(test_model),          cmocka_unit_test(test_p_values),
        cmocka_unit_test(test_selector_alone), cmocka_unit_test(test_numeric_target),
        cmocka_unit_test(test_auto),           cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_bad_requests),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_out_of_memory),  cmocka_unit_test(test_lifetimes)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

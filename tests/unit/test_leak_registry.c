/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing leaks: what is predicted for an instance does not depend on the labels of the instances
 * tested, nor on anything else of the others among them. For every selector with every classifier
 * that suits it, on data prepared in every way, with calibration, thresholds, inner folds,
 * covariates and numeric targets. Predictions must be the same to the last bit after the labels of
 * the test rows are swapped, and after all of them but one are replaced. The values that a nominal
 * feature can have belong to the data set, like the names of features, and are the same throughout.
 *
 * The test must be able to fail: a selector and a preparation that look at all rows are caught.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "classify/classify.h"
#include "core/mem.h"
#include "core/random.h"
#include "data/builder.h"
#include "data/checks.h"
#include "data/classes.h"
#include "learn/crossval.h"
#include "learn/model.h"
#include "load/load.h"
#include "rank/rank.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/model_data.h"

#define EACH_METHOD(method)                                                                        \
    for (size_t i_ = 0; i_ < hs_method_count(); i_++)                                              \
        for (const hs_method *method = hs_method_at(i_); method; method = NULL)

enum { ROWS = 36, FOLDS = 3, TREE = 7, WATCHED = 6, MOST = 64 }; /* row 6 is of fold 0 */

typedef enum world { BINARY, AMOUNTS, MIXED, WORLDS } world;
typedef enum variant { AS_IT_IS, LABELS_SWAPPED, ROWS_REPLACED } variant;

typedef struct preparation {
    world world;
    const char *options;
    bool covariates, target;
    bool by_support; /* counts instances, also those tested: swapped labels alone must not matter */
} preparation;

static const preparation preparations[] = {
    {BINARY, NULL},
    {BINARY, "propagate"},
    {BINARY, "drop-roots"},
    {BINARY, "min-support=14", .by_support = true},
    {BINARY, NULL, .target = true},
    {AMOUNTS, NULL},
    {AMOUNTS, "transform=relative"},
    {AMOUNTS, "transform=clr"},
    {AMOUNTS, "transform=clr,pseudo-count=0.5"},
    {AMOUNTS, "transform=clr,level=tips"},
    {AMOUNTS, "transform=clr,branch=f1"},
    {AMOUNTS, "transform=rclr"},
    {AMOUNTS, "transform=relative,transform=log1p"},
    {AMOUNTS, "transform=presence:3"},
    {AMOUNTS, "aggregate=sum,transform=presence,transform-order=before"},
    {AMOUNTS, "min-prevalence=0.5,transform=clr", .by_support = true},
    {AMOUNTS, "transform=clr", .covariates = true},
    {AMOUNTS, "transform=rclr", .target = true},
    {MIXED, NULL},
    {MIXED, NULL, .covariates = true},
    {MIXED, NULL, .covariates = true, .target = true},
};

/* ---- data ---- */

static bool tested(uint32_t row) { return row % FOLDS == 0; }

/* The numbers of a row come from a stream of its own. */
static hsel_dataset *build(const preparation *p, variant v)
{
    static const uint32_t child[] = {1, 2, 3, 4, 5, 6}, parent[] = {0, 0, 1, 1, 2, 2};
    const uint32_t features = p->world == MIXED ? 6 : TREE, age = features, sex = features + 1;
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    char name[16];
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < features + (p->covariates ? 2 : 0); f++) {
        hsel_feature_type type = f == age              ? HSEL_NUMERIC
                                 : f == sex            ? HSEL_NOMINAL
                                 : p->world == MIXED   ? (hsel_feature_type)(f % 3)
                                 : p->world == AMOUNTS ? HSEL_NUMERIC
                                                       : HSEL_BINARY;
        snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_builder_feature(builder, name, strlen(name), type, &id, &error), error);
        for (int value = 0; type == HSEL_NOMINAL && value < 3; value++)
            assert_ok(hs_builder_value(builder, f, &"xyz"[value], 1, &id, &error), error);
    }
    for (int c = 0; c < 2; c++)
        assert_ok(hs_builder_class(builder, c ? "case" : "control", c ? 4 : 7, &id, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        const bool other = v == ROWS_REPLACED && tested(i) && i != WATCHED;
        const uint32_t label = i / FOLDS % 2;
        hs_stream stream;
        double amount[TREE] = {0};
        hs_stream_init(&stream, 1, "row", i, other);
        assert_ok(hs_builder_row(builder, NULL, 0,
                                 v == LABELS_SWAPPED && tested(i) ? 1 - label : label, &error),
                  error);
        for (uint32_t f = 3; f < TREE; f++) { /* some depend on the class */
            bool there = hs_random_double(&stream) < (f % 2 == label ? 0.75 : 0.4);
            double count = (double)(1 + hs_random_below(&stream, 20)) * (f == 3 + label ? 3 : 1);
            amount[f] = there ? (other ? count / 1024 : count) : 0;
            for (uint32_t up = f; up; up = parent[up - 1])
                amount[parent[up - 1]] += amount[f];
        }
        for (uint32_t f = 0; f < features; f++) {
            double value = p->world == MIXED ? amount[3 + f % 4] : amount[f];
            hsel_feature_type type = p->world == MIXED     ? (hsel_feature_type)(f % 3)
                                     : p->world == AMOUNTS ? HSEL_NUMERIC
                                                           : HSEL_BINARY;
            bool missing = p->world == MIXED && hs_random_double(&stream) < 0.1;
            if (type == HSEL_BINARY && value > 0)
                assert_ok(hs_builder_positive(builder, f, &error), error);
            else if (type == HSEL_NUMERIC)
                assert_ok(hs_builder_numeric(builder, f, missing ? (double)NAN : value, &error),
                          error);
            else if (type == HSEL_NOMINAL && !missing)
                assert_ok(hs_builder_nominal(builder, f, value > 10 ? 2 : value > 0, &error),
                          error);
        }
        if (p->covariates) {
            assert_ok(
                hs_builder_numeric(builder, age, (double)hs_random_below(&stream, 90), &error),
                error);
            assert_ok(
                hs_builder_nominal(builder, sex, (uint32_t)hs_random_below(&stream, 3), &error),
                error);
        }
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    if (p->world != MIXED) {
        hsel_dag *dag = NULL;
        assert_ok(hs_dag_new(data->features, child, parent, TREE - 1, &dag, &error), error);
        assert_ok(hs_dataset_attach(data, dag, &error), error);
    }
    for (uint32_t f = age; p->covariates && f <= sex; f++) {
        snprintf(name, sizeof name, "f%u", f);
        assert_ok(hs_covariate_add(&data, name, &error), error);
    }
    if (p->target) { /* a number in place of the class */
        assert_non_null(data->target = HS_NEW(double, ROWS));
        for (uint32_t i = 0; i < ROWS; i++)
            data->target[i] = 10 * data->class_of[i] + i % 5;
        hs_free(data->class_of);
        data->class_of = NULL;
        hs_names_clear(&data->class_names);
        data->positive_class = HSEL_NONE;
    }
    return data;
}

static hsel_dataset *prepared(const preparation *p, variant v)
{
    hsel_dataset *data = build(p, v);
    hsel_error error = {0};
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    assert_ok(hs_options_defaults(hs_load_table, &options, &arena, &error), error);
    if (p->options)
        assert_ok(hs_options_parse(hs_load_table, &options, p->options, "data", &arena, &error),
                  error);
    assert_ok(hs_load_prepare(&data, &options, &report, &error), error);
    hs_load_report_clear(&report);
    hs_arena_clear(&arena);
    return data;
}

/* ---- methods ---- */

typedef struct methods {
    hs_chosen item[MOST];
    size_t count;
} methods;

static void add(methods *list, hs_kind kind, const char *text)
{
    hsel_error error = {0};
    assert_true(list->count < MOST);
    assert_ok(hs_chosen_parse(kind, text, &list->item[list->count++], &error), error);
}

/* With its defaults, or with fewer trees and runs. */
static const char *quick(const hs_method *method)
{
    static const char *const texts[] = {"taxahfe:trees=5,seeds=2,from=2",
                                        "boruta:runs=2,trees=3",
                                        "ga:population=8,generations=2",
                                        "stability:runs=4",
                                        "ensemble:runs=2",
                                        "forest:trees=4",
                                        "boost:rounds=3",
                                        "blend:members=nb/forest:trees=4/logistic:folds=2",
                                        "pu:base=nb,rounds=6"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcspn(texts[i], ":") == strlen(method->name) &&
            strncmp(texts[i], method->name, strlen(method->name)) == 0)
            return texts[i];
    return method->name;
}

static void all_methods(methods *selectors, methods *classifiers)
{
    EACH_METHOD(method)
    {
        char text[64];
        snprintf(text, sizeof text, "top:by=%s,k=3", method->name);
        if (method->kind == HS_SELECTOR)
            add(selectors, HS_SELECTOR, quick(method));
        else if (method->kind == HS_CLASSIFIER)
            add(classifiers, HS_CLASSIFIER, quick(method));
        else if (method->kind == HS_RANKER || method->kind == HS_MEASURE)
            add(selectors, HS_SELECTOR, text);
    }
    add(selectors, HS_SELECTOR, "ga:population=8,generations=2,folds=2,fitness=general");
    add(classifiers, HS_CLASSIFIER, "nb:calibration=platt,inner-folds=2");
    add(classifiers, HS_CLASSIFIER, "knn:calibration=isotonic,inner-folds=2");
    add(classifiers, HS_CLASSIFIER, "nb:threshold=accuracy,inner-folds=2");
}

static void clear_methods(methods *list)
{
    while (list->count)
        hs_chosen_clear(&list->item[--list->count]);
}

/* ---- the comparison ---- */

static int run(const hsel_dataset *data, const hs_chosen *selector, const hs_chosen *classifiers,
               size_t count, hs_crossval *out, hsel_error *error)
{
    uint32_t fold_of[ROWS];
    hs_folds folds = {0};
    for (uint32_t i = 0; i < ROWS; i++)
        fold_of[i] = i % FOLDS;
    assert_ok(hs_folds_from(fold_of, ROWS, FOLDS, &folds, error), *error);
    int status = hs_crossval_run(&(hs_crossval_request){.data = data,
                                                        .folds = &folds,
                                                        .selectors = selector,
                                                        .classifiers = classifiers,
                                                        .selector_count = 1,
                                                        .classifier_count = count,
                                                        .seed = 1,
                                                        .threads = 1,
                                                        .fold_end = 1},
                                 out, error);
    hs_folds_clear(&folds);
    return status;
}

/* Does it differ for a row that must not be touched? *which: of which classifier. */
static bool differs(const hs_crossval *a, const hs_crossval *b, const hsel_dataset *data, variant v,
                    size_t *which)
{
    const size_t classes = data->class_names.count, width = hs_score_width((uint32_t)classes);
    for (uint32_t i = 0; i < ROWS; i++) {
        if (!tested(i) || (v == ROWS_REPLACED && i != WATCHED))
            continue;
        *which = 0;
        if (a->selectors[0].selected[i] != b->selectors[0].selected[i])
            return true;
        for (size_t c = 0; c < a->of.classifier_count; c++) {
            const hs_classifier_outcome *x = &a->classifiers[c], *y = &b->classifiers[c];
            *which = c;
            if (memcmp(x->probability + i * classes, y->probability + i * classes,
                       classes * sizeof(double)) != 0 ||
                memcmp(x->score + i * width, y->score + i * width, width * sizeof(double)) != 0)
                return true;
        }
    }
    return false;
}

/* One selector with all classifiers that suit it and the data; returns how many pairs were tried,
 * and counts them by classifier in `used` (may be NULL). *leak: something differs. */
static size_t try_selector(hsel_dataset *const data[3], const preparation *p,
                           const hs_chosen *selector, const methods *classifiers, size_t *used,
                           bool *leak, char *what, size_t room)
{
    hs_chosen suited[MOST];
    hs_crossval before = {0};
    hsel_error error = {0};
    size_t count = 0, which = 0;
    *leak = false;
    for (size_t c = 0; c < classifiers->count; c++)
        if (hs_check_methods(data[0], selector->method, classifiers->item[c].method, true, NULL) ==
                HSEL_OK &&
            run(data[0], selector, &classifiers->item[c], 1, &before, &error) == HSEL_OK) {
            suited[count++] = classifiers->item[c];
            if (used)
                used[c]++;
            hs_crossval_clear(&before);
        }
    if (!count)
        return 0;
    assert_ok(run(data[0], selector, suited, count, &before, &error), error);
    for (variant v = LABELS_SWAPPED; v <= ROWS_REPLACED && !*leak; v++) {
        hs_crossval after = {0};
        if (v == ROWS_REPLACED && p->by_support)
            continue;
        assert_ok(run(data[v], selector, suited, count, &after, &error), error);
        *leak = differs(&before, &after, data[0], v, &which);
        if (*leak)
            snprintf(what, room, "%s, %s on %s: %s", selector->method->name,
                     suited[which].method->name, p->options ? p->options : "data as they are",
                     v == LABELS_SWAPPED ? "labels" : "rows");
        hs_crossval_clear(&after);
    }
    hs_crossval_clear(&before);
    return count;
}

static void test_nothing_leaks(void **state)
{
    methods selectors = {0}, classifiers = {0};
    size_t pairs = 0, used[MOST] = {0}, used_classifiers[MOST] = {0};
    (void)state;
    all_methods(&selectors, &classifiers);
    for (size_t k = 0; k < sizeof preparations / sizeof preparations[0]; k++) {
        const preparation *p = &preparations[k];
        hsel_dataset *data[3];
        for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++)
            data[v] = prepared(p, v);
        for (size_t s = 0; s < selectors.count; s++) {
            char what[200];
            bool leak;
            size_t tried = try_selector(data, p, &selectors.item[s], &classifiers, used_classifiers,
                                        &leak, what, sizeof what);
            pairs += tried;
            used[s] += tried;
            if (leak)
                fail_msg("%s of the test rows leak", what);
        }
        for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++)
            hs_dataset_free(data[v]);
    }
    for (size_t s = 0; s < selectors.count; s++)
        if (!used[s])
            fail_msg("%s was never tried", selectors.item[s].method->name);
    for (size_t c = 0; c < classifiers.count; c++)
        if (!used_classifiers[c])
            fail_msg("%s was never tried", classifiers.item[c].method->name);
    assert_true(pairs > 2000);
    clear_methods(&selectors);
    clear_methods(&classifiers);
}

/* ---- what leaks is caught ---- */

/* Keeps the features that go with the class in most rows of the data, not of the view. */
static int peek(const hs_training *training, const void *options, void **state, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    uint64_t *set = HS_NEW_ZERO(uint64_t, 1);
    (void)options;
    HS_NEED(set);
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t agree = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            agree += (hs_dataset_value(data, f, i) > 0) == data->class_of[i];
        if (2 * agree > data->instances)
            hs_bit_set(set, f);
    }
    *state = set;
    return HSEL_OK;
}

static int keep_seen(const void *state, uint64_t *mask, hsel_error *error)
{
    (void)error;
    *mask = *(const uint64_t *)state;
    return HSEL_OK;
}

static void test_a_leaking_selector_is_caught(void **state)
{
    static const hs_selector peeks = {
        .prepare = peek, .select_features = keep_seen, .free = hs_free};
    static const hs_method method = {
        .kind = HS_SELECTOR, .name = "peek", .flags = HS_ANY_FEATURES, .selector = &peeks};
    const preparation p = {BINARY, NULL};
    const hs_chosen chosen = {.method = &method};
    hsel_dataset *data[3];
    methods classifiers = {0};
    char what[200] = "";
    bool leak;
    (void)state;
    add(&classifiers, HS_CLASSIFIER, "nb");
    for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++)
        data[v] = prepared(&p, v);
    assert_int_equal(try_selector(data, &p, &chosen, &classifiers, NULL, &leak, what, sizeof what),
                     1);
    assert_true(leak);
    assert_string_equal(what, "peek, nb on data as they are: labels");
    for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++)
        hs_dataset_free(data[v]);
    clear_methods(&classifiers);
}

/* A data set that has forgotten how it was prepared keeps what was learned from all rows. */
static void test_a_leaking_preparation_is_caught(void **state)
{
    static const char *const learning[] = {"transform=clr", "transform=rclr"};
    methods classifiers = {0}, selectors = {0};
    (void)state;
    add(&selectors, HS_SELECTOR, "none");
    add(&classifiers, HS_CLASSIFIER, "knn");
    add(&classifiers, HS_CLASSIFIER, "nb");
    for (int k = 0; k < 2; k++) {
        const preparation p = {AMOUNTS, learning[k]};
        hsel_dataset *data[3];
        char what[200] = "";
        bool leak;
        for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++) {
            data[v] = prepared(&p, v);
            hs_recipe_drop(hs_take(&data[v]->recipe));
        }
        assert_int_equal(try_selector(data, &p, &selectors.item[0], &classifiers, NULL, &leak, what,
                                      sizeof what),
                         2);
        assert_true(leak && strstr(what, "rows"));
        for (variant v = AS_IT_IS; v <= ROWS_REPLACED; v++)
            hs_dataset_free(data[v]);
    }
    clear_methods(&selectors);
    clear_methods(&classifiers);
}

/* ---- models ---- */

static void predict(const hs_model *model, const hsel_dataset *raw, uint32_t row, double *p)
{
    hsel_error error = {0};
    hsel_dataset *aligned = NULL;
    hs_model_scratch scratch = {0};
    uint32_t unknown, missing;
    assert_ok(hs_align(raw, model->shape, true, &aligned, &unknown, &missing, &error), error);
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    assert_ok(hs_model_predict(model, aligned, row, 1, &scratch, p, NULL, NULL, &error), error);
    hs_model_scratch_clear(&scratch);
    hs_dataset_free(aligned);
}

/* A model of data prepared in any way takes data as they are read, gives an instance the same alone
 * as among others, and as the fold does that it stands for; and its file holds all of that. */
static void test_models_prepare(void **state)
{
    static const char *const texts[] = {"nb:preset=weka", "knn:preset=weka"};
    (void)state;
    for (size_t k = 0; k < sizeof preparations / sizeof preparations[0]; k++) {
        const preparation *p = &preparations[k];
        if (p->target || p->by_support)
            continue;
        for (int t = 0; t < 2; t++) {
            hsel_dataset *data = prepared(p, AS_IT_IS), *raw = build(p, ROWS_REPLACED), *one = NULL;
            hsel_error error = {0};
            hs_model *model = NULL, *back = NULL;
            hs_buf bytes = {0}, again = {0};
            hs_crossval fold = {0};
            methods m[2] = {0};
            bool keep[ROWS] = {false};
            double weight[ROWS], expected[2], found[2];
            for (uint32_t i = 0; i < ROWS; i++)
                weight[i] = !tested(i);
            add(&m[0], HS_SELECTOR, "none");
            add(&m[1], HS_CLASSIFIER, texts[t]);
            assert_ok(run(data, m[0].item, m[1].item, 1, &fold, &error), error);
            memcpy(expected, fold.classifiers[0].probability + 2 * (size_t)WATCHED,
                   sizeof expected);
            assert_ok(
                hs_train_weighted(data, weight, "none", texts[t], false, 1, 1, &model, &error),
                error);
            assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
            hs_dataset_free(data);
            assert_ok(hs_model_from_bytes("m", bytes.text, bytes.length, &back, &error), error);
            assert_ok(hs_model_to_bytes(back, &again, &error), error);
            assert_int_equal(bytes.length, again.length);
            assert_memory_equal(bytes.text, again.text, bytes.length);
            keep[WATCHED] = true;
            assert_ok(hs_dataset_keep_instances(raw, keep, &one, &error), error);
            for (int round = 0; round < 2; round++) {
                predict(back, round ? one : raw, round ? 0 : WATCHED, found);
                if (memcmp(found, expected, sizeof found) != 0)
                    fail_msg("%s, %s: %g, %g in the fold, %g, %g by the model %s", texts[t],
                             p->options ? p->options : "as they are", expected[0], expected[1],
                             found[0], found[1], round ? "alone" : "among others");
            }
            hs_model_free(model);
            hs_model_free(back);
            hs_dataset_free(raw);
            hs_dataset_free(one);
            hs_buf_clear(&bytes);
            hs_buf_clear(&again);
            hs_crossval_clear(&fold);
            clear_methods(&m[0]);
            clear_methods(&m[1]);
        }
    }
}

/* ---- memory ---- */

static int prepare_and_predict(void *context, hsel_error *error)
{
    const hsel_dataset *raw = context;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL, *aligned = NULL;
    HS_OWNS(hs_model_release) hs_model *model = NULL, *back = NULL;
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNS(hs_buf_clear) hs_buf bytes = {0};
    hs_load_options options = {0};
    bool all[ROWS];
    double weight[ROWS];
    uint32_t none;
    memset(all, true, sizeof all);
    for (uint32_t i = 0; i < ROWS; i++)
        weight[i] = i > 0; /* which has the smallest amount */
    HS_TRY(hs_options_defaults(hs_load_table, &options, &arena, error));
    HS_TRY(hs_options_parse(hs_load_table, &options, "transform=clr,min-prevalence=0.1,branch=f1",
                            "data", &arena, error));
    HS_TRY(hs_dataset_keep_instances(raw, all, &data, error));
    HS_TRY(hs_load_prepare(&data, &options, &report, error));
    HS_TRY(hs_train_weighted(data, weight, "none", "knn", false, 1, 1, &model, error));
    assert_true(model->data != data); /* it learned another number */
    HS_TRY(hs_model_to_bytes(model, &bytes, error));
    HS_TRY(hs_model_from_bytes("m", bytes.text, bytes.length, &back, error));
    return hs_align(raw, back->shape, true, &aligned, &none, &none, error);
}

static void test_out_of_memory(void **state)
{
    const preparation p = {AMOUNTS, NULL};
    hsel_dataset *raw = build(&p, ROWS_REPLACED);
    (void)state;
    for (uint32_t f = 0; f < raw->features; f++) /* row 0 has the smallest amounts */
        if (!raw->numeric[f].rows && raw->numeric[f].values[0] != 0)
            raw->numeric[f].values[0] = 1e-6;
    hs_oom_each("preparation", prepare_and_predict, raw);
    hs_dataset_free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_leaks), cmocka_unit_test(test_a_leaking_selector_is_caught),
        cmocka_unit_test(test_a_leaking_preparation_is_caught),
        cmocka_unit_test(test_models_prepare), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

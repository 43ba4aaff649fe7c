/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances without class change nothing but what is predicted for them: whatever a method of the
 * registry makes of data with such instances is what it makes of the data without them. And classes
 * beside the one in use: chosen, and through tables and back.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/method.h"
#include "core/random.h"
#include "data/classes.h"
#include "data/counts.h"
#include "data/transform.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define ASK(...) (&(hsel_request){.size = sizeof(hsel_request), .seed = 1, __VA_ARGS__})

enum { FEATURES = 12 };

/* Data with instances without class, and the same without them. */
struct pair {
    hsel_dataset *all, *labelled;
    uint32_t *rows; /* instances of `all` that `labelled` has */
};

static struct pair pair_new(hs_stream *stream, bool mixed)
{
    hs_random_shape shape = {.instances = 60,
                             .features = FEATURES,
                             .classes = 2,
                             .density = 0.3,
                             .parents = mixed ? 0 : 1.2,
                             .true_path = true,
                             .numeric = mixed ? 0.4 : 0,
                             .nominal = mixed ? 0.2 : 0,
                             .unlabelled = 0.3,
                             .ids = true};
    struct pair pair = {.all = hs_random_dataset(stream, &shape)};
    HS_OWNED bool *keep = HS_NEW(bool, shape.instances);
    hsel_error error = {0};
    hs_view view;
    assert_ok(hs_view_labelled(pair.all, &pair.rows, &view, &error), error);
    assert_int_equal(view.row_count, shape.instances - hs_unlabelled(pair.all));
    assert_true(view.row_count > 20 && view.row_count < 55);
    for (uint32_t i = 0; i < shape.instances; i++)
        keep[i] = pair.all->class_of[i] != HSEL_NONE;
    assert_ok(hs_dataset_keep_instances(pair.all, keep, &pair.labelled, &error), error);
    assert_ok(hs_dataset_check(pair.labelled, &error), error);
    assert_int_equal(pair.labelled->instances, view.row_count);
    return pair;
}

static void pair_free(struct pair *pair)
{
    hsel_dataset_free(pair->all);
    hsel_dataset_free(pair->labelled);
    hs_free(pair->rows);
}

/* The same numbers, NaN being itself. */
static void expect_same(const char *method, const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            fail_msg("%s: value %zu is %.17g, without them %.17g", method, i, a[i], b[i]);
}

static void compare_models(const struct pair *pair, const char *selector, const char *classifier)
{
    double probability[2][60 * 2], score[2][60 * 2];
    uint32_t selected[2][60];
    for (int side = 0; side < 2; side++) { /* both predict the labelled ones */
        hsel_model *model = NULL;
        hsel_error error = {0};
        const hsel_dataset *data = side ? pair->labelled : pair->all;
        const hsel_request *ask = ASK(.selector = selector, .classifier = classifier, .threads = 1);
        int status = hsel_train(data, ask, &model, &error);
        if (status)
            fail_msg("%s, %s: %s", selector, classifier, error.message);
        assert_ok(hsel_predict(model, pair->labelled, ask, probability[side], score[side],
                               selected[side], &error),
                  error);
        hsel_model_free(model);
    }
    size_t n = pair->labelled->instances;
    expect_same(classifier, probability[0], probability[1], n * 2);
    expect_same(classifier, score[0], score[1], n * 2);
    assert_memory_equal(selected[0], selected[1], n * sizeof **selected);
}

static void compare_evaluations(const struct pair *pair, const char *selector,
                                const char *classifier, const char *scheme)
{
    hsel_evaluation *done[2] = {0};
    size_t count, n = pair->labelled->instances;
    for (int side = 0; side < 2; side++) {
        hsel_error error = {0};
        int status =
            hsel_crossval(side ? pair->labelled : pair->all,
                          ASK(.selector = selector, .classifier = classifier, .folds = 4,
                              .repeats = 2, .threads = 1, .details = 1, .fold_scheme = scheme),
                          &done[side], &error);
        if (status)
            fail_msg("%s, %s: %s", selector, classifier, error.message);
    }
    for (const char *const *metric = (const char *[]){"gm", "auroc", "auprc", NULL}; *metric;
         metric++)
        for (int of = HSEL_POOLED; of <= HSEL_FOLD_MEAN_SD; of++) {
            double with = hsel_evaluation_metric(done[0], *metric, of),
                   without = hsel_evaluation_metric(done[1], *metric, of);
            expect_same(classifier, &with, &without, 1);
        }
    for (int array = HSEL_PROBABILITY; array <= HSEL_SCORE; array++) {
        const double *with = hsel_evaluation_numbers(done[0], array, &count);
        assert_int_equal(count, 2 * 2 * pair->all->instances);
        const double *without = hsel_evaluation_numbers(done[1], array, &count);
        for (size_t r = 0; r < 2; r++)
            for (size_t i = 0; i < n; i++)
                expect_same(classifier, with + 2 * (r * pair->all->instances + pair->rows[i]),
                            without + 2 * (r * n + i), 2);
    }
    const uint32_t *with = hsel_evaluation_counts(done[0], HSEL_FOLD_OF, &count);
    const uint32_t *without = hsel_evaluation_counts(done[1], HSEL_FOLD_OF, &count);
    for (size_t i = 0, next = 0; i < pair->all->instances; i++) {
        bool labelled = pair->all->class_of[i] != HSEL_NONE;
        assert_int_equal(with[i], labelled ? without[next] : HSEL_NONE);
        next += labelled;
    }
    for (int side = 0; side < 2; side++)
        hsel_evaluation_free(done[side]);
}

static void unlabelled_instances_change_nothing(void **state)
{
    hs_stream stream;
    unsigned compared[HS_KINDS] = {0};
    hs_stream_init(&stream, 5, "test", 0, 0);
    (void)state;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        bool lazy = method->flags & HS_LAZY, any = method->flags & HS_ANY_FEATURES;
        const char *options = strcmp(method->name, "ga") == 0        ? "ga:generations=2"
                              : strcmp(method->name, "taxahfe") == 0 ? "taxahfe:trees=10,seeds=2"
                              : strcmp(method->name, "boruta") == 0  ? "boruta:trees=50"
                                                                     : method->name;
        hsel_error error = {0};
        for (int mixed = 0; mixed <= (any && !(method->flags & HS_NEEDS_HIERARCHY)); mixed++) {
            struct pair pair = pair_new(&stream, mixed);
            if (mixed && strcmp(method->name, "ga") == 0) /* no hierarchy, and numbers */
                options = "ga:preset=bitwise,generations=2";
            compared[method->kind]++;
            if (method->kind == HS_RANKER || method->kind == HS_MEASURE) {
                double scores[2][FEATURES];
                for (int side = 0; side < 2; side++)
                    assert_ok(
                        hsel_rank(side ? pair.labelled : pair.all,
                                  ASK(.rankers = method->name, .ranker_count = 1, .threads = 1),
                                  scores[side], &error),
                        error);
                expect_same(method->name, scores[0], scores[1], FEATURES);
            } else if (method->kind == HS_SELECTOR && !lazy) {
                uint8_t keep[2][FEATURES];
                double scores[2][FEATURES];
                for (int side = 0; side < 2; side++)
                    assert_ok(hsel_select(side ? pair.labelled : pair.all,
                                          ASK(.selector = options, .threads = 1), keep[side],
                                          scores[side], &error),
                              error);
                if (memcmp(keep[0], keep[1], FEATURES) != 0)
                    fail_msg("%s selects other features", method->name);
                expect_same(method->name, scores[0], scores[1], FEATURES);
            } else if (method->kind == HS_SELECTOR) {
                compare_models(&pair, method->name, "nb");
            } else if (method->kind == HS_CLASSIFIER) {
                compare_models(&pair, "none", method->name);
            }
            if (method->kind == HS_CLASSIFIER)
                compare_evaluations(&pair, "none", method->name, "own");
            else if (method->kind == HS_SELECTOR && !mixed)
                compare_evaluations(&pair, options, "nb", i % 2 ? "weka" : "wan");
            pair_free(&pair);
        }
    }
    assert_true(compared[HS_SELECTOR] > 10 && compared[HS_CLASSIFIER] > 8 &&
                compared[HS_RANKER] + compared[HS_MEASURE] > 15);
}

/* Rare features are counted among the instances with a class. */
static void rare_features_are_counted_with_classes(void **state)
{
    hs_stream stream;
    bool keep[2][FEATURES];
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    struct pair pair = pair_new(&stream, false);
    for (uint32_t support = 0; support < 60; support++) {
        memset(keep, true, sizeof keep);
        assert_int_equal(hs_mark_rare(pair.all, support, keep[0]),
                         hs_mark_rare(pair.labelled, support, keep[1]));
        assert_memory_equal(keep[0], keep[1], FEATURES);
    }
    pair_free(&pair);
}

/* ---- further classes ---- */

static void add_class(hsel_dataset *data, const char *name, const char *(*label)(uint32_t))
{
    hsel_error error = {0};
    HS_OWNS(hs_about_clear) hs_about more = {0};
    assert_ok(hs_names_append(&more.columns, name, strlen(name), &error), error);
    for (uint32_t i = 0; i < data->instances; i++)
        assert_ok(hs_names_append(&more.cells, label(i), strlen(label(i)), &error), error);
    assert_ok(hs_about_join(&data->instance_about, &more, data->instances, &error), error);
}

static const char *third(uint32_t i) { return i % 3 == 0 ? "10" : i % 3 == 1 ? "9" : ""; }
static const char *even(uint32_t i) { return i % 2 ? "no" : "yes"; }

static void classes_are_chosen(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 7, "test", 0, 0);
    (void)state;
    struct pair pair = pair_new(&stream, true);
    hsel_dataset *data = pair.all;
    add_class(data, "class:third", third);
    add_class(data, "label", even);
    add_class(data, "class:even", even);
    char first[80];
    snprintf(first, sizeof first, "%s", data->class_attribute ? data->class_attribute : "class");
    assert_int_equal(hs_class_use(data, "fourth", &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "there is no class fourth; the data set has"));
    assert_non_null(strstr(error.message, "third, even"));
    assert_ok(hs_class_use(data, "third", &error), error);
    assert_ok(hs_dataset_check(data, &error), error);
    assert_string_equal(data->class_attribute, "third");
    assert_int_equal(data->class_names.count, 2);
    assert_string_equal(hs_names_get(&data->class_names, 0), "9"); /* as numbers */
    assert_int_equal(data->positive_class, 1);
    for (uint32_t i = 0; i < data->instances; i++) {
        const char *label = hsel_dataset_class_name(data, data->class_of[i]);
        assert_string_equal(label ? label : "", third(i));
    }
    assert_int_equal(hs_class_set_positive(data, "11", &error), HSEL_EUSAGE);
    assert_ok(hs_class_set_positive(data, "9", &error), error);
    assert_int_equal(data->positive_class, 0);
    /* Through a table and back: features and classes are the same. */
    HS_OWNS(hs_dataset_release) hsel_dataset *wide = NULL, *back = NULL, *none = NULL;
    assert_ok(hs_classes_to_features(data, &wide, &error), error);
    assert_ok(hs_dataset_check(wide, &error), error);
    assert_int_equal(wide->features, data->features + 2);
    assert_ok(hs_classes_from_features(wide, &back, &error), error);
    const char *differs = hs_same_dataset(data, back, HS_SAME_ALL & ~HS_SAME_HIERARCHY);
    if (differs)
        fail_msg("%s", differs);
    assert_ok(hs_classes_from_features(back, &none, &error), error);
    assert_null(none);
    assert_ok(hs_class_use(back, first, &error), error);
    for (uint32_t i = 0, next = 0; i < back->instances; i++) {
        const char *label = hsel_dataset_class_name(back, back->class_of[i]);
        bool was = next < pair.labelled->instances && pair.rows[next] == i;
        assert_int_equal(label != NULL, was);
        if (was)
            assert_string_equal(
                label, hsel_dataset_class_name(pair.labelled, pair.labelled->class_of[next++]));
    }
    assert_ok(hs_class_use(back, "even", &error), error);
    for (uint32_t i = 0; i < back->instances; i++)
        assert_string_equal(hsel_dataset_class_name(back, back->class_of[i]), even(i));
    pair_free(&pair);
}

/* ---- positives and unlabelled instances ---- */

static int make_pu(void *context, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = NULL;
    HS_TRY(hs_dataset_subset(context, NULL, &copy, error));
    return hs_class_pu(copy, true, error);
}

static void all_but_the_positive_are_unlabelled(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_stream_init(&stream, 9, "test", 0, 0);
    (void)state;
    for (uint32_t classes = 1; classes <= 4; classes++) {
        hs_random_shape shape = {.instances = 40,
                                 .features = 4,
                                 .classes = classes,
                                 .density = 0.5,
                                 .unlabelled = 0.3,
                                 .ids = true};
        HS_OWNS(hs_dataset_release) hsel_dataset *data = hs_random_dataset(&stream, &shape);
        HS_OWNS(hs_dataset_release) hsel_dataset *pu = NULL;
        assert_ok(hs_dataset_subset(data, NULL, &pu, &error), error);
        assert_false(hs_is_pu(pu));
        const uint32_t positive = classes == 1 ? 0 : data->positive_class;
        if (classes > 2) {
            assert_int_equal(hs_class_pu(pu, false, &error), HSEL_EUSAGE);
            assert_non_null(strstr(error.message, "there are"));
        }
        assert_ok(hs_class_pu(pu, true, &error), error);
        assert_ok(hs_dataset_check(pu, &error), error);
        assert_true(hs_is_pu(pu));
        for (uint32_t i = 0; i < shape.instances; i++)
            assert_string_equal(hsel_dataset_class_name(pu, pu->class_of[i]),
                                data->class_of[i] == positive
                                    ? hsel_dataset_class_name(data, positive)
                                    : "unlabelled");
        assert_ok(hs_class_pu(pu, false, &error), error); /* again: no change */
        assert_true(hs_is_pu(pu));
        hs_positive_choose(pu); /* by its name */
        assert_true(hs_is_pu(pu));
        hs_oom_each("positives and unlabelled", make_pu, data);
        pu->positive_class = 1 - pu->positive_class;
        assert_false(hs_is_pu(pu));
        assert_int_equal(hs_class_pu(pu, true, &error), HSEL_EUSAGE);
        assert_string_equal(error.message, "with 'pu' the positive class cannot be unlabelled");
        hs_names_clear(&pu->class_names);
        assert_int_equal(hs_class_pu(pu, true, &error), HSEL_EUSAGE);
        assert_string_equal(error.message, "'pu' needs classes, but there are none");
    }
}

static int choose_and_convert(void *context, hsel_error *error)
{
    const hsel_dataset *given = context;
    HS_OWNS(hs_dataset_release) hsel_dataset *wide = NULL, *back = NULL;
    HS_TRY(hs_classes_to_features(given, &wide, error));
    HS_TRY(hs_classes_from_features(wide, &back, error));
    HS_TRY(hs_class_use(back, "third", error));
    return hs_keep_labelled(&back, NULL, error);
}

static void lack_of_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 8, "test", 0, 0);
    (void)state;
    hs_random_shape shape = {
        .instances = 9, .features = 4, .classes = 2, .density = 0.5, .unlabelled = 0.3};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    add_class(data, "class:third", third);
    hs_oom_each("further classes", choose_and_convert, data);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlabelled_instances_change_nothing),
        cmocka_unit_test(rare_features_are_counted_with_classes),
        cmocka_unit_test(classes_are_chosen),
        cmocka_unit_test(all_but_the_positive_are_unlabelled),
        cmocka_unit_test(lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

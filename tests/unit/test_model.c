/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models: trained, written and read again they predict what cross-validation predicts for the same
 * split, to the last bit, and hold what they were made of.
 */
#include <string.h>

#include "core/mem.h"
#include "learn/crossval.h"
#include "learn/model.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/model_data.h"
#include "support/random_data.h"

static const char *const selectors[] = {"none",    "rpv:measure=ig", "hip", "mr", "all-neg",
                                        "rnb:k=3", "shsel",          "gtd", "hfe"};
static const char *const classifiers[] = {"nb:preset=weka", "knn:preset=weka,k=3"};
static const char *const mixed_classifiers[] = {
    "nb:preset=weka", "nb:preset=weka,numeric=kernel,tails=exact", "knn:preset=weka,k=3"};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static hs_model *write_and_read(const hs_model *model, hs_folder *folder, const char *name)
{
    hsel_error error = {0};
    hs_model *back = NULL;
    const char *path = hs_folder_file(folder, name);
    assert_ok(hs_model_write(model, path, &error), error);
    assert_ok(hs_model_read(path, &back, &error), error);
    return back;
}

/* ---- the same as in cross-validation ---- */

/* Predictions of the model for an instance are these, and as many features were selected. */
static void expect(const hs_model *model, const hsel_dataset *data, uint32_t instance,
                   const double *probability, uint32_t selected)
{
    hsel_error error = {0};
    hs_model_scratch scratch = {0};
    double found[8];
    size_t positives;
    hs_row(data, instance, &positives);
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    assert_ok(hs_model_predict(model, data, instance, 1, &scratch, found, NULL, NULL, &error),
              error);
    assert_memory_equal(found, probability, data->class_names.count * sizeof *found);
    assert_int_equal(hs_model_selected(&scratch, data, instance), selected);
    const hs_selection *selection = hs_model_selection(&scratch, data, instance);
    assert_int_equal(hs_selection_size(selection, data->features, positives), selected);
    for (uint32_t f = 0, p = 0, n = 0; f < data->features && model->pipeline.mask; f++) {
        if (!hs_bit_get(model->pipeline.mask, f))
            continue;
        bool positive = data->types[f] == HSEL_BINARY && hs_dataset_value(data, f, instance) == 1;
        assert_int_equal(positive ? selection->positive[p++] : selection->negative[n++], f);
    }
    hs_model_scratch_clear(&scratch);
}

static void same_scores(const hs_model *a, const hs_model *b)
{
    const double *x = hs_model_scores(a), *y = hs_model_scores(b);
    assert_true((x == NULL) == (y == NULL));
    if (x)
        assert_memory_equal(x, y, a->shape->features * sizeof *x);
}

/* One selector and classifier on one fold: without the classes of the test instances, the data set
 * is the training part. */
static void compare_fold(hsel_dataset *data, const hs_folds *folds, uint32_t fold, const char *s,
                         const char *c, const hs_crossval *done, hs_folder *folder)
{
    uint32_t kept[64];
    assert_true(data->instances <= 64);
    memcpy(kept, data->class_of, data->instances * sizeof *kept);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++)
        data->class_of[folds->order[i]] = HSEL_NONE;
    hs_model *model = hs_model_of(data, s, c, HSEL_NONE);
    hs_model *back = write_and_read(model, folder, "m.model");
    memcpy(data->class_of, kept, data->instances * sizeof *kept);
    same_scores(model, back);
    for (uint32_t i = folds->start[fold]; i < folds->start[fold + 1]; i++) {
        uint32_t instance = folds->order[i];
        const double *p =
            done->classifiers[0].probability + (size_t)instance * data->class_names.count;
        expect(model, data, instance, p, done->selectors[0].selected[instance]);
        expect(back, data, instance, p, done->selectors[0].selected[instance]);
    }
    hs_model_free(model);
    hs_model_free(back);
}

static void compare_pair(hsel_dataset *data, const hs_folds *folds, const char *s, const char *c,
                         hs_folder *folder)
{
    hsel_error error = {0};
    hs_chosen selector = {0}, classifier = {0};
    hs_crossval done = {0};
    assert_ok(hs_chosen_parse(HS_SELECTOR, s, &selector, &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, c, &classifier, &error), error);
    assert_ok(hs_crossval_run(&(hs_crossval_request){.data = data,
                                                     .folds = folds,
                                                     .selectors = &selector,
                                                     .classifiers = &classifier,
                                                     .selector_count = 1,
                                                     .classifier_count = 1,
                                                     .threads = 1},
                              &done, &error),
              error);
    for (uint32_t f = 0; f < folds->count; f++)
        compare_fold(data, folds, f, s, c, &done, folder);
    hs_crossval_clear(&done);
    hs_chosen_clear(&selector);
    hs_chosen_clear(&classifier);
}

static void test_equals_cross_validation(void **state)
{
    hs_stream stream;
    hs_folder folder;
    hsel_error error = {0};
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    hs_folder_new(&folder);
    for (int round = 0; round < 10; round++) {
        hsel_dataset *data = hs_model_data(&stream, 12 + (uint32_t)hs_random_below(&stream, 20),
                                           2 + (uint32_t)hs_random_below(&stream, 70));
        hs_folds folds = {0};
        assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 3, (uint64_t)round, &folds, &error), error);
        for (size_t s = 0; s < COUNT(selectors); s++)
            for (size_t c = 0; c < COUNT(classifiers); c++)
                compare_pair(data, &folds, selectors[s], classifiers[c], &folder);
        hs_folds_clear(&folds);
        hsel_dataset_free(data);
        data = hs_model_mixed(&stream, 12 + (uint32_t)hs_random_below(&stream, 20),
                              2 + (uint32_t)hs_random_below(&stream, 70));
        assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 3, (uint64_t)round, &folds, &error), error);
        for (size_t c = 0; c < COUNT(mixed_classifiers); c++)
            compare_pair(data, &folds, "none", mixed_classifiers[c], &folder);
        hs_folds_clear(&folds);
        hsel_dataset_free(data);
    }
    hs_folder_free(&folder);
}

/* Training without one instance is one fold of leave-one-out. */
static void test_without_one(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    hsel_dataset *data = hs_model_data(&stream, 20, 15);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of[i];
        hs_model *without = hs_model_of(data, "rpv", "nb", i);
        assert_int_equal(without->counts.instances, 19);
        data->class_of[i] = HSEL_NONE;
        hs_model *unknown = hs_model_of(data, "rpv", "nb", HSEL_NONE);
        data->class_of[i] = label;
        hsel_error error = {0};
        hs_model_scratch scratch = {0};
        double probability[8];
        assert_ok(hs_model_scratch_init(&scratch, unknown, &error), error);
        assert_ok(hs_model_predict(unknown, data, i, 1, &scratch, probability, NULL, NULL, &error),
                  error);
        expect(without, data, i, probability, hs_model_selected(&scratch, data, i));
        hs_model_scratch_clear(&scratch);
        hs_model_free(without);
        hs_model_free(unknown);
    }
    hsel_dataset_free(data);
}

static void test_read_model_is_whole(void **state)
{
    hs_stream stream;
    hs_folder folder;
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    hs_folder_new(&folder);
    hsel_dataset *data = hs_model_data(&stream, 10, 8);
    data->positive_class = 0;
    hsel_error error = {0};
    assert_ok(hs_names_append(&data->about.columns, "label", 5, &error), error);
    for (uint32_t f = 0; f < 8; f++)
        assert_ok(hs_names_append(&data->about.cells, "x\t\"<b>\xff", f == 3 ? 7 : 0, &error),
                  error);
    assert_non_null(data->provenance = hs_strdup("{\"a\":1}"));
    hs_model *model = hs_model_of(data, "rpv:measure=r,smoothing=none", "knn:k=7", HSEL_NONE);
    hs_model *back = write_and_read(model, &folder, "m.model.gz"); /* compressed by its name */
    const char *why = hs_same_dataset(model->shape, back->shape, HS_SAME_ALL);
    if (why)
        fail_msg("%s", why);
    assert_int_equal(back->shape->instances, 0);
    assert_int_equal(back->shape->positive_class, 0);
    assert_string_equal(hs_about_get(&back->shape->about, 3, 0), "x\t\"<b>\xff");
    assert_string_equal(back->shape->provenance, "{\"a\":1}");
    assert_string_equal(hsel_dataset_name(back->shape), "random");
    assert_null(hs_same_dag(data->dag, back->shape->dag));
    assert_int_equal(back->counts.instances, 10);
    assert_memory_equal(model->counts.positive, back->counts.positive,
                        8 * (size_t)data->class_names.count * sizeof(uint32_t));
    assert_string_equal(back->selector.text, "rpv:measure=r,smoothing=none");
    assert_string_equal(back->classifier.text, "knn:k=7");
    hs_model_free(model);
    hs_model_free(back);
    hsel_dataset_free(data);
    hs_folder_free(&folder);
}

static void test_training_refuses(void **state)
{
    hs_stream stream;
    hsel_error error = {0};
    hs_model *model = NULL;
    hs_stream_init(&stream, 4, "test", 0, 0);
    (void)state;
    hsel_dataset *data = hs_model_data(&stream, 10, 8);
    assert_int_equal(hs_train(data, "rpw", "nb", HSEL_NONE, false, 1, 1, NULL, &model, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "did you mean 'rpv'?"));
    assert_int_equal(hs_train(data, "rpv", "knn:k=0", HSEL_NONE, false, 1, 1, NULL, &model, &error),
                     HSEL_EUSAGE);
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = HSEL_NONE;
    assert_int_equal(hs_train(data, "none", "nb", HSEL_NONE, false, 1, 1, NULL, &model, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "nb needs two classes or more, but no instance of random has a class");
    assert_null(model);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_cross_validation), cmocka_unit_test(test_without_one),
        cmocka_unit_test(test_read_model_is_whole), cmocka_unit_test(test_training_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

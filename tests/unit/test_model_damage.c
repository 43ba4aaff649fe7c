/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of models that are damaged in any way are refused with a reason, or, where the checksum
 * fits, make a model that can be used without harm; and allocations fail at every step.
 */
#define XXH_INLINE_ALL
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/mem.h"
#include "learn/crossval.h"
#include "learn/explain.h"
#include "learn/model.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/model_data.h"
#include "support/oom.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define HEADER      32 /* magic 8, byte order 4, version 4, length 8, checksum 8 */

struct file {
    char *bytes;
    size_t length;
    const char *path;
    hsel_dataset *data, *raw; /* raw: as they were before preparation; NULL: the same */
};

static int read_bytes(const struct file *file, size_t length, hs_model **out, hsel_error *error)
{
    hs_io_put(file->path, file->bytes, length);
    return hs_model_read(file->path, out, error);
}

/* The message after the path. */
static const char *reason(const struct file *file, const hsel_error *error)
{
    size_t length = strlen(file->path);
    if (strncmp(error->message, file->path, length) != 0)
        fail_msg("the file is not named: %s", error->message);
    return error->message + length;
}

static void seal(struct file *file)
{
    uint64_t checksum = XXH3_64bits(file->bytes + HEADER, file->length - HEADER);
    memcpy(file->bytes + 24, &checksum, sizeof checksum);
}

/* A label for each feature and for no instance, and a provenance. */
static void label(hsel_dataset *data)
{
    hsel_error error = {0};
    assert_ok(hs_names_append(&data->about.columns, "label", 5, &error), error);
    for (uint32_t f = 0; f < data->features; f++)
        assert_ok(hs_names_append(&data->about.cells, "a\t\xff", f % 4, &error), error);
    assert_non_null(data->provenance = hs_strdup("{}"));
}

/* The selector none stands for mixed data, hip for data with labels, top for prepared ones. */
static void file_new(struct file *file, hs_folder *folder, const char *selector,
                     const char *classifier)
{
    hs_stream stream;
    hsel_error error = {0};
    bool mixed = strcmp(selector, "none") == 0, made = strcmp(selector, "top:k=3") == 0;
    hs_stream_init(&stream, 5, "test", 0, 0);
    file->raw = NULL;
    file->data = mixed  ? hs_model_mixed(&stream, 5, 6)
                 : made ? hs_model_prepared(&stream, &file->raw)
                        : hs_model_data(&stream, 5, 4);
    assert_int_equal(mixed, file->data->numeric_count > 0 && file->data->nominal_count > 0);
    if (strcmp(selector, "hip") == 0)
        label(file->data);
    hs_model *model = hs_model_of(file->data, selector, classifier, HSEL_NONE);
    file->path = hs_folder_file(folder, "m.model");
    assert_ok(hs_model_write(model, file->path, &error), error);
    file->bytes = hs_slurp(file->path, &file->length);
    assert_true(file->bytes && file->length > HEADER);
    hs_model_free(model);
}

static void file_free(struct file *file)
{
    hsel_dataset_free(file->data);
    hsel_dataset_free(file->raw);
    free(file->bytes);
}

static const char *const small_models[][2] = {{"rpv", "nb"},
                                              {"shsel", "knn"},
                                              {"hip", "knn:k=2"},
                                              {"none", "nb"},
                                              {"none", "nb:numeric=kernel"},
                                              {"none", "knn:k=2"},
                                              {"rpv", "nb:calibration=isotonic,inner-folds=2"},
                                              {"none", "nb:calibration=platt,inner-folds=2"},
                                              {"none", "knn:calibration=isotonic,inner-folds=2"},
                                              {"none", "svm"},
                                              {"none", "svm:kernel=rbf"},
                                              {"none", "tree"},
                                              {"none", "forest:trees=2"},
                                              {"shsel", "tan"},
                                              {"shsel", "ban"},
                                              {"hip", "hre-tan"},
                                              {"none", "boost:rounds=2"},
                                              {"none", "logistic:lambda=0.1"},
                                              {"shsel", "proximal-graph"},
                                              {"top:k=3", "nb"},
                                              {"hip", "aode"}};

static void test_any_changed_byte_is_found(void **state)
{
    hs_folder folder;
    (void)state;
    hs_folder_new(&folder);
    for (size_t m = 0; m < COUNT(small_models); m++) {
        struct file file;
        file_new(&file, &folder, small_models[m][0], small_models[m][1]);
        for (size_t i = 0; i < file.length; i++) {
            hsel_error error = {0};
            hs_model *model = NULL;
            file.bytes[i] ^= (char)(1 << i % 8);
            assert_int_equal(read_bytes(&file, file.length, &model, &error), HSEL_EFORMAT);
            const char *expected =
                i < 8    ? ": this is not a model: hsel train makes one"
                : i < 12 ? ": the model was written on a machine with another byte order"
                : i < 16 ? NULL
                : i < 24 ? NULL
                         : ": the model is damaged: the checksum is wrong";
            if (expected)
                assert_string_equal(reason(&file, &error), expected);
            else
                assert_non_null(strstr(reason(&file, &error),
                                       i < 16                       ? "this program reads version 6"
                                       : file.bytes[i] & 1 << i % 8 ? "the model is truncated"
                                                                    : "data after its end"));
            file.bytes[i] ^= (char)(1 << i % 8);
        }
        file_free(&file);
    }
    hs_folder_free(&folder);
}

static void test_any_cut_is_found(void **state)
{
    hs_folder folder;
    struct file file;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "rpv", "nb");
    for (size_t length = 0; length < file.length; length++) {
        hsel_error error = {0};
        hs_model *model = NULL;
        char expected[200];
        assert_int_equal(read_bytes(&file, length, &model, &error), HSEL_EFORMAT);
        if (length < HEADER)
            snprintf(expected, sizeof expected, ": this is not a model: hsel train makes one");
        else
            snprintf(expected, sizeof expected, ": the model is truncated: %zu of %zu bytes",
                     length - HEADER, file.length - HEADER);
        assert_string_equal(reason(&file, &error), expected);
    }
    file_free(&file);
    hs_folder_free(&folder);
}

/* With a checksum that fits, a changed byte makes an error or a model that can be used. */
static void use(const hs_model *model, const hsel_dataset *data)
{
    hsel_error error = {0};
    hsel_dataset *aligned = NULL;
    hs_model_scratch scratch = {0};
    uint32_t unknown, missing;
    double *probability = calloc(model->shape->class_names.count, sizeof *probability);
    assert_non_null(probability);
    assert_ok(hsel_dataset_check(model->shape, &error), error);
    int status = hs_align(data, model->shape, false, &aligned, &unknown, &missing, &error);
    if (status && !model->shape->recipe) /* a type may have been changed */
        assert_non_null(strstr(error.message, "of the training data is"));
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t i = 0; aligned && i < aligned->instances; i++)
        if (hs_check_rule(aligned, model->selector.method, true, &error) == HSEL_OK)
            assert_ok(
                hs_model_predict(model, aligned, i, 1, &scratch, probability, NULL, NULL, &error),
                error);
    if (aligned && hs_check_rule(aligned, model->selector.method, true, &error) == HSEL_OK) {
        hs_explanation e = {.samples = 2};
        assert_ok(hs_explain(model, aligned, 0, 0, &e, &error), error);
        hs_explanation_clear(&e);
    }
    hs_model_scratch_clear(&scratch);
    hsel_dataset_free(aligned);
    free(probability);
}

static void test_malice(void **state)
{
    hs_folder folder;
    size_t taken = 0, refused = 0;
    (void)state;
    hs_folder_new(&folder);
    for (size_t m = 0; m < COUNT(small_models); m++) {
        struct file file;
        file_new(&file, &folder, small_models[m][0], small_models[m][1]);
        for (size_t i = HEADER; i < file.length; i++)
            for (int change = 0; change < 4; change++) {
                static const char with[] = {1, 0x10, (char)0x80, (char)0xff};
                hsel_error error = {0};
                hs_model *model = NULL;
                file.bytes[i] ^= with[change];
                seal(&file);
                int status = read_bytes(&file, file.length, &model, &error);
                if (status == HSEL_OK) {
                    use(model, file.raw ? file.raw : file.data);
                    taken++;
                } else {
                    if (status != HSEL_EFORMAT)
                        fail_msg("byte %zu: status %d, %s", i, status, error.message);
                    reason(&file, &error);
                    refused++;
                }
                hs_model_free(model);
                file.bytes[i] ^= with[change];
            }
        file_free(&file);
    }
    assert_true(taken > 100 && refused > 1000); /* both happen: names may be anything */
    hs_folder_free(&folder);
}

/* Offsets of the parts of a model file: texts and names are a length and their bytes. */
struct layout {
    size_t feature, positive, edges, counts, mask;
};

static uint32_t number_at(const struct file *file, size_t at)
{
    uint32_t value;
    assert_true(at + sizeof value <= file->length);
    memcpy(&value, file->bytes + at, sizeof value);
    return value;
}

static size_t skip_texts(const struct file *file, size_t at, uint32_t count)
{
    while (count-- > 0)
        at += 4 + number_at(file, at);
    return at;
}

static struct layout layout_of(const struct file *file)
{
    struct layout l;
    size_t at = skip_texts(file, HEADER, 5); /* methods, name, class and id attribute */
    uint32_t features = number_at(file, at), classes;
    l.feature = at + 4 + 4;
    at = skip_texts(file, at + 4, features);
    classes = number_at(file, at);
    l.positive = skip_texts(file, at + 4, classes);
    /* target, covariates, a type for each feature; no columns, no labels, no provenance */
    l.edges = l.positive + 4 + 8 + features + 12;
    /* no relations, no preparation */
    l.counts = l.edges + 4 + 8 * (size_t)number_at(file, l.edges) + 8;
    l.mask = l.counts + 4 * (classes + (size_t)features * classes);
    return l;
}

/* One number changed, the checksum mended. */
static void refuse_number(struct file *file, size_t at, uint32_t value, const char *message)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    uint32_t kept = number_at(file, at);
    memcpy(file->bytes + at, &value, sizeof value);
    seal(file);
    assert_int_equal(read_bytes(file, file->length, &model, &error), HSEL_EFORMAT);
    assert_string_equal(reason(file, &error), message);
    memcpy(file->bytes + at, &kept, sizeof kept);
}

static void test_wrong_numbers(void **state)
{
    hs_folder folder;
    struct file file;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "shsel", "nb");
    struct layout l = layout_of(&file);
    assert_true(number_at(&file, l.edges) > 0);
    refuse_number(&file, HEADER, 1000000, ": the model is damaged: it does not name its methods");
    refuse_number(&file, l.feature - 8, HS_FEATURES_LIMIT + 1,
                  ": the model is damaged: it has too many names");
    refuse_number(&file, l.feature, 0, ": the model is damaged: a name is truncated"); /* NULs */
    refuse_number(&file, l.positive, 7, ": the model is damaged: the classes are wrong");
    refuse_number(&file, l.edges, 0x7fffffff, ": the model is damaged: the hierarchy is truncated");
    refuse_number(&file, l.edges, HSEL_NONE, ": the model is damaged: its hierarchy is missing");
    refuse_number(&file, l.edges + 4, 4, ": the model is damaged: an edge leads nowhere");
    refuse_number(&file, l.edges + 8, 4, ": the model is damaged: an edge leads nowhere");
    refuse_number(&file, l.counts, UINT32_MAX,
                  ": the model is damaged: the counts are out of range");
    refuse_number(&file, l.mask - 4, 6, ": the model is damaged: the counts are out of range");
    refuse_number(&file, l.mask, 0, ": the model is damaged: its selection is missing");
    refuse_number(&file, l.mask + 4, 16,
                  ": the model is damaged: its selection has features that do not exist");
    file_free(&file);
    hs_folder_free(&folder);
}

/* As many labels as there are features, no more and no fewer. */
static void test_wrong_labels(void **state)
{
    char before[] = "1234label"; /* its length, it; then the number of labels */
    hs_folder folder;
    struct file file;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "hip", "nb");
    memcpy(before, &(uint32_t){5}, 4);
    char *at = memmem(file.bytes, file.length, before, sizeof before - 1);
    assert_non_null(at);
    size_t offset = (size_t)(at - file.bytes) + sizeof before - 1;
    assert_int_equal(number_at(&file, offset), 4);
    refuse_number(&file, offset, 3, ": the model is damaged: its labels are not one per feature");
    refuse_number(&file, offset, 0xffffffff, ": the model is damaged: it has too many names");
    refuse_number(&file, offset, 1000000, ": the model is damaged: a name is truncated");
    refuse_number(&file, offset - sizeof before + 1 - 4, 2,
                  ": the model is damaged: a name is truncated");
    file_free(&file);
    hs_folder_free(&folder);
}

static void test_other_files(void **state)
{
    hs_folder folder;
    struct file file;
    hsel_error error = {0};
    hs_model *model = NULL;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "rpv", "nb");
    memcpy(file.bytes + 12, &(uint32_t){5}, 4);
    assert_int_equal(read_bytes(&file, file.length, &model, &error), HSEL_EFORMAT);
    assert_string_equal(
        reason(&file, &error),
        ": the model has version 5, but this program reads version 6: train it again");
    static const char text[] = "a,b,class\n1,0,yes\n0,1,no\n1,1,yes\n0,0,no\n";
    hs_io_put(file.path, text, sizeof text - 1);
    assert_int_equal(hs_model_read(file.path, &model, &error), HSEL_EFORMAT);
    assert_string_equal(reason(&file, &error), ": this is not a model: hsel train makes one");
    assert_int_equal(hs_model_read("/nowhere/m.model", &model, &error), HSEL_EIO);
    assert_null(model);
    file_free(&file);
    hs_folder_free(&folder);
}

/* A method that this program does not have: the file is named, too. */
static void test_unknown_method(void **state)
{
    hs_folder folder;
    struct file file;
    hsel_error error = {0};
    hs_model *model = NULL;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "rpv", "nb");
    assert_memory_equal(file.bytes + HEADER + 4, "rpv", 3);
    memcpy(file.bytes + HEADER + 4, "xyz", 3);
    seal(&file);
    assert_int_equal(read_bytes(&file, file.length, &model, &error), HSEL_EFORMAT);
    assert_non_null(
        strstr(reason(&file, &error), ": the model cannot be used: there is no selector 'xyz'"));
    file_free(&file);
    hs_folder_free(&folder);
}

/* ---- memory ---- */

struct memory_case {
    hsel_dataset *data;
    const char *path, *selector, *classifier;
};

static int use_once(void *context, hsel_error *error)
{
    const struct memory_case *m = context;
    hs_model *model = NULL, *back = NULL;
    hsel_dataset *aligned = NULL;
    hs_model_scratch scratch = {0};
    double probability[8];
    uint32_t unknown, missing;
    int status = hs_train(m->data, m->selector, m->classifier, 0, false, 1, 1, NULL, &model, error);
    if (status == HSEL_OK)
        status = hs_model_write(model, m->path, error);
    if (status == HSEL_OK)
        status = hs_model_read(m->path, &back, error);
    if (status == HSEL_OK)
        status = hs_align(m->data, back->shape, true, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK)
        status = hs_model_scratch_init(&scratch, back, error);
    if (status == HSEL_OK)
        status = hs_model_predict(back, aligned, 0, 1, &scratch, probability, NULL, NULL, error);
    hs_model_scratch_clear(&scratch);
    hsel_dataset_free(aligned);
    hs_model_free(model);
    hs_model_free(back);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_folder folder;
    hs_stream_init(&stream, 6, "test", 0, 0);
    (void)state;
    hs_folder_new(&folder);
    hsel_dataset *data = hs_model_data(&stream, 8, 5);
    for (size_t m = 0; m < 3; m++) {
        if (m == 2)
            label(data);
        struct memory_case one = {data, hs_folder_file(&folder, "m.model"), small_models[m][0],
                                  small_models[m][1]};
        assert_true(hs_oom_each(one.selector, use_once, &one) > 50);
    }
    hsel_dataset_free(data);
    data = hs_model_mixed(&stream, 8, 6);
    struct memory_case mixed = {data, hs_folder_file(&folder, "m.model"), "none", "knn"};
    assert_true(hs_oom_each("mixed", use_once, &mixed) > 50);
    hsel_dataset_free(data);
    assert_int_equal(hs_folder_count(&folder), 1); /* no temporary file is left */
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_changed_byte_is_found),
                                       cmocka_unit_test(test_any_cut_is_found),
                                       cmocka_unit_test(test_malice),
                                       cmocka_unit_test(test_wrong_numbers),
                                       cmocka_unit_test(test_wrong_labels),
                                       cmocka_unit_test(test_other_files),
                                       cmocka_unit_test(test_unknown_method),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

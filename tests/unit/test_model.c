/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models: trained, written and read again they predict what cross-validation predicts for the same
 * split, to the last bit. Damaged files of every kind are refused, and new data is brought into
 * form by the names of its features.
 */
#define XXH_INLINE_ALL
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/mem.h"
#include "data/builder.h"
#include "evaluate/crossval.h"
#include "evaluate/model.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

static const char *const selectors[] = {"none",    "rpv:measure=ig", "hip", "mr", "all-neg",
                                        "rnb:k=3", "shsel",          "gtd", "hfe"};
static const char *const classifiers[] = {"nb", "knn:k=3"};
static const char *const mixed_classifiers[] = {"nb", "nb:numeric=kernel,tails=exact", "knn:k=3"};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static hsel_dataset *random_data(hs_stream *stream, uint32_t rows, uint32_t features)
{
    hs_random_shape shape = {.instances = rows,
                             .features = features,
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.3,
                             .parents = 1,
                             .true_path = true,
                             .ids = true,
                             .spelling = HS_NAMES_UTF8};
    return hs_random_dataset(stream, &shape);
}

/* Binary, numeric and nominal features, some values missing; no hierarchy. */
static hsel_dataset *random_mixed(hs_stream *stream, uint32_t rows, uint32_t features)
{
    hs_random_shape shape = {.instances = rows,
                             .features = features,
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.3,
                             .numeric = 0.5,
                             .nominal = 0.3,
                             .missing = 0.1,
                             .ids = true,
                             .spelling = HS_NAMES_UTF8};
    return hs_random_dataset(stream, &shape);
}

static hs_model *train(const hsel_dataset *data, const char *selector, const char *classifier,
                       uint32_t without)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    int status = hs_model_train(data, selector, classifier, without, false, 1, 1, &model, &error);
    if (status)
        fail_msg("%s, %s: %s", selector, classifier, error.message);
    return model;
}

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
    assert_ok(hs_model_predict(model, data, instance, &scratch, found, &error), error);
    assert_memory_equal(found, probability, data->class_names.count * sizeof *found);
    assert_int_equal(hs_model_selected(&scratch, data, instance), selected);
    const hs_selection *selection = hs_model_selection(&scratch, data, instance);
    assert_int_equal(hs_selection_size(selection, data->features, positives), selected);
    for (uint32_t f = 0, p = 0, n = 0; f < data->features && model->mask; f++) {
        if (!hs_bit_get(model->mask, f))
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
    hs_model *model = train(data, s, c, HSEL_NONE);
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
        hsel_dataset *data = random_data(&stream, 12 + (uint32_t)hs_random_below(&stream, 20),
                                         2 + (uint32_t)hs_random_below(&stream, 70));
        hs_folds folds = {0};
        assert_ok(hs_folds_make(data, HS_FOLDS_OWN, 3, (uint64_t)round, &folds, &error), error);
        for (size_t s = 0; s < COUNT(selectors); s++)
            for (size_t c = 0; c < COUNT(classifiers); c++)
                compare_pair(data, &folds, selectors[s], classifiers[c], &folder);
        hs_folds_clear(&folds);
        hsel_dataset_free(data);
        data = random_mixed(&stream, 12 + (uint32_t)hs_random_below(&stream, 20),
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
    hsel_dataset *data = random_data(&stream, 20, 15);
    for (uint32_t i = 0; i < data->instances; i++) {
        uint32_t label = data->class_of[i];
        hs_model *without = train(data, "rpv", "nb", i);
        assert_int_equal(without->counts.instances, 19);
        data->class_of[i] = HSEL_NONE;
        hs_model *unknown = train(data, "rpv", "nb", HSEL_NONE);
        data->class_of[i] = label;
        hsel_error error = {0};
        hs_model_scratch scratch = {0};
        double probability[8];
        assert_ok(hs_model_scratch_init(&scratch, unknown, &error), error);
        assert_ok(hs_model_predict(unknown, data, i, &scratch, probability, &error), error);
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
    hs_buf text = {0};
    hs_stream_init(&stream, 3, "test", 0, 0);
    (void)state;
    hs_folder_new(&folder);
    hsel_dataset *data = random_data(&stream, 10, 8);
    data->positive_class = 0;
    hs_model *model = train(data, "rpv:measure=r,smoothing=none", "knn:k=7", HSEL_NONE);
    hs_model *back = write_and_read(model, &folder, "m.model.gz"); /* compressed by its name */
    const char *why = hs_same_dataset(model->shape, back->shape, HS_SAME_ALL);
    if (why)
        fail_msg("%s", why);
    assert_int_equal(back->shape->instances, 0);
    assert_int_equal(back->shape->positive_class, 0);
    assert_string_equal(hsel_dataset_name(back->shape), "random");
    assert_null(hs_same_dag(data->dag, back->shape->dag));
    assert_int_equal(back->counts.instances, 10);
    assert_memory_equal(model->counts.positive, back->counts.positive,
                        8 * (size_t)data->class_names.count * sizeof(uint32_t));
    hs_chosen_format(&back->selector, &text);
    hs_buf_char(&text, ' ');
    hs_chosen_format(&back->classifier, &text);
    assert_string_equal(text.text, "rpv:measure=r,smoothing=none knn:k=7");
    hs_buf_clear(&text);
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
    hsel_dataset *data = random_data(&stream, 10, 8);
    assert_int_equal(hs_model_train(data, "rpw", "nb", HSEL_NONE, false, 1, 1, &model, &error),
                     HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "did you mean 'rpv'?"));
    assert_int_equal(hs_model_train(data, "rpv", "knn:k=0", HSEL_NONE, false, 1, 1, &model, &error),
                     HSEL_EUSAGE);
    for (uint32_t i = 0; i < data->instances; i++)
        data->class_of[i] = HSEL_NONE;
    assert_int_equal(hs_model_train(data, "none", "nb", HSEL_NONE, false, 1, 1, &model, &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "nb needs two classes or more, and no instance of random has a class");
    assert_null(model);
    hsel_dataset_free(data);
}

/* ---- damage ---- */

#define HEADER 32 /* magic 8, byte order 4, version 4, length 8, checksum 8 */

struct file {
    char *bytes;
    size_t length;
    const char *path;
    hsel_dataset *data;
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

/* The selector none stands for mixed data. */
static void file_new(struct file *file, hs_folder *folder, const char *selector,
                     const char *classifier)
{
    hs_stream stream;
    hsel_error error = {0};
    bool mixed = strcmp(selector, "none") == 0;
    hs_stream_init(&stream, 5, "test", 0, 0);
    file->data = mixed ? random_mixed(&stream, 5, 6) : random_data(&stream, 5, 4);
    assert_int_equal(mixed, file->data->numeric_count > 0 && file->data->nominal_count > 0);
    hs_model *model = train(file->data, selector, classifier, HSEL_NONE);
    file->path = hs_folder_file(folder, "m.model");
    assert_ok(hs_model_write(model, file->path, &error), error);
    file->bytes = hs_slurp(file->path, &file->length);
    assert_true(file->bytes && file->length > HEADER);
    hs_model_free(model);
}

static void file_free(struct file *file)
{
    hsel_dataset_free(file->data);
    free(file->bytes);
}

static const char *const small_models[][2] = {{"rpv", "nb"},
                                              {"shsel", "knn"},
                                              {"hip", "knn:k=2"},
                                              {"none", "nb"},
                                              {"none", "nb:numeric=kernel"},
                                              {"none", "knn:k=2"}};

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
            const char *expected = i < 8 ? ": this is not a model: hsel train makes one"
                                   : i < 12
                                       ? ": the model was written on a machine of other byte order"
                                   : i < 16 ? NULL
                                   : i < 24 ? NULL
                                            : ": the model is damaged: the checksum is wrong";
            if (expected)
                assert_string_equal(reason(&file, &error), expected);
            else
                assert_non_null(strstr(reason(&file, &error),
                                       i < 16 ? "this program reads 1" : "the model is cut off"));
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
            snprintf(expected, sizeof expected,
                     ": the model is cut off: %zu of %zu bytes are there", length - HEADER,
                     file.length - HEADER);
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
    if (status) /* a type may have been changed */
        assert_non_null(strstr(error.message, "of the training data is"));
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t i = 0; aligned && i < aligned->instances; i++)
        if (hs_check_rule(aligned, model->selector.method, true, &error) == HSEL_OK)
            assert_ok(hs_model_predict(model, aligned, i, &scratch, probability, &error), error);
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
                    use(model, file.data);
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
    size_t feature, edges, counts, mask;
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
    l.edges = skip_texts(file, at + 4, classes) + 4; /* after the positive class */
    l.counts = l.edges + 4 + 8 * (size_t)number_at(file, l.edges);
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
                  ": the model is damaged: it names too many things");
    refuse_number(&file, l.feature, 0, ": the model is damaged: a name is cut off"); /* NULs */
    refuse_number(&file, l.edges - 4, 7, ": the model is damaged: the classes are wrong");
    refuse_number(&file, l.edges, 0x7fffffff, ": the model is damaged: the hierarchy is cut off");
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

static void test_other_files(void **state)
{
    hs_folder folder;
    struct file file;
    hsel_error error = {0};
    hs_model *model = NULL;
    (void)state;
    hs_folder_new(&folder);
    file_new(&file, &folder, "rpv", "nb");
    file.bytes[12] = 3;
    assert_int_equal(read_bytes(&file, file.length, &model, &error), HSEL_EFORMAT);
    assert_string_equal(reason(&file, &error),
                        ": the model is of version 3, this program reads 1 and 2");
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

/* ---- aligning ---- */

/* "x y z" features (those with a bang are not binary), rows "id label f f …". */
static hsel_dataset *make(const char *name, const char *const *features, const char *const *labels,
                          const char *const *rows)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (; *features; features++) {
        size_t length = strcspn(*features, "!");
        assert_ok(hs_builder_feature(builder, *features, length,
                                     (*features)[length] ? HSEL_NUMERIC : HSEL_BINARY, &id, &error),
                  error);
    }
    for (; labels && *labels; labels++)
        assert_ok(hs_builder_class(builder, *labels, strlen(*labels), &id, &error), error);
    for (; *rows; rows++) { /* one character each: label (? for none), then features by number */
        uint32_t label = (*rows)[0] == '?' ? HSEL_NONE : (uint32_t)((*rows)[0] - '0');
        assert_ok(hs_builder_row(builder, *rows, strlen(*rows), label, &error), error);
        for (const char *f = *rows + 1; *f; f++)
            assert_ok(hs_builder_positive(builder, (uint32_t)(*f - '0'), &error), error);
    }
    assert_ok(hs_builder_describe(builder, name, labels ? "class" : NULL, "id", &error), error);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    return data;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static hsel_dataset *shape_of_abc(void)
{
    hsel_error error = {0};
    hsel_dataset *shape = make("train", LIST("a", "b", "c"), LIST("no", "yes"), LIST("0", "1012"));
    assert_ok(hs_dag_new(3, (uint32_t[]){1}, (uint32_t[]){0}, 1, &shape->dag, &error), error);
    return shape;
}

static void test_align_by_name(void **state)
{
    hsel_error error = {0};
    hsel_dataset *out = NULL;
    uint32_t unknown = 9, missing = 9;
    (void)state;
    hsel_dataset *shape = shape_of_abc();
    hsel_dataset *data = make("new", LIST("c", "a", "b"), LIST("maybe", "yes", "no"),
                              LIST("001", "112", "2", "?012"));
    assert_ok(hs_align(data, shape, true, &out, &unknown, &missing, &error), error);
    assert_ok(hsel_dataset_check(out, &error), error);
    assert_int_equal(unknown + missing, 0);
    assert_string_equal(hs_io_row(out, 0), "0 2");
    assert_string_equal(hs_io_row(out, 1), "0 1");
    assert_string_equal(hs_io_row(out, 2), "");
    assert_string_equal(hs_io_row(out, 3), "0 1 2");
    assert_int_equal(hsel_dataset_class_of(out, 0),
                     HSEL_NONE); /* not a class of the training data */
    assert_int_equal(hsel_dataset_class_of(out, 1), 1);
    assert_int_equal(hsel_dataset_class_of(out, 2), 0);
    assert_int_equal(hsel_dataset_class_of(out, 3), HSEL_NONE);
    assert_string_equal(hsel_dataset_id(out, 1), "112");
    assert_string_equal(hsel_dataset_name(out), "new");
    assert_null(hs_same_dag(shape->dag, out->dag));
    hsel_dataset_free(out);
    hsel_dataset_free(data);
    hsel_dataset_free(shape);
}

static void refuse(const hsel_dataset *data, const hsel_dataset *shape, bool exact,
                   const char *message)
{
    hsel_error error = {0};
    hsel_dataset *out = NULL;
    uint32_t unknown, missing;
    assert_int_equal(hs_align(data, shape, exact, &out, &unknown, &missing, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    assert_null(out);
}

static void test_align_differences(void **state)
{
    hsel_error error = {0};
    hsel_dataset *out = NULL;
    uint32_t unknown = 9, missing = 9;
    (void)state;
    hsel_dataset *shape = shape_of_abc();
    hsel_dataset *more = make("new", LIST("a", "z", "c", "b"), NULL, LIST("?013"));
    hsel_dataset *less = make("new", LIST("a", "c"), NULL, LIST("?01"));
    hsel_dataset *number = make("new", LIST("a", "b!", "c"), NULL, LIST("?0"));
    refuse(more, shape, true,
           "feature z of new is not among those of the training data, train; --features intersect "
           "leaves such features out");
    refuse(less, shape, true,
           "feature b of the training data, train, is not in new; --features intersect takes it as "
           "negative");
    refuse(number, shape, false,
           "feature b of new is not binary, but that of the training data is");
    assert_ok(hs_align(more, shape, false, &out, &unknown, &missing, &error), error);
    assert_true(unknown == 1 && missing == 0);
    assert_string_equal(hs_io_row(out, 0), "0 1");
    hsel_dataset_free(out);
    assert_ok(hs_align(less, shape, false, &out, &unknown, &missing, &error), error);
    assert_true(unknown == 0 && missing == 1);
    assert_string_equal(hs_io_row(out, 0), "0 2");
    hsel_dataset_free(out);
    hsel_dataset_free(more);
    hsel_dataset_free(less);
    hsel_dataset_free(number);
    hsel_dataset_free(shape);
}

static hsel_dataset *from_csv(const char *text)
{
    return hs_io_good(hs_method_find(HS_FORMAT, "csv", 3), text, NULL);
}

/* Types by what training saw: 0 and 1 pass for numbers and nominal values; what is not known is
 * missing. */
static void test_align_types(void **state)
{
    hsel_error error = {0};
    hsel_dataset *out = NULL;
    uint32_t unknown, missing;
    (void)state;
    hsel_dataset *shape = from_csv("n,c,d,class\n1.5,red,0,a\n2,blue,x,b\n3,red,1,a\n");
    hsel_dataset *data = from_csv("d,n,c,class\n1,1,blue,b\n0,0,green,a\n1,1,?,b\n");
    assert_int_equal(shape->types[2], HSEL_NOMINAL);
    assert_int_equal(data->types[0], HSEL_BINARY);
    assert_int_equal(data->types[1], HSEL_BINARY);
    assert_ok(hs_align(data, shape, true, &out, &unknown, &missing, &error), error);
    assert_ok(hsel_dataset_check(out, &error), error);
    assert_memory_equal(out->types, shape->types, 3);
    assert_true(hs_dataset_value(out, 0, 0) == 1 && hs_dataset_value(out, 0, 1) == 0);
    assert_true(hs_dataset_value(out, 1, 0) == 1);
    assert_true(isnan(hs_dataset_value(out, 1, 1)) && isnan(hs_dataset_value(out, 1, 2)));
    assert_true(hs_dataset_value(out, 2, 0) == 2 && hs_dataset_value(out, 2, 1) == 0);
    hsel_dataset_free(out);
    hsel_dataset_free(data);
    data = from_csv("c,class\nred,a\nblue,b\n");
    assert_ok(hs_align(data, shape, false, &out, &unknown, &missing, &error), error);
    assert_int_equal(missing, 2);
    assert_true(isnan(hs_dataset_value(out, 0, 0)) && isnan(hs_dataset_value(out, 2, 1)));
    refuse(data, shape, true,
           "feature n of the training data, , is not in ; --features intersect takes it as "
           "missing");
    hsel_dataset_free(out);
    hsel_dataset_free(data);
    data = from_csv("n,c,d,class\nhigh,red,x,a\nlow,blue,1,b\n");
    refuse(data, shape, true, "feature n of  is nominal, but that of the training data is numeric");
    hsel_dataset_free(data);
    data = from_csv("n,c,d,class\n1.5,1.5,x,a\n2,2,1,b\n");
    refuse(data, shape, true, "feature c of  is numeric, but that of the training data is nominal");
    hsel_dataset_free(data);
    hsel_dataset_free(shape);
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
    int status = hs_model_train(m->data, m->selector, m->classifier, 0, false, 1, 1, &model, error);
    if (status == HSEL_OK)
        status = hs_model_write(model, m->path, error);
    if (status == HSEL_OK)
        status = hs_model_read(m->path, &back, error);
    if (status == HSEL_OK)
        status = hs_align(m->data, back->shape, true, &aligned, &unknown, &missing, error);
    if (status == HSEL_OK)
        status = hs_model_scratch_init(&scratch, back, error);
    if (status == HSEL_OK)
        status = hs_model_predict(back, aligned, 0, &scratch, probability, error);
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
    hsel_dataset *data = random_data(&stream, 8, 5);
    for (size_t m = 0; m < 3; m++) {
        struct memory_case one = {data, hs_folder_file(&folder, "m.model"), small_models[m][0],
                                  small_models[m][1]};
        assert_true(hs_oom_each(one.selector, use_once, &one) > 50);
    }
    hsel_dataset_free(data);
    data = random_mixed(&stream, 8, 6);
    struct memory_case mixed = {data, hs_folder_file(&folder, "m.model"), "none", "knn"};
    assert_true(hs_oom_each("mixed", use_once, &mixed) > 50);
    hsel_dataset_free(data);
    assert_int_equal(hs_folder_count(&folder), 1); /* no temporary file is left */
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_cross_validation),
                                       cmocka_unit_test(test_without_one),
                                       cmocka_unit_test(test_read_model_is_whole),
                                       cmocka_unit_test(test_training_refuses),
                                       cmocka_unit_test(test_any_changed_byte_is_found),
                                       cmocka_unit_test(test_any_cut_is_found),
                                       cmocka_unit_test(test_malice),
                                       cmocka_unit_test(test_wrong_numbers),
                                       cmocka_unit_test(test_other_files),
                                       cmocka_unit_test(test_unknown_method),
                                       cmocka_unit_test(test_align_by_name),
                                       cmocka_unit_test(test_align_differences),
                                       cmocka_unit_test(test_align_types),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

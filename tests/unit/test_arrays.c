/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from arrays, and their hierarchies: random data sets go through every layout
 * and kind of numbers and come back the same; damaged arrays get one plain line; every allocation
 * of the public functions may fail. What is learned from them is in test_learning.c.
 */
#include <math.h>
#include <string.h>

#include "hsel/hsel.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

#define MOST 12 /* rows and columns of random data */
#define edges(terms_, term_count_, child_, parent_, count_)                                        \
    (&(hsel_edges){.size = sizeof(hsel_edges),                                                     \
                   .terms = terms_,                                                                \
                   .term_count = term_count_,                                                      \
                   .child = child_,                                                                \
                   .parent = parent_,                                                              \
                   .count = count_})

/* A matrix in every form that a caller may hold. */
struct forms {
    uint32_t n, d;
    double dense[MOST * MOST];
    uint8_t bytes[MOST * MOST];
    int32_t start32[MOST + 1], index32[MOST * MOST];
    int64_t start64[MOST + 1], index64[MOST * MOST];
    double value[MOST * MOST];
    float single[MOST * MOST];
};

static hsel_dataset *random_data(uint64_t number, bool numeric)
{
    hs_stream stream;
    hs_stream_init(&stream, 9, "test-flat", number, 0);
    return hs_random_dataset(&stream,
                             &(hs_random_shape){.instances = 1 + (uint32_t)number % MOST,
                                                .features = 1 + (uint32_t)(number / 7) % MOST,
                                                .classes = 2 + (uint32_t)number % 2,
                                                .density = 0.4,
                                                .numeric = numeric ? 0.4 : 0});
}

static void fill_forms(const hsel_dataset *data, bool by_columns, struct forms *out)
{
    double column[MOST];
    uint32_t lists = by_columns ? data->features : data->instances, used = 0;
    memset(out, 0, sizeof *out);
    out->n = data->instances;
    out->d = data->features;
    for (uint32_t f = 0; f < out->d; f++) {
        hsel_dataset_values(data, f, column);
        for (uint32_t i = 0; i < out->n; i++) {
            out->dense[i * out->d + f] = column[i];
            out->bytes[i * out->d + f] = (uint8_t)column[i];
        }
    }
    for (uint32_t l = 0; l < lists; l++) {
        for (uint32_t k = 0; k < (by_columns ? out->n : out->d); k++) {
            double value = by_columns ? out->dense[k * out->d + l] : out->dense[l * out->d + k];
            if (value == 0)
                continue;
            out->index32[used] = (int32_t)k;
            out->index64[used] = k;
            out->single[used] = (float)value;
            out->value[used++] = value;
        }
        out->start32[l + 1] = (int32_t)used;
        out->start64[l + 1] = used;
    }
}

static hsel_arrays arrays_of(const hsel_dataset *data)
{
    uint32_t count;
    size_t bytes;
    return (hsel_arrays){.size = sizeof(hsel_arrays),
                         .instances = data->instances,
                         .features = data->features,
                         .classes = data->class_names.count,
                         .labels = data->class_of,
                         .feature_names =
                             hsel_dataset_names(data, HSEL_FEATURE_NAMES, &count, &bytes),
                         .class_names = hsel_dataset_names(data, HSEL_CLASS_NAMES, &count, &bytes)};
}

static void check_same(const hsel_dataset *data, const hsel_arrays *arrays, const char *what)
{
    hsel_error error = {0};
    hsel_dataset *made = NULL;
    assert_ok(hsel_dataset_from_arrays(arrays, &made, &error), error);
    assert_ok(hsel_dataset_check(made, &error), error);
    const char *differs = hs_same_dataset(data, made, HS_SAME_FEATURE_NAMES | HS_SAME_CLASS_ORDER);
    if (differs)
        fail_msg("%s: %s", what, differs);
    assert_int_equal(made->positive_class, data->positive_class);
    hsel_dataset_free(made);
}

/* Every layout and width, with and without values. */
static void check_sparse(const hsel_dataset *data, bool by_columns, bool numeric)
{
    struct forms forms;
    fill_forms(data, by_columns, &forms);
    for (int wide = 0; wide < 2; wide++)
        for (int values = numeric; values < 3; values++) {
            hsel_arrays arrays = arrays_of(data);
            arrays.layout = by_columns ? HSEL_COLUMNS : HSEL_ROWS;
            arrays.wide = wide;
            arrays.start = wide ? (void *)forms.start64 : (void *)forms.start32;
            arrays.index = wide ? (void *)forms.index64 : (void *)forms.index32;
            arrays.number = values == 1 ? HSEL_F64 : HSEL_F32;
            arrays.values = values == 0   ? NULL
                            : values == 1 ? (void *)forms.value
                                          : (void *)forms.single;
            if (values < 2 || !numeric)
                check_same(data, &arrays, by_columns ? "columns" : "rows");
        }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 600; number++) {
        bool numeric = number % 3 == 2;
        hsel_dataset *data = random_data(number, numeric);
        struct forms forms;
        fill_forms(data, false, &forms);
        hsel_arrays arrays = arrays_of(data);
        arrays.layout = HSEL_DENSE;
        arrays.number = HSEL_F64;
        arrays.values = forms.dense;
        arrays.row_stride = (int64_t)(data->features * sizeof(double));
        arrays.column_stride = sizeof(double);
        check_same(data, &arrays, "dense");
        if (!numeric) {
            arrays.number = HSEL_U8;
            arrays.values = forms.bytes;
            arrays.row_stride = data->features;
            arrays.column_stride = 1;
            check_same(data, &arrays, "bytes");
        }
        check_sparse(data, false, numeric);
        check_sparse(data, true, numeric);
        hsel_dataset_free(data);
    }
}

/* Features of all types: arrays of the codes of a random data set become the same again, and what
 * is predicted of them by a model is what it predicts of the data set. */
struct mixed {
    hsel_arrays arrays;
    uint32_t counts[MOST];
    uint8_t types[MOST];
    char words[1 << 12];
    struct forms forms;
};

static void mixed_of(const hsel_dataset *data, bool by_columns, bool dense, struct mixed *out)
{
    size_t used = 0;
    fill_forms(data, by_columns, &out->forms);
    memset(out->counts, 0, sizeof out->counts);
    for (uint32_t f = 0; f < data->features; f++) {
        size_t bytes;
        const char *words = hsel_dataset_value_names(data, f, &out->counts[f], &bytes);
        out->types[f] = data->types[f];
        assert_true(used + bytes < sizeof out->words);
        memcpy(out->words + used, words ? words : "", bytes);
        used += bytes;
    }
    out->arrays = arrays_of(data);
    out->arrays.layout = dense ? HSEL_DENSE : by_columns ? HSEL_COLUMNS : HSEL_ROWS;
    out->arrays.number = HSEL_F64;
    out->arrays.start = out->forms.start32;
    out->arrays.index = out->forms.index32;
    out->arrays.values = dense ? out->forms.dense : out->forms.value;
    out->arrays.row_stride = (int64_t)(data->features * sizeof(double));
    out->arrays.column_stride = sizeof(double);
    out->arrays.types = out->types;
    out->arrays.word_counts = out->counts;
    out->arrays.words = out->words;
}

static int make_mixed(void *context, hsel_error *error)
{
    hsel_dataset *made = NULL;
    int status = hsel_dataset_from_arrays(&((struct mixed *)context)->arrays, &made, error);
    hsel_dataset_free(made);
    return status;
}

static void test_words(void **state)
{
    (void)state;
    hsel_error error = {0};
    for (uint32_t number = 0; number < 900; number++) {
        hs_stream stream;
        hs_stream_init(&stream, 9, "test-words", number, 0);
        hsel_dataset *data = hs_random_dataset(
                         &stream, &(hs_random_shape){.instances = 2 + number % (MOST - 1),
                                                     .features = 1 + number / 7 % MOST,
                                                     .classes = 2,
                                                     .density = 0.4,
                                                     .numeric = 0.2,
                                                     .nominal = 0.5,
                                                     .missing = 0.2}),
                     *rows = NULL;
        hsel_model *model = NULL;
        struct mixed mixed;
        mixed_of(data, number % 3 == 1, number % 3 == 2, &mixed);
        assert_ok(hsel_dataset_from_arrays(&mixed.arrays, &rows, &error), error);
        assert_ok(hsel_dataset_check(rows, &error), error);
        const char *differs = hs_same_dataset(
            data, rows, HS_SAME_FEATURE_NAMES | HS_SAME_CLASS_ORDER | HS_SAME_VALUE_ORDER);
        if (differs)
            fail_msg("%u: %s", number, differs);
        hsel_dataset_free(rows);
        double ours[2 * MOST], theirs[2 * MOST];
        hsel_request request = {.size = sizeof request, .threads = 1};
        assert_ok(hsel_train(data, &request, &model, &error), error);
        mixed.arrays.like = model;
        assert_ok(hsel_dataset_from_arrays(&mixed.arrays, &rows, &error), error);
        assert_ok(hsel_predict(model, rows, &request, ours, NULL, NULL, &error), error);
        assert_ok(hsel_predict(model, data, &request, theirs, NULL, NULL, &error), error);
        assert_memory_equal(ours, theirs, 2 * data->instances * sizeof *ours);
        mixed.arrays.like = NULL;
        if (number % 100 == 99)
            assert_true(hs_oom_each("arrays with words", make_mixed, &mixed) > 5);
        hsel_dataset_free(rows);
        hsel_model_free(model);
        hsel_dataset_free(data);
    }
}

/* 0 and 1 as every kind of number, by rows and by columns; rows are wider than what is skipped at
 * once when it is 0, and a value that is neither must not be overlooked. */
static void test_dense_kinds(void **state)
{
    (void)state;
    enum { N = 5, D = 203 };
    static union {
        uint8_t u8[N * D];
        int32_t i32[N * D];
        int64_t i64[N * D];
        float f32[N * D];
        double f64[N * D];
    } v;
    static const int64_t sizes[] = {1, 4, 8, 4, 8};
    static bool one[N * D];
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "dense", 0, 0);
    for (int trial = 0; trial < 400; trial++) {
        int number = trial % 5, other = trial % 3 == 2 ? (int)hs_random_below(&stream, N * D) : -1;
        bool by_columns = trial & 1;
        for (int i = 0; i < N * D; i++) {
            int x = one[i] = hs_random_below(&stream, 50) == 0;
            x = i == other ? 3 : x;
            switch (number) {
            case HSEL_U8:
                v.u8[i] = (uint8_t)x;
                break;
            case HSEL_I32:
                v.i32[i] = x;
                break;
            case HSEL_I64:
                v.i64[i] = x;
                break;
            case HSEL_F32:
                v.f32[i] = x ? (float)x : -0.0F;
                break;
            default:
                v.f64[i] = x ? x : -0.0;
                break;
            }
        }
        hsel_arrays arrays = {.size = sizeof(hsel_arrays),
                              .instances = N,
                              .features = D,
                              .layout = HSEL_DENSE,
                              .number = number,
                              .values = &v,
                              .row_stride = by_columns ? sizes[number] : D * sizes[number],
                              .column_stride = by_columns ? N * sizes[number] : sizes[number]};
        hsel_dataset *data = NULL;
        assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
        assert_ok(hsel_dataset_check(data, &error), error);
        assert_int_equal(data->numeric_count, other >= 0);
        for (int i = 0; i < N * D; i++) {
            uint32_t row = (uint32_t)(by_columns ? i % N : i / D);
            uint32_t feature = (uint32_t)(by_columns ? i / N : i % D);
            assert_true(hs_dataset_value(data, feature, row) == (i == other ? 3 : one[i]));
        }
        hsel_dataset_free(data);
    }
}

/* Names and hierarchy of another data set, which may go afterwards. */
static void test_shape(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *shape = NULL, *data = NULL;
    int32_t empty[] = {0}, start[] = {0, 2}, index[] = {0, 2};
    hsel_arrays arrays = {.size = sizeof(hsel_arrays),
                          .features = 3,
                          .start = empty,
                          .index = index,
                          .feature_names = "a\0b\0c"};
    assert_ok(hsel_dataset_from_arrays(&arrays, &shape, &error), error);
    assert_ok(hsel_dataset_set_hierarchy(shape, edges(NULL, 0, (uint32_t[]){2}, (uint32_t[]){0}, 1),
                                         NULL, &error),
              error);
    arrays = (hsel_arrays){.size = sizeof(hsel_arrays),
                           .instances = 1,
                           .features = 3,
                           .start = start,
                           .index = index,
                           .shape = shape};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    arrays.features = 4;
    hsel_dataset *none = NULL;
    assert_int_equal(hsel_dataset_from_arrays(&arrays, &none, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the shape has 3 features, but these data have 4");
    hsel_dataset_free(shape);
    assert_ok(hsel_dataset_check(data, &error), error);
    assert_string_equal(hsel_dataset_feature_name(data, 2), "c");
    assert_int_equal(hsel_dataset_find_feature(data, "b"), 1);
    assert_int_equal(hsel_dag_edges(hsel_dataset_hierarchy(data)), 1);
    hsel_dataset_free(data);
}

static void expect(const hsel_arrays *arrays, int code, const char *message)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_int_equal(hsel_dataset_from_arrays(arrays, &data, &error), code);
    assert_string_equal(error.message, message);
}

static void test_damaged_arrays(void **state)
{
    (void)state;
    int32_t start[] = {0, 2, 3}, index[] = {0, 2, 1};
    double value[] = {1, 1, 1};
    uint32_t labels[] = {0, 1};
    hsel_arrays good = {.size = sizeof(hsel_arrays),
                        .instances = 2,
                        .features = 3,
                        .start = start,
                        .index = index,
                        .values = value,
                        .number = HSEL_F64};
    hsel_arrays bad = good;
    index[1] = 3;
    expect(&bad, HSEL_EFORMAT,
           "the sparse matrix is damaged: an index of list 0 is out of order or range");
    index[1] = 0;
    expect(&bad, HSEL_EFORMAT,
           "the sparse matrix is damaged: an index of list 0 is out of order or range");
    index[1] = -2;
    expect(&bad, HSEL_EFORMAT,
           "the sparse matrix is damaged: an index of list 0 is out of order or range");
    index[1] = 2;
    start[1] = -1;
    expect(&bad, HSEL_EFORMAT, "the sparse matrix is damaged: list 0 has a wrong length");
    start[1] = 1000;
    expect(&bad, HSEL_EFORMAT, "the sparse matrix is damaged: list 0 has a wrong length");
    start[1] = 2;
    start[0] = 1;
    expect(&bad, HSEL_EFORMAT, "the sparse matrix is damaged: its lists do not start at 0");
    start[0] = 0;
    value[2] = (double)INFINITY;
    expect(&bad, HSEL_EFORMAT, "instance 1 has no finite number for feature x1");
    value[2] = (double)NAN; /* missing: only where a feature may be numeric */
    hsel_dataset *missing = NULL;
    hsel_error error = {0};
    assert_ok(hsel_dataset_from_arrays(&bad, &missing, &error), error);
    double found[3] = {0};
    hsel_dataset_values(missing, 1, found);
    assert_true(hsel_dataset_types(missing)[1] == HSEL_NUMERIC && isnan(found[1]));
    hsel_dataset_free(missing);
    bad.types = (const uint8_t[]){0, 0, 0};
    expect(&bad, HSEL_EFORMAT, "feature x1 is binary, but instance 1 has the value nan");
    value[2] = 0.5;
    expect(&bad, HSEL_EFORMAT, "feature x1 is binary, but instance 1 has the value 0.5");
    bad.types = (const uint8_t[]){0, 0, 2};
    expect(&bad, HSEL_EUSAGE, "feature 2 has an unknown type, or is nominal and has no values");
    bad.types = (const uint8_t[]){0, 2, 3};
    bad.word_counts = (const uint32_t[]){0, 2, 0};
    bad.words = "red\0blue";
    expect(&bad, HSEL_EFORMAT, "feature x1 has 2 values, but instance 1 has the code 0.5");
    value[2] = 2;
    expect(&bad, HSEL_EFORMAT, "feature x1 has 2 values, but instance 1 has the code 2");
    bad.words = "red\0red";
    expect(&bad, HSEL_EUSAGE, "there are two words of a feature named 'red'");
    value[2] = 1;
    bad = good;
    bad.feature_names = "a\0b\0a";
    expect(&bad, HSEL_EUSAGE, "there are two features named 'a'");
    bad = good;
    bad.classes = 1;
    bad.labels = labels;
    expect(&bad, HSEL_EUSAGE, "instance 1 has class number 1 of 1");
    bad = good;
    bad.layout = 3;
    expect(&bad, HSEL_EUSAGE, "unknown layout or number type");
    bad = good;
    bad.index = NULL;
    expect(&bad, HSEL_EUSAGE, "the sparse matrix has no index");
    bad.start = NULL;
    expect(&bad, HSEL_EUSAGE, "the sparse matrix has no starts");
    bad.layout = HSEL_DENSE;
    bad.values = NULL;
    expect(&bad, HSEL_EUSAGE, "the dense matrix has no values");
    expect(NULL, HSEL_EUSAGE, "hsel_arrays is missing");
    bad = good;
    bad.features = UINT32_MAX;
    expect(&bad, HSEL_ELIMIT, "too many instances, features or classes");
}

/* ---- hierarchies ---- */

static void test_hierarchy(void **state)
{
    (void)state;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    uint32_t matched = 0;
    const uint32_t *parents, *depth;
    const uint32_t child[] = {0, 1}, parent[] = {1, 2}, back[] = {1, 0}, far[] = {1, 9};
    const uint8_t X[] = {1, 0};
    hsel_arrays arrays = {.size = sizeof(hsel_arrays),
                          .instances = 1,
                          .features = 2,
                          .layout = HSEL_DENSE,
                          .values = X,
                          .row_stride = 2,
                          .column_stride = 1,
                          .feature_names = "low\0high"};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hsel_dataset_set_hierarchy(data, edges("low\0between\0high", 3, child, parent, 2),
                                         &matched, &error),
              error);
    assert_int_equal(matched, 2);
    const hsel_dag *dag = hsel_dataset_hierarchy(data);
    assert_int_equal(hsel_dag_parent_lists(dag, &parents)[1], 1);
    assert_int_equal(parents[0], 1);
    depth = hsel_dag_depths(dag);
    assert_int_equal(depth[0], 1);
    hsel_dataset *repaired = NULL;
    uint64_t added = 0;
    assert_ok(hsel_dataset_propagate(data, &repaired, &added, &error), error);
    assert_int_equal(added, 1);
    hsel_dataset_free(repaired);
    assert_int_equal(/* which would be the end of `dag` */
                     hsel_dataset_set_hierarchy(data, edges(NULL, 0, child, parent, 1), &matched,
                                                &error),
                     HSEL_EUSAGE);
    assert_string_equal(error.message, "data already has a hierarchy");
    assert_int_equal(hsel_dag_edges(dag), 1);
    hsel_dataset_free(data);
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_int_equal(
        hsel_dataset_set_hierarchy(data, edges(NULL, 0, child, back, 2), &matched, &error),
        HSEL_EFORMAT);
    assert_non_null(strstr(error.message, "the hierarchy has a cycle: "));
    assert_int_equal(
        hsel_dataset_set_hierarchy(data, edges(NULL, 0, child, far, 2), &matched, &error),
        HSEL_EUSAGE);
    assert_string_equal(error.message, "edge 1 leads to a term that does not exist");
    assert_int_equal(
        hsel_dataset_set_hierarchy(data, edges("a\0a", 2, child, back, 1), &matched, &error),
        HSEL_EUSAGE);
    assert_string_equal(error.message, "there are two terms named 'a'");
    hsel_dataset_free(data);
}

/* Labels of terms become those of features of the same name, go with `shape` and `like`, and are
 * found by model and explanation. */
static void test_labels(void **state)
{
    (void)state;
    static const uint8_t values[] = {1, 1, 0, 1, 1, 0, 0, 0};
    const uint32_t labels[] = {1, 0, 1, 0};
    hsel_error error = {0};
    hsel_dataset *shape = NULL, *data = NULL, *more = NULL;
    hsel_model *model = NULL;
    uint32_t count;
    size_t bytes;
    char *text = NULL;
    hsel_arrays arrays = {.size = sizeof(hsel_arrays),
                          .features = 2,
                          .layout = HSEL_DENSE,
                          .row_stride = 2,
                          .column_stride = 1,
                          .values = values,
                          .feature_names = "low\0high"};
    assert_ok(hsel_dataset_from_arrays(&arrays, &shape, &error), error);
    assert_null(hsel_dataset_feature_label(shape, 0));
    const uint32_t child[] = {1, 0}, parent[] = {0, 2};
    hsel_edges given = *edges("between\0low\0high", 3, child, parent, 2);
    given.labels = "the middle\0a \"low\" term\0";
    assert_ok(hsel_dataset_set_hierarchy(shape, &given, NULL, &error), error);
    arrays = (hsel_arrays){.size = sizeof(hsel_arrays),
                           .instances = 4,
                           .features = 2,
                           .classes = 2,
                           .labels = labels,
                           .layout = HSEL_DENSE,
                           .row_stride = 2,
                           .column_stride = 1,
                           .values = values,
                           .shape = shape,
                           .strata = "north\0\0south\0north"};
    assert_ok(hsel_dataset_from_arrays(&arrays, &data, &error), error);
    assert_ok(hsel_dataset_check(data, &error), error);
    assert_string_equal(hsel_dataset_instance_about(data, 2, "stratum"), "south");
    assert_null(hsel_dataset_instance_about(data, 1, "stratum"));
    assert_string_equal(hsel_dataset_feature_label(data, 0), "a \"low\" term");
    assert_string_equal(hsel_dataset_feature_about(data, 0, "label"), "a \"low\" term");
    assert_null(hsel_dataset_feature_label(data, 1));
    assert_null(hsel_dataset_feature_about(data, 0, "namespace"));
    assert_null(hsel_dataset_instance_label(data, 0));
    assert_string_equal(hsel_dataset_names(data, HSEL_FEATURE_COLUMNS, &count, &bytes), "label");
    assert_int_equal(count, 1);
    assert_string_equal(hsel_dataset_names(data, HSEL_FEATURE_TEXTS, &count, &bytes),
                        "a \"low\" term");
    assert_true(count == 2 && bytes == 12 + 2);
    assert_non_null(hsel_dataset_names(shape, HSEL_INSTANCE_TEXTS, &count, &bytes));
    assert_true(count == 0 && bytes == 0);
    assert_ok(hsel_train(data, NULL, &model, &error), error);
    arrays.shape = NULL;
    arrays.like = model;
    arrays.labels = NULL;
    expect(&arrays, HSEL_EUSAGE,
           "strata are for training data, not for data like those of a model");
    arrays.strata = NULL;
    assert_ok(hsel_dataset_from_arrays(&arrays, &more, &error), error);
    assert_string_equal(hsel_dataset_feature_label(more, 0), "a \"low\" term");
    assert_ok(hsel_model_explain(model, more, 0, 0, "dot", &text, &error), error);
    assert_non_null(strstr(text, "a \\\"low\\\" term"));
    hsel_free(text);
    hsel_model_free(model);
    hsel_dataset_free(shape);
    hsel_dataset_free(data);
    hsel_dataset_free(more);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    const hsel_dataset *source = context;
    hsel_arrays arrays = arrays_of(source);
    hsel_dataset *data = NULL, *rows = NULL;
    hsel_model *model = NULL, *again = NULL;
    void *bytes = NULL;
    size_t length = 0;
    uint32_t *index = NULL;
    uint64_t start[65];
    double probability[130], scores[20];
    char *json = NULL, *text = NULL;
    const uint32_t child[] = {1}, parent[] = {0};
    hsel_request request = {.size = sizeof request,
                            .selector = "all-neg",
                            .classifier = "knn",
                            .rankers = "ig",
                            .ranker_count = 1,
                            .seed = 1,
                            .threads = 1};
    arrays.start = source->rows.start;
    int32_t starts[65], indices[64 * 20];
    for (uint32_t i = 0; i <= source->instances; i++)
        starts[i] = (int32_t)source->rows.start[i];
    for (int32_t i = 0; i < starts[source->instances]; i++)
        indices[i] = (int32_t)source->rows.index[i];
    arrays.start = starts;
    arrays.index = indices;
    static const char strata[65] = "a"; /* of the first */
    arrays.strata = strata;
    static const char labels[32] = "the first"; /* the others have none */
    hsel_edges given = *edges(NULL, 0, child, parent, 1);
    given.labels = labels;
    int status = hsel_dataset_from_arrays(&arrays, &data, error);
    if (status == HSEL_OK)
        status = hsel_dataset_set_hierarchy(data, &given, NULL, error);
    if (status == HSEL_OK)
        status = hsel_train(data, &request, &model, error);
    arrays.like = model;
    arrays.strata = NULL;
    if (status == HSEL_OK)
        status = hsel_dataset_from_arrays(&arrays, &rows, error);
    if (status == HSEL_OK)
        status = hsel_predict(model, rows, &request, probability, NULL, NULL, error);
    if (status == HSEL_OK)
        status = hsel_select_each(model, rows, &request, start, &index, error);
    if (status == HSEL_OK)
        status = hsel_model_to_bytes(model, &bytes, &length, error);
    if (status == HSEL_OK)
        status = hsel_model_from_bytes(bytes, length, &again, error);
    if (status == HSEL_OK)
        status = hsel_rank(data, &request, scores, error);
    if (status == HSEL_OK)
        status = hsel_model_explain(model, rows, 0, 0, "json", &json, error);
    if (status == HSEL_OK)
        status = hsel_methods_json(&text, error);
    hsel_free(index);
    hsel_free(bytes);
    hsel_free(json);
    hsel_free(text);
    hsel_model_free(again);
    hsel_dataset_free(rows);
    hsel_model_free(model);
    hsel_dataset_free(data);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 9, "test-flat", 1000, 0);
    hsel_dataset *data = hs_random_dataset(
        &stream, &(hs_random_shape){.instances = 64, .features = 20, .classes = 2, .density = 0.3});
    assert_true(hs_oom_each("the public functions", everything, data) > 40);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_words),
        cmocka_unit_test(test_dense_kinds),    cmocka_unit_test(test_shape),
        cmocka_unit_test(test_damaged_arrays), cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_labels),         cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

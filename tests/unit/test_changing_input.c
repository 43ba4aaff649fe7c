/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Callers whose other threads write into the arrays that a function was given. Whatever is read
 * then, nothing may be written or read out of bounds (which the address sanitizer sees), and a data
 * set that is made nevertheless passes its check. Each array is overwritten at every allocation of
 * a call in turn, and by a thread that runs all the time.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "hsel/hsel.h"
#include "support/cmocka.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

#define ROWS    8
#define COLUMNS 6
#define CELLS   (ROWS * COLUMNS)
#define MOST    16 /* arrays of a call */

struct array {
    const char *name;
    unsigned char *now;
    const void *before;
    size_t bytes;
};

struct call {
    struct array arrays[MOST];
    int count;
    int (*run)(const struct call *call, hsel_error *error);
    int layout, number, wide, numeric; /* of a matrix */
    hsel_dataset *data;                /* of others */
    const void *bytes;
    size_t length;
};

static void *give(struct call *call, const char *name, const void *before, size_t bytes)
{
    void *now = malloc(bytes);
    memcpy(now, before, bytes);
    call->arrays[call->count++] = (struct array){name, now, before, bytes};
    return now;
}

static void *given(const struct call *call, const char *name)
{
    for (int i = 0; i < call->count; i++)
        if (strcmp(call->arrays[i].name, name) == 0)
            return call->arrays[i].now;
    return NULL;
}

static void forget(struct call *call)
{
    for (int i = 0; i < call->count; i++)
        free(call->arrays[i].now);
    call->count = 0;
}

/* ---- who writes ---- */

/* Words that were 0, 1, a number of a row, NaN … and values of each width that arrays may have. */
static void scribble(const struct array *array, unsigned pattern)
{
    static const uint64_t words[] = {0,
                                     UINT64_MAX,
                                     0x0101010101010101,
                                     0x0000000100000001,
                                     1,
                                     0x3FF0000000000000, /* 1.0 */
                                     0x7FF0000000000000, /* infinite */
                                     0x4008000000000000, /* 3.0 */
                                     0x0000000500000005,
                                     0x7FFFFFFF7FFFFFFF};
    const uint64_t word = words[pattern % (sizeof words / sizeof *words)];
    for (size_t i = 0; i < array->bytes; i++)
        ((volatile unsigned char *)array->now)[i] = (unsigned char)(word >> i % 8 * 8);
}
enum { PATTERNS = 10 };

struct writer {
    const struct array *array;
    unsigned pattern;
    size_t left; /* allocations until it writes */
};

static bool write_then(void *context, size_t bytes)
{
    struct writer *writer = context;
    (void)bytes;
    if (writer->left && --writer->left == 0)
        scribble(writer->array, writer->pattern);
    return true;
}

static void run_and_check(const struct call *call)
{
    hsel_error error = {0};
    int status = call->run(call, &error);
    if (status && status != HSEL_EUSAGE && status != HSEL_EFORMAT && status != HSEL_EUNSUPPORTED)
        fail_msg("status %d: %s", status, error.message);
}

/* Each array, each pattern, at each allocation. */
static void overwrite_at_allocations(const struct call *call)
{
    for (int a = 0; a < call->count; a++)
        for (unsigned pattern = 0; pattern < PATTERNS; pattern++)
            for (size_t at = 1, more = 1; more; at++) {
                struct writer writer = {&call->arrays[a], pattern, at};
                memcpy(call->arrays[a].now, call->arrays[a].before, call->arrays[a].bytes);
                hs_mem_hook(write_then, &writer);
                run_and_check(call);
                hs_mem_hook(NULL, NULL);
                more = writer.left == 0;
                memcpy(call->arrays[a].now, call->arrays[a].before, call->arrays[a].bytes);
            }
}

#if defined(__SANITIZE_THREAD__)
#define RACES false /* the thread sanitizer would report what is done on purpose */
#elif defined(__has_feature)
#define RACES !__has_feature(thread_sanitizer)
#else
#define RACES true
#endif

static atomic_bool stop;

static void *keep_writing(void *context)
{
    for (unsigned pattern = 0; !atomic_load(&stop); pattern++) {
        const struct array *array = context;
        scribble(array, pattern);
        for (size_t i = 0; i < array->bytes; i++)
            ((volatile unsigned char *)array->now)[i] = ((const unsigned char *)array->before)[i];
    }
    return NULL;
}

static void overwrite_all_the_time(const struct call *call)
{
    for (int a = 0; RACES && a < call->count; a++) {
        pthread_t thread;
        atomic_store(&stop, false);
        assert_int_equal(
            pthread_create(&thread, NULL, keep_writing, (void *)(uintptr_t)&call->arrays[a]), 0);
        for (int i = 0; i < 200; i++)
            run_and_check(call);
        atomic_store(&stop, true);
        pthread_join(thread, NULL);
    }
}

static void overwrite(struct call *call)
{
    overwrite_at_allocations(call);
    overwrite_all_the_time(call);
    forget(call);
}

/* ---- data sets ---- */

static int make_data(const struct call *call, hsel_error *error)
{
    hsel_dataset *data = NULL;
    const int64_t size = call->number == HSEL_U8 ? 1 : 8;
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = ROWS,
                          .features = COLUMNS,
                          .classes = call->numeric ? 0 : 2,
                          .layout = call->layout,
                          .number = call->number,
                          .wide = call->wide,
                          .start = given(call, "start"),
                          .index = given(call, "index"),
                          .values = given(call, "values"),
                          .entries = CELLS / 2,
                          .row_stride = COLUMNS * size,
                          .column_stride = size,
                          .types = given(call, "types"),
                          .labels = given(call, "labels"),
                          .target = given(call, "target"),
                          .covariates = given(call, "covariates")};
    int status = hsel_dataset_from_arrays(&arrays, &data, error);
    if (status == HSEL_OK)
        status = hsel_dataset_set_hierarchy(data,
                                            &(hsel_edges){.size = sizeof(hsel_edges),
                                                          .child = given(call, "child"),
                                                          .parent = given(call, "parent"),
                                                          .count = 2},
                                            NULL, error);
    if (data) {
        hsel_error unfit = {0};
        assert_ok(hsel_dataset_check(data, &unfit), unfit);
    }
    hsel_dataset_free(data);
    return status;
}

/* Every other cell is there: the same number in all rows and in all columns. */
static void check_matrix(int layout, int number, bool wide, bool values, bool other, bool types)
{
    struct call call = {.run = make_data,
                        .layout = layout,
                        .number = number,
                        .wide = wide,
                        .numeric = other && layout == HSEL_ROWS};
    uint32_t lists = layout == HSEL_COLUMNS ? COLUMNS : ROWS, each = CELLS / 2 / lists;
    int32_t start[ROWS + 1], index[CELLS / 2];
    int64_t start_wide[ROWS + 1], index_wide[CELLS / 2];
    double doubles[CELLS], target[ROWS];
    uint8_t bytes[CELLS], type[COLUMNS], covariates[COLUMNS] = {0};
    uint32_t labels[ROWS];
    const uint32_t child[] = {0, 1}, parent[] = {1, 2};
    for (uint32_t i = 0; i < CELLS; i++) {
        bytes[i] = layout == HSEL_DENSE ? i % 2 : !other || i % 3;
        doubles[i] = bytes[i];
    }
    for (uint32_t i = 0; other && i < CELLS; i += COLUMNS) /* numbers: two passes */
        doubles[i] = bytes[i] = 7;
    for (uint32_t i = 0; i < CELLS / 2; i++)
        index[i] = index_wide[i] = i % each * 2 + i / each % 2;
    for (uint32_t l = 0; l <= lists; l++)
        start[l] = start_wide[l] = (int32_t)(l * each);
    for (uint32_t i = 0; i < ROWS; i++) {
        labels[i] = i % 2;
        target[i] = i;
    }
    memset(type, HSEL_NO_TYPE, sizeof type);
    size_t cells = layout == HSEL_DENSE ? CELLS : CELLS / 2;
    if (values)
        give(&call, "values", number == HSEL_U8 ? (void *)bytes : (void *)doubles,
             cells * (number == HSEL_U8 ? 1 : 8));
    if (layout != HSEL_DENSE) {
        give(&call, "start", wide ? (void *)start_wide : (void *)start,
             (lists + 1) * (wide ? sizeof *start_wide : sizeof *start));
        give(&call, "index", wide ? (void *)index_wide : (void *)index,
             wide ? sizeof index_wide : sizeof index);
    }
    if (types)
        give(&call, "types", type, sizeof type);
    if (call.numeric)
        give(&call, "target", target, sizeof target);
    else
        give(&call, "labels", labels, sizeof labels);
    give(&call, "covariates", covariates, sizeof covariates);
    give(&call, "child", child, sizeof child);
    give(&call, "parent", parent, sizeof parent);
    hsel_error error = {0};
    assert_ok(call.run(&call, &error), error);
    overwrite(&call);
}

static void test_matrices(void **state)
{
    (void)state;
    for (int layout = HSEL_ROWS; layout <= HSEL_DENSE; layout++)
        for (int number = HSEL_U8; number <= HSEL_F64; number += HSEL_F64 - HSEL_U8)
            for (int other = 0; other < 2; other++)
                check_matrix(layout, number, number == HSEL_F64, true, other, other);
    check_matrix(HSEL_ROWS, HSEL_U8, false, false, false, false);
    check_matrix(HSEL_COLUMNS, HSEL_U8, true, false, false, true);
}

/* ---- other arrays ---- */

static hsel_dataset *make_world(void)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    uint8_t values[CELLS];
    uint32_t labels[ROWS];
    for (uint32_t i = 0; i < CELLS; i++) /* column 0 is below column 1 */
        values[i] = (uint8_t)(i * 7 % 5 % 2 || (i % COLUMNS == 1 && i % 4));
    for (uint32_t i = 0; i < ROWS; i++) {
        labels[i] = i % 2;
        values[i * COLUMNS + 1] |= values[i * COLUMNS];
    }
    assert_ok(hsel_dataset_from_arrays(&(hsel_arrays){.size = sizeof(hsel_arrays),
                                                      .instances = ROWS,
                                                      .features = COLUMNS,
                                                      .classes = 2,
                                                      .layout = HSEL_DENSE,
                                                      .values = values,
                                                      .row_stride = COLUMNS,
                                                      .column_stride = 1,
                                                      .labels = labels},
                                       &data, &error),
              error);
    assert_ok(hsel_dataset_set_hierarchy(data,
                                         &(hsel_edges){.size = sizeof(hsel_edges),
                                                       .child = (uint32_t[]){0},
                                                       .parent = (uint32_t[]){1},
                                                       .count = 1},
                                         NULL, &error),
              error);
    return data;
}

static int run_train(const struct call *call, hsel_error *error)
{
    static const char *const classifiers[] = {"nb", "tree", "forest:trees=2", "svm", "knn"};
    int status = HSEL_OK;
    for (int i = 0; i < 5; i++) {
        hsel_model *model = NULL;
        status = hsel_train(call->data,
                            &(hsel_request){.size = sizeof(hsel_request),
                                            .classifier = classifiers[i],
                                            .threads = 1,
                                            .weights = given(call, "weights")},
                            &model, error);
        hsel_model_free(model);
    }
    return status;
}

static int run_crossval(const struct call *call, hsel_error *error)
{
    hsel_evaluation *evaluation = NULL;
    int status = hsel_crossval(call->data,
                               &(hsel_request){.size = sizeof(hsel_request),
                                               .threads = 1,
                                               .folds = 2,
                                               .repeats = 2,
                                               .details = 1,
                                               .fold_of = given(call, "fold_of")},
                               &evaluation, error);
    hsel_evaluation_free(evaluation);
    return status;
}

static int run_reject(const struct call *call, hsel_error *error)
{
    uint8_t rejected[COLUMNS];
    double adjusted[COLUMNS];
    int status = HSEL_OK;
    for (int i = 0; i < 3; i++)
        status = hsel_reject(call->data, given(call, "p"),
                             (const char *[]){"bh", "meinshausen", "structured-holm"}[i], 0.05,
                             rejected, adjusted, error);
    return status;
}

static int run_numbers(const struct call *call, hsel_error *error)
{
    double out[HSEL_STABILITY_FIGURES > COLUMNS ? HSEL_STABILITY_FIGURES : COLUMNS];
    int status = hsel_similarity(call->data, "lin", given(call, "first"), given(call, "second"),
                                 COLUMNS, out, error);
    int other =
        hsel_stability(given(call, "selected"), 3, COLUMNS, call->data, "lin", 1, out, error);
    return status ? status : other;
}

static int run_draw(const struct call *call, hsel_error *error)
{
    char *text = NULL;
    int status = hsel_dataset_draw(call->data,
                                   &(hsel_draw_request){.size = sizeof(hsel_draw_request),
                                                        .form = "dot",
                                                        .keep = given(call, "keep"),
                                                        .value = given(call, "value")},
                                   &text, error);
    hsel_free(text);
    return status;
}

static int run_compare(const struct call *call, hsel_error *error)
{
    char *json = NULL, *text = NULL;
    int status = hsel_compare(&(hsel_compare_request){.size = sizeof(hsel_compare_request),
                                                      .value = given(call, "table"),
                                                      .datasets = 6,
                                                      .methods = 3,
                                                      .dataset_names = "a\0b\0c\0d\0e\0f",
                                                      .method_names = "x\0y\0z"},
                              &json, &text, error);
    hsel_free(json);
    hsel_free(text);
    return status;
}

static int run_bytes(const struct call *call, hsel_error *error)
{
    hsel_model *model = NULL;
    int status = hsel_model_from_bytes(given(call, "bytes"), call->length, &model, error);
    hsel_model_free(model);
    return status;
}

static void test_others(void **state)
{
    (void)state;
    hsel_dataset *data = make_world();
    const double weights[ROWS] = {1, 2, 1, 1, 2, 1, 1, 1};
    const uint32_t fold_of[2 * ROWS] = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0};
    const double p[COLUMNS] = {0.01, 0.2, 0.03, 0.9, 0.5, 1};
    const uint32_t first[COLUMNS] = {0, 1, 2, 3, 4, 5}, second[COLUMNS] = {1, 0, 2, 4, 5, 3};
    const uint8_t selected[3 * COLUMNS] = {1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1},
                               keep[COLUMNS] = {1, 0, 1};
    const double value[COLUMNS] = {1, -1, 0.5},
                 table[18] = {1, 2, 3, 2, 1, 3, 0, 1, 2, 4, 5, 6, 3, 1, 2, 2, 2, 2};
    hsel_error error = {0};
    hsel_model *model = NULL;
    void *bytes = NULL;
    size_t length = 0;
    assert_ok(hsel_train(data, &(hsel_request){.size = sizeof(hsel_request), .classifier = "knn"},
                         &model, &error),
              error);
    assert_ok(hsel_model_to_bytes(model, &bytes, &length, &error), error);
    hsel_model_free(model);
    struct call calls[] = {{.run = run_train, .data = data},    {.run = run_crossval, .data = data},
                           {.run = run_reject, .data = data},   {.run = run_numbers, .data = data},
                           {.run = run_draw, .data = data},     {.run = run_compare},
                           {.run = run_bytes, .length = length}};
    give(&calls[0], "weights", weights, sizeof weights);
    give(&calls[1], "fold_of", fold_of, sizeof fold_of);
    give(&calls[2], "p", p, sizeof p);
    give(&calls[3], "first", first, sizeof first);
    give(&calls[3], "second", second, sizeof second);
    give(&calls[3], "selected", selected, sizeof selected);
    give(&calls[4], "keep", keep, sizeof keep);
    give(&calls[4], "value", value, sizeof value);
    give(&calls[5], "table", table, sizeof table);
    give(&calls[6], "bytes", bytes, length);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_ok(calls[i].run(&calls[i], &error), error);
        overwrite(&calls[i]);
    }
    hsel_free(bytes);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrices),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of views against counting cell by cell, and counts of the rest by subtraction.
 */
#include "data/counts.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/dense.h"
#include "support/oom.h"

static void assert_counts(const hs_view *view, const hs_dense *dense, const hs_counts *counts)
{
    const hsel_dataset *data = view->data;
    uint32_t labelled = 0;
    assert_int_equal(counts->features, data->features);
    assert_int_equal(counts->classes, data->class_names.count);
    for (uint32_t c = 0; c < counts->classes; c++) {
        uint32_t size = 0, positive[DENSE_COLUMNS] = {0};
        for (uint32_t i = 0; i < view->row_count; i++) {
            uint32_t row = hs_view_row(view, i);
            if (hsel_dataset_class_of(data, row) != c)
                continue;
            size++;
            for (uint32_t f = 0; f < data->features; f++)
                positive[f] += hs_view_has(view, f) && dense->cell[row][f];
        }
        labelled += size;
        assert_int_equal(counts->class_size[c], size);
        for (uint32_t f = 0; f < data->features; f++)
            assert_int_equal(hs_count(counts, f, c), positive[f]);
    }
    assert_int_equal(counts->instances, labelled);
}

/* A random split of the instances in two lists, ascending. */
static uint32_t split(hs_stream *stream, uint32_t instances, uint32_t *fold, uint32_t *rest)
{
    uint32_t in_fold = 0, in_rest = 0;
    uint64_t parts = 2 + hs_random_below(stream, 9);
    for (uint32_t i = 0; i < instances; i++)
        if (hs_random_below(stream, parts) == 0)
            fold[in_fold++] = i;
        else
            rest[in_rest++] = i;
    return in_fold;
}

static void whole_fold_and_rest(void **state)
{
    (void)state;
    static hs_dense dense;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "counts", 0, 0);
    for (int round = 0; round < 3000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_dense_read(data, &dense);
        uint32_t fold[DENSE_ROWS + 1], rest[DENSE_ROWS + 1];
        uint64_t mask[(DENSE_COLUMNS + 63) / 64] = {0};
        for (uint32_t f = 0; f < data->features; f++)
            if (hs_random_below(&stream, 2))
                hs_bit_set(mask, f);
        uint32_t in_fold = split(&stream, data->instances, fold, rest);
        hs_view whole = hs_view_all(data), test = whole, train = whole;
        whole.features = test.features = train.features = round % 3 ? NULL : mask;
        test.rows = fold;
        test.row_count = in_fold;
        train.rows = rest;
        train.row_count = data->instances - in_fold;
        hs_counts of_whole, of_test, of_train, difference;
        assert_ok(hs_counts_of(&whole, &of_whole, &error), error);
        assert_ok(hs_counts_of(&test, &of_test, &error), error);
        assert_ok(hs_counts_of(&train, &of_train, &error), error);
        assert_ok(hs_counts_init(data->features, data->class_names.count, &difference, &error),
                  error);
        assert_counts(&whole, &dense, &of_whole);
        assert_counts(&test, &dense, &of_test);
        assert_counts(&train, &dense, &of_train);
        hs_counts_subtract(&of_whole, &of_test, &difference);
        assert_counts(&train, &dense, &difference);
        hs_counts_subtract(&of_whole, &of_test, &of_whole); /* in place */
        assert_counts(&train, &dense, &of_whole);
        hs_counts_clear(&of_whole);
        hs_counts_clear(&of_test);
        hs_counts_clear(&of_train);
        hs_counts_clear(&difference);
        hsel_dataset_free(data);
    }
}

/* A row that is listed twice counts twice; a view may also be the first rows only. */
static void repeated_and_first_rows(void **state)
{
    (void)state;
    static hs_dense dense;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 2, "counts", 0, 0);
    hs_random_shape shape = {.instances = 20, .features = 6, .classes = 3, .density = 0.5};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_dense_read(data, &dense);
    uint32_t rows[] = {3, 3, 19, 0, 3};
    hs_view repeated = {.data = data, .rows = rows, .row_count = 5};
    hs_view first = {.data = data, .row_count = 7};
    hs_counts counts;
    assert_ok(hs_counts_of(&repeated, &counts, &error), error);
    assert_counts(&repeated, &dense, &counts);
    assert_int_equal(counts.instances, 5);
    hs_counts_clear(&counts);
    assert_ok(hs_counts_of(&first, &counts, &error), error);
    assert_counts(&first, &dense, &counts);
    assert_int_equal(counts.instances, 7);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

static int count_all(void *context, hsel_error *error)
{
    hs_view view = hs_view_all(context);
    hs_counts counts;
    int status = hs_counts_of(&view, &counts, error);
    hs_counts_clear(&counts);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "counts", 0, 0);
    hs_random_shape shape = {.instances = 9, .features = 5, .classes = 2, .density = 0.4};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_int_equal(hs_oom_each("counts", count_all, data), 2);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_fold_and_rest),
        cmocka_unit_test(repeated_and_first_rows),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit sets and bit columns against bit-by-bit counting.
 */
#include "data/bits.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dense.h"
#include "support/oom.h"

static size_t count_slowly(const uint64_t *a, const uint64_t *b, size_t from, size_t to)
{
    size_t total = 0;
    for (size_t i = from; i < to; i++)
        total += hs_bit_get(a, i) && hs_bit_get(b, i);
    return total;
}

static void single_bits(void **state)
{
    (void)state;
    uint64_t set[3] = {0};
    static const size_t places[] = {0, 1, 63, 64, 127, 128, 191};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_false(hs_bit_get(set, places[i]));
        hs_bit_set(set, places[i]);
        assert_true(hs_bit_get(set, places[i]));
        assert_int_equal(hs_bits_count(set, 3), i + 1);
    }
    assert_int_equal(set[0], UINT64_C(0x8000000000000003));
    hs_bit_unset(set, 63);
    assert_int_equal(set[0], 3);
    hs_bit_unset(set, 63);
    assert_int_equal(hs_bits_count(set, 3), 6);
    assert_int_equal(hs_bit_words(0), 0);
    assert_int_equal(hs_bit_words(1), 1);
    assert_int_equal(hs_bit_words(64), 1);
    assert_int_equal(hs_bit_words(65), 2);
}

static void counts_of_random_sets(void **state)
{
    (void)state;
    enum { WORDS = 40 };
    hs_stream stream;
    hs_stream_init(&stream, 1, "bits", 0, 0);
    for (int round = 0; round < 3000; round++) {
        uint64_t a[WORDS], b[WORDS];
        for (size_t w = 0; w < WORDS; w++) {
            a[w] = hs_random_u64(&stream);
            b[w] = round % 3 ? hs_random_u64(&stream) : ~UINT64_C(0);
        }
        size_t words = hs_random_below(&stream, WORDS + 1);
        assert_int_equal(hs_bits_count(a, words), count_slowly(a, a, 0, words * 64));
        assert_int_equal(hs_bits_count_and(a, b, words), count_slowly(a, b, 0, words * 64));
    }
}

/* Columns of the data set in a random order: a permutation, a part, or with repeats. */
static void columns_hold_the_cells(void **state)
{
    (void)state;
    static hs_dense dense;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 2, "bits", 0, 0);
    for (int round = 0; round < 1500; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_dense_read(data, &dense);
        uint32_t order[DENSE_ROWS + 1], rows = data->instances;
        for (uint32_t i = 0; i < rows; i++)
            order[i] = round % 4 ? i : (uint32_t)hs_random_below(&stream, rows);
        hs_random_shuffle(&stream, order, rows);
        if (round % 5 == 0)
            rows = (uint32_t)hs_random_below(&stream, rows + 1);
        bool as_they_are = round % 3 == 0;
        hs_bit_columns columns;
        assert_ok(hs_bit_columns_new(data, as_they_are ? NULL : order, rows, &columns, &error),
                  error);
        assert_int_equal(columns.columns, data->features);
        assert_int_equal(columns.rows, rows);
        assert_int_equal(columns.stride % 8, 0);
        for (uint32_t f = 0; f < data->features; f++) {
            const uint64_t *column = hs_bit_column(&columns, f);
            assert_int_equal((uintptr_t)column % 64, 0);
            for (size_t i = 0; i < columns.stride * 64; i++)
                assert_int_equal(hs_bit_get(column, i),
                                 i < rows && dense.cell[as_they_are ? i : order[i]][f]);
        }
        hs_bit_columns_clear(&columns);
        hsel_dataset_free(data);
    }
}

/* Rows in class order make the counts of a class a range. */
static void class_counts_are_ranges(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 3, "bits", 0, 0);
    for (int round = 0; round < 200; round++) {
        hs_random_shape shape = {.instances = 1 + (uint32_t)hs_random_below(&stream, 200),
                                 .features = 5,
                                 .classes = 1 + (uint32_t)hs_random_below(&stream, 4),
                                 .density = 0.4};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint32_t order[200], next = 0, end[4];
        for (uint32_t c = 0; c < shape.classes; c++) {
            for (uint32_t i = 0; i < data->instances; i++)
                if (data->class_of[i] == c)
                    order[next++] = i;
            end[c] = next;
        }
        hs_bit_columns columns;
        assert_ok(hs_bit_columns_new(data, order, next, &columns, &error), error);
        for (uint32_t f = 0; f < data->features; f++)
            for (uint32_t c = 0; c < shape.classes; c++) {
                size_t count, expected = 0;
                const uint32_t *list = hs_column(data, f, &count);
                for (size_t i = 0; i < count; i++)
                    expected += data->class_of[list[i]] == c;
                const uint64_t *column = hs_bit_column(&columns, f);
                assert_int_equal(count_slowly(column, column, c ? end[c - 1] : 0, end[c]),
                                 expected);
            }
        hs_bit_columns_clear(&columns);
        hsel_dataset_free(data);
    }
}

static int make_columns(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hs_bit_columns columns;
    int status = hs_bit_columns_new(data, NULL, data->instances, &columns, error);
    hs_bit_columns_clear(&columns);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "bits", 0, 0);
    hs_random_shape shape = {.instances = 9, .features = 5, .classes = 2, .density = 0.4};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_int_equal(hs_oom_each("bit columns", make_columns, data), 1);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_bits),
        cmocka_unit_test(counts_of_random_sets),
        cmocka_unit_test(columns_hold_the_cells),
        cmocka_unit_test(class_counts_are_ranges),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder against a plain table of cells: features of all types in any order, one by one and
 * many at once, dense and sparse, binary ones that turn out to be numeric, and more values than its
 * first blocks hold.
 */
#include <math.h>
#include <stdio.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/builder.h"
#include "data/dataset.h"
#include "support/cmocka.h"
#include "support/oom.h"

#define CODES 3

struct table {
    uint32_t rows, features;
    uint8_t *types; /* as they are in the end */
    bool *retyped;  /* declared as binary */
    double *cell;   /* 0: not given; NaN: missing */
    double given, zeros;
    bool in_order;
};

static double *cell_of(const struct table *t, uint32_t row, uint32_t feature)
{
    return &t->cell[(size_t)row * t->features + feature];
}

static bool chance(hs_stream *stream, double p) { return hs_random_double(stream) < p; }

static void table_new(struct table *t, uint32_t rows, uint32_t features, hs_stream *stream)
{
    double numeric = chance(stream, 0.3) ? 1 : hs_random_double(stream);
    *t = (struct table){.rows = rows,
                        .features = features,
                        .types = HS_NEW(uint8_t, features),
                        .retyped = HS_NEW_ZERO(bool, features),
                        .cell = HS_NEW_ZERO(double, (size_t)rows *features),
                        .given = chance(stream, 0.3) ? 1 : hs_random_double(stream),
                        .zeros = chance(stream, 0.5) ? 0.1 : 0,
                        .in_order = chance(stream, 0.5)};
    assert_true(t->types && t->retyped && t->cell);
    for (uint32_t f = 0; f < features; f++) {
        t->types[f] = chance(stream, numeric) ? HSEL_NUMERIC
                      : chance(stream, 0.5)   ? HSEL_NOMINAL
                                              : HSEL_BINARY;
        t->retyped[f] = t->types[f] == HSEL_NUMERIC && chance(stream, 0.2);
    }
}

static void table_clear(struct table *t)
{
    hs_free(t->types);
    hs_free(t->retyped);
    hs_free(t->cell);
}

static double random_value(const struct table *t, uint32_t feature, hs_stream *stream)
{
    if (t->types[feature] == HSEL_NOMINAL)
        return (double)hs_random_below(stream, CODES);
    if (t->types[feature] == HSEL_BINARY || chance(stream, 0.05))
        return 1;
    return chance(stream, t->zeros) ? 0
           : chance(stream, 0.05)   ? (double)NAN
                                    : hs_random_double(stream) - 0.5;
}

static int declare(const struct table *t, hs_builder *builder, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t f = 0; f < t->features && status == HSEL_OK; f++) {
        char name[16];
        uint32_t id;
        hsel_feature_type type = t->retyped[f] ? HSEL_BINARY : (hsel_feature_type)t->types[f];
        size_t length = (size_t)snprintf(name, sizeof name, "f%u", f);
        status = hs_builder_feature(builder, name, length, type, &id, error);
        for (char code = 'a'; type == HSEL_NOMINAL && code < 'a' + CODES && status == HSEL_OK;
             code++)
            status = hs_builder_value(builder, f, &code, 1, &id, error);
    }
    return status;
}

static bool is_positive(const struct table *t, uint32_t feature, double value)
{
    return t->types[feature] == HSEL_BINARY || (t->retyped[feature] && value == 1);
}

/* A row whose features stand in order[0 … count). */
static int add_row(const struct table *t, hs_builder *builder, uint32_t row, const uint32_t *order,
                   uint32_t count, hsel_error *error)
{
    int status = hs_builder_row(builder, NULL, 0, HSEL_NONE, error);
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        uint32_t f = order[i];
        double value = *cell_of(t, row, f);
        status = is_positive(t, f, value) ? hs_builder_positive(builder, f, error)
                 : t->types[f] == HSEL_NOMINAL
                     ? hs_builder_nominal(builder, f, (uint32_t)value, error)
                     : hs_builder_numeric(builder, f, value, error);
    }
    return status;
}

/* Fills the cells of a row and says in which order they are to be given. */
static uint32_t make_row(const struct table *t, uint32_t row, uint32_t *order, hs_stream *stream)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < t->features; f++) {
        *cell_of(t, row, f) = t->types[f] == HSEL_NOMINAL ? (double)NAN : 0;
        if (!chance(stream, t->given))
            continue;
        *cell_of(t, row, f) = random_value(t, f, stream);
        order[count++] = f;
    }
    if (!t->in_order)
        hs_random_shuffle(stream, order, count);
    return count;
}

static int build(const struct table *t, hs_stream *stream, hsel_dataset **out, hsel_error *error)
{
    hs_builder *builder = NULL;
    uint32_t *order = HS_NEW(uint32_t, t->features);
    int status = order ? hs_builder_new(&builder, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = declare(t, builder, error);
    for (uint32_t r = 0; r < t->rows && status == HSEL_OK; r++) {
        uint32_t count = make_row(t, r, order, stream);
        status = add_row(t, builder, r, order, count, error);
    }
    for (uint32_t f = 0; f < t->features && status == HSEL_OK; f++)
        if (t->retyped[f])
            status = hs_builder_retype(builder, f, HSEL_NUMERIC, error);
    if (status == HSEL_OK)
        status = hs_builder_finish(builder, out, error);
    hs_builder_free(builder);
    hs_free(order);
    return status;
}

/* A column is sparse exactly when that takes less memory. */
static void check_column(const struct table *t, const hsel_dataset *data, uint32_t feature)
{
    uint32_t given = 0;
    if (t->types[feature] != HSEL_NUMERIC)
        return;
    for (uint32_t r = 0; r < t->rows; r++)
        given += *cell_of(t, r, feature) != 0;
    const hs_numeric_column *column = &data->numeric[data->slot[feature]];
    assert_int_equal(column->rows != NULL, given * 12 < t->rows * 8);
    assert_int_equal(column->count, column->rows ? given : t->rows);
}

static void check(const struct table *t, const hsel_dataset *data)
{
    hsel_error error = {0};
    assert_int_equal(hsel_dataset_check(data, &error), HSEL_OK);
    assert_int_equal(data->instances, t->rows);
    assert_int_equal(data->features, t->features);
    for (uint32_t f = 0; f < t->features; f++) {
        assert_int_equal(data->types[f], t->types[f]);
        check_column(t, data, f);
        for (uint32_t r = 0; r < t->rows; r++) {
            double is = hs_dataset_value(data, f, r), should_be = *cell_of(t, r, f);
            if (!(is == should_be || (isnan(is) && isnan(should_be))))
                fail_msg("row %u, feature %u: %g, not %g", r, f, is, should_be);
        }
    }
}

static void build_and_check(uint32_t rows, uint32_t features, hs_stream *stream)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    struct table table;
    table_new(&table, rows, features, stream);
    if (build(&table, stream, &data, &error))
        fail_msg("%s", error.message);
    check(&table, data);
    hsel_dataset_free(data);
    table_clear(&table);
}

static void test_small(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int i = 0; i < 3000; i++) {
        uint32_t rows = (uint32_t)hs_random_below(&stream, 12);
        build_and_check(rows, (uint32_t)hs_random_below(&stream, 30), &stream);
    }
}

/* Past the ends of blocks of 4,096, 32,768 and 262,144 values, and of a huge page of columns. */
static void test_large(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (uint32_t rows = 10; rows < 3000; rows *= 3)
        build_and_check(rows, 400 + (uint32_t)hs_random_below(&stream, 100), &stream);
}

/* In `count` features of a row, one stands twice. */
static void give_twice(const uint32_t *features, size_t count, bool positive, const char *message)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_builder *builder = NULL;
    const double values[] = {1.5, 2.5, 3.5, 4.5, 5.5};
    uint32_t id;
    assert_int_equal(hs_builder_new(&builder, &error), HSEL_OK);
    for (char name = 'a'; name < 'f'; name++)
        assert_int_equal(hs_builder_feature(builder, &name, 1,
                                            positive && name == 'b' ? HSEL_BINARY : HSEL_NUMERIC,
                                            &id, &error),
                         HSEL_OK);
    for (int row = 0; row < 2; row++) {
        assert_int_equal(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), HSEL_OK);
        if (row == 0)
            continue;
        if (positive)
            assert_int_equal(hs_builder_positive(builder, 1, &error), HSEL_OK);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(hs_builder_numeric(builder, features[i], values[i], &error), HSEL_OK);
    }
    if (positive)
        assert_int_equal(hs_builder_retype(builder, 1, HSEL_NUMERIC, &error), HSEL_OK);
    assert_int_equal(hs_builder_finish(builder, &data, &error), message ? HSEL_EFORMAT : HSEL_OK);
    if (message)
        assert_string_equal(error.message, message);
    hsel_dataset_free(data);
    hs_builder_free(builder);
}

static void test_values_given_twice(void **state)
{
    (void)state;
    give_twice((uint32_t[]){0, 1, 2, 2}, 4, false, "instance 2 has two values for feature 'c'");
    give_twice((uint32_t[]){0, 1, 2, 1}, 4, false, "instance 2 has two values for feature 'b'");
    give_twice((uint32_t[]){3, 4, 2, 3}, 4, false, "instance 2 has two values for feature 'd'");
    give_twice((uint32_t[]){4, 4}, 2, false, "instance 2 has two values for feature 'e'");
    give_twice((uint32_t[]){0, 1, 2}, 3, true, "instance 2 has two values for feature 'b'");
    give_twice((uint32_t[]){0, 2, 3}, 3, true, NULL);
    give_twice((uint32_t[]){4, 3, 2, 1, 0}, 5, false, NULL);
}

static int build_once(void *context, hsel_error *error)
{
    struct table *table = context;
    hsel_dataset *data = NULL;
    hs_stream stream;
    hs_stream_init(&stream, 4, "test", 0, 0);
    int status = build(table, &stream, &data, error);
    hsel_dataset_free(data);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    struct table table;
    (void)state;
    for (int i = 0; i < 5; i++) {
        hs_stream_init(&stream, 3, "test", (uint64_t)i, 0);
        table_new(&table, 60, 100, &stream);
        assert_true(hs_oom_each("builder", build_once, &table) > 20);
        table_clear(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_values_given_twice),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

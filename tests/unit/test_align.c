/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New data is brought into the form of the training data of a model by the names of its features,
 * whatever their order and types.
 */
#include <math.h>
#include <string.h>

#include "data/builder.h"
#include "learn/model.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/random_data.h"

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

static void tell(hs_about *about, const char *const *columns, const char *const *cells)
{
    hsel_error error = {0};
    for (; *columns; columns++)
        assert_ok(hs_names_append(&about->columns, *columns, strlen(*columns), &error), error);
    for (; *cells; cells++)
        assert_ok(hs_names_append(&about->cells, *cells, strlen(*cells), &error), error);
}

/* Labels of features go by name, and those of the model are taken first; labels of instances stay.
 */
static void test_align_labels(void **state)
{
    hsel_error error = {0};
    hsel_dataset *out = NULL;
    uint32_t unknown, missing;
    (void)state;
    hsel_dataset *shape = shape_of_abc();
    hsel_dataset *data = make("new", LIST("d", "c", "a"), LIST("yes", "no"), LIST("01", "12"));
    tell(&shape->about, LIST("label"), LIST("", "beta", "gamma"));
    tell(&data->about, LIST("label", "kind"), LIST("delta", "D", "other", "C", "alpha", "A"));
    tell(&data->instance_about, LIST("label"), LIST("aak-2", ""));
    assert_ok(hs_align(data, shape, false, &out, &unknown, &missing, &error), error);
    assert_ok(hsel_dataset_check(out, &error), error);
    static const char *const expected[][2] = {{"alpha", "A"}, {"beta", NULL}, {"gamma", "C"}};
    for (uint32_t f = 0; f < 3; f++) {
        assert_string_equal(hs_about_label(&out->about, f), expected[f][0]);
        const char *kind = hs_about_get(&out->about, f, hs_about_column(&out->about, "kind"));
        assert_string_equal(kind ? kind : "none", expected[f][1] ? expected[f][1] : "none");
    }
    assert_string_equal(hs_about_label(&out->instance_about, 0), "aak-2");
    assert_null(hs_about_label(&out->instance_about, 1));
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
           "feature z of new is not among those of the training data, train; features=intersect "
           "leaves such features out");
    refuse(less, shape, true,
           "feature b of the training data, train, is not in new; features=intersect takes it as "
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
           "feature n of the training data, , is not in ; features=intersect takes it as "
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_align_by_name), cmocka_unit_test(test_align_labels),
        cmocka_unit_test(test_align_differences), cmocka_unit_test(test_align_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

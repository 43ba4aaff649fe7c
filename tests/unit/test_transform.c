/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transformations against the same done on matrices; what they must leave alone is compared value
 * by value.
 */
#include "data/transform.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/dense.h"
#include "support/oom.h"

static void assert_same(const hsel_dataset *expected, const hsel_dataset *found, unsigned what)
{
    const char *difference = hs_same_dataset(expected, found, what);
    if (difference)
        fail_msg("%s", difference);
}

static void assert_same_instances(const hsel_dataset *a, const hsel_dataset *b)
{
    assert_int_equal(a->instances, b->instances);
    assert_int_equal(a->positive_class, b->positive_class);
    assert_int_equal(a->class_names.count, b->class_names.count);
    assert_string_equal(hsel_dataset_name(a), hsel_dataset_name(b));
    for (uint32_t c = 0; c < a->class_names.count; c++)
        assert_string_equal(hsel_dataset_class_name(a, c), hsel_dataset_class_name(b, c));
    for (uint32_t i = 0; i < a->instances; i++) {
        assert_int_equal(hsel_dataset_class_of(a, i), hsel_dataset_class_of(b, i));
        assert_int_equal(hsel_dataset_id(a, i) == NULL, hsel_dataset_id(b, i) == NULL);
        if (hsel_dataset_id(a, i))
            assert_string_equal(hsel_dataset_id(a, i), hsel_dataset_id(b, i));
    }
}

/* Name, type and the values of a numeric or nominal feature. */
static void assert_same_feature(const hsel_dataset *a, uint32_t f, const hsel_dataset *b,
                                uint32_t g)
{
    double left[DENSE_ROWS + 1], right[DENSE_ROWS + 1];
    assert_string_equal(hsel_dataset_feature_name(a, f), hsel_dataset_feature_name(b, g));
    assert_int_equal(hsel_dataset_find_feature(b, hsel_dataset_feature_name(a, f)), g);
    assert_int_equal(a->types[f], b->types[g]);
    if (a->types[f] == HSEL_NUMERIC)
        assert_memory_equal(hs_dataset_numeric(a, f, left), hs_dataset_numeric(b, g, right),
                            a->instances * sizeof(double));
    if (a->types[f] != HSEL_NOMINAL)
        return;
    const hs_nominal_column *x = &a->nominal[a->slot[f]], *y = &b->nominal[b->slot[g]];
    assert_int_equal(x->values.count, y->values.count);
    for (uint32_t v = 0; v < x->values.count; v++)
        assert_string_equal(hs_names_get(&x->values, v), hs_names_get(&y->values, v));
    for (uint32_t i = 0; i < a->instances; i++)
        assert_int_equal(x->codes[i], y->codes[i]);
}

static void assert_subset(const hsel_dataset *data, const bool *keep, const hsel_dataset *found)
{
    static hs_dense before, expected, after;
    uint32_t next = 0;
    hs_dense_read(data, &before);
    hs_dense_subset(&before, keep, &expected);
    hs_dense_read(found, &after);
    hs_dense_assert_same(&expected, &after);
    assert_same_instances(data, found);
    for (uint32_t f = 0; f < data->features; f++)
        if (keep[f])
            assert_same_feature(data, f, found, next++);
}

static void subset(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "subset", 0, 0);
    for (int round = 0; round < 3000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape), *found = NULL;
        bool keep[DENSE_COLUMNS + 1];
        uint64_t parts = 1 + hs_random_below(&stream, 5);
        for (uint32_t f = 0; f < data->features; f++)
            keep[f] = round % 10 == 0 || hs_random_below(&stream, parts) != 0;
        assert_ok(hs_dataset_subset(data, keep, &found, &error), error);
        assert_subset(data, keep, found);
        if (round % 10 == 0)
            assert_same(data, found, HS_SAME_ALL);
        hsel_dataset_free(found);
        hsel_dataset_free(data);
    }
}

static void propagate(void **state)
{
    (void)state;
    static hs_dense expected, after;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "propagate", 0, 0);
    for (int round = 0; round < 3000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape), *found = NULL, *again = NULL;
        hs_truepath left;
        uint64_t added = 77, added_again = 77;
        assert_ok(hs_dataset_propagate(data, &found, &added, &error), error);
        hs_dense_read(data, &expected);
        hs_dense_propagate(&expected);
        hs_dense_read(found, &after);
        hs_dense_assert_same(&expected, &after);
        assert_int_equal(added,
                         found->rows.start[found->instances] - data->rows.start[data->instances]);
        assert_same_instances(data, found);
        for (uint32_t f = 0; f < data->features; f++)
            assert_same_feature(data, f, found, f);
        assert_ok(hs_truepath_check(found, &left, &error), error);
        assert_int_equal(left.cells, 0);
        assert_ok(hs_dataset_propagate(found, &again, &added_again, &error), error);
        assert_int_equal(added_again, 0);
        assert_same(found, again, HS_SAME_ALL);
        if (added == 0)
            assert_same(data, found, HS_SAME_ALL);
        hsel_dataset_free(again);
        hsel_dataset_free(found);
        hsel_dataset_free(data);
    }
}

/* Groups of binary features, each with one that stays; others alone. */
static void random_groups(hs_stream *stream, const hsel_dataset *data, uint32_t *into)
{
    for (uint32_t f = 0; f < data->features; f++)
        into[f] = f;
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t other = (uint32_t)hs_random_below(stream, data->features);
        bool staying = true; /* nothing is merged into f yet */
        for (uint32_t g = 0; g < data->features; g++)
            staying &= g == f || into[g] != f;
        if (staying && into[other] == other && data->types[f] == HSEL_BINARY &&
            data->types[other] == HSEL_BINARY)
            into[f] = other;
    }
}

static void merge(void **state)
{
    (void)state;
    static hs_dense expected, joined, after;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "merge", 0, 0);
    for (int round = 0; round < 2000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        shape.parents = 0;
        hsel_dataset *data = hs_random_dataset(&stream, &shape), *found = NULL;
        uint32_t into[DENSE_COLUMNS + 1], next = 0;
        bool keep[DENSE_COLUMNS + 1];
        random_groups(&stream, data, into);
        hs_dense_read(data, &joined);
        for (uint32_t f = 0; f < data->features; f++) {
            keep[f] = into[f] == f;
            for (uint32_t i = 0; i < data->instances; i++)
                joined.cell[i][into[f]] |= joined.cell[i][f];
        }
        hs_dense_subset(&joined, keep, &expected);
        assert_ok(hs_dataset_merge(data, into, &found, &error), error);
        hs_dense_read(found, &after);
        hs_dense_assert_same(&expected, &after);
        assert_same_instances(data, found);
        for (uint32_t f = 0; f < data->features; f++)
            if (keep[f])
                assert_same_feature(data, f, found, next++);
        hsel_dataset_free(found);
        hsel_dataset_free(data);
    }
}

static void merge_refuses(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 2, "merge", 0, 0);
    hs_random_shape shape = {.instances = 4, .features = 3, .density = 0.5, .parents = 1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape), *found = NULL;
    uint32_t chain[] = {1, 2, 2}, outside[] = {0, 3, 2}, fine[] = {0, 0, 2};
    assert_int_equal(hs_dataset_merge(data, fine, &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "features can only be merged before a hierarchy is set");
    assert_ok(hs_dataset_attach(data, NULL, &error), error);
    assert_int_equal(hs_dataset_merge(data, chain, &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "feature f0 is merged into a feature that is removed");
    assert_int_equal(hs_dataset_merge(data, outside, &found, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "feature f1 is merged into a feature that is removed");
    assert_null(found);
    hsel_dataset_free(data);
    shape.numeric = 1;
    shape.parents = 0;
    data = hs_random_dataset(&stream, &shape);
    assert_int_equal(hs_dataset_merge(data, fine, &found, &error), HSEL_EUNSUPPORTED);
    assert_string_equal(error.message, "feature f1 cannot be merged into f0: both must be binary");
    hsel_dataset_free(data);
}

static void attach(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "attach", 0, 0);
    hs_random_shape shape = {.instances = 4, .features = 3, .density = 0.5, .parents = 1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hsel_dag *other = hs_random_dag(&stream, 3, 1), *large = hs_random_dag(&stream, 4, 1);
    const hsel_dag *before = data->dag;
    assert_int_equal(hs_dataset_attach(data, large, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the hierarchy has 4 nodes but the data set 3 features");
    assert_ptr_equal(data->dag, before);
    assert_ok(hs_dataset_attach(data, other, &error), error);
    assert_ptr_equal(data->dag, other);
    assert_ok(hs_dataset_attach(data, other, &error), error);
    assert_ptr_equal(data->dag, other);
    hs_dag_free(large);
    hsel_dataset_free(data);
}

static void marks(void **state)
{
    (void)state;
    static hs_dense dense;
    hs_stream stream;
    hs_stream_init(&stream, 1, "marks", 0, 0);
    for (int round = 0; round < 2000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        bool keep[2][DENSE_COLUMNS + 1];
        memset(keep, true, sizeof keep);
        uint32_t support = (uint32_t)hs_random_below(&stream, 6);
        uint32_t rare = hs_mark_rare(data, support, keep[0]);
        uint32_t roots = hs_mark_roots(data, keep[1]);
        hs_dense_read(data, &dense);
        bool labelled = false; /* is any? */
        for (uint32_t i = 0; i < data->instances; i++)
            labelled = labelled || hsel_dataset_class_of(data, i) != HSEL_NONE;
        for (uint32_t f = 0; f < data->features; f++) {
            uint32_t positives = 0, parents = 0, children = 0;
            for (uint32_t i = 0; i < data->instances; i++)
                positives += dense.cell[i][f] && (!labelled || data->class_of[i] != HSEL_NONE);
            for (uint32_t other = 0; other < data->features; other++) {
                parents += dense.edge[f][other];
                children += dense.edge[other][f];
            }
            assert_int_equal(keep[0][f], !dense.binary[f] || positives >= support);
            assert_int_equal(keep[1][f], parents || !children);
            rare -= !keep[0][f];
            roots -= !keep[1][f];
        }
        assert_int_equal(rare, 0);
        assert_int_equal(roots, 0);
        /* What is marked already is not counted again. */
        assert_int_equal(hs_mark_rare(data, support, keep[0]), 0);
        assert_int_equal(hs_mark_roots(data, keep[1]), 0);
        hsel_dataset_free(data);
    }
}

static int subset_some(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hsel_dataset *found = NULL;
    bool keep[DENSE_COLUMNS];
    for (uint32_t f = 0; f < data->features; f++)
        keep[f] = f % 3 != 0;
    int status = hs_dataset_subset(data, keep, &found, error);
    hsel_dataset_free(found);
    return status;
}

static int keep_some(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hsel_dataset *found = NULL;
    bool keep[DENSE_ROWS];
    for (uint32_t i = 0; i < data->instances; i++)
        keep[i] = i % 3 != 0;
    int status = hs_dataset_keep_instances(data, keep, &found, error);
    hsel_dataset_free(found);
    return status;
}

/* Every value of the instances that stay, whatever its type, and all about them. */
static void keep_instances(void **state)
{
    (void)state;
    hsel_error error = {0};
    for (uint64_t round = 0; round < 300; round++) {
        hs_stream stream;
        hs_stream_init(&stream, round, "keep instances", 0, 0);
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.parents = round % 2 ? 1.5 : 0;
        shape.numeric = shape.nominal = round % 3 ? 0.3 : 0;
        shape.missing = shape.unlabelled = 0.2;
        shape.ids = round % 5 > 0;
        hsel_dataset *data = hs_random_dataset(&stream, &shape), *found = NULL;
        bool keep[DENSE_ROWS];
        for (uint32_t i = 0; i < data->instances; i++)
            keep[i] = hs_random_below(&stream, 3) > 0;
        assert_ok(hs_dataset_keep_instances(data, keep, &found, &error), error);
        assert_ok(hs_dataset_check(found, &error), error);
        assert_int_equal(found->features, data->features);
        assert_int_equal(found->positive_class, data->positive_class);
        assert_int_equal(found->class_names.count, data->class_names.count);
        uint32_t next = 0;
        for (uint32_t i = 0; i < data->instances; i++) {
            if (!keep[i])
                continue;
            assert_int_equal(hsel_dataset_class_of(found, next), hsel_dataset_class_of(data, i));
            if (shape.ids)
                assert_string_equal(hsel_dataset_id(found, next), hsel_dataset_id(data, i));
            for (uint32_t f = 0; f < data->features; f++) {
                double a = hs_dataset_value(data, f, i), b = hs_dataset_value(found, f, next);
                assert_true(a == b || (a != a && b != b));
            }
            next++;
        }
        assert_int_equal(found->instances, next);
        if (data->dag)
            assert_null(hs_same_dag(data->dag, found->dag));
        hsel_dataset_free(data);
        hsel_dataset_free(found);
    }
}

static int propagate_all(void *context, hsel_error *error)
{
    hsel_dataset *found = NULL;
    uint64_t added;
    int status = hs_dataset_propagate(context, &found, &added, error);
    hsel_dataset_free(found);
    return status;
}

static int merge_some(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hsel_dataset *found = NULL;
    uint32_t into[DENSE_COLUMNS], last = HSEL_NONE;
    for (uint32_t f = 0; f < data->features; f++) {
        into[f] = f % 2 && last != HSEL_NONE && data->types[f] == HSEL_BINARY ? last : f;
        last = data->types[f] == HSEL_BINARY && into[f] == f ? f : last;
    }
    int status = hs_dataset_merge(data, into, &found, error);
    hsel_dataset_free(found);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "transform memory", 0, 0);
    hs_random_shape shape = {.instances = 12,
                             .features = 30,
                             .classes = 3,
                             .density = 0.1,
                             .parents = 2,
                             .numeric = 0.2,
                             .nominal = 0.2,
                             .missing = 0.1,
                             .unlabelled = 0.1,
                             .ids = true};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_true(hs_oom_each("subset", subset_some, data) > 20);
    assert_true(hs_oom_each("keep instances", keep_some, data) > 20);
    assert_true(hs_oom_each("propagate", propagate_all, data) > 20);
    assert_ok(hs_dataset_attach(data, NULL, &error), error);
    assert_true(hs_oom_each("propagate nothing", propagate_all, data) > 20);
    assert_true(hs_oom_each("merge", merge_some, data) > 20);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subset),         cmocka_unit_test(propagate),     cmocka_unit_test(merge),
        cmocka_unit_test(merge_refuses),  cmocka_unit_test(attach),        cmocka_unit_test(marks),
        cmocka_unit_test(keep_instances), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

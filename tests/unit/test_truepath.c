/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The true-path check against looking at every cell of every edge.
 */
#include "data/transform.h"

#include <string.h>

#include "data/builder.h"
#include "support/cmocka.h"
#include "support/dense.h"
#include "support/oom.h"

static hs_truepath check_slowly(const hs_dense *dense)
{
    static bool broken[DENSE_COLUMNS][DENSE_COLUMNS];
    hs_truepath found = {.instance = HSEL_NONE, .child = HSEL_NONE, .parent = HSEL_NONE};
    memset(broken, 0, sizeof broken);
    for (uint32_t i = 0; i < dense->rows; i++) {
        bool any = false;
        for (uint32_t f = 0; f < dense->columns; f++)
            for (uint32_t up = 0; up < dense->columns; up++) {
                if (!dense->edge[f][up] || !dense->binary[f] || !dense->binary[up] ||
                    !dense->cell[i][f] || dense->cell[i][up])
                    continue;
                if (found.cells++ == 0) {
                    found.instance = i;
                    found.child = f;
                    found.parent = up;
                }
                found.edges += !broken[f][up];
                broken[f][up] = any = true;
            }
        found.instances += any;
    }
    return found;
}

static void random_data(void **state)
{
    (void)state;
    static hs_dense dense;
    hsel_error error = {0};
    hs_stream stream;
    int with_violations = 0;
    hs_stream_init(&stream, 1, "truepath", 0, 0);
    for (int round = 0; round < 4000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_dense_read(data, &dense);
        hs_truepath expected = check_slowly(&dense), found;
        assert_ok(hs_truepath_check(data, &found, &error), error);
        assert_int_equal(found.cells, expected.cells);
        assert_int_equal(found.edges, expected.edges);
        assert_int_equal(found.instances, expected.instances);
        assert_int_equal(found.instance, expected.instance);
        assert_int_equal(found.child, expected.child);
        assert_int_equal(found.parent, expected.parent);
        if (shape.true_path && hs_dataset_all_binary(data))
            assert_int_equal(found.cells, 0);
        with_violations += found.cells > 0;
        hsel_dataset_free(data);
    }
    assert_true(with_violations > 500);
}

/* Edges d-b, d-c, b-a, c-a (child first). */
static hsel_dataset *diamond(void)
{
    static const uint32_t child[] = {3, 3, 1, 2}, parent[] = {1, 2, 0, 0};
    static const char *const rows[] = {"abcd", "", "abd", "d", "bd"};
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (const char *name = "abcd"; *name; name++)
        assert_ok(hs_builder_feature(builder, name, 1, HSEL_BINARY, &id, &error), error);
    for (size_t i = 0; i < 5; i++) {
        assert_ok(hs_builder_row(builder, NULL, 0, HSEL_NONE, &error), error);
        for (const char *name = rows[i]; *name; name++)
            assert_ok(hs_builder_positive(builder, (uint32_t)(*name - 'a'), &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(4, child, parent, 4, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    return data;
}

static void by_hand(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_truepath found;
    hsel_dataset *data = diamond();
    assert_ok(hs_truepath_check(data, &found, &error), error);
    assert_int_equal(found.cells, 5); /* d-c in 2; d-b and d-c in 3; b-a and d-c in 4 */
    assert_int_equal(found.edges, 3);
    assert_int_equal(found.instances, 3);
    assert_int_equal(found.instance, 2);
    assert_int_equal(found.child, 3);
    assert_int_equal(found.parent, 2);
    assert_ok(hs_dataset_attach(data, NULL, &error), error);
    assert_ok(hs_truepath_check(data, &found, &error), error);
    assert_int_equal(found.cells, 0);
    assert_int_equal(found.instance, HSEL_NONE);
    hsel_dataset_free(data);
}

static int check_all(void *context, hsel_error *error)
{
    hs_truepath found;
    return hs_truepath_check(context, &found, error);
}

static void out_of_memory(void **state)
{
    (void)state;
    hsel_dataset *data = diamond();
    assert_int_equal(hs_oom_each("true-path check", check_all, data), 2);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_data),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of a data set against counting cell by cell.
 */
#include "data/summary.h"

#include <math.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/dense.h"
#include "support/oom.h"

static void assert_binary(const hs_dense *dense, const hs_summary *found)
{
    uint32_t binary = 0, constant = 0, least = 0, most = 0;
    uint64_t positives = 0;
    for (uint32_t f = 0; f < dense->columns; f++) {
        uint32_t support = 0;
        if (!dense->binary[f])
            continue;
        for (uint32_t i = 0; i < dense->rows; i++)
            support += dense->cell[i][f];
        least = binary == 0 || support < least ? support : least;
        most = support > most ? support : most;
        constant += support == 0 || support == dense->rows;
        positives += support;
        binary++;
    }
    assert_int_equal(found->binary, binary);
    assert_int_equal(found->min_support, least);
    assert_int_equal(found->max_support, most);
    assert_int_equal(found->constant, constant);
    assert_int_equal(found->positives, positives);
    double values = (double)binary * dense->rows;
    assert_true(found->positive_share == (values > 0 ? (double)positives / values : 0));
}

static void assert_values(const hsel_dataset *data, const hs_summary *found)
{
    double scratch[DENSE_ROWS + 1];
    uint32_t numeric = 0, nominal = 0, unlabelled = 0;
    uint64_t missing = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        bool is_numeric = data->types[f] == HSEL_NUMERIC,
             is_nominal = data->types[f] == HSEL_NOMINAL;
        numeric += is_numeric;
        nominal += is_nominal;
        const double *values = is_numeric ? hs_dataset_numeric(data, f, scratch) : NULL;
        for (uint32_t i = 0; i < data->instances; i++)
            missing += is_numeric   ? isnan(values[i]) != 0
                       : is_nominal ? data->nominal[data->slot[f]].codes[i] == HS_MISSING_CODE
                                    : 0;
    }
    for (uint32_t i = 0; i < data->instances; i++)
        unlabelled += hsel_dataset_class_of(data, i) == HSEL_NONE;
    assert_int_equal(found->numeric, numeric);
    assert_int_equal(found->nominal, nominal);
    assert_int_equal(found->missing, missing);
    assert_int_equal(found->unlabelled, unlabelled);
}

/* Every estimator drawn, its edges one by one. */
static void assert_edges(const hs_dense *dense, const hs_summary *found,
                         bool above[DENSE_COLUMNS][DENSE_COLUMNS])
{
    uint64_t edges[3] = {0};
    for (uint32_t parent = 0; parent < dense->columns; parent++)
        for (uint32_t child = 0; child < dense->columns; child++) {
            bool other = child != parent, ancestor = above[parent][child];
            edges[0] += 1 + other;
            edges[1] += 1 + (other && !ancestor);
            edges[2] += ancestor ? 0 : 1 + other;
        }
    for (unsigned form = 0; form < 3; form++)
        assert_int_equal(hs_aode_edges(found, form),
                         found->binary == dense->columns ? edges[form] : 0);
}

static void assert_hierarchy(const hs_dense *dense, const hs_summary *found)
{
    static bool above[DENSE_COLUMNS][DENSE_COLUMNS];
    uint64_t edges = 0, ancestors = 0;
    uint32_t roots = 0, leaves = 0, isolated = 0;
    memcpy(above, dense->edge, sizeof above);
    for (uint32_t via = 0; via < dense->columns; via++)
        for (uint32_t low = 0; low < dense->columns; low++)
            for (uint32_t high = 0; above[low][via] && high < dense->columns; high++)
                above[low][high] |= above[via][high];
    for (uint32_t f = 0; f < dense->columns; f++) {
        uint32_t parents = 0, children = 0;
        for (uint32_t other = 0; other < dense->columns; other++) {
            parents += dense->edge[f][other];
            children += dense->edge[other][f];
            ancestors += above[f][other];
        }
        edges += parents;
        roots += !parents;
        leaves += !children;
        isolated += !parents && !children;
    }
    assert_true(found->has_hierarchy);
    assert_int_equal(found->edges, edges);
    assert_int_equal(found->ancestors, ancestors);
    assert_int_equal(found->shape.roots, roots);
    assert_edges(dense, found, above);
    assert_int_equal(found->shape.leaves, leaves);
    assert_int_equal(found->shape.isolated, isolated);
}

static void random_data(void **state)
{
    (void)state;
    static hs_dense dense;
    hsel_error error = {0};
    hs_stream stream;
    hs_stream_init(&stream, 1, "summary", 0, 0);
    for (int round = 0; round < 2000; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_summary found;
        hs_dense_read(data, &dense);
        assert_ok(hs_summarise(data, &found, &error), error);
        assert_int_equal(found.instances, shape.instances);
        assert_int_equal(found.features, shape.features);
        assert_int_equal(found.classes, shape.classes);
        assert_binary(&dense, &found);
        assert_values(data, &found);
        if (data->dag)
            assert_hierarchy(&dense, &found);
        else
            assert_false(found.has_hierarchy);
        hsel_dataset_free(data);
    }
}

static void class_sizes(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "summary", 0, 0);
    for (int round = 0; round < 300; round++) {
        hs_random_shape shape = hs_dense_shape(&stream);
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        uint32_t sizes[5] = {99, 99, 99, 99, 99};
        hs_class_sizes(data, sizes);
        for (uint32_t c = 0; c < shape.classes; c++) {
            uint32_t size = 0;
            for (uint32_t i = 0; i < data->instances; i++)
                size += hsel_dataset_class_of(data, i) == c;
            assert_int_equal(sizes[c], size);
        }
        assert_int_equal(sizes[shape.classes], 99);
        hsel_dataset_free(data);
    }
}

static int summarise(void *context, hsel_error *error)
{
    hs_summary found;
    return hs_summarise(context, &found, error);
}

static void out_of_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "summary", 0, 0);
    hs_random_shape shape = {
        .instances = 9, .features = 8, .classes = 2, .density = 0.4, .parents = 1};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    assert_true(hs_oom_each("summary", summarise, data) > 0);
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_data),
        cmocka_unit_test(class_sizes),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

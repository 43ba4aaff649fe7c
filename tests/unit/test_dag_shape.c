/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction, ancestor counts and the shape of a DAG, against their definitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "support/graphs.h"

#define CASES 3000

/* ---- reduction and counts ---- */

static void reduction_agrees_with_definition(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "reduce", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small, expected;
        hsel_dag *reduced;
        uint64_t sum, pairs = 0;
        random_dag(&stream, MOST, &small);
        expected = small;
        for (uint32_t v = 0; v < small.nodes; v++)
            for (uint32_t u = 0; u < small.nodes; u++) {
                pairs += small.above[v][u];
                for (uint32_t w = 0; w < small.nodes; w++)
                    if (small.above[v][w] && small.above[w][u])
                        expected.edge[v][u] = false;
            }
        hsel_dag *dag = dag_of(&small);
        OK(hs_dag_reduce(dag, &reduced, oops));
        expect_matrix(reduced, &expected);
        OK(hs_dag_count_ancestors(dag, &sum, oops));
        assert_int_equal(sum, pairs);
        OK(hs_dag_count_ancestors(reduced, &sum, oops));
        assert_int_equal(sum, pairs);
        hs_dag_free(reduced);
        hs_dag_free(dag);
    }
}

static hsel_dag *random_large(hs_stream *stream, uint32_t nodes, size_t edges)
{
    hsel_dag *dag = NULL;
    uint32_t *place = HS_NEW(uint32_t, nodes);
    uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    for (uint32_t v = 0; v < nodes; v++)
        place[v] = v;
    hs_random_shuffle(stream, place, nodes);
    for (size_t e = 0; e < edges; e++) {
        uint32_t low = (uint32_t)hs_random_below(stream, nodes - 1);
        uint32_t high = low + 1 + (uint32_t)hs_random_below(stream, nodes - 1 - low);
        child[e] = place[high];
        parent[e] = place[low];
    }
    OK(hs_dag_new(nodes, child, parent, edges, &dag, oops));
    hs_free(place);
    hs_free(child);
    hs_free(parent);
    return dag;
}

/* above[v * nodes + u], one byte a pair. */
static bool *close_slowly(const hsel_dag *dag)
{
    size_t n = dag->nodes;
    bool *above = HS_NEW_ZERO(bool, n *n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = dag->order[i];
        for (uint32_t k = dag->parent_start[v]; k < dag->parent_start[v + 1]; k++) {
            uint32_t p = dag->parent[k];
            above[v * n + p] = true;
            for (size_t u = 0; u < n; u++)
                above[v * n + u] |= above[p * n + u];
        }
    }
    return above;
}

static void expect_reduced(const hsel_dag *dag, const hsel_dag *reduced, const bool *above)
{
    size_t n = dag->nodes, kept = 0;
    OK(hsel_dag_check(reduced, oops));
    for (uint32_t v = 0; v < n; v++) {
        size_t count, at = 0, left;
        const uint32_t *parents = hs_parents(dag, v, &count);
        const uint32_t *stay = hs_parents(reduced, v, &left);
        for (size_t i = 0; i < count; i++) {
            bool longer = false;
            for (size_t k = 0; k < count; k++)
                longer |= above[parents[k] * n + parents[i]];
            if (longer)
                continue;
            assert_true(at < left);
            assert_int_equal(stay[at++], parents[i]);
        }
        assert_int_equal(at, left);
        kept += left;
    }
    assert_int_equal(reduced->edges, kept);
}

/* Nodes far apart in the order, with many ancestors. */
static void many_nodes_agree_with_definition(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{511, 900},   {512, 2000}, {513, 700},
                                 {1024, 4000}, {1025, 600}, {1300, 2600}};
    hs_stream stream;
    hs_stream_init(&stream, 1, "blocks", 0, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hsel_dag *dag = random_large(&stream, sizes[i][0], sizes[i][1]);
        bool *above = close_slowly(dag);
        uint64_t pairs = 0, sum;
        for (size_t k = 0; k < (size_t)dag->nodes * dag->nodes; k++)
            pairs += above[k];
        hsel_dag *reduced;
        OK(hs_dag_reduce(dag, &reduced, oops));
        expect_reduced(dag, reduced, above);
        hs_dag_free(reduced);
        OK(hs_dag_count_ancestors(dag, &sum, oops));
        assert_int_equal(sum, pairs);
        hs_free(above);
        hs_dag_free(dag);
    }
}

static bool note_largest(void *context, size_t bytes)
{
    size_t *largest = context;
    *largest = bytes > *largest ? bytes : *largest;
    return true;
}

/* A million terms in a chain, or in a chain of diamonds with leaves, have 5e11 pairs: they are not
 * swept one by one. A sweep would take 20 s of processor time, and a row of 64 bytes per node,
 * which is what shows. */
static void long_chains_are_counted_at_once(void **state)
{
    (void)state;
    const uint32_t n = 1000000;
    uint32_t *child = HS_NEW(uint32_t, 2 * n), *parent = HS_NEW(uint32_t, 2 * n);
    hsel_dag *dag;
    uint64_t sum, expected = 0;
    assert_non_null(child);
    assert_non_null(parent);
    size_t largest = 0;
    hs_mem_hook(note_largest, &largest);
    for (uint32_t v = 1; v < n; v++) {
        child[v - 1] = v;
        parent[v - 1] = v - 1;
    }
    OK(hs_dag_new(n, child, parent, n - 1, &dag, oops));
    OK(hs_dag_count_ancestors(dag, &sum, oops));
    assert_int_equal(sum, (uint64_t)n * (n - 1) / 2);
    hs_dag_free(dag);
    /* 4i above 4i + 1 and 4i + 2, which are above 4i + 4; 4i + 3 is a leaf below 4i */
    size_t edges = 0;
    for (uint32_t v = 0; v + 4 < n; v += 4) {
        const uint32_t all[][2] = {
            {v + 1, v}, {v + 2, v}, {v + 3, v}, {v + 4, v + 1}, {v + 4, v + 2}};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            child[edges] = all[i][0];
            parent[edges++] = all[i][1];
        }
        uint64_t above = (uint64_t)v / 4 * 3; /* of v */
        expected += above + 3 * (above + 1);
    }
    expected += (uint64_t)(n - 4) / 4 * 3; /* of the last, n - 4 */
    OK(hs_dag_new(n, child, parent, edges, &dag, oops));
    OK(hs_dag_count_ancestors(dag, &sum, oops));
    assert_int_equal(sum, expected);
    hs_dag_free(dag);
    hs_free(child);
    hs_free(parent);
    hs_mem_hook(NULL, NULL);
    assert_true(largest > 0 && largest < (size_t)n * 64); /* the rows of a sweep */
}

static uint64_t paths_slowly(const small_graph *small, uint32_t v)
{
    uint64_t paths = 0;
    bool leaf = true;
    for (uint32_t c = 0; c < small->nodes; c++)
        if (small->edge[c][v]) {
            leaf = false;
            paths += paths_slowly(small, c);
        }
    return leaf ? 1 : paths;
}

static void shape_agrees_with_enumeration(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "shape", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hs_dag_shape expected = {0}, shape;
        random_dag(&stream, 9, &small);
        for (uint32_t v = 0; v < small.nodes; v++) {
            uint32_t parents = 0, children = 0, depth = depth_slowly(&small, v);
            for (uint32_t u = 0; u < small.nodes; u++) {
                parents += small.edge[v][u];
                children += small.edge[u][v];
            }
            expected.roots += !parents;
            expected.leaves += !children;
            expected.isolated += !parents && !children;
            if (depth > expected.depth)
                expected.depth = depth;
            if (parents > expected.max_parents)
                expected.max_parents = parents;
            if (children > expected.max_children)
                expected.max_children = children;
            if (!parents)
                expected.paths += paths_slowly(&small, v);
        }
        hsel_dag *dag = dag_of(&small);
        OK(hs_dag_shape_of(dag, &shape, oops));
        assert_int_equal(shape.roots, expected.roots);
        assert_int_equal(shape.leaves, expected.leaves);
        assert_int_equal(shape.isolated, expected.isolated);
        assert_int_equal(shape.depth, expected.depth);
        assert_int_equal(shape.max_parents, expected.max_parents);
        assert_int_equal(shape.max_children, expected.max_children);
        assert_int_equal(shape.paths, expected.paths);
        assert_true(shape.paths_real == (double)expected.paths);
        hs_dag_free(dag);
    }
}

/* `layers` layers of two nodes, each linked to both of the next: 2^layers paths. */
static hsel_dag *ladder(uint32_t layers)
{
    hsel_dag *dag = NULL;
    uint32_t child[4 * 100], parent[4 * 100];
    size_t edges = 0;
    for (uint32_t v = 2; v < 2 * layers; v++)
        for (uint32_t u = v / 2 * 2 - 2; u < v / 2 * 2; u++) {
            child[edges] = v;
            parent[edges++] = u;
        }
    OK(hs_dag_new(2 * layers, child, parent, edges, &dag, oops));
    return dag;
}

static void paths_saturate(void **state)
{
    (void)state;
    hs_dag_shape shape;
    hsel_dag *dag = ladder(63);
    OK(hs_dag_shape_of(dag, &shape, oops));
    assert_true(shape.paths == UINT64_C(1) << 63);
    assert_true(shape.paths_real == 0x1p63);
    hs_dag_free(dag);
    dag = ladder(64);
    OK(hs_dag_shape_of(dag, &shape, oops));
    assert_true(shape.paths == UINT64_MAX);
    assert_true(shape.paths_real == 0x1p64);
    hs_dag_free(dag);
    dag = ladder(90);
    OK(hs_dag_shape_of(dag, &shape, oops));
    assert_true(shape.paths == UINT64_MAX);
    assert_true(shape.paths_real == 0x1p90);
    assert_int_equal(shape.depth, 89);
    hs_dag_free(dag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduction_agrees_with_definition),
        cmocka_unit_test(many_nodes_agree_with_definition),
        cmocka_unit_test(long_chains_are_counted_at_once),
        cmocka_unit_test(shape_agrees_with_enumeration),
        cmocka_unit_test(paths_saturate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

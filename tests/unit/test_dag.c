/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The DAG: building it from edges, few nodes, long chains, and the self-check.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "support/graphs.h"
#include "support/oom.h"

#define CASES 3000

static void dag_agrees_with_matrix(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "dag", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        random_dag(&stream, 10, &small);
        hsel_dag *dag = dag_of(&small), *copy = NULL;
        expect_matrix(dag, &small);
        for (uint32_t v = 0; v < small.nodes; v++)
            assert_int_equal(hsel_dag_depth(dag, v), depth_slowly(&small, v));
        const uint32_t *order = hsel_dag_order(dag);
        bool met[MOST] = {0};
        for (uint32_t k = 0; k < small.nodes; k++) {
            for (uint32_t u = 0; u < small.nodes; u++)
                assert_true(!small.edge[order[k]][u] || met[u]);
            assert_false(met[order[k]]);
            met[order[k]] = true;
            if (k > 0) {
                uint32_t a = dag->depth[order[k - 1]], b = dag->depth[order[k]];
                assert_true(a < b || (a == b && order[k - 1] < order[k]));
            }
        }
        OK(hs_dag_copy(dag, &copy, oops));
        hs_dag_free(dag);
        expect_matrix(copy, &small);
        hs_dag_free(copy);
    }
}

static void cycles_are_refused(void **state)
{
    (void)state;
    hs_stream stream;
    int refused = 0;
    hs_stream_init(&stream, 1, "cyclic", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hsel_dag *dag;
        hsel_error error = {0};
        bool cyclic = false;
        random_graph(&stream, MOST, &small);
        for (uint32_t v = 0; v < small.nodes; v++)
            cyclic |= small.above[v][v];
        int status = hs_dag_new(small.nodes, small.child, small.parent, small.edges, &dag, &error);
        assert_int_equal(status, cyclic ? HSEL_EFORMAT : HSEL_OK);
        if (cyclic) {
            unsigned node = MOST;
            assert_null(dag);
            assert_int_equal(
                sscanf(error.message, "the hierarchy has a cycle through node %u", &node), 1);
            assert_true(node < small.nodes && small.above[node][node]);
            refused++;
        }
        hs_dag_free(dag);
    }
    assert_in_range(refused, CASES / 10, CASES * 9 / 10);
}

static void bad_edges_are_refused(void **state)
{
    (void)state;
    hsel_dag *dag;
    hsel_error error = {0};
    assert_int_equal(hs_dag_new(3, (uint32_t[]){0, 1}, (uint32_t[]){2, 3}, 2, &dag, &error),
                     HSEL_EFORMAT);
    assert_string_equal(error.message, "edge 1 names node 3, but there are 3 nodes");
    assert_int_equal(hs_dag_new(1, (uint32_t[]){0}, (uint32_t[]){0}, 1, &dag, &error),
                     HSEL_EFORMAT);
    assert_string_equal(error.message, "the hierarchy has a cycle through node 0");
    assert_int_equal(hs_dag_new(1, NULL, NULL, (size_t)HS_EDGES_LIMIT + 1, &dag, &error),
                     HSEL_ELIMIT);
    assert_string_equal(error.message, "more than 2147483647 edges");
}

/* ---- few nodes ---- */

static void no_node_and_one_node(void **state)
{
    (void)state;
    for (uint32_t nodes = 0; nodes < 2; nodes++) {
        hsel_dag *dag, *other;
        hs_dag_shape shape;
        uint64_t sum = 9;
        OK(hs_dag_new(nodes, NULL, NULL, 0, &dag, oops));
        OK(hsel_dag_check(dag, oops));
        OK(hs_dag_shape_of(dag, &shape, oops));
        assert_int_equal(shape.roots, nodes);
        assert_int_equal(shape.isolated, nodes);
        assert_int_equal(shape.paths, nodes);
        OK(hs_dag_count_ancestors(dag, &sum, oops));
        assert_int_equal(sum, 0);
        OK(hs_dag_reduce(dag, &other, oops));
        assert_int_equal(other->nodes, nodes);
        hs_dag_free(other);
        OK(hs_dag_subset(dag, (bool[]){false}, &other, oops));
        assert_int_equal(other->nodes, 0);
        hs_dag_free(other);
        hs_dag_free(dag);
    }
    hs_dag_free(NULL);
}

static void no_such_node_is_an_empty_answer(void **state)
{
    (void)state;
    hsel_dag *dag;
    size_t count = 7;
    OK(hs_dag_new(2, (uint32_t[]){0}, (uint32_t[]){1}, 1, &dag, oops));
    assert_null(hsel_dag_parents(dag, 2, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(hsel_dag_children(dag, HSEL_NONE, &count));
    assert_int_equal(count, 0);
    assert_int_equal(hsel_dag_depth(dag, 2), HSEL_NONE);
    assert_int_equal(hsel_dag_depth(dag, 0), 1);
    assert_int_equal(hsel_dag_nodes(NULL), 0);
    assert_int_equal(hsel_dag_edges(NULL), 0);
    assert_null(hsel_dag_order(NULL));
    hs_dag_free(dag);
}

#define LONG 200000u

static void long_chains_need_no_recursion(void **state)
{
    (void)state;
    hsel_dag *dag, *part;
    hs_dag_shape shape;
    uint32_t *child = HS_NEW(uint32_t, LONG), *parent = HS_NEW(uint32_t, LONG);
    bool *keep = HS_NEW_ZERO(bool, LONG);
    for (uint32_t v = 0; v + 1 < LONG; v++) {
        child[v] = v;
        parent[v] = v + 1;
    }
    OK(hs_dag_new(LONG, child, parent, LONG - 1, &dag, oops));
    OK(hsel_dag_check(dag, oops));
    assert_int_equal(dag->depth[0], LONG - 1);
    assert_int_equal(dag->order[0], LONG - 1);
    OK(hs_dag_shape_of(dag, &shape, oops));
    assert_int_equal(shape.paths, 1);
    assert_int_equal(shape.depth, LONG - 1);
    keep[0] = keep[100] = keep[LONG - 1] = true;
    OK(hs_dag_subset(dag, keep, &part, oops));
    assert_int_equal(part->nodes, 3);
    assert_int_equal(part->edges, 2);
    assert_int_equal(part->parent[0], 1);
    assert_int_equal(part->parent[1], 2);
    hs_dag_free(part);
    hs_dag_free(dag);
    hs_free(child);
    hs_free(parent);
    hs_free(keep);
}

/* ---- the self-check ---- */

/* One number of a DAG: which of its arrays, and where. NULL when that array has none. */
static uint32_t *pick_number(hs_stream *stream, hsel_dag *dag)
{
    uint32_t *arrays[] = {dag->parent_start, dag->parent, dag->child_start,
                          dag->child,        dag->order,  dag->depth};
    size_t sizes[] = {dag->nodes + 1, dag->edges, dag->nodes + 1,
                      dag->edges,     dag->nodes, dag->nodes};
    size_t which = hs_random_below(stream, 7);
    if (which == 6)
        return &dag->edges;
    return sizes[which] ? arrays[which] + hs_random_below(stream, sizes[which]) : NULL;
}

/* Everything follows from the parents, so no number can be changed alone. */
static void check_finds_any_changed_number(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "check", 0, 0);
    for (int i = 0; i < 4 * CASES; i++) {
        small_graph small;
        random_dag(&stream, MOST, &small);
        hsel_dag *dag = dag_of(&small);
        uint32_t *number = pick_number(&stream, dag);
        if (number) {
            uint32_t old = *number;
            uint32_t changed = hs_random_below(&stream, 2)
                                   ? (uint32_t)hs_random_u64(&stream)
                                   : (uint32_t)hs_random_below(&stream, MOST + 1);
            *number = changed;
            hsel_error error = {0};
            if (changed != old) {
                assert_in_range(-hsel_dag_check(dag, &error), -HSEL_EFORMAT, -HSEL_ELIMIT);
                assert_true(strlen(error.message) > 10);
            }
            *number = old;
        }
        OK(hsel_dag_check(dag, oops));
        hs_dag_free(dag);
    }
}

static void expect_complaint(hsel_dag *dag, uint32_t *number, uint32_t value, const char *message)
{
    hsel_error error = {0};
    uint32_t old = *number;
    *number = value;
    assert_int_equal(hsel_dag_check(dag, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    *number = old;
}

static void check_says_what_is_wrong(void **state)
{
    (void)state;
    hsel_dag *dag;
    hsel_error error = {0};
    OK(hs_dag_new(4, (uint32_t[]){1, 2, 2, 3}, (uint32_t[]){0, 0, 1, 2}, 4, &dag, oops));
    expect_complaint(dag, &dag->parent_start[4], 5,
                     "hierarchy: lists of parents do not hold 4 edges");
    expect_complaint(dag, &dag->child_start[1], 9,
                     "hierarchy: the list of children of node 1 ends before it starts");
    expect_complaint(dag, &dag->parent[1], 4, "hierarchy: parents of node 2: there is no node 4");
    expect_complaint(dag, &dag->parent[2], 0, "hierarchy: parents of node 2 are not ascending");
    expect_complaint(dag, &dag->child[3], 1,
                     "hierarchy: node 2 is a parent of node 3, but their lists differ");
    expect_complaint(dag, &dag->depth[2], 1, "hierarchy: node 2 has depth 1, not 2");
    expect_complaint(dag, &dag->order[1], 0,
                     "hierarchy: order: node 0 must not come before node 0");
    expect_complaint(dag, &dag->order[3], 7, "hierarchy: order: there is no node 7");
    uint32_t *order = dag->order;
    dag->order = NULL;
    assert_int_equal(hsel_dag_check(dag, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "hierarchy: order or depth is missing");
    dag->order = order;
    dag->edges = UINT32_MAX;
    assert_int_equal(hsel_dag_check(dag, &error), HSEL_ELIMIT);
    hs_dag_free(dag);
    assert_int_equal(hsel_dag_check(NULL, &error), HSEL_EUSAGE);
}

/* ---- memory ---- */

static int use_everything(void *context, hsel_error *error)
{
    const small_graph *small = context;
    hsel_dag *dag = NULL, *other = NULL;
    hs_dag_shape shape;
    uint64_t sum;
    bool keep[MOST] = {true, false, true, false, true};
    int status = hs_dag_new(small->nodes, small->child, small->parent, small->edges, &dag, error);
    if (!status)
        status = hsel_dag_check(dag, error);
    if (!status)
        status = hs_dag_copy(dag, &other, error);
    hs_dag_free(other);
    other = NULL;
    if (!status)
        status = hs_dag_subset(dag, keep, &other, error);
    hs_dag_free(other);
    other = NULL;
    if (!status)
        status = hs_dag_reduce(dag, &other, error);
    hs_dag_free(other);
    if (!status)
        status = hs_dag_shape_of(dag, &shape, error);
    if (!status)
        status = hs_dag_count_ancestors(dag, &sum, error);
    hs_dag_free(dag);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "memory", 0, 0);
    for (int i = 0; i < 20; i++) {
        small_graph small;
        random_dag(&stream, MOST, &small);
        hs_oom_each("use_everything", use_everything, &small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dag_agrees_with_matrix),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(no_node_and_one_node),
        cmocka_unit_test(no_such_node_is_an_empty_answer),
        cmocka_unit_test(long_chains_need_no_recursion),
        cmocka_unit_test(check_finds_any_changed_number),
        cmocka_unit_test(check_says_what_is_wrong),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

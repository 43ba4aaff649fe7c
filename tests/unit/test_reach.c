/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ancestors by a walk: against a matrix, against the count of all ancestors, and at its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "data/dag.h"
#include "support/graphs.h"
#include "support/oom.h"

#define CASES 3000

static void walks_agree_with_matrix(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "closure", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hs_reach reach;
        random_dag(&stream, MOST, &small);
        hsel_dag *dag = dag_of(&small);
        OK(hs_reach_init(&reach, dag, oops));
        for (uint32_t v = 0; v < small.nodes; v++) {
            bool met[MOST] = {0};
            uint32_t u;
            for (hs_reach_start(&reach, v); (u = hs_reach_next(&reach)) != HSEL_NONE;) {
                assert_true(u < small.nodes);
                assert_false(met[u]);
                met[u] = true;
            }
            assert_int_equal(hs_reach_next(&reach), HSEL_NONE); /* and stays at the end */
            for (u = 0; u < small.nodes; u++)
                assert_int_equal(met[u], small.above[v][u]);
        }
        hs_reach_clear(&reach);
        hs_dag_free(dag);
    }
}

static void no_nodes(void **state)
{
    (void)state;
    hsel_dag *dag;
    hs_reach reach;
    OK(hs_dag_new(0, NULL, NULL, 0, &dag, oops));
    OK(hs_reach_init(&reach, dag, oops));
    hs_reach_clear(&reach);
    hs_dag_free(dag);
}

static void walks_survive_the_last_stamp(void **state)
{
    (void)state;
    hsel_dag *dag;
    hs_reach reach;
    OK(hs_dag_new(3, (uint32_t[]){1, 2}, (uint32_t[]){0, 1}, 2, &dag, oops));
    OK(hs_reach_init(&reach, dag, oops));
    reach.round = UINT32_MAX - 1;
    for (int round = 0; round < 4; round++) {
        hs_reach_start(&reach, 2);
        assert_int_equal(hs_reach_next(&reach), 1);
        assert_int_equal(hs_reach_next(&reach), 0);
        assert_int_equal(hs_reach_next(&reach), HSEL_NONE);
    }
    hs_reach_clear(&reach);
    hs_dag_free(dag);
}

static hsel_dag *large_dag(uint32_t nodes, size_t edges)
{
    hs_stream stream;
    hsel_dag *dag = NULL;
    uint32_t *child = HS_NEW(uint32_t, edges), *parent = HS_NEW(uint32_t, edges);
    hs_stream_init(&stream, 1, "large", nodes, edges);
    for (size_t e = 0; e < edges; e++) {
        uint32_t low = (uint32_t)hs_random_below(&stream, nodes - 1);
        child[e] = low + 1 + (uint32_t)hs_random_below(&stream, nodes - 1 - low);
        parent[e] = low;
    }
    OK(hs_dag_new(nodes, child, parent, edges, &dag, oops));
    hs_free(child);
    hs_free(parent);
    return dag;
}

static void walks_find_as_many_as_the_sweep_counts(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{64, 300}, {65, 100}, {4096, 3500}, {4200, 4000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hsel_dag *dag = large_dag(sizes[i][0], sizes[i][1]);
        hs_reach reach;
        uint64_t expected, pairs = 0;
        OK(hs_dag_count_ancestors(dag, &expected, oops));
        OK(hs_reach_init(&reach, dag, oops));
        for (uint32_t v = 0; v < dag->nodes; v++)
            for (hs_reach_start(&reach, v); hs_reach_next(&reach) != HSEL_NONE;)
                pairs++;
        assert_int_equal(pairs, expected);
        hs_reach_clear(&reach);
        hs_dag_free(dag);
    }
}

#define LONG 200000u

static void long_chains_are_walked(void **state)
{
    (void)state;
    hsel_dag *dag;
    hs_reach reach;
    uint32_t *child = HS_NEW(uint32_t, LONG), count = 0;
    uint32_t *parent = HS_NEW(uint32_t, LONG);
    for (uint32_t v = 0; v + 1 < LONG; v++) {
        child[v] = v + 1;
        parent[v] = v;
    }
    OK(hs_dag_new(LONG, child, parent, LONG - 1, &dag, oops));
    OK(hs_reach_init(&reach, dag, oops));
    for (hs_reach_start(&reach, LONG - 1); hs_reach_next(&reach) != HSEL_NONE;)
        count++;
    assert_int_equal(count, LONG - 1);
    hs_reach_clear(&reach);
    hs_dag_free(dag);
    hs_free(child);
    hs_free(parent);
}

static int init_once(void *context, hsel_error *error)
{
    hs_reach reach = {0};
    int status = hs_reach_init(&reach, context, error);
    hs_reach_clear(&reach);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    hsel_dag *dag = large_dag(100, 400);
    hs_oom_each("init_once", init_once, dag);
    hs_dag_free(dag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_agree_with_matrix),
        cmocka_unit_test(no_nodes),
        cmocka_unit_test(walks_survive_the_last_stamp),
        cmocka_unit_test(walks_find_as_many_as_the_sweep_counts),
        cmocka_unit_test(long_chains_are_walked),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

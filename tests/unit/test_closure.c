/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ancestors and descendants: all three forms against a matrix and against each other, and which
 * form is chosen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "data/closure.h"
#include "support/graphs.h"
#include "support/oom.h"

#define CASES 3000

static bool reaches(const small_graph *small, hs_direction direction, uint32_t v, uint32_t u)
{
    return direction == HS_UP ? small->above[v][u] : small->above[u][v];
}

static void expect_closure(const small_graph *small, hs_direction direction,
                           const hs_closure *closure)
{
    hs_reach reach;
    OK(hs_reach_init(&reach, closure, oops));
    for (uint32_t v = 0; v < small->nodes; v++) {
        bool met[MOST] = {0};
        uint32_t u, last = 0, count = 0;
        for (hs_reach_start(&reach, v); (u = hs_reach_next(&reach)) != HSEL_NONE; last = u) {
            assert_true(u < small->nodes);
            assert_false(met[u]);
            met[u] = true;
            if (hs_closure_get_form(closure) != HS_CLOSURE_WALK && count++ > 0)
                assert_true(last < u);
        }
        assert_int_equal(hs_reach_next(&reach), HSEL_NONE); /* and stays at the end */
        for (u = 0; u < small->nodes; u++) {
            assert_int_equal(met[u], reaches(small, direction, v, u));
            assert_int_equal(hs_reach_has(&reach, v, u), reaches(small, direction, v, u));
        }
    }
    hs_reach_clear(&reach);
}

static void every_form_agrees_with_matrix(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "closure", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        random_dag(&stream, MOST, &small);
        hsel_dag *dag = dag_of(&small);
        for (hs_direction d = HS_UP; d <= HS_DOWN; d++)
            for (hs_closure_form form = HS_CLOSURE_LISTS; form <= HS_CLOSURE_WALK; form++) {
                hs_closure *closure;
                OK(hs_closure_new_as(dag, d, form, &closure, oops));
                assert_int_equal(hs_closure_get_form(closure), form);
                expect_closure(&small, d, closure);
                hs_closure_free(closure);
            }
        hs_dag_free(dag);
    }
}

static void no_nodes(void **state)
{
    (void)state;
    hsel_dag *dag;
    OK(hs_dag_new(0, NULL, NULL, 0, &dag, oops));
    for (hs_closure_form form = HS_CLOSURE_LISTS; form <= HS_CLOSURE_WALK; form++) {
        hs_closure *closure;
        hs_reach reach;
        OK(hs_closure_new_as(dag, HS_DOWN, form, &closure, oops));
        OK(hs_reach_init(&reach, closure, oops));
        hs_reach_clear(&reach);
        hs_closure_free(closure);
    }
    hs_closure_free(NULL);
    hs_dag_free(dag);
}

/* Lists take 12 bytes a node and 4 an ancestor, rows n * 8 * ceil(n / 64); the budget decides to
 * the byte. */
static void form_is_chosen_by_budget(void **state)
{
    (void)state;
    hs_stream stream;
    uint32_t chosen[3] = {0};
    hs_stream_init(&stream, 1, "budget", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        size_t pairs = 0;
        random_dag(&stream, MOST, &small);
        for (uint32_t v = 0; v < small.nodes; v++)
            for (uint32_t u = 0; u < small.nodes; u++)
                pairs += small.above[v][u];
        size_t lists = 12 * (size_t)small.nodes + 4 * pairs, rows = 8 * (size_t)small.nodes;
        size_t budget = hs_random_below(&stream, 400);
        budget = hs_random_below(&stream, 3) ? budget : lists - (lists > 0 && budget % 2);
        hs_closure_form expected = lists <= budget  ? HS_CLOSURE_LISTS
                                   : rows <= budget ? HS_CLOSURE_BITS
                                                    : HS_CLOSURE_WALK;
        hsel_dag *dag = dag_of(&small);
        for (hs_direction d = HS_UP; d <= HS_DOWN; d++) {
            hs_closure *closure;
            OK(hs_closure_new(dag, d, budget, &closure, oops));
            assert_int_equal(hs_closure_get_form(closure), expected);
            expect_closure(&small, d, closure);
            hs_closure_free(closure);
        }
        chosen[expected]++;
        hs_dag_free(dag);
    }
    for (int form = 0; form < 3; form++)
        assert_true(chosen[form] > CASES / 20);
}

static void walks_survive_the_last_stamp(void **state)
{
    (void)state;
    hsel_dag *dag;
    hs_closure *closure;
    hs_reach reach;
    OK(hs_dag_new(3, (uint32_t[]){1, 2}, (uint32_t[]){0, 1}, 2, &dag, oops));
    OK(hs_closure_new_as(dag, HS_UP, HS_CLOSURE_WALK, &closure, oops));
    OK(hs_reach_init(&reach, closure, oops));
    reach.round = UINT32_MAX - 1;
    for (int round = 0; round < 4; round++) {
        hs_reach_start(&reach, 2);
        assert_int_equal(hs_reach_next(&reach), 1);
        assert_int_equal(hs_reach_next(&reach), 0);
        assert_int_equal(hs_reach_next(&reach), HSEL_NONE);
    }
    hs_reach_clear(&reach);
    hs_closure_free(closure);
    hs_dag_free(dag);
}

/* Enough nodes for several words of the set that lists are made with, and of its summary. */
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

static void expect_same(const hs_closure *lists, const hs_closure *other, uint32_t nodes,
                        uint64_t *pairs)
{
    hs_reach a, b;
    OK(hs_reach_init(&a, lists, oops));
    OK(hs_reach_init(&b, other, oops));
    for (uint32_t v = 0; v < nodes; v++) {
        uint64_t count = 0, sum = 0;
        for (uint32_t u, i = (hs_reach_start(&a, v), 0); (u = hs_reach_next(&a)) != HSEL_NONE;
             i++) {
            count++;
            sum += u;
            if (i % 16 == 0)
                assert_true(hs_reach_has(&b, v, u));
        }
        *pairs += count;
        hs_reach_start(&b, v);
        for (uint32_t u; (u = hs_reach_next(&b)) != HSEL_NONE; count--, sum -= u)
            assert_true(hs_reach_has(&a, v, u));
        assert_int_equal(count, 0);
        assert_int_equal(sum, 0);
    }
    hs_reach_clear(&a);
    hs_reach_clear(&b);
}

static void forms_agree_on_many_nodes(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{64, 300}, {65, 100}, {4096, 3500}, {4200, 4000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hsel_dag *dag = large_dag(sizes[i][0], sizes[i][1]);
        uint64_t expected;
        OK(hs_dag_count_ancestors(dag, 1, &expected, oops));
        for (hs_direction d = HS_UP; d <= HS_DOWN; d++) {
            hs_closure *forms[3];
            for (hs_closure_form form = HS_CLOSURE_LISTS; form <= HS_CLOSURE_WALK; form++)
                OK(hs_closure_new_as(dag, d, form, &forms[form], oops));
            for (int form = HS_CLOSURE_BITS; form <= HS_CLOSURE_WALK; form++) {
                uint64_t pairs = 0;
                expect_same(forms[HS_CLOSURE_LISTS], forms[form], dag->nodes, &pairs);
                assert_int_equal(pairs, expected);
            }
            for (int form = 0; form < 3; form++)
                hs_closure_free(forms[form]);
        }
        hs_dag_free(dag);
    }
}

#define LONG 200000u

/* 20,000 million ancestors: nothing but a walk will do, and finding that out must not take long. */
static void long_chains_are_walked(void **state)
{
    (void)state;
    hsel_dag *dag;
    hs_closure *closure;
    hs_reach reach;
    uint32_t *child = HS_NEW(uint32_t, LONG), count = 0;
    uint32_t *parent = HS_NEW(uint32_t, LONG);
    for (uint32_t v = 0; v + 1 < LONG; v++) {
        child[v] = v + 1;
        parent[v] = v;
    }
    OK(hs_dag_new(LONG, child, parent, LONG - 1, &dag, oops));
    OK(hs_closure_new(dag, HS_UP, HS_CLOSURE_BUDGET, &closure, oops));
    assert_int_equal(hs_closure_get_form(closure), HS_CLOSURE_WALK);
    OK(hs_reach_init(&reach, closure, oops));
    for (hs_reach_start(&reach, LONG - 1); hs_reach_next(&reach) != HSEL_NONE;)
        count++;
    assert_int_equal(count, LONG - 1);
    assert_true(hs_reach_has(&reach, LONG - 1, 0));
    assert_false(hs_reach_has(&reach, 0, LONG - 1));
    hs_reach_clear(&reach);
    hs_closure_free(closure);
    hs_dag_free(dag);
    hs_free(child);
    hs_free(parent);
}

typedef struct attempt {
    const hsel_dag *dag;
    size_t budget;
} attempt;

static int close_once(void *context, hsel_error *error)
{
    const attempt *try = context;
    hs_closure *closure = NULL;
    hs_reach reach = {0};
    int status = hs_closure_new(try->dag, HS_DOWN, try->budget, &closure, error);
    if (!status)
        status = hs_reach_init(&reach, closure, error);
    hs_reach_clear(&reach);
    hs_closure_free(closure);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    hsel_dag *dag = large_dag(100, 400);
    hs_oom_each("close_once", close_once, &(attempt){dag, HS_CLOSURE_BUDGET});
    hs_oom_each("close_once", close_once, &(attempt){dag, 3200});
    hs_oom_each("close_once", close_once, &(attempt){dag, 1500});
    hs_dag_free(dag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_agrees_with_matrix),
        cmocka_unit_test(no_nodes),
        cmocka_unit_test(form_is_chosen_by_budget),
        cmocka_unit_test(walks_survive_the_last_stamp),
        cmocka_unit_test(forms_agree_on_many_nodes),
        cmocka_unit_test(long_chains_are_walked),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchies as they stand in files: cleaning, cycles, and which feature is which term.
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

static void expect_edges(const hs_graph *graph, const uint32_t *child, const uint32_t *parent,
                         size_t edges)
{
    assert_int_equal(graph->edges, edges);
    for (size_t e = 0; e < edges; e++) {
        assert_int_equal(graph->child[e], child[e]);
        assert_int_equal(graph->parent[e], parent[e]);
    }
}

/* "a>b b>c": child and parent, one letter or more each. */
static void edges_from_text(hs_graph *graph, const char *text)
{
    while (*text) {
        size_t child = strcspn(text, ">"), parent = strcspn(text + child + 1, " ");
        OK(hs_graph_named_edge(graph, text, child, text + child + 1, parent, oops));
        text += child + 1 + parent;
        text += *text == ' ';
    }
}

static void names_from_text(hs_names *names, const char *text)
{
    while (*text) {
        uint32_t id;
        size_t length = strcspn(text, " ");
        OK(hs_names_intern(names, text, length, &id, NULL, oops));
        text += length;
        text += *text == ' ';
    }
}

/* ---- cleaning ---- */

/* The obvious way: an edge stays if no equal one stands before it. */
static size_t clean_slowly(const small_graph *small, uint32_t *child, uint32_t *parent,
                           uint64_t *loops, uint64_t *repeats)
{
    size_t kept = 0;
    *loops = *repeats = 0;
    for (size_t e = 0; e < small->edges; e++) {
        bool repeated = false;
        for (size_t d = 0; d < e; d++)
            repeated |= small->child[d] == small->child[e] && small->parent[d] == small->parent[e];
        if (small->child[e] == small->parent[e])
            ++*loops;
        else if (repeated)
            ++*repeats;
        else {
            child[kept] = small->child[e];
            parent[kept++] = small->parent[e];
        }
    }
    return kept;
}

static void clean_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "clean", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hs_graph graph;
        uint32_t child[4 * MOST * MOST], parent[4 * MOST * MOST];
        uint64_t loops, repeats;
        random_graph(&stream, MOST, &small);
        to_terms(&small, &graph);
        size_t edges = clean_slowly(&small, child, parent, &loops, &repeats);
        OK(hs_graph_clean(&graph, oops));
        expect_edges(&graph, child, parent, edges);
        assert_int_equal(graph.self_loops, loops);
        assert_int_equal(graph.duplicate_edges, repeats);
        OK(hs_graph_clean(&graph, oops)); /* again: nothing more to find */
        expect_edges(&graph, child, parent, edges);
        assert_int_equal(graph.self_loops + graph.duplicate_edges, loops + repeats);
        hs_graph_clear(&graph);
    }
}

static void empty_graph_is_fine(void **state)
{
    (void)state;
    hs_graph graph = {0};
    OK(hs_graph_clean(&graph, oops));
    for (hs_cycles policy = HS_CYCLES_ERROR; policy <= HS_CYCLES_DROP; policy++)
        OK(hs_graph_break_cycles(&graph, policy, oops));
    assert_int_equal(graph.cycles_found, 0);
    assert_null(graph.merged_into);
    hs_graph_clear(&graph);
}

static void edges_to_nowhere_are_named(void **state)
{
    (void)state;
    hs_graph graph = {.source = hs_strdup("x.tsv")};
    hsel_error error = {0};
    edges_from_text(&graph, "a>b");
    OK(hs_graph_edge(&graph, 0, 2, oops));
    assert_int_equal(hs_graph_clean(&graph, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "x.tsv: edge 2 names a term that does not exist");
    hs_graph_clear(&graph);
}

static void terms_are_numbered_by_first_appearance(void **state)
{
    (void)state;
    hs_graph graph = {0};
    edges_from_text(&graph, "b>a c>b c>a b>a");
    assert_int_equal(graph.terms.count, 3);
    assert_string_equal(hs_names_get(&graph.terms, 0), "b");
    assert_string_equal(hs_names_get(&graph.terms, 1), "a");
    assert_string_equal(hs_names_get(&graph.terms, 2), "c");
    expect_edges(&graph, (uint32_t[]){0, 2, 2, 0}, (uint32_t[]){1, 0, 1, 1}, 4);
    hs_graph_clear(&graph);
}

/* ---- cycles ---- */

static void random_clean(hs_stream *stream, uint32_t most, small_graph *small, hs_graph *graph)
{
    random_graph(stream, most, small);
    to_terms(small, graph);
    OK(hs_graph_clean(graph, oops));
    small->edges = graph->edges;
    for (size_t e = 0; e < graph->edges; e++) {
        small->child[e] = graph->child[e];
        small->parent[e] = graph->parent[e];
    }
    work_out(small);
}

static uint32_t first_of_component(const small_graph *small, uint32_t t)
{
    for (uint32_t u = 0; u < t; u++)
        if (small->above[t][u] && small->above[u][t])
            return u;
    return t;
}

static uint32_t count_cyclic(const small_graph *small)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < small->nodes; t++)
        count += small->above[t][t];
    return count;
}

static uint32_t count_components(const small_graph *small)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < small->nodes; t++)
        count += small->above[t][t] && first_of_component(small, t) == t;
    return count;
}

static void merging_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "merge", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small, mapped;
        hs_graph graph;
        uint32_t child[4 * MOST * MOST], parent[4 * MOST * MOST];
        uint64_t loops, repeats;
        random_clean(&stream, MOST, &small, &graph);
        uint64_t loops_before = graph.self_loops, repeats_before = graph.duplicate_edges;
        OK(hs_graph_break_cycles(&graph, HS_CYCLES_MERGE, oops));
        mapped = small;
        for (size_t e = 0; e < mapped.edges; e++) {
            mapped.child[e] = first_of_component(&small, small.child[e]);
            mapped.parent[e] = first_of_component(&small, small.parent[e]);
        }
        size_t edges = clean_slowly(&mapped, child, parent, &loops, &repeats);
        expect_edges(&graph, child, parent, edges);
        assert_int_equal(graph.self_loops, loops_before);
        assert_int_equal(graph.duplicate_edges, repeats_before);
        assert_int_equal(graph.cycles_found, count_components(&small));
        assert_int_equal(graph.terms_merged, count_cyclic(&small) - count_components(&small));
        assert_int_equal(graph.merged_into == NULL, graph.cycles_found == 0);
        for (uint32_t t = 0; t < small.nodes && graph.merged_into; t++)
            assert_int_equal(graph.merged_into[t], first_of_component(&small, t));
        OK(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, oops)); /* none is left */
        hs_graph_clear(&graph);
    }
}

/* Depth first by the book; colour: 0 not met, 1 on the path, 2 done. */
static void drop_slowly(const small_graph *small, uint32_t t, int *colour, bool *dropped)
{
    colour[t] = 1;
    for (size_t e = 0; e < small->edges; e++) {
        if (small->child[e] != t)
            continue;
        if (colour[small->parent[e]] == 1)
            dropped[e] = true;
        else if (colour[small->parent[e]] == 0)
            drop_slowly(small, small->parent[e], colour, dropped);
    }
    colour[t] = 2;
}

static void dropping_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "drop", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hs_graph graph;
        int colour[MOST] = {0};
        bool dropped[4 * MOST * MOST] = {0};
        random_clean(&stream, MOST, &small, &graph);
        for (uint32_t t = 0; t < small.nodes; t++)
            if (colour[t] == 0)
                drop_slowly(&small, t, colour, dropped);
        OK(hs_graph_break_cycles(&graph, HS_CYCLES_DROP, oops));
        size_t kept = 0, count = small.edges;
        for (size_t e = 0; e < count; e++) {
            if (dropped[e]) { /* never an edge that lies on no cycle */
                assert_true(small.above[small.parent[e]][small.child[e]]);
                continue;
            }
            small.child[kept] = small.child[e];
            small.parent[kept++] = small.parent[e];
        }
        expect_edges(&graph, small.child, small.parent, kept);
        assert_int_equal(graph.cycle_edges_dropped, count - kept);
        assert_int_equal(graph.cycles_found, count_components(&small));
        assert_null(graph.merged_into);
        OK(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, oops));
        hs_graph_clear(&graph);
    }
}

/* Length of the shortest walk of one edge or more from t to t, by trying all lengths. */
static uint32_t shortest_slowly(const small_graph *small, uint32_t t)
{
    bool at[MOST] = {0};
    at[t] = true;
    for (uint32_t length = 1;; length++) {
        bool next[MOST] = {0};
        for (uint32_t v = 0; v < small->nodes; v++)
            for (uint32_t u = 0; u < small->nodes; u++)
                next[u] |= at[v] && small->edge[v][u];
        if (next[t])
            return length;
        memcpy(at, next, sizeof at);
    }
}

static void shown_cycle_is_a_shortest_one(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "show", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small;
        hs_graph graph;
        hsel_error error = {0};
        random_clean(&stream, 8, &small, &graph);
        int status = hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, &error);
        assert_int_equal(status, count_cyclic(&small) ? HSEL_EFORMAT : HSEL_OK);
        assert_int_equal(graph.edges, small.edges);
        if (status) {
            const char *opening = "small: the hierarchy has a cycle: t";
            uint32_t first = 0, length = 0, at, end;
            while (!small.above[first][first])
                first++;
            assert_memory_equal(error.message, opening, strlen(opening));
            char *text = error.message + strlen(opening);
            at = (uint32_t)strtoul(text, &text, 10);
            assert_int_equal(at, first);
            for (; strncmp(text, " -> t", 5) == 0; at = end, length++) {
                end = (uint32_t)strtoul(text + 5, &text, 10);
                assert_true(small.edge[at][end]);
            }
            assert_int_equal(at, first);
            assert_int_equal(length, shortest_slowly(&small, first));
            char rest[128];
            snprintf(rest, sizeof rest,
                     " (%u terms are in cycles); use cycles=merge or cycles=drop",
                     (unsigned)count_cyclic(&small));
            assert_string_equal(text, rest);
        }
        hs_graph_clear(&graph);
    }
}

static void expect_cycle(const char *edges, const char *message)
{
    hs_graph graph = {.source = hs_strdup("go.obo")};
    hsel_error error = {0};
    edges_from_text(&graph, edges);
    OK(hs_graph_clean(&graph, oops));
    assert_int_equal(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, message);
    assert_string_equal(error.file, "go.obo");
    hs_graph_clear(&graph);
}

static void cycles_are_shown(void **state)
{
    (void)state;
    expect_cycle("a>b b>a", "go.obo: the hierarchy has a cycle: a -> b -> a (2 terms are in "
                            "cycles); use cycles=merge or cycles=drop");
    expect_cycle("x>a a>b b>c c>a c>r p>q q>p",
                 "go.obo: the hierarchy has a cycle: a -> b -> c -> a (5 terms are in cycles); "
                 "use cycles=merge or cycles=drop");
    expect_cycle("a>b b>c c>d d>a b>a",
                 "go.obo: the hierarchy has a cycle: a -> b -> a (4 terms are in cycles); use "
                 "cycles=merge or cycles=drop");
    expect_cycle("1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>1",
                 "go.obo: the hierarchy has a cycle: 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 1 (8 "
                 "terms are in cycles); use cycles=merge or cycles=drop");
    expect_cycle("1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>9 9>10 10>1",
                 "go.obo: the hierarchy has a cycle: 1 -> 2 -> 3 -> 4 -> (3 more) -> 8 -> 9 -> 10 "
                 "-> 1 (10 terms are in cycles); use cycles=merge or cycles=drop");
}

static void long_names_leave_room_for_advice(void **state)
{
    (void)state;
    char edges[4200] = "a>";
    memset(edges + 2, 'x', 2000);
    memcpy(edges + 2 + 59, "\xc3\xa4", 2); /* would be cut in two */
    strcpy(edges + 2002, " ");
    memcpy(edges + 2003, edges + 2, 2000);
    strcpy(edges + 4003, ">a");
    expect_cycle(edges,
                 "go.obo: the hierarchy has a cycle: a -> "
                 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... -> a (2 terms "
                 "are in cycles); use cycles=merge or cycles=drop");
}

#define LONG 200000u

static void ring(hs_graph *graph)
{
    *graph = (hs_graph){0};
    for (uint32_t t = 0; t < LONG; t++) {
        char name[16];
        uint32_t id;
        int length = snprintf(name, sizeof name, "%u", (unsigned)t);
        OK(hs_names_intern(&graph->terms, name, (size_t)length, &id, NULL, oops));
        OK(hs_graph_edge(graph, t, (t + 1) % LONG, oops));
    }
    OK(hs_graph_clean(graph, oops));
}

static void long_cycles_need_no_recursion(void **state)
{
    (void)state;
    hs_graph graph;
    hsel_error error = {0};
    ring(&graph);
    assert_int_equal(hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, &error), HSEL_EFORMAT);
    assert_string_equal(error.message,
                        "the hierarchy has a cycle: 0 -> 1 -> 2 -> 3 -> (199993 more) -> 199997 "
                        "-> 199998 -> 199999 -> 0 (200000 terms are in cycles)");
    OK(hs_graph_break_cycles(&graph, HS_CYCLES_DROP, oops));
    assert_int_equal(graph.edges, LONG - 1);
    assert_int_equal(graph.cycle_edges_dropped, 1);
    assert_int_equal(graph.parent[LONG - 2], LONG - 1); /* the closing edge is the one that went */
    hs_graph_clear(&graph);
    ring(&graph);
    OK(hs_graph_break_cycles(&graph, HS_CYCLES_MERGE, oops));
    assert_int_equal(graph.edges, 0);
    assert_int_equal(graph.terms_merged, LONG - 1);
    assert_int_equal(graph.merged_into[LONG - 1], 0);
    hs_graph_clear(&graph);
}

/* ---- terms of features ---- */

static void add_alternate(hs_graph *graph, const char *name, const char *term, uint32_t *of)
{
    of[graph->alternates.count] = hs_names_find(&graph->terms, term, strlen(term));
    OK(hs_names_append(&graph->alternates, name, strlen(name), oops));
}

static void features_find_their_terms(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hs_names features = {0};
    uint32_t *of = HS_NEW(uint32_t, 8), term_of[7], into[7];
    edges_from_text(&graph, "a>b b>c c>d d>e");
    names_from_text(&features, "d z B2 A1 a B1 e");
    graph.alternate_of = of;
    add_alternate(&graph, "A1", "a", of); /* a is a feature itself */
    add_alternate(&graph, "B1", "b", of); /* the first alternate of b that is a feature … */
    add_alternate(&graph, "B2", "b", of); /* … so this one is not */
    add_alternate(&graph, "d", "c", of);  /* d is a term of its own */
    graph.flags = HS_NEW_ZERO(uint8_t, 5);
    graph.flags[hs_names_find(&graph.terms, "e", 1)] = HS_TERM_OBSOLETE;
    OK(hs_graph_terms_of(&graph, &features, term_of, oops));
    const uint32_t expected[] = {3, HSEL_NONE, HSEL_NONE, HSEL_NONE, 0, 1, HSEL_NONE};
    assert_memory_equal(term_of, expected, sizeof expected);
    OK(hs_graph_merge_map(&graph, &features, into, oops)); /* nothing merged: each is itself */
    for (uint32_t f = 0; f < 7; f++)
        assert_int_equal(into[f], f);
    hs_names_clear(&features);
    hs_graph_clear(&graph);
}

static void merge_map_names_the_feature_that_stays(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hs_names features = {0};
    uint32_t into[6];
    edges_from_text(&graph, "a>b b>a c>d d>e e>c x>a");
    names_from_text(&features, "e x b c a other");
    OK(hs_graph_clean(&graph, oops));
    OK(hs_graph_break_cycles(&graph, HS_CYCLES_MERGE, oops));
    OK(hs_graph_merge_map(&graph, &features, into, oops));
    const uint32_t expected[] = {0, 1, 2, 0, 2, 5};
    assert_memory_equal(into, expected, sizeof expected);
    hs_names_clear(&features);
    hs_graph_clear(&graph);
}

static void features_need_an_index(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hs_names features = {0};
    uint32_t into[1];
    hsel_error error = {0};
    OK(hs_names_append(&features, "a", 1, oops));
    assert_int_equal(hs_graph_merge_map(&graph, &features, into, &error), HSEL_EUSAGE);
    assert_string_equal(error.message, "the names of the features have no index");
    hs_names_clear(&features);
}

/* ---- memory ---- */

typedef struct attempt {
    hs_cycles policy;
    int expected;
} attempt;

static int build_and_break(void *context, hsel_error *error)
{
    const attempt *try = context;
    hs_graph graph = {0};
    hs_names features = {0};
    uint32_t id, into[1];
    int status = hs_names_intern(&features, "a", 1, &id, NULL, error);
    const char *edges[][2] = {{"a", "b"}, {"b", "c"}, {"c", "a"}, {"c", "d"}, {"a", "b"}};
    for (size_t e = 0; e < 5 && !status; e++)
        status = hs_graph_named_edge(&graph, edges[e][0], 1, edges[e][1], 1, error);
    if (!status)
        status = hs_graph_clean(&graph, error);
    if (!status) {
        status = hs_graph_break_cycles(&graph, try->policy, error);
        if (status == try->expected)
            status = HSEL_OK;
    }
    if (!status)
        status = hs_graph_merge_map(&graph, &features, into, error);
    hs_graph_clear(&graph);
    hs_names_clear(&features);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    hs_oom_each("build_and_break", build_and_break, &(attempt){HS_CYCLES_ERROR, HSEL_EFORMAT});
    hs_oom_each("build_and_break", build_and_break, &(attempt){HS_CYCLES_MERGE, HSEL_OK});
    hs_oom_each("build_and_break", build_and_break, &(attempt){HS_CYCLES_DROP, HSEL_OK});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_agrees_with_slow_twin),
        cmocka_unit_test(empty_graph_is_fine),
        cmocka_unit_test(edges_to_nowhere_are_named),
        cmocka_unit_test(terms_are_numbered_by_first_appearance),
        cmocka_unit_test(merging_agrees_with_slow_twin),
        cmocka_unit_test(dropping_agrees_with_slow_twin),
        cmocka_unit_test(shown_cycle_is_a_shortest_one),
        cmocka_unit_test(cycles_are_shown),
        cmocka_unit_test(long_names_leave_room_for_advice),
        cmocka_unit_test(long_cycles_need_no_recursion),
        cmocka_unit_test(features_find_their_terms),
        cmocka_unit_test(merge_map_names_the_feature_that_stays),
        cmocka_unit_test(features_need_an_index),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

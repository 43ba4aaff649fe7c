/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From terms to features: binding and contraction against a matrix.
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

/* ---- contraction ---- */

/* c gets p as a parent if a path leads from c up to p with only nodes between that go. Warshall
 * again, but through those nodes only; then what stays is moved together. */
static void contract_slowly(const small_graph *small, const bool *keep, small_graph *out)
{
    bool way[MOST][MOST];
    uint32_t number[MOST], n = small->nodes;
    memcpy(way, small->edge, sizeof way);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t v = 0; v < n; v++)
            for (uint32_t u = 0; u < n; u++)
                way[v][u] |= !keep[k] && way[v][k] && way[k][u];
    memset(out, 0, sizeof *out);
    for (uint32_t v = 0; v < n; v++)
        number[v] = keep[v] ? out->nodes++ : HSEL_NONE;
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t u = 0; u < n; u++)
            if (keep[v] && keep[u] && way[v][u])
                out->edge[number[v]][number[u]] = true;
}

static void subset_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "subset", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small, expected;
        bool keep[MOST];
        hsel_dag *part;
        random_dag(&stream, MOST, &small);
        for (uint32_t v = 0; v < small.nodes; v++)
            keep[v] = hs_random_below(&stream, 2);
        hsel_dag *dag = dag_of(&small);
        OK(hs_dag_subset(dag, keep, &part, oops));
        contract_slowly(&small, keep, &expected);
        expect_matrix(part, &expected);
        hs_dag_free(part);
        hs_dag_free(dag);
    }
}

/* Features for some of the terms, in any order, some of them unknown to the graph. feature_of[t] is
 * the feature of term t or HSEL_NONE. */
static void random_features(hs_stream *stream, uint32_t terms, hs_names *features,
                            uint32_t *feature_of)
{
    uint32_t shuffled[2 * MOST];
    *features = (hs_names){0};
    for (uint32_t t = 0; t < 2 * terms; t++) {
        shuffled[t] = t;
        if (t < terms)
            feature_of[t] = HSEL_NONE;
    }
    hs_random_shuffle(stream, shuffled, 2 * (size_t)terms);
    for (uint32_t k = 0; k < terms; k++) {
        char name[16];
        uint32_t id;
        int length = snprintf(name, sizeof name, "t%u", (unsigned)shuffled[k]);
        OK(hs_names_intern(features, name, (size_t)length, &id, NULL, oops));
        if (shuffled[k] < terms)
            feature_of[shuffled[k]] = id;
    }
}

static void bind_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "bind", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small, part, expected = {0};
        hs_graph graph;
        hs_names features;
        hs_bind_report report;
        hsel_dag *dag;
        uint32_t feature_of[MOST], kept[MOST], count = 0, missing = 0;
        bool keep[MOST];
        random_dag(&stream, MOST, &small);
        to_terms(&small, &graph);
        random_features(&stream, small.nodes, &features, feature_of);
        OK(hs_dag_bind(&graph, &features, &report, &dag, oops));
        for (uint32_t t = 0; t < small.nodes; t++) {
            keep[t] = feature_of[t] != HSEL_NONE;
            if (keep[t])
                kept[count++] = t;
        }
        contract_slowly(&small, keep, &part);
        expected.nodes = features.count;
        for (uint32_t v = 0; v < count; v++)
            for (uint32_t u = 0; u < count; u++)
                if (part.edge[v][u])
                    expected.edge[feature_of[kept[v]]][feature_of[kept[u]]] = true;
        expect_matrix(dag, &expected);
        for (uint32_t f = features.count; f-- > 0;) {
            bool found = false;
            for (uint32_t t = 0; t < small.nodes; t++)
                found |= feature_of[t] == f;
            missing = found ? missing : f + 1; /* the lowest one in the end; 0: none */
        }
        assert_int_equal(report.terms_not_features, small.nodes - count);
        assert_int_equal(report.features_not_terms, features.count - count);
        assert_int_equal(report.first_missing, missing ? missing - 1 : HSEL_NONE);
        hs_dag_free(dag);
        hs_names_clear(&features);
        hs_graph_clear(&graph);
    }
}

/* On a cyclic graph with merging, a merged term is the first of the features that it was made of.
 */
static void bind_after_merging_agrees_with_slow_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "bind merged", 0, 0);
    for (int i = 0; i < CASES; i++) {
        small_graph small, merged = {0}, part, expected = {0};
        hs_graph graph;
        hs_names features;
        hsel_dag *dag;
        uint32_t feature_of[MOST], first[MOST], kept[MOST], count = 0;
        bool keep[MOST] = {0};
        random_graph(&stream, MOST, &small);
        to_terms(&small, &graph);
        OK(hs_graph_clean(&graph, oops));
        OK(hs_graph_break_cycles(&graph, HS_CYCLES_MERGE, oops));
        random_features(&stream, small.nodes, &features, feature_of);
        OK(hs_dag_bind(&graph, &features, NULL, &dag, oops));
        merged.nodes = small.nodes;
        for (uint32_t t = 0; t < small.nodes; t++) {
            first[t] = HSEL_NONE;
            for (uint32_t u = small.nodes; u-- > 0;)
                if (u == t || (small.above[t][u] && small.above[u][t])) {
                    kept[t] = u; /* for now: the term that t became */
                    if (feature_of[u] < first[t])
                        first[t] = feature_of[u];
                }
        }
        for (size_t e = 0; e < small.edges; e++) {
            uint32_t c = kept[small.child[e]], p = kept[small.parent[e]];
            merged.edge[c][p] |= c != p;
        }
        for (uint32_t t = 0; t < small.nodes; t++)
            keep[t] = kept[t] == t && first[t] != HSEL_NONE;
        for (uint32_t t = 0; t < small.nodes; t++)
            if (keep[t])
                kept[count++] = t;
        contract_slowly(&merged, keep, &part);
        expected.nodes = features.count;
        for (uint32_t v = 0; v < count; v++)
            for (uint32_t u = 0; u < count; u++)
                if (part.edge[v][u])
                    expected.edge[first[kept[v]]][first[kept[u]]] = true;
        expect_matrix(dag, &expected);
        hs_dag_free(dag);
        hs_names_clear(&features);
        hs_graph_clear(&graph);
    }
}

static void alternates_and_obsolete_terms_are_bound(void **state)
{
    (void)state;
    hs_graph graph = {0};
    hs_names features = {0};
    hs_bind_report report;
    hsel_dag *dag;
    size_t count;
    const char *names[] = {"GO:9", "top", "old", "nowhere"};
    OK(hs_graph_named_edge(&graph, "GO:1", 4, "mid", 3, oops));
    OK(hs_graph_named_edge(&graph, "mid", 3, "top", 3, oops));
    uint32_t id;
    OK(hs_names_intern(&graph.terms, "old", 3, &id, NULL, oops));
    graph.flags = HS_NEW_ZERO(uint8_t, 4);
    graph.flags[3] = HS_TERM_OBSOLETE;
    OK(hs_names_append(&graph.alternates, "GO:9", 4, oops));
    graph.alternate_of = HS_NEW_ZERO(uint32_t, 1); /* stands for GO:1 */
    for (int f = 0; f < 4; f++)
        OK(hs_names_intern(&features, names[f], strlen(names[f]), &id, NULL, oops));
    OK(hs_dag_bind(&graph, &features, &report, &dag, oops));
    assert_int_equal(dag->edges, 1);
    assert_int_equal(hsel_dag_parents(dag, 0, &count)[0], 1);
    assert_int_equal(report.terms_not_features, 1); /* mid */
    assert_int_equal(report.features_not_terms, 2);
    assert_int_equal(report.first_missing, 2);
    hs_dag_free(dag);
    hs_names_clear(&features);
    hs_graph_clear(&graph);
}

/* ---- memory ---- */

typedef struct binding {
    const hs_graph *graph;
    const hs_names *features;
} binding;

static int bind_once(void *context, hsel_error *error)
{
    const binding *b = context;
    hsel_dag *dag = NULL;
    int status = hs_dag_bind(b->graph, b->features, NULL, &dag, error);
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
        hs_graph graph;
        hs_names features;
        uint32_t feature_of[MOST];
        random_dag(&stream, MOST, &small);
        to_terms(&small, &graph);
        random_features(&stream, small.nodes, &features, feature_of);
        hs_oom_each("bind_once", bind_once, &(binding){&graph, &features});
        hs_names_clear(&features);
        hs_graph_clear(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subset_agrees_with_slow_twin),
        cmocka_unit_test(bind_agrees_with_slow_twin),
        cmocka_unit_test(bind_after_merging_agrees_with_slow_twin),
        cmocka_unit_test(alternates_and_obsolete_terms_are_bound),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

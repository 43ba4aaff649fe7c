/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random graphs and their closure by Warshall's algorithm.
 */
#include "support/graphs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"

static void add_edge(small_graph *graph, uint32_t child, uint32_t parent)
{
    graph->child[graph->edges] = child;
    graph->parent[graph->edges++] = parent;
}

void work_out(small_graph *graph)
{
    uint32_t n = graph->nodes;
    memset(graph->edge, 0, sizeof graph->edge);
    for (size_t e = 0; e < graph->edges; e++)
        graph->edge[graph->child[e]][graph->parent[e]] = true;
    memcpy(graph->above, graph->edge, sizeof graph->above);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t v = 0; v < n; v++)
            for (uint32_t u = 0; u < n; u++)
                graph->above[v][u] |= graph->above[v][k] && graph->above[k][u];
}

void from_matrix(small_graph *graph)
{
    graph->edges = 0;
    for (uint32_t c = 0; c < graph->nodes; c++)
        for (uint32_t p = 0; p < graph->nodes; p++)
            if (graph->edge[c][p])
                add_edge(graph, c, p);
    work_out(graph);
}

void random_graph(hs_stream *stream, uint32_t most_nodes, small_graph *graph)
{
    graph->nodes = (uint32_t)hs_random_below(stream, most_nodes + 1);
    graph->edges = 0;
    if (graph->nodes > 0) {
        size_t wanted = hs_random_below(stream, 3 * graph->nodes + 1);
        while (graph->edges < wanted)
            add_edge(graph, (uint32_t)hs_random_below(stream, graph->nodes),
                     (uint32_t)hs_random_below(stream, graph->nodes));
    }
    work_out(graph);
}

void random_dag(hs_stream *stream, uint32_t most_nodes, small_graph *graph)
{
    uint32_t place[MOST];
    double density = hs_random_double(stream);
    graph->nodes = (uint32_t)hs_random_below(stream, most_nodes + 1);
    graph->edges = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        place[v] = v;
    hs_random_shuffle(stream, place, graph->nodes);
    for (uint32_t v = 0; v < graph->nodes; v++)
        for (uint32_t u = 0; u < graph->nodes; u++)
            while (place[u] < place[v] && hs_random_double(stream) < density) {
                add_edge(graph, v, u);
                if (hs_random_below(stream, 4) > 0)
                    break;
            }
    for (size_t e = graph->edges; e > 1; e--) {
        size_t other = hs_random_below(stream, e);
        uint32_t child = graph->child[e - 1], parent = graph->parent[e - 1];
        graph->child[e - 1] = graph->child[other];
        graph->parent[e - 1] = graph->parent[other];
        graph->child[other] = child;
        graph->parent[other] = parent;
    }
    work_out(graph);
}

void to_terms(const small_graph *graph, hs_graph *out)
{
    *out = (hs_graph){.source = hs_strdup("small")};
    for (uint32_t t = 0; t < graph->nodes; t++) {
        char name[16];
        uint32_t id;
        int length = snprintf(name, sizeof name, "t%u", (unsigned)t);
        OK(hs_names_intern(&out->terms, name, (size_t)length, &id, NULL, oops));
    }
    for (size_t e = 0; e < graph->edges; e++)
        OK(hs_graph_edge(out, graph->child[e], graph->parent[e], oops));
}

hsel_dag *dag_of(const small_graph *small)
{
    hsel_dag *dag = NULL;
    OK(hs_dag_new(small->nodes, small->child, small->parent, small->edges, &dag, oops));
    return dag;
}

void expect_matrix(const hsel_dag *dag, const small_graph *small)
{
    uint32_t edges = 0;
    assert_int_equal(dag->nodes, small->nodes);
    OK(hsel_dag_check(dag, oops));
    for (uint32_t v = 0; v < small->nodes; v++) {
        size_t count, at = 0;
        const uint32_t *parents = hsel_dag_parents(dag, v, &count);
        for (uint32_t u = 0; u < small->nodes; u++)
            if (small->edge[v][u]) {
                assert_true(at < count);
                assert_int_equal(parents[at++], u);
                edges++;
            }
        assert_int_equal(at, count);
        const uint32_t *children = hsel_dag_children(dag, v, &count);
        at = 0;
        for (uint32_t u = 0; u < small->nodes; u++)
            if (small->edge[u][v]) {
                assert_true(at < count);
                assert_int_equal(children[at++], u);
            }
        assert_int_equal(at, count);
    }
    assert_int_equal(hsel_dag_edges(dag), edges);
}

uint32_t depth_slowly(const small_graph *small, uint32_t v)
{
    uint32_t deepest = 0;
    for (uint32_t u = 0; u < small->nodes; u++)
        if (small->edge[v][u]) {
            uint32_t depth = depth_slowly(small, u) + 1;
            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

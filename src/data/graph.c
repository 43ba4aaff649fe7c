/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collecting the edges of a hierarchy file and removing what is there twice. Terms are numbered by
 * first appearance and edges keep the order of the file, so all that follows is deterministic.
 */
#include "data/graph.h"

#include <string.h>

#include "core/mem.h"
#include "data/adjacency.h"
#include "data/dag.h"

void hs_graph_clear(hs_graph *graph)
{
    hs_free(graph->source);
    hs_names_clear(&graph->terms);
    hs_free(graph->child);
    hs_free(graph->parent);
    hs_names_clear(&graph->relations);
    hs_free(graph->relation);
    hs_names_clear(&graph->titles);
    hs_names_clear(&graph->namespaces);
    hs_free(graph->namespace_of);
    hs_free(graph->flags);
    hs_names_clear(&graph->alternates);
    hs_free(graph->alternate_of);
    hs_free(graph->replaced_by);
    hs_free(graph->merged_into);
    *graph = (hs_graph){0};
}

int hs_graph_edge(hs_graph *graph, uint32_t child, uint32_t parent, hsel_error *error)
{
    if (graph->edges >= HS_EDGES_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, graph->source, 0, "more than %u edges",
                          (unsigned)HS_EDGES_LIMIT);
    size_t need = graph->edges + 1;
    size_t child_capacity = graph->edge_capacity, parent_capacity = graph->edge_capacity;
    if (!HS_GROW(&graph->child, &child_capacity, need) ||
        !HS_GROW(&graph->parent, &parent_capacity, need))
        return hs_fail_memory(error);
    graph->edge_capacity = child_capacity < parent_capacity ? child_capacity : parent_capacity;
    graph->child[graph->edges] = child;
    graph->parent[graph->edges] = parent;
    graph->edges = need;
    return HSEL_OK;
}

int hs_graph_named_edge(hs_graph *graph, const char *child, size_t child_length, const char *parent,
                        size_t parent_length, hsel_error *error)
{
    hs_names *terms = &graph->terms;
    /* The edges of a term mostly stand together, so the term of the edge before is tried first. */
    uint32_t to, from = graph->edges > 0 ? graph->child[graph->edges - 1] : HSEL_NONE;
    if (from >= terms->count || hs_names_length(terms, from) != child_length ||
        memcmp(hs_names_get(terms, from), child, child_length) != 0)
        HS_TRY(hs_names_intern(terms, child, child_length, &from, NULL, error));
    HS_TRY(hs_names_intern(terms, parent, parent_length, &to, NULL, error));
    return hs_graph_edge(graph, from, to, error);
}

void hs_graph_drop_marked(hs_graph *graph)
{
    size_t kept = 0;
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] != HSEL_NONE) {
            if (graph->relation)
                graph->relation[kept] = graph->relation[e];
            graph->child[kept] = graph->child[e];
            graph->parent[kept++] = graph->parent[e];
        }
    graph->edges = kept;
}

int hs_graph_clean(hs_graph *graph, hsel_error *error)
{
    HS_OWNS(hs_adjacency_clear) hs_adjacency edges_of = {0};
    uint32_t terms = graph->terms.count;
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] >= terms || graph->parent[e] >= terms)
            return hs_fail_at(error, HSEL_EFORMAT, graph->source, 0,
                              "edge %zu names a term that does not exist", e + 1);
    HS_TRY(hs_adjacency_group(terms, graph->child, NULL, graph->edges, &edges_of, error));
    HS_OWNED uint32_t *seen = HS_NEW(uint32_t, terms); /* the last child that had the parent */
    HS_NEED(seen);
    memset(seen, 0xff, terms * sizeof *seen); /* HSEL_NONE */
    for (uint32_t t = 0; t < terms; t++)
        for (uint32_t i = edges_of.start[t]; i < edges_of.start[t + 1]; i++) {
            uint32_t e = edges_of.item[i], parent = graph->parent[e];
            bool loop = parent == t, twice = !loop && seen[parent] == t;
            graph->self_loops += loop;
            graph->duplicate_edges += twice;
            seen[parent] = t;
            if (loop || twice)
                graph->child[e] = HSEL_NONE;
        }
    hs_graph_drop_marked(graph);
    return HSEL_OK;
}

int hs_graph_find_ends(const hs_graph *graph, hs_graph_ends *out, hsel_error *error)
{
    enum { HAS_PARENT = 1, HAS_CHILD = 2 };
    uint8_t *has = HS_NEW_ZERO(uint8_t, graph->terms.count);
    *out = (hs_graph_ends){0};
    HS_NEED(has);
    for (size_t e = 0; e < graph->edges; e++) {
        has[graph->child[e]] |= HAS_PARENT;
        has[graph->parent[e]] |= HAS_CHILD;
    }
    for (uint32_t t = 0; t < graph->terms.count; t++) {
        out->roots += has[t] == HAS_CHILD;
        out->leaves += has[t] == HAS_PARENT;
    }
    hs_free(has);
    return HSEL_OK;
}

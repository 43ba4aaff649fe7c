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

/* The edges of a term mostly stand together, so the term of the edge before is tried first. */
static int intern_child(hs_graph *graph, const char *text, size_t length, uint32_t *id,
                        hsel_error *error)
{
    if (graph->edges > 0) {
        uint32_t before = graph->child[graph->edges - 1];
        if (before < graph->terms.count && hs_names_length(&graph->terms, before) == length &&
            memcmp(hs_names_get(&graph->terms, before), text, length) == 0) {
            *id = before;
            return HSEL_OK;
        }
    }
    return hs_names_intern(&graph->terms, text, length, id, NULL, error);
}

int hs_graph_named_edge(hs_graph *graph, const char *child, size_t child_length, const char *parent,
                        size_t parent_length, hsel_error *error)
{
    uint32_t from, to;
    int status = intern_child(graph, child, child_length, &from, error);
    if (!status)
        status = hs_names_intern(&graph->terms, parent, parent_length, &to, NULL, error);
    return status ? status : hs_graph_edge(graph, from, to, error);
}

static int check_range(const hs_graph *graph, hsel_error *error)
{
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] >= graph->terms.count || graph->parent[e] >= graph->terms.count)
            return hs_fail_at(error, HSEL_EFORMAT, graph->source, 0,
                              "edge %zu names a term that does not exist", e + 1);
    return HSEL_OK;
}

/* Marks self-loops and all but the first of equal edges by child = HSEL_NONE. `seen` is one entry a
 * term. */
static void mark_superfluous(hs_graph *graph, const hs_adjacency *edges_of, uint32_t *seen)
{
    for (uint32_t t = 0; t < graph->terms.count; t++)
        seen[t] = HSEL_NONE;
    for (uint32_t t = 0; t < graph->terms.count; t++)
        for (uint32_t i = edges_of->start[t]; i < edges_of->start[t + 1]; i++) {
            uint32_t e = edges_of->item[i], parent = graph->parent[e];
            if (parent == t)
                graph->self_loops++;
            else if (seen[parent] == t)
                graph->duplicate_edges++;
            else {
                seen[parent] = t;
                continue;
            }
            graph->child[e] = HSEL_NONE;
        }
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
    hs_adjacency edges_of = {0};
    uint32_t *seen = NULL;
    int status = check_range(graph, error);
    if (status)
        goto out;
    status =
        hs_adjacency_group(graph->terms.count, graph->child, NULL, graph->edges, &edges_of, error);
    if (status)
        goto out;
    seen = HS_NEW(uint32_t, graph->terms.count);
    if (!seen) {
        status = hs_fail_memory(error);
        goto out;
    }
    mark_superfluous(graph, &edges_of, seen);
    hs_graph_drop_marked(graph);
out:
    hs_free(seen);
    hs_adjacency_clear(&edges_of);
    return status;
}

int hs_graph_find_ends(const hs_graph *graph, hs_graph_ends *out, hsel_error *error)
{
    enum { HAS_PARENT = 1, HAS_CHILD = 2 };
    uint8_t *has = HS_NEW_ZERO(uint8_t, graph->terms.count);
    *out = (hs_graph_ends){0};
    if (!has)
        return hs_fail_memory(error);
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The self-check of a DAG. It may come from a file that anyone wrote, so no number is used as an
 * index before it has been compared with the size. If every node's depth is one more than the
 * deepest parent's, there is no cycle.
 */
#include "data/dag.h"

#include <string.h>

#include "core/mem.h"

static int check_lists(uint32_t nodes, uint32_t edges, const uint32_t *start, const uint32_t *item,
                       const char *what, hsel_error *error)
{
    if (!start || (edges > 0 && !item))
        return hs_fail(error, HSEL_EFORMAT, "hierarchy: the %s are missing", what);
    if (start[0] != 0 || start[nodes] != edges)
        return hs_fail(error, HSEL_EFORMAT, "hierarchy: lists of %s do not hold %u edges", what,
                       (unsigned)edges);
    for (uint32_t v = 0; v < nodes; v++)
        if (start[v] > start[v + 1]) /* so all of them are at most start[nodes] */
            return hs_fail(error, HSEL_EFORMAT,
                           "hierarchy: the list of %s of node %u ends before it starts", what,
                           (unsigned)v);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t i = start[v]; i < start[v + 1]; i++) {
            if (item[i] >= nodes)
                return hs_fail(error, HSEL_EFORMAT, "hierarchy: %s of node %u: there is no node %u",
                               what, (unsigned)v, (unsigned)item[i]);
            if (i > start[v] && item[i - 1] >= item[i])
                return hs_fail(error, HSEL_EFORMAT, "hierarchy: %s of node %u are not ascending",
                               what, (unsigned)v);
        }
    return HSEL_OK;
}

/* Going over the parents by ascending child must meet each list of children in its order; as both
 * sides have the same number of edges, nothing is left over then. */
static int check_mirror(const hsel_dag *dag, hsel_error *error)
{
    uint32_t *next = HS_NEW(uint32_t, dag->nodes);
    int status = next ? HSEL_OK : hs_fail_memory(error);
    if (next)
        memcpy(next, dag->child_start, dag->nodes * sizeof *next);
    for (uint32_t v = 0; v < dag->nodes && !status; v++)
        for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1] && !status; i++) {
            uint32_t p = dag->parent[i];
            if (next[p] == dag->child_start[p + 1] || dag->child[next[p]] != v)
                status =
                    hs_fail(error, HSEL_EFORMAT,
                            "hierarchy: node %u is a parent of node %u, but their lists differ",
                            (unsigned)p, (unsigned)v);
            else
                next[p]++;
        }
    hs_free(next);
    return status;
}

static int check_depth(const hsel_dag *dag, hsel_error *error)
{
    for (uint32_t v = 0; v < dag->nodes; v++) {
        uint64_t depth = 0;
        for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++) {
            uint64_t below = (uint64_t)dag->depth[dag->parent[i]] + 1;
            depth = below > depth ? below : depth;
        }
        if (depth != dag->depth[v])
            return hs_fail(error, HSEL_EFORMAT, "hierarchy: node %u has depth %u, not %llu",
                           (unsigned)v, (unsigned)dag->depth[v], (unsigned long long)depth);
    }
    return HSEL_OK;
}

/* Strictly ascending by (depth, index) means that no node comes twice, so all of them are there. */
static int check_order(const hsel_dag *dag, hsel_error *error)
{
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        if (v >= dag->nodes)
            return hs_fail(error, HSEL_EFORMAT, "hierarchy: order: there is no node %u",
                           (unsigned)v);
        if (i == 0)
            continue;
        uint32_t u = dag->order[i - 1];
        if (dag->depth[u] > dag->depth[v] || (dag->depth[u] == dag->depth[v] && u >= v))
            return hs_fail(error, HSEL_EFORMAT,
                           "hierarchy: order: node %u is not to stand before node %u", (unsigned)u,
                           (unsigned)v);
    }
    return HSEL_OK;
}

int hsel_dag_check(const hsel_dag *dag, hsel_error *error)
{
    if (!dag)
        return hs_fail(error, HSEL_EUSAGE, "there is no hierarchy to check");
    if (dag->edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "hierarchy: more than %u edges",
                       (unsigned)HS_EDGES_LIMIT);
    if (dag->nodes > 0 && (!dag->order || !dag->depth))
        return hs_fail(error, HSEL_EFORMAT, "hierarchy: order or depth is missing");
    int status =
        check_lists(dag->nodes, dag->edges, dag->parent_start, dag->parent, "parents", error);
    if (!status)
        status =
            check_lists(dag->nodes, dag->edges, dag->child_start, dag->child, "children", error);
    if (!status)
        status = check_mirror(dag, error);
    if (!status)
        status = check_depth(dag, error);
    return status ? status : check_order(dag, error);
}

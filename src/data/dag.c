/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a DAG from edges, and looking at it. Everything is counting sorts: lists come out
 * ascending because they are filled by nodes in ascending order, and depth is the level at which
 * Kahn's algorithm meets a node.
 */
#include "data/dag.h"

#include <string.h>

#include "core/mem.h"
#include "data/adjacency.h"

void hs_dag_free(hsel_dag *dag)
{
    if (!dag)
        return;
    if (!dag->borrowed) {
        hs_free(dag->parent_start);
        hs_free(dag->parent);
        hs_free(dag->child_start);
        hs_free(dag->child);
        hs_free(dag->order);
        hs_free(dag->depth);
    }
    hs_free(dag);
}

static int check_edges(uint32_t nodes, const uint32_t *child, const uint32_t *parent, size_t edges,
                       hsel_error *error)
{
    if (edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u edges", (unsigned)HS_EDGES_LIMIT);
    for (size_t e = 0; e < edges; e++)
        if (child[e] >= nodes || parent[e] >= nodes)
            return hs_fail(error, HSEL_EFORMAT, "edge %zu names node %u, but there are %u nodes", e,
                           (unsigned)(child[e] >= nodes ? child[e] : parent[e]), (unsigned)nodes);
    return HSEL_OK;
}

/* Removes repeats from ascending lists, in place. */
static void remove_repeats(uint32_t nodes, hs_adjacency *lists)
{
    uint32_t kept = 0, from = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t to = lists->start[v + 1], first = kept;
        for (uint32_t i = from; i < to; i++)
            if (kept == first || lists->item[kept - 1] != lists->item[i])
                lists->item[kept++] = lists->item[i];
        lists->start[v + 1] = kept;
        from = to;
    }
}

static int make_lists(hsel_dag *dag, const uint32_t *child, const uint32_t *parent, size_t edges,
                      hsel_error *error)
{
    hs_adjacency given = {0}, up = {0}, down = {0};
    int status = hs_adjacency_group(dag->nodes, child, parent, edges, &given, error);
    if (!status)
        status = hs_adjacency_transpose(dag->nodes, given.start, given.item, &down, error);
    hs_adjacency_clear(&given);
    if (!status) {
        remove_repeats(dag->nodes, &down);
        status = hs_adjacency_transpose(dag->nodes, down.start, down.item, &up, error);
    }
    dag->parent_start = up.start;
    dag->parent = up.item;
    dag->child_start = down.start;
    dag->child = down.item;
    dag->edges = status ? 0 : down.start[dag->nodes];
    return status;
}

/* Levels: a node is met when the last of its parents is done. `waiting` is the number of parents to
 * come, `queue` holds the nodes met; returns how many. */
static uint32_t find_depths(const hsel_dag *dag, uint32_t *waiting, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        waiting[v] = dag->parent_start[v + 1] - dag->parent_start[v];
        if (waiting[v] == 0) {
            dag->depth[v] = 0;
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = dag->child_start[v]; i < dag->child_start[v + 1]; i++) {
            uint32_t c = dag->child[i];
            if (--waiting[c] == 0) {
                dag->depth[c] = dag->depth[v] + 1;
                queue[tail++] = c;
            }
        }
    }
    return tail;
}

/* The lowest node of a cycle: from a node that waits, parents that wait lead onto one. */
static uint32_t node_on_cycle(const hsel_dag *dag, const uint32_t *waiting)
{
    uint32_t v = 0, lowest;
    while (waiting[v] == 0)
        v++;
    lowest = v;
    for (uint64_t step = 0; step < 2 * (uint64_t)dag->nodes; step++) {
        uint32_t i = dag->parent_start[v];
        while (waiting[dag->parent[i]] == 0)
            i++;
        v = dag->parent[i];
        if (step == dag->nodes || v < lowest) /* from here on it is surely on the cycle */
            lowest = v;
    }
    return lowest;
}

/* `level` has room for nodes + 1 numbers. */
static void sort_by_depth(hsel_dag *dag, uint32_t *level)
{
    memset(level, 0, ((size_t)dag->nodes + 1) * sizeof *level);
    for (uint32_t v = 0; v < dag->nodes; v++)
        level[dag->depth[v] + 1]++;
    for (uint32_t d = 1; d < dag->nodes; d++)
        level[d] += level[d - 1];
    for (uint32_t v = 0; v < dag->nodes; v++)
        dag->order[level[dag->depth[v]]++] = v;
}

static int make_order(hsel_dag *dag, hsel_error *error)
{
    uint32_t *waiting = HS_NEW(uint32_t, (size_t)dag->nodes + 1);
    int status = HSEL_OK;
    dag->order = HS_NEW(uint32_t, dag->nodes);
    dag->depth = HS_NEW(uint32_t, dag->nodes);
    if (!waiting || !dag->order || !dag->depth)
        status = hs_fail_memory(error);
    else if (find_depths(dag, waiting, dag->order) < dag->nodes)
        status = hs_fail(error, HSEL_EFORMAT, "the hierarchy has a cycle through node %u",
                         (unsigned)node_on_cycle(dag, waiting));
    else
        sort_by_depth(dag, waiting);
    hs_free(waiting);
    return status;
}

int hs_dag_new(uint32_t nodes, const uint32_t *child, const uint32_t *parent, size_t edges,
               hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    int status = check_edges(nodes, child, parent, edges, error);
    if (status)
        return status;
    hsel_dag *dag = HS_NEW_ZERO(hsel_dag, 1);
    if (!dag)
        return hs_fail_memory(error);
    dag->nodes = nodes;
    status = make_lists(dag, child, parent, edges, error);
    if (!status)
        status = make_order(dag, error);
    if (status)
        hs_dag_free(dag);
    else
        *out = dag;
    return status;
}

static bool copy_array(const uint32_t *from, size_t count, uint32_t **to)
{
    *to = HS_NEW(uint32_t, count);
    if (*to && count > 0)
        memcpy(*to, from, count * sizeof **to);
    return *to != NULL;
}

int hs_dag_copy(const hsel_dag *dag, hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    hsel_dag *copy = HS_NEW_ZERO(hsel_dag, 1);
    if (!copy)
        return hs_fail_memory(error);
    copy->nodes = dag->nodes;
    copy->edges = dag->edges;
    if (!copy_array(dag->parent_start, (size_t)dag->nodes + 1, &copy->parent_start) ||
        !copy_array(dag->parent, dag->edges, &copy->parent) ||
        !copy_array(dag->child_start, (size_t)dag->nodes + 1, &copy->child_start) ||
        !copy_array(dag->child, dag->edges, &copy->child) ||
        !copy_array(dag->order, dag->nodes, &copy->order) ||
        !copy_array(dag->depth, dag->nodes, &copy->depth)) {
        hs_dag_free(copy);
        return hs_fail_memory(error);
    }
    *out = copy;
    return HSEL_OK;
}

/* ---- for users of the library: no hierarchy and no such node are empty answers, not crashes ----
 */

uint32_t hsel_dag_nodes(const hsel_dag *dag) { return dag ? dag->nodes : 0; }
uint64_t hsel_dag_edges(const hsel_dag *dag) { return dag ? dag->edges : 0; }
const uint32_t *hsel_dag_order(const hsel_dag *dag) { return dag ? dag->order : NULL; }

const uint32_t *hsel_dag_parents(const hsel_dag *dag, uint32_t node, size_t *count)
{
    *count = 0;
    return node < hsel_dag_nodes(dag) ? hs_parents(dag, node, count) : NULL;
}

const uint32_t *hsel_dag_children(const hsel_dag *dag, uint32_t node, size_t *count)
{
    *count = 0;
    return node < hsel_dag_nodes(dag) ? hs_children(dag, node, count) : NULL;
}

uint32_t hsel_dag_depth(const hsel_dag *dag, uint32_t node)
{
    return node < hsel_dag_nodes(dag) ? dag->depth[node] : HSEL_NONE;
}

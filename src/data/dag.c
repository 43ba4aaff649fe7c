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
    HS_OWNS(hs_adjacency_clear) hs_adjacency given = {0};
    hs_adjacency up = {0}, down = {0};
    HS_TRY(hs_adjacency_group(dag->nodes, child, parent, edges, &given, error));
    HS_TRY(hs_adjacency_transpose(dag->nodes, given.start, given.item, &down, error));
    remove_repeats(dag->nodes, &down);
    dag->child_start = down.start;
    dag->child = down.item;
    HS_TRY(hs_adjacency_transpose(dag->nodes, down.start, down.item, &up, error));
    dag->parent_start = up.start;
    dag->parent = up.item;
    dag->edges = down.start[dag->nodes];
    return HSEL_OK;
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

static int make_order(hsel_dag *dag, hsel_error *error)
{
    HS_OWNED uint32_t *waiting = HS_NEW(uint32_t, (size_t)dag->nodes + 1);
    dag->order = HS_NEW(uint32_t, dag->nodes);
    dag->depth = HS_NEW(uint32_t, dag->nodes);
    HS_NEED(waiting && dag->order && dag->depth);
    if (find_depths(dag, waiting, dag->order) < dag->nodes)
        return hs_fail(error, HSEL_EFORMAT, "the hierarchy has a cycle through node %u",
                       (unsigned)node_on_cycle(dag, waiting));
    uint32_t *level = waiting; /* a counting sort by depth */
    memset(level, 0, ((size_t)dag->nodes + 1) * sizeof *level);
    for (uint32_t v = 0; v < dag->nodes; v++)
        level[dag->depth[v] + 1]++;
    for (uint32_t d = 1; d < dag->nodes; d++)
        level[d] += level[d - 1];
    for (uint32_t v = 0; v < dag->nodes; v++)
        dag->order[level[dag->depth[v]]++] = v;
    return HSEL_OK;
}

int hs_dag_new(uint32_t nodes, const uint32_t *child, const uint32_t *parent, size_t edges,
               hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    if (edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u edges", (unsigned)HS_EDGES_LIMIT);
    for (size_t e = 0; e < edges; e++)
        if (child[e] >= nodes || parent[e] >= nodes)
            return hs_fail(error, HSEL_EFORMAT, "edge %zu names node %u, but there are %u nodes", e,
                           (unsigned)(child[e] >= nodes ? child[e] : parent[e]), (unsigned)nodes);
    HS_OWNS(hs_dag_release) hsel_dag *dag = HS_NEW_ZERO(hsel_dag, 1);
    HS_NEED(dag);
    dag->nodes = nodes;
    HS_TRY(make_lists(dag, child, parent, edges, error));
    HS_TRY(make_order(dag, error));
    *out = hs_take(&dag);
    return HSEL_OK;
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
    HS_OWNS(hs_dag_release) hsel_dag *copy = HS_NEW_ZERO(hsel_dag, 1);
    HS_NEED(copy);
    copy->nodes = dag->nodes;
    copy->edges = dag->edges;
    HS_NEED(copy_array(dag->parent_start, (size_t)dag->nodes + 1, &copy->parent_start) &&
            copy_array(dag->parent, dag->edges, &copy->parent) &&
            copy_array(dag->child_start, (size_t)dag->nodes + 1, &copy->child_start) &&
            copy_array(dag->child, dag->edges, &copy->child) &&
            copy_array(dag->order, dag->nodes, &copy->order) &&
            copy_array(dag->depth, dag->nodes, &copy->depth));
    *out = hs_take(&copy);
    return HSEL_OK;
}

/* ---- looking at it ---- */

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

int hs_dag_shape_of(const hsel_dag *dag, hs_dag_shape *out, hsel_error *error)
{
    HS_OWNED uint64_t *paths = HS_NEW(uint64_t, dag->nodes);
    HS_OWNED double *real = HS_NEW(double, dag->nodes);
    HS_NEED(paths && real);
    *out = (hs_dag_shape){0};
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        uint32_t parents = dag->parent_start[v + 1] - dag->parent_start[v];
        uint32_t children = dag->child_start[v + 1] - dag->child_start[v];
        out->roots += parents == 0;
        out->leaves += children == 0;
        out->isolated += parents == 0 && children == 0;
        out->max_parents = parents > out->max_parents ? parents : out->max_parents;
        out->max_children = children > out->max_children ? children : out->max_children;
        out->depth = dag->depth[v]; /* the order is by depth */
        paths[v] = parents == 0;    /* as many lead to a node as to all its parents */
        real[v] = parents == 0;
        for (uint32_t k = dag->parent_start[v]; k < dag->parent_start[v + 1]; k++) {
            paths[v] = add_saturating(paths[v], paths[dag->parent[k]]);
            real[v] += real[dag->parent[k]];
        }
        if (children == 0) {
            out->paths = add_saturating(out->paths, paths[v]);
            out->paths_real += real[v];
        }
    }
    if (out->paths < UINT64_MAX)
        out->paths_real = (double)out->paths;
    return HSEL_OK;
}

/* ---- the self-check: a DAG may come from a file that anyone wrote, so no number is an index
 * before it has been compared with the size. If every node's depth is one more than the deepest
 * parent's, there is no cycle. ---- */

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

int hs_dag_check(const hsel_dag *dag, hsel_error *error)
{
    if (!dag)
        return hs_fail(error, HSEL_EUSAGE, "there is no hierarchy to check");
    if (dag->edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "hierarchy: more than %u edges",
                       (unsigned)HS_EDGES_LIMIT);
    if (dag->nodes > 0 && (!dag->order || !dag->depth))
        return hs_fail(error, HSEL_EFORMAT, "hierarchy: order or depth is missing");
    HS_TRY(check_lists(dag->nodes, dag->edges, dag->parent_start, dag->parent, "parents", error));
    HS_TRY(check_lists(dag->nodes, dag->edges, dag->child_start, dag->child, "children", error));
    /* Going over the parents by ascending child must meet each list of children in its order; as
     * both sides have the same number of edges, nothing is left over then. */
    HS_OWNED uint32_t *next = HS_NEW(uint32_t, dag->nodes);
    HS_NEED(next);
    memcpy(next, dag->child_start, dag->nodes * sizeof *next);
    for (uint32_t v = 0; v < dag->nodes; v++) {
        uint64_t depth = 0;
        for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++) {
            uint32_t p = dag->parent[i];
            uint64_t below = (uint64_t)dag->depth[p] + 1;
            if (next[p] == dag->child_start[p + 1] || dag->child[next[p]++] != v)
                return hs_fail(error, HSEL_EFORMAT,
                               "hierarchy: node %u is a parent of node %u, but their lists differ",
                               (unsigned)p, (unsigned)v);
            depth = below > depth ? below : depth;
        }
        if (depth != dag->depth[v])
            return hs_fail(error, HSEL_EFORMAT, "hierarchy: node %u has depth %u, not %llu",
                           (unsigned)v, (unsigned)dag->depth[v], (unsigned long long)depth);
    }
    /* Strictly ascending by (depth, index): no node comes twice, so all of them are there. */
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i], u = i > 0 ? dag->order[i - 1] : v;
        if (v >= dag->nodes)
            return hs_fail(error, HSEL_EFORMAT, "hierarchy: order: there is no node %u",
                           (unsigned)v);
        if (i > 0 && (dag->depth[u] > dag->depth[v] || (dag->depth[u] == dag->depth[v] && u >= v)))
            return hs_fail(error, HSEL_EFORMAT,
                           "hierarchy: order: node %u is not to stand before node %u", (unsigned)u,
                           (unsigned)v);
    }
    return HSEL_OK;
}

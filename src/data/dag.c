/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a DAG from edges or from a larger DAG, looking at it, checking it, walking upwards in it.
 * Everything is counting sorts: lists come out ascending because they are filled by nodes in
 * ascending order, and depth is the level at which Kahn's algorithm meets a node.
 */
#include "data/data.h"

void hs_dag_free(hsel_dag *dag)
{
    if (!dag)
        return;
    if (!dag->borrowed) {
        HS_FREE(dag->parent_start, dag->parent, dag->child_start, dag->child, dag->order,
                dag->depth, dag->relation);
    }
    hs_names_clear(&dag->relations);
    hs_free(dag);
}

/* Offsets as 32 bits. */
static uint32_t *take_start(const hs_sparse *lists)
{
    uint32_t *start = HS_NEW(uint32_t, (size_t)lists->lists + 1);
    for (uint32_t v = 0; start && v <= lists->lists; v++)
        start[v] = (uint32_t)lists->start[v];
    return start;
}

/* Edges may repeat. */
static int make_lists(hsel_dag *dag, const uint32_t *child, const uint32_t *parent, size_t edges,
                      hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse given = {0}, up = {0}, down = {0};
    HS_TRY(hs_sparse_group(dag->nodes, child, parent, edges, &given, error));
    HS_TRY(hs_sparse_transpose(&given, dag->nodes, &down, error));
    hs_sparse_clear(&given);
    uint64_t kept = 0, from = 0;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        uint64_t to = down.start[v + 1], first = kept;
        for (uint64_t i = from; i < to; i++)
            if (kept == first || down.index[kept - 1] != down.index[i])
                down.index[kept++] = down.index[i];
        down.start[v + 1] = kept;
        from = to;
    }
    HS_TRY(hs_sparse_transpose(&down, dag->nodes, &up, error));
    dag->edges = (uint32_t)kept;
    HS_NEED((dag->child_start = take_start(&down)) && (dag->parent_start = take_start(&up)));
    dag->child = hs_take(&down.index);
    dag->parent = hs_take(&up.index);
    return HSEL_OK;
}

/* Depths, level by level, then nodes by (depth, index). */
static int make_order(hsel_dag *dag, hsel_error *error)
{
    uint32_t nodes = dag->nodes, *depth = dag->depth = HS_NEW(uint32_t, nodes);
    uint32_t *queue = dag->order = HS_NEW(uint32_t, nodes), head = 0, tail = 0;
    /* Parents to come: a node is met when the last of them is done. */
    HS_OWNED uint32_t *waiting = HS_NEW(uint32_t, (size_t)nodes + 1);
    HS_NEED(waiting && queue && depth);
    for (uint32_t v = 0; v < nodes; v++) {
        waiting[v] = dag->parent_start[v + 1] - dag->parent_start[v];
        if (waiting[v] == 0) {
            depth[v] = 0;
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = dag->child_start[v]; i < dag->child_start[v + 1]; i++) {
            uint32_t c = dag->child[i];
            if (--waiting[c] == 0) {
                depth[c] = depth[v] + 1;
                queue[tail++] = c;
            }
        }
    }
    if (tail < nodes) { /* from a node that waits, parents that wait lead onto a cycle */
        uint32_t v = 0, lowest;
        while (waiting[v] == 0)
            v++;
        lowest = v;
        for (uint64_t step = 0; step < 2 * (uint64_t)nodes; step++) {
            uint32_t i = dag->parent_start[v];
            while (waiting[dag->parent[i]] == 0)
                i++;
            v = dag->parent[i];
            if (step == nodes || v < lowest) /* from here on it is surely on the cycle */
                lowest = v;
        }
        return hs_because(
            HSEL_CYCLE, error,
            hs_fail(error, HSEL_EFORMAT, "the hierarchy has a cycle through node %u", lowest));
    }
    uint32_t *level = waiting; /* a counting sort by depth */
    memset(level, 0, ((size_t)nodes + 1) * sizeof *level);
    for (uint32_t v = 0; v < nodes; v++)
        level[depth[v] + 1]++;
    for (uint32_t d = 1; d < nodes; d++)
        level[d] += level[d - 1];
    for (uint32_t v = 0; v < nodes; v++)
        dag->order[level[depth[v]]++] = v;
    return HSEL_OK;
}

int hs_dag_new(uint32_t nodes, const uint32_t *child, const uint32_t *parent, size_t edges,
               hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    if (edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u edges", HS_EDGES_LIMIT);
    for (size_t e = 0; e < edges; e++)
        if (child[e] >= nodes || parent[e] >= nodes)
            return hs_fail(error, HSEL_EFORMAT, "edge %zu names node %u, but there are %u nodes", e,
                           (child[e] >= nodes ? child[e] : parent[e]), nodes);
    HS_OWNS(hs_dag_release) hsel_dag *dag = HS_NEW_ZERO(hsel_dag, 1);
    HS_NEED(dag);
    dag->nodes = nodes;
    HS_TRY(make_lists(dag, child, parent, edges, error));
    HS_TRY(make_order(dag, error));
    *out = hs_take(&dag);
    return HSEL_OK;
}

int hs_dag_relate(hsel_dag *dag, const uint32_t *child, const uint32_t *parent,
                  const uint32_t *relation, size_t edges, const hs_names *relations,
                  hsel_error *error)
{
    static const char *const first[] = {HS_IS_A, "part_of"};
    const uint32_t known = relations->count;
    HS_OWNS(hs_names_clear) hs_names ordered = {0}, names = {0};
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, (size_t)known + 2);   /* in `ordered` */
    HS_OWNED uint32_t *renumber = HS_NEW(uint32_t, (size_t)known + 2); /* from there to `names` */
    HS_OWNED uint32_t *lowest = hs_new_none(dag->edges);
    HS_OWNED uint8_t *made = NULL;
    uint32_t id;
    HS_NEED(number && renumber && lowest);
    for (size_t i = 0; i < 2; i++)
        HS_TRY(hs_names_intern(&ordered, first[i], strlen(first[i]), &id, NULL, error));
    for (uint32_t r = 0; r < known; r++)
        HS_TRY(hs_names_intern(&ordered, HS_NAME(relations, r), &number[r], NULL, error));
    for (size_t e = 0; e < edges; e++) {
        uint32_t at = dag->parent_start[child[e]], end = dag->parent_start[child[e] + 1];
        while (end - at > 1) { /* parents are ascending */
            uint32_t middle = at + (end - at) / 2;
            *(dag->parent[middle] <= parent[e] ? &at : &end) = middle;
        }
        if (number[relation[e]] < lowest[at])
            lowest[at] = number[relation[e]];
    }
    memset(renumber, 0, ordered.count * sizeof *renumber);
    renumber[0] = 1; /* is it used? is_a counts as such */
    for (uint32_t e = 0; e < dag->edges; e++) {
        assert(lowest[e] != HSEL_NONE); /* every edge comes */
        renumber[lowest[e]] = 1;
    }
    for (uint32_t r = 0; r < ordered.count; r++)
        if (renumber[r])
            HS_TRY(hs_names_intern(&names, HS_NAME(&ordered, r), &renumber[r], NULL, error));
    if (names.count == 1)
        return HSEL_OK;
    if (names.count > (uint32_t)UINT8_MAX + 1)
        return hs_fail(error, HSEL_ELIMIT, "the hierarchy has edges of %u relations, more than %u",
                       names.count, (uint32_t)UINT8_MAX + 1);
    HS_NEED(made = HS_NEW(uint8_t, dag->edges));
    for (uint32_t e = 0; e < dag->edges; e++)
        made[e] = (uint8_t)renumber[lowest[e]];
    dag->relation = hs_take(&made);
    HS_MOVE(&dag->relations, &names);
    return HSEL_OK;
}

void hs_relation_counts(const hsel_dag *dag, uint32_t *edges)
{
    const uint32_t relations = dag ? dag->relations.count : 0;
    memset(edges, 0, relations * sizeof *edges);
    for (uint32_t e = 0; relations && e < dag->edges; e++)
        edges[dag->relation[e]]++;
}

int hs_dag_copy(const hsel_dag *dag, hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    HS_OWNS(hs_dag_release) hsel_dag *copy = HS_NEW_ZERO(hsel_dag, 1);
    HS_NEED(copy);
    *copy = (hsel_dag){
        .nodes = dag->nodes,
        .edges = dag->edges,
        .parent_start = hs_copy(dag->parent_start, (size_t)dag->nodes + 1, sizeof *dag->order),
        .parent = hs_copy(dag->parent, dag->edges, sizeof *dag->order),
        .child_start = hs_copy(dag->child_start, (size_t)dag->nodes + 1, sizeof *dag->order),
        .child = hs_copy(dag->child, dag->edges, sizeof *dag->order),
        .order = hs_copy(dag->order, dag->nodes, sizeof *dag->order),
        .depth = hs_copy(dag->depth, dag->nodes, sizeof *dag->order),
        .relation = dag->relation ? hs_copy(dag->relation, dag->edges, 1) : NULL};
    HS_NEED(copy->parent_start && copy->parent && copy->child_start && copy->child && copy->order &&
            copy->depth && !copy->relation == !dag->relation);
    HS_TRY(hs_names_copy(&dag->relations, &copy->relations, error));
    *out = hs_take(&copy);
    return HSEL_OK;
}

/* ---- fewer nodes ----
 * A node that goes is contracted: its children get its nearest ancestors that stay as parents.
 * Nodes are taken with parents first, so the nearest ancestors of a node that goes are known, and
 * kept in a list, before a child asks for them. */

int hs_dag_contract(const hsel_dag *dag, const uint32_t *number, uint32_t new_nodes, hsel_dag **out,
                    hsel_error *error)
{
    uint32_t nodes = dag->nodes;
    HS_OWNED uint32_t *seen = hs_new_none(new_nodes); /* the last node that had it in its list */
    HS_OWNED bool *wanted = HS_NEW_ZERO(bool, nodes); /* goes, and a node below it stays */
    /* Nearest ancestors that stay, of a wanted node: pool[first[v]] …, length[v] of them. */
    HS_OWNED size_t *first = HS_NEW(size_t, nodes);
    HS_OWNED uint32_t *length = HS_NEW(uint32_t, nodes), *pool = NULL;
    HS_OWNED uint32_t *child = NULL, *parent = NULL; /* the new edges */
    HS_OWNED uint32_t *relation = NULL;
    /* If relations are known: what the way up to pool[i] is, and where in the pool an ancestor is.
     */
    HS_OWNED uint8_t *way = NULL;
    HS_OWNED size_t *place = dag->relation ? HS_NEW(size_t, new_nodes) : NULL;
    size_t pooled = 0, edges = 0, count;
    size_t pool_capacity = 0, way_capacity = 0;
    size_t child_capacity = 0, parent_capacity = 0, relation_capacity = 0;
    *out = NULL;
    HS_NEED(seen && wanted && first && length && !place == !dag->relation);
    for (uint32_t i = nodes; i-- > 0;) {
        const uint32_t v = dag->order[i], *above = hs_parents(dag, v, &count);
        for (size_t k = 0; k < count && (number[v] != HSEL_NONE || wanted[v]); k++)
            wanted[above[k]] = number[above[k]] == HSEL_NONE;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t v = dag->order[i], *above = hs_parents(dag, v, &count);
        bool stays = number[v] != HSEL_NONE;
        if (!stays && !wanted[v])
            continue;
        const uint8_t *edge = dag->relation ? dag->relation + dag->parent_start[v] : NULL;
        if (!stays && count == 1 && number[above[0]] == HSEL_NONE &&
            !(edge && edge[0])) { /* the parent's own list */
            first[v] = first[above[0]];
            length[v] = length[above[0]];
            continue;
        }
        first[v] = pooled;
        for (size_t k = 0; k < count; k++) {
            const uint32_t p = above[k];
            const bool goes = number[p] == HSEL_NONE;
            const uint32_t some = goes ? length[p] : 1;
            HS_NEED(HS_GROW(&pool, &pool_capacity, pooled + some) &&
                    (!edge || HS_GROW(&way, &way_capacity, pooled + some)));
            for (uint32_t j = 0; j < some; j++) {
                const uint32_t up = goes ? pool[first[p] + j] : number[p];
                const bool again = seen[up] == v;
                if (edge) {
                    const uint8_t rest = goes ? way[first[p] + j] : 0;
                    const uint8_t whole = edge[k] > rest ? edge[k] : rest;
                    place[up] = again ? place[up] : pooled;
                    way[place[up]] = again && way[place[up]] < whole ? way[place[up]] : whole;
                }
                seen[up] = v;
                pool[pooled] = up;
                pooled += !again;
            }
        }
        length[v] = (uint32_t)(pooled - first[v]);
        if (pooled > HS_EDGES_LIMIT || edges + length[v] > HS_EDGES_LIMIT)
            return hs_fail(error, HSEL_ELIMIT,
                           "leaving out nodes of the hierarchy makes more than %u edges; keep more "
                           "of its nodes as features",
                           HS_EDGES_LIMIT);
        if (!stays)
            continue;
        HS_NEED(HS_GROW(&child, &child_capacity, edges + length[v]) &&
                HS_GROW(&parent, &parent_capacity, edges + length[v]) &&
                (!edge || HS_GROW(&relation, &relation_capacity, edges + length[v])));
        pooled = first[v];
        for (uint32_t j = 0; j < length[v]; j++, edges++) {
            child[edges] = number[v];
            parent[edges] = pool[pooled + j];
            if (edge)
                relation[edges] = way[pooled + j];
        }
    }
    HS_OWNS(hs_dag_release) hsel_dag *made = NULL;
    HS_TRY(hs_dag_new(new_nodes, child, parent, edges, &made, error));
    if (relation)
        HS_TRY(hs_dag_relate(made, child, parent, relation, edges, &dag->relations, error));
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_dag_subset(const hsel_dag *dag, const bool *keep, hsel_dag **out, hsel_error *error)
{
    uint32_t kept = 0;
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, dag->nodes);
    *out = NULL;
    HS_NEED(number);
    for (uint32_t v = 0; v < dag->nodes; v++)
        number[v] = keep[v] ? kept++ : HSEL_NONE;
    return hs_dag_contract(dag, number, kept, out, error);
}

/* ---- looking at it ---- */

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
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

#define DAMAGED(...) hs_fail(error, HSEL_EFORMAT, "hierarchy: " __VA_ARGS__)

static int check_lists(uint32_t nodes, uint32_t edges, const uint32_t *start, const uint32_t *item,
                       const char *what, hsel_error *error)
{
    if (!start || (edges > 0 && !item))
        return DAMAGED("the %s are missing", what);
    if (start[0] != 0 || start[nodes] != edges)
        return DAMAGED("lists of %s do not hold %u edges", what, edges);
    for (uint32_t v = 0; v < nodes; v++)
        if (start[v] > start[v + 1]) /* so all of them are at most start[nodes] */
            return DAMAGED("the list of %s of node %u ends before it starts", what, v);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t i = start[v]; i < start[v + 1]; i++) {
            if (item[i] >= nodes)
                return DAMAGED("%s of node %u: there is no node %u", what, v, item[i]);
            if (i > start[v] && item[i - 1] >= item[i])
                return DAMAGED("%s of node %u are not ascending", what, v);
        }
    return HSEL_OK;
}

int hs_dag_check(const hsel_dag *dag, hsel_error *error)
{
    if (!dag)
        return hs_fail(error, HSEL_EUSAGE, "there is no hierarchy to check");
    if (dag->edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "hierarchy: more than %u edges", HS_EDGES_LIMIT);
    if (dag->nodes > 0 && (!dag->order || !dag->depth))
        return DAMAGED("order or depth is missing");
    HS_TRY(check_lists(dag->nodes, dag->edges, dag->parent_start, dag->parent, "parents", error));
    HS_TRY(check_lists(dag->nodes, dag->edges, dag->child_start, dag->child, "children", error));
    bool used[UINT8_MAX + 1] = {0};
    const uint32_t relations = dag->relations.count;
    if (!dag->relation != !relations || relations == 1 || relations > sizeof used ||
        (relations && strcmp(hs_names_get(&dag->relations, 0), HS_IS_A) != 0))
        return DAMAGED("the names of relations are wrong");
    for (uint32_t e = 0; dag->relation && e < dag->edges; e++) {
        if (dag->relation[e] >= relations)
            return DAMAGED("edge %u is of relation %u, and there are %u", e, dag->relation[e],
                           relations);
        used[dag->relation[e]] = true;
    }
    for (uint32_t r = 1; r < relations; r++) {
        if (!used[r])
            return DAMAGED("no edge is of relation %u", r);
        for (uint32_t q = 0; q < r; q++)
            if (strcmp(hs_names_get(&dag->relations, q), hs_names_get(&dag->relations, r)) == 0)
                return DAMAGED("two relations have the same name");
    }
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
                return DAMAGED("node %u is a parent of node %u, but their lists differ", p, v);
            depth = below > depth ? below : depth;
        }
        if (depth != dag->depth[v])
            return DAMAGED("node %u has depth %u, not %llu", v, dag->depth[v],
                           (unsigned long long)depth);
    }
    /* Strictly ascending by (depth, index): no node comes twice, so all of them are there. */
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i], u = i > 0 ? dag->order[i - 1] : v;
        if (v >= dag->nodes)
            return DAMAGED("order: there is no node %u", v);
        if (i > 0 && (dag->depth[u] > dag->depth[v] || (dag->depth[u] == dag->depth[v] && u >= v)))
            return DAMAGED("order: node %u must not come before node %u", u, v);
    }
    return HSEL_OK;
}

void hs_marked_below(const hsel_dag *dag, const bool *marked, bool *below)
{
    for (uint32_t i = dag->nodes; i-- > 0;) {
        const uint32_t v = dag->order[i];
        size_t count, c = 0;
        const uint32_t *children = hs_children(dag, v, &count);
        while (c < count && !marked[children[c]] && !below[children[c]])
            c++;
        below[v] = c < count;
    }
}

/* ---- the walk: a stack of nodes that were met and not looked at yet ---- */

int hs_reach_init(hs_reach *reach, const hsel_dag *dag, hsel_error *error)
{
    *reach = (hs_reach){.dag = dag,
                        .stack = HS_NEW(uint32_t, dag->nodes),
                        .stamp = HS_NEW_ZERO(uint32_t, dag->nodes)};
    HS_NEED(reach->stack && reach->stamp);
    return HSEL_OK;
}

void hs_reach_clear(hs_reach *reach)
{
    HS_FREE(reach->stack, reach->stamp);
    *reach = (hs_reach){0};
}

void hs_reach_begin(hs_reach *reach)
{
    reach->top = 0;
    if (++reach->round == 0) { /* stamps of four thousand million rounds ago */
        memset(reach->stamp, 0, reach->dag->nodes * sizeof *reach->stamp);
        reach->round = 1;
    }
}

bool hs_reach_meet(hs_reach *reach, uint32_t node)
{
    if (hs_reach_met(reach, node))
        return false;
    reach->stamp[node] = reach->round;
    reach->stack[reach->top++] = node;
    return true;
}

static void push_next(hs_reach *reach, uint32_t node)
{
    size_t count;
    const uint32_t *next =
        reach->down ? hs_children(reach->dag, node, &count) : hs_parents(reach->dag, node, &count);
    for (size_t i = 0; i < count; i++)
        hs_reach_meet(reach, next[i]);
}

void hs_reach_start(hs_reach *reach, uint32_t node)
{
    hs_reach_begin(reach);
    push_next(reach, node);
}

uint32_t hs_reach_next(hs_reach *reach)
{
    if (reach->top == 0)
        return HSEL_NONE;
    uint32_t node = reach->stack[--reach->top];
    push_next(reach, node);
    return node;
}

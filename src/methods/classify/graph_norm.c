/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proximal operator by cuts: a block of nodes first gets the one value that is best for all;
 * if a set that is closed towards ancestors improves by going up, the block is cut into it and the
 * rest, which are treated separately. Blocks are never joined again, so there are fewer than d
 * cuts. On a forest: bottom-up, each group in turn loses its projection on the l1 ball, which clips
 * it at a level; one pass is exact (Jenatton and others, 2011).
 *
 * Flow: Dinic's algorithm. A node may pay its gain to ancestors with a cost; nodes with gain left
 * belong to the best set, with all they can reach. Amounts below 10^-14 of the largest gain are
 * rounding errors.
 */
#include "classify/graph_norm.h"

void hs_graph_norm_clear(hs_graph_norm *n)
{
    hs_arena_clear(&n->memory);
    hs_dag_free(n->dag);
    *n = (hs_graph_norm){0};
}

int hs_graph_norm_init(const hsel_dag *dag, const bool *keep, const double *cost,
                       hs_graph_norm *out, hsel_error *error)
{
    HS_OWNS(hs_dag_release) hsel_dag *kept = NULL;
    *out = (hs_graph_norm){.forest = true, .cost = cost};
    if (keep)
        HS_TRY(hs_dag_subset(dag, keep, &kept, error));
    HS_TRY(hs_dag_reduce(kept ? kept : dag, &out->dag, error));
    dag = out->dag;
    const size_t nodes = dag->nodes, edges = dag->edges;
    HS_NEED(HS_LISTS(
        &out->memory, out, HS_PART(out, edge, edges), HS_PART(out, node, nodes),
        HS_PART(out, end, nodes), HS_PART(out, block, nodes), HS_PART(out, distance, nodes),
        HS_PART(out, arc, nodes), HS_PART(out, queue, nodes), HS_PART(out, list, nodes),
        HS_PART(out, stack, 2 * nodes + 4), HS_PART(out, path, nodes + 1),
        HS_PART(out, gain, nodes), HS_PART(out, supply, nodes), HS_PART(out, need, nodes),
        HS_PART(out, flow, edges), HS_PART(out, value, nodes), HS_PART(out, level_of, nodes),
        HS_PART(out, best, nodes)));
    for (uint32_t v = 0; v < nodes; v++) {
        if (dag->parent_start[v + 1] - dag->parent_start[v] > 1)
            out->forest = false;
        out->arc[v] = dag->child_start[v];
    }
    for (uint32_t c = 0; c < nodes; c++) /* both lists ascend, so children come in order */
        for (uint32_t e = dag->parent_start[c]; e < dag->parent_start[c + 1]; e++)
            out->edge[out->arc[dag->parent[e]]++] = e;
    if (!out->forest)
        return HSEL_OK;
    /* Nodes in preorder. Children before parents in `order` backwards give sizes; then each node is
     * placed behind its parent and its elder siblings. */
    uint32_t *size = out->queue, *next = out->arc, roots = 0;
    for (uint32_t v = 0; v < nodes; v++)
        size[v] = 1;
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        if (!hs_is_root(dag, v))
            size[dag->parent[dag->parent_start[v]]] += size[v];
    }
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t v = dag->order[i];
        uint32_t *from = hs_is_root(dag, v) ? &roots : &next[dag->parent[dag->parent_start[v]]];
        uint32_t place = *from;
        *from += size[v];
        next[v] = place + 1;
        out->node[place] = v;
        out->end[place] = place + size[v];
    }
    return HSEL_OK;
}

static inline double cost_of(const hs_graph_norm *n, uint32_t v)
{
    return n->cost ? n->cost[v] : 1;
}

double hs_graph_norm_value(hs_graph_norm *n, const double *w)
{
    const hsel_dag *dag = n->dag;
    double sum = 0;
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *child = hs_children(dag, v, &count);
        double most = fabs(w[v]);
        for (size_t c = 0; c < count; c++)
            most = n->value[child[c]] > most ? n->value[child[c]] : most;
        n->value[v] = most;
        sum += cost_of(n, v) * most;
    }
    return sum;
}

/* ---- the best set ---- */

/* Arc k of v goes to its k-th parent, without limit; after those to a child, as much as came from
 * it. arc[v] is the one that is tried. */

static void reach(hs_graph_norm *n, uint32_t to, uint32_t distance, uint32_t *tail)
{
    if (n->distance[to] == HSEL_NONE) {
        n->distance[to] = distance;
        n->queue[(*tail)++] = to;
    }
}

/* Distances from the nodes that have gain left; returns whether a payment is possible. */
static bool find_distances(hs_graph_norm *n, const uint32_t *list, uint32_t count, double least)
{
    const hsel_dag *dag = n->dag;
    uint32_t head = 0, tail = 0;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        n->arc[list[i]] = 0;
        n->distance[list[i]] = HSEL_NONE;
        if (n->supply[list[i]] > least)
            reach(n, list[i], 0, &tail);
    }
    while (head < tail) {
        uint32_t v = n->queue[head++], block = n->block[v], next = n->distance[v] + 1;
        found = found || n->need[v] > least;
        for (uint32_t e = dag->parent_start[v]; e < dag->parent_start[v + 1]; e++)
            if (n->block[dag->parent[e]] == block)
                reach(n, dag->parent[e], next, &tail);
        for (uint32_t i = dag->child_start[v]; i < dag->child_start[v + 1]; i++)
            if (n->block[dag->child[i]] == block && n->flow[n->edge[i]] > least)
                reach(n, dag->child[i], next, &tail);
    }
    return found;
}

/* All payments of one node along shortest ways. */
static void pay_all(hs_graph_norm *n, uint32_t from, double least)
{
    const hsel_dag *dag = n->dag;
    uint32_t v = from, length = 0;
    while (n->supply[from] > least) {
        if (n->need[v] > least) { /* path[i] is the node that arc[path[i]] leaves */
            double amount = n->supply[from] < n->need[v] ? n->supply[from] : n->need[v];
            for (uint32_t i = 0; i < 2 * length; i++) { /* first how much, then the payment */
                uint32_t u = n->path[i % length], arc = n->arc[u],
                         upwards = dag->parent_start[u + 1] - dag->parent_start[u];
                bool back = arc >= upwards;
                double *flow = n->flow + (back ? n->edge[dag->child_start[u] + arc - upwards]
                                               : dag->parent_start[u] + arc);
                if (i >= length)
                    *flow += back ? -amount : amount;
                else if (back && *flow < amount)
                    amount = *flow;
            }
            n->supply[from] -= amount;
            n->need[v] -= amount;
            v = from;
            length = 0;
            continue;
        }
        uint32_t parents = dag->parent_start[v + 1] - dag->parent_start[v], to = HSEL_NONE;
        uint32_t arcs = parents + dag->child_start[v + 1] - dag->child_start[v];
        for (; n->arc[v] < arcs; n->arc[v]++) {
            bool back = n->arc[v] >= parents;
            uint32_t at =
                back ? dag->child_start[v] + n->arc[v] - parents : dag->parent_start[v] + n->arc[v];
            to = back ? dag->child[at] : dag->parent[at];
            if (n->block[to] == n->block[v] && n->distance[to] == n->distance[v] + 1 &&
                (!back || n->flow[n->edge[at]] > least))
                break;
        }
        if (n->arc[v] < arcs) {
            n->path[length++] = v;
            v = to;
        } else if (length == 0) {
            return;
        } else {
            v = n->path[--length];
            n->arc[v]++;
        }
    }
}

/* Of the nodes in the list, which are a block, children first: the smallest set, closed towards
 * ancestors in the block, whose gains have the greatest sum. Its nodes are those with a distance;
 * how many. */
static uint32_t best_set(hs_graph_norm *n, const uint32_t *list, uint32_t count)
{
    const hsel_dag *dag = n->dag;
    double largest = 0;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = list[i];
        n->supply[v] = n->gain[v] > 0 ? n->gain[v] : 0;
        n->need[v] = n->gain[v] < 0 ? -n->gain[v] : 0;
        largest = n->supply[v] > largest ? n->supply[v] : largest;
    }
    if (largest == 0)
        return 0;
    /* First a greedy flow: a node pays the parents in its block that need it and passes the rest on
     * to one of them. Children come before parents in the list, so one pass suffices; on a tree
     * this is the solution. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = list[i], heir = HSEL_NONE;
        for (uint32_t e = dag->parent_start[v]; e < dag->parent_start[v + 1]; e++) {
            uint32_t p = dag->parent[e];
            n->flow[e] = 0;
            if (n->block[p] != n->block[v] || !(n->supply[v] > 0))
                continue;
            double amount = n->supply[v] < n->need[p] ? n->supply[v] : n->need[p];
            n->flow[e] = amount;
            n->supply[v] -= amount;
            n->need[p] -= amount;
            heir = heir == HSEL_NONE ? e : heir;
        }
        if (heir != HSEL_NONE && n->supply[v] > 0) {
            n->flow[heir] += n->supply[v];
            n->supply[dag->parent[heir]] += n->supply[v];
            n->supply[v] = 0;
        }
    }
    double least = largest * 1e-14;
    while (find_distances(n, list, count, least))
        for (uint32_t i = 0; i < count; i++)
            if (n->supply[list[i]] > least)
                pay_all(n, list[i], least);
    for (uint32_t i = 0; i < count; i++)
        chosen += n->distance[list[i]] != HSEL_NONE;
    return chosen;
}

/* Nodes above t times their cost, or with such a node below, as one block: nothing else can be in
 * a best set of gains |x| - t cost. Their gains are these. */
static uint32_t list_candidates(hs_graph_norm *n, const double *x, double t)
{
    const hsel_dag *dag = n->dag;
    uint32_t listed = 0;
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        bool alive = (n->gain[v] = fabs(x[v]) - t * cost_of(n, v)) > 0;
        for (uint32_t c = dag->child_start[v]; c < dag->child_start[v + 1] && !alive; c++)
            alive = n->block[dag->child[c]] != 0;
        n->block[v] = alive;
        if (alive)
            n->list[listed++] = v;
    }
    n->last_block = 1;
    return listed;
}

/* ---- the dual norm ---- */

/* Dinkelbach's iteration: the mean of the best set for gains |g| - mean cost, until none is better.
 */
double hs_graph_norm_dual(hs_graph_norm *n, const double *g, double least)
{
    double mean = least;
    for (;;) {
        uint32_t count = list_candidates(n, g, mean);
        if (best_set(n, n->list, count) == 0)
            return mean;
        double sum = 0, cost = 0;
        for (uint32_t i = 0; i < count; i++)
            if (n->distance[n->list[i]] != HSEL_NONE) {
                sum += fabs(g[n->list[i]]);
                cost += cost_of(n, n->list[i]);
            }
        if (!(sum / cost > mean))
            return mean;
        mean = sum / cost;
    }
}

const bool *hs_graph_norm_best(hs_graph_norm *n, const double *g, double level)
{
    uint32_t count = list_candidates(n, g, level);
    memset(n->best, 0, n->dag->nodes * sizeof *n->best);
    if (best_set(n, n->list, count))
        for (uint32_t i = 0; i < count; i++)
            n->best[n->list[i]] = n->distance[n->list[i]] != HSEL_NONE;
    return n->best;
}

/* ---- the proximal operator ---- */

/* The level at which the sum of (|x| - level)+ is `total`, or 0. Michelot's iteration. */
static double level_at(const double *x, const uint32_t *list, uint32_t count, double total)
{
    double level = 0;
    uint32_t above = count + 1; /* how many were above the level before */
    for (;;) {
        double sum = 0;
        uint32_t now = 0;
        for (uint32_t i = 0; i < count; i++)
            if (fabs(x[list[i]]) > level) {
                sum += fabs(x[list[i]]);
                now++;
            }
        if (now == 0 || now >= above || sum <= total)
            return level;
        level = (sum - total) / now;
        above = now;
    }
}

/* Cuts a block once; false if it stays as it is, at `level`. Those that go up come first. */
static bool cut_block(hs_graph_norm *n, const double *x, double t, double level, uint32_t *list,
                      uint32_t count, uint32_t *up)
{
    for (uint32_t i = 0; i < count; i++) {
        double above = fabs(x[list[i]]) - level;
        n->gain[list[i]] = (above > 0 ? above : 0) - t * cost_of(n, list[i]);
    }
    *up = best_set(n, list, count);
    if (*up == 0 || *up == count)
        return false;
    uint32_t rest = 0, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = list[i];
        if (n->distance[v] != HSEL_NONE)
            list[first++] = v;
        else
            n->queue[rest++] = v;
    }
    memcpy(list + first, n->queue, rest * sizeof *list);
    n->last_block++;
    for (uint32_t i = first; i < count; i++)
        n->block[list[i]] = n->last_block;
    return true;
}

/* A level that should halve the block, from the levels of the last call: the median of a sample, or
 * just above it. Below 0: all were the same. */
static double guess_level(const hs_graph_norm *n, const uint32_t *list, uint32_t count)
{
    double sample[15];
    uint32_t taken = count < 15 ? count : 15;
    for (uint32_t i = 0; i < taken; i++) {
        double level = n->level_of[list[(uint64_t)i * count / taken]];
        uint32_t at = i;
        for (; at > 0 && sample[at - 1] > level; at--)
            sample[at] = sample[at - 1];
        sample[at] = level;
    }
    double middle = sample[taken / 2];
    if (sample[0] == sample[taken - 1])
        return -1;
    for (uint32_t i = taken / 2; i < taken && middle > 0; i++)
        if (sample[i] > middle)
            return middle + (sample[i] - middle) / 2;
    return middle > 0 ? (sample[0] + middle) / 2 : 0;
}

static double cost_of_all(const hs_graph_norm *n, const uint32_t *list, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; n->cost && i < count; i++)
        sum += n->cost[list[i]];
    return n->cost ? sum : count;
}

static void set_levels(hs_graph_norm *n, const uint32_t *list, uint32_t count, double level)
{
    for (uint32_t i = 0; i < count; i++)
        n->level_of[list[i]] = level;
}

/* A cut at any level separates the nodes that end above it from the others; a block is done when a
 * cut at its own best level leaves it whole. */
void hs_graph_norm_prox_cuts(hs_graph_norm *n, const double *x, double t, double *w)
{
    uint32_t count = list_candidates(n, x, t), top = 0;
    for (uint32_t v = 0; v < n->dag->nodes; v++)
        n->level_of[v] = n->block[v] ? n->level_of[v] : 0;
    n->stack[top++] = 0;
    n->stack[top++] = count;
    while (top > 0) { /* blocks as [from, to) of the list */
        uint32_t to = n->stack[--top], from = n->stack[--top], up = 0;
        uint32_t *list = n->list + from;
        if (from == to)
            continue;
        double level = guess_level(n, list, to - from);
        bool parted = level >= 0 && cut_block(n, x, t, level, list, to - from, &up);
        if (!parted) {
            level = level_at(x, list, to - from, t * cost_of_all(n, list, to - from));
            parted = to - from > 1 && cut_block(n, x, t, level, list, to - from, &up);
        }
        if (!parted) {
            set_levels(n, list, to - from, level);
            continue;
        }
        n->stack[top++] = from;
        n->stack[top++] = from + up;
        n->stack[top++] = from + up;
        n->stack[top++] = level > 0 ? to : from + up;
        if (level == 0)
            set_levels(n, list + up, to - from - up, 0);
    }
    for (uint32_t v = 0; v < n->dag->nodes; v++)
        w[v] = copysign(fabs(x[v]) < n->level_of[v] ? fabs(x[v]) : n->level_of[v], x[v]);
}

void hs_graph_norm_prox_pass(hs_graph_norm *n, const double *x, double t, double *w)
{
    uint32_t nodes = n->dag->nodes;
    double *clipped = n->value; /* by place */
    assert(n->forest);
    for (uint32_t place = nodes; place-- > 0;) {
        uint32_t inside = 0;
        clipped[place] = fabs(x[n->node[place]]);
        for (uint32_t i = place; i < n->end[place]; i++)
            if (clipped[i] > 0)
                n->queue[inside++] = i;
        double cost = cost_of(n, n->node[place]),
               level = cost > 0 ? level_at(clipped, n->queue, inside, t * cost) : INFINITY;
        for (uint32_t i = 0; i < inside; i++)
            if (clipped[n->queue[i]] > level)
                clipped[n->queue[i]] = level;
    }
    for (uint32_t place = 0; place < nodes; place++)
        w[n->node[place]] = copysign(clipped[place], x[n->node[place]]);
}

void hs_graph_norm_prox(hs_graph_norm *n, const double *x, double t, double *w)
{
    if (n->forest)
        hs_graph_norm_prox_pass(n, x, t, w);
    else
        hs_graph_norm_prox_cuts(n, x, t, w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing a hierarchy that looks like an ontology. Nodes come in levels: the roots, then `depth`
 * levels whose sizes swell and taper as those of the Gene Ontology do. Each node has a parent in
 * the level above, so that its level is its depth, and some nodes have further parents near it,
 * mostly one level up: siblings stand side by side in a level, so nearness of position is nearness
 * in the tree, and the ancestors of a node overlap as they do in a real ontology.
 *
 * Invariant: a parent's level is smaller than its child's, so the graph is acyclic. Numbers of
 * features are a random permutation of the nodes: nothing can rely on parents coming first.
 */
#include "generate/ontology.h"

#include "core/mem.h"
#include "core/random.h"
#include "generate/generate.h"

/* Chance that a further parent is one level higher still; 44 % of those of CE-BP are. */
#define FURTHER_UP 0.44
/* Positions left and right in which further parents are looked for first. */
#define NEAR       1
#define NEAR_TRIES 8

typedef struct growth {
    hs_stream stream;
    uint32_t nodes, roots, levels;
    uint32_t *start;  /* [levels + 1]: first node of each level */
    uint32_t *level;  /* of each node */
    uint32_t *parent; /* of each node but the roots: in the level above */
    uint32_t *extra;  /* number of further parents */
    uint32_t *stamp;  /* node + 1 for those that are its parents already */
    uint32_t *place;  /* number of the feature that a node becomes */
    hs_edge_pairs pairs;
} growth;

static void growth_clear(growth *g)
{
    hs_free(g->start);
    hs_free(g->level);
    hs_free(g->parent);
    hs_free(g->extra);
    hs_free(g->stamp);
    hs_free(g->place);
    hs_edge_pairs_clear(&g->pairs);
}

static int growth_init(growth *g, const hs_ontology_shape *shape, uint64_t seed, hsel_error *error)
{
    uint32_t below = shape->nodes - shape->roots;
    g->nodes = shape->nodes;
    g->roots = shape->roots;
    g->levels = 1 + (shape->depth < below ? shape->depth : below);
    g->start = HS_NEW(uint32_t, g->levels + 1);
    g->level = HS_NEW(uint32_t, g->nodes);
    g->parent = HS_NEW(uint32_t, g->nodes);
    g->extra = HS_NEW_ZERO(uint32_t, g->nodes);
    g->stamp = HS_NEW_ZERO(uint32_t, g->nodes);
    g->place = HS_NEW(uint32_t, g->nodes);
    if (!g->start || !g->level || !g->parent || !g->extra || !g->stamp || !g->place)
        return hs_fail_memory(error);
    hs_stream_init(&g->stream, seed, "ontology hierarchy", 0, 0);
    for (uint32_t v = 0; v < g->nodes; v++)
        g->place[v] = v;
    hs_random_shuffle(&g->stream, g->place, g->nodes);
    return HSEL_OK;
}

/* Level l of d gets one node and a share of the others in proportion to l^2 (d+1-l)^4, close to
 * CE-BP's levels. */
static double level_weight(uint32_t level, uint32_t deepest)
{
    double rise = level, fall = (double)deepest + 1 - level;
    return rise * rise * fall * fall * fall * fall;
}

static void plan_levels(growth *g)
{
    uint32_t deepest = g->levels - 1, others = g->nodes - g->roots - deepest;
    double total = 0, sum = 0;
    for (uint32_t l = 1; l <= deepest; l++)
        total += level_weight(l, deepest);
    g->start[0] = 0;
    g->start[1] = g->roots;
    for (uint32_t l = 1; l <= deepest; l++) {
        sum += level_weight(l, deepest);
        g->start[l + 1] = g->roots + l + (uint32_t)(sum / total * others + 0.5);
    }
    for (uint32_t l = 0; l <= deepest; l++)
        for (uint32_t v = g->start[l]; v < g->start[l + 1]; v++)
            g->level[v] = l;
}

/* Children are dealt at random to the nodes of the level above, then lined up in the order of their
 * parents. */
static void draw_tree(growth *g)
{
    uint32_t *tally = g->extra; /* zero here, and again afterwards */
    for (uint32_t l = 1; l < g->levels; l++) {
        uint32_t above = g->start[l - 1], width = g->start[l] - above, v = g->start[l];
        for (uint32_t i = g->start[l]; i < g->start[l + 1]; i++)
            tally[above + (uint32_t)hs_random_below(&g->stream, width)]++;
        for (uint32_t p = above; p < g->start[l]; p++)
            for (; tally[p] > 0; tally[p]--)
                g->parent[v++] = p;
    }
}

/* Number of edges: what was asked for, within what this many nodes in these levels can have. */
static uint64_t plan_edges(const growth *g, double parents)
{
    uint64_t room = 0, below = g->nodes - g->roots;
    for (uint32_t l = 1; l < g->levels; l++)
        room += (uint64_t)(g->start[l + 1] - g->start[l]) * g->start[l];
    double wanted = parents * (double)below + 0.5;
    return wanted < (double)room ? (uint64_t)wanted : room;
}

static bool is_full(const growth *g, uint32_t v)
{
    return g->extra[v] + 1 == g->start[g->level[v]];
}

static void deal_extra(growth *g, uint64_t count)
{
    for (uint64_t e = 0; e < count; e++) {
        uint32_t v = 0;
        for (int tries = 0; v == 0 || (tries < 64 && is_full(g, v)); tries++)
            v = g->roots + (uint32_t)hs_random_below(&g->stream, g->nodes - g->roots);
        while (is_full(g, v)) /* hardly any room left: the next one that has */
            v = v + 1 < g->nodes ? v + 1 : g->roots;
        g->extra[v]++;
    }
}

/* A node near the ancestors of v in the tree, or HSEL_NONE if the draw falls outside its level.
 * Roots only for nodes of level 1: for others they are implied. */
static uint32_t draw_near(growth *g, uint32_t v, uint64_t reach)
{
    uint32_t up = g->parent[v];
    while (g->level[up] > 1 && hs_random_double(&g->stream) < FURTHER_UP)
        up = g->parent[up];
    uint64_t step = 1 + hs_random_below(&g->stream, 2 * reach);
    int64_t to = step <= reach ? (int64_t)up - (int64_t)step : (int64_t)(up + step - reach);
    uint32_t l = g->level[up];
    return to >= g->start[l] && to < g->start[l + 1] ? (uint32_t)to : HSEL_NONE;
}

static uint32_t draw_parent(growth *g, uint32_t v)
{
    uint64_t reach = NEAR + (uint64_t)g->extra[v];
    for (int tries = 0; tries < NEAR_TRIES; tries++, reach *= 2) {
        uint32_t p = draw_near(g, v, reach);
        if (p != HSEL_NONE && g->stamp[p] != v + 1)
            return p;
    }
    uint32_t p;
    do
        p = (uint32_t)hs_random_below(&g->stream, g->start[g->level[v]]);
    while (g->stamp[p] == v + 1);
    return p;
}

static void add_edge(growth *g, uint32_t v, uint32_t parent)
{
    g->stamp[parent] = v + 1;
    hs_edge_pairs_add(&g->pairs, g->place[v], g->place[parent]);
}

/* Half or more of all possible parents: each is taken with the chance that meets the number
 * (selection sampling). */
static void draw_most_parents(growth *g, uint32_t v)
{
    uint32_t left = g->start[g->level[v]] - 1, wanted = g->extra[v];
    for (uint32_t p = 0; wanted > 0; p++) {
        if (g->stamp[p] == v + 1)
            continue;
        if (hs_random_below(&g->stream, left--) < wanted) {
            add_edge(g, v, p);
            wanted--;
        }
    }
}

static void draw_edges(growth *g)
{
    for (uint32_t v = g->roots; v < g->nodes; v++) {
        add_edge(g, v, g->parent[v]);
        if (g->extra[v] >= g->start[g->level[v]] / 2) {
            draw_most_parents(g, v);
            continue;
        }
        for (uint32_t k = 0; k < g->extra[v]; k++)
            add_edge(g, v, draw_parent(g, v));
    }
}

int hs_ontology_dag(const hs_ontology_shape *shape, uint64_t seed, hsel_dag **out,
                    hsel_error *error)
{
    growth g = {0};
    uint64_t edges = 0;
    int status = growth_init(&g, shape, seed, error);
    if (status)
        goto out;
    plan_levels(&g);
    draw_tree(&g);
    edges = plan_edges(&g, shape->parents);
    status = hs_edge_pairs_init(&g.pairs, edges, error);
    if (status)
        goto out;
    deal_extra(&g, edges - (g.nodes - g.roots));
    draw_edges(&g);
    status = hs_dag_new(g.nodes, g.pairs.child, g.pairs.parent, g.pairs.count, out, error);
out:
    growth_clear(&g);
    return status;
}

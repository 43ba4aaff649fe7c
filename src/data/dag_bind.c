/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the terms of a file to the features of a data set, and from many nodes to fewer. A node that
 * goes is contracted: its children get its nearest ancestors that stay as parents. Nodes are taken
 * with parents first, so the nearest ancestors of a node that goes are known, and kept in a list,
 * before a child asks for them.
 */
#include "data/dag.h"

#include <string.h>

#include "core/mem.h"

/* ---- contraction ---- */

typedef struct contraction {
    const hsel_dag *dag;
    const uint32_t *number; /* node -> its new number; HSEL_NONE: it goes */
    uint32_t *seen;         /* new number -> the last node that had it in its list */
    uint8_t *wanted;        /* the node goes, and a node below it stays */
    /* Nearest ancestors that stay, of a wanted node: pool[first[v]] …, length[v] of them. */
    uint32_t *pool;
    size_t pooled, pool_capacity;
    size_t *first;
    uint32_t *length;
    uint32_t *child, *parent; /* the new edges … */
    size_t edges, child_capacity, parent_capacity;
    uint64_t through; /* … and how many of them stand for a longer path */
} contraction;

static void contraction_clear(contraction *c)
{
    hs_free(c->seen);
    hs_free(c->wanted);
    hs_free(c->pool);
    hs_free(c->first);
    hs_free(c->length);
    hs_free(c->child);
    hs_free(c->parent);
}

#define TOO_MUCH                                                                                   \
    "leaving out nodes of the hierarchy makes more than %u edges; keep more of its nodes as "      \
    "features"

static int contraction_start(contraction *c, uint32_t new_nodes, hsel_error *error)
{
    uint32_t nodes = c->dag->nodes;
    c->seen = HS_NEW(uint32_t, new_nodes);
    c->wanted = HS_NEW_ZERO(uint8_t, nodes);
    c->first = HS_NEW(size_t, nodes);
    c->length = HS_NEW(uint32_t, nodes);
    HS_NEED(c->seen && c->wanted && c->first && c->length);
    memset(c->seen, 0xff, new_nodes * sizeof *c->seen); /* HSEL_NONE */
    for (uint32_t i = nodes; i-- > 0;) {
        uint32_t v = c->dag->order[i];
        if (c->number[v] == HSEL_NONE && !c->wanted[v])
            continue;
        for (uint32_t k = c->dag->parent_start[v]; k < c->dag->parent_start[v + 1]; k++)
            c->wanted[c->dag->parent[k]] = c->number[c->dag->parent[k]] == HSEL_NONE;
    }
    return HSEL_OK;
}

static int add_edge(contraction *c, uint32_t child, uint32_t parent, hsel_error *error)
{
    if (c->edges >= HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, TOO_MUCH, (unsigned)HS_EDGES_LIMIT);
    HS_NEED(HS_GROW(&c->child, &c->child_capacity, c->edges + 1) &&
            HS_GROW(&c->parent, &c->parent_capacity, c->edges + 1));
    c->child[c->edges] = child;
    c->parent[c->edges++] = parent;
    return HSEL_OK;
}

/* A node that stays: direct parents first, so that only what they do not hold counts as through
 * others. */
static int link_kept(contraction *c, uint32_t v, hsel_error *error)
{
    const hsel_dag *dag = c->dag;
    for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++) {
        uint32_t up = c->number[dag->parent[i]];
        if (up == HSEL_NONE)
            continue;
        c->seen[up] = v;
        HS_TRY(add_edge(c, c->number[v], up, error));
    }
    for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++) {
        uint32_t p = dag->parent[i];
        for (uint32_t k = 0; c->number[p] == HSEL_NONE && k < c->length[p]; k++) {
            uint32_t up = c->pool[c->first[p] + k];
            if (c->seen[up] == v)
                continue;
            c->seen[up] = v;
            c->through++;
            HS_TRY(add_edge(c, c->number[v], up, error));
        }
    }
    return HSEL_OK;
}

static int pool_add(contraction *c, uint32_t v, uint32_t up, hsel_error *error)
{
    if (c->seen[up] == v)
        return HSEL_OK;
    c->seen[up] = v;
    if (c->pooled >= HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, TOO_MUCH, (unsigned)HS_EDGES_LIMIT);
    HS_NEED(HS_GROW(&c->pool, &c->pool_capacity, c->pooled + 1));
    c->pool[c->pooled++] = up;
    return HSEL_OK;
}

/* A node that goes: its list. With one parent that goes too, the list is that parent's own. */
static int list_nearest(contraction *c, uint32_t v, hsel_error *error)
{
    const hsel_dag *dag = c->dag;
    uint32_t from = dag->parent_start[v], to = dag->parent_start[v + 1];
    if (to - from == 1 && c->number[dag->parent[from]] == HSEL_NONE) {
        c->first[v] = c->first[dag->parent[from]];
        c->length[v] = c->length[dag->parent[from]];
        return HSEL_OK;
    }
    c->first[v] = c->pooled;
    for (uint32_t i = from; i < to; i++) {
        uint32_t p = dag->parent[i];
        if (c->number[p] != HSEL_NONE)
            HS_TRY(pool_add(c, v, c->number[p], error));
        else
            for (uint32_t k = 0; k < c->length[p]; k++)
                HS_TRY(pool_add(c, v, c->pool[c->first[p] + k], error));
    }
    c->length[v] = (uint32_t)(c->pooled - c->first[v]);
    return HSEL_OK;
}

/* number[v] is the new number of v or HSEL_NONE; *through (may be NULL) counts edges that were none
 * before. */
static int contract(const hsel_dag *dag, const uint32_t *number, uint32_t new_nodes,
                    uint64_t *through, hsel_dag **out, hsel_error *error)
{
    HS_OWNS(contraction_clear) contraction c = {.dag = dag, .number = number};
    HS_TRY(contraction_start(&c, new_nodes, error));
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        if (number[v] != HSEL_NONE)
            HS_TRY(link_kept(&c, v, error));
        else if (c.wanted[v])
            HS_TRY(list_nearest(&c, v, error));
    }
    HS_TRY(hs_dag_new(new_nodes, c.child, c.parent, c.edges, out, error));
    if (through)
        *through = c.through;
    return HSEL_OK;
}

int hs_dag_subset(const hsel_dag *dag, const bool *keep, hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    uint32_t kept = 0;
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, dag->nodes);
    HS_NEED(number);
    for (uint32_t v = 0; v < dag->nodes; v++)
        number[v] = keep[v] ? kept++ : HSEL_NONE;
    return contract(dag, number, kept, NULL, out, error);
}

/* ---- features and terms ---- */

static bool is_obsolete(const hs_graph *graph, uint32_t term)
{
    return graph->flags && graph->flags[term] & HS_TERM_OBSOLETE;
}

int hs_graph_terms_of(const hs_graph *graph, const hs_names *features, uint32_t *term_of,
                      hsel_error *error)
{
    const hs_names *terms = &graph->terms, *others = &graph->alternates;
    if (features->count > 0 && !features->slots)
        return hs_fail(error, HSEL_EUSAGE, "the names of the features have no index");
    HS_OWNED bool *named = HS_NEW_ZERO(bool, terms->count); /* by a feature */
    HS_NEED(named);
    memset(term_of, 0xff, features->count * sizeof *term_of); /* HSEL_NONE */
    for (uint32_t t = 0; t < terms->count; t++) {
        uint32_t f = hs_names_find(features, hs_names_get(terms, t), hs_names_length(terms, t));
        if (f == HSEL_NONE || term_of[f] != HSEL_NONE || is_obsolete(graph, t))
            continue;
        term_of[f] = t;
        named[t] = true;
    }
    for (uint32_t a = 0; a < others->count; a++) {
        uint32_t t = graph->alternate_of[a];
        uint32_t f = hs_names_find(features, hs_names_get(others, a), hs_names_length(others, a));
        if (f == HSEL_NONE || term_of[f] != HSEL_NONE || t >= terms->count || named[t])
            continue;
        term_of[f] = t;
        named[t] = true;
    }
    return HSEL_OK;
}

static uint32_t merged(const hs_graph *graph, uint32_t term)
{
    return graph->merged_into ? graph->merged_into[term] : term;
}

/* term -> the first feature that is this term, after merging; HSEL_NONE: none. */
static void first_features(const hs_graph *graph, const uint32_t *term_of, uint32_t features,
                           uint32_t *feature_of)
{
    memset(feature_of, 0xff, graph->terms.count * sizeof *feature_of); /* HSEL_NONE */
    for (uint32_t f = features; f-- > 0;)
        if (term_of[f] != HSEL_NONE)
            feature_of[merged(graph, term_of[f])] = f;
}

int hs_graph_merge_map(const hs_graph *graph, const hs_names *features, uint32_t *into,
                       hsel_error *error)
{
    HS_OWNED uint32_t *feature_of = HS_NEW(uint32_t, graph->terms.count);
    HS_NEED(feature_of);
    HS_TRY(hs_graph_terms_of(graph, features, into, error));
    first_features(graph, into, features->count, feature_of);
    for (uint32_t f = 0; f < features->count; f++)
        into[f] = into[f] == HSEL_NONE ? f : feature_of[merged(graph, into[f])];
    return HSEL_OK;
}

int hs_dag_bind(const hs_graph *graph, const hs_names *features, hs_bind_report *report,
                hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    hs_bind_report found = {.features = features->count, .first_missing = HSEL_NONE};
    HS_OWNS(hs_dag_release) hsel_dag *whole = NULL;
    uint32_t terms = graph->terms.count;
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, features->count);
    HS_OWNED uint32_t *feature_of = HS_NEW(uint32_t, terms);
    HS_NEED(term_of && feature_of);
    HS_TRY(hs_graph_terms_of(graph, features, term_of, error));
    HS_TRY(hs_dag_new(terms, graph->child, graph->parent, graph->edges, &whole, error));
    first_features(graph, term_of, features->count, feature_of);
    for (uint32_t t = 0; t < terms; t++)
        found.terms_not_features +=
            merged(graph, t) == t && !is_obsolete(graph, t) && feature_of[t] == HSEL_NONE;
    for (uint32_t f = features->count; f-- > 0;)
        if (term_of[f] == HSEL_NONE) {
            found.features_not_terms++;
            found.first_missing = f;
        }
    HS_TRY(contract(whole, feature_of, features->count, &found.edges_through, out, error));
    if (report)
        *report = found;
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First steps of making a data set: the part of the hierarchy that is used, and for each identifier
 * in the annotations the term that it means. An identifier is looked up as a term, then as an
 * alternate; an obsolete term leads to the one that replaces it, if there is one.
 */
#include "core/mem.h"
#include "format/assemble_parts.h"
#include "format/namespace.h"

static bool is_obsolete(const hs_graph *graph, uint32_t term)
{
    return graph->flags && (graph->flags[term] & HS_TERM_OBSOLETE);
}

/* A namespace that the hierarchy does not have is a misspelling. */
static int check_namespaces(const hs_assembly *a, hsel_error *error)
{
    const hs_list *wanted = &a->options->namespaces;
    const hs_names *spaces = &a->graph->namespaces;
    for (size_t i = 0; i < wanted->count; i++) {
        bool found = false;
        hs_buf known = {0};
        for (uint32_t s = 0; s < spaces->count; s++) {
            const char *name = hs_names_get(spaces, s);
            found =
                found || hs_namespace_matches(wanted->items[i], name, hs_names_length(spaces, s));
            hs_buf_printf(&known, "%s%s", s ? ", " : "", name);
        }
        int status = HSEL_OK;
        if (!found)
            status =
                hs_fail(error, HSEL_EUSAGE, "the hierarchy has no namespace %s; its namespaces: %s",
                        wanted->items[i], known.length ? known.text : "none");
        hs_buf_clear(&known);
        if (status)
            return status;
    }
    return HSEL_OK;
}

static bool in_namespaces(const hs_assembly *a, uint32_t term)
{
    const hs_graph *graph = a->graph;
    if (!a->options->namespaces.count)
        return true;
    uint32_t space = graph->namespace_of ? graph->namespace_of[term] : HSEL_NONE;
    return space != HSEL_NONE &&
           hs_namespace_wanted(&a->options->namespaces, hs_names_get(&graph->namespaces, space),
                               hs_names_length(&graph->namespaces, space));
}

static void mark_usable(hs_assembly *a)
{
    const hs_graph *graph = a->graph;
    for (uint32_t t = 0; t < graph->terms.count; t++) {
        bool is_merged = graph->merged_into && graph->merged_into[t] != t;
        if (is_obsolete(graph, t) || is_merged)
            continue;
        a->usable[t] = in_namespaces(a, t);
        a->report->found[HS_FOUND_TERMS].count++;
        a->report->found[HS_FOUND_TERMS_USED].count += a->usable[t];
    }
}

/* Edges between usable terms, as pairs and as lists of parents. */
static void collect_edges(hs_assembly *a)
{
    const hs_graph *graph = a->graph;
    uint32_t *start = a->parent_start;
    for (size_t e = 0; e < graph->edges; e++) {
        uint32_t child = graph->child[e], parent = graph->parent[e];
        if (child == parent || !a->usable[child] || !a->usable[parent])
            continue;
        a->edge_child[a->edges] = child;
        a->edge_parent[a->edges++] = parent;
        start[child + 1]++;
    }
    for (uint32_t t = 0; t < graph->terms.count; t++)
        start[t + 1] += start[t];
    for (size_t e = 0; e < a->edges; e++)
        a->parent[start[a->edge_child[e]]++] = a->edge_parent[e];
    for (uint32_t t = graph->terms.count; t > 0; t--)
        start[t] = start[t - 1];
    start[0] = 0;
    a->report->found[HS_FOUND_EDGES].count = a->edges;
}

static void note_cleaning(const hs_graph *graph, hs_finding *found)
{
    found[HS_FOUND_DUPLICATES].count = graph->duplicate_edges;
    found[HS_FOUND_LOOPS].count = graph->self_loops;
    found[HS_FOUND_CYCLE_EDGES].count = graph->cycle_edges_dropped;
    found[HS_FOUND_MERGED].count = graph->terms_merged;
}

int hs_assembly_graph(hs_assembly *a, hsel_error *error)
{
    hs_graph *graph = a->graph;
    if (graph->edges > HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "a hierarchy of %zu edges is above the limit of %u",
                       graph->edges, HS_EDGES_LIMIT);
    int status = check_namespaces(a, error);
    if (!status)
        status = hs_names_index(&graph->terms, error);
    if (!status)
        status = hs_names_index(&graph->alternates, error);
    if (status)
        return status;
    a->usable = HS_NEW_ZERO(bool, graph->terms.count);
    a->parent_start = HS_NEW_ZERO(uint32_t, (size_t)graph->terms.count + 1);
    a->parent = HS_NEW(uint32_t, graph->edges);
    a->edge_child = HS_NEW(uint32_t, graph->edges);
    a->edge_parent = HS_NEW(uint32_t, graph->edges);
    if (!a->usable || !a->parent_start || !a->parent || !a->edge_child || !a->edge_parent)
        return hs_fail_memory(error);
    mark_usable(a);
    collect_edges(a);
    note_cleaning(graph, a->report->found);
    return HSEL_OK;
}

/* Where a chain of replacements ends: HSEL_NONE if in an obsolete term or in a circle. */
static uint32_t replacement_of(const hs_graph *graph, uint32_t term)
{
    for (uint32_t steps = 0; term != HSEL_NONE && is_obsolete(graph, term); steps++) {
        if (!graph->replaced_by || steps > graph->terms.count)
            return HSEL_NONE;
        term = graph->replaced_by[term];
    }
    return term;
}

static void resolve(hs_assembly *a, uint32_t id)
{
    const hs_graph *graph = a->graph;
    const hs_names *names = &a->annotations->terms;
    const char *name = hs_names_get(names, id);
    size_t length = hs_names_length(names, id);
    uint32_t term = hs_names_find(&graph->terms, name, length);
    a->fate[id] = HS_FATE_TERM;
    a->term_of[id] = HSEL_NONE;
    if (term == HSEL_NONE) {
        uint32_t alternate = hs_names_find(&graph->alternates, name, length);
        a->fate[id] = alternate == HSEL_NONE ? HS_FATE_UNKNOWN : HS_FATE_ALTERNATE;
        if (alternate == HSEL_NONE)
            return;
        term = graph->alternate_of[alternate];
    }
    if (is_obsolete(graph, term)) {
        term = replacement_of(graph, term);
        a->fate[id] = term == HSEL_NONE ? HS_FATE_OBSOLETE : HS_FATE_REPLACED;
        if (term == HSEL_NONE)
            return;
    }
    if (graph->merged_into)
        term = graph->merged_into[term];
    if (a->usable[term])
        a->term_of[id] = term;
    else
        a->fate[id] = HS_FATE_NAMESPACE;
}

int hs_assembly_terms(hs_assembly *a, hsel_error *error)
{
    uint32_t count = a->annotations->terms.count;
    a->fate = HS_NEW_ZERO(uint8_t, count);
    a->term_of = HS_NEW(uint32_t, count);
    if (!a->fate || !a->term_of)
        return hs_fail_memory(error);
    for (uint32_t id = 0; id < count; id++)
        resolve(a, id);
    return HSEL_OK;
}

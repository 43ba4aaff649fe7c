/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what an OBO file says to the graph that was asked for: relations and namespaces are checked
 * against what the file has, terms that stay are numbered in the order of the file, and their edges
 * follow.
 */
#include "format/obo.h"

#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"
#include "format/namespace.h"

static int check_relations(hs_obo *o, hsel_error *error)
{
    const hs_list *asked = &o->options->relations;
    for (size_t i = 0; i < asked->count; i++)
        if (hs_names_find(&o->relations, asked->items[i], strlen(asked->items[i])) == HSEL_NONE)
            return hs_fail_choice(error, o->reader, "relation", asked->items[i], &o->relations);
    return HSEL_OK;
}

static int settle_namespaces(hs_obo *o, hsel_error *error)
{
    for (uint32_t t = 0; t < o->term_count && o->has_default_space; t++) {
        if (o->terms[t].space != HSEL_NONE)
            continue;
        int status = hs_names_intern(&o->spaces, o->default_space.text, o->default_space.length,
                                     &o->terms[t].space, NULL, error);
        if (status < 0)
            return status;
    }
    return HSEL_OK;
}

static int number_terms(hs_obo *o, hsel_error *error)
{
    const hs_list *asked = &o->options->namespaces;
    o->number = HS_NEW(uint32_t, (size_t)o->term_count);
    int status = o->number ? hs_check_namespaces(asked, o->reader, &o->spaces, error)
                           : hs_fail_memory(error);
    uint32_t next = 0;
    for (uint32_t t = 0; t < o->term_count && status == HSEL_OK; t++) {
        uint32_t space = o->terms[t].space;
        bool kept = !asked->count || (space != HSEL_NONE &&
                                      hs_namespace_wanted(asked, hs_names_get(&o->spaces, space),
                                                          hs_names_length(&o->spaces, space)));
        o->number[t] = kept ? next++ : HSEL_NONE;
    }
    return status;
}

static uint32_t number_of_id(const hs_obo *o, uint32_t id)
{
    uint32_t term = id == HSEL_NONE ? HSEL_NONE : o->term_of[id];
    return term == HSEL_NONE ? HSEL_NONE : o->number[term];
}

static int give_terms(hs_obo *o, hs_graph *out, hsel_error *error)
{
    out->namespace_of = HS_NEW(uint32_t, (size_t)o->term_count);
    out->replaced_by = HS_NEW(uint32_t, (size_t)o->term_count);
    out->flags = HS_NEW_ZERO(uint8_t, (size_t)o->term_count);
    if (!out->namespace_of || !out->replaced_by || !out->flags)
        return hs_fail_memory(error);
    int status = HSEL_OK;
    for (uint32_t t = 0; t < o->term_count && status == HSEL_OK; t++) {
        const hs_obo_term *term = &o->terms[t];
        uint32_t number = o->number[t];
        if (number == HSEL_NONE)
            continue;
        out->namespace_of[number] = term->space;
        out->replaced_by[number] = number_of_id(o, term->replaced_by);
        out->flags[number] = term->obsolete ? HS_TERM_OBSOLETE : 0;
        status = hs_names_append(&out->terms, hs_names_get(&o->ids, term->id),
                                 hs_names_length(&o->ids, term->id), error);
        if (status == HSEL_OK)
            status = hs_names_append(&out->titles, hs_names_get(&o->titles, t),
                                     hs_names_length(&o->titles, t), error);
    }
    out->namespaces = o->spaces;
    o->spaces = (hs_names){0};
    return status == HSEL_OK ? hs_names_index(&out->terms, error) : status;
}

static int give_edges(hs_obo *o, hs_graph *out, hsel_error *error)
{
    if (!(out->relation = HS_NEW(uint32_t, o->edge_count)))
        return hs_fail_memory(error);
    for (size_t e = 0; e < o->edge_count; e++) {
        const hs_obo_edge *edge = &o->edges[e];
        if (o->term_of[edge->parent] == HSEL_NONE)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(o->reader), edge->line,
                              "%s%s names unknown term %s", edge->relation ? "relationship " : "",
                              hs_names_get(&o->relations, edge->relation),
                              hs_names_get(&o->ids, edge->parent));
        uint32_t child = o->number[edge->term], parent = number_of_id(o, edge->parent);
        if (child == HSEL_NONE || parent == HSEL_NONE)
            continue;
        int status = hs_graph_edge(out, child, parent, error);
        if (status < 0)
            return status;
        out->relation[out->edges - 1] = edge->relation;
    }
    out->relations = o->relations;
    o->relations = (hs_names){0};
    return HSEL_OK;
}

static int give_alternates(const hs_obo *o, hs_graph *out, hsel_error *error)
{
    out->alternate_of = HS_NEW(uint32_t, (size_t)o->alternates.count);
    if (!out->alternate_of)
        return hs_fail_memory(error);
    for (uint32_t a = 0; a < o->alternates.count; a++) {
        uint32_t number = o->number[o->alternate_of[a]];
        if (number == HSEL_NONE)
            continue;
        out->alternate_of[out->alternates.count] = number;
        int status = hs_names_append(&out->alternates, hs_names_get(&o->alternates, a),
                                     hs_names_length(&o->alternates, a), error);
        if (status < 0)
            return status;
    }
    return hs_names_index(&out->alternates, error);
}

int hs_obo_pick(hs_obo *o, hs_graph *out, hsel_error *error)
{
    if (!o->term_count)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(o->reader), 0,
                          "no [Term] stanza in this OBO file");
    int status = check_relations(o, error);
    if (status == HSEL_OK)
        status = settle_namespaces(o, error);
    if (status == HSEL_OK)
        status = number_terms(o, error);
    if (status == HSEL_OK)
        status = give_terms(o, out, error);
    if (status == HSEL_OK)
        status = give_edges(o, out, error);
    return status == HSEL_OK ? give_alternates(o, out, error) : status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an OBO file says, between reading its lines (obo_read.c) and making a graph of it
 * (obo_pick.c).
 *
 * Two numberings: of identifiers (`ids`, in order of mention) and of terms (in order of
 * declaration).
 */
#ifndef HS_FORMAT_OBO_H
#define HS_FORMAT_OBO_H

#include "core/text.h"
#include "format/format.h"

typedef struct hs_obo_term {
    uint32_t id; /* HSEL_NONE until its id line */
    uint32_t space;
    uint32_t replaced_by; /* an identifier; HSEL_NONE: nothing */
    bool obsolete;
    unsigned long line;
} hs_obo_term;

typedef struct hs_obo_edge {
    uint32_t term;   /* a term … */
    uint32_t parent; /* … and an identifier */
    uint32_t relation;
    unsigned long line;
} hs_obo_edge;

typedef enum hs_obo_stanza {
    HS_OBO_HEADER,
    HS_OBO_TERM,
    HS_OBO_TYPEDEF,
    HS_OBO_OTHER
} hs_obo_stanza;

typedef struct hs_obo {
    hs_reader *reader;
    const hs_graph_options *options;
    hs_obo_stanza stanza;
    hs_names ids;
    uint32_t *term_of; /* the term that an identifier is; HSEL_NONE: not declared */
    size_t term_of_count, term_of_capacity;
    hs_obo_term *terms;
    size_t terms_capacity;
    uint32_t term_count;
    hs_names titles; /* one a finished term */
    hs_buf title;    /* of the term under way */
    hs_obo_edge *edges;
    size_t edge_count, edge_capacity;
    hs_names alternates;
    uint32_t *alternate_of; /* terms */
    size_t alternate_capacity;
    hs_names relations; /* is_a, then as they come */
    bool *followed;     /* of each relation: was it asked for? */
    size_t followed_capacity;
    hs_names spaces;
    hs_buf default_space;
    bool has_default_space;
    uint32_t *number; /* of a term in the graph; HSEL_NONE: filtered out */
} hs_obo;

/* Fills the graph with the terms and edges that the options ask for. */
HSEL_CHECKED int hs_obo_pick(hs_obo *o, hs_graph *out, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside hs_assemble: the state that its steps share. assemble_terms.c finds what each annotation
 * means, assemble_rows.c makes the sets of terms of each object, assemble.c runs the steps and
 * makes the data set.
 */
#ifndef HS_FORMAT_ASSEMBLE_PARTS_H
#define HS_FORMAT_ASSEMBLE_PARTS_H

#include "format/assemble.h"

/* What an identifier of a term in the annotations turned out to be. */
typedef enum hs_fate {
    HS_FATE_TERM,
    HS_FATE_ALTERNATE,
    HS_FATE_REPLACED,
    HS_FATE_UNKNOWN,
    HS_FATE_OBSOLETE,
    HS_FATE_NAMESPACE
} hs_fate;

/* An annotation that counts, of one labelled object. */
typedef struct hs_mark {
    uint32_t term; /* of the graph */
    bool negated;
} hs_mark;

typedef struct hs_assembly {
    const hs_assemble_options *options;
    hs_graph *graph;
    const hs_annotations *annotations;
    hs_labels *labels;
    hs_assemble_report *report;
    /* The hierarchy as used: terms of wanted namespaces, without obsolete ones; parents of t are
     * parent[parent_start[t]] … The edges once more as pairs, for binding. */
    bool *usable;
    uint32_t *parent_start, *parent;
    uint32_t *edge_child, *edge_parent;
    size_t edges;
    /* Of each identifier of a term in the annotations. */
    uint8_t *fate;
    uint32_t *term_of; /* HSEL_NONE: not usable */
    bool *annotated;   /* labelled objects that the annotations know */
    /* Annotations that count, by labelled object: marks[mark_start[r]] … */
    uint64_t *mark_start;
    hs_mark *marks;
    /* The terms of each labelled object, propagated if wanted: terms[row_start[r]] …, no repeats.
     */
    uint64_t *row_start;
    uint32_t *terms;
    size_t term_count, term_capacity;
    uint32_t *support; /* of each graph term */
} hs_assembly;

/* The hierarchy as used; then what each identifier means. */
HSEL_CHECKED int hs_assembly_graph(hs_assembly *a, hsel_error *error);
HSEL_CHECKED int hs_assembly_terms(hs_assembly *a, hsel_error *error);
/* The annotations that count, grouped by object. */
HSEL_CHECKED int hs_assembly_marks(hs_assembly *a, hsel_error *error);
/* The terms of each object, and how many objects each term has. */
HSEL_CHECKED int hs_assembly_rows(hs_assembly *a, hsel_error *error);

#endif

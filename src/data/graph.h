/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hierarchy as read from a file: named terms and child-parent edges, possibly with duplicate
 * edges, self-loops and cycles. Readers fill it; hs_dag_bind makes the clean DAG over the features.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/names.h"
#include "core/text.h"

#define HS_TERM_OBSOLETE 1u /* in the file, but not to be used */

typedef struct hs_graph { /* zero-initialise; hs_graph_clear frees */
    char *source;         /* file name, for messages; NULL: none */
    char *version, *date; /* of the ontology, from its file; NULL: unknown */
    hs_names terms;
    uint32_t *child, *parent; /* edge e goes from child[e] up to parent[e] */
    size_t edges, edge_capacity;
    hs_names relations; /* names of relations, such as is_a … */
    uint32_t *relation; /* … and the one of each edge; NULL: not in the file */
    /* Further information in ontologies; each array is NULL or has one entry per term. */
    hs_names titles;        /* titles.count is 0 or terms.count */
    hs_names namespaces;    /* names of namespaces … */
    uint32_t *namespace_of; /* … and which one a term is in (HSEL_NONE: none) */
    uint8_t *flags;         /* HS_TERM_OBSOLETE */
    hs_names alternates;    /* other identifiers (alt_id, synonyms that look like one) … */
    uint32_t *alternate_of; /* … and the term each stands for */
    uint32_t *replaced_by;  /* of an obsolete term; HSEL_NONE: nothing */
    hs_names spellings;     /* as hs_graph_find spells identifiers (hs_graph_spell) … */
    uint32_t *spelling_of;  /* … and the term of each; HSEL_NONE: it may be several */
    /* Findings of hs_graph_clean and hs_graph_break_cycles. */
    uint64_t duplicate_edges, self_loops, cycle_edges_dropped;
    uint32_t terms_merged, cycles_found;
    uint32_t *merged_into; /* after merging cycles: the term each term became; NULL: no merging */
} hs_graph;

void hs_graph_clear(hs_graph *graph);
HSEL_CHECKED int hs_graph_edge(hs_graph *graph, uint32_t child, uint32_t parent, hsel_error *error);
/* Interns both names and adds the edge. */
HSEL_CHECKED int hs_graph_named_edge(hs_graph *graph, const char *child, size_t child_length,
                                     const char *parent, size_t parent_length, hsel_error *error);

/* Removes self-loops and repeated edges, and counts them. Keeps the order of first appearance. */
HSEL_CHECKED int hs_graph_clean(hs_graph *graph, hsel_error *error);

typedef enum hs_cycles { HS_CYCLES_ERROR, HS_CYCLES_MERGE, HS_CYCLES_DROP } hs_cycles;

/* Makes the graph acyclic. error: HSEL_EFORMAT that shows a shortest cycle ("a -> b -> a", cut when
 * long) and how many terms are in cycles. merge: each strongly connected component becomes its
 * first term. drop: edges that close a cycle in a depth-first search from the first term on are
 * dropped. Needs a clean graph. No recursion. */
HSEL_CHECKED int hs_graph_break_cycles(hs_graph *graph, hs_cycles policy, hsel_error *error);

/* Terms at the two ends of paths: `roots` have children and no parent, `leaves` parents and no
 * child. Zero for a graph without edges. */
typedef struct hs_graph_ends {
    uint32_t roots, leaves;
} hs_graph_ends;
HSEL_CHECKED int hs_graph_find_ends(const hs_graph *graph, hs_graph_ends *out, hsel_error *error);
/* In a tree there are at most as many roots as leaves. Far more of them suggest that the edges were
 * read in the wrong direction. */
static inline bool hs_ends_look_reversed(const hs_graph_ends *ends)
{
    return ends->roots > 2 * (uint64_t)ends->leaves;
}

/* Indexes identifiers by other spellings: GO:0000002, GO_0000002 and
 * http://purl.obolibrary.org/obo/GO_0000002 are the same, .../ICD10CM/A00.0 is ICD10CM:A00.0 and
 * A00.0. Letters before the number match in any case. */
HSEL_CHECKED int hs_graph_spell(hs_graph *graph, hsel_error *error);
/* Whether the term is in the file but must not be used. */
static inline bool hs_is_obsolete(const hs_graph *graph, uint32_t term)
{
    return graph->flags && (graph->flags[term] & HS_TERM_OBSOLETE);
}
/* The term of this name, alternate name or other spelling, obsolete or not; HSEL_NONE: none. Needs
 * the index of terms and alternates. */
uint32_t hs_graph_find(const hs_graph *graph, const char *name, size_t length);
/* The term that each of `features` (indexed) names, HSEL_NONE if none: by its own name, else by an
 * alternate one, else in another spelling, whose term is not named by a feature itself (then the
 * first such feature has it).
 * Obsolete terms are not named by anything. */
HSEL_CHECKED int hs_graph_terms_of(const hs_graph *graph, const hs_names *features,
                                   uint32_t *term_of, hsel_error *error);
/* After merging cycles: into[f] is the first feature that is the same term as f, itself for most
 * (into has an entry a feature). hs_dataset_merge takes it, and is to be called before hs_dag_bind,
 * which binds only the first. */
HSEL_CHECKED int hs_graph_merge_map(const hs_graph *graph, const hs_names *features, uint32_t *into,
                                    hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multiple testing procedures: which hypotheses to reject, given a p-value for each and a bound on
 * the error. Besides the classical ones, procedures for hypotheses that are nodes of a hierarchy,
 * where a relevant node makes its ancestors relevant. One row of hs_procedures per procedure.
 */
#pragma once

#include "data/data.h"

/* The hypotheses: p[v] from 0 to 1 of each of `count` nodes. dag NULL: no edges. */
typedef struct hs_hypotheses {
    const double *p;
    uint32_t count;
    const hsel_dag *dag;
    double alpha;          /* the level, more than 0 and at most 1 */
    const hs_names *names; /* of the nodes, for messages; NULL: none */
    /* The filter of Focused BH; NULL: outer nodes. Else, as in REVIGO, representatives: from the
     * smallest p on (ties to the lowest index), a node counts if its similarity with every one that
     * counts before it is at most `similar`. */
    const hs_similarity *similarity;
    double similar;
} hs_hypotheses;

/* The same options of the command and of selectors, over fields `filter` (0: outer nodes, else one
 * more than an hs_similarity_kind) and `similar`. */
#define HS_FILTER_OPTIONS(T)                                                                       \
    HS_CHOICE(T, filter, "filter", "outer|" HS_SIMILARITY_WORDS, "outer",                          \
              "rejected terms to keep, also within Focused BH: outer nodes (without a "            \
              "rejected descendant), or representatives (terms to which no better term "           \
              "is more similar than the option similar)"),                                         \
        HS_OPTION(T, similar, "similar", "S", "0.7", 0, 1,                                         \
                  "similarity above which a term is represented by a better one, for a filter by " \
                  "similarity")

typedef struct hs_procedure {
    const char *name, *title, *help;
    const char *controls; /* "FDR", "FWER" */
    const char *assumes;  /* of the tests and the hierarchy; a noun phrase */
    bool upwards;         /* all ancestors of a rejected node are rejected */
    bool tree;            /* every node must have at most one parent */
    bool any;             /* the variant for arbitrarily dependent tests */
    bool filters;         /* bounds the error among the nodes that the filter keeps */
    bool infers;          /* rejects ancestors whatever their own p-values are */
    /* Sets rejected[v], and adjusted[v]: the smallest level at which v is rejected, at most 1; NaN
     * where the procedure does not define it. */
    int (*run)(const hs_hypotheses *h, bool any, bool *rejected, double *adjusted,
               hsel_error *error);
} hs_procedure;

extern const hs_procedure hs_procedures[]; /* the last has no name */

/* By its name; NULL with HSEL_EUSAGE and the known names. */
const hs_procedure *hs_procedure_find(const char *name, hsel_error *error);
/* Checks p-values, level and shape, and runs it. HSEL_EUSAGE names what is wrong. */
HSEL_CHECKED int hs_procedure_run(const hs_procedure *procedure, const hs_hypotheses *h,
                                  bool *rejected, double *adjusted, hsel_error *error);
/* inherited[v]: by its own p-value v would not be rejected at the level adjusted[v], not even as
 * the last of those; it is because something below it is. None, unless the procedure infers. */
HSEL_CHECKED int hs_inherited(const hs_procedure *procedure, const hs_hypotheses *h,
                              const double *adjusted, bool *inherited, hsel_error *error);
/* The outer nodes filter: outer[v] if v is rejected and none of its descendants is; how many.
 * O(edges). */
uint32_t hs_outer_nodes(const hsel_dag *dag, uint32_t count, const bool *rejected, bool *outer);
/* What the filter of the hypotheses leaves of those rejected; *left of them. Representatives take
 * O(nodes + edges) each. */
HSEL_CHECKED int hs_filter_rejected(const hs_hypotheses *h, const bool *rejected, bool *kept,
                                    uint32_t *left, hsel_error *error);

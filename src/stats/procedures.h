/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which hypotheses to reject, given a p-value for each and a bound on the error: the classical
 * procedures, and those that know that the hypotheses are the nodes of a hierarchy, where a
 * relevant node makes its ancestors relevant. One row of hs_procedures per procedure.
 */
#ifndef HS_STATS_PROCEDURES_H
#define HS_STATS_PROCEDURES_H

#include "data/dag.h"

/* The hypotheses: p[v] from 0 to 1 of each of `count` nodes. dag NULL: no edges. */
typedef struct hs_hypotheses {
    const double *p;
    uint32_t count;
    const hsel_dag *dag;
    double alpha;          /* the level, more than 0 and at most 1 */
    const hs_names *names; /* of the nodes, for messages; NULL: none */
} hs_hypotheses;

typedef struct hs_procedure {
    const char *name, *title, *help;
    const char *controls; /* "FDR", "FWER" */
    bool upwards;         /* of what it rejects, all ancestors are rejected */
    bool tree;            /* every node must have at most one parent */
    /* Sets rejected[v], and adjusted[v]: the smallest level at which v is rejected, at most 1; NaN
     * where the procedure does not tell. */
    int (*run)(const hs_hypotheses *h, bool *rejected, double *adjusted, hsel_error *error);
} hs_procedure;

extern const hs_procedure hs_procedures[]; /* the last has no name */

/* By its name; NULL with HSEL_EUSAGE and the names there are. */
const hs_procedure *hs_procedure_find(const char *name, hsel_error *error);
/* Checks p-values, level and shape, and runs it. HSEL_EUSAGE names what is wrong. */
HSEL_CHECKED int hs_procedure_run(const hs_procedure *procedure, const hs_hypotheses *h,
                                  bool *rejected, double *adjusted, hsel_error *error);
/* The outer nodes filter: outer[v] if v is rejected and none of its descendants is; how many.
 * O(edges). */
uint32_t hs_outer_nodes(const hsel_dag *dag, uint32_t count, const bool *rejected, bool *outer);

#endif

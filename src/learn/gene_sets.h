/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many sets of instances, such as pathways: which of them can be predicted, and how well.
 *
 * Files: GMT (of GSEA and MSigDB: a line per set with its name, a description and its members,
 * between tabs), or two columns of set and member, between tabs or commas (as lists of KEGG and of
 * HPO). Lines that begin with # are comments; a first line of usual titles is a header. Members are
 * matched as in hs_match_instances; one with a prefix, such as hsa:10458, also without it.
 *
 * Each set is the positive class in turn, and all other instances are unlabelled: out-of-fold
 * scores as in learn/discover.h, and their metrics without negatives (stats/unlabelled.h). Sets
 * share the data and run on different threads.
 */
#pragma once

#include "learn/discover.h"

typedef struct hs_gene_sets { /* zero-initialise; hs_gene_sets_clear frees */
    hs_names names, genes;
    hs_sparse members; /* of each set: genes, in the order of the file */
} hs_gene_sets;

HSEL_CHECKED int hs_gene_sets_read(hs_reader *reader, hs_gene_sets *out, hsel_error *error);
void hs_gene_sets_clear(hs_gene_sets *sets);

typedef struct hs_set_result {
    uint32_t set, size, matched; /* members, and instances that they are */
    bool small, large;           /* left out */
    hs_pu_metrics metrics;       /* of the others */
} hs_set_result;

typedef struct hs_set_results { /* zero-initialise; hs_set_results_clear frees */
    hs_set_result *items;       /* [sets]: best first, then those left out */
    uint32_t count, evaluated;
    hs_names missing; /* members of any set that match nothing, or several instances */
} hs_set_results;

/* request: known, negative, top, fdr and correct_bias are not used. Sets with fewer matched members
 * than `smallest` (or folds), or more than `largest`, are left out. */
HSEL_CHECKED int hs_evaluate_sets(const hs_discover_request *request, const hs_gene_sets *sets,
                                  uint32_t smallest, uint32_t largest, hs_set_results *out,
                                  hsel_error *error);
void hs_set_results_clear(hs_set_results *results);
/* The top that the table shows: 1 % of the instances. NULL: there is none. */
const hs_pu_top *hs_set_top(const hs_pu_metrics *metrics);

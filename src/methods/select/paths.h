/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing nodes of a hierarchy by what holds on its paths, from the DAG and one score per node:
 * the algorithms of the eager hierarchical selectors, apart from how scores come from data.
 *
 * A path goes from a root to a leaf; an isolated node is a path. No path is ever listed: there may
 * be more of them than memory holds. Scores are finite. `keep` has an entry per node; unless said
 * otherwise it is only written. A function fails only if memory runs out, or if `progress` (a
 * parameter of slow functions, may be NULL) requests a stop.
 */
#pragma once

#include "data/data.h"

/* Two scores, or a score and a mean, that differ by no more than this are equal: sums of logarithms
 * differ in the last digits with the order of adding. */
#define HS_PATH_TOLERANCE 1e-12

/* ---- maxima ---- */

typedef enum hs_path_tie { HS_TIE_ROOT, HS_TIE_LEAF, HS_TIE_BOTH } hs_path_tie;

/* Nodes that are the maximum of some path: of equal maxima of a path, that nearest the root, that
 * nearest the leaf, or all. O(edges). */
HSEL_CHECKED int hs_paths_maxima(const hsel_dag *dag, const double *score, hs_path_tie tie,
                                 bool *keep, hsel_error *error);
/* Nodes where some walk from a root to a leaf stops that stops at the first node whose score is no
 * less than the next one's. O(edges). */
HSEL_CHECKED int hs_paths_first_local(const hsel_dag *dag, const double *score, bool *keep,
                                      hsel_error *error);
/* Drops from `keep` the nodes that have a kept descendant. O(edges). */
HSEL_CHECKED int hs_paths_most_special(const hsel_dag *dag, bool *keep, hsel_error *error);
/* Starts from the maxima (ties to the root). While one has another below it, it is replaced by the
 * maxima of the paths that start at its children. O(edges) per round, with at most as many rounds
 * as nodes and hardly ever more than the hierarchy has levels. */
HSEL_CHECKED int hs_paths_iterative(const hsel_dag *dag, const double *score, bool *keep,
                                    const hs_progress *progress, hsel_error *error);

/* ---- greedy ---- */

/* For each root and its descendants: takes the best node, removes its ancestors and descendants,
 * and repeats; ties to the lower index. A node is kept if it is taken for any root. O(edges) per
 * root, and a sort. */
HSEL_CHECKED int hs_paths_antichain(const hsel_dag *dag, const double *score, bool *keep,
                                    const hs_progress *progress, hsel_error *error);
/* For each leaf, by index: takes the best remaining node of a shortest path to it (upwards, the
 * parent nearest to a root, then the lower index), ties to the root, and removes its ancestors and
 * descendants. O(edges + leaves * depth). */
HSEL_CHECKED int hs_paths_shortest(const hsel_dag *dag, const double *score, bool *keep,
                                   const hs_progress *progress, hsel_error *error);

/* ---- means ---- */

/* Which nodes a mean is over: all of an original path, those of them that are kept on entry, or the
 * paths of the hierarchy over the kept nodes, the others being contracted. */
typedef enum hs_mean_over { HS_MEAN_ALL, HS_MEAN_KEPT, HS_MEAN_CONTRACTED } hs_mean_over;

/* Drops from `keep` the nodes whose score is below the mean of some path through them (strict) or
 * of every path through them. O(edges * nodes of the longest path) at most, memory O(nodes). */
HSEL_CHECKED int hs_paths_prune(const hsel_dag *dag, const double *score, hs_mean_over over,
                                bool strict, bool *keep, const hs_progress *progress,
                                hsel_error *error);
/* The later phases of hfe: prunes (means over the kept nodes of original paths), drops scores of 0,
 * then those kept leaves that end a path shorter than the longest and score below the mean of all
 * kept nodes. */
HSEL_CHECKED int hs_paths_hfe(const hsel_dag *dag, const double *score, bool strict, bool *keep,
                              const hs_progress *progress, hsel_error *error);

/* ---- parents ---- */

/* Drops (sets keep to false for) each node that has a parent with 1 - |score - score of parent| at
 * or above the threshold; keeps all others. One test per edge. */
void hs_paths_unlike_parents(const hsel_dag *dag, const double *score, double threshold,
                             bool *keep);

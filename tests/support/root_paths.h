/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All paths of a small hierarchy, listed one by one: what the library never does. And small random
 * hierarchies with scores from tiny ranges, so that ties abound.
 */
#ifndef HS_TESTS_ROOT_PATHS_H
#define HS_TESTS_ROOT_PATHS_H

#include "support/graphs.h"

#define MOST_PATHS 1200 /* a complete DAG of MOST nodes has 2^(MOST-2) */

typedef struct one_path {
    uint32_t node[MOST], length; /* from the root (or the start asked for) to the leaf */
} one_path;

typedef struct path_list {
    one_path path[MOST_PATHS];
    uint32_t count;
} path_list;

/* Every path that starts at `from` and ends at a leaf, appended. */
void list_paths_from(const small_graph *graph, uint32_t from, path_list *out);
/* Every path from a root to a leaf. */
void list_paths(const small_graph *graph, path_list *out);

/* Three in ten are trees or forests; the others have densities from 0.15 to 0.8. 1 to 9 nodes. */
void random_hierarchy(hs_stream *stream, small_graph *graph);
/* Whole numbers from 0 to 1, 2, 4 or 20. */
void random_scores(hs_stream *stream, uint32_t nodes, double *score);
/* The hierarchy over the nodes kept, others contracted. */
void contract_slowly(const small_graph *graph, const bool *keep, small_graph *out);

#endif

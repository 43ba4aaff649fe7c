/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A DAG renumbered along its topological order (or against it), for sweeps: the rank of a node is
 * greater than that of every node it can reach in the direction looked at, and its neighbours there
 * are listed by ascending rank.
 */
#ifndef HS_DATA_RANKED_H
#define HS_DATA_RANKED_H

#include "data/adjacency.h"
#include "data/dag.h"

typedef enum hs_direction { HS_UP, HS_DOWN } hs_direction; /* ancestors, descendants */

typedef struct hs_ranked { /* zero-initialise; hs_ranked_clear frees */
    uint32_t *node;        /* rank -> node */
    hs_adjacency before;   /* rank -> ranks of its parents (HS_UP) or children (HS_DOWN), all lower,
                              ascending */
    hs_adjacency after;    /* the other direction: ranks that are all higher, in any order */
} hs_ranked;

HSEL_CHECKED int hs_ranked_new(const hsel_dag *dag, hs_direction direction, hs_ranked *out,
                               hsel_error *error);
void hs_ranked_clear(hs_ranked *ranked);

#endif

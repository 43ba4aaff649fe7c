/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proper ancestors of nodes, one after the other, by a walk over the graph:
 *     HS_OWNS(hs_reach_clear) hs_reach reach = {0};
 *     HS_TRY(hs_reach_init(&reach, dag, error));
 *     for (hs_reach_start(&reach, v); (u = hs_reach_next(&reach)) != HSEL_NONE;) …
 * Each comes once, in no particular order. One scratch per thread, used for any number of nodes.
 */
#ifndef HS_DATA_REACH_H
#define HS_DATA_REACH_H

#include "data/dag.h"

typedef struct hs_reach { /* zero-initialise; hs_reach_clear frees */
    const hsel_dag *dag;
    uint32_t *stack, *stamp, top, round; /* stamp[v] == round: v was met */
} hs_reach;

HSEL_CHECKED int hs_reach_init(hs_reach *reach, const hsel_dag *dag, hsel_error *error);
void hs_reach_clear(hs_reach *reach);
void hs_reach_start(hs_reach *reach, uint32_t node);
uint32_t hs_reach_next(hs_reach *reach);

#endif

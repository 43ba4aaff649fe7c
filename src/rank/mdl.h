/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discretisation of a numeric column by Fayyad and Irani's minimum description length principle, as
 * WEKA does it before it scores numeric features.
 */
#ifndef HS_RANK_MDL_H
#define HS_RANK_MDL_H

#include <stdbool.h>

#include "rank/ordered.h"

typedef struct hs_mdl {                              /* scratch of a thread; hs_mdl_clear frees */
    uint32_t *left, *right, *best_left, *best_right; /* [classes] */
    double *present_cost;                            /* [classes + 1]: log2(3^k - 2) */
    bool *cut; /* [groups]: is there a cut between this group and the next? */
} hs_mdl;

HSEL_CHECKED int hs_mdl_init(hs_mdl *mdl, const hs_labelled *columns, hsel_error *error);
void hs_mdl_clear(hs_mdl *mdl);
/* Sets cut[] for all groups of the column; returns how many cuts there are. */
uint32_t hs_mdl_cuts(const hs_ordered *ordered, const hs_labelled *columns, hs_mdl *mdl);
/* The value at the cut after a group: halfway to the next. */
static inline double hs_mdl_value(const hs_ordered *ordered, uint32_t group)
{
    return (ordered->value[group] + ordered->value[group + 1]) / 2;
}

#endif

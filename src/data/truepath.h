/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The true-path rule: a positive feature makes its ancestors positive. Checking it, and repairing
 * data that break it. Nothing is repaired unless asked.
 */
#ifndef HS_DATA_TRUEPATH_H
#define HS_DATA_TRUEPATH_H

#include "data/dataset.h"

typedef struct hs_truepath {
    uint64_t cells;                   /* (instance, edge) pairs: child positive, parent not */
    uint64_t edges;                   /* edges with at least one */
    uint32_t instances;               /* instances with at least one */
    uint32_t instance, child, parent; /* the first one; instance HSEL_NONE when there is none */
} hs_truepath;

/* O(sum of parents over all positive values). A data set without hierarchy breaks no rule. */
HSEL_CHECKED int hs_truepath_check(const hsel_dataset *data, hs_truepath *out, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which WEKA 3.6 sorts: a quicksort with the median of three as pivot, so equal keys
 * come out in an order of its own, on which results can depend.
 */
#ifndef HS_STATS_WEKA_SORT_H
#define HS_STATS_WEKA_SORT_H

#include <stdint.h>

/* index[0 … count) becomes the permutation that sorts the keys ascending (no NaN). O(count log
 * count) on average; the stack is short whatever the keys. */
void hs_weka_sort(const double *key, uint32_t count, uint32_t *index);

#endif

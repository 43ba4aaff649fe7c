/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting the values of a column. It is much of the work of ranking numeric features.
 */
#ifndef HS_RANK_VALUE_SORT_H
#define HS_RANK_VALUE_SORT_H

#include <stdint.h>

/* Sorts value[0 … count), none of which is NaN: sorted[i] is the value of rank i, and the lower
 * half of place[i] says where it stood; equal values keep their order (0 and -0 are equal). `place`
 * and `spare` have room for count. O(count), whatever the values are. */
void hs_sort_values(const double *value, uint32_t count, double *sorted, uint64_t *place,
                    uint64_t *spare);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting. By value: ties go to the lowest number and NaN comes last, so that the order is unique.
 */
#pragma once

#include <stdint.h>
#include <stddef.h>

typedef enum hs_direction { HS_UPWARDS, HS_DOWNWARDS } hs_direction;

/* Sorts the numbers in order[count] by value[number]. */
void hs_order(const double *value, hs_direction direction, uint32_t *order, size_t count);
/* All numbers from 0 to count - 1, into order[count]. */
void hs_order_all(const double *value, hs_direction direction, uint32_t *order, size_t count);
/* Whole numbers, ascending; `scratch` has room for `count` too. O(count) for each byte of the
 * largest number. */
void hs_sort_ascending(uint32_t *numbers, uint32_t *scratch, size_t count);

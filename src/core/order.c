/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by the C library's merge sort, whole numbers by a radix sort on bytes.
 */
#define _GNU_SOURCE /* qsort_r */
#include "core/core.h"

static int compare_values(const double *value, uint32_t i, uint32_t j, int lower)
{
    if (value[i] < value[j] || value[i] > value[j])
        return value[i] < value[j] ? lower : -lower;
    if (isnan(value[i]) != isnan(value[j]))
        return isnan(value[i]) ? 1 : -1;
    return (i > j) - (i < j);
}

static int upwards(const void *a, const void *b, void *value)
{
    return compare_values(value, *(const uint32_t *)a, *(const uint32_t *)b, -1);
}

static int downwards(const void *a, const void *b, void *value)
{
    return compare_values(value, *(const uint32_t *)a, *(const uint32_t *)b, 1);
}

void hs_order(const double *value, hs_direction direction, uint32_t *order, size_t count)
{
    qsort_r(order, count, sizeof *order, direction == HS_UPWARDS ? upwards : downwards,
            (void *)(uintptr_t)value);
}

void hs_order_all(const double *value, hs_direction direction, uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    hs_order(value, direction, order, count);
}

void hs_sort_ascending(uint32_t *numbers, uint32_t *scratch, size_t count)
{
    uint32_t largest = 0, *from = numbers, *to = scratch;
    for (size_t i = 0; i < count; i++)
        largest = numbers[i] > largest ? numbers[i] : largest;
    for (int shift = 0; shift < 32 && largest >> shift; shift += 8) {
        uint32_t start[257] = {0}, *swap = from;
        for (size_t i = 0; i < count; i++)
            start[(from[i] >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            start[b + 1] += start[b];
        for (size_t i = 0; i < count; i++)
            to[start[from[i] >> shift & 255]++] = from[i];
        from = to;
        to = swap;
    }
    if (from != numbers)
        memcpy(numbers, from, count * sizeof *numbers);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting the values of a column together with what belongs to them. Sorting is most of the work of
 * ranking numeric features, so keys are whole numbers in the order of the values.
 */
#ifndef HS_RANK_ITEM_SORT_H
#define HS_RANK_ITEM_SORT_H

#include <stdint.h>
#include <string.h>

typedef struct hs_item {
    uint64_t key;
    uint32_t label;
} hs_item;

/* Keys are in the order of the values; 0 and -0 have the same key. Not for NaN. */
static inline uint64_t hs_key_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((0 - (bits >> 63)) | UINT64_C(1) << 63);
}

static inline double hs_value_of(uint64_t key)
{
    uint64_t bits = key ^ (((key >> 63) - 1) | UINT64_C(1) << 63);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sorts by key; equal keys keep their order. Returns where the result is: `items` or `spare`, which
 * has as much room. O(count) for long lists (radix sort), O(count log count) for short ones. */
hs_item *hs_sort_items(hs_item *items, uint32_t count, hs_item *spare);

#endif

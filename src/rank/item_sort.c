/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Radix sort from the lowest digit for long lists; digits in which all keys agree cost nothing (the
 * lower half of the bits of whole numbers, for example). Merge sort over short sorted pieces for
 * short lists, where counters would cost more than the items. Both are stable.
 */
#include "rank/item_sort.h"

#define DIGIT   11
#define DIGITS  6
#define BUCKETS (1u << DIGIT)
#define LONG    1500 /* from here on the radix sort is faster (measured) */
#define PIECE   12

static void sort_piece(hs_item *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        hs_item item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Merges from[0 … middle) and from[middle … count) without branches on the keys. */
static void merge(const hs_item *from, uint32_t middle, uint32_t count, hs_item *to)
{
    uint32_t a = 0, b = middle, written = 0;
    while (a < middle && b < count) {
        uint32_t second = from[b].key < from[a].key;
        to[written++] = from[second ? b : a];
        b += second;
        a += 1 - second;
    }
    memcpy(to + written, from + a, (middle - a) * sizeof *to);
    memcpy(to + written + (middle - a), from + b, (count - b) * sizeof *to);
}

static hs_item *merge_sort(hs_item *items, uint32_t count, hs_item *spare)
{
    for (uint32_t at = 0; at < count; at += PIECE)
        sort_piece(items + at, count - at < PIECE ? count - at : PIECE);
    for (uint32_t width = PIECE; width < count; width *= 2) {
        for (uint32_t at = 0; at < count; at += 2 * width) {
            uint32_t length = count - at < 2 * width ? count - at : 2 * width;
            merge(items + at, length < width ? length : width, length, spare + at);
        }
        hs_item *held = items;
        items = spare;
        spare = held;
    }
    return items;
}

static uint32_t digit_of(uint64_t key, int digit)
{
    return (uint32_t)(key >> (digit * DIGIT)) & (BUCKETS - 1);
}

static hs_item *radix_sort(hs_item *items, uint32_t count, hs_item *spare)
{
    uint32_t counter[DIGITS][BUCKETS] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            counter[digit][digit_of(items[i].key, digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t *place = counter[digit], sum = 0;
        if (place[digit_of(items[0].key, digit)] == count)
            continue;
        for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
            uint32_t size = place[bucket];
            place[bucket] = sum;
            sum += size;
        }
        for (uint32_t i = 0; i < count; i++)
            spare[place[digit_of(items[i].key, digit)]++] = items[i];
        hs_item *held = items;
        items = spare;
        spare = held;
    }
    return items;
}

hs_item *hs_sort_items(hs_item *items, uint32_t count, hs_item *spare)
{
    return count < LONG ? merge_sort(items, count, spare) : radix_sort(items, count, spare);
}

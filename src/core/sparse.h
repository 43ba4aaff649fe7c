/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of numbers one after the other: list i is index[start[i]] … index[start[i+1]-1]. Rows and
 * columns of data, neighbours in graphs. Group and transpose are counting sorts: stable, O(lists +
 * numbers).
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hs_sparse { /* zero-initialise; hs_sparse_clear frees */
    uint64_t *start;
    uint32_t *index;
    uint32_t lists;
} hs_sparse;

static inline const uint32_t *hs_sparse_list(const hs_sparse *s, uint32_t i, size_t *count)
{
    assert(i < s->lists);
    *count = (size_t)(s->start[i + 1] - s->start[i]);
    return s->index + s->start[i];
}

/* Place of `wanted` in an ascending list, or HSEL_NONE. */
static inline uint32_t hs_find_ascending(const uint32_t *list, size_t count, uint32_t wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == wanted ? (uint32_t)low : HSEL_NONE;
}

/* Empty lists, and room for `room` numbers. */
HSEL_CHECKED int hs_sparse_init(hs_sparse *out, uint32_t lists, size_t room, hsel_error *error);
void hs_sparse_clear(hs_sparse *sparse);
/* List k holds value[i] (i itself when value is NULL) of every i with key[i] == k, in the order of
 * i. Every key must be below `lists`. */
HSEL_CHECKED int hs_sparse_group(uint32_t lists, const uint32_t *key, const uint32_t *value,
                                 size_t count, hs_sparse *out, hsel_error *error);
/* Marks everything that can be reached from marked numbers, in any number of steps: in[u] for every
 * number u in the list of a marked one. No number may be above the lists. */
HSEL_CHECKED int hs_sparse_close(const hs_sparse *lists, bool *in, hsel_error *error);
/* The other direction: list u of the result holds every v whose list has u, ascending. Every number
 * must be below `lists`. */
HSEL_CHECKED int hs_sparse_transpose(const hs_sparse *from, uint32_t lists, hs_sparse *out,
                                     hsel_error *error);

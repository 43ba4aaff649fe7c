/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adjacency lists one after the other, made by counting: what graph, cycles, DAG and closure are
 * built from. List v is item[start[v]] … item[start[v+1]-1]. Both functions are stable and take
 * O(lists + items).
 */
#ifndef HS_DATA_ADJACENCY_H
#define HS_DATA_ADJACENCY_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hs_adjacency { /* zero-initialise; hs_adjacency_clear frees */
    uint32_t *start, *item;
} hs_adjacency;

void hs_adjacency_clear(hs_adjacency *lists);
/* List k holds value[i] (i itself when value is NULL) of every i with key[i] == k, in the order of
 * i. Every key must be below `lists`, `count` at most HS_EDGES_LIMIT. */
HSEL_CHECKED int hs_adjacency_group(uint32_t lists, const uint32_t *key, const uint32_t *value,
                                    size_t count, hs_adjacency *out, hsel_error *error);
/* The other direction: list u of the result holds every v whose list has u, ascending. */
HSEL_CHECKED int hs_adjacency_transpose(uint32_t lists, const uint32_t *start, const uint32_t *item,
                                        hs_adjacency *out, hsel_error *error);

#endif

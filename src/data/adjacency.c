/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting sorts. While items are being placed, start[v + 1] is where the next item of list v goes;
 * once all are placed it is the end of list v, which is what it has to be.
 */
#include "data/adjacency.h"

#include "core/mem.h"

void hs_adjacency_clear(hs_adjacency *lists)
{
    hs_free(lists->start);
    hs_free(lists->item);
    *lists = (hs_adjacency){0};
}

/* start has one more entry than needed (lists + 2) while counting: see below. */
static int allocate(uint32_t lists, size_t count, hs_adjacency *out, hsel_error *error)
{
    out->start = HS_NEW_ZERO(uint32_t, (size_t)lists + 2);
    out->item = HS_NEW(uint32_t, count);
    if (!out->start || !out->item) {
        hs_adjacency_clear(out);
        return hs_fail_memory(error);
    }
    return HSEL_OK;
}

/* From counts of list v in start[v + 2] to the first place of list v in start[v + 1]. */
static void counts_to_places(uint32_t lists, uint32_t *start)
{
    for (size_t v = 2; v < (size_t)lists + 2; v++)
        start[v] += start[v - 1];
}

int hs_adjacency_group(uint32_t lists, const uint32_t *key, const uint32_t *value, size_t count,
                       hs_adjacency *out, hsel_error *error)
{
    int status = allocate(lists, count, out, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        out->start[(size_t)key[i] + 2]++;
    counts_to_places(lists, out->start);
    for (size_t i = 0; i < count; i++)
        out->item[out->start[(size_t)key[i] + 1]++] = value ? value[i] : (uint32_t)i;
    return HSEL_OK;
}

int hs_adjacency_transpose(uint32_t lists, const uint32_t *start, const uint32_t *item,
                           hs_adjacency *out, hsel_error *error)
{
    size_t count = start[lists];
    int status = allocate(lists, count, out, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        out->start[(size_t)item[i] + 2]++;
    counts_to_places(lists, out->start);
    for (uint32_t v = 0; v < lists; v++)
        for (uint32_t i = start[v]; i < start[v + 1]; i++)
            out->item[out->start[(size_t)item[i] + 1]++] = v;
    return HSEL_OK;
}

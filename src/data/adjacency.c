/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting sorts. While items are being placed, start[v + 1] is where the next item of list v goes;
 * once all are placed it is the end of list v, which is what it has to be. So start has one more
 * entry than needed (lists + 2), and list v is counted in start[v + 2].
 */
#include "data/adjacency.h"

#include "core/mem.h"

void hs_adjacency_clear(hs_adjacency *lists)
{
    hs_free(lists->start);
    hs_free(lists->item);
    *lists = (hs_adjacency){0};
}

/* Room for `count` items of the lists key[i], and the first place of each. */
static int start_lists(uint32_t lists, const uint32_t *key, size_t count, hs_adjacency *out,
                       hsel_error *error)
{
    out->start = HS_NEW_ZERO(uint32_t, (size_t)lists + 2);
    out->item = HS_NEW(uint32_t, count);
    if (!out->start || !out->item) {
        hs_adjacency_clear(out);
        return hs_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        out->start[(size_t)key[i] + 2]++;
    for (size_t v = 2; v < (size_t)lists + 2; v++)
        out->start[v] += out->start[v - 1];
    return HSEL_OK;
}

int hs_adjacency_group(uint32_t lists, const uint32_t *key, const uint32_t *value, size_t count,
                       hs_adjacency *out, hsel_error *error)
{
    HS_TRY(start_lists(lists, key, count, out, error));
    for (size_t i = 0; i < count; i++)
        out->item[out->start[(size_t)key[i] + 1]++] = value ? value[i] : (uint32_t)i;
    return HSEL_OK;
}

int hs_adjacency_transpose(uint32_t lists, const uint32_t *start, const uint32_t *item,
                           hs_adjacency *out, hsel_error *error)
{
    HS_TRY(start_lists(lists, item, start[lists], out, error));
    for (uint32_t v = 0; v < lists; v++)
        for (uint32_t i = start[v]; i < start[v + 1]; i++)
            out->item[out->start[(size_t)item[i] + 1]++] = v;
    return HSEL_OK;
}

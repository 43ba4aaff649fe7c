/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting sorts. While numbers are being placed, start[v + 1] is where the next number of list v
 * goes; once all are placed it is the end of list v, which is what it has to be. So start has one
 * more entry than needed (lists + 2), and list v is counted in start[v + 2].
 */
#include "core/core.h"

int hs_sparse_init(hs_sparse *out, uint32_t lists, size_t room, hsel_error *error)
{
    *out = (hs_sparse){.start = HS_NEW_ZERO(uint64_t, (size_t)lists + 2),
                       .index = HS_NEW(uint32_t, room),
                       .lists = lists};
    if (out->start && out->index)
        return HSEL_OK;
    hs_sparse_clear(out);
    return hs_fail_memory(error);
}

void hs_sparse_clear(hs_sparse *sparse)
{
    HS_FREE(sparse->start, sparse->index);
    *sparse = (hs_sparse){0};
}

/* Room for `count` numbers of the lists key[i], and the first place of each list. */
static int start_lists(uint32_t lists, const uint32_t *key, size_t count, hs_sparse *out,
                       hsel_error *error)
{
    HS_TRY(hs_sparse_init(out, lists, count, error));
    for (size_t i = 0; i < count; i++) {
        assert(key[i] < lists);
        out->start[(size_t)key[i] + 2]++;
    }
    for (size_t v = 2; v < (size_t)lists + 2; v++)
        out->start[v] += out->start[v - 1];
    return HSEL_OK;
}

int hs_sparse_group(uint32_t lists, const uint32_t *key, const uint32_t *value, size_t count,
                    hs_sparse *out, hsel_error *error)
{
    HS_TRY(start_lists(lists, key, count, out, error));
    for (size_t i = 0; i < count; i++)
        out->index[out->start[(size_t)key[i] + 1]++] = value ? value[i] : (uint32_t)i;
    return HSEL_OK;
}

int hs_sparse_close(const hs_sparse *lists, bool *in, hsel_error *error)
{
    HS_OWNED uint32_t *queue = HS_NEW(uint32_t, lists->lists);
    uint32_t queued = 0;
    HS_NEED(queue);
    for (uint32_t v = 0; v < lists->lists; v++)
        if (in[v])
            queue[queued++] = v;
    for (uint32_t next = 0; next < queued; next++)
        for (uint64_t i = lists->start[queue[next]]; i < lists->start[queue[next] + 1]; i++) {
            uint32_t v = lists->index[i];
            if (!in[v])
                queue[queued++] = v;
            in[v] = true;
        }
    return HSEL_OK;
}

int hs_sparse_transpose(const hs_sparse *from, uint32_t lists, hs_sparse *out, hsel_error *error)
{
    HS_TRY(start_lists(lists, from->index, (size_t)from->start[from->lists], out, error));
    for (uint32_t v = 0; v < from->lists; v++)
        for (uint64_t i = from->start[v]; i < from->start[v + 1]; i++)
            out->index[out->start[(size_t)from->index[i] + 1]++] = v;
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Renumbering. Going over the ranks upwards and entering each into the lists of those that come
 * after it leaves the lists ascending.
 */
#include "data/ranked.h"

#include "core/mem.h"

void hs_ranked_clear(hs_ranked *ranked)
{
    hs_free(ranked->node);
    ranked->node = NULL;
    hs_adjacency_clear(&ranked->before);
    hs_adjacency_clear(&ranked->after);
}

static int list_after(const hsel_dag *dag, hs_direction direction, const uint32_t *rank,
                      hs_ranked *ranked, hsel_error *error)
{
    hs_adjacency *after = &ranked->after;
    const uint32_t *start = direction == HS_UP ? dag->child_start : dag->parent_start;
    const uint32_t *item = direction == HS_UP ? dag->child : dag->parent;
    uint32_t used = 0;
    after->start = HS_NEW(uint32_t, (size_t)dag->nodes + 1);
    after->item = HS_NEW(uint32_t, dag->edges);
    HS_NEED(after->start && after->item);
    after->start[0] = 0;
    for (uint32_t r = 0; r < dag->nodes; r++) {
        uint32_t v = ranked->node[r];
        for (uint32_t i = start[v]; i < start[v + 1]; i++)
            after->item[used++] = rank[item[i]];
        after->start[r + 1] = used;
    }
    return HSEL_OK;
}

int hs_ranked_new(const hsel_dag *dag, hs_direction direction, hs_ranked *out, hsel_error *error)
{
    int status = HSEL_OK;
    uint32_t nodes = dag->nodes;
    uint32_t *rank = HS_NEW(uint32_t, nodes);
    out->node = HS_NEW(uint32_t, nodes);
    if (!rank || !out->node) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t r = 0; r < nodes; r++) {
        uint32_t v = dag->order[direction == HS_UP ? r : nodes - 1 - r];
        out->node[r] = v;
        rank[v] = r;
    }
    status = list_after(dag, direction, rank, out, error);
    if (!status)
        status =
            hs_adjacency_transpose(nodes, out->after.start, out->after.item, &out->before, error);
out:
    hs_free(rank);
    if (status)
        hs_ranked_clear(out);
    return status;
}

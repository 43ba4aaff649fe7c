/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk: a stack of nodes that were met and not looked at yet. O(edges above the node).
 */
#include "data/reach.h"

#include "core/mem.h"

int hs_reach_init(hs_reach *reach, const hsel_dag *dag, hsel_error *error)
{
    *reach = (hs_reach){.dag = dag,
                        .stack = HS_NEW(uint32_t, dag->nodes),
                        .stamp = HS_NEW_ZERO(uint32_t, dag->nodes)};
    if (reach->stack && reach->stamp)
        return HSEL_OK;
    hs_reach_clear(reach);
    return hs_fail_memory(error);
}

void hs_reach_clear(hs_reach *reach)
{
    hs_free(reach->stack);
    hs_free(reach->stamp);
    *reach = (hs_reach){0};
}

static void push_parents(hs_reach *reach, uint32_t node)
{
    size_t count;
    const uint32_t *parent = hs_parents(reach->dag, node, &count);
    for (size_t i = 0; i < count; i++)
        if (reach->stamp[parent[i]] != reach->round) {
            reach->stamp[parent[i]] = reach->round;
            reach->stack[reach->top++] = parent[i];
        }
}

void hs_reach_start(hs_reach *reach, uint32_t node)
{
    reach->top = 0;
    if (++reach->round == 0) { /* stamps of four thousand million rounds ago */
        memset(reach->stamp, 0, reach->dag->nodes * sizeof *reach->stamp);
        reach->round = 1;
    }
    push_parents(reach, node);
}

uint32_t hs_reach_next(hs_reach *reach)
{
    if (reach->top == 0)
        return HSEL_NONE;
    uint32_t node = reach->stack[--reach->top];
    push_parents(reach, node);
    return node;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proper ancestors or descendants of nodes, behind one iterator. How they are kept is chosen by
 * size: sorted lists if they are short in total, bit rows if the graph is small and dense, else a
 * walk over the graph each time.
 */
#ifndef HS_DATA_CLOSURE_H
#define HS_DATA_CLOSURE_H

#include "data/dag.h"
#include "data/ranked.h" /* hs_direction */

typedef enum hs_closure_form { HS_CLOSURE_LISTS, HS_CLOSURE_BITS, HS_CLOSURE_WALK } hs_closure_form;

typedef struct hs_closure hs_closure;

#define HS_CLOSURE_BUDGET ((size_t)256 << 20) /* bytes, the usual choice */

/* At most `budget` bytes. The DAG is borrowed and must outlive it. */
HSEL_CHECKED int hs_closure_new(const hsel_dag *dag, hs_direction direction, size_t budget,
                                hs_closure **out, hsel_error *error);
/* The same in a given form: for tests. */
HSEL_CHECKED int hs_closure_new_as(const hsel_dag *dag, hs_direction direction,
                                   hs_closure_form form, hs_closure **out, hsel_error *error);
void hs_closure_free(hs_closure *closure);
hs_closure_form hs_closure_get_form(const hs_closure *closure);

/* Iterating: one scratch a thread, reused for any number of nodes.
 *     hs_reach reach; hs_reach_init(&reach, closure, error) …
 *     for (hs_reach_start(&reach, v); (u = hs_reach_next(&reach)) != HSEL_NONE;) …
 * Lists and bit rows come in ascending order; a walk comes in no particular order, each node once.
 */
typedef struct hs_reach {
    const hs_closure *closure;
    const uint32_t *list, *list_end; /* lists */
    const uint64_t *row;             /* bits */
    size_t word;
    uint64_t bits;
    uint32_t *stack, *stamp, top, round; /* walk */
} hs_reach;

HSEL_CHECKED int hs_reach_init(hs_reach *reach, const hs_closure *closure, hsel_error *error);
void hs_reach_clear(hs_reach *reach);
void hs_reach_start(hs_reach *reach, uint32_t node);
uint32_t hs_reach_next(hs_reach *reach);
/* Is `other` among the ancestors (descendants) of `node`? Ends an iteration that is under way. */
bool hs_reach_has(hs_reach *reach, uint32_t node, uint32_t other);

#endif

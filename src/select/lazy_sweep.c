/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two sweeps over one instance. Both visit a node when all its children (upwards) or parents
 * (downwards) have been dealt with, by counting them off, so no order of the whole hierarchy is
 * needed and no more is touched than what follows.
 *
 * Upwards: the edges among the instance's positive features, each twice. O(positive features +
 * these edges).
 *
 * Downwards: only "open" negative nodes are visited, those whose parents are all positive or
 * passed. An open node v is passed when some descendant scores higher than v and all its negative
 * ancestors do: otherwise each descendant has a negative ancestor of at least its score, which
 * under HIP-MR and MR removes it, whatever the rest of the hierarchy is like. HIP passes nothing.
 * O(children of positive and of passed nodes + negative roots), never more than O(features +
 * edges), and no visit is made below a node that settles all that is below it.
 */
#include <math.h>
#include <string.h>

#include "select/lazy.h"

/* ---- upwards ------------------------------------------------------------------------------ */

static int break_rule(const hs_lazy *lazy, uint32_t child, uint32_t parent, hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT,
                   "%s is positive but its ancestor %s is not, which breaks the true-path rule; "
                   "--propagate repairs it",
                   hs_names_get(lazy->names, child), hs_names_get(lazy->names, parent));
}

int hs_lazy_start(const hs_lazy *lazy, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
                  hsel_error *error)
{
    uint32_t round = hs_lazy_scratch_next(scratch);
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(lazy, row[i])) {
            scratch->mark[row[i]] = round;
            scratch->count[row[i]] = 0;
        }
    for (size_t i = 0; i < count; i++) {
        size_t parents;
        const uint32_t *parent = hs_parents(lazy->dag, row[i], &parents);
        for (size_t j = 0; j < parents; j++) {
            if (scratch->mark[parent[j]] != round)
                return break_rule(lazy, row[i], parent[j], error);
            scratch->count[parent[j]]++;
        }
    }
    return HSEL_OK;
}

void hs_lazy_sweep_up(const hs_lazy *lazy, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch)
{
    uint32_t *list = scratch->list;
    size_t tail = 0;
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(lazy, row[i])) {
            scratch->value[row[i]] = -INFINITY;
            if (scratch->count[row[i]] == 0)
                list[tail++] = row[i];
        }
    for (size_t head = 0; head < tail; head++) {
        uint32_t v = list[head];
        double best = hs_greater(lazy->score[v], scratch->value[v]);
        size_t parents;
        const uint32_t *parent = hs_parents(lazy->dag, v, &parents);
        for (size_t j = 0; j < parents; j++) {
            scratch->value[parent[j]] = hs_greater(scratch->value[parent[j]], best);
            if (--scratch->count[parent[j]] == 0)
                list[tail++] = parent[j];
        }
    }
}

/* ---- downwards ---------------------------------------------------------------------------- */

typedef struct descent {
    const hs_lazy *lazy;
    hs_lazy_scratch *scratch;
    uint32_t positive, met; /* marks */
    size_t open;            /* length of scratch->list */
} descent;

/* The children of a positive or passed node v: negative ones learn the greatest score of v and the
 * negative nodes above it (-INFINITY: v is positive), and are open when this was their last parent.
 */
static void pass(descent *d, uint32_t v, double best)
{
    hs_lazy_scratch *s = d->scratch;
    const hsel_dag *dag = d->lazy->dag;
    for (uint32_t i = dag->child_start[v]; i < dag->child_start[v + 1]; i++) {
        uint32_t child = dag->child[i];
        if (s->mark[child] == d->positive)
            continue;
        if (s->mark[child] != d->met) {
            s->mark[child] = d->met;
            s->count[child] = dag->parent_start[child + 1] - dag->parent_start[child];
            s->value[child] = -INFINITY;
        }
        s->value[child] = hs_greater(s->value[child], best);
        if (--s->count[child] == 0)
            s->list[d->open++] = child;
    }
}

static void open_top(descent *d, const uint32_t *row, size_t count)
{
    const hs_lazy *lazy = d->lazy;
    for (uint32_t i = 0; i < lazy->roots; i++)
        if (d->scratch->mark[lazy->root[i]] != d->positive) {
            d->scratch->value[lazy->root[i]] = -INFINITY;
            d->scratch->list[d->open++] = lazy->root[i];
        }
    for (size_t i = 0; i < count; i++)
        pass(d, row[i], -INFINITY);
}

void hs_lazy_sweep_down(const hs_lazy *lazy, const uint32_t *row, size_t count,
                        hs_negative_rule rule, hs_lazy_scratch *scratch, hs_selection *out)
{
    descent d = {lazy, scratch, scratch->round, scratch->round + 1, 0};
    uint32_t kept = 0;
    open_top(&d, row, count);
    for (size_t head = 0; head < d.open; head++) {
        uint32_t v = scratch->list[head];
        if (rule == HS_NEGATIVE_HIP) {
            out->negative[kept++] = v;
            continue;
        }
        double score = lazy->score[v], above = scratch->value[v], below = lazy->below[v];
        if (above < score && (rule == HS_NEGATIVE_HIP_MR || below <= score))
            out->negative[kept++] = v;
        if (below > hs_greater(above, score))
            pass(&d, v, hs_greater(above, score));
    }
    hs_lazy_sort(out->negative, scratch->list, kept);
    out->negative_count = kept;
}

/* ---- order -------------------------------------------------------------------------------- */

static void place_by_byte(const uint32_t *from, uint32_t *to, size_t count, int shift)
{
    uint32_t start[257] = {0};
    for (size_t i = 0; i < count; i++)
        start[(from[i] >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
        start[b + 1] += start[b];
    for (size_t i = 0; i < count; i++)
        to[start[from[i] >> shift & 255]++] = from[i];
}

void hs_lazy_sort(uint32_t *items, uint32_t *other, size_t count)
{
    uint32_t largest = 0;
    uint32_t *from = items, *to = other;
    for (size_t i = 0; i < count; i++)
        largest = items[i] > largest ? items[i] : largest;
    for (int shift = 0; shift < 32 && largest >> shift; shift += 8) {
        place_by_byte(from, to, count, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

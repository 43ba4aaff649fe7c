/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The negative part of MR and HIP-MR without a sweep. A negative v stays iff each ancestor with R
 * >= R(v), a blocker of v, is positive (and, MR, no descendant has R > R(v), which no instance can
 * change). Blockers are found once, when the selector is prepared: going up from v as far as the
 * first one on every path, since those above it are positive when it is.
 *
 * Features without blockers stay wherever they are negative: a list that is copied. The others are
 * filed under their rarest blocker in the training part and looked at only in instances that have
 * it. So an instance takes O(features selected + positive features + features filed under them,
 * with their further blockers): hardly more than its answer.
 *
 * To prepare: O(edges walked), usually a few a feature. A hierarchy in which it would be more than
 * WALK_LIMIT for every feature and edge (thousands of leaves below thousands of ancestors in a row)
 * gets no index, and the sweep of lazy_sweep.c does the work. Memory O(features + blockers found).
 */
#include <string.h>

#include "core/mem.h"
#include "select/lazy.h"

enum { WALK_LIMIT = 64 };

typedef struct walk {
    const hs_lazy *lazy;
    const hs_counts *counts;
    uint32_t *stamp, *stack; /* [features] */
    size_t steps, limit;
    uint32_t
        *found; /* for each blocked feature: itself, how many blockers, these, the rarest first */
    size_t length, capacity;
} walk;

static void walk_clear(walk *w)
{
    hs_free(w->stamp);
    hs_free(w->stack);
    hs_free(w->found);
}

/* ---- preparing ---------------------------------------------------------------------------- */

/* Blockers of v to the end of `found`, which has room for all features. */
static uint32_t find_blockers(walk *w, uint32_t v)
{
    const hs_lazy *lazy = w->lazy;
    const double score = lazy->score[v];
    uint32_t top = 0, count = 0, *blocker = w->found + w->length + 2;
    w->stack[top++] = v;
    while (top > 0) {
        size_t parents;
        const uint32_t *parent = hs_parents(lazy->dag, w->stack[--top], &parents);
        w->steps += parents;
        for (size_t i = 0; i < parents; i++) {
            uint32_t u = parent[i];
            if (w->stamp[u] == v + 1)
                continue;
            w->stamp[u] = v + 1;
            if (lazy->score[u] >= score)
                blocker[count++] = u;
            else if (lazy->above[u] >= score)
                w->stack[top++] = u;
        }
    }
    return count;
}

static uint64_t support(const hs_counts *counts, uint32_t feature)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < counts->classes; c++)
        sum += hs_count(counts, feature, c);
    return sum;
}

static void rarest_first(const walk *w, uint32_t *blocker, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (support(w->counts, blocker[i]) < support(w->counts, blocker[best]))
            best = i;
    uint32_t swap = blocker[0];
    blocker[0] = blocker[best];
    blocker[best] = swap;
}

static bool can_stay(const hs_lazy *lazy, uint32_t v, hs_negative_rule rule)
{
    return hs_lazy_can_use(lazy, v) && (rule != HS_NEGATIVE_MR || lazy->below[v] <= lazy->score[v]);
}

static int find_all(walk *w, hs_negative_rule rule, hs_blockers *out, hsel_error *error)
{
    const hs_lazy *lazy = w->lazy;
    for (uint32_t v = 0; v < lazy->features && w->steps <= w->limit; v++) {
        if (!can_stay(lazy, v, rule))
            continue;
        if (lazy->above[v] < lazy->score[v]) {
            out->place[v] = out->free_count;
            out->free[out->free_count++] = v;
            continue;
        }
        if (!HS_GROW(&w->found, &w->capacity, w->length + lazy->features + 2))
            return hs_fail_memory(error);
        uint32_t count = find_blockers(w, v), *record = w->found + w->length;
        record[0] = v;
        record[1] = count;
        rarest_first(w, record + 2, count);
        w->length += count + 2;
    }
    return HSEL_OK;
}

/* Files what was found under the first blocker of each, which is left out of its list. */
static int file_all(const walk *w, hs_blockers *out, hsel_error *error)
{
    uint32_t features = w->lazy->features;
    out->start = HS_NEW_ZERO(size_t, (size_t)features + 2);
    out->filed = HS_NEW(uint32_t, w->length);
    if (!out->start || !out->filed)
        return hs_fail_memory(error);
    for (size_t at = 0; at < w->length; at += w->found[at + 1] + 2)
        out->start[w->found[at + 2] + 2] += w->found[at + 1] + 1;
    for (uint32_t f = 0; f < features; f++)
        out->start[f + 2] += out->start[f + 1];
    for (size_t at = 0; at < w->length; at += w->found[at + 1] + 2) {
        const uint32_t *record = w->found + at;
        uint32_t others = record[1] - 1;
        uint32_t *to = out->filed + out->start[record[2] + 1];
        to[0] = record[0];
        to[1] = others;
        memcpy(to + 2, record + 3, others * sizeof *to);
        out->start[record[2] + 1] += others + 2;
    }
    return HSEL_OK;
}

void hs_blockers_clear(hs_blockers *blockers)
{
    hs_free(blockers->free);
    hs_free(blockers->place);
    hs_free(blockers->start);
    hs_free(blockers->filed);
    *blockers = (hs_blockers){0};
}

int hs_lazy_find_blockers(hs_lazy *lazy, const hs_training *training, hs_negative_rule rule,
                          hsel_error *error)
{
    hs_blockers *out = &lazy->blockers;
    uint32_t features = lazy->features;
    walk w = {.lazy = lazy,
              .counts = training->counts,
              .stamp = HS_NEW_ZERO(uint32_t, features),
              .stack = HS_NEW(uint32_t, features),
              .limit = WALK_LIMIT * ((size_t)features + lazy->dag->edges)};
    out->free = HS_NEW(uint32_t, features);
    out->place = HS_NEW(uint32_t, features);
    int status = w.stamp && w.stack && out->free && out->place ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t f = 0; f < features && status == HSEL_OK; f++)
        out->place[f] = HSEL_NONE;
    if (status == HSEL_OK)
        status = find_all(&w, rule, out, error);
    if (status == HSEL_OK && w.steps <= w.limit)
        status = file_all(&w, out, error);
    if (status || w.steps > w.limit)
        hs_blockers_clear(out);
    walk_clear(&w);
    return status;
}

/* ---- selecting ---------------------------------------------------------------------------- */

/* The features without blockers, less the row's. */
static uint32_t copy_free(const hs_blockers *b, const uint32_t *row, size_t count, uint32_t *to)
{
    uint32_t from = 0, kept = 0;
    for (size_t i = 0; i <= count; i++) {
        uint32_t place = i < count ? b->place[row[i]] : b->free_count;
        if (place == HSEL_NONE)
            continue;
        memcpy(to + kept, b->free + from, (place - from) * sizeof *to);
        kept += place - from;
        from = place + 1;
    }
    return kept;
}

/* Those filed under positive features and negative themselves, whose other blockers are positive
 * too. */
static uint32_t collect_filed(const hs_blockers *b, const uint32_t *row, size_t count,
                              const hs_lazy_scratch *scratch, uint32_t *to)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t at = b->start[row[i]]; at < b->start[row[i] + 1];) {
            const uint32_t *record = b->filed + at;
            bool stays = scratch->mark[record[0]] != scratch->round;
            for (uint32_t j = 0; stays && j < record[1]; j++)
                stays = scratch->mark[record[2 + j]] == scratch->round;
            if (stays)
                to[kept++] = record[0];
            at += record[1] + 2;
        }
    return kept;
}

/* Two ascending lists into the first, which has room for both. */
static void merge_into(uint32_t *first, uint32_t count, const uint32_t *second, uint32_t more)
{
    while (more > 0) {
        uint32_t to = count + more - 1;
        first[to] =
            count > 0 && first[count - 1] > second[more - 1] ? first[--count] : second[--more];
    }
}

void hs_lazy_negatives(const hs_lazy *lazy, const uint32_t *row, size_t count,
                       hs_negative_rule rule, hs_lazy_scratch *scratch, hs_selection *out)
{
    const hs_blockers *b = &lazy->blockers;
    if (!b->filed) {
        hs_lazy_sweep_down(lazy, row, count, rule, scratch, out);
        return;
    }
    uint32_t kept = copy_free(b, row, count, out->negative);
    uint32_t more = collect_filed(b, row, count, scratch, scratch->list);
    hs_lazy_sort(scratch->list, scratch->count, more);
    merge_into(out->negative, kept, scratch->list, more);
    out->negative_count = kept + more;
}

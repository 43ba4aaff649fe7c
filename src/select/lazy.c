/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparing a lazy selector. When some features cannot be used (outside the mask, or not binary)
 * the hierarchy is contracted to the others first, so that relations pass through them and every
 * sweep may believe that each node counts.
 *
 * Selecting for an instance, by two sweeps. Both visit a node when all its children (upwards) or
 * parents (downwards) have been dealt with, by counting them off, so no order of the whole
 * hierarchy is needed and no more is touched than what follows.
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
 *
 * The negative part of MR and HIP-MR without a sweep: a negative v stays iff each ancestor with R
 * >= R(v), a blocker of v, is positive (and, MR, no descendant has R > R(v), which no instance can
 * change). Blockers are found once, when the selector is prepared: going up from v as far as the
 * first one on every path, since those above it are positive when it is. Features without blockers
 * stay wherever they are negative: a list that is copied. The others are filed under their rarest
 * blocker in the training part and looked at only in instances that have it. So an instance takes
 * O(features selected + positive features + features filed under them, with their further
 * blockers): hardly more than its answer.
 *
 * To prepare that: O(edges walked), usually a few per feature. A hierarchy in which it would be
 * more than WALK_LIMIT for every feature and edge (thousands of leaves below thousands of ancestors
 * in a row) gets no index, and the sweep does the work. Memory O(features + blockers found).
 */
#include "select/lazy.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

enum { WALK_LIMIT = 64 };

static double greater(double a, double b) { return a > b ? a : b; }

/* ---- scratch: marks are never cleared between instances, an older round's mark means nothing ----
 */

int hs_lazy_scratch_init(hs_lazy_scratch *scratch, uint32_t features, hsel_error *error)
{
    *scratch = (hs_lazy_scratch){.features = features,
                                 .mark = HS_NEW_ZERO(uint32_t, features),
                                 .count = HS_NEW(uint32_t, features),
                                 .list = HS_NEW(uint32_t, features),
                                 .value = HS_NEW(double, features)};
    if (scratch->mark && scratch->count && scratch->list && scratch->value)
        return HSEL_OK;
    hs_lazy_scratch_clear(scratch);
    return hs_fail_memory(error);
}

void hs_lazy_scratch_clear(hs_lazy_scratch *scratch)
{
    hs_free(scratch->mark);
    hs_free(scratch->count);
    hs_free(scratch->list);
    hs_free(scratch->value);
    *scratch = (hs_lazy_scratch){0};
}

uint32_t hs_lazy_scratch_next(hs_lazy_scratch *scratch)
{
    if (scratch->round >= UINT32_MAX - 3) {
        memset(scratch->mark, 0, scratch->features * sizeof *scratch->mark);
        scratch->round = 0;
    }
    return scratch->round += 2;
}

/* ---- usable features, their hierarchy and relevance ---- */

/* The hierarchy contracted to the usable features, under the old numbers; others are isolated. */
static int contract(hs_lazy *lazy, const hsel_dag *dag, hsel_error *error)
{
    HS_OWNED bool *keep = HS_NEW(bool, dag->nodes);
    HS_OWNED uint32_t *kept = HS_NEW(uint32_t, dag->nodes), *child = NULL, *parent = NULL;
    HS_OWNS(hs_dag_release) hsel_dag *small = NULL;
    uint32_t count = 0;
    size_t edges = 0;
    HS_NEED(keep && kept);
    for (uint32_t f = 0; f < dag->nodes; f++)
        if ((keep[f] = hs_lazy_can_use(lazy, f)))
            kept[count++] = f;
    HS_TRY(hs_dag_subset(dag, keep, &small, error));
    child = HS_NEW(uint32_t, small->edges);
    parent = HS_NEW(uint32_t, small->edges);
    HS_NEED(child && parent);
    for (uint32_t v = 0; v < small->nodes; v++)
        for (uint32_t i = small->parent_start[v]; i < small->parent_start[v + 1]; i++) {
            child[edges] = kept[v];
            parent[edges++] = kept[small->parent[i]];
        }
    HS_TRY(hs_dag_new(dag->nodes, child, parent, edges, &lazy->contracted, error));
    lazy->dag = lazy->contracted;
    return HSEL_OK;
}

static int find_hierarchy(hs_lazy *lazy, const hsel_dataset *data, hsel_error *error)
{
    lazy->dag = data->dag;
    if (lazy->usable)
        HS_TRY(contract(lazy, data->dag, error));
    HS_NEED(lazy->root = HS_ARENA_NEW(&lazy->memory, uint32_t, lazy->features));
    for (uint32_t f = 0; f < lazy->features; f++)
        if (hs_is_root(lazy->dag, f) && hs_lazy_can_use(lazy, f))
            lazy->root[lazy->roots++] = f;
    return HSEL_OK;
}

/* best[v] = max of score and best over the nodes of list(v), visited before v. */
static void gather(const hs_lazy *lazy, const uint32_t *start, const uint32_t *list, uint32_t v,
                   double *best)
{
    best[v] = -INFINITY;
    for (uint32_t i = start[v]; i < start[v + 1]; i++)
        best[v] = greater(best[v], greater(lazy->score[list[i]], best[list[i]]));
}

static int find_relevance(hs_lazy *lazy, const hs_training *training, const hs_relevance *by,
                          hsel_error *error)
{
    const hsel_dag *dag = lazy->dag;
    int measure = lazy->rule == HS_RPV ? by->measure : HS_BY_R;
    if (!training->counts->classes)
        return hs_fail(error, HSEL_EUSAGE, "relevance needs classes and the data set has none");
    HS_NEED(lazy->score = hs_arena_zero(&lazy->memory, lazy->features, sizeof(double)));
    for (uint32_t f = 0; f < lazy->features; f++) {
        hs_cells cells = hs_cells_of(training->counts, f, training->view.data->positive_class);
        if (hs_lazy_can_use(lazy, f))
            lazy->score[f] = measure == HS_BY_IG  ? hs_score_ig(&cells)
                             : measure == HS_BY_R ? hs_score_r(&cells, (hs_smoothing)by->smoothing)
                                                  : hs_score_lazyr(&cells, true, by->lazyr);
    }
    if (lazy->rule < HS_HIP_MR)
        return HSEL_OK;
    lazy->above = HS_ARENA_NEW(&lazy->memory, double, lazy->features);
    lazy->below = HS_ARENA_NEW(&lazy->memory, double, lazy->features);
    HS_NEED(lazy->above && lazy->below);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        gather(lazy, dag->parent_start, dag->parent, dag->order[i], lazy->above);
        gather(lazy, dag->child_start, dag->child, dag->order[dag->nodes - 1 - i], lazy->below);
    }
    return HSEL_OK;
}

/* ---- blockers ---- */

static uint64_t support(const hs_counts *counts, uint32_t feature)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < counts->classes; c++)
        sum += hs_count(counts, feature, c);
    return sum;
}

/* Leaves no index if it would take too long. */
static int find_blockers(hs_lazy *lazy, const hs_counts *counts, hsel_error *error)
{
    const uint32_t features = lazy->features;
    const double *score = lazy->score, *above = lazy->above;
    const size_t limit = WALK_LIMIT * ((size_t)features + lazy->dag->edges);
    HS_OWNED uint32_t *stamp = HS_NEW_ZERO(uint32_t, features), *stack = HS_NEW(uint32_t, features);
    /* for each blocked feature: itself, how many blockers, these, the rarest first */
    HS_OWNED uint32_t *found = NULL;
    size_t steps = 0, length = 0, capacity = 0;
    hs_blockers out = {.free = HS_ARENA_NEW(&lazy->memory, uint32_t, features),
                       .place = HS_ARENA_NEW(&lazy->memory, uint32_t, features)};
    HS_NEED(stamp && stack && out.free && out.place);
    for (uint32_t v = 0; v < features; v++) {
        out.place[v] = HSEL_NONE;
        if (!hs_lazy_can_use(lazy, v) || (lazy->rule == HS_MR && lazy->below[v] > score[v]))
            continue;
        if (above[v] < score[v]) {
            out.place[v] = out.free_count;
            out.free[out.free_count++] = v;
            continue;
        }
        HS_NEED(HS_GROW(&found, &capacity, length + features + 2));
        uint32_t top = 0, count = 0, rarest = 0, *blocker = found + length + 2;
        for (stack[top++] = v; top > 0;) {
            size_t parents;
            const uint32_t *parent = hs_parents(lazy->dag, stack[--top], &parents);
            steps += parents;
            for (size_t i = 0; i < parents; i++) {
                uint32_t u = parent[i];
                if (stamp[u] == v + 1)
                    continue;
                stamp[u] = v + 1;
                if (score[u] >= score[v])
                    blocker[count++] = u;
                else if (above[u] >= score[v])
                    stack[top++] = u;
            }
        }
        if (steps > limit)
            return HSEL_OK;
        for (uint32_t i = 1; i < count; i++)
            if (support(counts, blocker[i]) < support(counts, blocker[rarest]))
                rarest = i;
        uint32_t swap = blocker[0];
        blocker[0] = blocker[rarest];
        blocker[rarest] = swap;
        found[length] = v;
        found[length + 1] = count;
        length += count + 2;
    }
    /* file each under its first blocker, which is left out of its list */
    out.start = hs_arena_zero(&lazy->memory, (size_t)features + 2, sizeof(size_t));
    out.filed = HS_ARENA_NEW(&lazy->memory, uint32_t, length);
    HS_NEED(out.start && out.filed);
    for (size_t at = 0; at < length; at += found[at + 1] + 2)
        out.start[found[at + 2] + 2] += found[at + 1] + 1;
    for (uint32_t f = 0; f < features; f++)
        out.start[f + 2] += out.start[f + 1];
    for (size_t at = 0; at < length; at += found[at + 1] + 2) {
        const uint32_t *record = found + at;
        size_t *start = &out.start[record[2] + 1];
        uint32_t others = record[1] - 1, *to = out.filed + *start;
        to[0] = record[0];
        to[1] = others;
        memcpy(to + 2, record + 3, others * sizeof *to);
        *start += others + 2;
    }
    lazy->blockers = out;
    return HSEL_OK;
}

/* ---- the state ---- */

void hs_lazy_free(void *state)
{
    hs_lazy *lazy = state;
    if (!lazy)
        return;
    hs_dag_free(lazy->contracted);
    hs_arena_clear(&lazy->memory);
    hs_free(lazy);
}
HS_RELEASE(release, hs_lazy, hs_lazy_free)

const double *hs_lazy_get_scores(const void *state) { return ((const hs_lazy *)state)->score; }

int hs_lazy_prepare(const hs_training *training, const char *method, hs_lazy_rule rule,
                    const hs_relevance *by, size_t size, void **state, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNS(release) hs_lazy *lazy = hs_alloc_zero(1, size);
    *state = NULL;
    HS_NEED(lazy);
    lazy->rule = rule;
    lazy->names = &data->feature_names;
    lazy->features = data->features;
    lazy->all_binary = hs_dataset_all_binary(data);
    if (method && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs a hierarchy and the data set has none; give one "
                       "with --hierarchy",
                       method);
    if (view->features || !lazy->all_binary) {
        size_t words = hs_bit_words(data->features);
        HS_NEED(lazy->usable = hs_arena_zero(&lazy->memory, words, sizeof(uint64_t)));
        for (uint32_t f = 0; f < data->features; f++)
            if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
                hs_bit_set(lazy->usable, f);
    }
    if (method)
        HS_TRY(find_hierarchy(lazy, data, error));
    if (by)
        HS_TRY(find_relevance(lazy, training, by, error));
    if (rule >= HS_HIP_MR)
        HS_TRY(find_blockers(lazy, training->counts, error));
    *state = hs_take(&lazy);
    return HSEL_OK;
}

/* ---- one instance: upwards ---- */

/* Marks the usable positive features with scratch->round and sets scratch->count of each to the
 * number of its positive children. HSEL_EFORMAT names a positive feature with a negative ancestor.
 */
static int mark_positive(const hs_lazy *lazy, const uint32_t *row, size_t count,
                         hs_lazy_scratch *scratch, hsel_error *error)
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
                return hs_fail(error, HSEL_EFORMAT,
                               "%s is positive but its ancestor %s is not, which breaks the "
                               "true-path rule; --propagate repairs it",
                               hs_names_get(lazy->names, row[i]),
                               hs_names_get(lazy->names, parent[j]));
            scratch->count[parent[j]]++;
        }
    }
    return HSEL_OK;
}

/* For each of them, scratch->value = greatest score among its positive descendants, -INFINITY if it
 * has none. Uses the counts up. */
static void sweep_up(const hs_lazy *lazy, const uint32_t *row, size_t count,
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
        double best = greater(lazy->score[v], scratch->value[v]);
        size_t parents;
        const uint32_t *parent = hs_parents(lazy->dag, v, &parents);
        for (size_t j = 0; j < parents; j++) {
            scratch->value[parent[j]] = greater(scratch->value[parent[j]], best);
            if (--scratch->count[parent[j]] == 0)
                list[tail++] = parent[j];
        }
    }
}

/* ---- one instance: downwards ---- */

/* The children of a positive or passed node v: negative ones learn the greatest score of v and the
 * negative nodes above it (-INFINITY: v is positive), and are open when this was their last parent.
 * Returns how many are open then. */
static size_t pass(const hsel_dag *dag, hs_lazy_scratch *s, uint32_t v, double best, size_t open)
{
    const uint32_t positive = s->round, met = s->round + 1;
    for (uint32_t i = dag->child_start[v]; i < dag->child_start[v + 1]; i++) {
        uint32_t child = dag->child[i];
        if (s->mark[child] == positive)
            continue;
        if (s->mark[child] != met) {
            s->mark[child] = met;
            s->count[child] = dag->parent_start[child + 1] - dag->parent_start[child];
            s->value[child] = -INFINITY;
        }
        s->value[child] = greater(s->value[child], best);
        if (--s->count[child] == 0)
            s->list[open++] = child;
    }
    return open;
}

static void sweep_down(const hs_lazy *lazy, const uint32_t *row, size_t count,
                       hs_lazy_scratch *scratch, hs_selection *out)
{
    uint32_t kept = 0;
    size_t open = 0; /* length of scratch->list */
    for (uint32_t i = 0; i < lazy->roots; i++)
        if (scratch->mark[lazy->root[i]] != scratch->round) {
            scratch->value[lazy->root[i]] = -INFINITY;
            scratch->list[open++] = lazy->root[i];
        }
    for (size_t i = 0; i < count; i++)
        open = pass(lazy->dag, scratch, row[i], -INFINITY, open);
    for (size_t head = 0; head < open; head++) {
        uint32_t v = scratch->list[head];
        if (lazy->rule == HS_HIP) {
            out->negative[kept++] = v;
            continue;
        }
        double score = lazy->score[v], above = scratch->value[v], below = lazy->below[v];
        if (above < score && (lazy->rule == HS_HIP_MR || below <= score))
            out->negative[kept++] = v;
        if (below > greater(above, score))
            open = pass(lazy->dag, scratch, v, greater(above, score), open);
    }
    hs_lazy_sort(out->negative, scratch->list, kept);
    out->negative_count = kept;
}

/* The same through the index. */
static void collect_unblocked(const hs_blockers *b, const uint32_t *row, size_t count,
                              hs_lazy_scratch *scratch, hs_selection *out)
{
    uint32_t from = 0, kept = 0, more = 0, *to = out->negative, *list = scratch->list;
    for (size_t i = 0; i <= count; i++) { /* the features without blockers, less the row's */
        uint32_t place = i < count ? b->place[row[i]] : b->free_count;
        if (place == HSEL_NONE)
            continue;
        memcpy(to + kept, b->free + from, (place - from) * sizeof *to);
        kept += place - from;
        from = place + 1;
    }
    /* those filed under positive features and negative themselves, whose other blockers are
     * positive too */
    for (size_t i = 0; i < count; i++)
        for (size_t at = b->start[row[i]]; at < b->start[row[i] + 1];) {
            const uint32_t *record = b->filed + at;
            bool stays = scratch->mark[record[0]] != scratch->round;
            for (uint32_t j = 0; stays && j < record[1]; j++)
                stays = scratch->mark[record[2 + j]] == scratch->round;
            if (stays)
                list[more++] = record[0];
            at += record[1] + 2;
        }
    hs_lazy_sort(list, scratch->count, more);
    out->negative_count = kept + more;
    while (more > 0) { /* both lists ascend: merged from the end */
        uint32_t last = kept + more - 1;
        to[last] = kept > 0 && to[kept - 1] > list[more - 1] ? to[--kept] : list[--more];
    }
}

int hs_lazy_select(const void *state, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
                   hs_selection *out, hsel_error *error)
{
    const hs_lazy *lazy = state;
    const hs_lazy_rule rule = lazy->rule;
    uint32_t kept = 0;
    HS_TRY(mark_positive(lazy, row, count, scratch, error));
    if (rule >= HS_RPV)
        sweep_up(lazy, row, count, scratch);
    for (size_t i = 0; i < count; i++) {
        uint32_t v = row[i];
        if (!hs_lazy_can_use(lazy, v))
            continue;
        if (rule < HS_RPV    ? scratch->count[v] == 0
            : rule == HS_RPV ? scratch->value[v] <= lazy->score[v]
            : rule == HS_HIP_MR
                ? scratch->value[v] < lazy->score[v]
                : scratch->value[v] < lazy->score[v] && lazy->above[v] <= lazy->score[v])
            out->positive[kept++] = v;
    }
    out->positive_count = kept;
    out->negative_count = 0;
    out->all_negative = false;
    if (lazy->blockers.filed)
        collect_unblocked(&lazy->blockers, row, count, scratch, out);
    else if (rule != HS_HIP_PLUS && rule != HS_RPV)
        sweep_down(lazy, row, count, scratch, out);
    return HSEL_OK;
}

void hs_lazy_sort(uint32_t *items, uint32_t *other, size_t count)
{
    uint32_t largest = 0;
    uint32_t *from = items, *to = other;
    for (size_t i = 0; i < count; i++)
        largest = items[i] > largest ? items[i] : largest;
    for (int shift = 0; shift < 32 && largest >> shift; shift += 8) {
        uint32_t start[257] = {0}, *swap = from;
        for (size_t i = 0; i < count; i++)
            start[(from[i] >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            start[b + 1] += start[b];
        for (size_t i = 0; i < count; i++)
            to[start[from[i] >> shift & 255]++] = from[i];
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

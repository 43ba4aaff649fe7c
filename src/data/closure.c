/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ancestors or descendants in one of three forms. Lists and bit rows are made by rank, so a node's
 * set is the union of finished sets. Neighbours are taken by descending rank: one that is in the
 * set already came with all it reaches, so that only the edges of the transitive reduction cost
 * more than a look.
 */
#include "data/closure.h"

#include <string.h>

#include "core/mem.h"
#include "data/bits.h"

struct hs_closure {
    const hsel_dag *dag;
    hs_direction direction;
    hs_closure_form form;
    uint32_t *item; /* lists: that of node v is item[first[v]] …, length[v] of them */
    uint64_t *first;
    uint32_t *length;
    size_t items, capacity;
    uint64_t *rows; /* bits: the row of node v is rows + v * stride */
    size_t stride;
};

void hs_closure_free(hs_closure *closure)
{
    if (!closure)
        return;
    hs_free(closure->item);
    hs_free(closure->first);
    hs_free(closure->length);
    hs_free(closure->rows);
    hs_free(closure);
}

hs_closure_form hs_closure_get_form(const hs_closure *closure) { return closure->form; }

/* ---- lists ---- */

/* A set of nodes that is emptied by reading it in ascending order; `summary` has a bit for each
 * word of `words` that is not zero, so reading costs little more than what it finds. */
typedef struct node_set {
    uint64_t *words, *summary;
    size_t summary_words;
    size_t count;
} node_set;

static inline void set_add(node_set *set, uint32_t v)
{
    uint64_t bit = (uint64_t)1 << (v % 64);
    set->count += !(set->words[v / 64] & bit);
    set->words[v / 64] |= bit;
    hs_bit_set(set->summary, v / 64);
}

static void set_take(node_set *set, uint32_t *out)
{
    for (size_t s = 0; s < set->summary_words; s++)
        for (; set->summary[s]; set->summary[s] &= set->summary[s] - 1) {
            size_t w = s * 64 + (size_t)__builtin_ctzll(set->summary[s]);
            for (uint64_t word = set->words[w]; word; word &= word - 1)
                *out++ = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(word));
            set->words[w] = 0;
        }
    set->count = 0;
}

static int set_new(uint32_t nodes, node_set *set, hsel_error *error)
{
    size_t words = hs_bit_words(nodes);
    set->summary_words = hs_bit_words(words);
    set->words = HS_NEW_ZERO(uint64_t, words);
    set->summary = HS_NEW_ZERO(uint64_t, set->summary_words);
    return set->words && set->summary ? HSEL_OK : hs_fail_memory(error);
}

/* Collects what the node of `rank` reaches. */
static void collect(const hs_closure *c, const hs_ranked *ranked, uint32_t rank, node_set *set)
{
    const uint32_t *start = ranked->before.start, *before = ranked->before.item;
    for (uint32_t i = start[rank + 1]; i > start[rank]; i--) {
        uint32_t u = ranked->node[before[i - 1]];
        if (hs_bit_get(set->words, u))
            continue;
        set_add(set, u);
        for (uint32_t k = 0; k < c->length[u]; k++)
            set_add(set, c->item[c->first[u] + k]);
    }
}

/* Grows by half but never beyond `limit` items. */
static bool reserve_items(hs_closure *c, size_t need, size_t limit)
{
    if (need <= c->capacity)
        return true;
    size_t capacity = c->capacity + c->capacity / 2 + 1024;
    capacity = capacity > limit ? limit : capacity;
    capacity = capacity < need ? need : capacity;
    uint32_t *item = hs_realloc(c->item, capacity, sizeof *item);
    if (!item)
        return false;
    c->item = item;
    c->capacity = capacity;
    return true;
}

static int fill_lists(hs_closure *c, const hs_ranked *ranked, node_set *set, size_t limit,
                      bool *fits, hsel_error *error)
{
    for (uint32_t rank = 0; rank < c->dag->nodes; rank++) {
        uint32_t v = ranked->node[rank];
        collect(c, ranked, rank, set);
        if (set->count > limit - c->items) {
            *fits = false;
            return HSEL_OK;
        }
        if (!reserve_items(c, c->items + set->count, limit))
            return hs_fail_memory(error);
        c->first[v] = c->items;
        c->length[v] = (uint32_t)set->count;
        c->items += set->count;
        set_take(set, c->item + c->first[v]);
    }
    return HSEL_OK;
}

static void drop_lists(hs_closure *c)
{
    hs_free(c->item);
    hs_free(c->first);
    hs_free(c->length);
    c->item = c->length = NULL;
    c->first = NULL;
    c->items = c->capacity = 0;
}

/* What growing reserved ahead. */
static int give_back(hs_closure *c, hsel_error *error)
{
    uint32_t *item = hs_realloc(c->item, c->items, sizeof *item);
    if (!item)
        return hs_fail_memory(error);
    c->item = item;
    c->capacity = c->items;
    return HSEL_OK;
}

/* *fits is false, and nothing is kept, when there are more than `limit` items. */
static int make_lists(hs_closure *c, const hs_ranked *ranked, size_t limit, bool *fits,
                      hsel_error *error)
{
    node_set set = {0};
    *fits = true;
    c->form = HS_CLOSURE_LISTS;
    c->first = HS_NEW(uint64_t, c->dag->nodes);
    c->length = HS_NEW(uint32_t, c->dag->nodes);
    c->item = HS_NEW(uint32_t, 0);
    int status = set_new(c->dag->nodes, &set, error);
    if (!status && (!c->first || !c->length || !c->item))
        status = hs_fail_memory(error);
    if (!status)
        status = fill_lists(c, ranked, &set, limit, fits, error);
    hs_free(set.words);
    hs_free(set.summary);
    if (!status && *fits)
        status = give_back(c, error);
    if (status || !*fits)
        drop_lists(c);
    return status;
}

/* ---- bit rows ---- */

static int make_rows(hs_closure *c, const hs_ranked *ranked, hsel_error *error)
{
    const uint32_t *start = ranked->before.start, *before = ranked->before.item;
    size_t stride = hs_bit_words(c->dag->nodes), words;
    c->form = HS_CLOSURE_BITS;
    c->stride = stride;
    if (__builtin_mul_overflow(stride, (size_t)c->dag->nodes, &words))
        return hs_fail_memory(error);
    c->rows = HS_NEW_ZERO(uint64_t, words);
    if (!c->rows)
        return hs_fail_memory(error);
    for (uint32_t rank = 0; rank < c->dag->nodes; rank++) {
        uint64_t *row = c->rows + ranked->node[rank] * stride;
        for (uint32_t i = start[rank + 1]; i > start[rank]; i--) {
            uint32_t u = ranked->node[before[i - 1]];
            const uint64_t *other = c->rows + u * stride;
            if (hs_bit_get(row, u))
                continue;
            for (size_t w = 0; w < stride; w++)
                row[w] |= other[w];
            hs_bit_set(row, u);
        }
    }
    return HSEL_OK;
}

/* ---- choosing ---- */

/* A node at depth d has at least d ancestors; and there are as many pairs seen from above as from
 * below. */
static uint64_t items_at_least(const hsel_dag *dag)
{
    uint64_t sum = 0;
    for (uint32_t v = 0; v < dag->nodes; v++)
        sum += dag->depth[v];
    return sum > dag->edges ? sum : dag->edges;
}

/* False when there is no room for lists at all, else *limit is how many items they may have. */
static bool lists_within(const hsel_dag *dag, size_t budget, size_t *limit)
{
    size_t heads = (size_t)dag->nodes * (sizeof(uint64_t) + sizeof(uint32_t));
    if (budget < heads)
        return false;
    *limit = (budget - heads) / sizeof(uint32_t);
    return items_at_least(dag) <= *limit;
}

static bool rows_within(const hsel_dag *dag, size_t budget)
{
    size_t row = hs_bit_words(dag->nodes) * sizeof(uint64_t);
    return dag->nodes == 0 || row <= budget / dag->nodes;
}

static int choose(hs_closure *c, const hs_ranked *ranked, size_t budget, hsel_error *error)
{
    bool fits = false;
    int status = HSEL_OK;
    size_t limit;
    if (lists_within(c->dag, budget, &limit))
        status = make_lists(c, ranked, limit, &fits, error);
    if (status || fits)
        return status;
    if (rows_within(c->dag, budget))
        return make_rows(c, ranked, error);
    c->form = HS_CLOSURE_WALK;
    return HSEL_OK;
}

static int start_closure(const hsel_dag *dag, hs_direction direction, hs_closure **out,
                         hs_ranked *ranked, hsel_error *error)
{
    *out = HS_NEW_ZERO(hs_closure, 1);
    if (!*out)
        return hs_fail_memory(error);
    (*out)->dag = dag;
    (*out)->direction = direction;
    return hs_ranked_new(dag, direction, ranked, error);
}

static int finish_closure(int status, hs_closure **out, hs_ranked *ranked)
{
    hs_ranked_clear(ranked);
    if (status) {
        hs_closure_free(*out);
        *out = NULL;
    }
    return status;
}

int hs_closure_new(const hsel_dag *dag, hs_direction direction, size_t budget, hs_closure **out,
                   hsel_error *error)
{
    hs_ranked ranked = {0};
    int status = start_closure(dag, direction, out, &ranked, error);
    if (!status)
        status = choose(*out, &ranked, budget, error);
    return finish_closure(status, out, &ranked);
}

int hs_closure_new_as(const hsel_dag *dag, hs_direction direction, hs_closure_form form,
                      hs_closure **out, hsel_error *error)
{
    bool fits;
    hs_ranked ranked = {0};
    int status = start_closure(dag, direction, out, &ranked, error);
    if (!status && form == HS_CLOSURE_LISTS)
        status = make_lists(*out, &ranked, SIZE_MAX, &fits, error);
    else if (!status && form == HS_CLOSURE_BITS)
        status = make_rows(*out, &ranked, error);
    else if (!status)
        (*out)->form = HS_CLOSURE_WALK;
    return finish_closure(status, out, &ranked);
}

/* ---- iterating ---- */

int hs_reach_init(hs_reach *reach, const hs_closure *closure, hsel_error *error)
{
    *reach = (hs_reach){.closure = closure};
    if (closure->form != HS_CLOSURE_WALK)
        return HSEL_OK;
    reach->stack = HS_NEW(uint32_t, closure->dag->nodes);
    reach->stamp = HS_NEW_ZERO(uint32_t, closure->dag->nodes);
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

/* Puts the neighbours that were not met in this round on the stack. */
static void push_neighbours(hs_reach *reach, uint32_t v, hs_direction direction)
{
    size_t count;
    const hsel_dag *dag = reach->closure->dag;
    const uint32_t *next =
        direction == HS_UP ? hs_parents(dag, v, &count) : hs_children(dag, v, &count);
    for (size_t i = 0; i < count; i++)
        if (reach->stamp[next[i]] != reach->round) {
            reach->stamp[next[i]] = reach->round;
            reach->stack[reach->top++] = next[i];
        }
}

static void walk_start(hs_reach *reach)
{
    reach->top = 0;
    if (++reach->round == 0) { /* stamps of four thousand million rounds ago */
        memset(reach->stamp, 0, reach->closure->dag->nodes * sizeof *reach->stamp);
        reach->round = 1;
    }
}

void hs_reach_start(hs_reach *reach, uint32_t node)
{
    const hs_closure *c = reach->closure;
    switch (c->form) {
    case HS_CLOSURE_LISTS:
        reach->list = c->item + c->first[node];
        reach->list_end = reach->list + c->length[node];
        break;
    case HS_CLOSURE_BITS:
        reach->row = c->rows + node * c->stride;
        reach->word = 0;
        reach->bits = reach->row[0];
        break;
    case HS_CLOSURE_WALK:
        walk_start(reach);
        push_neighbours(reach, node, c->direction);
        break;
    }
}

static uint32_t next_bit(hs_reach *reach)
{
    while (reach->bits == 0) {
        if (reach->word + 1 >= reach->closure->stride)
            return HSEL_NONE;
        reach->bits = reach->row[++reach->word];
    }
    uint32_t bit = (uint32_t)__builtin_ctzll(reach->bits);
    reach->bits &= reach->bits - 1;
    return (uint32_t)(reach->word * 64) + bit;
}

uint32_t hs_reach_next(hs_reach *reach)
{
    if (reach->closure->form == HS_CLOSURE_LISTS)
        return reach->list < reach->list_end ? *reach->list++ : HSEL_NONE;
    if (reach->closure->form == HS_CLOSURE_BITS)
        return next_bit(reach);
    if (reach->top == 0)
        return HSEL_NONE;
    uint32_t v = reach->stack[--reach->top];
    push_neighbours(reach, v, reach->closure->direction);
    return v;
}

static bool list_has(const uint32_t *list, size_t count, uint32_t wanted)
{
    while (count > 0) {
        size_t half = count / 2;
        if (list[half] == wanted)
            return true;
        if (list[half] < wanted) {
            list += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
    return false;
}

/* Upwards in either direction: that way, depth tells which nodes need not be looked at. */
static bool walk_has(hs_reach *reach, uint32_t lower, uint32_t upper)
{
    const uint32_t *depth = reach->closure->dag->depth;
    walk_start(reach);
    if (depth[lower] > depth[upper])
        push_neighbours(reach, lower, HS_UP);
    while (reach->top > 0 && reach->stamp[upper] != reach->round) {
        uint32_t v = reach->stack[--reach->top];
        if (depth[v] > depth[upper])
            push_neighbours(reach, v, HS_UP);
    }
    reach->top = 0;
    return reach->stamp[upper] == reach->round;
}

bool hs_reach_has(hs_reach *reach, uint32_t node, uint32_t other)
{
    const hs_closure *c = reach->closure;
    if (c->form == HS_CLOSURE_LISTS)
        return list_has(c->item + c->first[node], c->length[node], other);
    if (c->form == HS_CLOSURE_BITS)
        return hs_bit_get(c->rows + node * c->stride, other);
    return c->direction == HS_UP ? walk_has(reach, node, other) : walk_has(reach, other, node);
}

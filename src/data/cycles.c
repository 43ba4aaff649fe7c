/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cycles of a hierarchy file: finding (strongly connected components by Tarjan's algorithm),
 * showing, merging and dropping them. Every search keeps its own stack: a chain of a million terms
 * is no deeper than memory.
 */
#include "data/graph.h"

#include <string.h>

#include "core/mem.h"
#include "data/adjacency.h"

/* ---- strongly connected components ---- */

typedef struct components {
    uint32_t *of;    /* term -> component */
    uint32_t *size;  /* component -> number of its terms */
    uint32_t count;  /* components */
    uint32_t cyclic; /* components of two terms or more … */
    uint32_t terms;  /* … and how many terms they have */
} components;

static void components_clear(components *found)
{
    hs_free(found->of);
    hs_free(found->size);
}

typedef struct search {
    const hs_adjacency *up;
    uint32_t *next;          /* the place in the parent list where the search of a term goes on */
    uint32_t *low;           /* 0: not met; else the earliest number that is reachable */
    uint32_t *path, *open;   /* terms being searched; terms whose component is not known yet */
    uint32_t depth, waiting; /* sizes of the two */
    uint32_t numbered;
} search;

static void enter(search *s, uint32_t term)
{
    s->low[term] = ++s->numbered;
    s->next[term] = s->up->start[term];
    s->path[s->depth++] = term;
    s->open[s->waiting++] = term;
}

/* All parents of the term on top have been searched. `number` is the number it got on entering. */
static void leave(search *s, uint32_t number, components *found)
{
    uint32_t term = s->path[--s->depth];
    if (s->low[term] == number) {
        uint32_t member, size = 0;
        do {
            member = s->open[--s->waiting];
            found->of[member] = found->count;
            size++;
        } while (member != term);
        found->size[found->count++] = size;
        found->cyclic += size > 1;
        found->terms += size > 1 ? size : 0;
    }
    if (s->depth > 0) {
        uint32_t below = s->path[s->depth - 1];
        if (s->low[term] < s->low[below])
            s->low[below] = s->low[term];
    }
}

static void search_from(search *s, uint32_t root, uint32_t *number, components *found)
{
    enter(s, root);
    number[root] = s->numbered;
    while (s->depth > 0) {
        uint32_t term = s->path[s->depth - 1];
        if (s->next[term] == s->up->start[term + 1]) {
            leave(s, number[term], found);
            continue;
        }
        uint32_t parent = s->up->item[s->next[term]++];
        if (s->low[parent] == 0) {
            enter(s, parent);
            number[parent] = s->numbered;
        } else if (found->of[parent] == HSEL_NONE && number[parent] < s->low[term])
            s->low[term] = number[parent];
    }
}

static int find_components(const hs_adjacency *up, uint32_t terms, components *found,
                           hsel_error *error)
{
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, terms);
    HS_OWNED uint32_t *next = HS_NEW(uint32_t, terms);
    HS_OWNED uint32_t *low = HS_NEW_ZERO(uint32_t, terms);
    HS_OWNED uint32_t *path = HS_NEW(uint32_t, terms);
    HS_OWNED uint32_t *open = HS_NEW(uint32_t, terms);
    found->of = HS_NEW(uint32_t, terms);
    found->size = HS_NEW(uint32_t, terms);
    HS_NEED(number && next && low && path && open && found->of && found->size);
    search s = {.up = up, .next = next, .low = low, .path = path, .open = open};
    memset(found->of, 0xff, terms * sizeof *found->of); /* HSEL_NONE */
    for (uint32_t t = 0; t < terms; t++)
        if (low[t] == 0)
            search_from(&s, t, number, found);
    return HSEL_OK;
}

/* ---- error: show one ---- */

#define SHOWN_NAMES 8u  /* a longer cycle is cut in the middle */
#define SHOWN_BYTES 60u /* and so is a longer name at its end: the advice after it must fit */

static void show_name(hs_buf *buf, const hs_names *terms, uint32_t term)
{
    const char *name = hs_names_get(terms, term);
    size_t length = hs_names_length(terms, term);
    if (length <= SHOWN_BYTES) {
        hs_buf_add(buf, name, length);
        return;
    }
    length = SHOWN_BYTES;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
        length--; /* not inside a UTF-8 character */
    hs_buf_add(buf, name, length);
    hs_buf_text(buf, "...");
}

/* A shortest cycle through `first`, which is on one, breadth first. `before` and `queue` have an
 * entry a term; the cycle is left in `queue`. Returns its length. */
static uint32_t shortest_cycle(const hs_adjacency *up, uint32_t first, uint32_t *before,
                               uint32_t *queue)
{
    uint32_t head = 0, tail = 0, length = 0, last = first;
    queue[tail++] = first;
    for (bool closed = false; head < tail && !closed; head++) {
        uint32_t term = queue[head];
        for (uint32_t i = up->start[term]; i < up->start[term + 1] && !closed; i++) {
            uint32_t parent = up->item[i];
            if (parent == first) {
                last = term;
                closed = true;
            } else if (before[parent] == HSEL_NONE) {
                before[parent] = term;
                queue[tail++] = parent;
            }
        }
    }
    for (uint32_t term = last; term != first; term = before[term])
        length++;
    length++;
    for (uint32_t term = last, i = length; i > 0; term = before[term])
        queue[--i] = term;
    return length;
}

static int report_cycle(const hs_graph *graph, const hs_adjacency *up, const components *found,
                        hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf buf = {0};
    uint32_t terms = graph->terms.count, first = 0;
    HS_OWNED uint32_t *before = HS_NEW(uint32_t, terms);
    HS_OWNED uint32_t *cycle = HS_NEW(uint32_t, terms);
    HS_NEED(before && cycle);
    memset(before, 0xff, terms * sizeof *before); /* HSEL_NONE */
    while (found->size[found->of[first]] == 1)
        first++;
    uint32_t length = shortest_cycle(up, first, before, cycle);
    for (uint32_t i = 0; i < length; i++) {
        if (length > SHOWN_NAMES && i == SHOWN_NAMES / 2) {
            uint32_t left_out = length - (SHOWN_NAMES - 1);
            hs_buf_printf(&buf, "(%u more) -> ", (unsigned)left_out);
            i += left_out;
        }
        show_name(&buf, &graph->terms, cycle[i]);
        hs_buf_text(&buf, " -> ");
    }
    show_name(&buf, &graph->terms, cycle[0]);
    HS_NEED(!buf.failed);
    return hs_fail_at(error, HSEL_EFORMAT, graph->source, 0,
                      "the hierarchy has a cycle: %s (%u terms are in cycles); "
                      "use --cycles merge or --cycles drop",
                      buf.text, (unsigned)found->terms);
}

/* ---- merge ---- */

static int merge_cycles(hs_graph *graph, const components *found, hsel_error *error)
{
    uint32_t terms = graph->terms.count;
    uint64_t loops = graph->self_loops, duplicates = graph->duplicate_edges;
    HS_OWNED uint32_t *first_of = HS_NEW(uint32_t, found->count);
    HS_OWNED uint32_t *into = HS_NEW(uint32_t, terms);
    HS_NEED(first_of && into);
    memset(first_of, 0xff, found->count * sizeof *first_of); /* HSEL_NONE */
    for (uint32_t t = 0; t < terms; t++) {
        uint32_t *first = &first_of[found->of[t]];
        if (*first == HSEL_NONE)
            *first = t;
        into[t] = *first;
    }
    for (size_t e = 0; e < graph->edges; e++) {
        graph->child[e] = into[graph->child[e]];
        graph->parent[e] = into[graph->parent[e]];
    }
    hs_free(graph->merged_into);
    graph->merged_into = hs_take(&into);
    graph->terms_merged += found->terms - found->cyclic;
    int status = hs_graph_clean(graph, error);
    graph->self_loops = loops; /* what merging made does not stand in the file */
    graph->duplicate_edges = duplicates;
    return status;
}

/* ---- drop ---- */

enum { UNSEEN, ON_PATH, DONE };

/* Drops the edges that lead back onto the path of a depth-first search, and counts them. */
static int drop_cycles(hs_graph *graph, hsel_error *error)
{
    uint32_t terms = graph->terms.count;
    HS_OWNS(hs_adjacency_clear) hs_adjacency edges_of = {0};
    HS_OWNED uint32_t *next = HS_NEW(uint32_t, terms);
    HS_OWNED uint32_t *path = HS_NEW(uint32_t, terms);
    HS_OWNED uint8_t *state = HS_NEW_ZERO(uint8_t, terms);
    HS_NEED(next && path && state);
    HS_TRY(hs_adjacency_group(terms, graph->child, NULL, graph->edges, &edges_of, error));
    memcpy(next, edges_of.start, terms * sizeof *next);
    for (uint32_t root = 0; root < terms; root++) {
        uint32_t depth = 0;
        if (state[root] != UNSEEN)
            continue;
        path[depth++] = root;
        state[root] = ON_PATH;
        while (depth > 0) {
            uint32_t term = path[depth - 1];
            if (next[term] == edges_of.start[term + 1]) {
                state[term] = DONE;
                depth--;
                continue;
            }
            uint32_t e = edges_of.item[next[term]++], parent = graph->parent[e];
            if (state[parent] == ON_PATH) {
                graph->child[e] = HSEL_NONE;
                graph->cycle_edges_dropped++;
            } else if (state[parent] == UNSEEN) {
                state[parent] = ON_PATH;
                path[depth++] = parent;
            }
        }
    }
    hs_graph_drop_marked(graph);
    return HSEL_OK;
}

int hs_graph_break_cycles(hs_graph *graph, hs_cycles policy, hsel_error *error)
{
    HS_OWNS(hs_adjacency_clear) hs_adjacency up = {0};
    HS_OWNS(components_clear) components found = {0};
    uint32_t terms = graph->terms.count;
    HS_TRY(hs_adjacency_group(terms, graph->child, graph->parent, graph->edges, &up, error));
    HS_TRY(find_components(&up, terms, &found, error));
    graph->cycles_found = found.cyclic;
    if (found.cyclic == 0)
        return HSEL_OK;
    if (policy == HS_CYCLES_MERGE)
        return merge_cycles(graph, &found, error);
    if (policy == HS_CYCLES_DROP)
        return drop_cycles(graph, error);
    return report_cycle(graph, &up, &found, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps over ancestor sets that would not fit into memory at once: 512 ancestors at a time, as one
 * row of bits a node. Each row is handed from parents to children, in the order of the ranks, so
 * only nodes that have an ancestor in the block are touched. Blocks are independent (each edge and
 * each sum belongs to one block), so any number of threads gives the same.
 *
 * A count of ancestors sweeps only what is left of the DAG when chains, trees and diamonds have
 * been counted and taken out (shrink): a sweep over a chain would take time by the square of its
 * length.
 */
#include "data/dag.h"

#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/sparse.h"
#include "data/bits.h"

#define BLOCK 512u
#define WORDS (BLOCK / 64u)

typedef struct row {
    uint64_t bits[WORDS];
} row;

enum { LIVE = 1, HAS_PARENT = 2 }; /* has an ancestor in the block; even a parent */

typedef struct scratch {
    row *rows;     /* by rank, from the first rank of the block on */
    uint8_t *live; /* 0: the row holds anything, else LIVE and the like; all 0 between blocks */
} scratch;

/* Nodes are numbered by rank, their place in the topological order. */
typedef struct sweep {
    const uint32_t *node; /* rank -> node: dag->order */
    hs_sparse after;      /* rank -> ranks of its children, all higher, in any order */
    hs_sparse before;     /* rank -> ranks of its parents, all lower, ascending */
    uint32_t nodes;
    size_t blocks;
    scratch *scratch; /* one per worker */
    int workers;
    uint64_t *sums; /* per block: weight of (node, ancestor in the block) pairs; may be NULL */
    const uint64_t *as_ancestor, *as_node; /* for sums: weight of a pair is their product */
    uint8_t *redundant;                    /* one per edge, in the order of `before`; may be NULL */
} sweep;

static void sweep_clear(sweep *s)
{
    for (int w = 0; w < s->workers && s->scratch; w++) {
        hs_free_aligned(s->scratch[w].rows);
        hs_free(s->scratch[w].live);
    }
    HS_FREE(s->scratch, s->sums, s->redundant);
    hs_sparse_clear(&s->before);
    hs_sparse_clear(&s->after);
}

static int sweep_start(const hsel_dag *dag, int threads, sweep *s, hsel_error *error)
{
    uint64_t used = 0;
    size_t count;
    s->node = dag->order;
    s->nodes = dag->nodes;
    s->blocks = ((size_t)dag->nodes + BLOCK - 1) / BLOCK;
    s->workers = hs_threads(threads);
    if ((size_t)s->workers > s->blocks)
        s->workers = s->blocks > 0 ? (int)s->blocks : 1;
    HS_NEED(s->scratch = HS_NEW_ZERO(scratch, s->workers));
    for (int w = 0; w < s->workers; w++) {
        s->scratch[w].rows = hs_alloc_aligned(s->nodes, sizeof(row));
        s->scratch[w].live = HS_NEW_ZERO(uint8_t, s->nodes);
        HS_NEED(s->scratch[w].rows && s->scratch[w].live);
    }
    HS_OWNED uint32_t *rank = HS_NEW(uint32_t, s->nodes);
    HS_NEED(rank);
    HS_TRY(hs_sparse_init(&s->after, s->nodes, dag->edges, error));
    for (uint32_t r = 0; r < s->nodes; r++)
        rank[s->node[r]] = r;
    for (uint32_t r = 0; r < s->nodes; r++) {
        const uint32_t *child = hs_children(dag, s->node[r], &count);
        for (size_t i = 0; i < count; i++)
            s->after.index[used++] = rank[child[i]];
        s->after.start[r + 1] = used;
    }
    return hs_sparse_transpose(&s->after, s->nodes, &s->before, error);
}

static inline void row_or(row *into, const row *from)
{
    for (unsigned w = 0; w < WORDS; w++)
        into->bits[w] |= from->bits[w];
}

/* Hands the ancestors of a node in the block (ranks from `first` on), and the node itself if it is
 * in the block, to its children. Returns the highest rank that is live now, from `last` on. */
static uint32_t hand_down(sweep *s, scratch *own, uint32_t first, uint32_t rank, uint32_t last)
{
    uint32_t at = rank - first;
    bool inside = at < BLOCK;
    row handed = own->live[at] ? own->rows[at] : (row){{0}};
    if (inside)
        hs_bit_set(handed.bits, at);
    for (uint64_t i = s->after.start[rank]; i < s->after.start[rank + 1]; i++) {
        uint32_t child = s->after.index[i] - first;
        if (own->live[child])
            row_or(&own->rows[child], &handed);
        else
            own->rows[child] = handed;
        own->live[child] |= inside ? LIVE | HAS_PARENT : LIVE;
        last = s->after.index[i] > last ? s->after.index[i] : last;
    }
    return last;
}

/* An edge to a parent is redundant if the parent is an ancestor of another parent too. */
static void mark_redundant(sweep *s, const scratch *own, uint32_t first, uint32_t rank)
{
    const uint32_t *before = s->before.index;
    row reached = {{0}};
    uint64_t from = s->before.start[rank], to = s->before.start[rank + 1], i = to;
    for (; i > from && before[i - 1] >= first; i--)
        if (own->live[before[i - 1] - first])
            row_or(&reached, &own->rows[before[i - 1] - first]);
    for (; i < to && before[i] - first < BLOCK; i++)
        s->redundant[i] = hs_bit_get(reached.bits, before[i] - first);
}

static int sweep_block(void *context, size_t block, int worker, hsel_error *error)
{
    sweep *s = context;
    scratch *own = &s->scratch[worker];
    uint32_t first = (uint32_t)(block * BLOCK);
    uint32_t last = s->nodes - first < BLOCK ? s->nodes - 1 : first + BLOCK - 1;
    uint64_t sum = 0;
    (void)error;
    for (uint32_t rank = first; rank <= last; rank++) {
        if (s->sums && own->live[rank - first] && s->as_node[s->node[rank]]) {
            uint64_t weight = 0;
            for (unsigned w = 0; w < WORDS; w++)
                for (uint64_t bits = own->rows[rank - first].bits[w]; bits; bits &= bits - 1)
                    weight +=
                        s->as_ancestor[s->node[first + w * 64 + (unsigned)__builtin_ctzll(bits)]];
            sum += s->as_node[s->node[rank]] * weight;
        }
        if (own->live[rank - first] || rank - first < BLOCK)
            last = hand_down(s, own, first, rank, last);
    }
    for (uint32_t rank = first; s->redundant && rank <= last; rank++)
        if (own->live[rank - first] & HAS_PARENT)
            mark_redundant(s, own, first, rank);
    memset(own->live, 0, last - first + 1);
    if (s->sums)
        s->sums[block] = sum;
    return HSEL_OK;
}

/* What is to be counted: the sum over pairs of a node and a proper ancestor of as_node[node] *
 * as_ancestor[ancestor], beside what is counted already. */
typedef struct pairs {
    const hsel_dag *dag;
    hsel_dag *own; /* dag, from the second round on */
    uint64_t *as_node, *as_ancestor;
    uint64_t counted;
} pairs;

static void pairs_clear(pairs *p)
{
    hs_dag_free(p->own);
    HS_FREE(p->as_node, p->as_ancestor);
}

/* Counts what needs no sets and takes it out of the DAG, in O(nodes + edges):
 * - the ancestors of a node with one parent are the parent and the parent's ancestors: its weight
 * as a node goes to the parent;
 * - then only nodes with several parents, and what is above them, matter. A node of which one child
 *   is left is an ancestor of that child and of whatever the child is one of: its weight as an
 *   ancestor goes to the child;
 * - what has at most one parent and one such child then only connects the two. */
static int shrink(pairs *p, hsel_error *error)
{
    const hsel_dag *dag = p->dag;
    hsel_dag *smaller = NULL;
    size_t count = 0, edges = 0;
    uint32_t kept = 0;
    HS_OWNED uint32_t *below = HS_NEW_ZERO(uint32_t, dag->nodes); /* children that matter */
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, dag->nodes);     /* new, HSEL_NONE: taken out */
    HS_OWNED uint32_t *up =
        HS_NEW(uint32_t, dag->nodes); /* itself or the next above that is kept */
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, dag->edges), *parent = HS_NEW(uint32_t, dag->edges);
    HS_NEED(below && number && up && child && parent);
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        const uint32_t *above = hs_parents(dag, v, &count);
        if (count == 1) {
            p->counted += p->as_node[v] * p->as_ancestor[above[0]];
            p->as_node[above[0]] += p->as_node[v];
        }
        if (count <= 1)
            p->as_node[v] = 0;
        for (size_t k = 0; k < count && (count > 1 || below[v]); k++)
            below[above[k]]++;
    }
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        const uint32_t *above = hs_parents(dag, v, &count);
        bool keep = count > 1 || below[v] > 1;
        number[v] = keep ? 0 : HSEL_NONE;
        up[v] = keep ? v : count ? up[above[0]] : HSEL_NONE;
        if (below[v] != 1)
            continue;
        const uint32_t *one = hs_children(dag, v, &count);
        while (dag->parent_start[*one + 1] - dag->parent_start[*one] < 2 && !below[*one])
            one++;
        p->counted += p->as_node[*one] * p->as_ancestor[v];
        p->as_ancestor[*one] += p->as_ancestor[v];
        p->as_ancestor[v] = 0;
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (number[v] != HSEL_NONE) {
            p->as_node[kept] = p->as_node[v];
            p->as_ancestor[kept] = p->as_ancestor[v];
            number[v] = kept++;
        }
    for (uint32_t v = 0; v < dag->nodes; v++) {
        const uint32_t *above = hs_parents(dag, v, &count);
        for (size_t k = 0; k < count && number[v] != HSEL_NONE; k++)
            if (up[above[k]] != HSEL_NONE) {
                child[edges] = number[v];
                parent[edges++] = number[up[above[k]]];
            }
    }
    HS_TRY(hs_dag_new(kept, child, parent, edges, &smaller, error));
    hs_dag_free(p->own);
    p->dag = p->own = smaller;
    return HSEL_OK;
}

int hs_dag_count_ancestors(const hsel_dag *dag, int threads, uint64_t *out, hsel_error *error)
{
    HS_OWNS(sweep_clear) sweep s = {0};
    HS_OWNS(pairs_clear)
    pairs p = {.dag = dag,
               .as_node = HS_NEW(uint64_t, dag->nodes),
               .as_ancestor = HS_NEW(uint64_t, dag->nodes)};
    HS_NEED(p.as_node && p.as_ancestor);
    for (uint32_t v = 0; v < dag->nodes; v++)
        p.as_node[v] = p.as_ancestor[v] = 1;
    for (uint32_t before = UINT32_MAX; p.dag->nodes < before - before / 8;) {
        before = p.dag->nodes;
        HS_TRY(shrink(&p, error));
    }
    HS_TRY(sweep_start(p.dag, threads, &s, error));
    HS_NEED(s.sums = HS_NEW_ZERO(uint64_t, s.blocks));
    s.as_node = p.as_node;
    s.as_ancestor = p.as_ancestor;
    HS_TRY(hs_parallel_for(s.blocks, s.workers, sweep_block, &s, error));
    for (size_t block = 0; block < s.blocks; block++)
        p.counted += s.sums[block];
    *out = p.counted;
    return HSEL_OK;
}

int hs_dag_reduce(const hsel_dag *dag, int threads, hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    size_t kept = 0;
    HS_OWNS(sweep_clear) sweep s = {0};
    HS_OWNS(hs_dag_release) hsel_dag *made = NULL;
    HS_TRY(sweep_start(dag, threads, &s, error));
    s.redundant = HS_NEW_ZERO(uint8_t, dag->edges);
    HS_OWNED uint32_t *child = HS_NEW(uint32_t, dag->edges), *parent = HS_NEW(uint32_t, dag->edges);
    HS_NEED(s.redundant && child && parent);
    HS_TRY(hs_parallel_for(s.blocks, s.workers, sweep_block, &s, error));
    for (uint32_t rank = 0; rank < s.nodes; rank++)
        for (uint64_t i = s.before.start[rank]; i < s.before.start[rank + 1]; i++)
            if (!s.redundant[i]) {
                child[kept] = s.node[rank];
                parent[kept++] = s.node[s.before.index[i]];
            }
    HS_TRY(hs_dag_new(s.nodes, child, parent, kept, &made, error));
    if (dag->relation) {
        HS_OWNED uint32_t *relation = HS_NEW(uint32_t, kept);
        HS_NEED(relation);
        for (uint32_t v = 0, e = 0; v < made->nodes; v++) /* both lists of parents are ascending */
            for (uint32_t i = dag->parent_start[v]; e < made->parent_start[v + 1]; i++)
                if (dag->parent[i] == made->parent[e]) {
                    child[e] = v;
                    parent[e] = dag->parent[i];
                    relation[e++] = dag->relation[i];
                }
        HS_TRY(hs_dag_relate(made, child, parent, relation, kept, &dag->relations, error));
    }
    *out = hs_take(&made);
    return HSEL_OK;
}

int hs_dag_above(const hsel_dag *dag, bool *keep, const bool *near, int threads, hsel_dag **out,
                 hsel_error *error)
{
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED bool *climb = HS_NEW(bool, dag->nodes);
    size_t parents;
    HS_NEED(climb);
    for (uint32_t v = 0; v < dag->nodes; v++)
        climb[v] = keep[v] && !(near && near[v]);
    for (uint32_t i = 0; near && i < dag->nodes; i++) { /* parents first: theirs are not meant */
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && keep[v] && near[v]; j++)
            keep[parent[j]] = true;
    }
    for (uint32_t i = dag->nodes; i-- > 0;) { /* children before parents */
        uint32_t v = dag->order[i];
        const uint32_t *parent = hs_parents(dag, v, &parents);
        for (size_t j = 0; j < parents && climb[v]; j++)
            keep[parent[j]] = climb[parent[j]] = true;
    }
    HS_TRY(hs_dag_subset(dag, keep, &part, error));
    return hs_dag_reduce(part, threads, out, error);
}

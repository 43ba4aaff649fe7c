/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps over ancestor sets that would not fit into memory at once: 512 ancestors at a time, as one
 * row of bits a node. Each row is handed from parents to children, in the order of the ranks, so
 * only nodes that have an ancestor in the block are touched. Blocks are independent (each edge and
 * each sum belongs to one block), so any number of threads gives the same.
 */
#include "data/dag.h"

#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "data/bits.h"
#include "data/ranked.h"

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

typedef struct sweep {
    hs_ranked ranked;
    uint32_t nodes;
    size_t blocks;
    scratch *scratch; /* one a worker */
    int workers;
    uint64_t
        *sums; /* one a block: number of (node, ancestor in the block) pairs; NULL: not wanted */
    uint8_t *redundant; /* one an edge, in the order of ranked.before; NULL: not wanted */
} sweep;

static void sweep_clear(sweep *s)
{
    for (int w = 0; w < s->workers && s->scratch; w++) {
        hs_free_aligned(s->scratch[w].rows);
        hs_free(s->scratch[w].live);
    }
    hs_free(s->scratch);
    hs_free(s->sums);
    hs_free(s->redundant);
    hs_ranked_clear(&s->ranked);
}

static int sweep_start(const hsel_dag *dag, int threads, sweep *s, hsel_error *error)
{
    s->nodes = dag->nodes;
    s->blocks = ((size_t)dag->nodes + BLOCK - 1) / BLOCK;
    s->workers = hs_threads(threads);
    if ((size_t)s->workers > s->blocks)
        s->workers = s->blocks > 0 ? (int)s->blocks : 1;
    s->scratch = HS_NEW_ZERO(scratch, s->workers);
    if (!s->scratch)
        return hs_fail_memory(error);
    for (int w = 0; w < s->workers; w++) {
        s->scratch[w].rows = hs_alloc_aligned(s->nodes, sizeof(row));
        s->scratch[w].live = HS_NEW_ZERO(uint8_t, s->nodes);
        if (!s->scratch[w].rows || !s->scratch[w].live)
            return hs_fail_memory(error);
    }
    return hs_ranked_new(dag, HS_UP, &s->ranked, error);
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
    const hs_adjacency *after = &s->ranked.after;
    uint32_t at = rank - first;
    bool inside = at < BLOCK;
    row handed = own->live[at] ? own->rows[at] : (row){{0}};
    if (inside)
        hs_bit_set(handed.bits, at);
    for (uint32_t i = after->start[rank]; i < after->start[rank + 1]; i++) {
        uint32_t child = after->item[i] - first;
        if (own->live[child])
            row_or(&own->rows[child], &handed);
        else
            own->rows[child] = handed;
        own->live[child] |= inside ? LIVE | HAS_PARENT : LIVE;
        last = after->item[i] > last ? after->item[i] : last;
    }
    return last;
}

/* An edge to a parent is redundant if the parent is an ancestor of another parent too. */
static void mark_redundant(sweep *s, const scratch *own, uint32_t first, uint32_t rank)
{
    const uint32_t *start = s->ranked.before.start, *before = s->ranked.before.item;
    row reached = {{0}};
    uint32_t from = start[rank], i = start[rank + 1];
    for (; i > from && before[i - 1] >= first; i--)
        if (own->live[before[i - 1] - first])
            row_or(&reached, &own->rows[before[i - 1] - first]);
    for (; i < start[rank + 1] && before[i] - first < BLOCK; i++)
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
        if (own->live[rank - first])
            sum += hs_bits_count(own->rows[rank - first].bits, WORDS);
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

int hs_dag_count_ancestors(const hsel_dag *dag, int threads, uint64_t *out, hsel_error *error)
{
    sweep s = {0};
    uint64_t total = 0;
    int status = sweep_start(dag, threads, &s, error);
    if (status)
        goto out;
    s.sums = HS_NEW_ZERO(uint64_t, s.blocks);
    if (!s.sums) {
        status = hs_fail_memory(error);
        goto out;
    }
    status = hs_parallel_for(s.blocks, s.workers, sweep_block, &s, error);
    for (size_t block = 0; block < s.blocks; block++)
        total += s.sums[block];
    *out = total;
out:
    sweep_clear(&s);
    return status;
}

/* The DAG of the edges that are not marked. `child` and `parent` have room for all edges. */
static int remaining(const sweep *s, uint32_t *child, uint32_t *parent, hsel_dag **out,
                     hsel_error *error)
{
    const hs_adjacency *before = &s->ranked.before;
    size_t kept = 0;
    for (uint32_t rank = 0; rank < s->nodes; rank++)
        for (uint32_t i = before->start[rank]; i < before->start[rank + 1]; i++)
            if (!s->redundant[i]) {
                child[kept] = s->ranked.node[rank];
                parent[kept++] = s->ranked.node[before->item[i]];
            }
    return hs_dag_new(s->nodes, child, parent, kept, out, error);
}

int hs_dag_reduce(const hsel_dag *dag, int threads, hsel_dag **out, hsel_error *error)
{
    *out = NULL;
    sweep s = {0};
    uint32_t *child = NULL, *parent = NULL;
    int status = sweep_start(dag, threads, &s, error);
    if (status)
        goto out;
    s.redundant = HS_NEW_ZERO(uint8_t, dag->edges);
    child = HS_NEW(uint32_t, dag->edges);
    parent = HS_NEW(uint32_t, dag->edges);
    if (!s.redundant || !child || !parent) {
        status = hs_fail_memory(error);
        goto out;
    }
    status = hs_parallel_for(s.blocks, s.workers, sweep_block, &s, error);
    if (!status)
        status = remaining(&s, child, parent, out, error);
out:
    hs_free(child);
    hs_free(parent);
    sweep_clear(&s);
    return status;
}

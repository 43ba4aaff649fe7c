/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a node's score at or above the mean of a path through it? That is, is the sum over the path of
 * (score(u) - score(v)) at most 0 (SHSEL, Algorithm 2)? Strict asks it of every path, hence of the
 * greatest sum; lenient of one, hence of the least, which is the greatest with all signs changed.
 *
 * The greatest sum of a path with k nodes does not depend on v, so k is the outer loop: for all
 * paths of k nodes from an end of the hierarchy to v, sum(k, v) = score(v) + greatest sum(k-1, next
 * nodes); then best(v) = max over k of sum(k, v) - k score(v), once from the roots and once from
 * the leaves, and the two halves add up. O(edges * nodes of the longest path) at most, since only
 * nodes that have a path of k nodes are visited in round k; two rounds are kept, so memory is
 * O(nodes).
 *
 * Nodes that do not count are passed through without adding to sum or k: they are visited within
 * the round, and visiting in topological order makes their sums final when they are read.
 * The tolerance is part of each term: a mean may be greater than the score by HS_PATH_TOLERANCE.
 */
#include "select/paths.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/bits.h"
#include "data/ranked.h" /* hs_direction */

#define ROUNDS_A_REPORT 16

/* The nodes to visit in a round, as bits by place in the direction of the walk. */
struct layer {
    double *sum; /* by node; -infinity: not to visit */
    uint64_t *places;
    size_t first, last; /* words that may have bits: first … last-1 */
};

struct walk {
    uint32_t nodes;
    const double *score;          /* with its sign */
    const double *level;          /* what a node's score counts as in its own mean */
    const bool *counted;          /* NULL: every node */
    const uint32_t *start, *item; /* next nodes in this direction */
    uint32_t *node, *place;       /* topological order of this direction, both ways */
    struct layer now, next;
};

static bool counts(const struct walk *walk, uint32_t v)
{
    return !walk->counted || walk->counted[v];
}

static void offer(const struct walk *walk, struct layer *layer, uint32_t v, double sum)
{
    size_t word = walk->place[v] / 64;
    if (sum > layer->sum[v])
        layer->sum[v] = sum;
    hs_bit_set(layer->places, walk->place[v]);
    layer->first = word < layer->first ? word : layer->first;
    layer->last = word >= layer->last ? word + 1 : layer->last;
}

/* A path that has come to v with this sum goes on (or begins) there. */
static void go_on(struct walk *walk, uint32_t v, double sum)
{
    if (counts(walk, v))
        offer(walk, &walk->next, v, sum + walk->score[v]);
    else
        offer(walk, &walk->now, v, sum);
}

/* Round k: paths of k counted nodes. */
static void visit(struct walk *walk, double k, uint32_t v, double *best)
{
    double sum = walk->now.sum[v];
    walk->now.sum[v] = -INFINITY;
    if (counts(walk, v)) {
        double above = sum - k * walk->level[v];
        best[v] = above > best[v] ? above : best[v];
    }
    for (uint32_t e = walk->start[v]; e < walk->start[v + 1]; e++)
        go_on(walk, walk->item[e], sum);
}

static void run_round(struct walk *walk, double k, double *best)
{
    struct layer *now = &walk->now;
    for (size_t word = now->first; word < now->last; word++)
        while (now->places[word]) {
            size_t place = word * 64 + (size_t)__builtin_ctzll(now->places[word]);
            hs_bit_unset(now->places, place);
            visit(walk, k, walk->node[place], best);
        }
    now->first = SIZE_MAX;
    now->last = 0;
}

static uint32_t longest_path(const hsel_dag *dag)
{
    uint32_t longest = 0;
    for (uint32_t v = 0; v < dag->nodes; v++)
        longest = dag->depth[v] >= longest ? dag->depth[v] + 1 : longest;
    return longest;
}

static int run_walk(struct walk *walk, const hsel_dag *dag, hs_direction direction, double *best,
                    const hs_progress *progress, hsel_error *error)
{
    bool down = direction == HS_DOWN;
    uint32_t longest = longest_path(dag);
    int status = HSEL_OK;
    walk->start = down ? dag->child_start : dag->parent_start;
    walk->item = down ? dag->child : dag->parent;
    for (uint32_t i = 0; i < dag->nodes; i++) {
        walk->node[i] = dag->order[down ? i : dag->nodes - 1 - i];
        walk->place[walk->node[i]] = i;
        walk->now.sum[i] = walk->next.sum[i] = best[i] = -INFINITY;
    }
    walk->now.first = walk->next.first = SIZE_MAX;
    walk->now.last = walk->next.last = 0;
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (down ? hs_is_root(dag, v) : hs_is_leaf(dag, v))
            go_on(walk, v, 0);
    for (uint32_t k = 0; (walk->now.last > 0 || walk->next.last > 0) && status == HSEL_OK; k++) {
        if (k % ROUNDS_A_REPORT == 0)
            status = hs_progress_report(progress, (uint64_t)k + (down ? 0 : longest),
                                        2 * (uint64_t)longest + 1, "nodes of paths", error);
        run_round(walk, k, best);
        struct layer done = walk->now;
        walk->now = walk->next;
        walk->next = done;
    }
    return status;
}

static int walk_init(struct walk *walk, uint32_t nodes, hsel_error *error)
{
    struct layer *layers[] = {&walk->now, &walk->next};
    walk->nodes = nodes;
    walk->node = HS_NEW(uint32_t, nodes);
    walk->place = HS_NEW(uint32_t, nodes);
    bool ok = walk->node && walk->place;
    for (int i = 0; i < 2; i++) {
        layers[i]->sum = HS_NEW(double, nodes);
        layers[i]->places = HS_NEW_ZERO(uint64_t, hs_bit_words(nodes));
        ok = ok && layers[i]->sum && layers[i]->places;
    }
    return ok ? HSEL_OK : hs_fail_memory(error);
}

static void walk_clear(struct walk *walk)
{
    hs_free(walk->node);
    hs_free(walk->place);
    hs_free(walk->now.sum);
    hs_free(walk->now.places);
    hs_free(walk->next.sum);
    hs_free(walk->next.places);
}

/* Drops counted nodes by the means of paths of this DAG over counted nodes. `keep` may be the same
 * array as `counted`. */
static int prune_counted(const hsel_dag *dag, const double *score, const bool *counted, bool strict,
                         bool *keep, const hs_progress *progress, hsel_error *error)
{
    double sign = strict ? 1 : -1;
    struct walk walk = {.counted = counted};
    double *value = HS_NEW(double, 4 * (size_t)dag->nodes);
    int status = value ? walk_init(&walk, dag->nodes, error) : hs_fail_memory(error);
    if (status == HSEL_OK) {
        double *level = value + dag->nodes, *above = level + dag->nodes,
               *below = above + dag->nodes;
        for (uint32_t v = 0; v < dag->nodes; v++) {
            value[v] = sign * score[v];
            level[v] = sign * (score[v] + HS_PATH_TOLERANCE);
        }
        walk.score = value;
        walk.level = level;
        status = run_walk(&walk, dag, HS_DOWN, above, progress, error);
        if (status == HSEL_OK)
            status = run_walk(&walk, dag, HS_UP, below, progress, error);
        for (uint32_t v = 0; v < dag->nodes && status == HSEL_OK;
             v++) /* v itself is in both halves */
            keep[v] = keep[v] && sign * (above[v] + below[v] - (value[v] - level[v])) <= 0;
    }
    walk_clear(&walk);
    hs_free(value);
    return status;
}

/* The same on the hierarchy over the kept nodes. */
static int prune_contracted(const hsel_dag *dag, const double *score, bool strict, bool *keep,
                            const hs_progress *progress, hsel_error *error)
{
    hsel_dag *part = NULL;
    double *part_score = HS_NEW(double, dag->nodes);
    bool *part_keep = HS_NEW(bool, dag->nodes);
    uint32_t at = 0;
    int status =
        part_score && part_keep ? hs_dag_subset(dag, keep, &part, error) : hs_fail_memory(error);
    if (status)
        goto out;
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (keep[v])
            part_score[at++] = score[v];
    memset(part_keep, true, part->nodes * sizeof *part_keep);
    status = prune_counted(part, part_score, NULL, strict, part_keep, progress, error);
    at = 0;
    for (uint32_t v = 0; status == HSEL_OK && v < dag->nodes; v++)
        keep[v] = keep[v] && part_keep[at++];
out:
    hs_dag_free(part);
    hs_free(part_score);
    hs_free(part_keep);
    return status;
}

int hs_paths_prune(const hsel_dag *dag, const double *score, hs_mean_over over, bool strict,
                   bool *keep, const hs_progress *progress, hsel_error *error)
{
    if (over == HS_MEAN_CONTRACTED)
        return prune_contracted(dag, score, strict, keep, progress, error);
    return prune_counted(dag, score, over == HS_MEAN_ALL ? NULL : keep, strict, keep, progress,
                         error);
}

/* ---- the later phases of hfe ---- */

/* Drops kept leaves that end a path with fewer nodes than the longest and score below `mean`. */
static int drop_weak_leaves(const hsel_dag *dag, const double *score, double mean, bool *keep,
                            hsel_error *error)
{
    uint32_t *shortest = HS_NEW(uint32_t, dag->nodes), longest = 0;
    if (!shortest)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *parents = hs_parents(dag, v, &count);
        shortest[v] = count ? UINT32_MAX : 0;
        for (size_t p = 0; p < count; p++)
            if (shortest[parents[p]] < shortest[v])
                shortest[v] = shortest[parents[p]] + 1;
        longest = dag->depth[v] > longest ? dag->depth[v] : longest;
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (hs_is_leaf(dag, v) && shortest[v] < longest && score[v] < mean - HS_PATH_TOLERANCE)
            keep[v] = false;
    hs_free(shortest);
    return HSEL_OK;
}

int hs_paths_hfe(const hsel_dag *dag, const double *score, bool strict, bool *keep,
                 const hs_progress *progress, hsel_error *error)
{
    double sum = 0;
    uint32_t kept = 0;
    int status = hs_paths_prune(dag, score, HS_MEAN_KEPT, strict, keep, progress, error);
    if (status)
        return status;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        keep[v] = keep[v] && score[v] > HS_PATH_TOLERANCE;
        sum += keep[v] ? score[v] : 0;
        kept += keep[v];
    }
    return kept ? drop_weak_leaves(dag, score, sum / kept, keep, error) : HSEL_OK;
}

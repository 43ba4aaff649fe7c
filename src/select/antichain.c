/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy choices that strike out what is above and below a node taken. Striking out is amortised: a
 * node that has been struck out from above has had all its descendants struck out too, so a walk
 * down ends there (and upwards likewise); a round of choices costs O(edges).
 */
#define _GNU_SOURCE /* qsort_r */
#include "select/paths.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

#define WORK_A_REPORT   65536 /* nodes of branches */
#define LEAVES_A_REPORT 64

/* Marks of one round: mark[v] == round. `inside`: part of the branch that is looked at. */
struct strike {
    const hsel_dag *dag;
    uint32_t *above, *below, *inside, *stack;
    uint32_t round;
};

static int strike_init(struct strike *s, const hsel_dag *dag, hsel_error *error)
{
    *s = (struct strike){.dag = dag,
                         .above = HS_NEW_ZERO(uint32_t, dag->nodes),
                         .below = HS_NEW_ZERO(uint32_t, dag->nodes),
                         .inside = HS_NEW_ZERO(uint32_t, dag->nodes),
                         .stack = HS_NEW(uint32_t, dag->nodes)};
    return s->above && s->below && s->inside && s->stack ? HSEL_OK : hs_fail_memory(error);
}

static void strike_clear(struct strike *s)
{
    hs_free(s->above);
    hs_free(s->below);
    hs_free(s->inside);
    hs_free(s->stack);
}

static bool is_struck(const struct strike *s, uint32_t v)
{
    return s->above[v] == s->round || s->below[v] == s->round;
}

/* Marks v and what is reached from it over the lists given, within the branch. */
static void mark_from(struct strike *s, uint32_t v, const uint32_t *start, const uint32_t *item,
                      uint32_t *mark)
{
    uint32_t top = 0;
    mark[v] = s->round;
    s->stack[top++] = v;
    while (top > 0) {
        uint32_t u = s->stack[--top];
        for (uint32_t e = start[u]; e < start[u + 1]; e++)
            if (mark[item[e]] != s->round && s->inside[item[e]] == s->round) {
                mark[item[e]] = s->round;
                s->stack[top++] = item[e];
            }
    }
}

static void take(struct strike *s, uint32_t v, bool *keep)
{
    keep[v] = true;
    mark_from(s, v, s->dag->parent_start, s->dag->parent, s->above);
    mark_from(s, v, s->dag->child_start, s->dag->child, s->below);
}

/* ---- antichain of each branch ---- */

static int by_score_down(const void *a, const void *b, void *scores)
{
    const double *score = scores;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (score[x] != score[y])
        return score[x] > score[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The branch of a root into list: a new round begins. */
static uint32_t enter_branch(struct strike *s, uint32_t root, uint32_t *list)
{
    uint32_t count = 0;
    s->round++;
    s->inside[root] = s->round;
    list[count++] = root;
    for (uint32_t i = 0; i < count; i++) {
        size_t children;
        const uint32_t *child = hs_children(s->dag, list[i], &children);
        for (size_t c = 0; c < children; c++)
            if (s->inside[child[c]] != s->round) {
                s->inside[child[c]] = s->round;
                list[count++] = child[c];
            }
    }
    return count;
}

int hs_paths_antichain(const hsel_dag *dag, const double *score, bool *keep,
                       const hs_progress *progress, hsel_error *error)
{
    struct strike s;
    uint32_t *list = HS_NEW(uint32_t, dag->nodes);
    uint64_t work = 0;
    int status = strike_init(&s, dag, error);
    if (status == HSEL_OK && !list)
        status = hs_fail_memory(error);
    memset(keep, 0, dag->nodes * sizeof *keep);
    for (uint32_t root = 0; status == HSEL_OK && root < dag->nodes; root++) {
        if (!hs_is_root(dag, root))
            continue;
        uint32_t count = enter_branch(&s, root, list);
        if ((work += count) >= WORK_A_REPORT) {
            status = hs_progress_report(progress, root, dag->nodes, "nodes", error);
            work = 0;
        }
        qsort_r(list, count, sizeof *list, by_score_down, (void *)(uintptr_t)score);
        for (uint32_t i = 0; i < count; i++)
            if (!is_struck(&s, list[i]))
                take(&s, list[i], keep);
    }
    strike_clear(&s);
    hs_free(list);
    return status;
}

/* ---- one shortest path a leaf ---- */

/* via[v]: the next node of the shortest way up, HSEL_NONE at roots. */
static int shortest_ways_up(const hsel_dag *dag, uint32_t *via, hsel_error *error)
{
    uint32_t *distance = HS_NEW(uint32_t, dag->nodes);
    if (!distance)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *parents = hs_parents(dag, v, &count);
        via[v] = HSEL_NONE;
        for (size_t p = 0; p < count; p++)
            if (via[v] == HSEL_NONE || distance[parents[p]] < distance[via[v]])
                via[v] = parents[p];
        distance[v] = via[v] == HSEL_NONE ? 0 : distance[via[v]] + 1;
    }
    hs_free(distance);
    return HSEL_OK;
}

/* The best node of the way up from a leaf that is not struck out; of equal ones the uppermost. */
static uint32_t best_on_way(const struct strike *s, const double *score, const uint32_t *via,
                            uint32_t leaf)
{
    uint32_t best = HSEL_NONE;
    for (uint32_t v = leaf; v != HSEL_NONE; v = via[v])
        if (!is_struck(s, v) && (best == HSEL_NONE || score[v] >= score[best]))
            best = v;
    return best;
}

int hs_paths_shortest(const hsel_dag *dag, const double *score, bool *keep,
                      const hs_progress *progress, hsel_error *error)
{
    struct strike s;
    uint32_t *via = HS_NEW(uint32_t, dag->nodes);
    int status = strike_init(&s, dag, error);
    if (status == HSEL_OK)
        status = via ? shortest_ways_up(dag, via, error) : hs_fail_memory(error);
    memset(keep, 0, dag->nodes * sizeof *keep);
    if (status == HSEL_OK)
        s.round = 1;
    for (uint32_t v = 0; status == HSEL_OK && v < dag->nodes; v++)
        s.inside[v] = s.round; /* the whole hierarchy is one branch */
    for (uint32_t leaf = 0; status == HSEL_OK && leaf < dag->nodes; leaf++) {
        uint32_t best = hs_is_leaf(dag, leaf) ? best_on_way(&s, score, via, leaf) : HSEL_NONE;
        if (best != HSEL_NONE)
            take(&s, best, keep);
        if (leaf % LEAVES_A_REPORT == 0)
            status = hs_progress_report(progress, leaf, dag->nodes, "nodes", error);
    }
    strike_clear(&s);
    hs_free(via);
    return status;
}

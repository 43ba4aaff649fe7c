/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Path maxima without paths. The part of a path above a node and the part below it can be chosen
 * independently, so a node is the maximum of some path if the smallest possible maximum above it
 * and the smallest possible maximum below it are not greater than its score: two sweeps of minimax.
 *
 * The iterative form: the representatives that replace a node are path maxima of the
 * sub-hierarchies under its children, that is, maxima of paths that may also start at these
 * children. So there is one growing set of starting points and one minimax over all of them; a node
 * once found to have a representative below it always has one, so the order of replacements does
 * not matter and sweeps until nothing changes reach the least fixpoint.
 */
#include "select/paths.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

/* out[v] = smallest over the nodes w next to v of max(score(w), out(w)). */
static double least_maximum(const uint32_t *next, size_t count, const double *score,
                            const double *out)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double along = score[next[i]] > out[next[i]] ? score[next[i]] : out[next[i]];
        least = along < least ? along : least;
    }
    return count > 0 ? least : -INFINITY;
}

/* For each node the smallest maximum below it over its paths to leaves; -infinity at leaves. */
static void minimax_below(const hsel_dag *dag, const double *score, double *below)
{
    for (uint32_t i = dag->nodes; i-- > 0;) {
        size_t count;
        const uint32_t *children = hs_children(dag, dag->order[i], &count);
        below[dag->order[i]] = least_maximum(children, count, score, below);
    }
}

static void minimax_above(const hsel_dag *dag, const double *score, double *above)
{
    for (uint32_t i = 0; i < dag->nodes; i++) {
        size_t count;
        const uint32_t *parents = hs_parents(dag, dag->order[i], &count);
        above[dag->order[i]] = least_maximum(parents, count, score, above);
    }
}

int hs_paths_maxima(const hsel_dag *dag, const double *score, hs_path_tie tie, bool *keep,
                    hsel_error *error)
{
    double *above = HS_NEW(double, dag->nodes), *below = HS_NEW(double, dag->nodes);
    int status = HSEL_OK;
    if (!above || !below) {
        status = hs_fail_memory(error);
        goto out;
    }
    minimax_above(dag, score, above);
    minimax_below(dag, score, below);
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = (tie == HS_TIE_ROOT ? above[v] < score[v] : above[v] <= score[v]) &&
                  (tie == HS_TIE_LEAF ? below[v] < score[v] : below[v] <= score[v]);
out:
    hs_free(above);
    hs_free(below);
    return status;
}

/* ---- first local maximum ---- */

/* A walk comes to v if it starts there, or if it came to a parent with a lower score and went on.
 */
static bool walk_comes_to(const hsel_dag *dag, const double *score, const bool *reached, uint32_t v)
{
    size_t count;
    const uint32_t *parents = hs_parents(dag, v, &count);
    for (size_t i = 0; i < count; i++)
        if (reached[parents[i]] && score[parents[i]] < score[v])
            return true;
    return count == 0;
}

static bool walk_stops_at(const hsel_dag *dag, const double *score, uint32_t v)
{
    size_t count;
    const uint32_t *children = hs_children(dag, v, &count);
    for (size_t i = 0; i < count; i++)
        if (score[children[i]] <= score[v])
            return true;
    return count == 0;
}

int hs_paths_first_local(const hsel_dag *dag, const double *score, bool *keep, hsel_error *error)
{
    bool *reached = HS_NEW(bool, dag->nodes);
    if (!reached)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        reached[v] = walk_comes_to(dag, score, reached, v);
        keep[v] = reached[v] && walk_stops_at(dag, score, v);
    }
    hs_free(reached);
    return HSEL_OK;
}

/* ---- most special, iterative ---- */

/* Whether a node has a kept descendant. */
static void find_kept_below(const hsel_dag *dag, const bool *keep, bool *below)
{
    for (uint32_t i = dag->nodes; i-- > 0;) {
        uint32_t v = dag->order[i];
        size_t count, c = 0;
        const uint32_t *children = hs_children(dag, v, &count);
        while (c < count && !keep[children[c]] && !below[children[c]])
            c++;
        below[v] = c < count;
    }
}

int hs_paths_most_special(const hsel_dag *dag, bool *keep, hsel_error *error)
{
    bool *below = HS_NEW(bool, dag->nodes);
    if (!below)
        return hs_fail_memory(error);
    find_kept_below(dag, keep, below);
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = keep[v] && !below[v];
    hs_free(below);
    return HSEL_OK;
}

struct replacing {
    const hsel_dag *dag;
    const double *score;
    double *below, *above; /* minimax; above: over paths from any node that is a start */
    bool *start, *kept_below, *keep;
};

/* One sweep downwards. True if a representative came up. */
static bool replace_once(struct replacing *r)
{
    bool found = false;
    for (uint32_t i = 0; i < r->dag->nodes; i++) {
        uint32_t v = r->dag->order[i];
        size_t count;
        const uint32_t *parents = hs_parents(r->dag, v, &count);
        r->above[v] = r->start[v] ? -INFINITY : least_maximum(parents, count, r->score, r->above);
        if (!r->keep[v] && r->above[v] < r->score[v] && r->below[v] <= r->score[v])
            r->keep[v] = found = true;
        if (!r->keep[v] || !r->kept_below[v])
            continue;
        const uint32_t *children = hs_children(r->dag, v, &count);
        for (size_t c = 0; c < count; c++)
            r->start[children[c]] = true;
    }
    return found;
}

int hs_paths_iterative(const hsel_dag *dag, const double *score, bool *keep,
                       const hs_progress *progress, hsel_error *error)
{
    int status = HSEL_OK;
    struct replacing r = {.dag = dag,
                          .score = score,
                          .below = HS_NEW(double, dag->nodes),
                          .above = HS_NEW(double, dag->nodes),
                          .start = HS_NEW_ZERO(bool, dag->nodes),
                          .kept_below = HS_NEW(bool, dag->nodes),
                          .keep = keep};
    if (!r.below || !r.above || !r.start || !r.kept_below) {
        status = hs_fail_memory(error);
        goto out;
    }
    minimax_below(dag, score, r.below);
    memset(keep, 0, dag->nodes * sizeof *keep);
    bool found = true;
    for (uint32_t round = 0; found && status == HSEL_OK; round++) {
        find_kept_below(dag, keep, r.kept_below);
        found = replace_once(&r);
        status = hs_progress_report(progress, round, (uint64_t)dag->nodes + 1, "rounds", error);
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = keep[v] && !r.kept_below[v];
out:
    hs_free(r.below);
    hs_free(r.above);
    hs_free(r.start);
    hs_free(r.kept_below);
    return status;
}

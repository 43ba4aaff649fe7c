/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first phase of SHSEL and HFE: a node goes if it is too similar to one of its parents. The
 * hierarchy does not change meanwhile, so it is one test an edge and no order matters; that is the
 * same as going upwards from the leaves and updating the hierarchy at once.
 */
#include "select/eager.h"
#include "select/paths.h"

#include <math.h>

#include "core/mem.h"

void hs_paths_unlike_parents(const hsel_dag *dag, const double *score, double threshold, bool *keep)
{
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count, p = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        while (p < count && !(1 - fabs(score[parents[p]] - score[v]) >= threshold))
            p++;
        keep[v] = p == count;
    }
}

/* ---- correlation ---- */

/* Rows by what is known of them: 0 not in the training part or without class, 1 in it, above that
 * (candidate + 2) the last candidate marked that is positive there. */
static void mark_training(const hs_view *view, uint32_t *mark)
{
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        mark[row] = view->data->class_of[row] != HSEL_NONE;
    }
}

static const uint32_t *column(const hs_candidates *c, uint32_t candidate, size_t *count)
{
    return hs_column(c->training->view.data, c->feature[candidate], count);
}

static uint64_t positives(const hs_candidates *c, uint32_t candidate)
{
    hs_cells cells = hs_candidate_cells(c, candidate);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < cells.classes; k++)
        sum += cells.positive[k];
    return sum;
}

/* Of the parent whose rows are marked. */
static double correlation(const hs_candidates *c, uint32_t parent, uint32_t child,
                          const uint32_t *mark)
{
    uint64_t of_parent = positives(c, parent), of_child = positives(c, child), both = 0;
    size_t count;
    const uint32_t *rows = column(c, child, &count);
    for (size_t i = 0; i < count; i++)
        both += mark[rows[i]] == parent + 2;
    return hs_phi(both, of_parent - both, of_child - both,
                  c->training->counts->instances + both - of_parent - of_child);
}

static void drop_like_parent(const hs_candidates *c, uint32_t parent, double threshold,
                             uint32_t *mark, bool *keep)
{
    size_t count, children;
    const uint32_t *rows = column(c, parent, &count);
    const uint32_t *child = hs_children(c->dag, parent, &children);
    for (size_t i = 0; i < count; i++)
        if (mark[rows[i]])
            mark[rows[i]] = parent + 2;
    for (size_t i = 0; i < children; i++) {
        double similarity = keep[child[i]] ? correlation(c, parent, child[i], mark) : 0;
        if (keep[child[i]] && (isnan(similarity) || similarity >= threshold))
            keep[child[i]] = false;
    }
}

int hs_candidates_uncorrelated(const hs_candidates *candidates, double threshold, bool *keep,
                               hsel_error *error)
{
    uint32_t *mark = HS_NEW_ZERO(uint32_t, candidates->training->view.data->instances);
    if (!mark)
        return hs_fail_memory(error);
    mark_training(&candidates->training->view, mark);
    for (uint32_t v = 0; v < candidates->count; v++)
        keep[v] = true;
    for (uint32_t v = 0; v < candidates->count; v++)
        if (!hs_is_leaf(candidates->dag, v))
            drop_like_parent(candidates, v, threshold, mark, keep);
    hs_free(mark);
    return HSEL_OK;
}

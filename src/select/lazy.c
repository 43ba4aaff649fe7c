/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparing a lazy selector: O(features x classes + edges) time, O(features) memory. When some
 * features cannot be used (outside the mask, or not binary) the hierarchy is contracted to the
 * others first, so that relations pass through them and every sweep may believe that each node
 * counts.
 */
#include "select/lazy.h"

#include <math.h>

#include "core/mem.h"

/* ---- usable features and their hierarchy --------------------------------------------------- */

static int find_usable(hs_lazy *lazy, const hs_view *view, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    if (!view->features && hs_dataset_all_binary(data))
        return HSEL_OK;
    if (!(lazy->usable = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features))))
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
            hs_bit_set(lazy->usable, f);
    return HSEL_OK;
}

/* The edges of a contracted hierarchy under the old numbers; what was not kept becomes isolated. */
static int renumber(const hsel_dag *small, const uint32_t *kept, uint32_t nodes, hsel_dag **out,
                    hsel_error *error)
{
    uint32_t *child = HS_NEW(uint32_t, small->edges), *parent = HS_NEW(uint32_t, small->edges);
    size_t edges = 0;
    int status = HSEL_OK;
    if (!child || !parent) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t v = 0; v < small->nodes; v++) {
        size_t count;
        const uint32_t *list = hs_parents(small, v, &count);
        for (size_t i = 0; i < count; i++) {
            child[edges] = kept[v];
            parent[edges++] = kept[list[i]];
        }
    }
    status = hs_dag_new(nodes, child, parent, edges, out, error);
out:
    hs_free(child);
    hs_free(parent);
    return status;
}

static int contract(hs_lazy *lazy, const hsel_dag *dag, hsel_error *error)
{
    bool *keep = HS_NEW(bool, dag->nodes);
    uint32_t *kept = HS_NEW(uint32_t, dag->nodes), count = 0;
    hsel_dag *small = NULL;
    int status = HSEL_OK;
    if (!keep || !kept) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t f = 0; f < dag->nodes; f++)
        if ((keep[f] = hs_lazy_can_use(lazy, f)))
            kept[count++] = f;
    status = hs_dag_subset(dag, keep, &small, error);
    if (status == HSEL_OK)
        status = renumber(small, kept, dag->nodes, &lazy->contracted, error);
    lazy->dag = lazy->contracted;
out:
    hs_dag_free(small);
    hs_free(kept);
    hs_free(keep);
    return status;
}

static int find_roots(hs_lazy *lazy, hsel_error *error)
{
    for (uint32_t f = 0; f < lazy->features; f++)
        lazy->roots += hs_is_root(lazy->dag, f) && hs_lazy_can_use(lazy, f);
    if (!(lazy->root = HS_NEW(uint32_t, lazy->roots)))
        return hs_fail_memory(error);
    lazy->roots = 0;
    for (uint32_t f = 0; f < lazy->features; f++)
        if (hs_is_root(lazy->dag, f) && hs_lazy_can_use(lazy, f))
            lazy->root[lazy->roots++] = f;
    return HSEL_OK;
}

int hs_lazy_init(hs_lazy *lazy, const hs_training *training, const char *method, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    *lazy = (hs_lazy){.names = &data->feature_names, .features = data->features};
    if (method && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs a hierarchy and the data set has none; give one "
                       "with --hierarchy",
                       method);
    int status = find_usable(lazy, &training->view, error);
    if (status || !method)
        return status;
    lazy->dag = data->dag;
    if (lazy->usable)
        status = contract(lazy, data->dag, error);
    if (status == HSEL_OK)
        status = find_roots(lazy, error);
    return status;
}

void hs_lazy_clear(hs_lazy *lazy)
{
    hs_dag_free(lazy->contracted);
    hs_free(lazy->usable);
    hs_free(lazy->root);
    hs_free(lazy->score);
    hs_free(lazy->above);
    hs_free(lazy->below);
    hs_blockers_clear(&lazy->blockers);
    *lazy = (hs_lazy){0};
}

void hs_lazy_free(void *state)
{
    if (state)
        hs_lazy_clear(state);
    hs_free(state);
}

const double *hs_lazy_get_scores(const void *state) { return ((const hs_lazy *)state)->score; }

/* ---- relevance ---------------------------------------------------------------------------- */

int hs_lazy_score(hs_lazy *lazy, const hs_training *training, hs_lazy_measure measure,
                  hs_smoothing smoothing, hs_lazyr_form form, hsel_error *error)
{
    uint32_t positive_class = training->view.data->positive_class;
    if (!training->counts->classes)
        return hs_fail(error, HSEL_EUSAGE, "relevance needs classes and the data set has none");
    if (!(lazy->score = HS_NEW_ZERO(double, lazy->features)))
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < lazy->features; f++) {
        hs_cells cells = hs_cells_of(training->counts, f, positive_class);
        if (hs_lazy_can_use(lazy, f))
            lazy->score[f] = measure == HS_BY_IG  ? hs_score_ig(&cells)
                             : measure == HS_BY_R ? hs_score_r(&cells, smoothing)
                                                  : hs_score_lazyr(&cells, true, form);
    }
    return HSEL_OK;
}

/* best[v] = max of score and best over the nodes of list(v), visited before v. */
static void gather(const hs_lazy *lazy, const uint32_t *start, const uint32_t *list, uint32_t v,
                   double *best)
{
    best[v] = -INFINITY;
    for (uint32_t i = start[v]; i < start[v + 1]; i++)
        best[v] = hs_greater(best[v], hs_greater(lazy->score[list[i]], best[list[i]]));
}

int hs_lazy_extremes(hs_lazy *lazy, hsel_error *error)
{
    const hsel_dag *dag = lazy->dag;
    lazy->above = HS_NEW(double, lazy->features);
    lazy->below = HS_NEW(double, lazy->features);
    if (!lazy->above || !lazy->below)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        gather(lazy, dag->parent_start, dag->parent, dag->order[i], lazy->above);
        gather(lazy, dag->child_start, dag->child, dag->order[dag->nodes - 1 - i], lazy->below);
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts that describe a DAG. Paths are counted from the roots down: as many lead to a node as to
 * all its parents.
 */
#include "data/dag.h"

#include "core/mem.h"

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int count_paths(const hsel_dag *dag, hs_dag_shape *shape, hsel_error *error)
{
    uint64_t *paths = HS_NEW(uint64_t, dag->nodes);
    double *real = HS_NEW(double, dag->nodes);
    int status = paths && real ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t i = 0; i < dag->nodes && !status; i++) {
        uint32_t v = dag->order[i];
        paths[v] = hs_is_root(dag, v);
        real[v] = hs_is_root(dag, v);
        for (uint32_t k = dag->parent_start[v]; k < dag->parent_start[v + 1]; k++) {
            paths[v] = add_saturating(paths[v], paths[dag->parent[k]]);
            real[v] += real[dag->parent[k]];
        }
        if (hs_is_leaf(dag, v)) {
            shape->paths = add_saturating(shape->paths, paths[v]);
            shape->paths_real += real[v];
        }
    }
    if (shape->paths < UINT64_MAX)
        shape->paths_real = (double)shape->paths;
    hs_free(paths);
    hs_free(real);
    return status;
}

int hs_dag_shape_of(const hsel_dag *dag, hs_dag_shape *out, hsel_error *error)
{
    *out = (hs_dag_shape){0};
    for (uint32_t v = 0; v < dag->nodes; v++) {
        uint32_t parents = dag->parent_start[v + 1] - dag->parent_start[v];
        uint32_t children = dag->child_start[v + 1] - dag->child_start[v];
        out->roots += parents == 0;
        out->leaves += children == 0;
        out->isolated += parents == 0 && children == 0;
        out->max_parents = parents > out->max_parents ? parents : out->max_parents;
        out->max_children = children > out->max_children ? children : out->max_children;
    }
    if (dag->nodes > 0)
        out->depth = dag->depth[dag->order[dag->nodes - 1]];
    return count_paths(dag, out, error);
}

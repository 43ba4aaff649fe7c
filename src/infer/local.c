/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values of terms adjusted for the terms below them (Alexa, Rahnenführer, Lengauer 2006, and
 * their program topGO). From the deepest term up, each is tested with weights of its positive
 * instances, 1 at first:
 *
 *     elim      a term with p <= cut takes its instances away from all its ancestors
 *     weight01  a child with p no greater than that of the term (and below 1) takes its instances
 *               away from the term and from all ancestors of the term; the term is tested again
 *               against the other children, until none is left that does so
 *     weight01-topgo  the same, but every child takes its instances away, whatever its p: what
 *               topGO's program does, unlike the paper
 *     weight    the same by degrees: the weights are divided by log p(child) / log p(term), if that
 *               is more than 1; once no child is better, the instances of those left are multiplied
 *               by that ratio in the child (by the least of all parents), and the children are
 *               tested again in the end
 *
 * An instance of weight w in a term counts w as a positive and as an instance: the rest of it is
 * left out of the test, as in topGO. Counts of a class are rounded down. O(positive values x
 * ancestors, by binary search) time, 12 bytes per positive value.
 */
#include "infer/p_values.h"

struct local {
    const hs_p_sample *sample;
    hs_arena arena;    /* of the lists */
    hs_sparse columns; /* term -> positions of instances */
    double *weight;    /* of each entry of the columns */
    double *factor;    /* [instances]: of the weights in the current term and those above it */
    bool *done;        /* [nodes]: children of the current term */
    double *down;      /* [nodes]: the least ratio to a parent, at the end */
    double *sum;       /* [cells] */
    uint32_t *positive, *size; /* [cells] */
};

static void local_clear(struct local *l)
{
    hs_sparse_clear(&l->columns);
    hs_arena_clear(&l->arena);
}

/* p of a term by its weights, each multiplied by `all`. */
static int test_term(struct local *l, uint32_t v, double all, double *p, hsel_error *error)
{
    const hs_p_sample *s = l->sample;
    const size_t cells = (size_t)s->strata * s->classes;
    for (size_t c = 0; c < cells; c++) {
        l->sum[c] = 0;
        l->size[c] = s->size[c];
    }
    for (size_t j = l->columns.start[v]; j < l->columns.start[v + 1]; j++) {
        l->sum[s->cell[l->columns.index[j]]] += l->weight[j] * l->factor[l->columns.index[j]] * all;
        l->size[s->cell[l->columns.index[j]]]--;
    }
    for (size_t c = 0; c < cells; c++) {
        l->positive[c] = (uint32_t)(l->sum[c] + 1e-9);
        l->size[c] += l->positive[c];
    }
    return hs_p_of_counts(s, l->positive, l->size, p, NULL, error);
}

/* Multiplies the weights in `v` of the instances of `from` by their factors. */
static void multiply_weights(struct local *l, uint32_t v, uint32_t from)
{
    const uint32_t *index = l->columns.index;
    size_t at = l->columns.start[v], end = l->columns.start[v + 1];
    for (size_t j = l->columns.start[from]; j < l->columns.start[from + 1]; j++) {
        if (l->factor[index[j]] == 1)
            continue;
        const uint32_t place = hs_find_ascending(index + at, end - at, index[j]);
        if (place == HSEL_NONE)
            continue;
        at += place;
        l->weight[at] *= l->factor[index[j]];
    }
}

hs_p_method hs_p_method_find(const char *name)
{
    static const char *const names[] = {"elim", "weight01", "weight01-topgo", "weight"};
    int at = 0;
    while (at < HS_P_METHODS && strcmp(names[at], name) != 0)
        at++;
    return (hs_p_method)at;
}

/* How much more significant a is than b; 1: equal up to rounding. */
static double significance_ratio(double a, double b)
{
    if (fabs(a - b) <= 1e-9 * b)
        return 1;
    return b >= 1 - 1e-9 ? INFINITY : log(fmax(a, 5e-324)) / log(fmax(b, 5e-324));
}

int hs_p_local(const hs_p_sample *s, const hsel_dag *dag, const uint32_t *features, hs_p_method how,
               double cut, double *p, hsel_error *error)
{
    const uint32_t nodes = dag->nodes;
    const size_t cells = (size_t)s->strata * s->classes;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint32_t above;
    HS_OWNS(local_clear) struct local l = {.sample = s};
    HS_NEED(HS_LISTS(&l.arena, &l, HS_PART(&l, done, nodes), HS_PART(&l, down, nodes),
                     HS_PART(&l, factor, s->count), HS_PART(&l, sum, cells),
                     HS_PART(&l, positive, cells), HS_PART(&l, size, cells)));
    HS_TRY(hs_position_columns(s->training->view.data, features, nodes, s->rows, s->count,
                               &l.columns, error));
    HS_TRY(hs_reach_init(&reach, dag, error));
    HS_NEED(l.weight = HS_ARENA_NEW(&l.arena, double, l.columns.start[nodes]));
    for (size_t j = 0; j < l.columns.start[nodes]; j++)
        l.weight[j] = 1;
    for (uint32_t i = 0; i < s->count; i++)
        l.factor[i] = 1;
    for (uint32_t v = 0; v < nodes; v++)
        l.down[v] = 1;
    for (uint32_t i = nodes; i-- > 0;) { /* the deepest first */
        const uint32_t v = dag->order[i];
        size_t children, length, own;
        const uint32_t *child = hs_children(dag, v, &children),
                       *of_own = hs_sparse_list(&l.columns, v, &own), *of_child;
        bool takes = false; /* instances from the terms above */
        for (bool again = true; again;) {
            HS_TRY(test_term(&l, v, 1, &p[v], error));
            again = false;
            for (size_t c = 0; c < children && how != HS_P_ELIM; c++) {
                const double better = significance_ratio(p[child[c]], p[v]);
                if (l.done[child[c]] ||
                    !(how == HS_P_WEIGHT           ? better > 1
                      : how == HS_P_WEIGHT01_TOPGO ? true
                                                   : better >= 1 && p[child[c]] < 1 - 1e-9))
                    continue;
                of_child = hs_sparse_list(&l.columns, child[c], &length);
                for (size_t j = 0; j < length; j++)
                    l.factor[of_child[j]] *= how == HS_P_WEIGHT ? 1 / better : 0;
                l.done[child[c]] = again = takes = true;
            }
        }
        for (size_t c = 0; c < children; c++) { /* those left are no better */
            if (!l.done[child[c]] && how == HS_P_WEIGHT)
                l.down[child[c]] = fmin(l.down[child[c]], significance_ratio(p[child[c]], p[v]));
            l.done[child[c]] = false;
        }
        if (how == HS_P_ELIM && p[v] <= cut) {
            takes = true;
            for (size_t j = 0; j < own; j++)
                l.factor[of_own[j]] = 0;
        }
        if (!takes)
            continue;
        if (how != HS_P_ELIM)
            multiply_weights(&l, v, v);
        for (hs_reach_start(&reach, v); (above = hs_reach_next(&reach)) != HSEL_NONE;)
            multiply_weights(&l, above, v);
        for (size_t c = 0; c <= children; c++) {
            of_child = hs_sparse_list(&l.columns, c < children ? child[c] : v, &length);
            for (size_t j = 0; j < length; j++)
                l.factor[of_child[j]] = 1;
        }
    }
    for (uint32_t v = 0; v < nodes; v++)
        if (l.down[v] < 1)
            HS_TRY(test_term(&l, v, l.down[v], &p[v], error));
    return HSEL_OK;
}

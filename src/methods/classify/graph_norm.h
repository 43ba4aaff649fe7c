/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The norm of Mairal, Jenatton, Obozinski, Bach (2010) on a hierarchy, its proximal operator and
 * its dual norm, exactly.
 *
 *     norm(w) = sum over v of cost_v max |w_u|, u in {v} and the descendants of v
 *
 * All costs are 1, or given: any groups of variables are such a hierarchy, with a node for each
 * group, which costs its weight and whose own w is always 0, above the nodes of its members, which
 * cost nothing.
 *
 * Let m_v be the maximum at v. Then m_v >= |w_v|, m_parent >= m_child, and the norm is the least
 * sum of costs times such m. So prox(x, t) = argmin 1/2 |w - x|^2 + t norm(w) is a convex isotonic
 * regression:
 *
 *     min sum over v of 1/2 (|x_v| - m_v)+^2 + t cost_v m_v   with m_parent >= m_child >= 0
 *     w_v = sign(x_v) min(|x_v|, m_v)
 *
 * and dual(g) = max of g.w over norm(w) <= 1 is the greatest sum of |g_v| by sum of cost_v over the
 * sets of nodes that hold all ancestors of their members. Both reduce to one problem: which such
 * set has the greatest sum of given gains? It is a minimum cut along the direct edges (the paper's
 * network flow), so the groups, whose sizes add up to all pairs of ancestors, are never stored.
 */
#pragma once

#include "data/data.h"

typedef struct hs_graph_norm { /* zero-initialise; hs_graph_norm_clear frees */
    hsel_dag *dag;             /* without edges that a longer path implies */
    const double *cost;        /* NULL: all are 1 */
    bool forest;               /* no node has two parents */
    uint32_t *edge;            /* of the i-th entry of dag->child: its place in dag->parent */
    uint32_t *node, *end;      /* forest: nodes in preorder; where the nodes below a place end */
    hs_arena memory;           /* of the arrays */
    /* scratch: one user at a time */
    double *gain, *supply, *need, *flow, *level_of, *value;
    uint32_t *block, *distance, *arc, *queue, *list, *stack, *path;
    uint32_t last_block;
    bool *best;
} hs_graph_norm;

/* The hierarchy among the kept nodes (keep NULL: all), numbered in their order. Ancestors remain
 * ancestors if nodes between are not kept. Costs (NULL: all are 1) are borrowed, of the kept nodes,
 * and 0 only where an ancestor has one. hs_graph_norm_clear also after a failure. */
HSEL_CHECKED int hs_graph_norm_init(const hsel_dag *dag, const bool *keep, const double *cost,
                                    hs_graph_norm *out, hsel_error *error);
void hs_graph_norm_clear(hs_graph_norm *norm);

double hs_graph_norm_value(hs_graph_norm *norm, const double *w);
/* Into w, which may be x. In one pass on a forest, else by cuts. */
void hs_graph_norm_prox(hs_graph_norm *norm, const double *x, double t, double *w);
/* The same by each way; the first is only for forests. */
void hs_graph_norm_prox_pass(hs_graph_norm *norm, const double *x, double t, double *w);
void hs_graph_norm_prox_cuts(hs_graph_norm *norm, const double *x, double t, double *w);
/* The dual norm, or `least` if it is below that (which is cheaper to know). */
double hs_graph_norm_dual(hs_graph_norm *norm, const double *g, double least);
/* The set of nodes, with all ancestors of its members, of the greatest sum of |g| - level
 * cost. [nodes], of the norm, until the next call. */
const bool *hs_graph_norm_best(hs_graph_norm *norm, const double *g, double level);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of proximal-graph (proximal_graph.c), for tests.
 */
#ifndef HS_CLASSIFY_PROXIMAL_GRAPH_H
#define HS_CLASSIFY_PROXIMAL_GRAPH_H

#include "classify/classify.h"

/* A linear model: one class against the rest. */
struct proximal_part {
    double lambda, largest; /* the one in use; the least that leaves all weights 0 */
    double objective, gap;
    double intercept;
    uint32_t iterations, active; /* active: weights that are not 0 */
};

struct proximal_model { /* in one block with its arrays: hs_free frees it */
    uint32_t features, classes, in_use;
    uint32_t parts; /* two classes: one, of class 1 against class 0; else one per class */
    double *weight; /* [parts * d] */
    struct proximal_part *part;
};

#endif

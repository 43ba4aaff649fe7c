/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of proximal-graph (proximal_graph.c), for tests.
 */
#pragma once

#include "classify/classify.h"

/* A linear model: of one class against the rest, or of the number. */
struct proximal_part {
    double lambda, largest; /* the one in use; the least that leaves all weights 0 */
    double objective, gap;
    double intercept;
    uint32_t iterations, active; /* active: weights that are not 0 */
};

struct proximal_step { /* down the lambdas, and what it came to; as it is in model files */
    double lambda, features, loss, gap;
    double inner; /* GM or RMSE of inner folds; NaN: there were none */
};

struct proximal_model {
    uint32_t features, classes, in_use;
    uint32_t parts; /* two classes: one, of class 1 against class 0; else one per class, or 1 */
    uint32_t places, other_count;
    uint32_t steps; /* of the path */
    bool numeric;   /* the target is a number */
    double *weight; /* [parts * places]: of feature f in place f; then of nominal values */
    bool *free;     /* [d]: not penalised */
    struct proximal_part *part;
    hs_coded *other;            /* their columns are places; of values as they are */
    struct proximal_step *path; /* [parts * steps], on its own */
};

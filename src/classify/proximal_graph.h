/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What proximal_graph.c (predicting, model files, description) and proximal_graph_fit.c share, and
 * nobody else.
 */
#ifndef HS_CLASSIFY_PROXIMAL_GRAPH_H
#define HS_CLASSIFY_PROXIMAL_GRAPH_H

#include "classify/classify.h"

struct proximal_options {
    const char *lambda;
    uint32_t lambdas, folds, iterations;
    double ratio, tolerance;
};

/* A linear model: one class against the rest. */
struct proximal_part {
    double lambda, largest; /* the one in use; the least that leaves all weights 0 */
    double objective, gap;
    double intercept;
    uint32_t iterations, active; /* active: weights that are not 0 */
};

struct proximal_model {
    uint32_t features, classes, in_use;
    uint32_t parts; /* two classes: one, of class 1 against class 0; else one a class */
    struct proximal_part *part;
    double *weight; /* [parts * d] */
};

/* The lambda that was given; 0: auto. */
HSEL_CHECKED int hs_proximal_lambda(const struct proximal_options *options, double *out,
                                    hsel_error *error);
struct proximal_model *hs_proximal_new(uint32_t features, uint32_t classes);
void hs_proximal_free(void *model);
int hs_proximal_fit(const hs_training *training, const void *options, void **model,
                    hsel_error *error);

/* What the parts say (score[parts]) to scores of the classes, in place: of two classes, the one
 * part speaks for class 1 and against class 0. */
static inline void hs_proximal_scores(double *score, uint32_t classes)
{
    if (classes == 2) {
        score[1] = score[0];
        score[0] = -score[1];
    }
}

#endif

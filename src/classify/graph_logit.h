/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logistic regression with the graph norm as penalty, for two classes:
 *
 *     min over w, b of  1/W sum over i of v_i log(1 + exp(-y_i (w.x_i + b))) + lambda norm(w)
 *
 * where v_i is the weight of instance i and W their sum; without weights, 1 and n.
 *
 * w by FISTA (Beck, Teboulle 2009) with backtracking and restarts (O'Donoghue, Candes 2015); b,
 * which is not penalised, is the best one for each w, by Newton's method in one dimension. So the
 * residuals always sum to 0, and scaled until the dual norm of their gradient is at most lambda
 * they are a feasible point of the dual: the gap between both bounds how far the objective is from
 * its minimum. An iteration takes O(positive values + prox), memory O(n + d + positive values).
 */
#ifndef HS_CLASSIFY_GRAPH_LOGIT_H
#define HS_CLASSIFY_GRAPH_LOGIT_H

#include <math.h>

#include "classify/graph_norm.h"
#include "data/counts.h"

typedef struct hs_logit { /* a solver; zero-initialise; hs_logit_clear frees */
    uint32_t instances, features;
    hs_sparse column; /* feature -> positions of the instances that have it */
    hs_graph_norm *norm;
    hs_arena memory;                           /* of the arrays */
    int8_t *label;                             /* [n]: 1 or -1 */
    uint32_t positives;                        /* labels that are 1 */
    const double *weight;                      /* [n]: of the instances; NULL: all are 1 */
    double total;                              /* of these */
    double *w, b;                              /* where it is now */
    double objective, gap;                     /* there; gap as a part of the objective */
    uint32_t iterations;                       /* of the last solution */
    double smoothness;                         /* L, found by backtracking */
    double *ahead, *gradient, *trial;          /* [d] */
    double *score, *score_ahead, *score_trial; /* [n]: w.x */
    double *residual;                          /* [n]: derivative of the loss by the score */
    uint32_t *work, work_count;                /* features at work, ascending; others are 0 */
} hs_logit;

/* For the given instances of a data set, and the features feature[0] < feature[1] … that are the
 * nodes of the norm. Clear also after a failure. */
HSEL_CHECKED int hs_logit_init(const hsel_dataset *data, const uint32_t *instances,
                               uint32_t instance_count, const uint32_t *feature,
                               hs_graph_norm *norm, hs_logit *out, hsel_error *error);
void hs_logit_clear(hs_logit *logit);
/* Instance i is positive where positive[i], and has weight[i] (NULL: all have 1), which is
 * borrowed. Starts again from w = 0. */
void hs_logit_start(hs_logit *logit, const bool *positive, const double *weight);
/* Are there instances of both kinds? If not, there is no solution but w = 0 and the smoothed odds,
 * log((positives + 1)/(negatives + 1)), which is where hs_logit_start leaves it. */
bool hs_logit_is_proper(const hs_logit *logit);
/* The least lambda for which w = 0 is the solution. After hs_logit_start. */
double hs_logit_largest(hs_logit *logit);
/* From where it is to the solution for lambda > 0: until the gap is at most `tolerance` of the
 * objective, or `most` iterations. */
void hs_logit_solve(hs_logit *logit, double lambda, double tolerance, uint32_t most);
/* Adds to the weights [d], for the next solution to begin there; features that all instances have,
 * or none, stay at 0. */
void hs_logit_move(hs_logit *logit, const double *by);

/* The parts, for tests. Loss and best intercept (from *b on) for scores; residuals if not NULL. */
double hs_logit_loss(const hs_logit *logit, const double *score, double *b, double *residual);
/* Derivative of the loss, with the best intercept, by the weights. */
void hs_logit_gradient(const hs_logit *logit, const double *residual, double *gradient);

static inline double hs_sigmoid(double x)
{
    double e = exp(-fabs(x));
    return (x >= 0 ? 1 : e) / (1 + e);
}

#endif

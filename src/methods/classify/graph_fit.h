/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear models with the graph norm as penalty: logistic regression for two classes, and least
 * squares for numbers.
 *
 *     min over w, b of  1/W sum over i of v_i log(1 + exp(-y_i (w.x_i + b.z_i))) + lambda norm(w)
 *     min over w, b of  1/W sum over i of v_i (y_i - w.x_i - b.z_i)^2 / 2        + lambda norm(w)
 *
 * where v_i is the weight of instance i and W their sum (without weights, 1 and n), and z_i has a 1
 * for the intercept and the features that are not penalised.
 *
 * w by FISTA (Beck, Teboulle 2009) with backtracking and restarts (O'Donoghue, Candes 2015); b is
 * the best one for each w: by projection, or by Newton's method. So the residuals are always
 * orthogonal to z, and scaled until the dual norm of their gradient is at most lambda they are a
 * feasible point of the dual: the gap between both bounds how far the objective is from its
 * minimum. An iteration takes O(values + prox + n free columns^2), memory O(n (1 + free columns) +
 * d + values).
 */
#pragma once

#include "classify/graph_norm.h"

/* The data as columns of numbers, the penalised ones sparse. */
typedef struct hs_design { /* zero-initialise; hs_design_clear frees */
    uint32_t instances;
    hs_sparse column;      /* node of the norm -> where it is not 0 */
    double *value;         /* of these; NULL: all are 1 */
    double *free;          /* [free_columns * instances]: not penalised */
    uint32_t free_columns; /* without the intercept */
} hs_design;

void hs_design_clear(hs_design *design);
/* Some of its instances, ascending. Clear also after a failure. */
HSEL_CHECKED int hs_design_part(const hs_design *whole, const uint32_t *instances, uint32_t count,
                                hs_design *out, hsel_error *error);
/* Adds a column times w to score[instances]; the product of a column with residual[instances]. */
void hs_design_add(const hs_design *design, uint32_t column, double w, double *score);
double hs_design_slope(const hs_design *design, uint32_t column, const double *residual);
/* out[instances]: x.w */
void hs_design_scores(const hs_design *design, const double *w, double *out);

typedef struct hs_graph_fit { /* a solver; zero-initialise; hs_graph_fit_clear frees */
    uint32_t instances, features;
    const hs_design *design;
    hs_graph_norm *norm;
    hs_arena memory;      /* of the arrays */
    bool *fixed;          /* [d]: the same in all instances, so its weight is 0 */
    const double *number; /* [n]: to predict; NULL: classes */
    int8_t *label;        /* [n]: 1 or -1 */
    bool proper;          /* there are instances of both kinds, or different numbers */
    double largest; /* the least lambda for which w = 0 is the solution; INFINITY: not known */
    const double *weight;             /* [n]: of the instances; NULL: all are 1 */
    double total;                     /* of these */
    double *w, *b;                    /* current solution; b[0] is the intercept, then the basis */
    double objective, gap;            /* of the current solution; gap relative to the objective */
    double loss;                      /* the part of the objective that is not penalty */
    uint32_t iterations;              /* of the last solution */
    double smoothness;                /* L, found by backtracking */
    double *ahead, *gradient, *trial; /* [d] */
    double *score, *score_ahead, *score_trial; /* [n]: w.x */
    double *residual;                          /* [n]: derivative of the loss by the score */
    uint32_t *work, work_count;                /* active features, ascending; others are 0 */
    /* What is not penalised, as columns that are orthogonal to each other and to 1 and whose mean
     * square is 1: free column j is the sum of mix[j * columns + k] times basis k, and a constant.
     * Columns that are combinations of others have a basis of 0. */
    double *basis, *mix, *newton; /* [columns * n], [columns^2]; scratch of Newton's method */
    double *b_trial;
} hs_graph_fit;

/* The columns of the design are the nodes of the norm. Clear also after a failure. */
HSEL_CHECKED int hs_graph_fit_init(const hs_design *design, hs_graph_norm *norm, hs_graph_fit *out,
                                   hsel_error *error);
void hs_graph_fit_clear(hs_graph_fit *fit);
/* Instance i is positive where positive[i], or has number[i] (the other is NULL; numbers are
 * borrowed, and about 1 in size), and has weight[i] (NULL: all have 1), which is borrowed. Starts
 * again from w = 0. Without instances of both kinds there is no solution but w = 0 and the smoothed
 * odds, log((positives + 1)/(negatives + 1)); with equal numbers w = 0 is one. */
void hs_graph_fit_start(hs_graph_fit *fit, const bool *positive, const double *number,
                        const double *weight);
/* The least lambda for which w = 0 is the solution; 0: it is for any. After hs_graph_fit_start. */
double hs_graph_fit_largest(hs_graph_fit *fit);
/* Iterates from the current solution to that for lambda > 0: until the gap is at most `tolerance`
 * of the objective, or `most` iterations. */
void hs_graph_fit_solve(hs_graph_fit *fit, double lambda, double tolerance, uint32_t most);
/* Adds to the weights [d], for the next solution to begin there; fixed ones stay at 0. */
void hs_graph_fit_move(hs_graph_fit *fit, const double *by);
/* Weights of the free columns into out[free_columns]; returns the intercept beside them. */
double hs_graph_fit_free(const hs_graph_fit *fit, double *out);

/* The parts, for tests. Loss and best b (from there on) for scores; residuals if not NULL. */
double hs_graph_fit_loss(const hs_graph_fit *fit, const double *score, double *b, double *residual);
/* Derivative of the loss, with the best b, by the weights. */
void hs_graph_fit_gradient(const hs_graph_fit *fit, const double *residual, double *gradient);

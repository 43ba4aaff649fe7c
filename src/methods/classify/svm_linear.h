/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear machines for pairs of classes, the L2-loss machines of liblinear and of scikit-learn's
 * LinearSVC:
 *
 *     min over w, b of  1/2 |w|^2 + 1/2 b^2 + sum over i of C_i max(0, 1 - y_i (w.x_i + b))^2
 *
 * The minimum is unique. It is computed only from the rows, without kernel values, randomness or
 * shared state, so machines can be trained concurrently with the same result for any number of
 * threads.
 */
#pragma once

#include "classify/svm_solve.h"

/* w.x + b, w being [columns + 1] with b at its end. */
double hs_linear_decide(const hs_svm_rows *rows, uint32_t row, const double *w);

/* What was found, besides w. */
typedef struct hs_linear_machine {
    double objective, gap; /* the objective is at most so far above the minimum */
    uint32_t vectors;      /* rows that are within their margin */
    uint32_t steps;        /* products with the Hessian */
    bool stopped;          /* after max_steps, before it converged */
} hs_linear_machine;

/* On the rows of two classes, less those of a fold, as hs_svm_machine_train does; rows, labels,
 * tolerance, steps and progress are those of the space. It has converged when the gap is at most
 * tolerance^2 of the objective. w: where to begin (any place does; near is faster), and the
 * machine.
 */
HSEL_CHECKED int hs_linear_train(const hs_svm_space *space, uint32_t first, uint32_t second,
                                 double c, const uint32_t *fold_of, uint32_t fold, double *w,
                                 hs_linear_machine *out, hsel_error *error);

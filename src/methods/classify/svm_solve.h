/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training machines for pairs of classes, from kernel values of their rows.
 *
 * A machine is a function of rows, labels and settings: nothing random, nothing shared. The solver
 * makes the steps of libsvm in their order, so that both give the same numbers
 * (tests/unit/test_svm_peer.c).
 */
#pragma once

#include "data/data.h"

/* Training rows: of row i the columns index[start[i]] … index[start[i + 1] - 1], ascending, and
 * their values. */
typedef struct hs_svm_rows { /* zero-initialise; hs_svm_rows_clear frees */
    uint32_t count, columns;
    size_t *start;
    uint32_t *index;
    double *value;  /* NULL: all are 1, only for linear machines (svm_linear.h) */
    double *square; /* of each row: its product with itself */
} hs_svm_rows;

void hs_svm_rows_clear(hs_svm_rows *rows);

typedef enum hs_svm_kind { HS_SVM_LINEAR, HS_SVM_POLYNOMIAL, HS_SVM_RBF } hs_svm_kind;

typedef struct hs_svm_kernel {
    int kind;
    uint32_t degree;
    double gamma, coef0;
} hs_svm_kernel;

/* From the product of two rows, and of each with itself: x.y, (gamma x.y + coef0)^degree,
 * exp(-gamma |x - y|^2). */
double hs_svm_kernel_value(const hs_svm_kernel *kernel, double product, double square_x,
                           double square_y);

/* Training rows with a kernel. Kernel values of all pairs of rows are computed once and shared by
 * every machine that is trained on some of the rows (folds, pairs of classes, values of C), unless
 * they would take more than `megabytes`, at 8 bytes per pair. Then each machine computes them on
 * demand and caches that many megabytes. The numbers are the same. */
typedef struct hs_svm_space {
    const hs_svm_rows *rows;
    const uint32_t *label; /* class of each row */
    const double *weight; /* of each row, may be set before training: its C is so many times that of
                             the machine; NULL: all are 1 */
    hs_svm_kernel kernel;
    double tolerance;
    uint32_t megabytes;
    uint32_t max_steps;          /* of one machine */
    const hs_progress *progress; /* may be set before training; may be NULL */
    double *values;              /* [rows * rows]; NULL: each machine computes its own */
} hs_svm_space;

/* A space for rows and labels, which it borrows; its kernel comes with hs_svm_space_fill. */
HSEL_CHECKED int hs_svm_space_new(const hs_svm_rows *rows, const uint32_t *label, double tolerance,
                                  uint32_t max_steps, uint32_t megabytes, hs_svm_space *out,
                                  hsel_error *error);
/* Sets or changes the kernel; HSEL_EUNSUPPORTED when its values would be too large to work with. */
HSEL_CHECKED int hs_svm_space_fill(hs_svm_space *space, const hs_svm_kernel *kernel, int threads,
                                   hsel_error *error);
void hs_svm_space_clear(hs_svm_space *space);

/* Decides between two classes: sum of coef K(row, x) - rho, above 0 for the first. */
typedef struct hs_svm_machine { /* zero-initialise; hs_svm_machine_clear frees */
    uint32_t first, second;
    uint32_t count;
    uint32_t *row; /* [count]: support vectors, by number of the training row */
    double *coef;
    double rho;
    bool stopped; /* after max_steps, before it converged */
} hs_svm_machine;

/* On the rows of the two classes, less those of a fold (fold_of NULL: all). Without rows of one
 * class there is no support vector, and rho says 1 for the other class; without rows of both it is
 * 0. */
HSEL_CHECKED int hs_svm_machine_train(const hs_svm_space *space, uint32_t first, uint32_t second,
                                      double c, const uint32_t *fold_of, uint32_t fold,
                                      hs_svm_machine *out, hsel_error *error);
double hs_svm_machine_decide(const hs_svm_space *space, const hs_svm_machine *machine,
                             uint32_t row);
void hs_svm_machine_clear(hs_svm_machine *machine);

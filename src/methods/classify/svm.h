/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trained support vector machine keeps: all that predicting, model files and descriptions
 * need.
 *
 * Features become columns of numbers. Binary features are columns of 0 and 1. Numeric ones are
 * scaled to [0,1] by the least and greatest value of the training part (a constant one becomes 0),
 * missing values are the mean. A nominal feature of two values is one column, 1 for the second; of
 * more values a column each; missing is the most frequent value, of equally frequent ones the
 * first. So do WEKA's filters in SMO: ReplaceMissingValues, NominalToBinary, Normalize. Columns:
 * binary features first, then the others, each by feature.
 */
#pragma once

#include "classify/classify.h"
#include "classify/platt.h"
#include "classify/svm_solve.h"

#define HS_SVM_CLASSES_LIMIT 1000

/* Decides between two of the classes that occur. */
typedef struct hs_svm_pair {
    uint32_t first, second; /* their places in `present` */
    uint32_t vectors;       /* support vectors */
    uint32_t stopped;       /* 1: the solver gave up before it converged */
    double rho;
    hs_platt platt;
} hs_svm_pair;

/* Model files begin with the members up to pair_count, unchanged, followed by the lists: every byte
 * is defined. */
typedef struct hs_svm {
    uint32_t features, classes, columns, other_count, present_count;
    uint32_t vector_count; /* support vectors of all pairs; 0 with the linear kernel */
    uint32_t kind, degree; /* hs_svm_kernel */
    uint32_t votes;        /* 1: no logistic curves */
    uint32_t padding;
    double gamma, coef0, c;
    double score;          /* what the grid search reached; NaN: there was none */
    uint64_t value_count;  /* entries of the support vectors' columns */
    uint64_t member_count; /* support vectors summed over pairs */
    uint32_t pair_count;
    uint32_t *column; /* [features]: of a binary feature in use, else HSEL_NONE */
    hs_coded *other;
    uint32_t *present; /* classes that occurred in training, ascending */
    hs_svm_pair *pair; /* (0,1), (0,2) … (1,2) … */
    double *weight;    /* linear kernel: [columns * pairs]; else NULL */
    /* Other kernels: support vectors of all pairs, by column; entries of column c are start[c] …
     * start[c+1]-1. */
    uint64_t *start; /* [columns + 1] */
    uint32_t *vector;
    double *value;
    uint32_t *member; /* those of pair 0, of pair 1 … */
    double *coef;
    double *square; /* [vector_count]; not in files */
} hs_svm;

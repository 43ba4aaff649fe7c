/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trained support vector machine keeps: all that predicting, model files and descriptions
 * need.
 */
#ifndef HS_CLASSIFY_SVM_MODEL_H
#define HS_CLASSIFY_SVM_MODEL_H

#include "classify/classify.h"
#include "classify/platt.h"
#include "classify/svm_solve.h"

#define HS_SVM_CLASSES_LIMIT 1000

/* Decides between two of the classes that occur. Pairs go into model files as they are: no byte is
 * left to chance. */
typedef struct hs_svm_pair {
    uint32_t first, second; /* their places in `present` */
    uint32_t vectors;       /* support vectors */
    uint32_t stopped;       /* 1: the solver gave up before it converged */
    double rho;
    hs_platt platt;
} hs_svm_pair;

typedef struct hs_svm {
    hs_svm_code code;
    hs_svm_kernel kernel;
    double c;
    double score; /* what the grid search reached; NaN: there was none */
    uint32_t classes, present_count, pair_count;
    bool votes;        /* no logistic curves */
    uint32_t *present; /* classes that occurred in training, ascending */
    hs_svm_pair *pair; /* (0,1), (0,2) … (1,2) … */
    double *weight;    /* linear kernel: [columns * pairs]; else NULL */
    /* Other kernels: support vectors of all pairs, by column; entries of column c are start[c] …
     * start[c+1]-1. */
    uint32_t vector_count;
    uint64_t *start; /* [columns + 1] */
    uint32_t *vector;
    double *value, *square; /* square: [vector_count] */
    uint64_t member_count;  /* support vectors summed over pairs */
    uint32_t *member;       /* those of pair 0, of pair 1 … */
    double *coef;
} hs_svm;

void hs_svm_free(void *model);
/* From trained machines, one a pair in order, and the rows that they were trained on. The pairs
 * have their curves already. */
HSEL_CHECKED int hs_svm_keep(hs_svm *model, const hs_svm_machine *machines, const hs_svm_rows *rows,
                             hsel_error *error);
/* Squares from values. */
void hs_svm_square(hs_svm *model);

/* Slots of hs_classifier. */
int hs_svm_scratch_new(const void *model, void **scratch, hsel_error *error);
void hs_svm_scratch_free(void *scratch);
int hs_svm_predict(const void *model, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error);
double hs_svm_contribution(const void *model, uint32_t feature, double value, uint32_t label);
int hs_svm_write(const void *model, hs_writer *out, hsel_error *error);
int hs_svm_read(const void *bytes, size_t length, const hsel_dataset *shape, void **model,
                hsel_error *error);
int hs_svm_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error);

#endif

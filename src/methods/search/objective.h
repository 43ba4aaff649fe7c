/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a search maximises: a callback that gives a set of features its value. Two are here, both a
 * metric of a classifier by cross-validation inside the training part, pooled over its folds:
 * hs_inner_objective for every classifier and metric, hs_nb_objective for naive Bayes, with the
 * same values and without fitting anything again.
 *
 * Inner folds are made once, so a set has one value. Sets are scored in parallel, each by one
 * worker.
 */
#ifndef HS_SEARCH_OBJECTIVE_H
#define HS_SEARCH_OBJECTIVE_H

#include "core/method.h"
#include "data/folds.h"
#include "data/training.h"
#include "stats/metrics.h"

/* A set to be scored. An objective may keep something with each set (a memo) from which it scores
 * sets that differ in few features faster. */
typedef struct hs_trial {
    const uint64_t *set; /* bit set of features, within those that may be used */
    void *memo; /* memo_bytes; comes with what belongs to another set, from which this one … */
    const uint32_t *flips; /* … differs in these features; leaves with what belongs to this set */
    uint32_t flip_count;
    int worker;
} hs_trial;

typedef struct hs_objective { /* zero-initialise; hs_objective_clear frees */
    void *self;
    size_t memo_bytes; /* a multiple of 8; 0: none. A memo of zeros belongs to the empty set. */
    int (*score)(void *self, const hs_trial *trial, double *value, hsel_error *error);
    void (*free)(void *self);
} hs_objective;

void hs_objective_clear(hs_objective *objective);

/* Everything is borrowed and must outlive the objective. */
typedef struct hs_inner_request {
    const hs_training *training;
    const hs_chosen *classifier;
    hs_metric metric;
    uint32_t folds;
    uint64_t seed;
    int workers;
    const char *owner; /* the method that searches, for messages */
} hs_inner_request;

/* The folds, with what is learned from in each; what both objectives stand on. */
typedef struct hs_inner { /* zero-initialise; hs_inner_clear frees */
    hs_inner_request request;
    hs_folds folds;      /* over positions in the training view */
    hs_view *rest;       /* [folds]: the training part without the fold … */
    hs_counts *train;    /* … and its counts */
    hsel_dataset **made; /* … and its data, where preparation gave others; else NULL */
    uint32_t *in_class;  /* [classes]: of the whole training part */
    hs_arena memory;     /* of these lists */
} hs_inner;

/* HSEL_EUSAGE: fewer instances than folds, or a fold with one class in the rest. hs_inner_clear
 * also after a failure. */
HSEL_CHECKED int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error);
void hs_inner_clear(hs_inner *inner);
/* The metric asked for, if it needs no more than predicted classes. */
double hs_inner_rate(const hs_inner *inner, const uint32_t *hits, const uint32_t *predicted);

/* Fits the classifier on every fold for every set. HSEL_EUSAGE, HSEL_EUNSUPPORTED: the classifier
 * cannot learn from this data. */
HSEL_CHECKED int hs_inner_objective(const hs_inner_request *request, hs_objective *out,
                                    hsel_error *error);
/* Is hs_nb_objective for this classifier (one with `terms`: nb), metric (no area) and data (all
 * binary)? */
bool hs_nb_objective_fits(const hs_inner_request *request);
HSEL_CHECKED int hs_nb_objective(const hs_inner_request *request, hs_objective *out,
                                 hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation inside a training part: its folds, made once, with the training data of each.
 * Calibration, thresholds and the values of feature sets use it.
 */
#pragma once

#include "stats/metrics.h"

/* Everything is borrowed and must outlive what is made of it. */
typedef struct hs_inner_request {
    const hs_training *training;
    const hs_chosen *classifier;
    hs_metric metric;
    uint32_t folds;
    uint64_t seed;
    int workers;
    const char *owner; /* the method that searches, for messages */
} hs_inner_request;

/* The folds, with the training data of each. */
typedef struct hs_inner { /* zero-initialise; hs_inner_clear frees */
    hs_inner_request request;
    hs_folds folds;      /* over positions in the training view */
    hs_view *rest;       /* [folds]: the training part without the fold … */
    hs_counts *train;    /* … and its counts */
    hsel_dataset **made; /* … and its data, where preparation gave others; else NULL */
    uint32_t *in_class;  /* [classes]: of the instances that are tested */
    hs_arena memory;     /* of these lists */
} hs_inner;

/* HSEL_EUSAGE: fewer instances than folds, or a fold with one class in the rest. hs_inner_clear
 * also after a failure. */
HSEL_CHECKED int hs_inner_init(const hs_inner_request *request, hs_inner *out, hsel_error *error);
void hs_inner_clear(hs_inner *inner);
/* The given metric, if it needs only predicted classes. */
double hs_inner_rate(const hs_inner *inner, const uint32_t *hits, const uint32_t *predicted);

/* Learns from `training`, the rest of a fold, by a pipeline without adjustment (selector NULL: the
 * features of the view) of `count` classifiers (`left_out` as in hs_pipeline, or NULL); the scores
 * of the instances of the fold by classifier c go into score[(c * positions + position) *
 * hs_score_width(classes)]. */
HSEL_CHECKED int hs_inner_scores(const hs_inner *inner, uint32_t fold, const hs_chosen *selector,
                                 const hs_chosen *classifiers, size_t count,
                                 const char *const *left_out, const hs_training *training,
                                 double *score, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The objective of a search: a callback that returns the value of a set of features. Two are here,
 * both a metric of a classifier by cross-validation inside the training part, pooled over its
 * folds: hs_inner_objective for every classifier and metric, hs_nb_objective for naive Bayes, with
 * the same values and without fitting anything again.
 *
 * Inner folds are made once, so a set has one value. Sets are scored in parallel, each by one
 * worker.
 */
#pragma once

#include "pipeline/inner.h"

/* A set to be scored. An objective may keep something with each set (a memo) from which it scores
 * sets that differ in few features faster. */
typedef struct hs_trial {
    const uint64_t *set;   /* bit set of features, within those that may be used */
    void *memo;            /* memo_bytes; on entry of another set, from which this one … */
    const uint32_t *flips; /* … differs in these features; on return of this set */
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
/* A method within an option of another: ; parts its own options, "svm:c=2;kernel=rbf". */
HSEL_CHECKED int hs_nested_parse(hs_kind kind, const char *text, size_t length, hs_chosen *out,
                                 hsel_error *error);

/* SELECTOR+CLASSIFIER, or a classifier alone (the selector is then none), as one of several members
 * of the method `owner`, or its base. A classifier such as a blend may have + in its options. */
HSEL_CHECKED int hs_member_parse(const char *owner, bool several, const char *text, size_t length,
                                 hs_chosen *selector, hs_chosen *classifier, hsel_error *error);

/* Fits the classifier, which must suit the data (hs_check_within), on every fold for every set.
 * HSEL_EUSAGE: there are too few instances. */
HSEL_CHECKED int hs_inner_objective(const hs_inner_request *request, hs_objective *out,
                                    hsel_error *error);
/* Whether hs_nb_objective applies: classifier with `terms` (nb), metric not an area, all features
 * binary. */
bool hs_nb_objective_fits(const hs_inner_request *request);
HSEL_CHECKED int hs_nb_objective(const hs_inner_request *request, hs_objective *out,
                                 hsel_error *error);

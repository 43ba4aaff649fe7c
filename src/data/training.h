/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input of selectors and classifiers: a training part with its counts, and (for lazy
 * prediction) the features selected for one instance; and further output of a prediction. It is
 * here because select and classify may not include each other.
 */
#pragma once

#include "data/counts.h"
#include "data/folds.h"

/* The training data of a method. Everything is borrowed and outlives the method's state. */
typedef struct hs_training {
    hs_view view; /* training rows, ascending: ties that depend on the order of rows go to the lower
                     instance. Its feature mask is NULL or the features that may be used */
    const hs_counts
        *counts;   /* of the view's rows; features outside its mask may be counted or not */
    uint64_t seed; /* for stochastic methods */
    const struct hs_progress *progress; /* for slow methods, also for cancelling; may be NULL */
    struct hs_journal *journal; /* for methods that can resume (core/journal.h); may be NULL */
    const hs_folds *folds;      /* of the cross-validation that this is a part of; NULL: of none */
    uint32_t fold;              /* which is left out */
    bool reasons;               /* record why features are kept or dropped */
    bool lean;   /* the model is only to predict: it need not say anything of itself */
    int threads; /* for work inside the method: 1 in cross-validation, where folds run in parallel
                  */
    /* Receives the scores of the training instances that have a class or target, in the order of
     * the view, hs_score_width of each, by the parts of the model that did not learn from them, of
     * classifiers that have these (`scores_training`); NULL: not wanted. */
    double *own_score;
    /* Of classifiers, while they are fitted; hs_training_weight is the product. */
    const double *class_weight; /* [classes], above 0; NULL: all are 1 */
    const double *weight; /* [instances of the data set], above 0 in the view; NULL: all are 1 */
} hs_training;

static inline bool hs_training_weighs(const hs_training *training)
{
    return training->weight || training->class_weight;
}
/* Of an instance that has a class. */
static inline double hs_training_weight(const hs_training *training, uint32_t row)
{
    return (training->weight ? training->weight[row] : 1) *
           (training->class_weight ? training->class_weight[training->view.data->class_of[row]]
                                   : 1);
}

/* The training rows in the order of the view, optionally without those that have no class or
 * target. Free with hs_free. */
HSEL_CHECKED int hs_training_rows(const hs_training *training, bool labelled, uint32_t **rows,
                                  uint32_t *count, hsel_error *error);
/* For every binary feature of a list the rows in which it is positive, as ascending positions in
 * `rows`. */
HSEL_CHECKED int hs_position_columns(const hsel_dataset *data, const uint32_t *features,
                                     uint32_t feature_count, const uint32_t *rows, uint32_t count,
                                     hs_sparse *out, hsel_error *error);

/* The features selected for one instance. Positive and negative ones separately, so that the work
 * is proportional to the selection. */
typedef struct hs_selection {
    uint32_t *positive; /* room for all features; those selected among the instance's positive ones,
                           ascending */
    uint32_t *negative; /* room for all features; among its negative ones, ascending; not filled if
                           all_negative */
    uint32_t positive_count, negative_count;
    bool all_negative; /* every feature that may be used and is not positive is selected */
} hs_selection;

HSEL_CHECKED int hs_selection_init(hs_selection *selection, uint32_t features, hsel_error *error);
void hs_selection_clear(hs_selection *selection);
/* How many features are selected, of `features` that may be used, for an instance in which
 * `positives` of them are positive. */
uint32_t hs_selection_size(const hs_selection *selection, uint32_t features, size_t positives);

/* Whether the feature is selected for the instance whose positive features are row[0 … count). */
bool hs_selection_has(const hs_selection *selection, const uint32_t *row, size_t count,
                      uint32_t feature);

/* Calls `each` for every feature selected for the instance whose positive features are row[0 …
 * count), of `features` in all: the positive ones, then the negative ones, ascending. */
void hs_selection_each(const hs_selection *selection, uint32_t features, const uint32_t *row,
                       size_t count, void (*each)(void *context, uint32_t feature, bool value),
                       void *context);

/* A training instance that a prediction is based on. */
typedef struct hs_neighbour {
    uint32_t instance; /* of the training data */
    const char *id;    /* NULL: it has none */
    uint32_t label;    /* its class; HSEL_NONE: it has a number */
    double target;     /* NaN: it has a class */
    double distance, weight;
    uint32_t shared, here, there; /* positive features that both have, only this one, only that */
} hs_neighbour;

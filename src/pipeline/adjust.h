/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adjusts the output of a classifier by its options (hs_adjust_options): calibrated probabilities,
 * and a decision threshold for a metric or a cost. Both are learned from out-of-fold scores of
 * selector and classifier in inner folds of the training part.
 *
 * Calibration is by a curve from scores to probabilities: Platt's logistic one (flat where it would
 * fall), or isotonic regression (the best curve that never falls; between its steps a straight
 * line). No probability is nearer to 0 or 1 than 1 / (instances + 2). With two classes the order of
 * instances by score is unchanged; scores are shifted so that the predicted class changes at 0.
 * With more classes each has its own curve against the rest, and probabilities are divided by their
 * sum. calibration=auto changes probabilities alone, so that nothing else depends on it.
 */
#pragma once

#include "classify/classify.h"

typedef struct hs_curve { /* from a score to a probability */
    double a, b;          /* Platt: 1 / (1 + exp(a s + b)) */
    uint32_t count;       /* isotonic: corners; 0: Platt */
    double *at, *share;   /* [count]: their scores, ascending, and probabilities, never falling */
    double least;         /* and 1 - least: the probabilities nearest to 0 and 1 */
} hs_curve;

typedef struct hs_adjust { /* zero-initialise: changes nothing; hs_adjust_clear frees */
    uint32_t curves; /* 0: no calibration; 1 of two classes, that of the second; else a class */
    hs_curve *curve;
    bool moves; /* scores change: of two classes by the cut, of more they are those of curves */
    double cut; /* the score above which the second class is predicted; infinite: never, always */
} hs_adjust;

/* Whether the options of the classifier allow an adjustment, and it does not learn that itself. */
bool hs_adjust_asked(const hs_chosen *classifier);
/* HSEL_EUSAGE: not possible with this training part; calibration=auto then changes nothing, with a
 * note. `training` has all features: the selector is
 * trained again in every inner fold. */
HSEL_CHECKED int hs_adjust_learn(const hs_training *training, const hs_chosen *selector,
                                 const hs_chosen *classifier, hs_adjust *out, hsel_error *error);
/* Whether it changes probabilities alone. */
bool hs_adjust_keeps(const hs_chosen *classifier);
/* Whether it is learned after the fit, from own_score of hs_training, which a selector that used
 * the classes spoils. */
bool hs_adjust_by_model(const hs_chosen *selector, const hs_chosen *classifier);
/* From these scores, which it moves; score[rows of the view * hs_score_width(classes)]. */
HSEL_CHECKED int hs_adjust_learn_own(const hs_training *training, const hs_chosen *classifier,
                                     double *score, hs_adjust *out, hsel_error *error);
/* The same from out-of-fold scores that are there: score[rows * hs_score_width(classes)], of which
 * those at `tested` positions of the view are used, ascending; curves count the i-th of these
 * weight[i] times (NULL: once). */
HSEL_CHECKED int hs_adjust_of_scores(const hs_view *view, const char *name,
                                     const hs_adjust_options *options, const double *weight,
                                     const double *scores, const uint32_t *tested, uint32_t count,
                                     hs_adjust *out, hsel_error *error);
/* Changes probability and score [count * classes] in place. */
void hs_adjust_apply(const hs_adjust *adjust, uint32_t classes, uint32_t count, double *probability,
                     double *score);
void hs_adjust_clear(hs_adjust *adjust);
/* Its part of a model file, if the classifier has an adjustment. */
HSEL_CHECKED int hs_adjust_fields(hs_adjust *adjust, uint32_t classes, hs_transfer *file,
                                  hsel_error *error);

/* The curve of isotonic regression; O(n log n). weight NULL, here and below: all 1. */
HSEL_CHECKED int hs_isotonic_fit(const double *score, const bool *positive, const double *weight,
                                 size_t count, hs_curve *out, hsel_error *error);
/* Platt's curve; flat, at the share of positives, where it would fall. Infinite scores become the
 * nearest that are not. O(n) per step. */
hs_curve hs_curve_platt(double *score, const bool *positive, const double *weight, size_t count);
double hs_curve_at(const hs_curve *curve, double score);

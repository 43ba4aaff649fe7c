/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The evaluation of one selector with one classifier over all repeats. Predictions are added repeat
 * by repeat, from a run (hs_crossval_repeat) or from a store. All figures shown by hsel eval,
 * reports and others are computed here. This is the hsel_evaluation of hsel.h.
 */
#pragma once

#include "hsel/hsel.h"
#include "stats/metrics.h"
#include "stats/running.h"
#include "stats/stability.h"

/* The out-of-fold predictions of a repeat, and what else is known of it. */
typedef struct hs_repeat {
    hs_predictions predictions;
    double select_seconds, classify_seconds;
    const uint32_t *frequency; /* [features]: test instances that each was selected for; NULL: not
                                  known */
    /* Where the predictions are of a part of the instances, that part; NULL: all of them. Only for
     * HS_EVALUATES_EACH and intervals. */
    const uint32_t *rows;
} hs_repeat;

enum hs_evaluates {                                  /* beside metrics */
                    HS_EVALUATES_CONFUSION = 1 << 0, /* also bins and sums of predicted numbers */
                    HS_EVALUATES_CLASSES = 1 << 1,   /* each class against the rest */
                    HS_EVALUATES_CURVES = 1 << 2,    /* of the positive class of two */
                    HS_EVALUATES_EACH = 1 << 3       /* keeps what is known of each repeat */
};

enum { HS_CURVE_STEPS = 50, HS_EVALUATION_ARRAYS = HSEL_FOLD_EACH + 1 };

/* Zero-initialise; hs_evaluation_clear frees. Lists are NULL if they are not requested, or before
 * the first repeat. `parts`, `pooled_curves` and `arena` may be set before that. */
typedef struct hsel_evaluation {
    unsigned parts;     /* hs_evaluates */
    bool pooled_curves; /* curves are over all folds at once */
    hs_arena *arena;    /* of all lists; NULL: its own. Borrowed, so that many need no clearing */
    uint32_t repeats;   /* that were added: what means and standard deviations are over */
    uint32_t folds;     /* of a repeat */
    uint32_t classes;   /* 0: a number is predicted */
    uint32_t positive_class;
    char design[HS_FOLDS_ROOM]; /* owned by the caller: how folds were made, see hs_folds_say */
    hs_running pooled[HS_METRICS], fold_mean[HS_METRICS];
    hs_running fold_se[HS_METRICS]; /* the standard error over folds, whose mean counts */
    bool folds_lack_class;          /* in a repeat: its means over folds are pooled */
    hs_running selected;            /* share of the features */
    hs_running select_seconds, classify_seconds; /* of a repeat */
    hs_stability stability;                      /* the caller's; no sets: not known */
    uint64_t *confusion;      /* [true class * classes + predicted class]: over all repeats */
    hs_calibration_bin *bins; /* [classes * HS_CALIBRATION_BINS]: likewise */
    double *predicted;        /* [instances]: of a numeric target, the sum over repeats */
    hs_running *by_class;     /* [classes * HS_CLASS_MEASURES] */
    /* [HS_CURVE_STEPS + 1], see hs_curves: over folds, or over repeats where folds are pooled or
     * too small for one. */
    hs_running *roc, *pr;
    /* HS_EVALUATES_EACH: the arrays of hsel.h by their hsel_array, with so many items. */
    void *array[HS_EVALUATION_ARRAYS];
    size_t count[HS_EVALUATION_ARRAYS];
    uint32_t kept; /* repeats in the arrays; 1: the latest */
    /* For confidence intervals; set by hs_evaluation_resample. */
    const hs_bootstrap *draws; /* by the caller's instances, valid while repeats are added */
    uint32_t most_repeats, units;
    bool by_folds, by_groups;
    uint64_t tested, learned; /* instances, added up over folds and repeats */
    double *resampled;        /* [(HS_BOOTSTRAP_SAMPLES + 1) * HS_METRICS]: added up over repeats */
    double *of_folds;         /* [most_repeats * folds * HS_METRICS]; NULL: not by_folds */
    hs_arena own;
} hs_evaluation;

HSEL_CHECKED int hs_evaluation_add(hs_evaluation *evaluation, const hs_repeat *repeat,
                                   hsel_error *error);
void hs_evaluation_clear(hs_evaluation *evaluation);
/* Room for HS_EVALUATES_EACH, before the first repeat: for this number of repeats, or only the
 * latest (1). partly: some instances may never be tested; their probabilities and scores are NaN,
 * their fold is HSEL_NONE. */
HSEL_CHECKED int hs_evaluation_keep(hs_evaluation *evaluation, uint32_t repeats,
                                    const hsel_dataset *data, bool partly, hsel_error *error);
/* Prepares confidence intervals, before the first of `repeats` repeats. by_groups: units are
 * groups; by_folds: folds are random and instances independent, so that values of folds give
 * intervals. */
HSEL_CHECKED int hs_evaluation_resample(hs_evaluation *evaluation, const hs_bootstrap *draws,
                                        uint32_t repeats, bool by_groups, bool by_folds,
                                        hsel_error *error);
/* See hsel_evaluation_interval. */
HSEL_CHECKED int hs_evaluation_interval(const hs_evaluation *evaluation, const hs_evaluation *other,
                                        hs_metric metric, bool pooled, double *out, char *method,
                                        hsel_error *error);
/* Of all repeats. */
static inline double hs_evaluation_seconds(const hs_evaluation *evaluation)
{
    return (evaluation->select_seconds.mean + evaluation->classify_seconds.mean) *
           evaluation->repeats;
}
/* Of the positive class. */
static inline const hs_calibration_bin *hs_evaluation_bins(const hs_evaluation *evaluation)
{
    return evaluation->bins + (size_t)evaluation->positive_class * HS_CALIBRATION_BINS;
}
/* Has the array numbers of type uint32_t? Others are double. */
static inline bool hs_evaluation_counts(int array)
{
    return array >= HSEL_FOLD_OF && array <= HSEL_CONFUSION;
}

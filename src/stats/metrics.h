/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics of a classification or of predicted numbers, from the predictions for all test instances.
 * Each is computed twice: pooled (over all instances at once) and as the mean over folds; the two
 * differ, sometimes by much, so both have names.
 *
 * A metric is a method (core/method.h) with a formula: one descriptor, and one line in
 * src/methods/methods.def, which also gives it its number. docs/adding-a-method.md adds one.
 */
#pragma once

#include "data/data.h"

typedef enum hs_metric {
#define HS_METHOD(name)
#define HS_NUMBERED(number, name) number,
#include "methods.def"
#undef HS_METHOD
#undef HS_NUMBERED
    HS_METRICS
} hs_metric;

/* Scores of an instance as they are kept: one for each class; of two classes only that of the
 * second, because the other is its negative; without classes the number that is predicted. */
static inline uint32_t hs_score_width(uint32_t classes)
{
    return classes == 2 || classes == 0 ? 1 : classes;
}

typedef enum hs_rank_by { HS_RANK_BY_SCORE, HS_RANK_BY_PROBABILITY } hs_rank_by;
#define HS_RANK_BY_WORDS "score|probability"
static inline const char *hs_rank_by_word(hs_rank_by rank_by)
{
    return rank_by == HS_RANK_BY_SCORE ? "score" : "probability";
}

/* Predictions for n instances. */
typedef struct hs_predictions {
    uint32_t instances, classes;
    uint32_t first_fold, folds; /* that were tested */
    const uint32_t *tested;     /* [tested_count]: instances of these folds; NULL: all */
    uint32_t tested_count;
    uint32_t positive_class;
    const uint32_t *truth; /* [instances] */
    const double *target;  /* [instances]: numeric target; then there are 0 classes, and scores are
                              the predictions */
    const uint32_t *fold_of;   /* [instances] */
    const double *probability; /* [instances * classes] */
    const double *score; /* [instances * hs_score_width(classes)]; NULL: probabilities are used */
    hs_rank_by rank_by;
    const uint32_t *selected; /* [instances]: number of features selected for it; NULL: all */
    uint32_t features;        /* in all */
} hs_predictions;

static inline uint32_t hs_tested_count(const hs_predictions *p)
{
    return p->tested ? p->tested_count : p->instances;
}
static inline uint32_t hs_tested(const hs_predictions *p, uint32_t i)
{
    return p->tested ? p->tested[i] : i;
}

/* How a group of instances (a fold, or all) was classified. */
typedef struct hs_hits {
    uint32_t classes, positive_class;
    uint32_t size;             /* instances */
    const uint32_t *hits;      /* [classes]: of the class and predicted as such */
    const uint32_t *in_class;  /* [classes] */
    const uint32_t *predicted; /* [classes] */
    /* For formulas that need more than that; else NULL. */
    const hs_predictions *predictions;
    const uint32_t *members; /* [size]: the instances of the group */
    struct hs_metric_work *work;
} hs_hits;

/* Values over all folds, for metrics that are not the mean of their values. */
typedef struct hs_fold_means {
    uint32_t classes;
    const double *recall; /* [classes]: mean over folds; NaN: no instance has the class */
    const double *mean;   /* [HS_METRICS]: of the values of each fold */
    const double *pooled; /* [HS_METRICS] */
} hs_fold_means;

enum hs_metric_needs { /* besides predicted classes */
                       HS_OF_RANKING =
                           1
                           << 0, /* instances by their scores, or their probabilities if so asked */
                       HS_OF_PROBABILITIES = 1 << 1,
                       HS_OF_SELECTIONS = 1 << 2, /* how many features were selected */
                       HS_OF_NUMBERS = 1 << 3     /* it is for numeric targets, not for classes */
};

typedef struct hs_formula { /* `metric` of hs_method */
    const char *heading;    /* of a column or a section: "GM" */
    unsigned needs;
    bool lower_is_better;
    double least, greatest; /* possible values; both 0: from 0 to 1 */
    double (*value)(
        const hs_hits *hits); /* a share, or a number; NaN: not defined for this group */
    /* NULL: the mean of the values. Else it has no standard error over folds. */
    double (*over_folds)(const hs_fold_means *folds);
} hs_formula;

extern const hs_method *const hs_metrics[HS_METRICS];

static inline const char *hs_metric_name(hs_metric metric) { return hs_metrics[metric]->name; }
static inline const hs_formula *hs_metric_formula(hs_metric metric)
{
    return hs_metrics[metric]->metric;
}
static inline const char *hs_metric_title(hs_metric metric)
{
    return hs_metric_formula(metric)->heading;
}
static inline bool hs_metric_better(hs_metric metric, double a, double b)
{
    return hs_metric_formula(metric)->lower_is_better ? a < b : a > b;
}
/* Whether it is defined for classes, or for a numeric target. */
static inline bool hs_metric_fits(hs_metric metric, bool numeric)
{
    unsigned needs = hs_metric_formula(metric)->needs;
    return numeric ? (needs & HS_OF_NUMBERS) || metric == HS_METRIC_COMPRESSION
                   : !(needs & HS_OF_NUMBERS);
}
/* Factor in tables: shares are shown in per cent, numbers unchanged. */
static inline double hs_metric_scale(hs_metric metric)
{
    return hs_metric_formula(metric)->needs & HS_OF_NUMBERS ? 1 : 100;
}
/* HS_METRICS when there is none of that name. */
hs_metric hs_metric_find(const char *name, size_t length);

typedef struct hs_scores {
    double pooled[HS_METRICS], fold_mean[HS_METRICS];
    double fold_se[HS_METRICS]; /* standard error over folds: sd (n-1) / root of folds; NaN: the
                                   mean over folds is not defined, and is the pooled metric */
    bool folds_lack_class;      /* so with all metrics: a class is not in every fold */
} hs_scores;

/* NaN for what needs probabilities where there are none. `by_fold`, if not NULL, becomes the value
 * of each metric in each fold, NaN where it is not defined: [folds * HS_METRICS]. */
HSEL_CHECKED int hs_metrics_by_fold(const hs_predictions *predictions, hs_scores *out,
                                    double *by_fold, hsel_error *error);
HSEL_CHECKED int hs_metrics_compute(const hs_predictions *predictions, hs_scores *out,
                                    hsel_error *error);

/* Bootstrap samples of tested instances, drawn by whole units such as the groups of a design: as
 * many units as there are, with replacement. The repeats of a cross-validation are drawn, too, as
 * many as there are, so that samples also vary by how folds were drawn. Sample b is a function of
 * the seed, b and these numbers alone, so that samples of different predictions are paired. */
enum { HS_BOOTSTRAP_SAMPLES = 999 };
typedef struct hs_bootstrap {
    const uint32_t *unit_of; /* [instances]: below `units`; HSEL_NONE: not compared */
    uint32_t units;
    uint32_t repeat, repeats; /* the repeat of the predictions */
    uint64_t seed;
} hs_bootstrap;

/* Adds the pooled metrics to values[(HS_BOOTSTRAP_SAMPLES + 1) * HS_METRICS]: first of all compared
 * instances, then of each sample, as often as it has the repeat; NaN for one that lacks a class.
 * Scores are sorted only once; a sample costs a pass over the instances, but for spearman. */
HSEL_CHECKED int hs_metrics_bootstrap(const hs_predictions *predictions, const hs_bootstrap *draws,
                                      double *values, hsel_error *error);

/* The score of a class for an instance. */
static inline double hs_score_of(const hs_predictions *p, uint32_t instance, uint32_t label)
{
    if (p->classes == 2)
        return label ? p->score[instance] : 0 - p->score[instance]; /* never -0 */
    return p->score[(size_t)instance * p->classes + label];
}

/* The class of the highest score, ties to the lowest index; that of an instance. */
uint32_t hs_predicted_class(const double *score, uint32_t classes);
uint32_t hs_prediction_of(const hs_predictions *predictions, uint32_t instance);
/* The values that rank instances: the scores of a class, or its probabilities. */
static inline double hs_ranked_by(const hs_predictions *p, uint32_t instance, uint32_t label)
{
    return p->score && p->rank_by == HS_RANK_BY_SCORE
               ? hs_score_of(p, instance, label)
               : p->probability[(size_t)instance * p->classes + label];
}
/* A ranking as points of its curves, one for every score that is there, from the highest: instances
 * of this score and above. point[count] and order[count] have room; returns how many there are. */
typedef struct hs_curve_point {
    double score;
    uint64_t positives, negatives;
} hs_curve_point;
size_t hs_curve_points(const double *score, const uint8_t *is_positive, size_t count,
                       uint32_t *order, hs_curve_point *point);
/* The areas under these curves. NaN when one of the classes is not there. */
void hs_areas(const hs_curve_point *point, size_t points, double *auroc, double *auprc);
/* The curves at steps + 1 places 0, 1/steps, … 1. roc: the highest true positive rate at that false
 * positive rate, on lines through groups of equal scores; pr: precision where recall first reaches
 * that place. False, and nothing is written, when one of the classes is not there. */
bool hs_curves(const hs_curve_point *point, size_t points, size_t steps, double *roc, double *pr);

/* ---- each class against the rest, over all instances ---- */

/* Adds to confusion[true class * classes + predicted class]. */
void hs_confusion_add(const hs_predictions *predictions, uint64_t *confusion);

typedef enum hs_class_measure {
    HS_CLASS_PRECISION,
    HS_CLASS_RECALL,
    HS_CLASS_F1,
    HS_CLASS_SPECIFICITY,
    HS_CLASS_AUROC,
    HS_CLASS_AUPRC,
    HS_CLASS_BRIER,
    HS_CLASS_MEASURES
} hs_class_measure;
/* The metric of that name; its heading may stand for one class. */
extern const hs_metric hs_class_metric[HS_CLASS_MEASURES];

/* Into out[classes * HS_CLASS_MEASURES]; NaN: not defined for this class. */
HSEL_CHECKED int hs_metrics_by_class(const hs_predictions *predictions, double *out,
                                     hsel_error *error);

/* Calibration of the probabilities of a class: instances by predicted probability, in bins of equal
 * width. */
enum { HS_CALIBRATION_BINS = 10 };
typedef struct hs_calibration_bin {
    double probability; /* sum of what was predicted */
    uint64_t positives, count;
} hs_calibration_bin;
/* Adds to bins[HS_CALIBRATION_BINS]. */
void hs_calibration_add(const hs_predictions *predictions, uint32_t label,
                        hs_calibration_bin *bins);

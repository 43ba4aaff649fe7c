/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics of a classification, from what was predicted for every test instance. Each is given
 * twice: pooled (over all instances at once) and as the mean over folds; the two differ, sometimes
 * by much, so both have names.
 *
 * A metric is a row of hs_metric_table (metrics.c): its names, what it is, how it is computed.
 */
#ifndef HS_STATS_METRICS_H
#define HS_STATS_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef enum hs_metric {
    HS_METRIC_GM,
    HS_METRIC_AUROC,
    HS_METRIC_AUPRC,
    HS_METRIC_ACCURACY,
    HS_METRIC_SENSITIVITY,
    HS_METRIC_SPECIFICITY,
    HS_METRIC_MACRO_F1,
    HS_METRIC_COMPRESSION,
    HS_METRIC_HARMONIC,
    HS_METRICS
} hs_metric;

/* How a group of instances (a fold, or all) was classified. */
typedef struct hs_hits {
    uint32_t classes, positive_class;
    uint32_t size;             /* instances */
    const uint32_t *hits;      /* [classes]: of the class and predicted as such */
    const uint32_t *in_class;  /* [classes] */
    const uint32_t *predicted; /* [classes] */
    const bool *present;       /* [classes]: is it there at all? NULL: it is if in_class is not 0 */
} hs_hits;

typedef struct hs_metric_row {
    const char *name;  /* as users write it: "gm", "macro-f1" */
    const char *title; /* for tables: "GM" */
    const char *help;
    /* From the hits; NULL: it needs scores or the number of selected features. */
    double (*of_hits)(const hs_hits *hits);
    bool mean_of_folds; /* its fold mean is the mean of its values; else it is made of other fold
                           means, and has no standard error over folds */
} hs_metric_row;

extern const hs_metric_row hs_metric_table[HS_METRICS];

static inline const char *hs_metric_name(hs_metric metric) { return hs_metric_table[metric].name; }
static inline const char *hs_metric_title(hs_metric metric)
{
    return hs_metric_table[metric].title;
}
/* HS_METRICS when there is none of that name. */
hs_metric hs_metric_find(const char *name, size_t length);

/* Scores of an instance as they are kept: one for each class; of two classes only that of the
 * second, because the other is its negative. */
static inline uint32_t hs_score_width(uint32_t classes) { return classes == 2 ? 1 : classes; }

typedef enum hs_rank_by { HS_RANK_BY_SCORE, HS_RANK_BY_PROBABILITY } hs_rank_by;
#define HS_RANK_BY_WORDS "score|probability"
static inline const char *hs_rank_by_word(hs_rank_by rank_by)
{
    return rank_by == HS_RANK_BY_SCORE ? "score" : "probability";
}

/* Predictions for n instances. */
typedef struct hs_predictions {
    uint32_t instances, classes, folds;
    uint32_t positive_class;
    const uint32_t *truth;     /* [instances] */
    const uint32_t *fold_of;   /* [instances] */
    const double *probability; /* [instances * classes] */
    const double *score; /* [instances * hs_score_width(classes)]; NULL: probabilities stand in */
    hs_rank_by rank_by;
    const uint32_t *selected; /* [instances]: number of features selected for it; NULL: all */
    uint32_t features;        /* in all */
} hs_predictions;

typedef struct hs_scores {
    double pooled[HS_METRICS], fold_mean[HS_METRICS];
    double fold_se[HS_METRICS]; /* standard error over folds: sd (n-1) / root of folds */
} hs_scores;

HSEL_CHECKED int hs_metrics_compute(const hs_predictions *predictions, hs_scores *out,
                                    hsel_error *error);

/* The metrics that need no more than hits, into their places of out[HS_METRICS]. */
void hs_rates(const hs_hits *hits, double *out);

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
/* Areas for scores of `count` instances, is_positive[i] says which class. NaN when one of the
 * classes is not there. `order` has space for them. */
void hs_areas(const double *score, const uint8_t *is_positive, size_t count, uint32_t *order,
              double *auroc, double *auprc);

#endif

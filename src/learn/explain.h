/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanation of the prediction for one instance: the selected features with their contributions,
 * and the part of the hierarchy above them.
 */
#pragma once

#include "learn/model.h"

typedef struct hs_reason {
    uint32_t feature;
    double value;     /* 0 or 1, a number, the code of a nominal value; NaN: missing */
    double relevance; /* of the selector, else importance of the classifier; NaN: neither has one */
    double contribution; /* log-odds for the predicted class against the rest, or effect on a
                            predicted number; NaN: not available */
    double error;        /* standard error of the contribution, where it is sampled; 0: exact */
} hs_reason;

/* Where contributions come from. */
typedef enum hs_reasoning {
    HS_REASONS_NONE,  /* none: Owen values were not requested, or there is one class */
    HS_REASONS_TERMS, /* the classifier's own: with the prior they add up to the log-odds */
    HS_REASONS_PATH,  /* a tree: what each test on the way down changed; they add up likewise */
    HS_REASONS_OWEN   /* Owen values along the hierarchy, against instances of the background */
} hs_reasoning;

typedef struct hs_explanation { /* zero-initialise; hs_explanation_clear frees */
    /* May be set before, for Owen values: pairs of orders to sample (0: as many as take seconds,
     * HSEL_NONE: no Owen values), seed, threads (0: one), a receiver of progress. */
    uint32_t samples;
    uint64_t seed;
    int threads;
    const hs_progress *progress;
    const hs_model *model;
    const hsel_dataset *data;     /* in the form of the model */
    uint32_t instance, predicted; /* class; HSEL_NONE: it is a number, instead of log-odds below */
    double number;                /* that is predicted; NaN: a class is */
    double *probability;          /* [classes] */
    double log_odds; /* of the predicted class against the rest: what all of them add up to; NaN:
                        the classifier cannot say, nor then the following */
    double prior;    /* log-odds without any feature */
    double rest;     /* log-odds of the selected features that are not shown */
    double absent, absent_error; /* Owen values: the joint contribution of everything that the
                                    instance lacks; else 0 */
    uint32_t *background; /* [background_count]: background instances of Owen values; none: an
                             instance without any feature is used */
    uint32_t background_count;
    hs_reasoning reasoning;
    uint32_t sampled;         /* pairs of orders sampled for Owen values; 0: exact */
    hs_neighbour *neighbours; /* nearest first; NULL: the classifier uses none */
    uint32_t neighbour_count;
    const char *order;  /* what the reasons are sorted by: log_odds (of numbers: effect), relevance,
                           importance, value */
    hs_reason *reasons; /* highest first (log-odds: furthest from 0; value: what is not 0); ties to
                           the lowest feature */
    uint32_t count;     /* of them to be shown */
    uint32_t selected;  /* in all */
    /* The features shown, with the ancestors of the positive and the parents of the negative ones;
     * edges that a longer path implies are left out. */
    hsel_dag *dag;       /* node i is feature nodes[i]; NULL: there is no hierarchy */
    uint32_t *nodes;     /* ascending */
    uint32_t *reason_of; /* [nodes]: its place among the reasons, HSEL_NONE: not selected */
} hs_explanation;

/* top 0: all features are shown. Model and data must outlive the explanation. */
HSEL_CHECKED int hs_explain(const hs_model *model, const hsel_dataset *data, uint32_t instance,
                            uint32_t top, hs_explanation *out, hsel_error *error);
void hs_explanation_clear(hs_explanation *explanation);
/* Value of feature f in the instance, as in hs_reason. */
double hs_explanation_value(const hs_explanation *explanation, uint32_t feature);
/* Whether the target is a number, and its name. */
static inline bool hs_explains_number(const hs_explanation *e) { return e->predicted == HSEL_NONE; }
static inline const char *hs_explained_target(const hs_explanation *e)
{
    const char *name = e->model->shape->class_attribute;
    return name ? name : "target";
}

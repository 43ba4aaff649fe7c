/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study has come to: every metric of every selector with every classifier on every data set,
 * worked out from the predictions in the store. Nothing is shown here.
 *
 * An outcome is a mean over the repeats that are finished. Only when all of them are does it count
 * in ranks and tests; until then it is shown with a mark.
 */
#ifndef HS_REPORT_OUTCOMES_H
#define HS_REPORT_OUTCOMES_H

#include "study/published.h"
#include "study/store.h"

typedef enum hs_outcome_state {
    HS_OUTCOME_MISSING, /* no repeat is finished */
    HS_OUTCOME_FAILED,  /* a fold failed */
    HS_OUTCOME_PART,    /* some repeats are finished */
    HS_OUTCOME_OK
} hs_outcome_state;

const char *hs_outcome_word(hs_outcome_state state); /* "missing", "failed", "part", "ok" */

typedef struct hs_outcome {
    hs_outcome_state state;
    uint32_t repeats; /* finished ones: what the means are over */
    uint64_t folds_done, folds_failed, folds_wanted;
    double pooled[HS_METRICS], fold_mean[HS_METRICS]; /* NaN: none */
    double pooled_sd[HS_METRICS],
        fold_mean_sd[HS_METRICS];            /* over repeats (n-1); NaN: fewer than two */
    double fold_se[HS_METRICS];              /* standard error over folds, mean over repeats */
    double select_seconds, classify_seconds; /* of a repeat */
    const char *message;                     /* of the first failure; NULL: none */
} hs_outcome;

typedef struct hs_outcomes { /* zero-initialise; hs_outcomes_clear frees */
    hs_arena arena;
    const hs_study *study;
    hs_stored_dataset *datasets; /* id -1: not in the store (then only its name is known) */
    bool *missing;               /* of each data set: the study says that its path is not there */
    size_t dataset_count;
    hs_outcome *outcome; /* [data set][selector][classifier] */
    hs_figures figures;  /* published */
    const char
        *figures_problem;  /* why there are none although the study names some; NULL: all is well */
    size_t without_scores; /* repeats of a pair that the store has no scores of */
    int64_t time;          /* of the last result, in seconds since 1970 */
} hs_outcomes;

/* The study and the store must live as long. */
HSEL_CHECKED int hs_outcomes_read(hs_store *store, const hs_study *study, hs_outcomes *out,
                                  hsel_error *error);
void hs_outcomes_clear(hs_outcomes *outcomes);

static inline const hs_outcome *hs_outcome_of(const hs_outcomes *o, size_t dataset, size_t selector,
                                              size_t classifier)
{
    return &o->outcome[(dataset * o->study->selector_count + selector) *
                           o->study->classifier_count +
                       classifier];
}

/* The metric as the study wants it, pooled or fold mean. */
static inline double hs_outcome_value(const hs_outcomes *o, const hs_outcome *outcome,
                                      hs_metric metric)
{
    return o->study->pooled ? outcome->pooled[metric] : outcome->fold_mean[metric];
}

static inline double hs_outcome_sd(const hs_outcomes *o, const hs_outcome *outcome,
                                   hs_metric metric)
{
    return o->study->pooled ? outcome->pooled_sd[metric] : outcome->fold_mean_sd[metric];
}

#endif

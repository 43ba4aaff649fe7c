/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cross-validation of selectors and classifiers: one code path for lazy and eager selection. Every
 * (selector, fold) is one task; the classifiers of a task share its selections. Training parts are
 * views with counts by subtraction; data is copied only where preparation learns something from a
 * training part that it did not learn from all (data/recipe.h). Results do not depend on the number
 * of threads.
 */
#pragma once

#include "learn/evaluation.h"
#include "pipeline/pipeline.h"

struct hs_crossval;

typedef struct hs_crossval_request {
    const hsel_dataset *data;
    const hs_folds *folds;
    const hs_chosen *selectors;
    const hs_chosen *classifiers;
    size_t selector_count, classifier_count;
    uint64_t seed;
    int threads;
    uint32_t fold_begin, fold_end; /* only these folds, to before fold_end; fold_end 0: all. What is
                                      not tested stays 0. */
    hs_rank_by rank_by;            /* of the metrics */
    bool scores_only;              /* probabilities are not used: calibration=auto is not learned */
    /* Lazy selectors select for these instances, too, in every fold: how stable is it? */
    const uint32_t *probes;
    uint32_t probe_count;
    const hs_counts *whole;               /* counts of the whole data set; NULL: compute them */
    struct hs_crossval_scratch **scratch; /* NULL: none; see below */
    bool keep;                            /* what was learned in each fold, for explanations */
    const hs_progress *progress; /* called from every thread, also concurrently; may be NULL */
    /* Called for each selector when all its folds are done, in the order of the selectors, one at a
     * time, with its results in `done`. May be NULL. */
    int (*finished)(void *context, const struct hs_crossval *done, size_t selector,
                    hsel_error *error);
    void *context;
    const char *const *left_out; /* [pairs]: not NULL: not run, its outcome stays 0; NULL: none */
} hs_crossval_request;

/* What one selector did, over all folds. */
typedef struct hs_selector_outcome {
    uint32_t *selected;  /* [instances]: features selected for it when it was tested */
    uint32_t *frequency; /* [features]: test instances for which it was selected */
    uint64_t *masks;     /* eager: a bit set for each requested fold; NULL: lazy */
    uint64_t *probed;    /* lazy: a bit set for each requested fold and each probe; NULL: none */
    double seconds;      /* learning and selecting, added up over folds */
} hs_selector_outcome;

/* What one classifier predicted with one selector. */
typedef struct hs_classifier_outcome {
    double *probability; /* [instances * classes] */
    double *score;       /* [instances * hs_score_width(classes)] */
    double seconds;      /* fitting and predicting */
} hs_classifier_outcome;

typedef struct hs_crossval {        /* zero-initialise; hs_crossval_clear frees */
    hs_selector_outcome *selectors; /* [selector_count] */
    hs_classifier_outcome
        *classifiers;       /* [selector_count * classifier_count], selector by selector */
    hs_pipeline *kept;      /* [selector_count * folds] if it is kept; data and methods of the run
                               must live as long */
    size_t mask_words;      /* of one fold's mask */
    uint32_t folds;         /* requested */
    hs_crossval_request of; /* what it points to must live as long */
    uint32_t *counts;       /* what the outcomes point to … */
    uint64_t *masks, *probed;
    double *numbers; /* … each in one piece */
} hs_crossval;

/* State that one thread keeps between calls, so that many calls for single folds have little
 * overhead. *scratch is NULL at first; it is for one data set with all its folds, which must stay
 * where they are. Runs in this thread alone. */
typedef struct hs_crossval_scratch hs_crossval_scratch;
void hs_crossval_scratch_free(hs_crossval_scratch *scratch);

HSEL_CHECKED int hs_crossval_run(const hs_crossval_request *request, hs_crossval *out,
                                 hsel_error *error);
/* What was predicted for a pair (selector * classifier_count + classifier). */
hs_repeat hs_crossval_repeat(const hs_crossval *crossval, size_t pair);
/* Notes on groups that are few or large, on classes that training parts lack, and, unless only
 * pooled metrics are used, if classes are not in every fold, so that all are pooled
 * (stats/metrics.h). */
HSEL_CHECKED int hs_crossval_note(const hsel_dataset *data, const hs_folds *folds, bool pooled,
                                  hs_notes *notes, hsel_error *error);
void hs_crossval_clear(hs_crossval *crossval);

/* What a selector chose in runs over the same data, for its stability (stats/stability.h): the sets
 * of all folds; of a lazy one, for each probe. */
typedef struct hs_refits { /* zero-initialise; hs_refits_clear frees */
    uint64_t *masks;
    size_t capacity;
    uint32_t sets, cases;
} hs_refits;

#define HS_PROBES 100 /* instances that show how stable a lazy selector is */

/* Up to HS_PROBES instances at even distances, into probes[HS_PROBES]; returns how many. */
uint32_t hs_choose_probes(const hsel_dataset *data, uint32_t *probes);
/* Adds all folds of a run; nothing if the selector is lazy and there were no probes. */
HSEL_CHECKED int hs_refits_add(hs_refits *refits, const hs_crossval *done, size_t selector,
                               hsel_error *error);
void hs_refits_clear(hs_refits *refits);

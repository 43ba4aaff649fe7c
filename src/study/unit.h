/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The work of a study on one data set, cut into units: a selector in a fold of a repeat, with the
 * classifiers that are wanted; and one that ranks the features of the whole data set. Units are
 * independent of each other; they share the data, its counts and its folds, which do not change.
 * The same code does them in threads of one process and in the processes of a cluster.
 */
#ifndef HS_STUDY_UNIT_H
#define HS_STUDY_UNIT_H

#include "core/method.h"
#include "data/counts.h"
#include "data/folds.h"
#include "evaluate/crossval.h"
#include "study/store.h"

/* The methods of a study, ready for use. Zero-initialise; hs_run_methods_clear
 * frees. */
typedef struct hs_run_methods {
    hs_chosen *selectors, *classifiers, *rankers;
    size_t selector_count, classifier_count, ranker_count;
} hs_run_methods;

HSEL_CHECKED int hs_run_methods_parse(const hs_study *study, hs_run_methods *out,
                                      hsel_error *error);
void hs_run_methods_clear(hs_run_methods *methods);

/* A data set with all that its units share. Zero-initialise; hs_workload_clear frees. */
typedef struct hs_workload {
    const hs_study *study;
    const hs_run_methods *methods;
    size_t index; /* of the data set in the study */
    hsel_dataset *data;
    uint64_t fingerprint;
    hs_counts whole;
    /* [repeats]; NULL when the data cannot be cross-validated: then nothing fits */
    hs_folds *folds;
    uint32_t fold_count; /* of every repeat */
    /* [selectors * classifiers]: why the two do not fit the data; NULL: they do */
    const char **unfit;
    hs_arena arena;  /* of these texts */
    hs_notes *notes; /* of the methods; may be set before units are done */
} hs_workload;

/* A data set of a study under its name there, loaded as it says or generated. */
HSEL_CHECKED int hs_study_load(const hs_study_dataset *set, hsel_dataset **out, hsel_error *error);
/* Loads or generates the data set, makes the folds of all repeats, looks at which methods fit. What
 * is wrong with the data or does not fit is no failure but kept in `unfit`; that the data cannot be
 * read is one, and so is a fold file that cannot. */
HSEL_CHECKED int hs_workload_open(const hs_study *study, size_t index,
                                  const hs_run_methods *methods, hs_workload *out,
                                  hsel_error *error);
/* The same for counting jobs only: a generated data set is not generated, its folds are counted
 * from the options of its generator (data NULL). */
HSEL_CHECKED int hs_workload_plan(const hs_study *study, size_t index,
                                  const hs_run_methods *methods, hs_workload *out,
                                  hsel_error *error);
void hs_workload_clear(hs_workload *work);

/* In place of a selector: the unit ranks, its `classifiers` are rankers, and its result has one row
 * (tested = 1) with a number for each feature (classes = features) for each of them. So it travels
 * as the others do. */
#define HS_UNIT_RANKS UINT32_MAX

typedef struct hs_unit {
    uint32_t repeat, fold, selector;
    uint32_t classifier_count;
    const uint32_t *classifiers; /* which are wanted, ascending */
} hs_unit;

/* What one thread keeps from unit to unit of one workload. Zero-initialise; hs_unit_scratch_clear
 * frees, and makes it ready for another workload. */
typedef struct hs_unit_scratch {
    hs_arena arena; /* of the last result */
    hs_crossval_scratch *crossval;
} hs_unit_scratch;

void hs_unit_scratch_clear(hs_unit_scratch *scratch);

/* What is filled in place for each classifier; the constant views of it are in the result. False
 * when memory runs out. */
typedef struct hs_unit_slots {
    const double **probability, **score;
    const char **messages, **classifiers;
    double *seconds;
} hs_unit_slots;

bool hs_unit_slots_new(hs_arena *arena, size_t count, hs_unit_slots *out, hs_unit_result *result);

/* Does a unit. A classifier that fails (or does not fit) has a message in place of probabilities;
 * HSEL_ENOMEM is the only failure. Everything in `out` lies in the arena, which is reset first, or
 * in what the workload holds. */
HSEL_CHECKED int hs_unit_run(const hs_workload *work, const hs_unit *unit, hs_unit_scratch *scratch,
                             hs_unit_result *out, hsel_error *error);
/* The key under which it is kept. */
hs_unit_key hs_unit_key_in(const hs_study *study, int64_t dataset, uint32_t folds,
                           const hs_unit *unit);

#endif

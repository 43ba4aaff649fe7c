/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the runner share.
 *
 * The work of a study on one data set is divided into units: a selector in a fold of a repeat, with
 * its classifiers; the rankers, which score the features of the whole data set; some runs of a
 * simulation, with its procedures; or an automatic choice in a fold. Units are independent of each
 * other and share the data, its counts and its folds, which do not change.
 */
#pragma once

#include "learn/crossval.h"
#include "study/runner.h"

/* ---- unit.c ---- */

/* A data set with everything that its units share. Zero-initialise; hs_workload_clear frees. */
typedef struct hs_workload {
    const hs_study *study;
    size_t index; /* of the data set in the study */
    hsel_dataset *data;
    uint32_t unlabelled; /* instances left out because they have no class */
    uint64_t fingerprint;
    hs_counts whole;
    /* [repeats]; NULL when the data cannot be cross-validated: then nothing fits */
    hs_folds *folds;
    uint32_t fold_count; /* of every repeat */
    /* [selectors * classifiers]: why a pair cannot be run on the data (message NULL: it can);
     * `unfit`: it does not fit the data. Otherwise memory is too small, or the data cannot be
     * cross-validated: a failure. */
    struct hs_misfit {
        const char *message;
        bool unfit;
    } * misfits;
    hs_arena arena;  /* of these texts */
    hs_notes *notes; /* of the methods; may be set before units are run */
} hs_workload;

/* Loads or generates a data set under its name in the study, without instances that have no class;
 * *left (may be NULL) is their number. */
HSEL_CHECKED int hs_study_load(const hs_study_dataset *set, hsel_dataset **out, uint32_t *left,
                               hsel_error *error);
/* Loads or generates the data set, makes the folds of all repeats, looks at which methods fit.
 * Unsuitable data and misfits are not failures but stored in `misfits`; data or fold files that
 * cannot be read are failures. `plan_only`, for counting jobs: a generated data set is not
 * generated, its folds are counted from the options of its generator (data NULL).
 */
HSEL_CHECKED int hs_workload_open(const hs_study *study, size_t index, int threads, bool plan_only,
                                  hs_workload *out, hsel_error *error);
void hs_workload_clear(hs_workload *work);

typedef enum hs_unit_kind {
    HS_UNIT_TESTS,     /* the methods are classifiers */
    HS_UNIT_RANKS,     /* … rankers, over the whole data set */
    HS_UNIT_SIMULATES, /* … procedures, likewise */
    HS_UNIT_CHOOSES    /* an automatic choice within the training part, and its test */
} hs_unit_kind;

typedef struct hs_unit {
    hs_unit_kind kind;
    uint32_t repeat, fold; /* 0 over the whole data set */
    uint32_t selector;     /* or the number of the draw or automatic choice */
    uint32_t method_count;
    const uint32_t *methods; /* which are wanted, ascending */
} hs_unit;

/* The classifiers, rankers or procedures that a unit chooses from. */
static inline const hs_study_method *hs_unit_methods(const hs_study *study, const hs_unit *unit,
                                                     size_t *count)
{
    switch (unit->kind) {
    case HS_UNIT_RANKS:
        return *count = study->ranker_count, study->rankers;
    case HS_UNIT_SIMULATES:
        return *count = study->draws[unit->selector].count, study->draws[unit->selector].procedures;
    case HS_UNIT_CHOOSES:
        return *count = 1, &study->autos[unit->selector].method;
    default:
        return *count = study->classifier_count, study->classifiers;
    }
}

/* What a thread keeps from one unit of a data set to the next. Zero-initialise;
 * hs_unit_scratch_clear frees. */
typedef struct hs_unit_scratch {
    size_t dataset; /* to which the rest belongs, from 1 */
    hs_arena arena; /* of the last result */
    hs_crossval_scratch *crossval;
} hs_unit_scratch;

void hs_unit_scratch_clear(hs_unit_scratch *scratch);

/* Runs a unit. A method that fails, or does not fit the data, has a message instead of values;
 * HSEL_ENOMEM is the only failure. `out` borrows from the scratch, whose arena is reset first, and
 * from the workload. */
HSEL_CHECKED int hs_unit_run(const hs_workload *work, const hs_unit *unit, hs_unit_scratch *scratch,
                             hs_unit_result *out, hsel_error *error);

/* ---- parts.c ---- */

/* The units of a study that belong to this process, when several run a part each. hs_share_clear
 * frees. */
typedef struct hs_share {
    uint32_t part, parts; /* from 1; parts 0: all units are */
    double mine, all;     /* estimated cost of the units assigned so far */
    struct hs_share_load {
        double load;
        uint32_t part;
    } * heap; /* ordered by assigned cost, least first */
} hs_share;

HSEL_CHECKED int hs_share_init(hs_share *share, uint32_t part, uint32_t parts, hsel_error *error);
void hs_share_clear(hs_share *share);
/* Assigns the next unit; returns whether it is ours. The same units in the same order are assigned
 * in the same way.
 */
bool hs_share_deal(hs_share *share, double cost);
/* Assigns those of a data set: (*out)[(r * folds + f) * selectors + s] (hs_free) is whether the
 * unit of repeat r, fold f and selector s is ours. */
HSEL_CHECKED int hs_share_units(hs_share *share, const hs_workload *work, bool **out,
                                hsel_error *error);
/* Estimated cost of a ranker or a procedure on a data set, in nanoseconds. */
double hs_share_other(const hs_workload *work);

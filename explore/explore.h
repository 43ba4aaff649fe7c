/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The explorer: results of selectors and classifiers on a data set, as one JSON object, and as one
 * page that contains it. docs/explorer.md has the object member by member.
 *
 * Predictions are those of models that did not see the instance (cross-validation), of a model
 * file, or of a store. Some instances (the most certain, most doubtful and most wrong ones of each
 * run, and chosen ones) have details: contributions, and why each term was kept or dropped.
 */
#pragma once

#include "learn/crossval.h"
#include "learn/model.h"
#include "show/document.h"
#include "study/store.h"

typedef struct hs_explore_name { /* of an instance; either may be NULL */
    const char *id, *label;
} hs_explore_name;

typedef struct hs_explore_request {
    const hsel_dataset *data;
    const char *command;           /* what made it */
    const char *const *provenance; /* of the data, a line each */
    size_t provenance_count;
    const hs_explore_name *unlabelled; /* instances that are not in `data` for lack of a class */
    size_t unlabelled_count;
    /* Cross-validation: every selector with every classifier; … */
    const hs_chosen *selectors, *classifiers;
    size_t selector_count, classifier_count;
    const char *const *left_out; /* [pairs]: pairs that are not NULL are left out; NULL: show all */
    const hs_folds *folds;
    uint64_t seed;
    bool allow_violations;
    hs_rank_by rank_by;
    /* … or a model, of whose form the data are; … */
    const hs_model *model;
    /* … or what a store has of these selectors and classifiers under this key, without selector and
     * method. Then only names and classes of the data are known, and there are no details. */
    hs_store *store;
    hs_result_key key;
    hs_notes *limits; /* of the folds: notes of the exploration, too; may be NULL */
    bool pooled;      /* metrics over all instances, not means over folds */
    const char *how;  /* "10-fold cross-validation, seed 1"; "model genes.model" */
    uint32_t terms;   /* maximum number of selected terms shown; 0: all */
    uint32_t details; /* number of instances each of the most certain, doubtful and wrong ones */
    const uint32_t *asked; /* instances that have details too */
    size_t asked_count;
    int threads;
    const hs_progress *progress;
} hs_explore_request;

typedef struct hs_exploration { /* zero-initialise; hs_exploration_clear frees */
    hs_explore_request request;
    hs_document doc; /* whose arena most of it lies in */
    struct hs_explored_run *runs;
    size_t run_count;
    uint32_t *terms, term_count; /* features that are shown, ascending */
    uint32_t *place;             /* [features]: among them; HSEL_NONE: not shown */
    double *have,
        *with; /* [terms * classes, or one column without classes]: instances that have the term,
                  and the correlation of its values with the class; not with a store */
    uint32_t *direction; /* [terms]: the class in which it is most frequent; HSEL_NONE: none is */
    hsel_dag *dag;       /* over them, without edges that a longer path implies; or NULL */
    float (*layout)[2];  /* [terms]: centre of a term, in pixels, in a drawing of all selected terms
                            and their ancestors; NaN: not drawn; NULL: no drawing */
    hs_counts counts;    /* of all data */
    const char *notes[16]; /* notes on limits */
    size_t note_count;
} hs_exploration;

/* Everything in the request must outlive the exploration. */
HSEL_CHECKED int hs_exploration_make(const hs_explore_request *request, hs_exploration *out,
                                     hsel_error *error);
void hs_exploration_clear(hs_exploration *exploration);
HSEL_CHECKED int hs_exploration_json(const hs_exploration *exploration, hs_writer *out,
                                     hsel_error *error);
/* The whole page. HSEL_EUNSUPPORTED if the program was built without it, which
 * hs_exploration_page_check tells beforehand. */
HSEL_CHECKED int hs_exploration_page_check(hsel_error *error);
HSEL_CHECKED int hs_exploration_page(const hs_exploration *exploration, hs_writer *out,
                                     hsel_error *error);

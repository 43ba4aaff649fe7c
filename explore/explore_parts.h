/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Internal header of the explorer: the runs of an exploration.
 */
#pragma once

#include "classify/tree.h"
#include "learn/describe.h"
#include "learn/explain.h"
#include "explore/explore.h"

enum { HS_MODEL_TERMS = 200 };   /* of a model, that are shown */
enum { HS_ASKED = 3, HS_LISTS }; /* of instances with details; the last: chosen ones */

struct hs_explored_detail {
    hs_explanation why; /* of the predicted class, by the model that predicted it */
    bool calibrated;    /* contributions add up to the log-odds before calibration */
    hs_verdict *verdicts;
    uint32_t verdict_count;
};

/* A term with its weight in the whole model. */
struct hs_explored_weight {
    uint32_t feature;
    double value, absent;
};

struct hs_explored_run {
    const char *selector, *classifier, *about; /* about: in words */
    size_t s, c;                               /* in the lists of the request; no model */
    const char *sample;                        /* what the predictions are; see samples */
    const char *weights_of;                    /* the class of positive weights; or NULL */
    bool lazy, measured;
    const uint32_t *fold_of; /* [instances]; NULL: there are no folds */
    hs_scores scores;
    uint32_t of, *selected; /* [features] times of so many */
    uint32_t *predicted;    /* [instances] */
    double *log_odds;    /* [instances]: for the positive one of two classes, else for the predicted
                            class; infinite: the classifier is certain */
    double *probability; /* [instances]: likewise */
    double *rank_score;  /* [instances]: by which candidates are ranked; NULL: there are none */
    double *number;      /* [instances]: predicted instead of a class */
    uint32_t *list[HS_LISTS], length[HS_LISTS];
    struct hs_explored_detail *details; /* by instance, ascending */
    size_t detail_count;
    hs_model *own;         /* that of all data, if it was trained here */
    const hs_model *model; /* of all data; NULL: there is none */
    double *term_odds;     /* [features]: log-odds of the term if present; NaN: not known */
    const char *kind;      /* of what the model shows */
    struct hs_explored_weight *weights;
    size_t weight_count;
    hs_dependency *network; /* its strongest edges */
    uint32_t edges;
    const hs_tree *tree; /* if the model is one; else NULL */
    hs_buf text;
};

void hs_explore_note(hs_exploration *e, const char *text);
static inline bool hs_explores_two(const hs_exploration *e)
{
    return e->request.data->class_names.count == 2;
}
/* Whether a number is predicted. */
static inline bool hs_explores_number(const hs_exploration *e)
{
    return (e->request.model ? e->request.model->shape : e->request.data)->target;
}

/* ---- explore_terms.c ---- */

/* How many terms of a model are shown. */
size_t hs_explored_terms(const hs_exploration *e, const struct hs_explored_run *run);
/* The whole model of a run. */
HSEL_CHECKED int hs_explore_model(hs_exploration *e, struct hs_explored_run *run,
                                  hsel_error *error);
/* Chooses the terms to show, after all runs are added. */
HSEL_CHECKED int hs_explore_terms(hs_exploration *e, hsel_error *error);
/* Lays out all selected terms with their ancestors by dot. The page itself lays out a few dozen
 * terms. */
HSEL_CHECKED int hs_explore_layout(hs_exploration *e, hsel_error *error);

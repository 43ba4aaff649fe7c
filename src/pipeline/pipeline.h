/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a training part to predictions: prepare, select, fit, adjust, predict. A pipeline is a
 * selector with any number of classifiers, which share its selection. Cross-validation, inner folds
 * (pipeline/inner.h) and models are built on it.
 */
#pragma once

#include "classify/classify.h"
#include "pipeline/adjust.h"
#include "select/select.h"

typedef struct hs_trained { /* what one classifier learned */
    void *model;            /* NULL: it was left out */
    hs_adjust adjust;
} hs_trained;

typedef struct hs_pipeline { /* zero-initialise; hs_pipeline_clear frees */
    /* Before hs_pipeline_fit, all borrowed: */
    const hs_chosen *selector; /* NULL: the features of the view, all of them if it has no mask */
    const hs_chosen *classifiers; /* [count] */
    size_t count;
    const char *const *left_out; /* [count]: not NULL: not fitted; NULL: all are */
    const hsel_dataset *shape; /* a lazy selector learns only from this and the counts, so that both
                                  may outlive the data; NULL: from the training part */
    double *const *own_score;  /* [count]: see hs_training; NULL: of none */
    bool plain;       /* do not adjust the output, whatever the options of the classifiers */
    bool scores_only; /* probabilities are not asked for: calibration=auto is not learned */
    bool prepared;    /* do not learn the preparation of the data again */
    double *seconds;  /* [1 + count]: receives the time of the selector and of each classifier; may
                         be NULL */
    /* After it: */
    hsel_dataset *made;   /* the prepared data; NULL: unchanged */
    uint64_t *candidates; /* features that the selector may use; NULL: all */
    uint64_t *mask; /* features that an eager selector keeps; NULL: it is lazy, or there is none */
    void *state;    /* of the selector */
    hs_trained *fitted; /* [count] */
} hs_pipeline;

static inline bool hs_pipeline_is_lazy(const hs_pipeline *pipeline)
{
    return pipeline->selector && pipeline->selector->method->flags & HS_LAZY;
}
static inline bool hs_pipeline_runs(const hs_pipeline *pipeline, size_t classifier)
{
    return !pipeline->left_out || !pipeline->left_out[classifier];
}

/* `training` has all features: the selector ignores covariates, and is trained again in inner
 * folds. hs_pipeline_clear also after a failure. */
HSEL_CHECKED int hs_pipeline_fit(hs_pipeline *pipeline, const hs_training *training,
                                 hsel_error *error);
/* The selection of a lazy selector for an instance. */
HSEL_CHECKED int hs_pipeline_select(const hs_pipeline *pipeline, const hsel_dataset *data,
                                    uint32_t instance, hs_lazy_scratch *scratch, hs_selection *out,
                                    hsel_error *error);
/* Frees the learned state and keeps the options. */
void hs_pipeline_clear(hs_pipeline *pipeline);
/* Its part of the model file of a method that has pipelines: masks and models. A lazy selector
 * learns again from the counts (`mask`: the features that may be used, NULL: all). */
HSEL_CHECKED int hs_pipeline_fields(hs_pipeline *pipeline, const hsel_dataset *shape,
                                    const uint64_t *mask, const hs_counts *counts,
                                    hs_transfer *file, hsel_error *error);

/* ---- predicting many instances ---- */

/* State for prediction, one per thread, for one pipeline after another. */
typedef struct hs_predictor { /* zero-initialise; hs_predictor_clear frees */
    const hs_pipeline *pipeline;
    bool chooses; /* the next two are made */
    hs_lazy_scratch lazy;
    hs_selection selection;      /* of a lazy selector: for the last instance */
    void **scratch;              /* [classifiers] */
    double *probability, *score; /* of the last batch */
    double last;                 /* when the last piece of work ended */
} hs_predictor;

typedef struct hs_predict_request {
    const hsel_dataset *data; /* has the features of the training data */
    const uint32_t *instances;
    uint32_t count;
    /* Predictions for instance i, adjusted, go to place[i] (NULL: i) of these lists of each
     * classifier; a list may be NULL. Of the scores the last `width` are stored. */
    const uint32_t *place;
    const struct hs_answer_lists {
        double *probability, *score;
    } * to;
    size_t width;
    const hs_progress *progress; /* may be NULL */
    /* Called with the selection of a lazy selector, before the classifiers use it; may be NULL. */
    void (*selected)(void *context, uint32_t instance, const hs_selection *selection);
    void *context;
} hs_predict_request;

/* For a fitted pipeline. Lists are allocated only the first time, so later pipelines must have the
 * same numbers of features and classes. */
HSEL_CHECKED int hs_predictor_begin(hs_predictor *predictor, const hs_pipeline *pipeline,
                                    const hsel_dataset *data, hsel_error *error);
/* Makes room for selections, which hs_predictor_begin does for lazy selectors only. */
HSEL_CHECKED int hs_predictor_choose(hs_predictor *predictor, uint32_t features, hsel_error *error);
HSEL_CHECKED int hs_predictor_run(hs_predictor *predictor, const hs_predict_request *request,
                                  hsel_error *error);
/* Call it before the pipeline is freed. */
void hs_predictor_end(hs_predictor *predictor);
void hs_predictor_clear(hs_predictor *predictor);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trained model: selector, classifier and the required parts of the training data (names of
 * features and classes, hierarchy, counts). Data to predict must have the same features; hs_align
 * matches them by name.
 *
 * A lazy selector is prepared again when a model is read, only from counts and hierarchy; for an
 * eager one the selection is stored.
 */
#pragma once

#include "pipeline/pipeline.h"

typedef struct hsel_model {
    hs_chosen selector, classifier; /* classifier without method: it only selects */
    hsel_dataset *shape;            /* features, classes, hierarchy, preparation; no instances */
    hsel_dataset *data; /* training data, shared: k-NN uses them; NULL: the model was read */
    hs_counts counts;
    hs_pipeline
        pipeline;   /* no state if it is eager and from a model file: it cannot give reasons */
    double *scores; /* eager: relevance of each feature; NULL: lazy, or the selector has none */
} hs_model;

typedef struct hs_model_request {
    const hsel_dataset *data;
    const char *selector, *classifier; /* classifier NULL: a model that only selects */
    const double *weight; /* [instances]: instances of weight 0 are left out, and the selector
                             ignores the other weights; NULL: all 1 */
    bool allow_violations;
    uint64_t seed;
    int threads;
    const hs_progress *progress;  /* may be NULL */
    const char *log, *checkpoint; /* files of a search (core/journal.h); NULL: none */
} hs_model_request;

/* Trains on the instances that have a class or target; a model that only selects uses all if none
 * has. Checks the methods against the data. */
HSEL_CHECKED int hs_model_train(const hs_model_request *request, hs_model **out, hsel_error *error);
void hs_model_free(hs_model *model);
HS_RELEASE(hs_model_release, hs_model, hs_model_free)

/* One versioned, checksummed file. */
HSEL_CHECKED int hs_model_write(const hs_model *model, const char *path, hsel_error *error);
bool hs_model_is(const char *path); /* by its first bytes; false if it cannot be read */
HSEL_CHECKED int hs_model_read(const char *path, hs_model **out, hsel_error *error);
/* The bytes of that file, in memory; `name` stands for the path in messages. */
HSEL_CHECKED int hs_model_to_bytes(const hs_model *model, hs_buf *out, hsel_error *error);
HSEL_CHECKED int hs_model_from_bytes(const char *name, const void *bytes, size_t length,
                                     hs_model **out, hsel_error *error);

/* What the classifier learned. */
static inline const void *hs_model_fitted(const hs_model *model)
{
    return model->pipeline.fitted->model;
}
/* The shape of data to be predicted, before preparation. */
const hsel_dataset *hs_model_form(const hs_model *model);
/* Relevance of each feature as the selector uses it; NULL: it uses none. */
const double *hs_model_scores(const hs_model *model);

/* State for prediction, one per thread. Zero-initialise. */
typedef struct hs_model_scratch {
    hs_predictor predictor; /* has the selection of a lazy selector, after hs_model_predict */
    uint32_t *kept;         /* features that an eager selector keeps, ascending; NULL: lazy */
    uint32_t kept_count;
} hs_model_scratch;

HSEL_CHECKED int hs_model_scratch_init(hs_model_scratch *scratch, const hs_model *model,
                                       hsel_error *error);
void hs_model_scratch_clear(hs_model_scratch *scratch);
/* Of `count` instances of aligned data, from `first` on: class probabilities [count * classes];
 * scores as many, of which the highest is that of the predicted class; how many features were
 * selected. Each may be NULL; the scores of one instance are also in scratch->predictor.score. */
HSEL_CHECKED int hs_model_predict(const hs_model *model, const hsel_dataset *data, uint32_t first,
                                  uint32_t count, hs_model_scratch *scratch, double *probability,
                                  double *score, uint32_t *selected, hsel_error *error);
/* After hs_model_predict, of the last instance: how many features were selected for it, and which.
 * The second lists all selected features; call it only if they are needed. */
uint32_t hs_model_selected(const hs_model_scratch *scratch, const hsel_dataset *data,
                           uint32_t instance);
const hs_selection *hs_model_selection(hs_model_scratch *scratch, const hsel_dataset *data,
                                       uint32_t instance);
/* A new scratch in the state that it has between instances. */
HSEL_CHECKED int hs_model_look(hs_model_scratch *scratch, const hs_model *model,
                               const hsel_dataset *data, uint32_t instance, hsel_error *error);
/* After hs_model_predict likewise: why the feature was kept or dropped. */
void hs_model_why(hs_model_scratch *scratch, const hsel_dataset *data, uint32_t instance,
                  uint32_t feature, hs_verdict *out);

/* `data` with the features of `shape`, by name, and its hierarchy and classes; labels of features
 * are those of `shape`, and its own where that has none. exact: every feature of one must be in the
 * other; else unknown features are left out and missing ones are negative (numeric and nominal
 * ones: missing, as are nominal values that `shape` does not have). *unknown and *missing count
 * them. The recipe of `shape` is applied to `data`; numeric features that these lack are then 0.
 * HSEL_EUSAGE: `data` were prepared in another way. */
HSEL_CHECKED int hs_align(const hsel_dataset *data, const hsel_dataset *shape, bool exact,
                          hsel_dataset **out, uint32_t *unknown, uint32_t *missing,
                          hsel_error *error);

/* ---- parts, for model_file.c and data sets in the form of a model ---- */

/* An empty model of these methods; classifier NULL: none. */
HSEL_CHECKED int hs_model_new(const char *selector, const char *classifier, hs_model **out,
                              hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a classifier is: fitted once on a training part, it predicts scores and probabilities of
 * the classes for an instance, on all its features or on those that a lazy selector chose for this
 * instance, without fitting again.
 */
#ifndef HS_CLASSIFY_CLASSIFY_H
#define HS_CLASSIFY_CLASSIFY_H

#include "core/json.h"
#include "core/method.h"
#include "core/reader.h"
#include "core/writer.h"
#include "data/training.h"

typedef enum hs_describe_form {
    HS_DESCRIBE_TEXT,
    HS_DESCRIBE_DOT,
    HS_DESCRIBE_JSON
} hs_describe_form;

typedef struct hs_classifier {
    /* Fits on training->view (its feature mask says which features exist, e.g. after eager
     * selection). */
    int (*fit)(const hs_training *training, const void *options, void **model, hsel_error *error);
    /* Class probabilities (summing to 1) into probability[classes], and into score[classes] what
     * instances are ranked and classes chosen by: the higher, the more speaks for the class against
     * the rest. Unlike probabilities, scores do not run into 1; no score is NaN. The predicted
     * class is that of the highest score, ties to the lowest index (hs_predicted_class). Of two
     * classes, score[0] is -score[1]. The instance is row `instance` of `data`, which has the
     * features of the training data. selection NULL: all features of the fit. A classifier without
     * HS_PREDICTS_ON_MASK is never given a selection. */
    int (*predict)(const void *model, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error);
    /* Scratch for predict, one per thread; NULL slots: none needed. */
    int (*scratch_new)(const void *model, void **scratch, hsel_error *error);
    void (*scratch_free)(void *scratch);
    /* How much feature f with the value it has in the instance (0 or 1, a number, a nominal code;
     * NaN: missing) speaks for class `label` (log-odds against the rest), for explanations; of
     * feature HSEL_NONE: what speaks for it before any feature is looked at. Of two classes, all
     * of them add up to the log-odds of the prediction. NULL, or NaN: the classifier cannot say. */
    double (*contribution)(const void *model, uint32_t feature, double value, uint32_t label);
    /* How much the classifier as a whole goes by feature f; NULL: it cannot say. */
    double (*importance)(const void *model, uint32_t feature);
    /* What was learned, for people and programs: a tree, coefficients, importance of features … As
     * text, as a drawing for Graphviz, or as a JSON object. NULL slot: nothing to show;
     * HSEL_EUNSUPPORTED: not in this form. */
    int (*describe)(const void *model, const hsel_dataset *shape, hs_describe_form form,
                    hs_writer *out, hsel_error *error);
    /* Model files: the model's own part, as numbers and texts in one stream (evaluate/model.h
     * frames and checks it). */
    int (*write)(const void *model, hs_writer *out, hsel_error *error);
    int (*read)(const void *bytes, size_t length, const hsel_dataset *shape, void **model,
                hsel_error *error);
    void (*free)(void *model);
} hs_classifier;

/* Logarithms of unnormalised probabilities (at least one finite) to probabilities that sum to 1, in
 * place, and to scores: the log-odds of each class against the rest. The class of the highest score
 * is that of the highest logarithm. */
void hs_normalise_logs(double *value, double *score, uint32_t classes);
/* Scores of a classifier that has nothing better than its probabilities (shares of votes): these,
 * and of two classes their difference. */
void hs_scores_of_shares(const double *probability, double *score, uint32_t classes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A classifier by its text, fitted and ready to predict, as tests that compare predictions need it.
 * What is not said to return a status fails the running test when it goes wrong.
 */
#ifndef HS_TESTS_FITTED_H
#define HS_TESTS_FITTED_H

#include "classify/classify.h"

/* The whole data set as the training part, for one thread. Clear the counts. */
hs_training hs_training_on(const hsel_dataset *data, hs_counts *counts);

typedef struct hs_fitted {
    hs_chosen chosen;
    void *model, *scratch; /* scratch NULL: the method has none */
} hs_fitted;

/* text: "knn:k=2". The status of fit; if it is not HSEL_OK, there is no model and nothing to free.
 */
int hs_try_fit(hs_fitted *f, const char *text, const hs_training *training, hsel_error *error);
void hs_fit(hs_fitted *f, const char *text, const hs_training *training);
void hs_unfit(hs_fitted *f);
/* selection NULL: all features. */
void hs_fitted_predict(const hs_fitted *f, const hsel_dataset *data, uint32_t instance,
                       const hs_selection *selection, double *out);
/* The model as bytes; clear them. */
void hs_fitted_write(const hs_fitted *f, hs_buf *bytes);
/* The model that bytes are, as hs_classifier_take reads it from a file. */
HSEL_CHECKED int hs_classifier_read(const hs_classifier *classifier, const void *bytes,
                                    size_t length, const hsel_dataset *shape, void **model,
                                    hsel_error *error);
/* f: the model of `from`, written and read again; classifiers keep nothing of the old data. */
void hs_fitted_reread(hs_fitted *f, const hs_fitted *from, const hsel_dataset *shape);
/* Are other bytes taken as a model of the same method? Then it predicts the first instances without
 * harm; `out` holds what it says of the last of them. */
bool hs_fitted_takes(const hs_fitted *like, const hs_buf *bytes, const hsel_dataset *data,
                     uint32_t instances, double *out);
/* Cut off at about `cuts` places, the written model is refused as such. */
void hs_fitted_refuse_cuts(const hs_fitted *f, const hsel_dataset *shape, size_t cuts);
/* Fitted by one thread and by three, the written models are the same bytes; the model that is read
 * predicts each instance as the one that was written, and cut off it is refused. */
void hs_fitted_check_bytes(const char *text, const hs_training *training);
/* Probabilities of classes; `what` names the case in the message. */
void hs_assert_probabilities(const char *what, const double *expected, const double *found,
                             uint32_t classes, double tolerance);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of svm by their text, and their answers for every instance.
 */
#ifndef HS_TESTS_SVM_BY_TEXT_H
#define HS_TESTS_SVM_BY_TEXT_H

#include "classify/svm.h"

extern const hs_method hs_method_svm;
#define SVM hs_method_svm.classifier

/* text: "svm:kernel=rbf". The status of fit; fails no test, so that allocations may fail in it. */
int hs_svm_by_text(const char *text, const hs_training *training, void **model, hsel_error *error);
/* Probabilities of all instances, [instances * classes]; NaN where a value (of 1e300) was refused.
 * How many were refused. */
uint32_t hs_svm_ask_all(const void *model, const hsel_dataset *data, double *p);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole life of a classifier in one call, for tests that let every allocation of it fail: it is
 * chosen, fitted, described in every form it has, written, read again, and predicts an instance.
 */
#ifndef HS_TESTS_CLASSIFIER_LIFE_H
#define HS_TESTS_CLASSIFIER_LIFE_H

#include "classify/classify.h"

typedef struct hs_life {
    const hs_training *training;
    const char *text; /* "knn:k=2" */
} hs_life;

/* context: an hs_life. At most 64 classes. For hs_oom_each. */
int hs_live_once(void *context, hsel_error *error);

#endif

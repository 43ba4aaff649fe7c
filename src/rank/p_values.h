/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values of features of a training part: does a feature have to do with the class? Which test is
 * said by options; stats/tests.h has the tests.
 */
#ifndef HS_RANK_P_VALUES_H
#define HS_RANK_P_VALUES_H

#include "data/training.h"
#include "stats/tests.h"

#define HS_P_TESTS "fisher|chi2|g" /* in this order */
typedef enum hs_p_test { HS_P_FISHER, HS_P_CHI2, HS_P_G } hs_p_test;

typedef struct hs_p_options {
    int test, tail; /* hs_p_test; hs_tail, of Fisher's test */
    bool mid;       /* mid-p of Fisher's test */
    bool means;     /* numeric features: Welch's t in place of ranks */
} hs_p_options;

/* Can these be had of so many classes? HSEL_EUSAGE says why not. */
HSEL_CHECKED int hs_p_check(const hs_p_options *options, uint32_t classes, hsel_error *error);
/* Of a binary feature that is positive in positive[c] instances of class c. */
HSEL_CHECKED int hs_p_of_counts(const hs_training *training, const hs_p_options *options,
                                const uint32_t *positive, double *p, hsel_error *error);
/* Of any feature; NaN: nominal ones, for which there is no test here. */
HSEL_CHECKED int hs_p_of_feature(const hs_training *training, const hs_p_options *options,
                                 uint32_t feature, double *p, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests every feature of a data set and adjusts the p-values: what hsel_p_values of hsel.h gives,
 * and `hsel rank --p-values` shows.
 */
#pragma once

#include "infer/scan.h"

typedef struct hs_feature_tests {
    const hsel_dataset *data;
    hs_p_options p;
    const char *adjust; /* a procedure (procedures.h), "max-t", "scan", or one of HS_P_LOCAL */
    int scan;           /* hs_scan_model */
    double scan_rate;
    uint64_t seed;      /* of permutations */
    int threads;
    const hs_progress *progress;
    void (*note)(void *context, const char *text); /* how features were tested; NULL: not wanted */
    void *context;
} hs_feature_tests;

extern const hs_option hs_feature_test_table[]; /* over hs_feature_tests: p and adjust */

/* p and adjusted p-values, [features] each, NaN for features that are not tested, and the
 * hsel_p_status of each feature. Without a hierarchy, procedures that need one fail. */
HSEL_CHECKED int hs_test_features(const hs_feature_tests *tests, double *p, double *adjusted,
                                  uint8_t *status, hsel_error *error);

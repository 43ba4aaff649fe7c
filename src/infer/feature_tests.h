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
    uint64_t seed; /* of permutations */
    int threads;
    const hs_progress *progress;
    void (*note)(void *context, const char *text); /* how features were tested; NULL: not wanted */
    void *context;
} hs_feature_tests;

/* The same options at the beginning of other tables. */
#define HS_FEATURE_TEST_OPTIONS                                                                    \
    HS_P_TEST_OPTIONS(hs_feature_tests),                                                           \
        HS_FLAG(hs_feature_tests, p.means, "means",                                                \
                "numeric features: Welch's t instead of ranks (Mann-Whitney, Kruskal-Wallis)"),    \
        HS_TEXT(                                                                                   \
            hs_feature_tests, adjust, "adjust", "NAME", "bh",                                      \
            "procedure for q: bh, by, holm, or one on the hierarchy (hsel help test; with "        \
            "structured-holm a column marks what is inherited from a term below); max-t: "         \
            "family-wise error by permutations (Westfall-Young, step-down). scan: the tree scan "  \
            "statistic (TreeScan): p is the chance of as many cases in the term alone, q that of " \
            "as "                                                                                  \
            "high a likelihood ratio in any term. elim, weight01, "                                \
            "weight01-topgo (as topGO computes it) and weight give an unadjusted column p_NAME "   \
            "instead: the p-value of a term, adjusted for the terms below it"),                    \
        HS_CHOICE(                                                                                 \
            hs_feature_tests, scan, "scan", HS_SCAN_MODELS, "bernoulli",                           \
            "what adjust=scan counts: cases among instances, or cases for an exposure, which the " \
            "weights of the instances are"),                                                       \
        HS_OPTION(hs_feature_tests, scan_rate, "scan-rate", "RATE", "0", 0, 1e9,                   \
                  "cases expected per instance or unit of exposure; 0: given the number of cases")
extern const hs_option hs_feature_test_table[]; /* over hs_feature_tests: p and adjust */

/* p and adjusted p-values, [features] each, NaN for features that are not tested, and the
 * hsel_p_status of each feature. Without a hierarchy, procedures that need one fail. */
HSEL_CHECKED int hs_test_features(const hs_feature_tests *tests, double *p, double *adjusted,
                                  uint8_t *status, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that add up along the hierarchy: abundances, counts, sales. The value of a feature is its
 * own amount plus those of the features below it. Like the true-path rule, this is always checked
 * but repaired only on request. Transformations change the values of samples.
 *
 * It concerns numeric features, and binary ones that edges connect with a numeric one (a column of
 * numbers may have only 0 and 1). In a tree, the amount below a feature is the sum of its children;
 * where a feature has several parents, each feature below counts once.
 */
#pragma once

#include "data/dataset.h"

typedef enum hs_aggregate {
    HS_AGGREGATE_NONE,
    HS_AGGREGATE_SUM,
    HS_AGGREGATE_MAX,
    HS_AGGREGATE_MEAN
} hs_aggregate;

/* A value is as good as another within the larger of these: relative 1e-6, and half a unit of the
 * last digit for each child (numbers that were rounded). Whole numbers are exact. */
typedef struct hs_totals {
    uint32_t checked;           /* features that have some to add up; 0: nothing to check */
    uint64_t covered;           /* (instance, feature) with an amount below the feature */
    uint64_t cells;             /* … whose value is less than that */
    uint64_t own;               /* (instance, feature) whose value is more: their own */
    uint32_t features;          /* with at least one of `cells` */
    uint64_t changed;           /* values that adding up changes */
    uint32_t instance, feature; /* the first one of `cells`; HSEL_NONE: there is none */
    double value, below;        /* its value, and what is below it */
    uint64_t negative;          /* values below 0: then nothing was checked … */
    uint32_t negative_feature;  /* … and the first feature that has one */
    double unit;                /* of the last digit; 0: numbers are whole, or have no such */
} hs_totals;

/* Checks that every value is at least the sum (HS_AGGREGATE_SUM) or the maximum (HS_AGGREGATE_MAX)
 * of the values below it. unit: the unit of the last digit, if the values cannot show it (shares of
 * rounded numbers); 0: detect it. O(values along the edges of a tree; along all ancestors where
 * there are several parents). */
HSEL_CHECKED int hs_totals_check(const hsel_dataset *data, hs_aggregate rule, double unit,
                                 hs_totals *out, hsel_error *error);
/* Repairs the data. Sum: a value that is too small becomes the sum, a larger one is kept (the
 * surplus is the feature's own). Max likewise. Mean: the mean of the children replaces values of
 * inner features. own (NULL: no feature): values of these features are only their own, and the
 * values below are added. `found` (may be NULL) is about the data before. Amounts below 0 are
 * refused for sums. */
HSEL_CHECKED int hs_dataset_aggregate(const hsel_dataset *data, hs_aggregate kind, const bool *own,
                                      hsel_dataset **out, hs_totals *found, hsel_error *error);
/* The inverse: each feature's own amount. */
HSEL_CHECKED int hs_dataset_own_values(const hsel_dataset *data, hsel_dataset **out,
                                       hsel_error *error);

/* Information on features that are amounts (data/about.h). */
#define HS_ABOUT_RANK    "rank"    /* "species" */
#define HS_ABOUT_LINEAGE "lineage" /* from the root to the feature */

/* keep[f]: the feature is an amount. Numeric, in the hierarchy (where there is one) or with a
 * lineage, and not a covariate. Returns how many. */
uint32_t hs_mark_amounts(const hsel_dataset *data, bool *keep);
/* Numbers the levels of the amounts: by rank where it is known, else by depth. HSEL_NONE: not an
 * amount. */
HSEL_CHECKED int hs_amount_levels(const hsel_dataset *data, uint32_t *of_level, hsel_error *error);

typedef enum hs_change { HS_RELATIVE, HS_CLR, HS_RCLR, HS_LOG1P, HS_PRESENCE, HS_ONES } hs_change;

typedef struct hs_changed {
    uint32_t empty; /* instances without any amount: their shares and ratios are missing … */
    uint32_t first_empty; /* … the first of them; HSEL_NONE: there is none */
    uint32_t incomplete;  /* features that presence leaves numeric: values are missing */
    double least_total;   /* relative: the smallest sum above 0 of an instance */
} hs_changed;

/* Transforms the amounts of each instance, using only the instance and `number`. relative: divided
 * by their sum, which in a hierarchy that is summed is that of its roots. clr: the logarithm of
 * value + number (a pseudo-count above 0), less its mean over the features of the same level;
 * of_level[f] numbers the levels, HSEL_NONE: not to be changed. rclr: the logarithm of values above
 * 0, minus its mean over these; 0 becomes `number`, which is a lower bound of all values. log1p:
 * log(1 + value). presence: a binary feature, positive where the value is above `number`, or the
 * numbers 0 and 1 where values are missing, which stay so unless the instance has no others; ones:
 * the number 1 there. relative, clr and rclr of an instance without any amount are missing.
 */
HSEL_CHECKED int hs_dataset_change(const hsel_dataset *data, hs_change change, double number,
                                   const uint32_t *of_level, bool summed, hs_changed *found,
                                   hsel_dataset **out, hsel_error *error);
/* What `number` of clr and rclr is learned from, one for each instance (NaN: it has no amount): the
 * smallest amount above 0; the smallest log-ratio. */
HSEL_CHECKED int hs_change_least(const hsel_dataset *data, hs_change change,
                                 const uint32_t *of_level, double *least, hsel_error *error);
/* Share of the instances in which the feature is not 0, and its mean. */
void hs_prevalence(const hsel_dataset *data, uint32_t feature, double *share, double *mean);

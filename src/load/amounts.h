/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparation of amounts (data/amounts.h) when data are built or loaded: aggregation along the
 * hierarchy, filters, transformation, choice of a level, in this order; the provenance of the data
 * records it.
 */
#pragma once

#include "data/data.h"

typedef enum hs_when { HS_ORDER_AFTER, HS_ORDER_BEFORE } hs_when;

typedef struct hs_amount_options {
    int aggregate;       /* hs_aggregate */
    hs_list transform;   /* "clr", "presence:0.01" … */
    int order;           /* hs_when: transform after or before aggregation */
    double pseudo_count; /* 0: half the smallest amount of the training part */
    double min_prevalence, min_abundance;
    const char *level; /* a rank, a depth from 1, or tips; NULL: all */
} hs_amount_options;

/* The options over a struct T that has them as its member `amounts`. */
#define HS_AMOUNT_OPTIONS(T, aggregate_)                                                           \
    HS_CHOICE(T, amounts.aggregate, "aggregate", "none|sum|max|mean", aggregate_,                  \
              "aggregate numeric features along the hierarchy: a feature is at least the sum "     \
              "(max: the maximum) of the features below it, or the mean of its children"),         \
        HS_TEXT(T, amounts.transform, "transform", "NAME,…", NULL,                                 \
                "transform abundances, in the given order: relative (shares of the instance's "    \
                "total), clr (centred log-ratio), rclr (robust clr, of the values above 0; "       \
                "absent features rank below them), log1p, presence or presence:THRESHOLD "         \
                "(binary: above it)"),                                                             \
        HS_CHOICE(T, amounts.order, "transform-order", "after|before", "after",                    \
                  "transform after aggregation (clr level by level), or before it (each "          \
                  "feature's own value)"),                                                         \
        HS_OPTION(T, amounts.pseudo_count, "pseudo-count", "X", "0", 0, 1e300,                     \
                  "value that clr adds to each abundance; 0: half the smallest abundance above 0 " \
                  "in the training instances"),                                                    \
        HS_OPTION(                                                                                 \
            T, amounts.min_prevalence, "min-prevalence", "SHARE", "0", 0, 1,                       \
            "drop numeric features that are above 0 in less than this share of the instances"),    \
        HS_OPTION(T, amounts.min_abundance, "min-abundance", "X", "0", 0, 1e300,                   \
                  "drop numeric features whose mean over the instances is less than X"),           \
        HS_TEXT(                                                                                   \
            T, amounts.level, "level", "RANK|DEPTH|tips", NULL,                                    \
            "keep the abundances of one level: a rank such as genus, a depth from 1 (the roots), " \
            "or tips (leaves)")

typedef struct hs_amount_report {
    uint64_t changed;  /* values that aggregation changed */
    uint32_t filtered; /* features that prevalence or abundance took */
    uint32_t other_levels;
    double pseudo_count;         /* that clr added; 0: none */
    uint32_t empty, first_empty; /* instances without any amount, whose shares are missing */
    uint32_t incomplete;         /* features with missing values, which presence keeps */
    double unit; /* of the last digit, as a share of the smallest total; 0: not known */
    bool asked;  /* anything was done */
} hs_amount_report;

/* Refuses options that contradict each other, whatever the data are. */
HSEL_CHECKED int hs_amounts_check(const hs_amount_options *options, hsel_error *error);
/* Whether the preparation of an instance depends on other instances. */
bool hs_amounts_learn(const hs_amount_options *options);
/* Applies the options and records them in the provenance. The features kept by filters, and what
 * clr and rclr learn from each instance, go to the recipe, unless it has them from other data;
 * *learned, likewise, if it is NaN. */
HSEL_CHECKED int hs_amounts_apply(const hs_amount_options *options, hsel_dataset **data,
                                  hs_recipe *recipe, double *learned, hs_amount_report *report,
                                  hsel_error *error);
/* The transformations recorded in the provenance, as text: "relative,log1p"; "": not at all.
 */
HSEL_CHECKED int hs_amounts_chain(const hsel_dataset *data, hs_buf *out, hsel_error *error);

/* The numbers as described by the provenance. */
typedef struct hs_amount_state {
    bool known; /* that they are amounts */
    /* The rule that they satisfy: sum by default, also for shares; max for logarithms of sums (no
     * value is less than one below it); none for log-ratios. */
    hs_aggregate rule;
    double unit; /* of the last digit, for hs_totals_check; 0: not known */
} hs_amount_state;
hs_amount_state hs_amounts_state(const hsel_dataset *data);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rankers score every feature of a training part, of any type, against the classes; a higher score
 * is better. Every measure is a ranker too: binary features by their counts, numeric ones after MDL
 * discretisation.
 */
#pragma once

#include "data/data.h"

typedef struct hs_ranker {
    /* Scores with `count` rankers that have this function, so that one pass over a column serves
     * all of them: scores[i][f] for ranker i and feature f. Features outside the view's mask are
     * not changed. */
    int (*rank)(const hs_training *training, const hs_chosen *rankers, size_t count,
                double *const *scores, hsel_error *error);
    bool low_is_better; /* the method's values are negated to get scores */
} hs_ranker;

/* Defines hs_method_rank_ID: its name, flags besides those of every ranker, option table and the
 * size of its options, its hs_ranker, then title, help and citation. */
#define HS_RANKER_METHOD(id, name_, flags_, table_, size_, ranker_, ...)                           \
    const hs_method hs_method_rank_##id = {.kind = HS_RANKER,                                      \
                                           .name = name_,                                          \
                                           .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES | (flags_), \
                                           .options = table_,                                      \
                                           .options_size = size_,                                  \
                                           .ranker = ranker_,                                      \
                                           __VA_ARGS__}

/* Scores all features with every ranker: scores[i] has space for all features. Constant features
 * get -INFINITY where the method ranks them last. Rankers that share work share it; the same scores
 * at any thread count (training->threads). */
HSEL_CHECKED int hs_rank_features(const hs_training *training, const hs_chosen *rankers,
                                  size_t count, double *const *scores, hsel_error *error);
/* A score as in the method's paper: with the original sign if low values are better, and NaN for a
 * feature that is last because it has no value (constant, never known). */
double hs_ranker_value(const hs_method *ranker, double score);
/* How numeric columns are cut into intervals before a measure scores them: by minimum description
 * length, or where each share 1/bins of the known values is reached (equal values stay together).
 */
typedef enum hs_cutting { HS_CUT_MDL, HS_CUT_QUANTILES } hs_cutting;
typedef struct hs_cuts {
    int by; /* hs_cutting */
    uint32_t bins;
} hs_cuts;
/* Rows of an option table, of a struct with such a field. */
#define HS_CUT_OPTIONS(type, field)                                                                \
    HS_CHOICE(                                                                                     \
        type, field.by, "cuts", "mdl|quantiles", "mdl",                                            \
        "how numeric features are cut into intervals: by minimum description length, or with "     \
        "equally many values"),                                                                    \
        HS_OPTION(type, field.bins, "bins", "N", "4", 2, 1000, "with cuts=quantiles: intervals")
/* Scores the features of the view's mask by a measure without options. */
HSEL_CHECKED int hs_measure_features(const hs_training *training, const hs_method *measure,
                                     const hs_cuts *cuts, double *score, hsel_error *error);
/* The slot of hs_ranker for methods of kind HS_MEASURE (filters.c). */
HSEL_CHECKED int hs_filters_rank(const hs_training *training, const hs_chosen *measures,
                                 size_t count, double *const *scores, hsel_error *error);
/* Features of the mask (NULL: all) by descending score, ties to the lowest; what is NaN comes last.
 * Returns how many. */
uint32_t hs_rank_order(const double *scores, uint32_t features, const uint64_t *mask,
                       uint32_t *order);

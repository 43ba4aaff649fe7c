/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agreement of rankers: Kendall's tau between every two of them on each data set, mean and standard
 * deviation over data sets, and the distance of each data set from the mean, compared with random
 * rankings. The caller provides the matrices; this code summarises and shows them.
 */
#pragma once

#include "show/document.h"
#include "stats/kendall.h"
#include "stats/running.h"

typedef struct hs_ranked_data {
    const char *name;
    uint32_t features;
    double *matrix;  /* [rankers * rankers] */
    double distance; /* from the mean, Frobenius */
} hs_ranked_data;

typedef struct hs_rankings { /* names and matrices are borrowed; mean and sd from hs_rankings_sum_up
                              */
    const char *const *rankers;
    size_t ranker_count;
    hs_ranked_data *data;
    size_t data_count;
    hs_tau_kind kind;
    double *mean, *sd; /* of two data sets or more; else NULL */
    hs_running random; /* distance of random matrices from the mean */
} hs_rankings;

/* Mean, standard deviation, distances; `draws` random matrices for each data set, of as many
 * features. With one data set there is nothing to sum up. */
HSEL_CHECKED int hs_rankings_sum_up(hs_rankings *rankings, uint32_t draws, uint64_t seed,
                                    int threads, hsel_error *error);
void hs_rankings_clear(hs_rankings *rankings);

#define HS_RANKINGS_DRAWS 10 /* usually */

/* Explains tau, shows mean, standard deviation and distances of two or more data sets, and the
 * matrix of each, collapsed if there is a mean and `folds`. */
HSEL_CHECKED int hs_rankings_show(const hs_rankings *rankings, bool folds, hs_document *doc,
                                  hsel_error *error);
/* Saves a heat map of the only data set, or of the mean, in a folder under this name. */
HSEL_CHECKED int hs_rankings_heat_map(const hs_rankings *rankings, const char *folder,
                                      const char *name, hsel_error *error);
/* A line a value: statistic, data set, two rankers, value. */
void hs_rankings_csv(const hs_rankings *rankings, hs_writer *out);
void hs_rankings_json(const hs_rankings *rankings, hs_writer *out);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hsel eval found, and showing it: table, CSV, JSON; predictions and selection frequencies as
 * CSV files.
 */
#ifndef HS_CLI_EVAL_SHOW_H
#define HS_CLI_EVAL_SHOW_H

#include "cli/cv_options.h"
#include "report/text_table.h"
#include "core/json.h"
#include "evaluate/crossval.h"
#include "stats/metrics.h"
#include "stats/running.h"

/* One selector with one classifier on one data set, over all repeats. */
typedef struct hs_eval_result {
    const hsel_dataset *data;
    const char *selector, *classifier;
    uint32_t folds;
    hs_running pooled[HS_METRICS], fold_mean[HS_METRICS], fold_se[HS_METRICS];
    hs_running selected;          /* share of features */
    hs_running kuncheva, jaccard; /* stability; no value: the selector is lazy */
    double seconds;
} hs_eval_result;

typedef struct hs_eval_shown { /* what of it */
    hs_metric metrics[HS_METRICS];
    size_t count;
    bool pooled, csv;
} hs_eval_shown;

/* Column heads of the table, then a row for each result. */
void hs_eval_head(hs_text_table *table, const hs_eval_shown *shown, const hs_cv_options *cv,
                  hs_arena *arena);
void hs_eval_row(hs_text_table *table, const hs_eval_shown *shown, const hs_eval_result *result);
void hs_eval_json(hs_json *json, const hs_cv_options *cv, hs_rank_by rank_by,
                  const hs_eval_result *result);

/* ---- files beside it ---- */

/* What one repeat did with one selector (and classifier). */
typedef struct hs_eval_run {
    const hsel_dataset *data;
    const hs_folds *folds;
    const hs_selector_outcome *selection;
    hs_predictions predictions;
    const char *selector, *classifier;
    uint32_t repeat;
} hs_eval_run;

HSEL_CHECKED int hs_eval_predictions_head(hs_writer *out, const hsel_dataset *data,
                                          hsel_error *error);
void hs_eval_predictions(hs_writer *out, const hs_eval_run *run);
void hs_eval_frequencies_head(hs_writer *out);
void hs_eval_frequencies(hs_writer *out, const hs_eval_run *run);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of a report, from the store to its tables. Nothing is shown here.
 *
 * Outcomes: every metric of every selector with every classifier on every data set, worked out from
 * the predictions in the store, as means over the repeats that are finished. Only when all repeats
 * are does an outcome count in ranks and tests; until then it is shown with a mark.
 *
 * Boards: for one metric and one classifier, the selectors (columns) on the data sets (rows), with
 * what stands under such a table and what the tests say of it; or, if the study compares
 * classifiers, for one metric and one selector the classifiers.
 */
#pragma once

#include "learn/evaluation.h"
#include "show/comparison.h"
#include "study/published.h"
#include "study/store.h"

/* ---- outcomes ---- */

typedef enum hs_outcome_state {
    HS_OUTCOME_MISSING, /* no repeat is finished */
    HS_OUTCOME_FAILED,  /* a fold failed */
    HS_OUTCOME_PART,    /* some repeats are finished */
    HS_OUTCOME_OK,
    HS_OUTCOME_LEFT_OUT /* the two cannot be combined, or do not fit the data (message) */
} hs_outcome_state;

typedef struct hs_outcome {
    hs_outcome_state state;
    uint64_t folds_done, folds_failed, folds_unfit, folds_wanted;
    uint64_t folds_older;     /* by another version of hsel than that of the study's last run */
    const char *message;      /* of the first failure, or why it is left out; NULL: none */
    hs_evaluation evaluation; /* of the finished repeats; with details: confusion and curves */
} hs_outcome;

/* Results of a procedure with an effect, over the finished runs of a simulation. */
typedef struct hs_rates {
    hs_running wrong, found;
} hs_rates;

typedef struct hs_outcomes { /* zero-initialise; hs_outcomes_clear frees, also after a failure */
    hs_arena arena;
    const hs_study *study;
    hs_stored_dataset *datasets; /* id -1: not in the store (then only its name is known) */
    size_t dataset_count;
    hs_outcome *outcome;   /* [data set][selector][classifier] */
    hs_outcome *automatic; /* [data set][automatic choice] */
    uint32_t *picks;       /* [data set][automatic choice][selector][classifier]: folds */
    hs_rates *rates;       /* [data set][simulation][effect][procedure] */
    size_t rate_count;     /* of a data set */
    struct {
        uint64_t wanted, done, failed; /* jobs of simulations */
        const char *message;           /* of the first failure; NULL: none */
    } simulated;
    hs_figures figures; /* published */
    const char
        *figures_problem; /* why there are none although the study names some; NULL: no problem */
    int64_t time;         /* of the last result, in seconds since 1970 */
    const char *version;  /* of hsel, which ran the study last */
    const char *shared;   /* that data sets share instances, in a sentence; NULL: none do */
} hs_outcomes;

/* The study and the store must live as long. */
HSEL_CHECKED int hs_outcomes_read(hs_store *store, const hs_study *study, bool details,
                                  const hs_progress *progress, hs_outcomes *out, hsel_error *error);
void hs_outcomes_clear(hs_outcomes *outcomes);

static inline const hs_outcome *hs_outcome_of(const hs_outcomes *o, size_t dataset, size_t selector,
                                              size_t classifier)
{
    return &o->outcome[(dataset * o->study->selector_count + selector) *
                           o->study->classifier_count +
                       classifier];
}

const hs_rates *hs_rates_of(const hs_outcomes *outcomes, size_t dataset, size_t simulation,
                            size_t effect, size_t procedure);

/* The metric as the study wants it, pooled or fold mean, over repeats. */
static inline const hs_running *hs_outcome_metric(const hs_outcomes *o, const hs_outcome *outcome,
                                                  hs_metric metric)
{
    const hs_evaluation *e = &outcome->evaluation;
    return (o->study->pooled ? e->pooled : e->fold_mean) + metric;
}
static inline double hs_outcome_value(const hs_outcomes *o, const hs_outcome *outcome,
                                      hs_metric metric)
{
    return hs_running_mean(hs_outcome_metric(o, outcome, metric));
}

/* The published figure of a selector and a classifier, both as written in the study; NaN: none. */
double hs_published_value(const hs_outcomes *outcomes, size_t dataset, const char *selector,
                          const char *classifier, hs_metric metric);

/* Selectors of one sweep are contiguous: the end of the sweep of `first`. */
size_t hs_sweep_end(const hs_study *study, size_t first);

/* ---- boards ---- */

/* A sweep with more settings is shown in its own section instead of columns, unless the study asks
 * for its best setting. */
#define HS_SWEEP_COLUMNS 12

/* Equal but for rounding, as in ranks and tests (stats/compare.h). */
static inline bool hs_same_score(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* A selector (or classifier), or a sweep of which the study wants the best on each data set. */
typedef struct hs_board_column {
    const char *label; /* heading */
    const char
        *text; /* of the method, or of the sweep as written: also its word in the published map */
    size_t first, count; /* selectors of the study */
    bool best;           /* the best of them on each data set */
    size_t classifier;   /* SIZE_MAX: that of the board; else the selector is that of the board */
} hs_board_column;

/* The selector that a column shows for a data set and classifier: of a sweep the setting with the
 * best value of the study's best-of metric, ties to the first. A sweep is finished when all
 * settings are. */
size_t hs_column_pick(const hs_outcomes *outcomes, const hs_board_column *column, size_t dataset,
                      size_t classifier, hs_outcome_state *state);

typedef struct hs_score {
    double value; /* NaN: none. Also there if the work is unfinished */
    double sd;    /* over repeats; NaN: fewer than two */
    double se;    /* over folds; NaN: none */
    const hs_outcome *outcome;
    double published; /* NaN: none */
    hs_outcome_state state;
    size_t selector; /* whose it is */
    bool best;       /* of the finished ones of its row, with ties */
} hs_score;

typedef struct hs_board {
    hs_metric metric;
    size_t classifier; /* SIZE_MAX: the columns are classifiers … */
    size_t selector;   /* … with this selector; else SIZE_MAX */
    const char *with;  /* label of the one or the other */
    hs_score *score;   /* [data set * columns] */
    double *counted;   /* [data set * columns]: the value if it is finished, else NaN */
    double *mean;      /* [columns]: over the common rows (hs_common_means); NaN: lacks some … */
    double *mean_se;   /* … with its standard error over them; NaN: fewer than two */
    size_t complete;   /* … of which there are so many */
    bool *taking_part; /* [columns]: has a finished value at all, and is not the best of a sweep,
                          which was chosen on the test folds (unless the study wants that); the
                          others are left out of ranks and tests */
    size_t *place;     /* [columns]: its column in the comparison */
    hs_comparison comparison; /* over the columns that take part */
    bool compared;            /* there is something in it */
} hs_board;

typedef struct hs_boards { /* zero-initialise; hs_boards_clear frees, also after a failure */
    hs_arena arena;
    hs_board_column *columns; /* of the boards */
    size_t column_count;
    hs_board_column *by_selector; /* the selectors as columns, whatever the boards have */
    size_t by_selector_count;
    double *imbalance; /* [data sets]: 1 - smallest class / largest class; NaN: not known */
    hs_board *boards;  /* metric by metric, within it classifier by classifier (or selectors) */
    size_t count, per_metric;
} hs_boards;

HSEL_CHECKED int hs_boards_make(const hs_outcomes *outcomes, const hs_metric *metrics,
                                size_t metric_count, hs_boards *out, hsel_error *error);
void hs_boards_clear(hs_boards *boards);

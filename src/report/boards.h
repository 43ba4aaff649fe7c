/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Score boards: for one metric and one classifier, the selectors (columns) on the data sets (rows),
 * with what stands under such a table and what the tests say of it; or, if the study compares
 * classifiers, for one metric and one selector the classifiers.
 *
 * A column is a selector (or classifier), or a sweep of which the study wants the best setting on
 * each data set. Sweeps of more than HS_SWEEP_COLUMNS settings without such a wish are no columns:
 * they have a section of their own.
 */
#ifndef HS_REPORT_BOARDS_H
#define HS_REPORT_BOARDS_H

#include <math.h>

#include "report/comparison.h"
#include "report/outcomes.h"

#define HS_SWEEP_COLUMNS 12

/* Equal but for rounding, as in ranks and tests (stats/compare.h). */
static inline bool hs_same_score(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

typedef struct hs_contender {
    const char *label; /* heading */
    const char
        *text; /* of the method, or of the sweep as written: also its word in the published map */
    size_t first, count; /* selectors of the study */
    bool best;           /* the best of them on each data set */
    size_t classifier;   /* SIZE_MAX: that of the board; else the selector is that of the board */
} hs_contender;

/* Columns of the study's tables; *out lies in the arena. */
HSEL_CHECKED int hs_contenders_make(const hs_study *study, hs_arena *arena, hs_contender **out,
                                    size_t *count, hsel_error *error);
/* The selector that stands in a column on a data set with a classifier, and the state of all of it:
 * of a sweep the setting with the best value of the study's best-of metric, ties to the first. */
size_t hs_contender_pick(const hs_outcomes *outcomes, const hs_contender *column, size_t dataset,
                         size_t classifier, hs_outcome_state *state);

typedef struct hs_score {
    double value;     /* NaN: none. Also there if the work is unfinished */
    double sd;        /* over repeats; NaN: fewer than two */
    double se;        /* over folds; NaN: none */
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
    double *mean;      /* [columns]: over the rows in which every method has a finished value … */
    size_t complete;   /* … of which there are so many */
    bool *taking_part; /* [columns]: has a finished value at all; the others are left out of ranks
                          and tests */
    size_t *place;     /* [columns]: its column in the comparison */
    hs_comparison comparison; /* over the columns that take part */
    bool compared;            /* there is something in it */
} hs_board;

typedef struct hs_boards { /* zero-initialise; hs_boards_clear frees */
    hs_arena arena;
    hs_contender *columns; /* of the boards */
    size_t column_count;
    hs_contender *by_selector; /* the selectors as columns, whatever the boards have */
    size_t by_selector_count;
    double *imbalance; /* [data sets]: 1 - smallest class / largest class; NaN: not known */
    hs_board *boards;  /* metric by metric, within it classifier by classifier (or selectors) */
    size_t count, per_metric;
} hs_boards;

HSEL_CHECKED int hs_boards_make(const hs_outcomes *outcomes, const hs_metric *metrics,
                                size_t metric_count, hs_boards *out, hsel_error *error);
void hs_boards_clear(hs_boards *boards);

#endif

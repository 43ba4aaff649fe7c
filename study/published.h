/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published figures: a CSV with one figure per row, by its header
 *
 *     paper,table,dataset,selector,classifier,metric,percent
 *
 * or `value` instead of percent; `se`, a standard error, after it (`filter` is a selector too; a
 * paper on classifiers has no such column). Figures known to be misprinted, which misprints.csv
 * beside the file lists, are left out. Where a paper prints a figure in several tables, the first
 * counts.
 */
#pragma once

#include "study/study.h"

typedef struct hs_figure {
    const char *table; /* "table2" */
    double value;      /* percentages as shares: 56.3 is 0.563 */
    double error;      /* standard error likewise; NaN: not given */
} hs_figure;

typedef struct hs_figures { /* zero-initialise; hs_figures_clear frees */
    hs_arena arena;
    char *paper;       /* of the first row; NULL: no figure */
    hs_names keys;     /* dataset, selector, classifier and metric of each figure */
    hs_figure *figure; /* [keys.count] */
    size_t capacity;
    uint32_t misprints;                /* left out */
    bool no_selectors, no_classifiers; /* the table has no such column: any name matches its rows */
} hs_figures;

HSEL_CHECKED int hs_figures_read(const char *path, hs_figures *out, hsel_error *error);
void hs_figures_clear(hs_figures *figures);

/* The figure for our names (a method's text or a sweep's family, data set, metric), through the map
 * of the study; names that are not mapped are the same in the paper. NULL: none. Data sets are
 * compared without dots: CE-BP.CC is CE-BPCC. An empty text matches a field that the paper leaves
 * empty; columns that the table does not have are ignored. */
const hs_figure *hs_published_find(const hs_figures *figures, const hs_published *published,
                                   const char *dataset, const char *selector,
                                   const char *classifier, const char *metric);

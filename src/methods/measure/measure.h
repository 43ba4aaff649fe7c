/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relevance of one feature, from integer counts in exact arithmetic (exact.h), so that equal scores
 * are equal doubles, also from different counts (ties are the normal case in these data). Every
 * measure takes any number of classes.
 */
#pragma once

#include "data/data.h"

/* A binary feature against the classes. */
typedef struct hs_cells {
    uint32_t classes, instances;
    const uint32_t *class_size; /* [classes] */
    const uint32_t *positive;   /* [classes]: those in which the feature is positive */
    uint32_t positive_class;    /* for lift; HSEL_NONE: the maximum over classes */
} hs_cells;

/* A feature with any number of values against the classes. */
typedef struct hs_value_table {
    uint32_t values, classes;
    const double *cell;         /* [values * classes] */
    const double *row, *column; /* [values], [classes]: sums */
    double total;
    uint32_t positive_class; /* for lift; HSEL_NONE: the maximum over classes */
    bool whole; /* all counts are integers below 2^32, and scores are exact; else missing values
                   were distributed, and some counts have fractions */
} hs_value_table;

/* Of a binary feature: its values are 0 and 1. */
#define HS_CELLS_ROOM(classes) (3 * (size_t)(classes) + 2) /* numbers, of the table's lists */
hs_value_table hs_table_of_cells(const hs_cells *cells, double *room);

typedef struct hs_measure { /* one of the two */
    /* Of binary features only. */
    double (*score)(const hs_cells *cells, const void *options);
    /* Of all features: the method has the flag HS_ANY_FEATURES. */
    double (*table)(const hs_value_table *table);
} hs_measure;

/* Of a binary feature, by any measure; room[HS_CELLS_ROOM(classes)]. */
double hs_score_cells(const hs_measure *measure, const hs_cells *cells, const void *options,
                      double *room);

/* Defines the method `id`; slot: score or table, then the function, and last its options, if any.
 */
#define HS_MEASURE_METHOD(id, slot, function, title_, help_, citation_, flags_, ...)               \
    const hs_method hs_method_##id = {.kind = HS_MEASURE,                                          \
                                      .name = #id,                                                 \
                                      .title = title_,                                             \
                                      .help = help_,                                               \
                                      .citation = citation_,                                       \
                                      .flags = HS_NEEDS_CLASSES | (flags_),                        \
                                      .measure = &(const hs_measure){.slot = function},            \
                                      __VA_ARGS__}
#define HS_TABLE_MEASURE(id, title_, help_, citation_)                                             \
    HS_MEASURE_METHOD(id, table, table_##id, title_, help_, citation_, HS_ANY_FEATURES, )

typedef enum hs_smoothing {
    HS_SMOOTHING_LAPLACE,
    HS_SMOOTHING_RPV,
    HS_SMOOTHING_NONE
} hs_smoothing;
typedef enum hs_lazyr_form { HS_LAZYR_EQUATION, HS_LAZYR_CODE, HS_LAZYR_CENTRED } hs_lazyr_form;

/* The formulas, also for selectors with an option that names a measure. */
double hs_score_lazyr(const hs_cells *cells, hs_lazyr_form form);
double hs_score_r(const hs_cells *cells, hs_smoothing smoothing);
double hs_score_ig(const hs_value_table *table); /* bits */
/* Pearson correlation of two binary features from their 2 x 2 table; NaN when one of them is
 * constant. */
double hs_phi(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00);
/* Symmetric uncertainty of two binary features from their 2 x 2 table. */
double hs_su_pair(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00);

/* Cells of feature f in counts. */
static inline hs_cells hs_cells_of(const hs_counts *counts, uint32_t feature,
                                   uint32_t positive_class)
{
    return (hs_cells){counts->classes, counts->instances, counts->class_size,
                      counts->positive + (size_t)feature * counts->classes, positive_class};
}

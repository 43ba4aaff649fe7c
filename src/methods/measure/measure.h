/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relevance of one binary feature, from integer counts in exact arithmetic (exact.h), so that equal
 * scores are equal doubles, also from different counts (ties are the normal case in these data).
 * Every measure takes any number of classes.
 */
#ifndef HS_MEASURE_MEASURE_H
#define HS_MEASURE_MEASURE_H

#include "core/method.h"
#include "data/counts.h"

/* One feature against the classes. */
typedef struct hs_cells {
    uint32_t classes, instances;
    const uint32_t *class_size; /* [classes] */
    const uint32_t *positive;   /* [classes]: those in which the feature is positive */
    uint32_t positive_class;    /* for lift; HSEL_NONE: the maximum over classes */
} hs_cells;

/* A feature with any number of values against the classes. Counts may have fractions (missing
 * values that were spread). */
typedef struct hs_value_table {
    uint32_t values, classes;
    const double *cell;         /* [values * classes] */
    const double *row, *column; /* [values], [classes]: sums */
    double total;
    uint32_t positive_class; /* for lift; HSEL_NONE: the maximum over classes */
} hs_value_table;

/* Are all counts whole numbers? Then scores are exact. */
bool hs_table_is_whole(const hs_value_table *table);

typedef struct hs_measure {
    double (*score)(const hs_cells *cells, const void *options);
    /* The same for features that are not binary; NULL: the measure is for binary features only
     * (then the method has no flag HS_ANY_FEATURES). A table of whole numbers with two values
     * scores like a binary feature. */
    double (*table)(const hs_value_table *table, const void *options);
} hs_measure;

/* Defines the method `id`, which scores by score_##id and table_ (or NULL); last its options, if it
 * has any. HS_PLAIN_MEASURE: score_##id is hs_score_##id. */
#define HS_MEASURE_METHOD(id, table_, title_, help_, citation_, flags_, ...)                       \
    const hs_method hs_method_##id = {                                                             \
        .kind = HS_MEASURE,                                                                        \
        .name = #id,                                                                               \
        .title = title_,                                                                           \
        .help = help_,                                                                             \
        .citation = citation_,                                                                     \
        .flags = HS_NEEDS_CLASSES | (flags_),                                                      \
        .measure = &(const hs_measure){.score = score_##id, .table = table_},                      \
        __VA_ARGS__}
#define HS_PLAIN_MEASURE(id, ...)                                                                  \
    static double score_##id(const hs_cells *cells, const void *options)                           \
    {                                                                                              \
        (void)options;                                                                             \
        return hs_score_##id(cells);                                                               \
    }                                                                                              \
    HS_MEASURE_METHOD(id, __VA_ARGS__, )

typedef enum hs_smoothing {
    HS_SMOOTHING_LAPLACE,
    HS_SMOOTHING_RPV,
    HS_SMOOTHING_NONE
} hs_smoothing;
typedef enum hs_lazyr_form { HS_LAZYR_EQUATION, HS_LAZYR_CODE, HS_LAZYR_CENTRED } hs_lazyr_form;

/* The formulas (METHODS.md A), also for selectors that name a measure by an option of their own. */
double hs_score_lazyr(const hs_cells *cells, bool value, hs_lazyr_form form);
double hs_score_r(const hs_cells *cells, hs_smoothing smoothing);
double hs_score_ig(const hs_cells *cells); /* bits */
double hs_score_gr(const hs_cells *cells);
double hs_score_su(const hs_cells *cells);
double hs_score_chi2(const hs_cells *cells);
double hs_score_lift(const hs_cells *cells);
double hs_score_phi(const hs_cells *cells); /* |phi| for two classes, Cramér's V for more */
double hs_score_gini(const hs_cells *cells);
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

#endif

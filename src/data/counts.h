/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views: parts of a data set. Counts of positive values by feature and class: all that naive Bayes
 * and the relevance measures need. The counts of a training part are those of the whole minus those
 * of the test fold, so ten folds cost one pass over the data.
 */
#pragma once

#include "core/fields.h"
#include "data/bits.h"
#include "data/dataset.h"

/* A view: some rows and some features of a data set, without copying. It borrows everything. */
typedef struct hs_view {
    const hsel_dataset *data;
    const uint32_t *rows; /* NULL: all instances, in order */
    uint32_t row_count;
    const uint64_t *features; /* bit set; NULL: all */
} hs_view;

static inline hs_view hs_view_all(const hsel_dataset *data)
{
    return (hs_view){.data = data, .row_count = data->instances};
}

static inline uint32_t hs_view_row(const hs_view *view, uint32_t i)
{
    return view->rows ? view->rows[i] : i;
}
static inline bool hs_view_has(const hs_view *view, uint32_t feature)
{
    return !view->features || hs_bit_get(view->features, feature);
}

typedef struct hs_counts {
    uint32_t features, classes;
    uint32_t instances;   /* with a known class */
    uint32_t *class_size; /* [classes] */
    uint32_t *positive;   /* [features * classes]: instances of the class in which the feature is
                             positive */
} hs_counts;

/* Instances without a class do not count. Features outside the view's mask count 0. */
HSEL_CHECKED int hs_counts_of(const hs_view *view, hs_counts *out, hsel_error *error);
/* The same into counts of another view of the data set. */
void hs_counts_again(const hs_view *view, hs_counts *out);
/* out = whole - part, into counts made by hs_counts_of or hs_counts_init on the same data set. */
void hs_counts_subtract(const hs_counts *whole, const hs_counts *part, hs_counts *out);
HSEL_CHECKED int hs_counts_init(uint32_t features, uint32_t classes, hs_counts *out,
                                hsel_error *error);
void hs_counts_clear(hs_counts *counts);
/* Writes counts to a file, or reads them: the features and classes are known. */
HSEL_CHECKED int hs_counts_fields(hs_counts *counts, uint32_t features, uint32_t classes,
                                  hs_transfer *file, hsel_error *error);

static inline uint32_t hs_count(const hs_counts *counts, uint32_t feature, uint32_t label)
{
    return counts->positive[(size_t)feature * counts->classes + label];
}

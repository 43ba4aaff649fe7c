/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Features as columns of numbers, for support vector machines: what was learned from the training
 * part about each column, training rows as sparse vectors, and one instance as a dense one.
 *
 * Binary features are columns of 0 and 1. Numeric ones are scaled to [0,1] by the least and
 * greatest value of the training part (a constant one becomes 0), missing values are the mean. A
 * nominal feature of two values is one column, 1 for the second; of more values a column each;
 * missing is the most frequent value, of equally frequent ones the first. So do WEKA's filters in
 * SMO: ReplaceMissingValues, NominalToBinary, Normalize. Columns: binary features first, then the
 * others, each by feature.
 */
#ifndef HS_CLASSIFY_SVM_ROWS_H
#define HS_CLASSIFY_SVM_ROWS_H

#include "data/view.h"

typedef struct hs_svm_other { /* a numeric or nominal feature in use */
    uint32_t feature;
    uint32_t column; /* its first */
    uint32_t values; /* nominal: how many; 0: numeric */
    uint32_t common; /* nominal: stands for missing ones */
    double mean;     /* numeric: stands for missing ones */
    double low, range;
} hs_svm_other;

typedef struct hs_svm_code { /* zero-initialise; hs_svm_code_clear frees */
    uint32_t features, columns, other_count;
    uint32_t *column; /* [features]: of a binary feature in use, else HSEL_NONE */
    hs_svm_other *other;
} hs_svm_code;

/* HSEL_EUNSUPPORTED for infinite values, and for values whose range is. */
HSEL_CHECKED int hs_svm_code_learn(const hs_view *view, bool normalise, hs_svm_code *out,
                                   hsel_error *error);
void hs_svm_code_clear(hs_svm_code *code);
static inline uint32_t hs_svm_other_columns(const hs_svm_other *other)
{
    return other->values > 2 ? other->values : 1;
}

typedef struct hs_svm_node {
    int32_t index; /* column + 1; -1: the end */
    double value;
} hs_svm_node;

/* The rows of a view, each a list of nodes, ascending, with one more at the end. */
typedef struct hs_svm_rows { /* zero-initialise; hs_svm_rows_clear frees */
    uint32_t count, columns;
    hs_svm_node *nodes;
    hs_svm_node **row;
    double *square; /* of each row: its product with itself */
} hs_svm_rows;

HSEL_CHECKED int hs_svm_rows_new(const hs_svm_code *code, const hs_view *view, hs_svm_rows *out,
                                 hsel_error *error);
void hs_svm_rows_clear(hs_svm_rows *rows);

/* One instance: x[columns] must be all 0; sets the columns that are not 0 and lists them,
 * ascending. */
HSEL_CHECKED int hs_svm_encode(const hs_svm_code *code, const hsel_dataset *data, uint32_t instance,
                               double *x, uint32_t *columns, uint32_t *count, hsel_error *error);

#endif

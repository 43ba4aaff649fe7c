/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What trees are grown from: a training part with its numeric features sorted once, and lists of
 * its instances, each with a weight, that are divided at every node.
 *
 * A node's list is a part of one pool. Dividing it on a feature that is known everywhere puts the
 * lists of the children in its own place, so that a tree over n instances needs n entries in all;
 * instances with a missing value go down every branch with a fraction of their weight, and only
 * then are lists appended. Either way the node's own list stays whole: the lists of all nodes are
 * there at any time, as pruning wants them.
 */
#ifndef HS_CLASSIFY_TREE_DATA_H
#define HS_CLASSIFY_TREE_DATA_H

#include "classify/tree_model.h"
#include "data/training.h"

#define HS_TREE_SMALL 1e-6 /* weights and gains that differ by no more are the same, as in J48 */

typedef struct hs_tree_value {
    double value;
    uint32_t row;
} hs_tree_value;

typedef struct hs_tree_column { /* of a numeric feature in use */
    const double *value;        /* [instances]; NaN: missing */
    double *own;                /* NULL, or what `value` points to: a sparse column spread out */
    hs_tree_value *sorted;      /* known values of the training rows, ascending, then by row */
    uint32_t known;
} hs_tree_column;

typedef struct hs_tree_data { /* zero-initialise; hs_tree_data_clear frees */
    const hsel_dataset *data;
    uint32_t classes;
    uint32_t *row; /* training instances with a class, ascending */
    uint32_t rows;
    uint32_t *feature; /* features that may be used, ascending */
    uint32_t features, most_branches;
    hs_tree_column *numeric; /* one a numeric column of the data set */
    hs_bit_columns bits;     /* over all instances; words NULL: they would be too large */
    bool has_missing;        /* a training row lacks a value of a feature in use */
    double *logs;            /* [rows + 1]: x log2 x */
} hs_tree_data;

HSEL_CHECKED int hs_tree_data_init(hs_tree_data *out, const hs_training *training,
                                   hsel_error *error);
void hs_tree_data_clear(hs_tree_data *data);

static inline const hs_tree_column *hs_tree_numeric(const hs_tree_data *data, uint32_t feature)
{
    return data->numeric + data->data->slot[feature];
}

static inline const hs_nominal_column *hs_tree_nominal(const hs_tree_data *data, uint32_t feature)
{
    return data->data->nominal + data->data->slot[feature];
}

/* x log2 x, of any weight; and fast, since weights are whole numbers unless values are missing. */
double hs_tree_xlog_any(double x);
static inline double hs_tree_xlog(const hs_tree_data *data, double x)
{
    uint32_t whole = (uint32_t)x;
    return whole == x && whole <= data->rows ? data->logs[whole] : hs_tree_xlog_any(x);
}

/* ---- lists ---- */

typedef struct hs_tree_part {
    size_t begin, count;
} hs_tree_part;

typedef struct hs_tree_pool { /* zero-initialise; hs_tree_pool_clear frees */
    uint32_t *row;
    double *weight;
    size_t used, row_room, weight_room;
    uint32_t *branch;   /* [rows]: scratch of dividing, as are the following */
    uint32_t *next_row; /* [rows] */
    double *next_weight;
    double *share;        /* [most branches] */
    hs_tree_part *child;  /* [most branches]: the answer of hs_tree_divide */
    double *in_node;      /* [instances]: weight in the list that was marked, else 0 */
    hs_tree_value *value; /* [rows]: the answer of hs_tree_sort */
} hs_tree_pool;

HSEL_CHECKED int hs_tree_pool_init(hs_tree_pool *pool, const hs_tree_data *data, hsel_error *error);
void hs_tree_pool_clear(hs_tree_pool *pool);
/* A copy of the list at the end of the pool. */
HSEL_CHECKED int hs_tree_pool_copy(hs_tree_pool *pool, hs_tree_part part, hs_tree_part *out,
                                   hsel_error *error);
/* Weight of each class in the list into count[classes]; the sum. */
double hs_tree_tally(const hs_tree_data *data, const hs_tree_pool *pool, hs_tree_part part,
                     double *count);
/* Divides by the node's test into pool->child. */
HSEL_CHECKED int hs_tree_divide(const hs_tree_data *data, hs_tree_pool *pool,
                                const hs_tree_node *node, hs_tree_part part, hsel_error *error);
/* Sets in_node for the rows of the list; unmark sets it back to 0. */
void hs_tree_mark(hs_tree_pool *pool, hs_tree_part part);
void hs_tree_unmark(hs_tree_pool *pool, hs_tree_part part);
/* The known values of a numeric feature in the marked list, ascending, then by row: into
 * pool->value; how many. Sorts the list, or walks through all sorted values when the list is a
 * large part of them. */
uint32_t hs_tree_sort(const hs_tree_data *data, hs_tree_pool *pool, hs_tree_part part,
                      uint32_t feature);

#endif

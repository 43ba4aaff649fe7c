/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slow, obvious twin of a data set: a matrix of positive values and a matrix of edges. What the
 * library does with sparse lists is done here cell by cell, and the results are compared.
 */
#ifndef HS_TESTS_DENSE_H
#define HS_TESTS_DENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random_data.h"

#define DENSE_ROWS    200
#define DENSE_COLUMNS 140

typedef struct hs_dense {
    uint32_t rows, columns;
    bool has_dag;
    bool binary[DENSE_COLUMNS];
    bool cell[DENSE_ROWS][DENSE_COLUMNS];
    bool edge[DENSE_COLUMNS][DENSE_COLUMNS]; /* [child][parent] */
} hs_dense;

/* Any kind of data set: mostly small, now and then beyond a few words of 64 bits, empty ones too.
 */
hs_random_shape hs_dense_shape(hs_stream *stream);

/* Reads rows and parent lists. Fails the running test if hsel_dataset_check does not agree with the
 * data. */
void hs_dense_read(const hsel_dataset *data, hs_dense *out);
/* Sets parents of positive features until nothing changes. */
void hs_dense_propagate(hs_dense *dense);
/* Takes out the columns that are not kept; edges pass through them. */
void hs_dense_subset(const hs_dense *from, const bool *keep, hs_dense *out);
void hs_dense_assert_same(const hs_dense *expected, const hs_dense *found);

#endif

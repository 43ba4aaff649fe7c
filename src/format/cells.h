/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A data set as the rows of a table, for the writers of ARFF, CSV and TSV: names for its class and
 * identifier columns that no feature has, and numeric values by row whether their column is dense
 * or sparse.
 */
#ifndef HS_FORMAT_CELLS_H
#define HS_FORMAT_CELLS_H

#include "data/dataset.h"

typedef struct hs_cells { /* zero-initialise; hs_cells_clear frees */
    const hsel_dataset *data;
    char *class_name, *id_name; /* NULL: no such column */
    uint32_t *others;           /* the features that are not binary, ascending */
    uint32_t other_count;
    uint32_t *next; /* of each sparse numeric column: its first entry that was not passed yet */
} hs_cells;

HSEL_CHECKED int hs_cells_init(const hsel_dataset *data, hs_cells *out, hsel_error *error);
void hs_cells_clear(hs_cells *cells);
/* Value of a numeric feature. The instances asked for must not descend. */
double hs_cells_number(hs_cells *cells, uint32_t feature, uint32_t instance);
/* Value of a nominal feature and its length; NULL when it is missing. */
const char *hs_cells_nominal(const hs_cells *cells, uint32_t feature, uint32_t instance,
                             size_t *length);
/* Label of an instance and its length; NULL when its class is not known. */
const char *hs_cells_label(const hs_cells *cells, uint32_t instance, size_t *length);

#endif

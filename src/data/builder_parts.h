/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What builder.c and builder_finish.c share, and nobody else.
 */
#ifndef HS_DATA_BUILDER_PARTS_H
#define HS_DATA_BUILDER_PARTS_H

#include "data/builder.h"

struct hs_builder {
    hs_names features, classes, ids;
    uint8_t *types;
    uint32_t *slot;           /* of a nominal feature: its list of values */
    hs_names *nominal_values; /* [nominal_count] */
    uint32_t nominal_count;
    uint32_t rows;
    uint32_t *labels;
    uint64_t *positive_start, *value_start; /* where each row's entries begin */
    uint32_t *positive;                     /* positive features, row after row */
    uint32_t *value_feature;                /* numeric values and nominal codes, row after row … */
    double *value;                          /* … a code fits a double exactly */
    size_t positives, values;
    char *name, *class_attribute, *id_attribute, *positive_label;
    bool sort_classes;
    size_t type_capacity, slot_capacity, nominal_capacity, label_capacity, positive_start_capacity,
        value_start_capacity, positive_capacity, value_capacity, value_feature_capacity;
};

#endif

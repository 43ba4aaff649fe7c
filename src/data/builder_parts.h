/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the builder share, and nobody else.
 */
#ifndef HS_DATA_BUILDER_PARTS_H
#define HS_DATA_BUILDER_PARTS_H

#include "data/builder.h"

/* Values of features that are not binary, in the order in which they were given. */
typedef struct hs_value_block {
    double *values;
    size_t used, room;
} hs_value_block;

/* In hs_builder.value_feature: this feature and those behind it, as many as the next entry says. */
#define HS_RUN UINT32_C(0x80000000)
_Static_assert(HS_FEATURES_LIMIT < HS_RUN, "features leave no bit free");

struct hs_builder {
    hs_names features, classes, ids;
    uint8_t *types;
    uint32_t *slot;           /* of a nominal feature: its list of values */
    hs_names *nominal_values; /* [nominal_count] */
    uint32_t nominal_count;
    uint32_t rows;
    uint32_t *labels;
    uint64_t *positive_start,
        *value_start;   /* where each row's entries begin, in `positive` and `value_feature` */
    uint32_t *positive; /* positive features, row after row */
    /* Numeric values and nominal codes (which a double holds exactly), row after row: their
     * features, runs of them as two entries, so that dense rows take no more room than their
     * numbers; and the values, in blocks that never move. */
    uint32_t *value_feature;
    hs_value_block *blocks;
    size_t positives, entries, block_count;
    size_t last;   /* the last entry that is a feature, … */
    uint32_t next; /* … and the feature that would make a run of it; HSEL_NONE: none */
    char *name, *class_attribute, *id_attribute, *positive_label;
    bool sort_classes;
    size_t type_capacity, slot_capacity, nominal_capacity, label_capacity, positive_start_capacity,
        value_start_capacity, positive_capacity, value_feature_capacity, block_capacity;
};

/* Makes the columns of features that are not binary (data->types says which) and moves their values
 * there. */
HSEL_CHECKED int hs_builder_gather(hs_builder *builder, hsel_dataset *data, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The row under way while the data section of an ARFF file is read: arff_rows.c takes lines apart,
 * arff_values.c gives each value its meaning. A row is gathered here and handed to the builder when
 * it is complete, because identifier and class may stand anywhere in it.
 */
#ifndef HS_FORMAT_ARFF_ROWS_H
#define HS_FORMAT_ARFF_ROWS_H

#include "format/arff.h"

/* How a column is read. HS_ARFF_READ_DIGIT must be 0: four columns are tested at once. */
enum hs_arff_kind {
    HS_ARFF_READ_DIGIT,
    HS_ARFF_READ_WORD,
    HS_ARFF_READ_NUMBER,
    HS_ARFF_READ_NOMINAL,
    HS_ARFF_READ_CLASS,
    HS_ARFF_READ_ID,
    HS_ARFF_READ_SKIP
};

typedef struct hs_arff_rows {
    hs_reader *reader;
    const hs_arff_header *header;
    hs_builder *builder;
    int missing;
    uint32_t count;       /* attributes */
    uint8_t *kinds;       /* of each attribute */
    uint32_t *feature_of; /* of each attribute; HSEL_NONE: it is no feature */
    uint32_t *seen;       /* sparse rows: the last row in which the attribute was given */
    uint32_t row;         /* number of the row under way, from 1 */
    uint32_t *not_zero;   /* attributes that are not 0 when a sparse row leaves them out */
    uint32_t not_zero_count;
    hs_names class_values; /* of a nominal class */
    /* The row under way. */
    uint32_t *positives;
    uint32_t *other_feature; /* values of numeric and nominal features: */
    double *other;           /* numbers and codes */
    uint32_t positive_count, other_count, label;
    uint32_t zero_count; /* zeros among `other` that need not be there */
    const char *id;
    size_t id_length;
} hs_arff_rows;

typedef struct hs_arff_text {
    char *text;
    size_t length;
    bool quoted;
} hs_arff_text;

HSEL_CHECKED int hs_arff_rows_init(hs_arff_rows *r, const hs_columns *columns, hsel_error *error);
void hs_arff_rows_clear(hs_arff_rows *r);
/* Takes the value of one attribute into the row. */
HSEL_CHECKED int hs_arff_take(hs_arff_rows *r, uint32_t column, const hs_arff_text *v,
                              hsel_error *error);
/* Takes what a sparse row leaves out and is not 0. */
HSEL_CHECKED int hs_arff_take_default(hs_arff_rows *r, uint32_t column, hsel_error *error);

static inline const char *hs_arff_name(const hs_arff_rows *r, uint32_t column)
{
    return hs_names_get(&r->header->names, column);
}

static inline void hs_arff_add_positive(hs_arff_rows *r, uint32_t column)
{
    r->positives[r->positive_count++] = r->feature_of[column];
}

static inline void hs_arff_add_other(hs_arff_rows *r, uint32_t column, double value)
{
    r->other_feature[r->other_count] = r->feature_of[column];
    r->other[r->other_count++] = value;
}

#endif

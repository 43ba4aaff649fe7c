/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which column of a table is the class, which the identifier, which is left out: the same rules for
 * ARFF, CSV and TSV. A column is named by its name, or by its number from 1 if no column has that
 * name.
 */
#ifndef HS_FORMAT_COLUMNS_H
#define HS_FORMAT_COLUMNS_H

#include "data/builder.h"
#include "format/format.h"

typedef enum hs_column_role {
    HS_COLUMN_FEATURE,
    HS_COLUMN_CLASS,
    HS_COLUMN_ID,
    HS_COLUMN_IGNORED
} hs_column_role;

typedef struct hs_columns { /* zero-initialise; hs_columns_clear frees */
    uint8_t *roles;         /* hs_column_role of each column */
    uint32_t count;
    uint32_t class_column, id_column; /* HSEL_NONE: there is none */
} hs_columns;

/* The column that `wanted` names; HSEL_EUSAGE when there is none. `names` must be indexed. */
HSEL_CHECKED int hs_column_find(const hs_names *names, const char *wanted, const char *file,
                                uint32_t *out, hsel_error *error);
/* Gives every column its role. `usual_id` (HSEL_NONE: none) is the identifier unless the options
 * say otherwise; the class is the last column that is neither left out nor the identifier. */
HSEL_CHECKED int hs_columns_assign(const hs_names *names, const hs_column_options *options,
                                   uint32_t usual_id, const char *file, hs_columns *out,
                                   hsel_error *error);
void hs_columns_clear(hs_columns *columns);
/* Tells the builder the names of the data set (NULL: none), its class and identifier columns, and
 * the positive class. */
HSEL_CHECKED int hs_columns_describe(const hs_columns *columns, const hs_names *names,
                                     const char *relation, const hs_column_options *options,
                                     hs_builder *builder, hsel_error *error);

/* The words that stand for negative and positive in two-valued columns. */
typedef enum hs_word_pair {
    HS_PAIR_0_1,
    HS_PAIR_NO_YES,
    HS_PAIR_FALSE_TRUE,
    HS_PAIR_N_Y,
    HS_PAIR_F_T
} hs_word_pair;

/* 0 or 1 if the text is the negative or positive word of a pair (in any case), else -1. */
int hs_binary_word(const char *text, size_t length, hs_word_pair *pair);

#endif

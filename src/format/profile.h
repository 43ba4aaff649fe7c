/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of abundances (also counts, sales): samples by features, with lineages that make a
 * hierarchy. Readers of formats fill hs_profile; build/profile_set.h makes a data set of it. One
 * lineage is one path from the root: "k__Bacteria|p__…", "a/b/c", a code of ICD-10.
 */
#pragma once

#include "data/data.h"

typedef enum hs_layout { HS_LAYOUT_AUTO, HS_LAYOUT_WIDE, HS_LAYOUT_LONG } hs_layout;
typedef enum hs_samples { HS_SAMPLES_AUTO, HS_SAMPLES_COLUMNS, HS_SAMPLES_ROWS } hs_samples;
typedef enum hs_inner { HS_INNER_AUTO, HS_INNER_TOTALS, HS_INNER_OWN } hs_inner;

typedef struct hs_profile_options {
    int layout;            /* hs_layout, of text */
    int samples;           /* hs_samples */
    hs_list ignore;        /* columns of text that are not samples or features */
    bool missing_zero;     /* a missing value is 0; else it is an error */
    bool sum_repeated;     /* rows of the same feature are added up; else they are an error */
    const char *separator; /* between the parts of a lineage; NULL: found; "none", "icd10" */
    int inner;             /* hs_inner: what the values of inner features are */
    bool whole_lineages;   /* features are named by the whole lineage */
} hs_profile_options;

extern const hs_option hs_profile_table[]; /* over hs_profile_options */

/* The content of a file: names of rows and columns, and values that are not 0. Whether rows or
 * columns are the samples is decided later, unless the format defines it. */
typedef struct hs_profile { /* zero-initialise; hs_profile_clear frees */
    char *source;
    hs_names rows, columns;
    hs_names lineages; /* of the rows: none, or one per row, "" if not known */
    hs_names keys;     /* of the metadata of rows without lineages */
    uint32_t *row, *column;
    double *value;
    size_t count, row_capacity, column_capacity, value_capacity;
    bool columns_are_samples; /* the format says so */
    bool is_long;             /* a row of the file is one value */
    hs_names skipped;         /* columns that are left out */
    uint64_t missing;         /* values taken as 0 */
    uint64_t repeated;        /* rows of a feature that came before, added up */
    hs_names repeated_rows;   /* examples of them */
    const char *bad;          /* what is wrong with … */
    uint64_t bad_count;       /* … so many values */
    unsigned long bad_line;   /* the line of the first one */
    uint32_t bad_row, bad_column;
} hs_profile;

void hs_profile_clear(hs_profile *profile);
/* A value at a row and a column. Negative, infinite and missing (NaN) values are counted and make
 * hs_profile_done fail, which names the first one. */
HSEL_CHECKED int hs_profile_add(hs_profile *profile, const hs_profile_options *options,
                                uint32_t row, uint32_t column, double value, unsigned long line,
                                hsel_error *error);
/* All values are there. */
HSEL_CHECKED int hs_profile_done(const hs_profile *profile, hsel_error *error);
/* Reads a table in the named format (NULL: found out). */
HSEL_CHECKED int hs_profile_load(const char *path, const char *format,
                                 const hs_profile_options *options, hs_profile *out,
                                 const hs_method **found, hsel_error *error);

/* Reads lineages by the names of features, the rows: a table of features and their lineages, or of
 * one column per rank. There are no values. */
HSEL_CHECKED int hs_taxonomy_load(const char *path, hs_profile *out, hsel_error *error);

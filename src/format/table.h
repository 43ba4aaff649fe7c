/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and writes tables: lines of fields, the roles of columns, the rows of data sets.
 *
 * All delimited text is read by this tokenizer. A table with a header line (CSV, TSV,
 * semicolon-separated):
 *
 *     HS_OWNS(hs_table_clear) hs_table table = {0};
 *     HS_TRY(hs_table_open(reader, 0, &table, error));
 *     while ((status = hs_table_next(&table, &fields, error)) > 0)
 *         use(fields[0].text, fields[0].length);
 *
 * Empty lines are skipped; a record with another number of fields than the header is an error. For
 * text without a header, or with another kind of header, set reader, delimiter and quoting, then
 * call hs_table_record, or hs_table_line and hs_table_split in turn.
 */
#pragma once

#include "format/format.h"

typedef enum hs_quoting {
    HS_QUOTED,       /* as in RFC 4180: "" inside quotes is one quote, a quoted field may hold line
                        ends; blanks around a field that is not quoted do not count */
    HS_QUOTED_WHOLE, /* the same, but between tabs a field is literal, including blanks, unless it
                        is quoted as a whole */
    HS_NOT_QUOTED    /* quotes are text; blanks around a field do not count */
} hs_quoting;

typedef struct hs_field {
    char *text; /* ends in NUL, without quotes and escapes; the caller may change it until the next
                   record */
    size_t length, start; /* start: where it begins in the record */
    bool quoted;
} hs_field;

typedef struct hs_table { /* zero-initialise; hs_table_clear frees */
    hs_reader *reader;    /* borrowed */
    hs_names header;      /* names of the columns, indexed for hs_names_find; they may repeat */
    unsigned long line;   /* on which the record last read begins */
    char delimiter;       /* ' ': any run of blanks and tabs */
    uint8_t quoting;      /* hs_quoting */
    char comment;         /* lines that begin with it are left out; 0: none are */
    bool held;            /* `fields` is a record that hs_table_next has not given yet */
    /* hs_table_record, while delimiter is 0: decided by the first line. */
    char (*find_delimiter)(const char *line, size_t length);
    char *text;        /* of the record last read, which fields lie in … */
    size_t length, at; /* … its length, and where the tokenizer is */
    hs_field *fields;
    size_t count, capacity;
} hs_table;

/* Reads the header. delimiter 0: found from the header line (a tab if there is one, else the more
 * frequent of comma and semicolon). The reader stays the caller's and must outlive the table. */
HSEL_CHECKED int hs_table_open(hs_reader *reader, char delimiter, hs_table *out, hsel_error *error);
/* 1: a record, header.count fields; 0: end; negative: error. */
HSEL_CHECKED int hs_table_next(hs_table *table, const hs_field **fields, hsel_error *error);
/* 1: `fields` is the next record, of any number of fields; 0 and negative as above. */
HSEL_CHECKED int hs_table_record(hs_table *table, hsel_error *error);
/* The next line that is not empty (HS_QUOTED) or blank: 1, 0, negative as above. */
HSEL_CHECKED int hs_table_line(hs_table *table, hsel_error *error);
/* Splits it into `fields`. */
HSEL_CHECKED int hs_table_split(hs_table *table, hsel_error *error);
/* Whether it is quoted as a whole, with every quote inside doubled. */
bool hs_quoted_whole(const char *text, size_t length);
/* HSEL_EFORMAT at the record last read. */
int hs_table_fail(const hs_table *table, hsel_error *error, const char *format, ...)
    HS_PRINTF(3, 4);
void hs_table_clear(hs_table *table);

/* ---- columns ---- Roles of columns (class, identifier, left out), by the same rules for ARFF, CSV
 * and TSV. A column is named by its name, or by its number from 1 if no column has that name. */

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
/* Sets in the builder the name of the data set (NULL: none), its class and identifier columns, and
 * the positive class. */
HSEL_CHECKED int hs_columns_describe(const hs_columns *columns, const hs_names *names,
                                     const char *relation, const hs_column_options *options,
                                     hs_builder *builder, hsel_error *error);

/* The words for negative and positive in two-valued columns. */
typedef enum hs_word_pair {
    HS_PAIR_0_1,
    HS_PAIR_NO_YES,
    HS_PAIR_FALSE_TRUE,
    HS_PAIR_N_Y,
    HS_PAIR_F_T
} hs_word_pair;

/* 0 or 1 if the text is the negative or positive word of a pair (in any case), else -1. */
int hs_binary_word(const char *text, size_t length, hs_word_pair *pair);

/* Whether it is empty, "?", NA, N/A, #N/A, NaN or NULL. */
bool hs_is_missing(const char *text, size_t length);

/* ---- writing ----
 * A data set as the rows of a table (ARFF, CSV, TSV): identifier first, then the features, the
 * class last. */

typedef struct hs_table_writer { /* hs_table_writer_clear frees */
    const hsel_dataset *data;    /* the first six are the caller's */
    hs_writer *writer;
    void (*put)(hs_writer *writer, const char *text, size_t length); /* text, quoted if need be */
    const char *missing; /* how a missing value is written … */
    const char *never; /* … and, among numeric features, one of a binary feature that is positive
                          nowhere; NULL: 0 */
    char delimiter;
    hs_arena arena;             /* of what follows */
    char *class_name, *id_name; /* names that no feature has; NULL: no such column */
    uint32_t *others;           /* the features that are not binary, ascending */
    uint32_t other_count;
    uint32_t *next; /* of each sparse numeric column: its first entry that was not passed yet */
    bool *among;    /* binary features whose values are written as `never`; NULL: none */
    char *zeros;    /* "0,0,…,0,": if all features are binary, only the positives need touching */
} hs_table_writer;

/* A cell of CSV or TSV, quoted if a reader could misinterpret it. */
void hs_table_put_text(hs_writer *writer, const char *text, size_t length);
HSEL_CHECKED int hs_table_writer_init(hs_table_writer *table, hsel_error *error);
void hs_table_writer_clear(hs_table_writer *table);
/* A whole row with its line end. Instances must be given in ascending order here and below. */
void hs_table_put_row(hs_table_writer *table, uint32_t instance);
/* The value of a numeric or nominal feature; the class of an instance. */
void hs_table_put_other(hs_table_writer *table, uint32_t feature, uint32_t instance);
void hs_table_put_label(hs_table_writer *table, uint32_t instance);
double hs_table_number(hs_table_writer *table, uint32_t feature, uint32_t instance);

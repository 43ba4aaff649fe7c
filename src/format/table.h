/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables, read and written.
 *
 * Reading: a delimited table with a header line: CSV, TSV, semicolon-separated. Quoting as in RFC
 * 4180 ("" inside quotes is one quote, a quoted field may hold line ends); blanks around a field
 * that is not quoted do not count; empty lines are skipped. Every record has as many fields as the
 * header, or reading fails there.
 *
 *     hs_table table = {0};
 *     status = hs_table_open(reader, 0, &table, error);
 *     while (status >= 0 && (status = hs_table_next(&table, &fields, error)) > 0)
 *         use(fields[0].text, fields[0].length);
 *     hs_table_clear(&table);
 */
#ifndef HS_FORMAT_TABLE_H
#define HS_FORMAT_TABLE_H

#include "core/reader.h"
#include "core/writer.h"
#include "data/dataset.h"

typedef struct hs_field {
    char *text; /* ends in NUL, quotes and escapes undone; yours to change until the next record */
    size_t length;
    bool quoted;
} hs_field;

typedef struct hs_table { /* zero-initialise; hs_table_clear frees */
    hs_reader *reader;    /* borrowed */
    hs_names header;      /* names of the columns, indexed for hs_names_find; they may repeat */
    unsigned long line;   /* on which the record last read begins */
    char delimiter;
    hs_field *fields; /* of the record last read */
    const char *end;  /* of its text, in which the fields lie */
    size_t *starts;   /* where they begin in the line, which may move while it is read */
    size_t field_capacity, start_capacity, count;
} hs_table;

/* Reads the header. delimiter 0: found from the header line (a tab if there is one, else the more
 * frequent of comma and semicolon). The reader stays the caller's and must outlive the table. */
HSEL_CHECKED int hs_table_open(hs_reader *reader, char delimiter, hs_table *out, hsel_error *error);
/* 1: a record, header.count fields; 0: end; negative: error. */
HSEL_CHECKED int hs_table_next(hs_table *table, const hs_field **fields, hsel_error *error);
/* HSEL_EFORMAT at the record last read. */
int hs_table_fail(const hs_table *table, hsel_error *error, const char *format, ...)
    HS_PRINTF(3, 4);
void hs_table_clear(hs_table *table);

/* Writing: a data set as the rows of a table (ARFF, CSV, TSV): identifier first, then the features,
 * the class last. */
typedef struct hs_table_writer { /* hs_table_writer_clear frees */
    const hsel_dataset *data;    /* the first five are the caller's */
    hs_writer *writer;
    void (*put)(hs_writer *writer, const char *text, size_t length); /* text, quoted if need be */
    const char *missing; /* how a missing value is written */
    char delimiter;
    char *class_name, *id_name; /* names that no feature has; NULL: no such column */
    uint32_t *others;           /* the features that are not binary, ascending */
    uint32_t other_count;
    uint32_t *next; /* of each sparse numeric column: its first entry that was not passed yet */
    char *zeros;    /* "0,0,…,0,": if all features are binary, only the positives need touching */
} hs_table_writer;

HSEL_CHECKED int hs_table_writer_init(hs_table_writer *table, hsel_error *error);
void hs_table_writer_clear(hs_table_writer *table);
/* A whole row with its line end. The instances asked for here and below must not descend. */
void hs_table_put_row(hs_table_writer *table, uint32_t instance);
/* The value of a numeric or nominal feature; the class of an instance. */
void hs_table_put_other(hs_table_writer *table, uint32_t feature, uint32_t instance);
void hs_table_put_label(hs_table_writer *table, uint32_t instance);
double hs_table_number(hs_table_writer *table, uint32_t feature, uint32_t instance);

#endif

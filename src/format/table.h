/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A delimited table with a header line: CSV, TSV, semicolon-separated. Quoting as in RFC 4180 (""
 * inside quotes is one quote, a quoted field may hold line ends); blanks around a field that is not
 * quoted do not count; empty lines are skipped. Every record has as many fields as the header, or
 * reading fails there.
 *
 *     hs_table table = {0};
 *     status = hs_table_open(reader, 0, &table, error);
 *     while (status >= 0 && (status = hs_table_next(&table, &fields, error)) > 0)
 *         use(fields[0].text, fields[0].length);
 *     hs_table_clear(&table);
 */
#ifndef HS_FORMAT_TABLE_H
#define HS_FORMAT_TABLE_H

#include "core/names.h"
#include "core/reader.h"

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

#endif

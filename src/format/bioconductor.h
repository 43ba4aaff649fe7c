/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the SQLite databases inside Bioconductor's annotation packages: opening one so that it
 * cannot be changed, and stepping through a query. Shared by godb.c and orgdb.c only.
 */
#ifndef HS_FORMAT_BIOCONDUCTOR_H
#define HS_FORMAT_BIOCONDUCTOR_H

#include <sqlite3.h>

#include "core/reader.h"

typedef struct hs_sqlite { /* zero-initialise; hs_sqlite_close frees */
    sqlite3 *db;
    sqlite3_stmt *query;
    const char *name;   /* of the file, for messages */
    uint64_t rows_left; /* a row takes some bytes of the file: more rows than that are a forgery */
} hs_sqlite;

HSEL_CHECKED int hs_sqlite_open(const hs_reader *reader, hs_sqlite *out, hsel_error *error);
void hs_sqlite_close(hs_sqlite *source);
/* Is there a table of this name? (Views do not count: their SQL would be run.) 1, 0, negative. */
HSEL_CHECKED int hs_sqlite_has_table(hs_sqlite *source, const char *table, hsel_error *error);
/* HSEL_EFORMAT with `kind` ("a GO.db database") when there is none. */
HSEL_CHECKED int hs_sqlite_need_table(hs_sqlite *source, const char *table, const char *kind,
                                      hsel_error *error);
/* Starts a query; the one before ends. */
HSEL_CHECKED int hs_sqlite_query(hs_sqlite *source, const char *sql, hsel_error *error);
/* 1: a row, 0: the end, negative: error. */
HSEL_CHECKED int hs_sqlite_step(hs_sqlite *source, hsel_error *error);
/* Text of a column of the row, borrowed until the next step. NULL in the database gives "" of
 * length 0. Text with control characters is refused: it cannot be a name. */
HSEL_CHECKED int hs_sqlite_text(hs_sqlite *source, int column, const char **text, size_t *length,
                                hsel_error *error);
/* How sure the content is SQLite; which tables it has is seen when it is opened. */
int hs_sqlite_sniff(const char *head, size_t length);

#endif

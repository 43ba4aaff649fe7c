/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the store share, and nobody else.
 */
#ifndef HS_STUDY_STORE_PARTS_H
#define HS_STUDY_STORE_PARTS_H

#include <sqlite3.h>

#include "study/store.h"

struct hs_store {
    sqlite3 *db;
    char *path;
    int lock; /* descriptor that holds the writer's lock; -1: none */
    hs_store_mode mode;
};

/* HSEL_EIO (HSEL_ENOMEM) with SQLite's own words about the last failure. */
int hs_store_fail(hs_store *store, hsel_error *error);
HSEL_CHECKED int hs_store_run(hs_store *store, const char *sql, hsel_error *error);
/* A statement with its arguments bound, by the letters of `types`: i int64_t, t const char *, b const void * and size_t,
 * d double, n (nothing: NULL). Text and blobs must live until the statement is finalised. */
HSEL_CHECKED int hs_store_prepare(hs_store *store, sqlite3_stmt **out, hsel_error *error, const char *sql,
                                  const char *types, ...);
/* Runs a statement that gives no rows, and finalises it. */
HSEL_CHECKED int hs_store_finish(hs_store *store, sqlite3_stmt *statement, hsel_error *error);
/* Next row: 1, 0 at the end, negative. */
HSEL_CHECKED int hs_store_step(hs_store *store, sqlite3_stmt *statement, hsel_error *error);
HSEL_CHECKED int hs_store_begin(hs_store *store, hsel_error *error);
/* Commits when status is HSEL_OK, else rolls back; returns the status, or that of a failed commit. */
HSEL_CHECKED int hs_store_end(hs_store *store, int status, hsel_error *error);

/* Counts packed for keeping (zlib), and back. *bytes is yours. */
HSEL_CHECKED int hs_pack_counts(const uint32_t *counts, size_t count, void **bytes, size_t *length, hsel_error *error);
HSEL_CHECKED int hs_unpack_counts(const void *bytes, size_t length, uint32_t *counts, size_t count, hsel_error *error);

#endif

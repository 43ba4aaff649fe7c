/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Internal header of the store.
 */
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "study/store.h"

#define HS_RECORD_ROOM 256

/* A prepared statement, kept for reuse and found by the address of its text, a constant. */
typedef struct hs_kept {
    const char *sql;
    sqlite3_stmt *statement;
} hs_kept;

struct hs_store {
    sqlite3 *db;
    char *path, *lock_path;
    char *uri;                   /* under which SQLite opened the file */
    int lock;                    /* descriptor that holds the writer's lock; -1: none */
    char record[HS_RECORD_ROOM]; /* content of the lock */
    bool remote;      /* other machines may write to the store, or processes share no memory */
    bool lockless;    /* … and SQLite has no locks there */
    bool alone;       /* SQLite locks the store as a whole, and has no log */
    pthread_t beater; /* refreshes the lock, if `beating` */
    bool beating;
    pthread_mutex_t beat_lock; /* guards the members below */
    pthread_cond_t beat_wake;
    double beat_at;
    bool beat_stop, lost; /* `lost`: another process has the store */
    hs_store_mode mode;
    int64_t study, run;         /* the current study and its last run; 0: none */
    char *version;              /* of hsel in that run; NULL: ours */
    int64_t time;               /* of the newest result that was read */
    bool is_new;                /* opening made the file */
    bool unmade;                /* opening made the file and failed: closing removes it */
    uint64_t steps, step_limit; /* of SQLite's virtual machine in a statement; limit 0: none */
    hs_names removed;           /* what was damaged, a line each */
    bool in_group;              /* a transaction is open … */
    double group_began;         /* … since this time */
    double group_seconds;       /* and may stay open so long */
    double checkpointed;        /* when the log was last copied into the store */
    hs_kept *kept;
    size_t kept_count, kept_capacity;
};

/* ---- store.c ---- */

/* A statement that stores a row with its checksum; `values` are ?1, ?2 and so on. */
#define HS_STORE_PUT(table, values)                                                                \
    "INSERT OR REPLACE INTO " table " VALUES(" values ", checksum(" values "))"
/* The id of a new row, chosen here because the checksum covers it. */
#define HS_STORE_NEXT(table) "SELECT ifnull(max(id), 0) + 1 FROM " table

int hs_store_damaged(const hs_store *store, const char *what, hsel_error *error);
HSEL_CHECKED int hs_store_run(hs_store *store, const char *sql, hsel_error *error);
/* Runs a statement up to its first row; *row is NULL if there is none. `row` may be NULL. Letters
 * of `types` give the arguments: i int64_t, t const char *, b const void * and size_t, d double; a
 * NULL text or blob becomes NULL. Arguments must live as long as the row. `sql` must be a constant:
 * the statement is kept under its address. */
HSEL_CHECKED int hs_store_query(hs_store *store, sqlite3_stmt **row, hsel_error *error,
                                const char *sql, const char *types, ...);
/* Moves to the next row; *row is NULL after the last one. */
HSEL_CHECKED int hs_store_next(hs_store *store, sqlite3_stmt **row, hsel_error *error);
void hs_store_release(sqlite3_stmt **row); /* for HS_OWNS */
/* The first column of the first row as a number; *out stays as it is when there is no row. */
HSEL_CHECKED int hs_store_number(hs_store *store, int64_t *out, hsel_error *error, const char *sql,
                                 const char *types, ...);
/* About the store and the error that are in scope, passing failures on: the first number of a
 * query; a query up to its first row. HS_PUT puts a row with its checksum. */
#define HS_NUMBER(out, ...) HS_TRY(hs_store_number(store, out, error, __VA_ARGS__))
#define HS_QUERY(row, ...)  HS_TRY(hs_store_query(store, row, error, __VA_ARGS__))
#define HS_PUT(table, values, ...)                                                                 \
    hs_store_query(store, NULL, error, HS_STORE_PUT(table, values), __VA_ARGS__)
/* Enclose changes in a transaction, their own or one with others (hs_store_group). hs_store_end
 * takes the status so far and rolls back if it is a failure, which it then returns. */
HSEL_CHECKED int hs_store_begin(hs_store *store, hsel_error *error);
HSEL_CHECKED int hs_store_end(hs_store *store, int status, hsel_error *error);

/* The row of the text of a method or scheme; -1: there is none, and `add` is false. */
HSEL_CHECKED int hs_store_text(hs_store *store, const char *text, bool add, int64_t *id,
                               hsel_error *error);

/* ---- store_data.c ---- */

/* What a data set says of its instances, as columns of a query and read from such a row; lists lie
 * in the arena. */
#define HS_STORE_CONTENT                                                                           \
    "d.instances, d.features, d.classes, d.positive_class, d.class_of, d.numbers"
HSEL_CHECKED int hs_store_content(hs_store *store, sqlite3_stmt *row, hs_arena *arena,
                                  hs_stored_dataset *out, hsel_error *error);
/* The name in fold_file of a fold file, or of folds that depend on groups, times or a test set. */
#define HS_FOLDS_NAME_ROOM 64
const char *hs_store_folds_name(const char *scheme, uint32_t folds, char out[HS_FOLDS_NAME_ROOM]);

/* ---- store_check.c ---- */

/* The tables, in the order of check.sql. */
typedef struct hs_store_part {
    const char *table, *key;
} hs_store_part;

extern const hs_store_part hs_store_parts[];
extern const size_t hs_store_part_count;

/* Defines the SQL function `checksum`; returns a code of SQLite. */
int hs_store_functions(sqlite3 *db);
/* Removes damaged rows, and lists them in `removed`. */
HSEL_CHECKED int hs_store_remove_damage(hs_store *store, hsel_error *error);

/* ---- store_lock.c ---- */

/* Locks the store for writing: HSEL_EIO names another writer. */
HSEL_CHECKED int hs_store_lock(hs_store *store, unsigned patience, hsel_error *error);
void hs_store_unlock(hs_store *store);
/* HSEL_EIO if another process has taken over the store. */
HSEL_CHECKED int hs_store_held(hs_store *store, hsel_error *error);

/* ---- store_pack.c ---- */

/* Packs whole numbers: seven bits per byte, low bits first, the eighth bit set if more bytes
 * follow. A 0 is followed by the number of further zeros. */
void hs_pack_numbers(const uint32_t *numbers, size_t count, hs_buf *out);
/* Packs bit sets, each as lengths of runs of equal bits, beginning with bits that are not set. */
void hs_pack_bits(const uint64_t *bits, size_t sets, size_t count, hs_buf *out);
/* False unless `bytes` hold exactly these sets. All bits must be 0 before. */
bool hs_unpack_bits(const void *bytes, size_t length, uint64_t *bits, size_t sets, size_t count);
/* False unless `bytes` hold exactly `count` numbers, none above `limit`. */
bool hs_unpack_numbers(const void *bytes, size_t length, uint32_t limit, uint32_t *numbers,
                       size_t count);
/* The same of a column of a row. */
static inline bool hs_unpack_column(sqlite3_stmt *row, int column, uint32_t limit,
                                    uint32_t *numbers, size_t count)
{
    return hs_unpack_numbers(sqlite3_column_blob(row, column),
                             (size_t)sqlite3_column_bytes(row, column), limit, numbers, count);
}

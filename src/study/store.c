/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening, closing, locking and migrating the store.
 */
#include "study/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/text.h"
#include "study/store_parts.h"

/* The schema, step by step: a store of version v is brought up by running the steps from v on. A step never changes once it
 * was released. */
static const char *const steps[HS_STORE_SCHEMA] = {
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE dataset(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    "  instances INTEGER, features INTEGER, classes INTEGER, positive_class INTEGER,"
    "  class_names BLOB, feature_names BLOB, class_of BLOB);"
    "CREATE TABLE job(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id), selector TEXT NOT NULL,"
    "  classifier TEXT NOT NULL, scheme TEXT NOT NULL, folds INTEGER NOT NULL, seed INTEGER NOT NULL,"
    "  fold INTEGER NOT NULL, ok INTEGER NOT NULL, message TEXT, seconds REAL, probability BLOB,"
    "  UNIQUE(dataset, selector, classifier, scheme, folds, seed, fold));"
    "CREATE TABLE selection(dataset INTEGER NOT NULL REFERENCES dataset(id), selector TEXT NOT NULL,"
    "  scheme TEXT NOT NULL, folds INTEGER NOT NULL, seed INTEGER NOT NULL, fold INTEGER NOT NULL,"
    "  instances BLOB, selected BLOB, frequency BLOB, seconds REAL,"
    "  PRIMARY KEY(dataset, selector, scheme, folds, seed, fold)) WITHOUT ROWID;"
    "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE(name, text));",
};

#define APPLICATION_ID 0x4853454c /* "HSEL": tells a store from any other database */

/* ---- talking to SQLite ---- */

int hs_store_fail(hs_store *store, hsel_error *error)
{
    int code = sqlite3_errcode(store->db);
    if (code == SQLITE_NOMEM)
        return hs_fail_memory(error);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "this is not a store of results, or it is damaged (%s)",
                          sqlite3_errmsg(store->db));
    return hs_fail_at(error, HSEL_EIO, store->path, 0, "the store cannot be used: %s", sqlite3_errmsg(store->db));
}

int hs_store_run(hs_store *store, const char *sql, hsel_error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HSEL_OK : hs_store_fail(store, error);
}

static int bind_all(sqlite3_stmt *statement, const char *types, va_list arguments)
{
    int code = SQLITE_OK;
    for (int i = 0; types[i] && code == SQLITE_OK; i++) {
        const void *bytes;
        switch (types[i]) {
        case 'i':
            code = sqlite3_bind_int64(statement, i + 1, va_arg(arguments, int64_t));
            break;
        case 'd':
            code = sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
            break;
        case 't':
            code = sqlite3_bind_text(statement, i + 1, va_arg(arguments, const char *), -1, SQLITE_STATIC);
            break;
        case 'b':
            bytes = va_arg(arguments, const void *);
            code = sqlite3_bind_blob64(statement, i + 1, bytes, va_arg(arguments, size_t), SQLITE_STATIC);
            break;
        default:
            code = sqlite3_bind_null(statement, i + 1);
        }
    }
    return code;
}

int hs_store_prepare(hs_store *store, sqlite3_stmt **out, hsel_error *error, const char *sql, const char *types, ...)
{
    va_list arguments;
    int code = sqlite3_prepare_v2(store->db, sql, -1, out, NULL);
    va_start(arguments, types);
    if (code == SQLITE_OK)
        code = bind_all(*out, types, arguments);
    va_end(arguments);
    if (code == SQLITE_OK)
        return HSEL_OK;
    int status = hs_store_fail(store, error);
    sqlite3_finalize(*out);
    *out = NULL;
    return status;
}

int hs_store_step(hs_store *store, sqlite3_stmt *statement, hsel_error *error)
{
    int code = sqlite3_step(statement);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : hs_store_fail(store, error);
}

int hs_store_finish(hs_store *store, sqlite3_stmt *statement, hsel_error *error)
{
    int got = hs_store_step(store, statement, error);
    sqlite3_finalize(statement);
    return got < 0 ? got : HSEL_OK;
}

int hs_store_begin(hs_store *store, hsel_error *error) { return hs_store_run(store, "BEGIN IMMEDIATE", error); }

int hs_store_end(hs_store *store, int status, hsel_error *error)
{
    if (status == HSEL_OK)
        status = hs_store_run(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL); /* the first failure is the one to tell */
    return status;
}

/* ---- opening ---- */

static int number_of(hs_store *store, const char *pragma, int64_t *out, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status = hs_store_prepare(store, &statement, error, pragma, "");
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *out = got > 0 ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return got < 0 ? got : HSEL_OK;
}

static int migrate(hs_store *store, int64_t version, hsel_error *error)
{
    hs_buf sql = {0};
    int status = hs_store_begin(store, error);
    if (status)
        return status;
    for (int64_t v = version; v < HS_STORE_SCHEMA && status == HSEL_OK; v++)
        status = hs_store_run(store, steps[v], error);
    hs_buf_printf(&sql, "PRAGMA user_version = %d; PRAGMA application_id = %d", HS_STORE_SCHEMA, APPLICATION_ID);
    if (status == HSEL_OK)
        status = sql.failed ? hs_fail_memory(error) : hs_store_run(store, sql.text, error);
    hs_buf_clear(&sql);
    return hs_store_end(store, status, error);
}

static int check_schema(hs_store *store, hsel_error *error)
{
    int64_t version = 0, application = 0, tables = 0;
    int status = number_of(store, "PRAGMA user_version", &version, error);
    if (status == HSEL_OK)
        status = number_of(store, "PRAGMA application_id", &application, error);
    if (status == HSEL_OK)
        status = number_of(store, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status)
        return status;
    if (tables > 0 && application != APPLICATION_ID)
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "this is a database, but not a store of results");
    if (version > HS_STORE_SCHEMA)
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                          "the store is of a newer hsel (schema %lld, this one knows up to %d)", (long long)version,
                          HS_STORE_SCHEMA);
    if (version == HS_STORE_SCHEMA)
        return HSEL_OK;
    if (store->mode == HS_STORE_READ)
        return tables == 0 ? hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "the store is empty")
                           : hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                                        "the store is of an older hsel: hsel run brings it up to date");
    return migrate(store, version, error);
}

/* The lock is on the file itself (flock), so that it goes when the process goes; SQLite's own locks are of another kind. */
static int take_lock(hs_store *store, bool wait, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char who[32] = "another process";
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return hs_fail_errno(error, store->path, "open");
    if (flock(store->lock, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
        return HSEL_OK;
    if (errno != EWOULDBLOCK)
        return hs_fail_errno(error, store->path, "lock");
    if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        hs_store_prepare(store, &statement, NULL, "SELECT value FROM meta WHERE key = 'writer'", "") == HSEL_OK &&
        hs_store_step(store, statement, NULL) > 0)
        snprintf(who, sizeof who, "process %s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return hs_fail_at(error, HSEL_EIO, store->path, 0, "%s is writing to this store; wait for it with --wait, or stop it",
                      who);
}

static int set_up_writer(hs_store *store, hsel_error *error)
{
    hs_buf sql = {0};
    int status = hs_store_run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", error);
    if (status == HSEL_OK)
        status = check_schema(store, error);
    hs_buf_printf(&sql, "INSERT OR REPLACE INTO meta VALUES('writer', '%ld')", (long)getpid());
    if (status == HSEL_OK)
        status = sql.failed ? hs_fail_memory(error) : hs_store_run(store, sql.text, error);
    hs_buf_clear(&sql);
    return status;
}

int hs_store_open(const char *path, hs_store_mode mode, bool wait, hs_store **out, hsel_error *error)
{
    struct stat about;
    hs_store *store = HS_NEW_ZERO(hs_store, 1);
    if (!store)
        return hs_fail_memory(error);
    store->lock = -1;
    store->mode = mode;
    int status = (store->path = hs_strdup(path)) ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        status = hs_fail_at(error, HSEL_EIO, path, 0, "is a folder, not a store");
    if (status == HSEL_OK && mode == HS_STORE_READ && stat(path, &about) != 0)
        status = hs_fail_errno(error, path, "open");
    if (status == HSEL_OK && mode == HS_STORE_WRITE)
        status = take_lock(store, wait, error);
    int flags = mode == HS_STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (status == HSEL_OK && sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        status = hs_store_fail(store, error);
    if (status == HSEL_OK) {
        sqlite3_busy_timeout(store->db, 10000);
        status = mode == HS_STORE_WRITE ? set_up_writer(store, error) : check_schema(store, error);
    }
    if (status)
        hs_store_close(store);
    else
        *out = store;
    return status;
}

void hs_store_close(hs_store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock); /* after SQLite: closing any descriptor of the file drops SQLite's locks */
    hs_free(store->path);
    hs_free(store);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Talking to SQLite: statements that are prepared once and kept, transactions, and SQLite's
 * failures as plain lines.
 */
#include <stdarg.h>
#include <string.h>

#include "core/mem.h"
#include "study/store_parts.h"

/* ---- failures ---- */

int hs_store_damaged(const hs_store *store, const char *what, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "the store is damaged: %s", what);
}

/* A full disk shows as several codes, depending on what was to be written. */
static bool cannot_write(int extended)
{
    return (extended & 0xff) == SQLITE_FULL || extended == SQLITE_IOERR_WRITE ||
           extended == SQLITE_IOERR_FSYNC || extended == SQLITE_IOERR_SHMSIZE ||
           extended == SQLITE_IOERR_SHMOPEN;
}

static int fail_system(hs_store *store, hsel_error *error)
{
    if (cannot_write(sqlite3_extended_errcode(store->db)))
        return hs_fail_at(error, HSEL_EIO, store->path, 0,
                          "the store cannot be written: is the disk full? What is finished is "
                          "kept; make room and run "
                          "again");
    return hs_fail_at(error, HSEL_EIO, store->path, 0, "the store cannot be used: %s",
                      sqlite3_errmsg(store->db));
}

int hs_store_fail(hs_store *store, hsel_error *error)
{
    switch (sqlite3_errcode(store->db) & 0xff) {
    case SQLITE_NOMEM:
        return hs_fail_memory(error);
    case SQLITE_NOTADB:
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "this is not a store of results");
    case SQLITE_CORRUPT:
        return hs_store_damaged(store, sqlite3_errmsg(store->db), error);
    case SQLITE_INTERRUPT:
        return hs_store_damaged(store, "reading it takes too many steps", error);
    case SQLITE_BUSY:
        return hs_fail_at(error, HSEL_EIO, store->path, 0,
                          "the store is kept locked by another process");
    case SQLITE_READONLY:
        return hs_fail_at(error, HSEL_EIO, store->path, 0,
                          "the store cannot be written: it is read-only");
    default:
        return fail_system(store, error);
    }
}

/* ---- statements ---- */

int hs_store_run(hs_store *store, const char *sql, hsel_error *error)
{
    store->steps = 0;
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? HSEL_OK
               : hs_store_fail(store, error);
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
            code = sqlite3_bind_text(statement, i + 1, va_arg(arguments, const char *), -1,
                                     SQLITE_STATIC);
            break;
        default:
            bytes = va_arg(arguments, const void *);
            code = sqlite3_bind_blob64(statement, i + 1, bytes, va_arg(arguments, size_t),
                                       SQLITE_STATIC);
        }
    }
    return code;
}

static int find_or_prepare(hs_store *store, const char *sql, sqlite3_stmt **out, hsel_error *error)
{
    for (size_t i = 0; i < store->kept_count; i++)
        if (store->kept[i].sql == sql) {
            *out = store->kept[i].statement;
            return HSEL_OK;
        }
    if (!HS_GROW(&store->kept, &store->kept_capacity, store->kept_count + 1))
        return hs_fail_memory(error);
    if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return hs_store_fail(store, error);
    store->kept[store->kept_count++] = (hs_kept){sql, *out};
    return HSEL_OK;
}

int hs_store_prepare(hs_store *store, sqlite3_stmt **out, hsel_error *error, const char *sql,
                     const char *types, ...)
{
    va_list arguments;
    *out = NULL;
    store->steps = 0;
    int code, status = find_or_prepare(store, sql, out, error);
    if (status)
        return status;
    va_start(arguments, types);
    code = bind_all(*out, types, arguments);
    va_end(arguments);
    if (code == SQLITE_OK)
        return HSEL_OK;
    status = hs_store_fail(store, error);
    hs_store_release(*out);
    *out = NULL;
    return status;
}

int hs_store_step(hs_store *store, sqlite3_stmt *statement, hsel_error *error)
{
    int code = sqlite3_step(statement);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : hs_store_fail(store, error);
}

void hs_store_release(sqlite3_stmt *statement)
{
    if (!statement)
        return;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement); /* what was bound may be freed now */
}

int hs_store_finish(hs_store *store, sqlite3_stmt *statement, hsel_error *error)
{
    int got = hs_store_step(store, statement, error);
    hs_store_release(statement);
    return got < 0 ? got : HSEL_OK;
}

int hs_store_number(hs_store *store, const char *sql, int64_t fallback, int64_t *out,
                    hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status = hs_store_prepare(store, &statement, error, sql, "");
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *out = got > 0 ? sqlite3_column_int64(statement, 0) : fallback;
    hs_store_release(statement);
    return got < 0 ? got : HSEL_OK;
}

/* ---- texts ---- */

void hs_store_forget_texts(hs_store *store) { hs_names_clear(&store->texts); }

static int find_text(hs_store *store, const char *text, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status =
        hs_store_prepare(store, &statement, error, "SELECT id FROM text WHERE text = ?", "t", text);
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *id = got > 0 ? sqlite3_column_int64(statement, 0) : -1;
    hs_store_release(statement);
    return got < 0 ? got : HSEL_OK;
}

static int remember_text(hs_store *store, const char *text, int64_t id, hsel_error *error)
{
    uint32_t place;
    if (!HS_GROW(&store->text_ids, &store->text_capacity, (size_t)store->texts.count + 1))
        return hs_fail_memory(error);
    int status = hs_names_intern(&store->texts, text, strlen(text), &place, NULL, error);
    if (status == HSEL_OK)
        store->text_ids[place] = id;
    return status;
}

int hs_store_text(hs_store *store, const char *text, bool add, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    uint32_t place =
        store->texts.count ? hs_names_find(&store->texts, text, strlen(text)) : HSEL_NONE;
    if (place != HSEL_NONE) {
        *id = store->text_ids[place];
        return HSEL_OK;
    }
    int status = find_text(store, text, id, error);
    if (status || (*id < 0 && !add))
        return status;
    if (*id < 0) {
        status = hs_store_number(store, HS_STORE_NEXT("text"), 1, id, error);
        if (status == HSEL_OK)
            status =
                hs_store_prepare(store, &statement, error,
                                 HS_STORE_PUT("text", HS_TEXT_COLUMNS, "?1,?2"), "it", *id, text);
        if (status == HSEL_OK)
            status = hs_store_finish(store, statement, error);
    }
    return status ? status : remember_text(store, text, *id, error);
}

/* ---- transactions ---- */

int hs_store_begin(hs_store *store, hsel_error *error)
{
    return hs_store_run(store, "BEGIN IMMEDIATE", error);
}

int hs_store_end(hs_store *store, int status, hsel_error *error)
{
    if (status == HSEL_OK)
        status = hs_store_run(store, "COMMIT", error);
    if (status && !sqlite3_get_autocommit(store->db)) /* some failures have rolled back already */
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    if (status)
        hs_store_forget_texts(store); /* some may be gone again */
    return status;                    /* the first failure is the one to tell */
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SQLite for the reader of databases. It is loaded when a database is opened for the first time, as
 * raptor is for RDF, so that libhsel does not need it for anything else. For one file: every one
 * that includes this would load its own. A static one is linked.
 */
#ifndef HS_FORMAT_SQLITE_LOADED_H
#define HS_FORMAT_SQLITE_LOADED_H

#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#include "core/error.h"

#ifndef HS_SQLITE_LIBRARY
static int need_sqlite(const char *file, hsel_error *error)
{
    (void)file, (void)error;
    return HSEL_OK;
}
#else
/* The functions in use, without their prefix sqlite3_. */
/* clang-format off */
#define SQLITE_FUNCTIONS(X)                                                                        \
    X(bind_text) X(close) X(column_bytes) X(column_int64) X(column_name) X(column_text)            \
    X(column_type) X(db_config) X(errmsg) X(exec) X(finalize) X(open_v2) X(prepare_v2) X(step)
/* clang-format on */

static struct {
    bool complete;
#define X(name) __typeof__(sqlite3_##name) *name;
    SQLITE_FUNCTIONS(X)
#undef X
} sqlite;

static void load_sqlite(void)
{
    void *library = dlopen(HS_SQLITE_LIBRARY, RTLD_NOW | RTLD_LOCAL), *found;
    sqlite.complete = library != NULL;
    /* POSIX gives functions as data pointers; copying the bytes is the way C allows. */
#define X(name)                                                                                    \
    found = library ? dlsym(library, "sqlite3_" #name) : NULL;                                     \
    sqlite.complete = sqlite.complete && found;                                                    \
    memcpy(&sqlite.name, &found, sizeof found);
    SQLITE_FUNCTIONS(X)
#undef X
}

static int need_sqlite(const char *file, hsel_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_sqlite);
    if (sqlite.complete)
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EUNSUPPORTED, file, 0,
                      "reading SQLite databases needs the library %s (Debian: libsqlite3-0)",
                      HS_SQLITE_LIBRARY);
}

#define sqlite3_bind_text    sqlite.bind_text
#define sqlite3_close        sqlite.close
#define sqlite3_column_bytes sqlite.column_bytes
#define sqlite3_column_int64 sqlite.column_int64
#define sqlite3_column_name  sqlite.column_name
#define sqlite3_column_text  sqlite.column_text
#define sqlite3_column_type  sqlite.column_type
#define sqlite3_db_config    sqlite.db_config
#define sqlite3_errmsg       sqlite.errmsg
#define sqlite3_exec         sqlite.exec
#define sqlite3_finalize     sqlite.finalize
#define sqlite3_open_v2      sqlite.open_v2
#define sqlite3_prepare_v2   sqlite.prepare_v2
#define sqlite3_step         sqlite.step
#endif

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening and closing the store; talking to SQLite: statements
 * that are prepared once and kept, transactions, failures as plain lines. A file that is not a
 * store is left as it was.
 */
#include "study/store.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store_parts.h"

extern const char hs_study_schema[]; /* schema.sql */

/* Distinguishes a store from other databases, and tells its byte order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define APPLICATION_ID 0x4853454c /* "HSEL" */
#define FOREIGN_ID     0x4c455348 /* "LESH" */
#else
#define APPLICATION_ID 0x4c455348
#define FOREIGN_ID     0x4853454c
#endif
#define BUSY_MILLISECONDS 10000
/* Interval at which the log is copied into the store, so that a copy of the file alone lacks
 * little. */
#define CHECKPOINT_SECONDS 5
#define STEPS_AT_ONCE      100000 /* steps of SQLite's virtual machine between checks of the limit */

/* ---- failures ---- */

/* About the file of the store as a whole. */
#define fail(store, error, code, ...) hs_fail_at(error, code, (store)->path, 0, __VA_ARGS__)

int hs_store_damaged(const hs_store *store, const char *what, hsel_error *error)
{
    return fail(store, error, HSEL_EFORMAT, "the store is damaged: %s", what);
}

/* A message about SQLite's last failure. */
static int fail_sqlite(hs_store *store, hsel_error *error)
{
    /* A full disk shows as several codes, depending on what was to be written. */
    static const char full[] = "the store cannot be written: is the disk full? Finished results "
                               "are kept; free some space and run again";
    static const struct {
        int code, status;
        const char *message;
    } known[] = {
        {SQLITE_NOTADB, HSEL_EFORMAT, "this is not a store of results"},
        {SQLITE_INTERRUPT, HSEL_EFORMAT, "the store is damaged: reading it takes too many steps"},
        {SQLITE_BUSY, HSEL_EIO, "the store is locked by another process"},
        {SQLITE_READONLY, HSEL_EIO, "the store cannot be written: it is read-only"},
        {SQLITE_FULL, HSEL_EIO, full},
        {SQLITE_IOERR_WRITE, HSEL_EIO, full},
        {SQLITE_IOERR_FSYNC, HSEL_EIO, full},
        {SQLITE_IOERR_SHMSIZE, HSEL_EIO, full},
        {SQLITE_IOERR_SHMOPEN, HSEL_EIO, full},
    };
    int extended = sqlite3_extended_errcode(store->db), code = extended & 0xff;
    const char *message = sqlite3_errmsg(store->db);
    char holder[HS_RECORD_ROOM];
    if (code == SQLITE_NOMEM)
        return hs_fail_memory(error);
    if (code == SQLITE_BUSY && hs_store_holder(store->path, holder, sizeof holder))
        return fail(store, error, HSEL_EIO, "the store is locked by %s", holder);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].code == code || known[i].code == extended)
            return fail(store, error, known[i].status, "%s", known[i].message);
    if (code == SQLITE_CORRUPT)
        return hs_store_damaged(store, message, error);
    return fail(store, error, HSEL_EIO, "the store cannot be used: %s", message);
}

/* ---- statements ---- */

static void finalize(sqlite3_stmt **statement) { sqlite3_finalize(*statement); }

int hs_store_run(hs_store *store, const char *sql, hsel_error *error)
{
    store->steps = 0;
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HSEL_OK
                                                                       : fail_sqlite(store, error);
}

void hs_store_release(sqlite3_stmt **row)
{
    if (*row) {
        sqlite3_reset(*row);
        sqlite3_clear_bindings(*row); /* bound arguments may be freed from now on */
    }
    *row = NULL;
}

int hs_store_next(hs_store *store, sqlite3_stmt **row, hsel_error *error)
{
    int code = sqlite3_step(*row);
    if (code == SQLITE_ROW)
        return HSEL_OK;
    int status = code == SQLITE_DONE ? HSEL_OK : fail_sqlite(store, error);
    hs_store_release(row);
    return status;
}

static int query(hs_store *store, sqlite3_stmt **row, hsel_error *error, const char *sql,
                 const char *types, va_list arguments)
{
    size_t k = 0;
    store->steps = 0;
    while (k < store->kept_count && store->kept[k].sql != sql)
        k++;
    if (k == store->kept_count) {
        HS_NEED(HS_GROW(&store->kept, &store->kept_capacity, k + 1));
        if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                               &store->kept[k].statement, NULL) != SQLITE_OK)
            return fail_sqlite(store, error);
        store->kept[store->kept_count++].sql = sql;
    }
    *row = store->kept[k].statement;
    int code = SQLITE_OK;
    for (int i = 1; *types && code == SQLITE_OK; i++, types++) {
        const void *bytes;
        switch (*types) {
        case 'i':
            code = sqlite3_bind_int64(*row, i, va_arg(arguments, int64_t));
            break;
        case 'd':
            code = sqlite3_bind_double(*row, i, va_arg(arguments, double));
            break;
        case 't':
            code = sqlite3_bind_text(*row, i, va_arg(arguments, char *), -1, SQLITE_STATIC);
            break;
        default:
            bytes = va_arg(arguments, const void *);
            code = sqlite3_bind_blob64(*row, i, bytes, va_arg(arguments, size_t), SQLITE_STATIC);
        }
    }
    if (code == SQLITE_OK)
        return hs_store_next(store, row, error);
    int status = fail_sqlite(store, error);
    hs_store_release(row);
    return status;
}

int hs_store_query(hs_store *store, sqlite3_stmt **row, hsel_error *error, const char *sql,
                   const char *types, ...)
{
    va_list arguments;
    sqlite3_stmt *none = NULL;
    va_start(arguments, types);
    int status = query(store, row ? row : &none, error, sql, types, arguments);
    va_end(arguments);
    hs_store_release(&none);
    return status;
}

int hs_store_number(hs_store *store, int64_t *out, hsel_error *error, const char *sql,
                    const char *types, ...)
{
    va_list arguments;
    sqlite3_stmt *row = NULL;
    va_start(arguments, types);
    int status = query(store, &row, error, sql, types, arguments);
    va_end(arguments);
    if (row)
        *out = sqlite3_column_int64(row, 0);
    hs_store_release(&row);
    return status;
}

int hs_store_text(hs_store *store, const char *text, bool add, int64_t *id, hsel_error *error)
{
    *id = -1;
    HS_TRY(hs_store_number(store, id, error, "SELECT id FROM text WHERE text = ?", "t", text));
    if (*id >= 0 || !add)
        return HSEL_OK;
    HS_TRY(hs_store_number(store, id, error, HS_STORE_NEXT("text"), ""));
    return hs_store_query(store, NULL, error, HS_STORE_PUT("text", "?1,?2"), "it", *id, text);
}

/* ---- transactions ---- */

int hs_store_begin(hs_store *store, hsel_error *error)
{
    if (store->in_group)
        return HSEL_OK;
    HS_TRY(hs_store_held(store, error));
    HS_TRY(hs_store_run(store, "BEGIN IMMEDIATE", error));
    store->in_group = true;
    store->group_began = store->group_seconds > 0 ? hs_now() : 0;
    return HSEL_OK;
}

int hs_store_end(hs_store *store, int status, hsel_error *error)
{
    if (status == HSEL_OK && store->group_seconds > 0 &&
        hs_now() - store->group_began < store->group_seconds)
        return HSEL_OK;
    if (status == HSEL_OK)
        return hs_store_commit(store, error);
    store->in_group = false;
    if (!sqlite3_get_autocommit(store->db)) /* some failures have rolled back already */
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status; /* the first failure is reported */
}

int hs_store_commit(hs_store *store, hsel_error *error)
{
    int status = store->in_group ? hs_store_held(store, error) : HSEL_OK;
    if (store->in_group && status == HSEL_OK)
        status = hs_store_run(store, "COMMIT", error);
    store->in_group = false;
    if (status)
        return hs_store_end(store, status, error);
    if (hs_now() - store->checkpointed > CHECKPOINT_SECONDS) { /* as far as readers allow */
        sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
        store->checkpointed = hs_now();
    }
    return HSEL_OK;
}

void hs_store_group(hs_store *store, double seconds) { store->group_seconds = seconds; }

/* ---- the schema ---- */

static void close_database(sqlite3 **db) { sqlite3_close(*db); }

/* Refuses a store whose tables, indexes or views differ from the schema: triggers and computed
 * columns could run code. */
static int check_objects(hs_store *store, hsel_error *error)
{
    static const char sql[] =
        "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name";
    HS_OWNS(close_database) sqlite3 *model = NULL;
    HS_OWNS(finalize) sqlite3_stmt *ours = NULL;
    HS_OWNS(hs_store_release) sqlite3_stmt *theirs = NULL;
    HS_NEED(sqlite3_open(":memory:", &model) == SQLITE_OK &&
            sqlite3_exec(model, hs_study_schema, NULL, NULL, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(model, sql, -1, &ours, NULL) == SQLITE_OK);
    HS_TRY(hs_store_query(store, &theirs, error, sql, ""));
    while (theirs) {
        bool same = sqlite3_step(ours) == SQLITE_ROW;
        for (int i = 0; i < 4 && same; i++) {
            const char *a = (const char *)sqlite3_column_text(ours, i),
                       *b = (const char *)sqlite3_column_text(theirs, i);
            same = a && b && strcmp(a, b) == 0;
        }
        const char *type = (const char *)sqlite3_column_text(theirs, 0),
                   *name = (const char *)sqlite3_column_text(theirs, 1);
        if (!same)
            return fail(
                store, error, HSEL_EFORMAT,
                "the store was not made by hsel, or was changed (%.20s '%.80s'): it is not used",
                type ? type : "?", name ? name : "?");
        HS_TRY(hs_store_next(store, &theirs, error));
    }
    return sqlite3_step(ours) == SQLITE_ROW
               ? hs_store_damaged(store, "a part of it is missing", error)
               : HSEL_OK;
}

/* The version of the schema; 0: the file is empty. */
static int check_schema(hs_store *store, int64_t *version, hsel_error *error)
{
    int64_t application = 0, tables = 0;
    *version = 0;
    HS_TRY(hs_store_number(store, version, error, "PRAGMA user_version", ""));
    HS_TRY(hs_store_number(store, &application, error, "PRAGMA application_id", ""));
    HS_TRY(hs_store_number(store, &tables, error, "SELECT count(*) FROM sqlite_master", ""));
    if (application == FOREIGN_ID)
        return fail(store, error, HSEL_EUNSUPPORTED,
                    "written on a machine with another byte order: use {export} there to get its "
                    "results as a table");
    if (application != APPLICATION_ID && (tables > 0 || application != 0 || *version != 0))
        return fail(store, error, HSEL_EFORMAT, "this is a database, but not a store of results");
    if (*version == HS_STORE_SCHEMA)
        return check_objects(store, error);
    if (tables > 0 || *version != 0)
        return fail(store, error, HSEL_EFORMAT,
                    "the store was written by %s hsel (schema %lld; this one uses %d): use that "
                    "one, or run the study into a new store",
                    *version > HS_STORE_SCHEMA ? "a newer" : "an older", (long long)*version,
                    HS_STORE_SCHEMA);
    return store->mode == HS_STORE_WRITE
               ? HSEL_OK
               : fail(store, error, HSEL_EFORMAT,
                      "the store is empty: a run was stopped before its first result");
}

/* ---- opening ---- */

static int count_steps(void *context)
{
    hs_store *store = context;
    store->steps += STEPS_AT_ONCE;
    return store->steps > store->step_limit;
}

/* Nothing in the file is trusted: no code in it runs (triggers, views, functions in its schema), no
 * SQL can write to the schema itself, and cells are checked when pages are read. Reading has a
 * limit on steps, far above what the rows that fit into the file can need. */
static int open_file(hs_store *store, int flags, const char *suffix, hsel_error *error)
{
    static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    struct stat about;
    HS_OWNS(hs_buf_clear) hs_buf uri = {0};
    hs_buf_text(&uri, store->path[0] == '/' ? "file://" : "file:");
    for (const char *c = store->path; *c; c++)
        if (strchr("?#%", *c))
            hs_buf_printf(&uri, "%%%02X", (unsigned)*c);
        else
            hs_buf_char(&uri, *c);
    hs_buf_text(&uri, suffix);
    HS_NEED(!uri.failed);
    sqlite3_close(store->db);
    store->db = NULL;
    hs_free(store->uri);
    store->uri = hs_take(&uri.text);
    if (sqlite3_open_v2(store->uri, &store->db, flags | SQLITE_OPEN_URI, NULL) != SQLITE_OK)
        return fail_sqlite(store, error);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        sqlite3_db_config(store->db, settings[i][0], settings[i][1], NULL);
    HS_NEED(hs_store_functions(store->db) == SQLITE_OK);
    if (store->mode != HS_STORE_WRITE && stat(store->path, &about) == 0) {
        store->step_limit = 100000000 + 1000 * (uint64_t)about.st_size;
        sqlite3_progress_handler(store->db, STEPS_AT_ONCE, count_steps, store);
    }
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    if (store->alone) /* first of all, as a log then needs no shared memory */
        HS_TRY(hs_store_run(store, "PRAGMA main.locking_mode = EXCLUSIVE", error));
    return hs_store_run(
        store, "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA cache_size = -65536",
        error);
}

#define WRITING (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)

static void drop_statements(hs_store *store)
{
    for (size_t i = 0; i < store->kept_count; i++)
        sqlite3_finalize(store->kept[i].statement);
    store->kept_count = 0;
}

/* With a write-ahead log, a commit does not wait for the disk and yet survives the process. A page
 * has room for a few units; the log is copied into the store after 8192 pages. The log needs shared
 * memory; the first transaction shows whether there is any. A rollback journal, with the store
 * locked as a whole, works on any file system. *kept: SQLite uses the requested one. */
static int open_with(hs_store *store, bool log, int64_t *version, bool *kept, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_TRY(open_file(store, WRITING, store->lockless ? "?vfs=unix-none" : "", error));
    HS_TRY(check_schema(store, version, error));
    HS_TRY(hs_store_run(store, "PRAGMA page_size = 16384; PRAGMA synchronous = FULL", error));
    HS_TRY(hs_store_query(store, &row, error,
                          log ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE", ""));
    const char *got = row ? (const char *)sqlite3_column_text(row, 0) : NULL;
    *kept = got && strcmp(got, log ? "wal" : "delete") == 0;
    hs_store_release(&row);
    return log && *kept
               ? hs_store_run(store,
                              "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192;"
                              "BEGIN IMMEDIATE; COMMIT",
                              error)
               : HSEL_OK;
}

static bool is_about_memory(int code)
{
    return code == SQLITE_IOERR_SHMMAP || code == SQLITE_IOERR_SHMOPEN ||
           code == SQLITE_IOERR_SHMLOCK || code == SQLITE_IOERR_SHMSIZE;
}

static int make_tables(hs_store *store, hsel_error *error)
{
    char sql[100];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d; PRAGMA application_id = %d",
             HS_STORE_SCHEMA, APPLICATION_ID);
    HS_TRY(hs_store_run(store, hs_study_schema, error));
    return hs_store_run(store, sql, error);
}

static int open_for_writing(hs_store *store, hsel_error *error)
{
    int64_t version;
    bool kept = false;
    int status = store->remote ? HSEL_OK : open_with(store, true, &version, &kept, error);
    if (status && !is_about_memory(sqlite3_extended_errcode(store->db)))
        return status;
    if (status || !kept) {
        char index[PATH_MAX];
        snprintf(index, sizeof index, "%s-shm", store->path);
        unlink(index); /* left by the attempt with a log, or by a run that was killed */
        store->alone = true;
        drop_statements(store);
        HS_TRY(open_with(store, false, &version, &kept, error));
        if (!kept)
            return fail(store, error, HSEL_EIO,
                        "the store cannot be used: SQLite keeps no journal on this file system");
    }
    if (version < HS_STORE_SCHEMA) {
        HS_TRY(hs_store_begin(store, error));
        HS_TRY(hs_store_end(store, make_tables(store, error), error));
    }
    HS_TRY(hs_store_begin(store, error));
    HS_TRY(hs_store_end(store, hs_store_remove_damage(store, error), error));
    /* A writer only needs the last pages. */
    return hs_store_run(store, "PRAGMA cache_size = -2000", error);
}

static int refuse(void *store, const char *line, hsel_error *error)
{
    return fail((hs_store *)store, error, HSEL_EFORMAT,
                "the store is damaged: %s; hsel check lists all damage, hsel run recomputes it",
                line);
}

/* Not opened as read-only, although nothing is written: otherwise SQLite would not remove its two
 * files after the last process. */
static int open_for_reading(hs_store *store, hsel_error *error)
{
    int64_t version;
    int status = open_file(store, SQLITE_OPEN_READWRITE, "", error);
    if (status == HSEL_OK)
        status = hs_store_run(store, "PRAGMA query_only = 1", error);
    if (status == HSEL_OK)
        status = check_schema(store, &version, error);
    int code = sqlite3_extended_errcode(store->db), kind = code & 0xff;
    if (status && (kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY || is_about_memory(code) ||
                   code == SQLITE_IOERR_RDLOCK || code == SQLITE_IOERR_LOCK)) {
        /* In a read-only folder, and without shared memory, SQLite refuses a store in WAL mode
         * unless it is opened as immutable. Without log and journal nobody is writing to it. */
        static const char *const left[] = {"-wal", "-journal"};
        drop_statements(store);
        for (size_t i = 0; i < 2; i++) {
            struct stat about;
            char log[PATH_MAX];
            snprintf(log, sizeof log, "%s%s", store->path, left[i]);
            if (stat(log, &about) == 0 && about.st_size > 0)
                return fail(store, error, HSEL_EIO,
                            "a store with a log (%s) cannot be read in a folder without write "
                            "permission: copy both elsewhere",
                            left[i]);
        }
        HS_TRY(open_file(store, SQLITE_OPEN_READONLY, "?immutable=1", error));
        status = check_schema(store, &version, error);
    }
    return status || store->mode == HS_STORE_CHECK ? status
                                                   : hs_store_check(store, refuse, store, error);
}

static bool beside(const char *path, const char *ending)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return access(name, F_OK) == 0;
}

int hs_store_backup(hs_store *store, const char *path, hsel_error *error)
{
    static const char *const others[] = {"-wal", "-shm",
                                         "-journal"}; /* of an earlier file of this name */
    char part[PATH_MAX], old[PATH_MAX];
    HS_OWNS(close_database) sqlite3 *copy = NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat there;
    snprintf(part, sizeof part, "%.*s.%s.hsel-0", (int)(name - path), path,
             name); /* as temporary files of writers */
    if (lstat(path, &there) == 0)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "already exists; give the copy another name");
    unlink(part);
    int code = sqlite3_open_v2(part, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    store->steps = 0;
    sqlite3_backup *backup =
        code == SQLITE_OK ? sqlite3_backup_init(copy, "main", store->db, "main") : NULL;
    if (backup && (code = sqlite3_backup_step(backup, -1)) == SQLITE_DONE)
        code = SQLITE_OK;
    int finished = backup ? sqlite3_backup_finish(backup) : SQLITE_ERROR;
    code = code == SQLITE_OK ? finished : code;
    sqlite3_close(hs_take(&copy));
    for (size_t i = 0; i < 3 && code == SQLITE_OK; i++) {
        snprintf(old, sizeof old, "%s%s", path, others[i]);
        unlink(old);
    }
    if (code == SQLITE_OK && rename(part, path) == 0)
        return HSEL_OK;
    int status = code == SQLITE_OK
                     ? hs_fail_errno(error, path, "write")
                     : hs_fail_at(error, code == SQLITE_NOMEM ? HSEL_ENOMEM : HSEL_EIO, path, 0,
                                  "the store cannot be copied here: %s", sqlite3_errstr(code));
    unlink(part);
    return status;
}

bool hs_store_sniff(const char *path)
{
    unsigned char head[72] = "";
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(head, 1, sizeof head, file) : 0, length = strlen(path);
    if (file)
        fclose(file);
    if (file && got == 0) /* of a run that was killed before it wrote anything */
        return beside(path, "-wal") || beside(path, "-lock") || beside(path, "-journal") ||
               (length > 3 && strcmp(path + length - 3, ".db") == 0);
    if (got != sizeof head || memcmp(head, "SQLite format 3", 16) != 0)
        return false;
    if (memcmp(head + 68, "HSEL", 4) == 0 || memcmp(head + 68, "LESH", 4) == 0)
        return true;
    /* During a run and after a kill, the identification may be in the log only, or the database is
     * still empty. */
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    bool found = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                 sqlite3_prepare_v2(db,
                                    "SELECT application_id, EXISTS(SELECT 1 FROM sqlite_master)"
                                    " FROM pragma_application_id",
                                    -1, &row, NULL) == SQLITE_OK &&
                 sqlite3_step(row) == SQLITE_ROW &&
                 (sqlite3_column_int(row, 0) == APPLICATION_ID ||
                  sqlite3_column_int(row, 0) == FOREIGN_ID || !sqlite3_column_int(row, 1));
    sqlite3_finalize(row);
    sqlite3_close(db);
    return found;
}

int hs_store_open(const char *path, hs_store_mode mode, unsigned patience, hs_store **out,
                  hsel_error *error)
{
    struct stat about;
    HS_OWNS(hs_store_done) hs_store *store = HS_NEW_ZERO(hs_store, 1);
    HS_NEED(store);
    store->lock = -1;
    store->mode = mode;
    HS_NEED(store->path = hs_strdup(path));
    if (!*path)
        return hs_fail(error, HSEL_EUSAGE, "a store needs a file name");
    if (stat(path, &about) != 0) {
        if (mode != HS_STORE_WRITE || errno != ENOENT)
            return hs_fail_errno(error, path, "open");
    } else if (S_ISDIR(about.st_mode)) {
        return hs_fail_at(error, HSEL_EIO, path, 0, "this is a folder, not a store of results");
    } else if (!S_ISREG(about.st_mode)) {
        return hs_fail_at(error, HSEL_EIO, path, 0,
                          "this is not a file that could be a store of results");
    } else if (mode == HS_STORE_WRITE && about.st_nlink > 1) {
        /* Lock and log are found by name, so that under another name both would be missed. */
        return hs_fail_at(error, HSEL_EIO, path, 0,
                          "the store has another name (a hard link), under which another process "
                          "could write to it: copy the file instead");
    }
    if (mode == HS_STORE_WRITE) {
        HS_TRY(hs_store_lock(store, patience, error));
        store->is_new = access(path, F_OK) != 0;
        store->unmade = store->is_new;
        HS_TRY(open_for_writing(store, error));
        store->unmade = false;
    } else {
        HS_TRY(open_for_reading(store, error));
    }
    *out = hs_take(&store);
    return HSEL_OK;
}

const char *hs_store_path(const hs_store *store) { return store->path; }

const hs_names *hs_store_removed(const hs_store *store) { return &store->removed; }

void hs_store_abandon(hs_store *store)
{
    if (store)
        store->unmade = store->is_new;
    hs_store_close(store);
}

void hs_store_close(hs_store *store)
{
    if (!store)
        return;
    if (store->in_group && hs_store_held(store, NULL) == HSEL_OK)
        sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    drop_statements(store);
    sqlite3_close(store->db);
    if (store->unmade)
        unlink(store->path);
    hs_store_unlock(store);
    hs_names_clear(&store->removed);
    HS_FREE(store->kept, store->version, store->lock_path, store->uri, store->path, store);
}

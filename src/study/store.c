/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening, closing and migrating the store. A file that is not a store is left as it was.
 */
#include "study/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/text.h"
#include "study/store_parts.h"

/* The schema, step by step: a store of version v is brought up by running the steps from v on. A
 * step never changes once it was released. */
static const char *const steps[HS_STORE_SCHEMA] = {
    "CREATE TABLE dataset(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, instances "
    "INTEGER NOT NULL,"
    "  features INTEGER NOT NULL, classes INTEGER NOT NULL, positive_class INTEGER NOT NULL, "
    "class_names BLOB,"
    "  feature_names BLOB, class_of BLOB, positives INTEGER, edges INTEGER, depth INTEGER);"
    "CREATE TABLE name(name TEXT PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id)) "
    "WITHOUT ROWID;"
    "CREATE TABLE fold_file(dataset INTEGER NOT NULL REFERENCES dataset(id), scheme TEXT NOT NULL,"
    "  folds INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY(dataset, scheme)) WITHOUT ROWID;"
    "CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
    "CREATE TABLE unit(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id),"
    "  selector INTEGER NOT NULL REFERENCES text(id), scheme INTEGER NOT NULL REFERENCES text(id),"
    "  folds INTEGER NOT NULL, seed INTEGER NOT NULL, fold INTEGER NOT NULL, seconds REAL, tested "
    "INTEGER,"
    "  instances BLOB, selected BLOB, frequency BLOB, UNIQUE(dataset, selector, scheme, folds, "
    "seed, fold));"
    "CREATE TABLE job(unit INTEGER NOT NULL REFERENCES unit(id), classifier INTEGER NOT NULL "
    "REFERENCES text(id),"
    "  ok INTEGER NOT NULL, seconds REAL, message TEXT, probability BLOB, PRIMARY KEY(unit, "
    "classifier)) WITHOUT ROWID;"
    "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, "
    "UNIQUE(name, text));"
    /* For people who look at the file with other tools. */
    "CREATE VIEW jobs AS SELECT fingerprint, s.text AS selector, c.text AS classifier, h.text AS "
    "scheme, folds, seed, fold,"
    "  ok, message, u.seconds AS select_seconds, j.seconds AS classify_seconds FROM job j JOIN "
    "unit u ON u.id = j.unit"
    "  JOIN dataset d ON d.id = u.dataset JOIN text s ON s.id = u.selector JOIN text c ON c.id = "
    "j.classifier"
    "  JOIN text h ON h.id = u.scheme;",
    /* A ranking without scores failed. */
    "CREATE TABLE ranking(id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset(id),"
    "  ranker INTEGER NOT NULL REFERENCES text(id), message TEXT, scores BLOB, UNIQUE(dataset, "
    "ranker));"
    "CREATE VIEW rankings AS SELECT fingerprint, t.text AS ranker, scores IS NOT NULL AS ok, "
    "message"
    "  FROM ranking r JOIN dataset d ON d.id = r.dataset JOIN text t ON t.id = r.ranker;",
    /* Scores; checksums; a fold file is known by its content. */
    "ALTER TABLE job ADD COLUMN score BLOB;"
    "ALTER TABLE study ADD COLUMN scheme TEXT;"
    "ALTER TABLE text ADD COLUMN sum INTEGER;"
    "ALTER TABLE dataset ADD COLUMN sum INTEGER;"
    "ALTER TABLE name ADD COLUMN sum INTEGER;"
    "ALTER TABLE fold_file ADD COLUMN sum INTEGER;"
    "ALTER TABLE unit ADD COLUMN sum INTEGER;"
    "ALTER TABLE job ADD COLUMN sum INTEGER;"
    "ALTER TABLE ranking ADD COLUMN sum INTEGER;"
    "ALTER TABLE study ADD COLUMN sum INTEGER;",
};

#define APPLICATION_ID    0x4853454c /* "HSEL": tells a store from any other database */
#define BUSY_MILLISECONDS 10000
#define PAGE_BYTES        16384 /* a few units to a page */
#define LOG_PAGES         8192 /* of the log, before they go into the store, which waits for the disk */
#define STEPS_AT_ONCE     100000 /* of SQLite's machine, between looks at how many there were */
#define AS_TEXT_(x)       #x
#define AS_TEXT(x)        AS_TEXT_(x)

/* ---- the schema ---- */

static int migrate(hs_store *store, int64_t version, hsel_error *error)
{
    hs_buf sql = {0};
    int status = hs_store_begin(store, error);
    if (status)
        return status;
    for (int64_t v = version; v < HS_STORE_SCHEMA && status == HSEL_OK; v++)
        status = hs_store_run(store, steps[v], error);
    hs_buf_printf(&sql, "PRAGMA user_version = %d; PRAGMA application_id = %d", HS_STORE_SCHEMA,
                  APPLICATION_ID);
    if (status == HSEL_OK)
        status = hs_store_seal(store, error);
    if (status == HSEL_OK)
        status = sql.failed ? hs_fail_memory(error) : hs_store_run(store, sql.text, error);
    hs_buf_clear(&sql);
    return hs_store_end(store, status, error);
}

/* Compares tables, indexes and views with those that a store of that version is made with. There is
 * no place for triggers, and none for tables that compute what they hold. */
static int check_objects(hs_store *store, int64_t version, hsel_error *error)
{
    static const char sql[] =
        "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name";
    sqlite3 *model = NULL;
    sqlite3_stmt *theirs = NULL, *ours = NULL;
    int code = sqlite3_open(":memory:", &model), status = HSEL_OK, row = SQLITE_ROW;
    for (int64_t v = 0; v < version && code == SQLITE_OK; v++)
        code = sqlite3_exec(model, steps[v], NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(model, sql, -1, &ours, NULL);
    if (code != SQLITE_OK)
        status = hs_fail_memory(error);
    else if (sqlite3_prepare_v2(store->db, sql, -1, &theirs, NULL) != SQLITE_OK)
        status = hs_store_fail(store, error);
    while (status == HSEL_OK && row == SQLITE_ROW) {
        bool same = (row = sqlite3_step(ours)) == SQLITE_ROW;
        int got = hs_store_step(store, theirs, error);
        for (int i = 0; i < 4 && same && got > 0; i++) {
            const char *a = (const char *)sqlite3_column_text(ours, i),
                       *b = (const char *)sqlite3_column_text(theirs, i);
            same = a && b && strcmp(a, b) == 0;
        }
        const char *type = got > 0 ? (const char *)sqlite3_column_text(theirs, 0) : NULL,
                   *name = got > 0 ? (const char *)sqlite3_column_text(theirs, 1) : NULL;
        if (got < 0)
            status = got;
        else if (got > 0 && !same)
            status = hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                                "the store is not as hsel makes it (%.20s '%.80s'): it is not used",
                                type ? type : "?", name ? name : "?");
        else if (got == 0 && row == SQLITE_ROW)
            status = hs_store_damaged(store, "a part of it is missing", error);
    }
    sqlite3_finalize(theirs);
    sqlite3_finalize(ours);
    sqlite3_close(model);
    return status;
}

/* Finds the version of the schema; 0 for a file without anything in it. */
static int check_schema(hs_store *store, int64_t *version, hsel_error *error)
{
    int64_t application = 0, tables = 0;
    int status = hs_store_number(store, "PRAGMA user_version", 0, version, error);
    if (status == HSEL_OK)
        status = hs_store_number(store, "PRAGMA application_id", 0, &application, error);
    if (status == HSEL_OK)
        status = hs_store_number(store, "SELECT count(*) FROM sqlite_master", 0, &tables, error);
    if (status)
        return status;
    if (application != APPLICATION_ID && (tables > 0 || application != 0 || *version != 0))
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                          "this is a database, but not a store of results");
    if (*version < 0)
        return hs_store_damaged(store, "it has no schema", error);
    if (*version > HS_STORE_SCHEMA)
        return hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                          "the store is of a newer hsel (schema %lld, this one knows up to %d)",
                          (long long)*version, HS_STORE_SCHEMA);
    if (*version == HS_STORE_SCHEMA || store->mode == HS_STORE_WRITE)
        return check_objects(store, *version, error);
    return tables == 0 ? hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "the store is empty")
                       : hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                                    "the store is of an older hsel: hsel run brings it up to date");
}

/* ---- opening ---- */

static int count_steps(void *context)
{
    hs_store *store = context;
    store->steps += STEPS_AT_ONCE;
    return store->steps > store->step_limit;
}

/* Nothing in the file is trusted: no code in it runs (triggers, views, functions in its schema), no
 * SQL can write to the schema itself, cells are checked when pages are read. What is only read has
 * a limit on steps, far beyond what as many rows as the file has room for can need. */
static int open_file(hs_store *store, int flags, const char *suffix, hsel_error *error)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    struct stat about;
    hs_buf uri = {0};
    hs_buf_text(&uri, store->path[0] == '/' ? "file://" : "file:");
    for (const char *c = store->path; *c; c++)
        if (strchr("?#%", *c))
            hs_buf_printf(&uri, "%%%02X", (unsigned)*c);
        else
            hs_buf_char(&uri, *c);
    hs_buf_text(&uri, suffix);
    if (uri.failed) {
        hs_buf_clear(&uri);
        return hs_fail_memory(error);
    }
    sqlite3_close(store->db);
    store->db = NULL;
    hs_free(store->uri);
    store->uri = uri.text;
    if (sqlite3_open_v2(uri.text, &store->db, flags | SQLITE_OPEN_URI, NULL) != SQLITE_OK)
        return hs_store_fail(store, error);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        sqlite3_db_config(store->db, settings[i].option, settings[i].value, NULL);
    if (hs_store_functions(store->db) != SQLITE_OK)
        return hs_fail_memory(error);
    if (store->mode != HS_STORE_WRITE && stat(store->path, &about) == 0) {
        store->step_limit = 100000000 + 1000 * (uint64_t)about.st_size;
        sqlite3_progress_handler(store->db, STEPS_AT_ONCE, count_steps, store);
    }
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    return hs_store_run(
        store, "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA cache_size = -65536",
        error);
}

static int open_for_writing(hs_store *store, hsel_error *error)
{
    int64_t version;
    int status = open_file(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                           "", error);
    if (status == HSEL_OK)
        status = check_schema(store, &version, error);
    /* In the write-ahead log a commit costs no wait for the disk and yet outlives the process. */
    if (status == HSEL_OK)
        status =
            hs_store_run(store,
                         "PRAGMA page_size = " AS_TEXT(
                             PAGE_BYTES) "; PRAGMA journal_mode = WAL; PRAGMA synchronous = "
                                         "NORMAL; PRAGMA wal_autocheckpoint = " AS_TEXT(LOG_PAGES),
                         error);
    if (status == HSEL_OK && version < HS_STORE_SCHEMA)
        status = migrate(store, version, error);
    if (status == HSEL_OK)
        status = hs_store_remove_damage(store, error);
    /* Who writes needs the last pages only. */
    return status ? status : hs_store_run(store, "PRAGMA cache_size = -2000", error);
}

/* In a folder that cannot be written SQLite refuses a store in WAL mode, unless told that nobody
 * writes to it. Nobody does if there is no log. */
static int open_unchanging(hs_store *store, hsel_error *error)
{
    struct stat about;
    hs_buf log = {0};
    hs_buf_printf(&log, "%s-wal", store->path);
    bool has_log = !log.failed && stat(log.text, &about) == 0 && about.st_size > 0;
    hs_buf_clear(&log);
    if (has_log)
        return hs_fail_at(error, HSEL_EIO, store->path, 0,
                          "a store with a log (-wal) beside it cannot be read from a "
                          "folder without permission to write: copy both elsewhere");
    return open_file(store, SQLITE_OPEN_READONLY, "?immutable=1", error);
}

static void drop_statements(hs_store *store)
{
    for (size_t i = 0; i < store->kept_count; i++)
        sqlite3_finalize(store->kept[i].statement);
    store->kept_count = 0;
}

/* Not opened as read-only, though nothing is written: only then does SQLite remove its two files
 * when the last one leaves. */
static int open_for_reading(hs_store *store, hsel_error *error)
{
    int64_t version;
    int status = open_file(store, SQLITE_OPEN_READWRITE, "", error);
    if (status == HSEL_OK)
        status = hs_store_run(store, "PRAGMA query_only = 1", error);
    if (status == HSEL_OK)
        status = check_schema(store, &version, error);
    int code = sqlite3_errcode(store->db);
    if (status && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
        drop_statements(store);
        status = open_unchanging(store, error);
        if (status == HSEL_OK)
            status = check_schema(store, &version, error);
    }
    return status || store->mode == HS_STORE_CHECK ? status : hs_store_refuse_damage(store, error);
}

bool hs_store_sniff(const char *path)
{
    unsigned char head[72] = "";
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof head && memcmp(head, "SQLite format 3", 16) == 0 &&
           memcmp(head + 68, "HSEL", 4) == 0; /* APPLICATION_ID */
}

static int check_file(const char *path, hs_store_mode mode, hsel_error *error)
{
    struct stat about;
    if (!*path)
        return hs_fail(error, HSEL_EUSAGE, "a store needs the name of a file");
    if (stat(path, &about) != 0)
        return mode == HS_STORE_WRITE && errno == ENOENT ? HSEL_OK
                                                         : hs_fail_errno(error, path, "open");
    if (S_ISDIR(about.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0, "this is a folder, not a store of results");
    if (!S_ISREG(about.st_mode))
        return hs_fail_at(error, HSEL_EIO, path, 0,
                          "this is not a file that could be a store of results");
    return HSEL_OK;
}

int hs_store_open(const char *path, hs_store_mode mode, bool wait, hs_store **out,
                  hsel_error *error)
{
    hs_store *store = HS_NEW_ZERO(hs_store, 1);
    if (!store)
        return hs_fail_memory(error);
    store->lock = -1;
    store->mode = mode;
    int status =
        (store->path = hs_strdup(path)) ? check_file(path, mode, error) : hs_fail_memory(error);
    if (status == HSEL_OK && mode != HS_STORE_WRITE)
        status = open_for_reading(store, error);
    if (status == HSEL_OK && mode == HS_STORE_WRITE)
        status = hs_store_lock(store, wait, error);
    if (status == HSEL_OK && mode == HS_STORE_WRITE) {
        store->is_new = access(path, F_OK) != 0;
        status = open_for_writing(store, error);
        store->unmade = store->is_new && status;
    }
    if (status == HSEL_OK)
        *out = store;
    else
        hs_store_close(store);
    return status;
}

const char *hs_store_path(const hs_store *store) { return store->path; }

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
    if (store->in_group)
        sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    drop_statements(store);
    hs_store_forget_texts(store);
    sqlite3_close(store->db);
    if (store->unmade)
        unlink(store->path);
    hs_store_unlock(store);
    hs_free(store->kept);
    hs_free(store->text_ids);
    hs_names_clear(&store->removed);
    hs_free(store->lock_path);
    hs_free(store->uri);
    hs_free(store->path);
    hs_free(store);
}

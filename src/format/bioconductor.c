/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SQLite access for the databases of Bioconductor's annotation packages. Files are opened
 * read-only and immutable, so that they may lie where nobody can write and no journal appears
 * beside them. A damaged file gives one plain line, whatever part of it is damaged.
 */
#include "format/bioconductor.h"

#include <string.h>
#include <sys/stat.h>

#include "core/text.h"

static int fail_sqlite(const hs_sqlite *source, int code, hsel_error *error)
{
    code &= 0xff;
    if (code == SQLITE_NOMEM)
        return hs_fail_memory(error);
    if (code == SQLITE_NOTADB)
        return hs_fail_at(error, HSEL_EFORMAT, source->name, 0,
                          "not an SQLite database (a compressed one must be unpacked first)");
    if (code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_IOERR)
        return hs_fail_at(error, HSEL_EIO, source->name, 0, "cannot read: %s",
                          sqlite3_errmsg(source->db));
    return hs_fail_at(error, HSEL_EFORMAT, source->name, 0, "the database is damaged: %s",
                      sqlite3_errmsg(source->db));
}

/* "file:" URI of a path: what has a meaning in one is written as %xx. */
static void add_uri(hs_buf *uri, const char *path)
{
    hs_buf_text(uri, path[0] == '/' ? "file://" : "file:");
    for (; *path; path++) {
        if (*path == '%' || *path == '?' || *path == '#')
            hs_buf_printf(uri, "%%%02x", (unsigned)(unsigned char)*path);
        else
            hs_buf_char(uri, *path);
    }
    hs_buf_text(uri, "?mode=ro&immutable=1");
}

int hs_sqlite_open(const hs_reader *reader, hs_sqlite *out, hsel_error *error)
{
    const char *path = hs_reader_path(reader);
    struct stat info;
    hs_buf uri = {0};
    *out = (hs_sqlite){.name = hs_reader_name(reader)};
    if (!path)
        return hs_fail_at(error, HSEL_EUNSUPPORTED, out->name, 0,
                          "an SQLite database can only be read from a file, not from a stream");
    if (stat(path, &info) != 0)
        return hs_fail_errno(error, path, "open");
    out->rows_left = (uint64_t)info.st_size;
    add_uri(&uri, path);
    int status = HSEL_OK;
    if (uri.failed)
        status = hs_fail_memory(error);
    else {
        int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
        int code = sqlite3_open_v2(uri.text, &out->db, flags, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_db_config(out->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(out->db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
        if (code != SQLITE_OK)
            status = fail_sqlite(out, code, error);
    }
    hs_buf_clear(&uri);
    return status;
}

void hs_sqlite_close(hs_sqlite *source)
{
    sqlite3_finalize(source->query);
    sqlite3_close(source->db);
    *source = (hs_sqlite){0};
}

int hs_sqlite_query(hs_sqlite *source, const char *sql, hsel_error *error)
{
    sqlite3_finalize(source->query);
    source->query = NULL;
    int code = sqlite3_prepare_v2(source->db, sql, -1, &source->query, NULL);
    return code == SQLITE_OK ? HSEL_OK : fail_sqlite(source, code, error);
}

int hs_sqlite_step(hs_sqlite *source, hsel_error *error)
{
    int code = sqlite3_step(source->query);
    if (code == SQLITE_DONE)
        return 0;
    if (code != SQLITE_ROW)
        return fail_sqlite(source, code, error);
    if (source->rows_left-- == 0)
        return hs_fail_at(error, HSEL_EFORMAT, source->name, 0,
                          "the database is damaged: more rows than the file can hold");
    return 1;
}

int hs_sqlite_has_table(hs_sqlite *source, const char *table, hsel_error *error)
{
    int status = hs_sqlite_query(
        source, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", error);
    if (status)
        return status;
    int code = sqlite3_bind_text(source->query, 1, table, -1, SQLITE_STATIC);
    return code == SQLITE_OK ? hs_sqlite_step(source, error) : fail_sqlite(source, code, error);
}

int hs_sqlite_need_table(hs_sqlite *source, const char *table, const char *kind, hsel_error *error)
{
    int has = hs_sqlite_has_table(source, table, error);
    if (has == 0)
        return hs_fail_at(error, HSEL_EFORMAT, source->name, 0, "not %s: it has no table %s", kind,
                          table);
    return has < 0 ? has : HSEL_OK;
}

int hs_sqlite_text(hs_sqlite *source, int column, const char **text, size_t *length,
                   hsel_error *error)
{
    const unsigned char *value = sqlite3_column_text(source->query, column);
    if (!value && sqlite3_column_type(source->query, column) != SQLITE_NULL)
        return hs_fail_memory(error);
    *text = value ? (const char *)value : "";
    *length = value ? (size_t)sqlite3_column_bytes(source->query, column) : 0;
    for (size_t i = 0; i < *length; i++)
        if (value[i] < ' ' || value[i] == 0x7f)
            return hs_fail_at(error, HSEL_EFORMAT, source->name, 0,
                              "the database is damaged: column %s has a control character",
                              sqlite3_column_name(source->query, column));
    return HSEL_OK;
}

int hs_sqlite_sniff(const char *head, size_t length)
{
    return length >= 16 && memcmp(head, "SQLite format 3", 16) == 0 ? 90 : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a store what was put into it? Every row has a checksum over all of its columns, a function of
 * SQL, and what it refers to is there, so that one condition per table (check.sql) finds what is
 * damaged, lists it and removes it. Numbers are checked when they are read.
 */
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "study/store_parts.h"

extern const char hs_study_check[]; /* check.sql */

/* checksum(VALUE, …): XXH3 over types, lengths and bytes. */
static void sum_values(sqlite3_context *context, int count, sqlite3_value **values)
{
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (int i = 0; i < count; i++) {
        int type = sqlite3_value_type(values[i]);
        int64_t whole = sqlite3_value_int64(values[i]);
        double real = sqlite3_value_double(values[i]) + 0.0; /* SQLite does not keep -0 */
        const void *bytes = type == SQLITE_INTEGER ? &whole
                            : type == SQLITE_FLOAT ? (const void *)&real
                                                   : sqlite3_value_blob(values[i]);
        uint64_t length = type == SQLITE_INTEGER || type == SQLITE_FLOAT
                              ? sizeof whole
                              : (uint64_t)sqlite3_value_bytes(values[i]);
        if (length && !bytes) {
            sqlite3_result_error_nomem(context);
            return;
        }
        XXH3_64bits_update(&state, (uint64_t[]){(uint64_t)type, length}, 2 * sizeof length);
        if (length)
            XXH3_64bits_update(&state, bytes, (size_t)length);
    }
    sqlite3_result_int64(context, (int64_t)XXH3_64bits_digest(&state));
}

int hs_store_functions(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "checksum", -1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
                                      sum_values, NULL, NULL, NULL);
}

/* ---- looking ---- */

const hs_store_part hs_store_parts[] = {
    {"text", "id"},          {"dataset", "id"},           {"fold_file", "dataset, scheme"},
    {"unit", "id"},          {"job", "unit, classifier"}, {"study", "id"},
    {"uses", "study, name"}, {"about", "dataset"},
};
const size_t hs_store_part_count = sizeof hs_store_parts / sizeof hs_store_parts[0];

/* Calls `each` with the first column of each row. */
static int each_row(hs_store *store, const char *sql, hs_store_name_function each, void *context,
                    hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_TRY(hs_store_query(store, &row, error, sql, ""));
    while (row) {
        const char *text = (const char *)sqlite3_column_text(row, 0);
        HS_NEED(text);
        HS_TRY(each(context, text, error));
        HS_TRY(hs_store_next(store, &row, error));
    }
    return HSEL_OK;
}

/* The first problem that SQLite finds with the file. */
static int wrong_pages(hs_store *store, hs_store_name_function each, void *context,
                       hsel_error *error)
{
    return each_row(
        store,
        "SELECT integrity_check FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'", each,
        context, error);
}

int hs_store_check(hs_store *store, hs_store_name_function each, void *context, hsel_error *error)
{
    const char *sql = hs_study_check;
    HS_TRY(wrong_pages(store, each, context, error));
    for (size_t i = 0; i < hs_store_part_count; i++, sql = strchr(sql, ';') + 1)
        HS_TRY(each_row(store, sql, each, context, error));
    return HSEL_OK;
}

static int remember(void *names, const char *line, hsel_error *error)
{
    return hs_names_append(names, line, strlen(line), error);
}

int hs_store_remove_damage(hs_store *store, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names before = {0}, after = {0};
    const char *sql = hs_study_check;
    HS_TRY(wrong_pages(store, remember, &before, error));
    if (before.count) { /* indexes can be rebuilt from the rows */
        HS_TRY(hs_store_run(store, "REINDEX", error));
        HS_TRY(remember(&store->removed, "indexes", error));
    }
    for (size_t i = 0; i < hs_store_part_count; i++, sql = strchr(sql, ';') + 1) {
        const hs_store_part *part = &hs_store_parts[i];
        HS_OWNS(hs_buf_clear) hs_buf delete = {0};
        uint32_t known = store->removed.count;
        HS_TRY(each_row(store, sql, remember, &store->removed, error));
        if (store->removed.count == known)
            continue;
        /* A data set with a name keeps its row, which is stored again when a run reads the data. */
        hs_buf_printf(&delete, "DELETE FROM %s WHERE (%s) IN (SELECT %s FROM (%.*s))%s",
                      part->table, part->key, part->key, (int)strcspn(sql, ";"), sql,
                      strcmp(part->table, "dataset") == 0
                          ? " AND id NOT IN (SELECT dataset FROM uses WHERE dataset NOT NULL)"
                          : "");
        HS_NEED(!delete.failed);
        HS_TRY(hs_store_run(store, delete.text, error));
    }
    if (before.count)
        HS_TRY(wrong_pages(store, remember, &after, error));
    return after.count ? hs_store_damaged(store, hs_names_get(&after, 0), error) : HSEL_OK;
}

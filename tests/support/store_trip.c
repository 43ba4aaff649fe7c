/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changing a store and reading it: see store_trip.h.
 */
#include "support/store_trip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/writer.h"
#include "study/report/report.h"
#include "study/store_parts.h"
#include "support/folder.h"
#include "support/sample_study.h"

static const char study[] =
    "name: sample\n"
    "datasets:\n"
    "  - {name: alpha, generate: \"ontology:instances=20,features=9,positives=3\", seed: 1}\n"
    "selectors: [none, hip]\n"
    "classifiers: [nb]\n"
    "folds: {count: 2}\n"
    "rankings: [ig, lift]\n";

static hs_folder folder;
static char path[512], output[512];
static char *image;
static size_t image_length;

static void remove_folder(void)
{
    free(image);
    hs_folder_free(&folder);
}

static void set_up(void)
{
    if (image)
        return;
    hs_folder_new(&folder);
    strcpy(path, hs_folder_file(&folder, "store.db"));
    strcpy(output, hs_folder_file(&folder, "report"));
    hs_sample_run(&(hs_sample){.text = study}, path);
    image = hs_slurp(path, &image_length);
    if (!image)
        abort();
    atexit(remove_folder);
}

/* ---- changes ---- */

static void column_name(const char *columns, unsigned number, char out[32])
{
    unsigned count = 1;
    for (const char *c = columns; *c; c++)
        count += *c == ',';
    for (number %= count; number > 0; number--)
        columns = strchr(columns, ',') + 2;
    snprintf(out, 32, "%.*s", (int)strcspn(columns, ","), columns);
}

static void bind_value(sqlite3_stmt *statement, unsigned kind, const unsigned char *value,
                       size_t length)
{
    int64_t whole = 0;
    double real = 0;
    memcpy(&whole, value, length < 8 ? length : 8);
    memcpy(&real, &whole, sizeof real);
    if (kind == 1)
        sqlite3_bind_int64(statement, 1, whole);
    else if (kind == 2)
        sqlite3_bind_double(statement, 1, real);
    else if (kind == 4)
        sqlite3_bind_text(statement, 1, (const char *)value, (int)length, SQLITE_STATIC);
    else if (kind != 0)
        sqlite3_bind_blob64(statement, 1, value, length, SQLITE_STATIC);
}

/* All columns of a table but the last, the checksum over them. */
static void name_columns(sqlite3 *db, const char *table, char out[400])
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT group_concat(name, ', ') FROM (SELECT name FROM"
                           " pragma_table_info(?1) WHERE name <> 'sum' ORDER BY cid)",
                           -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
        abort();
    snprintf(out, 400, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

static void change(sqlite3 *db, const unsigned char head[6], const unsigned char *value,
                   size_t length)
{
    const hs_store_part *part = &hs_store_parts[head[0] % hs_store_part_count];
    unsigned kind = head[3] % 8, at = head[4];
    sqlite3_stmt *statement = NULL;
    char sql[800], column[32], key[32] = "(", row[200], columns[400];
    name_columns(db, part->table, columns);
    column_name(columns, head[1], column);
    snprintf(key, sizeof key, "(%s)", part->key);
    snprintf(row, sizeof row,
             "%s = (SELECT %s FROM %s LIMIT 1 OFFSET %u %% max(1, (SELECT count(*) FROM %s)))", key,
             part->key, part->table, head[2], part->table);
    if (kind == 7)
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s", part->table, row);
    else if (kind == 6)
        snprintf(sql, sizeof sql, "UPDATE OR REPLACE %s SET %s = substr(%s, 1, %u) WHERE %s",
                 part->table, column, column, at, row);
    else if (kind == 5)
        snprintf(sql, sizeof sql,
                 "UPDATE OR REPLACE %s SET %s = CAST(substr(%s, 1, %u) || ?1 || substr(%s, %u + 1 +"
                 " length(?1)) AS BLOB) WHERE %s",
                 part->table, column, column, at, column, at, row);
    else
        snprintf(sql, sizeof sql, "UPDATE OR REPLACE %s SET %s = ?1 WHERE %s", part->table, column,
                 row);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
        abort();
    }
    if (sqlite3_bind_parameter_count(statement))
        bind_value(statement, kind, value, length);
    sqlite3_step(statement); /* what SQLite refuses is not done */
    sqlite3_finalize(statement);
}

bool hs_stores_seal(sqlite3 *db)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < hs_store_part_count && code == SQLITE_OK; i++) {
        char sql[500], columns[400];
        name_columns(db, hs_store_parts[i].table, columns);
        snprintf(sql, sizeof sql, "UPDATE %s SET sum = checksum(%s)", hs_store_parts[i].table,
                 columns);
        code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    }
    return code == SQLITE_OK;
}

static void make_store(const unsigned char *bytes, size_t length)
{
    sqlite3 *db = NULL;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(image, 1, image_length, file) != image_length || fclose(file) != 0 ||
        sqlite3_open(path, &db) != SQLITE_OK || hs_store_functions(db) != SQLITE_OK)
        abort();
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN", NULL, NULL,
                 NULL);
    for (size_t at = 0; at + 6 <= length;) {
        size_t size = bytes[at + 5];
        if (size > length - at - 6)
            size = length - at - 6;
        change(db, bytes + at, bytes + at + 6, size);
        at += 6 + size;
    }
    if (!hs_stores_seal(db) || sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        abort();
    sqlite3_close(db);
}

/* ---- reading ---- */

static int count_lines(void *context, const char *line, hsel_error *error)
{
    (void)error;
    *(unsigned *)context += *line != 0;
    return HSEL_OK;
}

/* All that a report asks for, whether or not the store is refused at first sight. */
static int read_past(unsigned *lines, hsel_error *error)
{
    static const char *const selectors[] = {"none", "hip"};
    hs_store *store = NULL;
    hs_stored_dataset found = {.id = -1};
    hs_stored got = {0};
    hs_job_state state;
    char *text = NULL, *folds = NULL, *message = NULL;
    uint64_t *total = NULL, tested;
    double *scores = NULL;
    int status = hs_store_open(path, HS_STORE_CHECK, false, &store, error);
    if (status == HSEL_OK)
        status = hs_store_check(store, count_lines, lines, error);
    if (status == HSEL_OK)
        status = hs_store_find_dataset(store, "alpha", &found, error);
    total = HS_NEW_ZERO(uint64_t, found.features);
    scores = HS_NEW_ZERO(double, found.features);
    for (int s = 0; s < 2 && status == HSEL_OK && found.id >= 0; s++) {
        status = hs_store_get(store, &(hs_result_key){found.id, selectors[s], "nb", "own", 2, 1},
                              &got, error);
        hs_stored_clear(&got);
        if (status == HSEL_OK)
            status = hs_store_frequencies(
                store, &(hs_result_key){found.id, selectors[s], NULL, "own", 2, 1}, 1, total,
                &tested, NULL, error);
    }
    if (status == HSEL_OK && found.id >= 0)
        status = hs_store_get_ranking(store, found.id, "ig", found.features, scores, &state,
                                      &message, error);
    if (status == HSEL_OK)
        status = hs_store_study_text(store, NULL, &text, &folds, NULL, error);
    hs_free(total);
    hs_free(scores);
    hs_free(message);
    hs_free(text);
    hs_free(folds);
    hs_stored_dataset_clear(&found);
    hs_store_close(store);
    return status;
}

static int read_report(hsel_error *error)
{
    hs_report report = {0};
    hs_writer *writer = NULL;
    int status = hs_report_make(&(hs_report_request){.store = path}, &report, error);
    if (status == HSEL_OK)
        status = hs_writer_open(output, &writer, error);
    if (status == HSEL_OK)
        status = hs_report_write(&report, HS_REPORT_CSV, writer, error);
    hs_writer_abandon(writer);
    hs_report_clear(&report);
    return status;
}

static bool is_a_line(int status, const hsel_error *error)
{
    return status == HSEL_OK || (error->message[0] && !strchr(error->message, '\n'));
}

const char *hs_exercise_store(const void *bytes, size_t length)
{
    hsel_error past_error = {0}, error = {0};
    unsigned lines = 0;
    set_up();
    make_store(bytes, length);
    int past = read_past(&lines, &past_error), status = read_report(&error);
    if (!is_a_line(past, &past_error) || !is_a_line(status, &error))
        return "a failure without a line about it";
    if (lines && status == HSEL_OK)
        return "a report of a store that is damaged";
    return NULL;
}

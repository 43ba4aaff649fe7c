/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a store what was put into it? Every row has a checksum over all of its columns, and rows must
 * make sense: what they refer to is there, numbers are in range. Both are functions of SQL, so that
 * one condition per table (check.sql) finds what is damaged, lists it and removes it.
 */
#include <math.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "core/mem.h"
#include "study/store_parts.h"

extern const char hs_study_check[]; /* check.sql */

/* ---- functions of SQL ---- */

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

bool hs_sound_probabilities(const void *bytes, size_t rows, uint32_t classes)
{
    const char *at = bytes;
    for (size_t i = 0; classes && i < rows; i++) {
        double sum = 0, p;
        for (uint32_t c = 0; c < classes; c++, at += sizeof p) {
            memcpy(&p, at, sizeof p);
            if (!(p >= 0 && p <= 1 + 1e-9)) /* nor NaN */
                return false;
            sum += p;
        }
        if (!(fabs(sum - 1) <= 1e-6))
            return false;
    }
    return true;
}

bool hs_sound_scores(const void *bytes, size_t length, size_t rows, uint32_t classes)
{
    size_t count = rows * hs_score_width(classes);
    double score;
    for (size_t i = 0; i < count && length == count * sizeof score; i++) {
        memcpy(&score, (const char *)bytes + i * sizeof score, sizeof score);
        if (isnan(score))
            return false;
    }
    return length == count * sizeof score;
}

/* sound_job(classes, tested, ok, probability, score) */
static void sound_job(sqlite3_context *context, int count, sqlite3_value **values)
{
    int64_t classes = sqlite3_value_int64(values[0]), tested = sqlite3_value_int64(values[1]);
    bool ok = sqlite3_value_int64(values[2]) == 1,
         has = sqlite3_value_type(values[3]) == SQLITE_BLOB;
    (void)count;
    if (ok && has)
        has = classes >= 0 && classes <= HS_CLASSES_LIMIT && tested >= 0 &&
              tested <= HS_INSTANCES_LIMIT &&
              sqlite3_value_bytes(values[3]) == tested * classes * (int64_t)sizeof(double) &&
              hs_sound_probabilities(sqlite3_value_blob(values[3]), (size_t)tested,
                                     (uint32_t)classes) &&
              hs_sound_scores(sqlite3_value_blob(values[4]), (size_t)sqlite3_value_bytes(values[4]),
                              (size_t)tested, (uint32_t)classes);
    sqlite3_result_int(context, ok == has);
}

static bool unpack(sqlite3_value *value, int64_t count, int64_t limit, uint32_t *scratch)
{
    return hs_unpack_numbers(sqlite3_value_blob(value), (size_t)sqlite3_value_bytes(value),
                             (uint32_t)limit, scratch, (size_t)count);
}

/* sound_unit(instances and features of the data set, tested, instances, selected, frequency) */
static void sound_unit(sqlite3_context *context, int count, sqlite3_value **values)
{
    int64_t n = sqlite3_value_int64(values[0]), features = sqlite3_value_int64(values[1]),
            tested = sqlite3_value_int64(values[2]);
    bool none = sqlite3_value_type(values[3]) == SQLITE_NULL; /* nothing was selected */
    (void)count;
    if (none || features < 0 || features > HS_FEATURES_LIMIT || tested < 0 || tested > n ||
        tested > sqlite3_value_bytes(values[3])) {
        sqlite3_result_int(context, none);
        return;
    }
    HS_OWNED uint32_t *scratch =
        HS_NEW(uint32_t, (size_t)(tested > features ? tested : features) + 1);
    if (scratch)
        sqlite3_result_int(context, unpack(values[3], tested, n - 1, scratch) &&
                                        unpack(values[4], tested, features, scratch) &&
                                        unpack(values[5], features, tested, scratch));
    else
        sqlite3_result_error_nomem(context);
}

struct seen {
    uint64_t *bits;
    size_t words;
    bool twice;
};

/* tested_twice(tested, instances): is an instance in more than one of the rows, or in one of them
 * twice? Numbers that differ take a byte each at least. */
static void see_tested(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct seen *seen = sqlite3_aggregate_context(context, sizeof *seen);
    int64_t tested = sqlite3_value_int64(values[0]);
    bool possible = tested >= 0 && tested <= sqlite3_value_bytes(values[1]);
    HS_OWNED uint32_t *scratch = possible ? HS_NEW(uint32_t, (size_t)tested + 1) : NULL;
    (void)count;
    if (!seen || (possible && !scratch)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    seen->twice |= !possible || !unpack(values[1], tested, HS_INSTANCES_LIMIT - 1, scratch);
    for (int64_t i = 0; i < tested && !seen->twice; i++) {
        size_t word = scratch[i] / 64, before = seen->words;
        uint64_t bit = UINT64_C(1) << scratch[i] % 64;
        if (!HS_GROW(&seen->bits, &seen->words, word + 1)) {
            sqlite3_result_error_nomem(context);
            return;
        }
        memset(seen->bits + before, 0, (seen->words - before) * sizeof bit);
        seen->twice |= (seen->bits[word] & bit) != 0;
        seen->bits[word] |= bit;
    }
}

static void tell_twice(sqlite3_context *context)
{
    struct seen *seen = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int(context, seen && seen->twice);
    if (seen)
        hs_free(seen->bits);
}

int hs_store_functions(sqlite3 *db)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } all[] = {{"checksum", -1, sum_values, NULL, NULL},
               {"sound_job", 5, sound_job, NULL, NULL},
               {"sound_unit", 6, sound_unit, NULL, NULL},
               {"tested_twice", 2, NULL, see_tested, tell_twice}};
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && code == SQLITE_OK; i++)
        code = sqlite3_create_function_v2(db, all[i].name, all[i].arguments,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                          NULL, all[i].call, all[i].step, all[i].final, NULL);
    return code;
}

/* ---- looking ---- */

const hs_store_part hs_store_parts[] = {
    {"text", "id"},          {"dataset", "id"},           {"fold_file", "dataset, scheme"},
    {"unit", "id"},          {"job", "unit, classifier"}, {"study", "id"},
    {"uses", "study, name"}, {"about", "dataset"},
};
const size_t hs_store_part_count = sizeof hs_store_parts / sizeof hs_store_parts[0];

/* The first column of each row of the statement to `each`. */
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

/* What SQLite finds wrong with the file, one finding. */
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
    if (before.count) { /* indexes can be made again from the rows */
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
        /* A data set with a name stays: its row is put again when a run meets it. */
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

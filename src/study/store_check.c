/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a store what was put into it? Every row has a checksum over all of its columns, and rows must
 * make sense: what they refer to is there, numbers are in range. Both are functions of SQL, so that
 * one condition per table finds what is damaged, lists it and removes it.
 */
#include <math.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "core/mem.h"
#include "study/store_parts.h"

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
    for (size_t i = 0; i < rows; i++) {
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
    if (!bytes)
        return true;
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
    int64_t length = sqlite3_value_bytes(values[3]);
    bool ok = sqlite3_value_int64(values[2]) == 1,
         has = sqlite3_value_type(values[3]) == SQLITE_BLOB;
    (void)count;
    if (ok && has && length)
        has = classes > 0 && classes <= HS_CLASSES_LIMIT &&
              tested == length / (classes * (int64_t)sizeof(double)) &&
              length % (classes * (int64_t)sizeof(double)) == 0 &&
              hs_sound_probabilities(sqlite3_value_blob(values[3]), (size_t)tested,
                                     (uint32_t)classes) &&
              hs_sound_scores(sqlite3_value_blob(values[4]), (size_t)sqlite3_value_bytes(values[4]),
                              (size_t)tested, (uint32_t)classes);
    else if (ok)
        has = has && (tested == 0 || classes == 0);
    sqlite3_result_int(context, ok == has);
}

static bool unpack_below(sqlite3_value *value, int64_t count, int64_t limit, uint32_t *scratch)
{
    if (!hs_unpack_numbers(sqlite3_value_blob(value), (size_t)sqlite3_value_bytes(value), scratch,
                           (size_t)count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (scratch[i] >= limit)
            return false;
    return true;
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
        sqlite3_result_int(context, unpack_below(values[3], tested, n, scratch) &&
                                        unpack_below(values[4], tested, features + 1, scratch) &&
                                        unpack_below(values[5], features, tested + 1, scratch));
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
    seen->twice |= !possible || !unpack_below(values[1], tested, HS_INSTANCES_LIMIT, scratch);
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

/* ---- tables ---- */

#define NAMED(column)                                                                              \
    "'data set ' || ifnull((SELECT n.name FROM name n WHERE n.dataset = " column "), '?')"
#define TEXT(column)     "ifnull((SELECT t.text FROM text t WHERE t.id = " column "), '?')"
#define HAS_SET(column)  "EXISTS(SELECT 1 FROM dataset d WHERE d.id = " column ")"
#define HAS_TEXT(column) "EXISTS(SELECT 1 FROM text t WHERE t.id = " column ")"
/* Only data sets that are whole themselves say what is in range. */
#define SOUND_SET                                                                                  \
    "instances BETWEEN 0 AND 1073741824 AND ifnull(length(class_of), 4 * instances) = 4 *"         \
    " instances AND classes BETWEEN 0 AND ifnull(length(class_names), 0) AND features BETWEEN 0"   \
    " AND ifnull(length(feature_names), 0)"
#define WHOLE_SETS                                                                                 \
    "(SELECT id FROM dataset WHERE sum IS checksum(" HS_DATASET_COLUMNS ") AND " SOUND_SET ")"
#define FITS(set, condition)                                                                       \
    "ifnull((SELECT CASE WHEN d.id IN " WHOLE_SETS " THEN " condition                              \
    " ELSE 1 END FROM dataset d WHERE d.id = " set "), 0)"
/* Each instance is tested in one fold of a repeat. */
#define REPEAT "dataset, selector, scheme, folds, seed"
#define MIXED                                                                                      \
    "(SELECT " REPEAT " FROM unit WHERE instances IS NOT NULL GROUP BY " REPEAT                    \
    " HAVING tested_twice(tested, instances))"
#define UNIT_WORDS                                                                                 \
    NAMED("unit.dataset")                                                                          \
    " || ', selector ' || " TEXT("unit.selector") " || ', seed ' || unit.seed || ', fold ' || "    \
                                                  "(unit.fold + 1)"

/* In this order a row that is removed takes with it what refers to it. */
const hs_store_part hs_store_parts[] = {
    {"text", HS_TEXT_COLUMNS, "id", "'the text ' || quote(text)", "1"},
    {"dataset", HS_DATASET_COLUMNS, "id", NAMED("dataset.id"), SOUND_SET},
    {"name", HS_NAME_COLUMNS, "name", "'the name ' || quote(name)", HAS_SET("name.dataset")},
    {"fold_file", HS_FOLD_FILE_COLUMNS, "dataset, scheme",
     NAMED("fold_file.dataset") " || ', folds of ' || quote(scheme)", HAS_SET("fold_file.dataset")},
    {"unit", HS_UNIT_COLUMNS, "id", UNIT_WORDS,
     HAS_TEXT("unit.selector") " AND " HAS_TEXT(
         "unit.scheme") " AND (" REPEAT ") NOT IN " MIXED
                        " AND " FITS("unit.dataset",
                                     "sound_unit(d.instances, d.features, unit.tested,"
                                     " unit.instances, unit.selected, unit.frequency)")},
    {"job", HS_JOB_COLUMNS, "unit, classifier",
     "ifnull((SELECT " UNIT_WORDS " FROM unit WHERE unit.id = job.unit), 'unit ' || job.unit)"
     " || ', classifier ' || " TEXT("job.classifier"),
     HAS_TEXT("job.classifier") " AND ifnull((SELECT " FITS(
         "u.dataset",
         "sound_job(d.classes, u.tested, job.ok, job.probability, job.score)") " FROM unit u WHERE "
                                                                               "u.id = "
                                                                               "job.unit), 0)"},
    {"ranking", HS_RANKING_COLUMNS, "id",
     NAMED("ranking.dataset") " || ', ranker ' || " TEXT("ranking.ranker"),
     HAS_TEXT("ranking.ranker") " AND " FITS(
         "ranking.dataset", "ifnull(length(ranking.scores), 8 * d.features) = 8 * d.features")},
    {"study", HS_STUDY_COLUMNS, "id", "'the study ' || quote(name)", "1"},
};
const size_t hs_store_part_count = sizeof hs_store_parts / sizeof hs_store_parts[0];

int hs_store_seal(hs_store *store, hsel_error *error)
{
    for (size_t i = 0; i < hs_store_part_count; i++) {
        HS_OWNS(hs_buf_clear) hs_buf sql = {0};
        hs_buf_printf(&sql, "UPDATE %s SET sum = checksum(%s)", hs_store_parts[i].table,
                      hs_store_parts[i].columns);
        HS_NEED(!sql.failed);
        HS_TRY(hs_store_run(store, sql.text, error));
    }
    return HSEL_OK;
}

/* ---- looking ---- */

/* The first column of each row to `each`. */
static int each_row(hs_store *store, const char *sql, hs_store_name_function each, void *context,
                    hsel_error *error)
{
    HS_OWNS(hs_store_finalize) sqlite3_stmt *row = NULL;
    int code;
    store->steps = 0;
    if (sqlite3_prepare_v2(store->db, sql, -1, &row, NULL) != SQLITE_OK)
        return hs_store_fail(store, error);
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(row, 0);
        HS_NEED(text);
        HS_TRY(each(context, text, error));
    }
    return code == SQLITE_DONE ? HSEL_OK : hs_store_fail(store, error);
}

/* What SQLite finds wrong with the file, one finding. */
static const char wrong_pages[] =
    "SELECT integrity_check FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'";

static int check_part(hs_store *store, const hs_store_part *part, hs_store_name_function each,
                      void *context, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf sql = {0};
    hs_buf_printf(&sql,
                  "SELECT %s || CASE WHEN sum IS checksum(%s) THEN ': it cannot be so' ELSE ': its"
                  " checksum is wrong' END"
                  " FROM %s NOT INDEXED WHERE sum IS NOT checksum(%s) OR NOT (%s)",
                  part->words, part->columns, part->table, part->columns, part->sound);
    HS_NEED(!sql.failed);
    return each_row(store, sql.text, each, context, error);
}

int hs_store_check(hs_store *store, hs_store_name_function each, void *context, hsel_error *error)
{
    HS_TRY(each_row(store, wrong_pages, each, context, error));
    for (size_t i = 0; i < hs_store_part_count; i++)
        HS_TRY(check_part(store, &hs_store_parts[i], each, context, error));
    return HSEL_OK;
}

static int refuse(void *context, const char *line, hsel_error *error)
{
    const hs_store *store = context;
    return hs_fail_at(
        error, HSEL_EFORMAT, store->path, 0,
        "the store is damaged: %s; hsel check shows all of it, hsel run does it again", line);
}

int hs_store_refuse_damage(hs_store *store, hsel_error *error)
{
    return hs_store_check(store, refuse, store, error);
}

/* ---- removing ---- */

static int remember(void *context, const char *line, hsel_error *error)
{
    return hs_names_append(context, line, strlen(line), error);
}

static int remove_parts(hs_store *store, bool indexes, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names pages = {0};
    if (indexes) { /* they can be made again from the rows */
        HS_TRY(hs_store_run(store, "REINDEX", error));
        HS_TRY(remember(&store->removed, "indexes", error));
    }
    for (size_t i = 0; i < hs_store_part_count; i++) {
        const hs_store_part *part = &hs_store_parts[i];
        HS_OWNS(hs_buf_clear) hs_buf sql = {0};
        uint32_t before = store->removed.count;
        HS_TRY(check_part(store, part, remember, &store->removed, error));
        if (store->removed.count == before)
            continue;
        /* A data set with a name stays: its row is put again when a run meets it. */
        hs_buf_printf(
            &sql,
            "DELETE FROM %s WHERE (%s) IN (SELECT %s FROM %s NOT INDEXED WHERE sum IS NOT"
            " checksum(%s) OR NOT (%s))%s",
            part->table, part->key, part->key, part->table, part->columns, part->sound,
            strcmp(part->table, "dataset") == 0 ? " AND id NOT IN (SELECT dataset FROM name)" : "");
        HS_NEED(!sql.failed);
        HS_TRY(hs_store_run(store, sql.text, error));
    }
    if (indexes)
        HS_TRY(each_row(store, wrong_pages, remember, &pages, error));
    return pages.count ? hs_store_damaged(store, hs_names_get(&pages, 0), error) : HSEL_OK;
}

int hs_store_remove_damage(hs_store *store, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names pages = {0};
    HS_TRY(each_row(store, wrong_pages, remember, &pages, error));
    HS_TRY(hs_store_begin(store, error));
    return hs_store_end(store, remove_parts(store, pages.count > 0, error), error);
}

const hs_names *hs_store_removed(const hs_store *store) { return &store->removed; }

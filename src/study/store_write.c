/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting data sets, studies and finished units into the store. Numbers are kept as they lie in
 * memory, in the byte order of the machine; doubles are exact.
 */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "core/mem.h"
#include "core/progress.h"
#include "data/summary.h"
#include "study/store_parts.h"

int64_t hs_store_folds_key(const char *scheme, uint32_t folds)
{
    return strcmp(scheme, "loo") == 0 || strncmp(scheme, "file:", 5) == 0 ? 0 : folds;
}

/* ---- data sets and studies ---- */

/* As text, because a column of whole numbers holds no more than 63 bits. */
static const char *print_text(uint64_t fingerprint, char out[20])
{
    snprintf(out, 20, "%016llx", (unsigned long long)fingerprint);
    return out;
}

int hs_store_find_content(hs_store *store, uint64_t fingerprint, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char text[20];
    int status = hs_store_prepare(
        store, &statement, error,
        "SELECT id FROM dataset WHERE fingerprint = ? AND sum IS checksum(" HS_DATASET_COLUMNS ")",
        "t", print_text(fingerprint, text));
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *id = got > 0 ? sqlite3_column_int64(statement, 0) : -1;
    hs_store_release(statement);
    return got < 0 ? got : HSEL_OK;
}

static size_t pool_length(const hs_names *names)
{
    return names->count ? (size_t)names->start[names->count] : 0;
}

/* A row that is damaged keeps its id, to which results refer. */
static int put_content(hs_store *store, const hsel_dataset *data, uint64_t fingerprint, int64_t *id,
                       hsel_error *error)
{
    char text[20];
    const hs_names *classes = &data->class_names, *features = &data->feature_names;
    sqlite3_stmt *statement = NULL;
    hs_summary summary = {0};
    int status = hs_summarise_quickly(data, &summary, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error,
                                  "SELECT id FROM dataset WHERE fingerprint = ? UNION ALL"
                                  " SELECT ifnull(max(id), 0) + 1 FROM dataset",
                                  "t", print_text(fingerprint, text));
    if (status == HSEL_OK && (status = hs_store_step(store, statement, error)) > 0) {
        *id = sqlite3_column_int64(statement, 0);
        status = HSEL_OK;
    }
    hs_store_release(statement);
    if (status)
        return status;
    status = hs_store_prepare(
        store, &statement, error,
        HS_STORE_PUT("dataset", HS_DATASET_COLUMNS, "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12"),
        "itiiiibbbiii", *id, text, (int64_t)data->instances, (int64_t)data->features,
        (int64_t)classes->count, (int64_t)data->positive_class, classes->pool, pool_length(classes),
        features->pool, pool_length(features), data->class_of, data->instances * sizeof(uint32_t),
        (int64_t)summary.positives, data->dag ? (int64_t)summary.edges : -1,
        (int64_t)summary.shape.depth);
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    uint64_t fingerprint = hs_dataset_fingerprint(data);
    int status = hs_store_find_content(store, fingerprint, id, error);
    if (status == HSEL_OK && *id < 0)
        status = put_content(store, data, fingerprint, id, error);
    /* A content may have several names; a name stands for the content it was last seen with. */
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error,
                                  HS_STORE_PUT("name", HS_NAME_COLUMNS, "?1,?2"), "ti",
                                  hsel_dataset_name(data), *id);
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int64_t id;
    /* Replacing gives a new id, so that the highest one is the study that ran last. */
    int status = hs_store_number(store, HS_STORE_NEXT("study"), 1, &id, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(
            store, &statement, error, HS_STORE_PUT("study", HS_STUDY_COLUMNS, "?1,?2,?3,?4"),
            "ittt", id, study->name, study->text ? study->text : "", study->fold_file);
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme, const hs_folds *folds,
                       hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char hash[20];
    bool same = false;
    print_text(XXH3_64bits(folds->order, folds->instances * sizeof *folds->order) ^
                   XXH3_64bits(folds->start, ((size_t)folds->count + 1) * sizeof *folds->start),
               hash);
    int status = hs_store_prepare(store, &statement, error,
                                  "SELECT hash = ? FROM fold_file WHERE dataset = ? AND scheme = ?",
                                  "tit", hash, dataset, scheme);
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    same = got > 0 && sqlite3_column_int(statement, 0);
    hs_store_release(statement);
    if (got < 0 || same)
        return got < 0 ? got : HSEL_OK;
    if (got > 0)
        return hs_fail_at(
            error, HSEL_EUSAGE, store->path, 0,
            "the store has results for other folds than those of %.300s: give another store",
            scheme + 5);
    status = hs_store_prepare(store, &statement, error,
                              HS_STORE_PUT("fold_file", HS_FOLD_FILE_COLUMNS, "?1,?2,?3,?4"),
                              "itit", dataset, scheme, (int64_t)folds->count, hash);
    return status ? status : hs_store_finish(store, statement, error);
}

/* ---- units ---- */

/* A unit's key in numbers; -1 for a text that the store has not met. */
static int find_texts(hs_store *store, const hs_unit_key *key, bool add, int64_t *selector,
                      int64_t *scheme, hsel_error *error)
{
    int status = hs_store_text(store, key->selector, add, selector, error);
    return status ? status : hs_store_text(store, key->scheme, add, scheme, error);
}

int hs_store_has_units(hs_store *store, int64_t dataset, bool *out, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    int status = hs_store_prepare(store, &row, error,
                                  "SELECT 1 FROM unit WHERE dataset = ? LIMIT 1", "i", dataset);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    *out = got > 0;
    hs_store_release(row);
    return got < 0 ? got : HSEL_OK;
}

int hs_store_jobs(hs_store *store, const hs_unit_key *key, const char *const *classifiers,
                  size_t count, hs_job_state *out, hsel_error *error)
{
    static const char sql[] =
        "SELECT j.ok FROM unit u JOIN job j ON j.unit = u.id WHERE u.dataset = ? AND u.selector = ?"
        " AND u.scheme = ? AND u.folds = ? AND u.seed = ? AND u.fold = ? AND j.classifier = ?";
    sqlite3_stmt *statement = NULL;
    int64_t selector, scheme, classifier;
    int status = find_texts(store, key, false, &selector, &scheme, error);
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        out[i] = HS_JOB_NONE;
        if ((status = hs_store_text(store, classifiers[i], false, &classifier, error)))
            break;
        status = hs_store_prepare(store, &statement, error, sql, "iiiiiii", key->dataset, selector,
                                  scheme, hs_store_folds_key(key->scheme, key->folds),
                                  (int64_t)key->seed, (int64_t)key->fold, classifier);
        if (status)
            break;
        int got = hs_store_step(store, statement, error);
        if (got > 0)
            out[i] = sqlite3_column_int(statement, 0) ? HS_JOB_OK : HS_JOB_FAILED;
        hs_store_release(statement);
        status = got < 0 ? got : HSEL_OK;
    }
    return status;
}

/* A unit's numbers packed one after the other; all empty where nothing was selected. */
struct packed {
    hs_buf bytes;
    size_t selected, frequency; /* where these begin */
};

static void pack(const hs_unit_result *result, struct packed *out)
{
    bool there = result->instances != NULL;
    hs_pack_numbers(result->instances, there ? result->tested : 0, &out->bytes);
    out->selected = out->bytes.length;
    hs_pack_numbers(result->selected, there ? result->tested : 0, &out->bytes);
    out->frequency = out->bytes.length;
    hs_pack_numbers(result->frequency, there ? result->features : 0, &out->bytes);
}

/* The row of a unit; *id is that of a new one, and *there false, when it is not there. */
static int find_unit(hs_store *store, const hs_unit_key *key, const int64_t words[2], int64_t *id,
                     bool *there, hsel_error *error)
{
    static const char sql[] =
        "SELECT id FROM unit WHERE dataset = ? AND selector = ? AND scheme = ? AND folds = ? AND"
        " seed = ? AND fold = ?";
    sqlite3_stmt *row = NULL;
    int status = hs_store_prepare(store, &row, error, sql, "iiiiii", key->dataset, words[0],
                                  words[1], hs_store_folds_key(key->scheme, key->folds),
                                  (int64_t)key->seed, (int64_t)key->fold);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    *there = got > 0;
    *id = got > 0 ? sqlite3_column_int64(row, 0) : -1;
    hs_store_release(row);
    return got < 0  ? got
           : *there ? HSEL_OK
                    : hs_store_number(store, HS_STORE_NEXT("unit"), 1, id, error);
}

/* A unit may be there already, with other classifiers or a failure: the selection is brought up to
 * date, unless nothing worked this time. */
static int put_unit(hs_store *store, const hs_unit_key *key, const hs_unit_result *result,
                    int64_t *id, hsel_error *error)
{
    struct packed packed = {0};
    sqlite3_stmt *statement = NULL;
    int64_t words[2];
    bool there = false;
    int status = find_texts(store, key, true, &words[0], &words[1], error);
    if (status == HSEL_OK)
        status = find_unit(store, key, words, id, &there, error);
    if (status || (there && !result->instances))
        return status;
    pack(result, &packed);
    const char *bytes = result->instances ? packed.bytes.text : NULL;
    status =
        packed.bytes.failed
            ? hs_fail_memory(error)
            : hs_store_prepare(
                  store, &statement, error,
                  HS_STORE_PUT("unit", HS_UNIT_COLUMNS, "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12"),
                  "iiiiiiidibbb", *id, key->dataset, words[0], words[1],
                  hs_store_folds_key(key->scheme, key->folds), (int64_t)key->seed,
                  (int64_t)key->fold, result->select_seconds, (int64_t)result->tested, bytes,
                  packed.selected, bytes ? bytes + packed.selected : NULL,
                  packed.frequency - packed.selected, bytes ? bytes + packed.frequency : NULL,
                  packed.bytes.length - packed.frequency);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    hs_buf_clear(&packed.bytes);
    return status;
}

/* A job that is ok has probabilities (and scores), one that failed has a message. */
static int put_job(hs_store *store, int64_t unit, const hs_unit_result *result, size_t c,
                   hsel_error *error)
{
    static const char sql[] = HS_STORE_PUT("job", HS_JOB_COLUMNS, "?1,?2,?3,?4,?5,?6,?7");
    sqlite3_stmt *statement = NULL;
    int64_t classifier;
    const double *probability = result->probability ? result->probability[c] : NULL;
    const double *score = probability && result->score ? result->score[c] : NULL;
    const char *message = probability        ? NULL
                          : result->messages ? result->messages[c]
                                             : result->message;
    int status = hs_store_text(store, result->classifiers[c], true, &classifier, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(
            store, &statement, error, sql, "iiidtbb", unit, classifier,
            (int64_t)(probability != NULL),
            result->classify_seconds ? result->classify_seconds[c] : 0.0,
            probability || message ? message : "failed", probability,
            (size_t)result->tested * result->classes * sizeof *probability, score,
            (size_t)result->tested * hs_score_width(result->classes) * sizeof *score);
    return status ? status : hs_store_finish(store, statement, error);
}

void hs_store_group(hs_store *store, double seconds) { store->group_seconds = seconds; }

int hs_store_commit(hs_store *store, hsel_error *error)
{
    if (!store->in_group)
        return HSEL_OK;
    store->in_group = false;
    return hs_store_end(store, HSEL_OK, error);
}

int hs_store_open_group(hs_store *store, hsel_error *error)
{
    int status = store->in_group ? HSEL_OK : hs_store_begin(store, error);
    if (status == HSEL_OK && !store->in_group) {
        store->in_group = true;
        store->group_began = store->group_seconds > 0 ? hs_now() : 0;
    }
    return status;
}

int hs_store_close_group(hs_store *store, int status, hsel_error *error)
{
    if (status) {
        store->in_group = false;
        return hs_store_end(store, status, error);
    }
    if (store->group_seconds > 0 && hs_now() - store->group_began < store->group_seconds)
        return HSEL_OK;
    return hs_store_commit(store, error);
}

int hs_store_put(hs_store *store, const hs_unit_key *key, const hs_unit_result *result,
                 hsel_error *error)
{
    int64_t unit = -1;
    int status = hs_store_open_group(store, error);
    if (status)
        return status;
    status = put_unit(store, key, result, &unit, error);
    for (size_t c = 0; c < result->classifier_count && status == HSEL_OK; c++)
        status = put_job(store, unit, result, c, error);
    return hs_store_close_group(store, status, error);
}

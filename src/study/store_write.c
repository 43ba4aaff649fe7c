/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting data sets and finished units into the store, and taking over another store.
 */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/mem.h"
#include "study/store_parts.h"

/* ---- packed counts ---- */

int hs_pack_counts(const uint32_t *counts, size_t count, void **bytes, size_t *length, hsel_error *error)
{
    uLongf room = compressBound(count * sizeof *counts);
    *bytes = hs_alloc(room, 1);
    if (!*bytes || compress2(*bytes, &room, (const Bytef *)counts, count * sizeof *counts, 1) != Z_OK) {
        hs_free(*bytes);
        return hs_fail_memory(error);
    }
    *length = room;
    return HSEL_OK;
}

int hs_unpack_counts(const void *bytes, size_t length, uint32_t *counts, size_t count, hsel_error *error)
{
    uLongf room = count * sizeof *counts;
    if (uncompress((Bytef *)counts, &room, bytes, length) != Z_OK || room != count * sizeof *counts)
        return hs_fail(error, HSEL_EFORMAT, "the store is damaged: counts cannot be unpacked");
    return HSEL_OK;
}

/* ---- data sets and studies ---- */

static int find_dataset(hs_store *store, const char *fingerprint, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status = hs_store_prepare(store, &statement, error, "SELECT id FROM dataset WHERE fingerprint = ?", "t",
                                  fingerprint);
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *id = got > 0 ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return got < 0 ? got : HSEL_OK;
}

int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char fingerprint[20];
    snprintf(fingerprint, sizeof fingerprint, "%016llx", (unsigned long long)hs_dataset_fingerprint(data));
    int status = find_dataset(store, fingerprint, id, error);
    if (status || *id >= 0)
        return status;
    const hs_names *classes = &data->class_names, *features = &data->feature_names;
    status = hs_store_prepare(
        store, &statement, error,
        "INSERT INTO dataset(fingerprint, name, instances, features, classes, positive_class, class_names, feature_names,"
        " class_of) VALUES(?,?,?,?,?,?,?,?,?)",
        "ttiiiibbb", fingerprint, hsel_dataset_name(data), (int64_t)data->instances, (int64_t)data->features,
        (int64_t)classes->count, (int64_t)data->positive_class, classes->count ? classes->pool : "",
        (size_t)(classes->count ? classes->start[classes->count] : 0), features->count ? features->pool : "",
        (size_t)(features->count ? features->start[features->count] : 0), data->class_of,
        data->class_of ? data->instances * sizeof *data->class_of : (size_t)0);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status == HSEL_OK)
        *id = sqlite3_last_insert_rowid(store->db);
    return status;
}

int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    /* Again last, so that the newest row is the study that ran last. */
    int status = hs_store_prepare(store, &statement, error, "DELETE FROM study WHERE name = ? AND text = ?", "tt",
                                  study->name, study->text);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, "INSERT INTO study(name, text) VALUES(?,?)", "tt",
                                  study->name, study->text);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    return status;
}

/* ---- units ---- */

int hs_store_done(hs_store *store, const hs_unit_key *key, const char *const *classifiers, size_t count,
                  bool failed_too, bool *done, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    memset(done, 0, count * sizeof *done);
    int got = 0, status = hs_store_prepare(store, &statement, error,
                                           "SELECT classifier, ok FROM job WHERE dataset = ? AND selector = ? AND scheme = ?"
                                           " AND folds = ? AND seed = ? AND fold = ?",
                                           "ittiii", key->dataset, key->selector, key->scheme, (int64_t)key->folds,
                                           (int64_t)key->seed, (int64_t)key->fold);
    if (status)
        return status;
    while ((got = hs_store_step(store, statement, error)) > 0)
        for (size_t i = 0; i < count; i++)
            if (strcmp((const char *)sqlite3_column_text(statement, 0), classifiers[i]) == 0)
                done[i] = failed_too || sqlite3_column_int(statement, 1);
    sqlite3_finalize(statement);
    return got < 0 ? got : HSEL_OK;
}

static int put_selection(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    void *packed = NULL;
    size_t length = 0;
    int status = hs_pack_counts(result->frequency, result->features, &packed, &length, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(
            store, &statement, error, "INSERT OR REPLACE INTO selection VALUES(?,?,?,?,?,?,?,?,?,?)", "ittiiibbbd",
            key->dataset, key->selector, key->scheme, (int64_t)key->folds, (int64_t)key->seed, (int64_t)key->fold,
            result->instances, result->tested * sizeof *result->instances, result->selected,
            result->tested * sizeof *result->selected, packed, length, result->select_seconds);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    hs_free(packed);
    return status;
}

static int put_job(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, size_t c, hsel_error *error)
{
    static const char sql[] = "INSERT OR REPLACE INTO job(dataset, selector, classifier, scheme, folds, seed, fold, ok,"
                              " message, seconds, probability) VALUES(?,?,?,?,?,?,?,?,?,?,?)";
    sqlite3_stmt *statement = NULL;
    const double *probability = result->probability ? result->probability[c] : NULL;
    size_t bytes = probability ? (size_t)result->tested * result->classes * sizeof *probability : 0;
    int status = hs_store_prepare(store, &statement, error, sql, "itttiiii", key->dataset, key->selector,
                                  result->classifiers[c], key->scheme, (int64_t)key->folds, (int64_t)key->seed,
                                  (int64_t)key->fold, (int64_t)(probability != NULL));
    if (status)
        return status;
    /* What is not bound stays NULL: a message for a failure, probabilities for a success. */
    sqlite3_bind_double(statement, 10, result->classify_seconds ? result->classify_seconds[c] : 0);
    if (probability)
        sqlite3_bind_blob64(statement, 11, probability, bytes, SQLITE_STATIC);
    else
        sqlite3_bind_text(statement, 9, result->message ? result->message : "failed", -1, SQLITE_STATIC);
    return hs_store_finish(store, statement, error);
}

int hs_store_put(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, hsel_error *error)
{
    int status = hs_store_begin(store, error);
    if (status)
        return status;
    if (result->instances)
        status = put_selection(store, key, result, error);
    for (size_t c = 0; c < result->classifier_count && status == HSEL_OK; c++)
        status = put_job(store, key, result, c, error);
    return hs_store_end(store, status, error);
}

/* ---- merging ---- */

int hs_store_merge(hs_store *store, const char *other, uint64_t *taken, hsel_error *error)
{
    static const char sql[] =
        "INSERT OR IGNORE INTO dataset(fingerprint, name, instances, features, classes, positive_class, class_names,"
        "  feature_names, class_of) SELECT fingerprint, name, instances, features, classes, positive_class, class_names,"
        "  feature_names, class_of FROM other.dataset;"
        "INSERT OR IGNORE INTO selection SELECT mine.id, selector, scheme, folds, seed, fold, s.instances, selected,"
        "  frequency, seconds FROM other.selection s JOIN other.dataset theirs ON s.dataset = theirs.id"
        "  JOIN main.dataset mine ON mine.fingerprint = theirs.fingerprint;"
        "DELETE FROM job WHERE ok = 0 AND EXISTS(SELECT 1 FROM other.job j JOIN other.dataset theirs ON j.dataset ="
        "  theirs.id JOIN main.dataset mine ON mine.fingerprint = theirs.fingerprint WHERE j.ok = 1 AND mine.id = job.dataset"
        "  AND j.selector = job.selector AND j.classifier = job.classifier AND j.scheme = job.scheme AND j.folds = job.folds"
        "  AND j.seed = job.seed AND j.fold = job.fold);"
        "INSERT OR IGNORE INTO job(dataset, selector, classifier, scheme, folds, seed, fold, ok, message, seconds,"
        "  probability) SELECT mine.id, selector, classifier, scheme, folds, seed, fold, ok, message, seconds, probability"
        "  FROM other.job j JOIN other.dataset theirs ON j.dataset = theirs.id"
        "  JOIN main.dataset mine ON mine.fingerprint = theirs.fingerprint ORDER BY j.id;";
    static const char study_sql[] = "INSERT OR IGNORE INTO study(name, text) SELECT name, text FROM other.study ORDER BY id;";
    sqlite3_stmt *statement = NULL;
    hs_store *check = NULL;
    int status = hs_store_open(other, HS_STORE_READ, false, &check, error); /* is it a store of this schema? */
    hs_store_close(check);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, "ATTACH ? AS other", "t", other);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status)
        return status;
    if ((status = hs_store_begin(store, error)) == HSEL_OK) {
        status = hs_store_run(store, sql, error);
        *taken = (uint64_t)sqlite3_changes64(store->db);
        if (status == HSEL_OK)
            status = hs_store_run(store, study_sql, error);
        status = hs_store_end(store, status, error);
    }
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting data sets, studies and finished units into the store. Numbers are kept as they lie in memory, in the byte order of
 * the machine; doubles are exact.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>
#include <zlib.h>

#include "core/mem.h"
#include "study/store_parts.h"

int64_t hs_store_folds_key(const char *scheme, uint32_t folds)
{
    return strcmp(scheme, "loo") == 0 || strncmp(scheme, "file:", 5) == 0 ? 0 : folds;
}

/* ---- data sets and studies ---- */

static int find_content(hs_store *store, const char *fingerprint, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status = hs_store_prepare(store, &statement, error, "SELECT id FROM dataset WHERE fingerprint = ?", "t",
                                  fingerprint);
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    *id = got > 0 ? sqlite3_column_int64(statement, 0) : -1;
    hs_store_release(statement);
    return got < 0 ? got : HSEL_OK;
}

static size_t pool_length(const hs_names *names) { return names->count ? (size_t)names->start[names->count] : 0; }

static int put_content(hs_store *store, const hsel_dataset *data, const char *fingerprint, int64_t *id,
                       hsel_error *error)
{
    static const char sql[] = "INSERT INTO dataset(fingerprint, instances, features, classes, positive_class, class_names,"
                              " feature_names, class_of) VALUES(?,?,?,?,?,?,?,?)";
    const hs_names *classes = &data->class_names, *features = &data->feature_names;
    sqlite3_stmt *statement = NULL;
    int status = hs_store_prepare(store, &statement, error, sql, "tiiiibbb", fingerprint, (int64_t)data->instances,
                                  (int64_t)data->features, (int64_t)classes->count, (int64_t)data->positive_class,
                                  classes->pool, pool_length(classes), features->pool, pool_length(features),
                                  data->class_of, data->instances * sizeof(uint32_t));
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status == HSEL_OK)
        *id = sqlite3_last_insert_rowid(store->db);
    return status;
}

int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char fingerprint[20];
    snprintf(fingerprint, sizeof fingerprint, "%016llx", (unsigned long long)hs_dataset_fingerprint(data));
    int status = find_content(store, fingerprint, id, error);
    if (status == HSEL_OK && *id < 0)
        status = put_content(store, data, fingerprint, id, error);
    /* A content may have several names; a name stands for the content it was last seen with. */
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, "INSERT OR REPLACE INTO name VALUES(?,?)", "ti",
                                  hsel_dataset_name(data), *id);
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    /* Replacing gives a new id, so that the highest one is the study that ran last. */
    int status = hs_store_prepare(store, &statement, error, "INSERT OR REPLACE INTO study(name, text) VALUES(?,?)", "tt",
                                  study->name, study->text ? study->text : "");
    return status ? status : hs_store_finish(store, statement, error);
}

int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme, const hs_folds *folds, hsel_error *error)
{
    sqlite3_stmt *statement = NULL;
    char hash[20];
    bool same = false;
    snprintf(hash, sizeof hash, "%016llx",
             (unsigned long long)XXH3_64bits(folds->order, folds->instances * sizeof *folds->order) ^
                 (unsigned long long)XXH3_64bits(folds->start, ((size_t)folds->count + 1) * sizeof *folds->start));
    int status = hs_store_prepare(store, &statement, error, "INSERT OR IGNORE INTO fold_file VALUES(?,?,?,?)", "itit",
                                  dataset, scheme, (int64_t)folds->count, hash);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error,
                                  "SELECT hash = ? FROM fold_file WHERE dataset = ? AND scheme = ?", "tit", hash,
                                  dataset, scheme);
    if (status)
        return status;
    int got = hs_store_step(store, statement, error);
    same = got > 0 && sqlite3_column_int(statement, 0);
    hs_store_release(statement);
    if (got < 0 || same)
        return got < 0 ? got : HSEL_OK;
    return hs_fail_at(error, HSEL_EUSAGE, store->path, 0,
                      "the store has results for other folds than those of %.300s: give another store", scheme + 5);
}

/* ---- units ---- */

int hs_store_done(hs_store *store, const hs_unit_key *key, const char *const *classifiers, size_t count,
                  bool failed_too, bool *done, hsel_error *error)
{
    static const char sql[] = "SELECT classifier, ok FROM job WHERE dataset = ? AND selector = ? AND scheme = ? AND"
                              " folds = ? AND seed = ? AND fold = ?";
    sqlite3_stmt *statement = NULL;
    memset(done, 0, count * sizeof *done);
    int got = 0, status = hs_store_prepare(store, &statement, error, sql, "ittiii", key->dataset, key->selector,
                                           key->scheme, hs_store_folds_key(key->scheme, key->folds),
                                           (int64_t)key->seed, (int64_t)key->fold);
    while (status == HSEL_OK && (got = hs_store_step(store, statement, error)) > 0) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        for (size_t i = 0; i < count; i++)
            if (text && strcmp(text, classifiers[i]) == 0)
                done[i] = failed_too || sqlite3_column_int(statement, 1);
    }
    hs_store_release(statement);
    return got < 0 ? got : status;
}

/* Frequencies are mostly 0 or alike, and there is one a feature: packed. */
static int put_selection(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, hsel_error *error)
{
    static const char sql[] = "INSERT OR REPLACE INTO selection VALUES(?,?,?,?,?,?,?,?,?,?)";
    sqlite3_stmt *statement = NULL;
    uLong bytes = result->features * sizeof *result->frequency;
    uLongf length = compressBound(bytes);
    int status = HSEL_OK;
    void *packed = hs_alloc(length, 1);
    if (!packed || compress2(packed, &length, (const Bytef *)result->frequency, bytes, 1) != Z_OK)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &statement, error, sql, "ittiiibbbd", key->dataset, key->selector, key->scheme,
                                  hs_store_folds_key(key->scheme, key->folds), (int64_t)key->seed, (int64_t)key->fold,
                                  result->instances, result->tested * sizeof *result->instances, result->selected,
                                  result->tested * sizeof *result->selected, packed, (size_t)length,
                                  result->select_seconds);
    if (status == HSEL_OK)
        status = hs_store_finish(store, statement, error);
    hs_free(packed);
    return status;
}

/* A job that is ok has probabilities, one that failed has a message. */
static int put_job(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, size_t c, hsel_error *error)
{
    static const char sql[] = "INSERT OR REPLACE INTO job(dataset, selector, scheme, folds, seed, fold, classifier, ok,"
                              " message, seconds, probability) VALUES(?,?,?,?,?,?,?,?,?,?,?)";
    sqlite3_stmt *statement = NULL;
    const double *probability = result->probability ? result->probability[c] : NULL;
    const char *message = probability ? NULL : result->message ? result->message : "failed";
    int status = hs_store_prepare(store, &statement, error, sql, "ittiiititdb", key->dataset, key->selector, key->scheme,
                                  hs_store_folds_key(key->scheme, key->folds), (int64_t)key->seed, (int64_t)key->fold,
                                  result->classifiers[c], (int64_t)(probability != NULL), message,
                                  result->classify_seconds ? result->classify_seconds[c] : 0.0, probability,
                                  (size_t)result->tested * result->classes * sizeof *probability);
    return status ? status : hs_store_finish(store, statement, error);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void hs_store_group(hs_store *store, double seconds) { store->group_seconds = seconds; }

int hs_store_commit(hs_store *store, hsel_error *error)
{
    if (!store->in_group)
        return HSEL_OK;
    store->in_group = false;
    return hs_store_end(store, HSEL_OK, error);
}

int hs_store_put(hs_store *store, const hs_unit_key *key, const hs_unit_result *result, hsel_error *error)
{
    int status = HSEL_OK;
    if (!store->in_group) {
        if ((status = hs_store_begin(store, error)))
            return status;
        store->in_group = true;
        store->group_began = store->group_seconds > 0 ? now() : 0;
    }
    if (result->instances)
        status = put_selection(store, key, result, error);
    for (size_t c = 0; c < result->classifier_count && status == HSEL_OK; c++)
        status = put_job(store, key, result, c, error);
    if (status) {
        store->in_group = false;
        return hs_store_end(store, status, error);
    }
    if (store->group_seconds > 0 && now() - store->group_began < store->group_seconds)
        return HSEL_OK;
    return hs_store_commit(store, error);
}

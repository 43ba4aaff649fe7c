/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Getting results out of the store. Nothing in it is trusted: sizes and numbers are checked before they are used.
 */
#include <string.h>

#include "core/mem.h"
#include "study/store_parts.h"

static int damaged(const hs_store *store, const char *what, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "the store is damaged: %s", what);
}

/* ---- data sets ---- */

void hs_stored_dataset_clear(hs_stored_dataset *data)
{
    hs_free(data->name);
    hs_free(data->class_sizes);
    hs_names_clear(&data->class_names);
    hs_names_clear(&data->feature_names);
    *data = (hs_stored_dataset){.id = -1};
}

/* Names one after the other, each ended by NUL. */
static int split_names(hs_store *store, const char *pool, size_t length, uint32_t count, hs_names *out,
                       hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        const char *end = length ? memchr(pool, '\0', length) : NULL;
        if (!end)
            return damaged(store, "names are cut off", error);
        status = hs_names_append(out, pool, (size_t)(end - pool), error);
        length -= (size_t)(end - pool) + 1;
        pool = end + 1;
    }
    return status;
}

static int count_classes(hs_store *store, const uint32_t *class_of, size_t bytes, hs_stored_dataset *out,
                         hsel_error *error)
{
    if (!(out->class_sizes = HS_NEW_ZERO(uint32_t, out->classes)))
        return hs_fail_memory(error);
    if (bytes != out->instances * sizeof *class_of)
        return damaged(store, "the classes are cut off", error);
    for (uint32_t i = 0; i < out->instances; i++) {
        uint32_t label;
        memcpy(&label, class_of + i, sizeof label);
        if (label < out->classes)
            out->class_sizes[label]++;
    }
    return HSEL_OK;
}

static int read_dataset(hs_store *store, sqlite3_stmt *row, hs_stored_dataset *out, hsel_error *error)
{
    out->id = sqlite3_column_int64(row, 0);
    out->instances = (uint32_t)sqlite3_column_int64(row, 2);
    out->features = (uint32_t)sqlite3_column_int64(row, 3);
    out->classes = (uint32_t)sqlite3_column_int64(row, 4);
    out->positive_class = (uint32_t)sqlite3_column_int64(row, 5);
    if (out->instances > HS_INSTANCES_LIMIT || out->features > HS_FEATURES_LIMIT || out->classes > HS_CLASSES_LIMIT)
        return damaged(store, "a data set is too large", error);
    const char *name = (const char *)sqlite3_column_text(row, 1);
    if (!(out->name = hs_strdup(name ? name : "")))
        return hs_fail_memory(error);
    int status = split_names(store, sqlite3_column_blob(row, 6), (size_t)sqlite3_column_bytes(row, 6), out->classes,
                             &out->class_names, error);
    if (status == HSEL_OK)
        status = split_names(store, sqlite3_column_blob(row, 7), (size_t)sqlite3_column_bytes(row, 7), out->features,
                             &out->feature_names, error);
    if (status == HSEL_OK)
        status = count_classes(store, sqlite3_column_blob(row, 8), (size_t)sqlite3_column_bytes(row, 8), out, error);
    return status;
}

int hs_store_find_dataset(hs_store *store, const char *name, hs_stored_dataset *out, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    *out = (hs_stored_dataset){.id = -1};
    int status = hs_store_prepare(store, &row, error,
                                  "SELECT id, name, instances, features, classes, positive_class, class_names,"
                                  " feature_names, class_of FROM dataset WHERE name = ? ORDER BY id DESC LIMIT 1",
                                  "t", name);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    status = got < 0 ? got : got > 0 ? read_dataset(store, row, out, error) : HSEL_OK;
    sqlite3_finalize(row);
    if (status)
        hs_stored_dataset_clear(out);
    return status;
}

/* ---- predictions ---- */

void hs_stored_clear(hs_stored *stored)
{
    hs_free(stored->truth);
    hs_free(stored->fold_of);
    hs_free(stored->selected);
    hs_free(stored->probability);
    hs_free(stored->message);
    *stored = (hs_stored){0};
}

static int stored_new(hs_store *store, int64_t dataset, hs_stored *out, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    int status = hs_store_prepare(store, &row, error,
                                  "SELECT instances, features, classes, positive_class, class_of FROM dataset WHERE id = ?",
                                  "i", dataset);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    if (got <= 0) {
        sqlite3_finalize(row);
        return got < 0 ? got : damaged(store, "a data set is missing", error);
    }
    out->instances = (uint32_t)sqlite3_column_int64(row, 0);
    out->features = (uint32_t)sqlite3_column_int64(row, 1);
    out->classes = (uint32_t)sqlite3_column_int64(row, 2);
    out->positive_class = (uint32_t)sqlite3_column_int64(row, 3);
    size_t n = out->instances, bytes = (size_t)sqlite3_column_bytes(row, 4);
    const void *truth = sqlite3_column_blob(row, 4);
    if (n > HS_INSTANCES_LIMIT || out->classes > HS_CLASSES_LIMIT || bytes != n * sizeof *out->truth || !truth) {
        status = damaged(store, "the classes of a data set are cut off", error);
    } else {
        out->truth = HS_NEW(uint32_t, n);
        out->fold_of = HS_NEW_ZERO(uint32_t, n);
        out->selected = HS_NEW_ZERO(uint32_t, n);
        out->probability = HS_NEW_ZERO(double, n * out->classes);
        if (!out->truth || !out->fold_of || !out->selected || !out->probability)
            status = hs_fail_memory(error);
        else
            memcpy(out->truth, truth, bytes);
    }
    sqlite3_finalize(row);
    return status;
}

/* One fold's part: columns ok, message, seconds, probability, instances, selected, selection's seconds, fold. */
static int read_fold(hs_store *store, sqlite3_stmt *row, hs_stored *out, hsel_error *error)
{
    if (!sqlite3_column_int(row, 0)) {
        const char *message = (const char *)sqlite3_column_text(row, 1);
        if (!out->failed++ && !(out->message = hs_strdup(message ? message : "failed")))
            return hs_fail_memory(error);
        return HSEL_OK;
    }
    const char *probability = sqlite3_column_blob(row, 3), *instances = sqlite3_column_blob(row, 4);
    const char *selected = sqlite3_column_blob(row, 5);
    size_t tested = (size_t)sqlite3_column_bytes(row, 4) / sizeof(uint32_t), line = out->classes * sizeof(double);
    if ((size_t)sqlite3_column_bytes(row, 3) != tested * line ||
        (size_t)sqlite3_column_bytes(row, 5) != tested * sizeof(uint32_t))
        return damaged(store, "a result is cut off", error);
    for (size_t i = 0; i < tested; i++) {
        uint32_t instance;
        memcpy(&instance, instances + i * sizeof instance, sizeof instance);
        if (instance >= out->instances)
            return damaged(store, "a result is about no instance", error);
        memcpy(out->probability + (size_t)instance * out->classes, probability + i * line, line);
        memcpy(out->selected + instance, selected + i * sizeof(uint32_t), sizeof(uint32_t));
        out->fold_of[instance] = (uint32_t)sqlite3_column_int64(row, 7);
    }
    out->classify_seconds += sqlite3_column_double(row, 2);
    out->select_seconds += sqlite3_column_double(row, 6);
    out->folds_there++;
    return HSEL_OK;
}

int hs_store_get(hs_store *store, int64_t dataset, const char *selector, const char *classifier, const char *scheme,
                 uint32_t folds, uint64_t seed, hs_stored *out, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    *out = (hs_stored){.folds = folds};
    int got = 0, status = stored_new(store, dataset, out, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(
            store, &row, error,
            "SELECT j.ok, j.message, j.seconds, j.probability, s.instances, s.selected, s.seconds, j.fold FROM job j"
            " LEFT JOIN selection s ON s.dataset = j.dataset AND s.selector = j.selector AND s.scheme = j.scheme AND"
            " s.folds = j.folds AND s.seed = j.seed AND s.fold = j.fold WHERE j.dataset = ? AND j.selector = ? AND"
            " j.classifier = ? AND j.scheme = ? AND j.folds = ? AND j.seed = ? ORDER BY j.fold",
            "itttii", dataset, selector, classifier, scheme, (int64_t)folds, (int64_t)seed);
    while (status == HSEL_OK && (got = hs_store_step(store, row, error)) > 0)
        status = read_fold(store, row, out, error);
    sqlite3_finalize(row);
    if (got < 0)
        status = got;
    if (status)
        hs_stored_clear(out);
    return status;
}

/* ---- frequencies ---- */

static int add_frequencies(hs_store *store, sqlite3_stmt *row, uint32_t features, uint32_t *counts, uint64_t *total,
                           hsel_error *error)
{
    int status = hs_unpack_counts(sqlite3_column_blob(row, 0), (size_t)sqlite3_column_bytes(row, 0), counts, features,
                                  error);
    if (status)
        return damaged(store, "the frequencies cannot be unpacked", error);
    for (uint32_t f = 0; f < features; f++)
        total[f] += counts[f];
    return HSEL_OK;
}

int hs_store_frequencies(hs_store *store, int64_t dataset, const char *selector, const char *scheme, uint32_t folds,
                         uint64_t seed, uint32_t repeats, uint64_t *total, uint64_t *tested, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    hs_stored shape = {0};
    uint32_t *counts = NULL;
    int got = 0, status = stored_new(store, dataset, &shape, error);
    *tested = 0;
    if (status == HSEL_OK && !(counts = HS_NEW(uint32_t, shape.features)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &row, error,
                                  "SELECT frequency, length(instances) FROM selection WHERE dataset = ? AND selector = ?"
                                  " AND scheme = ? AND folds = ? AND seed >= ? AND seed < ?",
                                  "ittiii", dataset, selector, scheme, (int64_t)folds, (int64_t)seed,
                                  (int64_t)(seed + repeats));
    while (status == HSEL_OK && (got = hs_store_step(store, row, error)) > 0) {
        status = add_frequencies(store, row, shape.features, counts, total, error);
        *tested += (uint64_t)sqlite3_column_int64(row, 1) / sizeof(uint32_t);
    }
    sqlite3_finalize(row);
    hs_free(counts);
    hs_stored_clear(&shape);
    return got < 0 ? got : status;
}

/* ---- studies ---- */

int hs_store_study_text(hs_store *store, const char *name, char **text, hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    int status = name ? hs_store_prepare(store, &row, error,
                                         "SELECT text FROM study WHERE name = ? ORDER BY id DESC LIMIT 1", "t", name)
                      : hs_store_prepare(store, &row, error, "SELECT text FROM study ORDER BY id DESC LIMIT 1", "");
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    if (got < 0)
        status = got;
    else if (got == 0)
        status = name ? hs_fail_at(error, HSEL_EUSAGE, store->path, 0, "the store has no study '%.100s'", name)
                      : hs_fail_at(error, HSEL_EFORMAT, store->path, 0, "the store has no study yet: hsel run makes one");
    else if (!(*text = hs_strdup((const char *)sqlite3_column_text(row, 0))))
        status = hs_fail_memory(error);
    sqlite3_finalize(row);
    return status;
}

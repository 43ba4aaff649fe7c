/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Getting results out of the store. Nothing in it is trusted: sizes and numbers are checked before
 * they are used.
 */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "study/store_parts.h"

#define UNVOUCHED_LIMIT 1000000

/* Room for unpacked numbers, kept from row to row. */
typedef struct hs_room {
    uint32_t *numbers;
    size_t capacity;
} hs_room;

/* Rows of texts; what is not there has none, and so no results. */
static int find_words(hs_store *store, const char *const *texts, size_t count, int64_t *out,
                      hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < count && status == HSEL_OK; i++)
        status = hs_store_text(store, texts[i], false, &out[i], error);
    return status;
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
static int split_names(hs_store *store, const char *pool, size_t length, uint32_t count,
                       hs_names *out, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        const char *end = length ? memchr(pool, '\0', length) : NULL;
        if (!end)
            return hs_store_damaged(store, "names are cut off", error);
        status = hs_names_append(out, pool, (size_t)(end - pool), error);
        length -= (size_t)(end - pool) + 1;
        pool = end + 1;
    }
    return status;
}

/* Columns instances, features, classes, positive_class: in range? */
static int read_sizes(hs_store *store, sqlite3_stmt *row, int column, uint32_t sizes[4],
                      hsel_error *error)
{
    static const int64_t limits[] = {HS_INSTANCES_LIMIT, HS_FEATURES_LIMIT, HS_CLASSES_LIMIT,
                                     UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        int64_t value = sqlite3_column_int64(row, column + i);
        if (value < 0 || value > limits[i])
            return hs_store_damaged(store, "a data set has impossible sizes", error);
        sizes[i] = (uint32_t)value;
    }
    if (sizes[2] >= 2 ? sizes[3] >= sizes[2] : sizes[3] != HSEL_NONE)
        return hs_store_damaged(store, "the positive class of a data set is not one of its classes",
                                error);
    return HSEL_OK;
}

/* The class of each instance into truth[instances]. */
static int read_truth(hs_store *store, sqlite3_stmt *row, int column, uint32_t instances,
                      uint32_t classes, uint32_t *truth, hsel_error *error)
{
    const void *bytes = sqlite3_column_blob(row, column);
    if ((size_t)sqlite3_column_bytes(row, column) != instances * sizeof *truth)
        return hs_store_damaged(store, "the classes of a data set are cut off", error);
    if (instances)
        memcpy(truth, bytes, instances * sizeof *truth);
    for (uint32_t i = 0; i < instances; i++)
        if (truth[i] >= classes && truth[i] != HSEL_NONE)
            return hs_store_damaged(store, "an instance is of a class that is not there", error);
    return HSEL_OK;
}

static int count_classes(hs_store *store, sqlite3_stmt *row, hs_stored_dataset *out,
                         hsel_error *error)
{
    if (sqlite3_column_type(row, 8) == SQLITE_NULL)
        return (out->class_sizes = HS_NEW_ZERO(uint32_t, out->classes)) ? HSEL_OK
                                                                        : hs_fail_memory(error);
    uint32_t *truth = HS_NEW(uint32_t, out->instances);
    out->class_sizes = HS_NEW_ZERO(uint32_t, out->classes);
    int status = truth && out->class_sizes
                     ? read_truth(store, row, 8, out->instances, out->classes, truth, error)
                     : hs_fail_memory(error);
    for (uint32_t i = 0; i < out->instances && status == HSEL_OK; i++)
        if (truth[i] != HSEL_NONE)
            out->class_sizes[truth[i]]++;
    hs_free(truth);
    return status;
}

static int read_dataset(hs_store *store, sqlite3_stmt *row, const char *name,
                        hs_stored_dataset *out, hsel_error *error)
{
    uint32_t sizes[4];
    const char *print = (const char *)sqlite3_column_text(row, 1);
    int status = read_sizes(store, row, 2, sizes, error);
    if (status)
        return status;
    out->id = sqlite3_column_int64(row, 0);
    out->fingerprint = print ? strtoull(print, NULL, 16) : 0;
    out->instances = sizes[0];
    out->features = sizes[1];
    out->classes = sizes[2];
    out->positive_class = sizes[3];
    out->positives = sqlite3_column_int64(row, 9);
    out->edges = sqlite3_column_int64(row, 10);
    out->depth = sqlite3_column_int64(row, 11);
    if (!(out->name = hs_strdup(name)))
        return hs_fail_memory(error);
    status = split_names(store, sqlite3_column_blob(row, 6), (size_t)sqlite3_column_bytes(row, 6),
                         out->classes, &out->class_names, error);
    if (status == HSEL_OK)
        status =
            split_names(store, sqlite3_column_blob(row, 7), (size_t)sqlite3_column_bytes(row, 7),
                        out->features, &out->feature_names, error);
    return status ? status : count_classes(store, row, out, error);
}

int hs_store_find_dataset(hs_store *store, const char *name, hs_stored_dataset *out,
                          hsel_error *error)
{
    static const char sql[] =
        "SELECT d.id, fingerprint, instances, features, classes, positive_class, class_names,"
        " feature_names, class_of, positives, edges, depth FROM name n JOIN dataset d ON d.id = "
        "n.dataset WHERE n.name = ?";
    sqlite3_stmt *row = NULL;
    *out = (hs_stored_dataset){.id = -1};
    int status = hs_store_prepare(store, &row, error, sql, "t", name);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    status = got < 0 ? got : got > 0 ? read_dataset(store, row, name, out, error) : HSEL_OK;
    hs_store_release(row);
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
    hs_free(stored->score);
    hs_free(stored->message);
    *stored = (hs_stored){0};
}

hs_predictions hs_stored_predictions(const hs_stored *stored, hs_rank_by rank_by)
{
    return (hs_predictions){.instances = stored->instances,
                            .classes = stored->classes,
                            .folds = stored->folds,
                            .positive_class = stored->positive_class,
                            .truth = stored->truth,
                            .fold_of = stored->fold_of,
                            .probability = stored->probability,
                            .score = stored->score,
                            .rank_by = rank_by,
                            .selected = stored->selected,
                            .features = stored->features};
}

/* A fold file has as many folds as it had when it was used. */
static int find_fold_count(hs_store *store, int64_t dataset, const char *scheme, hs_stored *out,
                           hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    if (strcmp(scheme, "loo") == 0)
        out->folds = out->instances;
    if (strncmp(scheme, "file:", 5) != 0)
        return HSEL_OK;
    int status = hs_store_prepare(store, &row, error,
                                  "SELECT folds FROM fold_file WHERE dataset = ? AND scheme = ?",
                                  "it", dataset, scheme);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    if (got > 0)
        out->folds = (uint32_t)sqlite3_column_int64(row, 0);
    hs_store_release(row);
    return got < 0 ? got : HSEL_OK;
}

static int stored_fill(hs_store *store, sqlite3_stmt *row, hs_stored *out, hsel_error *error)
{
    uint32_t sizes[4];
    int status = read_sizes(store, row, 0, sizes, error);
    if (status)
        return status;
    /* Without classes nothing vouches for the number of instances, and nothing is tested. */
    bool known = sqlite3_column_type(row, 4) != SQLITE_NULL;
    size_t n = out->instances = known || sizes[0] <= UNVOUCHED_LIMIT ? sizes[0] : 0;
    out->features = sizes[1];
    out->classes = sizes[2];
    out->positive_class = sizes[3];
    out->truth = HS_NEW(uint32_t, n);
    out->fold_of = HS_NEW(uint32_t, n);
    out->selected = HS_NEW_ZERO(uint32_t, n);
    out->probability = HS_NEW_ZERO(double, n * out->classes);
    out->score = HS_NEW_ZERO(double, n *hs_score_width(out->classes));
    if (!out->truth || !out->fold_of || !out->selected || !out->probability || !out->score)
        return hs_fail_memory(error);
    memset(out->fold_of, 0xff, n * sizeof *out->fold_of); /* HSEL_NONE: not tested */
    if (!known)
        memset(out->truth, 0xff, n * sizeof *out->truth);
    return !known ? HSEL_OK
                  : read_truth(store, row, 4, out->instances, out->classes, out->truth, error);
}

static int stored_new(hs_store *store, int64_t dataset, const char *scheme, hs_stored *out,
                      hsel_error *error)
{
    static const char sql[] =
        "SELECT instances, features, classes, positive_class, class_of FROM dataset WHERE id = ?";
    sqlite3_stmt *row = NULL;
    int status = hs_store_prepare(store, &row, error, sql, "i", dataset);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    status = got < 0    ? got
             : got == 0 ? hs_store_damaged(store, "a data set is missing", error)
                        : stored_fill(store, row, out, error);
    hs_store_release(row);
    return status ? status : find_fold_count(store, dataset, scheme, out, error);
}

static int read_failure(sqlite3_stmt *row, hs_stored *out, hsel_error *error)
{
    const char *message = (const char *)sqlite3_column_text(row, 1);
    if (out->failed++ || (out->message = hs_strdup(message ? message : "failed")))
        return HSEL_OK;
    return hs_fail_memory(error);
}

/* What is wrong with a fold, or NULL. Columns ok, message, seconds, probability, instances,
 * selected, selection's seconds, fold, tested, score. Test instances and the numbers of features
 * selected for them are unpacked into `room` one after the other. */
static const char *find_fault(sqlite3_stmt *row, const hs_stored *out, const hs_room *room,
                              size_t tested)
{
    size_t bytes = (size_t)sqlite3_column_bytes(row, 3);
    int64_t fold = sqlite3_column_int64(row, 7);
    if (bytes != tested * out->classes * sizeof(double) ||
        !hs_unpack_numbers(sqlite3_column_blob(row, 4), (size_t)sqlite3_column_bytes(row, 4),
                           room->numbers, tested) ||
        !hs_unpack_numbers(sqlite3_column_blob(row, 5), (size_t)sqlite3_column_bytes(row, 5),
                           room->numbers + tested, tested))
        return "it is cut off";
    if (fold < 0 || fold >= out->folds)
        return "there is no such fold";
    for (size_t i = 0; i < tested; i++) {
        if (room->numbers[i] >= out->instances)
            return "it is about an instance that is not there";
        if (out->truth[room->numbers[i]] == HSEL_NONE)
            return "it is about an instance without a class";
        if (out->fold_of[room->numbers[i]] != HSEL_NONE)
            return "an instance is tested twice";
        if (room->numbers[tested + i] > out->features)
            return "more features are selected than there are";
        out->fold_of[room->numbers[i]] = (uint32_t)fold;
    }
    if (!hs_sound_probabilities(sqlite3_column_blob(row, 3), tested, out->classes))
        return "probabilities are not from 0 to 1 with the sum 1";
    return hs_sound_scores(sqlite3_column_blob(row, 9), (size_t)sqlite3_column_bytes(row, 9),
                           tested, out->classes)
               ? NULL
               : "scores are cut off or not numbers";
}

static int read_fold(sqlite3_stmt *row, hs_stored *out, hs_room *room, uint64_t *tested_in_all,
                     const char **fault, hsel_error *error)
{
    if (!sqlite3_column_int(row, 0))
        return read_failure(row, out, error);
    const char *probability = sqlite3_column_blob(row, 3);
    size_t line = out->classes * sizeof(double);
    int64_t tested = sqlite3_column_int64(row, 8);
    if (tested < 0 || tested > out->instances)
        tested = out->instances; /* its parts will not fit */
    if (!HS_GROW(&room->numbers, &room->capacity, 2 * (size_t)tested))
        return hs_fail_memory(error);
    if ((*fault = find_fault(row, out, room, (size_t)tested)))
        return HSEL_EFORMAT;
    for (int64_t i = 0; i < tested; i++) {
        uint32_t instance = room->numbers[i];
        memcpy(out->probability + (size_t)instance * out->classes, probability + (size_t)i * line,
               line);
        out->selected[instance] = room->numbers[tested + i];
    }
    const char *score = sqlite3_column_blob(row, 9);
    size_t width = hs_score_width(out->classes), score_line = width * sizeof(double);
    if (!score && tested) { /* if one fold has none, those of the others are of no use either */
        hs_free(out->score);
        out->score = NULL;
    }
    for (int64_t i = 0; i < tested && out->score; i++)
        memcpy(out->score + room->numbers[i] * width, score + (size_t)i * score_line, score_line);
    out->classify_seconds += sqlite3_column_double(row, 2);
    out->select_seconds += sqlite3_column_double(row, 6);
    out->folds_there++;
    *tested_in_all += (uint64_t)tested;
    return HSEL_OK;
}

/* A damaged result, with its name. */
static int fail_result(hs_store *store, int64_t dataset, const char *selector,
                       const char *classifier, uint64_t seed, int64_t fold, const char *fault,
                       hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    hs_buf what = {0};
    int status = hs_store_prepare(store, &row, error, "SELECT name FROM name WHERE dataset = ?",
                                  "i", dataset);
    if (status == HSEL_OK && (status = hs_store_step(store, row, error)) >= 0) {
        const char *name = status ? (const char *)sqlite3_column_text(row, 0) : NULL;
        hs_buf_printf(&what, "data set %.100s, selector %.200s, classifier %.200s, seed %llu",
                      name ? name : "?", selector, classifier, (unsigned long long)seed);
        if (fold >= 0)
            hs_buf_printf(&what, ", fold %lld", (long long)fold + 1);
        hs_buf_printf(&what, ": %s", fault);
        status = what.failed ? hs_fail_memory(error) : hs_store_damaged(store, what.text, error);
    }
    hs_store_release(row);
    hs_buf_clear(&what);
    return status;
}

int hs_store_get(hs_store *store, int64_t dataset, const char *selector, const char *classifier,
                 const char *scheme, uint32_t folds, uint64_t seed, hs_stored *out,
                 hsel_error *error)
{
    static const char sql[] = "SELECT j.ok, j.message, j.seconds, j.probability, u.instances, "
                              "u.selected, u.seconds, u.fold, u.tested, j.score FROM unit u"
                              " JOIN job j ON j.unit = u.id WHERE u.dataset = ? AND u.selector = ? "
                              "AND u.scheme = ? AND u.folds = ? AND"
                              " u.seed = ? AND j.classifier = ? ORDER BY u.fold";
    sqlite3_stmt *row = NULL;
    hs_room room = {0};
    uint64_t tested = 0;
    int64_t words[3], fold = -1;
    const char *fault = NULL;
    *out = (hs_stored){.folds = folds};
    int got = 0, status = stored_new(store, dataset, scheme, out, error);
    if (status == HSEL_OK)
        status =
            find_words(store, (const char *const[]){selector, scheme, classifier}, 3, words, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &row, error, sql, "iiiiii", dataset, words[0], words[1],
                                  hs_store_folds_key(scheme, folds), (int64_t)seed, words[2]);
    while (status == HSEL_OK && (got = hs_store_step(store, row, error)) > 0) {
        fold = sqlite3_column_int64(row, 7);
        status = read_fold(row, out, &room, &tested, &fault, error);
    }
    hs_store_release(row);
    hs_free(room.numbers);
    if (got < 0)
        status = got;
    if (status == HSEL_OK && out->folds_there == out->folds && tested != out->instances) {
        fold = -1;
        fault = "not all instances are tested";
    }
    if (fault)
        status = fail_result(store, dataset, selector, classifier, seed, fold, fault, error);
    if (status)
        hs_stored_clear(out);
    return status;
}

/* ---- frequencies ---- */

/* Columns frequency, instances, features. A number takes a byte at least, unless it is in a run of
 * 0. */
static int add_frequencies(hs_store *store, sqlite3_stmt *row, hs_room *room, uint64_t *total,
                           hsel_error *error)
{
    int64_t features = sqlite3_column_int64(row, 1);
    if (features < 0 || features > HS_FEATURES_LIMIT)
        return hs_store_damaged(store, "a data set has impossible sizes", error);
    if (!HS_GROW(&room->numbers, &room->capacity, (size_t)features + 1))
        return hs_fail_memory(error);
    if (!hs_unpack_numbers(sqlite3_column_blob(row, 0), (size_t)sqlite3_column_bytes(row, 0),
                           room->numbers, (size_t)features))
        return hs_store_damaged(store, "the frequencies of features cannot be unpacked", error);
    for (int64_t f = 0; f < features; f++)
        total[f] += room->numbers[f];
    return HSEL_OK;
}

int hs_store_frequencies(hs_store *store, int64_t dataset, const char *selector, const char *scheme,
                         uint32_t folds, uint64_t seed, uint32_t repeats, uint64_t *total,
                         uint64_t *tested, hsel_error *error)
{
    static const char sql[] =
        "SELECT u.frequency, d.features, u.tested FROM unit u JOIN dataset d ON d.id = u.dataset"
        " WHERE u.dataset = ? AND u.selector = ? AND u.scheme = ? AND u.folds = ? AND u.seed >= ?"
        " AND u.seed < ? AND u.frequency IS NOT NULL";
    sqlite3_stmt *row = NULL;
    hs_room room = {0};
    int64_t words[2];
    *tested = 0;
    int got = 0,
        status = find_words(store, (const char *const[]){selector, scheme}, 2, words, error);
    if (status == HSEL_OK)
        status = hs_store_prepare(store, &row, error, sql, "iiiiii", dataset, words[0], words[1],
                                  hs_store_folds_key(scheme, folds), (int64_t)seed,
                                  (int64_t)(seed + repeats));
    while (status == HSEL_OK && (got = hs_store_step(store, row, error)) > 0) {
        status = add_frequencies(store, row, &room, total, error);
        *tested += (uint64_t)sqlite3_column_int64(row, 2);
    }
    hs_store_release(row);
    hs_free(room.numbers);
    return got < 0 ? got : status;
}

/* ---- studies ---- */

int hs_store_study_text(hs_store *store, const char *name, char **text, char **fold_file,
                        hsel_error *error)
{
    sqlite3_stmt *row = NULL;
    int status = hs_store_prepare(
        store, &row, error,
        "SELECT text, scheme FROM study WHERE ?1 IS NULL OR name = ?1 ORDER BY id DESC LIMIT 1",
        "t", name);
    if (status)
        return status;
    int got = hs_store_step(store, row, error);
    if (got < 0)
        status = got;
    else if (got == 0)
        status = name ? hs_fail_at(error, HSEL_EUSAGE, store->path, 0,
                                   "the store has no study '%.100s'", name)
                      : hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                                   "the store has no study yet: hsel run makes one");
    else if (!sqlite3_column_text(row, 0) ||
             !(*text = hs_strdup((const char *)sqlite3_column_text(row, 0))))
        status = hs_fail_memory(error);
    else if (fold_file && sqlite3_column_text(row, 1) &&
             !(*fold_file = hs_strdup((const char *)sqlite3_column_text(row, 1))))
        status = hs_fail_memory(error);
    hs_store_release(row);
    return status;
}

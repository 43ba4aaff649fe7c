/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units and jobs in the store: the results of selectors with classifiers, of rankers and of
 * simulations. Predictions are kept as they lie in memory, and checked when they are read.
 */
#include <time.h>

#include "study/store_parts.h"

/* The row of a text, where the store may not know it. */
#define ID "(SELECT id FROM text WHERE text = ?)"

/* ---- keys ---- */

/* A key as rows have it. `folds` is 0 for loo and fold files, which determine it themselves. Texts
 * that the store does not have are -1, or added. Results for a whole data set have "" for selector
 * and scheme. */
struct row_key {
    int64_t dataset, selector, scheme, folds, seed, fold;
};
#define REPEAT_IS "u.dataset = ? AND u.selector = ? AND u.scheme = ? AND u.folds = ?"
#define REPEAT(k) (k).dataset, (k).selector, (k).scheme, (k).folds

static int find_key(hs_store *store, const hs_result_key *key, bool add, struct row_key *out,
                    hsel_error *error)
{
    const char *scheme = key->scheme ? key->scheme : "";
    bool own = strcmp(scheme, "loo") == 0 || strncmp(scheme, "file:", 5) == 0;
    *out = (struct row_key){.dataset = key->dataset,
                            .folds = own ? 0 : key->folds,
                            .seed = (int64_t)key->seed,
                            .fold = key->fold};
    HS_TRY(hs_store_text(store, key->selector ? key->selector : "", add, &out->selector, error));
    return hs_store_text(store, scheme, add, &out->scheme, error);
}

int hs_store_has_units(hs_store *store, int64_t dataset, bool *out, hsel_error *error)
{
    int64_t there = 0;
    HS_NUMBER(&there, "SELECT 1 FROM unit WHERE dataset = ? LIMIT 1", "i", dataset);
    *out = there;
    return HSEL_OK;
}

int hs_store_job(hs_store *store, const hs_result_key *key, hs_job_state *out, hsel_error *error)
{
    int64_t method, ok = HS_JOB_NONE;
    struct row_key k;
    HS_TRY(hs_store_text(store, key->method, false, &method, error));
    HS_TRY(find_key(store, key, false, &k, error));
    HS_NUMBER(
        &ok,
        "SELECT j.ok FROM unit u JOIN job j ON j.unit = u.id WHERE"
        " " REPEAT_IS " AND u.seed = ? AND u.fold = ? AND j.classifier = ? AND"
        " (? OR u.instances IS NULL OR u.sets IS NOT NULL) AND j.version = ifnull(?, j.version)",
        "iiiiiiiit", REPEAT(k), k.seed, k.fold, method, (int64_t)!key->probed, key->version);
    *out = ok < 0 || ok > HS_JOB_UNFIT ? HS_JOB_NONE : (hs_job_state)ok;
    return HSEL_OK;
}

/* A unit may already be stored, with other classifiers or a failure. Its selection is replaced,
 * unless selecting failed this time. */
static int put_unit(hs_store *store, const hs_result_key *key, const hs_unit_result *result,
                    int64_t *id, hsel_error *error)
{
    struct row_key k;
    *id = -1;
    HS_TRY(find_key(store, key, true, &k, error));
    HS_NUMBER(id,
              "SELECT id FROM unit u WHERE " REPEAT_IS " AND u.seed = ? AND"
              " u.fold = ?",
              "iiiiii", REPEAT(k), k.seed, k.fold);
    bool selected = result->instances != NULL;
    if (*id >= 0 && !selected)
        return HSEL_OK;
    if (*id < 0)
        HS_NUMBER(id, HS_STORE_NEXT("unit"), "");
    /* Three lists, all empty where nothing was selected. */
    HS_OWNS(hs_buf_clear) hs_buf packed = {0};
    hs_pack_numbers(result->instances, selected ? result->tested : 0, &packed);
    size_t second = packed.length;
    hs_pack_numbers(result->selected, selected ? result->tested : 0, &packed);
    size_t third = packed.length;
    hs_pack_numbers(result->frequency, selected ? result->features : 0, &packed);
    HS_NEED(!packed.failed);
    const char *bytes = selected ? packed.text : NULL;
    return HS_PUT("unit",
                  "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,"
                  "ifnull(?13, (SELECT sets FROM unit WHERE id = ?1))",
                  "iiiiiiidibbbb", *id, REPEAT(k), k.seed, k.fold, result->select_seconds,
                  (int64_t)result->tested, bytes, second, selected ? bytes + second : NULL,
                  third - second, selected ? bytes + third : NULL, packed.length - third,
                  result->probed, result->probed_length);
}

/* A successful job has values (and scores), a failed one a message. */
static int put_job(hs_store *store, int64_t unit, const hs_unit_result *result,
                   const hs_job_result *job, hsel_error *error)
{
    int64_t method;
    hs_job_state state = job->values ? HS_JOB_OK : job->unfit ? HS_JOB_UNFIT : HS_JOB_FAILED;
    const char *message = job->message ? job->message : job->values ? NULL : "failed";
    size_t values = result->width ? result->width : (size_t)result->tested * result->classes;
    HS_TRY(hs_store_text(store, job->method, true, &method, error));
    return HS_PUT("job", "?1,?2,?3,?4,?5,nullif(?6, 0),?7,?8,?9,?10", "iiidtibbti", unit, method,
                  (int64_t)state, job->seconds, message, (int64_t)job->chosen, job->values,
                  values * sizeof *job->values, job->values ? job->score : NULL,
                  (size_t)result->tested * hs_score_width(result->classes) * sizeof *job->score,
                  hsel_version(), (int64_t)time(NULL));
}

int hs_store_put(hs_store *store, const hs_result_key *key, const hs_unit_result *result,
                 hsel_error *error)
{
    int64_t unit = -1;
    HS_TRY(hs_store_begin(store, error));
    int status = put_unit(store, key, result, &unit, error);
    for (size_t i = 0; i < result->job_count && status == HSEL_OK; i++)
        status = put_job(store, unit, result, &result->jobs[i], error);
    return hs_store_end(store, status, error);
}

static void note_time(hs_store *store, sqlite3_stmt *row, int column)
{
    int64_t then = sqlite3_column_int64(row, column);
    store->time = then > store->time ? then : store->time;
}

int hs_store_get_ranking(hs_store *store, int64_t dataset, const char *ranker, uint32_t width,
                         double *values, hs_job_state *state, char **message, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    struct row_key k;
    *message = NULL;
    *state = HS_JOB_NONE;
    HS_TRY(find_key(store, &(hs_result_key){.dataset = dataset}, false, &k, error));
    HS_QUERY(&row,
             "SELECT j.probability, j.message, j.ok, j.time FROM unit u JOIN job j ON j.unit = u.id"
             " WHERE " REPEAT_IS " AND j.classifier = " ID,
             "iiiit", REPEAT(k), ranker);
    if (!row)
        return HSEL_OK;
    note_time(store, row, 3);
    const void *bytes = sqlite3_column_blob(row, 0);
    size_t length = (size_t)sqlite3_column_bytes(row, 0);
    if (sqlite3_column_type(row, 0) == SQLITE_NULL) {
        const char *text = (const char *)sqlite3_column_text(row, 1);
        *state = sqlite3_column_int(row, 2) == HS_JOB_UNFIT ? HS_JOB_UNFIT : HS_JOB_FAILED;
        HS_NEED(*message = hs_strdup(text ? text : "failed"));
        return HSEL_OK;
    }
    *state = HS_JOB_OK;
    if (length != width * sizeof *values)
        return hs_store_damaged(store, "the scores of a ranker are truncated", error);
    HS_NEED(!length || bytes);
    if (length)
        memcpy(values, bytes, length);
    return HSEL_OK;
}

int hs_store_choices(hs_store *store, const hs_result_key *key, uint32_t repeats, size_t pairs,
                     uint32_t *picks, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    struct row_key k;
    HS_TRY(find_key(store, key, false, &k, error));
    HS_QUERY(&row,
             "SELECT j.chosen, count(*) FROM unit u JOIN job j ON j.unit = u.id WHERE " REPEAT_IS
             " AND u.seed >= ? AND u.seed < ? AND j.ok = 1 AND j.chosen BETWEEN 1 AND ? GROUP BY 1",
             "iiiiiii", REPEAT(k), k.seed, k.seed + repeats, (int64_t)pairs);
    while (row) {
        picks[sqlite3_column_int64(row, 0) - 1] += (uint32_t)sqlite3_column_int64(row, 1);
        HS_TRY(hs_store_next(store, &row, error));
    }
    return HSEL_OK;
}

/* ---- reading predictions ---- */

void hs_stored_clear(hs_stored *stored)
{
    hs_arena_clear(&stored->arena);
    *stored = (hs_stored){0};
}

/* The predictions of `out` while folds are added. */
struct gathering {
    hs_stored *out;
    uint32_t *truth, *fold_of, *selected;
    double *probability, *score;
    uint32_t *numbers; /* unpacked, kept from row to row */
    size_t capacity;
};

static void gathering_clear(struct gathering *g) { hs_free(g->numbers); }

#define UNVOUCHED_LIMIT 1000000

/* Prepares for the folds what the data set determines. */
static int begin_stored(hs_store *store, const hs_result_key *key, struct gathering *g,
                        hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    hs_stored_dataset data = {0};
    hs_arena *arena = &g->out->arena;
    HS_QUERY(&row, "SELECT " HS_STORE_CONTENT " FROM dataset d WHERE id = ?", "i", key->dataset);
    if (!row)
        return hs_store_damaged(store, "a data set is missing", error);
    HS_TRY(hs_store_content(store, row, arena, &data, error));
    /* Without classes nothing confirms the stored number of instances, and nothing is tested. */
    bool known = data.class_of || data.numbers || data.instances <= UNVOUCHED_LIMIT;
    size_t n = known ? data.instances : 0;
    int64_t folds = strcmp(key->scheme, "loo") == 0 ? (int64_t)n : key->folds;
    char name[HS_FOLDS_NAME_ROOM];
    /* as many as there were when they were used */
    HS_NUMBER(&folds, "SELECT folds FROM fold_file WHERE dataset = ? AND scheme = ?", "it",
              key->dataset, hs_store_folds_name(key->scheme, key->folds, name));
    g->truth = data.class_of ? data.class_of : HS_ARENA_NEW(arena, uint32_t, n);
    HS_NEED(g->truth && HS_LISTS(arena, g, HS_PART(g, fold_of, n), HS_PART(g, selected, n),
                                 HS_PART(g, probability, n * data.classes),
                                 HS_PART(g, score, n * hs_score_width(data.classes))));
    memset(g->fold_of, 0xff, n * sizeof *g->fold_of); /* HSEL_NONE: not tested */
    if (!data.class_of)
        memset(g->truth, 0xff, n * sizeof *g->truth);
    g->out->repeat.predictions = (hs_predictions){.instances = (uint32_t)n,
                                                  .features = data.features,
                                                  .classes = data.classes,
                                                  .positive_class = data.positive_class,
                                                  .folds = (uint32_t)folds,
                                                  .truth = g->truth,
                                                  .target = data.numbers,
                                                  .fold_of = g->fold_of,
                                                  .selected = g->selected,
                                                  .probability = g->probability,
                                                  .score = g->score};
    return HSEL_OK;
}

/* The fold with invalid values; -1: all folds. */
static int fail_fold(hs_store *store, const hs_result_key *key, int64_t fold, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    char number[32] = "";
    HS_QUERY(&row, "SELECT name FROM uses WHERE dataset = ?", "i", key->dataset);
    const char *name = row ? (const char *)sqlite3_column_text(row, 0) : NULL;
    if (fold >= 0)
        snprintf(number, sizeof number, ", fold %llu", (unsigned long long)fold + 1);
    return hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                      "the store is damaged: data set %.100s, selector %.200s, classifier %.200s, "
                      "seed %llu%s: its values are invalid",
                      name ? name : "?", key->selector, key->method, (unsigned long long)key->seed,
                      number);
}

/* Whether, if there are classes, each row has probabilities from 0 to 1 with sum 1. */
static bool sound_probabilities(const void *bytes, size_t rows, uint32_t classes)
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

/* Whether there are as many numbers as expected, none NaN. */
static bool sound_scores(const void *bytes, size_t length, size_t rows, uint32_t classes)
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

/* Adds a fold. Columns ok, message, seconds, probability, instances, selected, selection's seconds,
 * fold, tested, score, of another version. */
static int read_fold(hs_store *store, const hs_result_key *key, sqlite3_stmt *row,
                     struct gathering *g, hsel_error *error)
{
    hs_stored *out = g->out;
    hs_predictions *p = &out->repeat.predictions;
    out->older += sqlite3_column_int(row, 10) != 0;
    if (sqlite3_column_int(row, 0) != HS_JOB_OK) {
        const char *message = (const char *)sqlite3_column_text(row, 1);
        message = message ? message : "failed";
        ++*(sqlite3_column_int(row, 0) == HS_JOB_UNFIT ? &out->unfit : &out->failed);
        HS_NEED(out->message ||
                (out->message = hs_arena_text(&out->arena, message, strlen(message))));
        return HSEL_OK;
    }
    const char *probability = sqlite3_column_blob(row, 3), *score = sqlite3_column_blob(row, 9);
    size_t width = hs_score_width(p->classes);
    size_t line = p->classes * sizeof(double), score_line = width * sizeof(double);
    int64_t fold = sqlite3_column_int64(row, 7), stated = sqlite3_column_int64(row, 8);
    if (stated < 0 || stated > p->instances)
        stated = p->instances; /* too large: its lists will not match */
    size_t tested = (size_t)stated;
    HS_NEED(HS_GROW(&g->numbers, &g->capacity, 2 * tested));
    uint32_t *instances = g->numbers, *selected = instances + tested;
    bool sound = fold >= 0 && fold < p->folds &&
                 (size_t)sqlite3_column_bytes(row, 3) == tested * line &&
                 hs_unpack_column(row, 4, p->instances - 1, instances, tested) &&
                 hs_unpack_column(row, 5, p->features, selected, tested) &&
                 sound_probabilities(probability, tested, p->classes) &&
                 sound_scores(score, (size_t)sqlite3_column_bytes(row, 9), tested, p->classes);
    for (size_t i = 0; i < tested && sound; i++) {
        const size_t at = instances[i];
        sound = g->fold_of[at] == HSEL_NONE && (p->target || g->truth[at] != HSEL_NONE);
        if (line > 0) /* else numbers are predicted */
            memcpy(g->probability + at * p->classes, probability + i * line, line);
        memcpy(g->score + at * width, score + i * score_line, score_line);
        g->selected[at] = selected[i];
        g->fold_of[at] = (uint32_t)fold;
    }
    if (!sound)
        return fail_fold(store, key, fold, error);
    out->repeat.classify_seconds += sqlite3_column_double(row, 2);
    out->repeat.select_seconds += sqlite3_column_double(row, 6);
    out->folds_there++;
    return HSEL_OK;
}

int hs_store_get(hs_store *store, const hs_result_key *key, hs_stored *out, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_OWNS(hs_stored_clear) hs_stored all = {0};
    HS_OWNS(gathering_clear) struct gathering g = {.out = &all};
    struct row_key k;
    *out = (hs_stored){0};
    HS_TRY(begin_stored(store, key, &g, error));
    HS_TRY(find_key(store, key, false, &k, error));
    HS_QUERY(&row,
             "SELECT j.ok, j.message, j.seconds, j.probability, u.instances, u.selected, u.seconds,"
             " u.fold, u.tested, j.score, j.version <> ?, j.time FROM unit u JOIN job j ON j.unit ="
             " u.id WHERE " REPEAT_IS " AND u.seed = ? AND j.classifier = " ID " ORDER BY u.fold",
             "tiiiiit", hs_store_version(store), REPEAT(k), k.seed, key->method);
    while (row) {
        note_time(store, row, 11);
        HS_TRY(read_fold(store, key, row, &g, error));
        HS_TRY(hs_store_next(store, &row, error));
    }
    hs_predictions *p = &all.repeat.predictions;
    uint32_t *tested = HS_ARENA_NEW(&all.arena, uint32_t, p->instances);
    HS_NEED(tested);
    for (uint32_t i = 0; i < p->instances; i++)
        if (p->fold_of[i] != HSEL_NONE)
            tested[p->tested_count++] = i;
    if (all.folds_there == p->folds && p->tested_count < p->instances) {
        int64_t some = 0; /* with times the first instances are only learned from */
        char name[HS_FOLDS_NAME_ROOM];
        HS_NUMBER(&some, "SELECT count(*) FROM fold_file WHERE dataset = ? AND scheme = ?", "it",
                  key->dataset, hs_store_folds_name(key->scheme, key->folds, name));
        if (!some)
            return fail_fold(store, key, -1, error);
        p->tested = tested;
    }
    HS_MOVE(out, &all);
    return HSEL_OK;
}

int hs_store_frequencies(hs_store *store, const hs_result_key *key, uint32_t repeats,
                         uint64_t *total, uint64_t *tested, hs_refits *folds, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_OWNS(gathering_clear) struct gathering g = {0};
    struct row_key k;
    bool lacking = false; /* a fold has no sets */
    *tested = 0;
    HS_TRY(find_key(store, key, false, &k, error));
    HS_QUERY(
        &row,
        "SELECT u.frequency, d.features, u.tested, d.instances, u.sets FROM unit u JOIN dataset d"
        " ON d.id = u.dataset WHERE " REPEAT_IS
        " AND u.seed >= ? AND u.seed < ? AND u.frequency IS NOT NULL ORDER BY u.seed, u.fold",
        "iiiiii", REPEAT(k), k.seed, k.seed + repeats);
    while (row) {
        int64_t features = sqlite3_column_int64(row, 1);
        if (features < 0 || features > HS_FEATURES_LIMIT)
            return hs_store_damaged(store, "a data set has invalid sizes", error);
        HS_NEED(HS_GROW(&g.numbers, &g.capacity, (size_t)features + 1));
        if (!hs_unpack_column(row, 0, UINT32_MAX, g.numbers, (size_t)features))
            return hs_store_damaged(store, "the frequencies of features cannot be unpacked", error);
        uint64_t here = (uint64_t)sqlite3_column_int64(row, 2);
        for (int64_t f = 0; f < features; f++)
            total[f] += g.numbers[f];
        *tested += here;
        if (folds) {
            int64_t n = sqlite3_column_int64(row, 3);
            folds->cases = !key->probed ? 1 : n > 0 && n < HS_PROBES ? (uint32_t)n : HS_PROBES;
            size_t words = hs_bit_words((size_t)features) * folds->cases,
                   have = folds->sets++ * words;
            HS_NEED(HS_GROW(&folds->masks, &folds->capacity, have + words));
            memset(folds->masks + have, 0, words * sizeof *folds->masks);
            for (int64_t f = 0; f < features && !key->probed; f++)
                if (g.numbers[f] && g.numbers[f] == here)
                    hs_bit_set(folds->masks + have, (size_t)f);
            lacking |= key->probed && sqlite3_column_type(row, 4) == SQLITE_NULL;
            if (key->probed && !lacking &&
                !hs_unpack_bits(sqlite3_column_blob(row, 4), (size_t)sqlite3_column_bytes(row, 4),
                                folds->masks + have, folds->cases, (size_t)features))
                return hs_store_damaged(
                    store, "the selections for some instances cannot be unpacked", error);
        }
        HS_TRY(hs_store_next(store, &row, error));
    }
    if (lacking)
        folds->sets = 0;
    return HSEL_OK;
}

int64_t hs_store_time(const hs_store *store) { return store->time; }

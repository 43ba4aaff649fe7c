/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes into the store and what comes out of it. Numbers are kept as they lie in memory, in the
 * byte order of the machine; doubles are exact. Nothing in a store is trusted: sizes and numbers
 * are checked before they are used.
 */
#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include "study/store_parts.h"

/* The row of a text, where the store may not know it. */
#define ID "(SELECT id FROM text WHERE text = ?)"
/* About the current store, passing failures on. */
#define NUMBER(out, ...) HS_TRY(hs_store_number(store, out, error, __VA_ARGS__))
#define QUERY(row, ...)  HS_TRY(hs_store_query(store, row, error, __VA_ARGS__))
#define damaged(what)    hs_store_damaged(store, what, error)
#define PUT(table, values, ...)                                                                    \
    hs_store_query(store, NULL, error, HS_STORE_PUT(table, values), __VA_ARGS__)

static bool unpack_column(sqlite3_stmt *row, int column, uint32_t limit, uint32_t *numbers,
                          size_t count)
{
    return hs_unpack_numbers(sqlite3_column_blob(row, column),
                             (size_t)sqlite3_column_bytes(row, column), limit, numbers, count);
}

/* ---- the fingerprint of a data set ----
 *
 * A hash of everything that a result depends on, and of nothing else (not the data set's name, not
 * how it is kept in memory), so that the same content is the same data set wherever it was read
 * from. */

static void add_u32(XXH3_state_t *state, uint32_t value)
{
    XXH3_64bits_update(state, &value, sizeof value);
}

static void add_names(XXH3_state_t *state, const hs_names *names)
{
    add_u32(state, names->count);
    /* with the NUL, so that "a","b" and "ab","" differ */
    for (uint32_t i = 0; i < names->count; i++)
        XXH3_64bits_update(state, HS_NAME(names, i) + 1);
}

uint64_t hs_dataset_fingerprint(const hsel_dataset *data)
{
    XXH3_state_t state;
    const hsel_dag *dag = data->dag;
    XXH3_64bits_reset(&state);
    add_u32(&state, data->instances);
    add_u32(&state, data->positive_class);
    add_names(&state, &data->feature_names);
    add_names(&state, &data->class_names);
    XXH3_64bits_update(&state, data->types, data->features);
    add_u32(&state, data->class_of != NULL);
    if (data->class_of)
        XXH3_64bits_update(&state, data->class_of, data->instances * sizeof *data->class_of);
    if (data->target)
        XXH3_64bits_update(&state, data->target, data->instances * sizeof *data->target);
    for (uint32_t f = 0; data->covariates && f < data->features; f++)
        if (hs_is_covariate(data, f))
            add_u32(&state, f);
    static const char *const roles[] = {HS_ABOUT_STRATUM, HS_ABOUT_GROUP, HS_ABOUT_TIME,
                                        HS_ABOUT_TEST};
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        const uint32_t column = hs_about_column(&data->instance_about, roles[r]);
        for (uint32_t i = 0; column != HSEL_NONE && i < data->instances; i++) {
            const char *text = hs_about_get(&data->instance_about, i, column);
            XXH3_64bits_update(&state, text ? text : "", text ? strlen(text) + 1 : 1);
        }
    }
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        add_u32(&state, (uint32_t)count);
        XXH3_64bits_update(&state, row, count * sizeof *row);
    }
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] == HSEL_NUMERIC) {
            /* Values that are not 0, whether the column is kept sparse or dense; a number of an
             * instance that does not exist ends it. */
            const hs_numeric_column *column = &data->numeric[data->slot[f]];
            for (uint32_t i = 0; i < column->count; i++) {
                double value = column->values[i];
                if (value == 0) /* also -0 */
                    continue;
                if (value != value)
                    value = (double)NAN; /* one of many */
                add_u32(&state, column->rows ? column->rows[i] : i);
                XXH3_64bits_update(&state, &value, sizeof value);
            }
            add_u32(&state, HSEL_NONE);
        } else if (data->types[f] == HSEL_NOMINAL) {
            const hs_nominal_column *column = &data->nominal[data->slot[f]];
            XXH3_64bits_update(&state, column->codes, data->instances * sizeof *column->codes);
            add_names(&state, &column->values);
        }
    }
    if (hs_recipe_learns(data->recipe)) /* again in each fold: values alone do not tell */
        XXH3_64bits_update(&state, data->recipe->how, strlen(data->recipe->how) + 1);
    add_u32(&state, dag ? dag->edges : HSEL_NONE);
    if (dag) {
        XXH3_64bits_update(&state, dag->parent_start,
                           ((size_t)dag->nodes + 1) * sizeof *dag->parent_start);
        XXH3_64bits_update(&state, dag->parent, dag->edges * sizeof *dag->parent);
    }
    return XXH3_64bits_digest(&state);
}

/* ---- putting data sets and studies ---- */

/* As text, because a column of whole numbers holds no more than 63 bits. */
static const char *print_text(uint64_t fingerprint, char out[20])
{
    snprintf(out, 20, "%016llx", (unsigned long long)fingerprint);
    return out;
}

int hs_store_find_content(hs_store *store, uint64_t fingerprint, int64_t *id, hsel_error *error)
{
    char text[20];
    *id = -1;
    return hs_store_number(
        store, id, error,
        "SELECT id FROM dataset WHERE fingerprint = ? AND sum IS checksum(id, fingerprint,"
        " instances, features, classes, positive_class, class_names, feature_names, class_of,"
        " positives, edges, depth, target, numbers, identifiers, support, hierarchy)",
        "t", print_text(fingerprint, text));
}

/* No result depends on labels, so the data set is the same with others: those seen last are kept. A
 * data set without any leaves those that are there. */
static int put_about(hs_store *store, const hsel_dataset *data, int64_t id, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf texts = {0};
    const hs_names *const parts[] = {&data->about.columns, &data->about.cells};
    int64_t columns = data->about.columns.count, same = 0;
    if (!columns && !data->provenance)
        return HSEL_OK;
    for (size_t i = 0; i < 2; i++)
        if (parts[i]->count)
            hs_buf_add(&texts, parts[i]->pool, (size_t)parts[i]->start[parts[i]->count]);
    HS_NEED(!texts.failed);
    NUMBER(&same,
           "SELECT columns = ? AND texts IS ? AND provenance IS ? FROM about WHERE dataset = ?",
           "ibti", columns, texts.text, texts.length, data->provenance, id);
    return same ? HSEL_OK
                : PUT("about", "?1,?2,?3,?4", "iibt", id, columns, texts.text, texts.length,
                      data->provenance);
}

/* In how many instances of each class each feature is positive; nothing without classes. */
static int pack_support(const hsel_dataset *data, hs_buf *out, hsel_error *error)
{
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    hs_view all = hs_view_all(data);
    if (!data->class_of)
        return HSEL_OK;
    HS_TRY(hs_counts_of(&all, &counts, error));
    for (uint32_t f = 0; f < data->features; f++) { /* of numbers, those that are not 0 */
        const hs_numeric_column *column =
            data->types[f] == HSEL_NUMERIC ? &data->numeric[data->slot[f]] : NULL;
        for (uint32_t i = 0; column && i < column->count; i++) {
            uint32_t label = data->class_of[column->rows ? column->rows[i] : i];
            if (label != HSEL_NONE && (column->values[i] < 0 || column->values[i] > 0))
                counts.positive[(size_t)f * counts.classes + label]++;
        }
    }
    hs_pack_numbers(counts.positive, (size_t)counts.features * counts.classes, out);
    return HSEL_OK;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sorted hashes of the identifiers of instances; *out NULL: there are none, or they only count the
 * rows, which every data set could have. */
static int hash_identifiers(const hsel_dataset *data, uint64_t **out, hsel_error *error)
{
    HS_OWNED uint64_t *hashes = HS_NEW(uint64_t, data->ids.count);
    bool counted[2] = {true, true};
    HS_NEED(hashes);
    *out = NULL;
    for (uint32_t i = 0; i < data->ids.count; i++) {
        char number[16];
        const char *id = hs_names_get(&data->ids, i);
        for (uint32_t from = 0; from < 2; from++) {
            snprintf(number, sizeof number, "%u", i + from);
            counted[from] = counted[from] && strcmp(id, number) == 0;
        }
        hashes[i] = XXH3_64bits(id, strlen(id));
    }
    if (counted[0] || counted[1]) /* also without any */
        return HSEL_OK;
    qsort(hashes, data->ids.count, sizeof *hashes, by_number);
    *out = hs_take(&hashes);
    return HSEL_OK;
}

/* The number of parents of each feature, the parents, and the instances that have the feature. */
static int pack_hierarchy(const hsel_dag *dag, const uint32_t *support, hs_buf *out,
                          hsel_error *error)
{
    HS_OWNED uint32_t *parents = HS_NEW(uint32_t, dag->nodes);
    HS_NEED(parents);
    for (uint32_t f = 0; f < dag->nodes; f++)
        parents[f] = (uint32_t)(dag->parent_start[f + 1] - dag->parent_start[f]);
    hs_pack_numbers(parents, dag->nodes, out);
    hs_pack_numbers(dag->parent, dag->edges, out);
    hs_pack_numbers(support, dag->nodes, out);
    return HSEL_OK;
}

static size_t pool_bytes(const hs_names *names)
{
    return names->count ? (size_t)names->start[names->count] : 0;
}

/* All that belongs to the content, which is put once. */
static int put_content(hs_store *store, const hsel_dataset *data, const char *print, int64_t id,
                       hsel_error *error)
{
    const hs_names *classes = &data->class_names, *features = &data->feature_names;
    HS_OWNS(hs_buf_clear) hs_buf by_class = {0}, hierarchy = {0};
    HS_OWNED uint32_t *support = HS_NEW(uint32_t, data->features);
    HS_OWNED uint64_t *identifiers = NULL;
    hs_summary summary = {0};
    int64_t positives = 0; /* or numbers that are not 0 */
    HS_NEED(support);
    HS_TRY(hs_summarise_quickly(data, &summary, error));
    hs_supports(data, support);
    for (uint32_t f = 0; f < data->features; f++)
        positives += data->types[f] == HSEL_NOMINAL ? 0 : support[f];
    HS_TRY(hash_identifiers(data, &identifiers, error));
    HS_TRY(pack_support(data, &by_class, error));
    if (data->dag)
        HS_TRY(pack_hierarchy(data->dag, support, &hierarchy, error));
    HS_NEED(!by_class.failed && !hierarchy.failed);
    return PUT("dataset", "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17",
               "itiiiibbbiiitbbbb", id, print, (int64_t)data->instances, (int64_t)data->features,
               (int64_t)classes->count, (int64_t)data->positive_class, classes->pool,
               pool_bytes(classes), features->pool, pool_bytes(features), data->class_of,
               data->instances * sizeof(uint32_t), positives,
               data->dag ? (int64_t)summary.edges : -1, (int64_t)summary.shape.depth,
               !data->target           ? NULL
               : data->class_attribute ? data->class_attribute
                                       : "target",
               data->target, data->instances * sizeof *data->target, identifiers,
               data->ids.count * sizeof *identifiers, by_class.text, by_class.length,
               hierarchy.text, hierarchy.length);
}

/* What the last run found under a name: where it is among the names of the study, or after them. */
static int put_use(hs_store *store, const char *name, int64_t dataset, const char *message,
                   hsel_error *error)
{
    return PUT("uses",
               "?1,?2,ifnull((SELECT place FROM uses WHERE study = ?1 AND name = ?2),"
               " (SELECT ifnull(max(place), -1) + 1 FROM uses WHERE study = ?1)),"
               "?3,nullif(?4, 0),?5",
               "itiit", store->study, name, store->run, dataset, message);
}

int hs_store_no_dataset(hs_store *store, const char *name, const char *why, hsel_error *error)
{
    return put_use(store, name, 0, why, error);
}

int hs_store_dataset(hs_store *store, const hsel_dataset *data, int64_t *id, hsel_error *error)
{
    uint64_t fingerprint = hs_dataset_fingerprint(data);
    char text[20];
    HS_TRY(hs_store_find_content(store, fingerprint, id, error));
    if (*id < 0) { /* a row that is damaged keeps its id, to which results refer */
        NUMBER(id,
               "SELECT id FROM dataset WHERE fingerprint = ? UNION ALL"
               " SELECT ifnull(max(id), 0) + 1 FROM dataset",
               "t", print_text(fingerprint, text));
        HS_TRY(put_content(store, data, text, *id, error));
    }
    HS_TRY(put_about(store, data, *id, error));
    /* A content may have several names; in a study a name stands for one content, that of its last
     * run. */
    return put_use(store, hsel_dataset_name(data), *id, NULL, error);
}

/* Columns id, run and version of a study. */
static int use_row(hs_store *store, sqlite3_stmt *row, int column, hsel_error *error)
{
    const char *version = (const char *)sqlite3_column_text(row, column + 2);
    hs_free(store->version);
    HS_NEED(store->version = hs_strdup(version ? version : ""));
    store->study = sqlite3_column_int64(row, column);
    store->run = sqlite3_column_int64(row, column + 1);
    return HSEL_OK;
}

int hs_store_use(hs_store *store, const hs_study *study, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    store->study = -1;
    QUERY(&row, "SELECT id, run, version FROM study WHERE name = ? AND text = ?", "tt", study->name,
          study->text ? study->text : "");
    return row ? use_row(store, row, 0, error) : HSEL_OK;
}

int hs_store_last_use(hs_store *store, const char *name, int64_t *id, hsel_error *error)
{
    *id = -1;
    return hs_store_number(store, id, error,
                           "SELECT dataset FROM uses WHERE name = ? AND dataset IS NOT NULL"
                           " ORDER BY run DESC LIMIT 1",
                           "t", name);
}

int hs_store_has_study(const char *path, const hs_study *study, int64_t *out, hsel_error *error)
{
    HS_OWNS(hs_store_done) hs_store *store = NULL;
    HS_TRY(hs_store_open(path, HS_STORE_CHECK, 0, &store, error)); /* rows are checked later */
    *out = 0;
    return hs_store_number(
        store, out, error,
        "SELECT 1 + (text = ?2) FROM study WHERE name = ?1 ORDER BY 1 DESC LIMIT 1", "tt",
        study->name, study->text ? study->text : "");
}

int hs_store_study(hs_store *store, const hs_study *study, hsel_error *error)
{
    HS_TRY(hs_store_use(store, study, error));
    if (store->study < 0)
        NUMBER(&store->study, HS_STORE_NEXT("study"), "");
    NUMBER(&store->run, "SELECT ifnull(max(run), 0) + 1 FROM study", "");
    hs_free(store->version);
    store->version = NULL;
    HS_TRY(PUT("study", "?1,?2,?3,?4,?5,?6", "itttti", store->study, study->name,
               study->text ? study->text : "", study->contents, hsel_version(), store->run));
    /* Its data sets. What an earlier run found under a name stays until this one has looked. */
    QUERY(NULL,
          "UPDATE uses SET place = -1, sum = checksum(study, name, -1, run, dataset, message)"
          " WHERE study = ?",
          "i", store->study);
    for (size_t i = 0; i < study->dataset_count; i++) {
        const hs_study_dataset *set = &study->datasets[i];
        HS_OWNS(hs_buf_clear) hs_buf why = {0};
        if (set->missing)
            hs_buf_printf(&why, "%s does not exist", set->path);
        HS_NEED(!why.failed);
        HS_TRY(PUT("uses",
                   "?1,?2,?3,ifnull((SELECT run FROM uses WHERE study = ?1 AND name = ?2), 0),"
                   "(SELECT dataset FROM uses WHERE study = ?1 AND name = ?2),?4",
                   "itit", store->study, set->name, (int64_t)i, why.text));
    }
    return hs_store_query(store, NULL, error, "DELETE FROM uses WHERE study = ? AND place = -1",
                          "i", store->study);
}

/* Folds that do not test every instance. */
#define SOME_TESTED "%s %u"

int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme, const hs_folds *folds,
                       hsel_error *error)
{
    char hash[20], some[64];
    int64_t same = -1;
    const uint32_t tested = folds->start[folds->count];
    const char *name = scheme;
    if (tested < folds->instances) {
        hs_print(some, sizeof some, SOME_TESTED, scheme, folds->count);
        name = some;
    }
    print_text(XXH3_64bits(folds->order, tested * sizeof *folds->order) ^
                   XXH3_64bits(folds->start, ((size_t)folds->count + 1) * sizeof *folds->start),
               hash);
    NUMBER(&same, "SELECT hash = ? FROM fold_file WHERE dataset = ? AND scheme = ?", "tit", hash,
           dataset, name);
    if (same == 0)
        return hs_fail_at(
            error, HSEL_EUSAGE, store->path, 0,
            "the store has results for other folds than those of %.300s: give another store",
            strncmp(scheme, "file:", 5) == 0 ? scheme + 5 : scheme);
    if (same > 0)
        return HSEL_OK;
    return PUT("fold_file", "?1,?2,?3,?4", "itit", dataset, name, (int64_t)folds->count, hash);
}

/* ---- putting units ---- */

/* A key as the rows have it. Folds: loo and fold files have as many as they have, whatever a study
 * says. Texts that the store does not know are -1, or added; what is of the whole data set has ""
 * instead of selector and scheme. */
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
    NUMBER(&there, "SELECT 1 FROM unit WHERE dataset = ? LIMIT 1", "i", dataset);
    *out = there;
    return HSEL_OK;
}

int hs_store_job(hs_store *store, const hs_result_key *key, hs_job_state *out, hsel_error *error)
{
    int64_t method, ok = HS_JOB_NONE;
    struct row_key k;
    HS_TRY(hs_store_text(store, key->method, false, &method, error));
    HS_TRY(find_key(store, key, false, &k, error));
    NUMBER(&ok,
           "SELECT j.ok FROM unit u JOIN job j ON j.unit = u.id WHERE"
           " " REPEAT_IS " AND u.seed = ? AND u.fold = ? AND j.classifier = ? AND"
           " (? OR u.instances IS NULL OR u.sets IS NOT NULL) AND j.version = ifnull(?, j.version)",
           "iiiiiiiit", REPEAT(k), k.seed, k.fold, method, (int64_t)!key->probed, key->version);
    *out = ok < 0 || ok > HS_JOB_UNFIT ? HS_JOB_NONE : (hs_job_state)ok;
    return HSEL_OK;
}

/* A unit may be there already, with other classifiers or a failure: the selection is brought up to
 * date, unless nothing worked this time. */
static int put_unit(hs_store *store, const hs_result_key *key, const hs_unit_result *result,
                    int64_t *id, hsel_error *error)
{
    struct row_key k;
    *id = -1;
    HS_TRY(find_key(store, key, true, &k, error));
    NUMBER(id,
           "SELECT id FROM unit u WHERE " REPEAT_IS " AND u.seed = ? AND"
           " u.fold = ?",
           "iiiiii", REPEAT(k), k.seed, k.fold);
    bool selected = result->instances != NULL;
    if (*id >= 0 && !selected)
        return HSEL_OK;
    if (*id < 0)
        NUMBER(id, HS_STORE_NEXT("unit"), "");
    /* The numbers one after the other; all empty where nothing was selected. */
    HS_OWNS(hs_buf_clear) hs_buf packed = {0};
    hs_pack_numbers(result->instances, selected ? result->tested : 0, &packed);
    size_t second = packed.length;
    hs_pack_numbers(result->selected, selected ? result->tested : 0, &packed);
    size_t third = packed.length;
    hs_pack_numbers(result->frequency, selected ? result->features : 0, &packed);
    HS_NEED(!packed.failed);
    const char *bytes = selected ? packed.text : NULL;
    return PUT("unit",
               "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,"
               "ifnull(?13, (SELECT sets FROM unit WHERE id = ?1))",
               "iiiiiiidibbbb", *id, REPEAT(k), k.seed, k.fold, result->select_seconds,
               (int64_t)result->tested, bytes, second, selected ? bytes + second : NULL,
               third - second, selected ? bytes + third : NULL, packed.length - third,
               result->probed, result->probed_length);
}

/* A job that is ok has values (and scores), one that failed has a message. */
static int put_job(hs_store *store, int64_t unit, const hs_unit_result *result,
                   const hs_job_result *job, hsel_error *error)
{
    int64_t method;
    hs_job_state state = job->values ? HS_JOB_OK : job->unfit ? HS_JOB_UNFIT : HS_JOB_FAILED;
    const char *message = job->message ? job->message : job->values ? NULL : "failed";
    size_t values = result->width ? result->width : (size_t)result->tested * result->classes;
    HS_TRY(hs_store_text(store, job->method, true, &method, error));
    return PUT("job", "?1,?2,?3,?4,?5,nullif(?6, 0),?7,?8,?9,?10", "iiidtibbti", unit, method,
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
    QUERY(&row,
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
        return damaged("the scores of a ranker are truncated");
    HS_NEED(!length || bytes);
    if (length)
        memcpy(values, bytes, length);
    return HSEL_OK;
}

/* ---- reading data sets ---- */

void hs_stored_dataset_clear(hs_stored_dataset *data)
{
    hs_arena_clear(&data->arena);
    hs_about_clear(&data->about);
    hs_names_clear(&data->class_names);
    hs_names_clear(&data->feature_names);
    *data = (hs_stored_dataset){.id = -1};
}

void hs_stored_datasets_free(hs_stored_dataset *datasets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hs_stored_dataset_clear(&datasets[i]);
    hs_free(datasets);
}

/* A text of a row, kept; NULL stays NULL. */
static int keep_text(sqlite3_stmt *row, int column, hs_arena *arena, const char **out,
                     hsel_error *error)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    *out = NULL;
    HS_NEED((!text && sqlite3_column_type(row, column) == SQLITE_NULL) ||
            (text && (*out = hs_arena_text(arena, text, strlen(text)))));
    return HSEL_OK;
}

/* `count` elements that a row has as they lie in memory, kept; NULL stays NULL. */
static int keep_array(hs_store *store, sqlite3_stmt *row, int column, hs_arena *arena, size_t count,
                      size_t size, const char *what, void **out, hsel_error *error)
{
    const void *bytes = sqlite3_column_blob(row, column);
    *out = NULL;
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return HSEL_OK;
    if ((size_t)sqlite3_column_bytes(row, column) != count * size)
        return damaged(what);
    HS_NEED((bytes || !count) && (*out = hs_arena_alloc(arena, count, size)));
    if (count)
        memcpy(*out, bytes, count * size);
    return HSEL_OK;
}

/* Names one after the other, each ended by NUL: `count` from the byte *at on, which moves on. */
static int split_names(hs_store *store, sqlite3_stmt *row, int column, size_t *at, uint64_t count,
                       hs_names *out, hsel_error *error)
{
    const char *pool = sqlite3_column_blob(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    for (uint64_t i = 0; i < count; i++) {
        const char *end = *at < length ? memchr(pool + *at, '\0', length - *at) : NULL;
        if (!end)
            return damaged("names are truncated");
        HS_TRY(hs_names_append(out, pool + *at, (size_t)(end - pool) - *at, error));
        *at = (size_t)(end - pool) + 1;
    }
    return HSEL_OK;
}

/* What a data set says of its instances. */
#define CONTENT "d.instances, d.features, d.classes, d.positive_class, d.class_of, d.numbers"

/* Columns of CONTENT; lists in the arena. */
static int read_content(hs_store *store, sqlite3_stmt *row, hs_arena *arena, hs_stored_dataset *out,
                        hsel_error *error)
{
    static const int64_t limits[] = {HS_INSTANCES_LIMIT, HS_FEATURES_LIMIT, HS_CLASSES_LIMIT,
                                     UINT32_MAX};
    uint32_t *const sizes[] = {&out->instances, &out->features, &out->classes,
                               &out->positive_class};
    for (int i = 0; i < 4; i++) {
        int64_t value = sqlite3_column_int64(row, i);
        if (value < 0 || value > limits[i])
            return damaged("a data set has invalid sizes");
        *sizes[i] = (uint32_t)value;
    }
    if (out->classes >= 2 ? out->positive_class >= out->classes : out->positive_class != HSEL_NONE)
        return damaged("the positive class of a data set is not one of its classes");
    HS_TRY(keep_array(store, row, 4, arena, out->instances, sizeof *out->class_of,
                      "the classes of a data set are truncated", (void **)&out->class_of, error));
    HS_TRY(keep_array(store, row, 5, arena, out->instances, sizeof *out->numbers,
                      "the numeric target is truncated", (void **)&out->numbers, error));
    for (uint32_t i = 0; i < out->instances; i++)
        if (out->class_of && out->class_of[i] >= out->classes && out->class_of[i] != HSEL_NONE)
            return damaged("an instance has an unknown class");
        else if (out->numbers && !(fabs(out->numbers[i]) <= HS_TARGET_LIMIT))
            return damaged("the target is not a number");
    return HSEL_OK;
}

int hs_store_find_dataset(hs_store *store, const char *name, hs_stored_dataset *out,
                          hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_OWNS(hs_stored_dataset_clear) hs_stored_dataset found = {0};
    hs_arena *arena = &found.arena;
    *out = (hs_stored_dataset){.id = -1};
    QUERY(&row,
          "SELECT " CONTENT ", d.id, fingerprint, positives, edges, depth, class_names,"
          " feature_names, a.columns, a.texts, a.provenance, target, support, identifiers"
          " FROM uses n JOIN dataset d ON d.id = n.dataset LEFT JOIN about a ON a.dataset = d.id"
          " WHERE n.study = ? AND n.name = ?",
          "it", store->study, name);
    if (!row)
        return HSEL_OK;
    HS_TRY(read_content(store, row, arena, &found, error));
    const char *print = (const char *)sqlite3_column_text(row, 7);
    found.id = sqlite3_column_int64(row, 6);
    found.fingerprint = print ? strtoull(print, NULL, 16) : 0;
    found.positives = sqlite3_column_int64(row, 8);
    found.edges = sqlite3_column_int64(row, 9);
    found.depth = sqlite3_column_int64(row, 10);
    HS_NEED(found.name = hs_arena_text(arena, name, strlen(name)));
    HS_TRY(split_names(store, row, 11, &(size_t){0}, found.classes, &found.class_names, error));
    HS_TRY(split_names(store, row, 12, &(size_t){0}, found.features, &found.feature_names, error));
    size_t at = 0, counts = (size_t)found.features * found.classes;
    int64_t columns = sqlite3_column_int64(row, 13);
    if (columns < 0 || columns > sqlite3_column_bytes(row, 14))
        return damaged("a data set has an invalid number of labels");
    HS_TRY(split_names(store, row, 14, &at, (uint64_t)columns, &found.about.columns, error));
    HS_TRY(split_names(store, row, 14, &at, (uint64_t)columns * found.features, &found.about.cells,
                       error));
    HS_TRY(keep_text(row, 15, arena, &found.provenance, error));
    HS_TRY(keep_text(row, 16, arena, &found.target, error));
    if (sqlite3_column_type(row, 17) != SQLITE_NULL) {
        HS_NEED(found.support = HS_ARENA_NEW(arena, uint32_t, counts));
        if (!unpack_column(row, 17, UINT32_MAX, found.support, counts))
            return damaged("the counts of features cannot be unpacked");
    }
    HS_TRY(keep_array(store, row, 18, arena, found.instances, sizeof *found.identifiers,
                      "the identifiers of instances are truncated", (void **)&found.identifiers,
                      error));
    HS_NEED(found.class_sizes = hs_arena_zero(arena, found.classes, sizeof *found.class_sizes));
    for (uint32_t i = 0; found.class_of && i < found.instances; i++)
        if (found.class_of[i] != HSEL_NONE)
            found.class_sizes[found.class_of[i]]++;
    HS_MOVE(out, &found);
    return HSEL_OK;
}

int hs_store_hierarchy(hs_store *store, const hs_stored_dataset *data, hsel_dag **dag,
                       uint32_t **support, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    size_t edges = data->edges > 0 ? (size_t)data->edges : 0, n = data->features, e = 0;
    *dag = NULL;
    *support = NULL;
    QUERY(&row, "SELECT hierarchy FROM dataset WHERE id = ? AND hierarchy IS NOT NULL", "i",
          data->id);
    if (!row)
        return HSEL_OK;
    if (edges > HS_EDGES_LIMIT)
        return damaged("a hierarchy has too many edges");
    HS_OWNED uint32_t *numbers = HS_NEW(uint32_t, 2 * n + edges), *child = HS_NEW(uint32_t, edges);
    HS_OWNED uint32_t *counts = HS_NEW(uint32_t, n);
    HS_NEED(numbers && child && counts);
    bool whole = unpack_column(row, 0, UINT32_MAX, numbers, 2 * n + edges);
    for (uint32_t f = 0; f < n && whole; f++)
        for (uint32_t i = 0; i < numbers[f] && (whole = e < edges); i++)
            child[e++] = f;
    if (!whole || e != edges)
        return damaged("a hierarchy cannot be unpacked");
    hsel_error why = {0};
    int status = hs_dag_new((uint32_t)n, child, numbers + n, edges, dag, &why);
    HS_NEED(status != HSEL_ENOMEM);
    if (status)
        return damaged(why.message);
    memcpy(counts, numbers + n + edges, n * sizeof *counts);
    *support = hs_take(&counts);
    return HSEL_OK;
}

int hs_store_datasets(hs_store *store, hs_stored_dataset **out, size_t *count, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    size_t capacity = 0;
    QUERY(&row, "SELECT name, message, run < ?2 FROM uses WHERE study = ?1 ORDER BY place, name",
          "ii", store->study, store->run);
    while (row) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        HS_NEED(name && HS_GROW(out, &capacity, *count + 1));
        hs_stored_dataset *data = &(*out)[*count];
        HS_TRY(hs_store_find_dataset(store, name, data, error));
        ++*count; /* from here on it is freed with the others */
        HS_TRY(keep_text(row, 0, &data->arena, &data->name, error));
        HS_TRY(keep_text(row, 1, &data->arena, &data->why, error));
        data->older = data->id >= 0 && sqlite3_column_int(row, 2);
        HS_TRY(hs_store_next(store, &row, error));
    }
    return HSEL_OK;
}

int hs_store_choices(hs_store *store, const hs_result_key *key, uint32_t repeats, size_t pairs,
                     uint32_t *picks, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    struct row_key k;
    HS_TRY(find_key(store, key, false, &k, error));
    QUERY(&row,
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

/* What the predictions of `out` are made of, while folds are added. */
struct gathering {
    hs_stored *out;
    uint32_t *truth, *fold_of, *selected;
    double *probability, *score;
    uint32_t *numbers; /* unpacked, kept from row to row */
    size_t capacity;
};

static void gathering_clear(struct gathering *g) { hs_free(g->numbers); }

#define UNVOUCHED_LIMIT 1000000

/* What a data set says about all folds, before there are any. */
static int begin_stored(hs_store *store, const hs_result_key *key, struct gathering *g,
                        hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    hs_stored_dataset data = {0};
    hs_arena *arena = &g->out->arena;
    QUERY(&row, "SELECT " CONTENT " FROM dataset d WHERE id = ?", "i", key->dataset);
    if (!row)
        return damaged("a data set is missing");
    HS_TRY(read_content(store, row, arena, &data, error));
    /* Without classes nothing vouches for the number of instances, and nothing is tested. */
    bool known = data.class_of || data.numbers || data.instances <= UNVOUCHED_LIMIT;
    size_t n = known ? data.instances : 0;
    int64_t folds = strcmp(key->scheme, "loo") == 0 ? (int64_t)n : key->folds;
    if (strncmp(key->scheme, "file:", 5) == 0) /* as many as it had when it was used */
        NUMBER(&folds, "SELECT folds FROM fold_file WHERE dataset = ? AND scheme = ?", "it",
               key->dataset, key->scheme);
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
    QUERY(&row, "SELECT name FROM uses WHERE dataset = ?", "i", key->dataset);
    const char *name = row ? (const char *)sqlite3_column_text(row, 0) : NULL;
    if (fold >= 0)
        snprintf(number, sizeof number, ", fold %llu", (unsigned long long)fold + 1);
    return hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                      "the store is damaged: data set %.100s, selector %.200s, classifier %.200s, "
                      "seed %llu%s: its values are invalid",
                      name ? name : "?", key->selector, key->method, (unsigned long long)key->seed,
                      number);
}

/* Each row of probabilities from 0 to 1 with the sum 1, if there are classes? */
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

/* Numbers, as many as there are to be? */
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
        stated = p->instances; /* its parts will not fit */
    size_t tested = (size_t)stated;
    HS_NEED(HS_GROW(&g->numbers, &g->capacity, 2 * tested));
    uint32_t *instances = g->numbers, *selected = instances + tested;
    bool sound = fold >= 0 && fold < p->folds &&
                 (size_t)sqlite3_column_bytes(row, 3) == tested * line &&
                 unpack_column(row, 4, p->instances - 1, instances, tested) &&
                 unpack_column(row, 5, p->features, selected, tested) &&
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
    QUERY(&row,
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
        char name[64];
        hs_print(name, sizeof name, SOME_TESTED, key->scheme, key->folds);
        NUMBER(&some, "SELECT count(*) FROM fold_file WHERE dataset = ? AND scheme = ?", "it",
               key->dataset, name);
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
    QUERY(&row,
          "SELECT u.frequency, d.features, u.tested, d.instances, u.sets FROM unit u JOIN dataset d"
          " ON d.id = u.dataset WHERE " REPEAT_IS
          " AND u.seed >= ? AND u.seed < ? AND u.frequency IS NOT NULL ORDER BY u.seed, u.fold",
          "iiiiii", REPEAT(k), k.seed, k.seed + repeats);
    while (row) {
        int64_t features = sqlite3_column_int64(row, 1);
        if (features < 0 || features > HS_FEATURES_LIMIT)
            return damaged("a data set has invalid sizes");
        HS_NEED(HS_GROW(&g.numbers, &g.capacity, (size_t)features + 1));
        if (!unpack_column(row, 0, UINT32_MAX, g.numbers, (size_t)features))
            return damaged("the frequencies of features cannot be unpacked");
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
                return damaged("the selections for some instances cannot be unpacked");
        }
        HS_TRY(hs_store_next(store, &row, error));
    }
    if (lacking)
        folds->sets = 0;
    return HSEL_OK;
}

int hs_store_study_text(hs_store *store, const char *name, char **text, char **contents,
                        char **found, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    QUERY(&row,
          "SELECT text, contents, name, id, run, version FROM study WHERE ?1 IS NULL OR name = ?1 "
          "ORDER BY run DESC, id DESC LIMIT 1",
          "t", name);
    if (!row)
        return name ? hs_fail_at(error, HSEL_EUSAGE, store->path, 0,
                                 "the store has no study '%.100s'", name)
                    : hs_fail_at(error, HSEL_EFORMAT, store->path, 0,
                                 "the store has no study yet; hsel run adds one");
    const char *yaml = (const char *)sqlite3_column_text(row, 0);
    HS_NEED(yaml && (*text = hs_strdup(yaml)));
    const char *content = contents ? (const char *)sqlite3_column_text(row, 1) : NULL;
    HS_NEED(!content || (*contents = hs_strdup(content)));
    const char *called = found ? (const char *)sqlite3_column_text(row, 2) : NULL;
    HS_NEED(!called || (*found = hs_strdup(called)));
    return use_row(store, row, 3, error);
}

const char *hs_store_version(const hs_store *store)
{
    return store->version ? store->version : hsel_version();
}

int64_t hs_store_time(const hs_store *store) { return store->time; }

/* ---- merging ---- */

extern const char hs_study_merge[]; /* merge.sql */

/* All of it or nothing. */
static int merge_rows(hs_store *store, const char *other, int64_t *jobs, hsel_error *error)
{
    int64_t differ = 0;
    NUMBER(&differ,
           "SELECT count(*) FROM other.fold_file o JOIN other.dataset t ON t.id = o.dataset JOIN"
           " main.dataset m USING (fingerprint) JOIN main.fold_file f ON f.dataset = m.id AND"
           " f.scheme = o.scheme WHERE f.hash <> o.hash",
           "");
    if (differ > 0)
        return hs_fail_at(error, HSEL_EUSAGE, other, 0,
                          "its fold files have other folds than those of %s", store->path);
    HS_TRY(hs_store_run(store, hs_study_merge, error));
    NUMBER(jobs, "SELECT jobs FROM temp.taken", "");
    return hs_store_run(store, "DROP TABLE temp.taken", error);
}

int hs_store_merge(hs_store *store, const char *other, uint64_t *taken, hsel_error *error)
{
    /* Is it a whole store of this schema, and another one? */
    struct stat mine, theirs;
    HS_OWNED char *uri = NULL;
    {
        HS_OWNS(hs_store_done) hs_store *check = NULL;
        HS_TRY(hs_store_open(other, HS_STORE_READ, false, &check, error));
        HS_NEED(uri = hs_strdup(check->uri));
    }
    if (stat(store->path, &mine) == 0 && stat(other, &theirs) == 0 &&
        mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino)
        return hs_fail_at(error, HSEL_EUSAGE, other, 0, "a store cannot be merged with itself");
    HS_TRY(hs_store_commit(store, error));
    QUERY(NULL, "ATTACH ? AS other", "t", uri);
    int64_t jobs = 0;
    int status = hs_store_begin(store, error);
    if (status == HSEL_OK) {
        status = merge_rows(store, other, &jobs, error);
        status = status ? hs_store_end(store, status, error) : hs_store_commit(store, error);
    }
    *taken = (uint64_t)jobs;
    if (status == HSEL_EFORMAT) /* SQLite does not say which of the two */
        status = hs_fail_at(error, HSEL_EFORMAT, other, 0,
                            "cannot be merged with %s: one of the two is damaged", store->path);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    return status;
}

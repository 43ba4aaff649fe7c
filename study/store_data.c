/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets and studies in the store. Numbers are kept as they lie in memory, in the byte order of
 * the machine; doubles are exact. Nothing in a store is trusted: sizes and numbers are checked
 * before they are used.
 */
#include <xxhash.h>

#include "study/store_parts.h"

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

/* Labels do not affect results, so a data set with other labels is the same; the last ones seen are
 * kept. A data set without labels leaves stored ones in place. */
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
    HS_NUMBER(&same,
              "SELECT columns = ? AND texts IS ? AND provenance IS ? FROM about WHERE dataset = ?",
              "ibti", columns, texts.text, texts.length, data->provenance, id);
    return same ? HSEL_OK
                : HS_PUT("about", "?1,?2,?3,?4", "iibt", id, columns, texts.text, texts.length,
                         data->provenance);
}

/* Packs in how many instances of each class each feature is positive; nothing without classes. */
static int pack_support(const hsel_dataset *data, hs_buf *out, hsel_error *error)
{
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    hs_view all = hs_view_all(data);
    if (!data->class_of)
        return HSEL_OK;
    HS_TRY(hs_counts_of(&all, &counts, error));
    for (uint32_t f = 0; f < data->features; f++) { /* a number counts unless it is 0 */
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

/* Sorted hashes of the identifiers of instances; *out is NULL if there are none, or if they are
 * just row numbers, which do not identify anything. */
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
    if (counted[0] || counted[1]) /* true without identifiers, too */
        return HSEL_OK;
    qsort(hashes, data->ids.count, sizeof *hashes, by_number);
    *out = hs_take(&hashes);
    return HSEL_OK;
}

/* Packs the number of parents of each feature, the parents, and the support of each feature. */
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

/* Stores what follows from the content, once. */
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
    return HS_PUT("dataset", "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17",
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

/* Records what the last run found under a name. A new name comes after the others of the study. */
static int put_use(hs_store *store, const char *name, int64_t dataset, const char *message,
                   hsel_error *error)
{
    return HS_PUT("uses",
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
    if (*id < 0) { /* a damaged row keeps its id, since results refer to it */
        HS_NUMBER(id,
                  "SELECT id FROM dataset WHERE fingerprint = ? UNION ALL"
                  " SELECT ifnull(max(id), 0) + 1 FROM dataset",
                  "t", print_text(fingerprint, text));
        HS_TRY(put_content(store, data, text, *id, error));
    }
    HS_TRY(put_about(store, data, *id, error));
    /* A data set may have several names; in a study a name refers to one data set, that of its last
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
    HS_QUERY(&row, "SELECT id, run, version FROM study WHERE name = ? AND text = ?", "tt",
             study->name, study->text ? study->text : "");
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
    HS_TRY(hs_store_open(path, HS_STORE_CHECK, 0, &store,
                         error)); /* rows are checked when it is merged */
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
        HS_NUMBER(&store->study, HS_STORE_NEXT("study"), "");
    HS_NUMBER(&store->run, "SELECT ifnull(max(run), 0) + 1 FROM study", "");
    hs_free(store->version);
    store->version = NULL;
    HS_TRY(HS_PUT("study", "?1,?2,?3,?4,?5,?6", "itttti", store->study, study->name,
                  study->text ? study->text : "", study->contents, hsel_version(), store->run));
    /* The names of its data sets. What an earlier run found under a name stays until this run reads
     * it. */
    HS_QUERY(NULL,
             "UPDATE uses SET place = -1, sum = checksum(study, name, -1, run, dataset, message)"
             " WHERE study = ?",
             "i", store->study);
    for (size_t i = 0; i < study->dataset_count; i++) {
        const hs_study_dataset *set = &study->datasets[i];
        HS_OWNS(hs_buf_clear) hs_buf why = {0};
        if (set->missing)
            hs_buf_printf(&why, "%s does not exist", set->path);
        HS_NEED(!why.failed);
        HS_TRY(HS_PUT("uses",
                      "?1,?2,?3,ifnull((SELECT run FROM uses WHERE study = ?1 AND name = ?2), 0),"
                      "(SELECT dataset FROM uses WHERE study = ?1 AND name = ?2),?4",
                      "itit", store->study, set->name, (int64_t)i, why.text));
    }
    return hs_store_query(store, NULL, error, "DELETE FROM uses WHERE study = ? AND place = -1",
                          "i", store->study);
}

const char *hs_store_folds_name(const char *scheme, uint32_t folds, char out[HS_FOLDS_NAME_ROOM])
{
    if (strncmp(scheme, "file:", 5) == 0)
        return scheme;
    hs_print(out, HS_FOLDS_NAME_ROOM, "%s %u", scheme, strcmp(scheme, "loo") == 0 ? 0 : folds);
    return out;
}

int hs_store_fold_file(hs_store *store, int64_t dataset, const char *scheme, uint32_t asked,
                       const hs_folds *folds, const char *design, hsel_error *error)
{
    char hash[20], own[HS_FOLDS_NAME_ROOM];
    int64_t same = -1;
    const uint32_t tested = folds->start[folds->count];
    const char *name = hs_store_folds_name(scheme, asked, own);
    /* Folds of groups differ by seed. */
    const bool drawn = name == own && tested == folds->instances && folds->count == asked;
    print_text(
        drawn ? 0
              : XXH3_64bits(folds->order, tested * sizeof *folds->order) ^
                    XXH3_64bits(folds->start, ((size_t)folds->count + 1) * sizeof *folds->start),
        hash);
    HS_NUMBER(&same, "SELECT hash = ? FROM fold_file WHERE dataset = ? AND scheme = ?", "tit", hash,
              dataset, name);
    if (same == 0)
        return hs_fail_at(
            error, HSEL_EUSAGE, store->path, 0,
            "the store has results for other folds than those of %.300s: give another store",
            strncmp(scheme, "file:", 5) == 0 ? scheme + 5 : scheme);
    if (same > 0)
        return HSEL_OK;
    return HS_PUT("fold_file", "?1,?2,?3,?4,?5", "ititt", dataset, name, (int64_t)folds->count,
                  hash, design);
}

int hs_store_study_text(hs_store *store, const char *name, char **text, char **contents,
                        char **found, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_QUERY(
        &row,
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

int hs_store_design(hs_store *store, int64_t dataset, const char *scheme, uint32_t asked,
                    hs_arena *arena, const char **out, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    char name[HS_FOLDS_NAME_ROOM];
    *out = NULL;
    HS_QUERY(&row, "SELECT design FROM fold_file WHERE dataset = ? AND scheme = ?", "it", dataset,
             hs_store_folds_name(scheme, asked, name));
    return row ? keep_text(row, 0, arena, out, error) : HSEL_OK;
}

/* An array of `count` elements, kept; NULL stays NULL. */
static int keep_array(hs_store *store, sqlite3_stmt *row, int column, hs_arena *arena, size_t count,
                      size_t size, const char *what, void **out, hsel_error *error)
{
    const void *bytes = sqlite3_column_blob(row, column);
    *out = NULL;
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return HSEL_OK;
    if ((size_t)sqlite3_column_bytes(row, column) != count * size)
        return hs_store_damaged(store, what, error);
    HS_NEED((bytes || !count) && (*out = hs_arena_alloc(arena, count, size)));
    if (count)
        memcpy(*out, bytes, count * size);
    return HSEL_OK;
}

/* Reads `count` names, each followed by a NUL, from byte *at on, which is advanced. */
static int split_names(hs_store *store, sqlite3_stmt *row, int column, size_t *at, uint64_t count,
                       hs_names *out, hsel_error *error)
{
    const char *pool = sqlite3_column_blob(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    for (uint64_t i = 0; i < count; i++) {
        const char *end = *at < length ? memchr(pool + *at, '\0', length - *at) : NULL;
        if (!end)
            return hs_store_damaged(store, "names are truncated", error);
        HS_TRY(hs_names_append(out, pool + *at, (size_t)(end - pool) - *at, error));
        *at = (size_t)(end - pool) + 1;
    }
    return HSEL_OK;
}

int hs_store_content(hs_store *store, sqlite3_stmt *row, hs_arena *arena, hs_stored_dataset *out,
                     hsel_error *error)
{
    static const int64_t limits[] = {HS_INSTANCES_LIMIT, HS_FEATURES_LIMIT, HS_CLASSES_LIMIT,
                                     UINT32_MAX};
    uint32_t *const sizes[] = {&out->instances, &out->features, &out->classes,
                               &out->positive_class};
    for (int i = 0; i < 4; i++) {
        int64_t value = sqlite3_column_int64(row, i);
        if (value < 0 || value > limits[i])
            return hs_store_damaged(store, "a data set has invalid sizes", error);
        *sizes[i] = (uint32_t)value;
    }
    if (out->classes >= 2 ? out->positive_class >= out->classes : out->positive_class != HSEL_NONE)
        return hs_store_damaged(store, "the positive class of a data set is not one of its classes",
                                error);
    HS_TRY(keep_array(store, row, 4, arena, out->instances, sizeof *out->class_of,
                      "the classes of a data set are truncated", (void **)&out->class_of, error));
    HS_TRY(keep_array(store, row, 5, arena, out->instances, sizeof *out->numbers,
                      "the numeric target is truncated", (void **)&out->numbers, error));
    for (uint32_t i = 0; i < out->instances; i++)
        if (out->class_of && out->class_of[i] >= out->classes && out->class_of[i] != HSEL_NONE)
            return hs_store_damaged(store, "an instance has an unknown class", error);
        else if (out->numbers && !(fabs(out->numbers[i]) <= HS_TARGET_LIMIT))
            return hs_store_damaged(store, "the target is not a number", error);
    return HSEL_OK;
}

int hs_store_find_dataset(hs_store *store, const char *name, hs_stored_dataset *out,
                          hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    HS_OWNS(hs_stored_dataset_clear) hs_stored_dataset found = {0};
    hs_arena *arena = &found.arena;
    *out = (hs_stored_dataset){.id = -1};
    HS_QUERY(&row,
             "SELECT " HS_STORE_CONTENT ", d.id, fingerprint, positives, edges, depth, class_names,"
             " feature_names, a.columns, a.texts, a.provenance, target, support, identifiers"
             " FROM uses n JOIN dataset d ON d.id = n.dataset LEFT JOIN about a ON a.dataset = d.id"
             " WHERE n.study = ? AND n.name = ?",
             "it", store->study, name);
    if (!row)
        return HSEL_OK;
    HS_TRY(hs_store_content(store, row, arena, &found, error));
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
        return hs_store_damaged(store, "a data set has an invalid number of labels", error);
    HS_TRY(split_names(store, row, 14, &at, (uint64_t)columns, &found.about.columns, error));
    HS_TRY(split_names(store, row, 14, &at, (uint64_t)columns * found.features, &found.about.cells,
                       error));
    HS_TRY(keep_text(row, 15, arena, &found.provenance, error));
    HS_TRY(keep_text(row, 16, arena, &found.target, error));
    if (sqlite3_column_type(row, 17) != SQLITE_NULL) {
        HS_NEED(found.support = HS_ARENA_NEW(arena, uint32_t, counts));
        if (!hs_unpack_column(row, 17, UINT32_MAX, found.support, counts))
            return hs_store_damaged(store, "the counts of features cannot be unpacked", error);
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
    HS_QUERY(&row, "SELECT hierarchy FROM dataset WHERE id = ? AND hierarchy IS NOT NULL", "i",
             data->id);
    if (!row)
        return HSEL_OK;
    if (edges > HS_EDGES_LIMIT)
        return hs_store_damaged(store, "a hierarchy has too many edges", error);
    HS_OWNED uint32_t *numbers = HS_NEW(uint32_t, 2 * n + edges), *child = HS_NEW(uint32_t, edges);
    HS_OWNED uint32_t *counts = HS_NEW(uint32_t, n);
    HS_NEED(numbers && child && counts);
    bool whole = hs_unpack_column(row, 0, UINT32_MAX, numbers, 2 * n + edges);
    for (uint32_t f = 0; f < n && whole; f++)
        for (uint32_t i = 0; i < numbers[f] && (whole = e < edges); i++)
            child[e++] = f;
    if (!whole || e != edges)
        return hs_store_damaged(store, "a hierarchy cannot be unpacked", error);
    hsel_error why = {0};
    int status = hs_dag_new((uint32_t)n, child, numbers + n, edges, dag, &why);
    HS_NEED(status != HSEL_ENOMEM);
    if (status)
        return hs_store_damaged(store, why.message, error);
    memcpy(counts, numbers + n + edges, n * sizeof *counts);
    *support = hs_take(&counts);
    return HSEL_OK;
}

int hs_store_datasets(hs_store *store, hs_stored_dataset **out, size_t *count, hsel_error *error)
{
    HS_OWNS(hs_store_release) sqlite3_stmt *row = NULL;
    size_t capacity = 0;
    HS_QUERY(&row, "SELECT name, message, run < ?2 FROM uses WHERE study = ?1 ORDER BY place, name",
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

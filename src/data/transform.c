/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New data sets from old ones. What a transformation leaves alone is copied in one place
 * (copy_instances, copy_features); what it changes are the positive values and the hierarchy.
 *
 * New positive values are written as lists in any order and then transposed twice: counting
 * transposition gives ascending lists, so columns and rows come out sorted in O(positives) without
 * sorting anything.
 */
#include "data/transform.h"

#include <string.h>

#include "core/mem.h"
#include "data/bits.h"

/* ---- what stays as it is ------------------------------------------------------------------ */

static int copy_text(const char *from, char **to, hsel_error *error)
{
    *to = from ? hs_strdup(from) : NULL;
    return from && !*to ? hs_fail_memory(error) : HSEL_OK;
}

static void *copy_array(const void *from, size_t count, size_t size)
{
    void *copy = hs_alloc(count, size);
    if (copy && count)
        memcpy(copy, from, count * size);
    return copy;
}

/* All that belongs to instances and classes: names, ids, labels. */
static int copy_instances(const hsel_dataset *data, hsel_dataset *out, hsel_error *error)
{
    int status;
    out->instances = data->instances;
    out->positive_class = data->positive_class;
    if ((status = copy_text(data->name, &out->name, error)) ||
        (status = copy_text(data->class_attribute, &out->class_attribute, error)) ||
        (status = copy_text(data->id_attribute, &out->id_attribute, error)) ||
        (status = hs_names_copy(&data->class_names, &out->class_names, error)) ||
        (status = hs_names_copy(&data->ids, &out->ids, error)))
        return status;
    if (!data->class_of)
        return HSEL_OK;
    out->class_of = copy_array(data->class_of, data->instances, sizeof *data->class_of);
    return out->class_of ? HSEL_OK : hs_fail_memory(error);
}

static int copy_numeric(const hs_numeric_column *from, hsel_dataset *out, hsel_error *error)
{
    hs_numeric_column *to = &out->numeric[out->numeric_count++];
    to->count = from->count;
    to->values = copy_array(from->values, from->count, sizeof *from->values);
    if (from->rows)
        to->rows = copy_array(from->rows, from->count, sizeof *from->rows);
    return to->values && (to->rows || !from->rows) ? HSEL_OK : hs_fail_memory(error);
}

static int copy_nominal(const hs_nominal_column *from, hsel_dataset *out, hsel_error *error)
{
    hs_nominal_column *to = &out->nominal[out->nominal_count++];
    to->codes = copy_array(from->codes, out->instances, sizeof *from->codes);
    if (!to->codes)
        return hs_fail_memory(error);
    return hs_names_copy(&from->values, &to->values, error);
}

/* Column of kept feature `from`, which is feature `to` of the new data set. */
static int copy_column(const hsel_dataset *data, uint32_t from, hsel_dataset *out, uint32_t to,
                       hsel_error *error)
{
    out->types[to] = data->types[from];
    switch (data->types[from]) {
    case HSEL_NUMERIC:
        out->slot[to] = out->numeric_count;
        return copy_numeric(&data->numeric[data->slot[from]], out, error);
    case HSEL_NOMINAL:
        out->slot[to] = out->nominal_count;
        return copy_nominal(&data->nominal[data->slot[from]], out, error);
    default:
        return HSEL_OK;
    }
}

/* keep NULL: everything is. */
static bool is_kept(const bool *keep, uint32_t f) { return !keep || keep[f]; }

static int allocate_columns(const hsel_dataset *data, const bool *keep, hsel_dataset *out,
                            hsel_error *error)
{
    uint32_t of_type[3] = {0};
    for (uint32_t f = 0; f < data->features; f++)
        of_type[data->types[f]] += is_kept(keep, f);
    out->features = of_type[HSEL_BINARY] + of_type[HSEL_NUMERIC] + of_type[HSEL_NOMINAL];
    out->types = HS_NEW_ZERO(uint8_t, out->features);
    if (out->features > of_type[HSEL_BINARY])
        out->slot = HS_NEW_ZERO(uint32_t, out->features);
    out->numeric = HS_NEW_ZERO(hs_numeric_column, of_type[HSEL_NUMERIC]);
    out->nominal = HS_NEW_ZERO(hs_nominal_column, of_type[HSEL_NOMINAL]);
    bool complete = out->types && out->numeric && out->nominal &&
                    (out->slot || out->features == of_type[HSEL_BINARY]);
    return complete ? HSEL_OK : hs_fail_memory(error);
}

/* Names, types, numeric and nominal columns of the features with keep[f] (NULL: of all). */
static int copy_features(const hsel_dataset *data, const bool *keep, hsel_dataset *out,
                         hsel_error *error)
{
    int status = allocate_columns(data, keep, out, error);
    if (status)
        return status;
    status = hs_names_subset(&data->feature_names, keep, &out->feature_names, error);
    uint32_t next = 0;
    for (uint32_t f = 0; f < data->features && !status; f++)
        if (is_kept(keep, f))
            status = copy_column(data, f, out, next++, error);
    return status;
}

/* Hands out the result, or frees what there is of it. */
static int deliver(hsel_dataset *result, int status, hsel_dataset **out)
{
    if (status)
        hsel_dataset_free(result);
    *out = status ? NULL : result;
    return status;
}

/* A new data set of the kept features that lacks positive values and hierarchy. */
static int copy_frame(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    hsel_dataset *copy = HS_NEW_ZERO(hsel_dataset, 1);
    *out = NULL;
    if (!copy)
        return hs_fail_memory(error);
    int status = copy_instances(data, copy, error);
    if (!status)
        status = copy_features(data, keep, copy, error);
    return deliver(copy, status, out);
}

/* ---- positive values under way ------------------------------------------------------------ */

static int sparse_init(hs_sparse *to, uint32_t lists, size_t expected, hsel_error *error)
{
    to->lists = lists;
    to->start = HS_NEW_ZERO(uint64_t, (size_t)lists + 1);
    to->index = HS_NEW(uint32_t, expected);
    return to->start && to->index ? HSEL_OK : hs_fail_memory(error);
}

/* Turns unsorted rows into the sorted columns and rows of `out`, and frees them on the way. */
static int finish_rows(hs_sparse *rows, hsel_dataset *out, hsel_error *error)
{
    int status = hs_sparse_transpose(rows, out->features, &out->columns, error);
    hs_sparse_clear(rows);
    return status ? status : hs_sparse_transpose(&out->columns, out->instances, &out->rows, error);
}

static size_t count_positives(const hsel_dataset *data)
{
    return (size_t)data->rows.start[data->instances];
}

/* ---- subset ------------------------------------------------------------------------------- */

static int subset_columns(const hsel_dataset *data, const bool *keep, hsel_dataset *out,
                          hsel_error *error)
{
    hs_sparse *to = &out->columns;
    size_t total = 0, count;
    for (uint32_t f = 0; f < data->features; f++)
        total += is_kept(keep, f) ? (hs_column(data, f, &count), count) : 0;
    int status = sparse_init(to, out->features, total, error);
    if (status)
        return status;
    uint32_t next = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        if (!is_kept(keep, f))
            continue;
        const uint32_t *list = hs_column(data, f, &count);
        if (count)
            memcpy(to->index + to->start[next], list, count * sizeof *list);
        to->start[next + 1] = to->start[next] + count;
        next++;
    }
    return hs_sparse_transpose(to, out->instances, &out->rows, error);
}

int hs_dataset_subset(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    hsel_dataset *result = NULL;
    int status = copy_frame(data, keep, &result, error);
    if (!status)
        status = subset_columns(data, keep, result, error);
    if (!status && data->dag)
        status = hs_dag_subset(data->dag, keep, &result->dag, error);
    return deliver(result, status, out);
}

uint32_t hs_mark_rare(const hsel_dataset *data, uint32_t support, bool *keep)
{
    uint32_t marked = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        hs_column(data, f, &count);
        if (data->types[f] != HSEL_BINARY || count >= support || !keep[f])
            continue;
        keep[f] = false;
        marked++;
    }
    return marked;
}

uint32_t hs_mark_roots(const hsel_dataset *data, bool *keep)
{
    uint32_t marked = 0;
    for (uint32_t f = 0; data->dag && f < data->features; f++) {
        if (!hs_is_root(data->dag, f) || hs_is_leaf(data->dag, f) || !keep[f])
            continue;
        keep[f] = false;
        marked++;
    }
    return marked;
}

/* ---- propagation -------------------------------------------------------------------------- */

typedef struct climber {
    const hsel_dag *dag;
    uint64_t *seen;  /* nodes met in the row at hand; empty between rows */
    uint32_t *queue; /* those nodes, in the order met: [features] */
} climber;

/* Puts the positive features of a row and all their ancestors into the queue, each once. Ancestors
 * that are not binary are passed through. */
static size_t climb(climber *up, const uint32_t *row, size_t count)
{
    const hsel_dag *dag = up->dag;
    uint32_t *queue = up->queue;
    for (size_t i = 0; i < count; i++) {
        hs_bit_set(up->seen, row[i]);
        queue[i] = row[i];
    }
    for (size_t i = 0; i < count; i++) {
        size_t parents;
        const uint32_t *parent = hs_parents(dag, queue[i], &parents);
        for (size_t j = 0; j < parents; j++) {
            if (hs_bit_get(up->seen, parent[j]))
                continue;
            hs_bit_set(up->seen, parent[j]);
            queue[count++] = parent[j];
        }
    }
    for (size_t i = 0; i < count; i++)
        up->seen[queue[i] / 64] = 0;
    return count;
}

/* Fills rows, which start with room for the positives of `data`. */
static int propagate_rows(const hsel_dataset *data, climber *up, hs_sparse *rows, hsel_error *error)
{
    size_t used = 0, capacity = count_positives(data);
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        count = climb(up, row, count);
        if (!HS_GROW(&rows->index, &capacity, used + count))
            return hs_fail_memory(error);
        for (size_t j = 0; j < count; j++)
            if (data->types[up->queue[j]] == HSEL_BINARY)
                rows->index[used++] = up->queue[j];
        rows->start[i + 1] = used;
    }
    return HSEL_OK;
}

/* Fills the positive values of `out`. */
static int propagate_into(const hsel_dataset *data, hsel_dataset *out, hsel_error *error)
{
    hs_sparse rows = {0};
    climber up = {.dag = data->dag};
    int status = sparse_init(&rows, data->instances, count_positives(data), error);
    if (status)
        goto out;
    up.seen = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    up.queue = HS_NEW(uint32_t, data->features);
    if (!up.seen || !up.queue) {
        status = hs_fail_memory(error);
        goto out;
    }
    status = propagate_rows(data, &up, &rows, error);
    if (!status)
        status = finish_rows(&rows, out, error);
out:
    hs_free(up.seen);
    hs_free(up.queue);
    hs_sparse_clear(&rows);
    return status;
}

int hs_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                         hsel_error *error)
{
    *added = 0;
    if (!data->dag)
        return hs_dataset_subset(data, NULL, out, error);
    hsel_dataset *result = NULL;
    int status = copy_frame(data, NULL, &result, error);
    if (!status)
        status = propagate_into(data, result, error);
    if (!status)
        status = hs_dag_copy(data->dag, &result->dag, error);
    if (!status)
        *added = count_positives(result) - count_positives(data);
    return deliver(result, status, out);
}

/* ---- merging features, giving a hierarchy ------------------------------------------------- */

static int check_merge(const hsel_dataset *data, const uint32_t *into, hsel_error *error)
{
    if (data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "features can only be merged before a hierarchy is given");
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t stays = into[f];
        if (stays >= data->features || into[stays] != stays)
            return hs_fail(error, HSEL_EUSAGE, "feature %s is merged into one that does not stay",
                           hs_names_get(&data->feature_names, f));
        if (stays != f && (data->types[f] != HSEL_BINARY || data->types[stays] != HSEL_BINARY))
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "feature %s cannot be merged into %s: both must be binary",
                           hs_names_get(&data->feature_names, f),
                           hs_names_get(&data->feature_names, stays));
    }
    return HSEL_OK;
}

/* new_index[f]: number of the feature that f becomes; seen: one entry a new feature. */
static int merge_rows(const hsel_dataset *data, const uint32_t *new_index, uint32_t *seen,
                      hsel_dataset *out, hsel_error *error)
{
    hs_sparse rows = {0};
    size_t used = 0, count;
    int status = sparse_init(&rows, data->instances, count_positives(data), error);
    for (uint32_t i = 0; i < data->instances && !status; i++) {
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t j = 0; j < count; j++) {
            uint32_t f = new_index[row[j]];
            if (seen[f] == i + 1)
                continue;
            seen[f] = i + 1;
            rows.index[used++] = f;
        }
        rows.start[i + 1] = used;
    }
    if (!status)
        status = finish_rows(&rows, out, error);
    hs_sparse_clear(&rows);
    return status;
}

static void number_features(uint32_t features, const uint32_t *into, bool *keep,
                            uint32_t *new_index)
{
    uint32_t next = 0;
    for (uint32_t f = 0; f < features; f++) {
        keep[f] = into[f] == f;
        new_index[f] = keep[f] ? next++ : 0;
    }
    for (uint32_t f = 0; f < features; f++)
        new_index[f] = new_index[into[f]];
}

int hs_dataset_merge(const hsel_dataset *data, const uint32_t *into, hsel_dataset **out,
                     hsel_error *error)
{
    hsel_dataset *result = NULL;
    bool *keep = NULL;
    uint32_t *new_index = NULL, *seen = NULL;
    int status = check_merge(data, into, error);
    if (status)
        goto out;
    keep = HS_NEW(bool, data->features);
    new_index = HS_NEW(uint32_t, data->features);
    seen = HS_NEW_ZERO(uint32_t, data->features);
    if (!keep || !new_index || !seen) {
        status = hs_fail_memory(error);
        goto out;
    }
    number_features(data->features, into, keep, new_index);
    status = copy_frame(data, keep, &result, error);
    if (!status)
        status = merge_rows(data, new_index, seen, result, error);
out:
    hs_free(keep);
    hs_free(new_index);
    hs_free(seen);
    return deliver(result, status, out);
}

int hs_dataset_attach(hsel_dataset *data, hsel_dag *dag, hsel_error *error)
{
    if (dag && dag->nodes != data->features)
        return hs_fail(error, HSEL_EUSAGE,
                       "the hierarchy has %u nodes but the data set %u features", dag->nodes,
                       data->features);
    if (data->dag != dag)
        hs_dag_free(data->dag);
    data->dag = dag;
    return HSEL_OK;
}

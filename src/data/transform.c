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
    out->instances = data->instances;
    out->positive_class = data->positive_class;
    HS_TRY(copy_text(data->name, &out->name, error));
    HS_TRY(copy_text(data->class_attribute, &out->class_attribute, error));
    HS_TRY(copy_text(data->id_attribute, &out->id_attribute, error));
    HS_TRY(hs_names_copy(&data->class_names, &out->class_names, error));
    HS_TRY(hs_names_copy(&data->ids, &out->ids, error));
    HS_TRY(hs_about_copy(&data->instance_about, &out->instance_about, error));
    if (data->class_of)
        HS_NEED(out->class_of =
                    copy_array(data->class_of, data->instances, sizeof *data->class_of));
    return HSEL_OK;
}

/* Column of kept feature `from`, which is feature `to` of the new data set. */
static int copy_column(const hsel_dataset *data, uint32_t from, hsel_dataset *out, uint32_t to,
                       hsel_error *error)
{
    out->types[to] = data->types[from];
    if (data->types[from] == HSEL_NUMERIC) {
        const hs_numeric_column *old = &data->numeric[data->slot[from]];
        hs_numeric_column *new = &out->numeric[out->slot[to] = out->numeric_count++];
        new->count = old->count;
        new->values = copy_array(old->values, old->count, sizeof *old->values);
        if (old->rows)
            new->rows = copy_array(old->rows, old->count, sizeof *old->rows);
        HS_NEED(new->values && (new->rows || !old->rows));
    } else if (data->types[from] == HSEL_NOMINAL) {
        const hs_nominal_column *old = &data->nominal[data->slot[from]];
        hs_nominal_column *new = &out->nominal[out->slot[to] = out->nominal_count++];
        HS_NEED(new->codes = copy_array(old->codes, out->instances, sizeof *old->codes));
        return hs_names_copy(&old->values, &new->values, error);
    }
    return HSEL_OK;
}

/* keep NULL: everything is. */
static bool is_kept(const bool *keep, uint32_t f) { return !keep || keep[f]; }

/* A new data set of the features with keep[f] (NULL: of all) that lacks positive values and
 * hierarchy. */
static int copy_frame(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    uint32_t of_type[3] = {0}, next = 0;
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = HS_NEW_ZERO(hsel_dataset, 1);
    *out = NULL;
    HS_NEED(copy);
    HS_TRY(copy_instances(data, copy, error));
    for (uint32_t f = 0; f < data->features; f++)
        of_type[data->types[f]] += is_kept(keep, f);
    copy->features = of_type[HSEL_BINARY] + of_type[HSEL_NUMERIC] + of_type[HSEL_NOMINAL];
    copy->types = HS_NEW_ZERO(uint8_t, copy->features);
    if (copy->features > of_type[HSEL_BINARY])
        HS_NEED(copy->slot = HS_NEW_ZERO(uint32_t, copy->features));
    copy->numeric = HS_NEW_ZERO(hs_numeric_column, of_type[HSEL_NUMERIC]);
    copy->nominal = HS_NEW_ZERO(hs_nominal_column, of_type[HSEL_NOMINAL]);
    HS_NEED(copy->types && copy->numeric && copy->nominal);
    HS_TRY(hs_names_subset(&data->feature_names, keep, &copy->feature_names, error));
    HS_TRY(hs_about_subset(&data->about, keep, data->features, &copy->about, error));
    for (uint32_t f = 0; f < data->features; f++)
        if (is_kept(keep, f))
            HS_TRY(copy_column(data, f, copy, next++, error));
    *out = hs_take(&copy);
    return HSEL_OK;
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
    HS_TRY(hs_sparse_transpose(rows, out->features, &out->columns, error));
    hs_sparse_clear(rows);
    return hs_sparse_transpose(&out->columns, out->instances, &out->rows, error);
}

static size_t count_positives(const hsel_dataset *data)
{
    return (size_t)data->rows.start[data->instances];
}

/* ---- subset ------------------------------------------------------------------------------- */

int hs_dataset_subset(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                      hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    *out = NULL;
    HS_TRY(copy_frame(data, keep, &result, error));
    hs_sparse *to = &result->columns;
    size_t total = 0, count;
    for (uint32_t f = 0; f < data->features; f++)
        total += is_kept(keep, f) ? (hs_column(data, f, &count), count) : 0;
    HS_TRY(sparse_init(to, result->features, total, error));
    for (uint32_t f = 0, next = 0; f < data->features; f++) {
        if (!is_kept(keep, f))
            continue;
        const uint32_t *list = hs_column(data, f, &count);
        if (count)
            memcpy(to->index + to->start[next], list, count * sizeof *list);
        to->start[next + 1] = to->start[next] + count;
        next++;
    }
    HS_TRY(hs_sparse_transpose(to, result->instances, &result->rows, error));
    if (data->dag)
        HS_TRY(hs_dag_subset(data->dag, keep, &result->dag, error));
    *out = hs_take(&result);
    return HSEL_OK;
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

/* Puts the positive features of a row and all their ancestors into the queue, each once. Ancestors
 * that are not binary are passed through. `seen` has a bit per node and is empty between rows. */
static size_t climb(const hsel_dag *dag, const uint32_t *row, size_t count, uint64_t *seen,
                    uint32_t *queue)
{
    for (size_t i = 0; i < count; i++) {
        hs_bit_set(seen, row[i]);
        queue[i] = row[i];
    }
    for (size_t i = 0; i < count; i++) {
        size_t parents;
        const uint32_t *parent = hs_parents(dag, queue[i], &parents);
        for (size_t j = 0; j < parents; j++) {
            if (hs_bit_get(seen, parent[j]))
                continue;
            hs_bit_set(seen, parent[j]);
            queue[count++] = parent[j];
        }
    }
    for (size_t i = 0; i < count; i++)
        seen[queue[i] / 64] = 0;
    return count;
}

int hs_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                         hsel_error *error)
{
    *added = 0;
    *out = NULL;
    if (!data->dag)
        return hs_dataset_subset(data, NULL, out, error);
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNS(hs_sparse_clear) hs_sparse rows = {0};
    HS_OWNED uint64_t *seen = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    HS_OWNED uint32_t *queue = HS_NEW(uint32_t, data->features);
    size_t used = 0, capacity = count_positives(data), count;
    HS_NEED(seen && queue);
    HS_TRY(copy_frame(data, NULL, &result, error));
    HS_TRY(sparse_init(&rows, data->instances, capacity, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t *row = hs_row(data, i, &count);
        count = climb(data->dag, row, count, seen, queue);
        HS_NEED(HS_GROW(&rows.index, &capacity, used + count));
        for (size_t j = 0; j < count; j++)
            if (data->types[queue[j]] == HSEL_BINARY)
                rows.index[used++] = queue[j];
        rows.start[i + 1] = used;
    }
    HS_TRY(finish_rows(&rows, result, error));
    HS_TRY(hs_dag_copy(data->dag, &result->dag, error));
    *added = count_positives(result) - count_positives(data);
    *out = hs_take(&result);
    return HSEL_OK;
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

int hs_dataset_merge(const hsel_dataset *data, const uint32_t *into, hsel_dataset **out,
                     hsel_error *error)
{
    *out = NULL;
    HS_TRY(check_merge(data, into, error));
    HS_OWNS(hs_dataset_release) hsel_dataset *result = NULL;
    HS_OWNS(hs_sparse_clear) hs_sparse rows = {0};
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_OWNED uint32_t *new_index = HS_NEW(uint32_t, data->features); /* of what f becomes */
    HS_OWNED uint32_t *seen = HS_NEW_ZERO(uint32_t, data->features); /* last row that had it, + 1 */
    uint32_t next = 0;
    size_t used = 0, count;
    HS_NEED(keep && new_index && seen);
    for (uint32_t f = 0; f < data->features; f++) {
        keep[f] = into[f] == f;
        new_index[f] = keep[f] ? next++ : 0;
    }
    for (uint32_t f = 0; f < data->features; f++)
        new_index[f] = new_index[into[f]];
    HS_TRY(copy_frame(data, keep, &result, error));
    HS_TRY(sparse_init(&rows, data->instances, count_positives(data), error));
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t j = 0; j < count; j++) {
            uint32_t f = new_index[row[j]];
            if (seen[f] != i + 1)
                rows.index[used++] = f;
            seen[f] = i + 1;
        }
        rows.start[i + 1] = used;
    }
    HS_TRY(finish_rows(&rows, result, error));
    *out = hs_take(&result);
    return HSEL_OK;
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

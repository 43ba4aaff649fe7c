/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data set's life and looks: freeing (arrays may lie in a mapped file), accessors,
 * transposition. Its self-check is in dataset_check.c.
 */
#include "data/dataset.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "core/mem.h"

static bool is_inside(const hs_region *region, const char *at)
{
    const char *base = region->base;
    return base && at >= base && at < base + region->length;
}

/* Frees memory of its own; what lies in a region goes with that. */
static void release(const hsel_dataset *data, void *block)
{
    if (!is_inside(&data->mapping, block) && !is_inside(&data->block, block))
        hs_free(block);
}

static void release_columns(hsel_dataset *data)
{
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        release(data, data->numeric[i].values);
        release(data, data->numeric[i].rows);
    }
    for (uint32_t i = 0; i < data->nominal_count; i++) {
        release(data, data->nominal[i].codes);
        hs_names_clear(&data->nominal[i].values);
    }
    hs_free(data->numeric);
    hs_free(data->nominal);
    hs_free_aligned(data->block.base);
}

void hsel_dataset_free(hsel_dataset *data)
{
    if (!data)
        return;
    release_columns(data);
    release(data, data->rows.start);
    if (!data->rows_lent)
        release(data, data->rows.index);
    release(data, data->columns.start);
    if (!data->columns_lent)
        release(data, data->columns.index);
    release(data, data->class_of);
    release(data, data->types);
    release(data, data->slot);
    hs_names_clear(&data->feature_names);
    hs_names_clear(&data->class_names);
    hs_names_clear(&data->ids);
    hs_dag_free(data->dag);
    hs_free(data->name);
    hs_free(data->class_attribute);
    hs_free(data->id_attribute);
    if (data->mapping.base)
        munmap(data->mapping.base, data->mapping.length);
    hs_free(data);
}

void hs_sparse_clear(hs_sparse *sparse)
{
    hs_free(sparse->start);
    hs_free(sparse->index);
    *sparse = (hs_sparse){0};
}

int hs_sparse_transpose(const hs_sparse *rows, uint32_t columns, hs_sparse *out, hsel_error *error)
{
    uint64_t total = rows->start[rows->lists];
    *out = (hs_sparse){.start = HS_NEW_ZERO(uint64_t, (size_t)columns + 2),
                       .index = HS_NEW(uint32_t, total),
                       .lists = columns};
    if (!out->start || !out->index) {
        hs_sparse_clear(out);
        return hs_fail_memory(error);
    }
    /* start[c+2] counts column c, then becomes where column c+1 begins; filling shifts it by one.
     */
    for (uint64_t i = 0; i < total; i++)
        out->start[(size_t)rows->index[i] + 2]++;
    for (uint32_t c = 0; c < columns; c++)
        out->start[(size_t)c + 2] += out->start[(size_t)c + 1];
    for (uint32_t r = 0; r < rows->lists; r++)
        for (uint64_t i = rows->start[r]; i < rows->start[r + 1]; i++)
            out->index[out->start[(size_t)rows->index[i] + 1]++] = r;
    return HSEL_OK;
}

/* ---- public accessors ---- */

const char *hsel_dataset_name(const hsel_dataset *data) { return data->name ? data->name : ""; }

uint32_t hsel_dataset_instances(const hsel_dataset *data) { return data->instances; }

uint32_t hsel_dataset_features(const hsel_dataset *data) { return data->features; }

uint32_t hsel_dataset_classes(const hsel_dataset *data) { return data->class_names.count; }

const char *hsel_dataset_feature_name(const hsel_dataset *data, uint32_t feature)
{
    return feature < data->features ? hs_names_get(&data->feature_names, feature) : NULL;
}

uint32_t hsel_dataset_find_feature(const hsel_dataset *data, const char *name)
{
    return hs_names_find(&data->feature_names, name, strlen(name));
}

hsel_feature_type hsel_dataset_feature_type(const hsel_dataset *data, uint32_t feature)
{
    return feature < data->features ? (hsel_feature_type)data->types[feature] : HSEL_NO_TYPE;
}

const char *hsel_dataset_class_name(const hsel_dataset *data, uint32_t label)
{
    return label < data->class_names.count ? hs_names_get(&data->class_names, label) : NULL;
}

uint32_t hsel_dataset_class_of(const hsel_dataset *data, uint32_t instance)
{
    return data->class_of && instance < data->instances ? data->class_of[instance] : HSEL_NONE;
}

const char *hsel_dataset_id(const hsel_dataset *data, uint32_t instance)
{
    return instance < data->ids.count ? hs_names_get(&data->ids, instance) : NULL;
}

const uint32_t *hsel_dataset_row(const hsel_dataset *data, uint32_t instance, size_t *count)
{
    *count = 0;
    return instance < data->instances ? hs_row(data, instance, count) : NULL;
}

const uint32_t *hsel_dataset_column(const hsel_dataset *data, uint32_t feature, size_t *count)
{
    *count = 0;
    return feature < data->features ? hs_column(data, feature, count) : NULL;
}

const hsel_dag *hsel_dataset_hierarchy(const hsel_dataset *data) { return data->dag; }

/* ---- inside the library ---- */

bool hs_dataset_all_binary(const hsel_dataset *data)
{
    return data->numeric_count == 0 && data->nominal_count == 0;
}

const double *hs_dataset_numeric(const hsel_dataset *data, uint32_t feature, double *scratch)
{
    size_t count;
    if (data->types[feature] == HSEL_NUMERIC) {
        const hs_numeric_column *column = &data->numeric[data->slot[feature]];
        if (!column->rows)
            return column->values;
        memset(scratch, 0, data->instances * sizeof *scratch);
        for (uint32_t i = 0; i < column->count; i++)
            scratch[column->rows[i]] = column->values[i];
        return scratch;
    }
    memset(scratch, 0, data->instances * sizeof *scratch);
    if (data->types[feature] == HSEL_NOMINAL) {
        const uint32_t *codes = data->nominal[data->slot[feature]].codes;
        for (uint32_t i = 0; i < data->instances; i++)
            scratch[i] = codes[i] == HS_MISSING_CODE ? (double)NAN : codes[i];
        return scratch;
    }
    const uint32_t *positive = hs_column(data, feature, &count);
    for (size_t i = 0; i < count; i++)
        scratch[positive[i]] = 1;
    return scratch;
}

/* Place of `wanted` in an ascending list, HSEL_NONE if it is not there. */
static uint32_t find_ascending(const uint32_t *list, size_t count, uint32_t wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == wanted ? (uint32_t)low : HSEL_NONE;
}

double hs_dataset_value(const hsel_dataset *data, uint32_t feature, uint32_t instance)
{
    size_t count;
    if (data->types[feature] == HSEL_BINARY) {
        const uint32_t *column = hs_column(data, feature, &count);
        return find_ascending(column, count, instance) != HSEL_NONE;
    }
    if (data->types[feature] == HSEL_NOMINAL) {
        uint32_t code = data->nominal[data->slot[feature]].codes[instance];
        return code == HS_MISSING_CODE ? (double)NAN : code;
    }
    const hs_numeric_column *column = &data->numeric[data->slot[feature]];
    if (!column->rows)
        return column->values[instance];
    uint32_t at = find_ascending(column->rows, column->count, instance);
    return at == HSEL_NONE ? 0 : column->values[at];
}

static size_t names_bytes(const hs_names *names)
{
    size_t index = names->slots ? ((size_t)names->slot_mask + 1) * sizeof *names->slots : 0;
    return names->borrowed
               ? index
               : index + names->pool_capacity + names->start_capacity * sizeof *names->start;
}

static size_t sparse_bytes(const hs_sparse *s)
{
    return s->start ? ((size_t)s->lists + 2) * sizeof *s->start +
                          (size_t)s->start[s->lists] * sizeof *s->index
                    : 0;
}

size_t hs_dataset_bytes(const hsel_dataset *data)
{
    size_t n = data->instances, d = data->features;
    size_t bytes = sizeof *data + names_bytes(&data->feature_names) +
                   names_bytes(&data->class_names) + names_bytes(&data->ids);
    if (data->mapping.base)
        return bytes;
    bytes += sparse_bytes(&data->rows) + sparse_bytes(&data->columns) + d;
    bytes += (data->class_of ? n * sizeof *data->class_of : 0) +
             (data->slot ? d * sizeof *data->slot : 0);
    for (uint32_t i = 0; i < data->numeric_count; i++)
        bytes += data->numeric[i].count *
                 (sizeof(double) + (data->numeric[i].rows ? sizeof(uint32_t) : 0));
    bytes += data->nominal_count * n * sizeof(uint32_t);
    if (data->dag)
        bytes += 4 * ((size_t)data->dag->nodes * 4 + (size_t)data->dag->edges * 2);
    return bytes;
}

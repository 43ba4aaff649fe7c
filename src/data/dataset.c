/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data set's life and looks: freeing (arrays may lie in a mapped file), accessors,
 * transposition, room for columns, self-check.
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
    hs_about_clear(&data->about);
    hs_about_clear(&data->instance_about);
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

/* ---- columns ---- */

/* All numeric and nominal columns lie in one block: thousands of short columns would cost more to
 * allocate than to fill. First the numbers, then the instances of sparse columns, then the codes.
 */
struct room {
    size_t numbers, whole; /* doubles; rows and codes */
};

static bool is_dense(const hsel_dataset *data, uint32_t count)
{
    return (uint64_t)count * (sizeof(double) + sizeof(uint32_t)) >=
           (uint64_t)data->instances * sizeof(double);
}

/* Numbers the columns and adds up what they take. Limits on instances and features keep the sums
 * far from overflow. */
static struct room number_columns(hsel_dataset *data, const uint32_t *counts)
{
    struct room room = {0};
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] == HSEL_BINARY)
            continue;
        bool numeric = data->types[f] == HSEL_NUMERIC, dense = numeric && is_dense(data, counts[f]);
        data->slot[f] = numeric ? data->numeric_count++ : data->nominal_count++;
        if (numeric)
            room.numbers += dense ? data->instances : counts[f];
        if (!dense)
            room.whole += numeric ? counts[f] : data->instances;
    }
    return room;
}

static void lay_columns(hsel_dataset *data, const uint32_t *counts, size_t numbers)
{
    double *values = data->block.base;
    uint32_t *whole = (uint32_t *)(values + numbers);
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] == HSEL_NUMERIC) {
            bool dense = is_dense(data, counts[f]);
            data->numeric[data->slot[f]] =
                (hs_numeric_column){.values = values,
                                    .rows = dense ? NULL : whole,
                                    .count = dense ? data->instances : 0};
            values += dense ? data->instances : counts[f];
            whole += dense ? 0 : counts[f];
        } else if (data->types[f] == HSEL_NOMINAL) {
            data->nominal[data->slot[f]].codes = whole;
            memset(whole, 0xff, data->instances * sizeof *whole);
            whole += data->instances;
        }
}

bool hs_dataset_types_binary(const hsel_dataset *data)
{
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] != HSEL_BINARY)
            return false;
    return true;
}

int hs_dataset_make_columns(hsel_dataset *data, const uint32_t *counts, hsel_error *error)
{
    if (hs_dataset_types_binary(data))
        return HSEL_OK;
    HS_NEED(data->slot = HS_NEW_ZERO(uint32_t, data->features));
    struct room room = number_columns(data, counts);
    /* One more: the place of a last column without values is still inside. */
    data->block.length = (room.numbers + 1) * sizeof(double) + (room.whole + 1) * sizeof(uint32_t);
    data->block.base = hs_alloc_aligned(data->block.length, 1);
    data->numeric = HS_NEW_ZERO(hs_numeric_column, data->numeric_count);
    data->nominal = HS_NEW_ZERO(hs_nominal_column, data->nominal_count);
    if (!data->numeric || !data->nominal || !data->block.base) {
        data->numeric_count *= data->numeric != NULL;
        data->nominal_count *= data->nominal != NULL;
        return hs_fail_memory(error);
    }
    lay_columns(data, counts, room.numbers);
    return HSEL_OK;
}

/* ---- the self-check: every invariant of dataset.h, in an order that makes it safe on content that
 * comes from an untrusted file (offsets before what they point to) ---- */

static int wrong(hsel_error *error, const char *what)
{
    return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s", what);
}

static int check_sparse(const hs_sparse *sparse, uint32_t lists, uint32_t below, const char *what,
                        hsel_error *error)
{
    if (sparse->lists != lists || !sparse->start || sparse->start[0] != 0)
        return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: wrong number of %s", what);
    for (uint32_t i = 0; i < lists; i++)
        if (sparse->start[i + 1] < sparse->start[i])
            return hs_fail(error, HSEL_EFORMAT,
                           "the data set is damaged: %s %u ends before it starts", what, i);
    for (uint32_t i = 0; i < lists; i++) {
        size_t count;
        const uint32_t *list = hs_sparse_list(sparse, i, &count);
        for (size_t j = 0; j < count; j++)
            if (list[j] >= below || (j > 0 && list[j] <= list[j - 1]))
                return hs_fail(error, HSEL_EFORMAT,
                               "the data set is damaged: %s %u is out of order or range", what, i);
    }
    return HSEL_OK;
}

/* How far a column has been walked. Kept together, as each value looks for a column anew. */
struct walk {
    uint64_t next, end;
};

static bool rows_walk_columns(const hsel_dataset *data, struct walk *walks)
{
    const uint32_t *instance = data->columns.index;
    for (uint32_t r = 0; r < data->instances; r++) {
        size_t count;
        const uint32_t *row = hs_row(data, r, &count);
        for (size_t i = 0; i < count; i++) {
            struct walk *walk = &walks[row[i]];
            if (walk->next >= walk->end || instance[walk->next++] != r)
                return false;
        }
    }
    return true;
}

/* Both directions hold the same pairs: walking the rows in order must run through every column in
 * order. */
static int check_mirror(const hsel_dataset *data, hsel_error *error)
{
    const uint64_t *start = data->columns.start;
    if (data->rows.start[data->instances] != start[data->features])
        return wrong(error, "rows and columns differ");
    HS_OWNED struct walk *walks = HS_NEW(struct walk, data->features);
    HS_NEED(walks);
    for (uint32_t f = 0; f < data->features; f++) {
        walks[f] = (struct walk){start[f], start[f + 1]};
        if (data->types[f] != HSEL_BINARY && start[f] < start[f + 1])
            return wrong(error, "a feature that is not binary has positive values");
    }
    return rows_walk_columns(data, walks) ? HSEL_OK : wrong(error, "rows and columns differ");
}

static int check_names(const hs_names *names, uint32_t count, bool unique, const char *what,
                       hsel_error *error)
{
    if (names->count != count)
        return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: wrong number of %s", what);
    for (uint32_t i = 0; i < count; i++)
        if (names->start[i + 1] <= names->start[i] || names->pool[names->start[i + 1] - 1] != '\0')
            return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s are not separated",
                           what);
    for (uint32_t i = 0; unique && i < count; i++)
        if (hs_names_find(names, hs_names_get(names, i), hs_names_length(names, i)) != i)
            return hs_fail(error, HSEL_EFORMAT, "the data set is damaged: %s repeat ('%.100s')",
                           what, hs_names_get(names, i));
    return HSEL_OK;
}

static int check_numeric(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    if (data->slot[feature] >= data->numeric_count)
        return wrong(error, "a numeric feature has no column");
    const hs_numeric_column *column = &data->numeric[data->slot[feature]];
    if (!column->rows)
        return column->count == data->instances
                   ? HSEL_OK
                   : wrong(error, "a numeric column has the wrong length");
    for (uint32_t i = 0; i < column->count; i++)
        if (column->rows[i] >= data->instances || (i > 0 && column->rows[i] <= column->rows[i - 1]))
            return wrong(error, "a sparse numeric column is out of order or range");
    return HSEL_OK;
}

static int check_nominal(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    if (data->slot[feature] >= data->nominal_count)
        return wrong(error, "a nominal feature has no column");
    const hs_nominal_column *column = &data->nominal[data->slot[feature]];
    for (uint32_t i = 0; i < data->instances; i++)
        if (column->codes[i] != HS_MISSING_CODE && column->codes[i] >= column->values.count)
            return wrong(error, "a nominal value has no name");
    return check_names(&column->values, column->values.count, true, "nominal values", error);
}

int hsel_dataset_check(const hsel_dataset *data, hsel_error *error)
{
    uint32_t classes = data->class_names.count;
    if (data->instances > HS_INSTANCES_LIMIT || data->features > HS_FEATURES_LIMIT)
        return wrong(error, "its size is out of range");
    HS_TRY(check_names(&data->feature_names, data->features, true, "feature names", error));
    HS_TRY(check_names(&data->class_names, classes, true, "class names", error));
    HS_TRY(check_names(&data->ids, data->ids.count ? data->instances : 0, false, "identifiers",
                       error));
    for (uint32_t i = 0; data->class_of && i < data->instances; i++)
        if (data->class_of[i] != HSEL_NONE && data->class_of[i] >= classes)
            return hs_fail(error, HSEL_EFORMAT,
                           "the data set is damaged: instance %u has no such class", i);
    if (data->positive_class != HSEL_NONE && data->positive_class >= classes)
        return wrong(error, "the positive class is none of the classes");
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] > HSEL_NOMINAL || (data->types[f] != HSEL_BINARY && !data->slot))
            return wrong(error, "a feature has no known type");
        if (data->types[f] == HSEL_NUMERIC)
            HS_TRY(check_numeric(data, f, error));
        else if (data->types[f] == HSEL_NOMINAL)
            HS_TRY(check_nominal(data, f, error));
    }
    HS_TRY(check_sparse(&data->rows, data->instances, data->features, "row", error));
    HS_TRY(check_sparse(&data->columns, data->features, data->instances, "column", error));
    HS_TRY(check_mirror(data, error));
    if (!data->dag)
        return HSEL_OK;
    return data->dag->nodes == data->features
               ? hsel_dag_check(data->dag, error)
               : wrong(error, "the hierarchy is over other features");
}

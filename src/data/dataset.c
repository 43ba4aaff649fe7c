/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data set's life and looks: freeing (arrays may lie in a mapped file), accessors,
 * room for columns, self-check.
 */
#include "data/data.h"

#include <stdatomic.h>
#include <sys/mman.h>

static bool is_inside(const hs_region *region, const char *at)
{
    const char *base = region->base;
    return base && at >= base && at < base + region->length;
}

/* Frees separate memory; arrays in a region are freed with it. */
void hs_dataset_drop(const hsel_dataset *data, void *block)
{
    if (!is_inside(&data->mapping, block) && !is_inside(&data->block, block))
        hs_free(block);
}

hsel_dataset *hs_dataset_share(const hsel_dataset *data)
{
    hsel_dataset *own = (hsel_dataset *)(uintptr_t)data; /* its number of owners alone changes */
    atomic_fetch_add(&own->shared, 1);
    return own;
}

void hs_dataset_free(hsel_dataset *data)
{
    if (!data || atomic_fetch_sub(&data->shared, 1) > 0)
        return;
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        hs_dataset_drop(data, data->numeric[i].values);
        hs_dataset_drop(data, data->numeric[i].rows);
    }
    for (uint32_t i = 0; i < data->nominal_count; i++) {
        hs_dataset_drop(data, data->nominal[i].codes);
        hs_names_clear(&data->nominal[i].values);
    }
    void *arrays[] = {data->rows.start,      data->rows.index,   data->columns.start,
                      data->columns.index,   data->class_of,     data->target,
                      data->covariates,      data->types,        data->slot,
                      data->numeric,         data->nominal,      data->name,
                      data->class_attribute, data->id_attribute, data->provenance};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        hs_dataset_drop(data, arrays[i]);
    hs_free_aligned(data->block.base);
    HS_CLEAR_NAMES(&data->feature_names, &data->class_names, &data->ids);
    hs_about_clear(&data->about);
    hs_about_clear(&data->former);
    hs_about_clear(&data->instance_about);
    hs_dag_free(data->dag);
    hs_recipe_drop(data->recipe);
    if (data->mapping.base)
        munmap(data->mapping.base, data->mapping.length);
    hs_free(data);
}

/* ---- inside the library ---- */

bool hs_dataset_all_binary(const hsel_dataset *data)
{
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] != HSEL_BINARY)
            return false;
    return true;
}

hs_numeric_column hs_dataset_column(const hsel_dataset *data, uint32_t feature)
{
    size_t count;
    if (data->types[feature] == HSEL_NUMERIC)
        return data->numeric[data->slot[feature]];
    const uint32_t *rows = hs_column(data, feature, &count); /* none of a nominal feature */
    return (hs_numeric_column){.rows = (uint32_t *)(uintptr_t)rows, .count = (uint32_t)count};
}

const double *hs_dataset_numeric(const hsel_dataset *data, uint32_t feature, double *scratch)
{
    const hs_numeric_column column = hs_dataset_column(data, feature);
    if (column.values && !column.rows)
        return column.values;
    memset(scratch, 0, data->instances * sizeof *scratch);
    for (uint32_t i = 0; i < column.count; i++)
        scratch[column.rows[i]] = hs_value_at(&column, i);
    for (uint32_t i = 0; data->types[feature] == HSEL_NOMINAL && i < data->instances; i++)
        scratch[i] = hs_dataset_value(data, feature, i);
    return scratch;
}

double hs_dataset_value(const hsel_dataset *data, uint32_t feature, uint32_t instance)
{
    size_t count;
    if (data->types[feature] == HSEL_BINARY) {
        const uint32_t *column = hs_column(data, feature, &count);
        return hs_find_ascending(column, count, instance) != HSEL_NONE;
    }
    if (data->types[feature] == HSEL_NOMINAL) {
        uint32_t code = data->nominal[data->slot[feature]].codes[instance];
        return code == HS_MISSING_CODE ? (double)NAN : code;
    }
    const hs_numeric_column *column = &data->numeric[data->slot[feature]];
    if (!column->rows)
        return column->values[instance];
    uint32_t at = hs_find_ascending(column->rows, column->count, instance);
    return at == HSEL_NONE ? 0 : column->values[at];
}

const char *hs_dataset_text(const hsel_dataset *data, uint32_t feature, uint32_t instance,
                            char *number)
{
    double value = hs_dataset_value(data, feature, instance);
    if (isnan(value))
        return NULL;
    if (data->types[feature] == HSEL_NOMINAL)
        return hs_names_get(&data->nominal[data->slot[feature]].values, (uint32_t)value);
    hs_format_double(value, number);
    return number;
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
                   names_bytes(&data->class_names) + names_bytes(&data->ids) +
                   names_bytes(&data->about.cells) + names_bytes(&data->instance_about.cells);
    if (data->mapping.base)
        return bytes;
    bytes += sparse_bytes(&data->rows) + sparse_bytes(&data->columns) + d;
    bytes += (data->class_of ? n * sizeof *data->class_of : 0) +
             (data->target ? n * sizeof *data->target : 0) +
             (data->slot ? d * sizeof *data->slot : 0);
    for (uint32_t i = 0; i < data->numeric_count; i++)
        bytes += data->numeric[i].count *
                 (sizeof(double) + (data->numeric[i].rows ? sizeof(uint32_t) : 0));
    bytes += data->nominal_count * n * sizeof(uint32_t);
    if (data->dag)
        bytes += 4 * ((size_t)data->dag->nodes * 4 + (size_t)data->dag->edges * 2) +
                 (data->dag->relation ? data->dag->edges : 0);
    return bytes;
}

/* ---- columns ---- */

static bool is_dense(const hsel_dataset *data, uint32_t count)
{
    return (uint64_t)count * (sizeof(double) + sizeof(uint32_t)) >=
           (uint64_t)data->instances * sizeof(double);
}

/* All numeric and nominal columns lie in one block: thousands of short columns would cost more to
 * allocate than to fill. First the numbers, then the instances of sparse columns and the codes.
 * Limits on instances and features keep the sums far from overflow. */
int hs_dataset_make_columns(hsel_dataset *data, const uint32_t *counts, hsel_error *error)
{
    const uint32_t n = data->instances;
    size_t numbers = 0, others = 0; /* doubles; instances and codes */
    if (hs_dataset_all_binary(data))
        return HSEL_OK;
    HS_NEED(data->slot = HS_NEW_ZERO(uint32_t, data->features));
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] == HSEL_NUMERIC) {
            data->slot[f] = data->numeric_count++;
            numbers += is_dense(data, counts[f]) ? n : counts[f];
            others += is_dense(data, counts[f]) ? 0 : counts[f];
        } else if (data->types[f] == HSEL_NOMINAL) {
            data->slot[f] = data->nominal_count++;
            others += n;
        }
    /* One more: the place of a last column without values is still inside. */
    data->block.length = (numbers + 1) * sizeof(double) + (others + 1) * sizeof(uint32_t);
    data->block.base = hs_alloc_aligned(data->block.length, 1);
    data->numeric = HS_NEW_ZERO(hs_numeric_column, data->numeric_count);
    data->nominal = HS_NEW_ZERO(hs_nominal_column, data->nominal_count);
    data->numeric_count *= data->numeric != NULL;
    data->nominal_count *= data->nominal != NULL;
    HS_NEED(data->numeric && data->nominal && data->block.base);
    double *number = data->block.base;
    uint32_t *other = (uint32_t *)(number + numbers);
    memset(other, 0xff, others * sizeof *other); /* HS_MISSING_CODE */
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] == HSEL_NUMERIC) {
            hs_numeric_column *column = &data->numeric[data->slot[f]];
            bool dense = is_dense(data, counts[f]);
            *column = (hs_numeric_column){number, dense ? NULL : other, dense ? n : 0};
            number += dense ? n : counts[f];
            other += dense ? 0 : counts[f];
        } else if (data->types[f] == HSEL_NOMINAL) {
            data->nominal[data->slot[f]].codes = other;
            other += n;
        }
    return HSEL_OK;
}

/* ---- the self-check: every invariant of dataset.h, in an order that makes it safe on content that
 * comes from an untrusted file (offsets before what they point to) ---- */

#define DAMAGED(...) hs_fail(error, HSEL_EFORMAT, "the data set is damaged: " __VA_ARGS__)

static int check_sparse(const hs_sparse *sparse, uint32_t lists, uint32_t below, const char *what,
                        hsel_error *error)
{
    if (sparse->lists != lists || !sparse->start || sparse->start[0] != 0)
        return DAMAGED("wrong number of %s", what);
    for (uint32_t i = 0; i < lists; i++)
        if (sparse->start[i + 1] < sparse->start[i])
            return DAMAGED("%s %u ends before it starts", what, i);
    for (uint32_t i = 0; i < lists; i++) {
        size_t count;
        const uint32_t *list = hs_sparse_list(sparse, i, &count);
        for (size_t j = 0; j < count; j++)
            if (list[j] >= below || (j > 0 && list[j] <= list[j - 1]))
                return DAMAGED("%s %u is out of order or range", what, i);
    }
    return HSEL_OK;
}

/* Both directions hold the same pairs: walking the rows in order must run through every column in
 * order. */
static int check_mirror(const hsel_dataset *data, hsel_error *error)
{
    const uint64_t *start = data->columns.start;
    if (data->rows.start[data->instances] != start[data->features])
        return DAMAGED("rows and columns differ");
    /* How far a column has been walked. Kept together, as each value looks up a column. */
    struct walk {
        uint64_t next, end;
    };
    HS_OWNED struct walk *walks = HS_NEW(struct walk, data->features);
    HS_NEED(walks);
    for (uint32_t f = 0; f < data->features; f++) {
        walks[f] = (struct walk){start[f], start[f + 1]};
        if (data->types[f] != HSEL_BINARY && start[f] < start[f + 1])
            return DAMAGED("a feature that is not binary has positive values");
    }
    for (uint32_t r = 0; r < data->instances; r++) {
        size_t count;
        const uint32_t *row = hs_row(data, r, &count);
        for (size_t i = 0; i < count; i++) {
            struct walk *walk = &walks[row[i]];
            if (walk->next >= walk->end || data->columns.index[walk->next++] != r)
                return DAMAGED("rows and columns differ");
        }
    }
    return HSEL_OK;
}

static int check_names(const hs_names *names, uint32_t count, bool unique, const char *what,
                       hsel_error *error)
{
    if (names->count != count)
        return DAMAGED("wrong number of %s", what);
    for (uint32_t i = 0; i < count; i++)
        if (names->start[i + 1] <= names->start[i] || names->pool[names->start[i + 1] - 1] != '\0')
            return DAMAGED("%s are not separated", what);
    for (uint32_t i = 0; unique && i < count; i++)
        if (hs_names_find(names, HS_NAME(names, i)) != i)
            return DAMAGED("%s repeat ('%.100s')", what, hs_names_get(names, i));
    return HSEL_OK;
}

static int check_column(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    const uint32_t n = data->instances;
    if (data->types[feature] == HSEL_NUMERIC) {
        if (data->slot[feature] >= data->numeric_count)
            return DAMAGED("a numeric feature has no column");
        const hs_numeric_column *column = &data->numeric[data->slot[feature]];
        if (!column->rows && column->count != n)
            return DAMAGED("a numeric column has the wrong length");
        for (uint32_t i = 0; column->rows && i < column->count; i++)
            if (column->rows[i] >= n || (i > 0 && column->rows[i] <= column->rows[i - 1]))
                return DAMAGED("a sparse numeric column is out of order or range");
        return HSEL_OK;
    }
    if (data->slot[feature] >= data->nominal_count)
        return DAMAGED("a nominal feature has no column");
    const hs_nominal_column *column = &data->nominal[data->slot[feature]];
    for (uint32_t i = 0; i < n; i++)
        if (column->codes[i] != HS_MISSING_CODE && column->codes[i] >= column->values.count)
            return DAMAGED("a nominal value has no name");
    return check_names(&column->values, column->values.count, true, "nominal values", error);
}

int hs_dataset_check(const hsel_dataset *data, hsel_error *error)
{
    uint32_t classes = data->class_names.count, ids = data->ids.count ? data->instances : 0;
    if (data->instances > HS_INSTANCES_LIMIT || data->features > HS_FEATURES_LIMIT)
        return DAMAGED("its size is out of range");
    HS_TRY(check_names(&data->feature_names, data->features, true, "feature names", error));
    HS_TRY(check_names(&data->class_names, classes, true, "class names", error));
    HS_TRY(check_names(&data->ids, ids, false, "identifiers", error));
    for (int side = 0; side < 2; side++) {
        const hs_about *about = side ? &data->instance_about : &data->about;
        uint64_t items = side ? data->instances : data->features,
                 cells = about->columns.count * items;
        if (about->cells.count != cells)
            return DAMAGED("labels and other texts are not one per %s",
                           side ? "instance" : "feature");
        HS_TRY(check_names(&about->columns, about->columns.count, false, "columns", error));
        HS_TRY(check_names(&about->cells, (uint32_t)cells, false, "labels", error));
    }
    for (uint32_t i = 0; data->class_of && i < data->instances; i++)
        if (data->class_of[i] != HSEL_NONE && data->class_of[i] >= classes)
            return DAMAGED("instance %u has an unknown class", i);
    if (data->target && (data->class_of || classes))
        return DAMAGED("it has classes and a numeric target");
    for (uint32_t i = 0; data->target && i < data->instances; i++)
        if (fabs(data->target[i]) > HS_TARGET_LIMIT)
            return DAMAGED("the target of instance %u is too large (limit %g)", i, HS_TARGET_LIMIT);
    if (data->positive_class != HSEL_NONE && data->positive_class >= classes)
        return DAMAGED("the positive class is none of the classes");
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] > HSEL_NOMINAL || (data->types[f] != HSEL_BINARY && !data->slot))
            return DAMAGED("a feature has no known type");
        if (data->types[f] != HSEL_BINARY)
            HS_TRY(check_column(data, f, error));
    }
    HS_TRY(check_sparse(&data->rows, data->instances, data->features, "row", error));
    HS_TRY(check_sparse(&data->columns, data->features, data->instances, "column", error));
    HS_TRY(check_mirror(data, error));
    if (data->dag && data->dag->nodes != data->features)
        return DAMAGED("the hierarchy belongs to other features");
    if (data->dag)
        HS_TRY(hs_dag_check(data->dag, error));
    if (data->covariates && data->features % 64 &&
        data->covariates[data->features / 64] >> data->features % 64)
        return DAMAGED("a covariate is none of the features");
    for (uint32_t f = 0; f < data->features && data->dag; f++)
        if (hs_is_covariate(data, f) && !(hs_is_root(data->dag, f) && hs_is_leaf(data->dag, f)))
            return DAMAGED("a covariate is in the hierarchy");
    return HSEL_OK;
}

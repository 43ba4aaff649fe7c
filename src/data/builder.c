/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder. It fills a data set: names, types, labels and rows of positive features are stored
 * in their final place at once. Values of other features are collected in blocks. Finishing sorts
 * the rows, makes columns by transposition, puts the other values into their columns and the
 * classes in order. Binary features that were found to be numeric leave the rows then.
 */
#include "data/data.h"

/* Values of features that are not binary: numbers or nominal codes (exact in a double), with the
 * feature of each. Blocks use huge pages, which are several times faster than small ones. */
enum { BLOCK = 1 << 19 };
typedef struct value_block {
    double value[BLOCK];
    uint32_t feature[BLOCK];
} value_block;

struct hs_builder {
    hsel_dataset *data;       /* without columns; `rows` has a start for each row, no end */
    uint32_t *slot;           /* of a nominal feature: its list of values */
    hs_names *nominal_values; /* [nominal_count] */
    uint32_t nominal_count;
    uint64_t *value_start; /* of each row */
    value_block **blocks;  /* of values, row after row */
    size_t positives, values;
    char *positive_label;
    bool sort_classes;
    size_t type_capacity, slot_capacity, nominal_capacity, label_capacity, start_capacity,
        value_start_capacity, positive_capacity, block_capacity;
};

int hs_builder_new(hs_builder **out, hsel_error *error)
{
    HS_OWNS(hs_builder_release) hs_builder *b = HS_NEW_ZERO(hs_builder, 1);
    *out = NULL;
    HS_NEED(b && (b->data = HS_NEW_ZERO(hsel_dataset, 1)));
    *out = hs_take(&b);
    return HSEL_OK;
}

void hs_builder_free(hs_builder *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->nominal_count; i++)
        hs_names_clear(&b->nominal_values[i]);
    for (size_t i = 0; i * BLOCK < b->values; i++)
        hs_free_aligned(b->blocks[i]);
    hs_dataset_free(b->data);
    HS_FREE(b->nominal_values, b->slot, b->value_start, b->blocks, b->positive_label, b);
}

int hs_builder_retype(hs_builder *b, uint32_t feature, hsel_feature_type type, hsel_error *error)
{
    assert(feature < b->data->features);
    b->data->types[feature] = (uint8_t)type;
    if (type != HSEL_NOMINAL)
        return HSEL_OK;
    HS_NEED(HS_GROW(&b->nominal_values, &b->nominal_capacity, (size_t)b->nominal_count + 1));
    b->nominal_values[b->nominal_count] = (hs_names){0};
    b->slot[feature] = b->nominal_count++;
    return HSEL_OK;
}

int hs_builder_feature(hs_builder *b, const char *name, size_t length, hsel_feature_type type,
                       uint32_t *id, hsel_error *error)
{
    bool added;
    HS_TRY(hs_names_intern(&b->data->feature_names, name, length, id, &added, error));
    if (!added)
        return hs_fail(error, HSEL_EFORMAT, "there are two features named '%.*s'",
                       (int)(length < 200 ? length : 200), name);
    if (*id >= HS_FEATURES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u features", HS_FEATURES_LIMIT);
    HS_NEED(HS_GROW(&b->data->types, &b->type_capacity, (size_t)*id + 1) &&
            HS_GROW(&b->slot, &b->slot_capacity, (size_t)*id + 1));
    b->data->features = *id + 1;
    return hs_builder_retype(b, *id, type, error);
}

int hs_builder_value(hs_builder *b, uint32_t feature, const char *text, size_t length,
                     uint32_t *code, hsel_error *error)
{
    assert(b->data->types[feature] == HSEL_NOMINAL);
    hs_names *values = &b->nominal_values[b->slot[feature]];
    return hs_names_intern(values, text, length, code, NULL, error);
}

int hs_builder_class(hs_builder *b, const char *label, size_t length, uint32_t *code,
                     hsel_error *error)
{
    HS_TRY(hs_names_intern(&b->data->class_names, label, length, code, NULL, error));
    if (*code >= HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u classes: is this the class column?",
                       HS_CLASSES_LIMIT);
    return HSEL_OK;
}

int hs_builder_declare(hs_builder *b, const hs_names *features, const hs_names *classes,
                       hsel_error *error)
{
    uint32_t id;
    for (uint32_t f = 0; f < features->count; f++)
        HS_TRY(hs_builder_feature(b, HS_NAME(features, f), HSEL_BINARY, &id, error));
    for (uint32_t c = 0; c < classes->count; c++)
        HS_TRY(hs_builder_class(b, HS_NAME(classes, c), &id, error));
    return HSEL_OK;
}

int hs_builder_declare_like(hs_builder *b, const hsel_dataset *shape, hsel_error *error)
{
    uint32_t code;
    HS_TRY(hs_builder_declare(b, &shape->feature_names, &shape->class_names, error));
    for (uint32_t f = 0; f < shape->features; f++) {
        HS_TRY(hs_builder_retype(b, f, (hsel_feature_type)shape->types[f], error));
        if (shape->types[f] != HSEL_NOMINAL)
            continue;
        const hs_names *values = &shape->nominal[shape->slot[f]].values;
        for (uint32_t v = 0; v < values->count; v++)
            HS_TRY(hs_builder_value(b, f, HS_NAME(values, v), &code, error));
    }
    return HSEL_OK;
}

void hs_builder_sort_classes(hs_builder *b) { b->sort_classes = true; }

int hs_builder_row(hs_builder *b, const char *id, size_t id_length, uint32_t label,
                   hsel_error *error)
{
    size_t row = b->data->instances;
    if (row >= HS_INSTANCES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u instances", HS_INSTANCES_LIMIT);
    HS_NEED(HS_GROW(&b->data->class_of, &b->label_capacity, row + 1) &&
            HS_GROW(&b->data->rows.start, &b->start_capacity, row + 2) &&
            HS_GROW(&b->value_start, &b->value_start_capacity, row + 2));
    b->data->class_of[row] = label;
    b->data->rows.start[row] = b->positives;
    b->value_start[row] = b->values;
    b->data->instances++;
    return id ? hs_builder_id(b, id, id_length, error) : HSEL_OK;
}

int hs_builder_id(hs_builder *b, const char *id, size_t length, hsel_error *error)
{
    return hs_names_append(&b->data->ids, id, length, error);
}

void hs_builder_label(hs_builder *b, uint32_t label)
{
    b->data->class_of[b->data->instances - 1] = label;
}

int hs_builder_positive(hs_builder *b, uint32_t feature, hsel_error *error)
{
    assert(b->data->instances > 0 && feature < b->data->features);
    HS_NEED(HS_GROW(&b->data->rows.index, &b->positive_capacity, b->positives + 1));
    b->data->rows.index[b->positives++] = feature;
    return HSEL_OK;
}

static inline int put_value(hs_builder *b, uint32_t feature, double value)
{
    value_block *block = b->blocks[b->values / BLOCK];
    block->value[b->values % BLOCK] = value;
    block->feature[b->values++ % BLOCK] = feature;
    return HSEL_OK;
}

/* Apart from the usual case, which needs no registers saved. */
static __attribute__((noinline)) int begin_block(hs_builder *b, uint32_t feature, double value,
                                                 hsel_error *error)
{
    const size_t block = b->values / BLOCK;
    HS_NEED(HS_GROW(&b->blocks, &b->block_capacity, block + 1) &&
            (b->blocks[block] = hs_alloc_aligned(1, sizeof(value_block))));
    return put_value(b, feature, value);
}

int hs_builder_numeric(hs_builder *b, uint32_t feature, double value, hsel_error *error)
{
    assert(b->data->instances > 0 && feature < b->data->features);
    return b->values % BLOCK ? put_value(b, feature, value) : begin_block(b, feature, value, error);
}

int hs_builder_nominal(hs_builder *b, uint32_t feature, uint32_t code, hsel_error *error)
{
    return code == HS_MISSING_CODE ? HSEL_OK : hs_builder_numeric(b, feature, code, error);
}

const hsel_dataset *hs_builder_data(const hs_builder *b) { return b->data; }

/* Replaces *field by a copy; NULL leaves it alone. */
static int set_text(char **field, const char *text, hsel_error *error)
{
    char *copy = text ? hs_strdup(text) : NULL;
    HS_NEED(copy || !text);
    if (copy) {
        hs_free(*field);
        *field = copy;
    }
    return HSEL_OK;
}

int hs_builder_describe(hs_builder *b, const char *name, const char *class_attribute,
                        const char *id_attribute, hsel_error *error)
{
    HS_TRY(set_text(&b->data->name, name, error));
    HS_TRY(set_text(&b->data->class_attribute, class_attribute, error));
    return set_text(&b->data->id_attribute, id_attribute, error);
}

int hs_builder_positive_class(hs_builder *b, const char *label, hsel_error *error)
{
    return set_text(&b->positive_label, label, error);
}

/* ---- values that are not binary, from rows to columns ---- */

/* The destinations of values. */
typedef struct places {
    hsel_dataset *data;
    uint32_t *last; /* for each feature: the last row with a value of it, plus one */
    double **dense; /* … its values, if they are dense and numeric, else NULL */
} places;

static inline int place_value(places *p, uint32_t row, uint32_t f, double value, hsel_error *error)
{
    hsel_dataset *data = p->data;
    if (p->last[f] == row + 1)
        return hs_fail(error, HSEL_EFORMAT, "instance %u has two values for feature '%.200s'",
                       row + 1, hs_names_get(&data->feature_names, f));
    p->last[f] = row + 1;
    if (p->dense[f]) {
        p->dense[f][row] = value;
    } else if (data->types[f] == HSEL_NOMINAL) {
        data->nominal[data->slot[f]].codes[row] = (uint32_t)value;
    } else if (value != 0) {
        hs_numeric_column *column = &data->numeric[data->slot[f]];
        column->rows[column->count] = row;
        column->values[column->count++] = value;
    }
    return HSEL_OK;
}

/* Makes the columns of features that are not binary and moves their values there, positives of
 * retyped features included, which leave the rows. */
static int gather_columns(hs_builder *b, hsel_error *error)
{
    hsel_dataset *data = b->data;
    uint32_t *positive = data->rows.index;
    uint64_t *start = data->rows.start, kept = 0, begin = 0;
    HS_OWNED uint32_t *counts = HS_NEW_ZERO(uint32_t, data->features); /* values other than 0 */
    HS_OWNED uint32_t *last = HS_NEW_ZERO(uint32_t, data->features);
    HS_OWNED double **dense = HS_NEW_ZERO(double *, data->features);
    places to = {data, last, dense};
    HS_NEED(counts && last && dense);
    for (size_t i = 0; i < b->values; i++) {
        const value_block *block = b->blocks[i / BLOCK];
        counts[block->feature[i % BLOCK]] += block->value[i % BLOCK] != 0;
    }
    for (size_t i = 0; i < b->positives; i++)
        counts[positive[i]] += data->types[positive[i]] != HSEL_BINARY;
    HS_TRY(hs_dataset_make_columns(data, counts, error));
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] == HSEL_NUMERIC && !data->numeric[data->slot[f]].rows) {
            dense[f] = data->numeric[data->slot[f]].values;
        } else if (data->types[f] == HSEL_NOMINAL) {
            hs_names *names = &b->nominal_values[b->slot[f]];
            HS_TRY(hs_names_index(names, error)); /* of a feature that never had a value, too */
            data->nominal[data->slot[f]].values = *names;
            *names = (hs_names){0};
        }
    for (uint32_t row = 0; row < data->instances; row++) {
        const uint64_t end = start[row + 1];
        for (size_t i = b->value_start[row]; i < b->value_start[row + 1]; i++) {
            const value_block *block = b->blocks[i / BLOCK];
            HS_TRY(
                place_value(&to, row, block->feature[i % BLOCK], block->value[i % BLOCK], error));
        }
        for (uint64_t i = begin; i < end; i++)
            if (data->types[positive[i]] == HSEL_BINARY)
                positive[kept++] = positive[i];
            else
                HS_TRY(place_value(&to, row, positive[i], 1, error));
        begin = end;
        start[row + 1] = kept;
    }
    b->positives = (size_t)kept;
    return HSEL_OK;
}

/* ---- rows ---- */

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Rows sorted in place (most formats give them sorted) and without repeats; gaps are closed. */
static void sort_rows(hs_builder *b)
{
    uint64_t used = 0, begin = 0;
    for (uint32_t r = 0; r < b->data->instances; r++) {
        uint64_t end = b->data->rows.start[r + 1];
        uint32_t *row = b->data->rows.index + begin, *to = b->data->rows.index + used;
        size_t count = (size_t)(end - begin), kept = 0;
        bool sorted = true;
        for (size_t i = 1; i < count && sorted; i++)
            sorted = row[i - 1] < row[i];
        if (!sorted)
            qsort(row, count, sizeof *row, compare_u32);
        if (sorted && to == row)
            kept = count;
        for (size_t i = 0; i < count && (!sorted || to != row); i++)
            if (kept == 0 || row[i] != to[kept - 1])
                to[kept++] = row[i];
        begin = end;
        used += kept;
        b->data->rows.start[r + 1] = used;
    }
    b->positives = (size_t)used;
}

/* ---- classes ---- */

struct class_key {
    double number; /* 0 unless all are numbers */
    const char *name;
    uint32_t old;
};

static int compare_classes(const void *a, const void *b)
{
    const struct class_key *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : strcmp(x->name, y->name);
}

int hs_classes_order(hsel_dataset *data, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names old = data->class_names;
    uint32_t count = old.count, id;
    bool numbers = true;
    data->class_names = (hs_names){0};
    HS_OWNED struct class_key *key = HS_NEW(struct class_key, count);
    HS_OWNED uint32_t *rank = HS_NEW(uint32_t, count);
    HS_NEED(key && rank);
    for (uint32_t i = 0; i < count; i++) {
        key[i] = (struct class_key){.name = hs_names_get(&old, i), .old = i};
        numbers = numbers &&
                  hs_parse_double(key[i].name, hs_names_length(&old, i), &key[i].number) &&
                  !isnan(key[i].number);
    }
    for (uint32_t i = 0; !numbers && i < count; i++)
        key[i].number = 0;
    qsort(key, count, sizeof *key, compare_classes);
    for (uint32_t i = 0; i < count; i++) {
        rank[key[i].old] = i;
        HS_TRY(hs_names_intern(&data->class_names, key[i].name, hs_names_length(&old, key[i].old),
                               &id, NULL, error));
    }
    for (uint32_t r = 0; r < data->instances; r++)
        if (data->class_of && data->class_of[r] != HSEL_NONE)
            data->class_of[r] = rank[data->class_of[r]];
    return HSEL_OK;
}

/* ---- all together ---- */

int hs_builder_finish(hs_builder *b, hsel_dataset **out, hsel_error *error)
{
    hsel_dataset *data = b->data;
    size_t rows = data->instances;
    /* The start lists get their last entry; they exist even without rows, as do the list of
     * positives (no arithmetic on a null pointer) and the types. */
    HS_NEED(HS_GROW(&data->rows.index, &b->positive_capacity, b->positives + 1) &&
            HS_GROW(&data->rows.start, &b->start_capacity, rows + 1) &&
            HS_GROW(&b->value_start, &b->value_start_capacity, rows + 1) &&
            HS_GROW(&data->types, &b->type_capacity, (size_t)data->features + 1));
    data->rows.lists = data->instances;
    data->rows.start[rows] = b->positives;
    b->value_start[rows] = b->values;
    if (data->ids.count && data->ids.count != rows)
        return hs_fail(error, HSEL_EFORMAT, "only %u of %u instances have an identifier",
                       data->ids.count, data->instances);
    sort_rows(b);
    if (!hs_dataset_all_binary(data))
        HS_TRY(gather_columns(b, error));
    uint32_t *index =
        hs_realloc(data->rows.index, b->positives, sizeof *index); /* to what it holds */
    HS_NEED(index);
    data->rows.index = index;
    HS_TRY(hs_sparse_transpose(&data->rows, data->features, &data->columns, error));
    if (b->sort_classes)
        HS_TRY(hs_classes_order(data, error));
    HS_TRY(hs_names_index(&data->feature_names, error));
    HS_TRY(hs_names_index(&data->class_names, error));
    if (data->class_names.count > 0 && rows > 0) {
        uint32_t *class_of = hs_realloc(data->class_of, rows, sizeof *class_of);
        HS_NEED(class_of);
        data->class_of = class_of;
    } else {
        hs_free(hs_take(&data->class_of));
    }
    hs_positive_choose(data);
    if (b->positive_label)
        HS_TRY(hs_class_set_positive(data, b->positive_label, error));
    *out = hs_take(&b->data);
    return HSEL_OK;
}

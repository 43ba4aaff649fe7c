/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder. Rows come in growing lists (positives; features of other values; row starts) and,
 * for the other values, blocks that never move. Finishing freezes them: rows sorted and without
 * repeats, columns by transposition, other values counted and put into their columns, classes in
 * order. Binary features that were found to be numeric leave the rows then.
 */
#define _GNU_SOURCE /* qsort_r */
#include "data/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* Values of features that are not binary, in the order in which they were given. */
typedef struct value_block {
    double *values;
    size_t used, room;
} value_block;

/* In hs_builder.value_feature: this feature and those behind it, as many as the next entry says. */
#define RUN UINT32_C(0x80000000)
_Static_assert(HS_FEATURES_LIMIT < RUN, "features leave no bit free");

struct hs_builder {
    hs_names features, classes, ids;
    uint8_t *types;
    uint32_t *slot;           /* of a nominal feature: its list of values */
    hs_names *nominal_values; /* [nominal_count] */
    uint32_t nominal_count;
    uint32_t rows;
    uint32_t *labels;
    uint64_t *positive_start,
        *value_start;   /* where each row's entries begin, in `positive` and `value_feature` */
    uint32_t *positive; /* positive features, row after row */
    /* Numeric values and nominal codes (which a double holds exactly), row after row: their
     * features, runs of them as two entries, so that dense rows take no more room than their
     * numbers; and the values, in blocks that never move. */
    uint32_t *value_feature;
    value_block *blocks;
    size_t positives, entries, block_count;
    size_t last;   /* the last entry that is a feature, … */
    uint32_t next; /* … and the feature that would make a run of it; HSEL_NONE: none */
    char *name, *class_attribute, *id_attribute, *positive_label;
    bool sort_classes;
    size_t type_capacity, slot_capacity, nominal_capacity, label_capacity, positive_start_capacity,
        value_start_capacity, positive_capacity, value_feature_capacity, block_capacity;
};

#define FIRST_BLOCK   ((size_t)1 << 12) /* values; blocks grow from 32 KB … */
#define LARGEST_BLOCK ((size_t)1 << 18) /* … to 2 MB, a huge page */

int hs_builder_new(hs_builder **out, hsel_error *error)
{
    *out = HS_NEW_ZERO(hs_builder, 1);
    return *out ? HSEL_OK : hs_fail_memory(error);
}

void hs_builder_free(hs_builder *builder)
{
    if (!builder)
        return;
    for (uint32_t i = 0; i < builder->nominal_count; i++)
        hs_names_clear(&builder->nominal_values[i]);
    hs_free(builder->nominal_values);
    hs_names_clear(&builder->features);
    hs_names_clear(&builder->classes);
    hs_names_clear(&builder->ids);
    hs_free(builder->types);
    hs_free(builder->slot);
    hs_free(builder->labels);
    hs_free(builder->positive_start);
    hs_free(builder->positive);
    hs_free(builder->value_start);
    hs_free(builder->value_feature);
    for (size_t i = 0; i < builder->block_count; i++)
        hs_free_aligned(builder->blocks[i].values);
    hs_free(builder->blocks);
    hs_free(builder->name);
    hs_free(builder->class_attribute);
    hs_free(builder->id_attribute);
    hs_free(builder->positive_label);
    hs_free(builder);
}

static int add_nominal_slot(hs_builder *builder, uint32_t feature, hsel_error *error)
{
    HS_NEED(HS_GROW(&builder->nominal_values, &builder->nominal_capacity,
                    (size_t)builder->nominal_count + 1));
    builder->nominal_values[builder->nominal_count] = (hs_names){0};
    builder->slot[feature] = builder->nominal_count++;
    return HSEL_OK;
}

int hs_builder_intern_feature(hs_builder *builder, const char *name, size_t length,
                              hsel_feature_type type, uint32_t *id, hsel_error *error)
{
    bool added;
    HS_TRY(hs_names_intern(&builder->features, name, length, id, &added, error));
    if (!added)
        return HSEL_OK;
    if (*id >= HS_FEATURES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u features", HS_FEATURES_LIMIT);
    HS_NEED(HS_GROW(&builder->types, &builder->type_capacity, (size_t)*id + 1) &&
            HS_GROW(&builder->slot, &builder->slot_capacity, (size_t)*id + 1));
    builder->types[*id] = (uint8_t)type;
    builder->slot[*id] = 0;
    return type == HSEL_NOMINAL ? add_nominal_slot(builder, *id, error) : HSEL_OK;
}

int hs_builder_feature(hs_builder *builder, const char *name, size_t length, hsel_feature_type type,
                       uint32_t *id, hsel_error *error)
{
    uint32_t before = builder->features.count;
    HS_TRY(hs_builder_intern_feature(builder, name, length, type, id, error));
    if (builder->features.count == before)
        return hs_fail(error, HSEL_EFORMAT, "there are two features named '%.*s'",
                       (int)(length < 200 ? length : 200), name);
    return HSEL_OK;
}

int hs_builder_retype(hs_builder *builder, uint32_t feature, hsel_feature_type type,
                      hsel_error *error)
{
    builder->types[feature] = (uint8_t)type;
    return type == HSEL_NOMINAL ? add_nominal_slot(builder, feature, error) : HSEL_OK;
}

int hs_builder_value(hs_builder *builder, uint32_t feature, const char *text, size_t length,
                     uint32_t *code, hsel_error *error)
{
    return hs_names_intern(&builder->nominal_values[builder->slot[feature]], text, length, code,
                           NULL, error);
}

int hs_builder_class(hs_builder *builder, const char *label, size_t length, uint32_t *code,
                     hsel_error *error)
{
    HS_TRY(hs_names_intern(&builder->classes, label, length, code, NULL, error));
    if (*code >= HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u classes: is this the class column?",
                       HS_CLASSES_LIMIT);
    return HSEL_OK;
}

int hs_builder_declare(hs_builder *builder, const hs_names *features, const hs_names *classes,
                       hsel_error *error)
{
    uint32_t id;
    for (uint32_t f = 0; f < features->count; f++)
        HS_TRY(hs_builder_feature(builder, hs_names_get(features, f), hs_names_length(features, f),
                                  HSEL_BINARY, &id, error));
    for (uint32_t c = 0; c < classes->count; c++)
        HS_TRY(hs_builder_class(builder, hs_names_get(classes, c), hs_names_length(classes, c), &id,
                                error));
    return HSEL_OK;
}

int hs_builder_declare_like(hs_builder *builder, const hsel_dataset *shape, hsel_error *error)
{
    uint32_t code;
    HS_TRY(hs_builder_declare(builder, &shape->feature_names, &shape->class_names, error));
    for (uint32_t f = 0; f < shape->features; f++) {
        if (shape->types[f] == HSEL_BINARY)
            continue;
        HS_TRY(hs_builder_retype(builder, f, (hsel_feature_type)shape->types[f], error));
        if (shape->types[f] != HSEL_NOMINAL)
            continue;
        const hs_names *values = &shape->nominal[shape->slot[f]].values;
        for (uint32_t v = 0; v < values->count; v++)
            HS_TRY(hs_builder_value(builder, f, hs_names_get(values, v), hs_names_length(values, v),
                                    &code, error));
    }
    return HSEL_OK;
}

void hs_builder_sort_classes(hs_builder *builder) { builder->sort_classes = true; }

int hs_builder_row(hs_builder *builder, const char *id, size_t id_length, uint32_t label,
                   hsel_error *error)
{
    size_t row = builder->rows;
    if (row >= HS_INSTANCES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u instances", HS_INSTANCES_LIMIT);
    HS_NEED(HS_GROW(&builder->labels, &builder->label_capacity, row + 1) &&
            HS_GROW(&builder->positive_start, &builder->positive_start_capacity, row + 2) &&
            HS_GROW(&builder->value_start, &builder->value_start_capacity, row + 2));
    if (id)
        HS_TRY(hs_names_append(&builder->ids, id, id_length, error));
    builder->labels[row] = label;
    builder->positive_start[row] = builder->positives;
    builder->value_start[row] = builder->entries;
    builder->next = HSEL_NONE;
    builder->rows++;
    return HSEL_OK;
}

int hs_builder_positive(hs_builder *builder, uint32_t feature, hsel_error *error)
{
    HS_NEED(HS_GROW(&builder->positive, &builder->positive_capacity, builder->positives + 1));
    builder->positive[builder->positives++] = feature;
    return HSEL_OK;
}

/* Notes that values of `count` features from `first` on come next; they may go on where the last
 * ones stopped. */
static int note_features(hs_builder *builder, uint32_t first, uint32_t count, hsel_error *error)
{
    HS_NEED(
        HS_GROW(&builder->value_feature, &builder->value_feature_capacity, builder->entries + 2));
    uint32_t *entry = builder->value_feature;
    if (first != builder->next) {
        builder->last = builder->entries;
        entry[builder->entries++] = first | (count > 1 ? RUN : 0);
        if (count > 1)
            entry[builder->entries++] = count;
    } else if (entry[builder->last] & RUN) {
        entry[builder->last + 1] += count;
    } else {
        entry[builder->last] |= RUN;
        entry[builder->entries++] = 1 + count;
    }
    builder->next = first + count;
    return HSEL_OK;
}

/* The block that the next values go to. */
static value_block *block_with_room(hs_builder *builder)
{
    value_block *last = builder->block_count ? &builder->blocks[builder->block_count - 1] : NULL;
    if (last && last->used < last->room)
        return last;
    size_t room = last ? 8 * last->room : FIRST_BLOCK;
    room = room < LARGEST_BLOCK ? room : LARGEST_BLOCK;
    if (!HS_GROW(&builder->blocks, &builder->block_capacity, builder->block_count + 1))
        return NULL;
    value_block *block = &builder->blocks[builder->block_count];
    *block = (value_block){.values = hs_alloc_aligned(room, sizeof *block->values), .room = room};
    builder->block_count += block->values != NULL;
    return block->values ? block : NULL;
}

/* All of one run. */
static int add_values(hs_builder *builder, uint32_t first, const double *values, uint32_t count,
                      hsel_error *error)
{
    HS_TRY(note_features(builder, first, count, error));
    while (count > 0) {
        value_block *block = block_with_room(builder);
        HS_NEED(block);
        size_t some = block->room - block->used < count ? block->room - block->used : count;
        memcpy(block->values + block->used, values, some * sizeof *values);
        block->used += some;
        values += some;
        count -= (uint32_t)some;
    }
    return HSEL_OK;
}

int hs_builder_others(hs_builder *builder, const uint32_t *features, const double *values,
                      size_t count, hsel_error *error)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && features[end] == features[i] + (end - i);)
            end++;
        HS_TRY(add_values(builder, features[i], values + i, (uint32_t)(end - i), error));
    }
    return HSEL_OK;
}

int hs_builder_numeric(hs_builder *builder, uint32_t feature, double value, hsel_error *error)
{
    return add_values(builder, feature, &value, 1, error);
}

int hs_builder_nominal(hs_builder *builder, uint32_t feature, uint32_t code, hsel_error *error)
{
    return code == HS_MISSING_CODE ? HSEL_OK : hs_builder_numeric(builder, feature, code, error);
}

uint32_t hs_builder_rows(const hs_builder *builder) { return builder->rows; }

uint32_t hs_builder_classes(const hs_builder *builder) { return builder->classes.count; }

hsel_feature_type hs_builder_type(const hs_builder *builder, uint32_t feature)
{
    return (hsel_feature_type)builder->types[feature];
}

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

int hs_builder_describe(hs_builder *builder, const char *name, const char *class_attribute,
                        const char *id_attribute, hsel_error *error)
{
    HS_TRY(set_text(&builder->name, name, error));
    HS_TRY(set_text(&builder->class_attribute, class_attribute, error));
    return set_text(&builder->id_attribute, id_attribute, error);
}

int hs_builder_positive_class(hs_builder *builder, const char *label, hsel_error *error)
{
    return set_text(&builder->positive_label, label, error);
}

/* ---- values that are not binary, from rows to columns ---- */

/* Where reading of the values has come to. */
struct reading {
    size_t entry, block, at; /* `at`: value of the block */
    uint32_t feature, left;  /* rest of the run at hand */
};

/* The features of an entry; returns where the next entry is. */
static size_t take_run(const hs_builder *builder, size_t entry, uint32_t *feature, uint32_t *count)
{
    uint32_t first = builder->value_feature[entry];
    *feature = first & ~RUN;
    *count = first & RUN ? builder->value_feature[entry + 1] : 1;
    return entry + (first & RUN ? 2 : 1);
}

/* Values of features that follow one another. */
struct stretch {
    const double *values;
    uint32_t feature, count;
};

/* The next stretch before `end`, an index of entries; false when there is none. */
static bool next_stretch(const hs_builder *builder, struct reading *r, uint64_t end,
                         struct stretch *out)
{
    if (r->left == 0) {
        if (r->entry >= end)
            return false;
        r->entry = take_run(builder, r->entry, &r->feature, &r->left);
    }
    if (r->at == builder->blocks[r->block].used) {
        r->block++;
        r->at = 0;
    }
    const value_block *block = &builder->blocks[r->block];
    uint32_t count = block->used - r->at < r->left ? (uint32_t)(block->used - r->at) : r->left;
    *out = (struct stretch){block->values + r->at, r->feature, count};
    r->at += count;
    r->feature += count;
    r->left -= count;
    return true;
}

/* Counts the values other than 0 of each feature that is not binary, positives of retyped features
 * included. */
static void count_values(const hs_builder *builder, const hsel_dataset *data, uint32_t *count)
{
    struct reading reading = {0};
    struct stretch some;
    while (next_stretch(builder, &reading, builder->entries, &some)) {
        uint32_t *counter = count + some.feature;
        for (uint32_t i = 0; i < some.count; i++)
            counter[i] += some.values[i] != 0;
    }
    for (size_t i = 0; i < builder->positives; i++)
        count[builder->positive[i]] += data->types[builder->positive[i]] != HSEL_BINARY;
}

/* What is known while the values are put into their columns. */
struct placing {
    const hs_builder *builder;
    hsel_dataset *data;
    uint32_t *last;      /* [features]: the last row that had a value, plus one */
    uint32_t *dense_end; /* [features]: the first feature from this one on that is not a dense
                            numeric column */
    struct reading reading;
};

static void place(hsel_dataset *data, uint32_t row, uint32_t feature, double value)
{
    uint32_t slot = data->slot[feature];
    if (data->types[feature] == HSEL_NOMINAL) {
        data->nominal[slot].codes[row] = (uint32_t)value;
        return;
    }
    hs_numeric_column *column = &data->numeric[slot];
    if (!column->rows) {
        column->values[row] = value;
    } else if (value != 0) {
        column->rows[column->count] = row;
        column->values[column->count++] = value;
    }
}

/* Dense columns lie one behind the other, so a row of them is a matter of steps. */
static void place_stretch(const struct placing *p, uint32_t row, struct stretch some)
{
    hsel_dataset *data = p->data;
    for (uint32_t i = 0; i < some.count;) {
        uint32_t feature = some.feature + i, dense = p->dense_end[feature] - feature;
        if (dense == 0) {
            place(data, row, feature, some.values[i++]);
            continue;
        }
        dense = dense < some.count - i ? dense : some.count - i;
        double *to = data->numeric[data->slot[feature]].values + row;
        for (uint32_t k = 0; k < dense; k++, to += data->instances)
            *to = some.values[i++];
    }
}

static int mark(const struct placing *p, uint32_t row, uint32_t feature, uint32_t count,
                hsel_error *error)
{
    for (uint32_t f = feature; f < feature + count; f++) {
        if (p->last[f] == row + 1)
            return hs_fail(error, HSEL_EFORMAT, "instance %u has two values for feature '%.200s'",
                           row + 1, hs_names_get(&p->builder->features, f));
        p->last[f] = row + 1;
    }
    return HSEL_OK;
}

/* What is in ascending order, as nearly all rows are, has no feature twice. */
static bool is_ascending(const hs_builder *builder, uint32_t row)
{
    uint64_t next = 0;
    uint32_t feature, count;
    for (size_t i = builder->value_start[row]; i < builder->value_start[row + 1];) {
        i = take_run(builder, i, &feature, &count);
        if (feature < next)
            return false;
        next = (uint64_t)feature + count;
    }
    return true;
}

static int place_row(struct placing *p, uint32_t row, hsel_error *error)
{
    const hs_builder *builder = p->builder;
    const uint64_t begin = builder->positive_start[row], end = builder->positive_start[row + 1];
    struct stretch some;
    uint64_t retyped = 0;
    uint32_t feature, count;
    for (uint64_t i = begin; i < end; i++)
        retyped += p->data->types[builder->positive[i]] != HSEL_BINARY;
    if (retyped || !is_ascending(builder, row))
        for (size_t i = builder->value_start[row]; i < builder->value_start[row + 1];) {
            i = take_run(builder, i, &feature, &count);
            HS_TRY(mark(p, row, feature, count, error));
        }
    while (next_stretch(builder, &p->reading, builder->value_start[row + 1], &some))
        place_stretch(p, row, some);
    for (uint64_t i = begin; retyped && i < end; i++)
        if (p->data->types[builder->positive[i]] != HSEL_BINARY) {
            place(p->data, row, builder->positive[i], 1);
            HS_TRY(mark(p, row, builder->positive[i], 1, error));
        }
    return HSEL_OK;
}

/* Makes the columns of features that are not binary (data->types says which) and moves their values
 * there. */
static int gather(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    HS_OWNED uint32_t *scratch = HS_NEW_ZERO(uint32_t, data->features);
    HS_OWNED uint32_t *dense_end = HS_NEW(uint32_t, data->features);
    HS_NEED(scratch && dense_end);
    count_values(builder, data, scratch);
    HS_TRY(hs_dataset_make_columns(data, scratch, error));
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] != HSEL_NOMINAL)
            continue;
        hs_names *values = &builder->nominal_values[builder->slot[f]];
        HS_TRY(hs_names_index(values, error)); /* of a feature that never had a value, too */
        data->nominal[data->slot[f]].values = *values;
        *values = (hs_names){0};
    }
    memset(scratch, 0, data->features * sizeof *scratch);
    struct placing placing = {
        .builder = builder, .data = data, .last = scratch, .dense_end = dense_end};
    for (uint32_t f = data->features, end = f; f-- > 0; dense_end[f] = end)
        if (data->types[f] != HSEL_NUMERIC || data->numeric[data->slot[f]].rows)
            end = f;
    for (uint32_t r = 0; r < builder->rows; r++)
        HS_TRY(place_row(&placing, r, error));
    return HSEL_OK;
}

/* ---- rows ---- */

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts a row and drops repeats; most formats give it sorted already. Returns the new length. */
static size_t sort_row(uint32_t *row, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = row[i - 1] < row[i];
    if (sorted)
        return count;
    qsort(row, count, sizeof *row, compare_u32);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (row[i] != row[kept - 1])
            row[kept++] = row[i];
    return kept;
}

/* Rows sorted in place; the gaps that repeats leave are closed. */
static void sort_rows(hs_builder *builder)
{
    uint64_t used = 0, begin = 0;
    for (uint32_t r = 0; r < builder->rows; r++) {
        uint64_t end = builder->positive_start[r + 1];
        size_t count = end > begin ? sort_row(builder->positive + begin, (size_t)(end - begin)) : 0;
        if (used != begin && count)
            memmove(builder->positive + used, builder->positive + begin,
                    count * sizeof *builder->positive);
        begin = end;
        used += count;
        builder->positive_start[r + 1] = used;
    }
    builder->positives = (size_t)used;
}

/* Takes retyped features out of the rows. */
static void drop_retyped(hs_builder *builder, const hsel_dataset *data)
{
    uint64_t used = 0, begin = 0;
    for (uint32_t r = 0; r < builder->rows; r++) {
        uint64_t end = builder->positive_start[r + 1];
        for (uint64_t i = begin; i < end; i++)
            if (data->types[builder->positive[i]] == HSEL_BINARY)
                builder->positive[used++] = builder->positive[i];
        begin = end;
        builder->positive_start[r + 1] = used;
    }
    builder->positives = (size_t)used;
}

/* Moves the row lists into the data set without copying, shrunk to what they hold. */
static int take_rows(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    uint32_t *index = hs_realloc(builder->positive, builder->positives, sizeof *index);
    HS_NEED(index);
    builder->positive = NULL;
    data->rows =
        (hs_sparse){.start = builder->positive_start, .index = index, .lists = builder->rows};
    builder->positive_start = NULL;
    return hs_sparse_transpose(&data->rows, data->features, &data->columns, error);
}

/* ---- classes ---- */

struct class_order {
    const hs_names *names;
    bool numbers; /* all of them */
};

static bool as_number(const hs_names *names, uint32_t i, double *value)
{
    return hs_parse_double(hs_names_get(names, i), hs_names_length(names, i), value) &&
           !isnan(*value);
}

static int compare_classes(const void *a, const void *b, void *context)
{
    const struct class_order *by = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    double x = 0, y = 0;
    if (by->numbers && as_number(by->names, i, &x) && as_number(by->names, j, &y) && x != y)
        return (x > y) - (x < y);
    return strcmp(hs_names_get(by->names, i), hs_names_get(by->names, j));
}

static int order_classes(hs_builder *builder, hsel_error *error)
{
    hs_names *old = &builder->classes;
    HS_OWNS(hs_names_clear) hs_names sorted = {0};
    uint32_t count = old->count, id;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    HS_OWNED uint32_t *rank = HS_NEW(uint32_t, count);
    HS_NEED(order && rank);
    struct class_order by = {old, true};
    for (uint32_t i = 0; i < count; i++) {
        double value;
        by.numbers = by.numbers && as_number(old, i, &value);
        order[i] = i;
    }
    qsort_r(order, count, sizeof *order, compare_classes, &by);
    for (uint32_t i = 0; i < count; i++) {
        rank[order[i]] = i;
        HS_TRY(hs_names_intern(&sorted, hs_names_get(old, order[i]), hs_names_length(old, order[i]),
                               &id, NULL, error));
    }
    for (uint32_t r = 0; r < builder->rows; r++)
        if (builder->labels[r] != HSEL_NONE)
            builder->labels[r] = rank[builder->labels[r]];
    hs_names swapped = *old;
    *old = sorted;
    sorted = swapped;
    return HSEL_OK;
}

static int settle_classes(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    if (builder->sort_classes)
        HS_TRY(order_classes(builder, error));
    data->positive_class = builder->classes.count >= 2 ? 1 : HSEL_NONE;
    if (builder->positive_label) {
        const char *label = builder->positive_label;
        data->positive_class = hs_names_find(&builder->classes, label, strlen(label));
        if (data->positive_class == HSEL_NONE)
            return hs_fail(error, HSEL_EUSAGE, "there is no class '%.200s' to be the positive one",
                           label);
    }
    if (builder->classes.count > 0 && builder->rows > 0) {
        data->class_of = hs_realloc(builder->labels, builder->rows, sizeof *builder->labels);
        HS_NEED(data->class_of);
        builder->labels = NULL;
    }
    return HSEL_OK;
}

/* ---- all together ---- */

int hs_builder_finish(hs_builder *builder, hsel_dataset **out, hsel_error *error)
{
    size_t rows = builder->rows;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = HS_NEW_ZERO(hsel_dataset, 1);
    /* The start lists get their last entry; they exist even without rows, as does the list of
     * positives (no arithmetic on a null pointer). */
    HS_NEED(data &&
            HS_GROW(&builder->positive, &builder->positive_capacity, builder->positives + 1) &&
            HS_GROW(&builder->positive_start, &builder->positive_start_capacity, rows + 1) &&
            HS_GROW(&builder->value_start, &builder->value_start_capacity, rows + 1) &&
            HS_GROW(&builder->types, &builder->type_capacity, (size_t)builder->features.count + 1));
    builder->positive_start[rows] = builder->positives;
    builder->value_start[rows] = builder->entries;
    data->instances = builder->rows;
    data->features = builder->features.count;
    if (builder->ids.count && builder->ids.count != builder->rows)
        return hs_fail(error, HSEL_EFORMAT, "only %u of %u instances have an identifier",
                       builder->ids.count, builder->rows);
    data->types = hs_take(&builder->types);
    sort_rows(builder);
    if (!hs_dataset_types_binary(data)) {
        HS_TRY(gather(builder, data, error));
        drop_retyped(builder, data);
    }
    HS_TRY(take_rows(builder, data, error));
    HS_TRY(settle_classes(builder, data, error));
    HS_TRY(hs_names_index(&builder->features, error));
    HS_TRY(hs_names_index(&builder->classes, error));
    data->feature_names = builder->features;
    data->class_names = builder->classes;
    data->ids = builder->ids;
    builder->features = builder->classes = builder->ids = (hs_names){0};
    data->name = hs_take(&builder->name);
    data->class_attribute = hs_take(&builder->class_attribute);
    data->id_attribute = hs_take(&builder->id_attribute);
    *out = hs_take(&data);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder: rows as they come, in growing lists (positives; features of other values; row
 * starts) and, for the other values, blocks. Freezing them into a data set is in builder_finish.c.
 */
#include "data/builder_parts.h"

#include <string.h>

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
    if (!HS_GROW(&builder->nominal_values, &builder->nominal_capacity,
                 (size_t)builder->nominal_count + 1))
        return hs_fail_memory(error);
    builder->nominal_values[builder->nominal_count] = (hs_names){0};
    builder->slot[feature] = builder->nominal_count++;
    return HSEL_OK;
}

int hs_builder_intern_feature(hs_builder *builder, const char *name, size_t length,
                              hsel_feature_type type, uint32_t *id, hsel_error *error)
{
    bool added;
    int status = hs_names_intern(&builder->features, name, length, id, &added, error);
    if (status || !added)
        return status;
    if (*id >= HS_FEATURES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u features", HS_FEATURES_LIMIT);
    if (!HS_GROW(&builder->types, &builder->type_capacity, (size_t)*id + 1) ||
        !HS_GROW(&builder->slot, &builder->slot_capacity, (size_t)*id + 1))
        return hs_fail_memory(error);
    builder->types[*id] = (uint8_t)type;
    builder->slot[*id] = 0;
    return type == HSEL_NOMINAL ? add_nominal_slot(builder, *id, error) : HSEL_OK;
}

int hs_builder_feature(hs_builder *builder, const char *name, size_t length, hsel_feature_type type,
                       uint32_t *id, hsel_error *error)
{
    uint32_t before = builder->features.count;
    int status = hs_builder_intern_feature(builder, name, length, type, id, error);
    if (status == HSEL_OK && builder->features.count == before)
        return hs_fail(error, HSEL_EFORMAT, "there are two features named '%.*s'",
                       (int)(length < 200 ? length : 200), name);
    return status;
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
    int status = hs_names_intern(&builder->classes, label, length, code, NULL, error);
    if (status == HSEL_OK && *code >= HS_CLASSES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u classes: is this the class column?",
                       HS_CLASSES_LIMIT);
    return status;
}

int hs_builder_declare(hs_builder *builder, const hs_names *features, const hs_names *classes,
                       hsel_error *error)
{
    int status = HSEL_OK;
    uint32_t id;
    for (uint32_t f = 0; f < features->count && status == HSEL_OK; f++)
        status = hs_builder_feature(builder, hs_names_get(features, f),
                                    hs_names_length(features, f), HSEL_BINARY, &id, error);
    for (uint32_t c = 0; c < classes->count && status == HSEL_OK; c++)
        status = hs_builder_class(builder, hs_names_get(classes, c), hs_names_length(classes, c),
                                  &id, error);
    return status;
}

int hs_builder_declare_like(hs_builder *builder, const hsel_dataset *shape, hsel_error *error)
{
    int status = hs_builder_declare(builder, &shape->feature_names, &shape->class_names, error);
    uint32_t code;
    for (uint32_t f = 0; f < shape->features && status == HSEL_OK; f++) {
        if (shape->types[f] == HSEL_BINARY)
            continue;
        status = hs_builder_retype(builder, f, (hsel_feature_type)shape->types[f], error);
        if (shape->types[f] != HSEL_NOMINAL)
            continue;
        const hs_names *values = &shape->nominal[shape->slot[f]].values;
        for (uint32_t v = 0; v < values->count && status == HSEL_OK; v++)
            status = hs_builder_value(builder, f, hs_names_get(values, v),
                                      hs_names_length(values, v), &code, error);
    }
    return status;
}

void hs_builder_sort_classes(hs_builder *builder) { builder->sort_classes = true; }

int hs_builder_row(hs_builder *builder, const char *id, size_t id_length, uint32_t label,
                   hsel_error *error)
{
    size_t row = builder->rows;
    int status;
    if (row >= HS_INSTANCES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT, "more than %u instances", HS_INSTANCES_LIMIT);
    if (!HS_GROW(&builder->labels, &builder->label_capacity, row + 1) ||
        !HS_GROW(&builder->positive_start, &builder->positive_start_capacity, row + 2) ||
        !HS_GROW(&builder->value_start, &builder->value_start_capacity, row + 2))
        return hs_fail_memory(error);
    if (id && (status = hs_names_append(&builder->ids, id, id_length, error)))
        return status;
    builder->labels[row] = label;
    builder->positive_start[row] = builder->positives;
    builder->value_start[row] = builder->entries;
    builder->next = HSEL_NONE;
    builder->rows++;
    return HSEL_OK;
}

void hs_builder_row_class(hs_builder *builder, uint32_t label)
{
    builder->labels[builder->rows - 1] = label;
}

int hs_builder_positive(hs_builder *builder, uint32_t feature, hsel_error *error)
{
    if (!HS_GROW(&builder->positive, &builder->positive_capacity, builder->positives + 1))
        return hs_fail_memory(error);
    builder->positive[builder->positives++] = feature;
    return HSEL_OK;
}

/* Notes that values of `count` features from `first` on come next; they may go on where the last
 * ones stopped. */
static int note_features(hs_builder *builder, uint32_t first, uint32_t count, hsel_error *error)
{
    if (!HS_GROW(&builder->value_feature, &builder->value_feature_capacity, builder->entries + 2))
        return hs_fail_memory(error);
    uint32_t *entry = builder->value_feature;
    if (first != builder->next) {
        builder->last = builder->entries;
        entry[builder->entries++] = first | (count > 1 ? HS_RUN : 0);
        if (count > 1)
            entry[builder->entries++] = count;
    } else if (entry[builder->last] & HS_RUN) {
        entry[builder->last + 1] += count;
    } else {
        entry[builder->last] |= HS_RUN;
        entry[builder->entries++] = 1 + count;
    }
    builder->next = first + count;
    return HSEL_OK;
}

/* The block that the next values go to. */
static hs_value_block *block_with_room(hs_builder *builder)
{
    hs_value_block *last = builder->block_count ? &builder->blocks[builder->block_count - 1] : NULL;
    if (last && last->used < last->room)
        return last;
    size_t room = last ? 8 * last->room : FIRST_BLOCK;
    room = room < LARGEST_BLOCK ? room : LARGEST_BLOCK;
    if (!HS_GROW(&builder->blocks, &builder->block_capacity, builder->block_count + 1))
        return NULL;
    hs_value_block *block = &builder->blocks[builder->block_count];
    *block =
        (hs_value_block){.values = hs_alloc_aligned(room, sizeof *block->values), .room = room};
    builder->block_count += block->values != NULL;
    return block->values ? block : NULL;
}

/* All of one run. */
static int add_values(hs_builder *builder, uint32_t first, const double *values, uint32_t count,
                      hsel_error *error)
{
    int status = note_features(builder, first, count, error);
    while (count > 0 && status == HSEL_OK) {
        hs_value_block *block = block_with_room(builder);
        if (!block)
            return hs_fail_memory(error);
        size_t some = block->room - block->used < count ? block->room - block->used : count;
        memcpy(block->values + block->used, values, some * sizeof *values);
        block->used += some;
        values += some;
        count -= (uint32_t)some;
    }
    return status;
}

int hs_builder_others(hs_builder *builder, const uint32_t *features, const double *values,
                      size_t count, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0, end; i < count && status == HSEL_OK; i = end) {
        for (end = i + 1; end < count && features[end] == features[i] + (end - i);)
            end++;
        status = add_values(builder, features[i], values + i, (uint32_t)(end - i), error);
    }
    return status;
}

int hs_builder_numeric(hs_builder *builder, uint32_t feature, double value, hsel_error *error)
{
    return add_values(builder, feature, &value, 1, error);
}

int hs_builder_nominal(hs_builder *builder, uint32_t feature, uint32_t code, hsel_error *error)
{
    return code == HS_MISSING_CODE ? HSEL_OK : hs_builder_numeric(builder, feature, code, error);
}

uint32_t hs_builder_features(const hs_builder *builder) { return builder->features.count; }

uint32_t hs_builder_rows(const hs_builder *builder) { return builder->rows; }

uint32_t hs_builder_classes(const hs_builder *builder) { return builder->classes.count; }

const hs_names *hs_builder_feature_names(const hs_builder *builder) { return &builder->features; }

hsel_feature_type hs_builder_type(const hs_builder *builder, uint32_t feature)
{
    return (hsel_feature_type)builder->types[feature];
}

/* Replaces *field by a copy; NULL leaves it alone. */
static int set_text(char **field, const char *text, hsel_error *error)
{
    char *copy = text ? hs_strdup(text) : NULL;
    if (text && !copy)
        return hs_fail_memory(error);
    if (copy) {
        hs_free(*field);
        *field = copy;
    }
    return HSEL_OK;
}

int hs_builder_describe(hs_builder *builder, const char *name, const char *class_attribute,
                        const char *id_attribute, hsel_error *error)
{
    int status = set_text(&builder->name, name, error);
    if (status == HSEL_OK)
        status = set_text(&builder->class_attribute, class_attribute, error);
    if (status == HSEL_OK)
        status = set_text(&builder->id_attribute, id_attribute, error);
    return status;
}

int hs_builder_positive_class(hs_builder *builder, const char *label, hsel_error *error)
{
    return set_text(&builder->positive_label, label, error);
}

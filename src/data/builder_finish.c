/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Freezing a builder: rows sorted and without repeats, columns by transposition, other values
 * gathered by feature (builder_values.c), classes put in order. Binary features that were found to
 * be numeric leave the rows here.
 */
#define _GNU_SOURCE /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "data/builder_parts.h"

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
    if (!index)
        return hs_fail_memory(error);
    builder->positive = NULL;
    data->rows =
        (hs_sparse){.start = builder->positive_start, .index = index, .lists = builder->rows};
    builder->positive_start = NULL;
    return hs_sparse_transpose(&data->rows, data->features, &data->columns, error);
}

/* ---- classes ---- */

static bool all_numbers(const hs_names *names)
{
    double value;
    for (uint32_t i = 0; i < names->count; i++)
        if (!hs_parse_double(hs_names_get(names, i), hs_names_length(names, i), &value) ||
            isnan(value))
            return false;
    return true;
}

static bool comes_before(const hs_names *names, uint32_t a, uint32_t b, bool numbers)
{
    double x = 0, y = 0;
    if (numbers && hs_parse_double(hs_names_get(names, a), hs_names_length(names, a), &x) &&
        hs_parse_double(hs_names_get(names, b), hs_names_length(names, b), &y) && x != y)
        return x < y;
    return strcmp(hs_names_get(names, a), hs_names_get(names, b)) < 0;
}

struct class_order {
    const hs_names *names;
    bool numbers;
};

static int compare_classes(const void *a, const void *b, void *context)
{
    const struct class_order *by = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return comes_before(by->names, y, x, by->numbers) - comes_before(by->names, x, y, by->numbers);
}

static int order_classes(hs_builder *builder, hsel_error *error)
{
    hs_names *old = &builder->classes, sorted = {0};
    uint32_t count = old->count, id;
    uint32_t *order = HS_NEW(uint32_t, count), *rank = HS_NEW(uint32_t, count);
    int status = order && rank ? HSEL_OK : hs_fail_memory(error);
    if (status)
        goto out;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare_classes,
            &(struct class_order){old, all_numbers(old)});
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        rank[order[i]] = i;
        status = hs_names_intern(&sorted, hs_names_get(old, order[i]),
                                 hs_names_length(old, order[i]), &id, NULL, error);
    }
    if (status)
        goto out;
    for (uint32_t r = 0; r < builder->rows; r++)
        if (builder->labels[r] != HSEL_NONE)
            builder->labels[r] = rank[builder->labels[r]];
    hs_names swapped = *old;
    *old = sorted;
    sorted = swapped;
out:
    hs_names_clear(&sorted);
    hs_free(order);
    hs_free(rank);
    return status;
}

static int settle_classes(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    int status = builder->sort_classes ? order_classes(builder, error) : HSEL_OK;
    if (status)
        return status;
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
        if (!data->class_of)
            return hs_fail_memory(error);
        builder->labels = NULL;
    }
    return HSEL_OK;
}

/* ---- all together ---- */

static int take_names(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    int status = hs_names_index(&builder->features, error);
    if (status == HSEL_OK)
        status = hs_names_index(&builder->classes, error);
    if (status)
        return status;
    data->feature_names = builder->features;
    data->class_names = builder->classes;
    data->ids = builder->ids;
    builder->features = builder->classes = builder->ids = (hs_names){0};
    data->name = builder->name;
    data->class_attribute = builder->class_attribute;
    data->id_attribute = builder->id_attribute;
    builder->name = builder->class_attribute = builder->id_attribute = NULL;
    return HSEL_OK;
}

/* The start lists get their last entry; they exist even without rows, as does the list of positives
 * (no arithmetic on a null pointer). */
static int close_lists(hs_builder *builder, hsel_error *error)
{
    size_t rows = builder->rows;
    if (!HS_GROW(&builder->positive, &builder->positive_capacity, builder->positives + 1) ||
        !HS_GROW(&builder->positive_start, &builder->positive_start_capacity, rows + 1) ||
        !HS_GROW(&builder->value_start, &builder->value_start_capacity, rows + 1) ||
        !HS_GROW(&builder->types, &builder->type_capacity, (size_t)builder->features.count + 1))
        return hs_fail_memory(error);
    builder->positive_start[rows] = builder->positives;
    builder->value_start[rows] = builder->entries;
    return HSEL_OK;
}

int hs_builder_finish(hs_builder *builder, hsel_dataset **out, hsel_error *error)
{
    hsel_dataset *data = HS_NEW_ZERO(hsel_dataset, 1);
    int status = data ? close_lists(builder, error) : hs_fail_memory(error);
    if (status)
        goto out;
    data->instances = builder->rows;
    data->features = builder->features.count;
    if (builder->ids.count && builder->ids.count != builder->rows) {
        status = hs_fail(error, HSEL_EFORMAT, "only %u of %u instances have an identifier",
                         builder->ids.count, builder->rows);
        goto out;
    }
    data->types = builder->types;
    builder->types = NULL;
    sort_rows(builder);
    if (!hs_dataset_types_binary(data)) {
        if ((status = hs_builder_gather(builder, data, error)))
            goto out;
        drop_retyped(builder, data);
    }
    if ((status = take_rows(builder, data, error)) ||
        (status = settle_classes(builder, data, error)) ||
        (status = take_names(builder, data, error)))
        goto out;
    *out = data;
    data = NULL;
out:
    hsel_dataset_free(data);
    return status;
}

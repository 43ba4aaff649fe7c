/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a builder that are not binary, from rows to columns: counted, then put in their place.
 */
#include <string.h>

#include "data/builder_parts.h"

/* Where reading of the values has come to. */
struct reading {
    size_t entry, block, at; /* `at`: value of the block */
    uint32_t feature, left;  /* rest of the run at hand */
};

/* The features of an entry; returns where the next entry is. */
static size_t take_run(const hs_builder *builder, size_t entry, uint32_t *feature, uint32_t *count)
{
    uint32_t first = builder->value_feature[entry];
    *feature = first & ~HS_RUN;
    *count = first & HS_RUN ? builder->value_feature[entry + 1] : 1;
    return entry + (first & HS_RUN ? 2 : 1);
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
    const hs_value_block *block = &builder->blocks[r->block];
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

static int take_nominal_values(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t f = 0; f < data->features && status == HSEL_OK; f++) {
        if (data->types[f] != HSEL_NOMINAL)
            continue;
        hs_names *values = &builder->nominal_values[builder->slot[f]];
        status = hs_names_index(values, error); /* of a feature that never had a value, too */
        data->nominal[data->slot[f]].values = *values;
        *values = (hs_names){0};
    }
    return status;
}

static int given_twice(const hs_builder *builder, uint32_t feature, uint32_t row, hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "instance %u has two values for feature '%.200s'", row + 1,
                   hs_names_get(&builder->features, feature));
}

/* What is known while the values are put into their columns. */
struct placing {
    const hs_builder *builder;
    hsel_dataset *data;
    uint32_t *last;      /* [features]: the last row that had a value, plus one */
    uint32_t *dense_end; /* [features]: the first feature from this one on that is no dense numeric
                            column */
    struct reading reading;
};

static void find_dense(struct placing *p)
{
    uint32_t end = p->data->features;
    for (uint32_t f = p->data->features; f-- > 0;) {
        if (p->data->types[f] != HSEL_NUMERIC || p->data->numeric[p->data->slot[f]].rows)
            end = f;
        p->dense_end[f] = end;
    }
}

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
            return given_twice(p->builder, f, row, error);
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

static int mark_row(const struct placing *p, uint32_t row, hsel_error *error)
{
    uint32_t feature, count;
    int status = HSEL_OK;
    for (size_t i = p->builder->value_start[row];
         i < p->builder->value_start[row + 1] && status == HSEL_OK;) {
        i = take_run(p->builder, i, &feature, &count);
        status = mark(p, row, feature, count, error);
    }
    return status;
}

static int place_row(struct placing *p, uint32_t row, hsel_error *error)
{
    const hs_builder *builder = p->builder;
    const uint64_t begin = builder->positive_start[row], end = builder->positive_start[row + 1];
    struct stretch some;
    uint64_t retyped = 0;
    for (uint64_t i = begin; i < end; i++)
        retyped += p->data->types[builder->positive[i]] != HSEL_BINARY;
    int status = retyped || !is_ascending(builder, row) ? mark_row(p, row, error) : HSEL_OK;
    while (status == HSEL_OK &&
           next_stretch(builder, &p->reading, builder->value_start[row + 1], &some))
        place_stretch(p, row, some);
    for (uint64_t i = begin; retyped && i < end && status == HSEL_OK; i++) {
        uint32_t feature = builder->positive[i];
        if (p->data->types[feature] == HSEL_BINARY)
            continue;
        place(p->data, row, feature, 1);
        status = mark(p, row, feature, 1, error);
    }
    return status;
}

static int place_values(const hs_builder *builder, hsel_dataset *data, uint32_t *last,
                        hsel_error *error)
{
    struct placing placing = {.builder = builder,
                              .data = data,
                              .last = last,
                              .dense_end = HS_NEW(uint32_t, data->features)};
    int status = placing.dense_end ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK)
        find_dense(&placing);
    for (uint32_t r = 0; r < builder->rows && status == HSEL_OK; r++)
        status = place_row(&placing, r, error);
    hs_free(placing.dense_end);
    return status;
}

int hs_builder_gather(hs_builder *builder, hsel_dataset *data, hsel_error *error)
{
    uint32_t *scratch = HS_NEW_ZERO(uint32_t, data->features);
    if (!scratch)
        return hs_fail_memory(error);
    count_values(builder, data, scratch);
    int status = hs_dataset_make_columns(data, scratch, error);
    if (status == HSEL_OK)
        status = take_nominal_values(builder, data, error);
    memset(scratch, 0, data->features * sizeof *scratch);
    if (status == HSEL_OK)
        status = place_values(builder, data, scratch, error);
    hs_free(scratch);
    return status;
}

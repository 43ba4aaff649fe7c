/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances on numeric and nominal features, as WEKA's EuclideanDistance:
 *
 *     d2(x, t) = sum over f of difference(x_f, t_f)^2
 *     numeric:  v' = (v - min) / (max - min) over the training part, 0 if that is constant;
 *               difference x' - t'; one of the two missing: max(v', 1 - v') of the other; both: 1
 *     nominal:  0 if equal, else 1; missing is never equal
 *
 * Infinite values count as missing. Unlike WEKA's IBk, the ranges are those of the training part
 * alone: IBk widens them by every instance that it has been asked about, so its answer depends on
 * what was asked before.
 *
 * The training part is held normalised, in blocks of eight instances beside each other, so that
 * eight distances are summed at a time, each in the order of the features; a block whose eight sums
 * are all beyond the k-th nearest so far is left. Time O(n * d) at most, memory O(n * d).
 */
#include "classify/knn_values.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

#define BLOCK 8  /* instances */
#define STEP  32 /* features between looks at the limit */

struct column {
    uint32_t feature;
    bool nominal;
    bool whole; /* numeric, and no training instance misses it */
    double low, width;
};

struct hs_knn_values {
    struct column *columns;
    uint32_t column_count, rows;
    size_t blocks;
    double *cells; /* [block][column][BLOCK]; NaN = missing */
};

void hs_knn_values_free(hs_knn_values *values)
{
    if (!values)
        return;
    hs_free(values->columns);
    hs_free(values->cells);
    hs_free(values);
}

/* ---- the training part ---- */

static void list_columns(hs_knn_values *v, const hsel_dataset *data, const uint64_t *mask)
{
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] != HSEL_BINARY && (!mask || hs_bit_get(mask, f)))
            v->columns[v->column_count++] =
                (struct column){.feature = f, .nominal = data->types[f] == HSEL_NOMINAL};
}

static double normalised(const struct column *column, double value)
{
    if (!isfinite(value))
        return NAN;
    if (column->nominal)
        return value;
    return column->width > 0 ? (value - column->low) / column->width : 0;
}

static void find_range(struct column *column, const double *values, const uint32_t *rows,
                       uint32_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        if (isfinite(values[rows[i]])) {
            low = fmin(low, values[rows[i]]);
            high = fmax(high, values[rows[i]]);
        }
    column->low = low <= high ? low : 0;
    column->width = low <= high ? high - low : 0;
}

static void fill_column(hs_knn_values *v, uint32_t at, const double *values, const uint32_t *rows)
{
    struct column *column = &v->columns[at];
    if (!column->nominal)
        find_range(column, values, rows, v->rows);
    column->whole = !column->nominal;
    for (uint32_t i = 0; i < v->rows; i++) {
        double cell = normalised(column, values[rows[i]]);
        size_t block = i / BLOCK;
        v->cells[(block * v->column_count + at) * BLOCK + i % BLOCK] = cell;
        column->whole = column->whole && !isnan(cell);
    }
}

int hs_knn_values_new(const hsel_dataset *data, const uint64_t *mask, const uint32_t *rows,
                      uint32_t count, hs_knn_values **out, hsel_error *error)
{
    hs_knn_values *v = HS_NEW_ZERO(hs_knn_values, 1);
    double *scratch = HS_NEW(double, data->instances);
    size_t others = (size_t)data->numeric_count + data->nominal_count;
    bool got = v && scratch && (v->columns = HS_NEW(struct column, others));
    if (got) {
        list_columns(v, data, mask);
        v->rows = count;
        v->blocks = ((size_t)count + BLOCK - 1) / BLOCK;
        v->cells = HS_NEW_ZERO(double, v->blocks *BLOCK * v->column_count);
        got = v->cells != NULL;
    }
    for (uint32_t i = 0; got && i < v->column_count; i++)
        fill_column(v, i, hs_dataset_numeric(data, v->columns[i].feature, scratch), rows);
    hs_free(scratch);
    if (!got) {
        hs_knn_values_free(v);
        return hs_fail_memory(error);
    }
    *out = v;
    return HSEL_OK;
}

/* ---- distances ---- */

void hs_knn_values_scratch_clear(hs_knn_values_scratch *scratch)
{
    hs_free(scratch->instance);
    hs_free(scratch->columns);
    hs_free(scratch->distance);
    hs_free(scratch->nearest);
    *scratch = (hs_knn_values_scratch){0};
}

int hs_knn_values_scratch_init(hs_knn_values_scratch *scratch, const hs_knn_values *values,
                               uint32_t k, hsel_error *error)
{
    *scratch = (hs_knn_values_scratch){.instance = HS_NEW(double, values->column_count),
                                       .columns = HS_NEW(uint32_t, values->column_count),
                                       .distance = HS_NEW(double, values->rows),
                                       .nearest = HS_NEW(double, k),
                                       .k = k};
    if (scratch->instance && scratch->columns && scratch->distance && scratch->nearest)
        return HSEL_OK;
    hs_knn_values_scratch_clear(scratch);
    return hs_fail_memory(error);
}

/* Features that are not binary stand among the negative ones of a selection. */
static uint32_t take_instance(const hs_knn_values *v, const hsel_dataset *data, uint32_t instance,
                              const hs_selection *selection, hs_knn_values_scratch *s)
{
    bool all = !selection || selection->all_negative;
    uint32_t next = 0, count = 0;
    for (uint32_t i = 0; i < v->column_count; i++) {
        uint32_t feature = v->columns[i].feature;
        while (!all && next < selection->negative_count && selection->negative[next] < feature)
            next++;
        if (!all && (next == selection->negative_count || selection->negative[next] != feature))
            continue;
        s->columns[count] = i;
        s->instance[count++] =
            normalised(&v->columns[i], hs_dataset_value(data, feature, instance));
    }
    return count;
}

static double difference(bool nominal, double a, double b)
{
    if (nominal)
        return a == b ? 0 : 1; /* NaN is not equal to anything */
    if (!isnan(a) && !isnan(b))
        return a - b;
    double known = isnan(a) ? b : a;
    return isnan(known) ? 1 : known < 0.5 ? 1 - known : known;
}

static void add_column(const struct column *column, const double *restrict cell, double x,
                       double *restrict sum)
{
    if (column->whole && !isnan(x)) {
        for (int j = 0; j < BLOCK; j++) {
            double d = cell[j] - x;
            sum[j] += d * d;
        }
        return;
    }
    for (int j = 0; j < BLOCK; j++) {
        double d = difference(column->nominal, cell[j], x);
        sum[j] += d * d;
    }
}

static bool all_beyond(const double *sum, double limit)
{
    bool beyond = true;
    for (int j = 0; j < BLOCK; j++)
        beyond = beyond && sum[j] > limit;
    return beyond;
}

static void add_block(const hs_knn_values *v, size_t block, uint32_t count,
                      const hs_knn_values_scratch *s, double *sum)
{
    const double *cells = v->cells + block * v->column_count * BLOCK;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = s->columns[i];
        add_column(&v->columns[at], cells + (size_t)at * BLOCK, s->instance[i], sum);
        if (i % STEP == STEP - 1 && all_beyond(sum, s->nearest[0]))
            return;
    }
}

/* Puts d in the place of the largest of a heap, and restores the heap. */
static void replace_largest(double *heap, uint32_t count, double d)
{
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= d)
            break;
        heap[at] = heap[child];
    }
    heap[at] = d;
}

double hs_knn_values_distances(const hs_knn_values *values, const hsel_dataset *data,
                               uint32_t instance, const hs_selection *selection,
                               const int32_t *binary, hs_knn_values_scratch *scratch)
{
    uint32_t count = take_instance(values, data, instance, selection, scratch);
    for (uint32_t i = 0; i < scratch->k; i++)
        scratch->nearest[i] = INFINITY;
    for (size_t block = 0; block < values->blocks; block++) {
        uint32_t first = (uint32_t)(block * BLOCK);
        uint32_t rows = values->rows - first < BLOCK ? values->rows - first : BLOCK;
        double sum[BLOCK];
        for (uint32_t j = 0; j < BLOCK; j++)
            sum[j] = j < rows ? binary[first + j] : (double)INFINITY;
        add_block(values, block, count, scratch, sum);
        for (uint32_t j = 0; j < rows; j++) {
            scratch->distance[first + j] = sum[j];
            if (sum[j] < scratch->nearest[0])
                replace_largest(scratch->nearest, scratch->k, sum[j]);
        }
    }
    return scratch->nearest[0];
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preparing a training part for growing trees, and dividing lists of instances.
 */
#include "classify/tree_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

#define MOST_BIT_BYTES                                                                             \
    ((size_t)256 << 20) /* of bit columns, beyond which rows are searched instead */

/* ---- the training part ---- */

static int by_value(const void *a, const void *b)
{
    const hs_tree_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

void hs_tree_data_clear(hs_tree_data *data)
{
    for (uint32_t i = 0; data->numeric && i < data->data->numeric_count; i++) {
        hs_free(data->numeric[i].own);
        hs_free(data->numeric[i].sorted);
    }
    hs_free(data->numeric);
    hs_free(data->row);
    hs_free(data->feature);
    hs_free(data->logs);
    hs_bit_columns_clear(&data->bits);
    *data = (hs_tree_data){0};
}

/* Ascending, whatever the order of the view: sums then do not depend on it. */
static int take_rows(hs_tree_data *out, const hs_view *view, hsel_error *error)
{
    uint32_t instances = view->data->instances;
    uint64_t *in = HS_NEW_ZERO(uint64_t, hs_bit_words(instances));
    out->row = HS_NEW(uint32_t, view->row_count);
    if (in && out->row) {
        for (uint32_t i = 0; i < view->row_count; i++)
            if (view->data->class_of[hs_view_row(view, i)] != HSEL_NONE)
                hs_bit_set(in, hs_view_row(view, i));
        for (uint32_t i = 0; i < instances; i++)
            if (hs_bit_get(in, i))
                out->row[out->rows++] = i;
    }
    hs_free(in);
    return in && out->row ? HSEL_OK : hs_fail_memory(error);
}

static int take_features(hs_tree_data *out, const hs_view *view, hsel_error *error)
{
    out->most_branches = 2;
    if (!(out->feature = HS_NEW(uint32_t, view->data->features)))
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < view->data->features; f++) {
        if (!hs_view_has(view, f))
            continue;
        out->feature[out->features++] = f;
        if (view->data->types[f] == HSEL_NOMINAL &&
            hs_tree_nominal(out, f)->values.count > out->most_branches)
            out->most_branches = hs_tree_nominal(out, f)->values.count;
    }
    return HSEL_OK;
}

static int sort_column(hs_tree_data *out, uint32_t feature, hsel_error *error)
{
    const hsel_dataset *data = out->data;
    hs_tree_column *column = out->numeric + data->slot[feature];
    if (data->numeric[data->slot[feature]].rows && !(column->own = HS_NEW(double, data->instances)))
        return hs_fail_memory(error);
    column->value = hs_dataset_numeric(data, feature, column->own);
    if (!(column->sorted = HS_NEW(hs_tree_value, out->rows)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < out->rows; i++)
        if (!isnan(column->value[out->row[i]]))
            column->sorted[column->known++] =
                (hs_tree_value){column->value[out->row[i]], out->row[i]};
    qsort(column->sorted, column->known, sizeof *column->sorted, by_value);
    return HSEL_OK;
}

static bool lacks_value(const hs_tree_data *data, uint32_t feature)
{
    if (data->data->types[feature] == HSEL_NUMERIC)
        return hs_tree_numeric(data, feature)->known < data->rows;
    for (uint32_t i = 0; data->data->types[feature] == HSEL_NOMINAL && i < data->rows; i++)
        if (hs_tree_nominal(data, feature)->codes[data->row[i]] == HS_MISSING_CODE)
            return true;
    return false;
}

static int take_numeric(hs_tree_data *out, hsel_error *error)
{
    int status = HSEL_OK;
    if (out->data->numeric_count == 0)
        return HSEL_OK;
    if (!(out->numeric = HS_NEW_ZERO(hs_tree_column, out->data->numeric_count)))
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < out->features && status == HSEL_OK; i++)
        if (out->data->types[out->feature[i]] == HSEL_NUMERIC)
            status = sort_column(out, out->feature[i], error);
    return status;
}

double hs_tree_xlog_any(double x) { return x < HS_TREE_SMALL ? 0 : x * log(x) / log(2); }

int hs_tree_data_init(hs_tree_data *out, const hs_training *training, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    out->data = data;
    out->classes = data->class_names.count;
    int status = take_rows(out, &training->view, error);
    if (status == HSEL_OK)
        status = take_features(out, &training->view, error);
    if (status == HSEL_OK)
        status = take_numeric(out, error);
    for (uint32_t i = 0; i < out->features && status == HSEL_OK && !out->has_missing; i++)
        out->has_missing = lacks_value(out, out->feature[i]);
    if (status == HSEL_OK && !(out->logs = HS_NEW(double, (size_t)out->rows + 1)))
        status = hs_fail_memory(error);
    for (uint32_t i = 0; status == HSEL_OK && i <= out->rows; i++)
        out->logs[i] = hs_tree_xlog_any(i);
    if (status == HSEL_OK && (size_t)data->features * (data->instances / 8 + 64) <= MOST_BIT_BYTES)
        status = hs_bit_columns_new(data, NULL, data->instances, &out->bits, error);
    return status;
}

/* ---- lists ---- */

void hs_tree_pool_clear(hs_tree_pool *pool)
{
    hs_free(pool->row);
    hs_free(pool->weight);
    hs_free(pool->branch);
    hs_free(pool->next_row);
    hs_free(pool->next_weight);
    hs_free(pool->share);
    hs_free(pool->child);
    hs_free(pool->in_node);
    hs_free(pool->value);
    *pool = (hs_tree_pool){0};
}

int hs_tree_pool_init(hs_tree_pool *pool, const hs_tree_data *data, hsel_error *error)
{
    size_t rows = data->rows;
    pool->branch = HS_NEW(uint32_t, rows);
    pool->next_row = HS_NEW(uint32_t, rows);
    pool->next_weight = HS_NEW(double, rows);
    pool->share = HS_NEW(double, data->most_branches);
    pool->child = HS_NEW(hs_tree_part, data->most_branches);
    pool->in_node = HS_NEW_ZERO(double, data->data->instances);
    pool->value = HS_NEW(hs_tree_value, data->numeric ? rows : 0);
    if (!pool->branch || !pool->next_row || !pool->next_weight || !pool->share || !pool->child ||
        !pool->in_node || !pool->value || !HS_GROW(&pool->row, &pool->row_room, rows + 1) ||
        !HS_GROW(&pool->weight, &pool->weight_room, rows + 1))
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int reserve(hs_tree_pool *pool, size_t more, hsel_error *error)
{
    if (HS_GROW(&pool->row, &pool->row_room, pool->used + more) &&
        HS_GROW(&pool->weight, &pool->weight_room, pool->used + more))
        return HSEL_OK;
    return hs_fail_memory(error);
}

int hs_tree_pool_copy(hs_tree_pool *pool, hs_tree_part part, hs_tree_part *out, hsel_error *error)
{
    int status = reserve(pool, part.count, error);
    if (status)
        return status;
    memcpy(pool->row + pool->used, pool->row + part.begin, part.count * sizeof *pool->row);
    memcpy(pool->weight + pool->used, pool->weight + part.begin, part.count * sizeof *pool->weight);
    *out = (hs_tree_part){pool->used, part.count};
    pool->used += part.count;
    return HSEL_OK;
}

double hs_tree_tally(const hs_tree_data *data, const hs_tree_pool *pool, hs_tree_part part,
                     double *count)
{
    double sum = 0;
    for (uint32_t c = 0; c < data->classes; c++)
        count[c] = 0;
    for (size_t i = part.begin; i < part.begin + part.count; i++)
        count[data->data->class_of[pool->row[i]]] += pool->weight[i];
    for (uint32_t c = 0; c < data->classes; c++)
        sum += count[c];
    return sum;
}

/* The same for a binary feature that has its bits: most of the work of growing and pruning. */
static void find_sides(hs_tree_pool *pool, const uint64_t *set, hs_tree_part part)
{
    const uint32_t *row = pool->row + part.begin;
    uint32_t positive = 0;
    for (size_t i = 0; i < part.count; i++)
        positive += pool->branch[i] = hs_bit_get(set, row[i]);
    pool->child[0].count = part.count - positive;
    pool->child[1].count = positive;
}

/* The branch of each instance of the list, and how many go down each: into pool->child; how many
 * are missing. */
static size_t find_branches(const hs_tree_data *data, hs_tree_pool *pool, const hs_tree_node *node,
                            hs_tree_part part)
{
    size_t missing = 0;
    hs_tree_case x = {.data = data->data, .other_feature = HSEL_NONE};
    for (uint32_t j = 0; j < node->branches; j++)
        pool->child[j] = (hs_tree_part){0};
    if (node->kind == HSEL_BINARY && data->bits.words) {
        find_sides(pool, hs_bit_column(&data->bits, node->feature), part);
        return 0;
    }
    for (size_t i = 0; i < part.count; i++) {
        x.instance = pool->row[part.begin + i];
        uint32_t branch = hs_tree_branch(node, &x);
        pool->branch[i] = branch;
        if (branch == HSEL_NONE)
            missing++;
        else
            pool->child[branch].count++;
    }
    return missing;
}

/* Two children of a list that is known everywhere: the first moves together, the second goes behind
 * it. */
static void divide_in_two(hs_tree_pool *pool, hs_tree_part part)
{
    uint32_t *row = pool->row + part.begin;
    double *weight = pool->weight + part.begin;
    size_t first = 0, second = 0;
    for (size_t i = 0; i < part.count; i++) {
        uint32_t branch = pool->branch[i];
        row[first] = pool->next_row[second] = row[i]; /* both, and one of them counts */
        weight[first] = pool->next_weight[second] = weight[i];
        first += 1 - branch;
        second += branch;
    }
    memcpy(row + first, pool->next_row, second * sizeof *row);
    memcpy(weight + first, pool->next_weight, second * sizeof *weight);
    pool->child[0].begin = part.begin;
    pool->child[1].begin = part.begin + first;
}

/* Any number of children: they take the place of the list, each in the order it had. */
static void divide_in_place(hs_tree_pool *pool, uint32_t branches, hs_tree_part part)
{
    size_t at = part.begin;
    for (uint32_t j = 0; j < branches; j++) {
        pool->child[j].begin = at;
        at += pool->child[j].count;
        pool->child[j].count = 0;
    }
    memcpy(pool->next_row, pool->row + part.begin, part.count * sizeof *pool->row);
    memcpy(pool->next_weight, pool->weight + part.begin, part.count * sizeof *pool->weight);
    for (size_t i = 0; i < part.count; i++) {
        hs_tree_part *child = pool->child + pool->branch[i];
        size_t to = child->begin + child->count++;
        pool->row[to] = pool->next_row[i];
        pool->weight[to] = pool->next_weight[i];
    }
}

/* The share of the known weight that goes down each branch; equal ones when nothing is known. */
static void find_shares(hs_tree_pool *pool, uint32_t branches, hs_tree_part part)
{
    double known = 0;
    for (uint32_t j = 0; j < branches; j++)
        pool->share[j] = 0;
    for (size_t i = 0; i < part.count; i++)
        if (pool->branch[i] != HSEL_NONE) {
            pool->share[pool->branch[i]] += pool->weight[part.begin + i];
            known += pool->weight[part.begin + i];
        }
    for (uint32_t j = 0; j < branches; j++)
        pool->share[j] = known > HS_TREE_SMALL ? pool->share[j] / known : 1.0 / branches;
}

/* Instances whose value is missing go down every branch in use, with their part of the weight. */
static int divide_apart(hs_tree_pool *pool, uint32_t branches, hs_tree_part part, size_t missing,
                        hsel_error *error)
{
    size_t total = 0;
    find_shares(pool, branches, part);
    for (uint32_t j = 0; j < branches; j++) {
        pool->child[j].begin = pool->used + total;
        total += pool->child[j].count + (pool->share[j] > HS_TREE_SMALL ? missing : 0);
        pool->child[j].count = 0;
    }
    int status = reserve(pool, total, error);
    for (size_t i = 0; i < part.count && status == HSEL_OK; i++) {
        uint32_t row = pool->row[part.begin + i], from = pool->branch[i], to = from + 1;
        double weight = pool->weight[part.begin + i];
        bool is_missing = from == HSEL_NONE;
        for (uint32_t j = is_missing ? 0 : from; j < (is_missing ? branches : to); j++) {
            hs_tree_part *child = pool->child + j;
            if (is_missing && pool->share[j] <= HS_TREE_SMALL)
                continue;
            pool->row[child->begin + child->count] = row;
            pool->weight[child->begin + child->count++] =
                is_missing ? weight * pool->share[j] : weight;
        }
    }
    pool->used += status ? 0 : total;
    return status;
}

int hs_tree_divide(const hs_tree_data *data, hs_tree_pool *pool, const hs_tree_node *node,
                   hs_tree_part part, hsel_error *error)
{
    size_t missing = find_branches(data, pool, node, part);
    if (missing)
        return divide_apart(pool, node->branches, part, missing, error);
    if (node->branches == 2)
        divide_in_two(pool, part);
    else
        divide_in_place(pool, node->branches, part);
    return HSEL_OK;
}

void hs_tree_mark(hs_tree_pool *pool, hs_tree_part part)
{
    for (size_t i = part.begin; i < part.begin + part.count; i++)
        pool->in_node[pool->row[i]] = pool->weight[i];
}

void hs_tree_unmark(hs_tree_pool *pool, hs_tree_part part)
{
    for (size_t i = part.begin; i < part.begin + part.count; i++)
        pool->in_node[pool->row[i]] = 0;
}

uint32_t hs_tree_sort(const hs_tree_data *data, hs_tree_pool *pool, hs_tree_part part,
                      uint32_t feature)
{
    const hs_tree_column *column = hs_tree_numeric(data, feature);
    uint32_t count = 0;
    if ((double)part.count * (2 + log2((double)part.count + 1)) < column->known) {
        for (size_t i = part.begin; i < part.begin + part.count; i++) {
            double value = column->value[pool->row[i]];
            if (!isnan(value))
                pool->value[count++] = (hs_tree_value){value, pool->row[i]};
        }
        qsort(pool->value, count, sizeof *pool->value, by_value);
        return count;
    }
    for (uint32_t i = 0; i < column->known; i++)
        if (pool->in_node[column->sorted[i].row] > 0)
            pool->value[count++] = column->sorted[i];
    return count;
}

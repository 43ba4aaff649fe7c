/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a column of any type into groups and runs. Room is made once for the longest column that
 * there can be: a run an instance and, for zeros that are not listed, one a class.
 */
#include "rank/ordered.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"

#define BLOCK 16 /* features a task */

static bool has_sparse_columns(const hsel_dataset *data)
{
    for (uint32_t i = 0; i < data->numeric_count; i++)
        if (data->numeric[i].rows)
            return true;
    return false;
}

static void list_rows(hs_labelled *columns)
{
    const hs_view *view = &columns->training->view;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i), label = view->data->class_of[row];
        if (label == HSEL_NONE)
            continue;
        columns->row[columns->count] = row;
        columns->label[columns->count++] = label;
        if (columns->label_of)
            columns->label_of[row] = label;
    }
}

int hs_labelled_init(hs_labelled *columns, const hs_training *training, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    uint32_t rows = training->view.row_count;
    bool sparse = has_sparse_columns(data);
    *columns = (hs_labelled){.training = training,
                             .classes = training->counts->classes,
                             .row = HS_NEW(uint32_t, rows),
                             .label = HS_NEW(uint32_t, rows),
                             .label_of = sparse ? HS_NEW(uint32_t, data->instances) : NULL,
                             .klogk = HS_NEW(double, (size_t)rows + 1)};
    if (!columns->row || !columns->label || !columns->klogk || (sparse && !columns->label_of)) {
        hs_labelled_clear(columns);
        return hs_fail_memory(error);
    }
    if (sparse)
        memset(columns->label_of, 0xff, data->instances * sizeof *columns->label_of);
    if (data->class_of)
        list_rows(columns);
    columns->klogk[0] = 0;
    for (uint32_t k = 1; k <= columns->count; k++)
        columns->klogk[k] = k * log(k);
    return HSEL_OK;
}

void hs_labelled_clear(hs_labelled *columns)
{
    hs_free(columns->row);
    hs_free(columns->label);
    hs_free(columns->label_of);
    hs_free(columns->klogk);
    *columns = (hs_labelled){0};
}

static uint32_t most_values(const hsel_dataset *data)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < data->nominal_count; i++)
        if (data->nominal[i].values.count > most)
            most = data->nominal[i].values.count;
    return most;
}

int hs_ordered_init(hs_ordered *ordered, const hs_labelled *columns, hsel_error *error)
{
    const size_t classes = columns->classes, count = columns->count, room = count + 2 * classes + 2;
    const size_t values = most_values(columns->training->view.data), runs = classes != 2 ? room : 1;
    *ordered =
        (hs_ordered){.classes = columns->classes,
                     .value = HS_NEW(double, room),
                     .upto = HS_NEW(uint32_t, room),
                     .second = HS_NEW(uint32_t, classes != 2 ? 1 : room),
                     .end = HS_NEW(uint32_t, runs),
                     .label = HS_NEW(uint32_t, runs),
                     .size = HS_NEW(uint32_t, runs),
                     .class_known = HS_NEW(uint32_t, classes),
                     .class_missing = HS_NEW(uint32_t, classes),
                     .tally = HS_NEW_ZERO(uint32_t, (classes > values ? classes : values) + 1),
                     .read = HS_NEW(double, count),
                     .sorted = HS_NEW(double, count),
                     .read_label = HS_NEW(uint32_t, count),
                     .place = HS_NEW(uint64_t, count),
                     .spare = HS_NEW(uint64_t, count)};
    if (ordered->value && ordered->end && ordered->label && ordered->size && ordered->class_known &&
        ordered->class_missing && ordered->tally && ordered->upto && ordered->second &&
        ordered->read && ordered->sorted && ordered->read_label && ordered->place && ordered->spare)
        return HSEL_OK;
    hs_ordered_clear(ordered);
    return hs_fail_memory(error);
}

void hs_ordered_clear(hs_ordered *ordered)
{
    hs_free(ordered->value);
    hs_free(ordered->end);
    hs_free(ordered->label);
    hs_free(ordered->size);
    hs_free(ordered->class_known);
    hs_free(ordered->class_missing);
    hs_free(ordered->tally);
    hs_free(ordered->upto);
    hs_free(ordered->second);
    hs_free(ordered->read);
    hs_free(ordered->sorted);
    hs_free(ordered->read_label);
    hs_free(ordered->place);
    hs_free(ordered->spare);
    *ordered = (hs_ordered){0};
}

/* ---- groups ---- */

/* A group of the classes in size[], those with 0 left out; no group if all are. */
static void add_group(hs_ordered *o, double value, const uint32_t *size)
{
    uint32_t sum = 0, run = o->classes != 2 ? hs_before(o->end, o->groups) : 0;
    for (uint32_t c = 0; c < o->classes; c++) {
        sum += size[c];
        if (o->classes != 2 && size[c]) {
            o->label[run] = c;
            o->size[run++] = size[c];
        }
    }
    if (sum == 0)
        return;
    o->value[o->groups] = value;
    o->upto[o->groups] = hs_before(o->upto, o->groups) + sum;
    if (o->classes != 2)
        o->end[o->groups] = run;
    else
        o->second[o->groups] = hs_before(o->second, o->groups) + size[1];
    o->groups++;
}

static bool ends_group(const hs_ordered *o, uint32_t i, uint32_t to)
{
    return i + 1 == to || o->sorted[i + 1] != o->sorted[i];
}

static void add_sorted_of_two(hs_ordered *o, uint32_t from, uint32_t to, const uint32_t *label)
{
    uint32_t sum = hs_before(o->upto, o->groups), ones = hs_before(o->second, o->groups);
    uint32_t groups = o->groups;
    for (uint32_t i = from; i < to; i++) {
        ones += label[(uint32_t)o->place[i]];
        o->upto[groups] = ++sum; /* stands if the next value is another; so do those below */
        o->second[groups] = ones;
        o->value[groups] = o->sorted[i];
        groups += ends_group(o, i, to);
    }
    o->groups = groups;
}

static void add_sorted_of_many(hs_ordered *o, uint32_t from, uint32_t to, const uint32_t *label)
{
    uint32_t sum = hs_before(o->upto, o->groups), run = hs_before(o->end, o->groups);
    uint32_t groups = o->groups;
    for (uint32_t i = from; i < to; i++) {
        o->label[run] = label[(uint32_t)o->place[i]];
        o->size[run++] = 1;
        o->upto[groups] = ++sum; /* stands if the next value is another; so do those below */
        o->end[groups] = run;
        o->value[groups] = o->sorted[i];
        groups += ends_group(o, i, to);
    }
    o->groups = groups;
}

/* Groups of the sorted values from … to, after those that are there; label: by place. */
static void add_sorted(hs_ordered *o, uint32_t from, uint32_t to, const uint32_t *label)
{
    if (o->classes != 2)
        add_sorted_of_many(o, from, to, label);
    else
        add_sorted_of_two(o, from, to, label);
}

/* ---- columns ---- */

static void order_binary(const hs_labelled *columns, uint32_t feature, hs_ordered *o)
{
    const hs_counts *counts = columns->training->counts;
    for (uint32_t c = 0; c < columns->classes; c++)
        o->tally[c] = counts->class_size[c] - hs_count(counts, feature, c);
    add_group(o, 0, o->tally);
    add_group(o, 1, counts->positive + (size_t)feature * counts->classes);
}

/* Leaves missing values out of what was read; returns how many are left. */
static uint32_t drop_missing(hs_ordered *o, const uint32_t *label, uint32_t count)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(o->read[i])) {
            o->class_missing[label[i]]++;
            continue;
        }
        o->read[known] = o->read[i];
        o->read_label[known++] = label[i];
    }
    return known;
}

static void order_dense(const hs_labelled *columns, const double *values, hs_ordered *o)
{
    uint32_t count = columns->count, missing = 0;
    const uint32_t *label = columns->label;
    for (uint32_t i = 0; i < count; i++) {
        double value = values[columns->row[i]];
        missing += isnan(value) != 0;
        o->read[i] = value + 0.0; /* -0 becomes 0 */
    }
    if (missing) {
        count = drop_missing(o, label, count);
        label = o->read_label;
    }
    hs_sort_values(o->read, count, o->sorted, o->place, o->spare);
    add_sorted(o, 0, count, label);
}

/* Only what is listed is sorted; zeros are what the classes have besides. */
static void order_sparse(const hs_labelled *columns, const hs_numeric_column *column, hs_ordered *o)
{
    const uint32_t *class_size = columns->training->counts->class_size;
    uint32_t count = 0, below = 0;
    for (uint32_t c = 0; c < columns->classes; c++)
        o->tally[c] = class_size[c];
    for (uint32_t i = 0; i < column->count; i++) {
        uint32_t label = columns->label_of[column->rows[i]];
        if (label == HSEL_NONE)
            continue;
        o->tally[label]--;
        o->read[count] = column->values[i] + 0.0; /* -0 becomes 0 */
        o->read_label[count++] = label;
    }
    count = drop_missing(o, o->read_label, count);
    hs_sort_values(o->read, count, o->sorted, o->place, o->spare);
    while (below < count && o->sorted[below] < 0)
        below++;
    add_sorted(o, 0, below, o->read_label);
    add_group(o, 0, o->tally);
    add_sorted(o, below, count, o->read_label);
}

/* Counting sort by code. */
static void order_nominal(const hs_labelled *columns, const hs_nominal_column *column,
                          hs_ordered *o)
{
    uint32_t values = column->values.count, count = 0;
    memset(o->tally, 0, ((size_t)values + 1) * sizeof *o->tally);
    for (uint32_t i = 0; i < columns->count; i++)
        if (column->codes[columns->row[i]] != HS_MISSING_CODE)
            o->tally[column->codes[columns->row[i]] + 1]++;
    for (uint32_t v = 0; v < values; v++)
        o->tally[v + 1] += o->tally[v];
    for (uint32_t i = 0; i < columns->count; i++) {
        uint32_t code = column->codes[columns->row[i]];
        if (code == HS_MISSING_CODE) {
            o->class_missing[columns->label[i]]++;
            continue;
        }
        uint32_t place = o->tally[code]++;
        o->sorted[place] = code;
        o->place[place] = i;
        count++;
    }
    add_sorted(o, 0, count, columns->label);
}

static void count_known(const hs_labelled *columns, hs_ordered *o)
{
    const uint32_t *class_size = columns->training->counts->class_size;
    o->known = 0;
    for (uint32_t c = 0; c < columns->classes; c++)
        o->known += o->class_known[c] = class_size[c] - o->class_missing[c];
}

void hs_order_column(const hs_labelled *columns, uint32_t feature, hs_ordered *o)
{
    const hsel_dataset *data = columns->training->view.data;
    o->groups = 0;
    memset(o->class_missing, 0, columns->classes * sizeof *o->class_missing);
    if (data->types[feature] == HSEL_BINARY) {
        order_binary(columns, feature, o);
    } else if (data->types[feature] == HSEL_NOMINAL) {
        order_nominal(columns, &data->nominal[data->slot[feature]], o);
    } else {
        const hs_numeric_column *column = &data->numeric[data->slot[feature]];
        if (column->rows)
            order_sparse(columns, column, o);
        else
            order_dense(columns, column->values, o);
    }
    count_known(columns, o);
}

/* ---- all columns ---- */

struct walk {
    const hs_view *view;
    hs_column_work work;
    void *context;
};

static int walk_block(void *context, size_t index, int worker, hsel_error *error)
{
    const struct walk *walk = context;
    uint32_t from = (uint32_t)index * BLOCK, features = walk->view->data->features;
    int status = HSEL_OK;
    for (uint32_t f = from; f < features && f - from < BLOCK && status == HSEL_OK; f++)
        if (hs_view_has(walk->view, f))
            status = walk->work(walk->context, f, worker, error);
    return status;
}

int hs_each_column(const hs_training *training, hs_column_work work, void *context,
                   hsel_error *error)
{
    struct walk walk = {&training->view, work, context};
    size_t blocks = ((size_t)training->view.data->features + BLOCK - 1) / BLOCK;
    return hs_parallel_for(blocks, training->threads, walk_block, &walk, error);
}

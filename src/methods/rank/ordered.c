/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a column of any type into groups. Memory is allocated once, for the longest possible
 * column: a group per instance and one more for zeros that are not listed.
 */
#include "rank/ordered.h"

#define BLOCK 16 /* features per task */

void hs_labelled_clear(hs_labelled *columns) { hs_arena_clear(&columns->memory); }

int hs_labelled_init(hs_labelled *c, const hs_training *training, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    uint32_t rows = view->row_count;
    bool sparse = false;
    for (uint32_t i = 0; i < data->numeric_count; i++)
        sparse |= data->numeric[i].rows != NULL;
    *c = (hs_labelled){.training = training, .classes = training->counts->classes};
    HS_NEED(HS_LISTS(&c->memory, c, HS_PART(c, row, rows), HS_PART(c, label, rows),
                     HS_PART(c, klogk, (size_t)rows + 1)));
    if (sparse) {
        HS_NEED(c->label_of = HS_ARENA_NEW(&c->memory, uint32_t, data->instances));
        memset(c->label_of, 0xff, data->instances * sizeof *c->label_of);
    }
    for (uint32_t i = 0; data->class_of && i < rows; i++) {
        uint32_t row = hs_view_row(view, i), label = data->class_of[row];
        if (label == HSEL_NONE)
            continue;
        c->row[c->count] = row;
        c->label[c->count++] = label;
        if (sparse)
            c->label_of[row] = label;
    }
    for (uint32_t k = 1; k <= c->count; k++)
        c->klogk[k] = k * log(k);
    return HSEL_OK;
}

void hs_ordered_clear(hs_ordered *ordered)
{
    hs_free(ordered->scratch);
    hs_arena_clear(&ordered->memory);
    *ordered = (hs_ordered){0};
}

int hs_ordered_init(hs_ordered *o, const hs_labelled *columns, hsel_error *error)
{
    const hsel_dataset *data = columns->training->view.data;
    const size_t classes = columns->classes, count = columns->count, most = count + 3;
    size_t tally = classes;
    for (uint32_t i = 0; i < data->nominal_count; i++)
        tally = data->nominal[i].values.count > tally ? data->nominal[i].values.count : tally;
    *o = (hs_ordered){.classes = columns->classes};
    HS_NEED(HS_LISTS(
        &o->memory, o, HS_PART(o, value, most), HS_PART(o, before, most),
        HS_PART(o, of_class, most * classes), HS_PART(o, cut, most), HS_PART(o, tally, tally + 1),
        HS_PART(o, read, count), HS_PART(o, sorted, count), HS_PART(o, read_label, count),
        HS_PART(o, place, count), HS_PART(o, spare, count), HS_PART(o, class_known, classes),
        HS_PART(o, class_missing, classes), HS_PART(o, present_cost, classes + 1)));
    for (uint32_t k = 1; k <= classes;
         k++) /* 3^k overflows from k = 647 on, where the 2 is negligible */
        o->present_cost[k] = k < 600 ? log(pow(3, k) - 2) / log(2) : k * log(3) / log(2);
    return HSEL_OK;
}

/* ---- groups ---- */

/* A group of the classes in size[]; no group if all are 0. */
static void add_group(hs_ordered *o, double value, const uint32_t *size)
{
    const uint32_t *from = o->of_class + (size_t)o->groups * o->classes;
    uint32_t sum = 0;
    for (uint32_t c = 0; c < o->classes; c++) {
        o->of_class[((size_t)o->groups + 1) * o->classes + c] = from[c] + size[c];
        sum += size[c];
    }
    o->value[o->groups] = value;
    o->before[o->groups + 1] = o->before[o->groups] + sum;
    o->groups += sum > 0;
}

/* Inlined for two classes, the usual number, and for any. */
HS_INLINE void add_sorted_of(const uint32_t classes, hs_ordered *o, uint32_t from, uint32_t to,
                             const uint32_t *label)
{
    uint32_t groups = o->groups, sum = o->before[groups];
    uint32_t *upto = o->of_class + (size_t)groups * classes;
    for (uint32_t i = from; i < to; i++) {
        if (i == from || o->sorted[i] != o->sorted[i - 1]) {
            memcpy(upto + classes, upto, classes * sizeof *upto);
            upto += classes;
            o->value[groups++] = o->sorted[i];
        }
        upto[label[(uint32_t)o->place[i]]]++;
        o->before[groups] = ++sum;
    }
    o->groups = groups;
}

/* Groups of the sorted values from … to, after those that are there; label: by place. */
static void add_sorted(hs_ordered *o, uint32_t from, uint32_t to, const uint32_t *label)
{
    if (o->classes == 2)
        add_sorted_of(2, o, from, to, label);
    else
        add_sorted_of(o->classes, o, from, to, label);
}

/* ---- columns ---- */

/* Removes missing values from what was read; returns how many are left. */
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

/* Only listed values are sorted; zeros are the rest of each class. */
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

void hs_order_column(const hs_labelled *columns, uint32_t feature, hs_ordered *o)
{
    const hsel_dataset *data = columns->training->view.data;
    const hs_counts *counts = columns->training->counts;
    o->groups = o->known = o->before[0] = 0;
    memset(o->of_class, 0, columns->classes * sizeof *o->of_class);
    memset(o->class_missing, 0, columns->classes * sizeof *o->class_missing);
    if (data->types[feature] == HSEL_BINARY) {
        for (uint32_t c = 0; c < columns->classes; c++)
            o->tally[c] = counts->class_size[c] - hs_count(counts, feature, c);
        add_group(o, 0, o->tally);
        add_group(o, 1, counts->positive + (size_t)feature * counts->classes);
    } else if (data->types[feature] == HSEL_NOMINAL) {
        order_nominal(columns, &data->nominal[data->slot[feature]], o);
    } else {
        const hs_numeric_column *column = &data->numeric[data->slot[feature]];
        if (column->rows)
            order_sparse(columns, column, o);
        else
            order_dense(columns, column->values, o);
    }
    for (uint32_t c = 0; c < columns->classes; c++)
        o->known += o->class_known[c] = counts->class_size[c] - o->class_missing[c];
}

/* ---- all columns ---- */

struct walk {
    hs_labelled columns;
    hs_ordered *ordered; /* [threads] */
    int threads;
    hs_column_work work;
    void *context;
};

static void walk_clear(struct walk *walk)
{
    for (int i = 0; walk->ordered && i < walk->threads; i++)
        hs_ordered_clear(&walk->ordered[i]);
    hs_free(walk->ordered);
    hs_labelled_clear(&walk->columns);
}

static int work_on_block(void *context, size_t index, int worker, hsel_error *error)
{
    const struct walk *walk = context;
    const hs_view *view = &walk->columns.training->view;
    uint32_t from = (uint32_t)index * BLOCK, features = view->data->features;
    for (uint32_t f = from; f < features && f - from < BLOCK; f++)
        if (hs_view_has(view, f))
            HS_TRY(walk->work(walk->context, &walk->columns, f, &walk->ordered[worker], error));
    return HSEL_OK;
}

int hs_each_column(const hs_training *training, hs_column_work work, void *context,
                   hsel_error *error)
{
    HS_OWNS(walk_clear)
    struct walk walk = {.threads = hs_threads(training->threads), .work = work, .context = context};
    size_t blocks = ((size_t)training->view.data->features + BLOCK - 1) / BLOCK;
    HS_TRY(hs_labelled_init(&walk.columns, training, error));
    HS_NEED(walk.ordered = HS_NEW_ZERO(hs_ordered, (size_t)walk.threads));
    for (int i = 0; i < walk.threads; i++)
        HS_TRY(hs_ordered_init(&walk.ordered[i], &walk.columns, error));
    return hs_parallel_for(blocks, training->threads, work_on_block, &walk, error);
}

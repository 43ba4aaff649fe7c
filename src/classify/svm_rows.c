/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns, rows and instances for support vector machines. Two passes over the columns make the
 * rows: one counts, one fills.
 */
#include "classify/svm_rows.h"

#include <math.h>

#include "core/mem.h"

/* ---- what is learned about the columns ---- */

void hs_svm_code_clear(hs_svm_code *code)
{
    hs_free(code->column);
    hs_free(code->other);
    *code = (hs_svm_code){0};
}

static int infinite(const hsel_dataset *data, uint32_t feature, hsel_error *error)
{
    return hs_fail(
        error, HSEL_EUNSUPPORTED,
        "svm needs finite values, and feature %.200s of %s has values too large or infinite",
        hsel_dataset_feature_name(data, feature), hsel_dataset_name(data));
}

/* Least, greatest and mean value; NaN = missing. Without any value all are 0. */
static int learn_numeric(const hs_view *view, const double *values, bool normalise, hs_svm_other *o,
                         hsel_error *error)
{
    double low = INFINITY, high = -INFINITY, sum = 0, count = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        double value = values[hs_view_row(view, i)];
        if (isnan(value))
            continue;
        low = fmin(low, value);
        high = fmax(high, value);
        sum += value;
        count++;
    }
    if (count > 0 && (!isfinite(sum) || !isfinite(high - low)))
        return infinite(view->data, o->feature, error);
    o->mean = count > 0 ? sum / count : 0;
    o->low = normalise && count > 0 ? low : 0;
    o->range = normalise ? (count > 0 ? high - low : 0) : 1;
    return HSEL_OK;
}

static void learn_nominal(const hs_view *view, const hs_nominal_column *column, uint32_t *counts,
                          hs_svm_other *o)
{
    o->values = column->values.count ? column->values.count : 1;
    for (uint32_t v = 0; v < o->values; v++)
        counts[v] = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t code = column->codes[hs_view_row(view, i)];
        if (code != HS_MISSING_CODE)
            counts[code]++;
    }
    for (uint32_t v = 1; v < o->values; v++)
        if (counts[v] > counts[o->common])
            o->common = v;
}

static uint32_t most_values(const hsel_dataset *data)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < data->nominal_count; i++)
        most = data->nominal[i].values.count > most ? data->nominal[i].values.count : most;
    return most;
}

static int learn_others(const hs_view *view, bool normalise, hs_svm_code *code, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    double *spread = HS_NEW(double, data->instances);
    uint32_t *counts = HS_NEW(uint32_t, most_values(data));
    int status = spread && counts ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t i = 0; i < code->other_count && status == HSEL_OK; i++) {
        hs_svm_other *o = &code->other[i];
        o->column = code->columns;
        if (data->types[o->feature] == HSEL_NUMERIC)
            status = learn_numeric(view, hs_dataset_numeric(data, o->feature, spread), normalise, o,
                                   error);
        else
            learn_nominal(view, &data->nominal[data->slot[o->feature]], counts, o);
        if (status == HSEL_OK && hs_svm_other_columns(o) > INT32_MAX - 1 - code->columns)
            status = hs_fail(error, HSEL_ELIMIT,
                             "the nominal features of %s have too many values for svm",
                             hsel_dataset_name(data));
        code->columns += hs_svm_other_columns(o);
    }
    hs_free(spread);
    hs_free(counts);
    return status;
}

int hs_svm_code_learn(const hs_view *view, bool normalise, hs_svm_code *out, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    *out = (hs_svm_code){
        .features = data->features,
        .column = HS_NEW(uint32_t, data->features),
        .other = HS_NEW_ZERO(hs_svm_other, (size_t)data->numeric_count + data->nominal_count)};
    int status = out->column && out->other ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t f = 0; f < data->features && status == HSEL_OK; f++) {
        out->column[f] = HSEL_NONE;
        if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
            out->column[f] = out->columns++;
        else if (hs_view_has(view, f))
            out->other[out->other_count++].feature = f;
    }
    if (status == HSEL_OK && out->other_count)
        status = learn_others(view, normalise, out, error);
    if (status)
        hs_svm_code_clear(out);
    return status;
}

/* ---- values ---- */

static double scaled(const hs_svm_other *o, double value)
{
    return o->range > 0 ? ((isnan(value) ? o->mean : value) - o->low) / o->range : 0;
}

/* The column that a nominal value sets to 1; HSEL_NONE: none. A value that training did not have
 * sets none. */
static uint32_t nominal_column(const hs_svm_other *o, uint32_t code)
{
    if (code == HS_MISSING_CODE)
        code = o->common;
    if (o->values > 2)
        return code < o->values ? o->column + code : HSEL_NONE;
    return code == 1 ? o->column : HSEL_NONE;
}

/* ---- training rows ---- */

void hs_svm_rows_clear(hs_svm_rows *rows)
{
    hs_free(rows->nodes);
    hs_free(rows->row);
    hs_free(rows->square);
    *rows = (hs_svm_rows){0};
}

/* What both passes do with a value that is not 0: count it, or put it down. */
struct filling {
    size_t *size;     /* [rows]: counted */
    hs_svm_node **at; /* [rows]: where the next node goes; NULL: first pass */
};

static inline void take(struct filling *to, uint32_t row, uint32_t column, double value)
{
    if (to->at)
        *to->at[row]++ = (hs_svm_node){(int)column + 1, value};
    else
        to->size[row]++;
}

static void walk(const hs_svm_code *code, const hs_view *view, double *spread, struct filling *to)
{
    const hsel_dataset *data = view->data;
    for (uint32_t i = 0; i < view->row_count; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, hs_view_row(view, i), &count);
        for (size_t j = 0; j < count; j++)
            if (code->column[row[j]] != HSEL_NONE)
                take(to, i, code->column[row[j]], 1);
    }
    for (uint32_t k = 0; k < code->other_count; k++) {
        const hs_svm_other *o = &code->other[k];
        const double *values = o->values ? NULL : hs_dataset_numeric(data, o->feature, spread);
        const uint32_t *codes = o->values ? data->nominal[data->slot[o->feature]].codes : NULL;
        for (uint32_t i = 0; i < view->row_count; i++) {
            uint32_t at = hs_view_row(view, i),
                     column = codes ? nominal_column(o, codes[at]) : o->column;
            double value = codes ? 1 : scaled(o, values[at]);
            if (column != HSEL_NONE && value != 0)
                take(to, i, column, value);
        }
    }
}

/* Gives each row its place among the nodes. */
static int place_rows(hs_svm_rows *rows, const size_t *size, hsel_error *error)
{
    size_t total = 0;
    for (uint32_t i = 0; i < rows->count; i++)
        total += size[i] + 1;
    if (!(rows->nodes = HS_NEW(hs_svm_node, total)))
        return hs_fail_memory(error);
    total = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->row[i] = rows->nodes + total;
        total += size[i] + 1;
    }
    return HSEL_OK;
}

static void finish_rows(hs_svm_rows *rows, hs_svm_node **end)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        double sum = 0;
        *end[i] = (hs_svm_node){-1, 0};
        for (const hs_svm_node *n = rows->row[i]; n->index >= 0; n++)
            sum += n->value * n->value;
        rows->square[i] = sum;
    }
}

int hs_svm_rows_new(const hs_svm_code *code, const hs_view *view, hs_svm_rows *out,
                    hsel_error *error)
{
    size_t *size = HS_NEW_ZERO(size_t, view->row_count);
    hs_svm_node **at = HS_NEW(hs_svm_node *, view->row_count);
    double *spread = HS_NEW(double, code->other_count ? view->data->instances : 0);
    *out = (hs_svm_rows){.count = view->row_count,
                         .columns = code->columns,
                         .row = HS_NEW(hs_svm_node *, view->row_count),
                         .square = HS_NEW(double, view->row_count)};
    int status = size && at && spread && out->row && out->square ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK) {
        walk(code, view, spread, &(struct filling){.size = size});
        status = place_rows(out, size, error);
    }
    if (status == HSEL_OK) {
        for (uint32_t i = 0; i < out->count; i++)
            at[i] = out->row[i];
        walk(code, view, spread, &(struct filling){.at = at});
        finish_rows(out, at);
    } else {
        hs_svm_rows_clear(out);
    }
    hs_free(size);
    hs_free(at);
    hs_free(spread);
    return status;
}

/* ---- one instance ---- */

/* A cell of a numeric column; sparse ones are searched. */
static double cell(const hs_numeric_column *column, uint32_t instance)
{
    uint32_t low = 0, high = column->count;
    if (!column->rows)
        return column->values[instance];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column->rows[middle] < instance)
            low = middle + 1;
        else
            high = middle;
    }
    return low < column->count && column->rows[low] == instance ? column->values[low] : 0;
}

int hs_svm_encode(const hs_svm_code *code, const hsel_dataset *data, uint32_t instance, double *x,
                  uint32_t *columns, uint32_t *count, hsel_error *error)
{
    size_t positives;
    const uint32_t *row = hs_row(data, instance, &positives);
    *count = 0;
    for (size_t i = 0; i < positives; i++)
        if (code->column[row[i]] != HSEL_NONE)
            x[columns[(*count)++] = code->column[row[i]]] = 1;
    for (uint32_t i = 0; i < code->other_count; i++) {
        const hs_svm_other *o = &code->other[i];
        uint32_t slot = data->slot[o->feature];
        uint32_t column =
            o->values ? nominal_column(o, data->nominal[slot].codes[instance]) : o->column;
        double value = o->values ? 1 : scaled(o, cell(&data->numeric[slot], instance));
        if (column == HSEL_NONE || value == 0)
            continue;
        x[columns[(*count)++] = column] = value;
        if (!isfinite(value))
            return infinite(data, o->feature, error);
    }
    return HSEL_OK;
}

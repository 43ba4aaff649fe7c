/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing ARFF: identifier first, then the features, the class last. Sparse when at most a fifth of
 * the values are not the ones that a sparse row may leave out. Class and identifier are written in
 * every row, sparse ones too, so that no reader has to know about defaults to get them right.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "format/arff.h"
#include "format/cells.h"

#define DENSE_SHARE 0.2

static bool needs_quotes(const char *text, size_t length)
{
    if (length == 0 || (length == 1 && *text == '?'))
        return true;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == 127 || strchr(",'\"\\%{}", text[i]))
            return true;
    return false;
}

static void put_text(hs_writer *writer, const char *text, size_t length)
{
    if (!needs_quotes(text, length)) {
        hs_writer_put(writer, text, length);
        return;
    }
    hs_writer_char(writer, '\'');
    for (size_t i = 0; i < length; i++) {
        const char *escape = text[i] == '\n'   ? "\\n"
                             : text[i] == '\r' ? "\\r"
                             : text[i] == '\t' ? "\\t"
                             : text[i] == '\'' ? "\\'"
                             : text[i] == '\\' ? "\\\\"
                                               : NULL;
        if (escape)
            hs_writer_put(writer, escape, 2);
        else
            hs_writer_char(writer, text[i]);
    }
    hs_writer_char(writer, '\'');
}

static void put_name(hs_writer *writer, const char *name) { put_text(writer, name, strlen(name)); }

/* ---- header ---- */

static void put_values(hs_writer *writer, const hs_names *values)
{
    hs_writer_char(writer, '{');
    for (uint32_t i = 0; i < values->count; i++) {
        if (i > 0)
            hs_writer_char(writer, ',');
        put_text(writer, hs_names_get(values, i), hs_names_length(values, i));
    }
    hs_writer_char(writer, '}');
}

static void put_feature(hs_writer *writer, const hsel_dataset *data, uint32_t feature)
{
    hs_writer_text(writer, "@attribute ");
    put_text(writer, hs_names_get(&data->feature_names, feature),
             hs_names_length(&data->feature_names, feature));
    if (data->types[feature] == HSEL_NUMERIC) {
        hs_writer_text(writer, " numeric");
    } else if (data->types[feature] == HSEL_BINARY) {
        hs_writer_text(writer, " {0,1}");
    } else {
        hs_writer_char(writer, ' ');
        put_values(writer, &data->nominal[data->slot[feature]].values);
    }
    hs_writer_char(writer, '\n');
}

static void put_header(hs_writer *writer, const hs_cells *cells)
{
    const hsel_dataset *data = cells->data;
    hs_writer_text(writer, "@relation ");
    put_name(writer, hsel_dataset_name(data));
    hs_writer_text(writer, "\n\n");
    if (cells->id_name) {
        hs_writer_text(writer, "@attribute ");
        put_name(writer, cells->id_name);
        hs_writer_text(writer, " string\n");
    }
    for (uint32_t f = 0; f < data->features; f++)
        put_feature(writer, data, f);
    if (cells->class_name) {
        hs_writer_text(writer, "@attribute ");
        put_name(writer, cells->class_name);
        hs_writer_char(writer, ' ');
        put_values(writer, &data->class_names);
        hs_writer_char(writer, '\n');
    }
    hs_writer_text(writer, "\n@data\n");
}

/* ---- rows ---- */

static void put_id(hs_writer *writer, const hsel_dataset *data, uint32_t instance)
{
    put_text(writer, hs_names_get(&data->ids, instance), hs_names_length(&data->ids, instance));
}

static void put_text_or_missing(hs_writer *writer, const char *text, size_t length)
{
    if (text)
        put_text(writer, text, length);
    else
        hs_writer_char(writer, '?');
}

static void put_label(hs_writer *writer, const hs_cells *cells, uint32_t instance)
{
    size_t length = 0;
    const char *label = hs_cells_label(cells, instance, &length);
    put_text_or_missing(writer, label, length);
}

static void put_number(hs_writer *writer, double number)
{
    if (isnan(number))
        hs_writer_char(writer, '?');
    else
        hs_writer_double(writer, number);
}

/* The value of a numeric or nominal feature. */
static void put_other(hs_writer *writer, hs_cells *cells, uint32_t feature, uint32_t instance)
{
    if (cells->data->types[feature] == HSEL_NUMERIC) {
        put_number(writer, hs_cells_number(cells, feature, instance));
    } else {
        size_t length = 0;
        const char *text = hs_cells_nominal(cells, feature, instance, &length);
        put_text_or_missing(writer, text, length);
    }
}

static void put_dense_row(hs_writer *writer, hs_cells *cells, uint32_t instance)
{
    const hsel_dataset *data = cells->data;
    size_t count, next = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    const char *comma = "";
    if (cells->id_name) {
        put_id(writer, data, instance);
        comma = ",";
    }
    for (uint32_t f = 0; f < data->features; f++, comma = ",") {
        hs_writer_text(writer, comma);
        if (data->types[f] != HSEL_BINARY) {
            put_other(writer, cells, f, instance);
            continue;
        }
        bool positive = next < count && row[next] == f;
        next += positive;
        hs_writer_char(writer, positive ? '1' : '0');
    }
    if (cells->class_name) {
        hs_writer_text(writer, comma);
        put_label(writer, cells, instance);
    }
    hs_writer_char(writer, '\n');
}

/* Whether a sparse row may leave the value of a numeric or nominal feature out. */
static bool is_default(hs_cells *cells, uint32_t feature, uint32_t instance)
{
    const hsel_dataset *data = cells->data;
    if (data->types[feature] == HSEL_NUMERIC)
        return hs_cells_number(cells, feature, instance) == 0;
    return data->nominal[data->slot[feature]].codes[instance] == 0;
}

static void put_index(hs_writer *writer, uint32_t index, const char **comma)
{
    hs_writer_text(writer, *comma);
    hs_writer_u64(writer, index);
    hs_writer_char(writer, ' ');
    *comma = ",";
}

static void put_sparse_row(hs_writer *writer, hs_cells *cells, uint32_t instance)
{
    const hsel_dataset *data = cells->data;
    size_t count, next = 0, other = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    uint32_t shift = cells->id_name ? 1 : 0;
    const char *comma = "";
    hs_writer_char(writer, '{');
    if (cells->id_name) {
        put_index(writer, 0, &comma);
        put_id(writer, data, instance);
    }
    while (next < count || other < cells->other_count) {
        if (other == cells->other_count || (next < count && row[next] < cells->others[other])) {
            put_index(writer, row[next++] + shift, &comma);
            hs_writer_char(writer, '1');
        } else {
            uint32_t feature = cells->others[other++];
            if (is_default(cells, feature, instance))
                continue;
            put_index(writer, feature + shift, &comma);
            put_other(writer, cells, feature, instance);
        }
    }
    if (cells->class_name) {
        put_index(writer, data->features + shift, &comma);
        put_label(writer, cells, instance);
    }
    hs_writer_text(writer, "}\n");
}

/* Nominal values are counted as given: their first one is seldom the most frequent by far. */
static bool is_dense(const hsel_dataset *data)
{
    double given = (double)data->rows.start[data->instances];
    for (uint32_t i = 0; i < data->numeric_count; i++)
        given += data->numeric[i].count;
    given += (double)data->nominal_count * data->instances;
    return given > DENSE_SHARE * data->features * data->instances;
}

int hs_arff_write(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    hs_cells cells = {0};
    int status = hs_cells_init(data, &cells, error);
    if (status)
        return status;
    put_header(writer, &cells);
    bool dense = is_dense(data);
    for (uint32_t i = 0; i < data->instances; i++)
        (dense ? put_dense_row : put_sparse_row)(writer, &cells, i);
    hs_cells_clear(&cells);
    return HSEL_OK;
}

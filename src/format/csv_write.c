/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing CSV and TSV: identifier first, then the features, the class last; missing values are NA.
 * Text is quoted wherever the reader would take it for something else.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "format/cells.h"
#include "format/csv.h"

static bool needs_quotes(const char *text, size_t length)
{
    if (hs_csv_is_missing(text, length))
        return true;
    /* 0xEF may begin a byte order mark, which is skipped at the start of a file */
    if (text[0] == ' ' || text[length - 1] == ' ' || (unsigned char)text[0] == 0xEF)
        return true;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == ',' || text[i] == ';' || text[i] == '"')
            return true;
    return false;
}

static void put_text(hs_writer *writer, const char *text, size_t length)
{
    bool guarded = hs_writer_guards(writer, text, length);
    if (!needs_quotes(text, length)) {
        if (guarded)
            hs_writer_char(writer, '\'');
        hs_writer_put(writer, text, length);
        return;
    }
    hs_writer_text(writer, guarded ? "\"'" : "\"");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            hs_writer_char(writer, '"');
        hs_writer_char(writer, text[i]);
    }
    hs_writer_char(writer, '"');
}

static void put_text_or_missing(hs_writer *writer, const char *text, size_t length)
{
    if (text)
        put_text(writer, text, length);
    else
        hs_writer_text(writer, "NA");
}

static void put_header(hs_writer *writer, const hs_cells *cells, char delimiter)
{
    const hs_names *names = &cells->data->feature_names;
    bool first = true;
    if (cells->id_name) {
        put_text(writer, cells->id_name, strlen(cells->id_name));
        first = false;
    }
    for (uint32_t f = 0; f < cells->data->features; f++, first = false) {
        if (!first)
            hs_writer_char(writer, delimiter);
        put_text(writer, hs_names_get(names, f), hs_names_length(names, f));
    }
    if (cells->class_name) {
        if (!first)
            hs_writer_char(writer, delimiter);
        put_text(writer, cells->class_name, strlen(cells->class_name));
    }
    hs_writer_char(writer, '\n');
}

/* The value of a numeric or nominal feature. */
static void put_other(hs_writer *writer, hs_cells *cells, uint32_t feature, uint32_t instance)
{
    if (cells->data->types[feature] == HSEL_NUMERIC) {
        double number = hs_cells_number(cells, feature, instance);
        if (isnan(number))
            hs_writer_text(writer, "NA");
        else
            hs_writer_double(writer, number);
    } else {
        size_t length = 0;
        const char *text = hs_cells_nominal(cells, feature, instance, &length);
        put_text_or_missing(writer, text, length);
    }
}

/* The features of an instance, delimiters between. `zeros` is "0,0,…,0": when all features are
 * binary, only the positives need touching. */
static void put_features(hs_writer *writer, hs_cells *cells, uint32_t instance, char delimiter,
                         char *zeros)
{
    const hsel_dataset *data = cells->data;
    size_t count, next = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    if (cells->other_count == 0 && data->features > 0) {
        for (size_t i = 0; i < count; i++)
            zeros[2 * (size_t)row[i]] = '1';
        hs_writer_put(writer, zeros, 2 * (size_t)data->features - 1);
        for (size_t i = 0; i < count; i++)
            zeros[2 * (size_t)row[i]] = '0';
        return;
    }
    for (uint32_t f = 0; f < data->features; f++) {
        if (f > 0)
            hs_writer_char(writer, delimiter);
        if (data->types[f] != HSEL_BINARY) {
            put_other(writer, cells, f, instance);
        } else {
            bool positive = next < count && row[next] == f;
            next += positive;
            hs_writer_char(writer, positive ? '1' : '0');
        }
    }
}

static void put_row(hs_writer *writer, hs_cells *cells, uint32_t instance, char delimiter,
                    char *zeros)
{
    const hsel_dataset *data = cells->data;
    if (cells->id_name)
        put_text(writer, hs_names_get(&data->ids, instance), hs_names_length(&data->ids, instance));
    if (cells->id_name && data->features > 0)
        hs_writer_char(writer, delimiter);
    put_features(writer, cells, instance, delimiter, zeros);
    if (cells->class_name) {
        size_t length = 0;
        const char *label = hs_cells_label(cells, instance, &length);
        if (cells->id_name || data->features > 0)
            hs_writer_char(writer, delimiter);
        put_text_or_missing(writer, label, length);
    }
    hs_writer_char(writer, '\n');
}

int hs_csv_write(const hsel_dataset *data, hs_writer *writer, char delimiter, hsel_error *error)
{
    hs_cells cells = {0};
    char *zeros = NULL;
    int status = hs_cells_init(data, &cells, error);
    if (status)
        return status;
    if (!(zeros = hs_alloc((size_t)data->features + 1, 2))) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < data->features; i++) {
        zeros[2 * i] = '0';
        zeros[2 * i + 1] = delimiter;
    }
    put_header(writer, &cells, delimiter);
    for (uint32_t i = 0; i < data->instances; i++)
        put_row(writer, &cells, i, delimiter, zeros);
out:
    hs_free(zeros);
    hs_cells_clear(&cells);
    return status;
}

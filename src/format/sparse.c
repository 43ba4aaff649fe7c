/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse matrix on its way from a text format into a data set, and the name files beside it.
 * Types are only known at the end (one value other than 0 and 1 makes a feature numeric), so
 * cells are collected first and given to the builder when all is known.
 */
#include "format/sparse.h"

#include <inttypes.h>
#include <unistd.h>

#define PROPORTION_FREE   UINT64_C(1048576)
#define PROPORTION_FACTOR UINT64_C(64)

void hs_matrix_clear(hs_matrix *matrix)
{
    HS_FREE(matrix->start, matrix->column, matrix->value, matrix->label);
    HS_CLEAR_NAMES(&matrix->labels, &matrix->features, &matrix->ids);
    *matrix = (hs_matrix){0};
}

int hs_matrix_reserve(hs_matrix *matrix, size_t more, hsel_error *error)
{
    size_t need = matrix->cells + more;
    HS_NEED(HS_GROW(&matrix->column, &matrix->column_capacity, need) &&
            (!matrix->value || HS_GROW(&matrix->value, &matrix->value_capacity, need)));
    return HSEL_OK;
}

int hs_matrix_add_values(hs_matrix *matrix, hsel_error *error)
{
    if (matrix->value)
        return HSEL_OK;
    HS_NEED(HS_GROW(&matrix->value, &matrix->value_capacity,
                    matrix->column_capacity ? matrix->column_capacity : 1));
    for (size_t i = 0; i < matrix->cells; i++)
        matrix->value[i] = 1;
    return HSEL_OK;
}

static int over_limit(const hs_matrix *matrix, const char *what, uint32_t limit, hsel_error *error)
{
    return hs_fail_at(error, HSEL_ELIMIT, hs_reader_name(matrix->reader),
                      hs_reader_line_number(matrix->reader), "more than %" PRIu32 " %s", limit,
                      what);
}

int hs_matrix_label(hs_matrix *matrix, const char *label, size_t length, hsel_error *error)
{
    uint32_t number = HSEL_NONE;
    HS_NEED(HS_GROW(&matrix->label, &matrix->label_capacity, (size_t)matrix->rows + 1));
    if (label)
        HS_TRY(hs_names_intern(&matrix->labels, label, length, &number, NULL, error));
    if (matrix->labels.count > HS_CLASSES_LIMIT)
        return over_limit(matrix, "different labels", HS_CLASSES_LIMIT, error);
    matrix->label[matrix->rows] = number;
    return HSEL_OK;
}

int hs_matrix_end_row(hs_matrix *matrix, hsel_error *error)
{
    if (matrix->rows == HS_INSTANCES_LIMIT)
        return over_limit(matrix, "instances", HS_INSTANCES_LIMIT, error);
    HS_NEED(HS_GROW(&matrix->start, &matrix->start_capacity, (size_t)matrix->rows + 2));
    matrix->start[0] = 0;
    matrix->start[++matrix->rows] = matrix->cells;
    return HSEL_OK;
}

int hs_matrix_proportion(const hs_matrix *matrix, const char *what, uint64_t size,
                         hsel_error *error)
{
    if (size <= PROPORTION_FREE || size / PROPORTION_FACTOR <= matrix->cells)
        return HSEL_OK;
    return hs_fail_at(error, HSEL_ELIMIT, hs_reader_name(matrix->reader), 0,
                      "%" PRIu64
                      " %s are out of proportion to %zu values (add a file with their names)",
                      size, what, matrix->cells);
}

/* ---- into a data set ---- */

/* The name of a feature that has none; returns its length. */
static size_t plain_name(uint32_t feature, char *out)
{
    out[0] = 'f';
    return 1 + hs_format_u64((uint64_t)feature + 1, out + 1);
}

int hs_matrix_finish(hs_matrix *matrix, const char *positive, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNED uint8_t *type = HS_NEW_ZERO(uint8_t, matrix->columns);
    const hs_names *features = &matrix->features, *labels = &matrix->labels, *ids = &matrix->ids;
    uint32_t id;
    HS_NEED(type);
    HS_TRY(hs_builder_new(&builder, error));
    for (size_t i = 0; matrix->value && i < matrix->cells; i++)
        if (matrix->value[i] != 0 && matrix->value[i] != 1)
            type[matrix->column[i]] = HSEL_NUMERIC;
    for (uint32_t f = 0; f < matrix->columns; f++) {
        char made[40];
        const char *name = features->count ? hs_names_get(features, f) : made;
        size_t length = features->count ? hs_names_length(features, f) : plain_name(f, made);
        HS_TRY(hs_builder_feature(builder, name, length, type[f], &id, error));
    }
    for (uint32_t c = 0; c < labels->count; c++)
        HS_TRY(hs_builder_class(builder, HS_NAME(labels, c), &id, error));
    hs_builder_sort_classes(builder);
    if (positive)
        HS_TRY(hs_builder_positive_class(builder, positive, error));
    for (uint32_t row = 0; row < matrix->rows; row++) {
        HS_TRY(hs_builder_row(builder, ids->count ? hs_names_get(ids, row) : NULL,
                              ids->count ? hs_names_length(ids, row) : 0,
                              matrix->label ? matrix->label[row] : HSEL_NONE, error));
        for (uint64_t i = matrix->start[row]; i < matrix->start[row + 1]; i++) {
            uint32_t f = matrix->column[i];
            double value = matrix->value ? matrix->value[i] : 1;
            if (value != 0)
                HS_TRY(type[f] == HSEL_BINARY ? hs_builder_positive(builder, f, error)
                                              : hs_builder_numeric(builder, f, value, error));
        }
    }
    hs_matrix_clear(matrix);
    return hs_builder_finish(builder, out, error);
}

/* ---- name files ---- */

size_t hs_stem_length(const char *path)
{
    size_t length = strlen(path) - (hs_ends_with(path, ".gz") ? 3 : 0), dot = length;
    while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/')
        dot--;
    return dot > 1 && path[dot - 1] == '.' && path[dot - 2] != '/' ? dot - 1 : length;
}

int hs_sibling_path(const char *path, const char *ending, hs_buf *out, hsel_error *error)
{
    out->length = 0;
    hs_buf_add(out, path, hs_stem_length(path));
    hs_buf_text(out, ending);
    if (!out->failed && access(out->text, F_OK) != 0) {
        size_t plain = out->length;
        hs_buf_text(out, ".gz");
        if (!out->failed && access(out->text, F_OK) != 0)
            out->text[out->length = plain] = '\0';
    }
    return out->failed ? hs_fail_memory(error) : HSEL_OK;
}

int hs_sibling_read(const hs_reader *reader, const char *ending, bool unique, hs_names *out,
                    char **name, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *lines = NULL;
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    char *line;
    size_t length;
    uint32_t id;
    bool added = true;
    int status;
    *name = NULL;
    if (!hs_reader_path(reader))
        return HSEL_OK;
    HS_TRY(hs_sibling_path(hs_reader_path(reader), ending, &path, error));
    if (access(path.text, F_OK) != 0)
        return HSEL_OK;
    HS_TRY(hs_reader_open(path.text, &lines, error));
    while ((status = hs_reader_line(lines, &line, &length, error)) > 0) {
        if (unique && !length)
            return hs_fail_line(error, lines, "empty name");
        HS_TRY(hs_fail_placed(error, lines,
                              unique ? hs_names_intern(out, line, length, &id, &added, error)
                                     : hs_names_append(out, line, length, error)));
        if (!added)
            return hs_fail_line(error, lines, "%.200s is also the name on line %" PRIu32, line,
                                id + 1);
    }
    HS_TRY(status);
    *name = hs_take(&path.text);
    return HSEL_OK;
}

int hs_sibling_write(hs_writer *writer, const char *ending, const hs_names *names,
                     const uint32_t *which, uint32_t count, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    hs_writer *out = NULL; /* of the set, which is committed or abandoned as one */
    const char *main = hs_writer_path(writer);
    if (!main)
        return !names ? HSEL_OK
                      : hs_fail(error, HSEL_EUSAGE,
                                "this format needs several files: give a file name, not standard "
                                "output");
    hs_buf_add(&path, main, hs_stem_length(main));
    hs_buf_text(&path, ending);
    HS_NEED(!path.failed);
    HS_TRY(names ? hs_writer_open_part(writer, path.text, &out, error)
                 : hs_writer_remove(writer, path.text, error));
    hs_buf_text(&path, ".gz"); /* what the reader would take if the other were not there */
    HS_NEED(!path.failed);
    HS_TRY(hs_writer_remove(writer, path.text, error));
    for (uint32_t i = 0; names && i < count; i++) {
        uint32_t k = which ? which[i] : i;
        const char *text = k == HSEL_NONE ? "?" : hs_names_get(names, k);
        size_t length = k == HSEL_NONE ? 1 : hs_names_length(names, k);
        /* Readers take a byte order mark off the first line. */
        if (memchr(text, '\n', length) || memchr(text, '\r', length) ||
            (i == 0 && strncmp(text, "\xEF\xBB\xBF", 3) == 0))
            return hs_fail(
                error, HSEL_EUNSUPPORTED,
                "the name %.200s cannot be written to %s: it has a line end or a byte order mark",
                text, ending);
        hs_writer_put(out, text, length);
        hs_writer_char(out, '\n');
    }
    return HSEL_OK;
}

bool hs_sparse_plain_names(const hsel_dataset *data)
{
    for (uint32_t f = 0; f < data->features; f++) {
        char made[40];
        size_t length = plain_name(f, made);
        if (hs_names_length(&data->feature_names, f) != length ||
            memcmp(hs_names_get(&data->feature_names, f), made, length) != 0)
            return false;
    }
    return true;
}

int hs_sparse_refuse_nominal(const hsel_dataset *data, const char *format, hsel_error *error)
{
    for (uint32_t f = 0; data->nominal_count && f < data->features; f++)
        if (data->types[f] == HSEL_NOMINAL)
            return hs_fail(error, HSEL_EUNSUPPORTED,
                           "%s can hold only numbers, but feature %.200s is nominal", format,
                           hs_names_get(&data->feature_names, f));
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets as text, and checks of readers by it: see dump.h.
 */
#include "support/dump.h"

#include <math.h>
#include <string.h>

#include "format/table.h"
#include "support/cmocka.h"

static void dump_header(const hsel_dataset *data, hs_buf *out)
{
    for (uint32_t f = 0; f < data->features; f++) {
        hs_buf_printf(out, "%s%s:", f ? " " : "", hs_names_get(&data->feature_names, f));
        if (data->types[f] != HSEL_NOMINAL) {
            hs_buf_char(out, data->types[f] == HSEL_BINARY ? 'b' : 'n');
            continue;
        }
        const hs_names *values = &data->nominal[data->slot[f]].values;
        for (uint32_t i = 0; i < values->count; i++)
            hs_buf_printf(out, "%c%s", i ? ',' : '{', hs_names_get(values, i));
        hs_buf_text(out, values->count ? "}" : "{}");
    }
    hs_buf_text(out, " |");
    for (uint32_t c = 0; c < data->class_names.count; c++)
        hs_buf_printf(out, "%c%s", c ? ',' : ' ', hs_names_get(&data->class_names, c));
    hs_buf_char(out, '\n');
}

static void dump_value(hs_table_writer *table, uint32_t feature, uint32_t instance, hs_buf *out)
{
    const hsel_dataset *data = table->data;
    char number[40];
    size_t count;
    if (data->types[feature] == HSEL_BINARY) {
        const uint32_t *row = hs_row(data, instance, &count);
        bool positive = false;
        for (size_t i = 0; i < count; i++)
            positive |= row[i] == feature;
        hs_buf_char(out, positive ? '1' : '0');
    } else if (data->types[feature] == HSEL_NUMERIC) {
        double value = hs_table_number(table, feature, instance);
        hs_format_double(value == 0 ? 0 : value, number); /* no -0 */
        hs_buf_text(out, isnan(value) ? "?" : number);
    } else {
        const hs_nominal_column *column = &data->nominal[data->slot[feature]];
        uint32_t code = column->codes[instance];
        hs_buf_text(out, code == HS_MISSING_CODE ? "?" : hs_names_get(&column->values, code));
    }
}

void hs_dump(const hsel_dataset *data, hs_buf *out)
{
    hs_table_writer table = {.data = data};
    hsel_error error = {0};
    assert_ok(hs_table_writer_init(&table, &error), error);
    dump_header(data, out);
    for (uint32_t i = 0; i < data->instances; i++) {
        if (data->ids.count)
            hs_buf_printf(out, "%s ", hs_names_get(&data->ids, i));
        for (uint32_t f = 0; f < data->features; f++) {
            dump_value(&table, f, i, out);
            hs_buf_char(out, ' ');
        }
        uint32_t code = hsel_dataset_class_of(data, i);
        hs_buf_printf(out, "%s\n",
                      code == HSEL_NONE ? "?" : hs_names_get(&data->class_names, code));
    }
    hs_table_writer_clear(&table);
}

int hs_read_text(const char *format, const hs_column_options *options, const char *text,
                 size_t length, hsel_dataset **out, hsel_error *error)
{
    const hs_method *method = hs_method_find(HS_FORMAT, format, strlen(format));
    hs_column_options none = {0};
    hs_reader *reader = NULL;
    assert_non_null(method);
    int status = hs_reader_open_memory("t", text, length, &reader, error);
    if (status == HSEL_OK)
        status = method->format->read_data(reader, options ? options : &none, out, error);
    hs_reader_close(reader);
    return status;
}

int hs_write_text(const char *format, const hsel_dataset *data, hs_buf *out, hsel_error *error)
{
    const hs_method *method = hs_method_find(HS_FORMAT, format, strlen(format));
    hs_writer *writer = NULL;
    assert_non_null(method);
    int status = hs_writer_open_memory(out, &writer, error);
    if (status)
        return status;
    if ((status = method->format->write_data(data, writer, error))) {
        hs_writer_abandon(writer);
        return status;
    }
    return hs_writer_commit(writer, error);
}

void hs_check_reads(const char *format, const hs_column_options *options, const char *text,
                    const char *expected)
{
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    hs_buf got = {0};
    assert_ok(hs_read_text(format, options, text, strlen(text), &data, &error), error);
    assert_ok(hsel_dataset_check(data, &error), error);
    hs_dump(data, &got);
    assert_string_equal(got.text, expected);
    hs_buf_clear(&got);
    hsel_dataset_free(data);
}

void hs_check_refuses(const char *format, const hs_column_options *options, const char *text,
                      int status, const char *message)
{
    hsel_dataset *data = NULL;
    hsel_error error = {0};
    int got = hs_read_text(format, options, text, strlen(text), &data, &error);
    hsel_dataset_free(data);
    assert_string_equal(error.message, message);
    assert_int_equal(got, status);
    assert_int_equal(error.code, status);
}

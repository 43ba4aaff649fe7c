/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading delimited tables, and rows of data sets for writers. A record is taken apart in the
 * reader's own line: fields are offsets into it until the record is complete (a quoted field may
 * lengthen the line, which may move it) and pointers afterwards.
 */
#include "format/table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"

typedef struct record {
    char *line;
    size_t length, at;
} record;

int hs_table_fail(const hs_table *table, hsel_error *error, const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(table->reader), table->line, "%s", text);
}

static bool is_blank(const hs_table *table, char c)
{
    return c == ' ' || (c == '\t' && table->delimiter != '\t');
}

static void skip_blanks(const hs_table *table, record *r)
{
    while (r->at < r->length && is_blank(table, r->line[r->at]))
        r->at++;
}

/* The field whose opening quote is at r->at, its doubled quotes undone in place. */
static int quoted_field(hs_table *table, record *r, size_t *start, size_t *length,
                        hsel_error *error)
{
    size_t used = 0, number = table->count + 1;
    int status;
    *start = ++r->at;
    for (;;) {
        char *from = r->line + r->at, *quote = memchr(from, '"', r->length - r->at);
        size_t piece = quote ? (size_t)(quote - from) : r->length - r->at;
        memmove(r->line + *start + used, from, piece);
        used += piece;
        r->at += piece;
        if (!quote) { /* it goes on in the next line */
            if (used > HS_NAME_LIMIT)
                return hs_table_fail(table, error,
                                     "the quoted field %zu is not closed within %zu bytes", number,
                                     HS_NAME_LIMIT);
            if ((status = hs_reader_more(table->reader, &r->line, &r->length, error)) < 0)
                return status;
            if (status == 0)
                return hs_table_fail(table, error, "the quoted field %zu is not closed", number);
            while (used > 0 && r->line[*start + used - 1] == '\r') /* line ends inside are LF */
                used--;
        } else if (r->at + 1 < r->length && r->line[r->at + 1] == '"') {
            r->line[*start + used++] = '"';
            r->at += 2;
        } else {
            break;
        }
    }
    *length = used;
    r->at++;
    skip_blanks(table, r);
    if (r->at < r->length && r->line[r->at] != table->delimiter)
        return hs_table_fail(table, error, "there is text after the closing quote of field %zu",
                             number);
    return HSEL_OK;
}

/* The fields of a line (and of those that its quoted fields run into). */
static int split(hs_table *table, record *r, hsel_error *error)
{
    for (table->count = 0;; r->at++) { /* over the delimiter */
        HS_NEED(HS_GROW(&table->fields, &table->field_capacity, table->count + 1) &&
                HS_GROW(&table->starts, &table->start_capacity, table->count + 1));
        skip_blanks(table, r);
        bool quoted = r->at < r->length && r->line[r->at] == '"';
        size_t start = r->at, stop, length = 0;
        if (quoted) {
            HS_TRY(quoted_field(table, r, &start, &length, error));
        } else {
            while (r->at < r->length && r->line[r->at] != table->delimiter)
                r->at++;
            for (stop = r->at; stop > start && is_blank(table, r->line[stop - 1]);)
                stop--;
            length = stop - start;
        }
        table->starts[table->count] = start;
        table->fields[table->count++] = (hs_field){.length = length, .quoted = quoted};
        if (r->at >= r->length)
            break;
    }
    for (size_t i = 0; i < table->count; i++) {
        table->fields[i].text = r->line + table->starts[i];
        table->fields[i].text[table->fields[i].length] = '\0';
    }
    table->end = r->line + r->length;
    return HSEL_OK;
}

/* The next line that is not empty: 1, 0 at the end, negative. */
static int next_record(hs_table *table, record *r, hsel_error *error)
{
    int status;
    *r = (record){0};
    while ((status = hs_reader_line(table->reader, &r->line, &r->length, error)) > 0)
        if (r->length > 0)
            break;
    table->line = hs_reader_line_number(table->reader);
    return status;
}

static char find_delimiter(const char *line)
{
    size_t commas = 0, semicolons = 0;
    bool quoted = false;
    for (; *line; line++) {
        if (*line == '"')
            quoted = !quoted;
        else if (*line == '\t' && !quoted)
            return '\t';
        commas += *line == ',' && !quoted;
        semicolons += *line == ';' && !quoted;
    }
    return semicolons > commas ? ';' : ',';
}

int hs_table_open(hs_reader *reader, char delimiter, hs_table *out, hsel_error *error)
{
    HS_OWNS(hs_table_clear) hs_table table = {.reader = reader, .delimiter = delimiter};
    record r;
    int status = next_record(&table, &r, error);
    *out = (hs_table){0};
    if (status < 0)
        return status;
    if (status == 0)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                          "the file is empty: a header line is needed");
    if (!delimiter)
        table.delimiter = find_delimiter(r.line);
    HS_TRY(split(&table, &r, error));
    for (size_t i = 0; i < table.count; i++)
        HS_TRY(hs_names_append(&table.header, table.fields[i].text, table.fields[i].length, error));
    HS_TRY(hs_names_index(&table.header, error));
    *out = table;
    table = (hs_table){0};
    return HSEL_OK;
}

int hs_table_next(hs_table *table, const hs_field **fields, hsel_error *error)
{
    record r;
    int status = next_record(table, &r, error);
    if (status <= 0)
        return status;
    HS_TRY(split(table, &r, error));
    if (table->count != table->header.count)
        return hs_table_fail(table, error, "%zu field%s, but the header has %u", table->count,
                             table->count == 1 ? "" : "s", table->header.count);
    *fields = table->fields;
    return 1;
}

void hs_table_clear(hs_table *table)
{
    hs_names_clear(&table->header);
    hs_free(table->fields);
    hs_free(table->starts);
    *table = (hs_table){0};
}

/* ---- writing ---- */

/* `wanted`, with underscores added until no feature has that name and `other` is not it. */
static char *free_name(const hsel_dataset *data, const char *wanted, const char *other)
{
    hs_buf name = {0};
    hs_buf_text(&name, wanted);
    while (!name.failed && (hsel_dataset_find_feature(data, name.text) != HSEL_NONE ||
                            (other && strcmp(name.text, other) == 0)))
        hs_buf_char(&name, '_');
    if (name.failed)
        hs_buf_clear(&name);
    return name.text;
}

int hs_table_writer_init(hs_table_writer *t, hsel_error *error)
{
    const hsel_dataset *data = t->data;
    if (data->class_names.count > 0 || data->class_attribute)
        HS_NEED(t->class_name =
                    free_name(data, data->class_attribute ? data->class_attribute : "class", NULL));
    if (data->ids.count > 0 || (data->instances == 0 && data->id_attribute))
        HS_NEED(t->id_name =
                    free_name(data, data->id_attribute ? data->id_attribute : "id", t->class_name));
    t->others = HS_NEW(uint32_t, (size_t)data->numeric_count + data->nominal_count);
    t->next = HS_NEW_ZERO(uint32_t, data->numeric_count);
    t->zeros = hs_alloc((size_t)data->features + 1, 2);
    HS_NEED(t->others && t->next && t->zeros);
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->slot && data->types[f] != HSEL_BINARY)
            t->others[t->other_count++] = f;
        t->zeros[2 * (size_t)f] = '0';
        t->zeros[2 * (size_t)f + 1] = t->delimiter;
    }
    return HSEL_OK;
}

void hs_table_writer_clear(hs_table_writer *t)
{
    hs_free(t->class_name);
    hs_free(t->id_name);
    hs_free(t->others);
    hs_free(t->next);
    hs_free(t->zeros);
}

static void put_name(hs_table_writer *t, const hs_names *names, uint32_t id)
{
    if (id == HSEL_NONE)
        hs_writer_text(t->writer, t->missing);
    else
        t->put(t->writer, hs_names_get(names, id), hs_names_length(names, id));
}

double hs_table_number(hs_table_writer *t, uint32_t feature, uint32_t instance)
{
    uint32_t slot = t->data->slot[feature], *next = &t->next[slot];
    const hs_numeric_column *column = &t->data->numeric[slot];
    if (!column->rows)
        return column->values[instance];
    assert(*next == 0 || column->rows[*next - 1] < instance);
    while (*next < column->count && column->rows[*next] < instance)
        ++*next;
    return *next < column->count && column->rows[*next] == instance ? column->values[*next] : 0;
}

void hs_table_put_other(hs_table_writer *t, uint32_t feature, uint32_t instance)
{
    if (t->data->types[feature] == HSEL_NUMERIC) {
        double number = hs_table_number(t, feature, instance);
        if (isnan(number))
            hs_writer_text(t->writer, t->missing);
        else
            hs_writer_double(t->writer, number);
    } else {
        const hs_nominal_column *column = &t->data->nominal[t->data->slot[feature]];
        uint32_t code = column->codes[instance];
        put_name(t, &column->values, code == HS_MISSING_CODE ? HSEL_NONE : code);
    }
}

void hs_table_put_label(hs_table_writer *t, uint32_t instance)
{
    put_name(t, &t->data->class_names, hsel_dataset_class_of(t->data, instance));
}

void hs_table_put_row(hs_table_writer *t, uint32_t instance)
{
    const hsel_dataset *data = t->data;
    size_t count, next = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    if (t->id_name) {
        put_name(t, &data->ids, instance);
        if (data->features || t->class_name)
            hs_writer_char(t->writer, t->delimiter);
    }
    if (!t->other_count && data->features) {
        for (size_t i = 0; i < count; i++)
            t->zeros[2 * (size_t)row[i]] = '1';
        hs_writer_put(t->writer, t->zeros, 2 * (size_t)data->features - 1);
        for (size_t i = 0; i < count; i++)
            t->zeros[2 * (size_t)row[i]] = '0';
    }
    for (uint32_t f = 0; t->other_count && f < data->features; f++) {
        if (f > 0)
            hs_writer_char(t->writer, t->delimiter);
        if (data->types[f] == HSEL_BINARY) {
            bool positive = next < count && row[next] == f;
            next += positive;
            hs_writer_char(t->writer, positive ? '1' : '0');
        } else {
            hs_table_put_other(t, f, instance);
        }
    }
    if (t->class_name) {
        if (data->features)
            hs_writer_char(t->writer, t->delimiter);
        hs_table_put_label(t, instance);
    }
    hs_writer_char(t->writer, '\n');
}

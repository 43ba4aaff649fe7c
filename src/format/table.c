/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading delimited tables. A record is taken apart in the reader's own line: fields are offsets
 * into it until the record is complete (a quoted field may lengthen the line, which may move it)
 * and pointers afterwards.
 */
#include "format/table.h"

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

static int add_field(hs_table *table, size_t start, size_t length, bool quoted, hsel_error *error)
{
    if (!HS_GROW(&table->fields, &table->field_capacity, table->count + 1) ||
        !HS_GROW(&table->starts, &table->start_capacity, table->count + 1))
        return hs_fail_memory(error);
    table->starts[table->count] = start;
    table->fields[table->count] = (hs_field){.length = length, .quoted = quoted};
    table->count++;
    return HSEL_OK;
}

static int plain_field(hs_table *table, record *r, hsel_error *error)
{
    size_t start = r->at, stop;
    while (r->at < r->length && r->line[r->at] != table->delimiter)
        r->at++;
    for (stop = r->at; stop > start && is_blank(table, r->line[stop - 1]);)
        stop--;
    return add_field(table, start, stop - start, false, error);
}

/* Goes on to the next line within a quoted field that starts at `start` and has `*used` bytes so
 * far. */
static int next_line(hs_table *table, record *r, size_t start, size_t *used, hsel_error *error)
{
    int status;
    if (*used > HS_NAME_LIMIT)
        return hs_table_fail(table, error, "the quoted field %zu is not closed within %zu bytes",
                             table->count + 1, HS_NAME_LIMIT);
    if ((status = hs_reader_more(table->reader, &r->line, &r->length, error)) < 0)
        return status;
    if (status == 0)
        return hs_table_fail(table, error, "the quoted field %zu is not closed", table->count + 1);
    while (*used > 0 && r->line[start + *used - 1] == '\r') /* line ends inside fields are LF */
        --*used;
    return HSEL_OK;
}

/* The field whose opening quote is at r->at, its doubled quotes undone in place. */
static int quoted_field(hs_table *table, record *r, hsel_error *error)
{
    size_t start = r->at + 1, used = 0;
    int status;
    r->at = start;
    for (;;) {
        char *from = r->line + r->at, *quote = memchr(from, '"', r->length - r->at);
        size_t piece = quote ? (size_t)(quote - from) : r->length - r->at;
        memmove(r->line + start + used, from, piece);
        used += piece;
        r->at += piece;
        if (!quote) {
            if ((status = next_line(table, r, start, &used, error)))
                return status;
        } else if (r->at + 1 < r->length && r->line[r->at + 1] == '"') {
            r->line[start + used++] = '"';
            r->at += 2;
        } else {
            break;
        }
    }
    r->at++;
    skip_blanks(table, r);
    if (r->at < r->length && r->line[r->at] != table->delimiter)
        return hs_table_fail(table, error, "there is text after the closing quote of field %zu",
                             table->count + 1);
    return add_field(table, start, used, true, error);
}

/* The fields of a line (and of those that its quoted fields run into). */
static int split(hs_table *table, record *r, hsel_error *error)
{
    int status;
    table->count = 0;
    for (;;) {
        skip_blanks(table, r);
        bool quoted = r->at < r->length && r->line[r->at] == '"';
        if ((status = (quoted ? quoted_field : plain_field)(table, r, error)))
            return status;
        if (r->at >= r->length)
            break;
        r->at++; /* the delimiter */
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
    record r;
    int status;
    *out = (hs_table){.reader = reader, .delimiter = delimiter};
    if ((status = next_record(out, &r, error)) < 0)
        goto out;
    if (status == 0) {
        status = hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                            "the file is empty: a header line is needed");
        goto out;
    }
    if (!delimiter)
        out->delimiter = find_delimiter(r.line);
    if ((status = split(out, &r, error)))
        goto out;
    for (size_t i = 0; i < out->count && status == HSEL_OK; i++)
        status = hs_names_append(&out->header, out->fields[i].text, out->fields[i].length, error);
    if (status == HSEL_OK)
        status = hs_names_index(&out->header, error);
out:
    if (status)
        hs_table_clear(out);
    return status;
}

int hs_table_next(hs_table *table, const hs_field **fields, hsel_error *error)
{
    record r;
    int status = next_record(table, &r, error);
    if (status <= 0)
        return status;
    if ((status = split(table, &r, error)))
        return status;
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

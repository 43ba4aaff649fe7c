/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of labels, read and written.
 */
#include "format/about.h"

#include "format/table.h"

/* A row of the table: its identifier becomes a key, the other fields are cells. */
typedef struct rows {
    hs_names keys;
    uint32_t *line; /* of each key */
    size_t capacity;
    hs_about about;
} rows;

static void about_rows_clear(rows *r)
{
    hs_names_clear(&r->keys);
    hs_about_clear(&r->about);
    hs_free(r->line);
}

#define FAIL(...) hs_table_fail(table, error, __VA_ARGS__)

static bool is_named(const hs_about_how *how, const char *name)
{
    bool named = false;
    for (size_t i = 0; how->named && i < how->named->count; i++)
        named = named || strcmp(how->named->items[i], name) == 0;
    return named;
}

/* Whether a column without the name of labels is that of labels: `other` come before it. */
static bool is_label(const hs_about_how *how, const char *name, uint32_t columns, uint32_t other)
{
    if (!how->named)
        return other == 0 && !hs_is_class_column(name);
    return columns == 2 && !strchr(name, ':') && !is_named(how, name);
}

static int about_rows_read(hs_table *table, const hs_about_how *how, const hs_names *ids, rows *r,
                           hs_about_report *report, hsel_error *error)
{
    static const char *const usual[] = {HS_ABOUT_LABEL, HS_ABOUT_NAMESPACE};
    const hs_names *names = &table->header;
    uint32_t id_column = hs_names_find(names, "id", 2), key;
    uint32_t label = hs_names_find(names, HS_ABOUT_LABEL, strlen(HS_ABOUT_LABEL));
    const hs_field *fields;
    bool added;
    int got;
    if (how->id)
        HS_TRY(hs_column_find(names, how->id, hs_reader_name(table->reader), &id_column, error));
    if (id_column == HSEL_NONE)
        id_column = 0;
    report->id = id_column;
    report->id_named = is_named(how, hs_names_get(names, id_column));
    /* The first line is a row if it has the identifier of an item. */
    table->held = hs_names_find(ids, HS_NAME(names, id_column)) != HSEL_NONE;
    for (uint32_t c = 0, other = 0; c < names->count; c++) {
        const char *name = hs_names_get(names, c);
        if (c == id_column)
            continue;
        if (table->held || (label == HSEL_NONE && is_label(how, name, names->count, other)))
            name = other < 2 ? usual[other] : NULL;
        if (!name)
            return FAIL("a table of more than three columns needs a line with their names");
        if (how->named && !*name)
            return FAIL("column %u has no name in the header", c + 1);
        if (how->named && hs_about_column(&r->about, name) != HSEL_NONE)
            return FAIL("two columns are called %.200s", name);
        HS_TRY(hs_names_append(&r->about.columns, name, strlen(name), error));
        other++;
    }
    while ((got = hs_table_next(table, &fields, error)) > 0) {
        const hs_field *key_field = &fields[id_column];
        if (!key_field->length)
            return FAIL("no identifier");
        HS_NEED(HS_GROW(&r->line, &r->capacity, (size_t)r->keys.count + 1));
        HS_TRY(hs_names_intern(&r->keys, HS_SPAN(*key_field), &key, &added, error));
        if (!added)
            return FAIL("%.200s is already on line %u", key_field->text, r->line[key]);
        r->line[key] = table->line < UINT32_MAX ? (uint32_t)table->line : UINT32_MAX;
        for (uint32_t c = 0, other = 0; c < names->count; c++) {
            const hs_field *f = &fields[c];
            if (c == id_column)
                continue;
            const bool missing = how->named &&
                                 other != hs_about_column(&r->about, HS_ABOUT_LABEL) &&
                                 hs_is_missing(HS_SPAN(*f));
            HS_TRY(hs_names_append(&r->about.cells, f->text, missing ? 0 : f->length, error));
            other++;
        }
    }
    return got;
}

/* Whether a column is used for more than display. */
static bool has_more(const hs_names *header)
{
    static const char *const used[] = {HS_ABOUT_STRATUM, HS_ABOUT_GROUP,  HS_ABOUT_TIME,
                                       HS_ABOUT_TEST,    HS_ABOUT_WEIGHT, HS_ABOUT_RANK,
                                       HS_ABOUT_LINEAGE};
    bool more = false;
    for (uint32_t c = 0; c < header->count; c++) {
        more |= hs_is_class_column(hs_names_get(header, c));
        for (size_t i = 0; i < sizeof used / sizeof *used; i++)
            more |= strcmp(hs_names_get(header, c), used[i]) == 0;
    }
    return more;
}

int hs_about_load(const char *path, const hs_about_how *how, hs_names *ids, uint32_t items,
                  hs_about *about, hs_about_report *report, hsel_error *error)
{
    if (!path)
        return HSEL_OK;
    if (!ids->count)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a table of %s needs %ss with identifiers, but there are none",
                          how->named ? "metadata" : "labels", how->what);
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table table = {0};
    HS_OWNS(about_rows_clear) rows r = {0};
    HS_OWNS(hs_about_clear) hs_about found = {0};
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_fail_placed(error, reader, hs_table_open(reader, 0, &table, error)));
    if (how->unseen && !has_more(&table.header))
        return HSEL_OK;
    HS_TRY(hs_names_index(ids, error));
    if (table.header.count < 2)
        return hs_fail_line(
            error, reader,
            "expected an identifier and a label, separated by a tab, a comma or a semicolon");
    *report = (hs_about_report){.items = items};
    HS_TRY(hs_fail_placed(error, reader, about_rows_read(&table, how, ids, &r, report, error)));
    report->rows = r.keys.count;
    HS_OWNED uint32_t *row_of = HS_NEW(uint32_t, items);
    HS_NEED(row_of);
    for (uint32_t i = 0; i < items; i++) {
        row_of[i] = hs_names_find(&r.keys, HS_NAME(ids, i));
        report->named += row_of[i] != HSEL_NONE;
    }
    HS_TRY(hs_about_pick(&r.about, row_of, items, &found, error));
    for (uint32_t k = 0; k < r.keys.count; k++)
        report->unknown += hs_names_find(ids, HS_NAME(&r.keys, k)) == HSEL_NONE;
    if (!report->named)
        return hs_fail_at(error, HSEL_EFORMAT, path, 0,
                          "none of the %u identifiers in it is the identifier of one of the %u %ss",
                          report->rows, items, how->what);
    return hs_about_join(about, &found, items, error);
}

/* The first column must not have the name of an item (then the header would be taken for a row). A
 * table without labels gets an empty column of them, since the first column is taken for that. */
int hs_about_write(const hs_about *about, const hs_names *ids, uint32_t items, hs_writer *writer,
                   uint32_t *lost, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names known = {0}; /* the identifiers, indexed */
    HS_OWNS(hs_buf_clear) hs_buf head = {0};
    const uint32_t columns = about->columns.count;
    bool labels = hs_about_column(about, HS_ABOUT_LABEL) != HSEL_NONE;
    *lost = 0;
    HS_TRY(hs_names_copy(ids, &known, error));
    HS_TRY(hs_names_index(&known, error));
    hs_buf_text(&head, "id");
    while (!head.failed && hs_names_find(&known, HS_SPAN(head)) != HSEL_NONE)
        hs_buf_char(&head, '_');
    HS_NEED(!head.failed);
    hs_writer_text(writer, head.text);
    hs_writer_text(writer, labels ? "" : "\t" HS_ABOUT_LABEL);
    for (uint32_t c = 0; c < columns; c++) {
        hs_writer_char(writer, '\t');
        hs_table_put_text(writer, HS_NAME(&about->columns, c));
    }
    hs_writer_char(writer, '\n');
    for (uint32_t i = 0; i < items; i++) {
        bool named = i < ids->count && hs_names_length(ids, i) > 0, same = true;
        uint32_t first = named ? hs_names_find(&known, HS_NAME(ids, i)) : HSEL_NONE;
        if (first != i) {
            for (uint32_t c = 0; c < columns; c++) {
                const char *text = hs_about_get(about, i, c);
                const char *other = named ? hs_about_get(about, first, c) : NULL;
                same &= strcmp(text ? text : "", other ? other : "") == 0;
            }
            *lost += !same;
            continue;
        }
        hs_table_put_text(writer, HS_NAME(ids, i));
        hs_writer_text(writer, labels ? "" : "\t");
        for (uint32_t c = 0; c < columns; c++) {
            const char *text = hs_about_get(about, i, c);
            hs_writer_char(writer, '\t');
            if (text)
                hs_table_put_text(writer, text, strlen(text));
        }
        hs_writer_char(writer, '\n');
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading label tables. The first line is taken as a row like the others at first; whether it was
 * the header is known when the classes of all rows are, and then it is taken out again.
 */
#include "format/labels.h"

#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "format/table.h"

const hs_option hs_label_table[] = {
    HS_TEXT(hs_label_options, id, "id", "NAME|INDEX", NULL,
            "column of the identifiers in the label table (default: the first)"),
    HS_TEXT(hs_label_options, class_name, "class", "NAME|INDEX", NULL,
            "column of the classes in the label table (default: the last)"),
    HS_CHOICE(hs_label_options, conflicts, "conflicts", "error|drop|first", "error",
              "what to do with an object that has two different labels"),
    HS_CHOICE(hs_label_options, header, "label-header", "auto|yes|no", "auto",
              "whether the first line of the label table is a header"),
    HS_OPTION_END};

void hs_labels_clear(hs_labels *labels)
{
    hs_free(labels->source);
    hs_names_clear(&labels->ids);
    hs_names_clear(&labels->classes);
    hs_free(labels->class_of);
    hs_free(labels->line);
    hs_free(labels->id_column);
    hs_free(labels->class_column);
    *labels = (hs_labels){0};
}

/* The column a user names: by its name in the header, else by its number from 1. */
static int find_column(const hs_table *table, const char *wanted, uint32_t fallback, bool *by_name,
                       uint32_t *out, hsel_error *error)
{
    uint64_t number;
    *out = fallback;
    if (!wanted)
        return HSEL_OK;
    *out = hs_names_find(&table->header, wanted, strlen(wanted));
    if (*out != HSEL_NONE) {
        *by_name = true;
        return HSEL_OK;
    }
    if (hs_parse_u64(wanted, strlen(wanted), &number) && number >= 1 &&
        number <= table->header.count) {
        *out = (uint32_t)(number - 1);
        return HSEL_OK;
    }
    return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(table->reader), 0,
                      "there is no column %s among the %u of the label table", wanted,
                      table->header.count);
}

static bool is_missing(const char *text, size_t length)
{
    return length == 0 || (length == 1 && text[0] == '?') ||
           (length == 2 && !memcmp(text, "NA", 2));
}

/* What a further row says about an object that has a label. */
static int meet_again(const hs_table *table, const hs_label_options *options, hs_labels *labels,
                      uint32_t id, uint32_t code, hsel_error *error)
{
    uint32_t old = labels->class_of[id];
    if (old == HSEL_NONE)
        return HSEL_OK;
    if (old == code || options->conflicts == HS_CONFLICTS_FIRST) {
        labels->repeated++;
        return HSEL_OK;
    }
    if (options->conflicts == HS_CONFLICTS_ERROR)
        return hs_table_fail(table, error, "%s has class %s here, but class %s on line %u",
                             hs_names_get(&labels->ids, id), hs_names_get(&labels->classes, code),
                             hs_names_get(&labels->classes, old), labels->line[id]);
    labels->class_of[id] = HSEL_NONE;
    labels->conflicting++;
    return HSEL_OK;
}

static int add_label(const hs_table *table, const hs_label_options *options, hs_labels *labels,
                     const char *id_text, size_t id_length, const char *class_text,
                     size_t class_length, hsel_error *error)
{
    uint32_t id, code;
    bool added;
    if (!id_length)
        return hs_table_fail(table, error, "no identifier");
    if (is_missing(class_text, class_length)) {
        labels->without_class++;
        return HSEL_OK;
    }
    size_t need = (size_t)labels->ids.count + 1;
    if (!HS_GROW(&labels->class_of, &labels->class_capacity, need) ||
        !HS_GROW(&labels->line, &labels->line_capacity, need))
        return hs_fail_memory(error);
    int status = hs_names_intern(&labels->classes, class_text, class_length, &code, NULL, error);
    if (!status)
        status = hs_names_intern(&labels->ids, id_text, id_length, &id, &added, error);
    if (status)
        return status;
    if (!added)
        return meet_again(table, options, labels, id, code, error);
    labels->class_of[id] = code;
    labels->line[id] = table->line < UINT32_MAX ? (uint32_t)table->line : UINT32_MAX;
    return HSEL_OK;
}

/* Takes out the first of the names. */
static int drop_first(hs_names *names, hsel_error *error)
{
    hs_names rest = {0};
    bool *keep = HS_NEW(bool, names->count);
    if (!keep)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < names->count; i++)
        keep[i] = i > 0;
    int status = hs_names_subset(names, keep, &rest, error);
    if (!status)
        status = hs_names_index(&rest, error);
    hs_free(keep);
    if (status) {
        hs_names_clear(&rest);
        return status;
    }
    hs_names_clear(names);
    *names = rest;
    return HSEL_OK;
}

/* Row 0 was the header: its class is class 0, and no other row's. */
static int drop_header_row(hs_labels *labels, hsel_error *error)
{
    int status = drop_first(&labels->ids, error);
    if (!status)
        status = drop_first(&labels->classes, error);
    if (status)
        return status;
    memmove(labels->class_of, labels->class_of + 1, labels->ids.count * sizeof *labels->class_of);
    memmove(labels->line, labels->line + 1, labels->ids.count * sizeof *labels->line);
    for (uint32_t i = 0; i < labels->ids.count; i++)
        if (labels->class_of[i] != HSEL_NONE)
            labels->class_of[i]--;
    return HSEL_OK;
}

typedef struct columns {
    uint32_t id, code;
    bool by_name;
} columns;

static int name_columns(const hs_table *table, const columns *c, hs_labels *labels,
                        hsel_error *error)
{
    labels->id_column = hs_strdup(hs_names_get(&table->header, c->id));
    labels->class_column = hs_strdup(hs_names_get(&table->header, c->code));
    return labels->id_column && labels->class_column ? HSEL_OK : hs_fail_memory(error);
}

/* Is the row taken from the first line, which is row 0, a header after all? */
static bool first_row_is_header(const hs_labels *labels, uint64_t first_class_rows)
{
    return labels->ids.count > 0 && first_class_rows == 1;
}

/* Does the name of a column consist of words that only a header has: "gene", "Entrez gene ID"? */
static bool says_header(const char *name, size_t length)
{
    static const char *const words[] = {"id",     "ids",     "identifier", "gene",      "genes",
                                        "geneid", "entrez",  "entrezid",   "symbol",    "ensembl",
                                        "object", "protein", "uniprot",    "accession", "stable",
                                        "sample", "name",    "class",      "label",     "labels",
                                        "group",  "target",  "category",   "phenotype"};
    bool any = false;
    for (const char *at = name, *end = name + length; at < end;) {
        size_t size = 0, w = 0;
        while (at + size < end && !memchr(" _-.", at[size], 4))
            size++;
        while (size && w < sizeof words / sizeof words[0] && !hs_equal_nocase(at, size, words[w]))
            w++;
        if (w == sizeof words / sizeof words[0])
            return false;
        any = any || size;
        at += size + 1;
    }
    return any;
}

static int read_rows(hs_table *table, const hs_label_options *options, const columns *c,
                     hs_labels *labels, uint64_t *first_class_rows, hsel_error *error)
{
    const hs_field *fields;
    int got, status = HSEL_OK;
    while (!status && (got = hs_table_next(table, &fields, error)) != 0) {
        if (got < 0)
            return got;
        const hs_field *id = &fields[c->id], *code = &fields[c->code];
        status = add_label(table, options, labels, id->text, id->length, code->text, code->length,
                           error);
        *first_class_rows += labels->classes.count &&
                             code->length == hs_names_length(&labels->classes, 0) &&
                             !memcmp(code->text, hs_names_get(&labels->classes, 0), code->length);
    }
    return status;
}

static int read_table(hs_table *table, const hs_label_options *options, hs_labels *out,
                      hsel_error *error)
{
    columns c = {0};
    uint32_t last = table->header.count - 1;
    int status = find_column(table, options->id, 0, &c.by_name, &c.id, error);
    if (!status)
        status = find_column(table, options->class_name, last, &c.by_name, &c.code, error);
    if (status)
        return status;
    if (c.id == c.code)
        return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(table->reader), 0,
                          "identifier and class are the same column of the label table (%s)",
                          hs_names_get(&table->header, c.id));
    const char *id = hs_names_get(&table->header, c.id);
    const char *code = hs_names_get(&table->header, c.code);
    size_t id_length = hs_names_length(&table->header, c.id);
    size_t code_length = hs_names_length(&table->header, c.code);
    bool header =
        options->header == HS_HEADER_YES ||
        (options->header == HS_HEADER_AUTO &&
         (c.by_name || !id_length || is_missing(code, code_length) || says_header(id, id_length)));
    uint64_t first_class_rows = 1;
    if (!header)
        status = add_label(table, options, out, id, id_length, code, code_length, error);
    if (!status)
        status = read_rows(table, options, &c, out, &first_class_rows, error);
    if (!status && !header && options->header == HS_HEADER_AUTO &&
        first_row_is_header(out, first_class_rows)) {
        header = true;
        out->header_guessed = !says_header(code, code_length);
        status = drop_header_row(out, error);
    } else if (!status && header && options->header == HS_HEADER_AUTO && !c.by_name) {
        out->header_guessed = hs_names_find(&out->classes, code, code_length) != HSEL_NONE;
    }
    return status || !header ? status : name_columns(table, &c, out, error);
}

int hs_labels_read(hs_reader *reader, const hs_label_options *options, hs_labels *out,
                   hsel_error *error)
{
    static const hs_label_options usual = {0};
    hs_table table = {0};
    int status = hs_table_open(reader, 0, &table, error);
    if (!status && table.header.count < 2)
        status = hs_fail_line(error, reader,
                              "a label table needs an identifier and a class, with a tab, a comma "
                              "or a semicolon between them");
    if (!status && !(out->source = hs_strdup(hs_reader_name(reader))))
        status = hs_fail_memory(error);
    if (!status)
        status = read_table(&table, options ? options : &usual, out, error);
    if (!status && !out->ids.count)
        status = hs_fail_at(error, HSEL_EFORMAT, out->source, 0, "no labels in it");
    hs_table_clear(&table);
    return status;
}

int hs_labels_load(const char *path, const hs_label_options *options, hs_labels *out,
                   hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (!status)
        status = hs_fail_placed(error, reader, hs_labels_read(reader, options, out, error));
    hs_reader_close(reader);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads label tables. All rows are read first, since their classes may show whether the first line
 * is a header.
 */
#include "build/labels.h"

#include "load/folder.h"
#include "format/table.h"

const hs_option hs_label_table[] = {
    HS_TEXT(
        hs_label_options, id, "id", "NAME|INDEX", NULL,
        "column of the identifiers in the label table or metadata (default: id, else the first)"),
    HS_OPTION(hs_label_options, classes, "class", "NAME|INDEX,…", NULL, 0, 0,
              "class columns of the label table; other commands use the first unless {class} "
              "names another; all: every column except the identifiers (default: the last); "
              "with {since}: terms"),
    HS_CHOICE(hs_label_options, conflicts, "conflicts", "error|drop|first", "error",
              "what to do with an object that has two different labels"),
    HS_CHOICE(hs_label_options, header, "label-header", "auto|yes|no", "auto",
              "whether the first line of the label table is a header"),
    HS_OPTION_END};

void hs_labels_clear(hs_labels *labels)
{
    for (size_t k = 0; k < labels->column_count; k++) {
        hs_names_clear(&labels->columns[k].classes);
        HS_FREE(labels->columns[k].name, labels->columns[k].class_of);
    }
    HS_CLEAR_NAMES(&labels->ids, &labels->given);
    HS_FREE(labels->source, labels->line, labels->id_column, labels->columns);
    *labels = (hs_labels){0};
}

int hs_labels_add_column(hs_labels *labels, const char *name, hsel_error *error)
{
    hs_label_column *grown =
        hs_realloc(labels->columns, labels->column_count + 1, sizeof *labels->columns);
    HS_NEED(grown);
    labels->columns = grown;
    hs_label_column *new = &grown[labels->column_count++];
    *new = (hs_label_column){.name = name ? hs_strdup(name) : NULL};
    HS_NEED((new->name || !name) && HS_GROW(&new->class_of, &new->capacity, labels->ids.count));
    for (uint32_t i = 0; i < labels->ids.count; i++)
        new->class_of[i] = HSEL_NONE;
    return HSEL_OK;
}

int hs_labels_add_object(hs_labels *labels, const char *id, size_t length, uint32_t line,
                         uint32_t *object, hsel_error *error)
{
    bool added;
    HS_TRY(hs_names_intern(&labels->ids, id, length, object, &added, error));
    if (!added)
        return HSEL_OK;
    HS_NEED(HS_GROW(&labels->line, &labels->line_capacity, labels->ids.count));
    labels->line[*object] = line;
    for (size_t k = 0; k < labels->column_count; k++) {
        hs_label_column *column = &labels->columns[k];
        HS_NEED(HS_GROW(&column->class_of, &column->capacity, labels->ids.count));
        column->class_of[*object] = HSEL_NONE;
    }
    return HSEL_OK;
}

/* The object is of this class (HSEL_NONE: it says none). Returns the class that it had before if
 * that is another one and such conflicts are errors, else HSEL_NONE. */
static uint32_t give_class(hs_labels *labels, size_t column, uint32_t object, uint32_t code,
                           int conflicts)
{
    uint32_t *now = &labels->columns[column].class_of[object], before = *now;
    if (before == HS_CONFLICTING || code == HSEL_NONE)
        return HSEL_NONE;
    if (before == HSEL_NONE || code == HS_CONFLICTING)
        *now = code;
    else if (before == code || conflicts == HS_CONFLICTS_FIRST)
        labels->repeated += column == 0;
    else if (conflicts == HS_CONFLICTS_ERROR)
        return before;
    else
        *now = HS_CONFLICTING;
    return HSEL_NONE;
}

/* Does the name of a column consist of words that only a header has: "gene", "Entrez gene ID"? */
static bool says_header(const char *name)
{
    static const char *const words[] = {"id",     "ids",     "identifier", "gene",      "genes",
                                        "geneid", "entrez",  "entrezid",   "symbol",    "ensembl",
                                        "object", "protein", "uniprot",    "accession", "stable",
                                        "sample", "name",    "class",      "label",     "labels",
                                        "group",  "target",  "category",   "phenotype"};
    bool any = false;
    for (size_t size; *name; name += size + (name[size] != '\0')) {
        size_t w = 0;
        size = strcspn(name, " _-.");
        while (size && w < sizeof words / sizeof words[0] && !hs_equal_nocase(name, size, words[w]))
            w++;
        if (w == sizeof words / sizeof words[0])
            return false;
        any = any || size;
    }
    return any;
}

/* Whether a column of metadata is not the class, unless it is asked for. */
static bool has_other_use(const hs_names *names, uint32_t column, const hs_label_options *options,
                          uint32_t id_column)
{
    bool has = column == id_column && options->others.count;
    for (size_t i = 0; i < options->others.count; i++)
        has = has || strcmp(options->others.items[i], hs_names_get(names, column)) == 0;
    return has;
}

/* The columns of classes: into columns[names->count], none of them that of the identifiers. */
static int find_classes(const hs_names *names, const hs_label_options *options, uint32_t id_column,
                        const char *file, uint32_t *columns, uint32_t *count, bool *by_name,
                        hsel_error *error)
{
    const hs_list *asked = &options->classes;
    *count = 0;
    uint32_t last = names->count > 1 && !options->no_class ? names->count : 0;
    while (last && !asked->count && has_other_use(names, last - 1, options, id_column))
        last--;
    if (!asked->count && last)
        columns[(*count)++] = last - 1;
    bool all = asked->count == 1 && strcmp(asked->items[0], "all") == 0 &&
               hs_names_find(names, "all", 3) == HSEL_NONE;
    for (uint32_t c = 0; all && c < names->count; c++)
        if (c != id_column)
            columns[(*count)++] = c;
    for (size_t i = 0; !all && i < asked->count; i++) {
        uint32_t column;
        HS_TRY(hs_column_find(names, asked->items[i], file, &column, error));
        *by_name = *by_name || strcmp(hs_names_get(names, column), asked->items[i]) == 0;
        for (uint32_t c = 0; c < *count; c++)
            if (columns[c] == column)
                return hs_fail_at(error, HSEL_EUSAGE, file, 0, "class %s is given twice",
                                  hs_names_get(names, column));
        columns[(*count)++] = column;
    }
    for (uint32_t c = 0; c < *count; c++)
        if (columns[c] == id_column)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "identifier and class are the same column of the label table (%s)",
                              hs_names_get(names, id_column));
    return HSEL_OK;
}

/* The rows of a table: the identifier and the classes of each, "" for a class that is missing. */
typedef struct rows {
    hs_about cells;
    uint32_t *line, count;
    size_t capacity;
} rows;

static void label_rows_clear(rows *r)
{
    hs_about_clear(&r->cells);
    hs_free(r->line);
}

/* Reads these columns of all rows, the first line too. */
static int label_rows_read(hs_table *table, const uint32_t *columns, uint32_t count, rows *r,
                           hsel_error *error)
{
    const hs_field *fields = table->fields;
    int got = 1;
    for (uint32_t c = 0; c < count; c++)
        HS_TRY(hs_names_append(&r->cells.columns, HS_NAME(&table->header, columns[c]), error));
    for (; got > 0; got = hs_table_next(table, &fields, error)) {
        HS_NEED(HS_GROW(&r->line, &r->capacity, (size_t)r->count + 1));
        r->line[r->count++] = table->line < UINT32_MAX ? (uint32_t)table->line : UINT32_MAX;
        for (uint32_t c = 0; c < count; c++) {
            const hs_field *f = &fields[columns[c]];
            bool missing = c && hs_is_missing(f->text, f->length);
            HS_TRY(hs_names_append(&r->cells.cells, f->text, missing ? 0 : f->length, error));
        }
    }
    return got;
}

/* Whether the first line is a header by its class column: no other row has that class, or its
 * identifier. */
static bool is_header(const rows *r)
{
    bool header = hs_about_get(&r->cells, 0, 1) != NULL;
    for (uint32_t i = 1; i < r->count && header; i++)
        for (uint32_t c = 0; c < 2; c++) {
            const char *first = hs_about_get(&r->cells, 0, c),
                       *text = hs_about_get(&r->cells, i, c);
            header = header && !(first && text && strcmp(first, text) == 0);
        }
    return header;
}

static int add_label_row(hs_labels *labels, const rows *r, uint32_t row, int conflicts,
                         hsel_error *error)
{
    uint32_t object, code;
    const char *id = hs_about_get(&r->cells, row, 0);
    if (!id)
        return hs_fail_at(error, HSEL_EFORMAT, labels->source, r->line[row], "no identifier");
    HS_TRY(hs_labels_add_object(labels, id, strlen(id), r->line[row], &object, error));
    for (uint32_t c = 1; c < r->cells.columns.count; c++) {
        hs_names *classes = &labels->columns[c - 1].classes;
        const char *label = hs_about_get(&r->cells, row, c);
        if (!label)
            continue;
        HS_TRY(hs_names_intern(classes, label, strlen(label), &code, NULL, error));
        uint32_t other = give_class(labels, c - 1, object, code, conflicts);
        if (other != HSEL_NONE)
            return hs_fail_at(error, HSEL_EFORMAT, labels->source, r->line[row],
                              "%s has class %s here, but class %s on line %u", id, label,
                              hs_names_get(classes, other), labels->line[object]);
    }
    return HSEL_OK;
}

int hs_labels_read(hs_reader *reader, const hs_label_options *options, hs_labels *out,
                   hsel_error *error)
{
    static const hs_label_options usual = {0};
    HS_OWNS(hs_table_clear) hs_table table = {0};
    HS_OWNS(label_rows_clear) rows r = {0};
    HS_OWNS(hs_names_clear) hs_names seen = {0};
    const char *file = hs_reader_name(reader);
    options = options ? options : &usual;
    HS_NEED(out->source = hs_strdup(file));
    HS_TRY(hs_table_open(reader, 0, &table, error));
    const hs_names *names = &table.header;
    uint32_t id_column = hs_names_find(names, "id", 2), count = 0;
    id_column = id_column == HSEL_NONE ? 0 : id_column;
    bool by_name = false, added;
    /* Of the identifiers, then those of the classes. */
    HS_OWNED uint32_t *columns = HS_NEW(uint32_t, names->count + options->classes.count + 1);
    HS_NEED(columns);
    if (options->id && names->count > 1) {
        HS_TRY(hs_column_find(names, options->id, file, &id_column, error));
        by_name = strcmp(hs_names_get(names, id_column), options->id) == 0;
    }
    if (names->count > 1)
        HS_TRY(find_classes(names, options, id_column, file, columns + 1, &count, &by_name, error));
    if (count > 1 && options->header == HS_HEADER_NO)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                          "several columns of classes need a header with their names");
    columns[0] = id_column;
    for (uint32_t c = 1; c <= count && count > 1; c++) {
        const char *name = hs_names_get(names, columns[c]);
        if (!*name && c > 1)
            return hs_fail_line(error, reader, "column %u has no name in the header",
                                columns[c] + 1);
        HS_TRY(hs_names_intern(&seen, name, strlen(name), &(uint32_t){0}, &added, error));
        if (!added)
            return hs_fail_line(error, reader, "two columns are called %.200s", name);
    }
    HS_TRY(label_rows_read(&table, columns, count + 1, &r, error));

    const char *id = hs_names_get(names, id_column);
    const char *label = count ? hs_names_get(names, columns[1]) : NULL;
    bool automatic = options->header == HS_HEADER_AUTO && count < 2;
    bool said = automatic && (by_name || !*id || says_header(id));
    bool by_class = automatic && !said && is_header(&r);
    bool header = count > 1 || options->header == HS_HEADER_YES || said || by_class;
    if (header)
        HS_NEED(out->id_column = hs_strdup(id));
    HS_TRY(hs_labels_add_column(out, header ? label : NULL, error));
    for (uint32_t c = 2; c <= count; c++)
        HS_TRY(hs_labels_add_column(out, hs_names_get(names, columns[c]), error));
    for (uint32_t i = header; i < r.count; i++)
        HS_TRY(add_label_row(out, &r, i, options->conflicts, error));
    if (by_class)
        out->header_guessed = !says_header(label);
    else if (said && !by_name && label)
        out->header_guessed =
            hs_names_find(&out->columns->classes, label, strlen(label)) != HSEL_NONE;
    return out->ids.count ? HSEL_OK : hs_fail_at(error, HSEL_EFORMAT, file, 0, "no labels in it");
}

int hs_labels_list(const hs_names *ids, hs_labels *out, hsel_error *error)
{
    uint32_t object;
    HS_TRY(hs_labels_add_column(out, NULL, error));
    for (uint32_t i = 0; i < ids->count; i++)
        HS_TRY(hs_labels_add_object(out, HS_NAME(ids, i), 0, &object, error));
    return HSEL_OK;
}

/* The column that another of this name goes to, made if it is new. */
static int find_label_column(hs_labels *labels, const char *name, size_t *out, hsel_error *error)
{
    for (*out = 0; *out < labels->column_count; ++*out)
        if (labels->columns[*out].name && strcmp(labels->columns[*out].name, name) == 0)
            return HSEL_OK;
    return hs_labels_add_column(labels, name, error);
}

int hs_labels_join(hs_labels *labels, hs_labels *more, int conflicts, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf stem = {0};
    for (size_t k = 0; k < more->column_count; k++) {
        hs_label_column *from = &more->columns[k];
        hs_names *own = &labels->columns->classes;
        const char *name = from->name;
        size_t column = 0;
        if (!name) {
            hs_name_from_path(more->source ? more->source : "", &stem);
            hs_buf_text(&stem, stem.length ? "" : "class");
            HS_NEED(!stem.failed);
            name = stem.text;
        }
        /* Without classes so far, the column of the other table is used. */
        if (from->classes.count && own->count) {
            HS_TRY(find_label_column(labels, name, &column, error));
        } else if (from->classes.count) {
            HS_FREE(labels->columns->name, labels->id_column);
            labels->columns->name = hs_take(&from->name);
            labels->id_column = hs_take(&more->id_column);
        }
        for (uint32_t i = 0; i < more->ids.count; i++) {
            hs_names *classes = &labels->columns[column].classes;
            const char *label = hs_label_of(from, i);
            uint32_t code = from->class_of[i], object;
            HS_TRY(hs_labels_add_object(labels, HS_NAME(&more->ids, i), more->line[i], &object,
                                        error));
            if (label)
                HS_TRY(hs_names_intern(classes, label, strlen(label), &code, NULL, error));
            uint32_t other = give_class(labels, column, object, code, conflicts);
            if (other != HSEL_NONE)
                return hs_fail_at(error, HSEL_EFORMAT, more->source, more->line[i],
                                  "%.200s has class %.200s here, but class %.200s in a label table "
                                  "before",
                                  hs_names_get(&more->ids, i), label, hs_names_get(classes, other));
        }
    }
    return HSEL_OK;
}

int hs_labels_load(const char *path, const hs_label_options *options, hs_labels *out,
                   hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    return hs_fail_placed(error, reader, hs_labels_read(reader, options, out, error));
}

int hs_labels_rename(hs_labels *labels, const hs_names *to, const bool *leave, int conflicts,
                     hsel_error *error)
{
    /* Objects are only merged, so a new number is never above the old one. */
    HS_OWNS(hs_names_clear) hs_names old = labels->ids;
    labels->ids = (hs_names){0};
    for (uint32_t i = 0; i < old.count; i++) {
        const char *given = hs_names_get(&old, i), *name = hs_names_get(to, i);
        uint32_t line = labels->line[i], object;
        bool added;
        if (leave[i])
            continue;
        HS_TRY(hs_names_intern(&labels->ids, HS_NAME(to, i), &object, &added, error));
        if (added) {
            bool same = strcmp(given, name) == 0;
            HS_TRY(hs_names_append(&labels->given, given, same ? 0 : strlen(given), error));
            labels->line[object] = line;
        }
        for (size_t k = 0; k < labels->column_count; k++) {
            hs_label_column *column = &labels->columns[k];
            uint32_t code = column->class_of[i];
            if (added)
                column->class_of[object] = HSEL_NONE;
            uint32_t other = give_class(labels, k, object, code, conflicts);
            if (other == HSEL_NONE)
                continue;
            const char *first = hs_names_get(&labels->given, object);
            return hs_fail_at(error, HSEL_EFORMAT, labels->source, line,
                              "%.200s is the same object (%.200s) as %.200s on line %u, but has "
                              "class %.200s here and class %.200s there",
                              given, name, *first ? first : name, labels->line[object],
                              hs_names_get(&column->classes, code),
                              hs_names_get(&column->classes, other));
        }
    }
    return HSEL_OK;
}

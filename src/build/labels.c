/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading label tables. The first line is taken as a row like the others at first; whether it was
 * the header is known when the classes of all rows are, and then it is taken out again.
 */
#include "build/labels.h"

#include <string.h>

#include "load/folder.h"
#include "format/table.h"

const hs_option hs_label_table[] = {
    HS_TEXT(hs_label_options, id, "id", "NAME|INDEX", NULL,
            "column of the identifiers in the label table (default: the first)"),
    HS_OPTION(hs_label_options, classes, "class", "NAME|INDEX,…", NULL, 0, 0,
              "columns of classes in the label table, the first of which the data set has in use; "
              "all: every one but the identifiers (default: the last)"),
    HS_CHOICE(hs_label_options, conflicts, "conflicts", "error|drop|first", "error",
              "what to do with an object that has two different labels"),
    HS_CHOICE(hs_label_options, header, "label-header", "auto|yes|no", "auto",
              "whether the first line of the label table is a header"),
    HS_OPTION_END};

void hs_labels_clear(hs_labels *labels)
{
    hs_free(labels->source);
    HS_CLEAR_NAMES(&labels->ids, &labels->classes, &labels->given);
    for (size_t i = 0; i < labels->further_count; i++)
        hs_labels_clear(&labels->further[i]);
    HS_FREE(labels->class_of, labels->conflicting, labels->line, labels->id_column,
            labels->class_column, labels->further);
    *labels = (hs_labels){0};
}

static bool is_missing(const hs_field *f) { return hs_is_missing(f->text, f->length); }

/* The object of the row is of the class (NULL: it has none). *other is the class that it had before
 * if that is another one and such conflicts are errors, else HSEL_NONE. */
static int give_class(hs_labels *labels, const char *id, size_t id_length, const char *label,
                      size_t length, uint32_t line, int conflicts, uint32_t *other,
                      hsel_error *error)
{
    uint32_t row, code = HSEL_NONE;
    bool added;
    size_t need = (size_t)labels->ids.count + 1;
    *other = HSEL_NONE;
    HS_NEED(HS_GROW(&labels->class_of, &labels->class_capacity, need) &&
            HS_GROW(&labels->conflicting, &labels->conflict_capacity, need) &&
            HS_GROW(&labels->line, &labels->line_capacity, need));
    if (label)
        HS_TRY(hs_names_intern(&labels->classes, label, length, &code, NULL, error));
    HS_TRY(hs_names_intern(&labels->ids, id, id_length, &row, &added, error));
    if (added) {
        labels->class_of[row] = code;
        labels->conflicting[row] = false;
        labels->line[row] = line;
    } else if (labels->conflicting[row] || !label) {
        return HSEL_OK;
    } else if (labels->class_of[row] == HSEL_NONE) {
        labels->class_of[row] = code;
    } else if (labels->class_of[row] == code || conflicts == HS_CONFLICTS_FIRST) {
        labels->repeated++;
    } else if (conflicts == HS_CONFLICTS_ERROR) {
        *other = labels->class_of[row];
    } else {
        labels->conflicting[row] = true;
        labels->class_of[row] = HSEL_NONE;
    }
    return HSEL_OK;
}

/* class_field NULL: the table has no classes. */
static int add_label(const hs_table *table, const hs_label_options *options, hs_labels *labels,
                     const hs_field *id_field, const hs_field *class_field, hsel_error *error)
{
    uint32_t other, line = table->line < UINT32_MAX ? (uint32_t)table->line : UINT32_MAX;
    if (!id_field->length)
        return hs_table_fail(table, error, "no identifier");
    if (class_field && is_missing(class_field))
        class_field = NULL;
    HS_TRY(give_class(labels, id_field->text, id_field->length,
                      class_field ? class_field->text : NULL, class_field ? class_field->length : 0,
                      line, options->conflicts, &other, error));
    if (other == HSEL_NONE)
        return HSEL_OK;
    uint32_t id = hs_names_find(&labels->ids, id_field->text, id_field->length);
    return hs_table_fail(table, error, "%s has class %s here, but class %s on line %u",
                         id_field->text, class_field->text, hs_names_get(&labels->classes, other),
                         labels->line[id]);
}

/* Takes out the first of the names. */
static int drop_first(hs_names *names, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names all = *names;
    *names = (hs_names){0};
    for (uint32_t i = 1; i < all.count; i++)
        HS_TRY(hs_names_append(names, HS_NAME(&all, i), error));
    return hs_names_index(names, error);
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

/* The columns of classes: into columns[names->count], none of them that of the identifiers. */
static int find_classes(const hs_names *names, const hs_label_options *options, uint32_t id_column,
                        const char *file, uint32_t *columns, uint32_t *count, bool *by_name,
                        hsel_error *error)
{
    const hs_list *asked = &options->classes;
    *count = 0;
    if (!asked->count && names->count > 1)
        columns[(*count)++] = names->count - 1;
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
                return hs_fail_at(error, HSEL_EUSAGE, file, 0, "class %s is asked for twice",
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

int hs_labels_read(hs_reader *reader, const hs_label_options *options, hs_labels *out,
                   hsel_error *error)
{
    static const hs_label_options usual = {0};
    HS_OWNS(hs_table_clear) hs_table table = {0};
    const char *file = hs_reader_name(reader);
    options = options ? options : &usual;
    HS_NEED(out->source = hs_strdup(file));
    HS_TRY(hs_table_open(reader, 0, &table, error));
    const hs_names *names = &table.header;
    uint32_t id_column = 0, count = 0;
    bool by_name = false, automatic = options->header == HS_HEADER_AUTO;
    HS_OWNED uint32_t *columns = HS_NEW(uint32_t, names->count + options->classes.count);
    HS_OWNS(hs_names_clear) hs_names seen = {0};
    HS_NEED(columns);
    if (options->id && names->count > 1) {
        HS_TRY(hs_column_find(names, options->id, file, &id_column, error));
        by_name = strcmp(hs_names_get(names, id_column), options->id) == 0;
    }
    if (names->count > 1)
        HS_TRY(find_classes(names, options, id_column, file, columns, &count, &by_name, error));
    const char *id = hs_names_get(names, id_column);
    const char *label = count ? hs_names_get(names, columns[0]) : NULL;
    const hs_field *fields = table.fields; /* of the first line as yet */
    if (count > 1) {                       /* further ones need names */
        if (options->header == HS_HEADER_NO)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "several columns of classes need a header with their names");
        automatic = false;
        HS_NEED(out->further = HS_NEW_ZERO(hs_labels, count - 1));
        for (uint32_t c = 0; c < count; c++) {
            const char *name = hs_names_get(names, columns[c]);
            uint32_t number;
            bool added;
            if (!*name && c)
                return hs_fail_line(error, reader, "column %u has no name in the header",
                                    columns[c] + 1);
            HS_TRY(hs_names_intern(&seen, name, strlen(name), &number, &added, error));
            if (!added)
                return hs_fail_line(error, reader, "two columns are called %.200s", name);
            if (!c)
                continue;
            out->further_count++;
            HS_NEED(out->further[c - 1].class_column = hs_strdup(name));
        }
    }
    bool header = count > 1 || options->header == HS_HEADER_YES ||
                  (automatic && (by_name || !*id || says_header(id)));
    /* A class in the first line tells, further below, whether it is a header. */
    bool told = !header && count && !is_missing(&fields[columns[0]]);
    if (!header)
        HS_TRY(add_label(&table, options, out, &fields[id_column],
                         count ? &fields[columns[0]] : NULL, error));

    uint64_t first_class_rows = 1;
    int got;
    while ((got = hs_table_next(&table, &fields, error)) > 0) {
        const hs_field *next = count ? &fields[columns[0]] : NULL;
        HS_TRY(add_label(&table, options, out, &fields[id_column], next, error));
        for (uint32_t c = 1; c < count; c++)
            HS_TRY(add_label(&table, options, &out->further[c - 1], &fields[id_column],
                             &fields[columns[c]], error));
        first_class_rows +=
            next && out->classes.count && strcmp(next->text, hs_names_get(&out->classes, 0)) == 0;
    }
    if (got < 0)
        return got;

    if (told && automatic && out->ids.count && first_class_rows == 1) {
        /* Row 0 was the header: its class is class 0, and no other row's. */
        header = true;
        out->header_guessed = !says_header(label);
        HS_TRY(drop_first(&out->ids, error));
        HS_TRY(drop_first(&out->classes, error));
        memmove(out->class_of, out->class_of + 1, out->ids.count * sizeof *out->class_of);
        memmove(out->conflicting, out->conflicting + 1, out->ids.count);
        memmove(out->line, out->line + 1, out->ids.count * sizeof *out->line);
        for (uint32_t i = 0; i < out->ids.count; i++)
            if (out->class_of[i] != HSEL_NONE)
                out->class_of[i]--;
    } else if (header && automatic && !by_name && label) {
        out->header_guessed = hs_names_find(&out->classes, label, strlen(label)) != HSEL_NONE;
    }
    if (header)
        HS_NEED((out->id_column = hs_strdup(id)) &&
                (!label || (out->class_column = hs_strdup(label))));
    return out->ids.count ? HSEL_OK : hs_fail_at(error, HSEL_EFORMAT, file, 0, "no labels in it");
}

int hs_labels_list(const hs_names *ids, hs_labels *out, hsel_error *error)
{
    uint32_t other;
    for (uint32_t i = 0; i < ids->count; i++)
        HS_TRY(give_class(out, HS_NAME(ids, i), NULL, 0, 0, 0, &other, error));
    return HSEL_OK;
}

int hs_labels_join(hs_labels *labels, hs_labels *more, int conflicts, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf stem = {0};
    HS_OWNS(hs_names_clear) hs_names there = {0}; /* the names of labels->further */
    uint32_t other;
    bool added;
    for (size_t i = 0; i < labels->further_count; i++)
        HS_TRY(hs_names_intern(&there, labels->further[i].class_column,
                               strlen(labels->further[i].class_column), &other, &added, error));
    for (size_t k = 0; k <= more->further_count; k++) {
        const hs_labels *from = k ? &more->further[k - 1] : more;
        const char *name = from->class_column;
        hs_labels *to = NULL;
        if (!name) {
            hs_name_from_path(more->source ? more->source : "", &stem);
            hs_buf_text(&stem, stem.length ? "" : "class");
            HS_NEED(!stem.failed);
            name = stem.text;
        }
        /* A list of identifiers takes the classes of whoever comes first. */
        if (!from->classes.count || !labels->classes.count ||
            (labels->class_column && strcmp(labels->class_column, name) == 0))
            to = labels;
        if (!to && (other = hs_names_find(&there, name, strlen(name))) != HSEL_NONE)
            to = &labels->further[other];
        if (!to) {
            hs_labels *grown =
                hs_realloc(labels->further, labels->further_count + 1, sizeof *labels->further);
            HS_NEED(grown);
            labels->further = grown;
            to = &grown[labels->further_count++];
            *to = (hs_labels){.class_column = hs_strdup(name)};
            HS_NEED(to->class_column);
            HS_TRY(hs_names_intern(&there, name, strlen(name), &other, &added, error));
        } else if (to == labels && from->classes.count && !labels->classes.count) {
            HS_FREE(labels->class_column, labels->id_column);
            labels->class_column = labels->id_column = NULL;
            HS_NEED(!from->class_column || (labels->class_column = hs_strdup(name)));
            HS_NEED(!more->id_column || (labels->id_column = hs_strdup(more->id_column)));
        }
        for (uint32_t i = 0; i < from->ids.count; i++) {
            uint32_t code = from->class_of[i];
            const char *label = code == HSEL_NONE ? NULL : hs_names_get(&from->classes, code);
            HS_TRY(give_class(to, HS_NAME(&from->ids, i), label, label ? strlen(label) : 0,
                              from->line[i], conflicts, &other, error));
            if (other != HSEL_NONE)
                return hs_fail_at(error, HSEL_EFORMAT, more->source, from->line[i],
                                  "%.200s has class %.200s here, but class %.200s in a label table "
                                  "before",
                                  hs_names_get(&from->ids, i), label,
                                  hs_names_get(&to->classes, other));
            if (from->conflicting[i])
                to->conflicting[hs_names_find(&to->ids, HS_NAME(&from->ids, i))] = true;
            if (to != labels) /* the object is there, whatever its class */
                HS_TRY(give_class(labels, HS_NAME(&from->ids, i), NULL, 0, from->line[i], conflicts,
                                  &other, error));
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
    HS_OWNS(hs_labels_clear)
    hs_labels old = {.ids = labels->ids,
                     .class_of = labels->class_of,
                     .conflicting = labels->conflicting,
                     .line = labels->line};
    uint32_t other;
    labels->ids = (hs_names){0};
    labels->class_of = labels->line = NULL;
    labels->conflicting = NULL;
    labels->class_capacity = labels->conflict_capacity = labels->line_capacity = 0;
    for (uint32_t i = 0; i < old.ids.count; i++) {
        const char *given = hs_names_get(&old.ids, i), *name = hs_names_get(to, i);
        uint32_t before = labels->ids.count, code = old.class_of[i];
        if (leave[i])
            continue;
        const char *label = code == HSEL_NONE ? NULL : hs_names_get(&labels->classes, code);
        HS_TRY(give_class(labels, HS_NAME(to, i), label, label ? strlen(label) : 0, old.line[i],
                          conflicts, &other, error));
        uint32_t id = hs_names_find(&labels->ids, HS_NAME(to, i));
        if (other != HSEL_NONE) {
            const char *first = hs_names_get(&labels->given, id);
            return hs_fail_at(error, HSEL_EFORMAT, labels->source, old.line[i],
                              "%.200s is the same object (%.200s) as %.200s on line %u, but has "
                              "class %.200s here and class %.200s there",
                              given, name, *first ? first : name, labels->line[id], label,
                              hs_names_get(&labels->classes, other));
        }
        labels->conflicting[id] |= old.conflicting[i];
        given = strcmp(given, name) == 0 ? "" : given;
        if (labels->ids.count > before)
            HS_TRY(hs_names_append(&labels->given, given, strlen(given), error));
    }
    for (size_t k = 0; k < labels->further_count; k++) { /* whose objects are among these */
        hs_labels *more = &labels->further[k];
        HS_OWNS(hs_names_clear) hs_names names = {0};
        HS_OWNED bool *out = HS_NEW(bool, more->ids.count);
        HS_NEED(out);
        for (uint32_t i = 0; i < more->ids.count; i++) {
            uint32_t at = hs_names_find(&old.ids, HS_NAME(&more->ids, i));
            out[i] = leave[at];
            HS_TRY(hs_names_append(&names, HS_NAME(to, at), error));
        }
        HS_TRY(hs_labels_rename(more, &names, out, conflicts, error));
    }
    return HSEL_OK;
}

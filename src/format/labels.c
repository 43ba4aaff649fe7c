/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading label tables. The first line is taken as a row like the others at first; whether it was
 * the header is known when the classes of all rows are, and then it is taken out again.
 */
#include "format/labels.h"

#include <string.h>

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
    hs_names_clear(&labels->given);
    HS_FREE(labels->class_of, labels->line, labels->id_column, labels->class_column);
    *labels = (hs_labels){0};
}

static bool is_missing(const hs_field *f)
{
    return f->length == 0 || strcmp(f->text, "?") == 0 || strcmp(f->text, "NA") == 0;
}

static int add_label(const hs_table *table, const hs_label_options *options, hs_labels *labels,
                     const hs_field *id_field, const hs_field *class_field, hsel_error *error)
{
    uint32_t id, code;
    bool added;
    if (!id_field->length)
        return hs_table_fail(table, error, "no identifier");
    if (is_missing(class_field)) {
        labels->without_class++;
        return HSEL_OK;
    }
    size_t need = (size_t)labels->ids.count + 1;
    HS_NEED(HS_GROW(&labels->class_of, &labels->class_capacity, need) &&
            HS_GROW(&labels->line, &labels->line_capacity, need));
    HS_TRY(hs_names_intern(&labels->classes, class_field->text, class_field->length, &code, NULL,
                           error));
    HS_TRY(hs_names_intern(&labels->ids, id_field->text, id_field->length, &id, &added, error));
    uint32_t *known = &labels->class_of[id];
    if (added) {
        *known = code;
        labels->line[id] = table->line < UINT32_MAX ? (uint32_t)table->line : UINT32_MAX;
    } else if (*known == HSEL_NONE) {
        return HSEL_OK;
    } else if (*known == code || options->conflicts == HS_CONFLICTS_FIRST) {
        labels->repeated++;
    } else if (options->conflicts == HS_CONFLICTS_ERROR) {
        return hs_table_fail(table, error, "%s has class %s here, but class %s on line %u",
                             hs_names_get(&labels->ids, id), hs_names_get(&labels->classes, code),
                             hs_names_get(&labels->classes, *known), labels->line[id]);
    } else {
        *known = HSEL_NONE; /* not to be used */
    }
    return HSEL_OK;
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
    if (names->count < 2)
        return hs_fail_line(error, reader,
                            "a label table needs an identifier and a class, with a tab, a comma "
                            "or a semicolon between them");
    const char *asked[2] = {options->id, options->class_name}; /* identifier, class */
    uint32_t column[2] = {0, names->count - 1};
    bool by_name = false, automatic = options->header == HS_HEADER_AUTO;
    for (int i = 0; i < 2; i++)
        if (asked[i]) {
            HS_TRY(hs_column_find(names, asked[i], file, &column[i], error));
            by_name = by_name || strcmp(hs_names_get(names, column[i]), asked[i]) == 0;
        }
    const char *id = hs_names_get(names, column[0]), *label = hs_names_get(names, column[1]);
    if (column[0] == column[1])
        return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                          "identifier and class are the same column of the label table (%s)", id);
    const hs_field *fields = table.fields; /* of the first line as yet */
    bool header =
        options->header == HS_HEADER_YES ||
        (automatic && (by_name || !*id || is_missing(&fields[column[1]]) || says_header(id)));
    if (!header)
        HS_TRY(add_label(&table, options, out, &fields[column[0]], &fields[column[1]], error));

    uint64_t first_class_rows = 1;
    int got;
    while ((got = hs_table_next(&table, &fields, error)) > 0) {
        const hs_field *next = &fields[column[1]];
        HS_TRY(add_label(&table, options, out, &fields[column[0]], next, error));
        first_class_rows +=
            out->classes.count && strcmp(next->text, hs_names_get(&out->classes, 0)) == 0;
    }
    if (got < 0)
        return got;

    if (!header && automatic && out->ids.count && first_class_rows == 1) {
        /* Row 0 was the header: its class is class 0, and no other row's. */
        header = true;
        out->header_guessed = !says_header(label);
        HS_TRY(drop_first(&out->ids, error));
        HS_TRY(drop_first(&out->classes, error));
        memmove(out->class_of, out->class_of + 1, out->ids.count * sizeof *out->class_of);
        memmove(out->line, out->line + 1, out->ids.count * sizeof *out->line);
        for (uint32_t i = 0; i < out->ids.count; i++)
            if (out->class_of[i] != HSEL_NONE)
                out->class_of[i]--;
    } else if (header && automatic && !by_name) {
        out->header_guessed = hs_names_find(&out->classes, label, strlen(label)) != HSEL_NONE;
    }
    if (header)
        HS_NEED((out->id_column = hs_strdup(id)) && (out->class_column = hs_strdup(label)));
    return out->ids.count ? HSEL_OK : hs_fail_at(error, HSEL_EFORMAT, file, 0, "no labels in it");
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
    HS_OWNS(hs_names_clear) hs_names old = labels->ids;
    uint32_t *class_of = labels->class_of, *line = labels->line, id;
    labels->ids = (hs_names){0};
    for (uint32_t i = 0; i < old.count; i++) {
        const char *given = hs_names_get(&old, i), *name = hs_names_get(to, i);
        bool added;
        if (leave[i])
            continue;
        HS_TRY(hs_names_intern(&labels->ids, HS_NAME(to, i), &id, &added, error));
        if (added) { /* no row is moved down */
            class_of[id] = class_of[i];
            line[id] = line[i];
            given = strcmp(given, name) == 0 ? "" : given;
            HS_TRY(hs_names_append(&labels->given, given, strlen(given), error));
        } else if (class_of[id] == HSEL_NONE || class_of[i] == HSEL_NONE) {
            class_of[id] = HSEL_NONE;
        } else if (class_of[id] == class_of[i] || conflicts == HS_CONFLICTS_FIRST) {
            labels->repeated++;
        } else if (conflicts == HS_CONFLICTS_ERROR) {
            const char *first = hs_names_get(&labels->given, id);
            return hs_fail_at(error, HSEL_EFORMAT, labels->source, line[i],
                              "%.200s is the same object (%.200s) as %.200s on line %u, but has "
                              "class %.200s here and class %.200s there",
                              given, name, *first ? first : name, line[id],
                              hs_names_get(&labels->classes, class_of[i]),
                              hs_names_get(&labels->classes, class_of[id]));
        } else {
            class_of[id] = HSEL_NONE;
        }
    }
    return HSEL_OK;
}

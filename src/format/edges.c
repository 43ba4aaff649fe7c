/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edge lists: one edge a line, child and parent (or parent and child) with a tab, a comma or blanks
 * between. A first line of column names is recognised; if it says which column is the child, that
 * holds. Terms are numbered in order of appearance, edges keep the order of the file.
 */
#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"
#include "format/term_lines.h"

static const char *separator_name(char separator)
{
    return separator == '\t' ? "a tab" : separator == ',' ? "a comma" : "blanks";
}

static bool field_is(const hs_term_field *field, const char *word)
{
    return hs_equal_nocase(field->text, field->length, word);
}

typedef enum header { NO_HEADER, HEADER_CHILD_PARENT, HEADER_PARENT_CHILD, HEADER_EITHER } header;

static header header_of(const hs_term_field *fields)
{
    if (field_is(&fields[0], "child") && field_is(&fields[1], "parent"))
        return HEADER_CHILD_PARENT;
    if (field_is(&fields[0], "parent") && field_is(&fields[1], "child"))
        return HEADER_PARENT_CHILD;
    if (field_is(&fields[0], "source") && field_is(&fields[1], "target"))
        return HEADER_EITHER;
    return NO_HEADER;
}

/* The two names of the first line that says something, for a look at them only. */
static header header_at(const char *line, size_t length, char separator)
{
    const char *feed = memchr(line, '\n', length);
    size_t size = feed ? (size_t)(feed - line) : length;
    const char *split = memchr(line, separator, size);
    if (!split)
        return NO_HEADER;
    const char *names[2] = {line, split + 1};
    size_t lengths[2] = {(size_t)(split - line), size - (size_t)(split - line) - 1};
    hs_term_field fields[2];
    for (int i = 0; i < 2; i++) {
        hs_trim(&names[i], &lengths[i]);
        fields[i] = (hs_term_field){(char *)names[i], lengths[i]};
    }
    return header_of(fields);
}

static int sniff(const char *head, size_t length)
{
    const char *first = hs_first_content(head, length, '#');
    if (!first || !hs_looks_like_text(head, length) || strchr("<@[{%", *first))
        return 0;
    hs_lines_look look = hs_term_lines_look(head, length);
    if (look.least != 2 || look.most != 2)
        return 0;
    if (header_at(first, length - (size_t)(first - head), look.separator))
        return 90; /* it says so itself */
    return look.separator == '\t' ? 60 : look.separator == ',' ? 55 : 40;
}

static int check_fields(const hs_term_lines *lines, hsel_error *error)
{
    const char *name = hs_reader_name(lines->reader);
    if (lines->count != 2)
        return hs_fail_at(error, HSEL_EFORMAT, name, lines->line,
                          "expected two names with %s between, found %zu",
                          separator_name(lines->separator), lines->count);
    if (!lines->fields[0].length || !lines->fields[1].length)
        return hs_fail_at(error, HSEL_EFORMAT, name, lines->line, "the %s name is empty",
                          lines->fields[0].length ? "second" : "first");
    return HSEL_OK;
}

/* What the header says about the columns: `direction` follows it. */
static int follow_header(header found, const hs_term_lines *lines, int *direction,
                         hsel_error *error)
{
    if (found == HEADER_CHILD_PARENT && *direction == HS_PARENT_CHILD)
        return hs_fail_at(
            error, HSEL_EUSAGE, hs_reader_name(lines->reader), lines->line,
            "the header puts child before parent, but the other direction was asked for");
    if (found == HEADER_PARENT_CHILD)
        *direction = HS_PARENT_CHILD;
    return HSEL_OK;
}

static int add_edge(const hs_term_lines *lines, int direction, hs_graph *out, hsel_error *error)
{
    const hs_term_field *child = &lines->fields[direction == HS_PARENT_CHILD];
    const hs_term_field *parent = &lines->fields[direction != HS_PARENT_CHILD];
    return hs_graph_named_edge(out, child->text, child->length, parent->text, parent->length,
                               error);
}

static int read_lines(hs_term_lines *lines, int direction, hs_graph *out, hsel_error *error)
{
    int status = 0;
    bool first = true;
    while ((status = hs_term_lines_next(lines, error)) > 0) {
        status = check_fields(lines, error);
        header found = first && status == HSEL_OK ? header_of(lines->fields) : NO_HEADER;
        if (status == HSEL_OK)
            status = found ? follow_header(found, lines, &direction, error)
                           : add_edge(lines, direction, out, error);
        if (status < 0)
            return status;
        first = false;
    }
    if (status == 0 && first)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), 0,
                          "no edges: the file is empty");
    return status;
}

static int read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error)
{
    hs_term_lines lines = {.reader = reader};
    int status = hs_refuse_ontology_options(options, reader, "edges", error);
    if (status == HSEL_OK)
        status = hs_graph_set_source(out, reader, error);
    if (status == HSEL_OK)
        status = read_lines(&lines, options->direction, out, error);
    hs_term_lines_clear(&lines);
    return status;
}

/* Without a header, unless the first edge would be taken for one or there is no edge at all. */
static bool header_needed(const hsel_dataset *data, const hsel_dag *dag)
{
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        if (!count)
            continue;
        const char *names[2] = {hs_names_get(&data->feature_names, v),
                                hs_names_get(&data->feature_names, parents[0])};
        hs_term_field fields[2] = {{(char *)names[0], strlen(names[0])},
                                   {(char *)names[1], strlen(names[1])}};
        return header_of(fields) != NO_HEADER;
    }
    return true;
}

static int put_name(const hsel_dataset *data, uint32_t v, hs_writer *writer, hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    return name ? hs_put_tab_name(writer, name, length, error) : HSEL_EUNSUPPORTED;
}

static int write_graph(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                       hsel_error *error)
{
    (void)known;
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    if (header_needed(data, dag))
        hs_writer_text(writer, "child\tparent\n");
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        for (size_t i = 0; i < count; i++) {
            int status = put_name(data, v, writer, error);
            hs_writer_char(writer, '\t');
            if (status == HSEL_OK)
                status = put_name(data, parents[i], writer, error);
            if (status < 0)
                return status;
            hs_writer_char(writer, '\n');
        }
    }
    return HSEL_OK;
}

static const hs_format format = {.endings = "tsv edges",
                                 .sniff = sniff,
                                 .read_graph = read_graph,
                                 .write_graph = write_graph,
                                 .has_direction = true};

const hs_method hs_method_edges = {
    .kind = HS_FORMAT,
    .name = "edges",
    .title = "edge list",
    .help = "A hierarchy with one edge a line: child, then parent, or the other way round with the "
            "direction option. "
            "Names are separated by a tab if the first line has exactly one, else by a comma (CSV "
            "with quotes), else "
            "by blanks. A first line child/parent, parent/child or source/target is a header. "
            "Lines that start with # "
            "are comments. A file in which every line has two names is taken for an edge list, one "
            "in which the "
            "number varies for ancestor lists (ancestors); --format or --hierarchy-format decides "
            "when in doubt. "
            "Written as child, tab, parent; terms without an edge are not in it.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &format};

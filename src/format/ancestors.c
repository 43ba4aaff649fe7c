/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ancestor lists: a line is a term and the terms above it. Each is read as an edge, whether the
 * lists hold direct parents only or all ancestors; a line with just a term declares it. Written are
 * the direct parents.
 */
#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"
#include "format/term_lines.h"

#define PEEK_BYTES ((size_t)64 << 10)

static int sniff(const char *head, size_t length)
{
    const char *first = hs_first_content(head, length, '#');
    if (!first || !hs_looks_like_text(head, length) || strchr("<@[{%", *first))
        return 0;
    hs_lines_look look = hs_term_lines_look(head, length);
    if (look.least != look.most)
        return 30;
    if (look.most == 1) /* counted by blanks if the first line has no other separator */
        return hs_list_separator(head, length) == '\t' || memchr(head, ',', length) ? 30 : 10;
    return look.most == 2 ? 5 : 15; /* an edge list; a table */
}

static int add_line(const hs_term_lines *lines, hs_graph *out, hsel_error *error)
{
    uint32_t term = 0, ancestor = 0;
    const hs_term_field *fields = lines->fields;
    if (!fields[0].length)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), lines->line,
                          "the line does not start with a term");
    int status = hs_names_intern(&out->terms, fields[0].text, fields[0].length, &term, NULL, error);
    for (size_t i = 1; i < lines->count && status == HSEL_OK; i++) {
        if (!fields[i].length) /* a separator at the end, or columns filled up */
            continue;
        status =
            hs_names_intern(&out->terms, fields[i].text, fields[i].length, &ancestor, NULL, error);
        if (status == HSEL_OK)
            status = hs_graph_edge(out, term, ancestor, error);
    }
    return status;
}

static int read_lines(hs_term_lines *lines, hs_graph *out, hsel_error *error)
{
    const char *head = NULL;
    size_t length = 0;
    int status = hs_reader_peek(lines->reader, PEEK_BYTES, &head, &length, error);
    if (status < 0)
        return status;
    lines->separator = hs_list_separator(head, length);
    while ((status = hs_term_lines_next(lines, error)) > 0) {
        status = add_line(lines, out, error);
        if (status < 0)
            return status;
    }
    if (status == 0 && !out->terms.count)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), 0,
                          "no terms: the file is empty");
    return status;
}

static int read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error)
{
    hs_term_lines lines = {.reader = reader};
    int status = hs_refuse_ontology_options(options, reader, "ancestors", error);
    if (status == HSEL_OK)
        status = hs_graph_set_source(out, reader, error);
    if (status == HSEL_OK)
        status = read_lines(&lines, out, error);
    hs_term_lines_clear(&lines);
    return status;
}

static int put_name(const hsel_dataset *data, uint32_t v, hs_writer *writer, hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    return name ? hs_put_csv_name(writer, name, length, error) : HSEL_EUNSUPPORTED;
}

static int write_graph(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                       hsel_error *error)
{
    (void)known;
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        int status = put_name(data, v, writer, error);
        for (size_t i = 0; i < count && status == HSEL_OK; i++) {
            hs_writer_char(writer, ',');
            status = put_name(data, parents[i], writer, error);
        }
        if (status < 0)
            return status;
        hs_writer_char(writer, '\n');
    }
    return HSEL_OK;
}

static const hs_format format = {.endings = "csv ancestors tsv",
                                 .sniff = sniff,
                                 .read_graph = read_graph,
                                 .write_graph = write_graph};

const hs_method hs_method_ancestors = {
    .kind = HS_FORMAT,
    .name = "ancestors",
    .title = "ancestor lists",
    .help =
        "A hierarchy with one line a term: the term, then its parents or all its ancestors, "
        "separated by commas (CSV "
        "with quotes) or, if there is a tab outside quotes, by tabs. A line with just a term "
        "declares it; empty names "
        "are skipped; lines that start with # are comments. Every name after the first becomes "
        "an edge, so a list "
        "of all ancestors gives a transitively closed graph. A file in which every line has "
        "two names is taken "
        "for an edge list (edges); --format or --hierarchy-format decides when in doubt. Written "
        "as term and direct "
        "parents.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &format};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchies as lines of names.
 *
 * Edge lists: one edge per line, child and parent (or parent and child). A first line of column
 * names is recognised; if it says which column is the child, that holds. Terms are numbered in
 * order of appearance, edges keep the order of the file.
 *
 * Ancestor lists: a line is a term and the terms above it. Each is read as an edge, whether the
 * lists hold direct parents only or all ancestors; a line with just a term declares it. Written are
 * the direct parents.
 *
 * The separator is decided once for the whole file, because names with commas are normal between
 * tabs:
 *   tab    names as they are; one that is quoted as a whole ("…", quotes inside doubled) loses its
 *          quotes
 *   comma  CSV: quoted names may hold commas, line ends and doubled quotes; blanks around names do
 *          not count
 *   blank  any run of blanks and tabs separates
 * Blank lines and lines that start with # are skipped.
 */
#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"

#define PEEK_BYTES ((size_t)64 << 10)

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool nothing_to_read(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && is_blank(line[at]))
        at++;
    return at == length || line[0] == '#';
}

/* ---- quotes ---- */

typedef enum csv_state { AT_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE } csv_state;

static csv_state csv_step(csv_state state, char c)
{
    if (state == IN_QUOTES)
        return c == '"' ? AFTER_QUOTE : IN_QUOTES;
    if (state == AFTER_QUOTE && c == '"')
        return IN_QUOTES;
    if (c == ',')
        return AT_START;
    if (state == AT_START)
        return c == '"' ? IN_QUOTES : is_blank(c) ? AT_START : IN_PLAIN;
    return state == AFTER_QUOTE && is_blank(c) ? AFTER_QUOTE : IN_PLAIN;
}

/* "…" as a whole, with every quote inside doubled. */
static bool quoted_whole(const char *text, size_t length)
{
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return false;
    for (size_t i = 1; i < length - 1; i++) {
        if (text[i] != '"')
            continue;
        if (i + 1 == length - 1 || text[i + 1] != '"')
            return false;
        i++;
    }
    return true;
}

/* ---- reading lines ---- */

typedef struct field {
    const char *text; /* in the line, not NUL-terminated */
    size_t length;
} field;

typedef struct term_lines { /* zero-initialise, set reader; term_lines_clear frees */
    hs_reader *reader;
    char separator; /* '\t', ',' or ' '; 0: decided from the first line (edge_separator) */
    field *fields;
    size_t count, capacity;
    unsigned long line; /* the line on which the names start */
} term_lines;

static void term_lines_clear(term_lines *lines) { hs_free(lines->fields); }

/* Tab if the line has exactly one, else comma if it has one, else blank. */
static char edge_separator(const char *line, size_t length)
{
    const char *tab = memchr(line, '\t', length);
    if (tab && !memchr(tab + 1, '\t', (size_t)(line + length - tab - 1)))
        return '\t';
    return memchr(line, ',', length) ? ',' : ' ';
}

/* Tab if one is outside quotes anywhere, else comma. */
static char list_separator(const char *head, size_t length)
{
    csv_state state = AT_START;
    for (size_t at = 0; at < length; at++) {
        bool line_starts = at == 0 || head[at - 1] == '\n';
        if (state != IN_QUOTES && line_starts) {
            state = AT_START;
            const char *end = memchr(head + at, '\n', length - at);
            if (head[at] == '#' && end) {
                at = (size_t)(end - head);
                continue;
            }
        }
        if (head[at] == '\t' && state != IN_QUOTES)
            return '\t';
        state = csv_step(state, head[at]);
    }
    return ',';
}

/* Joins lines while a quote is open. The state goes on where it was, so a long quoted name is
 * scanned once. */
static int close_quotes(term_lines *lines, char **line, size_t *length, hsel_error *error)
{
    if (!memchr(*line, '"', *length))
        return HSEL_OK;
    csv_state state = AT_START;
    for (size_t at = 0;;) {
        for (; at < *length; at++)
            state = csv_step(state, (*line)[at]);
        if (state != IN_QUOTES)
            return HSEL_OK;
        int more = hs_reader_more(lines->reader, line, length, error);
        if (more < 0)
            return more;
        if (more == 0)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), lines->line,
                              "a quoted name is not closed");
    }
}

static int split(term_lines *lines, char *at, char *end, hsel_error *error)
{
    char separator = lines->separator;
    lines->count = 0;
    for (;; at++) {
        while (separator != '\t' && at < end && is_blank(*at))
            at++;
        if (separator == ' ' && at == end)
            return HSEL_OK;
        char *text = at;
        if (separator == '\t') {
            at = memchr(at, '\t', (size_t)(end - at));
            at = at ? at : end;
        } else if (separator == ' ') {
            while (at < end && !is_blank(*at))
                at++;
        } else {
            for (csv_state state = AT_START; at < end; at++) {
                state = csv_step(state, *at);
                if (*at == ',' && state == AT_START)
                    break;
            }
        }
        size_t length = (size_t)(at - text);
        while (separator == ',' && length && is_blank(text[length - 1]))
            length--;
        if (separator != ' ' && quoted_whole(text, length)) {
            size_t to = 0;
            for (size_t from = 1; from < length - 1; from++) {
                text[to++] = text[from];
                if (text[from] == '"')
                    from++;
            }
            length = to;
        } else if (separator == ',' && length && *text == '"') {
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(lines->reader), lines->line,
                              "text after the closing quote in %.*s",
                              length > 80 ? 80 : (int)length, text);
        }
        HS_NEED(HS_GROW(&lines->fields, &lines->capacity, lines->count + 1));
        lines->fields[lines->count++] = (field){text, length};
        if (at >= end)
            return HSEL_OK;
    }
}

/* 1: fields and count are the next line; 0: end; negative: error. */
static int next_names(term_lines *lines, hsel_error *error)
{
    char *line = NULL;
    size_t length = 0;
    int got = 0;
    do {
        got = hs_reader_line(lines->reader, &line, &length, error);
        if (got <= 0)
            return got;
    } while (nothing_to_read(line, length));
    lines->line = hs_reader_line_number(lines->reader);
    if (!lines->separator)
        lines->separator = edge_separator(line, length);
    if (lines->separator == ',')
        HS_TRY(close_quotes(lines, &line, &length, error));
    HS_TRY(split(lines, line, line + length, error));
    return 1;
}

/* ---- looking at the head ---- */

/* Where the line ends that starts at `line`: at its line feed, or at `end`. Between commas a line
 * feed within quotes does not end it. */
static const char *line_stop(const char *line, const char *end, char separator)
{
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    if (separator != ',' || !feed || !memchr(line, '"', (size_t)(feed - line)))
        return feed ? feed : end;
    csv_state state = AT_START;
    for (const char *at = line; at < end; at++) {
        if (*at == '\n' && state != IN_QUOTES)
            return at;
        state = csv_step(state, *at);
    }
    return end;
}

static size_t line_size(const char *line, const char *stop)
{
    size_t size = (size_t)(stop - line);
    return size && line[size - 1] == '\r' ? size - 1 : size;
}

/* Fields of one line without changing it. */
static size_t count_fields(const char *line, size_t length, char separator)
{
    size_t count = 1, words = 0;
    csv_state state = AT_START;
    for (size_t i = 0; i < length; i++) {
        words += !is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]));
        state = csv_step(state, line[i]);
        if (line[i] == separator && (separator != ',' || state == AT_START))
            count++;
    }
    return separator == ' ' ? words : count;
}

typedef struct look {
    const char *first;  /* line that says something; NULL: this does not look like names */
    size_t lines;       /* that are neither blank nor comments */
    size_t least, most; /* fields on one of them */
    char separator;     /* of the first line, as for edges */
} look;

/* How the lines of the head look. A last line that is cut off is not looked at. */
static look look_at(const char *head, size_t length)
{
    look seen = {.first = hs_first_content(head, length, '#')};
    const char *end = head + length;
    if (!seen.first || !hs_looks_like_text(head, length) || strchr("<@[{%", *seen.first))
        return (look){0};
    for (const char *line = head; line < end;) {
        const char *stop = line_stop(line, end, 0);
        if (!nothing_to_read(line, line_size(line, stop))) {
            if (!seen.lines)
                seen.separator = edge_separator(line, line_size(line, stop));
            stop = line_stop(line, end, seen.separator);
            if (stop == end && seen.lines)
                break;
            size_t fields = count_fields(line, line_size(line, stop), seen.separator);
            seen.least = !seen.lines || fields < seen.least ? fields : seen.least;
            seen.most = fields > seen.most ? fields : seen.most;
            seen.lines++;
        }
        line = stop < end ? stop + 1 : end;
    }
    return seen;
}

/* ---- writing names ---- */

static bool contains_any(const char *name, size_t length, const char *characters)
{
    for (; *characters; characters++)
        if (memchr(name, *characters, length))
            return true;
    return false;
}

/* A name as a field: between tabs quoted only if it would not be read back as it is; tabs and line
 * ends cannot be written there. In CSV quoted where needed; carriage returns cannot be written
 * there. */
static int put_name(const hsel_dataset *data, uint32_t v, bool tabs, hs_writer *writer,
                    hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    if (!name)
        return HSEL_EUNSUPPORTED;
    if (contains_any(name, length, tabs ? "\t\n\r" : "\r"))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       tabs
                           ? "the name '%s' has a tab or line end in it, which an edge list cannot "
                             "hold; write ancestors or rdf instead"
                           : "the name '%s' has a carriage return in it, which a list of lines "
                             "cannot hold; write rdf instead",
                       name);
    bool odd = name[0] == '#' || is_blank(name[0]) || is_blank(name[length - 1]) ||
               (length >= 3 && memcmp(name, "\xEF\xBB\xBF", 3) == 0);
    if (!odd && !(tabs ? quoted_whole(name, length) : contains_any(name, length, ",\"\t\n"))) {
        hs_writer_put(writer, name, length);
        return HSEL_OK;
    }
    hs_writer_char(writer, '"');
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"')
            hs_writer_char(writer, '"');
        hs_writer_char(writer, name[i]);
    }
    hs_writer_char(writer, '"');
    return HSEL_OK;
}

/* ---- edge lists ---- */

typedef enum header { NO_HEADER, CHILD_PARENT, PARENT_CHILD, EITHER } header;

static header header_of(field first, field second)
{
    static const char *const names[][2] = {[CHILD_PARENT] = {"child", "parent"},
                                           [PARENT_CHILD] = {"parent", "child"},
                                           [EITHER] = {"source", "target"}};
    for (header h = CHILD_PARENT; h <= EITHER; h++)
        if (hs_equal_nocase(first.text, first.length, names[h][0]) &&
            hs_equal_nocase(second.text, second.length, names[h][1]))
            return h;
    return NO_HEADER;
}

static int sniff_edges(const char *head, size_t length)
{
    look seen = look_at(head, length);
    if (!seen.first || seen.least != 2 || seen.most != 2)
        return 0;
    const char *end = line_stop(seen.first, head + length, 0);
    const char *split = memchr(seen.first, seen.separator, (size_t)(end - seen.first));
    if (split) {
        field first = {seen.first, (size_t)(split - seen.first)};
        field second = {split + 1, (size_t)(end - split - 1)};
        hs_trim(&first.text, &first.length);
        hs_trim(&second.text, &second.length);
        if (header_of(first, second))
            return 90; /* it says so itself */
    }
    return seen.separator == '\t' ? 60 : seen.separator == ',' ? 55 : 40;
}

static int read_edges(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error)
{
    HS_OWNS(term_lines_clear) term_lines lines = {.reader = reader};
    const char *name = hs_reader_name(reader);
    bool reversed = options->direction == HS_PARENT_CHILD, first = true;
    int got = 0;
    HS_TRY(hs_refuse_ontology_options(options, reader, "edges", error));
    HS_TRY(hs_graph_set_source(out, reader, error));
    for (; (got = next_names(&lines, error)) > 0; first = false) {
        const field *fields = lines.fields;
        if (lines.count != 2)
            return hs_fail_at(error, HSEL_EFORMAT, name, lines.line,
                              "expected two names with %s between, found %zu",
                              lines.separator == '\t'  ? "a tab"
                              : lines.separator == ',' ? "a comma"
                                                       : "blanks",
                              lines.count);
        if (!fields[0].length || !fields[1].length)
            return hs_fail_at(error, HSEL_EFORMAT, name, lines.line, "the %s name is empty",
                              fields[0].length ? "second" : "first");
        header found = first ? header_of(fields[0], fields[1]) : NO_HEADER;
        if (found == CHILD_PARENT && reversed)
            return hs_fail_at(
                error, HSEL_EUSAGE, name, lines.line,
                "the header puts child before parent, but the other direction was asked for");
        reversed = reversed || found == PARENT_CHILD;
        const field *child = &fields[reversed], *parent = &fields[!reversed];
        if (!found)
            HS_TRY(hs_graph_named_edge(out, child->text, child->length, parent->text,
                                       parent->length, error));
    }
    if (got == 0 && first)
        return hs_fail_at(error, HSEL_EFORMAT, name, 0, "no edges: the file is empty");
    return got;
}

/* Without a header, unless the first edge would be taken for one or there is no edge at all. */
static bool header_needed(const hsel_dataset *data)
{
    for (uint32_t v = 0; v < data->dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(data->dag, v, &count);
        if (!count)
            continue;
        const char *child = hs_names_get(&data->feature_names, v);
        const char *parent = hs_names_get(&data->feature_names, parents[0]);
        return header_of((field){child, strlen(child)}, (field){parent, strlen(parent)});
    }
    return true;
}

static int write_edges(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                       hsel_error *error)
{
    (void)known;
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    if (header_needed(data))
        hs_writer_text(writer, "child\tparent\n");
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        for (size_t i = 0; i < count; i++) {
            HS_TRY(put_name(data, v, true, writer, error));
            hs_writer_char(writer, '\t');
            HS_TRY(put_name(data, parents[i], true, writer, error));
            hs_writer_char(writer, '\n');
        }
    }
    return HSEL_OK;
}

static const hs_format edges_format = {.endings = "tsv edges",
                                       .sniff = sniff_edges,
                                       .read_graph = read_edges,
                                       .write_graph = write_edges,
                                       .has_direction = true};

const hs_method hs_method_edges = {
    .kind = HS_FORMAT,
    .name = "edges",
    .title = "edge list",
    .help = "A hierarchy with one edge a line: child, then parent, or the other way round with the "
            "direction option. Names are separated by a tab if the first line has exactly one, "
            "else by a comma (CSV with quotes), else by blanks. A first line child/parent, "
            "parent/child or source/target is a header. Lines that start with # are comments. A "
            "file in which every line has two names is taken for an edge list, one in which the "
            "number varies for ancestor lists (ancestors); --format or --hierarchy-format decides "
            "when in doubt. Written as child, tab, parent; terms without an edge are not in it.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &edges_format};

/* ---- ancestor lists ---- */

static int sniff_ancestors(const char *head, size_t length)
{
    look seen = look_at(head, length);
    if (!seen.first)
        return 0;
    if (seen.least != seen.most)
        return 30;
    if (seen.most == 1) /* counted by blanks if the first line has no other separator */
        return list_separator(head, length) == '\t' || memchr(head, ',', length) ? 30 : 10;
    return seen.most == 2 ? 5 : 15; /* an edge list; a table */
}

static int read_ancestors(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                          hsel_error *error)
{
    HS_OWNS(term_lines_clear) term_lines lines = {.reader = reader};
    const char *head = NULL;
    size_t length = 0;
    uint32_t term = 0, ancestor = 0;
    HS_TRY(hs_refuse_ontology_options(options, reader, "ancestors", error));
    HS_TRY(hs_graph_set_source(out, reader, error));
    int got = hs_reader_peek(reader, PEEK_BYTES, &head, &length, error);
    if (got < 0)
        return got;
    lines.separator = list_separator(head, length);
    while ((got = next_names(&lines, error)) > 0) {
        const field *f = lines.fields;
        if (!f[0].length)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), lines.line,
                              "the line does not start with a term");
        HS_TRY(hs_names_intern(&out->terms, f[0].text, f[0].length, &term, NULL, error));
        for (size_t i = 1; i < lines.count; i++) {
            if (!f[i].length) /* a separator at the end, or columns filled up */
                continue;
            HS_TRY(hs_names_intern(&out->terms, f[i].text, f[i].length, &ancestor, NULL, error));
            HS_TRY(hs_graph_edge(out, term, ancestor, error));
        }
    }
    if (got == 0 && !out->terms.count)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                          "no terms: the file is empty");
    return got;
}

static int write_ancestors(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                           hsel_error *error)
{
    (void)known;
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        HS_TRY(put_name(data, v, false, writer, error));
        for (size_t i = 0; i < count; i++) {
            hs_writer_char(writer, ',');
            HS_TRY(put_name(data, parents[i], false, writer, error));
        }
        hs_writer_char(writer, '\n');
    }
    return HSEL_OK;
}

static const hs_format ancestors_format = {.endings = "csv ancestors tsv",
                                           .sniff = sniff_ancestors,
                                           .read_graph = read_ancestors,
                                           .write_graph = write_ancestors};

const hs_method hs_method_ancestors = {
    .kind = HS_FORMAT,
    .name = "ancestors",
    .title = "ancestor lists",
    .help = "A hierarchy with one line a term: the term, then its parents or all its ancestors, "
            "separated by commas (CSV with quotes) or, if there is a tab outside quotes, by tabs. "
            "A line with just a term declares it; empty names are skipped; lines that start with # "
            "are comments. Every name after the first becomes an edge, so a list of all ancestors "
            "gives a transitively closed graph. A file in which every line has two names is taken "
            "for an edge list (edges); --format or --hierarchy-format decides when in doubt. "
            "Written as term and direct parents.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &ancestors_format};

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
#include "format/hierarchy.h"
#include "format/table.h"

#define PEEK_BYTES ((size_t)64 << 10)

/* ---- looking at the head ---- */

typedef struct record {
    const char *end;      /* its line feed, or the end of the text */
    size_t fields, words; /* between separators; between blanks */
    bool tab;             /* there is one outside quotes */
} record;

/* The record at `at`. Between commas quotes may hold separators and line feeds. */
static record scan_record(const char *at, const char *end, char separator)
{
    enum { AT_START, IN_PLAIN, IN_QUOTES, AFTER_QUOTE } state = AT_START;
    record r = {.fields = 1};
    for (bool blank = true; at < end && (*at != '\n' || state == IN_QUOTES); at++) {
        bool before = blank;
        blank = hs_is_blank(*at) || *at == '\r';
        r.words += before && !blank;
        r.tab |= *at == '\t' && state != IN_QUOTES;
        r.fields += *at == separator && (separator != ',' || state != IN_QUOTES);
        if (separator != ',')
            continue;
        if (state == IN_QUOTES)
            state = *at == '"' ? AFTER_QUOTE : IN_QUOTES;
        else if (*at == ',')
            state = AT_START;
        else if (*at == '"' && state != IN_PLAIN)
            state = IN_QUOTES;
        else if (!hs_is_blank(*at) || state == IN_PLAIN)
            state = IN_PLAIN;
    }
    r.end = at;
    return r;
}

/* The first line of an edge list that says what edges are. */
#define RELATION_HEADER "child\tparent\trelation"

static bool has_relations(const char *line, size_t length)
{
    hs_trim(&line, &length);
    return hs_equal_nocase(line, length, RELATION_HEADER);
}

/* Tab if the line has exactly one or is the header of three columns, else comma if it has one, else
 * blank. */
static char edge_separator(const char *line, size_t length)
{
    if (scan_record(line, line + length, '\t').fields == 2 || has_relations(line, length))
        return '\t';
    return memchr(line, ',', length) ? ',' : ' ';
}

/* Tab if one is outside quotes anywhere, else comma. */
static char list_separator(const char *head, size_t length)
{
    const char *end = head + length;
    for (record r; head < end; head = r.end + 1) {
        r = scan_record(head, end, *head == '#' ? 0 : ',');
        if (r.tab && (*head != '#' || r.end == end))
            return '\t';
    }
    return ',';
}

typedef struct look {
    const char *first;  /* line that says something; NULL: this does not look like names */
    size_t lines;       /* that are neither blank nor comments */
    size_t least, most; /* fields on one of them */
    char separator;     /* of the first line, as for edges */
} look;

/* How the lines of the head look. A last line that is cut off is not looked at. */
static look look_at_lines(const char *head)
{
    look seen = {.first = hs_first_content(head, '#')};
    const char *end = head + strlen(head);
    if (!seen.first || !hs_looks_like_text(head) || strchr("<@[{%", *seen.first))
        return (look){0};
    for (record r; head < end; head = r.end + 1) {
        r = scan_record(head, end, *head == '#' ? 0 : seen.separator);
        if (*head == '#' || !r.words)
            continue;
        if (!seen.lines) {
            seen.separator = edge_separator(head, (size_t)(r.end - head));
            r = scan_record(head, end, seen.separator);
        } else if (r.end == end) {
            break;
        }
        size_t fields = seen.separator == ' ' ? r.words : r.fields;
        seen.least = !seen.lines || fields < seen.least ? fields : seen.least;
        seen.most = fields > seen.most ? fields : seen.most;
        seen.lines++;
    }
    return seen;
}

/* ---- writing names ---- */

/* A name that the reader would not take as it is: a comment, blanks at an end, a byte order mark.
 */
static bool is_odd(const char *name, size_t length)
{
    return name[0] == '#' || hs_is_blank(name[0]) || hs_is_blank(name[length - 1]) ||
           strncmp(name, "\xEF\xBB\xBF", 3) == 0;
}

static int put_term(hs_writer *writer, const char *name, size_t length, bool quotes)
{
    if (quotes || is_odd(name, length))
        hs_put_quoted(writer, "", name, length);
    else
        hs_writer_put(writer, name, length);
    return HSEL_OK;
}

/* Between tabs quoted only if it would not be read back as it is; in CSV where needed. */
static int put_between_tabs(hs_writer *writer, const char *name, size_t length, hsel_error *error)
{
    if (strpbrk(name, "\t\n\r"))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "the name '%s' has a tab or line end in it, which an edge list cannot hold; "
                       "write ancestors or rdf instead",
                       name);
    return put_term(writer, name, length, hs_quoted_whole(name, length));
}

static int put_between_commas(hs_writer *writer, const char *name, size_t length, hsel_error *error)
{
    if (memchr(name, '\r', length))
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "the name '%s' has a carriage return in it, which a list of lines cannot "
                       "hold; write rdf instead",
                       name);
    return put_term(writer, name, length, strpbrk(name, ",\"\t\n") != NULL);
}

/* ---- edge lists ---- */

#define FAIL(...) hs_table_fail(&lines, error, __VA_ARGS__)

typedef enum header { NO_HEADER, CHILD_PARENT, PARENT_CHILD, EITHER } header;

static header header_of(const char *first, size_t length, const char *second, size_t second_length)
{
    static const char *const names[][2] = {[CHILD_PARENT] = {"child", "parent"},
                                           [PARENT_CHILD] = {"parent", "child"},
                                           [EITHER] = {"source", "target"}};
    for (header h = CHILD_PARENT; h <= EITHER; h++)
        if (hs_equal_nocase(first, length, names[h][0]) &&
            hs_equal_nocase(second, second_length, names[h][1]))
            return h;
    return NO_HEADER;
}

static int sniff_edges(const char *head)
{
    look seen = look_at_lines(head);
    if (!seen.first)
        return 0;
    const char *first = seen.first, *end = scan_record(first, first + strlen(first), 0).end;
    if (has_relations(first, (size_t)(end - first)) && seen.least == 3 && seen.most == 3)
        return 95;
    if (seen.least != 2 || seen.most != 2)
        return 0;
    const char *split = memchr(first, seen.separator, (size_t)(end - first));
    if (split) {
        const char *second = split + 1;
        size_t first_length = (size_t)(split - first), second_length = (size_t)(end - second);
        hs_trim(&first, &first_length);
        hs_trim(&second, &second_length);
        if (header_of(first, first_length, second, second_length))
            return 90; /* it says so itself */
    }
    return seen.separator == '\t' ? 60 : seen.separator == ',' ? 55 : 40;
}

static int read_edges(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                      hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table lines = {.reader = reader,
                      .quoting = HS_QUOTED_WHOLE,
                      .comment = '#',
                      .find_delimiter = edge_separator};
    static const char *const ordinal[] = {"first", "second", "third"};
    bool reversed = options->direction == HS_PARENT_CHILD, first = true;
    size_t columns = 2, capacity = 0;
    uint32_t relation;
    int got;
    for (; (got = hs_table_record(&lines, error)) > 0; first = false) {
        const hs_field *f = lines.fields;
        if (first && lines.count == 3 && lines.delimiter == '\t' &&
            header_of(HS_SPAN(f[0]), HS_SPAN(f[1])) == CHILD_PARENT &&
            hs_equal_nocase(HS_SPAN(f[2]), "relation"))
            columns = 3;
        if (lines.count != columns)
            return FAIL("expected %s names with %s between, found %zu",
                        columns == 2 ? "two" : "three",
                        lines.delimiter == '\t'  ? "a tab"
                        : lines.delimiter == ',' ? "a comma"
                                                 : "blanks",
                        lines.count);
        for (size_t i = 0; i < columns; i++)
            if (!f[i].length)
                return FAIL("the %s name is empty", ordinal[i]);
        header found = first ? header_of(HS_SPAN(f[0]), HS_SPAN(f[1])) : NO_HEADER;
        if (found == CHILD_PARENT && reversed)
            return hs_fail_at(
                error, HSEL_EUSAGE, hs_reader_name(reader), lines.line,
                "the header puts child before parent, but the other direction was given");
        reversed = reversed || found == PARENT_CHILD;
        const hs_field *child = &f[reversed], *parent = &f[!reversed];
        if (found)
            continue;
        if (columns == 3) {
            HS_NEED(HS_GROW(&out->relation, &capacity, out->edges + 1));
            HS_TRY(hs_names_intern(&out->relations, HS_SPAN(f[2]), &relation, NULL, error));
            out->relation[out->edges] = relation;
        }
        HS_TRY(hs_graph_named_edge(out, HS_SPAN(*child), HS_SPAN(*parent), error));
    }
    if (got == 0 && first)
        return HS_FAIL_FILE(error, reader, "no edges: the file is empty");
    return got;
}

static int write_edges(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const hs_edge_style style = {
        .put = put_between_tabs, .between = "\t", .end = "\n", .relations = true};
    HS_TRY(hs_need_hierarchy(data, error));
    if (data->dag->relation) {
        hs_writer_text(writer, RELATION_HEADER "\n");
        return hs_write_edges(data, &style, writer, error);
    }
    /* Without a header, unless the first edge would be taken for one or there is no edge at all. */
    const hs_names *names = &data->feature_names;
    uint32_t v = 0;
    while (v < data->dag->nodes && hs_is_root(data->dag, v))
        v++;
    size_t count;
    if (v == data->dag->nodes ||
        header_of(HS_NAME(names, v), HS_NAME(names, hs_parents(data->dag, v, &count)[0])))
        hs_writer_text(writer, "child\tparent\n");
    return hs_write_edges(data, &style, writer, error);
}

const hs_method hs_method_edges = {
    .kind = HS_FORMAT,
    .name = "edges",
    .title = "edge list",
    .help = "A hierarchy with one edge per line: child, then parent, or the other way round with "
            "the direction option. Names are separated by a tab if the first line has exactly one, "
            "else by a comma (CSV with quotes), else by blanks. A first line child/parent, "
            "parent/child or source/target is a header; after child, parent and relation between "
            "tabs each line has a third name, the relation of the edge (is_a, part_of). Lines that "
            "start with # are comments. A file in which every line has two names is taken for an "
            "edge list, one in which the number varies for ancestor lists (ancestors); use the "
            "option format or hierarchy-format if this is wrong. hsel writes child, tab, parent, "
            "with relations where they are known; terms without an edge are not written.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &(const hs_format){.endings = "tsv edges",
                                 .sniff = sniff_edges,
                                 .read_graph = read_edges,
                                 .write_graph = write_edges,
                                 .writes_relations = true,
                                 .has_direction = true}};

/* ---- ancestor lists ---- */

static int sniff_ancestors(const char *head)
{
    look seen = look_at_lines(head);
    if (!seen.first)
        return 0;
    if (seen.least != seen.most)
        return 30;
    if (seen.most == 1) /* counted by blanks if the first line has no other separator */
        return list_separator(head, strlen(head)) == '\t' || strchr(head, ',') ? 30 : 10;
    return seen.most == 2 ? 5 : 15; /* an edge list; a table */
}

static int read_ancestors(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                          hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table lines = {.reader = reader, .quoting = HS_QUOTED_WHOLE, .comment = '#'};
    const char *head = NULL;
    size_t length = 0;
    uint32_t term = 0, ancestor = 0;
    (void)options;
    int got;
    HS_TRY(hs_reader_peek(reader, PEEK_BYTES, &head, &length, error));
    lines.delimiter = list_separator(head, length);
    while ((got = hs_table_record(&lines, error)) > 0) {
        const hs_field *f = lines.fields;
        if (!f[0].length)
            return FAIL("the line does not start with a term");
        HS_TRY(hs_names_intern(&out->terms, HS_SPAN(f[0]), &term, NULL, error));
        for (size_t i = 1; i < lines.count; i++) {
            if (!f[i].length) /* a separator at the end, or columns filled up */
                continue;
            HS_TRY(hs_names_intern(&out->terms, HS_SPAN(f[i]), &ancestor, NULL, error));
            HS_TRY(hs_graph_edge(out, term, ancestor, error));
        }
    }
    if (got == 0 && !out->terms.count)
        return HS_FAIL_FILE(error, reader, "no terms: the file is empty");
    return got;
}

static int write_ancestors(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const hs_edge_style style = {
        .put = put_between_commas, .alone = "", .between = ",", .end = "\n", .one_line = true};
    return hs_write_edges(data, &style, writer, error);
}

const hs_method hs_method_ancestors = {
    .kind = HS_FORMAT,
    .name = "ancestors",
    .title = "ancestor lists",
    .help = "A hierarchy with one line per term: the term, then its parents or all its ancestors, "
            "separated by commas (CSV with quotes) or, if there is a tab outside quotes, by tabs. "
            "A line with just a term declares it; empty names are skipped; lines that start with # "
            "are comments. Every name after the first becomes an edge, so a list of all ancestors "
            "gives a transitively closed graph. A file in which every line has two names is taken "
            "for an edge list (edges); use the option format or hierarchy-format if this is wrong. "
            "hsel writes each term and its direct parents.",
    .citation = "plain text, no specification; commas and quotes as in RFC 4180",
    .format = &(const hs_format){.endings = "csv ancestors tsv",
                                 .sniff = sniff_ancestors,
                                 .read_graph = read_ancestors,
                                 .write_graph = write_ancestors}};

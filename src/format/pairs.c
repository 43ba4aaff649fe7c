/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotations as plain pairs: object and term, one pair a line, between them a tab, a comma or
 * blanks (the first line that is no comment decides for the whole file). Lines that start with '#'
 * are comments. A first line whose second field is a usual title of such a column ("term", "GO_ID"
 * …) is a header. Between tabs the second field may hold several terms.
 */
#include <string.h>

#include "core/text.h"
#include "format/format.h"

static const char *const header_words[] = {
    "term",     "terms",   "term_id",  "termid",     "go",         "go_id",
    "goid",     "go_term", "go_terms", "goterm",     "annotation", "annotations",
    "category", "type",    "types",    "tag",        "tags",       "feature",
    "features", "concept", "concepts", "ontology_id"};

static bool is_header_word(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof header_words / sizeof *header_words; i++)
        if (hs_equal_nocase(text, length, header_words[i]))
            return true;
    return false;
}

typedef struct pair {
    const char *object, *terms;
    size_t object_length, terms_length;
} pair;

static char find_separator(const char *line)
{
    return strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ' ';
}

/* A field in double quotes loses them; inside, nothing is special. */
static void unquote(const char **text, size_t *length)
{
    if (*length >= 2 && (*text)[0] == '"' && (*text)[*length - 1] == '"') {
        *text += 1;
        *length -= 2;
    }
}

static size_t split_blanks(const char *line, pair *out)
{
    size_t columns = 0;
    for (line += strspn(line, " \t"); *line; line += strspn(line, " \t"), columns++) {
        size_t length = strcspn(line, " \t");
        if (columns == 0)
            out->object = line, out->object_length = length;
        else if (columns == 1)
            out->terms = line, out->terms_length = length;
        line += length;
    }
    return columns;
}

static size_t split_fields(const char *line, char separator, pair *out)
{
    size_t columns = 0;
    for (const char *rest = line; rest; columns++) {
        size_t length;
        const char *text = hs_annotation_field(&rest, separator, &length);
        if (columns == 0)
            out->object = text, out->object_length = length;
        else if (columns == 1)
            out->terms = text, out->terms_length = length;
    }
    unquote(&out->object, &out->object_length);
    unquote(&out->terms, &out->terms_length);
    return columns;
}

static int split_line(const hs_reader *reader, const char *line, char separator, pair *out,
                      hsel_error *error)
{
    *out = (pair){.object = "", .terms = ""};
    size_t columns =
        separator == ' ' ? split_blanks(line, out) : split_fields(line, separator, out);
    if (columns != 2)
        return hs_fail_line(error, reader, "%zu column%s where 2 are expected: object and term",
                            columns, columns == 1 ? "" : "s");
    if (!out->object_length)
        return hs_fail_line(error, reader, "no object (column 1)");
    return HSEL_OK;
}

static int add_term(const hs_reader *reader, const pair *p, const char *term, size_t length,
                    hs_annotations *out, hsel_error *error)
{
    hs_trim(&term, &length);
    if (!length)
        return HSEL_OK;
    return hs_annotations_add(out, p->object, p->object_length, term, length, NULL, 0, false,
                              hs_reader_line_number(reader), error);
}

/* An object without terms is one all the same. */
static int add_pair(const hs_reader *reader, const pair *p, const char *separators,
                    hs_annotations *out, hsel_error *error)
{
    uint32_t object;
    int status = hs_names_intern(&out->objects, p->object, p->object_length, &object, NULL, error);
    const char *end = p->terms + p->terms_length;
    for (const char *start = p->terms; !status && start < end;) {
        const char *stop = start;
        while (stop < end && !strchr(separators, *stop))
            stop++;
        status = add_term(reader, p, start, (size_t)(stop - start), out, error);
        start = stop + 1;
    }
    return status;
}

static const char *term_separators(char separator, const hs_annotation_options *options)
{
    if (separator != '\t')
        return "";
    return options && options->separators ? options->separators : ";|,";
}

static int read_pairs(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    char *line, separator = '\0';
    size_t length;
    int got, status = HSEL_OK;
    while (!status && (got = hs_reader_line(reader, &line, &length, error)) != 0) {
        pair p;
        if (got < 0)
            return got;
        if (line[0] == '#' || line[strspn(line, " \t")] == '\0')
            continue;
        bool first = separator == '\0';
        if (first)
            separator = find_separator(line);
        status = split_line(reader, line, separator, &p, error);
        if (!status && !(first && is_header_word(p.terms, p.terms_length)))
            status = add_pair(reader, &p, term_separators(separator, options), out, error);
    }
    return status;
}

/* Two columns could be anything; other formats of this role are told apart better. */
static int sniff_pairs(const char *head, size_t length)
{
    const char *end = head + length;
    while (head < end && *head == '#') {
        const char *stop = memchr(head, '\n', (size_t)(end - head));
        head = stop ? stop + 1 : end;
    }
    const char *stop = memchr(head, '\n', (size_t)(end - head));
    size_t line = (size_t)((stop ? stop : end) - head), tabs = 0, commas = 0, blanks = 0;
    for (size_t i = 0; i < line; i++) {
        if ((unsigned char)head[i] < ' ' && head[i] != '\t' && head[i] != '\r')
            return 0;
        tabs += head[i] == '\t';
        commas += head[i] == ',';
        blanks += head[i] == ' ';
    }
    if (tabs)
        return tabs == 1 ? 30 : 0;
    return commas == 1 ? 30 : commas == 0 && blanks >= 1 ? 20 : 0;
}

static const hs_format format = {
    .endings = "tsv tab csv txt", .sniff = sniff_pairs, .read_annotations = read_pairs};

const hs_method hs_method_pairs = {
    .kind = HS_FORMAT,
    .name = "pairs",
    .title = "two columns: object, term",
    .help = "Plain annotations: one object and one term a line, with a tab, a comma or blanks "
            "between them; a header is optional. Between tabs the second column may hold several "
            "terms, separated by ';', '|' or ','.",
    .citation = "no specification: two columns of text",
    .format = &format};

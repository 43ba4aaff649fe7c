/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GAF, the Gene Ontology's annotation file, versions 1.0 to 2.2: comments start with '!', lines
 * have 15 to 17 columns between tabs. Of these we use the object's identifier (2) or symbol (3),
 * qualifier (4), term (5), evidence (7) and taxon (13). A taxon of two parts
 * ("taxon:9606|taxon:5833") belongs to an interaction; the first part is the species of the object.
 */
#include <string.h>

#include "core/text.h"
#include "format/format.h"

enum { MIN_COLUMNS = 15, MAX_COLUMNS = 17 };
enum { OBJECT_ID = 1, OBJECT_SYMBOL = 2, QUALIFIER = 3, TERM = 4, EVIDENCE = 6, TAXON = 12 };

typedef struct gaf_line {
    const char *text[MAX_COLUMNS];
    size_t length[MAX_COLUMNS];
} gaf_line;

static int split_line(const hs_reader *reader, const char *line, gaf_line *out, hsel_error *error)
{
    size_t columns = 0;
    for (const char *rest = line; rest; columns++) {
        size_t length;
        const char *text = hs_annotation_field(&rest, '\t', &length);
        if (columns < MAX_COLUMNS) {
            out->text[columns] = text;
            out->length[columns] = length;
        }
    }
    if (columns < MIN_COLUMNS || columns > MAX_COLUMNS)
        return hs_fail_line(error, reader, "%zu columns where GAF has 15 to 17", columns);
    return HSEL_OK;
}

/* "!gaf-version: 2.2" is the only comment that matters: other numbers mean other columns. */
static int check_comment(const hs_reader *reader, const char *line, hsel_error *error)
{
    static const char key[] = "!gaf-version:";
    size_t length = strlen(line);
    if (length < sizeof key - 1 || !hs_equal_nocase(line, sizeof key - 1, key))
        return HSEL_OK;
    const char *version = line + sizeof key - 1;
    length -= sizeof key - 1;
    hs_trim(&version, &length);
    if (length && (version[0] == '1' || version[0] == '2') && (length == 1 || version[1] == '.'))
        return HSEL_OK;
    return hs_fail_line(error, reader, "GAF version %.*s is not known; 1.0 to 2.2 are",
                        (int)(length < 40 ? length : 40), version);
}

static int add_line(const hs_reader *reader, const hs_annotation_options *options,
                    const gaf_line *line, hs_annotations *out, hsel_error *error)
{
    bool by_symbol = options && options->object_key == HS_OBJECT_SYMBOL;
    int object = by_symbol ? OBJECT_SYMBOL : OBJECT_ID;
    if (!line->length[object])
        return hs_fail_line(error, reader, "no object %s (column %d)",
                            by_symbol ? "symbol" : "identifier", object + 1);
    if (!line->length[TERM])
        return hs_fail_line(error, reader, "no term (column %d)", TERM + 1);
    if (!hs_annotation_taxon_wanted(options, line->text[TAXON], line->length[TAXON])) {
        out->other_taxon++;
        return HSEL_OK;
    }
    return hs_annotations_add(out, line->text[object], line->length[object], line->text[TERM],
                              line->length[TERM], line->text[EVIDENCE], line->length[EVIDENCE],
                              hs_annotation_is_not(line->text[QUALIFIER], line->length[QUALIFIER]),
                              hs_reader_line_number(reader), error);
}

static int read_gaf(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                    hsel_error *error)
{
    char *line;
    size_t length;
    int got, status = HSEL_OK;
    while (!status && (got = hs_reader_line(reader, &line, &length, error)) != 0) {
        gaf_line fields;
        if (got < 0)
            return got;
        if (line[0] == '!')
            status = check_comment(reader, line, error);
        else if (line[strspn(line, " \t")] != '\0') {
            status = split_line(reader, line, &fields, error);
            if (!status)
                status = add_line(reader, options, &fields, out, error);
        }
    }
    return status;
}

/* The version comment, or a first line that has the columns. */
static int sniff_gaf(const char *head, size_t length)
{
    static const char key[] = "!gaf-version:";
    if (length >= sizeof key - 1 && hs_equal_nocase(head, sizeof key - 1, key))
        return 100;
    const char *line = head, *end = head + length;
    while (line < end && *line == '!') {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            return 0;
        line = stop + 1;
        if ((size_t)(end - line) >= sizeof key - 1 && hs_equal_nocase(line, sizeof key - 1, key))
            return 100;
    }
    size_t tabs = 0;
    const char *taxon = NULL;
    for (; line < end && *line != '\n'; line++)
        if (*line == '\t' && ++tabs == TAXON)
            taxon = line + 1;
    bool fits = tabs + 1 >= MIN_COLUMNS && tabs + 1 <= MAX_COLUMNS && line - taxon > 6;
    return fits && hs_equal_nocase(taxon, 6, "taxon:") ? 90 : 0;
}

static const hs_format format = {
    .endings = "gaf goa", .sniff = sniff_gaf, .read_annotations = read_gaf};

const hs_method hs_method_gaf = {
    .kind = HS_FORMAT,
    .name = "gaf",
    .title = "GO annotation file",
    .help = "Annotations as the Gene Ontology Consortium publishes them (versions 1.0 to 2.2): one "
            "line an annotation, with evidence code, taxon and the NOT qualifier. Objects go by "
            "their identifier (column 2) or by their symbol (column 3).",
    .citation = "GO Annotation File (GAF) format 2.2, geneontology.org",
    .format = &format};

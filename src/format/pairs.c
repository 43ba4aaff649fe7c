/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain annotations: object and term, one pair per line.
 *
 * Between them is a tab, a comma, a semicolon or blanks (the first line that is not a comment
 * decides for the whole file). Lines that start with '#' are comments. A first line whose second
 * field is a usual title of such a column ("term", "GO_ID" …) is a header. The second field may
 * hold several terms, and be quoted.
 */
#include "format/table.h"

/* A tab anywhere, else the first comma or semicolon, else blanks; outside quotes. Blanks also if
 * the second field continues after the comma: "gene GO:1,GO:2". */
static char pairs_delimiter(const char *line, size_t length)
{
    const char *mark = NULL, *word = line, *end = line + length;
    bool quoted = false;
    for (const char *c = line; c < end; c++) {
        quoted ^= *c == '"';
        if (!quoted && *c == '\t')
            return '\t';
        if (!quoted && !mark && (*c == ',' || *c == ';'))
            mark = c;
        if (!quoted && !mark && *c == ' ')
            word = c + 1;
    }
    if (!mark)
        return ' ';
    const char *colon = memchr(word, ':', (size_t)(mark - word));
    size_t prefix = colon ? (size_t)(colon - word) + 1 : 0;
    bool goes_on = word > line && prefix && prefix < (size_t)(end - mark) &&
                   memcmp(word, mark + 1, prefix) == 0;
    return goes_on ? ' ' : *mark;
}

static int read_pairs(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader,
                      .quoting = HS_QUOTED_WHOLE,
                      .comment = '#',
                      .find_delimiter = pairs_delimiter};
    static const char *const titles[] = {
        "term",     "terms",   "term_id",  "termid",     "go",         "go_id",
        "goid",     "go_term", "go_terms", "goterm",     "annotation", "annotations",
        "category", "type",    "types",    "tag",        "tags",       "feature",
        "features", "concept", "concepts", "ontology_id"};
    const char *between = options && options->separators ? options->separators : ";|,";
    bool first = true;
    for (int got; (got = hs_table_record(&table, error)) != 0; first = false) {
        uint32_t object;
        bool header = false;
        HS_TRY(got < 0 ? got : HSEL_OK);
        if (table.count != 2)
            return hs_table_fail(
                &table, error, "%zu column%s where 2 are expected: object and term%s", table.count,
                table.count == 1 ? "" : "s",
                table.count > 2 ? "; put several terms of an object into quotes, or separate them "
                                  "by another character than the columns"
                                : "");
        hs_field *f = table.fields;
        hs_trim((const char **)&f[0].text, &f[0].length);
        hs_trim((const char **)&f[1].text, &f[1].length);
        if (!f[0].length)
            return hs_fail_line(error, reader, "no object (column 1)");
        for (size_t i = 0; first && !header && i < sizeof titles / sizeof *titles; i++)
            header = hs_equal_nocase(f[1].text, f[1].length, titles[i]);
        if (header)
            continue;
        /* Objects without terms are kept. */
        HS_TRY(hs_names_intern(&out->objects, f[0].text, f[0].length, &object, NULL, error));
        const char *end = f[1].text + f[1].length;
        for (const char *stop, *start = f[1].text; start < end; start = stop + 1) {
            for (stop = start; stop < end && !strchr(between, *stop);)
                stop++;
            const char *term = start;
            size_t length = (size_t)(stop - start);
            hs_trim(&term, &length);
            if (length)
                HS_TRY(hs_annotations_add(out, f[0].text, f[0].length, term, length, NULL, 0, false,
                                          table.line, error));
        }
    }
    return HSEL_OK;
}

/* Two columns could be anything: a low score, so that more specific formats win. */
static int sniff_pairs(const char *head)
{
    for (; *head == '#'; head += strcspn(head, "\n"), head += *head == '\n')
        continue;
    if (!*head || *head == '!') /* a comment in the Gene Ontology's files */
        return 0;
    const char delimiter = pairs_delimiter(head, strcspn(head, "\n"));
    size_t marks = 0;
    bool quoted = false;
    for (; *head && *head != '\n'; head++) {
        if ((unsigned char)*head < ' ' && *head != '\t' && *head != '\r')
            return 0;
        quoted ^= *head == '"';
        marks += *head == delimiter && !quoted;
    }
    return delimiter == ' ' ? (marks ? 20 : 0) : marks == 1 ? 30 : 0;
}

const hs_method hs_method_pairs = {
    .kind = HS_FORMAT,
    .name = "pairs",
    .title = "two columns: object, term",
    .help = "Plain annotations: one object and its terms per line, separated by a tab, a comma, a "
            "semicolon or blanks; a header is optional. The second column may hold several terms, "
            "separated by ';', '|' or ',', and be quoted.",
    .citation = "no specification: two columns of text",
    .format = &(const hs_format){
        .endings = "tsv tab csv txt", .sniff = sniff_pairs, .read_annotations = read_pairs}};

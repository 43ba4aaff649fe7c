/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of annotations that every reader of them fills, and the readers of text files: GAF,
 * gene2go and plain pairs. Entries stay in the order of the file and repeats stay in; making sense
 * of them is the work of format/assemble.c.
 */
#define _GNU_SOURCE /* memmem */
#include "format/annotations.h"

#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "format/format.h"

void hs_annotations_clear(hs_annotations *annotations)
{
    hs_free(annotations->source);
    hs_names_clear(&annotations->objects);
    hs_names_clear(&annotations->terms);
    hs_names_clear(&annotations->evidence);
    hs_free(annotations->entries);
    hs_free(annotations->first_line);
    *annotations = (hs_annotations){0};
}

int hs_annotations_add(hs_annotations *annotations, const char *object, size_t object_length,
                       const char *term, size_t term_length, const char *evidence,
                       size_t evidence_length, bool negated, unsigned long line, hsel_error *error)
{
    hs_annotation entry = {.evidence = HSEL_NONE, .negated = negated};
    bool added = false;
    HS_NEED(HS_GROW(&annotations->entries, &annotations->capacity, annotations->count + 1) &&
            HS_GROW(&annotations->first_line, &annotations->first_line_capacity,
                    (size_t)annotations->terms.count + 1));
    HS_TRY(
        hs_names_intern(&annotations->objects, object, object_length, &entry.object, NULL, error));
    HS_TRY(hs_names_intern(&annotations->terms, term, term_length, &entry.term, &added, error));
    if (added)
        annotations->first_line[entry.term] = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    if (evidence_length)
        HS_TRY(hs_names_intern(&annotations->evidence, evidence, evidence_length, &entry.evidence,
                               NULL, error));
    annotations->entries[annotations->count++] = entry;
    return HSEL_OK;
}

static void drop_prefix(const char **text, size_t *length, const char *prefix)
{
    size_t prefix_length = strlen(prefix);
    if (*length > prefix_length && hs_equal_nocase(*text, prefix_length, prefix)) {
        *text += prefix_length;
        *length -= prefix_length;
    }
}

bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length)
{
    if (!options || !options->taxon.count)
        return true;
    const char *bar = memchr(taxon, '|', length);
    if (bar)
        length = (size_t)(bar - taxon);
    drop_prefix(&taxon, &length, "taxon:");
    for (size_t i = 0; i < options->taxon.count; i++) {
        const char *wanted = options->taxon.items[i];
        size_t wanted_length = strlen(wanted);
        drop_prefix(&wanted, &wanted_length, "taxon:");
        if (wanted_length == length && memcmp(wanted, taxon, length) == 0)
            return true;
    }
    return false;
}

int hs_annotations_load(const char *path, const char *format, const hs_annotation_options *options,
                        hs_annotations *out, const hs_method **found, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    const hs_method *method = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_format_sniff(reader, format, HS_ROLE_ANNOTATIONS, &method, error));
    if (found)
        *found = method;
    HS_NEED(out->source = hs_strdup(hs_reader_name(reader)));
    return hs_fail_placed(error, reader,
                          method->format->read_annotations(reader, options, out, error));
}

/* ---- lines and fields ---- */

typedef struct field {
    const char *text; /* NULL: the line does not have it */
    size_t length;
} field;

/* What a column between tabs may be. */
enum { TAXON, OBJECT, TERM, EVIDENCE, QUALIFIER, ROLES };

/* The next line that is not blank: 1; 0: end; negative: error. */
static int next_line(hs_reader *reader, char **line, hsel_error *error)
{
    size_t length;
    int got;
    do
        got = hs_reader_line(reader, line, &length, error);
    while (got > 0 && (*line)[strspn(*line, " \t")] == '\0');
    return got;
}

/* The next field of a line up to `separator` or its end, without blanks around it; *rest moves
 * behind it and becomes NULL after the last. */
static field take_field(const char **rest, char separator)
{
    const char *end = strchr(*rest, separator);
    field out = {*rest, end ? (size_t)(end - *rest) : strlen(*rest)};
    *rest = end ? end + 1 : NULL;
    hs_trim(&out.text, &out.length);
    return out;
}

/* Finds the field of each role by its column (-1: none). Returns how many columns there are. */
static size_t split_tabs(const char *line, const int *column, field *out)
{
    size_t columns = 0;
    memset(out, 0, ROLES * sizeof *out);
    for (const char *rest = line; rest; columns++) {
        field next = take_field(&rest, '\t');
        for (int role = 0; role < ROLES; role++)
            if (column[role] == (int)columns)
                out[role] = next;
    }
    return columns;
}

/* Is one of the qualifiers, separated by '|', NOT in any case? */
static bool is_not(field qualifier)
{
    if (!qualifier.text)
        return false;
    const char *end = qualifier.text + qualifier.length;
    for (const char *start = qualifier.text; start;) {
        const char *bar = memchr(start, '|', (size_t)(end - start));
        field word = {start, (size_t)((bar ? bar : end) - start)};
        hs_trim(&word.text, &word.length);
        if (hs_equal_nocase(word.text, word.length, "NOT"))
            return true;
        start = bar ? bar + 1 : NULL;
    }
    return false;
}

static int add_line(const hs_reader *reader, const hs_annotation_options *options, const field *f,
                    bool negated, hs_annotations *out, hsel_error *error)
{
    if (f[TAXON].text && !hs_annotation_taxon_wanted(options, f[TAXON].text, f[TAXON].length)) {
        out->other_taxon++;
        return HSEL_OK;
    }
    return hs_annotations_add(out, f[OBJECT].text, f[OBJECT].length, f[TERM].text, f[TERM].length,
                              f[EVIDENCE].text, f[EVIDENCE].length, negated,
                              hs_reader_line_number(reader), error);
}

/* ---- GAF: the Gene Ontology's annotation file, versions 1.0 to 2.2 ----
 *
 * Comments start with '!', lines have 15 to 17 columns between tabs. Of these we use the object's
 * identifier (2) or symbol (3), qualifier (4), term (5), evidence (7) and taxon (13). A taxon of
 * two parts ("taxon:9606|taxon:5833") belongs to an interaction; the first part is the species of
 * the object. */

enum { GAF_LEAST = 15, GAF_MOST = 17, GAF_TAXON = 12 };

static const char gaf_key[] = "!gaf-version:";

static bool has_gaf_key(const char *line, size_t length)
{
    return length >= sizeof gaf_key - 1 && hs_equal_nocase(line, sizeof gaf_key - 1, gaf_key);
}

static int read_gaf(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                    hsel_error *error)
{
    bool by_symbol = options && options->object_key == HS_OBJECT_SYMBOL;
    const int column[ROLES] = {[TAXON] = GAF_TAXON,
                               [OBJECT] = by_symbol ? 2 : 1,
                               [TERM] = 4,
                               [EVIDENCE] = 6,
                               [QUALIFIER] = 3};
    field fields[ROLES];
    char *line;
    int got;
    while ((got = next_line(reader, &line, error)) > 0) {
        if (line[0] == '!') {
            /* The only comment that matters: other numbers mean other columns. */
            if (!has_gaf_key(line, strlen(line)))
                continue;
            field version = {line + sizeof gaf_key - 1, strlen(line) - sizeof gaf_key + 1};
            hs_trim(&version.text, &version.length);
            if (!version.length || (version.text[0] != '1' && version.text[0] != '2') ||
                (version.length > 1 && version.text[1] != '.'))
                return hs_fail_line(error, reader, "GAF version %.*s is not known; 1.0 to 2.2 are",
                                    (int)(version.length < 40 ? version.length : 40), version.text);
            continue;
        }
        size_t columns = split_tabs(line, column, fields);
        if (columns < GAF_LEAST || columns > GAF_MOST)
            return hs_fail_line(error, reader, "%zu columns where GAF has 15 to 17", columns);
        if (!fields[OBJECT].length)
            return hs_fail_line(error, reader, "no object %s (column %d)",
                                by_symbol ? "symbol" : "identifier", column[OBJECT] + 1);
        if (!fields[TERM].length)
            return hs_fail_line(error, reader, "no term (column %d)", column[TERM] + 1);
        HS_TRY(add_line(reader, options, fields, is_not(fields[QUALIFIER]), out, error));
    }
    return got;
}

/* The version comment, or a first line that has the columns. */
static int sniff_gaf(const char *head, size_t length)
{
    const char *line = head, *end = head + length, *taxon = NULL;
    size_t tabs = 0;
    while (line < end && *line == '!') {
        if (has_gaf_key(line, (size_t)(end - line)))
            return 100;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            return 0;
        line = stop + 1;
    }
    for (; line < end && *line != '\n'; line++)
        if (*line == '\t' && ++tabs == GAF_TAXON)
            taxon = line + 1;
    bool fits = tabs + 1 >= GAF_LEAST && tabs + 1 <= GAF_MOST && line - taxon > 6;
    return fits && hs_equal_nocase(taxon, 6, "taxon:") ? 90 : 0;
}

static const hs_format gaf_format = {
    .endings = "gaf goa", .sniff = sniff_gaf, .read_annotations = read_gaf};

const hs_method hs_method_gaf = {
    .kind = HS_FORMAT,
    .name = "gaf",
    .title = "GO annotation file",
    .help = "Annotations as the Gene Ontology Consortium publishes them (versions 1.0 to 2.2): one "
            "line an annotation, with evidence code, taxon and the NOT qualifier. Objects go by "
            "their identifier (column 2) or by their symbol (column 3).",
    .citation = "GO Annotation File (GAF) format 2.2, geneontology.org",
    .format = &gaf_format};

/* ---- gene2go: NCBI's annotations of Entrez genes, and shorter tables of the same kind ----
 *
 * Columns are found by their names in the header ("#tax_id GeneID GO_ID Evidence Qualifier …", in
 * any order, also after NCBI's older "#Format:"); GeneID and GO_ID must be there. A file without
 * header, as `grep ^9606` leaves it, must have the eight columns of the original. "-" is NCBI's
 * empty field. */

enum { GENE2GO_MOST = 64, GENE2GO_COLUMNS = 8 };

static const char *const role_names[ROLES] = {"tax_id", "GeneID", "GO_ID", "Evidence", "Qualifier"};

typedef struct gene2go_layout {
    int column[ROLES]; /* -1: the file does not have it */
    size_t columns;    /* 0: not known yet */
} gene2go_layout;

static int role_of(field name)
{
    for (int role = 0; role < ROLES; role++)
        if (hs_equal_nocase(name.text, name.length, role_names[role]))
            return role;
    return -1;
}

static bool is_old_header(const char *text)
{
    return strlen(text) >= 7 && hs_equal_nocase(text, 7, "Format:");
}

static int read_header(const hs_reader *reader, const char *rest, gene2go_layout *layout,
                       hsel_error *error)
{
    bool blanks = is_old_header(rest);
    rest += blanks ? 7 : 0;
    *layout = (gene2go_layout){.column = {-1, -1, -1, -1, -1}};
    while (rest) {
        field name;
        if (blanks) { /* the old header is separated by blanks and ends in a remark in brackets */
            name.text = rest + strspn(rest, " \t");
            name.length = strcspn(name.text, " \t");
            if (!name.length || name.text[0] == '(')
                break;
            rest = name.text[name.length] ? name.text + name.length : NULL;
        } else {
            name = take_field(&rest, '\t');
        }
        int role = role_of(name);
        if (role >= 0 && layout->column[role] >= 0)
            return hs_fail_line(error, reader, "column %s stands twice in the header",
                                role_names[role]);
        if (role >= 0)
            layout->column[role] = (int)layout->columns;
        if (++layout->columns > GENE2GO_MOST)
            return hs_fail_line(error, reader, "more than %d columns", GENE2GO_MOST);
    }
    for (int role = OBJECT; role <= TERM; role++)
        if (layout->column[role] < 0)
            return hs_fail_line(error, reader, "the header has no column %s", role_names[role]);
    return HSEL_OK;
}

static int read_gene2go(hs_reader *reader, const hs_annotation_options *options,
                        hs_annotations *out, hsel_error *error)
{
    gene2go_layout layout = {.column = {0, 1, 2, 3, 4}};
    field f[ROLES];
    char *line;
    int got;
    while ((got = next_line(reader, &line, error)) > 0) {
        bool comment = line[0] == '#';
        if (!layout.columns) {
            const char *rest = line + comment;
            field first = take_field(&rest, '\t');
            if (role_of(first) >= 0 || (comment && is_old_header(first.text))) {
                HS_TRY(read_header(reader, line + comment, &layout, error));
                continue;
            }
        }
        if (comment)
            continue;
        size_t columns = split_tabs(line, layout.column, f);
        if (!layout.columns && columns != GENE2GO_COLUMNS)
            return hs_fail_line(
                error, reader, "no header with GeneID and GO_ID, and not the %d columns of gene2go",
                GENE2GO_COLUMNS);
        if (!layout.columns)
            layout.columns = GENE2GO_COLUMNS;
        if (columns != layout.columns)
            return hs_fail_line(error, reader, "%zu columns where the header has %zu", columns,
                                layout.columns);
        for (int role = 0; role < ROLES; role++) {
            if (f[role].length == 1 && f[role].text[0] == '-')
                f[role].length = 0;
            if (!f[role].length && (role == OBJECT || role == TERM))
                return hs_fail_line(error, reader, "no %s (column %d)", role_names[role],
                                    layout.column[role] + 1);
        }
        /* Older files write the qualifier as one word group: "NOT contributes_to". */
        bool negated = is_not(f[QUALIFIER]) ||
                       (f[QUALIFIER].length > 4 && hs_equal_nocase(f[QUALIFIER].text, 4, "NOT "));
        HS_TRY(add_line(reader, options, f, negated, out, error));
    }
    return got;
}

static bool all_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return length > 0;
}

static int sniff_gene2go(const char *head, size_t length)
{
    const char *stop = memchr(head, '\n', length);
    size_t line = stop ? (size_t)(stop - head) : length, columns = 0, digits = 0, tabs = 0;
    bool gene = false, term = false;
    for (size_t i = 0; i <= line; i++) {
        size_t start = i;
        while (i < line && head[i] != '\t' && head[i] != ' ' && head[i] != '\r')
            i++;
        gene = gene || hs_equal_nocase(head + start, i - start, "GeneID");
        term = term || hs_equal_nocase(head + start, i - start, "GO_ID");
        digits += columns < 2 && all_digits(head + start, i - start);
        columns++;
        tabs += i < line && head[i] == '\t';
    }
    if (gene && term)
        return 95;
    return digits == 2 && tabs + 1 == GENE2GO_COLUMNS && memmem(head, line, "\tGO:", 4) ? 90 : 0;
}

static const hs_format gene2go_format = {
    .endings = "gene2go", .sniff = sniff_gene2go, .read_annotations = read_gene2go};

const hs_method hs_method_gene2go = {
    .kind = HS_FORMAT,
    .name = "gene2go",
    .title = "NCBI gene2go table",
    .help = "Annotations of Entrez genes as NCBI publishes them, or any table between tabs whose "
            "header names GeneID and GO_ID, and perhaps tax_id, Evidence and Qualifier.",
    .citation = "ftp.ncbi.nlm.nih.gov/gene/DATA/README, section gene2go",
    .format = &gene2go_format};

/* ---- pairs: object and term, one pair per line ----
 *
 * Between them is a tab, a comma or blanks (the first line that is not a comment decides for the
 * whole file). Lines that start with '#' are comments. A first line whose second field is a usual
 * title of such a column ("term", "GO_ID" …) is a header. Between tabs the second field may hold
 * several terms. */

static bool is_header_word(field word)
{
    static const char *const words[] = {
        "term",     "terms",   "term_id",  "termid",     "go",         "go_id",
        "goid",     "go_term", "go_terms", "goterm",     "annotation", "annotations",
        "category", "type",    "types",    "tag",        "tags",       "feature",
        "features", "concept", "concepts", "ontology_id"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hs_equal_nocase(word.text, word.length, words[i]))
            return true;
    return false;
}

static size_t split_pair(const char *line, char separator, field pair[2])
{
    size_t columns = 0;
    for (const char *rest = line; rest; columns++) {
        field next;
        if (separator == ' ') {
            rest += strspn(rest, " \t");
            if (!*rest)
                break;
            next = (field){rest, strcspn(rest, " \t")};
            rest += next.length;
        } else {
            next = take_field(&rest, separator);
            /* A field in double quotes loses them; inside, nothing is special. */
            if (next.length >= 2 && next.text[0] == '"' && next.text[next.length - 1] == '"')
                next = (field){next.text + 1, next.length - 2};
        }
        if (columns < 2)
            pair[columns] = next;
    }
    return columns;
}

static int read_pairs(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    char *line, separator = '\0';
    const char *between = ""; /* terms */
    int got;
    while ((got = next_line(reader, &line, error)) > 0) {
        field pair[2];
        uint32_t object;
        if (line[0] == '#')
            continue;
        bool first = separator == '\0';
        if (first) {
            separator = strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ' ';
            if (separator == '\t')
                between = options && options->separators ? options->separators : ";|,";
        }
        size_t columns = split_pair(line, separator, pair);
        if (columns != 2)
            return hs_fail_line(error, reader, "%zu column%s where 2 are expected: object and term",
                                columns, columns == 1 ? "" : "s");
        if (!pair[0].length)
            return hs_fail_line(error, reader, "no object (column 1)");
        if (first && is_header_word(pair[1]))
            continue;
        /* An object without terms is one all the same. */
        HS_TRY(hs_names_intern(&out->objects, pair[0].text, pair[0].length, &object, NULL, error));
        const char *end = pair[1].text + pair[1].length;
        for (const char *stop, *start = pair[1].text; start < end; start = stop + 1) {
            for (stop = start; stop < end && !strchr(between, *stop);)
                stop++;
            field term = {start, (size_t)(stop - start)};
            hs_trim(&term.text, &term.length);
            if (term.length)
                HS_TRY(hs_annotations_add(out, pair[0].text, pair[0].length, term.text, term.length,
                                          NULL, 0, false, hs_reader_line_number(reader), error));
        }
    }
    return got;
}

/* Two columns could be anything; other formats of this role are told apart better. */
static int sniff_pairs(const char *head, size_t length)
{
    const char *end = head + length;
    while (head < end && *head == '#') {
        const char *stop = memchr(head, '\n', (size_t)(end - head));
        head = stop ? stop + 1 : end;
    }
    size_t tabs = 0, commas = 0, blanks = 0;
    for (; head < end && *head != '\n'; head++) {
        if ((unsigned char)*head < ' ' && *head != '\t' && *head != '\r')
            return 0;
        tabs += *head == '\t';
        commas += *head == ',';
        blanks += *head == ' ';
    }
    if (tabs)
        return tabs == 1 ? 30 : 0;
    return commas == 1 ? 30 : commas == 0 && blanks >= 1 ? 20 : 0;
}

static const hs_format pairs_format = {
    .endings = "tsv tab csv txt", .sniff = sniff_pairs, .read_annotations = read_pairs};

const hs_method hs_method_pairs = {
    .kind = HS_FORMAT,
    .name = "pairs",
    .title = "two columns: object, term",
    .help = "Plain annotations: one object and one term a line, with a tab, a comma or blanks "
            "between them; a header is optional. Between tabs the second column may hold several "
            "terms, separated by ';', '|' or ','.",
    .citation = "no specification: two columns of text",
    .format = &pairs_format};

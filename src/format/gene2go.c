/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gene2go, NCBI's annotations of Entrez genes, and shorter tables of the same kind. Columns are
 * found by their names in the header ("#tax_id GeneID GO_ID Evidence Qualifier …", in any order,
 * also after NCBI's older "#Format:"); GeneID and GO_ID must be there. A file without header, as
 * `grep ^9606` leaves it, must have the eight columns of the original. "-" is NCBI's empty field.
 */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "core/text.h"
#include "format/format.h"

enum { TAXON, GENE, TERM, EVIDENCE, QUALIFIER, ROLES };
enum { MAX_COLUMNS = 64, ORIGINAL_COLUMNS = 8 };

static const char *const role_names[ROLES] = {"tax_id", "GeneID", "GO_ID", "Evidence", "Qualifier"};

typedef struct gene2go_layout {
    int column[ROLES]; /* -1: the file does not have it */
    size_t columns;    /* 0: not known yet */
} gene2go_layout;

typedef struct gene2go_line {
    const char *text[ROLES];
    size_t length[ROLES];
} gene2go_line;

static int role_of(const char *name, size_t length)
{
    for (int role = 0; role < ROLES; role++)
        if (hs_equal_nocase(name, length, role_names[role]))
            return role;
    return -1;
}

/* The old header is separated by blanks and ends in a remark in brackets. */
static const char *next_header_name(const char **rest, bool blanks, size_t *length)
{
    if (!blanks)
        return hs_annotation_field(rest, '\t', length);
    const char *name = *rest + strspn(*rest, " \t");
    *length = strcspn(name, " \t");
    *rest = name[*length] && name[0] != '(' ? name + *length : NULL;
    if (name[0] == '(')
        *length = 0;
    return name;
}

static int read_header(const hs_reader *reader, const char *line, gene2go_layout *layout,
                       hsel_error *error)
{
    static const char old[] = "Format:";
    const char *rest = line[0] == '#' ? line + 1 : line;
    bool blanks = hs_equal_nocase(rest, strlen(rest) < 7 ? 0 : 7, old);
    if (blanks)
        rest += sizeof old - 1;
    for (int role = 0; role < ROLES; role++)
        layout->column[role] = -1;
    size_t columns = 0;
    while (rest) {
        size_t length;
        const char *name = next_header_name(&rest, blanks, &length);
        if (blanks && !length)
            break;
        int role = role_of(name, length);
        if (role >= 0 && layout->column[role] >= 0)
            return hs_fail_line(error, reader, "column %s stands twice in the header",
                                role_names[role]);
        if (role >= 0)
            layout->column[role] = (int)columns;
        if (++columns > MAX_COLUMNS)
            return hs_fail_line(error, reader, "more than %d columns", MAX_COLUMNS);
    }
    for (int role = GENE; role <= TERM; role++)
        if (layout->column[role] < 0)
            return hs_fail_line(error, reader, "the header has no column %s", role_names[role]);
    layout->columns = columns;
    return HSEL_OK;
}

static size_t count_columns(const char *line)
{
    size_t columns = 1;
    for (; *line; line++)
        columns += *line == '\t';
    return columns;
}

/* Before the first line of data: the header, if this is it, or the original's columns. */
static int find_layout(const hs_reader *reader, const char *line, gene2go_layout *layout,
                       bool *is_header, hsel_error *error)
{
    const char *rest = line[0] == '#' ? line + 1 : line;
    size_t length;
    const char *first = hs_annotation_field(&rest, '\t', &length);
    *is_header = role_of(first, length) >= 0 ||
                 (length >= 7 && line[0] == '#' && hs_equal_nocase(first, 7, "Format:"));
    if (*is_header)
        return read_header(reader, line, layout, error);
    if (line[0] == '#') { /* some other comment */
        *is_header = true;
        return HSEL_OK;
    }
    if (count_columns(line) != ORIGINAL_COLUMNS)
        return hs_fail_line(error, reader,
                            "no header with GeneID and GO_ID, and not the %d columns of gene2go",
                            ORIGINAL_COLUMNS);
    *layout = (gene2go_layout){.column = {0, 1, 2, 3, 4}, .columns = ORIGINAL_COLUMNS};
    return HSEL_OK;
}

static int split_line(const hs_reader *reader, const char *line, const gene2go_layout *layout,
                      gene2go_line *out, hsel_error *error)
{
    *out = (gene2go_line){0};
    size_t columns = 0;
    for (const char *rest = line; rest; columns++) {
        size_t length;
        const char *text = hs_annotation_field(&rest, '\t', &length);
        if (length == 1 && text[0] == '-')
            length = 0;
        for (int role = 0; role < ROLES; role++)
            if (layout->column[role] == (int)columns) {
                out->text[role] = text;
                out->length[role] = length;
            }
    }
    if (columns != layout->columns)
        return hs_fail_line(error, reader, "%zu columns where the header has %zu", columns,
                            layout->columns);
    for (int role = GENE; role <= TERM; role++)
        if (!out->length[role])
            return hs_fail_line(error, reader, "no %s (column %d)", role_names[role],
                                layout->column[role] + 1);
    return HSEL_OK;
}

static int add_line(const hs_reader *reader, const hs_annotation_options *options,
                    const gene2go_line *line, hs_annotations *out, hsel_error *error)
{
    if (line->text[TAXON] &&
        !hs_annotation_taxon_wanted(options, line->text[TAXON], line->length[TAXON])) {
        out->other_taxon++;
        return HSEL_OK;
    }
    bool negated = line->text[QUALIFIER] &&
                   hs_annotation_is_not(line->text[QUALIFIER], line->length[QUALIFIER]);
    /* Older files write the qualifier as one word group: "NOT contributes_to". */
    if (line->length[QUALIFIER] > 4 && hs_equal_nocase(line->text[QUALIFIER], 4, "NOT "))
        negated = true;
    return hs_annotations_add(out, line->text[GENE], line->length[GENE], line->text[TERM],
                              line->length[TERM], line->text[EVIDENCE], line->length[EVIDENCE],
                              negated, hs_reader_line_number(reader), error);
}

static int read_gene2go(hs_reader *reader, const hs_annotation_options *options,
                        hs_annotations *out, hsel_error *error)
{
    gene2go_layout layout = {0};
    gene2go_line fields;
    char *line;
    size_t length;
    int got, status = HSEL_OK;
    while (!status && (got = hs_reader_line(reader, &line, &length, error)) != 0) {
        bool skip = false;
        if (got < 0)
            return got;
        if (line[strspn(line, " \t")] == '\0')
            continue;
        if (layout.columns)
            skip = line[0] == '#';
        else
            status = find_layout(reader, line, &layout, &skip, error);
        if (status || skip)
            continue;
        status = split_line(reader, line, &layout, &fields, error);
        if (!status)
            status = add_line(reader, options, &fields, out, error);
    }
    return status;
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
    size_t line = stop ? (size_t)(stop - head) : length;
    bool gene = false, term = false;
    size_t columns = 0, digits = 0;
    for (size_t i = 0; i <= line; i++) {
        size_t start = i;
        while (i < line && head[i] != '\t' && head[i] != ' ' && head[i] != '\r')
            i++;
        gene = gene || hs_equal_nocase(head + start, i - start, "GeneID");
        term = term || hs_equal_nocase(head + start, i - start, "GO_ID");
        digits += columns < 2 && all_digits(head + start, i - start);
        columns++;
    }
    if (gene && term)
        return 95;
    size_t tabs = 0;
    for (size_t i = 0; i < line; i++)
        tabs += head[i] == '\t';
    return digits == 2 && tabs + 1 == ORIGINAL_COLUMNS && memmem(head, line, "\tGO:", 4) ? 90 : 0;
}

static const hs_format format = {
    .endings = "gene2go", .sniff = sniff_gene2go, .read_annotations = read_gene2go};

const hs_method hs_method_gene2go = {
    .kind = HS_FORMAT,
    .name = "gene2go",
    .title = "NCBI gene2go table",
    .help = "Annotations of Entrez genes as NCBI publishes them, or any table between tabs whose "
            "header names GeneID and GO_ID, and perhaps tax_id, Evidence and Qualifier.",
    .citation = "ftp.ncbi.nlm.nih.gov/gene/DATA/README, section gene2go",
    .format = &format};

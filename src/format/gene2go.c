/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NCBI's annotations of Entrez genes, and shorter tables of the same kind. Columns are
 * found by their names in the header ("#tax_id GeneID GO_ID Evidence Qualifier …", in any order,
 * also after NCBI's older "#Format:", where blanks are between them and a remark in brackets at the
 * end); GeneID and GO_ID must be there. A file without header, as `grep ^9606` leaves it, must have
 * the eight columns of the original. "-" is NCBI's empty field.
 */
#define _GNU_SOURCE /* memmem */
#include "format/table.h"

enum { GENE2GO_MOST = 64, GENE2GO_COLUMNS = 8 };
enum { TAXON, OBJECT, TERM, EVIDENCE, QUALIFIER, ROLES }; /* what a column may be */

static const char *const role_names[ROLES] = {"tax_id", "GeneID", "GO_ID", "Evidence", "Qualifier"};

static int role_of(const hs_field *name)
{
    for (int role = 0; name && role < ROLES; role++)
        if (hs_equal_nocase(name->text, name->length, role_names[role]))
            return role;
    return -1;
}

/* Finds the columns by their names. old: in the header "#Format:", which ends before a remark. */
static int gene2go_header(const hs_table *table, bool old, int column[ROLES], size_t *columns,
                          hsel_error *error)
{
    const hs_field *names = table->fields;
    memset(column, -1, ROLES * sizeof *column);
    for (*columns = 0; *columns < table->count && !(old && names[*columns].text[0] == '(');
         ++*columns) {
        int role = role_of(&names[*columns]);
        if (role >= 0 && column[role] >= 0)
            return hs_fail_line(error, table->reader, "column %s is in the header twice",
                                role_names[role]);
        if (role >= 0)
            column[role] = (int)*columns;
        if (*columns == GENE2GO_MOST)
            return hs_fail_line(error, table->reader, "more than %d columns", GENE2GO_MOST);
    }
    for (int role = OBJECT; role <= TERM; role++)
        if (column[role] < 0)
            return hs_fail_line(error, table->reader, "the header has no column %s",
                                role_names[role]);
    return HSEL_OK;
}

static int read_gene2go(hs_reader *reader, const hs_annotation_options *options,
                        hs_annotations *out, hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    int column[ROLES] = {0, 1, 2, 3, 4}, got;
    size_t columns = 0; /* not known yet */
    while ((got = hs_table_line(&table, error)) > 0) {
        bool comment = table.text[0] == '#';
        if (comment && columns)
            continue;
        bool old = comment && table.length > 7 && hs_equal_nocase(table.text + 1, 7, "Format:");
        table.text += old ? 8 : comment;
        table.length -= old ? 8 : comment;
        table.delimiter = old ? ' ' : '\t';
        HS_TRY(hs_table_split(&table, error));
        if (!columns && (old || role_of(table.fields) >= 0)) {
            HS_TRY(gene2go_header(&table, old, column, &columns, error));
            continue;
        }
        if (comment)
            continue;
        if (!columns && table.count != GENE2GO_COLUMNS)
            return hs_fail_line(
                error, reader, "no header with GeneID and GO_ID, and not the %d columns of gene2go",
                GENE2GO_COLUMNS);
        columns = columns ? columns : GENE2GO_COLUMNS;
        if (table.count != columns)
            return hs_fail_line(error, reader, "%zu columns where the header has %zu", table.count,
                                columns);
        hs_field f[ROLES] = {{0}};
        for (int role = 0; role < ROLES; role++) {
            if (column[role] >= 0)
                f[role] = table.fields[column[role]];
            if (f[role].text && strcmp(f[role].text, "-") == 0)
                f[role].length = 0;
            if ((role == OBJECT || role == TERM) && !f[role].length)
                return hs_fail_line(error, reader, "no %s (column %d)", role_names[role],
                                    column[role] + 1);
        }
        /* Older files write the qualifier as one word group: "NOT contributes_to". */
        bool negated = hs_annotation_is_not(f[QUALIFIER].text) ||
                       (f[QUALIFIER].length > 4 && hs_equal_nocase(f[QUALIFIER].text, 4, "NOT "));
        if (f[TAXON].text && !hs_annotation_taxon_wanted(options, f[TAXON].text, f[TAXON].length))
            out->other_taxon++;
        else
            HS_TRY(hs_annotations_add(out, f[OBJECT].text, f[OBJECT].length, f[TERM].text,
                                      f[TERM].length, f[EVIDENCE].text, f[EVIDENCE].length, negated,
                                      table.line, error));
    }
    return got;
}

static int sniff_gene2go(const char *head)
{
    size_t line = strcspn(head, "\n"), numbers = 0, tabs = 0, length;
    bool gene = false, term = false;
    for (size_t at = 0, column = 0; at <= line; at += length + 1, column++) {
        length = strcspn(head + at, "\t \r\n");
        gene = gene || hs_equal_nocase(head + at, length, "GeneID");
        term = term || hs_equal_nocase(head + at, length, "GO_ID");
        numbers += column < 2 && length && strspn(head + at, "0123456789") == length;
        tabs += head[at + length] == '\t';
    }
    if (gene && term)
        return 95;
    return numbers == 2 && tabs + 1 == GENE2GO_COLUMNS && memmem(head, line, "\tGO:", 4) ? 90 : 0;
}

const hs_method hs_method_gene2go = {
    .kind = HS_FORMAT,
    .name = "gene2go",
    .title = "NCBI gene2go table",
    .help = "Annotations of Entrez genes as NCBI publishes them, or any tab-separated table whose "
            "header has GeneID and GO_ID, and optionally tax_id, Evidence and Qualifier.",
    .citation = "ftp.ncbi.nlm.nih.gov/gene/DATA/README, section gene2go",
    .format = &(const hs_format){.endings = "gene2go",
                                 .sniff = sniff_gene2go,
                                 .read_annotations = read_gene2go,
                                 .has_species = true}};

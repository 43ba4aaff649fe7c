/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of annotations that every reader of them fills, and the readers of text files: GAF,
 * gene2go and plain pairs. Entries stay in the order of the file and repeats stay in; making sense
 * of them is the work of format/assemble.c.
 */
#define _GNU_SOURCE /* memmem */
#include "format/annotations.h"

#include <string.h>

#include "format/table.h"

void hs_annotations_clear(hs_annotations *annotations)
{
    hs_free(annotations->source);
    hs_names_clear(&annotations->objects);
    hs_names_clear(&annotations->terms);
    hs_names_clear(&annotations->evidence);
    HS_FREE(annotations->entries, annotations->first_line);
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

/* ---- tables: GAF and gene2go ---- */

/* What a column may be. */
enum { TAXON, OBJECT, TERM, EVIDENCE, QUALIFIER, ROLES };

static const hs_field *field_of(const hs_table *table, int column)
{
    static const hs_field none = {0};
    return column >= 0 && (size_t)column < table->count ? &table->fields[column] : &none;
}

/* Is one of the qualifiers, separated by '|', NOT in any case? */
static bool is_not(const hs_field *qualifier)
{
    for (const char *rest = qualifier->text; rest;) {
        const char *bar = strchr(rest, '|'), *word = rest;
        size_t length = bar ? (size_t)(bar - rest) : strlen(rest);
        hs_trim(&word, &length);
        if (hs_equal_nocase(word, length, "NOT"))
            return true;
        rest = bar ? bar + 1 : NULL;
    }
    return false;
}

/* The record last read; `column` has the column of each role, -1: none. */
static int add_record(const hs_table *table, const int *column, bool negated,
                      const hs_annotation_options *options, hs_annotations *out, hsel_error *error)
{
    const hs_field *taxon = field_of(table, column[TAXON]);
    const hs_field *object = field_of(table, column[OBJECT]), *term = field_of(table, column[TERM]);
    const hs_field *evidence = field_of(table, column[EVIDENCE]);
    if (taxon->text && !hs_annotation_taxon_wanted(options, taxon->text, taxon->length)) {
        out->other_taxon++;
        return HSEL_OK;
    }
    return hs_annotations_add(out, object->text, object->length, term->text, term->length,
                              evidence->text, evidence->length, negated, table->line, error);
}

/* GAF, the Gene Ontology's annotation file, versions 1.0 to 2.2. Comments start with '!', lines
 * have 15 to 17 columns between tabs. Of these we use the object's identifier (2) or symbol (3),
 * qualifier (4), term (5), evidence (7) and taxon (13). A taxon of two parts
 * ("taxon:9606|taxon:5833") belongs to an interaction; the first part is the species of the object.
 */

enum { GAF_LEAST = 15, GAF_MOST = 17, GAF_TAXON = 12 };

static const char gaf_key[] = "!gaf-version:";

static bool has_gaf_key(const char *line, size_t length)
{
    return length >= sizeof gaf_key - 1 && hs_equal_nocase(line, sizeof gaf_key - 1, gaf_key);
}

static int read_gaf(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                    hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    bool by_symbol = options && options->object_key == HS_OBJECT_SYMBOL;
    const int column[ROLES] = {[TAXON] = GAF_TAXON,
                               [OBJECT] = by_symbol ? 2 : 1,
                               [TERM] = 4,
                               [EVIDENCE] = 6,
                               [QUALIFIER] = 3};
    int got;
    while ((got = hs_table_line(&table, error)) > 0) {
        if (table.text[0] == '!') {
            /* The only comment that matters: other numbers mean other columns. */
            if (!has_gaf_key(table.text, table.length))
                continue;
            const char *version = table.text + sizeof gaf_key - 1;
            size_t length = table.length - sizeof gaf_key + 1;
            hs_trim(&version, &length);
            if (!length || (version[0] != '1' && version[0] != '2') ||
                (length > 1 && version[1] != '.'))
                return hs_fail_line(error, reader, "GAF version %.*s is not known; 1.0 to 2.2 are",
                                    (int)(length < 40 ? length : 40), version);
            continue;
        }
        HS_TRY(hs_table_split(&table, error));
        if (table.count < GAF_LEAST || table.count > GAF_MOST)
            return hs_fail_line(error, reader, "%zu columns where GAF has 15 to 17", table.count);
        if (!table.fields[column[OBJECT]].length)
            return hs_fail_line(error, reader, "no object %s (column %d)",
                                by_symbol ? "symbol" : "identifier", column[OBJECT] + 1);
        if (!table.fields[column[TERM]].length)
            return hs_fail_line(error, reader, "no term (column %d)", column[TERM] + 1);
        HS_TRY(add_record(&table, column, is_not(&table.fields[column[QUALIFIER]]), options, out,
                          error));
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

const hs_method hs_method_gaf = {
    .kind = HS_FORMAT,
    .name = "gaf",
    .title = "GO annotation file",
    .help = "Annotations as the Gene Ontology Consortium publishes them (versions 1.0 to 2.2): one "
            "line an annotation, with evidence code, taxon and the NOT qualifier. Objects go by "
            "their identifier (column 2) or by their symbol (column 3).",
    .citation = "GO Annotation File (GAF) format 2.2, geneontology.org",
    .format =
        &(const hs_format){.endings = "gaf goa", .sniff = sniff_gaf, .read_annotations = read_gaf}};

/* gene2go, NCBI's annotations of Entrez genes, and shorter tables of the same kind. Columns are
 * found by their names in the header ("#tax_id GeneID GO_ID Evidence Qualifier …", in any order,
 * also after NCBI's older "#Format:", where blanks are between them and a remark in brackets at the
 * end); GeneID and GO_ID must be there. A file without header, as `grep ^9606` leaves it, must have
 * the eight columns of the original. "-" is NCBI's empty field. */

enum { GENE2GO_MOST = 64, GENE2GO_COLUMNS = 8 };

static const char *const role_names[ROLES] = {"tax_id", "GeneID", "GO_ID", "Evidence", "Qualifier"};

static int role_of(const hs_field *name)
{
    for (int role = 0; name && role < ROLES; role++)
        if (hs_equal_nocase(name->text, name->length, role_names[role]))
            return role;
    return -1;
}

static int read_gene2go(hs_reader *reader, const hs_annotation_options *options,
                        hs_annotations *out, hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    int column[ROLES] = {0, 1, 2, 3, 4}, role, got;
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
            memset(column, -1, sizeof column);
            for (; columns < table.count; columns++) {
                const hs_field *name = &table.fields[columns];
                if (old && name->text[0] == '(')
                    break;
                if ((role = role_of(name)) >= 0 && column[role] >= 0)
                    return hs_fail_line(error, reader, "column %s is in the header twice",
                                        role_names[role]);
                if (role >= 0)
                    column[role] = (int)columns;
                if (columns == GENE2GO_MOST)
                    return hs_fail_line(error, reader, "more than %d columns", GENE2GO_MOST);
            }
            for (role = OBJECT; role <= TERM; role++)
                if (column[role] < 0)
                    return hs_fail_line(error, reader, "the header has no column %s",
                                        role_names[role]);
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
        for (role = 0; role < ROLES; role++) {
            hs_field *field = column[role] < 0 ? NULL : &table.fields[column[role]];
            if (field && strcmp(field->text, "-") == 0)
                field->length = 0;
            if ((role == OBJECT || role == TERM) && !field->length)
                return hs_fail_line(error, reader, "no %s (column %d)", role_names[role],
                                    column[role] + 1);
        }
        /* Older files write the qualifier as one word group: "NOT contributes_to". */
        const hs_field *qualifier = field_of(&table, column[QUALIFIER]);
        bool negated = is_not(qualifier) ||
                       (qualifier->length > 4 && hs_equal_nocase(qualifier->text, 4, "NOT "));
        HS_TRY(add_record(&table, column, negated, options, out, error));
    }
    return got;
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
        bool number = columns < 2 && i > start;
        for (size_t d = start; d < i; d++)
            number = number && head[d] >= '0' && head[d] <= '9';
        digits += number;
        columns++;
        tabs += i < line && head[i] == '\t';
    }
    if (gene && term)
        return 95;
    return digits == 2 && tabs + 1 == GENE2GO_COLUMNS && memmem(head, line, "\tGO:", 4) ? 90 : 0;
}

const hs_method hs_method_gene2go = {
    .kind = HS_FORMAT,
    .name = "gene2go",
    .title = "NCBI gene2go table",
    .help = "Annotations of Entrez genes as NCBI publishes them, or any table between tabs whose "
            "header names GeneID and GO_ID, and perhaps tax_id, Evidence and Qualifier.",
    .citation = "ftp.ncbi.nlm.nih.gov/gene/DATA/README, section gene2go",
    .format = &(const hs_format){
        .endings = "gene2go", .sniff = sniff_gene2go, .read_annotations = read_gene2go}};

/* ---- pairs: object and term, one pair per line ----
 *
 * Between them is a tab, a comma or blanks (the first line that is not a comment decides for the
 * whole file). Lines that start with '#' are comments. A first line whose second field is a usual
 * title of such a column ("term", "GO_ID" …) is a header. Between tabs the second field may hold
 * several terms. */

static int read_pairs(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                      hsel_error *error)
{
    HS_OWNS(hs_table_clear) hs_table table = {.reader = reader, .quoting = HS_NOT_QUOTED};
    static const char *const titles[] = {
        "term",     "terms",   "term_id",  "termid",     "go",         "go_id",
        "goid",     "go_term", "go_terms", "goterm",     "annotation", "annotations",
        "category", "type",    "types",    "tag",        "tags",       "feature",
        "features", "concept", "concepts", "ontology_id"};
    const char *between = ""; /* terms */
    int got;
    while ((got = hs_table_line(&table, error)) > 0) {
        hs_field *f;
        uint32_t object;
        bool first = !table.delimiter, header = false;
        if (table.text[0] == '#')
            continue;
        if (first)
            table.delimiter = strchr(table.text, '\t') ? '\t' : strchr(table.text, ',') ? ',' : ' ';
        if (table.delimiter == '\t')
            between = options && options->separators ? options->separators : ";|,";
        HS_TRY(hs_table_split(&table, error));
        if (table.count != 2)
            return hs_fail_line(error, reader, "%zu column%s where 2 are expected: object and term",
                                table.count, table.count == 1 ? "" : "s");
        /* A field in double quotes loses them; inside, nothing is special. */
        for (f = table.fields; f < table.fields + 2 && table.delimiter != ' '; f++)
            if (f->length >= 2 && f->text[0] == '"' && f->text[f->length - 1] == '"') {
                f->text++;
                f->length -= 2;
            }
        f = table.fields;
        if (!f[0].length)
            return hs_fail_line(error, reader, "no object (column 1)");
        for (size_t i = 0; first && !header && i < sizeof titles / sizeof *titles; i++)
            header = hs_equal_nocase(f[1].text, f[1].length, titles[i]);
        if (header)
            continue;
        /* An object without terms is one all the same. */
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

const hs_method hs_method_pairs = {
    .kind = HS_FORMAT,
    .name = "pairs",
    .title = "two columns: object, term",
    .help = "Plain annotations: one object and one term a line, with a tab, a comma or blanks "
            "between them; a header is optional. Between tabs the second column may hold several "
            "terms, separated by ';', '|' or ','.",
    .citation = "no specification: two columns of text",
    .format = &(const hs_format){
        .endings = "tsv tab csv txt", .sniff = sniff_pairs, .read_annotations = read_pairs}};

/* ---- evidence codes ----
 *
 * The groups follow the Gene Ontology's guide to evidence codes; "experimental" includes the codes
 * of high-throughput experiments, which also are a group of their own. */

static const char *const groups[] = {"experimental",  "high-throughput", "phylogenetic",
                                     "computational", "author",          "curator",
                                     "electronic"};
/* Of each group, with a blank after each. */
static const char *const group_codes[] = {"EXP IDA IPI IMP IGI IEP HTP HDA HMP HGI HEP ",
                                          "HTP HDA HMP HGI HEP ",
                                          "IBA IBD IKR IRD ",
                                          "ISS ISO ISA ISM IGC RCA ",
                                          "TAS NAS ",
                                          "IC ND ",
                                          "IEA "};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool group_has(size_t group, const char *code)
{
    for (const char *word = group_codes[group]; *word; word += strcspn(word, " ") + 1)
        if (hs_equal_nocase(word, strcspn(word, " "), code))
            return true;
    return false;
}

/* Does a word of the list (a code or a group) stand for this code? */
static bool list_has(const hs_list *words, const char *code)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        if (hs_equal_nocase(word, strlen(word), code))
            return true;
        for (size_t g = 0; g < GROUPS; g++)
            if (hs_equal_nocase(word, strlen(word), groups[g]) && group_has(g, code))
                return true;
    }
    return false;
}

static int check_words(const hs_list *words, const hs_names *codes, hsel_error *error)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        bool known = false;
        for (size_t g = 0; g < GROUPS && !known; g++)
            known = hs_equal_nocase(word, strlen(word), groups[g]) || group_has(g, word);
        for (uint32_t c = 0; c < codes->count && !known; c++)
            known = hs_equal_nocase(word, strlen(word), hs_names_get(codes, c));
        int nearest = hs_nearest(word, groups, GROUPS);
        if (!known && nearest >= 0)
            return hs_fail(error, HSEL_EUSAGE, "unknown evidence code '%s'; did you mean %s?", word,
                           groups[nearest]);
        if (!known)
            return hs_fail(error, HSEL_EUSAGE,
                           "unknown evidence code '%s'; codes are such as IDA or IEA, groups are "
                           "experimental, high-throughput, phylogenetic, computational, author, "
                           "curator and electronic",
                           word);
    }
    return HSEL_OK;
}

int hs_evidence_select(const hs_list *keep, const hs_list *leave, const hs_names *codes,
                       bool *wanted, hsel_error *error)
{
    HS_TRY(check_words(keep, codes, error));
    HS_TRY(check_words(leave, codes, error));
    for (uint32_t c = 0; c < codes->count; c++) {
        const char *code = hs_names_get(codes, c);
        wanted[c] = (!keep->count || list_has(keep, code)) && !list_has(leave, code);
    }
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of annotations that every reader of them fills, and the readers of gene2go,
 * phenotype.hpoa and plain pairs. Entries stay in the order of the file and repeats stay
 * in; making sense of them is the work of format/assemble.c.
 */
#define _GNU_SOURCE /* memmem */
#include "format/annotations.h"

#include <string.h>

#include "format/table.h"

void hs_annotations_clear(hs_annotations *annotations)
{
    hs_free(annotations->source);
    HS_CLEAR_NAMES(&annotations->objects, &annotations->terms, &annotations->evidence);
    hs_mapping_clear(&annotations->mapping);
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

bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length)
{
    if (!options || !options->taxon.count)
        return true;
    const char *bar = memchr(taxon, '|', length);
    if (bar)
        length = (size_t)(bar - taxon);
    if (!hs_drop_prefix(&taxon, &length, "taxon:"))
        hs_drop_prefix(&taxon, &length, "NCBITaxon:");
    for (size_t i = 0; i < options->taxon.count; i++) {
        const char *wanted = options->taxon.items[i];
        size_t wanted_length = strlen(wanted);
        hs_drop_prefix(&wanted, &wanted_length, "taxon:");
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
    if (options && options->taxon.count && !method->format->has_species)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "the format %s has no species to choose from (%s was asked for)",
                          method->name, options->taxon.items[0]);
    if (options && options->object_key == HS_OBJECT_SYMBOL && !method->format->has_symbols)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "the format %s has no symbols, so objects go by their identifiers",
                          method->name);
    HS_OWNS(hs_buf_clear) hs_buf source = {0};
    hs_buf_text(&source, out->files ? out->source : hs_reader_name(reader));
    if (out->files && !source.failed) { /* "FILE and 2 more" */
        source.length = out->first_name;
        hs_buf_printf(&source, " and %u more", out->files);
    }
    HS_NEED(!source.failed);
    hs_free(out->source);
    HS_NEED(out->source = hs_strdup(source.text));
    out->first_name = out->files++ ? out->first_name : source.length;
    HS_TRY(hs_fail_placed(error, reader,
                          method->format->read_annotations(reader, options, out, error)));
    if (out->files > 1 && out->first_line) /* `source` does not tell the file of a line any more */
        memset(out->first_line, 0, out->terms.count * sizeof *out->first_line);
    return HSEL_OK;
}

bool hs_annotation_is_not(const char *qualifiers)
{
    for (const char *rest = qualifiers; rest;) {
        const char *bar = strchr(rest, '|'), *word = rest;
        size_t length = bar ? (size_t)(bar - rest) : strlen(rest);
        hs_trim(&word, &length);
        if (hs_equal_nocase(word, length, "NOT"))
            return true;
        rest = bar ? bar + 1 : NULL;
    }
    return false;
}

/* ---- phenotype.hpoa: diseases and the terms of the Human Phenotype Ontology ----
 *
 * Twelve columns: disease (1), its name (2), qualifier (3: NOT), term (4), evidence (6), frequency
 * (8). A feature that none of those examined has (0/19, 0%, HP:0040285 "excluded") is as good as
 * NOT. Comments start with '#'; the line with the names of the columns does in older files. */

enum { HPOA_COLUMNS = 12 };

static bool is_never(const hs_field *frequency)
{
    const char *text = frequency->text;
    size_t zeros = strspn(text, "0.");
    return strcmp(text, "HP:0040285") == 0 ||
           (zeros && (strcmp(text + zeros, "%") == 0 || (zeros == 1 && text[zeros] == '/')));
}

static int read_hpoa(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                     hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {
        .reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED, .comment = '#'};
    int got;
    (void)options;
    while ((got = hs_table_record(&table, error)) > 0) {
        const hs_field *fields = table.fields, *object = &fields[0], *term = &fields[3];
        if (table.count != HPOA_COLUMNS)
            return hs_fail_line(error, reader, "%zu columns where phenotype.hpoa has %d",
                                table.count, HPOA_COLUMNS);
        if (!out->count && hs_equal_nocase(object->text, object->length, "database_id"))
            continue;
        if (!object->length)
            return hs_fail_line(error, reader, "no disease (column 1)");
        if (!term->length)
            return hs_fail_line(error, reader, "no term (column 4)");
        uint32_t objects = out->objects.count;
        HS_TRY(hs_annotations_add(out, object->text, object->length, term->text, term->length,
                                  fields[5].text, fields[5].length,
                                  hs_annotation_is_not(fields[2].text) || is_never(&fields[7]),
                                  table.line, error));
        if (out->objects.count > objects)
            HS_TRY(hs_mapping_record(&out->mapping, object->text, "", fields[1].text, "", NULL,
                                     error));
    }
    return got;
}

/* The names of the columns, or a first line with a term of HPO in its place. */
static int sniff_hpoa(const char *head, size_t length)
{
    const char *line = head, *end = head + length, *term = NULL, *stop;
    size_t tabs = 0;
    for (; line < end && *line == '#'; line = stop + 1) {
        if (end - line > 12 && hs_equal_nocase(line, 12, "#DatabaseID\t"))
            return 95;
        stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            return 0;
    }
    if (end - line > 12 && hs_equal_nocase(line, 12, "database_id\t"))
        return 95;
    for (; line < end && *line != '\n'; line++)
        if (*line == '\t' && ++tabs == 3)
            term = line + 1;
    return tabs + 1 == HPOA_COLUMNS && line - term > 3 && memcmp(term, "HP:", 3) == 0 ? 90 : 0;
}

const hs_method hs_method_hpoa = {
    .kind = HS_FORMAT,
    .name = "hpoa",
    .title = "HPO disease annotations",
    .help = "Diseases and their features as terms of the Human Phenotype Ontology: the file "
            "phenotype.hpoa. The qualifier NOT, and a frequency of none, negate.",
    .citation = "Human Phenotype Ontology, phenotype.hpoa, hpo.jax.org",
    .format =
        &(const hs_format){.endings = "hpoa", .sniff = sniff_hpoa, .read_annotations = read_hpoa}};

/* ---- gene2go ----
 *
 * NCBI's annotations of Entrez genes, and shorter tables of the same kind. Columns are
 * found by their names in the header ("#tax_id GeneID GO_ID Evidence Qualifier …", in any order,
 * also after NCBI's older "#Format:", where blanks are between them and a remark in brackets at the
 * end); GeneID and GO_ID must be there. A file without header, as `grep ^9606` leaves it, must have
 * the eight columns of the original. "-" is NCBI's empty field. */

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
        hs_field f[ROLES] = {{0}};
        for (role = 0; role < ROLES; role++) {
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
    .help = "Annotations of Entrez genes as NCBI publishes them, or any tab-separated table whose "
            "header has GeneID and GO_ID, and optionally tax_id, Evidence and Qualifier.",
    .citation = "ftp.ncbi.nlm.nih.gov/gene/DATA/README, section gene2go",
    .format = &(const hs_format){.endings = "gene2go",
                                 .sniff = sniff_gene2go,
                                 .read_annotations = read_gene2go,
                                 .has_species = true}};

/* ---- pairs: object and term, one pair per line ----
 *
 * Between them is a tab, a comma, a semicolon or blanks (the first line that is not a comment
 * decides for the whole file). Lines that start with '#' are comments. A first line whose second
 * field is a usual title of such a column ("term", "GO_ID" …) is a header. The second field may
 * hold several terms, and be quoted. */

/* A tab anywhere, else the first comma or semicolon, else blanks; outside quotes. Blanks also if
 * what they divide from the object goes on behind the comma: "gene GO:1,GO:2". */
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
    return HSEL_OK;
}

/* Two columns could be anything; other formats of this role are told apart better. */
static int sniff_pairs(const char *head, size_t length)
{
    const char *end = head + length;
    while (head < end && *head == '#') {
        const char *stop = memchr(head, '\n', (size_t)(end - head));
        head = stop ? stop + 1 : end;
    }
    if (head >= end || *head == '!') /* a comment in the Gene Ontology's files */
        return 0;
    const char *stop = memchr(head, '\n', (size_t)(end - head));
    const char delimiter = pairs_delimiter(head, (size_t)((stop ? stop : end) - head));
    size_t marks = 0;
    bool quoted = false;
    for (; head < end && *head != '\n'; head++) {
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading tables of amounts as text: MetaPhlAn, QIIME, mothur and what looks like them. One reader:
 * what differs are names of columns, which are in a table here, and separators of lineages.
 */
#include "format/profile.h"

#include "format/format.h"
#include "format/table.h"

const hs_option hs_profile_table[] = {
    HS_CHOICE(hs_profile_options, layout, "layout", "auto|wide|long", "auto",
              "wide: one row per feature or sample; long: one row per value (sample, feature, "
              "value), or each with the value 1 (sample, feature); auto: long if the second of two "
              "columns has words, or if the second of three columns has words and the third has "
              "numbers; if the second column is called taxon, taxonomy or lineage, only if a name "
              "in the first column has several"),
    HS_CHOICE(
        hs_profile_options, samples, "samples", "auto|columns|rows", "auto",
        "whether samples are columns or rows; auto: whichever has more names in the metadata"),
    HS_OPTION(hs_profile_options, ignore, "ignore", "NAME,…", NULL, 0, 0,
              "columns of the table to leave out, by name or number from 1"),
    HS_TEXT(hs_profile_options, separator, "lineage-separator", "TEXT|none|icd10", NULL,
            "separator of the parts of a lineage, such as / or . (default: | or ;, whichever "
            "occurs); icd10: codes of ICD-10, by prefix and chapter"),
    HS_CHOICE(hs_profile_options, inner, "inner", "auto|totals|own", "auto",
              "values of features that have others below them: totals, or only their own values; "
              "auto: totals, unless most are less than the sum below"),
    HS_FLAG(hs_profile_options, whole_lineages, "lineage-names",
            "name features by their whole lineage, even if its last part is unique"),
    HS_FLAG(hs_profile_options, missing_zero, "missing-zero", "treat missing values as 0"),
    HS_FLAG(hs_profile_options, sum_repeated, "sum-repeated",
            "add up rows of the same feature, which are otherwise an error"),
    HS_OPTION_END};

/* ---- the table in memory ---- */

void hs_profile_clear(hs_profile *p)
{
    HS_CLEAR_NAMES(&p->rows, &p->columns, &p->lineages, &p->keys, &p->skipped, &p->repeated_rows);
    HS_FREE(p->source, p->row, p->column, p->value);
    *p = (hs_profile){0};
}

static const char missing[] = "missing";

int hs_profile_add(hs_profile *p, const hs_profile_options *options, uint32_t row, uint32_t column,
                   double value, unsigned long line, hsel_error *error)
{
    if (isnan(value) && options->missing_zero) {
        p->missing++;
        return HSEL_OK;
    }
    if (value == 0)
        return HSEL_OK;
    if (!(value > 0) || isinf(value)) {
        const char *bad = isnan(value) ? missing : isinf(value) ? "not finite" : "negative";
        if (!p->bad) {
            p->bad = bad;
            p->bad_line = line;
            p->bad_row = row;
            p->bad_column = column;
        }
        p->bad_count += p->bad == bad;
        return HSEL_OK;
    }
    HS_NEED(HS_GROW(&p->row, &p->row_capacity, p->count + 1) &&
            HS_GROW(&p->column, &p->column_capacity, p->count + 1) &&
            HS_GROW(&p->value, &p->value_capacity, p->count + 1));
    p->row[p->count] = row;
    p->column[p->count] = column;
    p->value[p->count++] = value;
    return HSEL_OK;
}

int hs_profile_done(const hs_profile *p, hsel_error *error)
{
    if (p->bad_count)
        return hs_fail_at(error, HSEL_EFORMAT, p->source, p->bad_line,
                          p->bad == missing ? "the value of %.200s in %.200s is %s ({missing-zero} "
                                              "takes such values as 0); there %s %llu of this kind"
                                            : "the value of %.200s in %.200s is %s; there %s %llu "
                                              "of this kind",
                          hs_names_get(&p->rows, p->bad_row),
                          hs_names_get(&p->columns, p->bad_column), p->bad,
                          p->bad_count == 1 ? "is" : "are", (unsigned long long)p->bad_count);
    if (!p->rows.count || !p->columns.count)
        return hs_fail_at(error, HSEL_EFORMAT, p->source, 0, "there are no values in it");
    return HSEL_OK;
}

/* ---- names of columns ---- */

typedef enum column_role {
    COLUMN_VALUE,
    COLUMN_ID,
    COLUMN_LINEAGE,
    COLUMN_SKIPPED,
    COLUMN_RANK /* and further ones: the rank is role - COLUMN_RANK */
} column_role;

static const char *const ranks[][2] = {{"d", "domain"}, {"k", "kingdom"}, {"p", "phylum"},
                                       {"c", "class"},  {"o", "order"},   {"f", "family"},
                                       {"g", "genus"},  {"s", "species"}, {"t", "strain"}};
#define RANKS (sizeof ranks / sizeof ranks[0])

/* Columns that are neither a sample nor a feature, by the programs that write them. */
static const struct {
    const char *name;
    column_role role;
} known_columns[] = {{"taxonomy", COLUMN_LINEAGE},
                     {"taxon", COLUMN_LINEAGE},
                     {"taxa", COLUMN_LINEAGE},
                     {"lineage", COLUMN_LINEAGE},
                     {"consensus lineage", COLUMN_LINEAGE},
                     {"consensuslineage", COLUMN_LINEAGE},
                     {"NCBI_tax_id", COLUMN_SKIPPED},
                     {"clade_taxid", COLUMN_SKIPPED}, /* MetaPhlAn */
                     {"additional_species", COLUMN_SKIPPED},
                     {"numOtus", COLUMN_SKIPPED},
                     {"label", COLUMN_SKIPPED}, /* mothur: shared */
                     {"total", COLUMN_SKIPPED},
                     {"size", COLUMN_SKIPPED},        /* counts, cons.taxonomy */
                     {"confidence", COLUMN_SKIPPED}}; /* QIIME 2 */

/* Gives the columns their roles. Returns the column of identifiers. */
static uint32_t find_roles(const hs_names *header, uint8_t *roles)
{
    uint32_t id = HSEL_NONE, of_ranks = 0;
    for (uint32_t c = 0; c < header->count; c++) {
        roles[c] = COLUMN_VALUE;
        for (size_t k = 0; k < sizeof known_columns / sizeof known_columns[0]; k++)
            if (hs_equal_nocase(HS_NAME(header, c), known_columns[k].name))
                roles[c] = (uint8_t)known_columns[k].role;
        for (size_t r = 0; r < RANKS; r++)
            if (hs_equal_nocase(HS_NAME(header, c), ranks[r][1]) &&
                !memchr(roles, (int)(COLUMN_RANK + r), c)) {
                roles[c] = (uint8_t)(COLUMN_RANK + r);
                of_ranks++;
            }
    }
    for (uint32_t c = 0; c < header->count; c++) {
        if (roles[c] >= COLUMN_RANK && of_ranks < 2)
            roles[c] = COLUMN_VALUE;
        if (id == HSEL_NONE && roles[c] == COLUMN_VALUE)
            id = c;
    }
    /* The first column has the lineages themselves: nothing else names the rows. */
    if (header->count && roles[0] == COLUMN_LINEAGE)
        id = 0;
    if (id == HSEL_NONE)
        id = 0;
    roles[id] = COLUMN_ID;
    return id;
}

/* The lineage of a record: from its column of lineages, or joined from those of ranks, which may
 * be in any order. */
static void put_lineage(const hs_field *fields, const uint8_t *roles, uint32_t columns, hs_buf *out)
{
    const hs_field *of_rank[RANKS] = {NULL};
    out->length = 0;
    hs_buf_text(out, "");
    for (uint32_t c = 0; c < columns; c++) {
        if (roles[c] == COLUMN_LINEAGE)
            hs_buf_add(out, fields[c].text, fields[c].length);
        if (roles[c] >= COLUMN_RANK)
            of_rank[roles[c] - COLUMN_RANK] = &fields[c];
    }
    for (size_t r = 0; r < RANKS; r++) {
        const hs_field *f = of_rank[r];
        const char *letter = ranks[r][0];
        if (!f)
            continue;
        bool prefixed = f->text[0] == *letter && strncmp(f->text + 1, "__", 2) == 0;
        bool none = !f->length || strcmp(f->text, "NA") == 0;
        hs_buf_printf(out, "%s%s%s%s", out->length ? ";" : "", prefixed ? "" : letter,
                      prefixed ? "" : "__", none ? "" : f->text);
    }
}

/* ---- the text ---- */

static char delimiter_of(const char *text)
{
    size_t commas = 0, semicolons = 0;
    if (strchr(text, '\t'))
        return '\t';
    for (; *text; text++) {
        commas += *text == ',';
        semicolons += *text == ';';
    }
    return commas ? ',' : semicolons ? ';' : '\t';
}

static int put_header(hs_table *table, hsel_error *error)
{
    hs_names_clear(&table->header);
    for (size_t i = 0; i < table->count; i++) {
        const char *text = table->fields[i].text;
        size_t length = table->fields[i].length;
        while (i == 0 && length && (*text == '#' || *text == ' ')) {
            text++;
            length--;
        }
        HS_TRY(hs_names_append(&table->header, text, length, error));
    }
    return HSEL_OK;
}

/* The header: the last comment line if it has as many fields as the line after it, else the first
 * line that is not a comment. One that has a field less than the lines below names no identifiers
 * (as R writes it). */
static int profile_open(hs_reader *reader, hs_table *table, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf comment = {0};
    int got;
    table->reader = reader;
    table->quoting = HS_QUOTED;
    while ((got = hs_table_line(table, error)) > 0 && *table->text == '#') {
        comment.length = 0;
        hs_buf_add(&comment, table->text, table->length);
    }
    HS_TRY(got < 0 ? got : HSEL_OK);
    HS_NEED(!comment.failed);
    if (!got)
        return HS_FAIL_FILE(error, reader, "there is no table in it");
    table->delimiter = delimiter_of(table->text);
    table->quoting = table->delimiter == '\t' ? HS_QUOTED_WHOLE : HS_QUOTED;
    HS_TRY(hs_table_split(table, error));
    size_t fields = table->count;
    if (comment.length) {
        hs_table above = {.delimiter = table->delimiter,
                          .quoting = table->quoting,
                          .reader = reader,
                          .text = comment.text,
                          .length = comment.length,
                          .line = table->line};
        int status = strchr(comment.text, '"') ? HSEL_OK : hs_table_split(&above, error);
        if (!status && above.count == fields && fields > 1) {
            table->held = true;
            status = put_header(&above, error);
            HS_MOVE(&table->header, &above.header);
        }
        hs_table_clear(&above);
        HS_TRY(status);
    }
    if (table->held)
        return hs_names_index(&table->header, error);
    HS_TRY(put_header(table, error));
    if ((got = hs_table_record(table, error)) < 0)
        return got;
    table->held = got > 0;
    if (got && table->count == (size_t)table->header.count + 1) {
        HS_OWNS(hs_names_clear) hs_names names = table->header;
        table->header = (hs_names){0};
        HS_TRY(hs_names_append(&table->header, "", 0, error));
        for (uint32_t i = 0; i < names.count; i++)
            HS_TRY(hs_names_append(&table->header, HS_NAME(&names, i), error));
    }
    return hs_names_index(&table->header, error);
}

/* The number in a field; NaN: missing. False: it is not a number. */
static bool parse_value(const hs_field *f, double *out)
{
    if (f->length == 0 || strcmp(f->text, "NA") == 0 || strcmp(f->text, "?") == 0) {
        *out = NAN;
        return true;
    }
    return hs_parse_double(f->text, f->length, out);
}

/* Ends reading a table that may be a long one or have one sample beside a column of lineages, and
 * was read as a long one. A feature has one lineage: it is long if a row has several. beside: the
 * column of each row. empty: the first line without one. */
static int choose_layout(hs_profile *p, const hs_names *header, const uint32_t *beside,
                         bool lineages, bool several, unsigned long empty, hsel_error *error)
{
    if (several && empty)
        return hs_fail_at(error, HSEL_EFORMAT, p->source, empty, "the second field is empty");
    if (several) { /* hs_profile_assemble looks for repeated pairs */
        p->repeated = 0;
        hs_names_clear(&p->repeated_rows);
        return HSEL_OK;
    }
    p->is_long = false;
    for (uint32_t r = 0; r < p->rows.count && lineages; r++)
        HS_TRY(hs_names_append(&p->lineages, HS_NAME(&p->columns, beside[r]), error));
    if (!lineages)
        HS_TRY(hs_names_append(&p->skipped, HS_NAME(header, 1), error));
    hs_names_clear(&p->columns);
    if (!hs_names_length(header, 2))
        return hs_fail_at(error, HSEL_EFORMAT, p->source, 0, "column 3 has no name in the header");
    HS_TRY(hs_names_intern(&p->columns, HS_NAME(header, 2), &p->bad_column, NULL, error));
    for (size_t i = 0; i < p->count; i++)
        p->column[i] = 0;
    return HSEL_OK;
}

/* The columns of values in a wide table get their numbers; *lineages: others have lineages. */
static int name_columns(hs_profile *p, const hs_reader *reader, const hs_names *header,
                        const uint8_t *roles, uint32_t *number, bool *lineages, hsel_error *error)
{
    bool added;
    for (uint32_t c = 0; c < header->count; c++) {
        *lineages |= roles[c] == COLUMN_LINEAGE || roles[c] >= COLUMN_RANK;
        if (roles[c] == COLUMN_SKIPPED)
            HS_TRY(hs_names_append(&p->skipped, HS_NAME(header, c), error));
        if (roles[c] != COLUMN_VALUE)
            continue;
        if (!hs_names_length(header, c))
            return HS_FAIL_FILE(error, reader, "column %u has no name in the header", c + 1);
        HS_TRY(hs_names_intern(&p->columns, HS_NAME(header, c), &number[c], &added, error));
        if (!added)
            return HS_FAIL_FILE(error, reader, "two columns are called %.200s",
                                hs_names_get(header, c));
    }
    return p->columns.count ? HSEL_OK
                            : HS_FAIL_FILE(error, reader, "there is no column of values in it");
}

static int profile_read(hs_reader *reader, const hs_profile_options *options, hs_profile *p,
                        hsel_error *error)
{
    HS_OWNS(hs_table_clear) hs_table table = {0};
    HS_OWNS(hs_buf_clear) hs_buf lineage = {0};
    HS_OWNED uint32_t *line_of = NULL, *beside = NULL;
    size_t line_capacity = 0, beside_capacity = 0;
    unsigned long empty = 0;
    bool added, several = false;
    int got;
    HS_NEED(p->source = hs_strdup(hs_reader_name(reader)));
    HS_TRY(profile_open(reader, &table, error));
    const hs_names *header = &table.header;
    uint32_t columns = header->count, id, found;
    HS_OWNED uint8_t *roles = HS_NEW(uint8_t, columns);
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, columns); /* of the columns of values */
    HS_NEED(roles && number);
    double value;
    id = find_roles(header, roles);
    const hs_field *first = table.fields;
    const bool valued = columns != 2; /* else each row counts 1 */
    p->is_long = options->layout == HS_LAYOUT_LONG ||
                 (options->layout == HS_LAYOUT_AUTO && !options->ignore.count &&
                  (columns == 2 || columns == 3) && table.held && table.count == columns &&
                  !parse_value(&first[1], &value) &&
                  (valued ? parse_value(&first[2], &value) : roles[1] != COLUMN_LINEAGE) &&
                  roles[1] < COLUMN_RANK);
    bool undecided = p->is_long && valued && options->layout == HS_LAYOUT_AUTO && id == 0 &&
                     (roles[1] == COLUMN_LINEAGE || roles[1] == COLUMN_SKIPPED);
    if (p->is_long && columns != 2 && columns != 3)
        return HS_FAIL_FILE(error, reader,
                            "a long table has two or three columns (sample, feature, value), this "
                            "one %u",
                            columns);
    for (size_t i = 0; i < options->ignore.count; i++) {
        HS_TRY(hs_column_find(header, options->ignore.items[i], p->source, &found, error));
        if (found == id || p->is_long)
            return hs_fail_at(error, HSEL_EUSAGE, p->source, 0, "column %s cannot be left out",
                              options->ignore.items[i]);
        roles[found] = COLUMN_SKIPPED;
    }
    bool lineages = false;
    if (!p->is_long)
        HS_TRY(name_columns(p, reader, header, roles, number, &lineages, error));
    const hs_field *f;
    id = p->is_long ? 0 : id;
    while ((got = hs_table_next(&table, &f, error)) > 0) {
        uint32_t row, column;
        if (!f[id].length)
            return hs_table_fail(&table, error, "the first field is empty");
        HS_TRY(hs_names_intern(&p->rows, f[id].text, f[id].length, &row, &added, error));
        HS_NEED(HS_GROW(&line_of, &line_capacity, (size_t)row + 1));
        if (added)
            line_of[row] = (uint32_t)table.line;
        if (p->is_long) {
            if (!f[1].length && !undecided)
                return hs_table_fail(&table, error, "the second field is empty");
            if (!f[1].length && !empty)
                empty = table.line;
            HS_TRY(hs_names_intern(&p->columns, f[1].text, f[1].length, &column, NULL, error));
            HS_NEED(HS_GROW(&beside, &beside_capacity, (size_t)row + 1));
            if (added)
                beside[row] = column;
            several |= beside[row] != column;
            value = 1;
            if (valued && !parse_value(&f[2], &value))
                return hs_table_fail(&table, error, "the value %.200s is not a number", f[2].text);
            HS_TRY(hs_profile_add(p, options, row, column, value, table.line, error));
        }
        if (p->is_long && (!undecided || several))
            continue;
        if (!added && !options->sum_repeated)
            return hs_table_fail(
                &table, error, "%.200s is already on line %u; {sum-repeated} adds such rows up%s",
                f[id].text, line_of[row],
                lineages && columns > 3
                    ? ", and a table with a row for each value has only sample, feature and value"
                    : "");
        if (!added && p->repeated++ < HS_EXAMPLES_LIMIT)
            HS_TRY(hs_names_append_text(&p->repeated_rows, f[id].text, error));
        if (p->is_long)
            continue;
        if (lineages && added) {
            put_lineage(f, roles, columns, &lineage);
            HS_NEED(!lineage.failed);
            HS_TRY(hs_names_append(&p->lineages, lineage.text, lineage.length, error));
        }
        for (uint32_t c = 0; c < columns; c++) {
            if (roles[c] != COLUMN_VALUE || (f[c].length == 1 && f[c].text[0] == '0'))
                continue;
            if (!parse_value(&f[c], &value))
                return hs_table_fail(&table, error,
                                     "the value %.100s in column %.200s is not a number; {ignore} "
                                     "leaves out columns that are not samples",
                                     f[c].text, hs_names_get(header, c));
            HS_TRY(hs_profile_add(p, options, row, number[c], value, table.line, error));
        }
    }
    if (!got && undecided)
        return choose_layout(p, header, beside, roles[1] == COLUMN_LINEAGE, several, empty, error);
    return got;
}

/* ---- taxonomies ---- */

int hs_taxonomy_load(const char *path, hs_profile *out, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table table = {0};
    HS_OWNS(hs_buf_clear) hs_buf lineage = {0};
    uint32_t key;
    bool added;
    int got;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_NEED(out->source = hs_strdup(hs_reader_name(reader)));
    HS_TRY(profile_open(reader, &table, error));
    const hs_names *header = &table.header;
    uint32_t columns = header->count;
    if (columns < 2)
        return hs_fail_line(error, reader,
                            "a taxonomy needs a column of features and one of lineages");
    HS_OWNED uint8_t *roles = HS_NEW(uint8_t, columns);
    HS_NEED(roles);
    uint32_t id = find_roles(header, roles), found = 0;
    for (uint32_t c = 0; c < columns; c++)
        found += roles[c] == COLUMN_LINEAGE || roles[c] >= COLUMN_RANK;
    if (!found && columns == 2) { /* without a header, perhaps: its second column must be it */
        roles[1 - id] = COLUMN_LINEAGE;
        hs_field top[2];
        for (uint32_t c = 0; c < 2; c++)
            top[c] =
                (hs_field){(char *)hs_names_get(header, c), hs_names_length(header, c), 0, false};
        if (strpbrk(top[1 - id].text, "|;")) {
            put_lineage(top, roles, columns, &lineage);
            HS_NEED(!lineage.failed);
            HS_TRY(hs_names_intern(&out->rows, top[id].text, top[id].length, &key, NULL, error));
            HS_TRY(hs_names_append(&out->lineages, lineage.text, lineage.length, error));
        }
    } else if (!found) {
        return HS_FAIL_FILE(error, reader,
                            "no column is called taxonomy, taxon or lineage, and there are not two "
                            "ranks");
    }
    const hs_field *f;
    while ((got = hs_table_next(&table, &f, error)) > 0) {
        HS_TRY(hs_names_intern(&out->rows, f[id].text, f[id].length, &key, &added, error));
        if (!added)
            return hs_table_fail(&table, error, "%.200s already has a lineage on an earlier line",
                                 f[id].text);
        put_lineage(f, roles, columns, &lineage);
        HS_NEED(!lineage.failed);
        HS_TRY(hs_names_append(&out->lineages, lineage.text, lineage.length, error));
    }
    return got;
}

/* ---- loading ---- */

int hs_profile_load(const char *path, const char *format, const hs_profile_options *options,
                    hs_profile *out, const hs_method **found, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_format_sniff(reader, format, HS_ROLE_AMOUNTS, found, error));
    if ((*found)->format->read_amounts != profile_read) {
        const char *idle = options->layout         ? "layout"
                           : options->samples      ? "samples"
                           : options->ignore.count ? "ignore"
                                                   : NULL;
        if (idle)
            return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                              "%s is for text tables, but the format is %s", HS_OPTION_WORD(idle),
                              (*found)->name);
    }
    HS_TRY(
        hs_fail_placed(error, reader, (*found)->format->read_amounts(reader, options, out, error)));
    return hs_profile_done(out, error);
}

/* A header and numbers below it: a weak guess, but few other formats have this role. */
static int profile_sniff(const char *head)
{
    return *head && *head != '{' && *head != '(' ? 20 : 0;
}

const hs_method hs_method_abundance = {
    .kind = HS_FORMAT,
    .name = "abundance",
    .title = "abundance table of MetaPhlAn, QIIME, mothur and others",
    .help =
        "For hsel build. A header names the columns; it may be a comment (#OTU ID). Samples are "
        "columns or rows, whichever match the metadata; in a long table each row is a sample, a "
        "feature and a value, which is 1 if there are only two columns (option layout: long). The "
        "first column names the rows, by lineages "
        "(k__Bacteria|p__…, k__Bacteria; p__…) or by identifiers beside which a column taxonomy, "
        "taxon, lineage or Consensus Lineage, or columns of ranks (kingdom, phylum …), give them. "
        "The columns NCBI_tax_id, clade_taxid, additional_species, numOtus, label, total, size and "
        "confidence are left out. Negative and missing values are errors.",
    .citation =
        "Blanco-Míguez et al.: Extending and improving metagenomic taxonomic profiling with "
        "uncharacterized species using MetaPhlAn 4, Nature Biotechnology 41, 2023",
    .format = &(const hs_format){.endings = "tsv txt csv tab shared spf",
                                 .sniff = profile_sniff,
                                 .read_amounts = profile_read}};

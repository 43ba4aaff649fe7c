/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV and TSV. What kind of feature a column is depends on all its values, so the records are kept
 * as text (the fields of features only, one after the other) while columns are judged, and go to
 * the builder in a second pass.
 *
 * A kept field ends in NUL; one that was quoted begins with the byte 1, because "NA" in quotes is
 * text.
 *
 * Written: missing values are NA; text is quoted wherever the reader would take it for something
 * else.
 */
#include "format/table.h"
#include "format/hierarchy.h"

#define QUOTED '\1'

typedef struct column {         /* of a feature, and what it holds */
    uint32_t place;             /* in the table */
    unsigned pairs;             /* bit p: a word of hs_word_pair p (or the numbers 0 and 1) */
    bool number;                /* a number other than 0 and 1 */
    bool one;                   /* anything but 0 */
    bool before;                /* the last column that has it is numeric, or there is none */
    bool comma, point;          /* a number with a decimal comma (where that does not separate
                                   columns), with a decimal point */
    bool text;                  /* anything else */
    unsigned long missing_line; /* of the first missing value; 0: none */
    hsel_feature_type type;
} column;

typedef struct row {
    size_t fields, id; /* where they begin in the text */
    unsigned long line;
    uint32_t label;
} row;

typedef struct csv {
    hs_table table;
    hs_columns roles;
    column *columns; /* column f is feature f */
    uint32_t features;
    hs_builder *builder;
    row *rows;
    char *text; /* of all rows */
    size_t count, capacity, used, text_capacity;
} csv;

#define FAIL(...) hs_table_fail(&c->table, error, __VA_ARGS__)

/* The number in a field with a decimal comma. */
static bool parse_comma(const char *text, size_t length, double *out)
{
    char digits[64];
    const char *comma = length < sizeof digits ? memchr(text, ',', length) : NULL;
    if (!comma || memchr(text, '.', length))
        return false;
    memcpy(digits, text, length);
    digits[comma - text] = '.';
    return hs_parse_double(digits, length, out);
}

static void csv_clear(csv *c)
{
    hs_table_clear(&c->table);
    hs_columns_clear(&c->roles);
    hs_free(c->columns);
    hs_builder_free(c->builder);
    HS_FREE(c->text, c->rows);
}

static void judge_field(column *col, const hs_field *field, const hs_table *table)
{
    hs_word_pair pair = HS_PAIR_0_1;
    double number;
    bool plain;
    if (field->length == 1 && (field->text[0] == '0' || field->text[0] == '1')) {
        col->pairs |= 1u << HS_PAIR_0_1;
        col->one |= field->text[0] == '1';
        return;
    }
    col->one = true;
    if (field->length == 0 || (!field->quoted && hs_is_missing(HS_SPAN(*field)))) {
        if (!col->missing_line)
            col->missing_line = table->line;
    } else if (col->text) {
        return; /* nothing else can change what it is */
    } else if ((plain = hs_parse_double(HS_SPAN(*field), &number)) ||
               (table->delimiter != ',' && parse_comma(HS_SPAN(*field), &number))) {
        if (number == 0 || number == 1)
            col->pairs |= 1u << HS_PAIR_0_1;
        else
            col->number = true;
        col->comma |= !plain;
        col->point |= memchr(field->text, '.', field->length) != NULL;
    } else if (hs_binary_word(HS_SPAN(*field), &pair) >= 0) {
        col->pairs |= 1u << pair;
    } else {
        col->text = true;
    }
}

/* Keeps the text of the row last begun. */
static int keep_row(csv *c, const hs_field *fields, row *out, hsel_error *error)
{
    const hs_field *id = c->roles.id_column == HSEL_NONE ? NULL : &fields[c->roles.id_column];
    size_t size = id ? id->length + 2 : 1;
    for (uint32_t f = 0; f < c->features; f++)
        size += fields[c->columns[f].place].length + 2;
    HS_NEED(HS_GROW(&c->text, &c->text_capacity, c->used + size));
    char *at = c->text + c->used;
    out->id = c->used;
    if (id) {
        memcpy(at, id->text, id->length + 1);
        at += id->length + 1;
    }
    out->fields = (size_t)(at - c->text);
    for (uint32_t f = 0; f < c->features; f++) {
        const hs_field *field = &fields[c->columns[f].place];
        if (field->quoted || field->text[0] == QUOTED)
            *at++ = QUOTED;
        memcpy(at, field->text, field->length + 1);
        at += field->length + 1;
    }
    c->used = (size_t)(at - c->text);
    return HSEL_OK;
}

/* Which column is what. Columns that matter must have names, all different. */
static int csv_read_header(csv *c, const hs_column_options *options, hsel_error *error)
{
    /* The first column is the identifier without being named so if its header says so. */
    static const char *const id_names[] = {"", "id", "entrez", "sample", "gene", "name"};
    const hs_names *header = &c->table.header;
    uint32_t usual_id = HSEL_NONE;
    for (size_t i = 0; i < sizeof id_names / sizeof id_names[0]; i++)
        if (hs_equal_nocase(HS_NAME(header, 0), id_names[i]))
            usual_id = 0;
    HS_TRY(hs_columns_assign(header, options, usual_id, hs_reader_name(c->table.reader), &c->roles,
                             error));
    const uint8_t *roles = c->roles.roles;
    HS_NEED(c->columns = HS_NEW_ZERO(column, header->count));
    for (uint32_t i = 0; i < header->count; i++) {
        uint32_t first = hs_names_find(header, HS_NAME(header, i));
        if (roles[i] == HS_COLUMN_IGNORED)
            continue;
        if (hs_names_length(header, i) == 0 && roles[i] != HS_COLUMN_ID)
            return FAIL("column %u has no name in the header", i + 1);
        if (first != i && roles[first] != HS_COLUMN_IGNORED)
            return FAIL("columns %u and %u have the same name, %s", first + 1, i + 1,
                        hs_names_get(header, i));
        if (roles[i] == HS_COLUMN_FEATURE)
            c->columns[c->features++].place = i;
    }
    return HSEL_OK;
}

/* The first pass. */
static int csv_read_rows(csv *c, hsel_error *error)
{
    const hs_field *fields;
    const uint32_t label = c->roles.class_column;
    int status;
    while ((status = hs_table_next(&c->table, &fields, error)) > 0) {
        HS_NEED(HS_GROW(&c->rows, &c->capacity, c->count + 1));
        row *r = &c->rows[c->count++];
        *r = (row){.line = c->table.line, .label = HSEL_NONE};
        for (uint32_t f = 0; f < c->features; f++)
            judge_field(&c->columns[f], &fields[c->columns[f].place], &c->table);
        const hs_field *f = label == HSEL_NONE ? NULL : &fields[label];
        if (f && f->length && (f->quoted || !hs_is_missing(HS_SPAN(*f))))
            HS_TRY(hs_builder_class(c->builder, HS_SPAN(*f), &r->label, error));
        HS_TRY(keep_row(c, fields, r, error));
    }
    return status;
}

/* What kind of feature each column is, by all its values. */
static int declare_columns(csv *c, const hs_column_options *options, hsel_error *error)
{
    const hs_names *header = &c->table.header;
    bool before = true, after = true, any = false;
    uint32_t id;
    for (uint32_t f = 0; f < c->features; f++) {
        column *col = &c->columns[f];
        bool digits = col->pairs == 1u << HS_PAIR_0_1;
        bool several = (col->pairs & (col->pairs - 1)) != 0;
        bool nominal = col->text || several ||
                       hs_is_class_column(hs_names_get(header, col->place)) ||
                       (col->number && col->pairs && !digits) || (col->comma && col->point);
        col->type = nominal                                             ? HSEL_NOMINAL
                    : col->number || (!col->pairs && col->missing_line) ? HSEL_NUMERIC
                                                                        : HSEL_BINARY;
        if (col->comma && !nominal && options->decimal_commas)
            ++*options->decimal_commas;
        col->before = before;
        before = col->one ? col->type == HSEL_NUMERIC : before;
        any |= col->one;
    }
    /* Zeros alone are numbers if the columns around them are: the nearest on each side that are not
     * zeros too. */
    for (uint32_t f = c->features; f-- > 0;) {
        column *col = &c->columns[f];
        if (col->one)
            after = col->type == HSEL_NUMERIC;
        else if (any && col->before && after)
            col->type = HSEL_NUMERIC;
    }
    for (uint32_t f = 0; f < c->features; f++) {
        const column *col = &c->columns[f];
        c->table.line = col->missing_line;
        if (col->type == HSEL_BINARY && col->missing_line && options->missing == HS_MISSING_ERROR)
            return hs_table_fail(
                &c->table, error,
                "the binary column %s has a missing value; {missing=negative} takes it as negative",
                hs_names_get(header, col->place));
        HS_TRY(hs_builder_feature(c->builder, HS_NAME(header, col->place), col->type, &id, error));
    }
    return HSEL_OK;
}

/* A field that was kept. */
static int give_field(csv *c, uint32_t feature, const char *at, size_t length, bool quoted,
                      hsel_error *error)
{
    hs_word_pair pair;
    uint32_t code;
    double number = 0;
    switch (c->columns[feature].type) {
    case HSEL_NUMERIC:
        if (!hs_parse_double(at, length, &number) && !parse_comma(at, length, &number))
            number = NAN; /* judged to be missing */
        if (isinf(number))
            return FAIL("the value %.200s of column %s is not finite", at,
                        hs_names_get(&c->table.header, c->columns[feature].place));
        return number == 0 ? HSEL_OK : hs_builder_numeric(c->builder, feature, number, error);
    case HSEL_BINARY:
        if (hs_binary_word(at, length, &pair) != 1 &&
            ((!hs_parse_double(at, length, &number) && !parse_comma(at, length, &number)) ||
             number != 1))
            return HSEL_OK;
        return hs_builder_positive(c->builder, feature, error);
    default:
        if (length == 0 || (!quoted && hs_is_missing(at, length)))
            return HSEL_OK;
        HS_TRY(hs_builder_value(c->builder, feature, at, length, &code, error));
        return hs_builder_nominal(c->builder, feature, code, error);
    }
}

/* The second pass. */
static int give_rows(csv *c, hsel_error *error)
{
    const bool ids = c->roles.id_column != HSEL_NONE;
    for (size_t n = 0; n < c->count; n++) {
        const row *r = &c->rows[n];
        const char *at = c->text + r->fields, *id = c->text + r->id;
        c->table.line = r->line;
        HS_TRY(hs_builder_row(c->builder, ids ? id : NULL, ids ? strlen(id) : 0, r->label, error));
        for (uint32_t f = 0; f < c->features; f++) {
            if (at[0] == '0' && at[1] == '\0' && c->columns[f].type != HSEL_NOMINAL) {
                at += 2;
                continue;
            }
            bool quoted = *at == QUOTED;
            at += quoted;
            size_t length = strlen(at);
            HS_TRY(give_field(c, f, at, length, quoted, error));
            at += length + 1;
        }
    }
    hs_free(hs_take(&c->text));
    return HSEL_OK;
}

static int csv_read(hs_reader *reader, char delimiter, const hs_column_options *options,
                    hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(csv_clear) csv c = {0};
    HS_TRY(hs_table_open(reader, delimiter, &c.table, error));
    HS_TRY(csv_read_header(&c, options, error));
    HS_TRY(hs_builder_new(&c.builder, error));
    HS_TRY(csv_read_rows(&c, error));
    HS_TRY(declare_columns(&c, options, error));
    HS_TRY(give_rows(&c, error));
    HS_TRY(hs_columns_describe(&c.roles, &c.table.header, NULL, options, c.builder, error));
    hs_builder_sort_classes(c.builder);
    return hs_builder_finish(c.builder, out, error);
}

static int read_csv(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                    hsel_error *error)
{
    return csv_read(reader, 0, options, out, error);
}

static int read_tsv(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                    hsel_error *error)
{
    return csv_read(reader, '\t', options, out, error);
}

/* ---- writing ---- */

void hs_table_put_text(hs_writer *writer, const char *text, size_t length)
{
    const char *guard = hs_writer_guards(writer, text, length) ? "'" : "";
    /* 0xEF may begin a byte order mark, which is skipped at the start of a file */
    bool quotes = hs_is_missing(text, length) || text[0] == ' ' || text[length - 1] == ' ' ||
                  (unsigned char)text[0] == 0xEF;
    for (size_t i = 0; i < length && !quotes; i++)
        quotes = (unsigned char)text[i] < ' ' || text[i] == ',' || text[i] == ';' || text[i] == '"';
    if (quotes) {
        hs_put_quoted(writer, guard, text, length);
    } else {
        hs_writer_text(writer, guard);
        hs_writer_put(writer, text, length);
    }
}

static int csv_write(const hsel_dataset *data, hs_writer *writer, char delimiter, hsel_error *error)
{
    HS_OWNS(hs_table_writer_clear)
    hs_table_writer table = {.data = data,
                             .writer = writer,
                             .put = hs_table_put_text,
                             .missing = "NA",
                             .never = "false", /* zeros would be a number */
                             .delimiter = delimiter};
    HS_TRY(hs_table_writer_init(&table, error));
    /* The header: identifier, features, class. */
    uint32_t id = table.id_name != NULL, columns = id + data->features + (table.class_name != NULL);
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t f = i - id;
        const char *name = id && i == 0          ? table.id_name
                           : f == data->features ? table.class_name
                                                 : hs_names_get(&data->feature_names, f);
        if (i)
            hs_writer_char(writer, delimiter);
        hs_table_put_text(writer, name, strlen(name));
    }
    hs_writer_char(writer, '\n');
    for (uint32_t i = 0; i < data->instances; i++)
        hs_table_put_row(&table, i);
    return HSEL_OK;
}

static int write_csv(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    return csv_write(data, writer, ',', error);
}

static int write_tsv(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    return csv_write(data, writer, '\t', error);
}

/* ---- recognising ---- */

/* The next field of a record, quotes and all; *at goes past it. False at the end of the record,
 * which a line end within quotes is not. */
static bool next_field(const char **at, const char *end, char delimiter, const char **text,
                       size_t *length)
{
    const char *s = *at;
    if (s >= end || *s == '\n')
        return false;
    while (s < end && *s == ' ')
        s++;
    if (s < end && *s == '"') /* after the closing quote, or to the end if there is none */
        for (bool open = true; ++s < end && (open || *s == '"');)
            open ^= *s == '"';
    while (s < end && *s != '\n' && *s != delimiter)
        s++;
    *text = *at;
    *length = (size_t)(s - *at);
    hs_trim(text, length);
    *at = s + (s < end && *s == delimiter);
    return true;
}

/* What the first two records of a file look like. */
typedef struct look {
    size_t first, second; /* fields */
    bool one, cut;        /* there is no second record; the last one is not whole */
    bool numbers;         /* the second record has a number where the first has a name */
} look;

static look look_at_records(const char *head, char delimiter)
{
    const char *end = head + strlen(head), *above = head, *below = head, *text, *other;
    size_t size, other_size = 0;
    double number;
    look l = {0};
    while (next_field(&below, end, delimiter, &text, &size))
        continue;
    l.cut = below == end;
    while (below < end && (*below == '\n' || *below == '\r'))
        below++;
    l.one = below >= end;
    for (bool more = true; next_field(&above, end, delimiter, &text, &size); l.first++) {
        more = more && next_field(&below, end, delimiter, &other, &other_size);
        l.second += more;
        l.numbers |= more && hs_parse_double(other, other_size, &number) &&
                     !hs_parse_double(text, size, &number);
    }
    while (next_field(&below, end, delimiter, &other, &other_size))
        l.second++;
    l.cut = l.one ? l.cut : below == end;
    return l;
}

/* Lists of terms and edge lists have delimiters too, but only tables have numbers below names. */
static int sniff_delimiter(const char *head, char delimiter)
{
    if (!*head || !hs_looks_like_text(head))
        return 0;
    look l = look_at_records(head, delimiter);
    if (l.first < 2)
        return 0;
    if (l.one)
        return l.cut ? 30 : 20; /* a very wide table, or a header alone */
    bool even = l.second == l.first || (l.cut && l.second < l.first);
    return l.numbers ? (even ? 70 : 35) : even ? 40 : 10;
}

static int sniff_tsv(const char *head) { return sniff_delimiter(head, '\t'); }

/* Tabs are for tsv, but a table with this ending may have them. A single column has no delimiter:
 * its first line is a name without blanks. */
static int sniff_csv(const char *head)
{
    if (strncasecmp(head, "sep=", 4) == 0 && head[4] && head[5] && strchr("\r\n", head[5]))
        return 99; /* a spreadsheet wrote it */
    int comma = sniff_delimiter(head, ','), semicolon = sniff_delimiter(head, ';');
    int best = comma > semicolon ? comma : semicolon, tab = sniff_tsv(head);
    const char *at = head, *name;
    size_t size;
    double number;
    if (tab > best)
        return tab - 1;
    look l = look_at_records(head, ',');
    if (best || !*head || !hs_looks_like_text(head) || l.first != 1 || l.second > 1 ||
        strchr("<@[{%#!", *head) || !next_field(&at, head + strlen(head), ',', &name, &size) ||
        size == 0 || hs_parse_double(name, size, &number) ||
        (*name != '"' && memchr(name, ' ', size)))
        return best;
    return l.numbers ? 25 : 11;
}

#define TABLE_HELP                                                                                 \
    "The first line names the columns. The class is the last column unless the option class "      \
    "names another. The first column is the identifier if its header is empty or one of id, "      \
    "entrez, sample, gene, name (in any case), or id names one. A column that holds only 0 and "   \
    "1, or only no/yes, false/true, n/y or f/t in any case, is a binary feature; one that holds "  \
    "only numbers is numeric; any other is nominal. A column that holds only zeros is numeric if " \
    "the columns around it are. Where commas do not separate columns, a column of numbers with "   \
    "decimal commas (1,5) is numeric. An empty field is missing, and so is an unquoted ?, NA, "    \
    "N/A, #N/A, NaN or NULL; in a binary column that is an error unless the option missing is "    \
    "negative. "                                                                                   \
    "Quoting is that of RFC 4180. "

const hs_method hs_method_csv = {
    .kind = HS_FORMAT,
    .name = "csv",
    .title = "comma-separated table with a header",
    .help = TABLE_HELP "Semicolons or tabs in place of commas are recognised in the header.",
    .citation = "Shafranovich: Common Format and MIME Type for CSV Files, RFC 4180, 2005",
    .format = &(const hs_format){.endings = "csv",
                                 .sniff = sniff_csv,
                                 .read_data = read_csv,
                                 .write_data = write_csv,
                                 .is_table = true}};

const hs_method hs_method_tsv = {
    .kind = HS_FORMAT,
    .name = "tsv",
    .title = "tab-separated table with a header",
    .help = TABLE_HELP "Columns are separated by tabs.",
    .citation = "text/tab-separated-values (IANA), with the quoting of RFC 4180",
    .format = &(const hs_format){.endings = "tsv tab",
                                 .sniff = sniff_tsv,
                                 .read_data = read_tsv,
                                 .write_data = write_tsv,
                                 .is_table = true}};

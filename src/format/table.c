/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading delimited tables, and rows of data sets for writers. A record is split in the
 * reader's own line: fields are offsets into it until the record is complete (a quoted field may
 * lengthen the line, which may move it) and pointers afterwards.
 */
#include "format/table.h"

int hs_table_fail(const hs_table *table, hsel_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hs_vfail_at(error, HSEL_EFORMAT, hs_reader_name(table->reader), table->line, format, arguments);
    va_end(arguments);
    return HSEL_EFORMAT;
}

static inline bool is_blank(const hs_table *table, char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || (c == '\t' && table->delimiter != '\t') ||
                                       (c >= '\v' && c <= '\r' && table->quoting == HS_NOT_QUOTED));
}

static inline void skip_blanks(hs_table *table)
{
    while (is_blank(table, table->text[table->at])) /* the text ends in NUL, which is not blank */
        table->at++;
}

/* The field whose opening quote is next, its doubled quotes undone in place. */
static int quoted_field(hs_table *t, hs_field *field, hsel_error *error)
{
    size_t used = 0, number = t->count;
    int status;
    size_t start = field->start = ++t->at;
    for (;;) {
        char *from = t->text + t->at, *quote = memchr(from, '"', t->length - t->at);
        size_t piece = quote ? (size_t)(quote - from) : t->length - t->at;
        memmove(t->text + start + used, from, piece);
        used += piece;
        t->at += piece;
        if (!quote) { /* it goes on in the next line */
            if (used > HS_NAME_LIMIT)
                return hs_table_fail(t, error,
                                     "the quoted field %zu is not closed within %zu bytes", number,
                                     HS_NAME_LIMIT);
            if ((status = hs_reader_more(t->reader, &t->text, &t->length, error)) < 0)
                return status;
            if (status == 0)
                return hs_table_fail(t, error, "the quoted field %zu is not closed", number);
            while (used > 0 && t->text[start + used - 1] == '\r') /* line ends inside are LF */
                used--;
        } else if (t->at + 1 < t->length && t->text[t->at + 1] == '"') {
            t->text[start + used++] = '"';
            t->at += 2;
        } else {
            break;
        }
    }
    field->length = used;
    field->quoted = true;
    t->at++;
    skip_blanks(t);
    if (t->at < t->length && t->text[t->at] != t->delimiter)
        return hs_table_fail(t, error, "unexpected text after the closing quote of field %zu",
                             number);
    return HSEL_OK;
}

bool hs_quoted_whole(const char *text, size_t length)
{
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return false;
    for (size_t i = 1; i < length - 1; i++)
        if (text[i] == '"' && (i + 1 == length - 1 || text[++i] != '"'))
            return false;
    return true;
}

int hs_table_split(hs_table *t, hsel_error *error)
{
    bool words = t->delimiter == ' ';
    bool as_it_is = t->quoting == HS_QUOTED_WHOLE && t->delimiter == '\t';
    bool quotes = !words && !as_it_is && t->quoting != HS_NOT_QUOTED;
    char delimiter = t->delimiter, other = words ? '\t' : delimiter;
    for (t->count = 0, t->at = 0;; t->at++) { /* over the delimiter */
        HS_NEED(HS_GROW(&t->fields, &t->capacity, t->count + 1));
        if (!as_it_is)
            skip_blanks(t);
        if (words && t->at >= t->length)
            break;
        hs_field *f = &t->fields[t->count++];
        f->start = t->at;
        f->quoted = false;
        if (quotes && t->text[t->at] == '"') {
            HS_TRY(quoted_field(t, f, error));
        } else {
            char *first = t->text + t->at, *at = first;
            if (as_it_is && !(at = memchr(first, delimiter, t->length - t->at)))
                at = t->text + t->length;
            while (!as_it_is && *at && *at != delimiter && *at != other)
                at++;
            t->at = (size_t)(at - t->text);
            while (!as_it_is && at > first && is_blank(t, at[-1]))
                at--;
            f->length = (size_t)(at - first);
            if (as_it_is && *first == '"' && hs_quoted_whole(first, f->length)) {
                char *to = first;
                for (const char *from = first + 1; from < at - 1; from += 1 + (*from == '"'))
                    *to++ = *from;
                f->length = (size_t)(to - first);
            }
        }
        if (t->at >= t->length)
            break;
    }
    for (size_t i = 0; i < t->count; i++) { /* only now does the text stay where it is */
        t->fields[i].text = t->text + t->fields[i].start;
        t->fields[i].text[t->fields[i].length] = '\0';
    }
    return HSEL_OK;
}

int hs_table_line(hs_table *t, hsel_error *error)
{
    int status;
    do
        status = hs_reader_line(t->reader, &t->text, &t->length, error);
    while (status > 0 &&
           ((t->comment && *t->text == t->comment) ||
            (t->quoting == HS_QUOTED || *t->text > ' ' ? !t->length
                                                       : !t->text[strspn(t->text, " \t")])));
    t->line = hs_reader_line_number(t->reader);
    return status;
}

int hs_table_open(hs_reader *reader, char delimiter, hs_table *out, hsel_error *error)
{
    HS_OWNS(hs_table_clear) hs_table table = {.reader = reader, .delimiter = delimiter};
    int status = hs_table_line(&table, error);
    *out = (hs_table){0};
    if (status < 0)
        return status;
    if (status == 0)
        return HS_FAIL_FILE(error, reader, "the file is empty: a header line is needed");
    if (!delimiter && table.length == 5 && hs_equal_nocase(table.text, 4, "sep=")) {
        table.delimiter = delimiter = table.text[4]; /* as spreadsheets write it */
        if ((status = hs_table_line(&table, error)) <= 0)
            return status ? status : HS_FAIL_FILE(error, reader, "a header line is needed");
    }
    if (!delimiter) {
        int more = 0; /* commas than semicolons */
        bool quoted = false;
        for (const char *c = table.text; *c && table.delimiter != '\t'; c++) {
            quoted ^= *c == '"';
            if (*c == '\t' && !quoted)
                table.delimiter = '\t';
            more += !quoted && (*c == ',' || *c == ';') ? (*c == ',' ? 1 : -1) : 0;
        }
        if (!table.delimiter)
            table.delimiter = more < 0 ? ';' : ',';
    }
    HS_TRY(hs_table_split(&table, error));
    for (size_t i = 0; i < table.count; i++)
        HS_TRY(hs_names_append(&table.header, HS_SPAN(table.fields[i]), error));
    HS_TRY(hs_names_index(&table.header, error));
    HS_MOVE(out, &table);
    return HSEL_OK;
}

int hs_table_record(hs_table *t, hsel_error *error)
{
    int status = hs_table_line(t, error);
    if (status <= 0)
        return status;
    if (!t->delimiter)
        t->delimiter = t->find_delimiter(HS_SPAN(*t));
    HS_TRY(hs_table_split(t, error));
    return 1;
}

int hs_table_next(hs_table *table, const hs_field **fields, hsel_error *error)
{
    int status = table->held ? 1 : hs_table_record(table, error);
    table->held = false;
    if (status <= 0)
        return status;
    if (table->count != table->header.count)
        return hs_table_fail(table, error, "%zu field%s, but the header has %u", table->count,
                             table->count == 1 ? "" : "s", table->header.count);
    *fields = table->fields;
    return 1;
}

void hs_table_clear(hs_table *table)
{
    hs_names_clear(&table->header);
    hs_free(table->fields);
    *table = (hs_table){0};
}

/* ---- columns ----
 * Every contradiction in the options (one column named for two things, nothing left to be the
 * class) is an error that names the column. */

int hs_column_find(const hs_names *names, const char *wanted, const char *file, uint32_t *out,
                   hsel_error *error)
{
    uint64_t number;
    size_t length = strlen(wanted);
    assert(names->slots || !names->count);
    *out = hs_names_find(names, wanted, length);
    if (*out != HSEL_NONE)
        return HSEL_OK;
    if (hs_parse_u64(wanted, length, &number)) {
        if (number == 0 || number > names->count)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "there is no column %s; columns are numbered from 1 to %u", wanted,
                              names->count);
        *out = (uint32_t)(number - 1);
        return HSEL_OK;
    }
    const char *near = hs_names_nearest(names, wanted);
    return hs_fail_at(error, HSEL_EUSAGE, file, 0, "there is no column %s%s%s%s", wanted,
                      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Finds a column named in the options (NULL: it is not) and gives it a role, once. */
static int give_role(const hs_names *names, const char *wanted, hs_column_role role,
                     const char *file, hs_columns *columns, uint32_t *found, hsel_error *error)
{
    static const char *const titles[] = {[HS_COLUMN_CLASS] = "the class",
                                         [HS_COLUMN_ID] = "the identifier",
                                         [HS_COLUMN_IGNORED] = "ignored"};
    if (!wanted)
        return HSEL_OK;
    HS_TRY(hs_column_find(names, wanted, file, found, error));
    uint8_t *has = &columns->roles[*found];
    if (*has != HS_COLUMN_FEATURE && *has != role)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0, "column %s cannot be both %s and %s",
                          hs_names_get(names, *found), titles[*has], titles[role]);
    *has = (uint8_t)role;
    return HSEL_OK;
}

int hs_columns_assign(const hs_names *names, const hs_column_options *options, uint32_t usual_id,
                      const char *file, hs_columns *out, hsel_error *error)
{
    HS_OWNS(hs_columns_clear)
    hs_columns columns = {.roles = HS_NEW_ZERO(uint8_t, names->count),
                          .count = names->count,
                          .class_column = HSEL_NONE,
                          .id_column = HSEL_NONE};
    const char *label = options->class_name, *id = options->id;
    uint32_t found;
    *out = (hs_columns){0};
    HS_NEED(columns.roles);
    /* Columns that may be absent, and are. */
    HS_OWNS(hs_buf_clear) hs_buf further = {0};
    bool absent = label && hs_names_find(names, label, strlen(label)) == HSEL_NONE;
    hs_buf_printf(&further, "%s%s", HS_CLASS_COLUMN, label ? label : "");
    HS_NEED(!further.failed);
    const bool is_here = absent && hs_names_find(names, HS_SPAN(further)) != HSEL_NONE;
    const bool is_further =
        is_here || (absent && options->class_further && !options->class_optional &&
                    hs_column_find(names, label, file, &found, NULL));
    if (is_further)
        label = options->class_first;
    bool no_class = absent && (is_further ? !is_here && !label && options->class_beside
                                          : options->class_optional);
    if (no_class)
        label = NULL;
    if (options->id_optional && hs_names_find(names, id, strlen(id)) == HSEL_NONE)
        id = NULL;
    HS_TRY(give_role(names, label, HS_COLUMN_CLASS, file, &columns, &columns.class_column, error));
    HS_TRY(give_role(names, id, HS_COLUMN_ID, file, &columns, &columns.id_column, error));
    for (size_t i = 0; i < options->ignore.count; i++)
        HS_TRY(give_role(names, options->ignore.items[i], HS_COLUMN_IGNORED, file, &columns, &found,
                         error));
    if (!id && usual_id != HSEL_NONE && columns.roles[usual_id] == HS_COLUMN_FEATURE) {
        columns.roles[usual_id] = HS_COLUMN_ID;
        columns.id_column = usual_id;
    }
    if (!label && !no_class && !options->no_class) {
        uint32_t last = columns.count;
        while (last > 0 && (columns.roles[last - 1] != HS_COLUMN_FEATURE ||
                            hs_is_class_column(hs_names_get(names, last - 1))))
            last--;
        if (!last)
            return hs_fail_at(
                error, HSEL_EFORMAT, file, 0,
                "there is no column left for the class; {no-class} reads data without one");
        if (columns.roles[columns.count - 1] == HS_COLUMN_IGNORED)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "{ignore} leaves out the last column, %.200s, which is the class: "
                              "choose another with {class=NAME}, or none with {no-class}",
                              hs_names_get(names, columns.count - 1));
        columns.roles[last - 1] = HS_COLUMN_CLASS;
        columns.class_column = last - 1;
    }
    *out = columns;
    columns.roles = NULL;
    return HSEL_OK;
}

void hs_columns_clear(hs_columns *columns)
{
    hs_free(columns->roles);
    *columns = (hs_columns){0};
}

int hs_columns_describe(const hs_columns *columns, const hs_names *names, const char *relation,
                        const hs_column_options *options, hs_builder *builder, hsel_error *error)
{
    uint32_t label = columns->class_column, id = columns->id_column;
    HS_TRY(hs_builder_describe(builder, relation,
                               label == HSEL_NONE ? NULL : hs_names_get(names, label),
                               id == HSEL_NONE ? NULL : hs_names_get(names, id), error));
    return options->positive ? hs_builder_positive_class(builder, options->positive, error)
                             : HSEL_OK;
}

int hs_binary_word(const char *text, size_t length, hs_word_pair *pair)
{
    static const char *const words[][2] = {[HS_PAIR_0_1] = {"0", "1"},
                                           [HS_PAIR_NO_YES] = {"no", "yes"},
                                           [HS_PAIR_FALSE_TRUE] = {"false", "true"},
                                           [HS_PAIR_N_Y] = {"n", "y"},
                                           [HS_PAIR_F_T] = {"f", "t"}};
    if (length == 0 || length > 5)
        return -1;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int sign = 0; sign < 2; sign++)
            if (hs_equal_nocase(text, length, words[i][sign])) {
                *pair = (hs_word_pair)i;
                return sign;
            }
    return -1;
}

bool hs_is_missing(const char *text, size_t length)
{
    static const char *const words[] = {"?", "NA", "N/A", "#N/A", "NaN", "NULL"};
    if (length == 0)
        return true;
    if (length > 4 || !strchr("?nN#", *text)) /* most are numbers: one look is enough */
        return false;
    if (length == 2 && memcmp(text, "NA", 2) != 0) /* "na" is a word */
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hs_equal_nocase(text, length, words[i]))
            return true;
    return false;
}

/* ---- writing ---- */

/* `wanted`, with underscores added until no feature has that name and `other` is not it. */
static char *free_name(hs_table_writer *t, const char *wanted, const char *other)
{
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    hs_buf_text(&name, wanted);
    while (!name.failed && (hsel_dataset_find_feature(t->data, name.text) != HSEL_NONE ||
                            (other && strcmp(name.text, other) == 0)))
        hs_buf_char(&name, '_');
    return name.failed ? NULL : hs_arena_text(&t->arena, HS_SPAN(name));
}

int hs_table_writer_init(hs_table_writer *t, hsel_error *error)
{
    const hsel_dataset *data = t->data;
    if (data->class_names.count > 0 || data->class_attribute)
        HS_NEED(t->class_name =
                    free_name(t, data->class_attribute ? data->class_attribute : "class", NULL));
    if (data->ids.count > 0 || (data->instances == 0 && data->id_attribute))
        HS_NEED(t->id_name =
                    free_name(t, data->id_attribute ? data->id_attribute : "id", t->class_name));
    t->others =
        HS_ARENA_NEW(&t->arena, uint32_t, (size_t)data->numeric_count + data->nominal_count);
    t->next = hs_arena_zero(&t->arena, data->numeric_count, sizeof *t->next);
    t->zeros = hs_arena_alloc(&t->arena, (size_t)data->features + 1, 2);
    HS_NEED(t->others && t->next && t->zeros);
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->slot && data->types[f] != HSEL_BINARY)
            t->others[t->other_count++] = f;
        t->zeros[2 * (size_t)f] = '0';
        t->zeros[2 * (size_t)f + 1] = t->delimiter;
    }
    if (!t->never || !data->numeric_count)
        return HSEL_OK;
    HS_NEED(t->among = hs_arena_zero(&t->arena, data->features, sizeof *t->among));
    for (int back = 0; back < 2; back++) { /* the nearest on each side that are not zeros */
        bool number = true;
        for (uint32_t k = 0; k < data->features; k++) {
            uint32_t f = back ? data->features - 1 - k : k;
            bool binary = data->types[f] == HSEL_BINARY;
            if (binary && data->columns.start[f] == data->columns.start[f + 1])
                t->among[f] = number && (!back || t->among[f]);
            else
                number = data->types[f] == HSEL_NUMERIC;
        }
    }
    return HSEL_OK;
}

void hs_table_writer_clear(hs_table_writer *t) { hs_arena_clear(&t->arena); }

static void put_value_name(hs_table_writer *t, const hs_names *names, uint32_t id)
{
    if (id == HSEL_NONE)
        hs_writer_text(t->writer, t->missing);
    else
        t->put(t->writer, HS_NAME(names, id));
}

double hs_table_number(hs_table_writer *t, uint32_t feature, uint32_t instance)
{
    uint32_t slot = t->data->slot[feature], *next = &t->next[slot];
    const hs_numeric_column *column = &t->data->numeric[slot];
    if (!column->rows)
        return column->values[instance];
    assert(*next == 0 || column->rows[*next - 1] < instance);
    while (*next < column->count && column->rows[*next] < instance)
        ++*next;
    return *next < column->count && column->rows[*next] == instance ? column->values[*next] : 0;
}

void hs_table_put_other(hs_table_writer *t, uint32_t feature, uint32_t instance)
{
    if (t->data->types[feature] == HSEL_NUMERIC) {
        double number = hs_table_number(t, feature, instance);
        if (isnan(number))
            hs_writer_text(t->writer, t->missing);
        else
            hs_writer_double(t->writer, number);
    } else {
        const hs_nominal_column *column = &t->data->nominal[t->data->slot[feature]];
        uint32_t code = column->codes[instance];
        put_value_name(t, &column->values, code == HS_MISSING_CODE ? HSEL_NONE : code);
    }
}

void hs_table_put_label(hs_table_writer *t, uint32_t instance)
{
    if (t->data->target && hs_has_label(t->data, instance))
        hs_writer_double(t->writer, t->data->target[instance]);
    else
        put_value_name(t, &t->data->class_names, hsel_dataset_class_of(t->data, instance));
}

void hs_table_put_row(hs_table_writer *t, uint32_t instance)
{
    const hsel_dataset *data = t->data;
    size_t count, next = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    if (t->id_name) {
        put_value_name(t, &data->ids, instance);
        if (data->features || t->class_name)
            hs_writer_char(t->writer, t->delimiter);
    }
    if (!t->other_count && data->features) {
        for (size_t i = 0; i < count; i++)
            t->zeros[2 * (size_t)row[i]] = '1';
        hs_writer_put(t->writer, t->zeros, 2 * (size_t)data->features - 1);
        for (size_t i = 0; i < count; i++)
            t->zeros[2 * (size_t)row[i]] = '0';
    }
    for (uint32_t f = 0; t->other_count && f < data->features; f++) {
        if (f > 0)
            hs_writer_char(t->writer, t->delimiter);
        if (data->types[f] == HSEL_BINARY) {
            bool positive = next < count && row[next] == f;
            next += positive;
            hs_writer_text(t->writer, positive ? "1" : t->among && t->among[f] ? t->never : "0");
        } else {
            hs_table_put_other(t, f, instance);
        }
    }
    if (t->class_name) {
        if (data->features)
            hs_writer_char(t->writer, t->delimiter);
        hs_table_put_label(t, instance);
    }
    hs_writer_char(t->writer, '\n');
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data section of an ARFF file, dense rows and sparse ones. A row is gathered in scratch and
 * given to the builder when it is complete, because identifier and class may stand anywhere in it.
 *
 * A numeric attribute counts as binary until a value other than 0 and 1 turns up. In a sparse row
 * what is left out is not missing: it is 0, or the first declared value of a nominal attribute.
 *
 * Speed: dense rows are mostly "0," and "1,", so four such fields are taken with one 8-byte
 * comparison.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "format/arff.h"

#define NUMERIC_CLASSES                                                                            \
    100 /* a numeric class attribute with more different values is not a class */

/* How a column is read. DIGIT must be 0: four columns are tested at once. */
enum kind { DIGIT, WORD, NUMBER, NOMINAL, CLASS, ID, SKIP };

typedef struct cell { /* a value of a numeric or nominal feature */
    uint32_t feature, code;
    double number;
    bool nominal;
} cell;

typedef struct rows {
    hs_reader *reader;
    const hs_arff_header *header;
    hs_builder *builder;
    int missing;
    uint32_t count;       /* attributes */
    uint8_t *kinds;       /* of each attribute */
    uint32_t *feature_of; /* of each attribute; HSEL_NONE: it is no feature */
    uint32_t *seen;       /* sparse rows: the last row in which the attribute was given */
    uint32_t row;         /* number of the row under way, from 1 */
    uint32_t *not_zero;   /* attributes that are not 0 when a sparse row leaves them out */
    uint32_t not_zero_count;
    hs_names class_values; /* of a nominal class */
    /* The row under way. */
    uint32_t *positives;
    cell *cells;
    uint32_t positive_count, cell_count, label;
    const char *id;
    size_t id_length;
} rows;

typedef struct value {
    char *text;
    size_t length;
    bool quoted;
} value;

static const char *name_of(const rows *r, uint32_t column)
{
    return hs_names_get(&r->header->names, column);
}

static bool is_missing(const value *v) { return !v->quoted && v->length == 1 && v->text[0] == '?'; }

/* ---- setting up ---- */

static int declare_values(rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    uint32_t code;
    int status = HSEL_OK;
    for (uint32_t i = 0; i < hs_arff_value_count(attribute) && status == HSEL_OK; i++)
        status =
            hs_builder_value(r->builder, r->feature_of[column], hs_names_get(attribute->values, i),
                             hs_names_length(attribute->values, i), &code, error);
    return status;
}

static int declare_feature(rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    bool nominal = attribute->type == HS_ARFF_NOMINAL;
    bool both = attribute->word[0] != HSEL_NONE && attribute->word[1] != HSEL_NONE;
    int status = hs_builder_feature(
        r->builder, name_of(r, column), hs_names_length(&r->header->names, column),
        nominal ? HSEL_NOMINAL : HSEL_BINARY, &r->feature_of[column], error);
    if (status)
        return status;
    if (nominal) {
        r->kinds[column] = NOMINAL;
        return declare_values(r, column, error);
    }
    bool digits = attribute->type == HS_ARFF_NUMERIC ||
                  (both && *hs_names_get(&r->header->words, attribute->word[1]) == '1');
    r->kinds[column] = digits ? DIGIT : WORD;
    return HSEL_OK;
}

static int declare_classes(rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    uint32_t code, own;
    int status = HSEL_OK;
    if (attribute->type != HS_ARFF_NOMINAL && attribute->type != HS_ARFF_BINARY)
        hs_builder_sort_classes(r->builder);
    for (uint32_t i = 0; i < hs_arff_value_count(attribute) && status == HSEL_OK; i++) {
        const char *text = hs_arff_value(r->header, attribute, i);
        status = hs_builder_class(r->builder, text, strlen(text), &code, error);
        if (status == HSEL_OK)
            status = hs_names_intern(&r->class_values, text, strlen(text), &own, NULL, error);
    }
    return status;
}

static int set_up_column(rows *r, uint32_t column, uint8_t role, hsel_error *error)
{
    r->feature_of[column] = HSEL_NONE;
    switch (role) {
    case HS_COLUMN_FEATURE:
        return declare_feature(r, column, error);
    case HS_COLUMN_CLASS:
        r->kinds[column] = CLASS;
        return declare_classes(r, column, error);
    default:
        r->kinds[column] = role == HS_COLUMN_ID ? ID : SKIP;
        return HSEL_OK;
    }
}

static int set_up(rows *r, const hs_columns *columns, hsel_error *error)
{
    int status = HSEL_OK;
    r->count = columns->count;
    r->kinds = HS_NEW(uint8_t, r->count);
    r->feature_of = HS_NEW(uint32_t, r->count);
    r->seen = HS_NEW_ZERO(uint32_t, r->count);
    r->not_zero = HS_NEW(uint32_t, r->count);
    r->positives = HS_NEW(uint32_t, r->count);
    r->cells = HS_NEW(cell, r->count);
    if (!r->kinds || !r->feature_of || !r->seen || !r->not_zero || !r->positives || !r->cells)
        return hs_fail_memory(error);
    for (uint32_t column = 0; column < r->count && status == HSEL_OK; column++) {
        if ((status = set_up_column(r, column, columns->roles[column], error)))
            break;
        uint8_t kind = r->kinds[column];
        if (kind == CLASS || kind == ID || kind == NOMINAL ||
            (kind != SKIP && r->header->attributes[column].positive_first))
            r->not_zero[r->not_zero_count++] = column;
    }
    return status;
}

static void clear(rows *r)
{
    hs_free(r->kinds);
    hs_free(r->feature_of);
    hs_free(r->seen);
    hs_free(r->not_zero);
    hs_free(r->positives);
    hs_free(r->cells);
    hs_names_clear(&r->class_values);
}

/* ---- one value ---- */

static int fail_value(const rows *r, uint32_t column, const value *v, hsel_error *error)
{
    return hs_fail_line(error, r->reader, "attribute %s has no value %.*s", name_of(r, column),
                        (int)(v->length < 200 ? v->length : 200), v->text);
}

static void add_positive(rows *r, uint32_t column)
{
    r->positives[r->positive_count++] = r->feature_of[column];
}

static void add_code(rows *r, uint32_t column, uint32_t code)
{
    r->cells[r->cell_count++] =
        (cell){.feature = r->feature_of[column], .code = code, .nominal = true};
}

static int take_word(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    if (is_missing(v)) {
        if (r->missing == HS_MISSING_NEGATIVE)
            return HSEL_OK;
        return hs_fail_line(
            error, r->reader,
            "the binary attribute %s has a missing value; --missing negative takes it as "
            "negative",
            name_of(r, column));
    }
    for (int sign = 0; sign < 2; sign++) {
        uint32_t word = attribute->word[sign];
        if (word == HSEL_NONE || hs_names_length(&r->header->words, word) != v->length ||
            memcmp(hs_names_get(&r->header->words, word), v->text, v->length) != 0)
            continue;
        if (sign)
            add_positive(r, column);
        return HSEL_OK;
    }
    return fail_value(r, column, v, error);
}

/* A number; NaN for a missing one. */
static int parse_number(const rows *r, uint32_t column, const value *v, double *out,
                        hsel_error *error)
{
    *out = NAN;
    if (is_missing(v))
        return HSEL_OK;
    if (!hs_parse_double(v->text, v->length, out))
        return hs_fail_line(error, r->reader, "attribute %s is numeric, %.*s is not a number",
                            name_of(r, column), (int)(v->length < 200 ? v->length : 200), v->text);
    if (isinf(*out))
        return hs_fail_line(error, r->reader, "the value %.*s of attribute %s is not finite",
                            (int)(v->length < 200 ? v->length : 200), v->text, name_of(r, column));
    *out += 0.0; /* no negative zero */
    return HSEL_OK;
}

static int take_number(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    double number;
    int status = parse_number(r, column, v, &number, error);
    if (status)
        return status;
    if (r->kinds[column] == DIGIT) {
        if (number == 1)
            add_positive(r, column);
        if (number == 0 || number == 1)
            return HSEL_OK;
        r->kinds[column] = NUMBER;
        if ((status = hs_builder_retype(r->builder, r->feature_of[column], HSEL_NUMERIC, error)))
            return status;
    }
    if (number != 0)
        r->cells[r->cell_count++] = (cell){.feature = r->feature_of[column], .number = number};
    return HSEL_OK;
}

static int take_nominal(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    if (is_missing(v))
        return HSEL_OK;
    uint32_t code = hs_names_find(r->header->attributes[column].values, v->text, v->length);
    if (code == HSEL_NONE)
        return fail_value(r, column, v, error);
    add_code(r, column, code);
    return HSEL_OK;
}

/* A numeric class: the label is the number in its shortest form, so that 1 and 1.0 are one class.
 */
static int take_numeric_class(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    char label[40];
    double number;
    int status = parse_number(r, column, v, &number, error);
    if (status || isnan(number))
        return status;
    status = hs_builder_class(r->builder, label, hs_format_double(number, label), &r->label, error);
    if (status == HSEL_OK && hs_builder_classes(r->builder) > NUMERIC_CLASSES)
        return hs_fail_line(
            error, r->reader,
            "the class attribute %s is numeric with more than %d different values; name "
            "another one with --class, or none with --no-class",
            name_of(r, column), NUMERIC_CLASSES);
    return status;
}

static int take_class(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    uint8_t type = r->header->attributes[column].type;
    if (is_missing(v))
        return HSEL_OK;
    if (type == HS_ARFF_NUMERIC)
        return take_numeric_class(r, column, v, error);
    if (type == HS_ARFF_STRING)
        return hs_builder_class(r->builder, v->text, v->length, &r->label, error);
    r->label = hs_names_find(&r->class_values, v->text, v->length);
    return r->label == HSEL_NONE ? fail_value(r, column, v, error) : HSEL_OK;
}

static int take(rows *r, uint32_t column, const value *v, hsel_error *error)
{
    switch (r->kinds[column]) {
    case DIGIT:
    case NUMBER:
        if (r->header->attributes[column].type == HS_ARFF_NUMERIC)
            return take_number(r, column, v, error);
        return take_word(r, column, v, error);
    case WORD:
        return take_word(r, column, v, error);
    case NOMINAL:
        return take_nominal(r, column, v, error);
    case CLASS:
        return take_class(r, column, v, error);
    case ID:
        r->id = v->text;
        r->id_length = v->length;
        return HSEL_OK;
    default:
        return HSEL_OK;
    }
}

/* ---- text of values ---- */

/* The value at `at`, up to a separator or `stop` (the brace of a sparse row, 0: none). The result
 * stands behind it, at a separator, a comment or the end. Only a quote that is not closed is an
 * error. */
static int scan_value(const rows *r, char **at, const char *end, char stop, value *v,
                      hsel_error *error)
{
    v->quoted = hs_arff_is_quote(**at);
    if (v->quoted) {
        if (!(*at = hs_arff_quoted(*at, end, &v->text, &v->length)))
            return hs_fail_line(error, r->reader, "a quote is not closed");
        return HSEL_OK;
    }
    v->text = *at;
    for (; **at && **at != ',' && **at != '\t' && (**at != stop || !stop); ++*at)
        if (**at == '%' && *at > v->text && (*at)[-1] == ' ')
            break; /* a comment */
    for (v->length = (size_t)(*at - v->text); v->length > 0 && v->text[v->length - 1] == ' ';)
        v->length--;
    return HSEL_OK;
}

/* Over the separator behind a value of a dense row: a comma, or blanks with a tab among them. False
 * at the end of the row. */
static bool skip_separator(char **at)
{
    bool tab = false;
    for (; hs_arff_is_blank(**at); ++*at)
        tab |= **at == '\t';
    if (**at == ',')
        *at = hs_arff_skip_blanks(*at + 1);
    else if (!tab || **at == '\0' || **at == '%')
        return false;
    return true;
}

/* ---- dense rows ---- */

/* Takes fields that are "0," or "1," and returns the place of the first that is not. */
static inline char *take_digits(rows *r, char *at, const char *end, uint32_t *column)
{
    static const char zeros[8] = "0,0,0,0,", ones[8] = "\1\0\1\0\1\0\1\0";
    uint64_t zero_bits, one_bits, word;
    uint32_t kinds;
    memcpy(&zero_bits, zeros, 8);
    memcpy(&one_bits, ones, 8);
    for (; r->count - *column >= 4 && end - at >= 8; *column += 4, at += 8) {
        memcpy(&kinds, r->kinds + *column, 4);
        memcpy(&word, at, 8);
        word ^= zero_bits;
        if (kinds != 0 || (word & ~one_bits))
            break;
        for (uint32_t i = 0; word && i < 4; i++)
            if (at[2 * i] == '1')
                add_positive(r, *column + i);
    }
    for (; *column < r->count && end - at >= 2 && r->kinds[*column] == DIGIT; ++*column, at += 2) {
        if ((at[0] != '0' && at[0] != '1') || at[1] != ',')
            break;
        if (at[0] == '1')
            add_positive(r, *column);
    }
    return at;
}

/* How many values stand from `at` to the end of the line, for messages. */
static uint32_t count_values(const rows *r, char *at, const char *end)
{
    uint32_t count = 0;
    value v;
    do {
        at = hs_arff_skip_blanks(at);
        if (scan_value(r, &at, end, 0, &v, NULL))
            break;
        count++;
    } while (skip_separator(&at));
    return count;
}

static int fail_count(const rows *r, uint32_t count, hsel_error *error)
{
    return hs_fail_line(error, r->reader, "%u value%s, but there are %u attributes", count,
                        count == 1 ? "" : "s", r->count);
}

/* The value of `column`. When it is wrong and the row has the wrong length too, the length is what
 * is told: then values have most likely shifted. */
static int take_dense(rows *r, uint32_t column, char **at, const char *end, hsel_error *error)
{
    value v;
    int status = scan_value(r, at, end, 0, &v, error);
    if (status)
        return status;
    status =
        v.length == 0 && !v.quoted
            ? hs_fail_line(error, r->reader, "the value of attribute %s is empty; ? means missing",
                           name_of(r, column))
            : take(r, column, &v, error);
    if (status != HSEL_EFORMAT)
        return status;
    char *rest = *at;
    uint32_t count = column + 1 + (skip_separator(&rest) ? count_values(r, rest, end) : 0);
    return count == r->count ? status : fail_count(r, count, error);
}

static int dense_row(rows *r, char *at, const char *end, hsel_error *error)
{
    uint32_t column = 0;
    int status;
    for (;;) {
        at = take_digits(r, at, end, &column);
        at = hs_arff_skip_blanks(at);
        if (column == r->count) {
            if (*at == '{')
                return hs_fail_line(error, r->reader, "instance weights are not supported");
            return fail_count(r, column + count_values(r, at, end), error);
        }
        if ((status = take_dense(r, column, &at, end, error)))
            return status;
        column++;
        if (!skip_separator(&at))
            break;
    }
    if (*at && *at != '%')
        return hs_fail_line(error, r->reader, "there is text behind the value of attribute %s",
                            name_of(r, column - 1));
    return column == r->count ? HSEL_OK : fail_count(r, column, error);
}

/* ---- sparse rows ---- */

/* What a sparse row leaves out and is not 0. */
static int take_default(rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    uint32_t values = hs_arff_value_count(attribute);
    char empty[] = "", zero[] = "0";
    if (r->kinds[column] == NOMINAL) {
        if (values > 0)
            add_code(r, column, 0);
        return HSEL_OK;
    }
    if (r->kinds[column] == ID) {
        r->id = values > 0                           ? hs_arff_value(r->header, attribute, 0)
                : attribute->type == HS_ARFF_NUMERIC ? "0"
                                                     : "";
        r->id_length = strlen(r->id);
        return HSEL_OK;
    }
    if (r->kinds[column] != CLASS) {
        add_positive(r, column);
        return HSEL_OK;
    }
    if (values > 0)
        r->label = 0;
    if (attribute->type == HS_ARFF_NUMERIC)
        return take_class(r, column, &(value){.text = zero, .length = 1}, error);
    if (attribute->type == HS_ARFF_STRING)
        return take_class(r, column, &(value){.text = empty}, error);
    return HSEL_OK;
}

/* "12 value" from `at`. */
static int take_sparse(rows *r, char **at, const char *end, hsel_error *error)
{
    char *digits = *at;
    uint64_t column = 0;
    value v;
    int status;
    while (**at >= '0' && **at <= '9')
        ++*at;
    if (!hs_arff_is_blank(**at) || !hs_parse_u64(digits, (size_t)(*at - digits), &column))
        return hs_fail_line(
            error, r->reader,
            "expected the number of an attribute, a blank and its value, found %.40s", digits);
    if (column >= r->count)
        return hs_fail_line(error, r->reader,
                            "there is no attribute %.*s; they are numbered from 0 to %u",
                            (int)(*at - digits < 40 ? *at - digits : 40), digits, r->count - 1);
    if (r->seen[column] == r->row)
        return hs_fail_line(error, r->reader, "attribute %u (%s) is given twice", (uint32_t)column,
                            name_of(r, (uint32_t)column));
    r->seen[column] = r->row;
    *at = hs_arff_skip_blanks(*at);
    if ((status = scan_value(r, at, end, '}', &v, error)))
        return status;
    if (v.length == 0 && !v.quoted)
        return hs_fail_line(error, r->reader, "the value of attribute %s is empty; ? means missing",
                            name_of(r, (uint32_t)column));
    *at = hs_arff_skip_blanks(*at);
    return take(r, (uint32_t)column, &v, error);
}

static int sparse_row(rows *r, char *at, const char *end, hsel_error *error)
{
    int status = HSEL_OK;
    at = hs_arff_skip_blanks(at + 1);
    while (*at && *at != '}') {
        if ((status = take_sparse(r, &at, end, error)))
            return status;
        if (*at == ',')
            at = hs_arff_skip_blanks(at + 1);
        else if (*at && *at != '}')
            return hs_fail_line(error, r->reader, "expected a comma or }, found %.40s", at);
    }
    if (!*at)
        return hs_fail_line(error, r->reader, "the row is not closed with }");
    at = hs_arff_skip_blanks(at + 1);
    if (*at == ',' || *at == '{')
        return hs_fail_line(error, r->reader, "instance weights are not supported");
    if (*at && *at != '%')
        return hs_fail_line(error, r->reader, "there is text behind the closing }");
    for (uint32_t i = 0; i < r->not_zero_count && status == HSEL_OK; i++)
        if (r->seen[r->not_zero[i]] != r->row)
            status = take_default(r, r->not_zero[i], error);
    return status;
}

/* ---- all rows ---- */

/* Hands the row over to the builder. */
static int finish_row(rows *r, hsel_error *error)
{
    int status = hs_builder_row(r->builder, r->id, r->id_length, r->label, error);
    for (uint32_t i = 0; i < r->positive_count && status == HSEL_OK; i++)
        status = hs_builder_positive(r->builder, r->positives[i], error);
    for (uint32_t i = 0; i < r->cell_count && status == HSEL_OK; i++) {
        const cell *c = &r->cells[i];
        status = c->nominal ? hs_builder_nominal(r->builder, c->feature, c->code, error)
                            : hs_builder_numeric(r->builder, c->feature, c->number, error);
    }
    return status;
}

static int read_row(rows *r, char *line, size_t length, hsel_error *error)
{
    char *at = hs_arff_skip_blanks(line), *end = line + length;
    int status;
    if (*at == '\0' || *at == '%')
        return HSEL_OK;
    while (end > at && hs_arff_is_blank(end[-1]))
        *--end = '\0';
    r->row++;
    r->positive_count = r->cell_count = 0;
    r->label = HSEL_NONE;
    r->id = NULL;
    r->id_length = 0;
    status = *at == '{' ? sparse_row(r, at, end, error) : dense_row(r, at, end, error);
    return status ? status : finish_row(r, error);
}

int hs_arff_read_rows(hs_reader *reader, const hs_arff_header *header, const hs_columns *columns,
                      int missing, hs_builder *builder, hsel_error *error)
{
    rows r = {.reader = reader, .header = header, .builder = builder, .missing = missing};
    char *line;
    size_t length;
    int status = set_up(&r, columns, error);
    while (status == HSEL_OK && (status = hs_reader_line(reader, &line, &length, error)) > 0)
        status = read_row(&r, line, length, error);
    clear(&r);
    return status;
}

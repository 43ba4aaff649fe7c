/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ARFF. It is read in two steps, header and rows. Between them every attribute gets its role
 * (class, identifier, left out, feature), so that the rows are read straight into the builder.
 *
 * Names end at a blank or brace, or are in single or double quotes with backslash escapes.
 * Attribute names are unique; so are the values of one attribute. A numeric attribute counts as
 * binary until a value other than 0 and 1 turns up. In a sparse row what is left out is not
 * missing: it is 0, or the first declared value of a nominal attribute.
 *
 * Speed: dense rows are mostly "0,", "1," and plain numbers, which are taken without looking for
 * their end first.
 *
 * Written sparse when at most a fifth of the values are not the ones that a sparse row may leave
 * out. Class and identifier are written in every row, sparse ones too, so that no reader has to
 * know about defaults to get them right.
 */
#include <strings.h>

#include "format/hierarchy.h"
#include "format/table.h"

#define NUMERIC_CLASSES 100 /* a numeric attribute with more different values is not a class */
#define DENSE_SHARE     0.2
#define SHOWN           200 /* bytes of a value in messages */

typedef enum attribute_type {
    NUMERIC,
    BINARY, /* nominal with the two words of a pair, or with {0} or {1} alone */
    NOMINAL,
    STRING,
    DATE
} attribute_type;

/* How a column is read. READ_DIGIT must be 0: four columns are tested at once. */
enum { READ_DIGIT, READ_NUMBER, READ_WORD, READ_NOMINAL, READ_CLASS, READ_ID, READ_SKIP };

typedef struct attribute {
    hs_names values;    /* nominal and binary: as declared */
    unsigned long line; /* of the declaration */
    uint32_t positive;  /* binary: the value that is; HSEL_NONE: it is not declared. If it is the
                           first one, that is what sparse rows leave out */
    uint8_t type;
} attribute;

typedef struct value {
    const char *text;
    size_t length;
    bool quoted;
} value;

typedef struct parser {
    hs_reader *reader;
    hsel_error *error;
    const hs_column_options *options;
    char *relation; /* NULL: not given */
    char *positive; /* the positive class of the last attribute, by a comment; NULL: not given */
    hs_names names; /* of the attributes */
    attribute *attributes;
    size_t capacity;
    hs_columns columns;
    hs_builder *builder;
    hs_arena arena;       /* of what follows */
    uint32_t count;       /* attributes */
    uint8_t *kinds;       /* of each attribute */
    uint32_t *feature_of; /* of each attribute; HSEL_NONE: it is not a feature */
    uint32_t *seen;       /* sparse rows: the last row in which the attribute was given */
    uint32_t *not_zero;   /* attributes that are not 0 when a sparse row leaves them out */
    uint32_t not_zero_count;
    uint32_t row; /* number of the current row, from 1 */
} parser;

static void arff_clear(parser *p)
{
    for (uint32_t i = 0; i < p->names.count; i++)
        hs_names_clear(&p->attributes[i].values);
    HS_FREE(p->attributes, p->relation, p->positive);
    hs_names_clear(&p->names);
    hs_columns_clear(&p->columns);
    hs_builder_free(p->builder);
    hs_arena_clear(&p->arena);
}

#define FAIL(...) hs_fail_line(p->error, p->reader, __VA_ARGS__) /* at the last line read */
#define FAIL_AT(line, ...)                                                                         \
    hs_fail_at(p->error, HSEL_EFORMAT, hs_reader_name(p->reader), line, __VA_ARGS__)

static const char *name_of(const parser *p, uint32_t column)
{
    return hs_names_get(&p->names, column);
}

#define POSITIVE_COMMENT "% positive class: " /* how a file names it */

static bool is_quote(char c) { return c == '\'' || c == '"'; }
static bool at_end(const char *at) { return *at == '\0' || *at == '%'; }

/* The text between the quote at `at` and its match, escapes undone in place. Returns the place
 * after the closing quote; NULL when there is none before `end`. */
static char *scan_quoted(char *at, const char *end, value *out)
{
    char quote = *at++, *put = at;
    *out = (value){.text = at, .quoted = true};
    for (; at < end && *at != quote; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
            *put++ = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : *at;
        } else {
            *put++ = *at;
        }
    }
    out->length = (size_t)(put - out->text);
    return at < end ? at + 1 : NULL;
}

/* A text: quoted, or bare up to one of three `stops`, or (comments) a % after a blank, without
 * blanks at its end. Returns the place after it; NULL: the quote is not closed. */
static inline char *scan_text(char *at, const char *end, const char *stops, bool comments,
                              value *out)
{
    if (is_quote(*at))
        return scan_quoted(at, end, out);
    *out = (value){.text = at};
    for (; at < end && *at != stops[0] && *at != stops[1] && *at != stops[2]; at++)
        if (*at == '%' && comments && at > out->text && at[-1] == ' ')
            break;
    for (out->length = (size_t)(at - out->text);
         out->length > 0 && hs_is_blank(out->text[out->length - 1]);)
        out->length--;
    return at;
}

#define LINE_END "\n\n\n" /* no stop: a line has none in it */

/* ---- header ---- */

/* "{a, 'b c', …}" from its opening brace. Returns the place after the closing one in *line. */
static int parse_nominal(parser *p, const char *name, char **line, const char *end, attribute *a)
{
    /* Most attributes are {0,1}: no list is made for them. */
    static char digits[][4] = {{'0', 0, '1', 0}, {'1', 0, '0', 0}};
    static uint64_t digit_starts[] = {0, 2, 4};
    hs_names *values = &a->values;
    char *at = *line;
    value word;
    uint32_t id;
    bool added;
    bool is_class = hs_is_class_column(name); /* its values are labels, whatever they are */
    if (!is_class && end - at >= 5 &&
        (memcmp(at, "{0,1}", 5) == 0 || memcmp(at, "{1,0}", 5) == 0)) {
        a->type = BINARY;
        a->positive = at[1] == '0';
        *values = (hs_names){
            .pool = digits[at[1] == '1'], .start = digit_starts, .count = 2, .borrowed = true};
        *line += 5;
        return HSEL_OK;
    }
    at = hs_skip_blanks(at + 1);
    while (*at != '}' || values->count > 0) {
        if (at >= end)
            return FAIL("the list of values of attribute %s is not closed with }", name);
        if (!(at = scan_text(at, end, ",}}", false, &word)))
            return FAIL("a quote in the list of values is not closed");
        if (!word.length && !word.quoted)
            return FAIL("there is an empty value in the list of values");
        at = hs_skip_blanks(at);
        HS_TRY(hs_names_intern(values, HS_SPAN(word), &id, &added, p->error));
        if (!added)
            return FAIL("attribute %s declares the value %s twice", name, hs_names_get(values, id));
        if (*at == '}')
            break;
        if (*at != ',')
            return FAIL("the values of attribute %s must be separated by commas and closed with }",
                        name);
        at = hs_skip_blanks(at + 1);
    }
    *line = at + 1;
    /* Two words of a pair, or 0 or 1 alone, make it binary. */
    hs_word_pair pair[2] = {HS_PAIR_0_1, HS_PAIR_0_1};
    int sign[2] = {0, -1};
    for (uint32_t i = 0; i < values->count && i < 2; i++)
        sign[i] = hs_binary_word(HS_NAME(values, i), &pair[i]);
    bool binary =
        !is_class &&
        ((values->count == 1 && sign[0] >= 0 && pair[0] == HS_PAIR_0_1) ||
         (values->count == 2 && sign[0] >= 0 && sign[1] == !sign[0] && pair[0] == pair[1]));
    a->type = binary ? BINARY : NOMINAL;
    a->positive = sign[0] == 1 ? 0 : sign[1] == 1 ? 1 : HSEL_NONE;
    return HSEL_OK;
}

static int parse_attribute(parser *p, char *at, const char *end)
{
    static const char *const types[] = {"numeric", "real", "integer", "string", "date"};
    value text;
    uint32_t id;
    bool added;
    if (at_end(at))
        return FAIL("@attribute needs a name and a type");
    if (!(at = scan_text(at, end, " \t{", false, &text)))
        return FAIL("the quote around the name of the attribute is not closed");
    if (text.length == 0 && !text.quoted)
        return FAIL("@attribute needs a name before its values");
    if (!HS_GROW(&p->attributes, &p->capacity, (size_t)p->names.count + 1))
        return hs_fail_memory(p->error);
    HS_TRY(hs_names_intern(&p->names, HS_SPAN(text), &id, &added, p->error));
    attribute *a = &p->attributes[id];
    const char *name = name_of(p, id);
    if (!added)
        return FAIL("attribute %s was declared before, on line %lu", name, a->line);
    *a = (attribute){.line = hs_reader_line_number(p->reader)};
    at = hs_skip_blanks(at);
    if (*at == '{') {
        HS_TRY(parse_nominal(p, name, &at, end, a));
    } else {
        char *word = at;
        while (*at && !hs_is_blank(*at) && *at != '%')
            at++;
        size_t length = (size_t)(at - word), i = 0;
        while (i < 5 && !hs_equal_nocase(word, length, types[i]))
            i++;
        if (length == 0)
            return FAIL("attribute %s has no type", name);
        if (hs_equal_nocase(word, length, "relational"))
            return FAIL("attribute %s is relational; multi-instance data is not supported", name);
        if (i == 5)
            return FAIL("attribute %s has the unknown type %.*s (known: numeric, real, integer, "
                        "string, date, {value,...})",
                        name, (int)(length < 80 ? length : 80), word);
        a->type = i < 3 ? NUMERIC : i == 3 ? STRING : DATE;
        if (a->type == DATE)
            at += strlen(at); /* the form of the date */
    }
    at = hs_skip_blanks(at);
    return at_end(at) ? HSEL_OK
                      : FAIL("unexpected text after the type of attribute %s: %.80s", name, at);
}

/* Up to and with the @data line. */
static int arff_read_header(parser *p)
{
    char *line;
    size_t length;
    value text;
    for (;;) {
        int status = hs_reader_line(p->reader, &line, &length, p->error);
        if (status < 0)
            return status;
        if (status == 0 && hs_reader_line_number(p->reader) == 0)
            return HS_FAIL_FILE(p->error, p->reader, "the file is empty");
        if (status == 0)
            return FAIL("the file ends without an @data line");
        const char *end = line + length;
        char *at = hs_skip_blanks(line), *word = at;
        if (strncmp(at, POSITIVE_COMMENT, strlen(POSITIVE_COMMENT)) == 0 && !p->positive &&
            scan_text(at + strlen(POSITIVE_COMMENT), end, LINE_END, false, &text) &&
            !(p->positive = hs_strndup(HS_SPAN(text))))
            return hs_fail_memory(p->error);
        if (at_end(at))
            continue;
        while (*at && !hs_is_blank(*at))
            at++;
        size_t size = (size_t)(at - word);
        at = hs_skip_blanks(at);
        if (hs_equal_nocase(word, size, "@attribute")) {
            HS_TRY(parse_attribute(p, at, end));
        } else if (hs_equal_nocase(word, size, "@relation")) {
            if (p->relation)
                return FAIL("there is a second @relation line");
            /* the rest of the line: names with blanks are not always quoted */
            if (!scan_text(at, end, LINE_END, false, &text))
                return FAIL("the quote around the name of the relation is not closed");
            if (!(p->relation = hs_strndup(HS_SPAN(text))))
                return hs_fail_memory(p->error);
        } else if (hs_equal_nocase(word, size, "@data")) {
            if (!at_end(at))
                return FAIL("unexpected text after @data; the data must begin on the next line");
            return p->names.count ? HSEL_OK : FAIL("there is no @attribute before @data");
        } else {
            return FAIL("expected @relation, @attribute or @data, found %.*s",
                        (int)(size < 80 ? size : 80), word);
        }
    }
}

/* ---- roles ---- */

/* The role of a column, once all have one: features and classes are declared. */
static int declare_attribute(parser *p, uint32_t column)
{
    const attribute *a = &p->attributes[column];
    const char *name = name_of(p, column);
    hs_columns *columns = &p->columns;
    uint8_t *role = &columns->roles[column], *kind = &p->kinds[column];
    uint32_t code, *feature = &p->feature_of[column];
    bool text = a->type == STRING, nominal = a->type == NOMINAL;
    *feature = HSEL_NONE;
    if (*role == HS_COLUMN_CLASS && a->type == DATE)
        return FAIL_AT(a->line,
                       "the date attribute %s cannot be the class; name another one with "
                       "{class}",
                       name);
    if (*role == HS_COLUMN_CLASS && text && !p->options->class_name)
        return FAIL_AT(a->line, "the last attribute, %s, is a string: name the class with {class}",
                       name);
    /* The identifier, if none was named: the first string attribute that has no other role. */
    if (*role == HS_COLUMN_FEATURE && text && !p->options->id && columns->id_column == HSEL_NONE) {
        *role = HS_COLUMN_ID;
        columns->id_column = column;
    }
    if (*role == HS_COLUMN_FEATURE && (text || a->type == DATE))
        return FAIL_AT(a->line,
                       "the %s attribute %s cannot be a feature; {ignore=%u} leaves it out",
                       text ? "string" : "date", name, column + 1);
    if (*role == HS_COLUMN_FEATURE) {
        bool digits = a->type == NUMERIC ||
                      (a->values.count == 2 && strchr("01", *hs_names_get(&a->values, 0)));
        *kind = nominal ? READ_NOMINAL : digits ? READ_DIGIT : READ_WORD;
        HS_TRY(hs_builder_feature(p->builder, HS_NAME(&p->names, column),
                                  nominal ? HSEL_NOMINAL : HSEL_BINARY, feature, p->error));
        for (uint32_t i = 0; nominal && i < a->values.count; i++)
            HS_TRY(hs_builder_value(p->builder, *feature, HS_NAME(&a->values, i), &code, p->error));
    } else if (*role == HS_COLUMN_CLASS) {
        *kind = READ_CLASS;
        if (!nominal && a->type != BINARY)
            hs_builder_sort_classes(p->builder);
        for (uint32_t i = 0; i < a->values.count; i++) /* in this order they are numbered, too */
            HS_TRY(hs_builder_class(p->builder, HS_NAME(&a->values, i), &code, p->error));
    } else {
        *kind = *role == HS_COLUMN_ID ? READ_ID : READ_SKIP;
    }
    if (*kind == READ_CLASS || *kind == READ_ID || *kind == READ_NOMINAL ||
        (*kind != READ_SKIP && a->type == BINARY && a->positive == 0))
        p->not_zero[p->not_zero_count++] = column;
    return HSEL_OK;
}

/* ---- one value ---- */

/* A number, or the code of a nominal value. */
static inline int add_number(parser *p, uint32_t column, double number)
{
    return hs_builder_numeric(p->builder, p->feature_of[column], number, p->error);
}

static inline int add_positive(parser *p, uint32_t column)
{
    return hs_builder_positive(p->builder, p->feature_of[column], p->error);
}

/* The number of a declared value. Up to two are compared at once, {0,1} having no index. */
static uint32_t find_value(const hs_names *values, const value *v)
{
    if (values->count > 2)
        return hs_names_find(values, HS_SPAN(*v));
    uint32_t i = 0;
    while (i < values->count && (hs_names_length(values, i) != v->length ||
                                 memcmp(hs_names_get(values, i), HS_SPAN(*v)) != 0))
        i++;
    return i < values->count ? i : HSEL_NONE;
}

static int take_value(parser *p, uint32_t column, const value *v)
{
    const attribute *a = &p->attributes[column];
    uint8_t *kind = &p->kinds[column];
    const char *name = name_of(p, column);
    bool missing = !v->quoted && v->length == 1 && v->text[0] == '?';
    int shown = (int)(v->length < SHOWN ? v->length : SHOWN);
    uint32_t label;
    if (*kind == READ_DIGIT && v->length == 1 && (*v->text == '0' || *v->text == '1'))
        return *v->text == '1' ? add_positive(p, column) : HSEL_OK;
    if (*kind == READ_ID)
        return hs_builder_id(p->builder, HS_SPAN(*v), p->error);
    if (*kind == READ_SKIP || (missing && (*kind == READ_CLASS || *kind == READ_NOMINAL)))
        return HSEL_OK;
    if (a->type == NUMERIC) {
        double number = NAN; /* a missing one */
        char made[40];
        if (!missing && !hs_parse_double(HS_SPAN(*v), &number))
            return FAIL("attribute %s is numeric, %.*s is not a number", name, shown, v->text);
        if (isinf(number))
            return FAIL("the value %.*s of attribute %s is not finite", shown, v->text, name);
        number += 0.0; /* no negative zero */
        if (*kind == READ_CLASS && isnan(number))
            return HSEL_OK;
        if (*kind == READ_CLASS) { /* the label is its shortest form: 1 and 1.0 are one class */
            HS_TRY(hs_builder_class(p->builder, made, hs_format_double(number, made), &label,
                                    p->error));
            hs_builder_label(p->builder, label);
            if (hs_builder_data(p->builder)->class_names.count > NUMERIC_CLASSES)
                return FAIL("the class attribute %s is numeric with more than %d different values; "
                            "{target} takes it as a number to predict, {class} names another one, "
                            "{no-class} none",
                            name, NUMERIC_CLASSES);
            return HSEL_OK;
        }
        if (number == 0)
            return HSEL_OK;
        if (*kind == READ_DIGIT && number == 1)
            return add_positive(p, column);
        if (*kind == READ_DIGIT)
            HS_TRY(hs_builder_retype(p->builder, p->feature_of[column], HSEL_NUMERIC, p->error));
        *kind = READ_NUMBER;
        return add_number(p, column, number);
    }
    if (missing)
        return p->options->missing == HS_MISSING_NEGATIVE
                   ? HSEL_OK
                   : FAIL("the binary attribute %s has a missing value; {missing=negative} takes "
                          "it as negative",
                          name);
    label = find_value(&a->values, v);
    if (*kind == READ_CLASS && a->type == STRING)
        HS_TRY(hs_builder_class(p->builder, HS_SPAN(*v), &label, p->error));
    if (label == HSEL_NONE)
        return FAIL("attribute %s has no value %.*s", name, shown, v->text);
    if (*kind == READ_NOMINAL)
        return add_number(p, column, label);
    if (*kind == READ_CLASS)
        hs_builder_label(p->builder, label);
    return *kind != READ_CLASS && label == a->positive ? add_positive(p, column) : HSEL_OK;
}

#define DENSE_STOPS  ",\t\t"
#define SPARSE_STOPS ",\t}"

/* The value at *at, up to a stop, into the row. *at goes past it; NULL: a quote is not closed. */
static int take_at(parser *p, uint32_t column, char **at, const char *end, const char *stops)
{
    value v;
    if (!(*at = scan_text(*at, end, stops, true, &v)))
        return FAIL("a quote is not closed");
    if (v.length == 0 && !v.quoted)
        return FAIL("the value of attribute %s is empty; ? means missing", name_of(p, column));
    return take_value(p, column, &v);
}

/* ---- dense rows ---- */

/* Skips the separator after a value of a dense row: a comma, or blanks with a tab among them. False
 * at the end of the row. */
static bool skip_separator(char **at)
{
    bool tab = false;
    for (; hs_is_blank(**at); ++*at)
        tab |= **at == '\t';
    if (**at == ',')
        *at = hs_skip_blanks(*at + 1);
    else if (!tab || at_end(*at))
        return false;
    return true;
}

/* Takes fields "0," and "1,", four at a time. Returns the place after them; NULL: no memory. */
static inline char *take_four_digits(parser *p, char *at, const char *end, uint32_t *column)
{
    static const char zeros[8] = "0,0,0,0,", ones[8] = "\1\0\1\0\1\0\1\0";
    uint64_t zero_bits, one_bits, word;
    uint32_t kinds;
    memcpy(&zero_bits, zeros, 8);
    memcpy(&one_bits, ones, 8);
    for (; p->count - *column >= 4 && end - at >= 8; *column += 4, at += 8) {
        memcpy(&kinds, p->kinds + *column, 4);
        memcpy(&word, at, 8);
        word ^= zero_bits;
        if (kinds != 0 || (word & ~one_bits))
            break;
        for (uint32_t i = 0; word && i < 4; i++)
            if (at[2 * i] == '1' && add_positive(p, *column + i))
                return NULL;
    }
    return at;
}

/* The number of values from `at` to the end of the line, for messages. */
static uint32_t count_values(char *at, const char *end)
{
    uint32_t count = 0;
    value v;
    do {
        if (!(at = scan_text(hs_skip_blanks(at), end, DENSE_STOPS, true, &v)))
            break;
        count++;
    } while (skip_separator(&at));
    return count;
}

static int fail_count(const parser *p, uint32_t count)
{
    return FAIL("%u value%s, but there are %u attributes", count, count == 1 ? "" : "s", p->count);
}

static int dense_row(parser *p, char *at, const char *end)
{
    uint32_t column = 0;
    double number;
    do {
        if (!(at = take_four_digits(p, at, end, &column)))
            return HSEL_ENOMEM;
        /* Plain numbers followed by a comma. */
        for (; column < p->count && p->kinds[column] == READ_NUMBER; column++) {
            const char *behind = hs_scan_double(at, end, &number);
            if (!behind || behind == end || *behind != ',')
                break;
            if (number != 0) /* zeros are implied */
                HS_TRY(add_number(p, column, number));
            at += behind + 1 - at;
        }
        at = hs_skip_blanks(at);
        if (column == p->count) {
            if (*at == '{')
                return FAIL("instance weights are not supported");
            return fail_count(p, column + count_values(at, end));
        }
        int status = take_at(p, column++, &at, end, DENSE_STOPS);
        if (status == HSEL_EFORMAT && at) {
            /* If the row also has the wrong length, that is reported: then values have most likely
             * shifted. */
            uint32_t count = column + (skip_separator(&at) ? count_values(at, end) : 0);
            return count == p->count ? status : fail_count(p, count);
        }
        HS_TRY(status);
    } while (skip_separator(&at));
    if (!at_end(at))
        return FAIL("unexpected text after the value of attribute %s", name_of(p, column - 1));
    return column == p->count ? HSEL_OK : fail_count(p, column);
}

/* ---- sparse rows ---- */

/* "{12 value, …}" from its opening brace. */
static int sparse_row(parser *p, char *at, const char *end)
{
    at = hs_skip_blanks(at + 1);
    while (*at && *at != '}') {
        char *digits = at;
        uint64_t number = 0;
        while (*at >= '0' && *at <= '9')
            at++;
        if (!hs_is_blank(*at) || !hs_parse_u64(digits, (size_t)(at - digits), &number))
            return FAIL("expected the number of an attribute, a blank and its value, found %.40s",
                        digits);
        if (number >= p->count)
            return FAIL("there is no attribute %.*s; they are numbered from 0 to %u",
                        (int)(at - digits < 40 ? at - digits : 40), digits, p->count - 1);
        uint32_t column = (uint32_t)number;
        if (p->seen[column] == p->row)
            return FAIL("attribute %u (%s) is given twice", column, name_of(p, column));
        p->seen[column] = p->row;
        at = hs_skip_blanks(at);
        HS_TRY(take_at(p, column, &at, end, SPARSE_STOPS));
        at = hs_skip_blanks(at);
        if (*at == ',')
            at = hs_skip_blanks(at + 1);
        else if (*at && *at != '}')
            return FAIL("expected a comma or }, found %.40s", at);
    }
    if (!*at)
        return FAIL("the row is not closed with }");
    at = hs_skip_blanks(at + 1);
    if (*at == ',' || *at == '{')
        return FAIL("instance weights are not supported");
    if (!at_end(at))
        return FAIL("unexpected text after the closing }");
    /* Omitted values that are not 0. */
    for (uint32_t i = 0; i < p->not_zero_count; i++) {
        uint32_t column = p->not_zero[i];
        const attribute *a = &p->attributes[column];
        const char *first = a->values.count ? hs_names_get(&a->values, 0) : NULL;
        value usual = {.text = first ? first : a->type == NUMERIC ? "0" : "", .quoted = true};
        if (p->seen[column] == p->row)
            continue;
        usual.length = strlen(usual.text);
        if (p->kinds[column] == READ_NOMINAL && first)
            HS_TRY(add_number(p, column, 0));
        else if (a->type != NOMINAL || first || p->kinds[column] == READ_ID)
            HS_TRY(take_value(p, column, &usual));
    }
    return HSEL_OK;
}

/* ---- all rows ---- */

static int arff_read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                          hsel_error *error)
{
    HS_OWNS(arff_clear) parser state = {.reader = reader, .error = error, .options = options};
    parser *p = &state;
    char *line;
    size_t length;
    int status;
    HS_TRY(arff_read_header(p));
    HS_TRY(hs_columns_assign(&p->names, options, HSEL_NONE, hs_reader_name(reader), &p->columns,
                             error));
    HS_TRY(hs_builder_new(&p->builder, error));
    size_t n = p->count = p->columns.count;
    p->kinds = HS_ARENA_NEW(&p->arena, uint8_t, n);
    p->feature_of = HS_ARENA_NEW(&p->arena, uint32_t, n);
    p->seen = hs_arena_zero(&p->arena, n, sizeof *p->seen);
    p->not_zero = HS_ARENA_NEW(&p->arena, uint32_t, n);
    HS_NEED(p->kinds && p->feature_of && p->seen && p->not_zero);
    for (uint32_t column = 0; column < n; column++)
        HS_TRY(declare_attribute(p, column));
    while ((status = hs_reader_line(reader, &line, &length, error)) > 0) {
        char *at = hs_skip_blanks(line), *end = line + length;
        if (at_end(at))
            continue;
        while (end > at && hs_is_blank(end[-1]))
            *--end = '\0';
        p->row++;
        HS_TRY(hs_builder_row(p->builder, NULL, 0, HSEL_NONE, error));
        HS_TRY(*at == '{' ? sparse_row(p, at, end) : dense_row(p, at, end));
    }
    HS_TRY(status);
    HS_TRY(hs_columns_describe(&p->columns, &p->names,
                               p->relation && *p->relation ? p->relation : NULL, options,
                               p->builder, error));
    if (!options->positive && p->positive && p->columns.class_column == n - 1)
        HS_TRY(hs_builder_positive_class(p->builder, p->positive, error));
    return hs_builder_finish(p->builder, out, error);
}

/* The first line that is neither blank nor a comment decides. */
static int arff_sniff(const char *head)
{
    const char *at = hs_first_content(head, '%');
    if (strncasecmp(head, "%%MatrixMarket", 14) == 0)
        return 0;
    if (!at)
        return strchr(head, '%') ? 20 : 0;
    return strncasecmp(at, "@relation", 9) == 0 || strncasecmp(at, "@attribute", 10) == 0 ? 100 : 0;
}

/* ---- writing ---- */

static void arff_put_text(hs_writer *writer, const char *text, size_t length)
{
    static const char special[] = "\n\r\t'\\", letters[] = "nrt'\\";
    bool quotes = length == 0 || (length == 1 && *text == '?');
    for (size_t i = 0; i < length && !quotes; i++)
        quotes = (unsigned char)text[i] <= ' ' || text[i] == 127 || strchr(",'\"\\%{}", text[i]);
    if (!quotes) {
        hs_writer_put(writer, text, length);
        return;
    }
    hs_writer_char(writer, '\'');
    for (size_t i = 0; i < length; i++) {
        const char *escaped = text[i] ? strchr(special, text[i]) : NULL;
        if (escaped)
            hs_writer_char(writer, '\\');
        hs_writer_char(writer, escaped ? letters[escaped - special] : text[i]);
    }
    hs_writer_char(writer, '\'');
}

/* An @attribute line: `type`, or the list of values. */
static void put_attribute(hs_writer *writer, const char *name, size_t length, const char *type,
                          const hs_names *values)
{
    hs_writer_text(writer, "@attribute ");
    arff_put_text(writer, name, length);
    hs_writer_text(writer, type);
    for (uint32_t i = 0; values && i < values->count; i++) {
        if (i > 0)
            hs_writer_char(writer, ',');
        arff_put_text(writer, HS_NAME(values, i));
    }
    hs_writer_text(writer, values ? "}\n" : "\n");
}

static void put_index(hs_writer *writer, uint32_t index, const char **comma)
{
    hs_writer_text(writer, *comma);
    hs_writer_u64(writer, index);
    hs_writer_char(writer, ' ');
    *comma = ",";
}

static void put_sparse_row(hs_table_writer *table, uint32_t instance)
{
    const hsel_dataset *data = table->data;
    hs_writer *writer = table->writer;
    size_t count, next = 0, other = 0;
    const uint32_t *row = hs_row(data, instance, &count);
    uint32_t shift = table->id_name ? 1 : 0;
    const char *comma = "";
    hs_writer_char(writer, '{');
    if (table->id_name) {
        put_index(writer, 0, &comma);
        arff_put_text(writer, HS_NAME(&data->ids, instance));
    }
    while (next < count || other < table->other_count) {
        if (other == table->other_count || (next < count && row[next] < table->others[other])) {
            put_index(writer, row[next++] + shift, &comma);
            hs_writer_char(writer, '1');
            continue;
        }
        uint32_t f = table->others[other++];
        if (data->types[f] == HSEL_NUMERIC ? hs_table_number(table, f, instance) == 0
                                           : data->nominal[data->slot[f]].codes[instance] == 0)
            continue; /* a sparse row may leave it out */
        put_index(writer, f + shift, &comma);
        hs_table_put_other(table, f, instance);
    }
    if (table->class_name) {
        put_index(writer, data->features + shift, &comma);
        hs_table_put_label(table, instance);
    }
    hs_writer_text(writer, "}\n");
}

static int arff_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    HS_OWNS(hs_table_writer_clear)
    hs_table_writer table = {
        .data = data, .writer = writer, .put = arff_put_text, .missing = "?", .delimiter = ','};
    HS_TRY(hs_table_writer_init(&table, error));
    hs_writer_text(writer, "@relation ");
    arff_put_text(writer, hsel_dataset_name(data), strlen(hsel_dataset_name(data)));
    hs_writer_text(writer, "\n\n");
    if (table.id_name)
        put_attribute(writer, table.id_name, strlen(table.id_name), " string", NULL);
    for (uint32_t f = 0; f < data->features; f++) {
        bool nominal = data->types[f] == HSEL_NOMINAL;
        put_attribute(writer, HS_NAME(&data->feature_names, f),
                      nominal                          ? " {"
                      : data->types[f] == HSEL_NUMERIC ? " numeric"
                                                       : " {0,1}",
                      nominal ? &data->nominal[data->slot[f]].values : NULL);
    }
    if (table.class_name)
        put_attribute(writer, table.class_name, strlen(table.class_name),
                      data->target ? " numeric" : " {", data->target ? NULL : &data->class_names);
    if (table.class_name && data->positive_named && data->class_names.count == 2) {
        hs_writer_text(writer, POSITIVE_COMMENT);
        arff_put_text(writer, HS_NAME(&data->class_names, data->positive_class));
        hs_writer_char(writer, '\n');
    }
    hs_writer_text(writer, "\n@data\n");
    /* Nominal values are counted as given: their first one is seldom the most frequent by far. */
    double given =
        (double)data->rows.start[data->instances] + (double)data->nominal_count * data->instances;
    for (uint32_t i = 0; i < data->numeric_count; i++)
        given += data->numeric[i].count;
    bool dense = given > DENSE_SHARE * data->features * data->instances;
    for (uint32_t i = 0; i < data->instances; i++)
        (dense ? hs_table_put_row : put_sparse_row)(&table, i);
    return HSEL_OK;
}

const hs_method hs_method_arff = {
    .kind = HS_FORMAT,
    .name = "arff",
    .title = "ARFF, dense and sparse (WEKA)",
    .help = "Attribute-relation file format. The class is the last attribute unless the option "
            "class names another; the first string attribute is the identifier unless id names "
            "one. Nominal attributes with the values 0/1, no/yes, false/true, n/y or f/t (in any "
            "order and case) and numeric ones that hold only 0 and 1 are binary features; other "
            "nominal and numeric attributes keep their type. A value missing from a sparse row is "
            "0, or the first declared value of a nominal attribute. A missing value (?) of a "
            "binary feature is an error unless the option missing is negative; in a numeric "
            "attribute it makes the feature numeric. A numeric class is taken as labels if it has "
            "at most 100 different values. Instance weights and relational attributes are not "
            "supported. hsel writes sparse rows if at most a fifth of the values are not zero.",
    .citation =
        "Attribute-Relation File Format, WEKA manual 3.9 (Witten, Frank, Hall, Pal: Data Mining, "
        "4th edition, 2016, section 2.4)",
    .format = &(const hs_format){.endings = "arff",
                                 .sniff = arff_sniff,
                                 .read_data = arff_read_data,
                                 .write_data = arff_write_data,
                                 .writes_positive = true,
                                 .is_table = true}};

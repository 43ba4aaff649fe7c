/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The header of an ARFF file: @relation, @attribute lines, @data. Names stand bare up to a blank or
 * brace, or in single or double quotes with backslash escapes. Attribute names are unique; so are
 * the values of one attribute.
 */
#include <string.h>

#include "core/mem.h"
#include "format/arff.h"

char *hs_arff_quoted(char *at, const char *end, char **text, size_t *length)
{
    char quote = *at++, *put = at;
    *text = at;
    for (; at < end && *at != quote; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
            *put++ = *at == 'n' ? '\n' : *at == 'r' ? '\r' : *at == 't' ? '\t' : *at;
        } else {
            *put++ = *at;
        }
    }
    *length = (size_t)(put - *text);
    return at < end ? at + 1 : NULL;
}

/* One name: quoted, or bare up to a blank or an opening brace. NULL: the quote is not closed. */
static char *take_name(char *at, const char *end, char **text, size_t *length)
{
    if (hs_arff_is_quote(*at))
        return hs_arff_quoted(at, end, text, length);
    *text = at;
    while (at < end && !hs_arff_is_blank(*at) && *at != '{')
        at++;
    *length = (size_t)(at - *text);
    return at;
}

static bool at_end(const char *at) { return *at == '\0' || *at == '%'; }

/* ---- nominal values ---- */

/* One declared value from `at`, which is not blank; the result stands at the comma or brace behind
 * it. */
static int take_value(const hs_reader *reader, char **at, const char *end, char **text,
                      size_t *length, hsel_error *error)
{
    if (hs_arff_is_quote(**at)) {
        if (!(*at = hs_arff_quoted(*at, end, text, length)))
            return hs_fail_line(error, reader, "a quote in the list of values is not closed");
    } else {
        *text = *at;
        while (*at < end && **at != ',' && **at != '}')
            ++*at;
        for (*length = (size_t)(*at - *text);
             *length > 0 && hs_arff_is_blank((*text)[*length - 1]);)
            --*length;
        if (*length == 0)
            return hs_fail_line(error, reader, "there is an empty value in the list of values");
    }
    *at = hs_arff_skip_blanks(*at);
    return HSEL_OK;
}

/* "{a, 'b c', …}" from its opening brace into `values`; *at goes behind the closing one. */
static int parse_values(const hs_reader *reader, const char *name, char **at, const char *end,
                        hs_names *values, hsel_error *error)
{
    char *text;
    size_t length;
    uint32_t id;
    bool added;
    int status;
    *at = hs_arff_skip_blanks(*at + 1);
    while (**at != '}' || values->count > 0) {
        if (*at >= end)
            return hs_fail_line(error, reader,
                                "the list of values of attribute %s is not closed with }", name);
        if ((status = take_value(reader, at, end, &text, &length, error)) ||
            (status = hs_names_intern(values, text, length, &id, &added, error)))
            return status;
        if (!added)
            return hs_fail_line(error, reader, "attribute %s declares the value %s twice", name,
                                hs_names_get(values, id));
        if (**at == '}')
            break;
        if (**at != ',')
            return hs_fail_line(
                error, reader,
                "the values of attribute %s must be separated by commas and closed with }", name);
        *at = hs_arff_skip_blanks(*at + 1);
    }
    ++*at;
    return HSEL_OK;
}

/* Whether the values make a binary attribute; sign[i] tells which of them is the positive one. */
static bool is_binary(const hs_names *values, int sign[2])
{
    hs_word_pair pair[2];
    if (values->count == 0 || values->count > 2)
        return false;
    for (uint32_t i = 0; i < values->count; i++)
        if ((sign[i] =
                 hs_binary_word(hs_names_get(values, i), hs_names_length(values, i), &pair[i])) < 0)
            return false;
    return values->count == 2 ? pair[0] == pair[1] && sign[0] != sign[1] : pair[0] == HS_PAIR_0_1;
}

static int add_word(hs_arff_header *header, hs_arff_attribute *attribute, int sign,
                    const char *text, size_t length, hsel_error *error)
{
    return hs_names_intern(&header->words, text, length, &attribute->word[sign], NULL, error);
}

/* Turns a list of values into a binary attribute if it can be one, else keeps the list. */
static int keep_values(hs_arff_header *header, hs_arff_attribute *attribute, hs_names *values,
                       hsel_error *error)
{
    int sign[2], status = HSEL_OK;
    if (is_binary(values, sign)) {
        attribute->type = HS_ARFF_BINARY;
        attribute->positive_first = sign[0] == 1;
        for (uint32_t i = 0; i < values->count && status == HSEL_OK; i++)
            status = add_word(header, attribute, sign[i], hs_names_get(values, i),
                              hs_names_length(values, i), error);
        return status;
    }
    attribute->type = HS_ARFF_NOMINAL;
    if (!(attribute->values = HS_NEW(hs_names, 1)))
        return hs_fail_memory(error);
    *attribute->values = *values;
    *values = (hs_names){0};
    return HSEL_OK;
}

static int parse_nominal(const hs_reader *reader, hs_arff_header *header, const char *name,
                         char **at, const char *end, hs_arff_attribute *attribute,
                         hsel_error *error)
{
    hs_names values = {0};
    int status;
    /* Most attributes are {0,1}: no list is made for them. */
    if (end - *at >= 5 && (memcmp(*at, "{0,1}", 5) == 0 || memcmp(*at, "{1,0}", 5) == 0)) {
        attribute->type = HS_ARFF_BINARY;
        attribute->positive_first = (*at)[1] == '1';
        *at += 5;
        if ((status = add_word(header, attribute, 0, "0", 1, error)))
            return status;
        return add_word(header, attribute, 1, "1", 1, error);
    }
    status = parse_values(reader, name, at, end, &values, error);
    if (status == HSEL_OK)
        status = keep_values(header, attribute, &values, error);
    hs_names_clear(&values);
    return status;
}

/* ---- attributes ---- */

static int parse_type_word(const hs_reader *reader, const char *name, char **at,
                           hs_arff_attribute *attribute, hsel_error *error)
{
    char *word = *at;
    while (**at && !hs_arff_is_blank(**at) && **at != '%')
        ++*at;
    size_t length = (size_t)(*at - word);
    if (length == 0)
        return hs_fail_line(error, reader, "attribute %s has no type", name);
    if (hs_equal_nocase(word, length, "numeric") || hs_equal_nocase(word, length, "real") ||
        hs_equal_nocase(word, length, "integer"))
        attribute->type = HS_ARFF_NUMERIC;
    else if (hs_equal_nocase(word, length, "string"))
        attribute->type = HS_ARFF_STRING;
    else if (hs_equal_nocase(word, length, "date")) {
        attribute->type = HS_ARFF_DATE;
        *at += strlen(*at); /* the form of the date */
    } else if (hs_equal_nocase(word, length, "relational"))
        return hs_fail_line(error, reader,
                            "attribute %s is relational; multi-instance data is not supported",
                            name);
    else
        return hs_fail_line(
            error, reader,
            "attribute %s has the unknown type %.*s (known: numeric, real, integer, "
            "string, date, {value,...})",
            name, (int)(length < 80 ? length : 80), word);
    return HSEL_OK;
}

/* Makes room for one more attribute under its name, which must be new. */
static int add_attribute(const hs_reader *reader, hs_arff_header *header, const char *name,
                         size_t length, hs_arff_attribute **out, hsel_error *error)
{
    uint32_t id;
    bool added;
    if (!HS_GROW(&header->attributes, &header->capacity, (size_t)header->names.count + 1))
        return hs_fail_memory(error);
    int status = hs_names_intern(&header->names, name, length, &id, &added, error);
    if (status)
        return status;
    if (!added)
        return hs_fail_line(error, reader, "attribute %s was declared before, on line %lu",
                            hs_names_get(&header->names, id), header->attributes[id].line);
    *out = &header->attributes[id];
    **out =
        (hs_arff_attribute){.line = hs_reader_line_number(reader), .word = {HSEL_NONE, HSEL_NONE}};
    return HSEL_OK;
}

static int parse_attribute(const hs_reader *reader, hs_arff_header *header, char *at,
                           const char *end, hsel_error *error)
{
    hs_arff_attribute *attribute = NULL;
    char *text;
    size_t length;
    int status;
    if (at_end(at))
        return hs_fail_line(error, reader, "@attribute needs a name and a type");
    bool quoted = hs_arff_is_quote(*at);
    if (!(at = take_name(at, end, &text, &length)))
        return hs_fail_line(error, reader,
                            "the quote around the name of the attribute is not closed");
    if (length == 0 && !quoted)
        return hs_fail_line(error, reader, "@attribute needs a name before its values");
    if ((status = add_attribute(reader, header, text, length, &attribute, error)))
        return status;
    const char *name = hs_names_get(&header->names, header->names.count - 1);
    at = hs_arff_skip_blanks(at);
    status = *at == '{' ? parse_nominal(reader, header, name, &at, end, attribute, error)
                        : parse_type_word(reader, name, &at, attribute, error);
    if (status)
        return status;
    at = hs_arff_skip_blanks(at);
    if (!at_end(at))
        return hs_fail_line(error, reader, "there is text after the type of attribute %s: %.80s",
                            name, at);
    return HSEL_OK;
}

/* ---- lines ---- */

static int parse_relation(const hs_reader *reader, hs_arff_header *header, char *at,
                          const char *end, hsel_error *error)
{
    char *text;
    size_t length;
    if (header->relation)
        return hs_fail_line(error, reader, "there is a second @relation line");
    if (hs_arff_is_quote(*at)) {
        if (!hs_arff_quoted(at, end, &text, &length))
            return hs_fail_line(error, reader,
                                "the quote around the name of the relation is not closed");
    } else { /* the rest of the line: names with blanks are met bare, too */
        text = at;
        for (length = (size_t)(end - at); length > 0 && hs_arff_is_blank(at[length - 1]);)
            length--;
    }
    header->relation = hs_strndup(text, length);
    return header->relation ? HSEL_OK : hs_fail_memory(error);
}

static int check_data_line(const hs_reader *reader, const hs_arff_header *header, const char *at,
                           hsel_error *error)
{
    if (!at_end(at))
        return hs_fail_line(error, reader,
                            "there is text after @data; the data must begin on the next line");
    if (header->names.count == 0)
        return hs_fail_line(error, reader, "there is no @attribute before @data");
    return HSEL_OK;
}

/* One line of the header; *done after @data. */
static int parse_line(const hs_reader *reader, hs_arff_header *header, char *line, size_t length,
                      bool *done, hsel_error *error)
{
    const char *end = line + length;
    char *at = hs_arff_skip_blanks(line), *word = at;
    if (at_end(at))
        return HSEL_OK;
    while (*at && !hs_arff_is_blank(*at))
        at++;
    size_t word_length = (size_t)(at - word);
    at = hs_arff_skip_blanks(at);
    if (hs_equal_nocase(word, word_length, "@attribute"))
        return parse_attribute(reader, header, at, end, error);
    if (hs_equal_nocase(word, word_length, "@relation"))
        return parse_relation(reader, header, at, end, error);
    if (hs_equal_nocase(word, word_length, "@data")) {
        *done = true;
        return check_data_line(reader, header, at, error);
    }
    return hs_fail_line(error, reader, "expected @relation, @attribute or @data, found %.*s",
                        (int)(word_length < 80 ? word_length : 80), word);
}

int hs_arff_read_header(hs_reader *reader, hs_arff_header *out, hsel_error *error)
{
    char *line;
    size_t length;
    bool done = false;
    int status;
    while (!done) {
        if ((status = hs_reader_line(reader, &line, &length, error)) < 0)
            return status;
        if (status == 0 && hs_reader_line_number(reader) == 0)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0, "the file is empty");
        if (status == 0)
            return hs_fail_line(error, reader, "the file ends without an @data line");
        if ((status = parse_line(reader, out, line, length, &done, error)))
            return status;
    }
    return HSEL_OK;
}

void hs_arff_header_clear(hs_arff_header *header)
{
    for (uint32_t i = 0; i < header->names.count; i++)
        if (header->attributes[i].values) {
            hs_names_clear(header->attributes[i].values);
            hs_free(header->attributes[i].values);
        }
    hs_free(header->attributes);
    hs_names_clear(&header->names);
    hs_names_clear(&header->words);
    hs_free(header->relation);
    *header = (hs_arff_header){0};
}

uint32_t hs_arff_value_count(const hs_arff_attribute *attribute)
{
    if (attribute->type == HS_ARFF_NOMINAL)
        return attribute->values ? attribute->values->count : 0;
    if (attribute->type != HS_ARFF_BINARY)
        return 0;
    return (attribute->word[0] != HSEL_NONE) + (attribute->word[1] != HSEL_NONE);
}

const char *hs_arff_value(const hs_arff_header *header, const hs_arff_attribute *attribute,
                          uint32_t i)
{
    if (attribute->type == HS_ARFF_NOMINAL)
        return hs_names_get(attribute->values, i);
    return hs_names_get(&header->words, attribute->word[(i == 0) == attribute->positive_first]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of an ARFF row: features and classes are declared from the header, then each value is
 * checked against its attribute. A numeric attribute counts as binary until a value other than 0
 * and 1 turns up.
 */
#include "format/arff_rows.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

#define NUMERIC_CLASSES                                                                            \
    100 /* a numeric class attribute with more different values is not a class */

static bool is_missing(const hs_arff_text *v)
{
    return !v->quoted && v->length == 1 && v->text[0] == '?';
}

/* ---- setting up ---- */

static int declare_values(hs_arff_rows *r, uint32_t column, hsel_error *error)
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

static int declare_feature(hs_arff_rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    bool nominal = attribute->type == HS_ARFF_NOMINAL;
    bool both = attribute->word[0] != HSEL_NONE && attribute->word[1] != HSEL_NONE;
    int status = hs_builder_feature(
        r->builder, hs_arff_name(r, column), hs_names_length(&r->header->names, column),
        nominal ? HSEL_NOMINAL : HSEL_BINARY, &r->feature_of[column], error);
    if (status)
        return status;
    if (nominal) {
        r->kinds[column] = HS_ARFF_READ_NOMINAL;
        return declare_values(r, column, error);
    }
    bool digits = attribute->type == HS_ARFF_NUMERIC ||
                  (both && *hs_names_get(&r->header->words, attribute->word[1]) == '1');
    r->kinds[column] = digits ? HS_ARFF_READ_DIGIT : HS_ARFF_READ_WORD;
    return HSEL_OK;
}

static int declare_classes(hs_arff_rows *r, uint32_t column, hsel_error *error)
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

static int set_up_column(hs_arff_rows *r, uint32_t column, uint8_t role, hsel_error *error)
{
    r->feature_of[column] = HSEL_NONE;
    switch (role) {
    case HS_COLUMN_FEATURE:
        return declare_feature(r, column, error);
    case HS_COLUMN_CLASS:
        r->kinds[column] = HS_ARFF_READ_CLASS;
        return declare_classes(r, column, error);
    default:
        r->kinds[column] = role == HS_COLUMN_ID ? HS_ARFF_READ_ID : HS_ARFF_READ_SKIP;
        return HSEL_OK;
    }
}

int hs_arff_rows_init(hs_arff_rows *r, const hs_columns *columns, hsel_error *error)
{
    int status = HSEL_OK;
    r->count = columns->count;
    r->kinds = HS_NEW(uint8_t, r->count);
    r->feature_of = HS_NEW(uint32_t, r->count);
    r->seen = HS_NEW_ZERO(uint32_t, r->count);
    r->not_zero = HS_NEW(uint32_t, r->count);
    r->positives = HS_NEW(uint32_t, r->count);
    r->other_feature = HS_NEW(uint32_t, r->count);
    r->other = HS_NEW(double, r->count);
    if (!r->kinds || !r->feature_of || !r->seen || !r->not_zero || !r->positives ||
        !r->other_feature || !r->other)
        return hs_fail_memory(error);
    for (uint32_t column = 0; column < r->count && status == HSEL_OK; column++) {
        if ((status = set_up_column(r, column, columns->roles[column], error)))
            break;
        uint8_t kind = r->kinds[column];
        if (kind == HS_ARFF_READ_CLASS || kind == HS_ARFF_READ_ID || kind == HS_ARFF_READ_NOMINAL ||
            (kind != HS_ARFF_READ_SKIP && r->header->attributes[column].positive_first))
            r->not_zero[r->not_zero_count++] = column;
    }
    return status;
}

void hs_arff_rows_clear(hs_arff_rows *r)
{
    hs_free(r->kinds);
    hs_free(r->feature_of);
    hs_free(r->seen);
    hs_free(r->not_zero);
    hs_free(r->positives);
    hs_free(r->other_feature);
    hs_free(r->other);
    hs_names_clear(&r->class_values);
}

/* ---- one value ---- */

static int fail_value(const hs_arff_rows *r, uint32_t column, const hs_arff_text *v,
                      hsel_error *error)
{
    return hs_fail_line(error, r->reader, "attribute %s has no value %.*s", hs_arff_name(r, column),
                        (int)(v->length < 200 ? v->length : 200), v->text);
}

static int take_word(hs_arff_rows *r, uint32_t column, const hs_arff_text *v, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    if (is_missing(v)) {
        if (r->missing == HS_MISSING_NEGATIVE)
            return HSEL_OK;
        return hs_fail_line(
            error, r->reader,
            "the binary attribute %s has a missing value; --missing negative takes it as "
            "negative",
            hs_arff_name(r, column));
    }
    for (int sign = 0; sign < 2; sign++) {
        uint32_t word = attribute->word[sign];
        if (word == HSEL_NONE || hs_names_length(&r->header->words, word) != v->length ||
            memcmp(hs_names_get(&r->header->words, word), v->text, v->length) != 0)
            continue;
        if (sign)
            hs_arff_add_positive(r, column);
        return HSEL_OK;
    }
    return fail_value(r, column, v, error);
}

/* A number; NaN for a missing one. */
static int parse_number(const hs_arff_rows *r, uint32_t column, const hs_arff_text *v, double *out,
                        hsel_error *error)
{
    *out = NAN;
    if (is_missing(v))
        return HSEL_OK;
    if (!hs_parse_double(v->text, v->length, out))
        return hs_fail_line(error, r->reader, "attribute %s is numeric, %.*s is not a number",
                            hs_arff_name(r, column), (int)(v->length < 200 ? v->length : 200),
                            v->text);
    if (isinf(*out))
        return hs_fail_line(error, r->reader, "the value %.*s of attribute %s is not finite",
                            (int)(v->length < 200 ? v->length : 200), v->text,
                            hs_arff_name(r, column));
    *out += 0.0; /* no negative zero */
    return HSEL_OK;
}

static int take_number(hs_arff_rows *r, uint32_t column, const hs_arff_text *v, hsel_error *error)
{
    double number;
    int status = parse_number(r, column, v, &number, error);
    if (status)
        return status;
    if (r->kinds[column] == HS_ARFF_READ_DIGIT) {
        if (number == 1)
            hs_arff_add_positive(r, column);
        if (number == 0 || number == 1)
            return HSEL_OK;
        r->kinds[column] = HS_ARFF_READ_NUMBER;
        if ((status = hs_builder_retype(r->builder, r->feature_of[column], HSEL_NUMERIC, error)))
            return status;
    }
    if (number != 0)
        hs_arff_add_other(r, column, number);
    return HSEL_OK;
}

static int take_nominal(hs_arff_rows *r, uint32_t column, const hs_arff_text *v, hsel_error *error)
{
    if (is_missing(v))
        return HSEL_OK;
    uint32_t code = hs_names_find(r->header->attributes[column].values, v->text, v->length);
    if (code == HSEL_NONE)
        return fail_value(r, column, v, error);
    hs_arff_add_other(r, column, code);
    return HSEL_OK;
}

/* A numeric class: the label is the number in its shortest form, so that 1 and 1.0 are one class.
 */
static int take_numeric_class(hs_arff_rows *r, uint32_t column, const hs_arff_text *v,
                              hsel_error *error)
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
            hs_arff_name(r, column), NUMERIC_CLASSES);
    return status;
}

static int take_class(hs_arff_rows *r, uint32_t column, const hs_arff_text *v, hsel_error *error)
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

int hs_arff_take(hs_arff_rows *r, uint32_t column, const hs_arff_text *v, hsel_error *error)
{
    switch (r->kinds[column]) {
    case HS_ARFF_READ_DIGIT:
    case HS_ARFF_READ_NUMBER:
        if (r->header->attributes[column].type == HS_ARFF_NUMERIC)
            return take_number(r, column, v, error);
        return take_word(r, column, v, error);
    case HS_ARFF_READ_WORD:
        return take_word(r, column, v, error);
    case HS_ARFF_READ_NOMINAL:
        return take_nominal(r, column, v, error);
    case HS_ARFF_READ_CLASS:
        return take_class(r, column, v, error);
    case HS_ARFF_READ_ID:
        r->id = v->text;
        r->id_length = v->length;
        return HSEL_OK;
    default:
        return HSEL_OK;
    }
}

int hs_arff_take_default(hs_arff_rows *r, uint32_t column, hsel_error *error)
{
    const hs_arff_attribute *attribute = &r->header->attributes[column];
    uint32_t values = hs_arff_value_count(attribute);
    char empty[] = "", zero[] = "0";
    if (r->kinds[column] == HS_ARFF_READ_NOMINAL) {
        if (values > 0)
            hs_arff_add_other(r, column, 0);
        return HSEL_OK;
    }
    if (r->kinds[column] == HS_ARFF_READ_ID) {
        r->id = values > 0                           ? hs_arff_value(r->header, attribute, 0)
                : attribute->type == HS_ARFF_NUMERIC ? "0"
                                                     : "";
        r->id_length = strlen(r->id);
        return HSEL_OK;
    }
    if (r->kinds[column] != HS_ARFF_READ_CLASS) {
        hs_arff_add_positive(r, column);
        return HSEL_OK;
    }
    if (values > 0)
        r->label = 0;
    if (attribute->type == HS_ARFF_NUMERIC)
        return take_class(r, column, &(hs_arff_text){.text = zero, .length = 1}, error);
    if (attribute->type == HS_ARFF_STRING)
        return take_class(r, column, &(hs_arff_text){.text = empty}, error);
    return HSEL_OK;
}

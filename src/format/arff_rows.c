/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of the data section of an ARFF file, dense rows and sparse ones. In a sparse row what
 * is left out is not missing: it is 0, or the first declared value of a nominal attribute.
 *
 * Speed: dense rows are mostly "0," and "1,", so four such fields are taken with one 8-byte
 * comparison; plain numbers are taken without looking for their end first.
 */
#include "format/arff_rows.h"

#include <string.h>

/* ---- text of values ---- */

/* The value at `at`, up to a separator or `stop` (the brace of a sparse row, 0: none). The result
 * stands behind it, at a separator, a comment or the end. Only a quote that is not closed is an
 * error. */
static int scan_value(const hs_arff_rows *r, char **at, const char *end, char stop, hs_arff_text *v,
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
static inline char *take_digits(hs_arff_rows *r, char *at, const char *end, uint32_t *column)
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
                hs_arff_add_positive(r, *column + i);
    }
    for (; *column < r->count && end - at >= 2 && r->kinds[*column] == HS_ARFF_READ_DIGIT;
         ++*column, at += 2) {
        if ((at[0] != '0' && at[0] != '1') || at[1] != ',')
            break;
        if (at[0] == '1')
            hs_arff_add_positive(r, *column);
    }
    return at;
}

/* Takes plain numbers with a comma behind them and returns the place of the first field that is
 * something else. */
static inline char *take_numbers(hs_arff_rows *r, char *at, const char *end, uint32_t *column)
{
    double number;
    for (; *column < r->count && r->kinds[*column] == HS_ARFF_READ_NUMBER; ++*column) {
        const char *behind = hs_scan_double(at, end, &number);
        if (!behind || behind == end || *behind != ',')
            break;
        r->zero_count += number == 0;
        hs_arff_add_other(r, *column, number + 0.0); /* no negative zero */
        at += behind + 1 - at;
    }
    return at;
}

/* How many values stand from `at` to the end of the line, for messages. */
static uint32_t count_values(const hs_arff_rows *r, char *at, const char *end)
{
    uint32_t count = 0;
    hs_arff_text v;
    do {
        at = hs_arff_skip_blanks(at);
        if (scan_value(r, &at, end, 0, &v, NULL))
            break;
        count++;
    } while (skip_separator(&at));
    return count;
}

static int fail_count(const hs_arff_rows *r, uint32_t count, hsel_error *error)
{
    return hs_fail_line(error, r->reader, "%u value%s, but there are %u attributes", count,
                        count == 1 ? "" : "s", r->count);
}

/* The value of `column`. When it is wrong and the row has the wrong length too, the length is what
 * is told: then values have most likely shifted. */
static int take_dense(hs_arff_rows *r, uint32_t column, char **at, const char *end,
                      hsel_error *error)
{
    hs_arff_text v;
    int status = scan_value(r, at, end, 0, &v, error);
    if (status)
        return status;
    status =
        v.length == 0 && !v.quoted
            ? hs_fail_line(error, r->reader, "the value of attribute %s is empty; ? means missing",
                           hs_arff_name(r, column))
            : hs_arff_take(r, column, &v, error);
    if (status != HSEL_EFORMAT)
        return status;
    char *rest = *at;
    uint32_t count = column + 1 + (skip_separator(&rest) ? count_values(r, rest, end) : 0);
    return count == r->count ? status : fail_count(r, count, error);
}

static int dense_row(hs_arff_rows *r, char *at, const char *end, hsel_error *error)
{
    uint32_t column = 0;
    int status;
    for (;;) {
        at = take_digits(r, at, end, &column);
        at = take_numbers(r, at, end, &column);
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
                            hs_arff_name(r, column - 1));
    return column == r->count ? HSEL_OK : fail_count(r, column, error);
}

/* ---- sparse rows ---- */

/* "12 value" from `at`. */
static int take_sparse(hs_arff_rows *r, char **at, const char *end, hsel_error *error)
{
    char *digits = *at;
    uint64_t column = 0;
    hs_arff_text v;
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
                            hs_arff_name(r, (uint32_t)column));
    r->seen[column] = r->row;
    *at = hs_arff_skip_blanks(*at);
    if ((status = scan_value(r, at, end, '}', &v, error)))
        return status;
    if (v.length == 0 && !v.quoted)
        return hs_fail_line(error, r->reader, "the value of attribute %s is empty; ? means missing",
                            hs_arff_name(r, (uint32_t)column));
    *at = hs_arff_skip_blanks(*at);
    return hs_arff_take(r, (uint32_t)column, &v, error);
}

static int sparse_row(hs_arff_rows *r, char *at, const char *end, hsel_error *error)
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
            status = hs_arff_take_default(r, r->not_zero[i], error);
    return status;
}

/* ---- all rows ---- */

/* Leaves out the zeros of numeric features, which go without saying. */
static void drop_zeros(hs_arff_rows *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->other_count; i++)
        if (r->other[i] != 0 || hs_builder_type(r->builder, r->other_feature[i]) == HSEL_NOMINAL) {
            r->other_feature[kept] = r->other_feature[i];
            r->other[kept++] = r->other[i];
        }
    r->other_count = kept;
}

/* Hands the row over to the builder, which takes features that follow one another together: a few
 * zeros among the values cost less than gaps. */
static int finish_row(hs_arff_rows *r, hsel_error *error)
{
    if (r->zero_count > r->other_count / 4)
        drop_zeros(r);
    int status = hs_builder_row(r->builder, r->id, r->id_length, r->label, error);
    for (uint32_t i = 0; i < r->positive_count && status == HSEL_OK; i++)
        status = hs_builder_positive(r->builder, r->positives[i], error);
    return status
               ? status
               : hs_builder_others(r->builder, r->other_feature, r->other, r->other_count, error);
}

static int read_row(hs_arff_rows *r, char *line, size_t length, hsel_error *error)
{
    char *at = hs_arff_skip_blanks(line), *end = line + length;
    int status;
    if (*at == '\0' || *at == '%')
        return HSEL_OK;
    while (end > at && hs_arff_is_blank(end[-1]))
        *--end = '\0';
    r->row++;
    r->positive_count = r->other_count = r->zero_count = 0;
    r->label = HSEL_NONE;
    r->id = NULL;
    r->id_length = 0;
    status = *at == '{' ? sparse_row(r, at, end, error) : dense_row(r, at, end, error);
    return status ? status : finish_row(r, error);
}

int hs_arff_read_rows(hs_reader *reader, const hs_arff_header *header, const hs_columns *columns,
                      int missing, hs_builder *builder, hsel_error *error)
{
    hs_arff_rows r = {.reader = reader, .header = header, .builder = builder, .missing = missing};
    char *line;
    size_t length;
    int status = hs_arff_rows_init(&r, columns, error);
    while (status == HSEL_OK && (status = hs_reader_line(reader, &line, &length, error)) > 0)
        status = read_row(&r, line, length, error);
    hs_arff_rows_clear(&r);
    return status;
}

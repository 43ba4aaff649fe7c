/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text helpers. Numbers never depend on the locale.
 */
#define _GNU_SOURCE
#include "core/core.h"

#include <float.h>
#include <locale.h>

/* ---- printing ---- */

/* The C locale needs no memory. It is set only for the printing thread. */
int hs_vprint(char *out, size_t room, const char *format, va_list arguments)
{
    locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    int length = vsnprintf(out, room, format, arguments);
    uselocale(before);
    return length;
}

int hs_print(char *out, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(out, room, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- buffer ---- */

static bool room_for(hs_buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (more > SIZE_MAX / 4 || !HS_GROW(&buf->text, &buf->capacity, buf->length + more + 1))
        buf->failed = true;
    return !buf->failed;
}

void hs_buf_add(hs_buf *buf, const char *text, size_t length)
{
    if (!room_for(buf, length))
        return;
    if (length)
        memcpy(buf->text + buf->length, text, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void hs_buf_text(hs_buf *buf, const char *text) { hs_buf_add(buf, text, strlen(text)); }

void hs_buf_char(hs_buf *buf, char c) { hs_buf_add(buf, &c, 1); }

void hs_buf_printf(hs_buf *buf, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = hs_vprint(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !room_for(buf, (size_t)length))
        return;
    va_start(arguments, format);
    hs_vprint(buf->text + buf->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buf->length += (size_t)length;
}

void hs_buf_clear(hs_buf *buf)
{
    hs_free(buf->text);
    *buf = (hs_buf){0};
}

/* ---- numbers ---- */

bool hs_parse_u64(const char *text, size_t length, uint64_t *out)
{
    uint64_t value = 0;
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value))
            return false;
    }
    *out = value;
    return true;
}

bool hs_parse_i64(const char *text, size_t length, int64_t *out)
{
    bool minus = length > 0 && text[0] == '-';
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    uint64_t magnitude;
    if (!hs_parse_u64(text + sign, length - sign, &magnitude) ||
        magnitude > (uint64_t)INT64_MAX + minus)
        return false;
    *out = minus ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

size_t hs_format_u64(uint64_t value, char *out)
{
    char reversed[20];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < length; i++)
        out[i] = reversed[length - 1 - i];
    out[length] = '\0';
    return length;
}

size_t hs_format_double(double value, char *out)
{
    if (isnan(value))
        return (size_t)sprintf(out, "nan");
    if (isinf(value))
        return (size_t)sprintf(out, value < 0 ? "-inf" : "inf");
    if (value == floor(value) && fabs(value) < 1e15 && !(value == 0 && signbit(value))) {
        size_t sign = value < 0;
        out[0] = '-';
        return sign + hs_format_u64((uint64_t)fabs(value), out + sign);
    }
    /* Every number of 15 digits survives, so fewer need not be tried, except where doubles have
     * less precision. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        hs_print(out, 32, "%.*g", digits, value);
        double back;
        if (hs_parse_double(out, strlen(out), &back) && back == value)
            break;
    }
    return strlen(out);
}

size_t hs_format_grouped(uint64_t value, char *out)
{
    char digits[24];
    size_t length = hs_format_u64(value, digits), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return used;
}

/* ---- words ---- */

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

void hs_trim(const char **text, size_t *length)
{
    while (*length > 0 && is_space(**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && is_space((*text)[*length - 1]))
        (*length)--;
}

bool hs_equal_nocase(const char *a, size_t a_length, const char *b)
{
    for (size_t i = 0; i < a_length; i++)
        if (b[i] == '\0' || lower(a[i]) != lower(b[i]))
            return false;
    return b[a_length] == '\0';
}

bool hs_drop_prefix(const char **text, size_t *length, const char *prefix)
{
    size_t size = strlen(prefix);
    if (*length <= size || !hs_equal_nocase(*text, size, prefix))
        return false;
    *text += size;
    *length -= size;
    return true;
}

bool hs_ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && memcmp(text + length - tail, ending, tail) == 0;
}

size_t hs_utf8_length(const char *text, size_t left)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *at = (const unsigned char *)text;
    for (size_t n = 0; n < 4 && n < left; n++) {
        if ((at[0] & forms[n].mask) != forms[n].lead)
            continue;
        uint32_t code = at[0] & (unsigned char)~forms[n].mask;
        for (size_t i = 1; i <= n; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < forms[n].least || code > 0x10ffff || surrogate ? 0 : n + 1;
    }
    return 0;
}

size_t hs_show_character(const char *text, size_t left, char *out, size_t *taken)
{
    static const uint16_t hidden[][2] = {
        {0x80, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    const unsigned char *at = (const unsigned char *)text;
    size_t length = hs_utf8_length(text, left);
    uint32_t code = length == 2   ? (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu)
                    : length == 3 ? (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu)
                                  : 0;
    *taken = length ? length : 1;
    if (length == 0 || at[0] < ' ' || at[0] == 0x7f)
        return (size_t)snprintf(out, HS_SHOWN_ROOM, "\\x%02x", at[0]);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i][0] && code <= hidden[i][1])
            return (size_t)snprintf(out, HS_SHOWN_ROOM, "\\u%04x", (unsigned)code & 0xffff);
    memcpy(out, text, length);
    return length;
}

bool hs_is_formula(const char *text, size_t length)
{
    double number;
    return length && memchr("=+-@\t\r\n", text[0], 7) && !hs_parse_double(text, length, &number);
}

size_t hs_text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

const char *hs_show_cut(const char *text, size_t columns, char *out, size_t room)
{
    size_t left = strlen(text), used = 0, width = 0, taken;
    size_t cut = 0; /* so much may stay if "…" must follow */
    for (; left > 0; text += taken, left -= taken) {
        char shown[HS_SHOWN_ROOM + 1];
        size_t length = hs_show_character(text, left, shown, &taken);
        shown[length] = '\0';
        width += hs_text_width(shown);
        if (width > columns || used + length + sizeof "…" > room) {
            memcpy(out + cut, "…", sizeof "…");
            return out;
        }
        memcpy(out + used, shown, length);
        used += length;
        cut = width < columns ? used : cut;
    }
    out[used] = '\0';
    return out;
}

#define WORD_LIMIT 63

unsigned hs_edit_distance(const char *a, const char *b, unsigned limit)
{
    size_t rows = strlen(a), columns = strlen(b);
    unsigned grid[3][WORD_LIMIT + 1], *before = grid[0], *above = grid[1], *here = grid[2];
    if (rows > WORD_LIMIT || columns > WORD_LIMIT)
        return limit + 1;
    for (size_t j = 0; j <= columns; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= rows; i++) {
        here[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (here[j - 1] + 1 < best)
                best = here[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            here[j] = best;
        }
        unsigned *old = before;
        before = above;
        above = here;
        here = old;
    }
    return above[columns] <= limit ? above[columns] : limit + 1;
}

int hs_nearest(const char *word, const char *const *words, size_t count)
{
    unsigned limit = strlen(word) < 4 ? 1 : strlen(word) < 8 ? 2 : 3;
    int best = -1;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = hs_edit_distance(word, words[i], limit);
        if (distance <= limit &&
            (best < 0 || distance < hs_edit_distance(word, words[best], limit)))
            best = (int)i;
    }
    for (size_t i = 0; best < 0 && strlen(word) > 1 && i < count; i++)
        if (strncmp(word, words[i], strlen(word)) == 0)
            best = (int)i;
    return best;
}

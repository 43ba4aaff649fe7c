/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text: growing buffer, numbers from and to text (locale-independent, exact), nearest name.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* As snprintf and vsnprintf, but independent of the locale of the process, which may print numbers
 * as 1,5: everything in the library that prints a number uses these. */
int hs_print(char *out, size_t room, const char *format, ...) HS_PRINTF(3, 4);
int hs_vprint(char *out, size_t room, const char *format, va_list arguments) HS_PRINTF(3, 0);

/* Growing buffer, always NUL-terminated after a successful add. A failed add sets `failed` and
 * later adds do nothing, so that only the end needs checking. Zero-initialise; hs_buf_clear frees.
 */
typedef struct hs_buf {
    char *text;
    size_t length, capacity;
    bool failed;
} hs_buf;

void hs_buf_add(hs_buf *buf, const char *text, size_t length);
void hs_buf_text(hs_buf *buf, const char *text);
void hs_buf_char(hs_buf *buf, char c);
void hs_buf_printf(hs_buf *buf, const char *format, ...) HS_PRINTF(2, 3);
void hs_buf_clear(hs_buf *buf);

/* The whole of text[0..length) must be the number. hs_parse_double takes decimal and exponent
 * forms, inf/infinity/nan in any case; it does not look at the locale. */
bool hs_parse_double(const char *text, size_t length, double *out);
/* The number at the beginning of text[0..end) and the end of its text; NULL if there is none, or
 * one that only hs_parse_double takes, such as a long one. */
const char *hs_scan_double(const char *text, const char *end, double *out);
bool hs_parse_u64(const char *text, size_t length, uint64_t *out);
bool hs_parse_i64(const char *text, size_t length, int64_t *out);
/* Shortest text that reads back as the same double; at least 32 bytes of room. Returns its length.
 */
size_t hs_format_double(double value, char *out);
size_t hs_format_u64(uint64_t value, char *out);
/* 12345678 -> "12,345,678"; at least 32 bytes of room. For people. */
size_t hs_format_grouped(uint64_t value, char *out);

/* The text and the length of a structure that has both, as two arguments of a call. */
#define HS_SPAN(x) (x).text, (x).length

static inline bool hs_is_blank(char c) { return c == ' ' || c == '\t'; }
static inline char *hs_skip_blanks(char *text)
{
    while (hs_is_blank(*text))
        text++;
    return text;
}
void hs_trim(const char **text, size_t *length); /* blanks and line ends at both ends */
bool hs_equal_nocase(const char *a, size_t a_length, const char *b);
/* Removes a prefix, in any case, if something follows it. */
bool hs_drop_prefix(const char **text, size_t *length, const char *prefix);
bool hs_ends_with(const char *text, const char *ending);
/* Bytes of the valid UTF-8 character at text[0 … left), 0 if it is none: no overlong forms, no
 * surrogates, nothing above U+10FFFF. Of a text that ends in NUL, `left` may be 4 anywhere. */
size_t hs_utf8_length(const char *text, size_t left);
/* The character at text[0 … left) in a form that is safe to show: unchanged, or escaped (\x1b,
 * \u202e) if it is a control character, changes the direction or line of text, or is not valid
 * UTF-8. Into `out`; *taken is how much of the text it is. Returns its length. */
#define HS_SHOWN_ROOM 8
size_t hs_show_character(const char *text, size_t left, char *out, size_t *taken);
/* The text in a form that is safe to show, on one line of at most `columns`; a longer one is cut
 * and ends in "…". Into out[room], which may be shorter. Returns out. */
const char *hs_show_cut(const char *text, size_t columns, char *out, size_t room);
/* Whether a spreadsheet would run this cell: it begins with = + - @, tab or line end, and is not a
 * number.
 */
bool hs_is_formula(const char *text, size_t length);
/* Terminal columns of UTF-8 text, good enough to align tables. */
size_t hs_text_width(const char *text);

/* Edits (insert, delete, replace, swap) between two words, stopping above `limit`. */
unsigned hs_edit_distance(const char *a, const char *b, unsigned limit);
/* Index of the nearest of `count` words if it is near enough to be a misspelling, else -1. */
int hs_nearest(const char *word, const char *const *words, size_t count);

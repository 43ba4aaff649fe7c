/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing JSON as a stream, indented for people, cells of CSV and TSV, and texts of DOT. (Reading
 * JSON is jansson's work.) Numbers are written with the fewest digits that read back the same; NaN
 * and infinities become null in JSON.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/writer.h"

typedef struct hs_json { /* initialise with {.out = writer} */
    hs_writer *out;
    int depth;
    bool has_items; /* something was written at this depth */
    bool after_key;
    bool compact; /* all on one line */
    bool page;    /* compact, for a script element of HTML: without blanks, with characters that are
                     special in HTML or a script (< > & and line separators) as \u escapes */
} hs_json;

void hs_json_object(hs_json *json);
void hs_json_array(hs_json *json);
void hs_json_end_object(hs_json *json);
void hs_json_end_array(hs_json *json);
void hs_json_key(hs_json *json, const char *key);
/* NULL writes null; invalid UTF-8 becomes U+FFFD. */
void hs_json_text(hs_json *json, const char *text);
void hs_json_u64(hs_json *json, uint64_t value);
void hs_json_double(hs_json *json, double value);
void hs_json_raw(hs_json *json, const char *text); /* a value that is JSON already */

/* JSON by its outline, with the values after it, as printf has them:
 *     hs_json_put(json, "{name:%s features:%u share:%g ok:%d classes:[", name, n, share, ok);
 * Brackets open and close, a word before a colon is a key (%s: one from outside), %s is a text or
 * null, %g a number, %d true or false, %u, %zu and %ju (uint64_t) are whole numbers, null is null.
 * A piece may begin and end anywhere between two values. */
void hs_json_put(hs_json *json, const char *outline, ...) HS_PRINTF(2, 3);

/* A text in double quotes, with `before` in front of it, and every quote in it doubled. */
void hs_put_quoted(hs_writer *out, const char *before, const char *text, size_t length);
/* One field of CSV, quoted if it must be; of TSV, where tabs and line ends become blanks. */
void hs_put_csv(hs_writer *out, const char *text);
void hs_put_tsv(hs_writer *out, const char *text);
/* A text by its outline, with values as printf has them: a text (%s) is put by `put` (NULL: as an
 * empty one), %g is a number with every digit (NaN: nothing), %f one in tenths; %d, %u, %zu and %ju
 * (uint64_t) are whole numbers, %% is a percent sign. */
void hs_put_values(hs_writer *out, void (*put)(hs_writer *out, const char *text),
                   const char *outline, va_list values) HS_PRINTF(3, 0);
/* So for CSV:
 *     hs_csv_put(out, "%s,%g,%u\n", name, share, count); */
void hs_csv_put(hs_writer *out, const char *outline, ...) HS_PRINTF(2, 3);
/* A further cell of a line of TSV, by the type of its value. */
#define HS_TSV(out, value)                                                                         \
    (hs_writer_char(out, '\t'), _Generic((value), double                                           \
                                         : hs_writer_double, char *                                \
                                         : hs_put_tsv, const char *                                \
                                         : hs_put_tsv, default                                     \
                                         : hs_writer_u64)(out, value))

/* A text in double quotes of DOT, with special characters escaped. */
void hs_put_dot(hs_writer *out, const char *text);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing JSON as a stream, indented for people. (Reading JSON is jansson's work.) Numbers are
 * written with the fewest digits that read back the same; NaN and infinities become null.
 */
#ifndef HS_CORE_JSON_H
#define HS_CORE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "core/writer.h"

typedef struct hs_json { /* initialise with {.out = writer} */
    hs_writer *out;
    int depth;
    bool has_items; /* something was written at this depth */
    bool after_key;
    bool compact; /* all on one line */
} hs_json;

void hs_json_object(hs_json *json);
void hs_json_array(hs_json *json);
void hs_json_end_object(hs_json *json);
void hs_json_end_array(hs_json *json);
void hs_json_key(hs_json *json, const char *key);
void hs_json_text(hs_json *json,
                  const char *text); /* NULL writes null; invalid UTF-8 becomes U+FFFD */
void hs_json_u64(hs_json *json, uint64_t value);
void hs_json_double(hs_json *json, double value);
void hs_json_bool(hs_json *json, bool value);
void hs_json_null(hs_json *json);

/* A member of an object, written by the type of its value. */
#define HS_JSON(json, key, value)                                                                  \
    (hs_json_key(json, key), _Generic((value), bool                                                \
                                      : hs_json_bool, double                                       \
                                      : hs_json_double, int                                        \
                                      : hs_json_double, char *                                     \
                                      : hs_json_text, const char *                                 \
                                      : hs_json_text, default                                      \
                                      : hs_json_u64)(json, value))
/* A list or an object as a member. */
#define HS_JSON_ARRAY(json, key)  (hs_json_key(json, key), hs_json_array(json))
#define HS_JSON_OBJECT(json, key) (hs_json_key(json, key), hs_json_object(json))

#endif

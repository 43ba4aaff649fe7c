/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON by its outline, with the values after it, as printf has them:
 *     hs_json_put(json, "{name:%s features:%u share:%g ok:%d classes:[", name, n, share, ok);
 * Brackets open and close, a word before a colon is a key (%s: one from outside), %s is a text or
 * null, %g a number, %d true or false, %u, %zu and %ju (uint64_t) are whole numbers, null is null.
 * A piece may begin and end anywhere between two values.
 */
#ifndef HS_REPORT_JSON_PUT_H
#define HS_REPORT_JSON_PUT_H

#include "core/json.h"

void hs_json_put(hs_json *json, const char *outline, ...) HS_PRINTF(2, 3);

#endif

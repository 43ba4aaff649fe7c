/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A key with its value, or with an object or array that begins, in a JSON object that is open.
 */
#ifndef HS_REPORT_JSON_PAIRS_H
#define HS_REPORT_JSON_PAIRS_H

#include "core/json.h"

#define HS_PAIR(name, type, put)                                                                   \
    static inline void name(hs_json *json, const char *key, type value)                            \
    {                                                                                              \
        hs_json_key(json, key);                                                                    \
        put(json, value);                                                                          \
    }
HS_PAIR(hs_pair_text, const char *, hs_json_text)
HS_PAIR(hs_pair_count, uint64_t, hs_json_u64)
HS_PAIR(hs_pair_number, double, hs_json_double)
HS_PAIR(hs_pair_bool, bool, hs_json_bool)

static inline void hs_pair_object(hs_json *json, const char *key)
{
    hs_json_key(json, key);
    hs_json_object(json);
}

static inline void hs_pair_array(hs_json *json, const char *key)
{
    hs_json_key(json, key);
    hs_json_array(json);
}

#endif

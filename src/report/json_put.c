/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking an outline of JSON.
 */
#include "report/json_put.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void hs_json_put(hs_json *json, const char *outline, ...)
{
    va_list values;
    va_start(values, outline);
    for (const char *at = outline; *at; at++) {
        size_t key = strcspn(at, ": {}[]%");
        char name[32];
        switch (*at) {
        case '{':
            hs_json_object(json);
            break;
        case '}':
            hs_json_end_object(json);
            break;
        case '[':
            hs_json_array(json);
            break;
        case ']':
            hs_json_end_array(json);
            break;
        case '%':
            at++;
            if (*at == 's')
                (at[1] == ':' ? hs_json_key : hs_json_text)(json, va_arg(values, const char *));
            else if (*at == 'g')
                hs_json_double(json, va_arg(values, double));
            else if (*at == 'd')
                hs_json_bool(json, va_arg(values, int));
            else if (*at == 'u')
                hs_json_u64(json, va_arg(values, unsigned));
            else
                hs_json_u64(json,
                            *at++ == 'z' ? va_arg(values, size_t) : va_arg(values, uintmax_t));
            break;
        case ' ':
        case ':':
            break;
        default:
            assert(key < sizeof name);
            memcpy(name, at, key);
            name[key] = '\0';
            (at[key] == ':' ? hs_json_key : hs_json_text)(json, at[key] == ':' ? name : NULL);
            at += key - 1;
        }
    }
    va_end(values);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON writer. `has_items` is about the innermost open container: it is false right after opening
 * one, and true after closing one, since the container itself is then an item of its parent.
 */
#include "core/json.h"

#include <math.h>
#include <string.h>

static void new_line(hs_json *json)
{
    if (json->compact)
        return;
    hs_writer_char(json->out, '\n');
    for (int i = 0; i < json->depth; i++)
        hs_writer_text(json->out, "  ");
}

static void before_value(hs_json *json)
{
    if (!json->after_key && json->depth > 0) {
        if (json->has_items)
            hs_writer_text(json->out, json->compact ? ", " : ",");
        new_line(json);
    }
    json->after_key = false;
    json->has_items = true;
}

static void open_container(hs_json *json, char bracket)
{
    before_value(json);
    hs_writer_char(json->out, bracket);
    json->depth++;
    json->has_items = false;
}

static void close_container(hs_json *json, char bracket)
{
    json->depth--;
    if (json->has_items)
        new_line(json);
    hs_writer_char(json->out, bracket);
    json->has_items = true;
    if (json->depth == 0)
        hs_writer_char(json->out, '\n');
}

void hs_json_object(hs_json *json) { open_container(json, '{'); }

void hs_json_array(hs_json *json) { open_container(json, '['); }

void hs_json_end_object(hs_json *json) { close_container(json, '}'); }

void hs_json_end_array(hs_json *json) { close_container(json, ']'); }

/* Bytes of the UTF-8 character at `text`; 0 if it is not valid. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80                      ? 1
                    : text[0] >= 0xC2 && text[0] < 0xE0 ? 2
                    : (text[0] & 0xF0) == 0xE0          ? 3
                    : text[0] >= 0xF0 && text[0] < 0xF5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((length == 3 &&
         ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] >= 0xA0))) ||
        (length == 4 &&
         ((text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] >= 0x90))))
        return 0;
    return length;
}

static void write_string(hs_writer *out, const char *text)
{
    hs_writer_char(out, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = utf8_length(at);
        if (*at == '"' || *at == '\\')
            hs_writer_printf(out, "\\%c", *at);
        else if (*at == '\n')
            hs_writer_text(out, "\\n");
        else if (*at == '\t')
            hs_writer_text(out, "\\t");
        else if (*at < ' ')
            hs_writer_printf(out, "\\u%04x", *at);
        else if (length == 0)
            hs_writer_text(out, "\xEF\xBF\xBD");
        else
            hs_writer_put(out, at, length);
        at += length ? length : 1;
    }
    hs_writer_char(out, '"');
}

void hs_json_key(hs_json *json, const char *key)
{
    before_value(json);
    write_string(json->out, key);
    hs_writer_text(json->out, ": ");
    json->after_key = true;
}

void hs_json_text(hs_json *json, const char *text)
{
    before_value(json);
    if (text)
        write_string(json->out, text);
    else
        hs_writer_text(json->out, "null");
}

void hs_json_u64(hs_json *json, uint64_t value)
{
    before_value(json);
    hs_writer_u64(json->out, value);
}

void hs_json_double(hs_json *json, double value)
{
    before_value(json);
    if (isfinite(value))
        hs_writer_double(json->out, value);
    else
        hs_writer_text(json->out, "null");
}

void hs_json_bool(hs_json *json, bool value)
{
    before_value(json);
    hs_writer_text(json->out, value ? "true" : "false");
}

void hs_json_null(hs_json *json)
{
    before_value(json);
    hs_writer_text(json->out, "null");
}

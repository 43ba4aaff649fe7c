/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON, CSV and TSV. `has_items` is about the innermost open container: it is false right after
 * opening one, and true after closing one, since the container itself is then an item of its
 * parent.
 */
#include "core/core.h"

static void new_line(hs_json *json)
{
    if (json->compact || json->page)
        return;
    hs_writer_char(json->out, '\n');
    for (int i = 0; i < json->depth; i++)
        hs_writer_text(json->out, "  ");
}

static void before_value(hs_json *json)
{
    if (!json->after_key && json->depth > 0) {
        if (json->has_items)
            hs_writer_text(json->out, json->compact && !json->page ? ", " : ",");
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
    assert(json->depth > 0 && !json->after_key);
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

static void write_string(const hs_json *json, const char *text)
{
    hs_writer *out = json->out;
    hs_writer_char(out, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = hs_utf8_length((const char *)at, 4);
        if (*at == '"' || *at == '\\')
            hs_writer_printf(out, "\\%c", *at);
        else if (*at == '\n')
            hs_writer_text(out, "\\n");
        else if (*at == '\t')
            hs_writer_text(out, "\\t");
        else if (*at < ' ' || (json->page && strchr("<>&", *at)))
            hs_writer_printf(out, "\\u%04x", *at);
        else if (json->page && length == 3 && at[0] == 0xE2 && at[1] == 0x80 && (at[2] | 1) == 0xA9)
            hs_writer_printf(out, "\\u202%d", at[2] & 15); /* line and paragraph separator */
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
    assert(json->depth > 0 && !json->after_key);
    before_value(json);
    write_string(json, key);
    hs_writer_text(json->out, json->page ? ":" : ": ");
    json->after_key = true;
}

void hs_json_text(hs_json *json, const char *text)
{
    before_value(json);
    if (text)
        write_string(json, text);
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

static void write_bool(hs_json *json, bool value)
{
    before_value(json);
    hs_writer_text(json->out, value ? "true" : "false");
}

void hs_json_raw(hs_json *json, const char *text)
{
    before_value(json);
    hs_writer_text(json->out, text);
}

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
                write_bool(json, va_arg(values, int));
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

/* ---- CSV and TSV ---- */

void hs_put_quoted(hs_writer *out, const char *before, const char *text, size_t length)
{
    hs_writer_char(out, '"');
    hs_writer_text(out, before);
    for (const char *quote; (quote = memchr(text, '"', length));) {
        size_t piece = (size_t)(quote + 1 - text);
        hs_writer_put(out, text, piece);
        hs_writer_char(out, '"');
        text += piece;
        length -= piece;
    }
    hs_writer_put(out, text, length);
    hs_writer_char(out, '"');
}

void hs_put_csv(hs_writer *out, const char *text)
{
    const char *guard = hs_writer_guards(out, text, strlen(text)) ? "'" : "";
    if (strpbrk(text, ",\"\r\n")) {
        hs_put_quoted(out, guard, text, strlen(text));
    } else {
        hs_writer_text(out, guard);
        hs_writer_text(out, text);
    }
}

void hs_put_values(hs_writer *out, void (*put)(hs_writer *out, const char *text),
                   const char *outline, va_list values)
{
    for (const char *at; *outline; outline = at + (*at != '\0')) {
        at = outline + strcspn(outline, "%");
        hs_writer_put(out, outline, (size_t)(at - outline));
        at += *at != '\0';
        if (*at == 's') {
            const char *text = va_arg(values, const char *);
            put(out, text ? text : "");
        } else if (*at == 'g') {
            double number = va_arg(values, double);
            if (!isnan(number))
                hs_writer_double(out, number);
        } else if (*at == 'f') {
            hs_writer_printf(out, "%.10g", round(va_arg(values, double) * 10) / 10);
        } else if (*at == 'd') {
            hs_writer_printf(out, "%d", va_arg(values, int));
        } else if (*at == 'u') {
            hs_writer_u64(out, va_arg(values, unsigned));
        } else if (*at == 'z' || *at == 'j') {
            hs_writer_u64(out, *at++ == 'z' ? va_arg(values, size_t) : va_arg(values, uintmax_t));
        } else if (*at) {
            hs_writer_char(out, *at);
        }
    }
}

void hs_csv_put(hs_writer *out, const char *outline, ...)
{
    va_list values;
    va_start(values, outline);
    hs_put_values(out, hs_put_csv, outline, values);
    va_end(values);
}

void hs_put_tsv(hs_writer *out, const char *text)
{
    if (hs_writer_guards(out, text, strlen(text)))
        hs_writer_char(out, '\'');
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\t\r\n");
        hs_writer_put(out, text, length);
        if (text[length]) {
            hs_writer_char(out, ' ');
            length++;
        }
    }
}

/* ---- DOT ---- */

void hs_put_dot(hs_writer *out, const char *text)
{
    char shown[HS_SHOWN_ROOM];
    for (size_t length = strlen(text), taken; length > 0; text += taken, length -= taken) {
        size_t count = hs_show_character(text, length, shown, &taken);
        if ((unsigned char)*text < ' ') {
            hs_writer_char(out, ' ');
        } else if (*text == '&') { /* Graphviz knows the entities of HTML */
            hs_writer_text(out, "&amp;");
        } else {
            hs_writer_text(out, *text == '"' || shown[0] == '\\' ? "\\" : "");
            hs_writer_put(out, shown, count);
        }
    }
}

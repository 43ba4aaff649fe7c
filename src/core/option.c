/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option tables: text in, typed fields out, and back.
 */
#include "core/option.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

static void *field_of(const hs_option *option, void *values)
{
    return (char *)values + option->offset;
}

static int refuse(const hs_option *option, const char *text, size_t length, hsel_error *error)
{
    hs_buf takes = {0};
    hs_option_describe(option, &takes);
    int status = hs_fail(error, HSEL_EUSAGE, "option %s takes %s, not '%.*s'", option->name,
                         takes.failed || !takes.text ? "something else" : takes.text,
                         (int)(length < 200 ? length : 200), text);
    hs_buf_clear(&takes);
    return status;
}

static int choice_number(const hs_option *option, const char *text, size_t length)
{
    int number = 0;
    for (const char *word = option->value; word; number++) {
        const char *bar = strchr(word, '|');
        size_t word_length = bar ? (size_t)(bar - word) : strlen(word);
        if (word_length == length && memcmp(word, text, length) == 0)
            return number;
        word = bar ? bar + 1 : NULL;
    }
    return -1;
}

const char *hs_choice_word(const hs_option *option, int number, char *out, size_t room)
{
    const char *word = option->value;
    for (; word && number > 0; number--)
        word = (word = strchr(word, '|')) ? word + 1 : NULL;
    size_t length = word ? strcspn(word, "|") : 0;
    if (length >= room)
        length = room - 1;
    memcpy(out, word ? word : "", length);
    out[length] = '\0';
    return out;
}

static int add_item(hs_list *list, const char *text, size_t length, hs_arena *arena,
                    hsel_error *error)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 8;
        const char **items = hs_arena_alloc(arena, capacity, sizeof *items);
        HS_NEED(items);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    HS_NEED(list->items[list->count] = hs_arena_text(arena, text, length));
    list->count++;
    return HSEL_OK;
}

static int set_list(const hs_option *option, hs_list *list, const char *text, size_t length,
                    hs_arena *arena, hsel_error *error)
{
    int status = HSEL_OK;
    size_t before = list->count;
    const char *given = text;
    for (const char *end = text + length; status == HSEL_OK && text < end;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const char *stop = comma ? comma : end;
        if (stop > text)
            status = add_item(list, text, (size_t)(stop - text), arena, error);
        text = comma ? comma + 1 : end;
    }
    return status == HSEL_OK && list->count == before ? refuse(option, given, length, error)
                                                      : status;
}

static bool set_bool(bool *field, const char *text, size_t length)
{
    bool yes = hs_equal_nocase(text, length, "true") || hs_equal_nocase(text, length, "yes") ||
               hs_equal_nocase(text, length, "on") || hs_equal_nocase(text, length, "1");
    bool no = hs_equal_nocase(text, length, "false") || hs_equal_nocase(text, length, "no") ||
              hs_equal_nocase(text, length, "off") || hs_equal_nocase(text, length, "0");
    if (yes || no)
        *field = yes;
    return yes || no;
}

/* A whole number within the option's bounds (which are doubles: exact up to 2^53). */
static bool read_whole(const hs_option *option, const char *text, size_t length, int64_t *out)
{
    return hs_parse_i64(text, length, out) && (double)*out >= option->min &&
           (double)*out <= option->max;
}

static bool set_number(const hs_option *option, void *field, const char *text, size_t length)
{
    int64_t whole;
    double real;
    switch (option->type) {
    case HS_OPT_INT:
        if (!read_whole(option, text, length, &whole) || whole < INT32_MIN || whole > INT32_MAX)
            return false;
        *(int *)field = (int)whole;
        return true;
    case HS_OPT_U32:
        if (!read_whole(option, text, length, &whole) || whole < 0 || whole > UINT32_MAX)
            return false;
        *(uint32_t *)field = (uint32_t)whole;
        return true;
    case HS_OPT_U64: {
        uint64_t value;
        if (!hs_parse_u64(text, length, &value) || (double)value < option->min ||
            (double)value > option->max)
            return false;
        *(uint64_t *)field = value;
        return true;
    }
    default:
        if (!hs_parse_double(text, length, &real) || isnan(real) || real < option->min ||
            real > option->max)
            return false;
        *(double *)field = real;
        return true;
    }
}

int hs_option_set(const hs_option *option, void *values, const char *text, size_t length,
                  hs_arena *arena, hsel_error *error)
{
    void *field = field_of(option, values);
    switch (option->type) {
    case HS_OPT_TEXT:
        if (length == 0) /* nothing is not the same as the default */
            return refuse(option, text, length, error);
        if (!(*(const char **)field = hs_arena_text(arena, text, length)))
            return hs_fail_memory(error);
        return HSEL_OK;
    case HS_OPT_LIST:
        return set_list(option, field, text, length, arena, error);
    case HS_OPT_CHOICE: {
        int number = choice_number(option, text, length);
        if (number < 0)
            return refuse(option, text, length, error);
        *(int *)field = number;
        return HSEL_OK;
    }
    case HS_OPT_BOOL:
        return set_bool(field, text, length) ? HSEL_OK : refuse(option, text, length, error);
    default:
        return set_number(option, field, text, length) ? HSEL_OK
                                                       : refuse(option, text, length, error);
    }
}

int hs_options_defaults(const hs_option *table, void *values, hs_arena *arena, hsel_error *error)
{
    int status = HSEL_OK;
    for (const hs_option *o = table; o && o->type != HS_OPT_END && status == HSEL_OK; o++) {
        if (o->type == HS_OPT_LIST)
            *(hs_list *)field_of(o, values) = (hs_list){0};
        if (o->type == HS_OPT_TEXT)
            *(const char **)field_of(o, values) = NULL;
        if (o->fallback)
            status = hs_option_set(o, values, o->fallback, strlen(o->fallback), arena, error);
    }
    return status;
}

const hs_option *hs_option_find(const hs_option *table, const char *name, size_t length)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

const char *hs_option_nearest(const hs_option *table, const char *name)
{
    const char *words[128];
    size_t count = 0;
    for (const hs_option *o = table; o && o->type != HS_OPT_END && count < 128; o++)
        words[count++] = o->name;
    int nearest = hs_nearest(name, words, count);
    return nearest < 0 ? NULL : words[nearest];
}

static int unknown(const hs_option *table, const char *name, size_t length, const char *owner,
                   hsel_error *error)
{
    char word[64];
    size_t cut = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, name, cut);
    word[cut] = '\0';
    const char *nearest = hs_option_nearest(table, word);
    if (nearest)
        return hs_fail(error, HSEL_EUSAGE, "%s has no option '%s'; did you mean '%s'?", owner, word,
                       nearest);
    return hs_fail(error, HSEL_EUSAGE, "%s has no option '%s'", owner, word);
}

/* Up to the next comma that is not in parentheses. */
static size_t pair_length(const char *text)
{
    size_t length = 0;
    for (int open = 0; text[length] && (open > 0 || text[length] != ','); length++)
        open += (text[length] == '(') - (text[length] == ')');
    return length;
}

int hs_options_parse(const hs_option *table, void *values, const char *text, const char *owner,
                     hs_arena *arena, hsel_error *error)
{
    int status = HSEL_OK;
    while (text && *text && status == HSEL_OK) {
        size_t length = pair_length(text);
        const char *equals = memchr(text, '=', length);
        size_t name_length = equals ? (size_t)(equals - text) : length;
        const hs_option *option = hs_option_find(table, text, name_length);
        if (!option)
            status = unknown(table, text, name_length, owner, error);
        else if (equals)
            status =
                hs_option_set(option, values, equals + 1, length - name_length - 1, arena, error);
        else if (option->type == HS_OPT_BOOL)
            status = hs_option_set(option, values, "true", 4, arena, error);
        else
            status =
                hs_fail(error, HSEL_EUSAGE, "option %s of %s needs a value: %s=%s", option->name,
                        owner, option->name, option->value ? option->value : "VALUE");
        text += length + (text[length] == ',');
    }
    return status;
}

static void format_value(const hs_option *option, const void *field, hs_buf *out)
{
    char text[64];
    switch (option->type) {
    case HS_OPT_BOOL:
        hs_buf_text(out, *(const bool *)field ? "true" : "false");
        break;
    case HS_OPT_INT:
        hs_buf_printf(out, "%d", *(const int *)field);
        break;
    case HS_OPT_U32:
        hs_buf_printf(out, "%u", (unsigned)*(const uint32_t *)field);
        break;
    case HS_OPT_U64:
        hs_format_u64(*(const uint64_t *)field, text);
        hs_buf_text(out, text);
        break;
    case HS_OPT_DOUBLE:
        hs_format_double(*(const double *)field, text);
        hs_buf_text(out, text);
        break;
    case HS_OPT_CHOICE:
        hs_buf_text(out, hs_choice_word(option, *(const int *)field, text, sizeof text));
        break;
    default: {
        const char *value = *(const char *const *)field;
        hs_buf_text(out, value ? value : "");
    }
    }
}

/* Does the field hold its default? Compared as text, so that 0.10 and 0.1 are the same. */
static bool is_default(const hs_option *option, const void *values, hs_buf *out)
{
    const void *field = (const char *)values + option->offset;
    hs_buf now = {0}, then = {0};
    union {
        bool b;
        int i;
        uint32_t u;
        uint64_t w;
        double d;
    } plain = {0};
    bool same;
    if (option->type == HS_OPT_LIST)
        return ((const hs_list *)field)->count == 0;
    if (option->type == HS_OPT_TEXT) {
        const char *value = *(const char *const *)field;
        return value == option->fallback ||
               (value && option->fallback && strcmp(value, option->fallback) == 0);
    }
    hs_option at_zero = *option;
    at_zero.offset = 0;
    if (!option->fallback ||
        hs_option_set(&at_zero, &plain, option->fallback, strlen(option->fallback), NULL, NULL))
        return false;
    format_value(option, field, &now);
    format_value(option, &plain, &then);
    out->failed |= now.failed || then.failed;
    same = !out->failed && strcmp(now.text, then.text) == 0;
    hs_buf_clear(&now);
    hs_buf_clear(&then);
    return same;
}

/* A list is written as it can be given: its option once for each item. */
static void format_list(const hs_option *option, const hs_list *list, hs_buf *out)
{
    for (size_t i = 0; i < list->count; i++)
        hs_buf_printf(out, "%s%s=%s", out->length ? "," : "", option->name, list->items[i]);
}

void hs_options_format(const hs_option *table, const void *values, hs_buf *out)
{
    hs_buf text = {0};
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        const void *field = (const char *)values + o->offset;
        if (is_default(o, values, &text))
            continue;
        if (o->type == HS_OPT_LIST) {
            format_list(o, field, &text);
        } else {
            hs_buf_printf(&text, "%s%s=", text.length ? "," : "", o->name);
            format_value(o, field, &text);
        }
    }
    hs_buf_add(out, text.text, text.length);
    out->failed |= text.failed;
    hs_buf_clear(&text);
}

void hs_option_describe(const hs_option *option, hs_buf *out)
{
    char low[40], high[40];
    switch (option->type) {
    case HS_OPT_BOOL:
        hs_buf_text(out, "true or false");
        return;
    case HS_OPT_TEXT:
    case HS_OPT_LIST:
    case HS_OPT_CHOICE:
        hs_buf_text(out, option->value ? option->value : "text");
        return;
    default:
        break;
    }
    hs_format_double(option->min, low);
    hs_format_double(option->max, high);
    const char *kind = option->type == HS_OPT_DOUBLE ? "a number" : "a whole number";
    double unbounded = option->type == HS_OPT_DOUBLE ? HUGE_VAL : 2147483647.0;
    if (option->max >= unbounded)
        hs_buf_printf(out, "%s from %s", kind, low);
    else
        hs_buf_printf(out, "%s from %s to %s", kind, low, high);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option tables: text in, typed fields out, and back.
 */
#include "core/core.h"

static void *field_of(const hs_option *option, void *values)
{
    return (char *)values + option->offset;
}

static int refuse_value(const hs_option *option, const char *text, size_t length, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf takes = {0};
    hs_option_describe(option, &takes);
    char name[HS_WORD_ROOM];
    int status = hs_fail(error, HSEL_EUSAGE, "option %s takes %s, not '%.*s'",
                         hs_option_name(option->name, name),
                         takes.failed || !takes.text ? "something else" : takes.text,
                         (int)(length < 200 ? length : 200), text);
    char about[HS_WORD_ROOM];
    snprintf(about, sizeof about, "%s=%.*s", option->name, (int)(length < 200 ? length : 200),
             text);
    return hs_because(HSEL_BAD_VALUE, error, hs_about_option(about, error, status));
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

/* A list gains the items of a,b,c; at least one. */
static int add_items(const hs_option *option, hs_list *list, const char *text, size_t length,
                     hs_arena *arena, hsel_error *error)
{
    const size_t before = list->count;
    for (const char *at = text, *end = text + length, *stop; at < end; at = stop + 1) {
        stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop == at)
            continue;
        HS_NEED(
            hs_arena_grow(arena, &list->items, list->count, &list->capacity, sizeof *list->items) &&
            (list->items[list->count] = hs_arena_text(arena, at, (size_t)(stop - at))));
        list->count++;
    }
    return list->count > before ? HSEL_OK : refuse_value(option, text, length, error);
}

/* One value of a type that takes no memory. Bounds are doubles: exact up to 2^53. */
static bool set_plain(const hs_option *option, void *field, const char *text, size_t length)
{
    static const char *const words[] = {"false", "no", "off", "0", "true", "yes", "on", "1"};
    int64_t whole = 0;
    uint64_t large = 0;
    double real = 0;
    size_t i = 0;
    bool valid = false;
    switch (option->type) {
    case HS_OPT_BOOL:
        while (i < 8 && !hs_equal_nocase(text, length, words[i]))
            i++;
        if (i < 8)
            *(bool *)field = i >= 4;
        return i < 8;
    case HS_OPT_CHOICE:
        for (const char *word = option->value; word; word = strchr(word, '|'), whole++) {
            word += *word == '|';
            if (strcspn(word, "|") == length && memcmp(word, text, length) == 0) {
                *(int *)field = (int)whole;
                return true;
            }
        }
        return false;
    case HS_OPT_DOUBLE:
        valid = hs_parse_double(text, length, &real) && !isnan(real);
        break;
    case HS_OPT_U64:
        valid = hs_parse_u64(text, length, &large);
        real = (double)large;
        break;
    default:
        valid = hs_parse_i64(text, length, &whole) &&
                (option->type == HS_OPT_INT ? whole == (int32_t)whole : whole == (uint32_t)whole);
        real = (double)whole;
    }
    if (!valid || real < option->min || real > option->max)
        return false;
    if (option->type == HS_OPT_DOUBLE)
        *(double *)field = real;
    else if (option->type == HS_OPT_U64)
        *(uint64_t *)field = large;
    else if (option->type == HS_OPT_U32)
        *(uint32_t *)field = (uint32_t)whole;
    else
        *(int *)field = (int)whole;
    return true;
}

int hs_option_set(const hs_option *option, void *values, const char *text, size_t length,
                  hs_arena *arena, hsel_error *error)
{
    void *field = field_of(option, values);
    if (option->type == HS_OPT_LIST)
        return add_items(option, field, text, length, arena, error);
    if (option->type != HS_OPT_TEXT)
        return set_plain(option, field, text, length) ? HSEL_OK
                                                      : refuse_value(option, text, length, error);
    if (length == 0) /* nothing is not the same as the default */
        return refuse_value(option, text, length, error);
    HS_NEED(*(const char **)field = hs_arena_text(arena, text, length));
    return HSEL_OK;
}

int hs_options_defaults(const hs_option *table, void *values, hs_arena *arena, hsel_error *error)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        if (o->type == HS_OPT_LIST)
            *(hs_list *)field_of(o, values) = (hs_list){0};
        if (o->type == HS_OPT_TEXT)
            *(const char **)field_of(o, values) = NULL;
        if (o->fallback)
            HS_TRY(hs_option_set(o, values, o->fallback, strlen(o->fallback), arena, error));
    }
    return HSEL_OK;
}

const hs_option *hs_option_find(const hs_option *table, const char *name, size_t length)
{
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

#define HS_OPTIONS_MOST 128 /* of a table */

const char *hs_option_nearest(const hs_option *table, const char *name)
{
    const char *words[HS_OPTIONS_MOST];
    size_t count = 0;
    for (const hs_option *o = table; o && o->type != HS_OPT_END && count < HS_OPTIONS_MOST; o++)
        words[count++] = o->name;
    int nearest = hs_nearest(name, words, count);
    return nearest < 0 ? NULL : words[nearest];
}

/* Sets the presets among the options, or the others. */
static int parse_some(const hs_option *table, void *values, const char *text, const char *owner,
                      bool presets, hs_arena *arena, hsel_error *error)
{
    uint64_t given[HS_OPTIONS_MOST / 64] = {0};
    while (text && *text) {
        size_t length = 0; /* up to the next comma that is not in parentheses */
        for (int open = 0; text[length] && (open > 0 || text[length] != ','); length++)
            open += (text[length] == '(') - (text[length] == ')');
        const char *equals = memchr(text, '=', length);
        size_t name_length = equals ? (size_t)(equals - text) : length;
        const hs_option *option = hs_option_find(table, text, name_length);
        if (!option) {
            char word[HS_WORD_ROOM], ours[HS_WORD_ROOM], said[HS_WORD_ROOM];
            snprintf(word, sizeof word, "%.*s", (int)(name_length < 63 ? name_length : 63), text);
            const char *nearest = hs_option_nearest(table, word);
            return hs_fail(error, HSEL_EUSAGE, "%s has no option '%s'%s%s%s", owner,
                           hs_option_name(word, said), nearest ? "; did you mean '" : "",
                           nearest ? hs_option_name(nearest, ours) : "", nearest ? "'?" : "");
        }
        if (!equals && option->type != HS_OPT_BOOL)
            return hs_fail(error, HSEL_EUSAGE, "option %s of %s needs a value: %s=%s", option->name,
                           owner, option->name, option->value ? option->value : "VALUE");
        const size_t place = (size_t)(option - table);
        if (option->type != HS_OPT_LIST && (given[place / 64] >> place % 64 & 1))
            return hs_fail(error, HSEL_EUSAGE, "option %s of %s is given twice", option->name,
                           owner);
        given[place / 64] |= (uint64_t)1 << place % 64;
        const char *value = equals ? equals + 1 : "true";
        if (presets == (option->sets != NULL))
            HS_TRY(hs_option_set(option, values, value, equals ? length - name_length - 1 : 4,
                                 arena, error));
        if (presets && option->sets && *(int *)field_of(option, values)) {
            *(int *)field_of(option, values) = 0; /* it has no other effect */
            HS_TRY(parse_some(table, values, option->sets, owner, false, arena, error));
        }
        text += length + (text[length] == ',');
    }
    return HSEL_OK;
}

int hs_options_parse(const hs_option *table, void *values, const char *text, const char *owner,
                     hs_arena *arena, hsel_error *error)
{
    HS_TRY(parse_some(table, values, text, owner, true, arena, error));
    return parse_some(table, values, text, owner, false, arena, error);
}

static void format_value(const hs_option *option, const void *field, hs_buf *out)
{
    char number[64];
    const char *text = number;
    switch (option->type) {
    case HS_OPT_BOOL:
        text = *(const bool *)field ? "true" : "false";
        break;
    case HS_OPT_INT:
        hs_format_double(*(const int *)field, number);
        break;
    case HS_OPT_U32:
        hs_format_u64(*(const uint32_t *)field, number);
        break;
    case HS_OPT_U64:
        hs_format_u64(*(const uint64_t *)field, number);
        break;
    case HS_OPT_DOUBLE:
        hs_format_double(*(const double *)field, number);
        break;
    case HS_OPT_CHOICE:
        hs_choice_word(option, *(const int *)field, number, sizeof number);
        break;
    default:
        text = *(const char *const *)field;
    }
    hs_buf_text(out, text ? text : "");
}

bool hs_option_is_default(const hs_option *option, const void *field)
{
    static const size_t sizes[] = {
        [HS_OPT_BOOL] = sizeof(bool),     [HS_OPT_INT] = sizeof(int),
        [HS_OPT_U32] = sizeof(uint32_t),  [HS_OPT_U64] = sizeof(uint64_t),
        [HS_OPT_DOUBLE] = sizeof(double), [HS_OPT_CHOICE] = sizeof(int)};
    const char *fallback = option->fallback;
    uint64_t plain = 0; /* as large as any of them */
    if (option->type == HS_OPT_LIST)
        return ((const hs_list *)field)->count == 0;
    if (option->type == HS_OPT_TEXT) {
        const char *value = *(const char *const *)field;
        return value == fallback || (value && fallback && strcmp(value, fallback) == 0);
    }
    return fallback && set_plain(option, &plain, fallback, strlen(fallback)) &&
           memcmp(&plain, field, sizes[option->type]) == 0;
}

void hs_options_format(const hs_option *table, const void *values, hs_buf *out)
{
    size_t before = out->length;
    hs_buf_text(out, ""); /* a text, even if nothing follows */
    for (const hs_option *o = table; o && o->type != HS_OPT_END; o++) {
        const void *field = (const char *)values + o->offset;
        if (hs_option_is_default(o, field))
            continue;
        /* A list is written as it can be given: its option once for each item. */
        const hs_list *list = o->type == HS_OPT_LIST ? field : NULL;
        for (size_t i = 0; i < (list ? list->count : 1); i++) {
            hs_buf_printf(out, "%s%s=", out->length > before ? "," : "", o->name);
            if (list)
                hs_buf_text(out, list->items[i]);
            else
                format_value(o, field, out);
        }
    }
}

void hs_option_describe(const hs_option *option, hs_buf *out)
{
    char low[40], high[40];
    if (option->type == HS_OPT_BOOL) {
        hs_buf_text(out, "true or false");
    } else if (option->type >= HS_OPT_TEXT) {
        hs_buf_text(out, option->value ? option->value : "text");
    } else {
        bool real = option->type == HS_OPT_DOUBLE;
        hs_format_double(option->min, low);
        hs_format_double(option->max, high);
        hs_buf_printf(out, "%s from %s", real ? "a number" : "a whole number", low);
        if (option->max < (real ? HUGE_VAL : 2147483647.0))
            hs_buf_printf(out, " to %s", high);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options in the words of the client: by a rule for each dialect, and the exceptions of words.def.
 */
#include "core/core.h"

static int dialect; /* an hsel_dialect, for the whole process; set before anything else */

void hsel_dialect_set(int wanted)
{
    dialect = wanted >= 0 && wanted < HSEL_DIALECTS ? wanted : HSEL_DIALECT_LIBRARY;
}

static const struct words {
    const char *name, *of[HSEL_DIALECTS];
} exceptions[] = {
#define HS_WORDS(name, ...) {name, {__VA_ARGS__}},
#include "core/words.def"
#undef HS_WORDS
};

/* What an option is written like, without a value and with one. */
static const struct rule {
    const char *bare[2], *before, *between, *after;
    char separator;   /* between the parts of a name */
    bool is_argument; /* texts are quoted; placeholders such as FILE are left out */
} rules[HSEL_DIALECTS] = {
    [HSEL_DIALECT_LIBRARY] = {{"'", "'"}, "", "=", "", '-', false},
    [HSEL_DIALECT_COMMAND] = {{"--", ""}, "--", " ", "", '-', false},
    [HSEL_DIALECT_PYTHON] = {{"", "="}, "", "=", "", '_', true},
    [HSEL_DIALECT_R] = {{"", " ="}, "", " = ", "", '_', true},
    [HSEL_DIALECT_STUDY] = {{"'prepare: ", "'"}, "'prepare: ", "=", "'", '-', false},
};

struct line {
    char *text;
    size_t room, length;
};

static void line_put(struct line *line, const char *text, size_t length)
{
    size_t left = line->room - line->length - 1;
    length = length < left ? length : left;
    memcpy(line->text + line->length, text, length);
    line->length += length;
    line->text[line->length] = '\0';
}

static void line_text(struct line *line, const char *text) { line_put(line, text, strlen(text)); }

static void line_name(struct line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        line_put(line, name[i] == '-' ? &rules[dialect].separator : &name[i], 1);
}

static void name_option(struct line *options, const char *name, size_t length)
{
    if (options) {
        line_put(options, name, length);
        line_put(options, "", 1);
    }
}

static void line_words(struct line *line, struct line *options, const char *text);

static const struct words *find_exception(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strlen(exceptions[i].name) == length && memcmp(exceptions[i].name, name, length) == 0)
            return &exceptions[i];
    return NULL;
}

/* name[0 … length), with its value in value[0 … value_length), or NULL. */
static void line_option(struct line *line, struct line *options, const char *name, size_t length,
                        const char *value, size_t value_length)
{
    const struct rule *rule = &rules[dialect];
    const struct words *known = find_exception(name, length);
    const char *advice = known ? known->of[HSEL_DIALECT_LIBRARY] : NULL,
               *said = known && known->of[dialect] ? known->of[dialect] : advice;
    if (!advice)
        name_option(options, name, length);
    if (said) {
        line_words(line, options, said);
        return;
    }
    if (value && rule->is_argument && value[0] >= 'A' && value[0] <= 'Z')
        value = NULL;
    line_text(line, value ? rule->before : rule->bare[0]);
    line_name(line, name, length);
    if (!value) {
        line_text(line, rule->bare[1]);
        return;
    }
    const bool number = strchr("0123456789", value[0]) ||
                        (value[0] == '%' && value_length > 1 && strchr("udg", value[1]));
    const char *quote = rule->is_argument && !number ? "\"" : "";
    line_text(line, rule->between);
    line_text(line, quote);
    line_put(line, value, value_length);
    line_text(line, quote);
    line_text(line, rule->after);
}

static bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

static void line_words(struct line *line, struct line *options, const char *text)
{
    for (const char *open; (open = strchr(text, '{'));) {
        const bool of_method = open[1] == ':';
        const char *name = open + 1 + of_method, *end = name, *value = NULL;
        while (in_name(*end))
            end++;
        const size_t length = (size_t)(end - name);
        if (*end == '=' && !of_method) {
            value = end + 1;
            end += strcspn(end, "{}");
        }
        const bool option = length > 0 && *end == '}';
        line_put(line, text, (size_t)(open + !option - text));
        if (option && of_method) {
            line_name(line, name, length);
            name_option(options, name, length);
        } else if (option) {
            line_option(line, options, name, length, value, value ? (size_t)(end - value) : 0);
        }
        text = option ? end + 1 : open + 1;
    }
    line_text(line, text);
}

char *hs_words(const char *text, char *out, size_t room, char *options, size_t options_room)
{
    struct line line = {out, room, 0}, named = {options, options_room, 0};
    out[0] = '\0';
    if (options)
        memset(options, 0, options_room);
    line_words(&line, options ? &named : NULL, text);
    return out;
}

char *hs_option_word(const char *name, char out[HS_WORD_ROOM])
{
    struct line line = {out, HS_WORD_ROOM, 0};
    out[0] = '\0';
    line_option(&line, NULL, name, strlen(name), NULL, 0);
    return out;
}

char *hs_option_name(const char *name, char out[HS_WORD_ROOM])
{
    struct line line = {out, HS_WORD_ROOM, 0};
    out[0] = '\0';
    line_name(&line, name, strlen(name));
    return out;
}

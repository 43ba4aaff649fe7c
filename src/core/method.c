/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking methods up, and reading and writing "name:option=value,…". The table itself is in
 * methods.c.
 */
#include "core/core.h"

static const char *const kind_names[HS_KINDS][2] = {
    [HS_SELECTOR] = {"selector", "selectors"},
    [HS_RANKER] = {"ranker", "rankers"},
    [HS_CLASSIFIER] = {"classifier", "classifiers"},
    [HS_MEASURE] = {"measure", "measures"},
    [HS_FORMAT] = {"format", "formats"},
    [HS_GENERATOR] = {"generator", "generators"},
    [HS_METRIC] = {"metric", "metrics"},
    [HS_STATISTIC] = {"statistic", "statistics"},
};

const char *hs_kind_name(hs_kind kind) { return kind_names[kind][0]; }

const char *hs_kind_plural(hs_kind kind) { return kind_names[kind][1]; }

bool hs_kind_has_methods(hs_kind kind)
{
    for (size_t i = 0; i < hs_method_count(); i++)
        if (hs_method_at(i)->kind == kind)
            return true;
    return false;
}

/* Every measure is a ranker too. */
static bool is_of(const hs_method *method, hs_kind kind)
{
    return method->kind == kind || (kind == HS_RANKER && method->kind == HS_MEASURE);
}

const hs_method *hs_method_find(hs_kind kind, const char *name, size_t length)
{
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (is_of(method, kind) && strlen(method->name) == length &&
            memcmp(method->name, name, length) == 0)
            return method;
    }
    return NULL;
}

static int fail_unknown_method(hs_kind kind, const char *name, hsel_error *error)
{
    const char *words[256];
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    size_t count = 0;
    for (size_t i = 0; i < hs_method_count() && count < 256; i++)
        if (is_of(hs_method_at(i), kind)) {
            words[count++] = hs_method_at(i)->name;
            hs_buf_printf(&known, "%s%s", count > 1 ? ", " : "", hs_method_at(i)->name);
        }
    int nearest = hs_nearest(name, words, count);
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE, "there is no %s '%s'; did you mean '%s'?",
                       hs_kind_name(kind), name, words[nearest]);
    return hs_fail(error, HSEL_EUSAGE, "there is no %s '%s'; there are: %s", hs_kind_name(kind),
                   name, known.text && !known.failed ? known.text : "none");
}

bool hs_method_within(hs_kind kind, const char *text, unsigned flag)
{
    static const char ends[] = ":=,+/; ";
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, ends);
        const hs_method *method = hs_method_find(kind, text, length);
        if (method && method->flags & flag)
            return true;
    }
    return false;
}

int hs_chosen_parse(hs_kind kind, const char *text, hs_chosen *out, hsel_error *error)
{
    size_t length = strcspn(text, ":"), open = strcspn(text, ":(");
    HS_OWNED char *plain = NULL;
    HS_OWNS(hs_buf_clear) hs_buf canonical = {0};
    *out = (hs_chosen){0};
    if (kind == HS_RANKER && text[open] == '(' && text[strlen(text) - 1] == ')') {
        HS_NEED(plain = hs_strndup(text, strlen(text) - 1)); /* without the last parenthesis */
        plain[length = open] = ':';
        text = plain;
    }
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {.method = hs_method_find(kind, text, length)};
    const hs_method *method = chosen.method;
    if (!method) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
        return fail_unknown_method(kind, name, error);
    }
    HS_NEED(chosen.options = hs_arena_zero(&chosen.arena, 1, method->options_size));
    HS_TRY(hs_options_defaults(method->options, chosen.options, &chosen.arena, error));
    if (text[length] == ':')
        HS_TRY(hs_options_parse(method->options, chosen.options, text + length + 1, method->name,
                                &chosen.arena, error));
    if (method->check)
        HS_TRY(method->check(chosen.options, error));
    hs_buf_text(&canonical, method->name);
    const size_t name = canonical.length;
    hs_buf_char(&canonical, ':');
    hs_options_format(method->options, chosen.options, &canonical);
    const bool bare = canonical.length == name + 1;
    HS_NEED(!canonical.failed && (chosen.text = hs_arena_text(&chosen.arena, canonical.text,
                                                              bare ? name : canonical.length)));
    HS_MOVE(out, &chosen);
    return HSEL_OK;
}

void hs_chosen_clear(hs_chosen *chosen)
{
    hs_arena_clear(&chosen->arena);
    *chosen = (hs_chosen){0};
}

int hs_chosen_list_add(hs_chosen_list *list, hs_kind kind, const char *text, hsel_error *error)
{
    HS_NEED(HS_GROW(&list->items, &list->capacity, list->count + 1));
    return hs_chosen_parse(kind, text, &list->items[list->count++], error);
}

void hs_chosen_list_clear(hs_chosen_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        hs_chosen_clear(&list->items[i]);
    hs_free(list->items);
    *list = (hs_chosen_list){0};
}

/* Of any method: which one it belongs to in a text with methods in methods is not looked at. */
static const hs_option *file_option(const char *name, size_t length)
{
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        const hs_option *o = method->options ? hs_option_find(method->options, name, length) : NULL;
        if (o && o->type == HS_OPT_TEXT && o->value && hs_ends_with(o->value, "FILE"))
            return o;
    }
    return NULL;
}

const char *hs_method_file(const char *text, size_t *length)
{
    for (const char *at = strpbrk(text, ":,("); at; at = strpbrk(at + 1, ":,(")) {
        const size_t name = strcspn(at + 1, "=:,()");
        const char *value = at + 1 + name;
        const hs_option *option = *value == '=' ? file_option(at + 1, name) : NULL;
        *length = option ? strcspn(++value, ",)") : 0;
        if (*length && !(option->fallback && strlen(option->fallback) == *length &&
                         memcmp(option->fallback, value, *length) == 0))
            return value;
    }
    return NULL;
}

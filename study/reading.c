/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages, mappings, lists, paths and texts of methods, as all parts of a study have them.
 */
#include "study/reading.h"

#include <ctype.h>

/* ---- messages ---- */

int hs_at(const hs_reading *r, unsigned long line, int status, hsel_error *error)
{
    if (status == HSEL_OK || status == HSEL_ENOMEM)
        return status;
    return hs_fail_as(error, status == HSEL_EUSAGE ? HSEL_EFORMAT : status, r->study.file, line, "",
                      error);
}

const char *hs_did_you_mean(const char *word, const char *const *words, size_t count, char out[128])
{
    int nearest = hs_nearest(word, words, count);
    out[0] = '\0';
    if (nearest >= 0)
        snprintf(out, 128, "; did you mean '%.100s'?", words[nearest]);
    return out;
}

const char *hs_nearest_word(const hs_study *s, const char *word, bool with_data, char out[128])
{
    enum { WORDS = 256 };
    const char *words[3 * WORDS];
    size_t count = 0;
    for (size_t i = 0; i < s->selector_count && i < WORDS; i++)
        words[count++] = s->selectors[i].label;
    for (size_t i = 0; with_data && i < s->classifier_count && i < WORDS; i++)
        words[count++] = s->classifiers[i].label;
    for (size_t i = 0; with_data && i < s->dataset_count && i < WORDS; i++)
        words[count++] = s->datasets[i].name;
    return hs_did_you_mean(word, words, count, out);
}

/* ---- mappings and lists ---- */

int hs_set_option(hs_reading *r, const hs_yaml *node, const hs_option *option, void *values,
                  hsel_error *error)
{
    return hs_at(
        r, node->line,
        hs_option_set(option, values, node->text, strlen(node->text), &r->study.arena, error),
        error);
}

int hs_read_keys(hs_reading *r, const hs_yaml *mapping, const char *owner, const hs_option *table,
                 void *values, hsel_error *error)
{
    HS_TRY(hs_options_defaults(table, values, &r->study.arena, error));
    if (mapping && mapping->kind != HS_YAML_MAPPING)
        return hs_wrong(r, mapping->line, error, "%s needs keys and values, e.g. '%s: %s'", owner,
                        table->name, table->value ? table->value : "true");
    for (const hs_yaml *value = mapping ? mapping->first : NULL; value; value = value->next) {
        const hs_option *option = hs_option_find(table, value->key, strlen(value->key));
        if (!option) {
            const char *nearest = hs_option_nearest(table, value->key);
            HS_OWNS(hs_buf_clear) hs_buf known = {0};
            if (nearest)
                return hs_wrong(r, value->key_line, error,
                                "there is no key '%.80s' in %s; did you mean '%s'?", value->key,
                                owner, nearest);
            for (const hs_option *o = table; o->type != HS_OPT_END; o++)
                hs_buf_printf(&known, "%s%s", known.length ? ", " : "", o->name);
            HS_NEED(!known.failed);
            return hs_wrong(r, value->key_line, error,
                            "there is no key '%.80s' in %s; there are: %s", value->key, owner,
                            known.text);
        }
        if (option->type == HS_OPT_LIST)
            continue;
        if (value->kind != HS_YAML_TEXT)
            return hs_wrong(r, value->line, error, "'%s' takes one text, not a %s", option->name,
                            value->kind == HS_YAML_LIST ? "list" : "mapping");
        if (value->text[0] == '\0')
            return hs_wrong(r, value->key_line, error, "there is nothing after '%s:'",
                            option->name);
        HS_TRY(hs_set_option(r, value, option, values, error));
    }
    return HSEL_OK;
}

int hs_need_key(const hs_reading *r, const hs_yaml *mapping, const char *owner, const char *key,
                const hs_yaml **out, hsel_error *error)
{
    *out = hs_yaml_find(mapping, key);
    return *out ? HSEL_OK
                : hs_wrong(r, mapping->line, error, "there is no key '%s' in %s", key, owner);
}

int hs_items_of(const hs_reading *r, const hs_yaml *node, const char *texts, const hs_yaml **first,
                hsel_error *error)
{
    *first = node->kind == HS_YAML_LIST ? node->first : node;
    if (node->kind == HS_YAML_MAPPING)
        return hs_wrong(r, node->line, error, "'%s' takes a list", node->key);
    if (!*first || (node->kind == HS_YAML_TEXT && node->text[0] == '\0'))
        return hs_wrong(r, node->key_line, error, "'%s' is empty: give at least one", node->key);
    for (const hs_yaml *item = *first; texts && item; item = hs_item_after(node, item))
        if (item->kind != HS_YAML_TEXT)
            return hs_wrong(r, item->line, error, "'%s' takes %s", node->key, texts);
    return HSEL_OK;
}

const hs_yaml *hs_item_after(const hs_yaml *node, const hs_yaml *item)
{
    return node->kind == HS_YAML_LIST ? item->next : NULL;
}

char *hs_keep(hs_arena *arena, hs_buf *text)
{
    char *kept =
        text->failed ? NULL : hs_arena_text(arena, text->text ? text->text : "", text->length);
    hs_buf_clear(text);
    return kept;
}

/* ---- paths ---- */

int hs_read_path(hs_reading *r, unsigned long line, const char *text, const char *base,
                 const char **out, bool *unset, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0}, whole = {0};
    bool from_here = false;
    *unset = false;
    for (const char *at = text; *at;) {
        if (strncmp(at, "${", 2) != 0) {
            hs_buf_char(&path, *at++);
            continue;
        }
        char name[128] = "";
        int length = 0;
        sscanf(at, "${%127[A-Za-z0-9_]%n", name, &length);
        const char *end = strchr(at, '}'), *rest = at + length;
        bool has_default = strncmp(rest, ":-", 2) == 0;
        if (!end || !length || isdigit((unsigned char)*name) || (!has_default && rest != end))
            return hs_wrong(r, line, error,
                            "'%.*s' is not a variable: write ${NAME} or ${NAME:-default}",
                            (int)(end && end - at < 100 ? end - at + 1 : 100), at);
        const char *value = getenv(name);
        bool set = value && *value;
        if (set)
            hs_buf_text(&path, value);
        else if (has_default)
            hs_buf_add(&path, rest + 2, (size_t)(end - rest - 2));
        else
            hs_buf_printf(&path, "$%s", name);
        *unset |= !set && !has_default;
        from_here |= at == text && (set || *unset);
        at = end + 1;
    }
    HS_NEED(!path.failed);
    if (path.length && path.text[0] != '/' && !from_here)
        hs_buf_text(&whole, base ? base : r->folder);
    if (path.length)
        hs_buf_add(&whole, path.text, path.length);
    HS_NEED(*out = hs_keep(&r->study.arena, &whole));
    return HSEL_OK;
}

int hs_canonical(hs_reading *r, hs_kind kind, const char *text, const char **out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_TRY(hs_chosen_parse(kind, text, &chosen, error));
    HS_NEED(*out = hs_arena_text(&r->study.arena, chosen.text, strlen(chosen.text)));
    return HSEL_OK;
}

int hs_too_many(const hs_reading *r, unsigned long line, const char *text, uint64_t count,
                const char *plural, hsel_error *error)
{
    char shown[32], limit[32];
    hs_format_grouped(count, shown);
    hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
    return hs_fail_at(error, HSEL_ELIMIT, r->study.file, line,
                      "%s%.200s%s%s %s; a study holds at most %s", text ? "'" : "",
                      text ? text : "", text ? "' stands for " : "", shown, plural, limit);
}

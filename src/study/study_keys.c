/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of a mapping by table, and the small things that all parts of reading a study need. A table
 * is an option table: what a key takes, its default and its bounds are said once, in the words that
 * options have everywhere.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "study/study_parts.h"

const hs_study_keys hs_study_key_tables[] = {
    {"a study", hs_study_top_keys},         {"a data set", hs_study_dataset_keys},
    {"a method", hs_study_method_keys},     {"folds", hs_study_folds_keys},
    {"compare", hs_study_compare_keys},     {"best-of", hs_study_best_keys},
    {"published", hs_study_published_keys}, {"tune", hs_study_tune_keys},
    {"rankings", hs_study_rankings_keys},
};
const size_t hs_study_key_table_count = sizeof hs_study_key_tables / sizeof hs_study_key_tables[0];

/* ---- messages ---- */

int hs_study_fail(const hs_study_reader *r, unsigned long line, hsel_error *error,
                  const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return hs_fail_at(error, HSEL_EFORMAT, r->file, line, "%s", text);
}

int hs_study_fail_because(const hs_study_reader *r, unsigned long line, const hsel_error *because,
                          hsel_error *error)
{
    if (because->code == HSEL_ENOMEM)
        return hs_fail_memory(error);
    int code = because->code == HSEL_EUSAGE ? HSEL_EFORMAT : because->code;
    return hs_fail_at(error, code, r->file, line, "%s", because->message);
}

const char *hs_did_you_mean(const char *word, const char *const *words, size_t count, char *out)
{
    int nearest = hs_nearest(word, words, count);
    out[0] = '\0';
    if (nearest >= 0)
        snprintf(out, 128, "; did you mean '%.100s'?", words[nearest]);
    return out;
}

/* ---- keys ---- */

static int unknown_key(const hs_study_reader *r, const hs_yaml *value, const char *owner,
                       const hs_option *table, hsel_error *error)
{
    const char *nearest = hs_option_nearest(table, value->key);
    hs_buf known = {0};
    if (nearest)
        return hs_study_fail(r, value->key_line, error,
                             "there is no key '%.80s' in %s; did you mean '%s'?", value->key, owner,
                             nearest);
    for (const hs_option *o = table; o->type != HS_OPT_END; o++)
        hs_buf_printf(&known, "%s%s", known.length ? ", " : "", o->name);
    int status = known.failed ? hs_fail_memory(error)
                              : hs_study_fail(r, value->key_line, error,
                                              "there is no key '%.80s' in %s; there are: %s",
                                              value->key, owner, known.text);
    hs_buf_clear(&known);
    return status;
}

static int set_key(hs_study_reader *r, const hs_yaml *value, const hs_option *option, void *values,
                   hsel_error *error)
{
    hsel_error because = {0};
    if (value->kind != HS_YAML_TEXT)
        return hs_study_fail(r, value->line, error, "'%s' takes one text, not a %s", option->name,
                             value->kind == HS_YAML_LIST ? "list" : "mapping");
    if (value->text[0] == '\0')
        return hs_study_fail(r, value->key_line, error, "there is nothing after '%s:'",
                             option->name);
    if (hs_option_set(option, values, value->text, strlen(value->text), &r->study->arena, &because))
        return hs_study_fail_because(r, value->line, &because, error);
    return HSEL_OK;
}

int hs_keys_read(hs_study_reader *r, const hs_yaml *mapping, const char *owner,
                 const hs_option *table, void *values, const hs_yaml *nodes[HS_STUDY_KEYS],
                 hsel_error *error)
{
    for (size_t i = 0; i < HS_STUDY_KEYS; i++)
        nodes[i] = NULL;
    if (mapping->kind != HS_YAML_MAPPING)
        return hs_study_fail(r, mapping->line, error,
                             "%s is written as keys and values, e.g. '%s: %s'", owner, table->name,
                             table->value ? table->value : "true");
    int status = hs_options_defaults(table, values, &r->study->arena, error);
    for (const hs_yaml *value = mapping->first; value && status == HSEL_OK; value = value->next) {
        const hs_option *option = hs_option_find(table, value->key, strlen(value->key));
        if (!option)
            return unknown_key(r, value, owner, table, error);
        nodes[option - table] = value;
        if (option->type != HS_OPT_LIST)
            status = set_key(r, value, option, values, error);
    }
    return status;
}

int hs_items_of(hs_study_reader *r, const hs_yaml *node, const hs_yaml **first, hsel_error *error)
{
    *first = node->kind == HS_YAML_LIST ? node->first : node;
    if (node->kind == HS_YAML_MAPPING)
        return hs_study_fail(r, node->line, error, "'%s' takes a list", node->key);
    if (!*first || (node->kind == HS_YAML_TEXT && node->text[0] == '\0'))
        return hs_study_fail(r, node->key_line, error, "'%s' is empty: give at least one",
                             node->key);
    return HSEL_OK;
}

/* ---- memory ---- */

bool hs_arena_grow(hs_arena *arena, void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? *capacity * 2 : 8;
    void *grown = hs_arena_alloc(arena, more, size);
    if (!grown)
        return false;
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = more;
    return true;
}

char *hs_arena_keep(hs_arena *arena, hs_buf *text)
{
    char *kept =
        text->failed ? NULL : hs_arena_text(arena, text->text ? text->text : "", text->length);
    hs_buf_clear(text);
    return kept;
}

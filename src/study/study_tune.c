/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is to be tuned: which options of the selector, over which values. Written as in a grid
 * ("0.9..1/0.01", "{ig,lift}"), or `bounds` for all that the option takes; kept in the words of
 * irace. Every value that is named is tried on the option, so that a mistake is told with its line.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "study/grid.h"
#include "study/study_parts.h"

const hs_option hs_study_tune_keys[] = {
    HS_OPTION(hs_study_reader, study.tune.budget, "budget", "N", "1000", 1, 100000000,
              "runs of irace"),
    HS_TEXT(hs_study_reader, metric, "metric", "METRIC", NULL,
            "what is maximised (default: the first of metrics)"),
    HS_OPTION(hs_study_reader, study.tune.seed, "seed", "S", "1", 0, 2147483647, "seed of irace"),
    HS_NESTED("parameters", "OPTION: VALUES, …",
              "options of the selector, each with its range, choices, or bounds"),
    HS_OPTION_END};

typedef struct making {
    hs_study_reader *r;
    const hs_option *option;
    void *scratch; /* option values, to try them */
    unsigned long line;
    hs_tune_parameter *out;
    hs_buf range; /* of choices, so far */
} making;

static int try_value(const making *m, const char *text, size_t length, hsel_error *error)
{
    hsel_error because = {0};
    if (hs_option_set(m->option, m->scratch, text, length, &m->r->study.arena, &because))
        return hs_study_fail_because(m->r, m->line, &because, error);
    return HSEL_OK;
}

/* "LOW..HIGH" or "LOW..HIGH/STEP"; the step says how many digits matter. */
static int read_range(making *m, const char *text, hsel_error *error)
{
    const char *dots = strstr(text, ".."), *high = dots + 2, *slash = strchr(high, '/');
    size_t low_length = (size_t)(dots - text);
    size_t high_length = slash ? (size_t)(slash - high) : strlen(high);
    hs_tune *tune = &m->r->study.tune;
    double low_value, high_value;
    HS_TRY(try_value(m, text, low_length, error));
    HS_TRY(try_value(m, high, high_length, error));
    if (!hs_parse_double(text, low_length, &low_value) ||
        !hs_parse_double(high, high_length, &high_value) || !(low_value < high_value))
        return hs_study_fail(m->r, m->line, error,
                             "a range goes up from a number to another, not '%.80s'", text);
    m->out->type = m->option->type == HS_OPT_DOUBLE ? 'r' : 'i';
    const char *point = slash ? strchr(slash, '.') : NULL;
    int digits = point ? (int)strlen(point) - 1 : slash ? 0 : 4;
    if (m->out->type == 'r' && digits > tune->digits)
        tune->digits = digits < 15 ? digits : 15;
    hs_buf_printf(&m->range, "(%.*s, %.*s)", (int)low_length, text, (int)high_length, high);
    return HSEL_OK;
}

/* A choice goes through R and a shell, so only words of signs that neither looks at are taken. */
static int add_choice(making *m, const char *word, size_t length, hsel_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-+:=/%@";
    size_t i = 0;
    while (i < length && memchr(plain, word[i], sizeof plain - 1))
        i++;
    if (i < length || length == 0)
        return hs_study_fail(m->r, m->line, error,
                             "'%.*s' cannot be a choice of %s: give plain words", (int)length, word,
                             m->option->name);
    hs_buf_printf(&m->range, "%s\"%.*s\"", m->range.length ? ", " : "(", (int)length, word);
    return try_value(m, word, length, error);
}

/* "a,b,c", or the words of a choice, "a|b|c". */
static int read_choices(making *m, const char *text, size_t length, char between, hsel_error *error)
{
    for (const char *end = text + length, *stop; text < end; text = stop + 1) {
        stop = memchr(text, between, (size_t)(end - text));
        stop = stop ? stop : end;
        HS_TRY(add_choice(m, text, (size_t)(stop - text), error));
    }
    hs_buf_char(&m->range, ')');
    return HSEL_OK;
}

static int read_values(making *m, const hs_yaml *node, hsel_error *error)
{
    const hs_option *option = m->option;
    const char *text = node->kind == HS_YAML_TEXT ? node->text : "";
    size_t length = strlen(text);
    bool number = option->type == HS_OPT_INT || option->type == HS_OPT_U32 ||
                  option->type == HS_OPT_U64 || option->type == HS_OPT_DOUBLE;
    if (node->kind == HS_YAML_LIST && node->first) {
        for (const hs_yaml *item = node->first; item; item = item->next) {
            if (item->kind != HS_YAML_TEXT)
                return hs_study_fail(m->r, item->line, error, "choices of %s are texts",
                                     option->name);
            HS_TRY(add_choice(m, item->text, strlen(item->text), error));
        }
        hs_buf_char(&m->range, ')');
        return HSEL_OK;
    }
    if (strcmp(text, "bounds") == 0) { /* all that the option takes */
        char low[40], high[40], bounds[96];
        if (option->type == HS_OPT_CHOICE)
            return read_choices(m, option->value, strlen(option->value), '|', error);
        if (option->type == HS_OPT_BOOL)
            return read_choices(m, "true,false", 10, ',', error);
        if (!number)
            return hs_study_fail(m->r, m->line, error, "option %s has no bounds: give its values",
                                 option->name);
        hs_format_double(option->min, low);
        hs_format_double(option->max, high);
        snprintf(bounds, sizeof bounds, "%s..%s", low, high);
        return read_range(m, bounds, error);
    }
    if (length > 2 && text[0] == '{' && text[length - 1] == '}')
        return read_choices(m, text + 1, length - 2, ',', error);
    if (number && strstr(text, ".."))
        return read_range(m, text, error);
    return hs_study_fail(m->r, node->line, error,
                         "values of %s are a range (0.9..1/0.01), choices ([a, b]), or bounds",
                         option->name);
}

static void making_clear(making *m) { hs_buf_clear(&m->range); }

int hs_study_tune(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    hs_tune *tune = &study->tune;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_TRY(hs_keys_read(r, node, "tune", hs_study_tune_keys, r, error));
    HS_TRY(hs_study_metric(r, node, &tune->metric, error));
    const hs_yaml *list = hs_yaml_find(node, "parameters");
    if (!list || list->kind != HS_YAML_MAPPING || !list->first)
        return hs_study_fail(r, node->line, error,
                             "tune needs parameters: options of the selector with their values");
    if (study->selector_count != 1 || study->classifier_count != 1)
        return hs_study_fail(r, node->line, error,
                             "tune is for one selector and one classifier, and the study has %zu "
                             "and %zu",
                             study->selector_count, study->classifier_count);
    HS_TRY(hs_chosen_parse(HS_SELECTOR, study->selectors[0].text, &chosen, error));
    const hs_method *method = chosen.method;
    void *scratch = hs_arena_zero(&study->arena, 1, method->options_size + 1);
    tune->parameters = hs_arena_zero(&study->arena, list->count + 1, sizeof *tune->parameters);
    HS_NEED(scratch && tune->parameters);
    for (const hs_yaml *value = list->first; value; value = value->next) {
        const hs_option *table = method->options;
        const hs_option *option =
            table ? hs_option_find(table, value->key, strlen(value->key)) : NULL;
        const char *nearest = option || !table ? NULL : hs_option_nearest(table, value->key);
        if (!option)
            return hs_study_fail(r, value->key_line, error, "%s has no option '%.80s'%s%s%s",
                                 method->name, value->key, nearest ? "; did you mean '" : "",
                                 nearest ? nearest : "", nearest ? "'?" : "");
        hs_tune_parameter *out = &tune->parameters[tune->count++];
        *out = (hs_tune_parameter){.name = option->name, .type = 'c'};
        HS_OWNS(making_clear) making m = {r, option, scratch, value->line, out, {0}};
        HS_TRY(read_values(&m, value, error));
        HS_NEED(out->range = hs_arena_keep(&study->arena, &m.range));
    }
    return HSEL_OK;
}

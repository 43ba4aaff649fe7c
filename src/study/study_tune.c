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

typedef struct tune_keys {
    uint32_t budget;
    uint64_t seed;
    const char *metric;
    hs_list nested;
} tune_keys;

enum { BUDGET, METRIC, SEED, PARAMETERS };

const hs_option hs_study_tune_keys[] = {
    HS_OPTION(tune_keys, budget, "budget", "N", "1000", 1, 100000000, "runs of irace"),
    HS_TEXT(tune_keys, metric, "metric", "METRIC", NULL,
            "what is maximised (default: the first of metrics)"),
    HS_OPTION(tune_keys, seed, "seed", "S", "1", 0, 2147483647, "seed of irace"),
    HS_OPTION(tune_keys, nested, "parameters", "OPTION: VALUES, …", NULL, 0, 0,
              "options of the selector, each with its range, choices, or bounds"),
    HS_OPTION_END};

struct making {
    hs_study_reader *r;
    const hs_option *option;
    void *scratch; /* option values, to try them */
    unsigned long line;
};

static int try_value(const struct making *m, const char *text, size_t length, hsel_error *error)
{
    hsel_error because = {0};
    if (hs_option_set(m->option, m->scratch, text, length, &m->r->study->arena, &because))
        return hs_study_fail_because(m->r, m->line, &because, error);
    return HSEL_OK;
}

static bool is_whole(const hs_option *option)
{
    return option->type == HS_OPT_INT || option->type == HS_OPT_U32 || option->type == HS_OPT_U64;
}

static int digits_of(const char *text, size_t length)
{
    const char *point = memchr(text, '.', length);
    return point ? (int)(text + length - point - 1) : 0;
}

/* ---- ways to write values ---- */

/* "LOW..HIGH" or "LOW..HIGH/STEP"; the step says how many digits matter. */
static int read_range(const struct making *m, const char *text, hs_tune_parameter *out,
                      hsel_error *error)
{
    const char *dots = strstr(text, ".."), *high = dots + 2, *slash = strchr(high, '/');
    size_t high_length = slash ? (size_t)(slash - high) : strlen(high);
    hs_tune *tune = &m->r->study->tune;
    hs_buf range = {0};
    double low_value, high_value;
    int status = try_value(m, text, (size_t)(dots - text), error);
    if (status || (status = try_value(m, high, high_length, error)))
        return status;
    if (!hs_parse_double(text, (size_t)(dots - text), &low_value) ||
        !hs_parse_double(high, high_length, &high_value) || !(low_value < high_value))
        return hs_study_fail(m->r, m->line, error,
                             "a range goes up from a number to another, not '%.80s'", text);
    int digits = slash ? digits_of(slash + 1, strlen(slash + 1)) : 4;
    if (!is_whole(m->option) && digits > tune->digits)
        tune->digits = digits < 15 ? digits : 15;
    out->type = is_whole(m->option) ? 'i' : 'r';
    hs_buf_printf(&range, "(%.*s, %.*s)", (int)(dots - text), text, (int)high_length, high);
    out->range = hs_arena_keep(&m->r->study->arena, &range);
    return out->range ? HSEL_OK : hs_fail_memory(error);
}

static void add_choice(hs_buf *range, const char *word, size_t length)
{
    hs_buf_printf(range, "%s\"%.*s\"", range->length ? ", " : "(", (int)length, word);
}

static int finish_choices(const struct making *m, hs_buf *range, hs_tune_parameter *out,
                          hsel_error *error)
{
    hs_buf_char(range, ')');
    out->type = 'c';
    out->range = hs_arena_keep(&m->r->study->arena, range);
    return out->range ? HSEL_OK : hs_fail_memory(error);
}

/* Letters, digits and signs that neither R nor a shell looks at. */
static bool is_plain(const char *word, size_t length)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-+:=/%@";
    for (size_t i = 0; i < length; i++)
        if (!memchr(plain, word[i], sizeof plain - 1))
            return false;
    return length > 0;
}

/* A choice goes through R and a shell, so only plain words are taken. */
static int take_choice(const struct making *m, const char *word, size_t length, hs_buf *range,
                       hsel_error *error)
{
    if (!is_plain(word, length))
        return hs_study_fail(m->r, m->line, error,
                             "'%.*s' cannot be a choice of %s: give plain words", (int)length, word,
                             m->option->name);
    add_choice(range, word, length);
    return try_value(m, word, length, error);
}

/* "{a,b,c}" or the words of a choice, "a|b|c". */
static int read_choices(const struct making *m, const char *text, size_t length, char between,
                        hs_tune_parameter *out, hsel_error *error)
{
    hs_buf range = {0};
    const char *end = text + length;
    int status = HSEL_OK;
    while (text < end && status == HSEL_OK) {
        const char *stop = memchr(text, between, (size_t)(end - text));
        stop = stop ? stop : end;
        status = take_choice(m, text, (size_t)(stop - text), &range, error);
        text = stop + 1;
    }
    if (status == HSEL_OK)
        return finish_choices(m, &range, out, error);
    hs_buf_clear(&range);
    return status;
}

static int read_list(const struct making *m, const hs_yaml *node, hs_tune_parameter *out,
                     hsel_error *error)
{
    hs_buf range = {0};
    int status = HSEL_OK;
    for (const hs_yaml *item = node->first; item && status == HSEL_OK; item = item->next)
        status = item->kind == HS_YAML_TEXT
                     ? take_choice(m, item->text, strlen(item->text), &range, error)
                     : hs_study_fail(m->r, item->line, error, "choices of %s are texts",
                                     m->option->name);
    if (status == HSEL_OK)
        return finish_choices(m, &range, out, error);
    hs_buf_clear(&range);
    return status;
}

/* All that the option takes. */
static int read_bounds(const struct making *m, hs_tune_parameter *out, hsel_error *error)
{
    const hs_option *option = m->option;
    char low[40], high[40], text[96];
    if (option->type == HS_OPT_CHOICE)
        return read_choices(m, option->value, strlen(option->value), '|', out, error);
    if (option->type == HS_OPT_BOOL)
        return read_choices(m, "true,false", 10, ',', out, error);
    if (option->type == HS_OPT_TEXT || option->type == HS_OPT_LIST)
        return hs_study_fail(m->r, m->line, error, "option %s has no bounds: give its values",
                             option->name);
    hs_format_double(option->min, low);
    hs_format_double(option->max, high);
    snprintf(text, sizeof text, "%s..%s", low, high);
    return read_range(m, text, out, error);
}

static int read_values(const struct making *m, const hs_yaml *node, hs_tune_parameter *out,
                       hsel_error *error)
{
    size_t length = node->text ? strlen(node->text) : 0;
    if (node->kind == HS_YAML_LIST && node->first)
        return read_list(m, node, out, error);
    if (node->kind == HS_YAML_TEXT && strcmp(node->text, "bounds") == 0)
        return read_bounds(m, out, error);
    if (node->kind == HS_YAML_TEXT && length > 2 && node->text[0] == '{' &&
        node->text[length - 1] == '}')
        return read_choices(m, node->text + 1, length - 2, ',', out, error);
    bool number = is_whole(m->option) || m->option->type == HS_OPT_DOUBLE;
    if (node->kind == HS_YAML_TEXT && number && strstr(node->text, ".."))
        return read_range(m, node->text, out, error);
    return hs_study_fail(m->r, node->line, error,
                         "values of %s are a range (0.9..1/0.01), choices ([a, b]), or bounds",
                         m->option->name);
}

/* ---- all of it ---- */

static int read_parameters(hs_study_reader *r, const hs_yaml *node, const hs_method *method,
                           hsel_error *error)
{
    hs_tune *tune = &r->study->tune;
    void *scratch = hs_arena_zero(&r->study->arena, 1, method->options_size + 1);
    tune->parameters = hs_arena_zero(&r->study->arena, node->count + 1, sizeof *tune->parameters);
    if (!scratch || !tune->parameters)
        return hs_fail_memory(error);
    int status = HSEL_OK;
    for (const hs_yaml *value = node->first; value && status == HSEL_OK; value = value->next) {
        const hs_option *option =
            method->options ? hs_option_find(method->options, value->key, strlen(value->key))
                            : NULL;
        const char *nearest =
            option || !method->options ? NULL : hs_option_nearest(method->options, value->key);
        if (!option)
            return hs_study_fail(r, value->key_line, error, "%s has no option '%.80s'%s%s%s",
                                 method->name, value->key, nearest ? "; did you mean '" : "",
                                 nearest ? nearest : "", nearest ? "'?" : "");
        struct making m = {r, option, scratch, value->line};
        tune->parameters[tune->count].name = option->name;
        status = read_values(&m, value, &tune->parameters[tune->count++], error);
    }
    return status;
}

int hs_study_tune(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = r->study;
    tune_keys t = {0};
    hs_chosen chosen = {0};
    const hs_yaml *nodes[HS_STUDY_KEYS];
    int status = hs_keys_read(r, node, "tune", hs_study_tune_keys, &t, nodes, error);
    if (status)
        return status;
    study->tune = (hs_tune){.budget = t.budget, .seed = t.seed, .metric = study->metrics[0]};
    if (t.metric &&
        (status = hs_study_metric(r, t.metric, nodes[METRIC]->line, &study->tune.metric, error)))
        return status;
    if (!nodes[PARAMETERS] || nodes[PARAMETERS]->kind != HS_YAML_MAPPING ||
        !nodes[PARAMETERS]->first)
        return hs_study_fail(r, node->line, error,
                             "tune needs parameters: options of the selector with their values");
    if (study->selector_count != 1 || study->classifier_count != 1)
        return hs_study_fail(r, node->line, error,
                             "tune is for one selector and one classifier, and the study has %zu "
                             "and %zu",
                             study->selector_count, study->classifier_count);
    if ((status = hs_chosen_parse(HS_SELECTOR, study->selectors[0].text, &chosen, error)))
        return status;
    status = read_parameters(r, nodes[PARAMETERS], chosen.method, error);
    hs_chosen_clear(&chosen);
    return status;
}

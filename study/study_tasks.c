/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study does beside tests of pairs: simulations of procedures, automatic choices, and what
 * hsel tune looks for.
 *
 * What is to be tuned: which options of the selector, over which values. Written as in a grid
 * ("0.9..1/0.01", "{ig,lift}"), or `bounds` for all that the option takes; kept in the words of
 * irace. Every value that is named is tried on the option, so that a mistake is told with its line.
 */
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "study/reading.h"

/* ---- simulations ---- */

typedef struct simulating { /* one item of `simulate` */
    hs_study_simulation out;
    hs_list nested;
} simulating;

const hs_option hs_simulate_keys[] = {
    HS_OPTION(simulating, nested, "procedures", "LIST", NULL, 0, 0,
              "procedures of hsel test; focused-bh also with filter and similar"),
    HS_CHOICE(simulating, out.what.p_values, "p-values", HS_SIMULATE_WORDS, "independent",
              "independent tests of normal values, or Fisher's test of random classes"),
    HS_OPTION(simulating, nested, "effects", "LIST", NULL, 0, 0,
              "effects of planted terms: in standard deviations, or log of the ratio of odds"),
    HS_OPTION(simulating, out.what.runs, "runs", "N", "200", 2, 100000, "runs for each effect"),
    HS_OPTION(simulating, out.what.planted, "planted", "N", "20", 1, 100000, "planted terms"),
    HS_OPTION(simulating, out.what.alpha, "alpha", "P", "0.05", 1e-12, 0.5,
              "level of the procedures"),
    HS_OPTION(simulating, out.what.seed, "seed", "S", "1", 0, 9e15, "seed"),
    HS_OPTION_END};

/* A procedure by name, focused-bh with its filter. */
static int read_procedure(hs_reading *r, const hs_yaml *item, hs_simulation *what,
                          hsel_error *error)
{
    static const hs_option filter[] = {HS_FILTER_OPTIONS(hs_simulation), HS_OPTION_END};
    hs_arena *arena = &r->study.arena;
    const size_t length = item->kind == HS_YAML_TEXT ? strcspn(item->text, ":") : 0;
    HS_NEED(what->procedure = hs_arena_text(arena, length ? item->text : "", length));
    HS_TRY(hs_at(r, item->line, hs_procedure_find(what->procedure, error) ? HSEL_OK : HSEL_EUSAGE,
                 error));
    HS_TRY(hs_options_defaults(filter, what, arena, error));
    if (!item->text[length])
        return HSEL_OK;
    if (strcmp(what->procedure, "focused-bh") != 0)
        return hs_wrong(r, item->line, error, "%s has no options", what->procedure);
    HS_TRY(hs_at(
        r, item->line,
        hs_options_parse(filter, what, item->text + length + 1, what->procedure, arena, error),
        error));
    return HSEL_OK;
}

/* The draws of one effect: the texts of all procedures, HS_DRAW_RUNS runs at a time. */
static int add_draws(hs_reading *r, const hs_study_simulation *s, const hs_simulation *procedures,
                     double effect, unsigned long line, hsel_error *error)
{
    hs_study *study = &r->study;
    for (uint32_t from = 0; from < s->what.runs; from += HS_DRAW_RUNS) {
        const uint32_t left = s->what.runs - from;
        hs_study_draws draws = {.count = s->procedure_count,
                                .runs = left < HS_DRAW_RUNS ? left : HS_DRAW_RUNS};
        if (study->draw_count >= HS_STUDY_LIST_LIMIT / s->procedure_count)
            return hs_too_many(r, line, NULL, study->draw_count * s->procedure_count, "simulations",
                               error);
        draws.procedures = hs_arena_zero(&study->arena, draws.count, sizeof *draws.procedures);
        draws.each = HS_ARENA_NEW(&study->arena, hs_simulation, draws.count);
        HS_NEED(draws.procedures && draws.each &&
                hs_arena_grow(&study->arena, &study->draws, study->draw_count, &r->draw_room,
                              sizeof draws));
        for (size_t i = 0; i < draws.count; i++) {
            hs_simulation *what = &draws.each[i];
            hs_buf text = {0};
            *what = s->what;
            what->procedure = procedures[i].procedure;
            what->filter = procedures[i].filter;
            what->similar = procedures[i].similar;
            what->effect = effect;
            what->from = from;
            what->runs = draws.runs;
            hs_buf_text(&text, "simulate:");
            hs_options_format(hs_simulation_table, what, &text);
            draws.procedures[i] = s->procedures[i];
            HS_NEED(draws.procedures[i].text = hs_keep(&study->arena, &text));
        }
        study->draws[study->draw_count++] = draws;
    }
    return HSEL_OK;
}

static int read_simulation(hs_reading *r, const hs_yaml *node, hs_study_simulation *out,
                           hsel_error *error)
{
    simulating given = {0};
    hs_study_simulation *s = &given.out;
    hs_arena *arena = &r->study.arena;
    const hs_yaml *list, *effects, *item;
    HS_TRY(hs_options_defaults(hs_simulation_table, &s->what, arena, error));
    HS_TRY(hs_read_keys(r, node, "simulate", hs_simulate_keys, &given, error));
    HS_TRY(hs_need_key(r, node, "simulate", "procedures", &list, error));
    HS_TRY(hs_need_key(r, node, "simulate", "effects", &effects, error));
    HS_OWNED hs_simulation *procedures = HS_NEW_ZERO(hs_simulation, list->count + 1);
    s->procedures = hs_arena_zero(arena, list->count + 1, sizeof *s->procedures);
    s->effects = hs_arena_zero(arena, effects->count + 1, sizeof *s->effects);
    HS_NEED(procedures && s->procedures && s->effects);
    HS_TRY(hs_items_of(r, list, NULL, &item, error));
    for (; item; item = hs_item_after(list, item)) {
        HS_TRY(read_procedure(r, item, &procedures[s->procedure_count], error));
        for (size_t i = 0; i < s->procedure_count; i++)
            if (strcmp(s->procedures[i].label, item->text) == 0)
                return hs_wrong(r, item->line, error, "'%.80s' is given twice", item->text);
        s->procedures[s->procedure_count++] =
            (hs_study_method){.text = item->text, .label = item->text, .line = item->line};
    }
    const hs_option *option = hs_option_find(hs_simulation_table, "effect", 6);
    HS_TRY(hs_items_of(r, effects, "numbers", &item, error));
    for (; item; item = hs_item_after(effects, item)) {
        hs_simulation effect = {0};
        HS_TRY(hs_set_option(r, item, option, &effect, error));
        if (s->effect_count && effect.effect <= s->effects[s->effect_count - 1])
            return hs_wrong(r, item->line, error, "'effects' go from small to large");
        s->effects[s->effect_count++] = effect.effect;
        HS_TRY(add_draws(r, s, procedures, effect.effect, item->line, error));
    }
    *out = *s;
    return HSEL_OK;
}

int hs_read_simulations(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *item = node;
    if (node->kind != HS_YAML_MAPPING)
        HS_TRY(hs_items_of(r, node, NULL, &item, error));
    study->simulations = hs_arena_zero(&study->arena, node->count + 1, sizeof *study->simulations);
    HS_NEED(study->simulations);
    for (; item; item = hs_item_after(node, item))
        HS_TRY(read_simulation(r, item, &study->simulations[study->simulation_count++], error));
    return HSEL_OK;
}

/* ---- automatic choice ---- */

typedef struct choosing { /* one item of `auto` */
    hs_study_auto out;
    const char *label, *metric, *of; /* the last: the candidates, by a checksum of their texts */
} choosing;

const hs_option hs_auto_keys[] = {
    HS_TEXT(choosing, label, "label", "TEXT", "auto", "short name in tables"),
    HS_TEXT(choosing, metric, "metric", "METRIC", NULL,
            "metric that decides the choice (default: the first metric)"),
    HS_OPTION(choosing, out.inner_folds, "inner-folds", "N", "5", 2, 1000,
              "inner folds, which decide the choice"),
    HS_OPTION(choosing, out.inner_repeats, "inner-repeats", "N", "1", 1, 1000,
              "repetitions of the inner folds, with different folds"),
    HS_OPTION(choosing, out.race, "race", "LEVEL", "0.05", 0, 0.5,
              "level at which candidates are dropped from the race; 0: never"),
    HS_OPTION_END};

/* One mapping, or a list of them. Ties go to the first candidate, so that their order counts. */
int hs_read_autos(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *item = node;
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    for (size_t i = 0; i < study->selector_count + study->classifier_count; i++) {
        const char *text = i < study->selector_count
                               ? study->selectors[i].text
                               : study->classifiers[i - study->selector_count].text;
        XXH3_64bits_update(&hash, text, strlen(text) + 1);
    }
    if (study->selector_count * study->classifier_count < 2)
        return hs_wrong(r, node->line, error,
                        "'auto' chooses among selectors and classifiers, and there is one pair");
    if (node->kind != HS_YAML_MAPPING)
        HS_TRY(hs_items_of(r, node, NULL, &item, error));
    HS_NEED(study->autos = hs_arena_zero(&study->arena, node->count + 1, sizeof *study->autos));
    for (; item; item = hs_item_after(node, item)) {
        choosing c = {0};
        hs_study_auto *out = &c.out;
        hs_buf text = {0};
        HS_TRY(hs_read_keys(r, item, "auto", hs_auto_keys, &c, error));
        r->metric = c.metric;
        HS_TRY(hs_named_metric(r, item, &out->metric, error));
        hs_buf_printf(&text, "auto:metric=%s,inner-folds=%u,inner-repeats=%u,race=",
                      hs_metric_name(out->metric), out->inner_folds, out->inner_repeats);
        char digits[32];
        hs_format_double(out->race, digits);
        hs_buf_printf(&text, "%s,of=%016llx", digits,
                      (unsigned long long)XXH3_64bits_digest(&hash) ^ (unsigned)study->rank_by);
        HS_NEED(out->method.text = hs_keep(&study->arena, &text));
        out->method.label = c.label;
        out->method.line = item->line;
        for (size_t i = 0; i < study->auto_count; i++)
            if (strcmp(study->autos[i].method.label, c.label) == 0)
                return hs_wrong(
                    r, item->line, error,
                    "another automatic choice is called '%.80s': give one of them a label",
                    c.label);
        study->autos[study->auto_count++] = *out;
    }
    return HSEL_OK;
}

/* ---- tuning ---- */

const hs_option hs_tune_keys[] = {
    HS_OPTION(hs_reading, study.tune.budget, "budget", "N", "1000", 1, 100000000, "runs of irace"),
    HS_TEXT(hs_reading, metric, "metric", "METRIC", NULL,
            "metric to maximise (default: the first of metrics)"),
    HS_OPTION(hs_reading, study.tune.seed, "seed", "S", "1", 0, 2147483647, "seed of irace"),
    HS_NESTED("parameters", "OPTION: VALUES, …",
              "options of the selector, each with its range, choices, or bounds"),
    HS_OPTION_END};

typedef struct making {
    hs_reading *r;
    const hs_option *option;
    void *scratch; /* option values, to try them */
    unsigned long line;
    hs_tune_parameter *out;
    hs_buf range; /* of choices, so far */
} making;

static int try_value(const making *m, const char *text, size_t length, hsel_error *error)
{
    return hs_at(m->r, m->line,
                 hs_option_set(m->option, m->scratch, text, length, &m->r->study.arena, error),
                 error);
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
        return hs_wrong(m->r, m->line, error,
                        "a range goes from a lower to a higher number, not '%.80s'", text);
    m->out->type = m->option->type == HS_OPT_DOUBLE ? 'r' : 'i';
    const char *point = slash ? strchr(slash, '.') : NULL;
    int digits = point ? (int)strlen(point) - 1 : slash ? 0 : 4;
    if (m->out->type == 'r' && digits > tune->digits)
        tune->digits = digits < 15 ? digits : 15;
    hs_buf_printf(&m->range, "(%.*s, %.*s)", (int)low_length, text, (int)high_length, high);
    return HSEL_OK;
}

/* Choices pass through R and a shell, so only characters that mean nothing to either are accepted.
 */
static int add_choice(making *m, const char *word, size_t length, hsel_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-+:=/%@";
    if (strspn(word, plain) < length || length == 0)
        return hs_wrong(m->r, m->line, error, "'%.*s' cannot be a choice of %s: give plain words",
                        (int)length, word, m->option->name);
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
    bool all = strcmp(text, "bounds") == 0; /* that the option takes */
    char low[40], high[40], bounds[96];
    if (node->kind == HS_YAML_LIST && node->first) {
        for (const hs_yaml *item = node->first; item; item = item->next) {
            if (item->kind != HS_YAML_TEXT)
                return hs_wrong(m->r, item->line, error, "choices of %s must be texts",
                                option->name);
            HS_TRY(add_choice(m, item->text, strlen(item->text), error));
        }
        hs_buf_char(&m->range, ')');
        return HSEL_OK;
    }
    if (all && option->type == HS_OPT_CHOICE)
        return read_choices(m, option->value, strlen(option->value), '|', error);
    if (all && option->type == HS_OPT_BOOL)
        return read_choices(m, "true,false", 10, ',', error);
    if (all && !number)
        return hs_wrong(m->r, m->line, error, "option %s has no bounds: give its values",
                        option->name);
    if (all) {
        hs_format_double(option->min, low);
        hs_format_double(option->max, high);
        snprintf(bounds, sizeof bounds, "%s..%s", low, high);
        text = bounds;
    }
    if (length > 2 && text[0] == '{' && text[length - 1] == '}')
        return read_choices(m, text + 1, length - 2, ',', error);
    if (number && strstr(text, ".."))
        return read_range(m, text, error);
    return hs_wrong(m->r, node->line, error,
                    "values of %s are a range (0.9..1/0.01), choices ([a, b]), or bounds",
                    option->name);
}

static void making_clear(making *m) { hs_buf_clear(&m->range); }

int hs_read_tune(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    hs_tune *tune = &study->tune;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_TRY(hs_named_metric(r, node, &tune->metric, error));
    const hs_yaml *list = hs_yaml_find(node, "parameters");
    if (!list || list->kind != HS_YAML_MAPPING || !list->first)
        return hs_wrong(r, node->line, error,
                        "tune needs parameters: options of the selector with their values");
    if (study->selector_count != 1 || study->classifier_count != 1)
        return hs_wrong(
            r, node->line, error,
            "tune is for one selector and one classifier, but the study has %zu and %zu",
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
            return hs_wrong(r, value->key_line, error, "%s has no option '%.80s'%s%s%s",
                            method->name, value->key, nearest ? "; did you mean '" : "",
                            nearest ? nearest : "", nearest ? "'?" : "");
        hs_tune_parameter *out = &tune->parameters[tune->count++];
        *out = (hs_tune_parameter){.name = option->name, .type = 'c'};
        HS_OWNS(making_clear) making m = {r, option, scratch, value->line, out, {0}};
        HS_TRY(read_values(&m, value, error));
        HS_NEED(out->range = hs_keep(&study->arena, &m.range));
    }
    return HSEL_OK;
}

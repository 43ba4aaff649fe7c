/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a study: the text into a tree (yaml.c), the tree by tables of keys into the study. A
 * table is an option table: what a key takes, its default and its bounds are said once, in the
 * words that options have everywhere. Everything that the study holds lies in its arena, so
 * clearing it is one call and a failure leaves nothing behind.
 */
#include "study/study.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "core/mem.h"
#include "core/reader.h"
#include "core/text.h"
#include "evaluate/fold_file.h"
#include "format/folder.h"
#include "study/study_parts.h"

#define RANKERS_LIMIT 1000 /* a matrix of more is of no use to anybody */

typedef hs_study_reader reader;

/* ---- keys ---- */

static const hs_option top_keys[] = {
    HS_TEXT(reader, study.name, "name", "NAME", NULL,
            "name of the study (default: that of its file)"),
    HS_TEXT(reader, study.title, "title", "TEXT", NULL,
            "heading of the report (default: the name)"),
    HS_NESTED("datasets", "LIST", "data sets: paths, or keys as below"),
    HS_NESTED("selectors", "LIST", "selectors: texts, or keys as below"),
    HS_NESTED("classifiers", "LIST", "classifiers, likewise"),
    HS_NESTED("folds", "KEYS", "how cross-validation is done"),
    HS_NESTED("metrics", "LIST", "what is shown (default: gm, auroc, auprc)"),
    HS_NESTED("compare", "KEYS", "how selectors are compared"),
    HS_NESTED("best-of", "KEYS", "show of a sweep the best setting on each data set"),
    HS_NESTED("published", "KEYS", "published figures to stand beside"),
    HS_FLAG(reader, study.allow_violations, "allow-violations",
            "run hierarchical selectors also where the true-path rule is broken"),
    HS_NESTED("tune", "KEYS", "what hsel tune looks for"),
    HS_NESTED("rankings", "LIST", "rankers to compare with each other: texts, or keys as below"),
    HS_CHOICE(reader, study.rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_OPTION_END};

static const hs_option folds_keys[] = {
    HS_TEXT(
        reader, study.scheme, "scheme", "own|weka|wan|loo|file:PATH", "own",
        "how instances come into folds, as in hsel eval; weka:1: those of seed 1 in every repeat"),
    HS_OPTION(reader, study.folds, "count", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(reader, study.repeats, "repeats", "N", "1", 1, 100000,
              "how often to repeat, with other folds"),
    HS_OPTION(reader, study.seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"),
    HS_OPTION_END};

static const hs_option compare_keys[] = {
    HS_TEXT(reader, control, "control", "METHOD", NULL,
            "the selector (or classifier, if these are compared) that the others are compared with "
            "(Holm)"),
    HS_OPTION(reader, study.alpha, "alpha", "P", "0.05", 1e-12, 0.5, "level of the tests"),
    HS_CHOICE(reader, by, "by", "fold-mean|pooled", "fold-mean",
              "which of the two readings of a metric is shown and tested"),
    HS_CHOICE(reader, across, "across", "auto|selectors|classifiers", "auto",
              "what stands side by side in tables and tests: the selectors for each classifier, or "
              "the classifiers for each selector; auto compares classifiers when there is one "
              "selector and several of them"),
    HS_FLAG(reader, study.errors, "errors", "whether tables show standard errors over folds"),
    HS_FLAG(reader, study.one_sided, "one-sided",
            "whether p-values against the control are one-sided"),
    HS_OPTION_END};

static const hs_option best_keys[] = {
    HS_NESTED("selector", "SELECTOR, …", "methods, or labels or texts of single sweeps"),
    HS_TEXT(reader, metric, "metric", "METRIC", NULL,
            "what the best is chosen by (default: the first metric)"),
    HS_OPTION_END};

static const hs_option rankings_keys[] = {
    HS_NESTED("by", "LIST", "rankers and measures: texts, or keys as above"),
    HS_CHOICE(reader, tau, "tau", "b|a", "b",
              "Kendall's tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(reader, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as WEKA's Ranker has them"),
    HS_OPTION_END};

static const hs_option published_keys[] = {
    HS_TEXT(reader, study.published.file, "file", "FILE", NULL,
            "table of published figures, from the folder of the study"),
    HS_NESTED("map", "OURS: THEIRS, …",
              "our words for methods, data sets and metrics, and the paper's"),
    HS_OPTION_END};

const hs_study_keys hs_study_key_tables[] = {
    {"a study", top_keys},
    {"a data set", hs_study_dataset_keys},
    {"a method", hs_study_method_keys},
    {"folds", folds_keys},
    {"compare", compare_keys},
    {"best-of", best_keys},
    {"published", published_keys},
    {"tune", hs_study_tune_keys},
    {"rankings", rankings_keys},
};
const size_t hs_study_key_table_count = sizeof hs_study_key_tables / sizeof hs_study_key_tables[0];

int hs_keys_read(reader *r, const hs_yaml *mapping, const char *owner, const hs_option *table,
                 void *values, hsel_error *error)
{
    HS_TRY(hs_options_defaults(table, values, &r->study.arena, error));
    if (mapping && mapping->kind != HS_YAML_MAPPING)
        return hs_study_fail(r, mapping->line, error,
                             "%s is written as keys and values, e.g. '%s: %s'", owner, table->name,
                             table->value ? table->value : "true");
    for (const hs_yaml *value = mapping ? mapping->first : NULL; value; value = value->next) {
        const hs_option *option = hs_option_find(table, value->key, strlen(value->key));
        hsel_error because = {0};
        if (!option) {
            const char *nearest = hs_option_nearest(table, value->key);
            HS_OWNS(hs_buf_clear) hs_buf known = {0};
            if (nearest)
                return hs_study_fail(r, value->key_line, error,
                                     "there is no key '%.80s' in %s; did you mean '%s'?",
                                     value->key, owner, nearest);
            for (const hs_option *o = table; o->type != HS_OPT_END; o++)
                hs_buf_printf(&known, "%s%s", known.length ? ", " : "", o->name);
            HS_NEED(!known.failed);
            return hs_study_fail(r, value->key_line, error,
                                 "there is no key '%.80s' in %s; there are: %s", value->key, owner,
                                 known.text);
        }
        if (option->type == HS_OPT_LIST)
            continue;
        if (value->kind != HS_YAML_TEXT)
            return hs_study_fail(r, value->line, error, "'%s' takes one text, not a %s",
                                 option->name, value->kind == HS_YAML_LIST ? "list" : "mapping");
        if (value->text[0] == '\0')
            return hs_study_fail(r, value->key_line, error, "there is nothing after '%s:'",
                                 option->name);
        if (hs_option_set(option, values, value->text, strlen(value->text), &r->study.arena,
                          &because))
            return hs_study_fail_because(r, value->line, &because, error);
    }
    return HSEL_OK;
}

int hs_items_of(reader *r, const hs_yaml *node, const hs_yaml **first, hsel_error *error)
{
    *first = node->kind == HS_YAML_LIST ? node->first : node;
    if (node->kind == HS_YAML_MAPPING)
        return hs_study_fail(r, node->line, error, "'%s' takes a list", node->key);
    if (!*first || (node->kind == HS_YAML_TEXT && node->text[0] == '\0'))
        return hs_study_fail(r, node->key_line, error, "'%s' is empty: give at least one",
                             node->key);
    return HSEL_OK;
}

/* ---- messages ---- */

int hs_study_fail(const reader *r, unsigned long line, hsel_error *error, const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return hs_fail_at(error, HSEL_EFORMAT, r->study.file, line, "%s", text);
}

int hs_study_fail_because(const reader *r, unsigned long line, const hsel_error *because,
                          hsel_error *error)
{
    if (because->code == HSEL_ENOMEM)
        return hs_fail_memory(error);
    int code = because->code == HSEL_EUSAGE ? HSEL_EFORMAT : because->code;
    return hs_fail_at(error, code, r->study.file, line, "%s", because->message);
}

/* "; did you mean 'x'?" for one of `words`, or nothing. */
static const char *did_you_mean(const char *word, const char *const *words, size_t count,
                                char out[128])
{
    int nearest = hs_nearest(word, words, count);
    out[0] = '\0';
    if (nearest >= 0)
        snprintf(out, 128, "; did you mean '%.100s'?", words[nearest]);
    return out;
}

/* The same among the first names and labels of the study. */
static const char *nearest_word(const hs_study *s, const char *word, bool with_data, char out[128])
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
    return did_you_mean(word, words, count, out);
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

/* ---- paths ---- */

/* What a user sets in the environment is meant from where he stands; what is written in the file is
 * meant from the file. */
int hs_study_path(reader *r, unsigned long line, const char *text, const char *base,
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
        char name[128];
        const char *begin = at + 2, *end = strchr(begin, '}'), *rest = begin;
        while (isalpha((unsigned char)*rest) || *rest == '_' ||
               (rest > begin && isdigit((unsigned char)*rest)))
            rest++;
        size_t length = (size_t)(rest - begin);
        bool has_default = strncmp(rest, ":-", 2) == 0;
        if (!end || length == 0 || length >= sizeof name || (!has_default && rest != end))
            return hs_study_fail(r, line, error,
                                 "'%.*s' is not a variable: write ${NAME} or ${NAME:-default}",
                                 (int)(end && end - at < 100 ? end - at + 1 : 100), at);
        memcpy(name, begin, length);
        name[length] = '\0';
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
    HS_NEED(*out = hs_arena_keep(&r->study.arena, &whole));
    return HSEL_OK;
}

/* ---- folds and metrics ---- */

static int read_folds(reader *r, const hs_yaml *node, hsel_error *error)
{
    static const char *const words[] = {"own", "weka", "wan", "loo"};
    hs_fold_scheme parsed;
    uint64_t seed;
    char hint[128];
    HS_TRY(hs_keys_read(r, node, "folds", folds_keys, r, error));
    const char *scheme = r->study.scheme;
    const hs_yaml *given = hs_yaml_find(node, "scheme");
    if (strncmp(scheme, "file:", 5) == 0) {
        HS_OWNS(hs_buf_clear) hs_buf file = {0};
        bool unset;
        const char *path;
        HS_TRY(hs_study_path(r, given->line, scheme + 5, NULL, &path, &unset, error));
        hs_buf_printf(&file, "file:%s", path);
        HS_NEED(r->study.scheme = hs_arena_keep(&r->study.arena, &file));
    } else if (!hs_fold_scheme_parse(scheme, &parsed, &seed)) {
        did_you_mean(scheme, words, sizeof words / sizeof words[0], hint);
        return hs_study_fail(r, given->line, error, "there is no fold scheme '%.80s'%s", scheme,
                             *hint ? hint : "; there are own, weka, wan, loo and file:PATH");
    }
    return HSEL_OK;
}

static int find_metric(const reader *r, const hs_yaml *name, hs_metric *out, hsel_error *error)
{
    const char *words[HS_METRICS];
    char hint[128];
    *out = hs_metric_find(name->text, strlen(name->text));
    if (*out != HS_METRICS)
        return HSEL_OK;
    for (int i = 0; i < HS_METRICS; i++)
        words[i] = hs_metric_name((hs_metric)i);
    return hs_study_fail(r, name->line, error, "there is no metric '%.80s'%s", name->text,
                         did_you_mean(name->text, words, HS_METRICS, hint));
}

int hs_study_metric(const reader *r, const hs_yaml *mapping, hs_metric *out, hsel_error *error)
{
    const hs_yaml *name = hs_yaml_find(mapping, "metric");
    *out = r->study.metrics[0];
    return name ? find_metric(r, name, out, error) : HSEL_OK;
}

static int read_metrics(reader *r, const hs_yaml *node, hsel_error *error)
{
    static const hs_metric usual[] = {HS_METRIC_GM, HS_METRIC_AUROC, HS_METRIC_AUPRC};
    hs_study *study = &r->study;
    const hs_yaml *item = NULL;
    bool given[HS_METRICS] = {false};
    hs_metric metric;
    if (!node) {
        memcpy(study->metrics, usual, sizeof usual);
        study->metric_count = sizeof usual / sizeof usual[0];
        return HSEL_OK;
    }
    HS_TRY(hs_items_of(r, node, &item, error));
    for (; item; item = hs_item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return hs_study_fail(r, item->line, error, "'metrics' takes names such as gm or auroc");
        HS_TRY(find_metric(r, item, &metric, error));
        if (given[metric])
            return hs_study_fail(r, item->line, error, "the metric %s was given before",
                                 item->text);
        given[metric] = true;
        study->metrics[study->metric_count++] = metric;
    }
    return HSEL_OK;
}

/* ---- comparisons ---- */

/* The method that a word names by text or label; NULL: none. */
static int find_method(reader *r, hs_kind kind, const char *word, const hs_study_method **out,
                       hsel_error *error)
{
    const hs_study *s = &r->study;
    const hs_study_method *methods = kind == HS_SELECTOR ? s->selectors : s->classifiers;
    size_t count = kind == HS_SELECTOR ? s->selector_count : s->classifier_count;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    *out = NULL;
    if (hs_method_find(kind, word, strcspn(word, ":"))) {
        int status = hs_chosen_parse(kind, word, &chosen, NULL);
        HS_NEED(status != HSEL_ENOMEM);
        if (status == HSEL_OK)
            hs_chosen_format(&chosen, &text);
        HS_NEED(!text.failed);
    }
    for (size_t i = 0; i < count && !*out; i++)
        if (strcmp(methods[i].label, word) == 0 ||
            (text.text && strcmp(methods[i].text, text.text) == 0))
            *out = &methods[i];
    return HSEL_OK;
}

static int read_compare(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    char hint[128];
    HS_TRY(hs_keys_read(r, node, "compare", compare_keys, r, error));
    study->pooled = r->by == 1;
    study->across_classifiers = r->across == 2 || (r->across == 0 && study->selector_count == 1 &&
                                                   study->classifier_count > 1);
    if (!r->control)
        return HSEL_OK;
    bool classifiers = study->across_classifiers;
    const hs_study_method *control;
    HS_TRY(find_method(r, classifiers ? HS_CLASSIFIER : HS_SELECTOR, r->control, &control, error));
    if (!control)
        return hs_study_fail(r, hs_yaml_find(node, "control")->line, error,
                             "the control '%.80s' is not one of the %s%s", r->control,
                             classifiers ? "classifiers" : "selectors",
                             nearest_word(study, r->control, classifiers, hint));
    study->control = control->text;
    return HSEL_OK;
}

static int read_best_of(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    HS_OWNS(hs_buf_clear) hs_buf all = {0};
    HS_TRY(hs_keys_read(r, node, "best-of", best_keys, r, error));
    const hs_yaml *list = hs_yaml_find(node, "selector"), *item = NULL;
    if (!list)
        return hs_study_fail(r, node->line, error, "there is no key 'selector' in best-of");
    HS_TRY(hs_items_of(r, list, &item, error));
    for (; item; item = hs_item_after(list, item)) {
        bool found = false;
        for (size_t i = 0; item->kind == HS_YAML_TEXT && i < study->selector_count; i++) {
            hs_study_method *method = &study->selectors[i];
            size_t length = strlen(item->text);
            bool named = strcmp(method->family, item->text) == 0 ||
                         strcmp(method->family_label, item->text) == 0 ||
                         (strncmp(method->text, item->text, length) == 0 &&
                          (method->text[length] == ':' || method->text[length] == '\0'));
            method->best |= method->sweep && named;
            found |= method->sweep && named;
        }
        if (!found)
            return hs_study_fail(
                r, item->line, error,
                "'%.80s' names no sweep: a sweep is a selector with braces or a range, "
                "e.g. shsel:threshold=0..1/0.1",
                item->kind == HS_YAML_TEXT ? item->text : "selector");
        hs_buf_printf(&all, "%s%s", all.length ? ", " : "", item->text);
    }
    HS_NEED(study->best_of = hs_arena_keep(&study->arena, &all));
    return hs_study_metric(r, node, &study->best_metric, error);
}

/* A list of rankers, or a mapping that has the list under `by`. */
static int read_rankings(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *list = node;
    if (node->kind == HS_YAML_MAPPING) {
        HS_TRY(hs_keys_read(r, node, "rankings", rankings_keys, r, error));
        if (!(list = hs_yaml_find(node, "by")))
            return hs_study_fail(r, node->line, error, "there is no key 'by' in rankings");
    }
    HS_TRY(hs_study_methods(r, HS_RANKER, list, &study->rankers, &study->ranker_count, error));
    if (study->ranker_count < 2)
        return hs_study_fail(r, list->line, error,
                             "'%s' has one ranker: two or more can be compared", list->key);
    if (study->ranker_count > RANKERS_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, study->file, list->line,
                          "%zu rankers; at most %d can be compared", study->ranker_count,
                          RANKERS_LIMIT);
    study->tau = r->tau == 0 ? HS_TAU_B : r->ties == 0 ? HS_TAU_A_INDEX : HS_TAU_A_WEKA;
    return HSEL_OK;
}

/* ---- published figures ---- */

/* A word of the study as tables of results have it: canonical text, family, or itself. */
static int our_word(reader *r, const hs_yaml *pair, const char **out, hsel_error *error)
{
    const hs_study *study = &r->study;
    const hs_study_method *method = NULL;
    const char *word = pair->key;
    char hint[128];
    *out = word;
    for (size_t i = 0; i < study->dataset_count; i++)
        if (strcmp(study->datasets[i].name, word) == 0)
            return HSEL_OK;
    if (hs_metric_find(word, strlen(word)) != HS_METRICS)
        return HSEL_OK;
    for (size_t i = 0; i < study->selector_count; i++) {
        *out = study->selectors[i].family;
        if (study->selectors[i].sweep &&
            (strcmp(*out, word) == 0 || strcmp(study->selectors[i].family_label, word) == 0))
            return HSEL_OK;
    }
    HS_TRY(find_method(r, HS_SELECTOR, word, &method, error));
    if (!method)
        HS_TRY(find_method(r, HS_CLASSIFIER, word, &method, error));
    *out = method ? method->text : word;
    if (method || r->unmatched) /* a data set that is not here, perhaps */
        return HSEL_OK;
    return hs_study_fail(r, pair->key_line, error,
                         "'%.80s' is no selector, classifier, data set or metric of this study%s",
                         word, nearest_word(study, word, true, hint));
}

static int read_published(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_published *p = &r->study.published;
    bool unset;
    HS_TRY(hs_keys_read(r, node, "published", published_keys, r, error));
    if (!p->file)
        return hs_study_fail(r, node->line, error, "there is no key 'file' in published");
    HS_TRY(
        hs_study_path(r, hs_yaml_find(node, "file")->line, p->file, NULL, &p->file, &unset, error));
    const hs_yaml *map = hs_yaml_find(node, "map");
    if (!map)
        return HSEL_OK;
    if (map->kind != HS_YAML_MAPPING)
        return hs_study_fail(r, map->line, error,
                             "'map' is written as keys and values, e.g. 'none: nofs'");
    const char **from = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    const char **to = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    HS_NEED(from && to);
    p->from = from;
    p->to = to;
    for (const hs_yaml *pair = map->first; pair; pair = pair->next) {
        if (pair->kind != HS_YAML_TEXT || pair->text[0] == '\0')
            return hs_study_fail(r, pair->key_line, error,
                                 "'%.80s' needs the paper's word after it", pair->key);
        HS_TRY(our_word(r, pair, &from[p->count], error));
        to[p->count++] = pair->text;
    }
    return HSEL_OK;
}

/* ---- all of it ---- */

/* A name may become part of a file name. */
static int read_name(reader *r, const hs_yaml *node, hsel_error *error)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    hs_study *study = &r->study;
    const char *name = study->name;
    if (name && (strspn(name, allowed) != strlen(name) || name[0] == '.' || name[0] == '-'))
        return hs_study_fail(r, node->line, error,
                             "the name '%.80s' should have letters, digits and . _ - only", name);
    if (!name) {
        HS_OWNS(hs_buf_clear) hs_buf from_file = {0};
        hs_name_from_path(study->file, &from_file);
        if (from_file.length == 0)
            hs_buf_text(&from_file, "study");
        HS_NEED(study->name = hs_arena_keep(&study->arena, &from_file));
    }
    if (!study->title)
        study->title = study->name;
    return HSEL_OK;
}

static int read_selectors(reader *r, const hs_yaml *node, hsel_error *error)
{
    return hs_study_methods(r, HS_SELECTOR, node, &r->study.selectors, &r->study.selector_count,
                            error);
}

static int read_classifiers(reader *r, const hs_yaml *node, hsel_error *error)
{
    return hs_study_methods(r, HS_CLASSIFIER, node, &r->study.classifiers,
                            &r->study.classifier_count, error);
}

/* What is left to do for a key, in an order in which words that name something come after it. */
static const struct {
    const char *key;
    bool always; /* also when the key is not given */
    int (*read)(reader *r, const hs_yaml *node, hsel_error *error);
} parts[] = {
    {"name", true, read_name},
    {"folds", true, read_folds},
    {"metrics", true, read_metrics},
    {"selectors", false, read_selectors},
    {"classifiers", false, read_classifiers},
    {"datasets", false, hs_study_datasets},
    {"compare", true, read_compare},
    {"best-of", false, read_best_of},
    {"rankings", false, read_rankings},
    {"tune", false, hs_study_tune},
    {"published", false, read_published},
};

static void reader_clear(reader *r) { hs_study_clear(&r->study); }

int hs_study_parse(const char *name, const char *text, size_t length, hs_study *out,
                   hsel_error *error)
{
    HS_OWNS(reader_clear) reader r = {0};
    hs_study *study = &r.study;
    hs_yaml *root = NULL;
    const char *slash = strrchr(name, '/');
    *out = (hs_study){0};
    if (length > HS_STUDY_BYTES)
        return hs_fail_at(error, HSEL_ELIMIT, name, 0, "more than %zu bytes: this is no study file",
                          HS_STUDY_BYTES);
    study->file = hs_arena_text(&study->arena, name, strlen(name));
    study->text = hs_arena_text(&study->arena, text, length);
    r.folder = hs_arena_text(&study->arena, name, slash ? (size_t)(slash - name) + 1 : 0);
    HS_NEED(study->file && study->text && r.folder);
    HS_TRY(hs_yaml_parse(study->file, study->text, length, &study->arena, &root, error));
    HS_TRY(hs_keys_read(&r, root, "a study", top_keys, &r, error));
    static const char *const required[] = {"datasets", "selectors", "classifiers"};
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!hs_yaml_find(root, required[i]))
            return hs_study_fail(
                &r, root->line, error,
                "there is no key '%s': a study needs datasets, selectors and classifiers",
                required[i]);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const hs_yaml *node = hs_yaml_find(root, parts[i].key);
        if (node || parts[i].always)
            HS_TRY(parts[i].read(&r, node, error));
    }
    *out = *study;
    *study = (hs_study){0};
    return HSEL_OK;
}

/* All of a file, at most HS_STUDY_BYTES and a little more unless `hash` takes it. */
static int read_all(const char *path, hs_buf *text, XXH3_state_t *hash, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *file = NULL;
    const char *block;
    size_t length;
    int got = 0;
    HS_TRY(hs_reader_open(path, &file, error));
    while (text->length <= HS_STUDY_BYTES && !text->failed &&
           (got = hs_reader_block(file, &block, &length, error)) > 0) {
        if (hash)
            XXH3_64bits_update(hash, block, length);
        else
            hs_buf_add(text, block, length);
    }
    HS_NEED(!text->failed);
    return got < 0 ? got : HSEL_OK;
}

int hs_study_read(const char *path, hs_study *out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, content = {0};
    HS_OWNS(hs_study_clear) hs_study study = {0};
    XXH3_state_t hash;
    *out = (hs_study){0};
    HS_TRY(read_all(path, &text, NULL, error));
    HS_TRY(hs_study_parse(path, text.text ? text.text : "", text.length, &study, error));
    if (strncmp(study.scheme, "file:", 5) == 0) { /* a fold file by its content */
        XXH3_64bits_reset(&hash);
        HS_TRY(read_all(study.scheme + 5, &content, &hash, error));
        hs_buf_printf(&content, "file:%016llx", (unsigned long long)XXH3_64bits_digest(&hash));
        HS_NEED(study.fold_file = hs_arena_keep(&study.arena, &content));
    }
    *out = study;
    study = (hs_study){0};
    return HSEL_OK;
}

void hs_study_clear(hs_study *study)
{
    hs_arena_clear(&study->arena);
    *study = (hs_study){0};
}

uint64_t hs_study_jobs(const hs_study *study)
{
    const uint64_t factors[] = {study->selector_count, study->classifier_count, study->repeats,
                                study->folds};
    uint64_t jobs = 0;
    for (size_t i = 0; i < study->dataset_count; i++)
        jobs += !study->datasets[i].missing;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        if (__builtin_mul_overflow(jobs, factors[i], &jobs))
            return UINT64_MAX;
    return jobs;
}

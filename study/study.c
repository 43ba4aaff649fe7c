/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a study: the text into a tree (yaml.c), the tree by tables of keys into the study. A
 * table is an option table: what a key takes, its default and its bounds are said once, in the
 * words that options have everywhere. Everything that the study holds lies in its arena, so
 * clearing it is one call and a failure leaves nothing behind.
 *
 * Data sets: paths with braces and globs, generated sets, what is done on loading. Every data set
 * that the study names is in the list, also if it is not there; names do not repeat.
 *
 * Selectors, classifiers and rankers: grids expanded, every text checked and made canonical, so
 * that one setting has one text. A setting that was given before is a mistake, unless a grid brings
 * it: then it stays where it was first.
 *
 * What is to be tuned: which options of the selector, over which values. Written as in a grid
 * ("0.9..1/0.01", "{ig,lift}"), or `bounds` for all that the option takes; kept in the words of
 * irace. Every value that is named is tried on the option, so that a mistake is told with its line.
 */
#include "study/study.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "core/mem.h"
#include "core/method.h"
#include "core/names.h"
#include "core/reader.h"
#include "core/text.h"
#include "data/checks.h"
#include "learn/fold_file.h"
#include "format/folder.h"
#include "data/classes.h"
#include "format/load.h"
#include "rank/rank.h"
#include "data/similarity.h"
#include "study/grid.h"
#include "study/yaml.h"

#define RANKERS_LIMIT 1000 /* a matrix of more is of no use to anybody */

/* ---- keys ----
 *
 * A key is a row of an option table. Most rows name a field of the study itself; what else is given
 * has to be looked up when the whole mapping is read. A row of NESTED takes a list or mapping,
 * which is left to its own reader; `value` says what. */

typedef struct reader {
    hs_study study;     /* what is made; everything of it lies in its arena */
    const char *folder; /* that relative paths start from: "" or ending in a slash */
    bool unmatched;     /* a glob found nothing, so that not all data sets are known by name */
    bool classes;       /* a data set names no target */
    const char *control, *metric;
    int by, across, tau, ties;
    hs_list nested;
} reader;

typedef struct entry { /* one item of `datasets` */
    const char *path, *generate, *name, *hierarchy, *target;
    uint64_t seed;
    hs_list nested;
} entry;

typedef struct choosing { /* one item of `auto` */
    hs_study_auto out;
    const char *label, *metric, *of; /* the last: the candidates, by a checksum of their texts */
} choosing;

typedef struct simulating { /* one item of `simulate` */
    hs_study_simulation out;
    hs_list nested;
} simulating;

#define NESTED(name, value, help) HS_OPTION(reader, nested, name, value, NULL, 0, 0, help)

static const hs_option top_keys[] = {
    HS_TEXT(reader, study.name, "name", "NAME", NULL,
            "name of the study (default: that of its file)"),
    HS_TEXT(reader, study.title, "title", "TEXT", NULL,
            "heading of the report (default: the name)"),
    NESTED("datasets", "LIST", "data sets: paths, or keys as below"),
    NESTED("selectors", "LIST", "selectors: texts, or keys as below"),
    NESTED("classifiers", "LIST", "classifiers, likewise"),
    NESTED("folds", "KEYS", "how cross-validation is done"),
    NESTED("metrics", "LIST", "what is shown (default: gm, auroc, auprc)"),
    NESTED("compare", "KEYS", "how selectors are compared"),
    NESTED("best-of", "KEYS", "show of a sweep the best setting on each data set"),
    NESTED("published", "KEYS", "published figures to stand beside"),
    HS_FLAG(reader, study.allow_violations, "allow-violations",
            "run hierarchical selectors also where the true-path rule is broken"),
    NESTED("tune", "KEYS", "what hsel tune looks for"),
    NESTED("auto", "LIST", "automatic choices among all pairs of selector and classifier"),
    NESTED("simulate", "LIST", "simulations of the procedures of hsel test, keys as below"),
    NESTED("rankings", "LIST", "rankers to compare with each other: texts, or keys as below"),
    HS_CHOICE(reader, study.rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_OPTION_END};

static const hs_option dataset_keys[] = {
    HS_TEXT(entry, path, "path", "PATH", NULL,
            "file, folder or pack; braces, globs and ${NAME:-default} make it several"),
    HS_TEXT(entry, generate, "generate", "GENERATOR", NULL,
            "a generated data set instead of a path, as in hsel generate"),
    HS_TEXT(entry, name, "name", "NAME", NULL,
            "name in tables (default: from the path, or the generator's text)"),
    HS_TEXT(entry, target, "target", "NAME", NULL,
            "a number to predict in place of a class: a numeric column, feature or column of the "
            "instances' table"),
    HS_OPTION(entry, nested, "prepare", "OPTION,…", NULL, 0, 0,
              "options of loading, as in hsel convert, without dashes: texts, or keys and values"),
    HS_OPTION(entry, nested, "labels", "NAME,…|all", NULL, 0, 0,
              "classes of data that have several: each makes a data set called SET/NAME"),
    HS_TEXT(entry, hierarchy, "hierarchy", "FILE", NULL,
            "hierarchy over the features, from the folder of the data"),
    HS_OPTION(entry, seed, "seed", "S", "1", 0, 9e15, "seed of a generated data set"),
    HS_OPTION_END};

static const hs_option method_keys[] = {
    HS_TEXT(hs_study_method, family_label, "label", "TEXT", NULL,
            "short name in tables (default: the method's text)"),
    HS_TEXT(hs_study_method, family, "method", "METHOD", NULL,
            "the method, with its options or grids of them"),
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
    HS_FLAG(reader, study.tuned, "tuned",
            "whether the best of a sweep (best-of), chosen on the test folds, takes part in ranks "
            "and tests"),
    HS_FLAG(reader, study.stability, "stability",
            "whether the report tells how stable selection is on the hierarchy, and that of "
            "selectors that choose for each instance, as hsel eval --stability"),
    HS_CHOICE(reader, study.similarity, "similarity", HS_SIMILARITY_WORDS, "lin",
              "how similar two features are for the former"),
    HS_OPTION_END};

static const hs_option best_keys[] = {
    NESTED("selector", "SELECTOR, …", "methods, or labels or texts of single sweeps"),
    HS_TEXT(reader, metric, "metric", "METRIC", NULL,
            "what the best is chosen by (default: the first metric)"),
    HS_OPTION_END};

static const hs_option rankings_keys[] = {
    NESTED("by", "LIST", "rankers and measures: texts, or keys as above"),
    HS_CHOICE(reader, tau, "tau", "b|a", "b",
              "Kendall's tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(reader, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as WEKA's Ranker has them"),
    HS_OPTION_END};

static const hs_option simulate_keys[] = {
    HS_OPTION(simulating, nested, "procedures", "LIST", NULL, 0, 0,
              "procedures of hsel test; focused-bh also with filter and similar"),
    HS_CHOICE(simulating, out.what.p_values, "p-values", HS_SIMULATE_WORDS, "independent",
              "independent tests of normal values, or Fisher's test of classes that are drawn"),
    HS_OPTION(simulating, nested, "effects", "LIST", NULL, 0, 0,
              "effects of planted terms: in standard deviations, or log of the ratio of odds"),
    HS_OPTION(simulating, out.what.runs, "runs", "N", "200", 2, 100000, "runs for each effect"),
    HS_OPTION(simulating, out.what.planted, "planted", "N", "20", 1, 100000, "planted terms"),
    HS_OPTION(simulating, out.what.alpha, "alpha", "P", "0.05", 1e-12, 0.5,
              "level of the procedures"),
    HS_OPTION(simulating, out.what.seed, "seed", "S", "1", 0, 9e15, "seed"),
    HS_OPTION_END};

static const hs_option auto_keys[] = {
    HS_TEXT(choosing, label, "label", "TEXT", "auto", "short name in tables"),
    HS_TEXT(choosing, metric, "metric", "METRIC", NULL,
            "what the choice goes by (default: the first metric)"),
    HS_OPTION(choosing, out.inner_folds, "inner-folds", "N", "5", 2, 1000,
              "inner folds: they make the choice"),
    HS_OPTION(choosing, out.inner_repeats, "inner-repeats", "N", "1", 1, 1000,
              "how often to repeat the inner folds, with others"),
    HS_OPTION(choosing, out.race, "race", "LEVEL", "0.05", 0, 0.5,
              "level at which candidates without hope leave the race; 0: none does"),
    HS_OPTION_END};

static const hs_option published_keys[] = {
    HS_TEXT(reader, study.published.file, "file", "FILE", NULL,
            "table of published figures, from the folder of the study"),
    NESTED("map", "OURS: THEIRS, …",
           "our words for methods, data sets and metrics, and the paper's"),
    HS_OPTION_END};

static const hs_option tune_keys[] = {
    HS_OPTION(reader, study.tune.budget, "budget", "N", "1000", 1, 100000000, "runs of irace"),
    HS_TEXT(reader, metric, "metric", "METRIC", NULL,
            "what is maximised (default: the first of metrics)"),
    HS_OPTION(reader, study.tune.seed, "seed", "S", "1", 0, 2147483647, "seed of irace"),
    NESTED("parameters", "OPTION: VALUES, …",
           "options of the selector, each with its range, choices, or bounds"),
    HS_OPTION_END};

const hs_study_keys hs_study_key_tables[] = {
    {"a study", top_keys},         {"a data set", dataset_keys}, {"a method", method_keys},
    {"folds", folds_keys},         {"compare", compare_keys},    {"best-of", best_keys},
    {"published", published_keys}, {"tune", tune_keys},          {"rankings", rankings_keys},
    {"simulate", simulate_keys},   {"auto", auto_keys},
};
const size_t hs_study_key_table_count = sizeof hs_study_key_tables / sizeof hs_study_key_tables[0];

/* ---- messages ---- */

/* HSEL_EFORMAT at a line of the study. */
#define fail(r, line, error, ...)                                                                  \
    hs_fail_at(error, HSEL_EFORMAT, (r)->study.file, line, __VA_ARGS__)

/* Passes on what a lower layer said, with the place in the study. */
static int at(const reader *r, unsigned long line, int status, hsel_error *error)
{
    if (status == HSEL_OK || status == HSEL_ENOMEM)
        return status;
    const hsel_error because = *error;
    return hs_fail_at(error, because.code == HSEL_EUSAGE ? HSEL_EFORMAT : because.code,
                      r->study.file, line, "%s", because.message);
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

/* ---- mappings and lists ---- */

/* The values of a mapping into the fields of `values`: defaults first. NULL mapping: only these. */
static int read_keys(reader *r, const hs_yaml *mapping, const char *owner, const hs_option *table,
                     void *values, hsel_error *error)
{
    HS_TRY(hs_options_defaults(table, values, &r->study.arena, error));
    if (mapping && mapping->kind != HS_YAML_MAPPING)
        return fail(r, mapping->line, error, "%s is written as keys and values, e.g. '%s: %s'",
                    owner, table->name, table->value ? table->value : "true");
    for (const hs_yaml *value = mapping ? mapping->first : NULL; value; value = value->next) {
        const hs_option *option = hs_option_find(table, value->key, strlen(value->key));
        if (!option) {
            const char *nearest = hs_option_nearest(table, value->key);
            HS_OWNS(hs_buf_clear) hs_buf known = {0};
            if (nearest)
                return fail(r, value->key_line, error,
                            "there is no key '%.80s' in %s; did you mean '%s'?", value->key, owner,
                            nearest);
            for (const hs_option *o = table; o->type != HS_OPT_END; o++)
                hs_buf_printf(&known, "%s%s", known.length ? ", " : "", o->name);
            HS_NEED(!known.failed);
            return fail(r, value->key_line, error, "there is no key '%.80s' in %s; there are: %s",
                        value->key, owner, known.text);
        }
        if (option->type == HS_OPT_LIST)
            continue;
        if (value->kind != HS_YAML_TEXT)
            return fail(r, value->line, error, "'%s' takes one text, not a %s", option->name,
                        value->kind == HS_YAML_LIST ? "list" : "mapping");
        if (value->text[0] == '\0')
            return fail(r, value->key_line, error, "there is nothing after '%s:'", option->name);
        HS_TRY(at(
            r, value->line,
            hs_option_set(option, values, value->text, strlen(value->text), &r->study.arena, error),
            error));
    }
    return HSEL_OK;
}

/* The value of a key that must be given. */
static int need_key(const reader *r, const hs_yaml *mapping, const char *owner, const char *key,
                    const hs_yaml **out, hsel_error *error)
{
    *out = hs_yaml_find(mapping, key);
    return *out ? HSEL_OK : fail(r, mapping->line, error, "there is no key '%s' in %s", key, owner);
}

/* The first item of a list, or a text as the only item of one. HSEL_EFORMAT for a mapping and for
 * an empty list. */
static int items_of(reader *r, const hs_yaml *node, const hs_yaml **first, hsel_error *error)
{
    *first = node->kind == HS_YAML_LIST ? node->first : node;
    if (node->kind == HS_YAML_MAPPING)
        return fail(r, node->line, error, "'%s' takes a list", node->key);
    if (!*first || (node->kind == HS_YAML_TEXT && node->text[0] == '\0'))
        return fail(r, node->key_line, error, "'%s' is empty: give at least one", node->key);
    return HSEL_OK;
}

static const hs_yaml *item_after(const hs_yaml *node, const hs_yaml *item)
{
    return node->kind == HS_YAML_LIST ? item->next : NULL;
}

/* Space for one more item of a list in the arena, which doubles when it is full. */
static bool grow(hs_arena *arena, void **items, size_t count, size_t size)
{
    if (count > 0 && (count < 8 || (count & (count - 1))))
        return true;
    void *grown = hs_arena_alloc(arena, count ? 2 * count : 8, size);
    if (grown && count)
        memcpy(grown, *items, count * size);
    *items = grown;
    return grown;
}

/* The text of a buffer, kept in the arena; the buffer is cleared. NULL when memory ran out. */
static char *keep(hs_arena *arena, hs_buf *text)
{
    char *kept =
        text->failed ? NULL : hs_arena_text(arena, text->text ? text->text : "", text->length);
    hs_buf_clear(text);
    return kept;
}

/* ---- paths ---- */

/* A path as the study gives it: variables replaced, relative to `base`, or if that is NULL to the
 * study's folder. What a user sets in the environment is meant from where he stands; what is
 * written in the file is meant from the file. *unset: a variable without value and default, which
 * stays in the path as $NAME. */
static int resolve(reader *r, unsigned long line, const char *text, const char *base,
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
            return fail(r, line, error,
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
    HS_NEED(*out = keep(&r->study.arena, &whole));
    return HSEL_OK;
}

/* Canonical text of a method, in the arena. */
static int canonical(reader *r, hs_kind kind, const char *text, const char **out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    hs_buf formatted = {0};
    HS_TRY(kind == HS_RANKER ? hs_ranker_parse(text, &chosen, error)
                             : hs_chosen_parse(kind, text, &chosen, error));
    hs_chosen_format(&chosen, &formatted);
    HS_NEED(*out = keep(&r->study.arena, &formatted));
    return HSEL_OK;
}

/* HSEL_ELIMIT: `count` of what `plural` says, for which `text` stands, if it is given. */
static int too_many(const reader *r, unsigned long line, const char *text, uint64_t count,
                    const char *plural, hsel_error *error)
{
    char shown[32], limit[32];
    hs_format_grouped(count, shown);
    hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
    return hs_fail_at(error, HSEL_ELIMIT, r->study.file, line,
                      "%s%.200s%s%s %s; a study holds at most %s", text ? "'" : "",
                      text ? text : "", text ? "' stands for " : "", shown, plural, limit);
}

/* ---- data sets ---- */

typedef struct set_list {
    reader *r;
    entry entry;
    const hs_yaml *item;
    bool unset;     /* a variable in its path has no value */
    hs_names names; /* of the data sets so far */
    size_t added;   /* by this entry */
} set_list;

/* The line of a key of the entry, or of the entry itself. */
static unsigned long line_of(const set_list *g, const char *key)
{
    const hs_yaml *value = hs_yaml_find(g->item, key);
    return value ? value->line : g->item->line;
}

static int add_dataset(set_list *g, hs_study_dataset data, hsel_error *error)
{
    hs_study *study = &g->r->study;
    uint32_t id;
    bool is_new;
    data.line = g->item->line;
    if (study->dataset_count == HS_STUDY_LIST_LIMIT)
        return too_many(g->r, data.line, NULL, study->dataset_count + 1, "data sets", error);
    if (g->entry.name && g->added)
        return fail(g->r, line_of(g, "name"), error,
                    "'name' is for one data set, and this stands for several");
    HS_TRY(at(g->r, data.line,
              hs_names_intern(&g->names, data.name, strlen(data.name), &id, &is_new, error),
              error));
    if (!is_new)
        return fail(
            g->r, data.line, error,
            "a data set called '%.200s' was given before, on line %lu: give one of them a name",
            data.name, study->datasets[id].line);
    HS_NEED(grow(&study->arena, (void **)&study->datasets, id, sizeof data));
    study->datasets[study->dataset_count++] = data;
    g->added++;
    return HSEL_OK;
}

/* Options of loading as keys and values; a list gives an option several. Commas part options in the
 * canonical text, so that no value may have one. */
static int read_options(reader *r, const hs_yaml *node, hs_load_options *out, hsel_error *error)
{
    HS_TRY(read_keys(r, node, "'prepare'", hs_load_table, out, error));
    for (const hs_yaml *value = node->first; value; value = value->next) {
        const hs_option *option = hs_option_find(hs_load_table, value->key, strlen(value->key));
        const hs_yaml *item = value;
        if (option->type == HS_OPT_LIST)
            HS_TRY(items_of(r, value, &item, error));
        for (; item; item = item_after(value, item)) {
            if (item->kind != HS_YAML_TEXT)
                return fail(r, item->line, error, "'%s' takes texts", option->name);
            if (strchr(item->text, ','))
                return fail(r, item->line, error, "a comma in '%s': %.200s%s", option->name,
                            item->text, option->type == HS_OPT_LIST ? "; give a list" : "");
            if (option->type == HS_OPT_LIST)
                HS_TRY(at(r, item->line,
                          hs_option_set(option, out, item->text, strlen(item->text),
                                        &r->study.arena, error),
                          error));
        }
    }
    return HSEL_OK;
}

/* Canonical text of the options of loading, checked; with the class, if it is not NULL. */
static int prepare_text(set_list *g, const char *path, const char *label, const char **out,
                        hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    hs_load_options options = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, base = {0};
    const hs_yaml *node = hs_yaml_find(g->item, "prepare"), *item = NULL;
    unsigned long line = line_of(g, "prepare"), hierarchy_line = line_of(g, "hierarchy");
    HS_TRY(at(g->r, line, hs_options_defaults(hs_load_table, &options, arena, error), error));
    if (node && node->kind == HS_YAML_MAPPING)
        HS_TRY(read_options(g->r, node, &options, error));
    else if (node)
        HS_TRY(items_of(g->r, node, &item, error));
    for (; item; item = item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return fail(g->r, item->line, error,
                        "'prepare' takes options such as drop-roots or min-support=3");
        hs_buf_printf(&text, "%s%s", text.length ? "," : "", item->text);
    }
    HS_NEED(!text.failed);
    HS_TRY(at(g->r, line,
              hs_options_parse(hs_load_table, &options, text.text, "'prepare'", arena, error),
              error));
    if (options.hierarchy)
        return fail(g->r, line, error, "the hierarchy has a key of its own: 'hierarchy: FILE'");
    if (label && options.columns.class_name)
        return fail(g->r, line, error, "'class' and 'labels' contradict each other");
    if (label && strchr(label, ','))
        return fail(g->r, line_of(g, "labels"), error, "a comma in the name of a class: %.200s",
                    label);
    options.columns.class_name = label ? label : options.columns.class_name;
    if (g->entry.target && (options.columns.target || options.columns.class_name))
        return fail(g->r, line_of(g, "target"), error,
                    options.columns.target ? "'target' was given before, in 'prepare'"
                                           : "'target' and a class contradict each other: a number "
                                             "is predicted, or a class");
    if (g->entry.target && strchr(g->entry.target, ','))
        return fail(g->r, line_of(g, "target"), error, "a comma in the name of a target: %.200s",
                    g->entry.target);
    options.columns.target = g->entry.target ? g->entry.target : options.columns.target;
    g->r->classes |= !options.columns.target;
    if (g->entry.hierarchy) { /* it stands beside the data */
        struct stat about;
        bool unset;
        const char *slash = strrchr(path, '/');
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            hs_buf_printf(&base, "%s/", path);
        else
            hs_buf_add(&base, path, slash ? (size_t)(slash - path) + 1 : 0);
        HS_NEED(!base.failed);
        HS_TRY(resolve(g->r, hierarchy_line, g->entry.hierarchy, base.text, &options.hierarchy,
                       &unset, error));
        if (strchr(options.hierarchy, ','))
            return fail(g->r, hierarchy_line, error, "a comma in the path of a hierarchy: %.200s",
                        options.hierarchy);
    }
    HS_TRY(at(g->r, line, hs_load_check(&options, error), error));
    hs_buf_clear(&text);
    hs_options_format(hs_load_table, &options, &text);
    HS_NEED(*out = keep(arena, &text));
    return HSEL_OK;
}

/* The data set once for each of the classes that `labels` names. */
static int add_labels(set_list *g, const hs_yaml *node, hs_study_dataset data, hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    const hs_yaml *item = NULL;
    const char *name = data.name;
    size_t before = g->added;
    HS_OWNS(hs_names_clear) hs_names labels = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *whole = NULL;
    HS_TRY(items_of(g->r, node, &item, error));
    for (; item; item = item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return fail(g->r, item->line, error, "'labels' takes names of classes, or all");
        HS_TRY(hs_names_append(&labels, item->text, strlen(item->text), error));
    }
    if (labels.count == 1 && strcmp(hs_names_get(&labels, 0), "all") == 0) {
        if ((data.all_classes = data.missing))
            return add_dataset(g, data, error);
        hs_names_clear(&labels);
        HS_TRY(at(g->r, node->line, hs_load_with(data.path, data.prepare, &whole, error), error));
        const hs_about *about = &whole->instance_about;
        if (whole->class_attribute)
            HS_TRY(hs_names_append(&labels, whole->class_attribute, strlen(whole->class_attribute),
                                   error));
        for (uint32_t c = 0; c < about->columns.count; c++) {
            const char *further = hs_class_of_column(about, c);
            if (further)
                HS_TRY(hs_names_append(&labels, further, strlen(further), error));
        }
        if (!labels.count)
            return fail(g->r, node->line, error, "%.200s has no classes", data.path);
    }
    for (uint32_t i = 0; i < labels.count; i++) {
        HS_OWNS(hs_buf_clear) hs_buf full = {0};
        hs_buf_printf(&full, "%s/%s", name, hs_names_get(&labels, i));
        HS_NEED(data.name = keep(arena, &full));
        HS_TRY(prepare_text(g, data.path, hs_names_get(&labels, i), &data.prepare, error));
        g->added = before; /* they are one item, and may have a name */
        HS_TRY(add_dataset(g, data, error));
    }
    return HSEL_OK;
}

static int add_path(set_list *g, const char *path, bool missing, bool is_pattern, hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    hs_study_dataset data = {.seed = g->entry.seed, .missing = missing};
    hs_buf name = {0};
    if (g->entry.name || is_pattern)
        hs_buf_text(&name, g->entry.name ? g->entry.name : path);
    else
        hs_name_from_path(path, &name);
    if (name.length == 0)
        hs_buf_text(&name, path);
    data.name = keep(arena, &name);
    data.path = hs_arena_text(arena, path, strlen(path));
    HS_NEED(data.name && data.path);
    HS_TRY(prepare_text(g, path, NULL, &data.prepare, error));
    const hs_yaml *labels = hs_yaml_find(g->item, "labels");
    return labels ? add_labels(g, labels, data, error) : add_dataset(g, data, error);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A path after expansion of braces: what it finds, in the order of bytes, the same in every locale.
 */
static int add_paths(set_list *g, const char *path, hsel_error *error)
{
    struct stat about;
    if (!strpbrk(path, "*?["))
        return add_path(g, path, g->unset || stat(path, &about) != 0, false, error);
    HS_OWNS(globfree) glob_t found = {0};
    int result = g->unset ? GLOB_NOMATCH : glob(path, GLOB_NOSORT, NULL, &found);
    HS_NEED(result != GLOB_NOSPACE);
    if (result != 0) {
        g->r->unmatched = true;
        return add_path(g, path, true, true, error);
    }
    if (found.gl_pathc > HS_STUDY_LIST_LIMIT)
        return too_many(g->r, g->item->line, NULL, found.gl_pathc, "data sets", error);
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_bytes);
    for (size_t i = 0; i < found.gl_pathc; i++)
        HS_TRY(add_path(g, found.gl_pathv[i], false, false, error));
    return HSEL_OK;
}

static int add_entry(set_list *g, hsel_error *error)
{
    entry *e = &g->entry;
    reader *r = g->r;
    hs_grid grid;
    HS_OWNS(hs_buf_clear) hs_buf one = {0};
    *e = (entry){.seed = 1};
    g->added = 0;
    if (g->item->kind == HS_YAML_TEXT)
        e->path = g->item->text;
    else
        HS_TRY(read_keys(r, g->item, "a data set", dataset_keys, e, error));
    if (!e->path == !e->generate)
        return fail(r, g->item->line, error,
                    "a data set has a 'path' or is made by 'generate': give one of them");
    const hs_yaml *seed = hs_yaml_find(g->item, "seed"), *wrong = NULL;
    if (e->path && seed)
        return fail(r, seed->key_line, error, "'seed' is for generated data sets");
    static const char *const of_paths[] = {"prepare", "labels", "target", "hierarchy"};
    for (size_t i = 0; e->generate && !wrong && i < sizeof of_paths / sizeof *of_paths; i++)
        wrong = hs_yaml_find(g->item, of_paths[i]);
    if (wrong)
        return fail(r, wrong->key_line, error,
                    "'%s' is for data sets with a path, not for generated ones", wrong->key);
    unsigned long line = line_of(g, e->path ? "path" : "generate");
    const char *all = e->generate;
    if (e->path)
        HS_TRY(resolve(r, line, e->path, NULL, &all, &g->unset, error));
    if (!*all)
        return fail(r, line, error, "the path is empty");
    HS_TRY(at(r, line, hs_grid_init(all, &grid, error), error));
    if (grid.count > HS_STUDY_LIST_LIMIT)
        return too_many(r, g->item->line, NULL, grid.count, "data sets", error);
    for (bool more = true; more; more = hs_grid_next(&grid)) {
        one.length = 0;
        hs_grid_text(&grid, &one);
        HS_NEED(!one.failed);
        if (e->path) {
            HS_TRY(add_paths(g, one.text, error));
            continue;
        }
        hs_study_dataset data = {.name = e->name, .prepare = "", .seed = e->seed};
        r->classes = true;
        HS_TRY(at(r, line, canonical(r, HS_GENERATOR, one.text, &data.generate, error), error));
        data.name = data.name ? data.name : data.generate;
        HS_TRY(add_dataset(g, data, error));
    }
    return HSEL_OK;
}

static void set_list_clear(set_list *g) { hs_names_clear(&g->names); }

static int read_datasets(reader *r, const hs_yaml *node, hsel_error *error)
{
    HS_OWNS(set_list_clear) set_list g = {.r = r};
    HS_TRY(items_of(r, node, &g.item, error));
    for (; g.item; g.item = item_after(node, g.item))
        HS_TRY(add_entry(&g, error));
    return HSEL_OK;
}

/* ---- methods ---- */

typedef struct method_list {
    reader *r;
    hs_kind kind;
    hs_study_method *methods;
    size_t count;
    hs_names texts, labels;
} method_list;

static int add_item(method_list *g, const hs_yaml *item, hsel_error *error)
{
    reader *r = g->r;
    hs_study_method method = {.family = item->text, .line = item->line};
    size_t before = g->count;
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, label = {0};
    hs_grid grid;
    if (item->kind != HS_YAML_TEXT) {
        char owner[32] = "a ";
        const hs_yaml *given;
        strcat(owner, hs_kind_name(g->kind));
        HS_TRY(read_keys(r, item, owner, method_keys, &method, error));
        HS_TRY(need_key(r, item, owner, "method", &given, error));
        method.line = given->line;
    }
    HS_TRY(at(r, method.line, hs_grid_init(method.family, &grid, error), error));
    if (grid.count > HS_STUDY_LIST_LIMIT - g->count)
        return too_many(r, method.line, method.family, grid.count, hs_kind_plural(g->kind), error);
    const char *given = method.family_label;
    method.sweep = grid.choice_count > 0;
    method.family_label = given ? given : method.family;
    for (bool more = true; more; more = hs_grid_next(&grid)) {
        text.length = 0;
        hs_grid_text(&grid, &text);
        HS_NEED(!text.failed);
        HS_TRY(at(r, method.line, canonical(r, g->kind, text.text, &method.text, error), error));
        method.method = hs_method_find(g->kind, method.text, strcspn(method.text, ":"));
        method.label = method.text;
        if (!method.sweep) {
            method.family = method.text;
            method.label = method.family_label = given ? given : method.text;
        } else if (given) { /* that of the sweep, and what was chosen */
            hs_buf_printf(&label, "%s ", given);
            hs_grid_chosen(&grid, &label);
            HS_NEED(method.label = keep(&r->study.arena, &label));
        }
        uint32_t id;
        bool is_new;
        HS_TRY(hs_names_intern(&g->texts, method.text, strlen(method.text), &id, &is_new, error));
        if (!is_new && (method.sweep || g->methods[id].sweep))
            continue;
        if (!is_new)
            return fail(r, method.line, error, "the %s %s was given before, on line %lu",
                        hs_kind_name(g->kind), method.text, g->methods[id].line);
        HS_TRY(
            hs_names_intern(&g->labels, method.label, strlen(method.label), &id, &is_new, error));
        if (!is_new)
            return fail(r, method.line, error, "the label '%.200s' was given before, on line %lu",
                        method.label, g->methods[id].line);
        HS_NEED(grow(&r->study.arena, (void **)&g->methods, g->count, sizeof method));
        g->methods[g->count++] = method;
    }
    if (method.sweep && g->count == before)
        return fail(r, method.line, error, "'%.200s' adds nothing: all of it was given before",
                    method.family);
    return HSEL_OK;
}

static void method_list_clear(method_list *g)
{
    hs_names_clear(&g->texts);
    hs_names_clear(&g->labels);
}

static int read_methods(reader *r, hs_kind kind, const hs_yaml *node, hs_study_method **out,
                        size_t *count, hsel_error *error)
{
    HS_OWNS(method_list_clear) method_list g = {.r = r, .kind = kind};
    const hs_yaml *item = NULL;
    HS_TRY(items_of(r, node, &item, error));
    for (; item; item = item_after(node, item))
        HS_TRY(add_item(&g, item, error));
    *out = g.methods;
    *count = g.count;
    return HSEL_OK;
}

static int read_selectors(reader *r, const hs_yaml *node, hsel_error *error)
{
    return read_methods(r, HS_SELECTOR, node, &r->study.selectors, &r->study.selector_count, error);
}

static int read_classifiers(reader *r, const hs_yaml *node, hsel_error *error)
{
    return read_methods(r, HS_CLASSIFIER, node, &r->study.classifiers, &r->study.classifier_count,
                        error);
}

/* The method that a word names by text or label; NULL: none. */
static int find_method(reader *r, hs_kind kind, const char *word, const hs_study_method **out,
                       hsel_error *error)
{
    const hs_study *s = &r->study;
    const hs_study_method *methods = kind == HS_SELECTOR ? s->selectors : s->classifiers;
    size_t count = kind == HS_SELECTOR ? s->selector_count : s->classifier_count;
    const char *text = NULL;
    *out = NULL;
    if (hs_method_find(kind, word, strcspn(word, ":")))
        HS_NEED(canonical(r, kind, word, &text, NULL) != HSEL_ENOMEM);
    for (size_t i = 0; i < count && !*out; i++)
        if (strcmp(methods[i].label, word) == 0 || (text && strcmp(methods[i].text, text) == 0))
            *out = &methods[i];
    return HSEL_OK;
}

/* ---- folds and metrics ---- */

static int read_folds(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_fold_scheme parsed;
    uint64_t seed;
    HS_TRY(read_keys(r, node, "folds", folds_keys, r, error));
    const char *scheme = r->study.scheme;
    const hs_yaml *given = hs_yaml_find(node, "scheme");
    if (strncmp(scheme, "file:", 5) == 0) {
        HS_OWNS(hs_buf_clear) hs_buf file = {0};
        bool unset;
        const char *path;
        HS_TRY(resolve(r, given->line, scheme + 5, NULL, &path, &unset, error));
        hs_buf_printf(&file, "file:%s", path);
        HS_NEED(r->study.scheme = keep(&r->study.arena, &file));
    } else if (!hs_fold_scheme_parse(scheme, &parsed, &seed)) {
        /* which says what there is */
        HS_TRY(at(r, given->line, hs_folds_choose(scheme, NULL, 0, 0, NULL, error), error));
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
    return fail(r, name->line, error, "there is no metric '%.80s'%s", name->text,
                did_you_mean(name->text, words, HS_METRICS, hint));
}

/* The metric that the key `metric` of a mapping names, or the first of the study. */
static int metric_of(const reader *r, const hs_yaml *mapping, hs_metric *out, hsel_error *error)
{
    const hs_yaml *name = hs_yaml_find(mapping, "metric");
    hs_metric shown[HS_METRICS];
    hs_study_metrics(&r->study, r->classes, !r->classes, shown);
    *out = shown[0];
    return name ? find_metric(r, name, out, error) : HSEL_OK;
}

size_t hs_study_metrics(const hs_study *study, bool classes, bool numbers, hs_metric *out)
{
    static const hs_metric usual[] = {HS_METRIC_GM,   HS_METRIC_AUROC, HS_METRIC_AUPRC,
                                      HS_METRIC_RMSE, HS_METRIC_R2,    HS_METRIC_SPEARMAN};
    size_t count = study->usual ? 0 : study->metric_count;
    memmove(out, study->metrics, count * sizeof *out);
    for (size_t i = 0; study->usual && i < sizeof usual / sizeof usual[0]; i++)
        if ((i < 3 && (classes || !numbers)) || (i >= 3 && numbers))
            out[count++] = usual[i];
    return count;
}

static int read_metrics(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *item = NULL;
    bool given[HS_METRICS] = {false};
    hs_metric metric;
    study->usual = !node;
    if (!node) {
        study->metric_count = hs_study_metrics(study, true, false, study->metrics);
        return HSEL_OK;
    }
    HS_TRY(items_of(r, node, &item, error));
    for (; item; item = item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return fail(r, item->line, error, "'metrics' takes names such as gm or auroc");
        HS_TRY(find_metric(r, item, &metric, error));
        if (given[metric])
            return fail(r, item->line, error, "the metric %s was given before", item->text);
        given[metric] = true;
        study->metrics[study->metric_count++] = metric;
    }
    return HSEL_OK;
}

/* ---- comparisons ---- */

static int read_compare(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    char hint[128];
    HS_TRY(read_keys(r, node, "compare", compare_keys, r, error));
    const hs_yaml *similarity = hs_yaml_find(node, "similarity");
    if (similarity && !study->stability)
        return fail(r, similarity->key_line, error,
                    "'similarity' is about 'stability: true', which is not asked for");
    study->pooled = r->by == 1;
    study->across_classifiers = r->across == 2 || (r->across == 0 && study->selector_count == 1 &&
                                                   study->classifier_count > 1);
    if (!r->control)
        return HSEL_OK;
    bool classifiers = study->across_classifiers;
    const hs_study_method *control;
    HS_TRY(find_method(r, classifiers ? HS_CLASSIFIER : HS_SELECTOR, r->control, &control, error));
    if (!control)
        return fail(r, hs_yaml_find(node, "control")->line, error,
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
    const hs_yaml *list, *item = NULL;
    HS_TRY(read_keys(r, node, "best-of", best_keys, r, error));
    HS_TRY(need_key(r, node, "best-of", "selector", &list, error));
    HS_TRY(items_of(r, list, &item, error));
    for (; item; item = item_after(list, item)) {
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
            return fail(r, item->line, error,
                        "'%.80s' names no sweep: a sweep is a selector with braces or a range, "
                        "e.g. shsel:threshold=0..1/0.1",
                        item->kind == HS_YAML_TEXT ? item->text : "selector");
        hs_buf_printf(&all, "%s%s", all.length ? ", " : "", item->text);
    }
    HS_NEED(study->best_of = keep(&study->arena, &all));
    return metric_of(r, node, &study->best_metric, error);
}

/* A list of rankers, or a mapping that has the list under `by`. */
static int read_rankings(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *list = node;
    if (node->kind == HS_YAML_MAPPING) {
        HS_TRY(read_keys(r, node, "rankings", rankings_keys, r, error));
        HS_TRY(need_key(r, node, "rankings", "by", &list, error));
    }
    HS_TRY(read_methods(r, HS_RANKER, list, &study->rankers, &study->ranker_count, error));
    if (study->ranker_count < 2)
        return fail(r, list->line, error, "'%s' has one ranker: two or more can be compared",
                    list->key);
    if (study->ranker_count > RANKERS_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, study->file, list->line,
                          "%zu rankers; at most %d can be compared", study->ranker_count,
                          RANKERS_LIMIT);
    study->tau = r->tau == 0 ? HS_TAU_B : r->ties == 0 ? HS_TAU_A_INDEX : HS_TAU_A_WEKA;
    return HSEL_OK;
}

/* ---- simulations ---- */

/* A procedure: its name, and of focused-bh the filter. */
static int read_procedure(reader *r, const hs_yaml *item, hs_simulation *what, hsel_error *error)
{
    static const hs_option filter[] = {HS_FILTER_OPTIONS(hs_simulation), HS_OPTION_END};
    hs_arena *arena = &r->study.arena;
    const size_t length = item->kind == HS_YAML_TEXT ? strcspn(item->text, ":") : 0;
    HS_NEED(what->procedure = hs_arena_text(arena, length ? item->text : "", length));
    HS_TRY(at(r, item->line, hs_procedure_find(what->procedure, error) ? HSEL_OK : HSEL_EUSAGE,
              error));
    HS_TRY(hs_options_defaults(filter, what, arena, error));
    if (!item->text[length])
        return HSEL_OK;
    if (strcmp(what->procedure, "focused-bh") != 0)
        return fail(r, item->line, error, "%s has no options", what->procedure);
    HS_TRY(
        at(r, item->line,
           hs_options_parse(filter, what, item->text + length + 1, what->procedure, arena, error),
           error));
    return HSEL_OK;
}

/* The draws of one effect: the texts of all procedures, HS_DRAW_RUNS runs at a time. */
static int add_draws(reader *r, const hs_study_simulation *s, const hs_simulation *procedures,
                     double effect, unsigned long line, hsel_error *error)
{
    hs_study *study = &r->study;
    for (uint32_t from = 0; from < s->what.runs; from += HS_DRAW_RUNS) {
        const uint32_t left = s->what.runs - from;
        hs_study_draws draws = {.count = s->procedure_count,
                                .runs = left < HS_DRAW_RUNS ? left : HS_DRAW_RUNS};
        if (study->draw_count >= HS_STUDY_LIST_LIMIT / s->procedure_count)
            return too_many(r, line, NULL, study->draw_count * s->procedure_count, "simulations",
                            error);
        draws.procedures = hs_arena_zero(&study->arena, draws.count, sizeof *draws.procedures);
        HS_NEED(draws.procedures &&
                grow(&study->arena, (void **)&study->draws, study->draw_count, sizeof draws));
        for (size_t i = 0; i < draws.count; i++) {
            hs_simulation what = s->what;
            hs_buf text = {0};
            what.procedure = procedures[i].procedure;
            what.filter = procedures[i].filter;
            what.similar = procedures[i].similar;
            what.effect = effect;
            what.from = from;
            what.runs = draws.runs;
            hs_buf_text(&text, "simulate:");
            hs_options_format(hs_simulation_table, &what, &text);
            draws.procedures[i] = s->procedures[i];
            HS_NEED(draws.procedures[i].text = keep(&study->arena, &text));
        }
        study->draws[study->draw_count++] = draws;
    }
    return HSEL_OK;
}

static int read_simulation(reader *r, const hs_yaml *node, hs_study_simulation *out,
                           hsel_error *error)
{
    simulating given = {0};
    hs_study_simulation *s = &given.out;
    hs_arena *arena = &r->study.arena;
    const hs_yaml *list, *effects, *item;
    HS_TRY(hs_options_defaults(hs_simulation_table, &s->what, arena, error));
    HS_TRY(read_keys(r, node, "simulate", simulate_keys, &given, error));
    HS_TRY(need_key(r, node, "simulate", "procedures", &list, error));
    HS_TRY(need_key(r, node, "simulate", "effects", &effects, error));
    HS_OWNED hs_simulation *procedures = HS_NEW_ZERO(hs_simulation, list->count + 1);
    s->procedures = hs_arena_zero(arena, list->count + 1, sizeof *s->procedures);
    s->effects = hs_arena_zero(arena, effects->count + 1, sizeof *s->effects);
    HS_NEED(procedures && s->procedures && s->effects);
    HS_TRY(items_of(r, list, &item, error));
    for (; item; item = item_after(list, item)) {
        HS_TRY(read_procedure(r, item, &procedures[s->procedure_count], error));
        for (size_t i = 0; i < s->procedure_count; i++)
            if (strcmp(s->procedures[i].label, item->text) == 0)
                return fail(r, item->line, error, "'%.80s' is there twice", item->text);
        s->procedures[s->procedure_count++] =
            (hs_study_method){.text = item->text, .label = item->text, .line = item->line};
    }
    HS_TRY(items_of(r, effects, &item, error));
    for (; item; item = item_after(effects, item)) {
        hs_simulation effect = {0};
        if (item->kind != HS_YAML_TEXT)
            return fail(r, item->line, error, "'effects' takes numbers");
        HS_TRY(at(r, item->line,
                  hs_option_set(hs_option_find(hs_simulation_table, "effect", 6), &effect,
                                item->text, strlen(item->text), arena, error),
                  error));
        if (s->effect_count && effect.effect <= s->effects[s->effect_count - 1])
            return fail(r, item->line, error, "'effects' go from small to large");
        s->effects[s->effect_count++] = effect.effect;
        HS_TRY(add_draws(r, s, procedures, effect.effect, item->line, error));
    }
    *out = *s;
    return HSEL_OK;
}

static int read_simulations(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *item = node;
    if (node->kind != HS_YAML_MAPPING)
        HS_TRY(items_of(r, node, &item, error));
    study->simulations = hs_arena_zero(&study->arena, node->count + 1, sizeof *study->simulations);
    HS_NEED(study->simulations);
    for (; item; item = item_after(node, item))
        HS_TRY(read_simulation(r, item, &study->simulations[study->simulation_count++], error));
    return HSEL_OK;
}

/* ---- automatic choice ---- */

/* One mapping, or a list of them. Ties go to the first candidate, so that their order counts. */
static int read_autos(reader *r, const hs_yaml *node, hsel_error *error)
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
        return fail(r, node->line, error,
                    "'auto' chooses among selectors and classifiers, and there is one pair");
    if (node->kind != HS_YAML_MAPPING)
        HS_TRY(items_of(r, node, &item, error));
    HS_NEED(study->autos = hs_arena_zero(&study->arena, node->count + 1, sizeof *study->autos));
    for (; item; item = item_after(node, item)) {
        choosing c = {0};
        hs_study_auto *out = &c.out;
        hs_buf text = {0};
        HS_TRY(read_keys(r, item, "auto", auto_keys, &c, error));
        r->metric = c.metric;
        HS_TRY(metric_of(r, item, &out->metric, error));
        hs_buf_printf(&text, "auto:metric=%s,inner-folds=%u,inner-repeats=%u,race=",
                      hs_metric_name(out->metric), out->inner_folds, out->inner_repeats);
        char digits[32];
        hs_format_double(out->race, digits);
        hs_buf_printf(&text, "%s,of=%016llx", digits,
                      (unsigned long long)XXH3_64bits_digest(&hash) ^ (unsigned)study->rank_by);
        HS_NEED(out->method.text = keep(&study->arena, &text));
        out->method.label = c.label;
        out->method.line = item->line;
        for (size_t i = 0; i < study->auto_count; i++)
            if (strcmp(study->autos[i].method.label, c.label) == 0)
                return fail(r, item->line, error,
                            "another automatic choice is called '%.80s': give one of them a label",
                            c.label);
        study->autos[study->auto_count++] = *out;
    }
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
    return fail(r, pair->key_line, error,
                "'%.80s' is no selector, classifier, data set or metric of this study%s", word,
                nearest_word(study, word, true, hint));
}

static int read_published(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_published *p = &r->study.published;
    const hs_yaml *file, *map = hs_yaml_find(node, "map");
    bool unset;
    HS_TRY(read_keys(r, node, "published", published_keys, r, error));
    HS_TRY(need_key(r, node, "published", "file", &file, error));
    HS_TRY(resolve(r, file->line, p->file, NULL, &p->file, &unset, error));
    if (!map)
        return HSEL_OK;
    if (map->kind != HS_YAML_MAPPING)
        return fail(r, map->line, error, "'map' is written as keys and values, e.g. 'none: nofs'");
    const char **from = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    const char **to = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    HS_NEED(from && to);
    p->from = from;
    p->to = to;
    for (const hs_yaml *pair = map->first; pair; pair = pair->next) {
        if (pair->kind != HS_YAML_TEXT || pair->text[0] == '\0')
            return fail(r, pair->key_line, error, "'%.80s' needs the paper's word after it",
                        pair->key);
        HS_TRY(our_word(r, pair, &from[p->count], error));
        to[p->count++] = pair->text;
    }
    return HSEL_OK;
}

/* ---- tuning ---- */

typedef struct making {
    reader *r;
    const hs_option *option;
    void *scratch; /* option values, to try them */
    unsigned long line;
    hs_tune_parameter *out;
    hs_buf range; /* of choices, so far */
} making;

static int try_value(const making *m, const char *text, size_t length, hsel_error *error)
{
    HS_TRY(at(m->r, m->line,
              hs_option_set(m->option, m->scratch, text, length, &m->r->study.arena, error),
              error));
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
        return fail(m->r, m->line, error, "a range goes up from a number to another, not '%.80s'",
                    text);
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
        return fail(m->r, m->line, error, "'%.*s' cannot be a choice of %s: give plain words",
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
    if (node->kind == HS_YAML_LIST && node->first) {
        for (const hs_yaml *item = node->first; item; item = item->next) {
            if (item->kind != HS_YAML_TEXT)
                return fail(m->r, item->line, error, "choices of %s are texts", option->name);
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
            return fail(m->r, m->line, error, "option %s has no bounds: give its values",
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
    return fail(m->r, node->line, error,
                "values of %s are a range (0.9..1/0.01), choices ([a, b]), or bounds",
                option->name);
}

static void making_clear(making *m) { hs_buf_clear(&m->range); }

static int read_tune(reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    hs_tune *tune = &study->tune;
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_TRY(read_keys(r, node, "tune", tune_keys, r, error));
    HS_TRY(metric_of(r, node, &tune->metric, error));
    const hs_yaml *list = hs_yaml_find(node, "parameters");
    if (!list || list->kind != HS_YAML_MAPPING || !list->first)
        return fail(r, node->line, error,
                    "tune needs parameters: options of the selector with their values");
    if (study->selector_count != 1 || study->classifier_count != 1)
        return fail(r, node->line, error,
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
            return fail(r, value->key_line, error, "%s has no option '%.80s'%s%s%s", method->name,
                        value->key, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                        nearest ? "'?" : "");
        hs_tune_parameter *out = &tune->parameters[tune->count++];
        *out = (hs_tune_parameter){.name = option->name, .type = 'c'};
        HS_OWNS(making_clear) making m = {r, option, scratch, value->line, out, {0}};
        HS_TRY(read_values(&m, value, error));
        HS_NEED(out->range = keep(&study->arena, &m.range));
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
        return fail(r, node->line, error,
                    "the name '%.80s' should have letters, digits and . _ - only", name);
    if (!name) {
        HS_OWNS(hs_buf_clear) hs_buf from_file = {0};
        hs_name_from_path(study->file, &from_file);
        if (from_file.length == 0)
            hs_buf_text(&from_file, "study");
        HS_NEED(study->name = keep(&study->arena, &from_file));
    }
    if (!study->title)
        study->title = study->name;
    return HSEL_OK;
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
    {"datasets", false, read_datasets},
    {"compare", true, read_compare},
    {"best-of", false, read_best_of},
    {"rankings", false, read_rankings},
    {"simulate", false, read_simulations},
    {"auto", false, read_autos},
    {"tune", false, read_tune},
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
    HS_TRY(read_keys(&r, root, "a study", top_keys, &r, error));
    static const char *const required[] = {"datasets", "selectors", "classifiers"};
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!hs_yaml_find(root, required[i]) && (i == 0 || !hs_yaml_find(root, "simulate")))
            return fail(&r, root->line, error,
                        "there is no key '%s': a study needs datasets, selectors and classifiers",
                        required[i]);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const hs_yaml *node = hs_yaml_find(root, parts[i].key);
        if (node || parts[i].always)
            HS_TRY(parts[i].read(&r, node, error));
    }
    for (size_t i = 0; !r.classes && !study->usual && i < study->metric_count; i++)
        if (!hs_metric_fits(study->metrics[i], true))
            return fail(&r, hs_yaml_find(root, "metrics")->line, error,
                        "%s is for classes, and all data sets have a numeric target",
                        hs_metric_name(study->metrics[i]));
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

/* The content of a file, as a hash: the next of what is known, "" if that has no more, or read; it
 * is added to `contents`. */
static int content_of(const char *path, const char **known, hs_buf *contents, char out[17],
                      hsel_error *error)
{
    XXH3_state_t hash;
    hs_buf none = {0};
    if (*known) {
        snprintf(out, 17, "%.*s", (int)strcspn(*known, " "), *known);
        *known += strcspn(*known, " ");
        *known += strspn(*known, " ");
    } else {
        XXH3_64bits_reset(&hash);
        HS_TRY(read_all(path, &none, &hash, error));
        snprintf(out, 17, "%016llx", (unsigned long long)XXH3_64bits_digest(&hash));
    }
    hs_buf_printf(contents, "%s%s", contents->length ? " " : "", out);
    return HSEL_OK;
}

/* The key of a method: its text with the content of files in place of their names. */
static int find_key(hs_study *study, hs_study_method *method, const char **known, hs_buf *contents,
                    hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf key = {0}, path = {0};
    const char *from = method->text, *file;
    size_t length;
    for (; (file = hs_method_file(from, &length)); from = file + length) {
        char hash[17];
        path.length = 0;
        hs_buf_add(&path, file, length);
        HS_NEED(!path.failed);
        HS_TRY(content_of(path.text, known, contents, hash, error));
        if (!*hash) /* of a store that does not know it: by its text, as it was then */
            return HSEL_OK;
        hs_buf_add(&key, from, (size_t)(file - from));
        hs_buf_text(&key, hash);
    }
    if (from == method->text)
        return HSEL_OK;
    hs_buf_text(&key, from);
    HS_NEED(method->key = keep(&study->arena, &key));
    return HSEL_OK;
}

int hs_study_contents(hs_study *study, const char *known, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf contents = {0}, text = {0};
    const struct {
        hs_study_method *methods;
        size_t count;
    } lists[] = {{study->selectors, study->selector_count},
                 {study->classifiers, study->classifier_count},
                 {study->rankers, study->ranker_count}};
    const char *left = known;
    XXH3_state_t keys;
    bool any = false;
    char hash[17];
    if (strncmp(study->scheme, "file:", 5) == 0) {
        left = left && strncmp(left, "file:", 5) == 0 ? left + 5 : left;
        HS_TRY(content_of(study->scheme + 5, &left, &contents, hash, error));
        contents.length = 0;
        hs_buf_printf(&contents, "file:%s", hash);
        hs_buf_text(&text, contents.text);
        if (*hash)
            HS_NEED(study->fold_file = keep(&study->arena, &text));
    }
    XXH3_64bits_reset(&keys);
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < lists[k].count; i++) {
            hs_study_method *method = &lists[k].methods[i];
            HS_TRY(find_key(study, method, &left, &contents, error));
            any |= method->key && k < 2;
            XXH3_64bits_update(&keys, hs_method_key(method), strlen(hs_method_key(method)) + 1);
        }
    for (size_t i = 0; any && i < study->auto_count; i++) {
        hs_study_method *method = &study->autos[i].method;
        hs_buf_printf(&text, "%s,files=%016llx", method->text,
                      (unsigned long long)XXH3_64bits_digest(&keys));
        HS_NEED(method->key = keep(&study->arena, &text));
    }
    HS_NEED(!contents.failed);
    if (contents.length)
        HS_NEED(study->contents = keep(&study->arena, &contents));
    return HSEL_OK;
}

int hs_study_read(const char *path, hs_study *out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_study_clear) hs_study study = {0};
    *out = (hs_study){0};
    HS_TRY(read_all(path, &text, NULL, error));
    HS_TRY(hs_study_parse(path, text.text ? text.text : "", text.length, &study, error));
    HS_TRY(hs_study_contents(&study, NULL, error));
    *out = study;
    study = (hs_study){0};
    return HSEL_OK;
}

void hs_study_clear(hs_study *study)
{
    hs_arena_clear(&study->arena);
    *study = (hs_study){0};
}

bool hs_study_fits(const hs_study *study, size_t selector, size_t classifier)
{
    const hs_method *one = study->selectors[selector].method,
                    *other = study->classifiers[classifier].method;
    return !one || !other || hs_check_pair(one, other, NULL) == HSEL_OK; /* not known: told later */
}

size_t hs_study_fitting(const hs_study *study, size_t selector)
{
    size_t count = 0;
    for (size_t c = 0; c < study->classifier_count; c++)
        count += hs_study_fits(study, selector, c);
    return count;
}

uint64_t hs_study_pairs(const hs_study *study)
{
    uint64_t pairs = 0, fitting = 0;
    for (size_t s = 0; s < study->selector_count; s++) {
        if (s == 0 || study->selectors[s].method != study->selectors[s - 1].method)
            fitting = hs_study_fitting(study, s);
        pairs += fitting;
    }
    return pairs;
}

/* Selectors that lack the same classifiers stand together, sweeps under their common name. */
void hs_study_left_out(const hs_study *study, hs_buf *words, hsel_error *why)
{
    HS_OWNS(hs_buf_clear) hs_buf with = {0}, before = {0};
    const char *family = NULL;
    for (size_t s = 0; s < study->selector_count; s++) {
        const hs_study_method *selector = &study->selectors[s];
        if (selector->sweep && family && strcmp(selector->family, family) == 0)
            continue;
        family = selector->family;
        with.length = 0;
        for (size_t c = 0; c < study->classifier_count; c++)
            if (!hs_study_fits(study, s, c)) {
                if (!words->length && !with.length)
                    (void)!hs_check_pair(selector->method, study->classifiers[c].method, why);
                hs_buf_printf(&with, "%s%s", with.length ? ", " : " with ",
                              study->classifiers[c].label);
            }
        if (!with.length || with.failed)
            continue;
        const bool same =
            before.length == with.length && memcmp(before.text, with.text, with.length) == 0;
        if (same)
            words->length -= before.length;
        hs_buf_printf(words, "%s%s%s",
                      same            ? ", "
                      : words->length ? "; "
                                      : "",
                      selector->sweep ? selector->family_label : selector->label, with.text);
        before.length = 0;
        hs_buf_text(&before, with.text);
    }
}

uint64_t hs_study_jobs(const hs_study *study)
{
    uint64_t jobs, there = 0, folds = (uint64_t)study->repeats * study->folds;
    for (size_t i = 0; i < study->dataset_count; i++)
        there += !study->datasets[i].missing;
    const uint64_t pairs = hs_study_pairs(study);
    if (__builtin_mul_overflow(folds, there, &folds) ||
        __builtin_mul_overflow(pairs + study->auto_count, folds, &jobs))
        return UINT64_MAX;
    for (size_t i = 0; i < study->draw_count; i++)
        jobs += there * study->draws[i].count;
    return jobs;
}

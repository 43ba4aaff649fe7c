/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selectors, classifiers and rankers of a study: grids expanded, every text checked and made
 * canonical, so that one setting has one text. A setting that was given before is a mistake, unless
 * a grid brings it: then it stays where it was first. And how they are tested and compared: folds,
 * metrics, comparisons, published figures.
 */
#include "learn/fold_file.h"
#include "study/grid.h"
#include "study/reading.h"

#define RANKERS_LIMIT 1000 /* a larger matrix cannot be read */

/* ---- methods ---- */

const hs_option hs_method_keys[] = {HS_TEXT(hs_study_method, family_label, "label", "TEXT", NULL,
                                            "short name in tables (default: the method's text)"),
                                    HS_TEXT(hs_study_method, family, "method", "METHOD", NULL,
                                            "the method, with its options or grids of them"),
                                    HS_OPTION_END};

typedef struct method_list {
    hs_reading *r;
    hs_kind kind;
    hs_study_method *methods;
    size_t count, capacity;
    hs_names texts, labels;
} method_list;

static int add_item(method_list *g, const hs_yaml *item, hsel_error *error)
{
    hs_reading *r = g->r;
    hs_chosen_list *chosen = &r->study.chosen[g->kind];
    hs_study_method method = {.family = item->text, .line = item->line};
    size_t before = g->count;
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, label = {0};
    hs_grid grid;
    if (item->kind != HS_YAML_TEXT) {
        char owner[32] = "a ";
        const hs_yaml *given;
        strcat(owner, hs_kind_name(g->kind));
        HS_TRY(hs_read_keys(r, item, owner, hs_method_keys, &method, error));
        HS_TRY(hs_need_key(r, item, owner, "method", &given, error));
        method.line = given->line;
    }
    HS_TRY(hs_at(r, method.line, hs_grid_init(method.family, &grid, error), error));
    if (grid.count > HS_STUDY_LIST_LIMIT - g->count)
        return hs_too_many(r, method.line, method.family, grid.count, hs_kind_plural(g->kind),
                           error);
    const char *given = method.family_label;
    method.sweep = grid.choice_count > 0;
    method.family_label = given ? given : method.family;
    for (bool more = true; more; more = hs_grid_next(&grid)) {
        text.length = 0;
        hs_grid_text(&grid, &text);
        HS_NEED(!text.failed);
        HS_TRY(hs_at(r, method.line, hs_chosen_list_add(chosen, g->kind, text.text, error), error));
        method.text = chosen->items[g->count].text;
        method.method = chosen->items[g->count].method;
        method.label = method.text;
        if (!method.sweep) {
            method.family = method.text;
            method.label = method.family_label = given ? given : method.text;
        } else if (given) { /* the label of the sweep, and the setting */
            hs_buf_printf(&label, "%s ", given);
            hs_grid_chosen(&grid, &label);
            HS_NEED(method.label = hs_keep(&r->study.arena, &label));
        }
        uint32_t id;
        bool is_new;
        HS_TRY(hs_names_intern(&g->texts, method.text, strlen(method.text), &id, &is_new, error));
        if (!is_new && (method.sweep || g->methods[id].sweep)) {
            hs_chosen_clear(&chosen->items[--chosen->count]);
            continue;
        }
        if (!is_new)
            return hs_wrong(r, method.line, error, "the %s %s was given before, on line %lu",
                            hs_kind_name(g->kind), method.text, g->methods[id].line);
        HS_TRY(
            hs_names_intern(&g->labels, method.label, strlen(method.label), &id, &is_new, error));
        if (!is_new)
            return hs_wrong(r, method.line, error,
                            "the label '%.200s' was given before, on line %lu", method.label,
                            g->methods[id].line);
        HS_NEED(hs_arena_grow(&r->study.arena, &g->methods, g->count, &g->capacity, sizeof method));
        g->methods[g->count++] = method;
    }
    if (method.sweep && g->count == before)
        return hs_wrong(r, method.line, error,
                        "'%.200s' adds nothing: everything in it was given before", method.family);
    return HSEL_OK;
}

static void method_list_clear(method_list *g)
{
    hs_names_clear(&g->texts);
    hs_names_clear(&g->labels);
}

static int read_methods(hs_reading *r, hs_kind kind, const hs_yaml *node, hs_study_method **out,
                        size_t *count, hsel_error *error)
{
    HS_OWNS(method_list_clear) method_list g = {.r = r, .kind = kind};
    const hs_yaml *item = NULL;
    HS_TRY(hs_items_of(r, node, NULL, &item, error));
    for (; item; item = hs_item_after(node, item))
        HS_TRY(add_item(&g, item, error));
    *out = g.methods;
    *count = g.count;
    return HSEL_OK;
}

int hs_read_selectors(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    return read_methods(r, HS_SELECTOR, node, &r->study.selectors, &r->study.selector_count, error);
}

int hs_read_classifiers(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    return read_methods(r, HS_CLASSIFIER, node, &r->study.classifiers, &r->study.classifier_count,
                        error);
}

/* The method with this text or label; NULL: none. */
static int named_method(hs_reading *r, hs_kind kind, const char *word, const hs_study_method **out,
                        hsel_error *error)
{
    const hs_study *s = &r->study;
    const hs_study_method *methods = kind == HS_SELECTOR ? s->selectors : s->classifiers;
    size_t count = kind == HS_SELECTOR ? s->selector_count : s->classifier_count;
    const char *text = NULL;
    *out = NULL;
    if (hs_method_find(kind, word, strcspn(word, ":")))
        HS_NEED(hs_canonical(r, kind, word, &text, NULL) != HSEL_ENOMEM);
    for (size_t i = 0; i < count && !*out; i++)
        if (strcmp(methods[i].label, word) == 0 || (text && strcmp(methods[i].text, text) == 0))
            *out = &methods[i];
    return HSEL_OK;
}

/* ---- folds and metrics ---- */

const hs_option hs_folds_keys[] = {
    HS_TEXT(hs_reading, study.scheme, "scheme", "own|weka|wan|loo|file:PATH", "own",
            "how folds are made, as in hsel eval; weka:1 uses the folds of seed 1 in every repeat"),
    HS_OPTION(hs_reading, study.folds, "count", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(hs_reading, study.repeats, "repeats", "N", "1", 1, 100000,
              "repetitions, with different folds"),
    HS_OPTION(hs_reading, study.seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"),
    HS_OPTION_END};

int hs_read_folds(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_fold_scheme parsed;
    uint64_t seed;
    const char *scheme = r->study.scheme;
    const hs_yaml *given = hs_yaml_find(node, "scheme");
    if (strncmp(scheme, "file:", 5) == 0) {
        HS_OWNS(hs_buf_clear) hs_buf file = {0};
        bool unset;
        const char *path;
        HS_TRY(hs_read_path(r, given->line, scheme + 5, NULL, &path, &unset, error));
        hs_buf_printf(&file, "file:%s", path);
        HS_NEED(r->study.scheme = hs_keep(&r->study.arena, &file));
    } else if (!hs_fold_scheme_parse(scheme, &parsed, &seed)) {
        /* which says what there is */
        HS_TRY(hs_at(r, given->line, hs_folds_choose(scheme, NULL, 0, 0, NULL, error), error));
    }
    return HSEL_OK;
}

static int find_metric(const hs_reading *r, const hs_yaml *name, hs_metric *out, hsel_error *error)
{
    const char *words[HS_METRICS];
    char hint[128];
    *out = hs_metric_find(name->text, strlen(name->text));
    if (*out != HS_METRICS)
        return HSEL_OK;
    for (int i = 0; i < HS_METRICS; i++)
        words[i] = hs_metric_name((hs_metric)i);
    return hs_wrong(r, name->line, error, "there is no metric '%.80s'%s", name->text,
                    hs_did_you_mean(name->text, words, HS_METRICS, hint));
}

int hs_named_metric(const hs_reading *r, const hs_yaml *mapping, hs_metric *out, hsel_error *error)
{
    const hs_yaml *name = hs_yaml_find(mapping, "metric");
    hs_metric shown[HS_METRICS];
    hs_study_metrics(&r->study, r->classes, !r->classes, shown);
    *out = shown[0];
    return name ? find_metric(r, name, out, error) : HSEL_OK;
}

int hs_read_metrics(hs_reading *r, const hs_yaml *node, hsel_error *error)
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
    HS_TRY(hs_items_of(r, node, "names such as gm or auroc", &item, error));
    for (; item; item = hs_item_after(node, item)) {
        HS_TRY(find_metric(r, item, &metric, error));
        if (given[metric])
            return hs_wrong(r, item->line, error, "the metric %s was given before", item->text);
        given[metric] = true;
        study->metrics[study->metric_count++] = metric;
    }
    return HSEL_OK;
}

/* ---- comparisons ---- */

const hs_option hs_compare_keys[] = {
    HS_TEXT(hs_reading, control, "control", "METHOD", NULL,
            "the selector (or classifier, if these are compared) that the others are compared with "
            "(Holm)"),
    HS_OPTION(hs_reading, study.alpha, "alpha", "P", "0.05", 1e-12, 0.5, "level of the tests"),
    HS_CHOICE(hs_reading, by, "by", "fold-mean|pooled", "fold-mean",
              "whether means over folds or pooled metrics are shown and tested"),
    HS_CHOICE(hs_reading, across, "across", "auto|selectors|classifiers", "auto",
              "what is compared in tables and tests: the selectors for each classifier, or the "
              "classifiers for each selector; auto compares classifiers when there is one selector "
              "and several of them"),
    HS_FLAG(hs_reading, study.errors, "errors", "whether tables show standard errors over folds"),
    HS_FLAG(hs_reading, study.one_sided, "one-sided",
            "whether p-values against the control are one-sided"),
    HS_FLAG(hs_reading, study.tuned, "tuned",
            "whether the best of a sweep (best-of), chosen on the test folds, takes part in ranks "
            "and tests"),
    HS_FLAG(hs_reading, study.stability, "stability",
            "whether the report shows the stability of selections on the hierarchy, and of lazy "
            "selectors, as hsel eval does"),
    HS_CHOICE(hs_reading, study.similarity, "similarity", HS_SIMILARITY_WORDS, "lin",
              "similarity of two features, for the former"),
    HS_OPTION_END};

const hs_option hs_best_keys[] = {
    HS_NESTED("selector", "SELECTOR, …", "methods, or labels or texts of single sweeps"),
    HS_TEXT(hs_reading, metric, "metric", "METRIC", NULL,
            "metric that decides which setting is best (default: the first metric)"),
    HS_OPTION_END};

const hs_option hs_rankings_keys[] = {
    HS_NESTED("by", "LIST", "rankers and measures: texts, or keys as above"),
    HS_CHOICE(hs_reading, tau, "tau", "b|a", "b",
              "Kendall's tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(hs_reading, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as in WEKA's Ranker"),
    HS_OPTION_END};

int hs_read_compare(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    char hint[128];
    const hs_yaml *similarity = hs_yaml_find(node, "similarity");
    if (similarity && !study->stability)
        return hs_wrong(r, similarity->key_line, error, "'similarity' requires 'stability: true'");
    study->pooled = r->by == 1;
    study->across_classifiers = r->across == 2 || (r->across == 0 && study->selector_count == 1 &&
                                                   study->classifier_count > 1);
    if (!r->control)
        return HSEL_OK;
    bool classifiers = study->across_classifiers;
    const hs_study_method *control;
    HS_TRY(named_method(r, classifiers ? HS_CLASSIFIER : HS_SELECTOR, r->control, &control, error));
    if (!control)
        return hs_wrong(r, hs_yaml_find(node, "control")->line, error,
                        "the control '%.80s' is not one of the %s%s", r->control,
                        classifiers ? "classifiers" : "selectors",
                        hs_nearest_word(study, r->control, classifiers, hint));
    study->control = control->text;
    return HSEL_OK;
}

int hs_read_best_of(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    HS_OWNS(hs_buf_clear) hs_buf all = {0};
    const hs_yaml *list, *item = NULL;
    HS_TRY(hs_need_key(r, node, "best-of", "selector", &list, error));
    HS_TRY(hs_items_of(r, list, NULL, &item, error));
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
            return hs_wrong(r, item->line, error,
                            "'%.80s' is not a sweep: a sweep is a selector with braces or a range, "
                            "e.g. shsel:threshold=0..1/0.1",
                            item->kind == HS_YAML_TEXT ? item->text : "selector");
        hs_buf_printf(&all, "%s%s", all.length ? ", " : "", item->text);
    }
    HS_NEED(study->best_of = hs_keep(&study->arena, &all));
    return hs_named_metric(r, node, &study->best_metric, error);
}

/* A list of rankers, or a mapping that has the list under `by`. */
int hs_read_rankings(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = &r->study;
    const hs_yaml *list = node;
    if (node->kind == HS_YAML_MAPPING) {
        HS_TRY(hs_read_keys(r, node, "rankings", hs_rankings_keys, r, error));
        HS_TRY(hs_need_key(r, node, "rankings", "by", &list, error));
    }
    HS_TRY(read_methods(r, HS_RANKER, list, &study->rankers, &study->ranker_count, error));
    if (study->ranker_count < 2)
        return hs_wrong(r, list->line, error, "'%s' has one ranker: give two or more", list->key);
    if (study->ranker_count > RANKERS_LIMIT)
        return hs_fail_at(error, HSEL_ELIMIT, study->file, list->line,
                          "%zu rankers are too many to compare (limit %d)", study->ranker_count,
                          RANKERS_LIMIT);
    study->tau = r->tau == 0 ? HS_TAU_B : r->ties == 0 ? HS_TAU_A_INDEX : HS_TAU_A_WEKA;
    return HSEL_OK;
}

/* ---- published figures ---- */

const hs_option hs_published_keys[] = {
    HS_TEXT(hs_reading, study.published.file, "file", "FILE", NULL,
            "table of published figures, from the folder of the study"),
    HS_NESTED("map", "OURS: THEIRS, …",
              "our names of methods, data sets and metrics, and those in the paper"),
    HS_OPTION_END};

/* A word of the study in the form of tables of results: canonical text, family, or itself. */
static int our_word(hs_reading *r, const hs_yaml *pair, const char **out, hsel_error *error)
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
    HS_TRY(named_method(r, HS_SELECTOR, word, &method, error));
    if (!method)
        HS_TRY(named_method(r, HS_CLASSIFIER, word, &method, error));
    *out = method ? method->text : word;
    if (method || r->unmatched) /* it may be a data set that is missing */
        return HSEL_OK;
    return hs_wrong(r, pair->key_line, error,
                    "'%.80s' is not a selector, classifier, data set or metric of this study%s",
                    word, hs_nearest_word(study, word, true, hint));
}

int hs_read_published(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    hs_published *p = &r->study.published;
    const hs_yaml *file, *map = hs_yaml_find(node, "map");
    bool unset;
    HS_TRY(hs_need_key(r, node, "published", "file", &file, error));
    HS_TRY(hs_read_path(r, file->line, p->file, NULL, &p->file, &unset, error));
    if (!map)
        return HSEL_OK;
    if (map->kind != HS_YAML_MAPPING)
        return hs_wrong(r, map->line, error, "'map' needs keys and values, e.g. 'none: nofs'");
    const char **from = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    const char **to = HS_ARENA_NEW(&r->study.arena, const char *, map->count);
    HS_NEED(from && to);
    p->from = from;
    p->to = to;
    for (const hs_yaml *pair = map->first; pair; pair = pair->next) {
        if (pair->kind != HS_YAML_TEXT || pair->text[0] == '\0')
            return hs_wrong(r, pair->key_line, error,
                            "'%.80s' needs the name in the paper after it", pair->key);
        HS_TRY(our_word(r, pair, &from[p->count], error));
        to[p->count++] = pair->text;
    }
    return HSEL_OK;
}

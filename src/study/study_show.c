/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study shows of its results: metrics, comparison with a control, the best of a sweep,
 * published figures. All of these name methods and data sets of the study, so they are read last.
 */
#include <string.h>

#include "core/mem.h"
#include "study/study_parts.h"

typedef struct compare {
    const char *control;
    double alpha;
    int by, across;
    bool one_sided, errors;
} compare;

typedef struct best_of {
    const char *metric;
    hs_list nested;
} best_of;

typedef struct published {
    const char *file;
    hs_list nested;
} published;

enum { CONTROL };
enum { SELECTOR, METRIC };
enum { FILE_KEY, MAP };

const hs_option hs_study_compare_keys[] = {
    HS_TEXT(compare, control, "control", "METHOD", NULL,
            "the selector (or classifier, if these are compared) that the others are compared with "
            "(Holm)"),
    HS_OPTION(compare, alpha, "alpha", "P", "0.05", 1e-12, 0.5, "level of the tests"),
    HS_CHOICE(compare, by, "by", "fold-mean|pooled", "fold-mean",
              "which of the two readings of a metric is shown and tested"),
    HS_CHOICE(compare, across, "across", "auto|selectors|classifiers", "auto",
              "what stands side by side in tables and tests: the selectors for each classifier, or "
              "the classifiers for each selector; auto compares classifiers when there is one "
              "selector and several of them"),
    HS_FLAG(compare, errors, "errors", "whether tables show standard errors over folds"),
    HS_FLAG(compare, one_sided, "one-sided", "whether p-values against the control are one-sided"),
    HS_OPTION_END};

const hs_option hs_study_best_keys[] = {
    HS_OPTION(best_of, nested, "selector", "SELECTOR, …", NULL, 0, 0,
              "methods, or labels or texts of single sweeps"),
    HS_TEXT(best_of, metric, "metric", "METRIC", NULL,
            "what the best is chosen by (default: the first metric)"),
    HS_OPTION_END};

const hs_option hs_study_published_keys[] = {
    HS_TEXT(published, file, "file", "FILE", NULL,
            "table of published figures, from the folder of the study"),
    HS_OPTION(published, nested, "map", "OURS: THEIRS, …", NULL, 0, 0,
              "our words for methods, data sets and metrics, and the paper's"),
    HS_OPTION_END};

int hs_study_metric(const hs_study_reader *r, const char *name, unsigned long line, hs_metric *out,
                    hsel_error *error)
{
    const char *words[HS_METRICS];
    char hint[128];
    *out = hs_metric_find(name, strlen(name));
    if (*out != HS_METRICS)
        return HSEL_OK;
    for (int i = 0; i < HS_METRICS; i++)
        words[i] = hs_metric_name((hs_metric)i);
    return hs_study_fail(r, line, error, "there is no metric '%.80s'%s", name,
                         hs_did_you_mean(name, words, HS_METRICS, hint));
}

/* ---- finding what a word of the study means ---- */

/* Canonical text of a method, NULL if it is none of this kind. */
static int canonical(hs_study_reader *r, hs_kind kind, const char *word, const char **out,
                     hsel_error *error)
{
    hs_chosen chosen = {0};
    hs_buf text = {0};
    *out = NULL;
    if (!hs_method_find(kind, word, strcspn(word, ":")))
        return HSEL_OK;
    int status = hs_chosen_parse(kind, word, &chosen, NULL);
    if (status)
        return status == HSEL_ENOMEM ? hs_fail_memory(error) : HSEL_OK;
    hs_chosen_format(&chosen, &text);
    hs_chosen_clear(&chosen);
    *out = hs_arena_keep(&r->study->arena, &text);
    return *out ? HSEL_OK : hs_fail_memory(error);
}

/* The method that a word names by text or label; NULL: none. */
static int find_method(hs_study_reader *r, hs_kind kind, const char *word,
                       const hs_study_method **out, hsel_error *error)
{
    const hs_study *s = r->study;
    const hs_study_method *methods = kind == HS_SELECTOR ? s->selectors : s->classifiers;
    size_t count = kind == HS_SELECTOR ? s->selector_count : s->classifier_count;
    const char *text;
    int status = canonical(r, kind, word, &text, error);
    *out = NULL;
    for (size_t i = 0; i < count && !*out && status == HSEL_OK; i++)
        if (strcmp(methods[i].label, word) == 0 || (text && strcmp(methods[i].text, text) == 0))
            *out = &methods[i];
    return status;
}

/* "; did you mean …" among the first names and labels of the study. */
static const char *nearest_word(const hs_study *s, const char *word, bool with_data, char *hint)
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
    return hs_did_you_mean(word, words, count, hint);
}

/* ---- comparison ---- */

int hs_study_compare(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    compare c = {.alpha = 0.05};
    const hs_yaml *nodes[HS_STUDY_KEYS] = {0};
    const hs_study_method *control = NULL;
    char hint[128];
    int status =
        node ? hs_keys_read(r, node, "compare", hs_study_compare_keys, &c, nodes, error) : HSEL_OK;
    bool classifiers = c.across == 2 || (c.across == 0 && r->study->selector_count == 1 &&
                                         r->study->classifier_count > 1);
    if (status == HSEL_OK && c.control)
        status =
            find_method(r, classifiers ? HS_CLASSIFIER : HS_SELECTOR, c.control, &control, error);
    if (status == HSEL_OK && c.control && !control)
        status = hs_study_fail(r, nodes[CONTROL]->line, error,
                               "the control '%.80s' is not one of the %s%s", c.control,
                               classifiers ? "classifiers" : "selectors",
                               nearest_word(r->study, c.control, classifiers, hint));
    r->study->control = control ? control->text : NULL;
    r->study->across_classifiers = classifiers;
    r->study->errors = c.errors;
    r->study->alpha = c.alpha;
    r->study->pooled = c.by == 1;
    r->study->one_sided = c.one_sided;
    return status;
}

/* ---- best of a sweep ---- */

static bool is_named(const hs_study_method *method, const char *word)
{
    size_t length = strlen(word);
    return strcmp(method->family, word) == 0 || strcmp(method->family_label, word) == 0 ||
           (strncmp(method->text, word, length) == 0 &&
            (method->text[length] == ':' || method->text[length] == '\0'));
}

/* Marks the sweeps that a word names. */
static int mark_sweeps(hs_study_reader *r, const hs_yaml *word, hs_buf *all, hsel_error *error)
{
    bool found = false;
    for (size_t i = 0; word->kind == HS_YAML_TEXT && i < r->study->selector_count; i++) {
        hs_study_method *method = &r->study->selectors[i];
        bool named = method->sweep && is_named(method, word->text);
        method->best |= named;
        found |= named;
    }
    if (!found)
        return hs_study_fail(
            r, word->line, error,
            "'%.80s' names no sweep: a sweep is a selector with braces or a range, "
            "e.g. shsel:threshold=0..1/0.1",
            word->kind == HS_YAML_TEXT ? word->text : "selector");
    hs_buf_printf(all, "%s%s", all->length ? ", " : "", word->text);
    return HSEL_OK;
}

int hs_study_best_of(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = r->study;
    best_of b = {0};
    const hs_yaml *nodes[HS_STUDY_KEYS], *item = NULL;
    hs_buf all = {0};
    int status = hs_keys_read(r, node, "best-of", hs_study_best_keys, &b, nodes, error);
    if (status)
        return status;
    if (!nodes[SELECTOR])
        return hs_study_fail(r, node->line, error, "there is no key 'selector' in best-of");
    status = hs_items_of(r, nodes[SELECTOR], &item, error);
    for (; item && status == HSEL_OK; item = hs_item_after(nodes[SELECTOR], item))
        status = mark_sweeps(r, item, &all, error);
    if (status == HSEL_OK && !(study->best_of = hs_arena_keep(&study->arena, &all)))
        status = hs_fail_memory(error);
    hs_buf_clear(&all);
    study->best_metric = study->metrics[0];
    if (status == HSEL_OK && b.metric)
        status = hs_study_metric(r, b.metric, nodes[METRIC]->line, &study->best_metric, error);
    return status;
}

/* ---- published figures ---- */

static bool is_dataset_or_metric(const hs_study *study, const char *word)
{
    for (size_t i = 0; i < study->dataset_count; i++)
        if (strcmp(study->datasets[i].name, word) == 0)
            return true;
    return hs_metric_find(word, strlen(word)) != HS_METRICS;
}

/* The word as tables of results have it: canonical text, family, or itself. */
static int our_word(hs_study_reader *r, const hs_yaml *pair, const char **out, hsel_error *error)
{
    const hs_study *study = r->study;
    const hs_study_method *method = NULL;
    char hint[128];
    int status = HSEL_OK;
    *out = is_dataset_or_metric(study, pair->key) ? pair->key : NULL;
    for (size_t i = 0; i < study->selector_count && !*out; i++)
        if (study->selectors[i].sweep && (strcmp(study->selectors[i].family, pair->key) == 0 ||
                                          strcmp(study->selectors[i].family_label, pair->key) == 0))
            *out = study->selectors[i].family;
    if (!*out)
        status = find_method(r, HS_SELECTOR, pair->key, &method, error);
    if (!*out && !method && status == HSEL_OK)
        status = find_method(r, HS_CLASSIFIER, pair->key, &method, error);
    if (method)
        *out = method->text;
    if (status == HSEL_OK && !*out && r->unmatched)
        *out = pair->key; /* a data set that is not here, perhaps */
    if (status == HSEL_OK && !*out)
        status =
            hs_study_fail(r, pair->key_line, error,
                          "'%.80s' is no selector, classifier, data set or metric of this study%s",
                          pair->key, nearest_word(study, pair->key, true, hint));
    return status;
}

static int read_map(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_published *p = &r->study->published;
    int status = HSEL_OK;
    if (node->kind != HS_YAML_MAPPING)
        return hs_study_fail(r, node->line, error,
                             "'map' is written as keys and values, e.g. 'none: nofs'");
    const char **from = HS_ARENA_NEW(&r->study->arena, const char *, node->count);
    const char **to = HS_ARENA_NEW(&r->study->arena, const char *, node->count);
    if (!from || !to)
        return hs_fail_memory(error);
    p->from = from;
    p->to = to;
    for (const hs_yaml *pair = node->first; pair && status == HSEL_OK; pair = pair->next) {
        if (pair->kind != HS_YAML_TEXT || pair->text[0] == '\0')
            return hs_study_fail(r, pair->key_line, error,
                                 "'%.80s' needs the paper's word after it", pair->key);
        status = our_word(r, pair, &from[p->count], error);
        to[p->count++] = pair->text;
    }
    return status;
}

int hs_study_published(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    published written = {0};
    const hs_yaml *nodes[HS_STUDY_KEYS];
    hs_buf path = {0};
    bool unset;
    int status =
        hs_keys_read(r, node, "published", hs_study_published_keys, &written, nodes, error);
    if (status)
        return status;
    if (!written.file)
        return hs_study_fail(r, node->line, error, "there is no key 'file' in published");
    status = hs_study_path(r, nodes[FILE_KEY]->line, written.file, NULL, &path, &unset, error);
    if (status == HSEL_OK && !(r->study->published.file = hs_arena_keep(&r->study->arena, &path)))
        status = hs_fail_memory(error);
    hs_buf_clear(&path);
    if (status == HSEL_OK && nodes[MAP])
        status = read_map(r, nodes[MAP], error);
    return status;
}

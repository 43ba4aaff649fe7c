/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a study: the text into a tree (yaml.c), the tree part by part into the study. Everything
 * that the study holds lies in its arena, so clearing it is one call and a failure leaves nothing
 * behind.
 */
#include "study/study.h"

#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "core/mem.h"
#include "core/reader.h"
#include "evaluate/fold_file.h"
#include "format/folder.h"
#include "study/study_parts.h"

typedef struct top {
    const char *name, *title;
    bool allow_violations;
    int rank_by;
    hs_list nested;
} top;

typedef struct folds {
    const char *scheme;
    uint32_t count, repeats;
    uint64_t seed;
} folds;

enum {
    NAME,
    TITLE,
    DATASETS,
    SELECTORS,
    CLASSIFIERS,
    FOLDS,
    METRICS,
    COMPARE,
    BEST_OF,
    PUBLISHED,
    TUNE = 11,
    RANKINGS
};
enum { SCHEME };

const hs_option hs_study_top_keys[] = {
    HS_TEXT(top, name, "name", "NAME", NULL, "name of the study (default: that of its file)"),
    HS_TEXT(top, title, "title", "TEXT", NULL, "heading of the report (default: the name)"),
    HS_OPTION(top, nested, "datasets", "LIST", NULL, 0, 0, "data sets: paths, or keys as below"),
    HS_OPTION(top, nested, "selectors", "LIST", NULL, 0, 0, "selectors: texts, or keys as below"),
    HS_OPTION(top, nested, "classifiers", "LIST", NULL, 0, 0, "classifiers, likewise"),
    HS_OPTION(top, nested, "folds", "KEYS", NULL, 0, 0, "how cross-validation is done"),
    HS_OPTION(top, nested, "metrics", "LIST", NULL, 0, 0,
              "what is shown (default: gm, auroc, auprc)"),
    HS_OPTION(top, nested, "compare", "KEYS", NULL, 0, 0, "how selectors are compared"),
    HS_OPTION(top, nested, "best-of", "KEYS", NULL, 0, 0,
              "show of a sweep the best setting on each data set"),
    HS_OPTION(top, nested, "published", "KEYS", NULL, 0, 0, "published figures to stand beside"),
    HS_FLAG(top, allow_violations, "allow-violations",
            "run hierarchical selectors also where the true-path rule is broken"),
    HS_OPTION(top, nested, "tune", "KEYS", NULL, 0, 0, "what hsel tune looks for"),
    HS_OPTION(top, nested, "rankings", "LIST", NULL, 0, 0,
              "rankers to compare with each other: texts, or keys as below"),
    HS_CHOICE(top, rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_OPTION_END};

const hs_option hs_study_folds_keys[] = {
    HS_TEXT(
        folds, scheme, "scheme", "own|weka|wan|loo|file:PATH", "own",
        "how instances come into folds, as in hsel eval; weka:1: those of seed 1 in every repeat"),
    HS_OPTION(folds, count, "count", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(folds, repeats, "repeats", "N", "1", 1, 100000,
              "how often to repeat, with other folds"),
    HS_OPTION(folds, seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"), HS_OPTION_END};

/* ---- parts ---- */

static int read_scheme(hs_study_reader *r, const char *scheme, unsigned long line, const char **out,
                       hsel_error *error)
{
    static const char *const words[] = {"own", "weka", "wan", "loo"};
    hs_buf path = {0};
    bool unset;
    char hint[128];
    if (strncmp(scheme, "file:", 5) == 0) {
        hs_buf file = {0};
        int status = hs_study_path(r, line, scheme + 5, NULL, &path, &unset, error);
        hs_buf_printf(&file, "file:%s", path.text ? path.text : "");
        hs_buf_clear(&path);
        if (!(*out = hs_arena_keep(&r->study->arena, &file)) && status == HSEL_OK)
            status = hs_fail_memory(error);
        return status;
    }
    hs_fold_scheme parsed;
    uint64_t seed;
    *out = scheme;
    if (hs_fold_scheme_parse(scheme, &parsed, &seed))
        return HSEL_OK;
    hs_did_you_mean(scheme, words, sizeof words / sizeof words[0], hint);
    return hs_study_fail(r, line, error, "there is no fold scheme '%.80s'%s", scheme,
                         *hint ? hint : "; there are own, weka, wan, loo and file:PATH");
}

static int read_folds(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = r->study;
    folds f = {.scheme = "own", .count = 10, .repeats = 1, .seed = 1};
    const hs_yaml *nodes[HS_STUDY_KEYS] = {0};
    int status =
        node ? hs_keys_read(r, node, "folds", hs_study_folds_keys, &f, nodes, error) : HSEL_OK;
    study->folds = f.count;
    study->repeats = f.repeats;
    study->seed = f.seed;
    study->scheme = "own";
    if (status == HSEL_OK && nodes[SCHEME])
        status = read_scheme(r, f.scheme, nodes[SCHEME]->line, &study->scheme, error);
    return status;
}

static int read_metrics(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = r->study;
    const hs_yaml *item = NULL;
    bool given[HS_METRICS] = {false};
    hs_metric metric;
    if (!node) {
        static const hs_metric usual[] = {HS_METRIC_GM, HS_METRIC_AUROC, HS_METRIC_AUPRC};
        memcpy(study->metrics, usual, sizeof usual);
        study->metric_count = sizeof usual / sizeof usual[0];
        return HSEL_OK;
    }
    int status = hs_items_of(r, node, &item, error);
    for (; item && status == HSEL_OK; item = hs_item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return hs_study_fail(r, item->line, error, "'metrics' takes names such as gm or auroc");
        if ((status = hs_study_metric(r, item->text, item->line, &metric, error)))
            return status;
        if (given[metric])
            return hs_study_fail(r, item->line, error, "the metric %s was given before",
                                 item->text);
        given[metric] = true;
        study->metrics[study->metric_count++] = metric;
    }
    return status;
}

/* A name may become part of a file name. */
static int read_name(hs_study_reader *r, const char *name, const hs_yaml *node, hsel_error *error)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    hs_study *study = r->study;
    hs_buf from_file = {0};
    if (name && (strspn(name, allowed) != strlen(name) || name[0] == '.' || name[0] == '-'))
        return hs_study_fail(r, node->line, error,
                             "the name '%.80s' should have letters, digits and . _ - only", name);
    if (!name) {
        hs_name_from_path(r->file, &from_file);
        if (from_file.length == 0)
            hs_buf_text(&from_file, "study");
        name = hs_arena_keep(&study->arena, &from_file);
    }
    study->name = name;
    return name ? HSEL_OK : hs_fail_memory(error);
}

/* ---- all of it ---- */

static int require(const hs_study_reader *r, const hs_yaml *root, const hs_yaml *const *nodes,
                   hsel_error *error)
{
    static const int needed[] = {DATASETS, SELECTORS, CLASSIFIERS};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!nodes[needed[i]])
            return hs_study_fail(
                r, root->line, error,
                "there is no key '%s': a study needs datasets, selectors and classifiers",
                hs_study_top_keys[needed[i]].name);
    return HSEL_OK;
}

static int read_parts(hs_study_reader *r, const hs_yaml *root, hsel_error *error)
{
    hs_study *study = r->study;
    const hs_yaml *nodes[HS_STUDY_KEYS];
    top t = {0};
    int status;
    if ((status = hs_keys_read(r, root, "a study", hs_study_top_keys, &t, nodes, error)) ||
        (status = require(r, root, nodes, error)) ||
        (status = read_name(r, t.name, nodes[NAME], error)) ||
        (status = read_folds(r, nodes[FOLDS], error)) ||
        (status = read_metrics(r, nodes[METRICS], error)) ||
        (status = hs_study_methods(r, HS_SELECTOR, nodes[SELECTORS], &study->selectors,
                                   &study->selector_count, error)) ||
        (status = hs_study_methods(r, HS_CLASSIFIER, nodes[CLASSIFIERS], &study->classifiers,
                                   &study->classifier_count, error)) ||
        (status = hs_study_datasets(r, nodes[DATASETS], error)) ||
        (status = hs_study_compare(r, nodes[COMPARE], error)))
        return status;
    study->title = t.title ? t.title : study->name;
    study->allow_violations = t.allow_violations;
    study->rank_by = (hs_rank_by)t.rank_by;
    if (nodes[BEST_OF] && (status = hs_study_best_of(r, nodes[BEST_OF], error)))
        return status;
    if (nodes[RANKINGS] && (status = hs_study_rankings(r, nodes[RANKINGS], error)))
        return status;
    if (nodes[TUNE] && (status = hs_study_tune(r, nodes[TUNE], error)))
        return status;
    return nodes[PUBLISHED] ? hs_study_published(r, nodes[PUBLISHED], error) : HSEL_OK;
}

int hs_study_parse(const char *name, const char *text, size_t length, hs_study *out,
                   hsel_error *error)
{
    hs_study_reader r = {.study = out};
    hs_yaml *root = NULL;
    const char *slash = strrchr(name, '/');
    int status = HSEL_OK;
    *out = (hs_study){0};
    if (length > HS_STUDY_BYTES)
        return hs_fail_at(error, HSEL_ELIMIT, name, 0, "more than %zu bytes: this is no study file",
                          HS_STUDY_BYTES);
    out->file = r.file = hs_arena_text(&out->arena, name, strlen(name));
    out->text = hs_arena_text(&out->arena, text, length);
    r.folder = hs_arena_text(&out->arena, name, slash ? (size_t)(slash - name) + 1 : 0);
    if (!out->file || !out->text || !r.folder)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_yaml_parse(out->file, out->text, length, &out->arena, &root, error);
    if (status == HSEL_OK)
        status = read_parts(&r, root, error);
    if (status)
        hs_study_clear(out);
    return status;
}

/* All of a file, at most HS_STUDY_BYTES and a little more unless `hash` takes it. */
static int read_all(const char *path, hs_buf *text, XXH3_state_t *hash, hsel_error *error)
{
    hs_reader *reader = NULL;
    const char *block;
    size_t length;
    int status = hs_reader_open(path, &reader, error);
    while (status == HSEL_OK && text->length <= HS_STUDY_BYTES && !text->failed &&
           (status = hs_reader_block(reader, &block, &length, error)) > 0) {
        if (hash)
            XXH3_64bits_update(hash, block, length);
        else
            hs_buf_add(text, block, length);
        status = HSEL_OK;
    }
    hs_reader_close(reader);
    return status == HSEL_OK && text->failed ? hs_fail_memory(error) : status;
}

/* A fold file by its content. */
static int name_folds(hs_study *study, hsel_error *error)
{
    XXH3_state_t hash;
    hs_buf name = {0};
    if (strncmp(study->scheme, "file:", 5) != 0)
        return HSEL_OK;
    XXH3_64bits_reset(&hash);
    int status = read_all(study->scheme + 5, &name, &hash, error);
    if (status)
        return status;
    hs_buf_printf(&name, "file:%016llx", (unsigned long long)XXH3_64bits_digest(&hash));
    study->fold_file = hs_arena_keep(&study->arena, &name);
    return study->fold_file ? HSEL_OK : hs_fail_memory(error);
}

int hs_study_read(const char *path, hs_study *out, hsel_error *error)
{
    hs_buf text = {0};
    *out = (hs_study){0};
    int status = read_all(path, &text, NULL, error);
    if (status == HSEL_OK)
        status = hs_study_parse(path, text.text ? text.text : "", text.length, out, error);
    if (status == HSEL_OK && (status = name_folds(out, error)))
        hs_study_clear(out);
    hs_buf_clear(&text);
    return status;
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a study: the text into a tree (yaml.c), the tree by tables of keys into the study. A
 * table is an option table: what a key takes, its default and its bounds are said once, in the
 * words that options have everywhere. Everything that the study holds lies in its arena, so
 * clearing it is one call and a failure leaves nothing behind.
 */
#include "study/study.h"

#define XXH_STATIC_LINKING_ONLY /* states on the stack */
#include <xxhash.h>

#include "load/folder.h"
#include "study/reading.h"

const hs_option hs_top_keys[] = {
    HS_TEXT(hs_reading, study.name, "name", "NAME", NULL,
            "name of the study (default: that of its file)"),
    HS_TEXT(hs_reading, study.title, "title", "TEXT", NULL,
            "heading of the report (default: the name)"),
    HS_NESTED("datasets", "LIST", "data sets: paths, or keys as below"),
    HS_NESTED("selectors", "LIST", "selectors: texts, or keys as below"),
    HS_NESTED("classifiers", "LIST", "classifiers, likewise"),
    HS_NESTED("folds", "KEYS", "how cross-validation is done"),
    HS_NESTED("metrics", "LIST", "what is shown (default: gm, auroc, auprc)"),
    HS_NESTED("compare", "KEYS", "how selectors are compared"),
    HS_NESTED("best-of", "KEYS", "for a sweep, show the best setting on each data set"),
    HS_NESTED("published", "KEYS", "published figures to compare with"),
    HS_FLAG(hs_reading, study.allow_violations, "allow-violations",
            "run hierarchical selectors even if the data violate the true-path rule"),
    HS_NESTED("tune", "KEYS", "what hsel tune optimises"),
    HS_NESTED("auto", "LIST", "automatic choices among all pairs of selector and classifier"),
    HS_NESTED("simulate", "LIST", "simulations of the procedures of hsel test, keys as below"),
    HS_NESTED("rankings", "LIST", "rankers to compare with each other: texts, or keys as below"),
    HS_CHOICE(hs_reading, study.rank_by, "rank-by", HS_RANK_BY_WORDS, "score",
              "what auroc and auprc rank by, as in hsel eval"),
    HS_OPTION_END};

/* ---- all of it ---- */

/* A name may become part of a file name. */
static int read_name(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    hs_study *study = &r->study;
    const char *name = study->name;
    if (name && (strspn(name, allowed) != strlen(name) || name[0] == '.' || name[0] == '-'))
        return hs_wrong(r, node->line, error,
                        "the name '%.80s' should have letters, digits and . _ - only", name);
    if (!name) {
        HS_OWNS(hs_buf_clear) hs_buf from_file = {0};
        hs_name_from_path(study->file, &from_file);
        if (from_file.length == 0)
            hs_buf_text(&from_file, "study");
        HS_NEED(study->name = hs_keep(&study->arena, &from_file));
    }
    if (!study->title)
        study->title = study->name;
    return HSEL_OK;
}

/* How the values of keys are completed, in an order in which names come after what they name. */
static const struct {
    const char *key;
    bool always; /* also when the key is not given */
    const hs_option
        *table; /* of the mapping that is its value, over hs_reading; NULL: it is none */
    hs_part_reader *read;
} parts[] = {
    {"name", true, NULL, read_name},
    {"folds", true, hs_folds_keys, hs_read_folds},
    {"metrics", true, NULL, hs_read_metrics},
    {"selectors", false, NULL, hs_read_selectors},
    {"classifiers", false, NULL, hs_read_classifiers},
    {"datasets", false, NULL, hs_read_datasets},
    {"compare", true, hs_compare_keys, hs_read_compare},
    {"best-of", false, hs_best_keys, hs_read_best_of},
    {"rankings", false, NULL, hs_read_rankings},
    {"simulate", false, NULL, hs_read_simulations},
    {"auto", false, NULL, hs_read_autos},
    {"tune", false, hs_tune_keys, hs_read_tune},
    {"published", false, hs_published_keys, hs_read_published},
};

static void reader_clear(hs_reading *r) { hs_study_clear(&r->study); }

int hs_study_parse(const char *name, const char *text, size_t length, hs_study *out,
                   hsel_error *error)
{
    HS_OWNS(reader_clear) hs_reading r = {0};
    hs_study *study = &r.study;
    hs_yaml *root = NULL;
    const char *slash = strrchr(name, '/');
    *out = (hs_study){0};
    if (length > HS_STUDY_BYTES)
        return hs_fail_at(error, HSEL_ELIMIT, name, 0, "more than %zu bytes: not a study file",
                          HS_STUDY_BYTES);
    study->file = hs_arena_text(&study->arena, name, strlen(name));
    study->text = hs_arena_text(&study->arena, text, length);
    r.folder = hs_arena_text(&study->arena, name, slash ? (size_t)(slash - name) + 1 : 0);
    HS_NEED(study->file && study->text && r.folder);
    HS_TRY(hs_yaml_parse(study->file, study->text, length, &study->arena, &root, error));
    HS_TRY(hs_read_keys(&r, root, "a study", hs_top_keys, &r, error));
    static const char *const required[] = {"datasets", "selectors", "classifiers"};
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if (!hs_yaml_find(root, required[i]) && (i == 0 || !hs_yaml_find(root, "simulate")))
            return hs_wrong(
                &r, root->line, error,
                "there is no key '%s': a study needs datasets, selectors and classifiers",
                required[i]);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const hs_yaml *node = hs_yaml_find(root, parts[i].key);
        if (!node && !parts[i].always)
            continue;
        if (parts[i].table)
            HS_TRY(hs_read_keys(&r, node, parts[i].key, parts[i].table, &r, error));
        HS_TRY(parts[i].read(&r, node, error));
    }
    for (size_t i = 0; !r.classes && !study->usual && i < study->metric_count; i++)
        if (!hs_metric_fits(study->metrics[i], true))
            return hs_wrong(&r, hs_yaml_find(root, "metrics")->line, error,
                            "%s is for classes, but all data sets have a numeric target",
                            hs_metric_name(study->metrics[i]));
    study->pooled |= strcmp(study->scheme, "loo") == 0; /* as in hsel eval */
    *out = *study;
    *study = (hs_study){0};
    return HSEL_OK;
}

/* Reads a whole file: into `hash`, or into `text` up to a little more than HS_STUDY_BYTES. */
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

/* The hash of a file, the next one of those known, or computed; added to `contents`. */
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

/* The key of a method: its text with the content of files instead of their names. */
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
        hs_buf_add(&key, from, (size_t)(file - from));
        hs_buf_text(&key, hash);
    }
    if (from == method->text)
        return HSEL_OK;
    hs_buf_text(&key, from);
    HS_NEED(method->key = hs_keep(&study->arena, &key));
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
        HS_TRY(content_of(study->scheme + 5, &left, &contents, hash, error));
        hs_buf_printf(&text, "file:%s", hash);
        HS_NEED(study->fold_file = hs_keep(&study->arena, &text));
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
        HS_NEED(method->key = hs_keep(&study->arena, &text));
    }
    HS_NEED(!contents.failed);
    if (contents.length)
        HS_NEED(study->contents = hs_keep(&study->arena, &contents));
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
    HS_MOVE(out, &study);
    return HSEL_OK;
}

void hs_study_clear(hs_study *study)
{
    for (int kind = 0; kind < HS_KINDS; kind++)
        hs_chosen_list_clear(&study->chosen[kind]);
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

/* Selectors that lack the same classifiers are listed together, sweeps under their common name. */
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

uint64_t hs_study_jobs_of(const hs_study *study, uint64_t folds)
{
    uint64_t jobs;
    if (__builtin_mul_overflow(folds * study->repeats, hs_study_pairs(study) + study->auto_count,
                               &jobs))
        return UINT64_MAX;
    for (size_t i = 0; i < study->draw_count; i++)
        jobs += study->draws[i].count;
    return jobs;
}

uint64_t hs_study_jobs(const hs_study *study)
{
    uint64_t jobs = hs_study_jobs_of(study, study->folds), there = 0;
    for (size_t i = 0; i < study->dataset_count; i++)
        there += !study->datasets[i].missing;
    return __builtin_mul_overflow(jobs, there, &jobs) ? UINT64_MAX : jobs;
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

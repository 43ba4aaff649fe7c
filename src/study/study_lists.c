/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of a study.
 *
 * Data sets: paths with braces and globs, generated sets, what is done on loading. Every data set
 * that the study names is in the list, also if it is not there; names do not repeat.
 *
 * Selectors, classifiers and rankers: grids expanded, every text checked and made canonical, so
 * that one setting has one text. A setting that was given before is a mistake, unless a grid brings
 * it: then it stays where it was first.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "format/folder.h"
#include "format/load.h"
#include "rank/rank.h"
#include "study/grid.h"
#include "study/study_parts.h"

typedef struct entry { /* one item of `datasets` */
    const char *path, *generate, *name, *hierarchy;
    uint64_t seed;
    hs_list nested;
} entry;

const hs_option hs_study_dataset_keys[] = {
    HS_TEXT(entry, path, "path", "PATH", NULL,
            "file, folder or pack; braces, globs and ${NAME:-default} make it several"),
    HS_TEXT(entry, generate, "generate", "GENERATOR", NULL,
            "a generated data set instead of a path, as in hsel generate"),
    HS_TEXT(entry, name, "name", "NAME", NULL,
            "name in tables (default: from the path, or the generator's text)"),
    HS_OPTION(entry, nested, "prepare", "OPTION,…", NULL, 0, 0,
              "options of loading, as in hsel convert, without dashes"),
    HS_TEXT(entry, hierarchy, "hierarchy", "FILE", NULL,
            "hierarchy over the features, from the folder of the data"),
    HS_OPTION(entry, seed, "seed", "S", "1", 0, 9e15, "seed of a generated data set"),
    HS_OPTION_END};

const hs_option hs_study_method_keys[] = {
    HS_TEXT(hs_study_method, family_label, "label", "TEXT", NULL,
            "short name in tables (default: the method's text)"),
    HS_TEXT(hs_study_method, family, "method", "METHOD", NULL,
            "the method, with its options or grids of them"),
    HS_OPTION_END};

/* Canonical text of a method, in the arena. */
static int canonical_text(hs_study_reader *r, hs_kind kind, unsigned long line, const char *text,
                          const char **out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    hs_buf canonical = {0};
    hsel_error because = {0};
    if (kind == HS_RANKER ? hs_ranker_parse(text, &chosen, &because)
                          : hs_chosen_parse(kind, text, &chosen, &because))
        return hs_study_fail_because(r, line, &because, error);
    hs_chosen_format(&chosen, &canonical);
    HS_NEED(*out = hs_arena_keep(&r->study.arena, &canonical));
    return HSEL_OK;
}

/* ---- data sets ---- */

typedef struct set_list {
    hs_study_reader *r;
    entry entry;
    const hs_yaml *item;
    bool unset;                            /* a variable in its path has no value */
    hs_names names;                        /* of the data sets so far */
    unsigned long *lines;                  /* where each was given */
    size_t capacity, line_capacity, added; /* `added` by this entry */
} set_list;

/* The line of a key of the entry, or of the entry itself. */
static unsigned long line_of(const set_list *g, const char *key)
{
    const hs_yaml *value = hs_yaml_find(g->item, key);
    return value ? value->line : g->item->line;
}

static int too_many(const set_list *g, uint64_t count, hsel_error *error)
{
    char shown[32], limit[32];
    hs_format_grouped(count, shown);
    hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
    return hs_fail_at(error, HSEL_ELIMIT, g->r->study.file, g->item->line,
                      "%s data sets; a study holds at most %s", shown, limit);
}

static int add_dataset(set_list *g, const hs_study_dataset *data, hsel_error *error)
{
    hs_study *study = &g->r->study;
    unsigned long line = g->item->line;
    hsel_error because = {0};
    uint32_t id;
    bool is_new;
    if (study->dataset_count == HS_STUDY_LIST_LIMIT)
        return too_many(g, study->dataset_count + 1, error);
    if (g->entry.name && g->added)
        return hs_study_fail(g->r, line_of(g, "name"), error,
                             "'name' is for one data set, and this stands for several");
    if (hs_names_intern(&g->names, data->name, strlen(data->name), &id, &is_new, &because))
        return hs_study_fail_because(g->r, line, &because, error);
    if (!is_new)
        return hs_study_fail(
            g->r, line, error,
            "a data set called '%.200s' was given before, on line %lu: give one of them a name",
            data->name, g->lines[id]);
    HS_NEED(
        hs_arena_grow(&study->arena, (void **)&study->datasets, study->dataset_count, &g->capacity,
                      sizeof *data) &&
        hs_arena_grow(&study->arena, (void **)&g->lines, id, &g->line_capacity, sizeof *g->lines));
    g->lines[id] = line;
    study->datasets[study->dataset_count++] = *data;
    g->added++;
    return HSEL_OK;
}

/* Canonical text of the options of loading, checked. */
static int prepare_text(set_list *g, const char *path, const char **out, hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    hs_load_options options = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, base = {0};
    hsel_error because = {0};
    const hs_yaml *node = hs_yaml_find(g->item, "prepare"), *item = NULL;
    unsigned long line = line_of(g, "prepare");
    if (node)
        HS_TRY(hs_items_of(g->r, node, &item, error));
    for (; item; item = hs_item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return hs_study_fail(g->r, item->line, error,
                                 "'prepare' takes options such as drop-roots or min-support=3");
        hs_buf_printf(&text, "%s%s", text.length ? "," : "", item->text);
    }
    HS_NEED(!text.failed);
    if (hs_options_defaults(hs_load_table, &options, arena, &because) ||
        hs_options_parse(hs_load_table, &options, text.text, "'prepare'", arena, &because))
        return hs_study_fail_because(g->r, line, &because, error);
    if (options.hierarchy)
        return hs_study_fail(g->r, line, error,
                             "the hierarchy has a key of its own: 'hierarchy: FILE'");
    if (g->entry.hierarchy) { /* it stands beside the data */
        struct stat about;
        bool unset;
        const char *slash = strrchr(path, '/');
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            hs_buf_printf(&base, "%s/", path);
        else
            hs_buf_add(&base, path, slash ? (size_t)(slash - path) + 1 : 0);
        HS_NEED(!base.failed);
        HS_TRY(hs_study_path(g->r, line_of(g, "hierarchy"), g->entry.hierarchy, base.text,
                             &options.hierarchy, &unset, error));
        if (strchr(options.hierarchy, ','))
            return hs_study_fail(g->r, line_of(g, "hierarchy"), error,
                                 "a comma in the path of a hierarchy: %.200s", options.hierarchy);
    }
    if (hs_load_check(&options, &because))
        return hs_study_fail_because(g->r, line, &because, error);
    hs_buf_clear(&text);
    hs_options_format(hs_load_table, &options, &text);
    HS_NEED(*out = hs_arena_keep(arena, &text));
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
    data.name = hs_arena_keep(arena, &name);
    data.path = hs_arena_text(arena, path, strlen(path));
    HS_NEED(data.name && data.path);
    HS_TRY(prepare_text(g, path, &data.prepare, error));
    return add_dataset(g, &data, error);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A path after expansion of braces: what it finds, in the order of bytes, the same in every locale.
 */
static int add_paths(void *context, const char *path, hsel_error *error)
{
    set_list *g = context;
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
        return too_many(g, found.gl_pathc, error);
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_bytes);
    for (size_t i = 0; i < found.gl_pathc; i++)
        HS_TRY(add_path(g, found.gl_pathv[i], false, false, error));
    return HSEL_OK;
}

static int add_generated(void *context, const char *text, hsel_error *error)
{
    set_list *g = context;
    hs_study_dataset data = {.name = g->entry.name, .prepare = "", .seed = g->entry.seed};
    HS_TRY(canonical_text(g->r, HS_GENERATOR, line_of(g, "generate"), text, &data.generate, error));
    if (!data.name)
        data.name = data.generate;
    return add_dataset(g, &data, error);
}

static int add_entry(set_list *g, hsel_error *error)
{
    entry *e = &g->entry;
    hs_study_reader *r = g->r;
    const char *all;
    hsel_error because = {0};
    uint64_t count = 0;
    *e = (entry){.seed = 1};
    g->added = 0;
    if (g->item->kind == HS_YAML_TEXT)
        e->path = g->item->text;
    else
        HS_TRY(hs_keys_read(r, g->item, "a data set", hs_study_dataset_keys, e, error));
    if (!e->path == !e->generate)
        return hs_study_fail(r, g->item->line, error,
                             "a data set has a 'path' or is made by 'generate': give one of them");
    const hs_yaml *seed = hs_yaml_find(g->item, "seed"), *wrong = hs_yaml_find(g->item, "prepare");
    if (e->path && seed)
        return hs_study_fail(r, seed->key_line, error, "'seed' is for generated data sets");
    if (e->generate && (wrong || (wrong = hs_yaml_find(g->item, "hierarchy"))))
        return hs_study_fail(r, wrong->key_line, error,
                             "'%s' is for data sets with a path, not for generated ones",
                             wrong->key);
    unsigned long line = line_of(g, e->path ? "path" : "generate");
    all = e->generate;
    if (e->path)
        HS_TRY(hs_study_path(r, line, e->path, NULL, &all, &g->unset, error));
    if (!*all)
        return hs_study_fail(r, line, error, "the path is empty");
    if (hs_grid_expand(all, NULL, NULL, &count, &because))
        return hs_study_fail_because(r, line, &because, error);
    if (count > HS_STUDY_LIST_LIMIT)
        return too_many(g, count, error);
    return hs_grid_expand(all, e->path ? add_paths : add_generated, g, &count, error);
}

static void set_list_clear(set_list *g) { hs_names_clear(&g->names); }

int hs_study_datasets(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    HS_OWNS(set_list_clear) set_list g = {.r = r};
    HS_TRY(hs_items_of(r, node, &g.item, error));
    for (; g.item; g.item = hs_item_after(node, g.item))
        HS_TRY(add_entry(&g, error));
    return HSEL_OK;
}

/* ---- methods ---- */

typedef struct method_list {
    hs_study_reader *r;
    hs_kind kind;
    hs_study_method *methods;
    unsigned long *lines; /* where each was given */
    size_t count, capacity, line_capacity;
    hs_names texts, labels;
} method_list;

static int add_method(method_list *g, unsigned long line, const hs_study_method *method,
                      hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    uint32_t id;
    bool is_new;
    HS_TRY(hs_names_intern(&g->texts, method->text, strlen(method->text), &id, &is_new, error));
    if (!is_new && (method->sweep || g->methods[id].sweep))
        return HSEL_OK;
    if (!is_new)
        return hs_study_fail(g->r, line, error, "the %s %s was given before, on line %lu",
                             hs_kind_name(g->kind), method->text, g->lines[id]);
    HS_TRY(hs_names_intern(&g->labels, method->label, strlen(method->label), &id, &is_new, error));
    if (!is_new)
        return hs_study_fail(g->r, line, error, "the label '%.200s' was given before, on line %lu",
                             method->label, g->lines[id]);
    HS_NEED(
        hs_arena_grow(arena, (void **)&g->methods, g->count, &g->capacity, sizeof *method) &&
        hs_arena_grow(arena, (void **)&g->lines, g->count, &g->line_capacity, sizeof *g->lines));
    g->lines[g->count] = line;
    g->methods[g->count++] = *method;
    return HSEL_OK;
}

static int add_item(method_list *g, const hs_yaml *item, hsel_error *error)
{
    hs_study_reader *r = g->r;
    hs_study_method method = {.family = item->text};
    unsigned long line = item->line;
    size_t before = g->count;
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, label = {0};
    hs_grid grid;
    hsel_error because = {0};
    if (item->kind != HS_YAML_TEXT) {
        char owner[32] = "a ";
        strcat(owner, hs_kind_name(g->kind));
        HS_TRY(hs_keys_read(r, item, owner, hs_study_method_keys, &method, error));
        if (!method.family)
            return hs_study_fail(r, item->line, error, "there is no key 'method' in %s", owner);
        line = hs_yaml_find(item, "method")->line;
    }
    if (hs_grid_init(method.family, &grid, &because))
        return hs_study_fail_because(r, line, &because, error);
    if (grid.count > HS_STUDY_LIST_LIMIT - g->count) {
        char shown[32], limit[32];
        hs_format_grouped(grid.count, shown);
        hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
        return hs_fail_at(error, HSEL_ELIMIT, r->study.file, line,
                          "'%.200s' stands for %s %s; a study holds at most %s", method.family,
                          shown, hs_kind_plural(g->kind), limit);
    }
    const char *given = method.family_label;
    if (!grid.choice_count) {
        HS_TRY(canonical_text(r, g->kind, line, method.family, &method.text, error));
        method.family = method.text;
        method.label = method.family_label = given ? given : method.text;
        return add_method(g, line, &method, error);
    }
    method.sweep = true;
    method.family_label = given ? given : method.family;
    for (bool more = true; more; more = hs_grid_next(&grid)) {
        text.length = 0;
        hs_grid_text(&grid, &text);
        HS_NEED(!text.failed);
        HS_TRY(canonical_text(r, g->kind, line, text.text, &method.text, error));
        method.label = method.text;
        if (given) { /* that of the sweep, and what was chosen */
            hs_buf_printf(&label, "%s ", given);
            hs_grid_chosen(&grid, &label);
            HS_NEED(method.label = hs_arena_keep(&r->study.arena, &label));
        }
        HS_TRY(add_method(g, line, &method, error));
    }
    if (g->count == before)
        return hs_study_fail(r, line, error, "'%.200s' adds nothing: all of it was given before",
                             method.family);
    return HSEL_OK;
}

static void method_list_clear(method_list *g)
{
    hs_names_clear(&g->texts);
    hs_names_clear(&g->labels);
}

int hs_study_methods(hs_study_reader *r, hs_kind kind, const hs_yaml *node, hs_study_method **out,
                     size_t *count, hsel_error *error)
{
    HS_OWNS(method_list_clear) method_list g = {.r = r, .kind = kind};
    const hs_yaml *item = NULL;
    HS_TRY(hs_items_of(r, node, &item, error));
    for (; item; item = hs_item_after(node, item))
        HS_TRY(add_item(&g, item, error));
    *out = g.methods;
    *count = g.count;
    return HSEL_OK;
}

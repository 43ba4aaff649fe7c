/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets of a study: paths with braces and globs, generated sets, what is done on loading. Every
 * data set that the study names is in the list, also if it is not there; names do not repeat.
 */
#include <glob.h>
#include <sys/stat.h>

#include "load/folder.h"
#include "load/load.h"
#include "study/grid.h"
#include "study/reading.h"

typedef struct entry { /* one item of `datasets` */
    const char *path, *generate, *name, *hierarchy, *target;
    uint64_t seed;
    hs_list nested;
} entry;

const hs_option hs_dataset_keys[] = {
    HS_TEXT(entry, path, "path", "PATH", NULL,
            "file, folder or pack; braces, globs and ${NAME:-default} make it several"),
    HS_TEXT(entry, generate, "generate", "GENERATOR", NULL,
            "a generated data set instead of a path, as in hsel generate"),
    HS_TEXT(entry, name, "name", "NAME", NULL,
            "name in tables (default: from the path, or the generator's text)"),
    HS_TEXT(entry, target, "target", "NAME", NULL,
            "numeric target instead of a class: a numeric column, feature or column of the "
            "instances' table"),
    HS_OPTION(entry, nested, "prepare", "OPTION,…", NULL, 0, 0,
              "options of loading, as in hsel convert, without dashes: texts, or keys and values"),
    HS_OPTION(entry, nested, "labels", "NAME,…|all", NULL, 0, 0,
              "classes of data that have several: each makes a data set called SET/NAME"),
    HS_TEXT(entry, hierarchy, "hierarchy", "FILE", NULL,
            "hierarchy over the features, from the folder of the data"),
    HS_OPTION(entry, seed, "seed", "S", "1", 0, 9e15, "seed of a generated data set"),
    HS_OPTION_END};

typedef struct set_list {
    hs_reading *r;
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
        return hs_too_many(g->r, data.line, NULL, study->dataset_count + 1, "data sets", error);
    if (g->entry.name && g->added)
        return hs_wrong(g->r, line_of(g, "name"), error,
                        "'name' is for one data set, but this stands for several");
    HS_TRY(hs_at(g->r, data.line,
                 hs_names_intern(&g->names, data.name, strlen(data.name), &id, &is_new, error),
                 error));
    if (!is_new)
        return hs_wrong(
            g->r, data.line, error,
            "a data set called '%.200s' was given before, on line %lu: give one of them a name",
            data.name, study->datasets[id].line);
    HS_NEED(hs_arena_grow(&study->arena, &study->datasets, id, &g->r->dataset_room, sizeof data));
    study->datasets[study->dataset_count++] = data;
    g->added++;
    return HSEL_OK;
}

/* Options of loading as keys and values; a list gives an option several values. Commas separate
 * options in the canonical text, so no value may contain one. */
static int read_options(hs_reading *r, const hs_yaml *node, hs_load_options *out, hsel_error *error)
{
    HS_TRY(hs_read_keys(r, node, "'prepare'", hs_load_table, out, error));
    for (const hs_yaml *value = node->first; value; value = value->next) {
        const hs_option *option = hs_option_find(hs_load_table, value->key, strlen(value->key));
        const hs_yaml *item = value;
        if (option->type == HS_OPT_LIST)
            HS_TRY(hs_items_of(r, value, "texts", &item, error));
        for (; item; item = hs_item_after(value, item)) {
            if (strchr(item->text, ','))
                return hs_wrong(r, item->line, error, "a comma in '%s': %.200s%s", option->name,
                                item->text, option->type == HS_OPT_LIST ? "; give a list" : "");
            if (option->type == HS_OPT_LIST)
                HS_TRY(hs_set_option(r, item, option, out, error));
        }
    }
    return HSEL_OK;
}

static int refuse_comma(const set_list *g, const char *key, const char *what, const char *text,
                        hsel_error *error)
{
    return text && strchr(text, ',')
               ? hs_wrong(g->r, line_of(g, key), error, "a comma in %s: %.200s", what, text)
               : HSEL_OK;
}

/* Canonical text of the options of loading, checked; with the class, if it is not NULL. */
static int prepare_text(set_list *g, const char *path, const char *label, const char **out,
                        hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    hs_load_options options = {0};
    HS_OWNS(hs_buf_clear) hs_buf text = {0}, base = {0};
    const hs_yaml *node = hs_yaml_find(g->item, "prepare"), *item = NULL;
    unsigned long line = line_of(g, "prepare");
    HS_TRY(hs_at(g->r, line, hs_options_defaults(hs_load_table, &options, arena, error), error));
    if (node && node->kind == HS_YAML_MAPPING)
        HS_TRY(read_options(g->r, node, &options, error));
    else if (node)
        HS_TRY(
            hs_items_of(g->r, node, "options such as drop-roots or min-support=3", &item, error));
    for (; item; item = hs_item_after(node, item))
        hs_buf_printf(&text, "%s%s", text.length ? "," : "", item->text);
    HS_NEED(!text.failed);
    HS_TRY(hs_at(g->r, line,
                 hs_options_parse(hs_load_table, &options, text.text, "'prepare'", arena, error),
                 error));
    if (options.hierarchy)
        return hs_wrong(g->r, line, error, "the hierarchy has its own key: 'hierarchy: FILE'");
    if (label && options.columns.class_name)
        return hs_wrong(g->r, line, error, "'class' and 'labels' contradict each other");
    HS_TRY(refuse_comma(g, "labels", "the name of a class", label, error));
    options.columns.class_name = label ? label : options.columns.class_name;
    if (g->entry.target && (options.columns.target || options.columns.class_name))
        return hs_wrong(
            g->r, line_of(g, "target"), error,
            options.columns.target
                ? "'target' was given before, in 'prepare'"
                : "'target' and a class cannot be combined: predict either a number or a class");
    HS_TRY(refuse_comma(g, "target", "the name of a target", g->entry.target, error));
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
        HS_TRY(hs_read_path(g->r, line_of(g, "hierarchy"), g->entry.hierarchy, base.text,
                            &options.hierarchy, &unset, error));
        HS_TRY(refuse_comma(g, "hierarchy", "the path of a hierarchy", options.hierarchy, error));
    }
    HS_TRY(hs_at(g->r, line, hs_load_check(&options, error), error));
    hs_buf_clear(&text);
    hs_options_format(hs_load_table, &options, &text);
    HS_NEED(*out = hs_keep(arena, &text));
    return HSEL_OK;
}

/* Adds the data set once for each class that `labels` names. */
static int add_labels(set_list *g, const hs_yaml *node, hs_study_dataset data, hsel_error *error)
{
    hs_arena *arena = &g->r->study.arena;
    const hs_yaml *item = NULL;
    const char *name = data.name;
    size_t before = g->added;
    HS_OWNS(hs_names_clear) hs_names labels = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *whole = NULL;
    HS_TRY(hs_items_of(g->r, node, "names of classes, or all", &item, error));
    for (; item; item = hs_item_after(node, item))
        HS_TRY(hs_names_append_text(&labels, item->text, error));
    if (labels.count == 1 && strcmp(hs_names_get(&labels, 0), "all") == 0) {
        if ((data.all_classes = data.missing))
            return add_dataset(g, data, error);
        hs_names_clear(&labels);
        HS_TRY(
            hs_at(g->r, node->line, hs_load_with(data.path, data.prepare, &whole, error), error));
        const hs_about *about = &whole->instance_about;
        if (whole->class_attribute)
            HS_TRY(hs_names_append_text(&labels, whole->class_attribute, error));
        for (uint32_t c = 0; c < about->columns.count; c++) {
            const char *further = hs_class_of_column(about, c);
            if (further)
                HS_TRY(hs_names_append_text(&labels, further, error));
        }
        if (!labels.count)
            return hs_wrong(g->r, node->line, error, "%.200s has no classes", data.path);
    }
    for (uint32_t i = 0; i < labels.count; i++) {
        HS_OWNS(hs_buf_clear) hs_buf full = {0};
        hs_buf_printf(&full, "%s/%s", name, hs_names_get(&labels, i));
        HS_NEED(data.name = hs_keep(arena, &full));
        HS_TRY(prepare_text(g, data.path, hs_names_get(&labels, i), &data.prepare, error));
        g->added = before; /* they are one item, which may have a name */
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
    data.name = hs_keep(arena, &name);
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

/* Adds what a path without braces finds, in byte order, which does not depend on the locale. */
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
        return hs_too_many(g->r, g->item->line, NULL, found.gl_pathc, "data sets", error);
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_bytes);
    for (size_t i = 0; i < found.gl_pathc; i++)
        HS_TRY(add_path(g, found.gl_pathv[i], false, false, error));
    return HSEL_OK;
}

static int add_entry(set_list *g, hsel_error *error)
{
    entry *e = &g->entry;
    hs_reading *r = g->r;
    hs_grid grid;
    HS_OWNS(hs_buf_clear) hs_buf one = {0};
    *e = (entry){.seed = 1};
    g->added = 0;
    if (g->item->kind == HS_YAML_TEXT)
        e->path = g->item->text;
    else
        HS_TRY(hs_read_keys(r, g->item, "a data set", hs_dataset_keys, e, error));
    if (!e->path == !e->generate)
        return hs_wrong(r, g->item->line, error, "a data set needs either a 'path' or 'generate'");
    const hs_yaml *seed = hs_yaml_find(g->item, "seed"), *wrong = NULL;
    if (e->path && seed)
        return hs_wrong(r, seed->key_line, error, "'seed' is for generated data sets");
    static const char *const of_paths[] = {"prepare", "labels", "target", "hierarchy"};
    for (size_t i = 0; e->generate && !wrong && i < sizeof of_paths / sizeof *of_paths; i++)
        wrong = hs_yaml_find(g->item, of_paths[i]);
    if (wrong)
        return hs_wrong(r, wrong->key_line, error,
                        "'%s' is for data sets with a path, not for generated ones", wrong->key);
    unsigned long line = line_of(g, e->path ? "path" : "generate");
    const char *all = e->generate;
    if (e->path)
        HS_TRY(hs_read_path(r, line, e->path, NULL, &all, &g->unset, error));
    if (!*all)
        return hs_wrong(r, line, error, "the path is empty");
    HS_TRY(hs_at(r, line, hs_grid_init(all, &grid, error), error));
    if (grid.count > HS_STUDY_LIST_LIMIT)
        return hs_too_many(r, g->item->line, NULL, grid.count, "data sets", error);
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
        HS_TRY(
            hs_at(r, line, hs_canonical(r, HS_GENERATOR, one.text, &data.generate, error), error));
        data.name = data.name ? data.name : data.generate;
        HS_TRY(add_dataset(g, data, error));
    }
    return HSEL_OK;
}

static void set_list_clear(set_list *g) { hs_names_clear(&g->names); }

int hs_read_datasets(hs_reading *r, const hs_yaml *node, hsel_error *error)
{
    HS_OWNS(set_list_clear) set_list g = {.r = r};
    HS_TRY(hs_items_of(r, node, NULL, &g.item, error));
    for (; g.item; g.item = hs_item_after(node, g.item))
        HS_TRY(add_entry(&g, error));
    return HSEL_OK;
}

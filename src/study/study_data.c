/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data sets of a study: paths with braces and globs, generated sets, what is done on loading.
 * Every data set that the study names is in the list, also if it is not there; names do not repeat.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "format/folder.h"
#include "format/load.h"
#include "study/grid.h"
#include "study/study_parts.h"

typedef struct entry { /* one item of `datasets` */
    const char *path, *generate, *name, *hierarchy;
    uint64_t seed;
    hs_list nested;
} entry;

enum { PATH, GENERATE, NAME, PREPARE, HIERARCHY, SEED };

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

typedef struct gathering {
    hs_study_reader *r;
    const entry *entry;
    const hs_yaml *const *nodes;
    unsigned long line;
    hs_names names;                        /* of the data sets so far */
    unsigned long *lines;                  /* where each was given */
    size_t capacity, line_capacity, added; /* `added` by this entry */
} gathering;

static int too_many(const gathering *g, uint64_t count, hsel_error *error)
{
    char shown[32], limit[32];
    hs_format_grouped(count, shown);
    hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
    return hs_fail_at(error, HSEL_ELIMIT, g->r->file, g->line,
                      "%s data sets; a study holds at most %s", shown, limit);
}

static int add_dataset(gathering *g, const hs_study_dataset *data, hsel_error *error)
{
    hs_study *study = g->r->study;
    hsel_error because = {0};
    uint32_t id;
    bool is_new;
    if (study->dataset_count == HS_STUDY_LIST_LIMIT)
        return too_many(g, study->dataset_count + 1, error);
    if (g->entry->name && g->added)
        return hs_study_fail(g->r, g->nodes[NAME]->line, error,
                             "'name' is for one data set, and this stands for several");
    if (hs_names_intern(&g->names, data->name, strlen(data->name), &id, &is_new, &because))
        return hs_study_fail_because(g->r, g->line, &because, error);
    if (!is_new)
        return hs_study_fail(
            g->r, g->line, error,
            "a data set called '%.200s' was given before, on line %lu: give one of them a name",
            data->name, g->lines[id]);
    if (!hs_arena_grow(&study->arena, (void **)&study->datasets, study->dataset_count, &g->capacity,
                       sizeof *data) ||
        !hs_arena_grow(&study->arena, (void **)&g->lines, id, &g->line_capacity, sizeof *g->lines))
        return hs_fail_memory(error);
    g->lines[id] = g->line;
    study->datasets[study->dataset_count++] = *data;
    g->added++;
    return HSEL_OK;
}

/* ---- what is done on loading ---- */

/* "options" of a text, or of a list of texts. */
static int join_options(gathering *g, hs_buf *out, hsel_error *error)
{
    const hs_yaml *node = g->nodes[PREPARE], *item = NULL;
    int status = node ? hs_items_of(g->r, node, &item, error) : HSEL_OK;
    for (; item && status == HSEL_OK; item = hs_item_after(node, item)) {
        if (item->kind != HS_YAML_TEXT)
            return hs_study_fail(g->r, item->line, error,
                                 "'prepare' takes options such as drop-roots or min-support=3");
        hs_buf_printf(out, "%s%s", out->length ? "," : "", item->text);
    }
    return status == HSEL_OK && out->failed ? hs_fail_memory(error) : status;
}

/* The hierarchy file, which stands beside the data. */
static int find_hierarchy(gathering *g, const char *path, hs_load_options *options,
                          hsel_error *error)
{
    unsigned long line = g->nodes[HIERARCHY]->line;
    hs_buf base = {0}, file = {0};
    struct stat about;
    bool unset;
    const char *slash = strrchr(path, '/');
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        hs_buf_printf(&base, "%s/", path);
    else
        hs_buf_add(&base, path, slash ? (size_t)(slash - path) + 1 : 0);
    int status = base.failed ? hs_fail_memory(error)
                             : hs_study_path(g->r, line, g->entry->hierarchy, base.text, &file,
                                             &unset, error);
    hs_buf_clear(&base);
    if (status == HSEL_OK && !(options->hierarchy = hs_arena_keep(&g->r->study->arena, &file)))
        status = hs_fail_memory(error);
    hs_buf_clear(&file);
    if (status == HSEL_OK && strchr(options->hierarchy, ','))
        status = hs_study_fail(g->r, line, error, "a comma in the path of a hierarchy: %.200s",
                               options->hierarchy);
    return status;
}

/* Canonical text of the options of loading, checked. */
static int prepare_text(gathering *g, const char *path, const char **out, hsel_error *error)
{
    hs_arena *arena = &g->r->study->arena;
    hs_load_options options = {0};
    hs_buf text = {0};
    hsel_error because = {0};
    int status = join_options(g, &text, error);
    if (status == HSEL_OK &&
        (hs_options_defaults(hs_load_table, &options, arena, &because) ||
         hs_options_parse(hs_load_table, &options, text.text, "'prepare'", arena, &because)))
        status = hs_study_fail_because(g->r, g->nodes[PREPARE] ? g->nodes[PREPARE]->line : g->line,
                                       &because, error);
    if (status == HSEL_OK && options.hierarchy)
        status = hs_study_fail(g->r, g->nodes[PREPARE]->line, error,
                               "the hierarchy has a key of its own: 'hierarchy: FILE'");
    if (status == HSEL_OK && g->entry->hierarchy)
        status = find_hierarchy(g, path, &options, error);
    if (status == HSEL_OK && hs_load_check(&options, &because))
        status = hs_study_fail_because(g->r, g->nodes[PREPARE]->line, &because, error);
    hs_buf_clear(&text);
    if (status == HSEL_OK) {
        hs_options_format(hs_load_table, &options, &text);
        if (!(*out = hs_arena_keep(arena, &text)))
            status = hs_fail_memory(error);
    }
    hs_buf_clear(&text);
    return status;
}

/* ---- paths ---- */

static int add_path(gathering *g, const char *path, bool missing, bool is_pattern,
                    hsel_error *error)
{
    hs_arena *arena = &g->r->study->arena;
    hs_study_dataset data = {.seed = g->entry->seed, .missing = missing};
    hs_buf name = {0};
    if (g->entry->name || is_pattern)
        hs_buf_text(&name, g->entry->name ? g->entry->name : path);
    else
        hs_name_from_path(path, &name);
    if (name.length == 0)
        hs_buf_text(&name, path);
    data.name = hs_arena_keep(arena, &name);
    data.path = hs_arena_text(arena, path, strlen(path));
    if (!data.name || !data.path)
        return hs_fail_memory(error);
    int status = prepare_text(g, path, &data.prepare, error);
    return status ? status : add_dataset(g, &data, error);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What a pattern finds, in the order of bytes: the same in every locale. */
static int add_glob(gathering *g, const char *pattern, hsel_error *error)
{
    glob_t found = {0};
    int result = glob(pattern, GLOB_NOSORT, NULL, &found), status = HSEL_OK;
    if (result == GLOB_NOSPACE)
        status = hs_fail_memory(error);
    if (result == 0 && found.gl_pathc > HS_STUDY_LIST_LIMIT)
        status = too_many(g, found.gl_pathc, error);
    if (result == 0 && status == HSEL_OK) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_bytes);
        for (size_t i = 0; i < found.gl_pathc && status == HSEL_OK; i++)
            status = add_path(g, found.gl_pathv[i], false, false, error);
    } else if (status == HSEL_OK) {
        g->r->unmatched = true;
        status = add_path(g, pattern, true, true, error);
    }
    globfree(&found);
    return status;
}

typedef struct spreading {
    gathering *g;
    bool unset;
} spreading;

static int spread_path(void *context, const char *path, hsel_error *error)
{
    const spreading *s = context;
    struct stat about;
    bool is_pattern = strpbrk(path, "*?[") != NULL;
    if (is_pattern && !s->unset)
        return add_glob(s->g, path, error);
    s->g->r->unmatched |= is_pattern;
    return add_path(s->g, path, s->unset || stat(path, &about) != 0, is_pattern, error);
}

static int add_paths(gathering *g, hsel_error *error)
{
    spreading s = {.g = g};
    unsigned long line = g->nodes[PATH] ? g->nodes[PATH]->line : g->line;
    hs_buf path = {0};
    hsel_error because = {0};
    uint64_t count = 0;
    int status = hs_study_path(g->r, line, g->entry->path, NULL, &path, &s.unset, error);
    if (status == HSEL_OK && path.length == 0)
        status = hs_study_fail(g->r, line, error, "the path is empty");
    if (status == HSEL_OK && hs_grid_expand(path.text, NULL, NULL, &count, &because))
        status = hs_study_fail_because(g->r, line, &because, error);
    if (status == HSEL_OK && count > HS_STUDY_LIST_LIMIT)
        status = too_many(g, count, error);
    if (status == HSEL_OK)
        status = hs_grid_expand(path.text, spread_path, &s, &count, error);
    hs_buf_clear(&path);
    return status;
}

/* ---- generated sets ---- */

static int add_generated(void *context, const char *text, hsel_error *error)
{
    gathering *g = context;
    hs_study_dataset data = {.name = g->entry->name, .prepare = "", .seed = g->entry->seed};
    hs_chosen chosen = {0};
    hs_buf canonical = {0};
    hsel_error because = {0};
    if (hs_chosen_parse(HS_GENERATOR, text, &chosen, &because))
        return hs_study_fail_because(g->r, g->nodes[GENERATE]->line, &because, error);
    hs_chosen_format(&chosen, &canonical);
    hs_chosen_clear(&chosen);
    if (!(data.generate = hs_arena_keep(&g->r->study->arena, &canonical)))
        return hs_fail_memory(error);
    if (!data.name)
        data.name = data.generate;
    return add_dataset(g, &data, error);
}

static int add_generated_sets(gathering *g, hsel_error *error)
{
    hsel_error because = {0};
    uint64_t count = 0;
    const hs_yaml *wrong = g->nodes[PREPARE] ? g->nodes[PREPARE] : g->nodes[HIERARCHY];
    if (wrong)
        return hs_study_fail(g->r, wrong->key_line, error,
                             "'%s' is for data sets with a path, not for generated ones",
                             wrong->key);
    if (hs_grid_expand(g->entry->generate, NULL, NULL, &count, &because))
        return hs_study_fail_because(g->r, g->nodes[GENERATE]->line, &because, error);
    if (count > HS_STUDY_LIST_LIMIT)
        return too_many(g, count, error);
    return hs_grid_expand(g->entry->generate, add_generated, g, &count, error);
}

/* ---- the list ---- */

static int add_entry(gathering *g, const hs_yaml *item, hsel_error *error)
{
    const hs_yaml *nodes[HS_STUDY_KEYS] = {0};
    entry written = {.seed = 1};
    int status = HSEL_OK;
    g->entry = &written;
    g->nodes = nodes;
    g->line = item->line;
    g->added = 0;
    if (item->kind == HS_YAML_TEXT)
        written.path = item->text;
    else
        status =
            hs_keys_read(g->r, item, "a data set", hs_study_dataset_keys, &written, nodes, error);
    if (status)
        return status;
    if (!written.path == !written.generate)
        return hs_study_fail(g->r, item->line, error,
                             "a data set has a 'path' or is made by 'generate': give one of them");
    if (written.path && nodes[SEED])
        return hs_study_fail(g->r, nodes[SEED]->key_line, error,
                             "'seed' is for generated data sets");
    return written.path ? add_paths(g, error) : add_generated_sets(g, error);
}

int hs_study_datasets(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    gathering g = {.r = r};
    const hs_yaml *item = NULL;
    int status = hs_items_of(r, node, &item, error);
    for (; item && status == HSEL_OK; item = hs_item_after(node, item))
        status = add_entry(&g, item, error);
    hs_names_clear(&g.names);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selectors, classifiers and rankers of a study: grids expanded, every text checked and made
 * canonical, so that one setting has one text. A setting that was given before is a mistake, unless
 * a grid brings it: then it stays where it was first.
 */
#include <string.h>

#include "core/mem.h"
#include "rank/rank.h"
#include "study/grid.h"
#include "study/study_parts.h"

typedef struct written {
    const char *label, *method;
} written;

enum { LABEL, METHOD };

const hs_option hs_study_method_keys[] = {
    HS_TEXT(written, label, "label", "TEXT", NULL,
            "short name in tables (default: the method's text)"),
    HS_TEXT(written, method, "method", "METHOD", NULL,
            "the method, with its options or grids of them"),
    HS_OPTION_END};

typedef struct gathering {
    hs_study_reader *r;
    hs_kind kind;
    hs_study_method *methods;
    unsigned long *lines; /* where each was given */
    size_t count, capacity, line_capacity;
    hs_names texts, labels;
} gathering;

static int fail_limit(const gathering *g, unsigned long line, const char *text, uint64_t count,
                      hsel_error *error)
{
    char shown[32], limit[32];
    hs_format_grouped(count, shown);
    hs_format_grouped(HS_STUDY_LIST_LIMIT, limit);
    return hs_fail_at(error, HSEL_ELIMIT, g->r->file, line,
                      "'%.200s' stands for %s %s; a study holds at most %s", text, shown,
                      hs_kind_plural(g->kind), limit);
}

static int canonical_text(const gathering *g, unsigned long line, const char *text,
                          const char **out, hsel_error *error)
{
    hs_chosen chosen = {0};
    hs_buf canonical = {0};
    hsel_error because = {0};
    if (g->kind == HS_RANKER ? hs_ranker_parse(text, &chosen, &because)
                             : hs_chosen_parse(g->kind, text, &chosen, &because))
        return hs_study_fail_because(g->r, line, &because, error);
    hs_chosen_format(&chosen, &canonical);
    hs_chosen_clear(&chosen);
    *out = hs_arena_keep(&g->r->study->arena, &canonical);
    return *out ? HSEL_OK : hs_fail_memory(error);
}

/* Label of one setting of a sweep: the sweep's, and what was chosen. */
static int setting_label(const gathering *g, const hs_grid *grid, const char *label,
                         const char **out, hsel_error *error)
{
    hs_buf text = {0};
    hs_buf_printf(&text, "%s ", label);
    hs_grid_chosen(grid, &text);
    *out = hs_arena_keep(&g->r->study->arena, &text);
    return *out ? HSEL_OK : hs_fail_memory(error);
}

static int add_method(gathering *g, unsigned long line, const hs_study_method *method,
                      hsel_error *error)
{
    uint32_t id;
    bool is_new;
    int status =
        hs_names_intern(&g->texts, method->text, strlen(method->text), &id, &is_new, error);
    if (status == HSEL_OK && !is_new) {
        if (method->sweep || g->methods[id].sweep)
            return HSEL_OK;
        return hs_study_fail(g->r, line, error, "the %s %s was given before, on line %lu",
                             hs_kind_name(g->kind), method->text, g->lines[id]);
    }
    if (status == HSEL_OK)
        status =
            hs_names_intern(&g->labels, method->label, strlen(method->label), &id, &is_new, error);
    if (status == HSEL_OK && !is_new)
        return hs_study_fail(g->r, line, error, "the label '%.200s' was given before, on line %lu",
                             method->label, g->lines[id]);
    hs_arena *arena = &g->r->study->arena;
    if (status == HSEL_OK &&
        (!hs_arena_grow(arena, (void **)&g->methods, g->count, &g->capacity, sizeof *method) ||
         !hs_arena_grow(arena, (void **)&g->lines, g->count, &g->line_capacity, sizeof *g->lines)))
        status = hs_fail_memory(error);
    if (status)
        return status;
    g->lines[g->count] = line;
    g->methods[g->count++] = *method;
    return HSEL_OK;
}

static int add_plain(gathering *g, unsigned long line, const written *w, hsel_error *error)
{
    hs_study_method method = {0};
    int status = canonical_text(g, line, w->method, &method.text, error);
    method.family = method.text;
    method.label = method.family_label = w->label ? w->label : method.text;
    return status ? status : add_method(g, line, &method, error);
}

static int add_sweep(gathering *g, unsigned long line, const written *w, hs_grid *grid,
                     hsel_error *error)
{
    hs_study_method method = {
        .family = w->method, .family_label = w->label ? w->label : w->method, .sweep = true};
    size_t before = g->count;
    hs_buf text = {0};
    int status = HSEL_OK;
    for (bool more = true; more && status == HSEL_OK; more = hs_grid_next(grid)) {
        text.length = 0;
        hs_grid_text(grid, &text);
        status = text.failed ? hs_fail_memory(error)
                             : canonical_text(g, line, text.text, &method.text, error);
        method.label = method.text;
        if (status == HSEL_OK && w->label)
            status = setting_label(g, grid, w->label, &method.label, error);
        if (status == HSEL_OK)
            status = add_method(g, line, &method, error);
    }
    hs_buf_clear(&text);
    if (status == HSEL_OK && g->count == before)
        status = hs_study_fail(g->r, line, error,
                               "'%.200s' adds nothing: all of it was given before", w->method);
    return status;
}

static int add_item(gathering *g, const hs_yaml *item, hsel_error *error)
{
    const hs_yaml *nodes[HS_STUDY_KEYS] = {0};
    written w = {.method = item->text};
    unsigned long line = item->line;
    hs_grid grid;
    hsel_error because = {0};
    if (item->kind != HS_YAML_TEXT) {
        char owner[32] = "a ";
        strcat(owner, hs_kind_name(g->kind));
        int status = hs_keys_read(g->r, item, owner, hs_study_method_keys, &w, nodes, error);
        if (status)
            return status;
        if (!w.method)
            return hs_study_fail(g->r, item->line, error, "there is no key 'method' in %s", owner);
        line = nodes[METHOD]->line;
    }
    if (hs_grid_init(w.method, &grid, &because))
        return hs_study_fail_because(g->r, line, &because, error);
    if (grid.count > HS_STUDY_LIST_LIMIT - g->count)
        return fail_limit(g, line, w.method, grid.count, error);
    return grid.choice_count ? add_sweep(g, line, &w, &grid, error) : add_plain(g, line, &w, error);
}

int hs_study_methods(hs_study_reader *r, hs_kind kind, const hs_yaml *node, hs_study_method **out,
                     size_t *count, hsel_error *error)
{
    gathering g = {.r = r, .kind = kind};
    const hs_yaml *item = NULL;
    int status = hs_items_of(r, node, &item, error);
    for (; item && status == HSEL_OK; item = hs_item_after(node, item))
        status = add_item(&g, item, error);
    hs_names_clear(&g.texts);
    hs_names_clear(&g.labels);
    *out = g.methods;
    *count = g.count;
    return status;
}

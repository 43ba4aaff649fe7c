/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels, namespaces and further texts of features and instances.
 */
#define _GNU_SOURCE /* strcasestr */
#include "data/data.h"

#include <strings.h>

void hs_about_clear(hs_about *about) { HS_CLEAR_NAMES(&about->columns, &about->cells); }

uint32_t hs_about_column(const hs_about *about, const char *name)
{
    for (uint32_t c = 0; c < about->columns.count; c++)
        if (strcmp(hs_names_get(&about->columns, c), name) == 0)
            return c;
    return HSEL_NONE;
}

uint32_t hs_about_labels(const hs_about *about)
{
    uint32_t column = hs_about_column(about, HS_ABOUT_LABEL), found = 0;
    for (uint32_t i = 0; column != HSEL_NONE && i < about->cells.count / about->columns.count; i++)
        found += hs_about_get(about, i, column) != NULL;
    return found;
}

uint32_t hs_about_find(const hs_about *about, const char *label, uint32_t *others)
{
    uint32_t column = hs_about_column(about, HS_ABOUT_LABEL), found = HSEL_NONE;
    *others = 0;
    for (uint32_t i = 0; column != HSEL_NONE && i < about->cells.count / about->columns.count;
         i++) {
        const char *text = hs_about_get(about, i, column);
        if (!text || strcasecmp(text, label) != 0)
            continue;
        *others += found != HSEL_NONE;
        found = found == HSEL_NONE ? i : found;
    }
    return found;
}

int hs_about_search(const hs_about *about, const hs_names *ids, const char *what,
                    const char *wanted, uint32_t *out, hs_buf *near, hsel_error *error)
{
    enum { MOST = 5 };
    uint32_t others, listed = 0, column = hs_about_column(about, HS_ABOUT_LABEL);
    char label[HS_LABEL_ROOM];
    *out = HSEL_NONE;
    for (uint32_t i = 0; i < ids->count && *out == HSEL_NONE; i++)
        if (strcmp(hs_names_get(ids, i), wanted) == 0)
            *out = i;
    if (*out != HSEL_NONE)
        return HSEL_OK;
    *out = hs_about_find(about, wanted, &others);
    if (*out != HSEL_NONE && others == 0)
        return HSEL_OK;
    bool several = *out != HSEL_NONE;
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    for (uint32_t i = 0; i < ids->count && listed <= MOST; i++) {
        const char *text = hs_about_get(about, i, column);
        bool fits =
            text && (several ? strcasecmp(text, wanted) == 0
                             : strcasestr(text, wanted) || hs_edit_distance(text, wanted, 2) <= 2);
        if (fits && listed++ < MOST)
            hs_buf_printf(&list, "%s%.80s%s", listed > 1 ? ", " : "", hs_names_get(ids, i),
                          hs_label_after(about, i, label));
    }
    if (listed > MOST)
        hs_buf_text(&list, ", …");
    HS_NEED(!list.failed);
    if (several && !listed) /* without identifiers */
        return hs_fail(error, HSEL_EUSAGE, "%u %ss are called '%.80s'", others + 1, what, wanted);
    if (several)
        return hs_fail(error, HSEL_EUSAGE, "%u %ss are called '%.80s': %s; give an identifier",
                       others + 1, what, wanted, list.text);
    if (listed && near)
        hs_buf_printf(near, "; did you mean %s?", list.text);
    HS_NEED(!near || !near->failed);
    return HSEL_OK;
}

const char *hs_label_after(const hs_about *about, uint32_t item, char out[HS_LABEL_ROOM])
{
    const char *label = hs_about_label(about, item);
    out[0] = label ? ' ' : '\0';
    if (label)
        hs_show_cut(label, HS_LABEL_WIDTH, out + 1, HS_LABEL_ROOM - 1);
    return out;
}

void hs_label_json(hs_json *json, const hs_about *about, uint32_t item)
{
    if (hs_has_labels(about))
        hs_json_put(json, HS_ABOUT_LABEL ":%s", hs_about_label(about, item));
}

static void label_cell(hs_writer *out, const hs_about *about, uint32_t item, char separator,
                       void (*put)(hs_writer *out, const char *text))
{
    if (!hs_has_labels(about))
        return;
    const char *label = hs_about_label(about, item);
    hs_writer_char(out, separator);
    put(out, label ? label : "");
}

void hs_label_csv(hs_writer *out, const hs_about *about, uint32_t item)
{
    label_cell(out, about, item, ',', hs_put_csv);
}

void hs_label_tsv(hs_writer *out, const hs_about *about, uint32_t item)
{
    label_cell(out, about, item, '\t', hs_put_tsv);
}

int hs_about_copy(const hs_about *from, hs_about *to, hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about copy = {0};
    HS_TRY(hs_names_copy(&from->columns, &copy.columns, error));
    HS_TRY(hs_names_copy(&from->cells, &copy.cells, error));
    HS_MOVE(to, &copy);
    return HSEL_OK;
}

int hs_about_subset(const hs_about *from, const bool *keep, uint32_t items, hs_about *to,
                    hsel_error *error)
{
    HS_OWNED uint32_t *index = HS_NEW(uint32_t, items);
    uint32_t count = 0;
    HS_NEED(index);
    if (!keep)
        return hs_about_copy(from, to, error);
    for (uint32_t i = 0; i < items; i++)
        if (keep[i])
            index[count++] = i;
    return hs_about_pick(from, index, count, to, error);
}

int hs_about_pick(const hs_about *from, const uint32_t *index, uint32_t items, hs_about *to,
                  hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about part = {0};
    uint32_t columns = from->columns.count;
    HS_TRY(hs_names_copy(&from->columns, &part.columns, error));
    for (uint32_t i = 0; columns && i < items; i++)
        for (uint32_t c = 0; c < columns; c++)
            HS_TRY(hs_names_append_text(
                &part.cells, index[i] == HSEL_NONE ? NULL : hs_about_get(from, index[i], c),
                error));
    HS_MOVE(to, &part);
    return HSEL_OK;
}

int hs_about_drop(hs_about *about, const char *name, hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about rest = {0};
    const uint32_t dropped = hs_about_column(about, name), columns = about->columns.count;
    if (dropped == HSEL_NONE)
        return HSEL_OK;
    for (uint32_t c = 0; c < columns; c++)
        if (c != dropped)
            HS_TRY(hs_names_append_text(&rest.columns, hs_names_get(&about->columns, c), error));
    for (uint32_t i = 0; columns > 1 && i < about->cells.count; i++)
        if (i % columns != dropped)
            HS_TRY(hs_names_append_text(&rest.cells, hs_names_get(&about->cells, i), error));
    hs_about_clear(about);
    HS_MOVE(about, &rest);
    return HSEL_OK;
}

int hs_about_terms(const hs_graph *graph, const uint32_t *term_of, uint32_t items, hs_about *out,
                   hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about about = {0};
    bool labels = false, namespaces = false;
    for (uint32_t i = 0; i < items; i++) {
        uint32_t term = term_of[i];
        if (term == HSEL_NONE)
            continue;
        labels |= graph->titles.count && hs_names_length(&graph->titles, term) > 0;
        namespaces |= graph->namespace_of && graph->namespace_of[term] != HSEL_NONE;
    }
    if (labels)
        HS_TRY(hs_names_append_text(&about.columns, HS_ABOUT_LABEL, error));
    if (namespaces)
        HS_TRY(hs_names_append_text(&about.columns, HS_ABOUT_NAMESPACE, error));
    for (uint32_t i = 0; i < items; i++) {
        uint32_t term = term_of[i],
                 space = namespaces && term != HSEL_NONE ? graph->namespace_of[term] : HSEL_NONE;
        if (labels)
            HS_TRY(hs_names_append_text(
                &about.cells, term != HSEL_NONE ? hs_names_get(&graph->titles, term) : NULL,
                error));
        if (namespaces)
            HS_TRY(hs_names_append_text(
                &about.cells, space != HSEL_NONE ? hs_names_get(&graph->namespaces, space) : NULL,
                error));
    }
    HS_MOVE(out, &about);
    return HSEL_OK;
}

int hs_about_join(hs_about *about, const hs_about *more, uint32_t items, hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about both = {0};
    bool label = hs_about_column(about, HS_ABOUT_LABEL) != HSEL_NONE ||
                 hs_about_column(more, HS_ABOUT_LABEL) != HSEL_NONE;
    const size_t most = (size_t)about->columns.count + more->columns.count + 1;
    HS_OWNED uint32_t *from = hs_new_none(2 * most); /* columns of either */
    uint32_t id;
    HS_NEED(from);
    if (label)
        HS_TRY(hs_names_intern(&both.columns, HS_ABOUT_LABEL, strlen(HS_ABOUT_LABEL), &id, NULL,
                               error));
    for (int side = 0; side < 2; side++) {
        const hs_names *columns = side ? &more->columns : &about->columns;
        for (uint32_t c = 0; c < columns->count; c++) {
            HS_TRY(hs_names_intern(&both.columns, HS_NAME(columns, c), &id, NULL, error));
            if (from[2 * id + side] == HSEL_NONE)
                from[2 * id + side] = c;
        }
    }
    for (uint32_t i = 0; i < items; i++)
        for (uint32_t c = 0; c < both.columns.count; c++) {
            const char *text = hs_about_get(more, i, from[2 * c + 1]);
            const bool is_role = strncmp(hs_names_get(&both.columns, c), "role:", 5) == 0;
            if (!text && !(is_role && from[2 * c + 1] != HSEL_NONE)) /* replaced as a whole */
                text = hs_about_get(about, i, from[2 * c]);
            HS_TRY(hs_names_append_text(&both.cells, text, error));
        }
    hs_about_clear(about);
    HS_MOVE(about, &both);
    return HSEL_OK;
}

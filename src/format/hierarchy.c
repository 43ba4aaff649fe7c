/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of the hierarchy formats; see the header.
 */
#include "format/hierarchy.h"

#define NAMES_SHOWN 20

static const struct {
    const char *name, *brief, *letter;
} go_namespaces[] = {{"biological_process", "BP", "P"},
                     {"molecular_function", "MF", "F"},
                     {"cellular_component", "CC", "C"}};

const char *hs_go_namespace(const char *brief, size_t length)
{
    for (size_t i = 0; i < sizeof go_namespaces / sizeof *go_namespaces; i++)
        if (hs_equal_nocase(brief, length, go_namespaces[i].brief) ||
            hs_equal_nocase(brief, length, go_namespaces[i].letter))
            return go_namespaces[i].name;
    return NULL;
}

bool hs_namespace_wanted(const hs_list *wanted, const hs_names *names, uint32_t id)
{
    for (size_t i = 0; i < wanted->count && id != HSEL_NONE; i++) {
        const char *full = hs_go_namespace(wanted->items[i], strlen(wanted->items[i]));
        if (hs_equal_nocase(HS_NAME(names, id), wanted->items[i]) ||
            (full && hs_equal_nocase(HS_NAME(names, id), full)))
            return true;
    }
    return wanted->count == 0;
}

int hs_fail_choice(hsel_error *error, const char *file, const char *what, const char *wanted,
                   const hs_names *known)
{
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    for (uint32_t i = 0; i < known->count && i < NAMES_SHOWN; i++)
        hs_buf_printf(&list, "%s%s", i ? ", " : "", hs_names_get(known, i));
    hs_buf_text(&list, !known->count ? "none" : known->count > NAMES_SHOWN ? ", ..." : "");
    HS_NEED(!list.failed);
    return hs_fail_at(error, HSEL_EUSAGE, file, 0, "no %s %s in this file; it has: %s", what,
                      wanted, list.text);
}

int hs_check_namespaces(const hs_list *asked, const char *file, const hs_names *known,
                        hsel_error *error)
{
    for (size_t i = 0; i < asked->count; i++) {
        hs_list one = {.items = &asked->items[i], .count = 1};
        uint32_t s = 0;
        while (s < known->count && !hs_namespace_wanted(&one, known, s))
            s++;
        if (s == known->count)
            return hs_fail_choice(error, file, "namespace", asked->items[i], known);
    }
    return HSEL_OK;
}

int hs_need_hierarchy(const hsel_dataset *data, hsel_error *error)
{
    return data->dag ? HSEL_OK
                     : hs_fail(error, HSEL_EUSAGE, "the data set has no hierarchy to write");
}

int hs_put_feature(const hsel_dataset *data, uint32_t feature, hs_put_name *put, hs_writer *writer,
                   hsel_error *error)
{
    if (hs_names_length(&data->feature_names, feature))
        return put(writer, HS_NAME(&data->feature_names, feature), error);
    return hs_fail(error, HSEL_EUNSUPPORTED,
                   "feature %lu has an empty name, which a hierarchy file cannot hold",
                   (unsigned long)feature + 1);
}

int hs_write_edges(const hsel_dataset *data, const hs_edge_style *style, hs_writer *writer,
                   hsel_error *error)
{
    HS_TRY(hs_need_hierarchy(data, error));
    for (uint32_t v = 0; v < data->dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(data->dag, v, &count);
        if (style->alone) {
            HS_TRY(hs_put_feature(data, v, style->put, writer, error));
            hs_writer_text(writer, style->alone);
        }
        if (style->more)
            HS_TRY(style->more(data, v, writer, error));
        for (size_t i = 0; i < count; i++) {
            if (!style->one_line)
                HS_TRY(hs_put_feature(data, v, style->put, writer, error));
            hs_writer_text(writer, style->between);
            HS_TRY(hs_put_feature(data, parents[i], style->put, writer, error));
            if (style->relations && data->dag->relation) {
                const char *relation = hs_relation(data->dag, data->dag->parent_start[v] + i);
                hs_writer_text(writer, style->between);
                HS_TRY(style->put(writer, relation, strlen(relation), error));
            }
            if (!style->one_line)
                hs_writer_text(writer, style->end);
        }
        if (style->one_line)
            hs_writer_text(writer, style->end);
    }
    return HSEL_OK;
}

const char *hs_first_content(const char *head, char comment)
{
    if (strncmp(head, "\xEF\xBB\xBF", 3) == 0)
        head += 3;
    for (head += strspn(head, " \t\r\n"); *head && *head == comment;) {
        head += strcspn(head, "\n");
        head += strspn(head, " \t\r\n");
    }
    return *head ? head : NULL;
}

bool hs_looks_like_text(const char *head)
{
    while ((unsigned char)*head >= ' ' || *head == '\t' || *head == '\n' || *head == '\r')
        head++;
    return !*head;
}

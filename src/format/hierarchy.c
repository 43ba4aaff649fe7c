/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of the hierarchy formats; see the header.
 */
#include "format/hierarchy.h"

#include <string.h>

#include "core/mem.h"
#include "format/namespace.h"

#define NAMES_SHOWN 20

int hs_graph_set_source(hs_graph *graph, const hs_reader *reader, hsel_error *error)
{
    hs_free(graph->source);
    graph->source = hs_strdup(hs_reader_name(reader));
    return graph->source ? HSEL_OK : hs_fail_memory(error);
}

int hs_refuse_ontology_options(const hs_graph_options *options, const hs_reader *reader,
                               const char *format, hsel_error *error)
{
    const char *name = hs_reader_name(reader);
    if (options->relations.count)
        return hs_fail_at(error, HSEL_EUSAGE, name, 0,
                          "the format %s has no relations to choose from (%s was asked for)",
                          format, options->relations.items[0]);
    if (options->namespaces.count)
        return hs_fail_at(error, HSEL_EUSAGE, name, 0,
                          "the format %s has no namespaces to choose from (%s was asked for)",
                          format, options->namespaces.items[0]);
    return HSEL_OK;
}

int hs_fail_choice(hsel_error *error, const hs_reader *reader, const char *what, const char *wanted,
                   const hs_names *known)
{
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    for (uint32_t i = 0; i < known->count && i < NAMES_SHOWN; i++) {
        if (i)
            hs_buf_text(&list, ", ");
        hs_buf_text(&list, hs_names_get(known, i));
    }
    if (known->count > NAMES_SHOWN)
        hs_buf_text(&list, ", ...");
    if (!known->count)
        hs_buf_text(&list, "none");
    HS_NEED(!list.failed);
    return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(reader), 0,
                      "no %s %s in this file; it has: %s", what, wanted, list.text);
}

int hs_check_namespaces(const hs_list *asked, const hs_reader *reader, const hs_names *known,
                        hsel_error *error)
{
    for (size_t i = 0; i < asked->count; i++) {
        bool found = false;
        for (uint32_t s = 0; s < known->count && !found; s++)
            found = hs_namespace_matches(asked->items[i], hs_names_get(known, s),
                                         hs_names_length(known, s));
        if (!found)
            return hs_fail_choice(error, reader, "namespace", asked->items[i], known);
    }
    return HSEL_OK;
}

const hsel_dag *hs_hierarchy_to_write(const hsel_dataset *data, hsel_error *error)
{
    if (!data->dag)
        (void)hs_fail(error, HSEL_EUSAGE, "the data set has no hierarchy to write");
    return data->dag;
}

const char *hs_name_to_write(const hsel_dataset *data, uint32_t feature, size_t *length,
                             hsel_error *error)
{
    *length = hs_names_length(&data->feature_names, feature);
    if (*length)
        return hs_names_get(&data->feature_names, feature);
    (void)hs_fail(error, HSEL_EUNSUPPORTED,
                  "feature %lu has an empty name, which a hierarchy file cannot hold",
                  (unsigned long)feature + 1);
    return NULL;
}

const char *hs_first_content(const char *head, size_t length, char comment)
{
    const char *end = head + length;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
        head += 3;
    while (head < end) {
        while (head < end && strchr(" \t\r\n", *head) && *head)
            head++;
        if (head == end || *head != comment)
            break;
        const char *line_end = memchr(head, '\n', (size_t)(end - head));
        head = line_end ? line_end : end;
    }
    return head < end ? head : NULL;
}

bool hs_looks_like_text(const char *head, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)head[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r')
            return false;
    }
    return true;
}

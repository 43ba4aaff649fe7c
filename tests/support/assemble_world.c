/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets put together from texts: see assemble_world.h.
 */
#include "support/assemble_world.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "support/cmocka.h"

const char hs_assemble_edges[] = "A>R B>R C>A D>A D>B G>F";

const char hs_assemble_labels[] = "gene\tstatus\ng2\tyes\ng1\tno\ng3\tyes\n";

int hs_add_edges(hs_graph *graph, const char *text, hsel_error *error)
{
    int status = HSEL_OK;
    while (!status && *text) {
        size_t child = strcspn(text, ">"), parent = strcspn(text + child + 1, " ");
        status = hs_graph_named_edge(graph, text, child, text + child + 1, parent, error);
        text += child + 1 + parent;
        text += *text == ' ';
    }
    return status;
}

static int decorate(hs_graph *graph, hsel_error *error)
{
    uint32_t id;
    int status = hs_names_intern(&graph->terms, "OLD", 3, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->terms, "GONE", 4, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->namespaces, "biological_process", 18, &id, NULL, error);
    if (!status)
        status = hs_names_intern(&graph->namespaces, "molecular_function", 18, &id, NULL, error);
    if (!status)
        status = hs_names_append(&graph->alternates, "D2", 2, error);
    if (status)
        return status;
    uint32_t n = graph->terms.count;
    graph->namespace_of = HS_NEW_ZERO(uint32_t, n);
    graph->flags = HS_NEW_ZERO(uint8_t, n);
    graph->replaced_by = HS_NEW(uint32_t, n);
    graph->alternate_of = HS_NEW(uint32_t, 1);
    if (!graph->namespace_of || !graph->flags || !graph->replaced_by || !graph->alternate_of)
        return hs_fail_memory(error);
    for (uint32_t t = 0; t < n; t++)
        graph->replaced_by[t] = HSEL_NONE;
    graph->alternate_of[0] = hs_names_find(&graph->terms, "D", 1);
    graph->namespace_of[hs_names_find(&graph->terms, "F", 1)] = 1;
    graph->namespace_of[hs_names_find(&graph->terms, "G", 1)] = 1;
    graph->flags[n - 2] = graph->flags[n - 1] = HS_TERM_OBSOLETE;
    graph->replaced_by[n - 2] = hs_names_find(&graph->terms, "C", 1);
    return HSEL_OK;
}

int hs_add_annotations(hs_annotations *annotations, const char *text, hsel_error *error)
{
    char object[16], term[16], evidence[16];
    int status = HSEL_OK, used;
    unsigned long line = 1;
    while (!status &&
           sscanf(text, " %15[^ ] %15[^ ] %15[^, ]%n", object, term, evidence, &used) == 3) {
        bool negated = term[0] == '!';
        const char *name = term + negated;
        size_t evidence_length = strcmp(evidence, "-") ? strlen(evidence) : 0;
        status = hs_annotations_add(annotations, object, strlen(object), name, strlen(name),
                                    evidence, evidence_length, negated, line++, error);
        text += used;
        text += *text == ',';
    }
    return status;
}

int hs_add_labels(hs_labels *labels, const char *text, const hs_label_options *options,
                  hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open_memory("labels.tsv", text, strlen(text), &reader, error);
    if (!status)
        status = hs_labels_read(reader, options, labels, error);
    hs_reader_close(reader);
    return status;
}

void hs_assemble_world_clear(hs_assemble_world *w)
{
    hs_graph_clear(&w->graph);
    hs_annotations_clear(&w->annotations);
    hs_labels_clear(&w->labels);
    hs_assemble_report_clear(&w->report);
    hsel_dataset_free(w->data);
}

int hs_assemble_world_fill(hs_assemble_world *w, const char *annotations, const char *labels,
                           hsel_error *error)
{
    int status = hs_add_edges(&w->graph, hs_assemble_edges, error);
    if (!status)
        status = decorate(&w->graph, error);
    if (!status)
        status = hs_add_annotations(&w->annotations, annotations, error);
    if (!status)
        status = hs_add_labels(&w->labels, labels, NULL, error);
    return status;
}

int hs_assemble_world_run(hs_assemble_world *w, hsel_error *error)
{
    return hs_assemble(&w->options, &w->graph, &w->annotations, &w->labels, &w->report, &w->data,
                       error);
}

hs_assemble_world hs_assemble_world_new(const char *annotations, const char *labels)
{
    hs_assemble_world w = {.options = {.min_support = 1}};
    hsel_error error = {0};
    assert_ok(hs_assemble_world_fill(&w, annotations, labels, &error), error);
    return w;
}

void hs_assemble_show_rows(const hsel_dataset *data, hs_buf *out)
{
    for (uint32_t i = 0; i < data->instances; i++) {
        size_t count;
        const uint32_t *row = hs_row(data, i, &count);
        hs_buf_printf(out, "%s %s:", hs_names_get(&data->ids, i),
                      hs_names_get(&data->class_names, data->class_of[i]));
        for (size_t j = 0; j < count; j++)
            hs_buf_printf(out, " %s", hs_names_get(&data->feature_names, row[j]));
        hs_buf_char(out, '\n');
    }
}

void hs_assemble_expect_rows(hs_assemble_world *w, const char *expected)
{
    hsel_error error = {0};
    hs_buf rows = {0};
    assert_ok(hs_assemble_world_run(w, &error), error);
    assert_ok(hsel_dataset_check(w->data, &error), error);
    hs_assemble_show_rows(w->data, &rows);
    assert_string_equal(rows.text, expected);
    hs_buf_clear(&rows);
}

uint64_t hs_assemble_found(const hs_assemble_world *w, hs_found kind)
{
    return w->report.found[kind].count;
}

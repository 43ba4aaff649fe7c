/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See the header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/graph_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "data/builder.h"

static void add_name(hs_buf *out, const hs_names *names, uint32_t id)
{
    hs_buf_add(out, hs_names_get(names, id), hs_names_length(names, id));
}

static void describe_ontology(const hs_graph *graph, hs_buf *out)
{
    uint32_t count = graph->terms.count;
    if (graph->titles.count) {
        assert_int_equal(graph->titles.count, count);
        hs_buf_text(out, " titles ");
        for (uint32_t t = 0; t < count; t++)
            hs_buf_printf(out, "[%s]", hs_names_get(&graph->titles, t));
    }
    if (graph->namespaces.count) {
        hs_buf_text(out, " spaces ");
        for (uint32_t t = 0; t < count; t++) {
            uint32_t space = graph->namespace_of[t];
            hs_buf_printf(out, "[%s]",
                          space == HSEL_NONE ? "-" : hs_names_get(&graph->namespaces, space));
        }
    }
    for (uint32_t t = 0; t < count && graph->flags; t++)
        if (graph->flags[t] & HS_TERM_OBSOLETE)
            hs_buf_printf(out, " obsolete [%s]", hs_names_get(&graph->terms, t));
    for (uint32_t a = 0; a < graph->alternates.count; a++)
        hs_buf_printf(out, " alternate [%s=%s]", hs_names_get(&graph->alternates, a),
                      hs_names_get(&graph->terms, graph->alternate_of[a]));
    for (uint32_t t = 0; t < count && graph->replaced_by; t++)
        if (graph->replaced_by[t] != HSEL_NONE)
            hs_buf_printf(out, " replaced [%s=%s]", hs_names_get(&graph->terms, t),
                          hs_names_get(&graph->terms, graph->replaced_by[t]));
}

static void describe(const hs_graph *graph, hs_buf *out)
{
    hs_buf_text(out, "terms ");
    for (uint32_t t = 0; t < graph->terms.count; t++) {
        hs_buf_char(out, '[');
        add_name(out, &graph->terms, t);
        hs_buf_char(out, ']');
        assert_int_equal(hs_names_find(&graph->terms, hs_names_get(&graph->terms, t),
                                       hs_names_length(&graph->terms, t)),
                         t);
    }
    hs_buf_text(out, " edges ");
    for (size_t e = 0; e < graph->edges; e++) {
        hs_buf_char(out, '[');
        add_name(out, &graph->terms, graph->child[e]);
        hs_buf_char(out, '>');
        add_name(out, &graph->terms, graph->parent[e]);
        hs_buf_char(out, ']');
    }
    describe_ontology(graph, out);
    assert_false(out->failed);
}

static int read_bytes(const hs_method *method, const char *file, const void *content, size_t length,
                      const hs_graph_options *options, hs_graph *out, hsel_error *error)
{
    hs_graph_options usual = {0};
    hs_reader *reader = NULL;
    int status = hs_reader_open_memory(file, content, length, &reader, error);
    if (status == HSEL_OK)
        status = hs_graph_read(reader, method, options ? options : &usual, out, error);
    hs_reader_close(reader);
    return status;
}

void expect_graph(const hs_method *method, const char *file, const char *content,
                  const hs_graph_options *options, const char *expected)
{
    hsel_error error = {0};
    hs_graph graph = {0};
    hs_buf text = {0};
    if (read_bytes(method, file, content, strlen(content), options, &graph, &error) < 0)
        fail_msg("%s", error.message);
    describe(&graph, &text);
    assert_string_equal(text.text, expected);
    assert_string_equal(graph.source, file);
    hs_buf_clear(&text);
    hs_graph_clear(&graph);
}

void expect_failure_bytes(const hs_method *method, const char *file, const void *content,
                          size_t length, const hs_graph_options *options, int code,
                          const char *message)
{
    hsel_error error = {0};
    hs_graph graph = {0};
    int status = read_bytes(method, file, content, length, options, &graph, &error);
    hs_graph_clear(&graph);
    assert_string_equal(error.message, message);
    assert_int_equal(status, code);
    assert_int_equal(error.code, code);
}

void expect_failure(const hs_method *method, const char *file, const char *content,
                    const hs_graph_options *options, int code, const char *message)
{
    expect_failure_bytes(method, file, content, strlen(content), options, code, message);
}

/* A data set without instances whose features are the terms. */
static hsel_dataset *dataset_of(hs_graph *graph)
{
    hsel_error error = {0};
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    uint32_t id = 0;
    assert_int_equal(hs_builder_new(&builder, &error), HSEL_OK);
    for (uint32_t t = 0; t < graph->terms.count; t++)
        assert_int_equal(hs_builder_feature(builder, hs_names_get(&graph->terms, t),
                                            hs_names_length(&graph->terms, t), HSEL_BINARY, &id,
                                            &error),
                         HSEL_OK);
    assert_int_equal(hs_builder_finish(builder, &data, &error), HSEL_OK);
    hs_builder_free(builder);
    assert_int_equal(hs_names_index(&data->feature_names, &error), HSEL_OK);
    if (hs_graph_clean(graph, &error) < 0 ||
        hs_dag_bind(graph, &data->feature_names, NULL, &data->dag, &error) < 0)
        fail_msg("%s", error.message);
    return data;
}

static hsel_dataset *read_dataset(const hs_method *method, const char *content, size_t length)
{
    hsel_error error = {0};
    hs_graph graph = {0};
    if (read_bytes(method, "memory", content, length, NULL, &graph, &error) < 0)
        fail_msg("%s in:\n%s", error.message, content);
    hsel_dataset *data = dataset_of(&graph);
    hs_graph_clear(&graph);
    return data;
}

static int write_dataset(const hs_method *method, const hsel_dataset *data, hs_buf *out,
                         hsel_error *error)
{
    hs_writer *writer = NULL;
    assert_int_equal(hs_writer_open_memory(out, &writer, error), HSEL_OK);
    int status = method->format->write_graph(data, writer, error);
    if (status == HSEL_OK)
        return hs_writer_commit(writer, error);
    hs_writer_abandon(writer);
    return status;
}

static bool has_edges(const hsel_dataset *data, uint32_t v)
{
    size_t up = 0, down = 0;
    (void)hs_parents(data->dag, v, &up);
    (void)hs_children(data->dag, v, &down);
    return up + down > 0;
}

/* Every edge of `a` is in `b`, by name; and every term, if asked. */
static void expect_within(const hsel_dataset *a, const hsel_dataset *b, bool isolated)
{
    for (uint32_t v = 0; v < a->features; v++) {
        if (!isolated && !has_edges(a, v))
            continue;
        const char *name = hs_names_get(&a->feature_names, v);
        uint32_t twin =
            hs_names_find(&b->feature_names, name, hs_names_length(&a->feature_names, v));
        assert_int_not_equal(twin, HSEL_NONE);
        size_t count = 0, twin_count = 0;
        const uint32_t *parents = hs_parents(a->dag, v, &count);
        const uint32_t *twins = hs_parents(b->dag, twin, &twin_count);
        assert_int_equal(count, twin_count);
        for (size_t i = 0; i < count; i++) {
            bool found = false;
            for (size_t j = 0; j < twin_count; j++)
                found = found || strcmp(hs_names_get(&a->feature_names, parents[i]),
                                        hs_names_get(&b->feature_names, twins[j])) == 0;
            assert_true(found);
        }
    }
}

static void expect_same_dag(const hsel_dataset *a, const hsel_dataset *b, bool isolated)
{
    expect_within(a, b, isolated);
    expect_within(b, a, isolated);
}

void expect_written(const hs_method *from, const char *content, const hs_method *to,
                    const char *expected)
{
    hsel_error error = {0};
    hs_buf text = {0};
    hsel_dataset *data = read_dataset(from, content, strlen(content));
    if (write_dataset(to, data, &text, &error) < 0)
        fail_msg("%s", error.message);
    assert_string_equal(text.text, expected);
    hsel_dataset *again = read_dataset(to, text.text, text.length);
    expect_same_dag(data, again, false);
    hsel_dataset_free(again);
    hsel_dataset_free(data);
    hs_buf_clear(&text);
}

void expect_write_failure(const hs_method *from, const char *content, const hs_method *to, int code,
                          const char *message)
{
    hsel_error error = {0};
    hs_buf text = {0};
    hsel_dataset *data = read_dataset(from, content, strlen(content));
    int status = write_dataset(to, data, &text, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, code);
    hsel_dataset_free(data);
    hs_buf_clear(&text);
}

/* ---- random hierarchies ---- */

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Distinct because each ends in its number or starts with it. */
static void random_name(uint64_t *state, uint32_t number, const char *without, hs_buf *out)
{
    static const char *const pieces[] = {"a",         "B",
                                         ",",         "\"",
                                         "#",         " ",
                                         "\t",        "\n",
                                         "\r",        "\\",
                                         "!",         "{",
                                         "}",         ":",
                                         "<",         ">",
                                         "%",         "%41",
                                         "'",         ".",
                                         "[",         "\xEF\xBB\xBF",
                                         "\xC3\xA9",  "\xFF",
                                         "GO:",       "urn:hsel:",
                                         "http://x/", "child",
                                         "@"};
    bool in_front = next_random(state) % 2;
    if (in_front)
        hs_buf_printf(out, "%u", number);
    for (uint32_t left = next_random(state) % 5; left; left--) {
        const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof pieces[0])];
        if (!strpbrk(piece, without))
            hs_buf_text(out, piece);
    }
    if (!in_front)
        hs_buf_printf(out, "%u", number);
}

static void random_graph(uint64_t *state, const char *without, hs_graph *graph)
{
    hsel_error error = {0};
    uint32_t terms = 1 + next_random(state) % 8, id = 0;
    hs_buf name = {0};
    while (graph->terms.count < terms) {
        name.length = 0;
        random_name(state, graph->terms.count, without, &name);
        assert_int_equal(hs_names_intern(&graph->terms, name.text, name.length, &id, NULL, &error),
                         HSEL_OK);
    }
    for (uint32_t child = 1; child < terms; child++)
        for (uint32_t left = next_random(state) % 3; left; left--)
            assert_int_equal(hs_graph_edge(graph, child, next_random(state) % child, &error),
                             HSEL_OK);
    hs_buf_clear(&name);
}

void expect_random_round_trips(const hs_method *method, unsigned rounds, const char *without,
                               bool isolated)
{
    uint64_t state = 20240229;
    for (unsigned round = 0; round < rounds; round++) {
        hsel_error error = {0};
        hs_graph graph = {0};
        hs_buf text = {0};
        random_graph(&state, without, &graph);
        hsel_dataset *data = dataset_of(&graph);
        if (write_dataset(method, data, &text, &error) < 0)
            fail_msg("%s", error.message);
        hsel_dataset *again = read_dataset(method, text.text, text.length);
        expect_same_dag(data, again, isolated);
        hsel_dataset_free(again);
        hsel_dataset_free(data);
        hs_buf_clear(&text);
        hs_graph_clear(&graph);
    }
}

/* ---- memory ---- */

static bool count_down(void *context, size_t bytes)
{
    (void)bytes;
    unsigned *left = context;
    return *left > 0 && (*left)--;
}

void expect_survives_memory(const hs_method *method, const char *content,
                            const hs_graph_options *options, const char *expected)
{
    int status = HSEL_ENOMEM;
    unsigned allowed = 0;
    for (; status == HSEL_ENOMEM; allowed++) {
        unsigned left = allowed;
        hsel_error error = {0};
        hs_graph graph = {0};
        hs_mem_hook(count_down, &left);
        status = read_bytes(method, "memory", content, strlen(content), options, &graph, &error);
        hs_mem_hook(NULL, NULL);
        hs_graph_clear(&graph);
        assert_true(status == HSEL_OK || status == HSEL_ENOMEM);
    }
    assert_true(allowed > 5);
    expect_graph(method, "memory", content, options, expected);
}

int sniff_text(const hs_method *method, const char *content)
{
    return method->format->sniff(content);
}

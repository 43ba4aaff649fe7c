/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels of features and instances, whatever stands in them, are kept: by tables of labels, OBO and
 * RDF, and by all that makes a data set from another one.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "data/transform.h"
#include "format/about.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/trip.h"

extern const hs_method hs_method_obo, hs_method_rdf;

static const hs_about_how how = {.what = "item"};

static hsel_dataset *labelled_data(hs_stream *stream, int round)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.ids = true;
    shape.parents = 1;
    shape.true_path = round % 2;
    shape.spelling = round % 3 ? HS_NAMES_PLAIN : HS_NAMES_UTF8;
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    hs_random_labels(stream, data);
    return data;
}

/* line_ends: in tables a CRLF is read as LF. */
static void same_texts(const hs_about *expected, uint32_t i, const hs_about *found, uint32_t j,
                       bool line_ends)
{
    for (uint32_t c = 0; c < expected->columns.count; c++) {
        const char *name = hs_names_get(&expected->columns, c);
        const char *a = hs_about_get(expected, i, c);
        const char *b = hs_about_get(found, j, hs_about_column(found, name));
        if (line_ends && a && strcmp(a, "\r\n") == 0)
            a = "\n";
        assert_string_equal(a ? a : "nothing", b ? b : "nothing");
    }
}

/* ---- tables ---- */

static void write_table(const char *path, const hs_about *about, const hs_names *ids,
                        uint32_t items, uint32_t *lost)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open(path, &writer, &error), error);
    assert_ok(hs_about_write(about, ids, items, writer, lost, &error), error);
    assert_ok(hs_writer_commit(writer, &error), error);
}

static void test_tables(void **state)
{
    (void)state;
    hs_stream stream;
    hs_folder folder;
    hs_folder_new(&folder);
    hs_stream_init(&stream, 1, "tables", 0, 0);
    const char *path = hs_folder_file(&folder, "l.tsv.gz");
    for (int round = 0; round < 300; round++) {
        hsel_dataset *data = labelled_data(&stream, round);
        for (int side = 0; side < 2; side++) {
            hsel_error error = {0};
            const hs_about *about = side ? &data->instance_about : &data->about;
            hs_names *ids = side ? &data->ids : &data->feature_names;
            uint32_t items = side ? data->instances : data->features, lost = 9;
            hs_about back = {0};
            hs_about_report report = {0};
            if (!about->columns.count)
                continue;
            write_table(path, about, ids, items, &lost);
            assert_int_equal(lost, 0);
            assert_ok(hs_about_load(path, &how, ids, items, &back, &report, &error), error);
            assert_int_equal(report.named, items);
            assert_int_equal(back.columns.count, about->columns.count);
            for (uint32_t i = 0; i < items; i++)
                same_texts(about, i, &back, i, true);
            hs_about_clear(&back);
        }
        hsel_dataset_free(data);
    }
    hs_folder_free(&folder);
}

static void fill(hs_names *names, const char *const *texts)
{
    hsel_error error = {0};
    for (; *texts; texts++)
        assert_ok(hs_names_append(names, *texts, strlen(*texts), &error), error);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* An item called like the header; no column of labels; identifiers that are empty or repeat. */
static void test_odd_tables(void **state)
{
    (void)state;
    hs_folder folder;
    hs_names ids = {0};
    hs_about about = {0}, back = {0};
    hs_about_report report = {0};
    hsel_error error = {0};
    uint32_t lost = 9;
    hs_folder_new(&folder);
    const char *path = hs_folder_file(&folder, "l.tsv");
    fill(&ids, LIST("id", "id_", "", "x", "x", "x", ""));
    fill(&about.columns, LIST("kind"));
    fill(&about.cells, LIST("A", "B", "lost", "C", "C", "lost", ""));
    write_table(path, &about, &ids, 7, &lost);
    assert_int_equal(lost, 2);
    assert_ok(hs_about_load(path, &how, &ids, 7, &back, &report, &error), error);
    static const char *const expected[] = {"A", "B", NULL, "C", "C", "C", NULL};
    for (uint32_t i = 0; i < 7; i++) {
        const char *text = hs_about_get(&back, i, hs_about_column(&back, "kind"));
        assert_string_equal(text ? text : "nothing", expected[i] ? expected[i] : "nothing");
        assert_null(hs_about_label(&back, i));
    }
    hs_names_clear(&ids);
    hs_about_clear(&about);
    hs_about_clear(&back);
    hs_folder_free(&folder);
}

static int write_and_read(void *context, hsel_error *error)
{
    hs_folder *folder = context;
    hs_names ids = {0};
    hs_about about = {0}, back = {0};
    hs_about_report report = {0};
    hs_writer *writer = NULL;
    uint32_t lost;
    const char *path = hs_folder_file(folder, "l.tsv");
    int status = hs_names_append(&ids, "a", 1, error);
    if (!status)
        status = hs_names_append(&about.columns, HS_ABOUT_LABEL, 5, error);
    if (!status)
        status = hs_names_append(&about.cells, "x\ty", 3, error);
    if (!status)
        status = hs_writer_open(path, &writer, error);
    if (!status)
        status = hs_about_write(&about, &ids, 1, writer, &lost, error);
    if (!status)
        status = hs_writer_commit(hs_take(&writer), error);
    hs_writer_abandon(writer);
    if (!status)
        status = hs_about_load(path, &how, &ids, 1, &back, &report, error);
    hs_names_clear(&ids);
    hs_about_clear(&about);
    hs_about_clear(&back);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    hs_folder folder;
    hs_folder_new(&folder);
    assert_true(hs_oom_each("tables", write_and_read, &folder) > 15);
    hs_folder_free(&folder);
}

/* ---- hierarchies ---- */

/* As RDF has it: bytes that are not UTF-8 are replaced. */
static const char *as_utf8(const char *text, hs_buf *out)
{
    out->length = 0;
    for (size_t left = strlen(text), size; left; text += size, left -= size) {
        size = hs_utf8_length(text, left);
        hs_buf_add(out, size ? text : "\xEF\xBF\xBD", size ? size : 3);
        size = size ? size : 1;
    }
    assert_false(out->failed);
    return out->length ? out->text : "";
}

static void test_hierarchies(void **state)
{
    (void)state;
    hs_stream stream;
    hs_buf utf8 = {0};
    unsigned labels = 0, refused = 0;
    hs_stream_init(&stream, 2, "hierarchies", 0, 0);
    for (int round = 0; round < 200; round++) {
        const hs_method *method = round % 2 ? &hs_method_rdf : &hs_method_obo;
        hsel_dataset *data = labelled_data(&stream, round);
        hsel_error error = {0};
        hs_trip trip = {0};
        hs_graph graph = {0};
        int status = hs_trip_write(&trip, false, method, HS_ROLE_GRAPH, data, &error);
        if (status == HSEL_EUNSUPPORTED) { /* OBO and carriage returns */
            assert_non_null(strstr(error.message, "carriage return"));
            refused++;
        } else {
            assert_ok(status, error);
            assert_ok(hs_trip_read_graph(&trip, &(hs_graph_options){0}, &graph, &error), error);
        }
        for (uint32_t f = 0; !status && f < data->features; f++) {
            uint32_t term = hs_names_find(&graph.terms, HS_NAME(&data->feature_names, f));
            const char *label = hs_about_label(&data->about, f), *text = label ? label : "";
            assert_int_not_equal(term, HSEL_NONE);
            assert_string_equal(graph.titles.count ? hs_names_get(&graph.titles, term) : "",
                                round % 2 ? as_utf8(text, &utf8) : text);
            uint32_t space = graph.namespace_of ? graph.namespace_of[term] : HSEL_NONE;
            const char *name =
                hs_about_get(&data->about, f, hs_about_column(&data->about, HS_ABOUT_NAMESPACE));
            if (round % 2 == 0)
                assert_string_equal(space == HSEL_NONE ? ""
                                                       : hs_names_get(&graph.namespaces, space),
                                    name ? name : "");
            labels += label != NULL;
        }
        hs_graph_clear(&graph);
        hs_trip_clear(&trip);
        hsel_dataset_free(data);
    }
    assert_true(labels > 300 && refused > 5);
    hs_buf_clear(&utf8);
}

/* ---- other data sets ---- */

static void test_transformations(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "transformations", 0, 0);
    for (int round = 0; round < 200; round++) {
        hsel_error error = {0};
        hsel_dataset *data = labelled_data(&stream, round), *part = NULL, *full = NULL;
        hsel_dataset *merged = NULL;
        bool keep[16];
        uint32_t into[16], next = 0;
        uint64_t added;
        assert_true(data->features <= 16);
        for (uint32_t f = 0; f < data->features; f++) {
            keep[f] = hs_random_below(&stream, 2);
            into[f] = f ? f - f % 2 : 0; /* two become one */
        }
        assert_ok(hs_dataset_subset(data, keep, &part, &error), error);
        assert_ok(hs_dataset_propagate(data, &full, &added, &error), error);
        hs_dag_free(hs_take(&data->dag));
        assert_ok(hs_dataset_merge(data, into, &merged, &error), error);
        const hsel_dataset *const made[] = {part, full, merged};
        for (size_t m = 0; m < 3; m++) {
            assert_ok(hsel_dataset_check(made[m], &error), error);
            next = 0;
            for (uint32_t f = 0; f < data->features; f++)
                if (m == 0 ? keep[f] : m == 1 || into[f] == f)
                    same_texts(&data->about, f, &made[m]->about, next++, false);
            for (uint32_t i = 0; i < data->instances; i++)
                same_texts(&data->instance_about, i, &made[m]->instance_about, i, false);
            assert_string_equal(made[m]->provenance ? made[m]->provenance : "",
                                data->provenance ? data->provenance : "");
        }
        hsel_dataset_free(part);
        hsel_dataset_free(full);
        hsel_dataset_free(merged);
        hsel_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_odd_tables),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_hierarchies),
        cmocka_unit_test(test_transformations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

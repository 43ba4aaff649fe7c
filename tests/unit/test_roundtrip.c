/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every registered format that can write: random data sets written and read back are the same.
 * Every reader: each allocation failing in turn on files of its fuzz corpus.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/profile.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/trip.h"

enum { ROUNDS = 300 };

/* Everything that a data set may have, each now and then. Round 0 … 49 are binary with plain names:
 * any format must take those. */
static hs_random_shape shape_of_round(hs_stream *stream, int round)
{
    static const double shares[] = {0, 0, 0.3, 1};
    hs_random_shape shape = hs_random_small_shape(stream);
    if (round < 50)
        return shape;
    shape.spelling = (hs_spelling)hs_random_below(stream, 3);
    shape.numeric = shares[hs_random_below(stream, 4)] / 2;
    shape.nominal = shares[hs_random_below(stream, 4)] / 2;
    shape.missing = shares[hs_random_below(stream, 3)];
    shape.unlabelled = shares[hs_random_below(stream, 3)];
    shape.parents = hs_random_below(stream, 2) ? 1.5 : 0;
    return shape;
}

/* The file that was written, for messages. */
static const char *shown(const hs_trip *trip)
{
    size_t length;
    char *text = hs_slurp(trip->path, &length);
    return text ? text : "(nothing)";
}

/* True when the format took it. */
static bool trip_data(const hs_method *method, const hsel_dataset *data, int round)
{
    hsel_error error = {0};
    hs_trip trip = {0};
    hsel_dataset *back = NULL;
    const hs_column_options options = {.id = data->ids.count ? data->id_attribute : NULL,
                                       .no_class =
                                           !data->class_names.count && !data->class_attribute};
    int status = hs_trip_write(&trip, true, method, HS_ROLE_DATA, data, &error);
    if (!status && (status = hs_trip_read_data(&trip, &options, &back, &error)))
        fail_msg("%s, round %d: reading back: %s\n%s", method->name, round, error.message,
                 shown(&trip));
    if (status && (status != HSEL_EUNSUPPORTED || !error.message[0]))
        fail_msg("%s, round %d: writing: %s", method->name, round, error.message);
    if (!status) {
        assert_ok(hsel_dataset_check(back, &error), error);
        const char *why = hs_same_dataset(data, back, hs_trip_keeps(method));
        if (why)
            fail_msg("%s, round %d: %s\n%s", method->name, round, why, shown(&trip));
    }
    hsel_dataset_free(back);
    hs_trip_clear(&trip);
    return !status;
}

static void test_data(void **state)
{
    (void)state;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (method->kind != HS_FORMAT || !method->format->read_data || !method->format->write_data)
            continue;
        hs_stream stream;
        hs_stream_init(&stream, 1, "roundtrip", 0, 0);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            hs_random_shape shape = shape_of_round(&stream, round);
            hsel_dataset *data = hs_random_dataset(&stream, &shape);
            bool taken = trip_data(method, data, round);
            refused += !taken;
            if (!taken && round < 50)
                fail_msg("%s: plain binary data were refused", method->name);
            hsel_dataset_free(data);
        }
        print_message("           %s: %d data sets, %d of them refused\n", method->name, ROUNDS,
                      refused);
    }
}

static void trip_graph(const hs_method *method, const hsel_dataset *data, int round)
{
    hsel_error error = {0};
    hs_trip trip = {0};
    hs_graph graph = {0};
    hs_bind_report report = {0};
    hsel_dag *dag = NULL;
    const hs_graph_options options = {0};
    hs_names features = {0};
    int status = hs_trip_write(&trip, true, method, HS_ROLE_GRAPH, data, &error);
    if (status && status != HSEL_EUNSUPPORTED)
        fail_msg("%s, round %d: writing: %s", method->name, round, error.message);
    if (!status) {
        assert_ok(hs_names_copy(&data->feature_names, &features, &error), error);
        assert_ok(hs_names_index(&features, &error), error);
        if (hs_trip_read_graph(&trip, &options, &graph, &error) || hs_graph_clean(&graph, &error) ||
            hs_graph_break_cycles(&graph, HS_CYCLES_ERROR, &error) ||
            hs_dag_bind(&graph, &features, &report, &dag, &error))
            fail_msg("%s, round %d: reading back: %s\n%s", method->name, round, error.message,
                     shown(&trip));
        const char *why = hs_same_dag(data->dag, dag);
        if (why)
            fail_msg("%s, round %d: %s\n%s", method->name, round, why, shown(&trip));
        if (graph.duplicate_edges || graph.self_loops || report.terms_not_features)
            fail_msg("%s, round %d: wrote more than there is\n%s", method->name, round,
                     shown(&trip));
    } else if (round < 50) {
        fail_msg("%s: a plain hierarchy was refused: %s", method->name, error.message);
    }
    hs_names_clear(&features);
    hs_graph_clear(&graph);
    hs_dag_free(dag);
    hs_trip_clear(&trip);
}

static void test_graphs(void **state)
{
    (void)state;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (method->kind != HS_FORMAT || !method->format->read_graph ||
            !method->format->write_graph)
            continue;
        hs_stream stream;
        hs_stream_init(&stream, 2, "roundtrip", 0, 0);
        for (int round = 0; round < ROUNDS; round++) {
            hs_random_shape shape = shape_of_round(&stream, round);
            shape.parents = 0.3 + (double)hs_random_below(&stream, 5) / 2;
            hsel_dataset *data = hs_random_dataset(&stream, &shape);
            trip_graph(method, data, round);
            hsel_dataset_free(data);
        }
    }
}

/* ---- out of memory ---- */

typedef struct input {
    const hs_method *method;
    char *bytes;
    size_t length;
    enum hs_role role;
} input;

static int read_once(void *context, hsel_error *error)
{
    const input *in = context;
    const hs_format *format = in->method->format;
    hs_bytes source;
    hsel_dataset *data = NULL;
    hs_graph graph = {0};
    hs_annotations annotations = {0};
    hs_mapping mapping = {0};
    hs_profile profile = {0};
    int status = hs_bytes_open(in->method, in->bytes, in->length, &source, error);
    if (!status && in->role == HS_ROLE_DATA)
        status = format->read_data(
            source.reader, &(hs_column_options){.missing = HS_MISSING_NEGATIVE}, &data, error);
    else if (!status && in->role == HS_ROLE_GRAPH)
        status = format->read_graph(source.reader, &(hs_graph_options){0}, &graph, error);
    else if (!status && in->role == HS_ROLE_ANNOTATIONS)
        status = format->read_annotations(source.reader, &(hs_annotation_options){0}, &annotations,
                                          error);
    else if (!status && in->role == HS_ROLE_AMOUNTS)
        status = format->read_amounts(source.reader, &(hs_profile_options){.missing_zero = true},
                                      &profile, error);
    else if (!status)
        status = format->read_mapping(source.reader, &(hs_annotation_options){0}, &mapping, error);
    hs_bytes_close(&source);
    hsel_dataset_free(data);
    hs_graph_clear(&graph);
    hs_annotations_clear(&annotations);
    hs_mapping_clear(&mapping);
    hs_profile_clear(&profile);
    return status;
}

static void starve(const hs_method *method, const char *path, char *bytes, size_t length)
{
    const hs_format *format = method->format;
    input in = {method, bytes, length, HS_ROLE_DATA};
    if (format->read_data)
        hs_oom_each(path, read_once, &in);
    in.role = HS_ROLE_GRAPH;
    if (format->read_graph)
        hs_oom_each(path, read_once, &in);
    in.role = HS_ROLE_ANNOTATIONS;
    if (format->read_annotations)
        hs_oom_each(path, read_once, &in);
    in.role = HS_ROLE_MAPPING;
    if (format->read_mapping)
        hs_oom_each(path, read_once, &in);
    in.role = HS_ROLE_AMOUNTS;
    if (format->read_amounts)
        hs_oom_each(path, read_once, &in);
}

static void test_readers_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        char path[600];
        snprintf(path, sizeof path, "fuzz/corpus/%s", method->name);
        DIR *folder = method->kind == HS_FORMAT ? opendir(path) : NULL;
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "fuzz/corpus/%s/%s", method->name, entry->d_name);
            size_t length;
            char *bytes = hs_slurp(path, &length);
            assert_non_null(bytes);
            starve(method, path, bytes, length);
            free(bytes);
        }
        if (folder)
            closedir(folder);
    }
}

static int write_once(void *context, hsel_error *error)
{
    const input *in = context;
    hs_trip trip = {0};
    int status = hs_trip_write(&trip, true, in->method, in->role,
                               (const hsel_dataset *)(const void *)in->bytes, error);
    hs_trip_clear(&trip);
    return status;
}

static void test_writers_out_of_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 3, "roundtrip", 0, 0);
    const hs_random_shape shape = {
        .instances = 4, .features = 5, .classes = 2, .density = 0.4, .parents = 1.2, .ids = true};
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        input in = {.method = method, .bytes = (char *)data, .role = HS_ROLE_DATA};
        if (method->kind != HS_FORMAT)
            continue;
        if (method->format->write_data)
            hs_oom_each(method->name, write_once, &in);
        in.role = HS_ROLE_GRAPH;
        if (method->format->write_graph)
            hs_oom_each(method->name, write_once, &in);
    }
    hsel_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_data), cmocka_unit_test(test_graphs),
                                       cmocka_unit_test(test_readers_out_of_memory),
                                       cmocka_unit_test(test_writers_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

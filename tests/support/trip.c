/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading and writing formats without caring where the bytes are: see trip.h.
 */
#define _GNU_SOURCE
#include "support/trip.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/amounts.h"
#include "build/profile_set.h"
#include "support/random_data.h"

/* ---- bytes ---- */

static int memory_file(const char *bytes, size_t length, int *descriptor)
{
    *descriptor = memfd_create("hsel-test", MFD_CLOEXEC);
    if (*descriptor < 0)
        return -1;
    while (length) {
        ssize_t count = write(*descriptor, bytes, length);
        if (count <= 0)
            return -1;
        bytes += count;
        length -= (size_t)count;
    }
    return 0;
}

int hs_bytes_open(const hs_method *method, const void *bytes, size_t length, hs_bytes *out,
                  hsel_error *error)
{
    *out = (hs_bytes){.descriptor = -1};
    if (!method->format->needs_path)
        return hs_reader_open_memory("input", bytes, length, &out->reader, error);
    char path[64];
    if (memory_file(bytes, length, &out->descriptor))
        return hs_fail_errno(error, "memory file", "write");
    snprintf(path, sizeof path, "/proc/self/fd/%d", out->descriptor);
    int status = hs_reader_open(path, &out->reader, error);
    if (status)
        hs_bytes_close(out);
    return status;
}

void hs_bytes_close(hs_bytes *bytes)
{
    hs_reader_close(bytes->reader);
    if (bytes->descriptor >= 0)
        close(bytes->descriptor);
    *bytes = (hs_bytes){.descriptor = -1};
}

/* ---- trips ---- */

static int write_to(hs_writer *writer, const hs_method *method, enum hs_role role,
                    const hsel_dataset *data, hsel_error *error)
{
    const hs_format *format = method->format;
    int status = role == HS_ROLE_DATA ? format->write_data(data, writer, error)
                                      : format->write_graph(data, writer, error);
    if (!status)
        return hs_writer_commit(writer, error);
    hs_writer_abandon(writer);
    return status;
}

static int write_to_folder(hs_trip *trip, enum hs_role role, const hsel_dataset *data,
                           hsel_error *error)
{
    hs_writer *writer = NULL;
    snprintf(trip->folder, sizeof trip->folder, "%s/hsel-trip-XXXXXX", /* writing syncs */
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(trip->folder)) {
        trip->folder[0] = '\0';
        return hs_fail_errno(error, "/tmp", "create a folder in");
    }
    const char *endings = trip->method->format->endings;
    snprintf(trip->path, sizeof trip->path, "%s/data.%.*s", trip->folder,
             (int)strcspn(endings, " "), endings);
    int status = hs_writer_open(trip->path, &writer, error);
    return status ? status : write_to(writer, trip->method, role, data, error);
}

int hs_trip_write(hs_trip *trip, bool to_folder, const hs_method *method, enum hs_role role,
                  const hsel_dataset *data, hsel_error *error)
{
    hs_writer *writer = NULL;
    *trip = (hs_trip){.method = method};
    if (to_folder)
        return write_to_folder(trip, role, data, error);
    int status = hs_writer_open_memory(&trip->bytes, &writer, error);
    if (!status)
        status = write_to(writer, method, role, data, error);
    if (status == HSEL_EUSAGE) /* it needs several files */
        status = write_to_folder(trip, role, data, error);
    return status;
}

static int open_trip(const hs_trip *trip, hs_bytes *bytes, hsel_error *error)
{
    if (!trip->path[0])
        return hs_bytes_open(trip->method, trip->bytes.text, trip->bytes.length, bytes, error);
    *bytes = (hs_bytes){.descriptor = -1};
    return hs_reader_open(trip->path, &bytes->reader, error);
}

int hs_trip_read_data(const hs_trip *trip, const hs_column_options *options, hsel_dataset **out,
                      hsel_error *error)
{
    hs_bytes bytes;
    int status = open_trip(trip, &bytes, error);
    if (!status)
        status = trip->method->format->read_data(bytes.reader, options, out, error);
    hs_bytes_close(&bytes);
    return status;
}

int hs_trip_read_graph(const hs_trip *trip, const hs_graph_options *options, hs_graph *out,
                       hsel_error *error)
{
    hs_bytes bytes;
    int status = open_trip(trip, &bytes, error);
    if (!status)
        status = trip->method->format->read_graph(bytes.reader, options, out, error);
    hs_bytes_close(&bytes);
    return status;
}

void hs_trip_clear(hs_trip *trip)
{
    hs_buf_clear(&trip->bytes);
    DIR *folder = trip->folder[0] ? opendir(trip->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) {
        closedir(folder);
        rmdir(trip->folder);
    }
    *trip = (hs_trip){0};
}

unsigned hs_trip_keeps(const hs_method *method)
{
    if (!strcmp(method->name, "pack"))
        return HS_SAME_ALL;
    if (!strcmp(method->name, "arff"))
        return HS_SAME_FEATURE_NAMES | HS_SAME_IDS | HS_SAME_CLASS_ORDER | HS_SAME_VALUE_ORDER;
    return HS_SAME_FEATURE_NAMES | HS_SAME_IDS;
}

/* ---- exercise ---- */

static const char *wrong(const char *format, ...) HS_PRINTF(1, 2);

static const char *wrong(const char *format, ...)
{
    static char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

/* A refusal must have a code, and a message of one line. */
static const char *check_refusal(const char *role, int status, const hsel_error *error)
{
    if (status != error->code || !error->message[0] || strchr(error->message, '\n'))
        return wrong("%s: refused with status %d, code %d, message '%s'", role, status, error->code,
                     error->message);
    return NULL;
}

static const char *check_trip(const hs_method *method, const hsel_dataset *data)
{
    hsel_error error = {0};
    hs_trip trip = {0};
    hsel_dataset *back = NULL;
    const char *why = NULL;
    hs_column_options options = {.id = data->ids.count ? data->id_attribute : NULL,
                                 .no_class = !data->class_names.count && !data->class_attribute};
    int status = hs_trip_write(&trip, false, method, HS_ROLE_DATA, data, &error);
    if (status == HSEL_EUNSUPPORTED) { /* not everything can be written in every format */
        why = check_refusal("data", status, &error);
    } else if (status) {
        why = wrong("what was read cannot be written: %s", error.message);
    } else if (hs_trip_read_data(&trip, &options, &back, &error)) {
        why = wrong("what was written cannot be read: %s", error.message);
    } else if (hsel_dataset_check(back, &error)) {
        why = wrong("self-check after reading back: %s", error.message);
    } else if ((why = hs_same_dataset(data, back, hs_trip_keeps(method)))) {
        why = wrong("read back differently: %s", why);
    }
    hsel_dataset_free(back);
    hs_trip_clear(&trip);
    return why;
}

static const char *exercise_data(const hs_method *method, const void *bytes, size_t length)
{
    hsel_error error = {0};
    hs_bytes source;
    hsel_dataset *data = NULL;
    const hs_column_options options = {.missing = HS_MISSING_NEGATIVE};
    const char *why = NULL;
    int status = hs_bytes_open(method, bytes, length, &source, &error);
    if (!status)
        status = method->format->read_data(source.reader, &options, &data, &error);
    hs_bytes_close(&source);
    if (status)
        return data ? wrong("data: refused, but gave something")
                    : check_refusal("data", status, &error);
    if (hsel_dataset_check(data, &error))
        why = wrong("data: self-check: %s", error.message);
    else if (method->format->write_data)
        why = check_trip(method, data);
    hsel_dataset_free(data);
    return why;
}

static const char *check_graph(hs_graph *graph)
{
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    hs_bind_report report = {0};
    const char *why = NULL;
    for (size_t e = 0; e < graph->edges; e++)
        if (graph->child[e] >= graph->terms.count || graph->parent[e] >= graph->terms.count)
            return wrong("graph: edge %zu names a term that does not exist", e);
    if (graph->titles.count && graph->titles.count != graph->terms.count)
        return wrong("graph: %u titles for %u terms", graph->titles.count, graph->terms.count);
    if (hs_graph_clean(graph, &error) || hs_graph_break_cycles(graph, HS_CYCLES_DROP, &error) ||
        hs_names_index(&graph->terms, &error) ||
        hs_dag_bind(graph, &graph->terms, &report, &dag, &error))
        return wrong("graph: %s", error.message);
    if (hsel_dag_check(dag, &error))
        why = wrong("graph: self-check: %s", error.message);
    else if (hsel_dag_nodes(dag) != graph->terms.count)
        why = wrong("graph: %u nodes for %u terms", hsel_dag_nodes(dag), graph->terms.count);
    hs_dag_free(dag);
    return why;
}

static const char *exercise_graph(const hs_method *method, const void *bytes, size_t length)
{
    hsel_error error = {0};
    hs_bytes source;
    hs_graph graph = {0};
    const hs_graph_options options = {0};
    int status = hs_bytes_open(method, bytes, length, &source, &error);
    if (!status)
        status = method->format->read_graph(source.reader, &options, &graph, &error);
    hs_bytes_close(&source);
    const char *why = status ? check_refusal("graph", status, &error) : check_graph(&graph);
    hs_graph_clear(&graph);
    return why;
}

static const char *exercise_annotations(const hs_method *method, const void *bytes, size_t length)
{
    hsel_error error = {0};
    hs_bytes source;
    hs_annotations found = {0};
    const hs_annotation_options options = {0};
    const char *why = NULL;
    int status = hs_bytes_open(method, bytes, length, &source, &error);
    if (!status)
        status = method->format->read_annotations(source.reader, &options, &found, &error);
    hs_bytes_close(&source);
    if (status)
        why = check_refusal("annotations", status, &error);
    for (size_t i = 0; !status && !why && i < found.count; i++) {
        const hs_annotation *entry = &found.entries[i];
        if (entry->object >= found.objects.count || entry->term >= found.terms.count ||
            (entry->evidence != HSEL_NONE && entry->evidence >= found.evidence.count))
            why = wrong("annotations: entry %zu is out of range", i);
    }
    hs_annotations_clear(&found);
    return why;
}

static const char *exercise_mapping(const hs_method *method, const void *bytes, size_t length)
{
    hsel_error error = {0};
    hs_bytes source;
    hs_mapping found = {0};
    const hs_annotation_options options = {0};
    const char *why = NULL;
    int status = hs_bytes_open(method, bytes, length, &source, &error);
    if (!status)
        status = method->format->read_mapping(source.reader, &options, &found, &error);
    hs_bytes_close(&source);
    if (status)
        why = check_refusal("names", status, &error);
    for (size_t i = 0; !status && !why && i < found.count; i++)
        if (found.record[i] >= found.records || found.text[i] >= found.texts.count ||
            found.kind[i] >= HS_ALIAS_KINDS)
            why = wrong("names: entry %zu is out of range", i);
    hs_mapping_clear(&found);
    return why;
}

static const char *exercise_amounts(const hs_method *method, const void *bytes, size_t length)
{
    hsel_error error = {0};
    hs_bytes source;
    hs_profile found = {0};
    const hs_profile_options options = {.missing_zero = true, .sum_repeated = true};
    hs_labels labels = {0};
    hs_assemble_report report = {0};
    hsel_dataset *data = NULL;
    hs_inner inner;
    const char *why = NULL;
    int status = hs_bytes_open(method, bytes, length, &source, &error);
    if (!status)
        status = method->format->read_amounts(source.reader, &options, &found, &error);
    hs_bytes_close(&source);
    status = status ? status : hs_profile_done(&found, &error);
    if (status)
        why = check_refusal("amounts", status, &error);
    for (size_t i = 0; !status && !why && i < found.count; i++)
        if (found.row[i] >= found.rows.count || found.column[i] >= found.columns.count ||
            !(found.value[i] > 0))
            why = wrong("amounts: entry %zu is out of range", i);
    if (!status && !why && found.lineages.count && found.lineages.count != found.rows.count)
        why = wrong("amounts: %u lineages of %u rows", found.lineages.count, found.rows.count);
    if (!status && !why) { /* a data set of it, which must add up */
        hs_profile_parts parts = {
            .profile = &found, .labels = &labels, .aggregate = HS_AGGREGATE_SUM};
        hs_totals totals;
        status = hs_labels_list(&found.columns, &labels, &error);
        status = status ? status
                        : hs_profile_assemble(&parts, &options, "x", NULL, &report, &inner, &data,
                                              &error);
        if (status)
            why = check_refusal("amounts", status, &error);
        else if (hsel_dataset_check(data, &error) ||
                 hs_totals_check(data, HS_AGGREGATE_SUM, 0, &totals, &error))
            why = wrong("amounts: self-check: %s", error.message);
        else if (totals.cells)
            why = wrong("amounts: %llu do not add up", (unsigned long long)totals.cells);
    }
    hsel_dataset_free(data);
    hs_assemble_report_clear(&report);
    hs_labels_clear(&labels);
    hs_profile_clear(&found);
    return why;
}

const char *hs_exercise(const hs_method *method, const void *bytes, size_t length)
{
    const hs_format *format = method->format;
    const char *why = NULL;
    if (format->read_data)
        why = exercise_data(method, bytes, length);
    if (!why && format->read_graph)
        why = exercise_graph(method, bytes, length);
    if (!why && format->read_annotations)
        why = exercise_annotations(method, bytes, length);
    if (!why && format->read_mapping)
        why = exercise_mapping(method, bytes, length);
    if (!why && format->read_amounts)
        why = exercise_amounts(method, bytes, length);
    return why;
}

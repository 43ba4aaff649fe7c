/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading: find the files, read them, bind the hierarchy, prepare. Nothing is changed that was not
 * asked for; what was met and done is in the report.
 */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "format/load.h"

#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "data/builder.h"
#include "data/transform.h"
#include "format/columns.h"
#include "format/folder.h"

const hs_option hs_load_table[] = {
    HS_FILE(hs_load_options, hierarchy, "hierarchy", "FILE", HS_READS,
            "hierarchy over the features (default: the folder's hierarchy.*, or the pack's own)"),
    HS_TEXT(hs_load_options, format, "format", "NAME", NULL,
            "format of DATA (default: found from content and name; hsel methods lists them)"),
    HS_TEXT(hs_load_options, hierarchy_format, "hierarchy-format", "NAME", NULL,
            "format of the file given as --hierarchy, or of DATA if it is a hierarchy alone "
            "(default: found likewise)"),
    HS_FLAG(hs_load_options, no_hierarchy, "no-hierarchy",
            "leave out the hierarchy of the folder or pack"),
    HS_TEXT(hs_load_options, columns.class_name, "class", "NAME|INDEX", NULL,
            "class column of a table, by name or number from 1 (default: the last one)"),
    HS_FLAG(hs_load_options, columns.no_class, "no-class", "there is no class column"),
    HS_TEXT(hs_load_options, columns.id, "id", "NAME|INDEX", NULL,
            "column of a table with the identifiers of the instances (default: depends on the "
            "format)"),
    HS_TEXT(hs_load_options, columns.ignore, "ignore", "NAME,…", NULL,
            "columns or features to leave out, by name or number from 1"),
    HS_TEXT(hs_load_options, columns.positive, "positive", "LABEL", NULL,
            "the positive class (default: the second one)"),
    HS_CHOICE(hs_load_options, columns.missing, "missing", "error|negative", "error",
              "what a missing value of a binary feature is"),
    HS_TEXT(hs_load_options, graph.relations, "relations", "NAME,…", NULL,
            "relations that make an edge, e.g. is_a,part_of (default: is_a; in RDF subClassOf and "
            "broader)"),
    HS_TEXT(hs_load_options, graph.namespaces, "namespaces", "NAME,…", NULL,
            "namespaces of the ontology to keep, e.g. biological_process or BP (default: all)"),
    HS_CHOICE(hs_load_options, graph.direction, "direction", "child-parent|parent-child",
              "child-parent", "which of the two stands first in an edge list"),
    HS_CHOICE(
        hs_load_options, cycles, "cycles", "error|merge|drop", "error",
        "what to do with a cycle: refuse it, make its terms one, or drop the edges that close it"),
    HS_CHOICE(hs_load_options, edges, "edges", "as-given|reduce", "as-given",
              "reduce: drop edges between terms that a longer path connects too"),
    HS_FLAG(hs_load_options, propagate, "propagate",
            "repair the true-path rule: make all ancestors of a positive feature positive"),
    HS_OPTION(hs_load_options, min_support, "min-support", "N", "0", 0, 2147483647,
              "drop binary features that are positive in fewer than N instances"),
    HS_FLAG(hs_load_options, drop_roots, "drop-roots",
            "drop features that have children but no parent, such as the roots of an ontology"),
    HS_OPTION(hs_load_options, threads, "threads", "N", "0", 0, 4096,
              "threads to use, 0 for one a processor"),
    HS_OPTION_END};

/* ---- the hierarchy ---- */

int hs_load_graph(const char *path, const char *format, const hs_graph_options *options,
                  hs_cycles cycles, hs_graph *out, const hs_method **found, hsel_error *error)
{
    hs_reader *reader = NULL;
    const hs_method *method = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (status == HSEL_OK)
        status = hs_format_sniff(reader, format, HS_ROLE_GRAPH, &method, error);
    if (status == HSEL_OK)
        status = hs_load_graph_from(reader, method, options, cycles, out, error);
    if (status == HSEL_OK && found)
        *found = method;
    hs_reader_close(reader);
    return status;
}

int hs_load_graph_from(hs_reader *reader, const hs_method *method, const hs_graph_options *options,
                       hs_cycles cycles, hs_graph *out, hsel_error *error)
{
    if (options->direction != HS_CHILD_PARENT && !method->format->has_direction)
        return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(reader), 0,
                          "--direction is for edge lists, and the format is %s", method->name);
    int status =
        hs_fail_placed(error, reader, method->format->read_graph(reader, options, out, error));
    if (status == HSEL_OK && !out->source && !(out->source = hs_strdup(hs_reader_name(reader))))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_graph_clean(out, error);
    if (status == HSEL_OK)
        status = hs_graph_break_cycles(out, cycles, error);
    return status;
}

static int note_graph(hs_load_report *report, hsel_error *error)
{
    const hs_graph *graph = &report->graph;
    report->duplicate_edges = graph->duplicate_edges;
    report->self_loops = graph->self_loops;
    report->cycle_edges_dropped = graph->cycle_edges_dropped;
    report->terms_merged = graph->terms_merged;
    report->cycles_found = graph->cycles_found;
    return report->hierarchy_format && report->hierarchy_format->format->has_direction
               ? hs_graph_find_ends(graph, &report->ends, error)
               : HSEL_OK;
}

/* Replaces *data by a new data set made from it. */
static void replace(hsel_dataset **data, hsel_dataset *by)
{
    hsel_dataset_free(*data);
    *data = by;
}

/* Features that merging cycles made one term become one feature. */
static int merge_features(const hs_graph *graph, hsel_dataset **data, hs_load_report *report,
                          hsel_error *error)
{
    hsel_dataset *merged = NULL;
    uint32_t features = (*data)->features;
    if (!graph->merged_into)
        return HSEL_OK;
    uint32_t *into = HS_NEW(uint32_t, features);
    int status = into ? hs_graph_merge_map(graph, &(*data)->feature_names, into, error)
                      : hs_fail_memory(error);
    for (uint32_t f = 0; status == HSEL_OK && f < features; f++)
        report->features_merged += into[f] != f;
    if (status == HSEL_OK && report->features_merged)
        status = hs_dataset_merge(*data, into, &merged, error);
    if (merged)
        replace(data, merged);
    hs_free(into);
    return status;
}

static int bind_graph(const hs_graph *graph, hsel_dataset **data, hs_load_report *report,
                      hsel_error *error)
{
    hsel_dag *dag = NULL;
    int status = merge_features(graph, data, report, error);
    if (status == HSEL_OK)
        status = hs_dag_bind(graph, &(*data)->feature_names, &report->bind, &dag, error);
    if (status == HSEL_OK)
        status = hs_dataset_attach(*data, dag, error);
    if (status)
        hs_dag_free(dag);
    return status;
}

/* A hierarchy alone is a data set without instances whose features are the terms in use. */
static int dataset_of_terms(const hs_graph *graph, hsel_dataset **out, hsel_error *error)
{
    hs_builder *builder = NULL;
    uint32_t id;
    int status = hs_builder_new(&builder, error);
    for (uint32_t t = 0; status == HSEL_OK && t < graph->terms.count; t++) {
        bool merged = graph->merged_into && graph->merged_into[t] != t;
        bool obsolete = graph->flags && (graph->flags[t] & HS_TERM_OBSOLETE);
        if (!merged && !obsolete)
            status = hs_builder_feature(builder, hs_names_get(&graph->terms, t),
                                        hs_names_length(&graph->terms, t), HSEL_BINARY, &id, error);
    }
    if (status == HSEL_OK)
        status = hs_builder_finish(builder, out, error);
    hs_builder_free(builder);
    return status;
}

/* ---- preparation ---- */

static int reduce_edges(hsel_dataset *data, int threads, hs_load_report *report, hsel_error *error)
{
    hsel_dag *reduced = NULL;
    int status = hs_dag_reduce(data->dag, threads, &reduced, error);
    if (status)
        return status;
    report->edges_reduced = data->dag->edges - reduced->edges;
    return hs_dataset_attach(data, reduced, error);
}

static double positive_share(const hsel_dataset *data)
{
    uint32_t binary = data->features - data->numeric_count - data->nominal_count;
    double cells = (double)binary * data->instances;
    return cells > 0 ? (double)data->rows.start[data->instances] / cells : 0;
}

static int propagate(hsel_dataset **data, hs_load_report *report, hsel_error *error)
{
    hsel_dataset *full = NULL;
    int status = hs_dataset_propagate(*data, &full, &report->values_propagated, error);
    if (status)
        return status;
    report->share_before = positive_share(*data);
    report->share_after = positive_share(full);
    replace(data, full);
    return HSEL_OK;
}

/* Drops rare features, then (of what is left) the roots. */
static int drop_features(hsel_dataset **data, const hs_load_options *options,
                         hs_load_report *report, bool roots, hsel_error *error)
{
    hsel_dataset *smaller = NULL;
    uint32_t features = (*data)->features, dropped;
    bool *keep = HS_NEW(bool, features);
    int status = HSEL_OK;
    if (!keep)
        return hs_fail_memory(error);
    memset(keep, true, features);
    dropped = roots ? hs_mark_roots(*data, keep) : hs_mark_rare(*data, options->min_support, keep);
    if (!roots)
        report->rare_dropped = dropped;
    for (uint32_t f = 0; roots && status == HSEL_OK && f < features; f++)
        if (!keep[f])
            status = hs_names_append(&report->roots_dropped, hsel_dataset_feature_name(*data, f),
                                     strlen(hsel_dataset_feature_name(*data, f)), error);
    if (status == HSEL_OK && dropped)
        status = hs_dataset_subset(*data, keep, &smaller, error);
    if (smaller)
        replace(data, smaller);
    hs_free(keep);
    return status;
}

static int needs_hierarchy(const char *option, hsel_error *error)
{
    return hs_fail(error, HSEL_EUSAGE, "option %s needs a hierarchy: give --hierarchy FILE",
                   option);
}

static int prepare(hsel_dataset **data, const hs_load_options *options, hs_load_report *report,
                   hsel_error *error)
{
    int status = HSEL_OK;
    if (!(*data)->dag && options->edges == HS_EDGES_REDUCE)
        return needs_hierarchy("edges", error);
    if (!(*data)->dag && options->propagate)
        return needs_hierarchy("propagate", error);
    if ((*data)->instances == 0 && options->propagate)
        return hs_fail(error, HSEL_EUSAGE, "option propagate needs instances, and there are none");
    if (!(*data)->dag && options->drop_roots)
        return needs_hierarchy("drop-roots", error);
    if (options->edges == HS_EDGES_REDUCE)
        status = reduce_edges(*data, options->threads, report, error);
    if (status == HSEL_OK && options->propagate)
        status = propagate(data, report, error);
    if (status == HSEL_OK && options->min_support > 0)
        status = drop_features(data, options, report, false, error);
    if (status == HSEL_OK && options->drop_roots)
        status = drop_features(data, options, report, true, error);
    if (status == HSEL_OK)
        status = hs_truepath_check(*data, &report->truepath, error);
    return status;
}

/* ---- all together ---- */

/* The format of the main file. That of the hierarchy, if one was named, is for another file or for
 * this one; it is never left aside in silence. */
static int find_format(hs_reader *reader, const hs_load_options *options, const hs_method **out,
                       hsel_error *error)
{
    int status = hs_format_sniff(reader, options->format, HS_ROLE_DATA | HS_ROLE_GRAPH, out, error);
    if (status || !options->hierarchy_format || options->hierarchy)
        return status;
    if (options->format || (*out)->format->read_data)
        return hs_fail(error, HSEL_EUSAGE,
                       "--hierarchy-format is for a file given as --hierarchy, and there is none; "
                       "--format says what %s is",
                       hs_reader_name(reader));
    return hs_format_sniff(reader, options->hierarchy_format, HS_ROLE_GRAPH, out, error);
}

/* Options for columns, where there are none to choose from. What the file itself has by that name
 * is all right. */
static int refuse_columns(const hs_column_options *asked, const hs_method *method, const char *file,
                          const hsel_dataset *data, hsel_error *error)
{
    const struct {
        const char *option, *asked, *has, *why;
    } columns[] = {
        {"class", asked->class_optional ? NULL : asked->class_name, data->class_attribute,
         "has no columns to choose the class from"},
        {"id", asked->id_optional ? NULL : asked->id, data->id_attribute,
         "has no columns to choose the identifier from"},
        {"missing", asked->missing == HS_MISSING_ERROR ? NULL : "negative", NULL,
         "has no missing values of binary features"},
        {"positive", method->format->read_data ? NULL : asked->positive, NULL, "has no classes"}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (columns[i].asked && (!columns[i].has || strcmp(columns[i].asked, columns[i].has) != 0))
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "the format %s %s (--%s %.200s was asked for)", method->name,
                              columns[i].why, columns[i].option, columns[i].asked);
    return HSEL_OK;
}

/* Of a file without columns: takes out the features to be ignored. */
static int drop_ignored(const hs_list *ignore, const char *file, hsel_dataset **data,
                        hsel_error *error)
{
    hsel_dataset *smaller = NULL;
    int status = HSEL_OK;
    uint32_t found;
    if (!ignore->count)
        return HSEL_OK;
    bool *keep = HS_NEW(bool, (*data)->features);
    if (!keep)
        return hs_fail_memory(error);
    memset(keep, true, (*data)->features);
    for (size_t i = 0; i < ignore->count && status == HSEL_OK; i++) {
        status = hs_column_find(&(*data)->feature_names, ignore->items[i], file, &found, error);
        if (status == HSEL_OK)
            keep[found] = false;
    }
    if (status == HSEL_OK)
        status = hs_dataset_subset(*data, keep, &smaller, error);
    if (status == HSEL_OK)
        replace(data, smaller);
    hs_free(keep);
    return status;
}

/* Options for a hierarchy file, where none is read. */
static int refuse_graph(const hs_load_options *asked, const char *file, hsel_error *error)
{
    const char *idle = asked->graph.relations.count                ? "relations"
                       : asked->graph.namespaces.count             ? "namespaces"
                       : asked->graph.direction != HS_CHILD_PARENT ? "direction"
                       : asked->cycles != HS_CYCLES_ERROR          ? "cycles"
                                                                   : NULL;
    return idle
               ? hs_fail_at(error, HSEL_EUSAGE, file, 0,
                            "--%s is for a hierarchy file, and none is read: give --hierarchy FILE",
                            idle)
               : HSEL_OK;
}

/* Reads the main file: data, or a hierarchy alone. */
static int read_main(const char *path, const char *manifest, const hs_folder *folder,
                     const hs_load_options *options, hs_load_report *report, hsel_dataset **data,
                     hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (status == HSEL_OK)
        status = find_format(reader, options, &report->format, error);
    if (status == HSEL_OK && hs_reader_path(reader))
        status = hs_manifest_check(manifest, folder, path,
                                   options->no_hierarchy ? NULL : options->hierarchy,
                                   report->format->format->siblings, error);
    if (status == HSEL_OK && report->format->format->read_data) {
        status = hs_fail_placed(
            error, reader,
            report->format->format->read_data(reader, &options->columns, data, error));
    } else if (status == HSEL_OK) {
        report->hierarchy_format = report->format;
        status = hs_load_graph_from(reader, report->format, &options->graph,
                                    (hs_cycles)options->cycles, &report->graph, error);
        if (status == HSEL_OK)
            status = note_graph(report, error);
        if (status == HSEL_OK)
            status = dataset_of_terms(&report->graph, data, error);
        if (status == HSEL_OK)
            status = bind_graph(&report->graph, data, report, error);
        report->bind =
            (hs_bind_report){.first_missing = HSEL_NONE}; /* obsolete terms are no finding here */
    }
    hs_reader_close(reader);
    return status;
}

static int attach_hierarchy(const char *path, const hs_load_options *options,
                            hs_load_report *report, hsel_dataset **data, hsel_error *error)
{
    hs_graph_clear(&report->graph);
    int status =
        hs_load_graph(path, options->hierarchy_format, &options->graph, (hs_cycles)options->cycles,
                      &report->graph, &report->hierarchy_format, error);
    if (status == HSEL_OK)
        status = note_graph(report, error);
    if (status == HSEL_OK && (*data)->dag)
        status = hs_dataset_attach(*data, NULL, error);
    if (status == HSEL_OK)
        status = bind_graph(&report->graph, data, report, error);
    return status;
}

static int name_dataset(hsel_dataset *data, const char *path, hsel_error *error)
{
    hs_buf name = {0};
    hs_name_from_path(path, &name);
    if (name.failed) {
        hs_buf_clear(&name);
        return hs_fail_memory(error);
    }
    if (name.length) {
        hs_free(data->name);
        data->name = name.text;
    } else {
        hs_buf_clear(&name);
    }
    return HSEL_OK;
}

/* When a set is replaced, its manifest is the first to go. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool hs_load_as_it_stands(const hs_load_options *options)
{
    hs_load_options asked = *options;
    hs_buf text = {0};
    asked.threads = 0;
    hs_options_format(hs_load_table, &asked, &text);
    bool nothing = text.length == 0 && !text.failed;
    hs_buf_clear(&text);
    return nothing;
}

int hs_load_check(const hs_load_options *options, hsel_error *error)
{
    if (options->hierarchy && options->no_hierarchy)
        return hs_fail(error, HSEL_EUSAGE, "--hierarchy and --no-hierarchy contradict each other");
    if (options->columns.class_name && options->columns.no_class)
        return hs_fail(error, HSEL_EUSAGE, "--class and --no-class contradict each other");
    return HSEL_OK;
}

int hs_load(const char *path, const hs_load_options *options, hs_load_report *report,
            hsel_dataset **out, hsel_error *error)
{
    hs_load_options now = *options;
    const char *given = path;
    hs_folder folder = {0};
    hs_buf manifest = {0};
    struct stat before = {0}, after = {0};
    hsel_dataset *data = NULL;
    report->bind.first_missing = report->truepath.instance = HSEL_NONE;
    report->direction = options->graph.direction;
    int status = hs_load_check(options, error);
    if (status == HSEL_OK)
        status = hs_folder_open(path, &folder, error);
    if (status)
        goto out;
    if (folder.data) {
        hs_folder_defaults(&folder, &now);
        path = folder.data;
    }
    hs_buf_printf(&manifest, "%s%s", folder.listed ? folder.meta : path,
                  folder.listed ? "" : HS_MANIFEST);
    if (manifest.failed) {
        status = hs_fail_memory(error);
        goto out;
    }
    if (stat(manifest.text, &before) != 0)
        before = after;
    now.columns.decimal_commas = &report->decimal_commas;
    if ((status = read_main(path, manifest.text, &folder, &now, report, &data, error)))
        goto out;
    if (!report->format->format->is_table &&
        ((status = refuse_columns(&options->columns, report->format, path, data, error)) ||
         (status = drop_ignored(&options->columns.ignore, path, &data, error))))
        goto out;
    if (now.no_hierarchy && data->dag && (status = hs_dataset_attach(data, NULL, error)))
        goto out;
    if (now.hierarchy && !now.no_hierarchy &&
        (status = attach_hierarchy(now.hierarchy, &now, report, &data, error)))
        goto out;
    (void)!stat(manifest.text, &after);
    if (!is_same_file(&before, &after)) {
        status = hs_fail_at(error, HSEL_EFORMAT, path, 0, "was replaced while it was read");
        goto out;
    }
    if (!report->hierarchy_format && (status = refuse_graph(options, path, error)))
        goto out;
    if ((status = prepare(&data, &now, report, error)))
        goto out;
    bool keeps_name =
        report->format->format->needs_path && data->name; /* a pack knows what it was made from */
    if (!keeps_name && (status = name_dataset(data, given, error)))
        goto out;
    *out = data;
    data = NULL;
out:
    hsel_dataset_free(data);
    hs_buf_clear(&manifest);
    hs_folder_clear(&folder);
    return status;
}

void hs_load_report_clear(hs_load_report *report)
{
    hs_graph_clear(&report->graph);
    hs_names_clear(&report->roots_dropped);
    *report = (hs_load_report){0};
}

/* ---- the public door ---- */

int hsel_dataset_read(const char *path, const char *text, hsel_dataset **out, hsel_error *error)
{
    hs_load_options options = {0};
    hs_load_report report = {0};
    hs_arena arena = {0};
    hs_error_clear(error);
    int status = hs_options_defaults(hs_load_table, &options, &arena, error);
    if (status == HSEL_OK && text)
        status = hs_options_parse(hs_load_table, &options, text, "reading", &arena, error);
    if (status == HSEL_OK)
        status = hs_load(path, &options, &report, out, error);
    hs_load_report_clear(&report);
    hs_arena_clear(&arena);
    return status;
}

int hsel_dataset_write(const hsel_dataset *data, const char *path, hsel_error *error)
{
    const hs_method *method = NULL;
    hs_writer *writer = NULL;
    hs_error_clear(error);
    int status = hs_format_for_output(path, NULL, HS_ROLE_DATA, &method, error);
    if (status == HSEL_OK)
        status = hs_writer_open(path, &writer, error);
    if (status == HSEL_OK)
        status = method->format->write_data(data, writer, error);
    if (status == HSEL_OK)
        return hs_writer_commit(writer, error);
    hs_writer_abandon(writer);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading: find the files, read them, bind the hierarchy, prepare. Data are changed only on
 * request; the report has what was found and done.
 */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "load/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include "format/table.h"
#include "load/folder.h"

#define HS_ROLE_OPTIONS                                                                            \
    HS_FILE(hs_load_options, metadata, "metadata", "FILE", HS_READS,                               \
            "table of the instances: identifier, and columns that class, target, covariates, "     \
            "groups, time, test-set and strata may name; a column label has readable names "       \
            "(default: the folder's instances.*)"),                                                \
        HS_FILE(                                                                                   \
            hs_load_options, role[HS_ROLE_STRATA], "strata", "NAME|FILE|FILE:COLUMN",              \
            HS_READS_COLUMN,                                                                       \
            "strata within which p-values compare instances: a column of the data, which is "      \
            "then not a feature, one of several classes, a column of the metadata, or a table of " \
            "identifier and stratum (default: the column stratum of the metadata); none: leave "   \
            "them out"),                                                                           \
        HS_FILE(                                                                                   \
            hs_load_options, role[HS_ROLE_GROUPS], "groups",                                       \
            "NAME|FILE|FILE:COLUMN|near-copies|…", HS_READS_COLUMN,                                \
            "groups of related instances (e.g. those of a patient, family or site), which are "    \
            "never divided between training and test instances: given like strata, or found: "     \
            "near-copies; pairs:FILE (of related instances); id:_ (identifiers up to the last _) " \
            "or id:REGEX"),                                                                        \
        HS_FILE(                                                                                   \
            hs_load_options, role[HS_ROLE_TIME], "time", "NAME|FILE|FILE:COLUMN", HS_READS_COLUMN, \
            "when each instance was observed, a number or a date such as 2026-03-01, given like "  \
            "strata: methods learn from the past and are tested on the future"),                   \
        HS_FILE(hs_load_options, role[HS_ROLE_TEST], "test-set", "NAME|FILE|FILE:COLUMN",          \
                HS_READS_COLUMN,                                                                   \
                "a fixed test set, given like strata: test, yes or 1 for its instances, and "      \
                "train, no, "                                                                      \
                "0 or nothing for the others; replaces folds"),                                    \
        HS_FILE(hs_load_options, role[HS_ROLE_WEIGHTS], "weights", "NAME|FILE|FILE:COLUMN",        \
                HS_READS_COLUMN,                                                                   \
                "how much classifiers learn from each instance, numbers above 0, given like "      \
                "strata; selectors, metrics and p-values (but for the Poisson scan, whose exposures "\
                "they are) treat all instances alike"),                                            \
        HS_TEXT(hs_load_options, columns.target, "target", "NAME", NULL,                           \
                "predict a number instead of a class: a numeric column or feature, which is then " \
                "not a "                                                                           \
                "feature, a column of the metadata, or label (the class labels of SVMlight and "   \
                "Matrix Market files, as numbers)"),                                               \
        HS_TEXT(hs_load_options, covariates, "covariates", "NAME,…", NULL,                         \
                "features, or columns of the metadata, that every model uses and selectors "       \
                "ignore, such "                                                                    \
                "as age or sex; they must be outside the hierarchy")

const hs_option hs_role_table[] = {HS_ROLE_OPTIONS, HS_OPTION_END};

const hs_option hs_load_table[] = {
    HS_FILE(hs_load_options, hierarchy, "hierarchy", "FILE", HS_READS,
            "hierarchy over the features (default: the folder's hierarchy.*, or the pack's own)"),
    HS_TEXT(hs_load_options, format, "format", "NAME", NULL,
            "format of DATA (default: detected from content and name; hsel methods lists them)"),
    HS_TEXT(hs_load_options, hierarchy_format, "hierarchy-format", "NAME", NULL,
            "format of the hierarchy file, or of DATA if it is a hierarchy (default: detected in "
            "the same way)"),
    HS_FLAG(hs_load_options, no_hierarchy, "no-hierarchy",
            "leave out the hierarchy of the folder or pack"),
    HS_FILE(hs_load_options, labels, "labels", "FILE", HS_READS,
            "table of readable names of the features: id, label, optionally namespace and more "
            "(default: the folder's features.*, or names of terms in the hierarchy file)"),
    HS_ROLE_OPTIONS,
    HS_TEXT(
        hs_load_options, columns.class_name, "class", "NAME|INDEX", NULL,
        "class column of a table, by name or number from 1, or one of several classes of the data "
        "set or a column of the metadata, by name (default: the last column, the first class)"),
    HS_FLAG(hs_load_options, columns.no_class, "no-class", "there is no class column"),
    HS_TEXT(hs_load_options, columns.id, "id", "NAME|INDEX", NULL,
            "column of a table with the identifiers of the instances (default: depends on the "
            "format)"),
    HS_TEXT(hs_load_options, columns.ignore, "ignore", "NAME,…", NULL,
            "columns or features to leave out, by name or number from 1"),
    HS_TEXT(hs_load_options, columns.positive, "positive", "LABEL", NULL,
            "the positive class (default: the one named in the data, or by label, such as 1 "
            "against 0, else the smaller class)"),
    HS_FLAG(hs_load_options, pu, "pu",
            "learn from positives and unlabelled instances: all instances that are not of the "
            "positive class, also those without class, get the class unlabelled"),
    HS_CHOICE(hs_load_options, columns.missing, "missing", "error|negative", "error",
              "treat a missing value of a binary feature as an error, or as negative"),
    HS_EDGE_OPTIONS(hs_load_options),
    HS_TEXT(hs_load_options, graph.namespaces, "namespaces", "NAME,…", NULL,
            "namespaces of the ontology to keep, e.g. biological_process or BP (default: all)"),
    HS_CHOOSE_OPTIONS(hs_load_options),
    HS_PREPARE_OPTIONS,
    HS_OPTION(hs_load_options, threads, "threads", "N", "0", 0, 4096,
              "threads to use, 0 for one per processor"),
    HS_OPTION_END};

/* ---- the hierarchy ---- */

static int graph_from(hs_reader *reader, const hs_method *method, const hs_graph_options *options,
                      hs_cycles cycles, hs_graph *out, hsel_error *error)
{
    HS_TRY(hs_graph_read(reader, method, options, out, error));
    HS_TRY(hs_graph_clean(out, error));
    HS_TRY(hs_graph_break_cycles(out, cycles, error));
    return hs_graph_spell(out, error);
}

int hs_load_graph(const char *path, const char *format, const hs_graph_options *options,
                  hs_cycles cycles, hs_graph *out, const hs_method **found, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_format_sniff(reader, format, HS_ROLE_GRAPH, found, error));
    return graph_from(reader, *found, options, cycles, out, error);
}

/* Terms above numeric features become features too, to be added up. */
static int make_inner(const hs_graph *graph, hsel_dataset **data, uint32_t *made, hsel_error *error)
{
    const hsel_dataset *old = *data;
    uint32_t terms = graph->terms.count;
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, old->features);
    HS_OWNED bool *met = HS_NEW_ZERO(bool, terms);
    HS_OWNS(hs_sparse_clear) hs_sparse parents = {0};
    HS_OWNS(hs_names_clear) hs_names names = {0};
    hsel_dataset *wider = NULL;
    HS_NEED(term_of && met);
    HS_TRY(hs_graph_terms_of(graph, &old->feature_names, term_of, error));
    HS_TRY(hs_sparse_group(terms, graph->child, graph->parent, graph->edges, &parents, error));
    for (uint32_t f = 0; f < old->features; f++)
        if (term_of[f] != HSEL_NONE && old->types[f] == HSEL_NUMERIC)
            met[term_of[f]] = true;
    HS_TRY(hs_sparse_close(&parents, met, error));
    for (uint32_t f = 0; f < old->features; f++)
        if (term_of[f] != HSEL_NONE)
            met[term_of[f]] = false;
    for (uint32_t t = 0; t < terms; t++)
        if (met[t])
            HS_TRY(hs_names_append(&names, HS_NAME(&graph->terms, t), error));
    if (!names.count)
        return HSEL_OK;
    HS_OWNED uint8_t *types = HS_NEW(uint8_t, names.count);
    HS_NEED(types);
    memset(types, HSEL_NUMERIC, names.count);
    HS_TRY(hs_dataset_add_features(old, &names, types, &wider, error));
    hs_dataset_replace(data, wider);
    *made = names.count;
    return HSEL_OK;
}

/* Reads a hierarchy file and binds it to the data. Without data, these become a set without
 * instances whose features are the terms in use. */
static int bind_hierarchy(hs_reader *reader, const hs_load_options *options, hs_load_report *report,
                          hsel_dataset **data, hsel_error *error)
{
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    hs_graph *graph = &report->graph;
    uint32_t id;
    hs_graph_clear(graph);
    HS_TRY(graph_from(reader, report->hierarchy_format, &options->graph, (hs_cycles)options->cycles,
                      graph, error));
    if (report->hierarchy_format->format->has_direction)
        HS_TRY(hs_graph_find_ends(graph, &report->ends, error));
    if (!*data) {
        HS_TRY(hs_builder_new(&builder, error));
        for (uint32_t t = 0; t < graph->terms.count; t++) {
            bool merged = graph->merged_into && graph->merged_into[t] != t;
            if (!merged && !hs_is_obsolete(graph, t))
                HS_TRY(hs_builder_feature(builder, HS_NAME(&graph->terms, t), HSEL_BINARY, &id,
                                          error));
        }
        HS_TRY(hs_builder_finish(builder, data, error));
    }
    if ((*data)->dag)
        HS_TRY(hs_dataset_attach(*data, NULL, error));
    if (graph->merged_into) { /* features that merging cycles made one term become one */
        uint32_t features = (*data)->features;
        hsel_dataset *merged = NULL;
        HS_OWNED uint32_t *into = HS_NEW(uint32_t, features);
        HS_NEED(into);
        HS_TRY(hs_graph_merge_map(graph, &(*data)->feature_names, into, error));
        for (uint32_t f = 0; f < features; f++)
            report->features_merged += into[f] != f;
        if (report->features_merged) {
            HS_TRY(hs_dataset_merge(*data, into, &merged, error));
            hs_dataset_replace(data, merged);
        }
    }
    if (options->amounts.aggregate && !builder)
        HS_TRY(make_inner(graph, data, &report->features_made, error));
    HS_TRY(hs_dag_bind(graph, &(*data)->feature_names, &report->bind, &dag, error));
    HS_TRY(hs_dataset_attach(*data, dag, error));
    dag = NULL;  /* the data set's */
    if (builder) /* obsolete terms are not a finding here */
        report->bind = (hs_bind_report){.first_missing = HSEL_NONE};
    return hs_dataset_name_terms(*data, graph, error);
}

/* ---- all together ---- */

/* Options for columns of a format without columns are refused, unless they name what the file has.
 * Features to be ignored are removed. */
static int apply_columns(const hs_column_options *asked, const hs_method *method, const char *file,
                         hsel_dataset **data, hsel_error *error)
{
    const struct {
        const char *option, *asked, *has, *why;
    } columns[] = {
        {"class", asked->class_optional ? NULL : asked->class_name, (*data)->class_attribute,
         "has no columns to choose the class from"},
        {"id", asked->id_optional ? NULL : asked->id, (*data)->id_attribute,
         "has no columns to choose the identifier from"},
        {"missing", asked->missing == HS_MISSING_ERROR ? NULL : "negative", NULL,
         "has no missing values of binary features"},
        {"positive", method->format->read_data ? NULL : asked->positive, NULL, "has no classes"}};
    uint32_t found;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (columns[i].asked &&
            (!columns[i].has || strcmp(columns[i].asked, columns[i].has) != 0)) {
            const bool known = i > 0 || hs_place_of(*data, columns[i].asked).feature != HSEL_NONE;
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "the format %s %s (%s %.200s was given%s)", method->name,
                              columns[i].why, HS_OPTION_WORD(columns[i].option), columns[i].asked,
                              known ? "" : HS_PLACE_NEAR(*data, columns[i].asked));
        }
    if (!asked->ignore.count)
        return HSEL_OK;
    HS_OWNED bool *keep = HS_NEW(bool, (*data)->features);
    HS_NEED(keep);
    memset(keep, true, (*data)->features);
    for (size_t i = 0; i < asked->ignore.count; i++) {
        HS_TRY(
            hs_column_find(&(*data)->feature_names, asked->ignore.items[i], file, &found, error));
        keep[found] = false;
    }
    return hs_dataset_keep(data, keep, error);
}

bool hs_load_as_it_stands(const hs_load_options *options)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_load_options asked = *options;
    asked.threads = 0;
    hs_options_format(hs_load_table, &asked, &text);
    return text.length == 0 && !text.failed;
}

int hs_load_check(const hs_load_options *options, hsel_error *error)
{
    if (options->hierarchy && options->no_hierarchy)
        return hs_fail(error, HSEL_EUSAGE, "{hierarchy} and {no-hierarchy} contradict each other");
    if (options->columns.class_name && options->columns.no_class)
        return hs_fail(error, HSEL_EUSAGE, "{class} and {no-class} contradict each other");
    const char *other = options->columns.class_name ? "class"
                        : options->columns.positive ? "positive"
                        : options->columns.no_class ? "no-class"
                        : options->pu               ? "pu"
                                                    : NULL;
    if (options->pu && options->columns.no_class)
        return hs_fail(error, HSEL_EUSAGE, "{pu} and {no-class} contradict each other");
    if (options->columns.target && other)
        return hs_fail(error, HSEL_EUSAGE,
                       "{target} and %s cannot be combined: predict either a number or a class",
                       HS_OPTION_WORD(other));
    HS_TRY(hs_amounts_check(&options->amounts, error));
    return hs_choose_check(&options->choose, error);
}

/* Options for a hierarchy file make no sense where none is read. */
static int refuse_idle(const hs_load_options *options, const char *file, hsel_error *error)
{
    const char *idle = options->graph.relations.count                ? "relations"
                       : options->graph.namespaces.count             ? "namespaces"
                       : options->graph.direction != HS_CHILD_PARENT ? "direction"
                       : options->cycles != HS_CYCLES_ERROR          ? "cycles"
                                                                     : NULL;
    return idle ? hs_fail_at(error, HSEL_EUSAGE, file, 0,
                             "%s is for a hierarchy file, but none is read: give {hierarchy=FILE}",
                             HS_OPTION_WORD(idle))
                : HSEL_OK;
}

/* Makes the chosen class the current one. read: the options it was read by. */
static int use_class(const hs_column_options *asked, const hs_column_options *read,
                     hsel_dataset *data, hsel_error *error)
{
    const char *name = asked->class_name;
    uint64_t number;
    bool in_use = (data->class_attribute && strcmp(data->class_attribute, name) == 0) ||
                  hs_parse_u64(name, strlen(name), &number);
    if (!in_use && (hs_place_of(data, name).column != HSEL_NONE ||
                    (read->class_further && !read->class_optional)))
        HS_TRY(hs_class_use(data, name, error));
    return !read->positive && asked->positive ? hs_class_set_positive(data, asked->positive, error)
                                              : HSEL_OK;
}

int hs_load(const char *path, const hs_load_options *options, hs_load_report *report,
            hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_folder_clear) hs_folder folder = {0};
    HS_OWNS(hs_buf_clear) hs_buf manifest = {0};
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    hs_load_options now = *options;
    struct stat before = {0}, after = {0};
    report->bind.first_missing = report->truepath.instance = HSEL_NONE;
    report->direction = options->graph.direction;
    HS_TRY(hs_load_check(options, error));
    HS_TRY(hs_folder_open(path, &folder, error));
    const char *file = folder.data ? folder.data : path;
    if (folder.data)
        hs_folder_defaults(&folder, &now);
    hs_buf_printf(&manifest, "%s%s", folder.listed ? folder.meta : file,
                  folder.listed ? "" : HS_MANIFEST);
    HS_NEED(!manifest.failed);
    if (stat(manifest.text, &before) != 0)
        before = after;
    now.columns.decimal_commas = &report->decimal_commas;
    /* The main file: data, or a hierarchy alone. */
    HS_TRY(hs_reader_open(file, &reader, error));
    HS_TRY(
        hs_format_sniff(reader, now.format, HS_ROLE_DATA | HS_ROLE_GRAPH, &report->format, error));
    /* A given format of the hierarchy is for another file or for this one; it is never ignored
     * silently. */
    if (now.hierarchy_format && !now.hierarchy) {
        if (now.format || report->format->format->read_data)
            return hs_fail(error, HSEL_EUSAGE,
                           "{hierarchy-format} is for a file given by {hierarchy}, but there is "
                           "none; use {format} for %s",
                           hs_reader_name(reader));
        HS_TRY(
            hs_format_sniff(reader, now.hierarchy_format, HS_ROLE_GRAPH, &report->format, error));
    }
    const hs_format *format = report->format->format;
    if (hs_reader_path(reader))
        HS_TRY(hs_manifest_check(manifest.text, &folder, file,
                                 now.no_hierarchy ? NULL : now.hierarchy, format->siblings, error));
    report->hierarchy_format = format->read_data ? NULL : report->format;
    /* The column of a target is read as a feature; then nothing defines the last column.
     */
    const char *target = now.columns.target;
    const bool optional = now.columns.target_optional;
    if (target && format->is_table &&
        (!now.columns.class_name || strcmp(now.columns.class_name, target) == 0)) {
        now.columns.class_name = now.columns.positive = NULL;
        now.columns.no_class = true;
    }
    /* The given class may be a further one, which has the positive class. */
    if (options->columns.class_name &&
        !(folder.class_name && strcmp(options->columns.class_name, folder.class_name) == 0)) {
        now.columns.class_further = now.metadata != NULL;
        now.columns.class_beside = options->metadata != NULL;
        now.columns.class_first = folder.class_name;
        now.columns.positive = NULL;
    }
    HS_TRY(format->read_data ? hs_fail_placed(error, reader,
                                              format->read_data(reader, &now.columns, &data, error))
                             : bind_hierarchy(reader, &now, report, &data, error));
    if (format->is_table) {
        HS_OWNS(hs_dataset_release) hsel_dataset *without = NULL;
        HS_TRY(hs_classes_from_features(data, &without, error));
        if (without)
            hs_dataset_replace(&data, hs_take(&without));
    }
    if (target && hs_names_find(&data->feature_names, target, strlen(target)) != HSEL_NONE)
        HS_TRY(hs_fail_placed(error, reader, hs_target_use(&data, target, optional, error)));
    hs_column_options asked = options->columns;
    if (asked.class_name &&
        (now.columns.class_further || hs_place_of(data, asked.class_name).column != HSEL_NONE))
        asked.class_optional = true;
    if (!format->is_table)
        HS_TRY(apply_columns(&asked, report->format, file, &data, error));
    HS_TRY(hs_metadata_load(now.metadata, NULL, options, NULL, &data->ids, data, &report->metadata,
                            error));
    if (!options->metadata) /* a folder's own table may lack some */
        report->metadata = (hs_about_report){0};
    HS_TRY(hs_roles_take(&now, &data, error)); /* before the hierarchy, without their columns */
    if (now.no_hierarchy && data->dag)
        HS_TRY(hs_dataset_attach(data, NULL, error));
    if (now.hierarchy && !now.no_hierarchy) {
        HS_OWNS(hs_reader_release) hs_reader *hierarchy = NULL;
        HS_TRY(hs_reader_open(now.hierarchy, &hierarchy, error));
        HS_TRY(hs_format_sniff(hierarchy, now.hierarchy_format, HS_ROLE_GRAPH,
                               &report->hierarchy_format, error));
        HS_TRY(bind_hierarchy(hierarchy, &now, report, &data, error));
    }
    /* When a set is replaced, its manifest is replaced first. */
    (void)!stat(manifest.text, &after);
    if (before.st_ino != after.st_ino || before.st_mtim.tv_sec != after.st_mtim.tv_sec ||
        before.st_mtim.tv_nsec != after.st_mtim.tv_nsec)
        return hs_fail_at(error, HSEL_EFORMAT, file, 0, "was replaced while it was read");
    if (!report->hierarchy_format)
        HS_TRY(refuse_idle(options, file, error));
    const bool features_shown =
        !now.features_unseen || options->labels || hs_chooses_terms(&options->choose);
    const hs_about_how how = {.what = "feature", .unseen = !features_shown};
    HS_TRY(hs_about_load(now.labels, &how, &data->feature_names, data->features, &data->about,
                         &report->labels, error));
    if (folder.provenance && !data->provenance)
        data->provenance = hs_take(&folder.provenance);
    if (options->columns.class_name)
        HS_TRY(use_class(&options->columns, &now.columns, data, error));
    if (target) /* unless it was a feature */
        HS_TRY(hs_fail_placed(error, reader, hs_target_use(&data, target, optional, error)));
    for (size_t i = 0; i < now.covariates.count; i++)
        HS_TRY(
            hs_fail_placed(error, reader, hs_covariate_add(&data, now.covariates.items[i], error)));
    if (now.pu)
        HS_TRY(hs_fail_placed(error, reader,
                              hs_class_pu(data, options->columns.positive != NULL, error)));
    HS_TRY(hs_load_prepare(&data, &now, report, error));
    HS_TRY(hs_groups_find(&now, data, error));
    for (int r = 0; r < HS_ROLES; r++) /* of the instances that were chosen */
        if (now.role[r])
            HS_TRY(hs_role_count(data, r, &report->role[r], error));
    if (!features_shown &&
        report->truepath.cells) /* the error that refuses the data names two terms */
        HS_TRY(hs_about_load(now.labels, &(hs_about_how){.what = "feature"}, &data->feature_names,
                             data->features, &data->about, &report->labels, error));
    if (!format->needs_path || !data->name) { /* a pack has its provenance */
        hs_name_from_path(path, &name);
        HS_NEED(!name.failed);
        if (name.length) {
            hs_free(data->name);
            data->name = hs_take(&name.text);
        }
    }
    if (now.role[HS_ROLE_WEIGHTS])
        HS_TRY(hs_weights_check(data, error));
    *out = hs_take(&data);
    return HSEL_OK;
}

void hs_load_report_clear(hs_load_report *report)
{
    hs_graph_clear(&report->graph);
    hs_names_clear(&report->roots_dropped);
    hs_chosen_instances_clear(&report->instances);
    *report = (hs_load_report){0};
}

int hs_load_with(const char *path, const char *text, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(hs_load_report_clear) hs_load_report report = {0};
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    hs_load_options options = {0};
    HS_TRY(hs_options_defaults(hs_load_table, &options, &arena, error));
    if (text)
        HS_TRY(hs_options_parse(hs_load_table, &options, text, "reading", &arena, error));
    return hs_load(path, &options, &report, out, error);
}

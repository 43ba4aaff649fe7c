/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a data set to the requested place. Several files are one output (core/writer.h); a folder
 * created for a failed output is removed.
 */
#include "cli/cli.h"

#include <sys/stat.h>
#include <unistd.h>

#include "data/classes.h"
#include "data/summary.h"
#include "format/about.h"
#include "load/folder.h"

const hs_option hs_output_table[] = {
    HS_OUTPUT_FILE(
        hs_output_options, output, "OUT", HS_NOT_A_FILE, NULL,
        "file to write (format by its ending, .gz compresses), a folder, or - for standard output"),
    HS_TEXT(hs_output_options, format, "to", "NAME", NULL,
            "format to write (default: by the ending)"),
    HS_FILE(hs_output_options, hierarchy_output, "hierarchy-output", "FILE", HS_WRITES,
            "where to write the hierarchy"),
    HS_TEXT(hs_output_options, hierarchy_format, "hierarchy-to", "NAME", NULL,
            "format of the hierarchy written (default: by the ending)"),
    HS_OPTION_END};

int hs_print_text(const char *path, const char *text, hsel_error *error)
{
    HS_OPEN(out, path);
    hs_writer_put(out, text, strlen(text) - 1);
    return hs_writer_commit(hs_take(&out), error);
}

/* What a format writes of the data set. */
static int put(const hs_method *method, unsigned role, const hsel_dataset *data, hs_writer *writer,
               hsel_error *error)
{
    return role == HS_ROLE_DATA ? hs_format_write(method, data, writer, error)
                                : method->format->write_graph(data, writer, error);
}

/* Notes what a file of this format lacks of the hierarchy. `known` NULL: the hierarchy was not read
 * by this command. */
static void note_lost(const hs_call *call, const hsel_dataset *data, const hs_graph *known,
                      const hs_method *method)
{
    const hs_format *format = method->format;
    bool relations = !format->writes_relations && data->dag->relation, obsolete = false;
    bool names = !format->writes_labels && data->about.columns.count;
    bool spaces =
        !format->writes_terms && hs_about_column(&data->about, HS_ABOUT_NAMESPACE) != HSEL_NONE;
    for (uint32_t t = 0; known && known->flags && t < known->terms.count && !obsolete; t++)
        obsolete = known->flags[t] & HS_TERM_OBSOLETE;
    const char *unread = "";
    for (uint32_t r = 0; known && known->relation && r < known->relations.count; r++) {
        size_t e = 0;
        while (e < known->edges && known->relation[e] != r)
            e++;
        if (e == known->edges && strcmp(hs_names_get(&known->relations, r), "is_a") != 0)
            unread = hs_say_more(call->doc, unread, hs_names_get(&known->relations, r));
    }
    if (format->writes_terms && *unread)
        hs_note(call, "edges of %.200s are not read; --relations adds them", unread);
    if (format->writes_terms && !known && !data->dag->relation)
        hs_note(call, "the data have no relations: every edge is written as is_a");
    else if (format->writes_terms && known && (obsolete || known->alternates.count))
        hs_note(call, "obsolete terms and alternate identifiers are not written");
    else if (!format->writes_terms && (relations || names || spaces))
        hs_note(call,
                "%s%s%s of terms are not written: the format %s cannot hold them, but obo can",
                names    ? "names"
                : spaces ? "namespaces"
                         : "",
                relations && (names || spaces) ? " and " : "", relations ? "relations" : "",
                method->name);
}

/* ---- a folder ---- */

/* Writes the table of labels, or removes that of an earlier output if there are none. */
static int put_table(const hs_call *call, hs_writer *set, const char *path, const hs_about *about,
                     const hs_names *ids, uint32_t items, const char *what, hsel_error *error)
{
    hs_writer *part = NULL; /* goes with the set */
    uint32_t lost = 0;
    if (!about->columns.count || !items || !ids->count)
        HS_TRY(hs_writer_remove(set, path, error));
    if (!about->columns.count || !items)
        return HSEL_OK;
    if (!ids->count) {
        hs_note(call, "labels of %ss are not written: these have no identifiers", what);
        return HSEL_OK;
    }
    HS_TRY(hs_writer_open_part(set, path, &part, error));
    hs_writer_csv_safe(part, false); /* it is read again */
    HS_TRY(hs_about_write(about, ids, items, part, &lost, error));
    if (lost)
        hs_note(call,
                "labels of %u %s%s are not written: without an identifier, or with that of "
                "another one that has other labels",
                lost, what, lost == 1 ? "" : "s");
    return HSEL_OK;
}

static int write_folder(const hs_call *call, const hsel_dataset *data, const char *folder,
                        hsel_error *error)
{
    const hs_method *arff = hs_method_find(HS_FORMAT, "arff", 4),
                    *edges = hs_method_find(HS_FORMAT, "edges", 5);
    const char *data_path = hs_say(call->doc, "%s/data.arff.gz", folder),
               *hierarchy_path = hs_say(call->doc, "%s/hierarchy.tsv.gz", folder),
               *meta_path = hs_say(call->doc, "%s/meta.json", folder);
    HS_TRY(hs_document_check(call->doc, error));
    hs_writer *hierarchy = NULL, *meta = NULL; /* go with the set */
    HS_OPEN(set, data_path);
    HS_TRY(put(arff, HS_ROLE_DATA, data, set, error));
    if (data->dag) {
        HS_TRY(hs_writer_open_part(set, hierarchy_path, &hierarchy, error));
        HS_TRY(put(edges, HS_ROLE_GRAPH, data, hierarchy, error));
    } else {
        HS_TRY(hs_writer_remove(set, hierarchy_path, error));
    }
    HS_TRY(put_table(call, set, hs_say(call->doc, "%s/features.tsv.gz", folder), &data->about,
                     &data->feature_names, data->features, "feature", error));
    HS_TRY(put_table(call, set, hs_say(call->doc, "%s/instances.tsv.gz", folder),
                     &data->instance_about, &data->ids, data->instances, "instance", error));
    HS_TRY(hs_writer_open_manifest(set, meta_path, &meta, error));
    hs_json json = {.out = meta};
    hs_json_put(&json, "{name:%s writer:%s instances:%u features:%u", hsel_dataset_name(data),
                "hsel " HSEL_VERSION, data->instances, data->features);
    if (data->dag)
        hs_json_put(&json, "edges:%u", data->dag->edges);
    if (data->class_names.count)
        hs_json_put(&json, "class:{attribute:%s positive_class:%s}",
                    data->class_attribute ? data->class_attribute : "class",
                    hsel_dataset_class_name(data, data->positive_class));
    else /* records that the last column is a feature */
        hs_json_put(&json, "class:null");
    if (data->target)
        hs_json_put(&json, "target:%s", data->class_attribute ? data->class_attribute : "class");
    if (data->covariates) {
        hs_json_put(&json, "covariates:[");
        for (uint32_t f = 0; f < data->features; f++)
            if (hs_is_covariate(data, f))
                hs_json_text(&json, hsel_dataset_feature_name(data, f));
        hs_json_end_array(&json);
    }
    if (data->ids.count)
        hs_json_put(&json, "id_column:%s", data->id_attribute ? data->id_attribute : "id");
    if (data->provenance)
        HS_TRY(hs_provenance_put(data->provenance, &json, error));
    HS_TRY(hs_writer_list_parts(set, &json, error));
    hs_json_end_object(&json);
    return hs_writer_commit(hs_take(&set), error);
}

void hs_json_step(hs_json *json, const hs_call *call)
{
    hs_json_put(json, "{command:%s arguments:[", call->command->name);
    for (int i = 0; i < call->word_count; i++)
        hs_json_text(json, call->words[i]);
    hs_json_put(json, "] program:%s}", "hsel " HSEL_VERSION);
}

/* ---- all together ---- */

/* Whether the output is a folder: it exists as one, or its name ends in a slash or has no ending.
 */
static bool to_folder(const hs_output_options *options)
{
    struct stat about;
    const char *path = options->output, *slash = strrchr(path, '/'),
               *name = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0 || options->format)
        return false;
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode);
    return *name == '\0' || !strchr(name, '.');
}

int hs_output_claim(const hs_call *call, const hs_output_options *options, hsel_error *error)
{
    const hs_method *method = NULL;
    if (!options->output)
        return HSEL_OK;
    if (to_folder(options))
        return hs_claim_folder(call, options->output, HS_DATA_FOLDER, error);
    (void)!hs_format_for_output(options->output, options->format, HS_ROLE_DATA, &method, NULL);
    return hs_claim_written(call, options->output, method ? method->format->siblings : NULL, error);
}

int hs_output_check(const hs_output_options *options, unsigned roles, hsel_error *error)
{
    const hs_method *method = NULL;
    if (to_folder(options)) {
        /* A data.* or similar file that hsel did not write belongs to the user. It is not removed,
         * and with the new files beside it the folder could not be read. */
        HS_OWNS(hs_close_folder) DIR *folder = opendir(options->output);
        for (const struct dirent *entry; folder && (entry = readdir(folder));) {
            const char *name = entry->d_name;
            HS_REFUSE(
                (strncmp(name, "data.", 5) == 0 || strncmp(name, "hierarchy.", 10) == 0 ||
                 strncmp(name, "features.", 9) == 0 || strncmp(name, "instances.", 10) == 0) &&
                    !hs_ends_with(name, HS_MANIFEST) && strcmp(name, "data.arff.gz") != 0 &&
                    strcmp(name, "hierarchy.tsv.gz") != 0 && strcmp(name, "features.tsv.gz") != 0 &&
                    strcmp(name, "instances.tsv.gz") != 0,
                "the folder %s contains %s, which would be read as part of the output: remove it, "
                "or give another folder",
                options->output, name);
        }
        HS_REFUSE(options->hierarchy_output,
                  "--hierarchy-output is for a data file: the folder %s has its hierarchy in it",
                  options->output);
    } else if (options->format || strcmp(options->output, "-") != 0) {
        HS_TRY(hs_format_for_output(options->output, options->format, roles, &method, error));
    }
    return options->hierarchy_output
               ? hs_format_for_output(options->hierarchy_output, options->hierarchy_format,
                                      HS_ROLE_GRAPH, &method, error)
               : HSEL_OK;
}

int hs_output_dataset(const hs_call *call, const hsel_dataset *data, const hs_graph *known,
                      const hs_output_options *options, hsel_error *error)
{
    const hs_method *method = NULL, *graph = NULL;
    const char *path = options->output, *format = options->format;
    hs_writer *hierarchy = NULL;                    /* goes with the set */
    bool alone = data->instances == 0 && data->dag; /* a hierarchy without data */
    unsigned role = alone ? HS_ROLE_GRAPH : HS_ROLE_DATA;
    HS_TRY(hs_output_check(options, HS_ROLE_DATA | role, error));
    HS_REFUSE(options->hierarchy_output && !data->dag, "there is no hierarchy to write to %s",
              options->hierarchy_output);
    if (to_folder(options)) {
        bool made = mkdir(path, 0777) == 0;
        if (!made && errno != EEXIST)
            return hs_fail_errno(error, path, "make the folder");
        int status = write_folder(call, data, path, error);
        if (status && made)
            rmdir(path);
        return status;
    }
    if (!format && strcmp(path, "-") == 0)
        format = alone ? "edges" : "arff";
    /* A hierarchy without data is written as a hierarchy if the format can, else as data. */
    int status = hs_format_for_output(path, format, role, &method, error);
    if (status && alone) {
        role = HS_ROLE_DATA;
        status = hs_format_for_output(path, format, role, &method, NULL) ? status : HSEL_OK;
    }
    HS_TRY(status);
    HS_OPEN(set, path);
    HS_TRY(put(method, role, data, set, error));
    if (options->hierarchy_output) {
        HS_TRY(hs_format_for_output(options->hierarchy_output, options->hierarchy_format,
                                    HS_ROLE_GRAPH, &graph, error));
        HS_TRY(hs_writer_open_part(set, options->hierarchy_output, &hierarchy, error));
        HS_TRY(put(graph, HS_ROLE_GRAPH, data, hierarchy, error));
    }
    HS_TRY(hs_writer_commit(hs_take(&set), error));
    if (graph || role == HS_ROLE_GRAPH)
        note_lost(call, data, known, graph ? graph : method);
    static const char *const roles[HS_ROLES] = {"strata", "groups", "times", "the test set",
                                                "weights"};
    const char *lost = "";
    bool labelled = data->about.columns.count > 0, further = false;
    const bool packed = strcmp(method->name, "pack") == 0, file = strcmp(path, "-") != 0,
               rows = role == HS_ROLE_DATA;
    for (uint32_t c = 0; c < data->instance_about.columns.count; c++) {
        const char *column = hs_names_get(&data->instance_about.columns, c);
        const bool is_class = hs_class_of_column(&data->instance_about, c) != NULL;
        const int known_as = hs_role_of_column(column);
        if (known_as < HS_ROLES)
            lost = hs_say_more(call->doc, lost, roles[known_as]);
        further |= is_class;
        labelled |= !is_class && known_as == HS_ROLES;
    }
    if (further && !method->format->is_table && !packed)
        hs_note(call, "%s has one class, %s: the other classes of the data set are not written",
                path, data->class_attribute);
    if (rows && data->covariates && !packed)
        hs_note(call, "%s does not record which features are covariates; a pack or a folder does",
                path);
    if (rows && labelled && file && !method->format->writes_labels)
        hs_note(call, "%s has no labels; a pack or a folder has", path);
    if (rows && *lost && file && !method->format->writes_labels)
        hs_note(call, "%s does not record %s; a pack or a folder does", path, lost);
    uint32_t sizes[2] = {0}, by_rule = HSEL_NONE;
    if (rows && data->class_names.count == 2 && !method->format->writes_positive) {
        hs_class_sizes(data, sizes);
        hs_positive_rule(&data->class_names, sizes, &by_rule);
    }
    const char *positive = hsel_dataset_class_name(data, data->positive_class);
    if (by_rule < 2 && by_rule != data->positive_class && file)
        hs_note(call,
                "%s does not record that %s is the positive class: read it with --positive %s",
                path, positive, positive);
    if (!options->hierarchy_output && data->dag && !alone && file && !packed)
        hs_note(call, "%s does not contain the hierarchy; --hierarchy-output FILE writes it", path);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a data set where the user wants it. Several files are one output (core/writer.h); a
 * folder that was made for a failed output is taken away again.
 */
#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/json.h"
#include "core/mem.h"
#include "data/summary.h"

const hs_option hs_output_table[] = {
    {.name = "output",
     .value = "OUT",
     .letter = 'o',
     .type = HS_OPT_TEXT,
     .offset = offsetof(hs_output_options, output),
     .help = "file to write (format by its ending, .gz compresses), a folder, or - for standard "
             "output"},
    HS_TEXT(hs_output_options, format, "to", "NAME", NULL,
            "format to write (default: by the ending)"),
    HS_FILE(hs_output_options, hierarchy_output, "hierarchy-output", "FILE", HS_WRITES,
            "where to write the hierarchy"),
    HS_TEXT(hs_output_options, hierarchy_format, "hierarchy-to", "NAME", NULL,
            "format of the hierarchy written (default: by the ending)"),
    HS_OPTION_END};

/* What a format writes of the data set. */
static int put(const hs_method *method, unsigned role, const hsel_dataset *data,
               const hs_graph *known, hs_writer *writer, hsel_error *error)
{
    return role == HS_ROLE_DATA ? method->format->write_data(data, writer, error)
                                : method->format->write_graph(data, known, writer, error);
}

static int finish(hs_writer *writer, int status, hsel_error *error)
{
    if (status == HSEL_OK)
        return hs_writer_commit(writer, error);
    hs_writer_abandon(writer);
    return status;
}

/* What of the hierarchy is not in the file of this format. */
static void note_lost(const hs_call *call, const hs_graph *known, const hs_method *method)
{
    bool relations = false;
    for (size_t e = 0; known && known->relation && e < known->edges && !relations; e++)
        relations = strcmp(hs_names_get(&known->relations, known->relation[e]), "is_a") != 0;
    bool names = known && known->titles.count, obsolete = false;
    for (uint32_t t = 0; known && known->flags && t < known->terms.count && !obsolete; t++)
        obsolete = known->flags[t] & HS_TERM_OBSOLETE;
    if (method->format->writes_terms && !known)
        hs_note(call, "the data hold no names of terms and no relations: terms are written without "
                      "names, and every edge as is_a");
    else if (method->format->writes_terms && (obsolete || known->alternates.count))
        hs_note(call, "obsolete terms and alternate identifiers are not written");
    else if (!method->format->writes_terms && (relations || names))
        hs_note(call, "%s of terms are not written: the format %s does not hold them, obo does",
                relations ? names ? "names and relations" : "relations" : "names", method->name);
}

/* ---- a folder ---- */

static int write_meta(const hsel_dataset *data, hs_writer *set, const char *path, hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open_manifest(set, path, &writer, error);
    if (status)
        return status;
    hs_json json = {.out = writer};
    hs_json_object(&json);
    hs_json_key(&json, "name");
    hs_json_text(&json, hsel_dataset_name(data));
    hs_json_key(&json, "writer");
    hs_json_text(&json, "hsel " HSEL_VERSION);
    hs_json_key(&json, "instances");
    hs_json_u64(&json, data->instances);
    hs_json_key(&json, "features");
    hs_json_u64(&json, data->features);
    if (data->dag) {
        hs_json_key(&json, "edges");
        hs_json_u64(&json, data->dag->edges);
    }
    hs_json_key(&json, "class");
    if (data->class_names.count) {
        hs_json_object(&json);
        hs_json_key(&json, "attribute");
        hs_json_text(&json, data->class_attribute ? data->class_attribute : "class");
        hs_json_key(&json, "positive_class");
        hs_json_text(&json, hsel_dataset_class_name(data, data->positive_class));
        hs_json_end_object(&json);
    } else { /* says that the last column is a feature like the others */
        hs_json_null(&json);
    }
    if (data->ids.count) {
        hs_json_key(&json, "id_column");
        hs_json_text(&json, data->id_attribute ? data->id_attribute : "id");
    }
    status = hs_writer_list_parts(set, &json, error);
    hs_json_end_object(&json);
    return status;
}

/* A data.* or hierarchy.* that no output has made is somebody's: it is not removed, and beside the
 * new ones it could not be read. */
static int refuse_foreign(const char *path, hsel_error *error)
{
    static const char *const own[] = {"data.arff.gz", "hierarchy.tsv.gz"};
    int status = HSEL_OK;
    const struct dirent *entry;
    DIR *folder = opendir(path);
    while (folder && status == HSEL_OK && (entry = readdir(folder))) {
        const char *name = entry->d_name;
        if ((strncmp(name, "data.", 5) == 0 || strncmp(name, "hierarchy.", 10) == 0) &&
            !hs_ends_with(name, HS_MANIFEST) && strcmp(name, own[0]) != 0 &&
            strcmp(name, own[1]) != 0)
            status = hs_fail(error, HSEL_EUSAGE,
                             "the folder %s holds %s, which would be taken for a part of the "
                             "output: remove it, or give another folder",
                             path, name);
    }
    if (folder)
        closedir(folder);
    return status;
}

static int write_parts(const hsel_dataset *data, const char *const *paths, hsel_error *error)
{
    const hs_method *arff = hs_method_find(HS_FORMAT, "arff", 4),
                    *edges = hs_method_find(HS_FORMAT, "edges", 5);
    hs_writer *set = NULL, *hierarchy = NULL;
    int status = hs_writer_open(paths[0], &set, error);
    if (status == HSEL_OK)
        status = put(arff, HS_ROLE_DATA, data, NULL, set, error);
    if (status == HSEL_OK)
        status = data->dag ? hs_writer_open_part(set, paths[1], &hierarchy, error)
                           : hs_writer_remove(set, paths[1], error);
    if (status == HSEL_OK && data->dag)
        status = put(edges, HS_ROLE_GRAPH, data, NULL, hierarchy, error);
    if (status == HSEL_OK)
        status = write_meta(data, set, paths[2], error);
    return finish(set, status, error);
}

static int write_folder(const hsel_dataset *data, const char *folder, hsel_error *error)
{
    const char *const names[] = {"data.arff.gz", "hierarchy.tsv.gz", "meta.json"};
    hs_buf path[3] = {0};
    int status = HSEL_OK;
    bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST)
        return hs_fail_errno(error, folder, "make the folder");
    for (int i = 0; i < 3; i++) {
        hs_buf_printf(&path[i], "%s/%s", folder, names[i]);
        if (path[i].failed)
            status = hs_fail_memory(error);
    }
    if (status == HSEL_OK)
        status = write_parts(data, (const char *const[]){path[0].text, path[1].text, path[2].text},
                             error);
    if (status && made)
        rmdir(folder);
    for (int i = 0; i < 3; i++)
        hs_buf_clear(&path[i]);
    return status;
}

/* A folder is meant if it is one, if the name ends in a slash, or if the name has no ending at all.
 */
static bool means_folder(const char *path)
{
    struct stat about;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode);
    return *name == '\0' || !strchr(name, '.');
}

/* ---- all together ---- */

/* A folder has its hierarchy in it, a pack too. */
static bool to_folder(const hs_output_options *options)
{
    return strcmp(options->output, "-") != 0 && !options->format && means_folder(options->output);
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
    int status = HSEL_OK;
    if (!options->output)
        return hs_fail(error, HSEL_EUSAGE,
                       "where to? give -o OUT (a file, a folder, or - for standard output)");
    if (to_folder(options)) {
        status = refuse_foreign(options->output, error);
        if (status == HSEL_OK && options->hierarchy_output)
            status = hs_fail(error, HSEL_EUSAGE,
                             "--hierarchy-output is for a data file: the folder %s has its "
                             "hierarchy in it",
                             options->output);
    } else if (options->format || strcmp(options->output, "-") != 0) {
        status = hs_format_for_output(options->output, options->format, roles, &method, error);
    }
    if (status == HSEL_OK && options->hierarchy_output)
        status = hs_format_for_output(options->hierarchy_output, options->hierarchy_format,
                                      HS_ROLE_GRAPH, &method, error);
    return status;
}

/* The format, and whether a hierarchy without data is written as one (`role`). */
static int choose(const hs_output_options *options, bool alone, const hs_method **method,
                  unsigned *role, hsel_error *error)
{
    const char *format = options->format;
    if (!format && strcmp(options->output, "-") == 0)
        format = alone ? "edges" : "arff";
    *role = alone ? HS_ROLE_GRAPH : HS_ROLE_DATA;
    int status = hs_format_for_output(options->output, format, *role, method, error);
    if (status && alone &&
        hs_format_for_output(options->output, format, HS_ROLE_DATA, method, NULL) == HSEL_OK) {
        *role = HS_ROLE_DATA;
        status = HSEL_OK;
    }
    return status;
}

int hs_output_dataset(const hs_call *call, const hsel_dataset *data, const hs_graph *known,
                      const hs_output_options *options, hsel_error *error)
{
    const hs_method *method = NULL, *graph = NULL;
    hs_writer *set = NULL, *hierarchy = NULL;
    unsigned role;
    bool alone = data->instances == 0 && data->dag; /* a hierarchy without data */
    int status = hs_output_check(options, HS_ROLE_DATA | (alone ? HS_ROLE_GRAPH : 0u), error);
    if (status)
        return status;
    if (options->hierarchy_output && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "there is no hierarchy to write to %s",
                       options->hierarchy_output);
    if (to_folder(options))
        return write_folder(data, options->output, error);
    if ((status = choose(options, alone, &method, &role, error)) ||
        (status = hs_writer_open(options->output, &set, error)))
        return status;
    status = put(method, role, data, known, set, error);
    if (status == HSEL_OK && options->hierarchy_output) {
        status = hs_format_for_output(options->hierarchy_output, options->hierarchy_format,
                                      HS_ROLE_GRAPH, &graph, error);
        if (status == HSEL_OK)
            status = hs_writer_open_part(set, options->hierarchy_output, &hierarchy, error);
        if (status == HSEL_OK)
            status = put(graph, HS_ROLE_GRAPH, data, known, hierarchy, error);
    }
    status = finish(set, status, error);
    if (status == HSEL_OK && (graph || role == HS_ROLE_GRAPH))
        note_lost(call, known, graph ? graph : method);
    if (status == HSEL_OK && !options->hierarchy_output && data->dag && !alone &&
        strcmp(options->output, "-") != 0 && strcmp(method->name, "pack") != 0)
        hs_note(call, "%s does not hold the hierarchy: --hierarchy-output FILE writes it",
                options->output);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a data set where the user wants it. Every file appears whole or not at all; a folder that
 * was made for a failed output is taken away again.
 */
#include "cli/output.h"

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
    HS_TEXT(hs_output_options, hierarchy_output, "hierarchy-output", "FILE", NULL,
            "where to write the hierarchy"),
    HS_TEXT(hs_output_options, hierarchy_format, "hierarchy-to", "NAME", NULL,
            "format of the hierarchy written (default: by the ending)"),
    HS_OPTION_END};

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

static int write_with(const hs_call *call, const hs_method *method, unsigned role,
                      const hsel_dataset *data, const hs_graph *known, const char *path,
                      hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open(path, &writer, error);
    if (status)
        return status;
    status = role == HS_ROLE_DATA ? method->format->write_data(data, writer, error)
                                  : method->format->write_graph(data, known, writer, error);
    if (status) {
        hs_writer_abandon(writer);
        return status;
    }
    status = hs_writer_commit(writer, error);
    if (status == HSEL_OK && role == HS_ROLE_GRAPH)
        note_lost(call, known, method);
    return status;
}

static int write_file(const hs_call *call, const hsel_dataset *data, const hs_graph *known,
                      const char *path, const char *format, unsigned role, hsel_error *error)
{
    const hs_method *method = NULL;
    int status = hs_format_for_output(path, format, role, &method, error);
    return status ? status : write_with(call, method, role, data, known, path, error);
}

/* ---- a folder ---- */

static int write_meta(const hsel_dataset *data, const char *path, hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open(path, &writer, error);
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
    hs_json_end_object(&json);
    return hs_writer_commit(writer, error);
}

static int write_in_folder(const hsel_dataset *data, const char *folder, const char *name,
                           hsel_error *error)
{
    hs_buf path = {0};
    hs_buf_printf(&path, "%s/%s", folder, name);
    int status = path.failed ? hs_fail_memory(error) : HSEL_OK;
    if (status == HSEL_OK) {
        if (strcmp(name, "meta.json") == 0)
            status = write_meta(data, path.text, error);
        else
            status = write_file(
                NULL, data, NULL, path.text, strncmp(name, "hierarchy", 9) == 0 ? "edges" : "arff",
                strncmp(name, "hierarchy", 9) == 0 ? HS_ROLE_GRAPH : HS_ROLE_DATA, error);
    }
    hs_buf_clear(&path);
    return status;
}

static void remove_from_folder(const char *folder, const char *name)
{
    hs_buf path = {0};
    hs_buf_printf(&path, "%s/%s", folder, name);
    if (!path.failed)
        unlink(path.text);
    hs_buf_clear(&path);
}

static int write_folder(const hsel_dataset *data, const char *folder, hsel_error *error)
{
    const char *const names[] = {"data.arff.gz", "hierarchy.tsv.gz", "meta.json"};
    bool made = mkdir(folder, 0777) == 0;
    int status = HSEL_OK, written = 0;
    if (!made && errno != EEXIST)
        return hs_fail_errno(error, folder, "make the folder");
    for (int i = 0; i < 3 && status == HSEL_OK; i++)
        if (i != 1 || data->dag) {
            status = write_in_folder(data, folder, names[i], error);
            written = i + 1;
        }
    if (status && made) {
        for (int i = 0; i < written; i++)
            remove_from_folder(folder, names[i]);
        rmdir(folder);
    }
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

static int write_standard_output(const hs_call *call, const hsel_dataset *data,
                                 const hs_graph *known, const hs_output_options *options,
                                 bool alone, hsel_error *error)
{
    const char *format = options->format ? options->format : alone ? "edges" : "arff";
    return write_file(call, data, known, "-", format, alone ? HS_ROLE_GRAPH : HS_ROLE_DATA, error);
}

int hs_output_check(const hs_output_options *options, unsigned roles, hsel_error *error)
{
    const hs_method *method = NULL;
    int status = HSEL_OK;
    if (!options->output)
        return hs_fail(error, HSEL_EUSAGE,
                       "where to? give -o OUT (a file, a folder, or - for standard output)");
    if (options->format || (strcmp(options->output, "-") != 0 && !means_folder(options->output)))
        status = hs_format_for_output(options->output, options->format, roles, &method, error);
    if (status == HSEL_OK && options->hierarchy_output)
        status = hs_format_for_output(options->hierarchy_output, options->hierarchy_format,
                                      HS_ROLE_GRAPH, &method, error);
    return status;
}

int hs_output_dataset(const hs_call *call, const hsel_dataset *data, const hs_graph *known,
                      const hs_output_options *options, hsel_error *error)
{
    const hs_method *method = NULL;
    bool alone = data->instances == 0 && data->dag; /* a hierarchy without data */
    int status = hs_output_check(options, HS_ROLE_DATA | (alone ? HS_ROLE_GRAPH : 0u), error);
    if (status)
        return status;
    if (options->hierarchy_output && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "there is no hierarchy to write to %s",
                       options->hierarchy_output);
    if (strcmp(options->output, "-") == 0)
        status = write_standard_output(call, data, known, options, alone, error);
    else if (!options->format && means_folder(options->output))
        return write_folder(data, options->output, error);
    else if (hs_format_for_output(options->output, options->format,
                                  alone ? HS_ROLE_GRAPH : HS_ROLE_DATA, &method, error) == HSEL_OK)
        status = write_with(call, method, alone ? HS_ROLE_GRAPH : HS_ROLE_DATA, data, known,
                            options->output, error);
    else if (alone && hs_format_for_output(options->output, options->format, HS_ROLE_DATA, &method,
                                           NULL) == HSEL_OK)
        status = write_with(call, method, HS_ROLE_DATA, data, known, options->output, error);
    else
        return HSEL_EUSAGE;
    if (status == HSEL_OK && options->hierarchy_output)
        status = write_file(call, data, known, options->hierarchy_output, options->hierarchy_format,
                            HS_ROLE_GRAPH, error);
    else if (status == HSEL_OK && data->dag && !alone && method &&
             strcmp(method->name, "pack") != 0)
        hs_note(call, "%s does not hold the hierarchy: --hierarchy-output FILE writes it",
                options->output);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking into a data folder.
 */
#include "load/folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include "format/sparse.h"

static char *join_path(hs_folder *out, const char *folder, const char *name)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    hs_buf_printf(&path, "%s%s%s", folder, hs_ends_with(folder, "/") ? "" : "/", name);
    return path.failed ? NULL : hs_arena_text(&out->arena, path.text, path.length);
}

/* *out stays NULL if there is no such file. */
static int read_json_file(const char *path, json_t **out, hsel_error *error)
{
    struct stat about;
    json_error_t problem;
    if (stat(path, &about) != 0 || (*out = json_load_file(path, 0, &problem)))
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EFORMAT, path, problem.line > 0 ? (unsigned long)problem.line : 0,
                      "%s", problem.text);
}

static void close_folder(DIR **folder) { closedir(*folder); }

int hs_folder_open(const char *path, hs_folder *out, hsel_error *error)
{
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return HSEL_OK;
    DIR *opened = opendir(path);
    if (!opened)
        return hs_fail_errno(error, path, "open");
    HS_OWNS(close_folder) DIR *folder = opened;
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(folder))) {
        /* Files of names and manifests accompany the data and are not data. */
        const char *name = entry->d_name;
        bool data = strncmp(name, "data.", 5) == 0 && !strstr(name, ".txt") &&
                    !hs_ends_with(name, HS_MANIFEST);
        char **slot = data                                   ? &out->data
                      : strncmp(name, "hierarchy.", 10) == 0 ? &out->hierarchy
                      : strncmp(name, "features.", 9) == 0   ? &out->features
                      : strncmp(name, "instances.", 10) == 0 ? &out->instances
                                                             : NULL;
        if (!slot)
            continue;
        if (*slot)
            return hs_fail_at(error, HSEL_EFORMAT, path, 0,
                              "the folder contains both %s and %s: give the file itself",
                              strrchr(*slot, '/') + 1, name);
        HS_NEED(*slot = join_path(out, path, name));
    }
    if (errno)
        return hs_fail_errno(error, path, "read");
    if (!out->data)
        return hs_fail_at(error, HSEL_EFORMAT, path, 0, "the folder contains no data.* file");
    json_auto_t *meta = NULL;
    HS_NEED(out->meta = join_path(out, path, "meta.json"));
    HS_TRY(read_json_file(out->meta, &meta, error));
    const json_t *label = json_object_get(meta, "class");
    out->no_class = json_is_null(label);
    out->listed = json_is_object(json_object_get(meta, "parts"));
    const struct {
        const json_t *value;
        char **copy;
    } texts[] = {{json_object_get(label, "attribute"), &out->class_name},
                 {json_object_get(meta, "target"), &out->target},
                 {json_object_get(label, "positive_class"), &out->positive},
                 {json_object_get(meta, "id_column"), &out->id}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (json_is_string(texts[i].value))
            HS_NEED(*texts[i].copy = hs_arena_text(&out->arena, json_string_value(texts[i].value),
                                                   json_string_length(texts[i].value)));
    const json_t *covariates = json_object_get(meta, "covariates"), *name;
    size_t i;
    HS_NEED(out->covariates.items =
                HS_ARENA_NEW(&out->arena, const char *, json_array_size(covariates)));
    json_array_foreach(covariates, i, name)
    {
        if (json_is_string(name))
            HS_NEED(out->covariates.items[out->covariates.count++] = hs_arena_text(
                        &out->arena, json_string_value(name), json_string_length(name)));
    }
    const json_t *provenance = json_object_get(meta, "provenance");
    return provenance && !json_is_null(provenance)
               ? hs_provenance_set(&out->provenance, provenance, error)
               : HSEL_OK;
}

int hs_provenance_put(const char *text, hs_json *json, hsel_error *error)
{
    json_error_t problem;
    json_auto_t *value = json_loads(text, JSON_DECODE_ANY, &problem);
    if (!value)
        return hs_fail(error, HSEL_EFORMAT, "the provenance of the data is not JSON: %s",
                       problem.text);
    hs_json_key(json, "provenance");
    hs_json_raw(json, text);
    return HSEL_OK;
}

void hs_folder_defaults(const hs_folder *folder, hs_load_options *options)
{
    if (!options->hierarchy && !options->no_hierarchy)
        options->hierarchy = folder->hierarchy;
    if (!options->labels)
        options->labels = folder->features;
    if (!options->metadata)
        options->metadata = folder->instances;
    if (!options->columns.class_name && !options->columns.no_class && !options->columns.target)
        options->columns.target = folder->target;
    if (!options->columns.class_name && !options->columns.no_class)
        options->columns.class_name = folder->class_name;
    if (!options->columns.class_name && folder->no_class)
        options->columns.no_class = true;
    if (!options->covariates.count)
        options->covariates = folder->covariates;
    if (!options->columns.id)
        options->columns.id = folder->id;
    if (!options->columns.positive && !options->columns.no_class)
        options->columns.positive = folder->positive;
}

void hs_folder_clear(hs_folder *folder)
{
    hs_arena_clear(&folder->arena);
    hs_free(folder->provenance);
}

/* ---- files that belong together ---- */

/* The entry of the manifest for one file; `must`: it is of the set or it should not be there. */
static int check_part(const char *manifest, const json_t *parts, const char *path, bool must,
                      bool *listed, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    char hash[HS_HASH];
    hs_part_name(path, &name);
    HS_NEED(!name.failed);
    const char *text = json_string_value(json_object_get(parts, name.text));
    *listed = text != NULL;
    if (!text && must)
        return hs_fail_at(error, HSEL_EFORMAT, path, 0,
                          "is not among the files of %s; remove the wrong one", manifest);
    if (!text)
        return HSEL_OK;
    HS_TRY(hs_file_hash(path, hash, error));
    return strcmp(hash, text) == 0
               ? HSEL_OK
               : hs_fail_at(
                     error, HSEL_EFORMAT, path, 0,
                     "does not belong to %s: writing was interrupted, or files were mixed or "
                     "changed; write all of them again, or remove \"parts\" from it to accept them",
                     manifest);
}

/* A folder's own hierarchy is of its set; that of a data file has to be named, so another one may
 * be meant. */
int hs_manifest_check(const char *manifest, const hs_folder *folder, const char *data,
                      const char *hierarchy, const char *const *siblings, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    json_auto_t *whole = NULL;
    const char *key;
    json_t *value;
    struct stat about;
    bool listed = false;
    HS_TRY(read_json_file(manifest, &whole, error));
    json_t *parts = json_object_get(whole, "parts");
    if (!parts)
        return HSEL_OK;
    if (hierarchy)
        HS_TRY(
            check_part(manifest, parts, hierarchy, hierarchy == folder->hierarchy, &listed, error));
    const char *const own[] = {folder->features, folder->instances};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i])
            HS_TRY(check_part(manifest, parts, own[i], true, &listed, error));
    if (folder->data || *siblings || listed)
        HS_TRY(check_part(manifest, parts, data, true, &listed, error));
    for (; *siblings; siblings++) {
        HS_TRY(hs_sibling_path(data, *siblings, &name, error));
        HS_TRY(
            check_part(manifest, parts, name.text, stat(name.text, &about) == 0, &listed, error));
    }
    json_object_foreach(parts, key, value)
    {
        if (folder->data && ((!folder->hierarchy && strncmp(key, "hierarchy.", 10) == 0) ||
                             (!folder->features && strncmp(key, "features.", 9) == 0) ||
                             (!folder->instances && strncmp(key, "instances.", 10) == 0)))
            return hs_fail_at(error, HSEL_EFORMAT, manifest, 0, "its %s is missing", key);
    }
    return HSEL_OK;
}

void hs_name_from_path(const char *path, hs_buf *out)
{
    struct stat about;
    size_t end = strlen(path);
    if (strcmp(path, "-") == 0)
        return;
    bool folder =
        (end && path[end - 1] == '/') || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    if (!folder) { /* folders have no endings: "CE.v2" is all name */
        end = hs_stem_length(path);
        if (end - begin == 4 && memcmp(path + begin, "data", 4) == 0 && begin > 1) {
            end = begin - 1; /* the folder's own name is better than "data" */
            for (begin = end; begin > 0 && path[begin - 1] != '/';)
                begin--;
        }
    }
    hs_buf_add(out, path + begin, end - begin);
}

int hs_provenance_set(char **text, const json_t *value, hsel_error *error)
{
    char *made = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    char *copy = made ? hs_strdup(made) : NULL;
    free(made);
    HS_NEED(copy);
    hs_free(*text);
    *text = copy;
    return HSEL_OK;
}

int hs_provenance_step(char **text, const char *step, hsel_error *error)
{
    json_error_t problem;
    json_auto_t *whole = json_loads(*text, JSON_DECODE_ANY, &problem);
    if (whole && !json_is_object(whole)) /* a text or a list, made by another program */
        HS_NEED(whole = json_pack("{s:o}", "given", whole));
    json_t *steps = json_object_get(whole, "steps"), *new = json_loads(step, 0, &problem);
    if (!whole || !new || (steps && !json_is_array(steps))) {
        json_decref(new);
        return hs_fail(error, HSEL_EFORMAT, "the provenance of the data has no list of steps");
    }
    if (!steps) { /* made by another program */
        HS_NEED(json_object_set_new(whole, "steps", json_array()) == 0);
        steps = json_object_get(whole, "steps");
    }
    HS_NEED(json_array_append_new(steps, new) == 0);
    return hs_provenance_set(text, whole, error);
}

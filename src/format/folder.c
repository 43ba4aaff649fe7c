/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking into a data folder.
 */
#define _GNU_SOURCE /* memrchr */
#include "format/folder.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "core/mem.h"
#include "format/sparse.h"

static char *join(const char *folder, const char *name)
{
    hs_buf path = {0};
    hs_buf_text(&path, folder);
    if (path.length && !path.failed && path.text[path.length - 1] != '/')
        hs_buf_char(&path, '/');
    hs_buf_text(&path, name);
    if (path.failed)
        hs_buf_clear(&path);
    return path.text;
}

static int take(const char *path, const char *name, char **slot, hsel_error *error)
{
    if (*slot)
        return hs_fail_at(error, HSEL_EFORMAT, path, 0,
                          "the folder holds both %s and %s: name the file that is meant",
                          strrchr(*slot, '/') + 1, name);
    *slot = join(path, name);
    return *slot ? HSEL_OK : hs_fail_memory(error);
}

static int look_through(DIR *folder, const char *path, hs_folder *out, hsel_error *error)
{
    const struct dirent *entry;
    int status = HSEL_OK;
    while (status == HSEL_OK && (errno = 0, entry = readdir(folder))) {
        /* Name files and manifests stand beside the data and are not the data. */
        if (strncmp(entry->d_name, "data.", 5) == 0 && !strstr(entry->d_name, ".txt") &&
            !hs_ends_with(entry->d_name, HS_MANIFEST))
            status = take(path, entry->d_name, &out->data, error);
        else if (strncmp(entry->d_name, "hierarchy.", 10) == 0)
            status = take(path, entry->d_name, &out->hierarchy, error);
    }
    if (status == HSEL_OK && errno)
        status = hs_fail_errno(error, path, "read");
    return status;
}

/* A copy of a text; NULL where there is none. */
static int copy_text(const json_t *value, char **out, hsel_error *error)
{
    if (!json_is_string(value))
        return HSEL_OK;
    *out = hs_strdup(json_string_value(value));
    return *out ? HSEL_OK : hs_fail_memory(error);
}

/* *out stays NULL if there is no such file. */
static int read_json(const char *path, json_t **out, hsel_error *error)
{
    struct stat about;
    json_error_t problem;
    if (stat(path, &about) != 0 || (*out = json_load_file(path, 0, &problem)))
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EFORMAT, path, problem.line > 0 ? (unsigned long)problem.line : 0,
                      "%s", problem.text);
}

static int read_meta(const char *path, hs_folder *out, hsel_error *error)
{
    json_t *meta = NULL;
    if (!(out->meta = join(path, "meta.json")))
        return hs_fail_memory(error);
    int status = read_json(out->meta, &meta, error);
    const json_t *label = json_object_get(meta, "class");
    out->no_class = json_is_null(label);
    out->listed = json_is_object(json_object_get(meta, "parts"));
    if (status == HSEL_OK)
        status = copy_text(json_object_get(label, "attribute"), &out->class_name, error);
    if (status == HSEL_OK)
        status = copy_text(json_object_get(label, "positive_class"), &out->positive, error);
    if (status == HSEL_OK)
        status = copy_text(json_object_get(meta, "id_column"), &out->id, error);
    json_decref(meta);
    return status;
}

int hs_folder_open(const char *path, hs_folder *out, hsel_error *error)
{
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return HSEL_OK;
    DIR *folder = opendir(path);
    if (!folder)
        return hs_fail_errno(error, path, "open");
    int status = look_through(folder, path, out, error);
    closedir(folder);
    if (status == HSEL_OK && !out->data)
        status = hs_fail_at(error, HSEL_EFORMAT, path, 0, "the folder holds no data.* file");
    if (status == HSEL_OK)
        status = read_meta(path, out, error);
    return status;
}

void hs_folder_defaults(const hs_folder *folder, hs_load_options *options)
{
    if (!options->hierarchy && !options->no_hierarchy)
        options->hierarchy = folder->hierarchy;
    if (!options->columns.class_name && !options->columns.no_class)
        options->columns.class_name = folder->class_name;
    if (!options->columns.class_name && folder->no_class)
        options->columns.no_class = true;
    if (!options->columns.id)
        options->columns.id = folder->id;
    if (!options->columns.positive && !options->columns.no_class)
        options->columns.positive = folder->positive;
}

void hs_folder_clear(hs_folder *folder)
{
    hs_free(folder->data);
    hs_free(folder->hierarchy);
    hs_free(folder->meta);
    hs_free(folder->class_name);
    hs_free(folder->id);
    hs_free(folder->positive);
    *folder = (hs_folder){0};
}

/* ---- files that belong together ---- */

/* What the manifest says of one file; `must`: it is of the set or it should not be there. */
static int check_part(const char *manifest, const json_t *parts, const char *path, bool must,
                      hsel_error *error)
{
    hs_buf name = {0};
    char hash[HS_HASH];
    hs_part_name(path, &name);
    if (name.failed)
        return hs_fail_memory(error);
    const char *listed = json_string_value(json_object_get(parts, name.text));
    hs_buf_clear(&name);
    if (!listed)
        return must ? hs_fail_at(error, HSEL_EFORMAT, path, 0,
                                 "is not among the files of %s; remove the one that is not meant",
                                 manifest)
                    : HSEL_OK;
    int status = hs_file_hash(path, hash, error);
    if (status == HSEL_OK && strcmp(hash, listed) != 0)
        status = hs_fail_at(error, HSEL_EFORMAT, path, 0,
                            "does not belong to %s: an output was interrupted, or files were mixed "
                            "or changed; write all of them again, or remove \"parts\" from it if "
                            "they are meant as they are",
                            manifest);
    return status;
}

/* A folder's own hierarchy is of its set; that of a data file has to be named, so another one may
 * be meant. */
int hs_manifest_check(const char *manifest, const hs_folder *folder, const char *data,
                      const char *hierarchy, const char *const *siblings, hsel_error *error)
{
    hs_buf name = {0};
    json_t *whole = NULL;
    const char *key;
    json_t *value;
    struct stat about;
    int status = read_json(manifest, &whole, error);
    json_t *parts = json_object_get(whole, "parts");
    if (status || !parts)
        goto out;
    bool several = folder->data || *siblings;
    if (hierarchy) {
        hs_part_name(hierarchy, &name);
        several |= !name.failed && json_object_get(parts, name.text);
        status = check_part(manifest, parts, hierarchy, hierarchy == folder->hierarchy, error);
    }
    if (status == HSEL_OK && several)
        status = check_part(manifest, parts, data, true, error);
    for (; status == HSEL_OK && *siblings; siblings++)
        if ((status = hs_sibling_path(data, *siblings, &name, error)) == HSEL_OK)
            status = check_part(manifest, parts, name.text, stat(name.text, &about) == 0, error);
    json_object_foreach(parts, key, value) if (status == HSEL_OK && folder->data &&
                                               !folder->hierarchy &&
                                               strncmp(key, "hierarchy.", 10) == 0) status =
        hs_fail_at(error, HSEL_EFORMAT, manifest, 0, "its %s is missing", key);
    if (status == HSEL_OK && name.failed)
        status = hs_fail_memory(error);
out:
    json_decref(whole);
    hs_buf_clear(&name);
    return status;
}

/* Folders have no endings: "CE.v2" is all name. */
static bool is_folder(const char *path, size_t length)
{
    struct stat about;
    return (length && path[length - 1] == '/') ||
           (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

void hs_name_from_path(const char *path, hs_buf *out)
{
    size_t end = strlen(path);
    if (strcmp(path, "-") == 0)
        return;
    bool folder = is_folder(path, end);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    size_t length = end - begin;
    if (folder) {
        hs_buf_add(out, path + begin, length);
        return;
    }
    if (length > 3 && memcmp(path + end - 3, ".gz", 3) == 0)
        length -= 3;
    const char *dot = memrchr(path + begin, '.', length);
    if (dot && dot > path + begin)
        length = (size_t)(dot - path) - begin;
    bool inside = length == 4 && memcmp(path + begin, "data", 4) == 0 && begin > 1;
    if (!inside) {
        hs_buf_add(out, path + begin, length);
        return;
    }
    end = begin - 1; /* the folder's own name is better than "data" */
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        begin--;
    hs_buf_add(out, path + begin, end - begin);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files a command reads and which it writes, claimed before anything is written, so that no
 * output destroys an input or another output. Files are the same if they have the same inode, or
 * the same path once links are followed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"
#include "format/sparse.h"

struct hs_claim {
    const char *given, *path; /* as the user wrote it; absolute, without links */
    const char *patterns;     /* NULL: a file; else files of a folder, "data.* meta.json" */
    bool written, there;
    dev_t device;
    ino_t inode;
    struct hs_claim *next;
};

/* The path without links; of what is not there yet, as far as it is. */
static char *resolve(const char *path, hs_buf *out)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t whole = end;
    for (;;) {
        out->length = 0;
        hs_buf_add(out, end ? path : ".", end ? end : 1);
        char *found = out->failed ? NULL : realpath(out->text, NULL);
        if (found || end == 0 || out->failed) {
            out->length = 0;
            hs_buf_text(out, found ? found : "");
            free(found);
            break;
        }
        while (end > 0 && path[end - 1] != '/')
            end--;
        while (end > 1 && path[end - 1] == '/')
            end--;
    }
    const char *rest = path + end;
    while (*rest == '/' || (rest[0] == '.' && rest[1] == '/'))
        rest++;
    if (rest < path + whole) {
        hs_buf_char(out, '/');
        hs_buf_add(out, rest, (size_t)(path + whole - rest));
    }
    return out->text;
}

static bool matches(const struct hs_claim *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    char pattern[32];
    if (!slash || strncmp(folder->path, path, (size_t)(slash - path)) != 0 ||
        folder->path[slash - path] != '\0')
        return false;
    for (const char *at = folder->patterns; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, slash + 1, 0) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool is_same(const struct hs_claim *a, const struct hs_claim *b)
{
    if (a->patterns && b->patterns)
        return strcmp(a->path, b->path) == 0 && strcmp(a->patterns, b->patterns) == 0;
    if (a->patterns || b->patterns)
        return a->patterns ? matches(a, b->path) : matches(b, a->path);
    return strcmp(a->path, b->path) == 0 ||
           (a->there && b->there && a->inode == b->inode && a->device == b->device);
}

static int claim(const hs_call *call, const char *given, const char *patterns, bool written,
                 hsel_error *error)
{
    struct hs_claim *made = hs_arena_zero(call->arena, 1, sizeof *made);
    struct stat about;
    hs_buf path = {0};
    if (!made)
        return hs_fail_memory(error);
    bool stream = strcmp(given, "-") == 0;
    made->given = hs_arena_text(call->arena, given, strlen(given));
    made->patterns = patterns;
    made->written = written;
    made->there = (stream ? fstat(written, &about) : stat(given, &about)) == 0;
    if (made->there) {
        if (!patterns && !S_ISREG(about.st_mode) && !(stream && written))
            return HSEL_OK; /* devices and pipes hold nothing that could be lost */
        made->device = about.st_dev;
        made->inode = about.st_ino;
        made->there = S_ISREG(about.st_mode);
    }
    made->path = stream ? written ? "standard output" : "standard input" : resolve(given, &path);
    if (!stream && made->path)
        made->path = hs_arena_text(call->arena, made->path, strlen(made->path));
    hs_buf_clear(&path);
    if (!made->path || !made->given)
        return hs_fail_memory(error);
    for (const struct hs_claim *c = *call->claims; c; c = c->next) {
        if (!(written || c->written) || !is_same(made, c))
            continue;
        const char *in = written ? c->given : given, *out = written ? given : c->given;
        if (!c->written || !written)
            return hs_fail(error, HSEL_EUSAGE,
                           "%s would be overwritten%s%s: it is read, so give the output another "
                           "name",
                           in, strcmp(in, out) ? " by the output " : "",
                           strcmp(in, out) ? out : "");
        return hs_fail(error, HSEL_EUSAGE, "two outputs would go to %s: give them different names",
                       given);
    }
    /* Inputs are only compared with outputs, which stand first. */
    struct hs_claim **at = call->claims;
    while (!written && *at && (*at)->written)
        at = &(*at)->next;
    made->next = *at;
    *at = made;
    return HSEL_OK;
}

/* Files beside `path`, the endings put in place of its own (siblings) or after it; what is read
 * only if it is there. */
static int claim_beside(const hs_call *call, const char *path, const char *const *endings,
                        bool sibling, bool written, hsel_error *error)
{
    hs_buf name = {0};
    struct stat about;
    int status = HSEL_OK;
    for (; *endings && status == HSEL_OK; endings++) {
        name.length = 0;
        if (!sibling)
            hs_buf_printf(&name, "%s%s", path, *endings);
        else if ((status = hs_sibling_path(path, *endings, &name, error)))
            break;
        if (name.failed)
            status = hs_fail_memory(error);
        else if (written || stat(name.text, &about) == 0)
            status = claim(call, name.text, NULL, written, error);
        if (status == HSEL_OK && sibling && written && hs_ends_with(name.text, ".gz")) {
            name.text[name.length - 3] = '\0'; /* the one goes, the other comes */
            status = claim(call, name.text, NULL, written, error);
        }
    }
    hs_buf_clear(&name);
    return status;
}

/* Manifests, and what SQLite has beside a store. */
static const char *const companions[] = {HS_MANIFEST, "-wal", "-shm", "-journal", NULL};

/* A folder of data: files that may be links to others, and those that would be taken for some. */
static int claim_folder_read(const hs_call *call, const char *path, hsel_error *error)
{
    const struct dirent *entry;
    hs_buf name = {0};
    DIR *folder = opendir(path);
    struct hs_claim all = {.path = "", .patterns = HS_DATA_FOLDER};
    int status = claim(call, path, HS_DATA_FOLDER, false, error);
    while (folder && status == HSEL_OK && (entry = readdir(folder))) {
        name.length = 0;
        hs_buf_printf(&name, "/%s", entry->d_name);
        if (!name.failed && !matches(&all, name.text))
            continue;
        name.length = 0;
        hs_buf_printf(&name, "%s%s%s", path, hs_ends_with(path, "/") ? "" : "/", entry->d_name);
        status = name.failed ? hs_fail_memory(error) : claim(call, name.text, NULL, false, error);
    }
    if (folder)
        closedir(folder);
    hs_buf_clear(&name);
    return status;
}

int hs_claim_read(const hs_call *call, const char *path, hsel_error *error)
{
    struct stat about;
    const hs_method *format = NULL;
    bool stream = strcmp(path, "-") == 0;
    if (!stream && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return claim_folder_read(call, path, error);
    int status = claim(call, path, NULL, false, error);
    if (status == HSEL_OK && !stream)
        status = claim_beside(call, path, companions, false, false, error);
    if (status == HSEL_OK && !stream &&
        hs_format_for_output(path, NULL, HS_ROLE_DATA, &format, NULL) == HSEL_OK)
        status = claim_beside(call, path, format->format->siblings, true, false, error);
    return status;
}

int hs_claim_written(const hs_call *call, const char *path, const char *const *siblings,
                     hsel_error *error)
{
    int status = claim(call, path, NULL, true, error);
    if (status == HSEL_OK && strcmp(path, "-") != 0)
        status = claim_beside(call, path, companions, false, true, error);
    if (status == HSEL_OK && siblings && strcmp(path, "-") != 0)
        status = claim_beside(call, path, siblings, true, true, error);
    return status;
}

int hs_claim_folder(const hs_call *call, const char *folder, const char *patterns,
                    hsel_error *error)
{
    return claim(call, folder, patterns, true, error);
}

int hs_claim_charts(const hs_call *call, const char *page, const char **out, hsel_error *error)
{
    const char *slash = strrchr(page, '/'), *name = slash ? slash + 1 : page;
    const char *dot = strrchr(name, '.');
    hs_buf folder = {0};
    hs_buf_add(&folder, page, dot && dot > name ? (size_t)(dot - page) : strlen(page));
    hs_buf_text(&folder, "_files");
    *out = folder.failed ? NULL : hs_arena_text(call->arena, folder.text, folder.length);
    hs_buf_clear(&folder);
    return *out ? hs_claim_folder(call, *out, HS_CHART_FOLDER, error) : hs_fail_memory(error);
}

int hs_claim_study(const hs_call *call, const hs_study *study, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < study->dataset_count && status == HSEL_OK; i++) {
        const hs_study_dataset *set = &study->datasets[i];
        hs_load_options load = {0};
        if (set->generate || set->missing)
            continue;
        status = hs_claim_read(call, set->path, error);
        if (status == HSEL_OK)
            status =
                hs_options_parse(hs_load_table, &load, set->prepare, "prepare", call->arena, error);
        if (status == HSEL_OK && load.hierarchy)
            status = hs_claim_read(call, load.hierarchy, error);
    }
    if (status == HSEL_OK && strncmp(study->scheme, "file:", 5) == 0)
        status = hs_claim_read(call, study->scheme + 5, error);
    if (status == HSEL_OK && study->published.file)
        status = hs_claim_read(call, study->published.file, error);
    return status;
}

/* ---- the command line ---- */

static int claim_option(const hs_call *call, const hs_option *option, const void *values,
                        hsel_error *error)
{
    const void *field = (const char *)values + option->offset;
    const char *text = option->type == HS_OPT_TEXT ? *(const char *const *)field : NULL;
    const hs_list none = {0}, *list = option->type == HS_OPT_LIST ? field : &none;
    int status = HSEL_OK;
    if (text)
        status = option->use == HS_WRITES ? hs_claim_written(call, text, NULL, error)
                                          : hs_claim_read(call, text, error);
    for (size_t i = 0; i < list->count && status == HSEL_OK; i++)
        status = hs_claim_read(call, list->items[i], error);
    return status;
}

int hs_claim_call(const hs_call *call, hsel_error *error)
{
    const hs_command *command = call->command;
    int status = HSEL_OK;
    for (int i = 0; i < call->count && status == HSEL_OK && !command->takes_names; i++)
        status = hs_claim_read(call, call->arguments[i], error);
    for (const hs_option_group *group = command->groups;
         group < command->groups + HS_GROUPS && group->table && status == HSEL_OK; group++) {
        const void *values = (const char *)call->values + group->offset;
        if (group->table == hs_output_table)
            status = hs_output_claim(call, values, error);
        for (const hs_option *o = group->table; o->type != HS_OPT_END && status == HSEL_OK; o++)
            if (o->use)
                status = claim_option(call, o, values, error);
    }
    return status;
}

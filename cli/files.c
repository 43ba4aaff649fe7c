/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files a command reads and which it writes, claimed before anything is written, so that no
 * output destroys an input or another output. Files are the same if they have the same inode, or
 * the same path once links are followed.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "format/sparse.h"

struct hs_claim {
    const char *given, *path; /* as the user wrote it; absolute, without links */
    const char *patterns;     /* NULL: a file; else files of a folder, "data.* meta.json" */
    bool written, there;
    dev_t device;
    ino_t inode;
    struct hs_claim *next;
};

const char *hs_last_part(const char *path)
{
    size_t end = strlen(path), start;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (start = end; start > 0 && path[start - 1] != '/';)
        start--;
    return path + start;
}

/* The path without links, as far as it exists. */
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
        assert(length < sizeof pattern);
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, slash + 1, 0) == 0)
            return true;
        at += length;
    }
    return false;
}

static int claim(const hs_call *call, const char *given, const char *patterns, bool written,
                 hsel_error *error)
{
    struct hs_claim *made = hs_arena_zero(call->arena, 1, sizeof *made);
    struct stat about;
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    HS_NEED(made);
    bool stream = strcmp(given, "-") == 0;
    made->given = hs_say(call->doc, "%s", given);
    made->patterns = patterns;
    made->written = written;
    made->there = (stream ? fstat(written, &about) : stat(given, &about)) == 0;
    if (made->there) {
        if (!patterns && !S_ISREG(about.st_mode) && !stream)
            return HSEL_OK; /* devices and pipes hold nothing that could be lost */
        made->device = about.st_dev;
        made->inode = about.st_ino;
        made->there = S_ISREG(about.st_mode);
    }
    made->path = stream ? written ? "standard output" : "standard input" : resolve(given, &path);
    if (!stream && made->path)
        made->path = hs_say(call->doc, "%s", made->path);
    HS_NEED(made->path && !call->doc->failed);
    for (const struct hs_claim *c = *call->claims; c; c = c->next) {
        HS_REFUSE(stream && !written && !c->written && strcmp(c->path, made->path) == 0,
                  "only one file can be standard input");
        bool same = made->patterns && c->patterns ? strcmp(made->path, c->path) == 0 &&
                                                        strcmp(made->patterns, c->patterns) == 0
                    : made->patterns ? matches(made, c->path)
                    : c->patterns    ? matches(c, made->path)
                                     : strcmp(made->path, c->path) == 0 ||
                                        (made->there && c->there && made->inode == c->inode &&
                                         made->device == c->device);
        if (!(written || c->written) || !same)
            continue;
        const char *in = written ? c->given : given, *out = written ? given : c->given;
        HS_REFUSE(!c->written || !written,
                  "%s would be overwritten%s%s, but it is also read: give the output another name",
                  in, strcmp(in, out) ? " by the output " : "", strcmp(in, out) ? out : "");
        return hs_fail(error, HSEL_EUSAGE, "two outputs would go to %s: give them different names",
                       stream ? "standard output" : given);
    }
    /* Outputs come first, since inputs are compared only with them. */
    struct hs_claim **at = call->claims;
    while (!written && *at && (*at)->written)
        at = &(*at)->next;
    made->next = *at;
    *at = made;
    return HSEL_OK;
}

/* Claims files that accompany `path`, with these endings instead of its own (`sibling`) or after
 * it; inputs only if they exist. */
static int claim_beside(const hs_call *call, const char *path, const char *const *endings,
                        bool sibling, bool written, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    struct stat about;
    for (; *endings; endings++) {
        name.length = 0;
        if (sibling)
            HS_TRY(hs_sibling_path(path, *endings, &name, error));
        else
            hs_buf_printf(&name, "%s%s", path, *endings);
        HS_NEED(!name.failed);
        if (written || stat(name.text, &about) == 0)
            HS_TRY(claim(call, name.text, NULL, written, error));
        if (sibling && written && hs_ends_with(name.text, ".gz")) {
            name.text[name.length - 3] = '\0'; /* the one goes, the other comes */
            HS_TRY(claim(call, name.text, NULL, written, error));
        }
    }
    return HSEL_OK;
}

/* Manifests, and the files of SQLite next to a store. */
static const char *const companions[] = {HS_MANIFEST, "-wal", "-shm", "-journal", NULL};

int hs_claim_read(const hs_call *call, const char *path, hsel_error *error)
{
    struct stat about;
    const hs_method *format = NULL;
    bool stream = strcmp(path, "-") == 0;
    if (!stream && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        /* A folder of data: its files may be links, and other files in it could be mistaken for
         * data. */
        HS_OWNS(hs_close_folder) DIR *folder = opendir(path);
        struct hs_claim all = {.path = "", .patterns = HS_DATA_FOLDER};
        size_t length = strlen(path) - hs_ends_with(path, "/");
        HS_TRY(claim(call, path, HS_DATA_FOLDER, false, error));
        for (const struct dirent *entry; folder && (entry = readdir(folder));) {
            HS_OWNS(hs_buf_clear) hs_buf name = {0};
            hs_buf_printf(&name, "%.*s/%s", (int)length, path, entry->d_name);
            HS_NEED(!name.failed);
            if (matches(&all, name.text + length))
                HS_TRY(claim(call, name.text, NULL, false, error));
        }
        return HSEL_OK;
    }
    HS_TRY(claim(call, path, NULL, false, error));
    if (stream)
        return HSEL_OK;
    HS_TRY(claim_beside(call, path, companions, false, false, error));
    return hs_format_for_output(path, NULL, HS_ROLE_DATA, &format, NULL)
               ? HSEL_OK
               : claim_beside(call, path, format->format->siblings, true, false, error);
}

int hs_claim_written(const hs_call *call, const char *path, const char *const *siblings,
                     hsel_error *error)
{
    HS_TRY(claim(call, path, NULL, true, error));
    if (strcmp(path, "-") == 0)
        return HSEL_OK;
    HS_TRY(claim_beside(call, path, companions, false, true, error));
    return siblings ? claim_beside(call, path, siblings, true, true, error) : HSEL_OK;
}

int hs_claim_folder(const hs_call *call, const char *folder, const char *patterns,
                    hsel_error *error)
{
    return claim(call, folder, patterns, true, error);
}

/* The files that methods in a text read. */
static int claim_methods(const hs_call *call, const char *text, hsel_error *error)
{
    size_t length;
    for (const char *at = text; (at = hs_method_file(at, &length)); at += length) {
        const char *path = hs_arena_text(call->arena, at, length);
        HS_NEED(path);
        HS_TRY(hs_claim_read(call, path, error));
    }
    return HSEL_OK;
}

/* A value that is a column of the data (not a file), FILE or FILE:COLUMN. */
static int claim_column(const hs_call *call, const char *text, hsel_error *error)
{
    text += strncmp(text, HS_PAIRS, strlen(HS_PAIRS)) == 0 ? strlen(HS_PAIRS) : 0;
    const char *colon = strrchr(text, ':'), *path = text;
    if (access(text, F_OK) != 0 && colon)
        HS_NEED(path = hs_arena_text(call->arena, text, (size_t)(colon - text)));
    return access(path, F_OK) == 0 ? hs_claim_read(call, path, error) : HSEL_OK;
}

int hs_claim_scheme(const hs_call *call, const char *scheme, hsel_error *error)
{
    return strncmp(scheme, "file:", 5) == 0 ? hs_claim_read(call, scheme + 5, error) : HSEL_OK;
}

int hs_claim_study(const hs_call *call, const hs_study *study, hsel_error *error)
{
    for (size_t i = 0; i < study->dataset_count; i++) {
        const hs_study_dataset *set = &study->datasets[i];
        hs_load_options load = {0};
        if (set->generate || set->missing)
            continue;
        HS_TRY(hs_claim_read(call, set->path, error));
        HS_TRY(hs_options_parse(hs_load_table, &load, set->prepare, "prepare", call->arena, error));
        if (load.hierarchy)
            HS_TRY(hs_claim_read(call, load.hierarchy, error));
        for (int role = 0; role < HS_ROLES; role++)
            if (load.role[role])
                HS_TRY(claim_column(call, load.role[role], error));
    }
    for (size_t i = 0; i < study->selector_count; i++)
        HS_TRY(claim_methods(call, study->selectors[i].text, error));
    for (size_t i = 0; i < study->classifier_count; i++)
        HS_TRY(claim_methods(call, study->classifiers[i].text, error));
    HS_TRY(hs_claim_scheme(call, study->scheme, error));
    return study->published.file ? hs_claim_read(call, study->published.file, error) : HSEL_OK;
}

int hs_claim_call(const hs_call *call, hsel_error *error)
{
    const hs_command *command = call->command;
    for (int i = 0; i < call->count && !(command->flags & HS_TAKES_NAMES); i++)
        HS_TRY(hs_claim_read(call, call->arguments[i], error));
    for (const hs_option_group *group = command->groups;
         group < command->groups + HS_GROUPS && group->table; group++) {
        const char *values = (const char *)call->values + group->offset;
        if (group->table == hs_output_table)
            HS_TRY(hs_output_claim(call, (const void *)values, error));
        for (const hs_option *o = group->table; o->type != HS_OPT_END; o++) {
            const void *field = values + o->offset;
            const char *text = o->type == HS_OPT_TEXT ? *(char *const *)field : NULL;
            const hs_list *list = o->type == HS_OPT_LIST ? field : &(hs_list){0};
            if (text)
                HS_TRY(o->use == HS_WRITES         ? hs_claim_written(call, text, NULL, error)
                       : o->use == HS_READS        ? hs_claim_read(call, text, error)
                       : o->use == HS_READS_COLUMN ? claim_column(call, text, error)
                                                   : claim_methods(call, text, error));
            for (size_t i = 0; i < list->count; i++)
                HS_TRY(o->use ? hs_claim_read(call, list->items[i], error)
                              : claim_methods(call, list->items[i], error));
        }
    }
    return HSEL_OK;
}

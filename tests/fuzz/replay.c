/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the fuzz corpora without the fuzzer, so that they are part of the ordinary tests.
 *
 *     replay CORPUS FORMAT          every file of CORPUS/FORMAT, as it is and cut or damaged in a
 *                                   few places; FORMAT may also be another name of
 *                                   support/exercise.h
 *     replay CORPUS                 is there a folder with files for every format?
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method.h"
#include "core/random.h"
#include "support/exercise.h"
#include "support/folder.h"
#include "support/leaks.h"

static int failures;

static void run(const char *name, const char *file, const char *how, const char *bytes,
                size_t length)
{
    char *copy =
        malloc(length ? length : 1); /* a block of its own, so that reading beyond the end shows */
    if (!copy)
        abort();
    if (length)
        memcpy(copy, bytes, length);
    const char *why = hs_exercise_named(name, copy, length);
    if (why && failures++ < 20)
        fprintf(stderr, "%s %s: %s\n", file, how, why);
    free(copy);
}

/* The file, then the file cut short, with a byte changed, with a piece left out or doubled. */
static void run_variants(const char *name, const char *file, const char *bytes, size_t length)
{
    enum { VARIANTS = 60 };
    static const char interesting[] = "\n\t ,:;|\"'{}%@#?0919-.e\0\xff\x80";
    hs_stream stream;
    hs_stream_init(&stream, 1, file, 0, 0);
    run(name, file, "as it is", bytes, length);
    char *changed = malloc(2 * length + 1);
    if (!changed)
        abort();
    for (int i = 0; length && i < VARIANTS; i++) {
        char how[64];
        size_t at = hs_random_below(&stream, length),
               piece = 1 + hs_random_below(&stream, length - at);
        snprintf(how, sizeof how, "(variant %d at byte %zu)", i, at);
        memcpy(changed, bytes, length);
        size_t size = length;
        switch (i % 4) {
        case 0:
            size = at;
            break;
        case 1:
            changed[at] = interesting[hs_random_below(&stream, sizeof interesting - 1)];
            break;
        case 2:
            memmove(changed + at, changed + at + piece, length - at - piece);
            size = length - piece;
            break;
        default:
            memcpy(changed + at + piece, bytes + at, length - at);
            size = length + piece;
        }
        run(name, file, how, changed, size);
    }
    free(changed);
}

static int replay(const char *corpus, const char *name)
{
    bool is_known = hs_can_exercise(name);
    char path[1024];
    int files = 0;
    snprintf(path, sizeof path, "%s/%s", corpus, name);
    DIR *folder = opendir(path);
    if (!is_known || !folder) {
        fprintf(stderr, "%s: no %s of that name\n", name, is_known ? "folder" : "format");
        return 1;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", corpus, name, entry->d_name);
        size_t length;
        char *bytes = hs_slurp(path, &length);
        if (!bytes)
            continue;
        files++;
        run_variants(name, path, bytes, length);
        if (hs_leaks()) {
            fprintf(stderr, "%s: it or a variant of it leaks\n", path);
            failures++;
        }
        free(bytes);
    }
    closedir(folder);
    printf("%s: %d files, %d findings\n", name, files, failures);
    return failures || !files;
}

static int check_folders(const char *corpus)
{
    int missing = 0;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", corpus, method->name);
        DIR *folder = method->kind == HS_FORMAT ? opendir(path) : NULL;
        if (method->kind == HS_FORMAT && !folder) {
            fprintf(stderr, "%s has no corpus: add files to tests/fuzz/corpus/%s\n", method->name,
                    method->name);
            missing++;
        }
        if (folder)
            closedir(folder);
    }
    return missing > 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: replay CORPUS [FORMAT]\n");
        return 2;
    }
    return argc == 2 ? check_folders(argv[1]) : replay(argv[1], argv[2]);
}

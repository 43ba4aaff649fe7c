/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Temporary folders: see folder.h.
 */
#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

void hs_folder_new(hs_folder *folder)
{
    /* in memory where there is such a place: the writer syncs every file */
    snprintf(folder->path, sizeof folder->path, "%s/hsel-test-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(folder->path));
}

const char *hs_folder_file(hs_folder *folder, const char *name)
{
    snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
    return folder->file;
}

static size_t walk(const hs_folder *folder, int and_remove)
{
    size_t count = 0;
    DIR *dir = opendir(folder->path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        count++;
        if (and_remove)
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    return count;
}

size_t hs_folder_count(const hs_folder *folder) { return walk(folder, 0); }

void hs_folder_free(hs_folder *folder)
{
    walk(folder, 1);
    rmdir(folder->path);
}

char *hs_slurp(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

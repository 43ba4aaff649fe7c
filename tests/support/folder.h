/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A temporary folder for a test that writes files.
 */
#ifndef HS_TESTS_FOLDER_H
#define HS_TESTS_FOLDER_H

#include <stddef.h>

typedef struct hs_folder {
    char path[64];
    char file[512]; /* of hs_folder_file */
} hs_folder;

/* Makes it; fails the running cmocka test if it cannot. */
void hs_folder_new(hs_folder *folder);
/* Path of a file in it; good until the next call. */
const char *hs_folder_file(hs_folder *folder, const char *name);
/* Number of entries in it, hidden ones too. */
size_t hs_folder_count(const hs_folder *folder);
/* Removes it and the files in it. */
void hs_folder_free(hs_folder *folder);
/* Content of a file, NUL-terminated; NULL when there is none. Free with free(). */
char *hs_slurp(const char *path, size_t *length);

#endif

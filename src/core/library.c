/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading libraries.
 */
#include "core/core.h"
#include "core/library.h"

#include <dlfcn.h>

bool hs_library_load(const char *file, const char *const *names, void *members)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL), *found = library;
    for (char *to = members; found && *names; names++, to += sizeof found) {
        found = dlsym(library, *names);
        memcpy(to, &found, sizeof found); /* POSIX gives functions as data pointers */
    }
    return found != NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Optional libraries, loaded on first use: programs start faster, and work where these are not
 * installed. They are never unloaded, because they do not support it.
 */
#pragma once

#include <stdbool.h>

/* The addresses of `names` (functions and variables, up to NULL) into the structure `members`,
 * which has a pointer for each. False if the library or one of them is missing. */
bool hs_library_load(const char *file, const char *const *names, void *members);

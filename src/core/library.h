/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Libraries that few users need, loaded when they are used for the first time: programs start
 * without them, and work where they are not installed. They are never unloaded, because the
 * libraries behind them do not expect that.
 */
#ifndef HS_CORE_LIBRARY_H
#define HS_CORE_LIBRARY_H

#include <stdbool.h>

/* The addresses of `names` (functions and variables, up to NULL) into the structure `members`,
 * which has a pointer for each. False: the library or one of them is not there. */
bool hs_library_load(const char *file, const char *const *names, void *members);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running another program, such as dot: found on PATH, without a shell, its input and
 * output in files without name.
 */
#ifndef HS_CORE_PROGRAM_H
#define HS_CORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

typedef struct hs_program {
    const char *const *arguments; /* the first is the program; to NULL */
    const char *folder;           /* that it works in; NULL: this one */
    int input, output;            /* -1: none */
    bool missing;                 /* after the run: it could not be started */
    char said[512];               /* the first line of what it wrote to standard error */
} hs_program;

/* True: it ended with status 0. */
bool hs_program_run(hs_program *program);

#endif

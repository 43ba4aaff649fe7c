/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs another program, such as dot or R: found on PATH, without a shell, with input and output in
 * unnamed files.
 */
#ifndef HS_CORE_PROGRAM_H
#define HS_CORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

typedef struct hs_program {
    const char *const *arguments; /* the first is the program; to NULL */
    const char *folder;           /* working directory; NULL: the current one */
    const hs_buf *input;          /* NULL: none */
    hs_buf *output;               /* what it writes is added; NULL: not wanted */
    /* Not NULL: the program is in a process group of its own, and its input is a pipe that stays
     * empty and ends when this process does, however that comes about, or when the function, which
     * is called now and then, returns false. */
    bool (*goes_on)(void *context);
    void *context;
    bool missing;   /* after the run: it could not be started */
    int status;     /* that it ended with; 1 also when it was killed */
    char said[512]; /* the first line of what it wrote to standard error */
} hs_program;

/* True: it ended with status 0. */
bool hs_program_run(hs_program *program);

#endif

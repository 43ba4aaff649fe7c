/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs another program, such as dot or R: found on PATH, without a shell, with input and output in
 * unnamed files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

typedef struct hs_program {
    const char *const *arguments; /* the first is the program; to NULL */
    const char *folder;           /* working directory; NULL: the current one */
    const hs_buf *input;          /* NULL: none */
    hs_buf *output;               /* its output is appended; NULL: discard it */
    /* Not NULL: the program gets its own process group, and its input is an empty pipe that ends
     * when this process ends for any reason, or when this function, which is called regularly,
     * returns false. */
    bool (*goes_on)(void *context);
    void *context;
    bool missing;   /* after the run: it could not be started */
    int status;     /* exit status; 1 also if it was killed */
    char said[512]; /* the first line of what it wrote to standard error */
} hs_program;

/* True: it ended with status 0. */
bool hs_program_run(hs_program *program);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Showing how far long work is, on standard error: one line that is written over, JSON lines for
 * programs, or nothing.
 */
#ifndef HS_CLI_PROGRESS_H
#define HS_CLI_PROGRESS_H

#include <stdbool.h>

#include "core/progress.h"
#include "study/runner.h"

typedef enum hs_progress_mode {
    HS_PROGRESS_AUTO,
    HS_PROGRESS_BAR,
    HS_PROGRESS_JSON,
    HS_PROGRESS_NONE
} hs_progress_mode;
#define HS_PROGRESS_WORDS "auto|bar|json|none" /* in this order */

typedef struct hs_progress_show { /* initialise with hs_progress_begin */
    hs_progress progress;         /* give this to the work */
    hs_progress_mode mode;
    double began, shown;
    const hs_run_jobs
        *jobs; /* tells what of it was there before, which says nothing about the speed; or NULL */
    const char *noun; /* what is counted: "jobs" */
    bool on_screen;
} hs_progress_show;

/* HS_PROGRESS_AUTO: the line if standard error is a terminal. Also makes Ctrl-C (and SIGTERM) a
 * request to stop; a second one ends the program as ever. */
void hs_progress_begin(hs_progress_show *show, hs_progress_mode mode, const hs_run_jobs *jobs);
/* Takes the line off the screen, before something else is written. */
void hs_progress_hide(hs_progress_show *show);
void hs_progress_end(hs_progress_show *show);

#endif

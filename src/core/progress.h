/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of long work, reported to whoever asked; the library itself prints nothing.
 */
#ifndef HS_CORE_PROGRESS_H
#define HS_CORE_PROGRESS_H

#include <stdint.h>

#include "core/notes.h"

typedef struct hs_progress {
    /* Called now and then, also from several threads at the same time; not 0 stops the work with
     * HSEL_ECANCELLED. total 0: not known. NULL: only the notes are asked for. */
    int (*report)(void *context, uint64_t done, uint64_t total, const char *what);
    void *context;
    hs_notes *notes; /* what should be known of the work; NULL: nobody asks */
} hs_progress;

/* HSEL_OK, or HSEL_ECANCELLED when the receiver asked to stop. `progress` may be NULL. */
HSEL_CHECKED int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total,
                                    const char *what, hsel_error *error);

/* Seconds on a clock that only goes forward; from when on is no matter. */
double hs_now(void);

#endif

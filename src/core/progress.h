/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of long work, reported to the caller; the library itself prints nothing.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* Notes on work that did not fail, for the caller. They are counted, so that the same note from
 * many folds is one line. Threads may add notes at the same time. */
typedef struct hs_notes { /* initialise with HS_NOTES; hs_notes_clear frees */
    pthread_mutex_t lock;
    struct hs_counted_note *items;
    size_t count, capacity;
} hs_notes;

#define HS_NOTES                                                                                   \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* Counts one more case in which `text` is true (`met`), or could have been: "svm" and "machines …"
 * become "svm: 2 of 5 machines …". Both are copied, up to 160 bytes. `notes` may be NULL. */
HSEL_CHECKED int hs_notes_count(hs_notes *notes, const char *method, const char *text, bool met,
                                hsel_error *error);
/* Every note that was met, in the order of the texts. */
void hs_notes_tell(hs_notes *notes, void (*tell)(void *context, const char *line), void *context);
void hs_notes_clear(hs_notes *notes);

typedef struct hs_progress {
    /* Called repeatedly, possibly from several threads at once; not 0 stops the work with
     * HSEL_ECANCELLED. total 0: unknown (with done 0: the step continues). NULL: collect only
     * notes. */
    int (*report)(void *context, uint64_t done, uint64_t total, const char *what);
    void *context;
    hs_notes *notes; /* notes on the work; may be NULL */
} hs_progress;

/* HSEL_OK, or HSEL_ECANCELLED if the receiver requested a stop. `progress` may be NULL. */
HSEL_CHECKED int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total,
                                    const char *what, hsel_error *error);
/* The same inside a step, without anything to report: 0 of 0, no text. */
HSEL_CHECKED int hs_progress_ask(const hs_progress *progress, hsel_error *error);
/* For work inside a step: it can be stopped, and its progress is not passed on. */
hs_progress hs_progress_asking(const hs_progress *progress);

/* Work in parts, several of which may run at the same time. Progress of a part advances the whole
 * by its share; parts may have parts. */
typedef struct hs_progress_parts {
    const hs_progress *whole; /* may be NULL */
    uint64_t count;
    _Atomic uint64_t done; /* in millionths of a part */
} hs_progress_parts;

typedef struct hs_progress_part {
    hs_progress progress; /* give this to the work */
    hs_progress_parts *of;
    const char *what;      /* prefix of the texts that the whole reports; NULL: none */
    _Atomic uint64_t told; /* progress reported so far, in millionths */
} hs_progress_part;

void hs_progress_part_begin(hs_progress_part *part, hs_progress_parts *of, const char *what);
/* The part is done. HSEL_ECANCELLED if the receiver requests a stop. */
HSEL_CHECKED int hs_progress_part_end(hs_progress_part *part, hsel_error *error);

/* Seconds on a monotonic clock with an arbitrary origin. */
double hs_now(void);

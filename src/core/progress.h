/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of long work, reported to whoever asked; the library itself prints nothing.
 */
#ifndef HS_CORE_PROGRESS_H
#define HS_CORE_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* What whoever asked for some work should know of it although it did not fail: counted, so that the
 * same thing in many folds is one line. Threads may add at the same time. */
typedef struct hs_notes { /* initialise with HS_NOTES; hs_notes_clear frees */
    pthread_mutex_t lock;
    struct hs_counted_note *items;
    size_t count, capacity;
} hs_notes;

#define HS_NOTES                                                                                   \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* One more thing of which `text` is true (`met`), or could have been: "svm" and "machines …" become
 * "svm: 2 of 5 machines …". Both are copied, up to 160 bytes. `notes` may be NULL: nobody asks. */
HSEL_CHECKED int hs_notes_count(hs_notes *notes, const char *method, const char *text, bool met,
                                hsel_error *error);
/* Every note that was met, in the order of the texts. */
void hs_notes_tell(hs_notes *notes, void (*tell)(void *context, const char *line), void *context);
void hs_notes_clear(hs_notes *notes);

typedef struct hs_progress {
    /* Called now and then, also from several threads at the same time; not 0 stops the work with
     * HSEL_ECANCELLED. total 0: not known (done 0, too: the step goes on). NULL: only the notes are
     * asked for. */
    int (*report)(void *context, uint64_t done, uint64_t total, const char *what);
    void *context;
    hs_notes *notes; /* what should be known of the work; NULL: nobody asks */
} hs_progress;

/* HSEL_OK, or HSEL_ECANCELLED when the receiver asked to stop. `progress` may be NULL. */
HSEL_CHECKED int hs_progress_report(const hs_progress *progress, uint64_t done, uint64_t total,
                                    const char *what, hsel_error *error);
/* The same inside of a step, of which there is nothing to tell: 0 of 0, without a text. */
HSEL_CHECKED int hs_progress_ask(const hs_progress *progress, hsel_error *error);
/* For work inside of a step: it can be stopped, and nothing that it tells is passed on. */
hs_progress hs_progress_asking(const hs_progress *progress);

/* Work in parts, of which several may be at hand at the same time. What is told of a part moves the
 * whole by its share; with parts of parts the same work is told at any depth. */
typedef struct hs_progress_parts {
    const hs_progress *whole; /* NULL: nobody asks */
    uint64_t count;
    _Atomic uint64_t done; /* in millionths of a part */
} hs_progress_parts;

typedef struct hs_progress_part {
    hs_progress progress; /* give this to the work */
    hs_progress_parts *of;
    const char *what;      /* what the whole is told before what the work says; NULL: nothing */
    _Atomic uint64_t told; /* in millionths */
} hs_progress_part;

void hs_progress_part_begin(hs_progress_part *part, hs_progress_parts *of, const char *what);
/* The part is done. HSEL_ECANCELLED when the receiver asks to stop. */
HSEL_CHECKED int hs_progress_part_end(hs_progress_part *part, hsel_error *error);

/* Seconds on a clock that only goes forward; from when on is no matter. */
double hs_now(void);

#endif

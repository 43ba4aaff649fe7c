/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The journal of a long run: a log, and checkpoints from which the run can resume. A method gets a
 * journal (or NULL) and does not know where it is stored; writing to it never changes the result.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/fields.h"

typedef struct hs_journal hs_journal;

/* Files; each may be NULL. The checkpoint of an interrupted run, a regular file of at most 1 GiB,
 * is read if it exists; the method checks its content. The log is overwritten with the first line:
 * a resumed run writes its lines again. */
HSEL_CHECKED int hs_journal_open(const char *log, const char *checkpoint, hs_journal **out,
                                 hsel_error *error);
/* Syncs and closes the log. Accepts NULL. */
HSEL_CHECKED int hs_journal_close(hs_journal *journal, hsel_error *error);

/* For methods; all accept NULL, which stores nothing. */
/* Writes one line, given without its end, and flushes it. */
HSEL_CHECKED int hs_journal_line(hs_journal *journal, const char *line, hsel_error *error);
/* Whether a checkpoint is due, about once per second. */
bool hs_journal_due(const hs_journal *journal);
/* The state that a method stores in a checkpoint. */
typedef struct hs_checkpoint {
    const char *method;  /* its name: up to 10 characters */
    const char *differs; /* what identifies a run, for messages: "data, options or seed" */
    uint64_t identity;   /* hash of these values */
    /* Writes or reads all that is needed to resume, as in hs_classifier. */
    int (*fields)(void *state, hs_transfer *file, hsel_error *error);
    void *state;
} hs_checkpoint;
/* Replaces the last checkpoint atomically. */
HSEL_CHECKED int hs_checkpoint_keep(hs_journal *journal, const hs_checkpoint *checkpoint,
                                    hsel_error *error);
/* Restores the checkpoint of an interrupted run, if there is one (*found, unless NULL).
 * HSEL_EUSAGE: it belongs to another run. */
HSEL_CHECKED int hs_checkpoint_restore(const hs_journal *journal, const hs_checkpoint *checkpoint,
                                       bool *found, hsel_error *error);
const char *hs_journal_checkpoint(const hs_journal *journal); /* its file, for messages */

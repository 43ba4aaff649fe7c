/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the runner share: the state of a run, and what happens to a finished unit
 * wherever it was done.
 */
#ifndef HS_STUDY_RUNNER_PARTS_H
#define HS_STUDY_RUNNER_PARTS_H

#include "study/runner.h"
#include "study/unit.h"

/* The units of a data set that are to do. */
typedef struct hs_pending { /* zero-initialise; hs_pending_clear frees */
    hs_unit *units;
    size_t count, capacity;
    hs_arena arena; /* of their lists of classifiers */
} hs_pending;

void hs_pending_clear(hs_pending *pending);

typedef struct hs_run {
    const hs_study *study;
    hs_store *store;
    const hs_run_options *options;
    hs_run_summary *summary;
    hs_run_methods methods;
    /* Of each data set of the study: */
    int64_t *ids;    /* in the store */
    uint32_t *folds; /* how many */
    hs_run_jobs *jobs;
    uint64_t *left; /* jobs not finished yet */
    hs_notes notes; /* of the methods */
    char name[256]; /* of a unit at hand, or one just before it */
    double named;   /* when */
} hs_run;

/* Puts a finished unit of data set `index` into the store, counts it, tells progress. By one thread
 * at a time. */
HSEL_CHECKED int hs_run_finish(hs_run *run, size_t index, const hs_unit *unit,
                               const hs_unit_result *result, hsel_error *error);
/* Tells how far it is; HSEL_ECANCELLED when asked to stop. */
HSEL_CHECKED int hs_run_tell(hs_run *run, const char *what, hsel_error *error);

/* Opens a data set (nothing if it is missing), in any thread. */
HSEL_CHECKED int hs_run_load(hs_run *run, size_t index, hs_workload *work, hsel_error *error);
/* After hs_run_load, with what it returned: finds what of it is to do, counts and tells. One that
 * could not be read is left out with a note. By one thread at a time. */
HSEL_CHECKED int hs_run_plan(hs_run *run, size_t index, int loaded, const hsel_error *why,
                             const hs_workload *work, hs_pending *pending, hsel_error *error);

/* ---- team.c ---- */

/* Does the units of all data sets in the threads of this process. */
HSEL_CHECKED int hs_team_run(hs_run *run, hsel_error *error);

/* ---- cluster.c: the first process ---- */

typedef struct hs_dispatcher hs_dispatcher;
HSEL_CHECKED int hs_dispatcher_new(hs_run *run, hs_dispatcher **out, hsel_error *error);
/* Hands out the units of a data set; comes back when all are handed out, perhaps before they are
 * done. */
HSEL_CHECKED int hs_dispatcher_hand_out(hs_dispatcher *dispatcher, const hs_workload *work,
                                        const hs_pending *pending, hsel_error *error);
/* Waits for what is under way, tells all to stop, frees. Returns `status`, or the first failure
 * after it. */
HSEL_CHECKED int hs_dispatcher_end(hs_dispatcher *dispatcher, int status, hsel_error *error);

/* ---- messages.c ---- */

enum hs_message_kind {
    HS_MESSAGE_FREE,    /* to 0: give me work. Threads. */
    HS_MESSAGE_WORK,    /* from 0: data set, its fingerprint, units */
    HS_MESSAGE_RESULTS, /* to 0: of each its length, data set, unit, result */
    HS_MESSAGE_FAILED,  /* to 0: status and message */
    HS_MESSAGE_STOP     /* from 0 */
};

void hs_message_begin(hs_buf *out, enum hs_message_kind kind);
void hs_message_u64(hs_buf *out, uint64_t value);
void hs_message_bytes(hs_buf *out, const void *bytes, size_t length);
void hs_message_unit(hs_buf *out, const hs_unit *unit);
void hs_message_result(hs_buf *out, const hs_unit_result *result);

/* Reading one: `failed` is set when it ends too early or holds what cannot be. */
typedef struct hs_message {
    const char *bytes;
    size_t length, at;
    hs_arena *arena; /* of what is read */
    bool failed, no_memory;
} hs_message;

uint64_t hs_message_get_u64(hs_message *in, uint64_t limit);
const void *hs_message_get_bytes(hs_message *in, size_t *length);
void hs_message_get_unit(hs_message *in, const hs_study *study, uint32_t folds, hs_unit *out);
void hs_message_get_result(hs_message *in, const hs_study *study, const hs_unit *unit,
                           hs_unit_result *out);

#endif

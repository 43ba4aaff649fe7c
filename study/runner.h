/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a study, one data set after the other (the next is opened before the last is finished).
 * Threads run the units that the store lacks and store each as it finishes. What is stored is not
 * computed again, so running a study a second time resumes it.
 *
 * A job that fails is stored with its message, and the rest continues. The run stops when memory
 * runs out or the store cannot be written; finished units stay stored.
 */
#pragma once

#include "study/store.h"
#include "study/study.h"

/* The jobs of one data set. */
typedef struct hs_run_jobs {
    uint64_t all;
    uint64_t there;        /* finished before */
    uint64_t there_failed; /* failed before, and not retried */
    uint64_t done, failed; /* now */
    uint64_t left_out;     /* now or before: the methods do not fit the data */
} hs_run_jobs;

typedef struct hs_run_summary { /* valid within the callbacks below, too */
    /* of the data sets that could be read; `all` is an estimate until all are open */
    hs_run_jobs jobs;
    hs_run_jobs rankings;         /* the same of rankers, each on a data set */
    uint32_t missing, unreadable; /* data sets */
    double seconds;
    double method_seconds; /* selecting and classifying, added up over threads */
    int threads;           /* that computed */
    double share;          /* of this part in the estimated cost of the study; 1: all */
} hs_run_summary;

typedef struct hs_run_options {
    int threads;          /* <= 0: all processors */
    uint32_t part, parts; /* only the units of this part, from 1; parts 0: all */
    bool retry_failed;    /* retry failed jobs */
    bool redo_older;      /* recompute results of other versions of hsel */
    bool plan_only; /* only count the remaining jobs; the store may be NULL (empty) or open for
                       reading */
    const hs_progress *progress; /* jobs; NULL: none. Cancelling stops after the units under way. */
    /* Each may be NULL. `failed` is called for every job that failed or was left out now (for a
     * ranker: the ranker instead of the selector, and ""). `note` receives a line about problems
     * and remarks; `dataset` is called when a data set was counted (plan_only) or is finished.
     * Called by one thread at a time. */
    void (*note)(void *context, const char *text);
    void (*failed)(void *context, const hs_study_dataset *set, const char *selector,
                   const char *classifier, const char *message, bool unfit);
    void (*dataset)(void *context, const hs_study_dataset *set, const hs_run_jobs *jobs);
    void *context;
} hs_run_options;

HSEL_CHECKED int hs_study_run(const hs_study *study, hs_store *store, const hs_run_options *options,
                              hs_run_summary *out, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tuning with irace (Lopez-Ibanez et al. 2016), which races settings of a selector against each
 * other over instances: here a data set with a seed for its folds and methods. irace is a package
 * of R; this writes what it needs into a folder and runs it:
 *
 *     data/N.hsel      the data sets, loaded once
 *     parameters.txt   what is tuned        instances.txt   numbers of the instances
 *     target-runner    hsel eval for one setting and instance
 *     scenario.txt, run.R                   irace.txt       output of irace
 *     runs.txt         a dot per finished run
 *     best.txt, mean.txt                    the result
 */
#pragma once

#include "study/study.h"

typedef struct hs_tune_request {
    const hs_study *study;       /* with a key `tune` */
    const char *folder;          /* created if missing */
    const char *program;         /* hsel itself */
    const char *rscript;         /* NULL: Rscript */
    uint32_t budget;             /* 0: as the study says */
    int threads;                 /* runs at a time */
    const hs_progress *progress; /* runs of irace; stops it; may be NULL */
} hs_tune_request;

typedef struct hs_tuned { /* zero-initialise; hs_tuned_clear frees */
    char *method;         /* canonical text of the best setting */
    double mean;          /* its metric, mean over the instances it was run on */
    uint32_t instances;   /* in all */
} hs_tuned;

/* HSEL_EUSAGE: there is nothing to tune, or too little to tune on. */
HSEL_CHECKED int hs_tune_write(const hs_tune_request *request, uint32_t *instances,
                               hsel_error *error);
/* HSEL_EUNSUPPORTED: R or irace is missing; the message names the packages to install. */
HSEL_CHECKED int hs_tune_run(const hs_tune_request *request, hs_tuned *out, hsel_error *error);
void hs_tuned_clear(hs_tuned *tuned);

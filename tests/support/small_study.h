/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small study for tests of the runner: two generated data sets and one file without hierarchy, on
 * which hierarchical selectors fail.
 */
#ifndef HS_TESTS_SMALL_STUDY_H
#define HS_TESTS_SMALL_STUDY_H

#include "study/store.h"
#include "study/study.h"

typedef struct hs_small_study {
    hs_study study;
    hs_study_dataset datasets[5];
    hs_study_method selectors[6], classifiers[4], rankers[4];
    char flat[600]; /* path of the file */
} hs_small_study;

/* 3 sets x 4 selectors x 2 classifiers x 5 folds x 2 repeats; rpv, hip and shsel fail on the set
 * without hierarchy. */
enum { SMALL_JOBS = 240, SMALL_LEFT_OUT = 60 };

/* Writes the file into `folder`, which must live as long; hs_study_clear frees the study. */
void hs_small_study_new(hs_small_study *out, const char *folder);
void hs_small_study_dataset(hs_small_study *study, const char *name, const char *path,
                            const char *generate, uint64_t seed);
void hs_small_study_classifier(hs_small_study *study, const char *text);
void hs_small_study_selector(hs_small_study *study, const char *text);
/* None before the first. */
void hs_small_study_ranker(hs_small_study *study, const char *text);
/* Fails the running test unless the rankings of all data sets are in both stores, or failed there,
 * alike; returns how many have scores. */
size_t hs_small_study_same_rankings(const hs_study *study, const char *store, const char *other);
/* The exported table; free with hs_free. */
char *hs_small_study_table(const hs_study *study, const char *store);

#endif

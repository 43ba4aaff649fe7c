/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a small study over generated data into a store, one fold after the other, the obvious way:
 * what reports are tested on.
 */
#ifndef HS_TESTS_SAMPLE_STUDY_H
#define HS_TESTS_SAMPLE_STUDY_H

#include <stdbool.h>

#include "study/store.h"

typedef struct hs_sample {
    const char *
        text; /* YAML of the study; its data sets are generated ones, its folds of our own scheme */
    /* Told each unit before it is run: false leaves it out. A message (not NULL) makes it a
     * failure. */
    bool (*wanted)(const char *dataset, const char *selector, uint32_t repeat, uint32_t fold,
                   const char **message);
    /* The selector that is run in place of this one, so that two of them come to the same; NULL:
     * each itself. */
    const char *(*in_place_of)(const char *selector);
} hs_sample;

/* Into a new or old store at `path`. Fails the running cmocka test if something goes wrong, or,
 * outside of one, ends the program with a message. */
void hs_sample_run(const hs_sample *sample, const char *path);
/* The data set of a study that has this number, generated and named. */
hsel_dataset *hs_sample_dataset(const hs_study *study, size_t number);

#endif

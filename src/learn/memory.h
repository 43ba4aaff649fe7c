/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks whether learning will fit into memory before it starts. Methods estimate their memory
 * (slot `memory` of hs_method); available memory is that of the system, or given.
 */
#pragma once

#include "data/data.h"

typedef struct hs_memory_plan {
    const hsel_dataset *data;
    const hs_chosen *selectors, *classifiers;
    size_t selector_count, classifier_count;
    uint32_t folds;   /* 1: all instances are learned from */
    int tasks;        /* at the same time: each has a selector and all classifiers */
    int threads;      /* of a task */
    double kept;      /* models that are kept, besides those of the tasks */
    double predicted; /* instances that predictions are kept of */
} hs_memory_plan;

/* HSEL_ELIMIT, with options that reduce it, if less is available; a note if it is more than half of
 * it. `notes` may be NULL. */
HSEL_CHECKED int hs_memory_check(const hs_memory_plan *plan, hs_notes *notes, hsel_error *error);
/* The same of one selector with one classifier. */
HSEL_CHECKED int hs_memory_check_pair(const hsel_dataset *data, const hs_chosen *selector,
                                      const hs_chosen *classifier, uint32_t folds, int tasks,
                                      hsel_error *error);

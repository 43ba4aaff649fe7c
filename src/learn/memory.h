/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether learning will fit into memory, asked before it begins. Methods say what they take (slot
 * `memory` of hs_method); what is there is asked from the system, or given.
 */
#ifndef HS_LEARN_MEMORY_H
#define HS_LEARN_MEMORY_H

#include "core/method.h"
#include "core/progress.h"
#include "data/dataset.h"

typedef struct hs_memory_plan {
    const hsel_dataset *data;
    const hs_chosen *selectors, *classifiers;
    size_t selector_count, classifier_count;
    uint32_t folds;   /* 1: all instances are learned from */
    int tasks;        /* at the same time: each has a selector and all classifiers */
    int threads;      /* of a task */
    double kept;      /* models that stay, beside those of the tasks */
    double predicted; /* instances that predictions are kept of */
} hs_memory_plan;

/* Bytes, beside what the process has already. *most, unless NULL: the method that takes most. */
double hs_memory_needed(const hs_memory_plan *plan, const hs_chosen **most);
/* HSEL_ELIMIT, with what lowers it, when so much is not there; a note when it is more than half.
 * `notes` may be NULL. */
HSEL_CHECKED int hs_memory_check(const hs_memory_plan *plan, hs_notes *notes, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A selector that has learned from a whole data set, without a classifier. Learns from the
 * instances that have a class if it looks at classes, else from all.
 */
#ifndef HS_EVALUATE_LEARNED_H
#define HS_EVALUATE_LEARNED_H

#include "core/method.h"
#include "data/training.h"

typedef struct hs_learned { /* zero-initialise; hs_learned_clear frees */
    const hs_method *method;
    void *state;
    const double *scores; /* relevance of each feature; NULL: the selector has none */
    uint32_t *rows;
    hs_counts counts;
    const struct hs_progress *progress; /* may be set before learning, for methods that report */
    struct hs_journal *journal;         /* likewise */
} hs_learned;

/* The methods must have been checked against the data (hs_check_methods); both must outlive
 * `out`. */
HSEL_CHECKED int hs_learn(const hs_chosen *selector, const hsel_dataset *data, uint64_t seed,
                          int threads, hs_learned *out, hsel_error *error);
void hs_learned_clear(hs_learned *learned);

#endif

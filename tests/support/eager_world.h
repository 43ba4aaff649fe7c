/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random training part for tests of eager selectors: some rows of a small random data set in
 * random order, perhaps some features only, some rows without class; and the same as a plain matrix
 * for slow twins.
 */
#ifndef HS_TESTS_EAGER_WORLD_H
#define HS_TESTS_EAGER_WORLD_H

#include <stdbool.h>

#include "core/random.h"
#include "data/training.h"

#define WORLD_ROWS     48
#define WORLD_FEATURES 16

typedef struct hs_world {
    hsel_dataset *data;
    uint32_t row[WORLD_ROWS];
    uint64_t mask;
    hs_counts counts;
    hs_training training;
    /* the twin's view: candidates are the features in the mask */
    uint32_t rows, candidates, classes, feature[WORLD_FEATURES];
    bool x[WORLD_ROWS][WORLD_FEATURES];
    uint32_t label[WORLD_ROWS]; /* HSEL_NONE: none */
} hs_world;

/* 2 or 3 classes. With a hierarchy the data keep the true-path rule. */
void hs_world_draw(hs_stream *stream, bool hierarchy, hs_world *world);
/* Takes rows without a class out of the twin's view, for twins of selectors that learn from
 * classes. */
void hs_world_drop_unlabelled(hs_world *world);
void hs_world_free(hs_world *world);
/* Has the feature neither parent nor child, and one value in all labelled rows that have one?
 * Selectors by class over a hierarchy never keep it. */
bool hs_isolated_constant(const hs_view *view, uint32_t feature);

/* What a selector such as "cfs:termination=3" makes of it: keep and score of each candidate. Fails
 * the test if a feature outside the mask was kept. Score may be NULL. */
void hs_world_select(const hs_world *world, const char *selector, bool *keep, double *score);
/* Every allocation failing in turn while it prepares and selects. */
void hs_world_oom(const hs_world *world, const char *selector);

#endif

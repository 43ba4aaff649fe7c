/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small random training situation for classifiers, and what it was made of as plain matrices for
 * twins; and random choices of the features that an instance is predicted on.
 */
#ifndef HS_TESTS_PROBLEM_H
#define HS_TESTS_PROBLEM_H

#include <stdbool.h>

#include "core/random.h"
#include "data/training.h"

#define PROBLEM_MOST 40 /* features, instances */

typedef struct hs_problem {
    hsel_dataset *data;
    uint32_t features, classes;
    bool cell[PROBLEM_MOST][PROBLEM_MOST];    /* [instance][feature]: positive */
    double value[PROBLEM_MOST][PROBLEM_MOST]; /* of any type; NaN: missing or infinite */
    bool edge[PROBLEM_MOST][PROBLEM_MOST];    /* [child][parent], none without a hierarchy */
    bool above[PROBLEM_MOST][PROBLEM_MOST];   /* [feature][ancestor] */
    uint32_t rows[2 * PROBLEM_MOST], row_count;
    bool use[PROBLEM_MOST]; /* the feature mask */
    uint64_t mask[1];
    bool has_mask;
    hs_counts counts;
    hs_training training;
} hs_problem;

typedef struct hs_problem_chances {
    double trained; /* that an instance is in the training part … */
    double twice;   /* … and once more; 0: never */
    double masked;  /* that there is a feature mask … */
    double used;    /* … and that a feature is in it */
} hs_problem_chances;

/* Takes the data set. The training part may lack a class, or be empty. */
void hs_problem_new(hs_problem *p, hs_stream *stream, hsel_dataset *data,
                    const hs_problem_chances *chances);
void hs_problem_free(hs_problem *p);

/* The features that an instance is predicted on. */
typedef struct hs_picked {
    bool selected[PROBLEM_MOST];
    hs_selection selection; /* with room for the features of the problem */
    bool all;               /* no selection is given */
} hs_picked;

void hs_picked_init(hs_picked *c, const hs_problem *p);
void hs_picked_clear(hs_picked *c);
/* Some of the positive features in use, and some or all of the others. Returns the selection to
 * predict with: with the chance `all` NULL, for all features. */
const hs_selection *hs_pick(hs_picked *c, const hs_problem *p, uint32_t instance, double all,
                            hs_stream *stream);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random training part for tests of rankers: features of every type and of every awkward kind
 * (ties, constants, columns of zeros, missing and infinite values), some rows in random order, some
 * features, some rows without class; and the same as plain lists for slow twins.
 */
#ifndef HS_TESTS_RANK_WORLD_H
#define HS_TESTS_RANK_WORLD_H

#include <stdbool.h>

#include "core/random.h"
#include "data/training.h"
#include "rank/ordered.h"

#define RANK_ROWS     60
#define RANK_FEATURES 20

/* The threshold of a cut after a group: halfway to the next value. */
static inline double hs_cut_value(const hs_ordered *ordered, uint32_t group)
{
    return (ordered->value[group] + ordered->value[group + 1]) / 2;
}

typedef struct hs_rank_world {
    hsel_dataset *data;
    uint32_t row[RANK_ROWS];
    uint64_t mask;
    hs_counts counts;
    hs_training training;
    /* the twin's view: training rows with a class, in their order */
    uint32_t rows, features, classes;
    double x[RANK_FEATURES][RANK_ROWS]; /* NaN: missing; nominal: the code */
    uint32_t label[RANK_ROWS];
} hs_rank_world;

typedef enum hs_rank_kind {
    HS_RANK_ANY,
    HS_RANK_FINITE,
    HS_RANK_PLAIN,
    HS_RANK_BINARY
} hs_rank_kind;

/* 2 to 4 classes. Finite: no infinities; plain: no nominal features and nothing missing either. */
void hs_rank_world_draw(hs_stream *stream, hs_rank_kind kind, hs_rank_world *world);
void hs_rank_world_free(hs_rank_world *world);
/* Scores of one ranker; features outside the mask get NaN. Fails the test if ranking does. */
void hs_rank_world_score(const hs_rank_world *world, const char *ranker, double *score);

#endif

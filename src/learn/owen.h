/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owen values along a hierarchy: the contribution of each player to the worth of all, when players
 * are parts of a forest. A part is a player with the parts below it; its members come one right
 * after another, so the average is over the orders in which every part stands together
 * (docs/explanations.md). Exact where that takes few evaluations, else from sampled orders.
 */
#pragma once

#include "data/data.h"

#define HS_OWEN_BATCH 64 /* maximum number of sets evaluated at once */

typedef struct hs_game {
    uint32_t players;
    const uint32_t *up; /* [players]: the player above, HSEL_NONE: none */
    /* What `count` sets of players are worth against background `draw`, into out[count]. Each is
     * hs_bit_words(players) words; bit i: player i. */
    int (*worth)(void *context, int worker, uint32_t draw, const uint64_t *sets, uint32_t count,
                 double *out, hsel_error *error);
    void *context;
    uint32_t draws; /* backgrounds, over which the worth of a set is the mean; at least 1 */
    uint32_t pairs; /* of orders to be sampled (an order and its reverse) where the exact values
                       take too long; 0: as many as about 20,000 evaluations have time for. Rounded
                       up to a multiple of the backgrounds, each of which gets as many */
    uint64_t seed;
    int threads;
    const hs_progress *progress; /* may be NULL */
} hs_game;

/* Owen values into value[players], their standard errors (all 0: exact) into error_of[players]; the
 * worth of the empty set and of all. The values add up to the difference of the two. Returns in
 * *pairs how many were sampled; 0: none, the values are exact. */
HSEL_CHECKED int hs_owen_values(const hs_game *game, double *nobody, double *all, double *value,
                                double *error_of, uint32_t *pairs, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which features stand above or below each other in the hierarchy, and how much they say about each
 * other (symmetric uncertainty, on the training part). Worked out once for a search.
 *
 * For a set, hs_kin holds of every feature how many of its relatives are in the set, and the sum of
 * their uncertainties with it. It is brought up to date feature by feature as the set changes:
 * whole numbers, so that it does not matter in which order.
 */
#ifndef HS_SEARCH_RELATIVES_H
#define HS_SEARCH_RELATIVES_H

#include "data/training.h"

#define HS_KIN_UNIT 31 /* uncertainties are multiples of 2^-31 */

typedef struct hs_relatives { /* zero-initialise; hs_relatives_clear frees */
    uint32_t features;
    size_t *start;    /* [features + 1]: relatives of a feature … */
    uint32_t *item;   /* … each ancestor and descendant once, in no particular order */
    uint32_t *weight; /* symmetric uncertainty of the two; NULL: not asked for */
} hs_relatives;

/* Ancestors and descendants in the whole hierarchy, of which those outside the view's mask are left
 * out. O(pairs); with uncertainties O(sum of squares of the rows) as well. */
HSEL_CHECKED int hs_relatives_init(const hs_training *training, bool weights, hs_relatives *out,
                                   hsel_error *error);
void hs_relatives_clear(hs_relatives *relatives);

/* Lies in memory that the caller has: hs_kin_bytes of them, all zero for the empty set. */
typedef struct hs_kin {
    uint64_t *sum;   /* [features]; NULL: no uncertainties */
    uint32_t *count; /* [features] */
} hs_kin;

size_t hs_kin_bytes(const hs_relatives *relatives); /* a multiple of 8 */
hs_kin hs_kin_at(const hs_relatives *relatives, void *memory);
/* The feature joins the set, or leaves it. */
void hs_kin_flip(const hs_relatives *relatives, hs_kin kin, uint32_t feature, bool joins);

#endif

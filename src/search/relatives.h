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

/* A number for each feature: how many of its relatives are in the set, above HS_KIN_BITS bits for
 * the sum of their uncertainties, in multiples of 2^-HS_KIN_UNIT. One addition brings both up to
 * date. */
#define HS_KIN_UNIT 20
#define HS_KIN_BITS 44

typedef struct hs_relatives { /* zero-initialise; hs_relatives_clear frees */
    uint32_t features;
    size_t *start;    /* [features + 1]: relatives of a feature … */
    uint32_t *item;   /* … each ancestor and descendant once, in no particular order */
    uint64_t *weight; /* what each adds to the kin of the other; NULL: 1 in the count */
} hs_relatives;

/* Ancestors and descendants in the whole hierarchy, of which those outside the view's mask are left
 * out. O(pairs); with uncertainties O(sum of squares of the rows) as well. HSEL_ELIMIT: a feature
 * has more than a million relatives. */
HSEL_CHECKED int hs_relatives_init(const hs_training *training, bool weights, hs_relatives *out,
                                   hsel_error *error);
void hs_relatives_clear(hs_relatives *relatives);

/* [features], all zero for the empty set; lies in memory that the caller has. */
typedef uint64_t *hs_kin;

static inline uint64_t hs_kin_count(uint64_t kin) { return kin >> HS_KIN_BITS; }
static inline uint64_t hs_kin_sum(uint64_t kin) { return kin & ((UINT64_C(1) << HS_KIN_BITS) - 1); }

/* The feature joins the set, or leaves it. */
void hs_kin_flip(const hs_relatives *relatives, hs_kin kin, uint32_t feature, bool joins);

#endif

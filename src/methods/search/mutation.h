/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mutations of the genetic search: which features join or leave a set.
 *
 * bitwise: each with probability sp. she: a selected feature with a selected relative leaves with
 * probability bp; every other feature joins or leaves with sp. cbhe (correlation-based): a selected
 * feature leaves with the mean symmetric uncertainty between it and its selected relatives as
 * probability, never if it has none; one that is not selected joins with sp.
 *
 * simultaneous: all conditions are those of the set before the mutation. sequential: features
 * ascending, each on the set after the changes before it.
 *
 * Relatives of a feature are its ancestors and descendants; their association is the symmetric
 * uncertainty on the training part. Both are computed once for a search. For a set there is a
 * tally: of every feature how many of its relatives are in the set, and the sum of their
 * uncertainties with it. It is updated feature by feature as the set changes, in whole numbers, so
 * the order does not matter.
 */
#pragma once

#include "data/data.h"

/* A tally is [features] numbers, all zero for the empty set: how many relatives are in the set,
 * above HS_TALLY_BITS bits for the sum of their uncertainties, in multiples of 2^-HS_TALLY_UNIT.
 * One addition brings both up to date. */
#define HS_TALLY_UNIT 20
#define HS_TALLY_BITS 44

typedef struct hs_relatives { /* zero-initialise; hs_relatives_clear frees */
    hs_sparse side[2];        /* ancestors of each feature, in no particular order; descendants */
    uint64_t *weight[2];      /* what each adds to the tally of the other; NULL: 1 in the count */
} hs_relatives;

/* Ancestors and descendants in the whole hierarchy, of which those outside the view's mask are left
 * out. O(pairs); with uncertainties O(sum of squares of the rows) as well. HSEL_ELIMIT: a feature
 * has more than a million relatives. hs_relatives_clear also after a failure. */
HSEL_CHECKED int hs_relatives_init(const hs_training *training, bool weights, hs_relatives *out,
                                   hsel_error *error);
void hs_relatives_clear(hs_relatives *relatives);

static inline uint64_t hs_tally_count(uint64_t tally) { return tally >> HS_TALLY_BITS; }
static inline uint64_t hs_tally_sum(uint64_t tally)
{
    return tally & ((UINT64_C(1) << HS_TALLY_BITS) - 1);
}

/* The feature joins the set, or leaves it. */
void hs_relatives_flip(const hs_relatives *relatives, uint64_t *tally, uint32_t feature,
                       bool joins);

typedef enum hs_mutation_kind {
    HS_MUTATION_BITWISE,
    HS_MUTATION_SHE,
    HS_MUTATION_CBHE
} hs_mutation_kind;

/* A probability as a 64-bit threshold; 1 is `always`. */
typedef struct hs_chance {
    uint64_t threshold;
    bool always;
} hs_chance;

typedef struct hs_mutation {
    hs_mutation_kind kind;
    bool sequential;
    hs_chance sp, bp;
    const uint64_t *usable; /* features that may change */
    size_t words;
    const hs_relatives *relatives; /* NULL for bitwise */
} hs_mutation;

hs_chance hs_chance_of(double probability);
/* For each of 64 lanes independently: where `which` is set with probability `one`, elsewhere with
 * `other`, in lanes of `alive` only. Exact: as many random bits as the comparison takes. */
uint64_t hs_chance_lanes(hs_stream *stream, uint64_t alive, uint64_t which, hs_chance one,
                         hs_chance other);

/* Into flips[words]: the features that join or leave. The tally belongs to `set`; sequential
 * updates it, so that it then belongs to the set after the mutation. */
void hs_mutate(const hs_mutation *mutation, hs_stream *stream, const uint64_t *set, uint64_t *tally,
               uint64_t *flips);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mutations of the genetic search: which features of a set change sides.
 *
 * bitwise: each with probability sp.
 * she: a selected feature with a selected ancestor or
 * descendant leaves with probability bp; each other changes sides with sp. cbhe
 * (correlation-based): a selected feature leaves with the mean symmetric uncertainty between it and
 * its selected ancestors and descendants as probability, never if it has none; one that is not
 * selected joins with sp.
 *
 * simultaneous: all conditions are those of the set before the mutation. sequential: features
 * ascending, each on the set as the ones before have left it.
 */
#ifndef HS_SEARCH_MUTATION_H
#define HS_SEARCH_MUTATION_H

#include "core/random.h"
#include "search/relatives.h"

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

/* Into flips[words]: the features that change sides. `kin` belongs to `set`; sequential changes it
 * along, so that it belongs to the set after the mutation then. */
void hs_mutate(const hs_mutation *mutation, hs_stream *stream, const uint64_t *set, hs_kin kin,
               uint64_t *flips);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training rows as bits on a set of candidates that changes step by step: what a search over sets
 * needs to compare instances. A member has a bit of its own in every row, given when it joins and
 * given back when it leaves, so rows stay as short as the greatest set so far.
 */
#ifndef HS_SELECT_PROJECTION_H
#define HS_SELECT_PROJECTION_H

#include "data/bits.h"
#include "select/eager.h"

typedef struct hs_projection {       /* zero-initialise; hs_projection_clear frees */
    uint32_t rows, candidates, size; /* size: members */
    uint32_t *label;                 /* [rows]: class */
    uint32_t *ones;                  /* [rows]: members that are positive */
    uint32_t *slot;                  /* [candidates]: bit of a member; HSEL_NONE: not a member */
    hs_sparse column;                /* candidate -> rows in which it is positive */
    uint64_t *bits;
    size_t stride, used;        /* words per row, and how many of them have ever been in use */
    uint32_t *spare, spares;    /* bits to give out, lowest on top at first */
    uint32_t *changed, changes; /* rows that a change touches; valid until the next is noted */
    bool *touched;              /* [rows]: is in `changed` */
    hs_arena memory;            /* of all arrays */
} hs_projection;

/* The labelled training rows on no candidate at all. */
HSEL_CHECKED int hs_projection_init(hs_projection *projection, const hs_candidates *candidates,
                                    hsel_error *error);
void hs_projection_clear(hs_projection *projection);

/* Makes a candidate a member, or a member none. O(its positives). Doing the same candidates again
 * in the opposite order takes everything back. */
void hs_projection_toggle(hs_projection *projection, uint32_t candidate);
/* Notes the rows in which one of the candidates is positive: no others differ after toggling. */
void hs_projection_note(hs_projection *projection, const uint32_t *candidates, uint32_t count);

static inline bool hs_projection_has(const hs_projection *p, uint32_t candidate)
{
    return p->slot[candidate] != HSEL_NONE;
}

/* Members that are positive in both rows. */
static inline uint32_t hs_projection_shared(const hs_projection *p, uint32_t a, uint32_t b)
{
    return (uint32_t)hs_bits_count_and(p->bits + a * p->stride, p->bits + b * p->stride, p->used);
}

/* Members whose values differ. */
static inline uint32_t hs_projection_distance(const hs_projection *p, uint32_t a, uint32_t b)
{
    return p->ones[a] + p->ones[b] - 2 * hs_projection_shared(p, a, b);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training rows on a set of candidates that changes step by step: what a search over sets needs to
 * compare instances. One row is compared with all at a time, through the columns of the members
 * that are positive in it.
 */
#ifndef HS_SELECT_PROJECTION_H
#define HS_SELECT_PROJECTION_H

#include "core/arena.h"
#include "core/sparse.h"
#include "select/eager.h"

typedef struct hs_projection {       /* zero-initialise; hs_projection_clear frees */
    uint32_t rows, candidates, size; /* size: members */
    uint32_t *label;                 /* [rows]: class */
    uint32_t *ones;                  /* [rows]: members that are positive */
    bool *member;                    /* [candidates] */
    hs_sparse column, row;       /* candidate -> rows in which it is positive; row -> candidates */
    uint32_t *shared;            /* [rows]: of hs_projection_share … */
    uint32_t *sharing, sharings; /* … and the rows where it is not 0, in no order */
    uint32_t *changed, changes;  /* rows that a change touches; valid until the next is noted */
    bool *touched;               /* [rows]: is in `changed` */
    hs_arena memory;             /* of all arrays */
} hs_projection;

/* The labelled training rows on no candidate at all. */
HSEL_CHECKED int hs_projection_init(hs_projection *projection, const hs_candidates *candidates,
                                    hsel_error *error);
void hs_projection_clear(hs_projection *projection);

/* Makes a candidate a member, or a member none. O(its positives). */
void hs_projection_toggle(hs_projection *projection, uint32_t candidate);
/* Notes the rows in which one of the candidates is positive: no others differ after toggling. */
void hs_projection_note(hs_projection *projection, const uint32_t *candidates, uint32_t count);
/* Of each row: members that are positive both there and in `row`. O(positives of the members that
 * are positive in `row`). */
const uint32_t *hs_projection_share(hs_projection *projection, uint32_t row);

static inline bool hs_projection_has(const hs_projection *p, uint32_t candidate)
{
    return p->member[candidate];
}

/* Members whose values differ between two rows that share this many. */
static inline uint32_t hs_projection_distance(const hs_projection *p, uint32_t a, uint32_t b,
                                              uint32_t shared)
{
    return p->ones[a] + p->ones[b] - 2 * shared;
}

#endif

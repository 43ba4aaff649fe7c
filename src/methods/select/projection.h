/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training rows restricted to a set of candidates that changes step by step, for searches that
 * compare instances. One row is compared with all others through the columns of the members that
 * are not 0 in it. Values of binary features are 1, and all sums of them exact.
 */
#pragma once

#include "select/eager.h"

typedef struct hs_projection {       /* zero-initialise; hs_projection_clear frees */
    uint32_t rows, candidates, size; /* size: members */
    uint32_t *label;                 /* [rows]: class */
    double *squares;                 /* [rows]: of the members' values, added up */
    bool *member;                    /* [candidates] */
    hs_sparse column, row;           /* candidate -> rows in which it is not 0; row -> candidates */
    double *in_column, *in_row;      /* the values, in the order of these lists */
    double *shared;             /* [rows]: of hs_projection_share; NULL if all values are 1 … */
    hs_tally counts;            /* … and so these are counts */
    uint32_t *changed, changes; /* rows that a change touches; valid until the next is noted */
    bool *touched;              /* [rows]: is in `changed` */
    double *before;             /* [rows]: squares of these when they were noted */
    uint32_t *members;          /* [candidates]: those of a row */
    hs_arena memory;            /* of the arrays */
} hs_projection;

/* The labelled training rows on no candidate at all. HSEL_EUSAGE: a value is missing, or nominal.
 */
HSEL_CHECKED int hs_projection_init(hs_projection *projection, const hs_candidates *candidates,
                                    hsel_error *error);
void hs_projection_clear(hs_projection *projection);

/* Adds a candidate to the members, or removes it. O(its values). */
void hs_projection_toggle(hs_projection *projection, uint32_t candidate);
/* Notes the rows in which one of the candidates is not 0: no others differ after toggling. */
void hs_projection_note(hs_projection *projection, const uint32_t *candidates, uint32_t count);
/* Compares `row` with all. O(rows + values of the members that are not 0 in `row`). */
void hs_projection_share(hs_projection *projection, uint32_t row);
/* After that: the sum of the products of the values of `other` and those of the row; of binary
 * members, how many are positive in both. */
static inline double hs_projection_shared(const hs_projection *p, uint32_t other)
{
    return p->shared ? p->shared[other] : p->counts.sum[other];
}

static inline bool hs_projection_has(const hs_projection *p, uint32_t candidate)
{
    return p->member[candidate];
}

/* The square of the distance of two rows that share this much: of binary members, how many differ.
 */
static inline double hs_projection_distance(const hs_projection *p, uint32_t a, uint32_t b,
                                            double shared)
{
    const double square = p->squares[a] + p->squares[b] - 2 * shared;
    return square > 0 ? square : 0;
}

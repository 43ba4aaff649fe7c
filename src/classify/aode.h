/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of AODE and its two hierarchical forms (aode.c), for tests. It is kept in whole
 * numbers: how often two features are positive together in each class. All other counts of a pair
 * follow from these, and every logarithm is that of a whole number plus a constant, so it comes
 * from a table. Features in use are numbered 0 … n-1 here ("places").
 *
 * Invariants: rows stand by class; columns mirror them; slot[i] is the place of feature i's row of
 * joint counts in `table`, or HSEL_NONE: then it is counted when it is needed, with the same
 * result.
 */
#ifndef HS_CLASSIFY_AODE_H
#define HS_CLASSIFY_AODE_H

#include "classify/classify.h"

typedef enum hs_aode_form { HS_AODE_PLAIN, HS_AODE_HIE, HS_AODE_LITE } hs_aode_form;
typedef enum hs_aode_smoothing { HS_AODE_LAPLACE, HS_AODE_M_ESTIMATE } hs_aode_smoothing;

typedef struct hs_aode_options {
    hs_adjust_options adjust; /* comes first */
    uint32_t frequency;
    int smoothing;
    double weight, memory;
} hs_aode_options;

typedef struct hs_aode {
    hs_aode_form form;
    hs_aode_options options;
    uint32_t features;         /* of the data */
    uint32_t n, classes;       /* features in use */
    uint32_t *place, *feature; /* [features]: place or HSEL_NONE; [n]: back */
    uint32_t *class_start;     /* [K + 1]: rows of class y are class_start[y] … */
    uint32_t *class_of;        /* [rows] */
    hs_sparse rows, columns;   /* training instances with a class, by places */
    uint32_t *positive;        /* [K * n]: n(y, x_i = 1) */
    uint8_t *may_be_parent;    /* [2 * n]: by value, then place */
    double *log_pair;          /* [k]: log(k + numerator's constant), of n(y, x_i, x_j) */
    double *log_total;         /* [k]: log(k + denominator's constant), of n(y, x_i) and n(y) */
    double *log_parent;        /* [k]: log(k + constant), of n(y, x_i) in P(y, x_i) */
    double *base;        /* [2 * K * n]: by value of i, class, i: every other feature negative */
    hs_sparse below;     /* descendants of each feature; no lists in the plain form */
    uint32_t *ancestors; /* [n]: number of them; all 0 in the plain form */
    bool wide;           /* joint counts have 4 bytes, not 2 */
    double least;        /* bytes of all but the table, at most */
    uint32_t kept;       /* rows of joint counts in the table */
    uint32_t *slot;      /* [n] */
    void *table;         /* [kept * K * n] */
    uint64_t *bits;      /* [n * words]: columns as bits, each class on whole words; NULL: lists */
    size_t words, *class_word; /* [K + 1] */
} hs_aode;

static inline uint32_t hs_aode_class_size(const hs_aode *m, uint32_t y)
{
    return m->class_start[y + 1] - m->class_start[y];
}

static inline size_t hs_aode_row_cells(const hs_aode *m) { return (size_t)m->classes * m->n; }
static inline size_t hs_aode_cell_bytes(const hs_aode *m) { return m->wide ? 4 : 2; }

#endif

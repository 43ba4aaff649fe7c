/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of AODE and its two hierarchical forms (aode.c), for tests. It consists of whole
 * numbers: how often two features are positive together in each class. All other counts of a pair
 * follow from these, and every logarithm is that of a whole number plus a constant, so it comes
 * from a table. Features in use are numbered 0 … n-1 ("places").
 *
 * Features that are positive in the same instances of a class have the same counts with all others
 * in it and form one unit of the class. Units are numbered by falling count; those with more
 * instances than a byte holds come first ("wide").
 *
 * Invariants: rows are sorted by class; row_at[u] is the place of the joint counts of unit u in
 * `table`, or HS_AODE_NOT_KEPT: then they are counted when needed, with the same result.
 */
#pragma once

#include "classify/classify.h"

typedef enum hs_aode_form { HS_AODE_PLAIN, HS_AODE_HIE, HS_AODE_LITE } hs_aode_form;
typedef enum hs_aode_smoothing { HS_AODE_LAPLACE, HS_AODE_M_ESTIMATE } hs_aode_smoothing;

typedef struct hs_aode_options {
    hs_adjust_options adjust; /* comes first */
    uint32_t frequency;
    int smoothing;
    double weight, memory;
} hs_aode_options;

typedef struct hs_aode_class {
    uint32_t first, size;   /* its rows are first … first + size - 1 */
    uint32_t unit, units;   /* its units are unit … unit + units - 1 of all */
    uint32_t wide;          /* the first of them, with more than 255 instances */
    uint32_t share, shares; /* where its units start in `shared`, and how many they are */
    size_t lane;            /* where its units start in `without` */
} hs_aode_class;

#define HS_AODE_NOT_KEPT UINT64_MAX

typedef struct hs_aode {
    hs_aode_form form;
    hs_aode_options options;
    uint32_t features;         /* of the data */
    uint32_t n, classes;       /* features in use */
    uint32_t *place, *feature; /* [features]: place or HSEL_NONE; [n]: back */
    uint32_t *class_start;     /* [K + 1]: rows of class y are class_start[y] … */
    hs_sparse rows;            /* training instances with a class, by places */
    uint32_t *positive;        /* [K * n]: n(y, x_i = 1) */
    uint8_t *may_be_parent;    /* [2 * n]: by value, then place */
    double *log_pair;          /* [k]: log(k + numerator's constant), of n(y, x_i, x_j) */
    double *log_total;         /* [k]: log(k + denominator's constant), of n(y, x_i) and n(y) */
    double *log_parent;        /* [k]: log(k + constant), of n(y, x_i) in P(y, x_i) */
    double added;              /* numerator's constant */
    /* [2 * K * n]: by value of i, class, i: the logarithm for parent i with all others negative; in
     * the hierarchical forms, for a negative i, with `usual` ancestors positive. */
    double *base;
    uint32_t *usual, usuals; /* features positive in most instances; none in the plain form */
    hs_sparse above, below;  /* ancestors and descendants; none in the plain form */
    /* [K * pairs] each: the change for parent i when its ancestor j is positive. */
    double *of_negative; /* i, in the order of `below` */
    double *of_positive; /* i, in the order of `above` */

    hs_aode_class *of_class; /* [K] */
    uint32_t units;          /* of all classes */
    uint32_t *unit;          /* [K * n]: unit of a feature, from 0 in each class */
    hs_sparse members;       /* features of each unit */
    hs_sparse unit_rows;     /* units of each row, from 0 in its class, ascending */
    hs_sparse unit_columns;  /* rows of each unit */
    uint32_t *count;         /* [units]: their instances */
    uint32_t *shared;        /* units of more than one feature */
    double *without;         /* [units, each class with room at the end]: other instances */
    double least;            /* bytes of all but the table, at most */
    double all_rows;         /* bytes of a table of all rows */
    uint32_t kept;           /* rows of joint counts in the table */
    uint64_t *row_at;        /* [units] */
    char *table;
    double *log_weight; /* [K]: of the classes */
} hs_aode;

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF weights of features of any type, for the rankers and for the selector of that name. The
 * parts that its files share: instances by position, neighbours, and the pairs that weights are
 * made of.
 */
#ifndef HS_RANK_RELIEF_H
#define HS_RANK_RELIEF_H

#include "data/training.h"

/* Which of equally near neighbours are taken: as WEKA does on instances in their own order, or on
 * training parts in the order of the fold scheme (outside of cross-validation there is none). */
typedef enum hs_relief_order { HS_RELIEF_BY_INDEX, HS_RELIEF_BY_FOLDS } hs_relief_order;

typedef struct hs_relief_options {
    uint32_t k, sigma;
    bool weight;
    int order; /* hs_relief_order */
} hs_relief_options;

/* Sets weight[i] of features[i], i < count. The same weights at any number of threads. */
HSEL_CHECKED int hs_relief_weights(const hs_training *training, const hs_relief_options *options,
                                   const uint32_t *features, uint32_t count, double *weight,
                                   hsel_error *error);

/* ---- shared by relief*.c ---- */

/* An instance and one of its neighbours; `share` is what their differences count. */
typedef struct hs_relief_pair {
    uint32_t own, other;
    double share;
} hs_relief_pair;

/* Instances have positions: class after class, within a class in the order asked for. */
typedef struct hs_relief {
    const hs_training *training;
    const hs_relief_options *options;
    const uint32_t *features; /* [feature_count] */
    uint32_t feature_count;
    double *weight;          /* [feature_count] */
    uint32_t count, classes; /* training instances with a class; classes */
    uint32_t *class_start;   /* [classes + 1]: positions */
    uint32_t *slot_start;    /* [classes + 1]: slots for neighbours */
    uint32_t *position;      /* [count]: of each instance in the order asked for */
    uint32_t *row;           /* [count]: the instance at each position */
    int threads;
    uint32_t kept;         /* instances whose neighbours are kept at a time: all, or a batch */
    uint32_t batch;        /* instances whose pairs are counted at a time, at most */
    uint32_t batch_start;  /* the batch at hand: instances in the order asked for */
    uint32_t *stored;      /* [kept * classes]: neighbours that were found */
    uint32_t *farthest;    /* [kept * classes]: the first slot of the farthest, if all are filled */
    uint32_t *neighbour;   /* [kept * slots]: their positions */
    double *distance;      /* [kept * slots] */
    hs_relief_pair *pairs; /* [batch * slots] */
    double *rank_weight;   /* [k], with weight */
    uint32_t *sorted;      /* [k], with weight */
} hs_relief;

/* Offers the place'th kept instance a neighbour of class k that is nearer than the farthest it has,
 * or any while slots are free; positions must come in ascending order. Returns the distance from
 * which on there is no use in offering: NaN while slots are free. */
double hs_relief_offer(const hs_relief *r, size_t place, uint32_t k, uint32_t position,
                       double distance);
/* All neighbours of the instance at position `own`, from its distances to all positions. */
void hs_relief_neighbours(const hs_relief *r, uint32_t own, size_t place, const double *distance);
/* The pairs of an instance in WEKA's order, into `pairs`; returns how many. */
uint32_t hs_relief_pairs(const hs_relief *r, uint32_t own, size_t place, hs_relief_pair *pairs);
/* Adds up all weights, which come as 0: for binary features only, for features of any type. */
HSEL_CHECKED int hs_relief_binary(hs_relief *r, hsel_error *error);
HSEL_CHECKED int hs_relief_mixed(hs_relief *r, hsel_error *error);

#endif

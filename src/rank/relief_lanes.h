/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of ReliefF for columns whose differences are |a - b|: HS_RELIEF_LANES columns at
 * a time, each sum in the order of columns (distances) or of pairs (weights).
 */
#ifndef HS_RANK_RELIEF_LANES_H
#define HS_RANK_RELIEF_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HS_RELIEF_LANES = 16,  /* columns at a time; missing ones are 0 */
    HS_RELIEF_VECTOR = 16, /* values at a time; a multiple of them is there */
};

/* An instance and one of its neighbours, by position; `share` is what their differences count. */
typedef struct hs_relief_pair {
    uint32_t own, other;
    double share;
} hs_relief_pair;

/* Distances of some instances (rows) to some others (columns of the tile). */
typedef struct hs_relief_tile {
    uint32_t rows, columns;
    uint32_t first;   /* position of the first column */
    bool triangle;    /* row i need only go with columns from i on */
    size_t stride;    /* of distance and values */
    double *distance; /* [rows * stride] */
    double *values;   /* [HS_RELIEF_LANES * stride]: of the others, column after column */
    double *own;      /* [rows * HS_RELIEF_LANES]: of the rows, instance after instance */
} hs_relief_tile;

/* values = (values - least) / range; range > 0. */
void hs_relief_scale(double *values, size_t count, double least, double range);
/* distance += |own - value| of each column in turn. */
void hs_relief_add_lanes(const hs_relief_tile *tile);
/* sum[lane] += share * |difference| of each pair in turn; lanes: [position * HS_RELIEF_LANES]. */
void hs_relief_weigh_lanes(const hs_relief_pair *pairs, uint32_t count, const double *lanes,
                           double *sum);

#endif

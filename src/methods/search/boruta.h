/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The decisions of boruta from the importance of features and of their shadows, run by run.
 */
#pragma once

#include <stdint.h>

#define HS_BORUTA_FEWEST_SHADOWS    5
#define HS_BORUTA_COLUMNS(features) (2 * (features) + 2 * HS_BORUTA_FEWEST_SHADOWS)

typedef enum hs_boruta_fate {
    HS_BORUTA_TENTATIVE,
    HS_BORUTA_CONFIRMED,
    HS_BORUTA_REJECTED
} hs_boruta_fate;

typedef struct hs_boruta {
    uint32_t features, runs; /* runs so far */
    double alpha;
    uint32_t *hits;       /* [features] */
    hs_boruta_fate *fate; /* [features] */
} hs_boruta;

/* The columns of the next run, as features: those not rejected, which are counted, and then the
 * features of the shadows, up to `count`, at most HS_BORUTA_COLUMNS(features). */
uint32_t hs_boruta_columns(const hs_boruta *b, uint32_t *column, uint32_t *count);
/* Updates the state by the z of these columns; returns how many features this confirmed or
 * rejected. */
uint32_t hs_boruta_judge(hs_boruta *b, const uint32_t *column, uint32_t real, uint32_t count,
                         const double *z);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What boruta decides by the importance of features and of their shadows, run by run.
 */
#ifndef HS_SEARCH_BORUTA_H
#define HS_SEARCH_BORUTA_H

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

/* The columns of the next run, as features: those not rejected, which are counted, and then what
 * the shadows are of, up to `count`, at most HS_BORUTA_COLUMNS(features). */
uint32_t hs_boruta_columns(const hs_boruta *b, uint32_t *column, uint32_t *count);
/* Takes the z of these columns; returns how many features were confirmed or rejected by it. */
uint32_t hs_boruta_judge(hs_boruta *b, const uint32_t *column, uint32_t real, uint32_t count,
                         const double *z);

#endif

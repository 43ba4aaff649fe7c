/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conformal selection (Jin, Candès 2023, JMLR 24(244)): candidates are selected with a bound on the
 * false discovery rate, by comparing their scores with those of calibration instances that are
 * known to be negative.
 *
 * The conformal p-value of a candidate with score s among m calibration negatives is
 * (1 + negatives with a score of at least s) / (1 + m); ties count against the candidate. With
 * `randomised`, negatives of equal score and the candidate itself count by a uniform random share,
 * so that p-values of scores with many ties are exactly uniform. The procedure of Benjamini and
 * Hochberg at level q then selects. The false discovery rate is at most q if the negatives among
 * the candidates and the calibration negatives are exchangeable, and no score depends on which of
 * them are which.
 */
#pragma once

#include "data/data.h"

typedef struct hs_conformal {
    const double *negative; /* [negatives]: scores of calibration negatives; NaN: above all */
    uint32_t negatives;
    const double *score; /* [count]: scores of candidates, higher is more positive; NaN: p is 1 */
    uint32_t count;
    double level; /* q, more than 0 and at most 1 */
    bool randomised;
    uint64_t seed;
} hs_conformal;

/* Sets p[count], and for each candidate whether it is selected and the smallest level at which it
 * is. O((negatives + count) log negatives). HSEL_EUSAGE: no calibration negatives. */
HSEL_CHECKED int hs_conformal_select(const hs_conformal *conformal, double *p, double *adjusted,
                                     bool *selected, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large an association is, with its 95 % confidence interval.
 */
#pragma once

#include "infer/tests.h"

/* NaN: there is none. */
typedef struct hs_effect {
    double value, low, high;
} hs_effect;

/* The odds ratio of class `one` against the rest, positive against negative: a d / (b c) with
 * Woolf's interval; of several strata that of Mantel and Haenszel with the interval of Robins,
 * Breslow and Greenland. A count of 0 in a single table: 1/2 is added to all four, for both. In
 * strata it may be 0 or infinite, without an interval. The table of stratum s begins at
 * positive[s * classes] and size[s * classes]. */
hs_effect hs_odds_ratio(const hs_count_table *table, uint32_t strata, uint32_t one);
/* The difference of means, class `one` less the rest, with Welch's interval. Missing values are
 * left out; without two values on either side there is no interval. */
hs_effect hs_mean_difference(const double *values, const uint32_t *class_of, uint32_t count,
                             uint32_t one);

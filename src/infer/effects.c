/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Odds ratios and differences of means.
 */
#define MATHLIB_STANDALONE
#include "infer/effects.h"

#include <Rmath.h>

static const hs_effect nothing = {(double)NAN, (double)NAN, (double)NAN};

hs_effect hs_odds_ratio(const hs_count_table *table, uint32_t strata, uint32_t one)
{
    double r = 0, s = 0, pr = 0, mixed = 0, qs = 0, least = INFINITY;
    for (uint32_t k = 0; k < strata; k++) {
        double cell[4] = {
            0}; /* class and positive, class and not, rest and positive, rest and not */
        for (uint32_t c = 0; c < table->classes; c++) {
            const size_t at = (size_t)k * table->classes + c;
            cell[c == one ? 0 : 2] += table->positive[at];
            cell[c == one ? 1 : 3] += table->size[at] - table->positive[at];
        }
        for (int i = 0; i < 4; i++)
            least = fmin(least, cell[i]);
        for (int i = 0; i < 4 && strata == 1 && least == 0; i++)
            cell[i] += 0.5;
        const double all = cell[0] + cell[1] + cell[2] + cell[3];
        if (all == 0)
            continue;
        const double same = (cell[0] + cell[3]) / all, other = (cell[1] + cell[2]) / all,
                     up = cell[0] * cell[3] / all, down = cell[1] * cell[2] / all;
        r += up;
        s += down;
        pr += same * up;
        mixed += same * down + other * up;
        qs += other * down;
    }
    if (r == 0 && s == 0)
        return nothing;
    hs_effect effect = {r / s, (double)NAN, (double)NAN};
    if (r > 0 && s > 0) {
        const double se = sqrt(pr / (2 * r * r) + mixed / (2 * r * s) + qs / (2 * s * s)),
                     z = qnorm(0.975, 0, 1, 1, 0);
        effect.low = effect.value * exp(-z * se);
        effect.high = effect.value * exp(z * se);
    }
    return effect;
}

hs_effect hs_mean_difference(const double *values, const uint32_t *class_of, uint32_t count,
                             uint32_t one)
{
    double n[2] = {0}, mean[2] = {0}, squares[2] = {0}, part[2];
    for (uint32_t i = 0; i < count; i++) {
        const int side = class_of[i] != one;
        if (isnan(values[i]) || class_of[i] == HSEL_NONE)
            continue;
        const double off = values[i] - mean[side];
        mean[side] += off / ++n[side];
        squares[side] += off * (values[i] - mean[side]);
    }
    if (n[0] == 0 || n[1] == 0)
        return nothing;
    hs_effect effect = {mean[0] - mean[1], (double)NAN, (double)NAN};
    for (int side = 0; side < 2; side++)
        part[side] = squares[side] / (n[side] - 1) / n[side];
    const double variance = part[0] + part[1];
    if (n[0] < 2 || n[1] < 2 || !(variance > 0))
        return effect;
    const double freedom = variance * variance /
                           (part[0] * part[0] / (n[0] - 1) + part[1] * part[1] / (n[1] - 1)),
                 reach = qt(0.975, freedom, 1, 0) * sqrt(variance);
    effect.low = effect.value - reach;
    effect.high = effect.value + reach;
    return effect;
}

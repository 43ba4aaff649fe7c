/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of values over folds, and of values of bootstrap samples. Of libRmath only distribution
 * functions that neither print nor exit are used.
 */
#define MATHLIB_STANDALONE 1
#include "stats/interval.h"

#include <Rmath.h>

#include "stats/running.h"

#define TAIL 0.025

static double value_at(const double *value, const double *other, size_t at)
{
    return value[at] - (other ? other[at] : 0);
}

/* Is there anything to make an interval from? */
static bool varies(const hs_running *values, const double *other)
{
    return values->count > 1 && (other || values->squares > 0);
}

hs_interval hs_interval_of_folds(const double *value, const double *other, size_t step,
                                 uint32_t count, double estimate, double test_to_train)
{
    hs_interval out = {.low = NAN, .high = NAN};
    hs_running values = {0};
    for (uint32_t i = 0; i < count; i++)
        hs_running_add_known(&values, value_at(value, other, i * step));
    out.values = values.count;
    out.missing = count - values.count;
    if (!varies(&values, other))
        return out;
    const double half = qt(TAIL, values.count - 1, 0, 0) * hs_running_sd(&values) *
                        sqrt(1.0 / values.count + test_to_train);
    out.low = estimate - half;
    out.high = estimate + half;
    return out;
}

/* Between neighbouring values; rank from 1. */
static double of_rank(const double *value, const uint32_t *order, uint32_t count, double rank)
{
    const double inside = fmin(fmax(rank, 1), count);
    const uint32_t below = (uint32_t)inside, above = below < count ? below + 1 : below;
    const double low = value[order[below - 1]], high = value[order[above - 1]];
    return low + (inside - below) * (high - low);
}

int hs_interval_of_samples(const double *value, const double *other, size_t step, uint32_t count,
                           uint32_t units, hs_interval *out, hsel_error *error)
{
    HS_OWNED double *known = HS_NEW(double, count);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    hs_running values = {0};
    *out = (hs_interval){.low = NAN, .high = NAN};
    HS_NEED(known && order);
    for (uint32_t i = 0; i < count; i++) {
        const double one = value_at(value, other, i * step);
        if (isnan(one))
            continue;
        known[values.count] = one;
        hs_running_add(&values, one);
    }
    out->values = values.count;
    out->missing = count - values.count;
    if (units < HS_FEWEST_UNITS || values.count <= count / 2 || !varies(&values, other))
        return HSEL_OK;
    const double wide = sqrt(units / (units - 1.0)) * qt(TAIL, units - 1, 0, 0),
                 rank = pnorm(wide, 0, 1, 0, 0) * (values.count + 1);
    hs_order_all(known, HS_UPWARDS, order, values.count);
    out->low = of_rank(known, order, values.count, rank);
    out->high = of_rank(known, order, values.count, values.count + 1 - rank);
    return HSEL_OK;
}

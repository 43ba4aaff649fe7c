/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mean and (by Welford's method, in one pass) standard deviation of a sequence of numbers, such as
 * a metric over repeats. Zero-initialise.
 */
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct hs_running {
    double mean, squares;
    uint32_t count;
} hs_running;

static inline void hs_running_add(hs_running *running, double value)
{
    double step = value - running->mean;
    running->mean += step / ++running->count;
    running->squares += step * (value - running->mean);
}

static inline void hs_running_add_known(hs_running *running, double value)
{
    if (!isnan(value))
        hs_running_add(running, value);
}

/* Standard deviation (n-1); 0 for a single value. */
static inline double hs_running_sd(const hs_running *running)
{
    return running->count > 1 ? sqrt(running->squares / (running->count - 1)) : 0;
}

/* The mean; NaN for no value. */
static inline double hs_running_mean(const hs_running *running)
{
    return running->count ? running->mean : (double)NAN;
}

/* Standard deviation (n-1); NaN for fewer than two. */
static inline double hs_running_spread(const hs_running *running)
{
    return running->count > 1 ? hs_running_sd(running) : (double)NAN;
}

/* Standard error of the mean; NaN for fewer than two. */
static inline double hs_running_se(const hs_running *running)
{
    return running->count > 1 ? hs_running_sd(running) / sqrt(running->count) : (double)NAN;
}

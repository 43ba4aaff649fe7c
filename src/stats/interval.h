/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 95 % confidence intervals of estimates by cross-validation, and of their differences.
 *
 * Folds: the mean m of J values of test folds (over all repeats) has the interval m ± t s sqrt(1/J
 * + n_test/n_train), t with J - 1 degrees of freedom and s the standard deviation of the values.
 * The second term is for training parts that overlap (Nadeau, Bengio 2003, Machine Learning
 * 52:239-281).
 *
 * Samples: percentiles of a bootstrap over units (stats/metrics.h). With few units percentiles of
 * 2.5 and 97.5 % are too narrow, even for a mean; they are moved outwards to those of a normal
 * distribution at ± sqrt(u/(u-1)) times the quantile of t with u - 1 degrees of freedom (Hesterberg
 * 2015, The American Statistician 69:371-386: expanded percentile interval).
 */
#pragma once

#include "data/data.h"

typedef struct hs_interval {
    double low, high; /* NaN: not defined */
    uint32_t values;  /* that it is made from … */
    uint32_t missing; /* … and those that are not defined */
} hs_interval;

/* Values are value[i * step], or with `other` their differences value[i * step] - other[i * step].
 * Both are undefined for fewer than two values, and when all are the same, unless these are
 * differences. */
hs_interval hs_interval_of_folds(const double *value, const double *other, size_t step,
                                 uint32_t count, double estimate, double test_to_train);
/* Also undefined for fewer than HS_FEWEST_UNITS units, and when most of the values are missing. */
enum { HS_FEWEST_UNITS = 5 };
HSEL_CHECKED int hs_interval_of_samples(const double *value, const double *other, size_t step,
                                        uint32_t count, uint32_t units, hs_interval *out,
                                        hsel_error *error);

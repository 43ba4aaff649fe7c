/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures of association between a feature and the class: chi2, phi (Cramer's V), Gini gain, lift;
 * and the correlation of two features.
 *
 * With d_c = n_1c N - n_1 n_c, which is 0 for every class when feature and class are independent,
 *
 *     chi2 = sum over c of d_c^2 / (n_c n_1 n_0)     Pearson's statistic, not corrected after Yates
 *     phi  = sqrt(chi2 / N)                          |correlation|; Cramer's V for more classes
 *     Gini = sum over c of d_c^2 / (N^2 n_1 n_0)     G(C) - sum of n_v/N G(C|v), G = 1 - sum p^2
 *     lift = n_1c N / (n_1 n_c)                      P(f=1,c) / (P(f=1) P(c))
 *
 * Nothing cancels after d_c, which is a whole number. Gini and lift are one fraction each; the
 * terms of chi2 are added as whole numbers of some 90 bits, so that equal sums round to the same
 * double. Lift is that of the positive class, or the greatest. Empty classes are skipped; a
 * constant feature scores 0 (lift: one that is never positive). O(K).
 */
#include "measure/exact.h"
#include "measure/measure.h"

/* How far terms up to `most` can be shifted to the left so that as many still add up. */
static int headroom(hs_u128 most, uint32_t terms)
{
    int up = hs_leading_zeros(most) + hs_leading_zeros(terms) - 129;
    return up > 0 ? up : 0;
}

double hs_phi(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00)
{
    uint64_t row1 = n11 + n10, row0 = n01 + n00, column1 = n11 + n01, column0 = n10 + n00;
    if (!row1 || !row0 || !column1 || !column0)
        return NAN;
    double difference = (double)(int64_t)(n11 * n00 - n10 * n01);
    /* one root of the whole product: exactly 1 for two equal features */
    double phi = difference / sqrt((double)(row1 * row0) * (double)(column1 * column0));
    return phi > 1 ? 1 : phi < -1 ? -1 : phi;
}

/* d of a cell, from whole numbers. */
static int64_t table_departure(const hs_value_table *t, uint32_t value, uint32_t label)
{
    double cell = t->cell[(size_t)value * t->classes + label];
    return (int64_t)((uint64_t)cell * (uint64_t)t->total) -
           (int64_t)((uint64_t)t->row[value] * (uint64_t)t->column[label]);
}

static double whole_table_chi2(const hs_value_table *t)
{
    hs_u128 sum = 0, most = 0;
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++) {
            hs_u128 square = hs_square(table_departure(t, v, c));
            most = square > most ? square : most;
        }
    if (!most)
        return 0;
    int up = headroom(most, t->values * t->classes);
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++)
            if (t->row[v] > 0 && t->column[c] > 0)
                sum += (hs_square(table_departure(t, v, c)) << up) /
                       ((uint64_t)t->row[v] * (uint64_t)t->column[c]);
    return ldexp(hs_ratio(sum, (uint64_t)t->total), -up);
}

static double table_chi2(const hs_value_table *t)
{
    double sum = 0;
    if (t->whole)
        return whole_table_chi2(t);
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++) {
            double product = t->row[v] * t->column[c];
            double apart = t->cell[(size_t)v * t->classes + c] * t->total - product;
            if (product > 0)
                sum += apart * apart / (product * t->total);
        }
    return sum;
}

HS_TABLE_MEASURE(chi2, "Pearson's chi-squared",
                 "Pearson's statistic of the table of feature values and classes, without Yates' "
                 "correction; empty classes are skipped, a constant feature scores 0.",
                 "Pearson (1900)");
/* Cramer's V: chi2 / N is at most the lesser of values and classes, less one. Rows that are empty
 * do not count; two values give phi. */
static double table_phi(const hs_value_table *t)
{
    uint32_t values = 0, classes = 0;
    for (uint32_t v = 0; v < t->values; v++)
        values += t->row[v] > 0;
    for (uint32_t c = 0; c < t->classes; c++)
        classes += t->column[c] > 0;
    uint32_t most = values < classes || values == 2 ? values : classes;
    double v = most > 1 ? sqrt(table_chi2(t) / t->total / (most - 1)) : 0;
    return v > 1 ? 1 : v;
}

static double table_gini(const hs_value_table *t)
{
    double sum = 0;
    if (t->values == 2 && t->whole) {
        hs_u128 squares = 0;
        uint64_t total = (uint64_t)t->total;
        for (uint32_t c = 0; c < t->classes; c++)
            squares += hs_square(table_departure(t, 1, c));
        return hs_ratio(squares,
                        (hs_u128)(total * total) * ((uint64_t)t->row[0] * (uint64_t)t->row[1]));
    }
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; t->row[v] > 0 && c < t->classes; c++) {
            double apart =
                t->cell[(size_t)v * t->classes + c] / t->row[v] - t->column[c] / t->total;
            sum += t->row[v] / t->total * apart * apart;
        }
    return sum;
}

HS_TABLE_MEASURE(
    phi, "correlation with the class, |phi|",
    "Absolute Pearson correlation of feature and class, from 0 to 1; Cramer's V when there "
    "are more than two classes or values. A constant feature scores 0.",
    "Pearson (1900); Cramer (1946)");
HS_TABLE_MEASURE(gini, "Gini gain",
                 "Gini impurity of the class minus its mean impurity given the feature, without "
                 "smoothing. A constant feature scores 0.",
                 "Breiman, Friedman, Olshen, Stone (1984)");

/* The greatest lift of the values except the first. Of two classes only the positive one counts. */
static double table_lift(const hs_value_table *t)
{
    double greatest = 0;
    for (uint32_t v = 1; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++) {
            const double cell = t->cell[(size_t)v * t->classes + c],
                         product = t->row[v] * t->column[c];
            if (t->classes == 2 && t->positive_class != HSEL_NONE && c != t->positive_class)
                continue;
            greatest =
                fmax(greatest, product <= 0 ? 0
                               : t->whole   ? hs_ratio((uint64_t)cell * (uint64_t)t->total,
                                                       (uint64_t)t->row[v] * (uint64_t)t->column[c])
                                            : cell * t->total / product);
        }
    return greatest;
}

HS_TABLE_MEASURE(
    lift, "lift of the positive class",
    "P(f=1,c)/(P(f=1)P(c)): how many times more frequent the class is where the feature is "
    "positive. With two classes c is the positive class, with more the one with the greatest lift. "
    "0 for a feature that is never positive. For a numeric feature, it is the greatest lift of an "
    "interval above the lowest one (0 without a cut); for a nominal feature, the greatest lift of "
    "a value other than the first.",
    "used by TSEL (Jeong, Myaeng 2013), as Ristoski, Paulheim (2014) describe it");

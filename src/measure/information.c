/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures of information, in bits: information gain, gain ratio, symmetric uncertainty.
 *
 *     IG = H(C) - sum over v of n_v/N H(C|v)
 *        = sum over v and c of n_vc/N log2(n_vc N / (n_v n_c))
 *     GR = IG / H(F)
 *     SU = 2 IG / (H(F) + H(C))
 *
 * No smoothing. The second form of IG is the one computed: a feature independent of the class has
 * fractions of exactly 1 and so scores exactly 0, nothing large cancels, and exchanging the values
 * of a feature changes nothing. Rounding below 0 is cut off. A constant feature scores 0; so does
 * SU when there is one class only. SU of a feature that is the class is exactly 1. WEKA's values
 * are the same up to rounding (it treats sums below 1e-6 as 0). O(K).
 */
#include <math.h>

#include "measure/exact.h"
#include "measure/measure.h"

/* One cell's share of the mutual information of a table with these margins. */
static double cell_gain(uint64_t cell, uint64_t row, uint64_t column, uint64_t total)
{
    if (cell == 0)
        return 0;
    double fraction = hs_ratio((hs_u128)cell * total, (hs_u128)row * column);
    return (double)cell / (double)total * log2(fraction);
}

static double share_entropy(uint64_t part, uint64_t total)
{
    return part ? (double)part / (double)total * log2(hs_ratio(total, part)) : 0;
}

static uint64_t count_positive(const hs_cells *cells)
{
    uint64_t count = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        count += cells->positive[c];
    return count;
}

static double feature_entropy(const hs_cells *cells)
{
    uint64_t one = count_positive(cells), total = cells->instances;
    return share_entropy(one, total) + share_entropy(total - one, total);
}

static double class_entropy(const hs_cells *cells)
{
    double sum = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        sum += share_entropy(cells->class_size[c], cells->instances);
    return sum;
}

double hs_score_ig(const hs_cells *cells)
{
    uint64_t one = count_positive(cells), total = cells->instances, zero = total - one;
    double sum = 0;
    if (one == 0 || zero == 0)
        return 0;
    for (uint32_t c = 0; c < cells->classes; c++) {
        uint64_t size = cells->class_size[c], with = cells->positive[c];
        sum += cell_gain(with, one, size, total) + cell_gain(size - with, zero, size, total);
    }
    return sum > 0 ? sum : 0;
}

double hs_score_gr(const hs_cells *cells)
{
    double gain = hs_score_ig(cells);
    return gain > 0 ? gain / feature_entropy(cells) : 0;
}

double hs_score_su(const hs_cells *cells)
{
    double gain = hs_score_ig(cells); /* 0 when either entropy is */
    return gain > 0 ? 2 * gain / (feature_entropy(cells) + class_entropy(cells)) : 0;
}

double hs_su_pair(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00)
{
    uint64_t row1 = n11 + n10, row0 = n01 + n00, column1 = n11 + n01, column0 = n10 + n00;
    uint64_t total = row1 + row0;
    if (!row1 || !row0 || !column1 || !column0)
        return 0;
    double first = cell_gain(n11, row1, column1, total) + cell_gain(n01, row0, column1, total);
    double second = cell_gain(n10, row1, column0, total) + cell_gain(n00, row0, column0, total);
    double rows = share_entropy(row1, total) + share_entropy(row0, total);
    double columns = share_entropy(column1, total) + share_entropy(column0, total);
    double gain = first + second;
    return gain > 0 ? 2 * gain / (rows + columns) : 0;
}

/* ---- features with any number of values ---- */

static double table_gain(const hs_value_table *t)
{
    double sum = 0;
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++) {
            double cell = t->cell[(size_t)v * t->classes + c];
            if (cell > 0)
                sum += cell / t->total * log2(cell * t->total / (t->row[v] * t->column[c]));
        }
    return sum > 0 ? sum : 0;
}

static double margin_entropy(const double *part, uint32_t parts, double total)
{
    double sum = 0;
    for (uint32_t i = 0; i < parts; i++)
        if (part[i] > 0)
            sum += part[i] / total * log2(total / part[i]);
    return sum;
}

static double table_ig(const hs_value_table *table, const void *options)
{
    (void)options;
    return table_gain(table);
}

static double table_gr(const hs_value_table *table, const void *options)
{
    double gain = table_gain(table);
    (void)options;
    return gain > 0 ? gain / margin_entropy(table->row, table->values, table->total) : 0;
}

static double table_su(const hs_value_table *table, const void *options)
{
    double gain = table_gain(table);
    (void)options;
    return gain > 0 ? 2 * gain /
                          (margin_entropy(table->row, table->values, table->total) +
                           margin_entropy(table->column, table->classes, table->total))
                    : 0;
}

/* ---- the measures ---- */

static double score_ig(const hs_cells *cells, const void *options)
{
    (void)options;
    return hs_score_ig(cells);
}

static double score_gr(const hs_cells *cells, const void *options)
{
    (void)options;
    return hs_score_gr(cells);
}

static double score_su(const hs_cells *cells, const void *options)
{
    (void)options;
    return hs_score_su(cells);
}

static const hs_measure ig = {.score = score_ig, .table = table_ig},
                        gr = {.score = score_gr, .table = table_gr},
                        su = {.score = score_su, .table = table_su};

const hs_method hs_method_ig = {
    .kind = HS_MEASURE,
    .name = "ig",
    .title = "information gain, in bits",
    .help =
        "Entropy of the class minus its mean entropy given the feature: H(C) - H(C|F), in bits, "
        "without smoothing. A constant feature scores 0.",
    .citation = "Quinlan (1986); used by SHSEL (Ristoski, Paulheim 2014) and RPV-IG (da Silva, "
                "Plastino, Freitas 2020)",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .measure = &ig};

const hs_method hs_method_gr = {
    .kind = HS_MEASURE,
    .name = "gr",
    .title = "gain ratio",
    .help = "Information gain divided by the entropy of the feature; 0 for a constant feature.",
    .citation = "Quinlan (1993), C4.5; used by GTD (Lu et al. 2013)",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .measure = &gr};

const hs_method hs_method_su = {
    .kind = HS_MEASURE,
    .name = "su",
    .title = "symmetric uncertainty",
    .help = "Twice the information gain divided by the sum of the entropies of feature and class, "
            "from 0 to 1; 0 when either is constant.",
    .citation = "Press et al. (1988), Numerical Recipes; used by CFS (Hall 1999)",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .measure = &su};

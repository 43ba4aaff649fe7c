/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures of information, in bits: information gain, gain ratio, symmetric uncertainty.
 *
 *     IG = H(C) - sum over v of n_v/N H(C|v)
 *        = sum over v and c of n_vc/N log2(n_vc N / (n_v n_c))
 *     GR = IG / H(F)
 *     SU = 2 IG / (H(F) + H(C))
 *
 * No smoothing. Everything is made of N H = sum of n ln n's, in whole numbers (exact.h): with the
 * entropies of feature, class and both together,
 *
 *     IG = [H(F) + H(C) - H(F,C)] / ln 2,
 *
 * one fraction, rounded once. N IG is the logarithm of a fraction of counts, so equal gains give
 * equal scores, also those of different counts, and a feature independent of the class scores
 * exactly 0; ratios of gains and entropies likewise, 1 for a feature that is the class. A constant
 * feature scores 0; so does SU when there is one class only. WEKA's values are the same up to
 * rounding (it treats sums below 1e-6 as 0). O(K).
 */
#include <math.h>

#include "measure/exact.h"
#include "measure/measure.h"

/* N times the entropies, in nats; sums in between may wrap around. */
typedef struct entropies {
    hs_u128 feature, label, both, bit; /* bit: N times one bit */
} entropies;

static entropies begin(uint32_t total)
{
    hs_u128 most = hs_n_log_n(total);
    return (entropies){most, most, most, hs_n_log_n(2) / 2 * total};
}

static entropies entropies_of(const hs_cells *cells)
{
    entropies h = begin(cells->instances);
    uint32_t one = 0;
    for (uint32_t c = 0; c < cells->classes; c++) {
        uint32_t size = cells->class_size[c], with = cells->positive[c];
        one += with;
        h.label -= hs_n_log_n(size);
        h.both -= hs_n_log_n(with) + hs_n_log_n(size - with);
    }
    h.feature -= hs_n_log_n(one) + hs_n_log_n(cells->instances - one);
    return h;
}

static double gain(const entropies *h) { return hs_ratio(h->feature + h->label - h->both, h->bit); }

static double gain_ratio(const entropies *h)
{
    return hs_ratio(h->feature + h->label - h->both, h->feature);
}

static double uncertainty(const entropies *h)
{
    return hs_ratio(2 * (h->feature + h->label - h->both), h->feature + h->label);
}

double hs_score_ig(const hs_cells *cells)
{
    entropies h = entropies_of(cells);
    return gain(&h);
}

double hs_score_gr(const hs_cells *cells)
{
    entropies h = entropies_of(cells);
    return gain_ratio(&h);
}

double hs_score_su(const hs_cells *cells)
{
    entropies h = entropies_of(cells);
    return uncertainty(&h);
}

double hs_su_pair(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00)
{
    const uint32_t size[] = {(uint32_t)(n10 + n00), (uint32_t)(n11 + n01)},
                   positive[] = {(uint32_t)n10, (uint32_t)n11};
    return hs_score_su(&(hs_cells){2, size[0] + size[1], size, positive, HSEL_NONE});
}

/* ---- features with any number of values ---- */

static entropies table_entropies(const hs_value_table *t)
{
    entropies h = begin((uint32_t)t->total);
    for (uint32_t c = 0; c < t->classes; c++)
        h.label -= hs_n_log_n((uint32_t)t->column[c]);
    for (uint32_t v = 0; v < t->values; v++)
        h.feature -= hs_n_log_n((uint32_t)t->row[v]);
    for (size_t i = 0; i < (size_t)t->values * t->classes; i++)
        h.both -= hs_n_log_n((uint32_t)t->cell[i]);
    return h;
}

/* Counts with fractions have no exact logarithms. */
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
    if (!hs_table_is_whole(table))
        return table_gain(table);
    entropies h = table_entropies(table);
    return gain(&h);
}

static double table_gr(const hs_value_table *table, const void *options)
{
    (void)options;
    if (hs_table_is_whole(table)) {
        entropies h = table_entropies(table);
        return gain_ratio(&h);
    }
    double sum = table_gain(table);
    return sum > 0 ? sum / margin_entropy(table->row, table->values, table->total) : 0;
}

static double table_su(const hs_value_table *table, const void *options)
{
    (void)options;
    if (hs_table_is_whole(table)) {
        entropies h = table_entropies(table);
        return uncertainty(&h);
    }
    double sum = table_gain(table);
    return sum > 0 ? 2 * sum /
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

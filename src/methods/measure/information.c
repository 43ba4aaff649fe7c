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
#include "measure/exact.h"
#include "measure/measure.h"

enum quantity { IG, GR, SU };

/* N times the entropies, in nats; sums in between may wrap around. */
typedef struct entropies {
    hs_u128 feature, label, both, bit; /* bit: N times one bit */
} entropies;

static entropies begin_entropies(uint32_t total)
{
    hs_u128 most = hs_n_log_n(total);
    return (entropies){most, most, most, hs_n_log_n(2) / 2 * total};
}

static double score_entropies(const entropies *h, enum quantity kind)
{
    hs_u128 gain = h->feature + h->label - h->both;
    return kind == IG   ? hs_ratio(gain, h->bit)
           : kind == GR ? hs_ratio(gain, h->feature)
                        : hs_ratio(2 * gain, h->feature + h->label);
}

static double margin_entropy(const double *part, uint32_t parts, double total)
{
    double sum = 0;
    for (uint32_t i = 0; i < parts; i++)
        if (part[i] > 0)
            sum += part[i] / total * log2(total / part[i]);
    return sum;
}

static double score_table(const hs_value_table *t, enum quantity kind)
{
    if (t->whole) {
        entropies h = begin_entropies((uint32_t)t->total);
        for (uint32_t c = 0; c < t->classes; c++)
            h.label -= hs_n_log_n((uint32_t)t->column[c]);
        for (uint32_t v = 0; v < t->values; v++)
            h.feature -= hs_n_log_n((uint32_t)t->row[v]);
        for (size_t i = 0; i < (size_t)t->values * t->classes; i++)
            h.both -= hs_n_log_n((uint32_t)t->cell[i]);
        return score_entropies(&h, kind);
    }
    double gain = 0; /* counts with fractions have no exact logarithms */
    for (uint32_t v = 0; v < t->values; v++)
        for (uint32_t c = 0; c < t->classes; c++) {
            double cell = t->cell[(size_t)v * t->classes + c];
            if (cell > 0)
                gain += cell / t->total * log2(cell * t->total / (t->row[v] * t->column[c]));
        }
    if (!(gain > 0))
        return 0;
    double feature = margin_entropy(t->row, t->values, t->total);
    return kind == IG   ? gain
           : kind == GR ? gain / feature
                        : 2 * gain / (feature + margin_entropy(t->column, t->classes, t->total));
}

double hs_score_ig(const hs_value_table *table) { return score_table(table, IG); }

double hs_su_pair(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00)
{
    const uint32_t size[] = {(uint32_t)(n10 + n00), (uint32_t)(n11 + n01)},
                   positive[] = {(uint32_t)n10, (uint32_t)n11};
    double room[HS_CELLS_ROOM(2)];
    const hs_cells cells = {2, size[0] + size[1], size, positive, HSEL_NONE};
    const hs_value_table table = hs_table_of_cells(&cells, room);
    return score_table(&table, SU);
}

/* ---- tables of binary features ---- */

hs_value_table hs_table_of_cells(const hs_cells *cells, double *room)
{
    const uint32_t classes = cells->classes;
    double *column = room + 2 * (size_t)classes, *row = column + classes;
    row[0] = row[1] = 0;
    for (uint32_t c = 0; c < classes; c++) {
        column[c] = cells->class_size[c];
        room[classes + c] = cells->positive[c];
        room[c] = column[c] - room[classes + c];
        row[0] += room[c];
        row[1] += room[classes + c];
    }
    return (hs_value_table){
        2, classes, room, row, column, cells->instances, cells->positive_class, true};
}

double hs_score_cells(const hs_measure *measure, const hs_cells *cells, const void *options,
                      double *room)
{
    if (measure->score)
        return measure->score(cells, options);
    const hs_value_table table = hs_table_of_cells(cells, room);
    return measure->table(&table);
}

#define MEASURE(id, kind, ...)                                                                     \
    static double table_##id(const hs_value_table *table) { return score_table(table, kind); }     \
    HS_TABLE_MEASURE(id, __VA_ARGS__)

MEASURE(ig, IG, "information gain, in bits",
        "Entropy of the class minus its mean entropy given the feature: H(C) - H(C|F), in bits, "
        "without smoothing. A constant feature scores 0.",
        "Quinlan (1986); used by SHSEL (Ristoski, Paulheim 2014) and RPV-IG (da Silva, "
        "Plastino, Freitas 2020)");
MEASURE(gr, GR, "gain ratio",
        "Information gain divided by the entropy of the feature; 0 for a constant feature.",
        "Quinlan (1993), C4.5; used by GTD (Lu et al. 2013)");
MEASURE(su, SU, "symmetric uncertainty",
        "Twice the information gain divided by the sum of the entropies of feature and class, "
        "from 0 to 1; 0 when either is constant.",
        "Press et al. (1988), Numerical Recipes; used by CFS (Hall 1999)");

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Correlations from values that are not 0. With a, b the two columns, n rows and m the mean of a,
 *
 *     n cov = sum over all rows of (a - m) b,
 *
 * where rows with b = 0 add nothing; centring one of the two keeps enough digits for columns far
 * from 0. Ranks are counted from that of 0, so that zeros stay 0 (a shift does not change a
 * correlation). Ties share the mean rank. O(values that are not 0),
 * and a sort of them for ranks; O(rows) where a value is missing, and memory O(instances).
 */
#include "rank/correlation.h"

#include "rank/ordered.h"
#include "rank/rank.h"

void hs_correlator_clear(hs_correlator *c) { hs_arena_clear(&c->memory); }

int hs_correlator_init(hs_correlator *c, const hs_training *training, hs_correlation_kind kind,
                       hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const uint32_t rows = view->row_count;
    *c = (hs_correlator){.data = data, .kind = kind};
    HS_NEED(HS_LISTS(&c->memory, c, HS_PART(c, position, data->instances), HS_PART(c, row, rows),
                     HS_PART(c, spread_out, rows), HS_PART(c, read, rows), HS_PART(c, sorted, rows),
                     HS_PART(c, where, rows), HS_PART(c, place, rows), HS_PART(c, spare, rows),
                     HS_PART(c, fixed.position, rows), HS_PART(c, fixed.value, rows),
                     HS_PART(c, other.position, rows), HS_PART(c, other.value, rows)));
    memset(c->position, 0xff, data->instances * sizeof *c->position);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = hs_view_row(view, i);
        if ((data->class_of || data->target) && !hs_has_label(data, row))
            continue;
        c->position[row] = c->rows;
        c->row[c->rows++] = row;
    }
    return HSEL_OK;
}

static void add_value(hs_side *side, uint32_t position, double value)
{
    if (position == HSEL_NONE || value == 0)
        return;
    side->position[side->count] = position;
    side->value[side->count++] = value;
    side->missing += isnan(value);
}

/* Values to what their ranks are above that of 0. Missing ones have none. */
static void to_ranks(hs_correlator *c, hs_side *side)
{
    const uint32_t zeros = c->rows - side->count; /* none of these is missing */
    uint32_t known = 0, below = 0;                /* below 0 */
    for (uint32_t i = 0; i < side->count; i++)
        if (!isnan(side->value[i])) {
            below += side->value[i] < 0;
            c->where[known] = i;
            c->read[known++] = side->value[i];
        }
    const double of_zero = zeros ? below + (zeros + 1) / 2.0 : (known + 1) / 2.0;
    hs_sort_values(c->read, known, c->sorted, c->place, c->spare);
    for (uint32_t i = 0, end; i < known; i = end) {
        for (end = i + 1; end < known && c->sorted[end] == c->sorted[i];)
            end++;
        const double rank = (i + 1 + end) / 2.0 + (c->sorted[i] > 0 ? zeros : 0);
        for (uint32_t k = i; k < end; k++)
            side->value[c->where[(uint32_t)c->place[k]]] = rank - of_zero;
    }
}

static int read_side(hs_correlator *c, uint32_t feature, hs_side *side, hsel_error *error)
{
    const hsel_dataset *data = c->data;
    side->count = side->missing = 0;
    if (feature == HSEL_NONE) {
        for (uint32_t i = 0; i < c->rows; i++)
            add_value(side, i,
                      data->target ? data->target[c->row[i]]
                                   : data->class_of[c->row[i]] == data->positive_class);
    } else if (data->types[feature] == HSEL_NOMINAL) {
        return hs_fail(error, HSEL_EUSAGE,
                       "feature %.200s of %s is nominal, but correlations need numbers",
                       hsel_dataset_feature_name(data, feature), hsel_dataset_name(data));
    } else if (data->types[feature] == HSEL_BINARY) {
        size_t count;
        const uint32_t *rows = hs_column(data, feature, &count);
        for (size_t i = 0; i < count; i++)
            add_value(side, c->position[rows[i]], 1);
    } else {
        const hs_numeric_column *column = data->numeric + data->slot[feature];
        for (uint32_t i = 0; column->rows && i < column->count; i++)
            add_value(side, c->position[column->rows[i]], column->values[i]);
        for (uint32_t i = 0; !column->rows && i < c->rows; i++)
            add_value(side, i, column->values[c->row[i]]);
    }
    if (c->kind == HS_SPEARMAN)
        to_ranks(c, side);
    const uint32_t zeros = c->rows - side->count, known = c->rows - side->missing;
    double least = zeros ? 0 : INFINITY, greatest = zeros ? 0 : -INFINITY;
    for (uint32_t i = 0; i < side->count; i++) {
        least = fmin(least, side->value[i]); /* ignores missing ones, as fmax does */
        greatest = fmax(greatest, side->value[i]);
    }
    /* A power of 2 that keeps squares and products in range: no digit is lost. */
    const double most = fmax(-least, greatest);
    const double scale = most > 1e100 || (most > 0 && most < 1e-100) ? ldexp(1, -ilogb(most)) : 1;
    double sum = 0, squares = 0;
    side->scale = isfinite(scale) && scale > 0 ? scale : 1;
    for (uint32_t i = 0; i < side->count; i++) {
        side->value[i] *= side->scale;
        sum += isnan(side->value[i]) ? 0 : side->value[i];
    }
    side->mean = known ? sum / known : 0;
    for (uint32_t i = 0; i < side->count; i++) {
        double apart = isnan(side->value[i]) ? 0 : side->value[i] - side->mean;
        squares += apart * apart;
    }
    side->spread = sqrt(squares + zeros * side->mean * side->mean);
    side->constant = known == 0 || !(least < greatest);
    return HSEL_OK;
}

int hs_correlator_fix(hs_correlator *c, uint32_t feature, hsel_error *error)
{
    for (uint32_t i = 0; i < c->fixed.count; i++)
        c->spread_out[c->fixed.position[i]] = 0;
    c->fixed.count = 0;
    HS_TRY(read_side(c, feature, &c->fixed, error));
    for (uint32_t i = 0; i < c->fixed.count; i++)
        c->spread_out[c->fixed.position[i]] = c->fixed.value[i];
    return HSEL_OK;
}

/* Row by row, over those in which both are known. */
static double with_missing(hs_correlator *c)
{
    double *a = c->sorted, *b = memset(c->read, 0, c->rows * sizeof *c->read);
    double mean_a = 0, mean_b = 0, of_a = 0, of_b = 0, both = 0;
    uint32_t known = 0;
    bool a_varies = false, b_varies = false;
    for (uint32_t i = 0; i < c->other.count; i++)
        b[c->other.position[i]] = c->other.value[i];
    for (uint32_t i = 0; i < c->rows; i++) {
        if (isnan(c->spread_out[i]) || isnan(b[i]))
            continue;
        a[known] = c->spread_out[i];
        b[known] = b[i];
        a_varies |= a[known] != a[0];
        b_varies |= b[known] != b[0];
        mean_a += a[known];
        mean_b += b[known++];
    }
    mean_a /= known;
    mean_b /= known;
    for (uint32_t i = 0; i < known; i++) {
        of_a += (a[i] - mean_a) * (a[i] - mean_a);
        of_b += (b[i] - mean_b) * (b[i] - mean_b);
        both += (a[i] - mean_a) * (b[i] - mean_b);
    }
    return a_varies && b_varies ? both / (sqrt(of_a) * sqrt(of_b)) : (double)NAN;
}

int hs_correlator_with(hs_correlator *c, uint32_t feature, double *correlation, hsel_error *error)
{
    HS_TRY(read_side(c, feature, &c->other, error));
    *correlation = NAN;
    if (c->fixed.constant || c->other.constant)
        return HSEL_OK;
    if (c->fixed.missing || c->other.missing) {
        *correlation = with_missing(c);
    } else {
        double both = 0;
        for (uint32_t i = 0; i < c->other.count; i++)
            both += (c->spread_out[c->other.position[i]] - c->fixed.mean) * c->other.value[i];
        *correlation = both / (c->fixed.spread * c->other.spread);
    }
    if (!isnan(*correlation))
        *correlation = fmax(-1, fmin(1, *correlation));
    return HSEL_OK;
}

/* ---- variance explained ---- */

/* By the means of groups of ascending values: equal ones, or with `bins` as many of them each. */
static double explained_by_groups(const double *value, const double *target, uint32_t count,
                                  uint32_t bins)
{
    double mean = 0, all = 0, between = 0;
    bool varies = false;
    for (uint32_t i = 0; i < count; i++) {
        varies |= target[i] != target[0];
        mean += target[i] / count;
    }
    for (uint32_t i = 0; i < count; i++)
        all += pow(target[i] - mean, 2);
    for (uint32_t i = 0, end; i < count; i = end) {
        double sum = 0;
        for (end = i; end < count; end++) {
            bool is_new = end > i && value[end] != value[end - 1];
            if (is_new && (!bins || (uint64_t)end * bins / count > (uint64_t)i * bins / count))
                break;
            sum += target[end] - mean;
        }
        between += sum * sum / (end - i);
    }
    return varies ? fmin(1, between / all) : 0;
}

int hs_explained_features(const hs_training *training, const hs_cuts *cuts, double *score,
                          hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(hs_correlator_clear) hs_correlator c = {0};
    HS_TRY(hs_correlator_init(&c, training, HS_PEARSON, error));
    HS_TRY(hs_correlator_fix(&c, HSEL_NONE, error));
    HS_OWNED double *target = HS_NEW(double, c.rows);
    HS_NEED(target);
    for (uint32_t f = 0; f < data->features; f++) {
        const bool grouped = data->types[f] == HSEL_NOMINAL ||
                             (data->types[f] == HSEL_NUMERIC && cuts->by == HS_CUT_QUANTILES);
        uint32_t count = 0;
        if (!hs_view_has(&training->view, f))
            continue;
        if (!grouped) {
            HS_TRY(hs_correlator_with(&c, f, &score[f], error));
            score[f] = isnan(score[f]) ? 0 : score[f] * score[f];
            continue;
        }
        for (uint32_t i = 0; i < c.rows; i++) {
            c.read[count] = hs_dataset_value(data, f, c.row[i]);
            c.where[count] = c.row[i];
            count += !isnan(c.read[count]);
        }
        hs_sort_values(c.read, count, c.sorted, c.place, c.spare);
        for (uint32_t i = 0; i < count; i++)
            target[i] = data->target[c.where[(uint32_t)c.place[i]]];
        score[f] = explained_by_groups(c.sorted, target, count,
                                       data->types[f] == HSEL_NOMINAL ? 0 : cuts->bins);
    }
    return HSEL_OK;
}

/* ---- rankers ---- */

extern const hs_method hs_method_rank_spearman;

static int correlation_rank(const hs_training *training, const hs_chosen *rankers, size_t count,
                            double *const *scores, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    for (size_t i = 0; i < count; i++) {
        const bool ranks = rankers[i].method == &hs_method_rank_spearman;
        HS_OWNS(hs_correlator_clear) hs_correlator c = {0};
        HS_TRY(hs_correlator_init(&c, training, ranks ? HS_SPEARMAN : HS_PEARSON, error));
        HS_TRY(hs_correlator_fix(&c, HSEL_NONE, error));
        for (uint32_t f = 0; f < data->features; f++) {
            double correlation = NAN;
            if (!hs_view_has(&training->view, f))
                continue;
            if (data->types[f] != HSEL_NOMINAL)
                HS_TRY(hs_correlator_with(&c, f, &correlation, error));
            scores[i][f] = isnan(correlation) ? -(double)INFINITY : fabs(correlation);
        }
    }
    return HSEL_OK;
}

static const hs_ranker correlation_ranker = {.rank = correlation_rank};

HS_RANKER_METHOD(
    pearson, "pearson", HS_TWO_CLASSES_ONLY | HS_NUMERIC_TARGET, NULL, 0, &correlation_ranker,
    .title = "correlation with the target",
    .help = "Absolute linear correlation of a feature with the numeric target, or with two classes "
            "as 0 and 1, over the instances in which it is known. Constant and nominal features "
            "come last.",
    .citation = "Pearson (1895), Proceedings of the Royal Society of London 58:240-242");

HS_RANKER_METHOD(spearman, "spearman", HS_TWO_CLASSES_ONLY | HS_NUMERIC_TARGET, NULL, 0,
                 &correlation_ranker, .title = "correlation of ranks with the target",
                 .help = "As pearson, on ranks; equal values share their mean rank.",
                 .citation = "Spearman (1904), American Journal of Psychology 15:72-101");

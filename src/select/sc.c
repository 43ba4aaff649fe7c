/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SC: features that are not too correlated with an earlier one.
 *
 *     in order of features: drop j iff |corr(i, j)| > threshold for a kept i < j
 *
 * Pearson's correlation of two binary features (phi) over all training rows, with a class or
 * without: the classes play no part. Ristoski and Paulheim (2014), section 4.2, "SC", made with
 * RapidMiner's "remove correlated attributes". The correlation with a constant feature is
 * undefined; it counts as 1 for the constant one, which is dropped, and never against the other.
 * The paper names no threshold; 0.95, the operator's default, is ours.
 *
 * Counts of pairs by popcount over bit columns: O(d kept n / 64) time, d n / 64 words of memory.
 * The order of features decides; there are no ties.
 */
#include <math.h>

#include "core/mem.h"
#include "core/progress.h"
#include "select/eager.h"

#define FEATURES_PER_REPORT 16

struct options {
    double threshold;
};

static const hs_option table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.95", 0, 1,
              "features with a greater correlation, in absolute value, to a kept one are dropped"),
    HS_OPTION_END};

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const hs_training *training = c->training;
    double threshold = ((const struct options *)options)->threshold;
    uint32_t count = c->count, row_count, held = 0;
    HS_OWNS(hs_bit_columns_clear) hs_bit_columns columns = {0};
    HS_OWNED uint64_t *ones = HS_NEW(uint64_t, count);
    HS_OWNED uint32_t *kept = HS_NEW(uint32_t, count), *rows = NULL;
    HS_NEED(ones && kept);
    HS_TRY(hs_training_rows(training, false, &rows, &row_count, error));
    HS_TRY(hs_bit_columns_new(training->view.data, rows, row_count, &columns, error));
    for (uint32_t j = 0; j < count; j++) {
        const uint64_t *column = hs_bit_column(&columns, c->feature[j]);
        if (j % FEATURES_PER_REPORT == 0)
            HS_TRY(hs_progress_report(training->progress, j, count, "features", error));
        ones[j] = hs_bits_count(column, columns.stride);
        keep[j] = ones[j] > 0 && ones[j] < columns.rows;
        for (uint32_t k = 0; k < held && keep[j]; k++) {
            const uint64_t *other = hs_bit_column(&columns, c->feature[kept[k]]);
            uint64_t both = hs_bits_count_and(other, column, columns.stride), of = ones[kept[k]];
            double phi = hs_phi(both, of - both, ones[j] - both, row_count + both - of - ones[j]);
            keep[j] = !(fabs(phi) > threshold);
        }
        if (keep[j])
            kept[held++] = j;
    }
    return HSEL_OK;
}

HS_EAGER_SELECTOR(selector, NULL, .choose = choose, .flat = true);

const hs_method hs_method_sc = {
    HS_SELECTOR_WITH(selector, table, struct options), .name = "sc",
    .title = "no two features correlated above a threshold",
    .help = "Goes through the features in their order and drops each one whose correlation, in "
            "absolute value, with a feature kept before is above the threshold; constant features "
            "go too. Looks neither at the classes nor at the hierarchy.",
    .citation = "Ristoski, Paulheim (2014), section 4.2 (SC); the default threshold is ours"};

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

#define FEATURES_A_REPORT 16

struct options {
    double threshold;
};

static const hs_option table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.95", 0, 1,
              "features with a greater correlation, in absolute value, to a kept one are dropped"),
    HS_OPTION_END};

struct pairs {
    const uint32_t *feature; /* of each candidate */
    hs_bit_columns columns;
    uint64_t *ones; /* [candidates] */
};

static double correlation(const struct pairs *pairs, uint32_t i, uint32_t j)
{
    const hs_bit_columns *columns = &pairs->columns;
    uint64_t both = hs_bits_count_and(hs_bit_column(columns, pairs->feature[i]),
                                      hs_bit_column(columns, pairs->feature[j]), columns->stride);
    uint64_t of_i = pairs->ones[i], of_j = pairs->ones[j];
    return hs_phi(both, of_i - both, of_j - both, columns->rows + both - of_i - of_j);
}

static int scan(const struct pairs *pairs, uint32_t count, double threshold, uint32_t *kept,
                bool *keep, const hs_progress *progress, hsel_error *error)
{
    uint32_t held = 0;
    int status = HSEL_OK;
    for (uint32_t j = 0; j < count && status == HSEL_OK; j++) {
        if (j % FEATURES_A_REPORT == 0)
            status = hs_progress_report(progress, j, count, "features", error);
        keep[j] = pairs->ones[j] > 0 && pairs->ones[j] < pairs->columns.rows;
        for (uint32_t k = 0; k < held && keep[j]; k++)
            keep[j] = !(fabs(correlation(pairs, kept[k], j)) > threshold);
        if (keep[j])
            kept[held++] = j;
    }
    return status;
}

static int choose(const hs_candidates *candidates, const void *options, bool *keep,
                  hsel_error *error)
{
    uint32_t count = candidates->count, *rows = NULL, row_count;
    struct pairs pairs = {.feature = candidates->feature, .ones = HS_NEW(uint64_t, count)};
    uint32_t *kept = HS_NEW(uint32_t, count);
    int status = pairs.ones && kept ? HSEL_OK : hs_fail_memory(error);
    if (status ||
        (status = hs_training_rows(candidates->training, false, &rows, &row_count, error)) ||
        (status = hs_bit_columns_new(candidates->training->view.data, rows, row_count,
                                     &pairs.columns, error)))
        goto out;
    for (uint32_t i = 0; i < count; i++)
        pairs.ones[i] = hs_bits_count(hs_bit_column(&pairs.columns, candidates->feature[i]),
                                      pairs.columns.stride);
    status = scan(&pairs, count, ((const struct options *)options)->threshold, kept, keep,
                  candidates->training->progress, error);
out:
    hs_bit_columns_clear(&pairs.columns);
    hs_free(pairs.ones);
    hs_free(kept);
    hs_free(rows);
    return status;
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    static const hs_eager_rule rule = {.choose = choose, .flat = true};
    return hs_eager_prepare(training, options, &rule, state, error);
}

static const hs_selector functions = {
    .prepare = prepare, .select_features = hs_eager_select, .free = hs_eager_free};

const hs_method hs_method_sc = {
    .kind = HS_SELECTOR,
    .name = "sc",
    .title = "no two features correlated above a threshold",
    .help = "Goes through the features in their order and drops each one whose correlation, in "
            "absolute value, with a feature kept before is above the threshold; constant features "
            "go too. Looks neither at the classes nor at the hierarchy.",
    .citation = "Ristoski, Paulheim (2014), section 4.2 (SC); the default threshold is ours",
    .options = table,
    .options_size = sizeof(struct options),
    .selector = &functions};

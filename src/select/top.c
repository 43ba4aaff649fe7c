/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best features by any ranker or measure: what most studies of filters do (25 features in Van
 * Hulse, Khoshgoftaar, Napolitano and Wald, 2012).
 *
 *     keep the k features with the greatest scores, or a share of all features
 *
 * A share is rounded to the nearest number of features, at least 1. A k beyond the number of
 * features keeps all of them. Exactly that many are kept: features that a ranker puts last for
 * having no value (constant ones) too, if there are not enough others. Ties go to the lowest index.
 *
 * Time and memory are the ranker's, and O(d log d) for the order.
 */
#include <math.h>

#include "core/mem.h"
#include "rank/rank.h"
#include "select/eager.h"

struct options {
    const char *by;
    uint32_t k;
    double share;
};

static const hs_option table[] = {
    HS_TEXT(struct options, by, "by", "RANKER", "auc",
            "ranker or measure, its options in parentheses: or(zero=inf)"),
    HS_OPTION(struct options, k, "k", "N", "25", 1, 268435456,
              "how many features are kept; all if there are fewer"),
    HS_OPTION(struct options, share, "share", "P", "0", 0, 1,
              "share of the features that is kept, in place of k"),
    HS_OPTION_END};

static int check(const void *settings, hsel_error *error)
{
    const struct options *options = settings;
    hs_chosen ranker = {0};
    int status = hs_ranker_parse(options->by, &ranker, error);
    hs_chosen_clear(&ranker);
    return status;
}

static uint32_t how_many(const struct options *options, uint32_t candidates)
{
    double count = options->share > 0 ? fmax(1, round(options->share * candidates)) : options->k;
    return count < candidates ? (uint32_t)count : candidates;
}

static int choose(const hs_candidates *candidates, const void *settings, bool *keep,
                  hsel_error *error)
{
    const struct options *options = settings;
    const hs_training *training = candidates->training;
    uint32_t features = training->view.data->features, count = candidates->count;
    double *score = HS_NEW(double, features);
    uint32_t *order = HS_NEW(uint32_t, count);
    hs_chosen ranker = {0};
    int status =
        score && order ? hs_ranker_parse(options->by, &ranker, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_rank_features(training, &ranker, 1, &score, error);
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++) {
        candidates->score[i] = score[candidates->feature[i]];
        keep[i] = false;
    }
    if (status == HSEL_OK) {
        hs_rank_order(candidates->score, count, NULL, order);
        for (uint32_t i = 0; i < how_many(options, count); i++)
            keep[order[i]] = true;
    }
    hs_chosen_clear(&ranker);
    hs_free(order);
    hs_free(score);
    return status;
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    static const hs_eager_rule rule = {.choose = choose, .flat = true};
    return hs_eager_prepare(training, options, &rule, state, error);
}

static const hs_selector functions = {.prepare = prepare,
                                      .select_features = hs_eager_select,
                                      .scores = hs_eager_scores,
                                      .free = hs_eager_free};

const hs_method hs_method_top = {
    .kind = HS_SELECTOR,
    .name = "top",
    .title = "the best features by a ranker or measure",
    .help = "Keeps the k features that a ranker or measure (hsel methods) scores highest, or a "
            "share of all features. All are kept if there are no more than k. Ties go to the "
            "feature that comes first in the data. Options of the ranker are written in "
            "parentheses: top:by=or(zero=inf),k=25. Does not look at the hierarchy.",
    .citation = "as in Van Hulse, Khoshgoftaar, Napolitano, Wald (2012): 25 features",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .options = table,
    .options_size = sizeof(struct options),
    .check = check,
    .selector = &functions};

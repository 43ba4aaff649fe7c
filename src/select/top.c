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
    HS_OWNS(hs_chosen_clear) hs_chosen ranker = {0};
    return hs_ranker_parse(((const struct options *)settings)->by, &ranker, error);
}

static int choose(const hs_candidates *c, const void *settings, bool *keep, hsel_error *error)
{
    const struct options *options = settings;
    const hs_training *training = c->training;
    uint32_t count = c->count;
    double most = options->share > 0 ? fmax(1, round(options->share * count)) : options->k;
    HS_OWNED double *score = HS_NEW(double, training->view.data->features);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, count);
    HS_OWNS(hs_chosen_clear) hs_chosen ranker = {0};
    HS_NEED(score && order);
    HS_TRY(hs_ranker_parse(options->by, &ranker, error));
    HS_TRY(hs_rank_features(training, &ranker, 1, &score, error));
    for (uint32_t i = 0; i < count; i++)
        c->score[i] = score[c->feature[i]];
    hs_rank_order(c->score, count, NULL, order);
    for (uint32_t i = 0; i < count; i++)
        keep[order[i]] = i < most;
    return HSEL_OK;
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .choose = choose, .flat = true);

const hs_method hs_method_top = {
    HS_SELECTOR_WITH(selector, table, struct options),
    .name = "top",
    .title = "the best features by a ranker or measure",
    .help = "Keeps the k features that a ranker or measure (hsel methods) scores highest, or a "
            "share of all features. All are kept if there are no more than k. Ties go to the "
            "feature that comes first in the data. Options of the ranker are written in "
            "parentheses: top:by=or(zero=inf),k=25. Does not look at the hierarchy.",
    .citation = "as in Van Hulse, Khoshgoftaar, Napolitano, Wald (2012): 25 features",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .check = check};

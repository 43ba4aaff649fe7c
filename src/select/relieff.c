/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF as a selector: features whose weight (rank/relief.c) is above a threshold.
 *
 *     keep f iff W_f > threshold
 *
 * As WEKA's Ranker does with the weights of ReliefFAttributeEval (Kononenko 1994): strictly above.
 * Time and memory as said in rank/relief.c. No ties to break between features: each stands
 * for itself; between neighbours see rank/relief.c.
 */
#include "rank/relief.h"
#include "select/eager.h"

struct options {
    double threshold;
    uint32_t k, sigma;
    bool weight;
    int order; /* hs_relief_order */
};

static const hs_option table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.01", -10, 10,
              "features with a greater weight are kept"),
    HS_OPTION(struct options, k, "k", "N", "10", 1, 1000000, "neighbours of each class"),
    HS_FLAG(struct options, weight, "weight", "nearer neighbours count more"),
    HS_OPTION(struct options, sigma, "sigma", "N", "2", 1, 1000000,
              "how slowly the weight of neighbours falls with their rank; only with weight"),
    HS_CHOICE(struct options, order, "order", "index|folds", "index",
              "whose turn it is first among equally near neighbours: the lower instance, or, in "
              "cross-validation, as WEKA's folds leave the training instances"),
    HS_OPTION_END};

static int choose(const hs_candidates *c, const void *settings, bool *keep, hsel_error *error)
{
    const struct options *options = settings;
    const hs_relief_options how = {options->k, options->sigma, options->weight, options->order};
    HS_TRY(hs_relief_weights(c->training, &how, c->feature, c->count, c->score, error));
    for (uint32_t i = 0; i < c->count; i++)
        keep[i] = c->score[i] > options->threshold;
    return HSEL_OK;
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .choose = choose, .flat = true);

const hs_method hs_method_relieff = {
    HS_SELECTOR_WITH(selector, table, struct options),
    .name = "relieff",
    .title = "ReliefF weight above a threshold",
    .help =
        "Keeps every feature whose ReliefF weight is above the threshold: how much more often "
        "it differs between an instance and its nearest neighbours of other classes than of "
        "its own. The weights are those of WEKA's ReliefFAttributeEval on all instances. Does "
        "not look at the hierarchy. Which of equally near neighbours count depends on the order "
        "of instances, which is theirs in the data; order=folds repeats a cross-validation that "
        "was made with WEKA (published figures were).",
    .citation = "Kononenko (1994), ECML, LNCS 784:171-182; WEKA 3.6, ReliefFAttributeEval and "
                "Ranker",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES};

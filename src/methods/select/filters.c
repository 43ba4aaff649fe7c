/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eager selectors that ignore the hierarchy and use one value per feature or pair.
 */
#include "rank/rank.h"
#include "rank/relief.h"
#include "select/eager.h"

struct options {
    hs_scoring by;
    double threshold, share;
    uint32_t k;
    bool normalize;
    const char *ranker;
    hs_relief_options relief;
};

/* No selection: keeps every feature that may be used, of whatever type, to compare others with. da
 * Silva, Plastino, Freitas (2020), baseline No FS. Eager, so that it goes with every classifier.
 *
 * Time and memory O(features). There are no ties and no relevance.
 */
HS_EAGER_METHOD(none, "none", HS_ANY_FEATURES, NULL, 0, NULL, NULL, EVERY_FEATURE, DROPPED, NULL,
                .title = "no selection", .help = "Keeps all features, for comparison.",
                .citation = "da Silva, Plastino, Freitas (2020), baseline No FS");

/* SIG: features with enough information gain, the plain filter that hierarchical selectors are
 * compared with.
 *
 *     keep f iff IG(f) >= threshold          IG in bits (measure/information.c)
 *     normalize: (IG(f) - least) / (greatest - least) instead of IG(f); 1 if all are equal
 *
 * Ristoski and Paulheim (2014), section 4.2, "SIG", made with RapidMiner's weighting by information
 * gain. RapidMiner may bring weights to [0,1] first; the paper does not say whether it did, so that
 * is an option and off. The paper names no threshold; 0.01 is ours.
 *
 * O(d K) time, O(d) memory. No ties to break: every feature stands for itself.
 */
#define ROUNDING 1e-12 /* gains that are equal may differ by this much */

static const hs_option sig_table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.01", 0, 1000,
              "features with at least this weight are kept"),
    HS_FLAG(struct options, normalize, "normalize", "scale the weights to 0 ... 1 first"),
    HS_CUT_OPTIONS(struct options, by.cuts), HS_OPTION_END};

extern const hs_method hs_method_ig;

static const hs_method *const by_gain[] = {&hs_method_ig};

static int sig_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    double least = INFINITY, greatest = -INFINITY, *weight = c->score;
    (void)error;
    for (uint32_t i = 0; i < c->count; i++) {
        least = fmin(least, weight[i]);
        greatest = fmax(greatest, weight[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (o->normalize)
            weight[i] = greatest - least > ROUNDING ? (weight[i] - least) / (greatest - least) : 1;
        keep[i] = weight[i] >= o->threshold;
    }
    hs_candidates_threshold(c, keep, o->threshold);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    sig, "sig", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET, sig_table,
    sizeof(struct options), by_gain, sig_choose, KEPT, DROPPED, hs_eager_scores,
    .title = "information gain at or above a threshold",
    .help =
        "Keeps every feature whose information gain, in bits or scaled to 0 … 1, is at or above "
        "the threshold. With a numeric target, the share of its variance that the feature explains "
        "replaces information gain: for numeric features the squared correlation or, with "
        "cuts=quantiles, by the means of the intervals. Ignores the hierarchy.",
    .citation = "Ristoski, Paulheim (2014), section 4.2 (SIG); the default threshold is ours");

/* SC: features that are not too correlated with an earlier one.
 *
 *     in order of features: drop j iff |corr(i, j)| > threshold for a kept i < j
 *
 * Pearson's correlation (of two binary features phi) over all training rows, with a class or
 * without: the classes play no part. Ristoski and Paulheim (2014), section 4.2, "SC", made with
 * RapidMiner's "remove correlated attributes". The correlation with a constant feature is
 * undefined; it counts as 1 for the constant one, which is dropped, and never against the other.
 * The paper names no threshold; 0.95, the operator's default, is ours.
 *
 * Counts of pairs by popcount over bit columns: O(d kept n / 64) time, d n / 64 words of memory.
 * The order of features decides; there are no ties.
 */
#define FEATURES_PER_REPORT 16

static const hs_option sc_table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.95", 0, 1,
              "features with a greater correlation, in absolute value, to a kept one are dropped"),
    HS_OPTION_END};

static int sc_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    hs_training training = *c->training;
    hsel_dataset plain = *training.view.data; /* all rows, with a class or without */
    double threshold = ((const struct options *)options)->threshold;
    uint32_t row_count, held = 0;
    bool binary = true;
    HS_OWNS(hs_bit_columns_clear) hs_bit_columns columns = {0};
    HS_OWNS(hs_correlator_clear) hs_correlator correlator = {0}; /* if not all are binary */
    HS_OWNED uint64_t *ones = HS_NEW(uint64_t, c->count);
    HS_OWNED uint32_t *kept = HS_NEW(uint32_t, c->count), *rows = NULL;
    HS_NEED(ones && kept);
    plain.class_of = NULL;
    plain.target = NULL;
    training.view.data = &plain;
    for (uint32_t j = 0; j < c->count; j++)
        binary &= plain.types[c->feature[j]] == HSEL_BINARY;
    HS_TRY(hs_training_rows(&training, false, &rows, &row_count, error));
    if (binary) {
        HS_TRY(hs_bit_columns_new(&plain, rows, row_count, &columns, error));
    } else {
        HS_TRY(hs_correlator_init(&correlator, &training, HS_PEARSON, error));
        threshold += HS_CORRELATION_TOLERANCE;
    }
    for (uint32_t j = 0; j < c->count; j++) {
        const uint64_t *column = binary ? hs_bit_column(&columns, c->feature[j]) : NULL;
        if (!binary || j % FEATURES_PER_REPORT == 0)
            HS_TRY(hs_progress_report(training.progress, j, c->count, "features", error));
        if (plain.types[c->feature[j]] == HSEL_NOMINAL) /* has no correlation, and stays */
            continue;
        if (binary) {
            ones[j] = hs_bits_count(column, columns.stride);
            keep[j] = ones[j] > 0 && ones[j] < row_count;
        } else {
            HS_TRY(hs_correlator_fix(&correlator, c->feature[j], error));
            keep[j] = !correlator.fixed.constant;
        }
        if (!keep[j])
            hs_candidates_say(c, j, HS_RULE_CONSTANT, HSEL_NONE, (double)NAN);
        for (uint32_t k = 0; k < held && keep[j]; k++) {
            double r;
            if (binary) {
                const uint64_t of = ones[kept[k]],
                               *other = hs_bit_column(&columns, c->feature[kept[k]]),
                               both = hs_bits_count_and(other, column, columns.stride);
                r = hs_phi(both, of - both, ones[j] - both, row_count + both - of - ones[j]);
            } else {
                HS_TRY(hs_correlator_with(&correlator, c->feature[kept[k]], &r, error));
            }
            keep[j] = !(fabs(r) > threshold);
            if (!keep[j])
                hs_candidates_say(c, j, HS_RULE_CORRELATED, kept[k], r);
        }
        if (keep[j])
            kept[held++] = j;
    }
    return HSEL_OK;
}

HS_EAGER_METHOD(
    sc, "sc", HS_ANY_FEATURES, sc_table, sizeof(struct options), NULL, sc_choose, UNCORRELATED,
    DROPPED, NULL, .title = "no two features correlated above a threshold",
    .help = "Goes through the features in their order and drops each one whose correlation, in "
            "absolute value, with a feature kept before is above the threshold; constant features "
            "are dropped too. Missing values are left out pair by pair; nominal features stay. "
            "Ignores classes and hierarchy.",
    .citation = "Ristoski, Paulheim (2014), section 4.2 (SC); the default threshold is ours");

/* ReliefF as a selector: features whose weight (rank/relief.c) is above a threshold.
 *
 *     keep f iff W_f > threshold
 *
 * As WEKA's Ranker does with the weights of ReliefFAttributeEval (Kononenko 1994): strictly above.
 * Time and memory as said in rank/relief.c. No ties to break between features: each stands
 * for itself; between neighbours see rank/relief.c.
 */
static const hs_option relieff_table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.01", -10, 10,
              "features with a greater weight are kept"),
    HS_OPTION(struct options, relief.k, "k", "N", "10", 1, 1000000, "neighbours of each class"),
    HS_FLAG(struct options, relief.weight, "weight", "give nearer neighbours more weight"),
    HS_OPTION(struct options, relief.sigma, "sigma", "N", "2", 1, 1000000,
              "how slowly the weight of neighbours falls with their rank; only with weight"),
    HS_CHOICE(struct options, relief.order, "order", "index|folds", "index",
              "which of equally near neighbours comes first: by instance number, or, in "
              "cross-validation, by the order of WEKA's folds"),
    HS_OPTION_END};

static int relieff_choose(const hs_candidates *c, const void *options, bool *keep,
                          hsel_error *error)
{
    const struct options *o = options;
    HS_TRY(hs_relief_weights(c->training, &o->relief, c->feature, c->count, c->score, error));
    for (uint32_t i = 0; i < c->count; i++)
        keep[i] = c->score[i] > o->threshold;
    hs_candidates_threshold(c, keep, o->threshold);
    return HSEL_OK;
}

/* Slot `memory` of hs_method: bit columns, and tiles of distances for each thread. */
static double relieff_memory(const hs_size *size, const void *options)
{
    (void)options;
    return size->rows * (size->features / 8 + 8 * size->columns + 64) + size->threads * 4e6;
}

HS_EAGER_METHOD(
    relieff, "relieff", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET | HS_CUTS_TARGET,
    relieff_table, sizeof(struct options), NULL, relieff_choose, KEPT, DROPPED, hs_eager_scores,
    .memory = relieff_memory, .title = "ReliefF weight above a threshold",
    .help = "Keeps every feature whose ReliefF weight is above the threshold. The weight says how "
            "much more often the feature differs between an instance and its nearest neighbours of "
            "other classes than of its own. The weights are those of WEKA's ReliefFAttributeEval "
            "on all instances. Ignores the hierarchy. Ties between neighbours are broken by the "
            "order of instances in the data; order=folds reproduces cross-validations made with "
            "WEKA, as in published figures." HS_QUARTERS,
    .citation = "Kononenko (1994), ECML, LNCS 784:171-182; WEKA 3.6, ReliefFAttributeEval and "
                "Ranker");

/* The best features by any ranker or measure: what most studies of filters do (25 features in Van
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
static const hs_option top_table[] = {
    HS_TEXT(struct options, ranker, "by", "RANKER", "auc",
            "ranker or measure, its options in parentheses: or(zero=inf)"),
    HS_OPTION(struct options, k, "k", "N", "25", 1, 268435456,
              "number of features to keep; all if there are fewer"),
    HS_OPTION(struct options, share, "share", "P", "0", 0, 1,
              "share of the features to keep, instead of k"),
    HS_OPTION_END};

static int top_check(const void *options, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen ranker = {0};
    return hs_chosen_parse(HS_RANKER, ((const struct options *)options)->ranker, &ranker, error);
}

static int top_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    HS_OWNED double *score = HS_NEW(double, c->training->view.data->features);
    HS_OWNS(hs_chosen_clear) hs_chosen ranker = {0};
    HS_NEED(score);
    HS_TRY(hs_chosen_parse(HS_RANKER, o->ranker, &ranker, error));
    HS_TRY(hs_rank_features(c->training, &ranker, 1, &score, error));
    for (uint32_t i = 0; i < c->count; i++)
        c->score[i] = score[c->feature[i]];
    return hs_candidates_best(c, o->share > 0 ? fmax(1, round(o->share * c->count)) : o->k, keep,
                              error);
}

HS_EAGER_METHOD(top, "top", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET, top_table,
                sizeof(struct options), NULL, top_choose, KEPT, DROPPED, hs_eager_scores,
                .title = "the best features by a ranker or measure",
                .help = "Keeps the k features that a ranker or measure (hsel methods) scores "
                        "highest, or a share of all features. All are kept if there are no more "
                        "than k. Ties go to the feature that comes first in the data. Options of "
                        "the ranker are written in parentheses: top:by=or(zero=inf),k=25. For a "
                        "numeric target, use by=pearson or by=spearman. Ignores the hierarchy.",
                .citation = "as in Van Hulse, Khoshgoftaar, Napolitano, Wald (2012): 25 features",
                .check = top_check);

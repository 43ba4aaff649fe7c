/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SIG: features with enough information gain, the plain filter that hierarchical selectors are
 * compared with.
 *
 *     keep f iff IG(f) >= threshold          IG in bits (measure/information.c)
 *     normalize: (IG(f) - least) / (greatest - least) in place of IG(f); 1 if all are equal
 *
 * Ristoski and Paulheim (2014), section 4.2, "SIG", made with RapidMiner's weighting by information
 * gain. RapidMiner may bring weights to [0,1] first; the paper does not say whether it did, so that
 * is an option and off. The paper names no threshold; 0.01 is ours.
 *
 * O(d K) time, O(d) memory. No ties to break: every feature stands for itself.
 */
#include <math.h>

#include "select/eager.h"

#define ROUNDING 1e-12 /* gains that are equal may differ by this much */

struct options {
    double threshold;
    bool normalize;
};

static const hs_option table[] = {
    HS_OPTION(struct options, threshold, "threshold", "T", "0.01", 0, 1000,
              "features with at least this weight are kept"),
    HS_FLAG(struct options, normalize, "normalize", "bring the weights to 0 ... 1 first"),
    HS_OPTION_END};

static int choose(const hs_candidates *c, const void *settings, bool *keep, hsel_error *error)
{
    const struct options *options = settings;
    double least = INFINITY, greatest = -INFINITY, *weight = c->score;
    (void)error;
    for (uint32_t i = 0; i < c->count; i++) {
        least = fmin(least, weight[i]);
        greatest = fmax(greatest, weight[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (options->normalize)
            weight[i] = greatest - least > ROUNDING ? (weight[i] - least) / (greatest - least) : 1;
        keep[i] = weight[i] >= options->threshold;
    }
    return HSEL_OK;
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .score = hs_eager_ig, .choose = choose, .flat = true);

const hs_method hs_method_sig = {
    HS_SELECTOR_WITH(selector, table, struct options),
    .name = "sig",
    .title = "information gain at or above a threshold",
    .help = "Keeps every feature whose information gain in bits, or that brought to the range from "
            "0 to 1, is at or above the threshold. Does not look at the hierarchy.",
    .citation = "Ristoski, Paulheim (2014), section 4.2 (SIG); the default threshold is ours",
    .flags = HS_NEEDS_CLASSES};

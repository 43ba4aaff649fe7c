/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HFE, hierarchical feature engineering: SHSEL by correlation, and a look at the leaves. Oudah,
 * Henschel (2018), made for abundances of taxa, where the value of a node is first set to its own
 * plus the sum over its descendants. For binary features that keep the true-path rule this step is
 * already done: a feature is positive if it or anything below it is. So, for binary features:
 *
 *   1  v goes if its correlation with some parent is >= threshold (with a constant feature it
 *      counts as 1);
 *   2  v goes if IG(v) < mean IG of a path through it, taken over what phase 1 left of the path: of
 *      any path (strict) or of every path (lenient); and if IG(v) = 0;
 *   3  a leaf of the hierarchy that is left goes if it ends a path shorter than the longest path of
 *      the hierarchy and IG(v) < mean IG of all that is left.
 *
 * The paper is about trees; on a DAG the mean of phase 3 counts each feature once, not once a path
 * as hfs does. Scores equal within 1e-12 are equal, so no tie is broken.
 * Time O(positive values * parents + edges * nodes of the longest path), memory O(features +
 * instances).
 */
#include "select/eager.h"
#include "select/paths.h"

typedef struct settings {
    double threshold;
    int prune;
} settings;

enum { STRICT, LENIENT };

static const hs_option table[] = {
    HS_OPTION(settings, threshold, "threshold", "T", "0.7", -1, 1,
              "features whose correlation with a parent is at least this go"),
    HS_CHOICE(settings, prune, "prune", "strict|lenient", "strict",
              "second phase: drop what is below the mean of any path, of every path"),
    HS_OPTION_END};

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    HS_TRY(hs_candidates_uncorrelated(c, o->threshold, keep, error));
    return hs_paths_hfe(c->dag, c->score, o->prune == STRICT, keep, c->training->progress, error);
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .score = hs_eager_ig, .choose = choose);

const hs_method hs_method_hfe = {
    HS_SELECTOR_WITH(selector, table, settings),
    .name = "hfe",
    .title = "HFE: SHSEL by correlation, and weak leaves go",
    .help = "Drops features that are correlated with a parent, then those whose information gain "
            "is 0 or below the mean of what is left of a path through them, then leaves of paths "
            "shorter than the longest whose information gain is below the mean of all that is "
            "left. Made for sums of abundances; binary features that keep the true-path rule need "
            "no summing, a feature is positive when anything below it is.",
    .citation = "Oudah, Henschel: Taxonomy-aware feature engineering for microbiome "
                "classification, BMC Bioinformatics 19:227, 2018; details after hfs",
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

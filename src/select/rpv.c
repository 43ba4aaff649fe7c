/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RPV, select relevant positive feature values. Keeps the positive features of the instance of
 * which no positive descendant is more relevant: v stays iff x_v = 1 and score(v) >= max over d in
 * desc(v), x_d = 1, of score(d). Negative features all go: that a term was not found for an
 * instance tells little.
 *
 * da Silva, Plastino, Freitas (2020), doi 10.1007/s10489-020-01782-5, algorithm 1, which for each
 * positive feature removes every ancestor of lower score; the order of removals does not matter.
 * The score is LazyR(f=1) (equation 2), R or IG of the training part; the authors' program has
 * LazyR only. smoothing=rpv is what their tables of RPV-R were made with.
 *
 * The maximum over descendants is passed on upwards (lazy.c), which equals the algorithm on
 * data that obey the true-path rule; others are refused. Time O(positive features + edges among
 * them) per instance, O(features x classes) to prepare; memory O(features). Ties: the removal is
 * strict, so of equal scores both stay. A most specific positive feature always stays.
 */
#include "select/lazy.h"

static const hs_option table[] = {
    HS_CHOICE(hs_relevance, measure, "measure", "lazyr|r|ig", "lazyr", "relevance of a feature"),
    HS_SMOOTHING_OPTION(hs_relevance, smoothing),
    HS_CHOICE(hs_relevance, lazyr, "lazyr", "equation|code", "equation",
              "LazyR over all classes, or of the positive class against the rest"),
    HS_OPTION_END};

HS_LAZY_SELECTOR(rpv, "rpv", HS_RPV, options, hs_lazy_get_scores);

const hs_method hs_method_rpv = {
    HS_SELECTOR_WITH(rpv, table, hs_relevance),
    .name = "rpv",
    .title = "relevant positive values",
    .help = "Lazy: for each instance keeps its positive features that are at least as relevant as "
            "every positive feature below them; negative features are dropped. Of equally "
            "relevant features both stay. measure=lazyr looks at the feature's presence alone. "
            "measure=r,smoothing=rpv is the RPV-R of the paper's tables.",
    .citation = "da Silva, Plastino, Freitas (2020), Applied Intelligence, algorithm 1",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

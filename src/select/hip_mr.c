/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HIP-MR, select hierarchical information-preserving and most relevant features, and HNB-s, which
 * is the same rule under its later name: what HIP would remove stays if it is more relevant than
 * what makes it redundant. With R of the training part,
 *
 *     positive v stays iff every positive descendant d has R(d) < R(v);
 *     negative v stays iff every negative ancestor a has R(a) < R(v).
 *
 * Wan, Freitas (2013), HIP-MR: a positive f removes its ancestors a with R(a) <= R(f), a negative f
 * its descendants d with R(d) <= R(f). HNB-s: Wan, Freitas (2015), hierarchical naive Bayes.
 * Whether equals are removed (as here and in the hfs package) could not be confirmed in the papers.
 * The order of removals does not matter. Data that break the true-path rule are refused.
 *
 * Time per instance: as mr, O(positive features + edges among them + features selected), nearly
 * (lazy.c). To prepare: O(features x classes + edges) and the walks to blockers. Memory
 * O(features + blockers). Ties: of
 * equal R the more specific positive and the more general negative feature stays.
 */
#include "select/lazy.h"

static const hs_option table[] = {HS_SMOOTHING_OPTION(hs_relevance, smoothing), HS_OPTION_END};

HS_LAZY_SELECTOR(hip_mr, "hip-mr", HS_HIP_MR, options, hs_lazy_get_scores);
HS_LAZY_SELECTOR(hnb_s, "hnb-s", HS_HIP_MR, options, hs_lazy_get_scores);

const hs_method hs_method_hip_mr = {
    HS_SELECTOR_WITH(hip_mr, table, hs_relevance),
    .name = "hip-mr",
    .title = "information preserving and most relevant",
    .help = "Lazy: for each instance drops the ancestors of its positive features and the "
            "descendants of its negative ones, unless they have a greater relevance R.",
    .citation = "Wan, Freitas (2013), HIP-MR",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

const hs_method hs_method_hnb_s = {
    HS_SELECTOR_WITH(hnb_s, table, hs_relevance),
    .name = "hnb-s",
    .title = "features of hierarchical naive Bayes",
    .help = "Lazy: the rule of hip-mr, under the name of the naive Bayes that was built on it: all "
            "features that are not redundant to a feature of at least their relevance R.",
    .citation = "Wan, Freitas (2015), HNB-s",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

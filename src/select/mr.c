/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MR, select most relevant features: on each path of the hierarchy, of the features that say the
 * same about the instance, only the one with the greatest relevance R stays.
 *
 * Wan, Freitas (2013), MR, as in their program: for a positive v and each path through v the list
 * root..v, for a negative v the list v..leaf; in each list all but one node of greatest R are
 * removed, for good. No path is enumerated here, by this equivalence:
 *
 *     positive v stays iff no ancestor has R > R(v) and no positive descendant has R >= R(v);
 *     negative v stays iff no descendant has R > R(v) and no negative ancestor has R >= R(v).
 *
 * Any ancestor of v shares a list with it, any positive descendant too, and v's lists hold nothing
 * else; v loses in some list iff one of these beats it. (Negative: mirrored.) All ancestors of a
 * positive and all descendants of a negative feature have its value, so the first half of each rule
 * is prepared once. Data that break the true-path rule are refused.
 *
 * Time per instance: O(positive features + edges among them + features selected), nearly, as
 * lazy.c explains. To prepare: O(features x classes + edges) and the walks to blockers.
 * Memory O(features + blockers). Ties: among
 * positives the more specific stays, among negatives the more general (the program keeps the last
 * of equals in lists ordered root..v and leaf..v). smoothing=rpv is for the RPV paper's tables.
 */
#include "select/lazy.h"

static const hs_option table[] = {HS_SMOOTHING_OPTION(hs_relevance, smoothing), HS_OPTION_END};

HS_LAZY_SELECTOR(mr, "mr", HS_MR, options, hs_lazy_get_scores);

const hs_method hs_method_mr = {
    HS_SELECTOR_WITH(mr, table, hs_relevance),
    .name = "mr",
    .title = "most relevant features",
    .help =
        "Lazy: of the features on a path that have the same value in the instance keeps the one "
        "with the greatest relevance R, on every path. Of equally relevant features the more "
        "specific positive and the more general negative one stays.",
    .citation = "Wan, Freitas (2013), MR",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

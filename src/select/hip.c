/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HIP, select hierarchical information-preserving features, and its positive half HIP+. A positive
 * feature makes its ancestors redundant, a negative one its descendants: their values follow from
 * it. What stays tells the values of all others:
 *
 *     a positive feature stays iff none of its children is positive;
 *     a negative feature stays iff all its parents are positive, or it has none.
 *
 * Wan, Freitas, de Magalhaes (2015), HIP, as described by da Silva, Plastino, Freitas (2020): each
 * positive feature removes all its ancestors, each negative one all its descendants. Looking at
 * children and parents alone is the same on data that obey the true-path rule: the child on the way
 * to a positive descendant is its ancestor, hence positive. Other data are refused. HIP+ (Wan,
 * Barton 2024, EL-HIP+) keeps the positive ones of these and no negative ones.
 *
 * Time per instance: HIP+ O(positive features + edges among them); HIP also O(children of positive
 * features + roots), independent of the number of features otherwise. Memory O(roots). There is no
 * relevance and there are no ties.
 */
#include "select/lazy.h"

HS_LAZY_SELECTOR(hip, "hip", HS_HIP, NULL, NULL);
HS_LAZY_SELECTOR(hip_plus, "hip-plus", HS_HIP_PLUS, NULL, NULL);

const hs_method hs_method_hip = {
    .kind = HS_SELECTOR,
    .name = "hip",
    .title = "hierarchical information preserving",
    .help =
        "Lazy: for each instance keeps its most specific positive features and its most general "
        "negative ones. All other values follow from these. Takes no relevance into account.",
    .citation = "Wan, Freitas, de Magalhaes (2015), HIP",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY,
    .selector = &hip};

const hs_method hs_method_hip_plus = {
    .kind = HS_SELECTOR,
    .name = "hip-plus",
    .title = "positive half of hip",
    .help =
        "Lazy: for each instance keeps its most specific positive features, and no negative ones.",
    .citation = "Wan, Barton (2024), HIP+ of EL-HIP+",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY,
    .selector = &hip_plus};

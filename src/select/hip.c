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
 * Time an instance: HIP+ O(positive features + edges among them); HIP also O(children of positive
 * features + roots), independent of the number of features otherwise. Memory O(roots). There is no
 * relevance and there are no ties.
 */
#include "core/mem.h"
#include "select/lazy.h"

static int prepare_as(const char *name, const hs_training *training, void **state,
                      hsel_error *error)
{
    hs_lazy *lazy = HS_NEW_ZERO(hs_lazy, 1);
    *state = NULL;
    if (!lazy)
        return hs_fail_memory(error);
    int status = hs_lazy_init(lazy, training, name, error);
    if (status)
        hs_lazy_free(lazy);
    else
        *state = lazy;
    return status;
}

static int prepare_hip(const hs_training *training, const void *options, void **state,
                       hsel_error *error)
{
    (void)options;
    return prepare_as("hip", training, state, error);
}

static int prepare_hip_plus(const hs_training *training, const void *options, void **state,
                            hsel_error *error)
{
    (void)options;
    return prepare_as("hip-plus", training, state, error);
}

static int select_positive(const void *state, const uint32_t *row, size_t count,
                           hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const hs_lazy *lazy = state;
    uint32_t kept = 0;
    int status = hs_lazy_start(lazy, row, count, scratch, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(lazy, row[i]) && scratch->count[row[i]] == 0)
            out->positive[kept++] = row[i];
    out->positive_count = kept;
    out->negative_count = 0;
    out->all_negative = false;
    return HSEL_OK;
}

static int select_both(const void *state, const uint32_t *row, size_t count,
                       hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    int status = select_positive(state, row, count, scratch, out, error);
    if (status == HSEL_OK)
        hs_lazy_sweep_down(state, row, count, HS_NEGATIVE_HIP, scratch, out);
    return status;
}

static const hs_selector hip = {
    .prepare = prepare_hip, .select_for = select_both, .free = hs_lazy_free};
static const hs_selector hip_plus = {
    .prepare = prepare_hip_plus, .select_for = select_positive, .free = hs_lazy_free};

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

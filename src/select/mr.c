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
 * Time an instance: O(positive features + edges among them + features selected), nearly, as
 * lazy_blockers.c explains. To prepare: O(features x classes + edges) and the walks to blockers.
 * Memory O(features + blockers). Ties: among
 * positives the more specific stays, among negatives the more general (the program keeps the last
 * of equals in lists ordered root..v and leaf..v). smoothing=rpv is for the RPV paper's tables.
 */
#include "core/mem.h"
#include "select/lazy.h"

typedef struct settings {
    int smoothing; /* hs_smoothing */
} settings;

static const hs_option table[] = {HS_SMOOTHING_OPTION(settings, smoothing), HS_OPTION_END};

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    const settings *o = options;
    hs_lazy *lazy = HS_NEW_ZERO(hs_lazy, 1);
    *state = NULL;
    if (!lazy)
        return hs_fail_memory(error);
    int status = hs_lazy_init(lazy, training, "mr", error);
    if (status == HSEL_OK)
        status = hs_lazy_score(lazy, training, HS_BY_R, (hs_smoothing)o->smoothing,
                               HS_LAZYR_EQUATION, error);
    if (status == HSEL_OK)
        status = hs_lazy_extremes(lazy, error);
    if (status == HSEL_OK)
        status = hs_lazy_find_blockers(lazy, training, HS_NEGATIVE_MR, error);
    if (status)
        hs_lazy_free(lazy);
    else
        *state = lazy;
    return status;
}

static int select_for(const void *state, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const hs_lazy *lazy = state;
    uint32_t kept = 0;
    int status = hs_lazy_start(lazy, row, count, scratch, error);
    if (status)
        return status;
    hs_lazy_sweep_up(lazy, row, count, scratch);
    for (size_t i = 0; i < count; i++) {
        uint32_t v = row[i];
        if (hs_lazy_can_use(lazy, v) && lazy->above[v] <= lazy->score[v] &&
            scratch->value[v] < lazy->score[v])
            out->positive[kept++] = v;
    }
    out->positive_count = kept;
    out->all_negative = false;
    hs_lazy_negatives(lazy, row, count, HS_NEGATIVE_MR, scratch, out);
    return HSEL_OK;
}

static const hs_selector mr = {.prepare = prepare,
                               .select_for = select_for,
                               .scores = hs_lazy_get_scores,
                               .free = hs_lazy_free};

const hs_method hs_method_mr = {
    .kind = HS_SELECTOR,
    .name = "mr",
    .title = "most relevant features",
    .help =
        "Lazy: of the features on a path that have the same value in the instance keeps the one "
        "with the greatest relevance R, on every path. Of equally relevant features the more "
        "specific positive and the more general negative one stays.",
    .citation = "Wan, Freitas (2013), MR",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .selector = &mr};

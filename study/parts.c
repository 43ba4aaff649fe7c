/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study divided into parts that run independently, each into a separate store. Every part assigns
 * all units, in the same order, each to the part with the least estimated cost so far, and runs its
 * own: parts do not communicate, and the content of a store does not matter. O(log parts) for a
 * unit.
 */
#include "study/runner_parts.h"

/* ---- what a unit costs ---- */

static const struct {
    const char *method;
    double cost;
} costs[] = {
#include "study/costs.def"
};
#define UNKNOWN_COST 10
#define FIXED_COST   50000 /* nanoseconds of a job on any data */

static double cost_of(const hs_chosen *chosen)
{
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++)
        if (strcmp(costs[i].method, chosen->method->name) == 0)
            return costs[i].cost;
    return UNKNOWN_COST;
}

double hs_share_other(const hs_workload *work)
{
    return work->data
               ? FIXED_COST + UNKNOWN_COST * (double)work->data->instances * work->data->features
               : FIXED_COST;
}

/* ---- dealing ---- */

int hs_share_init(hs_share *share, uint32_t part, uint32_t parts, hsel_error *error)
{
    *share = (hs_share){.part = part, .parts = parts};
    if (parts == 0)
        return HSEL_OK;
    HS_NEED(share->heap = HS_NEW_ZERO(struct hs_share_load, parts));
    for (uint32_t i = 0; i < parts; i++)
        share->heap[i].part = i + 1;
    return HSEL_OK;
}

static bool before(const struct hs_share_load *a, const struct hs_share_load *b)
{
    return a->load < b->load || (a->load == b->load && a->part < b->part);
}

bool hs_share_deal(hs_share *share, double cost)
{
    struct hs_share_load *heap = share->heap, top = heap ? heap[0] : (struct hs_share_load){0};
    if (!heap)
        return true;
    bool mine = top.part == share->part;
    share->all += cost;
    share->mine += mine ? cost : 0;
    top.load += cost;
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < share->parts; at = child) {
        child += child + 1 < share->parts && before(&heap[child + 1], &heap[child]);
        if (!before(&heap[child], &top))
            break;
        heap[at] = heap[child];
    }
    heap[at] = top;
    return mine;
}

void hs_share_clear(hs_share *share) { hs_free(share->heap); }

int hs_share_units(hs_share *share, const hs_workload *work, bool **out, hsel_error *error)
{
    const hs_study *study = work->study;
    size_t selectors = study->selector_count, folds = (size_t)study->repeats * work->fold_count;
    double cells = (double)work->data->instances * work->data->features, classify = 0,
           fixed = FIXED_COST * (double)study->classifier_count;
    HS_OWNED bool *mine = HS_NEW_ZERO(bool, selectors *folds + 1);
    HS_OWNED double *left = HS_NEW(double, selectors + 1);
    HS_NEED(mine && left);
    for (size_t c = 0; c < study->classifier_count; c++)
        classify += cost_of(&study->chosen[HS_CLASSIFIER].items[c]);
    for (size_t s = 0; s < selectors; s++)
        left[s] = cost_of(&study->chosen[HS_SELECTOR].items[s]);
    /* The most expensive selectors first, so that cheap ones fill the gaps. The units of a selector
     * follow each other: they cost the same, however wrong the estimate is. */
    for (size_t i = 0; i < selectors; i++) {
        size_t costly = 0;
        for (size_t s = 1; s < selectors; s++)
            costly = left[s] > left[costly] ? s : costly;
        for (size_t f = 0; f < folds; f++)
            mine[f * selectors + costly] =
                hs_share_deal(share, fixed + cells * (left[costly] + classify));
        left[costly] = -1;
    }
    *out = hs_take(&mine);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selection for one instance: two lists with room for all features, made once and filled again
 * for each instance.
 */
#include "data/training.h"

#include "core/mem.h"

int hs_selection_init(hs_selection *selection, uint32_t features, hsel_error *error)
{
    *selection = (hs_selection){.positive = HS_NEW(uint32_t, features),
                                .negative = HS_NEW(uint32_t, features)};
    if (selection->positive && selection->negative)
        return HSEL_OK;
    hs_selection_clear(selection);
    return hs_fail_memory(error);
}

void hs_selection_clear(hs_selection *selection)
{
    hs_free(selection->positive);
    hs_free(selection->negative);
    *selection = (hs_selection){0};
}

uint32_t hs_selection_size(const hs_selection *selection, uint32_t features, size_t positives)
{
    uint32_t negatives =
        selection->all_negative ? features - (uint32_t)positives : selection->negative_count;
    return selection->positive_count + negatives;
}

void hs_selection_each(const hs_selection *selection, uint32_t features, const uint32_t *row,
                       size_t count, void (*each)(void *context, uint32_t feature, bool value),
                       void *context)
{
    size_t next = 0;
    for (uint32_t i = 0; i < selection->positive_count; i++)
        each(context, selection->positive[i], true);
    for (uint32_t i = 0; !selection->all_negative && i < selection->negative_count; i++)
        each(context, selection->negative[i], false);
    for (uint32_t f = 0; selection->all_negative && f < features; f++) {
        if (next < count && row[next] == f)
            next++;
        else
            each(context, f, false);
    }
}

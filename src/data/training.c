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

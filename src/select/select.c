/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch of the lazy selectors. Marks are never cleared between instances: an older round's mark
 * means nothing.
 */
#include "select/select.h"

#include <string.h>

#include "core/mem.h"

int hs_lazy_scratch_init(hs_lazy_scratch *scratch, uint32_t features, hsel_error *error)
{
    *scratch = (hs_lazy_scratch){.features = features,
                                 .mark = HS_NEW_ZERO(uint32_t, features),
                                 .count = HS_NEW(uint32_t, features),
                                 .list = HS_NEW(uint32_t, features),
                                 .value = HS_NEW(double, features)};
    if (scratch->mark && scratch->count && scratch->list && scratch->value)
        return HSEL_OK;
    hs_lazy_scratch_clear(scratch);
    return hs_fail_memory(error);
}

void hs_lazy_scratch_clear(hs_lazy_scratch *scratch)
{
    hs_free(scratch->mark);
    hs_free(scratch->count);
    hs_free(scratch->list);
    hs_free(scratch->value);
    *scratch = (hs_lazy_scratch){0};
}

uint32_t hs_lazy_scratch_next(hs_lazy_scratch *scratch)
{
    if (scratch->round >= UINT32_MAX - 3) {
        memset(scratch->mark, 0, scratch->features * sizeof *scratch->mark);
        scratch->round = 0;
    }
    return scratch->round += 2;
}

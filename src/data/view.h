/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view: some rows and some features of a data set, without copying. It borrows everything.
 */
#ifndef HS_DATA_VIEW_H
#define HS_DATA_VIEW_H

#include "data/bits.h"
#include "data/dataset.h"

typedef struct hs_view {
    const hsel_dataset *data;
    const uint32_t *rows; /* NULL: all instances, in order */
    uint32_t row_count;
    const uint64_t *features; /* bit set; NULL: all */
} hs_view;

static inline hs_view hs_view_all(const hsel_dataset *data)
{
    return (hs_view){.data = data, .row_count = data->instances};
}

static inline uint32_t hs_view_row(const hs_view *view, uint32_t i)
{
    return view->rows ? view->rows[i] : i;
}
static inline bool hs_view_has(const hs_view *view, uint32_t feature)
{
    return !view->features || hs_bit_get(view->features, feature);
}

#endif

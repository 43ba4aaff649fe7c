/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scoring all features with a chosen measure. O(features x classes).
 */
#include "measure/measure.h"

#include <math.h>

bool hs_table_is_whole(const hs_value_table *table)
{
    bool whole = table->total <= UINT32_MAX;
    for (size_t i = 0; i < (size_t)table->values * table->classes && whole; i++)
        whole = table->cell[i] == floor(table->cell[i]);
    return whole;
}

void hs_measure_features(const hs_chosen *measure, const hs_counts *counts, uint32_t positive_class,
                         double *scores)
{
    for (uint32_t f = 0; f < counts->features; f++) {
        hs_cells cells = hs_cells_of(counts, f, positive_class);
        scores[f] = measure->method->measure->score(&cells, measure->options);
    }
}

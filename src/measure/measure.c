/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scoring all features with a chosen measure. O(features x classes).
 */
#include "measure/measure.h"

void hs_measure_features(const hs_chosen *measure, const hs_counts *counts, uint32_t positive_class,
                         double *scores)
{
    for (uint32_t f = 0; f < counts->features; f++) {
        hs_cells cells = hs_cells_of(counts, f, positive_class);
        scores[f] = measure->method->measure->score(&cells, measure->options);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The vote of the nearest neighbours, by sorting all distances.
 */
#include "support/vote_twin.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void hs_vote_twin(const double *distance, const uint32_t *label, uint32_t n, uint32_t k,
                  uint32_t classes, double *out)
{
    double sorted[VOTE_MOST], neighbours = 0;
    memcpy(sorted, distance, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (uint32_t c = 0; c < classes; c++)
        out[c] = 0;
    for (uint32_t i = 0; i < n; i++)
        if (distance[i] <= sorted[(k < n ? k : n) - 1]) {
            out[label[i]]++;
            neighbours++;
        }
    double share = 1.0 / (n ? n : 1);
    for (uint32_t c = 0; c < classes; c++)
        out[c] = (out[c] + share) / (neighbours + classes * share);
}

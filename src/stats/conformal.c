/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conformal p-values by binary search in the sorted scores of the calibration negatives.
 */
#include "stats/conformal.h"

#include "infer/procedures.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of the sorted numbers are below x, or (up) not above it. */
static uint32_t below(const double *sorted, uint32_t count, double x, bool up)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (up ? sorted[middle] <= x : sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int hs_conformal_select(const hs_conformal *c, double *p, double *adjusted, bool *selected,
                        hsel_error *error)
{
    const double all = 1 + (double)c->negatives;
    HS_OWNED double *sorted = HS_NEW(double, c->negatives);
    HS_NEED(sorted);
    HS_REFUSE(!c->negatives, "conformal selection needs calibration negatives, but there are none");
    for (uint32_t i = 0; i < c->negatives; i++)
        sorted[i] = isnan(c->negative[i]) ? (double)INFINITY : c->negative[i];
    qsort(sorted, c->negatives, sizeof *sorted, ascending);
    for (uint32_t i = 0; i < c->count; i++) {
        const double s = c->score[i];
        const uint32_t least = isnan(s) ? 0 : below(sorted, c->negatives, s, false),
                       most = isnan(s) ? 0 : below(sorted, c->negatives, s, true);
        hs_stream stream;
        double share = 1;
        if (c->randomised) {
            hs_stream_init(&stream, c->seed, "conformal", i, 0);
            share = 1 - hs_random_double(&stream); /* above 0, so that p is */
        }
        p[i] = isnan(s) ? 1 : (c->negatives - most + share * (1 + most - least)) / all;
    }
    return hs_procedure_run(hs_procedure_find("bh", error),
                            &(hs_hypotheses){.p = p, .count = c->count, .alpha = c->level},
                            selected, adjusted, error);
}

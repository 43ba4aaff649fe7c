/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of ancestor and descendant as lists, both ways, and their symmetric uncertainties. How
 * often two features are positive together comes from one pass over the rows of each feature's
 * instances, so that data that break the true-path rule are counted as they are.
 */
#include "search/relatives.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/reach.h"
#include "measure/measure.h"

#define COUNTED         (UINT64_C(1) << HS_KIN_BITS)
#define RELATIVES_LIMIT (UINT64_C(1) << (64 - HS_KIN_BITS)) /* the count holds fewer … */
_Static_assert(64 - HS_KIN_BITS + HS_KIN_UNIT <= HS_KIN_BITS, "… and the sum that many");

void hs_relatives_clear(hs_relatives *relatives)
{
    hs_free(relatives->start);
    hs_free(relatives->item);
    hs_free(relatives->weight);
    *relatives = (hs_relatives){0};
}

/* Calls for every pair that counts: `fill` false counts them into start[f + 2], true puts them. */
static void walk_pairs(const hs_view *view, hs_reach *reach, bool fill, hs_relatives *out)
{
    for (uint32_t f = 0; f < out->features; f++) {
        if (!hs_view_has(view, f))
            continue;
        uint32_t above;
        for (hs_reach_start(reach, f); (above = hs_reach_next(reach)) != HSEL_NONE;) {
            if (!hs_view_has(view, above))
                continue;
            if (fill) {
                out->item[out->start[f + 1]++] = above;
                out->item[out->start[above + 1]++] = f;
            } else {
                out->start[f + 2]++;
                out->start[above + 2]++;
            }
        }
    }
}

static int find_pairs(const hs_training *training, hs_relatives *out, hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_TRY(hs_reach_init(&reach, training->view.data->dag, error));
    walk_pairs(&training->view, &reach, false, out);
    for (uint32_t f = 0; f < out->features; f++) {
        if (out->start[f + 2] >= RELATIVES_LIMIT)
            return hs_fail(error, HSEL_ELIMIT, "feature %.200s has %zu ancestors and descendants",
                           hsel_dataset_feature_name(training->view.data, f), out->start[f + 2]);
        out->start[f + 2] += out->start[f + 1];
    }
    HS_NEED(out->item = HS_NEW(uint32_t, out->start[out->features + 1]));
    walk_pairs(&training->view, &reach, true, out);
    return HSEL_OK;
}

/* together[g]: rows of the view in which f and g are positive, for all g; returns those of f. */
static uint32_t count_together(const hsel_dataset *data, const uint32_t *times, uint32_t f,
                               uint32_t *together)
{
    size_t instances, count;
    const uint32_t *column = hs_column(data, f, &instances);
    uint32_t with = 0;
    for (size_t i = 0; i < instances; i++) {
        if (!times[column[i]])
            continue;
        const uint32_t *row = hs_row(data, column[i], &count);
        with += times[column[i]];
        for (size_t j = 0; j < count; j++)
            together[row[j]] += times[column[i]];
    }
    return with;
}

static void weigh(const hs_view *view, const uint32_t *times, uint32_t *together, uint32_t *size,
                  hs_relatives *out)
{
    for (uint32_t f = 0; f < out->features; f++) {
        if (out->start[f] == out->start[f + 1])
            continue;
        memset(together, 0, out->features * sizeof *together);
        uint32_t with = count_together(view->data, times, f, together);
        for (size_t i = out->start[f]; i < out->start[f + 1]; i++) {
            uint64_t other = size[out->item[i]], both = together[out->item[i]];
            double su =
                hs_su_pair(both, with - both, other - both, view->row_count + both - with - other);
            out->weight[i] = COUNTED + (uint64_t)llround(ldexp(fmin(fmax(su, 0), 1), HS_KIN_UNIT));
        }
    }
}

static int find_weights(const hs_training *training, hs_relatives *out, hsel_error *error)
{
    const hs_view *view = &training->view;
    uint32_t *times = HS_NEW_ZERO(uint32_t, view->data->instances);
    uint32_t *together = HS_NEW(uint32_t, out->features), *size = HS_NEW(uint32_t, out->features);
    out->weight = HS_NEW(uint64_t, out->start[out->features]);
    int status = times && together && size && out->weight ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK) {
        for (uint32_t i = 0; i < view->row_count; i++)
            times[hs_view_row(view, i)]++;
        for (uint32_t f = 0; f < out->features; f++) {
            size_t instances;
            const uint32_t *column = hs_column(view->data, f, &instances);
            size[f] = 0;
            for (size_t i = 0; i < instances; i++)
                size[f] += times[column[i]];
        }
        weigh(view, times, together, size, out);
    }
    hs_free(times);
    hs_free(together);
    hs_free(size);
    return status;
}

int hs_relatives_init(const hs_training *training, bool weights, hs_relatives *out,
                      hsel_error *error)
{
    uint32_t features = training->view.data->features;
    *out = (hs_relatives){.features = features, .start = HS_NEW_ZERO(size_t, (size_t)features + 2)};
    int status = out->start ? find_pairs(training, out, error) : hs_fail_memory(error);
    if (status == HSEL_OK && weights)
        status = find_weights(training, out, error);
    if (status)
        hs_relatives_clear(out);
    return status;
}

void hs_kin_flip(const hs_relatives *relatives, hs_kin kin, uint32_t feature, bool joins)
{
    const uint32_t *restrict item = relatives->item;
    const uint64_t *restrict weight = relatives->weight;
    size_t begin = relatives->start[feature], end = relatives->start[feature + 1];
    const uint64_t one = joins ? COUNTED : 0 - COUNTED;
    if (!weight)
        for (size_t i = begin; i < end; i++)
            kin[item[i]] += one;
    else if (joins)
        for (size_t i = begin; i < end; i++)
            kin[item[i]] += weight[i];
    else
        for (size_t i = begin; i < end; i++)
            kin[item[i]] -= weight[i];
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selections to compare others with, which look at values alone: all-pos keeps the positive
 * features of the instance, all-neg the negative ones. da Silva, Plastino, Freitas (2020),
 * baselines of tables 2-10.
 *
 * Negative features are not listed but told by all_negative, so the time per instance is O(positive
 * features); memory O(1). Only when some features are not binary, all-neg lists the negative ones,
 * since the others have no value 0: O(features). There are no ties and no relevance, and no
 * hierarchy is needed.
 */
#include "select/lazy.h"

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    (void)options;
    return hs_lazy_prepare(training, NULL, HS_HIP_PLUS, NULL, sizeof(hs_lazy), state, error);
}

static int select_positive(const void *state, const uint32_t *row, size_t count,
                           hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    uint32_t kept = 0;
    (void)scratch;
    (void)error;
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(state, row[i]))
            out->positive[kept++] = row[i];
    out->positive_count = kept;
    out->negative_count = 0;
    out->all_negative = false;
    return HSEL_OK;
}

static int select_negative(const void *state, const uint32_t *row, size_t count,
                           hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const hs_lazy *lazy = state;
    (void)error;
    out->positive_count = out->negative_count = 0;
    out->all_negative = lazy->all_binary;
    if (lazy->all_binary)
        return HSEL_OK;
    uint32_t round = hs_lazy_scratch_next(scratch);
    for (size_t i = 0; i < count; i++)
        scratch->mark[row[i]] = round;
    for (uint32_t f = 0; f < lazy->features; f++)
        if (hs_lazy_can_use(lazy, f) && scratch->mark[f] != round)
            out->negative[out->negative_count++] = f;
    return HSEL_OK;
}

static const hs_selector all_pos = {.prepare = prepare,
                                    .select_for = select_positive,
                                    .free = hs_lazy_free},
                         all_neg = {.prepare = prepare,
                                    .select_for = select_negative,
                                    .free = hs_lazy_free};

const hs_method hs_method_all_pos = {
    .kind = HS_SELECTOR,
    .name = "all-pos",
    .title = "all positive features",
    .help = "Lazy: for each instance keeps the features that are positive in it.",
    .citation = "da Silva, Plastino, Freitas (2020), baseline All-Pos",
    .flags = HS_LAZY,
    .selector = &all_pos};

const hs_method hs_method_all_neg = {
    .kind = HS_SELECTOR,
    .name = "all-neg",
    .title = "all negative features",
    .help = "Lazy: for each instance keeps the features that are negative in it.",
    .citation = "da Silva, Plastino, Freitas (2020), baseline All-Neg",
    .flags = HS_LAZY,
    .selector = &all_neg};

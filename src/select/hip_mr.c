/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HIP-MR, select hierarchical information-preserving and most relevant features, and HNB-s, which
 * is the same rule under its later name: what HIP would remove stays if it is more relevant than
 * what makes it redundant. With R of the training part,
 *
 *     positive v stays iff every positive descendant d has R(d) < R(v);
 *     negative v stays iff every negative ancestor a has R(a) < R(v).
 *
 * Wan, Freitas (2013), HIP-MR: a positive f removes its ancestors a with R(a) <= R(f), a negative f
 * its descendants d with R(d) <= R(f). HNB-s: Wan, Freitas (2015), hierarchical naive Bayes.
 * Whether equals are removed (as here and in the hfs package) could not be confirmed in the papers.
 * The order of removals does not matter. Data that break the true-path rule are refused.
 *
 * Time an instance: as mr, O(positive features + edges among them + features selected), nearly
 * (lazy_blockers.c). To prepare: O(features x classes + edges) and the walks to blockers. Memory
 * O(features + blockers). Ties: of
 * equal R the more specific positive and the more general negative feature stays.
 */
#include "core/mem.h"
#include "select/lazy.h"

typedef struct settings {
    int smoothing; /* hs_smoothing */
} settings;

static const hs_option table[] = {HS_SMOOTHING_OPTION(settings, smoothing), HS_OPTION_END};

static int prepare_as(const char *name, const hs_training *training, const settings *options,
                      void **state, hsel_error *error)
{
    hs_lazy *lazy = HS_NEW_ZERO(hs_lazy, 1);
    *state = NULL;
    if (!lazy)
        return hs_fail_memory(error);
    int status = hs_lazy_init(lazy, training, name, error);
    if (status == HSEL_OK)
        status = hs_lazy_score(lazy, training, HS_BY_R, (hs_smoothing)options->smoothing,
                               HS_LAZYR_EQUATION, error);
    if (status == HSEL_OK)
        status = hs_lazy_extremes(lazy, error);
    if (status == HSEL_OK)
        status = hs_lazy_find_blockers(lazy, training, HS_NEGATIVE_HIP_MR, error);
    if (status)
        hs_lazy_free(lazy);
    else
        *state = lazy;
    return status;
}

static int prepare_hip_mr(const hs_training *training, const void *options, void **state,
                          hsel_error *error)
{
    return prepare_as("hip-mr", training, options, state, error);
}

static int prepare_hnb_s(const hs_training *training, const void *options, void **state,
                         hsel_error *error)
{
    return prepare_as("hnb-s", training, options, state, error);
}

int hs_lazy_hip_mr(const hs_lazy *lazy, const uint32_t *row, size_t count, hs_lazy_scratch *scratch,
                   hs_selection *out, hsel_error *error)
{
    uint32_t kept = 0;
    int status = hs_lazy_start(lazy, row, count, scratch, error);
    if (status)
        return status;
    hs_lazy_sweep_up(lazy, row, count, scratch);
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(lazy, row[i]) && scratch->value[row[i]] < lazy->score[row[i]])
            out->positive[kept++] = row[i];
    out->positive_count = kept;
    out->all_negative = false;
    hs_lazy_negatives(lazy, row, count, HS_NEGATIVE_HIP_MR, scratch, out);
    return HSEL_OK;
}

static int select_for(const void *state, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    return hs_lazy_hip_mr(state, row, count, scratch, out, error);
}

static const hs_selector hip_mr = {.prepare = prepare_hip_mr,
                                   .select_for = select_for,
                                   .scores = hs_lazy_get_scores,
                                   .free = hs_lazy_free};
static const hs_selector hnb_s = {.prepare = prepare_hnb_s,
                                  .select_for = select_for,
                                  .scores = hs_lazy_get_scores,
                                  .free = hs_lazy_free};

const hs_method hs_method_hip_mr = {
    .kind = HS_SELECTOR,
    .name = "hip-mr",
    .title = "information preserving and most relevant",
    .help = "Lazy: for each instance drops the ancestors of its positive features and the "
            "descendants of its negative ones, unless they have a greater relevance R.",
    .citation = "Wan, Freitas (2013), HIP-MR",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .selector = &hip_mr};

const hs_method hs_method_hnb_s = {
    .kind = HS_SELECTOR,
    .name = "hnb-s",
    .title = "features of hierarchical naive Bayes",
    .help = "Lazy: the rule of hip-mr, under the name of the naive Bayes that was built on it: all "
            "features that are not redundant to a feature of at least their relevance R.",
    .citation = "Wan, Freitas (2015), HNB-s",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .selector = &hnb_s};

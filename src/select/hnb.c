/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HNB and RNB: the k most relevant features, by R of the training part. HNB takes them for each
 * instance among what hnb-s keeps (hip_mr.c), so they are not redundant to each other; RNB takes
 * the k best of all, whatever the instance and the hierarchy say: the relevance-based naive Bayes
 * that HNB is compared with.
 *
 * Wan, Freitas (2015), hierarchical naive Bayes, as the hfs package describes it. k=0 keeps all.
 *
 * Time per instance: HNB as hnb-s, and O(selected). To prepare: O(features log features) for the
 * ranking. Memory O(features). Ties at the last place: the feature with the lower index stays (hfs:
 * the later one).
 */
#include "core/mem.h"
#include "rank/rank.h"
#include "select/eager.h"
#include "select/lazy.h"

typedef struct settings {
    uint32_t k;
    int smoothing; /* hs_smoothing */
} settings;

static const hs_option table[] = {HS_OPTION(settings, k, "k", "N", "0", 0, HS_FEATURES_LIMIT,
                                            "how many features to keep; 0 keeps all"),
                                  HS_SMOOTHING_OPTION(settings, smoothing), HS_OPTION_END};

/* ---- hnb ---- */

typedef struct ranking {
    hs_lazy lazy; /* first, for its slots; owns what follows */
    uint32_t k;
    uint32_t *rank; /* of each usable feature, 0 the best */
} ranking;
HS_RELEASE(release, void, hs_lazy_free)

static int prepare_hnb(const hs_training *training, const void *options, void **out,
                       hsel_error *error)
{
    const settings *o = options;
    const hs_relevance by = {.smoothing = o->smoothing};
    HS_OWNS(release) void *state = NULL;
    HS_TRY(hs_lazy_prepare(training, "hnb", HS_HIP_MR, &by, sizeof(ranking), &state, error));
    ranking *r = state;
    uint32_t features = r->lazy.features;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, features);
    r->k = o->k ? o->k : UINT32_MAX;
    r->rank = HS_ARENA_NEW(&r->lazy.memory, uint32_t, features);
    HS_NEED(order && r->rank);
    uint32_t count = hs_rank_order(r->lazy.score, features, r->lazy.usable, order);
    for (uint32_t i = 0; i < count; i++)
        r->rank[order[i]] = i;
    *out = hs_take(&state);
    return HSEL_OK;
}

static uint32_t keep_better(const ranking *r, uint32_t *list, uint32_t count, uint32_t last)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (r->rank[list[i]] <= last)
            list[kept++] = list[i];
    return kept;
}

static int select_hnb(const void *state, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const ranking *r = state;
    uint32_t *ranks = scratch->list, selected = 0;
    HS_TRY(hs_lazy_select(state, row, count, scratch, out, error));
    if (out->positive_count + out->negative_count <= r->k)
        return HSEL_OK;
    for (uint32_t i = 0; i < out->positive_count; i++)
        ranks[selected++] = r->rank[out->positive[i]];
    for (uint32_t i = 0; i < out->negative_count; i++)
        ranks[selected++] = r->rank[out->negative[i]];
    hs_lazy_sort(ranks, scratch->count, selected);
    uint32_t last = ranks[r->k - 1];
    out->positive_count = keep_better(r, out->positive, out->positive_count, last);
    out->negative_count = keep_better(r, out->negative, out->negative_count, last);
    return HSEL_OK;
}

static const hs_selector hnb = {.prepare = prepare_hnb,
                                .select_for = select_hnb,
                                .scores = hs_lazy_get_scores,
                                .free = hs_lazy_free};

const hs_method hs_method_hnb = {
    HS_SELECTOR_WITH(hnb, table, settings),
    .name = "hnb",
    .title = "best features of hierarchical naive Bayes",
    .help = "Lazy: of the features that hnb-s keeps for the instance, the k with the greatest "
            "relevance R. Ties go to the lower index. k=0 is hnb-s itself.",
    .citation = "Wan, Freitas (2015), HNB",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};

/* ---- rnb ---- */

static double score(const hs_cells *cells, const void *options)
{
    return hs_score_r(cells, (hs_smoothing)((const settings *)options)->smoothing);
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    uint32_t k = ((const settings *)options)->k;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, c->count);
    HS_NEED(order);
    hs_rank_order(c->score, c->count, NULL, order);
    for (uint32_t i = 0; i < c->count; i++)
        keep[order[i]] = k == 0 || i < k;
    return HSEL_OK;
}

HS_EAGER_SELECTOR(rnb, hs_eager_scores, .score = score, .choose = choose, .flat = true);

const hs_method hs_method_rnb = {
    HS_SELECTOR_WITH(rnb, table, settings),
    .name = "rnb",
    .title = "best features by relevance",
    .help = "The k features with the greatest relevance R; the hierarchy is not looked at. Ties go "
            "to the lower index. k=0 keeps all.",
    .citation = "Wan, Freitas (2015), RNB",
    .flags = HS_NEEDS_CLASSES};

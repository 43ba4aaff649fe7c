/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RPV, select relevant positive feature values. Keeps the positive features of the instance of
 * which no positive descendant is more relevant: v stays iff x_v = 1 and score(v) >= max over d in
 * desc(v), x_d = 1, of score(d). Negative features all go: that a term was not found for an
 * instance tells little.
 *
 * da Silva, Plastino, Freitas (2020), doi 10.1007/s10489-020-01782-5, algorithm 1, which for each
 * positive feature removes every ancestor of lower score; the order of removals does not matter.
 * The score is LazyR(f=1) (equation 2), R or IG of the training part; the authors' program has
 * LazyR only. smoothing=rpv is what their tables of RPV-R were made with.
 *
 * The maximum over descendants is passed on upwards (lazy_sweep.c), which equals the algorithm on
 * data that obey the true-path rule; others are refused. Time O(positive features + edges among
 * them) an instance, O(features x classes) to prepare; memory O(features). Ties: the removal is
 * strict, so of equal scores both stay. A most specific positive feature always stays.
 */
#include "core/mem.h"
#include "select/lazy.h"

typedef struct settings {
    int measure, smoothing, lazyr; /* hs_lazy_measure, hs_smoothing, hs_lazyr_form */
} settings;

static const hs_option table[] = {
    HS_CHOICE(settings, measure, "measure", "lazyr|r|ig", "lazyr", "relevance of a feature"),
    HS_SMOOTHING_OPTION(settings, smoothing),
    HS_CHOICE(settings, lazyr, "lazyr", "equation|code", "equation",
              "LazyR over all classes, or of the positive class against the rest"),
    HS_OPTION_END};

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    const settings *o = options;
    hs_lazy *lazy = HS_NEW_ZERO(hs_lazy, 1);
    *state = NULL;
    if (!lazy)
        return hs_fail_memory(error);
    int status = hs_lazy_init(lazy, training, "rpv", error);
    if (status == HSEL_OK)
        status = hs_lazy_score(lazy, training, (hs_lazy_measure)o->measure,
                               (hs_smoothing)o->smoothing, (hs_lazyr_form)o->lazyr, error);
    if (status)
        hs_lazy_free(lazy);
    else
        *state = lazy;
    return status;
}

static int select_for(const void *state, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const hs_lazy *lazy = state;
    uint32_t kept = 0;
    int status = hs_lazy_start(lazy, row, count, scratch, error);
    if (status)
        return status;
    hs_lazy_sweep_up(lazy, row, count, scratch);
    for (size_t i = 0; i < count; i++)
        if (hs_lazy_can_use(lazy, row[i]) && scratch->value[row[i]] <= lazy->score[row[i]])
            out->positive[kept++] = row[i];
    out->positive_count = kept;
    out->negative_count = 0;
    out->all_negative = false;
    return HSEL_OK;
}

static const hs_selector rpv = {.prepare = prepare,
                                .select_for = select_for,
                                .scores = hs_lazy_get_scores,
                                .free = hs_lazy_free};

const hs_method hs_method_rpv = {
    .kind = HS_SELECTOR,
    .name = "rpv",
    .title = "relevant positive values",
    .help = "Lazy: for each instance keeps its positive features that are at least as relevant as "
            "every positive feature below them; negative features are dropped. Of equally "
            "relevant features both stay. measure=lazyr looks at the feature's presence alone. "
            "measure=r,smoothing=rpv is the RPV-R of the paper's tables.",
    .citation = "da Silva, Plastino, Freitas (2020), Applied Intelligence, algorithm 1",
    .flags = HS_LAZY | HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .selector = &rpv};

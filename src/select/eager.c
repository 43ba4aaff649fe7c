/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Candidates of an eager selector, and the state in which its answer is kept.
 */
#include "select/eager.h"

#include "core/mem.h"

struct state {
    uint32_t features;
    uint64_t *mask; /* bit set of the features kept */
    double *score;  /* of each feature; 0 outside the view's mask */
};

/* What is needed only while choosing. */
struct work {
    hsel_dag *part; /* NULL: every feature is a candidate */
    uint32_t *feature;
    double *score;
    bool *flag;
};

static void work_clear(struct work *work)
{
    hs_dag_free(work->part);
    hs_free(work->feature);
    hs_free(work->score);
    hs_free(work->flag);
}

static hs_cells cells_of(const hs_training *training, uint32_t feature)
{
    const hs_counts *counts = training->counts;
    return hs_cells_of(counts, feature,
                       counts->classes == 2 ? training->view.data->positive_class : HSEL_NONE);
}

hs_cells hs_candidate_cells(const hs_candidates *candidates, uint32_t candidate)
{
    return cells_of(candidates->training, candidates->feature[candidate]);
}

int hs_candidates_columns(const hs_candidates *candidates, const uint32_t *rows, uint32_t count,
                          hs_adjacency *out, hsel_error *error)
{
    return hs_position_columns(candidates->training->view.data, candidates->feature,
                               candidates->count, rows, count, out, error);
}

static int work_init(const hs_training *training, bool flat, struct work *work, hs_candidates *out,
                     hsel_error *error)
{
    const hs_view *view = &training->view;
    uint32_t features = view->data->features;
    work->feature = HS_NEW(uint32_t, features);
    work->score = HS_NEW_ZERO(double, features);
    work->flag = HS_NEW(bool, features);
    if (!work->feature || !work->score || !work->flag)
        return hs_fail_memory(error);
    *out = (hs_candidates){.training = training,
                           .dag = flat ? NULL : view->data->dag,
                           .feature = work->feature,
                           .score = work->score};
    for (uint32_t f = 0; f < features; f++)
        if ((work->flag[f] = hs_view_has(view, f)))
            work->feature[out->count++] = f;
    if (flat || out->count == features)
        return HSEL_OK;
    int status = hs_dag_subset(view->data->dag, work->flag, &work->part, error);
    out->dag = work->part;
    return status;
}

static int state_new(uint32_t features, struct state **out, hsel_error *error)
{
    struct state *state = *out = HS_NEW_ZERO(struct state, 1);
    if (!state)
        return hs_fail_memory(error);
    state->features = features;
    state->mask = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    state->score = HS_NEW_ZERO(double, features);
    return state->mask && state->score ? HSEL_OK : hs_fail_memory(error);
}

int hs_eager_prepare(const hs_training *training, const void *options, const hs_eager_rule *rule,
                     void **out, hsel_error *error)
{
    struct work work = {0};
    struct state *state = NULL;
    hs_candidates candidates = {0};
    int status = HSEL_OK;
    *out = NULL;
    if (!rule->flat && !training->view.data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s has no hierarchy to select on",
                       hsel_dataset_name(training->view.data));
    if ((status = state_new(training->view.data->features, &state, error)) ||
        (status = work_init(training, rule->flat, &work, &candidates, error)))
        goto out;
    for (uint32_t i = 0; rule->score && i < candidates.count; i++) {
        hs_cells cells = hs_candidate_cells(&candidates, i);
        work.score[i] = rule->score(&cells, options);
    }
    status = rule->choose(&candidates, options, work.flag, error);
    for (uint32_t i = 0; status == HSEL_OK && i < candidates.count; i++) {
        state->score[work.feature[i]] = work.score[i];
        if (work.flag[i])
            hs_bit_set(state->mask, work.feature[i]);
    }
out:
    work_clear(&work);
    if (status)
        hs_eager_free(state);
    else
        *out = state;
    return status;
}

int hs_eager_select(const void *opaque, uint64_t *mask, hsel_error *error)
{
    const struct state *state = opaque;
    (void)error;
    for (size_t word = 0; word < hs_bit_words(state->features); word++)
        mask[word] |= state->mask[word];
    return HSEL_OK;
}

const double *hs_eager_scores(const void *state) { return ((const struct state *)state)->score; }

void hs_eager_free(void *opaque)
{
    struct state *state = opaque;
    if (!state)
        return;
    hs_free(state->mask);
    hs_free(state->score);
    hs_free(state);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All rankers together, and the order of features by scores.
 */
#include "rank/rank.h"

double hs_ranker_value(const hs_method *ranker, double score)
{
    if (score == -INFINITY)
        return NAN;
    return ranker->kind == HS_RANKER && ranker->ranker->low_is_better ? 0 - score : score;
}

/* ---- scores ---- */

static const hs_ranker *functions_of(const hs_method *method)
{
    static const hs_ranker measures = {.rank = hs_filters_rank};
    return method->kind == HS_MEASURE ? &measures : method->ranker;
}

int hs_rank_features(const hs_training *training, const hs_chosen *rankers, size_t count,
                     double *const *scores, hsel_error *error)
{
    HS_OWNED hs_chosen *chosen = HS_NEW(hs_chosen, count);
    HS_OWNED double **score = HS_NEW(double *, count);
    HS_OWNED bool *done = HS_NEW_ZERO(bool, count);
    HS_NEED(chosen && score && done);
    for (size_t i = 0; i < count; i++)
        HS_TRY(hs_check_shape(training->view.data, rankers[i].method, error));
    for (size_t i = 0; i < count; i++) {
        const hs_ranker *functions = functions_of(rankers[i].method);
        size_t together = 0;
        if (done[i])
            continue;
        for (size_t j = i; j < count; j++)
            if (!done[j] && functions_of(rankers[j].method)->rank == functions->rank) {
                chosen[together] = rankers[j];
                score[together++] = scores[j];
                done[j] = true;
            }
        HS_TRY(functions->rank(training, chosen, together, score, error));
    }
    return HSEL_OK;
}

/* ---- order ---- */

uint32_t hs_rank_order(const double *scores, uint32_t features, const uint64_t *mask,
                       uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < features; f++)
        if (!mask || hs_bit_get(mask, f))
            order[count++] = f;
    hs_order(scores, HS_DOWNWARDS, order, count);
    return count;
}

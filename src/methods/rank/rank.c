/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rankers by name, all of them at once, and the order that scores stand for.
 */
#include "rank/rank.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/order.h"
#include "data/checks.h"

int hs_ranker_parse(const char *text, hs_chosen *out, hsel_error *error)
{
    size_t length = strlen(text), open = strcspn(text, "(:"), count = 0;
    HS_OWNED char *plain = NULL;
    const char *words[256];
    char name[64];
    *out = (hs_chosen){0};
    if (text[open] == '(' && text[length - 1] == ')') {
        HS_NEED(plain = hs_strndup(text, length - 1)); /* without the last parenthesis */
        plain[open] = ':';
        text = plain;
    }
    open = strcspn(text, ":");
    if (hs_method_find(HS_RANKER, text, open))
        return hs_chosen_parse(HS_RANKER, text, out, error);
    if (hs_method_find(HS_MEASURE, text, open))
        return hs_chosen_parse(HS_MEASURE, text, out, error);
    snprintf(name, sizeof name, "%.*s", (int)(open < sizeof name ? open : sizeof name), text);
    for (size_t i = 0; i < hs_method_count() && count < 256; i++)
        if (hs_method_at(i)->kind == HS_RANKER || hs_method_at(i)->kind == HS_MEASURE)
            words[count++] = hs_method_at(i)->name;
    int nearest = hs_nearest(name, words, count);
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE, "there is no ranker '%s'; did you mean '%s'?", name,
                       words[nearest]);
    return hs_fail(error, HSEL_EUSAGE,
                   "there is no ranker '%s'; hsel methods lists the rankers and the measures",
                   name);
}

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

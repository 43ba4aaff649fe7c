/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The share of positives among unlabelled instances, in a pass over the ranking.
 */
#include "stats/prior.h"

#define ERRORS 3.0 /* standard errors of the limit */

int hs_pu_rank(const double *score, const uint8_t *labelled, const uint32_t *unit_of,
               uint32_t units, uint32_t instances, hs_pu_ranking *out, hsel_error *error)
{
    hs_arena *arena = &out->arena;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, instances),
                      *number = hs_new_none(unit_of ? units : instances);
    *out = (hs_pu_ranking){.instances = instances, .labelled = labelled};
    HS_NEED(order && number && (out->block_of = HS_ARENA_NEW(arena, uint32_t, instances)));
    for (uint32_t i = 0; i < instances; i++) {
        if (isnan(score[i]))
            return hs_fail(error, HSEL_EFORMAT, "the score of instance %u is missing", i + 1);
        out->total[labelled[i] != 0]++;
    }
    if (!out->total[0] || !out->total[1])
        return hs_fail(error, HSEL_EFORMAT,
                       "there are %u labelled and %u unlabelled instances; both are needed",
                       out->total[1], out->total[0]);
    hs_order_all(score, HS_DOWNWARDS, order, instances);
    for (uint32_t i = 0; i < instances; i++) {
        out->blocks += i == 0 || score[order[i]] != score[order[i - 1]];
        out->block_of[order[i]] = out->blocks - 1;
    }
    for (int s = 0; s < 2; s++)
        HS_NEED(out->size[s] = hs_arena_zero(arena, out->blocks, sizeof *out->size[s]));
    for (uint32_t i = 0; i < instances; i++)
        out->size[labelled[i] != 0][out->block_of[i]]++;
    for (int s = 1; s >= 0; s--) /* units with a labelled instance come first */
        for (uint32_t i = 0; i < instances; i++) {
            const uint32_t u = unit_of ? unit_of[i] : i;
            if ((labelled[i] != 0) != s || number[u] != HSEL_NONE)
                continue;
            number[u] = out->units[0] + out->units[1];
            out->units[s]++;
        }
    for (uint32_t i = 0; i < instances; i++)
        order[i] = number[unit_of ? unit_of[i] : i];
    return hs_sparse_group(out->units[0] + out->units[1], order, NULL, instances, &out->members,
                           error);
}

void hs_pu_ranking_clear(hs_pu_ranking *ranking)
{
    hs_arena_clear(&ranking->arena);
    hs_sparse_clear(&ranking->members);
}

void hs_pu_sample(const hs_pu_ranking *ranking, uint64_t seed, uint32_t b, uint32_t *const size[2])
{
    hs_stream stream;
    hs_stream_init(&stream, seed, "unlabelled", b, 0);
    for (int s = 0; s < 2; s++)
        memset(size[s], 0, ranking->blocks * sizeof *size[s]);
    for (int s = 1; s >= 0; s--)
        for (uint32_t d = 0; d < ranking->units[s]; d++) {
            const uint64_t u =
                hs_random_below(&stream, ranking->units[s]) + (s ? 0 : ranking->units[1]);
            for (uint64_t m = ranking->members.start[u]; m < ranking->members.start[u + 1]; m++) {
                const uint32_t i = ranking->members.index[m];
                size[ranking->labelled[i] != 0][ranking->block_of[i]]++;
            }
        }
}

hs_prior hs_prior_of(uint32_t *const size[2], uint32_t blocks)
{
    hs_prior best = {.share = NAN, .low = NAN, .high = INFINITY};
    double all[2] = {0}, above[2] = {0};
    for (uint32_t b = 0; b < blocks; b++)
        for (int s = 0; s < 2; s++)
            all[s] += size[s][b];
    for (uint32_t b = 0; b < blocks; b++) {
        for (int s = 0; s < 2; s++)
            above[s] += size[s][b];
        if (above[1] == 0)
            continue;
        /* One more unlabelled instance above, so that none there does not mean certainty. */
        const double recall = above[1] / all[1], more = above[0] + 1,
                     variance = fmax(0, 1 / more - 1 / (all[0] + 1) + 1 / above[1] - 1 / all[1]),
                     limit = more / (all[0] + 1) / recall * exp(ERRORS * sqrt(variance));
        if (limit < best.high)
            best = (hs_prior){fmin(1, above[0] / all[0] / recall), NAN, limit};
    }
    best.high = isnan(best.share) ? NAN : fmin(1, best.high);
    return best;
}

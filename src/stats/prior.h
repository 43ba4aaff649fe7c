/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The share of positives among unlabelled instances (the class prior), from scores of labelled
 * positives and of unlabelled instances by models that learned from neither of them.
 *
 * If labelled positives are a random sample of all positives, then for each threshold t the share
 * is at most P(score >= t | unlabelled) / P(score >= t | positive), and it is equal where only
 * positives have such scores. The estimate is this ratio at the threshold whose upper confidence
 * limit is lowest: best-bin estimation (Garg, Wu, Smola, Balakrishnan, Lipton 2021, NeurIPS 34),
 * with a limit of 3 standard errors of the logarithm of the ratio in place of a bound for all
 * thresholds at once, which is far too wide for a hundred positives. The lowest limit is the upper
 * end of the interval. Its lower end is the bootstrap's; it holds only if some scores are of
 * positives alone, because without this assumption scores cannot tell any share from none.
 * bench/prior.py compares estimates with known shares.
 */
#pragma once

#include "data/data.h"

/* Instances by score, from the highest, in blocks of equal scores, and the units that a bootstrap
 * draws. */
typedef struct hs_pu_ranking { /* hs_pu_ranking_clear frees */
    uint32_t instances, blocks;
    uint32_t total[2];  /* instances: unlabelled, labelled */
    uint32_t *block_of; /* [instances] */
    uint32_t *size[2];  /* [blocks]: unlabelled, labelled */
    hs_sparse members;  /* of units: first those with a labelled instance, then the others */
    uint32_t units[2];  /* how many there are of both */
    const uint8_t *labelled;
    hs_arena arena;
} hs_pu_ranking;

/* Borrows `labelled`. unit_of[instances]: below `units`; NULL: each instance is a unit by itself.
 * HSEL_EFORMAT: a score is NaN, or all are labelled, or none is. */
HSEL_CHECKED int hs_pu_rank(const double *score, const uint8_t *labelled, const uint32_t *unit_of,
                            uint32_t units, uint32_t instances, hs_pu_ranking *out,
                            hsel_error *error);
void hs_pu_ranking_clear(hs_pu_ranking *ranking);
/* Bootstrap sample number b, of as many units of both kinds: the sizes of its blocks. */
void hs_pu_sample(const hs_pu_ranking *ranking, uint64_t seed, uint32_t b, uint32_t *const size[2]);

typedef struct hs_prior {
    double share, low, high;
} hs_prior;

/* Of blocks of these sizes, in a pass; its lower end is NaN (hs_pu_metrics_of has it). All NaN
 * without labelled instances. */
hs_prior hs_prior_of(uint32_t *const size[2], uint32_t blocks);

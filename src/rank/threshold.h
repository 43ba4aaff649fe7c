/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the threshold-based rankers share: a feature is taken as a classifier that says "positive"
 * above a threshold (rule 1) or at and below it (rule 2), for every distinct value as threshold,
 * and is as good as its best threshold and rule. A sweep is the table of all those decisions; a
 * ranker is one function of it.
 */
#ifndef HS_RANK_THRESHOLD_H
#define HS_RANK_THRESHOLD_H

#include "rank/rank.h"

typedef enum hs_zero { HS_ZERO_PAPER, HS_ZERO_INF, HS_ZERO_ONE, HS_ZERO_HALF } hs_zero;

/* Options of `or` and `pr`; the others have none. */
typedef struct hs_threshold_options {
    int zero; /* hs_zero */
} hs_threshold_options;

/* One feature against one class: P > 0 instances of the class, N > 0 of the others, and for each
 * threshold with something on both sides what lies above it. Under rule 1 tp and fp are the true
 * and the false positives; under rule 2 they are the false and the true negatives. Thresholds
 * ascend. That all are on one side is in no list: it matters to `f`, `auc` and `prc` only. */
typedef struct hs_sweep {
    uint32_t splits; /* at least 1 */
    double positives, negatives;
    const double *tp, *fp; /* [splits]: whole numbers */
    const double *klogk;   /* [P + N + 1]: k ln k */
    double epsilon;        /* stands for a false positive rate of 0; below 1 / (P N) */
} hs_sweep;

typedef struct hs_threshold_ranker {
    hs_ranker ranker; /* first: what the method's descriptor points to */
    /* The goodness of the best threshold and rule. */
    double (*best)(const hs_sweep *sweep, const hs_threshold_options *options);
} hs_threshold_ranker;

/* For the slot of hs_ranker. */
int hs_threshold_rank(const hs_training *training, const hs_chosen *rankers, size_t count,
                      double *const *scores, hsel_error *error);

#endif

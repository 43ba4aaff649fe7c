/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics of a ranking where no negatives are known: labelled positives, each scored by a model
 * that did not learn from it (hidden), among unlabelled instances.
 *
 * With n instances, L of them labelled, t labelled ones among the k highest scores (ties count by
 * their share), and a share `a` of positives among the U unlabelled:
 *   AUROC       against the unlabelled, A; corrected (A - a/2) / (1 - a), cut to [0, 1] (Jain,
 *               White, Radivojac 2017, AAAI)
 *   recall      t / L, which assumes that labelled positives are a random sample of all positives;
 *               precision (L + aU) recall / k; enrichment (t / L) / (k / n)
 *   Lee-Liu     recall^2 / (k / n) (Lee, Liu 2003, ICML)
 *   bounds      of precision and recall, without that assumption: the unlabelled among the k are
 * all negative, or as many are positive as the upper limit of `a` allows recovered   share of
 * labelled positives that rank among the first k if each is alone among the unlabelled; percentile:
 * the share of the unlabelled below it Intervals are those of a bootstrap that draws labelled and
 * unlabelled instances, or groups of them, and estimates `a` again in each sample unless it is
 * given.
 */
#pragma once

#include "stats/interval.h"
#include "stats/prior.h"

enum { HS_PU_PRECISION, HS_PU_ENRICHMENT, HS_PU_RECOVERED, HS_PU_INTERVALS };
enum { HS_TOPS = 7 }; /* 10, 20, 50, 100; 1 %, 5 %, 10 % */

typedef struct hs_pu_top {
    double k, share; /* of all instances; share 0: k was given */
    double known, recall, precision, enrichment, lee_liu, recovered;
    double precision_bound[2], recall_bound[2];
    hs_interval interval[HS_PU_INTERVALS];
} hs_pu_top;

typedef struct hs_pu_metrics {
    uint32_t labelled, unlabelled;
    hs_prior prior;
    bool estimated;
    double auroc, corrected, corrected_range[2]; /* over the interval of the prior */
    double percentile;                           /* the median */
    hs_interval auroc_interval, corrected_interval, percentile_interval;
    uint32_t tops;
    hs_pu_top top[HS_TOPS]; /* without those that have all instances or are repeated */
} hs_pu_metrics;

/* prior: NaN: estimate it. */
HSEL_CHECKED int hs_pu_metrics_of(const hs_pu_ranking *ranking, double prior, uint64_t seed,
                                  hs_pu_metrics *out, hsel_error *error);
/* Of the k highest unlabelled scores, the expected share of positives if the share `recall` of the
 * positives lies above the lowest of them. */
static inline double hs_pu_precision(double prior, uint32_t unlabelled, double recall, double k)
{
    return fmin(1, prior * unlabelled * recall / k);
}

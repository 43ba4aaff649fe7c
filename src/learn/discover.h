/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Candidates: from known positives among unlabelled instances to a ranking of the unlabelled ones.
 *
 * Every instance is scored by models that were trained without it (out-of-fold, the mean over
 * repeats), so that no candidate was learned as a negative by the model that scores it, and known
 * positives show where hidden ones would rank. Ranking, probabilities, recovery and conformal
 * selection are all computed from these scores; reasons come from the model of the fold.
 *
 * Probability: with the share a of positives among the unlabelled (the class prior) and the
 * densities f of the scores of held-out known positives and u of unlabelled instances,
 * P(y = 1 | s) = a f(s) / u(s), cut to [0, 1]; f / u is the odds of an isotonic regression of known
 * against unlabelled, divided by those of their numbers (Elkan, Noto 2008, with the prior instead
 * of the labelling frequency); the 10 highest known positives, or half of them, and all unlabelled
 * instances above the last of these share one probability. This assumes that known positives are a
 * random sample of all. The expected precision down to a rank is the mean of the probabilities down
 * to it.
 *
 * Study bias: the annotations of an instance are its most specific terms. To correct for their
 * number, unlabelled instances are sorted by it and cut into strata (equal numbers stay together),
 * and a score becomes its difference from the mean of the unlabelled in its stratum, divided by
 * their standard deviation.
 */
#pragma once

#include "learn/model.h"
#include "stats/unlabelled.h"

enum { HS_CANDIDATE_LISTS = 3 };

typedef struct hs_discover_request {
    const hsel_dataset *data; /* its classes are ignored */
    const bool *known;        /* [instances]: known positives */
    const bool *negative;     /* [instances]: known negatives, which calibrate the selection instead
                                 of reliable ones, and are no candidates; NULL: none */
    const char *selector, *classifier;
    uint32_t folds, repeats;
    uint32_t top; /* candidates with reasons and neighbours; 0: all */
    double fdr;   /* level of the conformal selection; 0: none */
    bool correct_bias, allow_violations;
    uint64_t seed;
    int threads;
    const hs_progress *progress; /* may be NULL */
} hs_discover_request;

typedef struct hs_candidate {
    uint32_t instance, annotations;
    double score;
    /* Of it, and the expected one down to it: at most, by the estimate of the prior, and by the
     * lower end of its interval. */
    double probability, precision, probability_low, precision_low;
    double percentile; /* unlabelled instances with lower scores; equal ones half */
    double p, q;       /* conformal; NaN: none */
    bool selected;
    bool reliable; /* a reliable negative: it calibrates the selection */
    uint32_t reasons, near;
    struct hs_candidate_reason {
        uint32_t feature, known, others; /* training instances that have it, known not 0 */
        double weight;                   /* contribution to the log-odds, or log-likelihood ratio */
    } reason[HS_CANDIDATE_LISTS];
    struct hs_candidate_near {
        uint32_t instance;
        double similarity; /* Jaccard's, of the positive features */
    } nearest[HS_CANDIDATE_LISTS];
} hs_candidate;

typedef struct hs_discovery { /* zero-initialise; hs_discovery_clear frees */
    hs_arena arena;
    const char *selector, *classifier; /* canonical */
    hs_candidate *candidates;          /* [count], best first */
    uint32_t count, shown, known, features;
    hs_pu_metrics metrics;    /* of the held-out known positives among the unlabelled */
    double bias, bias_before; /* Spearman's correlation of the score, and before the correction,
                                 with the number of annotations, among the unlabelled */
    uint32_t strata;
    uint32_t negatives, selected; /* of the conformal selection … */
    uint32_t conformal;           /* … which selects so many whatever the expected precision is */
    bool own_terms;               /* reasons are contributions of the classifier */
    double selected_precision[2]; /* expected of those selected: its bounds; NaN: none is */
} hs_discovery;

HSEL_CHECKED int hs_discover(const hs_discover_request *request, hs_discovery *out,
                             hsel_error *error);
void hs_discovery_clear(hs_discovery *discovery);

typedef struct hs_matched { /* zero-initialise; hs_matched_clear frees */
    hs_names missing;       /* names that match nothing … */
    hs_names several;       /* … or labels of several instances, which do not count */
    uint32_t found, repeated;
} hs_matched;

/* Sets chosen[instance] for each of the names: an identifier, or in any case a label or identifier,
 * or a number: #3, or 3 where there are no identifiers.
 * A text that is no name as a whole is divided at commas, semicolons, bars, tabs and line ends,
 * then at blanks. */
HSEL_CHECKED int hs_match_instances(const hsel_dataset *data, const char *const *names,
                                    size_t count, bool *chosen, hs_matched *out, hsel_error *error);
void hs_matched_clear(hs_matched *matched);
/* The instance of each name as a whole; HSEL_NONE: it is that of none, or of several. */
HSEL_CHECKED int hs_match_each(const hsel_dataset *data, const char *const *names, size_t count,
                               uint32_t *instance, hsel_error *error);
/* A copy with the classes unlabelled and positive, in this order, by known[instance]. */
HSEL_CHECKED int hs_discover_data(const hsel_dataset *from, const bool *known, hsel_dataset **out,
                                  hsel_error *error);
/* Terms of each instance without a more specific one: annotations[instances]. */
HSEL_CHECKED int hs_count_annotations(const hsel_dataset *data, uint32_t *annotations,
                                      hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Common parts of the eager selectors: this code computes candidates, their hierarchy and scores; a
 * selector provides the measure and the choice, and the result is the state. Features outside the
 * view's mask are not candidates; the hierarchy is contracted, so that paths continue through them.
 * A flat rule ignores the hierarchy, which may be missing.
 */
#pragma once

#include "measure/measure.h"
#include "rank/correlation.h"
#include "rank/rank.h"
#include "select/select.h"

typedef struct hs_candidates {
    const hs_training *training;
    const hsel_dag *dag; /* node i is candidate i; NULL for a flat rule */
    uint32_t count;
    const uint32_t *feature; /* candidate -> feature, ascending */
    double *score;           /* of each candidate; `choose` may set missing ones */
    hs_verdict *verdict;     /* of each candidate, HS_RULE_KEPT to begin with; `by` is a candidate,
                                scores are added later, except thresholds; may be NULL */
} hs_candidates;

/* What the options of a rule with measures begin with. */
typedef struct hs_scoring {
    int measure; /* which of the rule's */
    hs_cuts cuts;
} hs_scoring;

typedef struct hs_eager_rule {
    /* Those that candidates can be scored by. NULL: 0 to begin with */
    const hs_method *const *measures;
    /* Sets keep, which is all true on entry. NULL: keep all. */
    int (*choose)(const hs_candidates *candidates, const void *options, bool *keep,
                  hsel_error *error);
    hs_rule kept, dropped;  /* the verdicts on candidates without one from `choose` */
    bool flat, cuts_target; /* cuts_target: see hs_eager_prepare */
    bool drops_constants;   /* isolated candidates that are constant in the training part are never
                               kept */
} hs_eager_rule;

/* With a numeric target candidates are scored by the share of its variance that they explain; or,
 * if the rule says so, the target becomes classes, as many quarters of the training instances as
 * its values have, and the rule uses only these. */
HSEL_CHECKED int hs_eager_prepare(const hs_training *training, const void *options,
                                  const hs_eager_rule *rule, void **state, hsel_error *error);
/* For the slots of hs_selector; hs_free frees. */
HSEL_CHECKED int hs_eager_select(const void *state, uint64_t *mask, hsel_error *error);
const double *hs_eager_scores(const void *state);
void hs_eager_why(const void *state, uint32_t feature, const uint32_t *row, size_t count,
                  const hs_selection *selection, hs_lazy_scratch *scratch, hs_verdict *out);
/* Records a verdict, if requested; `by` HSEL_NONE, `other` NaN: none. */
void hs_candidates_say(const hs_candidates *candidates, uint32_t candidate, hs_rule rule,
                       uint32_t by, double other);
/* Gives this verdict to kept candidates (or dropped ones, depending on the rule) that have none
 * yet. */
void hs_candidates_rule(const hs_candidates *candidates, const bool *keep, hs_rule rule);
/* The same for features that pass a threshold or fail it. */
void hs_candidates_threshold(const hs_candidates *candidates, const bool *keep, double threshold);
/* Keeps the candidates with the highest scores, `most` of them, and gives verdicts. Ties go to the
 * lowest index. */
HSEL_CHECKED int hs_candidates_best(const hs_candidates *candidates, double most, bool *keep,
                                    hsel_error *error);
/* Dropped candidates without a verdict name the kept candidate with the highest score above or
 * below them: it is better, or (always without by_score) replaces them. O(edges). */
HSEL_CHECKED int hs_candidates_beaten(const hs_candidates *candidates, const bool *keep,
                                      bool by_score, hsel_error *error);

/* For the help of methods with HS_CUTS_TARGET. */
#define HS_QUARTERS                                                                                \
    " A numeric target is cut into four classes at the quartiles of the training part."

/* Selectors by class over a hierarchy keep the best feature of a path; on the path of an isolated
 * feature that is always the feature itself. Tests (HS_WITHIN_STRATA) are exempt, because their
 * procedures decide. */
#define HS_OVER_PATHS      (HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES)
#define HS_DROPS_CONSTANTS (HS_OVER_PATHS | HS_WITHIN_STRATA)

/* Defines hs_method_ID, an eager selector: its name, flags, option table and the size of its
 * options, rule (its measures or NULL; flat unless it needs a hierarchy) with the verdicts on what
 * is kept and dropped, hs_eager_scores or NULL if there is no relevance to tell, then title, help
 * and citation. */
#define HS_EAGER_METHOD(id, name_, flags_, table_, size_, measures_, choose_, kept_, dropped_,     \
                        scores_, ...)                                                              \
    static int id##_prepare(const hs_training *training, const void *options, void **state,        \
                            hsel_error *error)                                                     \
    {                                                                                              \
        static const hs_eager_rule rule = {measures_,                                              \
                                           choose_,                                                \
                                           HS_RULE_##kept_,                                        \
                                           HS_RULE_##dropped_,                                     \
                                           !((flags_)&HS_NEEDS_HIERARCHY),                         \
                                           ((flags_)&HS_CUTS_TARGET) != 0,                         \
                                           ((flags_)&HS_DROPS_CONSTANTS) == HS_OVER_PATHS};        \
        return hs_eager_prepare(training, options, &rule, state, error);                           \
    }                                                                                              \
    static const hs_selector id##_selector = {.prepare = id##_prepare,                             \
                                              .select_features = hs_eager_select,                  \
                                              .scores = scores_,                                   \
                                              .why = hs_eager_why,                                 \
                                              .free = hs_free};                                    \
    const hs_method hs_method_##id = {.kind = HS_SELECTOR,                                         \
                                      .name = name_,                                               \
                                      .flags = flags_,                                             \
                                      .options = table_,                                           \
                                      .options_size = size_,                                       \
                                      .selector = &id##_selector,                                  \
                                      __VA_ARGS__}

/* Cells of a binary candidate; they have a positive class only if there are two classes. */
hs_cells hs_candidate_cells(const hs_candidates *candidates, uint32_t candidate);
/* Training instances with a class in which the feature is positive. */
uint64_t hs_support(const hs_counts *counts, uint32_t feature);
/* Drops each candidate that has a parent with which its correlation over the labelled training rows
 * is at or above the threshold; with a constant feature it counts as 1. Binary features: phi, in
 * whole numbers; others: Pearson's or Spearman's correlation within 1e-12, HSEL_EUSAGE for nominal
 * ones. O(values that are not 0 * parents), Spearman's with a sort. */
HSEL_CHECKED int hs_candidates_uncorrelated(const hs_candidates *candidates, double threshold,
                                            hs_correlation_kind kind, bool *keep,
                                            hsel_error *error);

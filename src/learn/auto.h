/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The automatic choice of a selector and a classifier by nested cross-validation. A candidate is a
 * selector with a classifier. A race is the cross-validation of all candidates on some instances,
 * inner fold by inner fold; hopeless candidates are dropped early. There is a race within the
 * training part of every outer fold, whose winner is then tested on the outer fold, which no race
 * has seen: these results are the unbiased estimate. A race on all instances determines the choice.
 *
 * Values are those of one metric in one fold; a candidate is judged by the mean of its values
 * (without folds in which the metric is undefined), ties go to the first.
 *
 * The rule of the race: after each inner fold from the second on, the candidates still in it and
 * the folds so far make a table, whose residual variance (two-way analysis of variance without
 * interaction) is the noise s². A candidate is dropped when its mean is so far below the best mean
 * that t = difference / sqrt(2 s² (1/m + 1/(k-1))), over (candidates - 1)(m - 1) degrees of
 * freedom, has a one-sided p below the level; m folds so far, k inner folds. The 1/(k-1), tested by
 * learned instances, corrects for training parts that overlap (Nadeau, Bengio 2003). The best
 * candidate with selection, the best without and the best blend are never dropped.
 *
 * A blend (search/blend.c) wins unless the best of the others, a single pair, is better in a
 * one-sided t-test (p < 0.05) of their differences over the inner folds, corrected likewise: it is
 * the best of many, and where the test cannot tell them apart a blend is the safer one.
 *
 * Nothing depends on threads or, without a budget, on the clock.
 */
#pragma once

#include "stats/metrics.h"

/* The candidates, unless others are named: NULL ends a list. */
extern const char *const hs_auto_selectors[];
extern const char *const hs_auto_classifiers[];

typedef struct hs_auto_request {
    const hsel_dataset *data; /* every instance has a class */
    const hs_chosen *selectors, *classifiers;
    size_t selector_count, classifier_count;
    hs_metric metric;
    hs_rank_by rank_by;
    /* repeats 0: only the race on all instances, so that there is a choice and no estimate. */
    uint32_t folds, repeats, inner_folds, inner_repeats;
    const char *scheme; /* of the outer folds, as in hs_folds_choose; NULL: own */
    /* Of a choice within a fold of another cross-validation: the rows of the race, ascending (NULL:
     * all), and its number (hs_auto_seed). */
    const uint32_t *rows;
    uint32_t row_count;
    size_t race;
    double level;          /* of the race; 0: no candidate leaves */
    uint32_t permutations; /* of the classes, each with the whole procedure; 0: no test */
    double budget;         /* seconds for the races; 0: as long as it takes */
    uint64_t seed;
    int threads;
    bool allow_violations;
    uint64_t fingerprint; /* of the data, for the journal */
    hs_journal *journal;  /* keeps what is done; may be NULL */
    const hs_progress *progress;
} hs_auto_request;

typedef enum hs_auto_end {
    HS_AUTO_STAYED,
    HS_AUTO_LEFT,       /* the race, by its rule */
    HS_AUTO_FAILED,     /* to learn */
    HS_AUTO_NOT_REACHED /* within the budget */
} hs_auto_end;

typedef enum hs_auto_group {
    HS_AUTO_PLAIN,   /* a single pair without selection, */
    HS_AUTO_SELECTS, /* or with it */
    HS_AUTO_BLENDS,
    HS_AUTO_GROUPS
} hs_auto_group;

typedef struct hs_auto_candidate {
    const char *selector, *classifier; /* canonical texts */
    size_t s, c;                       /* in the lists of the request */
    hs_auto_group group;
    /* In the race on all instances: */
    hs_auto_end end;
    uint32_t folds;  /* inner folds in which it was tested */
    double mean, se; /* over them; se: standard error, NaN with one fold */
    bool close;      /* not further from the best than one standard error of the best */
    uint32_t chosen; /* outer folds whose race it won */
} hs_auto_candidate;

typedef struct hs_auto_left_out { /* a pair that is not a candidate */
    const char *selector, *classifier, *why;
} hs_auto_left_out;

#define HS_AUTO_NOBODY SIZE_MAX

typedef struct hs_auto_winner {  /* of a race */
    uint32_t repeat, fold;       /* outer, from 0 */
    uint32_t inner_folds;        /* that the race took */
    size_t best[HS_AUTO_GROUPS]; /* the first of each group; HS_AUTO_NOBODY: none */
    hs_auto_group single;        /* of the best single pair */
    size_t candidate;            /* the winner; HS_AUTO_NOBODY: not reached */
    double inner; /* its mean over inner folds: too good, because it was chosen by it */
    double value[HS_AUTO_GROUPS]; /* of `best` on the outer fold */
    double outer;                 /* of the winner on the outer fold; NaN: not defined */
} hs_auto_winner;

typedef struct hs_auto_mean {   /* over outer folds, J of them, with the corrected variance */
    double mean, se, low, high; /* se = sd sqrt(1/J + 1/(k-1)); interval of 95 % by t, J-1 degrees;
                                   NaN: too few folds */
    double p;                   /* two-sided, that the true mean is 0 */
    uint32_t count;
} hs_auto_mean;

/* zero-initialise; hs_auto_clear frees. The methods of the request must live as long. */
typedef struct hs_auto {
    hs_arena arena;
    hs_auto_candidate *candidates;
    hs_auto_left_out *left_out;
    size_t count, left_out_count;
    hs_auto_winner choice;   /* of the race on all instances */
    hs_auto_winner *winners; /* [repeats * folds]; `tested` of them are there */
    size_t winner_count, tested;
    hs_auto_mean estimate;
    double inner;               /* mean over outer folds of `inner` of the winner */
    double chance;              /* the metric of always predicting the larger class */
    hs_auto_mean selection;     /* best with selection minus best without, if there are both */
    hs_auto_mean single;        /* of the best single pairs … */
    hs_auto_mean blend;         /* … and of the blends minus them, if there are blends */
    double metrics[HS_METRICS]; /* of the winners, mean over outer folds and repeats */
    double *permuted;           /* [permutations]: the estimate with permuted classes */
    uint32_t permutations;      /* that are done */
    uint32_t as_good;           /* of them: as good as the estimate or better */
    double p;                   /* (1 + as_good) / (1 + permutations); NaN: none */
    uint32_t inner_folds;       /* over repeats, of the race on all instances: done … */
    uint32_t inner_folds_all;   /* … of so many */
    bool budget_over;
    uint64_t tests, tests_all; /* of candidates in inner folds of the races: done, without racing */
} hs_auto;

/* Which candidates there are: only `candidates` and `left_out` are set. HSEL_EUSAGE: none. */
HSEL_CHECKED int hs_auto_list(const hs_auto_request *request, hs_auto *out, hsel_error *error);
/* HSEL_ECANCELLED: `out` has what was finished until then, and the journal, too. */
HSEL_CHECKED int hs_auto_run(const hs_auto_request *request, hs_auto *out, hsel_error *error);
void hs_auto_clear(hs_auto *result);

/* Parts, for tests: the seed of the inner folds of a race (0: on all instances; 1 + repeat * folds
 * + fold) in an inner repeat; and the rule. value[fold * stride + i] of candidate i; `in` loses
 * those that are dropped. */
uint64_t hs_auto_seed(uint64_t seed, size_t race, uint32_t inner_repeat);
HSEL_CHECKED int hs_auto_race(const double *value, size_t stride, uint32_t folds,
                              uint32_t inner_folds, bool lower_is_better, double level,
                              const hs_auto_group *group, size_t count, bool *in,
                              hsel_error *error);

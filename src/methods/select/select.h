/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feature selectors. Eager selectors choose one set of features for a training part; lazy ones
 * choose a set for each instance from its values. Both share one table of functions; selection
 * never uses the class of a test instance.
 */
#pragma once

#include "data/data.h"

/* Scratch for one thread, the same for every lazy selector. The stamp trick: mark[f] == round means
 * "marked now"; rounds go up by two, so that round + 1 is a second mark. */
typedef struct hs_lazy_scratch {
    uint32_t features, round;
    uint32_t *mark, *count, *list;
    double *value;
} hs_lazy_scratch;

/* Why a feature was kept or dropped. */
typedef enum hs_rule {
#define HS_RULE(name, key, kept, sentence) HS_RULE_##name,
#include "select/rules.def"
#undef HS_RULE
    HS_RULES
} hs_rule;

/* Text of the rules: a key for programs ("descendant_beats"), the sentence as rules.def has it. */
typedef struct hs_rule_words {
    const char *key, *sentence;
    bool kept;
} hs_rule_words;
extern const hs_rule_words hs_rule_table[HS_RULES];

typedef struct hs_verdict {
    uint32_t feature;
    hs_rule rule;
    bool kept;    /* by the rule */
    uint32_t by;  /* the feature preferred to it: of several the one with the highest score, ties to
                     the lowest index; HSEL_NONE: none */
    double score; /* of the feature; NaN: the rule uses no scores */
    double other; /* the compared value: the score of `by`, or a threshold; NaN: none */
} hs_verdict;

static inline hs_verdict hs_verdict_of(uint32_t feature, hs_rule rule)
{
    return (hs_verdict){feature,   rule,        hs_rule_table[rule].kept,
                        HSEL_NONE, (double)NAN, (double)NAN};
}
/* The sentence, with names from the data set. */
void hs_verdict_text(const hs_verdict *verdict, const hsel_dataset *data, hs_buf *out);
/* An object with all of it. */
void hs_json_verdict(hs_json *json, const hs_verdict *verdict, const hsel_dataset *data);

typedef struct hs_selector {
    /* Learns; *state is freed by `free`. */
    int (*prepare)(const hs_training *training, const void *options, void **state,
                   hsel_error *error);
    /* Eager (the method has no HS_LAZY flag): sets the bits of the features kept; `mask` comes
     * zeroed. */
    int (*select_features)(const void *state, uint64_t *mask, hsel_error *error);
    /* Lazy: for the instance whose positive features are row[0 … count), ascending. Allocates
     * nothing. */
    int (*select_for)(const void *state, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error);
    /* Relevance of each feature as the method uses it, for explanations; NULL slot or NULL result:
     * none. */
    const double *(*scores)(const void *state);
    /* Why a feature was kept or dropped; NULL: no reasons. Lazy: for the instance of `row`, of
     * which `selection` is what select_for gave. Eager: row and selection are NULL, and the
     * training data must have `reasons` set. Allocates nothing. */
    void (*why)(const void *state, uint32_t feature, const uint32_t *row, size_t count,
                const hs_selection *selection, hs_lazy_scratch *scratch, hs_verdict *out);
    void (*free)(void *state);
} hs_selector;

HSEL_CHECKED int hs_lazy_scratch_init(hs_lazy_scratch *scratch, uint32_t features,
                                      hsel_error *error);
void hs_lazy_scratch_clear(hs_lazy_scratch *scratch);
/* Starts a new round of marks (cleared for real once in 2^31 rounds). */
uint32_t hs_lazy_scratch_next(hs_lazy_scratch *scratch);

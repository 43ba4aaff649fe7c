/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Common parts of the lazy selectors over a hierarchy: the hierarchy among the usable features,
 * their relevance, and the rules that keep features of an instance.
 *
 * On data that satisfy the true-path rule the positive features of an instance are closed upwards,
 * so a sweep upwards starts from them and never leaves them.
 *
 * Only the training part's counts and the data set's hierarchy, types, names and positive class are
 * used, never its rows.
 */
#pragma once

#include "measure/measure.h"
#include "select/select.h"

/* Which features stay: positive v by its positive descendants d (and all its ancestors a), negative
 * v by its negative ancestors a (and all its descendants d). */
typedef enum hs_lazy_rule {
    HS_ALL_POSITIVE, /* by value alone, without a hierarchy */
    HS_ALL_NEGATIVE,
    HS_HIP_PLUS, /* positive: no d; negative: none */
    HS_HIP,      /* positive: no d; negative: no a */
    HS_RPV,      /* positive: no score(d) > score(v); negative: none */
    HS_HIP_MR,   /* positive: all score(d) < score(v); negative: all score(a) < score(v) */
    HS_MR        /* of these, positive: no score(a) > score(v); negative: no score(d) > score(v) */
} hs_lazy_rule;

typedef struct hs_lazy {
    hs_lazy_rule rule;
    const hsel_dag *dag;  /* over the usable features, others isolated; NULL: not requested */
    hsel_dag *contracted; /* the same when it is not the data set's own */
    uint64_t *usable;     /* bit set: binary and in the training part's mask; NULL: all */
    bool all_binary;      /* the data set, whether usable or not */
    const hs_names *names;
    uint32_t features;
    double *score;         /* relevance; 0 when not usable; NULL: not requested */
    double *above, *below; /* greatest score of all ancestors, descendants; -INFINITY: none */
    /* HS_HIP, HS_HIP_MR and HS_MR: the features that exclude each negative one, the rarest of them
     * first; and the features by their first blocker, the last list being of those without any. */
    hs_sparse blockers, filed;
    uint32_t k, *rank; /* only the k best, by the rank of each usable feature; NULL: all */
    hs_arena memory;   /* of all arrays */
} hs_lazy;

/* The relevance of features, from options. Only rpv can choose; the others use R. */
typedef enum hs_lazy_measure { HS_BY_LAZYR, HS_BY_R, HS_BY_IG } hs_lazy_measure;
typedef struct hs_relevance {
    int measure, smoothing, lazyr; /* hs_lazy_measure, hs_smoothing, hs_lazyr_form */
    uint32_t k;                    /* the best k of the features that the rule keeps; 0: all */
} hs_relevance;

/* A state of `size` bytes, zeroed, that starts with its hs_lazy. `method` is the name in messages
 * of a selector that needs a hierarchy; NULL: needs none. `by` NULL: needs no relevance. O(features
 * x classes + edges) and the walks to blockers. */
HSEL_CHECKED int hs_lazy_prepare(const hs_training *training, const char *method, hs_lazy_rule rule,
                                 const hs_relevance *by, size_t size, void **state,
                                 hsel_error *error);

/* The slot of hs_selector for a state that starts with its hs_lazy and owns nothing but its memory.
 */
void hs_lazy_free(void *state);

static inline bool hs_lazy_can_use(const hs_lazy *lazy, uint32_t feature)
{
    return !lazy->usable || hs_bit_get(lazy->usable, feature);
}

/* Ascending; `other` has space for `count` too. O(count) for each byte of the largest item. */
void hs_lazy_sort(uint32_t *items, uint32_t *other, size_t count);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lazy selectors over a hierarchy share: the hierarchy among the features that may be
 * used, their relevance, and two sweeps over the neighbourhood of one instance.
 *
 * On data that obey the true-path rule the positive features of an instance are closed upwards, the
 * negative ones downwards. So a sweep upwards starts from the positive features and never leaves
 * them, and a sweep downwards starts at the children of positive features and at negative roots and
 * never meets a positive feature again.
 *
 * Only the training part's counts and the data set's hierarchy, types, names and positive class are
 * used, never its rows.
 */
#ifndef HS_SELECT_LAZY_H
#define HS_SELECT_LAZY_H

#include "measure/measure.h"
#include "select/select.h"

/* What keeps negative features out, found in advance (lazy_blockers.c). */
typedef struct hs_blockers {
    uint32_t *free;  /* ascending: features that nothing keeps out … */
    uint32_t *place; /* [features]: … and where they stand there; HSEL_NONE: others */
    uint32_t free_count;
    size_t *start;   /* [features + 2]: those that feature f keeps out begin at filed[start[f]], */
    uint32_t *filed; /* each as its number, number of its further blockers, these; NULL: no index */
} hs_blockers;

typedef struct hs_lazy {
    const hsel_dag *dag;  /* over the usable features, others isolated; NULL: not asked for */
    hsel_dag *contracted; /* the same when it is not the data set's own */
    uint64_t *usable;     /* bit set: binary and in the training part's mask; NULL: all */
    const hs_names *names;
    uint32_t features;
    uint32_t *root, roots; /* usable features without parents, ascending */
    double *score;         /* relevance; 0 when not usable */
    double *above,
        *below; /* greatest score among all proper ancestors, descendants; -INFINITY: none */
    hs_blockers blockers;
} hs_lazy;

/* Hierarchy and usable features. `method` is how messages call the selector that needs a hierarchy;
 * NULL: needs none. */
HSEL_CHECKED int hs_lazy_init(hs_lazy *lazy, const hs_training *training, const char *method,
                              hsel_error *error);
void hs_lazy_clear(hs_lazy *lazy);

typedef enum hs_lazy_measure { HS_BY_LAZYR, HS_BY_R, HS_BY_IG } hs_lazy_measure;

HSEL_CHECKED int hs_lazy_score(hs_lazy *lazy, const hs_training *training, hs_lazy_measure measure,
                               hs_smoothing smoothing, hs_lazyr_form form, hsel_error *error);
/* Fills `above` and `below`. */
HSEL_CHECKED int hs_lazy_extremes(hs_lazy *lazy, hsel_error *error);

static inline bool hs_lazy_can_use(const hs_lazy *lazy, uint32_t feature)
{
    return !lazy->usable || hs_bit_get(lazy->usable, feature);
}

static inline double hs_greater(double a, double b) { return a > b ? a : b; }

/* Starts a round for an instance: marks its usable positive features with scratch->round and sets
 * scratch->count of each to the number of its positive children. HSEL_EFORMAT names a positive
 * feature with a negative ancestor. */
HSEL_CHECKED int hs_lazy_start(const hs_lazy *lazy, const uint32_t *row, size_t count,
                               hs_lazy_scratch *scratch, hsel_error *error);
/* Then, for each of them, scratch->value = greatest score among its positive descendants, -INFINITY
 * if it has none. Uses the counts up. */
void hs_lazy_sweep_up(const hs_lazy *lazy, const uint32_t *row, size_t count,
                      hs_lazy_scratch *scratch);

/* Which negative features are kept. */
typedef enum hs_negative_rule {
    HS_NEGATIVE_HIP,    /* those without negative ancestor */
    HS_NEGATIVE_HIP_MR, /* those whose negative ancestors all have a lower score */
    HS_NEGATIVE_MR      /* of these, those without a descendant of higher score */
} hs_negative_rule;

/* After hs_lazy_start: the negative part of the selection. */
void hs_lazy_sweep_down(const hs_lazy *lazy, const uint32_t *row, size_t count,
                        hs_negative_rule rule, hs_lazy_scratch *scratch, hs_selection *out);

/* The same, through an index of what keeps each feature out if there is one. */
void hs_lazy_negatives(const hs_lazy *lazy, const uint32_t *row, size_t count,
                       hs_negative_rule rule, hs_lazy_scratch *scratch, hs_selection *out);
/* Makes it, for any rule but HIP's, after hs_lazy_extremes; there is none if it would take too
 * long. */
HSEL_CHECKED int hs_lazy_find_blockers(hs_lazy *lazy, const hs_training *training,
                                       hs_negative_rule rule, hsel_error *error);
void hs_blockers_clear(hs_blockers *blockers);

/* Ascending; `other` has room for `count` too. O(count) for each byte of the largest item. */
void hs_lazy_sort(uint32_t *items, uint32_t *other, size_t count);

/* Slots of hs_selector for a state that starts with its hs_lazy and owns nothing else. */
const double *hs_lazy_get_scores(const void *state);
void hs_lazy_free(void *state);

/* The rule that HIP-MR and HNB-s share (hip_mr.c). */
HSEL_CHECKED int hs_lazy_hip_mr(const hs_lazy *lazy, const uint32_t *row, size_t count,
                                hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error);

/* The option of every selector that uses R. */
#define HS_SMOOTHING_OPTION(T, field)                                                              \
    HS_CHOICE(T, field, "smoothing", "laplace|rpv|none", "laplace",                                \
              "how R smooths class probabilities")

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a feature selector is. Eager selectors choose one set of features for a training part; lazy
 * ones choose anew for each instance from its values. Both share one table of functions; selection
 * never sees the class of a test instance.
 */
#ifndef HS_SELECT_SELECT_H
#define HS_SELECT_SELECT_H

#include "core/method.h"
#include "data/training.h"

/* Scratch for one thread, the same for every lazy selector. The stamp trick: mark[f] == round means
 * "marked now"; rounds go up by two, so that round + 1 is a second mark. */
typedef struct hs_lazy_scratch {
    uint32_t features, round;
    uint32_t *mark, *count, *list;
    double *value;
} hs_lazy_scratch;

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
    void (*free)(void *state);
} hs_selector;

HSEL_CHECKED int hs_lazy_scratch_init(hs_lazy_scratch *scratch, uint32_t features,
                                      hsel_error *error);
void hs_lazy_scratch_clear(hs_lazy_scratch *scratch);
/* Starts a new round of marks (cleared for real once in 2^31 rounds). */
uint32_t hs_lazy_scratch_next(hs_lazy_scratch *scratch);

#endif

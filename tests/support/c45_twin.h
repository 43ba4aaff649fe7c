/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slow, obvious twin of `tree`: C4.5 with lists of instances and recursion, every gain from the
 * table of branches and classes, every limit by inverting what defines it. All twins of a case live
 * in one pool, which hs_twin_of starts anew.
 */
#ifndef HS_TESTS_C45_TWIN_H
#define HS_TESTS_C45_TWIN_H

#include "classify/tree.h"
#include "support/mixed_world.h"

typedef struct hs_twin_list {
    uint32_t row[MIXED_ROWS];
    double weight[MIXED_ROWS];
    uint32_t count;
} hs_twin_list;

typedef struct hs_twin {
    uint32_t feature, branches; /* branches 0: leaf */
    double threshold, count[MIXED_CLASSES], total;
    hs_twin_list here;
    struct hs_twin *child[MIXED_VALUES];
} hs_twin;

/* The tree as it is grown from the training rows; good until the next call. */
hs_twin *hs_twin_of(const hs_mixed *w, const hs_c45_options *o);
void hs_twin_collapse(const hs_mixed *w, hs_twin *t);
void hs_twin_prune(const hs_mixed *w, const hs_c45_options *o, hs_twin *t);
/* Adds weight times the class probabilities of the row; parent NULL at the root. */
void hs_twin_predict(const hs_mixed *w, const hs_c45_options *o, const hs_twin *t,
                     const hs_twin *parent, uint32_t row, double weight, double *sum);
double hs_twin_added_errors(double n, double e, double confidence);
/* How many branches were raised so far, in all trees. */
uint32_t hs_twin_raised(void);

#endif

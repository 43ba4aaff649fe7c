/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing and pruning a C4.5 tree: the parts of `tree`, which tests look at one by one.
 */
#ifndef HS_CLASSIFY_C45_H
#define HS_CLASSIFY_C45_H

#include "classify/tree.h"

typedef struct hs_c45_options {
    double confidence;
    uint32_t min;
    bool pruning, raising, collapse, mdl, laplace;
} hs_c45_options;

typedef struct hs_c45_split {
    double gain, ratio, threshold;
    uint32_t branches; /* 0: the feature cannot split the list */
} hs_c45_split;

typedef struct hs_c45_work { /* a node that waits to be pruned, or for instances */
    hs_tree_part part;
    uint32_t node, next; /* next: the child to look at */
} hs_c45_work;

typedef struct hs_c45 { /* zero-initialise; hs_c45_clear frees */
    const hs_c45_options *options;
    const hs_tree_data *data;
    hs_tree_pool pool;
    hs_tree tree;
    hs_c45_split *split; /* [features in use]: of the node at hand */
    double *positive;    /* [features * classes]: weight of the positive instances at the node */
    double *errors;      /* [nodes]: of collapsing, of pruning */
    double *extra; /* [nodes * (classes + 1)]: by class and in all, what a raised branch would gain;
                      0 between uses */
    uint32_t *touched; /* [nodes]: leaves that gain something */
    uint32_t *next;    /* [instances]: without missing values, the instances of a leaf … */
    uint32_t *first;   /* [nodes]: … from this one on; HSEL_NONE: none */
    bool *changed;     /* [nodes]: has other instances than when it was pruned */
    hs_c45_work *work;
    size_t work_capacity;
} hs_c45;

/* The whole tree, unpruned. */
HSEL_CHECKED int hs_c45_grow(hs_c45 *c45, const hs_c45_options *options, const hs_tree_data *data,
                             hsel_error *error);
void hs_c45_collapse(hs_c45 *c45);
HSEL_CHECKED int hs_c45_prune(hs_c45 *c45, hsel_error *error);
void hs_c45_clear(hs_c45 *c45);
/* What a leaf of that weight, `errors` of it in other classes than its own, is expected to err on
 * new instances beyond these: C4.5's upper limit. */
double hs_c45_added_errors(double weight, double errors, double confidence);

#endif

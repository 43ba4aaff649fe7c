/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sizes of a data set, as in the data tables of papers.
 */
#pragma once

#include "data/dataset.h"

typedef struct hs_summary {
    uint32_t instances, features, binary, numeric, nominal, classes;
    uint64_t positives;    /* positive values of binary features */
    double positive_share; /* of all values of binary features; 0 when there are none */
    uint64_t missing;      /* missing numeric and nominal values */
    uint32_t unlabelled;   /* instances without a class, or without target */
    uint32_t covariates;
    bool has_target;
    uint32_t min_support, max_support, constant; /* over binary features */
    bool has_hierarchy;
    uint64_t edges, ancestors;
    hs_dag_shape shape;
    /* Of the numeric target where it is known; standard deviation with n - 1. */
    double target_min, target_max, target_mean, target_sd;
} hs_summary;

/* All but `ancestors`, the one number that takes more than time in proportion to the data. */
HSEL_CHECKED int hs_summarise_quickly(const hsel_dataset *data, hs_summary *out, hsel_error *error);
HSEL_CHECKED int hs_summarise(const hsel_dataset *data, hs_summary *out, hsel_error *error);
/* Edges of the n one-dependence estimators on all features, one for each parent: AODE's (left_out
 * 0) go from the class to all n features and from the parent to the n-1 others; Hie-AODE (1) leaves
 * out those from a parent to its ancestors, Hie-AODE-Lite (2) those from the class to them too.
 * Wan, Freitas (2020), Table 4. 0 when features are not binary: then there are no such estimators.
 */
uint64_t hs_aode_edges(const hs_summary *summary, unsigned left_out);
/* Instances of each class into sizes[classes]. */
void hs_class_sizes(const hsel_dataset *data, uint32_t *sizes);
/* Of two classes the instances of the positive one, and all that have a class. False: there are not
 * two classes, or no instance has one. */
bool hs_positive_class_size(const hsel_dataset *data, uint32_t *positive, uint32_t *all);

/* Finds instances that look repeated, such as admissions of a patient or replicates of a sample. An
 * instance has a near copy if another one shares nearly all of its most specific positive features.
 * Both must have many of them, because genes often share a few terms. Identifiers look repeated if
 * nearly all end in one of a dozen short suffixes, and half of them share the rest. In data
 * with groups (data/design.h) only near copies in other groups count. repeats.c. */
typedef struct hs_repeats {
    uint32_t instances;     /* that have a near copy */
    uint32_t first, second; /* such a pair; HSEL_NONE: none */
    bool many;              /* enough for a note: a quarter of the instances */
    bool grouped;           /* the data have groups */
    bool named;             /* the identifiers look repeated: p17_1, p17_2 … */
    char separator;         /* … and this is between their parts */
} hs_repeats;

HSEL_CHECKED int hs_repeats_find(const hsel_dataset *data, hs_repeats *out, hsel_error *error);
/* Joins instances that are near copies, directly or by others: of[instances] for hs_joined. */
HSEL_CHECKED int hs_copies_join(const hsel_dataset *data, uint32_t *of, hsel_error *error);

/* Items joined in sets: at first of[i] is i. The set of an item is that of its lowest number. */
static inline uint32_t hs_joined(uint32_t *of, uint32_t i)
{
    while (of[i] != i)
        i = of[i] = of[of[i]];
    return i;
}
static inline void hs_join(uint32_t *of, uint32_t a, uint32_t b)
{
    a = hs_joined(of, a);
    b = hs_joined(of, b);
    of[a > b ? a : b] = a < b ? a : b;
}

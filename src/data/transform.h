/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New data sets from old ones, and the check of the true-path rule. Each function leaves its input
 * unchanged and returns a complete data set, including the hierarchy.
 */
#pragma once

#include "data/dataset.h"

/* Keeps the features with keep[f] (NULL: all); the hierarchy is contracted to them. */
HSEL_CHECKED int hs_dataset_subset(const hsel_dataset *data, const bool *keep, hsel_dataset **out,
                                   hsel_error *error);
/* The same in place; without one feature. */
HSEL_CHECKED int hs_dataset_keep(hsel_dataset **data, const bool *keep, hsel_error *error);
HSEL_CHECKED int hs_dataset_leave_out(hsel_dataset **data, uint32_t feature, hsel_error *error);
/* Puts a new data set, made from *data, in its place. */
static inline void hs_dataset_replace(hsel_dataset **data, hsel_dataset *by)
{
    hs_dataset_free(*data);
    *data = by;
}
/* Keeps the instances with keep[i]; classes stay, also those that have no instance left. */
HSEL_CHECKED int hs_dataset_keep_instances(const hsel_dataset *data, const bool *keep,
                                           hsel_dataset **out, hsel_error *error);
/* Makes all ancestors of positive features positive; *added counts the values that changed. */
HSEL_CHECKED int hs_dataset_propagate(const hsel_dataset *data, hsel_dataset **out, uint64_t *added,
                                      hsel_error *error);
/* Marks features that are positive in fewer than `support` instances to learn from
 * (data/classes.h; binary features only); returns how many. */
uint32_t hs_mark_rare(const hsel_dataset *data, uint32_t support, bool *keep);
/* Marks features that have children but no parent; returns how many. */
uint32_t hs_mark_roots(const hsel_dataset *data, bool *keep);
/* Further features of these types after the others: 0, negative, or missing and without values, in
 * every instance. The result has no hierarchy. HSEL_EFORMAT if a name is taken. */
HSEL_CHECKED int hs_dataset_add_features(const hsel_dataset *data, const hs_names *names,
                                         const uint8_t *types, hsel_dataset **out,
                                         hsel_error *error);
/* Features that became one term (into[f] is the feature that stays; itself for most): the one that
 * stays is positive where any was. The data set must not have a hierarchy yet. */
HSEL_CHECKED int hs_dataset_merge(const hsel_dataset *data, const uint32_t *into,
                                  hsel_dataset **out, hsel_error *error);
/* Labels and namespaces of the features that are terms of the graph, in addition to what is known
 * of them. */
HSEL_CHECKED int hs_dataset_name_terms(hsel_dataset *data, const hs_graph *graph,
                                       hsel_error *error);
/* The same features, classes and hierarchy, without instances. */
HSEL_CHECKED int hs_dataset_shape(const hsel_dataset *data, hsel_dataset **out, hsel_error *error);
/* Instance i is a copy of instance rows[i], without its identifier and the recipe. */
HSEL_CHECKED int hs_dataset_repeat(const hsel_dataset *data, const uint32_t *rows, uint32_t count,
                                   hsel_dataset **out, hsel_error *error);
/* Gives the data set a copy of the hierarchy; NULL: none. */
HSEL_CHECKED int hs_attach_copy(hsel_dataset *data, const hsel_dag *dag, hsel_error *error);
/* Gives the data set a hierarchy (which it then owns); an old one is freed. */
HSEL_CHECKED int hs_dataset_attach(hsel_dataset *data, hsel_dag *dag, hsel_error *error);

/* The true-path rule: a positive feature makes its ancestors positive. Data are repaired only on
 * request (hs_dataset_propagate). */
typedef struct hs_truepath {
    uint64_t cells;                   /* (instance, edge) pairs: child positive, parent not */
    uint64_t edges;                   /* edges with at least one */
    uint32_t instances;               /* instances with at least one */
    uint32_t instance, child, parent; /* the first one; instance HSEL_NONE when there is none */
} hs_truepath;

/* O(sum of parents over all positive values). A data set without hierarchy satisfies it. */
HSEL_CHECKED int hs_truepath_check(const hsel_dataset *data, hs_truepath *out, hsel_error *error);

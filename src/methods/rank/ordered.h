/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of a training part as rankers use them: the known values in ascending order, equal ones
 * together, with the classes that they come with. Instances without a class are left out; so are
 * missing values, of which the number in each class is kept.
 *
 * A column is a list of groups, one per distinct value, each with the instances that come before
 * it, in all and by class: any range of groups is a difference. Zeros of a sparse column are one
 * group, and a binary feature has at most two. Memory O(n K) per thread.
 */
#pragma once

#include "data/data.h"

typedef struct hs_labelled { /* what all threads share; hs_labelled_clear frees, also after a
                                failure */
    const hs_training *training;
    uint32_t classes, count; /* count: training instances that have a class */
    uint32_t *row, *label;   /* [count]: instance and class, in the order of the training part */
    uint32_t *label_of;      /* [instances]: HSEL_NONE outside; NULL without sparse columns */
    double *klogk;           /* [count + 1]: k ln k */
    hs_arena memory;
} hs_labelled;

typedef struct hs_ordered { /* one per thread; hs_ordered_clear frees, likewise */
    uint32_t classes, groups, known;
    double *value;      /* [groups]: ascending; the code of a nominal value */
    uint32_t *before;   /* [groups + 1]: instances before the group; the last: all that are known */
    uint32_t *of_class; /* [(groups + 1) * classes]: the same of each class */
    uint32_t *class_known;   /* [classes]: instances with a known value */
    uint32_t *class_missing; /* [classes]: the others */
    bool *cut;               /* [groups]: set by hs_mdl_cuts */
    uint32_t *tally;         /* [classes or nominal values], for reading, as what follows */
    double *read, *sorted;   /* [count] */
    uint32_t *read_label;
    uint64_t *place, *spare;
    double *present_cost; /* [classes + 1], for cutting: log2(3^k - 2) */
    double *scratch;      /* for rankers: grown by them */
    size_t scratch_capacity;
    hs_arena memory; /* of all but scratch */
} hs_ordered;

HSEL_CHECKED int hs_labelled_init(hs_labelled *columns, const hs_training *training,
                                  hsel_error *error);
void hs_labelled_clear(hs_labelled *columns);
HSEL_CHECKED int hs_ordered_init(hs_ordered *ordered, const hs_labelled *columns,
                                 hsel_error *error);
void hs_ordered_clear(hs_ordered *ordered);
/* Fills `ordered` with a feature of any type. O(values log values) or less, nothing for zeros of
 * sparse and binary columns. */
void hs_order_column(const hs_labelled *columns, uint32_t feature, hs_ordered *ordered);

/* Sorts value[0 … count), none of which is NaN: sorted[i] is the value of rank i, and the lower
 * half of place[i] says where it stood; equal values keep their order (0 and -0 are equal). `place`
 * and `spare` have room for count. O(count), whatever the values are (value_sort.c). */
void hs_sort_values(const double *value, uint32_t count, double *sorted, uint64_t *place,
                    uint64_t *spare);

/* Discretisation of a numeric column by Fayyad and Irani's minimum description length principle, as
 * WEKA does it before it scores numeric features (mdl.c): sets cut[g] where there is a cut between
 * group g and the next; returns how many there are. */
uint32_t hs_mdl_cuts(const hs_labelled *columns, hs_ordered *ordered);
/* The value of each training instance with a class, of a feature that is not binary, as a code into
 * code[count]: a nominal value that occurs, an interval; missing values have a separate code, the
 * last. Returns how many there are. */
uint32_t hs_code_column(const hs_labelled *columns, uint32_t feature, hs_ordered *ordered,
                        uint32_t *code);

/* Processes every feature of the view's mask: in parallel, a block of neighbours per task. Each
 * thread has its own `ordered`. */
typedef int (*hs_column_work)(void *context, const hs_labelled *columns, uint32_t feature,
                              hs_ordered *ordered, hsel_error *error);
HSEL_CHECKED int hs_each_column(const hs_training *training, hs_column_work work, void *context,
                                hsel_error *error);

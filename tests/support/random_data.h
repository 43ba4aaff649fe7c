/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random small data sets and hierarchies for tests, and a deep comparison of two data sets.
 */
#ifndef HS_TESTS_RANDOM_DATA_H
#define HS_TESTS_RANDOM_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"
#include "data/dataset.h"

typedef enum hs_spelling {
    HS_NAMES_PLAIN, /* f0, f1 … */
    HS_NAMES_ASCII, /* with quotes, commas, %, blanks, braces … but no tab or line end */
    HS_NAMES_UTF8   /* and letters outside ASCII */
} hs_spelling;

typedef struct hs_random_shape {
    uint32_t instances, features, classes;
    double density; /* share of positive values of binary features (before the true-path rule) */
    double parents; /* mean number of parents a node; 0: no hierarchy. Parents have lower or higher
                       numbers alike. */
    bool true_path; /* the rule holds */
    double numeric; /* share of features that are numeric (each has a value that is neither 0 nor 1)
                       … */
    double nominal; /* … or nominal (two values that occur and perhaps one that does not) */
    double missing; /* share of missing numeric and nominal values */
    double unlabelled; /* share of instances without class */
    bool ids;
    hs_spelling spelling; /* of features, values, classes and ids */
} hs_random_shape;

/* Fails the running cmocka test when memory runs out. Free with hsel_dataset_free. Every class
 * occurs if there are enough labelled instances. */
hsel_dataset *hs_random_dataset(hs_stream *stream, const hs_random_shape *shape);
/* Gives a data set tables of features and of instances (or one of them), with texts that outputs
 * may stumble over: tabs, line ends, quotes, HTML, bytes that are not UTF-8, now and then 100 kB;
 * and a provenance. */
void hs_random_labels(hs_stream *stream, hsel_dataset *data);
/* Gives a data set a numeric target, known in most instances, in place of its classes, and makes
 * some of the features that are not in the hierarchy covariates. */
void hs_random_target(hs_stream *stream, hsel_dataset *data);
/* Binary data as numbers: `value` of feature and class where it was positive, else 0; the hierarchy
 * is copied. */
hsel_dataset *hs_as_numbers(const hsel_dataset *data, double (*value)(uint32_t, uint32_t));
/* A DAG with about nodes * parents edges, in no particular numbering. Free with hs_dag_free. */
hsel_dag *hs_random_dag(hs_stream *stream, uint32_t nodes, double parents);
/* Gives its edges relations: is_a, part_of and others, sometimes of one kind only. */
void hs_random_relations(hs_stream *stream, hsel_dag *dag);
/* A shape with everything in it now and then: at most 12 x 12. Plain names, no hierarchy, all
 * binary unless asked. */
hs_random_shape hs_random_small_shape(hs_stream *stream);

/* What to compare beyond the sizes, the types and values of features and the class label of each
 * instance. */
enum hs_same {
    HS_SAME_FEATURE_NAMES = 1 << 0,
    HS_SAME_IDS = 1 << 1,
    HS_SAME_CLASS_ORDER = 1 << 2, /* else classes are compared by label */
    HS_SAME_VALUE_ORDER = 1 << 3, /* the same for the values of nominal features */
    HS_SAME_DESCRIPTION = 1 << 4, /* name of the data set, class and id attribute, positive class */
    HS_SAME_HIERARCHY = 1 << 5,
    HS_SAME_LABELS = 1 << 6, /* tables of features and instances, provenance */
    HS_SAME_ALL = (1 << 7) - 1
};

/* NULL when they are the same, else what differs first; the text is good until the next call. */
const char *hs_same_dataset(const hsel_dataset *a, const hsel_dataset *b, unsigned what);
const char *hs_same_dag(const hsel_dag *a, const hsel_dag *b);

#endif

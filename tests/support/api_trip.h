/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library as other languages call it: models and arrays of any origin.
 */
#ifndef HS_TESTS_API_TRIP_H
#define HS_TESTS_API_TRIP_H

#include <stddef.h>

/* Reads the bytes as a file of a model whose length and checksum are right, and uses the model in
 * every way. NULL: all is well; else what is not. */
const char *hs_exercise_model(const void *bytes, size_t length);

/* Makes a small data set of arrays that the bytes describe, and calls what takes data sets.
 *
 * The bytes: instances, features, classes, layout, number, flags (32-bit indices, types, names,
 * target, covariates, hierarchy, spare, weights: one bit each), selector, classifier, ranker,
 * metric or fold scheme, number of edges; then what fills the arrays. When they are used up, they
 * begin again. What follows a NUL and a colon at the end are options of the classifier. */
const char *hs_exercise_arrays(const void *bytes, size_t length);

#endif

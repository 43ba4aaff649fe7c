/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generators of data sets: from options and a seed to a complete data set with hierarchy. The same
 * options and seed give the same data set on every machine and at every number of threads:
 * generators draw from streams numbered by instance and compute with sums, products and square
 * roots only.
 */
#pragma once

#include "data/data.h"

typedef struct hs_generator {
    int (*generate)(const void *options, uint64_t seed, hsel_dataset **out, hsel_error *error);
} hs_generator;

/* The data set that `builder` holds, with `*dag` over its features as hierarchy, which is taken
 * over and set to NULL on success. */
HSEL_CHECKED int hs_generate_finish(hs_builder *builder, hsel_dag **dag, hsel_dataset **out,
                                    hsel_error *error);

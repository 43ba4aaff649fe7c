/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a generator of data sets is: options and a seed in, a complete data set with hierarchy out.
 */
#ifndef HS_GENERATE_GENERATE_H
#define HS_GENERATE_GENERATE_H

#include "core/method.h"
#include "data/dataset.h"

typedef struct hs_generator {
    int (*generate)(const void *options, uint64_t seed, hsel_dataset **out, hsel_error *error);
} hs_generator;

#endif

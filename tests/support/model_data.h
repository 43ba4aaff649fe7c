/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random data for tests of models, and models of them. What goes wrong fails the running test.
 */
#ifndef HS_TESTS_MODEL_DATA_H
#define HS_TESTS_MODEL_DATA_H

#include "core/random.h"
#include "learn/model.h"

/* Binary features with a hierarchy, for which the true-path rule holds. */
hsel_dataset *hs_model_data(hs_stream *stream, uint32_t rows, uint32_t features);
/* Binary, numeric and nominal features, some values missing; no hierarchy. */
hsel_dataset *hs_model_mixed(hs_stream *stream, uint32_t rows, uint32_t features);
/* Numbers with a hierarchy, added up, filtered and transformed by clr; *raw (may be NULL): as they
 * were before. */
hsel_dataset *hs_model_prepared(hs_stream *stream, hsel_dataset **raw);
/* Trained on all instances but one; HSEL_NONE: on all. */
hs_model *hs_model_of(const hsel_dataset *data, const char *selector, const char *classifier,
                      uint32_t without);

/* hs_model_train with its request spelled out; of `without` (HSEL_NONE: none) the weight is 0. */
HSEL_CHECKED int hs_train(const hsel_dataset *data, const char *selector, const char *classifier,
                          uint32_t without, bool allow_violations, uint64_t seed, int threads,
                          const hs_progress *progress, hs_model **out, hsel_error *error);
HSEL_CHECKED int hs_train_weighted(const hsel_dataset *data, const double *weight,
                                   const char *selector, const char *classifier,
                                   bool allow_violations, uint64_t seed, int threads,
                                   hs_model **out, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made-up results for tests of the store: unit number i always has the same content, so that what
 * comes back can be compared with what must have been put.
 */
#ifndef HS_TESTS_STORED_UNITS_H
#define HS_TESTS_STORED_UNITS_H

#include "study/store.h"

#define UNIT_FOLDS     5
#define UNIT_SELECTORS 3

extern const char *const hs_unit_selectors[UNIT_SELECTORS];
extern const char *const hs_unit_classifiers[2];

/* Opens a store, or fails the running test. */
hs_store *hs_unit_store(const char *path, hs_store_mode mode);
/* A data set with 23 instances, 17 features and 3 classes; `variant` changes its content. */
hsel_dataset *hs_unit_dataset(unsigned variant, const char *name);
/* Unit i: selector and fold change fastest, then the seed. */
hs_result_key hs_unit_key_of(int64_t dataset, unsigned i);
/* Puts unit i; failed: its second classifier failed. */
HSEL_CHECKED int hs_unit_put(hs_store *store, int64_t dataset, unsigned i, bool failed,
                             hsel_error *error);
/* The same with what a lazy selector chose for some instances. */
HSEL_CHECKED int hs_unit_put_probed(hs_store *store, int64_t dataset, unsigned i,
                                    const char *probed, size_t length, hsel_error *error);
/* Fails the running test if the jobs of unit i are not there exactly as they were put. */
void hs_unit_assert(hs_store *store, int64_t dataset, unsigned i, bool failed);
/* The states of the jobs of both classifiers. */
HSEL_CHECKED int hs_unit_jobs(hs_store *store, hs_result_key key, hs_job_state out[2],
                              hsel_error *error);
/* Are both of its jobs there? */
bool hs_unit_there(hs_store *store, int64_t dataset, unsigned i);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The results of a study as one table in CSV: for every data set, selector, classifier and metric,
 * in the order of the study, the pooled value and the mean over folds (each the mean over repeats),
 * the standard deviation over repeats, and the share of features selected. It holds no times and
 * nothing of how it was run, so it is the same to the byte for the same study.
 */
#ifndef HS_STUDY_EXPORT_H
#define HS_STUDY_EXPORT_H

#include "core/writer.h"
#include "stats/metrics.h"
#include "study/store.h"

/* What is not finished has empty fields. Data sets that the store does not know are left out. */
HSEL_CHECKED int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out,
                                 hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures as rankers.
 */
#ifndef HS_RANK_FILTERS_H
#define HS_RANK_FILTERS_H

#include "rank/rank.h"

/* Like the slot of hs_ranker, for methods of kind HS_MEASURE. */
HSEL_CHECKED int hs_filters_rank(const hs_training *training, const hs_chosen *measures,
                                 size_t count, double *const *scores, hsel_error *error);

#endif

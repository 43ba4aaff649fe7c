/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The vote of the nearest neighbours as twins of knn take it, from all distances.
 */
#ifndef HS_TESTS_VOTE_TWIN_H
#define HS_TESTS_VOTE_TWIN_H

#include <stdint.h>

#define VOTE_MOST 80 /* neighbours */

/* All that are as near as the k-th vote; each class has one share more, of 1 in n. */
void hs_vote_twin(const double *distance, const uint32_t *label, uint32_t n, uint32_t k,
                  uint32_t classes, double *out);

#endif

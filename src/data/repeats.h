/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do instances look repeated: admissions of one patient, replicates of one sample? An instance has
 * a near copy if another one shares nearly all of its most specific positive features, of which
 * both have many: genes with the same few terms are common and no copies. Copies are found by the
 * smallest hashes of their features (MinHash), O(positive values + instances log instances).
 */
#ifndef HS_DATA_REPEATS_H
#define HS_DATA_REPEATS_H

#include "data/dataset.h"

typedef struct hs_repeats {
    uint32_t instances;     /* that have a near copy */
    uint32_t first, second; /* such a pair; HSEL_NONE: there is none */
    bool many;              /* enough to be said: a quarter of the instances */
} hs_repeats;

HSEL_CHECKED int hs_repeats_find(const hsel_dataset *data, hs_repeats *out, hsel_error *error);

#endif

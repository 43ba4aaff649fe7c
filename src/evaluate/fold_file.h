/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folds as text, so that others can use ours and we can use theirs: a header line, then for each instance its identifier
 * (or its number from 1 where there are none), a tab and its fold from 1. Reading takes the lines in any order.
 */
#ifndef HS_EVALUATE_FOLD_FILE_H
#define HS_EVALUATE_FOLD_FILE_H

#include "data/folds.h"

HSEL_CHECKED int hs_folds_read(const char *path, const hsel_dataset *data, hs_folds *out, hsel_error *error);
HSEL_CHECKED int hs_folds_write(const hs_folds *folds, const hsel_dataset *data, const char *path, hsel_error *error);

#endif

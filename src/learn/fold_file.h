/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fold files, for exchange with other programs: a header line, then for each instance its
 * identifier, a tab and its fold from 1. The header "instance<tab>fold" stands for identifiers,
 * "number<tab>fold" for numbers from 1, which are written where identifiers are missing, repeat or
 * hold a line end. Reading takes the lines in any order; without a header the lines name
 * identifiers if the data set has them, else numbers.
 */
#pragma once

#include "data/data.h"

/* "own", "weka", "wan" or "loo" into *scheme; "weka:1" also sets *seed, which is left alone
 * otherwise. False: no such scheme. */
bool hs_fold_scheme_parse(const char *text, hs_fold_scheme *scheme, uint64_t *seed);
/* Folds by the name of a scheme: own, weka, wan, loo, window:N, or file:PATH. A seed after the name
 * (weka:1) replaces `seed`: repeats have the same folds and differ only in random methods. */
HSEL_CHECKED int hs_folds_choose(const char *scheme, const hsel_dataset *data, uint32_t count,
                                 uint64_t seed, hs_folds *out, hsel_error *error);

/* Refuses data that hs_folds_check refuses. */
HSEL_CHECKED int hs_folds_read(const char *path, const hsel_dataset *data, hs_folds *out,
                               hsel_error *error);
HSEL_CHECKED int hs_folds_write(const hs_folds *folds, const hsel_dataset *data, const char *path,
                                hsel_error *error);

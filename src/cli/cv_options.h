/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that every command which cross-validates shares.
 */
#ifndef HS_CLI_CV_OPTIONS_H
#define HS_CLI_CV_OPTIONS_H

#include "cli/cli.h"
#include "data/folds.h"

typedef struct hs_cv_options {
    uint32_t folds, repeats;
    uint64_t seed;
    const char *scheme; /* own, weka, wan, loo, file:PATH */
} hs_cv_options;

extern const hs_option hs_cv_table[]; /* over hs_cv_options */

/* The folds of repeat r (from 0), whose seed is options->seed + r. */
HSEL_CHECKED int hs_cv_folds(const hs_cv_options *options, const hsel_dataset *data,
                             uint32_t repeat, hs_folds *out, hsel_error *error);

#endif

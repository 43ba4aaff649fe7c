/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From options to folds.
 */
#include "cli/cv_options.h"

#include "evaluate/fold_file.h"

const hs_option hs_cv_table[] = {
    HS_OPTION(hs_cv_options, folds, "folds", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(hs_cv_options, repeats, "repeats", "N", "1", 1, 100000,
              "how often to repeat, with other folds"),
    HS_OPTION(hs_cv_options, seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"),
    HS_TEXT(hs_cv_options, scheme, "fold-scheme", "own|weka|wan|loo|file:PATH", "own",
            "how instances come into folds: own (stratified), weka (WEKA's, behind the RPV and "
            "GA-HFS tables), wan (class "
            "sizes of the Hie-AODE tables), loo (leave one out), or a fold file; weka:1 has the "
            "folds of seed 1 in every repeat, so that repeats differ in random methods only"),
    HS_OPTION_END};

int hs_cv_folds(const hs_cv_options *options, const hsel_dataset *data, uint32_t repeat,
                hs_folds *out, hsel_error *error)
{
    return hs_folds_choose(options->scheme, data, options->folds, options->seed + repeat, out,
                           error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From options to folds.
 */
#include "cli/cv_options.h"

#include <string.h>

#include "evaluate/fold_file.h"

const hs_option hs_cv_table[] = {
    HS_OPTION(hs_cv_options, folds, "folds", "N", "10", 2, 1000000, "number of folds"),
    HS_OPTION(hs_cv_options, repeats, "repeats", "N", "1", 1, 100000,
              "how often to repeat, with other folds"),
    HS_OPTION(hs_cv_options, seed, "seed", "S", "1", 0, 9e15, "seed; repeat r uses S + r"),
    HS_TEXT(hs_cv_options, scheme, "fold-scheme", "own|weka|wan|loo|file:PATH", "own",
            "how instances come into folds: own (stratified), weka (WEKA's, behind the RPV and "
            "GA-HFS tables), wan (class "
            "sizes of the Hie-AODE tables), loo (leave one out), or a fold file"),
    HS_OPTION_END};

int hs_cv_folds(const hs_cv_options *options, const hsel_dataset *data, uint32_t repeat,
                hs_folds *out, hsel_error *error)
{
    static const char *const words[] = {"own", "weka", "wan", "loo"};
    static const hs_fold_scheme schemes[] = {HS_FOLDS_OWN, HS_FOLDS_WEKA, HS_FOLDS_WAN,
                                             HS_FOLDS_LOO};
    if (strncmp(options->scheme, "file:", 5) == 0)
        return hs_folds_read(options->scheme + 5, data, out, error);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(options->scheme, words[i]) == 0)
            return hs_folds_make(data, schemes[i], options->folds, options->seed + repeat, out,
                                 error);
    int nearest = hs_nearest(options->scheme, words, sizeof words / sizeof words[0]);
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE, "there is no fold scheme '%.80s'; did you mean '%s'?",
                       options->scheme, words[nearest]);
    return hs_fail(error, HSEL_EUSAGE,
                   "there is no fold scheme '%.80s'; there are own, weka, wan, loo and file:PATH",
                   options->scheme);
}

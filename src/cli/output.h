/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a command puts a data set: a pack, a data file with or without a hierarchy file beside it,
 * or a folder (data.arff.gz, hierarchy.tsv.gz, meta.json) that every command can read again.
 */
#ifndef HS_CLI_OUTPUT_H
#define HS_CLI_OUTPUT_H

#include <dirent.h>

#include "cli/cli.h"

typedef struct hs_output_options {
    const char *output; /* "-": standard output */
    const char *format;
    const char *hierarchy_output;
    const char *hierarchy_format;
} hs_output_options;

extern const hs_option hs_output_table[]; /* over hs_output_options: --output, --to,
                                             --hierarchy-output, --hierarchy-to */

/* What can be known before there are data: is there a place to write to, and a format for it?
 * `roles` is what may come. */
HSEL_CHECKED int hs_output_check(const hs_output_options *options, unsigned roles,
                                 hsel_error *error);
/* The files that would be written; nothing if there is no --output. */
HSEL_CHECKED int hs_output_claim(const hs_call *call, const hs_output_options *options,
                                 hsel_error *error);
/* `known` is the graph that the hierarchy was made from, for formats that hold more of it than a
 * data set does; NULL: not at hand. */
HSEL_CHECKED int hs_output_dataset(const hs_call *call, const hsel_dataset *data,
                                   const hs_graph *known, const hs_output_options *options,
                                   hsel_error *error);

/* HS_OWNS(hs_close_folder) DIR *folder = opendir(path); NULL is fine. */
static inline void hs_close_folder(DIR **folder)
{
    if (*folder)
        closedir(*folder);
}

#endif

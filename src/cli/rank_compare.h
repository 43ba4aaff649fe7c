/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel rank --compare: how alike the rankings of several rankers are, on one data set or several.
 */
#ifndef HS_CLI_RANK_COMPARE_H
#define HS_CLI_RANK_COMPARE_H

#include "cli/cli.h"
#include "cli/method_list.h"

typedef struct hs_rank_compare_options {
    bool compare;
    int tau, ties;
    uint32_t draws;
    uint64_t seed;
    const char *plot, *html, *gnuplot;
} hs_rank_compare_options;

extern const hs_option hs_rank_compare_table[];

typedef enum hs_rank_format { HS_RANK_TEXT, HS_RANK_CSV, HS_RANK_JSON } hs_rank_format;

/* Ranks every data set of the call by rankers of this list (empty: those of the TBFS paper), and
 * writes the comparison to `output`, NULL: standard output. */
HSEL_CHECKED int hs_rank_compare(const hs_call *call, const hs_rank_compare_options *options,
                                 const hs_load_options *load, const hs_list *by,
                                 hs_rank_format format, const char *output, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows a comparison of methods over data sets, statistic by statistic: as text for a terminal and
 * as JSON.
 */
#pragma once

#include "show/document.h"
#include "stats/statistics.h"

/* The tables HS_IN_METHODS and HS_IN_TESTS: the number of columns, the first with the methods; the
 * heading and a row for each method, best first. */
size_t hs_comparison_columns(const hs_comparison *comparison, unsigned table);
void hs_comparison_rows(const hs_comparison *comparison, unsigned table, hs_doc_grid *grid);
/* For a terminal: tables, and the words in lines of at most 100 columns. */
HSEL_CHECKED int hs_comparison_print(const hs_comparison *comparison, hs_writer *out,
                                     hsel_error *error);
HSEL_CHECKED int hs_comparison_json(const hs_comparison *comparison, hs_json *json,
                                    hsel_error *error);
/* Critical-difference diagram (Demšar 2006) as one <svg> element that is a complete file and can be
 * embedded in a page: it has the colour of the surrounding text (currentColor) and shrinks with the
 * page. Fails with HSEL_EUSAGE if there are too few data for the tests. */
HSEL_CHECKED int hs_cd_svg(const hs_comparison *comparison, hs_writer *out, hsel_error *error);

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats of a report. Each only formats what is in it.
 */
#ifndef HS_REPORT_WRITERS_H
#define HS_REPORT_WRITERS_H

#include "report/report.h"

/* One page that needs nothing beside itself. */
HSEL_CHECKED int hs_write_html(const hs_document *doc, hs_writer *out, hsel_error *error);
/* Aligned for a terminal. */
HSEL_CHECKED int hs_write_text(const hs_document *doc, hs_writer *out, hsel_error *error);
/* Tables for \input, by booktabs. */
HSEL_CHECKED int hs_write_latex(const hs_document *doc, hs_writer *out, hsel_error *error);
/* A line for each data set, selector, classifier and metric; shares with every digit, no times, so
 * that the same results give the same bytes. */
HSEL_CHECKED int hs_write_csv(const hs_report *report, hs_writer *out, hsel_error *error);

#endif

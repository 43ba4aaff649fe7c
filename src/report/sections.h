/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sections of a report, each in a file of its own, in their order; and how numbers look in all
 * of them. A section adds to report->doc and leaves the rest alone.
 */
#ifndef HS_REPORT_SECTIONS_H
#define HS_REPORT_SECTIONS_H

#include "report/report.h"

HSEL_CHECKED int hs_section_head(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_scores(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_published(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_compression(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_sweeps(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_rankings(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_times(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_features(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_section_data(hs_report *report, hsel_error *error);

/* Words for "no number". */
#define HS_NOTHING "–"

/* A share as the papers print it: percent with one decimal. */
const char *hs_percent(hs_document *doc, double share);
/* A difference of shares in points, with its sign; "=" if it is none as printed. */
const char *hs_difference(hs_document *doc, double difference);
/* With every digit, for tooltips. */
const char *hs_percent_exactly(hs_document *doc, double share);
const char *hs_milliseconds(hs_document *doc, double seconds);
const char *hs_p_value(hs_document *doc, double p, bool sentence); /* as hs_p_text */
const char *hs_grouped(hs_document *doc, uint64_t number);
/* "1 data set", "3 data sets" */
const char *hs_plural(hs_document *doc, uint64_t count, const char *one, const char *many);

/* A number in a chart's data; "?" for NaN. */
void hs_chart_number(hs_writer *out, double number);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a study: everything is worked out once (hs_report_make) and then written in one
 * format or several. See docs/report.md for what it holds.
 */
#ifndef HS_STUDY_REPORT_REPORT_H
#define HS_STUDY_REPORT_REPORT_H

#include "study/report/boards.h"
#include "show/document.h"

typedef enum hs_report_format {
    HS_REPORT_HTML,
    HS_REPORT_TEXT,
    HS_REPORT_CSV,
    HS_REPORT_LATEX,
    HS_REPORT_CURVES
} hs_report_format;

/* By their names, and an ending of files; up to one without name. */
extern const struct hs_report_form {
    const char *name, *ending;
    hs_report_format format;
} hs_report_forms[];

typedef struct hs_report_request {
    const char *store;
    const char *study; /* name; NULL: the newest in the store */
    const char
        *folder; /* of the study file, where published tables stand; NULL: it is looked for */
    const hs_metric *metrics; /* to show in place of the study's; NULL: the study's */
    size_t metric_count;
    const char *charts;   /* folder to keep charts in; NULL: none */
    const char *explorer; /* folder with pages of hsel explore, seen from the page; NULL: none */
    const char *page;     /* where it will be; NULL: here */
    const hs_progress *progress; /* told of outcomes read from the store; NULL: nobody asks */
    bool details;                /* also what only a page has space for: each data set in detail */
} hs_report_request;

typedef struct hs_report { /* zero-initialise; hs_report_clear frees */
    hs_store *store;
    hs_study study;
    hs_outcomes outcomes;
    hs_boards boards;
    hs_metric metrics[HS_METRICS];
    size_t metric_count;
    const char *charts, *explorer, *page; /* of the request … */
    const hs_progress *progress;          /* … NULL: nobody asks */
    hs_document doc;
} hs_report;

HSEL_CHECKED int hs_report_make(const hs_report_request *request, hs_report *out,
                                hsel_error *error);
void hs_report_clear(hs_report *report);
/* The words of it (sections.c). */
HSEL_CHECKED int hs_report_add_sections(hs_report *report, bool details, hsel_error *error);
HSEL_CHECKED int hs_report_add_automatic(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_report_add_simulations(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_report_add_details(hs_report *report, hsel_error *error);
HSEL_CHECKED int hs_report_write(const hs_report *report, hs_report_format format, hs_writer *out,
                                 hsel_error *error);

#endif

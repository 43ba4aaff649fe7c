/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a study: everything is computed once (hs_report_make) and then written in one or
 * several formats. docs/report.md describes it.
 */
#pragma once

#include "study/report/boards.h"
#include "show/document.h"

typedef enum hs_report_format {
    HS_REPORT_HTML,
    HS_REPORT_TEXT,
    HS_REPORT_CSV,
    HS_REPORT_LATEX,
    HS_REPORT_CURVES
} hs_report_format;

/* Formats by name and ending of files; the last has no name. */
extern const struct hs_report_form {
    const char *name, *ending;
    hs_report_format format;
} hs_report_forms[];

typedef struct hs_report_request {
    const char *store;
    const char *study;  /* name; NULL: the newest in the store */
    const char *folder; /* of the study file, where published tables are; NULL: search for it */
    const hs_metric *metrics; /* to show instead of the study's; NULL: the study's */
    size_t metric_count;
    const char *charts;   /* folder to keep charts in; NULL: none */
    const char *explorer; /* folder with pages of hsel explore, seen from the page; NULL: none */
    const char *page;     /* where it will be; NULL: here */
    const hs_progress *progress; /* called for outcomes read from the store; may be NULL */
    bool details; /* with details of each data set, for which only a page has space */
} hs_report_request;

typedef struct hs_report { /* zero-initialise; hs_report_clear frees */
    hs_store *store;
    hs_study study;
    hs_outcomes outcomes;
    hs_boards boards;
    hs_metric metrics[HS_METRICS];
    size_t metric_count;
    hs_report_request request; /* borrowed */
    hs_document doc;
    const char **designs; /* of each data set: how its folds respect the design; NULL: none */
    const char *design;   /* the same in short for all data sets; NULL: none */
} hs_report;

HSEL_CHECKED int hs_report_make(const hs_report_request *request, hs_report *out,
                                hsel_error *error);
void hs_report_clear(hs_report *report);
HSEL_CHECKED int hs_report_write(const hs_report *report, hs_report_format format, hs_writer *out,
                                 hsel_error *error);

/* The results of a study as one table in CSV: for every data set that the store knows, selector,
 * classifier and metric, in the order of the study, the pooled value and the mean over folds (each
 * the mean over repeats), the standard deviation over repeats, and the share of features selected;
 * empty fields for unfinished results. It contains no times and no details of the run, so the same
 * study gives the same bytes. */
HSEL_CHECKED int hs_study_export(const hs_study *study, hs_store *store, hs_writer *out,
                                 hsel_error *error);

/* ---- its sections: sections.c has their order and common parts ---- */

HSEL_CHECKED int hs_report_add_sections(hs_report *report, bool details, hsel_error *error);

typedef int hs_report_section(hs_report *report, hsel_error *error);
hs_report_section hs_report_find_designs;                                          /* first */
hs_report_section hs_report_add_summary, hs_report_add_head;                       /* summary.c */
hs_report_section hs_report_add_scores, hs_report_add_published;                   /* scores.c */
hs_report_section hs_report_add_compression, hs_report_add_sweeps;                 /* sweeps.c */
hs_report_section hs_report_add_rankings, hs_report_add_times, hs_report_add_data; /* tables.c */
hs_report_section hs_report_add_automatic, hs_report_add_simulations, hs_report_add_details;

/* Marks the best setting of a sweep, which was chosen on the test folds. */
const char *hs_column_heading(hs_document *doc, const hs_board_column *column);
/* The metric of a selector on a data set, if it is finished; else NaN. */
double hs_selector_value(const hs_report *report, size_t dataset, size_t selector,
                         size_t classifier, hs_metric metric);
/* The same for a column of by_selector. HS_SECONDS instead of a metric: the time of a repeat, mean
 * over the settings of a sweep and the finished classifiers; classifier SIZE_MAX: the time of
 * selection, which all classifiers share. */
#define HS_SECONDS HS_METRICS
double hs_column_value(const hs_report *report, size_t column, size_t dataset, size_t classifier,
                       hs_metric metric);
/* The means of every column of by_selector over the data sets that all columns have, in
 * (*means)[columns] (NULL: out of memory). Returns the number of these data sets. */
size_t hs_column_means(hs_report *report, size_t classifier, hs_metric metric, hs_running **means);

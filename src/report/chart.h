/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts, drawn by gnuplot: a data file, a script and the picture, all three kept in one folder, so
 * that who wants another look edits the script and runs gnuplot there. No shell is involved.
 * Without gnuplot the data and scripts are written all the same, and the report says what is
 * missing.
 *
 * Words from outside (names of data sets and methods) go into the data file only, never into a
 * script.
 */
#ifndef HS_REPORT_CHART_H
#define HS_REPORT_CHART_H

#include "report/document.h"

typedef struct hs_charts {
    const char *folder;  /* made if it is not there; NULL: no charts are wanted */
    const char *gnuplot; /* program */
    const char *problem; /* why charts are missing; NULL: none is */
    size_t wanted, drawn;
    bool no_gnuplot; /* it could not be started: not tried again */
} hs_charts;

typedef struct hs_chart {
    const char *name; /* of the files, without ending: letters, digits and dashes */
    const char *alt, *caption;
    const char
        *script; /* what comes after terminal and output are set; the data file is `data` in it */
    unsigned width, height;
} hs_chart;

/* Opens the data of a chart: lines of fields with a tab between, words in double quotes, "?" for no
 * number. *data is NULL if no charts are wanted. Fails when the folder cannot be written to. */
HSEL_CHECKED int hs_chart_open(hs_charts *charts, const char *name, hs_writer **data,
                               hsel_error *error);
void hs_chart_number(hs_writer *data, double number); /* "?": NaN */
void hs_chart_text(hs_writer *data, const char *text);
/* Closes the data (NULL: does nothing), draws, and adds the picture to the document, or what kept
 * it from being drawn.
 */
HSEL_CHECKED int hs_chart_draw(hs_charts *charts, hs_document *doc, hs_writer *data,
                               const hs_chart *chart, hsel_error *error);

#endif

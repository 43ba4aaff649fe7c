/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel report: the results of a study, as a page, as text, as CSV or as tables for LaTeX.
 */
#include "cli/cli.h"
#include "study/report/report.h"

struct options {
    hs_report_request request;
    const char *output;
    int format;
    hs_list metrics;
};

/* The words of --format after `auto` are in the order of hs_report_format. */
static const hs_option table[] = {
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_NOT_A_FILE, NULL,
                   "where to write; - for standard output (default: report.html, or standard "
                   "output for the other formats)"),
    HS_CHOICE(struct options, format, "format", "auto|html|text|csv|latex|curves", "auto",
              "auto: by the ending of the output, .html, .txt, .csv, .tex; curves (curves.csv): "
              "points of ROC, precision-recall and calibration as CSV"),
    HS_TEXT(struct options, request.study, "study", "NAME", NULL,
            "the study to report on (default: the newest in the store)"),
    HS_TEXT(struct options, metrics, "metric", "NAME,…", NULL,
            "metrics to show (default: those of the study)"),
    HS_TEXT(struct options, request.charts, "charts", "DIR", NULL,
            "also write each chart to this folder, as a picture (.svg) and as data (.tsv)"),
    HS_TEXT(struct options, request.explorer, "explorer", "DIR", NULL,
            "folder, relative to the page, with pages of hsel explore named DATASET.html to link "
            "to"),
    HS_TEXT(struct options, request.folder, "studies", "DIR", NULL,
            "folder of the study file and its published figures (default: studies, the folder of "
            "the store, or the current one)"),
    HS_OPTION_END};

static int report_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    hs_report_format format =
        options->format > 0 ? (hs_report_format)(options->format - 1) : HS_REPORT_HTML;
    if (options->format == 0 && options->output && strcmp(options->output, "-") != 0) {
        const struct hs_report_form *form = hs_report_forms;
        while (form->name && !hs_ends_with(options->output, form->ending))
            form++;
        HS_REFUSE(!form->name,
                  "no report format has the ending of %.200s: use .html, .txt, .csv or .tex, or "
                  "give --format html|text|csv|latex|curves",
                  options->output);
        format = form->format;
    }
    const char *output = options->output            ? options->output
                         : format == HS_REPORT_HTML ? "report.html"
                                                    : "-";
    bool to_screen = strcmp(output, "-") == 0;
    hs_metric metrics[HS_METRICS];
    HS_OWNS(hs_report_clear) hs_report report = {0};
    hs_report_request request = options->request;
    request.store = call->arguments[0];
    request.page = output;
    request.details = format == HS_REPORT_HTML || format == HS_REPORT_CURVES;
    HS_TRY(hs_metric_list_parse(options->metrics.items, options->metrics.count, metrics,
                                &request.metric_count, error));
    if (request.metric_count)
        request.metrics = metrics;
    HS_TRY(hs_claim_written(call, output, NULL, error));
    if (request.charts)
        HS_TRY(hs_claim_folder(call, request.charts, HS_CHART_FOLDER, error));
    request.progress = hs_progress_begin(call, NULL);
    int made = hs_report_make(&request, &report, error);
    hs_progress_end(call->show);
    HS_TRY(made);
    HS_TRY(hs_claim_study(call, &report.study, error));
    HS_OPEN(out, output);
    HS_TRY(hs_report_write(&report, format, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (!to_screen)
        hs_note(call, "the report is in %s", output);
    return HSEL_OK;
}

const hs_command hs_command_report = {
    HS_COMMAND_IS(report, "STORE", "show the results of a study: tables, tests, charts",
                  struct options),
    .groups = {{"Options", table, 0}},
    .flags = HS_WORKS,
};

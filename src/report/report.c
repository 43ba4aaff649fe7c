/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a report: store and study are opened, outcomes read, boards made, sections added.
 */
#include "report/report.h"

#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "report/writers.h"

void hs_report_clear(hs_report *report)
{
    hs_document_clear(&report->doc);
    hs_boards_clear(&report->boards);
    hs_outcomes_clear(&report->outcomes);
    hs_study_clear(&report->study);
    hs_store_close(report->store);
    *report = (hs_report){0};
}

/* The store keeps the text of a study, not where its file lies, from where its published table is
 * found. Unless told, the usual places are tried: studies/, the folder of the store and the current
 * one; where none has the table, the study is read as if it lay in the first, and the report says
 * what is missing. */
static int find_study(const hs_report_request *request, const char *text, hs_study *out,
                      hsel_error *error)
{
    const char *slash = strrchr(request->store, '/');
    HS_OWNS(hs_buf_clear) hs_buf beside = {0};
    if (slash)
        hs_buf_add(&beside, request->store,
                   slash == request->store ? 1 : (size_t)(slash - request->store));
    else
        hs_buf_text(&beside, ".");
    HS_NEED(!beside.failed);
    const char *const places[] = {request->folder ? request->folder : "studies", beside.text, "."};
    for (size_t i = 0; i < (request->folder ? 1 : 3); i++) {
        HS_OWNS(hs_buf_clear) hs_buf name = {0};
        HS_OWNS(hs_study_clear) hs_study study = {0};
        hs_buf_printf(&name, "%s/study.yaml", places[i]);
        HS_NEED(!name.failed);
        HS_TRY(hs_study_parse(name.text, text, strlen(text), &study, error));
        bool found = !study.published.file || access(study.published.file, R_OK) == 0;
        if (i == 0 || found) {
            hs_study held = *out;
            *out = study;
            study = held;
        }
        if (found)
            break;
    }
    return HSEL_OK;
}

static int make(const hs_report_request *request, hs_report *report, hsel_error *error)
{
    hs_study *study = &report->study;
    HS_OWNED char *text = NULL, *folds = NULL, *name = NULL;
    HS_TRY(hs_store_open(request->store, HS_STORE_READ, false, &report->store, error));
    HS_TRY(hs_store_study_text(report->store, request->study, &text, &folds, &name, error));
    HS_TRY(find_study(request, text, study, error));
    if (name && strcmp(name, study->name) != 0) { /* that of its file: its text has none */
        bool titled = study->title != study->name;
        HS_NEED(study->name = hs_arena_text(&study->arena, name, strlen(name)));
        study->title = titled ? study->title : study->name;
    }
    if (folds)
        HS_NEED(study->fold_file = hs_arena_text(&study->arena, folds, strlen(folds)));
    report->metric_count = request->metrics ? request->metric_count : study->metric_count;
    memcpy(report->metrics, request->metrics ? request->metrics : study->metrics,
           report->metric_count * sizeof *report->metrics);
    HS_TRY(hs_outcomes_read(report->store, study, &report->outcomes, error));
    HS_TRY(hs_boards_make(&report->outcomes, report->metrics, report->metric_count, &report->boards,
                          error));
    return hs_report_add_sections(report, request->details, error);
}

int hs_report_make(const hs_report_request *request, hs_report *out, hsel_error *error)
{
    *out = (hs_report){.charts = {.folder = request->charts,
                                  .gnuplot = request->gnuplot ? request->gnuplot : "gnuplot"}};
    int status = make(request, out, error);
    if (status)
        hs_report_clear(out);
    return status;
}

int hs_report_write(const hs_report *report, hs_report_format format, hs_writer *out,
                    hsel_error *error)
{
    switch (format) {
    case HS_REPORT_HTML:
        return hs_write_html(&report->doc, out, error);
    case HS_REPORT_TEXT:
        return hs_write_text(&report->doc, out, error);
    case HS_REPORT_LATEX:
        return hs_write_latex(&report->doc, out, error);
    default:
        return hs_write_csv(report, out, error);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a report: store and study are opened, outcomes read, boards made, and the sections put in
 * order.
 */
#include "report/report.h"

#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "report/sections.h"
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

/* ---- the study ---- */

/* Reads the study as if its file lay in `folder`, from where its published table is found. */
static int parse_in(const char *folder, const char *text, hs_study *out, hsel_error *error)
{
    hs_buf name = {0};
    hs_buf_printf(&name, "%s/study.yaml", folder);
    int status = name.failed ? hs_fail_memory(error)
                             : hs_study_parse(name.text, text, strlen(text), out, error);
    hs_buf_clear(&name);
    return status;
}

static bool has_its_files(const hs_study *study)
{
    return !study->published.file || access(study->published.file, R_OK) == 0;
}

/* The store keeps the text of a study, not where its file lies. Unless told, the usual places are
 * tried: studies/, the folder of the store and the current one; where none has the published table,
 * the report says so. */
static int find_study(const hs_report_request *request, const char *text, hs_study *out,
                      hsel_error *error)
{
    const char *slash = strrchr(request->store, '/');
    hs_buf beside = {0};
    if (slash)
        hs_buf_add(&beside, request->store,
                   slash == request->store ? 1 : (size_t)(slash - request->store));
    else
        hs_buf_text(&beside, ".");
    if (beside.failed)
        return hs_fail_memory(error);
    const char *const places[] = {request->folder ? request->folder : "studies", beside.text, "."};
    size_t count = request->folder ? 1 : 3;
    int status = parse_in(places[0], text, out, error);
    for (size_t i = 1; i < count && status == HSEL_OK && !has_its_files(out); i++) {
        hs_study other = {0};
        status = parse_in(places[i], text, &other, error);
        bool better = status == HSEL_OK && has_its_files(&other);
        if (better)
            hs_study_clear(out);
        if (better)
            *out = other;
        else
            hs_study_clear(&other);
    }
    hs_buf_clear(&beside);
    return status;
}

static int read_study(const hs_report_request *request, hs_report *report, hsel_error *error)
{
    char *text = NULL, *folds = NULL;
    int status = hs_store_study_text(report->store, request->study, &text, &folds, error);
    if (status == HSEL_OK)
        status = find_study(request, text, &report->study, error);
    if (status == HSEL_OK && folds &&
        !(report->study.fold_file = hs_arena_text(&report->study.arena, folds, strlen(folds))))
        status = hs_fail_memory(error);
    hs_free(folds);
    hs_free(text);
    return status;
}

/* ---- the rest ---- */

static void choose_metrics(const hs_report_request *request, hs_report *report)
{
    const hs_metric *metrics = request->metrics ? request->metrics : report->study.metrics;
    report->metric_count = request->metrics ? request->metric_count : report->study.metric_count;
    memcpy(report->metrics, metrics, report->metric_count * sizeof *metrics);
}

static int add_sections(const hs_report_request *request, hs_report *report, hsel_error *error)
{
    int (*const sections[])(hs_report *, hsel_error *) = {
        hs_section_head,        hs_section_scores, hs_section_published,
        hs_section_compression, hs_section_sweeps, hs_section_rankings,
        hs_section_times,       hs_section_data,   hs_section_features};
    size_t count = sizeof sections / sizeof sections[0] - !request->details;
    int status = HSEL_OK;
    for (size_t i = 0; i < count && status == HSEL_OK; i++)
        status = sections[i](report, error);
    return status ? status : hs_document_check(&report->doc, error);
}

int hs_report_make(const hs_report_request *request, hs_report *out, hsel_error *error)
{
    *out = (hs_report){.charts = {.folder = request->charts,
                                  .gnuplot = request->gnuplot ? request->gnuplot : "gnuplot"}};
    int status = hs_store_open(request->store, HS_STORE_READ, false, &out->store, error);
    if (status == HSEL_OK)
        status = read_study(request, out, error);
    if (status == HSEL_OK) {
        choose_metrics(request, out);
        status = hs_outcomes_read(out->store, &out->study, &out->outcomes, error);
    }
    if (status == HSEL_OK)
        status =
            hs_boards_make(&out->outcomes, out->metrics, out->metric_count, &out->boards, error);
    if (status == HSEL_OK)
        status = add_sections(request, out, error);
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

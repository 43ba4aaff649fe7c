/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sections of a report, in their order, and what they share. Each adds to report->doc and
 * leaves the rest alone; words and cells are in document.h, pictures in chart.h.
 */
#include "study/report/report.h"

const char *hs_column_heading(hs_document *doc, const hs_board_column *column)
{
    return column->best ? hs_say(doc, "%s (best)", column->label) : column->label;
}

double hs_selector_value(const hs_report *r, size_t dataset, size_t selector, size_t classifier,
                         hs_metric metric)
{
    const hs_outcome *outcome = hs_outcome_of(&r->outcomes, dataset, selector, classifier);
    return outcome->state == HS_OUTCOME_OK ? hs_outcome_value(&r->outcomes, outcome, metric)
                                           : (double)NAN;
}

double hs_column_value(const hs_report *r, size_t column, size_t dataset, size_t classifier,
                       hs_metric metric)
{
    const hs_board_column *shown = &r->boards.by_selector[column];
    hs_outcome_state state;
    hs_running seconds = {0};
    if (metric != HS_SECONDS) {
        size_t s = hs_column_pick(&r->outcomes, shown, dataset, classifier, &state);
        return state == HS_OUTCOME_OK ? hs_selector_value(r, dataset, s, classifier, metric)
                                      : (double)NAN;
    }
    for (size_t s = shown->first; s < shown->first + shown->count; s++)
        for (size_t c = 0; c < r->study.classifier_count; c++) {
            const hs_evaluation *e = &hs_outcome_of(&r->outcomes, dataset, s, c)->evaluation;
            if (e->repeats > 0 && (classifier == SIZE_MAX || classifier == c))
                hs_running_add_known(&seconds, classifier == SIZE_MAX ? e->select_seconds.mean
                                                                      : e->classify_seconds.mean);
        }
    return hs_running_mean(&seconds);
}

size_t hs_column_means(hs_report *r, size_t classifier, hs_metric metric, hs_running **means)
{
    size_t columns = r->boards.by_selector_count, rows = r->outcomes.dataset_count;
    double *all = hs_document_space(&r->doc, rows * columns, sizeof *all);
    *means = hs_document_space(&r->doc, columns, sizeof **means);
    for (size_t i = 0; all && i < rows * columns; i++)
        all[i] = hs_column_value(r, i % columns, i / columns, classifier, metric);
    return all && *means ? hs_common_means(all, rows, columns, NULL, *means) : 0;
}

int hs_report_add_sections(hs_report *report, bool details, hsel_error *error)
{
    int (*const sections[])(hs_report *, hsel_error *) = {
        hs_report_find_designs,    hs_report_add_summary,   hs_report_add_head,
        hs_report_add_scores,      hs_report_add_published, hs_report_add_compression,
        hs_report_add_sweeps,      hs_report_add_rankings,  hs_report_add_automatic,
        hs_report_add_simulations, hs_report_add_times,     hs_report_add_data,
        hs_report_add_details};
    report->doc.title = report->study.title ? report->study.title : report->study.name;
    report->doc.spreads = report->study.errors;
    /* The last is for pages only. */
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] - !details; i++) {
        HS_TRY(sections[i](report, error));
        report->doc.where = 0;
    }
    return hs_document_check(&report->doc, error);
}

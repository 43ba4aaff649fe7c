/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What selection costs and gains: compression (the share of features done without) against the
 * quality of the predictions, as a table of means and as a scatter chart for each classifier.
 */
#include <math.h>

#include "report/escape.h"
#include "report/sections.h"

/* Accuracy if the report shows it, else the first metric that says something about quality. */
static hs_metric quality(const hs_report *report)
{
    for (size_t i = 0; i < report->metric_count; i++)
        if (report->metrics[i] == HS_METRIC_ACCURACY)
            return HS_METRIC_ACCURACY;
    for (size_t i = 0; i < report->metric_count; i++)
        if (report->metrics[i] != HS_METRIC_COMPRESSION && report->metrics[i] != HS_METRIC_HARMONIC)
            return report->metrics[i];
    return HS_METRIC_ACCURACY;
}

/* The outcome of a column on a data set if it is finished, else NULL. */
static const hs_outcome *finished(const hs_report *report, size_t column, size_t dataset,
                                  size_t classifier)
{
    hs_outcome_state state;
    size_t s = hs_contender_pick(&report->outcomes, &report->boards.by_selector[column], dataset,
                                 classifier, &state);
    return state == HS_OUTCOME_OK ? hs_outcome_of(&report->outcomes, dataset, s, classifier) : NULL;
}

/* Over the data sets on which the method is finished; NaN: none. */
static double mean_of(const hs_report *report, size_t column, size_t classifier, hs_metric metric)
{
    double sum = 0;
    size_t count = 0;
    for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
        const hs_outcome *outcome = finished(report, column, d, classifier);
        double value = outcome ? hs_outcome_value(&report->outcomes, outcome, metric) : (double)NAN;
        if (isnan(value))
            continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : (double)NAN;
}

static void add_table(hs_report *report, size_t classifier)
{
    hs_document *doc = &report->doc;
    hs_metric metric = quality(report);
    const hs_metric shown[] = {HS_METRIC_COMPRESSION, metric, HS_METRIC_HARMONIC};
    hs_grid *grid =
        hs_add_grid(doc,
                    hs_say(doc, "Compression and %s with %s, means over data sets in percent",
                           hs_metric_title(metric), report->study.classifiers[classifier].label),
                    4, report->boards.by_selector_count, 1);
    hs_set_head(grid, 0, "method");
    hs_set_head(grid, 1, "compression");
    hs_set_head(grid, 2, hs_metric_title(metric));
    hs_set_head(grid, 3, "harmonic mean");
    for (size_t c = 0; c < report->boards.by_selector_count; c++) {
        hs_set(grid, c, 0, report->boards.by_selector[c].label);
        for (size_t i = 0; i < 3; i++) {
            double mean = mean_of(report, c, classifier, shown[i]);
            hs_set_cell(grid, c, i + 1,
                        (hs_cell){.text = hs_percent(doc, mean),
                                  .exact = isnan(mean) ? NULL : hs_percent_exactly(doc, mean),
                                  .flags = isnan(mean) ? HS_CELL_QUIET : 0});
        }
    }
    if (grid)
        grid->note = "Over the data sets on which the method is finished. The harmonic mean is "
                     "that of compression and "
                     "accuracy.";
}

/* ---- the chart ---- */

static void put_pair(hs_writer *out, double x, double y)
{
    hs_chart_number(out, 100 * x);
    hs_writer_char(out, '\t');
    hs_chart_number(out, 100 * y);
    hs_writer_char(out, '\n');
}

/* Two blocks a method: its name and means, then a line a data set. */
static void put_points(const hs_report *report, size_t classifier, hs_metric metric, hs_writer *out)
{
    for (size_t c = 0; c < report->boards.by_selector_count; c++) {
        hs_writer_char(out, '"');
        hs_gnuplot_text(out, report->boards.by_selector[c].label);
        hs_writer_text(out, "\"\n");
        put_pair(out, mean_of(report, c, classifier, HS_METRIC_COMPRESSION),
                 mean_of(report, c, classifier, metric));
        hs_writer_text(out, "\n\n");
        for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
            const hs_outcome *outcome = finished(report, c, d, classifier);
            if (outcome)
                put_pair(out, hs_outcome_value(&report->outcomes, outcome, HS_METRIC_COMPRESSION),
                         hs_outcome_value(&report->outcomes, outcome, metric));
            else
                put_pair(out, (double)NAN, (double)NAN);
        }
        hs_writer_text(out, "\n\n");
    }
}

static int add_chart(hs_report *report, size_t classifier, hsel_error *error)
{
    hs_document *doc = &report->doc;
    hs_metric metric = quality(report);
    hs_buf data = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&data, &out, error);
    if (status)
        return status;
    put_points(report, classifier, metric, out);
    status = hs_writer_commit(out, error);
    const char *script = hs_say(doc,
                                "set xlabel 'compression, %%'\nset ylabel '%s, %%'\nset xrange "
                                "[-2:102]\nset offsets 0,0,2,2\n"
                                "set key outside right top Left reverse samplen 1 spacing 1.15\n"
                                "shape(i) = word('7 5 9 11 13 15', int(i) %% 6 + 1) + 0\n"
                                "plot for [i=0:%zu] data index 2*i+1 using 1:2 with points pt "
                                "shape(i) ps 0.45 lc rgb colour(i) notitle, \\\n"
                                "     for [i=0:%zu] data index 2*i using 1:2 with points pt "
                                "shape(i) ps 1.3 lc rgb colour(i) title "
                                "columnheader(1)\n",
                                hs_metric_title(metric), report->boards.by_selector_count - 1,
                                report->boards.by_selector_count - 1);
    const char *classifier_name = report->study.classifiers[classifier].label;
    if (status == HSEL_OK)
        status = hs_chart_draw(
            &report->charts, doc,
            &(hs_chart){
                .name = hs_say(doc, "compression-%zu", classifier + 1),
                .alt = hs_say(doc, "Scatter chart of %s against compression with %s",
                              hs_metric_title(metric), classifier_name),
                .caption = hs_say(
                    doc,
                    "%s against compression with %s. Large: the mean of a method over data sets; "
                    "small: one data set. Up and to the right is better.",
                    hs_metric_title(metric), classifier_name),
                .script = script,
                .data = &data,
                .width = 860,
                .height = 480},
            error);
    hs_buf_clear(&data);
    return status;
}

int hs_section_compression(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    int status = HSEL_OK;
    if (report->boards.by_selector_count == 0 || report->outcomes.dataset_count == 0)
        return HSEL_OK;
    if (report->study.across_classifiers && report->boards.by_selector_count == 1)
        return HSEL_OK; /* classifiers are compared: it would say the same of each */
    hs_add_heading(doc, 2, hs_say(doc, "Compression against %s", hs_metric_title(quality(report))));
    for (size_t c = 0; c < report->study.classifier_count && status == HSEL_OK; c++) {
        add_table(report, c);
        doc->where = HS_IN_HTML;
        status = add_chart(report, c, error);
        doc->where = 0;
    }
    return status ? status : hs_document_check(doc, error);
}

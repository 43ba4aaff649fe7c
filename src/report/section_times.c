/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run times: how long selection takes in one repeat of a cross-validation (all folds, learning and
 * selecting), on each data set, and the time of the classifiers after it.
 */
#include <math.h>

#include "report/escape.h"
#include "report/sections.h"

/* Seconds of a column on a data set, over the settings of a sweep and the classifiers that are
 * finished; NaN: none is. Selection is done once for all classifiers, so their readings of it are
 * the same. */
static double seconds_of(const hs_report *report, size_t column, size_t dataset, size_t classifier)
{
    const hs_contender *shown = &report->boards.by_selector[column];
    size_t classifiers = report->study.classifier_count, count = 0;
    double sum = 0;
    for (size_t s = shown->first; s < shown->first + shown->count; s++)
        for (size_t c = 0; c < classifiers; c++) {
            const hs_outcome *outcome = hs_outcome_of(&report->outcomes, dataset, s, c);
            if (outcome->repeats == 0 || (classifier != SIZE_MAX && classifier != c))
                continue;
            sum += classifier == SIZE_MAX ? outcome->select_seconds : outcome->classify_seconds;
            count++;
        }
    return count ? sum / (double)count : (double)NAN;
}

/* Over data sets. classifier SIZE_MAX: selection. */
static double mean_seconds(const hs_report *report, size_t column, size_t classifier)
{
    double sum = 0;
    size_t count = 0;
    for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
        double seconds = seconds_of(report, column, d, classifier);
        if (isnan(seconds))
            continue;
        sum += seconds;
        count++;
    }
    return count ? sum / (double)count : (double)NAN;
}

static hs_cell seconds_cell(hs_document *doc, double seconds)
{
    return (hs_cell){.text = hs_milliseconds(doc, seconds),
                     .exact = isnan(seconds) ? NULL : hs_say(doc, "%.9g seconds", seconds),
                     .flags = isnan(seconds) ? HS_CELL_QUIET : 0};
}

static void add_table(hs_report *report)
{
    hs_document *doc = &report->doc;
    size_t rows = report->outcomes.dataset_count, columns = report->boards.by_selector_count;
    size_t classifiers = report->study.classifier_count;
    hs_grid *grid = hs_add_grid(
        doc, "Milliseconds of one repeat: selection on each data set, then what comes after it",
        columns + 1, rows + 1 + classifiers, 1);
    hs_set_head(grid, 0, "data set");
    for (size_t c = 0; c < columns; c++) {
        hs_set_head(grid, c + 1, report->boards.by_selector[c].label);
        for (size_t d = 0; d < rows; d++)
            hs_set_cell(grid, d, c + 1, seconds_cell(doc, seconds_of(report, c, d, SIZE_MAX)));
        hs_set_cell(grid, rows, c + 1, seconds_cell(doc, mean_seconds(report, c, SIZE_MAX)));
        for (size_t k = 0; k < classifiers; k++)
            hs_set_cell(grid, rows + 1 + k, c + 1, seconds_cell(doc, mean_seconds(report, c, k)));
    }
    for (size_t d = 0; d < rows; d++)
        hs_set(grid, d, 0, report->outcomes.datasets[d].name);
    hs_set(grid, rows, 0, "mean");
    for (size_t k = 0; k < classifiers; k++)
        hs_set(grid, rows + 1 + k, 0, hs_say(doc, "then %s", report->study.classifiers[k].label));
    if (grid) {
        grid->foot = 1 + classifiers;
        grid->note = "All folds of one repeat, learning and applying, in milliseconds of one "
                     "thread; of a sweep, the mean "
                     "over its settings.";
    }
}

/* The power of ten that bars start from; 0: there is nothing to draw. */
static double start_of_bars(const hs_report *report)
{
    double least = INFINITY;
    for (size_t c = 0; c < report->boards.by_selector_count; c++) {
        double ms = 1000 * mean_seconds(report, c, SIZE_MAX);
        if (ms > 0 && ms < least)
            least = ms;
    }
    return isinf(least)
               ? 0
               : pow(10, floor(log10(least)) - (least < 1.5 * pow(10, floor(log10(least)))));
}

static void put_bars(hs_report *report, hs_writer *out)
{
    for (size_t c = 0; c < report->boards.by_selector_count; c++) {
        double seconds = mean_seconds(report, c, SIZE_MAX);
        if (!(seconds > 0))
            continue;
        hs_writer_char(out, '"');
        hs_gnuplot_text(out, report->boards.by_selector[c].label);
        hs_writer_text(out, "\"\t");
        hs_chart_number(out, 1000 * seconds);
        hs_writer_printf(out, "\t\"%s\"\n", hs_milliseconds(&report->doc, seconds));
    }
}

static int add_chart(hs_report *report, double start, hsel_error *error)
{
    hs_document *doc = &report->doc;
    hs_buf data = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&data, &out, error);
    if (status)
        return status;
    put_bars(report, out);
    status = hs_writer_commit(out, error);
    const char *script = hs_say(
        doc,
        "set logscale x\nset format x '%%g'\nset xlabel 'milliseconds of one repeat'\n"
        "set xrange [%g:*]\nset yrange [*:*] reverse\nset offsets graph 0, "
        "graph 0.18, 0.3, 0.3\nset grid noytics xtics\nunset key\nset style fill solid\n"
        "set tics nomirror\nset ytics scale 0\n"
        "plot data using 2:0:(%g):2:($0-0.36):($0+0.36):yticlabels(1) with boxxyerror lc rgb "
        "colour(0), \\\n     data using 2:0:3 with labels left offset 0.6,0 textcolor rgb "
        "'#222222'\n",
        start, start);
    if (status == HSEL_OK)
        status = hs_chart_draw(
            &report->charts, doc,
            &(hs_chart){.name = "times",
                        .alt = "Bars: mean milliseconds of selection, a bar a method",
                        .caption =
                            "Milliseconds that selection takes in one repeat, mean over data sets. "
                            "The scale is logarithmic.",
                        .script = script,
                        .data = &data,
                        .width = 860,
                        .height = (unsigned)(120 + 32 * report->boards.by_selector_count)},
            error);
    hs_buf_clear(&data);
    return status;
}

int hs_section_times(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    int status = HSEL_OK;
    if (report->boards.by_selector_count == 0 || report->outcomes.dataset_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Run times");
    add_table(report);
    double start = start_of_bars(report);
    doc->where = HS_IN_HTML;
    if (start > 0)
        status = add_chart(report, start, error);
    doc->where = 0;
    return status ? status : hs_document_check(doc, error);
}

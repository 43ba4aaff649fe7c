/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps: how quality and compression change with the option that was swept, as a chart for each
 * classifier, and the best setting on each data set.
 */
#include <math.h>
#include <string.h>

#include "core/method.h"
#include "report/escape.h"
#include "report/sections.h"

typedef struct sweep {
    size_t first, count; /* selectors */
    const char *label;
    const hs_option *option; /* the one that changes, if it is only one and a number; else NULL */
    double *x;               /* [count]: its value, or the number of the setting */
} sweep;

/* ---- what was swept ---- */

static bool is_number(const hs_option *option)
{
    return option->type == HS_OPT_INT || option->type == HS_OPT_U32 || option->type == HS_OPT_U64 ||
           option->type == HS_OPT_DOUBLE;
}

static double option_number(const hs_option *option, const void *values)
{
    const void *field = (const char *)values + option->offset;
    switch (option->type) {
    case HS_OPT_INT:
    case HS_OPT_CHOICE:
        return *(const int *)field;
    case HS_OPT_U32:
        return *(const uint32_t *)field;
    case HS_OPT_U64:
        return (double)*(const uint64_t *)field;
    case HS_OPT_DOUBLE:
        return *(const double *)field;
    case HS_OPT_BOOL:
        return *(const bool *)field;
    default:
        return 0;
    }
}

/* Do two settings differ in this option? */
static bool is_different(const hs_option *option, const void *a, const void *b)
{
    if (option->type != HS_OPT_TEXT)
        return option_number(option, a) != option_number(option, b);
    const char *x = *(const char *const *)(const void *)((const char *)a + option->offset);
    const char *y = *(const char *const *)(const void *)((const char *)b + option->offset);
    return strcmp(x ? x : "", y ? y : "") != 0;
}

enum { OPTIONS = 64 }; /* of a method, that are looked at */

/* The options in which a setting differs from the first one are added to `differs` (by number). */
static void compare_settings(const hs_chosen *first, const hs_chosen *other, bool *differs)
{
    const hs_option *table = first->method->options;
    for (size_t i = 0; table && i < OPTIONS && table[i].type != HS_OPT_END; i++)
        differs[i] |= is_different(&table[i], first->options, other->options);
}

static const hs_option *the_one(const hs_option *table, const bool *differs)
{
    const hs_option *found = NULL;
    for (size_t i = 0; table && i < OPTIONS && table[i].type != HS_OPT_END; i++) {
        if (!differs[i])
            continue;
        if (found)
            return NULL;
        found = &table[i];
    }
    return found && is_number(found) ? found : NULL;
}

static int find_option(const hs_study *study, sweep *s, hsel_error *error)
{
    hs_chosen first = {0};
    bool differs[OPTIONS] = {0};
    int status = hs_chosen_parse(HS_SELECTOR, study->selectors[s->first].text, &first, error);
    for (size_t i = 1; i < s->count && status == HSEL_OK; i++) {
        hs_chosen other = {0};
        status = hs_chosen_parse(HS_SELECTOR, study->selectors[s->first + i].text, &other, error);
        if (status == HSEL_OK)
            compare_settings(&first, &other, differs);
        hs_chosen_clear(&other);
    }
    s->option = status == HSEL_OK ? the_one(first.method->options, differs) : NULL;
    hs_chosen_clear(&first);
    for (size_t i = 0; i < s->count && status == HSEL_OK; i++) {
        hs_chosen chosen = {0};
        status = hs_chosen_parse(HS_SELECTOR, study->selectors[s->first + i].text, &chosen, error);
        s->x[i] = status == HSEL_OK && s->option ? option_number(s->option, chosen.options)
                                                 : (double)(i + 1);
        hs_chosen_clear(&chosen);
    }
    return status;
}

/* ---- values ---- */

static double value_of(const hs_report *report, size_t dataset, size_t selector, size_t classifier,
                       hs_metric metric)
{
    const hs_outcome *outcome = hs_outcome_of(&report->outcomes, dataset, selector, classifier);
    return outcome->state == HS_OUTCOME_OK ? hs_outcome_value(&report->outcomes, outcome, metric)
                                           : (double)NAN;
}

/* Means are over the data sets on which the whole sweep is finished, so that the line has no steps
 * of its own. */
static void find_whole(const hs_report *report, const sweep *s, size_t classifier, hs_metric metric,
                       bool *whole)
{
    for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
        whole[d] = true;
        for (size_t i = 0; i < s->count && whole[d]; i++)
            whole[d] = !isnan(value_of(report, d, s->first + i, classifier, metric));
    }
}

static double mean_at(const hs_report *report, size_t selector, size_t classifier, hs_metric metric,
                      const bool *whole)
{
    double sum = 0;
    size_t count = 0;
    for (size_t d = 0; d < report->outcomes.dataset_count; d++)
        if (whole[d]) {
            sum += value_of(report, d, selector, classifier, metric);
            count++;
        }
    return count ? sum / (double)count : (double)NAN;
}

/* ---- the chart ---- */

static void put_lines(const hs_report *report, const sweep *s, size_t classifier, hs_metric metric,
                      const bool *whole, hs_writer *out)
{
    hs_writer_printf(out, "\"setting\"\t\"%s (mean)\"\t\"compression (mean)\"",
                     hs_metric_title(metric));
    for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
        hs_writer_text(out, "\t\"");
        hs_gnuplot_text(out, report->outcomes.datasets[d].name);
        hs_writer_char(out, '"');
    }
    hs_writer_char(out, '\n');
    for (size_t i = 0; i < s->count; i++) {
        hs_chart_number(out, s->x[i]);
        hs_writer_char(out, '\t');
        hs_chart_number(out, 100 * mean_at(report, s->first + i, classifier, metric, whole));
        hs_writer_char(out, '\t');
        hs_chart_number(
            out, 100 * mean_at(report, s->first + i, classifier, HS_METRIC_COMPRESSION, whole));
        for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
            hs_writer_char(out, '\t');
            hs_chart_number(out, 100 * value_of(report, d, s->first + i, classifier, metric));
        }
        hs_writer_char(out, '\n');
    }
}

static int add_chart(hs_report *report, const sweep *s, size_t number, size_t classifier,
                     hs_metric metric, hsel_error *error)
{
    hs_document *doc = &report->doc;
    const char *with = report->study.classifiers[classifier].label,
               *option = s->option ? s->option->name : "setting";
    bool *whole = hs_document_room(doc, report->outcomes.dataset_count, sizeof *whole);
    hs_buf data = {0};
    hs_writer *out = NULL;
    int status = whole ? hs_writer_open_memory(&data, &out, error) : hs_fail_memory(error);
    if (status)
        return status;
    find_whole(report, s, classifier, metric, whole);
    put_lines(report, s, classifier, metric, whole, out);
    status = hs_writer_commit(out, error);
    const char *script =
        hs_say(doc,
               "set xlabel '%s'\nset ylabel '%%'\nset yrange [0:102]\nset key outside top center "
               "horizontal\n"
               "plot for [i=4:%zu] data using 1:i with lines lw 1 lc rgb '#b8c4cc' notitle, \\\n"
               "     data using 1:2 with lines lw 3 lc rgb colour(0) title columnheader(2), \\\n"
               "     data using 1:3 with lines lw 3 dt 2 lc rgb colour(1) title columnheader(3)\n",
               option, report->outcomes.dataset_count + 3);
    if (status == HSEL_OK)
        status = hs_chart_draw(
            &report->charts, doc,
            &(hs_chart){
                .name = hs_say(doc, "sweep-%zu-%zu", number, classifier + 1),
                .alt = hs_say(doc, "Lines: %s and compression over %s", hs_metric_title(metric),
                              option),
                .caption = hs_say(
                    doc,
                    "%s with %s: %s and compression over %s. Thick: means over data sets; thin: %s "
                    "on each data set.",
                    s->label, with, hs_metric_title(metric), option, hs_metric_title(metric)),
                .script = script,
                .data = &data,
                .width = 860,
                .height = 420},
            error);
    hs_buf_clear(&data);
    return status;
}

/* ---- the best settings ---- */

static size_t best_setting(const hs_report *report, const sweep *s, size_t dataset,
                           size_t classifier, hs_metric metric)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->count; i++) {
        double value = value_of(report, dataset, s->first + i, classifier, metric);
        if (!isnan(value) && (best == SIZE_MAX || value > value_of(report, dataset, s->first + best,
                                                                   classifier, metric)))
            best = i;
    }
    return best;
}

static const char *setting_text(hs_document *doc, const hs_study *study, const sweep *s,
                                size_t setting)
{
    char digits[32];
    if (!s->option)
        return study->selectors[s->first + setting].label;
    hs_format_double(s->x[setting], digits);
    return hs_say(doc, "%s", digits);
}

static void set_best(hs_report *report, const sweep *s, hs_grid *grid, size_t d, size_t classifier,
                     hs_metric metric)
{
    hs_document *doc = &report->doc;
    size_t best = best_setting(report, s, d, classifier, metric), column = 1 + 3 * classifier;
    if (best == SIZE_MAX) {
        for (size_t i = 0; i < 3; i++)
            hs_set_cell(grid, d, column + i, (hs_cell){.text = HS_NOTHING, .flags = HS_CELL_QUIET});
        return;
    }
    double value = value_of(report, d, s->first + best, classifier, metric);
    double compression = value_of(report, d, s->first + best, classifier, HS_METRIC_COMPRESSION);
    hs_set_cell(grid, d, column,
                (hs_cell){.text = setting_text(doc, &report->study, s, best),
                          .exact = report->study.selectors[s->first + best].text});
    hs_set_cell(grid, d, column + 1,
                (hs_cell){.text = hs_percent(doc, value), .exact = hs_percent_exactly(doc, value)});
    hs_set_cell(grid, d, column + 2,
                (hs_cell){.text = hs_percent(doc, compression),
                          .exact = hs_percent_exactly(doc, compression)});
}

static void add_best(hs_report *report, const sweep *s, hs_metric metric)
{
    hs_document *doc = &report->doc;
    size_t classifiers = report->study.classifier_count, rows = report->outcomes.dataset_count;
    hs_grid *grid = hs_add_grid(doc,
                                hs_say(doc, "Best of %s on each data set, by %s, in percent",
                                       s->label, hs_metric_title(metric)),
                                1 + 3 * classifiers, rows, 1);
    hs_set_head(grid, 0, "data set");
    for (size_t c = 0; c < classifiers; c++) {
        const char *with = report->study.classifiers[c].label;
        hs_set_head(grid, 1 + 3 * c,
                    hs_say(doc, "%s: %s", with, s->option ? s->option->name : "setting"));
        hs_set_head(grid, 2 + 3 * c, hs_say(doc, "%s: %s", with, hs_metric_title(metric)));
        hs_set_head(grid, 3 + 3 * c, hs_say(doc, "%s: compression", with));
    }
    for (size_t d = 0; d < rows; d++) {
        hs_set(grid, d, 0, report->outcomes.datasets[d].name);
        for (size_t c = 0; c < classifiers; c++)
            set_best(report, s, grid, d, c, metric);
    }
    if (grid)
        grid->note =
            "Of equal values the first setting is shown. The best setting was chosen on the test "
            "results, as in "
            "the literature: it says what a good choice could reach, not what a blind one does.";
}

static int add_sweep(hs_report *report, const sweep *s, size_t number, hsel_error *error)
{
    hs_document *doc = &report->doc;
    hs_metric metric = report->study.best_of ? report->study.best_metric : report->metrics[0];
    int status = HSEL_OK;
    doc->where = HS_IN_HTML;
    hs_add_heading(doc, 3, s->label);
    for (size_t c = 0; c < report->study.classifier_count && status == HSEL_OK; c++)
        status = add_chart(report, s, number, c, metric, error);
    doc->where = 0;
    if (status == HSEL_OK)
        add_best(report, s, metric);
    return status;
}

int hs_section_sweeps(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    const hs_study *study = &report->study;
    size_t number = 0;
    int status = HSEL_OK;
    for (size_t i = 0, end; i < study->selector_count && status == HSEL_OK; i = end) {
        for (end = i + 1; end < study->selector_count && study->selectors[i].sweep &&
                          study->selectors[end].sweep &&
                          strcmp(study->selectors[end].family, study->selectors[i].family) == 0;)
            end++;
        if (end - i < 2)
            continue;
        sweep s = {.first = i, .count = end - i, .label = study->selectors[i].family_label};
        if (!(s.x = hs_document_room(doc, s.count, sizeof *s.x)))
            return hs_fail_memory(error);
        if (number++ == 0)
            hs_add_heading(doc, 2, "Sweeps");
        status = find_option(study, &s, error);
        if (status == HSEL_OK)
            status = add_sweep(report, &s, number, error);
    }
    return status ? status : hs_document_check(doc, error);
}

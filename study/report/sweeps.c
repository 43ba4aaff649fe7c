/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compression against the quality of predictions, and how both change over the settings of a sweep.
 */
#include "study/report/chart.h"
#include "study/report/report.h"

/* ---- compression (the share of features done without) against the quality of predictions ---- */

/* Accuracy if the report shows it, else the first metric of predictions; for numeric targets R2,
 * which has no unit, if it is shown. */
static hs_metric quality(const hs_report *r)
{
    hs_metric found = HS_METRICS;
    bool r2 = false;
    for (size_t i = 0; i < r->metric_count; i++) {
        if (r->metrics[i] == HS_METRIC_ACCURACY)
            return HS_METRIC_ACCURACY;
        r2 |= r->metrics[i] == HS_METRIC_R2;
        if (found == HS_METRICS && !(hs_metric_formula(r->metrics[i])->needs & HS_OF_SELECTIONS))
            found = r->metrics[i];
    }
    return found == HS_METRICS                   ? HS_METRIC_ACCURACY
           : r2 && hs_metric_scale(found) == 1.0 ? HS_METRIC_R2
                                                 : found;
}

static hs_cell mean_cell(hs_document *doc, const hs_running *mean)
{
    hs_cell cell = hs_percent_cell(doc, hs_running_mean(mean));
    if (mean->count > 1)
        cell.spread = hs_percent(doc, hs_running_se(mean));
    return cell;
}

int hs_report_add_compression(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    hs_metric metric = quality(r);
    const char *title = hs_metric_title(metric);
    size_t columns = r->boards.by_selector_count, classifiers = r->study.classifier_count,
           n = r->outcomes.dataset_count;
    bool best = false; /* the setting of a sweep is chosen with each classifier, so that compression
                          differs */
    if (columns == 0 || n == 0)
        return HSEL_OK;
    if (r->study.across_classifiers && columns == 1)
        return HSEL_OK; /* classifiers are compared: it would say the same of each */
    for (size_t c = 0; c < columns; c++)
        best |= r->boards.by_selector[c].best;
    size_t each = best ? classifiers : 1;
    bool shares = hs_metric_scale(metric) > 1;
    size_t harmonic = shares ? classifiers : 0; /* columns */
    hs_add_heading(doc, 2, hs_say(doc, "Compression against %s", title));
    hs_doc_grid *grid =
        hs_add_grid(doc, 1 + each + harmonic, 1, "Compression, means over data sets in percent");
    HS_ROW(grid, "method");
    for (size_t k = 0; k < each; k++)
        hs_putf(grid, best ? "compression (%s)" : "compression%.0s", r->study.classifiers[k].label);
    for (size_t k = 0; k < harmonic; k++)
        hs_putf(grid, "harmonic mean with accuracy (%s)", r->study.classifiers[k].label);
    hs_running **means = hs_document_space(doc, each + harmonic, sizeof *means);
    HS_NEED(means);
    for (size_t k = 0; k < each + harmonic; k++) {
        hs_column_means(r, k < each ? k : k - each,
                        k < each ? HS_METRIC_COMPRESSION : HS_METRIC_HARMONIC, &means[k]);
        HS_NEED(means[k]);
    }
    for (size_t c = 0; c < columns; c++) {
        HS_ROW(grid, r->boards.by_selector[c].label);
        for (size_t k = 0; k < each + harmonic; k++)
            hs_put_cell(grid, mean_cell(doc, &means[k][c]));
    }
    grid->note =
        shares ? "The harmonic mean is that of compression and accuracy, 2ac / (a + c)." : NULL;
    /* The charts: of each method the mean, and a point for each data set. */
    doc->where = HS_IN_HTML;
    for (size_t k = 0; k < classifiers; k++) {
        const char *with = r->study.classifiers[k].label;
        hs_running *mean[2];
        HS_OWNS(hs_chart_clear)
        hs_chart chart = {
            .name = hs_say(doc, "compression-%zu", k + 1),
            .alt = hs_say(doc, "Scatter chart of %s against compression with %s", title, with),
            .caption =
                hs_say(doc,
                       "%s against compression with %s. Large: the mean of a method over "
                       "data sets; small: one data set. %s and to the right is better.",
                       title, with, hs_metric_formula(metric)->lower_is_better ? "Down" : "Up"),
            .x = {.label = "compression", .shares = true, .to = 1},
            .y = {.label = title, .shares = shares},
            .width = 420,
            .height = 320};
        hs_column_means(r, k, HS_METRIC_COMPRESSION, &mean[0]);
        hs_column_means(r, k, metric, &mean[1]);
        HS_NEED(mean[0] && mean[1]);
        for (size_t c = 0; c < columns; c++) {
            hs_add_series(&chart, (hs_series){r->boards.by_selector[c].label, HS_DOTS, c});
            hs_add_point(&chart,
                         (hs_point){hs_running_mean(&mean[0][c]), hs_running_mean(&mean[1][c])});
            hs_add_series(&chart, (hs_series){NULL, HS_DOTS | HS_SMALL, c});
            for (size_t d = 0; d < n; d++)
                hs_add_point(&chart, (hs_point){hs_column_value(r, c, d, k, HS_METRIC_COMPRESSION),
                                                hs_column_value(r, c, d, k, metric),
                                                .name = r->outcomes.datasets[d].name});
        }
        HS_TRY(hs_chart_add(&chart, r->request.charts, doc, error));
    }
    return HSEL_OK;
}

/* ---- sweeps: how quality and compression change with the option that was swept ---- */

typedef struct sweep {
    size_t first, count; /* selectors */
    const char *label;
    const hs_option
        *option; /* the swept option, if there is exactly one and it is a number; else NULL */
    double *x;   /* [count]: its value, or the number of the setting */
} sweep;

/* The value of an option as a text. */
static const char *option_text(hs_document *doc, const hs_option *option, const void *values)
{
    const hs_option table[] = {*option, HS_OPTION_END};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_options_format(table, values, &text); /* "name=value"; nothing: its default */
    const char *value = text.length ? strchr(text.text, '=') : NULL;
    doc->failed |= text.failed;
    return text.length        ? hs_say(doc, "%s", value ? value + 1 : text.text)
           : option->fallback ? option->fallback
                              : "";
}

static void find_option(hs_report *r, sweep *s)
{
    const hs_chosen *settings = r->study.chosen[HS_SELECTOR].items + s->first;
    bool one_method = true;
    size_t different = 0;
    for (size_t i = 0; i < s->count; i++)
        one_method = one_method && settings[i].method == settings[0].method;
    const hs_option *o = one_method ? settings[0].method->options : NULL;
    for (; o && o->type != HS_OPT_END; o++) {
        const char *first = option_text(&r->doc, o, settings[0].options);
        size_t i = 1;
        while (i < s->count && strcmp(option_text(&r->doc, o, settings[i].options), first) == 0)
            i++;
        if (i < s->count && ++different)
            s->option = o;
    }
    if (different != 1 || s->option->type < HS_OPT_INT || s->option->type > HS_OPT_DOUBLE)
        s->option = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const char *value = s->option ? option_text(&r->doc, s->option, settings[i].options) : "";
        if (!hs_parse_double(value, strlen(value), &s->x[i]))
            s->x[i] = (double)(i + 1);
    }
}

static int add_sweep_chart(hs_report *r, const sweep *s, size_t number, size_t classifier,
                           hs_metric metric, hsel_error *error)
{
    hs_document *doc = &r->doc;
    bool shares = hs_metric_scale(metric) > 1; /* else compression has another scale */
    const char *title = hs_metric_title(metric), *option = s->option ? s->option->name : "setting",
               *both = shares ? " and compression" : "";
    hs_running *means = hs_document_space(doc, 2 * s->count, sizeof *means);
    HS_OWNS(hs_chart_clear)
    hs_chart chart = {.name = hs_say(doc, "sweep-%zu-%zu", number, classifier + 1),
                      .alt = hs_say(doc, "Lines: %s%s over %s", title, both, option),
                      .caption = hs_say(doc,
                                        "%s with %s: %s%s over %s. Thick: means over "
                                        "data sets; thin: %s on each data set.",
                                        s->label, r->study.classifiers[classifier].label, title,
                                        both, option, title),
                      .x = {.label = option},
                      .y = {.label = shares ? "share" : title, .shares = shares, .to = shares},
                      .width = 420,
                      .height = 280};
    HS_NEED(means);
    for (size_t d = 0; d < r->outcomes.dataset_count; d++) {
        /* Means are over data sets on which the whole sweep is finished; otherwise the line would
         * have steps. */
        bool whole = true;
        hs_add_series(&chart,
                      (hs_series){d ? NULL : hs_say(doc, "%s on each data set", title),
                                  HS_LINE | HS_THIN, HS_GREY, r->outcomes.datasets[d].name});
        for (size_t i = 0; i < s->count; i++) {
            double y = hs_selector_value(r, d, s->first + i, classifier, metric);
            hs_add_point(&chart, (hs_point){s->x[i], y});
            whole = whole && !isnan(y);
            if (y < 0 || y > 1) /* as MCC and log-loss may be */
                chart.y.to = 0;
        }
        for (size_t i = 0; i < 2 * s->count && whole; i++)
            hs_running_add(&means[i], hs_selector_value(r, d, s->first + i / 2, classifier,
                                                        i % 2 ? HS_METRIC_COMPRESSION : metric));
    }
    for (size_t k = 0; k < (shares ? 2 : 1); k++) {
        hs_add_series(&chart,
                      (hs_series){k ? "compression (mean)" : hs_say(doc, "%s (mean)", title),
                                  HS_LINE | HS_DOTS | HS_SMALL | (k ? HS_DASHED : 0), k});
        for (size_t i = 0; i < s->count; i++)
            hs_add_point(&chart, (hs_point){s->x[i], hs_running_mean(&means[2 * i + k])});
    }
    return hs_chart_add(&chart, r->request.charts, doc, error);
}

/* The best setting on each data set. */
static void add_best_settings(hs_report *r, const sweep *s, hs_metric metric)
{
    hs_document *doc = &r->doc;
    size_t classifiers = r->study.classifier_count, rows = r->outcomes.dataset_count;
    hs_doc_grid *grid =
        hs_add_grid(doc, 1 + 3 * classifiers, 1, "Best of %s on each data set, by %s%s", s->label,
                    hs_metric_title(metric),
                    hs_metric_scale(metric) > 1 ? ", in percent" : "; compression in percent");
    HS_ROW(grid, "data set");
    for (size_t c = 0; c < classifiers; c++) {
        const char *with = r->study.classifiers[c].label;
        hs_putf(grid, "%s: %s", with, s->option ? s->option->name : "setting");
        hs_putf(grid, "%s: %s", with, hs_metric_title(metric));
        hs_putf(grid, "%s: compression", with);
    }
    for (size_t d = 0; d < rows; d++) {
        HS_ROW(grid, r->outcomes.datasets[d].name);
        for (size_t c = 0; c < classifiers; c++) {
            size_t best = SIZE_MAX;
            double most = (double)NAN;
            for (size_t i = s->count; i-- > 0;) {
                double value = hs_selector_value(r, d, s->first + i, c, metric);
                if (!isnan(value) && !hs_metric_better(metric, most, value)) { /* or equal */
                    best = i;
                    most = value;
                }
            }
            if (best == SIZE_MAX) {
                for (size_t i = 0; i < 3; i++)
                    hs_put_cell(grid, HS_QUIET);
                continue;
            }
            const hs_study_method *setting = &r->study.selectors[s->first + best];
            char digits[32];
            hs_format_double(s->x[best], digits);
            hs_put_cell(grid,
                        (hs_cell){.text = s->option ? hs_say(doc, "%s", digits) : setting->label,
                                  .exact = setting->text});
            hs_put_cell(grid, hs_value_cell(doc, metric, most));
            hs_put_cell(grid, hs_percent_cell(doc, hs_selector_value(r, d, s->first + best, c,
                                                                     HS_METRIC_COMPRESSION)));
        }
    }
    grid->note = "Of several equal settings the first is shown. The best setting was chosen on the "
                 "test results, as in the literature: it shows what a good choice could reach, not "
                 "what to expect.";
}

int hs_report_add_sweeps(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    hs_metric metric = study->best_of ? study->best_metric : r->metrics[0];
    size_t number = 0;
    for (size_t i = 0, end; i < study->selector_count; i = end) {
        end = hs_sweep_end(study, i);
        if (end - i < 2)
            continue;
        sweep s = {.first = i, .count = end - i, .label = study->selectors[i].family_label};
        HS_NEED(s.x = hs_document_space(doc, s.count, sizeof *s.x));
        if (number++ == 0)
            hs_add_heading(doc, 2, "Sweeps");
        find_option(r, &s);
        doc->where = HS_IN_HTML;
        hs_add_heading(doc, 3, s.label);
        for (size_t c = 0; c < study->classifier_count; c++)
            HS_TRY(add_sweep_chart(r, &s, number, c, metric, error));
        doc->where = 0;
        add_best_settings(r, &s, metric);
    }
    return HSEL_OK;
}

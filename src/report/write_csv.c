/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The results as CSV: a line for each data set, selector (every setting of a sweep), classifier and
 * metric, in this order.
 */
#include <math.h>

#include "report/text_table.h"
#include "report/writers.h"

static void number(hs_writer *out, double value)
{
    hs_writer_char(out, ',');
    if (!isnan(value))
        hs_writer_double(out, value);
}

static double published(const hs_report *report, size_t d, size_t s, size_t c, hs_metric metric)
{
    const hs_outcomes *o = &report->outcomes;
    const hs_study *study = &report->study;
    if (!study->published.file || o->figures.keys.count == 0)
        return (double)NAN;
    const hs_figure *figure = hs_published_find(&o->figures, &study->published, o->datasets[d].name,
                                                study->selectors[s].text,
                                                study->classifiers[c].text, hs_metric_name(metric));
    return figure ? figure->value : (double)NAN;
}

static void line(const hs_report *report, size_t d, size_t s, size_t c, hs_metric metric,
                 hs_writer *out)
{
    const hs_outcomes *o = &report->outcomes;
    const hs_outcome *outcome = hs_outcome_of(o, d, s, c);
    hs_put_csv(out, o->datasets[d].name);
    hs_writer_char(out, ',');
    hs_put_csv(out, report->study.selectors[s].text);
    hs_writer_char(out, ',');
    hs_put_csv(out, report->study.classifiers[c].text);
    hs_writer_printf(out, ",%s,%s,%u", hs_metric_name(metric), hs_outcome_word(outcome->state),
                     outcome->repeats);
    number(out, outcome->fold_mean[metric]);
    number(out, outcome->fold_mean_sd[metric]);
    number(out, outcome->pooled[metric]);
    number(out, outcome->pooled_sd[metric]);
    number(out, published(report, d, s, c, metric));
    hs_writer_char(out, '\n');
}

int hs_write_csv(const hs_report *report, hs_writer *out, hsel_error *error)
{
    hs_writer_csv_safe(out, true); /* it will be opened in spreadsheets */
    (void)error;
    hs_writer_text(out, "dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,"
                        "pooled,pooled_sd,published\n");
    for (size_t d = 0; d < report->outcomes.dataset_count; d++)
        for (size_t s = 0; s < report->study.selector_count; s++)
            for (size_t c = 0; c < report->study.classifier_count; c++)
                for (size_t m = 0; m < report->metric_count; m++)
                    line(report, d, s, c, report->metrics[m], out);
    return HSEL_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the simulations of a study say of each procedure: how often it errs beside what it promises,
 * and how much it finds, by effect.
 */
#include "study/report/chart.h"
#include "study/report/report.h"

/* Half of the interval of 95 %. */
static double half_of(const hs_running *rate) { return 1.96 * hs_running_se(rate); }

static const char *plus_minus(hs_report *r, const hs_running *rate)
{
    return rate->count > 1 ? hs_say(&r->doc, "%s ± %s", hs_percent(&r->doc, rate->mean),
                                    hs_percent(&r->doc, half_of(rate)))
                           : HS_NOTHING;
}

/* Observed errors (0) or what is found (1), a line per procedure. */
static int add_chart(hs_report *r, size_t d, size_t number, int field, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_study_simulation *s = &r->study.simulations[number];
    const char *of = d || number ? hs_say(doc, "-%zu-%zu", d + 1, number + 1) : "";
    double most = 1.5 * s->what.alpha;
    HS_OWNS(hs_chart_clear)
    hs_chart chart = {
        .name = hs_say(doc, "%s%s", field ? "power" : "errors", of),
        .alt = field ? "planted terms that are found, by effect"
                     : "observed error rates by effect, and the nominal level",
        .caption = field ? "Share of the planted terms that is found."
                         : "Observed error rates with 95 % intervals; dashed: the nominal level, "
                           "which the procedures should not exceed.",
        .x = {.label = s->what.p_values == HS_SIMULATE_INDEPENDENT
                           ? "effect, in standard deviations"
                           : "effect: log of the ratio of odds"},
        .y = {.label = field ? "planted terms found" : "observed error rate", .shares = true},
        .width = 460,
        .height = 260};
    for (size_t i = 0; i < s->procedure_count; i++) {
        hs_add_series(&chart, (hs_series){s->procedures[i].label,
                                          HS_DOTS | HS_SMALL | HS_LINE | HS_BAND | HS_LEAD, i});
        for (size_t e = 0; e < s->effect_count; e++) {
            const hs_rates *rates = hs_rates_of(&r->outcomes, d, number, e, i);
            const hs_running *rate = field ? &rates->found : &rates->wrong;
            const double y = rate->count > 1 ? rate->mean : (double)NAN, half = half_of(rate);
            hs_add_point(&chart,
                         (hs_point){s->effects[e], y, fmax(0, y - half), fmin(1, y + half)});
            most = fmax(most, y + half);
        }
    }
    if (!field)
        hs_add_series(&chart, (hs_series){"level", HS_LINE | HS_DASHED, HS_GREY});
    for (int end = 0; end < 2 && !field; end++)
        hs_add_point(&chart, (hs_point){s->effects[end ? s->effect_count - 1 : 0], s->what.alpha});
    chart.y.to = field ? 1 : fmin(1, most);
    return hs_chart_add(&chart, r->request.charts, doc, error);
}

/* The words and the table of one simulation on one data set. */
static void add_rates(hs_report *r, size_t d, size_t number)
{
    hs_document *doc = &r->doc;
    const hs_study_simulation *s = &r->study.simulations[number];
    const bool independent = s->what.p_values == HS_SIMULATE_INDEPENDENT;
    const char *above = "", *effects = "";
    uint32_t runs = s->what.runs; /* that all have, but for procedures that failed */
    hs_doc_grid *grid = hs_add_grid(
        doc, 4 + s->effect_count, 2, "%s: %s, level %g, %u planted terms, %u runs",
        r->outcomes.datasets[d].name, independent ? "independent tests" : "p-values from instances",
        s->what.alpha, s->what.planted, s->what.runs);
    HS_ROW(grid, "procedure", "is below the level", "observed, highest", "at effect");
    for (size_t e = 0; e < s->effect_count; e++) {
        hs_putf(grid, "found at %g", s->effects[e]);
        effects = hs_say_more(doc, effects, hs_say(doc, "%g", s->effects[e]));
    }
    for (size_t i = 0; i < s->procedure_count; i++) {
        const char *text = s->procedures[i].text;
        const hs_procedure *procedure =
            hs_procedure_find(hs_say(doc, "%.*s", (int)strcspn(text, ":"), text), NULL);
        const hs_rates *worst = NULL;
        size_t at = 0;
        uint32_t least = runs;
        for (size_t e = 0; e < s->effect_count; e++) {
            const hs_rates *rates = hs_rates_of(&r->outcomes, d, number, e, i);
            if (rates->wrong.count && (!worst || rates->wrong.mean > worst->wrong.mean)) {
                worst = rates;
                at = e;
            }
            least = rates->wrong.count < least ? rates->wrong.count : least;
            if (rates->wrong.mean - half_of(&rates->wrong) > s->what.alpha)
                above = hs_say_more(doc, above,
                                    hs_say(doc, "%s at effect %g (%s)", s->procedures[i].label,
                                           s->effects[e], plus_minus(r, &rates->wrong)));
        }
        runs = worst ? least : runs;
        HS_ROW(grid, s->procedures[i].label,
               procedure && strcmp(procedure->controls, "FWER") == 0 ? "chance of any false one"
                                                                     : "share of false ones",
               worst ? plus_minus(r, &worst->wrong) : HS_NOTHING,
               worst ? hs_say(doc, "%g", s->effects[at]) : HS_NOTHING);
        for (size_t e = 0; e < s->effect_count; e++) {
            const hs_running *found = &hs_rates_of(&r->outcomes, d, number, e, i)->found;
            hs_put_cell(grid, found->count ? hs_percent_cell(doc, found->mean) : HS_QUIET);
        }
    }
    grid->note = hs_say(
        doc,
        "In percent; ± is half of the 95 %% interval. %s For focused-bh, errors are counted among "
        "the terms that its filter keeps.",
        independent ? "Relevant are the planted leaves and all terms above them; each term has its "
                      "own normal statistic, whose mean is the effect if it is relevant."
                    : "Instances of planted terms have the class with odds that are exp(effect) "
                      "times those of others; p is Fisher's, one-sided. A term is relevant if its "
                      "share of such instances is above that of all.");
    if (runs == s->what.runs)
        hs_add_text(doc, "%s",
                    *above ? hs_say(doc,
                                    "Above the level by more than the error of the simulation: %s.",
                                    above)
                           : "All stay below the level within the error of the simulation.");
    else
        hs_add_text(doc, "%u of %u runs are finished.", runs, s->what.runs);
}

int hs_report_add_simulations(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    if (!r->study.simulation_count)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Error rates in simulations");
    for (size_t d = 0; d < r->outcomes.dataset_count; d++)
        for (size_t i = 0; i < r->study.simulation_count && r->outcomes.datasets[d].id >= 0; i++) {
            add_rates(r, d, i);
            doc->where = HS_IN_HTML;
            for (int field = 0; field < 2; field++)
                HS_TRY(add_chart(r, d, i, field, error));
            doc->where = 0;
        }
    return HSEL_OK;
}

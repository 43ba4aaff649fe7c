/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The automatic choice of a study beside every pair of selector and classifier by itself, on the
 * same folds: how often it picks what is best, and what it costs.
 */
#include "study/report/report.h"

/* One choice on all data sets. */
typedef struct beside {
    hs_report *r;
    const hs_study_auto *how;
    size_t which, pairs;
} beside;

/* Of a pair, or (HS_PAIR_AUTO) of the choice itself; NaN: not finished. */
#define HS_PAIR_AUTO SIZE_MAX
static double value_of(const beside *b, size_t d, size_t pair)
{
    const hs_outcomes *o = &b->r->outcomes;
    const hs_outcome *outcome = pair == HS_PAIR_AUTO
                                    ? &o->automatic[d * b->r->study.auto_count + b->which]
                                    : &o->outcome[d * b->pairs + pair];
    return outcome->state == HS_OUTCOME_OK ? hs_outcome_value(o, outcome, b->how->metric)
                                           : (double)NAN;
}

static const char *pair_name(const beside *b, size_t pair)
{
    const hs_study *study = &b->r->study;
    return hs_say(&b->r->doc, "%s with %s", study->selectors[pair / study->classifier_count].label,
                  study->classifiers[pair % study->classifier_count].label);
}

/* Whether the choice, and all pairs that can be tested on the data set, are finished. */
static bool is_whole(const beside *b, size_t d)
{
    bool any = false;
    for (size_t i = 0; i < b->pairs; i++) {
        const hs_outcome_state state = b->r->outcomes.outcome[d * b->pairs + i].state;
        if (state == HS_OUTCOME_MISSING || state == HS_OUTCOME_PART)
            return false;
        any |= state == HS_OUTCOME_OK;
    }
    return any && !isnan(value_of(b, d, HS_PAIR_AUTO));
}

/* The pair with the best mean over all complete data sets except `without`, among pairs that are
 * finished on all of them. The means of these pairs are added to `middle`. */
static size_t best_over(const beside *b, size_t without, double *mean, hs_running *middle)
{
    size_t best = SIZE_MAX;
    *mean = (double)NAN;
    for (size_t i = 0; i < b->pairs; i++) {
        hs_running all = {0};
        bool everywhere = true;
        for (size_t d = 0; d < b->r->outcomes.dataset_count; d++)
            if (is_whole(b, d)) {
                const double value = value_of(b, d, i);
                everywhere = everywhere && !isnan(value);
                if (d != without)
                    hs_running_add(&all, value);
            }
        if (everywhere && all.count)
            hs_running_add(middle, all.mean);
        if (everywhere && all.count &&
            (best == SIZE_MAX || hs_metric_better(b->how->metric, all.mean, *mean))) {
            best = i;
            *mean = all.mean;
        }
    }
    return best;
}

static void add_one(const beside *b)
{
    hs_report *r = b->r;
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const hs_metric metric = b->how->metric;
    hs_running own = {0}, hindsight = {0}, others = {0}, middle = {0};
    uint64_t folds = 0, right = 0;
    size_t sets = 0, above[2] = {0};
    double mean;
    hs_doc_grid *grid =
        hs_add_grid(doc, 8, 2, "%s: chosen within the training part, %s on the outer folds",
                    b->how->method.label, hs_metric_title(metric));
    HS_ROW(grid, "data set", "chosen most often", "automatic", "best in hindsight", "its value",
           "rank of the automatic", "best of the other data sets", "its value here");
    for (size_t d = 0; d < o->dataset_count; d++) {
        const uint32_t *picks = o->picks + (d * r->study.auto_count + b->which) * b->pairs;
        size_t best = SIZE_MAX, most = 0, there = 0, rank = 1;
        uint64_t here = 0;
        const double automatic = value_of(b, d, HS_PAIR_AUTO);
        if (!is_whole(b, d)) {
            HS_ROW(grid, o->datasets[d].name, "not finished");
            for (int i = 0; i < 6; i++)
                hs_put_cell(grid, HS_QUIET);
            continue;
        }
        for (size_t i = 0; i < b->pairs; i++) {
            const double value = value_of(b, d, i);
            here += picks[i];
            most = picks[i] > picks[most] ? i : most;
            if (isnan(value))
                continue;
            there++;
            rank += hs_metric_better(metric, value, automatic);
            if (best == SIZE_MAX || hs_metric_better(metric, value, value_of(b, d, best)))
                best = i;
        }
        const size_t other = best_over(b, d, &mean, &(hs_running){0});
        const double best_value = value_of(b, d, best),
                     other_value = other == SIZE_MAX ? (double)NAN : value_of(b, d, other);
        sets++;
        folds += here;
        right += picks[best];
        hs_running_add(&own, automatic);
        hs_running_add(&hindsight, best_value);
        above[0] += hs_metric_better(metric, automatic, best_value);
        if (!isnan(other_value)) {
            hs_running_add(&others, other_value);
            above[1] += hs_metric_better(metric, automatic, other_value);
        }
        HS_ROW(grid, o->datasets[d].name,
               hs_say(doc, "%s, %u of %s", pair_name(b, most), picks[most], hs_grouped(doc, here)));
        hs_put_cell(grid, hs_percent_cell(doc, automatic));
        HS_ROW(grid, pair_name(b, best));
        hs_put_cell(grid, hs_percent_cell(doc, best_value));
        hs_putf(grid, "%zu of %zu", rank, there + 1);
        HS_ROW(grid, other == SIZE_MAX ? HS_NOTHING : pair_name(b, other));
        hs_put_cell(grid, hs_percent_cell(doc, other_value));
    }
    grid->note = "In hindsight: chosen by the test results. Best of the other data sets: chosen "
                 "without this data set.";
    if (!sets)
        return;
    const size_t fixed = best_over(b, SIZE_MAX, &mean, &middle);
    HS_ROW(grid, "mean", "");
    hs_put_cell(grid, hs_percent_cell(doc, own.mean));
    HS_ROW(grid, "");
    hs_put_cell(grid, hs_percent_cell(doc, hindsight.mean));
    HS_ROW(grid, "", "");
    hs_put_cell(grid, hs_percent_cell(doc, others.count == sets ? others.mean : (double)NAN));
    grid->foot = 1;
    hs_add_text(
        doc,
        "Over %s the automatic choice has %s %s. The best pair of each in hindsight has %s, "
        "the mean pair %s%s. It picked the best of the data set in %s of %s folds.",
        hs_plural(doc, sets, "data set"), hs_metric_title(metric), hs_percent(doc, own.mean),
        hs_percent(doc, hindsight.mean), hs_percent(doc, middle.mean),
        fixed == SIZE_MAX ? ""
                          : hs_say(doc, ", and one pair for all, %s, %s", pair_name(b, fixed),
                                   hs_percent(doc, mean)),
        hs_grouped(doc, right), hs_grouped(doc, folds));
    if (others.count == sets)
        hs_add_text(doc,
                    "It is better than the best pair of the other data sets on %zu of %zu, and "
                    "better than the best in hindsight on %zu.",
                    above[1], sets, above[0]);
}

int hs_report_add_automatic(hs_report *r, hsel_error *error)
{
    (void)error;
    if (!r->study.auto_count)
        return HSEL_OK;
    hs_add_heading(&r->doc, 2, "Automatic choice");
    for (size_t i = 0; i < r->study.auto_count; i++)
        add_one(&(beside){r, &r->study.autos[i], i,
                          r->study.selector_count * r->study.classifier_count});
    return HSEL_OK;
}

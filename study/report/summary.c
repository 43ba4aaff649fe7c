/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beginning of a report: what is best in words and as a heat map of all methods on all data
 * sets, and which study it is, what of it has run, what is missing, what failed and why.
 */
#include <time.h>

#include "study/report/report.h"
#include "infer/tests.h"

/* ---- the summary: what was compared, what is best, what selection gains; and the same as a heat
 * map of all methods on all data sets ---- */

/* The column of no selection; SIZE_MAX: there is none. */
static size_t baseline(const hs_report *r)
{
    size_t i = 0;
    while (i < r->boards.column_count && (r->boards.columns[i].classifier != SIZE_MAX ||
                                          strcmp(r->boards.columns[i].text, "none") != 0))
        i++;
    return i < r->boards.column_count ? i : SIZE_MAX;
}

/* The column with the best mean, except one; SIZE_MAX: none. */
static size_t best_column(const hs_report *r, const hs_board *board, size_t but)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < r->boards.column_count && board->complete; i++)
        if (i != but && board->taking_part[i] &&
            (best == SIZE_MAX ||
             hs_metric_better(board->metric, board->mean[i], board->mean[best])))
            best = i;
    return best;
}

static const char *mean_text(hs_document *doc, const hs_board *board, size_t column)
{
    return hs_say(doc, isnan(board->mean_se[column]) ? "%s%.0s%s" : "%s ± %s%s",
                  hs_value_text(doc, board->metric, board->mean[column]),
                  hs_value_text(doc, board->metric, board->mean_se[column]),
                  hs_value_unit(board->metric, " %"));
}

/* Which is best by the first metric, and whether it differs from the others. */
static void say_best(hs_report *r, const hs_board *board, size_t best)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    const char *label = r->boards.columns[best].label, *others = "", *verdict;
    size_t differ = 0;
    for (size_t i = 0; c->tested && i < r->boards.column_count; i++)
        if (board->taking_part[i] &&
            fabs(c->ranks.mean[board->place[i]] - c->ranks.mean[board->place[best]]) >=
                c->friedman.critical_difference) {
            others = hs_say_more(doc, others, r->boards.columns[i].label);
            differ++;
        }
    const char *few = c->tested && c->ranks.complete < HS_ENOUGH_DATA
                          ? "; with so few data sets, take this with "
                            "caution"
                          : "";
    if (!c->tested)
        verdict = "There are too few data sets or methods for a test";
    else if (!hs_rejects(c->friedman.p, c->request.alpha))
        verdict = hs_say(doc,
                         "Friedman's test finds no significant difference between the methods with "
                         "%s (%s)",
                         board->with, hs_p_value(doc, c->friedman.p, true));
    else
        verdict =
            hs_say(doc,
                   "The methods with %s differ significantly (Friedman, %s); by rank %s differs "
                   "from %s",
                   board->with, hs_p_value(doc, c->friedman.p, true), label,
                   !differ      ? "no other (Nemenyi)"
                   : differ > 4 ? hs_say(doc, "%zu of %zu others (Nemenyi)", differ,
                                         c->request.results.columns - 1)
                                : hs_say(doc, "%s (Nemenyi)", others));
    hs_add_text(doc, "By %s (%s) the best mean over %s is that of %s with %s: %s. %s%s.",
                hs_metric_title(board->metric), hs_metrics[board->metric]->title,
                hs_plural(doc, board->complete, "data set"), label, board->with,
                mean_text(doc, board, best), verdict, few);
}

/* What the best selector gains or loses compared with no selection, and what it costs. */
static void say_gain(hs_report *r, const hs_board *board)
{
    hs_document *doc = &r->doc;
    size_t none = baseline(r), best = best_column(r, board, none);
    if (board->classifier == SIZE_MAX || best == SIZE_MAX)
        return;
    hs_running kept = {0}, *seconds;
    size_t columns = r->boards.column_count;
    for (size_t d = 0; d < r->outcomes.dataset_count; d++)
        if (hs_is_common(board->counted + d * columns, columns, board->taking_part))
            hs_running_add_known(
                &kept, 1 - hs_outcome_value(&r->outcomes, board->score[d * columns + best].outcome,
                                            HS_METRIC_COMPRESSION));
    hs_column_means(r, SIZE_MAX, HS_SECONDS, &seconds);
    if (!seconds)
        return;
    const char *label = r->boards.columns[best].label,
               *cost = hs_say(doc, "keeps %s %% of the features and takes %s ms per repeat",
                              hs_percent(doc, hs_running_mean(&kept)),
                              hs_milliseconds(doc, hs_running_mean(&seconds[best])));
    if (none == SIZE_MAX || !board->taking_part[none]) {
        hs_add_text(doc, "%s %s.", label, cost);
        return;
    }
    double gain = board->mean[best] - board->mean[none];
    hs_add_text(doc, "Without selection %s has %s; with %s it %s by %s%s. %s %s.", board->with,
                mean_text(doc, board, none), label, gain < 0 ? "falls" : "rises",
                hs_value_text(doc, board->metric, fabs(gain)),
                hs_value_unit(board->metric, " points"), label, cost);
}

/* Differences of each method from no selection, or else from the mean of the row. */
static void add_heat_map(hs_report *r, size_t first)
{
    hs_document *doc = &r->doc;
    const hs_boards *b = &r->boards;
    size_t columns = b->column_count, rows = r->outcomes.dataset_count, none = baseline(r),
           shown = 0, most_shown = b->per_metric * columns;
    const hs_board *boards = b->boards + first;
    const hs_metric metric = boards->metric;
    const char *from =
        none == SIZE_MAX ? "the mean of the row" : hs_say(doc, "%s", b->columns[none].label);
    size_t *which = hs_document_space(doc, most_shown, sizeof *which); /* board, column */
    hs_running *means = hs_document_space(doc, most_shown, sizeof *means);
    bool *part = hs_document_space(doc, most_shown, sizeof *part);
    double *differences = hs_document_space(doc, rows * most_shown, sizeof *differences);
    double *most = hs_document_space(doc, rows + 1, sizeof *most); /* in a row */
    if (doc->failed)
        return;
    for (size_t i = 0; i < most_shown; i++)
        if (i % columns != none)
            which[shown++] = i;
    hs_doc_grid *grid =
        hs_add_grid(doc, shown + 1, 1, "%s: difference from %s%s", hs_metric_title(metric), from,
                    hs_value_unit(metric, ", in points"));
    HS_ROW(grid, "data set");
    for (size_t i = 0; i < shown; i++) {
        const hs_board *board = &boards[which[i] / columns];
        size_t column = which[i] % columns;
        part[i] = board->taking_part[column];
        hs_put_cell(grid, (hs_cell){.text = hs_column_heading(doc, &b->columns[column]),
                                    .aside = b->per_metric > 1 ? board->with : NULL});
        for (size_t d = 0; d < rows; d++) {
            const double *row = board->counted + d * columns;
            hs_running all = {0};
            for (size_t j = 0; j < columns; j++)
                hs_running_add_known(&all, row[j]);
            double difference =
                row[column] - (none == SIZE_MAX ? hs_running_mean(&all) : row[none]);
            differences[d * shown + i] = difference;
            most[d] = fmax(most[d], fabs(difference));
            most[rows] = fmax(most[rows], most[d]);
        }
    }
    size_t common = hs_common_means(differences, rows, shown, part, means);
    for (size_t d = 0; d <= rows; d++) {
        bool mean = d == rows;
        /* Shares are comparable across data sets; other metrics have the unit of each target. */
        double full = most[hs_metric_scale(metric) > 1 ? rows : d];
        HS_ROW(grid, mean ? "mean" : r->outcomes.datasets[d].name);
        for (size_t i = 0; i < shown; i++) {
            const hs_board *board = &boards[which[i] / columns];
            double difference = !mean                      ? differences[d * shown + i]
                                : means[i].count == common ? hs_running_mean(&means[i])
                                                           : (double)NAN;
            hs_cell cell = {.text = hs_difference(doc, metric, difference),
                            .shade = full > 0 ? difference / full : 0};
            if (hs_metric_formula(metric)->lower_is_better)
                cell.shade = -cell.shade;
            if (!mean)
                cell.exact = hs_value_exactly(doc, metric,
                                              board->score[d * columns + which[i] % columns].value);
            else if (means[i].count > 1)
                cell.spread = hs_value_text(doc, metric, hs_running_se(&means[i]));
            hs_put_cell(grid, isnan(difference) ? HS_QUIET : cell);
        }
    }
    grid->foot = 1;
    grid->note =
        hs_say(doc,
               "Blue is better than %s, orange worse; hovering shows the value itself. The mean "
               "is over the %s that all methods have finished; ± is its standard error.",
               from, hs_plural(doc, common, "data set"));
}

int hs_report_add_summary(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    const hs_boards *b = &r->boards;
    size_t with_results = 0, best = SIZE_MAX;
    const hs_board *board = NULL;
    (void)error;
    for (size_t d = 0; d < r->outcomes.dataset_count; d++)
        with_results += r->outcomes.datasets[d].id >= 0;
    for (size_t i = 0; i < b->per_metric && i < b->count; i++) {
        size_t own = best_column(r, &b->boards[i], SIZE_MAX);
        if (own != SIZE_MAX && (!board || hs_metric_better(board->metric, b->boards[i].mean[own],
                                                           board->mean[best]))) {
            board = &b->boards[i];
            best = own;
        }
    }
    if (!board) /* nothing is finished, which the head says */
        return HSEL_OK;
    doc->where = HS_IN_HTML;
    hs_add_heading(doc, 2, "Summary");
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_text(doc, "%s with %s were compared on %s, by %s%s.",
                hs_plural(doc, study->selector_count, "selector"),
                hs_plural(doc, study->classifier_count, "classifier"),
                hs_plural(doc, with_results, "data set"),
                r->design                           ? r->design
                : strcmp(study->scheme, "loo") == 0 ? "leave-one-out cross-validation"
                : strncmp(study->scheme, "file:", 5) == 0
                    ? "cross-validation in given folds"
                    : hs_say(doc, "%u-fold cross-validation", study->folds),
                study->repeats > 1 ? hs_say(doc, ", done %u times", study->repeats) : "");
    say_best(r, board, best);
    say_gain(r, board);
    doc->where = HS_IN_HTML;
    bool any = false;
    size_t shown = b->column_count - (baseline(r) != SIZE_MAX);
    for (size_t i = 0; i < b->count && shown; i += b->per_metric)
        if (!(hs_metric_formula(b->boards[i].metric)->needs & HS_OF_SELECTIONS)) {
            hs_add_part(doc, HS_PART_PANEL, hs_metric_title(b->boards[i].metric));
            add_heat_map(r, i);
            any = true;
        }
    if (any)
        hs_add_part(doc, HS_PART_UNPANEL, NULL);
    return HSEL_OK;
}

/* ---- the head: which study, what of it has run, what is missing, what failed and why ---- */

static const char *joined(hs_document *doc, const hs_study_method *methods, size_t count)
{
    const char *list = "", *family = NULL;
    for (size_t i = 0; i < count; i++) {
        bool same = methods[i].sweep && family && strcmp(methods[i].family, family) == 0;
        family = methods[i].family;
        if (!same)
            list = hs_say_more(doc, list,
                               methods[i].sweep ? methods[i].family_label : methods[i].label);
    }
    return list;
}

/* Finished and missing jobs: folds of selector, classifier and repeat, and simulations. */
typedef struct hs_jobs {
    uint64_t wanted, done, failed, unfit, older;
} hs_jobs;

/* Adds the jobs of a data set. Returns whether some folds lack a class, so that metrics are pooled.
 */
static bool count_jobs(const hs_report *r, size_t d, hs_jobs *jobs)
{
    const hs_outcomes *o = &r->outcomes;
    size_t pairs = r->study.selector_count * r->study.classifier_count;
    bool lacking = false;
    for (size_t i = 0; i < pairs + r->study.auto_count; i++) {
        const hs_outcome *outcome = i < pairs ? &o->outcome[d * pairs + i]
                                              : &o->automatic[d * r->study.auto_count + i - pairs];
        jobs->wanted += outcome->folds_wanted - outcome->folds_unfit;
        jobs->unfit += outcome->folds_unfit;
        jobs->older += outcome->folds_older;
        jobs->done += outcome->folds_done;
        jobs->failed += outcome->folds_failed;
        lacking |= outcome->evaluation.folds_lack_class;
    }
    return lacking;
}

/* A row for each selector that failed on a data set or does not fit it, perhaps only with some
 * classifiers. */
static void add_failures(hs_report *r)
{
    enum { SHOWN = 50 };
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    size_t selectors = study->selector_count, classifiers = study->classifier_count, row = 0;
    hs_doc_grid *grid = NULL;
    for (size_t pair = 0; pair < r->outcomes.dataset_count * selectors; pair++) {
        const hs_outcome *outcome = &r->outcomes.outcome[pair * classifiers];
        const char *with = "", *message = NULL;
        uint64_t bad = 0, all = 0;
        bool failure = false;
        for (size_t c = 0; c < classifiers; c++) {
            if (!outcome[c].folds_failed && !outcome[c].folds_unfit)
                continue;
            with = hs_say_more(doc, with, study->classifiers[c].label);
            bad += outcome[c].folds_failed + outcome[c].folds_unfit;
            failure |= outcome[c].folds_failed > 0;
            all += outcome[c].folds_wanted;
            message = message ? message : outcome[c].message;
        }
        if (bad == 0 || row++ >= SHOWN)
            continue;
        if (row == 1) {
            grid = hs_add_grid(doc, 6, 5, "What failed or was left out");
            HS_ROW(grid, "data set", "selector", "with", "state", "message", "jobs");
        }
        HS_ROW(grid, r->outcomes.datasets[pair / selectors].name,
               study->selectors[pair % selectors].label, with, failure ? "failed" : "left out",
               message ? message : "failed",
               hs_say(doc, "%s of %s", hs_grouped(doc, bad), hs_grouped(doc, all)));
    }
    if (r->outcomes.simulated.message)
        hs_add_text(doc, "Simulations that failed: %s", r->outcomes.simulated.message);
    if (row > SHOWN)
        grid->note = hs_say(doc, "The first %d of %zu.", SHOWN, row);
}

static void add_sources(hs_report *r)
{
    hs_doc_grid *grid = NULL;
    r->doc.where = HS_IN_HTML;
    for (size_t d = 0; d < r->outcomes.dataset_count; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        if (!data->provenance)
            continue;
        if (!grid) {
            hs_add_part(&r->doc, HS_PART_FOLD, "Where the data come from");
            grid = hs_add_grid(&r->doc, 2, 2, "Sources and steps of the data sets");
            HS_ROW(grid, "data set", "provenance");
        }
        HS_ROW(grid, data->name, data->provenance);
    }
    if (grid)
        hs_add_part(&r->doc, HS_PART_UNFOLD, NULL);
}

int hs_report_find_designs(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const char *common = NULL;
    bool same = true;
    r->design = NULL;
    HS_NEED(r->designs = hs_arena_zero(&doc->arena, r->outcomes.dataset_count, sizeof *r->designs));
    for (size_t d = 0; d < r->outcomes.dataset_count; d++) {
        const int64_t id = r->outcomes.datasets[d].id;
        const char **text = &r->designs[d];
        if (id < 0)
            continue;
        HS_TRY(hs_store_design(r->store, id, hs_study_scheme(&r->study), r->study.folds,
                               &doc->arena, text, error));
        same = same && *text && (!common || strcmp(common, *text) == 0);
        common = *text ? *text : common;
    }
    if (common)
        r->design = same ? hs_say(doc, "%.*s", (int)strcspn(common, "\n"), common)
                         : "cross-validation that respects the design of each data set";
    return HSEL_OK;
}

/* How folds respect groups, times or a test set, and what limits them: a paragraph for the data
 * sets of which the same is known. */
static void add_designs(hs_report *r)
{
    hs_document *doc = &r->doc;
    const size_t count = r->designs ? r->outcomes.dataset_count : 0;
    for (size_t d = 0; d < count; d++) {
        const char *text = r->designs[d], *names = "", *limits = "";
        if (!text)
            continue;
        for (size_t other = d; other < count; other++)
            if (r->designs[other] && (other == d || strcmp(r->designs[other], text) == 0)) {
                names = hs_say_more(doc, names, r->outcomes.datasets[other].name);
                r->designs[other] = NULL;
            }
        const int length = (int)strcspn(text, "\n");
        for (const char *at = text + length; *at; at += strcspn(at, "\n")) {
            at++;
            limits = hs_say(doc, "%s Caution: %.*s.", limits, (int)strcspn(at, "\n"), at);
        }
        hs_add_text(doc, "Folds of %s: %.*s.%s", names, length, text, limits);
    }
}

int hs_report_add_head(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const hs_study *study = &r->study;
    size_t there = 0;
    hs_jobs jobs = {o->simulated.wanted, o->simulated.done, o->simulated.failed};
    const char *away = "", *before = "", *scheme = study->scheme, *slash = strrchr(scheme, '/'),
               *pooled = "";
    time_t moment = (time_t)o->time;
    struct tm parts;
    char time[64] = HS_NOTHING;
    for (size_t d = 0; d < o->dataset_count; d++) {
        const char *name = o->datasets[d].name, *why = o->datasets[d].why;
        bool stored = o->datasets[d].id >= 0;
        there += stored;
        if (!stored)
            away = hs_say_more(doc, away, hs_say(doc, "%s (%s)", name, why ? why : "not run yet"));
        if (o->datasets[d].older)
            before = hs_say_more(doc, before, hs_say(doc, why ? "%s (%s)" : "%s", name, why));
        if ((stored || !why) && count_jobs(r, d, &jobs))
            pooled = hs_say_more(doc, pooled, name);
    }
    uint64_t ended = jobs.done + jobs.failed, open = jobs.wanted > ended ? jobs.wanted - ended : 0;
    doc->where = HS_IN_HTML;
    hs_add_heading(doc, 2, "The study");
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_fact(doc, "Study", "%s", study->name);
    if (gmtime_r(&moment, &parts))
        strftime(time, sizeof time, "%Y-%m-%d %H:%M UTC", &parts);
    hs_add_fact(doc, "Last result", "%s", ended ? time : "none yet");
    hs_add_fact(doc, "Jobs", "%s of %s finished%s%s%s", hs_grouped(doc, jobs.done),
                hs_grouped(doc, jobs.wanted),
                jobs.failed ? hs_say(doc, ", %s failed", hs_grouped(doc, jobs.failed)) : "",
                jobs.unfit ? hs_say(doc, ", %s left out", hs_grouped(doc, jobs.unfit)) : "",
                open ? hs_say(doc, ", %s not run yet", hs_grouped(doc, open)) : "");
    hs_add_fact(doc, "Data sets", "%s",
                there == o->dataset_count ? hs_grouped(doc, o->dataset_count)
                                          : hs_say(doc, "%zu of %zu", there, o->dataset_count));
    if (study->selector_count && study->classifier_count) {
        hs_add_fact(doc, "Selectors", "%s", joined(doc, study->selectors, study->selector_count));
        hs_add_fact(doc, "Classifiers", "%s",
                    joined(doc, study->classifiers, study->classifier_count));
        hs_add_fact(doc, "Cross-validation", "%s, %s, seed %llu",
                    r->design                    ? hs_say(doc, "%s (%s)", r->design, scheme)
                    : strcmp(scheme, "loo") == 0 ? "leave-one-out cross-validation"
                    : strncmp(scheme, "file:", 5) == 0
                        ? hs_say(doc, "folds of %s", slash ? slash + 1 : scheme + 5)
                        : hs_say(doc, "%u folds (%s)", study->folds, scheme),
                    hs_plural(doc, study->repeats, "repeat"), (unsigned long long)study->seed);
        hs_add_fact(doc, "Means and ranks",
                    "like wins, over the data sets that all methods of a table have finished");
        if (*pooled)
            pooled = hs_say(
                doc, " (pooled over all instances where a class is not in every fold: %s)", pooled);
        hs_add_fact(doc, "Metrics", "%s%s%s%s",
                    study->pooled ? "pooled over all instances" : "means over folds",
                    study->pooled ? "" : pooled, hs_value_unit(r->metrics[0], ", in percent"),
                    study->rank_by == HS_RANK_BY_PROBABILITY
                        ? "; AUROC and AUPRC rank by probability"
                        : "");
    }
    HS_OWNS(hs_buf_clear) hs_buf apart = {0};
    hs_study_left_out(study, &apart, NULL);
    HS_NEED(!apart.failed);
    if (apart.length)
        hs_add_fact(doc, "Left out", "%s: they cannot be combined", apart.text);
    hs_add_fact(doc, "Computed by", "hsel %s%s", o->version,
                jobs.older ? hs_say(doc, " and, %s of the jobs, by other versions",
                                    hs_grouped(doc, jobs.older))
                           : "");
    hs_add_fact(doc, "Made by", "hsel %s", hsel_version());
    if (*away)
        hs_add_text(doc, "Data sets without any result: %s.", away);
    if (*before)
        hs_add_text(doc,
                    "Results on these data sets are older: the last run of the study did not read "
                    "their data, which may have changed: %s.",
                    before);
    if (jobs.older)
        hs_add_text(doc, "Values with ‡ were computed by another version of hsel than the last run "
                         "of the study. {redo-older} recomputes them.");
    if (o->shared)
        hs_add_text(doc, "%s", o->shared);
    if (jobs.done == 0)
        hs_add_text(doc, "No job of this study is finished yet; hsel run computes them.");
    else if (open)
        hs_add_text(doc, "Not everything is finished. Values with † are means over the finished "
                         "repeats; they are left out of best values, means, ranks and tests.");
    add_designs(r);
    add_failures(r);
    add_sources(r);
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    if (o->figures_problem)
        hs_add_text(doc, "The published figures are missing: %s", o->figures_problem);
    return HSEL_OK;
}

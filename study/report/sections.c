/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sections of a report, in their order. Each adds to report->doc and leaves the rest alone;
 * what they have in common is in document.h (words and cells) and chart.h (pictures). The last one,
 * each data set in detail, is in details.c.
 */
#include <time.h>

#include "core/method.h"
#include "study/report/chart.h"
#include "study/report/rankings.h"
#include "study/report/report.h"
#include "infer/tests.h"

/* A text of the document at hand. */
#define say(...) hs_say(doc, __VA_ARGS__)

/* Means are over the numbers that are there. */
static void add_known(hs_running *mean, double value)
{
    if (!isnan(value))
        hs_running_add(mean, value);
}

static double mean_of(const hs_running *mean) { return mean->count ? mean->mean : (double)NAN; }

static hs_cell mean_cell(hs_document *doc, const hs_running *mean)
{
    hs_cell cell = hs_percent_cell(doc, mean_of(mean));
    if (mean->count > 1)
        cell.spread = hs_percent(doc, hs_running_se(mean));
    return cell;
}

/* Seconds of a column on a data set, over the settings of a sweep and the classifiers that are
 * finished; NaN: none is. classifier SIZE_MAX: of selection, which is done once for all
 * classifiers, so their readings of it are the same. */
static double seconds_of(const hs_report *r, size_t column, size_t dataset, size_t classifier)
{
    const hs_board_column *shown = &r->boards.by_selector[column];
    hs_running m = {0};
    for (size_t s = shown->first; s < shown->first + shown->count; s++)
        for (size_t c = 0; c < r->study.classifier_count; c++) {
            const hs_evaluation *e = &hs_outcome_of(&r->outcomes, dataset, s, c)->evaluation;
            if (e->repeats > 0 && (classifier == SIZE_MAX || classifier == c))
                add_known(&m, classifier == SIZE_MAX ? e->select_seconds.mean
                                                     : e->classify_seconds.mean);
        }
    return mean_of(&m);
}

/* Of every column of by_selector, the mean over the data sets that all of them have, into
 * means[columns]; in all, how many these are. */
typedef double (*column_value)(const hs_report *r, size_t column, size_t dataset, size_t classifier,
                               hs_metric metric);
static size_t column_means(hs_report *r, column_value value, size_t classifier, hs_metric metric,
                           hs_running **means)
{
    size_t columns = r->boards.by_selector_count, rows = r->outcomes.dataset_count;
    double *all = hs_document_space(&r->doc, rows * columns, sizeof *all);
    *means = hs_document_space(&r->doc, columns, sizeof **means);
    for (size_t i = 0; all && i < rows * columns; i++)
        all[i] = value(r, i % columns, i / columns, classifier, metric);
    return all && *means ? hs_common_means(all, rows, columns, NULL, *means) : 0;
}

static double seconds_value(const hs_report *r, size_t column, size_t dataset, size_t classifier,
                            hs_metric metric)
{
    (void)metric;
    return seconds_of(r, column, dataset, classifier);
}

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

/* The column with the best mean, but for one; SIZE_MAX: none has any. */
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

/* That of the best of a sweep, which was chosen on the test folds, is marked. */
static const char *heading(hs_document *doc, const hs_board_column *column)
{
    return column->best ? say("%s (best)", column->label) : column->label;
}

static const char *mean_text(hs_document *doc, const hs_board *board, size_t column)
{
    return say(isnan(board->mean_se[column]) ? "%s%.0s%s" : "%s ± %s%s",
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
            fabs(c->mean_rank[board->place[i]] - c->mean_rank[board->place[best]]) >=
                c->friedman.critical_difference) {
            others = hs_say_more(doc, others, r->boards.columns[i].label);
            differ++;
        }
    const char *few = c->tested && c->complete_rows < HS_ENOUGH_DATA
                          ? "; with so few data sets, take this with "
                            "caution"
                          : "";
    if (!c->tested)
        verdict = "There are too few data sets or methods for a test";
    else if (!hs_rejects(c->friedman.p, c->request.alpha))
        verdict = say("Friedman's test finds no significant difference between the methods with "
                      "%s (%s)",
                      board->with, hs_p_value(doc, c->friedman.p, true));
    else
        verdict = say("The methods with %s differ significantly (Friedman, %s); by rank %s differs "
                      "from %s",
                      board->with, hs_p_value(doc, c->friedman.p, true), label,
                      !differ      ? "no other (Nemenyi)"
                      : differ > 4 ? say("%zu of %zu others (Nemenyi)", differ,
                                         c->request.results.columns - 1)
                                   : say("%s (Nemenyi)", others));
    hs_add_text(doc, "By %s (%s) the best mean over %s is that of %s with %s: %s. %s%s.",
                hs_metric_title(board->metric), hs_metrics[board->metric]->title,
                hs_plural(doc, board->complete, "data set", "data sets"), label, board->with,
                mean_text(doc, board, best), verdict, few);
}

/* What selection gains or loses against none, and what it costs. */
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
            add_known(&kept,
                      1 - hs_outcome_value(&r->outcomes, board->score[d * columns + best].outcome,
                                           HS_METRIC_COMPRESSION));
    column_means(r, seconds_value, SIZE_MAX, board->metric, &seconds);
    if (!seconds)
        return;
    const char *label = r->boards.columns[best].label,
               *cost = say("keeps %s %% of the features and takes %s ms per repeat",
                           hs_percent(doc, mean_of(&kept)),
                           hs_milliseconds(doc, mean_of(&seconds[best])));
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

/* The difference of each method from no selection, or from the mean of its row. */
static void add_heat_map(hs_report *r, size_t first)
{
    hs_document *doc = &r->doc;
    const hs_boards *b = &r->boards;
    size_t columns = b->column_count, rows = r->outcomes.dataset_count, none = baseline(r),
           shown = b->per_metric * (columns - (none != SIZE_MAX));
    const hs_board *boards = b->boards + first;
    bool lower = hs_metric_formula(boards->metric)->lower_is_better;
    const char *from = none == SIZE_MAX ? "the mean of the row" : say("%s", b->columns[none].label);
    hs_running *means = hs_document_space(doc, shown, sizeof *means);
    bool *part = hs_document_space(doc, shown, sizeof *part);
    double *differences = hs_document_space(doc, rows * shown, sizeof *differences);
    double *most = hs_document_space(doc, rows + 1, sizeof *most); /* in a row */
    hs_doc_grid *grid =
        hs_add_grid(doc, shown + 1, 1, "%s: difference from %s%s", hs_metric_title(boards->metric),
                    from, hs_value_unit(boards->metric, ", in points"));
    if (!differences || !means || !most || !part)
        return;
    HS_ROW(grid, "data set");
    for (size_t i = 0; i < b->per_metric * columns; i++)
        if (i % columns != none)
            hs_put_cell(grid,
                        (hs_cell){.text = heading(doc, &b->columns[i % columns]),
                                  .aside = b->per_metric > 1 ? boards[i / columns].with : NULL});
    for (size_t d = 0; d < rows; d++)
        for (size_t i = 0, at = 0; i < b->per_metric * columns; i++) {
            const double *row = boards[i / columns].counted + d * columns;
            hs_running all = {0};
            for (size_t j = 0; j < columns && none == SIZE_MAX; j++)
                add_known(&all, row[j]);
            if (i % columns == none)
                continue;
            double difference = row[i % columns] - (none == SIZE_MAX ? mean_of(&all) : row[none]);
            part[at] = boards[i / columns].taking_part[i % columns];
            differences[d * shown + at++] = difference;
            most[d] = fmax(most[d], fabs(difference));
            most[rows] = fmax(most[rows], most[d]);
        }
    size_t common = hs_common_means(differences, rows, shown, part, means);
    for (size_t d = 0; d <= rows; d++) {
        /* Shares are alike on all data sets; numbers are in the unit of each. */
        double full = most[hs_metric_scale(boards->metric) > 1 ? rows : d];
        HS_ROW(grid, d < rows ? r->outcomes.datasets[d].name : "mean");
        for (size_t i = 0, at = 0; i < b->per_metric * columns; i++) {
            if (i % columns == none)
                continue;
            const hs_score *score =
                &boards[i / columns].score[(d < rows ? d : 0) * columns + i % columns];
            double difference = d < rows                    ? differences[d * shown + at]
                                : means[at].count == common ? mean_of(&means[at])
                                                            : (double)NAN;
            hs_cell cell = HS_QUIET;
            if (!isnan(difference))
                cell = (hs_cell){
                    .text = hs_difference(doc, boards->metric, difference),
                    .exact = d < rows ? hs_value_exactly(doc, boards->metric, score->value) : NULL,
                    .spread = d == rows && means[at].count > 1
                                  ? hs_value_text(doc, boards->metric, hs_running_se(&means[at]))
                                  : NULL,
                    .shade = full > 0 ? (lower ? -1 : 1) * difference / full : 0};
            hs_put_cell(grid, cell);
            at++;
        }
    }
    grid->foot = 1;
    grid->note =
        say("Blue is better than %s, orange worse; hovering shows the value itself. The mean "
            "is over the %s that all methods have finished; ± is its standard error.",
            from, hs_plural(doc, common, "data set", "data sets"));
}

static int add_summary(hs_report *r, hsel_error *error)
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
                hs_plural(doc, study->selector_count, "selector", "selectors"),
                hs_plural(doc, study->classifier_count, "classifier", "classifiers"),
                hs_plural(doc, with_results, "data set", "data sets"),
                strcmp(study->scheme, "loo") == 0 ? "leaving one out"
                : strncmp(study->scheme, "file:", 5) == 0
                    ? "cross-validation in given folds"
                    : say("%u-fold cross-validation", study->folds),
                study->repeats > 1 ? say(", done %u times", study->repeats) : "");
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

static int add_head(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const hs_study *study = &r->study;
    size_t pairs = study->selector_count * study->classifier_count, there = 0;
    /* folds of selector, classifier and repeat, and simulations */
    uint64_t wanted = o->simulated.wanted, done = o->simulated.done, failed = o->simulated.failed,
             unfit = 0, older = 0;
    const char *away = "", *before = "", *scheme = study->scheme, *slash = strrchr(scheme, '/');
    time_t moment = (time_t)o->time;
    struct tm parts;
    char time[64] = HS_NOTHING;
    const char *pooled = "";
    bool lacking = false;
    for (size_t d = 0; d < o->dataset_count; d++) {
        there += o->datasets[d].id >= 0;
        if (o->datasets[d].id < 0)
            away = hs_say_more(
                doc, away,
                say("%s (%s)", o->datasets[d].name, o->why[d] ? o->why[d] : "not run yet"));
        if (o->older[d])
            before = hs_say_more(doc, before,
                                 say(o->why[d] ? "%s (%s)" : "%s", o->datasets[d].name, o->why[d]));
        for (size_t i = 0; i < pairs + study->auto_count && !(o->why[d] && o->datasets[d].id < 0);
             i++) {
            const hs_outcome *outcome = i < pairs
                                            ? &o->outcome[d * pairs + i]
                                            : &o->automatic[d * study->auto_count + i - pairs];
            wanted += outcome->folds_wanted - outcome->folds_unfit;
            unfit += outcome->folds_unfit;
            older += outcome->folds_older;
            done += outcome->folds_done;
            failed += outcome->folds_failed;
            lacking |= outcome->evaluation.folds_lack_class;
        }
        if (lacking)
            pooled = hs_say_more(doc, pooled, o->datasets[d].name);
        lacking = false;
    }
    uint64_t open = wanted > done + failed ? wanted - done - failed : 0;
    doc->where = HS_IN_HTML;
    hs_add_heading(doc, 2, "The study");
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_fact(doc, "Study", "%s", study->name);
    if (gmtime_r(&moment, &parts))
        strftime(time, sizeof time, "%Y-%m-%d %H:%M UTC", &parts);
    hs_add_fact(doc, "Last result", "%s", done + failed ? time : "none yet");
    hs_add_fact(doc, "Jobs", "%s of %s finished%s%s%s", hs_grouped(doc, done),
                hs_grouped(doc, wanted), failed ? say(", %s failed", hs_grouped(doc, failed)) : "",
                unfit ? say(", %s left out", hs_grouped(doc, unfit)) : "",
                open ? say(", %s not run yet", hs_grouped(doc, open)) : "");
    hs_add_fact(doc, "Data sets", "%s",
                there == o->dataset_count ? hs_grouped(doc, o->dataset_count)
                                          : say("%zu of %zu", there, o->dataset_count));
    if (pairs) {
        hs_add_fact(doc, "Selectors", "%s", joined(doc, study->selectors, study->selector_count));
        hs_add_fact(doc, "Classifiers", "%s",
                    joined(doc, study->classifiers, study->classifier_count));
        hs_add_fact(
            doc, "Cross-validation", "%s, %s, seed %llu",
            strcmp(scheme, "loo") == 0         ? "leaving one out"
            : strncmp(scheme, "file:", 5) == 0 ? say("folds of %s", slash ? slash + 1 : scheme + 5)
                                               : say("%u folds (%s)", study->folds, scheme),
            hs_plural(doc, study->repeats, "repeat", "repeats"), (unsigned long long)study->seed);
        hs_add_fact(doc, "Means and ranks",
                    "like wins, over the data sets that all methods of a table have finished");
        hs_add_fact(
            doc, "Metrics", "%s%s%s%s",
            study->pooled ? "pooled over all instances" : "means over folds",
            *pooled && !study->pooled
                ? say(" (pooled over all instances where a class is not in every fold: %s)", pooled)
                : "",
            hs_value_unit(r->metrics[0], ", in percent"),
            study->rank_by == HS_RANK_BY_PROBABILITY ? "; AUROC and AUPRC rank by probability"
                                                     : "");
    }
    HS_OWNS(hs_buf_clear) hs_buf apart = {0};
    hs_study_left_out(study, &apart, NULL);
    HS_NEED(!apart.failed);
    if (apart.length)
        hs_add_fact(doc, "Left out", "%s: they do not go together", apart.text);
    hs_add_fact(doc, "Computed by", "hsel %s%s", o->version,
                older ? say(" and, %s of the jobs, by other versions", hs_grouped(doc, older))
                      : "");
    hs_add_fact(doc, "Made by", "hsel %s", hsel_version());
    if (*away)
        hs_add_text(doc, "Data sets without any result: %s.", away);
    if (*before)
        hs_add_text(
            doc,
            "Results on these data sets are older: the last run of the study has not looked "
            "at their data, which may have changed: %s.",
            before);
    if (older)
        hs_add_text(doc, "Values with ‡ were computed by another version of hsel than the last run "
                         "of the study. hsel run --redo-older computes them again.");
    if (o->shared)
        hs_add_text(doc, "%s", o->shared);
    if (done == 0)
        hs_add_text(doc, "No job of this study is finished yet: hsel run does them.");
    else if (done + failed < wanted)
        hs_add_text(doc, "Not everything is finished. Values with † are means over the repeats "
                         "that are; they are left out of best values, means, ranks and tests.");
    if (o->without_scores && study->rank_by == HS_RANK_BY_SCORE)
        hs_add_text(doc,
                    "%s from a store of an older hsel, without scores: AUROC and AUPRC "
                    "rank by probability there, and the class of the highest "
                    "probability is predicted. A run into a new store keeps scores.",
                    hs_plural(doc, o->without_scores, "result is", "results are"));
    /* A row per selector that failed on a data set or does not fit it, perhaps with some
     * classifiers only. */
    enum { SHOWN = 50 };
    size_t selectors = study->selector_count, classifiers = study->classifier_count, row = 0;
    hs_doc_grid *grid = NULL;
    for (size_t pair = 0; pair < o->dataset_count * selectors; pair++) {
        const hs_outcome *outcome = &o->outcome[pair * classifiers];
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
        HS_ROW(grid, o->datasets[pair / selectors].name, study->selectors[pair % selectors].label,
               with, failure ? "failed" : "left out", message ? message : "failed",
               say("%s of %s", hs_grouped(doc, bad), hs_grouped(doc, all)));
    }
    if (o->simulated.message)
        hs_add_text(doc, "Simulations that failed: %s", o->simulated.message);
    if (row > SHOWN)
        grid->note = say("The first %d of %zu.", SHOWN, row);
    hs_doc_grid *sources = NULL;
    for (size_t d = 0; d < o->dataset_count; d++) {
        if (!o->datasets[d].provenance)
            continue;
        if (!sources) {
            doc->where = HS_IN_HTML;
            hs_add_part(doc, HS_PART_FOLD, "Where the data come from");
            sources = hs_add_grid(doc, 2, 2, "Sources and steps of the data sets");
            HS_ROW(sources, "data set", "provenance");
        }
        HS_ROW(sources, o->datasets[d].name, o->datasets[d].provenance);
    }
    if (sources)
        hs_add_part(doc, HS_PART_UNFOLD, NULL);
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    if (o->figures_problem)
        hs_add_text(doc, "The published figures are missing: %s", o->figures_problem);
    return HSEL_OK;
}

/* ---- the tables of results, for each metric and classifier ---- */

static hs_cell score_cell(hs_report *r, hs_metric metric, const hs_score *score)
{
    hs_document *doc = &r->doc;
    hs_cell cell = hs_value_cell(doc, metric, score->value);
    bool published = !isnan(score->published);
    if (isnan(score->value)) {
        if (score->state == HS_OUTCOME_FAILED)
            cell = (hs_cell){.text = "failed", .flags = HS_CELL_BAD};
        if (published)
            cell.aside = hs_value_text(doc, metric, score->published);
        return cell;
    }
    if (!isnan(score->se) || !isnan(score->sd))
        cell.spread = hs_value_text(doc, metric, isnan(score->se) ? score->sd : score->se);
    if (score->state != HS_OUTCOME_OK) {
        cell.text = say("%s†", cell.text);
        cell.flags = HS_CELL_PART;
    }
    if (score->outcome->folds_older)
        cell.text = say("%s‡", cell.text);
    cell.flags |= score->best ? HS_CELL_BEST : 0;
    if (!isnan(score->sd))
        cell.exact =
            say("%s, sd over repeats %s", cell.exact, hs_value_exactly(doc, metric, score->sd));
    if (!isnan(score->se))
        cell.exact = say("%s, standard error over folds %s", cell.exact,
                         hs_value_exactly(doc, metric, score->se));
    if (published) {
        cell.exact =
            say("%s; published %s", cell.exact, hs_value_exactly(doc, metric, score->published));
        cell.aside = say("%s %s", hs_value_text(doc, metric, score->published),
                         hs_difference(doc, metric, score->value - score->published));
    }
    if (score->selector < r->study.selector_count && r->study.selectors[score->selector].best)
        cell.exact = say("%s; %s", cell.exact, r->study.selectors[score->selector].text);
    return cell;
}

/* Compression is the same with every classifier, unless the best of a sweep was chosen with it. */
static bool one_for_all(const hs_report *r, const hs_board *board)
{
    bool best = false;
    for (size_t i = 0; i < r->boards.column_count; i++)
        best |= r->boards.columns[i].best || r->boards.columns[i].classifier != SIZE_MAX;
    return board->metric == HS_METRIC_COMPRESSION && !best;
}

static void add_board(hs_report *r, const hs_board *board)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    size_t rows = r->outcomes.dataset_count, columns = r->boards.column_count, away = 0;
    double best_mean = (double)NAN, best_rank = INFINITY;
    bool printed = false, tuned = false;
    hs_doc_grid *grid = hs_add_grid(
        doc, columns + 1, 1, one_for_all(r, board) ? "%s%.0s%s" : "%s with %s%s",
        hs_metric_title(board->metric), board->with, hs_value_unit(board->metric, ", in percent"));
    HS_ROW(grid, "data set");
    for (size_t i = 0; i < columns; i++) {
        const hs_board_column *column = &r->boards.columns[i];
        hs_put_cell(grid, (hs_cell){.text = heading(doc, column), .exact = column->text});
        tuned |= column->best;
        away += !board->taking_part[i] && (!column->best || r->study.tuned);
        if (board->taking_part[i] && board->complete > 0) {
            if (isnan(best_mean) || hs_metric_better(board->metric, board->mean[i], best_mean))
                best_mean = board->mean[i];
            best_rank = fmin(best_rank, c->mean_rank[board->place[i]]);
        }
    }
    for (size_t d = 0; d < rows; d++) {
        HS_ROW(grid, r->outcomes.datasets[d].name);
        for (size_t i = 0; i < columns; i++) {
            const hs_score *score = &board->score[d * columns + i];
            hs_put_cell(grid, score_cell(r, board->metric, score));
            printed |= !isnan(score->published);
        }
    }
    /* Mean, average rank and wins, under the table. */
    HS_ROW(grid, "mean");
    for (size_t i = 0; i < columns; i++) {
        bool counts = !isnan(board->mean[i]);
        hs_cell cell = counts ? hs_value_cell(doc, board->metric, board->mean[i]) : HS_QUIET;
        cell.flags |=
            board->taking_part[i] && hs_same_score(board->mean[i], best_mean) ? HS_CELL_BEST : 0;
        if (counts && !isnan(board->mean_se[i]))
            cell.spread = hs_value_text(doc, board->metric, board->mean_se[i]);
        hs_put_cell(grid, cell);
    }
    HS_ROW(grid, "average rank");
    for (size_t i = 0; i < columns; i++) {
        double rank =
            board->taking_part[i] && board->complete ? c->mean_rank[board->place[i]] : (double)NAN;
        hs_put_cell(grid,
                    isnan(rank)
                        ? HS_QUIET
                        : (hs_cell){.text = say("%.2f", rank),
                                    .exact = say("%.6f", rank),
                                    .flags = hs_same_score(rank, best_rank) ? HS_CELL_BEST : 0});
    }
    HS_ROW(grid, "wins");
    for (size_t i = 0; i < columns; i++)
        HS_ROW(grid, board->taking_part[i] ? say("%u", c->wins[board->place[i]]) : HS_NOTHING);
    /* What AUPRC is by chance: the share of the positive class; the mean over all classes, if there
     * are more than two. */
    const char *note = "";
    for (size_t d = 0; d < rows && board->metric == HS_METRIC_AUPRC; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        double all = 0;
        for (uint32_t k = 0; data->id >= 0 && k < data->classes; k++)
            all += data->class_sizes[k];
        bool two = data->classes == 2 && data->positive_class < 2;
        if (all > 0)
            note =
                hs_say_more(doc, note,
                            say("%s %s", data->name,
                                hs_percent(doc, two ? data->class_sizes[data->positive_class] / all
                                                    : 1.0 / data->classes)));
    }
    if (*note)
        note = say("By chance: %s. ", note);
    if (board->complete < rows)
        note = say("%sMean, average rank and wins are over the %s that all methods have finished. ",
                   note, hs_plural(doc, board->complete, "data set", "data sets"));
    if (away)
        note = say("%s%s without any finished result %s left out. ", note,
                   hs_plural(doc, away, "method", "methods"), away == 1 ? "is" : "are");
    if (tuned)
        note =
            say("%s(best): of each data set the setting that is best on the test folds, an upper "
                "bound%s. ",
                note,
                r->study.tuned ? "; the study lets it take part in ranks and tests"
                               : ", so it takes no part in best values, ranks, wins and tests");
    if (printed)
        note = say("%sBeside ours, in small print: the published value and our difference from it.",
                   note);
    grid->foot = 3;
    grid->note = *note ? note : NULL;
}

/* The columns of every statistic; those that tell about a control only if there is one. */
static int add_test_table(hs_report *r, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    const hs_stat_column **shown = NULL;
    const hs_statistic *s;
    HS_OWNS(hs_buf_clear) hs_buf note = {0};
    size_t count = 0;
    for (int fill = 0; fill < 2; fill++) { /* first they are counted */
        if (fill)
            HS_NEED(shown = hs_document_space(doc, count, sizeof *shown));
        count = 0;
        for (size_t i = 0; (s = hs_next_statistic(c, &i));)
            for (const hs_stat_column *column = s->columns; column && column->heading; column++)
                if ((column->tables & HS_IN_TESTS) &&
                    (c->against || !(column->tables & HS_OF_CONTROL)) && ++count && fill)
                    shown[count - 1] = column;
    }
    hs_doc_grid *grid = hs_add_grid(doc, count + 1, 1, "Tests of %s with %s",
                                    hs_metric_title(board->metric), board->with);
    HS_ROW(grid, "method");
    for (size_t i = 0; i < count; i++)
        HS_ROW(grid, shown[i]->heading);
    for (size_t row = 0; row < c->request.results.columns; row++) {
        size_t m = c->order[row];
        bool named = false; /* that it is the control */
        HS_ROW(grid, c->request.methods[m]);
        for (size_t i = 0; i < count; i++) {
            bool itself = (shown[i]->tables & HS_OF_CONTROL) && m == c->request.control;
            hs_stat_cell cell = {0};
            if (!itself)
                shown[i]->cell(c, m, c->request.control, &cell);
            hs_put_cell(grid,
                        cell.none
                            ? HS_QUIET
                            : (hs_cell){.text = itself && !named ? "control" : say("%s", cell.text),
                                        .exact = *cell.exact ? say("%s", cell.exact) : NULL,
                                        .flags = cell.bold ? HS_CELL_BEST : 0});
            named |= itself;
        }
    }
    hs_comparison_note(c, &note);
    HS_NEED(!note.failed);
    grid->note = say("%s", note.text);
    return HSEL_OK;
}

/* The tests in words, as a picture and in figures. */
static int add_tests(hs_report *r, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &r->doc;
    HS_OWNS(hs_buf_clear) hs_buf words = {0}, svg = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    hs_comparison_words(&board->comparison, &words);
    HS_NEED(!words.failed);
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_text(doc, "%s", words.text);
    if (!board->comparison.tested)
        return HSEL_OK;
    HS_TRY(hs_writer_open_memory(&svg, &out, error));
    HS_TRY(hs_cd_svg(&board->comparison, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    doc->where = HS_IN_HTML;
    hs_add_picture(
        doc, &(hs_picture){.svg = say("%s", svg.text),
                           .length = svg.length,
                           .alt = "Critical-difference diagram",
                           .caption = say("Average ranks of %s with %s, best on the left. A bar "
                                          "joins methods that Nemenyi's test does not tell apart.",
                                          hs_metric_title(board->metric), board->with)});
    hs_add_part(doc, HS_PART_FOLD, "The tests in figures");
    doc->where = HS_IN_HTML | HS_IN_LATEX;
    HS_TRY(add_test_table(r, board, error));
    doc->where = HS_IN_HTML;
    hs_add_part(doc, HS_PART_UNFOLD, NULL);
    return HSEL_OK;
}

static int add_scores(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t each = r->boards.per_metric;
    for (size_t i = 0; i < r->boards.count; i++) {
        const hs_board *board = &r->boards.boards[i];
        bool alone = each == 1 || one_for_all(r, board);
        if (i % each == 0)
            hs_add_heading(doc, 2, hs_metric_title(board->metric));
        else if (alone)
            continue;
        doc->where = HS_IN_HTML;
        if (i % each == 0)
            hs_add_text(doc, "±: %s; of the mean below, its standard error over data sets.",
                        r->study.pooled || hs_metric_formula(board->metric)->over_folds
                            ? "standard deviation over repeats"
                            : "standard error over folds, mean over repeats");
        if (!alone)
            hs_add_heading(doc, 3, board->with);
        doc->where = 0;
        add_board(r, board);
        if (board->compared)
            HS_TRY(add_tests(r, board, error));
        doc->where = 0;
    }
    return HSEL_OK;
}

/* ---- our values and the published ones, a row per board ---- */

static int add_published(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const hs_figures *figures = &o->figures;
    size_t columns = r->boards.column_count, row = 0;
    hs_doc_grid *grid = NULL;
    (void)error;
    for (size_t i = 0; i < r->boards.count; i++) {
        const hs_board *board = &r->boards.boards[i];
        size_t count = 0, exact = 0, close = 0, worst_cell = 0;
        double sum = 0, worst = 0;
        for (size_t j = 0; j < o->dataset_count * columns; j++) {
            const hs_score *score = &board->score[j];
            double difference = score->value - score->published;
            if (score->state != HS_OUTCOME_OK || isnan(difference))
                continue;
            count++;
            /* as printed, with one decimal of a percentage; within half a point */
            exact += fabs(round(1000 * score->value) - round(1000 * score->published)) < 0.5;
            close += fabs(difference) <= 0.005;
            sum += fabs(difference);
            if (fabs(difference) > fabs(worst)) {
                worst = difference;
                worst_cell = j;
            }
        }
        if (count == 0)
            continue;
        if (row == 0) {
            hs_add_heading(doc, 2, "Published values");
            grid = hs_add_grid(doc, 8, 3, "Our values and those of %s, in points of a percentage",
                               figures->paper ? figures->paper : "the paper");
            HS_ROW(grid, "metric", "with", "furthest apart", "values", "same in print",
                   "within 0.5", "mean |difference|", "largest");
        }
        row++;
        HS_ROW(grid, hs_metric_title(board->metric), board->with,
               worst == 0 ? HS_NOTHING
                          : say("%s, %s", o->datasets[worst_cell / columns].name,
                                r->boards.columns[worst_cell % columns].label),
               say("%zu", count), say("%zu", exact), say("%zu", close),
               say("%.2f", 100 * sum / (double)count),
               hs_difference(doc, HS_METRIC_ACCURACY, worst));
    }
    if (figures->misprints && grid)
        grid->note =
            say("%s known to be misprinted %s left out.",
                hs_plural(doc, figures->misprints, "published figure", "published figures"),
                figures->misprints == 1 ? "is" : "are");
    return HSEL_OK;
}

/* ---- compression (the share of features done without) against the quality of predictions ---- */

/* Accuracy if the report shows it, else the first metric that says something about quality; of
 * numbers R2, which has no unit, if it is there. */
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

/* The metric of a selector on a data set, if it is finished; else NaN. */
static double value_of(const hs_report *r, size_t dataset, size_t selector, size_t classifier,
                       hs_metric metric)
{
    const hs_outcome *outcome = hs_outcome_of(&r->outcomes, dataset, selector, classifier);
    return outcome->state == HS_OUTCOME_OK ? hs_outcome_value(&r->outcomes, outcome, metric)
                                           : (double)NAN;
}

/* The same of a column. */
static double finished_value(const hs_report *r, size_t column, size_t dataset, size_t classifier,
                             hs_metric metric)
{
    hs_outcome_state state;
    size_t s =
        hs_column_pick(&r->outcomes, &r->boards.by_selector[column], dataset, classifier, &state);
    return state == HS_OUTCOME_OK ? value_of(r, dataset, s, classifier, metric) : (double)NAN;
}

/* The names of the data sets, for points. */
static const char **dataset_names(hs_report *r)
{
    const char **names = hs_document_space(&r->doc, r->outcomes.dataset_count, sizeof *names);
    for (size_t d = 0; names && d < r->outcomes.dataset_count; d++)
        names[d] = r->outcomes.datasets[d].name;
    return names;
}

static int add_compression(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    hs_metric metric = quality(r);
    const char *title = hs_metric_title(metric), **names = dataset_names(r);
    size_t columns = r->boards.by_selector_count, classifiers = r->study.classifier_count,
           n = r->outcomes.dataset_count;
    bool best = false; /* of a sweep, chosen with each classifier: then compression differs */
    if (columns == 0 || n == 0)
        return HSEL_OK;
    if (r->study.across_classifiers && columns == 1)
        return HSEL_OK; /* classifiers are compared: it would say the same of each */
    for (size_t c = 0; c < columns; c++)
        best |= r->boards.by_selector[c].best;
    size_t each = best ? classifiers : 1;
    bool shares = hs_metric_scale(metric) > 1;
    size_t harmonic = shares ? classifiers : 0; /* columns */
    hs_add_heading(doc, 2, say("Compression against %s", title));
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
        column_means(r, finished_value, k < each ? k : k - each,
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
    hs_series *series = hs_document_space(doc, 2 * columns, sizeof *series);
    double *points = hs_document_space(doc, 2 * columns * (n + 1), sizeof *points);
    HS_NEED(series && points && names);
    doc->where = HS_IN_HTML;
    for (size_t k = 0; k < classifiers; k++) {
        const char *with = r->study.classifiers[k].label;
        hs_running *mean[2];
        column_means(r, finished_value, k, HS_METRIC_COMPRESSION, &mean[0]);
        column_means(r, finished_value, k, metric, &mean[1]);
        HS_NEED(mean[0] && mean[1]);
        for (size_t c = 0; c < columns; c++) {
            double *x = points + 2 * c * (n + 1), *y = x + n + 1;
            x[0] = mean_of(&mean[0][c]);
            y[0] = mean_of(&mean[1][c]);
            for (size_t d = 0; d < n; d++) {
                x[d + 1] = finished_value(r, c, d, k, HS_METRIC_COMPRESSION);
                y[d + 1] = finished_value(r, c, d, k, metric);
            }
            series[2 * c] = (hs_series){r->boards.by_selector[c].label, HS_DOTS, c, 1, x, y};
            series[2 * c + 1] =
                (hs_series){NULL, HS_DOTS | HS_SMALL, c, n, x + 1, y + 1, .names = names};
        }
        HS_TRY(hs_chart_add(
            &(hs_chart){.name = say("compression-%zu", k + 1),
                        .alt = say("Scatter chart of %s against compression with %s", title, with),
                        .caption =
                            say("%s against compression with %s. Large: the mean of a method over "
                                "data sets; small: one data set. %s and to the right is better.",
                                title, with,
                                hs_metric_formula(metric)->lower_is_better ? "Down" : "Up"),
                        .x = {.label = "compression", .shares = true, .to = 1},
                        .y = {.label = title, .shares = shares},
                        .series = series,
                        .count = 2 * columns,
                        .width = 420,
                        .height = 320},
            r->charts, doc, error));
    }
    return HSEL_OK;
}

/* ---- sweeps: how quality and compression change with the option that was swept ---- */

typedef struct sweep {
    size_t first, count; /* selectors */
    const char *label;
    const hs_option *option; /* the one that changes, if it is only one and a number; else NULL */
    double *x;               /* [count]: its value, or the number of the setting */
} sweep;

/* The value of an option as a text. */
static const char *option_text(hs_document *doc, const hs_option *option, const void *values)
{
    const hs_option table[] = {*option, HS_OPTION_END};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    hs_options_format(table, values, &text); /* "name=value"; nothing: its default */
    const char *value = text.length ? strchr(text.text, '=') : NULL;
    doc->failed |= text.failed;
    return text.length        ? say("%s", value ? value + 1 : text.text)
           : option->fallback ? option->fallback
                              : "";
}

static int find_option(hs_report *r, sweep *s, hsel_error *error)
{
    enum { OPTIONS = 64 }; /* of a method, that are looked at */
    const char **text = hs_document_space(&r->doc, s->count * OPTIONS, sizeof *text);
    const hs_option *found = NULL;
    size_t different = 0, at = 0;
    HS_NEED(text);
    for (size_t i = 0; i < s->count; i++) {
        HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
        HS_TRY(hs_chosen_parse(HS_SELECTOR, r->study.selectors[s->first + i].text, &chosen, error));
        const hs_option *table = chosen.method->options;
        for (size_t o = 0; table && o < OPTIONS && table[o].type != HS_OPT_END; o++)
            text[o * s->count + i] = option_text(&r->doc, &table[o], chosen.options);
        found = table;
    }
    for (size_t o = 0; o < OPTIONS && text[o * s->count]; o++)
        for (size_t i = 1; i < s->count; i++)
            if (strcmp(text[o * s->count + i], text[o * s->count]) != 0) {
                different++;
                at = o;
                break;
            }
    hs_option_type type = different == 1 ? found[at].type : HS_OPT_TEXT;
    if (type == HS_OPT_INT || type == HS_OPT_U32 || type == HS_OPT_U64 || type == HS_OPT_DOUBLE)
        s->option = &found[at];
    for (size_t i = 0; i < s->count; i++) {
        const char *value = text[at * s->count + i];
        if (!s->option || !hs_parse_double(value, strlen(value), &s->x[i]))
            s->x[i] = (double)(i + 1);
    }
    return HSEL_OK;
}

static int add_sweep_chart(hs_report *r, const sweep *s, size_t number, size_t classifier,
                           hs_metric metric, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t datasets = r->outcomes.dataset_count, shown = 0;
    const char *title = hs_metric_title(metric), *option = s->option ? s->option->name : "setting";
    double *values = hs_document_space(doc, (datasets + 2) * s->count, sizeof *values);
    hs_series *series = hs_document_space(doc, datasets + 2, sizeof *series);
    hs_running *means = hs_document_space(doc, 2 * s->count, sizeof *means);
    bool beyond = false;
    HS_NEED(values && series && means);
    for (size_t d = 0; d < datasets; d++) {
        double *y = values + d * s->count;
        /* Means are over the data sets on which the whole sweep is finished, so that the line has
         * no steps of its own. */
        bool whole = true;
        for (size_t i = 0; i < s->count; i++) {
            y[i] = value_of(r, d, s->first + i, classifier, metric);
            whole = whole && !isnan(y[i]);
            beyond = beyond || y[i] < 0 || y[i] > 1; /* as MCC and log-loss may be */
        }
        for (size_t i = 0; i < s->count && whole; i++) {
            hs_running_add(&means[2 * i], y[i]);
            hs_running_add(&means[2 * i + 1],
                           value_of(r, d, s->first + i, classifier, HS_METRIC_COMPRESSION));
        }
        series[shown++] = (hs_series){d ? NULL : say("%s on each data set", title),
                                      HS_LINE | HS_THIN,
                                      SIZE_MAX,
                                      s->count,
                                      s->x,
                                      y,
                                      .name = r->outcomes.datasets[d].name};
    }
    bool shares = hs_metric_scale(metric) > 1; /* else compression has another scale */
    double top = shares && !beyond;
    for (size_t k = 0; k < (shares ? 2 : 1); k++) {
        double *y = values + (datasets + k) * s->count;
        for (size_t i = 0; i < s->count; i++)
            y[i] = mean_of(&means[2 * i + k]);
        series[shown++] = (hs_series){k ? "compression (mean)" : say("%s (mean)", title),
                                      HS_LINE | HS_DOTS | HS_SMALL | (k ? HS_DASHED : 0),
                                      k,
                                      s->count,
                                      s->x,
                                      y};
    }
    return hs_chart_add(
        &(hs_chart){.name = say("sweep-%zu-%zu", number, classifier + 1),
                    .alt =
                        say("Lines: %s%s over %s", title, shares ? " and compression" : "", option),
                    .caption = say("%s with %s: %s%s over %s. Thick: means over "
                                   "data sets; thin: %s on each data set.",
                                   s->label, r->study.classifiers[classifier].label, title,
                                   shares ? " and compression" : "", option, title),
                    .x = {.label = option},
                    .y = {.label = shares ? "share" : title, .shares = shares, .to = top},
                    .series = series,
                    .count = shown,
                    .width = 420,
                    .height = 280},
        r->charts, doc, error);
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
                double value = value_of(r, d, s->first + i, c, metric);
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
            hs_put_cell(grid, (hs_cell){.text = s->option ? say("%s", digits) : setting->label,
                                        .exact = setting->text});
            hs_put_cell(grid, hs_value_cell(doc, metric, most));
            hs_put_cell(grid, hs_percent_cell(
                                  doc, value_of(r, d, s->first + best, c, HS_METRIC_COMPRESSION)));
        }
    }
    grid->note =
        "Of equal values the first setting is shown. The best setting was chosen on the test "
        "results, as in the literature: it says what a good choice could reach, not what a blind "
        "one does.";
}

static int add_sweeps(hs_report *r, hsel_error *error)
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
        HS_TRY(find_option(r, &s, error));
        doc->where = HS_IN_HTML;
        hs_add_heading(doc, 3, s.label);
        for (size_t c = 0; c < study->classifier_count; c++)
            HS_TRY(add_sweep_chart(r, &s, number, c, metric, error));
        doc->where = 0;
        add_best_settings(r, &s, metric);
    }
    return HSEL_OK;
}

/* ---- how alike the rankers of the study are, from the scores that the store keeps ---- */

static int add_rankings(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    size_t n = study->ranker_count, datasets = r->outcomes.dataset_count;
    const char *not_yet = "";
    if (n == 0)
        return HSEL_OK;
    const char **names = hs_document_space(doc, n, sizeof *names);
    HS_OWNS(hs_rankings_clear)
    hs_rankings rankings = {.rankers = names,
                            .ranker_count = n,
                            .kind = study->tau,
                            .data = hs_document_space(doc, datasets + 1, sizeof *rankings.data)};
    HS_NEED(names && rankings.data);
    for (size_t i = 0; i < n; i++)
        names[i] = study->rankers[i].label;
    hs_add_heading(doc, 2, "Agreement of rankers");
    /* What failed is told; what is not ranked yet is left out. */
    for (size_t d = 0; d < datasets; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        size_t features = data->features, count = 0;
        bool all = true;
        if (data->id < 0)
            continue;
        HS_OWNED double *values = HS_NEW_ZERO(double, n *features + 1);
        HS_OWNED const double **scores = HS_NEW(const double *, n);
        HS_OWNED bool *there = HS_NEW(bool, n);
        HS_NEED(values && scores && there);
        for (size_t i = 0; i < n; i++) {
            HS_OWNED char *message = NULL;
            double *own = values + i * features;
            hs_job_state state;
            HS_TRY(hs_store_get_ranking(r->store, data->id, hs_method_key(&study->rankers[i]),
                                        data->features, own, &state, &message, error));
            scores[i] = own;
            there[i] = state == HS_JOB_OK;
            count += there[i];
            all = all && state != HS_JOB_NONE;
            if (message)
                hs_add_text(doc, "%s on %s: %s", names[i], data->name, message);
        }
        if (!all)
            not_yet = hs_say_more(doc, not_yet, data->name);
        if (count < 2)
            continue;
        double *matrix = hs_document_space(doc, n * n, sizeof *matrix);
        HS_NEED(matrix);
        HS_TRY(hs_tau_matrix(scores, n, data->features, rankings.kind, 0, matrix, error));
        for (size_t i = 0; i < n; i++) /* nothing is known of a ranker without scores */
            for (size_t j = 0; j < n && !there[i]; j++)
                matrix[i * n + j] = matrix[j * n + i] = (double)NAN;
        rankings.data[rankings.data_count++] =
            (hs_ranked_data){.name = data->name, .features = data->features, .matrix = matrix};
    }
    if (*not_yet)
        hs_add_text(doc, "Not ranked yet: %s.", not_yet);
    if (rankings.data_count == 0)
        return HSEL_OK;
    HS_TRY(hs_rankings_sum_up(&rankings, HS_RANKINGS_DRAWS, study->seed, 0, error));
    return hs_rankings_show(&rankings, true, doc, error);
}

/* ---- run times: how long one repeat of a cross-validation takes, all folds, learning and applying
 * ---- */

static void put_seconds(hs_doc_grid *grid, double seconds)
{
    hs_put_cell(grid, isnan(seconds)
                          ? HS_QUIET
                          : (hs_cell){.text = hs_milliseconds(grid->doc, seconds),
                                      .exact = hs_say(grid->doc, "%.9g seconds", seconds)});
}

static int add_times(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t rows = r->outcomes.dataset_count, columns = r->boards.by_selector_count,
           classifiers = r->study.classifier_count;
    if (columns == 0 || rows == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Run times");
    hs_doc_grid *grid = hs_add_grid(doc, columns + 1, 1,
                                    "Milliseconds of one repeat: selection on each data set, then "
                                    "what comes after it");
    HS_ROW(grid, "data set");
    for (size_t c = 0; c < columns; c++)
        HS_ROW(grid, r->boards.by_selector[c].label);
    for (size_t d = 0; d < rows; d++) {
        HS_ROW(grid, r->outcomes.datasets[d].name);
        for (size_t c = 0; c < columns; c++)
            put_seconds(grid, seconds_of(r, c, d, SIZE_MAX));
    }
    hs_running *mean = NULL, *select = NULL;
    for (size_t k = 0; k <= classifiers; k++) { /* of selection, then of each classifier */
        HS_ROW(grid, k ? say("then %s", r->study.classifiers[k - 1].label) : "mean");
        column_means(r, seconds_value, k ? k - 1 : SIZE_MAX, HS_METRICS, &mean);
        HS_NEED(mean);
        select = k ? select : mean;
        for (size_t c = 0; c < columns; c++)
            put_seconds(grid, mean_of(&mean[c]));
    }
    grid->foot = 1 + classifiers;
    grid->note = "All folds of one repeat, learning and applying, in milliseconds of one thread; "
                 "of a sweep, the mean over its settings.";
    /* The chart of selection: on a logarithmic axis dots, which need no 0 to start from. */
    hs_series *series = hs_document_space(doc, 2 * columns, sizeof *series);
    double *points = hs_document_space(doc, 2 * columns * (rows + 1), sizeof *points);
    const char **names = dataset_names(r),
               **methods = hs_document_space(doc, columns, sizeof *methods);
    HS_NEED(series && points && names && methods);
    for (size_t c = 0; c < columns; c++) {
        double *x = points + 2 * c * (rows + 1), *y = x + rows + 1;
        methods[c] = r->boards.by_selector[c].label;
        for (size_t d = 0; d <= rows; d++) {
            double seconds = d ? seconds_of(r, c, d - 1, SIZE_MAX) : mean_of(&select[c]);
            x[d] = seconds > 0 ? 1000 * seconds : (double)NAN;
            y[d] = (double)c;
        }
        series[2 * c] = (hs_series){NULL, HS_DOTS, 0, 1, x, y, .names = methods + c};
        series[2 * c + 1] =
            (hs_series){NULL, HS_DOTS | HS_SMALL, 0, rows, x + 1, y + 1, .names = names};
    }
    doc->where = HS_IN_HTML;
    return hs_chart_add(
        &(hs_chart){.name = "times",
                    .alt = "Dots: milliseconds of selection, a line per method",
                    .caption = "Milliseconds that selection takes in one repeat. Large: the mean "
                               "over data sets; small: one data set. The scale is logarithmic.",
                    .x = {.label = "milliseconds of one repeat", .log = true},
                    .y = {.names = methods, .name_count = columns},
                    .series = series,
                    .count = 2 * columns,
                    .width = 640,
                    .height = 26 * (double)columns},
        r->charts, doc, error);
}

/* ---- the data sets: what hsel info says of each, as far as the store keeps it ---- */

/* "yes 208 (positive, 39.3 %), no 321", or "age 20 to 71, mean 45.2, sd 12.1" */
static const char *classes_text(hs_document *doc, const hs_stored_dataset *data)
{
    enum { SHOWN = 8 };
    const char *text = "";
    hs_running all = {0};
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; data->numbers && i < data->instances; i++) {
        hs_running_add(&all, data->numbers[i]);
        low = fmin(low, data->numbers[i]);
        high = fmax(high, data->numbers[i]);
    }
    if (data->numbers)
        return say("%s %.6g to %.6g, mean %.6g, sd %.6g", data->target, low, high, all.mean,
                   hs_running_sd(&all));
    for (uint32_t k = 0; k < data->classes && k < SHOWN; k++)
        text = hs_say_more(doc, text,
                           say("%s %s%s", hs_names_get(&data->class_names, k),
                               hs_grouped(doc, data->class_sizes[k]),
                               data->classes == 2 && k == data->positive_class
                                   ? say(" (positive, %.1f %%)",
                                         100.0 * data->class_sizes[k] /
                                             ((double)data->class_sizes[0] + data->class_sizes[1]))
                                   : ""));
    return data->classes > SHOWN ? say("%s, …", text) : text;
}

/* "CE-BP (drop-roots=true, min-support=3)": how data sets are prepared, but for their files. */
static const char *prepared(hs_document *doc, const hs_study *study)
{
    const char *all = "";
    for (size_t d = 0; d < study->dataset_count; d++) {
        const char *at = study->datasets[d].prepare, *how = "";
        for (size_t length; at && *at; at += length + (at[length] == ',')) {
            length = strcspn(at, ",");
            if (strncmp(at, "hierarchy=", strlen("hierarchy=")) != 0)
                how = hs_say_more(doc, how, hs_say(doc, "%.*s", (int)length, at));
        }
        if (*how)
            all = hs_say_more(doc, all, hs_say(doc, "%s (%s)", study->datasets[d].name, how));
    }
    return all;
}

static int add_data(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const char *how = prepared(doc, &r->study);
    (void)error;
    if (o->dataset_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Data sets");
    hs_doc_grid *grid =
        hs_add_grid(doc, 9, 2, "The data sets as they were used, after preparation");
    HS_ROW(grid, "data set", "class sizes, or target", "instances", "features", "positive %",
           "edges", "depth", "classes", "imbalance");
    for (size_t d = 0; d < o->dataset_count; d++) {
        const hs_stored_dataset *data = &o->datasets[d];
        double all = (double)data->instances * data->features;
        bool hierarchy = data->edges >= 0;
        HS_ROW(grid, data->name);
        for (size_t i = 1; i < 9 && data->id < 0; i++)
            hs_put_cell(grid, HS_QUIET);
        if (data->id < 0)
            continue;
        HS_ROW(grid, classes_text(doc, data), hs_grouped(doc, data->instances),
               hs_grouped(doc, data->features),
               hs_decimal(doc, all > 0 ? 100 * (double)data->positives / all : (double)NAN, 2),
               hierarchy ? hs_grouped(doc, (uint64_t)data->edges) : HS_NOTHING,
               hierarchy ? hs_grouped(doc, (uint64_t)data->depth) : HS_NOTHING,
               data->numbers ? HS_NOTHING : hs_grouped(doc, data->classes),
               hs_decimal(doc, r->boards.imbalance[d], 3));
    }
    grid->note = hs_say(doc,
                        "Positive: share of the values of all features, of numbers those that are "
                        "not 0. Edges and depth are those of the hierarchy. Imbalance is 1 − "
                        "smallest class / largest class.%s%s%s",
                        *how ? " Preparation: " : "", how, *how ? "." : "");
    return HSEL_OK;
}

int hs_report_add_sections(hs_report *report, bool details, hsel_error *error)
{
    int (*const sections[])(hs_report *, hsel_error *) = {add_summary,
                                                          add_head,
                                                          add_scores,
                                                          add_published,
                                                          add_compression,
                                                          add_sweeps,
                                                          add_rankings,
                                                          hs_report_add_automatic,
                                                          hs_report_add_simulations,
                                                          add_times,
                                                          add_data,
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

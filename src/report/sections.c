/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sections of a report, in their order. Each adds to report->doc and leaves the rest alone;
 * what they have in common is in document.h (words and cells) and chart.h (pictures).
 */
#define _GNU_SOURCE /* qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/mem.h"
#include "core/method.h"
#include "report/cd_diagram.h"
#include "report/rankings.h"
#include "report/report.h"

/* The mean of the numbers that are there. */
typedef struct mean {
    double sum;
    size_t count;
} mean;

static void mean_add(mean *m, double value)
{
    if (!isnan(value)) {
        m->sum += value;
        m->count++;
    }
}

static double mean_get(const mean *m) { return m->count ? m->sum / (double)m->count : (double)NAN; }

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

static void add_facts(hs_report *r, uint64_t wanted, uint64_t done, uint64_t failed)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    const hs_study *study = &r->study;
    uint64_t open = wanted > done + failed ? wanted - done - failed : 0;
    time_t moment = (time_t)o->time;
    struct tm parts;
    char text[64];
    bool told =
        gmtime_r(&moment, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts) > 0;
    size_t there = 0;
    for (size_t d = 0; d < o->dataset_count; d++)
        there += o->datasets[d].id >= 0;
    const char *scheme = study->scheme, *slash = strrchr(scheme, '/');
    const char *cut = strcmp(scheme, "loo") == 0 ? "leaving one out"
                      : strncmp(scheme, "file:", 5) == 0
                          ? hs_say(doc, "folds of %s", slash ? slash + 1 : scheme + 5)
                          : hs_say(doc, "%u folds (%s)", study->folds, scheme);
    hs_add_fact(doc, "Study", study->name);
    hs_add_fact(doc, "Last result",
                !(done + failed) ? "none yet"
                : told           ? hs_say(doc, "%s", text)
                                 : HS_NOTHING);
    hs_add_fact(doc, "Jobs",
                hs_say(doc, "%s of %s finished%s%s", hs_grouped(doc, done), hs_grouped(doc, wanted),
                       failed ? hs_say(doc, ", %s failed", hs_grouped(doc, failed)) : "",
                       open ? hs_say(doc, ", %s not run yet", hs_grouped(doc, open)) : ""));
    hs_add_fact(doc, "Data sets",
                there == o->dataset_count ? hs_grouped(doc, o->dataset_count)
                                          : hs_say(doc, "%zu of %zu", there, o->dataset_count));
    hs_add_fact(doc, "Selectors", joined(doc, study->selectors, study->selector_count));
    hs_add_fact(doc, "Classifiers", joined(doc, study->classifiers, study->classifier_count));
    hs_add_fact(doc, "Cross-validation",
                hs_say(doc, "%s, %s, seed %llu", cut,
                       hs_plural(doc, study->repeats, "repeat", "repeats"),
                       (unsigned long long)study->seed));
    hs_add_fact(doc, "Metrics",
                hs_say(doc, "%s, in percent%s",
                       study->pooled ? "pooled over all instances" : "means over folds",
                       study->rank_by == HS_RANK_BY_PROBABILITY
                           ? "; AUROC and AUPRC rank by probability"
                           : ""));
    hs_add_fact(doc, "Made by", hs_say(doc, "hsel %s", hsel_version()));
}

/* A row per selector that failed on a data set, perhaps with some classifiers only. */
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
        uint64_t failed = 0, wanted = 0;
        for (size_t c = 0; c < classifiers; c++) {
            if (outcome[c].state != HS_OUTCOME_FAILED)
                continue;
            with = hs_say_more(doc, with, study->classifiers[c].label);
            failed += outcome[c].folds_failed;
            wanted += outcome[c].folds_wanted;
            message = message ? message : outcome[c].message;
        }
        if (failed == 0 || row++ >= SHOWN)
            continue;
        if (row == 1)
            grid = hs_add_grid(doc, "What failed", 5, 4,
                               HS_HEADS("data set", "selector", "with", "message", "jobs"));
        hs_set(grid, row - 1, 0, r->outcomes.datasets[pair / selectors].name);
        hs_set(grid, row - 1, 1, study->selectors[pair % selectors].label);
        hs_set(grid, row - 1, 2, with);
        hs_set(grid, row - 1, 3, message ? message : "failed");
        hs_setf(grid, row - 1, 4, "%s of %s", hs_grouped(doc, failed), hs_grouped(doc, wanted));
    }
    if (row > SHOWN)
        hs_set_note(grid, 0, hs_say(doc, "The first %d of %zu.", SHOWN, row));
}

static int add_head(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    size_t pairs = r->study.selector_count * r->study.classifier_count;
    uint64_t wanted = 0, done = 0, failed = 0; /* folds of selector, classifier and repeat */
    const char *away = "";
    (void)error;
    for (size_t d = 0; d < o->dataset_count; d++) {
        if (o->datasets[d].id < 0)
            away = hs_say_more(
                doc, away,
                hs_say(doc, "%s%s", o->datasets[d].name, o->missing[d] ? " (not found)" : ""));
        for (size_t i = 0; i < pairs && !(o->missing[d] && o->datasets[d].id < 0); i++) {
            const hs_outcome *outcome = &o->outcome[d * pairs + i];
            wanted += outcome->folds_wanted;
            done += outcome->folds_done;
            failed += outcome->folds_failed;
        }
    }
    doc->title = r->study.title ? r->study.title : r->study.name;
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    add_facts(r, wanted, done, failed);
    if (*away)
        hs_add_text(doc, hs_say(doc, "Data sets without any result: %s.", away));
    if (done == 0)
        hs_add_text(doc, "No job of this study is finished yet: hsel run does them.");
    else if (done + failed < wanted)
        hs_add_text(doc, "Not everything is finished. Values with † are means over the repeats "
                         "that are; they are left out of best values, means, ranks and tests.");
    if (o->without_scores && r->study.rank_by == HS_RANK_BY_SCORE)
        hs_add_text(doc, hs_say(doc,
                                "%s from a store of an older hsel, without scores: AUROC and AUPRC "
                                "rank by probability there, and the class of the highest "
                                "probability is predicted. A run into a new store keeps scores.",
                                hs_plural(doc, o->without_scores, "result is", "results are")));
    add_failures(r);
    if (o->figures_problem)
        hs_add_text(doc, hs_say(doc, "The published figures are missing: %s", o->figures_problem));
    return HSEL_OK;
}

/* ---- the tables of results, for each metric and classifier ---- */

static hs_cell score_cell(hs_report *r, const hs_score *score)
{
    hs_document *doc = &r->doc;
    hs_cell cell = hs_percent_cell(doc, score->value);
    bool there = !isnan(score->value);
    if (score->state == HS_OUTCOME_FAILED && !there)
        cell = (hs_cell){.text = "failed", .flags = HS_CELL_BAD};
    if (there && r->study.errors && !isnan(score->se))
        cell.text = hs_say(doc, "%s ± %s", cell.text, hs_percent(doc, score->se));
    if (there && score->state != HS_OUTCOME_OK) {
        cell.text = hs_say(doc, "%s†", cell.text);
        cell.flags = HS_CELL_PART;
    }
    if (score->best)
        cell.flags |= HS_CELL_BEST;
    if (there && !isnan(score->sd))
        cell.exact =
            hs_say(doc, "%s, sd over repeats %s", cell.exact, hs_percent_exactly(doc, score->sd));
    if (there && !isnan(score->se))
        cell.exact = hs_say(doc, "%s, standard error over folds %s", cell.exact,
                            hs_percent_exactly(doc, score->se));
    if (there && !isnan(score->published))
        cell.exact =
            hs_say(doc, "%s; published %s", cell.exact, hs_percent_exactly(doc, score->published));
    if (there && score->selector < r->study.selector_count &&
        r->study.selectors[score->selector].best)
        cell.exact = hs_say(doc, "%s; %s", cell.exact, r->study.selectors[score->selector].text);
    if (!isnan(score->published))
        cell.aside = there ? hs_say(doc, "%.1f %s", 100 * score->published,
                                    hs_difference(doc, score->value - score->published))
                           : hs_say(doc, "%.1f", 100 * score->published);
    return cell;
}

/* Mean, average rank and wins, under the table. */
static void set_sums(hs_report *r, const hs_board *board, hs_doc_grid *grid)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    size_t row = r->outcomes.dataset_count, columns = r->boards.column_count;
    double best_mean = (double)NAN, best_rank = INFINITY;
    hs_set(grid, row, 0, "mean");
    hs_set(grid, row + 1, 0, "average rank");
    hs_set(grid, row + 2, 0, "wins");
    for (size_t i = 0; i < columns; i++)
        if (board->taking_part[i] && board->complete > 0) {
            if (isnan(best_mean) || hs_metric_better(board->metric, board->mean[i], best_mean))
                best_mean = board->mean[i];
            best_rank = fmin(best_rank, c->mean_rank[board->place[i]]);
        }
    for (size_t i = 0; i < columns; i++) {
        hs_cell average = HS_QUIET, rank = HS_QUIET;
        if (board->taking_part[i] && board->complete > 0) {
            double value = c->mean_rank[board->place[i]];
            average = hs_percent_cell(doc, board->mean[i]);
            average.flags = hs_same_score(board->mean[i], best_mean) ? HS_CELL_BEST : 0;
            rank = (hs_cell){.text = hs_say(doc, "%.2f", value),
                             .exact = hs_say(doc, "%.6f", value),
                             .flags = hs_same_score(value, best_rank) ? HS_CELL_BEST : 0};
        }
        hs_set_cell(grid, row, i + 1, average);
        hs_set_cell(grid, row + 1, i + 1, rank);
        hs_set(grid, row + 2, i + 1,
               board->taking_part[i] ? hs_say(doc, "%u", c->wins[board->place[i]]) : HS_NOTHING);
    }
}

/* What AUPRC is by chance, for every data set: the share of the positive class; the mean over all
 * classes, if there are more than two. */
static const char *chance_note(hs_report *r)
{
    hs_document *doc = &r->doc;
    const char *list = "";
    for (size_t d = 0; d < r->outcomes.dataset_count; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        double all = 0;
        for (uint32_t c = 0; data->id >= 0 && c < data->classes; c++)
            all += data->class_sizes[c];
        if (all == 0)
            continue;
        double share = data->classes == 2 && data->positive_class < 2
                           ? data->class_sizes[data->positive_class] / all
                           : 1.0 / data->classes;
        list = hs_say_more(doc, list, hs_say(doc, "%s %s", data->name, hs_percent(doc, share)));
    }
    return *list ? hs_say(doc, "By chance: %s. ", list) : "";
}

static void add_board(hs_report *r, const hs_board *board)
{
    hs_document *doc = &r->doc;
    size_t rows = r->outcomes.dataset_count, columns = r->boards.column_count, away = 0;
    bool printed = false;
    hs_doc_grid *grid = hs_add_grid(
        doc, hs_say(doc, "%s with %s, in percent", hs_metric_title(board->metric), board->with),
        columns + 1, 1, HS_HEADS("data set"));
    for (size_t c = 0; c < columns; c++) {
        const hs_board_column *column = &r->boards.columns[c];
        hs_set_head(grid, c + 1,
                    column->best ? hs_say(doc, "%s (best)", column->label) : column->label);
        if (grid)
            grid->head[c + 1].exact = column->text;
        away += !board->taking_part[c];
    }
    for (size_t d = 0; d < rows; d++) {
        hs_set(grid, d, 0, r->outcomes.datasets[d].name);
        for (size_t c = 0; c < columns; c++) {
            const hs_score *score = &board->score[d * columns + c];
            hs_set_cell(grid, d, c + 1, score_cell(r, score));
            printed |= !isnan(score->published);
        }
    }
    set_sums(r, board, grid);
    const char *note = board->metric == HS_METRIC_AUPRC ? chance_note(r) : "";
    if (board->complete < rows)
        note = hs_say(
            doc,
            "%sMean and average rank are over the %s in which every method has a finished result. ",
            note, hs_plural(doc, board->complete, "data set", "data sets"));
    if (away)
        note = hs_say(doc, "%s%s without any finished result %s left out. ", note,
                      hs_plural(doc, away, "method", "methods"), away == 1 ? "is" : "are");
    if (printed)
        note = hs_say(
            doc, "%sBeside ours, in small print: the published value and our difference from it.",
            note);
    hs_set_note(grid, 3, *note ? note : NULL);
}

/* The tests in figures: the columns of every statistic. */
static int add_ranking(hs_report *r, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    size_t columns = 1;
    const hs_statistic *s;
    HS_OWNS(hs_buf_clear) hs_buf note = {0};
    hs_doc_grid *grid = NULL;
    for (int fill = 0; fill < 2; fill++) { /* first they are counted */
        bool with_control = false;
        if (fill)
            grid = hs_add_grid(
                doc,
                hs_say(doc, "Tests of %s with %s", hs_metric_title(board->metric), board->with),
                columns, 1, HS_HEADS("method"));
        columns = 1;
        for (size_t i = 0; (s = hs_next_statistic(c, &i));)
            for (const hs_stat_column *column = s->columns; column && column->heading; column++) {
                bool of_control = column->tables & HS_OF_CONTROL;
                if (!(column->tables & HS_IN_TESTS) || (of_control && !c->against))
                    continue;
                hs_set_head(grid, columns, column->heading);
                for (size_t row = 0; fill && row < c->request.results.columns; row++) {
                    size_t m = c->order[row];
                    hs_stat_cell cell = {0};
                    if (!of_control || m != c->request.control)
                        column->cell(c, m, c->request.control, &cell);
                    else if (!with_control)
                        strcpy(cell.text, "control");
                    if (*cell.text)
                        hs_set_cell(grid, row, columns,
                                    cell.none ? HS_QUIET
                                              : (hs_cell){.text = hs_say(doc, "%s", cell.text),
                                                          .exact = *cell.exact ? hs_say(doc, "%s",
                                                                                        cell.exact)
                                                                               : NULL,
                                                          .flags = cell.bold ? HS_CELL_BEST : 0});
                }
                with_control |= of_control;
                columns++;
            }
    }
    for (size_t row = 0; row < c->request.results.columns; row++)
        hs_set(grid, row, 0, c->request.methods[c->order[row]]);
    hs_comparison_note(c, &note);
    HS_NEED(!note.failed);
    hs_set_note(grid, 0, hs_say(doc, "%s", note.text));
    return HSEL_OK;
}

/* The tests in words, as a picture and in figures. */
static int add_tests(hs_report *r, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &r->doc;
    HS_OWNS(hs_buf_clear) hs_buf words = {0}, svg = {0};
    hs_writer *out = NULL;
    hs_comparison_words(&board->comparison, &words);
    HS_NEED(!words.failed);
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_text(doc, hs_say(doc, "%s", words.text));
    if (!board->comparison.tested)
        return HSEL_OK;
    HS_TRY(hs_writer_open_memory(&svg, &out, error));
    int status = hs_cd_svg(&board->comparison, out, error);
    if (status)
        hs_writer_abandon(out);
    HS_TRY(status);
    HS_TRY(hs_writer_commit(out, error));
    char *copy = hs_arena_text(&doc->arena, svg.text, svg.length);
    HS_NEED(copy);
    doc->where = HS_IN_HTML;
    hs_add_picture(doc, &(hs_picture){.svg = copy,
                                      .length = svg.length,
                                      .ours = true,
                                      .alt = "Critical-difference diagram",
                                      .caption = hs_say(
                                          doc,
                                          "Average ranks of %s with %s, best on the left. A bar "
                                          "joins methods that Nemenyi's test does not tell apart.",
                                          hs_metric_title(board->metric), board->with)});
    hs_add_fold(doc, "The tests in figures");
    doc->where = HS_IN_HTML | HS_IN_LATEX;
    HS_TRY(add_ranking(r, board, error));
    doc->where = HS_IN_HTML;
    hs_add_unfold(doc);
    return HSEL_OK;
}

static int add_scores(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t each = r->boards.per_metric;
    for (size_t i = 0; i < r->boards.count; i++) {
        const hs_board *board = &r->boards.boards[i];
        if (i % each == 0)
            hs_add_heading(doc, 2, hs_metric_title(board->metric));
        doc->where = HS_IN_HTML;
        if (each > 1)
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
            grid =
                hs_add_grid(doc,
                            hs_say(doc, "Our values and those of %s, in points of a percentage",
                                   figures->paper ? figures->paper : "the paper"),
                            8, 3,
                            HS_HEADS("metric", "with", "furthest apart", "values", "same in print",
                                     "within 0.5", "mean |difference|", "largest"));
        }
        hs_set(grid, row, 0, hs_metric_title(board->metric));
        hs_set(grid, row, 1, board->with);
        if (worst == 0)
            hs_set(grid, row, 2, HS_NOTHING);
        else
            hs_setf(grid, row, 2, "%s, %s", o->datasets[worst_cell / columns].name,
                    r->boards.columns[worst_cell % columns].label);
        hs_setf(grid, row, 3, "%zu", count);
        hs_setf(grid, row, 4, "%zu", exact);
        hs_setf(grid, row, 5, "%zu", close);
        hs_setf(grid, row, 6, "%.2f", 100 * sum / (double)count);
        hs_set(grid, row++, 7, hs_difference(doc, worst));
    }
    if (figures->misprints)
        hs_set_note(
            grid, 0,
            hs_say(doc, "%s known to be misprinted %s left out.",
                   hs_plural(doc, figures->misprints, "published figure", "published figures"),
                   figures->misprints == 1 ? "is" : "are"));
    return HSEL_OK;
}

/* ---- compression (the share of features done without) against the quality of predictions ---- */

/* Accuracy if the report shows it, else the first metric that says something about quality. */
static hs_metric quality(const hs_report *r)
{
    hs_metric found = HS_METRICS;
    for (size_t i = 0; i < r->metric_count; i++)
        if (r->metrics[i] == HS_METRIC_ACCURACY)
            return HS_METRIC_ACCURACY;
        else if (found == HS_METRICS &&
                 !(hs_metric_formula(r->metrics[i])->needs & HS_OF_SELECTIONS))
            found = r->metrics[i];
    return found == HS_METRICS ? HS_METRIC_ACCURACY : found;
}

/* Of a column on a data set, if it is finished; else NaN. */
static double finished_value(const hs_report *r, size_t column, size_t dataset, size_t classifier,
                             hs_metric metric)
{
    const hs_outcomes *o = &r->outcomes;
    hs_outcome_state state;
    size_t s = hs_column_pick(o, &r->boards.by_selector[column], dataset, classifier, &state);
    return state == HS_OUTCOME_OK
               ? hs_outcome_value(o, hs_outcome_of(o, dataset, s, classifier), metric)
               : (double)NAN;
}

/* Over the data sets on which the method is finished; NaN: none. */
static double mean_of(const hs_report *r, size_t column, size_t classifier, hs_metric metric)
{
    mean m = {0};
    for (size_t d = 0; d < r->outcomes.dataset_count; d++)
        mean_add(&m, finished_value(r, column, d, classifier, metric));
    return mean_get(&m);
}

static void put_pair(hs_writer *out, double x, double y)
{
    hs_chart_number(out, 100 * x);
    hs_writer_char(out, '\t');
    hs_chart_number(out, 100 * y);
    hs_writer_char(out, '\n');
}

static int add_compression_chart(hs_report *r, size_t classifier, hsel_error *error)
{
    hs_document *doc = &r->doc;
    hs_metric metric = quality(r);
    const char *title = hs_metric_title(metric), *with = r->study.classifiers[classifier].label,
               *name = hs_say(doc, "compression-%zu", classifier + 1);
    size_t columns = r->boards.by_selector_count;
    hs_writer *out = NULL;
    HS_TRY(hs_chart_open(&r->charts, name, &out, error));
    if (!out)
        return HSEL_OK;
    for (size_t c = 0; c < columns; c++) { /* name and means, then a line per data set */
        hs_chart_text(out, r->boards.by_selector[c].label);
        hs_writer_char(out, '\n');
        put_pair(out, mean_of(r, c, classifier, HS_METRIC_COMPRESSION),
                 mean_of(r, c, classifier, metric));
        hs_writer_text(out, "\n\n");
        for (size_t d = 0; d < r->outcomes.dataset_count; d++)
            put_pair(out, finished_value(r, c, d, classifier, HS_METRIC_COMPRESSION),
                     finished_value(r, c, d, classifier, metric));
        hs_writer_text(out, "\n\n");
    }
    const char *script = hs_say(doc,
                                "set xlabel 'compression, %%'\nset ylabel '%s, %%'\nset xrange "
                                "[-2:102]\nset offsets 0,0,2,2\n"
                                "set key outside right top Left reverse samplen 1 spacing 1.15\n"
                                "shape(i) = word('7 5 9 11 13 15', int(i) %% 6 + 1) + 0\n"
                                "plot for [i=0:%zu] data index 2*i+1 using 1:2 with points pt "
                                "shape(i) ps 0.45 lc rgb colour(i) notitle, \\\n"
                                "     for [i=0:%zu] data index 2*i using 1:2 with points pt "
                                "shape(i) ps 1.3 lc rgb colour(i) title columnheader(1)\n",
                                title, columns - 1, columns - 1);
    return hs_chart_draw(
        &r->charts, doc, out,
        &(hs_chart){
            .name = name,
            .alt = hs_say(doc, "Scatter chart of %s against compression with %s", title, with),
            .caption = hs_say(doc,
                              "%s against compression with %s. Large: the mean of a method over "
                              "data sets; small: one data set. Up and to the right is better.",
                              title, with),
            .script = script,
            .width = 860,
            .height = 480},
        error);
}

static int add_compression(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    hs_metric metric = quality(r);
    const hs_metric shown[] = {HS_METRIC_COMPRESSION, metric, HS_METRIC_HARMONIC};
    size_t columns = r->boards.by_selector_count;
    if (columns == 0 || r->outcomes.dataset_count == 0)
        return HSEL_OK;
    if (r->study.across_classifiers && columns == 1)
        return HSEL_OK; /* classifiers are compared: it would say the same of each */
    hs_add_heading(doc, 2, hs_say(doc, "Compression against %s", hs_metric_title(metric)));
    for (size_t k = 0; k < r->study.classifier_count; k++) {
        hs_doc_grid *grid = hs_add_grid(
            doc,
            hs_say(doc, "Compression and %s with %s, means over data sets in percent",
                   hs_metric_title(metric), r->study.classifiers[k].label),
            4, 1, HS_HEADS("method", "compression", hs_metric_title(metric), "harmonic mean"));
        for (size_t c = 0; c < columns; c++) {
            hs_set(grid, c, 0, r->boards.by_selector[c].label);
            for (size_t i = 0; i < 3; i++)
                hs_set_cell(grid, c, i + 1, hs_percent_cell(doc, mean_of(r, c, k, shown[i])));
        }
        hs_set_note(grid, 0,
                    "Over the data sets on which the method is finished. The harmonic mean is that "
                    "of compression and accuracy.");
        doc->where = HS_IN_HTML;
        HS_TRY(add_compression_chart(r, k, error));
        doc->where = 0;
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

static int find_option(const hs_study *study, sweep *s, hsel_error *error)
{
    enum { OPTIONS = 64 }; /* of a method, that are looked at */
    HS_OWNS(hs_chosen_clear) hs_chosen first = {0};
    bool differs[OPTIONS] = {0};
    size_t different = 0;
    HS_TRY(hs_chosen_parse(HS_SELECTOR, study->selectors[s->first].text, &first, error));
    const hs_option *table = first.method->options;
    for (size_t i = 1; i < s->count; i++) {
        HS_OWNS(hs_chosen_clear) hs_chosen other = {0};
        HS_TRY(hs_chosen_parse(HS_SELECTOR, study->selectors[s->first + i].text, &other, error));
        for (size_t o = 0; table && o < OPTIONS && table[o].type != HS_OPT_END; o++)
            differs[o] |= is_different(&table[o], first.options, other.options);
    }
    for (size_t o = 0; o < OPTIONS; o++)
        if (differs[o] && different++ == 0)
            s->option = &table[o];
    if (different != 1 || s->option->type == HS_OPT_TEXT || s->option->type == HS_OPT_BOOL ||
        s->option->type == HS_OPT_CHOICE)
        s->option = NULL;
    for (size_t i = 0; i < s->count; i++) {
        HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
        HS_TRY(hs_chosen_parse(HS_SELECTOR, study->selectors[s->first + i].text, &chosen, error));
        s->x[i] = s->option ? option_number(s->option, chosen.options) : (double)(i + 1);
    }
    return HSEL_OK;
}

static double value_of(const hs_report *r, size_t dataset, size_t selector, size_t classifier,
                       hs_metric metric)
{
    const hs_outcome *outcome = hs_outcome_of(&r->outcomes, dataset, selector, classifier);
    return outcome->state == HS_OUTCOME_OK ? hs_outcome_value(&r->outcomes, outcome, metric)
                                           : (double)NAN;
}

static int add_sweep_chart(hs_report *r, const sweep *s, size_t number, size_t classifier,
                           hs_metric metric, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t datasets = r->outcomes.dataset_count;
    const char *title = hs_metric_title(metric), *option = s->option ? s->option->name : "setting",
               *name = hs_say(doc, "sweep-%zu-%zu", number, classifier + 1);
    bool *whole = hs_document_space(doc, datasets, sizeof *whole);
    hs_writer *out = NULL;
    HS_NEED(whole);
    HS_TRY(hs_chart_open(&r->charts, name, &out, error));
    if (!out)
        return HSEL_OK;
    hs_writer_printf(out, "\"setting\"\t\"%s (mean)\"\t\"compression (mean)\"", title);
    for (size_t d = 0; d < datasets; d++) {
        hs_writer_char(out, '\t');
        hs_chart_text(out, r->outcomes.datasets[d].name);
        /* Means are over the data sets on which the whole sweep is finished, so that the line has
         * no steps of its own. */
        whole[d] = true;
        for (size_t i = 0; i < s->count && whole[d]; i++)
            whole[d] = !isnan(value_of(r, d, s->first + i, classifier, metric));
    }
    hs_writer_char(out, '\n');
    for (size_t i = 0; i < s->count; i++) {
        mean means[2] = {0};
        for (size_t d = 0; d < datasets; d++)
            if (whole[d]) {
                mean_add(&means[0], value_of(r, d, s->first + i, classifier, metric));
                mean_add(&means[1],
                         value_of(r, d, s->first + i, classifier, HS_METRIC_COMPRESSION));
            }
        hs_chart_number(out, s->x[i]);
        for (size_t d = 0; d < datasets + 2; d++) {
            hs_writer_char(out, '\t');
            hs_chart_number(out,
                            100 * (d < 2 ? mean_get(&means[d])
                                         : value_of(r, d - 2, s->first + i, classifier, metric)));
        }
        hs_writer_char(out, '\n');
    }
    const char *script =
        hs_say(doc,
               "set xlabel '%s'\nset ylabel '%%'\nset yrange [0:102]\nset key outside top center "
               "horizontal\n"
               "plot for [i=4:%zu] data using 1:i with lines lw 1 lc rgb '#b8c4cc' notitle, \\\n"
               "     data using 1:2 with lines lw 3 lc rgb colour(0) title columnheader(2), \\\n"
               "     data using 1:3 with lines lw 3 dt 2 lc rgb colour(1) title columnheader(3)\n",
               option, datasets + 3);
    return hs_chart_draw(
        &r->charts, doc, out,
        &(hs_chart){.name = name,
                    .alt = hs_say(doc, "Lines: %s and compression over %s", title, option),
                    .caption = hs_say(doc,
                                      "%s with %s: %s and compression over %s. Thick: means over "
                                      "data sets; thin: %s on each data set.",
                                      s->label, r->study.classifiers[classifier].label, title,
                                      option, title),
                    .script = script,
                    .width = 860,
                    .height = 420},
        error);
}

/* The best setting on each data set. */
static void add_best_settings(hs_report *r, const sweep *s, hs_metric metric)
{
    hs_document *doc = &r->doc;
    size_t classifiers = r->study.classifier_count, rows = r->outcomes.dataset_count;
    hs_doc_grid *grid = hs_add_grid(doc,
                                    hs_say(doc, "Best of %s on each data set, by %s, in percent",
                                           s->label, hs_metric_title(metric)),
                                    1 + 3 * classifiers, 1, HS_HEADS("data set"));
    for (size_t d = 0; d < rows; d++)
        hs_set(grid, d, 0, r->outcomes.datasets[d].name);
    for (size_t c = 0; c < classifiers; c++) {
        const char *with = r->study.classifiers[c].label;
        size_t column = 1 + 3 * c;
        hs_set_head(grid, column,
                    hs_say(doc, "%s: %s", with, s->option ? s->option->name : "setting"));
        hs_set_head(grid, column + 1, hs_say(doc, "%s: %s", with, hs_metric_title(metric)));
        hs_set_head(grid, column + 2, hs_say(doc, "%s: compression", with));
        for (size_t d = 0; d < rows; d++) {
            size_t best = SIZE_MAX;
            double most = (double)NAN;
            for (size_t i = s->count; i-- > 0;) {
                double value = value_of(r, d, s->first + i, c, metric);
                if (!isnan(value) && !hs_metric_better(metric, most, value)) { /* or equal */
                    best = i;
                    most = value;
                }
            }
            for (size_t i = 0; i < 3 && best == SIZE_MAX; i++)
                hs_set_cell(grid, d, column + i, HS_QUIET);
            if (best == SIZE_MAX)
                continue;
            const hs_study_method *setting = &r->study.selectors[s->first + best];
            char digits[32];
            if (s->option)
                hs_format_double(s->x[best], digits);
            hs_set_cell(grid, d, column,
                        (hs_cell){.text = s->option ? hs_say(doc, "%s", digits) : setting->label,
                                  .exact = setting->text});
            hs_set_cell(grid, d, column + 1, hs_percent_cell(doc, most));
            hs_set_cell(
                grid, d, column + 2,
                hs_percent_cell(doc, value_of(r, d, s->first + best, c, HS_METRIC_COMPRESSION)));
        }
    }
    hs_set_note(grid, 0,
                "Of equal values the first setting is shown. The best setting was chosen on the "
                "test results, as in the literature: it says what a good choice could reach, not "
                "what a blind one does.");
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
        HS_TRY(find_option(study, &s, error));
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

/* Reads the scores of a data set. What failed is told; what is not ranked yet is left out. */
static int add_ranked(hs_report *r, const hs_stored_dataset *data, hs_rankings *rankings,
                      const char **not_yet, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t n = rankings->ranker_count, count = 0;
    HS_OWNED double *values = HS_NEW_ZERO(double, n * data->features + 1);
    HS_OWNED const double **scores = HS_NEW(const double *, n);
    HS_OWNED bool *there = HS_NEW(bool, n);
    HS_NEED(values && scores && there);
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        HS_OWNED char *message = NULL;
        double *own = values + i * data->features;
        hs_job_state state;
        HS_TRY(hs_store_get_ranking(r->store, data->id, r->study.rankers[i].text, data->features,
                                    own, &state, &message, error));
        scores[i] = own;
        there[i] = state == HS_JOB_OK;
        count += there[i];
        all = all && state != HS_JOB_NONE;
        if (state == HS_JOB_FAILED)
            hs_add_text(doc,
                        hs_say(doc, "%s on %s: %s", rankings->rankers[i], data->name, message));
    }
    if (!all)
        *not_yet = hs_say_more(doc, *not_yet, data->name);
    if (count < 2)
        return HSEL_OK;
    double *matrix = hs_document_space(doc, n * n, sizeof *matrix);
    HS_NEED(matrix);
    HS_TRY(hs_tau_matrix(scores, n, data->features, rankings->kind, 0, matrix, error));
    for (size_t i = 0; i < n; i++) /* nothing is known of a ranker without scores */
        for (size_t j = 0; j < n && !there[i]; j++)
            matrix[i * n + j] = matrix[j * n + i] = (double)NAN;
    rankings->data[rankings->data_count++] =
        (hs_ranked_data){.name = data->name, .features = data->features, .matrix = matrix};
    return HSEL_OK;
}

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
    for (size_t d = 0; d < datasets; d++)
        if (r->outcomes.datasets[d].id >= 0)
            HS_TRY(add_ranked(r, &r->outcomes.datasets[d], &rankings, &not_yet, error));
    if (*not_yet)
        hs_add_text(doc, hs_say(doc, "Not ranked yet: %s.", not_yet));
    if (rankings.data_count == 0)
        return HSEL_OK;
    HS_TRY(hs_rankings_sum_up(&rankings, HS_RANKINGS_DRAWS, study->seed, 0, error));
    HS_TRY(hs_rankings_show(&rankings, &r->charts, doc, error));
    if (rankings.mean) { /* the single matrices are for who looks closer */
        doc->where = HS_IN_HTML;
        hs_add_fold(doc, "The matrix of each data set");
    }
    HS_TRY(hs_rankings_show_each(&rankings, &r->charts, doc, error));
    if (rankings.mean)
        hs_add_unfold(doc);
    return HSEL_OK;
}

/* ---- run times: how long one repeat of a cross-validation takes, all folds, learning and applying
 * ---- */

/* Seconds of a column on a data set, over the settings of a sweep and the classifiers that are
 * finished; NaN: none is. classifier SIZE_MAX: of selection, which is done once for all
 * classifiers, so their readings of it are the same. */
static double seconds_of(const hs_report *r, size_t column, size_t dataset, size_t classifier)
{
    const hs_board_column *shown = &r->boards.by_selector[column];
    mean m = {0};
    for (size_t s = shown->first; s < shown->first + shown->count; s++)
        for (size_t c = 0; c < r->study.classifier_count; c++) {
            const hs_outcome *outcome = hs_outcome_of(&r->outcomes, dataset, s, c);
            if (outcome->repeats > 0 && (classifier == SIZE_MAX || classifier == c))
                mean_add(&m, classifier == SIZE_MAX ? outcome->select_seconds
                                                    : outcome->classify_seconds);
        }
    return mean_get(&m);
}

static double mean_seconds(const hs_report *r, size_t column, size_t classifier)
{
    mean m = {0};
    for (size_t d = 0; d < r->outcomes.dataset_count; d++)
        mean_add(&m, seconds_of(r, column, d, classifier));
    return mean_get(&m);
}

static void set_seconds(hs_document *doc, hs_doc_grid *grid, size_t row, size_t column,
                        double seconds)
{
    hs_set_cell(grid, row, column,
                isnan(seconds) ? HS_QUIET
                               : (hs_cell){.text = hs_milliseconds(doc, seconds),
                                           .exact = hs_say(doc, "%.9g seconds", seconds)});
}

static int add_times_chart(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t columns = r->boards.by_selector_count;
    double least = INFINITY;
    hs_writer *out = NULL;
    for (size_t c = 0; c < columns; c++) {
        double ms = 1000 * mean_seconds(r, c, SIZE_MAX);
        least = ms > 0 && ms < least ? ms : least;
    }
    if (isinf(least))
        return HSEL_OK;
    HS_TRY(hs_chart_open(&r->charts, "times", &out, error));
    if (!out)
        return HSEL_OK;
    for (size_t c = 0; c < columns; c++) {
        double seconds = mean_seconds(r, c, SIZE_MAX);
        if (!(seconds > 0))
            continue;
        hs_chart_text(out, r->boards.by_selector[c].label);
        hs_writer_char(out, '\t');
        hs_chart_number(out, 1000 * seconds);
        hs_writer_printf(out, "\t\"%s\"\n", hs_milliseconds(doc, seconds));
    }
    /* Bars start from a power of ten. */
    double start = pow(10, floor(log10(least)) - (least < 1.5 * pow(10, floor(log10(least)))));
    const char *script =
        hs_say(doc,
               "set logscale x\nset format x '%%g'\nset xlabel 'milliseconds of one repeat'\n"
               "set xrange [%g:*]\nset yrange [*:*] reverse\nset offsets graph 0, graph 0.18, 0.3, "
               "0.3\nset grid noytics xtics\nunset key\nset style fill solid\n"
               "set tics nomirror\nset ytics scale 0\n"
               "plot data using 2:0:(%g):2:($0-0.36):($0+0.36):yticlabels(1) with boxxyerror lc "
               "rgb colour(0), \\\n     data using 2:0:3 with labels left offset 0.6,0 textcolor "
               "rgb '#222222'\n",
               start, start);
    return hs_chart_draw(&r->charts, doc, out,
                         &(hs_chart){.name = "times",
                                     .alt = "Bars: mean milliseconds of selection, a bar a method",
                                     .caption = "Milliseconds that selection takes in one repeat, "
                                                "mean over data sets. The scale is logarithmic.",
                                     .script = script,
                                     .width = 860,
                                     .height = (unsigned)(120 + 32 * columns)},
                         error);
}

static int add_times(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    size_t rows = r->outcomes.dataset_count, columns = r->boards.by_selector_count,
           classifiers = r->study.classifier_count;
    if (columns == 0 || rows == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Run times");
    hs_doc_grid *grid = hs_add_grid(
        doc, "Milliseconds of one repeat: selection on each data set, then what comes after it",
        columns + 1, 1, HS_HEADS("data set"));
    for (size_t c = 0; c < columns; c++) {
        hs_set_head(grid, c + 1, r->boards.by_selector[c].label);
        for (size_t d = 0; d < rows; d++)
            set_seconds(doc, grid, d, c + 1, seconds_of(r, c, d, SIZE_MAX));
        set_seconds(doc, grid, rows, c + 1, mean_seconds(r, c, SIZE_MAX));
        for (size_t k = 0; k < classifiers; k++)
            set_seconds(doc, grid, rows + 1 + k, c + 1, mean_seconds(r, c, k));
    }
    for (size_t d = 0; d < rows; d++)
        hs_set(grid, d, 0, r->outcomes.datasets[d].name);
    hs_set(grid, rows, 0, "mean");
    for (size_t k = 0; k < classifiers; k++)
        hs_setf(grid, rows + 1 + k, 0, "then %s", r->study.classifiers[k].label);
    hs_set_note(grid, 1 + classifiers,
                "All folds of one repeat, learning and applying, in milliseconds of one thread; of "
                "a sweep, the mean over its settings.");
    doc->where = HS_IN_HTML;
    return add_times_chart(r, error);
}

/* ---- the data sets: what hsel info says of each, as far as the store keeps it ---- */

/* "yes 208 (positive, 39.3 %), no 321" */
static const char *classes_text(hs_document *doc, const hs_stored_dataset *data)
{
    enum { SHOWN = 8 };
    const char *text = "";
    for (uint32_t k = 0; k < data->classes && k < SHOWN; k++)
        text = hs_say_more(
            doc, text,
            hs_say(doc, "%s %s%s", hs_names_get(&data->class_names, k),
                   hs_grouped(doc, data->class_sizes[k]),
                   data->classes == 2 && k == data->positive_class
                       ? hs_say(doc, " (positive, %.1f %%)",
                                100.0 * data->class_sizes[k] /
                                    ((double)data->class_sizes[0] + data->class_sizes[1]))
                       : ""));
    return data->classes > SHOWN ? hs_say(doc, "%s, …", text) : text;
}

static int add_data(hs_report *r, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_outcomes *o = &r->outcomes;
    (void)error;
    if (o->dataset_count == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Data sets");
    hs_doc_grid *grid =
        hs_add_grid(doc, "The data sets as they were used, after preparation", 9, 2,
                    HS_HEADS("data set", "class sizes", "instances", "features", "positive %",
                             "edges", "depth", "classes", "imbalance"));
    for (size_t d = 0; d < o->dataset_count; d++) {
        const hs_stored_dataset *data = &o->datasets[d];
        double imbalance = r->boards.imbalance[d], all = (double)data->instances * data->features;
        bool hierarchy = data->edges >= 0;
        hs_set(grid, d, 0, data->name);
        for (size_t i = 1; i < 9 && data->id < 0; i++)
            hs_set_cell(grid, d, i, HS_QUIET);
        if (data->id < 0)
            continue;
        hs_set(grid, d, 1, classes_text(doc, data));
        hs_set(grid, d, 2, hs_grouped(doc, data->instances));
        hs_set(grid, d, 3, hs_grouped(doc, data->features));
        hs_set(grid, d, 4,
               all > 0 ? hs_say(doc, "%.2f", 100 * (double)data->positives / all) : HS_NOTHING);
        hs_set(grid, d, 5, hierarchy ? hs_grouped(doc, (uint64_t)data->edges) : HS_NOTHING);
        hs_set(grid, d, 6, hierarchy ? hs_grouped(doc, (uint64_t)data->depth) : HS_NOTHING);
        hs_set(grid, d, 7, hs_grouped(doc, data->classes));
        hs_set(grid, d, 8, isnan(imbalance) ? HS_NOTHING : hs_say(doc, "%.3f", imbalance));
    }
    hs_set_note(grid, 0,
                "Positive: share of the values of all features. Edges and depth are those of the "
                "hierarchy. Imbalance is 1 − smallest class / largest class.");
    return HSEL_OK;
}

/* ---- which features are selected most often, on each data set by each method ---- */

static int by_count(const void *a, const void *b, void *context)
{
    const uint64_t *count = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (count[x] != count[y])
        return count[x] > count[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static int add_dataset_features(hs_report *r, size_t dataset, hsel_error *error)
{
    enum { TOP = 25 };
    hs_document *doc = &r->doc;
    const hs_study *study = &r->study;
    const hs_stored_dataset *data = &r->outcomes.datasets[dataset];
    size_t columns = r->boards.by_selector_count,
           rows = data->features < TOP ? data->features : TOP;
    HS_OWNED uint64_t *count = HS_NEW(uint64_t, data->features);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, data->features);
    HS_NEED(count && order);
    hs_add_fold(doc, data->name);
    hs_doc_grid *grid = hs_add_grid(
        doc,
        hs_say(doc, "Most often selected features of %s, with the share of test instances",
               data->name),
        columns + 1, columns + 1, HS_HEADS("place"));
    for (size_t row = 0; row < rows; row++)
        hs_setf(grid, row, 0, "%zu", row + 1);
    for (size_t c = 0; c < columns; c++) {
        const hs_board_column *column = &r->boards.by_selector[c];
        hs_outcome_state state;
        uint64_t tested = 0;
        bool selects = false; /* one that selects everything has nothing to show */
        size_t selector = hs_column_pick(&r->outcomes, column, dataset, 0, &state);
        memset(count, 0, data->features * sizeof *count);
        HS_TRY(hs_store_frequencies(r->store, data->id, study->selectors[selector].text,
                                    hs_study_scheme(study), study->folds, study->seed,
                                    study->repeats, count, &tested, error));
        hs_set_head(grid, c + 1, column->label);
        for (uint32_t f = 0; f < data->features; f++) {
            order[f] = f;
            selects |= tested > 0 && count[f] != tested;
        }
        qsort_r(order, data->features, sizeof *order, by_count, count);
        for (size_t row = 0; row < rows; row++) {
            uint64_t times = count[order[row]];
            hs_cell cell = HS_QUIET;
            if (selects && times)
                cell = (hs_cell){
                    .text = hs_names_get(&data->feature_names, order[row]),
                    .aside = hs_say(doc, "%.1f %%", 100 * (double)times / (double)tested),
                    .exact = hs_say(doc, "selected for %llu of %llu test instances",
                                    (unsigned long long)times, (unsigned long long)tested)};
            else if (!selects && tested && row == 0)
                cell.text = "all features";
            hs_set_cell(grid, row, c + 1, cell);
        }
    }
    hs_add_unfold(doc);
    return HSEL_OK;
}

static int add_features(hs_report *r, hsel_error *error)
{
    bool any = false;
    r->doc.where = HS_IN_HTML;
    for (size_t d = 0; d < r->outcomes.dataset_count; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        if (data->id < 0 || data->features == 0 || r->boards.by_selector_count == 0)
            continue;
        if (!any)
            hs_add_heading(&r->doc, 2, "Most often selected features");
        any = true;
        HS_TRY(add_dataset_features(r, d, error));
    }
    return HSEL_OK;
}

int hs_report_add_sections(hs_report *report, bool details, hsel_error *error)
{
    int (*const sections[])(hs_report *, hsel_error *) = {
        add_head,     add_scores, add_published, add_compression, add_sweeps,
        add_rankings, add_times,  add_data,      add_features}; /* the last is a detail */
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] - !details; i++) {
        HS_TRY(sections[i](report, error));
        report->doc.where = 0;
    }
    return hs_document_check(&report->doc, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of results: for each metric and classifier the methods on the data sets, best in bold,
 * with mean, average rank and wins; what the tests say; the critical-difference diagram.
 */
#include <math.h>

#include "report/cd_diagram.h"
#include "report/sections.h"

static const char *value_exactly(hs_report *report, const hs_score *score)
{
    hs_document *doc = &report->doc;
    const char *text = hs_percent_exactly(doc, score->value);
    if (!isnan(score->sd))
        text = hs_say(doc, "%s, sd over repeats %s", text, hs_percent_exactly(doc, score->sd));
    if (!isnan(score->se))
        text = hs_say(doc, "%s, standard error over folds %s", text,
                      hs_percent_exactly(doc, score->se));
    if (!isnan(score->published))
        text = hs_say(doc, "%s; published %s", text, hs_percent_exactly(doc, score->published));
    if (score->selector < report->study.selector_count &&
        report->study.selectors[score->selector].best)
        text = hs_say(doc, "%s; %s", text, report->study.selectors[score->selector].text);
    return text;
}

static hs_cell score_cell(hs_report *report, const hs_score *score)
{
    hs_document *doc = &report->doc;
    hs_cell cell = {.text = hs_percent(doc, score->value)};
    bool there = !isnan(score->value);
    if (there && report->study.errors && !isnan(score->se))
        cell.text = hs_say(doc, "%s ± %s", cell.text, hs_percent(doc, score->se));
    if (score->state == HS_OUTCOME_FAILED && !there)
        cell = (hs_cell){.text = "failed", .flags = HS_CELL_BAD};
    else if (!there)
        cell.flags = HS_CELL_QUIET;
    else if (score->state != HS_OUTCOME_OK)
        cell = (hs_cell){.text = hs_say(doc, "%s†", cell.text), .flags = HS_CELL_PART};
    if (score->best)
        cell.flags |= HS_CELL_BEST;
    if (there)
        cell.exact = value_exactly(report, score);
    if (!isnan(score->published))
        cell.aside = there ? hs_say(doc, "%.1f %s", 100 * score->published,
                                    hs_difference(doc, score->value - score->published))
                           : hs_say(doc, "%.1f", 100 * score->published);
    return cell;
}

/* Mean, average rank and wins, under the table. */
static void set_sums(hs_report *report, const hs_board *board, hs_grid *grid)
{
    hs_document *doc = &report->doc;
    const hs_comparison *c = &board->comparison;
    size_t row = report->outcomes.dataset_count, columns = report->boards.column_count;
    double best_mean = -INFINITY, best_rank = INFINITY;
    hs_set(grid, row, 0, "mean");
    hs_set(grid, row + 1, 0, "average rank");
    hs_set(grid, row + 2, 0, "wins");
    for (size_t i = 0; i < columns; i++) {
        if (!board->taking_part[i] || board->complete == 0)
            continue;
        best_mean = fmax(best_mean, board->mean[i]);
        best_rank = fmin(best_rank, c->mean_rank[board->place[i]]);
    }
    for (size_t i = 0; i < columns; i++) {
        bool in = board->taking_part[i] && board->complete > 0;
        double mean = in ? board->mean[i] : (double)NAN,
               rank = in ? c->mean_rank[board->place[i]] : (double)NAN;
        hs_set_cell(grid, row, i + 1,
                    (hs_cell){.text = hs_percent(doc, mean),
                              .exact = in ? hs_percent_exactly(doc, mean) : NULL,
                              .flags = in ? (hs_same_score(mean, best_mean) ? HS_CELL_BEST : 0)
                                          : HS_CELL_QUIET});
        hs_set_cell(grid, row + 1, i + 1,
                    (hs_cell){.text = in ? hs_say(doc, "%.2f", rank) : HS_NOTHING,
                              .exact = in ? hs_say(doc, "%.6f", rank) : NULL,
                              .flags = in ? (hs_same_score(rank, best_rank) ? HS_CELL_BEST : 0)
                                          : HS_CELL_QUIET});
        hs_set(grid, row + 2, i + 1,
               board->taking_part[i] ? hs_say(doc, "%u", c->wins[board->place[i]]) : HS_NOTHING);
    }
}

/* What AUPRC is by chance, for every data set: the share of the positive class; the mean over all
 * classes, if there are more than two. */
static const char *chance_note(hs_report *report)
{
    hs_document *doc = &report->doc;
    const char *note = "By chance:", *comma = "";
    for (size_t d = 0; d < report->outcomes.dataset_count; d++) {
        const hs_stored_dataset *data = &report->outcomes.datasets[d];
        double all = 0, share = data->classes ? 1.0 / data->classes : (double)NAN;
        for (uint32_t c = 0; data->id >= 0 && c < data->classes; c++)
            all += data->class_sizes[c];
        if (all == 0)
            continue;
        if (data->classes == 2 && data->positive_class < 2)
            share = data->class_sizes[data->positive_class] / all;
        note = hs_say(doc, "%s%s %s %s", note, comma, data->name, hs_percent(doc, share));
        comma = ",";
    }
    return *comma ? hs_say(doc, "%s. ", note) : "";
}

static const char *board_note(hs_report *report, const hs_board *board)
{
    hs_document *doc = &report->doc;
    size_t rows = report->outcomes.dataset_count, columns = report->boards.column_count, away = 0,
           printed = 0;
    const char *note = board->metric == HS_METRIC_AUPRC ? chance_note(report) : "";
    for (size_t i = 0; i < columns; i++)
        away += !board->taking_part[i];
    for (size_t i = 0; i < rows * columns; i++)
        printed += !isnan(board->score[i].published);
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
    return *note ? note : NULL;
}

static void add_board(hs_report *report, const hs_board *board)
{
    hs_document *doc = &report->doc;
    size_t rows = report->outcomes.dataset_count, columns = report->boards.column_count;
    hs_grid *grid = hs_add_grid(
        doc, hs_say(doc, "%s with %s, in percent", hs_metric_title(board->metric), board->with),
        columns + 1, rows + 3, 1);
    hs_set_head(grid, 0, "data set");
    for (size_t c = 0; c < columns; c++) {
        const hs_contender *column = &report->boards.columns[c];
        hs_set_head(grid, c + 1,
                    column->best ? hs_say(doc, "%s (best)", column->label) : column->label);
        if (grid)
            grid->head[c + 1].exact = column->text;
    }
    for (size_t d = 0; d < rows; d++) {
        hs_set(grid, d, 0, report->outcomes.datasets[d].name);
        for (size_t c = 0; c < columns; c++)
            hs_set_cell(grid, d, c + 1, score_cell(report, &board->score[d * columns + c]));
    }
    set_sums(report, board, grid);
    if (grid) {
        grid->foot = 3;
        grid->note = board_note(report, board);
    }
}

/* ---- tests ---- */

static int add_words(hs_report *report, const hs_board *board, hsel_error *error)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&text, &out, error);
    if (status)
        return status;
    hs_comparison_words(&board->comparison, out);
    status = hs_writer_commit(out, error);
    if (status == HSEL_OK)
        hs_add_text(&report->doc, hs_say(&report->doc, "%s", text.text ? text.text : ""));
    hs_buf_clear(&text);
    return status;
}

/* Each method against the control: ranks, Holm, wins, Wilcoxon. */
static void set_against(hs_document *doc, const hs_comparison *c, hs_grid *grid, size_t row,
                        size_t m)
{
    size_t columns = c->request.results.columns, control = c->request.control;
    const hs_against *a = &c->against[m];
    const hs_wilcoxon *w = &c->wilcoxon[control * columns + m];
    uint32_t wins, ties, losses;
    if (m == control) {
        hs_set(grid, row, 3, "control");
        return;
    }
    hs_duel(&c->request.results, control, m, c->request.tolerance, &wins, &ties, &losses);
    hs_set(grid, row, 3, hs_say(doc, "%.3f", a->z));
    hs_set(grid, row, 4, hs_p_value(doc, a->p, false));
    hs_set_cell(grid, row, 5,
                (hs_cell){.text = hs_p_value(doc, a->adjusted, false),
                          .flags = a->rejected ? HS_CELL_BEST : 0});
    hs_set(grid, row, 6, hs_say(doc, "%u/%u/%u", wins, ties, losses));
    hs_set_cell(grid, row, 7,
                (hs_cell){.text = hs_p_value(doc, w->p, false),
                          .exact = w->exact ? "exact" : "normal approximation"});
}

/* Pearson's r of the results with how unequal the classes are. */
static void set_correlation(hs_document *doc, const hs_correlation *one, hs_grid *grid, size_t row,
                            size_t column)
{
    bool known = !isnan(one->r);
    hs_set_cell(grid, row, column,
                (hs_cell){.text = known ? hs_say(doc, "%.3f", one->r) : HS_NOTHING,
                          .exact = known ? hs_say(doc, "%s, %zu data sets",
                                                  hs_p_value(doc, one->p, true), one->n)
                                         : NULL,
                          .flags = known ? 0 : HS_CELL_QUIET});
}

static const char *ranking_note(hs_document *doc, const hs_comparison *c)
{
    const hs_friedman *f = &c->friedman;
    return hs_say(doc,
                  "Friedman χ² = %.3f (%s), Iman-Davenport F = %.3f (%s), %zu data sets; "
                  "Nemenyi's critical "
                  "difference is %.3f at level %g.%s",
                  f->chi2, hs_p_value(doc, f->p_chi2, true), f->f, hs_p_value(doc, f->p_f, true),
                  f->rows, f->critical_difference, c->request.alpha,
                  c->against ? " Bold: differs significantly from the control. Wins, ties and "
                               "losses are the control's."
                             : "");
}

static void add_ranking(hs_report *report, const hs_board *board)
{
    static const char *const heads[] = {"method", "average rank",     "wins",      "z", "p",
                                        "Holm p", "wins/ties/losses", "Wilcoxon p"};
    hs_document *doc = &report->doc;
    const hs_comparison *c = &board->comparison;
    size_t methods = c->request.results.columns, columns = c->against ? 8 : 3;
    hs_grid *grid = hs_add_grid(
        doc, hs_say(doc, "Tests of %s with %s", hs_metric_title(board->metric), board->with),
        columns + 1, methods, 1);
    for (size_t i = 0; i < columns; i++)
        hs_set_head(grid, i, heads[i]);
    hs_set_head(grid, columns, "r with imbalance");
    for (size_t i = 0; i < methods; i++) {
        size_t m = c->order[i];
        hs_set(grid, i, 0, c->request.methods[m]);
        hs_set(grid, i, 1, hs_say(doc, "%.3f", c->mean_rank[m]));
        hs_set(grid, i, 2, hs_say(doc, "%u", c->wins[m]));
        if (c->against)
            set_against(doc, c, grid, i, m);
        set_correlation(doc, &c->correlation[m], grid, i, columns);
    }
    if (grid)
        grid->note = ranking_note(doc, c);
}

static int add_diagram(hs_report *report, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &report->doc;
    hs_buf svg = {0};
    hs_writer *out = NULL;
    int status = hs_writer_open_memory(&svg, &out, error);
    if (status == HSEL_OK)
        status = hs_cd_svg(&board->comparison, out, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    char *copy = status == HSEL_OK ? hs_arena_text(&doc->arena, svg.text, svg.length) : NULL;
    if (status == HSEL_OK && !copy)
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        hs_add_picture(
            doc, &(hs_picture){
                     .svg = copy,
                     .length = svg.length,
                     .ours = true,
                     .alt = "Critical-difference diagram",
                     .caption = hs_say(doc,
                                       "Average ranks of %s with %s, best on the left. A bar joins "
                                       "methods that Nemenyi's test does not tell apart.",
                                       hs_metric_title(board->metric), board->with)});
    hs_buf_clear(&svg);
    return status;
}

static int add_tests(hs_report *report, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &report->doc;
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    int status = add_words(report, board, error);
    doc->where = HS_IN_HTML;
    if (status == HSEL_OK && board->comparison.tested) {
        status = add_diagram(report, board, error);
        hs_add_fold(doc, "The tests in figures");
        doc->where = HS_IN_HTML | HS_IN_LATEX;
        add_ranking(report, board);
        doc->where = HS_IN_HTML;
        hs_add_unfold(doc);
    }
    doc->where = 0;
    return status;
}

int hs_section_scores(hs_report *report, hsel_error *error)
{
    hs_document *doc = &report->doc;
    size_t each = report->boards.per_metric;
    int status = HSEL_OK;
    for (size_t i = 0; i < report->boards.count && status == HSEL_OK; i++) {
        const hs_board *board = &report->boards.boards[i];
        if (i % each == 0)
            hs_add_heading(doc, 2, hs_metric_title(board->metric));
        if (each > 1) {
            doc->where = HS_IN_HTML;
            hs_add_heading(doc, 3, board->with);
            doc->where = 0;
        }
        add_board(report, board);
        if (board->compared)
            status = add_tests(report, board, error);
    }
    return status ? status : hs_document_check(doc, error);
}

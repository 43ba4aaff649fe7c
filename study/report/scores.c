/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of results for each metric and classifier, with what the tests say of them, and our
 * values beside the published ones.
 */
#include "study/report/report.h"

/* ---- the tables of results, for each metric and classifier ---- */

/* A tooltip with one more value, if it is known. */
static const char *also(hs_document *doc, hs_metric metric, const char *before, const char *what,
                        double value)
{
    return isnan(value)
               ? before
               : hs_say(doc, "%s%s %s", before, what, hs_value_exactly(doc, metric, value));
}

static hs_cell score_cell(hs_report *r, hs_metric metric, const hs_score *score)
{
    hs_document *doc = &r->doc;
    hs_cell cell = hs_value_cell(doc, metric, score->value);
    const char *published =
        isnan(score->published) ? NULL : hs_value_text(doc, metric, score->published);
    if (isnan(score->value)) {
        if (score->state == HS_OUTCOME_FAILED)
            cell = (hs_cell){.text = "failed", .flags = HS_CELL_BAD};
        cell.aside = published;
        return cell;
    }
    if (!isnan(score->se) || !isnan(score->sd))
        cell.spread = hs_value_text(doc, metric, isnan(score->se) ? score->sd : score->se);
    cell.text = hs_say(doc, "%s%s%s", cell.text, score->state == HS_OUTCOME_OK ? "" : "†",
                       score->outcome->folds_older ? "‡" : "");
    cell.flags =
        (score->state == HS_OUTCOME_OK ? 0 : HS_CELL_PART) | (score->best ? HS_CELL_BEST : 0);
    cell.exact = also(doc, metric, cell.exact, ", sd over repeats", score->sd);
    cell.exact = also(doc, metric, cell.exact, ", standard error over folds", score->se);
    cell.exact = also(doc, metric, cell.exact, "; published", score->published);
    if (published)
        cell.aside = hs_say(doc, "%s %s", published,
                            hs_difference(doc, metric, score->value - score->published));
    if (score->selector < r->study.selector_count && r->study.selectors[score->selector].best)
        cell.exact = hs_say(doc, "%s; %s", cell.exact, r->study.selectors[score->selector].text);
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
        hs_put_cell(grid, (hs_cell){.text = hs_column_heading(doc, column), .exact = column->text});
        tuned |= column->best;
        away += !board->taking_part[i] && (!column->best || r->study.tuned);
        if (board->taking_part[i] && board->complete > 0) {
            if (isnan(best_mean) || hs_metric_better(board->metric, board->mean[i], best_mean))
                best_mean = board->mean[i];
            best_rank = fmin(best_rank, c->ranks.mean[board->place[i]]);
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
        hs_cell cell = hs_value_cell(doc, board->metric, board->mean[i]);
        if (board->taking_part[i] && hs_same_score(board->mean[i], best_mean))
            cell.flags |= HS_CELL_BEST;
        if (!isnan(board->mean_se[i]))
            cell.spread = hs_value_text(doc, board->metric, board->mean_se[i]);
        hs_put_cell(grid, cell);
    }
    HS_ROW(grid, "average rank");
    for (size_t i = 0; i < columns; i++) {
        double rank =
            board->taking_part[i] && board->complete ? c->ranks.mean[board->place[i]] : (double)NAN;
        hs_cell cell = {.text = hs_say(doc, "%.2f", rank),
                        .exact = hs_say(doc, "%.6f", rank),
                        .flags = hs_same_score(rank, best_rank) ? HS_CELL_BEST : 0};
        hs_put_cell(grid, isnan(rank) ? HS_QUIET : cell);
    }
    HS_ROW(grid, "wins");
    for (size_t i = 0; i < columns; i++)
        HS_ROW(grid,
               board->taking_part[i] ? hs_say(doc, "%u", c->wins[board->place[i]]) : HS_NOTHING);
    /* AUPRC by chance is the share of the positive class, or with more than two classes the mean
     * over all. */
    const char *note = "";
    for (size_t d = 0; d < rows && board->metric == HS_METRIC_AUPRC; d++) {
        const hs_stored_dataset *data = &r->outcomes.datasets[d];
        double all = 0;
        for (uint32_t k = 0; data->id >= 0 && k < data->classes; k++)
            all += data->class_sizes[k];
        bool two = data->classes == 2 && data->positive_class < 2;
        if (all > 0)
            note = hs_say_more(
                doc, note,
                hs_say(doc, "%s %s", data->name,
                       hs_percent(doc, two ? data->class_sizes[data->positive_class] / all
                                           : 1.0 / data->classes)));
    }
    if (*note)
        note = hs_say(doc, "By chance: %s. ", note);
    if (board->complete < rows)
        note = hs_say(
            doc, "%sMean, average rank and wins are over the %s that all methods have finished. ",
            note, hs_plural(doc, board->complete, "data set"));
    if (away)
        note = hs_say(doc, "%s%s without any finished result %s left out. ", note,
                      hs_plural(doc, away, "method"), away == 1 ? "is" : "are");
    if (tuned)
        note =
            hs_say(doc,
                   "%s(best): for each data set the setting that is best on the test folds, which "
                   "is an upper bound%s. ",
                   note,
                   r->study.tuned ? "; the study includes it in ranks and tests"
                                  : ", so it is excluded from best values, ranks, wins and tests");
    if (printed)
        note =
            hs_say(doc, "%sIn small print: the published value and our difference from it.", note);
    grid->foot = 3;
    grid->note = *note ? note : NULL;
}

/* The tests in words, as a picture and in figures. */
static int add_tests(hs_report *r, const hs_board *board, hsel_error *error)
{
    hs_document *doc = &r->doc;
    const hs_comparison *c = &board->comparison;
    const char *metric = hs_metric_title(board->metric);
    HS_OWNS(hs_buf_clear) hs_buf words = {0}, svg = {0}, note = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    hs_comparison_words(c, &words);
    hs_comparison_note(c, &note);
    HS_NEED(!words.failed && !note.failed);
    doc->where = HS_IN_HTML | HS_IN_TEXT;
    hs_add_text(doc, "%s", words.text);
    if (!c->tested)
        return HSEL_OK;
    HS_TRY(hs_writer_open_memory(&svg, &out, error));
    HS_TRY(hs_cd_svg(c, out, error));
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    doc->where = HS_IN_HTML;
    hs_add_picture(doc, "Critical-difference diagram",
                   hs_say(doc,
                          "Average ranks of %s with %s, best on the left. A bar joins methods that "
                          "do not differ significantly by Nemenyi's test.",
                          metric, board->with),
                   &svg);
    hs_add_part(doc, HS_PART_FOLD, "The tests in figures");
    doc->where = HS_IN_HTML | HS_IN_LATEX;
    hs_doc_grid *grid = hs_add_grid(doc, hs_comparison_columns(c, HS_IN_TESTS), 1,
                                    "Tests of %s with %s", metric, board->with);
    hs_comparison_rows(c, HS_IN_TESTS, grid);
    grid->note = hs_say(doc, "%s", note.text);
    doc->where = HS_IN_HTML;
    hs_add_part(doc, HS_PART_UNFOLD, NULL);
    return HSEL_OK;
}

int hs_report_add_scores(hs_report *r, hsel_error *error)
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

int hs_report_add_published(hs_report *r, hsel_error *error)
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
                          : hs_say(doc, "%s, %s", o->datasets[worst_cell / columns].name,
                                   r->boards.columns[worst_cell % columns].label),
               hs_say(doc, "%zu", count), hs_say(doc, "%zu", exact), hs_say(doc, "%zu", close),
               hs_say(doc, "%.2f", 100 * sum / (double)count),
               hs_difference(doc, HS_METRIC_ACCURACY, worst));
    }
    if (figures->misprints && grid)
        grid->note = hs_say(doc, "%s known to be misprinted %s left out.",
                            hs_plural(doc, figures->misprints, "published figure"),
                            figures->misprints == 1 ? "is" : "are");
    return HSEL_OK;
}

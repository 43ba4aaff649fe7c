/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How our values compare with the published ones, board by board.
 */
#include <math.h>

#include "report/sections.h"

typedef struct agreement {
    size_t count, exact, close; /* equal as printed; within half a point */
    double sum, worst;
    size_t worst_cell;
} agreement;

/* Equal as printed: both rounded to one decimal of a percentage. */
static bool is_same_in_print(double a, double b)
{
    return fabs(round(1000 * a) - round(1000 * b)) < 0.5;
}

static agreement agree(const hs_outcomes *o, const hs_boards *boards, const hs_board *board)
{
    agreement a = {0};
    for (size_t i = 0; i < o->dataset_count * boards->column_count; i++) {
        const hs_score *score = &board->score[i];
        double difference = score->value - score->published;
        if (score->state != HS_OUTCOME_OK || isnan(difference))
            continue;
        a.count++;
        a.exact += is_same_in_print(score->value, score->published);
        a.close += fabs(difference) <= 0.005;
        a.sum += fabs(difference);
        if (fabs(difference) > fabs(a.worst)) {
            a.worst = difference;
            a.worst_cell = i;
        }
    }
    return a;
}

static void set_agreement(hs_report *report, hs_grid *grid, size_t row, const hs_board *board,
                          const agreement *a)
{
    hs_document *doc = &report->doc;
    size_t columns = report->boards.column_count;
    hs_set(grid, row, 0, hs_metric_title(board->metric));
    hs_set(grid, row, 1, board->with);
    hs_set(grid, row, 3, hs_say(doc, "%zu", a->count));
    hs_set(grid, row, 4, hs_say(doc, "%zu", a->exact));
    hs_set(grid, row, 5, hs_say(doc, "%zu", a->close));
    hs_set(grid, row, 6, hs_say(doc, "%.2f", 100 * a->sum / (double)a->count));
    hs_set(grid, row, 7, hs_difference(doc, a->worst));
    hs_set(grid, row, 2,
           a->worst == 0
               ? HS_NOTHING
               : hs_say(doc, "%s, %s", report->outcomes.datasets[a->worst_cell / columns].name,
                        report->boards.columns[a->worst_cell % columns].label));
}

int hs_section_published(hs_report *report, hsel_error *error)
{
    static const char *const heads[] = {
        "metric",        "with",       "furthest apart",    "values",
        "same in print", "within 0.5", "mean |difference|", "largest"};
    hs_document *doc = &report->doc;
    const hs_outcomes *o = &report->outcomes;
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < report->boards.count; i++)
        rows += agree(o, &report->boards, &report->boards.boards[i]).count > 0;
    if (rows == 0)
        return HSEL_OK;
    hs_add_heading(doc, 2, "Published values");
    hs_grid *grid = hs_add_grid(doc,
                                hs_say(doc, "Our values and those of %s, in points of a percentage",
                                       o->figures.paper ? o->figures.paper : "the paper"),
                                8, rows, 3);
    for (size_t i = 0; i < 8; i++)
        hs_set_head(grid, i, heads[i]);
    for (size_t i = 0; i < report->boards.count; i++) {
        agreement a = agree(o, &report->boards, &report->boards.boards[i]);
        if (a.count)
            set_agreement(report, grid, row++, &report->boards.boards[i], &a);
    }
    if (grid && o->figures.misprints)
        grid->note =
            hs_say(doc, "%s known to be misprinted %s left out.",
                   hs_plural(doc, o->figures.misprints, "published figure", "published figures"),
                   o->figures.misprints == 1 ? "is" : "are");
    return hs_document_check(doc, error);
}

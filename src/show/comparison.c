/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables, words and JSON of a comparison, assembled from the parts of each statistic
 * (stats/statistics.h). study/report/cd_diagram.c draws it.
 */
#include "show/comparison.h"

#include "show/document.h"

#define LINE_WIDTH 100

/* A row of a table for one statistic (NULL: all): the headings, or the cells of method a (against
 * b). Returns the number of cells; `grid` NULL only counts them. */
static size_t put_row(const hs_comparison *c, const hs_statistic *only, unsigned which, size_t a,
                      size_t b, bool headings, hs_doc_grid *grid)
{
    const hs_statistic *s;
    size_t count = 0;
    bool named = false; /* that it is the control */
    for (size_t i = 0; (s = hs_next_statistic(c, &i));)
        for (const hs_stat_column *column = s->columns;
             (!only || only == s) && column && column->heading; column++) {
            hs_stat_cell cell = {0};
            bool of_control = which != HS_IN_OWN && column->tables & HS_OF_CONTROL,
                 itself = of_control && a == c->request.control;
            const char *nothing = which != HS_IN_TESTS ? HS_NOTHING
                                  : itself && !named   ? "control"
                                                       : "";
            if (!(column->tables & which) || (of_control && !c->against))
                continue;
            count++;
            if (!grid)
                continue;
            if (headings) {
                HS_ROW(grid, column->heading);
                continue;
            }
            if (!itself)
                column->cell(c, a, b, &cell);
            hs_put_cell(grid,
                        (hs_cell){.text = *cell.text ? hs_say(grid->doc, "%s", cell.text) : nothing,
                                  .exact = *cell.exact ? hs_say(grid->doc, "%s", cell.exact) : NULL,
                                  .flags = (cell.none ? HS_CELL_QUIET : 0) |
                                           (cell.bold ? HS_CELL_BEST : 0)});
            named |= itself;
        }
    return count;
}

size_t hs_comparison_columns(const hs_comparison *c, unsigned which)
{
    return 1 + put_row(c, NULL, which, 0, 0, true, NULL);
}

void hs_comparison_rows(const hs_comparison *c, unsigned which, hs_doc_grid *grid)
{
    HS_ROW(grid, "method");
    put_row(c, NULL, which, 0, 0, true, grid);
    for (size_t i = 0; i < c->request.results.columns; i++) {
        size_t m = c->order[i];
        bool control = which == HS_IN_METHODS && m == c->request.control;
        hs_putf(grid, "%s%s", c->request.methods[m], control ? " (control)" : "");
        put_row(c, NULL, which, m, c->request.control, false, grid);
    }
}

static int print_own(const hs_comparison *c, const hs_statistic *s, hs_document *doc,
                     hs_writer *out, hsel_error *error)
{
    size_t methods = c->request.results.columns, own = put_row(c, s, HS_IN_OWN, 0, 0, true, NULL);
    bool pairs = s->rows == HS_ROW_PER_PAIR;
    hs_doc_grid grid = {.doc = doc, .columns = own + (pairs ? 2 : 1), .left = pairs ? 2 : 1};
    if (!own || (pairs && methods < 2))
        return HSEL_OK;
    HS_ROW(&grid, "method");
    if (pairs)
        HS_ROW(&grid, "against");
    put_row(c, s, HS_IN_OWN, 0, 0, true, &grid);
    for (size_t i = 0; i < methods && !pairs; i++) {
        HS_ROW(&grid, c->request.methods[c->order[i]]);
        put_row(c, s, HS_IN_OWN, c->order[i], c->order[i], false, &grid);
    }
    /* In each pair the better-ranked method comes first, or the control if there is one.
     */
    size_t first = c->request.control < methods ? c->request.control : c->order[0];
    for (size_t i = 0; i < methods + 1 && pairs; i++) {
        size_t a = i ? c->order[i - 1] : first;
        for (size_t j = i; j < methods && (i == 0 || (c->request.all_pairs && a != first)); j++) {
            size_t b = c->order[j];
            if (b == first)
                continue;
            HS_ROW(&grid, c->request.methods[a], c->request.methods[b]);
            put_row(c, s, HS_IN_OWN, a, b, false, &grid);
        }
    }
    if (!s->lines)
        hs_writer_char(out, '\n');
    return hs_grid_print(&grid, out, error);
}

int hs_comparison_print(const hs_comparison *c, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hs_doc_grid grid = {.doc = &doc, .columns = hs_comparison_columns(c, HS_IN_METHODS), .left = 1};
    const hs_statistic *s;
    hs_writer_for_people(out);
    hs_comparison_rows(c, HS_IN_METHODS, &grid);
    HS_TRY(hs_grid_print(&grid, out, error));
    for (size_t j = 0; (s = hs_next_statistic(c, &j));) {
        words.length = 0;
        if (s->lines) {
            s->lines(c, &words);
            HS_NEED(!words.failed);
            hs_writer_put(out, words.text, words.length);
        }
        HS_TRY(print_own(c, s, &doc, out, error));
    }
    words.length = 0;
    hs_comparison_words(c, &words);
    HS_NEED(!words.failed);
    hs_writer_char(out, '\n');
    hs_put_wrapped(out, words.text, LINE_WIDTH, 0);
    return HSEL_OK;
}

/* Everything that was computed, methods in order of mean rank. */
int hs_comparison_json(const hs_comparison *c, hs_json *json, hsel_error *error)
{
    const hs_comparison_request *request = &c->request;
    size_t columns = request->results.columns;
    const hs_statistic *s;
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hs_comparison_words(c, &words);
    HS_NEED(!words.failed);
    hs_json_put(json, "{datasets:[");
    for (size_t r = 0; r < request->results.rows; r++)
        hs_json_text(json, request->datasets[r]);
    hs_json_put(json,
                "] complete_datasets:%zu lower_is_better:%d control:%s alpha:%g tolerance:%g "
                "one_sided:%d keep_zeros:%d covariate:%s methods:[",
                c->ranks.complete, request->results.lower_is_better,
                request->control < columns ? request->methods[request->control] : NULL,
                request->alpha, request->tolerance, request->one_sided, request->keep_zeros,
                request->covariate ? request->covariate_name : NULL);
    for (size_t i = 0; i < columns; i++) {
        hs_json_put(json, "{method:%s", request->methods[c->order[i]]);
        for (size_t j = 0; (s = hs_next_statistic(c, &j));)
            if (s->put_method)
                s->put_method(c, c->order[i], json);
        hs_json_end_object(json);
    }
    hs_json_put(json, "] tested:%d", c->tested);
    for (size_t j = 0; (s = hs_next_statistic(c, &j));)
        if (s->put)
            s->put(c, json);
    hs_json_put(json, "words:%s}", words.text);
    return HSEL_OK;
}

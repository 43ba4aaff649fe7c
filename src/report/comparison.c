/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables, words and JSON of a comparison, put together of what each statistic says
 * (stats/statistics.h). Drawing it is in cd_diagram.c.
 */
#include "report/comparison.h"

#include "core/mem.h"
#include "report/text_table.h"

#define LINE_WIDTH 100

/* The columns of a statistic in one of the tables: their headings, or, with method a (against b),
 * their cells. */
static void add_cells(const hs_comparison *c, const hs_statistic *s, unsigned which, size_t a,
                      size_t b, bool headings, hs_text_table *table)
{
    for (const hs_stat_column *column = s->columns; column && column->heading; column++) {
        hs_stat_cell cell = {0};
        bool of_control = which != HS_IN_OWN && column->tables & HS_OF_CONTROL;
        if (!(column->tables & which) || (of_control && !c->against))
            continue;
        table->columns += headings;
        if (!headings && !(of_control && a == c->request.control))
            column->cell(c, a, b, &cell);
        hs_table_cell(table, "%s", headings ? column->heading : *cell.text ? cell.text : "–");
    }
}

static int print_own(const hs_comparison *c, const hs_statistic *s, hs_arena *arena, hs_writer *out,
                     hsel_error *error)
{
    size_t columns = c->request.results.columns;
    bool pairs = s->rows == HS_ROW_PER_PAIR;
    hs_text_table table = {.arena = arena, .columns = pairs ? 2 : 1};
    hs_table_cell(&table, "method");
    if (pairs)
        hs_table_cell(&table, "against");
    add_cells(c, s, HS_IN_OWN, 0, 0, true, &table);
    if (table.cells == (pairs ? 2 : 1) || (pairs && columns < 2))
        return HSEL_OK;
    for (size_t i = 0; i < columns && !pairs; i++) {
        hs_table_cell(&table, "%s", c->request.methods[c->order[i]]);
        add_cells(c, s, HS_IN_OWN, c->order[i], c->order[i], false, &table);
    }
    /* Of each pair the one that ranks better stands first, but for the control, which always does.
     */
    size_t first = c->request.control < columns ? c->request.control : c->order[0];
    for (size_t i = 0; i < columns + 1 && pairs; i++) {
        size_t a = i ? c->order[i - 1] : first;
        for (size_t j = i; j < columns && (i == 0 || (c->request.all_pairs && a != first)); j++) {
            size_t b = c->order[j];
            if (b == first)
                continue;
            hs_table_cell(&table, "%s", c->request.methods[a]);
            hs_table_cell(&table, "%s", c->request.methods[b]);
            add_cells(c, s, HS_IN_OWN, a, b, false, &table);
        }
    }
    if (!s->lines)
        hs_writer_char(out, '\n');
    return hs_table_print(&table, pairs ? 2 : 1, out, error);
}

int hs_comparison_print(const hs_comparison *c, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNS(hs_buf_clear) hs_buf words = {0};
    hs_text_table table = {.arena = &arena, .columns = 1};
    const hs_statistic *s;
    hs_writer_for_people(out);
    hs_table_cell(&table, "method");
    for (size_t j = 0; (s = hs_next_statistic(c, &j));)
        add_cells(c, s, HS_IN_METHODS, 0, 0, true, &table);
    for (size_t i = 0; i < c->request.results.columns; i++) {
        size_t m = c->order[i];
        hs_table_cell(&table, "%s%s", c->request.methods[m],
                      m == c->request.control ? " (control)" : "");
        for (size_t j = 0; (s = hs_next_statistic(c, &j));)
            add_cells(c, s, HS_IN_METHODS, m, c->request.control, false, &table);
    }
    HS_TRY(hs_table_print(&table, 1, out, error));
    for (size_t j = 0; (s = hs_next_statistic(c, &j));) {
        words.length = 0;
        if (s->lines) {
            s->lines(c, &words);
            HS_NEED(!words.failed);
            hs_writer_put(out, words.text, words.length);
        }
        HS_TRY(print_own(c, s, &arena, out, error));
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
    hs_json_object(json);
    HS_JSON_ARRAY(json, "datasets");
    for (size_t r = 0; r < request->results.rows; r++)
        hs_json_text(json, request->datasets[r]);
    hs_json_end_array(json);
    HS_JSON(json, "complete_datasets", c->complete_rows);
    HS_JSON(json, "lower_is_better", request->results.lower_is_better);
    HS_JSON(json, "control",
            request->control < columns ? request->methods[request->control] : (const char *)NULL);
    HS_JSON(json, "alpha", request->alpha);
    HS_JSON(json, "tolerance", request->tolerance);
    HS_JSON(json, "one_sided", request->one_sided);
    HS_JSON(json, "keep_zeros", request->keep_zeros);
    HS_JSON(json, "covariate", request->covariate ? request->covariate_name : (const char *)NULL);
    HS_JSON_ARRAY(json, "methods");
    for (size_t i = 0; i < columns; i++) {
        hs_json_object(json);
        HS_JSON(json, "method", request->methods[c->order[i]]);
        for (size_t j = 0; (s = hs_next_statistic(c, &j));)
            if (s->put_method)
                s->put_method(c, c->order[i], json);
        hs_json_end_object(json);
    }
    hs_json_end_array(json);
    HS_JSON(json, "tested", c->tested);
    for (size_t j = 0; (s = hs_next_statistic(c, &j));)
        if (s->put)
            s->put(c, json);
    HS_JSON(json, "words", words.text);
    hs_json_end_object(json);
    return HSEL_OK;
}

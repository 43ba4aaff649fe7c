/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as text for the terminal and as tables for LaTeX; the numbers of a report as CSV. The
 * page is in write_html.c.
 */
#include "report/writers.h"

#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/mem.h"
#include "report/escape.h"
#include "report/text_table.h"

/* ---- text: tables aligned, the best marked with a star, paragraphs wrapped ---- */

enum { WIDTH = 100 };

static int wrap_plain(hs_writer *out, const char *words, size_t indent, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf plain = {0};
    hs_plain_text(&plain, words);
    HS_NEED(!plain.failed);
    hs_put_wrapped(out, plain.text ? plain.text : "", WIDTH, indent);
    return HSEL_OK;
}

static void text_cell(hs_text_table *table, const hs_cell *shown, hs_buf *plain)
{
    enum { LONGEST = 72 };
    plain->length = 0;
    hs_plain_text(plain, shown->text);
    if (plain->failed || plain->length == 0) {
        hs_table_cell(table, "%s", "");
        return;
    }
    if (hs_text_width(plain->text) > LONGEST) { /* cut between two characters */
        size_t end = 0;
        for (size_t width = 0; width < LONGEST - 1;)
            width += ((unsigned char)plain->text[++end] & 0xc0) != 0x80;
        plain->length = end;
        hs_buf_text(plain, "…");
    }
    if (shown->aside) /* of a published value, the difference */
        hs_buf_printf(plain, " (%s)",
                      strchr(shown->aside, ' ') ? strchr(shown->aside, ' ') + 1 : shown->aside);
    hs_table_cell(table, "%s%s", shown->flags & HS_CELL_BEST ? "*" : "", plain->text);
}

static int text_table(hs_writer *out, const hs_doc_grid *grid, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNS(hs_buf_clear) hs_buf plain = {0};
    hs_text_table aligned = {.arena = &arena, .columns = grid->columns};
    for (size_t i = 0; i < (grid->rows + 1) * grid->columns; i++)
        text_cell(&aligned, &grid->head[i], &plain); /* the rows follow the heading */
    HS_NEED(!plain.failed);
    HS_TRY(wrap_plain(out, grid->caption, 0, error));
    HS_TRY(hs_table_print(&aligned, grid->left, out, error));
    if (grid->note)
        HS_TRY(wrap_plain(out, grid->note, 0, error));
    hs_writer_char(out, '\n');
    return HSEL_OK;
}

static int text_heading(hs_writer *out, const char *title, char line, hsel_error *error)
{
    HS_TRY(wrap_plain(out, title, 0, error));
    for (size_t i = 0, width = hs_text_width(title); i < width && i < WIDTH; i++)
        hs_writer_char(out, line);
    hs_writer_char(out, '\n');
    return HSEL_OK;
}

int hs_write_text(const hs_document *doc, hs_writer *out, hsel_error *error)
{
    hs_writer_for_people(out);
    HS_TRY(text_heading(out, doc->title, '=', error));
    for (size_t i = 0; i < doc->count; i++) {
        const hs_part *part = &doc->parts[i];
        if (!(part->where & HS_IN_TEXT))
            continue;
        switch (part->kind) {
        case HS_PART_HEADING:
            HS_TRY(text_heading(out, part->title, '-', error));
            break;
        case HS_PART_TEXT:
            HS_TRY(wrap_plain(out, part->text, 0, error));
            hs_writer_char(out, '\n');
            break;
        case HS_PART_FACT:
            hs_writer_printf(out, "%-18s", part->title);
            HS_TRY(wrap_plain(out, part->text, 18, error));
            if (i + 1 == doc->count || part[1].kind != HS_PART_FACT)
                hs_writer_char(out, '\n');
            break;
        case HS_PART_GRID:
            HS_TRY(text_table(out, part->grid, error));
            break;
        default:
            break;
        }
    }
    return HSEL_OK;
}

/* ---- LaTeX: tables by booktabs, to be taken into a paper with \input; wide ones are shrunk to
 * the line ---- */

static void latex_row(hs_writer *out, const hs_cell *cells, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        bool best = cells[c].flags & HS_CELL_BEST;
        hs_writer_text(out, c == 0 ? "" : " & ");
        hs_writer_text(out, best ? "\\textbf{" : "");
        hs_latex_text(out, cells[c].text);
        hs_writer_text(out, best ? "}" : "");
        if (cells[c].aside) {
            hs_writer_text(out, " {\\scriptsize ");
            hs_latex_text(out, cells[c].aside);
            hs_writer_char(out, '}');
        }
    }
    hs_writer_text(out, " \\\\\n");
}

static void latex_table(hs_writer *out, const hs_doc_grid *grid, size_t number)
{
    hs_writer_text(out, "\\begin{table}[tbp]\n\\centering\n\\caption{");
    hs_latex_text(out, grid->caption);
    hs_writer_printf(out, "}\n\\label{tab:hsel-%zu}\n", number);
    hs_writer_text(out, "\\hselfit{%\n\\begin{tabular}{");
    for (size_t c = 0; c < grid->columns; c++)
        hs_writer_char(out, c < grid->left ? 'l' : 'r');
    hs_writer_text(out, "}\n\\toprule\n");
    latex_row(out, grid->head, grid->columns);
    hs_writer_text(out, "\\midrule\n");
    for (size_t r = 0; r < grid->rows; r++) {
        if (grid->foot && r == grid->rows - grid->foot && r > 0)
            hs_writer_text(out, "\\midrule\n");
        latex_row(out, &grid->cells[r * grid->columns], grid->columns);
    }
    hs_writer_text(out, "\\bottomrule\n\\end{tabular}}\n");
    if (grid->note) {
        hs_writer_text(out, "\n\\smallskip{\\footnotesize ");
        hs_latex_text(out, grid->note);
        hs_writer_text(out, "}\n");
    }
    hs_writer_text(out, "\\end{table}\n\n");
}

int hs_write_latex(const hs_document *doc, hs_writer *out, hsel_error *error)
{
    size_t number = 0;
    (void)error;
    hs_writer_text(out, "% Tables of ");
    for (const char *c = doc->title; *c; c++) /* a comment ends with its line */
        hs_writer_char(out, (unsigned char)*c < ' ' ? ' ' : *c);
    hs_writer_text(out,
                   "\n% Take them in with \\input; they need \\usepackage[T1]{fontenc}, "
                   "\\usepackage{booktabs} and \\usepackage{graphicx};\n% LuaLaTeX or XeLaTeX if "
                   "names are written in other letters.\n"
                   "\\providecommand{\\hselfit}[1]{\\sbox0{#1}\\ifdim\\wd0>\\linewidth\\resizebox{"
                   "\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi}\n\n");
    for (size_t i = 0; i < doc->count; i++)
        if (doc->parts[i].kind == HS_PART_GRID && (doc->parts[i].where & HS_IN_LATEX))
            latex_table(out, doc->parts[i].grid, ++number);
    return HSEL_OK;
}

/* ---- CSV: a line per data set, selector (every setting of a sweep), classifier and metric ---- */

int hs_write_csv(const hs_report *report, hs_writer *out, hsel_error *error)
{
    const hs_outcomes *o = &report->outcomes;
    const hs_study *study = &report->study;
    size_t selectors = study->selector_count, classifiers = study->classifier_count,
           metrics = report->metric_count;
    hs_writer_csv_safe(out, true); /* it will be opened in spreadsheets */
    (void)error;
    hs_writer_text(out, "dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,"
                        "pooled,pooled_sd,published\n");
    for (size_t i = 0; i < o->dataset_count * selectors * classifiers * metrics; i++) {
        static const char *const states[] = {"missing", "failed", "part", "ok"};
        size_t c = i / metrics % classifiers, s = i / metrics / classifiers % selectors,
               d = i / metrics / classifiers / selectors;
        hs_metric metric = report->metrics[i % metrics];
        const hs_outcome *outcome = hs_outcome_of(o, d, s, c);
        const char *selector = study->selectors[s].text, *classifier = study->classifiers[c].text;
        const double numbers[] = {outcome->fold_mean[metric], outcome->fold_mean_sd[metric],
                                  outcome->pooled[metric], outcome->pooled_sd[metric],
                                  hs_published_value(o, d, selector, classifier, metric)};
        hs_put_csv(out, o->datasets[d].name);
        hs_writer_char(out, ',');
        hs_put_csv(out, selector);
        hs_writer_char(out, ',');
        hs_put_csv(out, classifier);
        hs_writer_printf(out, ",%s,%s,%u", hs_metric_name(metric), states[outcome->state],
                         outcome->repeats);
        for (size_t n = 0; n < 5; n++) {
            hs_writer_char(out, ',');
            if (!isnan(numbers[n]))
                hs_writer_double(out, numbers[n]);
        }
        hs_writer_char(out, '\n');
    }
    return HSEL_OK;
}

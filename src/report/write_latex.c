/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a document for LaTeX, by booktabs: to be taken into a paper with \input. Wide ones
 * are shrunk to the line.
 */
#include "report/escape.h"
#include "report/writers.h"

static void cell(hs_writer *out, const hs_cell *shown, bool first)
{
    bool best = shown->flags & HS_CELL_BEST;
    hs_writer_text(out, first ? "" : " & ");
    hs_writer_text(out, best ? "\\textbf{" : "");
    hs_latex_text(out, shown->text);
    hs_writer_text(out, best ? "}" : "");
    if (shown->aside) {
        hs_writer_text(out, " {\\scriptsize ");
        hs_latex_text(out, shown->aside);
        hs_writer_char(out, '}');
    }
}

static void row(hs_writer *out, const hs_cell *cells, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        cell(out, &cells[c], c == 0);
    hs_writer_text(out, " \\\\\n");
}

static void table(hs_writer *out, const hs_grid *grid, size_t number)
{
    hs_writer_text(out, "\\begin{table}[tbp]\n\\centering\n\\caption{");
    hs_latex_text(out, grid->caption);
    hs_writer_printf(out, "}\n\\label{tab:hsel-%zu}\n", number);
    hs_writer_text(out, "\\hselfit{%\n\\begin{tabular}{");
    for (size_t c = 0; c < grid->columns; c++)
        hs_writer_char(out, c < grid->left ? 'l' : 'r');
    hs_writer_text(out, "}\n\\toprule\n");
    row(out, grid->head, grid->columns);
    hs_writer_text(out, "\\midrule\n");
    for (size_t r = 0; r < grid->rows; r++) {
        if (grid->foot && r == grid->rows - grid->foot && r > 0)
            hs_writer_text(out, "\\midrule\n");
        row(out, &grid->cells[r * grid->columns], grid->columns);
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
    hs_writer_text(
        out,
        "\n% Take them in with \\input; they need \\usepackage[T1]{fontenc}, "
        "\\usepackage{booktabs} and "
        "\\usepackage{graphicx};\n% LuaLaTeX or XeLaTeX if names are written in other letters.\n"
        "\\providecommand{\\hselfit}[1]{\\sbox0{#1}\\ifdim\\wd0>\\linewidth"
        "\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi}\n\n");
    for (size_t i = 0; i < doc->count; i++)
        if (doc->parts[i].kind == HS_PART_GRID && (doc->parts[i].where & HS_IN_LATEX))
            table(out, doc->parts[i].grid, ++number);
    return HSEL_OK;
}

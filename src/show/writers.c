/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as text for the terminal and as tables for LaTeX; the numbers of a report as CSV. The
 * page is in write_html.c.
 */
#include "show/document.h"

/* ---- text: tables aligned, the best marked with a star, paragraphs wrapped ---- */

enum { WIDTH = 100 };

void hs_put_wrapped(hs_writer *out, const char *words, size_t width, size_t indent)
{
    size_t used = indent;
    bool begun = true; /* the line has its blanks */
    while (*(words += strspn(words, " "))) {
        size_t length = strcspn(words, " \n");
        char word[512]; /* longer ones fill a line anyway */
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        size_t columns = hs_text_width(word);
        if (*words == '\n' || (used > indent && used + 1 + columns > width)) {
            hs_writer_char(out, '\n');
            used = indent;
            begun = false;
            words += *words == '\n';
            continue;
        }
        hs_writer_printf(out, "%*s", !begun ? (int)indent : used > indent, "");
        hs_writer_put(out, words, length);
        used += columns + (used > indent);
        begun = true;
        words += length;
    }
    hs_writer_char(out, '\n');
}

size_t hs_fitting(const char *text, size_t columns)
{
    size_t at = 0;
    for (size_t width = 0; text[at] && width < columns; width++)
        for (at++; ((unsigned char)text[at] & 0xC0) == 0x80;)
            at++;
    /* Combining accents of the last character, U+0300 to U+036F, at most four. */
    for (int i = 0; i < 4 && at && text[at]; i++) {
        unsigned char first = (unsigned char)text[at], second = (unsigned char)text[at + 1];
        at += first == 0xCC || (first == 0xCD && second < 0xB0) ? 2 : 0;
    }
    return at;
}

const char *hs_shown(const char *text, hs_arena *arena)
{
    char shown[HS_SHOWN_ROOM];
    size_t length = strlen(text), space = 1, taken, used = 0;
    for (size_t i = 0; i < length; i += taken)
        space += hs_show_character(text + i, length - i, shown, &taken);
    if (space == length + 1)
        return text;
    char *copy = hs_arena_alloc(arena, space, 1);
    for (size_t i = 0; copy && i < length; i += taken)
        used += hs_show_character(text + i, length - i, copy + used, &taken);
    if (copy)
        copy[used] = '\0';
    return copy ? copy : "?";
}

int hs_grid_print(const hs_doc_grid *grid, hs_writer *out, hsel_error *error)
{
    hs_document *doc = grid->doc;
    size_t columns = grid->columns,
           *width = grid->width ? grid->width : hs_document_space(doc, columns, sizeof *width);
    HS_TRY(hs_document_check(doc, error));
    for (size_t i = 0; i < grid->used; i++) {
        grid->head[i].text = hs_shown(grid->head[i].text, &doc->arena);
        if (hs_text_width(grid->head[i].text) > width[i % columns])
            width[i % columns] = hs_text_width(grid->head[i].text);
    }
    for (size_t i = 0; i < grid->used; i++) {
        const char *text = grid->head[i].text;
        size_t column = i % columns, gap = width[column] - hs_text_width(text);
        bool last = column + 1 == columns;
        if (column >= grid->left)
            hs_writer_printf(out, "%*s%s", (int)gap, "", text);
        else
            hs_writer_printf(out, "%s%*s", text, last ? 0 : (int)gap, "");
        hs_writer_text(out, last ? "\n" : "  ");
    }
    return HSEL_OK;
}

int hs_grid_csv(const hs_doc_grid *grid, hs_writer *out, hsel_error *error)
{
    for (size_t i = 0; i < grid->used; i++) {
        hs_put_csv(out, grid->head[i].text);
        hs_writer_char(out, (i + 1) % grid->columns ? ',' : '\n');
    }
    return hs_document_check(grid->doc, error);
}

static int wrap_plain(hs_writer *out, const char *words, size_t indent, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf plain = {0};
    hs_plain_text(&plain, words);
    HS_NEED(!plain.failed);
    hs_put_wrapped(out, plain.text ? plain.text : "", WIDTH, indent);
    return HSEL_OK;
}

static int text_table(hs_writer *out, const hs_doc_grid *grid, hsel_error *error)
{
    enum { LONGEST = 72 };
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    HS_OWNS(hs_buf_clear) hs_buf plain = {0};
    hs_doc_grid aligned = {.doc = &doc, .columns = grid->columns, .left = grid->left};
    for (size_t i = 0; i < (grid->rows + 1) * grid->columns; i++) {
        const hs_cell *shown = &grid->head[i]; /* the rows follow the heading */
        plain.length = 0;
        hs_plain_text(&plain, shown->text);
        if (plain.failed || plain.length == 0) {
            HS_ROW(&aligned, "");
            continue;
        }
        if (hs_text_width(plain.text) > LONGEST) {
            plain.length = hs_fitting(plain.text, LONGEST - 1);
            hs_buf_text(&plain, "…");
        }
        if (shown->spread && grid->doc->spreads)
            hs_buf_printf(&plain, " ± %s", shown->spread);
        if (shown->aside) /* of a published value, the difference */
            hs_buf_printf(&plain, " (%s)",
                          strchr(shown->aside, ' ') ? strchr(shown->aside, ' ') + 1 : shown->aside);
        hs_putf(&aligned, "%s%s", shown->flags & HS_CELL_BEST ? "*" : "", plain.text);
    }
    HS_NEED(!plain.failed);
    HS_TRY(wrap_plain(out, grid->caption, 0, error));
    HS_TRY(hs_grid_print(&aligned, out, error));
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
    if (doc->title)
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

extern const char hs_show_latex[]; /* latex.tex */

void hs_write_latex(const hs_document *doc, hs_writer *out)
{
    size_t number = 0;
    hs_writer_text(out, "% Tables of ");
    for (const char *c = doc->title; *c; c++) /* a comment ends with its line */
        hs_writer_char(out, (unsigned char)*c < ' ' ? ' ' : *c);
    hs_writer_char(out, '\n');
    hs_writer_text(out, hs_show_latex);
    for (size_t i = 0; i < doc->count; i++) {
        const hs_doc_grid *grid = doc->parts[i].grid;
        if (doc->parts[i].kind != HS_PART_GRID || !(doc->parts[i].where & HS_IN_LATEX))
            continue;
        hs_put_escaped(out, hs_latex_text,
                       "\\begin{table}[tbp]\n\\centering\n\\caption{%s}\n\\label{tab:hsel-%zu}\n"
                       "\\hselfit{%%\n\\begin{tabular}{",
                       grid->caption, ++number);
        for (size_t c = 0; c < grid->columns; c++)
            hs_writer_char(out, c < grid->left ? 'l' : 'r');
        hs_put_escaped(out, hs_latex_text, "}\n\\toprule\n");
        for (size_t r = 0; r <= grid->rows; r++) { /* the heading first */
            for (size_t c = 0; c < grid->columns; c++) {
                const hs_cell *cell = &grid->head[r * grid->columns + c];
                hs_put_escaped(out, hs_latex_text, c == 0 ? "" : " & ");
                hs_put_escaped(out, hs_latex_text,
                               cell->flags & HS_CELL_BEST ? "\\textbf{%s}" : "%s", cell->text);
                if (cell->spread && grid->doc->spreads)
                    hs_put_escaped(out, hs_latex_text, " $\\pm$ %s", cell->spread);
                if (cell->aside)
                    hs_put_escaped(out, hs_latex_text, " {\\scriptsize %s}", cell->aside);
            }
            hs_put_escaped(out, hs_latex_text,
                           r == 0 || (grid->foot && r == grid->rows - grid->foot)
                               ? " \\\\\n\\midrule\n"
                               : " \\\\\n");
        }
        hs_put_escaped(out, hs_latex_text, "\\bottomrule\n\\end{tabular}}\n");
        if (grid->note)
            hs_put_escaped(out, hs_latex_text, "\n\\smallskip{\\footnotesize %s}\n", grid->note);
        hs_put_escaped(out, hs_latex_text, "\\end{table}\n\n");
    }
}

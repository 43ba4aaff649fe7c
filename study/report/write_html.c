/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as one HTML page with nothing from outside, pictures inside. Every text goes through
 * hs_html_text. The script at its end lets tables sort and filter; all there is to read is there
 * without it. The policy of the page allows this script, by its hash, and no other.
 */
#include "show/document.h"

/* head.html, style.css, report.js */
extern const char hs_page_head[], hs_page_style[], hs_page_report[], hs_page_report_hash[];

static void attribute(hs_writer *out, const char *name, const char *value)
{
    if (value)
        hs_put_html(out, " %s=\"%s\"", name, value);
}

/* ---- tables ---- */

/* A cell, or (`is_name`) what names a row or column: then a long text is shown in part, and the
 * whole is its tooltip. */
static void put_cell(hs_writer *out, const hs_cell *cell, bool is_name, const char *class)
{
    enum { LONGEST = 60 };
    bool cut = is_name && !cell->exact && hs_text_width(cell->text) > LONGEST;
    attribute(out, "class", class);
    attribute(out, "title", cut ? cell->text : cell->exact);
    if (fabs(cell->shade) >= 0.005)
        hs_writer_printf(out, " style=\"--s:%.2f\"", fmin(fabs(cell->shade), 1));
    hs_put_html(out,
                cell->flags & HS_CELL_BEST ? "><strong>%s</strong>"
                : cut                      ? "><span class=\"cut\">%s</span>"
                                           : ">%s",
                cell->text);
    if (cell->spread)
        hs_put_html(out, " <i>±%s</i>", cell->spread);
    if (cell->aside)
        hs_put_html(out, " <small>%s</small>", cell->aside);
    hs_writer_text(out, is_name ? "</th>" : "</td>");
}

static void rows(hs_writer *out, const hs_doc_grid *grid, const char *part, size_t from, size_t to)
{
    enum { LONG = 24 }; /* bytes that are no longer kept on one line */
    hs_put_html(out, "<%s>\n", part);
    for (size_t r = from; r < to; r++) {
        hs_writer_text(out, "<tr>");
        for (size_t c = 0; c < grid->columns; c++) {
            const hs_cell *cell = &grid->cells[r * grid->columns + c];
            bool words = c < grid->left;
            hs_writer_text(out, c == 0 ? "<th scope=\"row\"" : "<td");
            put_cell(out, cell, c == 0,
                     c == 0                        ? NULL
                     : cell->flags & HS_CELL_BAD   ? "bad"
                     : cell->flags & HS_CELL_QUIET ? words ? "words quiet" : "quiet"
                     : cell->flags & HS_CELL_PART  ? "part"
                     : cell->shade < 0             ? "o"
                     : !words                      ? NULL
                     : strlen(cell->text) > LONG   ? "words long"
                                                   : "words");
        }
        hs_writer_text(out, "</tr>\n");
    }
    hs_put_html(out, "</%s>\n", part);
}

static void table(hs_writer *out, const hs_doc_grid *grid)
{
    hs_put_html(out,
                "<figure class=\"table\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n<thead><tr>",
                grid->caption, grid->caption);
    for (size_t c = 0; c < grid->columns; c++) {
        hs_writer_text(out, "<th scope=\"col\"");
        put_cell(out, &grid->head[c], true, c > 0 && c < grid->left ? "words" : NULL);
    }
    hs_writer_text(out, "</tr></thead>\n");
    rows(out, grid, "tbody", 0, grid->rows - grid->foot);
    if (grid->foot)
        rows(out, grid, "tfoot", grid->rows - grid->foot, grid->rows);
    hs_put_html(out, "</table>\n</div>\n");
    if (grid->note)
        hs_put_html(out, "<figcaption>%s</figcaption>\n", grid->note);
    hs_put_html(out, "</figure>\n");
}

/* ---- the page ---- */

static bool is_shown(const hs_part *part) { return part->where & HS_IN_HTML; }

/* Sections are numbered as they come: anchors hold no words from outside. */
static void contents(hs_writer *out, const hs_document *doc)
{
    bool inner = false, any = false;
    hs_writer_text(out, "<nav aria-label=\"Contents\">\n<ul>\n");
    for (size_t i = 0; i < doc->count; i++) {
        const hs_part *part = &doc->parts[i];
        if (part->kind != HS_PART_HEADING || !is_shown(part))
            continue;
        if (part->level == 3 && !inner)
            hs_writer_text(out, "\n<ul>\n");
        else if (part->level == 2 && inner)
            hs_writer_text(out, "</li>\n</ul>\n</li>\n");
        else if (any)
            hs_writer_text(out, "</li>\n");
        inner = part->level == 3;
        any = true;
        hs_put_html(out, "<li><a href=\"#s%zu\">%s</a>", i, part->title);
    }
    hs_writer_text(out, !any ? "" : inner ? "</li>\n</ul>\n</li>\n" : "</li>\n");
    hs_writer_text(out, "</ul>\n</nav>\n");
}

void hs_write_html(const hs_document *doc, hs_writer *out)
{
    /* What is open: a list of facts, a row of pictures, a section, blocks of it side by side under
     * headings of their own, a choice of panels. */
    bool facts = false, row = false, section = false, blocks = false;
    size_t panels = 0, choice = 0;
    hs_put_template(out, hs_page_head, hs_page_report_hash, doc->title);
    hs_writer_text(out, hs_page_style);
    hs_put_html(out, "</style>\n</head>\n<body>\n");
    contents(out, doc);
    hs_put_html(out, "<main>\n<h1>%s</h1>\n", doc->title);
    for (size_t i = 0; i < doc->count; i++) {
        const hs_part *part = &doc->parts[i];
        if (!is_shown(part))
            continue;
        if (facts != (part->kind == HS_PART_FACT)) {
            hs_writer_text(out, facts ? "</dl>\n" : "<dl>\n");
            facts = !facts;
        }
        if (row != (part->kind == HS_PART_PICTURE)) {
            hs_writer_text(out, row ? "</div>\n" : "<div class=\"charts\">\n");
            row = !row;
        }
        switch (part->kind) {
        case HS_PART_HEADING:
            if (part->level == 2) {
                hs_put_html(out, blocks ? "</div>\n</div>\n" : "");
                hs_put_html(out, section ? "</section>\n" : "");
                hs_put_html(out, "<section aria-labelledby=\"s%zu\">\n", i);
                section = true;
            } else {
                hs_put_html(out, blocks ? "</div>\n" : "<div class=\"blocks\">\n");
                hs_put_html(out, "<div class=\"block\">\n");
            }
            blocks = part->level > 2;
            hs_put_html(out, "<h%d id=\"s%zu\">%s</h%d>\n", part->level, i, part->title,
                        part->level);
            break;
        case HS_PART_TEXT:
            hs_put_html(out, "<p>%s</p>\n", part->text);
            break;
        case HS_PART_FACT:
            hs_put_html(out, "<div><dt>%s</dt>\n<dd>%s</dd>\n</div>\n", part->title, part->text);
            break;
        case HS_PART_GRID:
            table(out, part->grid);
            break;
        case HS_PART_PICTURE:
            hs_put_html(out,
                        "<figure class=\"picture\">\n<div class=\"scroll\" tabindex=\"0\" "
                        "role=\"img\" aria-label=\"%s\">\n",
                        part->title);
            hs_writer_text(out, part->svg);
            hs_put_html(out, "</div>\n<figcaption>%s</figcaption>\n</figure>\n", part->text);
            break;
        case HS_PART_LINK:
            hs_put_html(out, "<p><a href=\"%s\">%s</a></p>\n", part->text, part->title);
            break;
        case HS_PART_FOLD:
            hs_put_html(out, "<details>\n<summary>%s</summary>\n", part->title);
            break;
        case HS_PART_UNFOLD:
            hs_writer_text(out, "</details>\n");
            break;
        case HS_PART_PANEL:
            choice = panels++ ? choice : i;
            hs_put_html(out, panels == 1
                                 ? "<div class=\"choice\" role=\"group\" aria-label=\"Choose\">\n"
                                 : "</div>\n");
            hs_put_html(out, "<input type=\"radio\" name=\"r%zu\" id=\"p%zu\"", choice, i);
            hs_put_html(out, panels == 1 ? " checked>" : ">");
            hs_put_html(out, "<label for=\"p%zu\">%s</label>\n<div class=\"panel\">\n", i,
                        part->title);
            break;
        case HS_PART_UNPANEL:
            hs_writer_text(out, "</div>\n</div>\n");
            panels = 0;
            break;
        }
    }
    hs_writer_text(out, facts ? "</dl>\n" : "");
    hs_writer_text(out, row ? "</div>\n" : "");
    hs_writer_text(out, blocks ? "</div>\n</div>\n" : "");
    hs_writer_text(out, section ? "</section>\n</main>\n<script>" : "</main>\n<script>");
    hs_writer_text(out, hs_page_report);
    hs_writer_text(out, "</script>\n</body>\n</html>\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as one HTML page: no script, nothing from outside, pictures inside. Every text goes
 * through hs_html_text.
 */

#include "report/document.h"

extern const char hs_page_head[], hs_page_style[]; /* head.html, style.css */

/* As printf, with every text escaped. */
#define html(...) hs_put_escaped(out, hs_html_text, __VA_ARGS__)

static void attribute(hs_writer *out, const char *name, const char *value)
{
    if (value)
        html(" %s=\"%s\"", name, value);
}

/* ---- tables ---- */

static void rows(hs_writer *out, const hs_doc_grid *grid, const char *part, size_t from, size_t to)
{
    enum { LONG = 24 }; /* bytes that are no longer kept on one line */
    html("<%s>\n", part);
    for (size_t r = from; r < to; r++) {
        html("<tr>");
        for (size_t c = 0; c < grid->columns; c++) {
            const hs_cell *cell = &grid->cells[r * grid->columns + c];
            bool words = c<grid->left, is_long = strlen(cell->text)> LONG;
            html(c == 0 ? "<th scope=\"row\"" : "<td");
            attribute(out, "class",
                      c == 0                        ? NULL
                      : cell->flags & HS_CELL_BAD   ? "bad"
                      : cell->flags & HS_CELL_QUIET ? words ? "words quiet" : "quiet"
                      : cell->flags & HS_CELL_PART  ? "part"
                      : !words                      ? NULL
                      : is_long                     ? "words long"
                                                    : "words");
            attribute(out, "title", cell->exact);
            html(cell->flags & HS_CELL_BEST ? "><strong>%s</strong>" : ">%s", cell->text);
            if (cell->aside)
                html(" <small>%s</small>", cell->aside);
            html(c == 0 ? "</th>" : "</td>");
        }
        html("</tr>\n");
    }
    html("</%s>\n", part);
}

static void table(hs_writer *out, const hs_doc_grid *grid)
{
    html("<figure class=\"table\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n<thead><tr>",
         grid->caption, grid->caption);
    for (size_t c = 0; c < grid->columns; c++) {
        html("<th scope=\"col\"");
        attribute(out, "class", c > 0 && c < grid->left ? "words" : NULL);
        attribute(out, "title", grid->head[c].exact);
        html(">%s</th>", grid->head[c].text);
    }
    html("</tr></thead>\n");
    rows(out, grid, "tbody", 0, grid->rows - grid->foot);
    if (grid->foot)
        rows(out, grid, "tfoot", grid->rows - grid->foot, grid->rows);
    html("</table>\n</div>\n");
    if (grid->note)
        html("<figcaption>%s</figcaption>\n", grid->note);
    html("</figure>\n");
}

/* ---- pictures ---- */

/* gnuplot's pictures go in as images, so that the names inside them stay inside them. */
static void picture(hs_writer *out, const hs_picture *picture)
{
    if (!picture->svg) {
        html("<figure class=\"picture missing\">\n<p>%s</p>\n", picture->problem);
    } else if (picture->ours) {
        html("<figure class=\"picture\">\n<div class=\"scroll\" tabindex=\"0\" role=\"img\" "
             "aria-label=\"%s\">\n",
             picture->alt);
        hs_writer_put(out, picture->svg, picture->length);
        html("</div>\n");
    } else {
        html("<figure class=\"picture\">\n<div class=\"scroll\" tabindex=\"0\"><img alt=\"%s\" "
             "src=\"data:image/svg+xml;base64,",
             picture->alt);
        hs_base64(out, picture->svg, picture->length);
        html("\"></div>\n");
    }
    html("<figcaption>%s</figcaption>\n</figure>\n", picture->caption);
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
        html("<li><a href=\"#s%zu\">%s</a>", i, part->title);
    }
    hs_writer_text(out, !any ? "" : inner ? "</li>\n</ul>\n</li>\n" : "</li>\n");
    hs_writer_text(out, "</ul>\n</nav>\n");
}

void hs_write_html(const hs_document *doc, hs_writer *out)
{
    bool listed = false, facts = false, section = false;
    hs_writer_text(out, hs_page_head);
    html("<title>%s</title>\n<style>\n", doc->title);
    hs_writer_text(out, hs_page_style);
    html("</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n", doc->title);
    for (size_t i = 0; i < doc->count; i++) {
        const hs_part *part = &doc->parts[i];
        if (!is_shown(part))
            continue;
        if (facts != (part->kind == HS_PART_FACT)) {
            hs_writer_text(out, facts ? "</dl>\n" : "<dl>\n");
            facts = !facts;
        }
        switch (part->kind) {
        case HS_PART_HEADING:
            if (!listed)
                contents(out, doc);
            listed = true;
            if (part->level == 2) {
                html(section ? "</section>\n" : "");
                html("<section aria-labelledby=\"s%zu\">\n", i);
                section = true;
            }
            html("<h%d id=\"s%zu\">%s</h%d>\n", part->level, i, part->title, part->level);
            break;
        case HS_PART_TEXT:
            html("<p>%s</p>\n", part->text);
            break;
        case HS_PART_FACT:
            html("<div><dt>%s</dt>\n<dd>%s</dd>\n</div>\n", part->title, part->text);
            break;
        case HS_PART_GRID:
            table(out, part->grid);
            break;
        case HS_PART_PICTURE:
            picture(out, part->picture);
            break;
        case HS_PART_FOLD:
            html("<details>\n<summary>%s</summary>\n", part->title);
            break;
        case HS_PART_UNFOLD:
            hs_writer_text(out, "</details>\n");
            break;
        }
    }
    html(facts ? "</dl>\n" : "");
    html(section ? "</section>\n</main>\n</body>\n</html>\n" : "</main>\n</body>\n</html>\n");
}

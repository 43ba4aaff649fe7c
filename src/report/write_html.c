/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as one HTML page: no script, nothing from outside, pictures inside. Every text goes
 * through hs_html_text.
 */

#include "report/document.h"

extern const char hs_page_style[]; /* style.css */

static void attribute(hs_writer *out, const char *name, const char *value)
{
    if (!value)
        return;
    hs_writer_printf(out, " %s=\"", name);
    hs_html_text(out, value);
    hs_writer_char(out, '"');
}

static void element(hs_writer *out, const char *name, const char *words)
{
    hs_writer_printf(out, "<%s>", name);
    hs_html_text(out, words);
    hs_writer_printf(out, "</%s>\n", name);
}

/* ---- tables ---- */

static const char *cell_class(const hs_cell *cell, bool words)
{
    enum { LONG = 24 }; /* bytes that are no longer kept on one line */
    if (cell->flags & HS_CELL_BAD)
        return "bad";
    if (cell->flags & HS_CELL_QUIET)
        return words ? "words quiet" : "quiet";
    if (cell->flags & HS_CELL_PART)
        return "part";
    return !words ? NULL : strlen(cell->text) > LONG ? "words long" : "words";
}

static void rows(hs_writer *out, const hs_doc_grid *grid, const char *part, size_t from, size_t to)
{
    hs_writer_printf(out, "<%s>\n", part);
    for (size_t r = from; r < to; r++) {
        hs_writer_text(out, "<tr>");
        for (size_t c = 0; c < grid->columns; c++) {
            const hs_cell *cell = &grid->cells[r * grid->columns + c];
            bool best = cell->flags & HS_CELL_BEST;
            hs_writer_text(out, c == 0 ? "<th scope=\"row\"" : "<td");
            attribute(out, "class", c > 0 ? cell_class(cell, c < grid->left) : NULL);
            attribute(out, "title", cell->exact);
            hs_writer_text(out, best ? "><strong>" : ">");
            hs_html_text(out, cell->text);
            hs_writer_text(out, best ? "</strong>" : "");
            if (cell->aside) {
                hs_writer_text(out, " <small>");
                hs_html_text(out, cell->aside);
                hs_writer_text(out, "</small>");
            }
            hs_writer_text(out, c == 0 ? "</th>" : "</td>");
        }
        hs_writer_text(out, "</tr>\n");
    }
    hs_writer_printf(out, "</%s>\n", part);
}

static void table(hs_writer *out, const hs_doc_grid *grid)
{
    hs_writer_text(
        out, "<figure class=\"table\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\"");
    attribute(out, "aria-label", grid->caption);
    hs_writer_text(out, ">\n<table>\n<caption>");
    hs_html_text(out, grid->caption);
    hs_writer_text(out, "</caption>\n<thead><tr>");
    for (size_t c = 0; c < grid->columns; c++) {
        hs_writer_text(out, "<th scope=\"col\"");
        attribute(out, "class", c > 0 && c < grid->left ? "words" : NULL);
        attribute(out, "title", grid->head[c].exact);
        hs_writer_char(out, '>');
        hs_html_text(out, grid->head[c].text);
        hs_writer_text(out, "</th>");
    }
    hs_writer_text(out, "</tr></thead>\n");
    rows(out, grid, "tbody", 0, grid->rows - grid->foot);
    if (grid->foot)
        rows(out, grid, "tfoot", grid->rows - grid->foot, grid->rows);
    hs_writer_text(out, "</table>\n</div>\n");
    if (grid->note)
        element(out, "figcaption", grid->note);
    hs_writer_text(out, "</figure>\n");
}

/* ---- pictures ---- */

/* gnuplot's pictures go in as images, so that the names inside them stay inside them. */
static void picture(hs_writer *out, const hs_picture *picture)
{
    hs_writer_printf(out, "<figure class=\"%s\">\n", picture->svg ? "picture" : "picture missing");
    if (!picture->svg) {
        element(out, "p", picture->problem);
    } else if (picture->ours) {
        hs_writer_text(out, "<div class=\"scroll\" tabindex=\"0\" role=\"img\"");
        attribute(out, "aria-label", picture->alt);
        hs_writer_text(out, ">\n");
        hs_writer_put(out, picture->svg, picture->length);
        hs_writer_text(out, "</div>\n");
    } else {
        hs_writer_text(out, "<div class=\"scroll\" tabindex=\"0\"><img");
        attribute(out, "alt", picture->alt);
        hs_writer_text(out, " src=\"data:image/svg+xml;base64,");
        hs_base64(out, picture->svg, picture->length);
        hs_writer_text(out, "\"></div>\n");
    }
    element(out, "figcaption", picture->caption);
    hs_writer_text(out, "</figure>\n");
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
        hs_writer_printf(out, "<li><a href=\"#s%zu\">", i);
        hs_html_text(out, part->title);
        hs_writer_text(out, "</a>");
    }
    hs_writer_text(out, !any ? "" : inner ? "</li>\n</ul>\n</li>\n" : "</li>\n");
    hs_writer_text(out, "</ul>\n</nav>\n");
}

void hs_write_html(const hs_document *doc, hs_writer *out)
{
    bool listed = false, facts = false, section = false;
    hs_writer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                        "'none'; img-src data:; style-src 'unsafe-inline'\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n");
    element(out, "title", doc->title);
    hs_writer_text(out, "<style>\n");
    hs_writer_text(out, hs_page_style);
    hs_writer_text(out, "</style>\n</head>\n<body>\n<main>\n");
    element(out, "h1", doc->title);
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
                hs_writer_text(out, section ? "</section>\n" : "");
                hs_writer_printf(out, "<section aria-labelledby=\"s%zu\">\n", i);
                section = true;
            }
            hs_writer_printf(out, "<h%d id=\"s%zu\">", part->level, i);
            hs_html_text(out, part->title);
            hs_writer_printf(out, "</h%d>\n", part->level);
            break;
        case HS_PART_TEXT:
            element(out, "p", part->text);
            break;
        case HS_PART_FACT:
            hs_writer_text(out, "<div>");
            element(out, "dt", part->title);
            element(out, "dd", part->text);
            hs_writer_text(out, "</div>\n");
            break;
        case HS_PART_GRID:
            table(out, part->grid);
            break;
        case HS_PART_PICTURE:
            picture(out, part->picture);
            break;
        case HS_PART_FOLD:
            hs_writer_text(out, "<details>\n");
            element(out, "summary", part->title);
            break;
        case HS_PART_UNFOLD:
            hs_writer_text(out, "</details>\n");
            break;
        }
    }
    hs_writer_text(out, facts ? "</dl>\n" : "");
    hs_writer_text(out, section ? "</section>\n" : "");
    hs_writer_text(out, "</main>\n</body>\n</html>\n");
}

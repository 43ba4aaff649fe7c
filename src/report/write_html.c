/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document as one HTML page: no script, nothing from outside, pictures inside. Every text goes
 * through hs_html_text.
 */
#include <string.h>

#include "report/escape.h"
#include "report/writers.h"

/* Wide tables and pictures scroll in their own box, with the first column in sight, so that the
 * page itself never does; colours follow the reader's light or dark; on paper tables stay whole
 * where they can, and what is folded stays folded. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--soft:#57606a;--ground:#ffffff;--band:#f3f5f7;--line:#d0d7de;--link:#"
    "0550ae;--bad:#b42318}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa6b2;--ground:#0f1318;--band:#"
    "1a2027;--line:#363d46;--link:#79b8ff;--bad:#ff9088}}\n"
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
    "body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 "
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}\n"
    "main{max-width:80rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.3rem;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:2px solid "
    "var(--line);overflow-wrap:anywhere}\n"
    "h3{font-size:1.08rem;margin:1.75rem 0 .5rem;overflow-wrap:anywhere}\n"
    "p{max-width:48rem;overflow-wrap:anywhere}\n"
    "a{color:var(--link)}\n"
    "dl{display:grid;gap:.3rem 1.5rem;margin:0 0 1rem}\n"
    "dl div{display:grid;grid-template-columns:9.5rem minmax(0,1fr);gap:0 1rem}\n"
    "dt{color:var(--soft)}\n"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    "nav{background:var(--band);border-radius:.5rem;padding:.75rem 1rem;margin:1rem 0}\n"
    "nav ul{margin:0;padding-left:1.1rem}\n"
    "nav>ul{columns:17rem;column-gap:2rem;list-style:none;padding:0}\n"
    "nav li{break-inside:avoid;padding:.1rem 0}\n"
    "figure{margin:1rem 0 1.5rem}\n"
    "figcaption{color:var(--soft);font-size:.9rem;max-width:48rem;margin-top:.4rem;overflow-wrap:"
    "anywhere}\n"
    ".scroll{overflow-x:auto;max-width:100%}\n"
    ".scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid "
    "var(--link);outline-offset:2px}\n"
    "table{border-collapse:separate;border-spacing:0;font-size:.92rem;font-variant-numeric:tabular-"
    "nums}\n"
    "caption{text-align:left;font-weight:600;padding:0 0 .4rem;position:sticky;left:0}\n"
    "th,td{padding:.28rem .6rem;text-align:right;border-bottom:1px solid "
    "var(--line);white-space:nowrap;vertical-align:top}\n"
    "thead th{vertical-align:bottom;border-bottom:2px solid "
    "var(--soft);white-space:normal;font-weight:600;min-width:3.5rem}\n"
    "th:first-child{position:sticky;left:0;z-index:1;background:var(--ground);text-align:left;font-"
    "weight:500;min-width:6rem;max-width:14rem;white-space:normal;overflow-wrap:anywhere}\n"
    "td.words,th.words{text-align:left}\n"
    "td.long{white-space:normal;min-width:14rem;max-width:28rem;overflow-wrap:anywhere}\n"
    "tbody tr:nth-child(even)>*{background:var(--band)}\n"
    "tfoot tr:first-child>*{border-top:2px solid var(--soft)}\n"
    "thead th:first-child,tfoot th:first-child{font-weight:600}\n"
    "td small{display:block;color:var(--soft);font-size:.78rem}\n"
    "td.quiet{color:var(--soft)}\n"
    "td.part{font-style:italic}\n"
    "td.bad{color:var(--bad)}\n"
    "details{margin:.5rem 0}\n"
    "summary{cursor:pointer;color:var(--link);padding:.3rem 0;overflow-wrap:anywhere}\n"
    ".picture "
    "img{display:block;width:100%;max-width:54rem;min-width:36rem;height:auto;background:#fff;"
    "border-radius:.4rem}\n"
    ".picture svg{display:block;width:38rem;min-width:30rem;max-width:100%;height:auto}\n"
    ".missing p{border:1px dashed var(--line);border-radius:.4rem;padding:.75rem 1rem}\n"
    "@media(max-width:40rem){body{font-size:15px}main{padding:.75rem}dl "
    "div{grid-template-columns:minmax(0,1fr)}dl{gap:.5rem}th:first-child{max-width:8.5rem}}\n"
    "@media "
    "print{:root{color-scheme:light;--ink:#000;--soft:#444;--ground:#fff;--band:#f3f5f7;--line:#"
    "bbb;--link:#000;--bad:#900}html{font-size:9.5pt}body{font-size:1rem}main{max-width:none;"
    "padding:0}nav{display:none}h1,h2,h3,caption{break-after:avoid}tr,.table,.picture,dl "
    "div{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}.scroll{"
    "overflow:visible}table{font-size:7.5pt}th,td{padding:.15rem "
    ".3rem}th:first-child{position:static}caption{position:static}td.long{min-width:0}.picture "
    "img,.picture svg{min-width:0;max-width:14cm}a{text-decoration:none}}\n"
    "@page{margin:1.5cm}\n";

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

int hs_write_html(const hs_document *doc, hs_writer *out, hsel_error *error)
{
    bool listed = false, facts = false, section = false;
    (void)error;
    hs_writer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                        "'none'; img-src data:; style-src 'unsafe-inline'\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n");
    element(out, "title", doc->title);
    hs_writer_text(out, "<style>\n");
    hs_writer_text(out, style);
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
    return HSEL_OK;
}

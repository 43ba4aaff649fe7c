/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report between its numbers and its formats: headings, paragraphs, grids of cells and
 * pictures, one after the other. Sections add to it, writers (HTML, text, LaTeX) only format it, so
 * that each number is worked out and worded once. All text is plain UTF-8; writers escape it.
 *
 * Everything lies in the arena. Adding cannot fail half-way: when memory runs out `failed` is set,
 * later additions do nothing, and whoever made the document checks once at the end.
 */
#pragma once

#include "stats/metrics.h"

enum hs_cell_flags {
    HS_CELL_BEST = 1 << 0,  /* the best of its row: bold */
    HS_CELL_QUIET = 1 << 1, /* nothing is there */
    HS_CELL_BAD = 1 << 2,   /* failed */
    HS_CELL_PART = 1 << 3   /* of unfinished work: shown, but not in ranks and tests */
};

typedef struct hs_cell {
    const char *text;  /* never NULL */
    const char *exact; /* the full text, e.g. for a tooltip; NULL: none */
    const char *aside; /* small print after it, e.g. a difference; NULL: none */
    unsigned flags;
    const char *spread; /* of a mean, e.g. its standard error; NULL: none */
    double shade;       /* of its ground: up to 1 blue, down to -1 orange */
} hs_cell;

typedef struct hs_doc_grid {
    struct hs_document *doc;
    const char *caption; /* one line */
    const char *note;    /* below it; NULL: none */
    size_t columns, rows;
    size_t *
        width; /* [columns]: minimum widths, which grow when the grid is printed; NULL: as needed */
    size_t left;           /* the first `left` columns hold text, the others numbers */
    size_t foot;           /* so many of the last rows sum up */
    size_t used, capacity; /* cells, with those of the heading */
    hs_cell *head;         /* [columns] */
    hs_cell
        *cells; /* [rows * columns], directly after the heading; the first cell of a row names it */
} hs_doc_grid;

typedef enum hs_part_kind {
    HS_PART_HEADING,
    HS_PART_TEXT,
    HS_PART_FACT, /* a heading and a text, in a list with its neighbours */
    HS_PART_GRID,
    HS_PART_PICTURE,
    HS_PART_LINK,   /* to another page, under this text */
    HS_PART_FOLD,   /* the following parts are collapsible under this text … */
    HS_PART_UNFOLD, /* … up to here */
    HS_PART_PANEL,  /* the following parts are one of several panels, chosen by this text … */
    HS_PART_UNPANEL /* … up to the next one, or, after the last, up to here */
} hs_part_kind;

enum hs_where { HS_IN_HTML = 1, HS_IN_TEXT = 2, HS_IN_LATEX = 4, HS_IN_ALL = 7 };

typedef struct hs_part {
    hs_part_kind kind;
    unsigned where;    /* which formats show it */
    int level;         /* of a heading: 1 … 3 */
    const char *title; /* of a heading, a fact, a link, a fold, a panel; what a picture shows */
    const char *text;  /* of a link: where it leads; of a picture: how to read it */
    const hs_doc_grid *grid;
    const char *svg; /* of a picture */
} hs_part;

typedef struct hs_document { /* zero-initialise; hs_document_clear frees */
    hs_arena arena;
    const char *title;
    hs_part *parts;
    size_t count, capacity;
    unsigned where;   /* that new parts get; 0: all */
    bool spreads;     /* text and LaTeX show them, too */
    hs_doc_grid lost; /* what grids are when memory has run out */
    bool failed;
} hs_document;

void hs_document_clear(hs_document *doc);
/* HSEL_OK, or out of memory. */
HSEL_CHECKED int hs_document_check(const hs_document *doc, hsel_error *error);

/* Text in the arena; "" when memory runs out. */
const char *hs_say(hs_document *doc, const char *format, ...) HS_PRINTF(2, 3);
/* A list with one more item, after a comma if it is not the first. */
const char *hs_say_more(hs_document *doc, const char *list, const char *item);
/* A text that is safe to show, on one line, cut with "…" to this many columns. */
const char *hs_say_cut(hs_document *doc, const char *text, size_t columns);
/* Zeroed space in the arena; NULL when memory runs out. */
void *hs_document_space(hs_document *doc, size_t count, size_t size);

/* What needs a title at most: HS_PART_FOLD and so on. */
void hs_add_part(hs_document *doc, hs_part_kind kind, const char *title);
void hs_add_heading(hs_document *doc, int level, const char *title);
void hs_add_text(hs_document *doc, const char *format, ...) HS_PRINTF(2, 3);
void hs_add_fact(hs_document *doc, const char *title, const char *format, ...) HS_PRINTF(3, 4);
void hs_add_picture(hs_document *doc, const char *alt, const char *caption, const hs_buf *svg);
void hs_add_link(hs_document *doc, const char *title, const char *where);
/* Adds a grid, whose cells are then added one after the other, the heading first. A grid that is
 * not part of a document is {.doc = …, .columns = …, .left = …}. */
hs_doc_grid *hs_add_grid(hs_document *doc, size_t columns, size_t left, const char *caption, ...)
    HS_PRINTF(4, 5);
void hs_put_cell(hs_doc_grid *grid, hs_cell cell);
void hs_putf(hs_doc_grid *grid, const char *format, ...) HS_PRINTF(2, 3);
/* A number: in CSV with all digits, and empty if it is NaN. */
void hs_put_number(hs_doc_grid *grid, double value, int digits, bool csv);
/* Several texts: HS_ROW(grid, "data set", "wins"). */
void hs_put_texts(hs_doc_grid *grid, const char *const *texts, size_t count);
#define HS_ROW(grid, ...)                                                                          \
    hs_put_texts(grid, (const char *const[]){__VA_ARGS__},                                         \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- how numbers look ---- */

#define HS_NOTHING "–" /* no number */
#define HS_QUIET   ((hs_cell){.text = HS_NOTHING, .flags = HS_CELL_QUIET})

/* A share as percent with one decimal, as papers print it. */
const char *hs_percent(hs_document *doc, double share);
/* The value of a metric: a share, or a number in the unit of the target; with every digit, for
 * tooltips; a cell with both (quiet: NaN). */
const char *hs_value_text(hs_document *doc, hs_metric metric, double value);
const char *hs_value_exactly(hs_document *doc, hs_metric metric, double value);
hs_cell hs_value_cell(hs_document *doc, hs_metric metric, double value);
hs_cell hs_percent_cell(hs_document *doc, double share);
/* A difference with its sign, for shares in points; "=" if it is 0 as printed. */
const char *hs_difference(hs_document *doc, hs_metric metric, double difference);
/* ", in percent" or "", "points" or "" */
static inline const char *hs_value_unit(hs_metric metric, const char *of_shares)
{
    return hs_metric_scale(metric) == 1 ? "" : of_shares;
}
const char *hs_decimal(hs_document *doc, double number, int decimals); /* HS_NOTHING: NaN */
const char *hs_milliseconds(hs_document *doc, double seconds);
const char *hs_p_value(hs_document *doc, double p, bool sentence); /* as hs_p_text */
const char *hs_grouped(hs_document *doc, uint64_t number);
/* A number with a noun, also with a verb: of "feature was" "1 feature was", "3 features were". */
const char *hs_plural(hs_document *doc, uint64_t count, const char *one);

/* ---- formats: each only formats the document ---- */

/* One self-contained page. */
void hs_write_html(const hs_document *doc, hs_writer *out);
/* Aligned for a terminal. */
HSEL_CHECKED int hs_write_text(const hs_document *doc, hs_writer *out, hsel_error *error);
/* Tables for \input, by booktabs. */
void hs_write_latex(const hs_document *doc, hs_writer *out);
/* Only the cells of a grid: aligned, or as CSV. */
HSEL_CHECKED int hs_grid_print(const hs_doc_grid *grid, hs_writer *out, hsel_error *error);
HSEL_CHECKED int hs_grid_csv(const hs_doc_grid *grid, hs_writer *out, hsel_error *error);

/* Writes words on lines of at most `width` columns. All lines but the first are indented; the
 * cursor is already at the indent. Several blanks become one; line ends are kept. */
void hs_put_wrapped(hs_writer *out, const char *words, size_t width, size_t indent);
/* The number of bytes that fit into this many columns, in whole characters with their combining
 * accents. */
size_t hs_fitting(const char *text, size_t columns);
/* The text in a form that is safe to show, on one line (hs_show_character): itself, or a copy in
 * the arena. */
const char *hs_shown(const char *text, hs_arena *arena);

/* ---- escaping ---- Names of data sets, features and methods come from files and may be anything.
 * They are escaped here for each format. */

/* As hs_put_values, with each text escaped. */
void hs_put_escaped(hs_writer *out, void (*escape)(hs_writer *out, const char *text),
                    const char *format, ...) HS_PRINTF(3, 4);
/* The same for HTML and SVG. */
void hs_put_html(hs_writer *out, const char *format, ...) HS_PRINTF(2, 3);
/* The same by an outline from a file. */
void hs_put_template(hs_writer *out, const char *outline, ...);
/* For HTML text and for attributes in double quotes. What is not valid UTF-8 becomes U+FFFD,
 * control characters become blanks. */
void hs_html_text(hs_writer *out, const char *text);
/* For LaTeX text: no character keeps a special meaning; some signs that LaTeX lacks are spelled
 * out. */
void hs_latex_text(hs_writer *out, const char *text);
/* For one line of a terminal: no control characters. */
void hs_plain_text(hs_buf *out, const char *text);
/* A cell of a TSV file: no tab or line end. */
void hs_tsv_text(hs_writer *out, const char *text);

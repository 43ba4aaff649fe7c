/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout: above the axis the critical difference as a ruler; below it the bars of the groups, in as
 * few levels as they need without touching; below them the names, the better half at the left and
 * the worse half at the right, the outermost method of each side on top, so that no two lines
 * cross. Room for names is reckoned from their number of characters. Coordinates are written
 * without the help of printf, which would follow the locale.
 */
#include "report/cd_diagram.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "report/escape.h"

#define FONT         13.0 /* pixels, as all of these */
#define LETTER       8.2  /* width of a character: on the wide side, so that names stay inside */
#define LONGEST_NAME 40   /* characters; the whole name is in the tooltip */
#define ROW          20.0 /* between names */
#define EDGE         12.0
#define RULER_Y      30.0
#define AXIS_Y       72.0
#define BAR_GAP      9.0  /* between levels of bars */
#define ELBOW        14.0 /* between the bars and the names */

struct bar {
    size_t first, last; /* places in order of mean rank */
    size_t level;
};

struct drawing {
    const hs_comparison *comparison;
    hs_writer *out;
    struct bar *bars;
    size_t bar_count, levels;
    double low, high;   /* ranks at the ends of the axis */
    double left, scale; /* x of the lowest rank; pixels a rank */
    double right;       /* where the names of the right side begin */
    double shift; /* of the right side down: two methods at one place would share a line from side
                     to side */
    double width, height;
};

/* ---- pieces of SVG ---- */

static void put(struct drawing *d, const char *text) { hs_writer_text(d->out, text); }

static void put_number(struct drawing *d, double value)
{
    hs_writer_double(d->out, round(value * 10) / 10);
}

/* name="value" */
static void put_attribute(struct drawing *d, const char *name, double value)
{
    hs_writer_printf(d->out, " %s=\"", name);
    put_number(d, value);
    put(d, "\"");
}

static void put_line(struct drawing *d, double x1, double y1, double x2, double y2,
                     const char *more)
{
    put(d, "<line");
    put_attribute(d, "x1", x1);
    put_attribute(d, "y1", y1);
    put_attribute(d, "x2", x2);
    put_attribute(d, "y2", y2);
    hs_writer_printf(d->out, "%s/>\n", more);
}

/* Opens a text element; the caller writes what is in it and closes it. */
static void open_text(struct drawing *d, double x, double y, const char *more)
{
    put(d, "<text");
    put_attribute(d, "x", x);
    put_attribute(d, "y", y);
    hs_writer_printf(d->out, "%s>", more);
}

/* A rank or difference with two decimals, whatever the locale. */
static void put_rank(struct drawing *d, double value)
{
    long hundredths = lround(value * 100);
    hs_writer_printf(d->out, "%ld.%02ld", hundredths / 100, hundredths % 100);
}

/* ---- layout ---- */

static double rank_at(const struct drawing *d, size_t place)
{
    return d->comparison->mean_rank[d->comparison->order[place]];
}

static const char *name_at(const struct drawing *d, size_t place)
{
    return d->comparison->request.methods[d->comparison->order[place]];
}

static double x_of(const struct drawing *d, double rank)
{
    return d->left + (rank - d->low) * d->scale;
}

static size_t on_the_left(const struct drawing *d)
{
    return (d->comparison->request.results.columns + 1) / 2;
}

/* Bytes of a name that are shown. */
static size_t shown_bytes(const char *name)
{
    size_t at = 0;
    for (size_t characters = 0; name[at] && characters < LONGEST_NAME; characters++)
        for (at++; ((unsigned char)name[at] & 0xc0) == 0x80; at++) {
        }
    return at;
}

static double label_width(const char *name)
{
    size_t width = hs_text_width(name);
    return LETTER *
           (double)((width > LONGEST_NAME ? LONGEST_NAME + 1 : width) + 6); /* with its rank */
}

static double widest(const struct drawing *d, size_t first, size_t last)
{
    double most = 0;
    for (size_t i = first; i < last; i++)
        most = fmax(most, label_width(name_at(d, i)));
    return most;
}

/* Whether two bars would touch if they were on one level; `one` begins first. */
static bool bars_touch(const struct drawing *d, const struct bar *one, const struct bar *other)
{
    return (rank_at(d, other->first) - rank_at(d, one->last)) * d->scale < 2 * BAR_GAP;
}

static void add_bar(void *context, size_t first, size_t last)
{
    struct drawing *d = context;
    struct bar *bar = &d->bars[d->bar_count++];
    *bar = (struct bar){first, last, 0};
    for (struct bar *other = d->bars;
         other < bar;) /* again from the first whenever the level rises */
        if (other->level == bar->level && bars_touch(d, other, bar)) {
            bar->level++;
            other = d->bars;
        } else {
            other++;
        }
    d->levels = bar->level + 1 > d->levels ? bar->level + 1 : d->levels;
}

/* Whole ranks around the mean ranks; around a single one, its neighbours. */
static void choose_range(struct drawing *d)
{
    size_t columns = d->comparison->request.results.columns;
    d->low = floor(rank_at(d, 0));
    d->high = ceil(rank_at(d, columns - 1));
    if (d->high <= d->low) {
        d->low -= 1;
        d->high += 1;
    }
}

static void lay_out(struct drawing *d)
{
    size_t columns = d->comparison->request.results.columns, half = on_the_left(d);
    choose_range(d);
    double range = fmax(d->high - d->low, d->comparison->friedman.critical_difference);
    double plot = fmin(640, fmax(320, 26 * (double)columns));
    d->left = EDGE + widest(d, 0, half);
    d->scale = plot / range;
    d->right = d->left + plot;
    d->width = d->right + widest(d, half, columns) + EDGE;
    d->shift = rank_at(d, half - 1) == rank_at(d, half) ? ROW / 2 : 0;
    hs_comparison_groups(d->comparison, add_bar, d);
    d->height = AXIS_Y + ELBOW + BAR_GAP * (double)d->levels + ROW * (double)half + d->shift + EDGE;
}

/* ---- drawing ---- */

static void draw_head(struct drawing *d)
{
    put(d, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
    put_number(d, ceil(d->width));
    put(d, " ");
    put_number(d, ceil(d->height));
    put(d, "\"");
    put_attribute(d, "width", ceil(d->width));
    put_attribute(d, "height", ceil(d->height));
    put(d, " style=\"max-width:100%;height:auto;color-scheme:light dark\" "
           "font-family=\"system-ui,sans-serif\"");
    put_attribute(d, "font-size", FONT);
    put(d, " fill=\"currentColor\" stroke=\"none\">\n<title>Critical-difference diagram: mean "
           "ranks over ");
    hs_writer_u64(d->out, d->comparison->complete_rows);
    put(d, " data sets, best at the left; a bar joins methods that do not differ "
           "significantly</title>\n");
}

static void draw_ruler(struct drawing *d)
{
    double from = d->left, to = d->left + d->comparison->friedman.critical_difference * d->scale;
    put_line(d, from, RULER_Y, to, RULER_Y, "");
    put_line(d, from, RULER_Y - 4, from, RULER_Y + 4, "");
    put_line(d, to, RULER_Y - 4, to, RULER_Y + 4, "");
}

static void draw_axis(struct drawing *d)
{
    put(d, "<g stroke=\"currentColor\">\n");
    draw_ruler(d);
    put_line(d, x_of(d, d->low), AXIS_Y, x_of(d, d->high), AXIS_Y, "");
    for (double rank = d->low; rank <= d->high; rank++)
        put_line(d, x_of(d, rank), AXIS_Y - 6, x_of(d, rank), AXIS_Y, "");
    for (double rank = d->low; rank < d->high; rank++)
        put_line(d, x_of(d, rank + 0.5), AXIS_Y - 3, x_of(d, rank + 0.5), AXIS_Y, "");
    put(d, "</g>\n");
    double every = ceil(16 / d->scale); /* ranks between two numbers, so that these do not touch */
    for (double rank = d->low; rank <= d->high; rank += every) {
        open_text(d, x_of(d, rank), AXIS_Y - 11, " text-anchor=\"middle\"");
        put_number(d, rank);
        put(d, "</text>\n");
    }
    open_text(d, d->left, RULER_Y - 10, "");
    put(d, "critical difference ");
    put_rank(d, d->comparison->friedman.critical_difference);
    put(d, "</text>\n");
}

static void draw_bars(struct drawing *d)
{
    put(d, "<g stroke=\"currentColor\" stroke-width=\"5\" stroke-linecap=\"round\">\n");
    for (size_t i = 0; i < d->bar_count; i++) {
        double y = AXIS_Y + BAR_GAP * (double)(d->bars[i].level + 1);
        put_line(d, x_of(d, rank_at(d, d->bars[i].first)) - 2, y,
                 x_of(d, rank_at(d, d->bars[i].last)) + 2, y, "");
    }
    put(d, "</g>\n");
}

static void put_name(struct drawing *d, size_t place)
{
    const char *name = name_at(d, place);
    size_t bytes = shown_bytes(name);
    char shown[4 * LONGEST_NAME + 1];
    bytes = bytes < sizeof shown ? bytes : sizeof shown - 1;
    memcpy(shown, name, bytes);
    shown[bytes] = '\0';
    put(d, d->comparison->order[place] == d->comparison->request.control
               ? "<tspan font-weight=\"bold\">"
               : "<tspan>");
    hs_html_text(d->out, shown);
    put(d, name[bytes] ? "…</tspan>" : "</tspan>");
}

/* The rank stands between line and name, with a blank that is not collapsed on the side of the
 * name. */
static void draw_label(struct drawing *d, size_t place, double x, double y, bool left)
{
    open_text(d, left ? x - 5 : x + 5, y + FONT / 3, left ? " text-anchor=\"end\"" : "");
    put(d, "<title>");
    hs_html_text(d->out, name_at(d, place));
    put(d, "</title>");
    if (left) {
        put_name(d, place);
        put(d, "<tspan opacity=\".65\">\u00a0\u00a0");
        put_rank(d, rank_at(d, place));
        put(d, "</tspan></text>\n");
    } else {
        put(d, "<tspan opacity=\".65\">");
        put_rank(d, rank_at(d, place));
        put(d, "\u00a0\u00a0</tspan>");
        put_name(d, place);
        put(d, "</text>\n");
    }
}

static void draw_method(struct drawing *d, size_t place)
{
    size_t columns = d->comparison->request.results.columns;
    bool left = place < on_the_left(d);
    double row = (double)(left ? place : columns - 1 - place);
    double x = x_of(d, rank_at(d, place)), end = left ? d->left - 2 : d->right + 2;
    double y =
        AXIS_Y + ELBOW + BAR_GAP * (double)d->levels + ROW * row + ROW / 2 + (left ? 0 : d->shift);
    put(d, "<polyline fill=\"none\" stroke=\"currentColor\" points=\"");
    const double points[] = {x, AXIS_Y, x, y, end, y};
    for (size_t i = 0; i < 6; i++) {
        put_number(d, points[i]);
        put(d, i == 5 ? "\"/>\n" : i % 2 ? " " : ",");
    }
    draw_label(d, place, end, y, left);
}

int hs_cd_svg(const hs_comparison *comparison, hs_writer *out, hsel_error *error)
{
    size_t columns = comparison->request.results.columns;
    struct drawing d = {.comparison = comparison, .out = out};
    if (!comparison->tested)
        return hs_fail(error, HSEL_EUSAGE,
                       "a critical-difference diagram needs two methods and two data sets or more "
                       "on which every method "
                       "has a result; there %s %zu",
                       comparison->complete_rows == 1 ? "is" : "are", comparison->complete_rows);
    if (!(d.bars = HS_NEW(struct bar, columns)))
        return hs_fail_memory(error);
    lay_out(&d);
    draw_head(&d);
    draw_axis(&d);
    draw_bars(&d);
    for (size_t i = 0; i < columns; i++)
        draw_method(&d, i);
    put(&d, "</svg>\n");
    hs_free(d.bars);
    return HSEL_OK;
}

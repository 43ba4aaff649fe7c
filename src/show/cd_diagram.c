/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout: above the axis the critical difference as a ruler; below it the bars of the groups, in as
 * few levels as they need without touching; below them the names, the better half at the left and
 * the worse half at the right, the outermost method of each side on top, so that no two lines
 * cross. Space for names is reckoned from their number of characters.
 */
#include "show/comparison.h"

#include "show/document.h"

#define FONT         13.0 /* pixels, as all of these */
#define LETTER       8.2  /* width of a character, an upper estimate, so that names stay inside */
#define LONGEST_NAME 40   /* characters; the whole name is in the tooltip */
#define ROW          20.0 /* between names */
#define EDGE         12.0
#define RULER_Y      30.0
#define AXIS_Y       72.0
#define BAR_GAP      9.0  /* between levels of bars */
#define ELBOW        14.0 /* between the bars and the names */

struct bar {
    hs_group group;
    size_t level;
};

struct drawing {
    const hs_comparison *comparison;
    struct bar *bars;
    size_t bar_count, levels;
    size_t half;        /* names on the left */
    double low, high;   /* ranks at the ends of the axis */
    double left, scale; /* x of the lowest rank; pixels per rank */
    double right;       /* where the names of the right side begin */
    double shift; /* of the right side, downwards, so that two methods with the same rank do not
                     share a line */
    double width, height;
};

static double rank_at(const struct drawing *d, size_t place)
{
    return d->comparison->ranks.mean[d->comparison->order[place]];
}

static const char *name_at(const struct drawing *d, size_t place)
{
    return d->comparison->request.methods[d->comparison->order[place]];
}

static double x_of(const struct drawing *d, double rank)
{
    return d->left + (rank - d->low) * d->scale;
}

/* ---- layout ---- */

/* Of names with their ranks. */
static double widest(const struct drawing *d, size_t first, size_t last)
{
    size_t most = 0;
    for (size_t i = first; i < last; i++) {
        size_t width = hs_text_width(name_at(d, i));
        width = width > LONGEST_NAME ? LONGEST_NAME + 1 : width;
        most = width > most ? width : most;
    }
    return LETTER * (double)(most + 6);
}

static void lay_out(struct drawing *d)
{
    size_t columns = d->comparison->request.results.columns;
    /* Whole ranks around the mean ranks; around a single one, its neighbours. */
    d->low = floor(rank_at(d, 0));
    d->high = ceil(rank_at(d, columns - 1));
    if (d->high <= d->low) {
        d->low -= 1;
        d->high += 1;
    }
    double range = fmax(d->high - d->low, d->comparison->friedman.critical_difference);
    double plot = fmin(640, fmax(320, 26 * (double)columns));
    d->half = (columns + 1) / 2;
    d->left = EDGE + widest(d, 0, d->half);
    d->scale = plot / range;
    d->right = d->left + plot;
    d->width = d->right + widest(d, d->half, columns) + EDGE;
    d->shift = rank_at(d, d->half - 1) == rank_at(d, d->half) ? ROW / 2 : 0;
    /* A bar is on the lowest level where it touches none of those before it. */
    for (hs_group g = {0}; hs_next_group(d->comparison, &g); d->bar_count++) {
        struct bar *bar = &d->bars[d->bar_count], *other = d->bars;
        *bar = (struct bar){g, 0};
        while (other < bar)
            if (other->level == bar->level &&
                (rank_at(d, g.first) - rank_at(d, other->group.last)) * d->scale < 2 * BAR_GAP) {
                bar->level++;
                other = d->bars; /* again from the first whenever the level rises */
            } else {
                other++;
            }
        d->levels = bar->level + 1 > d->levels ? bar->level + 1 : d->levels;
    }
    d->height =
        AXIS_Y + ELBOW + BAR_GAP * (double)d->levels + ROW * (double)d->half + d->shift + EDGE;
}

/* ---- drawing ---- */

static void put_line(hs_writer *out, double x1, double y1, double x2, double y2)
{
    hs_put_html(out, "<line x1=\"%f\" y1=\"%f\" x2=\"%f\" y2=\"%f\"/>\n", x1, y1, x2, y2);
}

/* A rank or difference with two decimals, halves away from 0. */
static void put_rank(hs_writer *out, double value)
{
    long hundredths = lround(value * 100);
    hs_writer_printf(out, "%ld.%02ld", hundredths / 100, hundredths % 100);
}

static void put_name(const struct drawing *d, hs_writer *out, size_t place)
{
    const char *name = name_at(d, place);
    char shown[4 * LONGEST_NAME + 1];
    size_t bytes = hs_fitting(name, LONGEST_NAME);
    snprintf(shown, sizeof shown, "%.*s", (int)bytes, name);
    bool control = d->comparison->order[place] == d->comparison->request.control;
    hs_put_html(out, control ? "<tspan font-weight=\"bold\">%s" : "<tspan>%s", shown);
    hs_put_html(out, name[bytes] ? "…</tspan>" : "</tspan>");
}

int hs_cd_svg(const hs_comparison *comparison, hs_writer *out, hsel_error *error)
{
    size_t columns = comparison->request.results.columns;
    if (!comparison->tested)
        return hs_fail(error, HSEL_EUSAGE,
                       "a critical-difference diagram needs two methods and two data sets or more "
                       "on which every method has a result; there %s %zu",
                       comparison->ranks.complete == 1 ? "is" : "are", comparison->ranks.complete);
    HS_OWNED struct bar *bars = HS_NEW(struct bar, columns);
    HS_NEED(bars);
    struct drawing drawing = {.comparison = comparison, .bars = bars}, *d = &drawing;
    lay_out(d);
    double width = ceil(d->width), height = ceil(d->height),
           difference = comparison->friedman.critical_difference, from = d->left,
           to = d->left + difference * d->scale;
    hs_put_html(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %f %f\" "
        "width=\"%f\" height=\"%f\" style=\"max-width:100%%;height:auto;color-scheme:light "
        "dark\" font-family=\"system-ui,sans-serif\" font-size=\"%f\" fill=\"currentColor\" "
        "stroke=\"none\">\n<title>Critical-difference diagram: mean ranks over %zu data sets, best "
        "at the left; a bar joins methods that do not differ significantly</title>\n"
        "<g stroke=\"currentColor\">\n",
        width, height, width, height, FONT, comparison->ranks.complete);
    put_line(out, from, RULER_Y, to, RULER_Y);
    put_line(out, from, RULER_Y - 4, from, RULER_Y + 4);
    put_line(out, to, RULER_Y - 4, to, RULER_Y + 4);
    put_line(out, x_of(d, d->low), AXIS_Y, x_of(d, d->high), AXIS_Y);
    for (double rank = d->low; rank <= d->high; rank++)
        put_line(out, x_of(d, rank), AXIS_Y - 6, x_of(d, rank), AXIS_Y);
    for (double rank = d->low; rank < d->high; rank++)
        put_line(out, x_of(d, rank + 0.5), AXIS_Y - 3, x_of(d, rank + 0.5), AXIS_Y);
    hs_put_html(out, "</g>\n");
    double every = ceil(16 / d->scale); /* ranks between two numbers, so that these do not touch */
    for (double rank = d->low; rank <= d->high; rank += every)
        hs_put_html(out, "<text x=\"%f\" y=\"%f\" text-anchor=\"middle\">%f</text>\n",
                    x_of(d, rank), AXIS_Y - 11, rank);
    hs_put_html(out, "<text x=\"%f\" y=\"%f\">critical difference ", d->left, RULER_Y - 10);
    put_rank(out, difference);
    hs_put_html(
        out, "</text>\n<g stroke=\"currentColor\" stroke-width=\"5\" stroke-linecap=\"round\">\n");
    for (const struct bar *bar = d->bars; bar < d->bars + d->bar_count; bar++) {
        double y = AXIS_Y + BAR_GAP * (double)(bar->level + 1);
        put_line(out, x_of(d, rank_at(d, bar->group.first)) - 2, y,
                 x_of(d, rank_at(d, bar->group.last)) + 2, y);
    }
    hs_put_html(out, "</g>\n");
    /* A line to each name. The rank stands between them, with a blank that is not collapsed on the
     * side of the name. */
    for (size_t place = 0; place < columns; place++) {
        bool left = place < d->half;
        double row = (double)(left ? place : columns - 1 - place);
        double x = x_of(d, rank_at(d, place)), end = left ? d->left - 2 : d->right + 2;
        double y = AXIS_Y + ELBOW + BAR_GAP * (double)d->levels + ROW * row + ROW / 2 +
                   (left ? 0 : d->shift);
        hs_put_html(
            out, "<polyline fill=\"none\" stroke=\"currentColor\" points=\"%f,%f %f,%f %f,%f\"/>\n",
            x, AXIS_Y, x, y, end, y);
        hs_put_html(out, "<text x=\"%f\" y=\"%f\"", left ? end - 5 : end + 5, y + FONT / 3);
        hs_put_html(out, left ? " text-anchor=\"end\"><title>%s</title>" : "><title>%s</title>",
                    name_at(d, place));
        if (left)
            put_name(d, out, place);
        hs_put_html(out, left ? "<tspan opacity=\".65\">\u00a0\u00a0" : "<tspan opacity=\".65\">");
        put_rank(out, rank_at(d, place));
        hs_put_html(out, left ? "</tspan>" : "\u00a0\u00a0</tspan>");
        if (!left)
            put_name(d, out, place);
        hs_put_html(out, "</text>\n");
    }
    hs_put_html(out, "</svg>\n");
    return HSEL_OK;
}

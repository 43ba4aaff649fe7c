/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout: the names or numbers of the vertical axis at the left, the legend at the right, a line
 * each. Space for words is reckoned from their number of characters. Points of lines and bands are
 * whole pixels, each relative to the one before, which keeps pages with hundreds of curves small.
 */
#include "study/report/chart.h"

#include <sys/stat.h>

#define FONT    12.0 /* pixels, as all of these */
#define LETTER  7.2  /* width of a character, on the wide side */
#define LONGEST 32   /* characters of a name; hovering shows it whole */
#define ROW     17.0 /* between lines of the legend */
#define TOP     10.0
#define LEGEND  170.0 /* at least, so that charts side by side look alike */
#define BOTTOM  42.0  /* numbers and the label of the horizontal axis */

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#9a7400", "#56b4e9", "#6a3d9a", "#8b4513",
                                      "#e31a1c", "#1b7837", "#5a6b7b", "#111111"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* ---- what is drawn ---- */

void hs_chart_clear(hs_chart *chart)
{
    hs_arena_clear(&chart->arena);
    chart->series = NULL;
    chart->count = chart->capacity = 0;
}

void hs_add_series(hs_chart *chart, hs_series series)
{
    chart->failed |= !hs_arena_grow(&chart->arena, &chart->series, chart->count, &chart->capacity,
                                    sizeof *chart->series);
    if (!chart->failed)
        chart->series[chart->count++] = series;
}

void hs_add_point(hs_chart *chart, hs_point point)
{
    if (chart->failed)
        return;
    hs_series *last = &chart->series[chart->count - 1];
    chart->failed = !hs_arena_grow(&chart->arena, &last->points, last->count, &last->capacity,
                                   sizeof *last->points);
    if (!chart->failed)
        last->points[last->count++] = point;
}

static bool is_known(const hs_point *point) { return !isnan(point->x) && !isnan(point->y); }

/* ---- axes ---- */

/* Between marks: 1, 2 or 5 times a power of ten, so that there are about five. */
static double nice_step(double from, double to)
{
    double raw = (to - from) / 5, power = pow(10, floor(log10(raw)));
    return raw <= power       ? power
           : raw <= 2 * power ? 2 * power
           : raw <= 5 * power ? 5 * power
                              : 10 * power;
}

typedef struct scale {
    const hs_axis *axis;
    double from, to, step; /* of a logarithmic one: exponents of 10 */
    double start, length;  /* pixels; length < 0: upwards */
} scale;

static double place(const scale *s, double value)
{
    value = s->axis->log ? log10(value) : value;
    return s->start + s->length * (value - s->from) / (s->to - s->from);
}

/* The ends and marks of an axis, as given or else from the data. */
static scale fit(const hs_chart *chart, const hs_axis *axis, bool horizontal)
{
    scale s = {axis, axis->from, axis->to, 1, 0, 0};
    double low = INFINITY, high = -INFINITY;
    if (axis->names) {
        s.from = (double)axis->name_count - 0.5; /* the first on top */
        s.to = -0.5;
        return s;
    }
    for (size_t i = 0; i < chart->count; i++) {
        const hs_series *series = &chart->series[i];
        bool band = series->look & HS_BAND && !horizontal;
        for (const hs_point *p = series->points; p < series->points + series->count; p++) {
            double v = horizontal ? p->x : p->y;
            if (axis->log && !(v > 0))
                continue;
            low = fmin(low, band ? fmin(v, p->low) : v);
            high = fmax(high, band ? fmax(v, p->high) : v);
        }
    }
    if (axis->log) {
        s.from = floor(log10(low));
        s.to = fmax(ceil(log10(high)), s.from + 1);
        return s;
    }
    if (s.from == 0 && s.to == 0) {
        double room = high > low ? 0.04 * (high - low) : fabs(low) > 0 ? 0.1 * fabs(low) : 0.5;
        s.from = low - room;
        s.to = high + room;
        s.step = nice_step(s.from, s.to);
        s.from = floor(s.from / s.step) * s.step;
        s.to = ceil(s.to / s.step) * s.step;
        s.from = low >= 0 ? fmax(s.from, 0) : s.from;
        s.to = axis->shares && high <= 1 ? fmin(s.to, 1) : s.to;
    }
    s.step = nice_step(s.from, s.to);
    return s;
}

/* The value of a mark; NaN beyond the last. */
static double mark(const scale *s, size_t number)
{
    if (s->axis->names)
        return number < s->axis->name_count ? (double)number : (double)NAN;
    double first = s->axis->log ? s->from : ceil(s->from / s->step - 1e-9) * s->step;
    double value = first + (double)number * s->step;
    if (value > s->to + 1e-9 * s->step)
        return (double)NAN;
    return s->axis->log ? pow(10, value) : fabs(value) < 1e-9 * s->step ? 0 : value;
}

static const char *number_text(const hs_axis *axis, double value, char out[40])
{
    hs_print(out, 40, axis->shares ? "%.4g %%" : "%.4g", axis->shares ? 100 * value : value);
    return out;
}

/* Numbers have no percent sign, which the label of the axis has. */
static const char *mark_text(const hs_axis *axis, double value, char out[40])
{
    if (axis->names)
        return axis->names[(size_t)value];
    hs_print(out, 40, "%.6g", axis->shares ? 100 * value : value);
    return out;
}

static double width_of(const char *text)
{
    size_t columns = hs_text_width(text);
    return LETTER * (double)(columns > LONGEST ? LONGEST : columns);
}

/* Cut to LONGEST columns; then all of it is in a title. */
static void put_words(hs_writer *out, const char *text)
{
    char shown[4 * LONGEST + 9]; /* with accents */
    size_t bytes = hs_fitting(text, LONGEST);
    if (!text[bytes]) {
        hs_put_html(out, "%s</text>", text);
        return;
    }
    snprintf(shown, sizeof shown, "%.*s", (int)hs_fitting(text, LONGEST - 1), text);
    hs_put_html(out, "%s…<title>%s</title></text>", shown, text);
}

static void put_axes(hs_writer *out, const scale *x, const scale *y)
{
    char text[40];
    double left = x->start, right = left + x->length, bottom = y->start, top = bottom + y->length;
    double value;
    hs_put_html(out, "<path class=\"grid\" stroke=\"#ddd\" d=\"");
    for (size_t i = 0; !isnan(value = mark(x, i)); i++)
        hs_put_html(out, "M%f %fV%f", place(x, value), bottom, top);
    for (size_t i = 0; !isnan(value = mark(y, i)); i++)
        hs_put_html(out, "M%f %fH%f", left, place(y, value), right);
    hs_put_html(out,
                "\"/>\n<path class=\"axis\" stroke=\"#666\" fill=\"none\" d=\"M%f %fV%fH%f\"/>\n"
                "<g text-anchor=\"middle\">",
                left, top, bottom, right);
    for (size_t i = 0; !isnan(value = mark(x, i)); i++)
        hs_put_html(out, "<text x=\"%f\" y=\"%f\">%s</text>", place(x, value), bottom + 15,
                    mark_text(x->axis, value, text));
    hs_put_html(out, "</g>\n<g text-anchor=\"end\">");
    for (size_t i = 0; !isnan(value = mark(y, i)); i++) {
        hs_put_html(out, "<text x=\"%f\" y=\"%f\">", left - 6, place(y, value) + 4);
        put_words(out, mark_text(y->axis, value, text));
    }
    hs_put_html(out, "</g>\n<text x=\"%f\" y=\"%f\" text-anchor=\"middle\">%s%s</text>",
                (left + right) / 2, bottom + 34, x->axis->label, x->axis->shares ? ", %" : "");
    if (y->axis->label)
        hs_put_html(out,
                    "<text transform=\"translate(12 %f) rotate(-90)\" "
                    "text-anchor=\"middle\">%s%s</text>\n",
                    (top + bottom) / 2, y->axis->label, y->axis->shares ? ", %" : "");
}

/* ---- series ---- */

enum edge { LINE, LOW, HIGH };

/* A path through the points, or along their band; missing points interrupt a line. */
static void put_path(hs_writer *out, const scale *x, const scale *y, const hs_series *s,
                     enum edge of, bool *begun, long at[2])
{
    for (size_t i = 0; i < s->count; i++) {
        const hs_point *p = &s->points[of == LOW ? s->count - 1 - i : i]; /* a band goes back */
        double value = of == LOW ? p->low : of == HIGH ? p->high : p->y;
        if (isnan(p->x) || isnan(value)) {
            *begun = *begun && of != LINE;
            continue;
        }
        long h = lround(place(x, p->x)), v = lround(place(y, value));
        if (!*begun)
            hs_writer_printf(out, "M%ld %ld", h, v);
        else if (h != at[0] || v != at[1])
            hs_writer_printf(out, v < at[1] ? "l%ld%ld" : "l%ld %ld", h - at[0], v - at[1]);
        *begun = true;
        at[0] = h;
        at[1] = v;
    }
}

static void put_series(hs_writer *out, const hs_chart *chart, const scale *x, const scale *y,
                       const hs_series *s, const char *label)
{
    bool begun = false;
    long at[2] = {0, 0};
    if (s->look & HS_BAND && s->count > 1) {
        hs_put_html(out, "<path class=\"band\" fill=\"currentColor\" fill-opacity=\".16\" d=\"");
        put_path(out, x, y, s, HIGH, &begun, at);
        put_path(out, x, y, s, LOW, &begun, at);
        hs_put_html(out, begun ? "z\"/>" : "\"/>");
    }
    if (s->look & HS_LINE && s->count > 1) {
        begun = false;
        hs_put_html(out, "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"%f\"",
                    s->look & HS_THIN ? 0.8 : 1.8);
        hs_put_html(out, s->look & HS_DASHED ? " stroke-dasharray=\"5 4\" d=\"" : " d=\"");
        put_path(out, x, y, s, LINE, &begun, at);
        hs_put_html(out, "\">");
        if (s->name || label)
            hs_put_html(out, "<title>%s</title>", s->name ? s->name : label);
        hs_put_html(out, "</path>");
    }
    for (const hs_point *p = s->points; s->look & HS_DOTS && p < s->points + s->count; p++) {
        char numbers[2][40];
        if (!is_known(p) || (chart->x.log && !(p->x > 0)))
            continue;
        hs_put_html(out,
                    s->look & HS_SMALL
                        ? "<circle cx=\"%f\" cy=\"%f\" r=\"2.5\" opacity=\".55\"><title>"
                        : "<circle cx=\"%f\" cy=\"%f\" r=\"5\"><title>",
                    place(x, p->x), place(y, p->y));
        if (label)
            hs_put_html(out, "%s", label);
        if (p->name)
            hs_put_html(out, label ? ", %s" : "%s", p->name);
        hs_put_html(out, label || p->name ? ": %s %s" : "%s %s", chart->x.label,
                    number_text(&chart->x, p->x, numbers[0]));
        if (!chart->y.names)
            hs_put_html(out, ", %s %s", chart->y.label, number_text(&chart->y, p->y, numbers[1]));
        hs_put_html(out, "</title></circle>");
    }
}

static void put_head(hs_writer *out, bool is_chart, double width, double height, const char *alt)
{
    hs_put_html(out, is_chart ? "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\""
                              : "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    hs_put_html(out,
                " role=\"img\" viewBox=\"0 0 %f %f\" width=\"%f\" height=\"%f\" "
                "font-family=\"system-ui,sans-serif\" font-size=\"%f\" "
                "fill=\"#222\">\n<title>%s</title>\n",
                width, height, width, height, FONT, alt);
}

static void draw(const hs_chart *chart, hs_writer *out)
{
    scale x = fit(chart, &chart->x, true), y = fit(chart, &chart->y, false);
    double before = 0, after = 0, value;
    size_t legend = 0;
    char text[40];
    for (size_t i = 0; i < chart->count; i++)
        if (chart->series[i].label) {
            after = fmax(after, width_of(chart->series[i].label) + 34);
            legend++;
        }
    for (size_t i = 0; !isnan(value = mark(&y, i)); i++)
        before = fmax(before, width_of(mark_text(&chart->y, value, text)));
    x.start = ceil(before + (chart->y.label ? 30 : 12));
    x.length = chart->width;
    y.start = TOP + chart->height;
    y.length = -chart->height;
    double width = x.start + x.length + fmax(after, legend ? LEGEND : 20),
           height = fmax(TOP + chart->height + BOTTOM, TOP + ROW * (double)legend + 6);
    put_head(out, true, width, height, chart->alt);
    put_axes(out, &x, &y);
    legend = 0;
    bool open = false;
    const char *label = NULL;
    for (size_t i = 0; i < chart->count; i++) {
        const hs_series *s = &chart->series[i];
        if (s->label || !open) {
            if (open)
                hs_put_html(out, "</g>\n");
            open = true;
            label = s->label;
            hs_put_html(out, s->look & HS_LEAD ? "<g class=\"s lead" : "<g class=\"s");
            if (s->colour == HS_GREY)
                hs_put_html(out, " cx\" color=\"#9aa3ab\" fill=\"currentColor\">");
            else
                hs_put_html(out, " c%zu\" color=\"%s\" fill=\"currentColor\">", s->colour % COLOURS,
                            colours[s->colour % COLOURS]);
            if (label) {
                double row = TOP + 6 + ROW * (double)legend++, at = x.start + x.length + 12;
                hs_put_html(out, "<path stroke=\"currentColor\" stroke-width=\"3\" d=\"M%f %fh14\"",
                            at, row);
                hs_put_html(out, s->look & HS_DASHED ? " stroke-dasharray=\"5 4\"/>" : "/>");
                hs_put_html(out, "<text fill=\"#222\" x=\"%f\" y=\"%f\">", at + 18, row + 4);
                put_words(out, label);
            }
        }
        put_series(out, chart, &x, &y, s, label);
    }
    hs_put_html(out, "</g>\n</svg>\n");
}

/* ---- files ---- */

/* In a folder, which is made if it is not there. */
static int open_file(const char *folder, const char *name, const char *ending, hs_writer **out,
                     hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return hs_fail_errno(error, folder, "make the folder");
    hs_buf_printf(&path, "%s/%s.%s", folder, name, ending);
    HS_NEED(!path.failed && *name); /* of hs_say when memory ran out */
    return hs_writer_open(path.text, out, error);
}

/* The picture, and a table with a row for each point. */
static int save(const hs_chart *chart, const char *folder, const hs_buf *picture, hsel_error *error)
{
    HS_OWNS(hs_writer_release) hs_writer *out = NULL, *data = NULL;
    double by_x = chart->x.shares ? 100 : 1, by_y = chart->y.shares ? 100 : 1;
    const char *label = "";
    HS_TRY(open_file(folder, chart->name, "svg", &out, error));
    hs_writer_put(out, picture->text, picture->length);
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    HS_TRY(open_file(folder, chart->name, "tsv", &data, error));
    hs_writer_text(data, "series\tx\ty\tlow\thigh\tname\n");
    for (const hs_series *s = chart->series; s < chart->series + chart->count; s++) {
        bool band = s->look & HS_BAND;
        label = s->label ? s->label : label;
        for (const hs_point *p = s->points; p < s->points + s->count; p++)
            if (is_known(p))
                hs_put_escaped(data, hs_tsv_text, "%s\t%g\t%g\t%g\t%g\t%s\n",
                               s->name ? s->name : label, by_x * p->x, by_y * p->y,
                               band ? by_y * p->low : (double)NAN,
                               band ? by_y * p->high : (double)NAN,
                               p->name          ? p->name
                               : chart->y.names ? chart->y.names[(size_t)p->y]
                                                : "");
    }
    return hs_writer_commit(hs_take(&data), error);
}

int hs_chart_add(const hs_chart *chart, const char *folder, hs_document *doc, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    bool any = false;
    HS_NEED(!chart->failed);
    for (size_t i = 0; i < chart->count; i++)
        for (size_t p = 0; p < chart->series[i].count && !any; p++)
            any = is_known(&chart->series[i].points[p]);
    if (!any)
        return HSEL_OK;
    HS_TRY(hs_writer_open_memory(&text, &out, error));
    draw(chart, out);
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    if (folder)
        HS_TRY(save(chart, folder, &text, error));
    hs_add_picture(doc, chart->alt, chart->caption, &text);
    return hs_document_check(doc, error);
}

/* ---- heat maps ---- */

/* Each cell shows its number, so that no colours are needed; colours are light enough for dark
 * text. */
int hs_heat_map_save(const char *folder, const char *name, const char *alt,
                     const char *const *names, size_t count, const double *values,
                     hsel_error *error)
{
    enum { CELL = 44 };
    HS_OWNS(hs_writer_release) hs_writer *out = NULL, *data = NULL;
    double room = 0; /* of names, at the left and above */
    for (size_t i = 0; i < count; i++)
        room = fmax(room, width_of(names[i]) + 12);
    HS_TRY(open_file(folder, name, "svg", &out, error));
    put_head(out, false, 1.5 * room + CELL * (double)count, room + CELL * (double)count + 4, alt);
    hs_put_html(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    for (size_t j = 0; j < count; j++) {
        hs_put_html(out, "<text transform=\"translate(%f %f) rotate(-60)\">",
                    room + CELL * ((double)j + 0.6), room - 6);
        put_words(out, names[j]);
    }
    for (size_t i = 0; i < count; i++) {
        double y = room + CELL * (double)i;
        hs_put_html(out, "\n<text x=\"%f\" y=\"%f\" text-anchor=\"end\">", room - 6,
                    y + CELL / 2 + 4);
        put_words(out, names[i]);
        for (size_t j = 0; j < count; j++) {
            double value = values[i * count + j], x = room + CELL * (double)j;
            if (isnan(value))
                continue;
            hs_writer_printf(out,
                             "\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                             "fill-opacity=\"%.2f\"/><text x=\"%.1f\" y=\"%.1f\" "
                             "text-anchor=\"middle\">%.2f</text>",
                             x, y, CELL - 1, CELL - 1, colours[value < 0],
                             0.65 * fmin(fabs(value), 1), x + CELL / 2, y + CELL / 2 + 4, value);
        }
    }
    hs_put_html(out, "\n</svg>\n");
    HS_TRY(hs_writer_commit(hs_take(&out), error));
    HS_TRY(open_file(folder, name, "tsv", &data, error));
    hs_writer_text(data, "row\tcolumn\tvalue\n");
    for (size_t i = 0; i < count * count; i++)
        hs_put_escaped(data, hs_tsv_text, "%s\t%s\t%g\n", names[i / count], names[i % count],
                       values[i]);
    return hs_writer_commit(hs_take(&data), error);
}

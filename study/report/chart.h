/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts as SVG: dots, lines and bands over two axes, and heat maps. The same <svg> element is a
 * complete file and can be embedded in a page: plain colours are attributes, which the style of the
 * page overrides by class, so that charts follow its light and dark. Hovering names a point. Text
 * from files is escaped.
 *
 * The data of a chart can be written as a table (.tsv), a row for each point or cell.
 */
#pragma once

#include "show/document.h"

typedef struct hs_axis {
    const char *label;
    double from, to; /* both 0: by the data, and not below 0 where they are not */
    bool shares;     /* shown in percent; by the data it stays below 1 where they do */
    bool log;
    const char *const *names; /* of the places 0, 1, … from the top; NULL: numbers */
    size_t name_count;
} hs_axis;

enum hs_look {
    HS_DOTS = 1 << 0,
    HS_SMALL = 1 << 1, /* dots */
    HS_LINE = 1 << 2,
    HS_THIN = 1 << 3,   /* line */
    HS_DASHED = 1 << 4, /* line */
    HS_BAND = 1 << 5,   /* between low and high of its points … */
    HS_LEAD = 1 << 6    /* … is in sight; others are while hovered over */
};
#define HS_GREY SIZE_MAX

typedef struct hs_point {
    double x, y;      /* one that is NaN is left out */
    double low, high; /* of a band */
    const char *name; /* NULL: none */
} hs_point;

typedef struct hs_series {
    const char *label; /* in the legend; NULL: it belongs to the one before it */
    unsigned look;
    size_t colour;    /* or HS_GREY */
    const char *name; /* of the line; NULL: the label */
    hs_point *points;
    size_t count, capacity;
} hs_series;

typedef struct hs_chart { /* hs_chart_clear frees what was added; names and labels are borrowed */
    const char *name;     /* of the files, without ending: letters, digits and dashes */
    const char *alt, *caption;
    hs_axis x, y;
    double width, height; /* of the area of the axes */
    hs_arena arena;
    hs_series *series;
    size_t count, capacity;
    bool failed; /* memory ran out; hs_chart_add reports it */
} hs_chart;

void hs_chart_clear(hs_chart *chart);
/* Adds a series, to which the following points belong. */
void hs_add_series(hs_chart *chart, hs_series series);
void hs_add_point(hs_chart *chart, hs_point point);
/* Adds the picture to the document, and writes picture and data to the folder (created if missing),
 * if there is one. A chart without points is left out. */
HSEL_CHECKED int hs_chart_add(const hs_chart *chart, const char *folder, hs_document *doc,
                              hsel_error *error);
/* Saves a heat map of a number for every two names into the folder: values[count * count], blue up
 * to 1, orange down to -1, NaN: empty. */
HSEL_CHECKED int hs_heat_map_save(const char *folder, const char *name, const char *alt,
                                  const char *const *names, size_t count, const double *values,
                                  hsel_error *error);

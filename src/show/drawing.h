/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawing: boxes and lines between them, made from an explanation, from features of a data set or
 * from a model, and written for Graphviz (DOT), as GraphML, or by Graphviz's program dot as SVG,
 * PDF or PNG.
 *
 * Of a hierarchy the most important features are drawn with their ancestors. Runs of other terms
 * become one box "… 4 terms …"; when there are too many boxes, so do all other terms but roots, and
 * fewer features are drawn. Names come from files and may be anything.
 */
#pragma once

#include "learn/explain.h"
#include "show/document.h"

#define HS_DRAWN_NODES 60 /* number of boxes that is still readable */

typedef struct hs_box {
    const char *label, *name; /* its label (NULL: none), and its identifier */
    const char *text;         /* a line below; NULL: none */
    uint32_t feature;         /* HSEL_NONE: it is not a feature */
    uint32_t hidden;          /* number of hidden terms that it represents; 0: none */
    double value;             /* NaN: none */
    double shade;             /* from -1 (orange) to 1 (blue); NaN: grey */
    bool chosen;              /* a strong frame */
    bool lacking;             /* a dashed frame: the instance does not have it */
    bool leaf;                /* of a tree: round */
} hs_box;

typedef struct hs_line {
    uint32_t from, to; /* boxes: the parent, the child */
    const char *text;  /* NULL: none */
    /* Of a hierarchy what the edge is, or the way through hidden terms that it belongs to; NULL:
     * is_a. Solid, part_of dashed, all others dotted. */
    const char *relation;
} hs_line;

typedef struct hs_drawing { /* zero-initialise; hs_drawing_clear frees */
    hs_document doc;        /* its texts */
    const char *title, *legend;
    const char *whole; /* names that are cut in title and legend (hs_drawing_name); NULL: none */
    const char *value_name; /* what the values are: "log_odds" */
    bool is_a;              /* lines are those of a hierarchy: arrows go to the parent */
    hs_box *boxes;
    hs_line *lines;
    size_t box_count, box_capacity, line_count, line_capacity;
    uint32_t drawn, of; /* features that were to be drawn */
} hs_drawing;

void hs_drawing_clear(hs_drawing *drawing);
/* A name for title or legend, cut if it is long; `whole` then has it in full. */
const char *hs_drawing_name(hs_drawing *drawing, const char *name);
/* The same of one of two classes. */
const char *hs_drawing_class(hs_drawing *drawing, const hsel_dataset *data, bool positive);

/* Features of a data set, on its hierarchy; the caller then fills the boxes. */
typedef struct hs_drawn_features {
    const hsel_dataset *data;
    const uint32_t *ranked; /* features, the most important first */
    uint32_t count;
    uint32_t limit;    /* boxes at most; 0: all */
    const bool *lacks; /* [features]: the instance does not have it: of its ancestors only parents
                          are drawn; NULL: none */
} hs_drawn_features;

/* HSEL_EUSAGE: there is no hierarchy. */
HSEL_CHECKED int hs_draw_features(hs_drawing *drawing, const hs_drawn_features *features,
                                  hsel_error *error);
HSEL_CHECKED int hs_draw_explanation(hs_drawing *drawing, const hs_explanation *explanation,
                                     uint32_t limit, hsel_error *error);
/* A tree; a network; for other classifiers the features that they use, on the hierarchy.
 * HSEL_EUNSUPPORTED: there is nothing to draw. */
HSEL_CHECKED int hs_draw_model(hs_drawing *drawing, const hs_model *model, uint32_t limit,
                               hsel_error *error);

HSEL_CHECKED int hs_drawing_dot(const hs_drawing *drawing, hs_writer *out, hsel_error *error);
void hs_drawing_graphml(const hs_drawing *drawing, hs_writer *out);
/* The output of Graphviz's dot in this form (svg, pdf, png; of a text of its language also plain).
 * HSEL_EUNSUPPORTED: it is not installed, or it failed. */
HSEL_CHECKED int hs_dot_run(const hs_buf *dot, const char *form, hs_buf *out, hsel_error *error);
HSEL_CHECKED int hs_drawing_run(const hs_drawing *drawing, const char *form, hs_buf *out,
                                hsel_error *error);

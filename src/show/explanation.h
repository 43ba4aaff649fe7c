/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows an explanation (learn/explain.h) as text and JSON; drawing.h draws it.
 */
#pragma once

#include "learn/explain.h"

/* How the text looks: {0} is all features on lines of 100 columns. */
typedef struct hs_text_style {
    uint32_t top; /* features at most; 0: all of the explanation */
    size_t width; /* columns; 0: 100 */
    bool whole;   /* also the part of the hierarchy, as a tree with every term */
    bool ascii;   /* no signs that are not ASCII */
} hs_text_style;

#define HS_SCREEN 10 /* features that fit a screen */

HSEL_CHECKED int hs_explanation_text(const hs_explanation *explanation, const hs_text_style *style,
                                     hs_writer *out, hsel_error *error);
HSEL_CHECKED int hs_explanation_json(const hs_explanation *explanation, hs_writer *out,
                                     hsel_error *error);

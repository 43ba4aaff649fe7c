/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A text that expands to many: "shsel:threshold={0.98,0.99}", "shsel:threshold=0..1/0.01". A walk
 * goes through all combinations in order of writing, the last choice changing fastest; it stores a
 * position in the text and no list, so that a grid of any size costs nothing until it is used.
 */
#pragma once

#include "data/data.h"

#define HS_GRID_CHOICES 16 /* braces and ranges in one text */

/* A decimal range in units of 10^-digits, so that 0..1/0.01 meets 0.07 and 1 exactly. */
typedef struct hs_grid_range {
    int64_t low, step;
    uint64_t count; /* values; 0: a plain word */
    int digits;
} hs_grid_range;

typedef struct hs_grid_choice {
    const char *begin, *end; /* the text it replaces, including braces */
    bool in_braces;
    const char *item, *item_end; /* where the walk is … */
    hs_grid_range range;
    uint64_t at; /* … and within a range */
} hs_grid_choice;

typedef struct hs_grid {
    const char *text;
    hs_grid_choice choices[HS_GRID_CHOICES];
    size_t choice_count; /* 0: a plain text */
    uint64_t count;      /* combinations */
} hs_grid;

/* Finds the choices and counts; `text` must outlive the grid. The walk stands at the first
 * combination. HSEL_EUSAGE: braces or ranges that make no sense; HSEL_ELIMIT: more combinations
 * than 64 bits count. */
HSEL_CHECKED int hs_grid_init(const char *text, hs_grid *out, hsel_error *error);
/* To the next combination; false when the walk was at the last one (it then stands at the first
 * again). */
bool hs_grid_next(hs_grid *grid);
/* The text where the walk stands, and what was chosen in it ("0.98", "2,ig"). */
void hs_grid_text(const hs_grid *grid, hs_buf *out);
void hs_grid_chosen(const hs_grid *grid, hs_buf *out);

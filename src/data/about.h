/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Further information on features or instances, for display: columns of texts, such as the label
 * and the namespace of a term, or the symbol of a gene. Only classes (data/classes.h), strata and
 * other roles (data/design.h) are used in computations. An empty text is unknown.
 */
#pragma once

#include "core/json.h"
#include "core/names.h"
#include "data/graph.h"

#define HS_ABOUT_LABEL     "label"
#define HS_ABOUT_NAMESPACE "namespace"
#define HS_ABOUT_STRATUM   "stratum" /* of instances: the strata of p-values (infer/p_values.h) */

typedef struct hs_about { /* zero-initialise; hs_about_clear frees */
    hs_names columns;     /* names of the columns; the label is the first, if it is there */
    hs_names cells;       /* the texts, one item after the other, columns.count of each */
} hs_about;

void hs_about_clear(hs_about *about);
HSEL_CHECKED int hs_about_copy(const hs_about *from, hs_about *to, hsel_error *error);
/* Of the items with keep[i] set (NULL: of all), in order; there are `items` of them. */
HSEL_CHECKED int hs_about_subset(const hs_about *from, const bool *keep, uint32_t items,
                                 hs_about *to, hsel_error *error);
/* Item i is item index[i] of *from; HSEL_NONE: no information. */
HSEL_CHECKED int hs_about_pick(const hs_about *from, const uint32_t *index, uint32_t items,
                               hs_about *to, hsel_error *error);
/* Labels and namespaces of the terms of a graph; item i is the term term_of[i], which is HSEL_NONE
 * where there is none. Columns in which nothing is known are left out. */
HSEL_CHECKED int hs_about_terms(const hs_graph *graph, const uint32_t *term_of, uint32_t items,
                                hs_about *out, hsel_error *error);
/* Adds the columns and texts of `more` to *about, for the same items; if both have a text, that of
 * `more` is used. */
HSEL_CHECKED int hs_about_join(hs_about *about, const hs_about *more, uint32_t items,
                               hsel_error *error);
/* Removes a column, if it is there. */
HSEL_CHECKED int hs_about_drop(hs_about *about, const char *name, hsel_error *error);
uint32_t hs_about_labels(const hs_about *about); /* items with a label */
/* Number of the column; HSEL_NONE: there is none of that name. */
uint32_t hs_about_column(const hs_about *about, const char *name);
/* The first item with this label, in any case of ASCII letters; *others counts further ones.
 * HSEL_NONE: none. */
uint32_t hs_about_find(const hs_about *about, const char *label, uint32_t *others);
/* Finds an item: the first with this identifier, else the one with this label, in any case. *out
 * HSEL_NONE: there is none; then `near`, if it is not NULL, receives up to five similar items (";
 * did you mean 181727 aak-2?"), or nothing. HSEL_EUSAGE if several have the label. `what` the items
 * are is for the message. */
HSEL_CHECKED int hs_about_search(const hs_about *about, const hs_names *ids, const char *what,
                                 const char *wanted, uint32_t *out, hs_buf *near,
                                 hsel_error *error);

/* The text of an item, NULL if it is unknown; `column` may be HSEL_NONE. */
static inline const char *hs_about_get(const hs_about *about, uint32_t item, uint32_t column)
{
    uint32_t columns = about->columns.count;
    if (column >= columns || item >= about->cells.count / columns)
        return NULL;
    const char *text = hs_names_get(&about->cells, item * columns + column);
    return *text ? text : NULL;
}

/* The label of an item, NULL if it has none. */
static inline const char *hs_about_label(const hs_about *about, uint32_t item)
{
    return hs_about_get(about, item, hs_about_column(about, HS_ABOUT_LABEL));
}

/* ---- labels beside identifiers ---- */

/* Whether some items have labels: then tables and JSON have a label for each, which may be empty or
 * null.
 */
static inline bool hs_has_labels(const hs_about *about)
{
    return hs_about_column(about, HS_ABOUT_LABEL) != HSEL_NONE;
}

#define HS_LABEL_WIDTH 60
#define HS_LABEL_ROOM  256
/* " regulation of cell cycle": a blank and the label, for display: on one line, with unsafe
 * characters escaped (hs_show_character) and cut to HS_LABEL_WIDTH columns with "…". "" if there is
 * none. The label itself starts at the second byte. */
const char *hs_label_after(const hs_about *about, uint32_t item, char out[HS_LABEL_ROOM]);
/* For programs, in full: the member `label` of an object, a further cell of a line of CSV or TSV.
 * Nothing if there are no labels at all. */
void hs_label_json(hs_json *json, const hs_about *about, uint32_t item);
void hs_label_csv(hs_writer *out, const hs_about *about, uint32_t item);
void hs_label_tsv(hs_writer *out, const hs_about *about, uint32_t item);

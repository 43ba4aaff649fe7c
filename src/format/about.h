/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and writes tables of labels (features.tsv, --labels) and of metadata (instances.tsv,
 * --metadata): one line per feature or instance with its identifier, label and further columns.
 */
#pragma once

#include "data/data.h"

typedef struct hs_about_how {
    const char *what;     /* the items are, in messages: "feature" */
    const char *id;       /* column of the identifiers; NULL: `id`, else the first */
    const hs_list *named; /* metadata: columns that have another use than to be the label; NULL:
                             labels */
    bool unseen;          /* a table that has only texts for display is not read */
} hs_about_how;

typedef struct hs_about_report {
    uint32_t rows;    /* of the table; 0: none was read */
    uint32_t named;   /* features or instances that it has a row for … */
    uint32_t items;   /* … of so many */
    uint32_t unknown; /* rows with an unknown identifier */
    uint32_t id;      /* its column of identifiers, … */
    bool id_named;    /* … which is a column that has another use */
} hs_about_report;

/* Adds the content of the table to *about. The label is the column `label`, else the first other
 * one; in metadata only if that is the only one and has no other use. There a missing value (NA, ?)
 * is no text. A first line whose identifier is an item's own is not a header: then the columns are
 * id, label and namespace. path NULL: does nothing. HSEL_EFORMAT for a repeated identifier, and for
 * a table that names none of the items. */
HSEL_CHECKED int hs_about_load(const char *path, const hs_about_how *how, hs_names *ids,
                               uint32_t items, hs_about *about, hs_about_report *report,
                               hsel_error *error);
/* The table as TSV, by the identifiers. Texts of items without identifier, or with a repeated one,
 * may be lost: *lost counts them. */
HSEL_CHECKED int hs_about_write(const hs_about *about, const hs_names *ids, uint32_t items,
                                hs_writer *writer, uint32_t *lost, hsel_error *error);

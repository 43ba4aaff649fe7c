/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and writes tables of labels (features.tsv, instances.tsv, --labels): one line per feature
 * or instance with its identifier, label and further columns.
 */
#pragma once

#include "data/data.h"

typedef struct hs_about_report {
    uint32_t rows;    /* of the table; 0: none was read */
    uint32_t named;   /* features or instances that it has a row for … */
    uint32_t items;   /* … of so many */
    uint32_t unknown; /* rows whose identifier is none of theirs */
} hs_about_report;

/* Adds the content of the table to *about. The identifier is the column `id`, else the first; the
 * label is the column `label`, else the first other one. A first line whose identifier is an item's
 * own is not a header: then the columns are id, label and namespace. path NULL: does nothing.
 * `what` names the items in messages. shown false: a table that has only texts for display is not
 * read. HSEL_EFORMAT for a repeated identifier, and for a table that names none of the items. */
HSEL_CHECKED int hs_about_load(const char *path, const char *what, hs_names *ids, uint32_t items,
                               bool shown, hs_about *about, hs_about_report *report,
                               hsel_error *error);
/* The table as TSV, by the identifiers. Texts of items without identifier, or with a repeated one,
 * may be lost: *lost counts them. */
HSEL_CHECKED int hs_about_write(const hs_about *about, const hs_names *ids, uint32_t items,
                                hs_writer *writer, uint32_t *lost, hsel_error *error);

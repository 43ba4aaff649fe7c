/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of texts: aligned for reading, or as CSV for programs.
 */
#ifndef HS_REPORT_TEXT_TABLE_H
#define HS_REPORT_TEXT_TABLE_H

#include "core/arena.h"
#include "core/writer.h"

typedef struct hs_text_table { /* initialise with {.arena = …, .columns = …} */
    hs_arena *arena;
    size_t columns, cells, capacity;
    const char **cell; /* row after row; the first row is the heading */
    bool failed;       /* out of memory: reported by the printing functions */
} hs_text_table;

void hs_table_cell(hs_text_table *table, const char *format, ...) HS_PRINTF(2, 3);
/* Columns from `left` on are aligned to the right (numbers). */
HSEL_CHECKED int hs_table_print(const hs_text_table *table, size_t left, hs_writer *out,
                                hsel_error *error);
HSEL_CHECKED int hs_table_print_csv(const hs_text_table *table, hs_writer *out, hsel_error *error);

/* One field of CSV, quoted if it must be. */
void hs_put_csv(hs_writer *out, const char *text);
/* One field of a tab-separated line: tabs and line ends become blanks. */
void hs_put_tsv(hs_writer *out, const char *text);

#endif

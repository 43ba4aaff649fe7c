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

/* Words on lines of at most `width` columns, all but the first indented, where the cursor stands
 * there already. Blanks between words become one; a line end stays one. */
void hs_put_wrapped(hs_writer *out, const char *words, size_t width, size_t indent);

/* The text as people may see it, on one line (hs_show_character): itself, or a copy in the arena.
 */
const char *hs_shown(const char *text, hs_arena *arena);

#endif

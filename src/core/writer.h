/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a file so that it appears whole or not at all: everything goes to a temporary file beside
 * it, which takes the name on commit. Write errors are kept and reported by commit, so callers need
 * no checks between.
 */
#ifndef HS_CORE_WRITER_H
#define HS_CORE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/text.h"

typedef struct hs_writer hs_writer;

/* "-" is standard output (written through, no temporary file); a name ending in .gz is compressed.
 */
HSEL_CHECKED int hs_writer_open(const char *path, hs_writer **out, hsel_error *error);
/* Into a buffer that the caller keeps. */
HSEL_CHECKED int hs_writer_open_memory(hs_buf *buffer, hs_writer **out, hsel_error *error);
/* A further file that goes with `writer` (its name with `ending` in place of its own last ending
 * and .gz); it is committed or abandoned together with it. Not for standard output. */
HSEL_CHECKED int hs_writer_open_sibling(hs_writer *writer, const char *ending, hs_writer **out,
                                        hsel_error *error);

/* What is put is for people from now on: whatever could command a terminal is written out
 * (hs_show_character), but for tabs and line feeds. So it is of itself when standard output is a
 * terminal. Characters must be put whole. */
void hs_writer_for_people(hs_writer *writer);
/* CSV is safe to open in a spreadsheet (safe), or what it says byte by byte. Set for a writer, or
 * with NULL for every writer that is opened later. */
void hs_writer_csv_safe(hs_writer *writer, bool safe);
/* Is this a cell that gets a single quote in front? Ask for every cell of CSV and TSV. */
bool hs_writer_guards(const hs_writer *writer, const char *text, size_t length);
bool hs_csv_was_written(void); /* somebody has asked */
/* One field of CSV, quoted if it must be. */
void hs_put_csv(hs_writer *out, const char *text);
/* One field of a tab-separated line: tabs and line ends become blanks. */
void hs_put_tsv(hs_writer *out, const char *text);

void hs_writer_put(hs_writer *writer, const void *bytes, size_t length);
void hs_writer_text(hs_writer *writer, const char *text);
void hs_writer_char(hs_writer *writer, char c);
void hs_writer_printf(hs_writer *writer, const char *format, ...) HS_PRINTF(2, 3);
void hs_writer_u64(hs_writer *writer, uint64_t value);
void hs_writer_double(hs_writer *writer, double value); /* shortest exact text */
uint64_t hs_writer_offset(const hs_writer *writer);     /* bytes put so far, before compression */
const char *hs_writer_path(const hs_writer *writer);    /* NULL: not a file */

/* Finishes and frees the writer and its siblings; on failure nothing is left behind. */
HSEL_CHECKED int hs_writer_commit(hs_writer *writer, hsel_error *error);
/* Gives up: removes the temporary file and frees. NULL is fine. */
void hs_writer_abandon(hs_writer *writer);
/* Told the path of each temporary file as it comes (true) and goes (false): for clean-up on
 * signals. */
void hs_writer_watch(void (*watch)(const char *path, bool alive));

#endif

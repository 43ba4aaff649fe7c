/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a file so that it appears whole or not at all: output goes to a temporary file in the
 * same folder (.NAME.hsel-0), which is synced and renamed on commit. Write errors are reported by
 * commit, so callers need no checks in between.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/mem.h"
#include "core/text.h"

typedef struct hs_writer hs_writer;
struct hs_json;

/* "-" is standard output (written through, no temporary file); a name ending in .gz is compressed.
 */
HSEL_CHECKED int hs_writer_open(const char *path, hs_writer **out, hsel_error *error);
/* Into a buffer of the caller. */
HSEL_CHECKED int hs_writer_open_memory(hs_buf *buffer, hs_writer **out, hsel_error *error);
/* Discards the output and computes its length and hash (XXH3, 64 bits), which hs_writer_sum returns
 * and resets. */
HSEL_CHECKED int hs_writer_open_sum(hs_writer **out, hsel_error *error);
void hs_writer_sum(hs_writer *writer, uint64_t *length, uint64_t *hash);

/* ---- several files as one output ---- Further files join the first and are committed or abandoned
 * with it. A set of two or more has a manifest with a hash of each: NAME.manifest.json in the
 * folder of the first file, NAME being its full name, unless the set provides its own. On commit
 * all files are complete and synced before the first is put in place, and the manifest is the
 * first: if the rest is interrupted, readers that check the manifest (load/folder.h) find the old
 * set, the new one, or one that they refuse. */

#define HS_MANIFEST ".manifest.json"
#define HS_HASH     17 /* bytes of a hash as text: XXH3, 64 bits, in hexadecimal */

HSEL_CHECKED int hs_writer_open_part(hs_writer *writer, const char *path, hs_writer **out,
                                     hsel_error *error);
/* The manifest of a set with further content: the caller writes it last, with hs_writer_list_parts
 * as one of its keys. */
HSEL_CHECKED int hs_writer_open_manifest(hs_writer *writer, const char *path, hs_writer **out,
                                         hsel_error *error);
/* Puts "parts": {name: hash, …} into the object that is open. Nothing can be written to the parts
 * after that. */
HSEL_CHECKED int hs_writer_list_parts(hs_writer *writer, struct hs_json *json, hsel_error *error);
/* A file of an older set that is not part of this one: removed on commit, if it exists. */
HSEL_CHECKED int hs_writer_remove(hs_writer *writer, const char *path, hsel_error *error);
/* The name of a file and its hash, as in a manifest: without its folder, non-ASCII bytes as %XX. */
void hs_part_name(const char *path, hs_buf *out);
HSEL_CHECKED int hs_file_hash(const char *path, char *out, hsel_error *error);

/* Escapes everything that could control a terminal (hs_show_character), except tabs and line feeds.
 * This is the default if standard output is a terminal. Put whole characters. */
void hs_writer_for_people(hs_writer *writer);
/* Flushes standard output; has no effect on files, which appear whole. */
void hs_writer_flush(hs_writer *writer);
/* Whether CSV is made safe for spreadsheets, or written byte by byte. Set for a writer, or with
 * NULL for every writer opened later. */
void hs_writer_csv_safe(hs_writer *writer, bool safe);
/* Whether this cell needs a single quote in front. Call it for every cell of CSV and TSV. */
bool hs_writer_guards(const hs_writer *writer, const char *text, size_t length);
bool hs_csv_was_written(void); /* it was called */

void hs_writer_put(hs_writer *writer, const void *bytes, size_t length);
void hs_writer_text(hs_writer *writer, const char *text);
void hs_writer_char(hs_writer *writer, char c);
void hs_writer_printf(hs_writer *writer, const char *format, ...) HS_PRINTF(2, 3);
void hs_writer_u64(hs_writer *writer, uint64_t value);
void hs_writer_double(hs_writer *writer, double value); /* shortest exact text */
const char *hs_writer_path(const hs_writer *writer);    /* NULL: not a file */

/* Finishes, syncs and frees the writer and its set; a failure before the first file is in place
 * leaves nothing behind. */
HSEL_CHECKED int hs_writer_commit(hs_writer *writer, hsel_error *error);
/* Abandons the output: removes the temporary file and frees. Accepts NULL. */
void hs_writer_abandon(hs_writer *writer);
HS_RELEASE(hs_writer_release, hs_writer, hs_writer_abandon)
/* HS_OPEN(out, "-"); … return hs_writer_commit(hs_take(&out), error); declares a writer that is
 * abandoned if the block is left in any other way. */
#define HS_OPEN(out, path)                                                                         \
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;                                              \
    HS_TRY(hs_writer_open(path, &out, error))
/* Writes to memory: everything put into `out` is in `text` after hs_memo_end. Zero-initialise;
 * hs_memo_clear frees. */
typedef struct hs_memo {
    hs_buf text;
    hs_writer *out;
} hs_memo;
HSEL_CHECKED static inline int hs_memo_open(hs_memo *memo, hsel_error *error)
{
    return hs_writer_open_memory(&memo->text, &memo->out, error);
}
HSEL_CHECKED static inline int hs_memo_end(hs_memo *memo, hsel_error *error)
{
    return hs_writer_commit((hs_writer *)hs_take(&memo->out), error);
}
static inline void hs_memo_clear(hs_memo *memo)
{
    hs_writer_abandon(memo->out);
    hs_buf_clear(&memo->text);
}
/* Called with the path of each temporary file when it is created (true) and removed (false), for
 * clean-up on signals. */
void hs_writer_watch(void (*watch)(const char *path, bool alive));

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading text line by line from a file, standard input or memory; gzip (also several members, as
 * bgzip writes) is unpacked on the way. Lines end in LF or CRLF; a UTF-8 byte order mark is
 * skipped.
 */
#pragma once

#include <stddef.h>

#include "core/error.h"
#include "core/mem.h"
#include "core/option.h"
#include "core/progress.h"

typedef struct hs_reader hs_reader;

/* Limits of one input, so that a small file cannot take all memory or time. They apply to the whole
 * process, to every reader opened later; set them before starting threads.
 */
typedef struct hs_limits {
    uint64_t line;  /* MiB of a line */
    uint64_t token; /* MiB of a text in RDF/XML */
    uint64_t size;  /* MiB of an input, unpacked */
    uint64_t ratio; /* unpacked size by packed size, of inputs above HS_RATIO_FREE */
    uint64_t depth; /* of elements in XML */
} hs_limits;

#define HS_RATIO_FREE ((uint64_t)64 << 20) /* bytes that are unpacked whatever the ratio */

extern const hs_option hs_limits_table[]; /* over hs_limits */
const hs_limits *hs_limits_now(void);
void hs_limits_set(const hs_limits *limits);

/* Receiver of the number of bytes read from a file, of its size (0: unknown), by its name; NULL:
 * none. For the whole process, as the limits are; `progress` lives until another is set. */
void hs_reader_watch(const hs_progress *progress);

HSEL_CHECKED int hs_reader_open(const char *path, hs_reader **out,
                                hsel_error *error); /* "-" is standard input */
HSEL_CHECKED int hs_reader_open_memory(const char *name, const void *data, size_t length,
                                       hs_reader **out, hsel_error *error);
void hs_reader_close(hs_reader *reader);
HS_RELEASE(hs_reader_release, hs_reader, hs_reader_close)

/* 1: a line, NUL-terminated without its line end, which the caller may change until the next call;
 * 0: end; negative: error. A line with a NUL byte in it is an error (not a text file), as is one
 * above the limit. */
HSEL_CHECKED int hs_reader_line(hs_reader *reader, char **line, size_t *length, hsel_error *error);
/* Lengthens the last line by the one after it, with a line feed between (for quoted fields that
 * hold line ends). The text may move. 1, 0 at the end, negative. */
HSEL_CHECKED int hs_reader_more(hs_reader *reader, char **line, size_t *length, hsel_error *error);
/* The next bytes without consuming them: at most `want` (up to 64 KiB). */
HSEL_CHECKED int hs_reader_peek(hs_reader *reader, size_t want, const char **data, size_t *length,
                                hsel_error *error);
/* The next block of bytes, for parsers that take chunks. 1, 0 at the end, negative. */
HSEL_CHECKED int hs_reader_block(hs_reader *reader, const char **data, size_t *length,
                                 hsel_error *error);

/* The rest of the input, followed by a NUL. */
HSEL_CHECKED int hs_reader_all(hs_reader *reader, hs_buf *out, hsel_error *error);

const char *hs_reader_name(const hs_reader *reader); /* for messages */
const char *hs_reader_path(const hs_reader *reader); /* NULL: not a file */
unsigned long hs_reader_line_number(const hs_reader *reader);

/* HSEL_EFORMAT at the last line read. */
int hs_fail_line(hsel_error *error, const hs_reader *reader, const char *format, ...)
    HS_PRINTF(3, 4);
/* Adds a place to an error of a layer that does not know the file: the last line read, or the whole
 * file for a wrong option. Returns `status`; other errors and success are unchanged. */
int hs_fail_placed(hsel_error *error, const hs_reader *reader, int status);

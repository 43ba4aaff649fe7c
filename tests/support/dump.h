/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A data set as short text, so that a test can state the whole of what a reader must have made of a
 * file.
 *
 *     a:b x:n c:{red,blue} | no,yes        features with their types | classes
 *     g1 1 2.5 red yes                     id if any, values, label ("?" for what is missing)
 */
#ifndef HS_TESTS_DUMP_H
#define HS_TESTS_DUMP_H

#include "format/format.h"

void hs_dump(const hsel_dataset *data, hs_buf *out);

/* Reads `text` under the name "t", checks the data set and compares its dump with `expected`. */
void hs_check_reads(const char *format, const hs_column_options *options, const char *text,
                    const char *expected);
/* Reading must fail with this status and message. */
void hs_check_refuses(const char *format, const hs_column_options *options, const char *text,
                      int status, const char *message);
/* Reads a text in memory; `options` may be NULL. */
int hs_read_text(const char *format, const hs_column_options *options, const char *text,
                 size_t length, hsel_dataset **out, hsel_error *error);
/* The data set in a format, into `out`. */
int hs_write_text(const char *format, const hsel_dataset *data, hs_buf *out, hsel_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data formats in tests: reading from text or file, writing to either, and tables of bad input.
 */
#ifndef HS_TESTS_DATA_IO_H
#define HS_TESTS_DATA_IO_H

#include "format/format.h"

/* options NULL: none. The file is called "x" in messages. */
int hs_io_read_text(const hs_method *method, const char *text, const hs_column_options *options,
                    hsel_dataset **out, hsel_error *error);
int hs_io_read_file(const hs_method *method, const char *path, const hs_column_options *options,
                    hsel_dataset **out, hsel_error *error);
int hs_io_write_text(const hs_method *method, const hsel_dataset *data, hs_buf *out,
                     hsel_error *error);
int hs_io_write_file(const hs_method *method, const hsel_dataset *data, const char *path,
                     hsel_error *error);
/* Makes a file with this content; fails the running test if it cannot. */
void hs_io_put(const char *path, const void *bytes, size_t length);

/* The data set, checked; fails the running test if it cannot be read. Free it. */
hsel_dataset *hs_io_good(const hs_method *method, const char *text,
                         const hs_column_options *options);
/* Reading must fail with exactly this message. */
typedef struct hs_io_bad {
    const char *text, *message;
} hs_io_bad;
void hs_io_refuse(const hs_method *method, const char *text, const hs_column_options *options,
                  const char *message);

/* A row as text, "0 2 5", for short asserts; good until the next call. */
const char *hs_io_row(const hsel_dataset *data, uint32_t instance);
/* A value of any feature: numbers as they are, positive 1, nominal its code. */
double hs_io_value(const hsel_dataset *data, uint32_t instance, uint32_t feature);

#endif

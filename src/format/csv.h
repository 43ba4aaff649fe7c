/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the reader (csv.c) and the writer (csv_write.c) of CSV and TSV share.
 */
#ifndef HS_FORMAT_CSV_H
#define HS_FORMAT_CSV_H

#include "core/writer.h"
#include "data/dataset.h"

/* Whether a field that is not quoted stands for a missing value: empty, ?, NA, nan. */
bool hs_csv_is_missing(const char *text, size_t length);

HSEL_CHECKED int hs_csv_write(const hsel_dataset *data, hs_writer *writer, char delimiter,
                              hsel_error *error);

#endif

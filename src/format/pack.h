/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs (.hsel): a whole data set with its hierarchy in one file that is mapped into memory.
 *
 * A file may be damaged or malicious: reading checks every checksum and every number
 * (hs_dataset_check), in one pass at the speed of memory.
 *
 * If a file is changed in place while it is mapped, the checks no longer hold: wrong numbers,
 * SIGBUS or SIGSEGV may follow. hs_writer never does that, and a copy is not affected.
 * hs_pack_watch reports which files are mapped; the command uses it.
 */
#pragma once

#include "data/data.h"

/* The same as the format's read_data. The arrays of the data set are in the mapped file or, up to
 * 64 MiB, in a copy of it. */
HSEL_CHECKED int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error);

/* Called with each file that is mapped from now on, while it is still open. */
typedef void (*hs_pack_watch_function)(const char *path, int file);
void hs_pack_watch(hs_pack_watch_function watch);

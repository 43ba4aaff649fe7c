/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading bytes with a format and writing data with it, from and to memory where the format can,
 * else through a memory file or a temporary folder. Shared by the round-trip tests, the fuzz
 * targets and the replay of their corpora.
 */
#ifndef HS_TESTS_TRIP_H
#define HS_TESTS_TRIP_H

#include "format/format.h"

typedef struct hs_trip { /* what was written, for reading back; hs_trip_clear frees */
    const hs_method *method;
    hs_buf bytes;    /* in memory … */
    char folder[64]; /* … or in the file `path` of this folder ("": none) */
    char path[128];
} hs_trip;

/* A reader over bytes in memory; formats that need a path get /proc/self/fd/N. Close with
 * hs_bytes_close. */
typedef struct hs_bytes {
    hs_reader *reader;
    int descriptor;
} hs_bytes;

int hs_bytes_open(const hs_method *method, const void *bytes, size_t length, hs_bytes *out,
                  hsel_error *error);
void hs_bytes_close(hs_bytes *bytes);

/* To a file in a temporary folder if asked (formats may put names in further files beside it), else
 * to memory if the format can. */
int hs_trip_write(hs_trip *trip, bool to_folder, const hs_method *method, enum hs_role role,
                  const hsel_dataset *data, hsel_error *error);
int hs_trip_read_data(const hs_trip *trip, const hs_column_options *options, hsel_dataset **out,
                      hsel_error *error);
int hs_trip_read_graph(const hs_trip *trip, const hs_graph_options *options, hs_graph *out,
                       hsel_error *error);
void hs_trip_clear(hs_trip *trip);

/* What a format keeps of a data set (hs_same). */
unsigned hs_trip_keeps(const hs_method *method);

/* Reads the bytes in every role the format has. What can be read must pass its self-check and
 * survive being written and read again. NULL: all is well (or the bytes are refused with a proper
 * message); else what is wrong. */
const char *hs_exercise(const hs_method *method, const void *bytes, size_t length);

#endif

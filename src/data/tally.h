/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds up columns: in how many of the given columns is each row? This is most of the work of
 * distances between rows of binary data.
 *
 * A column is a list of rows and is usually added row by row. Columns that are at least 1/16 full
 * (the general features of a hierarchy, which instances share most) are kept as one byte a row from
 * their second use on: adding 16 bytes at a time is then many times faster than walking the list.
 * Sums are whole numbers, so both ways give the same.
 *
 * Memory: 4 bytes a column and 5 a row, at most 16 a row of a full column. One a thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hs_tally { /* zero-initialise; hs_tally_clear frees */
    uint32_t columns, rows, slots;
    size_t stride;   /* rows, rounded up to whole blocks */
    uint32_t *slot;  /* [columns]: of a full column; HSEL_NONE for others */
    uint8_t *use;    /* [slots]: 0 not used yet, 1 used once, 2 has its bytes */
    uint8_t *bytes;  /* [slots * stride]: 1 for the rows of the column */
    int8_t *pending; /* [stride]: what bytes added and sum does not have yet … */
    uint32_t added;  /* … by this many columns */
    int32_t *sum;    /* [stride]: the answer, after hs_tally_finish */
} hs_tally;

/* Before use: the sizes, then the length of each column that will be added (others cost nothing),
 * then memory. */
HSEL_CHECKED int hs_tally_init(hs_tally *tally, uint32_t columns, uint32_t rows, hsel_error *error);
void hs_tally_expect(hs_tally *tally, uint32_t column, size_t length);
HSEL_CHECKED int hs_tally_ready(hs_tally *tally, hsel_error *error);
void hs_tally_clear(hs_tally *tally);

/* All sums 0; then add 1 to the rows of a column, or take 1 away; then the sums. A column has the
 * same list every time. */
void hs_tally_start(hs_tally *tally);
void hs_tally_add(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length);
void hs_tally_subtract(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length);
const int32_t *hs_tally_finish(hs_tally *tally);

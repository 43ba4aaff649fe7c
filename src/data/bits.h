/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit sets and bit columns. A bit column is 64-byte aligned and its tail bits are zero, so that
 * counting is popcount over whole words.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct hsel_dataset;

static inline size_t hs_bit_words(size_t bits) { return (bits + 63) / 64; }
static inline bool hs_bit_get(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }
static inline void hs_bit_set(uint64_t *set, size_t i) { set[i / 64] |= (uint64_t)1 << (i % 64); }
static inline void hs_bit_unset(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* Number of ones in `words` words; in the intersection of two sets. */
size_t hs_bits_count(const uint64_t *set, size_t words);
size_t hs_bits_count_and(const uint64_t *a, const uint64_t *b, size_t words);

/* The binary features as bit columns over the instances taken in `order` (NULL: as they are), e.g.
 * by class. */
typedef struct hs_bit_columns {
    uint64_t *words; /* column f starts at words + f * stride */
    size_t stride;   /* words a column, a multiple of 8 */
    uint32_t columns, rows;
} hs_bit_columns;

HSEL_CHECKED int hs_bit_columns_new(const struct hsel_dataset *data, const uint32_t *order,
                                    uint32_t rows, hs_bit_columns *out, hsel_error *error);
void hs_bit_columns_clear(hs_bit_columns *columns);

static inline const uint64_t *hs_bit_column(const hs_bit_columns *columns, uint32_t feature)
{
    assert(feature < columns->columns);
    return columns->words + (size_t)feature * columns->stride;
}

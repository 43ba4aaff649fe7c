/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes are added in blocks of fixed length, which every compiler turns into vector instructions. A
 * signed byte holds what FLUSH columns can do to it; then the bytes go into the sums.
 */
#include "data/data.h"

enum {
    BLOCK = 64,
    FULL = 16,  /* a column of at least 1 / FULL of the rows has bytes */
    FLUSH = 127 /* the most that a signed byte can hold, and its opposite */
};

int hs_tally_init(hs_tally *tally, uint32_t columns, uint32_t rows, hsel_error *error)
{
    *tally = (hs_tally){
        .columns = columns, .rows = rows, .stride = ((size_t)rows + BLOCK - 1) / BLOCK * BLOCK};
    HS_NEED(tally->slot = hs_new_none(columns));
    return HSEL_OK;
}

void hs_tally_expect(hs_tally *tally, uint32_t column, size_t length)
{
    if (tally->slot[column] == HSEL_NONE && length * FULL >= tally->rows && length > 0)
        tally->slot[column] = tally->slots++;
}

int hs_tally_ready(hs_tally *tally, hsel_error *error)
{
    bool fits = !tally->slots || tally->stride <= SIZE_MAX / tally->slots;
    tally->use = HS_NEW_ZERO(uint8_t, tally->slots);
    tally->bytes = fits ? HS_NEW(uint8_t, tally->slots * tally->stride) : NULL;
    tally->pending = HS_NEW_ZERO(int8_t, tally->stride);
    tally->sum = HS_NEW_ZERO(int32_t, tally->stride);
    HS_NEED(tally->use && tally->bytes && tally->pending && tally->sum);
    return HSEL_OK;
}

void hs_tally_clear(hs_tally *tally)
{
    HS_FREE(tally->slot, tally->use, tally->bytes, tally->pending, tally->sum);
    *tally = (hs_tally){0};
}

/* ---- the inner loops. Arguments and constant trip counts let the compiler use vectors. ---- */

static void flush_bytes(int8_t *restrict pending, int32_t *restrict sum, size_t stride)
{
    for (size_t at = 0; at < stride; at += BLOCK)
        for (size_t i = 0; i < BLOCK; i++)
            sum[at + i] += pending[at + i];
    memset(pending, 0, stride);
}

static void add_bytes(int8_t *restrict pending, const uint8_t *restrict bytes, size_t stride)
{
    for (size_t at = 0; at < stride; at += BLOCK)
        for (size_t i = 0; i < BLOCK; i++)
            pending[at + i] = (int8_t)(pending[at + i] + bytes[at + i]);
}

static void subtract_bytes(int8_t *restrict pending, const uint8_t *restrict bytes, size_t stride)
{
    for (size_t at = 0; at < stride; at += BLOCK)
        for (size_t i = 0; i < BLOCK; i++)
            pending[at + i] = (int8_t)(pending[at + i] - bytes[at + i]);
}

/* ---- sums ---- */

void hs_tally_start(hs_tally *tally)
{
    memset(tally->sum, 0, tally->stride * sizeof *tally->sum);
    if (tally->added)
        memset(tally->pending, 0, tally->stride);
    tally->added = 0;
}

const int32_t *hs_tally_finish(hs_tally *tally)
{
    if (tally->added)
        flush_bytes(tally->pending, tally->sum, tally->stride);
    tally->added = 0;
    return tally->sum;
}

/* The bytes of a column; NULL while its list must do. A column used once only is not worth them. */
static const uint8_t *bytes_of(hs_tally *tally, uint32_t column, const uint32_t *list,
                               size_t length)
{
    assert(column < tally->columns && tally->sum);
    uint32_t slot = tally->slot[column];
    if (slot == HSEL_NONE)
        return NULL;
    uint8_t *bytes = tally->bytes + slot * tally->stride;
    if (tally->use[slot] == 0) {
        tally->use[slot] = 1;
        return NULL;
    }
    if (tally->use[slot] == 1) {
        tally->use[slot] = 2;
        memset(bytes, 0, tally->stride);
        for (size_t i = 0; i < length; i++)
            bytes[list[i]] = 1;
    }
    return bytes;
}

static void add_column(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length,
                       int sign)
{
    const uint8_t *bytes = bytes_of(tally, column, list, length);
    for (size_t i = 0; !bytes && i < length; i++)
        tally->sum[list[i]] += sign;
    if (!bytes)
        return;
    if (tally->added == FLUSH)
        flush_bytes(tally->pending, tally->sum, tally->stride);
    tally->added = tally->added % FLUSH + 1;
    if (sign > 0)
        add_bytes(tally->pending, bytes, tally->stride);
    else
        subtract_bytes(tally->pending, bytes, tally->stride);
}

void hs_tally_add(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length)
{
    add_column(tally, column, list, length, 1);
}

void hs_tally_subtract(hs_tally *tally, uint32_t column, const uint32_t *list, size_t length)
{
    add_column(tally, column, list, length, -1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting in bit sets, and bit columns made from a data set. The counting loops are compiled once
 * for each kind of processor that counts bits in hardware and chosen when the program is loaded;
 * they rely on zero tails, so a column is counted in whole words.
 */
#include "data/bits.h"

#include "core/mem.h"
#include "data/dataset.h"

/* Several versions of a function, picked by the loader: x86-64 with GNU indirect functions. Not
 * under sanitizers, whose run-time library is not up yet when the loader asks which version to
 * take. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#if defined(__has_attribute) && defined(__x86_64__) && defined(__gnu_linux__) && !defined(SANITIZED)
#if __has_attribute(target_clones)
#define PER_PROCESSOR __attribute__((target_clones("default", "popcnt", "avx2")))
#endif
#endif
#ifndef PER_PROCESSOR
#define PER_PROCESSOR
#endif

PER_PROCESSOR size_t hs_bits_count(const uint64_t *set, size_t words)
{
    size_t total = 0;
    for (size_t w = 0; w < words; w++)
        total += (size_t)__builtin_popcountll(set[w]);
    return total;
}

PER_PROCESSOR size_t hs_bits_count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    size_t total = 0;
    for (size_t w = 0; w < words; w++)
        total += (size_t)__builtin_popcountll(a[w] & b[w]);
    return total;
}

size_t hs_bits_count_range(const uint64_t *set, size_t from, size_t to)
{
    if (from >= to)
        return 0;
    size_t first = from / 64, last = (to - 1) / 64;
    uint64_t head = ~UINT64_C(0) << (from % 64), tail = ~UINT64_C(0) >> (63 - (to - 1) % 64);
    if (first == last)
        return (size_t)__builtin_popcountll(set[first] & head & tail);
    return (size_t)__builtin_popcountll(set[first] & head) +
           hs_bits_count(set + first + 1, last - first - 1) +
           (size_t)__builtin_popcountll(set[last] & tail);
}

/* Column by column, because each column then stays in the cache while it is filled. */
static void fill_by_columns(const hsel_dataset *data, hs_bit_columns *columns)
{
    for (uint32_t f = 0; f < data->features; f++) {
        uint64_t *words = columns->words + (size_t)f * columns->stride;
        size_t count;
        const uint32_t *list = hs_column(data, f, &count);
        for (size_t i = 0; i < count && list[i] < columns->rows; i++)
            hs_bit_set(words, list[i]);
    }
}

/* An order may leave instances out or repeat them, which rows follow without an index of positions.
 */
static void fill_by_rows(const hsel_dataset *data, const uint32_t *order, hs_bit_columns *columns)
{
    for (uint32_t i = 0; i < columns->rows; i++) {
        size_t count;
        const uint32_t *list = hs_row(data, order[i], &count);
        for (size_t j = 0; j < count; j++)
            hs_bit_set(columns->words + (size_t)list[j] * columns->stride, i);
    }
}

int hs_bit_columns_new(const hsel_dataset *data, const uint32_t *order, uint32_t rows,
                       hs_bit_columns *out, hsel_error *error)
{
    *out = (hs_bit_columns){
        .stride = (hs_bit_words(rows) + 7) / 8 * 8, .columns = data->features, .rows = rows};
    out->words = hs_alloc_aligned((size_t)data->features * out->stride, sizeof *out->words);
    if (!out->words)
        return hs_fail_memory(error);
    if (order)
        fill_by_rows(data, order, out);
    else
        fill_by_columns(data, out);
    return HSEL_OK;
}

void hs_bit_columns_clear(hs_bit_columns *columns)
{
    hs_free(columns->words);
    *columns = (hs_bit_columns){0};
}

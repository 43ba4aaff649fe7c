/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting in bit sets, and bit columns made from a data set. The counting loop is compiled twice,
 * with and without the instruction that counts bits, and chosen when it runs: no loader magic, so
 * sanitizers, both compilers and every C library get the same code. It relies on zero tails:
 * columns are counted in whole words.
 */
#include "data/data.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_POPCNT __attribute__((target("popcnt")))
#define HAS_POPCNT  __builtin_cpu_supports("popcnt")
#else /* other processors have it always, or not at all */
#define WITH_POPCNT
#define HAS_POPCNT 0
#endif

static inline __attribute__((always_inline)) size_t ones(uint64_t word)
{
    return (size_t)__builtin_popcountll(word);
}

/* Four sums, because each addition would otherwise wait for the one before. */
static inline __attribute__((always_inline)) size_t count_common(const uint64_t *a,
                                                                 const uint64_t *b, size_t words)
{
    size_t first = 0, second = 0, third = 0, fourth = 0, w = 0;
    for (; w + 4 <= words; w += 4) {
        first += ones(a[w] & b[w]);
        second += ones(a[w + 1] & b[w + 1]);
        third += ones(a[w + 2] & b[w + 2]);
        fourth += ones(a[w + 3] & b[w + 3]);
    }
    for (; w < words; w++)
        first += ones(a[w] & b[w]);
    return first + second + third + fourth;
}

static WITH_POPCNT size_t count_with_popcnt(const uint64_t *a, const uint64_t *b, size_t words)
{
    return count_common(a, b, words);
}

static size_t count_without(const uint64_t *a, const uint64_t *b, size_t words)
{
    return count_common(a, b, words);
}

size_t hs_bits_count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    return HAS_POPCNT ? count_with_popcnt(a, b, words) : count_without(a, b, words);
}

size_t hs_bits_count(const uint64_t *set, size_t words)
{
    return hs_bits_count_and(set, set, words);
}

int hs_bit_columns_new(const hsel_dataset *data, const uint32_t *order, uint32_t rows,
                       hs_bit_columns *out, hsel_error *error)
{
    size_t count;
    *out = (hs_bit_columns){
        .stride = (hs_bit_words(rows) + 7) / 8 * 8, .columns = data->features, .rows = rows};
    out->words = hs_alloc_aligned((size_t)data->features * out->stride, sizeof *out->words);
    HS_NEED(out->words);
    /* An order may leave instances out or repeat them, which rows follow without an index of
     * positions. */
    for (uint32_t i = 0; order && i < rows; i++) {
        const uint32_t *list = hs_row(data, order[i], &count);
        for (size_t j = 0; j < count; j++)
            hs_bit_set(out->words + (size_t)list[j] * out->stride, i);
    }
    /* Else column by column, because each column then stays in the cache while it is filled. */
    for (uint32_t f = 0; !order && f < data->features; f++) {
        const uint32_t *list = hs_column(data, f, &count);
        for (size_t i = 0; i < count && list[i] < rows; i++)
            hs_bit_set(out->words + (size_t)f * out->stride, list[i]);
    }
    return HSEL_OK;
}

void hs_bit_columns_clear(hs_bit_columns *columns)
{
    hs_free_aligned(columns->words);
    *columns = (hs_bit_columns){0};
}

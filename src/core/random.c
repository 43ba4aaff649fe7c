/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams over Threefry-2x64-20: block = cipher(key, counter). The key is the seed and the purpose,
 * the counter starts from (a, b) folded into its upper word, so streams never overlap in practice.
 */
#include "core/core.h"

#include <xxhash.h>

#include <Random123/threefry.h>

void hs_stream_init(hs_stream *stream, uint64_t seed, const char *purpose, uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the same stream on every machine */
    a = __builtin_bswap64(a), b = __builtin_bswap64(b);
#endif
    uint64_t place[2] = {a, b};
    *stream = (hs_stream){.key = {seed, XXH3_64bits(purpose, strlen(purpose))},
                          .counter = {0, XXH3_64bits(place, sizeof place)}};
}

uint64_t hs_random_u64(hs_stream *stream)
{
    if (stream->has_ready) {
        stream->has_ready = 0;
        return stream->ready;
    }
    threefry2x64_key_t key = {{stream->key[0], stream->key[1]}};
    threefry2x64_ctr_t counter = {{stream->counter[0]++, stream->counter[1]}};
    threefry2x64_ctr_t block = threefry2x64(counter, key);
    stream->ready = block.v[1];
    stream->has_ready = 1;
    return block.v[0];
}

void hs_random_fill(hs_stream *stream, uint64_t *out, size_t count)
{
    threefry2x64_key_t key = {{stream->key[0], stream->key[1]}};
    size_t i = 0;
    if (count && stream->has_ready)
        out[i++] = hs_random_u64(stream);
    size_t blocks = (count - i) / 2;
    for (size_t b = 0; b < blocks; b++) { /* independent of each other, so that they overlap */
        threefry2x64_ctr_t counter = {{stream->counter[0] + b, stream->counter[1]}};
        threefry2x64_ctr_t block = threefry2x64(counter, key);
        out[i + 2 * b] = block.v[0];
        out[i + 2 * b + 1] = block.v[1];
    }
    stream->counter[0] += blocks;
    if (i + 2 * blocks < count)
        out[i + 2 * blocks] = hs_random_u64(stream);
}

uint64_t hs_random_below(hs_stream *stream, uint64_t below)
{
    assert(below > 0);
    /* Multiply-shift with rejection of the uneven rest (Lemire 2019). */
    hs_u128 product = (hs_u128)hs_random_u64(stream) * below;
    if ((uint64_t)product < below) {
        uint64_t uneven = (0 - below) % below;
        while ((uint64_t)product < uneven)
            product = (hs_u128)hs_random_u64(stream) * below;
    }
    return (uint64_t)(product >> 64);
}

double hs_random_double(hs_stream *stream)
{
    return (double)(hs_random_u64(stream) >> 11) * 0x1p-53;
}

void hs_random_shuffle(hs_stream *stream, uint32_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)hs_random_below(stream, i);
        uint32_t kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}

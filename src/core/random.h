/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random streams, counter-based (Random123, Threefry-2x64-20): a stream is a function of its key
 * alone, so results do not depend on threads or on the order of jobs.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct hs_stream {
    uint64_t key[2];
    uint64_t counter[2];
    uint64_t ready; /* second half of the last block */
    int has_ready;
} hs_stream;

/* One stream for each (seed, purpose, a, b): `purpose` is a word ("folds", "generate"), a and b
 * number the repeat, fold, instance … */
void hs_stream_init(hs_stream *stream, uint64_t seed, const char *purpose, uint64_t a, uint64_t b);
uint64_t hs_random_u64(hs_stream *stream);
/* The next `count` numbers at once: the same as from as many calls, in a fraction of the time. */
void hs_random_fill(hs_stream *stream, uint64_t *out, size_t count);
/* Uniform in 0 … below-1, without bias; below > 0. */
uint64_t hs_random_below(hs_stream *stream, uint64_t below);
/* Uniform in [0,1), 53 bits. */
double hs_random_double(hs_stream *stream);
void hs_random_shuffle(hs_stream *stream, uint32_t *items, size_t count);

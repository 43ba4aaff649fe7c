/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting by bits: carry-save adders over vectors of 512 bits.
 */
#include "infer/lanes.h"

#include <stdbool.h>
#include <string.h>

/* One instance in all arrangements; any address that holds words will do. */
typedef uint64_t lanes __attribute__((vector_size(64), aligned(8), may_alias));

/* Adds bits of weight 2^level to the counters; by address, because processors differ in how vectors
 * are passed. */
static inline void carry_up(lanes *counter, int level, const lanes *what)
{
    lanes carry = *what;
    for (bool any = true; any; level++) {
        lanes both = counter[level] & carry;
        counter[level] ^= carry;
        carry = both;
        any = false;
        for (int i = 0; i < HS_LANE_WORDS; i++)
            any |= carry[i] != 0;
    }
}

/* a + b + c of each lane: the sum stays in *a, what is carried goes into *carry. */
static inline void add_three(lanes *a, const lanes *b, const lanes *c, lanes *carry)
{
    const lanes half = *a ^ *b, third = *c;
    *carry = (*a & *b) | (half & third);
    *a = half ^ third;
}

static inline const lanes *lanes_of(const uint64_t *bits, uint32_t row)
{
    return (const lanes *)(const void *)(bits + (size_t)row * HS_LANE_WORDS);
}

/* Each bit of a byte as a byte: it lands in the bits of its own byte, and the sum in the eighth. */
static inline uint64_t spread(uint64_t byte)
{
    return (((byte * 0x0101010101010101u & 0x8040201008040201u) + 0x7f7f7f7f7f7f7f7fu) >> 7) &
           0x0101010101010101u;
}

void hs_lanes_count(const uint64_t *bits, const uint32_t *row, size_t rows, uint32_t *count)
{
    lanes counter[32] = {{0}}, a, b, c, d;
    size_t i = 0;
    for (; i + 8 <= rows; i += 8) {
        const lanes *in[8];
        for (int k = 0; k < 8; k++)
            in[k] = lanes_of(bits, row[i + (size_t)k]);
        add_three(&counter[0], in[0], in[1], &a);
        add_three(&counter[0], in[2], in[3], &b);
        add_three(&counter[1], &a, &b, &c);
        add_three(&counter[0], in[4], in[5], &a);
        add_three(&counter[0], in[6], in[7], &b);
        add_three(&counter[1], &a, &b, &d);
        add_three(&counter[2], &c, &d, &a);
        carry_up(counter, 3, &a);
    }
    for (; i < rows; i++)
        carry_up(counter, 0, lanes_of(bits, row[i]));
    memset(count, 0, HS_LANES * sizeof *count);
    for (int eight = 0; eight < 32 && rows >> eight; eight += 8)
        for (int byte = 0; byte < HS_LANES / 8; byte++) { /* eight permutations, a byte each */
            uint64_t sum = 0;
            for (int level = eight; level < eight + 8 && rows >> level; level++)
                sum += spread((uint64_t)counter[level][byte / 8] >> byte % 8 * 8 & 255)
                       << (level - eight);
            for (int k = 0; k < 8; k++)
                count[byte * 8 + k] += (uint32_t)(sum >> 8 * k & 255) << eight;
        }
}

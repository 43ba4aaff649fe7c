/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values are assigned to cells of equal width between the least and the greatest value, and cells
 * are sorted by two digits, the lower one first (radix sort). There are so many cells that
 * different values rarely share one. Values that share a cell and are not in order are sorted
 * again: a few by insertion, more of them by cells of this part. A part is at most 1/512 as wide as
 * the whole, so that there are few rounds, even for values of all magnitudes.
 *
 * Invariant: a word is a cell above a place; the cell never falls where the value rises, and words
 * of the same cell are in the order of their places until they are sorted by value. All steps are
 * stable, so equal values keep their order.
 */
#include "rank/ordered.h"

#include <float.h>

#define FEW       20 /* up to here insertion is faster (measured) */
#define MOST_BITS 12 /* of a digit: counters stay in the cache */

struct sorting {
    const double *value;
    double *sorted; /* these three: the part that is being sorted */
    uint64_t *place, *spare;
};

/* ---- cells ---- */

/* Bits of a digit: about as many counters as values. */
static int digit_bits(uint32_t count)
{
    int bits = 32 - __builtin_clz(count);
    return bits < MOST_BITS ? bits : MOST_BITS;
}

/* Cells for the words of part s, in the order that they are in. Their width is a power of two, so
 * that whole numbers are not rounded. */
static void find_cells(struct sorting s, uint32_t count, int bits)
{
    double least = INFINITY, greatest = -INFINITY;
    int exponent = 0;
    for (uint32_t i = 0; i < count; i++) {
        double x = s.sorted[i] = s.value[(uint32_t)s.place[i]];
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
    }
    const bool finite = greatest - least < INFINITY;
    if (finite)
        (void)frexp(greatest - least, &exponent); /* the range is below 2^exponent */
    /* two factors, since one may be infinite */
    const double up = exponent < 0 ? 0x1p900 : 1, scale = ldexp(1 / up, bits - exponent);
    for (uint32_t i = 0; i < count; i++) {
        const double x = s.sorted[i];
        const int64_t cell = finite ? (int64_t)((x - least) * up * scale)
                                    : (x >= -DBL_MAX) + (x >= 0) + (x > DBL_MAX);
        s.place[i] = (uint64_t)cell << 32 | (uint32_t)s.place[i];
    }
}

/* ---- sorting ---- */

/* Sorts words by cells of two digits. The lower half of a counter is for the lower digit, the upper
 * half for the other: one sum makes places of both. */
static void sort_cells(uint64_t *words, uint32_t count, uint64_t *spare, int digit)
{
    const uint64_t mask = (UINT64_C(1) << digit) - 1, upper = UINT64_C(1) << 32;
    uint64_t counter[1 << MOST_BITS], sum = 0;
    memset(counter, 0, (mask + 1) * sizeof *counter);
    for (uint32_t i = 0; i < count; i++) {
        counter[words[i] >> 32 & mask]++;
        counter[words[i] >> 32 >> digit] += upper;
    }
    for (uint64_t bucket = 0; bucket <= mask; bucket++) {
        uint64_t size = counter[bucket];
        counter[bucket] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++)
        spare[(uint32_t)counter[words[i] >> 32 & mask]++] = words[i];
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *place = &counter[spare[i] >> 32 >> digit];
        words[*place >> 32] = spare[i];
        *place += upper;
    }
}

static void sort_within_cells(struct sorting s, uint32_t count);

/* Sorts words of the same cell by their values. Recursion ends, since the least and the greatest of
 * different values never share a cell. */
static void sort_cell(struct sorting s, uint32_t count)
{
    if (count > FEW) {
        int digit = digit_bits(count);
        find_cells(s, count, 2 * digit);
        sort_cells(s.place, count, s.spare, digit);
        sort_within_cells(s, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) { /* insertion: stable */
        uint64_t word = s.place[i];
        double value = s.value[(uint32_t)word];
        uint32_t at = i;
        for (; at > 0 && s.sorted[at - 1] > value; at--) {
            s.sorted[at] = s.sorted[at - 1];
            s.place[at] = s.place[at - 1];
        }
        s.sorted[at] = value;
        s.place[at] = word;
    }
}

/* Sets sorted[] of words that are sorted by cell, and sorts within cells where it must be. */
static void sort_within_cells(struct sorting s, uint32_t count)
{
    uint32_t done = 0; /* up to here cells may have been assigned anew */
    for (uint32_t i = 0; i < count; i++) {
        s.sorted[i] = s.value[(uint32_t)s.place[i]];
        if (i == done || s.sorted[i - 1] <= s.sorted[i])
            continue;
        uint64_t cell = s.place[i] >> 32;
        uint32_t from = i - 1;
        while (from > done && s.place[from - 1] >> 32 == cell)
            from--;
        for (done = i + 1; done < count && s.place[done] >> 32 == cell;)
            done++;
        struct sorting part = {s.value, s.sorted + from, s.place + from, s.spare + from};
        sort_cell(part, done - from);
        i = done - 1;
    }
}

void hs_sort_values(const double *value, uint32_t count, double *sorted, uint64_t *place,
                    uint64_t *spare)
{
    for (uint32_t i = 0; i < count; i++)
        place[i] = i;
    sort_cell((struct sorting){value, sorted, place, spare}, count);
}

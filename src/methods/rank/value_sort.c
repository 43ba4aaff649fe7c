/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A value falls into one of many cells of equal width between the least and the greatest value, and
 * cells are sorted by two digits, the lower one first (radix sort); there are so many cells that
 * seldom two different values share one. What shares a cell and is not in order is sorted again, a
 * few values by insertion, more of them by new cells: not of values, but of their bits taken as
 * whole numbers in the order of the values, so that an outlier, or values of all magnitudes, cost
 * no more than one or two rounds. Each such round settles 10 bits of 64 or more.
 *
 * Invariant: a word is a cell above a place; the cell never falls where the value rises, and words
 * of the same cell are in the order of their places until they are sorted by value. All steps are
 * stable, so equal values keep their order.
 */
#include "rank/ordered.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FEW       20 /* up to here insertion is faster (measured) */
#define MOST_BITS 12 /* of a digit: counters stay in the cache */

struct sorting {
    const double *value;
    double *sorted; /* these three: the part that is being sorted */
    uint64_t *place, *spare;
};

/* ---- cells ---- */

/* In the order of the values; 0 and -0 have the same key. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((0 - (bits >> 63)) | UINT64_C(1) << 63);
}

static int bits_of(uint64_t number) { return number ? 64 - __builtin_clzll(number) : 0; }

/* Bits of a digit: about as many counters as values. */
static int digit_bits(uint32_t count)
{
    return bits_of(count) < MOST_BITS ? bits_of(count) : MOST_BITS;
}

static uint64_t word_of(uint64_t cell, uint64_t place) { return cell << 32 | (uint32_t)place; }

/* Cells by the bits of the values, for the words of part s in the order that they are in. */
static void cells_of_keys(struct sorting s, uint32_t count, int bits)
{
    uint64_t least = UINT64_MAX, greatest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = key_of(s.value[(uint32_t)s.place[i]]);
        least = key < least ? key : least;
        greatest = key > greatest ? key : greatest;
    }
    int span = bits_of(greatest - least), shift = span > bits ? span - bits : 0;
    for (uint32_t i = 0; i < count; i++)
        s.place[i] = word_of((key_of(s.value[(uint32_t)s.place[i]]) - least) >> shift, s.place[i]);
}

struct bounds {
    double least, greatest;
};

static struct bounds widen(struct bounds b, double x)
{
    return (struct bounds){x < b.least ? x : b.least, x > b.greatest ? x : b.greatest};
}

/* Three at a time, since each step must wait for the one before. */
static struct bounds find_bounds(const double *value, uint32_t count)
{
    struct bounds a = {value[0], value[0]}, b = a, c = a;
    uint32_t i = 0;
    for (; i + 2 < count; i += 3) {
        a = widen(a, value[i]);
        b = widen(b, value[i + 1]);
        c = widen(c, value[i + 2]);
    }
    for (; i < count; i++)
        a = widen(a, value[i]);
    a = widen(widen(a, b.least), b.greatest);
    return widen(widen(a, c.least), c.greatest);
}

/* Cells of equal width: a power of two, so that whole numbers are not rounded. */
static void cells_of_values(struct sorting s, uint32_t count, int bits)
{
    struct bounds b = find_bounds(s.value, count);
    int exponent;
    if (!(b.greatest - b.least < INFINITY)) {
        for (uint32_t i = 0; i < count; i++)
            s.place[i] = i;
        cells_of_keys(s, count, bits);
        return;
    }
    (void)frexp(b.greatest - b.least, &exponent); /* the difference is below 2^exponent */
    double scale = ldexp(1, bits - (exponent < -900 ? -900 : exponent)); /* finite */
    for (uint32_t i = 0; i < count; i++)
        s.place[i] = word_of((uint64_t)(int64_t)((s.value[i] - b.least) * scale), i);
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

static void settle(struct sorting s, uint32_t count);

/* Sorts words of the same cell by their values. Recursion ends, since each round settles bits. */
static void sort_cell(struct sorting s, uint32_t count)
{
    if (count > FEW) {
        int digit = digit_bits(count);
        cells_of_keys(s, count, 2 * digit);
        sort_cells(s.place, count, s.spare, digit);
        settle(s, count);
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
static void settle(struct sorting s, uint32_t count)
{
    uint32_t done = 0; /* up to here cells are not what they were */
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
    struct sorting s = {value, sorted, place, spare};
    if (count <= FEW) {
        for (uint32_t i = 0; i < count; i++)
            place[i] = i;
        sort_cell(s, count);
        return;
    }
    int digit = digit_bits(count);
    cells_of_values(s, count, 2 * digit);
    sort_cells(place, count, spare, digit);
    settle(s, count);
}

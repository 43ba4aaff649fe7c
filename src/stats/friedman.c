/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friedman's test with its own distribution. If all methods are alike, the ranks of each data set
 * (ties as they are) are a random permutation, independent of the others; p is the share of all
 * permutations in which the sum of squared rank sums is as great as seen. Friedman's chi-squared,
 * with and without correction for ties, and Iman and Davenport's F grow with that sum, so that p is
 * the same for each of them.
 *
 * Data sets are added one by one. Only which sums there are matters, not which method has which, so
 * the sorted sums are a state; O(states k!) per data set. If that takes too long, p is the share of
 * 10,000 random permutations.
 */
#include "stats/compare.h"

enum { MOST_COLUMNS = 8 }; /* 8! = 40,320 */
#define MOST_ROWS  15
#define MOST_STEPS UINT64_C(50000)  /* permutations that lead to states */
#define MOST_LAST  UINT64_C(500000) /* of the last data set, which leads to none */
#define DRAWS      UINT64_C(10000)

/* The next permutation in lexicographic order; false after the last. Equal numbers are alike. */
static bool next_permutation(uint32_t *x, size_t count)
{
    size_t i = count - 1, j = count - 1;
    while (i > 0 && x[i - 1] >= x[i])
        i--;
    if (i == 0)
        return false;
    while (x[j] <= x[i - 1])
        j--;
    uint32_t other = x[j];
    x[j] = x[i - 1];
    x[i - 1] = other;
    for (j = count - 1; i < j; i++, j--) {
        other = x[i];
        x[i] = x[j];
        x[j] = other;
    }
    return true;
}

static void sort_few(uint32_t *x, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && x[j - 1] > x[j]; j--) {
            uint32_t other = x[j];
            x[j] = x[j - 1];
            x[j - 1] = other;
        }
}

typedef struct states {
    hs_names sums; /* sorted, each number as two bytes that are not 0 */
    double *ways;
    size_t capacity;
} states;

static void states_clear(states *s)
{
    hs_names_clear(&s->sums);
    hs_free(s->ways);
}

static int add_state(states *s, const uint32_t *sum, size_t count, double ways, hsel_error *error)
{
    char key[2 * MOST_COLUMNS];
    uint32_t id;
    bool added;
    for (size_t c = 0; c < count; c++) {
        key[2 * c] = (char)(1 + sum[c] / 255);
        key[2 * c + 1] = (char)(1 + sum[c] % 255);
    }
    HS_TRY(hs_names_intern(&s->sums, key, 2 * count, &id, &added, error));
    HS_NEED(HS_GROW(&s->ways, &s->capacity, (size_t)id + 1));
    s->ways[id] = ways + (added ? 0 : s->ways[id]);
    return HSEL_OK;
}

static void get_state(const states *s, uint32_t id, size_t count, uint32_t *sum)
{
    const unsigned char *key = (const unsigned char *)hs_names_get(&s->sums, id);
    for (size_t c = 0; c < count; c++)
        sum[c] = (key[2 * c] - 1u) * 255 + key[2 * c + 1] - 1u;
}

static uint64_t squares(const uint32_t *sum, size_t count)
{
    uint64_t all = 0;
    for (size_t c = 0; c < count; c++)
        all += (uint64_t)sum[c] * sum[c];
    return all;
}

/* Twice the ranks, sorted in each row. *p is unchanged if that is too much work. */
static int count_permutations(const uint32_t *rank, size_t rows, size_t columns, uint64_t seen,
                              double *p, hsel_error *error)
{
    HS_OWNS(states_clear) states now = {0};
    double all = 1, as_great = 0;
    uint64_t steps = 0;
    HS_TRY(add_state(&now, rank, columns, 1, error));
    for (size_t r = 1; r < rows; r++) {
        HS_OWNS(states_clear) states next = {0};
        uint32_t row[MOST_COLUMNS], sum[MOST_COLUMNS], with[MOST_COLUMNS];
        uint64_t permutations = 0;
        const bool last = r + 1 == rows;
        memcpy(row, rank + r * columns, columns * sizeof *row);
        do
            permutations++;
        while (next_permutation(row, columns));
        steps += permutations * now.sums.count;
        if (steps > (last ? MOST_LAST : MOST_STEPS))
            return HSEL_OK;
        all *= (double)permutations;
        for (uint32_t s = 0; s < now.sums.count; s++) {
            get_state(&now, s, columns, sum);
            memcpy(row, rank + r * columns, columns * sizeof *row);
            do {
                for (size_t c = 0; c < columns; c++)
                    with[c] = sum[c] + row[c];
                if (last) {
                    as_great += squares(with, columns) >= seen ? now.ways[s] : 0;
                    continue;
                }
                sort_few(with, columns);
                HS_TRY(add_state(&next, with, columns, now.ways[s], error));
            } while (next_permutation(row, columns));
        }
        const states before = now;
        now = next;
        next = before;
    }
    *p = as_great / all;
    return HSEL_OK;
}

int hs_friedman_exact(const hs_ranks *ranks, hs_friedman *out, hsel_error *error)
{
    const size_t columns = ranks->columns;
    size_t rows = 0;
    out->exact = out->rows <= MOST_ROWS;
    if (!out->exact || isinf(out->f)) /* where all rows agree, p_f is exact */
        return HSEL_OK;
    HS_OWNED uint32_t *twice = HS_NEW(uint32_t, ranks->complete * columns);
    HS_OWNED uint32_t *sum = HS_NEW_ZERO(uint32_t, columns);
    HS_NEED(twice && sum);
    for (size_t r = 0; r < ranks->rows; r++) {
        const double *rank = ranks->rank + r * columns;
        if (!hs_is_common(rank, columns, NULL))
            continue;
        for (size_t c = 0; c < columns; c++)
            sum[c] += twice[rows * columns + c] = (uint32_t)(2 * rank[c]);
        rows++;
    }
    const uint64_t seen = squares(sum, columns);
    out->p = -1;
    if (columns <= MOST_COLUMNS) {
        for (size_t r = 0; r < rows; r++)
            sort_few(twice + r * columns, columns);
        HS_TRY(count_permutations(twice, rows, columns, seen, &out->p, error));
    }
    if (out->p >= 0)
        return HSEL_OK;
    uint64_t as_great = 1;
    hs_stream stream;
    hs_stream_init(&stream, 1, "friedman", 0, 0);
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        memset(sum, 0, columns * sizeof *sum);
        for (size_t r = 0; r < rows; r++) {
            hs_random_shuffle(&stream, twice + r * columns, (uint32_t)columns);
            for (size_t c = 0; c < columns; c++)
                sum[c] += twice[r * columns + c];
        }
        as_great += squares(sum, columns) >= seen;
    }
    out->p = (double)as_great / (double)(DRAWS + 1);
    out->sampled = true;
    return HSEL_OK;
}

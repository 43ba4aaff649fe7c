/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joint counts of AODE: how often features i and j are positive together in class y, one row (all i
 * and y) a feature j. A row is counted from the instances that have j, O(sum of their positive
 * features), or, when that is dearer, by popcount over columns of bits, O(n x instances / 64). Rows
 * do not depend on each other, so they are counted in parallel, each by one thread.
 *
 * Then the sums over all other features being negative, from which predictions start.
 */
#include <string.h>

#include "classify/aode.h"
#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/bits.h"

#define BLOCK 16 /* rows a task */

/* ---- one row ---- */

#define DEFINE_KERNELS(NAME, CELL)                                                                 \
    static void count_lists_##NAME(const hs_aode *m, uint32_t j, CELL *out)                        \
    {                                                                                              \
        size_t count, length;                                                                      \
        const uint32_t *column = hs_sparse_list(&m->columns, j, &count);                           \
        for (size_t t = 0; t < count; t++) {                                                       \
            const uint32_t *row = hs_sparse_list(&m->rows, column[t], &length);                    \
            CELL *in_class = out + (size_t)m->class_of[column[t]] * m->n;                          \
            for (size_t i = 0; i < length; i++)                                                    \
                in_class[row[i]]++;                                                                \
        }                                                                                          \
    }                                                                                              \
    static void count_bits_##NAME(const hs_aode *m, uint32_t j, CELL *out)                         \
    {                                                                                              \
        const uint64_t *own = m->bits + j * m->words;                                              \
        for (uint32_t y = 0; y < m->classes; y++) {                                                \
            size_t from = m->class_word[y], words = m->class_word[y + 1] - from;                   \
            for (uint32_t i = 0; i < m->n; i++)                                                    \
                out[(size_t)y * m->n + i] =                                                        \
                    (CELL)hs_bits_count_and(own + from, m->bits + i * m->words + from, words);     \
        }                                                                                          \
    }                                                                                              \
    /* Adds the logarithms of n(y, x_i = 0, x_j = 0) and n(y, x_i = 1, x_j = 0) over j in [from,   \
     * to); four sums at a time, so that no addition waits for the one before. */                  \
    static void sum_##NAME(const hs_aode *m, uint32_t y, uint32_t i, const CELL *row,              \
                           uint32_t from, uint32_t to, double *sum)                                \
    {                                                                                              \
        const uint32_t *positive = m->positive + (size_t)y * m->n, own = positive[i];              \
        const double *with = m->log_pair + own,                                                    \
                     *without = m->log_pair + (hs_aode_class_size(m, y) - own);                    \
        double zero[4] = {0}, one[4] = {0};                                                        \
        uint32_t j = from;                                                                         \
        for (; j + 4 <= to; j += 4)                                                                \
            for (int k = 0; k < 4; k++) {                                                          \
                ptrdiff_t both = row[j + k];                                                       \
                zero[k] += without[both - (ptrdiff_t)positive[j + k]];                             \
                one[k] += with[-both];                                                             \
            }                                                                                      \
        for (; j < to; j++) {                                                                      \
            ptrdiff_t both = row[j];                                                               \
            zero[0] += without[both - (ptrdiff_t)positive[j]];                                     \
            one[0] += with[-both];                                                                 \
        }                                                                                          \
        sum[0] += (zero[0] + zero[1]) + (zero[2] + zero[3]);                                       \
        sum[1] += (one[0] + one[1]) + (one[2] + one[3]);                                           \
    }

DEFINE_KERNELS(narrow, uint16_t)
DEFINE_KERNELS(wide, uint32_t)

static void count_row(const hs_aode *m, uint32_t j, void *out)
{
    if (!m->bits)
        memset(out, 0, hs_aode_row_cells(m) * hs_aode_cell_bytes(m));
    if (m->bits && m->wide)
        count_bits_wide(m, j, out);
    else if (m->bits)
        count_bits_narrow(m, j, out);
    else if (m->wide)
        count_lists_wide(m, j, out);
    else
        count_lists_narrow(m, j, out);
}

static void *kept_row(const hs_aode *m, uint32_t j)
{
    return (char *)m->table + m->slot[j] * hs_aode_row_cells(m) * hs_aode_cell_bytes(m);
}

const void *hs_aode_row(const hs_aode *m, uint32_t j, void *buffer)
{
    if (m->slot[j] != HSEL_NONE)
        return kept_row(m, j);
    count_row(m, j, buffer);
    return buffer;
}

/* ---- all rows ---- */

struct counting {
    hs_aode *m;
    const hs_sparse *above;
    const hs_progress *progress;
    char *buffers; /* a row a thread, for rows that are not kept */
};

static void sum_range(const hs_aode *m, uint32_t y, uint32_t i, const void *row, uint32_t from,
                      uint32_t to, double *sum)
{
    if (m->wide)
        sum_wide(m, y, i, (const uint32_t *)row + (size_t)y * m->n, from, to, sum);
    else
        sum_narrow(m, y, i, (const uint16_t *)row + (size_t)y * m->n, from, to, sum);
}

/* Ancestors of i are no children of i: their part of the sums goes, and P(x_j = 0 | y) takes its
 * place in the form that keeps them. */
static void leave_out_ancestors(const struct counting *c, uint32_t y, uint32_t i, const void *row,
                                double *sum)
{
    const hs_aode *m = c->m;
    const uint32_t *positive = m->positive + (size_t)y * m->n, size = hs_aode_class_size(m, y);
    size_t count;
    const uint32_t *above = hs_sparse_list(c->above, i, &count);
    for (size_t a = 0; a < count; a++) {
        uint32_t j = above[a], both = hs_aode_joint(m, row, (size_t)y * m->n + j);
        double own =
            m->form == HS_AODE_HIE ? m->log_pair[size - positive[j]] - m->log_total[size] : 0;
        sum[0] += own - m->log_pair[size - positive[i] - positive[j] + both];
        sum[1] += own - m->log_pair[positive[i] - both];
    }
}

static void count_and_sum(const struct counting *c, uint32_t i, void *buffer)
{
    hs_aode *m = c->m;
    void *row = m->slot[i] == HSEL_NONE ? buffer : kept_row(m, i);
    count_row(m, i, row);
    for (uint32_t y = 0; y < m->classes; y++) {
        double sum[2] = {0, 0};
        sum_range(m, y, i, row, 0, i, sum);
        sum_range(m, y, i, row, i + 1, m->n, sum);
        if (c->above)
            leave_out_ancestors(c, y, i, row, sum);
        m->base[(size_t)y * m->n + i] = sum[0];
        m->base[((size_t)m->classes + y) * m->n + i] = sum[1];
    }
}

static int count_block(void *context, size_t index, int worker, hsel_error *error)
{
    const struct counting *c = context;
    size_t row_bytes = hs_aode_row_cells(c->m) * hs_aode_cell_bytes(c->m);
    uint32_t from = (uint32_t)index * BLOCK, to = from + BLOCK < c->m->n ? from + BLOCK : c->m->n;
    for (uint32_t i = from; i < to; i++)
        count_and_sum(c, i, c->buffers ? c->buffers + (size_t)worker * row_bytes : NULL);
    return hs_progress_report(c->progress, from, c->m->n, "features", error);
}

int hs_aode_count(hs_aode *m, const hs_sparse *above, int threads, const hs_progress *progress,
                  hsel_error *error)
{
    size_t row_bytes = hs_aode_row_cells(m) * hs_aode_cell_bytes(m);
    struct counting c = {.m = m, .above = above, .progress = progress};
    m->table = hs_alloc((size_t)m->kept, row_bytes);
    if (m->kept < m->n)
        c.buffers = hs_alloc((size_t)hs_threads(threads), row_bytes);
    if (!m->table || (m->kept < m->n && !c.buffers)) {
        hs_free(c.buffers);
        return hs_fail_memory(error);
    }
    int status = hs_parallel_for((m->n + BLOCK - 1) / BLOCK, threads, count_block, &c, error);
    hs_free(c.buffers);
    if (status == HSEL_OK && m->kept == m->n) { /* nothing is counted later */
        hs_free_aligned(m->bits);
        m->bits = NULL;
    }
    return status;
}

/* ---- lists or bits ---- */

/* In nanoseconds, about: 1 for a step along a list; 0.5 for a word of bits, and 3 a class for going
 * from one pair to the next. */
static bool bits_are_cheaper(const hs_aode *m)
{
    double lists = 0, pairs = (double)m->n * m->n;
    for (uint32_t t = 0; t < m->rows.lists; t++) {
        double length = (double)(m->rows.start[t + 1] - m->rows.start[t]);
        lists += length * length;
    }
    return pairs * (0.5 * (double)m->words + 3 * m->classes) < lists;
}

static void lay_out_words(hs_aode *m)
{
    m->class_word[0] = 0;
    for (uint32_t y = 0; y < m->classes; y++)
        m->class_word[y + 1] = m->class_word[y] + hs_bit_words(hs_aode_class_size(m, y));
    m->words = m->class_word[m->classes];
}

size_t hs_aode_bits_bytes(const hs_aode *m)
{
    hs_aode copy = *m;
    size_t words = 0;
    for (uint32_t y = 0; y < m->classes; y++)
        words += hs_bit_words(hs_aode_class_size(m, y));
    copy.words = words;
    return bits_are_cheaper(&copy) ? (size_t)m->n * words * sizeof(uint64_t) : 0;
}

int hs_aode_make_bits(hs_aode *m, hsel_error *error)
{
    size_t count;
    lay_out_words(m);
    if (!bits_are_cheaper(m))
        return HSEL_OK;
    m->bits = hs_alloc_aligned((size_t)m->n * m->words, sizeof *m->bits);
    if (!m->bits)
        return hs_fail_memory(error);
    for (uint32_t j = 0; j < m->n; j++) {
        const uint32_t *column = hs_sparse_list(&m->columns, j, &count);
        for (size_t t = 0; t < count; t++) {
            uint32_t y = m->class_of[column[t]];
            hs_bit_set(m->bits + j * m->words + m->class_word[y], column[t] - m->class_start[y]);
        }
    }
    return HSEL_OK;
}

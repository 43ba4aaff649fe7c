/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from arrays that hold nothing but 0 and 1, by far the most common ones: checked and
 * taken over in one pass each, without a look at single values. Arrays in which something else
 * turns up are left to flat_arrays.c, which then starts anew; it also has the messages.
 */
#include <string.h>

#include "core/mem.h"
#include "evaluate/flat_parts.h"

#define PIECE 4096 /* values looked at before the answer so far is */
#define LINE  32   /* bytes of a dense row that are skipped at once if they are 0 */

/* ---- lists ---- */

/* One loop for int32 and int64: is a list ascending? Its ends then tell whether it is in range. */
#define ASCENDING(type)                                                                            \
    const type *index = (const type *)a->index + begin;                                            \
    bool wrong = false;                                                                            \
    for (int64_t i = 1; i < count; i++)                                                            \
        wrong |= index[i - 1] >= index[i];                                                         \
    return count == 0 || (!wrong && index[0] >= 0 && index[count - 1] < (int64_t)width);

static bool list_is_right(const hsel_arrays *a, int64_t begin, int64_t count, uint32_t width)
{
    if (a->wide) {
        ASCENDING(int64_t)
    } else {
        ASCENDING(int32_t)
    }
}

int hs_arrays_check(const hsel_arrays *a, uint32_t lists, uint32_t width, hsel_error *error)
{
    if (a->layout == HSEL_DENSE)
        return HSEL_OK;
    int64_t begin = hs_wide_at(a->start, a->wide, 0);
    if (begin != 0)
        return hs_fail(error, HSEL_EFORMAT,
                       "the sparse matrix is damaged: its lists do not start at 0");
    for (uint32_t l = 0; l < lists; l++) {
        int64_t end = hs_wide_at(a->start, a->wide, (uint64_t)l + 1);
        if (end < begin || end - begin > width)
            return hs_fail(error, HSEL_EFORMAT,
                           "the sparse matrix is damaged: list %u has a wrong length", l);
        if (!list_is_right(a, begin, end - begin, width))
            return hs_fail(
                error, HSEL_EFORMAT,
                "the sparse matrix is damaged: an index of list %u is out of order or range", l);
        begin = end;
    }
    return HSEL_OK;
}

/* ---- sparse ---- */

#define ALL_ONES(type)                                                                             \
    for (uint64_t from = 0; from < count; from += PIECE) {                                         \
        const type *v = (const type *)a->values + from;                                            \
        uint64_t left = count - from < PIECE ? count - from : PIECE;                               \
        bool other = false;                                                                        \
        for (uint64_t i = 0; i < left; i++)                                                        \
            other |= v[i] != 1;                                                                    \
        if (other)                                                                                 \
            return false;                                                                          \
    }                                                                                              \
    return true;

static bool all_ones(const hsel_arrays *a, uint64_t count)
{
    if (!a->values)
        return true;
    switch (a->number) {
    case HSEL_U8:
        ALL_ONES(uint8_t)
    case HSEL_I32:
        ALL_ONES(int32_t)
    case HSEL_I64:
        ALL_ONES(int64_t)
    case HSEL_F32:
        ALL_ONES(float)
    default:
        ALL_ONES(double)
    }
}

/* The index as it is, borrowed or copied; the starts are always ours. */
static int take_lists(const hsel_arrays *a, uint64_t count, hs_sparse *lists, bool *lent,
                      hsel_error *error)
{
    *lent = a->borrow && !a->wide;
    lists->start = HS_NEW(uint64_t, (size_t)lists->lists + 1);
    lists->index = *lent ? (uint32_t *)(uintptr_t)a->index : HS_NEW(uint32_t, count);
    if (!lists->start || (!lists->index && !*lent))
        return hs_fail_memory(error);
    for (uint32_t l = 0; l <= lists->lists; l++)
        lists->start[l] = (uint64_t)hs_wide_at(a->start, a->wide, l);
    if (!*lent && !a->wide && count)
        memcpy(lists->index, a->index, count * sizeof *lists->index);
    for (uint64_t i = 0; a->wide && i < count; i++)
        lists->index[i] = (uint32_t)((const int64_t *)a->index)[i];
    return HSEL_OK;
}

/* ---- dense ---- */

/* Is there nothing but zeros in the LINE bytes from here? Negative zeros count as something. */
static bool is_blank(const char *from)
{
    uint64_t word[LINE / 8];
    memcpy(word, from, LINE);
    return (word[0] | word[1] | word[2] | word[3]) == 0;
}

#define ONES_OF_ROW(type)                                                                          \
    for (uint32_t i = 0; i < width; i++, from += stride) {                                         \
        type v;                                                                                    \
        while (stride == sizeof v && width - i > LINE / sizeof v && is_blank(from)) {              \
            i += LINE / sizeof v;                                                                  \
            from += LINE;                                                                          \
        }                                                                                          \
        memcpy(&v, from, sizeof v);                                                                \
        other |= v != 0 && v != 1;                                                                 \
        index[kept] = i;                                                                           \
        kept += v != 0;                                                                            \
    }                                                                                              \
    break;

/* Where a row is 1, with room for its whole width in `index`; how often. HSEL_NONE: it has other
 * values. */
static uint32_t ones_of_row(const hsel_arrays *a, uint32_t row, uint32_t *index)
{
    const char *from = (const char *)a->values + (int64_t)row * a->row_stride;
    int64_t stride = a->column_stride;
    uint32_t width = a->features, kept = 0;
    bool other = false;
    switch (a->number) {
    case HSEL_U8:
        ONES_OF_ROW(uint8_t)
    case HSEL_I32:
        ONES_OF_ROW(int32_t)
    case HSEL_I64:
        ONES_OF_ROW(int64_t)
    case HSEL_F32:
        ONES_OF_ROW(float)
    default:
        ONES_OF_ROW(double)
    }
    return other ? HSEL_NONE : kept;
}

static int take_rows(const hsel_arrays *a, hs_sparse *rows, bool *done, hsel_error *error)
{
    size_t used = 0, capacity = 0;
    if (!(rows->start = HS_NEW_ZERO(uint64_t, (size_t)rows->lists + 1)))
        return hs_fail_memory(error);
    *done = true;
    for (uint32_t r = 0; r < rows->lists && *done; r++) {
        if (!HS_GROW(&rows->index, &capacity, used + a->features + 1))
            return hs_fail_memory(error);
        uint32_t count = ones_of_row(a, r, rows->index + used);
        *done = count != HSEL_NONE;
        used += *done ? count : 0;
        rows->start[r + 1] = used;
    }
    uint32_t *exact = hs_realloc(rows->index, used, sizeof *exact);
    if (!exact)
        return hs_fail_memory(error);
    rows->index = exact;
    return HSEL_OK;
}

/* ---- both ---- */

int hs_arrays_ones(const hsel_arrays *a, hsel_dataset *data, bool *done, hsel_error *error)
{
    bool columns = a->layout == HSEL_COLUMNS, lent = false;
    hs_sparse *lists = columns ? &data->columns : &data->rows;
    uint32_t count = columns ? data->features : data->instances;
    int status;
    *done = true;
    for (uint32_t f = 0; f < data->features; f++)
        *done &= data->types[f] == HSEL_BINARY;
    if (!*done)
        return HSEL_OK;
    if (a->layout == HSEL_DENSE) {
        lists->lists = count;
        status = take_rows(a, lists, done, error);
    } else {
        uint64_t positives = (uint64_t)hs_wide_at(a->start, a->wide, count);
        if (!(*done = all_ones(a, positives)))
            return HSEL_OK;
        lists->lists = count;
        status = take_lists(a, positives, lists, &lent, error);
        data->rows_lent = lent && !columns;
        data->columns_lent = lent && columns;
    }
    if (status == HSEL_OK && *done)
        status = hs_sparse_transpose(lists, columns ? data->instances : data->features,
                                     columns ? &data->rows : &data->columns, error);
    else if (status == HSEL_OK)
        hs_sparse_clear(lists);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Room for the numeric and nominal columns of a data set, all in one block: thousands of short
 * columns would cost more to allocate than to fill. First the numbers, then the instances of sparse
 * columns, then the codes.
 */
#include <string.h>

#include "core/mem.h"
#include "data/dataset.h"

struct room {
    size_t numbers, whole; /* doubles; rows and codes */
};

static bool is_dense(const hsel_dataset *data, uint32_t count)
{
    return (uint64_t)count * (sizeof(double) + sizeof(uint32_t)) >=
           (uint64_t)data->instances * sizeof(double);
}

/* Numbers the columns and adds up what they take. Limits on instances and features keep the sums
 * far from overflow. */
static struct room number_columns(hsel_dataset *data, const uint32_t *counts)
{
    struct room room = {0};
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] == HSEL_BINARY)
            continue;
        bool numeric = data->types[f] == HSEL_NUMERIC, dense = numeric && is_dense(data, counts[f]);
        data->slot[f] = numeric ? data->numeric_count++ : data->nominal_count++;
        if (numeric)
            room.numbers += dense ? data->instances : counts[f];
        if (!dense)
            room.whole += numeric ? counts[f] : data->instances;
    }
    return room;
}

static void lay_columns(hsel_dataset *data, const uint32_t *counts, size_t numbers)
{
    double *values = data->block.base;
    uint32_t *whole = (uint32_t *)(values + numbers);
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] == HSEL_NUMERIC) {
            bool dense = is_dense(data, counts[f]);
            data->numeric[data->slot[f]] =
                (hs_numeric_column){.values = values,
                                    .rows = dense ? NULL : whole,
                                    .count = dense ? data->instances : 0};
            values += dense ? data->instances : counts[f];
            whole += dense ? 0 : counts[f];
        } else if (data->types[f] == HSEL_NOMINAL) {
            data->nominal[data->slot[f]].codes = whole;
            memset(whole, 0xff, data->instances * sizeof *whole);
            whole += data->instances;
        }
}

bool hs_dataset_types_binary(const hsel_dataset *data)
{
    for (uint32_t f = 0; f < data->features; f++)
        if (data->types[f] != HSEL_BINARY)
            return false;
    return true;
}

int hs_dataset_make_columns(hsel_dataset *data, const uint32_t *counts, hsel_error *error)
{
    if (hs_dataset_types_binary(data))
        return HSEL_OK;
    if (!(data->slot = HS_NEW_ZERO(uint32_t, data->features)))
        return hs_fail_memory(error);
    struct room room = number_columns(data, counts);
    /* One more: the place of a last column without values is still inside. */
    data->block.length = (room.numbers + 1) * sizeof(double) + (room.whole + 1) * sizeof(uint32_t);
    data->block.base = hs_alloc_aligned(data->block.length, 1);
    data->numeric = HS_NEW_ZERO(hs_numeric_column, data->numeric_count);
    data->nominal = HS_NEW_ZERO(hs_nominal_column, data->nominal_count);
    if (!data->numeric || !data->nominal || !data->block.base) {
        data->numeric_count *= data->numeric != NULL;
        data->nominal_count *= data->nominal != NULL;
        return hs_fail_memory(error);
    }
    lay_columns(data, counts, room.numbers);
    return HSEL_OK;
}

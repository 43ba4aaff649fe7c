/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The twin of dense.h. Nothing here is clever on purpose.
 */
#include "support/dense.h"

#include <string.h>

#include "support/cmocka.h"

hs_random_shape hs_dense_shape(hs_stream *stream)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    if (hs_random_below(stream, 20) == 0) {
        shape.instances = (uint32_t)hs_random_below(stream, DENSE_ROWS + 1);
        shape.features = (uint32_t)hs_random_below(stream, DENSE_COLUMNS + 1);
    }
    if (hs_random_below(stream, 40) == 0)
        shape.instances = 0;
    if (hs_random_below(stream, 40) == 0)
        shape.features = 0;
    if (hs_random_below(stream, 10) == 0)
        shape.classes = 0;
    shape.parents = hs_random_below(stream, 8) ? hs_random_double(stream) * 3 : 0;
    shape.true_path = hs_random_below(stream, 2);
    if (hs_random_below(stream, 3) == 0) {
        shape.numeric = shape.nominal = 0.2;
        shape.missing = 0.2;
    }
    shape.unlabelled = hs_random_below(stream, 2) ? 0.2 : 0;
    return shape;
}

void hs_dense_read(const hsel_dataset *data, hs_dense *out)
{
    hsel_error error = {0};
    size_t count;
    assert_ok(hsel_dataset_check(data, &error), error);
    assert_true(data->instances <= DENSE_ROWS && data->features <= DENSE_COLUMNS);
    memset(out, 0, sizeof *out);
    out->rows = data->instances;
    out->columns = data->features;
    out->has_dag = data->dag != NULL;
    for (uint32_t f = 0; f < data->features; f++)
        out->binary[f] = data->types[f] == HSEL_BINARY;
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t *row = hs_row(data, i, &count);
        for (size_t j = 0; j < count; j++)
            out->cell[i][row[j]] = true;
    }
    for (uint32_t f = 0; data->dag && f < data->features; f++) {
        const uint32_t *parents = hs_parents(data->dag, f, &count);
        for (size_t j = 0; j < count; j++)
            out->edge[f][parents[j]] = true;
    }
}

/* Whether `high` can be reached from `low` upwards: the closure by repeated squaring would be
 * faster. */
static void close_edges(const hs_dense *dense, bool closure[DENSE_COLUMNS][DENSE_COLUMNS])
{
    memcpy(closure, dense->edge, sizeof dense->edge);
    for (uint32_t via = 0; via < dense->columns; via++)
        for (uint32_t low = 0; low < dense->columns; low++)
            for (uint32_t high = 0; closure[low][via] && high < dense->columns; high++)
                closure[low][high] |= closure[via][high];
}

void hs_dense_propagate(hs_dense *dense)
{
    static bool closure[DENSE_COLUMNS][DENSE_COLUMNS];
    hs_dense before = *dense;
    close_edges(dense, closure);
    for (uint32_t i = 0; i < dense->rows; i++)
        for (uint32_t f = 0; f < dense->columns; f++)
            for (uint32_t up = 0; before.cell[i][f] && up < dense->columns; up++)
                dense->cell[i][up] |= closure[f][up] && dense->binary[up];
}

/* Joins the children of a column with its parents and takes its edges away. */
static void contract(hs_dense *dense, uint32_t gone)
{
    for (uint32_t child = 0; child < dense->columns; child++)
        for (uint32_t up = 0; dense->edge[child][gone] && up < dense->columns; up++)
            dense->edge[child][up] |= dense->edge[gone][up];
    for (uint32_t other = 0; other < dense->columns; other++)
        dense->edge[other][gone] = dense->edge[gone][other] = false;
}

void hs_dense_subset(const hs_dense *from, const bool *keep, hs_dense *out)
{
    hs_dense work = *from;
    uint32_t old[DENSE_COLUMNS], kept = 0;
    for (uint32_t f = 0; f < from->columns; f++) {
        if (keep[f])
            old[kept++] = f;
        else
            contract(&work, f);
    }
    memset(out, 0, sizeof *out);
    out->rows = from->rows;
    out->columns = kept;
    out->has_dag = from->has_dag;
    for (uint32_t f = 0; f < kept; f++) {
        out->binary[f] = work.binary[old[f]];
        for (uint32_t i = 0; i < from->rows; i++)
            out->cell[i][f] = work.cell[i][old[f]];
        for (uint32_t up = 0; up < kept; up++)
            out->edge[f][up] = work.edge[old[f]][old[up]];
    }
}

void hs_dense_assert_same(const hs_dense *expected, const hs_dense *found)
{
    assert_int_equal(expected->rows, found->rows);
    assert_int_equal(expected->columns, found->columns);
    assert_int_equal(expected->has_dag, found->has_dag);
    for (uint32_t f = 0; f < expected->columns; f++) {
        for (uint32_t i = 0; i < expected->rows; i++)
            if (expected->cell[i][f] != found->cell[i][f])
                fail_msg("instance %u, feature %u: expected %d", i, f, expected->cell[i][f]);
        for (uint32_t up = 0; up < expected->columns; up++)
            if (expected->edge[f][up] != found->edge[f][up])
                fail_msg("edge from %u up to %u: expected %d", f, up, expected->edge[f][up]);
    }
}
